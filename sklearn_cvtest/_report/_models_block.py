"""The table of models: print, page, report and tables for papers show this one."""

from dataclasses import replace

import numpy as np
from scipy import stats

from .._inference._ends import POSTERIOR
from .._pairs._model_table import MANY, Decision, decision_of, has_tiers
from .._pairs._ranking import ranking_of, why_no_letters
from ._document import Bold, Table, table_of
from ._format import NOTHING, level_text, p_head, percent, shown_pvalue
from ._metric_format import metric_format_of
from ._shown_pairs import (
    ahead_columns,
    most_shown,
    reversed_sides,
    shown_pairs,
)

MAX_NAME = 14  # of the reference, in the head of a column


def models_table(result, name, *, is_whole=False):
    """Return the Table of models by one test, the first in bold; of many, the best."""
    losses = result.losses
    failed = np.flatnonzero(~np.isfinite(losses.mean_losses)).tolist()
    order = [*ranking_of(losses), *failed]
    if not is_whole:
        order = order[: most_shown(result)]
    metric = metric_format_of(losses)
    means, intervals = _means(result, metric, order)
    headers = [result.noun, metric.header]
    rows = []
    for position, mean in zip(order, means, strict=True):
        rows.append([losses.estimator_names[position], mean])
    if intervals is not None:
        headers.append(f"{percent(1 - result.alpha)} CI")
        for row, interval in zip(rows, intervals, strict=True):
            row.append(interval)
    if name in result.decisions:
        decisions = result.decisions[name]
        heads, cells = _comparisons(losses, metric, decisions, order)
        headers += heads
        empty_cells = [""] * len(heads)
        tied = decisions.positions(*Decision.TIED)
        for row, position in zip(rows, order, strict=True):
            row += cells.get(position, empty_cells)
            if position in tied and len(decisions.rows) > 2:
                row[0] += " †"
    rows[0][0] = Bold(rows[0][0])
    rows[0][1] = Bold(rows[0][1])
    align = "<" + ">" * (len(headers) - 1)
    if has_tiers(result, result.tables[name]):
        headers.append("tier")
        align += "<"
        letters = result.letters_by_position()
        for row, position in zip(rows, order, strict=True):
            row.append(letters.get(position, ""))
    return Table(headers, rows, align, label="Models")


def _means(result, metric, order):
    """Return the means as texts, and the intervals of single models, None if none."""
    losses = result.losses
    means = metric.sign * losses.mean_losses[order]
    single_models = None
    # a table of posterior probabilities has no room for intervals of single models
    if len(losses.estimator_names) <= MANY and not result.table.is_bayesian:
        single_models = result.estimator_intervals()
    if single_models is None:
        numbers = metric.numbers(*metric.as_read(means))
        intervals = None
    else:
        lows, highs = metric.users_ends(
            single_models.ci_low[order], single_models.ci_high[order]
        )
        numbers, intervals = metric.means(means, lows, highs)
    texts = []
    for number in numbers:
        has_failed = number in ("nan", "inf", NOTHING)
        texts.append("failed" if has_failed else number)
    return texts, intervals


def _comparisons(losses, metric, decisions, positions):
    """Return the heads and {position: cells} of what stands beside the means."""
    table = decisions.table
    effect_metric = metric.effect(table.is_by_ratio)
    cells = _against(decisions, effect_metric, set(positions))
    heads = [_header(decisions), f"{level_text(table)} CI", *_pvalue_heads(table)]
    if losses.size_is_unknown:
        for cells_of_model in cells.values():
            cells_of_model[1] = NOTHING  # the interval
    return heads, cells


def _header(decisions):
    """Return what stands above differences, or ratios."""
    if decisions.is_about_best:
        return "behind the best"
    name = decisions.table.names[decisions.reference]
    if decisions.table.is_by_ratio:
        return f"against {name}" if len(name) <= MAX_NAME else "difference"
    if len(name) > MAX_NAME:
        return "ahead"
    return f"ahead of {name}"


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
    lows = np.array([row.low for row in others])
    highs = np.array([row.high for row in others])
    if not (decisions.is_about_best or metric.is_ratio):
        effects, lows, highs = reversed_sides(effects, lows, highs)
    texts, intervals = metric.intervals(effects, lows, highs)
    cells = {}
    for number, row in enumerate(others):
        interval = intervals[number]
        if row.decision == Decision.SAME:  # nothing is known of its width
            interval = NOTHING
        pvalues = _pvalue_cells(decisions.table, row.pvalue, row.chances)
        are_identical = lows[number] == highs[number]
        if row.decision == Decision.EQUIVALENT and are_identical:
            pvalues = [NOTHING] * len(pvalues)  # they are 0 by convention
        cells[row.position] = [texts[number], interval, *pvalues]
    return cells


def _pvalue_cells(table, pvalue, chances):
    """Return a p-value, or posterior probabilities, as texts."""
    if not chances:
        return [shown_pvalue(pvalue, table.alpha)]
    if table.test.popmean:
        return []
    worse, equal, better = chances
    if not table.test.traits.region:
        return [f"{worse:.3f}", f"{better:.3f}"]
    return [f"{worse:.3f}", f"{equal:.3f}", f"{better:.3f}"]


# Numbers of a data frame -------------------------------------------------------------


def estimator_columns(result):
    """Return the columns of a summary, by mean loss, failed ones last."""
    losses = result.losses
    blocks = losses.block_losses[losses.design.full]
    mean_losses = losses.mean_losses
    means = -mean_losses if losses.is_score else mean_losses
    ranked_losses = np.where(np.isfinite(mean_losses), mean_losses, np.nan)
    ranks = stats.rankdata(ranked_losses, "min", nan_policy="omit")
    columns = {
        "estimator": np.array(losses.estimator_names, dtype=object),
        "mean": means,
        "std": np.std(blocks, axis=0, ddof=min(1, len(blocks) - 1)),
        "fit_seconds": losses.fit_time.sum(axis=0),
        "rank": ranks,
    }
    order = np.argsort(ranks, kind="stable")
    return {name: values[order] for name, values in columns.items()}


def shown_letters(result):
    """Return letters by estimator if there is one set of them, else None."""
    table = result.table
    if len(result.tables) > 1 or len(table) < 2:
        return None
    if why_no_letters(table.test, result.reference):
        return None
    letters = result.letters_by_position()
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
        # p-values of identical models are 0 by convention
        are_identical = (decisions == Decision.EQUIVALENT) & (lows == highs)
        for place in np.flatnonzero(are_identical):
            pvalues[place] = NOTHING
        p_adjust = table.p_adjust if table.is_adjusted else None
        columns[p_head(p_adjust)] = pvalues
    behind = np.where(is_flipped, first, second)
    is_worse = (decisions == Decision.BETTER) & (table.winner[numbers] == behind)
    columns["decision"] = np.where(is_worse, Decision.WORSE, decisions)
    block = table_of(columns, "Pairs", n_left=2)
    return replace(block, align=block.align[:-1] + "<")


def _posterior_columns(table, numbers, is_flipped):
    """Return the probabilities that either of a pair is better, as texts by head."""
    first_column, equal_column, second_column = POSTERIOR
    first = table.columns[first_column][numbers]
    second = table.columns[second_column][numbers]
    chances = {
        "P(first)": np.where(is_flipped, second, first),
        "P(equivalent)": table.columns[equal_column][numbers],
        "P(second)": np.where(is_flipped, first, second),
    }
    if not table.test.traits.region:
        del chances["P(equivalent)"]
    columns = {}
    for head, probabilities in chances.items():
        columns[head] = [f"{probability:.3f}" for probability in probabilities]
    return columns
