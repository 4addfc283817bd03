"""Is this model really better than that one, or is it the cross-validation talking?

Statistical tests for cross-validation that account for overlapping training sets,
for scikit-learn. The main entry is :func:`compare_estimators`.
"""

from ._data._covariance import CovarianceStructure, variance_estimates
from ._data._cvlosses import CVLosses
from ._data._residuals import CVResiduals
from ._display import (
    ComparisonDisplay,
    DatasetDisplay,
    LossCovarianceDisplay,
    PosteriorDisplay,
    RejectionRateDisplay,
    RhoSensitivityDisplay,
)
from ._engine._jackknife import loss_jackknife_residuals
from ._inference import (
    BaseCVTest,
    BayesianCorrelatedTTest,
    ConservativeZTest,
    CorrectedRepeatedKFoldTTest,
    CorrectedResampledTTest,
    DieboldMarianoTest,
    EquivalenceTest,
    Evaluation,
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
    Traits,
)
from ._inference._multiplicity import adjust_pvalues
from ._inference._stability import replicability
from ._losses._named_losses import Loss, get_loss, get_loss_names, make_loss
from ._losses._ranks import concordance_index
from ._pairs._table import PairTable
from ._results._best_set import BestEstimatorSet, best_estimator_set
from ._results._candidate_comparison import CandidateComparison
from ._results._comparison import Comparison
from ._results._comparison_plan import ComparisonPlan
from ._results._corrected_ttest import CorrectedTTestResult, corrected_ttest
from ._results._cross_val_interval import CrossValInterval, cross_val_interval
from ._results._dataset_comparison import DatasetComparison
from ._results._recommendation import Recommendation, recommend
from ._results._several_metrics import MultiMetricComparison
from ._sources._compare_candidates import compare_candidates
from ._sources._compare_cv_results import compare_cv_results
from ._sources._compare_estimators import compare_estimators
from ._sources._compare_over_datasets import compare_over_datasets
from ._sources._compare_predictions import compare_predictions
from ._sources._compare_table import compare_table
from ._sources._cross_val_losses import cross_val_losses
from ._sources._refit import NotSignificantlyWorse, one_standard_error
from ._splits._block_kfold import BlockKFold
from ._splits._design import Design
from ._splits._five_by_two import FiveByTwo
from ._splits._halves import PairedHalves
from ._splits._nested import NestedKFold
from ._splits._subsample import RepeatedSubsample
from ._version import __version__ as __version__
from .adapters import (
    compare_mlr3,
    compare_optuna,
    compare_skore,
    compare_tabarena,
)
from .exceptions import (
    DegenerateResidualsWarning,
    FewExamplesWarning,
    GroupLeakWarning,
    HeavyTailedResidualsWarning,
    InfluentialExamplesWarning,
    UnequalGroupsWarning,
)

__all__ = [
    "BaseCVTest",
    "BayesianCorrelatedTTest",
    "BestEstimatorSet",
    "BlockKFold",
    "CVLosses",
    "CVResiduals",
    "CandidateComparison",
    "Comparison",
    "ComparisonDisplay",
    "ComparisonPlan",
    "ConservativeZTest",
    "CorrectedRepeatedKFoldTTest",
    "CorrectedResampledTTest",
    "CorrectedTTestResult",
    "CovarianceStructure",
    "CrossValInterval",
    "DatasetComparison",
    "DatasetDisplay",
    "DegenerateResidualsWarning",
    "Design",
    "DieboldMarianoTest",
    "EquivalenceTest",
    "Evaluation",
    "FewExamplesWarning",
    "FiveByTwo",
    "FiveByTwoFTest",
    "FiveByTwoTTest",
    "GroupLeakWarning",
    "HalfSampleTTest",
    "HeavyTailedResidualsWarning",
    "HoldoutTTest",
    "InfluentialExamplesWarning",
    "IntegratedRhoTest",
    "KFoldTTest",
    "KFoldZTest",
    "Loss",
    "LossCovarianceDisplay",
    "McNemarTest",
    "MultiMetricComparison",
    "NestedCVTest",
    "NestedKFold",
    "NotSignificantlyWorse",
    "PairTable",
    "PairedHalves",
    "PairedHalvesTTest",
    "PosteriorDisplay",
    "Recommendation",
    "RejectionRateDisplay",
    "RepeatedSubsample",
    "ResampledTTest",
    "RhoSensitivityDisplay",
    "SharpTest",
    "Traits",
    "UnequalGroupsWarning",
    "adjust_pvalues",
    "best_estimator_set",
    "compare_candidates",
    "compare_cv_results",
    "compare_estimators",
    "compare_mlr3",
    "compare_optuna",
    "compare_over_datasets",
    "compare_predictions",
    "compare_skore",
    "compare_tabarena",
    "compare_table",
    "concordance_index",
    "corrected_ttest",
    "cross_val_interval",
    "cross_val_losses",
    "get_loss",
    "get_loss_names",
    "loss_jackknife_residuals",
    "make_loss",
    "one_standard_error",
    "recommend",
    "replicability",
    "variance_estimates",
]
