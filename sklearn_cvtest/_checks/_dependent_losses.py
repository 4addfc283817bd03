"""Whether loss differences of adjacent rows of one test set are alike.

Models that have seen none of the rows are compared as they are. Their errors may then
depend on the row before, but not the differences of their losses.
"""

import contextlib

import numpy as np
from scipy.stats import norm

from .._losses._formulas import as_target_array
from .._losses._kept_values import MOST_ROWS
from .._validation import warn
from ..exceptions import DependentRowsWarning
from ._check_sentences import dependent_losses
from ._data_columns import coded, is_monotone
from ._dependent_rows import Pairs, ranks_within

# Rows up to so far apart are looked at, in tables of at least so many; the probability
# that independent rows bring a warning (docs/data/hidden_dependence.csv); the classes
# within which differences are ranked have at least so many rows each on average.
LAGS, FEWEST_ROWS, FALSE_ALARMS, CLASS_SIZE = (1, 10), 30, 0.002, 10


def warn_of_dependent_losses(losses, y=None, argument="groups"):
    """Warn as `dependent_losses_warnings` says, which can change or end nothing."""
    messages = []
    with contextlib.suppress(Exception), np.errstate(all="ignore"):  # of any data
        messages = dependent_losses_warnings(losses, y, argument)
    for message, category in messages:
        warn(message, category)


def dependent_losses_warnings(losses, y=None, argument="groups"):
    """Return warnings where loss differences of adjacent rows of a test set are alike.

    For tests of models as they are, for which the differences of rows must be
    independent, whatever the errors. Nothing is said of rows sorted by the target or by
    a loss.

    Parameters
    ----------
    losses : CVLosses or dict of CVLosses
        Of one test set, perhaps in several runs; of a dict, the first with values of
        examples.
    y : array-like of shape (n_samples,), default=None
        The target, if it is known; differences are ranked within classes.
    argument : str, default="groups"
        The parameter that takes groups.

    Returns
    -------
    warnings : list of (str, type)
        At most one message, and its category; with groups there is none.
    """
    several = losses.values() if isinstance(losses, dict) else [losses]
    of_examples = [measured for measured in several if measured.per_example]
    if not of_examples or of_examples[0].groups is not None:
        return []
    losses = of_examples[0]
    values, rows = _mean_losses(losses)
    strata = np.zeros(len(rows), dtype=np.intp)
    if y is not None:
        y = as_target_array(y)[rows]
        strata = coded(y)
        if len(y) < CLASS_SIZE * (strata.max() + 1):
            is_number = y.dtype.kind in "biuf"
            order = y.astype(np.float64) if is_number else strata
            values = np.column_stack([values, order])
            strata[:] = 0
    n_models = losses.losses.shape[1]
    is_sorted = any(
        np.ptp(model_values) > 0 and is_monotone(model_values)
        for model_values in values.T
    )
    if len(rows) < FEWEST_ROWS or is_sorted:
        return []
    names, differences = _differences(values[:, :n_models], losses.estimator_names)
    means = np.stack(
        [ranks_within(model_values, strata) for model_values in differences]
    ).astype(float)
    bound = norm.isf(FALSE_ALARMS / len(LAGS) / len(names))
    n_lags = [lag for lag in LAGS if lag * CLASS_SIZE <= len(rows)]
    pairs = [_pairs_up_to(lag, means) for lag in n_lags]
    most = max(range(len(pairs)), key=lambda k: pairs[k].z.max())
    z = pairs[most].z
    if z.max() <= bound:
        return []
    column, others = np.argmax(z), np.count_nonzero(z > bound) - 1
    distance = "adjacent rows"
    if n_lags[most] > 1:
        distance = f"rows up to {n_lags[most]} apart"
    correlation = pairs[most].correlation[column]
    message = dependent_losses(
        names[column], others, distance, correlation, z[column], argument
    )
    return [(message, DependentRowsWarning)]


def _mean_losses(losses):
    """Return the mean losses of the first examples over runs, and which these are."""
    index = losses.row_index
    is_first = index < MOST_ROWS
    rows, place, n_runs = np.unique(
        index[is_first], return_inverse=True, return_counts=True
    )
    columns = losses.losses[is_first].T
    means = [np.bincount(place, weights=column) / n_runs for column in columns]
    return np.stack(means, axis=1), rows


def _differences(values, names):
    """Return the losses less the best model's losses; of one model, its losses."""
    if len(names) == 1:
        return [f"{names[0]!r}: losses"], values.T
    best = int(np.argmin(values.mean(axis=0)))
    others = [column for column in range(len(names)) if column != best]
    titles = [
        f"{names[column]!r} - {names[best]!r}: loss differences" for column in others
    ]
    return titles, [values[:, column] - values[:, best] for column in others]


def _pairs_up_to(most, means):
    """Return `Pairs` of all rows that are at most so far apart."""
    n_rows = means.shape[1]
    lags = range(1, most + 1)
    return Pairs.of(means, {lag: np.ones(n_rows - lag, dtype=bool) for lag in lags})
