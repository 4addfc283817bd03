"""Signs of trouble that a fitted model shows, and that its losses do not."""

import numpy as np
from sklearn.naive_bayes import GaussianNB
from sklearn.pipeline import Pipeline

from .._validation import warn
from ..exceptions import HighRhoWarning
from ._thresholds import N_SIGNS as N_OF_THRESHOLDS

N_SIGNS = N_OF_THRESHOLDS + 1  # and how many variances are 0
NO_SIGNS = (np.nan,) * N_SIGNS
# GaussianNB adds epsilon_ to variances; above it by no more than this share, they are 0
ROUNDING = 1e-3
# From here on, one example in 100 makes a variance at most ten times what is added.
LARGE_SMOOTHING = 1e-3


def count_flat(estimator):
    """Return how many features do not vary within a class, summed over classes.

    Of Gaussian naive Bayes, or of pipelines that end in one; nan of other models.
    """
    while isinstance(estimator, Pipeline):
        estimator = estimator.steps[-1][1]
    if not isinstance(estimator, GaussianNB):
        return np.nan
    if estimator.var_smoothing >= LARGE_SMOOTHING:
        return 0
    return np.count_nonzero(estimator.var_ <= (1 + ROUNDING) * estimator.epsilon_)


def warn_of_flat_features(counts, names):
    """Warn where it depends on the training set which features vary within a class.

    Then the few examples that differ decide on the variance by which naive Bayes
    divides, and with it on the labels of many others, in all training sets that hold
    them (docs/hard_cells.csv).

    Parameters
    ----------
    counts : ndarray of shape (n_splits, n_estimators)
        Of `count_flat`, of the splits of the whole sample.
    names : sequence of str
        Of the estimators.
    """
    fewest, most = counts.min(axis=0), counts.max(axis=0)
    found = np.flatnonzero(most > fewest)  # not of nan
    if found.size:
        column = found[0]
        also = f" (and {found.size - 1} more)" if found.size > 1 else ""
        warn(
            f"{names[column]!r}{also}: {fewest[column]:.0f} to {most[column]:.0f} "
            "variances of features within a class are zero, by training set. So "
            "single examples decide which are, and how naive Bayes labels many others. "
            "All training sets that hold these examples agree (a high ρ), intervals "
            "are too short, and tests reject too often. Leave features out that hardly "
            "vary within a class, raise `var_smoothing` to 0.01, or use a model that "
            "does not divide by their variances.",
            HighRhoWarning,
        )
