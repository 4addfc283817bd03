"""ComparisonPlan: what it would take to find a given difference, as a result."""

from __future__ import annotations

from dataclasses import dataclass

from .._pairs._planning import PairPlan, plan_pairs
from .._report._differences import plan_document
from .._report._measure import Measure, measure_of
from .._validation import invalid
from ._result import Result


@dataclass(frozen=True, repr=False)
class ComparisonPlan(Result):
    """What it would take to find a difference. Made by :meth:`Comparison.plan`.

    Attributes
    ----------
    difference, power : float
        The true difference to find, and with which probability.
    by_pair : dict of (str, str) to tuple
        For each pair what follows, under these names.
    measure : Measure
        What differences are of, in words.
    n_repeats : int, None or dict
        Repeats of the K-fold, or subsamples, with which it would be found; None if no
        number of them would do, or if one K-fold does not say. For several
        pairs, a dict by pair, as all that follows.
    n_samples : int, None or dict
        Examples with which the same splits would find it; None if the number that
        there are is not known, or `detectable_difference` is 0 or nan.
    floor : float or dict
        The difference that infinitely many repeats would find: a smaller one takes more
        examples. nan if one K-fold does not say.
    detectable_difference : float or dict
        The difference that the comparison finds, as
        :meth:`Comparison.detectable_difference` has it.
    """

    difference: float
    power: float
    by_pair: dict
    measure: Measure

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
    if result.losses.design.kind == "crossed":  # variance is not as 1/n
        raise ValueError(
            "`plan` is for splits; of runs on one test set, `variance_table()` says "
            "what more runs or more examples would bring."
        )
    (table,) = result.tables.values()
    found = result.detectable_difference(power)
    plans = plan_pairs(table, result.losses, found, difference)
    by_pair = dict(zip(result.tests, plans, strict=True))
    measure = measure_of(result.losses)
    return ComparisonPlan(float(difference), float(power), by_pair, measure)
