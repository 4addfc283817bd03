"""The pictures of a report, without pyplot and its state."""

import base64
import io
import warnings
from typing import NamedTuple

from .._compat import import_figure
from ._differences import ComparisonDisplay
from ._rho import RhoSensitivityDisplay, is_exchangeable

__all__ = ["Picture", "comparison_pictures"]

MAX_CURVES = 7  # that can be distinguished
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


def comparison_pictures(comparison, needed_by):
    """Return pictures of the differences and, of few pairs, of p-values against ρ."""
    n_pairs = len(comparison.pairs)
    title = f"Differences of {n_pairs} pairs with their intervals"
    if n_pairs == 1:
        first, second = comparison.pairs[0]
        title = f"Difference of {first} and {second} with its interval"
    pictures = [
        _picture(
            ComparisonDisplay.of_comparison(comparison),
            needed_by,
            title,
            "Filled markers are significant differences, open ones are not. Right of "
            "zero the second estimator is better, left of it the first.",
        )
    ]
    if is_exchangeable(comparison.losses.design) and n_pairs <= MAX_CURVES:
        pictures.append(
            _picture(
                RhoSensitivityDisplay.of_comparison(comparison),
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
