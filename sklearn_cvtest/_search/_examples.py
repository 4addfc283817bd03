"""What a race asks of a search: scores that remember examples, one split at a time."""

import functools
from typing import NamedTuple

import numpy as np
from sklearn.metrics import get_scorer
from sklearn.model_selection import check_cv
from sklearn.utils import indexable
from sklearn.utils.metadata_routing import get_routing_for_object
from sklearn.utils.multiclass import type_of_target

from .._compat import metric_of_score, n_rows, with_score_function
from .._losses._metric_measure import ScorerCall
from .._losses._metrics import find_metric
from .._splits._block_kfold import BlockKFold
from .._splits._design import Design
from .._splits._indices import check_splits, recognise_design
from .._validation import as_numpy, invalid_words

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
        functools.update_wrapper(self, measure.function)

    def __call__(self, y_true, y_pred, **arguments):
        score = ExampleScore(self.measure.function(y_true, y_pred, **arguments))
        signed = self.measure.sign * float(score)
        response = ScorerCall(signed, y_true, y_pred, arguments)
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
    return None if scoring is None else find_metric(scoring, name=name)


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
        getattr(score, "losses", np.full(n_test, -float(score))) for score in scores
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
    if measure is None or y is None or groups is not None:
        return None
    if design.kind not in ("k-fold", "repeated k-fold"):
        return None
    tests = [test for _, test in splits]
    return None if measure.few_examples(y, splits) else Folds(design, tests)


# The splits of a race, of which a search is given one at a time --------------


EXCHANGEABLE = ("k-fold", "repeated k-fold", "subsample", "5x2")


def default_folds(X, y, has_classes, random_state):
    """Return ten folds, or as many as some class has examples."""
    X, y = indexable(X, y)  # what has no length is an array then
    n_samples = most = n_rows(X)
    if n_samples < 2:
        raise invalid_words("X", "at least two examples", f"n_samples={n_samples}")
    kind = type_of_target(y) if has_classes and y is not None else ""
    stratify = kind in ("binary", "multiclass")
    if stratify:
        most = np.unique(as_numpy("y", y), return_counts=True)[1].max()
    n_splits = int(np.clip(most, 2, 10))
    return BlockKFold(n_splits, stratify=stratify, random_state=random_state)


class Rounds:
    """One split of each round, as a search asks for.

    Parameters
    ----------
    cv : splitter, int, iterable or None
        As the search was given.
    is_classifier : bool
        Whether an int stands for stratified folds.
    measure : MetricMeasure or None
        What candidates race by, if examples have losses.

    Attributes
    ----------
    splits : list of (train, test)
        All splits, made at the first call of `split`.
    folds : Folds or None
        Their test sets, if the losses of examples are of use.
    at : int
        The split of this round.
    """

    def __init__(self, cv, is_classifier, measure):
        self.cv, self.is_classifier, self.measure = cv, is_classifier, measure
        self.splits, self.folds, self.at = None, None, 0

    def get_metadata_routing(self):
        return get_routing_for_object(self.cv)

    def get_n_splits(self, X=None, y=None, **params):
        return 1

    def split(self, X, y=None, **params):
        if self.splits is None:
            y = as_numpy("y", y)
            params = {name: as_numpy(name, value) for name, value in params.items()}
            cv = check_cv(self.cv, y, classifier=self.is_classifier)
            n_samples = n_rows(X)
            self.splits = check_splits(cv.split(X, y, **params), n_samples)
            design = recognise_design(self.splits, n_samples)
            if design.kind not in EXCHANGEABLE:
                allowed = "a splitter that makes (repeated) K-folds or subsamples"
                raise invalid_words("cv", allowed, f"one of {design}")
            given = self.measure, self.splits, design, y, params.get("groups")
            self.folds = folds_of_examples(*given)
        yield self.splits[self.at]
