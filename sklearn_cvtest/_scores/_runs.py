"""Runs of predictions on one test set, measured by scorers as values of examples."""

import numpy as np

from .._engine._plan import plan_fits
from .._engine._predictions import measure_predictions
from .._losses._formulas import as_target_array
from .._sources._given_predictions import (
    as_estimators,
    check_target,
    missing_in,
    refuse_labels,
    refuse_masked,
    with_rules,
)
from .._splits._design import Design
from .._validation import as_numpy, invalid, invalid_words


def as_outputs(parameter, outputs):
    """Return what a model predicted as an array (n_runs, n_examples, ...)."""
    allowed = (
        "predictions of shape (n_examples,), (n_runs, n_examples) or (n_runs, "
        "n_examples, n_classes)"
    )
    refuse_masked(parameter, outputs)
    try:
        found = np.asarray(as_numpy(parameter, outputs))
        found = as_target_array(found.ravel()).reshape(found.shape)
    except (TypeError, ValueError):
        raise invalid(parameter, allowed, outputs, TypeError) from None
    if found.ndim not in (1, 2, 3) or not found.size:
        raise invalid_words(parameter, allowed, f"shape {found.shape}")
    found = found[np.newaxis] if found.ndim == 1 else found
    missing = np.argwhere(missing_in(found))
    if len(missing):
        run, example = missing[0][:2].tolist()
        shown = f"one in run {run}, example {example}"
        raise invalid_words(parameter, "without missing values", shown)
    return found


def target_of(y_true, n_examples):
    """Return the target of the examples, checked."""
    target = check_target(y_true)
    if len(target) != n_examples:
        allowed = f"one label or number for each of the {n_examples} examples"
        raise invalid_words("y_true", allowed, f"{len(target)} of them")
    return target


def measured_runs(y_true, outputs, scoring):
    """Return {scorer: CVLosses} of all runs, each a test of the same examples.

    Parameters
    ----------
    y_true : ndarray of shape (n_examples,)
        The target.
    outputs : dict of str to ndarray of shape (n_runs, n_examples, ...)
        What the models predicted. For a model with fewer runs these are there again.
    scoring : str, callable, list or dict
        One or several scorers.

    Returns
    -------
    losses : dict of str to CVLosses
        By the name of the scorer.
    """
    n_runs = max(map(len, outputs.values()))
    named = {
        name: values[np.arange(n_runs) % len(values)]
        for name, values in outputs.items()
    }
    rows = np.arange(len(y_true))
    estimators = as_estimators(
        named, y_true, np.ones(len(rows), dtype=bool), "auto", "auto", "scores"
    )
    splits = [(np.empty(0, dtype=np.intp), rows)] * n_runs
    plan = plan_fits(
        estimators,
        rows[:, np.newaxis],
        y_true,
        cv=splits,
        scoring=scoring,
        share_steps=False,
        splits=splits,
        design=Design("crossed", n_runs) if n_runs > 1 else Design("holdout", 1),
    )
    refuse_labels(plan.measures, estimators, "scores")
    losses = measure_predictions(plan, list(range(n_runs)))
    losses = with_rules(losses, plan.measures, estimators)
    return losses if isinstance(losses, dict) else {losses.loss_name: losses}
