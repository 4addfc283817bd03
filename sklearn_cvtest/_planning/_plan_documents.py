"""What is said of a gate, of a plan, and of what makes a difference uncertain."""

import numpy as np

from .._pairs._ratios import as_effect
from .._report import _format
from .._report._document import Document, Sentence, table_of, verdict, version_sentence
from .._report._findings import setting
from .._report._format import NOTHING, counted, format_number, magnitude, narrowest
from .._report._metric_format import NUMBERS, metric_format_of
from .._report._printed_names import in_sentences_by_name, in_tables_by_name
from .._report._verdict import identical_words, kind_of_p
from .._report._verdict_sentences import lower_or_higher, ratio_of
from .._validation import one_line
from . import _plan_sentences as sentences

DISCORDANT = {"lost": "right_to_wrong", "gained": "wrong_to_right"}
NUMBERS_OF_GATE, NO_BOUND = ("estimate", "low", "high"), "no bound"

MOST_ROWS = 10  # pairs that are printed


def _more(n_rows):
    """Return how many pairs are not printed, as a sentence, "" if all are."""
    n_more = n_rows - MOST_ROWS
    return f" {_format.more_are(n_more, 'pair')} in to_frame()." if n_more > 0 else ""


def _or_nothing(text):
    """Return a number as text, a dash for one that is not finite."""
    return NOTHING if text.endswith(("inf", "nan")) else text


# A gate -----------------------------------------------------------------------------


def gate_document(gate, columns):
    """Return the Document of a Gate, of the columns of its data frame."""
    measure, by_model = gate_measure(gate), gate_sentences(gate, columns)
    margin, models = _by_margin(gate, measure), list(by_model)
    findings = {"decision": gate.decision, "margin": gate.margin}
    findings["reference"] = gate.reference
    reference = _names_of(gate)[gate.reference]
    note = _gate_note(measure, reference)
    if "right_to_wrong" in columns:
        note += sentences.discordant_columns(reference)
    table, blocks = _gate_table(gate, columns, note), (verdict(by_model[models[0]]),)
    if len(models) > 1:
        decided = list(gate.decisions.values())
        kinds = dict.fromkeys(("shown", "refuted", "inconclusive"))
        counts = [f"{k} for {decided.count(k)}" for k in kinds if k in decided]
        of_all = f"{margin}: {', '.join(counts)} of {len(models)} models."
        of_all = verdict(f"Not worse than {reference}{of_all}")
        blocks = of_all, table, Sentence(note)
    return Document(
        f"Not worse than {reference}{margin}",
        f"{counted(len(models), 'model')} against {reference}",
        lambda: blocks,
        report=lambda: [*by_model.values(), version_sentence()],
        table=lambda: table,
        findings=lambda: findings | {"sentences": by_model},
        rows="models",
    )


def gate_measure(gate):
    """Return the measure of what compares the models of a Gate with the reference."""
    return metric_format_of(gate.comparison.losses).effect(gate.is_by_ratio)


def _gate_note(measure, reference):
    """Return what the numbers of a table of a gate are."""
    if measure.is_ratio:
        return sentences.gate_in_percent(reference, measure.word)
    unit = measure.unit("").removeprefix(" ").removeprefix("in ")
    return sentences.gate_in_units(reference, unit)


def _gate_numbers(gate, columns):
    """Return the differences of models from the reference and their bounds.

    Above 0 where the model is better; arrays of shape (n_models,).
    """
    if gate.is_by_ratio:
        return gate.log_ratios
    return [columns[name] for name in NUMBERS_OF_GATE]


def _gate_texts(measure, numbers, *other_numbers):
    """Return numbers of a gate as texts; by ratio, of the model to the reference."""
    numbers = np.asarray(numbers, dtype=np.float64)
    width = narrowest(*numbers[1:])
    if measure.is_ratio:
        numbers = -numbers
    return measure.numbers(*numbers.ravel(), *other_numbers, against=width)


def _by_margin(gate, measure):
    if isinstance(gate.margin, str):
        return f" by more than {gate.margin.strip()}"
    return f" by more than {measure.margin(gate.margin)}" if gate.margin else ""


def _gate_table(gate, columns, note):
    measure, numbers = gate_measure(gate), _gate_numbers(gate, columns)
    texts = list(map(_or_nothing, _gate_texts(measure, numbers)))
    texts = np.reshape(texts, np.shape(numbers)).tolist()
    if measure.is_ratio:  # the smaller ratio is the better one
        texts[1], texts[2] = texts[2], texts[1]
    short = in_tables_by_name(gate.comparison.estimator_names)
    table_columns = {"model": [short[name] for name in columns["model"]]}
    table_columns["decision"] = columns["decision"]
    table_columns |= zip(("difference", "low", "high"), texts, strict=True)
    for head, name in DISCORDANT.items():
        if name in columns:
            table_columns[head] = [str(count) for count in columns[name]]
    is_point = np.equal(columns["low"], columns["high"])  # of identical models
    for claim in ("not worse", "worse"):
        values = columns[f"pvalue_{claim.replace(' ', '_')}"]
        table_columns[f"p {claim}"] = [
            NOTHING if is_same else _format.shown_pvalue(p, gate.comparison.alpha)
            for p, is_same in zip(values, is_point, strict=True)
        ]
    return table_of(table_columns, "Models", n_left=2, note=note)


def gate_sentences(gate, columns):
    """Return what was found of each model, {model: sentence}."""
    result, measure = gate.comparison, gate_measure(gate)
    all_numbers = np.transpose(_gate_numbers(gate, columns))
    detectable_effects = gate.detectable_effects
    margin, names = _by_margin(gate, measure), _names_of(gate)
    reference = names[gate.reference]
    by_model = {}
    for number, (name, decision) in enumerate(gate.decisions.items()):
        table = result.tables["refuted" if decision == "refuted" else "shown"]
        detectable, numbers = detectable_effects[number], all_numbers[number]
        texts = _gate_texts(measure, numbers, detectable)
        difference, low, high, could = texts
        is_worse = numbers[0] < 0
        identical = identical_words(result.losses, table, number)
        if identical:
            text = _sentence_on_identical(
                decision, names[name], reference, margin, identical
            )
            by_model[name] = one_line(text)
            continue
        level = _format.percent(1 - table.alpha)
        if table.ci_low_simultaneous is not None:
            level = f"simultaneous {level}"
        if measure.is_ratio:
            low, high = _ratio_bounds(numbers, low, high)
        else:
            low, high = _lower_bound(numbers[1], low), _upper_bound(numbers[2], high)
            if decision != "inconclusive":  # it says already who is better
                side = " worse" if is_worse else " better"
                low, high = low.removesuffix(side), high.removesuffix(side)
        texts = sentences.GateTexts(
            name=names[name],
            reference=reference,
            margin=margin,
            place=_place_in_gate(measure, numbers[0], difference),
            level=level,
            low=low,
            high=high,
            p=_format.equals(
                kind_of_p(table), table.pvalue_adjusted[number], table.alpha
            ),
            setting=setting(result, table.test),
        )
        power = ""
        if 0 < detectable < np.inf:
            power = sentences.power_of_gate(could + measure.unit(could))
        text = _sentence_on_decision(decision, texts, power)
        text += _discordant_sentence(columns, number, names[name], reference)
        by_model[name] = one_line(text)
    return by_model


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


def _place_in_gate(measure, difference, text):
    """Return whether a model is better, and by how much."""
    if measure.is_ratio:
        return ratio_of("it", measure.word, lower_or_higher(text))
    text = magnitude(text)
    return sentences.place_in_gate(difference, text + measure.unit(text))


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


# Labels -----------------------------------------------------------------------------


# Shares of a variance ---------------------------------------------------------------


def variance_document(variances):
    """Return the Document of a VarianceTable."""
    unit = variances.unit
    lead = f"{variances.n_runs} runs of {variances.n_units} {unit}"
    short = in_tables_by_name(np.ravel(variances.pairs))
    first, second = (
        [short[n] for n in side] for side in zip(*variances.pairs, strict=True)
    )
    columns = {"first": first, "second": second}
    for name, shares in zip(variances.names, variances.shares.T, strict=True):
        columns[name] = [f"{100 * share:.0f}%" for share in shares]
    names = "twice_runs", "all_runs", f"twice_{unit}", f"all_{unit}"
    errors = [variances.standard_error, *(variances.errors[name] for name in names)]
    texts = np.reshape(NUMBERS.numbers(*np.ravel(errors)), np.shape(errors)).tolist()
    columns |= zip(("error", "2 × runs", "∞ runs", "2 × n", "∞ n"), texts, strict=True)
    legend = sentences.variance_legend(lead, unit) + _more(len(first))
    blocks = table_of(columns, n_left=2, n_shown=MOST_ROWS), Sentence(legend)
    return Document(
        "Where the variance comes from",
        lead,
        lambda: blocks,
        table=lambda: table_of(columns, n_left=2),
    )


# Plans ------------------------------------------------------------------------------


def plan_document(plan):
    """Return the Document of a ComparisonPlan: sentences of one pair, else a table."""
    measure, plans = plan.measure, list(plan.by_pair.values())
    power, amount = _format.percent(plan.power), _amount(plan, plan.difference)
    lead = sentences.plan_title(amount, power)
    sides = [list(map(str, side)) for side in zip(*plan.by_pair, strict=True)]
    short = in_tables_by_name(np.ravel(sides))
    first, second = ([short[name] for name in side] for side in sides)
    numbers = np.transpose(
        [(pair_plan.detectable_difference, pair_plan.floor) for pair_plan in plans]
    )
    effects = as_effect(plan.table, numbers).T
    texts = list(map(_or_nothing, measure.numbers(*effects.ravel())))
    head_of_detectable = "detectable now"
    if measure.is_share:
        head_of_detectable += " (points)"
    columns = {
        "first": first,
        "second": second,
        head_of_detectable: texts[::2],
        "examples": [_count(pair_plan.n_samples) for pair_plan in plans],
        "repeats": [_count(pair_plan.n_repeats) for pair_plan in plans],
        "at best": texts[1::2],
    }
    blocks = (
        Sentence(f"{lead}."),
        table_of(columns, n_left=2, n_shown=MOST_ROWS),
        Sentence(sentences.PLAN_LEGEND + _more(len(plans))),
    )
    if len(plans) == 1:
        of_pair = _plan_of_pair(plan, power)
        blocks = (Sentence(" ".join(of_pair)),)
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
    measure = plan.measure
    if isinstance(difference, str):
        return f"{difference.strip()} of {measure.word}"
    if measure.is_ratio and len(plan.by_pair) == 1:
        percentage = measure.percent(as_effect(plan.table, difference)[0])
        return f"{format_number(percentage, 3)}% of {measure.word}"
    if measure.is_ratio:
        return f"{format_number(difference, 3)} in units of the loss"
    number = format_number(measure.unit_size * difference, 3)
    return number + measure.unit(number)


def _plan_of_pair(comparison_plan, power):
    """Return sentences on what it would take to detect the difference of one pair."""
    (plan,) = comparison_plan.by_pair.values()
    numbers = comparison_plan.difference, plan.detectable_difference, plan.floor
    amount, now, floor = (_amount(comparison_plan, value) for value in numbers)
    if not plan.detectable_difference > 0:
        return [sentences.PLAN_NOT_KNOWN]
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
        lines.append(sentences.REPEATS_NOT_KNOWN)
    return lines
