"""Plots, following scikit-learn's convention; matplotlib is imported only by `plot`."""

from ._by_label import draw_by_label
from ._datasets import DatasetDisplay
from ._differences import ComparisonDisplay
from ._models import draw_intervals
from ._pictures import Picture, comparison_pictures, dataset_pictures
from ._posterior import PosteriorDisplay
from ._ranks import draw_critical_differences
from ._rho import RhoSensitivityDisplay

__all__ = [
    "ComparisonDisplay",
    "DatasetDisplay",
    "Picture",
    "PosteriorDisplay",
    "RhoSensitivityDisplay",
    "comparison_pictures",
    "dataset_pictures",
    "draw_by_label",
    "draw_critical_differences",
    "draw_intervals",
]
