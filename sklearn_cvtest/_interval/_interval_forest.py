"""The means of models with their intervals."""

from __future__ import annotations

import numpy as np

from .._display._axis_texts import mean_header
from .._display._forest import ForestRows, draw_forest
from .._report._format import percent
from .._report._metric_format import metric_format_of


def draw_intervals(intervals, losses, ax=None):
    """Draw the mean of each model with its interval, the first on top."""
    names = list(intervals.names)
    measure = metric_format_of(losses)
    means, _ = measure.users_ends(intervals.estimate, intervals.estimate)
    lows, highs = measure.users_ends(intervals.ci_low, intervals.ci_high)
    level = f"{percent(intervals.confidence_level)} CI"
    side = "lower is better" if measure.sign > 0 else "higher is better"
    rows = ForestRows(
        measure.as_read(means),
        measure.as_read(lows),
        measure.as_read(highs),
        factor=measure.unit_size,
        filled=np.ones(len(names), dtype=bool),
        labels=names,
        label=f"{mean_header(measure)}, {level}\n{side}",
        key={},
        texts=[""] * len(names),
        title="",
        has_zero=False,
    )
    return draw_forest(rows, ax, "A plot of intervals")[0]
