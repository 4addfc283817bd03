"""Which of many may be the best, and how good the one is that was chosen as it."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np

from .._data._cvlosses import CVLosses
from .._inference._test_warnings import heavy_tailed_winner
from .._pairs._ratios import ends_of_ratios
from .._report._result import Result
from .._typing import Any, Axes
from .._validation import warn
from ..exceptions import HeavyTailedResidualsWarning
from ._best_documents import best_set_document, winner_document
from ._best_forest import draw_best_set
from ._winner import tail_of


@dataclass(frozen=True, repr=False)
class BestSet(Result):
    """Which of many may be the best.

    Made by :meth:`Comparison.best_set`. Its `str` is a sentence and a table.

    Attributes
    ----------
    names : tuple
        Those that may be the best, by mean loss: the one with the smallest mean loss,
        and those with p-values above `alpha`. For a search, rows of `cv_results_`.
    pvalues : dict
        {name: p-value} of all, by mean loss; small if the best is better. Adjusted for
        all pairs of the models that are still in the set.
    mean_losses : dict
        {name: mean loss}, over splits.
    alpha : float
        One minus the confidence that the best is in the set, or, of several that are
        equally good, that all of them are.
    losses : CVLosses
        The losses.
    noun : str
        What one of them is called.
    found : object
        What intervals are read from.
    """

    names: tuple
    pvalues: dict
    mean_losses: dict
    alpha: float
    losses: CVLosses
    noun: str
    found: Any = field(compare=False)

    @property
    def shown_names(self) -> tuple[str, ...]:
        """The names as texts, by mean loss, tuple of str."""
        return tuple(self.losses.estimator_names[i] for i in self.found.order)

    @property
    def differences(self) -> dict[str, Any]:
        """{name: (estimate, low, high)}: how far each model is behind the best.

        Of all but the best: differences of mean losses from the first of `names`. The
        interval of a pair at the critical value of the step at which the model left, of
        the last step for those that stay: 0 is below it exactly if the model is not in
        the set.
        """
        _, *names = self.pvalues
        rows = np.column_stack(self.found.differences_in_units)[1:].tolist()
        return {name: tuple(row) for name, row in zip(names, rows, strict=True)}

    def _document(self):
        return best_set_document(self)

    def _columns(self):
        names = list(self.pvalues)
        best_names = set(self.names)
        columns = {self.noun: names, "mean_loss": list(self.mean_losses.values())}
        columns["pvalue"] = list(self.pvalues.values())
        columns["may_be_best"] = [name in best_names for name in names]
        estimate, low, high = self.found.differences_in_units
        columns["difference"] = list(estimate)
        columns["ci_low"] = list(low)
        columns["ci_high"] = list(high)
        if self.found.ratios is not None:
            estimate, *log_ends = self.found.differences
            low, high = ends_of_ratios(*log_ends)
            columns["ratio"] = list(np.exp(estimate))
            columns["ratio_low"] = list(low)
            columns["ratio_high"] = list(high)
        return columns

    def plot(self, *, ax: Axes | None = None) -> Axes:
        """Draw how far each is behind the best, with its interval.

        Parameters
        ----------
        ax : matplotlib Axes, default=None
            Where to draw; None makes a new figure.

        Returns
        -------
        ax : matplotlib Axes
            With the picture: the best on top, p-values on the right, filled markers
            for those that are significantly worse.

        Raises
        ------
        ImportError
            If matplotlib is not installed.
        """
        return draw_best_set(self, ax)


def best_algorithms(best, labels, noun):
    """Return the BestSet of what is :class:`Best`, with the labels of positions."""
    names = np.array(labels, dtype=object)[best.order]
    mean_losses = best.losses.mean_losses[best.order]
    return BestSet(
        names=tuple(names[best.kept].tolist()),
        pvalues=dict(zip(names, best.pvalues.tolist(), strict=True)),
        mean_losses=dict(zip(names, mean_losses.tolist(), strict=True)),
        alpha=float(best.alpha),
        losses=best.losses,
        noun=noun,
        found=best,
    )


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
        return {
            self.noun: [self.name],
            "estimate": [self.estimate],
            "ci_low": [self.ci_low],
            "ci_high": [self.ci_high],
            "mean": [self.mean],
            "mean_low": [self.mean_low],
            "mean_high": [self.mean_high],
            "n_compared": [self.n_compared],
        }


def winner_interval(selected, losses, alpha, labels, noun):
    """Return the WinnerInterval of a `Winner`; `labels` name positions."""
    if selected is None:
        raise ValueError(
            "`winner_interval` needs splits for which there is an interval of one "
            f"estimator; got {losses.design}."
        )
    tail = tail_of(losses, selected.position)
    if tail is not None:
        warn(heavy_tailed_winner(tail), HeavyTailedResidualsWarning)
    estimate = selected.estimate
    low = selected.low
    high = selected.high
    mean = selected.mean
    mean_low = selected.mean_low
    mean_high = selected.mean_high
    if losses.is_score:
        estimate, low, high = -estimate, -high, -low
        mean, mean_low, mean_high = -mean, -mean_high, -mean_low
    return WinnerInterval(
        name=labels[selected.position],
        estimate=estimate,
        ci_low=low,
        ci_high=high,
        mean=mean,
        mean_low=mean_low,
        mean_high=mean_high,
        n_compared=selected.n_compared,
        alpha=float(alpha),
        losses=losses,
        noun=noun,
        test=selected.test,
    )
