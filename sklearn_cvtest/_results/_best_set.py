"""BestSet: which of many may be the best."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np

from .._data._cvlosses import CVLosses
from .._display import draw_best_set
from .._pairs._fitted_best import models_by_loss
from .._report._singles import best_set_document
from .._typing import Any, Axes
from ._result import Result


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
        {name: p-value} of all, by mean loss; small if another one is better.
    mean_losses : dict
        {name: mean loss}, over splits.
    alpha : float
        One minus the confidence that the best is in the set.
    about : {"algorithms", "models"}
        What the best is one of.
    losses : CVLosses
        The losses.
    noun : str
        What one of them is called.
    at_most : tuple
        The names whose p-values are upper bounds.
    found : object
        What intervals are read from; None of fitted models.
    n_splits_run : dict or None
        {name: number of splits} of a race, in which candidates leave; else None.
    """

    names: tuple
    pvalues: dict
    mean_losses: dict
    alpha: float
    about: str
    losses: CVLosses
    noun: str = "estimator"
    at_most: tuple = ()
    found: Any = field(default=None, compare=False)
    n_splits_run: dict | None = None

    @property
    def shown_names(self) -> tuple[str, ...]:
        """The names as texts, by mean loss, tuple of str."""
        if self.found is None:
            return tuple(self.pvalues)
        return tuple(self.losses.estimator_names[i] for i in self.found.order)

    @property
    def differences(self) -> dict[str, Any] | None:
        """{name: (estimate, low, high)} of the difference to the best of the others.

        Differences of mean losses, with intervals that all hold with probability
        1 - alpha; None for fitted models.
        """
        if self.found is None:
            return None
        columns = np.column_stack(self.found.differences).tolist()
        return dict(zip(self.pvalues, map(tuple, columns), strict=True))

    def _document(self):
        return best_set_document(self)

    def _columns(self):
        columns = {
            self.noun: list(self.pvalues),
            "mean_loss": list(self.mean_losses.values()),
            **self._splits_run(),
            "pvalue": list(self.pvalues.values()),
            "is_bound": [name in self.at_most for name in self.pvalues],
            "may_be_best": [name in self.names for name in self.pvalues],
        }
        if self.found is not None:
            parts = self.found.differences
            columns |= dict(
                zip(("difference", "ci_low", "ci_high"), parts, strict=True)
            )
        return columns

    def _splits_run(self):
        if self.n_splits_run is None:
            return {}
        return {"n_splits_run": list(self.n_splits_run.values())}

    def plot(self, *, ax: Axes | None = None) -> Axes:
        """Draw the difference of each to the best of the others, with its interval.

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
        TypeError
            If it is about fitted models, which have no such intervals.
        """
        if self.found is None:
            raise TypeError("BestSet has no picture of fitted models.")
        return draw_best_set(self, ax)


def best_algorithms(found, labels, noun):
    """Return the BestSet of what is :class:`Best`, with the labels of positions."""
    names = [labels[position] for position in found.order]
    means = found.losses.mean_losses[found.order].tolist()
    return BestSet(
        names=tuple(np.array(names, dtype=object)[found.kept].tolist()),
        pvalues=dict(zip(names, found.pvalues.tolist(), strict=True)),
        at_most=tuple(np.array(names, dtype=object)[found.is_bound].tolist()),
        mean_losses=dict(zip(names, means, strict=True)),
        alpha=float(found.alpha),
        about="algorithms",
        losses=found.losses,
        noun=noun,
        found=found,
    )


def best_models(losses, alpha=0.05, **options):
    """Return the BestSet of the models as they were fitted."""
    by_loss = models_by_loss(losses, alpha, **options)
    return BestSet(
        names=tuple(name for name, pvalue, _ in by_loss if pvalue > alpha),
        pvalues={name: pvalue for name, pvalue, _ in by_loss},
        mean_losses={name: mean for name, _, mean in by_loss},
        alpha=float(alpha),
        about="models",
        losses=losses,
    )
