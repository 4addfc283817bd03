"""The covariance of K-fold residuals in blocks, and the variance of their mean.

[BG03]: Bengio & Grandvalet 2003, "No Unbiased Estimator of the Variance of K-Fold
Cross-Validation". [GB06]: Grandvalet & Bengio 2006, "Hypothesis Testing for
Cross-Validation".
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from .._display._draw import add_legend, make_axes
from .._typing import Array, ArrayLike, Axes, Self
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
            allowed = f"a multiple of n_splits={self.n_splits}"
            raise invalid("n_samples", allowed, self.n_samples)

    @property
    def block_size(self) -> int:
        """Number m = n/K of residuals in a block, int."""
        return self.n_samples // self.n_splits

    @property
    def theta(self) -> float:
        """Variance of the mean, σ²/n + (m-1)ω/n + (n-m)γ/n: [BG03] eq. (4)."""
        n = self.n_samples
        m = self.block_size
        return (self.sigma2 + (m - 1) * self.omega + (n - m) * self.gamma) / n

    @property
    def rho(self) -> float:
        """γ/θ, the ρ of [GB06] eq. (9), not a correlation; 0 where θ is 0."""
        return self.gamma / self.theta if self.theta else 0.0

    @property
    def eigenvalues(self):
        """The three eigenvalues (λ1, λ2, λ3) of the matrix: [BG03] lemma 4."""
        n = self.n_samples
        m = self.block_size
        gamma = self.gamma
        within = self.sigma2 + (m - 1) * self.omega
        return self.sigma2 - self.omega, within - m * gamma, within + (n - m) * gamma

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
        n = self.n_samples
        m = self.block_size
        slack = 1e-12 * self.sigma2
        if m > 1 and not -slack <= self.omega <= self.sigma2 + slack:
            raise invalid("omega", f"in [0, {self.sigma2:g}] (lemma 5)", self.omega)
        high = (self.sigma2 + (m - 1) * self.omega) / m  # the variance of a block mean
        low = -m * high / (n - m)
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
            allowed = "residuals of at least 2 samples and 2 blocks"
            raise invalid("residuals", allowed, f"an array of shape {e.shape}")
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


# The block structure as a picture -----------------------------------------------


MAX_BLOCKS = 4
MAX_BLOCK_SIZE = 5
SHADES = ("#E8F1F8", "#6BAED6", "#08306B")  # γ, ω, σ²: distinct in grey


class LossCovarianceDisplay:
    """The covariance matrix of K-fold residuals, drawn as its three kinds of entries.

    Blocks of ω with σ² on the diagonal, on a ground of γ: [1]_, figure 2. The legend
    says which share each has in θ, the variance of the cross-validation mean. A
    large matrix is drawn in part: its first blocks, and the first residuals of each.

    Parameters
    ----------
    structure : CovarianceStructure
        The three parameters.

    Attributes
    ----------
    im_ : matplotlib AxesImage
        The matrix; its values are 0 for γ, 1 for ω and 2 for σ².
    legend_ : matplotlib Legend
        The three parameters with their shares of θ.
    ax_ : matplotlib Axes
        The axes.
    figure_ : matplotlib Figure
        The figure.

    Raises
    ------
    TypeError
        If `structure` is not a CovarianceStructure.

    References
    ----------
    .. [1] Y. Bengio and Y. Grandvalet, "No Unbiased Estimator of the Variance of
       K-Fold Cross-Validation", NIPS 2003; JMLR 5, 1089-1105, 2004. Figure 2 and
       equation (4).

    Examples
    --------
    >>> from sklearn_cvtest.simulation import CovarianceStructure, LossCovarianceDisplay
    >>> structure = CovarianceStructure(1.0, 0.1, 0.05, n_samples=100, n_splits=10)
    >>> display = LossCovarianceDisplay.from_structure(structure)
    >>> [text.get_text() for text in display.legend_.get_texts()][0]
    'variance σ² = 1: 15.6% of θ'
    """

    def __init__(self, *, structure: CovarianceStructure):
        if not isinstance(structure, CovarianceStructure):
            raise invalid("structure", "a CovarianceStructure", structure, TypeError)
        self.structure = structure

    @property
    def shares(self):
        """Shares of σ², ω and γ in θ, tuple of float; nan where θ is 0."""
        structure = self.structure
        n = structure.n_samples
        m = structure.block_size
        theta = structure.theta
        terms = (structure.sigma2, (m - 1) * structure.omega, (n - m) * structure.gamma)
        return tuple(term / n / theta if theta else np.nan for term in terms)

    def plot(self, ax: Axes | None = None) -> Self:
        """Draw the matrix.

        Parameters
        ----------
        ax : matplotlib Axes, default=None
            Where to draw; None makes a figure.

        Returns
        -------
        display : LossCovarianceDisplay
            The object itself; what was drawn are its attributes.

        Raises
        ------
        ImportError
            If matplotlib is not installed.
        """
        self.ax_ = ax = make_axes(ax, f"{type(self).__name__}.plot", (6.4, 4.8))
        self.figure_ = ax.figure
        from matplotlib.colors import ListedColormap

        n_blocks = min(self.structure.n_splits, MAX_BLOCKS)
        m = min(self.structure.block_size, MAX_BLOCK_SIZE)
        kinds = CovarianceStructure(2.0, 1.0, 0.0, n_blocks * m, n_blocks).matrix()
        self.im_ = ax.imshow(kinds, cmap=ListedColormap(SHADES), vmin=0, vmax=2)
        self._annotate(ax, n_blocks, m)
        self.legend_ = self._add_legend(ax)
        return self

    def _annotate(self, ax, n_blocks, m):
        structure = self.structure
        ticks = np.arange(n_blocks) * m + (m - 1) / 2
        names = [f"block {number + 1}" for number in range(n_blocks)]
        ax.set_xticks(ticks, names)
        ax.set_yticks(ticks, names, rotation=90, va="center")
        edges = np.arange(1, n_blocks) * m - 0.5
        for draw in (ax.vlines, ax.hlines):
            draw(edges, -0.5, n_blocks * m - 0.5, colors="white", linewidth=2)
        ax.tick_params(length=0)
        ax.spines[:].set_visible(False)
        letters = [("γ", 1.5 * m - 0.5, (m - 1) / 2, 16), ("σ²", 0, 0, 10)]
        if m > 1:
            letters.append(("ω", m - 1 - (m - 2) / 4, (m - 2) / 4, 13))
        for letter, x, y, size in letters:
            color = "white" if letter == "σ²" else None
            ax.text(x, y, letter, ha="center", va="center", fontsize=size, color=color)
        title = f"covariance of {structure.n_samples} residuals in "
        title += f"{structure.n_splits} blocks of {structure.block_size}"
        if n_blocks * m < structure.n_samples:
            residuals_text = (
                f"first {m} residuals of the " if m < structure.block_size else ""
            )
            title += f"\n{residuals_text}first {n_blocks} blocks shown"
        ax.set_title(title, fontsize=10)

    def _add_legend(self, ax):
        from matplotlib.patches import Patch

        structure = self.structure
        names = "between blocks γ", "within blocks ω", "variance σ²"
        values = structure.gamma, structure.omega, structure.sigma2
        rows = list(zip(names, values, self.shares[::-1], SHADES, strict=True))[::-1]
        if structure.block_size == 1:
            del rows[1]
        labels = [
            f"{name} = {value:.4g}: {share:.1%} of θ" for name, value, share, _ in rows
        ]
        labels.append(f"θ = {structure.theta:.4g},  ρ = γ/θ = {structure.rho:.3g}")
        handles = [Patch(facecolor=shade, edgecolor="0.4") for *_, shade in rows]
        handles.append(Patch(visible=False))
        style = {"loc": "upper center", "bbox_to_anchor": (0.5, -0.1)}
        return add_legend(ax, handles, labels, borderaxespad=0, fontsize=9, **style)

    @classmethod
    def from_structure(
        cls, structure: CovarianceStructure, *, ax: Axes | None = None
    ) -> Self:
        """Plot a covariance structure.

        Parameters
        ----------
        structure : CovarianceStructure
            The three parameters.
        ax : matplotlib Axes, default=None
            Where to draw; None makes a figure.

        Returns
        -------
        display : LossCovarianceDisplay
            The plot.
        """
        return cls(structure=structure).plot(ax)
