"""The forest plot of differences for each value of a label."""

import numpy as np

from ._draw import make_axes
from ._forest import ForestRows, draw_forest, forest_size, p_texts, significance_key


def draw_by_label(result, ax):
    """Draw a row for each label, a series for each pair; return the axes."""
    n_labels, n_pairs = result.estimate.shape
    adjusted, pairs = result.pvalue_adjusted.ravel(), [*map(" − ".join, result.pairs)]
    of = f", {pairs[0]}" if n_pairs == 1 else ""
    level = f"{100 * result.test.interval_level(result.alpha):g}% CI"
    rows = ForestRows(
        estimates=result.estimate.ravel(),
        lows=result.ci_low_simultaneous.ravel(),
        highs=result.ci_high_simultaneous.ravel(),
        filled=adjusted <= result.alpha,
        labels=[
            f"{label} ({n})"
            for label, n in zip(result.labels, result.n_examples, strict=True)
        ],
        label=f"difference of mean loss{of}, simultaneous {level}\n"
        "← first better | second better →",
        key=significance_key(result.alpha),
        texts=p_texts(adjusted, result.alpha),
        title="p" if result.p_adjust is None else f"p ({result.p_adjust})",
        row=np.repeat(np.arange(n_labels), n_pairs),
        series=np.tile(np.arange(n_pairs), n_labels),
        series_names=pairs,
    )
    ax = make_axes(ax, "DifferencesByLabel.plot", forest_size(rows))
    draw_forest(ax, rows)
    return ax
