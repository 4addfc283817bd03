"""The picture of the set that may hold the best."""

import numpy as np

from .._report._format import shorten, shown_pvalue
from .._report._measure import measure_of
from ._draw import COLORS, make_axes

LONGEST, MOST = 40, 60


def draw_best_set(best, ax=None):
    """Draw differences to the best of the others; see :meth:`BestSet.plot`."""
    names = list(best.pvalues)[:MOST]
    measure = measure_of(best.losses)
    factor = 100 if measure.is_share else 1
    places = np.arange(len(names))
    rows = factor * np.column_stack(best.found.differences_of(places))
    ax = make_axes(ax, "A plot of the best set", (6.4, 1.2 + 0.3 * len(names)))
    places = places[::-1]
    kept = np.array([name in best.names for name in names])
    ax.axvline(0, color="0.6", linewidth=1)
    ax.hlines(places, *np.clip(rows[:, 1:].T, -1e300, 1e300), color=COLORS[0])
    for which, face in ((kept, COLORS[0]), (~kept, "white")):
        ax.plot(rows[which, 0], places[which], "o", color=COLORS[0], mfc=face)
    shown = [shorten(name, LONGEST) for name in best.shown_names[: len(names)]]
    ax.set_yticks(places, shown, parse_math=False)
    ax.set_ylim(-0.6, len(names) - 0.4)
    for place, name in zip(places, names, strict=True):
        p = shown_pvalue(best.pvalues[name], best.alpha)
        p = p if p[0] == "<" else ("≤ " * (name in best.at_most) or "= ") + p
        ax.text(1.01, place, f"p {p}", transform=ax.get_yaxis_transform(), va="center")
    unit = measure.unit("").removeprefix(" in ").strip()
    ax.set_xlabel(f"distance behind the best of the others, {unit}")
    return ax
