"""Sentences of verdicts: each stands whole in one function.

Names and numbers are texts as they are printed; what is said is decided in
`_verdict.py`.
"""

from typing import NamedTuple

from ._format import NOTHING, counted

# Two models -------------------------------------------------------------------------


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


def equivalent_as_identical(texts, predicate):
    """Return that models are equivalent because they do not differ."""
    return (
        f"{texts.first} and {texts.second} are equivalent within {texts.margin}: they "
        f"{predicate}."
    )


def non_inferior_as_identical(texts, predicate):
    """Return that a model is non-inferior because it does not differ."""
    return (
        f"{texts.ahead} is non-inferior to {texts.behind} within {texts.margin}: they "
        f"{predicate}."
    )


def better(texts):
    """Return that one model is better."""
    return (
        f"{texts.ahead} is better than {texts.behind} by {texts.amount} "
        f"({texts.interval}, {texts.p})."
    )


def better_by_ratio(texts, word):
    """Return that one model is better, and by how many percent."""
    return (
        f"{texts.ahead} is better than {texts.behind}: its {word} is {texts.amount} "
        f"({texts.interval}, {texts.p})."
    )


def better_from_few_positives(texts, n_positives):
    """Return that one model is better, where few positives do not show by how much."""
    return (
        f"{texts.ahead} is better than {texts.behind} ({texts.p}). By how much cannot "
        f"be said from {counted(n_positives, 'positive')}."
    )


def not_significant(texts):
    """Return that models do not differ significantly."""
    return (
        f"No significant difference between {texts.first} and {texts.second}: "
        f"{texts.lead} ({texts.interval}, {texts.p})."
    )


def not_significantly_better(texts):
    """Return that a model is not significantly better, by a one-sided test."""
    return (
        f"{texts.ahead} is not significantly better than {texts.behind}: "
        f"{texts.lead_of_it} ({texts.interval}, {texts.p})."
    )


def different(texts):
    """Return that models differ, by a test that does not say which is better."""
    return (
        f"{texts.first} and {texts.second} differ significantly, but the test does not "
        f"say which is better: {texts.lead} ({texts.interval}, {texts.p})."
    )


def equivalent(texts):
    """Return that models are equivalent."""
    return (
        f"{texts.first} and {texts.second} are equivalent within {texts.margin}: "
        f"{texts.lead} ({texts.interval}, {texts.p})."
    )


def not_equivalent(texts):
    """Return that models differ by more than the margin."""
    return (
        f"{texts.first} and {texts.second} are not equivalent within {texts.margin}: "
        f"{texts.lead} ({texts.interval})."
    )


def not_shown_equivalent(texts):
    """Return that models may be equivalent or not."""
    return (
        f"{texts.first} and {texts.second} are not shown to be equivalent within "
        f"{texts.margin}: {texts.lead} ({texts.interval}, {texts.p})."
    )


def non_inferior(texts):
    """Return that a model is not worse by more than the margin."""
    return (
        f"{texts.ahead} is non-inferior to {texts.behind} within {texts.margin}: "
        f"{texts.lead_of_it} ({texts.interval}, {texts.p})."
    )


def not_shown_non_inferior(texts):
    """Return that a model may be worse by more than the margin."""
    return (
        f"{texts.ahead} is not shown to be non-inferior to {texts.behind} within "
        f"{texts.margin}: {texts.lead_of_it} ({texts.interval}, {texts.p})."
    )


def probably_better(texts):
    """Return that one model is better, by its posterior probability."""
    return (
        f"{texts.ahead} is better than {texts.behind}{_by_more_than(texts)} with at "
        f"least {texts.probability} probability: by {texts.amount} ({texts.interval})."
    )


def probably_equivalent(texts):
    """Return that models are equivalent, by their posterior probability."""
    return (
        f"{texts.first} and {texts.second} are practically equivalent within "
        f"{texts.margin}, with at least {texts.probability} probability: {texts.lead} "
        f"({texts.interval})."
    )


def nothing_probable(texts):
    """Return that no posterior probability is large."""
    return (
        f"Inconclusive: neither {texts.first} nor {texts.second} is "
        f"better{_by_more_than(texts)} with {texts.probability} probability: "
        f"{texts.lead} ({texts.interval})."
    )


def _by_more_than(texts):
    return f" by more than {texts.margin}" if texts.margin else ""


def lead_clause(name, difference, amount):
    """Return whether a model is ahead or behind, and by how much."""
    if difference > 0:
        return f"{name} is ahead by {amount}"
    if difference < 0:
        return f"{name} is behind by {amount}"
    return "their means are equal"


def ratio_of(owner, word, amount):
    """Return whose loss is lower or higher, and by how many percent.

    `owner` is the name of a model, or "it" if the sentence has named it.
    """
    if not amount:
        return "their means are equal"
    if owner == "it":
        return f"its {word} is {amount}"
    return f"the {word} of {owner} is {amount}"


def lower_or_higher(text):
    """Return a percentage as text with its direction, such as "12.0% lower"."""
    if text.startswith(">−"):
        return f"less than {text[2:]} lower"
    if text.startswith("<"):
        return f"less than {text[1:]} higher"
    if text.startswith("−"):
        return f"{text[1:]} lower"
    if text.strip("0.%") == "":
        return ""
    return f"{text} higher"


def ratio_interval_words(low, high):
    """Return an interval of percentages in words; "" if nothing is known.

    Parameters
    ----------
    low, high : str
        The ends as texts; one that ends with "inf" is none.
    """
    has_no_low, has_no_high = low.endswith("inf"), high.endswith("inf")
    if (has_no_low and has_no_high) or NOTHING in (low, high):
        return ""
    low, high = lower_or_higher(low) or "equal", lower_or_higher(high) or "equal"
    if has_no_low:  # the ratio is at most that: the loss is at least so much lower
        return f"at least {high}" if high.endswith(" lower") else f"at most {high}"
    if has_no_high:
        return f"at most {low}" if low.endswith(" lower") else f"at least {low}"
    if low.endswith(" lower") and high.endswith(" lower"):
        # the smaller number first, as in "3% to 24% lower"
        number = high.removesuffix(" lower")
        return f"{number} to {low}"
    if low.endswith(" higher") and high.endswith(" higher"):
        number = low.removesuffix(" higher")
        return f"{number} to {high}"
    return f"{low} to {high}"
