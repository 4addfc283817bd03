"""ComparisonPlan: what it would take to find a given difference."""

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from .._report._advice import plan_document
from .._validation import check_real, invalid
from ._result import Result

__all__ = ["ComparisonPlan", "plan_comparison"]

FACTOR = 1e6  # of a difference that can be planned for


class PairPlan(NamedTuple):
    """What it would take to find a difference of a pair; as in ComparisonPlan."""

    n_repeats: int | None
    n_samples: int | None
    floor: float
    detectable_difference: float


@dataclass(frozen=True, repr=False)
class ComparisonPlan(Result):
    """What it would take to find a difference. Made by :meth:`Comparison.plan`.

    Attributes
    ----------
    difference, power : float
        The true difference to find, and with which probability.
    by_pair : dict of (str, str) to tuple
        For each pair what follows, under these names.
    n_repeats : int, None or dict
        Repeats of the K-fold, or subsamples, with which it would be found; None if no
        number of them would do, or if one K-fold does not say. Of several pairs, a dict
        by pair, as all that follows.
    n_samples : int, None or dict
        Examples with which the same splits would find it; None if the number that
        there are is not known, or `detectable_difference` is 0 or nan.
    floor : float or dict
        The difference that infinitely many repeats would find: a smaller one takes more
        examples. nan if one K-fold does not say.
    detectable_difference : float or dict
        The difference that the comparison finds.
    """

    difference: float
    power: float
    by_pair: dict

    no_picture = "plot the comparison."
    no_file = "save the comparison."

    @property
    def n_repeats(self):
        return self._of_pairs("n_repeats")

    @property
    def n_samples(self):
        return self._of_pairs("n_samples")

    @property
    def floor(self):
        return self._of_pairs("floor")

    @property
    def detectable_difference(self):
        return self._of_pairs("detectable_difference")

    def _of_pairs(self, name):
        values = {pair: getattr(plan, name) for pair, plan in self.by_pair.items()}
        return next(iter(values.values())) if len(values) == 1 else values

    def _document(self):
        return plan_document(self)

    def _columns(self):
        first, second = zip(*self.by_pair, strict=True)
        plans = zip(*self.by_pair.values(), strict=True)
        return {"first": first, "second": second} | dict(
            zip(PairPlan._fields, plans, strict=True)
        )


def plan_comparison(result, difference, power):
    """Return the plan of a comparison by one test, as :meth:`Comparison.plan` does."""
    if len(result.tables) > 1:
        raise invalid("result", "a Comparison by one test", list(result.tables))
    difference = check_real("difference", difference, above=0)
    (table,) = result.tables.values()
    found = result.detectable_difference(power)
    shares = _shares_of_repeats(table, result.losses)
    plans = {
        pair: _plan(result.losses, *of_pair, difference)
        for pair, *of_pair in zip(result.tests, found.tolist(), shares, strict=True)
    }
    return ComparisonPlan(difference, power, plans)


def _plan(losses, detectable, share, difference):
    if not detectable > 0:  # nothing varies, or the test has no such number
        return PairPlan(None, None, np.nan, detectable)
    if not 1 / FACTOR < difference / detectable < FACTOR:
        allowed = f"within a factor of {FACTOR:g} of what is found, {detectable:.3g}"
        raise invalid("difference", allowed, difference)
    ratio = (difference / detectable) ** 2  # of the variance needed to that there is
    n_samples = losses.n_samples
    if n_samples is not None:
        n_samples = int(np.ceil(n_samples / ratio))
    if np.isnan(share):
        return PairPlan(None, n_samples, np.nan, detectable)
    design = losses.design
    n_now = design.n_splits if design.kind == "subsample" else design.n_repeats
    floor, n_repeats = detectable * float(np.sqrt(1 - share)), None
    if difference > floor:  # 1 - share + share n_now / R = ratio
        n_repeats = max(int(np.ceil(share * n_now / (ratio - 1 + share))), 1)
    return PairPlan(n_repeats, n_samples, floor, detectable)


def _shares_of_repeats(table, losses):
    """Return the share of the variance that falls as 1/R, nan if unknown."""
    n_pairs, kind = len(table), losses.design.kind
    if kind not in ("repeated k-fold", "5x2", "subsample"):
        return np.full(n_pairs, np.nan)
    traits = table.test.traits
    if traits.rho_is_fixed:  # variance (1/J + n2/n1) S²
        return np.broadcast_to(1 - table.rho, n_pairs)
    if not traits.repeats:
        return np.full(n_pairs, np.nan)
    pairs = np.column_stack([table.first, table.second])
    moments = losses.pair_residuals(pairs).example_moments
    noise = moments.split_noise / moments.n_runs
    if traits.repeats == "extrapolated":
        return np.zeros(n_pairs)
    odds = table.rho / (1 - table.rho)
    noise = np.minimum(noise, 0.75 * moments.theta)
    return noise / (moments.theta + odds * moments.run_theta)
