"""The verdict on two models: which sentence is said, and with which numbers.

What is said follows from a decision (`_pairs/_model_table.py`) and from the traits of
the test; nothing is decided here.
"""

from typing import NamedTuple

import numpy as np

from .._pairs._model_table import Decision, decision_of, stability_of
from .._pairs._ratios import as_effect
from .._splits._design import DesignKind
from ._findings import Verdict, posterior, shifted_claim
from ._format import (
    counted,
    equals,
    format_number,
    interval_words,
    kind_of_p,
    level_text,
    lower_or_higher,
    magnitude,
    narrowest,
    percent,
    ratio_interval_words,
    whose,
)
from ._metric_format import NUMBERS, metric_format_of
from ._shown_pairs import pair_ahead, reversed_sides

POWER = 0.8
STABLE = 0.9  # of a decision that is worth no remark


def verdict_on_two(losses, table, reference=None):
    """Return the Verdict on two models; ratios are beside the reference's position."""
    row = table.row(0)
    decision = decision_of(table, 0)
    metric = metric_format_of(losses).effect(table.is_by_ratio)
    text = _sentence_on_two(losses, table, row, metric, decision, reference)
    stability = stability_of(table)[0]
    if stability < STABLE:
        text = text.removesuffix(".") + (
            "; another random split would give the same decision with probability "
            f"{stability:.2f}."
        )
    pair = (row.first, row.second)
    if decision == Decision.BETTER:
        worse = tuple(name for name in pair if name != row.winner)
        return Verdict(decision, text, better=(row.winner,), worse=worse)
    detectable = np.nan
    if decision == Decision.NOT_SIGNIFICANT:
        differences = table.detectable_difference(POWER)
        detectable = float(differences[0])
        text += _power_text(losses, table, metric, differences)
    tied = pair if _are_tied(table, decision) else ()
    return Verdict(decision, text, tied=tied, detectable_difference=detectable)


def _are_tied(table, decision):
    """Whether two of which none is better are known to be about as good."""
    if decision == Decision.SAME:
        return True
    if table.test.popmean:
        return False
    if decision == Decision.INCONCLUSIVE:
        return table.is_bayesian
    return decision in (Decision.NOT_SIGNIFICANT, Decision.EQUIVALENT)


def _sentence_on_two(losses, table, row, metric, decision, reference):
    """Return the sentence on the decision on two models."""
    test = table.test
    if decision == Decision.SAME:
        return _sentence_on_same(losses, table, row, metric)
    if test.popmean and table.is_bayesian:
        return f"{posterior(metric, table, row)}."
    if test.popmean:
        return _sentence_on_shifted(table, row, decision)
    texts = _pair_texts(losses, table, row, metric, reference)
    if decision == Decision.BETTER and losses.size_is_unknown:
        positives = counted(losses.few_positives, "positive")
        return (
            f"{texts.ahead} is better than {texts.behind} ({texts.p}). By how much "
            f"cannot be said from {positives}."
        )
    if decision == Decision.BETTER and metric.is_ratio:
        return (
            f"{texts.ahead} is better than {texts.behind}: {texts.lead} "
            f"({texts.interval}, {texts.p})."
        )
    if table.is_bayesian:
        return _sentence_by_probability(texts, decision)
    is_one_sided = test.alternative != "two-sided"
    if decision == Decision.EQUIVALENT:
        identical = identical_words(losses, table, 0)
        return _sentence_on_equivalent(texts, identical, is_one_sided)
    if is_one_sided and decision in (Decision.NOT_SIGNIFICANT, Decision.INCONCLUSIVE):
        return _sentence_by_one_side(texts, decision)
    return _sentence_by_pvalue(texts, decision)


class PairTexts(NamedTuple):
    """What a sentence on two models consists of, as texts.

    Attributes
    ----------
    first, second : str
        The models in their order.
    ahead, behind : str
        The model with the smaller mean loss (one-sided, the one that may be better),
        and the other.
    amount : str
        By how much it is ahead.
    lead, lead_of_it : str
        Who is ahead by how much; with "it" for a model that is named already.
    interval, p : str
        The interval or why there is none, and the p-value.
    margin : str
        Within which models are equivalent, "" if there is none.
    probability : str
        At which it is decided, where posterior probabilities decide.
    """

    first: str
    second: str
    ahead: str
    behind: str
    amount: str
    lead: str
    lead_of_it: str
    interval: str
    p: str
    margin: str
    probability: str


def _sentence_by_pvalue(texts, decision):
    """Return what a test of two sides decides."""
    if decision == Decision.BETTER:
        return (
            f"{texts.ahead} is better than {texts.behind} by {texts.amount} "
            f"({texts.interval}, {texts.p})."
        )
    if decision == Decision.NOT_SIGNIFICANT:
        return (
            f"No significant difference between {texts.first} and {texts.second}: "
            f"{texts.lead} ({texts.interval}, {texts.p})."
        )
    if decision == Decision.DIFFERENT:
        return (
            f"{texts.first} and {texts.second} differ significantly, but the test does "
            f"not say which is better: {texts.lead} ({texts.interval}, {texts.p})."
        )
    if decision == Decision.NOT_EQUIVALENT:
        return (
            f"{texts.first} and {texts.second} are not equivalent within "
            f"{texts.margin}: {texts.lead} ({texts.interval})."
        )
    return (
        f"{texts.first} and {texts.second} are not shown to be equivalent within "
        f"{texts.margin}: {texts.lead} ({texts.interval}, {texts.p})."
    )


def _sentence_by_one_side(texts, decision):
    """Return that a test of one side does not show what it is about."""
    if decision == Decision.NOT_SIGNIFICANT:
        return (
            f"{texts.ahead} is not significantly better than {texts.behind}: "
            f"{texts.lead_of_it} ({texts.interval}, {texts.p})."
        )
    return (
        f"{texts.ahead} is not shown to be non-inferior to {texts.behind} within "
        f"{texts.margin}: {texts.lead_of_it} ({texts.interval}, {texts.p})."
    )


def _sentence_on_equivalent(texts, identical, is_one_sided):
    """Return that models are equivalent; `identical` says in what they are the same."""
    if is_one_sided and identical:
        return (
            f"{texts.ahead} is non-inferior to {texts.behind} within {texts.margin}: "
            f"they {identical}."
        )
    if identical:
        return (
            f"{texts.first} and {texts.second} are equivalent within {texts.margin}: "
            f"they {identical}."
        )
    if is_one_sided:
        return (
            f"{texts.ahead} is non-inferior to {texts.behind} within {texts.margin}: "
            f"{texts.lead_of_it} ({texts.interval}, {texts.p})."
        )
    return (
        f"{texts.first} and {texts.second} are equivalent within {texts.margin}: "
        f"{texts.lead} ({texts.interval}, {texts.p})."
    )


def _sentence_by_probability(texts, decision):
    """Return what posterior probabilities decide."""
    by_more = f" by more than {texts.margin}" if texts.margin else ""
    if decision == Decision.BETTER:
        return (
            f"{texts.ahead} is better than {texts.behind}{by_more} with at least "
            f"{texts.probability} probability: by {texts.amount} ({texts.interval})."
        )
    if decision == Decision.EQUIVALENT:
        return (
            f"{texts.first} and {texts.second} are practically equivalent within "
            f"{texts.margin}, with at least {texts.probability} probability: "
            f"{texts.lead} ({texts.interval})."
        )
    return (
        f"Inconclusive: neither {texts.first} nor {texts.second} is "
        f"better{by_more} with {texts.probability} probability: {texts.lead} "
        f"({texts.interval})."
    )


def _sentence_on_same(losses, table, row, metric):
    """Return that two models do not differ on any example, or in any split."""
    identical = identical_words(losses, table, 0)
    if identical:
        return f"{row.first} and {row.second} {identical}."
    part = "run" if losses.design.kind == DesignKind.CROSSED else "split"
    return f"{row.first} and {row.second} have the same {metric.word} in every {part}."


def _sentence_on_shifted(table, row, decision):
    """Return what is shown of a difference that is tested against another than 0."""
    width = narrowest(row.ci_low, row.ci_high)
    difference, low, high = NUMBERS.numbers(
        row.estimate, row.ci_low, row.ci_high, width=width
    )
    claim = shifted_claim(table.test)
    if decision == Decision.NOT_EQUIVALENT:
        claim = f"not {claim}"
    elif decision != Decision.DIFFERENT:
        claim = f"not shown to be {claim}"
    interval = _interval(table, low, high)
    p = p_words(table, row.pvalue_adjusted)
    return (
        f"The difference loss({row.first}) - loss({row.second}), {difference} "
        f"({interval}), is {claim} ({p})."
    )


def _pair_texts(losses, table, row, metric, reference):
    """Return what sentences on two models name, of whichever is ahead.

    By ratio, the loss of the one behind is compared with that of the one ahead; with a
    reference, that of the other with the reference's.
    """
    ahead, behind, *sides = pair_ahead(table)
    subject = table.names[behind]
    if metric.is_ratio and behind == reference:
        subject = table.names[ahead]
        sides = reversed_sides(*sides)
    ahead = table.names[ahead]
    behind = table.names[behind]
    difference, low, high = _numbers_of_two(metric, sides)
    interval = _interval(table, low, high)
    if losses.size_is_unknown:
        interval = f"no CI from {counted(losses.few_positives, 'positive')}"
    if metric.is_ratio:
        amount = lower_or_higher(difference)
        lead = ratio_of(subject, metric.word, amount)
        lead_of_it = lead
    else:
        number = magnitude(difference)
        amount = number + metric.unit(number)
        lead = _lead_clause(ahead, sides[0], amount)
        lead_of_it = _lead_clause("it", sides[0], amount)
    region = table.test.traits.region
    return PairTexts(
        first=row.first,
        second=row.second,
        ahead=ahead,
        behind=behind,
        amount=amount,
        lead=lead,
        lead_of_it=lead_of_it,
        interval=interval,
        p=p_words(table, row.pvalue_adjusted),
        margin=metric.margin(region) if region else "",
        probability=percent(1 - table.alpha),
    )


def _numbers_of_two(metric, sides):
    """Return a difference and the ends of its interval as texts."""
    effect, low, high = sides
    width = narrowest(low, high)
    if metric.is_ratio:
        return metric.numbers(*sides, against=width)
    texts = metric.numbers(*sides, against=width)
    if effect < 0:  # by how much it is behind
        _, *ends = metric.numbers(*reversed_sides(*sides), against=width)
        texts = [texts[0], *ends]
    return texts


def _power_text(losses, table, metric, differences):
    """Return which difference would have been detected, "" if none can be."""
    low, high = losses.value_range
    if losses.few_positives or not 0 < differences[0] <= high - low:
        return ""
    _, _, *sides = pair_ahead(table)
    smallest = as_effect(table, differences)[0]
    if metric.is_ratio:
        is_first = table.log_ratio[0] < 0
        better = table.names[(table.first if is_first else table.second)[0]]
        number = format_number(metric.percent(smallest), 2)
        amount = f"{number}% of {whose(better, metric.word)}"
    else:
        width = narrowest(*sides[1:])
        number = metric.numbers(*sides, smallest, against=width)[-1]
        amount = number + metric.points(number)
    return f" The test has 80% power to detect a difference of {amount}."


def identical_words(losses, table, number):
    """Return in what two models are the same, as a predicate; "" if they differ.

    Parameters
    ----------
    losses : CVLosses
        The losses.
    table, number : PairTable, int
        A row of the table is about the two.
    """
    pair = [(table.first[number], table.second[number])]
    if not losses.pair_residuals(pair).identical[0]:
        return ""
    n_examples = np.count_nonzero(np.bincount(losses.row_index))
    if losses.loss_name in ("zero_one", "accuracy"):
        return f"make the same errors on all {n_examples} examples"
    if losses.rests_on is not None:  # of examples, a metric has no values of its own
        return f"make the same predictions on all {n_examples} examples"
    word = metric_format_of(losses).word
    return f"have the same {word} on all {n_examples} examples"


def _interval(table, low, high):
    """Return an interval or bound, of ends as texts."""
    level = level_text(table)
    if table.is_by_ratio and low.endswith("inf") and high.endswith("inf"):
        return f"no {level} CI, as the ratio has no upper bound"
    if table.is_by_ratio:
        words = ratio_interval_words(low, high)
    else:
        words = interval_words(low, high)
    if not words:
        return f"no {level} interval"
    if low.endswith("inf") or high.endswith("inf"):
        return f"{level} bound: {words}"
    noun = "credible interval" if table.is_bayesian else "CI"
    if not table.traits.uses_all_splits:
        noun += " of the first split"
    if table.ci_low_simultaneous is not None:
        level = f"simultaneous {level}"
    return f"{level} {noun} {words}"


def p_words(table, value):
    """Return a p-value with what kind it is, such as "adjusted p = 0.03"."""
    text = equals(kind_of_p(table), value, table.alpha)
    if table.traits.uses_all_splits:
        return text
    return f"{text}, from the first split alone"


def _lead_clause(name, difference, amount):
    """Return whether a model is ahead or behind, and by how much."""
    if difference > 0:
        return f"{name} is ahead by {amount}"
    if difference < 0:
        return f"{name} is behind by {amount}"
    return "their means are equal"


def ratio_of(owner, word, amount):
    """Return whose loss is lower or higher, and by how many percent.

    `owner` is the name of a model.
    """
    if not amount:
        return "their means are equal"
    return f"{whose(owner, word)} is {amount}"
