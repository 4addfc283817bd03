"""Running tasks in parallel, and what to do when a worker dies."""

import contextlib
import math
import pickle
import traceback
from dataclasses import dataclass, replace
from typing import Any

import joblib
import numpy as np
from joblib import parallel
from joblib.parallel import get_active_backend
from sklearn.utils import parallel as sklearn_parallel
from sklearn.utils.parallel import delayed

from ._fitting import Fold, run_jobs

# Slices of at most so many values are made once a split and copied for each
# estimator; larger ones are sliced anew, so that only one is ever held. Doubled, so is
# the memory that they take.
MAX_SHARED_SIZE = 2**18


@dataclass(frozen=True)
class Run:
    """A plan, with what is done with its results."""

    plan: Any
    store: Any = None
    error_score: Any = "raise"
    return_estimator: bool = False

    def on_data(self, X, y, target):
        """Return the run with other data, and nothing else that has their length."""
        data = self.plan.data._replace(X=X, y=y, target=target)
        plan = replace(
            self.plan, data=data, splits=[], groups=None, example_labels=None
        )
        return replace(self, plan=plan)


def run_task(run, number, split, columns):
    """Yield (column, result) of estimators on a split, each stored at once."""
    data = run.plan.data
    size = math.prod(getattr(data.X, "shape", (np.inf,)))
    is_small = size <= MAX_SHARED_SIZE
    fold = Fold(number, data, split, len(columns), keep_slices=is_small)
    jobs = [run.plan.jobs[column] for column in columns]
    results = run_jobs(
        fold,
        jobs,
        error_score=run.error_score,
        return_estimator=run.return_estimator,
    )
    for column, result in zip(columns, results, strict=True):
        if run.store is not None:
            run.store.save(column, split, result)
        yield column, result


# In a worker ------------------------------------------------------------------


class RemoteError(Exception):
    """The traceback, as text, of what was raised in a worker."""


def run_in_worker(X, y, target, run, number, split, columns):
    """Run a task; return number, [(column, result)] and (error, traceback).

    An error is returned, not raised: what was done before it is not lost, and it
    reaches the caller even if it cannot be pickled.
    """
    done = []
    failure = None
    try:
        done.extend(run_task(run.on_data(X, y, target), number, split, columns))
    except Exception as error:
        failure = _portable(error), traceback.format_exc()
    return number, done, failure


def _portable(error):
    """Return an error that can be sent to another process."""
    try:
        pickle.loads(pickle.dumps(error))
    except Exception:
        notes = getattr(error, "__notes__", ())
        error = RuntimeError(f"{type(error).__name__}: {error}")
        for note in notes:
            error.add_note(note)
    return error


IN_THREADS = parallel.SequentialBackend, parallel.ThreadingBackend
LOCAL = parallel.LokyBackend, parallel.MultiprocessingBackend, *IN_THREADS


def is_serial(n_jobs):
    """Whether joblib would run one task at a time, on this machine."""
    return _is_local() and joblib.effective_n_jobs(n_jobs) == 1


def _is_local():
    backend, _ = get_active_backend()
    return isinstance(backend, LOCAL)


def way_of_returning():
    """Return how the backend can give results: as they come, or all at the end."""
    backend, _ = get_active_backend()
    can_stream = backend.supports_return_generator
    return "generator_unordered" if can_stream else "list"


def run_in_workers(run, missing, **options):
    """Yield (split, column, result), as they come; `options` go to joblib.Parallel."""
    tasks = []
    for split, columns in missing.items():
        tasks += [(split, [column]) for column in columns]
    with contextlib.closing(_results(run, tasks, options)) as results:
        yield from results


# Backends ---------------------------------------------------------------------


def _results(run, tasks, options):
    """Yield (split, column, result) of tasks (split, columns), as they come."""
    run_all = Parallel(**options | _never_here(options["n_jobs"]))
    results = run_all(_calls_of(run, tasks))
    try:
        for split, done, failure in results:
            for column, result in done:
                yield split, column, result
            if failure is not None:
                error, text = failure
                raise error from RemoteError(f"\n{text}")
    finally:
        # a warning that is an error, by the filters of the process, has no reader here
        with contextlib.suppress(UserWarning):
            getattr(results, "close", list)()


def _calls_of(run, tasks):
    """Yield the call of each task, for joblib."""
    data = run.plan.data
    bare = run.on_data(None, None, None)
    for number, columns in tasks:
        split = run.plan.splits[number]
        # data are arguments of their own for backends that send them once
        yield delayed(run_in_worker)(
            data.X, data.y, data.target, bare, number, split, columns
        )


class Parallel(sklearn_parallel.Parallel):
    """Joblib's, without its warning of tasks that are given up, as is meant here."""

    def _warn_exit_early(self):
        pass


def _never_here(n_jobs):
    """Return options by which joblib does not run single tasks in this process."""
    backend, _ = get_active_backend()
    in_threads = isinstance(backend, IN_THREADS)
    is_one = not in_threads and joblib.effective_n_jobs(n_jobs) == 1
    # from a remote backend, or a run in processes with verbose output
    if is_one and not isinstance(backend, LOCAL):
        n_jobs = 2
    return {"n_jobs": n_jobs, "return_as": way_of_returning()}
