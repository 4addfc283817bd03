"""The pictures of a report, without pyplot and its state."""

import base64
import io
from typing import NamedTuple

import numpy as np

from .._compat import import_extra
from .._inference._ends import POSTERIOR
from .._report._findings import is_bayesian
from .._report._format import pair_labels
from .._report._rows import shown_pairs
from .._validation import words_of
from ._bars import bars_size, draw_bars
from ._differences import ComparisonDisplay
from ._draw import COLORS
from ._rho import RhoSensitivityDisplay

TEXTS = words_of("sklearn_cvtest._report")["pictures"]
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
    tables, shown = list(comparison.tables.values()), []
    # models, or pairs where there are only these
    display = ComparisonDisplay.of_comparison(comparison)
    what, sides = display.xlabel.splitlines()
    words = {"what": what[0].upper() + what[1:], "sides": sides}
    shown.append((display.plot, display.size(), "differences", words))
    if is_bayesian(tables[0]):
        shown.append((*_posterior(comparison), "posterior", {}))
    if any(table.test.traits.varies_with_rho for table in tables):
        rho = RhoSensitivityDisplay.of_comparison(comparison)
        shown.append((rho.plot, rho.size(), "rho", {"test": rho.test}))
    return [picture_of(draw, TEXTS[of], size, **to) for draw, size, of, to in shown]


def _posterior(comparison):
    """Return what draws the posterior probabilities of pairs, and its size."""
    table, shown = shown_pairs(comparison, comparison.table)
    chances = np.transpose([table.columns[name] for name in POSTERIOR])[shown]
    order = np.argsort(chances[:, 0] - chances[:, 2])
    pairs = np.transpose([table.first, table.second])[shown][order]
    labels = pair_labels(np.array(table.names, dtype=object)[pairs], "vs")
    colors = COLORS[1], "0.8", COLORS[0]
    what = "A picture", chances[order], labels, PARTS, "posterior probability"
    return (lambda ax: draw_bars(*what, ax, colors)), bars_size(labels)


def picture_of(draw, texts, size=None, **words):
    """Return the Picture that `draw(ax)` makes, of `size` inches if it is given.

    `texts` are the templates of its title and caption, whose `words` are these.
    """
    new = import_extra("matplotlib.figure", "A picture").Figure
    figure = new(size, layout="constrained")
    draw(figure.subplots())
    title, caption = (text.format(**words) for text in texts)
    return Picture(title, caption, _svg_uri(figure))


def _svg_uri(figure):
    import matplotlib

    file = io.BytesIO()
    with matplotlib.rc_context(SVG):
        figure.savefig(file, format="svg", metadata={"Date": None})
    return "data:image/svg+xml;base64," + base64.b64encode(file.getvalue()).decode()
