"""The picture of where the variance of differences comes from."""

import numpy as np

from ._draw import COLORS, add_legend_below, make_axes, wrap_at


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
    ax = make_axes(ax, "A plot of variances", (6.4, 1.9 + 0.4 * len(labels)))
    places = np.arange(len(labels))[::-1]
    starts = np.cumsum(shares, axis=1) - shares
    for number, name in enumerate(names):
        options = {"left": starts[:, number], "color": COLORS[number], "label": name}
        ax.barh(places, shares[:, number], 0.7, **options)
    ax.set_yticks(places, [wrap_at(label, 40) for label in labels])
    ax.set_xlim(0, 1)
    ax.set_xlabel("share of the variance of the mean difference")
    add_legend_below(ax, ax.containers, names)
    return ax
