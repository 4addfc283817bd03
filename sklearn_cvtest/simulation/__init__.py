"""Many independent samples: size and power of tests, and the papers' experiments.

Samples are drawn from a *population*. :func:`replicate_losses` cross-validates
estimators on many samples; :func:`rejection_rates` counts how often tests reject; and
:func:`covariance_curve` estimates the covariances of the residuals at several sample
sizes or numbers of folds.
"""

from .._inference.variances import CovarianceStructure, variance_estimates
from ._curve import CovarianceCurve, covariance_curve, loss_jackknife_residuals
from ._populations import ArrayPopulation, GaussianLinearPopulation
from ._rates import RejectionRates, rejection_rates
from ._replicate import replicate_losses

__all__ = [
    "ArrayPopulation",
    "CovarianceCurve",
    "CovarianceStructure",
    "GaussianLinearPopulation",
    "RejectionRates",
    "covariance_curve",
    "loss_jackknife_residuals",
    "rejection_rates",
    "replicate_losses",
    "variance_estimates",
]
