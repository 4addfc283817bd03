"""Bars of parts that add up to one, such as posterior probabilities."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from .._inference._ends import POSTERIOR
from .._report._findings import is_bayesian
from .._report._format import pair_labels
from .._report._rows import shown_pairs
from .._typing import Any, Axes, Pairs, Self
from .._validation import check_real_array, invalid, invalid_words
from ._draw import (
    COLORS,
    PairsDisplay,
    add_legend_below,
    check_sequence,
    letters_of,
    make_axes,
    wrap_at,
)

PARTS = ("first better", "practically equivalent", "second better")
TOLERANCE = 1e-3  # of a sum of rounded probabilities
INKS = {"0.8": "black"}  # of numbers on a colour, else white
NUMBER = 5  # letters of room for a number


def bars_size(labels):
    """Return width and height in inches that bars need."""
    lines = sum(wrap_at(label, 36).count("\n") + 1 for label in labels)
    return 6.4, 1.9 + 0.27 * max(lines, len(labels))


def draw_bars(needed_by, parts, labels, names, xlabel, ax=None, colors=COLORS):
    """Draw a bar for each row of `parts`, the first on top; return axes and bars.

    Parameters
    ----------
    needed_by : str
        What needs matplotlib.
    parts : ndarray of shape (n_rows, n_parts)
        The parts.
    labels : list of str
        The rows.
    names : tuple of str
        The parts.
    xlabel : str
        What they are shares of.
    ax : matplotlib Axes, default=None
        Where to draw; None makes a new figure.
    colors : tuple
        Of the parts.

    Returns
    -------
    ax : matplotlib Axes
        With the picture.
    bars : list of matplotlib BarContainer
        The bars of each part.
    """
    ax = make_axes(ax, needed_by, bars_size(labels))
    rows, starts = np.arange(len(labels)), np.cumsum(parts, axis=1) - parts
    width = letters_of(ax)[0]
    labels = [wrap_at(label, min(36, max(int(0.45 * width), 12))) for label in labels]
    taken = 8 + max(map(len, "\n".join(labels).splitlines()))
    bars = []
    for part, color in enumerate(colors[: len(names)]):
        widths, left = parts[:, part], starts[:, part]
        bars.append(ax.barh(rows, widths, 0.7, left, color=color))
        for row in rows[widths * max(width - taken, 1) >= NUMBER]:
            style = {"color": INKS.get(color, "white"), "ha": "center", "size": 8}
            middle = left[row] + widths[row] / 2
            ax.text(middle, row, f"{widths[row]:.2f}", va="center", **style)
    ax.set_yticks(rows, labels, fontsize=9, parse_math=False)
    ax.tick_params(axis="y", length=0)
    ax.set(xlim=(0, 1), ylim=(len(labels) - 0.5, -0.5), xlabel=xlabel)
    add_legend_below(ax, bars, names, taken, handlelength=1.2)
    return ax, bars


@dataclass(eq=False, repr=False, kw_only=True)
class PosteriorDisplay(PairsDisplay):
    """Posterior probabilities of pairs of estimators, as bars.

    For each pair, how probable it is that the first is better, that the two are
    practically equivalent, and that the second is better.

    Make it with :meth:`from_comparison`, of a comparison by a
    :class:`BayesianCorrelatedTTest`; without `pairs` it shows all, of many those with
    the best.

    Parameters
    ----------
    first, second : sequence of str, of length n_pairs
        The estimators.
    probabilities : array-like of shape (n_pairs, 3)
        P(first better), P(practically equivalent), P(second better).

    Attributes
    ----------
    bars_ : list of matplotlib BarContainer
        The bars of the three parts.
    ax_ : matplotlib Axes
        The axes.
    figure_ : matplotlib Figure
        The figure.

    See Also
    --------
    BayesianCorrelatedTTest : The test.

    Examples
    --------
    >>> from sklearn_cvtest.results import PosteriorDisplay
    >>> display = PosteriorDisplay(
    ...     first=["tree"], second=["forest"], probabilities=[[0.02, 0.18, 0.8]]
    ... ).plot()
    >>> len(display.bars_)
    3
    """

    first: Sequence
    second: Sequence
    probabilities: Sequence

    def plot(self, ax: Axes | None = None) -> Self:
        """Draw the bars.

        Parameters
        ----------
        ax : matplotlib Axes, default=None
            Where to draw; None makes a figure.

        Returns
        -------
        display : PosteriorDisplay
            The object itself.

        Raises
        ------
        ImportError
            If matplotlib is not installed.
        """
        probabilities = self._rows()
        ax, self.bars_ = draw_bars(
            f"{type(self).__name__}.plot",
            probabilities,
            self._labels(),
            PARTS,
            "posterior probability",
            ax,
            (COLORS[1], "0.8", COLORS[0]),
        )
        self.ax_, self.figure_ = ax, ax.figure
        return self

    def _labels(self):
        return pair_labels(zip(self.first, self.second, strict=True), "vs")

    def _rows(self):
        """Return the probabilities, checked with the names."""
        names = "first", "second"
        first, second = (check_sequence(name, getattr(self, name)) for name in names)
        probabilities = check_real_array("probabilities", self.probabilities, (2,))
        for name, values in (("first", first), ("second", second)):
            if len(values) != len(probabilities):
                allowed = f"{len(probabilities)} names, as many as `probabilities`"
                raise invalid_words(name, allowed, f"{len(values)}")
        allowed = "three for each pair, in [0, 1], whose sum is 1"
        if probabilities.shape[1] != 3:
            shown = f"an array of shape {probabilities.shape}"
            raise invalid_words("probabilities", allowed, shown)
        for row in probabilities:
            if not (row.min() >= 0 and abs(row.sum() - 1) < TOLERANCE):
                raise invalid("probabilities", allowed, row.tolist())
        return probabilities

    def size(self) -> tuple[float, float]:
        """Return width and height in inches that the plot needs.

        Returns
        -------
        width, height : float
            As matplotlib takes them.
        """
        return bars_size(self._labels())

    @classmethod
    def of_comparison(cls, comparison: Any, pairs: Pairs = None) -> Self:
        """Return the display of a comparison, not drawn yet.

        Parameters
        ----------
        comparison : Comparison or CandidateComparison
            The comparison.
        pairs : {"best", "all"} or list of (str, str), default=None
            The pairs to show, as in :meth:`ComparisonDisplay.from_comparison`.

        Returns
        -------
        display : PosteriorDisplay
            The display.
        """
        table = next(iter(comparison.tables.values()))
        if not is_bayesian(table):
            allowed = "one by a test with posterior probabilities"
            hint = "Use comparison.retest(BayesianCorrelatedTTest(rope=...))."
            shown = repr(table.test)
            raise invalid_words("comparison", allowed, shown, hint=hint)
        table, shown = shown_pairs(comparison, table, pairs)
        chances = np.column_stack([table.columns[name] for name in POSTERIOR])
        order = shown[np.argsort(-chances[shown, 2] + chances[shown, 0])]
        labels = np.array(table.names, dtype=object)
        return cls(
            first=labels[table.first[order]].tolist(),
            second=labels[table.second[order]].tolist(),
            probabilities=chances[order],
        )
