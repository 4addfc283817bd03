"""The ends of intervals, and the columns of a posterior, which every folder reads."""

import numpy as np

POSTERIOR = ("prob_less", "prob_rope", "prob_greater")  # first better, equal, second


def ends(end, alternative, shape=()):
    """Return an interval, `end(-1)` and `end(1)`; a one-sided one has no other end."""
    low = np.full(shape, -np.inf)[()] if alternative == "less" else end(-1)
    high = np.full(shape, np.inf)[()] if alternative == "greater" else end(1)
    return low, high


def bisect(is_below, low, high, steps=80):
    """Return where a condition that holds at `low` ends, over arrays."""
    for _ in range(steps):
        middle = (low + high) / 2
        below = is_below(middle)
        low = np.where(below, middle, low)
        high = np.where(below, high, middle)
    return (low + high) / 2
