"""The picture of single models: means with their intervals."""

import numpy as np

from .._report._measure import measure_of, users_ends
from ._draw import COLORS, add_legend_below, make_axes, wrap_at, wrapped


def draw_intervals(intervals, losses, ax=None):
    """Draw the mean of each model with its interval, the first on top.

    Parameters
    ----------
    intervals : EstimatorIntervals
        What to draw.
    losses : CVLosses
        What they are of.
    ax : matplotlib Axes, default=None
        Where to draw; None makes a new figure.

    Returns
    -------
    ax : matplotlib Axes
        With the picture.

    Raises
    ------
    ImportError
        If matplotlib is not installed.
    """
    n_models, measure = len(intervals.names), measure_of(losses)
    ax = make_axes(ax, "A plot of intervals", (6.4, 1.4 + 0.4 * n_models))
    means, _ = users_ends(losses, intervals.estimate, intervals.estimate)
    ends = np.array(users_ends(losses, intervals.ci_low, intervals.ci_high))
    ends = measure.unit_size * np.where(np.isfinite(ends), ends, np.nan)
    places, color = np.arange(n_models), COLORS[0]
    lines = ax.hlines(places, *ends, color=color, linewidth=2)
    marks = ax.plot(measure.unit_size * means, places, "|", ms=12, mew=2, color=color)
    ax.set_yticks(places, [wrap_at(name, 24) for name in intervals.names])
    ax.locator_params(axis="x", nbins=6)
    ax.set_ylim(n_models - 0.4, -0.6)
    side = "lower is better" if measure.sign > 0 else "higher is better"
    ax.set_xlabel(wrapped(f"{measure.header}, {side}", ax), parse_math=False)
    level = f"{100 * intervals.confidence_level:g}% CI"
    add_legend_below(ax, [*marks, lines], ["mean", level], ncols=2)
    return ax
