"""The pictures of a report, without pyplot and its state."""

import base64
import io
import warnings
from typing import NamedTuple

import numpy as np

from .._compat import import_figure
from .._inference._ends import POSTERIOR
from .._report._findings import is_bayesian
from .._report._format import pair_labels
from .._report._rows import shown_pairs
from ._bars import bars_size, draw_bars
from ._differences import ComparisonDisplay
from ._draw import COLORS
from ._rho import RhoSensitivityDisplay

SVG = {"svg.hashsalt": "sklearn_cvtest", "svg.fonttype": "path"}  # the same every time

PARTS = ("first better", "practically equivalent", "second better")


class Picture(NamedTuple):
    """A picture for a page.

    Attributes
    ----------
    title : str
        A description, for readers who cannot see it.
    caption : str
        How to read it.
    uri : str
        The picture, an SVG as a data URI.
    """

    title: str
    caption: str
    uri: str


def comparison_pictures(comparison):
    """Return pictures of what the tables show: differences, posteriors, p against ρ."""
    tables = list(comparison.tables.values())
    pictures = [_differences(comparison)]
    if is_bayesian(tables[0]):
        pictures.append(_posterior(comparison))
    if any(table.test.traits.varies_with_rho for table in tables):
        display = RhoSensitivityDisplay.of_comparison(comparison)
        pictures.append(
            picture_of_display(
                display,
                "p-values against the assumed ρ",
                f"The p-value of {display.test}, not adjusted, for every ρ that one "
                "may assume. Below the level it is significant; the marker is at ρ_α.",
            )
        )
    return pictures


def _differences(comparison):
    """Return the forest plot of the models, or of pairs where there are only these."""
    display = ComparisonDisplay.of_comparison(comparison)
    what, sides = display.xlabel.splitlines()
    title = f"{what[0].upper()}{what[1:]}"
    caption = f"Filled markers are significant differences. {sides}"
    return picture_of_display(display, title, caption)


def _posterior(comparison):
    """Return bars of the posterior probabilities of each pair, by the first test."""
    table, shown = shown_pairs(comparison, comparison.table)
    chances = np.transpose([table.columns[name] for name in POSTERIOR])[shown]
    order = np.argsort(chances[:, 0] - chances[:, 2])
    pairs = np.transpose([table.first, table.second])[shown][order]
    labels = pair_labels(np.array(table.names, dtype=object)[pairs], "vs")
    colors = COLORS[1], "0.8", COLORS[0]
    what = "A picture", chances[order], labels, PARTS, "posterior probability"
    return picture_of(
        lambda ax: draw_bars(*what, ax, colors),
        "Posterior probabilities",
        "How probable it is that each of the two is better, or that they are "
        "practically equivalent.",
        bars_size(labels),
    )


def picture_of(draw, title, caption, size=None):
    """Return the Picture that `draw(ax)` makes, of `size` inches if it is given."""
    figure = import_figure("A picture").Figure(size, layout="constrained")
    draw(figure.subplots())
    return Picture(title, caption, _svg_uri(figure))


def picture_of_display(display, title, caption):
    """Return the Picture of a display."""
    return picture_of(display.plot, title, caption, display.size())


def _svg_uri(figure):
    import matplotlib

    file = io.BytesIO()
    with matplotlib.rc_context(SVG), warnings.catch_warnings():
        warnings.filterwarnings("ignore", "Glyph .* missing from font")
        figure.savefig(file, format="svg", metadata={"Date": None})
    return "data:image/svg+xml;base64," + base64.b64encode(file.getvalue()).decode()
