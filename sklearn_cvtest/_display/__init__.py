"""Plots, following scikit-learn's convention; matplotlib is imported only by `plot`."""

from ._by_label import draw_by_label
from ._differences import ComparisonDisplay
from ._models import draw_intervals
from ._pictures import Picture, comparison_pictures
from ._posterior import PosteriorDisplay
from ._rho import RhoSensitivityDisplay

__all__ = [
    "ComparisonDisplay",
    "Picture",
    "PosteriorDisplay",
    "RhoSensitivityDisplay",
    "comparison_pictures",
    "draw_by_label",
    "draw_intervals",
]
