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

# Rows up to so far apart are looked at. Twice as far, and the bound on each is higher.
LAGS = (1, 10)
# The probability that independent rows bring a warning
# (docs/data/hidden_dependence.csv). Doubled, false warnings are twice as many.
FALSE_ALARMS = 0.002
# Rows of each class, on average, from which differences are ranked within classes, and
# rows for each lag. Doubled, fewer small tables are looked at.
CLASS_SIZE = 10


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
    losses = _first_with_examples(losses)
    if losses is None or losses.groups is not None:
        return []
    values, rows = _mean_losses(losses)
    if len(rows) < 30:  # too few to tell
        return []
    columns = list(values.T)
    strata = np.zeros(len(rows), dtype=np.intp)
    if y is not None:
        y = as_target_array(y)[rows]
        classes = coded(y)
        if len(y) >= CLASS_SIZE * (classes.max() + 1):
            strata = classes
        elif y.dtype.kind in "biuf":
            columns.append(y.astype(np.float64))
        else:
            columns.append(classes)
    if any(map(_is_sorted, columns)):
        return []
    names, differences = _differences(values, losses.estimator_names)
    ranks = [ranks_within(difference, strata) for difference in differences]
    ranks = np.stack(ranks).astype(np.float64)
    lag, pairs = _closest_pairs(ranks)
    bound = norm.isf(FALSE_ALARMS / len(LAGS) / len(names))
    if pairs.z.max() <= bound:
        return []
    column = np.argmax(pairs.z)
    message = dependent_losses(
        names=names[column],
        n_others=np.count_nonzero(pairs.z > bound) - 1,
        rows="adjacent rows" if lag == 1 else f"rows up to {lag} apart",
        correlation=pairs.correlation[column],
        z=pairs.z[column],
        parameter=argument,
    )
    return [(message, DependentRowsWarning)]


def _first_with_examples(losses):
    """Return the first losses with values of examples; None if none has them."""
    by_metric = losses if isinstance(losses, dict) else {"": losses}
    for measured in by_metric.values():
        if measured.per_example:
            return measured
    return None


def _is_sorted(values):
    """Whether values that are not all the same only rise, or only fall."""
    return np.ptp(values) > 0 and is_monotone(values)


def _closest_pairs(ranks):
    """Return the lag up to which pairs of rows are most alike, and these `Pairs`."""
    n_rows = ranks.shape[1]
    closest = None
    for lag in LAGS:
        if lag * CLASS_SIZE > n_rows:
            continue
        pairs = _pairs_up_to(lag, ranks)
        if closest is None or pairs.z.max() > closest[1].z.max():
            closest = lag, pairs
    return closest


def _mean_losses(losses):
    """Return the mean losses of the first examples over runs, and which these are."""
    index = losses.row_index
    is_first = index < MOST_ROWS
    index = index[is_first]
    n_runs = np.bincount(index)
    rows = np.flatnonzero(n_runs)
    columns = losses.losses[is_first].T
    sums = [np.bincount(index, weights=column)[rows] for column in columns]
    return np.stack(sums, axis=1) / n_runs[rows, np.newaxis], rows


def _differences(values, names):
    """Return the losses less the best model's losses; of one model, its losses."""
    if len(names) == 1:
        return [f"{names[0]!r}: losses"], values.T
    best = int(np.argmin(values.mean(axis=0)))
    titles = []
    differences = []
    for column, name in enumerate(names):
        if column != best:
            titles.append(f"{name!r} - {names[best]!r}: loss differences")
            differences.append(values[:, column] - values[:, best])
    return titles, differences


def _pairs_up_to(largest_lag, ranks):
    """Return `Pairs` of all rows that are at most so far apart."""
    n_rows = ranks.shape[1]
    is_pair = {}
    for lag in range(1, largest_lag + 1):
        is_pair[lag] = np.ones(n_rows - lag, dtype=bool)
    return Pairs.of(ranks, is_pair)
