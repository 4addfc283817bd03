"""covariance_curve: σ², ω and γ against sample size or number of folds.

[BG03]: Bengio & Grandvalet 2003, "No Unbiased Estimator of the Variance of K-Fold
Cross-Validation".
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from .._compat import import_extra
from .._data._cvlosses import CVLosses
from .._data._moments import VarianceEstimates
from .._data._protocol import ReadOnlyArrays
from .._data._residuals import CVResiduals, check_k_fold, residuals_of
from .._engine._arguments import name_estimators
from .._engine._plan import plan_fits
from .._engine._running import run_plan
from .._losses._named_losses import Loss
from .._splits._block_kfold import BlockKFold
from .._splits._design import DesignKind
from .._typing import Any, ArrayLike, DataFrame, Function, PathLike, Sequence
from .._validation import check_integer, check_real_array, invalid
from ._replicate import replicate_losses
from ._replicated_residuals import contributions


@dataclass(frozen=True, eq=False)
class CovarianceCurve(ReadOnlyArrays):
    """Covariances of K-fold residuals at several sample sizes or numbers of folds.

    Made by :func:`covariance_curve`.

    Attributes
    ----------
    n_samples, n_splits : ndarray of shape (n_points,)
        n and K at each point.
    structures : tuple of CovarianceStructure
        The estimates at each point.
    contributions : ndarray of shape (n_points, 3)
        σ²/n, (m-1)ω/n and (n-m)γ/n, which add up to the variance θ of the mean.
    standard_errors : ndarray of shape (n_points, 3)
        Monte-Carlo standard errors of the contributions.
    n_replications : int
        Number of samples at each point.
    """

    n_samples: np.ndarray
    n_splits: np.ndarray
    structures: tuple
    contributions: np.ndarray
    standard_errors: np.ndarray
    n_replications: int

    def to_frame(self) -> DataFrame:
        """Return a pandas DataFrame with one row per point.

        Returns
        -------
        frame : pandas.DataFrame
            Columns n_samples, n_splits; the three contributions sigma2, omega, gamma,
            each with a column of standard errors ending in "_se"; theta; rho.

        Raises
        ------
        ImportError
            If pandas is not installed.
        """
        columns = {"n_samples": self.n_samples, "n_splits": self.n_splits}
        for i, name in enumerate(("sigma2", "omega", "gamma")):
            columns[name] = self.contributions[:, i]
            columns[f"{name}_se"] = self.standard_errors[:, i]
        for name in ("theta", "rho"):
            columns[name] = [getattr(structure, name) for structure in self.structures]
        return import_extra("pandas", "CovarianceCurve.to_frame").DataFrame(columns)


def covariance_curve(
    estimators: Any,
    population: Any,
    *,
    n_samples: int | Sequence[int],
    n_splits: int | Sequence[int] = 10,
    loss: str | Loss | Function = "auto",
    n_replications: int = 1000,
    random_state: int | None = None,
    n_jobs: int | None = None,
    memory: PathLike | None = None,
    progress: bool = False,
) -> CovarianceCurve:
    """Estimate the covariances of K-fold residuals at several n or K.

    The experiment of figures 3 and 4 of [1]_.

    Parameters
    ----------
    estimators : estimator, or list or dict of one or two
        With one estimator, the residuals are its losses; with two, the differences of
        their losses.
    population : object
        As in :func:`replicate_losses`.
    n_samples : int or sequence of int
        Sizes n of the samples; multiples of `n_splits`.
    n_splits : int or sequence of int, default=10
        Numbers K of folds. At most one of `n_samples` and `n_splits` is a sequence.
    loss : str, Loss or callable, default="auto"
        A per-example loss.
    n_replications : int, default=1000
        Number of samples at each point, at least 2.
    random_state : int, default=None
        Seed.
    n_jobs : int, default=None
        As in :func:`replicate_losses`.
    memory : str or os.PathLike, default=None
        As in :func:`replicate_losses`.
    progress : bool, default=False
        Whether to show a progress bar for each point.

    Returns
    -------
    curve : CovarianceCurve
        The estimates with their standard errors.

    Raises
    ------
    TypeError, ValueError
        If an argument is not as described.

    References
    ----------
    .. [1] Y. Bengio and Y. Grandvalet, "No Unbiased Estimator of the Variance of
       K-Fold Cross-Validation", NIPS 2003; JMLR 5, 1089-1105, 2004. Experiment 2.

    Examples
    --------
    >>> from sklearn.linear_model import LinearRegression
    >>> from sklearn_cvtest.simulation import GaussianLinearPopulation
    >>> from sklearn_cvtest.simulation import covariance_curve
    >>> curve = covariance_curve(
    ...     LinearRegression(), GaussianLinearPopulation(5), n_samples=[20, 40],
    ...     n_replications=100, random_state=0,
    ... )
    >>> bool(curve.structures[0].theta > curve.structures[1].theta)
    True
    """
    names = list(name_estimators(estimators))
    if len(names) > 2:
        raise invalid("estimators", "one or two estimators", names)
    check_integer("n_replications", n_replications, 2)
    n_samples, n_splits = map(np.array, _check_points(n_samples, n_splits))
    residuals = []
    for n, k in zip(n_samples.tolist(), n_splits.tolist(), strict=True):
        replications = replicate_losses(
            estimators,
            population,
            n_samples=n,
            cv=BlockKFold(k),
            loss=loss,
            n_replications=n_replications,
            random_state=random_state,
            n_jobs=n_jobs,
            memory=memory,
            progress=progress,
        )
        residuals.append(replications.residuals(*range(len(names))))
    terms, errors = zip(*map(_contributions, residuals), strict=True)
    return CovarianceCurve(
        n_samples=n_samples,
        n_splits=n_splits,
        structures=tuple(of_size.structure() for of_size in residuals),
        contributions=np.array(terms),
        standard_errors=np.array(errors),
        n_replications=residuals[0].n_replications,
    )


def _check_points(n_samples, n_splits):
    """Return each n, and each K."""
    for name, values in (("n_samples", n_samples), ("n_splits", n_splits)):
        allowed = "an integer, or a sequence of at least one integer"
        try:
            shape = np.shape(values)
        except ValueError:  # lists of different lengths
            raise invalid(name, allowed, values, TypeError) from None
        if len(shape) > 1 or 0 in shape:
            raise invalid(name, allowed, values)
    if np.ndim(n_samples) and np.ndim(n_splits):
        raise invalid("n_splits", "an integer if `n_samples` is a sequence", n_splits)
    points = np.broadcast_arrays(np.atleast_1d(n_samples), n_splits)
    for n, k in zip(*(values.tolist() for values in points), strict=True):
        check_integer("n_splits", k, 2)
        check_integer("n_samples", n, k)
        if n % k:
            raise invalid("n_samples", f"a multiple of n_splits={k}", n)
    return points


def _contributions(residuals):
    """Return the three terms of [BG03] eq. (4), and their standard errors."""
    structure = residuals.structure()
    n = structure.n_samples
    m = structure.block_size
    covariances = [structure.sigma2, structure.omega, structure.gamma]
    terms = np.multiply(covariances, [1, m - 1, n - m]) / n
    errors = contributions(residuals).std(axis=1, ddof=1)
    return terms, errors / np.sqrt(residuals.n_replications)


# Jackknife residuals of a loss: [BG03] section 2.2 ------------------------------


def loss_jackknife_residuals(
    estimators: Any,
    X: Any,
    y: ArrayLike,
    *,
    cv: Any = None,
    loss: str | Loss | Function = "auto",
    groups: ArrayLike | None = None,
    params: dict[str, Any] | None = None,
    n_jobs: int | None = None,
) -> CVLosses:
    """Compute the delete-m jackknife residuals of the loss over a K-fold.

    Their mean is the jackknife estimate of the prediction error of the estimator fitted
    on the whole sample: its training error, with the bias removed. The residual of
    example i in block k is K L(A(D), z_i) - Σ_{l≠k} L(A(D_l), z_i), where D_l is the
    sample without block l.

    Parameters
    ----------
    estimators : estimator, list or dict
        As in :func:`cross_val_losses`.
    X : array-like, sparse matrix or dataframe of shape (n_samples, n_features)
        The data.
    y : array-like of shape (n_samples,) or (n_samples, n_outputs)
        The target.
    cv : int, splitter or iterable of (train, test), default=None
        A K-fold; None takes 10 folds, as `cv=10` does.
    loss : str, Loss or callable, default="auto"
        As in :func:`cross_val_losses`.
    groups : array-like of shape (n_samples,), default=None
        Passed to the splitter.
    params : dict, default=None
        Passed to `fit`, as in :func:`cross_val_losses`.
    n_jobs : int, default=None
        Number of fits at a time.

    Returns
    -------
    losses : CVLosses
        Jackknife residuals in place of losses, rows ordered by block; its
        `residuals(first, second)` gives the residuals of a difference, on which the
        tests for K-fold can be fitted.

    Raises
    ------
    ValueError
        If the splits are not a K-fold.

    Notes
    -----
    Costs K + 1 fits per estimator.

    References
    ----------
    .. [1] Y. Bengio and Y. Grandvalet, "No Unbiased Estimator of the Variance of
       K-Fold Cross-Validation", NIPS 2003; JMLR 5, 1089-1105, 2004. Section 2.2.

    Examples
    --------
    >>> from sklearn.datasets import load_diabetes
    >>> from sklearn.linear_model import LinearRegression
    >>> from sklearn_cvtest import BlockKFold
    >>> from sklearn_cvtest.simulation import loss_jackknife_residuals
    >>> X, y = load_diabetes(return_X_y=True)
    >>> cv = BlockKFold(10, random_state=0)
    >>> losses = loss_jackknife_residuals(LinearRegression(), X, y, cv=cv)
    >>> losses.losses.mean(axis=0).round()
    array([2919.])
    """
    plan = plan_fits(
        estimators,
        X,
        y,
        groups=groups,
        cv=10 if cv is None else cv,
        loss=loss,
        params=params,
        diagnostics=False,  # these are losses of training sets
    )
    if plan.design.kind != DesignKind.K_FOLD:
        raise invalid("cv", "a K-fold", str(plan.design))
    tests = [test for _, test in plan.splits]
    everything = np.sort(np.concatenate(tests))
    trains = [np.sort(train) for train, _ in plan.splits]
    on_training_sets = [(rows, rows) for rows in [*trains, everything]]
    plan_on_training = replace(plan, splits=on_training_sets)
    training_losses = run_plan(plan_on_training, n_jobs=n_jobs, error_score=np.nan)
    return _combine(training_losses, plan, tests)


def _combine(training_losses, plan, tests):
    """Combine the losses of all K + 1 fits on their training sets."""
    n_blocks = len(tests)
    n_samples = training_losses.n_samples
    full = training_losses.row_split == n_blocks
    losses = training_losses.losses
    groups = training_losses.groups
    total = np.zeros((n_samples, losses.shape[1]))
    # row i is in the training sets of all blocks except its own: a sum over l ≠ k
    signs = np.where(full, n_blocks, -1)[:, np.newaxis]
    np.add.at(total, training_losses.row_index, signs * losses)
    row_index = np.concatenate(tests)
    n_test = np.array(list(map(len, tests)))
    if groups is not None:  # known of the last fit, which is of all rows in order
        groups = groups[full][row_index]
    failed = training_losses.fit_failed.any(axis=0, keepdims=True)
    return replace(
        training_losses,
        losses=total[row_index],
        row_split=np.repeat(np.arange(n_blocks), n_test),
        row_index=row_index,
        groups=groups,
        n_train=n_samples - n_test,
        n_test=n_test,
        design=plan.design,
        fit_time=training_losses.fit_time[:n_blocks],
        score_time=training_losses.score_time[:n_blocks],
        fit_failed=np.repeat(failed, n_blocks, axis=0),
        loss_name=f"jackknife of {training_losses.loss_name}",
    )


# Five estimates of the variance of a K-fold cross-validation mean ---------------


def variance_estimates(residuals: CVResiduals | ArrayLike) -> VarianceEstimates:
    """Estimate the variance of a K-fold cross-validation mean in five ways.

    There is no unbiased estimate [2]_; each of these is unbiased under an
    assumption of its own about the residuals ([1]_, table 1).

    Parameters
    ----------
    residuals : CVResiduals or array-like of shape (K, m)
        Residuals of a K-fold, one per example.

    Returns
    -------
    estimates : VarianceEstimates
        A named tuple (theta1, theta2, theta3, theta4, theta5), each in squared
        units of the loss.

    Raises
    ------
    ValueError
        If the residuals do not come from a K-fold, or are not finite.

    Notes
    -----
    With n residuals in K blocks of m = n/K, s1, s2, s3 the moments of
    :class:`CVResiduals`, and σ², ω, γ their variance and their covariances within
    and between blocks:

    ======  ===========================================  ====================
    name    estimate                                     bias
    ======  ===========================================  ====================
    theta1  (s1 + (m-1) s2 + (n-m) s3)/n = μ̂²            μ²
    theta2  (s1 - (n+1-m) s2 + (n-m) s3)/n               -ω
    theta3  Σ(μ̂_k - μ̂)²/(K(K-1))                         -γ
    theta4  (s1 - s2)/n, within-block variance over n    -(mω + (n-m)γ)/n
    theta5  Σ(e_i - μ̂)²/(n(n-1))                         -((m-1)ω + (n-m)γ)/(n-1)
    ======  ===========================================  ====================

    theta2 may be negative. All but theta1 are computed from centred residuals, so that
    a constant added to every residual does not change them.

    Blocks of unequal sizes m_k: μ̂ is the mean of all residuals, s2 and s3 are means
    over all pairs within and between blocks; with P = n² - Σ m_k², theta2 = s1/n -
    (1/n + P/n²) s2 + (P/n²) s3, theta3 = Σ m_k²(μ̂_k - μ̂)²/P, and theta4 pools the
    within-block variances. All reduce to the formulas above when the sizes are equal.
    With K = n (leave-one-out) there are no pairs within blocks: theta2 and theta4 are
    nan.

    References
    ----------
    .. [1] Y. Grandvalet and Y. Bengio, "Hypothesis Testing for
       Cross-Validation", Technical Report 1285, DIRO, Université de Montréal,
       2006. Table 1 and section 3.5.
    .. [2] Y. Bengio and Y. Grandvalet, "No Unbiased Estimator of the Variance of
       K-Fold Cross-Validation", JMLR 5, 1089-1105, 2004.

    Examples
    --------
    >>> from sklearn_cvtest.simulation import variance_estimates
    >>> estimates = variance_estimates([[1.0, 2.0], [3.0, 6.0]])
    >>> [round(theta, 3) for theta in estimates]
    [9.0, -1.0, 2.25, 0.625, 1.167]
    """
    if not isinstance(residuals, CVResiduals):
        residuals = residuals_of(check_real_array("residuals", residuals, (2,)))
    check_k_fold(residuals, "Variance estimates")
    residuals.check_finite()
    scale = residuals.block_moments.scale
    estimates = residuals.block_moments.variances
    return VarianceEstimates(*(float(theta * scale * scale) for theta in estimates))
