"""The pictures of a report, without pyplot and its state."""

import base64
import io
import warnings
from functools import partial
from typing import NamedTuple

import numpy as np

from .._compat import import_figure
from .._report._findings import is_bayesian
from .._report._plot_words import filled_means
from .._report._rows import pairs_shown, rows_shown
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
    narrow_uri : str or None
        The same for a narrow screen, if there is one.
    """

    title: str
    caption: str
    uri: str
    narrow_uri: str | None = None


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
    """Return the forest plot, for wide and for narrow screens."""
    tables = list(comparison.tables.values())
    table = tables[0]
    shown = len(rows_shown(comparison, table))
    pivot = comparison.reference_position
    if pivot is None and shown < len(table):
        pivot = comparison.ranking[0]
    title = f"Differences of {shown} pairs with their intervals"
    sides = "Right of zero the second estimator is better, left of it the first."
    if len(table) == 1:
        row = table.row(0)
        title = f"Difference of {row.first} and {row.second} with its interval"
        sides = f"Right of zero {row.second} is better, left of it {row.first}."
    elif pivot is not None:
        name = table.names[pivot]
        title = f"Differences from {name} with their intervals"
        side = "Left" if comparison.reference_position is None else "Right"
        sides = f"{side} of zero are those that came out better than {name}."
    filled = filled_means(tables)
    make = partial(ComparisonDisplay.of_comparison, comparison)
    return _for_all_screens(make, title, f"{filled} {sides}")


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
        picture = _for_all_screens(
            partial(DatasetDisplay.of_comparison, result, first, second),
            f"Difference of {first} and {second} on each data set",
            "With intervals, not adjusted, and below them the mean over data sets. "
            f"Right of zero {second} is better, left of it {first}.",
        )
        pictures.append(picture)
    return pictures


def _mean_differences(result):
    """Return the forest plot of the differences averaged over data sets."""
    shown = np.array(pairs_shown(result))
    order = shown[np.argsort(-result.synthesis.estimate[shown], kind="stable")]
    first, second = zip(*(result.pairs[row] for row in order.tolist()), strict=True)
    columns = {
        "first": first,
        "second": second,
        "estimate": result.synthesis.estimate[order],
        "ci_low": result.intervals[order, 0],
        "ci_high": result.intervals[order, 1],
        "pvalue": result.pvalues[order],
        "alpha": result.alpha,
        "xlabel": "difference of mean loss, averaged over data sets "
        f"({100 * (1 - result.alpha):g}% intervals)",
    }
    if result.p_adjust is not None:
        columns["pvalue_adjusted"] = result.pvalues_adjusted[order]
        columns["p_adjust"] = result.p_adjust
    return _for_all_screens(
        partial(ComparisonDisplay, **columns),
        "Mean differences over data sets",
        "Random-effects means with intervals that are not adjusted; filled markers are "
        "significant. Right of zero the second is better.",
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


def _for_all_screens(make, title, caption):
    """Return the picture of a display that is made `narrow` or not."""
    wide, narrow = (_picture(make(narrow=n), title, caption) for n in (False, True))
    return wide._replace(narrow_uri=narrow.uri)


def _picture(display, title, caption):
    figure = import_figure("A picture").Figure(display.size(), layout="constrained")
    display.plot(figure.subplots())
    return Picture(title, caption, _svg_uri(figure))


def _svg_uri(figure):
    import matplotlib

    file = io.BytesIO()
    with matplotlib.rc_context(SVG), warnings.catch_warnings():
        warnings.filterwarnings("ignore", "Glyph .* missing from font")
        figure.savefig(file, format="svg", metadata={"Date": None})
    return "data:image/svg+xml;base64," + base64.b64encode(file.getvalue()).decode()
