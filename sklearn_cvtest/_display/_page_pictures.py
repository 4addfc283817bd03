"""The pictures of a report, without pyplot and its state."""

import base64
import io
from typing import NamedTuple

import numpy as np

from .._compat import import_extra
from .._inference._ends import POSTERIOR
from .._report._format import capitalised
from .._report._shown_pairs import shown_pairs
from ._axis_texts import pair_labels
from ._bars import bars_size, draw_bars
from ._comparison_display import ComparisonDisplay
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
    pictures = [_picture_of_differences(comparison)]
    if tables[0].is_bayesian:
        pictures.append(_picture_of_posterior(comparison))
    if any(table.test.traits.varies_with_rho for table in tables):
        pictures.append(_picture_of_rho(comparison))
    return pictures


def _picture_of_differences(comparison):
    """Return the picture of models, or of pairs where there are only these."""
    display = ComparisonDisplay.of_comparison(comparison)
    title, sides = display.rows.label.splitlines()
    return picture_of(
        display.plot,
        capitalised(title),
        f"Filled markers are significant differences. {sides}",
        display.size(),
    )


def _picture_of_posterior(comparison):
    """Return the picture of the posterior probabilities of pairs."""
    table, rows = shown_pairs(comparison, comparison.table)
    probabilities = np.transpose([table.columns[name] for name in POSTERIOR])[rows]
    order = np.argsort(probabilities[:, 0] - probabilities[:, 2])
    pairs = np.transpose([table.first, table.second])[rows][order]
    labels = pair_labels(np.array(table.names, dtype=object)[pairs], "vs")

    def draw(ax):
        draw_bars(
            "A picture",
            probabilities[order],
            labels,
            PARTS,
            "posterior probability",
            ax,
            (COLORS[1], "0.8", COLORS[0]),
        )

    return picture_of(
        draw,
        "Posterior probabilities",
        "How probable it is that each of the two is better, or that they are "
        "practically equivalent.",
        bars_size(labels),
    )


def _picture_of_rho(comparison):
    """Return the picture of p-values against the assumed ρ."""
    display = RhoSensitivityDisplay.of_comparison(comparison)
    return picture_of(
        display.plot,
        "p-values against the assumed ρ",
        f"The p-value of {display.test}, not adjusted, for every ρ that one may "
        "assume. Below the level it is significant; the marker is at ρ_α.",
        display.size(),
    )


def picture_of(draw, title, caption, size=None):
    """Return the Picture that `draw(ax)` makes, of `size` inches if it is given."""
    new = import_extra("matplotlib.figure", "A picture").Figure
    figure = new(size, layout="constrained")
    draw(figure.subplots())
    return Picture(title, caption, _svg_uri(figure))


def _svg_uri(figure):
    import matplotlib

    file = io.BytesIO()
    with matplotlib.rc_context(SVG):
        figure.savefig(file, format="svg", metadata={"Date": None})
    return "data:image/svg+xml;base64," + base64.b64encode(file.getvalue()).decode()
