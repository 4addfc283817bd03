"""The forest plot of all results."""

from dataclasses import dataclass

import numpy as np

from .._compat import import_extra

BLUE = "#0072B2"


@dataclass(frozen=True)
class ForestRows:
    """Estimates with intervals, one in each row, and texts beside them."""

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


def draw_forest(rows, ax=None):
    """Draw the rows and return the Axes."""
    plt = import_extra("matplotlib.pyplot")

    n_rows = len(rows.labels)
    if ax is None:
        _, ax = plt.subplots(figsize=(6.4, 1.5 + 0.35 * n_rows), layout="constrained")
    y = np.arange(n_rows)
    finite = np.concatenate([rows.estimates, rows.lows, rows.highs])
    finite = finite[np.isfinite(finite)]
    margin = 0.06 * (np.ptp(finite) or 1.0)
    low, high = finite.min() - margin, finite.max() + margin
    lows = np.clip(rows.lows, low, high)
    highs = np.clip(rows.highs, low, high)
    if rows.has_zero:
        ax.axvline(0, color="0.4", linewidth=1)
    ax.hlines(y, lows, highs, color=BLUE)
    for is_filled, label in zip((True, False), rows.key, strict=True):
        here = np.asarray(rows.filled) == is_filled
        if here.any():
            face = BLUE if is_filled else "white"
            ax.scatter(
                rows.estimates[here],
                y[here],
                facecolor=face,
                edgecolor=BLUE,
                zorder=3,
                label=label,
            )
    ax.set_yticks(y, rows.labels, parse_math=False)
    ax.set_ylim(n_rows - 0.5, -1.2)
    ax.set_xlabel(rows.xlabel)
    if rows.texts is not None:
        beside = {"xytext": (8, 0), "textcoords": "offset points", "va": "center"}
        transform = ax.get_yaxis_transform()
        for place, text in [(-0.8, rows.text_title), *zip(y, rows.texts, strict=True)]:
            ax.annotate(
                text, (1, place), xycoords=transform, annotation_clip=False, **beside
            )
    ax.legend(loc="upper center", bbox_to_anchor=(0.5, -0.2), frameon=False, ncols=2)
    return ax


class ComparisonDisplay:
    """Forest plot of the differences between estimators.

    A row for each model against the best one, or for each pair: the difference of their
    means in the unit of the metric, its confidence interval, and the p-value at the
    right. Filled markers are significant differences, grey ones show equivalence.
    Better is to the left for losses and to the right for scores; the axis says so. With
    several tests, a row has one line for each.

    Made by :meth:`from_comparison` or `Comparison.plot()`, which without `pairs` show
    what is printed: each model against the best one or the reference, with its p-value.

    Parameters
    ----------
    rows : ForestRows
        What is drawn.
    comparison_ : Comparison
        What it is of.

    Attributes
    ----------
    points_ : list of matplotlib PathCollection
        Estimates, one collection for each test.
    intervals_ : list of matplotlib LineCollection
        Intervals, one collection for each test.
    zero_line_ : matplotlib Line2D
        The line at zero.
    text_ : list of matplotlib Text
        p-values and their titles.
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
    def from_comparison(cls, comparison, ax=None):
        """Draw what a comparison prints.

        Parameters
        ----------
        comparison : Comparison
        ax : matplotlib Axes, default=None

        Returns
        -------
        ComparisonDisplay
        """
        return cls(comparison._forest()).plot(ax)

    def plot(self, ax=None):
        """Draw the plot.

        Parameters
        ----------
        ax : matplotlib Axes, default=None
            Where to draw; None: a new figure.

        Returns
        -------
        self : ComparisonDisplay
        """
        self.ax_ = draw_forest(self.rows, ax)
        self.figure_ = self.ax_.figure
        return self
