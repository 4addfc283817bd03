"""Repeats of a K-fold, added until the verdict on every pair is stable."""

import copy
from dataclasses import fields, replace

import numpy as np
from sklearn.base import clone

from .._data._cvlosses import CVLosses
from .._pairs._stability import are_stable
from .._splits._design import Design
from .._splits._indices import split_digest
from .._splits._splitters import BlockKFold
from .._validation import invalid

__all__ = ["at_most_repeats", "extrapolating", "is_auto", "run_until_stable"]


def is_auto(cv):
    """Whether repeats are to be added until verdicts are stable."""
    return isinstance(cv, BlockKFold) and cv.n_repeats == "auto"


def at_most_repeats(cv):
    """Return the splitter with as many repeats as there may be."""
    cv = copy.copy(cv)
    cv.n_repeats = cv.max_repeats
    plain = BlockKFold()  # the rest is used up, and no part of the splits
    cv.max_repeats, cv.stability = plain.max_repeats, plain.stability
    return cv


def extrapolating(test):
    """Return a test whose verdict is that of infinitely many repeats, if it can be."""
    if "extrapolate" not in test.get_params(deep=False):
        return test
    return clone(test).set_params(extrapolate=True)


def run_until_stable(run, plan, cv, tests, pairs, *, alpha, p_adjust, **options):
    """Fit repeat by repeat, and return the losses of a repeated K-fold.

    What is watched is not the p-value, which would favour rejection, but how far it is
    from the level against the noise of the splits. So the verdict is that of infinitely
    many repeats, which the data alone decide.

    Parameters
    ----------
    run : callable
        Takes a plan and options, and returns the losses.
    plan : Plan
        Of as many repeats as there may be.
    cv : BlockKFold
        The splitter as it was given.
    tests : iterable of tests
        All must be stable.
    pairs : ndarray of shape (n_pairs, 2)
        Positions of the estimators.
    alpha, p_adjust : float, str or None
        As in :func:`compare_estimators`.
    **options : dict
        As `run` takes them.
    """
    if len(plan.measures) > 1:
        raise _several([part.name for part in plan.measures])
    if len(plan.jobs) < 2:
        allowed = "an integer for one estimator, on which there is no verdict"
        raise invalid("n_repeats", allowed, "auto")
    runs = []
    for number in range(cv.max_repeats):
        try:
            runs.append(run(_one_run(plan, cv, number), **options))
        except (Exception, KeyboardInterrupt) as error:
            if runs and hasattr(error, "losses"):
                error.losses = _joined([*runs, error.losses], plan, cv)
            raise
        if isinstance(runs[-1], dict):
            raise _several(list(runs[-1]))
        losses = _joined(runs, plan, cv)
        if len(runs) > 1 and _all_stable(losses, tests, pairs, cv, alpha, p_adjust):
            break
    return losses


def _several(metrics):
    allowed = "one metric with n_repeats='auto', whose verdict is to be stable"
    return invalid("scoring", allowed, metrics)


def _all_stable(losses, tests, pairs, cv, alpha, p_adjust):
    intact = np.isfinite(losses.block_losses).all(axis=0)
    usable = pairs[intact[pairs].all(axis=1)]
    if not len(usable):  # nothing is gained by more
        return True
    return all(
        are_stable(
            losses,
            test,
            usable,
            alpha=alpha,
            p_adjust=p_adjust,
            stability=cv.stability,
        )
        for test in tests
    )


def _one_run(plan, cv, number):
    """Return the plan of one repeat."""
    start = number * cv.n_splits
    splits = plan.splits[start : start + cv.n_splits]
    return replace(plan, splits=splits, design=Design("k-fold", cv.n_splits))


def _joined(runs, plan, cv):
    """Return the losses of all runs as those of a repeated K-fold."""
    arrays = {}
    for field in fields(CVLosses):
        parts = [getattr(run, field.name) for run in runs]
        if isinstance(parts[0], np.ndarray):
            if field.name == "row_split":
                parts = [
                    part + number * cv.n_splits for number, part in enumerate(parts)
                ]
            arrays[field.name] = np.concatenate(parts)
    estimators = runs[0].estimators
    if estimators is not None:
        estimators = {
            name: [model for run in runs for model in run.estimators[name]]
            for name in estimators
        }
    described = runs[0].cv_description
    if described:
        was, now = f"n_repeats={cv.max_repeats}", f"n_repeats={len(runs)}"
        described = described.replace(was, now)
    n_splits = len(runs) * cv.n_splits
    kind = "k-fold" if len(runs) == 1 else "repeated k-fold"
    return replace(
        runs[0],
        **arrays,
        design=Design(kind, cv.n_splits, len(runs)),
        split_hash=split_digest(plan.splits[:n_splits]),
        estimators=estimators,
        cv_description=described,
    )
