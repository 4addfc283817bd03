"""Whether errors are alike in rows that may belong together and that folds mix.

If rows of a series are split as if they were independent, the models have seen the
neighbours of the rows that they predict, and another series would differ from all of
these. The same holds for rows of one patient.
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

# Above so many standard deviations there is a warning: CLEARLY for neighbours, TOGETHER
# for rows with a value in common that stand together. They were chosen by
# docs/data/hidden_dependence.csv; twice as large, they would miss all but the strongest
# dependence.
CLEARLY = 4
TOGETHER = 3
MOST_LAGS = 30  # between two rows with one value; further ones would take long


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
    centred = rank - mean[stratum]
    variance = np.bincount(stratum, weights=centred**2) / size
    variance[variance <= 0] = np.inf  # ranks that are all the same become 0
    ranks = np.empty(len(values), dtype=np.float32)
    ranks[order] = centred / np.sqrt(variance)[stratum]
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
            For each lag, whether a row and the one that comes so much later are a pair.
        """
        sums = np.zeros(len(means))
        squares = np.zeros(len(means))
        n_pairs = 0
        for lag, mask in is_pair.items():
            first = np.flatnonzero(mask)
            products = means[:, first] * means[:, first + lag]
            sums += products.sum(axis=1)
            squares += np.square(products).sum(axis=1)
            n_pairs += len(first)
        variance = np.square(means).mean(axis=1)
        return cls(sums, squares, n_pairs, variance)

    @property
    def error(self):
        """Standard error of the sums, if products have mean 0 and no correlation."""
        by_products = np.sqrt(self.squares)
        by_variance = self.variance * np.sqrt(self.n_pairs)
        # the first is too small where few ranks differ from the others, in no pair
        return np.maximum(by_products, by_variance)

    @property
    def correlation(self):
        """Correlation of the ranks of pairs, 0 where ranks are all the same."""
        return _ratio(self.sums, self.variance * self.n_pairs)

    @property
    def z(self):
        """Standard deviations by which the sums are above 0."""
        return _ratio(self.sums, self.error)


def _ratio(numerator, denominator):
    """Return the ratio, 0 where the denominator is not above 0."""
    denominator = np.asarray(denominator, dtype=np.float64)
    is_positive = denominator > 0
    divisor = np.where(is_positive, denominator, 1)
    return np.where(is_positive, numerator / divisor, 0.0)


# Errors of fits ---------------------------------------------------------------------


def error_ranks(fits, kept_rows, by_class=True):
    """Return the ranks of errors on the rows that are looked at.

    What is ranked are, of regressors, the errors, y minus the prediction; of
    classifiers, within each class, the probabilities or, where there are none, the
    losses.

    Ranks are 0 where nothing is known, and of regressors also where y is sorted in the
    data, or all predictions are the same: errors of a constant are y itself.

    Parameters
    ----------
    fits : Collector
        Of all fits.
    kept_rows : KeptRows
        What they kept.
    by_class : bool, default=True
        If False, errors of classifiers are ranked over both classes, and ranks are 0
        for more than two: rows with a feature in common have similar probabilities.

    Returns
    -------
    ranks : ndarray of shape (n_rows, n_estimators)
        The ranks, numpy.float32.
    """
    values = kept_rows.values
    ranks = np.zeros(values.shape, dtype=np.float32)
    y = as_target_array(fits.plan.data.y)
    if y.ndim != 1:
        return ranks
    y_true = y[kept_rows.rows]
    classes, code = np.unique(y_true, return_inverse=True)
    are_classifiers = np.array(
        [is_of_classes(job.estimator, y_true) for job in fits.plan.jobs]
    )
    has_values = ~kept_rows.any_in_split(np.isnan(values))
    errors = np.where(has_values, values, kept_rows.losses_of(fits))
    is_usable = ~kept_rows.any_in_split(~np.isfinite(errors))
    if not all(are_classifiers):
        is_sorted = _is_sorted(kept_rows, y_true)[:, np.newaxis]
        is_constant = has_values & _is_constant(kept_rows, y_true, errors)
        is_usable &= are_classifiers | ~(is_sorted | is_constant)
    if len(classes) == 2:
        is_second = (code == 1)[:, np.newaxis]
        # a high loss is a low probability of the second class where it is the true one
        errors = np.where(are_classifiers & is_second, -errors, errors)
    elif not by_class:
        is_usable &= ~are_classifiers
    for column in np.flatnonzero(is_usable.any(axis=0)):
        strata = kept_rows.places
        if by_class and are_classifiers[column]:
            strata = kept_rows.places * len(classes) + code
        usable = is_usable[:, column]
        ranks[usable, column] = ranks_within(errors[usable, column], strata[usable])
    return ranks


def _is_sorted(kept_rows, y_true):
    """Return, for each row, whether y is sorted in its test set."""
    order = np.lexsort((kept_rows.rows, kept_rows.places))
    steps = np.diff(y_true[order].astype(np.float64), append=np.nan)
    steps[kept_rows.starts[1:] - 1] = np.nan  # from one split to the next
    rises = kept_rows.any_in_split(steps > 0)
    falls = kept_rows.any_in_split(steps < 0)
    return ~(rises & falls)


def _is_constant(kept_rows, y_true, errors):
    """Return, for each error, whether all predictions in its test set are the same."""
    y_column = y_true[:, np.newaxis].astype(np.float64)
    predicted = y_column - errors
    spread = kept_rows.largest(predicted) + kept_rows.largest(-predicted)
    # errors are kept in 32 bits, y in 64
    rounding_of_errors = 1e-6 * kept_rows.largest(np.abs(errors))
    rounding_of_y = 1e-12 * kept_rows.largest(np.abs(y_column))
    is_constant = spread <= rounding_of_errors + rounding_of_y
    return is_constant[kept_rows.places]


def means_of_rows(ranks, kept_rows):
    """Return for each example its mean rank over runs, its first fold, and its row.

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

    There are few where folds are blocks of rows. If the rows of each class could come
    in any order, the products have mean 0 and are not correlated.
    """
    means, fold, _ = means_of_rows(ranks, kept_rows)
    is_mixed = fold[1:] != fold[:-1]
    return Pairs.of(means, {1: is_mixed})


def pairs_in_common(ranks, kept_rows, code):
    """Return `Pairs` of rows with the same value, and of rows with two adjacent values.

    The rows of a pair are in different folds. If rows are sorted by a feature, errors
    from that feature are alike in rows with adjacent values, too; errors from what is
    a patient's own are not.

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
    n_lags = min(MOST_LAGS, n_rows_of_value.max() - 1)
    same = {}
    adjacent = {}
    for lag in range(1, n_lags + 1):
        is_mixed = fold[lag:] != fold[:-lag]
        step = value[lag:] - value[:-lag]
        same[lag] = is_mixed & (step == 0)
        adjacent[lag] = is_mixed & (step == 1)
    return Pairs.of(means, same), Pairs.of(means, adjacent)


class Correlation(NamedTuple):
    """How alike the errors of some rows are, of each estimator.

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

    If rows are sorted by a feature, probabilities within a class are alike for that
    reason alone. So errors of all rows are ranked, and as what one model misses of the
    feature makes its own errors alike, those of all models must be. Rows that are also
    sorted by class tell nothing.
    """
    by_class = not in_order or len(fits.plan.data.classes) == 0
    ranks = error_ranks(fits, kept_rows, by_class)
    pairs = neighbour_pairs(ranks, kept_rows)
    z = pairs.z
    is_clear = z > CLEARLY
    if in_order:
        y = as_target_array(fits.plan.data.y)
        n_changes = np.count_nonzero(y[1:] != y[:-1])
        is_sorted_by_class = not by_class and n_changes < 2 * FEWEST
        # that all are alike is asked at 2 standard deviations; z is 0 of a constant
        smallest = z[z != 0].min(initial=np.inf)
        if is_sorted_by_class or smallest <= 2:
            is_clear = np.zeros(len(z), dtype=bool)
    return Correlation(
        rows="neighbouring rows",
        advice=ADVICE_FOR_NEIGHBOURS,
        correlation=pairs.correlation,
        z=np.where(is_clear, z, 0),
    )


def _of_shared_values(fits, kept_rows, shared_values):
    """Return the clearest `Correlation` of rows with a value in common."""
    ranks = error_ranks(fits, kept_rows, by_class=False)
    correlations = []
    for shared_value in shared_values:
        same, adjacent = pairs_in_common(ranks, kept_rows, shared_value.code)
        is_clear = same.z > CLEARLY
        if shared_value.is_together:
            # where rows with the next value are nearly as alike as rows with the same
            # value, X is just sorted by it
            is_own = adjacent.correlation < 0.3 * same.correlation
            is_clear = (same.z > TOGETHER) & is_own
        correlation = Correlation(
            rows=f"rows with the same {shared_value.where}",
            advice=advice_for_shared_values(shared_value.groups),
            correlation=same.correlation,
            z=np.where(is_clear, same.z, 0),
        )
        correlations.append(correlation)
    return max(correlations, key=lambda correlation: correlation.z.max())


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
    shared_values = []
    in_order = False
    with contextlib.suppress(Exception):  # X may hold anything
        shared_values, in_order = read_columns(fits.plan.data.X)
    strongest = None
    if shared_values:
        strongest = _of_shared_values(fits, kept_rows, shared_values)
    if strongest is None or not strongest.z.any():
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
