"""Is this model really better than that one, or is it the cross-validation talking?

Statistical tests for cross-validation that account for overlapping training sets,
for scikit-learn. The main entry is :func:`compare_estimators`.
"""

from ._best_set import BestEstimatorSet, best_estimator_set
from ._compare import compare_estimators
from ._comparison import Comparison
from ._covariance import CovarianceStructure
from ._cv_results import compare_cv_results
from ._cvlosses import CVLosses
from ._design import Design
from ._display import (
    ComparisonDisplay,
    LossCovarianceDisplay,
    RejectionRateDisplay,
    RhoSensitivityDisplay,
)
from ._engine import cross_val_losses
from ._inference import (
    BayesianCorrelatedTTest,
    ConservativeZTest,
    CorrectedRepeatedKFoldTTest,
    CorrectedResampledTTest,
    EquivalenceTest,
    FiveByTwoFTest,
    FiveByTwoTTest,
    HalfSampleTTest,
    HoldoutTTest,
    IntegratedRhoTest,
    KFoldTTest,
    KFoldZTest,
    McNemarTest,
    ResampledTTest,
)
from ._jackknife import loss_jackknife_residuals
from ._losses import Loss, get_loss, get_loss_names, make_loss
from ._multiplicity import adjust_pvalues
from ._refit import NotSignificantlyWorse, one_standard_error
from ._replicability import replicability
from ._residuals import CVResiduals, variance_estimates
from ._search import CandidateComparison, compare_candidates
from ._splitters import BlockKFold, FiveByTwo, PairedHalves, RepeatedSubsample
from ._version import __version__ as __version__
from .exceptions import DegenerateResidualsWarning, HeavyTailedResidualsWarning

__all__ = [
    "BayesianCorrelatedTTest",
    "BestEstimatorSet",
    "BlockKFold",
    "CVLosses",
    "CVResiduals",
    "CandidateComparison",
    "Comparison",
    "ComparisonDisplay",
    "ConservativeZTest",
    "CorrectedRepeatedKFoldTTest",
    "CorrectedResampledTTest",
    "CovarianceStructure",
    "DegenerateResidualsWarning",
    "Design",
    "EquivalenceTest",
    "FiveByTwo",
    "FiveByTwoFTest",
    "FiveByTwoTTest",
    "HalfSampleTTest",
    "HeavyTailedResidualsWarning",
    "HoldoutTTest",
    "IntegratedRhoTest",
    "KFoldTTest",
    "KFoldZTest",
    "Loss",
    "LossCovarianceDisplay",
    "McNemarTest",
    "NotSignificantlyWorse",
    "PairedHalves",
    "RejectionRateDisplay",
    "RepeatedSubsample",
    "ResampledTTest",
    "RhoSensitivityDisplay",
    "adjust_pvalues",
    "best_estimator_set",
    "compare_candidates",
    "compare_cv_results",
    "compare_estimators",
    "cross_val_losses",
    "get_loss",
    "get_loss_names",
    "loss_jackknife_residuals",
    "make_loss",
    "one_standard_error",
    "replicability",
    "variance_estimates",
]
