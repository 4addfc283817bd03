"""The pictures of a comparison over data sets, for its page."""

from __future__ import annotations

from functools import partial

import numpy as np

from .._display._axis_texts import axis_words, scale_of
from .._display._draw import COLORS, make_axes
from .._display._forest import ForestRows, by_pvalues, draw_forest, forest_size
from .._display._page_pictures import picture_of
from .._pairs._ranking import tied_groups
from .._report._format import percent
from .._report._metric_format import MetricFormat, metric_format_of
from .._report._printed_names import cut_names
from .._report._shown_pairs import pairs_shown
from .._validation import check_option


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


def pooled_level(result):
    """Return the level of intervals over data sets, which no p_adjust widens."""
    return f"{percent(1 - result.alpha)} CI{', not adjusted' * is_adjusted(result)}"


def pair_rows(result, first=None, second=None):
    """Return the ForestRows of a pair, the first of no names.

    The data sets are in the order of their differences, the mean is last.
    """
    pair = _check_pair(result.pairs, first, second)
    row = result.pairs.index(pair)
    datasets = np.flatnonzero(result.present[row])
    order = datasets[np.argsort(result.estimates[row, datasets], kind="stable")[::-1]]
    pvalues = [*result.dataset_pvalues[row, order], result.pvalues_adjusted[row]]
    (low, high) = result.intervals[row]
    measure = measure_of_data_sets(result)
    return ForestRows(
        np.append(result.estimates[row, order], result.synthesis.estimate[row]),
        np.append(result.ci_low[row, order], low),
        np.append(result.ci_high[row, order], high),
        [*(str(result.datasets[i]) for i in order), "mean over data sets"],
        axis_words(measure, pooled_level(result), pair=pair),
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


LONGEST = 40
# In inches: the width of the axis of ranks, heights of a name, of a bar and of what is
# above the bars, and the width of a letter.
AXIS_WIDTH = 4.2
ROW = 0.21
LEVEL = 0.11
TOP = 0.14
CHARACTER = 0.078


def draw_critical_differences(
    names, mean_ranks, pvalues, alpha=0.05, ax=None, *, fit=False
):
    """Draw mean ranks on a line, and bars over those that do not differ.

    Parameters
    ----------
    names : list of str
        Names of k estimators, all different.
    mean_ranks : ndarray of shape (k,)
        Mean ranks over data sets; 1 is best.
    pvalues : ndarray of shape (k, k)
        Adjusted p-values of all pairs, of Nemenyi's or any other test.
    alpha : float, default=0.05
        A bar joins estimators whose p-values are all above it; where it passes over
        one that does not belong to them, those that do have a dot on it.
    ax : matplotlib Axes, default=None
        Where to draw; None makes a figure with room for the names.
    fit : bool, default=False
        Whether to give the figure of `ax` the size that the names need.

    Returns
    -------
    ax : matplotlib Axes
        What was drawn on.

    Raises
    ------
    ImportError
        If matplotlib is not installed.
    """
    order = np.argsort(mean_ranks, kind="stable")
    ranks = np.asarray(mean_ranks, dtype=np.float64)[order]
    name_texts = cut_names(names, LONGEST)
    labels = [
        f"{name_texts[i]} ({rank:.2f})" for i, rank in zip(order, ranks, strict=True)
    ]
    bars = _bars(np.asarray(pvalues)[np.ix_(order, order)] > alpha, ranks)
    n_levels = 1 + max((level for level, _ in bars), default=-1)
    n_rows = (len(ranks) + 1) // 2
    height = TOP + n_levels * LEVEL + n_rows * ROW
    longest = max(map(len, labels))
    size = AXIS_WIDTH + 2 * CHARACTER * longest, height + 0.5
    ax = make_axes(ax, "A critical-difference diagram", size)
    if fit:
        ax.figure.set_size_inches(size)
    _draw_axis(ax, len(ranks), height)
    for level, group in bars:
        y = TOP + level * LEVEL
        ends = ranks[group[[0, -1]]]
        ax.plot(ends, [y, y], color="black", linewidth=3.5, solid_capstyle="butt")
        if np.any(np.diff(group) > 1):
            ax.plot(ranks[group], np.full(len(group), y), "o", color="black", ms=5)
    _draw_names(ax, ranks, labels, TOP + n_levels * LEVEL)
    return ax


def _draw_axis(ax, n_ranks, height):
    """Make axes of ranks on top, whose y is in inches downwards."""
    ax.set(xlim=(0.5, n_ranks + 0.5), ylim=(height, 0))
    ax.xaxis.tick_top()
    ax.xaxis.set_label_position("top")
    ax.set_xlabel("mean rank (1 is best)", fontsize=9)
    step = max(1, round(n_ranks / 8))
    ax.set_xticks(np.arange(1, n_ranks + 1, step))
    ax.tick_params(axis="x", labelsize=9)
    ax.set_yticks([])
    ax.spines[["left", "right", "bottom"]].set_visible(False)


def _draw_names(ax, ranks, labels, top):
    """Write the better half at the left and the others at the right, with leaders.

    On each side the nearer one is higher, so that no lines cross.
    """
    n_left = (len(ranks) + 1) // 2
    left_end, right_end = ax.get_xlim()
    for place, (rank, label) in enumerate(zip(ranks, labels, strict=True)):
        is_left = place < n_left
        number = place if is_left else len(ranks) - 1 - place
        y = top + (number + 0.5) * ROW
        side = left_end if is_left else right_end
        color = COLORS[0] if is_left else "0.35"
        ax.plot([rank, rank, side], [0, y, y], color=color, linewidth=0.9, zorder=1)
        ax.annotate(
            label,
            (side, y),
            (-4 if is_left else 4, 0),
            textcoords="offset points",
            ha="right" if is_left else "left",
            va="center",
            fontsize=9,
            annotation_clip=False,
            parse_math=False,
        )


def _bars(is_tied, ranks):
    """Return (level, members) of the groups that are tied, levels without overlap."""
    n = len(ranks)
    apart = [(i, j) for i in range(n) for j in range(i + 1, n) if not is_tied[i, j]]
    groups = [group for group in map(np.array, tied_groups(n, apart)) if len(group) > 1]
    gap = 0.01 * n
    ends = []
    bars = []
    for group in sorted(groups, key=lambda group: (group[0], -group[-1])):
        start, stop = ranks[group[[0, -1]]]
        free = [level for level, end in enumerate(ends) if end + gap < start]
        level = free[0] if free else len(ends)
        ends[level : level + 1] = [stop]
        bars.append((level, group))
    return bars


def draw_ranks(ranks, pvalues, ax=None, *, fit=False):
    """Draw the diagram of a RankComparison by some of its p-values; return the axes."""
    names = list(ranks.estimator_names)
    alpha = ranks.alpha
    return draw_critical_differences(
        names, ranks.mean_ranks, pvalues, alpha, ax, fit=fit
    )


MAX_FORESTS = 6  # of pairs
MAX_ROWS = 200  # of all these together, but for the first


def dataset_pictures(result):
    """Return pictures of a comparison over data sets.

    For more than two estimators the mean differences and the mean ranks, then pairs on
    each data set: those with the smallest p-values, fewer for many data sets.
    """
    pictures = []
    if len(result.estimator_names) > 2:
        pictures.append(_picture_of_means(result))
        if result.has_ranks:
            pictures.append(_picture_of_ranks(result))
    n_forests = min(max(MAX_ROWS // len(result.datasets), 1), MAX_FORESTS)
    order = np.argsort(result.pvalues_adjusted, kind="stable")[:n_forests]
    for row in order.tolist():
        pictures.append(_picture_of_pair(result, *result.pairs[row]))
    return pictures


def _picture_of_means(result):
    rows = _rows_of_pairs(result)
    return picture_of(
        partial(draw_forest, rows),
        "Mean differences over data sets",
        "Means over data sets with intervals that are not adjusted.",
        forest_size(rows),
    )


def _picture_of_ranks(result):
    ranks = result.ranks()
    return picture_of(
        partial(draw_ranks, ranks, ranks.nemenyi_pvalues, fit=True),
        "Mean ranks over data sets",
        "1 is the best. A bar joins those whose mean ranks do not differ significantly "
        "by Nemenyi's test.",
    )


def _picture_of_pair(result, first, second):
    rows = pair_rows(result, first, second)
    return picture_of(
        partial(draw_forest, rows),
        f"Difference of {first} and {second} on each data set",
        "With intervals, not adjusted; below the line the mean over data sets.",
        forest_size(rows),
    )


def _rows_of_pairs(result):
    """Return the ForestRows of the differences averaged over data sets."""
    rows = np.array(pairs_shown(result))
    measure = measure_of_data_sets(result)
    order = rows[np.argsort(-result.synthesis.estimate[rows], kind="stable")]
    lows, highs = result.intervals[order].T
    return ForestRows(
        result.synthesis.estimate[order],
        lows,
        highs,
        [" − ".join(result.pairs[row]) for row in order.tolist()],
        axis_words(measure, pooled_level(result)),
        **by_pvalues(result.pvalues_adjusted[order], result.alpha, result.p_adjust),
        **scale_of(measure),
    )
