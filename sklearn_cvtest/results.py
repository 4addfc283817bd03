"""What functions and methods return: classes that one never constructs."""

from ._data._cvlosses import CVLosses
from ._data._residuals import CVResiduals
from ._inference._evaluation import ConfidenceInterval, Evaluation
from ._inference._traits import Traits
from ._ledger._history import LedgerEntry, LedgerHistory
from ._pairs._intervals import EstimatorIntervals
from ._pairs._table import PairRow, PairTable
from ._results._best_set import BestSet
from ._results._by_label import DifferencesByLabel
from ._results._candidate_comparison import CandidateComparison
from ._results._comparison import Comparison
from ._results._comparison_plan import ComparisonPlan
from ._results._corrected_ttest import CorrectedTTestResult
from ._results._cross_val_interval import CrossValInterval
from ._results._dataset_comparison import DatasetComparison
from ._results._gate import Gate
from ._results._rank_comparison import RankComparison
from ._results._several_metrics import MultiMetricComparison
from ._results._variance_table import VarianceTable
from ._results._winner import WinnerInterval
from ._splits._design import Design

__all__ = [
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
    "LedgerEntry",
    "LedgerHistory",
    "MultiMetricComparison",
    "PairRow",
    "PairTable",
    "RankComparison",
    "Traits",
    "VarianceTable",
    "WinnerInterval",
]
