"""The pictures of a report, without pyplot and its state."""

import base64
import io
import warnings
from typing import NamedTuple

from .._compat import import_figure
from .._report._text import rows_shown
from .._report._verdict import is_bayesian

__all__ = ["Picture", "comparison_pictures"]

SVG = {"svg.hashsalt": "sklearn_cvtest", "svg.fonttype": "path"}  # the same every time


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


def comparison_pictures(displays, comparison, needed_by):
    """Return pictures of what the tables show: differences, posteriors, p against ρ.

    `displays` holds the classes that draw them.
    """
    table = next(iter(comparison.tables.values()))
    shown = len(rows_shown(comparison, table))
    which = "with the best" if shown < len(table) else "with their intervals"
    title = f"Differences of {shown} pairs {which}"
    right = "Right of zero the second estimator is better, left of it the first."
    if len(table) == 1:
        row = table.row(0)
        title = f"Difference of {row.first} and {row.second} with its interval"
        right = f"Right of zero {row.second} is better, left of it {row.first}."
    pictures = [
        _picture(
            displays.ComparisonDisplay.of_comparison(comparison, selected=True),
            needed_by,
            title,
            f"Filled markers are significant differences, open ones are not. {right}",
        )
    ]
    if is_bayesian(table):
        pictures.append(
            _picture(
                displays.PosteriorDisplay.of_comparison(comparison),
                needed_by,
                "Posterior probabilities",
                "How probable it is that each of the two is better, or that they are "
                "practically equivalent.",
            )
        )
    if displays.is_exchangeable(comparison.losses.design):
        pictures.append(
            _picture(
                displays.RhoSensitivityDisplay.of_comparison(comparison),
                needed_by,
                "p-values against the assumed ρ",
                "The p-value of the t test on the means of splits, not adjusted, for "
                "every ρ that one may assume. Below the level it is significant; the "
                "marker is at ρ_α.",
            )
        )
    return pictures


def _picture(display, needed_by, title, caption):
    figure = import_figure(needed_by).Figure(display.size(), layout="constrained")
    display.plot(figure.subplots())
    return Picture(title, caption, _svg_uri(figure))


def _svg_uri(figure):
    import matplotlib

    file = io.BytesIO()
    with matplotlib.rc_context(SVG), warnings.catch_warnings():
        warnings.filterwarnings("ignore", "Glyph .* missing from font")
        figure.savefig(file, format="svg", metadata={"Date": None})
    return "data:image/svg+xml;base64," + base64.b64encode(file.getvalue()).decode()
