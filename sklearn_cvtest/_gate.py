"""Whether a model is not worse than another by more than a margin."""

from dataclasses import dataclass, replace

import numpy as np
from sklearn.base import clone

from ._inference.single_split import HitsTest, HoldoutTTest
from ._inference.zero_variance import are_identical
from ._metrics import read_margin
from ._pairs import PairTable, pair_table, pairs_with
from ._report.numbers import (
    counted,
    equals,
    percent,
    pvalue_text,
    quoted,
    sizes_text,
)
from ._report.result import Content, Result, Table
from ._report.sentences import amount_in_words, same_losses, turned
from ._report.units import Unit
from ._validation import check_option, invalid


@dataclass(frozen=True, repr=False)
class Gate(Result):
    """Whether each model is not worse than a reference by more than a margin.

    Made by :meth:`Comparison.gate`.

    Attributes
    ----------
    losses : CVLosses
        The losses.
    reference : str
        The model that the others are compared with.
    margin : float or str
        By how much a model may be worse.
    ratio : float
        The margin above a ratio of one, of losses compared by ratio; else 0.
    not_worse, worse : PairTable
        One-sided tests of the reference with each model against the margin.
    identical : ndarray of bool
        Which models have the same losses as the reference on all examples.
    passed : bool
        Whether it is shown of every model.
    """

    losses: object
    reference: str
    margin: float | str
    ratio: float
    not_worse: PairTable
    worse: PairTable
    identical: np.ndarray

    @property
    def decisions(self):
        """{model: "shown", "refuted" or "inconclusive"}."""
        decisions = {}
        for row, position in enumerate(self.not_worse.second):
            decision = "inconclusive"
            if self.not_worse.significant[row]:
                decision = "shown"
            elif self.worse.significant[row]:
                decision = "refuted"
            decisions[self.losses.names[position]] = decision
        return decisions

    @property
    def passed(self):
        """Whether it is shown of every model."""
        return set(self.decisions.values()) == {"shown"}

    def _effects(self):
        """Return effects and their two one-sided bounds, as people read them."""
        table = self.not_worse
        if not table.by_ratio:
            return np.array([table.estimate, table.low, self.worse.high])
        log_ratios = np.array([table.effect, table.low, self.worse.high])
        return np.where(self.identical, 0.0, log_ratios - np.log1p(self.ratio))

    def _columns(self):
        names = list(self.decisions)
        numbers = dict(zip(("estimate", "low", "high"), self._effects(), strict=True))
        if self.not_worse.by_ratio:  # of the model to the reference
            means = self.losses.mean_losses
            position = self.losses.names.index(self.reference)
            ratios = np.exp(turned(self._effects()))
            numbers = {"estimate": means[position] - means[self.not_worse.second]}
            numbers |= zip(("ratio", "ratio_low", "ratio_high"), ratios, strict=True)
        return {
            "model": names,
            "reference": [self.reference] * len(names),
            "margin": [self.margin] * len(names),
            "decision": list(self.decisions.values()),
            **numbers,
            **self._discordant_counts(),
            "pvalue_not_worse": self.not_worse.pvalue_adjusted,
            "pvalue_worse": self.worse.pvalue_adjusted,
        }

    def _discordant_counts(self):
        """Return how many examples only one of the two gets wrong, of hits alone."""
        losses = self.losses
        if not _are_hits(losses):
            return {}
        is_wrong = losses.values > losses.values.min()
        reference = is_wrong[:, [losses.names.index(self.reference)]]
        others = is_wrong[:, self.not_worse.second]
        return {
            "right_to_wrong": np.sum(others & ~reference, axis=0),
            "wrong_to_right": np.sum(reference & ~others, axis=0),
        }

    def sentences(self):
        """Return {model: sentence}."""
        texts = {}
        for row, (name, decision) in enumerate(self.decisions.items()):
            texts[name] = self._sentence(row, name, decision)
        return texts

    def _sentence(self, row, name, decision):
        unit = Unit(self.losses.metric, self.not_worse.by_ratio)
        place, interval = self._place_and_interval(row, name, unit)
        table = self.worse if decision == "refuted" else self.not_worse
        symbol = "adjusted one-sided p" if table.is_adjusted else "one-sided p"
        p = equals(symbol, table.pvalue_adjusted[row], table.alpha)
        claim = f"{quoted(self.reference)}{self._by_margin(unit)}"
        setting = ""
        if self.losses.n_train is not None:
            setting = f" Training sets: {sizes_text(self.losses.n_train)}."
        verb = {"shown": "is not worse than", "refuted": "is worse than"}
        if self.identical[row] and decision in verb:
            same = same_losses(self.losses)
            return f"{quoted(name)} {verb[decision]} {claim}: they {same}.{setting}"
        if decision in verb:
            text = f"{quoted(name)} {verb[decision]} {claim}: {place}"
        else:
            text = f"Inconclusive: {quoted(name)} may be worse than {claim}; {place}"
        return f"{text} ({interval}, {p}).{setting}{self._counts_sentence(row, name)}"

    def _counts_sentence(self, row, name):
        """Return how many examples only one of two models gets wrong, if known."""
        counts = self._discordant_counts()
        if not counts:
            return ""
        reference = quoted(self.reference)
        return (
            f" {quoted(name)} is wrong on {counts['right_to_wrong'][row]} examples "
            f"that {reference} gets right, and right on "
            f"{counts['wrong_to_right'][row]} that {reference} gets wrong."
        )

    def _place_and_interval(self, row, name, unit):
        """Return by how much a model is ahead, and the interval of both tests."""
        sides = self._effects()[:, row]
        if unit.by_ratio:  # of the model beside the reference
            sides = turned(sides)
        _, place, words = amount_in_words(unit, name, sides)
        if not unit.by_ratio:
            place = place.replace(quoted(name), "it", 1)
        level = f"{percent(1 - 2 * self.not_worse.alpha)} CI"
        if self.not_worse.is_adjusted:
            level = f"simultaneous {level}"
        return place, f"{level} {words}"

    def _by_margin(self, unit):
        if isinstance(self.margin, str):
            return f" by more than {self.margin}"
        return f" by more than {unit.margin(self.margin)}" if self.margin else ""

    def _content(self):
        texts = self.sentences()
        unit = Unit(self.losses.metric, self.not_worse.by_ratio)
        lead = f"{counted(len(texts), 'model')} against {self.reference}"
        findings = {"passed": self.passed, "decisions": self.decisions}
        paragraph = list(texts.values())
        if len(texts) == 1:
            return Content(lead, paragraph[0], None, "", paragraph, findings)
        sides = self._effects()
        head = f"ahead of {self.reference}"
        if unit.by_ratio:  # of each model beside the reference
            sides = turned(sides)
            head = f"against {self.reference}"
        numbers, cells = unit.differences(*sides)
        rows = []
        for row, (name, decision) in enumerate(self.decisions.items()):
            p = pvalue_text(self.not_worse.pvalue_adjusted[row])
            rows.append([name, decision, numbers[row], cells[row], p])
        level = f"{percent(1 - 2 * self.not_worse.alpha)} CI"
        headers = ["model", "decision", head, level, "p not worse"]
        counts = []
        for decision in ("shown", "refuted", "inconclusive"):
            n_models = list(self.decisions.values()).count(decision)
            if n_models:
                counts.append(f"{decision} for {n_models}")
        claim = f"Not worse than {self.reference}{self._by_margin(unit)}"
        verdict = f"{claim}: {', '.join(counts)} of {len(texts)} models."
        table = Table(headers, rows, n_left=2)
        return Content(lead, verdict, table, "", paragraph, findings)


def _are_hits(losses):
    """Whether losses are hits and misses of examples that are each tested once."""
    values = losses.values * losses.metric.sign
    is_once = losses.per_example and len(np.unique(losses.row_index)) == len(values)
    return is_once and np.isin(values, (0, 1)).all()


def gate_of(comparison, margin, reference):
    """Return the Gate of a comparison."""
    losses = comparison.losses
    position = losses.names.index(reference)
    asked_margin = margin
    margin, ratio = read_margin(margin, losses.metric)
    if ratio:
        factors = np.ones(len(losses.names))
        factors[position] = 1 + ratio
        losses = replace(losses, values=losses.values * factors)
    if not comparison.test.is_directed:
        raise invalid("test", "one with one-sided alternatives", comparison.test)
    p_adjust = None if comparison.p_adjust is None else "bonferroni"
    pairs = pairs_with(position, np.sort(losses.ranking))
    tables = []
    is_of_hits = type(comparison.test) is HoldoutTTest and losses.groups is None
    for alternative in ("greater", "less"):
        test = clone(comparison.test)
        if is_of_hits and margin and _are_hits(losses):
            test = HitsTest(alpha=comparison.alpha)
        test.set_params(alternative=alternative, popmean=-margin)
        tables.append(pair_table(test, losses, pairs, comparison.alpha, p_adjust))
    identical = are_identical(comparison.losses.pairs(pairs))
    identical = np.broadcast_to(identical, len(pairs))
    if ratio:
        not_worse = np.where(identical, 0.0, tables[0].pvalue_adjusted)
        tables[0] = replace(tables[0], pvalue_adjusted=not_worse)
    return Gate(comparison.losses, reference, asked_margin, ratio, *tables, identical)


def assert_not_worse(result, model, *, than, margin) -> None:
    """Raise an AssertionError unless a model is shown not to be worse by a margin.

    For a test suite.

    Parameters
    ----------
    result : Comparison
        With both models.
    model : str
        The name of the one in question.
    than : str
        The name of the one that it must not be worse than.
    margin : float or str
        By how much it may be worse, in units of the loss or score (of an accuracy, 0.01
        is one point), or of errors a percentage such as "5%".

    Raises
    ------
    AssertionError
        If that is refuted or not shown; the message says which, and what could have
        been shown.
    TypeError, ValueError
        If an argument is not as described.

    See Also
    --------
    Comparison.gate : The same for all models, as a result.

    Notes
    -----
    Nothing is asked about the other models in `result`, so p-values are not adjusted.

    Examples
    --------
    >>> import numpy as np
    >>> from sklearn_cvtest import assert_not_worse, compare_scores
    >>> noise = np.random.default_rng(0).normal(size=(2, 1000))
    >>> scores = {"old": 2 + noise[0], "new": 2 + noise[0] + 0.1 * noise[1]}
    >>> assert_not_worse(compare_scores(scores), "new", than="old", margin=0.02)
    """
    if not hasattr(result, "gate"):
        raise invalid("result", "a Comparison", result, TypeError)
    names = result.losses.names
    check_option("than", than, names)
    check_option("model", model, [name for name in names if name != than])
    gate = result.retest(p_adjust=None).gate(margin, than)
    if gate.decisions[model] != "shown":
        raise AssertionError(gate.sentences()[model])
