"""Repeats of a design, added until the verdict on every pair is stable."""

import copy
from dataclasses import fields, replace

import numpy as np
from sklearn.base import clone

from .._data._cvlosses import CVLosses
from .._engine._plan import plan_fits, warn_of_many_coefficients
from .._engine._running import progress_bar, run_plan
from .._inference._choose_tests import name_tests
from .._pairs._stability import Watch
from .._splits._block_kfold import BlockKFold
from .._splits._indices import split_digest
from .._splits._subsample import RepeatedSubsample
from .._validation import check_flag, invalid

SUBSAMPLES_AT_ONCE = 5  # that are added


def is_auto(cv):
    """Whether repeats are to be added until verdicts are stable."""
    is_ours = isinstance(cv, (BlockKFold, RepeatedSubsample))
    return is_ours and cv.n_repeats == "auto"


def plan_repeats(estimators, X, y, *, cv, **options):
    """Return the plan of fits; of "auto" repeats, of as many as there may be."""
    if not is_auto(cv):
        return plan_fits(estimators, X, y, cv=cv, **options)
    plan = plan_fits(estimators, X, y, cv=_at_most_repeats(cv), **options)
    # five runs of two folds are no 5x2 here: there may be fewer, and the tests of it
    # take five
    return replace(plan, design=plan.design.first(len(plan.splits)))


def _at_most_repeats(cv):
    cv = copy.copy(cv)
    cv.n_repeats = cv.max_repeats
    plain = type(cv)()  # the rest is used up, and no part of the splits
    cv.max_repeats, cv.stability = plain.max_repeats, plain.stability
    return cv


def tests_of_repeats(question, plan, cv):
    """Return the tests of each measure; of "auto" repeats, for infinitely many.

    Infinitely many repeats would then lead to the same verdict, if that can be had.
    """
    tests = question.tests_of_plan(plan)
    if not is_auto(cv):
        return tests
    found = []
    for of_measure in tests:
        extended = [
            clone(test).set_params(**test.traits.for_endless_repeats)
            for test in of_measure.values()
        ]
        names = of_measure if isinstance(question.test, dict) else name_tests(extended)
        found.append(dict(zip(names, extended, strict=True)))
    return found


def run_repeats(plan, cv, question, tests, *, progress, **options):
    """Return losses; of "auto" repeats, of as many as make the verdicts stable.

    What is watched is not the p-value, which would favour rejection, but how far it is
    from the level against the noise of the splits. So the verdict is the one that
    infinitely many repeats would give, or as many as allowed, and the data alone
    decide.

    Parameters
    ----------
    plan : Plan
        The plan of as many repeats as are allowed.
    cv : splitter, int, iterable or None
        As it was given.
    question : Question
        What the verdicts answer.
    tests : list of dict of tests, or None
        The tests of each measure, all of which must be stable; None for the question's.
    progress : bool
        Whether to show one progress bar, of the fits that are planned so far.
    **options : dict
        As `run_plan` takes them.
    """
    if not is_auto(cv):
        return run_plan(plan, progress=progress, **options)
    if len(plan.jobs) < 2:
        allowed = "an integer for one estimator, on which there is no verdict"
        raise invalid("n_repeats", allowed, "auto")
    check_flag("progress", progress)
    warn_of_many_coefficients(plan)
    step = cv.n_splits if isinstance(cv, BlockKFold) else SUBSAMPLES_AT_ONCE
    by_measure = tests_of_repeats(question, plan, cv) if tests is None else tests
    tests = [list(of_measure.values()) for of_measure in by_measure]
    watch = Watch(question, tests, plan.names, len(plan.splits), cv.stability)
    runs, n_planned, n_jobs = [], 2 * step, len(plan.jobs)
    with progress_bar(progress, n_planned * n_jobs, "fit") as advance:
        for start in range(0, len(plan.splits), step):
            splits = plan.splits[start : start + step]
            design = plan.design.first(len(splits))
            part = replace(plan, splits=splits, design=design)
            if start + len(splits) > n_planned:
                advance(0, len(splits) * n_jobs)
            try:
                run = run_plan(part, **options, advance=advance, is_more=start > 0)
            except (Exception, KeyboardInterrupt, SystemExit) as error:
                if runs and hasattr(error, "losses"):
                    error.losses = _join([*runs, error.losses], plan)
                raise
            runs.append(run)
            losses = _join(runs, plan)
            if len(runs) > 1 and not watch.is_open(losses):
                break
    return losses


def _join(runs, plan):
    """Return the losses of all runs as one object; for several metrics, a dict."""
    if isinstance(runs[0], dict):
        return {name: _join([run[name] for run in runs], plan) for name in runs[0]}
    arrays, starts = {}, np.cumsum([0, *(len(run.n_test) for run in runs)])
    for field in fields(CVLosses):
        parts = [getattr(run, field.name) for run in runs]
        if isinstance(parts[0], np.ndarray):
            if field.name == "row_split":
                parts = [p + start for p, start in zip(parts, starts, strict=False)]
            arrays[field.name] = np.concatenate(parts)
    estimators = runs[0].estimators
    if estimators is not None:
        estimators = {
            name: [model for run in runs for model in run.estimators.get(name, [])]
            for name in estimators
        }
    errors = {}
    for run in runs:
        errors = (run.errors or {}) | errors  # the first of each estimator
    n_splits = int(starts[-1])
    design = plan.design.first(n_splits)
    return replace(
        runs[0],
        **arrays,
        design=design,
        split_hash=split_digest(plan.splits[:n_splits]),
        estimators=estimators,
        errors=errors or None,
    )
