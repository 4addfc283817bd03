"""A task: some estimators on one split, looked up, fitted and stored."""

import math
import pickle
import traceback
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from .._splits._indices import split_digest
from ._fitting import Fold, run_jobs
from ._shared_steps import group_jobs
from ._signs import near

# Slices of at most so many values are made once a split and copied for each
# estimator; larger ones are sliced anew, so that only one is ever held.
MAX_SHARED_SIZE = 2**18


@dataclass(frozen=True)
class Run:
    """A plan, with what is done with its results."""

    plan: Any
    store: Any = None
    error_score: Any = "raise"
    return_estimator: bool = False

    @property
    def looks(self):
        """Whether results may be there, as fitted estimators, not stored, are not."""
        return self.store is not None and not self.return_estimator

    def on_data(self, X, y, target):
        """Return the run with other data, and without splits."""
        data = self.plan.data._replace(X=X, y=y, target=target)
        return replace(self, plan=replace(self.plan, data=data, splits=[]))

    def arrays(self, split):
        """Return dtype and shape of the arrays that a fit on a split gives, a dict."""
        n_test = len(split[1])
        return {
            "values": (np.dtype(np.float64), (sum(self.plan.sizes(n_test)),)),
            "seen": (np.dtype(np.float32), (np.count_nonzero(near(split[1])),)),
        }


def run_task(run, number, split, columns):
    """Yield (column, result) of estimators on a split, each stored at once."""
    data = run.plan.data
    is_small = math.prod(getattr(data.X, "shape", (np.inf,))) <= MAX_SHARED_SIZE
    fold = Fold(number, data, split, len(columns), is_small)
    if run.store is None:
        yield from _fit(run, fold, columns)
        return
    digest = split_digest([split])
    for positions in group_jobs([run.plan.jobs[column] for column in columns]):
        left = []
        for column in (columns[position] for position in positions):
            # it may have come since the run began
            found = None
            if run.looks:
                found = run.store.load(column, digest, run.arrays(split))
            if found is None:
                left.append(column)
            else:
                yield column, found
        for column, result in _fit(run, fold, left):
            run.store.save(column, digest, result, run.arrays(split))
            yield column, result


def _fit(run, fold, columns):
    results = run_jobs(
        fold,
        [run.plan.jobs[column] for column in columns],
        error_score=run.error_score,
        return_estimator=run.return_estimator,
    )
    return zip(columns, results, strict=True)


# In a worker ------------------------------------------------------------------


class RemoteError(Exception):
    """The traceback, as text, of what was raised in a worker."""


def run_in_worker(X, y, target, run, number, split, columns):
    """Run a task; return number, [(column, result)] and (error, traceback).

    An error is returned, not raised: what was done before it is not lost, and it
    reaches the caller even if it cannot be pickled.
    """
    done, failure = [], None
    if run.store is not None and not run.store.is_for_here():
        run = replace(run, store=None)
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
