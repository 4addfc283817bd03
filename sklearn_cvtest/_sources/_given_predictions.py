"""What given predictions are: labels, numbers, probabilities or decision values."""

from dataclasses import replace

import numpy as np
from sklearn.metrics import get_scorer_names
from sklearn.utils.multiclass import type_of_target

from .._compat import scorer_parts
from .._engine._collector import GivenClassifier, GivenRegressor, measure_predictions
from .._engine._plan import plan_fits
from .._losses._formulas import as_target_array, unique_labels
from .._losses._measures import as_loss
from .._losses._responses import RESPONSE_METHODS
from .._validation import find_missing, invalid, invalid_words, refuse_masked

RESPONSES = ("auto", *RESPONSE_METHODS)


def hint_of_runs(scoring, rows_are_runs=False):
    """Return what takes predictions of several repeats, or of several runs.

    `scoring` is the scorer of these, as a call names it.
    """
    runs, axis = ("p", "rows") if rows_are_runs else ("p.T", "columns")
    turned = "the transpose of each and " if rows_are_runs else ""
    return (
        f"If {axis} are out-of-fold predictions of several repeats, pass {turned}"
        f"`splits`, an array with a column of folds for each repeat. If {axis} are "
        f"runs on one test set, use compare_scores({{name: {runs} for name, p in "
        f"predictions.items()}}, y_true=y_true, scoring={scoring})."
    )


def asked_scorer(loss, scoring, are_labels):
    """Return the scorer that means the same as a loss or scorer, as a call names it.

    Three dots where it has no name.
    """
    if scoring is not None:
        return repr(scoring) if isinstance(scoring, str) else "..."
    if isinstance(loss, str) and loss == "auto":
        loss = "zero_one" if are_labels else "squared_error"
    loss = as_loss(loss)
    if loss.name == "zero_one":
        return "'accuracy'"
    for name in (loss.name, *loss.other_names):
        scorer = f"neg_{name}"
        if scorer in get_scorer_names():
            return repr(scorer)
    return "..."


def plan_predictions(
    named,
    y_true,
    splits,
    *,
    loss="auto",
    response="auto",
    scoring=None,
    parameter="predictions",
    tested=None,
    **options,
):
    """Return the plan that measures predictions, which fits nothing.

    Parameters
    ----------
    named : dict of str to ndarray of shape (n_runs, n_samples, ...)
        The predictions, of which only rows that are tested count.
    y_true : array-like of shape (n_samples,)
        The target.
    splits : list of (train, test)
        Checked splits.
    loss, response, scoring : object
        As in :func:`compare_predictions`.
    parameter : str, default="predictions"
        What errors call the predictions.
    tested : ndarray of shape (n_samples,), default=None
        Which rows are in a test set, if that is known.
    **options : dict
        As `plan_fits` takes them.
    """
    rows = np.arange(len(y_true))
    target = as_target_array(y_true)
    if tested is None:
        tested = tested_rows(splits, len(rows))
    hint = ""
    if parameter == "predictions" and len(next(iter(named.values()))) == 1:
        hint = hint_of_runs(asked_scorer(loss, scoring, are_classes(target)))
    estimators = _as_estimators(named, target, tested, loss, response, parameter, hint)
    measured_by = loss if scoring is None else scoring
    if isinstance(measured_by, str):
        for name, estimator in estimators.items():
            if estimator.values.ndim > 2 and isinstance(estimator, GivenRegressor):
                shape_text = f"an array of shape {estimator.values.shape[1:]}"
                allowed = "one number for each row"
                where = f"{parameter}[{name!r}]"
                raise invalid_words(where, allowed, shape_text, hint=hint)
    plan = plan_fits(
        estimators,
        rows[:, np.newaxis],
        y_true,
        cv=splits,
        splits=splits,
        loss=loss,
        scoring=scoring,
        **options,
    )
    _refuse_labels(plan, parameter)
    return plan


def tested_rows(splits, n_samples):
    """Return whether each row is in a test set."""
    is_tested = np.zeros(n_samples, dtype=bool)
    is_tested[np.concatenate([split[1] for split in splits])] = True
    return is_tested


def measured(plan, runs, **fields):
    """Return the losses of planned predictions in the run of each split.

    And what is said of how labels, not splits, were made, and other fields that are
    `known`.
    """
    losses = measure_predictions(plan, runs)
    fields["cv_description"] = None
    if not isinstance(losses, dict):
        rule = _labels_from(plan, plan.measures[0])
        return replace(losses, labels_from=rule, **fields)
    by_metric = {}
    for measure in plan.measures:
        rule = _labels_from(plan, measure)
        by_metric[measure.name] = replace(
            losses[measure.name], labels_from=rule, **fields
        )
    return by_metric


def are_classes(target):
    """Whether the values of a target are the labels of classes."""
    if target.ndim == 1 and target.dtype.kind in "iub" and len(target):
        return True  # without a look at all of them
    return type_of_target(target) in ("binary", "multiclass")


def _as_estimators(named, target, tested, loss, response, parameter, hint):
    """Return what predicts, of one kind for all models."""
    response = _asked_response(loss, response)
    labels = None
    has_classes = are_classes(target)
    if has_classes or target.dtype.kind != "f":  # numbers take long to sort
        labels = unique_labels(target)
    kinds = dict.fromkeys(named)
    if has_classes:
        for name, values in named.items():
            kinds[name] = _kind(values, target, labels, response)
    estimators = {}
    for name, values in named.items():
        if None in kinds.values():
            estimators[name] = GivenRegressor(values)
        else:
            where = f"{parameter}[{name!r}]"
            estimators[name] = _as_classifier(
                where, values, kinds[name], labels, tested, hint
            )
    return estimators


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
    if response == "predict_proba":
        return "probabilities"
    if response == "decision_function":
        return "decisions"
    if values.ndim == 3:
        return "labels" if response == "predict" else "probabilities"
    if values.dtype.kind not in "fiub":
        return "labels"
    if target.dtype.kind not in "fiub":
        if len(labels) != 2:
            return "labels"
    elif values.dtype.kind in "iub" or np.isin(values, labels).all():
        return "labels"
    if len(labels) != 2 or response == "predict":
        return None
    return "numbers"


def _as_classifier(parameter, values, response_type, labels, tested, hint_of_runs):
    """Return the GivenClassifier of checked values."""
    several = values.ndim == 3
    hint = hint_of_runs if several else ""
    if response_type == "labels":
        if several:
            values_text = f"an array of shape {values.shape[1:]}"
            allowed = "one label for each row"
            raise invalid_words(parameter, allowed, values_text, hint=hint)
        return GivenClassifier(values, response_type, labels)
    if values.dtype.kind not in "fiub":
        values_text = f"an array of {values.dtype}"
        raise invalid_words(parameter, "real numbers", values_text, hint=hint)
    n_columns = values.shape[-1] if several else 1 + (len(labels) == 2)
    if n_columns != len(labels):
        allowed = f"probabilities of the {len(labels)} classes in `y_true`"
        values_text = f"an array of shape {values.shape[1:]}"
        raise invalid_words(parameter, allowed, values_text, hint=hint)
    refusal = None
    if response_type != "decisions":
        refusal = _refusal(parameter, values, tested, hint)
        if refusal is not None and (response_type == "probabilities" or several):
            raise refusal
        response_type = "decisions" if refusal is not None else "probabilities"
    if response_type == "probabilities" and not several:  # of the second of two classes
        values = np.stack([1 - values, values], axis=-1)
    return GivenClassifier(values, response_type, labels, refusal)


def _refusal(parameter, values, tested, hint):
    """Return the error of what can be no probabilities, None if it can be."""
    several = values.ndim == 3
    if not several:
        hint = (
            "If the predictions of all models are decision values, pass "
            "response='decision_function'; if they are numbers, a loss of numbers."
        )
    cells = values if several else values[..., np.newaxis]
    is_inside = (cells >= 0) & (cells <= 1)
    outside = ~is_inside & tested[:, np.newaxis]
    if outside.any():
        row, run, column = np.argwhere(np.swapaxes(outside, 0, 1))[0].tolist()
        value_text = f"{cells[run, row, column]:.6g} in row {row}"
        allowed = "probabilities in [0, 1]"
        return invalid_words(parameter, allowed, value_text, hint=hint)
    total = cells.sum(axis=-1, dtype=np.float64)
    is_off = np.abs(total - 1) > 1e-6  # by more than rounding in files
    wrong = is_off & tested & several
    if wrong.any():
        row, run = np.argwhere(wrong.T)[0].tolist()
        allowed = "probabilities that sum to one in every row"
        value_text = f"{total[run, row]:.8g} in row {row}"
        return invalid_words(parameter, allowed, value_text, hint=hint)
    return None


def _labels_from(plan, measure):
    """Return a sentence on how labels are made of what was given; None if they are not.

    What a scorer that is the user's own function asks for is not known.
    """
    method = "predict"
    if not measure.is_score:
        method = measure.loss.response_method
    elif scorer_parts(measure.scorer) is not None:
        method = scorer_parts(measure.scorer).response_method
    names = []
    rules = []
    for job in plan.jobs:
        if getattr(job.estimator, "kind", "labels") != "labels":
            names.append(job.name)
            rules.append(job.estimator.rule)
    if method != "predict" or not rules:
        return None
    if len(rules) < len(plan.jobs):
        return f"For {', '.join(names)}, a row counts as {rules[0]}."
    return f"A row counts as {rules[0]}."


def _refuse_labels(plan, parameter):
    """Refuse labels where a scorer asks for probabilities or decision values."""
    names = []  # of the models whose labels are given
    for job in plan.jobs:
        if getattr(job.estimator, "kind", "") == "labels":
            names.append(job.name)
    if not names:
        return
    for measure in plan.measures:
        components = scorer_parts(measure.scorer) if measure.is_score else None
        if components is None or "predict" in np.atleast_1d(components.response_method):
            continue
        allowed = f"probabilities or decision values for {measure.name}"
        hint = ""
        if parameter == "predictions":
            hint = "Where these are probabilities, pass response='predict_proba'."
        where = f"{parameter}[{names[0]!r}]"
        raise invalid_words(where, allowed, "labels", hint=hint)


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
    missing = find_missing(target)
    if missing.any():
        row = int(np.argmax(missing))
        missing_text = f"{missing.sum()} missing, the first in row {row}"
        raise invalid_words("y_true", "without missing values", missing_text)
    return target
