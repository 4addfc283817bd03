"""Tests of the mean of cross-validation residuals; they never see an estimator."""

from ._base import BaseCVTest, ConfidenceInterval
from ._exchangeable import (
    CorrectedRepeatedKFoldTTest,
    CorrectedResampledTTest,
    KFoldTTest,
    ResampledTTest,
)
from ._five_by_two import FiveByTwoFTest, FiveByTwoTTest
from ._halves import ConservativeZTest, HalfSampleTTest, IntegratedRhoTest
from ._single_split import HoldoutTTest, McNemarTest

__all__ = [
    "BaseCVTest",
    "ConfidenceInterval",
    "ConservativeZTest",
    "CorrectedRepeatedKFoldTTest",
    "CorrectedResampledTTest",
    "FiveByTwoFTest",
    "FiveByTwoTTest",
    "HalfSampleTTest",
    "HoldoutTTest",
    "IntegratedRhoTest",
    "KFoldTTest",
    "McNemarTest",
    "ResampledTTest",
]
