"""Results of single fits, each in a file of its own that can hold no code."""

import os
import pickle

import joblib
import numpy as np
import sklearn

from ._fitting import Result
from ._storage import load_arrays, save_arrays
from ._validation import fail
from ._version import __version__

__all__ = ["open_store"]


def open_store(memory, plan):
    """Return the store of a plan's results, None without `memory`."""
    allowed = "None, a path or a joblib.Memory"
    if isinstance(memory, joblib.Memory):
        memory = memory.location
    if memory is None:
        return None
    try:
        folder = os.path.abspath(os.fsdecode(memory))
    except TypeError:
        raise fail("memory", allowed, memory, TypeError) from None
    versions = sklearn.__version__, np.__version__, __version__
    try:
        data = joblib.hash((versions, plan.data))
        jobs = [joblib.hash((data, job._replace(shared=()))) for job in plan.jobs]
    except (pickle.PicklingError, AttributeError, TypeError):
        allowed = "None for an estimator, data or a loss that cannot be pickled"
        hint = "A function defined in a module can be, a lambda cannot."
        raise fail("memory", allowed, memory, hint=hint) from None
    folder = os.path.join(folder, "sklearn_cvtest")
    os.makedirs(folder, exist_ok=True)  # before anything is fitted
    return Store(folder, jobs)


class Store:
    """A folder of results, known by hashes of all that goes into them.

    Code is known by its name and the versions of scikit-learn, numpy and this package.
    Files are written whole or not at all, so that several runs can use one folder.
    """

    def __init__(self, folder, jobs):
        self.folder = folder
        self.jobs = jobs

    def _path(self, job, split):
        key = joblib.hash((self.jobs[job], split))
        return key, os.path.join(self.folder, key[:2], f"{key}.npz")

    def load(self, job, split, size):
        """Return the result of a job on a split, None if there is none intact."""
        key, path = self._path(job, split)
        try:
            header, arrays = load_arrays(path, "fit")
            values = arrays["values"]
            intact = header["key"] == key and values.shape == (size,)
            if intact and values.dtype == np.float64:
                return Result(values, float(header["fit"]), float(header["score"]))
        except (KeyError, OSError, TypeError, ValueError):
            return None
        return None

    def save(self, job, split, result):
        """Keep a result, unless it is that of a failure."""
        if result.error is not None:
            return
        key, path = self._path(job, split)
        os.makedirs(os.path.dirname(path), exist_ok=True)
        header = {"key": key, "fit": result.fit_time, "score": result.score_time}
        save_arrays(path, "fit", header, {"values": result.values})
