"""The forest plot of a comparison."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from .._inference._ends import POSTERIOR
from .._report import _format
from .._report._metric_format import metric_format_of
from .._report._shown_pairs import most_drawn, shown_pairs
from .._typing import Any, Axes, Pairs, Self
from .._validation import check_level, check_real, check_real_array, invalid_words
from ._axis_texts import (
    axis_words,
    bounds_mean,
    bounds_of,
    factor_of,
    finding_of,
    pair_labels,
)
from ._draw import PairsDisplay, check_sequence, check_text
from ._forest import ForestRows, draw_forest, forest_size, p_texts


@dataclass(eq=False, repr=False, kw_only=True)
class ComparisonDisplay(PairsDisplay):
    """Forest plot of the differences between estimators.

    A row for each model against the best one, or for each pair: the difference of their
    means in the unit of the metric, its confidence interval, and the p-value at the
    right. Filled markers are significant differences, grey ones show equivalence.
    Better is to the left for losses and to the right for scores; the axis says so. With
    several tests, a row has one line for each.

    Make it with :meth:`from_comparison` or `Comparison.plot()`, which without `pairs`
    show what is printed: each model against the best one or the reference, with its
    p-value. The parameters of the constructor are columns of `Comparison.to_frame()`.

    Parameters
    ----------
    first, second : sequence of str, of length n_rows
        The estimators; rows of one pair, with several tests, follow each other
        or not. The one that all others are compared with may have a row with itself.
    estimate : array-like of shape (n_rows,)
        Differences loss(first) - loss(second).
    ci_low, ci_high : array-like of shape (n_rows,)
        Ends of their intervals; infinite ones are at the frame.
    pvalue : array-like of shape (n_rows,)
        p-values.
    pvalue_adjusted : array-like of shape (n_rows,), default=None
        p-values adjusted for the number of pairs, which are shown and decide; None:
        the p-values do.
    is_bound : array-like of shape (n_rows,), default=None
        Whether a p-value is an upper bound; None: none is.
    test : sequence of str, of length n_rows, default=None
        Names of the tests; None if there is only one.
    alpha : float, default=0.05
        Level: p-values up to it are significant.
    p_adjust : str, default=None
        How the p-values were adjusted, shown above their column.
    xlabel : str, default="difference of mean loss, first − second"
        What the differences are, with their unit and who is better on which side.
    factor : float, default=1.0
        What differences are multiplied by to be shown: 100 for points, -1 for scores.
    null_values : array-like of shape (n_values,), default=()
        Other values than zero to mark by dotted lines, such as `popmean`, the
        margins of an equivalence test or the region of practical equivalence; the axis
        holds them.
    null_label : str, default=None
        What they are, for the legend.
    finding : sequence of str or None, of length n_rows, default=None
        What a small p-value shows, such as "equivalent"; None: a difference.
    probabilities : array-like of shape (n_rows, 3), default=None
        P(first better), P(practically equivalent), P(second better) of a Bayesian
        test, which then decide; nan in rows of other tests.

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
    comparison_ : Comparison
        What is shown, if it was made from one.

    Raises
    ------
    TypeError, ValueError
        If the columns have different lengths or none.

    See Also
    --------
    RhoSensitivityDisplay : How the p-values depend on ρ.

    Examples
    --------
    >>> from sklearn_cvtest import ComparisonDisplay
    >>> display = ComparisonDisplay(
    ...     first=["tree"], second=["forest"], estimate=[0.031],
    ...     ci_low=[0.012], ci_high=[0.050], pvalue=[0.004],
    ... )
    >>> display = display.plot()
    >>> [text.get_text() for text in display.text_]
    ['p', '0.004']
    """

    first: Sequence
    second: Sequence
    estimate: Sequence
    ci_low: Sequence
    ci_high: Sequence
    pvalue: Sequence
    pvalue_adjusted: Sequence | None = None
    is_bound: Sequence | None = None
    test: Sequence | None = None
    alpha: float = 0.05
    p_adjust: str | None = None
    xlabel: str = "difference of mean loss, first − second"
    factor: float = 1.0
    null_values: tuple = ()
    null_label: str | None = None
    finding: Sequence | None = None
    probabilities: Sequence | None = None

    def plot(self, ax: Axes | None = None) -> Self:
        """Draw the plot.

        Parameters
        ----------
        ax : matplotlib Axes, default=None
            Where to draw; None makes a figure with a height for the number of rows.
            With more than 200 rows it has neither names nor p-values.
            Labels and p-values stand outside the axes, whose figure gets
            `layout="constrained"`.

        Returns
        -------
        display : ComparisonDisplay
            The object itself.

        Raises
        ------
        ImportError
            If matplotlib is not installed.
        """
        drawn = draw_forest(self._rows(), ax, "ComparisonDisplay.plot")
        self.ax_, self.points_, self.intervals_, self.zero_line_, self.text_ = drawn
        self.figure_ = self.ax_.figure
        return self

    def size(self) -> tuple[float, float]:
        """Return width and height in inches that the plot needs.

        Returns
        -------
        width, height : float
            As matplotlib takes them.
        """
        return forest_size(self._rows())

    def _checked(self):
        """Return the columns as arrays and lists of one length."""
        check_level("alpha", self.alpha)
        check_text("null_label", self.null_label)
        columns = {}
        for name in ("first", "second"):
            columns[name] = check_sequence(name, getattr(self, name))
        n_rows = len(columns["first"])
        for name in ("estimate", "ci_low", "ci_high", "pvalue", "pvalue_adjusted"):
            values = getattr(self, name)
            if values is None and name == "pvalue_adjusted":
                continue
            columns[name] = check_real_array(name, values, (1,))
        for name, none in (("test", ""), ("finding", None), ("is_bound", False)):
            column = getattr(self, name)
            if column is None:
                column = [none] * n_rows
            columns[name] = check_sequence(name, column)
        allowed = f"{n_rows} rows, as `first`" if n_rows else "at least one row"
        for name, column in columns.items():
            if len(column) != n_rows or not n_rows:
                raise invalid_words(
                    name, f"a column of {allowed}", f"{len(column)} rows"
                )
        chances = np.full((n_rows, 3), np.nan)
        if self.probabilities is not None:
            chances = check_real_array("probabilities", self.probabilities)
        if chances.shape != (n_rows, 3):
            shape_text = f"an array of shape {chances.shape}"
            raise invalid_words(
                "probabilities", "None or three for each row", shape_text
            )
        return columns, chances

    def _rows(self):
        """Return what to draw: models or pairs in rows, tests as series."""
        columns, chances = self._checked()
        pairs = list(zip(columns["first"], columns["second"], strict=True))
        has_models = any(first == second for first, second in pairs)
        different_pairs = list(dict.fromkeys(pairs))
        series_names = list(dict.fromkeys(columns["test"]))
        if has_models:
            labels = [str(first) for first, _ in different_pairs]
        else:
            labels = pair_labels(different_pairs)
        bounds = check_sequence("null_values", self.null_values)
        return ForestRows(
            estimates=columns["estimate"],
            lows=columns["ci_low"],
            highs=columns["ci_high"],
            factor=check_real("factor", self.factor),
            labels=labels,
            label=self.xlabel,
            row=_positions(pairs, different_pairs),
            series=_positions(columns["test"], series_names),
            series_names=series_names,
            bounds=tuple(check_real("null_values", value) for value in bounds),
            bounds_are=self.null_label,
            **self._decisions(columns, chances, has_models),
        )

    def _decisions(self, columns, chances, has_models):
        """Return what is filled and grey, the texts of p or P, and what these mean."""
        pvalues = columns.get("pvalue_adjusted", columns["pvalue"])
        is_bayesian = np.isfinite(chances[:, 0])
        is_small = pvalues <= self.alpha
        is_likely = np.nan_to_num(chances) >= 1 - self.alpha
        finds_more = np.array([finding is not None for finding in columns["finding"]])
        is_one_better = is_likely[:, 0] | is_likely[:, 2]
        texts = p_texts(pvalues, self.alpha, columns["is_bound"])
        sides = ("first", "equal", "second")
        if has_models:
            sides = ("better", "equal", "worse")
        for row in np.flatnonzero(is_bayesian):
            largest = int(np.argmax(chances[row]))
            texts[row] = f"{chances[row, largest]:.3f} {sides[largest]}"
        criteria = self._criteria(columns["pvalue"], is_bayesian)
        findings = {finding for finding in columns["finding"] if finding is not None}
        if np.nansum(chances[:, 1]):
            findings.add("equivalent")
        criterion = " or ".join(criteria.values())
        key = {}
        if not finds_more.all():
            key["filled"] = f"significantly different, {criterion}"
        key["open"] = "inconclusive" if findings else "not significant"
        if findings:
            key["grey"] = f"{' or '.join(sorted(findings))}, {criterion}"
        return {
            "filled": np.where(is_bayesian, is_one_better, is_small & ~finds_more),
            "grey": np.where(is_bayesian, is_likely[:, 1], is_small & finds_more),
            "texts": texts,
            "title": " or ".join(criteria),
            "key": key,
        }

    def _criteria(self, pvalues, is_bayesian):
        """Return what decides, p-values or posterior probabilities, by their head."""
        adjustment = self.p_adjust
        if not adjustment and self.pvalue_adjusted is not None:
            adjustment = "adjusted"
        if adjustment == "best set":
            adjustment = None
        head = _format.p_head(adjustment)
        criteria = {}
        if not is_bayesian.any() or np.isfinite(pvalues[~is_bayesian]).any():
            criteria[head] = f"{head} ≤ {float(self.alpha):g}"
        if is_bayesian.any():
            criteria["P"] = f"P ≥ {1 - float(self.alpha):g}"
        return criteria

    @classmethod
    def of_comparison(cls, comparison: Any, pairs: Pairs = None) -> Self:
        """Return the display of a comparison, not drawn yet.

        Parameters
        ----------
        comparison : Comparison or CandidateComparison
            The comparison.
        pairs : {"best", "all"} or list of (str, str), default=None
            The pairs to show, as in :meth:`from_comparison`.

        Returns
        -------
        display : ComparisonDisplay
            The display.
        """
        display: Any = cls(**_columns_of(comparison, pairs))
        display.comparison_ = comparison
        return display


def _positions(values, different_values):
    """Return where each value stands in a list of the different ones, an ndarray."""
    place = {value: number for number, value in enumerate(different_values)}
    return np.array([place[value] for value in values])


def _columns_of(comparison, pairs):
    """Return the arguments of the display of a comparison, as a dict.

    Of no `pairs`, the models as they are printed, each against the best one or the
    reference; else the pairs, chosen and turned as in tables: see :func:`.shown_pairs`.
    """
    tables = comparison.tables
    is_by_ratio = all(table.is_by_ratio for table in tables.values())
    measure = metric_format_of(comparison.losses).effect(is_by_ratio)
    factor = 1.0 if is_by_ratio else factor_of(measure)
    bounds = bounds_of(tables.values())
    decisions = comparison.decisions
    levels = {name: _format.level_text(table) for name, table in tables.items()}
    is_one_level = len(set(levels.values())) == 1
    # a bound of one side belongs to one order of a pair
    by_model = pairs is None and set(bounds) == {-bound for bound in bounds}
    by_model = by_model and len(decisions) == len(tables)
    columns = {}
    order = None
    for name, table in tables.items():
        if by_model:
            rows_of_test = _of_models(decisions[name], comparison, is_by_ratio)
        else:
            table, numbers = shown_pairs(comparison, table, pairs)
            if order is None:  # the order by the first test
                ranks = np.argsort(table.shown_effect[numbers], kind="stable")
                order = numbers[ranks]
            rows_of_test = _of_pairs(table, order, is_by_ratio)
        if is_by_ratio:
            for column in ("estimate", "ci_low", "ci_high"):
                rows_of_test[column] = measure.percent(rows_of_test[column])
        test_text = name if is_one_level else f"{name} ({levels[name]} interval)"
        n_rows = len(rows_of_test["first"])
        rows_of_test |= {
            "test": [test_text] * n_rows,
            "finding": [finding_of(table.test)] * n_rows,
        }
        for column, values in rows_of_test.items():
            columns.setdefault(column, []).extend(values)
    is_adjusted = table.is_adjusted
    word = _intervals(tables.values(), levels[name]) if is_one_level else ""
    xlabel = axis_words(measure, word)
    if by_model:
        first = next(iter(decisions.values()))
        is_adjusted = is_adjusted and first.family == "pairs"
        xlabel = _axis_of_models(measure, word, first, most_drawn(comparison))
    return columns | {
        "p_adjust": table.p_adjust if is_adjusted else None,
        "alpha": comparison.alpha,
        "xlabel": xlabel,
        "factor": factor,
        "null_values": bounds,
        "null_label": bounds_mean(tables.values(), factor),
    }


def _axis_of_models(metric, word, models, n_shown):
    """Return what the axis shows, where each model is compared with the same one."""
    n_models = len(models.rows)
    if n_models > n_shown:
        word = f"{word}, the best {n_shown} of {n_models}".removeprefix(", ")
    reference = "the best"
    if not models.is_about_best:
        reference = models.table.names[models.reference]
    return axis_words(metric, word, reference)


def _intervals(tables, level):
    """Return what the intervals of all tests are, of one level."""
    interval = (
        "credible interval" if all(table.is_bayesian for table in tables) else "CI"
    )
    if all(table.ci_low_simultaneous is not None for table in tables):
        return f"simultaneous {level} {interval}"
    return f"{level} {interval}"


def _of_models(models, comparison, is_by_ratio):
    """Return the columns of the models, each against the reference."""
    names = comparison.losses.estimator_names
    rows = models.rows[: most_drawn(comparison)]
    if is_by_ratio:
        effects = [(row.effect, *row.interval) for row in rows]
    else:
        effects = [models.in_units(row) for row in rows]
    estimate, low, high = np.transpose(effects)
    return {
        "first": [names[row.position] for row in rows],
        "second": [names[models.reference]] * len(rows),
        "estimate": np.where([row.is_reference for row in rows], 0.0, estimate),
        "ci_low": low,
        "ci_high": high,
        "pvalue": [row.pvalue for row in rows],
        "is_bound": [row.is_bound for row in rows],
        "probabilities": [row.chances[::-1] or [np.nan] * 3 for row in rows],
    }


def _of_pairs(table, order, is_by_ratio):
    """Return the columns of pairs in an order."""
    estimate = table.shown_effect
    low, high = table.shown_intervals
    if table.is_by_ratio and not is_by_ratio:  # beside a test of differences
        estimate = table.estimate
        low = table.ci_low
        high = table.ci_high
    chances = np.full((len(table), 3), np.nan)
    if table.is_bayesian:
        chances = np.column_stack([table.columns[name] for name in POSTERIOR])
    names = np.array(table.names, dtype=object)
    columns = {
        "first": names[table.first],
        "second": names[table.second],
        "estimate": estimate,
        "ci_low": low,
        "ci_high": high,
        "pvalue": table.pvalue_adjusted,
        "is_bound": np.zeros(len(table), dtype=bool),
        "probabilities": chances,
    }
    return {name: values[order] for name, values in columns.items()}
