"""What is said of plans and of a corrected t test of scores."""

import numpy as np

from ._document import Document, Sentence, Table
from ._format import format_column, format_intervals, format_number, format_pvalue


def plan_document(plan):
    """Return the Document of a ComparisonPlan: sentences of one pair, else a table."""
    measure = plan.measure
    wanted = f"a difference of {_by(measure, plan.difference)}"
    lead = f"What it takes to detect {wanted} with probability {100 * plan.power:g}%"
    now = "detectable now" + " (points)" * measure.is_share
    headers = ["first", "second", now, "examples", "repeats", "at best"]
    plans = plan.by_pair.values()
    found = [of_pair.detectable_difference for of_pair in plans]
    columns = [
        [measure.unit_size * value for value in values]
        for values in (found, [of_pair.floor for of_pair in plans])
    ]
    cells = zip(*format_column(*columns, digits=3, sizes=columns[0]), strict=True)
    rows = [
        [
            *(*pair, now),
            _count(of_pair.n_samples),
            _count(of_pair.n_repeats),
            floor if np.isfinite(of_pair.floor) else "-",
        ]
        for (pair, of_pair), (now, floor) in zip(
            plan.by_pair.items(), cells, strict=True
        )
    ]
    table = Table(headers, rows, "<<>>>>")
    shown = Table(headers, rows[:MOST_ROWS], "<<>>>>")
    n_more = len(rows) - MOST_ROWS
    more = f" {n_more} more pairs: to_frame()." * (n_more > 0)
    said = (shown, Sentence(LEGEND + more))
    if len(rows) == 1:
        (of_pair,) = plan.by_pair.values()
        asked = plan.difference, plan.power
        said = (Sentence(" ".join(_plan_sentences(measure, of_pair, *asked))),)
        return Document(lead, lead, lambda: said, table=lambda: table.for_paper(lead))
    return Document(
        lead,
        lead,
        lambda: (Sentence(f"{lead}."), *said),
        tuple(dict.fromkeys(str(name) for pair in plan.by_pair for name in pair)),
        table=lambda: table.for_paper(f"{lead}."),
    )


MOST_ROWS = 10  # of a table that is printed
LEGEND = (
    "examples: needed with the same design; repeats: of the splits of the present "
    "sample, - if no number of them suffices or none is known; at best: the difference "
    "that infinitely many repeats would detect."
)


def _count(number):
    return "-" if number is None else f"{number:,}"


def _by(measure, value):
    """Return a difference with its unit."""
    number = format_number(measure.unit_size * value, 3)
    return number + measure.unit(number)


def _plan_sentences(measure, plan, difference, power):
    found = _by(measure, plan.detectable_difference)
    yield (
        f"This comparison has {100 * power:g}% power to detect a difference of {found}."
    )
    if difference >= plan.detectable_difference:
        wanted = _by(measure, difference)
        yield f"It needs no more examples or repeats to detect one of {wanted}."
        return
    if plan.n_samples is not None:
        yield (
            f"To detect a difference of {_by(measure, difference)}, the same design "
            f"needs about {plan.n_samples:,} examples."
        )
    floor = _by(measure, plan.floor)
    if plan.n_repeats is not None:
        repeats = f"{plan.n_repeats} repeat{'s' * (plan.n_repeats > 1)}"
        yield (
            f"With the present sample, {repeats} of the splits would detect it; "
            f"infinitely many would detect {floor}."
        )
    elif np.isfinite(plan.floor):
        least = f"only {floor}" if floor != found else "no smaller one than now"
        yield (
            "No number of repeats of the present sample would detect it: even "
            f"infinitely many would detect {least}."
        )
    else:
        yield "It is not known how much more repeats would help."


def ttest_document(result):
    """Return the Document of a CorrectedTTestResult."""
    ends = [np.array([end]) for end in result.confidence_interval()]
    (estimate,), (low,), (high,) = format_intervals(np.array([result.estimate]), *ends)
    side = "" if result.alternative == "two-sided" else ", one-sided"
    p = format_pvalue(result.pvalue)
    text = (
        f"mean(a) - mean(b) = {estimate}, 95% interval "
        f"[{low}, {high}], t({result.df}) = {result.statistic:.4g}, p = {p}{side} "
        "(corrected resampled t test)"
    )
    return Document("Corrected resampled t test", "a and b", lambda: (Sentence(text),))
