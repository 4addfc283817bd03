"""What functions and methods return, and what a test of your own is made from."""

from ._best._best_results import BestSet, WinnerInterval
from ._by_label._label_result import DifferencesByLabel
from ._data._cvlosses import CVLosses
from ._data._residuals import CVResiduals
from ._datasets._comparison import DatasetComparison, RankComparison
from ._inference._base_test import BaseCVTest
from ._inference._evaluation import ConfidenceInterval, Evaluation
from ._inference._traits import Traits
from ._interval._corrected_ttest import CorrectedTTestResult
from ._interval._cross_val_interval import CrossValInterval
from ._pairs._intervals import EstimatorIntervals
from ._pairs._table import PairRow, PairTable
from ._planning._plan_results import ComparisonPlan, Gate, VarianceTable
from ._results._estimator_comparison import Comparison
from ._results._several_metrics import MultiMetricComparison
from ._search._candidate_comparison import CandidateComparison
from ._splits._design import Design

__all__ = [
    "BaseCVTest",
    "BestSet",
    "CVLosses",
    "CVResiduals",
    "CandidateComparison",
    "Comparison",
    "ComparisonPlan",
    "ConfidenceInterval",
    "CorrectedTTestResult",
    "CrossValInterval",
    "DatasetComparison",
    "Design",
    "DifferencesByLabel",
    "EstimatorIntervals",
    "Evaluation",
    "Gate",
    "MultiMetricComparison",
    "PairRow",
    "PairTable",
    "RankComparison",
    "Traits",
    "VarianceTable",
    "WinnerInterval",
]
