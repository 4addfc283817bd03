"""Whether errors of neighbouring rows are alike, where folds mix these.

Rows of a series that are split as if they were independent are predicted by models that
have seen their neighbours, and another series would differ from them all.
"""

import numpy as np

from .._compat import estimator_kind
from .._validation import warn
from ..exceptions import DependentRowsWarning

CLEARLY = 4  # standard deviations; docs/hard_cells.csv
MOST_ROWS = 20_000  # of the data, the first: enough to tell, and little to keep


def error_ranks(measure, response, values, y_test, proba, estimator, rows):
    """Return the ranks of errors on the `near` rows of a test set, numpy.float32.

    Of y minus predicted numbers; of classifiers, of the probabilities that were asked
    for, or the losses, of examples of the same class. All 0 if there are none, or y is
    sorted in the data.

    Parameters
    ----------
    measure, response, values : object, object and ndarray
        What is measured, of which response, and its values.
    y_test : ndarray or None
        The target.
    proba : ndarray or None
        Probabilities of the second of two classes.
    estimator : estimator
        Fitted.
    rows : ndarray of shape (n_test,)
        Where examples are in the data.
    """
    y_true, predicted = measure.truth_and_predicted(response, y_test)
    kept = rows < MOST_ROWS
    nothing = np.zeros(np.count_nonzero(kept), dtype=np.float32)
    is_known = y_true is not None and np.ndim(y_true) == 1
    if not nothing.size or not is_known or values.shape != y_true.shape:
        return nothing
    is_number = predicted is not None and predicted.shape == values.shape
    predicted = predicted[kept] if is_number else None
    is_whole = proba is not None and proba.shape == values.shape
    proba = proba[kept] if is_whole else None
    y_true, values, rows = y_true[kept], values[kept], rows[kept]
    if estimator_kind(estimator) == "classifier" or y_true.dtype.kind not in "iuf":
        classes, code = np.unique(y_true, return_inverse=True)
        if proba is not None:
            return ranks_within(proba, code)
        ranks = ranks_within(values, code)
        if len(classes) == 2:  # what is better for the one is worse for the other
            ranks[code == 1] *= -1
        return ranks
    steps = np.diff(y_true[np.argsort(rows)].astype(np.float64))
    if (steps >= 0).all() or (steps <= 0).all():
        return nothing
    errors = values if predicted is None else y_true - predicted
    return ranks_within(errors, np.zeros(len(rows), dtype=np.intp))


def near(rows):
    """Return the rows that are looked at."""
    return rows[rows < MOST_ROWS]


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


def warn_of_neighbours(ranks, row_index, row_split, names):
    """Warn where errors of neighbouring rows are clearly correlated."""
    correlation, z = neighbour_correlation(ranks, row_index, row_split)
    found = np.flatnonzero(z > CLEARLY)
    if not found.size:
        return
    column = found[np.argmax(z[found])]
    also = f" (and {found.size - 1} more)" if found.size > 1 else ""
    warn(
        f"{names[column]!r}{also}: errors of neighbouring rows correlate by "
        f"{correlation[column]:.2f} (ranks; z = {z[column]:.1f}), and folds mix these "
        "rows. If they are a series, or rows of a group stand together, models are "
        "tested on neighbours of what they were trained on: losses are too small, "
        "intervals too short, and tests reject too often. Pass `groups`; for a series, "
        "ten blocks of consecutive rows, groups=np.arange(n) * 10 // n, which helps "
        "but is no cure, or TimeSeriesSplit as `cv` if it is to be forecast. If rows "
        "are independent and only sorted by what errors depend on, nothing is wrong.",
        DependentRowsWarning,
    )
