"""Whether errors of rows that may belong together are alike, where folds mix these.

Rows of a series that are split as if they were independent are predicted by models that
have seen their neighbours, and another series would differ from them all. So it is with
rows of one patient.
"""

import contextlib
from typing import NamedTuple

import numpy as np

from .._losses._formulas import as_target_array
from .._losses._kept_values import is_of_classes
from ..exceptions import DependentRowsWarning
from ._check_sentences import (
    ADVICE_FOR_NEIGHBOURS,
    advice_for_shared_values,
    dependent_rows,
)
from ._data_columns import FEWEST, read_columns

# Standard deviations of neighbours, and of rows with a value in common that stand
# together, from which a warning comes (docs/data/hidden_dependence.csv). Doubled, only
# the strongest dependence would be told of.
CLEARLY = 4
TOGETHER = 3


# Ranks of errors, and of pairs of rows ----------------------------------------------


def ranks_within(values, strata):
    """Return ranks within strata, of mean 0 and variance 1; ties share theirs."""
    with np.errstate(over="ignore"):  # the last digits of a matrix product vary by row
        values = np.float32(values)
    order = np.lexsort((values, strata))
    value = values[order]
    stratum = strata[order]
    is_new = (stratum[1:] != stratum[:-1]) | (value[1:] != value[:-1])
    tie = np.concatenate([[0], np.cumsum(is_new)])
    n_ties = np.bincount(tie)
    mean_ranks = np.cumsum(n_ties) - (n_ties - 1) / 2
    rank = mean_ranks[tie]
    size = np.bincount(stratum)
    mean = np.bincount(stratum, weights=rank) / size
    rank = rank - mean[stratum]
    variance = np.bincount(stratum, weights=rank**2) / size
    deviation = np.sqrt(np.where(variance > 0, variance, np.inf))
    ranks = np.empty(len(values), dtype=np.float32)
    ranks[order] = rank / deviation[stratum]
    return ranks


class Pairs(NamedTuple):
    """Products of the ranks of pairs of rows, summed for each estimator.

    Attributes
    ----------
    sums, squares : ndarray of shape (n_estimators,)
        Of the products, and of their squares.
    n_pairs : int
        How many there are.
    variance : ndarray of shape (n_estimators,)
        The mean square of the ranks.
    """

    sums: np.ndarray
    squares: np.ndarray
    n_pairs: int
    variance: np.ndarray

    @classmethod
    def of(cls, means, is_pair):
        """Return the sums over pairs of rows that are some lag apart.

        Parameters
        ----------
        means : ndarray of shape (n_estimators, n_rows)
            The ranks.
        is_pair : dict of int to ndarray of bool
            For each lag, whether a row and the one so far behind it are such a pair.
        """
        sums = np.zeros(len(means))
        squares = np.zeros(len(means))
        n_pairs = 0
        for lag, mask in is_pair.items():
            first = np.flatnonzero(mask)
            products = means[:, first] * means[:, first + lag]
            sums = sums + products.sum(axis=1)
            squares = squares + np.square(products).sum(axis=1)
            n_pairs += len(first)
        variance = np.square(means).mean(axis=1)
        return cls(sums, squares, n_pairs, variance)

    @property
    def error(self):
        """Standard error of the sums, if products have mean 0 and no correlation."""
        # the first alone is too small where few ranks differ and none of these are near
        expected = self.variance * np.sqrt(self.n_pairs)
        return np.maximum(np.sqrt(self.squares), expected)

    @property
    def correlation(self):
        """Correlation of the ranks of pairs, 0 where ranks are all the same."""
        return _ratio(self.sums, self.variance * self.n_pairs)

    @property
    def z(self):
        """Standard deviations by which the sums are above 0."""
        return _ratio(self.sums, self.error)


def _ratio(numerator, denominator):
    """Return the ratio, 0 where the denominator is none above 0."""
    denominator = np.asarray(denominator, dtype=np.float64)
    is_positive = denominator > 0
    divisor = np.where(is_positive, denominator, 1)
    return np.where(is_positive, numerator / divisor, 0.0)


# Errors of fits ---------------------------------------------------------------------


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
    values = kept_rows.values
    ranks = np.zeros(values.shape, dtype=np.float32)
    y = as_target_array(fits.plan.data.y)
    if y.ndim != 1:
        return ranks
    y_true = y[kept_rows.rows]
    classes, code = np.unique(y_true, return_inverse=True)
    are_classes = np.array(
        [is_of_classes(job.estimator, y_true) for job in fits.plan.jobs]
    )
    has_values = ~kept_rows.any_in_split(np.isnan(values))
    errors = np.where(has_values, values, kept_rows.losses_of(fits))
    is_usable = ~kept_rows.any_in_split(~np.isfinite(errors))
    if not all(are_classes):
        is_sorted = _is_sorted(kept_rows, y_true)[:, np.newaxis]
        is_usable &= are_classes | ~is_sorted
        is_constant = has_values & _is_constant(kept_rows, y_true, errors)
        is_usable &= are_classes | ~is_constant
    if len(classes) == 2:  # what is better for the one is worse for the other
        is_second = (code == 1)[:, np.newaxis]
        is_loss = are_classes & ~has_values
        errors = np.where(is_loss & is_second, -errors, errors)
        if not by_class:
            is_probability = are_classes & has_values
            errors = np.where(is_probability, is_second - errors, errors)
            is_constant = _is_constant(kept_rows, code, errors)
            is_usable &= ~(is_probability & is_constant)
    elif not by_class:
        is_usable &= ~are_classes
    for column in np.flatnonzero(is_usable.any(axis=0)):
        strata = kept_rows.places
        if by_class and are_classes[column]:
            strata = strata * len(classes) + code
        usable = is_usable[:, column]
        ranks[usable, column] = ranks_within(errors[usable, column], strata[usable])
    return ranks


def _is_sorted(kept_rows, y_true):
    """Return, for each row, whether y is sorted in the test set it is of."""
    order = np.lexsort((kept_rows.rows, kept_rows.places))
    steps = np.diff(y_true[order].astype(np.float64), append=np.nan)
    steps[kept_rows.starts[1:] - 1] = np.nan  # from one split to the next
    rises = kept_rows.any_in_split(steps > 0)
    falls = kept_rows.any_in_split(steps < 0)
    return ~(rises & falls)


def _is_constant(kept_rows, y_true, errors):
    """Return where predictions are all the same, but for errors rounded to 32 bits."""
    y_true = y_true[:, np.newaxis].astype(np.float64)
    rounding = 1e-6 * kept_rows.largest(np.abs(errors))
    rounding = rounding + 1e-12 * kept_rows.largest(np.abs(y_true))
    predicted = y_true - errors
    spread = kept_rows.largest(predicted) + kept_rows.largest(-predicted)
    is_constant = spread <= rounding
    return is_constant[kept_rows.places]


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
    fold = kept_rows.places[first]
    return np.array(means), fold, rows


def neighbour_pairs(ranks, kept_rows):
    """Return `Pairs` of adjacent rows that the first run tests in different folds.

    Where folds are blocks of rows, there are few. If the rows of each class could come
    in any order, products have mean 0 and are not correlated.
    """
    means, fold, _ = means_of_rows(ranks, kept_rows)
    is_mixed = fold[1:] != fold[:-1]
    return Pairs.of(means, {1: is_mixed})


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
    means = means[:, order]
    fold = fold[order]
    value = value[order]
    _, n_rows_of_value = np.unique(value, return_counts=True)
    # rows with one value that are further apart are not looked at, for time
    n_lags = min(30, n_rows_of_value.max() - 1)
    same = {}
    adjacent = {}
    for lag in range(1, n_lags + 1):
        is_mixed = fold[lag:] != fold[:-lag]
        step = value[lag:] - value[:-lag]
        same[lag] = is_mixed & (step == 0)
        adjacent[lag] = is_mixed & (step == 1)
    return Pairs.of(means, same), Pairs.of(means, adjacent)


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


def _of_neighbours(fits, kept_rows, in_order):
    """Return the `Correlation` of neighbours.

    In rows that are sorted by a feature, probabilities within classes are alike for no
    other reason, so that errors of all rows are ranked; and what one model misses of
    the feature makes its own alike. Rows sorted by class, too, tell nothing.
    """
    by_class = not in_order or len(fits.plan.data.classes) == 0
    ranks = error_ranks(fits, kept_rows, by_class)
    pairs = neighbour_pairs(ranks, kept_rows)
    z = pairs.z
    if in_order:
        y = as_target_array(fits.plan.data.y)
        n_changes = np.count_nonzero(y[1:] != y[:-1])
        is_sorted_by_class = not by_class and n_changes < 2 * FEWEST
        # errors of all models must be alike, if only by 2 standard deviations; z is 0
        # of a constant
        smallest = z[z != 0].min(initial=np.inf)
        if is_sorted_by_class or smallest <= 2:
            z = np.zeros_like(z)
    z = np.where(z > CLEARLY, z, 0)
    return Correlation(
        rows="neighbouring rows",
        advice=ADVICE_FOR_NEIGHBOURS,
        correlation=pairs.correlation,
        z=z,
    )


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
    shared = []
    in_order = False
    with contextlib.suppress(Exception):  # whatever X holds
        shared, in_order = read_columns(fits.plan.data.X)
    strongest = None
    if shared:
        strongest = _of_shared_values(fits, kept_rows, shared)
    if strongest is None or not strongest.z.any():  # a value in common says more
        strongest = _of_neighbours(fits, kept_rows, in_order)
    if not strongest.z.any():
        return []
    column = np.argmax(strongest.z)
    message = dependent_rows(
        name=fits.plan.names[column],
        n_others=np.count_nonzero(strongest.z) - 1,
        rows=strongest.rows,
        correlation=strongest.correlation[column],
        z=strongest.z[column],
        advice=strongest.advice,
    )
    return [(message, DependentRowsWarning)]


def _of_shared_values(fits, kept_rows, shared):
    """Return the clearest `Correlation` of rows with a value in common."""
    ranks = error_ranks(fits, kept_rows, by_class=False)
    correlations = []
    for where, groups, code, is_together in shared:
        same, adjacent = pairs_in_common(ranks, kept_rows, code)
        is_clear = same.z > CLEARLY
        if is_together:
            # where rows with the next value are nearly as alike as rows with the same
            # value, X is just sorted by it
            is_own = adjacent.correlation < 0.3 * same.correlation
            is_clear = (same.z > TOGETHER) & is_own
        correlation = Correlation(
            rows=f"rows with the same {where}",
            advice=advice_for_shared_values(groups),
            correlation=same.correlation,
            z=np.where(is_clear, same.z, 0),
        )
        correlations.append(correlation)
    return max(correlations, key=lambda correlation: correlation.z.max())
