"""Whether errors of neighbouring rows are alike, where folds mix these.

Rows of a series that are split as if they were independent are predicted by models that
have seen their neighbours, and another series would differ from them all.
"""

import numpy as np

from .._losses._formulas import as_target_array
from ..exceptions import DependentRowsWarning
from ._signs import is_of_classes

CLEARLY = 4  # standard deviations; docs/data/hard_cells.csv


def error_ranks(fits, looked):
    """Return the ranks of errors on the rows that are looked at, numpy.float32.

    Of y minus predicted numbers; of classifiers, of the probabilities that were seen,
    or else the losses, of examples of the same class. Shape (n_rows, n_estimators); 0
    where there are none, y is sorted in the data, or predictions are all the same:
    errors of a constant are y itself.

    Parameters
    ----------
    fits : Collector
        Of all fits.
    looked : Looked
        What they kept.
    """
    split, rows, seen = looked.places, looked.rows, looked.seen
    ranks, y = np.zeros(seen.shape, dtype=np.float32), as_target_array(fits.plan.data.y)
    if y.ndim != 1:
        return ranks
    y_true = y[rows]
    classes, code = np.unique(y_true, return_inverse=True)
    is_seen = ~looked.any_in_split(np.isnan(seen))
    errors = np.where(is_seen, seen, looked.losses_of(fits))
    is_told = ~looked.any_in_split(~np.isfinite(errors))
    are_classes = [is_of_classes(job.estimator, y_true) for job in fits.plan.jobs]
    if not all(are_classes):
        is_told &= are_classes | ~_is_sorted(looked, y_true)[:, np.newaxis]
        is_told &= are_classes | ~(is_seen & _is_constant(looked, y_true, errors))
    if len(classes) == 2:  # what is better for the one is worse for the other
        is_turned = are_classes & ~is_seen & (code == 1)[:, np.newaxis]
        errors = np.where(is_turned, -errors, errors)
    for column in np.flatnonzero(is_told.any(axis=0)):
        at = is_told[:, column]
        strata = split * len(classes) + code if are_classes[column] else split
        ranks[at, column] = ranks_within(errors[at, column], strata[at])
    return ranks


def _is_sorted(looked, y_true):
    """Return, for each row, whether y is sorted in the test set it is of."""
    order = np.lexsort((looked.rows, looked.places))
    steps = np.diff(y_true[order].astype(np.float64), append=np.nan)
    steps[looked.starts[1:] - 1] = np.nan  # from one split to the next
    up, down = looked.any_in_split(steps > 0), looked.any_in_split(steps < 0)
    return ~(up & down)


def _is_constant(looked, y_true, errors):
    """Return where predictions are all the same, but for errors rounded to 32 bits."""
    y_true = y_true[:, np.newaxis].astype(np.float64)
    size = 1e-6 * looked.largest(np.abs(errors)) + 1e-12 * looked.largest(abs(y_true))
    predicted = y_true - errors
    spread = looked.largest(predicted) + looked.largest(-predicted)
    return (spread <= size)[looked.places]


def ranks_within(values, strata):
    """Return ranks within strata, of mean 0 and variance 1; ties share theirs."""
    with np.errstate(over="ignore"):  # the last digits of a matrix product vary by row
        values = np.float32(values)
    order = np.lexsort((values, strata))
    value, stratum = values[order], strata[order]
    is_new = (stratum[1:] != stratum[:-1]) | (value[1:] != value[:-1])
    tie = np.concatenate([[0], np.cumsum(is_new)])
    n_ties = np.bincount(tie)
    rank = (np.cumsum(n_ties) - (n_ties - 1) / 2)[tie]
    size = np.bincount(stratum)
    rank -= (np.bincount(stratum, weights=rank) / size)[stratum]
    variance = (np.bincount(stratum, weights=rank**2) / size)[stratum]
    ranks = np.empty(len(values), dtype=np.float32)
    ranks[order] = rank / np.sqrt(np.where(variance > 0, variance, np.inf))
    return ranks


def neighbour_correlation(ranks, row_index, row_split):
    """Return the correlation of ranks of neighbouring rows, and its z.

    Means over runs are taken of each example, and pairs of neighbours that the first
    run tests in different folds: where these are blocks of rows, there are few. If
    the rows of each class could come in any order, products have mean 0 and are not
    correlated.

    Parameters
    ----------
    ranks : ndarray of shape (n_rows, n_estimators)
        Of `error_ranks`.
    row_index, row_split : ndarray of shape (n_rows,)
        The example and the split of each.

    Returns
    -------
    correlation, z : ndarray of shape (n_estimators,)
        0 where there is nothing to tell it from.
    """
    _, first, place = np.unique(row_index, return_index=True, return_inverse=True)
    n_runs = np.bincount(place)
    means = [np.bincount(place, weights=column) / n_runs for column in ranks.T]
    means, fold = np.array(means), row_split[first]
    at = np.flatnonzero(fold[1:] != fold[:-1])
    products = means[:, at] * means[:, at + 1]
    sums = products.sum(axis=1)
    squares = np.square(means).mean(axis=1) * max(len(at), 1)
    # the first alone is too small where few ranks differ, and none of these are near
    error = np.sqrt(np.square(products).sum(axis=1))
    error = np.maximum(error, squares / np.sqrt(max(len(at), 1)))
    return [sums / np.where(sum_ > 0, sum_, np.inf) for sum_ in (squares, error)]


def neighbour_warnings(fits, looked):
    """Return warnings where errors of neighbouring rows are clearly correlated.

    Parameters
    ----------
    fits : Collector
        Of all fits.
    looked : Looked
        What they kept.

    Returns
    -------
    warnings : list of (str, type)
        At most one message, and its category; with groups there is none.
    """
    if fits.plan.groups is not None:
        return []
    ranks = error_ranks(fits, looked)
    correlation, z = neighbour_correlation(ranks, looked.rows, looked.places)
    found = np.flatnonzero(z > CLEARLY)
    if not found.size:
        return []
    column = found[np.argmax(z[found])]
    also = f" (and {found.size - 1} more)" if found.size > 1 else ""
    message = (
        f"{fits.plan.names[column]!r}{also}: errors of neighbouring rows correlate by "
        f"{correlation[column]:.2f} (ranks; z = {z[column]:.1f}), and folds mix these "
        "rows. If rows are a series or stand in groups, losses are too small and tests "
        "reject too often; if they are independent and only sorted, nothing is wrong. "
        "Pass `groups`; for a series, ten blocks of consecutive rows "
        "(groups=np.arange(n) * 10 // n) or, to forecast, cv=TimeSeriesSplit()."
    )
    return [(message, DependentRowsWarning)]
