"""What functions and methods return, and what a test of your own is made from."""

import importlib
import typing

from ._best._best_results import BestSet, WinnerInterval
from ._data._cvlosses import CVLosses
from ._data._residuals import CVResiduals
from ._inference._base_test import BaseCVTest
from ._inference._evaluation import ConfidenceInterval, Evaluation
from ._inference._nested_test import NestedCVTest
from ._inference._traits import Traits
from ._pairs._intervals import EstimatorIntervals
from ._pairs._table import PairRow, PairTable
from ._results._estimator_comparison import Comparison
from ._results._several_metrics import MultiMetricComparison
from ._splits._design import Design

if typing.TYPE_CHECKING:
    from ._by_label._label_result import DifferencesByLabel
    from ._datasets._comparison import DatasetComparison, RankComparison
    from ._interval._corrected_ttest import CorrectedTTestResult
    from ._interval._cross_val_interval import CrossValInterval
    from ._ledger._history import LedgerEntry, LedgerHistory
    from ._planning._plan_results import ComparisonPlan, Gate, VarianceTable
    from ._search._candidate_comparison import CandidateComparison

# Imported when they are asked for.
_WHEN_ASKED = {
    "CandidateComparison": "._search._candidate_comparison",
    "ComparisonPlan": "._planning._plan_results",
    "CorrectedTTestResult": "._interval._corrected_ttest",
    "CrossValInterval": "._interval._cross_val_interval",
    "DatasetComparison": "._datasets._comparison",
    "DifferencesByLabel": "._by_label._label_result",
    "Gate": "._planning._plan_results",
    "LedgerEntry": "._ledger._history",
    "LedgerHistory": "._ledger._history",
    "RankComparison": "._datasets._comparison",
    "VarianceTable": "._planning._plan_results",
}


def __getattr__(name):
    if name not in _WHEN_ASKED:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(importlib.import_module(_WHEN_ASKED[name], __package__), name)


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
    "LedgerEntry",
    "LedgerHistory",
    "MultiMetricComparison",
    "NestedCVTest",
    "PairRow",
    "PairTable",
    "RankComparison",
    "Traits",
    "VarianceTable",
    "WinnerInterval",
]
