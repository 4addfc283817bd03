"""Results of single fits, each in a file of its own that can hold no code."""

import os
import pickle

import joblib
import numpy as np
import sklearn

from .._data._files import StoreFolder, check_memory
from .._validation import invalid
from .._version import __version__
from ._fitting import Result

__all__ = ["open_store"]


def open_store(memory, plan):
    """Return the store of a plan's results, None without `memory`."""
    if isinstance(memory, joblib.Memory):
        memory = memory.location
    if memory is None:
        return None
    path = check_memory(memory, "None, a path or a joblib.Memory")
    versions = sklearn.__version__, np.__version__, __version__
    try:
        data = joblib.hash((versions, plan.data))
        jobs = [joblib.hash((data, job._replace(shared=()))) for job in plan.jobs]
    except (pickle.PicklingError, AttributeError, TypeError):
        allowed = "None for an estimator, data or a loss that cannot be pickled"
        hint = "A function defined in a module can be, a lambda cannot."
        raise invalid("memory", allowed, memory, hint=hint) from None
    return Store(StoreFolder(path, "fit", "sklearn_cvtest"), jobs)


class Store:
    """A folder of results, known by hashes of all that goes into them.

    Code is known by its name and the versions of scikit-learn, numpy and this package.
    Files are written whole or not at all, so that several runs can use one folder.
    """

    def __init__(self, folder, jobs):
        self.folder = folder
        self.jobs = jobs

    def _file(self, job, split):
        """Return the key of a result, and the name of its file in the folder."""
        key = joblib.hash((self.jobs[job], split))
        return key, os.path.join(key[:2], f"{key}.npz")

    def load(self, job, split, size):
        """Return the result of a job on a split, None if there is none intact."""
        key, name = self._file(job, split)
        header, arrays = self.folder.load(name)
        try:
            values = arrays["values"]
            intact = header["key"] == key and values.shape == (size,)
            if intact and values.dtype == np.float64:
                return Result(values, float(header["fit"]), float(header["score"]))
        except (KeyError, TypeError, ValueError):
            return None
        return None

    def save(self, job, split, result):
        """Keep a result, unless it is that of a failure."""
        if result.error is not None:
            return
        key, name = self._file(job, split)
        header = {"key": key, "fit": result.fit_time, "score": result.score_time}
        self.folder.save(name, header, {"values": result.values})
