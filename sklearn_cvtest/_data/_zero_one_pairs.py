"""Differences of zero-one losses of many pairs, by products of matrices.

For two models with losses a and b of 0 or 1, the difference d = a - b of an example is
-1, 0 or 1. So d³ = d, and over any set of examples

    Σd = Σa - Σb,    Σd² = Σa + Σb - 2 Σab.

One product of matrices has Σab of all pairs. These sums are integers, and exact in
float32 below 2²⁴. All that tests of blocks need of the differences follows from them,
and no difference is computed. For losses of other values, the sums would be rounded,
and small differences of large losses would be lost.
"""

from dataclasses import fields
from functools import cached_property
from itertools import pairwise

import numpy as np

from .._splits._design import DesignKind
from ._moments import N_TYPICAL, BlockMoments
from ._residuals import CVResiduals, PairNames

# Pairs and blocks whose sums are held at a time. Doubled, so is their memory.
SUMS_AT_A_TIME = 2**16


class ZeroOnePairs(CVResiduals):
    """Residuals of pairs whose values are only subtracted if they are read."""

    @cached_property
    def values(self):
        """The differences, ndarray of shape (n_pairs, n_rows)."""
        return self._subtracted(slice(None)).values

    @property
    def is_difference(self):
        """Whether they are differences of the losses of two estimators, bool."""
        return True

    def __getitem__(self, number):
        """Return the residuals of one of the pairs."""
        if "values" in vars(self):
            return super().__getitem__(number)
        return self._subtracted([number])[0]

    def _subtracted(self, numbers):
        pairs = np.column_stack([self.names.first, self.names.second])
        return self.losses.pair_residuals(pairs[numbers])


def takes_products(losses, pairs):
    """Return whether pairs of estimators are compared by products of their losses.

    Parameters
    ----------
    losses : CVLosses
        The losses.
    pairs : ndarray of shape (n_pairs, 2)
        Positions of the estimators.
    """
    if len(pairs) < 100 or not losses.per_example:  # few are subtracted as fast
        return False
    if losses.groups is not None:
        return False
    if losses.design.kind not in (DesignKind.HOLDOUT, DesignKind.K_FOLD):
        return False
    n_rows = len(losses.losses)
    n_splits = int(losses.row_split[-1]) + 1
    # of small blocks, there are nearly as many sums as examples
    if n_rows < N_TYPICAL or n_rows < 16 * n_splits:
        return False
    if n_rows >= 2**24:  # integers below are exact in float32
        return False
    first, second = pairs.T
    n_models = len(losses.estimator_names)
    is_first = np.bincount(first, minlength=n_models) > 0
    is_second = np.bincount(second, minlength=n_models) > 0
    n_products = np.count_nonzero(is_first) * np.count_nonzero(is_second)
    if n_products > 500 * len(pairs):  # so many take as long as to subtract a pair
        return False
    return bool(losses.are_zero_one[is_first | is_second].all())


def zero_one_chunks(losses, pairs):
    """Yield the ZeroOnePairs of pairs in order, some at a time."""
    n_splits = int(losses.row_split[-1]) + 1
    step = max(SUMS_AT_A_TIME // n_splits, 1)
    for start in range(0, len(pairs), step):
        first, second = pairs[start : start + step].T
        yield _zero_one_pairs(losses, first, second)


def _zero_one_pairs(losses, first, second):
    """Return the ZeroOnePairs of pairs, with all that products tell of them."""
    starts = np.searchsorted(losses.row_split, np.arange(losses.row_split[-1] + 2))
    blocks = [slice(*ends) for ends in pairwise(starts)]
    sums, squares = _sums(losses, first, second, blocks)
    typical_sum, typical_squares = _sums(losses, first, second, [slice(N_TYPICAL)])
    n = len(losses.losses)
    total = sums.sum(axis=1)
    n_differ = squares.sum(axis=1)
    n_plus = (n_differ + total) / 2
    n_minus = (n_differ - total) / 2
    largest = np.where(n_differ > 0, 1.0, 0.0)
    residuals = _without_values(losses, first, second, largest == 0)
    moments = _block_moments(sums, squares, np.diff(starts))
    vars(residuals).update(
        _largest_value=largest,
        block_means=moments.means,
        block_moments=moments,
        are_zero_one=True,
        spread=_spread(n_plus, n_minus, n),
        n_untypical=_untypical(typical_sum, typical_squares, n_plus, n_minus, n),
    )
    return residuals


def _sums(losses, first, second, blocks):
    """Return Σd and Σd² of pairs over each block, two ndarrays (n_pairs, n_blocks)."""
    models, place_of_first = _places(first)
    others, place_of_second = _places(second)
    values = losses.single_precision
    if len(models) + len(others) < len(values):  # else copies take longer
        other_values = values[others]
        values = values[models]
    else:
        other_values = values
        place_of_first = first
        place_of_second = second
    shape = len(first), len(blocks)
    sums = np.empty(shape)
    squares = np.empty(shape)
    for number, rows in enumerate(blocks):
        block = values[:, rows]
        other_block = other_values[:, rows]
        products = block @ other_block.T
        n_both = products[place_of_first, place_of_second].astype(np.float64)
        n_first = block.sum(axis=1, dtype=np.float64)[place_of_first]
        n_second = other_block.sum(axis=1, dtype=np.float64)[place_of_second]
        sums[:, number] = n_first - n_second
        squares[:, number] = n_first + n_second - 2 * n_both
    return sums, squares


def _places(positions):
    """Return the different positions in order, and the place of each among these."""
    occurs = np.bincount(positions) > 0
    place = np.cumsum(occurs) - 1
    return np.flatnonzero(occurs), place[positions]


def _block_moments(sums, squares, sizes):
    """Return the BlockMoments of differences of -1, 0 and 1.

    With m examples in a block, Σ(d - d̄)² = Σd² - (Σd)²/m, and, as d³ = d,
    Σ(d - d̄)³ = Σd (1 - 3 Σd²/m + 2 (Σd)²/m²).
    """
    sizes_squared = sizes.astype(np.float64) ** 2
    factor = sizes_squared - 3 * sizes * squares + 2 * sums**2
    return BlockMoments(
        scale=np.ones(len(sums)),
        sizes=sizes,
        shift=np.zeros(len(sums)),
        means=sums / sizes,
        squares=(sizes * squares - sums**2) / sizes,
        cubes=sums * factor / sizes_squared,
    )


def _spread(n_plus, n_minus, n):
    """Return the largest less the smallest of n differences."""
    n_equal = n - n_plus - n_minus
    has_equal = n_equal > 0
    largest = np.select([n_plus > 0, has_equal], [1, 0], default=-1)
    smallest = np.select([n_minus > 0, has_equal], [-1, 0], default=1)
    return (largest - smallest).astype(np.float64)


def _untypical(typical_sum, typical_squares, n_plus, n_minus, n):
    """Return how many of n differences are another than the median of the first."""
    typical_sum = typical_sum[:, 0]
    typical_squares = typical_squares[:, 0]
    is_plus = typical_squares + typical_sum > N_TYPICAL  # more than half of them are 1
    is_minus = typical_squares - typical_sum > N_TYPICAL
    n_equal = n - n_plus - n_minus
    n_typical = np.select([is_plus, is_minus], [n_plus, n_minus], default=n_equal)
    return (n - n_typical).astype(np.intp)


def _without_values(losses, first, second, are_same):
    """Return ZeroOnePairs of which only the values are not there yet."""
    residuals_of_one = losses.losses_of(0)
    columns = {}
    for field in fields(residuals_of_one):
        columns[field.name] = getattr(residuals_of_one, field.name)
    low, high = losses.value_range
    columns["values"] = None
    columns["names"] = PairNames(losses.estimator_names, first, second)
    columns["value_range"] = (low - high, high - low)
    columns["magnitude"] = None
    columns["identical"] = are_same & losses.tells_models_apart[first]
    residuals = ZeroOnePairs(**columns)
    del vars(residuals)["values"]
    vars(residuals)["losses"] = losses
    return residuals
