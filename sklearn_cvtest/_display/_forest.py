"""The forest plot that all results share, drawn from arrays."""

from __future__ import annotations

from itertools import cycle
from typing import NamedTuple

import numpy as np

from .._report._format import short_names, shown_pvalue
from .._typing import Any, Axes, Self
from ._draw import (
    COLORS,
    LARGEST,
    MARKERS,
    SMALL,
    SMALLEST,
    add_legend_below,
    cycled,
    drawn,
    letters_of,
    make_axes,
    styled,
    wrap_at,
    wrapped,
)

MOST = 200  # rows that have names and numbers; of more, only the shape can be read
FEW, SHORT, LONG = 12, 34, 48  # rows whose names have such lines; of more, longer ones
PAGE = 9.4  # inches of a printed page
ROW, REST, KEY = 0.27, 1.5, 0.2  # inches of a row, of what is around, of a legend's row
GREY = "0.75"


class ForestRows(NamedTuple):
    """What a forest plot draws: n estimates in some rows, in each some series.

    Attributes
    ----------
    estimates, lows, highs : ndarray of shape (n,)
        Differences of losses and the ends of intervals, which may be infinite.
    filled : ndarray of shape (n,)
        Whether a difference is significant.
    labels : list of str
        Names of the rows, from the top.
    label : str
        What the axis shows, in lines.
    texts : list of str
        What stands at the right of each estimate.
    key : dict of str to str
        What "filled", "open" and "grey" markers are.
    factor : float
        What is multiplied by to be shown: 100 for points, -1 for scores.
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
    filled: np.ndarray
    labels: list
    label: str
    texts: list
    key: dict
    factor: float = 1.0
    title: str = "p"
    row: np.ndarray | None = None
    series: np.ndarray | None = None
    series_names: list = [""]  # noqa: RUF012
    grey: np.ndarray | None = None
    bounds: tuple = ()
    bounds_are: str | None = None
    has_mean: bool = False
    has_zero: bool = True

    def in_unit(self):
        """Return the rows in the unit of the axis."""
        ends = np.sort(np.multiply(self.factor, [self.lows, self.highs]), axis=0)
        return self._replace(
            estimates=self.factor * np.asarray(self.estimates) + 0.0,
            lows=ends[0],
            highs=ends[1],
            bounds=tuple(self.factor * bound for bound in self.bounds),
        )


class ForestDisplay:
    """What the displays that draw a forest share."""

    _rows: Any  # returns what is drawn, checked

    def plot(
        self,
        ax: Axes | None = None,
        *,
        point_kwargs: dict[str, Any] | None = None,
        interval_kwargs: dict[str, Any] | None = None,
        line_kwargs: dict[str, Any] | None = None,
        text_kwargs: dict[str, Any] | None = None,
    ) -> Self:
        """Draw the plot.

        Parameters
        ----------
        ax : matplotlib Axes, default=None
            Where to draw; None makes a figure with a height for the number of rows.
            With more than 200 rows it has neither names nor p-values.
            Labels and p-values stand outside the axes, whose figure gets
            `layout="constrained"`.
        point_kwargs : dict, default=None
            Keywords for the markers, as of `Axes.scatter`.
        interval_kwargs : dict, default=None
            Keywords for the intervals, as of `Axes.hlines`.
        line_kwargs : dict, default=None
            Keywords for the line at zero, as of `Axes.axvline`.
        text_kwargs : dict, default=None
            Keywords for the p-values, as of `Axes.annotate`.

        Returns
        -------
        display : ComparisonDisplay
            The object itself.

        Raises
        ------
        ImportError
            If matplotlib is not installed.
        """
        rows = self._rows()
        ax = make_axes(ax, f"{type(self).__name__}.plot", forest_size(rows))
        self.points_, self.intervals_, self.zero_line_, self.text_ = draw_forest(
            ax,
            rows,
            point_kwargs=point_kwargs,
            interval_kwargs=interval_kwargs,
            line_kwargs=line_kwargs,
            text_kwargs=text_kwargs,
        )
        self.ax_, self.figure_ = ax, ax.figure
        return self

    def size(self) -> tuple[float, float]:
        """Return width and height in inches that the plot needs.

        Returns
        -------
        width, height : float
            As matplotlib takes them.
        """
        return forest_size(self._rows())


def significance_key(alpha, what="significantly different", rest="not significant"):
    """Return what markers mean where p-values decide."""
    return {"filled": f"{what}, p ≤ {float(alpha):g}", "open": rest}


def p_texts(pvalues, alpha, are_bounds=None):
    """Return p-values as texts: as in words, those that are bounds with a sign."""
    are_bounds = [False] * len(pvalues) if are_bounds is None else are_bounds
    texts = [shown_pvalue(p, alpha) if np.isfinite(p) else "" for p in pvalues]
    return [
        "≤ " * bool(is_bound and text[:1] != "<") + text
        for text, is_bound in zip(texts, are_bounds, strict=True)
    ]


def _lines(rows, labels):
    """Return the height of all rows, in lines of text."""
    if len(labels) > MOST:
        return 60
    lines = np.array([label.count("\n") + 1 for label in labels])
    most = max((lines[1:] + lines[:-1]).max(initial=2) / 2, lines.max() / 1.5)
    return len(labels) * max(most, 0.8 * len(rows.series_names))


def _n_keys(rows):
    return len(rows.key) + bool(rows.bounds) + _n_series(rows)


def _n_series(rows):
    return len(rows.series_names) * (len(rows.series_names) > 1)


def _broken(labels, width=LONG):
    """Return the names of rows in lines."""
    width = min(width, SHORT if len(labels) <= FEW else LONG)
    width = max(width, 8)
    return [wrap_at(label, width) for label in short_names(labels, 3 * width)]


def forest_size(rows):
    """Return width and height in inches that a forest plot needs."""
    lines, rest = _lines(rows, _broken(rows.labels)), REST + KEY * _n_keys(rows)
    height = rest + 0.12 * min(len(rows.labels), 60) + (ROW - 0.12) * lines
    if height > PAGE:
        height = max(PAGE, rest + 1.3 * SMALLEST / 72 * lines)
    return 6.4 if len(rows.labels) <= FEW else 7, height


def draw_forest(
    ax, rows, *, point_kwargs=None, interval_kwargs=None, line_kwargs=None,
    text_kwargs=None,
):  # fmt: skip
    """Draw estimates with intervals in rows, and a column of text at the right.

    Returns the markers and the intervals, a collection for each series, the line at
    zero and the texts.
    """
    from matplotlib.lines import Line2D
    from matplotlib.text import Text

    rows = rows.in_unit()
    n_rows, (width, height) = len(rows.labels), letters_of(ax)
    labels = _broken(rows.labels, int((0.45 if n_rows <= FEW else 0.55) * width))
    free = 72 / 1.3 * (height - REST - KEY * _n_keys(rows))
    if free / _lines(rows, labels) < SMALLEST:  # there is room for one line
        labels = short_names(rows.labels, max(int(0.45 * width), 8))
    size = float(np.clip(free / _lines(rows, labels), SMALLEST, LARGEST))
    y, points, intervals = _draw_series(ax, rows, size, point_kwargs, interval_kwargs)
    line = {"color": "0.4", "linewidth": 1, "zorder": 1}
    zero_line = None
    if rows.has_zero:
        zero_line = ax.axvline(0, **styled("line_kwargs", line, line_kwargs, Line2D))
    for bound in rows.bounds:
        ax.axvline(bound, color="0.4", linestyle=":", linewidth=1, zorder=1)
    if rows.has_mean:
        ax.axhline(n_rows - 1.5, color="0.4", linewidth=0.8)
    texts = []
    if n_rows <= MOST:
        ax.grid(axis="y", color="0.92", zorder=0)
        ax.set_yticks(range(n_rows), labels, fontsize=size, parse_math=False)
        style = styled("text_kwargs", {"fontsize": size}, text_kwargs, Text)
        texts = _write_texts(ax, rows, y, style)
    else:
        ax.set_yticks([])
        ax.set_ylabel(f"{n_rows:,} rows, too many to name")
    ax.tick_params(axis="y", length=0)
    ax.set_axisbelow(True)
    ax.set_ylim(n_rows - 0.5, -1.2)
    longest = max(map(len, "\n".join(labels).splitlines())) if n_rows <= MOST else 0
    taken = int(8 + longest * size / LARGEST)
    ax.locator_params(axis="x", nbins=5 if width - taken > 40 else 3)
    lines = [wrapped(line, ax, taken * 2 // 3) for line in rows.label.splitlines()]
    ax.set_xlabel("\n".join(lines), parse_math=False)
    _add_key(ax, rows, taken, size)
    return points, intervals, zero_line, texts


def _draw_series(ax, rows, size, point_kwargs, interval_kwargs):
    """Draw estimates and intervals; return their heights, and them by series."""
    from matplotlib.collections import PathCollection
    from matplotlib.lines import Line2D

    n, many = len(rows.estimates), len(rows.labels) > MOST
    row = np.arange(n) if rows.row is None else rows.row
    series = np.zeros(n, dtype=int) if rows.series is None else rows.series
    n_series = len(rows.series_names)
    y = row + ((np.arange(n_series) - (n_series - 1) / 2) * 0.8 / n_series)[series]
    values = rows.estimates, rows.lows, rows.highs, rows.bounds, [0.0] * rows.has_zero
    limits = _limits(np.concatenate(values))
    ax.set_xlim(limits)
    groups = [
        (np.flatnonzero(series == number), cycled(COLORS, number), marker)
        for number, marker in zip(range(n_series), cycle(MARKERS), strict=False)
    ]
    if rows.has_mean:
        groups = [
            (np.arange(n - 1), COLORS[0], MARKERS[0]),
            (np.array([n - 1]), COLORS[0], "D"),
        ]
    points, intervals = [], []
    for of, color, marker in groups:
        style = {"color": color, "linewidth": size / 4, "zorder": 2}
        style |= {"linewidth": 0.5, "alpha": 0.2} if many else {}
        style = styled("interval_kwargs", style, interval_kwargs, Line2D)
        ends = (np.clip(ends[of], *limits) for ends in (rows.lows, rows.highs))
        lines = drawn("interval_kwargs", ax.hlines, y[of], *ends, **style)
        intervals.append(lines)
        faces = np.where(rows.filled[of], color, "white")
        if rows.grey is not None:
            faces = np.where(rows.grey[of], GREY, faces)
        style = {"marker": marker, "edgecolors": color, "facecolors": list(faces)}
        style |= {"s": 4 if many else 42 * (size / LARGEST) ** 2, "zorder": 3}
        style |= {"linewidths": 0.3 if many else size / 6}
        style = styled("point_kwargs", style, point_kwargs, PathCollection)
        estimates = rows.estimates[of]
        points.append(drawn("point_kwargs", ax.scatter, estimates, y[of], **style))
    return y, points, intervals


def _limits(values):
    """Return limits of x that hold all finite values."""
    values = values[np.isfinite(values)] if np.isfinite(values).any() else np.zeros(1)
    margin = 0.06 * (np.ptp(values) or 1.0)
    return values.min() - margin, values.max() + margin


def _write_texts(ax, rows, y, style):
    """Write a column of text right of the axes, and its title at their upper end."""
    style = {"textcoords": "offset points", "annotation_clip": False, **style}
    top = {"xycoords": "axes fraction", "va": "top"}
    beside = {"xycoords": ax.get_yaxis_transform(), "va": "center"}
    return [
        ax.annotate(rows.title, (1, 1), (10, 0), **top | style),
        *(
            ax.annotate(text, (1, height), (10, 0), **beside | style)
            for height, text in zip(y, rows.texts, strict=True)
        ),
    ]


def _add_key(ax, rows, taken, size):
    """Say below the axes what markers, colours and dotted lines are."""
    from matplotlib.lines import Line2D

    style = {"linestyle": "", "marker": "o", "color": COLORS[0]}
    if _n_series(rows):
        style["color"] = "0.3"
    faces = {"filled": style["color"], "open": "white", "grey": GREY}
    handles = [Line2D([], [], **style, mfc=faces[kind]) for kind in rows.key]
    labels = list(rows.key.values())
    if rows.bounds:
        handles.append(Line2D([], [], color="0.4", linestyle=":"))
        labels.append(rows.bounds_are or "bounds")
    for number in range(_n_series(rows)):
        color, marker = cycled(COLORS, number), cycled(MARKERS, number)
        handles.append(Line2D([], [], color=color, marker=marker))
        labels.append(rows.series_names[number])
    add_legend_below(ax, handles, labels, taken, fontsize=max(size, SMALL))
