"""The metrics that are functions of sums: one row for each says what is known of it."""

import functools
import inspect
import math
from collections.abc import Callable, Hashable
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
from sklearn import metrics as sk
from sklearn.metrics import get_scorer, get_scorer_names

from .._compat import own_score, scorer_parts
from . import _influence, _ranks
from ._bounds import (
    BELOW_ONE,
    CORRELATION,
    ENDLESS,
    FUNCTIONS,
    LOSSES,
    NOTHING,
    POSITIVE,
    SCORERS,
    UNIT,
    without_average,
)
from ._formulas import as_target_array, unique_labels
from ._metric_measure import MetricMeasure, counted

# Examples of a class, or of all, in each test set. For a fixed rule half as many would
# do, or two thirds (docs/data/metric_thresholds.csv); not for one that is trained on as
# few of the class (docs/data/metric_calibration.csv).
MIN_EXAMPLES, MIN_FOR_PRECISION, MIN_FOR_VARIANCE = 10, 15, 30


# What a metric rests on that is the same in all test sets (see `_metric_measure`): on
# how many of the n examples that it needs, at the lower end of its range, between, and
# at the upper.


def _on_nothing(n, options):
    return NOTHING


def _on_all(n, options):
    return n, n, n


def _of_f(n, options):
    beta = options.get("beta", 1.0)
    part = n / (1 + beta**-2) if beta else 0.0
    return part, part, n if beta else 0.0


def _of_correlation(n, options):
    return n, 0.0, n


def _of_kappa(n, options):
    return 0.0, 0.0 if options.get("weights") == "quadratic" else n / 2, n


def _of_precision(n, options):
    return 0.0, 0.0, n / (1 + math.log(max(n, 1)))


class Row(NamedTuple):
    """What is known of a function of scikit-learn.

    Attributes
    ----------
    influence : callable
        Takes the same arguments, returns the metric and the influence of each example.
    range : tuple of two floats
        The smallest and largest value of the metric; infinite where it has none.
    needs : {"nothing", "examples", "classes", "by average"}
        What a test set needs some of for `influence` to mean something: nothing, for
        means; else examples, or all classes. "by average": what `average` says.
    fewest : int
        How many of them a test set needs.
    bias : str
        What the metric is on average where there are fewer, "too low" or "too high";
        empty if it is hardly biased.
    rests : callable
        Takes the number of examples of the rarest of what it needs and the arguments,
        returns on how many it rests where it is the same in all test sets.
    ranks : bool
        Whether it takes scores, which it ranks, for labels.
    """

    influence: Callable
    range: tuple = POSITIVE
    needs: str = "nothing"
    fewest: int = MIN_EXAMPLES
    bias: str = ""
    rests: Callable = _on_nothing
    ranks: bool = False


_tweedie = _influence.mean_tweedie_deviance
_poisson, _gamma = (functools.partial(_tweedie, power=power) for power in (1, 2))
# of ten normal values with an R² of 0.5, it is 0.34 on average
_OF_VARIANCE = BELOW_ONE, "examples", MIN_FOR_VARIANCE, "too low"

ROWS = {
    sk.accuracy_score: Row(_influence.accuracy, UNIT),
    sk.zero_one_loss: Row(_influence.zero_one_loss, UNIT),
    sk.hamming_loss: Row(_influence.hamming, UNIT),
    sk.balanced_accuracy_score: Row(
        _influence.balanced_accuracy, UNIT, "classes", rests=_on_all
    ),
    sk.precision_score: Row(_influence.precision, UNIT, "by average"),
    sk.recall_score: Row(_influence.recall, UNIT, "by average", rests=_on_all),
    sk.f1_score: Row(_influence.fbeta, UNIT, "by average", rests=_of_f),
    sk.fbeta_score: Row(_influence.fbeta, UNIT, "by average", rests=_of_f),
    sk.jaccard_score: Row(_influence.jaccard, UNIT, "by average", rests=_on_all),
    sk.matthews_corrcoef: Row(
        _influence.matthews_corrcoef, CORRELATION, "classes", rests=_of_correlation
    ),
    sk.cohen_kappa_score: Row(
        _influence.cohen_kappa, CORRELATION, "classes", rests=_of_kappa
    ),
    sk.roc_auc_score: Row(_ranks.roc_auc, UNIT, "classes", rests=_on_all, ranks=True),
    sk.average_precision_score: Row(
        _ranks.average_precision,
        UNIT,
        "classes",
        MIN_FOR_PRECISION,
        "too high",
        _of_precision,
        ranks=True,
    ),
    _ranks.concordance_index: Row(_ranks.concordance, UNIT, "examples"),
    sk.log_loss: Row(_influence.log_loss),
    sk.brier_score_loss: Row(_influence.brier_score_loss, (0.0, 2.0)),
    sk.r2_score: Row(_influence.r2, *_OF_VARIANCE),
    sk.explained_variance_score: Row(_influence.explained_variance, *_OF_VARIANCE),
    sk.mean_squared_error: Row(_influence.mean_squared_error),
    sk.mean_squared_log_error: Row(_influence.mean_squared_log_error),
    sk.mean_absolute_error: Row(_influence.mean_absolute_error),
    sk.mean_absolute_percentage_error: Row(_influence.mean_absolute_percentage_error),
    sk.mean_pinball_loss: Row(_influence.mean_pinball_loss),
    sk.mean_tweedie_deviance: Row(_tweedie),
    sk.mean_poisson_deviance: Row(_poisson),
    sk.mean_gamma_deviance: Row(_gamma),
    sk.root_mean_squared_error: Row(
        _influence.root_mean_squared_error, needs="examples"
    ),
    sk.root_mean_squared_log_error: Row(
        _influence.root_mean_squared_log_error, needs="examples"
    ),
}


@dataclass(frozen=True)
class Metric:
    """A metric that is a function of sums over the examples of a test set.

    Attributes
    ----------
    row : Row
        What is known of its function.
    name : str
        The name of its function.
    function : callable
        The function of :mod:`sklearn.metrics`, as the scorer calls it.
    arguments : dict
        The arguments that the scorer calls it with.
    sign : int
        The scorer's score is `sign` times the metric; 1 if greater is better.
    response_method : str or tuple of str
        The method of the estimator whose output it takes; the first it has.
    influence : callable
        The influence of the row, with the arguments that `function` is a partial of.
    options : dict
        The arguments, also those that the function is a partial of.
    range : tuple of two floats
        The smallest and largest value with these arguments.
    needs : {"nothing", "examples", "positives", "classes"}
        What a test set needs some of, with these arguments.
    labels : tuple or None
        The only labels that count among the classes; None: all.
    """

    row: Row
    name: str
    function: Callable
    arguments: dict
    sign: int
    response_method: Any
    influence: Callable
    options: dict
    range: tuple
    needs: str
    labels: tuple | None

    @property
    def greater_is_better(self):
        """Whether a greater value of the metric is better, bool."""
        return self.sign > 0

    @property
    def score_range(self):
        """The smallest and largest score, of the scorer's sign, tuple of two floats."""
        return _signed(self.range, self.sign)

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
    options = bound | parts.arguments
    row = ROWS.get(function) if isinstance(function, Hashable) else None
    if row is None or _is_no_function_of_sums(function, row, options):
        return None
    needs, labels = row.needs, options.get("labels")
    if needs == "by average":
        average = options.get("average", "binary")
        kinds = {"micro": "examples", "samples": "examples", "binary": "positives"}
        needs = kinds.get(average, "classes")
        labels = [options.get("pos_label", 1)] if average == "binary" else labels
    return Metric(
        row=row,
        name=function.__name__,
        **parts._asdict(),
        influence=functools.partial(row.influence, **bound) if bound else row.influence,
        options=options,
        range=_range_of(function, row.range, options, y),
        needs=needs,
        labels=None if labels is None else tuple(np.asarray(labels).tolist()),
    )


def metric_measure(scorer, name, y=None):
    """Return the MetricMeasure of a scorer, None if it has one value per split only."""
    metric = find_metric(scorer, y)
    return None if metric is None else MetricMeasure(scorer, name, metric)


def _as_scorer(scoring):
    """Return the scorer of a name, None if there is none."""
    if not isinstance(scoring, str):
        return scoring
    return get_scorer(scoring) if scoring in get_scorer_names() else None


def _unwrapped(function):
    """Return the function in a partial, and the keywords that it binds."""
    bound = {}
    while isinstance(function, functools.partial) and not function.args:
        bound = {**function.keywords, **bound}
        function = function.func
    return function, bound


def _is_no_function_of_sums(function, row, options):
    """Whether with these arguments it is none, or not one number."""
    known = inspect.signature(function).parameters.keys() - {"sample_weight"}
    outputs = options.get("multioutput")
    return (
        not options.keys() <= known
        or options.get("normalize") is False
        or options.get("average", "") is None
        or options.get("max_fpr") is not None
        or (isinstance(outputs, str) and outputs == "raw_values")
        or (row.ranks and options.get("average") == "samples")
    )


def _range_of(function, known, options, y):
    if function is sk.balanced_accuracy_score and options.get("adjusted"):
        return CORRELATION
    if function is sk.brier_score_loss and y is not None:
        y = as_target_array(y)
        if y.ndim == 1 and len(unique_labels(y)) == 2:
            return UNIT
    return known


def _signed(ends, sign):
    low, high = ends
    return (low, high) if sign > 0 else (-high, -low)


def score_range(scoring):
    """Return the smallest and the largest score, infinite where they are not known."""
    metric = find_metric(scoring := own_score(scoring) or scoring)
    if metric is not None:
        return metric.score_range
    parts = scorer_parts(_as_scorer(scoring))
    name = getattr(getattr(parts, "function", None), "__name__", "")
    if parts is None or vars(sk).get(name) is not parts.function:
        return ENDLESS
    known = BELOW_ONE if name.startswith("d2_") else ENDLESS
    return _signed(FUNCTIONS.get(name, known), parts.sign)


def named_range(name, is_score):
    """Return the smallest and largest value of that score, or loss, by its name."""
    name = without_average(name)
    if is_score:
        return score_range(SCORERS.get(name, name))
    return UNIT if name in LOSSES else _signed(score_range(f"neg_{name}"), -1)


def is_bounded_by_one(name, is_score):
    """Return whether no value of that score, or loss, is above one, by its name."""
    return named_range(name, is_score)[1] == 1.0
