"""RankComparison: mean ranks of estimators over data sets."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

import numpy as np

from .._data._protocol import ReadOnlyArrays
from .._results._result import Result
from .._typing import Axes
from .._validation import check_option
from ._pictures import draw_critical_differences
from ._ranks import (
    average_ranks,
    critical_difference,
    friedman,
    nemenyi_pvalues,
    wilcoxon_holm_pvalues,
)
from ._words import ranks_document


@dataclass(frozen=True, eq=False, repr=False)
class RankComparison(Result, ReadOnlyArrays):
    """Mean ranks of estimators over data sets.

    Made by :meth:`.DatasetComparison.ranks`.

    Attributes
    ----------
    estimator_names : tuple of str
        The E estimators, the best mean rank first.
    mean_ranks : ndarray of shape (E,)
        1 is the best.
    friedman : FriedmanResult
        Friedman's χ² test that all are equally good, and Iman and Davenport's F.
    nemenyi_pvalues, wilcoxon_pvalues : ndarray of shape (E, E)
        p-values of all pairs, adjusted for their number.
    critical_difference : float
        Nemenyi's: mean ranks that differ by more differ significantly.
    n_datasets : int
        Number of data sets.
    alpha : float
        The level.
    """

    estimator_names: tuple
    mean_ranks: np.ndarray
    friedman: tuple
    nemenyi_pvalues: np.ndarray
    wilcoxon_pvalues: np.ndarray
    critical_difference: float
    n_datasets: int
    alpha: float

    def _document(self):
        return ranks_document(self)

    def _columns(self):
        return {
            "estimator": self.estimator_names,
            "mean_rank": self.mean_ranks,
            "pvalue_nemenyi": self.nemenyi_pvalues[0],
            "pvalue_wilcoxon": self.wilcoxon_pvalues[0],
        }

    def plot(
        self,
        ax: Axes | None = None,
        *,
        test: Literal["nemenyi", "wilcoxon"] = "nemenyi",
    ) -> Axes:
        """Draw a critical-difference diagram.

        Parameters
        ----------
        ax : matplotlib Axes, default=None
            Where to draw; None makes a figure.
        test : {"nemenyi", "wilcoxon"}, default="nemenyi"
            Whose p-values say which estimators do not differ.

        Returns
        -------
        ax : matplotlib Axes
            The axes.

        Raises
        ------
        ImportError
            If matplotlib is not installed.
        """
        check_option("test", test, ("nemenyi", "wilcoxon"))
        pvalues = getattr(self, f"{test}_pvalues")
        names = list(self.estimator_names)
        return draw_critical_differences(
            names, self.mean_ranks, pvalues, self.alpha, ax
        )


def compare_ranks(names, losses, alpha):
    """Return the comparison of mean losses (data sets, estimators) by their ranks."""
    order = np.argsort(average_ranks(losses), kind="stable")
    both = np.ix_(order, order)
    n_datasets, n_estimators = losses.shape
    return RankComparison(
        estimator_names=tuple(names[position] for position in order),
        mean_ranks=average_ranks(losses)[order],
        friedman=friedman(losses),
        nemenyi_pvalues=nemenyi_pvalues(losses)[both],
        wilcoxon_pvalues=wilcoxon_holm_pvalues(losses)[both],
        critical_difference=float(critical_difference(n_estimators, n_datasets, alpha)),
        n_datasets=n_datasets,
        alpha=alpha,
    )
