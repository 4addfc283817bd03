"""The forest plot of a comparison."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from .._report._format import format_pvalue, short_names, shorten
from .._typing import Any, Axes, Pairs, Self
from .._validation import (
    check_flag,
    check_level,
    check_real,
    check_real_array,
    invalid_words,
)
from ._comparison_columns import OF_SCORES, columns_of_comparison
from ._draw import check_comparison, check_sequence, check_text, make_axes
from ._forest import (
    ForestRows,
    common_one,
    draw_forest,
    fitted,
    forest_size,
    pair_labels,
)


@dataclass(eq=False, repr=False, kw_only=True)
class ComparisonDisplay:
    """Forest plot of the differences between estimators.

    A row for each pair: the difference of their mean losses and its confidence
    interval, with p-values at the right. Filled markers are significant differences.
    Right of zero, the second estimator is better. With several tests, a pair has one
    line for each. For a Bayesian test posterior probabilities stand at the right, and
    decide which markers are filled, or grey where the two are practically equivalent.

    Make it with :meth:`from_comparison` or `Comparison.plot()`; the parameters of the
    constructor are columns of `Comparison.to_frame()`.

    Parameters
    ----------
    first, second : sequence of str, of length n_rows
        The estimators; rows of one pair, with several tests, follow each other
        or not.
    estimate : array-like of shape (n_rows,)
        Differences loss(first) - loss(second).
    ci_low, ci_high : array-like of shape (n_rows,)
        Ends of their intervals; -inf and inf are drawn as arrows.
    pvalue : array-like of shape (n_rows,)
        p-values.
    pvalue_adjusted : array-like of shape (n_rows,), default=None
        p-values adjusted for the number of pairs, on which decisions are based; None:
        the p-values do, and there is no such column.
    test : sequence of str, of length n_rows, default=None
        Names of the tests; None if there is only one.
    alpha : float, default=0.05
        Level: p-values up to it are significant.
    p_adjust : str, default=None
        How the p-values were adjusted, the title of their column.
    ci_low_simultaneous, ci_high_simultaneous : array-like of shape (n_rows,), \
            default=None
        Ends of intervals that hold all at once, drawn as thinner lines.
    xlabel : str, default="difference of mean loss"
        What `estimate` is, with its unit.
    null_values : array-like of shape (n_values,), default=()
        Other values than zero to mark by dotted lines, such as `popmean`, the
        margins of an equivalence test or the region of practical equivalence; the axis
        holds them.
    null_label : str, default=None
        What they are, written below.
    finding : str, default=None
        What a small p-value shows, such as "equivalent"; None: a difference.
    probabilities : array-like of shape (n_rows, 3), default=None
        P(first better), P(practically equivalent), P(second better) of a Bayesian
        test, which then decide; nan in rows of other tests.
    narrow : bool, default=False
        Whether the plot is for a column of 9.4 cm: names stand above their intervals,
        and only the column that decides is at the right.

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
    >>> display.ax_.get_xlabel().splitlines()[0]
    'difference of mean loss'
    """

    first: Sequence
    second: Sequence
    estimate: Sequence
    ci_low: Sequence
    ci_high: Sequence
    pvalue: Sequence
    pvalue_adjusted: Sequence | None = None
    test: Sequence | None = None
    alpha: float = 0.05
    p_adjust: str | None = None
    ci_low_simultaneous: Sequence | None = None
    ci_high_simultaneous: Sequence | None = None
    xlabel: str = "difference of mean loss"
    null_values: tuple = ()
    null_label: str | None = None
    finding: str | None = None
    probabilities: Sequence | None = None
    narrow: bool = False

    def plot(
        self,
        ax: Axes | None = None,
        *,
        point_kwargs: dict[str, Any] | None = None,
        interval_kwargs: dict[str, Any] | None = None,
        line_kwargs: dict[str, Any] | None = None,
        text_kwargs: dict[str, Any] | None = None,
    ) -> Self:
        """Draw the plot.

        Parameters
        ----------
        ax : matplotlib Axes, default=None
            Where to draw; None makes a figure with a height for the number of rows.
            With more than 200 rows it has neither names nor p-values.
            Labels and p-values stand outside the axes: give its figure
            `layout="constrained"`.
        point_kwargs : dict, default=None
            Keywords for the markers, as of `Axes.scatter`.
        interval_kwargs : dict, default=None
            Keywords for the intervals, as of `Axes.hlines`.
        line_kwargs : dict, default=None
            Keywords for the line at zero, as of `Axes.axvline`.
        text_kwargs : dict, default=None
            Keywords for the p-values, as of `Axes.annotate`.

        Returns
        -------
        display : ComparisonDisplay
            The object itself.

        Raises
        ------
        ImportError
            If matplotlib is not installed.
        """
        rows = self._rows(self.narrow)
        size = forest_size(rows, page=True)
        ax = make_axes(ax, f"{type(self).__name__}.plot", size)
        rows = fitted(rows, ax)
        if rows.narrow:
            rows = fitted(self._rows(True), ax)
        drawn = draw_forest(
            ax,
            rows,
            f"{self.xlabel}\n{self._key()}",
            point_kwargs=point_kwargs,
            interval_kwargs=interval_kwargs,
            line_kwargs=line_kwargs,
            text_kwargs=text_kwargs,
        )
        self.points_, self.intervals_, self.zero_line_, self.text_ = drawn
        for value in rows.bounds:
            ax.axvline(value, color="0.4", linestyle=":", linewidth=1, zorder=1)
        self._write_directions(ax, rows)
        self.ax_ = ax
        self.figure_ = ax.figure
        return self

    def _rows(self, narrow):
        """Return what to draw: pairs in rows, tests as series."""
        check_level("alpha", self.alpha)
        check_flag("narrow", self.narrow)
        for name in ("null_label", "finding"):
            check_text(name, getattr(self, name))
        pairs = self._pairs()
        tests = [""] * len(pairs)
        if self.test is not None:
            tests = check_sequence("test", self.test)
        names = ["estimate", "ci_low", "ci_high", "pvalue"]
        outer = ["ci_low_simultaneous", "ci_high_simultaneous"]
        if self.ci_low_simultaneous is not None:
            names += outer
        if self.pvalue_adjusted is not None:
            names.append("pvalue_adjusted")
        columns = {
            name: check_real_array(name, getattr(self, name), (1,)) for name in names
        }
        for name, column in [*columns.items(), ("test", tests)]:
            if len(column) != len(pairs):
                allowed = f"a column of {len(pairs)} rows, as `first` and `second`"
                raise invalid_words(name, allowed, f"{len(column)} rows")
        decisive = columns.get("pvalue_adjusted", columns["pvalue"])
        significant, equivalent = self._decisions(decisive)
        rows = {pair: place for place, pair in enumerate(dict.fromkeys(pairs))}
        series = {name: place for place, name in enumerate(dict.fromkeys(tests))}
        return ForestRows(
            columns["estimate"],
            columns["ci_low"],
            columns["ci_high"],
            tuple(columns[name] for name in outer) if outer[0] in columns else None,
            significant,
            np.array([rows[pair] for pair in pairs]),
            np.array([series[name] for name in tests]),
            pair_labels(*zip(*rows, strict=True), of_scores=OF_SCORES in self.xlabel),
            list(series),
            self._columns(narrow),
            equivalent,
            narrow,
            tuple(
                check_real("null_values", value)
                for value in check_sequence("null_values", self.null_values)
            ),
        )

    def _pairs(self):
        """Return the names of the two estimators of each row."""
        first, second = (
            check_sequence(name, getattr(self, name)) for name in ("first", "second")
        )
        if len(first) != len(second) or not first:
            allowed = f"a column of at least one row, {len(first)} as in `first`"
            raise invalid_words("second", allowed, f"{len(second)} rows")
        return list(zip(first, second, strict=True))

    def _decisions(self, pvalues):
        """Return which differences are significant, and which equivalent (or None)."""
        significant = pvalues <= self.alpha
        if self.probabilities is None:
            return significant, None
        chances = self._chances(len(pvalues))
        likely = np.nan_to_num(chances) >= 1 - self.alpha
        is_bayesian = np.isfinite(chances[:, 0])
        significant = np.where(is_bayesian, likely[:, [0, 2]].any(1), significant)
        return significant, likely[:, 1]

    def _chances(self, n_rows):
        chances = check_real_array("probabilities", self.probabilities)
        if chances.shape != (n_rows, 3):
            shown = f"an array of shape {chances.shape}"
            raise invalid_words("probabilities", "None or three for each row", shown)
        return chances

    def _columns(self, narrow):
        """Return the titles and texts of the columns at the right."""
        columns = {}
        if not self._by_probability():
            columns["p"] = [format_pvalue(p, self.alpha) for p in self.pvalue]
            if self.pvalue_adjusted is not None:
                columns[self._decisive_title()] = [
                    format_pvalue(p, self.alpha) for p in self.pvalue_adjusted
                ]
        if self.probabilities is None:
            return columns
        chances = self._chances(len(self.first))
        is_other = np.isnan(chances[:, 0])  # of a test without
        for texts in columns.values():
            for number in np.flatnonzero(~is_other):
                texts[number] = "–"
        if narrow and columns:
            (decisive,) = list(columns.values())[-1:]
            for number in np.flatnonzero(~is_other):
                decisive[number] = f"{chances[number, [0, 2]].max():.3f}"
            return {"p or P": decisive}
        pivot = common_one(self.first, self.second)
        sides = ("P(first)", "P(second)")
        if pivot is not None:
            sides = ("P(better)", "P(worse)")[:: 1 if pivot[1] else -1]
        columns[sides[0]] = _texts(chances[:, 0])
        if np.nansum(chances[:, 1]):
            columns["P(equal)"] = _texts(chances[:, 1])
        columns[sides[1]] = _texts(chances[:, 2])
        return columns

    def _by_probability(self):
        """Whether all rows are of tests with posterior probabilities."""
        if self.probabilities is None:
            return False
        return bool(np.isfinite(self._chances(len(self.first))).all())

    def _decisive_title(self):
        if self.pvalue_adjusted is None:
            return "p"
        return f"p ({self.p_adjust or 'adjusted'})"

    def _key(self):
        likely = f"P ≥ {1 - float(self.alpha):g}"
        p = self._decisive_title()
        filled, empty = f"{p} ≤ {float(self.alpha):g}", f"{p} > {float(self.alpha):g}"
        if self.finding is not None:
            filled, empty = f"{self.finding}, {filled}", f"not shown, {empty}"
        if self._by_probability():
            filled, empty = f"one is better, {likely}", "undecided"
        elif self.probabilities is not None:
            filled, empty = f"{filled} or {likely}", "neither"
        key = f"● {filled}    ○ {empty}"
        if self.probabilities is not None and np.nansum(
            self._chances(len(self.first))[:, 1]
        ):
            key += f"    ◍ equivalent, {likely}"
        if self.ci_low_simultaneous is not None:
            key += "    thin: simultaneous"
        return key if self.null_label is None else f"{key}\ndotted: {self.null_label}"

    def _write_directions(self, ax, rows):
        """Write above the axes which estimator is better on each side of zero."""
        left, right = (f"{side} better" for side in ("first", "second"))
        pivot, length = common_one(self.first, self.second), 16 if rows.narrow else 24
        blank = "\n" if rows.narrow else " "
        if pivot is not None:
            left, right = f"better than{blank}{shorten(pivot[0], length)}", "worse"
            if pivot[1] == 0:
                left, right = right, left
        elif len({*self.first}) == 1:
            left, right = (
                f"{name}{blank}better"
                for name in short_names([self.first[0], self.second[0]], length)
            )
        style = {
            "xycoords": "axes fraction",
            "textcoords": "offset points",
            "fontsize": rows.below,
            "va": "bottom",
            "parse_math": False,
        }
        ax.annotate(f"← {left}", (0, 1), (0, 4), ha="left", **style)
        right = right.replace("\n", " →\n") if "\n" in right else f"{right} →"
        ax.annotate(right, (1, 1), (0, 4), ha="right", **style)

    @classmethod
    def from_comparison(
        cls,
        comparison: Any,
        *,
        ax: Axes | None = None,
        pairs: Pairs = None,
        **plot_options: Any,
    ) -> Self:
        """Plot a comparison, pairs in the order of their differences.

        Parameters
        ----------
        comparison : Comparison or CandidateComparison
            Made by :func:`compare_estimators` or :func:`compare_candidates`.
        ax : matplotlib Axes, default=None
            Where to draw; None makes a figure.
        pairs : {"best", "all"} or list of (str, str), default=None
            The pairs to show: the best, or the reference, with the others
            (of more than 60, the best ones); all; or those in a list, each in its
            order. None shows what is printed: all of up to 15 pairs, of more those with
            the best. Without a reference, the second of each pair is the one with the
            smaller mean loss, so that all differences say by how much the first is
            behind; a one-sided test keeps its pairs as they are.
        **plot_options : dict
            As in :meth:`plot`.

        Returns
        -------
        display : ComparisonDisplay
            The plot.

        Raises
        ------
        TypeError, ValueError
            If `pairs` is not as described.
        ImportError
            If matplotlib is not installed.
        """
        check_comparison(comparison)
        return cls.of_comparison(comparison, pairs).plot(ax, **plot_options)

    @classmethod
    def of_comparison(
        cls, comparison: Any, pairs: Pairs = None, *, narrow: bool = False
    ) -> Self:
        """Return the display of a comparison, not drawn yet.

        Parameters
        ----------
        comparison : Comparison or CandidateComparison
            The comparison.
        pairs : {"best", "all"} or list of (str, str), default=None
            The pairs to show, as in :meth:`from_comparison`.
        narrow : bool, default=False
            As in the constructor.

        Returns
        -------
        display : ComparisonDisplay
            The display.
        """
        columns = columns_of_comparison(comparison, pairs)
        display: Any = cls(narrow=narrow, **columns)
        display.comparison_ = comparison
        return display

    def size(self) -> tuple[float, float]:
        """Return width and height in inches that the plot needs.

        Returns
        -------
        width, height : float
            As matplotlib takes them.
        """
        return forest_size(self._rows(self.narrow))


def _texts(probabilities):
    return ["–" if np.isnan(chance) else f"{chance:.3f}" for chance in probabilities]
