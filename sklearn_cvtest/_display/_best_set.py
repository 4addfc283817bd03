"""The picture of the set that may hold the best."""

import numpy as np

from .._report._measure import measure_of
from .._report._plot_words import axis_words, factor_of
from ._draw import make_axes
from ._forest import ForestRows, draw_forest, forest_size, p_texts, significance_key

MOST = 60


def draw_best_set(best, ax=None):
    """Draw differences to the best of the others; see :meth:`BestSet.plot`."""
    names, measure = list(best.pvalues)[:MOST], measure_of(best.losses)
    found = best.found.differences_of(np.arange(len(names)))
    rows = ForestRows(
        *found,
        factor=factor_of(measure),
        filled=np.array([name not in best.names for name in names]),
        labels=list(best.shown_names[: len(names)]),
        label=axis_words(
            measure, f"{100 * (1 - best.alpha):g}% CI", "the best of the others"
        ),
        key=significance_key(best.alpha, "significantly worse", "may be the best"),
        texts=p_texts(
            [best.pvalues[name] for name in names],
            best.alpha,
            [name in best.at_most for name in names],
        ),
    )
    ax = make_axes(ax, "A plot of the best set", forest_size(rows))
    draw_forest(ax, rows)
    return ax
