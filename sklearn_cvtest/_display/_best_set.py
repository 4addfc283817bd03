"""The picture of the set that may hold the best."""

import numpy as np

from .._report._format import shown_pvalue
from .._report._measure import measure_of
from .._report._plot_words import axis_words, factor_of
from ._draw import make_axes
from ._forest import ForestRows, draw_forest, forest_size

MOST = 60


def draw_best_set(best, ax=None):
    """Draw differences to the best of the others; see :meth:`BestSet.plot`."""
    names, measure = list(best.pvalues)[:MOST], measure_of(best.losses)
    found = best.found.differences_of(np.arange(len(names)))
    ends = np.array(found) * factor_of(measure)
    level = f"{100 * (1 - best.alpha):g}% CI"
    rows = ForestRows(
        estimates=ends[0],
        lows=ends[1:].min(axis=0),
        highs=ends[1:].max(axis=0),
        filled=np.array([name not in best.names for name in names]),
        labels=list(best.shown_names[: len(names)]),
        label=axis_words(measure, level, "the best of the others"),
        key={
            "filled": f"significantly worse, p ≤ {best.alpha:g}",
            "open": "may be the best",
        },
        texts=[
            "≤ " * (name in best.at_most and best.pvalues[name] >= 0.001)
            + shown_pvalue(best.pvalues[name], best.alpha)
            for name in names
        ],
    )
    ax = make_axes(ax, "A plot of the best set", forest_size(rows))
    draw_forest(ax, rows)
    return ax
