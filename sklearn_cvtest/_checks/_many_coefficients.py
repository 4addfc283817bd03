"""Whether models without a penalty have hardly more training rows than coefficients."""

import numpy as np
from sklearn import preprocessing
from sklearn.pipeline import Pipeline

from .._splits._indices import train_size
from .._validation import warn
from ..exceptions import FewExamplesWarning
from ._check_sentences import many_coefficients

# What leaves the number of coefficients as it is.
SCALERS = (
    preprocessing.StandardScaler,
    preprocessing.MinMaxScaler,
    preprocessing.MaxAbsScaler,
    preprocessing.RobustScaler,
)


def warn_of_many_coefficients(plan):
    """Warn of estimators with at most two training examples per coefficient.

    Only the two without a penalty whose columns tell the number of coefficients count.
    """
    shape = getattr(plan.data.X, "shape", ())
    if len(shape) != 2:
        return
    n_train = round(np.mean([train_size(split) for split in plan.splits]))
    n_coefficients = shape[1] + 1
    # with fewer, ρ is high and all tests reject too often
    if n_train > 2 * n_coefficients:
        return
    names = [job.name for job in plan.jobs if _is_without_penalty(job.estimator)]
    if names:
        listed = ", ".join(map(repr, names))
        message = many_coefficients(listed, n_train, n_coefficients)
        warn(message, FewExamplesWarning)


def _is_without_penalty(estimator):
    from sklearn.discriminant_analysis import LinearDiscriminantAnalysis
    from sklearn.linear_model import LinearRegression  # slow to import

    if isinstance(estimator, Pipeline):
        *steps, (_, estimator) = estimator.steps
        if not all(isinstance(step, SCALERS) for _, step in steps):
            return False
    if isinstance(estimator, LinearDiscriminantAnalysis):
        return estimator.shrinkage is None and estimator.covariance_estimator is None
    return isinstance(estimator, LinearRegression) and not estimator.positive
