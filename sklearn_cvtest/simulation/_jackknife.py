"""Jackknife residuals of a loss: [BG03] section 2.2.

[BG03]: Bengio & Grandvalet 2003, "No Unbiased Estimator of the Variance of K-Fold
Cross-Validation".
"""

from __future__ import annotations

from dataclasses import replace
from typing import Literal

import numpy as np

from .._data._cvlosses import CVLosses
from .._data._moments import VarianceEstimates
from .._data._residuals import CVResiduals, check_k_fold, residuals_of
from .._engine._plan import plan_fits
from .._engine._running import run_plan
from .._losses._named_losses import Loss
from .._typing import Any, ArrayLike, Function
from .._validation import check_real_array, invalid


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
    verbose: int = 0,
    pre_dispatch: int | str = "2*n_jobs",
    error_score: Literal["raise"] | float = np.nan,
    memory: Any = None,
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
    verbose : int, default=0
        Verbosity of joblib.
    pre_dispatch : int or str, default="2*n_jobs"
        Number of tasks dispatched beforehand, as in joblib.
    error_score : "raise" or float, default=nan
        As in :func:`cross_val_losses`.
    memory : None, str or joblib.Memory, default=None
        As in :func:`cross_val_losses`.

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
        check_threshold=False,  # these are losses of training sets
    )
    if plan.design.kind != "k-fold":
        raise invalid("cv", "a K-fold", str(plan.design))
    tests = [test for _, test in plan.splits]
    everything = np.sort(np.concatenate(tests))
    trains = [np.sort(train) for train, _ in plan.splits]
    on_training_sets = [(rows, rows) for rows in [*trains, everything]]
    training_losses = run_plan(
        replace(plan, splits=on_training_sets),
        n_jobs=n_jobs,
        verbose=verbose,
        pre_dispatch=pre_dispatch,
        error_score=error_score,
        memory=memory,
    )
    return _combine(training_losses, plan, tests)


def _combine(training_losses, plan, tests):
    """Combine the losses of all K + 1 fits on their training sets."""
    n_blocks, n_samples = len(tests), training_losses.n_samples
    full = training_losses.row_split == n_blocks
    losses, rows = training_losses.losses, training_losses.row_index
    total = np.zeros((n_samples, losses.shape[1]))
    # row i is in the training sets of all blocks except its own: a sum over l ≠ k
    np.subtract.at(total, rows[~full], losses[~full])
    total[rows[full]] += n_blocks * losses[full]
    row_index = np.concatenate(tests)
    groups = training_losses.groups
    if groups is not None:  # known of the last fit, which is of all rows
        groups = groups[full][np.argsort(rows[full])][row_index]
    n_test = np.array([len(test) for test in tests])
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
        fit_failed=np.repeat(
            training_losses.fit_failed.any(axis=0, keepdims=True), n_blocks, axis=0
        ),
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
    scale, estimates = residuals.block_moments.scale, residuals.block_moments.variances
    return VarianceEstimates(*(float(theta * scale * scale) for theta in estimates))
