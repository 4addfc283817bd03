"""Whether errors of neighbouring rows are alike, where folds mix these.

Rows of a series that are split as if they were independent are predicted by models that
have seen their neighbours, and another series would differ from them all.
"""

import numpy as np

from .._losses._formulas import as_target_array
from ..exceptions import DependentRowsWarning
from ._signs import is_of_classes

CLEARLY = 4  # standard deviations; docs/hard_cells.csv


def error_ranks(fits, number):
    """Return the ranks of errors on the near rows of a test set, numpy.float32.

    Of y minus predicted numbers; of classifiers, of the probabilities that were seen,
    or else the losses, of examples of the same class. Shape (n_near, n_estimators); 0
    where there are none, y is sorted in the data, or predictions are all the same:
    errors of a constant are y itself.

    Parameters
    ----------
    fits : Collector
        Of all fits.
    number : int
        The split.
    """
    kept = fits.near[number]
    rows, seen = fits.plan.splits[number][1][kept], fits.seen[number]
    y = as_target_array(fits.plan.data.y)
    ranks = np.zeros(seen.shape, dtype=np.float32)
    y_true = y[rows] if y.ndim == 1 else None
    if y_true is None or not len(rows):
        return ranks
    losses = fits.losses_of_split(number)
    losses = None if losses is None else losses[kept]
    for column, job in enumerate(fits.plan.jobs):
        errors = seen[:, column]
        is_seen = not np.isnan(errors).any()
        if not is_seen:
            errors = None if losses is None else losses[:, column]
        if errors is not None and np.isfinite(errors).all():
            ranks[:, column] = _ranks_of(job.estimator, y_true, errors, is_seen, rows)
    return ranks


def _ranks_of(estimator, y_true, errors, is_seen, rows):
    """Return the ranks of the errors of one estimator."""
    if is_of_classes(estimator, y_true):
        classes, code = np.unique(y_true, return_inverse=True)
        ranks = ranks_within(errors, code)
        if not is_seen and len(classes) == 2:
            ranks[code == 1] *= -1  # what is better for the one is worse for the other
        return ranks
    steps = np.diff(y_true[np.argsort(rows)].astype(np.float64))
    if (steps >= 0).all() or (steps <= 0).all():
        return 0.0
    if is_seen and is_constant(errors, y_true):
        return 0.0
    return ranks_within(errors, np.zeros(len(rows), dtype=np.intp))


def is_constant(errors, y_true):
    """Whether predictions are all the same, but for rounding of errors to 32 bits."""
    rounding = 1e-6 * np.abs(errors).max() + 1e-12 * np.abs(y_true).max()
    return np.ptp(y_true - errors) <= rounding


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


def neighbour_warnings(fits):
    """Return warnings where errors of neighbouring rows are clearly correlated.

    Parameters
    ----------
    fits : Collector
        Of all fits.

    Returns
    -------
    warnings : list of (str, type)
        At most one message, and its category; with groups there is none.
    """
    plan = fits.plan
    if plan.groups is not None:
        return []
    numbers = np.arange(len(fits.n_test))[plan.design.full]
    rows = [plan.splits[k][1][fits.near[k]] for k in numbers]
    row_split = np.repeat(numbers, [*map(len, rows)])
    ranks = np.concatenate([error_ranks(fits, k) for k in numbers])
    where = np.concatenate(rows), row_split
    correlation, z = neighbour_correlation(ranks, *where)
    found = np.flatnonzero(z > CLEARLY)
    if not found.size:
        return []
    names = plan.names
    column = found[np.argmax(z[found])]
    also = f" (and {found.size - 1} more)" if found.size > 1 else ""
    message = (
        f"{names[column]!r}{also}: errors of neighbouring rows correlate by "
        f"{correlation[column]:.2f} (ranks; z = {z[column]:.1f}), and folds mix these "
        "rows. If they are a series, or rows of a group stand together, models are "
        "tested on neighbours of what they were trained on: losses are too small, "
        "intervals too short, and tests reject too often. Pass `groups`; for a series, "
        "ten blocks of consecutive rows, groups=np.arange(n) * 10 // n, which helps "
        "but is no cure, or TimeSeriesSplit as `cv` if it is to be forecast. If rows "
        "are independent and only sorted by what errors depend on, nothing is wrong."
    )
    return [(message, DependentRowsWarning)]
