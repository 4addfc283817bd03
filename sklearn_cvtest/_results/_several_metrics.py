"""MultiMetricComparison: a comparison for each of several metrics of the same fits."""

from __future__ import annotations

from collections.abc import Mapping
from importlib import import_module

import numpy as np

from .._display._comparison_display import ComparisonDisplay
from .._inference._base_test import BaseCVTest
from .._report._comparison_document import metrics_document
from .._report._result import Result, concat_columns
from .._store._array_files import Saved, by_number, of_parts, taken_apart
from .._typing import Any
from .._validation import check_option, invalid

# The facade with all classes of results, of the extensions too.
KINDS = "sklearn_cvtest.results"


def check_metrics(metrics):
    """Check a list of metrics to compare by."""
    wrong = [metric for metric in metrics if not isinstance(metric, str)]
    if wrong:
        raise invalid("metric", "a name, or a list of names", wrong[0], TypeError)
    if not metrics or len(set(metrics)) < len(metrics):
        raise invalid("metric", "at least one metric, each once", list(metrics))


class MultiMetricComparison(Saved, Result, Mapping):
    """Comparisons by several metrics of the same fits.

    Made by :func:`compare_estimators` and others with several scorers; a mapping from
    the name of each to its comparison. `to_frame` has the frames of these, with a first
    column "metric".

    Parameters
    ----------
    comparisons : dict of str to Comparison or CandidateComparison
        The comparison by each metric.

    Examples
    --------
    >>> from sklearn.datasets import load_breast_cancer
    >>> from sklearn.naive_bayes import GaussianNB
    >>> from sklearn.tree import DecisionTreeClassifier
    >>> from sklearn_cvtest import BlockKFold, compare_estimators
    >>> X, y = load_breast_cancer(return_X_y=True)
    >>> result = compare_estimators(
    ...     {"bayes": GaussianNB(), "tree": DecisionTreeClassifier(random_state=0)},
    ...     X, y, cv=BlockKFold(5, random_state=0), scoring=["accuracy", "roc_auc"],
    ... )
    >>> [metric for metric in result]
    ['accuracy', 'roc_auc']
    >>> result["roc_auc"].best
    'bayes'
    """

    def __init__(self, comparisons: Mapping[str, Any]):
        self._comparisons = dict(comparisons)

    def __getitem__(self, metric):
        if metric not in self._comparisons:
            metrics = ", ".join(map(repr, self))
            raise KeyError(f"{metric!r} is none of the metrics: {metrics}")
        return self._comparisons[metric]

    def __iter__(self):
        return iter(self._comparisons)

    def __len__(self):
        return len(self._comparisons)

    def _document(self):
        return metrics_document(
            {k: (comparison, comparison._document()) for k, comparison in self.items()}
        )

    def _columns(self):
        frames = [comparison._columns() for comparison in self.values()]
        lengths = [len(part["first"]) for part in frames]
        metric = np.repeat(np.array(list(self), dtype=object), lengths)
        return {"metric": metric} | concat_columns(frames)

    @property
    def best(self) -> dict[str, Any]:
        """The one with the best mean by each metric, {metric: name}."""
        return {metric: comparison.best for metric, comparison in self.items()}

    def retest(
        self, test: BaseCVTest | None = None, **options: Any
    ) -> MultiMetricComparison:
        """Apply another test to the same losses, without fitting anything.

        Parameters
        ----------
        test : test or None, default=None
            The test; None keeps those there are.
        **options : dict
            As in the comparisons' `retest`.

        Returns
        -------
        comparison : MultiMetricComparison
            A new one.
        """
        again = {
            name: comparison.retest(test, **options)
            for name, comparison in self.items()
        }
        return MultiMetricComparison(again)

    def plot(self, *, metric: str | None = None, **options: Any) -> ComparisonDisplay:
        """Plot the differences by one metric, as :meth:`Comparison.plot` does.

        Parameters
        ----------
        metric : str, default=None
            Which metric; None: the first.
        **options : dict
            As in :meth:`Comparison.plot`, such as `ax`.

        Returns
        -------
        display : ComparisonDisplay
            The plot.

        Raises
        ------
        ValueError
            If there is no such metric.
        """
        metric = next(iter(self)) if metric is None else metric
        return self[check_option("metric", metric, list(self))].plot(**options)

    def _to_parts(self):
        headers, arrays = taken_apart(self.values())
        header = {
            metric: part | {"kind": type(comparison).__name__}
            for (metric, comparison), part in zip(self.items(), headers, strict=True)
        }
        return {"metrics": header}, arrays

    @classmethod
    def _of_parts(cls, path, header, arrays):
        named = dict(header["metrics"])
        comparisons = {}
        check_metrics(list(named))
        for (metric, part), metric_arrays in zip(
            named.items(), by_number(arrays), strict=True
        ):
            result_class = getattr(import_module(KINDS), part.pop("kind"))
            comparisons[metric] = of_parts(result_class, path, part, metric_arrays)
        return cls(comparisons)
