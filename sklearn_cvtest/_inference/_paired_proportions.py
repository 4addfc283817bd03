"""The score test of the difference of two paired proportions, and its interval."""

from functools import partial

import numpy as np

from ._ends import bisect, ends
from ._student import critical_value, ratio_or_limit


def score_statistic(b, c, n, difference):
    """Return Tango's z of a difference of proportions, of shape (...).

    (b - c - nδ)/√(n(2q + δ(1 - δ))), with q the maximum likelihood estimate, given δ,
    of the share of pairs that c counts (Tango 1998). For δ = 0 it is (b - c)/√(b + c),
    the signed root of McNemar's χ².
    """
    linear = (2 * n - b + c) * difference - b - c
    constant = -c * difference * (1 - difference)
    root = np.sqrt(np.maximum(linear**2 - 8 * n * constant, 0))
    q = np.maximum(root - linear, 0) / (4 * n)
    variance = n * np.maximum(2 * q + difference * (1 - difference), 0)
    variance = np.where(variance <= 1e-13 * n, 0, variance)
    excess = b - c - n * difference
    excess = np.where(np.abs(excess) <= 1e-13 * n, 0, excess)
    return ratio_or_limit(excess, np.sqrt(variance))


def score_interval(b, c, n, level, alternative):
    """Return the differences that the score test does not reject, (low, high)."""
    critical = critical_value(level, np.inf, alternative)
    estimate = np.asarray((b - c) / n, dtype=np.float64)

    def end(side):  # the statistic falls with the difference
        low, high = np.sort([estimate, np.full_like(estimate, side)], axis=0)
        above = partial(_is_above, b, c, n, -side * critical)
        return bisect(above, low, high)[()]

    return ends(end, alternative, estimate.shape)


def _is_above(b, c, n, z, difference):
    return score_statistic(b, c, n, difference) > z
