"""MultiMetricComparison: a comparison for each of several metrics of the same fits."""

from collections.abc import Mapping

from .._compat import import_pandas
from .._report._format import html_text
from .._validation import check_path, invalid, one_line
from ._base import write_report

__all__ = ["MultiMetricComparison", "check_metrics"]


def check_metrics(metrics):
    """Check a list of metrics to compare by."""
    if not metrics or len(set(metrics)) < len(metrics):
        raise invalid("metric", "at least one metric, each once", list(metrics))


class MultiMetricComparison(Mapping):
    """Comparisons by several metrics of the same fits.

    Made by :func:`compare_estimators` and others with several scorers; a mapping from
    the name of each to its comparison.

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

    def __init__(self, comparisons):
        self._comparisons = dict(comparisons)

    def __getitem__(self, metric):
        if metric not in self._comparisons:
            known = ", ".join(map(repr, self))
            raise KeyError(f"{metric!r} is none of the metrics: {known}")
        return self._comparisons[metric]

    def __iter__(self):
        return iter(self._comparisons)

    def __len__(self):
        return len(self._comparisons)

    def __repr__(self):
        return f"<MultiMetricComparison by {one_line(', '.join(self))}>"

    def __str__(self):
        return "\n\n".join(
            f"{(name := one_line(metric))}\n{'=' * len(name)}\n\n{comparison}"
            for metric, comparison in self.items()
        )

    def _repr_html_(self):
        return "\n".join(
            f"<section><h3>{html_text(metric)}</h3>{comparison._repr_html_()}</section>"
            for metric, comparison in self.items()
        )

    def report(self):
        """Return sentences for a paper, a paragraph for each metric.

        Returns
        -------
        text : str
            The reports of the comparisons.
        """
        return "\n\n".join(comparison.report() for comparison in self.values())

    def retest(self, test=None, **options):
        """Apply another test to the same losses, without fitting anything.

        Parameters
        ----------
        test : test, list or dict of tests, or None, default=None
            The test or tests; None keeps those there are.
        **options : dict
            As in the comparisons' `retest`.

        Returns
        -------
        comparison : MultiMetricComparison
            A new one.
        """
        return MultiMetricComparison(
            {
                name: comparison.retest(test, **options)
                for name, comparison in self.items()
            }
        )

    def to_frame(self):
        """Return a pandas DataFrame with one row per metric and pair (and test).

        Returns
        -------
        frame : pandas.DataFrame
            The frames of the comparisons, with a first column "metric".

        Raises
        ------
        ImportError
            If pandas is not installed.
        """
        pd = import_pandas("MultiMetricComparison.to_frame")
        frames = {metric: comparison.to_frame() for metric, comparison in self.items()}
        for metric, frame in frames.items():
            frame.insert(0, "metric", metric)
        return pd.concat(frames.values(), ignore_index=True)

    def to_html(self, path):
        """Write one HTML page on all metrics, as :meth:`Comparison.to_html` does.

        Parameters
        ----------
        path : str or os.PathLike
            The file, replaced if it exists.

        Raises
        ------
        TypeError
            If `path` is not a path.
        """
        check_path("path", path)
        write_report(self._comparisons, path)
