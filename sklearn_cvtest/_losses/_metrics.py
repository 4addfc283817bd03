"""The metrics that are functions of sums: a MetricSpec says what is known of each.

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
from ._metric_measure import MetricMeasure, signed
from ._named_losses import ENDLESS, POSITIVE, UNIT, get_loss

# Examples of a class, or of all, in each test set. For a fixed rule half as many would
# do, or two thirds; not for one that is trained on as few of the class. Doubled, values
# per example would be refused for many small test sets.
MIN_EXAMPLES = 10
# The ρ of predicted labels (docs/data/one_class.csv). By F1 and recall of one class, 9%
# of equal models differ significantly at 1/3, 5% at 0.5 and 3% at 0.6; by averages over
# two classes, one of them rarer than UNEQUAL, 7 to 10% at 1/3 and 3 to 5% at 0.5. With
# equal classes, averages are like the accuracy: 4% at 1/3.
RHO_OF_CLASS = 0.6
RHO_OF_AVERAGES = 0.5
UNEQUAL = 0.4
# Ranges of values.
BELOW_ONE = (-math.inf, 1.0)
CORRELATION = (-1.0, 1.0)
BRIER_RANGES = get_loss("brier").value_ranges


class MetricSpec(NamedTuple):
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
    min_count : int
        How many of them a test set needs.
    bias : str
        What the metric is on average where there are fewer, "too low" or "too high";
        empty if it is hardly biased.
    ranks : bool
        Whether it takes scores, which it ranks, for labels.
    """

    influence: Callable
    range: tuple = POSITIVE
    needs: str = "nothing"
    min_count: int = MIN_EXAMPLES
    bias: str = ""
    ranks: bool = False


def _spec(influence, formula, *arguments, needs="nothing", **options):
    """Return the MetricSpec of what is computed from a formula of `_formulas`."""
    influence = functools.partial(influence, formula, **options)
    return MetricSpec(influence, *arguments, needs=needs)


_mean_of = functools.partial(_spec, _influence.mean_loss)
_root_of = functools.partial(_spec, _influence.root_mean_loss, needs="examples")
_share_of = functools.partial(_spec, _influence.mean_of_labels)
_by_average = functools.partial(MetricSpec, range=UNIT, needs="by average")
# of ten normal values with an R² of 0.5, it is 0.34 on average
_OF_VARIANCE = BELOW_ONE, "examples", 30, "too low"

METRICS = {
    sk.accuracy_score: _share_of(_influence.hits, UNIT),
    sk.zero_one_loss: _share_of(_formulas.zero_one, UNIT),
    sk.hamming_loss: _share_of(_formulas.hamming, UNIT),
    sk.balanced_accuracy_score: MetricSpec(
        _influence.balanced_accuracy, UNIT, "classes"
    ),
    sk.precision_score: _by_average(_influence.precision),
    sk.recall_score: _by_average(_influence.recall),
    sk.f1_score: _by_average(_influence.fbeta),
    sk.fbeta_score: _by_average(_influence.fbeta),
    sk.jaccard_score: _by_average(_influence.jaccard),
    sk.matthews_corrcoef: MetricSpec(
        _influence.matthews_corrcoef, CORRELATION, "classes"
    ),
    sk.cohen_kappa_score: MetricSpec(_influence.cohen_kappa, CORRELATION, "classes"),
    sk.roc_auc_score: MetricSpec(_rank_metrics.roc_auc, UNIT, "classes", ranks=True),
    sk.average_precision_score: MetricSpec(
        _rank_metrics.average_precision,
        UNIT,
        "classes",
        15,
        "too high",
        ranks=True,
    ),
    _rank_metrics.concordance_index: MetricSpec(
        _rank_metrics.concordance, UNIT, "examples"
    ),
    sk.log_loss: MetricSpec(_influence.log_loss),
    sk.brier_score_loss: MetricSpec(_influence.brier_score_loss, BRIER_RANGES[-1]),
    sk.r2_score: MetricSpec(_influence.r2, *_OF_VARIANCE),
    sk.explained_variance_score: MetricSpec(
        _influence.explained_variance, *_OF_VARIANCE
    ),
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
FUNCTIONS = {
    "label_ranking_average_precision_score": UNIT,
    "label_ranking_loss": UNIT,
    "max_error": POSITIVE,
    "median_absolute_error": POSITIVE,
    "top_k_accuracy_score": UNIT,
}


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
    function = components.function
    bound = {}
    while isinstance(function, functools.partial) and not function.args:
        bound = {**function.keywords, **bound}
        function = function.func
    options = bound | components.arguments
    spec = METRICS.get(function) if isinstance(function, Hashable) else None
    if spec is None or _is_no_function_of_sums(function, spec, options):
        return None
    needs = spec.needs
    labels = options.get("labels")
    if needs == "by average":
        average = options.get("average", "binary")
        needs = "classes"
        if average in ("micro", "samples"):
            needs = "examples"
        elif average == "binary":
            needs = "positives"
            labels = [options.get("pos_label", 1)]
    if labels is not None:
        labels = tuple(np.asarray(labels).tolist())
    influence = spec.influence
    if bound:
        influence = functools.partial(influence, **bound)
    return MetricMeasure(
        scorer,
        name,
        spec,
        function.__name__,
        **components._asdict(),
        influence=influence,
        options=options,
        range=_range_of(function, spec.range, options, y),
        needs=needs,
        labels=labels,
        rho=1 / 3 if spec.ranks else _rho_of_labels(needs, labels, options, y),
    )


def _rho_of_labels(needs, labels, options, y):
    """Return the ρ that the default test assumes for a metric of predicted labels."""
    if labels is not None and len(labels) == 1:
        return RHO_OF_CLASS
    weighs_alike = options.get("average") != "weighted"
    if needs == "classes" and weighs_alike and _has_rarer_class(y):
        return RHO_OF_AVERAGES
    return 1 / 3


def _has_rarer_class(y):
    """Whether a target has two classes, one of them rarer than UNEQUAL."""
    if y is None or as_target_array(y).ndim != 1:
        return False
    y = as_target_array(y)
    labels, counts = unique_labels(y, return_counts=True)
    return len(labels) == 2 and counts.min() < UNEQUAL * len(y)


def _as_scorer(scoring):
    """Return the scorer of a name, None if there is none."""
    if not isinstance(scoring, str):
        return scoring
    return get_scorer(scoring) if scoring in get_scorer_names() else None


def _is_no_function_of_sums(function, spec, options):
    """Whether with these arguments it is none, or not one number."""
    param_names = inspect.signature(function).parameters.keys() - {"sample_weight"}
    outputs = options.get("multioutput")
    return (
        not options.keys() <= param_names
        or options.get("normalize") is False
        or options.get("average", "") is None
        or options.get("max_fpr") is not None
        or (isinstance(outputs, str) and outputs == "raw_values")
        or (spec.ranks and options.get("average") == "samples")
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
    scoring = own_score(scoring) or scoring
    metric = find_metric(scoring)
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
