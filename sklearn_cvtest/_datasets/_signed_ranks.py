"""Wilcoxon's signed-rank test of many pairs at once, as pure functions.

F. Wilcoxon, "Individual Comparisons by Ranking Methods", Biometrics Bulletin 1, 80-83,
1945. Differences of zero are left out. If the signs of n differences are random, the
sum R+ of the ranks of the positive ones has mean n(n + 1)/4 and variance Σr²/4. Its law
is exact for up to 50 differences whose sizes all differ, and for up to 13 if some are
equal; for more it is normal, without a correction for continuity. These are the limits
of `scipy.stats.wilcoxon` in recent versions, which gives the same p-values, one pair at
a time.
"""

from typing import NamedTuple

import numpy as np
from scipy import special, stats

MOST_UNTIED = 50
MOST_TIED = 13
SUMS_AT_A_TIME = 2**22


class SignedRankTests(NamedTuple):
    """What Wilcoxon's test finds of pairs; both fields have shape (n_pairs,).

    `sums` are the sums of the signed ranks, R+ - R-, and `pvalues` two-sided: 1 if no
    difference is left.
    """

    sums: np.ndarray
    pvalues: np.ndarray


def signed_rank_tests(differences):
    """Test that differences scatter around zero, each row for itself.

    Parameters
    ----------
    differences : ndarray of shape (n_pairs, D)
        0 where there is none.

    Returns
    -------
    SignedRankTests
        Sums and p-values.
    """
    is_zero = differences == 0
    sizes = np.where(is_zero, np.inf, np.abs(differences))
    ranks = np.where(is_zero, 0.0, stats.rankdata(sizes, axis=1))
    positive = np.sum(ranks, axis=1, where=differences > 0)
    negative = np.sum(ranks, axis=1, where=differences < 0)
    smaller = np.minimum(positive, negative)
    counts = np.count_nonzero(ranks, axis=1)
    squares = np.sum(ranks**2, axis=1)
    is_tied = 6 * squares < counts * (counts + 1) * (2 * counts + 1)
    pvalues = _normal_pvalues(smaller, counts, squares)
    for count in np.unique(counts).tolist():
        untied = np.flatnonzero((counts == count) & ~is_tied)
        if count <= MOST_UNTIED and len(untied):
            pvalues[untied] = _untied_pvalues(smaller[untied], count)
        tied = np.flatnonzero((counts == count) & is_tied)
        if count <= MOST_TIED and len(tied):
            ranks_of_tied = np.sort(ranks[tied], axis=1)[:, -count:]
            pvalues[tied] = _tied_pvalues(smaller[tied], ranks_of_tied)
    return SignedRankTests(positive - negative, pvalues)


def _normal_pvalues(smaller, counts, squares):
    """Return p-values by the normal law of the smaller sum, 1 if there is no rank."""
    deviation = np.sqrt(squares) / 2
    distance = counts * (counts + 1) / 4 - smaller
    z = np.divide(distance, deviation, out=np.zeros(len(counts)), where=deviation > 0)
    return 2 * special.ndtr(-z)


def _untied_pvalues(smaller, count):
    """Return exact p-values of sums of the ranks 1 to `count`."""
    probabilities = np.ones(1)
    for rank in range(1, count + 1):
        with_rank = np.zeros(len(probabilities) + rank)
        with_rank[: len(probabilities)] = probabilities / 2
        with_rank[rank:] += probabilities / 2
        probabilities = with_rank
    at_most = np.cumsum(probabilities)[smaller.astype(np.intp)]
    return np.minimum(2 * at_most, 1.0)


def _tied_pvalues(smaller, ranks):
    """Return exact p-values of sums of ranks (n_pairs, n), by all 2^n choices."""
    n_pairs, count = ranks.shape
    numbers = np.arange(2**count)[:, np.newaxis]
    choices = (numbers >> np.arange(count)) % 2
    choices = choices.astype(np.float64)
    at_most = np.empty(n_pairs)
    step = max(SUMS_AT_A_TIME // len(choices), 1)
    for start in range(0, n_pairs, step):
        rows = slice(start, start + step)
        sums = choices @ ranks[rows].T
        at_most[rows] = np.mean(sums <= smaller[rows], axis=0)
    return np.minimum(2 * at_most, 1.0)
