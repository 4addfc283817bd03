"""The pseudo-losses of a scorer that is a function of sums over examples.

And on how many examples a metric rests that is the same in all test sets.

If n independent examples all come out alike, at most a share 1 - (α/2)^(1/n) of others
does not, which is Clopper and Pearson's bound of means. Metrics of classes rest on the
smallest class alone, and n is its number of examples.

* Recall is a mean over its class; balanced accuracy and macro averages can be no
  further from what was seen than one of their classes is.
* ROC AUC 1 says that n pairs of a positive and a negative, none of which share an
  example, are all in order, each with a probability of at most the AUC; 0 is its mirror
  image, and at 0.5 all scores were equal.
* Jaccard is the share of hits among examples that have the label or were given it.
  These are at least n, and n if it is 1. F is no smaller, and (1 + β²)r/(β² + r) at
  most for a recall r, which is below what n β²/(1 + β²) examples allow for r.
* Matthews correlation and kappa at 1 are at least 2J - 1 for the smallest Jaccard index
  J of the classes. Kappa 0 of constant labels moves as far as n/2 examples allow, with
  quadratic weights and for the correlation further.
* With a share ε of negatives above all positives, and a = ε times the negatives per
  positive, average precision loses a log(1 + 1/a), which n/(1 + log n) examples allow.

Precision rests on the examples that are given the label, which the target does not say;
R² has no lower bound. benchmarks/metrics.py holds these against populations.
"""

import functools
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
from sklearn.metrics import make_scorer

from .._compat import scorer_parts
from .._validation import as_numpy
from ._bounds import NOTHING
from ._formulas import (
    as_target_array,
    label_indicators,
    refuse_not_finite,
    unique_labels,
    weigh,
)
from ._responses import in_numpy


class ScorerCall(NamedTuple):
    """What a scorer returned, and what its function was called with."""

    score: Any
    y_true: Any
    y_pred: Any
    arguments: dict


@dataclass(frozen=True)
class MetricMeasure:
    """Pseudo-losses of a split from a scorer that is a function of sums.

    For the score S of a split, an example has -(S + influence of the example on S), so
    that their mean is -S and their variance over n the variance of S, but for terms of
    a lower order. With weights (in `score_params`) it is the influence times w/w̄: also
    then, the plain mean is -S.
    """

    scorer: Any
    name: str
    metric: Any

    per_example = True
    is_score = True
    only_reads = True

    @property
    def value_range(self):
        """The smallest and largest value of minus the score, tuple of two floats."""
        return tuple(-end for end in self.metric.score_range[::-1])

    @property
    def takes_labels(self):
        """Whether it takes what `predict` returns."""
        return self.metric.response_method == "predict"

    def respond(self, estimator, X_test, y_test, score_params):
        """Call the scorer, once; remember what its function was called with."""
        calls = []
        scorer = _recording(self.metric, calls)
        estimator, y_test = in_numpy(estimator, X_test, y_test)
        try:
            score = scorer(estimator, X_test, y_test, **score_params)
        except ValueError:
            if calls:
                refuse_not_finite(self.metric.response_method, calls[-1][1])
            raise
        return ScorerCall(score, *calls[-1])

    def refuse_not_finite(self, response):
        refuse_not_finite(self.metric.response_method, response.y_pred)

    def values(self, response, estimator, y_train, y_test):
        """Return the pseudo-losses; the same undefined score for all, if it is that."""
        score = float(response.score)
        n_test = len(as_target_array(response.y_true))
        if not np.isfinite(score):
            return np.full(n_test, -score)
        value, influence = self.metric.influence(
            response.y_true, response.y_pred, **response.arguments
        )
        value *= self.metric.sign
        if not abs(value - score) <= 1e-4 * max(1, abs(score)):  # float32
            raise ValueError(
                f"`scoring`={self.name!r} returned {score!r}, but recomputing it from "
                f"the predictions gives {value!r}; no per-example values can be "
                "derived. A function of your own (estimator, X, y) -> score gives one "
                "value per split."
            )
        losses = -(score + self.metric.sign * influence)
        if self.metric.needs == "nothing":  # hits and misses stay whole numbers
            whole = np.rint(losses)
            losses = np.where(np.abs(losses - whole) < 1e-14, whole, losses)
        weight = response.arguments.get("sample_weight")
        return losses if weight is None else weigh(losses, -score, weight)

    def failed(self, n_test, error_score):
        return np.full(n_test, -float(error_score))

    def rests_on(self, y, rows, groups):
        """Return what `CVLosses.rests_on` says of minus the score."""
        return rests_on(self.metric, y, rows, groups)[::-1]

    def hits(self, response):
        """Return how many positives, or examples of the rarer class, are found.

        Parameters
        ----------
        response : ScorerCall
            What `respond` returned.

        Returns
        -------
        hits : float
            Those that are predicted as what they are; nan unless the metric is one of
            two predicted classes.
        """
        y_true, y_pred = self.truth_and_labels(response)
        if y_pred is None or self.metric.needs not in ("positives", "classes"):
            return np.nan
        labels, counts = np.unique(y_true, return_counts=True)
        if len(labels) != 2:
            return np.nan
        rare = labels[np.argmin(counts)]
        if self.metric.needs == "positives":
            rare = self.metric.labels[0]
        return float(np.count_nonzero((y_true == rare) & (y_pred == rare)))

    def positives(self, y, splits):
        """Return how many positives, or examples of the rarer class, there are.

        Parameters
        ----------
        y : array-like
            The target.
        splits : list of (train, test)
            Index arrays.

        Returns
        -------
        of_splits : sequence of int
            Of each test set; empty unless the metric is one of two predicted classes.
        total : int
            Of all rows that are tested; 0 likewise.
        """
        is_asked = self.takes_labels and self.metric.needs in ("positives", "classes")
        y = as_target_array(y) if is_asked else np.empty((0, 0))
        if y.ndim != 1 or len(unique_labels(y)) != 2:
            return (), 0
        is_tested = np.zeros(len(y), dtype=bool)
        for _, test in splits:
            is_tested[test] = True
        of = counted(self.metric, y)
        rare = of[:, np.argmin(of.sum(axis=0))] & is_tested
        return [np.count_nonzero(rare[test]) for _, test in splits], rare.sum()

    def truth_and_labels(self, response, y_test=None):
        """Return the target and predicted labels (or numbers), or None for the second.

        None if scores are predicted, or several labels.
        """
        y_true, y_pred = map(as_target_array, (response.y_true, response.y_pred))
        are_labels = self.takes_labels and y_true.ndim == y_pred.ndim == 1
        return y_true, y_pred if are_labels else None

    truth_and_predicted = truth_and_labels

    def score_of_labels(self, y_true, labels, weight):
        """Return the score of other labels."""
        parts = scorer_parts(self.scorer)
        arguments = {} if parts is None else parts.arguments
        if weight is not None:
            arguments = arguments | {"sample_weight": weight}
        value, _ = self.metric.influence(y_true, labels, **arguments)
        return self.metric.sign * value

    def few_examples(self, y, splits):
        """Return why there can be no values per example, or "" if there can.

        Parameters
        ----------
        y : array-like of shape (n_samples,) or (n_samples, n_labels)
            The target.
        splits : list of (train, test)
            Index arrays.

        Returns
        -------
        message : str
            For a FewExamplesWarning.
        """
        if self.metric.needs == "nothing":
            return ""
        smallest = self.metric.smallest_classes(as_target_array(y), splits)
        worst = int(np.argmin(smallest))
        if smallest[worst] >= self.metric.row.fewest:
            return ""
        of = {
            "examples": "examples",
            "positives": "examples of the positive class",
            "classes": "examples of each class",
        }[self.metric.needs]
        bias = self.metric.row.bias
        if bias:
            bias = f" On test sets this small it is also {bias} on average."
        return (
            f"{self.name} has a value per example if each test set holds at least "
            f"{self.metric.row.fewest} {of}; the test set of split {worst} holds "
            f"{smallest[worst]}. Only one value per split is kept, so only tests of "
            f"fold means can be used.{bias} {more_in_each(self.metric, y, splits)}"
        )


def _recording(metric, calls):
    """Return the metric's scorer, which appends to `calls` what its function gets.

    scikit-learn chooses the response, its columns and the weights: they are what the
    score is made of, and are computed once.
    """

    @functools.wraps(metric.function)  # with its signature, which scorers look at
    def function(y_true, y_pred, **arguments):
        y_true, y_pred = as_numpy("y_true", y_true), as_numpy("y_pred", y_pred)
        calls.append((y_true, y_pred, arguments))
        return metric.function(y_true, y_pred, **arguments)

    return make_scorer(
        function,
        response_method=metric.response_method,
        greater_is_better=metric.greater_is_better,
        **metric.arguments,
    )


# What it needs, and rests on -----------------------------------------------------


def counted(metric, y):
    """Return an array (n_samples, n_classes) of what a test set needs enough of."""
    y = as_target_array(y)
    everything = np.ones((len(y), 1), dtype=bool)
    if metric.needs == "examples":
        if y.dtype.names is not None:  # events seen, of the times of events
            return y[y.dtype.names[0]].astype(bool)[:, np.newaxis]
        return everything
    if y.ndim == 2:  # multilabel: those that have a label, and those that do not
        having = y != 0
        return np.hstack([having, ~having]) if metric.row.ranks else having
    labels = unique_labels(y) if metric.labels is None else np.asarray(metric.labels)
    of_labels = label_indicators(y, labels)
    return of_labels if len(labels) else everything


def more_in_each(metric, y, splits):
    """Return what gives each test set enough of what the metric needs, a sentence.

    Not what has been done: splits are stratified if each test set has its share.
    """
    of = counted(metric, y)
    share, total = of.mean(axis=0).min(), of.sum(axis=0).min()
    in_proportion = np.array([share * len(test) for _, test in splits])
    found = metric.smallest_classes(y, splits)
    if metric.needs != "examples" and in_proportion.min() >= metric.row.fewest:
        return "Use stratified splits."
    if total < 2 * metric.row.fewest:
        return f"With {total} in all, two folds would not hold as many, either."
    if len(splits) == 1:
        return "Use a larger test set."
    is_stratified = metric.needs == "examples" or (found > in_proportion - 1).all()
    return "Use fewer splits" + (", stratified ones." * (not is_stratified) or ".")


def rests_on(metric, y, rows, groups):
    """Return on how many of the tested examples, or groups, a metric rests.

    Parameters
    ----------
    metric : Metric
        The metric.
    y : array-like of shape (n_samples,) or (n_samples, n_labels)
        The target.
    rows : ndarray of int
        The examples tested, any number of times each.
    groups : ndarray of shape (n_samples,) or None
        Integer code of the group of each example.

    Returns
    -------
    n_examples : tuple of three floats
        Where it is the smallest that it can be in all test sets, where it is equal in
        all but at no end of its range, and where it is the largest; 0 if not known.
    """
    rows = np.unique(rows)
    is_mean = metric.needs == "nothing"
    of = np.ones((len(rows), 1), bool) if is_mean else counted(metric, y)[rows]
    if groups is not None:
        code = groups[rows]
        of = np.stack([np.bincount(code, column) > 0 for column in of.T], axis=1)
    n, average = float(of.sum(axis=0).min()), metric.options.get("average")
    rests = metric.row.rests(n, metric.options)
    if is_mean or average == "samples":
        rests = n, n, n
    elif average == "micro":  # of all labels, it is the accuracy, of Jaccard less
        is_accuracy = as_target_array(y).ndim == 1 and metric.labels is None
        rests = (n / 2,) * 3 if is_accuracy and not metric.row.ranks else NOTHING
    return rests if metric.sign > 0 else rests[::-1]
