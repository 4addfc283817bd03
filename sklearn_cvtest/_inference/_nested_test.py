"""The error of an algorithm from nested cross-validation, and the normal test of it.

[BHT24] S. Bates, T. Hastie and R. Tibshirani, "Cross-validation: What does it estimate
and how well does it do it?", Journal of the American Statistical Association 119,
1434-1445, 2024. Values are losses, or differences of losses.
"""

from __future__ import annotations

from itertools import combinations
from types import SimpleNamespace

import numpy as np

from .._validation import invalid_words
from ._base_test import BaseCVTest
from ._evaluation import Evaluation
from ._papers import cite
from ._student import standardise, statistic_pvalue


class NestedCVTest(BaseCVTest):
    """Normal test and interval from nested cross-validation.

    The estimate is of the expected residual of models trained on all n examples, its
    standard error from how far the mean of a K-fold inside a training set is from that
    on the fold outside [1]_. Use it with :class:`NestedKFold`.

    Parameters
    ----------
    alpha : float, default=0.05
        Level of `rho_alpha_`, in (0, 1).
    alternative : {"two-sided", "less", "greater"}, default="two-sided"
        "greater": the expected residual is above `popmean`, that is (with 0)
        the second estimator is better.
    popmean : float, default=0.0
        Expected residual under the null hypothesis.

    Attributes
    ----------
    statistic_, pvalue_ : float
        z = (estimate - popmean)/standard error, and its p-value, from the normal.
    estimate_ : float
        Err_ncv less its bias: of training on n examples.
    standard_error_ : float
        √MSE', kept between the standard error for independent residuals and √K times
        it.
    error_cv_, error_ncv_ : float
        The mean loss of the K-folds, and of the K-folds inside them.
    df_ : float
        inf; G - 1 of G groups, for Student's t.
    rho_, rho_alpha_ : float
        nan.

    See Also
    --------
    NestedKFold : The design.

    Notes
    -----
    MSE' = ((K-1)/K) mean_k [(mean inner - mean outer)² - var(mean outer)] and bias =
    (1 + (K-2)/K)(Err_ncv - Err_cv). With groups, variances are taken between group
    sums. Few repeats leave MSE' noisy; the bounds then decide. With groups they are
    from the variance between groups of single inner K-folds.

    References
    ----------
    .. [1] S. Bates, T. Hastie and R. Tibshirani, "Cross-validation: What does it
       estimate and how well does it do it?", Journal of the American Statistical
       Association 119, 1434-1445, 2024. :doi:`10.1080/01621459.2023.2197686`

    Examples
    --------
    >>> from sklearn.datasets import load_diabetes
    >>> from sklearn.linear_model import Ridge
    >>> from sklearn_cvtest import NestedKFold, cross_val_losses
    >>> from sklearn_cvtest.results import NestedCVTest
    >>> X, y = load_diabetes(return_X_y=True)
    >>> cv = NestedKFold(5, n_repeats=5, random_state=0)
    >>> losses = cross_val_losses(
    ...     {"ridge": Ridge(0.1)}, X, y, cv=cv, loss="absolute_error"
    ... )
    >>> test = NestedCVTest().fit(losses.residuals("ridge"))
    >>> round(test.estimate_, 1), round(test.standard_error_, 1)
    (44.4, 2.2)
    """

    title = "normal test from nested cross-validation (Bates et al. 2024)"
    symbol = "z"
    about = (
        "A normal interval of the expected loss of models trained on all examples; its "
        "standard error is estimated from cross-validations inside the training sets, "
        "with no assumption on how folds depend on each other."
    )
    remark = "The difference is corrected for smaller training sets, the means are not."
    references = cite("Bates 2024")
    designs = ("nested k-fold",)
    default_for = ("nested k-fold",)
    needs_examples = True

    def evaluate(self, residuals):
        """Compute z; see :class:`BaseCVTest`."""
        n_splits = residuals.design.n_splits
        scale = max(float(residuals.largest), np.finfo(float).tiny)
        errors = nested_errors(residuals.values / scale, residuals.n_test, n_splits)
        units = np.arange(residuals.n_values)
        groups = (None, None)
        if residuals.groups is not None:
            units = residuals.groups
            groups = nested_errors(units, residuals.n_test, n_splits)
        df = np.inf if residuals.groups is None else residuals.n_groups - 1
        check_folds(units, residuals.n_test)
        estimates = nested_estimates(*errors, n_splits, *groups)
        error = estimates.standard_error
        spread = error * np.sqrt(residuals.n_samples)
        result = standardise(estimates.estimate, error, spread, scale, self.popmean)
        return Evaluation(
            *result,
            statistic_pvalue(result, df, self.alternative),
            df,
            columns={n: scale * vars(estimates)[n] for n in ("error_cv", "error_ncv")},
        )


def check_folds(units, n_test):
    """Check that there are two examples, or groups, in every test set."""
    folds = np.split(units, np.cumsum(n_test)[:-1])
    fewest = min(len(np.unique(fold)) for fold in folds)
    if fewest < 2:
        allowed = "of at least two examples, or groups, in every fold"
        hint = "Use fewer folds."
        raise invalid_words("residuals", allowed, f"a fold of {fewest}", hint=hint)


def nested_errors(values, n_test, n_splits):
    """Sort values by the fold they are of, and by the fold they are inside of.

    Parameters
    ----------
    values : ndarray of shape (n_rows,)
        A value for each tested example, in the order of the splits of a NestedKFold.
        Row numbers or groups can be sorted the same way.
    n_test : ndarray of shape (n_runs * n_splits * (n_splits + 1) / 2,)
        Number of test examples of each split.
    n_splits : int
        Number of folds K.

    Returns
    -------
    e_out, e_in : list of ndarray
        For each run and fold k, the values on fold k of the model of the other folds;
        and the values on the other folds j of the models of all but j and k.
    """
    by_split = np.split(values, np.cumsum(n_test)[:-1])
    pairs = list(combinations(range(n_splits), 2))  # the order of NestedKFold
    e_out = []
    e_in = []
    for start in range(0, len(by_split), n_splits + len(pairs)):
        outer = by_split[start : start + n_splits]
        inner = [[] for _ in outer]
        for number, (a, b) in enumerate(pairs, start=start + n_splits):
            on_a, on_b = np.split(by_split[number], [len(outer[a])])
            inner[b].append(on_a)
            inner[a].append(on_b)
        e_out += outer
        e_in += [np.concatenate(fold) for fold in inner]
    return e_out, e_in


def nested_estimates(e_out, e_in, n_splits, groups_out=None, groups_in=None):
    """Estimate the expected loss of an algorithm and its standard error.

    Parameters
    ----------
    e_out, e_in : list of ndarray
        As from `nested_errors`.
    n_splits : int
        Number of folds K.
    groups_out, groups_in : list of ndarray of int, default=None
        The group of each value, where examples belong together: then groups are what
        is independent.

    Returns
    -------
    estimates : SimpleNamespace
        `estimate`, for a training set of n examples, is `error_ncv`, the mean inner
        loss, less its `bias`; `error_cv` is the mean outer loss. `standard_error` is
        the root of `mse`, the estimated squared error of the estimate, which may be
        negative, within `bounds`: the standard error for independent losses, and √K
        times it, as if all folds were copies of one.

    Notes
    -----
    [BHT24, Algorithm 1]: of fold k, a = (mean e_in - mean e_out)² is too large, as an
    estimate of the squared error of the mean e_in, by the variance b of mean e_out:
    MSE is the mean of a - b. It is of samples of (K-1)/K n; MSE' = (K-1)/K MSE is of
    n. As MSE' is noisy and may be negative, its root is kept between the standard
    error of independent losses, s/√n with the standard deviation s of all inner ones,
    and √K times it [BHT24, below eq. 17; the authors' package nestedcv does the same].
    For groups, (s/√n)² is the mean over the inner K-folds of the variance of their mean
    by groups, times (K-1)/K, as each is of so much of the sample: averages over several
    fits of a row would vary less than the losses of one.
    The bias of Err_ncv, of models of (K-2)/K n examples, is (1 + (K-2)/K)(Err_ncv -
    Err_cv): the first step is seen, the next one, to n, taken to be (K-2)/K of it.
    (The package has ((K-2)/K)^1.5 there.)
    """
    no_groups = [None] * len(e_out)
    groups_out = no_groups if groups_out is None else groups_out
    inner = np.concatenate(e_in)
    squares = [(np.mean(i) - np.mean(o)) ** 2 for i, o in zip(e_in, e_out, strict=True)]
    variances = [mean_variance(*pair) for pair in zip(e_out, groups_out, strict=True)]
    mse = (n_splits - 1) / n_splits * (np.mean(squares) - np.mean(variances))
    if groups_in is None:  # a value an example, of which there are n, not as many
        n_runs = len(e_out) / n_splits
        n_samples = sum(map(len, e_out)) / n_runs
        naive = np.sqrt(np.var(inner, ddof=1) / n_samples)
    else:
        by_run = [mean_variance(*pair) for pair in zip(e_in, groups_in, strict=True)]
        naive = np.sqrt((n_splits - 1) / n_splits * np.mean(by_run))
    bounds = naive, naive * np.sqrt(n_splits)
    error_ncv = np.mean(inner)
    error_cv = np.mean(np.concatenate(e_out))
    bias = (1 + (n_splits - 2) / n_splits) * (error_ncv - error_cv)
    return SimpleNamespace(
        estimate=error_ncv - bias,
        standard_error=np.clip(np.sqrt(max(mse, 0)), *bounds),
        mse=mse,
        error_ncv=error_ncv,
        error_cv=error_cv,
        bias=bias,
        bounds=bounds,
    )


def mean_variance(values, groups=None):
    """Return the variance of a mean of independent values, or of two groups or more."""
    deviations = values - np.mean(values)
    if groups is not None:
        codes = np.unique(groups, return_inverse=True)[1]
        deviations = np.bincount(codes, deviations)
    n = len(deviations)
    return n / (n - 1) * np.sum(deviations**2) / len(values) ** 2
