"""The normal test and interval from nested cross-validation."""

import numpy as np

from .._validation import invalid_words
from ._base import BaseCVTest
from ._evaluation import Evaluation
from ._nested import nested_errors, nested_estimates
from ._papers import Reference
from ._student import standardise, statistic_pvalue

__all__ = ["NestedCVTest"]


class NestedCVTest(BaseCVTest):
    """Normal test and interval from nested cross-validation.

    The estimate is of the expected residual of models trained on all n examples, its
    standard error from how far the mean of a K-fold inside a training set is from that
    on the fold outside [1]_. It is to be asked for by :class:`NestedKFold`.

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
        √MSE', kept between that of independent residuals and √K times it.
    error_cv_, error_ncv_ : float
        The mean of the K-folds, and that of those inside.
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
    (1 + (K-2)/K)(Err_ncv - Err_cv). With groups, variances are those of group sums.
    Few repeats leave MSE' noisy; the bounds then decide. With groups they are from the
    variance between groups of single inner K-folds.

    References
    ----------
    .. [1] S. Bates, T. Hastie and R. Tibshirani, "Cross-validation: What does it
       estimate and how well does it do it?", Journal of the American Statistical
       Association 119, 1434-1445, 2024. :doi:`10.1080/01621459.2023.2197686`

    Examples
    --------
    >>> from sklearn.datasets import load_diabetes
    >>> from sklearn.linear_model import Ridge
    >>> from sklearn_cvtest import NestedCVTest, NestedKFold, cross_val_losses
    >>> X, y = load_diabetes(return_X_y=True)
    >>> cv = NestedKFold(5, n_repeats=5, random_state=0)
    >>> losses = cross_val_losses(
    ...     {"ridge": Ridge(0.1)}, X, y, cv=cv, loss="absolute_error"
    ... )
    >>> test = NestedCVTest().fit(losses.residuals("ridge"))
    >>> round(test.estimate_, 1), round(test.standard_error_, 1)
    (44.4, 2.2)
    """

    about = (
        "A normal interval of the expected loss of models trained on all examples; its "
        "standard error is estimated from cross-validations inside the training sets, "
        "with no assumption on how folds depend on each other."
    )
    references = (
        Reference(
            'S. Bates, T. Hastie and R. Tibshirani, "Cross-validation: What does it '
            'estimate and how well does it do it?", Journal of the American '
            "Statistical Association 119, 1434-1445, 2024.",
            "doi:10.1080/01621459.2023.2197686",
        ),
    )
    designs = ("nested k-fold",)
    default_for = ("nested k-fold",)
    needs_examples = True
    title = "normal test from nested cross-validation (Bates et al. 2024)"
    symbol = "z"

    def evaluate(self, residuals):
        """Compute z; see :class:`BaseCVTest`."""
        n_splits = residuals.design.n_splits
        scale = max(float(residuals.largest), np.finfo(float).tiny)
        parts = nested_errors(residuals.values / scale, residuals.n_test, n_splits)
        units = np.arange(residuals.n_values)
        groups = (None, None)
        if residuals.groups is not None:
            units = residuals.groups
            groups = nested_errors(units, residuals.n_test, n_splits)
        df = np.inf if residuals.groups is None else residuals.n_groups - 1
        check_folds(units, residuals.n_test)
        found = nested_estimates(*parts, n_splits, *groups)
        error = found.standard_error
        spread = error * np.sqrt(residuals.n_samples)
        result = standardise(found.estimate, error, spread, scale, self.popmean)
        return Evaluation(
            *result,
            statistic_pvalue(result, df, self.alternative),
            df,
            columns={
                "error_cv": scale * found.error_cv,
                "error_ncv": scale * found.error_ncv,
            },
        )


def check_folds(units, n_test):
    """Check that there are two examples, or groups, in every test set."""
    parts = np.split(units, np.cumsum(n_test)[:-1])
    fewest = min(len(np.unique(part)) for part in parts)
    if fewest < 2:
        allowed = "of at least two examples, or groups, in every fold"
        hint = "Use fewer folds."
        raise invalid_words("residuals", allowed, f"a fold of {fewest}", hint=hint)
