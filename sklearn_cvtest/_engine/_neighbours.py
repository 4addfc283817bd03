"""Whether errors of neighbouring rows are alike, where folds mix these.

Rows of a series that are split as if they were independent are predicted by models that
have seen their neighbours, and another series would differ from them all.
"""

import numpy as np

from .._losses._formulas import as_target_array
from ..exceptions import DependentRowsWarning
from ._signs import is_of_classes

CLEARLY = 4  # standard deviations; docs/data/hard_cells.csv


def error_ranks(fits, numbers, rows):
    """Return the ranks of errors on the near rows of test sets, numpy.float32.

    Of y minus predicted numbers; of classifiers, of the probabilities that were seen,
    or else the losses, of examples of the same class. Shape (n_rows, n_estimators); 0
    where there are none, y is sorted in the data, or predictions are all the same:
    errors of a constant are y itself.

    Parameters
    ----------
    fits : Collector
        Of all fits.
    numbers : ndarray of shape (n_splits,)
        The splits.
    rows : list of ndarray
        The near rows of each.
    """
    split = np.repeat(np.arange(len(numbers)), [*map(len, rows)])
    seen = np.concatenate([fits.seen[k] for k in numbers])
    ranks = np.zeros(seen.shape, dtype=np.float32)
    y = as_target_array(fits.plan.data.y)
    if y.ndim != 1:
        return ranks
    y_true = y[np.concatenate(rows)]
    classes, code = np.unique(y_true, return_inverse=True)
    losses = [fits.losses_of_split(k) for k in numbers]
    if losses and losses[0] is not None:
        kept = [fits.near[k] for k in numbers]
        of_rows = zip(losses, kept, strict=True)
        losses = np.concatenate([values[near] for values, near in of_rows])
    else:
        losses = np.full(seen.shape, np.nan)
    for column, job in enumerate(fits.plan.jobs):
        is_seen = ~_any_of(np.isnan(seen[:, column]), split)
        errors = np.where(is_seen, seen[:, column], losses[:, column])
        is_told = ~_any_of(~np.isfinite(errors), split)
        if is_of_classes(job.estimator, y_true):
            strata = split * len(classes) + code
            if len(classes) == 2:  # what is better for the one is worse for the other
                errors = np.where(is_seen | (code == 0), errors, -errors)
        else:
            strata = split
            is_told &= ~_is_sorted_or_constant(y_true, errors, is_seen, split, rows)
        if is_told.any():
            at = is_told
            ranks[at, column] = ranks_within(errors[at], strata[at])
    return ranks


def _any_of(mask, split):
    """Return, for each row, whether the mask holds anywhere in its split."""
    return np.bincount(split, weights=mask, minlength=1)[split] > 0


def _is_sorted_or_constant(y_true, errors, is_seen, split, rows):
    """Return, for each row, whether nothing can be told of its split."""
    found = np.zeros(len(split), dtype=bool)
    ends = np.cumsum([*map(len, rows)])
    for end, of_split in zip(ends, rows, strict=True):
        if not len(of_split):
            continue
        at = slice(end - len(of_split), end)
        steps = np.diff(y_true[at][np.argsort(of_split)].astype(np.float64))
        found[at] = (steps >= 0).all() or (steps <= 0).all()
        found[at] |= is_seen[at] & is_constant(errors[at], y_true[at])
    return found


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
    ranks = error_ranks(fits, numbers, rows)
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
        "rows. If rows are a series or stand in groups, losses are too small and tests "
        "reject too often; if they are independent and only sorted, nothing is wrong. "
        "Pass `groups`; for a series, ten blocks of consecutive rows "
        "(groups=np.arange(n) * 10 // n) or, to forecast, cv=TimeSeriesSplit()."
    )
    return [(message, DependentRowsWarning)]
