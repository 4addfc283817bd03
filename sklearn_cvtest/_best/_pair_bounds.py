"""Which rivals give the largest bound of a difference, by a t test with a fixed ρ.

The bounds of all k² pairs follow from the means of their blocks and from products of
the deviations, a block of rows at a time. They are used to choose rivals; the test
itself then gives the bounds of the pairs that were chosen.
"""

import numpy as np

from .._inference._ratio import fieller_interval
from .._inference._student import ROUNDING, critical_value
from .._inference._zero_variance import full_evaluation
from .._pairs._ratios import losses_alone
from ._representatives import representatives

AT_A_TIME = 2**16  # pairs, so that their columns stay near the processor
# A squared distance below this share of the squared lengths is computed again from
# differences: as a difference of products it has an error of 1e-16 of these.
NEAR = 1e-9


class PairBounds:
    """The bounds of the differences of all pairs of models.

    Parameters
    ----------
    test : test
        A test of exchangeable block means.
    losses : CVLosses
        The losses.
    order : ndarray of int of shape (k,)
        The positions of the models. Methods take places in this order.
    is_by_ratio : bool
        Whether bounds are of the ratio of the mean losses.
    """

    def __init__(self, test, losses, order, *, is_by_ratio):
        blocks = losses_alone(losses, order).whole.block_means
        blocks = blocks / (np.abs(blocks).max() or 1.0)
        n_blocks = blocks.shape[1]
        rho = full_evaluation(test, losses.pair_residuals([order[:2]])).rho
        self.is_by_ratio = is_by_ratio
        self.df = n_blocks - 1
        self.means = blocks.mean(axis=1)
        deviations = blocks - self.means[:, np.newaxis]
        # [GB06] eq. (9): S²/(J (1 - ρ)) is the variance of a mean
        self.factor = 1 / (self.df * n_blocks * (1 - np.ravel(rho)[0]))
        self.variances_alone = self.factor * np.sum(deviations**2, axis=1)
        # what all models have in common would only add to the errors of products
        self.deviations = deviations - deviations[0]
        self.squares = np.sum(self.deviations**2, axis=1)

    def rivals_of(self, rows, rivals, levels, *, upper):
        """Return which rivals may give the largest bound of each row.

        Parameters
        ----------
        rows, rivals : ndarray of int of shape (n_rows,), (n_rivals,)
            Places of models. The first rival is in no row.
        levels : ndarray of shape (n_rows,)
            One minus the one-sided level of the bounds of each row.
        upper : bool
            Whether they are upper bounds, not lower ones.

        Returns
        -------
        chosen : ndarray of int of shape (3, n_rows)
            Places: of the rival with the largest bound of those whose difference from
            the row varies; and of the best and the worst of the others, which are
            bounded in another way. The first rival stands where there is none.
        """
        step = max(AT_A_TIME // len(rivals), 1)
        if len(rows) > step:  # for fewer rows, the choice would take longer
            ends = representatives(self.deviations[rivals], self.means[rivals])
            rivals = rivals[ends]
            step = max(AT_A_TIME // len(rivals), 1)
        chosen = np.empty((3, len(rows)), dtype=np.intp)
        for start in range(0, len(rows), step):
            block = slice(start, start + step)
            chosen[:, block] = self._rivals_of_block(
                rows[block], rivals, levels[block, np.newaxis], upper
            )
        return rivals[chosen]

    def _rivals_of_block(self, rows, rivals, levels, upper):
        squares, flat = self._squared_distances(rows, rivals)
        variances = self.factor * squares
        if self.is_by_ratio:
            bounds = self._ratio_bounds(rows, rivals, variances, levels, upper)
        else:
            bounds = self._difference_bounds(rows, rivals, variances, levels, upper)
        bounds[flat] = -np.inf
        widest = bounds.argmax(axis=1)
        flat_rows, flat_rivals = flat
        is_other = rows[flat_rows] != rivals[flat_rivals]
        if not is_other.any():
            first_rival = np.zeros_like(widest)
            return widest, first_rival, first_rival
        flat_others = flat_rows[is_other], flat_rivals[is_other]
        means = np.full(bounds.shape, np.nan)
        means[flat_others] = self.means[rivals[flat_others[1]]]
        best = np.where(np.isnan(means), np.inf, means).argmin(axis=1)
        worst = np.where(np.isnan(means), -np.inf, means).argmax(axis=1)
        return widest, best, worst

    def _squared_distances(self, rows, rivals):
        """Return squared distances of deviations, and where these do not differ.

        The latter as an array of rows and one of rivals; each row is its own rival.
        """
        sums = self.squares[rows, np.newaxis] + self.squares[rivals]
        squares = sums - self.deviations[rows] @ (2 * self.deviations[rivals]).T
        rounding = self.df * ROUNDING**2
        sums *= NEAR
        sums += rounding
        near_rows, near_rivals = np.nonzero(squares <= sums)
        differences = self.deviations[rows[near_rows]]
        differences = differences - self.deviations[rivals[near_rivals]]
        near_squares = np.sum(differences**2, axis=1)
        squares[near_rows, near_rivals] = near_squares
        is_flat = near_squares <= rounding
        return squares, (near_rows[is_flat], near_rivals[is_flat])

    def _difference_bounds(self, rows, rivals, variances, levels, upper):
        """Return bounds of loss(row) - loss(rival)."""
        differences = self.means[rows, np.newaxis] - self.means[rivals]
        critical = critical_value(1 - levels, self.df, "greater")
        margins = critical * np.sqrt(variances)
        if upper:
            return differences + margins
        return differences - margins

    def _ratio_bounds(self, rows, rivals, variances, levels, upper):
        """Return bounds of loss(row)/loss(rival), or what increases with them."""
        means = [self.means[rows, np.newaxis], self.means[rivals]]
        variances_alone = [
            self.variances_alone[rows, np.newaxis],
            self.variances_alone[rivals],
        ]
        if upper:  # the lower bound of loss(rival)/loss(row), which it decreases with
            means.reverse()
            variances_alone.reverse()
        first, second = means
        signals = first**2, second**2, (first - second) ** 2
        noises = *variances_alone, variances
        threshold = critical_value(1 - levels, self.df, "greater") ** 2
        low, _ = fieller_interval(signals, noises, threshold, "greater")
        return -low if upper else low
