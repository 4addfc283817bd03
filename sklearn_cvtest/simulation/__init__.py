"""Many independent samples: size and power of tests, and the papers' experiments.

Samples are drawn from a *population*. :func:`replicate_losses` cross-validates
estimators on many samples and keeps, for each split, what the tests need;
:func:`rejection_rates` counts how often tests reject; and :func:`covariance_curve`
estimates the covariances of the residuals at several sample sizes or numbers of folds.
"""

from ._covariance import CovarianceStructure, LossCovarianceDisplay
from ._curve import (
    CovarianceCurve,
    covariance_curve,
    loss_jackknife_residuals,
    variance_estimates,
)
from ._datasets import load_published
from ._populations import ArrayPopulation, GaussianLinearPopulation
from ._rates import RejectionRates, rejection_rates
from ._rates_display import RejectionRateDisplay
from ._replicate import replicate_losses
from ._replicated_residuals import ReplicatedResiduals
from ._replications import Replications

__all__ = [
    "ArrayPopulation",
    "CovarianceCurve",
    "CovarianceStructure",
    "GaussianLinearPopulation",
    "LossCovarianceDisplay",
    "RejectionRateDisplay",
    "RejectionRates",
    "ReplicatedResiduals",
    "Replications",
    "covariance_curve",
    "load_published",
    "loss_jackknife_residuals",
    "rejection_rates",
    "replicate_losses",
    "variance_estimates",
]
