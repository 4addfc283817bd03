"""Is this model really better than that one, or is it the cross-validation talking?

Statistical tests for cross-validation that account for overlapping training sets,
for scikit-learn. The main entry is :func:`compare_estimators`.
"""

from . import adapters as adapters
from . import exceptions as exceptions
from . import losses as losses
from . import results as results
from ._data._cvlosses import CVLosses
from ._data._residuals import CVResiduals
from ._data._variance_estimates import variance_estimates
from ._display import (
    ComparisonDisplay,
    DatasetDisplay,
    PosteriorDisplay,
    RhoSensitivityDisplay,
)
from ._inference import (
    BaseCVTest,
    BayesianCorrelatedTTest,
    ConservativeZTest,
    CorrectedRepeatedKFoldTTest,
    CorrectedResampledTTest,
    CrossedTest,
    DieboldMarianoTest,
    EquivalenceTest,
    FiveByTwoFTest,
    FiveByTwoTTest,
    HalfSampleTTest,
    HoldoutTTest,
    IntegratedRhoTest,
    KFoldTTest,
    KFoldZTest,
    McNemarTest,
    NestedCVTest,
    PairedHalvesTTest,
    ResampledTTest,
    SharpTest,
)
from ._inference._multiplicity import adjust_pvalues
from ._inference._stability import replicability
from ._ledger._ledger import Ledger
from ._results._assertions import assert_not_worse
from ._results._comparison import Comparison
from ._results._corrected_ttest import corrected_ttest
from ._results._cross_val_interval import cross_val_interval
from ._search._racing import RacingSearchCV
from ._sources._compare_candidates import compare_candidates
from ._sources._compare_cv_results import compare_cv_results
from ._sources._compare_estimators import compare_estimators
from ._sources._compare_over_datasets import compare_over_datasets
from ._sources._compare_predictions import compare_predictions
from ._sources._compare_scores import compare_scores
from ._sources._compare_table import compare_table
from ._sources._cross_val_losses import cross_val_losses
from ._sources._refit import NotSignificantlyWorse, one_standard_error
from ._splits._block_kfold import BlockKFold
from ._splits._five_by_two import FiveByTwo
from ._splits._halves import PairedHalves
from ._splits._nested import NestedKFold
from ._splits._subsample import RepeatedSubsample
from ._version import __version__ as __version__

__all__ = [
    "BaseCVTest",
    "BayesianCorrelatedTTest",
    "BlockKFold",
    "CVLosses",
    "CVResiduals",
    "Comparison",
    "ComparisonDisplay",
    "ConservativeZTest",
    "CorrectedRepeatedKFoldTTest",
    "CorrectedResampledTTest",
    "CrossedTest",
    "DatasetDisplay",
    "DieboldMarianoTest",
    "EquivalenceTest",
    "FiveByTwo",
    "FiveByTwoFTest",
    "FiveByTwoTTest",
    "HalfSampleTTest",
    "HoldoutTTest",
    "IntegratedRhoTest",
    "KFoldTTest",
    "KFoldZTest",
    "Ledger",
    "McNemarTest",
    "NestedCVTest",
    "NestedKFold",
    "NotSignificantlyWorse",
    "PairedHalves",
    "PairedHalvesTTest",
    "PosteriorDisplay",
    "RacingSearchCV",
    "RepeatedSubsample",
    "ResampledTTest",
    "RhoSensitivityDisplay",
    "SharpTest",
    "adjust_pvalues",
    "assert_not_worse",
    "compare_candidates",
    "compare_cv_results",
    "compare_estimators",
    "compare_over_datasets",
    "compare_predictions",
    "compare_scores",
    "compare_table",
    "corrected_ttest",
    "cross_val_interval",
    "cross_val_losses",
    "one_standard_error",
    "replicability",
    "variance_estimates",
]
