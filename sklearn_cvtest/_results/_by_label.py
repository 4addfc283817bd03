"""Comparison.by: the differences for each value of a label of the examples."""

from collections.abc import Callable
from dataclasses import dataclass, field, replace
from typing import NamedTuple

import numpy as np
from sklearn.base import clone

from .._compat import import_pandas
from .._data._clusters import MIN_GROUPS, cluster_sums
from .._data._repeats import count_different
from .._inference._base import BaseCVTest
from .._inference._evaluation import Evaluation
from .._inference._long_run import long_run_variance, small_sample_factor
from .._inference._multiplicity import ADJUSTMENTS, adjust_pvalues
from .._inference._problems import Problems
from .._inference._registry import package_test
from .._inference._student import ratio_or_limit, student_pvalue
from .._report._format import (
    format_number,
    format_pvalue,
    html_table,
    html_text,
    one_line,
    text_table,
)
from .._splits._design import Design
from .._splits._groups import are_groups, encode_groups
from .._validation import OneWarningOfAKind, check_option, invalid_words, warn
from ..exceptions import HeavyTailedResidualsWarning

__all__ = ["DifferencesByLabel", "differences_by_label"]

MIN_EXAMPLES = 10
MAX_NAMES = 10  # of labels in a warning
MIN_DIFFERENT = 10  # of fewer, one of ten intervals missed its difference in 23%
COLUMNS = (
    "estimate", "ci_low", "ci_high", "ci_low_simultaneous", "ci_high_simultaneous",
    "statistic", "df", "pvalue",
)  # fmt: skip


@dataclass(frozen=True, eq=False)
class DifferencesByLabel:
    """Differences between estimators for each value of a label.

    Made by :meth:`Comparison.by`. Its `str` is a table and a sentence.

    Attributes
    ----------
    labels : tuple
        The values of the label, in order.
    pairs : tuple of (str, str)
        The pairs; a difference is loss(first) - loss(second).
    n_examples, n_groups : ndarray of shape (n_labels,)
        Numbers of tested examples, and of their groups; 0 without groups.
    estimate, ci_low, ci_high, ci_low_simultaneous, ci_high_simultaneous, statistic, \
            df, pvalue, pvalue_adjusted : ndarray of shape (n_labels, n_pairs)
        Mean differences over examples; intervals, not adjusted and Bonferroni's for all
        labels and pairs; the statistic, its degrees of freedom, and p-values. nan where
        there are too few examples or groups.
    test : test
        The test of the examples of a label.
    alpha : float
        Level of decisions.
    p_adjust : str or None
        How p-values are adjusted for the number of labels and pairs.
    """

    labels: tuple
    pairs: tuple
    n_examples: np.ndarray
    n_groups: np.ndarray
    estimate: np.ndarray
    ci_low: np.ndarray
    ci_high: np.ndarray
    ci_low_simultaneous: np.ndarray
    ci_high_simultaneous: np.ndarray
    statistic: np.ndarray
    df: np.ndarray
    pvalue: np.ndarray
    pvalue_adjusted: np.ndarray
    test: BaseCVTest
    alpha: float
    p_adjust: str | None
    displays: Callable = field(repr=False)  # returns the pictures

    def __repr__(self):
        return (
            f"<DifferencesByLabel: {len(self.labels)} labels, {len(self.pairs)} "
            f"pair{'s' * (len(self.pairs) > 1)}>"
        )

    def to_frame(self):
        """Return a pandas DataFrame with one row for each label and pair.

        Returns
        -------
        frame : pandas.DataFrame
            Columns label, first, second, n_examples, n_groups, estimate, ci_low,
            ci_high, ci_low_simultaneous, ci_high_simultaneous, statistic, df, pvalue
            and pvalue_adjusted.

        Raises
        ------
        ImportError
            If pandas is not installed.
        """
        pd = import_pandas("DifferencesByLabel.to_frame")
        n_pairs = len(self.pairs)
        first, second = zip(*self.pairs, strict=True)
        columns = {
            "label": [label for label in self.labels for _ in self.pairs],
            "first": first * len(self.labels),
            "second": second * len(self.labels),
            "n_examples": np.repeat(self.n_examples, n_pairs),
            "n_groups": np.repeat(self.n_groups, n_pairs),
        }
        for name in (*COLUMNS, "pvalue_adjusted"):
            columns[name] = getattr(self, name).ravel()
        return pd.DataFrame(columns)

    def __str__(self):
        return f"{text_table(*self._table())}\n\n{one_line(self.sentence())}"

    def _repr_html_(self):
        return f"{html_table(*self._table())}<p>{html_text(self.sentence())}</p>"

    def _table(self):
        """Return headers, rows and the alignment of the table."""
        several = len(self.pairs) > 1
        headers = ["label", *["difference of"] * several, "examples", "difference"]
        headers += [f"{100 * (1 - self.alpha):g}% interval", "p", "p adjusted"]
        rows = []
        for row, label in enumerate(self.labels):
            for column, pair in enumerate(self.pairs):
                rows.append(
                    [
                        label,
                        *[" - ".join(pair)] * several,
                        self.n_examples[row],
                        format_number(self.estimate[row, column]),
                        self._interval(row, column),
                        format_pvalue(self.pvalue[row, column]),
                        format_pvalue(self.pvalue_adjusted[row, column]),
                    ]
                )
        return headers, rows, "<" * (1 + several) + ">" * 5

    def _interval(self, row, column):
        low, high = self.ci_low[row, column], self.ci_high[row, column]
        return f"[{format_number(low)}, {format_number(high)}]"

    def sentence(self):
        """Return what was found, in sentences.

        Returns
        -------
        text : str
            For which labels which estimator is better.
        """
        found = np.argwhere(self.pvalue_adjusted <= self.alpha)
        n_tested = int(np.isfinite(self.pvalue).sum())
        how = f"adjusted for {n_tested} comparisons ({self.p_adjust})"
        if self.p_adjust is None:
            how = f"not adjusted for {n_tested} comparisons"
        intro = f"By {type(self.test).__name__} at level {self.alpha:g}, {how}, "
        if not len(found):
            return (
                f"{intro}no difference for a label is significant. That is no evidence "
                "that the labels do not differ."
            )
        parts = []
        for row, column in found:
            pair, popmean = self.pairs[column], getattr(self.test, "popmean", 0.0)
            better = pair[int(self.estimate[row, column] > popmean)]
            of = f"{' - '.join(pair)}: " if len(self.pairs) > 1 else ""
            text = (
                f"{self.labels[row]} ({of}{format_number(self.estimate[row, column])}, "
                f"{self._interval(row, column)}, p = "
                f"{format_pvalue(self.pvalue_adjusted[row, column])}"
            )
            parts.append(f"{text}; {better} is better)" if not popmean else f"{text})")
        return f"{intro}the difference is significant for {', '.join(parts)}."

    def plot(self, ax=None):
        """Draw a forest plot: a row for each label, a series for each pair.

        Parameters
        ----------
        ax : matplotlib Axes, default=None
            Where to draw; None makes a figure.

        Returns
        -------
        ax : matplotlib Axes
            The axes. Right of zero, the second estimator is better; thin lines are
            simultaneous intervals, filled markers significant differences.

        Raises
        ------
        ImportError
            If matplotlib is not installed.
        """
        return self.displays().draw_by_label(self, ax)


# How it is computed -------------------------------------------------------------


class _ExampleMeans(NamedTuple):
    """Differences of examples, each the mean over the splits that tested it."""

    values: np.ndarray  # (n_pairs, n_examples)
    index: np.ndarray  # the row of X
    groups: np.ndarray | None


def differences_by_label(losses, pairs, test, labels, *, p_adjust, alpha, displays):
    """Test the differences of pairs for each value of a label.

    `pairs` are positions of estimators, `test` that of the comparison.
    """
    check_option("p_adjust", p_adjust, (*sorted(set(ADJUSTMENTS) - {"max-t"}), None))
    if not losses.per_example:
        raise ValueError(
            "`by` needs a loss for each test example; got one value per split, as from "
            "`scoring` or `per_example=False`. Use a per-example `loss`."
        )
    codes, values = encode_groups(labels, "labels")
    if len(codes) != losses.n_samples:
        allowed = f"one for each of the {losses.n_samples} examples"
        raise invalid_words("labels", allowed, f"{len(codes)} labels")
    residuals = losses.pair_residuals(pairs).runs()[0]
    test = _test_of_examples(test, residuals.design)
    examples = _mean_over_repeats(residuals)
    counts = _LabelCounts(examples, codes, len(values))
    columns, n_different = _test_labels(test, residuals, examples, codes, counts, alpha)
    _warn_of_sparse(values, counts, n_different)
    _warn_of_few(values, counts)
    adjusted, known = columns["pvalue"].copy(), np.isfinite(columns["pvalue"])
    if p_adjust is not None and known.any():
        adjusted[known] = adjust_pvalues(adjusted[known], p_adjust)
    names = losses.estimator_names
    return DifferencesByLabel(
        labels=tuple(values.tolist()),
        pairs=tuple((names[first], names[second]) for first, second in pairs),
        n_examples=counts.examples,
        n_groups=counts.groups,
        pvalue_adjusted=adjusted,
        test=test,
        alpha=alpha,
        p_adjust=p_adjust,
        displays=displays,
        **columns,
    )


def _test_labels(test, residuals, examples, codes, counts, alpha):
    """Test the labels with enough examples.

    Return columns of shape (n_labels, n_pairs), nan for the others, and how many
    examples of each label tested differ, by its code.
    """
    is_series = residuals.design.kind == "time series"
    evaluate = _evaluate_series if is_series else _evaluate_examples
    n_labels, n_pairs = len(counts.examples), len(examples.values)
    n_tests = max(int(counts.is_enough.sum()), 1) * n_pairs
    levels = test.interval_level(alpha), test.interval_level(alpha / n_tests)
    columns = {name: np.full((n_labels, n_pairs), np.nan) for name in COLUMNS}
    problems, n_different = Problems(test), {}
    with OneWarningOfAKind():
        for code in np.flatnonzero(counts.is_enough):
            inside = codes[examples.index] == code
            evaluation = evaluate(test, examples, inside, residuals, problems)
            for name, column in _columns(test, evaluation, levels).items():
                columns[name][code] = column
            n_different[code] = count_different(examples.values[:, inside]).min()
    problems.warn()
    return columns, n_different


class _LabelCounts:
    """Tested examples and groups of each label, and whether they are enough."""

    def __init__(self, examples, codes, n_labels):
        of_label = codes[examples.index]
        self.examples = np.bincount(of_label, minlength=n_labels)
        self.groups = np.zeros(n_labels, dtype=np.intp)
        self.is_enough = self.examples >= MIN_EXAMPLES
        if examples.groups is not None:
            cells = np.unique(np.column_stack([of_label, examples.groups]), axis=0)
            self.groups = np.bincount(cells[:, 0], minlength=n_labels)
            # one group, such as a site: the difference is about this very group
            self.is_enough &= (self.groups >= MIN_GROUPS) | (self.groups == 1)


def _test_of_examples(test, design):
    """Return the test itself if it takes single examples, or one that does."""
    takes = "k-fold" in test.designs or design.kind in ("holdout", "time series")
    if takes and test.needs_examples and test.vectorised:
        test = clone(test)
        if "variance" in test.get_params(deep=False):
            test.set_params(variance="theta5")  # a label need not be in all blocks
        return test
    options = {"alpha": test.alpha}
    if test.is_directed:
        options |= {"alternative": test.alternative, "popmean": test.popmean}
    return package_test("IntegratedRhoTest")(**options)


def _mean_over_repeats(residuals):
    """Return one difference for each example that was tested."""
    index, at, counts = np.unique(
        residuals.row_index, return_inverse=True, return_counts=True
    )
    values = cluster_sums(residuals.values, at) / counts
    groups = None
    if residuals.groups is not None:
        groups = np.empty(len(index), dtype=np.intp)
        groups[at] = residuals.groups
    return _ExampleMeans(values, index, groups)


def _evaluate_examples(test, examples, inside, residuals, problems):
    """Return the evaluation of the examples of a label, as if they were all.

    An example that is in no group is one of its own, so that Student's t takes the
    place of the normal distribution also there: a label may have few.
    """
    n, groups = int(inside.sum()), None
    if examples.groups is not None:
        groups = np.unique(examples.groups[inside], return_inverse=True)[1]
        if groups.max() == 0 or not are_groups(groups):
            groups = None
    is_split = residuals.design.kind == "holdout"
    some = replace(
        residuals,
        values=examples.values[:, inside],
        row_split=np.zeros(n, dtype=np.intp) if is_split else np.arange(n),
        n_train=None,
        n_test=np.array([n]) if is_split else np.ones(n, dtype=np.intp),
        row_index=examples.index[inside],
        groups=groups,
        n_samples=n,
        design=Design("holdout", 1) if is_split else Design("k-fold", n),
        split_hash=None,
    )
    units = np.arange(n) if groups is None else groups
    evaluation = test.evaluate(replace(some, groups=units))
    if count_different(some.values).min() >= MIN_DIFFERENT:  # others are named
        problems.note(some, evaluation)
    return evaluation


def _evaluate_series(test, examples, inside, residuals, problems):
    """Return the test of the mean at the times of a label.

    Deviations from it, zero at other times, are a series whose long-run variance
    counts what is correlated at the horizon, whatever is between.
    """
    n, n_times = int(inside.sum()), len(inside)
    estimate = examples.values[:, inside].mean(axis=1)
    series = np.where(inside, examples.values - estimate[:, np.newaxis], 0.0)
    variance, _ = long_run_variance(series, test.horizon, test.kernel)
    error = np.sqrt(np.maximum(variance, 0) * n_times) / n
    error /= small_sample_factor(n, min(test.horizon, n - 1))
    statistic = ratio_or_limit(estimate - test.popmean, error)
    pvalue = student_pvalue(statistic, n - 1, test.alternative)
    return Evaluation(estimate, error, statistic, pvalue, n - 1)


def _columns(test, evaluation, levels):
    intervals = [test.interval(evaluation, level) for level in levels]
    ends = [end for interval in intervals for end in interval]
    values = evaluation.estimate, *ends, evaluation.statistic, evaluation.df
    pvalue = np.minimum(evaluation.pvalue, 1.0)
    return dict(zip(COLUMNS, (*values, pvalue), strict=True))


def _warn_of_few(values, counts):
    """Name the labels that have too few examples, or groups, for a test."""
    few = np.flatnonzero(~counts.is_enough)
    if not few.size:
        return
    shown = [
        f"{value!r} ({counts.examples[code]} examples"
        + (f" of {counts.groups[code]} groups)" if counts.groups[code] else ")")
        for code, value in zip(few, values[few].tolist(), strict=True)
    ]
    warn(
        f"Too few examples or groups for a test of {_listed(shown)}: there must be "
        f"{MIN_EXAMPLES} examples, and {MIN_GROUPS} groups or one.",
        UserWarning,
    )


def _warn_of_sparse(values, counts, n_different):
    """Name the labels of which nearly all examples have the same difference."""
    few = [code for code, count in n_different.items() if count < MIN_DIFFERENT]
    if not few:
        return
    labels = values[few].tolist()
    shown = [
        f"{label!r} ({n_different[code]} of {counts.examples[code]})"
        for label, code in zip(labels, few, strict=True)
    ]
    warn(
        f"Fewer than {MIN_DIFFERENT} examples have another difference than the rest "
        f"for {_listed(shown)}. Intervals from so few are too narrow: that no "
        "difference was seen there is no evidence that there is none.",
        HeavyTailedResidualsWarning,
    )


def _listed(names):
    """Return the first names, and how many more there are."""
    more = len(names) - MAX_NAMES
    return ", ".join(names[:MAX_NAMES]) + (f" and {more} others" if more > 0 else "")
