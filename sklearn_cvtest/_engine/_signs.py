"""Signs of trouble that a fitted model shows, and that its losses do not."""

import copy

import numpy as np
from sklearn.naive_bayes import GaussianNB
from sklearn.pipeline import Pipeline

from .._compat import n_rows, take_rows
from .._validation import warn
from ..exceptions import HighRhoWarning
from ._thresholds import MOST_ROWS
from ._thresholds import N_SIGNS as N_OF_THRESHOLDS

N_SIGNS = N_OF_THRESHOLDS + 1  # and what one more example changes
NO_SIGNS = (np.nan,) * N_SIGNS
# A variance is due to few examples if one or two make most of it, in a class that has
# many more: normal values count as a third of their class.
FEW_EXAMPLES, SMALL_SHARE = 2.6, 1 / 8
LARGE_SMOOTHING = 1e-3  # from here on it is taken as chosen to mend this
# By how much probabilities then change on average, times √n, from which it is told: a
# standard error of the mean of n values of this standard deviation. Both were chosen on
# the populations of docs/hard_cells.csv that are there to decide, and others like them.
MAX_CHANGE = 0.2


@np.errstate(over="ignore", invalid="ignore")
def change_of_one_more(estimator, X, y):
    """Return how much one more example changes the probabilities of naive Bayes.

    Where a variance of a feature within a class is due to one or two examples, or to
    none, it becomes that with one more, as far from the mean of the class as any other
    of the training set. The mean over at most MOST_ROWS rows of the training set.

    Parameters
    ----------
    estimator : estimator
        Fitted to X and y; nan of all but Gaussian naive Bayes, and of pipelines that
        end in it, and where it cannot be known.
    """
    steps = []
    while isinstance(estimator, Pipeline):
        steps += [step for _, step in estimator.steps[:-1]]
        estimator = estimator.steps[-1][1]
    if not isinstance(estimator, GaussianNB):
        return np.nan
    if estimator.var_smoothing >= LARGE_SMOOTHING:
        return 0.0
    try:
        for step in steps:
            X = X if step in (None, "passthrough") else step.transform(X)
        other = copy.copy(estimator)
        values = np.asarray(X, dtype=np.float64)
        other.var_ = _with_one_more(estimator, values, np.ravel(y))
        if np.array_equal(other.var_, estimator.var_):
            return 0.0
        n = n_rows(X)
        some = take_rows(X, np.linspace(0, n - 1, min(n, MOST_ROWS)).astype(int))
        change = other.predict_proba(some) - estimator.predict_proba(some)
    except Exception:  # the loss is all that was asked for
        return np.nan
    return np.abs(change).sum(axis=1).mean() / 2


def _with_one_more(model, X, y):
    """Return the variances, those due to few examples with one more."""
    found, varies = model.var_.copy(), np.ptp(X, axis=0) > 0
    for label, mean, variance in zip(model.classes_, model.theta_, found, strict=True):
        mine = X[y == label]
        squares = np.square(mine - mean)
        # (Σz²)²/Σz⁴: so many examples if all are as far from the mean
        most = min(FEW_EXAMPLES, SMALL_SHARE * len(mine))
        is_few = squares.sum(axis=0) ** 2 <= most * (squares**2).sum(axis=0)
        few = varies & (is_few | (np.ptp(mine, axis=0) == 0))
        variance[few] += np.square(X[:, few] - mean[few]).max(axis=0) / len(mine)
    return found


def warn_of_single_examples(changes, names, n_samples):
    """Warn where one more example would change what naive Bayes says of many others.

    Then the few examples that differ in a feature decide on the variance by which
    naive Bayes divides, and with it on the probabilities of many others, in all
    training sets that hold them (docs/hard_cells.csv).

    Parameters
    ----------
    changes : ndarray of shape (n_splits, n_estimators)
        Of `change_of_one_more`, of the splits of the whole sample.
    names : sequence of str
        Of the estimators.
    n_samples : int
        The size of the sample.
    """
    change = changes.mean(axis=0)
    found = np.flatnonzero(change * np.sqrt(n_samples) > MAX_CHANGE)  # not of nan
    if found.size:
        column = found[0]
        also = f" (and {found.size - 1} more)" if found.size > 1 else ""
        warn(
            f"{names[column]!r}{also}: where at most two examples of a class make the "
            "variance of a feature, one more would change its probabilities by "
            f"{change[column]:.3f} on average. So single examples decide what naive "
            "Bayes says of many others. All training sets that hold these examples "
            "agree (a high ρ), intervals are too short, and tests reject too often. "
            "For features of few values use BernoulliNB or CategoricalNB; else leave "
            "out those that hardly vary within a class, or raise `var_smoothing` to "
            "0.1.",
            HighRhoWarning,
        )
