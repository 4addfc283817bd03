"""The pictures of a report, without pyplot and its state."""

import base64
import io
import warnings
from typing import NamedTuple

import numpy as np

from .._compat import import_figure
from .._report._findings import is_bayesian
from .._report._measure import measure_of_data_sets
from .._report._plot_words import axis_words, factor_of, pooled_level
from .._report._rows import pairs_shown
from ._datasets import DatasetDisplay
from ._differences import ComparisonDisplay
from ._posterior import PosteriorDisplay
from ._ranks import draw_critical_differences
from ._rho import RhoSensitivityDisplay

MAX_FORESTS = 6  # of pairs over data sets
MAX_ROWS = 200  # of all these together, but for the first

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


def comparison_pictures(comparison):
    """Return pictures of what the tables show: differences, posteriors, p against ρ."""
    tables = list(comparison.tables.values())
    pictures = [_differences(comparison)]
    if is_bayesian(tables[0]):
        pictures.append(
            _picture(
                PosteriorDisplay.of_comparison(comparison),
                "Posterior probabilities",
                "How probable it is that each of the two is better, or that they are "
                "practically equivalent.",
            )
        )
    if any(table.test.traits.varies_with_rho for table in tables):
        display = RhoSensitivityDisplay.of_comparison(comparison)
        pictures.append(
            _picture(
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
    return _picture(display, title, caption)


def dataset_pictures(result):
    """Return pictures of a comparison over data sets.

    For more than two estimators the mean differences and the mean ranks, then pairs on
    each data set: those with the smallest p-values, fewer for many data sets.
    """
    pictures = []
    if len(result.estimator_names) > 2:
        pictures.append(_mean_differences(result))
        if result.has_ranks:
            pictures.append(_mean_ranks(result.ranks()))
    n_forests = min(max(MAX_ROWS // len(result.datasets), 1), MAX_FORESTS)
    order = np.argsort(result.pvalues_adjusted, kind="stable")[:n_forests]
    for first, second in (result.pairs[row] for row in order.tolist()):
        picture = _picture(
            DatasetDisplay.of_comparison(result, first, second),
            f"Difference of {first} and {second} on each data set",
            "With intervals, not adjusted; below the line the mean over data sets.",
        )
        pictures.append(picture)
    return pictures


def _mean_differences(result):
    """Return the forest plot of the differences averaged over data sets."""
    shown, measure = np.array(pairs_shown(result)), measure_of_data_sets(result)
    order = shown[np.argsort(-result.synthesis.estimate[shown], kind="stable")]
    first, second = zip(*(result.pairs[row] for row in order.tolist()), strict=True)
    display = ComparisonDisplay(
        first=first,
        second=second,
        estimate=result.synthesis.estimate[order],
        ci_low=result.intervals[order, 0],
        ci_high=result.intervals[order, 1],
        pvalue=result.pvalues_adjusted[order],
        p_adjust=result.p_adjust,
        alpha=result.alpha,
        xlabel=axis_words(measure, pooled_level(result)),
        factor=factor_of(measure),
    )
    return _picture(
        display,
        "Mean differences over data sets",
        "Random-effects means with intervals that are not adjusted.",
    )


def _mean_ranks(ranks):
    """Return the critical-difference diagram."""
    figure = import_figure("A picture").Figure(layout="constrained")
    draw_critical_differences(
        list(ranks.estimator_names),
        ranks.mean_ranks,
        ranks.nemenyi_pvalues,
        ranks.alpha,
        figure.subplots(),
        fit=True,
    )
    return Picture(
        "Mean ranks over data sets",
        "1 is the best. A bar joins those whose mean ranks do not differ significantly "
        "by Nemenyi's test.",
        _svg_uri(figure),
    )


def picture_of(draw, title, caption, size):
    """Return the Picture that `draw(ax)` makes of `size` inches."""
    figure = import_figure("A picture").Figure(size, layout="constrained")
    draw(figure.subplots())
    return Picture(title, caption, _svg_uri(figure))


def _picture(display, title, caption):
    return picture_of(display.plot, title, caption, display.size())


def _svg_uri(figure):
    import matplotlib

    file = io.BytesIO()
    with matplotlib.rc_context(SVG), warnings.catch_warnings():
        warnings.filterwarnings("ignore", "Glyph .* missing from font")
        figure.savefig(file, format="svg", metadata={"Date": None})
    return "data:image/svg+xml;base64," + base64.b64encode(file.getvalue()).decode()
