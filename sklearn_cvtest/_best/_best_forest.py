"""The forest plot of how far models are behind the best."""

from __future__ import annotations

import numpy as np

from .._display._axis_texts import axis_words, scale_of
from .._display._forest import ForestRows, draw_forest, p_texts, significance_key
from .._report._format import percent
from .._report._metric_format import metric_format_of

MOST_IN_SET = 60


def draw_best_set(best, ax=None):
    """Draw how far each is behind the best; see :meth:`BestSet.plot`."""
    names = list(best.pvalues)[:MOST_IN_SET]
    measure = metric_format_of(best.losses).effect(best.found.ratios is not None)
    estimates, lows, highs = (side[: len(names)] for side in best.found.differences)
    level = f"{percent(1 - best.alpha)} CI"
    is_other = np.isfinite(estimates)
    pvalues = np.array([best.pvalues[name] for name in names])
    pvalues[~is_other] = np.nan
    is_worse = np.array([name not in best.names for name in names])
    rows = ForestRows(
        np.where(is_other, estimates, 0.0),
        lows,
        highs,
        **scale_of(measure),
        filled=is_worse,
        labels=list(best.shown_names[: len(names)]),
        label=axis_words(measure, level, "the best"),
        key=significance_key(best.alpha, "significantly worse", "may be the best"),
        texts=p_texts(pvalues, best.alpha),
    )
    axes, *_ = draw_forest(rows, ax, "A plot of the best set")
    return axes
