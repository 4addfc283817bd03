"""What functions and methods return, and what a test of your own is made from."""

import importlib
import typing

if typing.TYPE_CHECKING:
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
    from ._ledger._history import LedgerEntry, LedgerHistory
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

# Names are imported when they are asked for, as in the package.
_MODULES = {
    "BaseCVTest": "._inference._base_test",
    "BestSet": "._best._best_results",
    "CVLosses": "._data._cvlosses",
    "CVResiduals": "._data._residuals",
    "CandidateComparison": "._search._candidate_comparison",
    "Comparison": "._results._estimator_comparison",
    "ComparisonPlan": "._planning._plan_results",
    "ConfidenceInterval": "._inference._evaluation",
    "CorrectedTTestResult": "._interval._corrected_ttest",
    "CrossValInterval": "._interval._cross_val_interval",
    "DatasetComparison": "._datasets._comparison",
    "Design": "._splits._design",
    "DifferencesByLabel": "._by_label._label_result",
    "EstimatorIntervals": "._pairs._intervals",
    "Evaluation": "._inference._evaluation",
    "Gate": "._planning._plan_results",
    "LedgerEntry": "._ledger._history",
    "LedgerHistory": "._ledger._history",
    "MultiMetricComparison": "._results._several_metrics",
    "PairRow": "._pairs._table",
    "PairTable": "._pairs._table",
    "RankComparison": "._datasets._comparison",
    "Traits": "._inference._traits",
    "VarianceTable": "._planning._plan_results",
    "WinnerInterval": "._best._best_results",
}


def __getattr__(name):
    if name not in _MODULES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    value = getattr(importlib.import_module(_MODULES[name], __package__), name)
    globals()[name] = value
    return value


def __dir__():
    return sorted({*globals(), *__all__})
