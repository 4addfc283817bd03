"""A warning of linear models with hardly more training examples than coefficients."""

import numpy as np
from sklearn.discriminant_analysis import LinearDiscriminantAnalysis
from sklearn.linear_model import LinearRegression
from sklearn.pipeline import Pipeline
from sklearn.preprocessing import (
    MaxAbsScaler,
    MinMaxScaler,
    RobustScaler,
    StandardScaler,
)

from .._validation import warn
from ..exceptions import FewExamplesWarning

__all__ = ["warn_of_many_coefficients"]

# Least squares with 1.6 training examples a coefficient: ρ is 0.62 to 0.70, and all
# tests reject in 10 to 24% of samples.
ENOUGH = 2.0
SCALERS = MaxAbsScaler, MinMaxScaler, RobustScaler, StandardScaler


def warn_of_many_coefficients(plan):
    """Warn of estimators with at most two training examples a coefficient.

    Of the two without a penalty whose number of coefficients the columns of X tell.
    """
    shape = getattr(plan.data.X, "shape", ())
    if len(shape) != 2:
        return
    n_train = round(np.mean([len(train) for train, _ in plan.splits]))
    n_coefficients = shape[1] + 1
    if n_train > ENOUGH * n_coefficients:
        return
    names = [job.name for job in plan.jobs if _is_without_penalty(job.estimator)]
    if names:
        warn(
            f"{', '.join(map(repr, names))}: {n_train} training examples for "
            f"{n_coefficients} coefficients. With at most two examples a coefficient a "
            "few examples move all predictions, and the tests here reject too often "
            "(10 to 24% in place of 5% in the simulations of docs/calibration.md). "
            "Use a penalty, such as Ridge or shrinkage, or fewer features.",
            FewExamplesWarning,
        )


def _is_without_penalty(estimator):
    if isinstance(estimator, Pipeline):
        *steps, (_, estimator) = estimator.steps
        if not all(isinstance(step, SCALERS) for _, step in steps):
            return False
    if isinstance(estimator, LinearDiscriminantAnalysis):
        return estimator.shrinkage is None and estimator.covariance_estimator is None
    return isinstance(estimator, LinearRegression) and not estimator.positive
