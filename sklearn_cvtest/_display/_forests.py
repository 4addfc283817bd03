"""Forest plots of other results: of labels, of a best set, of single models."""

import numpy as np

from .._report._format import percent
from .._report._measure import measure_of, users_ends
from .._report._plot_words import axis_words, factor_of, pair_labels
from ._draw import make_axes
from ._forest import ForestRows, draw_forest, forest_size, p_texts, significance_key

MOST = 60


def draw_by_label(result, ax=None):
    """Draw a row for each label, a series for each pair; return the axes."""
    n_labels, n_pairs = result.estimate.shape
    low, high = result.shown_intervals
    adjusted, pairs = result.pvalue_adjusted.ravel(), pair_labels(result.pairs)
    level = f"{percent(result.test.interval_level(result.alpha))} CI"
    pair = result.pairs[0] if n_pairs == 1 else ("first", "second")
    rows = ForestRows(
        estimates=result.estimate.ravel(),
        lows=low.ravel(),
        highs=high.ravel(),
        factor=factor_of(result.measure),
        filled=adjusted <= result.alpha,
        labels=[
            f"{label} ({n})"
            for label, n in zip(result.labels, result.n_examples, strict=True)
        ],
        label=axis_words(
            result.measure, "simultaneous " * result.is_simultaneous + level, pair=pair
        ),
        key=significance_key(result.alpha),
        texts=p_texts(adjusted, result.alpha),
        title="p" if result.p_adjust is None else f"p ({result.p_adjust})",
        row=np.repeat(np.arange(n_labels), n_pairs),
        series=np.tile(np.arange(n_pairs), n_labels),
        series_names=pairs,
    )
    return _drawn(rows, "DifferencesByLabel.plot", ax)


def draw_best_set(best, ax=None):
    """Draw differences to the best of the others; see :meth:`BestSet.plot`."""
    names, measure = list(best.pvalues)[:MOST], measure_of(best.losses)
    found = best.found.differences_of(np.arange(len(names)))
    level = f"{percent(1 - best.alpha)} CI"
    pvalues = [best.pvalues[name] for name in names]
    rows = ForestRows(
        *found,
        factor=factor_of(measure),
        filled=np.array([name not in best.names for name in names]),
        labels=list(best.shown_names[: len(names)]),
        label=axis_words(measure, level, "the best of the others"),
        key=significance_key(best.alpha, "significantly worse", "may be the best"),
        texts=p_texts(pvalues, best.alpha, [name in best.at_most for name in names]),
    )
    return _drawn(rows, "A plot of the best set", ax)


def draw_intervals(intervals, losses, ax=None):
    """Draw the mean of each model with its interval, the first on top."""
    names, measure = list(intervals.names), measure_of(losses)
    means, _ = users_ends(losses, intervals.estimate, intervals.estimate)
    lows, highs = users_ends(losses, intervals.ci_low, intervals.ci_high)
    level = f"{percent(intervals.confidence_level)} CI"
    side = "lower is better" if measure.sign > 0 else "higher is better"
    rows = ForestRows(
        means,
        lows,
        highs,
        factor=measure.unit_size,
        filled=np.ones(len(names), dtype=bool),
        labels=names,
        label=f"mean {measure.header}, {level}\n{side}",
        key={},
        texts=[""] * len(names),
        title="",
        has_zero=False,
    )
    return _drawn(rows, "A plot of intervals", ax)


def _drawn(rows, needed_by, ax):
    ax = make_axes(ax, needed_by, forest_size(rows))
    draw_forest(ax, rows)
    return ax
