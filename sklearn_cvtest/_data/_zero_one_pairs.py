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

EXACT = 2**24  # integers below are exact in float32
FEW_PAIRS = 100  # that are subtracted as fast
MIN_BLOCK = 16  # examples in a block on average, or there are as many sums as examples
PAIRS_AT_A_TIME = 2**16
MOST_PRODUCTS = 500  # for a pair, which take as long as to subtract


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
    if len(pairs) < FEW_PAIRS or not losses.per_example:
        return False
    if losses.groups is not None:
        return False
    if losses.design.kind not in (DesignKind.HOLDOUT, DesignKind.K_FOLD):
        return False
    n_rows, n_splits = len(losses.losses), int(losses.row_split[-1]) + 1
    if not max(N_TYPICAL, MIN_BLOCK * n_splits) <= n_rows < EXACT:
        return False
    is_first, is_second = (
        np.bincount(side, minlength=len(losses.estimator_names)) > 0 for side in pairs.T
    )
    n_products = np.count_nonzero(is_first) * np.count_nonzero(is_second)
    if n_products > MOST_PRODUCTS * len(pairs):
        return False
    return bool(losses.are_zero_one[is_first | is_second].all())


def zero_one_chunks(losses, pairs):
    """Yield the ZeroOnePairs of pairs in order, some at a time."""
    n_splits = int(losses.row_split[-1]) + 1
    step = max(PAIRS_AT_A_TIME // n_splits, 1)
    for start in range(0, len(pairs), step):
        yield _zero_one_pairs(losses, *pairs[start : start + step].T)


def _zero_one_pairs(losses, first, second):
    """Return the ZeroOnePairs of pairs, with all that products tell of them."""
    starts = np.searchsorted(losses.row_split, np.arange(losses.row_split[-1] + 2))
    blocks = [slice(*ends) for ends in pairwise(starts)]
    sums, squares = _sums(losses, first, second, blocks)
    typical_sum, typical_squares = _sums(losses, first, second, [slice(N_TYPICAL)])
    n, total, n_differ = len(losses.losses), sums.sum(axis=1), squares.sum(axis=1)
    n_plus, n_minus = (n_differ + total) / 2, (n_differ - total) / 2
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
    values, other_values = losses.single_precision, losses.single_precision
    if len(models) + len(others) < len(values):  # else copies take longer
        values, other_values = values[models], other_values[others]
    else:
        place_of_first, place_of_second = first, second
    shape = len(first), len(blocks)
    sums, squares = np.empty(shape), np.empty(shape)
    for number, rows in enumerate(blocks):
        block, other_block = values[:, rows], other_values[:, rows]
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
    return np.flatnonzero(occurs), (np.cumsum(occurs) - 1)[positions]


def _block_moments(sums, squares, sizes):
    """Return the BlockMoments of differences of -1, 0 and 1.

    With m examples in a block, Σ(d - d̄)² = Σd² - (Σd)²/m, and, as d³ = d,
    Σ(d - d̄)³ = Σd (1 - 3 Σd²/m + 2 (Σd)²/m²).
    """
    scale, shift = np.ones(len(sums)), np.zeros(len(sums))
    within = (sizes * squares - sums**2) / sizes
    factor = sizes.astype(np.float64) ** 2 - 3 * sizes * squares + 2 * sums**2
    cubes = sums * factor / sizes.astype(np.float64) ** 2
    return BlockMoments(scale, sizes, shift, sums / sizes, within, cubes)


def _spread(n_plus, n_minus, n):
    """Return the largest less the smallest of n differences."""
    n_equal = n - n_plus - n_minus
    largest = np.where(n_plus > 0, 1, np.where(n_equal > 0, 0, -1))
    smallest = np.where(n_minus > 0, -1, np.where(n_equal > 0, 0, 1))
    return (largest - smallest).astype(np.float64)


def _untypical(typical_sum, typical_squares, n_plus, n_minus, n):
    """Return how many of n differences are another than the median of the first."""
    typical_sum, typical_squares = typical_sum[:, 0], typical_squares[:, 0]
    is_plus = typical_squares + typical_sum > N_TYPICAL  # more than half of them are 1
    is_minus = typical_squares - typical_sum > N_TYPICAL
    n_typical = np.where(
        is_plus, n_plus, np.where(is_minus, n_minus, n - n_plus - n_minus)
    )
    return (n - n_typical).astype(np.intp)


def _without_values(losses, first, second, are_same):
    """Return ZeroOnePairs of which only the values are not there yet."""
    alone = losses.alone(0)
    low, high = losses.value_range
    columns = {field.name: getattr(alone, field.name) for field in fields(alone)}
    columns |= {
        "values": None,
        "names": PairNames(losses.estimator_names, first, second),
        "value_range": (low - high, high - low),
        "magnitude": None,
        "identical": are_same & losses.tells_models_apart[first],
    }
    residuals = ZeroOnePairs(**columns)
    del vars(residuals)["values"]
    vars(residuals)["losses"] = losses
    return residuals
