"""The table of models: print, page, report and tables for papers show this one."""

import numpy as np
from scipy import stats

from .._pairs._models import (
    BETTER,
    MANY,
    TIED,
    WORSE,
    decision_of,
    names_pairs_only,
)
from .._pairs._ranking import compact_letters, why_no_letters
from ._document import Cell, PaperTable, Table
from ._format import level_text, shown_pvalue
from ._measure import measure_of, narrowest, users_ends
from ._rows import most_shown

MAX_NAME = 14  # of the reference, in the head of a column
MARK, NOTHING = "†", "–"


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
    order = [*result.ranking, *_failed(result)][:most]
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
    lows, highs = users_ends(losses, found.ci_low[order], found.ci_high[order])
    texts = measure.numbers(*means, *lows, *highs, width=narrowest(lows, highs))
    k = len(order)
    means, lows, highs = texts[:k], texts[k : 2 * k], texts[2 * k :]
    ranges = [
        NOTHING if "nan" in (low, high) else f"{low} to {high}"
        for low, high in zip(lows, highs, strict=True)
    ]
    return [list(map(_or_nothing, means)), ranges]


def is_posterior(result):
    """Whether posterior probabilities decide."""
    return next(iter(result.tables.values())).test.traits.decides == "posterior"


def _or_nothing(text):
    return "failed" if text in ("nan", "inf") else text


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
    equal = ["P(equiv.)"] * bool(table.test.traits.region)
    return [against, interval, "P(worse)", *equal, "P(better)"]


def _against(found, measure, positions):
    """Return {position: cells} of differences of some models from the pivot."""
    table, others = found.table, [r for r in found.others if r.position in positions]
    numbers = [(row.difference, *row.interval) for row in others]
    if not found.is_about_best:
        numbers = [(-d, -high, -low) for d, low, high in numbers]
    flat = np.ravel(numbers).tolist()
    width = narrowest(*np.transpose(numbers)[1:]) if numbers else None
    texts = iter(measure.numbers(*flat, width=width))
    cells = {}
    for row in others:
        difference, low, high = next(texts), next(texts), next(texts)
        interval = f"{low} to {high}"
        if "inf" in low and "inf" in high:
            interval = NOTHING
        elif "inf" in low or "inf" in high:
            interval = f"≤ {high}" if "inf" in low else f"≥ {low}"
        cells[row.position] = [difference, interval, *_chances(table, row)]
    return cells


def _chances(table, row):
    """Return the p-value of a row, or its posterior probabilities, as texts."""
    if row.chances:
        worse, equal, better = (f"{chance:.3f}" for chance in row.chances)
        return [worse, *[equal] * bool(table.test.traits.region), better]
    text = shown_pvalue(row.pvalue, table.alpha)
    return [text if text[0] == "<" else "≤ " * row.is_bound + text]


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
    table, *others = result.tables.values()
    if others or len(table) < 2 or len(result.ranking) > most:
        return None
    if why_no_letters(table.test, result.reference):
        return None
    letters = compact_letters(table, result.ranking)
    names = [table.names[position] for position in result.ranking]
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
    estimate, (low, high) = table.estimate, table.shown_intervals
    turned = (estimate < 0) & table.is_symmetric  # the better one first
    first = np.where(turned, table.first, table.second)
    second = np.where(turned, table.second, table.first)
    sign = np.where(turned, -1, 1)
    ends = np.where(turned, -high, low), np.where(turned, -low, high)
    flat = np.column_stack([sign * estimate, *ends])[numbers]
    texts = iter(measure.numbers(*flat.ravel().tolist(), width=narrowest(*flat.T[1:])))
    is_bayesian = table.test.traits.decides == "posterior"
    p = f"p ({table.p_adjust})" if table.is_adjusted else "p"
    region = bool(table.test.traits.region)
    chances = ["P(first)", *["P(equivalent)"] * region, "P(second)"]
    headers = [result.noun, "ahead of", f"by{' (points)' * measure.is_share}"]
    headers += [f"{level_text(table)} CI", *(chances if is_bayesian else [p])]
    rows = []
    for number in numbers.tolist():
        by, start, stop = next(texts), next(texts), next(texts)
        shown = [shown_pvalue(table.pvalue_adjusted[number], table.alpha)]
        if is_bayesian:
            sides = ["prob_less", *["prob_rope"] * region, "prob_greater"]
            sides = sides if turned[number] else sides[::-1]
            shown = [f"{table.columns[side][number]:.3f}" for side in sides]
        decision = decision_of(table, number)
        if decision == BETTER and table.winner[number] == second[number]:
            decision = WORSE
        pair = names[first[number]], names[second[number]]
        rows.append([*pair, by, f"{start} to {stop}", *shown, decision])
    headers.append("decision")
    return Table(headers, rows, "<<" + ">" * (len(headers) - 3) + "<", label="Pairs")
