"""The picture of a series of proposals."""

import numpy as np

from .._display._draw import COLORS, add_legend_below, make_axes
from .._report._format import measure_of, shorten
from ._words import Measured

MARKS = {
    "confirmed": ("o-", COLORS[2], ["confirmed"]),
    "working": ("s:", COLORS[1], ["confirmed", "working"]),
    "discarded": ("x", "0.6", ["discarded"]),
}
LONGEST, MOST_NAMED = 24, 8


def draw_history(history, ax=None):
    """Draw what was shown of proposals; see :meth:`LedgerHistory.plot`."""
    ax = make_axes(ax, "A plot of a ledger", (7.2, 4.2))
    measure = measure_of(Measured(*history.measure))
    values = np.array([entry.shown_value for entry in history.entries])
    values, numbers = values * (100 if measure.is_share else 1), np.arange(len(values))
    decisions = np.array([entry.decision for entry in history.entries])
    handles = []
    for decision, (style, color, which) in MARKS.items():
        at = np.flatnonzero(np.isin(decisions, which))
        if len(at):
            draw = ax.plot if decision == "discarded" else ax.step
            end = at if decision == "discarded" else [*at, at[-1]]
            x = [*numbers[at], len(values)][: len(end)]
            options = {} if decision == "discarded" else {"where": "post"}
            none = {"linestyle": "none"} if decision == "discarded" else {}
            marked = {"markevery": list(range(len(at))), "color": color}
            x = np.add(x, 1)
            handles += draw(x, values[end], style, **options, **none, **marked)
            handles[-1].set_label(decision)
    for place in np.flatnonzero(decisions == "confirmed")[-MOST_NAMED:]:
        name = shorten(history.entries[place].name, LONGEST)
        at, options = (place + 1, values[place]), {"textcoords": "offset points"}
        ax.annotate(name, at, (4, 5), fontsize=8, **options).set_parse_math(False)
    ax.set_ylabel(f"mean {measure.word}{' (%)' * measure.is_share}, shown rows")
    ax.set_xlabel("proposal")
    ax.set_xlim(0.5, len(values) + 0.5)
    ax.locator_params(axis="x", integer=True)
    ax.margins(y=0.12)
    add_legend_below(ax, handles, [h.get_label() for h in handles], 40, ncols=2)
    return ax
