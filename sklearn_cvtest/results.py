"""What functions and methods return, and what a test of your own is made from."""

from ._by_label import DifferencesByLabel
from ._by_metric import ComparisonsByMetric
from ._comparison import BestSet, Comparison
from ._data import CVLosses, CVResiduals
from ._datasets.comparison import DatasetComparison, Ranks
from ._design import Design
from ._gate import Gate
from ._inference.base import BaseCVTest, ConfidenceInterval, Evaluation
from ._interval import CrossValInterval, IntervalsByMetric, ModelIntervals
from ._pairs import PairTable
from ._plan import Plan
from ._ttest import CorrectedTTest
from ._winner import WinnerInterval

__all__ = [
    "BaseCVTest",
    "BestSet",
    "CVLosses",
    "CVResiduals",
    "Comparison",
    "ComparisonsByMetric",
    "ConfidenceInterval",
    "CorrectedTTest",
    "CrossValInterval",
    "DatasetComparison",
    "Design",
    "DifferencesByLabel",
    "Evaluation",
    "Gate",
    "IntervalsByMetric",
    "ModelIntervals",
    "PairTable",
    "Plan",
    "Ranks",
    "WinnerInterval",
]
