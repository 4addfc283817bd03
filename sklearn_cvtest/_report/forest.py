"""The forest plot of all results."""

from dataclasses import dataclass

import numpy as np

from .._compat import import_extra
from .._validation import invalid, one_line
from .result import break_name

WIDTH = 30  # of a label, in letters
BLUE = "#0072B2"


@dataclass(frozen=True)
class ForestRows:
    """Estimates with intervals, one in each row, and texts beside them.

    A row whose estimate is nan, such as of the best, has a text alone.
    """

    labels: list
    estimates: np.ndarray
    lows: np.ndarray
    highs: np.ndarray
    filled: np.ndarray
    xlabel: str
    texts: list | None = None
    text_title: str = "p"
    key: tuple = ("significant", "not significant")
    has_zero: bool = True
    bounds: tuple = ()
    bounds_word: str = ""


def axes_or_new(ax, **options):
    """Return the Axes, those of a new figure if there are none."""
    plt = import_extra("matplotlib.pyplot")

    if ax is None:
        return plt.subplots(layout="constrained", **options)[1]
    if not hasattr(ax, "axvline"):
        raise invalid("ax", "matplotlib Axes", ax, TypeError)
    return ax


def in_lines(name):
    """Return a name in the lines of a label."""
    return "\n".join(break_name(one_line(name), WIDTH))


def legend_below(ax, **options):
    """Return a legend below the label of the x axis."""
    transforms = import_extra("matplotlib.transforms")

    below = transforms.ScaledTranslation(0, -34 / 72, ax.figure.dpi_scale_trans)
    place = {"loc": "upper center", "bbox_to_anchor": (0.5, 0), "frameon": False}
    return ax.legend(**place, bbox_transform=ax.transAxes + below, **options)


def draw_forest(rows, ax=None):
    """Draw the rows and return the Axes."""
    transforms = import_extra("matplotlib.transforms")

    n_rows = len(rows.labels)
    ax = axes_or_new(ax, figsize=(6.4, 1.5 + 0.35 * n_rows))
    y = np.arange(n_rows)
    zero = [0.0] if rows.has_zero else []
    sides = [rows.estimates, rows.lows, rows.highs, rows.bounds, zero]
    finite = np.concatenate(sides)
    finite = finite[np.isfinite(finite)]
    margin = 0.06 * (np.ptp(finite) or 1.0)
    low, high = finite.min() - margin, finite.max() + margin
    lows = np.clip(rows.lows, low, high)
    highs = np.clip(rows.highs, low, high)
    if rows.has_zero:
        ax.axvline(0, color="0.4", linewidth=1)
    for number, bound in enumerate(rows.bounds):
        label = None if number else rows.bounds_word
        ax.axvline(bound, color="0.4", linewidth=1, linestyle=":", label=label)
    is_known = np.isfinite(rows.estimates)
    ax.hlines(y[is_known], lows[is_known], highs[is_known], color=BLUE)
    for is_filled, label in zip((True, False), rows.key or ("", ""), strict=True):
        is_drawn = is_known & (np.asarray(rows.filled) == is_filled)
        if is_drawn.any():
            face = BLUE if is_filled else "white"
            ax.scatter(
                rows.estimates[is_drawn],
                y[is_drawn],
                facecolor=face,
                edgecolor=BLUE,
                zorder=3,
                label=label,
            )
    ax.set_yticks(y, [in_lines(label) for label in rows.labels], parse_math=False)
    ax.set_ylim(n_rows - 0.5, -1.2)
    ax.set_xlim(low, high)
    ax.set_xlabel(one_line(rows.xlabel), parse_math=False)
    if rows.texts is not None:
        right = transforms.ScaledTranslation(8 / 72, 0, ax.figure.dpi_scale_trans)
        beside = {"transform": ax.get_yaxis_transform() + right, "va": "center"}
        for place, text in [(-0.8, rows.text_title), *zip(y, rows.texts, strict=True)]:
            ax.text(1, place, text, **beside)
    if rows.key:
        legend_below(ax, ncols=2)
    return ax


class ComparisonDisplay:
    """What a comparison prints, as a picture with an interval for each row.

    A row for each model beside the best one or the reference, in the numbers of the
    printed table, with the p-value at the right. Filled markers are significant
    differences. Of tests with a margin, a row for each pair.

    Made by :meth:`from_comparison`; :meth:`Comparison.plot` draws the same.

    Parameters
    ----------
    rows : ForestRows
        What is drawn.

    Attributes
    ----------
    ax_ : matplotlib Axes
        The axes.
    figure_ : matplotlib Figure
        The figure.

    See Also
    --------
    RhoSensitivityDisplay : How the p-values depend on ρ.
    """

    def __init__(self, rows):
        self.rows = rows

    @classmethod
    def from_comparison(cls, comparison, *, ax=None):
        """Draw what a comparison prints.

        Parameters
        ----------
        comparison : Comparison
            The comparison.
        ax : matplotlib Axes, default=None
            Where to draw; None makes a figure.

        Returns
        -------
        display : ComparisonDisplay
            The display, drawn.
        """
        if not hasattr(comparison, "_forest"):
            raise invalid("comparison", "a Comparison", comparison, TypeError)
        return cls(comparison._forest()).plot(ax=ax)

    def plot(self, *, ax=None):
        """Draw the picture.

        Parameters
        ----------
        ax : matplotlib Axes, default=None
            Where to draw; None makes a figure.

        Returns
        -------
        display : ComparisonDisplay
            The object itself.

        Raises
        ------
        ImportError
            If matplotlib is not installed.
        """
        self.ax_ = draw_forest(self.rows, ax)
        self.figure_ = self.ax_.figure
        return self
