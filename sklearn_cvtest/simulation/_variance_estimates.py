"""Five estimates of the variance of a K-fold cross-validation mean."""

from __future__ import annotations

from .._data._moments import VarianceEstimates
from .._data._residuals import CVResiduals, check_k_fold, residuals_of
from .._typing import ArrayLike
from .._validation import check_real_array


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
