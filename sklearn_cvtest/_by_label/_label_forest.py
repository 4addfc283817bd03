"""The forest plot of the differences for each value of a label."""

from __future__ import annotations

import numpy as np

from .._display._axis_texts import axis_words, pair_labels, scale_of
from .._display._forest import ForestRows, by_pvalues, draw_forest
from .._report._format import percent


def draw_by_label(result, ax=None):
    """Draw a row for each label, a series for each pair; return the axes."""
    n_labels, n_pairs = result.estimate.shape
    lows, highs = result.shown_intervals
    interval = f"{percent(result.test.interval_level(result.alpha))} CI"
    if result.is_adjusted:
        interval = f"adjusted {interval}"
    pair = result.pairs[0] if n_pairs == 1 else ("first", "second")
    labels = []
    for label, n_examples in zip(result.labels, result.n_examples, strict=True):
        labels.append(f"{label} ({n_examples})")
    rows = ForestRows(
        estimates=result.shown_effect.ravel(),
        lows=lows.ravel(),
        highs=highs.ravel(),
        **scale_of(result.measure),
        labels=labels,
        label=axis_words(result.measure, interval, pair=pair),
        **by_pvalues(result.pvalue_adjusted.ravel(), result.alpha, result.p_adjust),
        row=np.repeat(np.arange(n_labels), n_pairs),
        series=np.tile(np.arange(n_pairs), n_labels),
        series_names=pair_labels(result.pairs),
    )
    ax, *_ = draw_forest(rows, ax, "DifferencesByLabel.plot")
    return ax
