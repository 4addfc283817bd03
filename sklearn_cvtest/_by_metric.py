"""Comparisons of the same models by several metrics."""

from collections.abc import Mapping

from ._comparison import Comparison
from ._metrics import find_metric
from ._report import sentences
from ._report.numbers import NOTHING, capitalised, join_names, pvalue_text
from ._report.result import Content, Result, Table, stacked
from ._report.units import Unit
from ._validation import check_option


def compare_losses(losses, **options):
    """Return the Comparison of losses, or by each metric of {metric: losses}."""
    if not isinstance(losses, dict):
        return Comparison(losses, **options)
    comparisons = {}
    for name, of_metric in losses.items():
        comparisons[name] = Comparison(of_metric, **options)
    return ComparisonsByMetric(comparisons)


class ComparisonsByMetric(Result, Mapping):
    """Comparisons by several metrics of the same fits.

    Made by :func:`compare_estimators` and others with several scorers; a mapping from
    the name of each to its comparison. `to_frame` has the frames of these, with a first
    column "metric".

    Parameters
    ----------
    comparisons : dict of str to Comparison
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
        self.comparisons = dict(comparisons)

    def __getitem__(self, metric):
        check_option("metric", metric, tuple(self.comparisons))
        return self.comparisons[metric]

    def __iter__(self):
        return iter(self.comparisons)

    def __len__(self):
        return len(self.comparisons)

    @property
    def pvalue_(self):
        """{metric: p-value, or {pair: p-value}}."""
        return {name: result.pvalue_ for name, result in self.comparisons.items()}

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
        comparison : ComparisonsByMetric
            A new one.
        """
        results = {}
        for name, result in self.comparisons.items():
            results[name] = result.retest(test, **options)
        return ComparisonsByMetric(results)

    def _columns(self):
        frames = {name: r._columns() for name, r in self.comparisons.items()}
        return stacked(frames, "metric")

    def _content(self):
        rows = []
        paragraph = []
        findings = {}
        for name, result in self.comparisons.items():
            content = result._content()
            word = name
            if find_metric(name) is not None:
                word = Unit(result.losses.metric).word
            rows.append([word, *_cells_of(result)])
            paragraph.append(f"{capitalised(word)}: {content.verdict}")
            findings[name] = content.findings
        first = next(iter(self.comparisons.values()))
        is_posterior = first.test.decides == "posterior"
        headers = ["metric", "best", "mean", "worse", "not significant"]
        if is_posterior:
            rows = [row[:-1] for row in rows]
        else:
            headers.append("smallest p")
        numbers = "Probabilities" if is_posterior else "p-values"
        method = sentences.design_sentence(first.losses, first.table)
        others = {}
        for name, result in self.comparisons.items():
            if repr(result.test) != repr(first.test):
                others.setdefault(sentences.words_of_test(result.test), []).append(name)
        for words, names in others.items():
            method += f" By {join_names(names)}: {words}."
        return Content(
            lead=f"Comparison by {len(rows)} metrics",
            verdict="",
            table=Table(headers, rows, n_left=2),
            method=f"{method} {numbers} are not adjusted for the {len(rows)} metrics.",
            paragraph=paragraph,
            findings=findings,
        )


def _cells_of(result):
    """Return the cells of the row of one metric: the best, and who is worse."""
    losses, models = result.losses, result.models
    unit = Unit(losses.metric)
    mean = unit.mean(losses.mean_losses[models.reference])
    names = []
    for decision in ("worse", "not significant"):
        rows = [row for row in models.others if row.decision == decision]
        text = join_names([losses.names[row.position] for row in rows])
        names.append(text or NOTHING)
    p = NOTHING
    if result.test.decides != "posterior":
        p = pvalue_text(min(row.pvalue for row in models.others), result.alpha)
    return [losses.names[models.reference], mean, *names, p]
