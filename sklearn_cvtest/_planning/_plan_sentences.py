"""Sentences on gates, shares of a variance, and plans: each whole in one function.

Names and numbers are texts as they are printed; what is said is decided in
`_plan_documents.py`.
"""

from typing import NamedTuple

# Gates ------------------------------------------------------------------------------


class GateTexts(NamedTuple):
    """What the sentence on a model of a gate consists of, as texts.

    Attributes
    ----------
    name, reference : str
        The model, and the one that it must not be worse than.
    margin : str
        By how much, such as " by more than 0.1".
    place : str
        Who is ahead, and by how much.
    level, low, high : str
        The level of the bounds, and what they say.
    p : str
        The p-value.
    setting : str
        What the test is about, a sentence.
    """

    name: str
    reference: str
    margin: str
    place: str
    level: str
    low: str
    high: str
    p: str
    setting: str


def not_worse(texts):
    """Return that a model passes a gate."""
    return (
        f"{texts.name} is not worse than {texts.reference}{texts.margin}: "
        f"{texts.place} ({texts.level} confidence: {texts.low}; {texts.p})."
        f"{texts.setting}"
    )


def worse(texts):
    """Return that a model does not pass a gate."""
    return (
        f"{texts.name} is worse than {texts.reference}{texts.margin}: {texts.place} "
        f"({texts.level} confidence: {texts.high}; {texts.p}).{texts.setting}"
    )


def may_be_worse(texts, power):
    """Return that it is open whether a model passes a gate."""
    return (
        f"Inconclusive: {texts.name} may be worse than {texts.reference}"
        f"{texts.margin}; {texts.place} (one-sided {texts.level} bounds: {texts.low}, "
        f"{texts.high}).{texts.setting}{power}"
    )


def not_worse_as_identical(name, reference, margin, identical):
    """Return that a model passes a gate because it makes the same predictions."""
    return f"{name} is not worse than {reference}{margin}: they {identical}."


def inconclusive_as_identical(name, reference, identical):
    """Return that a model like the reference does not pass without a margin."""
    return (
        f"Inconclusive: {name} and {reference} {identical}; only a better model passes "
        "without a margin."
    )


def place_in_gate(difference, amount):
    """Return whether a model is better or worse, and by how much."""
    if difference > 0:
        return f"it is better by {amount}"
    if difference < 0:
        return f"it is worse by {amount}"
    return "their means are equal"


def power_of_gate(amount):
    """Return which margin a comparison has the power for."""
    return (
        " With equally good models, this comparison has 80% power for a margin of "
        f"{amount}."
    )


def discordant(name, reference, right_to_wrong, wrong_to_right):
    """Return on how many examples only one of a model and the reference is right."""
    return (
        f" {name} is wrong on {right_to_wrong} examples that {reference} gets right, "
        f"and right on {wrong_to_right} that {reference} gets wrong."
    )


def discordant_columns(reference):
    """Return what the columns of these numbers in a table of a gate are."""
    return (
        f" Lost: examples that {reference} gets right and the model wrong; "
        "gained: the reverse."
    )


def gate_in_percent(reference, measure):
    """Return what the numbers in a table of a gate by ratio are."""
    return (
        f"Differences from {reference} in percent of its {measure}, below 0 if the "
        "model is better, with one-sided bounds."
    )


def gate_in_units(reference, unit):
    """Return what the numbers in a table of a gate are."""
    return (
        f"Differences from {reference} in {unit}, above 0 where the model is better, "
        "with one-sided bounds."
    )


# Labels -----------------------------------------------------------------------------


# Shares of a variance ---------------------------------------------------------------


def variance_legend(runs_and_units, unit):
    """Return what the columns of a table of variances are."""
    return (
        f"Shares of the variance of the mean difference ({runs_and_units}), its "
        "standard error, and approximately that with twice or infinitely many runs or "
        f"{unit} (n); 0 if nothing else is estimated to vary."
    )


# Plans ------------------------------------------------------------------------------


def plan_title(amount, power):
    """Return what a plan is for."""
    return f"What it takes to detect a difference of {amount} with probability {power}"


def plan_legend():
    """Return what the columns of a plan mean."""
    return (
        "examples: needed with the same design; repeats: of the splits of the present "
        "sample, – if no number of them suffices or none is known; at best: the "
        "difference that infinitely many repeats would detect."
    )


def plan_not_known():
    """Return why there is no plan."""
    return (
        "It is not known what it takes: nothing varies between these two, or the test "
        "is not about a difference from 0."
    )


def repeats_not_known():
    """Return that one K-fold does not say what repeats bring."""
    return "It is not known how much more repeats would help."


def power_now(power, amount):
    """Return what a comparison can detect."""
    return f"This comparison has {power} power to detect a difference of {amount}."


def nothing_more_needed(amount):
    """Return that a comparison is large enough."""
    return f"It needs no more examples or repeats to detect one of {amount}."


def examples_needed(amount, n_samples):
    """Return how many examples would be enough."""
    return (
        f"To detect a difference of {amount}, the same design needs about {n_samples} "
        "examples."
    )


def repeats_needed(n_repeats, least):
    """Return how many repeats would be enough."""
    return (
        f"With the present sample, {n_repeats} of the splits would detect it; "
        f"infinitely many would detect {least}."
    )


def no_repeats_suffice(least):
    """Return that no number of repeats would be enough."""
    return (
        "No number of repeats of the present sample would detect it: even infinitely "
        f"many would detect {least}."
    )


# The t test of scores of splits -----------------------------------------------------
