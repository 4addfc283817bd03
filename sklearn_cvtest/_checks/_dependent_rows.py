"""Whether errors of rows that may belong together are alike, where folds mix these.

Rows of a series that are split as if they were independent are predicted by models that
have seen their neighbours, and another series would differ from them all. So it is with
rows of one patient.
"""

import contextlib
import re
from typing import NamedTuple

import numpy as np

from .._losses._formulas import as_target_array
from .._losses._kept_values import MOST_ROWS, is_of_classes
from ..exceptions import DependentRowsWarning
from ._check_sentences import (
    ADVICE_FOR_NEIGHBOURS,
    advice_for_shared_values,
    dependent_rows,
)
from ._data_columns import Column, Table, coded, words
from ._rank_pairs import Pairs, is_monotone, ranks_within

# Standard deviations, for neighbours and for rows with a value in common that stand
# together (docs/data/hidden_dependence.csv). If X is sorted
# by a column, what a model misses of it makes its errors alike: so far for all models.
CLEARLY, TOGETHER, FOR_ALL = 4, 3, 2
# Rows with the next value are correlated by at most this share of the correlation of
# rows with the same value, of at least so many values, or X is just sorted by them.
LIKE_THE_NEXT, FEWEST_TOGETHER = 0.3, 10
# Values in common: at least so many, each in about one run of rows, or in a column of
# such a name; of their rows, pairs that are so far apart at most.
FEWEST, MOST_RUNS, MOST_LAGS = 5, 1.25, 30
# A column in which more of the first rows differ from the row before is no such.
FIRST_ROWS, MOST_CHANGES = 200, 0.75
NAMED = re.compile(
    r"(?i:(^|_|\W)(id|patient|subject|person|participant|user|customer|client|family|"
    r"household|school|hospital|site|session|batch|group)s?(\W|_|$))|[a-z]I[dD]$"
)
NEIGHBOURS = "neighbouring rows"


def error_ranks(fits, kept_rows, by_class=True):
    """Return the ranks of errors on the rows that are looked at, numpy.float32.

    Of y minus predicted numbers; of classifiers, of the probabilities that were seen,
    or else the losses, of examples of the same class. Shape (n_rows, n_estimators); 0
    where there are none, y is sorted in the data, or predictions are all the same:
    errors of a constant are y itself. Without `by_class`, of two classes as of numbers,
    of more 0: rows with a feature in common are given like probabilities.

    Parameters
    ----------
    fits : Collector
        Of all fits.
    kept_rows : KeptRows
        What they kept.
    """
    split, rows, values = kept_rows.places, kept_rows.rows, kept_rows.values
    ranks = np.zeros(values.shape, dtype=np.float32)
    y = as_target_array(fits.plan.data.y)
    if y.ndim != 1:
        return ranks
    y_true = y[rows]
    classes, code = np.unique(y_true, return_inverse=True)
    is_seen = ~kept_rows.any_in_split(np.isnan(values))
    errors = np.where(is_seen, values, kept_rows.losses_of(fits))
    is_told = ~kept_rows.any_in_split(~np.isfinite(errors))
    are_classes = [is_of_classes(job.estimator, y_true) for job in fits.plan.jobs]
    if not all(are_classes):
        is_told &= are_classes | ~_is_sorted(kept_rows, y_true)[:, np.newaxis]
        is_told &= are_classes | ~(is_seen & _is_constant(kept_rows, y_true, errors))
    if len(classes) == 2:  # what is better for the one is worse for the other
        second = (code == 1)[:, np.newaxis]
        errors = np.where(are_classes & ~is_seen & second, -errors, errors)
        if not by_class:
            errors = np.where(are_classes & is_seen, second - errors, errors)
            is_told &= ~(are_classes & is_seen & _is_constant(kept_rows, code, errors))
    elif not by_class:
        is_told &= ~np.array(are_classes)
    for column in np.flatnonzero(is_told.any(axis=0)):
        at = is_told[:, column]
        is_within = by_class and are_classes[column]
        strata = split * len(classes) + code if is_within else split
        ranks[at, column] = ranks_within(errors[at, column], strata[at])
    return ranks


def _is_sorted(kept_rows, y_true):
    """Return, for each row, whether y is sorted in the test set it is of."""
    order = np.lexsort((kept_rows.rows, kept_rows.places))
    steps = np.diff(y_true[order].astype(np.float64), append=np.nan)
    steps[kept_rows.starts[1:] - 1] = np.nan  # from one split to the next
    up, down = kept_rows.any_in_split(steps > 0), kept_rows.any_in_split(steps < 0)
    return ~(up & down)


def _is_constant(kept_rows, y_true, errors):
    """Return where predictions are all the same, but for errors rounded to 32 bits."""
    y_true = y_true[:, np.newaxis].astype(np.float64)
    size = 1e-6 * kept_rows.largest(np.abs(errors))
    size = size + 1e-12 * kept_rows.largest(np.abs(y_true))
    predicted = y_true - errors
    spread = kept_rows.largest(predicted) + kept_rows.largest(-predicted)
    return (spread <= size)[kept_rows.places]


def means_of_rows(ranks, kept_rows):
    """Return the mean ranks of each example over runs, its fold in the first, and it.

    Parameters
    ----------
    ranks : ndarray of shape (n_rows, n_estimators)
        Of `error_ranks`.
    kept_rows : KeptRows
        The example and the split of each.

    Returns
    -------
    means : ndarray of shape (n_estimators, n_examples)
        The mean ranks.
    fold : ndarray of shape (n_examples,)
        The split that tests it first.
    rows : ndarray of shape (n_examples,)
        Where it is in the data.
    """
    rows, first, place = np.unique(
        kept_rows.rows, return_index=True, return_inverse=True
    )
    n_runs = np.bincount(place)
    means = [np.bincount(place, weights=column) / n_runs for column in ranks.T]
    return np.array(means), kept_rows.places[first], rows


def neighbour_pairs(ranks, kept_rows):
    """Return `Pairs` of adjacent rows that the first run tests in different folds.

    Where folds are blocks of rows, there are few. If the rows of each class could come
    in any order, products have mean 0 and are not correlated.
    """
    means, fold, _ = means_of_rows(ranks, kept_rows)
    return Pairs.of(means, {1: fold[1:] != fold[:-1]})


def pairs_in_common(ranks, kept_rows, code):
    """Return `Pairs` of rows with the same value, and of rows with two adjacent values.

    Both are in different folds. What a model misses of a feature that rows are sorted
    by is alike in rows with adjacent values, too; what is a patient's own is not.

    Parameters
    ----------
    ranks, kept_rows : object
        As `means_of_rows` takes them.
    code : ndarray of int
        Of each example of the data, numbered in the order they come in.
    """
    means, fold, rows = means_of_rows(ranks, kept_rows)
    value = code[rows]
    order = np.argsort(value, kind="stable")
    means, fold, value = means[:, order], fold[order], value[order]
    largest = np.unique(value, return_counts=True)[1].max()
    same, adjacent = {}, {}
    for lag in range(1, min(MOST_LAGS, largest - 1) + 1):
        is_mixed = fold[lag:] != fold[:-lag]
        step = value[lag:] - value[:-lag]
        same[lag] = is_mixed & (step == 0)
        adjacent[lag] = is_mixed & (step == 1)
    return Pairs.of(means, same), Pairs.of(means, adjacent)


class SharedValue(NamedTuple):
    """Equal values of a column, whose rows may belong together.

    Attributes
    ----------
    where : str
        Code of the column.
    groups : str
        Code of its values, as it may be passed for `groups`.
    code : ndarray of int
        Of the rows that are looked at, numbered in the order they come in.
    is_together : bool
        Whether equal values stand in adjacent rows.
    """

    where: str
    groups: str
    code: np.ndarray
    is_together: bool


def read_columns(X):
    """Return columns with values that rows may share, and whether X is sorted by one.

    At least ten values stand in adjacent rows each; or at least five stand anywhere,
    and the name is of such things, as is an index with repeated labels. How values are
    coded makes no difference.

    Parameters
    ----------
    X : array-like, sparse matrix or data frame
        The features.

    Returns
    -------
    shared : list of SharedValue
        What may be groups.
    in_order : bool
        Whether rows are sorted by a column that does not just count them.
    """
    shared, in_order = [], False
    for column in [*Table(X, MOST_ROWS).columns(), *_index_of(X)]:
        in_order |= is_in_order(column.values)
        is_named = bool(NAMED.search(column.name))
        if not is_named and _changes(column.values):
            continue
        code = coded(column.values)
        n_values, runs = code.max() + 1, 1 + np.count_nonzero(np.diff(code))
        if not FEWEST <= n_values <= len(code) / 2:
            continue
        in_order |= runs == n_values
        is_together = runs <= MOST_RUNS * n_values
        is_shared = n_values >= FEWEST_TOGETHER if is_together else is_named
        if is_shared:
            value = SharedValue(column.where, column.groups, code, is_together)
            shared.append(value)
    return shared, in_order


def _changes(values):
    """Whether most of the first values differ from the one before."""
    first = words(values[:FIRST_ROWS])
    return np.count_nonzero(first[1:] != first[:-1]) > MOST_CHANGES * len(first)


def _index_of(X):
    """Return the index of a data frame if labels are repeated there, as a column."""
    if not hasattr(X, "iloc") or X.index.is_unique:
        return []
    return [Column("X.index", "X.index", "group", np.asarray(X.index[:MOST_ROWS]))]


def is_in_order(values):
    """Whether numbers only rise, or only fall, and do not just count the rows."""
    first = values[:FEWEST]  # most columns are out of order at once
    if values.dtype.kind not in "iuf" or not is_monotone(first):
        return False
    if not is_monotone(values):
        return False
    steps = np.abs(np.diff(values.astype(np.float64)))
    is_even = steps.max(initial=0) - steps.min(initial=0) <= 1e-6 * steps.max(initial=0)
    return not is_even and np.count_nonzero(steps) >= FEWEST


def _of_neighbours(fits, kept_rows, in_order):
    """Return the correlation of ranks of neighbours, and its z, of each estimator.

    In rows that are sorted by a feature, probabilities within classes are alike for no
    other reason, so that errors of all rows are ranked; and what one model misses of
    the feature makes its own alike. Rows sorted by class, too, tell nothing.
    """
    by_class = not in_order or len(fits.plan.data.classes) == 0
    pairs = neighbour_pairs(error_ranks(fits, kept_rows, by_class), kept_rows)
    z = pairs.z
    if in_order:
        y = as_target_array(fits.plan.data.y)
        is_of_class = not by_class and np.sum(y[1:] != y[:-1]) < 2 * FEWEST
        is_of_one = z[z != 0].min(initial=np.inf) <= FOR_ALL  # 0 of a constant
        z = z * (not (is_of_class or is_of_one))
    return pairs.correlation, z


class Correlation(NamedTuple):
    """Errors of some rows that are alike, of each estimator.

    Attributes
    ----------
    rows, advice : str
        Which rows, and what to do.
    correlation, z : ndarray of shape (n_estimators,)
        Of their ranks; z is 0 where there is nothing to say.
    """

    rows: str
    advice: str
    correlation: np.ndarray
    z: np.ndarray


def dependent_rows_warnings(fits, kept_rows):
    """Return warnings where errors of rows that may belong together are alike.

    These are rows with a value in common, or else neighbours.

    Parameters
    ----------
    fits : Collector
        Of all fits.
    kept_rows : KeptRows
        What they kept.

    Returns
    -------
    warnings : list of (str, type)
        At most one message, and its category; with groups there is none.
    """
    if fits.plan.groups is not None:
        return []
    shared, in_order = [], False
    with contextlib.suppress(Exception):  # whatever X holds
        shared, in_order = read_columns(fits.plan.data.X)
    alike = [] if not shared else _of_shared_values(fits, kept_rows, shared)
    if not any(candidate.z.any() for candidate in alike):  # a value in common says more
        correlation, z = _of_neighbours(fits, kept_rows, in_order)
        z = np.where(z > CLEARLY, z, 0)
        alike = [Correlation(NEIGHBOURS, ADVICE_FOR_NEIGHBOURS, correlation, z)]
    most = max(alike, key=lambda candidate: candidate.z.max())
    if not most.z.any():
        return []
    column, others = np.argmax(most.z), np.count_nonzero(most.z) - 1
    message = dependent_rows(
        fits.plan.names[column],
        others,
        most.rows,
        most.correlation[column],
        most.z[column],
        most.advice,
    )
    return [(message, DependentRowsWarning)]


def _of_shared_values(fits, kept_rows, shared):
    """Return the `Correlation` of rows with each value in common."""
    ranks = error_ranks(fits, kept_rows, by_class=False)
    alike = []
    for where, groups, code, is_together in shared:
        same, adjacent = pairs_in_common(ranks, kept_rows, code)
        is_clear = same.z > (TOGETHER if is_together else CLEARLY)
        if is_together:
            is_clear &= adjacent.correlation < LIKE_THE_NEXT * same.correlation
        rows = f"rows with the same {where}"
        advice = advice_for_shared_values(groups)
        z = np.where(is_clear, same.z, 0)
        alike.append(Correlation(rows, advice, same.correlation, z))
    return alike
