"""WinnerInterval: how good the one is that was chosen because it was the best."""

from __future__ import annotations

from dataclasses import dataclass

from .._data._cvlosses import CVLosses
from .._inference._problems import CATEGORIES
from .._inference._traits import warning_of
from .._pairs._winner import tail_of
from .._report._singles import winner_document
from .._validation import warn
from ._result import Result


@dataclass(frozen=True, repr=False)
class WinnerInterval(Result):
    """How good the one is that was chosen because it was the best.

    Made by :meth:`Comparison.winner_interval`. Its `str` is a sentence and a table.

    Attributes
    ----------
    name : str or int
        The one with the smallest mean loss; of a search, the row of `cv_results_`.
    estimate, ci_low, ci_high : float
        Its expected loss, or score, corrected for the choice, and the interval.
    mean, mean_low, mean_high : float
        Its mean loss, or score, and the interval of that, if nothing were chosen.
    n_compared : int
        Among how many it was chosen.
    alpha : float
        One minus the level of the intervals.
    losses : CVLosses
        The losses.
    noun : str
        What one of them is called.
    test : test
        Whose interval of a single mean is corrected.
    """

    name: object
    estimate: float
    ci_low: float
    ci_high: float
    mean: float
    mean_low: float
    mean_high: float
    n_compared: int
    alpha: float
    losses: CVLosses
    noun: str
    test: object

    @property
    def shown_name(self):
        """The name as text, str."""
        if isinstance(self.name, str):
            return self.name
        return self.losses.estimator_names[int(self.losses.mean_losses.argmin())]

    def _document(self):
        return winner_document(self)

    def _columns(self):
        names = ("estimate", "ci_low", "ci_high", "mean", "mean_low", "mean_high")
        values = {name: [getattr(self, name)] for name in names}
        return {self.noun: [self.name], **values, "n_compared": [self.n_compared]}


def winner_interval(found, losses, alpha, label, noun):
    """Return the WinnerInterval of a `Winner`; `label` names a position."""
    if found is None:
        raise ValueError(
            "`winner_interval` needs splits for which there is an interval of one "
            f"estimator; got {losses.design}."
        )
    tail = tail_of(losses, found.position)
    if tail is not None:
        name, text = warning_of("winner")
        warn(text.format(tail=tail), CATEGORIES[name])
    values = found.estimate, found.low, found.high
    means = found.mean, found.mean_low, found.mean_high
    if losses.is_score:
        values, means = (
            (-middle, -high, -low) for middle, low, high in (values, means)
        )
    return WinnerInterval(
        label(found.position), *values, *means, found.n_compared, float(alpha), losses,
        noun, found.test,
    )  # fmt: skip
