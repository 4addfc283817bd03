"""The forest plot of differences for each value of a label."""

import numpy as np

from .._report._format import format_pvalue, shorten
from ._draw import make_axes
from ._forest import ForestRows, draw_forest, forest_size


def draw_by_label(result, ax):
    """Draw a row for each label, a series for each pair; return the axes."""
    n_labels, n_pairs = result.estimate.shape
    pvalues = map(_shown, result.pvalue_adjusted.ravel().tolist())
    rows = ForestRows(
        estimates=result.estimate.ravel(),
        lows=result.ci_low.ravel(),
        highs=result.ci_high.ravel(),
        outer=(result.ci_low_simultaneous.ravel(), result.ci_high_simultaneous.ravel()),
        significant=result.pvalue_adjusted.ravel() <= result.alpha,
        row=np.repeat(np.arange(n_labels), n_pairs),
        series=np.tile(np.arange(n_pairs), n_labels),
        labels=[
            f"{shorten(str(label), 24)} ({n})"
            for label, n in zip(result.labels, result.n_examples, strict=True)
        ],
        series_names=[" - ".join(pair) for pair in result.pairs],
        columns={"p" if result.p_adjust is None else "p adj.": list(pvalues)},
    )
    ax = make_axes(ax, "DifferencesByLabel.plot", forest_size(rows, page=True))
    of = f" ({rows.series_names[0]})" if n_pairs == 1 else ""
    draw_forest(ax, rows, f"difference of mean loss{of}")
    return ax


def _shown(pvalue):
    return format_pvalue(pvalue) if np.isfinite(pvalue) else "–"
