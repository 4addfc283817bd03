"""The picture of candidates that leave a race."""

import numpy as np

from .._display._draw import COLORS, add_legend_below, make_axes


def draw_race(scores, n_splits_run, kept, metric, ax=None):
    """Draw means of scores (n_candidates, n_splits) so far; see RacingSearchCV.plot."""
    ax = make_axes(ax, "A plot of a race", (6.4, 4))
    ends, n_splits = n_splits_run.tolist(), scores.shape[1]
    for row in sorted(range(len(ends)), key=lambda row: row in kept):
        so_far = np.arange(1, ends[row] + 1)
        means = np.cumsum(scores[row, : ends[row]]) / so_far
        color, width = (COLORS[0], 1.4) if row in kept else ("0.7", 0.8)
        ax.plot(so_far, means, color=color, linewidth=width, zorder=2 + (row in kept))
        ax.plot(ends[row], means[-1], "o" if row in kept else "x", color=color, ms=4)
    for end in sorted({1, *ends}):
        left = sum(other > end for other in ends) if end > 1 else len(ends)
        ax.axvline(end, color="0.85", linewidth=0.8, zorder=1)
        ax.annotate(
            str(left or len(kept)),
            (end, 1),
            (-2, -2),
            xycoords=("data", "axes fraction"),
            textcoords="offset points",
            ha="right",
            va="top",
            fontsize="small",
        )
    ax.set_xlim(min(0.5, 1 - 0.05 * n_splits), n_splits + 0.5)  # room for the numbers
    ax.margins(y=0.12)
    ax.set_xlabel("splits")
    ax.set_ylabel(f"mean {metric} so far")
    keys = [("o", COLORS[0], "in the race"), ("x", "0.7", "significantly worse, left")]
    handles = [
        ax.plot([], [], color=color, marker=marker, ms=4)[0]
        for marker, color, _ in keys
    ]
    handles.append(ax.plot([], [], color="0.85")[0])
    labels = [label for *_, label in keys]
    add_legend_below(ax, handles, [*labels, "number of candidates that are left"])
    return ax
