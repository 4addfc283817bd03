"""Ranks of estimators over data sets, as pure functions.

Losses have shape (D, k): a row for each data set, a column for each estimator. Rows
must be independent: splits of one data set are not. The tests are described in J.
Demšar, "Statistical Comparisons of Classifiers over Multiple Data Sets", JMLR 7, 1-30,
2006.
"""

from typing import NamedTuple

import numpy as np
from scipy import special, stats

from .._inference._multiplicity import adjust_pvalues
from ._signed_ranks import SignedRanks

FAILURE = 1e6  # times the largest difference: what a failure is worse by


class FriedmanResult(NamedTuple):
    """Friedman's test of equal ranks."""

    statistic: float
    df: int
    pvalue: float


def average_ranks(losses):
    """Return the mean rank of each estimator, of shape (k,); 1 is best.

    Ties share the mean of their ranks.
    """
    return stats.rankdata(losses, axis=1).mean(axis=0)


def pairwise_mean_ranks(losses):
    """Return mean ranks, of pairs over the data sets that have results of both.

    The rank of an estimator is 1 plus the number of those that are better, of a tie one
    half. Over all data sets it is the sum, over the others, of how often these are
    better. So a data set without a result of one estimator still counts for the others.

    Parameters
    ----------
    losses : ndarray of shape (D, k)
        nan where there is no result.

    Returns
    -------
    ranks : ndarray of shape (k,)
        Of an estimator that has none, nan.
    """
    ranks = np.full(losses.shape[1], np.nan)
    ranked = np.flatnonzero(np.isfinite(losses).mean(axis=0) >= 0.5)
    for column in ranked:
        others = losses[:, ranked[ranked != column]]
        losses_of_one = losses[:, [column]]
        both = np.isfinite(losses_of_one) & np.isfinite(others)
        worse = np.where(
            both, (others < losses_of_one) + (others == losses_of_one) / 2, 0.0
        )
        n_shared = both.sum(axis=0)
        if n_shared.all():
            ranks[column] = 1 + np.sum(worse.sum(axis=0) / n_shared)
    return ranks


def failures_last(losses):
    """Return losses with a larger one than all others where there is none.

    So that an estimator that failed on a data set is ranked last there; several share
    the last ranks. Data sets without any loss are left out.

    Parameters
    ----------
    losses : ndarray of shape (D, k)
        nan where there is no result.
    """
    losses = losses[np.isfinite(losses).any(axis=1)]
    worst = np.nanmax(losses, axis=1, keepdims=True)
    return np.where(np.isnan(losses), worst + np.abs(worst) + 1, losses)


def differences_with_failures(differences, first, second):
    """Return differences of pairs of estimators, a failure of one being the largest.

    Parameters
    ----------
    differences : ndarray of shape (n_pairs, D)
        Losses, first - second; nan where one is missing.
    first, second : ndarray of shape (n_pairs, D)
        The losses, nan where the estimator failed; if both did, they are equal.
    """
    is_there = np.isfinite(differences)
    sizes = np.where(is_there, np.abs(differences), 0.0)
    largest = FAILURE * sizes.max(axis=1, keepdims=True, initial=0.0)
    largest = np.where(largest > 0, largest, 1.0)
    failed = np.isnan(first).astype(np.float64) - np.isnan(second)
    return np.where(is_there, differences, largest * failed)


def friedman(losses):
    """Test that all estimators rank alike on average.

    χ² = 12 D/(k (k + 1)) Σ (R_j - (k + 1)/2)², corrected for ties, with k - 1 degrees
    of freedom. If all estimators tie on every data set it is 0 and p is 1.
    """
    ranks = stats.rankdata(losses, axis=1)
    n_datasets, k = ranks.shape
    spread = np.sum((ranks - (k + 1) / 2) ** 2)  # D k (k² - 1)/12 without ties
    offsets = ranks.mean(axis=0) - (k + 1) / 2
    statistic = 0.0
    if spread > 0:
        # with ties: n² (k - 1) Σ (R_j - (k + 1)/2)² over the spread there is
        statistic = float(n_datasets**2 * (k - 1) * np.sum(offsets**2) / spread)
    statistic = min(statistic, n_datasets * (k - 1.0))
    return FriedmanResult(statistic, k - 1, float(special.chdtrc(k - 1, statistic)))


def critical_difference(n_estimators, n_datasets, alpha=0.05):
    """Return how far mean ranks must differ to differ significantly.

    Demšar (2006) section 3.2.2: q √(k (k + 1)/(6 D)), q the quantile of the studentised
    range over √2. P. B. Nemenyi, "Distribution-free multiple comparisons", Princeton
    University, 1963.
    """
    quantile = stats.studentized_range.ppf(1 - alpha, n_estimators, np.inf)
    return float(quantile / np.sqrt(2) * _rank_error(n_estimators, n_datasets))


def _rank_error(n_estimators, n_datasets):
    """Return the standard deviation of the difference of two mean ranks."""
    return np.sqrt(n_estimators * (n_estimators + 1) / (6 * n_datasets))


def nemenyi_pvalues(losses):
    """Return p-values of all pairs of mean ranks, of shape (k, k), adjusted for k."""
    mean_ranks = average_ranks(losses)
    distances = np.abs(mean_ranks[:, np.newaxis] - mean_ranks)
    n_datasets, k = np.shape(losses)
    first, second = np.triu_indices(k, 1)
    ranges = np.sqrt(2) * distances[first, second] / _rank_error(k, n_datasets)
    return _symmetric(stats.studentized_range.sf(ranges, k, np.inf), k)


def wilcoxon_pvalues(losses, method="holm"):
    """Return adjusted p-values of signed-rank tests of all pairs, of shape (k, k).

    Unlike mean ranks these do not depend on which other estimators are compared:
    A. Benavoli, G. Corani and F. Mangili, "Should We Really Use Post-Hoc Tests Based on
    Mean-Ranks?", JMLR 17(5), 1-10, 2016. Differences of zero are left out; p is 1 if
    none is left. A loss that is nan is worse than all others.
    """
    k = losses.shape[1]
    first, second = (losses.T[side] for side in np.triu_indices(k, 1))
    differences = differences_with_failures(first - second, first, second)
    pvalues = SignedRanks(differences).pvalues
    return _symmetric(adjust_pvalues(pvalues, method), k)


def _symmetric(values, k):
    """Return the matrix of all pairs, with ones on its diagonal."""
    matrix = np.eye(k)
    matrix[np.triu_indices(k, 1)] = values
    return np.maximum(matrix, matrix.T)
