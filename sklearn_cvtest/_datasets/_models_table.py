"""The table of many estimators over data sets: a row for each, in place of pairs."""

import numpy as np

from .._pairs._model_table import FEW_MODELS, MANY
from .._report import _document, _format
from .._report._metric_format import metric_format_of
from .._report._notes import tiers_meaning
from .._report._printed_names import in_sentences_by_name, in_tables_by_name
from .._report._shown_pairs import MOST
from ._leaders import (
    best_first,
    complete_means,
    decides_by_ranks,
    mean_ranks,
    shown_differences,
    tiers,
)
from ._pictures import is_adjusted, measure_of_data_sets


def has_models_table(result):
    """Whether so many are compared that a row for each is shown, and no pairs."""
    return result.reference is None and len(result.estimator_names) > FEW_MODELS


def models_blocks(result):
    """Return the table of estimators, and what its columns mean, as blocks."""
    order = best_first(result)
    left_out = set(range(len(result.estimator_names))) - set(order)
    rows = [*order, *sorted(left_out)][:MOST]
    names = in_tables_by_name(result.estimator_names)
    columns = {"estimator": [names[result.estimator_names[row]] for row in rows]}
    columns |= _means(result, rows)
    columns |= _behind_the_best(result, rows)
    has_tiers = len(result.estimator_names) <= MANY
    if has_tiers:
        letters = tiers(result)
        columns["tier"] = [letters.get(row, "") for row in rows]
    table = _document.table_of(columns, "Models")
    if has_tiers:
        table = _document.replace(table, align=table.align[:-1] + "<")
    n_hidden = len(result.estimator_names) - len(rows)
    legend = [_legend(result, order[0])]
    if has_tiers:
        legend.append(tiers_meaning(result.p_adjust if is_adjusted(result) else None))
    if n_hidden:
        legend.append(f"{_format.more_are(n_hidden, 'estimator')} in letters().")
    legend.append(
        "All pairs are in to_frame(), and the means on each data set in to_latex() and "
        "to_html()."
    )
    return table, _document.Sentence(" ".join(legend))


def _means(result, rows):
    """Return the columns of mean ranks and, on a common scale, of means."""
    columns = {}
    if result.has_ranks:
        ranks = mean_ranks(result)[rows]
        columns["mean rank"] = ["-" if np.isnan(r) else f"{r:.2f}" for r in ranks]
    measures = {metric_format_of(losses) for losses in result.losses.values()}
    if len(measures) == 1 and result.scale is None:
        (measure,) = measures
        means = measure.as_read(measure.sign * complete_means(result)[rows])
        columns[measure.header] = measure.numbers(*means)
    return columns


def _behind_the_best(result, rows):
    """Return the columns of the pairs with the best one."""
    names = result.estimator_names
    numbers, signs = [], []
    for row in rows[1:]:
        pair = names[row], names[rows[0]]
        is_turned = pair not in result.pairs
        numbers.append(result.pairs.index(pair[::-1] if is_turned else pair))
        signs.append(-1 if is_turned else 1)
    signs = np.array(signs)
    by, lows, highs = shown_differences(result, numbers)
    lows, highs = np.where(signs > 0, [lows, highs], [-highs, -lows])
    by, intervals = measure_of_data_sets(result).intervals(signs * by, lows, highs)
    head = "p"
    if is_adjusted(result):
        head = _format.p_head(result.p_adjust)
    pvalues = result.decisions.adjusted[numbers]
    return {
        "behind the best": ["", *by],
        f"{_format.percent(1 - result.alpha)} CI": ["", *intervals],
        head: ["", *(_format.shown_pvalue(p, result.alpha) for p in pvalues)],
    }


def _legend(result, best):
    """Return what the differences and the p-values are."""
    name = in_sentences_by_name(result.estimator_names)[result.estimator_names[best]]
    measure = measure_of_data_sets(result)
    difference = f"the difference in {measure.word} from {name}"
    if measure.is_ratio:
        difference = (
            f"by how many percent the {measure.word} is above the {measure.word} of "
            f"{name}"
        )
    return f"behind the best: {difference}, {overall(result)}."


def overall(result):
    """Return what a difference over data sets is, and by which test, in words."""
    if decides_by_ranks(result):
        return (
            "on a typical data set (Hodges and Lehmann's estimate); intervals and "
            "p-values are from Wilcoxon's signed-rank test"
        )
    return (
        "averaged over data sets; intervals and p-values are from Student's t test, as "
        "so few data sets cannot be significant by Wilcoxon's"
    )
