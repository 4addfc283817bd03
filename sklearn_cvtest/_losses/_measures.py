"""What is measured on a test set: losses or pseudo-losses of its examples, or scores.

A measure says whether it has a value for each example (`per_example`) and whether it is
minus a score (`is_score`); it asks a fitted estimator for a response and makes values
of it.
"""

from dataclasses import dataclass
from typing import Any

import numpy as np
from sklearn import metrics
from sklearn.metrics import check_scoring, get_scorer_names
from sklearn.pipeline import Pipeline

from .._compat import copy_rows, estimator_kind, scorer_parts
from .._validation import as_numpy, first_few, invalid, invalid_words, nearest, warn
from ..exceptions import FewExamplesWarning
from . import _formulas
from ._formulas import as_target_array, unique_labels
from ._metric_measure import rare_class
from ._metric_names import is_bounded_by_one
from ._metrics import find_metric, name_of_function, score_range
from ._named_losses import Loss, find_loss, get_loss, losses_of_rows
from ._own_loss import make_loss
from ._responses import in_numpy


class _Measure:
    """What most measures say; `MetricMeasure` says all of it for itself."""

    rho = 1 / 3  # which the default test assumes
    takes_labels = False
    of_one_class = None
    takes_responses = True  # in place of the estimator, whose responses they hold

    def refuse_not_finite(self, response):
        """Refuse nan and inf, if it is known where they come from."""

    def n_rarest(self, y, rows, groups):
        return None  # all

    def n_true_positives(self, response):
        return np.nan

    def positives(self, y, splits):
        return (), 0  # of metrics of predicted labels alone

    def truth_and_predicted(self, response, y_test):
        return y_test, None


UNKNOWN = _Measure()


@dataclass(frozen=True)
class _LossMeasure(_Measure):
    """The losses of the test examples of a split."""

    loss: Loss
    n_classes: int | list | None

    per_example = True
    is_score = False

    @property
    def name(self):
        return self.loss.name

    @property
    def value_range(self):
        """The smallest and largest mean loss, tuple of two floats."""
        if self.n_classes == 2:
            return self.loss.value_ranges[0]
        return self.loss.value_ranges[-1]

    def respond(self, estimator, X_test, y_test, score_params):
        method = getattr(estimator, self.loss.response_method, None)
        if method is None:
            raise _formulas.LossError(_lacking(self.loss, estimator, "the estimator"))
        return method(X_test)

    def refuse_not_finite(self, response):
        _formulas.refuse_not_finite(self.loss.response_method, response)

    def values(self, response, estimator, y_train, y_test):
        classes = None
        if self.n_classes is not None:
            classes = getattr(estimator, "classes_", None)
            if classes is None:
                classes = unique_labels(as_target_array(y_train))
            classes = as_numpy("classes", classes)
        return losses_of_rows(self.loss, y_test, response, classes, self.n_classes)

    def failed(self, n_test, error_score):
        return np.full(n_test, error_score, dtype=np.float64)

    @property
    def takes_labels(self):
        """Whether it takes predicted labels."""
        return self.loss.name == "zero_one"

    def truth_and_predicted(self, response, y_test):
        if self.loss.response_method != "predict":
            return y_test, None
        return y_test, as_target_array(as_numpy("y_pred", response))

    def positives(self, y, splits):
        return rare_class(y, splits) if self.takes_labels else ((), 0)

    def on(self, y):
        """Return the same measure for another sample, and its target."""
        y = as_target_array(y)
        self.loss.check_target(y)
        n_classes = self.n_classes
        if n_classes is not None:  # some may be missing from a sample
            n_classes = np.maximum(n_classes, _count_classes(y)).tolist()
        return _LossMeasure(self.loss, n_classes), y


@dataclass(frozen=True)
class _ScoreMeasure(_Measure):
    """The single value that a scorer gives for a split."""

    scorer: Any
    name: str
    value_range: tuple = (-np.inf, np.inf)
    of_examples: Any = UNKNOWN  # the same measure, if there were enough of them

    per_example = False
    is_score = True

    @property
    def is_read_only(self):
        """Whether the scorer is known not to write to what it is given."""
        function = getattr(scorer_parts(self.scorer), "function", None)
        return str(getattr(function, "__module__", "")).startswith("sklearn.")

    @property
    def takes_responses(self):
        """Whether it is one of make_scorer, which reads responses alone.

        Any other function is called with the estimator, of which it may ask anything.
        """
        return scorer_parts(self.scorer) is not None

    def respond(self, estimator, X_test, y_test, score_params):
        if self.is_read_only:
            estimator, y_test = in_numpy(estimator, X_test, y_test)
        else:
            y_test = copy_rows(y_test)
            if not self.takes_responses:
                X_test = copy_rows(X_test)
        data = [X_test] if y_test is None else [X_test, y_test]
        return self.scorer(estimator, *data, **score_params)

    def values(self, response, estimator, y_train, y_test):
        _formulas.refuse_masked(response, f"The score {self.name!r}")
        score = np.asarray(as_numpy(f"scoring={self.name!r}", response))
        if score.shape != () or score.dtype.kind not in "biuf":
            returned = repr(response)
            hint = ""
            if isinstance(response, dict):
                returned = "a dict"
                names = ", ".join(f"{name!r}: ..." for name in response)
                hint = f" Pass a scorer for each, scoring={{{names}}}."
            raise ValueError(
                f"`scoring` must return one number; {self.name!r} returned {returned}."
                f"{hint}"
            )
        if score > 1 + 1e-9 and is_bounded_by_one(self.name, True):
            allowed = f"at most 1 where it is called {self.name!r}"
            raise invalid("scoring", allowed, response, hint="Return no percent.")
        return np.array([-float(score)])

    def failed(self, n_test, error_score):
        return np.array([-float(error_score)])

    def n_rarest(self, y, rows, groups):
        return self.of_examples.n_rarest(y, rows, groups)

    def positives(self, y, splits):
        return self.of_examples.positives(y, splits)

    @property
    def of_one_class(self):
        return self.of_examples.of_one_class


@dataclass(frozen=True)
class MultiMeasure:
    """Several scorers of one fit; their values follow each other."""

    measures: tuple

    is_score = True

    @property
    def per_example(self):
        """Whether any of them has a value for each example."""
        return any(measure.per_example for measure in self.measures)

    @property
    def name(self):
        return ", ".join(measure.name for measure in self.measures)

    def failed(self, n_test, error_score):
        values = [measure.failed(n_test, error_score) for measure in self.measures]
        return np.concatenate(values)


def measures_of(measure):
    """Return the single measures of one or of several, a tuple."""
    if isinstance(measure, MultiMeasure):
        return measure.measures
    return (measure,)


# Which measure an argument stands for -----------------------------------------


def choose_measure(estimators, y, loss, scoring):
    """Return the measure, and y in the form it needs (None: unchanged)."""
    if scoring is not None:
        return _choose_scorers(estimators, y, loss, scoring), None
    if y is None:
        raise invalid("y", "given unless `scoring` is", y)
    target = _target_of(y)
    if isinstance(loss, str) and loss == "auto":
        loss = _auto_loss(estimators)
    loss = as_loss(loss)
    for name, estimator in estimators.items():
        if _surely_lacks(estimator, loss.response_method):
            raise ValueError(_lacking(loss, estimator, f"estimator {name!r}"))
    loss.check_target(target)
    n_classes = None
    if loss.task == "classification" and loss.response_method != "predict":
        n_classes = _count_classes(target)
    return _LossMeasure(loss, n_classes), target


def as_loss(loss):
    """Return the Loss of a name or a callable."""
    if isinstance(loss, Loss):
        return loss
    return make_loss(loss) if callable(loss) else find_loss("loss", loss, {})


def _target_of(y):
    """Return y as an array on which a loss can be defined."""
    allowed = "labels or real numbers in one or two dimensions"
    try:
        target = as_target_array(y)
    except ValueError:  # lists of different lengths
        raise invalid("y", allowed, y) from None
    if target.ndim not in (1, 2) or target.dtype.kind == "c":
        description = f"an array of {target.dtype} of shape {target.shape}"
        raise invalid_words("y", allowed, description)
    return target


def _count_classes(y):
    """Return the number of classes; a list for several outputs."""
    if y.ndim == 1:
        return len(unique_labels(y))
    return [len(unique_labels(output)) for output in y.T]


def _surely_lacks(estimator, method):
    """Whether the estimator will lack the method even when fitted."""
    if hasattr(estimator, method):
        return False
    if not hasattr(type(estimator), method):
        return True
    if isinstance(estimator, Pipeline):
        return _surely_lacks(estimator.steps[-1][1], method)
    for part in ("estimator", "final_estimator"):  # of a search, of stacking
        if hasattr(estimator, part):
            inner = getattr(estimator, part)
            return inner is not None and _surely_lacks(inner, method)
    return True


def _lacking(loss, estimator, owner):
    return (
        f"`loss`={loss.name!r} needs `{loss.response_method}`, which {owner} "
        f"({estimator.__class__.__name__}) does not have."
    )


def for_splits(measure, y, splits, *, is_asked=True):
    """Return a measure that each test set has enough examples for.

    A FewExamplesWarning says which has not, unless no value per example is asked for.
    """
    if isinstance(measure, MultiMeasure):
        measures = [
            for_splits(single, y, splits, is_asked=is_asked)
            for single in measure.measures
        ]
        return MultiMeasure(tuple(measures))
    if not (measure.is_score and measure.per_example):
        return measure
    message = measure.few_examples(y, splits)
    if not message:
        return measure
    if is_asked:
        warn(message, FewExamplesWarning)
    return _ScoreMeasure(measure.scorer, measure.name, measure.value_range, measure)


# One RMSE, the root of the mean over examples, which is shown for the mean itself.
MEAN_OF_ROOT = {
    "neg_root_mean_squared_error": "neg_mean_squared_error",
    "neg_root_mean_squared_log_error": "neg_mean_squared_log_error",
}
SCORING = "the name of a scikit-learn scorer, a callable, some of them or None"


def _choose_scorers(estimators, y, loss, scoring):
    if not (isinstance(loss, str) and loss == "auto"):
        raise invalid("loss", "left at 'auto' if `scoring` is given", loss)
    estimator = next(iter(estimators.values()))
    if not isinstance(scoring, (dict, list, tuple, set)):
        return _choose_scorer(estimator, y, scoring)
    names = sorted(scoring, key=str) if isinstance(scoring, set) else list(scoring)
    if not names:
        raise invalid("scoring", "at least one scorer", scoring)
    for name in names:
        if not isinstance(name, str):
            allowed = "a list of names, or a dict of name: scorer"
            raise invalid("scoring", allowed, name, TypeError)
    if len(set(names)) < len(names):
        raise invalid("scoring", "a list of different names", scoring)
    measures = []
    for name in names:
        scorer = scoring[name] if isinstance(scoring, dict) else name
        measures.append(_choose_scorer(estimator, y, scorer, name))
    return MultiMeasure(tuple(measures))


def _choose_scorer(estimator, y, scoring, name=None):
    if not (isinstance(scoring, str) or callable(scoring)):
        raise invalid("scoring", SCORING, scoring, TypeError)
    if isinstance(scoring, str) and scoring not in get_scorer_names():
        raise invalid("scoring", SCORING, scoring, hint=_scorer_hint(scoring))
    if isinstance(scoring, str):
        scoring = MEAN_OF_ROOT.get(scoring, scoring)
    scorer = check_scoring(estimator, scoring=scoring)
    _refuse_one_class(scorer, scoring, y)
    if name is None and isinstance(scoring, str):
        name = scoring
    elif name is None:
        name = getattr(scoring, "__name__", repr(scoring))
    _warn_of_sign(scorer, name)
    measure = None if y is None else find_metric(scorer, y, name)
    if measure is not None:
        _formulas.refuse_missing(as_target_array(y))
        _check_positive(measure, y)
        return measure
    low, high = score_range(scorer)
    return _ScoreMeasure(scorer, name, (-high, -low))  # of minus the score


# Functions of scikit-learn that end so are the better the smaller.
MINIMISED = "_error", "_loss", "_deviance"


def _scorer_hint(name):
    """Return what to pass as `scoring` in place of a name that is no scorer's."""
    function = name.strip().lower().replace("-", "_").replace(" ", "_")
    function = function.removeprefix("neg_")
    root = function.removesuffix("_loss")
    for scorer in (f"neg_{function}", f"neg_{root}", function.removesuffix("_score")):
        if scorer in get_scorer_names():
            return f"Did you mean {scorer!r}?"
    is_minimised = function.endswith(MINIMISED)
    is_metric = is_minimised or function.endswith("_score")
    if is_metric and function in metrics.__all__:
        sign = ", greater_is_better=False" if is_minimised else ""
        return f"Pass make_scorer({function}{sign}), from sklearn.metrics."
    hint = nearest(name, get_scorer_names())
    return hint or "See sklearn.metrics.get_scorer_names()."


def _refuse_one_class(scorer, name, y):
    """Refuse a metric of probabilities or decision values where y has one class."""
    if y is not None and is_of_classes(scorer):
        labels = unique_labels(as_target_array(y)).tolist()
        if len(labels) == 1:
            allowed = f"of two classes or more, for `scoring`={name!r}"
            hint = "Pass rows of another class, too."
            raise invalid_words("y", allowed, f"only {labels[0]!r}", hint=hint)


def is_of_classes(scorer):
    """Whether a scorer takes probabilities or decision values."""
    parts = scorer_parts(scorer)
    return parts is not None and "predict" not in np.atleast_1d(parts.response_method)


def _warn_of_sign(scorer, name):
    """Warn of an error of which a greater one counts as better."""
    function = name_of_function(scorer)
    if function.endswith(MINIMISED) and scorer_parts(scorer).sign > 0:
        warn(
            f"By `scoring`={name!r} a greater {function} is better. Pass "
            f"make_scorer({function}, greater_is_better=False), or a loss.",
            UserWarning,
        )


def _check_positive(measure, y):
    """Refuse a metric of the positive class for a target that has no such class."""
    y = as_target_array(y)
    if y.ndim != 1 or measure.needs != "positives":
        return
    labels, counts = unique_labels(y, return_counts=True)
    labels = labels.tolist()
    (positive,) = measure.labels
    if len(labels) < 2 or (len(labels) == 2 and positive in labels):
        return
    allowed = (
        f"of two classes, one of them {positive!r}, for `scoring`={measure.name!r}"
    )
    rarer = labels[::-1][np.argmin(counts[::-1])]
    option = "average='macro'" if len(labels) > 2 else f"pos_label={rarer!r}"
    hint = f"Pass make_scorer({measure.metric}, {option})."
    labels_text = f"labels {first_few([*map(repr, labels)], 5)}"
    raise invalid_words("y", allowed, labels_text, hint=hint)


def _auto_loss(estimators):
    kinds = {name: estimator_kind(est) for name, est in estimators.items()}
    if set(kinds.values()) == {"classifier"}:
        return get_loss("zero_one")
    if set(kinds.values()) == {"regressor"}:
        return get_loss("squared_error")
    hint = "Name the loss."
    if None in kinds.values():  # such as models of survival times, and transformers
        hint = (
            "Name the loss, or pass `scoring`; for survival times, "
            "scoring=make_scorer(concordance_index), from sklearn_cvtest.losses."
        )
    raise ValueError(
        "`loss`='auto' needs estimators that are all classifiers or all regressors; "
        f"got {kinds}. {hint}"
    )
