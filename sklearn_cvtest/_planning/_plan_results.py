"""What one asks of a comparison: a gate, a plan, and what makes it uncertain."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from sklearn.base import clone

from .._display._bars import draw_bars
from .._losses._margins import read_margin
from .._pairs._ranking import ranking_of
from .._pairs._ratios import ends_of_ratios, enlarged
from .._report._metric_format import MetricFormat, metric_format_of
from .._report._result import Result
from .._splits._design import DesignKind
from .._typing import Any, Array, Axes
from .._validation import check_real, invalid
from ._gate_document import gate_document, gate_sentences
from ._pair_plans import PairPlan, plan_pairs
from ._plan_documents import plan_document, variance_document

POWER = 0.8
SHOWN = "shown"
REFUTED = "refuted"
INCONCLUSIVE = "inconclusive"


@dataclass(frozen=True, repr=False)
class Gate(Result):
    """Whether each model is not worse than a reference by more than a margin.

    Made by :meth:`Comparison.gate`. Where every loss of an example is a hit or a miss,
    it counts the examples that the reference gets right and a model wrong, and the
    reverse: columns right_to_wrong and wrong_to_right of `to_frame`.

    Attributes
    ----------
    comparison : Comparison
        Each model against the reference, by the one-sided test of whether it is at most
        `margin` worse. With several models, p-values and bounds are adjusted by
        Bonferroni's method.
    refutation : Comparison
        The same by the one-sided test of whether it is worse by more than that.
    margin : float or str
        The margin, in units of the loss or score, or a percentage such as "5%".
    decisions : dict of str to str
        By model: "shown", "refuted" or "inconclusive".
    losses : CVLosses
        The losses; in `comparison` a percentage enlarges those of the reference.
    ratio_margin : float
        By how much the ratio of mean losses may be above 1, as by a margin of "5%".
    """

    comparison: Any  # a Comparison, which makes this
    refutation: Any
    margin: float | str
    decisions: dict
    losses: Any
    ratio_margin: float = 0.0

    @property
    def decision(self) -> str:
        """That on all: "refuted" if it is of one, "shown" if it is of all."""
        decisions = set(self.decisions.values())
        if REFUTED in decisions:
            return REFUTED
        return INCONCLUSIVE if INCONCLUSIVE in decisions else SHOWN

    @property
    def passed(self) -> bool:
        """Whether it is shown of every model, bool."""
        return self.decision == SHOWN

    @property
    def reference(self) -> str:
        """The model that all others are compared with, str."""
        names = self.comparison.estimator_names
        return names[self.comparison.reference_position]

    @property
    def sentences(self) -> dict[str, str]:
        """What was found of each model, dict of str to str."""
        return gate_sentences(self, self._columns())

    @property
    def detectable_margins(self):
        """The margin that would be shown with probability 80% of equally good models.

        By model, dict of str to float; approximate, at the level that decides if no
        other model is shown. nan where the difference does not vary.
        """
        margins = self.comparison.table.found_with(POWER, "greater")
        margins = np.where(margins > 0, margins, np.nan)
        return dict(zip(self.decisions, margins.tolist(), strict=True))

    @property
    def is_by_ratio(self):
        """Whether models are compared with the reference by ratio."""
        return self.comparison.table.is_by_ratio

    @property
    def detectable_effects(self):
        """The detectable margins as people read them, ndarray of shape (n_models,)."""
        margins = np.array(list(self.detectable_margins.values()))
        table = self.comparison.table
        if not self.is_by_ratio:
            return margins
        # the losses of the reference, the first, are (1 + margin) times as large there
        mean_reference = table.mean_second * np.exp(self.log_ratios[0])
        return np.log1p(margins / mean_reference)

    @property
    def discordant_counts(self):
        """How many examples the reference alone gets right, and each model alone.

        Of hits and misses of examples that are tested once, ndarray of int of shape
        (2, n_models); None of others.
        """
        losses = self.comparison.losses
        values = losses.losses
        is_hit = np.all((values == values.min()) | (values == values.min() + 1))
        is_hit &= values.min() in (-1, 0) and values.max() in (0, 1)
        rows = losses.row_index
        is_once = rows is None or len(np.unique(rows)) == len(rows)
        if not losses.per_example or not is_hit or not is_once:
            return None
        is_wrong = values == (0 if losses.is_score else 1)
        reference = is_wrong[:, [self.comparison.reference_position]]
        others = is_wrong[:, self.comparison.table.second]
        right_to_wrong = (others & ~reference).sum(axis=0)
        wrong_to_right = (reference & ~others).sum(axis=0)
        return np.array([right_to_wrong, wrong_to_right])

    @property
    def log_ratios(self):
        """log(loss of the reference / of each model), and its two one-sided bounds.

        Above 0 where the model is better; ndarray of shape (3, n_models).
        """
        lows, _ = self.comparison.table.shown_intervals
        _, highs = self.refutation.table.shown_intervals
        log_ratios = np.array([self.comparison.table.log_ratio, lows, highs])
        log_ratios -= np.log1p(self.ratio_margin)
        return np.where(self._identical, 0.0, log_ratios)

    @property
    def _identical(self):
        table = self.comparison.table
        return _are_identical(self.losses, table, self.ratio_margin)

    def _document(self):
        return gate_document(self, self._columns())

    def _columns(self):
        not_worse = self.comparison.table
        worse = self.refutation.table
        n_models = len(not_worse)
        columns = {
            "model": list(self.decisions),
            "reference": [self.reference] * n_models,
            "margin": [self.margin] * n_models,
            "decision": list(self.decisions.values()),
        }
        if self.is_by_ratio:  # of the model to the reference
            log_ratios = self.log_ratios
            columns["estimate"] = np.expm1(log_ratios[0]) * not_worse.mean_second
            columns["ratio"] = np.exp(-log_ratios[0])
            low, high = ends_of_ratios(-log_ratios[2], -log_ratios[1])
            columns["ratio_low"] = low
            columns["ratio_high"] = high
        else:
            columns["estimate"] = not_worse.estimate
            columns["low"] = not_worse.shown_intervals[0]
            columns["high"] = worse.shown_intervals[1]
        identical = self._identical
        columns["pvalue_not_worse"] = np.where(identical, 0, not_worse.pvalue_adjusted)
        columns["pvalue_worse"] = np.where(identical, 1, worse.pvalue_adjusted)
        columns["detectable_margin"] = list(self.detectable_margins.values())
        counts = self.discordant_counts
        if counts is not None:
            columns["right_to_wrong"], columns["wrong_to_right"] = counts
        return columns


def gate_of(result, margin, reference, retest_on, labels):
    """Return the Gate of a comparison by one test, as :meth:`Comparison.gate` does.

    `retest_on` makes the comparison again of other losses, by other tests; `labels`
    name the positions.
    """
    user_margin = margin
    margin, ratio_margin = read_margin("margin", margin, result.losses)
    reference = result.reference if reference is None else reference
    if reference is None:
        hint = "It is the model that the others must not be worse than."
        raise invalid("reference", "the name of an estimator", None, TypeError, hint)
    table = result.table
    traits = table.test.traits
    has_sides = traits.is_directed and traits.names_winner
    if not has_sides or traits.decides != "difference":
        raise ValueError(
            "`gate` needs a test with one-sided alternatives that decides by p-values; "
            f"got {traits.name}. Use retest(test).gate(...) with another."
        )
    # "shown" where the bound is beyond the margin: both by Bonferroni's method, as no
    # bounds go with p-values of others, such as Holm's
    p_adjust = None if result.p_adjust is None else "bonferroni"
    losses = result.losses
    if ratio_margin:
        position = _position_of(result.losses, labels, reference)
        reference = labels[position]
        losses = enlarged(losses, position, 1 + ratio_margin)
    shown, refuted = (
        retest_on(
            losses,
            clone(table.test).set_params(alternative=alternative, popmean=-margin),
            reference=reference,
            p_adjust=p_adjust,
        )
        for alternative in ("greater", "less")
    )
    not_worse = shown.table
    worse = refuted.table
    decisions = {}
    identical = _are_identical(result.losses, not_worse, ratio_margin)
    for row, model in enumerate(not_worse.second):
        decision = INCONCLUSIVE
        if not_worse.significant[row] or identical[row]:
            decision = SHOWN
        elif worse.significant[row]:
            decision = REFUTED
        decisions[shown.estimator_names[model]] = decision
    return Gate(shown, refuted, user_margin, decisions, result.losses, ratio_margin)


def _are_identical(losses, table, ratio_margin):
    """Whether the models of pairs are the same, and pass any percentage above 0."""
    pairs = np.column_stack([table.first, table.second])
    return losses.pair_residuals(pairs).identical & (ratio_margin > 0)


def _position_of(losses, labels, reference):
    """Return the position of the reference, which may be "best"."""
    if isinstance(reference, str) and reference == "best" and "best" not in labels:
        return ranking_of(losses)[0]
    if reference not in labels:
        allowed = f"one of {', '.join(map(repr, labels))}"
        raise invalid("reference", allowed, reference)
    return labels.index(reference)


@dataclass(frozen=True, repr=False)
class ComparisonPlan(Result):
    """What it would take to find a difference. Made by :meth:`Comparison.plan`.

    Attributes
    ----------
    difference : float or str
        The true difference to find, in units of the loss or a percentage.
    power : float
        With which probability.
    by_pair : dict of (str, str) to tuple
        For each pair what follows, under these names.
    measure : MetricFormat
        What differences are of, in words.
    table : PairTable
        The pairs.
    n_repeats : int, None or dict
        Repeats of the K-fold, or subsamples, with which it would be found; None if no
        number of them would do, or if one K-fold does not say. For several
        pairs, a dict by pair, as all that follows.
    n_samples : int, None or dict
        Examples with which the same splits would find it; None if the number that
        there are is not known, or `detectable_difference` is 0 or nan.
    floor : float or dict
        The difference that infinitely many repeats would find: a smaller one takes more
        examples. nan if one K-fold does not say.
    detectable_difference : float or dict
        The difference that the comparison finds, as
        :meth:`Comparison.detectable_difference` has it.
    """

    difference: float | str
    power: float
    by_pair: dict
    measure: MetricFormat
    table: Any

    @property
    def n_repeats(self):
        return self._by_pair("n_repeats")

    @property
    def n_samples(self):
        return self._by_pair("n_samples")

    @property
    def floor(self):
        return self._by_pair("floor")

    @property
    def detectable_difference(self):
        return self._by_pair("detectable_difference")

    def _by_pair(self, name):
        values = {pair: getattr(plan, name) for pair, plan in self.by_pair.items()}
        return next(iter(values.values())) if len(values) == 1 else values

    def _document(self):
        return plan_document(self)

    def _columns(self):
        columns = {
            "first": [first for first, _ in self.by_pair],
            "second": [second for _, second in self.by_pair],
        }
        for name in PairPlan._fields:
            columns[name] = [getattr(plan, name) for plan in self.by_pair.values()]
        return columns


def plan_comparison(result, difference, power):
    """Return the plan of a comparison by one test, as :meth:`Comparison.plan` does."""
    if result.losses.design.kind == DesignKind.CROSSED:  # variance is not as 1/n
        raise ValueError(
            "`plan` is for splits; of runs on one test set, `variance_table()` says "
            "what more runs or more examples would bring."
        )
    table = result.table
    detectable = result.detectable_difference(power)
    n_pairs = len(table)
    target = difference
    if not isinstance(difference, str):
        check_real("difference", difference, above=0)
    difference, ratio = read_margin("difference", difference, result.losses)
    differences = np.full(n_pairs, difference)
    if ratio and not table.is_by_ratio:
        allowed = "a number, as this test compares by differences"
        raise invalid("difference", allowed, target)
    if ratio:
        differences = ratio * table.mean_better
    plans = plan_pairs(table, result.losses, detectable, differences)
    names = result.estimator_names
    pairs = zip(table.first.tolist(), table.second.tolist(), strict=True)
    pairs = [(names[first], names[second]) for first, second in pairs]
    by_pair = dict(zip(pairs, plans, strict=True))
    measure = metric_format_of(result.losses).effect(table.is_by_ratio)
    if not isinstance(target, str):
        target = float(target)
    return ComparisonPlan(target, float(power), by_pair, measure, table)


@dataclass(frozen=True, repr=False)
class VarianceTable(Result):
    """What makes the difference of each pair uncertain: runs, examples, or both.

    Made by :meth:`Comparison.variance_table`.

    Attributes
    ----------
    pairs : list of (str, str)
        The pairs.
    n_runs, n_units : int
        Numbers of runs and of examples (or groups).
    unit : str
        "examples" or "groups".
    components : ndarray of shape (n_pairs, 3)
        Variances of a residual: of runs, of examples, and of both.
    standard_error : ndarray of shape (n_pairs,)
        Standard error of the mean difference, as in the test.
    """

    pairs: list
    n_runs: int
    n_units: int
    unit: str
    components: np.ndarray
    standard_error: np.ndarray

    @property
    def names(self):
        """What the components are of, tuple of str."""
        return "runs", self.unit, "both"

    @property
    def errors(self) -> dict[str, Array]:
        """Standard errors that other numbers would give, dict of ndarray (n_pairs,).

        In proportion to √(σ²_s/n_s + σ²_i/n_i + σ²_si/(n_s n_i)) with the estimated
        components: "now", which is the error of the test, with twice as many runs or
        examples, or with all that there could be.
        """
        now = self._error(self.n_runs, self.n_units)
        # components below 0 are taken for 0, in the error of the test they are not
        scale = self.standard_error / np.where(now > 0, now, 1.0)
        errors = {"now": now * scale}
        for name, factor in (("twice", 2), ("all", np.inf)):
            with_more_runs = self._error(factor * self.n_runs, self.n_units)
            with_more_units = self._error(self.n_runs, factor * self.n_units)
            errors[f"{name}_runs"] = with_more_runs * scale
            errors[f"{name}_{self.unit}"] = with_more_units * scale
        return errors

    def _error(self, n_runs, n_units):
        return np.sqrt(self._parts(n_runs, n_units).sum(axis=1))

    @property
    def shares(self):
        """Shares of the variance of the mean, as `components`; 0 without any."""
        components = self._parts(self.n_runs, self.n_units)
        total = components.sum(axis=1, keepdims=True)
        return components / np.where(total > 0, total, 1)

    def _parts(self, n_runs, n_units):
        return self.components / np.array([n_runs, n_units, n_runs * n_units])

    def _document(self):
        return variance_document(self)

    def _columns(self):
        columns = {
            "first": [first for first, _ in self.pairs],
            "second": [second for _, second in self.pairs],
        }
        for name, values in zip(self.names, self.components.T, strict=True):
            columns[f"variance_{name}"] = values
        for name, values in zip(self.names, self.shares.T, strict=True):
            columns[f"share_{name}"] = values
        columns["standard_error"] = self.standard_error
        for name, values in self.errors.items():
            if name != "now":  # as good as the test's, which is shown
                columns[f"error_{name}"] = values
        return columns

    def plot(self, ax: Axes | None = None) -> Axes:
        """Draw the shares of the variance of each mean difference.

        Parameters
        ----------
        ax : matplotlib Axes, default=None
            Where to draw; None makes a new figure.

        Returns
        -------
        ax : matplotlib Axes
            With the picture.

        Raises
        ------
        ImportError
            If matplotlib is not installed.
        """
        labels = [f"{first} - {second}" for first, second in self.pairs]
        ax, _ = draw_bars(
            "A plot of variances",
            self.shares,
            labels,
            self.names,
            "share of the variance of the mean difference",
            ax,
        )
        return ax


def variance_table(result):
    """Return the VarianceTable of a comparison of runs × examples."""
    losses = result.losses
    table = result.table
    if "sd_runs" not in table.columns:
        allowed = "a Comparison by CrossedTest, of several runs"
        raise invalid("result", allowed, table.test.traits.name)
    deviations = ("sd_runs", "sd_examples", "sd_both")
    components = [table.columns[name] ** 2 for name in deviations]
    return VarianceTable(
        pairs=list(result.tests),
        n_runs=losses.design.n_splits,
        n_units=losses.n_tested,
        unit="groups" if losses.n_groups else "examples",
        components=np.column_stack(components),
        standard_error=table.standard_error,
    )
