"""The table of models: print, page, report and tables for papers show this one."""

from dataclasses import replace

import numpy as np
from scipy import stats

from .._inference._ends import POSTERIOR
from .._pairs._model_table import MANY, Decision, decision_of, has_tiers
from .._pairs._ranking import compact_letters, ranking_of, why_no_letters
from ._document import Bold, Table, table_of
from ._format import NOTHING, level_text, p_head, percent, shown_pvalue
from ._metric_format import metric_format_of
from ._shown_pairs import (
    ahead_columns,
    most_shown,
    pair_ahead,
    reversed_sides,
    shown_pairs,
)

MAX_NAME = 14  # of the reference, in the head of a column


def models_table(result, name, *, is_whole=False):
    """Return the Table of models by one test: of many the best, the first in bold."""
    losses = result.losses
    failed = np.flatnonzero(~np.isfinite(losses.mean_losses)).tolist()
    order = [*ranking_of(losses), *failed]
    if not is_whole:
        order = order[: most_shown(result)]
    metric = metric_format_of(losses)
    means, intervals = _means(result, metric, order)
    heads = []
    cells = {}
    tied = []
    if name in result.decisions:
        decisions = result.decisions[name]
        heads, cells = _comparisons(losses, metric, decisions, order)
        if len(decisions.rows) > 2:
            tied = decisions.positions(*Decision.TIED)
    headers = [result.noun, metric.header]
    if intervals is not None:
        headers.append(f"{percent(1 - result.alpha)} CI")
    headers += heads
    rows = []
    for place, position in enumerate(order):
        model = losses.estimator_names[position]
        if position in tied:
            model += " †"
        row = [model, means[place]]
        if intervals is not None:
            row.append(intervals[place])
        row += cells.get(position, [""] * len(heads))
        rows.append(row)
    model, mean, *others = rows[0]
    rows[0] = [Bold(model), Bold(mean), *others]
    align = "<" + ">" * (len(headers) - 1)
    if has_tiers(result, result.tables[name]):
        letters = letters_by_position(result, result.tables[name])
        for row, position in zip(rows, order, strict=True):
            row.append(letters.get(position, ""))
        headers.append("tier")
        align += "<"
    return Table(headers, rows, align, label="Models")


def _means(result, metric, order):
    """Return the means as texts, and the intervals of single models, None if none."""
    losses = result.losses
    means = metric.sign * losses.mean_losses[order]
    estimated = None
    intervals = None
    # a table of posterior probabilities has no room for them
    if len(losses.estimator_names) <= MANY and not result.table.is_bayesian:
        estimated = result.estimator_intervals()
    if estimated is None:
        texts = metric.numbers(*metric.as_read(means))
    else:
        lows = estimated.ci_low[order]
        highs = estimated.ci_high[order]
        lows, highs = metric.users_ends(lows, highs)
        texts, intervals = metric.means(means, lows, highs)
    without_mean = ("nan", "inf", NOTHING)
    texts = ["failed" if text in without_mean else text for text in texts]
    return texts, intervals


def _comparisons(losses, metric, decisions, positions):
    """Return the heads and {position: cells} of what stands beside the means."""
    table = decisions.table
    effect_metric = metric.effect(table.is_by_ratio)
    if effect_metric.is_ratio and len(decisions.rows) == 2:
        heads, cells = _ratio_of_two(table, effect_metric)
    else:
        cells = _against(decisions, effect_metric, set(positions))
        heads = [_header(decisions), f"{level_text(table)} CI", *_pvalue_heads(table)]
    if losses.size_is_unknown:
        for cells_of_model in cells.values():
            cells_of_model[1] = NOTHING
    return heads, cells


def _header(decisions):
    """Return what stands above differences, or ratios."""
    if decisions.is_about_best:
        return "behind the best"
    name = decisions.table.names[decisions.reference]
    if decisions.table.is_by_ratio:
        return f"against {name}" if len(name) <= MAX_NAME else "difference"
    return f"ahead of {name}" if len(name) <= MAX_NAME else "ahead"


def _pvalue_heads(table):
    """Return what stands above p-values, or posterior probabilities."""
    if not table.is_bayesian:
        return ["p"]
    if table.test.popmean:  # the sentence has the probabilities, of other claims
        return []
    if not table.test.traits.region:
        return ["P(worse)", "P(better)"]
    return ["P(worse)", "P(equiv.)", "P(better)"]


def _against(decisions, metric, positions):
    """Return {position: cells} of the differences of some models from the reference."""
    others = [row for row in decisions.others if row.position in positions]
    effects = np.array([row.effect for row in others])
    lows, highs = np.reshape([row.interval for row in others], (-1, 2)).T
    if not (decisions.is_about_best or metric.is_ratio):
        effects, lows, highs = reversed_sides(effects, lows, highs)
    texts, intervals = metric.intervals(effects, lows, highs)
    cells = {}
    for row, text, interval in zip(others, texts, intervals, strict=True):
        if row.decision == Decision.SAME:  # nothing is known of its width
            interval = NOTHING
        pvalues = _pvalue_cells(decisions.table, row.pvalue, row.chances, row.is_bound)
        if row.decision == Decision.EQUIVALENT and row.low == row.high:
            pvalues = [NOTHING] * len(pvalues)  # identical models: by convention, 0
        cells[row.position] = [text, interval, *pvalues]
    return cells


def _ratio_of_two(table, metric):
    """Return the heads and cells of two models, as the sentence on them has it.

    The one that is ahead, or that a one-sided test is about, against the other.
    """
    position, other, *sides = pair_ahead(table)
    effect, low, high = reversed_sides(*sides)
    texts, intervals = metric.intervals([effect], [low], [high])
    if decision_of(table, 0) == Decision.SAME:
        intervals = [NOTHING]
    chances = []
    if table.is_bayesian:
        chances = [float(table.columns[column][0]) for column in POSTERIOR]
        if position == table.first[0]:  # whose being better is the first of them
            chances.reverse()
    name = table.names[other]
    header = f"against {name}" if len(name) <= MAX_NAME else "difference"
    heads = [header, f"{level_text(table)} CI", *_pvalue_heads(table)]
    pvalues = _pvalue_cells(table, table.pvalue_adjusted[0], chances)
    return heads, {position: [*texts, *intervals, *pvalues]}


def _pvalue_cells(table, pvalue, chances, is_bound=False):
    """Return a p-value, or posterior probabilities, as texts."""
    if not chances:
        return [shown_pvalue(pvalue, table.alpha, is_bound)]
    if table.test.popmean:
        return []
    worse, equal, better = (f"{chance:.3f}" for chance in chances)
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
    table = result.table
    if len(result.tables) > 1 or len(table) < 2:
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
    decisions = np.array([decision_of(table, number) for number in numbers.tolist()])
    names = np.array(table.names, dtype=object)
    first = table.first[numbers]
    second = table.second[numbers]
    effects = table.shown_effect[numbers]
    lows, highs = table.shown_intervals
    # nothing is known of the width of the interval of losses that are the same
    is_unknown = (decisions == Decision.SAME) | result.losses.size_is_unknown
    lows = np.where(is_unknown, np.nan, lows[numbers])
    highs = np.where(is_unknown, np.nan, highs[numbers])
    metric = metric_format_of(result.losses)
    columns = ahead_columns(
        metric.effect(table.is_by_ratio),
        level_text(table),
        names[first],
        names[second],
        (effects, lows, highs),
        table.is_symmetric,
    )
    is_flipped = columns["ahead"] != names[first]
    if table.is_bayesian:
        columns |= _posterior_columns(table, numbers, is_flipped)
    else:
        pvalues = [shown_pvalue(p, table.alpha) for p in table.pvalue_adjusted[numbers]]
        # of identical models, 0 by convention
        are_identical = (decisions == Decision.EQUIVALENT) & (lows == highs)
        for place in np.flatnonzero(are_identical):
            pvalues[place] = NOTHING
        columns[p_head(table.p_adjust if table.is_adjusted else None)] = pvalues
    behind = np.where(is_flipped, first, second)
    is_worse = (decisions == Decision.BETTER) & (table.winner[numbers] == behind)
    columns["decision"] = np.where(is_worse, Decision.WORSE, decisions)
    block = table_of(columns, "Pairs", n_left=2)
    return replace(block, align=block.align[:-1] + "<")


def _posterior_columns(table, numbers, is_flipped):
    """Return the probabilities that either of a pair is better, as texts by head."""
    first, equal, second = (table.columns[name][numbers] for name in POSTERIOR)
    chances = {
        "P(first)": np.where(is_flipped, second, first),
        "P(equivalent)": equal,
        "P(second)": np.where(is_flipped, first, second),
    }
    if not table.test.traits.region:
        del chances["P(equivalent)"]
    columns = {}
    for head, probabilities in chances.items():
        columns[head] = [f"{probability:.3f}" for probability in probabilities]
    return columns
