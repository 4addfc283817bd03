"""The picture of a series of proposals."""

import numpy as np

from .._report._format import measure_of, shorten
from ._draw import COLORS, add_legend_below, make_axes

MARKS = {
    "keep": ("o", COLORS[2]),
    "undecided": ("s", COLORS[1]),
    "discard": ("x", "0.6"),
}
LONGEST, MOST_NAMED = 24, 8


def draw_history(history, ax=None):
    """Draw what was shown of proposals; see :meth:`LedgerHistory.plot`."""
    ax = make_axes(ax, "A plot of a ledger", (7.2, 4.2))
    measure = measure_of(history.of_measure)
    factor = 100 if measure.is_share else 1
    values = factor * np.array([entry.shown_value for entry in history.entries])
    numbers = np.arange(1, len(values) + 1)
    decisions = np.array([entry.decision for entry in history.entries])
    handles, labels = [], []
    kept = np.flatnonzero(decisions == "keep")
    if len(kept):
        x = [*numbers[kept], numbers[-1] + 0.5]
        y = [*values[kept], values[kept[-1]]]
        handles += ax.step(x, y, where="post", color=COLORS[2], linewidth=1.5)
        labels.append("champion")
    for decision, (marker, color) in MARKS.items():
        which = (decisions == decision) & np.isfinite(values)
        if which.any():
            points = numbers[which], values[which], marker
            handles += ax.plot(*points, color=color, linestyle="none", zorder=3)
            labels.append(decision)
    for place in kept[-MOST_NAMED:]:
        name = shorten(history.entries[place].name, LONGEST)
        at = numbers[place], values[place]
        text = ax.annotate(name, at, (4, 5), textcoords="offset points", fontsize=8)
        text.set_parse_math(False)
    _draw_level(history, numbers, ax, handles, labels)
    unit = " (%)" * measure.is_share
    ax.set_ylabel(f"mean {measure.word}{unit}, shown rows")
    ax.set_xlabel("proposal")
    ax.set_xlim(0.5, numbers[-1] + 0.5)
    ax.locator_params(axis="x", integer=True)
    ax.margins(y=0.12)
    add_legend_below(ax, handles, labels, 40, ncols=2)
    return ax


def _draw_level(history, numbers, ax, handles, labels):
    """Draw the level spent so far on the right axis, up to alpha."""
    right = ax.twinx()
    spent = np.cumsum([entry.level for entry in history.entries])
    x, y = [0.5, *numbers], [0.0, *spent]
    handles += right.step(x, y, where="post", color=COLORS[0], linestyle=":")
    labels.append("level spent (right)")
    right.set_ylim(0, history.settings["alpha"])
    right.set_ylabel("level spent")
    right.set_zorder(ax.get_zorder() - 1)
    ax.patch.set_visible(False)
