"""The forest plot of a comparison."""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from .._inference._ends import POSTERIOR
from .._pairs._model_table import Decision, decision_of
from .._report import _format
from .._report._metric_format import metric_format_of
from .._report._shown_pairs import most_drawn, shown_pairs
from .._typing import Any, Axes, Pairs, Self
from ._axis_texts import (
    axis_words,
    bounds_mean,
    bounds_of,
    factor_of,
    finding_of,
    pair_labels,
)
from ._draw import PairsDisplay
from ._forest import ForestRows, draw_forest, forest_size

FILLED = Decision.BETTER, Decision.WORSE, Decision.DIFFERENT


@dataclass(eq=False, repr=False)
class ComparisonDisplay(PairsDisplay):
    """Forest plot of the differences between estimators.

    A row for each model against the best one, or for each pair: the difference of their
    means in the unit of the metric, its confidence interval, and the p-value at the
    right. Filled markers are significant differences, grey ones show equivalence.
    Better is to the left for losses and to the right for scores; the axis says so.

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

    Examples
    --------
    >>> import numpy as np
    >>> from sklearn_cvtest import compare_cv_results
    >>> scores = np.random.default_rng(0).uniform(size=(2, 10))
    >>> results = {"a": {"test_r2": scores[0]}, "b": {"test_r2": scores[1]}}
    >>> compare_cv_results(results, metric="test_r2", cv=10).plot()
    ComparisonDisplay(...)
    """

    rows: ForestRows
    comparison_: Any

    def plot(self, ax: Axes | None = None) -> Self:
        """Draw the plot.

        Parameters
        ----------
        ax : matplotlib Axes, default=None
            Where to draw; None: a new figure.

        Returns
        -------
        self : ComparisonDisplay
        """
        drawn = draw_forest(self.rows, ax, "ComparisonDisplay.plot")
        self.ax_, self.points_, self.intervals_, self.zero_line_, self.text_ = drawn
        self.figure_ = self.ax_.figure
        return self

    def size(self) -> tuple[float, float]:
        """Return the size that the plot needs.

        Returns
        -------
        size : tuple of (float, float)
            Width and height in inches.
        """
        return forest_size(self.rows)

    @classmethod
    def of_comparison(cls, comparison: Any, pairs: Pairs = None) -> Self:
        """Return the display of a comparison, not drawn yet.

        Parameters
        ----------
        comparison : Comparison
        pairs : {"best", "all"} or list of (str, str), default=None

        Returns
        -------
        display : ComparisonDisplay
        """
        return cls(_forest_of(comparison, pairs), comparison)


class _Drawn(NamedTuple):
    """One estimate of the plot: of whom, by how much, and what was decided."""

    row: Any
    series: int
    effect: float
    low: float
    high: float
    decision: str
    text: str


def _forest_of(comparison, pairs):
    """Return the ForestRows of a comparison: of models, or of pairs."""
    tables = comparison.tables
    is_by_ratio = all(table.is_by_ratio for table in tables.values())
    metric = metric_format_of(comparison.losses).effect(is_by_ratio)
    bounds = bounds_of(tables.values())
    # a bound of one side belongs to one order of a pair
    is_of_models = (
        pairs is None
        and set(bounds) == {-bound for bound in bounds}
        and len(comparison.decisions) == len(tables)
    )
    drawn = []
    if is_of_models:
        for series, models in enumerate(comparison.decisions.values()):
            drawn += _of_models(comparison, models, series, is_by_ratio)
    else:
        drawn = _of_pairs(comparison, pairs, is_by_ratio)
    rows = list(dict.fromkeys(item.row for item in drawn))
    row_of = {row: number for number, row in enumerate(rows)}
    table = next(iter(tables.values()))
    is_adjusted = table.is_adjusted
    reference = None
    if is_of_models:
        models = next(iter(comparison.decisions.values()))
        is_adjusted = is_adjusted and models.family == "pairs"
        reference = "the best"
        if not models.is_about_best:
            reference = models.table.names[models.reference]
    level, series_names = _levels(tables)
    if is_of_models and len(models.rows) > len(rows):
        level = f"{level}, the best {len(rows)} of {len(models.rows)}"
    factor = 1.0 if is_by_ratio else factor_of(metric)
    decisions = [item.decision for item in drawn]
    return ForestRows(
        estimates=np.array([item.effect for item in drawn]),
        lows=np.array([item.low for item in drawn]),
        highs=np.array([item.high for item in drawn]),
        factor=factor,
        percent=metric.percent if is_by_ratio else None,
        labels=rows if is_of_models else pair_labels(rows),
        label=axis_words(metric, level.removeprefix(", "), reference),
        row=np.array([row_of[item.row] for item in drawn]),
        series=np.array([item.series for item in drawn]),
        series_names=series_names,
        bounds=tuple(bounds),
        bounds_are=bounds_mean(tables.values(), metric),
        filled=np.isin(decisions, FILLED),
        grey=np.isin(decisions, Decision.EQUIVALENT),
        texts=[item.text for item in drawn],
        **_title_and_key(tables, table.p_adjust if is_adjusted else None),
    )


def _of_models(comparison, models, series, is_by_ratio):
    """Return what is drawn of models, each against the reference."""
    drawn = []
    for row in models.rows[: most_drawn(comparison)]:
        sides = [row.effect, row.low, row.high] if is_by_ratio else [*row.difference]
        if row.is_reference:
            sides[0] = 0.0
        name = comparison.losses.estimator_names[row.position]
        text = _text(row.pvalue, row.chances[::-1], models.table.alpha)
        decision = row.decision
        if models.table.test.popmean and row.pvalue <= models.table.alpha:
            decision = Decision.DIFFERENT
        drawn.append(_Drawn(name, series, *sides, decision, text))
    return drawn


def _of_pairs(comparison, pairs, is_by_ratio):
    """Return what is drawn of pairs, in the order by the first test."""
    drawn = []
    order = None
    for series, table in enumerate(comparison.tables.values()):
        table, numbers = shown_pairs(comparison, table, pairs)
        if order is None:
            order = numbers[np.argsort(table.shown_effect[numbers], kind="stable")]
        effect, (low, high) = table.shown_effect, table.shown_intervals
        if table.is_by_ratio and not is_by_ratio:  # beside a test of differences
            effect, low, high = table.estimate, table.ci_low, table.ci_high
        for number in order.tolist():
            chances = ()
            if table.is_bayesian:
                chances = [table.columns[name][number] for name in POSTERIOR]
            pair = table.names[table.first[number]], table.names[table.second[number]]
            sides = effect[number], low[number], high[number]
            p = table.pvalue_adjusted[number]
            sides_of_pair = "first", "equal", "second"
            text = _text(p, chances, table.alpha, sides_of_pair)
            decision = decision_of(table, number)
            drawn.append(_Drawn(pair, series, *sides, decision, text))
    return drawn


def _text(pvalue, chances, alpha, sides=("better", "equal", "worse")):
    """Return a p-value as text, or the most probable side of a Bayesian test."""
    if len(chances):
        largest = int(np.argmax(chances))
        return f"{chances[largest]:.3f} {sides[largest]}"
    if not np.isfinite(pvalue):
        return ""
    return _format.shown_pvalue(pvalue, alpha)


def _levels(tables):
    """Return what the intervals of all tests are, and the names of the tests."""
    levels = {name: _format.level_text(table) for name, table in tables.items()}
    if len(set(levels.values())) > 1:
        return "", [f"{name} ({levels[name]} interval)" for name in tables]
    are_bayesian = all(table.is_bayesian for table in tables.values())
    noun = "credible interval" if are_bayesian else "CI"
    ends = [table.ci_low_simultaneous for table in tables.values()]
    simultaneous = "" if any(low is None for low in ends) else "simultaneous "
    return f"{simultaneous}{next(iter(levels.values()))} {noun}", list(tables)


def _title_and_key(tables, p_adjust):
    """Return what stands above p or P, and what filled and grey markers mean."""
    criteria = {}
    for table in tables.values():
        head = "P" if table.is_bayesian else _format.p_head(p_adjust)
        sign, limit = ("≥", 1 - table.alpha) if head == "P" else ("≤", table.alpha)
        criteria[head] = f"{head} {sign} {limit:g}"
    criterion = " or ".join(criteria.values())
    findings = {finding_of(table.test) for table in tables.values()}
    key = {}
    if None in findings:
        key["filled"] = f"significantly different, {criterion}"
    findings -= {None}
    if any(table.is_bayesian and table.test.traits.region for table in tables.values()):
        findings.add("equivalent")
    key["open"] = "inconclusive" if findings else "not significant"
    if findings:
        key["grey"] = f"{' or '.join(sorted(findings))}, {criterion}"
    return {"title": " or ".join(criteria), "key": key}
