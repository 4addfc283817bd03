"""Ranks of errors, and how much the ranks in pairs of rows are alike."""

from typing import NamedTuple

import numpy as np


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


def is_monotone(values):
    """Whether no number is below the last, or none above it."""
    return bool(np.all(values[1:] >= values[:-1]) or np.all(values[1:] <= values[:-1]))


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
        sums = squares = np.zeros(len(means))
        n_pairs = 0
        for lag, mask in is_pair.items():
            first = np.flatnonzero(mask)
            products = means[:, first] * means[:, first + lag]
            sums = sums + products.sum(axis=1)
            squares = squares + np.square(products).sum(axis=1)
            n_pairs += len(first)
        return cls(sums, squares, n_pairs, np.square(means).mean(axis=1))

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
        """Standard deviations by which it is above 0."""
        return _ratio(self.sums, self.error)


def _ratio(above, below):
    below = np.asarray(below, dtype=np.float64)
    return np.where(below > 0, above / np.where(below > 0, below, 1), 0.0)
