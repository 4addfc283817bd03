"""A forest plot, drawn from arrays."""

import textwrap
from typing import NamedTuple

import numpy as np

from .._report._format import short_names, shorten, shown_names
from ._draw import (
    CHARACTER,
    COLORS,
    LARGEST,
    MARKERS,
    NARROW,
    SMALLEST,
    add_legend_below,
    cycled,
    letters_of,
    room_of,
    styled,
)

NAME_LENGTH = 24  # of estimators in the labels of pairs
ONE_NAME_LENGTH = 48  # where all are compared with the same one
COLUMN_WIDTH = 52  # of p-values, in points
PAGE = 7.0, 9.4  # inches of a printed page, for many rows
ROW = 1.35  # height of a row in units of its letters, with space
MOST = 200  # rows that have names and numbers; of more, only the shape can be read
ROWS_OF_MANY = 60  # whose height they get


class ForestRows(NamedTuple):
    """What a forest plot draws: n estimates in some rows, in each some series.

    Attributes
    ----------
    estimates, lows, highs : ndarray of shape (n,)
        Estimates and the ends of their intervals, which may be infinite.
    outer : tuple of ndarray of shape (n,) or None
        Ends of wider intervals, drawn thinner, such as simultaneous ones.
    significant : ndarray of shape (n,)
        Whether a marker is filled.
    row, series : ndarray of shape (n,)
        The row of each estimate, from the top, and its series.
    labels, series_names : list of str
        Names of the rows and of the series.
    columns : dict of str to list of str, of length n
        Texts at the right of each estimate, by title.
    equivalent : ndarray of shape (n,) or None
        Whether a marker is grey.
    narrow : bool
        Whether the plot is for a phone: labels above their rows, the last column only.
    bounds : tuple of float
        More values that the axis must hold.
    letters : float
        Their size in rows, in points.
    below : float
        Their size elsewhere.
    line : int
        How many of these fit into the width.
    """

    estimates: np.ndarray
    lows: np.ndarray
    highs: np.ndarray
    outer: tuple | None
    significant: np.ndarray
    row: np.ndarray
    series: np.ndarray
    labels: list
    series_names: list
    columns: dict
    equivalent: np.ndarray | None = None
    narrow: bool = False
    bounds: tuple = ()
    letters: float = 9
    below: float = 9
    line: int = 80


def common_one(first, second):
    """Return who is in all pairs, and on which side, None if nobody is."""
    for side, names in enumerate((first, second)):
        if len(set(names)) == 1 and len({*first, *second}) > 2:
            return next(iter(names)), side
    return None


def pair_labels(first, second, length=NAME_LENGTH, of_scores=False):
    """Return the names of pairs or, where one is in all, of the others.

    The second loss is subtracted from the first, but the first score from the second.
    """
    common = common_one(first, second)
    if common is not None:
        return short_names((second, first)[common[1]], ONE_NAME_LENGTH)
    pairs = list(zip(first, second, strict=True))
    names = dict.fromkeys(name for pair in pairs for name in pair)
    shown = shown_names(list(names), length)
    sign = " vs " if of_scores else " − "
    return [sign.join(shown[name] for name in pair) for pair in pairs]


def forest_size(rows, page=False):
    """Return width and height in inches that a forest plot needs.

    `page`: many rows are to be printed on one page.
    """
    n_series = len(rows.series_names)
    if rows.narrow and len(rows.labels) <= MOST:
        height = len(rows.labels) * (0.24 + 0.2 * n_series)
        return NARROW, 1.7 + height + 0.2 * n_series * (n_series > 1)
    width, n_rows = 6.4, ROWS_OF_MANY
    if len(rows.labels) <= MOST:
        width, n_rows = _beside(rows) + 3.6, len(rows.labels)
    lines = n_rows * (1 if n_series == 1 else 0.8 * n_series)
    rest = 1.5 + (0.2 * n_series if n_series > 1 else 0)
    if page and rest + 0.27 * lines > PAGE[1] and len(rows.labels) <= MOST:
        height = max(PAGE[1], rest + SMALLEST * ROW / 72 * lines)
        return min(max(width, 6.4), PAGE[0]), height
    return max(width, 6.4), rest + 0.27 * lines


def _beside(rows):
    """Return the width of names and of columns of text, in inches."""
    longest = max(map(len, rows.labels))
    return CHARACTER * longest + len(rows.columns) * COLUMN_WIDTH / 72


def fitted(rows, ax):
    """Return the rows as they fit into axes: narrow ones, and with smaller letters."""
    width, height = room_of(ax)
    narrow = rows.narrow
    if len(rows.labels) <= MOST:
        narrow = narrow or width < _beside(rows) + 2
    below, line = letters_of(ax)
    n_series = len(rows.series_names)
    lines = 1 + n_series if narrow else max(1, 0.8 * n_series)
    inches = height - (1.7 if narrow else 1.5) * below / LARGEST
    letters = 72 * inches / (lines * len(rows.labels)) / ROW
    return rows._replace(
        narrow=narrow,
        letters=max(min(letters, below), SMALLEST),
        below=below,
        line=line,
    )


def draw_forest(
    ax,
    rows,
    label,
    *,
    point_kwargs=None,
    interval_kwargs=None,
    line_kwargs=None,
    text_kwargs=None,
):
    """Draw estimates with intervals in rows, and columns of text at the right.

    `label` stands below. Returns the markers and the intervals, a collection for each
    series, the line at zero and the texts.
    """
    from matplotlib.lines import Line2D
    from matplotlib.text import Text

    rows = fitted(rows, ax)
    is_labelled = len(rows.labels) <= MOST
    if is_labelled:
        ax.grid(axis="y", color="0.92", zorder=0)
    ax.set_axisbelow(True)
    line = {"color": "0.4", "linewidth": 1, "zorder": 1}
    zero_line = ax.axvline(0, **styled("line_kwargs", line, line_kwargs, Line2D))
    y, points, intervals = _draw_series(ax, rows, point_kwargs, interval_kwargs)
    _write_labels(ax, rows)
    ax.spines[["left", "right", "top"]].set_visible(False)
    style = styled("text_kwargs", {"fontsize": rows.letters}, text_kwargs, Text)
    columns = list(rows.columns.items()) if is_labelled else []
    columns = dict(columns[-1:] if rows.narrow else columns)
    texts = _write_columns(ax, rows, y, columns, style)
    _write_below(ax, rows, label)
    return points, intervals, zero_line, texts


def _draw_series(ax, rows, point_kwargs, interval_kwargs):
    """Draw estimates and intervals; return their heights, and them by series."""
    ends = rows.estimates, rows.lows, rows.highs, *(rows.outer or ())
    limits = _limits(*ends, np.array(rows.bounds))
    n_series = len(rows.series_names)
    offsets = (np.arange(n_series) - (n_series - 1) / 2) * 0.8 / n_series
    y = rows.row + offsets[rows.series]
    drawn = [
        (
            _draw_points(ax, rows, y, number, point_kwargs),
            _draw_intervals(ax, rows, y, number, limits, interval_kwargs),
        )
        for number in range(n_series)
    ]
    top = -0.85 if rows.narrow else -0.5
    ax.set(xlim=limits, ylim=(len(rows.labels) - 0.5, top))
    return y, *map(list, zip(*drawn, strict=True))


def _write_below(ax, rows, label):
    """Write what the axis shows, and a legend if there are several series."""
    label = _wrapped(label, rows)
    size = rows.below if rows.narrow else 10
    ax.locator_params(axis="x", nbins=3 if rows.narrow else 5)
    ax.tick_params(axis="x", labelsize=size)
    side = "left" if rows.narrow else "center"  # below columns of numbers, too
    ax.set_xlabel(label, parse_math=False, fontsize=size, loc=side)
    if len(rows.series_names) > 1:
        _add_series_legend(ax, rows, 20 + 1.3 * size * len(label.splitlines()))


def _write_labels(ax, rows):
    """Write the names of rows at the left, or above them where there is no room."""
    ticks = range(len(rows.labels))
    ax.tick_params(axis="y", length=0)
    if len(rows.labels) > MOST:
        ax.set_yticks([])
        ax.set_ylabel(f"{len(rows.labels):,} rows, too many to name", fontsize=9)
        return
    if not rows.narrow:
        ax.set_yticks(ticks, rows.labels, fontsize=rows.letters, parse_math=False)
        return
    ax.set_yticks(ticks, [""] * len(rows.labels))
    sides = ax.get_yaxis_transform()
    ground = {"facecolor": "white", "edgecolor": "none", "pad": 0.5}
    style = {"fontsize": rows.letters, "va": "bottom", "parse_math": False}
    for row, label in enumerate(rows.labels):
        label = shorten(label, int(rows.line * rows.below / rows.letters))
        ax.text(0, row - 0.34, label, transform=sides, bbox=ground, **style)


def _wrapped(text, rows):
    """Return a text below a plot, in lines that fit."""
    if not rows.narrow:
        return text
    lines = [textwrap.fill(line, rows.line) for line in text.splitlines()]
    return "\n".join(lines)


def _limits(*values):
    """Return limits of x that hold zero and all finite values."""
    values = np.concatenate([[0.0], *values])
    values = values[np.isfinite(values)]
    margin = 0.06 * (np.ptp(values) or 1.0)
    return values.min() - margin, values.max() + margin


def _draw_points(ax, rows, y, number, point_kwargs):
    from matplotlib.collections import PathCollection

    color, of_series = cycled(COLORS, number), rows.series == number
    faces = np.where(rows.significant[of_series], color, "white")
    if rows.equivalent is not None:
        faces = np.where(rows.equivalent[of_series], "0.75", faces)
    style = {
        "marker": cycled(MARKERS, number),
        "s": 42 * (rows.letters / LARGEST) ** 2,
        "linewidths": 1.5 * rows.letters / LARGEST,
        "edgecolors": color,
        "facecolors": list(faces),
        "zorder": 3,
    }
    if len(rows.labels) > MOST:
        style |= {"s": 4, "linewidths": 0.3}
    style = styled("point_kwargs", style, point_kwargs, PathCollection)
    return ax.scatter(rows.estimates[of_series], y[of_series], **style)


def _draw_intervals(ax, rows, y, number, limits, interval_kwargs):
    from matplotlib.lines import Line2D

    of_series = rows.series == number
    width = 2.5 * rows.letters / LARGEST
    style = {"color": cycled(COLORS, number), "linewidth": width, "zorder": 2}
    if len(rows.labels) > MOST:
        style |= {"linewidth": 0.5, "alpha": 0.2}
    style = styled("interval_kwargs", style, interval_kwargs, Line2D)
    lows, highs = rows.lows[of_series], rows.highs[of_series]
    if rows.outer is not None:
        outer = [np.clip(ends[of_series], *limits) for ends in rows.outer]
        ax.hlines(y[of_series], *outer, **style | {"linewidth": style["linewidth"] / 3})
    _draw_open_ends(ax, y[of_series], lows, highs, style["color"])
    return ax.hlines(
        y[of_series], np.clip(lows, *limits), np.clip(highs, *limits), **style
    )


def _draw_open_ends(ax, y, lows, highs, color):
    """Draw arrows at the edges of the axes where an interval has no end."""
    for ends, x, marker in ((lows, 0, "<"), (highs, 1, ">")):
        at = y[np.isinf(ends)]
        if len(at):  # an empty line has a place in the layout
            ax.plot(
                np.full(len(at), x),
                at,
                marker=marker,
                linestyle="",
                color=color,
                transform=ax.get_yaxis_transform(),
                clip_on=False,
            )


def _write_columns(ax, rows, y, columns, style):
    """Write columns of text right of the axes, and their titles above."""
    texts = []
    style = {"textcoords": "offset points", "annotation_clip": False, **style}
    sides = ax.get_yaxis_transform()
    width = COLUMN_WIDTH * rows.letters / LARGEST
    for number, (title, cells) in enumerate(columns.items()):
        offset = 10 + width * number
        top = {"xycoords": "axes fraction", "va": "bottom"}
        texts.append(ax.annotate(title, (1, 1), (offset, 4), **top | style))
        beside = {"xycoords": sides, "va": "center"}
        texts += [
            ax.annotate(cell, (1, height), (offset, 0), **beside | style)
            for height, cell in zip(y, cells, strict=True)
        ]
    return texts


def _add_series_legend(ax, rows, below):
    """Name the markers of several series, so many points below the axes."""
    from matplotlib.lines import Line2D

    handles = [
        Line2D([], [], color=cycled(COLORS, number), marker=cycled(MARKERS, number))
        for number in range(len(rows.series_names))
    ]
    labels = [shorten(name, rows.line - 8) for name in rows.series_names]
    add_legend_below(ax, handles, labels, below, fontsize=rows.below)
