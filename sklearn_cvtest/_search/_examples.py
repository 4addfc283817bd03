"""Scores of a search that remember what each test example contributed to them."""

import functools
from typing import NamedTuple

import numpy as np
from sklearn.metrics import get_scorer

from .._compat import metric_of_score, with_score_function
from .._losses._metric_measure import ScorerCall
from .._losses._metrics import find_metric, metric_measure
from .._splits._design import Design

MOST_VALUES = 10**8  # that a race keeps, of all candidates and splits


class ExampleScore(float):
    """A score, and the losses of its examples, whose mean is minus the score."""

    losses = None

    def __rmul__(self, sign):
        """Return the score that a scorer makes of what its function returned."""
        score = ExampleScore(sign * float(self))
        score.losses = self.losses
        return score


class _ExampleFunction:
    """The function of a metric's scorer; returns an ExampleScore."""

    def __init__(self, measure):
        self.measure = measure
        functools.update_wrapper(self, measure.metric.function)

    def __call__(self, y_true, y_pred, **arguments):
        metric = self.measure.metric
        score = ExampleScore(metric.function(y_true, y_pred, **arguments))
        response = ScorerCall(metric.sign * float(score), y_true, y_pred, arguments)
        try:
            score.losses = self.measure.values(response, None, None, None)
        except ValueError:  # there are none; the score is what it is
            score.losses = None
        return score


def example_measure(scoring, refit, estimator, has_metadata):
    """Return the MetricMeasure of the metric to race by; None if there is none.

    Its name is `scoring`, or empty if that is no name.
    """
    name = scoring if isinstance(scoring, str) else ""
    if isinstance(scoring, dict):
        scoring = scoring.get(refit)
    elif isinstance(scoring, (list, tuple, set)):
        scoring = refit
    elif scoring is None and not has_metadata:  # which `score` may ask for
        scoring = metric_of_score(estimator)
    if scoring is None or find_metric(scoring) is None:
        return None
    return metric_measure(get_scorer(scoring), name)


def example_scoring(scoring, refit, measure):
    """Return `scoring` with a scorer that remembers, in place of `measure`'s."""
    made = with_score_function(measure.scorer, _ExampleFunction(measure))
    if isinstance(scoring, dict):
        return scoring | {refit: made}
    if isinstance(scoring, (list, tuple, set)):
        return {name: get_scorer(name) for name in scoring} | {refit: made}
    return made


def losses_of_scores(scores, n_test):
    """Return losses (n_scores, n_test), also for a failed fit; or None."""
    found = [
        score.losses
        if isinstance(score, ExampleScore)
        else np.full(n_test, -float(score))
        for score in scores
    ]
    has_all = all(row is not None and len(row) == n_test for row in found)
    return np.array(found) if has_all else None


class Folds(NamedTuple):
    """The test sets of runs of a K-fold, one after the other.

    Attributes
    ----------
    design : Design
        What they are.
    tests : list of ndarray
        The examples of each.
    """

    design: Design
    tests: list


def folds_of_examples(measure, splits, design, y, groups):
    """Return Folds if losses of their examples tell more than scores; None if not."""
    tests = [test for _, test in splits]
    if measure is None or y is None or groups is not None:
        return None
    if design.kind not in ("k-fold", "repeated k-fold"):
        return None
    n_values, k = sum(map(len, tests)), design.n_splits
    for start in range(0, len(tests), k):
        run = np.concatenate(tests[start : start + k])
        if len(np.unique(run)) < len(run) or len(run) * design.n_repeats != n_values:
            return None
    return None if measure.few_examples(y, splits) else Folds(design, tests)
