"""The pictures of a comparison over data sets, for its page."""

from __future__ import annotations

from functools import partial

import numpy as np

from .._display._axis_texts import axis_words, scale_of
from .._display._forest import ForestRows, by_pvalues, draw_forest, forest_size
from .._display._page_pictures import picture_of
from .._report._format import percent
from .._report._metric_format import MetricFormat, metric_format_of
from .._report._shown_pairs import pairs_shown
from .._validation import check_option
from ._leaders import decides_by_ranks, shown_differences


def measure_of_data_sets(result):
    """Return the measure of what is averaged over data sets, or of their ratios."""
    measures = {metric_format_of(losses) for losses in result.losses.values()}
    if len(measures) > 1:  # of data sets with other losses
        measures = {MetricFormat("mean loss", False, 1)}
    (measure,) = measures
    return measure.effect(result.scale == "log")


def is_adjusted(result):
    """Whether p-values are adjusted for the number of pairs."""
    return result.p_adjust is not None and len(result.pairs) > 1


def overall_words(result):
    """Return what a difference over data sets is: a mean, or of a typical one."""
    return "typical data set" if decides_by_ranks(result) else "mean over data sets"


def pair_rows(result, first=None, second=None):
    """Return the ForestRows of a pair, the first of no names.

    The data sets are in the order of their differences, what decides is last.
    """
    pair = _check_pair(result.pairs, first, second)
    row = result.pairs.index(pair)
    datasets = np.flatnonzero(result.present[row])
    order = datasets[np.argsort(result.estimates[row, datasets], kind="stable")[::-1]]
    pvalues = [*result.dataset_pvalues[row, order], *result.decisions.adjusted[[row]]]
    overall, low, high = shown_differences(result, [row])
    measure = measure_of_data_sets(result)
    return ForestRows(
        np.append(result.estimates[row, order], overall),
        np.append(result.ci_low[row, order], low),
        np.append(result.ci_high[row, order], high),
        [*(str(result.datasets[i]) for i in order), overall_words(result)],
        axis_words(measure, f"{percent(1 - result.alpha)} CI", pair=pair),
        **by_pvalues(pvalues, result.alpha),
        **scale_of(measure),
        has_mean=True,
    )


def draw_pair(result, first, second, ax=None):
    """Draw a pair; see :meth:`DatasetComparison.plot`."""
    rows = pair_rows(result, first, second)
    return draw_forest(rows, ax, "DatasetComparison.plot")[0]


def _check_pair(pairs, first, second):
    """Return a pair that was compared; of no names, the first."""
    if first is None and second is None:
        return pairs[0]
    check_option("first", first, list(dict.fromkeys(name for name, _ in pairs)))
    check_option("second", second, [other for name, other in pairs if name == first])
    return first, second


def rank_rows(ranks):
    """Return the ForestRows of a RankComparison."""
    half = ranks.critical_difference / 2
    means = ranks.mean_ranks
    decided = by_pvalues(ranks.nemenyi_pvalues[0], ranks.alpha)
    decided["texts"][0] = ""  # of the best against itself
    return ForestRows(
        means,
        means - half,
        means + half,
        list(ranks.estimator_names),
        "mean rank ± half of Nemenyi's critical difference\n← better | worse →",
        **decided,
        has_zero=False,
    )


MAX_FORESTS = 6  # of pairs
MAX_ROWS = 200  # of all these together, but for the first


def dataset_pictures(result):
    """Return pictures of a comparison over data sets.

    For more than two estimators the differences and the mean ranks, then pairs on
    each data set: those with the smallest p-values, fewer for many data sets.
    """
    pictures = []
    if len(result.estimator_names) > 2:
        pictures.append(_picture_of_means(result))
        if result.has_ranks:
            pictures.append(_picture_of_ranks(result))
    n_forests = min(max(MAX_ROWS // len(result.datasets), 1), MAX_FORESTS)
    order = np.argsort(result.decisions.pvalues, kind="stable")[:n_forests]
    for row in order.tolist():
        pictures.append(_picture_of_pair(result, *result.pairs[row]))
    return pictures


def _picture_of_means(result):
    rows = _rows_of_pairs(result)
    return picture_of(
        partial(draw_forest, rows),
        "Differences over data sets",
        "With the intervals of the test that decides, adjusted as its p-values are.",
        forest_size(rows),
    )


def _picture_of_ranks(result):
    ranks = result.ranks()
    rows = rank_rows(ranks)
    return picture_of(
        partial(draw_forest, rows),
        "Mean ranks over data sets",
        "1 is the best; p is Nemenyi's, against the first.",
        forest_size(rows),
    )


def _picture_of_pair(result, first, second):
    rows = pair_rows(result, first, second)
    return picture_of(
        partial(draw_forest, rows),
        f"Difference of {first} and {second} on each data set",
        "With intervals; below the line what decides over data sets.",
        forest_size(rows),
    )


def _rows_of_pairs(result):
    """Return the ForestRows of the differences averaged over data sets."""
    rows = np.array(pairs_shown(result))
    measure = measure_of_data_sets(result)
    differences, lows, highs = shown_differences(result, rows)
    order = np.argsort(-differences, kind="stable")
    adjusted = result.decisions.adjusted[rows[order]]
    return ForestRows(
        differences[order],
        lows[order],
        highs[order],
        [" − ".join(result.pairs[row]) for row in rows[order].tolist()],
        axis_words(measure, f"{percent(1 - result.alpha)} CI"),
        **by_pvalues(adjusted, result.alpha, result.p_adjust),
        **scale_of(measure),
    )
