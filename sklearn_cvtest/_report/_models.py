"""The table of models: print, page, report and tables for papers show this one."""

import numpy as np
from scipy import stats

from .._pairs._models import (
    BETTER,
    MANY,
    SAME,
    TIED,
    WORSE,
    decision_of,
    names_pairs_only,
)
from .._pairs._ranking import compact_letters, ranking_of, why_no_letters
from ._document import Cell, PaperTable, Table
from ._format import level_text, shown_pvalue
from ._measure import NOTHING, measure_of, users_ends
from ._rows import ahead_first, most_shown

MAX_NAME = 14  # of the reference, in the head of a column
MARK = "†"


def models_block(result, name):
    """Return the Table of models that is printed, by one test."""
    headers, rows = _cells(result, name, most_shown(result))
    rows = [
        [row[0].text + f" {row[0].mark}" * bool(row[0].mark), *row[1:]] for row in rows
    ]
    align = "<" + ">" * (len(headers) - 1)
    return Table(headers, rows, align, label="Models")


def paper_table(result, note, name=None):
    """Return the PaperTable of a comparison: a row for each model, the best in bold.

    `name` names a test; None: the first.
    """
    name = next(iter(result.tables)) if name is None else name
    headers, rows = _cells(result, name)
    cells = []
    for number, (first, mean, *rest) in enumerate(rows):
        best = Cell(first.text, not number, first.mark), Cell(mean, not number)
        cells.append([*best, *map(Cell, rest)])
    headers = [head[0].upper() + head[1:] if head != "p" else head for head in headers]
    return PaperTable(headers, cells, note)


def _cells(result, name, most=None):
    """Return the heads, and rows of a Cell and texts, at most so many."""
    losses, measure = result.losses, measure_of(result.losses)
    found = (
        None
        if names_pairs_only(result, result.tables[name])
        else result.decisions[name]
    )
    order = [*ranking_of(result.losses), *_failed(result)][:most]
    shown = losses.estimator_names
    intervals = _interval_columns(result, measure, order)
    headers = [result.noun, measure.header]
    headers += [f"{100 * (1 - result.alpha):g}% CI"] * (len(intervals) - 1)
    against, tied = {}, []
    if found is not None:
        against = _against(found, measure, set(order))
        headers += _heads(result, found)
        tied = found.positions(*TIED) if len(shown) > 2 else []
    rows = []
    for number, position in enumerate(order):
        rest = against.get(position, [""] * (len(headers) - 1 - len(intervals)))
        first = Cell(shown[position], False, MARK * (position in tied))
        rows.append([first, *(column[number] for column in intervals), *rest])
    return headers, rows


def _failed(result):
    return np.flatnonzero(~np.isfinite(result.losses.mean_losses)).tolist()


def _interval_columns(result, measure, order):
    """Return the means, and the intervals of single models if there are, as texts."""
    losses = result.losses
    means = measure.sign * losses.mean_losses[order]
    found = None
    is_bayesian = is_posterior(result)  # its table has no room for them
    if len(losses.estimator_names) <= MANY and not is_bayesian:
        found = result.estimator_intervals()
    if found is None:
        return [[_or_nothing(text) for text in measure.numbers(*means)]]
    ends = users_ends(losses, found.ci_low[order], found.ci_high[order])
    means, ranges = measure.intervals(means, *ends)
    return [list(map(_or_nothing, means)), ranges]


def is_posterior(result):
    """Whether posterior probabilities decide."""
    return next(iter(result.tables.values())).test.traits.decides == "posterior"


def _or_nothing(text):
    return "failed" if text in ("nan", "inf", NOTHING) else text


def _heads(result, found):
    """Return the heads of what stands beside the means."""
    table = found.table
    name = table.names[found.pivot]
    against = f"ahead of {name}" if len(name) <= MAX_NAME else "ahead"
    if found.is_about_best:
        against = "behind the best"
    interval = f"{level_text(table)} CI"
    if table.test.traits.decides != "posterior":
        return [against, interval, "p"]
    if table.test.popmean:  # the sentence has the probabilities, of other claims
        return [against, interval]
    equal = ["P(equiv.)"] * bool(table.test.traits.region)
    return [against, interval, "P(worse)", *equal, "P(better)"]


def _against(found, measure, positions):
    """Return {position: cells} of differences of some models from the pivot."""
    table, others = found.table, [r for r in found.others if r.position in positions]
    numbers = np.array([(row.difference, *row.interval) for row in others])
    numbers = numbers.reshape(-1, 3).T
    if not found.is_about_best:
        numbers = -numbers[[0, 2, 1]]
    cells = {}
    for row, by, ci in zip(others, *measure.intervals(*numbers), strict=True):
        ci = NOTHING if row.decision == SAME else ci  # nothing is known of its width
        cells[row.position] = [by, ci, *_chances(table, row)]
    return cells


def _chances(table, row):
    """Return the p-value of a row, or its posterior probabilities, as texts."""
    if row.chances and table.test.popmean:
        return []
    if row.chances:
        worse, equal, better = (f"{chance:.3f}" for chance in row.chances)
        return [worse, *[equal] * bool(table.test.traits.region), better]
    return [shown_pvalue(row.pvalue, table.alpha, row.is_bound)]


# Numbers of a data frame -------------------------------------------------------------


def estimator_rows(result):
    """Return a dict for each estimator, by mean loss, failed ones last."""
    losses = result.losses
    blocks = losses.block_losses[losses.design.full]
    means = -losses.mean_losses if losses.is_score else losses.mean_losses
    deviations = np.std(blocks, axis=0, ddof=min(1, len(blocks) - 1))
    seconds = losses.fit_time.sum(axis=0)
    finite = np.where(np.isfinite(means), losses.mean_losses, np.nan)
    ranks = stats.rankdata(finite, "min", nan_policy="omit")
    return [
        {
            "estimator": losses.estimator_names[column],
            "mean": means[column],
            "std": deviations[column],
            "fit_seconds": seconds[column],
            "rank": ranks[column],
        }
        for column in np.argsort(ranks, kind="stable")
    ]


def shown_letters(result, most=np.inf):
    """Return letters by estimator if there is one set of them, else None."""
    (table, *others), ranking = result.tables.values(), ranking_of(result.losses)
    if others or len(table) < 2 or len(ranking) > most:
        return None
    if why_no_letters(table.test, result.reference):
        return None
    letters = compact_letters(table, ranking)
    names = [table.names[position] for position in ranking]
    return dict(zip(names, letters, strict=True))


# The pairs ---------------------------------------------------------------------------


def pairs_block(result, name, shown_pairs):
    """Return the Table of pairs: the one that is ahead first.

    Parameters
    ----------
    result : PairwiseResult
        The comparison.
    name : str
        The name of the test.
    shown_pairs : callable
        Returns the table and the positions of the pairs to show.
    """
    table, numbers = shown_pairs(result, result.tables[name])
    measure, names = measure_of(result.losses), table.names
    columns = table.first, table.second, table.estimate, *table.shown_intervals
    columns = (column[numbers] for column in columns)
    ahead, behind, *sides = ahead_first(*columns, table.is_symmetric)
    by, intervals = measure.intervals(*sides)
    is_bayesian = table.test.traits.decides == "posterior"
    p = f"p ({table.p_adjust})" if table.is_adjusted else "p"
    region = bool(table.test.traits.region)
    chances = ["P(first)", *["P(equivalent)"] * region, "P(second)"]
    headers = ["ahead", "behind", f"by{' (points)' * measure.is_share}"]
    headers += [f"{level_text(table)} CI", *(chances if is_bayesian else [p])]
    rows = []
    for place, number in enumerate(numbers.tolist()):
        shown = [shown_pvalue(table.pvalue_adjusted[number], table.alpha)]
        if is_bayesian:
            sides = ["prob_less", *["prob_rope"] * region, "prob_greater"]
            sides = sides if ahead[place] == table.first[number] else sides[::-1]
            shown = [f"{table.columns[side][number]:.3f}" for side in sides]
        decision = decision_of(table, number)
        if decision == BETTER and table.winner[number] == behind[place]:
            decision = WORSE
        pair = names[ahead[place]], names[behind[place]]
        rows.append([*pair, by[place], intervals[place], *shown, decision])
    headers.append("decision")
    return Table(headers, rows, "<<" + ">" * (len(headers) - 3) + "<", label="Pairs")
