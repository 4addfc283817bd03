"""The picture of where the variance of differences comes from."""

import numpy as np

from .._report._format import shorten
from ._draw import COLORS, make_axes

LONGEST = 40


def draw_shares(shares, labels, names, ax=None):
    """Draw a bar for each pair, of parts that add up to one.

    Parameters
    ----------
    shares : ndarray of shape (n_pairs, n_parts)
        The parts.
    labels : list of str
        The pairs.
    names : tuple of str
        The parts.
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
    ax = make_axes(ax, "A plot of variances", (6.4, 1.4 + 0.4 * len(labels)))
    places = np.arange(len(labels))[::-1]
    starts = np.cumsum(shares, axis=1) - shares
    for number, name in enumerate(names):
        options = {"left": starts[:, number], "color": COLORS[number], "label": name}
        ax.barh(places, shares[:, number], 0.7, **options)
    ax.set_yticks(places, [shorten(label, LONGEST) for label in labels])
    ax.set_xlim(0, 1)
    ax.set_xlabel("share of the variance of the mean difference")
    ax.legend(
        loc="lower center", bbox_to_anchor=(0.5, 1.0), ncols=len(names), frameon=False
    )
    return ax
