"""compare_predictions: existing predictions, without estimators."""

from __future__ import annotations

from typing import Literal, overload

import numpy as np

from .._engine._installed_checks import installed_checks
from .._engine._routing import check_weights
from .._inference._choose_tests import Question, asks_examples, choose_pairs
from .._losses._formulas import as_target_array, unique_labels
from .._losses._named_losses import Loss
from .._results._by_metric import compare_by_metric
from .._results._estimator_comparison import Comparison
from .._results._several_metrics import MultiMetricComparison
from .._row_labels import check_same_index, labels_of_rows
from .._splits._design import Design
from .._splits._indices import check_splits
from .._typing import Any, ArrayLike, Function, Sequence, SeveralMetrics
from .._validation import (
    as_array,
    as_numpy,
    check_integer,
    check_named,
    check_option,
    find_missing,
    invalid,
    invalid_words,
    refuse_masked,
)
from ._given_predictions import (
    RESPONSES,
    are_classes,
    asked_scorer,
    check_target,
    hint_of_runs,
    measured,
    plan_predictions,
    tested_rows,
)


@overload
def compare_predictions(
    y_true: ArrayLike,
    predictions: Any,
    *,
    loss: str | Loss | Function = "auto",
    scoring: str | Function | None = None,
    response: Literal["auto", "predict", "predict_proba", "decision_function"] = "auto",
    splits: ArrayLike | Sequence[Any] | None = None,
    groups: ArrayLike | None = None,
    sample_weight: ArrayLike | None = None,
    n_train: int | None = None,
    test: Any = None,
    reference: Any = None,
    p_adjust: Any = "holm",
    alpha: Any = 0.05,
) -> Comparison: ...
@overload
def compare_predictions(
    y_true: ArrayLike,
    predictions: Any,
    *,
    loss: str | Loss | Function = "auto",
    scoring: SeveralMetrics,
    response: Literal["auto", "predict", "predict_proba", "decision_function"] = "auto",
    splits: ArrayLike | Sequence[Any] | None = None,
    groups: ArrayLike | None = None,
    sample_weight: ArrayLike | None = None,
    n_train: int | None = None,
    test: Any = None,
    reference: Any = None,
    p_adjust: Any = "holm",
    alpha: Any = 0.05,
) -> MultiMetricComparison: ...
def compare_predictions(
    y_true: ArrayLike,
    predictions: Any,
    *,
    loss: str | Loss | Function = "auto",
    scoring: str | Function | Sequence[Any] | dict[str, Any] | None = None,
    response: Literal["auto", "predict", "predict_proba", "decision_function"] = "auto",
    splits: ArrayLike | Sequence[Any] | None = None,
    groups: ArrayLike | None = None,
    sample_weight: ArrayLike | None = None,
    n_train: int | None = None,
    test: Any = None,
    reference: Any = None,
    p_adjust: Any = "holm",
    alpha: Any = 0.05,
) -> Comparison | MultiMetricComparison:
    """Compare models by existing predictions.

    Parameters
    ----------
    y_true : array-like of shape (n_samples,)
        The target. Where it, `predictions`, `splits`, `groups` or `sample_weight` have
        an index of pandas, the labels of all of them must be the same in the same
        order; what has none, or the default one of a new frame, goes by position.
    predictions : dict or data frame
        Name of each model, at least two, and its predictions of all rows: labels,
        numbers, probabilities of shape (n_samples, n_classes) in the order of the
        sorted classes, or, of two classes, the probabilities or decision values of the
        second, of shape (n_samples,). With R repeats, of shape (n_samples, R) or
        (n_samples, R, n_classes). For several runs of a model on one test set, use
        :func:`compare_scores`.
    loss : str, Loss or callable, default="auto"
        As in :func:`compare_estimators`; "auto" is zero_one where the target and the
        predictions are classes, else squared_error.
    scoring : str, callable, list or dict, default=None
        One or several scorers in place of `loss`, such as "roc_auc"; as in
        :func:`cross_val_losses`.
    response : {"auto", "predict", "predict_proba", "decision_function"}, \
            default="auto"
        What the predictions of all models are, by the method of an estimator that
        returns such: labels or numbers, probabilities, or decision values, of which
        those above 0 are for the second class. "auto" takes real numbers in [0, 1] for
        the probabilities of the second of two classes; no others are decision values
        unless this says so.
    splits : array-like of shape (n_samples,) or (n_samples, R), or list, default=None
        Where predictions are out of fold: the fold in which each row was tested, by a
        model of all other rows; -1 if in none. A column for each repeat of the
        cross-validation. Or the list of (train, test), for predictions of one run. None
        is a test set that no model was trained on.
    groups : array-like of shape (n_samples,), default=None
        Label of the group of each row: variances are those between groups.
    sample_weight : array-like of shape (n_samples,), default=None
        Weights of the rows.
    n_train : int, default=None
        Number of examples the models were trained on, for a test set; only for reports.
    test, reference, p_adjust, alpha : object
        As in :func:`compare_estimators`. For a test set, the default is
        :class:`HoldoutTTest`, which is about these models, by its score test for few
        rows that are right or wrong (see `method` there); also :class:`McNemarTest`.

    Returns
    -------
    comparison : Comparison or MultiMetricComparison
        As from :func:`compare_estimators` with these splits.

    Raises
    ------
    TypeError, ValueError
        If an argument is not as described; missing predictions are named, and the first
        row of probabilities that leave [0, 1] or do not sum to one.

    See Also
    --------
    compare_estimators : Fits the estimators, too.
    compare_cv_results : From scores of folds.

    Notes
    -----
    The function cannot check how predictions were made: the score of a model is
    optimistic on rows that it was trained or selected on. Tests of a test set take its
    rows for independent. Forecasts in the order of time are not: a
    :class:`~sklearn_cvtest.exceptions.DependentRowsWarning` is raised where the loss
    differences of adjacent rows are correlated. :class:`DieboldMarianoTest` can be
    fitted to these differences.

    Examples
    --------
    >>> from sklearn_cvtest import McNemarTest, compare_predictions
    >>> y = [0, 0, 0, 1, 1, 1, 1, 0, 1, 0]
    >>> predictions = {
    ...     "a": [0, 0, 1, 1, 1, 1, 0, 0, 1, 0],
    ...     "b": [0, 1, 1, 0, 1, 0, 0, 1, 1, 0],
    ... }
    >>> compare_predictions(y, predictions, test=McNemarTest()).pvalue_
    0.125
    """
    question = Question(test, reference, p_adjust, alpha)
    check_option("response", response, RESPONSES)
    y_true, splits = as_numpy("y_true", y_true), as_numpy("splits", splits)
    target = check_target(y_true)
    n_samples = len(target)
    pairs, runs, design = _read_splits(splits, n_samples)
    tested = tested_rows(pairs, n_samples)
    turned = "Pass the transpose of each array."
    if splits is None:
        turned = hint_of_runs(asked_scorer(loss, scoring, are_classes(target)), True)
    named = _read_predictions(predictions, max(runs) + 1, tested, turned)
    user_args = {"y_true": y_true, "splits": splits, "groups": groups}
    user_args |= {f"predictions[{name!r}]": predictions[name] for name in named}
    user_args |= {"sample_weight": sample_weight}
    check_same_index(user_args, n_samples)
    weight = sample_weight
    if weight is not None:
        weight = check_weights("sample_weight", weight, n_samples)
        weight = {"sample_weight": weight}
    options = {} if splits is not None else {"n_train": None}
    if n_train is not None:
        check_integer("n_train", n_train, 1)
        if splits is not None:
            raise invalid("n_train", "None with `splits`, which say it", n_train)
        options = {"n_train": np.array([n_train])}
    plan = plan_predictions(
        named,
        y_true,
        pairs,
        loss=loss,
        response=response,
        scoring=scoring,
        tested=tested,
        groups=groups,
        score_params=weight,
        asks_examples=asks_examples(test),
        design=design,
        example_labels=labels_of_rows(*user_args.values()),
    )
    choose_pairs(list(named), reference)
    tests = question.tests_of_plan(plan)
    losses = measured(plan, runs, **options)
    checks = installed_checks()
    if splits is None and checks is not None:
        checks.warn_of_dependent_losses(losses, target)
    return compare_by_metric(losses, question, tests)


# Splits -----------------------------------------------------------------------


def _read_splits(splits, n_samples):
    """Return pairs (train, test), the run of each, and the design if it is known."""
    if splits is None:
        single_split = np.empty(0, dtype=np.intp), np.arange(n_samples)
        return [single_split], [0], Design("holdout", 1)
    if _are_pairs(splits):
        pairs = check_splits(splits, n_samples, "splits")
        _check_tested_once(pairs)
        return pairs, [0] * len(pairs), None
    allowed = f"a fold for each of the {n_samples} rows, or (n, R) for R repeats"
    folds = as_array("splits", splits, allowed)
    if folds.ndim == 0:
        raise invalid("splits", allowed, splits, TypeError)
    if folds.ndim not in (1, 2) or len(folds) != n_samples or not folds.size:
        is_turned = folds.ndim == 2 and folds.shape[1] == n_samples
        hint = "Pass its transpose." if is_turned else ""
        splits_text = f"an array of shape {folds.shape}"
        raise invalid_words("splits", allowed, splits_text, hint=hint)
    if folds.dtype == object and any(isinstance(label, tuple) for label in folds.flat):
        hint = "Pass one of its levels." if folds.ndim == 1 else ""
        splits_text = f"tuples such as {folds.flat[0]!r}, as of a MultiIndex"
        raise invalid_words("splits", allowed, splits_text, hint=hint)
    folds = folds.reshape(n_samples, -1)
    if find_missing(folds).any():
        hint = "Use -1 for rows that are in no test set."
        raise invalid("splits", "without missing values", splits, hint=hint)
    pairs, runs = [], []
    for run, column in enumerate(folds.T):
        labels = unique_labels(column)
        labels = labels[[label not in (-1, "-1") for label in labels.tolist()]]
        if len(labels) < 2:
            hint = "Leave out `splits` for one test set."
            raise invalid("splits", "of at least two folds", labels.tolist(), hint=hint)
        for label in labels:
            is_tested = column == label
            pairs.append((np.flatnonzero(~is_tested), np.flatnonzero(is_tested)))
            runs.append(run)
    return check_splits(pairs, n_samples, "splits"), runs, None


def _are_pairs(splits):
    """Whether splits are given as a list of (train, test)."""
    if hasattr(splits, "shape") or not isinstance(splits, (list, tuple)):
        return False
    return bool(splits) and all(
        isinstance(split, (list, tuple)) and len(split) == 2 and np.ndim(split[1]) == 1
        for split in splits
    )


def _check_tested_once(pairs):
    counts = np.bincount(np.concatenate([test for _, test in pairs]))
    if counts.max() > 1:
        raise ValueError(
            "`splits` must test each row at most once, as there is one prediction for "
            f"it; got row {int(np.argmax(counts))} in {counts.max()} test sets. Pass "
            "an array of shape (n, R) for R repeats."
        )


# Predictions ------------------------------------------------------------------


def _read_predictions(predictions, n_runs, tested, turned):
    """Return arrays of shape (n_runs, n_samples, ...) by name.

    `turned` is what to do where the second dimension has the rows.
    """
    allowed = "a dict or data frame of at least two models"
    if hasattr(predictions, "columns"):
        names = list(predictions.columns)
        if len(set(names)) < len(names):
            raise invalid("predictions", f"{allowed}, named differently", names)
        predictions = {name: predictions[name] for name in names}
    check_named("predictions", predictions, allowed)
    return {
        name: _read_one(name, values, n_runs, tested, turned)
        for name, values in predictions.items()
    }


def _read_one(name, values, n_runs, tested, turned):
    n_samples = len(tested)
    parameter = f"predictions[{name!r}]"
    values = as_numpy(parameter, values)
    refuse_masked(parameter, values)
    shape = f"({n_samples}, ...)" if n_runs == 1 else f"({n_samples}, {n_runs}, ...)"
    try:
        values = np.asarray(values) if np.ndim(values) > 1 else as_target_array(values)
    except (TypeError, ValueError):
        raise invalid(parameter, f"an array of shape {shape}", values) from None
    is_long = values.ndim >= 1 and len(values) == n_samples
    if is_long and n_runs == 1 and values.ndim in (1, 2):
        values = values[np.newaxis]
    elif is_long and values.ndim in (2, 3) and values.shape[1] == n_runs > 1:
        values = np.moveaxis(values, 1, 0)
    else:
        values_text = f"an array of shape {values.shape}"
        is_turned = values.ndim > 1 and values.shape[1] == n_samples
        hint = turned if is_turned else ""
        raise invalid_words(
            parameter, f"an array of shape {shape}", values_text, hint=hint
        )
    missing = find_missing(values)
    missing = missing.any(axis=(0, *range(2, missing.ndim))) & tested
    if missing.any():
        rows = np.flatnonzero(missing)
        allowed = "given for all rows that are tested"
        values_text = f"{len(rows)} missing, the first in row {rows[0]}"
        raise invalid_words(parameter, allowed, values_text)
    return values
