"""What is said of a gate: a sentence on each model, and a table of several."""

from typing import NamedTuple

import numpy as np

from .._report._document import Document, Sentence, table_of, verdict, version_sentence
from .._report._findings import setting
from .._report._format import (
    NOTHING,
    counted,
    equals,
    finite_or_dash,
    kind_of_p,
    lower_or_higher,
    magnitude,
    narrowest,
    percent,
    shown_pvalue,
)
from .._report._metric_format import metric_format_of
from .._report._printed_names import in_sentences_by_name, in_tables_by_name
from .._report._verdict_on_two import identical_words, ratio_of
from .._validation import one_line


def gate_document(gate, columns):
    """Return the Document of a Gate, of the columns of its data frame."""
    metric = gate_format(gate)
    by_model = gate_sentences(gate, columns)
    n_models = len(by_model)
    margin = _by_margin(gate, metric)
    reference = _names_of(gate)[gate.reference]
    note = _gate_note(metric, reference)
    if "right_to_wrong" in columns:
        note += (
            f" Lost: examples that {reference} gets right and the model wrong; "
            "gained: the reverse."
        )
    table = _gate_table(gate, columns, note)
    if n_models > 1:
        counts = _counts_of_decisions(gate)
        title = f"Not worse than {reference}{margin}: {counts} of {n_models} models."
        blocks = (verdict(title), table, Sentence(note))
    else:
        blocks = tuple(verdict(text) for text in by_model.values())
    return Document(
        f"Not worse than {reference}{margin}",
        f"{counted(n_models, 'model')} against {reference}",
        lambda: blocks,
        report=lambda: [*by_model.values(), version_sentence()],
        table=lambda: table,
        findings=lambda: {
            "decision": gate.decision,
            "margin": gate.margin,
            "reference": gate.reference,
            "sentences": by_model,
        },
        rows="models",
    )


def _counts_of_decisions(gate):
    """Return how many models each decision is about."""
    decisions = list(gate.decisions.values())
    counts = []
    for decision in ("shown", "refuted", "inconclusive"):
        if decision in decisions:
            counts.append(f"{decision} for {decisions.count(decision)}")
    return ", ".join(counts)


def gate_format(gate):
    """Return the format of what compares the models of a Gate with the reference."""
    return metric_format_of(gate.comparison.losses).effect(gate.is_by_ratio)


def _gate_note(metric, reference):
    """Return what the numbers of a table of a gate are."""
    if metric.is_ratio:
        return (
            f"Differences from {reference} in percent of its {metric.word}, below 0 if "
            "the model is better, with one-sided bounds."
        )
    unit = metric.unit("").removeprefix(" ").removeprefix("in ")
    return (
        f"Differences from {reference} in {unit}, above 0 where the model is better, "
        "with one-sided bounds."
    )


def _gate_numbers(gate, columns):
    """Return the differences of models from the reference and their bounds.

    Above 0 where the model is better; arrays of shape (n_models,).
    """
    if gate.is_by_ratio:
        return gate.log_ratios
    return [columns[name] for name in ("estimate", "low", "high")]


def _gate_texts(metric, numbers, *other_numbers):
    """Return numbers of a gate as texts; by ratio, of the model to the reference."""
    numbers = np.asarray(numbers, dtype=np.float64)
    width = narrowest(*numbers[1:])
    if metric.is_ratio:
        numbers = -numbers
    return metric.numbers(*numbers.ravel(), *other_numbers, against=width)


def _by_margin(gate, metric):
    """Return by more than which margin, "" if it is 0."""
    if isinstance(gate.margin, str):
        return f" by more than {gate.margin.strip()}"
    return f" by more than {metric.margin(gate.margin)}" if gate.margin else ""


def _gate_table(gate, columns, note):
    """Return the Table of models: decisions, differences and their bounds, p-values."""
    metric = gate_format(gate)
    numbers = _gate_numbers(gate, columns)
    texts = [finite_or_dash(text) for text in _gate_texts(metric, numbers)]
    differences, lows, highs = np.reshape(texts, np.shape(numbers)).tolist()
    if metric.is_ratio:  # the smaller ratio is the better one
        lows, highs = highs, lows
    short = in_tables_by_name(gate.comparison.estimator_names)
    table_columns = {
        "model": [short[name] for name in columns["model"]],
        "decision": columns["decision"],
        "difference": differences,
        "low": lows,
        "high": highs,
    }
    for head, name in (("lost", "right_to_wrong"), ("gained", "wrong_to_right")):
        if name in columns:
            table_columns[head] = [str(count) for count in columns[name]]
    are_identical = np.equal(numbers[1], numbers[2])
    for head, name in (
        ("p not worse", "pvalue_not_worse"),
        ("p worse", "pvalue_worse"),
    ):
        alpha = gate.comparison.alpha
        texts = [shown_pvalue(pvalue, alpha) for pvalue in columns[name]]
        table_columns[head] = np.where(are_identical, NOTHING, texts)
    return table_of(table_columns, "Models", n_left=2, note=note)


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


def gate_sentences(gate, columns):
    """Return what was found of each model, {model: sentence}."""
    losses = gate.losses
    metric = gate_format(gate)
    numbers_of_models = np.transpose(_gate_numbers(gate, columns))
    detectable_effects = gate.detectable_effects
    margin = _by_margin(gate, metric)
    names = _names_of(gate)
    reference = names[gate.reference]
    by_model = {}
    for row, (name, decision) in enumerate(gate.decisions.items()):
        table = gate.comparison.tables["refuted" if decision == "refuted" else "shown"]
        identical = identical_words(losses, table, row)
        if identical:
            text = _sentence_on_identical(
                decision, names[name], reference, margin, identical
            )
            by_model[name] = one_line(text)
            continue
        numbers = numbers_of_models[row]
        detectable = detectable_effects[row]
        difference, *bounds, smallest = _gate_texts(metric, numbers, detectable)
        low, high = _bounds_in_words(metric, numbers, bounds, decision)
        level = percent(1 - table.alpha)
        if table.ci_low_simultaneous is not None:
            level = f"simultaneous {level}"
        pvalue = table.pvalue_adjusted[row]
        texts = GateTexts(
            name=names[name],
            reference=reference,
            margin=margin,
            place=_place_in_gate(metric, numbers[0], difference),
            level=level,
            low=low,
            high=high,
            p=equals(kind_of_p(table), pvalue, table.alpha),
            setting=setting(gate.comparison, table.test),
        )
        power = ""
        if 0 < detectable < np.inf:
            smallest += metric.unit(smallest)
            power = (
                " With equally good models, this comparison has 80% power for a margin "
                f"of {smallest}."
            )
        text = _sentence_on_decision(decision, texts, power)
        text += _discordant_sentence(columns, row, names[name], reference)
        by_model[name] = one_line(text)
    return by_model


def _bounds_in_words(metric, numbers, bounds, decision):
    """Return what the bounds of a difference, as texts, say in words."""
    difference, low, high = numbers
    text_of_low, text_of_high = bounds
    if metric.is_ratio:
        return _ratio_bounds(numbers, text_of_low, text_of_high)
    words_of_low = _lower_bound(low, text_of_low)
    words_of_high = _upper_bound(high, text_of_high)
    if decision != "inconclusive":  # it says already who is better
        side = " worse" if difference < 0 else " better"
        words_of_low = words_of_low.removesuffix(side)
        words_of_high = words_of_high.removesuffix(side)
    return words_of_low, words_of_high


def _discordant_sentence(columns, row, name, reference):
    """Return on how many examples only one of two is right, "" if it is not known."""
    if "right_to_wrong" not in columns:
        return ""
    n_lost = columns["right_to_wrong"][row]
    n_gained = columns["wrong_to_right"][row]
    return (
        f" {name} is wrong on {n_lost:,} examples that {reference} gets right, and "
        f"right on {n_gained:,} that {reference} gets wrong."
    )


def _sentence_on_decision(decision, texts, power):
    """Return whether a model passes; `power` says which margin could be shown."""
    if decision == "shown":
        return (
            f"{texts.name} is not worse than {texts.reference}{texts.margin}: "
            f"{texts.place} ({texts.level} confidence: {texts.low}; {texts.p})."
            f"{texts.setting}"
        )
    if decision == "refuted":
        return (
            f"{texts.name} is worse than {texts.reference}{texts.margin}: "
            f"{texts.place} ({texts.level} confidence: {texts.high}; {texts.p})."
            f"{texts.setting}"
        )
    return (
        f"Inconclusive: {texts.name} may be worse than {texts.reference}"
        f"{texts.margin}; {texts.place} (one-sided {texts.level} bounds: {texts.low}, "
        f"{texts.high}).{texts.setting}{power}"
    )


def _sentence_on_identical(decision, name, reference, margin, identical):
    """Return whether a model that is like the reference passes."""
    if decision == "shown":
        return f"{name} is not worse than {reference}{margin}: they {identical}."
    return (
        f"Inconclusive: {name} and {reference} {identical}; only a better model passes "
        "without a margin."
    )


def _place_in_gate(metric, difference, text):
    """Return whether a model is better, and by how much."""
    if metric.is_ratio:
        return ratio_of("it", metric.word, lower_or_higher(text))
    number = magnitude(text)
    amount = number + metric.unit(number)
    if difference > 0:
        return f"it is better by {amount}"
    if difference < 0:
        return f"it is worse by {amount}"
    return "their means are equal"


def _names_of(gate):
    """Return what sentences call the models of a gate, {name: name in sentences}."""
    return in_sentences_by_name(gate.comparison.estimator_names)


def _ratio_bounds(numbers, low, high):
    """Return what the bounds of log(loss of the reference / of the model) say.

    `low` and `high` are percentages of the model's loss as texts.
    """
    lower_bound = upper_bound = "no bound"
    if np.isfinite(numbers[1]):
        at_most = "at least" if numbers[1] > 0 else "at most"
        lower_bound = f"{at_most} {lower_or_higher(low) or 'equal'}"
    if np.isfinite(numbers[2]):
        at_least = "at least" if numbers[2] < 0 else "at most"
        upper_bound = f"{at_least} {lower_or_higher(high) or 'equal'}"
    return lower_bound, upper_bound


def _lower_bound(value, text):
    """Return what a lower bound of a difference says, in words."""
    if not np.isfinite(value):
        return "no bound on how much worse"
    if value < 0:
        return f"at most {magnitude(text)} worse"
    return f"at least {magnitude(text)} better"


def _upper_bound(value, text):
    """Return what an upper bound of a difference says, in words."""
    if not np.isfinite(value):
        return "no bound on how much better"
    if value < 0:
        return f"at least {magnitude(text)} worse"
    return f"at most {magnitude(text)} better"
