"""Code shared by all plots: colours, axes, styles and text."""

import contextlib

import numpy as np

from .._compat import import_pyplot
from .._validation import check_real_array, invalid, invalid_words

# Okabe and Ito's colours, distinguishable by the colour-blind, in order of decreasing
# contrast.
COLORS = ("#0072B2", "#D55E00", "#009E73", "#CC79A7", "#000000", "#E69F00", "#56B4E9")
MARKERS = ("o", "s", "D", "^", "v", "P", "X", "p", "h")
LINE_STYLES = ("-", "--", "-.", ":", (0, (6, 1, 1, 1, 1, 1)))

LARGEST, SMALLEST = 9, 5  # points of letters
CHARACTER = 0.075  # inches of the largest
NARROW = 3.7  # inches: the width of a phone


def check_comparison(comparison):
    """Check that something is the result of a comparison."""
    if not (hasattr(comparison, "tables") and hasattr(comparison, "losses")):
        raise invalid("comparison", "a Comparison", comparison, TypeError)


def make_axes(ax, needed_by, size):
    """Return `ax`, or the axes of a new figure of `size` inches."""
    if ax is None:
        _, ax = import_pyplot(needed_by).subplots(figsize=size, layout="constrained")
        return ax
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
            figure.set_layout_engine("constrained")


def room_of(ax):
    """Return width and height in inches of the place that axes have in their figure."""
    whole = ax.figure.bbox.size / ax.figure.dpi
    spec = ax.get_subplotspec()
    if spec is None:
        return whole * np.minimum(ax.get_position().size / (0.775, 0.77), 1)
    grid = spec.get_gridspec()
    sides = (
        (grid.get_width_ratios(), spec.colspan),
        (grid.get_height_ratios(), spec.rowspan),
    )
    return whole * [
        sum(ratios[span.start : span.stop]) / sum(ratios) for ratios, span in sides
    ]


def letters_of(ax):
    """Return the size of letters, in points, and how many fit into the width."""
    width = room_of(ax)[0]
    size = LARGEST * max(min(width / NARROW, 1), SMALLEST / LARGEST)
    return size, int(0.94 * width / CHARACTER * LARGEST / size)


def check_sequence(name, values):
    """Return what names rows or columns, or is a list of pairs, as a list."""
    no_list = isinstance(values, (str, bytes)) or hasattr(values, "columns")
    if no_list or not np.iterable(values) or not hasattr(values, "__len__"):
        raise invalid(name, "a list", values, TypeError)
    return list(values)


def check_column(name, values, n_rows, of):
    """Return numbers, one for each of the rows that are named in `of`."""
    values = check_real_array(name, values)
    if values.shape != (n_rows,):
        allowed = f"a column of {n_rows} rows, as `{of}`"
        raise invalid_words(name, allowed, f"an array of shape {values.shape}")
    return values


def styled(name, defaults, given, artist):
    """Return the defaults updated by the keywords a user gave for an artist."""
    from matplotlib.cbook import normalize_kwargs

    if given is not None and not isinstance(given, dict):
        raise invalid(name, "a dict of keywords, or None", given, TypeError)
    return {**defaults, **normalize_kwargs(given, artist)}


def cycled(options, number):
    return options[number % len(options)]


def add_legend(ax, handles, labels, **kwargs):
    """Add a legend whose labels are shown literally."""
    placeholders = [str(number) for number in range(len(labels))]  # "_a" would be left
    legend = ax.legend(handles, placeholders, **{"frameon": False, **kwargs})
    for text, label in zip(legend.get_texts(), labels, strict=True):
        text.set_parse_math(False)
        text.set_text(label)
    return legend


def add_legend_below(ax, handles, labels, points, **kwargs):
    """Add a legend so many points below the axes, however high they are."""
    from matplotlib.transforms import ScaledTranslation

    below = ScaledTranslation(0, -points / 72, ax.figure.dpi_scale_trans)
    place = {
        "loc": "upper left",
        "bbox_to_anchor": (0, 0),
        "bbox_transform": ax.transAxes + below,
        "borderaxespad": 0,
        "fontsize": 9,
        "handlelength": 3,
    }
    return add_legend(ax, handles, labels, **place | kwargs)


def check_text(name, value):
    """Return a text or None, checked."""
    if not isinstance(value, str | None):
        raise invalid(name, "a str or None", value, TypeError)
    return value
