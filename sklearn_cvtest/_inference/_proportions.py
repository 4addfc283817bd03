"""Differences of paired proportions: counts, the score test of Tango, intervals."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from .._data._residuals import CVResiduals
from .._validation import invalid, invalid_words
from ._ends import bisect, ends
from ._student import critical_value, ratio_or_limit

HALVINGS = 55  # from a range of two to rounding


class DiscordantCounts(NamedTuple):
    """How many examples only one of two models gets wrong.

    Attributes
    ----------
    b, c : int or ndarray of shape (...)
        Those that only the first, and only the second, gets wrong.
    n : int
        All examples.
    """

    b: np.ndarray
    c: np.ndarray
    n: int


class CentredInterval(NamedTuple):
    """An interval around another centre than the estimate.

    Attributes
    ----------
    centre, error : float or ndarray of shape (...)
        Its centre, and what the quantile is multiplied by.
    df : float
        Degrees of freedom of Student's t; inf for the normal distribution.
    """

    centre: np.ndarray
    error: np.ndarray
    df: float


def adjusted_wald(counts):
    """Return the interval of Bonett and Price (2012) of a difference of proportions."""
    first = (counts.b + 1) / (counts.n + 2)
    second = (counts.c + 1) / (counts.n + 2)
    square = (first + second - (first - second) ** 2) / (counts.n + 2)
    return CentredInterval(first - second, np.sqrt(square), np.inf)


def score_statistic(b, c, n, difference):
    """Return Tango's z of a difference of proportions, of shape (...).

    (b - c - nδ)/√(n(2q + δ(1 - δ))), with q the maximum likelihood estimate, given δ,
    of the share of pairs that c counts (Tango 1998). For δ = 0 it is (b - c)/√(b + c),
    the signed root of McNemar's χ².
    """
    excess, variance = _score(b, c, n, difference)
    variance = np.where(variance <= 1e-13 * n, 0, variance)
    excess = np.where(np.abs(excess) <= 1e-13 * n, 0, excess)
    return ratio_or_limit(excess, np.sqrt(variance))


def _score(b, c, n, difference):
    """Return the score, and its variance where the difference is as given."""
    linear = (2 * n - b + c) * difference - b - c
    spread = difference * (1 - difference)
    root = np.sqrt(np.maximum(linear**2 + 8 * n * c * spread, 0))
    q = np.maximum(root - linear, 0) / (4 * n)
    return b - c - n * difference, n * np.maximum(2 * q + spread, 0)


def score_interval(b, c, n, level, alternative):
    """Return the differences that the score test does not reject, (low, high)."""
    shape = np.shape(b)
    critical = critical_value(np.broadcast_to(level, shape), np.inf, alternative)
    # of many pairs, many have the same counts
    cells = np.stack([np.ravel(b), np.ravel(c), np.ravel(critical)])
    (b, c, critical), cell_of_pair = np.unique(cells, axis=1, return_inverse=True)
    estimate = (b - c) / n

    def end(side):  # the statistic falls with the difference
        low, high = np.sort([estimate, np.full_like(estimate, side)], axis=0)

        def is_below(difference):
            excess, variance = _score(b, c, n, difference)
            return excess > -side * critical * np.sqrt(variance)

        return bisect(is_below, low, high, HALVINGS)

    sides = ends(end, alternative, estimate.shape)
    return tuple(np.reshape(side[cell_of_pair], shape)[()] for side in sides)


def is_table_of_counts(values):
    """Whether values have the shape of a 2 x 2 table."""
    try:
        return np.shape(values) == (2, 2)
    except ValueError:  # rows of different lengths
        return False


def counts_of_table(table):
    """Return the DiscordantCounts of a table: rows first, columns second model."""
    if hasattr(table, "index") and hasattr(table, "columns"):
        rows = _right_first("index", table.index)
        columns = _right_first("columns", table.columns)
        table = table.to_numpy()[rows][:, columns]
    cells = np.asarray(table).astype(object)
    try:
        counts = [float(cell) for cell in cells.flat]
    except (TypeError, ValueError):
        counts = [np.nan]
    if not all(count >= 0 and count.is_integer() for count in counts) or not any(
        counts
    ):
        allowed = "counts of examples, whole numbers, where an array has shape (2, 2)"
        raise invalid_words("residuals", allowed, f"{cells.tolist()}")
    _, second_wrong, first_wrong, _ = counts
    return DiscordantCounts(first_wrong, second_wrong, sum(counts))


def _right_first(axis, labels):
    """Return the order of two labels in which those that are right come first."""
    words = [str(label).lower() for label in labels]
    pairs = ("true", "false"), ("right", "wrong"), ("correct", "incorrect")
    for right, wrong in pairs:
        if sorted(words) == sorted([right, wrong]):
            return [words.index(right), words.index(wrong)]
    raise invalid(
        f"residuals.{axis}",
        "True and False, or 'right' and 'wrong'",
        list(labels),
        hint="Or pass an array of counts, first right, then wrong.",
    )


def discordant_counts(residuals):
    """Return the DiscordantCounts of zero-one residuals."""
    if isinstance(residuals, CVResiduals):
        if not residuals.are_zero_one:
            values = residuals.values
            raise invalid(
                "residuals",
                "differences of zero-one losses (-1, 0 or 1)",
                float(values[~np.isin(values, (-1, 0, 1))][0]),
                hint="Use HoldoutTTest.",
            )
    elif residuals.loss_name != "zero_one":  # only sums are kept
        allowed = "of zero_one loss for McNemarTest"
        raise invalid("residuals", allowed, residuals.loss_name)
    n = residuals.n_values
    moments = residuals.block_moments
    difference = n * moments.mean * moments.scale
    discordant = (moments.total_squares + n * moments.mean**2) * moments.scale**2
    b = np.rint((discordant + difference) / 2).astype(np.int64)
    c = np.rint((discordant - difference) / 2).astype(np.int64)
    return DiscordantCounts(b, c, n)
