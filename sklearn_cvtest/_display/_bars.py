"""Bars of parts that add up to one: shares of a variance, or probabilities."""

import numpy as np

from ._draw import COLORS, add_legend_below, letters_of, make_axes, wrap_at

INKS = {"0.8": "black"}  # of numbers on a colour, else white
NUMBER = 5  # letters of room for a number


def bars_size(labels):
    """Return width and height in inches that bars need."""
    lines = sum(wrap_at(label, 36).count("\n") + 1 for label in labels)
    return 6.4, 1.9 + 0.27 * max(lines, len(labels))


def draw_bars(needed_by, shares, labels, names, xlabel, ax=None, colors=COLORS):
    """Draw a bar for each row of `shares`, the first on top; return axes and bars.

    Parameters
    ----------
    needed_by : str
        What needs matplotlib.
    shares : ndarray of shape (n_rows, n_parts)
        The parts.
    labels : list of str
        The rows.
    names : tuple of str
        The parts.
    xlabel : str
        What they are shares of.
    ax : matplotlib Axes, default=None
        Where to draw; None makes a new figure.
    colors : tuple
        Of the parts.

    Returns
    -------
    ax : matplotlib Axes
        With the picture.
    bars : list of matplotlib BarContainer
        The bars of each part.
    """
    ax = make_axes(ax, needed_by, bars_size(labels))
    rows, starts = np.arange(len(labels)), np.cumsum(shares, axis=1) - shares
    width = letters_of(ax)[0]
    labels = [wrap_at(label, min(36, max(int(0.45 * width), 12))) for label in labels]
    n_letters = 8 + max(map(len, "\n".join(labels).splitlines()))
    bars = []
    for column, color in enumerate(colors[: len(names)]):
        widths, starts_of_bars = shares[:, column], starts[:, column]
        bars.append(ax.barh(rows, widths, 0.7, starts_of_bars, color=color))
        for row in rows[widths * max(width - n_letters, 1) >= NUMBER]:
            style = {"color": INKS.get(color, "white"), "ha": "center", "size": 8}
            middle = starts_of_bars[row] + widths[row] / 2
            ax.text(middle, row, f"{widths[row]:.2f}", va="center", **style)
    ax.set_yticks(rows, labels, fontsize=9, parse_math=False)
    ax.tick_params(axis="y", length=0)
    ax.set(xlim=(0, 1), ylim=(len(labels) - 0.5, -0.5), xlabel=xlabel)
    add_legend_below(ax, bars, names, n_letters, handlelength=1.2)
    return ax, bars
