"""The pictures of a comparison over data sets, for its page."""

import numpy as np

from .._display._differences import ComparisonDisplay
from .._display._pictures import picture_of, picture_of_display
from .._report._plot_words import axis_words, factor_of
from .._report._rows import pairs_shown
from ._forest import DatasetDisplay
from ._measure import measure_of_data_sets, pooled_level
from ._rank_display import draw_critical_differences

MAX_FORESTS = 6  # of pairs
MAX_ROWS = 200  # of all these together, but for the first


def dataset_pictures(result):
    """Return pictures of a comparison over data sets.

    For more than two estimators the mean differences and the mean ranks, then pairs on
    each data set: those with the smallest p-values, fewer for many data sets.
    """
    pictures = []
    if len(result.estimator_names) > 2:
        pictures.append(_mean_differences(result))
        if result.has_ranks:
            pictures.append(_mean_ranks(result.ranks()))
    n_forests = min(max(MAX_ROWS // len(result.datasets), 1), MAX_FORESTS)
    order = np.argsort(result.pvalues_adjusted, kind="stable")[:n_forests]
    for first, second in (result.pairs[row] for row in order.tolist()):
        picture = picture_of_display(
            DatasetDisplay.of_comparison(result, first, second),
            f"Difference of {first} and {second} on each data set",
            "With intervals, not adjusted; below the line the mean over data sets.",
        )
        pictures.append(picture)
    return pictures


def _mean_differences(result):
    """Return the forest plot of the differences averaged over data sets."""
    shown, measure = np.array(pairs_shown(result)), measure_of_data_sets(result)
    order = shown[np.argsort(-result.synthesis.estimate[shown], kind="stable")]
    first, second = zip(*(result.pairs[row] for row in order.tolist()), strict=True)
    display = ComparisonDisplay(
        first=first,
        second=second,
        estimate=result.synthesis.estimate[order],
        ci_low=result.intervals[order, 0],
        ci_high=result.intervals[order, 1],
        pvalue=result.pvalues_adjusted[order],
        p_adjust=result.p_adjust,
        alpha=result.alpha,
        xlabel=axis_words(measure, pooled_level(result)),
        factor=factor_of(measure),
    )
    return picture_of_display(
        display,
        "Mean differences over data sets",
        "Random-effects means with intervals that are not adjusted.",
    )


def _mean_ranks(ranks):
    """Return the critical-difference diagram."""
    return picture_of(
        lambda ax: draw_critical_differences(
            list(ranks.estimator_names),
            ranks.mean_ranks,
            ranks.nemenyi_pvalues,
            ranks.alpha,
            ax,
            fit=True,
        ),
        "Mean ranks over data sets",
        "1 is the best. A bar joins those whose mean ranks do not differ significantly "
        "by Nemenyi's test.",
    )
