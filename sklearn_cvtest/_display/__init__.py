"""Plots, following scikit-learn's convention; matplotlib is imported only by `plot`."""

from ._differences import ComparisonDisplay
from ._forest import draw_best_set, draw_by_label, draw_intervals
from ._pictures import Picture, comparison_pictures
from ._rho import RhoSensitivityDisplay

__all__ = [
    "ComparisonDisplay",
    "Picture",
    "RhoSensitivityDisplay",
    "comparison_pictures",
    "draw_best_set",
    "draw_by_label",
    "draw_intervals",
]
