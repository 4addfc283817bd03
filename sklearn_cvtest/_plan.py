"""What a comparison detects, and how many examples it would take to detect less."""

from dataclasses import dataclass

import numpy as np

from ._metrics import read_margin
from ._pairs import detectable_difference
from ._report.numbers import whose
from ._report.result import Content, Result
from ._report.units import Unit
from ._validation import invalid


@dataclass(frozen=True, repr=False)
class Plan(Result):
    """What a comparison can detect, and how many examples would show a difference.

    Made by :meth:`Comparison.plan`.

    Attributes
    ----------
    comparison : Comparison
        The comparison.
    difference : float, str or None
        What is to be detected.
    detectable : float
        The difference that is detected with a power of 80%.
    n_samples : int or None
        How many examples detect `difference` with that power.
    """

    comparison: object
    detectable: float
    difference: float | str | None
    n_samples: int | None

    def _columns(self):
        names = "detectable", "difference", "n_samples"
        return {name: [getattr(self, name)] for name in names}

    def _content(self):
        verdict = "It is not known which difference this test detects."
        if np.isfinite(self.detectable):
            now = _amount(self.comparison, self.detectable)
            verdict = f"This comparison has 80% power to detect a difference of {now}."
        if self.n_samples is not None:
            wanted = self.difference
            if not isinstance(wanted, str):
                wanted = _amount(self.comparison, wanted)
            verdict += (
                f" To detect a difference of {wanted}, the same design needs "
                f"{_about(self.n_samples)} examples."
            )
        return Content("what is detectable", verdict, None, "", [verdict])


def plan_of(comparison, difference=None):
    """Return the Plan of a comparison; a difference is given as a margin is."""
    table, losses = comparison.table, comparison.losses
    total_df = table.total_df
    level = comparison.alpha / len(table) if comparison.p_adjust else comparison.alpha
    detectable = detectable_difference(table.total_error, total_df, level, table.test)
    detectable = float(np.max(detectable))
    n_samples = None
    if difference is not None:
        wanted, ratio = read_margin(difference, losses.metric, "difference")
        wanted = wanted or ratio * losses.mean_losses[losses.ranking[0]]
        if not wanted > 0 or losses.n_samples is None or not detectable > 0:
            raise invalid("difference", "above 0, of losses that vary", difference)
        n_samples = int(np.ceil(losses.n_samples * (detectable / wanted) ** 2))
    return Plan(comparison, detectable, difference, n_samples)


def _amount(comparison, difference):
    """Return a difference of losses as people read it."""
    losses, table = comparison.losses, comparison.table
    unit = Unit(losses.metric, table.by_ratio)
    if table.by_ratio:
        best = losses.ranking[0]
        log_ratio = np.log1p(difference / losses.mean_losses[best])
        share = np.expm1(table.root * log_ratio)
        return f"{100 * share:.2g}% of {whose(losses.names[best], unit.word)}"
    number = f"{unit.scale * difference:.3g}"
    return number + unit.after(number)


def _about(n):
    """Return a number, a large one in two significant digits, as "about 13,000"."""
    return f"about {n if n < 1000 else int(float(f'{n:.1e}')):,}"
