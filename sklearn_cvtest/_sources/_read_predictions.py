"""Predictions, target and splits as they are given, read and planned."""

from typing import NamedTuple

import numpy as np

from .._engine._routing import check_weights
from .._losses._formulas import as_target_array, unique_labels
from .._row_labels import check_same_index, labels_of_rows
from .._splits._design import Design, DesignKind
from .._splits._indices import ComplementSplit, check_splits
from .._typing import Any
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


class GivenModels(NamedTuple):
    """Models of which predictions are given, before they are measured.

    Attributes
    ----------
    names : list of str
        The models.
    plan : plan
        What measures their predictions.
    target : ndarray of shape (n_samples,)
        The checked target.
    runs : list of int
        The run of each split.
    sizes : dict
        What is known of the training sets besides.
    """

    names: list
    plan: Any
    target: np.ndarray
    runs: list
    sizes: dict

    def losses(self):
        """Return the losses, of several metrics a dict of them."""
        return measured(self.plan, self.runs, **self.sizes)


def plan_given(
    y_true,
    predictions,
    *,
    loss,
    scoring,
    response,
    splits,
    groups,
    sample_weight,
    n_train,
    needs_examples,
    least=2,
):
    """Return the models of which predictions are given, checked.

    Parameters
    ----------
    y_true, predictions, loss, scoring, response, splits, groups : object
        As in :func:`compare_predictions`.
    sample_weight, n_train : object
        As in :func:`compare_predictions`.
    needs_examples : bool
        Whether tests take the values of single examples.
    least : int, default=2
        The smallest number of models.
    """
    check_option("response", response, RESPONSES)
    y_true = as_numpy("y_true", y_true)
    splits = as_numpy("splits", splits)
    target = check_target(y_true)
    n_samples = len(target)
    pairs, runs, design = _read_splits(splits, n_samples)
    tested = tested_rows(pairs, n_samples)
    turned = "Pass the transpose of each array."
    if splits is None:
        turned = hint_of_runs(asked_scorer(loss, scoring, are_classes(target)), True)
    named = _read_models(predictions, max(runs) + 1, tested, turned, least)
    columns = {"y_true": y_true, "splits": splits, "groups": groups}
    for name in named:
        columns[f"predictions[{name!r}]"] = predictions[name]
    columns["sample_weight"] = sample_weight
    check_same_index(columns, n_samples)
    weight = sample_weight
    if weight is not None:
        weight = check_weights("sample_weight", weight, n_samples)
        weight = {"sample_weight": weight}
    sizes = _read_size(n_train, splits)
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
        needs_examples=needs_examples,
        design=design,
        example_labels=labels_of_rows(*columns.values()),
    )
    return GivenModels(list(named), plan, target, runs, sizes)


def _read_size(n_train, splits):
    """Return what is known of the size of the training set of a test set."""
    if n_train is None:
        return {} if splits is not None else {"n_train": None}
    check_integer("n_train", n_train, 1)
    if splits is not None:
        raise invalid("n_train", "None with `splits`, which say it", n_train)
    return {"n_train": np.array([n_train])}


# Splits -----------------------------------------------------------------------


def _read_splits(splits, n_samples):
    """Return pairs (train, test), the run of each, and the design if it is known."""
    if splits is None:
        test_set = np.empty(0, dtype=np.intp), np.arange(n_samples)
        return [test_set], [0], Design(DesignKind.HOLDOUT, 1)
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
        value_text = f"an array of shape {folds.shape}"
        raise invalid_words("splits", allowed, value_text, hint=hint)
    if folds.dtype == object and any(isinstance(label, tuple) for label in folds.flat):
        hint = "Pass one of its levels." if folds.ndim == 1 else ""
        value_text = f"tuples such as {folds.flat[0]!r}, as of a MultiIndex"
        raise invalid_words("splits", allowed, value_text, hint=hint)
    folds = folds.reshape(n_samples, -1)
    if find_missing(folds).any():
        hint = "Use -1 for rows that are in no test set."
        raise invalid("splits", "without missing values", splits, hint=hint)
    pairs = []
    runs = []
    for run, column in enumerate(folds.T):
        labels = unique_labels(column)
        labels = labels[[label not in (-1, "-1") for label in labels.tolist()]]
        if len(labels) < 2:
            hint = "Leave out `splits` for one test set."
            raise invalid("splits", "of at least two folds", labels.tolist(), hint=hint)
        for label in labels:
            pairs.append(ComplementSplit(np.flatnonzero(column == label), n_samples))
            runs.append(run)
    return pairs, runs, None


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


def _read_models(predictions, n_runs, tested, turned, least):
    """Return arrays of shape (n_runs, n_samples, ...) by name, of at least so many.

    `turned` is what to do where the second dimension has the rows.
    """
    allowed = "a dict or data frame of at least two models"
    if least < 2:
        allowed = "an array, or a dict or data frame of models"
    if hasattr(predictions, "columns"):
        names = list(predictions.columns)
        if len(set(names)) < len(names):
            raise invalid("predictions", f"{allowed}, named differently", names)
        predictions = {name: predictions[name] for name in names}
    hint = "For one model, use interval_of_predictions."
    check_named("predictions", predictions, allowed, hint, least)
    return {
        name: _read_one(name, values, n_runs, tested, turned)
        for name, values in predictions.items()
    }


def _read_one(name, values, n_runs, tested, turned):
    """Return the predictions of a model, of shape (n_runs, n_samples, ...)."""
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
        value_text = f"an array of shape {values.shape}"
        is_turned = values.ndim > 1 and values.shape[1] == n_samples
        hint = turned if is_turned else ""
        if is_long and values.ndim == 1:
            hint = f"`splits` has {n_runs} repeats: pass a column for each."
        raise invalid_words(
            parameter, f"an array of shape {shape}", value_text, hint=hint
        )
    missing = find_missing(values)
    missing = missing.any(axis=(0, *range(2, missing.ndim))) & tested
    if missing.any():
        rows = np.flatnonzero(missing)
        allowed = "given for all rows that are tested"
        value_text = f"{len(rows)} missing, the first in row {rows[0]}"
        raise invalid_words(parameter, allowed, value_text)
    return values
