"""The picture of single models: estimates with their intervals."""

import textwrap

import numpy as np

from .._report._format import shorten
from ._draw import COLORS, letters_of, make_axes

LONGEST = 40


def draw_intervals(intervals, label, ax=None):
    """Draw the estimate of each model with its interval, the first on top.

    Parameters
    ----------
    intervals : EstimatorIntervals
        What to draw.
    label : str
        What the horizontal axis shows.
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
    n_models = len(intervals.names)
    ax = make_axes(ax, "A plot of intervals", (6.4, 1.2 + 0.4 * n_models))
    places = np.arange(n_models)[::-1]
    ends = [intervals.ci_low, intervals.ci_high]
    ax.hlines(places, *np.where(np.isfinite(ends), ends, np.nan), color=COLORS[0])
    ax.plot(intervals.estimate, places, "o", color=COLORS[0])
    size, line = letters_of(ax)
    names = [shorten(name, min(LONGEST, line // 2)) for name in intervals.names]
    ax.set_yticks(places, names, fontsize=None if line > 2 * LONGEST else size)
    ax.set_ylim(-0.6, n_models - 0.4)
    ax.set_xlabel(textwrap.fill(label, max(line // 2, 24)))
    return ax
