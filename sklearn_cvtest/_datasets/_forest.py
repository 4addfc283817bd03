"""The forest plot of a pair of estimators over data sets."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from .._display._draw import check_column, check_sequence
from .._display._forest import ForestDisplay, ForestRows, p_texts, significance_key
from .._report._measure import Measure, measure_of
from .._report._plot_words import axis_words, factor_of
from .._typing import Any, Axes, Self
from .._validation import check_level, check_real, invalid

WHAT = {
    None: "mean loss",  # of data sets with other losses
    "relative": "relative mean loss",
    "log": "log mean loss",
    "logit": "logit of the mean loss",
}


def measure_of_data_sets(result):
    """Return the Measure of what is averaged over data sets."""
    measures = {measure_of(losses) for losses in result.losses.values()}
    if result.scale is None and len(measures) == 1:
        return measures.pop()
    return Measure(WHAT[result.scale], False, 1)


def pooled_level(result):
    """Return the level of intervals over data sets, which no p_adjust widens."""
    is_adjusted = result.p_adjust is not None and len(result.pairs) > 1
    return f"{100 * (1 - result.alpha):g}% CI{', not adjusted' * is_adjusted}"


@dataclass(eq=False, repr=False, kw_only=True)
class DatasetDisplay(ForestDisplay):
    """Forest plot of the difference of two estimators on every data set.

    A row for each data set with the confidence interval of its test, by size of the
    difference, and below a line the random-effects mean, a diamond. Filled markers are
    significant.

    Make it with :meth:`from_comparison` (or `DatasetComparison.plot()`).

    Parameters
    ----------
    labels : sequence of str, of length n_rows
        Names of the data sets, and of the mean.
    estimates, ci_low, ci_high : array-like of shape (n_rows,)
        Differences loss(first) - loss(second) and the ends of their intervals.
    significant : array-like of bool of shape (n_rows,)
        Whether a marker is filled.
    pvalue : array-like of shape (n_rows,)
        p-values, shown at the right.
    xlabel : str, default="difference in mean loss"
        What the differences are.
    factor : float, default=1.0
        As in :class:`ComparisonDisplay`.
    alpha : float, default=0.05
        The level.

    Attributes
    ----------
    points_, intervals_ : list
        What was drawn, as in :class:`ComparisonDisplay`.
    ax_ : matplotlib Axes
        The axes.
    figure_ : matplotlib Figure
        The figure.

    See Also
    --------
    ComparisonDisplay : The same for pairs on one data set.

    Examples
    --------
    >>> from sklearn_cvtest.results import DatasetDisplay
    >>> display = DatasetDisplay(
    ...     labels=["iris", "wine", "mean"], estimates=[0.01, 0.03, 0.02],
    ...     ci_low=[-0.02, 0.01, 0.0], ci_high=[0.04, 0.05, 0.04],
    ...     significant=[False, True, False], pvalue=[0.5, 0.01, 0.051],
    ... )
    >>> len(display.plot().text_) > 0
    True
    """

    labels: Sequence
    estimates: Sequence
    ci_low: Sequence
    ci_high: Sequence
    significant: Sequence
    pvalue: Sequence
    xlabel: str = "difference in mean loss"
    factor: float = 1.0
    alpha: float = 0.05

    def _rows(self):
        """Return what to draw, checked."""
        labels = check_sequence("labels", self.labels)
        n_rows = len(labels)
        columns = {
            name: check_column(name, getattr(self, name), n_rows, "labels")
            for name in ("estimates", "ci_low", "ci_high", "pvalue")
        }
        wrong = columns["pvalue"][(columns["pvalue"] < 0) | (columns["pvalue"] > 1)]
        if wrong.size:
            raise invalid("pvalue", "in [0, 1]", float(wrong[0]))
        significant = np.asarray(check_sequence("significant", self.significant))
        if significant.dtype != bool:
            raise invalid("significant", "a list of bool", self.significant, TypeError)
        check_column("significant", significant, n_rows, "labels")
        return ForestRows(
            estimates=columns["estimates"],
            lows=columns["ci_low"],
            highs=columns["ci_high"],
            factor=check_real("factor", self.factor),
            filled=significant,
            labels=[str(label) for label in labels],
            label=self.xlabel,
            key=significance_key(check_level("alpha", self.alpha)),
            texts=p_texts(columns["pvalue"], self.alpha),
            has_mean=True,
        )

    @classmethod
    def from_comparison(
        cls,
        comparison: Any,
        *,
        first: str | None = None,
        second: str | None = None,
        ax: Axes | None = None,
    ) -> Self:
        """Plot a pair of a comparison over data sets.

        Parameters
        ----------
        comparison : DatasetComparison
            Made by :func:`compare_over_datasets`.
        first, second : str, default=None
            The pair, in this order; None takes the first pair.
        ax : matplotlib Axes, default=None
            Where to draw; None makes a figure.

        Returns
        -------
        display : DatasetDisplay
            The plot.

        Raises
        ------
        ValueError
            If there is no such pair.
        ImportError
            If matplotlib is not installed.
        """
        if not hasattr(comparison, "present"):
            allowed = "a DatasetComparison"
            raise invalid("comparison", allowed, comparison, TypeError)
        return cls.of_comparison(comparison, first, second).plot(ax)

    @classmethod
    def of_comparison(
        cls, comparison: Any, first: str | None = None, second: str | None = None
    ) -> Self:
        """Return the display of a pair of a comparison, not drawn yet.

        Parameters
        ----------
        comparison : DatasetComparison
            The comparison.
        first, second : str, default=None
            The pair, in this order; None takes the first pair.

        Returns
        -------
        display : DatasetDisplay
            The display.
        """
        pair = _check_pair(comparison.pairs, first, second)
        row = comparison.pairs.index(pair)
        known = np.flatnonzero(comparison.present[row])
        order = known[np.argsort(comparison.estimates[row, known], kind="stable")[::-1]]
        columns = "estimates", "ci_low", "ci_high", "dataset_pvalues"
        estimates, ci_low, ci_high, pvalues = (
            getattr(comparison, name)[row, order] for name in columns
        )
        low, high = comparison.intervals[row]
        is_significant = (comparison.marks[row, order] != 0) & np.isfinite(pvalues)
        mean, measure = (
            comparison.synthesis.estimate[row],
            measure_of_data_sets(comparison),
        )
        return cls(
            labels=[*(comparison.datasets[i] for i in order), "mean over data sets"],
            estimates=[*estimates, mean],
            ci_low=[*ci_low, low],
            ci_high=[*ci_high, high],
            significant=[*is_significant, comparison.significant[row]],
            pvalue=[*pvalues, comparison.pvalues_adjusted[row]],
            xlabel=axis_words(measure, pooled_level(comparison), pair=pair),
            factor=factor_of(measure),
            alpha=comparison.alpha,
        )


def _check_pair(pairs, first, second):
    """Return a pair that was compared; of no names, the first."""
    if first is None and second is None:
        return pairs[0]
    shown = ", ".join(map(str, pairs[:5]))
    if not isinstance(first, str) or first not in [name for name, _ in pairs]:
        raise invalid("first", f"the first of a pair, such as {shown}", first)
    if not isinstance(second, str) or (first, second) not in pairs:
        others = [other for name, other in pairs if name == first]
        raise invalid("second", f"one of {', '.join(map(repr, others))}", second)
    return first, second
