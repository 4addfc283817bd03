"""The covariance of K-fold residuals in blocks, and the variance of their mean.

[BG03]: Bengio & Grandvalet 2003, "No Unbiased Estimator of the Variance of K-Fold
Cross-Validation". [GB06]: Grandvalet & Bengio 2006, "Hypothesis Testing for
Cross-Validation".
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from .._typing import Array, ArrayLike, Self
from .._validation import check_integer, check_real, check_real_array, invalid


@dataclass(frozen=True)
class CovarianceStructure:
    """Covariance matrix of the residuals of a K-fold, from its three parameters.

    Because the sample is exchangeable, the covariance matrix of the n residuals has
    only three different entries ([1]_, corollary 1): their variance σ², the
    covariance ω of two residuals of the same block, and the covariance γ of two of
    different blocks.

    Parameters
    ----------
    sigma2 : float
        Variance σ² of a residual, >= 0.
    omega : float
        Covariance ω within a block.
    gamma : float
        Covariance γ between blocks.
    n_samples : int
        Number n of residuals, a multiple of K.
    n_splits : int
        Number K of blocks, from 2 to n.

    Attributes
    ----------
    theta, rho : float
        See below.
    eigenvalues, multiplicities : tuple of three
        See below.

    Raises
    ------
    TypeError, ValueError
        If a parameter is not as described.

    References
    ----------
    .. [1] Y. Bengio and Y. Grandvalet, "No Unbiased Estimator of the Variance of
       K-Fold Cross-Validation", NIPS 2003; JMLR 5, 1089-1105, 2004.

    Examples
    --------
    >>> from sklearn_cvtest.simulation import CovarianceStructure
    >>> structure = CovarianceStructure(1.0, 0.1, 0.05, n_samples=100, n_splits=10)
    >>> round(structure.theta, 4), round(structure.rho, 3)
    (0.064, 0.781)
    """

    sigma2: float
    omega: float
    gamma: float
    n_samples: int
    n_splits: int

    def __post_init__(self):
        check_real("sigma2", self.sigma2, above=0, closed="low")
        check_real("omega", self.omega)
        check_real("gamma", self.gamma)
        check_integer("n_samples", self.n_samples, 2)
        check_integer("n_splits", self.n_splits, 2)
        if self.n_samples % self.n_splits:
            raise invalid(
                "n_samples", f"a multiple of n_splits={self.n_splits}", self.n_samples
            )

    @property
    def block_size(self) -> int:
        """Number m = n/K of residuals in a block, int."""
        return self.n_samples // self.n_splits

    @property
    def block_variance(self) -> float:
        """Variance (σ² + (m-1)ω)/m of a block mean, float."""
        m = self.block_size
        return (self.sigma2 + (m - 1) * self.omega) / m

    @property
    def theta(self) -> float:
        """Variance of the mean, σ²/n + (m-1)ω/n + (n-m)γ/n: [BG03] eq. (4)."""
        n, m = self.n_samples, self.block_size
        return (self.sigma2 + (m - 1) * self.omega + (n - m) * self.gamma) / n

    @property
    def rho(self) -> float:
        """γ/θ, the ρ of [GB06] eq. (9), not a correlation; 0 where θ is 0."""
        return self.gamma / self.theta if self.theta else 0.0

    @property
    def eigenvalues(self):
        """The three eigenvalues (λ1, λ2, λ3) of the matrix: [BG03] lemma 4."""
        n, m = self.n_samples, self.block_size
        within = self.sigma2 + (m - 1) * self.omega
        return (
            self.sigma2 - self.omega,
            within - m * self.gamma,
            within + (n - m) * self.gamma,
        )

    @property
    def multiplicities(self):
        """How often each eigenvalue occurs: (n - K, K - 1, 1)."""
        return self.n_samples - self.n_splits, self.n_splits - 1, 1

    def matrix(self) -> Array:
        """Return the covariance matrix.

        Returns
        -------
        matrix : ndarray of shape (n_samples, n_samples)
            Residuals ordered by block: [BG03] figure 2.
        """
        block = np.arange(self.n_samples) // self.block_size
        matrix = np.where(block[:, np.newaxis] == block, self.omega, self.gamma)
        np.fill_diagonal(matrix, self.sigma2)
        return matrix

    def check_admissible(self) -> Self:
        """Check the bounds that hold for losses of a K-fold, and their differences.

        0 <= ω <= σ² and -(σ² + (m-1)ω)/(n-m) <= γ <= (σ² + (m-1)ω)/m: [BG03] lemma 5.
        With K = n the bounds of ω are not checked, because there is none.

        Returns
        -------
        self : CovarianceStructure
            The structure, if it is admissible.

        Raises
        ------
        ValueError
            If a bound is violated; the message names it.
        """
        n, m = self.n_samples, self.block_size
        slack = 1e-12 * self.sigma2
        if m > 1 and not -slack <= self.omega <= self.sigma2 + slack:
            raise invalid("omega", f"in [0, {self.sigma2:g}] (lemma 5)", self.omega)
        low, high = -m * self.block_variance / (n - m), self.block_variance
        if not low - slack <= self.gamma <= high + slack:
            raise invalid("gamma", f"in [{low:g}, {high:g}] (lemma 5)", self.gamma)
        return self

    @classmethod
    def from_replications(cls, residuals: ArrayLike) -> Self:
        """Estimate the structure from K-folds of many independent samples.

        Parameters
        ----------
        residuals : array-like of shape (n_replications, K, m)
            Residuals of at least two independent samples.

        Returns
        -------
        structure : CovarianceStructure
            Unbiased estimates: second moments less the mean product of the means of
            different samples. For K = n, omega is set to 0.

        Raises
        ------
        TypeError, ValueError
            If the array is not as described.
        """
        e = check_real_array("residuals", residuals, (3,))
        if len(e) < 2 or e.shape[1] < 2:
            raise invalid(
                "residuals",
                "residuals of at least 2 samples and 2 blocks",
                f"an array of shape {e.shape}",
            )
        if not np.isfinite(e).all():
            raise invalid("residuals", "finite", e[~np.isfinite(e)][0])
        e = e - e.mean()
        return structure_of_block_sums(
            np.sum(e**2, axis=(1, 2)), e.sum(axis=2), e.shape[2]
        )


def structure_of_block_sums(squares, sums, m):
    """Estimate from sums of squares (R,) and block sums (R, K) of m residuals."""
    n_replications, n_blocks = sums.shape
    totals = sums.sum(axis=1)
    n = n_blocks * m
    square, within, between = (
        float(x) for x in (squares.sum(), np.sum(sums**2), np.sum(totals**2))
    )
    # E of the product of means of different samples is the squared mean
    pairs = n_replications * (n_replications - 1)
    mean_squared = (totals.sum() ** 2 - between) / (pairs * n**2)
    sigma2 = square / (n_replications * n) - mean_squared
    omega = 0.0
    if m > 1:
        omega = (within - square) / (n_replications * n * (m - 1)) - mean_squared
    gamma = (between - within) / (n_replications * n * (n - m)) - mean_squared
    return CovarianceStructure(float(sigma2), float(omega), float(gamma), n, n_blocks)
