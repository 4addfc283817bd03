"""Posterior probabilities of a Bayesian comparison."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from .._inference._ends import POSTERIOR
from .._report._findings import is_bayesian
from .._report._plot_words import pair_labels
from .._report._rows import shown_pairs
from .._typing import Any, Axes, Pairs, Self
from .._validation import check_real_array, invalid, invalid_words
from ._draw import COLORS, check_comparison, check_sequence
from ._variance import bars_size, draw_bars

PARTS = ("first better", "practically equivalent", "second better")
TOLERANCE = 1e-3  # of a sum of rounded probabilities


@dataclass(eq=False, repr=False, kw_only=True)
class PosteriorDisplay:
    """Posterior probabilities of pairs of estimators, as bars.

    For each pair, how probable it is that the first is better, that the two are
    practically equivalent, and that the second is better.

    Make it with :meth:`from_comparison`.

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
    def from_comparison(
        cls, comparison: Any, *, ax: Axes | None = None, pairs: Pairs = None
    ) -> Self:
        """Plot the pairs of a comparison.

        Parameters
        ----------
        comparison : Comparison or CandidateComparison
            By a :class:`BayesianCorrelatedTTest`.
        ax : matplotlib Axes, default=None
            Where to draw; None makes a figure.
        pairs : {"best", "all"} or list of (str, str), default=None
            The pairs to show, as in :meth:`ComparisonDisplay.from_comparison`.

        Returns
        -------
        display : PosteriorDisplay
            The plot.

        Raises
        ------
        ValueError
            If its first test gives no posterior probabilities.
        """
        check_comparison(comparison)
        return cls.of_comparison(comparison, pairs).plot(ax)

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
