"""The style of all pictures: colours, axes, frame, text and legend."""

from __future__ import annotations

import contextlib
import textwrap

import numpy as np

from .._compat import import_extra
from .._typing import Any, Axes, Pairs, Self
from .._validation import invalid, one_line

# Okabe and Ito's colours, distinguishable by the colour-blind, in order of decreasing
# contrast.
COLORS = ("#0072B2", "#D55E00", "#009E73", "#CC79A7", "#000000", "#E69F00", "#56B4E9")
MARKERS = ("o", "s", "D", "^", "v", "P", "X", "p", "h")
LINE_STYLES = ("-", "--", "-.", ":", (0, (6, 1, 1, 1, 1, 1)))

LARGEST = 9  # points of the largest letters
SMALLEST = 5  # points of the smallest, which can just be read in print
SMALL = 7  # points of letters in the legend of low axes


class PairsDisplay:
    """What displays of the pairs of a comparison share."""

    plot: Any
    of_comparison: Any  # returns the display of a comparison, not drawn yet

    @classmethod
    def from_comparison(
        cls, comparison: Any, *, ax: Axes | None = None, pairs: Pairs = None
    ) -> Self:
        """Plot a comparison.

        Parameters
        ----------
        comparison : Comparison or CandidateComparison
            Made by :func:`compare_estimators` or :func:`compare_candidates`.
        ax : matplotlib Axes, default=None
            Where to draw; None makes a figure.
        pairs : {"best", "all"} or list of (str, str), default=None
            The pairs to show: the best, or the reference, with the others, of many the
            best ones; all; or those in a list, each in its order. Without a reference,
            the second is the one with the smaller mean loss; a one-sided test keeps its
            pairs as they are. None is said in the description of the display.

        Returns
        -------
        display : object
            The display, drawn.

        Raises
        ------
        TypeError, ValueError
            If `pairs` is not as described, or the comparison has not what is drawn; the
            message says what to use.
        ImportError
            If matplotlib is not installed.
        """
        if not (hasattr(comparison, "tables") and hasattr(comparison, "losses")):
            raise invalid("comparison", "a Comparison", comparison, TypeError)
        return cls.of_comparison(comparison, pairs).plot(ax)


def make_axes(ax, needed_by, size):
    """Return `ax`, or the axes of a new figure of `size` inches."""
    if ax is None:
        plt = import_extra("matplotlib.pyplot", needed_by)
        return plt.subplots(figsize=size, layout="constrained")[1]
    from matplotlib.axes import Axes

    if not isinstance(ax, Axes):
        raise invalid("ax", "a matplotlib Axes or None", ax, TypeError)
    _keep_whole(ax.figure)
    return ax


def _keep_whole(figure):
    """Make room for what stands outside axes, if nothing else has laid them out."""
    while figure.figure is not figure and figure.figure is not None:
        figure = figure.figure  # of a part of a figure
    if figure.get_layout_engine() is None:
        with contextlib.suppress(RuntimeError):  # a colour bar that is there forbids it
            if figure.subfigs:
                figure.set_layout_engine("constrained")
            else:  # tight_layout() and subplots_adjust() work with it
                figure.set_layout_engine("tight", pad=0.3)


def letters_of(ax):
    """Return how many letters fit into the place of axes, and its height in inches."""
    width, height = ax.bbox.size / ax.figure.dpi / (0.775, 0.77)
    width_of_letter = 0.075  # inches of the largest
    return int(width / width_of_letter), height


def check_sequence(name, values):
    """Return what names rows or columns, or is a list of pairs, as a list."""
    no_list = isinstance(values, (str, bytes)) or hasattr(values, "columns")
    if no_list or not np.iterable(values) or not hasattr(values, "__len__"):
        raise invalid(name, "a list", values, TypeError)
    return list(values)


def cycled(options, number):
    return options[number % len(options)]


def wrapped(text, ax, n_letters=12):
    """Return a text in lines that fit beside so many letters left of the axes.

    The lines are about as long as each other, so that none is a word alone.
    """
    width = max(letters_of(ax)[0] - n_letters, 16)
    lines = wrap_at(text, width)
    longest = max(map(len, lines.split()), default=0)
    for narrower in range(width - 1, longest - 1, -1):
        shorter = wrap_at(text, narrower)
        if shorter.count("\n") > lines.count("\n") or "…" in shorter:
            break
        lines = shorter
    return lines


def open_face(ax):
    """Return the colour of the inside of an open marker: what is behind it."""
    from matplotlib.colors import to_hex

    return to_hex(ax.get_facecolor())


def set_xlabel(ax, text):
    """Write what the horizontal axis shows, in letters for which it was wrapped."""
    ax.set_xlabel(text, parse_math=False, fontsize=LARGEST)


def _below_label(ax):
    """Return how many points below its axes a picture has room for a legend."""
    axis = ax.xaxis
    label = ax.xaxis.label
    ticks = max((tick.get_size() for tick in axis.get_ticklabels()), default=0)
    n_lines = len(label.get_text().splitlines())
    spacing = 1.25  # height of a line of text in heights of its letters
    above = axis.get_tick_padding() + spacing * ticks + axis.labelpad
    return above + n_lines * spacing * label.get_size() + 4


def wrap_at(text, width, most=4):
    """Return a name in so many lines of a width."""
    options = {"break_on_hyphens": False, "max_lines": most, "placeholder": "…"}
    return textwrap.fill(one_line(str(text)), width, **options)


def add_legend(ax, handles, labels, **kwargs):
    """Add a legend whose labels are shown literally."""
    placeholders = [str(number) for number in range(len(labels))]  # "_a" would be left
    legend = ax.legend(handles, placeholders, **{"frameon": False, **kwargs})
    legend.get_title().set_parse_math(False)
    for text, label in zip(legend.get_texts(), labels, strict=True):
        text.set_parse_math(False)
        text.set_text(label)
    return legend


def add_legend_below(ax, handles, labels, n_letters=12, **kwargs):
    """Give a picture the open frame of all, and a legend below its horizontal axis.

    `n_letters` letters stand left of the axes.
    """
    from matplotlib.transforms import ScaledTranslation

    ax.spines[["right", "top"]].set_visible(False)
    below = ScaledTranslation(0, -_below_label(ax) / 72, ax.figure.dpi_scale_trans)
    _, height = letters_of(ax)
    size = LARGEST if height >= 3.5 else SMALL
    place = {
        "loc": "upper left",
        "bbox_to_anchor": (0, 0),
        "bbox_transform": ax.transAxes + below,
        "borderaxespad": 0,
        "labelspacing": 0.4,
        "fontsize": size,
        "title_fontsize": size,
        "alignment": "left",
    }
    labels = [wrapped(label, ax, n_letters + 4) for label in labels]
    return add_legend(ax, handles, labels, **place | kwargs)


def check_text(name, value):
    """Return a text or None, checked."""
    if not isinstance(value, str | None):
        raise invalid(name, "a str or None", value, TypeError)
    return value
