"""The block structure of the covariance of K-fold residuals, as a picture."""

from __future__ import annotations

import numpy as np

from .._display._draw import add_legend, make_axes, styled
from .._typing import Any, Axes, Self
from .._validation import invalid
from ._covariance import CovarianceStructure

MAX_BLOCKS = 4
MAX_BLOCK_SIZE = 5
SHADES = ("#E8F1F8", "#6BAED6", "#08306B")  # γ, ω, σ²: told apart in grey


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
        n, m, theta = structure.n_samples, structure.block_size, structure.theta
        parts = (structure.sigma2, (m - 1) * structure.omega, (n - m) * structure.gamma)
        return tuple(part / n / theta if theta else np.nan for part in parts)

    def plot(
        self,
        ax: Axes | None = None,
        *,
        im_kwargs: dict[str, Any] | None = None,
        legend_kwargs: dict[str, Any] | None = None,
    ) -> Self:
        """Draw the matrix.

        Parameters
        ----------
        ax : matplotlib Axes, default=None
            Where to draw; None makes a figure.
        im_kwargs : dict, default=None
            Keywords for the image, as of `Axes.imshow`.
        legend_kwargs : dict, default=None
            Keywords for the legend, as of `Axes.legend`.

        Returns
        -------
        display : LossCovarianceDisplay
            The object itself.

        Raises
        ------
        ImportError
            If matplotlib is not installed.
        """
        structure = self.structure
        ax = make_axes(ax, f"{type(self).__name__}.plot", (6.4, 4.8))
        from matplotlib.colors import ListedColormap
        from matplotlib.image import AxesImage

        n_blocks = min(structure.n_splits, MAX_BLOCKS)
        m = min(structure.block_size, MAX_BLOCK_SIZE)
        style = {"cmap": ListedColormap(SHADES), "vmin": 0, "vmax": 2}
        style = styled("im_kwargs", style, im_kwargs, AxesImage)
        self.im_ = ax.imshow(_kinds(n_blocks, m), **style)
        self._annotate(ax, n_blocks, m)
        self.legend_ = self._add_legend(ax, legend_kwargs)
        self.ax_ = ax
        self.figure_ = ax.figure
        return self

    def _annotate(self, ax, n_blocks, m):
        structure = self.structure
        ticks = np.arange(n_blocks) * m + (m - 1) / 2
        names = [f"block {number + 1}" for number in range(n_blocks)]
        ax.set_xticks(ticks, names)
        ax.set_yticks(ticks, names, rotation=90, va="center")
        edges = np.arange(1, n_blocks) * m - 0.5
        ax.vlines(edges, -0.5, n_blocks * m - 0.5, colors="white", linewidth=2)
        ax.hlines(edges, -0.5, n_blocks * m - 0.5, colors="white", linewidth=2)
        ax.tick_params(length=0)
        ax.spines[:].set_visible(False)
        ax.text(1.5 * m - 0.5, (m - 1) / 2, "γ", ha="center", va="center", fontsize=16)
        if m > 1:
            x, y = m - 1 - (m - 2) / 4, (m - 2) / 4
            ax.text(x, y, "ω", ha="center", va="center", fontsize=13)
        ax.text(0, 0, "σ²", ha="center", va="center", fontsize=10, color="white")
        shown = ""
        if n_blocks < structure.n_splits or m < structure.block_size:
            residuals = (
                f"first {m} residuals of the " if m < structure.block_size else ""
            )
            shown = f"\n{residuals}first {n_blocks} blocks shown"
        ax.set_title(
            f"covariance of {structure.n_samples} residuals in {structure.n_splits} "
            f"blocks of {structure.block_size}{shown}",
            fontsize=10,
        )

    def _add_legend(self, ax, legend_kwargs):
        from matplotlib.legend import Legend
        from matplotlib.patches import Patch

        structure = self.structure
        entries = [
            ("variance σ²", structure.sigma2, self.shares[0], SHADES[2]),
            ("within blocks ω", structure.omega, self.shares[1], SHADES[1]),
            ("between blocks γ", structure.gamma, self.shares[2], SHADES[0]),
        ]
        if structure.block_size == 1:
            del entries[1]
        labels = [
            f"{name} = {value:.4g}: {share:.1%} of θ"
            for name, value, share, _ in entries
        ]
        handles = [Patch(facecolor=entry[3], edgecolor="0.4") for entry in entries]
        labels.append(f"θ = {structure.theta:.4g},  ρ = γ/θ = {structure.rho:.3g}")
        handles.append(Patch(visible=False))
        style = {
            "loc": "upper center",
            "bbox_to_anchor": (0.5, -0.1),
            "borderaxespad": 0,
            "fontsize": 9,
        }
        style = styled("legend_kwargs", style, legend_kwargs, Legend)
        return add_legend(ax, handles, labels, **style)

    @classmethod
    def from_structure(
        cls,
        structure: CovarianceStructure,
        *,
        ax: Axes | None = None,
        **plot_options: Any,
    ) -> Self:
        """Plot a covariance structure.

        Parameters
        ----------
        structure : CovarianceStructure
            The three parameters.
        ax : matplotlib Axes, default=None
            Where to draw; None makes a figure.
        **plot_options : dict
            As in :meth:`plot`.

        Returns
        -------
        display : LossCovarianceDisplay
            The plot.
        """
        return cls(structure=structure).plot(ax, **plot_options)


def _kinds(n_blocks, m):
    """Return a matrix of 0 for γ, 1 for ω and 2 for σ²."""
    block = np.arange(n_blocks * m) // m
    kinds = (block[:, np.newaxis] == block).astype(int)
    np.fill_diagonal(kinds, 2)
    return kinds
