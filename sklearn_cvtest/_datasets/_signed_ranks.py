"""Wilcoxon's signed-rank test of many pairs at once, and its interval.

F. Wilcoxon, "Individual Comparisons by Ranking Methods", Biometrics Bulletin 1, 80-83,
1945. Differences of zero are left out. If the signs of n differences are random, the
sum R+ of the ranks of the positive ones has mean n(n + 1)/4 and variance Σr²/4. Its law
is exact for up to 50 differences whose sizes all differ, and for up to 13 if some are
equal; for more it is normal, without a correction for continuity. These are the limits
of `scipy.stats.wilcoxon` in recent versions, which gives the same p-values, one pair at
a time.

R- is the number of averages of two differences (Walsh's) that are below 0. So the shift
of all differences that the test finds the least of is the median of these averages, and
those that it does not reject lie between two of them: J. L. Hodges and E. L. Lehmann,
"Estimates of Location Based on Rank Tests", Annals of Mathematical Statistics 34,
598-611, 1963.
"""

from functools import cached_property, lru_cache

import numpy as np
from scipy import special, stats

MOST_UNTIED = 50
MOST_TIED = 13
N_HALVINGS = 50
NEGLIGIBLE = 1e-12  # of the largest difference


class SignedRanks:
    """The signed ranks of pairs, and what Wilcoxon's test finds of them.

    Parameters
    ----------
    differences : ndarray of shape (n_pairs, D)
        0 or nan where there is none.

    Attributes
    ----------
    signs : ndarray of shape (n_pairs,)
        Of R+ - R-.
    pvalues : ndarray of shape (n_pairs,)
        Two-sided; 1 if no difference is left.
    """

    def __init__(self, differences):
        is_zero = np.isnan(differences) | (differences == 0)
        self._differences = np.where(is_zero, np.inf, differences)
        sizes = np.abs(self._differences)
        self._ranks = np.where(is_zero, 0.0, stats.rankdata(sizes, axis=1))
        self._counts = np.count_nonzero(self._ranks, axis=1)
        self._size = sizes.max(axis=1, where=~is_zero, initial=0.0)
        is_positive = ~is_zero & (differences > 0)
        positive = np.sum(self._ranks, axis=1, where=is_positive)
        self._n_walsh = self._counts * (self._counts + 1) / 2
        self._smaller = np.minimum(positive, self._n_walsh - positive)
        squares = np.sum(self._ranks**2, axis=1)
        self._deviations = np.sqrt(squares) / 2
        n = self._counts
        is_tied = 6 * squares < n * (n + 1) * (2 * n + 1)
        self._is_exact = n <= np.where(is_tied, MOST_TIED, MOST_UNTIED)
        self.signs = np.sign(2 * positive - self._n_walsh)
        self.pvalues = self._pvalues()

    @cached_property
    def estimates(self):
        """Hodges and Lehmann's, ndarray; 0 if no difference is left."""
        half = np.floor((self._n_walsh - 1) / 2)
        low, high = (self._walsh(sign, half) for sign in (1, -1))
        estimates = (low - high) / 2
        return np.where(np.abs(estimates) <= NEGLIGIBLE * self._size, 0.0, estimates)

    def _law(self, row):
        """Return P(R+ <= r/2) for r = 0, 1, ..., given the sizes of a row."""
        ranks = self._ranks[row][self._ranks[row] > 0]
        return law_of_sums(tuple(np.sort(2 * ranks).astype(int).tolist()))

    def _pvalues(self):
        distance = self._n_walsh / 2 - self._smaller
        is_there = self._counts > 0
        z = np.zeros(len(distance))
        np.divide(distance, self._deviations, out=z, where=is_there)
        pvalues = 2 * special.ndtr(-z)
        for row in np.flatnonzero(self._is_exact):
            at_most = self._law(row)[int(2 * self._smaller[row])]
            pvalues[row] = min(2 * at_most, 1.0)
        return pvalues

    def intervals(self, levels, rejected):
        """Return the shifts that the test does not reject, (low, high).

        Parameters
        ----------
        levels : ndarray of shape (n_pairs,)
            The level of the test of each pair.
        rejected : ndarray of shape (n_pairs,) of bool
            Whether it is rejected at that level that the shift is 0, which is then
            outside, also where equal sizes would have it at an end.
        """
        critical = self._n_walsh / 2 + special.ndtri(levels / 2) * self._deviations
        for row in np.flatnonzero(self._is_exact):
            reached = np.searchsorted(self._law(row), levels[row] / 2, side="right")
            critical[row] = (reached - 1) / 2
        ends = []
        for sign in (1, -1):
            n_below = self._n_below(sign * self._differences, NEGLIGIBLE * self._size)
            is_beyond = rejected & (sign * self.signs > 0)
            counts = np.where(is_beyond, np.maximum(critical, n_below), critical)
            end = self._walsh(sign, counts)
            end = np.where(np.abs(end) <= NEGLIGIBLE * self._size, 0.0, end)
            ends.append(sign * np.where(critical < 0, -np.inf, end))
        return ends

    def _walsh(self, sign, n_below):
        """Return the average, of a sign turned round, that n others are below."""
        differences = sign * self._differences
        low, high = -self._size, self._size
        for _ in range(N_HALVINGS):
            middle = (low + high) / 2
            is_below = self._n_below(differences, middle) <= n_below
            low = np.where(is_below, middle, low)
            high = np.where(is_below, high, middle)
        return low

    def _n_below(self, differences, shift):
        """Return R- of shifted differences: how many averages are below the shift."""
        offsets = differences - shift[:, np.newaxis]
        order = np.argsort(np.abs(offsets), axis=1)
        is_below = np.take_along_axis(offsets, order, axis=1) < 0
        is_below[np.arange(offsets.shape[1]) >= self._counts[:, np.newaxis]] = False
        return is_below @ np.arange(1.0, offsets.shape[1] + 1)


@lru_cache(maxsize=256)
def law_of_sums(ranks):
    """Return P(sum of ranks with random signs <= s) for s = 0, 1, ..."""
    law = np.ones(1)
    for rank in ranks:
        longer = np.zeros(len(law) + rank)
        longer[: len(law)] = law / 2
        longer[rank:] += law / 2
        law = longer
    return np.cumsum(law)
