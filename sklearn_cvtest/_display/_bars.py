"""Bars of parts that add up to one: shares of a variance, or probabilities."""

import numpy as np

from ._draw import COLORS, add_legend_below, letters_of, make_axes, wrap_at

LABEL = 36  # letters of a line of a label
LETTERS_OF_NUMBER = 5  # what a bar has room for, if its number stands in it


def bars_size(labels):
    """Return width and height in inches that bars need."""
    n_lines = sum(wrap_at(label, LABEL).count("\n") + 1 for label in labels)
    return 6.4, 1.9 + 0.27 * max(n_lines, len(labels))


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
    width, _ = letters_of(ax)
    label_width = min(LABEL, max(int(0.45 * width), 12))
    labels = [wrap_at(label, label_width) for label in labels]
    longest = max(len(line) for label in labels for line in label.splitlines())
    n_letters = 8 + longest
    rows = np.arange(len(labels))
    ends = np.cumsum(shares, axis=1)
    bars = []
    for part, color in enumerate(colors[: len(names)]):
        widths = shares[:, part]
        ends_of_bars = ends[:, part]
        starts = ends_of_bars - widths
        bars.append(ax.barh(rows, widths, 0.7, starts, color=color))
        has_room = widths * max(width - n_letters, 1) >= LETTERS_OF_NUMBER
        for row in rows[has_room]:
            ax.text(
                starts[row] + widths[row] / 2,
                row,
                f"{widths[row]:.2f}",
                color="black" if color == "0.8" else "white",  # on light grey
                ha="center",
                va="center",
                size=8,
            )
    ax.set_yticks(rows, labels, fontsize=9, parse_math=False)
    ax.tick_params(axis="y", length=0)
    ax.set(xlim=(0, 1), ylim=(len(labels) - 0.5, -0.5), xlabel=xlabel)
    add_legend_below(ax, bars, names, n_letters, handlelength=1.2)
    return ax, bars
