"""The metric behind a scorer, and its value and pseudo-losses on a test set."""

import functools
import inspect
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any, NamedTuple

import numpy as np
from sklearn import metrics as sk
from sklearn.metrics import get_scorer, get_scorer_names, make_scorer

from .._compat import own_score, scorer_parts
from .._validation import as_numpy
from . import _influence, _ranks
from ._bounds import (
    BELOW_ONE,
    POSITIVE,
    UNIT,
    function_range,
    known_range,
    standard_name,
)
from ._formulas import as_target_array, refuse_not_finite, unique_labels, weigh
from ._responses import in_numpy
from ._rests import counted, more_in_each, rests_on

# Examples of a class, or of all, in each test set. For a fixed rule half as many would
# do, or two thirds (docs/data/metric_thresholds.csv); not for one that is trained on as
# few of the class (docs/data/metric_calibration.csv).
MIN_EXAMPLES, MIN_FOR_PRECISION, MIN_FOR_VARIANCE = 10, 15, 30

# With these arguments the metrics are no function of sums, or no one number.
REFUSED = {"normalize": (False,), "average": (None,), "multioutput": ("raw_values",)}


@dataclass(frozen=True)
class Metric:
    """A metric that is a function of sums over the examples of a test set.

    Attributes
    ----------
    name : str
        The name of its function.
    function : callable
        The function of :mod:`sklearn.metrics`, as the scorer calls it.
    arguments : dict
        The arguments that the scorer calls it with.
    influence : callable
        Takes the same, returns the metric and the influence of each example on it.
    response_method : str or tuple of str
        The method of the estimator whose output it takes; the first it has.
    sign : int
        The scorer's score is `sign` times the metric; 1 if greater is better.
    range : tuple of two floats
        The smallest and largest value of the metric; infinite where it has none.
    needs : {"nothing", "examples", "positives", "classes"}
        What a test set needs some of for `influence` to mean something: nothing, for
        means; else examples, positives, or all classes.
    labels : tuple or None
        The only labels that count among the classes; None: all.
    fewest : int
        How many of them a test set needs.
    options : dict
        The arguments, also those that the function is a partial of.
    bias : str
        What the metric is on average where there are fewer, "too low" or "too high";
        empty if it is hardly biased.
    """

    name: str
    function: Callable
    arguments: dict
    influence: Callable
    response_method: Any
    sign: int
    range: tuple
    needs: str
    labels: tuple | None = None
    fewest: int = MIN_EXAMPLES
    options: dict = field(default_factory=dict)
    bias: str = ""

    @property
    def greater_is_better(self):
        """Whether a greater value of the metric is better, bool."""
        return self.sign > 0

    @property
    def score_range(self):
        """The smallest and largest score, of the scorer's sign, tuple of two floats."""
        low, high = self.range
        return (low, high) if self.sign > 0 else (-high, -low)

    def smallest_classes(self, y, splits):
        """Return what each test set has least of.

        Parameters
        ----------
        y : ndarray of shape (n_samples,) or (n_samples, n_labels)
            The target.
        splits : list of (train, test)
            Index arrays.

        Returns
        -------
        counts : ndarray of shape (n_splits,)
            The number of examples in the smallest class that the metric needs.
        """
        of = counted(self, y)
        return np.array([of[test].sum(axis=0).min() for _, test in splits])


class _Kind(NamedTuple):
    """What is known of a function of scikit-learn."""

    influence: Callable
    range: tuple
    needs: str = "nothing"
    fewest: int = MIN_EXAMPLES
    bias: str = ""


_OF_COUNTS = "by average"

_KINDS = {
    sk.accuracy_score: _Kind(_influence.accuracy, UNIT),
    sk.zero_one_loss: _Kind(_influence.zero_one_loss, UNIT),
    sk.hamming_loss: _Kind(_influence.hamming, UNIT),
    sk.balanced_accuracy_score: _Kind(_influence.balanced_accuracy, UNIT, "classes"),
    sk.precision_score: _Kind(_influence.precision, UNIT, _OF_COUNTS),
    sk.recall_score: _Kind(_influence.recall, UNIT, _OF_COUNTS),
    sk.f1_score: _Kind(_influence.fbeta, UNIT, _OF_COUNTS),
    sk.fbeta_score: _Kind(_influence.fbeta, UNIT, _OF_COUNTS),
    sk.jaccard_score: _Kind(_influence.jaccard, UNIT, _OF_COUNTS),
    sk.matthews_corrcoef: _Kind(_influence.matthews_corrcoef, (-1.0, 1.0), "classes"),
    sk.cohen_kappa_score: _Kind(_influence.cohen_kappa, (-1.0, 1.0), "classes"),
    sk.roc_auc_score: _Kind(_ranks.roc_auc, UNIT, "classes"),
    sk.average_precision_score: _Kind(
        _ranks.average_precision, UNIT, "classes", MIN_FOR_PRECISION, "too high"
    ),
    sk.log_loss: _Kind(_influence.log_loss, POSITIVE),
    sk.brier_score_loss: _Kind(_influence.brier_score_loss, (0.0, 2.0)),
    # of ten normal values with an R² of 0.5, it is 0.34 on average
    sk.r2_score: _Kind(
        _influence.r2, BELOW_ONE, "examples", MIN_FOR_VARIANCE, "too low"
    ),
    sk.explained_variance_score: _Kind(
        _influence.explained_variance,
        BELOW_ONE,
        "examples",
        MIN_FOR_VARIANCE,
        "too low",
    ),
    sk.mean_squared_error: _Kind(_influence.mean_squared_error, POSITIVE),
    sk.mean_squared_log_error: _Kind(_influence.mean_squared_log_error, POSITIVE),
    sk.mean_absolute_error: _Kind(_influence.mean_absolute_error, POSITIVE),
    sk.mean_absolute_percentage_error: _Kind(
        _influence.mean_absolute_percentage_error, POSITIVE
    ),
    sk.mean_pinball_loss: _Kind(_influence.mean_pinball_loss, POSITIVE),
    sk.mean_tweedie_deviance: _Kind(_influence.mean_tweedie_deviance, POSITIVE),
    sk.mean_poisson_deviance: _Kind(
        functools.partial(_influence.mean_tweedie_deviance, power=1), POSITIVE
    ),
    sk.mean_gamma_deviance: _Kind(
        functools.partial(_influence.mean_tweedie_deviance, power=2), POSITIVE
    ),
    sk.root_mean_squared_error: _Kind(
        _influence.root_mean_squared_error, POSITIVE, "examples"
    ),
    sk.root_mean_squared_log_error: _Kind(
        _influence.root_mean_squared_log_error, POSITIVE, "examples"
    ),
    _ranks.concordance_index: _Kind(_ranks.concordance, UNIT, "examples"),
}


def find_metric(scoring, y=None):
    """Return the metric that a scorer computes, if it is a function of sums.

    Parameters
    ----------
    scoring : str or callable
        The name of a scorer, or what `make_scorer` or `get_scorer` made.
    y : array-like of shape (n_samples,) or (n_samples, n_outputs), default=None
        The target, whose number of classes bounds some metrics.

    Returns
    -------
    metric : Metric or None
        None for a scorer of which it cannot be told, or that is something else: a
        median, say, or a function of your own.
    """
    parts = scorer_parts(_as_scorer(scoring))
    if parts is None:
        return None
    function, bound = _unwrapped(parts.function)
    arguments = {**bound, **parts.arguments}
    try:
        kind = _KINDS.get(function)
    except TypeError:  # not hashable
        kind = None
    if kind is None or not _is_known(function, arguments):
        return None
    needs, labels = _needs_of(kind, function, arguments)
    influence = functools.partial(kind.influence, **bound) if bound else kind.influence
    return Metric(
        name=function.__name__,
        function=parts.function,
        arguments=parts.arguments,
        influence=influence,
        response_method=parts.response_method,
        sign=parts.sign,
        range=_range_of(kind, function, arguments, y),
        needs=needs,
        labels=labels,
        fewest=kind.fewest,
        options=arguments,
        bias=kind.bias,
    )


def _as_scorer(scoring):
    """Return the scorer of a name, None if there is none."""
    if not isinstance(scoring, str):
        return scoring
    return get_scorer(scoring) if scoring in get_scorer_names() else None


def score_range(scoring):
    """Return the smallest and the largest score, infinite where they are not known."""
    metric = find_metric(scoring := own_score(scoring) or scoring)
    if metric is not None:
        return metric.score_range
    parts = scorer_parts(_as_scorer(scoring))
    function = getattr(parts, "function", None)
    name = getattr(function, "__name__", "")
    low, high = function_range(name if vars(sk).get(name) is function else "")
    return (-high, -low) if getattr(parts, "sign", 1) < 0 else (low, high)


def _range_of(kind, function, arguments, y):
    if function is sk.balanced_accuracy_score and arguments.get("adjusted"):
        return -1.0, 1.0
    if function is sk.brier_score_loss and y is not None:
        y = as_target_array(y)
        if y.ndim == 1 and len(unique_labels(y)) == 2:
            return UNIT
    return kind.range


def named_range(name, is_score):
    """Return the smallest and largest value of that score, or loss, by its name."""
    name = standard_name(name)
    known = known_range(name, is_score)
    if known is not None:
        return known
    low, high = score_range(name if is_score else f"neg_{name}")
    return (low, high) if is_score else (-high, -low)


def is_bounded_by_one(name, is_score):
    """Return whether no value of that score, or loss, is above one, by its name."""
    return named_range(name, is_score)[1] == 1.0


def _unwrapped(function):
    """Return the function in a partial, and the keywords that it binds."""
    bound = {}
    while isinstance(function, functools.partial) and not function.args:
        bound = {**function.keywords, **bound}
        function = function.func
    return function, bound


def _is_known(function, arguments):
    """Whether the metric is a function of sums for these arguments, too."""
    known = set(inspect.signature(function).parameters) - {"sample_weight"}
    ranked = function in (sk.roc_auc_score, sk.average_precision_score)
    by_example = ranked and arguments.get("average") == "samples"
    return (
        set(arguments) <= known
        and not by_example
        and arguments.get("max_fpr") is None
        and not any(_is_refused(name, arguments) for name in REFUSED)
    )


def _is_refused(name, arguments):
    value = arguments.get(name, "")
    is_one = isinstance(value, (str, bool, type(None)))  # not the weights of outputs
    return is_one and value in REFUSED[name]


def _needs_of(kind, function, arguments):
    """Return what a test set needs some of, and the labels that count."""
    needs, labels = kind.needs, arguments.get("labels")
    if needs == _OF_COUNTS:
        default = inspect.signature(function).parameters["average"].default
        average = arguments.get("average", default)
        needs = {"binary": "positives", "micro": "examples", "samples": "examples"}.get(
            average, "classes"
        )
        if needs == "positives":
            labels = [arguments.get("pos_label", 1)]
    return needs, None if labels is None else tuple(np.asarray(labels).tolist())


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
    metric: Metric

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
        if smallest[worst] >= self.metric.fewest:
            return ""
        of = {
            "examples": "examples",
            "positives": "examples of the positive class",
            "classes": "examples of each class",
        }[self.metric.needs]
        bias = self.metric.bias
        if bias:
            bias = f" On test sets this small it is also {bias} on average."
        return (
            f"{self.name} has a value per example if each test set holds at least "
            f"{self.metric.fewest} {of}; the test set of split {worst} holds "
            f"{smallest[worst]}. Only one value per split is kept, so only tests of "
            f"fold means can be used.{bias} {more_in_each(self.metric, y, splits)}"
        )


def metric_measure(scorer, name, y=None):
    """Return the MetricMeasure of a scorer, None if it has one value per split only."""
    metric = find_metric(scorer, y)
    return None if metric is None else MetricMeasure(scorer, name, metric)


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
