"""Tests of the mean of cross-validation residuals; they never see an estimator."""

from ._base import BaseCVTest
from ._crossed import CrossedTest
from ._diebold_mariano import DieboldMarianoTest
from ._equivalence import BayesianCorrelatedTTest, EquivalenceTest
from ._evaluation import ConfidenceInterval, Evaluation
from ._exchangeable import (
    CorrectedRepeatedKFoldTTest,
    CorrectedResampledTTest,
    KFoldTTest,
    ResampledTTest,
)
from ._five_by_two import FiveByTwoFTest, FiveByTwoTTest
from ._halves import ConservativeZTest, HalfSampleTTest
from ._integrated import IntegratedRhoTest
from ._kfold_z import KFoldZTest
from ._nested_test import NestedCVTest
from ._sharp import PairedHalvesTTest, SharpTest
from ._single_split import HoldoutTTest, McNemarTest
from ._traits import Traits

__all__ = [
    "BaseCVTest",
    "BayesianCorrelatedTTest",
    "ConfidenceInterval",
    "ConservativeZTest",
    "CorrectedRepeatedKFoldTTest",
    "CorrectedResampledTTest",
    "CrossedTest",
    "DieboldMarianoTest",
    "EquivalenceTest",
    "Evaluation",
    "FiveByTwoFTest",
    "FiveByTwoTTest",
    "HalfSampleTTest",
    "HoldoutTTest",
    "IntegratedRhoTest",
    "KFoldTTest",
    "KFoldZTest",
    "McNemarTest",
    "NestedCVTest",
    "PairedHalvesTTest",
    "ResampledTTest",
    "SharpTest",
    "Traits",
]
