"""What is said of a gate: a sentence on each model, and a table of several."""

from typing import NamedTuple

import numpy as np

from .._report._document import Document, Sentence, table_of, verdict, version_sentence
from .._report._findings import setting
from .._report._format import (
    NOTHING,
    counted,
    equals,
    interval_words,
    kind_of_p,
    lower_or_higher,
    magnitude,
    narrowest,
    percent,
    ratio_interval_words,
    shown_pvalue,
)
from .._report._metric_format import metric_format_of
from .._report._printed_names import in_sentences_by_name, in_tables_by_name
from .._report._shown_pairs import reversed_sides
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
            "the model is better."
        )
    unit = metric.unit("").removeprefix(" ").removeprefix("in ")
    return f"Differences from {reference} in {unit}, above 0 where the model is better."


def _gate_numbers(gate, columns):
    """Return the differences of models from the reference and their bounds.

    Above 0 where the model is better; by ratio, where its loss is the larger one.
    """
    if gate.is_by_ratio:
        return reversed_sides(*gate.log_ratios)
    return [columns[name] for name in ("estimate", "low", "high")]


def _by_margin(gate, metric):
    """Return by more than which margin, "" if it is 0."""
    if isinstance(gate.margin, str):
        return f" by more than {gate.margin.strip()}"
    return f" by more than {metric.margin(gate.margin)}" if gate.margin else ""


def _gate_table(gate, columns, note):
    """Return the Table of models: decisions, differences and their bounds, p-values."""
    metric = gate_format(gate)
    numbers = _gate_numbers(gate, columns)
    differences, intervals = metric.intervals(*numbers)
    short = in_tables_by_name(gate.comparison.estimator_names)
    table_columns = {
        "model": [short[name] for name in columns["model"]],
        "decision": columns["decision"],
        "difference": differences,
        _level_text(gate): intervals,
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
    interval : str
        The interval of that.
    p : str
        The p-value.
    setting : str
        What the test is about, a sentence.
    """

    name: str
    reference: str
    margin: str
    place: str
    interval: str
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
        table = gate.comparison.table
        if decision == "refuted":
            table = gate.refutation.table
        identical = identical_words(losses, table, row)
        if identical:
            text = _sentence_on_identical(
                decision, names[name], reference, margin, identical
            )
            by_model[name] = one_line(text)
            continue
        numbers = numbers_of_models[row]
        if numbers[0] < 0 and not metric.is_ratio:
            numbers = reversed_sides(*numbers)
        detectable = detectable_effects[row]
        width = narrowest(*numbers[1:])
        difference, low, high, smallest = metric.numbers(
            *numbers, detectable, against=width
        )
        words = interval_words(low, high)
        if metric.is_ratio:
            words = ratio_interval_words(low, high)
        interval = f"{_level_text(gate)} {words}" if words else "no CI"
        pvalue = table.pvalue_adjusted[row]
        texts = GateTexts(
            name=names[name],
            reference=reference,
            margin=margin,
            place=_place_in_gate(
                metric, names[name], numbers_of_models[row][0], difference
            ),
            interval=interval,
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
            f"{texts.place} ({texts.interval}, {texts.p})."
            f"{texts.setting}"
        )
    if decision == "refuted":
        return (
            f"{texts.name} is worse than {texts.reference}{texts.margin}: "
            f"{texts.place} ({texts.interval}, {texts.p})."
            f"{texts.setting}"
        )
    return (
        f"Inconclusive: {texts.name} may be worse than {texts.reference}"
        f"{texts.margin}; {texts.place} ({texts.interval}).{texts.setting}{power}"
    )


def _sentence_on_identical(decision, name, reference, margin, identical):
    """Return whether a model that is like the reference passes."""
    if decision == "shown":
        return f"{name} is not worse than {reference}{margin}: they {identical}."
    return (
        f"Inconclusive: {name} and {reference} {identical}; only a better model passes "
        "without a margin."
    )


def _level_text(gate):
    """Return the level of the intervals between both one-sided bounds."""
    table = gate.comparison.table
    level = f"{percent(1 - 2 * table.alpha)} CI"
    return level if table.ci_low_simultaneous is None else f"simultaneous {level}"


def _place_in_gate(metric, name, difference, text):
    """Return whether a model is ahead, and by how much."""
    if metric.is_ratio:
        return ratio_of(name, metric.word, lower_or_higher(text))
    number = magnitude(text)
    amount = number + metric.unit(number)
    if difference > 0:
        return f"it is ahead by {amount}"
    if difference < 0:
        return f"it is behind by {amount}"
    return "their means are equal"


def _names_of(gate):
    """Return what sentences call the models of a gate, {name: name in sentences}."""
    return in_sentences_by_name(gate.comparison.estimator_names)
