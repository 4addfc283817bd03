"""What is said of a gate, of a plan, and of what makes a difference uncertain."""

import numpy as np

from .._pairs._ratios import as_effect
from .._report import _format
from .._report._document import Document, Sentence, table_of, verdict, version_sentence
from .._report._findings import setting
from .._report._format import (
    NOTHING,
    counted,
    format_number,
    kind_of_p,
    lower_or_higher,
    magnitude,
    narrowest,
)
from .._report._metric_format import NUMBERS, metric_format_of
from .._report._printed_names import in_sentences_by_name, in_tables_by_name
from .._report._verdict_on_two import identical_words, ratio_of
from .._validation import one_line
from . import _plan_sentences as sentences

DISCORDANT = {"lost": "right_to_wrong", "gained": "wrong_to_right"}

MOST_ROWS = 10  # pairs that are printed


def _more(n_rows):
    """Return how many pairs are not printed, as a sentence, "" if all are."""
    n_more = n_rows - MOST_ROWS
    if n_more <= 0:
        return ""
    return f" {_format.more_are(n_more, 'pair')} in to_frame()."


def _or_nothing(text):
    """Return a number as text, a dash for one that is not finite."""
    return NOTHING if text.endswith(("inf", "nan")) else text


# A gate -----------------------------------------------------------------------------


def gate_document(gate, columns):
    """Return the Document of a Gate, of the columns of its data frame."""
    metric = gate_format(gate)
    by_model = gate_sentences(gate, columns)
    n_models = len(by_model)
    margin = _by_margin(gate, metric)
    reference = _names_of(gate)[gate.reference]
    note = _gate_note(metric, reference)
    if "right_to_wrong" in columns:
        note += sentences.discordant_columns(reference)
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
        return sentences.gate_in_percent(reference, metric.word)
    unit = metric.unit("").removeprefix(" ").removeprefix("in ")
    return sentences.gate_in_units(reference, unit)


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
    texts = [_or_nothing(text) for text in _gate_texts(metric, numbers)]
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
    for head, name in DISCORDANT.items():
        if name in columns:
            table_columns[head] = [str(count) for count in columns[name]]
    are_identical = np.equal(columns["low"], columns["high"])
    for head, name in (
        ("p not worse", "pvalue_not_worse"),
        ("p worse", "pvalue_worse"),
    ):
        alpha = gate.comparison.alpha
        texts = [_format.shown_pvalue(pvalue, alpha) for pvalue in columns[name]]
        table_columns[head] = np.where(are_identical, NOTHING, texts)
    return table_of(table_columns, "Models", n_left=2, note=note)


def gate_sentences(gate, columns):
    """Return what was found of each model, {model: sentence}."""
    losses = gate.comparison.losses
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
        level = _format.percent(1 - table.alpha)
        if table.ci_low_simultaneous is not None:
            level = f"simultaneous {level}"
        pvalue = table.pvalue_adjusted[row]
        texts = sentences.GateTexts(
            name=names[name],
            reference=reference,
            margin=margin,
            place=_place_in_gate(metric, numbers[0], difference),
            level=level,
            low=low,
            high=high,
            p=_format.equals(kind_of_p(table), pvalue, table.alpha),
            setting=setting(gate.comparison, table.test),
        )
        power = ""
        if 0 < detectable < np.inf:
            power = sentences.power_of_gate(smallest + metric.unit(smallest))
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


def _discordant_sentence(columns, number, name, reference):
    """Return on how many examples only one of two is right, "" if it is not known."""
    if "right_to_wrong" not in columns:
        return ""
    counts = [f"{columns[head][number]:,}" for head in DISCORDANT.values()]
    return sentences.discordant(name, reference, *counts)


def _sentence_on_decision(decision, texts, power):
    if decision == "shown":
        return sentences.not_worse(texts)
    if decision == "refuted":
        return sentences.worse(texts)
    return sentences.may_be_worse(texts, power)


def _sentence_on_identical(decision, name, reference, margin, identical):
    if decision == "shown":
        return sentences.not_worse_as_identical(name, reference, margin, identical)
    return sentences.inconclusive_as_identical(name, reference, identical)


def _place_in_gate(metric, difference, text):
    """Return whether a model is better, and by how much."""
    if metric.is_ratio:
        return ratio_of("it", metric.word, lower_or_higher(text))
    number = magnitude(text)
    return sentences.place_in_gate(difference, number + metric.unit(number))


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


# Shares of a variance ---------------------------------------------------------------


def variance_document(variances):
    """Return the Document of a VarianceTable."""
    unit = variances.unit
    lead = f"{variances.n_runs} runs of {variances.n_units} {unit}"
    short = in_tables_by_name(np.ravel(variances.pairs))
    columns = {
        "first": [short[first] for first, _ in variances.pairs],
        "second": [short[second] for _, second in variances.pairs],
    }
    for name, shares in zip(variances.names, variances.shares.T, strict=True):
        columns[name] = [f"{100 * share:.0f}%" for share in shares]
    errors = {
        "error": variances.standard_error,
        "2 × runs": variances.errors["twice_runs"],
        "∞ runs": variances.errors["all_runs"],
        "2 × n": variances.errors[f"twice_{unit}"],
        "∞ n": variances.errors[f"all_{unit}"],
    }
    texts = NUMBERS.numbers(*np.concatenate(list(errors.values())))
    columns |= _split_by_head(texts, errors)
    legend = sentences.variance_legend(lead, unit) + _more(len(variances.pairs))
    blocks = table_of(columns, n_left=2, n_shown=MOST_ROWS), Sentence(legend)
    return Document(
        "Where the variance comes from",
        lead,
        lambda: blocks,
        table=lambda: table_of(columns, n_left=2),
    )


def _split_by_head(texts, columns):
    """Return texts of the numbers of columns, one after the other, as columns."""
    texts_by_head = {}
    start = 0
    for head, values in columns.items():
        texts_by_head[head] = texts[start : start + len(values)]
        start += len(values)
    return texts_by_head


# Plans ------------------------------------------------------------------------------


def plan_document(plan):
    """Return the Document of a ComparisonPlan: sentences of one pair, else a table."""
    metric = plan.measure
    plans = list(plan.by_pair.values())
    power = _format.percent(plan.power)
    lead = sentences.plan_title(_amount(plan, plan.difference), power)
    pairs = [(str(first), str(second)) for first, second in plan.by_pair]
    short = in_tables_by_name(np.ravel(pairs))
    detectable = np.array([pair_plan.detectable_difference for pair_plan in plans])
    floors = np.array([pair_plan.floor for pair_plan in plans])
    effects = [*as_effect(plan.table, detectable), *as_effect(plan.table, floors)]
    texts = [_or_nothing(text) for text in metric.numbers(*effects)]
    head_of_detectable = "detectable now"
    if metric.is_share:
        head_of_detectable += " (points)"
    columns = {
        "first": [short[first] for first, _ in pairs],
        "second": [short[second] for _, second in pairs],
        head_of_detectable: texts[: len(plans)],
        "examples": [_count(pair_plan.n_samples) for pair_plan in plans],
        "repeats": [_count(pair_plan.n_repeats) for pair_plan in plans],
        "at best": texts[len(plans) :],
    }
    if len(plans) == 1:
        blocks = (Sentence(" ".join(_plan_of_pair(plan, power))),)
    else:
        blocks = (
            Sentence(f"{lead}."),
            table_of(columns, n_left=2, n_shown=MOST_ROWS),
            Sentence(sentences.plan_legend() + _more(len(plans))),
        )
    return Document(
        lead,
        lead,
        lambda: blocks,
        table=lambda: table_of(columns, n_left=2),
    )


def _count(number):
    return NOTHING if number is None else _format.about(number)


def _amount(plan, difference):
    """Return a difference of a plan with its unit, by ratio in percent.

    One in units of the loss is another percentage for each pair.
    """
    metric = plan.measure
    if isinstance(difference, str):
        return f"{difference.strip()} of {metric.word}"
    if metric.is_ratio and len(plan.by_pair) == 1:
        percentage = metric.percent(as_effect(plan.table, difference)[0])
        return f"{format_number(percentage, 3)}% of {metric.word}"
    if metric.is_ratio:
        return f"{format_number(difference, 3)} in units of the loss"
    number = format_number(metric.unit_size * difference, 3)
    return number + metric.unit(number)


def _plan_of_pair(comparison_plan, power):
    """Return sentences on what it would take to detect the difference of one pair."""
    (plan,) = comparison_plan.by_pair.values()
    if not plan.detectable_difference > 0:
        return [sentences.plan_not_known()]
    amount = _amount(comparison_plan, comparison_plan.difference)
    now = _amount(comparison_plan, plan.detectable_difference)
    floor = _amount(comparison_plan, plan.floor)
    lines = [sentences.power_now(power, now)]
    if plan.difference >= plan.detectable_difference:
        return [*lines, sentences.nothing_more_needed(amount)]
    if plan.n_samples is not None:
        lines.append(sentences.examples_needed(amount, _count(plan.n_samples)))
    if plan.n_repeats is not None:
        n_repeats = counted(plan.n_repeats, "repeat")
        lines.append(sentences.repeats_needed(n_repeats, floor))
    elif np.isfinite(plan.floor):
        least = f"only {floor}" if floor != now else "no smaller one than now"
        lines.append(sentences.no_repeats_suffice(least))
    else:
        lines.append(sentences.repeats_not_known())
    return lines
