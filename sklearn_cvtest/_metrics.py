"""Losses and scores: what is computed, from which response, and what it is called.

A loss has a value for each example. A score that is a function of sums over examples
has one, too: minus the score of the test set, minus the influence of the example.
"""

import re
from collections.abc import Callable
from copy import deepcopy
from dataclasses import dataclass, replace
from functools import partial

import numpy as np
from sklearn.base import is_classifier, is_regressor
from sklearn.metrics import get_scorer
from sklearn.utils.multiclass import type_of_target

from . import _formulas as f
from ._compat import scorer_parts
from ._validation import check_option, check_real, invalid, warn

INF = np.inf
RESPONSE_METHODS = ("predict", "predict_proba", "decision_function")


@dataclass(frozen=True)
class Metric:
    """A loss or a score.

    Attributes
    ----------
    name : str
        What users write.
    word : str
        What people call it.
    function : callable or None
        ``function(y_true, response, classes)``: the losses of examples; of a score,
        which takes weights as well, the score and the influences of examples. None of
        what is only read from files.
    response : str
        "predict", "predict_proba", or "scores" for whichever ranks examples.
    low, high : float
        Its range.
    is_score : bool
        Whether more is better.
    is_share : bool
        Whether people read it in percent.
    by_ratio : bool
        Whether two means are compared by their ratio.
    is_weighted : bool
        Whether its mean is weighted.
    root_word : str
        What the root of its mean is called, if people read that.
    target : str
        "classes" or "numbers", if y must be that.
    needs : str
        What each test set needs some of: "examples", "classes", "positives".
    min_count : int
        How many of them.
    rho : float
        The share of the variance that training sets have in common, as z assumes it.
    weighs_classes_alike : bool
        Whether it averages over classes, however rare they are.
    constant : callable or None
        Its mean where the same is predicted of all examples.
    constant_word : str
        What that prediction is.
    aliases : tuple of str
        What others call it; ``neg_`` before a name is left out.
    parameters : tuple of str
        What `make_scorer` may pass on to the function.
    computed_as : str
        The metric that is computed where this one is asked for.
    positive : object
        The label that counts.
    scorer : callable or None
        A scorer that is all that is known.
    by_split : bool
        Whether only the mean of a test set is kept.
    """

    name: str
    word: str
    function: Callable | None
    response: str = "predict"
    low: float = 0.0
    high: float = INF
    is_score: bool = False
    is_share: bool = False
    by_ratio: bool = False
    root_word: str = ""
    is_weighted: bool = False
    target: str = ""
    needs: str = ""
    min_count: int = 0
    rho: float = 1 / 3
    weighs_classes_alike: bool = False
    constant: Callable | None = None
    constant_word: str = ""
    aliases: tuple = ()
    parameters: tuple = ()
    computed_as: str = ""
    positive: object = 1
    scorer: Callable | None = None
    by_split: bool = False

    @property
    def sign(self):
        """What losses are multiplied by for the number that users know."""
        return -1 if self.is_score else 1

    @property
    def exponent(self):
        """0.5 where people read the root of the mean loss, else 1."""
        return 0.5 if self.root_word else 1.0

    @property
    def loss_range(self):
        """The smallest and the largest loss."""
        if self.is_score:
            return -self.high, -self.low
        return self.low, self.high

    @property
    def of_one_class(self):
        """Whether it measures the labels of one class."""
        return self.needs == "positives"

    @property
    def per_example(self):
        """Whether there is a value for each example."""
        return self.scorer is None and not self.by_split

    def respond(self, estimator, X):
        """Return what the metric is a function of."""
        method = self.response
        if method == "scores":
            has_decision = hasattr(estimator, "decision_function")
            method = "decision_function" if has_decision else "predict_proba"
        response = np.asarray(getattr(estimator, method)(X))
        if response.dtype.kind == "f" and not np.isfinite(response).all():
            raise ValueError(f"{method} returned nan or inf.")
        if method == "predict_proba" and self.target == "classes":
            low, high = response.min(), response.max()
            if low < 0 or high > 1 + 1e-9:
                raise ValueError(f"{method} returned {low:g} to {high:g}.")
        return response

    def minus_score(self, estimator, X, y, weight):
        """Return minus the score by a scorer, an array of one value."""
        params = {} if weight is None else {"sample_weight": weight}
        score = float(self.scorer(estimator, X, y, **params))
        if not np.isfinite(score):
            raise ValueError(f"The {self.word} is nan or inf.")
        return np.array([-score])

    def values(self, y, response, classes, weight=None):
        """Return the losses of examples with a response, or minus one score.

        Weighted, the plain mean of the losses is their weighted mean.
        """
        is_column = y.ndim == 1 and response.shape == (len(y), 1)
        if is_column and self.response == "predict":
            response = response[:, 0]
        if self.target == "classes" and self.response == "predict":
            _check_labels(y, response)
        if self.is_score:
            score, influence = self.function(y, response, classes, weight)
            losses = -reweighted(score, influence, weight)
        else:
            losses = np.array(self.function(y, response, classes), dtype=np.float64)
            if self.by_ratio and losses.min() < 0:
                allowed = "one with values of at least 0, to be compared by ratio"
                raise invalid("loss", allowed, losses.min())
            if losses.ndim == 2:
                losses = losses.mean(axis=1)  # over the outputs
            if losses.shape != (len(y),):
                raise ValueError(
                    f"The loss must be one number per example; got {losses.shape}. A "
                    "function with one for a test set is a scorer, for `scoring`."
                )
            if weight is not None:
                mean = np.average(losses, weights=weight)
                losses = reweighted(mean, losses - mean, weight)
        if not np.all(np.abs(losses) < 1e150):  # whose squares are finite
            raise ValueError(f"The {self.word} is nan or inf, or above 1e150.")
        return np.array([losses.mean()]) if self.by_split else losses


@dataclass(frozen=True)
class MetricGroup:
    """One or several metrics of the same fits, and what diagnostics look at.

    Attributes
    ----------
    metrics : dict of str to Metric
        The metrics by name.
    kept : {"", "errors", "probabilities"}
        What is kept of each test example besides: y minus the prediction of a number,
        or the probability of the class that counts.
    """

    metrics: dict
    kept: str = ""

    def losses(self, estimator, X, y, y_train, weight=None):
        """Return the losses by all metrics, one after the other.

        Each gets rows of its own: estimators and scorers may write to them.
        """
        responses = {}  # each is asked for once
        classes = getattr(estimator, "classes_", None)
        if classes is None:
            classes = np.unique(y_train)
        losses = []
        for metric in self.metrics.values():
            if metric.scorer is not None:
                copies = deepcopy(X), deepcopy(y)
                losses.append(metric.minus_score(estimator, *copies, weight))
                continue
            if metric.response not in responses:
                responses[metric.response] = metric.respond(estimator, deepcopy(X))
            response = responses[metric.response]
            losses.append(metric.values(y, response, classes, weight))
        if self.kept == "errors":
            predicted = np.ravel(responses["predict"])
            losses.append(np.subtract(y, predicted, dtype=np.float64))
        elif self.kept == "probabilities":
            positive = next(m.positive for m in self.metrics.values() if m.of_one_class)
            labels = responses["predict"]
            losses.append(probabilities_of_labels(estimator, X, labels, positive))
        return np.concatenate(losses)

    def failed(self, n_test, loss):
        """Return the losses of a fit that failed."""
        losses = []
        for metric in self.metrics.values():
            n_values = n_test if metric.per_example else 1
            losses.append(np.full(n_values, loss))
        if self.kept:
            losses.append(np.full(n_test, np.nan))
        return np.concatenate(losses)

    def split(self, values, n_test):
        """Return the losses by each metric, and what else is kept."""
        sizes = [n_test if m.per_example else 1 for m in self.metrics.values()]
        return np.split(values, np.cumsum(sizes))


def keep_for_diagnostics(metrics, y):
    """Return what MetricGroup keeps of each test example, "" if nothing."""
    measured = [m for m in metrics.values() if m.scorer is None]
    is_number = y.ndim == 1 and y.dtype.kind in "biuf"
    if is_number and any(m.by_ratio and m.response == "predict" for m in measured):
        return "errors"
    return "probabilities" if any(m.of_one_class for m in measured) else ""


def probabilities_of_labels(estimator, X, labels, positive):
    """Return the probabilities of a class, nan unless the labels are made of them."""
    try:
        column = np.flatnonzero(estimator.classes_ == positive)[0]
        probabilities = np.asarray(estimator.predict_proba(X))[:, column]
        is_made_of = (probabilities > 0.5) == (labels == positive)
    except Exception:  # no question of a warning fails a fit
        return np.full(len(labels), np.nan)
    return np.where(is_made_of.all(), probabilities, np.nan)


def _check_labels(y, predicted):
    """Refuse text where labels are numbers, and numbers where they are text."""
    one, other = np.ravel(y)[0], np.ravel(predicted)[0]
    if predicted.shape != y.shape or isinstance(one, str) != isinstance(other, str):
        raise ValueError(
            f"Predicted labels must be as those of the target; got {other!r} in an "
            f"array of shape {predicted.shape}, not {one!r} of {y.shape}."
        )


def reweighted(mean, deviations, weight):
    """Return values of which the plain mean is the weighted one."""
    if weight is None:
        return mean + deviations
    return mean + weight / weight.mean() * deviations


# The metrics that have names --------------------------------------------------------

UNIT = {"low": 0.0, "high": 1.0}
OF_CLASSES = {"target": "classes"}
SHARE = {"is_share": True, **OF_CLASSES, **UNIT}
SCORE = {"is_score": True, **UNIT}
LABELS = {"is_score": True, **SHARE}
RATIO = {"by_ratio": True, "target": "numbers"}
CLASSES = {"needs": "classes", "min_count": 10}
EXAMPLES = {"needs": "examples", "min_count": 10}
ALIKE = {"weighs_classes_alike": True, **CLASSES}
# Labels of a class vary more with the training sample than errors do. At ρ = 1/3,
# equal models differ significantly in 9% by F1 and by recall, and in 7 to 10% by
# averages over two classes of which one is rarer than UNEQUAL; in 3% at 0.6, and in 4
# to 5% at 0.5 (docs/data/one_class.csv). Averages over equal classes, and over several,
# behave as the accuracy.
RHO_OF_CLASS, RHO_OF_AVERAGE = 0.6, 0.5
UNEQUAL = 0.4
ONE_CLASS = {"needs": "positives", "min_count": 1, "rho": RHO_OF_CLASS}
FREQUENT = {"constant_word": "the most frequent class"}
AVERAGES = {"macro": "macro ", "micro": "micro ", "weighted": "class-weighted "}


def _of_counts(name, word, below, *aliases):
    """Return the rows of a metric of counts: of one class, and averages of classes."""
    function = partial(f.count_ratio, below=below)
    options = {"aliases": aliases, "parameters": ("pos_label",), **ONE_CLASS, **LABELS}
    rows = [Metric(name, word, function, **options)]
    for average, prefix in AVERAGES.items():
        needs = {"macro": ALIKE, "micro": EXAMPLES, "weighted": CLASSES}[average]
        averaged = partial(function, average=average)
        also = tuple(f"{alias}_{average}" for alias in aliases)
        also += tuple(f"{average}_{alias}" for alias in (name, *aliases))
        options = {"aliases": also, **needs, **LABELS}
        rows.append(Metric(f"{name}_{average}", prefix + word, averaged, **options))
    return rows


METRICS = [
    Metric(
        "zero_one",
        "error",
        f.zero_one,
        **SHARE,
        constant=f.error_of_constant,
        **FREQUENT,
        aliases=(
            "zero_one_loss",
            "error_rate",
            "err_rate",
            "misclassification_rate",
            "misclassification",
            "classification_error",
            "mmce",
            "ce",
            "error",
        ),
    ),
    Metric(
        "log_loss",
        "log loss",
        f.log_loss,
        "predict_proba",
        **OF_CLASSES,
        constant=f.entropy,
        aliases=("logloss", "cross_entropy", "mlogloss", "nll"),
    ),
    Metric(
        "brier",
        "Brier score",
        f.brier,
        "predict_proba",
        **OF_CLASSES,
        **UNIT,
        constant=f.gini,
        aliases=("brier_score", "brier_score_loss", "bbrier", "mbrier"),
    ),
    Metric(
        "hinge",
        "hinge loss",
        f.hinge,
        "decision_function",
        **OF_CLASSES,
        aliases=("hinge_loss",),
    ),
    Metric(
        "squared_error",
        "squared error",
        f.squared_error,
        **RATIO,
        root_word="RMSE",
        constant=np.var,
        constant_word="the mean",
        aliases=("mean_squared_error", "mse", "l2"),
    ),
    Metric(
        "root_mean_squared_error",
        "RMSE",
        None,
        **RATIO,
        computed_as="squared_error",
        aliases=("rmse",),
    ),
    Metric(
        "squared_log_error",
        "squared log error",
        f.squared_log_error,
        **RATIO,
        root_word="RMSLE",
        aliases=("mean_squared_log_error", "msle"),
    ),
    Metric(
        "root_mean_squared_log_error",
        "RMSLE",
        None,
        **RATIO,
        computed_as="squared_log_error",
        aliases=("rmsle",),
    ),
    Metric(
        "absolute_error",
        "absolute error",
        f.absolute_error,
        **RATIO,
        constant=f.mean_distance,
        constant_word="the median",
        aliases=("mean_absolute_error", "mae", "l1"),
    ),
    Metric(
        "absolute_percentage_error",
        "absolute percentage error",
        f.absolute_percentage_error,
        **RATIO,
        aliases=("mean_absolute_percentage_error", "mape"),
    ),
    Metric(
        "median_absolute_error",
        "median absolute error",
        None,
        **RATIO,
        aliases=("medae",),
    ),
    Metric("max_error", "largest error", None, **RATIO),
    Metric(
        "pinball",
        "pinball loss",
        f.pinball,
        **RATIO,
        aliases=("pinball_loss", "mean_pinball_loss", "quantile_loss"),
        parameters=("alpha",),
    ),
    Metric(
        "poisson_deviance",
        "Poisson deviance",
        f.poisson_deviance,
        **RATIO,
        aliases=("mean_poisson_deviance",),
    ),
    Metric(
        "gamma_deviance",
        "gamma deviance",
        f.gamma_deviance,
        **RATIO,
        aliases=("mean_gamma_deviance",),
    ),
    Metric(
        "accuracy",
        "accuracy",
        f.accuracy,
        **LABELS,
        constant=f.accuracy_of_constant,
        **FREQUENT,
        aliases=("acc", "accuracy_score"),
    ),
    Metric("top_k_accuracy", "top-k accuracy", None, **LABELS),
    Metric(
        "balanced_accuracy",
        "balanced accuracy",
        partial(f.count_ratio, below=(0, 0, 1), average="balanced"),
        **LABELS,
        **ALIKE,
        aliases=("bacc", "balacc", "bal_acc", "balanced_accuracy_score"),
    ),
    *_of_counts("f1", "F1", (0, 0.5, 0.5), "f1_score", "f_score"),
    Metric(
        "fbeta",
        "F-beta",
        f.fbeta,
        **LABELS,
        **ONE_CLASS,
        aliases=("fbeta_score",),
        parameters=("beta", "pos_label"),
    ),
    *_of_counts("precision", "precision", (0, 1, 0), "precision_score", "prec"),
    *_of_counts("recall", "recall", (0, 0, 1), "recall_score"),
    *_of_counts("jaccard", "Jaccard index", (-1, 1, 1), "jaccard_score", "iou"),
    Metric(
        "matthews_corrcoef",
        "Matthews correlation",
        f.matthews_corrcoef,
        **OF_CLASSES,
        low=-1.0,
        high=1.0,
        is_score=True,
        **ALIKE,
        aliases=("mcc",),
    ),
    Metric(
        "roc_auc",
        "ROC AUC",
        f.roc_auc,
        "scores",
        **SCORE,
        **OF_CLASSES,
        **CLASSES,
        constant=f.area_of_constant,
        constant_word="a constant",
        aliases=("auc", "auroc", "roc_auc_score"),
    ),
    Metric(
        "roc_auc_ovr",
        "ROC AUC (one vs rest)",
        partial(f.roc_auc, multi_class="ovr"),
        "predict_proba",
        **SCORE,
        **OF_CLASSES,
        **CLASSES,
        aliases=("roc_auc_score_ovr", "roc_auc_score_ovr_macro"),
    ),
    Metric(
        "roc_auc_ovo",
        "ROC AUC (one vs one)",
        partial(f.roc_auc, multi_class="ovo"),
        "predict_proba",
        **SCORE,
        **OF_CLASSES,
        **CLASSES,
        aliases=("roc_auc_score_ovo", "roc_auc_score_ovo_macro"),
    ),
    Metric(
        "average_precision",
        "average precision",
        f.average_precision,
        "scores",
        **SCORE,
        **OF_CLASSES,
        needs="classes",
        min_count=15,
        aliases=("average_precision_score", "auprc", "aucpr", "pr_auc"),
    ),
    Metric(
        "concordance",
        "concordance index",
        f.concordance,
        **SCORE,
        **EXAMPLES,
        aliases=("concordance_index", "c_index"),
    ),
    Metric(
        "r2",
        "R²",
        f.r2,
        low=-INF,
        high=1.0,
        is_score=True,
        target="numbers",
        needs="examples",
        min_count=30,
        aliases=("r2_score", "rsq"),
    ),
]
UNKNOWN = Metric("", "", None, low=-INF)  # of arrays
BY_NAME = {metric.name: metric for metric in METRICS}
ALIASES = {alias: metric.name for metric in METRICS for alias in metric.aliases}


# Which metric a user means ----------------------------------------------------------


def find_metric(name):
    """Return the row of a name or an alias, or None; "pinball(0.9)" has a parameter."""
    standard = name.strip().lower().removeprefix("test_").removeprefix("neg_")
    base, _, argument = standard.partition("(")
    base = base.strip().replace(" ", "_").replace("-", "_")
    metric = BY_NAME.get(ALIASES.get(base, base))
    if metric is None or not argument:
        return metric
    if not metric.parameters:
        return None
    try:
        value = float(argument.rstrip(") ").rpartition("=")[2])
    except ValueError:
        return None
    return with_arguments(metric, dict.fromkeys(metric.parameters[:1], value))


def with_arguments(metric, arguments):
    """Return a metric whose function has other arguments, None if it cannot."""
    if not arguments:
        return metric
    if not set(arguments) <= set(metric.parameters):
        return None
    if "alpha" in arguments:
        check_real("alpha", arguments["alpha"], 0, np.nextafter(1, 2), closed=True)
    texts = [f"{name}={value!r}" for name, value in arguments.items()]
    return replace(
        metric,
        name=f"{metric.name}({', '.join(texts)})",
        word=f"{metric.word} ({', '.join(texts)})",
        function=partial(metric.function, **arguments),
        positive=arguments.get("pos_label", metric.positive),
    )


def is_several(scoring):
    """Whether several scorers are asked for."""
    return isinstance(scoring, (list, tuple, set, dict))


def choose_metrics(estimators, y, loss, scoring):
    """Return {name: Metric}, of one metric or, of several scorers, of each."""
    if scoring is not None and loss != "auto":
        raise invalid("loss", "left out with `scoring`", loss)
    if not is_several(scoring):
        metric = choose_metric(estimators, y, loss, scoring)
        return {metric.name: metric}
    names = list(scoring)
    if not names or len(set(names)) < len(names):
        raise invalid("scoring", "a list of different names", scoring)
    scorers = scoring if isinstance(scoring, dict) else {n: n for n in names}
    return {
        name: choose_metric(estimators, y, loss, scorer)
        for name, scorer in scorers.items()
    }


def choose_metric(estimators, y, loss, scoring):
    """Return the Metric that the arguments stand for."""
    metric = _choose_loss(estimators, loss) if scoring is None else _of(scoring)
    is_by_label = metric.target == "classes" and metric.function is not None
    if y.ndim == 2 and is_by_label and metric.name not in ("zero_one", "accuracy"):
        if scoring is None:
            raise invalid("y", f"of one column for {metric.word}", y)
        return replace(metric, scorer=get_scorer(scoring), constant=None)
    if metric.target == "numbers" and y.dtype.kind not in "biuf":
        raise invalid("y", f"numeric for {metric.word}", y)
    return _for_classes(metric, y) if metric.target == "classes" else metric


def _for_classes(metric, y):
    """Return a metric of classes for a target."""
    if y.dtype.kind == "f" and type_of_target(y).startswith("continuous"):
        raise invalid("y", f"class labels for {metric.word}", y)
    labels, counts = np.unique(y, return_counts=True)
    labels = labels.tolist()
    if metric.response != "predict" and len(labels) < 2:
        raise invalid("y", f"of two classes or more for {metric.word}", labels)
    if metric.of_one_class and (len(labels) > 2 or metric.positive not in labels):
        hint = f"Pass '{metric.name}_macro'."
        if len(labels) == 2:
            rarer = labels[counts.argmin()]
            hint = f"Pass make_scorer({metric.name}_score, pos_label={rarer!r})."
        allowed = f"of two classes, one of them {metric.positive!r}"
        raise invalid("y", allowed, labels, hint=hint)
    if metric.name == "brier":
        function = partial(f.brier, n_classes=len(labels))
        return replace(metric, function=function, high=min(len(labels) - 1.0, 2.0))
    is_unequal = len(labels) == 2 and counts.min() < UNEQUAL * len(y)
    if metric.weighs_classes_alike and is_unequal:
        return replace(metric, rho=RHO_OF_AVERAGE)
    return metric


def _of(scoring):
    """Return the Metric of a name or a scorer."""
    metric = find_metric(scoring) if isinstance(scoring, str) else None
    if metric is not None and metric.computed_as:
        return BY_NAME[metric.computed_as]
    if metric is not None and metric.function is not None:
        return metric
    return metric_of_scorer(scoring)


def _name_of(function, otherwise):
    """Return the name of a function that has one."""
    name = getattr(function, "__name__", otherwise)
    return "loss" if name == "<lambda>" else name


def _choose_loss(estimators, loss):
    if isinstance(loss, Metric):
        return loss
    if callable(loss):
        name = _name_of(loss, "loss")
        function = partial(_call_without_classes, loss)
        return Metric(name, name.replace("_", " "), function, low=-INF)
    if loss != "auto":
        metric = find_metric(loss) if isinstance(loss, str) else None
        if metric is None:
            allowed = "a callable or the name of a metric"
            raise invalid("loss", allowed, loss, hint=f"Names: {', '.join(BY_NAME)}.")
        return _of(loss)
    if all(map(is_classifier, estimators)):
        return BY_NAME["zero_one"]
    if all(map(is_regressor, estimators)):
        return BY_NAME["squared_error"]
    hint = "The estimators are not all classifiers or all regressors."
    raise invalid("loss", "given", loss, hint=hint)


def _call_without_classes(loss, y_true, y_pred, classes):
    return loss(y_true, y_pred)


def metric_of_scorer(scoring):
    """Return the Metric of a scorer: its row, or else one value for each split."""
    scorer = get_scorer(scoring)
    module = getattr(scorer, "__module__", "")
    if scorer_parts(scorer) is None and module.startswith("sklearn.metrics."):
        hint = f"Pass make_scorer({scorer.__name__})."
        raise invalid("scoring", "a scorer", scoring, hint=hint)
    metric = _row_of_scorer(scorer)
    if metric is not None:
        return metric
    name = _name_of(scoring, "score")
    is_score = True
    call = scorer_parts(scorer)
    if call is not None:
        name, _, sign = call
        is_score = sign > 0
    if isinstance(scoring, str):
        name = scoring.removeprefix("neg_")
    row = find_metric(name)
    if row is not None and is_score and not row.is_score:
        warn(
            f"{name!r} is an error, but counts as a score, of which more is better. "
            "Pass greater_is_better=False to make_scorer."
        )
    if isinstance(scoring, str) and row is not None:
        return replace(row, function=None, scorer=scorer, constant=None)
    word = "score" if name == "<lambda>" else name.replace("_", " ")
    return Metric(name, word, None, low=-INF, is_score=is_score, scorer=scorer)


def _row_of_scorer(scorer):
    """Return the row of what `make_scorer` was given, None if there is none."""
    call = scorer_parts(scorer)
    if call is None:
        return None
    name, arguments, sign = call
    for option in ("multi_class", "average"):
        value = arguments.pop(option, None)
        if value not in (None, "binary"):
            name = f"{name}_{value}"
    metric = find_metric(name)
    if metric is None or metric.is_score != (sign > 0):
        return None
    metric = BY_NAME.get(metric.computed_as, metric)
    return None if metric.function is None else with_arguments(metric, arguments)


def count_needed(metric, y):
    """Return an array (n_samples, n_classes) of what test sets need enough of."""
    y = np.asarray(y)
    if metric.needs == "classes":
        return y[:, np.newaxis] == np.unique(y)
    if metric.of_one_class:
        return (y == metric.positive)[:, np.newaxis]
    if y.dtype.names is not None:  # events and times: events count
        return y[y.dtype.names[0]].astype(bool)[:, np.newaxis]
    return np.ones((len(y), 1), dtype=bool)


def check_classes_of_splits(metric, y, splits):
    """Refuse test sets without a class where areas are not defined."""
    if not (metric.is_score and metric.target == "classes"):
        return
    if metric.response == "predict":
        return
    has_class = count_needed(metric, y)
    for number, (_, test) in enumerate(splits):
        is_absent = ~has_class[test].any(axis=0)
        if is_absent.any():
            label = np.unique(y)[is_absent].tolist()[0]
            raise ValueError(
                f"The {metric.word} needs examples of each class in each test set; "
                f"got none of class {label!r} in the test set of split {number}. Pass "
                "stratified splits, such as BlockKFold(5, stratify=True), or fewer."
            )


def count_rarest(metric, y, rows, codes):
    """Return how many tested examples, or groups, the rarest class needed has."""
    if metric.needs not in ("classes", "positives"):
        return None
    rows = np.unique(rows)
    units = rows if codes is None else codes[rows]
    is_counted = count_needed(metric, y)[rows].T
    return min(len(np.unique(units[is_there])) for is_there in is_counted)


def enough_examples(metric, y, splits):
    """Whether each test set has enough of what the metric needs."""
    if not metric.min_count:
        return True
    counts = count_needed(metric, y)
    fewest = min(counts[test].sum(axis=0).min() for _, test in splits)
    return fewest >= metric.min_count


def share_of(percentage, name="margin"):
    """Return the share that a percentage is, such as 0.05 of "5%"."""
    match = re.fullmatch(r"(\d+(?:\.\d*)?|\.\d+) *%", percentage.strip())
    if match is None:
        raise invalid(name, "a number, or a percentage such as '5%'", percentage)
    return float(match[1]) / 100


def read_margin(margin, metric, name="margin"):
    """Return (difference, ratio): a margin in units of the loss, or above a ratio of 1.

    Of what is compared by ratio a margin is a percentage such as "5%", or a number if
    people read the loss itself.
    """
    if isinstance(margin, str):
        share = share_of(margin, name)
        if metric.by_ratio:
            return 0.0, (1 + share) ** (1 / metric.exponent) - 1
        hint = f"Write {name}=0.01: one percentage point." if metric.is_share else ""
        allowed = f"a number, as {metric.word or 'this'} is not compared by ratio"
        raise invalid(name, allowed, margin, hint=hint)
    margin = check_real(name, margin, 0, closed=True)
    if metric.root_word and margin > 0:
        allowed = f"a percentage of the {metric.root_word}"
        raise invalid(name, allowed, margin, hint="Write '5%'.")
    if metric.is_share and margin >= 1:
        raise invalid(name, "a share", margin, hint="0.02 is two points.")
    return margin, 0.0


def make_loss(
    function, *, response_method="predict", name=None, compared_by="difference"
):
    """Make a per-example loss from a callable.

    A plain callable can be passed as `loss=` directly; use this for one that works on
    probabilities or decision values, or to give it another name.

    Parameters
    ----------
    function : callable
        `function(y_true, y_pred) -> (n_samples,)`, the smaller the better; y_pred is
        what `response_method` of the estimator returns.
    response_method : {"predict", "predict_proba", "decision_function"}, \
            default="predict"
        The method of the estimator to call.
    name : str, default=None
        The name shown in tables; None takes the function's name.
    compared_by : {"difference", "ratio"}, default="difference"
        How the mean losses of two models are compared. "ratio" is for a loss that is
        never below 0 and has no largest value: the interval is Fieller's, and results
        are in percent of the other model's loss.

    Returns
    -------
    loss : Metric
        To be passed as `loss=`.

    Raises
    ------
    TypeError, ValueError
        If `function` is not callable, or another parameter is not as described.

    Examples
    --------
    >>> import numpy as np
    >>> from sklearn_cvtest.losses import make_loss
    >>> over = make_loss(lambda y_true, y_pred: y_pred - y_true, name="excess")
    >>> over.values(np.array([1, 2]), np.array([3, 2]), None)
    array([2., 0.])
    """
    if not callable(function):
        raise invalid("function", "callable", function, TypeError)
    check_option("response_method", response_method, RESPONSE_METHODS)
    check_option("compared_by", compared_by, ("difference", "ratio"))
    if name is None:
        name = _name_of(function, type(function).__name__)
    elif not isinstance(name, str) or not name:
        raise invalid("name", "a non-empty string or None", name, TypeError)
    by_ratio = compared_by == "ratio"
    return Metric(
        name,
        name.replace("_", " "),
        partial(_call_without_classes, function),
        response_method,
        low=0.0 if by_ratio else -INF,
        by_ratio=by_ratio,
    )
