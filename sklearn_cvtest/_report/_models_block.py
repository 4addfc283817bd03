"""The table of models: print, page, report and tables for papers show this one."""

from dataclasses import replace

import numpy as np
from scipy import stats

from .._inference._ends import POSTERIOR
from .._pairs._model_table import (
    BETTER,
    EQUIVALENT,
    MANY,
    SAME,
    TIED,
    WORSE,
    ModelRow,
    decision_of,
    has_tiers,
    names_pairs_only,
)
from .._pairs._ranking import compact_letters, ranking_of, why_no_letters
from ._document import Bold, Table, table_of
from ._findings import is_bayesian
from ._format import level_text, p_head, percent, shown_pvalue
from ._measure import NOTHING, effect_measure, is_ratio, measure_of, users_ends
from ._shown_pairs import ahead_columns, most_shown, pair_ahead, shown_pairs, turned

MAX_NAME = 14  # of the reference, in the head of a column
MARK = "†"


def models_table(result, name, *, is_whole=False):
    """Return the Table of models by one test: of many the best, the first in bold."""
    losses, measure = result.losses, measure_of(result.losses)
    failed = np.flatnonzero(~np.isfinite(losses.mean_losses)).tolist()
    order = [*ranking_of(losses), *failed][: None if is_whole else most_shown(result)]
    means, *intervals = _means(result, measure, order)
    headers = [result.noun, measure.header]
    headers += [f"{percent(1 - result.alpha)} CI"] * len(intervals)
    against, tied, heads = {}, [], []
    if not names_pairs_only(result, result.tables[name]):
        decisions = result.decisions[name]
        effect = effect_measure(losses, decisions.table)
        if is_ratio(effect) and len(decisions.rows) == 2:
            against, heads = _ratio_of_two(decisions.table, effect)
        else:
            against, heads = _against(decisions, effect, set(order)), _heads(decisions)
        if losses.size_is_unknown:
            for cells in against.values():
                cells[1] = NOTHING
        tied = decisions.positions(*TIED) if len(decisions.rows) > 2 else []
    names = [losses.estimator_names[i] for i in order]
    for row, position in enumerate(order):
        if position in tied:
            names[row] += f" {MARK}"
    names[0], means[0] = Bold(names[0]), Bold(means[0])
    comparisons = [against.get(i, [""] * len(heads)) for i in order]
    rows = zip(names, means, *intervals, comparisons, strict=True)
    rows = [[*row, *others] for *row, others in rows]
    headers += heads
    align = "<" + ">" * (len(headers) - 1)
    if has_tiers(result, result.tables[name]):
        letters = letters_by_position(result, result.tables[name])
        for row, position in zip(rows, order, strict=True):
            row.append(letters.get(position, ""))
        headers.append("tier")
        align += "<"
    return Table(headers, rows, align, label="Models")


def _means(result, measure, order):
    """Return the means, and the intervals of single models if there are, as texts."""
    losses, intervals = result.losses, None
    means = measure.sign * losses.mean_losses[order]
    # a table of posterior probabilities has no room for them
    if len(losses.estimator_names) <= MANY and not is_bayesian(result.table):
        intervals = result.estimator_intervals()
    if intervals is None:
        texts = measure.numbers(*measure.as_read(means))
        return [list(map(_or_nothing, texts))]
    ends = users_ends(losses, intervals.ci_low[order], intervals.ci_high[order])
    means, ranges = measure.means(means, *ends)
    return [list(map(_or_nothing, means)), ranges]


def _or_nothing(text):
    return "failed" if text in ("nan", "inf", NOTHING) else text


def _heads(decisions):
    """Return the heads of what stands beside the means."""
    table = decisions.table
    name = table.names[decisions.pivot]
    against = f"ahead of {name}" if len(name) <= MAX_NAME else "ahead"
    if table.is_by_ratio:
        against = f"against {name}" if len(name) <= MAX_NAME else "difference"
    if decisions.is_about_best:
        against = "behind the best"
    heads = [against, f"{level_text(table)} CI"]
    if not is_bayesian(table):
        return [*heads, "p"]
    if table.test.popmean:  # the sentence has the probabilities, of other claims
        return heads
    if not table.test.traits.region:
        return [*heads, "P(worse)", "P(better)"]
    return [*heads, "P(worse)", "P(equiv.)", "P(better)"]


def _against(decisions, measure, positions):
    """Return {position: cells} of differences of some models from the pivot."""
    table = decisions.table
    others = [row for row in decisions.others if row.position in positions]
    numbers = np.array([(row.effect, *row.interval) for row in others])
    numbers = numbers.reshape(-1, 3).T
    if not (decisions.is_about_best or is_ratio(measure)):
        numbers = -numbers[[0, 2, 1]]
    cells = {}
    for row, by, ci in zip(others, *measure.intervals(*numbers), strict=True):
        ci = NOTHING if row.decision == SAME else ci  # nothing is known of its width
        chances = _chances(table, row)
        if row.decision == EQUIVALENT and row.low == row.high:
            chances = [NOTHING] * len(chances)  # identical models: by convention, 0
        cells[row.position] = [by, ci, *chances]
    return cells


def _ratio_of_two(table, measure):
    """Return the cells and heads of two models, as the sentence on them has it.

    The one that is ahead, or that a one-sided test is about, against the other.
    """
    position, other, *sides = pair_ahead(table)
    (by,), (ci,) = measure.intervals(*([side] for side in turned(*sides)))
    decision = decision_of(table, 0)
    if decision == SAME:
        ci = NOTHING
    row = ModelRow(position, decision, pvalue=float(table.pvalue_adjusted[0]))
    if table.test.traits.decides == "posterior":
        chances = [float(table.columns[column][0]) for column in POSTERIOR]
        # the first is that the first of the pair is better
        row = replace(row, chances=chances[:: -1 if position == table.first[0] else 1])
    name = table.names[other]
    against = f"against {name}" if len(name) <= MAX_NAME else "difference"
    heads = [against, f"{level_text(table)} CI"]
    heads += ["P(worse)", "P(better)"] if is_bayesian(table) else ["p"]
    return {position: [by, ci, *_chances(table, row)]}, heads


def _chances(table, row):
    """Return the p-value of a row, or its posterior probabilities, as texts."""
    if not row.chances:
        return [shown_pvalue(row.pvalue, table.alpha, row.is_bound)]
    if table.test.popmean:
        return []
    worse, equal, better = (f"{chance:.3f}" for chance in row.chances)
    if not table.test.traits.region:
        return [worse, better]
    return [worse, equal, better]


# Numbers of a data frame -------------------------------------------------------------


def estimator_columns(result):
    """Return the columns of a summary, by mean loss, failed ones last."""
    losses = result.losses
    blocks = losses.block_losses[losses.design.full]
    means = -losses.mean_losses if losses.is_score else losses.mean_losses
    finite = np.where(np.isfinite(means), losses.mean_losses, np.nan)
    ranks = stats.rankdata(finite, "min", nan_policy="omit")
    columns = {
        "estimator": np.array(losses.estimator_names, dtype=object),
        "mean": means,
        "std": np.std(blocks, axis=0, ddof=min(1, len(blocks) - 1)),
        "fit_seconds": losses.fit_time.sum(axis=0),
        "rank": ranks,
    }
    order = np.argsort(ranks, kind="stable")
    return {name: values[order] for name, values in columns.items()}


def letters_by_position(result, table):
    """Return {position: letters} of models, the best first, without failed ones."""
    ranking = ranking_of(result.losses)
    return dict(zip(ranking, compact_letters(table, ranking), strict=True))


def shown_letters(result):
    """Return letters by estimator if there is one set of them, else None."""
    table, *others = result.tables.values()
    if others or len(table) < 2:
        return None
    if why_no_letters(table.test, result.reference):
        return None
    letters = letters_by_position(result, table)
    return {table.names[position]: group for position, group in letters.items()}


# The pairs ---------------------------------------------------------------------------


def pairs_block(result, name, pairs):
    """Return the Table of pairs: the one that is ahead first.

    Parameters
    ----------
    result : PairwiseResult
        The comparison.
    name : str
        The name of the test.
    pairs : {"best", "all"}, list of pairs or None
        The pairs to show.
    """
    table, numbers = shown_pairs(result, result.tables[name], pairs)
    measure = effect_measure(result.losses, table)
    names = np.array(table.names, dtype=object)
    columns = table.first, table.second, table.shown_effect, *table.shown_intervals
    first, second, *sides = (column[numbers] for column in columns)
    decisions = [decision_of(table, number) for number in numbers.tolist()]
    is_same = np.array(decisions) == SAME  # nothing is known of its width
    is_same |= result.losses.size_is_unknown
    sides = sides[0], *(np.where(is_same, np.nan, end) for end in sides[1:])
    level = level_text(table)
    columns = ahead_columns(
        measure, level, names[first], names[second], *sides, table.is_symmetric
    )
    is_turned = columns["ahead"] != names[first]
    pvalues = table.pvalue_adjusted[numbers]
    pvalues = [shown_pvalue(value, table.alpha) for value in pvalues]
    for place, decision in enumerate(decisions):
        if decision == EQUIVALENT and sides[1][place] == sides[2][place]:
            pvalues[place] = NOTHING  # of identical models, 0 by convention
    columns_of_p = {p_head(table.p_adjust if table.is_adjusted else None): pvalues}
    if is_bayesian(table):
        chances = np.array([table.columns[name][numbers] for name in POSTERIOR])
        chances = np.where(is_turned, chances[::-1], chances)
        heads = "P(first)", "P(equivalent)", "P(second)"
        columns_of_p = {
            h: [f"{p:.3f}" for p in probabilities]
            for h, probabilities in zip(heads, chances, strict=True)
        }
        if not table.test.traits.region:
            del columns_of_p["P(equivalent)"]
    is_behind = table.winner[numbers] == np.where(is_turned, first, second)
    decisions = [
        WORSE if decision == BETTER and is_worse else decision
        for decision, is_worse in zip(decisions, is_behind, strict=True)
    ]
    block = table_of(
        columns | columns_of_p | {"decision": decisions}, "Pairs", n_left=2
    )
    return replace(block, align=block.align[:-1] + "<")
