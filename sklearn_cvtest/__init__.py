"""Is this model really better than that one, or is it the cross-validation talking?

Statistical tests for cross-validation that account for overlapping training sets,
for scikit-learn. The main entry is :func:`compare_estimators`.
"""

from ._compare import compare_estimators
from ._comparison import Comparison
from ._covariance import CovarianceStructure
from ._cvlosses import CVLosses
from ._design import Design
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
from ._replicability import replicability
from ._residuals import CVResiduals, variance_estimates
from ._splitters import BlockKFold, FiveByTwo, PairedHalves, RepeatedSubsample
from ._version import __version__ as __version__
from .exceptions import DegenerateResidualsWarning, HeavyTailedResidualsWarning

__all__ = [
    "BayesianCorrelatedTTest",
    "BlockKFold",
    "CVLosses",
    "CVResiduals",
    "Comparison",
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
    "McNemarTest",
    "PairedHalves",
    "RepeatedSubsample",
    "ResampledTTest",
    "adjust_pvalues",
    "compare_estimators",
    "cross_val_losses",
    "get_loss",
    "get_loss_names",
    "loss_jackknife_residuals",
    "make_loss",
    "replicability",
    "variance_estimates",
]
