"""What is said of a plan, and of what makes a difference uncertain."""

import numpy as np

from .._pairs._ratios import as_effect
from .._report._document import Document, Sentence, table_of
from .._report._format import (
    NOTHING,
    about,
    counted,
    finite_or_dash,
    format_number,
    more_are,
    percent,
)
from .._report._metric_format import NUMBERS
from .._report._printed_names import in_tables_by_name

MOST_ROWS = 10  # pairs that are printed


def _more(n_rows):
    """Return how many pairs are not printed, as a sentence, "" if all are."""
    n_more = n_rows - MOST_ROWS
    if n_more <= 0:
        return ""
    return f" {more_are(n_more, 'pair')} in to_frame()."


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
    legend = (
        f"Shares of the variance of the mean difference ({lead}), its standard error, "
        f"and approximately that with twice or infinitely many runs or {unit} (n); 0 "
        "if nothing else is estimated to vary."
    )
    legend += _more(len(variances.pairs))
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


def plan_document(plan):
    """Return the Document of a ComparisonPlan: sentences of one pair, else a table."""
    metric = plan.measure
    plans = list(plan.by_pair.values())
    power = percent(plan.power)
    amount = _amount(plan, plan.difference)
    lead = f"What it takes to detect a difference of {amount} with probability {power}"
    pairs = [(str(first), str(second)) for first, second in plan.by_pair]
    short = in_tables_by_name(np.ravel(pairs))
    detectable = np.array([pair_plan.detectable_difference for pair_plan in plans])
    floors = np.array([pair_plan.floor for pair_plan in plans])
    effects = [*as_effect(plan.table, detectable), *as_effect(plan.table, floors)]
    texts = [finite_or_dash(text) for text in metric.numbers(*effects)]
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
        legend = (
            "examples: needed with the same design; repeats: of the splits of the "
            "present sample, – if no number of them suffices or none is known; at "
            "best: the difference that infinitely many repeats would detect."
        )
        blocks = (
            Sentence(f"{lead}."),
            table_of(columns, n_left=2, n_shown=MOST_ROWS),
            Sentence(legend + _more(len(plans))),
        )
    return Document(
        lead,
        lead,
        lambda: blocks,
        table=lambda: table_of(columns, n_left=2),
    )


def _count(number):
    return NOTHING if number is None else about(number)


def _amount(plan, difference):
    """Return a difference of a plan with its unit, by ratio in percent.

    One in units of the loss is another percentage for each pair.
    """
    metric = plan.measure
    if isinstance(difference, str):
        return f"{difference.strip()} in {metric.word}"
    if metric.is_ratio and len(plan.by_pair) == 1:
        percentage = metric.percent(as_effect(plan.table, difference)[0])
        return f"{format_number(percentage, 3)}% in {metric.word}"
    if metric.is_ratio:
        return f"{format_number(difference, 3)} in units of the loss"
    number = format_number(metric.unit_size * difference, 3)
    return number + metric.unit(number)


def _plan_of_pair(comparison_plan, power):
    """Return sentences on what it would take to detect the difference of one pair."""
    (plan,) = comparison_plan.by_pair.values()
    if not plan.detectable_difference > 0:
        return [
            "It is not known what it takes: nothing varies between these two, or the "
            "test is not about a difference from 0."
        ]
    amount = _amount(comparison_plan, comparison_plan.difference)
    now = _amount(comparison_plan, plan.detectable_difference)
    floor = _amount(comparison_plan, plan.floor)
    lines = [f"This comparison has {power} power to detect a difference of {now}."]
    if plan.difference >= plan.detectable_difference:
        lines.append(f"It needs no more examples or repeats to detect one of {amount}.")
        return lines
    if plan.n_samples is not None:
        lines.append(
            f"To detect a difference of {amount}, the same design needs about "
            f"{_count(plan.n_samples)} examples."
        )
    if plan.n_repeats is not None:
        n_repeats = counted(plan.n_repeats, "repeat")
        lines.append(
            f"With the present sample, {n_repeats} of the splits would detect it; "
            f"infinitely many would detect {floor}."
        )
    elif np.isfinite(plan.floor):
        smallest = f"only {floor}" if floor != now else "no smaller one than now"
        lines.append(
            "No number of repeats of the present sample would detect it: even "
            f"infinitely many would detect {smallest}."
        )
    else:
        lines.append("It is not known what more repeats would bring.")
    return lines
