"""The pseudo-losses of a scorer that is a function of sums over examples."""

import functools
import warnings
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np

from .._compat import with_score_function
from .._validation import as_numpy, one_line
from . import _formulas
from ._formulas import as_target_array, label_counts, unique_labels
from ._responses import in_numpy

# The share of the rarer of two classes up to which it is rare. With at most 15%, and 6
# to 30 examples of it, intervals of the difference of error rates miss in 2 to 21%, or
# with naive Bayes or LDA in 16 to 44%; above 15%, in 2 to 7%
# (benchmarks/evaluate_warnings.py). Doubled, the warning would be false more often.
RARE = 0.15


def rare_class(y, splits):
    """Return how many examples of a rare class there are; see `positives`.

    For the error rate and the accuracy: none unless there are two classes, of which one
    is rare.
    """
    y = as_target_array(y)
    if y.ndim != 1:
        return (), 0
    labels, counts = label_counts(y)
    if len(labels) != 2 or counts.min() > RARE * len(y):
        return (), 0
    is_rare = y == labels[np.argmin(counts)]
    return _count_rare(is_rare, splits)


def _count_rare(is_rare, splits):
    """Return how many rare examples each test set has, and how many are tested."""
    is_tested = np.zeros(len(is_rare), dtype=bool)
    counts = []
    for split in splits:
        test = split[1]
        is_tested[test] = True
        counts.append(np.count_nonzero(is_rare[test]))
    return counts, np.count_nonzero(is_rare & is_tested)


class FewPositives(NamedTuple):
    """On how many positives a measure rests if these are so few that intervals fail."""

    of_splits: tuple  # of each test set
    total: int  # of all rows that are tested; 0 if they are not few


NOT_FEW = FewPositives((), 0)


def few_positives(measure, y, splits):
    """Return the FewPositives of a measure."""
    counts, total = measure.positives(y, splits)
    if 0 < total <= 30:
        return FewPositives(tuple(counts), int(total))
    return NOT_FEW


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

    Attributes
    ----------
    scorer : callable
        What make_scorer made.
    name : str
        What it is called.
    spec : MetricSpec
        What is known of its function (see `_metrics`).
    metric : str
        The name of its function.
    function : callable
        The function of :mod:`sklearn.metrics`, as the scorer calls it.
    arguments : dict
        The arguments that the scorer calls it with.
    sign : int
        The score is `sign` times the metric; 1 if greater is better.
    response_method : str or tuple of str
        The method of the estimator whose output it takes; the first it has.
    influence : callable
        The influence of the metric, with the arguments that `function` is a partial of.
    options : dict
        The arguments, also those that the function is a partial of.
    range : tuple of two floats
        The smallest and largest value with these arguments.
    needs : {"nothing", "examples", "positives", "classes"}
        What a test set needs some of, with these arguments.
    labels : tuple or None
        The only labels that count among the classes; None: all.
    rho : float
        The ρ that the default test assumes.
    """

    scorer: Any
    name: str
    spec: Any
    metric: str
    function: Callable
    arguments: dict
    sign: int
    response_method: Any
    influence: Callable
    options: dict
    range: tuple
    needs: str
    labels: tuple | None
    rho: float

    per_example = True
    is_score = True
    is_read_only = True
    takes_responses = True

    @property
    def score_range(self):
        """The smallest and largest score, tuple of two floats."""
        return signed(self.range, self.sign)

    @property
    def value_range(self):
        """The smallest and largest value of minus the score, tuple of two floats."""
        return signed(self.range, -self.sign)

    @property
    def is_of_one_class(self):
        """Whether it counts the predicted labels of one class, as binary F1 does."""
        return self.labels is not None and len(self.labels) == 1

    @property
    def min_count(self):
        """How many examples of what it needs each test set must hold."""
        return 1 if self.is_of_one_class else self.spec.min_count

    @property
    def takes_labels(self):
        """Whether it takes what `predict` returns."""
        return self.response_method == "predict"

    @property
    def of_one_class(self):
        """This metric if it is one of the predicted labels of one class, or None."""
        return self if self.takes_labels and self.needs == "positives" else None

    def score_of_labels(self, y_true, y_pred):
        """Return the score of labels, a float."""
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # of labels that are all the same
            return self.sign * self.function(y_true, y_pred, **self.arguments)

    def respond(self, estimator, X_test, y_test, score_params):
        """Call the scorer, once; remember what its function was called with.

        scikit-learn chooses the response, its columns and the weights: they are what
        the score is made of, and are computed once.
        """
        scorer, calls = self.recording_scorer()
        estimator, y_test = in_numpy(estimator, X_test, y_test)
        try:
            score = scorer(estimator, X_test, y_test, **score_params)
        except ValueError:
            if calls:
                _formulas.refuse_not_finite(self.response_method, calls[-1][1])
            raise
        return ScorerCall(score, *calls[-1])

    def recording_scorer(self):
        """Return the scorer, and a list that gets what its function is called with."""
        calls = []

        @functools.wraps(self.function)  # with its signature, which scorers look at
        def recorded(y_true, y_pred, **arguments):
            y_true = as_numpy("y_true", y_true)
            y_pred = as_numpy("y_pred", y_pred)
            calls.append((y_true, y_pred, arguments))
            return self.function(y_true, y_pred, **arguments)

        return with_score_function(self.scorer, recorded), calls

    def refuse_not_finite(self, response):
        _formulas.refuse_not_finite(self.response_method, response.y_pred)

    def values(self, response, estimator, y_train, y_test):
        """Return the pseudo-losses; the same undefined score for all, if it is that."""
        score = float(response.score)
        if not np.isfinite(score):
            return self.failed(len(as_target_array(response.y_true)), score)
        value, influence = self.influence(
            response.y_true, response.y_pred, **response.arguments
        )
        value *= self.sign
        if not abs(value - score) <= 1e-4 * max(1, abs(score)):  # float32
            raise ValueError(
                f"`scoring`={self.name!r} returned {score!r}, but recomputing it from "
                f"the predictions gives {value!r}; no per-example values can be "
                "derived. A function of your own (estimator, X, y) -> score gives one "
                "value per split."
            )
        losses = -(score + self.sign * influence)
        if self.needs == "nothing":  # hits and misses stay whole numbers
            rounded = np.rint(losses)
            losses = np.where(np.abs(losses - rounded) < 1e-14, rounded, losses)
        weight = response.arguments.get("sample_weight")
        return (
            losses
            if weight is None
            else _formulas.reweighted_losses(losses, -score, weight)
        )

    def failed(self, n_test, error_score):
        return np.full(n_test, -float(error_score))

    def truth_and_predicted(self, response, y_test=None):
        """Return the target and predicted labels (or numbers), or None for the second.

        None if scores are predicted, or several labels.
        """
        y_true = as_target_array(response.y_true)
        y_pred = as_target_array(response.y_pred)
        if self.takes_labels and y_true.ndim == 1 and y_pred.ndim == 1:
            return y_true, y_pred
        return y_true, None

    def n_true_positives(self, response):
        """Return how many positives, or examples of the rarer class, are found.

        Parameters
        ----------
        response : ScorerCall
            What `respond` returned.

        Returns
        -------
        n_true_positives : float
            Those that are predicted as what they are; nan unless the metric is one of
            two predicted classes.
        """
        y_true, y_pred = self.truth_and_predicted(response)
        if y_pred is None or self.needs not in ("positives", "classes"):
            return np.nan
        labels, counts = np.unique(y_true, return_counts=True)
        if len(labels) != 2:
            return np.nan
        rare = labels[np.argmin(counts)]
        if self.needs == "positives":
            rare = self.labels[0]
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
        if self.metric in ("accuracy_score", "zero_one_loss"):
            return rare_class(y, splits)
        if not self.takes_labels or self.needs not in ("positives", "classes"):
            return (), 0
        y = as_target_array(y)
        if y.ndim != 1 or len(unique_labels(y)) != 2:
            return (), 0
        counts = self.counted(y)
        rarest = np.argmin(counts.sum(axis=0))
        return _count_rare(counts[:, rarest], splits)

    # What it needs, and rests on ---------------------------------------------

    def counted(self, y):
        """Return an array (n_samples, n_classes) of what a test set needs enough of."""
        y = as_target_array(y)
        everything = np.ones((len(y), 1), dtype=bool)
        if self.needs == "nothing":
            return everything
        if self.needs == "examples":
            if y.dtype.names is not None:  # events seen, of the times of events
                return y[y.dtype.names[0]].astype(bool)[:, np.newaxis]
            return everything
        if y.ndim == 2:  # multilabel: those that have a label, and those that do not
            having = y != 0
            return np.hstack([having, ~having]) if self.spec.ranks else having
        labels = unique_labels(y) if self.labels is None else np.asarray(self.labels)
        return _formulas.label_indicators(y, labels) if len(labels) else everything

    def smallest_classes(self, y, splits):
        """Return what each test set has least of.

        Parameters
        ----------
        y : array-like of shape (n_samples,) or (n_samples, n_labels)
            The target.
        splits : list of (train, test)
            Index arrays.

        Returns
        -------
        counts : ndarray of shape (n_splits,)
            The number of examples in the smallest class that the metric needs.
        """
        counts = self.counted(y)
        return np.array([counts[split[1]].sum(axis=0).min() for split in splits])

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
        if self.needs == "nothing":
            return ""
        class_sizes = self.smallest_classes(y, splits)
        min_count = self.min_count
        worst = int(np.argmin(class_sizes))
        if class_sizes[worst] >= min_count:
            return ""
        classes = {"positives": " of the positive class", "classes": " of each class"}
        noun = "example" if min_count == 1 else "examples"
        unit = noun + classes.get(self.needs, "")
        bias = self.spec.bias
        if bias:
            bias = f" On test sets this small it is also {bias} on average."
        cure = self._more_in_each(y, splits, class_sizes)
        return (
            f"{one_line(self.name)} has a value per example if each test set holds at "
            f"least {min_count} {unit}; the test set of split {worst} holds "
            f"{class_sizes[worst]}. Only one value per split is kept, so only tests of "
            f"fold means can be used.{bias} {cure}"
        )

    def _more_in_each(self, y, splits, class_sizes):
        """Return what gives each test set enough of what it needs, a sentence.

        Not what has been done: splits are stratified if each test set has its share.
        """
        counts = self.counted(y)
        share = counts.mean(axis=0).min()
        total = counts.sum(axis=0).min()
        in_proportion = np.array([share * len(split[1]) for split in splits])
        if self.needs != "examples" and in_proportion.min() >= self.min_count:
            return "Use stratified splits."
        if total < 2 * self.min_count:
            return self._too_few(total)
        if len(splits) == 1:
            return "Use a larger test set."
        is_stratified = (
            self.needs == "examples" or (class_sizes > in_proportion - 1).all()
        )
        if is_stratified:
            return "Use fewer splits."
        return "Use fewer splits, stratified ones."

    def _too_few(self, total):
        """Return that so many are not enough, however the data are split."""
        of_classes = " of the rarest class" if self.needs == "classes" else ""
        noun = "positive" if self.needs == "positives" else "example"
        if total == 1:
            return f"1 {noun}{of_classes} is too few for any number of folds."
        return f"{total} {noun}s{of_classes} are too few for any number of folds."

    def n_rarest(self, y, rows, groups):
        """Return how many examples the rarest class has that the metric needs.

        Parameters
        ----------
        y : array-like of shape (n_samples,) or (n_samples, n_labels)
            The target.
        rows : ndarray of int
            The examples tested, any number of times each.
        groups : ndarray of shape (n_samples,) or None
            Integer code of the group of each example; groups are counted then.
        """
        rows = np.unique(rows)
        counts = self.counted(y)[rows]
        if groups is None:
            return int(counts.sum(axis=0).min())
        code = groups[rows]
        return min(len(np.unique(code[is_there])) for is_there in counts.T)


def signed(ends, sign):
    """Return the ends of a range of values, or of minus these."""
    low, high = ends
    return (low, high) if sign > 0 else (-high, -low)
