"""Gate: whether models are not worse than a reference by more than a margin."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from sklearn.base import clone

from .._report._differences import gate_document, gate_sentences
from .._report._measure import measure_of
from .._typing import Any
from .._validation import check_real, invalid
from ._result import Result

POWER = 0.8
SHOWN, REFUTED, INCONCLUSIVE = "shown", "refuted", "inconclusive"


@dataclass(frozen=True, repr=False)
class Gate(Result):
    """Whether each model is not worse than a reference by more than a margin.

    Made by :meth:`Comparison.gate`.

    Attributes
    ----------
    comparison : Comparison
        Each model against the reference, by two one-sided tests: "shown" tests whether
        it is at most `margin` worse, "refuted" whether it is more than that. With
        several models, p-values and bounds are adjusted by Bonferroni's method.
    margin : float
        The margin, in units of the loss or score.
    decisions : dict of str to str
        By model: "shown", "refuted" or "inconclusive".
    """

    comparison: Any  # a Comparison, which makes this
    margin: float
    decisions: dict

    @property
    def decision(self) -> str:
        """That on all: "refuted" if it is of one, "shown" if it is of all."""
        found = set(self.decisions.values())
        for worst in (REFUTED, INCONCLUSIVE):
            if worst in found:
                return worst
        return SHOWN

    @property
    def passed(self) -> bool:
        """Whether it is shown of every model, bool."""
        return self.decision == SHOWN

    @property
    def reference(self) -> str:
        """The model that all others are compared with, str."""
        return self.comparison.reference

    @property
    def sentences(self) -> dict[str, str]:
        """What was found of each model, dict of str to str."""
        return gate_sentences(self)

    @property
    def detectable_margins(self):
        """The margin that would be shown with probability 80% of equally good models.

        By model, dict of str to float; approximate, at the level that decides if no
        other model is shown.
        """
        found = self.comparison.tables[SHOWN].found_with(POWER, "greater")
        return dict(zip(self.decisions, found.tolist(), strict=True))

    def _document(self):
        return gate_document(self)

    def _columns(self):
        not_worse, worse = (self.comparison.tables[n] for n in (SHOWN, REFUTED))
        low, high = not_worse.shown_intervals[0], worse.shown_intervals[1]
        return {
            "model": list(self.decisions),
            "reference": [self.reference] * len(not_worse),
            "margin": np.full(len(not_worse), self.margin),
            "decision": list(self.decisions.values()),
            "estimate": not_worse.estimate,
            "low": low,
            "high": high,
            "pvalue_not_worse": not_worse.pvalue_adjusted,
            "pvalue_worse": worse.pvalue_adjusted,
            "detectable_margin": list(self.detectable_margins.values()),
        }


def gate_of(result, margin, reference, p_adjust="bonferroni"):
    """Return the Gate of a comparison by one test, as :meth:`Comparison.gate` does."""
    margin = check_real("margin", margin, above=0, closed="low")
    if measure_of(result.losses).is_share and margin >= 1:
        hint = "One point is 0.01."
        raise invalid("margin", "below 1, as a share", margin, hint=hint)
    reference = result.reference if reference is None else reference
    if reference is None:
        hint = "It is the model that the others must not be worse than."
        raise invalid("reference", "the name of an estimator", None, TypeError, hint)
    if len(result.tables) > 1:
        raise invalid("result", "a Comparison by one test", list(result.tables))
    (table,) = result.tables.values()
    traits = table.test.traits
    can = traits.is_directed and traits.names_winner and traits.decides == "difference"
    if not can:
        raise ValueError(
            "`gate` needs a test with one-sided alternatives that decides by p-values; "
            f"got {traits.name}. Use retest(test).gate(...) with another."
        )
    sides = {SHOWN: "greater", REFUTED: "less"}
    tests = {
        name: clone(table.test).set_params(alternative=side, popmean=-margin)
        for name, side in sides.items()
    }
    # "shown" where the bound is beyond the margin: both by Bonferroni's method, as no
    # bounds go with p-values of others, such as Holm's
    p_adjust = None if result.p_adjust is None else p_adjust
    found = result.retest(tests, reference=reference, p_adjust=p_adjust)
    shown, refuted = (found.tables[name].significant for name in sides)
    decisions = np.where(shown, SHOWN, np.where(refuted, REFUTED, INCONCLUSIVE))
    names = [found.estimator_names[other] for other in found.tables[SHOWN].second]
    return Gate(found, margin, dict(zip(names, decisions.tolist(), strict=True)))
