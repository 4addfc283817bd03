"""Results of single fits, kept by a joblib.Memory."""

import pickle

import joblib
import numpy as np
import sklearn
from sklearn.utils.validation import check_memory

from ._validation import fail
from ._version import __version__

__all__ = ["with_memory"]


def with_memory(memory, evaluate, data, jobs):
    """Return a function like `evaluate` that remembers its results."""
    if memory is None:
        return evaluate
    if hasattr(memory, "__fspath__"):
        memory = str(memory)
    try:
        memory = check_memory(memory)
    except ValueError:
        allowed = "None, a path or a joblib.Memory"
        raise fail("memory", allowed, memory, TypeError) from None
    return CachedFits(memory, evaluate, data, jobs)


class CachedFits:
    """A function of (fold, job, keep), known by hashes of all that goes into it.

    Code is known by its name and the versions of scikit-learn and this package.
    """

    def __init__(self, memory, evaluate, data, jobs):
        versions = sklearn.__version__, __version__
        try:
            self.data_hash = joblib.hash((versions, *data))
            self.job_hashes = {job.name: joblib.hash(tuple(job)) for job in jobs}
        except (pickle.PicklingError, AttributeError, TypeError):
            allowed = "None for an estimator, data or a loss that cannot be pickled"
            hint = "A function defined in a module can be, a lambda cannot."
            raise fail("memory", allowed, memory, hint=hint) from None
        self.evaluate = evaluate
        self.remember = memory.cache(_evaluate, ignore=["evaluate", "fold", "job"])

    def __call__(self, fold, job, keep):
        # joblib hands large arrays to its workers as memory maps, which hash otherwise
        split = np.array(fold.train), np.array(fold.test)
        key = (self.data_hash, self.job_hashes[job.name], split)
        return self.remember(key, keep, self.evaluate, fold, job)


def _evaluate(key, keep, evaluate, fold, job):
    return evaluate(fold, job, keep)
