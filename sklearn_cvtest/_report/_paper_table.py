"""The table for a paper of a comparison: a row for each estimator."""

import numpy as np

from .._pairs._ranking import BEST_SET, best_groups, groups_around, why_no_letters
from ._document import Cell, PaperTable, Sentence, Table
from ._findings import fewer, is_bayesian, minus, scope
from ._format import (
    format_column,
    interval_title,
    measure_of,
    narrowest,
    one_line,
    short_names,
    shown_pvalue,
)

MAX_NAME = 24  # of the reference, in the head of a column


def report_tables(result):
    """Return the tables of a report, of tests of more than one pair, as blocks."""
    blocks = []
    for name, table in result.tables.items():
        if len(table) > 1:
            part = paper_table(result, name)
            rows = [[c.text + c.mark for c in row] for row in part.rows]
            title = name if len(result.tables) > 1 else ""
            align = "<" + ">" * (len(part.headers) - 1)
            rows = rows[: result.most_shown]
            blocks += [
                Table(part.headers, rows, align, title, "Differences"),
                Sentence(part.note),
            ]
    return tuple(blocks)


def paper_table(result, name=None):
    """Return the PaperTable of a comparison: a row for each estimator, the best first.

    The best is bold; those tied with it, or with the reference, are marked. `name`
    names a test; None: the first.
    """
    name = next(iter(result.tables)) if name is None else name
    table = result.tables[name]
    measure, is_best = measure_of(result.losses), result.reference_position is None
    pivot = result.ranking[0] if is_best else result.reference_position
    tied, best = set(), result.best_sets.get(name)
    if best is not None:
        tied = set(best_groups(best)[1])
    elif table.names_winner and not (is_best and why_no_letters(table.test, None)):
        tied = set(groups_around(table, pivot, result.ranking)[2])
    against = "the best" if is_best else short_names(table.names, MAX_NAME)[pivot]
    title, percent = interval_title(table), " (%)" * measure.is_share
    p = f"p ({table.p_adjust})" if table.is_adjusted else "p"
    headers = [
        result.noun.capitalize(),
        f"Mean {measure.word}{percent}",
        f"Difference from {against}{percent}",
        title[0].upper() + title[1:],
        *(["P(worse)", "P(equivalent)"] if is_bayesian(table) else [p]),
    ]
    by_other, means = _differences(table, measure, pivot), _means(result, measure)
    nothing = ["--"] * (len(headers) - 2)
    rows = [
        [
            Cell(table.names[position], is_first, "†" * (position in tied)),
            Cell(mean, is_first),
            *map(Cell, by_other.get(position, nothing)),
        ]
        for position, mean in zip(result.ranking, means, strict=True)
        for is_first in [position == result.ranking[0]]
    ]
    return PaperTable(headers, rows, _note(result, table, tied, against, best))


def _means(result, measure):
    """Return the means of the estimators as texts, the best first."""
    means = result.losses.mean_losses[result.ranking]
    if measure.is_share:
        return [measure.value(mean).rstrip("%") for mean in means]
    (texts,) = format_column(measure.sign * means, digits=3)
    return [minus(text) for text in texts]


def _differences(table, measure, pivot):
    """Return the texts of differences from the pivot and of what is said of them."""
    numbers = np.flatnonzero((table.first == pivot) | (table.second == pivot))
    others = table.first[numbers] + table.second[numbers] - pivot
    amounts = _amounts(table, measure, numbers, pivot)
    return {
        other: [*amount, *_against(table, number, pivot)]
        for other, number, amount in zip(
            others.tolist(), numbers.tolist(), amounts, strict=True
        )
    }


def _note(result, table, tied, against, best):
    """Return what is said below: the test, and what the mark means."""
    losses = result.losses
    design = f"{losses.design}{fewer(losses)}{scope(result, table.test)}"
    note = f"By {design}; {table.traits.title}."
    if table.p_adjust == BEST_SET:
        note += " p is for being as good as all others, adjusted for their number."
    aside = " (one-sided, against the others only)" * (table.p_adjust != BEST_SET)
    if best is not None and not tied:
        level = f"{100 * table.alpha:g}% level"
        note += f" Only the first may be the best at the {level}{aside}."
    if tied:
        whom = one_line(against)
        said = f"cannot be told apart from {whom} at the {100 * table.alpha:g}% level"
        if is_bayesian(table):
            probable = f"{100 * (1 - table.alpha):g}% probability"
            said = f"neither better nor worse than {whom} with at least {probable}"
        if best is not None:
            said = f"may be the best, too, at the {100 * table.alpha:g}% level{aside}"
        note += f" † {said}."
    return note


def _amounts(table, measure, numbers, pivot):
    """Return differences and intervals as texts: in the user's sign, other less pivot.

    All of them with the same decimals.
    """
    columns = table.estimate, *table.shown_intervals
    estimate, low, high = (column[numbers] for column in columns)
    # loss(first) - loss(second), as the value of the other less the pivot's
    turned = (table.first[numbers] == pivot) != (measure.sign < 0)
    estimate = np.where(turned, -estimate, estimate)
    low, high = np.where(turned, -high, low), np.where(turned, -low, high)
    values = np.concatenate([estimate, low, high])
    texts = measure.numbers(*values, width=narrowest(low, high))
    parts = (texts[start :: len(numbers)] for start in range(len(numbers)))
    return [[difference, f"{low} to {high}"] for difference, low, high in parts]


def _against(table, number, pivot):
    """Return what else the row of another one says than the difference."""
    row = table.row(number)
    if is_bayesian(table):
        worse = "prob_less" if table.first[number] == pivot else "prob_greater"
        return [f"{row.columns[name]:.3f}" for name in (worse, "prob_rope")]
    shown = row.pvalue_adjusted if table.is_adjusted else row.pvalue
    return [shown_pvalue(shown, table.alpha)]
