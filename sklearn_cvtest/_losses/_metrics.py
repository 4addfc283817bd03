"""The metrics that are functions of sums: one row for each says what is known of it.

And the ranges of scores.
"""

import functools
import inspect
import math
from collections.abc import Callable, Hashable
from typing import NamedTuple

import numpy as np
from sklearn import metrics as sk
from sklearn.metrics import get_scorer, get_scorer_names

from .._compat import own_score, scorer_parts
from . import _formulas, _influence, _rank_metrics
from ._formulas import as_target_array, unique_labels
from ._metric_measure import NOTHING, MetricMeasure, signed
from ._named_losses import ENDLESS, POSITIVE, UNIT, get_loss

# Examples of a class, or of all, in each test set. For a fixed rule half as many would
# do, or two thirds; not for one that is trained on as few of the class.
MIN_EXAMPLES, MIN_FOR_PRECISION, MIN_FOR_VARIANCE = 10, 15, 30
BELOW_ONE, CORRELATION = (-math.inf, 1.0), (-1.0, 1.0)
BRIER_RANGES = get_loss("brier").value_ranges


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


def _row(influence, formula, *of_row, needs="nothing", **options):
    """Return the row of a metric that is computed from a formula of `_formulas`."""
    influence = functools.partial(influence, formula, **options)
    return Row(influence, *of_row, needs=needs)


_mean_of = functools.partial(_row, _influence.mean_loss)
_root_of = functools.partial(_row, _influence.root_mean_loss, needs="examples")
_share_of = functools.partial(_row, _influence.mean_of_labels)
# of ten normal values with an R² of 0.5, it is 0.34 on average
_OF_VARIANCE = BELOW_ONE, "examples", MIN_FOR_VARIANCE, "too low"

ROWS = {
    sk.accuracy_score: _share_of(_influence.hits, UNIT),
    sk.zero_one_loss: _share_of(_formulas.zero_one, UNIT),
    sk.hamming_loss: _share_of(_formulas.hamming, UNIT),
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
    sk.roc_auc_score: Row(
        _rank_metrics.roc_auc, UNIT, "classes", rests=_on_all, ranks=True
    ),
    sk.average_precision_score: Row(
        _rank_metrics.average_precision,
        UNIT,
        "classes",
        MIN_FOR_PRECISION,
        "too high",
        _of_precision,
        ranks=True,
    ),
    _rank_metrics.concordance_index: Row(_rank_metrics.concordance, UNIT, "examples"),
    sk.log_loss: Row(_influence.log_loss),
    sk.brier_score_loss: Row(_influence.brier_score_loss, BRIER_RANGES[-1]),
    sk.r2_score: Row(_influence.r2, *_OF_VARIANCE),
    sk.explained_variance_score: Row(_influence.explained_variance, *_OF_VARIANCE),
    sk.mean_squared_error: _mean_of(_formulas.squared_error),
    sk.mean_squared_log_error: _mean_of(_formulas.squared_log_error),
    sk.mean_absolute_error: _mean_of(_formulas.absolute_error),
    sk.mean_absolute_percentage_error: _mean_of(_formulas.absolute_percentage_error),
    sk.mean_pinball_loss: _mean_of(_formulas.pinball),
    sk.mean_tweedie_deviance: _mean_of(_formulas.tweedie_deviance),
    sk.mean_poisson_deviance: _mean_of(_formulas.tweedie_deviance, power=1),
    sk.mean_gamma_deviance: _mean_of(_formulas.tweedie_deviance, power=2),
    sk.root_mean_squared_error: _root_of(_formulas.squared_error),
    sk.root_mean_squared_log_error: _root_of(_formulas.squared_log_error),
}
# Functions of scikit-learn without values of examples that have a range.
FUNCTIONS = {"max_error": POSITIVE, "median_absolute_error": POSITIVE}
FUNCTIONS |= {"top_k_accuracy_score": UNIT, "label_ranking_loss": UNIT}
FUNCTIONS |= {"label_ranking_average_precision_score": UNIT}


def find_metric(scoring, y=None, name=""):
    """Return the measure of a scorer, if its metric is a function of sums.

    Parameters
    ----------
    scoring : str or callable
        The name of a scorer, or what `make_scorer` or `get_scorer` made.
    y : array-like of shape (n_samples,) or (n_samples, n_outputs), default=None
        The target, whose number of classes bounds some metrics.
    name : str, default=""
        What the measure is called.

    Returns
    -------
    measure : MetricMeasure or None
        None for a scorer of which it cannot be told, or that is something else: a
        median, say, or a function of your own, which has one value per split only.
    """
    scorer = _as_scorer(scoring)
    components = scorer_parts(scorer)
    if components is None:
        return None
    function, bound = components.function, {}
    while isinstance(function, functools.partial) and not function.args:
        bound = {**function.keywords, **bound}
        function = function.func
    options = bound | components.arguments
    row = ROWS.get(function) if isinstance(function, Hashable) else None
    if row is None or _is_no_function_of_sums(function, row, options):
        return None
    needs, labels = row.needs, options.get("labels")
    if needs == "by average":
        average = options.get("average", "binary")
        kinds = {"micro": "examples", "samples": "examples", "binary": "positives"}
        needs = kinds.get(average, "classes")
        labels = [options.get("pos_label", 1)] if average == "binary" else labels
    return MetricMeasure(
        scorer,
        name,
        row,
        function.__name__,
        **components._asdict(),
        influence=functools.partial(row.influence, **bound) if bound else row.influence,
        options=options,
        range=_range_of(function, row.range, options, y),
        needs=needs,
        labels=None if labels is None else tuple(np.asarray(labels).tolist()),
    )


def _as_scorer(scoring):
    """Return the scorer of a name, None if there is none."""
    if not isinstance(scoring, str):
        return scoring
    return get_scorer(scoring) if scoring in get_scorer_names() else None


def _is_no_function_of_sums(function, row, options):
    """Whether with these arguments it is none, or not one number."""
    param_names = inspect.signature(function).parameters.keys() - {"sample_weight"}
    outputs = options.get("multioutput")
    return (
        not options.keys() <= param_names
        or options.get("normalize") is False
        or options.get("average", "") is None
        or options.get("max_fpr") is not None
        or (isinstance(outputs, str) and outputs == "raw_values")
        or (row.ranks and options.get("average") == "samples")
    )


def _range_of(function, default_range, options, y):
    if function is sk.balanced_accuracy_score and options.get("adjusted"):
        return CORRELATION
    if function is sk.brier_score_loss and y is not None:
        y = as_target_array(y)
        if y.ndim == 1 and len(unique_labels(y)) == 2:
            return BRIER_RANGES[0]
    return default_range


# The range of a scorer ------------------------------------------------------------


def score_range(scoring):
    """Return the smallest and the largest score, infinite where they are not known."""
    metric = find_metric(scoring := own_score(scoring) or scoring)
    if metric is not None:
        return metric.score_range
    scorer = _as_scorer(scoring)
    name = name_of_function(scorer)
    if not name:
        return ENDLESS
    default_range = BELOW_ONE if name.startswith("d2_") else ENDLESS
    return signed(FUNCTIONS.get(name, default_range), scorer_parts(scorer).sign)


def name_of_function(scorer):
    """Return the name of the function of scikit-learn that a scorer calls, or ""."""
    function = getattr(scorer_parts(scorer), "function", None)
    name = getattr(function, "__name__", "")
    return name if vars(sk).get(name, "") is function else ""
