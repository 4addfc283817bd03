"""Running a plan: fit by fit or in parallel, and again what a cluster has lost."""

import contextlib
import time
from concurrent.futures import CancelledError
from dataclasses import replace

import joblib
import numpy as np
from joblib.parallel import (
    LokyBackend,
    MultiprocessingBackend,
    SequentialBackend,
    ThreadingBackend,
    get_active_backend,
)
from sklearn.utils.parallel import Parallel, delayed

from .._splits._design import split_digest
from .._validation import check_flag, check_integer
from ._arguments import check_error_score, check_n_jobs, check_pre_dispatch
from ._collector import Collector
from ._fitting import Fold, run_jobs
from ._progress import progress_bar
from ._schedule import Schedule
from ._shared_steps import group_jobs
from ._stored_fits import open_store

__all__ = ["losses_by_split", "run_plan", "way_of_returning"]

# Slices of at most so many values are made once a split and copied for each
# estimator; larger ones are sliced anew, so that only one is ever held.
MAX_SHARED_SIZE = 2**18

LOCAL = LokyBackend, MultiprocessingBackend, SequentialBackend, ThreadingBackend

# So often may a cluster lose the data before a run is given up.
MAX_RESTARTS = 3


def run_plan(
    plan,
    *,
    n_jobs,
    verbose,
    pre_dispatch,
    error_score,
    memory,
    return_estimator,
    progress=False,
):
    """Fit everything and return the CVLosses."""
    check_n_jobs(n_jobs)
    check_pre_dispatch(pre_dispatch)
    if not isinstance(verbose, bool):
        check_integer("verbose", verbose, 0)
    check_flag("return_estimator", return_estimator)
    check_flag("progress", progress)
    check_error_score(error_score)
    run = _Run(plan, open_store(memory, plan), error_score, return_estimator)
    collector = Collector(plan, return_estimator)
    n_fits = len(plan.splits) * len(plan.jobs)
    with progress_bar(progress, n_fits, "fit") as advance:
        missing = _load_stored(run, collector)
        advance(n_fits - sum(map(len, missing.values())))
        if _is_serial(n_jobs) and not verbose:
            results = _run_serially(run, missing)
        else:
            parallel = Parallel(
                n_jobs=n_jobs,
                verbose=verbose,
                pre_dispatch=pre_dispatch,
                return_as=way_of_returning(),
            )
            results = _run_to_the_end(run, parallel, missing)
        with contextlib.closing(results):  # at once when interrupted
            for split, column, result in results:
                collector.receive(split, column, result)
                advance(1)
    return collector.collect()


def losses_by_split(plan, error_score):
    """Yield, for each split, an array (n_test, n_estimators) of losses."""
    run = _Run(plan, None, error_score, False)
    values = [None] * len(plan.jobs)
    results = _run_serially(run, _everything(plan))
    for number, (_, column, result) in enumerate(results, start=1):
        values[column] = result.values
        if number % len(values) == 0:
            yield np.stack(values, axis=1)


class _Run:
    """A plan with what is done with its results."""

    def __init__(self, plan, store, error_score, return_estimator):
        self.plan = plan
        self.store = store
        self.error_score = error_score
        self.return_estimator = return_estimator

    def on_data(self, X, y, target, splits):
        """Return the run with other data and splits."""
        data = self.plan.data._replace(X=X, y=y, target=target)
        plan = replace(self.plan, data=data, splits=splits)
        return _Run(plan, self.store, self.error_score, self.return_estimator)


def _everything(plan):
    """Return the columns of all jobs for every split."""
    columns = range(len(plan.jobs))
    return {split: list(columns) for split in range(len(plan.splits))}


def _load_stored(run, collector):
    """Hand stored results to the collector; return the columns missing by split."""
    if run.store is None or run.return_estimator:  # fitted estimators are not stored
        return _everything(run.plan)
    missing = {}
    for number, split in enumerate(run.plan.splits):
        digest = split_digest([split])
        for column in range(len(run.plan.jobs)):
            result = run.store.load(column, digest, collector.size(number))
            if result is None:
                missing.setdefault(number, []).append(column)
            else:
                collector.receive(number, column, result)
    return missing


# One after the other ----------------------------------------------------------


def _is_serial(n_jobs):
    """Whether joblib would run one task at a time, on this machine."""
    backend, _ = get_active_backend()
    return isinstance(backend, LOCAL) and joblib.effective_n_jobs(n_jobs) == 1


def _is_small(X):
    return np.prod(getattr(X, "shape", (np.inf,))) <= MAX_SHARED_SIZE


def _run_serially(run, missing):
    """Yield (split, column, result) of what is missing, split by split."""
    order = [column for group in group_jobs(run.plan.jobs) for column in group]
    for number, columns in missing.items():
        columns = sorted(columns, key=order.index)
        split = run.plan.splits[number]
        for column, result in _run_on_fold(run, number, split, columns):
            yield number, column, result


def _run_on_fold(run, number, split, columns):
    """Yield (column, result) of some jobs on a split, storing each at once."""
    data = run.plan.data
    fold = Fold(number, data, split, len(columns), _is_small(data.X))
    digest = None if run.store is None else split_digest([split])
    results = run_jobs(
        fold,
        [run.plan.jobs[column] for column in columns],
        error_score=run.error_score,
        return_estimator=run.return_estimator,
    )
    for column, result in zip(columns, results, strict=True):
        if run.store is not None:
            run.store.save(column, digest, result)
        yield column, result


# In parallel ------------------------------------------------------------------


def way_of_returning():
    """Return how the backend can give results: as they come, or all at the end."""
    backend, _ = get_active_backend()
    can_stream = backend.supports_return_generator
    return "generator_unordered" if can_stream else "list"


def _run_to_the_end(run, parallel, missing):
    """Yield as `_run_parallel` does; start again what a cluster has lost.

    With a worker, dask may lose the only copy of the data, and then cancels what
    needs them.
    """
    missing = {split: list(columns) for split, columns in missing.items()}
    n_restarts = 0
    while missing:
        try:
            with contextlib.closing(_run_parallel(run, parallel, missing)) as results:
                for split, column, result in results:
                    yield split, column, result
                    missing[split].remove(column)
        except CancelledError:
            n_restarts += 1
            if n_restarts == MAX_RESTARTS:
                raise
        else:
            if any(missing.values()):
                raise RuntimeError("joblib did not return all results.")
        missing = {split: columns for split, columns in missing.items() if columns}


def _run_parallel(run, parallel, missing):
    """Yield (split, column, result) as they come, long fits started first."""
    plan = run.plan
    n_workers = joblib.effective_n_jobs(parallel.n_jobs)
    schedule = Schedule(missing, group_jobs(plan.jobs), n_workers)
    # data are arguments of their own for backends that send them once
    data = [_sent_once(part) for part in (plan.data.X, plan.data.y)]
    data.append(plan.data.target)
    bare = run.on_data(None, None, None, [])
    tasks = (
        delayed(_run_task)(*data, bare, split, plan.splits[split], columns)
        for split, columns in schedule
    )
    with contextlib.closing(_each(parallel(tasks))) as results:
        for split, done, seconds in results:
            schedule.learn([column for column, _ in done], seconds)
            for column, result in done:
                yield split, column, result


def _run_task(X, y, target, bare, number, split, columns):
    """Run some jobs on a split, in a worker; return its number, results, seconds."""
    start = time.perf_counter()
    done = list(_run_on_fold(bare.on_data(X, y, target, []), number, split, columns))
    return number, done, time.perf_counter() - start


class _ReferableList(list):
    """A list that there can be weak references to: dask sends only such data once."""


def _sent_once(part):
    return _ReferableList(part) if type(part) is list else part


def _each(results):
    """Yield from a list or a generator, which is closed with this one."""
    yield from results
