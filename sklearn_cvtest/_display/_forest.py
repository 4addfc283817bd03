"""The forest plot that all results share, drawn from arrays."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

import numpy as np

from .._report import _format
from .._report._printed_names import cut_names
from . import _draw

MOST = 200  # rows that have names and numbers; of more, only the shape can be read
FEW = 12  # rows whose names are broken into short lines; of more, into long ones
SHORT, LONG = 34, 48  # letters of a short and of a long line
# Inches: of a printed page, of a row, around the rows, and of a row of the legend.
PAGE = 9.4
ROW = 0.27
REST = 1.5
KEY = 0.2
GREY = "0.75"


class ForestRows(NamedTuple):
    """What a forest plot draws: n estimates in some rows, in each some series.

    Attributes
    ----------
    estimates, lows, highs : ndarray of shape (n,)
        Differences of losses and the ends of intervals, which may be infinite.
    labels : list of str
        Names of the rows, from the top.
    label : str
        What the axis shows, in lines.
    filled : ndarray of shape (n,)
        Whether a difference is significant.
    texts : list of str
        What stands at the right of each estimate.
    key : dict of str to str
        What "filled", "open" and "grey" markers are.
    factor : float
        What is multiplied by to be shown: 100 for points, -1 for scores.
    percent : callable or None
        What makes log ratios percentages to be shown; None of differences.
    title : str
        What these texts are.
    row, series : ndarray of shape (n,) or None
        The row of each estimate and its series; None: a row for each, one series.
    series_names : list of str
        Names of the series.
    grey : ndarray of shape (n,) or None
        Whether a marker is grey.
    bounds : tuple of float
        Values that dotted lines mark.
    bounds_are : str or None
        What they are.
    has_mean : bool
        Whether the last row is a mean, a diamond below a line.
    has_zero : bool
        Whether the axis shows zero: of differences it does, of means it need not.
    """

    estimates: np.ndarray
    lows: np.ndarray
    highs: np.ndarray
    labels: list
    label: str
    filled: np.ndarray
    texts: list
    key: dict
    factor: float = 1.0
    title: str = "p"
    row: np.ndarray | None = None
    series: np.ndarray | None = None
    series_names: list | tuple = ("",)
    grey: np.ndarray | None = None
    bounds: tuple = ()
    bounds_are: str | None = None
    has_mean: bool = False
    has_zero: bool = True
    percent: Callable | None = None

    def in_unit(self):
        """Return the rows in the unit of the axis."""
        if self.percent is not None:
            return self._replace(
                estimates=self.percent(self.estimates),
                lows=self.percent(self.lows),
                highs=self.percent(self.highs),
                bounds=tuple(self.percent(self.bounds).tolist()),
            )
        ends = np.sort(np.multiply(self.factor, [self.lows, self.highs]), axis=0)
        return self._replace(
            estimates=self.factor * np.asarray(self.estimates) + 0.0,
            lows=ends[0],
            highs=ends[1],
            bounds=tuple(self.factor * bound for bound in self.bounds),
        )


def significance_key(
    alpha, filled="significantly different", unfilled="not significant"
):
    """Return what markers mean where p-values decide."""
    return {"filled": f"{filled}, p ≤ {float(alpha):g}", "open": unfilled}


def by_pvalues(pvalues, alpha, p_adjust=None):
    """Return the fields of ForestRows that p-values decide."""
    return {
        "filled": np.asarray(pvalues) <= alpha,
        "texts": p_texts(pvalues, alpha),
        "key": significance_key(alpha),
        "title": _format.p_head(p_adjust),
    }


def p_texts(pvalues, alpha):
    """Return p-values as texts, as in words."""
    texts = []
    for pvalue in pvalues:
        is_known = np.isfinite(pvalue)
        texts.append(_format.shown_pvalue(pvalue, alpha) if is_known else "")
    return texts


def _height_in_lines(rows, labels):
    """Return the height of all rows, in lines of text."""
    if len(labels) > MOST:
        return 60
    lines = np.array([label.count("\n") + 1 for label in labels])
    neighbours = (lines[1:] + lines[:-1]).max(initial=2)
    lines_of_row = max(neighbours / 2, lines.max() / 1.5, 0.8 * len(rows.series_names))
    return len(labels) * lines_of_row


def _n_keys(rows):
    """Return how many rows the legend has."""
    return len(rows.key) + bool(rows.bounds) + _n_keys_of_series(rows)


def _n_keys_of_series(rows):
    n_series = len(rows.series_names)
    return n_series if n_series > 1 else 0


def _broken(labels, width=LONG):
    """Return the names of rows in lines."""
    longest = SHORT if len(labels) <= FEW else LONG
    width = max(min(width, longest), 8)
    return [_draw.wrap_at(label, width) for label in cut_names(labels, 3 * width)]


def forest_size(rows):
    """Return width and height in inches that a forest plot needs."""
    n_rows = len(rows.labels)
    lines = _height_in_lines(rows, _broken(rows.labels))
    width = 6.4 if n_rows <= FEW else 7
    fixed_height = REST + KEY * _n_keys(rows)
    height = fixed_height + 0.12 * min(n_rows, 60) + (ROW - 0.12) * lines
    if height > PAGE:
        height = max(PAGE, fixed_height + 1.3 * _draw.SMALLEST / 72 * lines)
    return width, height


def draw_forest(rows, ax=None, needed_by="A forest plot"):
    """Draw estimates with intervals in rows, and a column of text at the right.

    Returns the axes, a new figure's of none, the markers and the intervals, a
    collection for each series, the line at zero and the texts.
    """
    ax = _draw.make_axes(ax, needed_by, forest_size(rows))
    rows = rows.in_unit()
    n_rows = len(rows.labels)
    width, _ = _draw.letters_of(ax)
    labels, size = _labels_and_size(ax, rows)
    y, points, intervals = _draw_series(ax, rows, size)
    zero_line = _draw_lines(ax, rows)
    texts = []
    n_letters = 8
    if n_rows <= MOST:
        ax.grid(axis="y", color="0.5", alpha=0.2, zorder=0)
        ax.set_yticks(range(n_rows), labels, fontsize=size, parse_math=False)
        texts = _write_texts(ax, rows, y, size)
        longest = max(len(line) for label in labels for line in label.splitlines())
        n_letters = int(8 + longest * size / _draw.LARGEST)
    else:
        ax.set_yticks([])
        ax.set_ylabel(f"{n_rows:,} rows, too many to name")
    ax.tick_params(axis="y", length=0)
    ax.set_axisbelow(True)
    ax.set_ylim(n_rows - 0.5, -1.2)
    ax.locator_params(axis="x", nbins=5 if width - n_letters > 40 else 3)
    lines = []
    for line in rows.label.splitlines():
        lines.append(_draw.wrapped(line, ax, n_letters * 2 // 3))
    _draw.set_xlabel(ax, "\n".join(lines))
    _add_key(ax, rows, n_letters, size)
    return ax, points, intervals, zero_line, texts


def _labels_and_size(ax, rows):
    """Return the names of rows in lines for which there is room, and their size."""
    width, height = _draw.letters_of(ax)
    share_of_width = 0.45 if len(rows.labels) <= FEW else 0.55
    labels = _broken(rows.labels, int(share_of_width * width))
    free = 72 / 1.3 * (height - REST - KEY * _n_keys(rows))  # points of letters
    size = free / _height_in_lines(rows, labels)
    if size < _draw.SMALLEST:  # there is room for one line
        labels = cut_names(rows.labels, max(int(0.45 * width), 8))
        size = free / _height_in_lines(rows, labels)
    return labels, float(np.clip(size, _draw.SMALLEST, _draw.LARGEST))


def _draw_lines(ax, rows):
    """Draw lines at zero, at bounds and above a mean; return the one at zero."""
    zero_line = None
    line = {"color": "0.4", "linewidth": 1, "zorder": 1}
    if rows.has_zero:
        zero_line = ax.axvline(0, **line)
    for bound in rows.bounds:
        ax.axvline(bound, linestyle=":", **line)
    if rows.has_mean:
        ax.axhline(len(rows.labels) - 1.5, color="0.4", linewidth=0.8)
    return zero_line


def _series_of(rows):
    """Return the positions of the estimates of each series, its colour and marker."""
    n_estimates = len(rows.estimates)
    if rows.has_mean:
        return [
            (np.arange(n_estimates - 1), _draw.COLORS[0], _draw.MARKERS[0]),
            (np.array([n_estimates - 1]), _draw.COLORS[0], "D"),
        ]
    series = rows.series
    if series is None:
        series = np.zeros(n_estimates, dtype=int)
    styles = []
    for number in range(len(rows.series_names)):
        color = _draw.cycled(_draw.COLORS, number)
        marker = _draw.cycled(_draw.MARKERS, number)
        styles.append((np.flatnonzero(series == number), color, marker))
    return styles


def _heights(rows):
    """Return the height of each estimate: in a row, one is below the other."""
    row = rows.row
    if row is None:
        row = np.arange(len(rows.estimates))
    if rows.series is None:
        return row.astype(np.float64)
    n_series = len(rows.series_names)
    shifts = (np.arange(n_series) - (n_series - 1) / 2) * 0.8 / n_series
    return row + shifts[rows.series]


def _draw_series(ax, rows, size):
    """Draw estimates and intervals; return their heights, and them by series."""
    are_many = len(rows.labels) > MOST
    y = _heights(rows)
    values = [rows.estimates, rows.lows, rows.highs, rows.bounds]
    if rows.has_zero:
        values.append([0.0])
    limits = _limits(np.concatenate(values))
    ax.set_xlim(limits)
    points = []
    intervals = []
    for chosen, color, marker in _series_of(rows):
        lows = np.clip(rows.lows[chosen], *limits)
        highs = np.clip(rows.highs[chosen], *limits)
        style = {"color": color, "linewidth": size / 4, "zorder": 2}
        if are_many:
            style |= {"linewidth": 0.5, "alpha": 0.2}
        intervals.append(ax.hlines(y[chosen], lows, highs, **style))
        faces = np.where(rows.filled[chosen], color, _draw.open_face(ax))
        if rows.grey is not None:
            faces = np.where(rows.grey[chosen], GREY, faces)
        style = {
            "marker": marker,
            "edgecolors": color,
            "facecolors": list(faces),
            "s": 4 if are_many else 42 * (size / _draw.LARGEST) ** 2,
            "linewidths": 0.3 if are_many else size / 6,
            "zorder": 3,
        }
        points.append(ax.scatter(rows.estimates[chosen], y[chosen], **style))
    return y, points, intervals


def _limits(values):
    """Return limits of x that hold all finite values."""
    values = values[np.isfinite(values)]
    if not len(values):
        values = np.zeros(1)
    margin = 0.06 * (np.ptp(values) or 1.0)
    return values.min() - margin, values.max() + margin


def _write_texts(ax, rows, y, size):
    """Write a column of text right of the axes, and its title at their upper end."""
    style = {
        "xytext": (10, 0),
        "textcoords": "offset points",
        "annotation_clip": False,
        "fontsize": size,
    }
    title = ax.annotate(rows.title, (1, 1), xycoords="axes fraction", va="top", **style)
    beside = ax.get_yaxis_transform()
    texts = [title]
    for text, height in zip(rows.texts, y, strict=True):
        texts.append(
            ax.annotate(text, (1, height), xycoords=beside, va="center", **style)
        )
    return texts


def _add_key(ax, rows, n_letters, size):
    """Say below the axes what markers, colours and dotted lines are."""
    from matplotlib.lines import Line2D

    color = _draw.COLORS[0]
    if _n_keys_of_series(rows):
        color = "0.3"
    faces = {"filled": color, "open": _draw.open_face(ax), "grey": GREY}
    handles = []
    labels = []
    for face, label in rows.key.items():
        handle = Line2D([], [], linestyle="", marker="o", color=color)
        handle.set(markersize=6, markeredgewidth=1.2, markerfacecolor=faces[face])
        handles.append(handle)
        labels.append(label)
    if rows.bounds:
        handles.append(Line2D([], [], color="0.4", linestyle=":"))
        labels.append(rows.bounds_are or "bounds")
    for number in range(_n_keys_of_series(rows)):
        color = _draw.cycled(_draw.COLORS, number)
        marker = _draw.cycled(_draw.MARKERS, number)
        handles.append(Line2D([], [], color=color, marker=marker))
        labels.append(rows.series_names[number])
    fontsize = max(size, _draw.SMALL)
    _draw.add_legend_below(ax, handles, labels, n_letters, fontsize=fontsize)
