"""The variance of a K-fold cross-validation mean: estimates, and what they estimate.

[BG03]: Bengio & Grandvalet 2003, "No Unbiased Estimator of the Variance of K-Fold
Cross-Validation". [GB06]: Grandvalet & Bengio 2006, "Hypothesis Testing for
Cross-Validation".
"""

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from .._data import CVResiduals
from .._design import K_FOLD
from .._validation import check_array, check_integer, check_real, invalid


class VarianceEstimates(NamedTuple):
    """Estimates of Var μ̂, each without bias under an assumption: [GB06] table 1.

    In this order: μ = 0; ω = 0; γ = 0; γ = -mω/(n - m); ω = γ = 0.
    """

    theta1: float
    theta2: float
    theta3: float
    theta4: float
    theta5: float


def variance_estimates(residuals):
    """Estimate the variance of a K-fold cross-validation mean in five ways.

    Parameters
    ----------
    residuals : CVResiduals or array-like of shape (K, m)
        A value for each example.

    Returns
    -------
    estimates : VarianceEstimates
        Of them θ̂2 and θ̂4 are nan for K = n; θ̂2 to θ̂5 do not depend on a constant added.

    Raises
    ------
    TypeError, ValueError
        If `residuals` are not those of a K-fold, with a finite value for each example.

    References
    ----------
    .. [1] Y. Grandvalet and Y. Bengio, "Hypothesis Testing for Cross-Validation",
       Technical Report 1285, DIRO, Université de Montréal, 2006. Table 1.

    Examples
    --------
    >>> from sklearn_cvtest.simulation import variance_estimates
    >>> round(float(variance_estimates([[0.1, 0.3], [0.2, 0.0]]).theta3), 4)
    0.0025
    """
    if not isinstance(residuals, CVResiduals):
        array = check_array("residuals", residuals, (1, 2))
        residuals = CVResiduals.from_array(array)
    if residuals.design.kind != K_FOLD or not residuals.per_example:
        allowed = "a K-fold's, with a value for each example"
        raise invalid("residuals", allowed, str(residuals.design))
    residuals.check_finite()
    values = residuals.values
    n = values.shape[-1]
    mean = values.mean(axis=-1)
    centred = values - mean[..., np.newaxis]
    sizes = np.bincount(residuals.row_split)
    starts = np.cumsum(sizes) - sizes
    sums = np.add.reduceat(centred, starts, axis=-1)
    n_within = np.sum(sizes**2) - n  # pairs of examples of one block, and of two
    n_between = n**2 - np.sum(sizes**2)
    square_sum = np.sum(centred**2, axis=-1)
    of_blocks = np.sum(sums**2, axis=-1)
    within = square_sum - np.sum(sums**2 / sizes, axis=-1)
    # [BG03] lemma 3: the means of e_i², and of e_i e_j within and between blocks
    s1 = square_sum / n
    s3 = -of_blocks / n_between
    theta2 = theta4 = np.full_like(s1, np.nan)[()]
    if n_within:
        s2 = (of_blocks - square_sum) / n_within
        c = n_between / n**2  # of equal blocks, (n - m)/n
        theta2 = s1 / n - (1 / n + c) * s2 + c * s3
        theta4 = within / (n * (n - len(sizes)))
    return VarianceEstimates(
        theta1=mean**2,
        theta2=theta2,
        theta3=of_blocks / n_between,
        theta4=theta4,
        theta5=square_sum / (n * (n - 1)),
    )


@dataclass(frozen=True)
class CovarianceStructure:
    """The covariance matrix of the n residuals of a K-fold: [BG03] corollary 1.

    Attributes
    ----------
    sigma2, omega, gamma : float
        Variance of a residual, covariance of two of one block, and of two blocks.
    n_samples, n_splits : int
        n, a multiple of K, and K.
    """

    sigma2: float
    omega: float
    gamma: float
    n_samples: int
    n_splits: int

    def __post_init__(self):
        check_real("sigma2", self.sigma2, 0, closed=True)
        check_real("omega", self.omega)
        check_real("gamma", self.gamma)
        check_integer("n_splits", self.n_splits, 2)
        check_integer("n_samples", self.n_samples, 2)
        if self.n_samples % self.n_splits:
            raise invalid("n_samples", f"a multiple of {self.n_splits}", self.n_samples)

    @property
    def block_size(self):
        """The size m of a block."""
        return self.n_samples // self.n_splits

    @property
    def theta(self):
        """Var μ̂ = σ²/n + (m-1)ω/n + (n-m)γ/n: [BG03] eq. (4)."""
        return sum(self.contributions)

    @property
    def rho(self):
        """ρ = γ/θ of [GB06] eq. (9); 0 where θ is 0."""
        return self.gamma / self.theta if self.theta else 0.0

    @property
    def contributions(self):
        """σ²/n, (m-1)ω/n and (n-m)γ/n, which add up to θ."""
        n, m = self.n_samples, self.block_size
        return self.sigma2 / n, (m - 1) * self.omega / n, (n - m) * self.gamma / n

    @property
    def eigenvalues(self):
        """The eigenvalues, n - K, K - 1 and one of them: [BG03] lemma 4."""
        n, m = self.n_samples, self.block_size
        of_block = self.sigma2 + (m - 1) * self.omega
        return (
            self.sigma2 - self.omega,
            of_block - m * self.gamma,
            of_block + (n - m) * self.gamma,
        )

    def matrix(self):
        """Return the matrix (n, n) of residuals in the order of blocks."""
        block = np.arange(self.n_samples) // self.block_size
        matrix = np.where(block[:, np.newaxis] == block, self.omega, self.gamma)
        np.fill_diagonal(matrix, self.sigma2)
        return matrix

    def check_admissible(self):
        """Raise unless losses of a K-fold can have it: [BG03] lemma 5; return self."""
        n, m = self.n_samples, self.block_size
        slack = 1e-12 * self.sigma2
        if m > 1 and not -slack <= self.omega <= self.sigma2 + slack:
            raise invalid("omega", f"in [0, {self.sigma2:g}]", self.omega)
        high = (self.sigma2 + (m - 1) * self.omega) / m  # the variance of a block mean
        low = -m * high / (n - m)
        if not low - slack <= self.gamma <= high + slack:
            raise invalid("gamma", f"in [{low:g}, {high:g}]", self.gamma)
        return self

    @classmethod
    def from_replications(cls, residuals):
        """Estimate it without bias: second moments less products of samples' means.

        Parameters
        ----------
        residuals : array-like of shape (R, K, m)
            Of K-folds of R >= 2 independent samples.

        Returns
        -------
        structure : CovarianceStructure
            The estimate.

        Raises
        ------
        TypeError, ValueError
            If `residuals` are not such an array of finite numbers.
        """
        e = check_array("residuals", residuals, (3,))
        if not np.isfinite(e).all():
            raise invalid("residuals", "finite", residuals)
        n_samples, n_blocks, m = e.shape
        if n_samples < 2 or n_blocks < 2:
            raise invalid("residuals", "of at least 2 samples and 2 blocks", e.shape)
        e = e - e.mean()
        n = n_blocks * m
        sums = e.sum(axis=2)
        totals = sums.sum(axis=1)
        square = np.sum(e**2)
        of_blocks = np.sum(sums**2)
        of_samples = np.sum(totals**2)
        product = (totals.sum() ** 2 - of_samples) / (n_samples * (n_samples - 1))
        squared_mean = product / n**2
        omega = 0.0
        if m > 1:
            omega = (of_blocks - square) / (n_samples * n * (m - 1)) - squared_mean
        return cls(
            sigma2=float(square / (n_samples * n) - squared_mean),
            omega=float(omega),
            gamma=float(
                (of_samples - of_blocks) / (n_samples * n * (n - m)) - squared_mean
            ),
            n_samples=n,
            n_splits=n_blocks,
        )
