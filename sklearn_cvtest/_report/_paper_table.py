"""The table for a paper of a comparison: a row for each estimator."""

import numpy as np

from .._pairs._ranking import (
    BEST_SET,
    best_groups,
    groups_around,
    why_no_letters,
)
from ._document import Cell, PaperTable, Sentence, Table
from ._findings import fewer, is_bayesian, scope
from ._format import (
    format_column,
    interval_title,
    measure_of,
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
    losses, measure = result.losses, measure_of(result.losses)
    is_best = result.reference_position is None
    pivot = result.ranking[0] if is_best else result.reference_position
    tied = set()
    best = result.best_sets.get(name)
    if best is not None:
        tied = set(best_groups(best)[1])
    elif table.names_winner and not (is_best and why_no_letters(table.test, None)):
        tied = set(groups_around(table, pivot, result.ranking)[2])
    by_other = {
        int(sum(pair) - pivot): number
        for number, pair in enumerate(zip(table.first, table.second, strict=True))
        if pivot in pair
    }
    percent = " (%)" if measure.is_share else ""
    against = "the best" if is_best else short_names(table.names, MAX_NAME)[pivot]
    p = f"p ({table.p_adjust})" if table.is_adjusted else "p"
    title = interval_title(table)
    headers = [
        result.noun.capitalize(),
        f"Mean {measure.word}{percent}",
        f"Difference from {against}{percent}",
        title[0].upper() + title[1:],
        *([] if is_bayesian(table) else [p]),
        *(["P(worse)", "P(equivalent)"] if is_bayesian(table) else []),
    ]
    numbers = np.sort(list(by_other.values()))
    amounts = _amounts(table, measure, numbers, pivot)
    amounts = dict(zip(numbers.tolist(), amounts, strict=True))
    rows = []
    (means,) = format_column(
        measure.sign * losses.mean_losses[result.ranking], digits=3
    )
    for position, mean in zip(result.ranking, means, strict=True):
        mean = mean.replace("-", "−")
        if measure.is_share:
            mean = measure.value(losses.mean_losses[position]).rstrip("%")
        is_best_one, mark = position == result.ranking[0], "†" * (position in tied)
        cells = [
            Cell(table.names[position], is_best_one, mark),
            Cell(mean, is_best_one),
        ]
        number = by_other.get(position)
        texts = ["--"] * (len(headers) - 2)
        if number is not None:
            texts = [*amounts[number], *_against(table, number, pivot)]
        rows.append([*cells, *map(Cell, texts)])
    return PaperTable(headers, rows, _note(result, table, tied, against, best))


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
    texts = measure.numbers(*np.concatenate([estimate, low, high]))
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
