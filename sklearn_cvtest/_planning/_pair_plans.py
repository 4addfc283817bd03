"""What it would take to find a given difference."""

from typing import NamedTuple

import numpy as np

from .._splits._design import DesignKind
from .._validation import invalid

FACTOR = 1e6  # of a difference that can be planned for


class PairPlan(NamedTuple):
    """What it would take to find a difference of a pair; as in ComparisonPlan."""

    n_repeats: int | None
    n_samples: int | None
    floor: float
    detectable_difference: float
    difference: float


def plan_pairs(table, losses, detectable, differences):
    """Return the plan of each pair of a table, a list.

    Parameters
    ----------
    table, losses : PairTable, CVLosses
        The comparison.
    detectable, differences : ndarray of shape (n_pairs,)
        The differences that the comparison detects, and those to be detected.
    """
    low, high = losses.value_range
    largest = differences.max(initial=0.0)
    if largest > high - low:
        allowed = (
            f"at most {high - low:g}, the width of the range of {losses.loss_name}"
        )
        raise invalid("difference", allowed, float(largest))
    shares = _shares_of_repeats(table, losses)
    design = losses.design
    n_now = design.n_repeats
    if design.kind == DesignKind.SUBSAMPLE:
        n_now = design.n_splits
    plans = []
    for detectable_of_pair, share, difference in zip(
        detectable.tolist(), shares, differences.tolist(), strict=True
    ):
        plans.append(_plan(losses, n_now, detectable_of_pair, share, difference))
    return plans


def _plan(losses, n_now, detectable, share, difference):
    if not detectable > 0:  # nothing varies, or the test has no such number
        return PairPlan(None, None, np.nan, detectable, difference)
    if not 1 / FACTOR < difference / detectable < FACTOR:
        allowed = f"within a factor of {FACTOR:g} of what is found, {detectable:.3g}"
        raise invalid("difference", allowed, difference)
    ratio = (difference / detectable) ** 2  # of the variance needed to that there is
    n_samples = losses.n_samples
    if n_samples is not None:
        n_samples = int(np.ceil(n_samples / ratio))
    if np.isnan(share):
        return PairPlan(None, n_samples, np.nan, detectable, difference)
    floor = detectable * float(np.sqrt(1 - share))
    n_repeats = None
    if difference > floor:  # 1 - share + share n_now / R = ratio
        n_repeats = max(int(np.ceil(share * n_now / (ratio - 1 + share))), 1)
    return PairPlan(n_repeats, n_samples, floor, detectable, difference)


def _shares_of_repeats(table, losses):
    """Return the share of the variance that falls as 1/R, nan if unknown."""
    n_pairs = len(table)
    if not losses.design.kind.has_several_runs:
        return np.full(n_pairs, np.nan)
    traits = table.test.traits
    if traits.rho_is_fixed:  # variance (1/J + n2/n1) S²
        return np.broadcast_to(1 - table.rho, n_pairs)
    if not traits.averages_repeats:
        return np.full(n_pairs, np.nan)
    pairs = np.column_stack([table.first, table.second])
    moments = losses.pair_residuals(pairs).example_moments
    noise = np.minimum(moments.split_noise / moments.n_runs, 0.75 * moments.theta)
    odds = table.rho / (1 - table.rho)
    with np.errstate(invalid="ignore"):  # of equal losses
        return noise / (moments.theta + odds * moments.run_theta)
