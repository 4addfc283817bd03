"""What given predictions are: labels, numbers, probabilities or decision values."""

from dataclasses import replace

import numpy as np
from sklearn.utils.multiclass import type_of_target

from .._compat import scorer_parts
from .._engine._collector import GivenClassifier, GivenRegressor
from .._losses._formulas import as_target_array, unique_labels
from .._losses._measures import as_loss
from .._losses._responses import RESPONSE_METHODS
from .._validation import invalid, invalid_words

RESPONSES = ("auto", *RESPONSE_METHODS)
TOLERANCE = 1e-6  # of the sum of the probabilities of a row


def hint_of_runs(are_labels, rows_are_runs=False):
    """Return the call that takes several runs on one test set."""
    runs, what = ("p", "rows") if rows_are_runs else ("p.T", "columns")
    rest = "y_true=y_true, scoring='accuracy'"
    if not are_labels:
        runs, rest = f"({runs} - y_true) ** 2", "loss='squared_error'"
    return (
        f"If {what} are several runs on one test set, use compare_scores({{name: "
        f"{runs} for name, p in predictions.items()}}, {rest})."
    )


def as_estimators(named, target, tested, loss, response, parameter="predictions"):
    """Return what predicts, of one kind for all models.

    `named` are arrays of shape (n_runs, n_samples, ...) by name, of which only rows
    where `tested` count.
    """
    response = _asked_response(loss, response)
    labels = unique_labels(target)
    kinds = dict.fromkeys(named)
    if type_of_target(target) in ("binary", "multiclass"):
        kinds = {
            name: _kind(values, target, labels, response)
            for name, values in named.items()
        }
    if None in kinds.values():
        return {name: GivenRegressor(values) for name, values in named.items()}
    return {
        name: _as_classifier(
            f"{parameter}[{name!r}]", values, kinds[name], labels, tested
        )
        for name, values in named.items()
    }


def check_one_number(named, estimators):
    """Refuse several columns of numbers."""
    for name, values in named.items():
        if values.ndim > 2 and isinstance(estimators[name], GivenRegressor):
            shown = f"an array of shape {values.shape[1:]}"
            parameter, hint = f"predictions[{name!r}]", hint_of_runs(False)
            raise invalid_words(parameter, "one number for each row", shown, hint=hint)


def _asked_response(loss, response):
    """Return what the predictions have to be for a loss, if that says it."""
    if response != "auto" or (isinstance(loss, str) and loss == "auto"):
        return response
    loss = as_loss(loss)
    if loss.response_method == "predict" and loss.task == "classification":
        return "auto"
    return loss.response_method


def _kind(values, target, labels, response):
    """Return what predictions of classes are; None if they are numbers."""
    if response in ("predict_proba", "decision_function"):
        return {"predict_proba": "probabilities"}.get(response, "decisions")
    if values.ndim == 3:
        return "labels" if response == "predict" else "probabilities"
    if values.dtype.kind not in "fiub" or target.dtype.kind not in "fiub":
        if values.dtype.kind not in "fiub" or len(labels) != 2:
            return "labels"
    elif values.dtype.kind in "iub" or np.isin(values, labels).all():
        return "labels"
    if len(labels) != 2 or response == "predict":
        return None
    return "numbers"


def _as_classifier(parameter, values, kind, labels, tested):
    """Return the GivenClassifier of checked values."""
    if kind == "labels":
        return GivenClassifier(values, kind, labels)
    if values.dtype.kind not in "fiub":
        hint = hint_of_runs(True) if values.ndim == 3 else ""
        shown = f"an array of {values.dtype}"
        raise invalid_words(parameter, "real numbers", shown, hint=hint)
    if values.ndim == 3 or len(labels) != 2:
        _check_columns(parameter, values, labels)
    refusal = None
    if kind != "decisions":
        refusal = _refusal(parameter, values, tested)
        if refusal is not None and (kind == "probabilities" or values.ndim == 3):
            raise refusal
        kind = "decisions" if refusal is not None else "probabilities"
    if kind == "probabilities" and values.ndim == 2:  # of the second of two classes
        values = np.stack([1 - values, values], axis=-1)
    return GivenClassifier(values, kind, labels, refusal)


def _check_columns(parameter, values, labels):
    """Check that there is a column of real numbers for each class."""
    n_columns = values.shape[-1] if values.ndim == 3 else 1
    if n_columns != len(labels):
        allowed = f"probabilities of the {len(labels)} classes in `y_true`"
        shown = f"an array of shape {values.shape[1:]}"
        raise invalid_words(parameter, allowed, shown, hint=hint_of_runs(True))


def _refusal(parameter, values, tested):
    """Return the error of what can be no probabilities, None if it can be."""
    several = values.ndim == 3
    hint = hint_of_runs(True)
    if not several:
        hint = (
            "If the predictions of all models are decision values, pass "
            "response='decision_function'; if they are numbers, a loss of numbers."
        )
    outside = ~((values >= 0) & (values <= 1))
    found = _first(outside.any(axis=-1) if several else outside, tested)
    if found is not None:
        row = values[found][outside[found]][0] if several else values[found]
        shown = f"{row:.6g} in row {found[1]}"
        return invalid_words(parameter, "probabilities in [0, 1]", shown, hint=hint)
    if not several:
        return None
    total = values.sum(axis=-1, dtype=np.float64)
    found = _first(np.abs(total - 1) > TOLERANCE, tested)
    if found is None:
        return None
    allowed = "probabilities that sum to one in every row"
    shown = f"{total[found]:.8g} in row {found[1]}"
    return invalid_words(parameter, allowed, shown, hint=hint)


def _first(wrong, tested):
    """Return (run, row) of the first row that is wrong, None if there is none."""
    wrong = wrong & tested
    rows = wrong.any(axis=0)
    if not rows.any():
        return None
    row = int(np.argmax(rows))
    return int(np.argmax(wrong[:, row])), row


def labels_from(measure, estimators):
    """Return a sentence on how labels are made of what was given; None if they are not.

    What a scorer that is the user's own function asks for is not known.
    """
    if measure.is_score:
        parts = scorer_parts(measure.scorer)
        method = "predict" if parts is None else parts.response_method
    else:
        method = measure.loss.response_method
    made = {
        name: given
        for name, given in estimators.items()
        if isinstance(given, GivenClassifier) and given.kind != "labels"
    }
    if method != "predict" or not made:
        return None
    models = "" if len(made) == len(estimators) else f"For {', '.join(made)}, a"
    return (models or "A") + f" row counts as {next(iter(made.values())).rule}."


def refuse_labels(measures, estimators, parameter="predictions"):
    """Refuse labels where a scorer asks for probabilities or decision values."""
    labels = [
        name
        for name, given in estimators.items()
        if isinstance(given, GivenClassifier) and given.kind == "labels"
    ]
    for measure in measures:
        parts = scorer_parts(measure.scorer) if measure.is_score else None
        if parts is None or "predict" in np.atleast_1d(parts.response_method):
            continue
        if labels:
            hint = "Where these are probabilities, pass response='predict_proba'."
            raise invalid_words(
                f"{parameter}[{labels[0]!r}]",
                f"probabilities or decision values for {measure.name}",
                "labels",
                hint=hint if parameter == "predictions" else "",
            )


def with_rules(losses, measures, estimators):
    """Return the losses with what is said of how labels, and not splits, were made."""
    if not isinstance(losses, dict):
        rule = labels_from(measures[0], estimators)
        return replace(losses, labels_from=rule, cv_description=None)
    if len(measures) < len(losses):  # the scores of one callable
        measures = measures * len(losses)
    return {
        name: with_rules(of_metric, [measure], estimators)
        for (name, of_metric), measure in zip(losses.items(), measures, strict=True)
    }


def check_target(y_true):
    """Return the target as an array of one dimension, without missing values."""
    refuse_masked("y_true", y_true)
    try:
        target = as_target_array(y_true, "y_true")
    except ValueError:
        target = np.empty(0)
    if target.ndim != 1 or not len(target):
        allowed = "one label or number for each row"
        raise invalid("y_true", allowed, y_true)
    missing = missing_in(target)
    if missing.any():
        row = int(np.argmax(missing))
        shown = f"{missing.sum()} missing, the first in row {row}"
        raise invalid_words("y_true", "without missing values", shown)
    return target


def refuse_masked(parameter, values):
    """Raise if some of the values are masked."""
    if np.ma.is_masked(values):
        raise invalid_words(parameter, "without masked values", "a masked array")


def missing_in(values):
    """Return where values are None or nan, of any type."""
    if values.dtype.kind == "f":
        return np.isnan(values)
    if values.dtype.kind != "O":
        return np.zeros(values.shape, dtype=bool)
    flat = [value is None or value != value for value in values.ravel().tolist()]
    return np.array(flat, dtype=bool).reshape(values.shape)
