"""The score test of the difference of two paired proportions, and its interval."""

import numpy as np

from ._student import critical_value, ratio_or_limit

STEPS = 60  # of bisection, to the last digit


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
    low, high = np.full_like(estimate, -np.inf), np.full_like(estimate, np.inf)
    if alternative != "less":
        low = _root(b, c, n, critical, np.full_like(estimate, -1.0), estimate)
    if alternative != "greater":
        high = _root(b, c, n, -critical, estimate, np.full_like(estimate, 1.0))
    return low[()], high[()]


def _root(b, c, n, z, low, high):
    """Return where the statistic, which falls with the difference, is z."""
    for _ in range(STEPS):
        middle = (low + high) / 2
        above = score_statistic(b, c, n, middle) > z
        low, high = np.where(above, middle, low), np.where(above, high, middle)
    return (low + high) / 2
