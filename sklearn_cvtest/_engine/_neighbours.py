"""Whether errors of rows that may belong together are alike, where folds mix these.

Rows of a series that are split as if they were independent are predicted by models that
have seen their neighbours, and another series would differ from them all. So it is with
rows of one patient.
"""

import contextlib
import re

import numpy as np

from .._losses._formulas import as_target_array
from .._validation import words_of
from ..exceptions import DependentRowsWarning
from ._signs import MOST_ROWS, is_of_classes

# Standard deviations, for neighbours (docs/data/hard_cells.csv) and for rows with a
# value in common that stand together (docs/data/untold_groups.csv). If X is sorted by a
# column, what one model misses of it makes its errors alike: so far for all models.
CLEARLY, TOGETHER, FOR_ALL = 4, 3, 2
# Values in common: at least so many, each in about one run of rows, or in a column of
# such a name; of their rows, pairs that are so far apart at most.
FEWEST, MOST_RUNS, MOST_LAGS = 5, 1.25, 30
NAMED = re.compile(
    r"(?i:(^|_|\W)(id|patient|subject|person|participant|user|customer|client|family|"
    r"household|school|hospital|site|session|batch|group)s?(\W|_|$))|[a-z]I[dD]$"
)
NEIGHBOURS, WORDS = "neighbouring rows", words_of(__package__)["neighbours"]


def error_ranks(fits, looked, by_class=True):
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
        second = (code == 1)[:, np.newaxis]
        errors = np.where(are_classes & ~is_seen & second, -errors, errors)
        if not by_class:
            errors = np.where(are_classes & is_seen, second - errors, errors)
            is_told &= ~(are_classes & is_seen & _is_constant(looked, code, errors))
    elif not by_class:
        is_told &= ~np.array(are_classes)
    for column in np.flatnonzero(is_told.any(axis=0)):
        at = is_told[:, column]
        is_within = by_class and are_classes[column]
        strata = split * len(classes) + code if is_within else split
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


def correlation_within(ranks, looked, code=None):
    """Return the correlation of ranks of rows with the same code, and its z.

    Means over runs are taken of each example, and pairs that the first run tests in
    different folds: where these are blocks of rows, there are few. If the rows of each
    class could come in any order, products have mean 0 and are not correlated.

    Parameters
    ----------
    ranks : ndarray of shape (n_rows, n_estimators)
        Of `error_ranks`.
    looked : Looked
        The example and the split of each.
    code : ndarray of int, optional
        Of each example of the data; without it, of neighbours only.

    Returns
    -------
    correlation, z : ndarray of shape (n_estimators,)
        0 where there is nothing to tell it from.
    """
    rows, first, place = np.unique(looked.rows, return_index=True, return_inverse=True)
    n_runs = np.bincount(place)
    means = [np.bincount(place, weights=column) / n_runs for column in ranks.T]
    means, fold, lags = np.array(means), looked.places[first], 1
    same = np.zeros(len(rows)) if code is None else code[rows]
    if code is not None:
        order = np.argsort(same, kind="stable")
        means, fold, same = means[:, order], fold[order], same[order]
        lags = min(MOST_LAGS, np.unique(same, return_counts=True)[1].max() - 1)
    sums, squares, n_pairs = 0.0, 0.0, 0
    for lag in range(1, lags + 1):
        is_pair = (fold[lag:] != fold[:-lag]) & (same[lag:] == same[:-lag])
        at = np.flatnonzero(is_pair)
        products = means[:, at] * means[:, at + lag]
        sums = sums + products.sum(axis=1)
        squares = squares + np.square(products).sum(axis=1)
        n_pairs += len(at)
    whole = np.square(means).mean(axis=1) * max(n_pairs, 1)
    # the first alone is too small where few ranks differ, and none of these are near
    error = np.maximum(np.sqrt(squares), whole / np.sqrt(max(n_pairs, 1)))
    return [sums / np.where(sum_ > 0, sum_, np.inf) for sum_ in (whole, error)]


def columns_of(X):
    """Return the columns of the rows that are looked at, a list of arrays."""
    head, names = X[:MOST_ROWS], getattr(X, "columns", None)
    if names is None or len(set(head.dtypes)) == 1:
        return list(np.asarray(head).T)
    return [head[name].to_numpy() for name in names]  # faster than all at once


def values_together(X, columns):
    """Yield columns of X whose equal values may be of rows that belong together.

    At least five values stand in adjacent rows each, and the rows are not just sorted
    by them; or the name is of such things, as is an index with repeated labels.

    Parameters
    ----------
    X : array-like
        The features.
    columns : list of ndarray
        Of `columns_of`.

    Yields
    ------
    where : str
        The column, as it may be passed for `groups`.
    code : ndarray of int
        Of the rows that are looked at.
    bound : float
        The z from which this is worth a question.
    """
    if np.ndim(columns[0]) != 1 or len(columns[0]) < 2 * FEWEST:
        return
    is_frame = hasattr(X, "columns")
    names, form = range(len(columns)), "X[:, {}]"
    if is_frame:
        names, form = X.columns, "X[{!r}]"
    found = [
        (form.format(name), values, is_frame and bool(NAMED.search(str(name))))
        for name, values in zip(names, columns, strict=True)
    ]
    if is_frame and hasattr(X, "index") and not X.index.is_unique:
        found.append(("X.index", np.asarray(X.index[:MOST_ROWS]), True))
    for where, values, is_named in found:
        runs = 1 + np.count_nonzero(values[1:] != values[:-1])
        if not (is_named or FEWEST <= runs <= len(values) / 2):
            continue
        code = coded(values)
        n_values, runs = code.max() + 1, 1 + np.count_nonzero(np.diff(code))
        is_together = runs <= MOST_RUNS * n_values
        is_told = is_named or (is_together and not is_in_order(values))
        if is_told and FEWEST <= n_values <= len(code) / 2:
            yield where, code, TOGETHER if is_together else CLEARLY


def is_in_order(values):
    """Whether numbers only rise, or only fall."""
    numbers = values.tolist()
    if np.array(numbers).dtype.kind not in "iuf":
        return False
    ordered = sorted(numbers)
    return numbers in (ordered, ordered[::-1])


def is_sorted(columns):
    """Whether rows are sorted by a column of numbers that do not just count them."""
    for values in columns:
        few = values[:FEWEST]  # most columns are out of order at once
        if values.dtype.kind not in "iuf" or not is_in_order(few):
            continue
        if values[0] != values[-1]:
            steps = np.diff(values.astype(np.float64)) * np.sign(values[-1] - values[0])
            is_even = steps.max() - steps.min() <= 1e-6 * steps.max()
            if steps.min() >= 0 and not is_even and np.count_nonzero(steps) >= FEWEST:
                return True
    return False


def coded(values):
    """Return the number of each value in the order they come in."""
    numbers = {}
    return np.array([numbers.setdefault(value, len(numbers)) for value in values])


def _of_neighbours(fits, looked, in_order):
    """Return the correlation of ranks of neighbours, and its z, of each estimator.

    In rows that are sorted by a feature, probabilities within classes are alike for no
    other reason, so that errors of all rows are ranked; and what one model misses of
    the feature makes its own alike. Rows sorted by class, too, tell nothing.
    """
    by_class = not in_order or len(fits.plan.data.classes) == 0
    correlation, z = correlation_within(error_ranks(fits, looked, by_class), looked)
    if in_order:
        y = as_target_array(fits.plan.data.y)
        is_of_class = not by_class and np.sum(y[1:] != y[:-1]) < 2 * FEWEST
        is_of_one = z[z != 0].min(initial=np.inf) <= FOR_ALL  # 0 of a constant
        z = z * (not (is_of_class or is_of_one))
    return correlation, z


def neighbour_warnings(fits, looked):
    """Return warnings where errors of rows that may belong together are alike.

    These are rows with a value in common, or else neighbours.

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
    found, in_order, X = [], False, fits.plan.data.X
    with contextlib.suppress(Exception):  # whatever X holds
        columns, ranks = columns_of(X), None
        in_order = is_sorted(columns)
        for where, code, bound in values_together(X, columns):
            ranks = error_ranks(fits, looked, False) if ranks is None else ranks
            kind = f"rows with the same {where}"
            question = WORDS["question"].format(groups=where)
            told = correlation_within(ranks, looked, code)
            found.append((kind, question, bound, *told))
    found = [row for row in found if (row[-1] > row[2]).any()]
    if not found:  # a value in common says more
        correlation, z = _of_neighbours(fits, looked, in_order)
        found = [(NEIGHBOURS, WORDS["advice"], CLEARLY, correlation, z)]
    kind, advice, bound, correlation, z = max(found, key=lambda row: row[-1].max())
    if not (z > bound).any():
        return []
    column, others = np.argmax(z), np.count_nonzero(z > bound) - 1
    also = f" (and {others} more)" if others else ""
    words = {"kind": kind, "correlation": correlation[column], "z": z[column]}
    words |= {"name": fits.plan.names[column], "also": also, "advice": advice}
    message = WORDS["what"].format(**words)
    return [(message, DependentRowsWarning)]
