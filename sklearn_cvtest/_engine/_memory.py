"""Fits on disk: one file of arrays each, by a hash of all that decides the result."""

import hashlib

import joblib
import numpy as np
import scipy
import sklearn

from .._splits._indices import split_digest
from .._store._array_files import ArrayFolder
from .._store._fingerprint import check_content
from .._validation import check_path
from .._version import __version__
from ._fitting import Result


def setting_of_run():
    """Return what results depend on besides estimators and data."""
    versions = [sklearn.__version__, np.__version__, scipy.__version__, __version__]
    options = dict(sklearn.get_config())
    for name in ("display", "print_changed_only"):  # by which no result changes
        options.pop(name, None)
    return versions, options


def open_store(memory, plan):
    """Return the FitStore of a plan, None without `memory`."""
    if isinstance(memory, joblib.Memory):
        memory = memory.location
    if memory is None:
        return None
    path = check_path("memory", memory, "None, a path or a joblib.Memory")
    allowed = "None for an estimator, data or a loss whose content cannot be known"
    data = plan.data._replace(diagnostics=True)  # by which no value changes
    states = {}
    data_digest = check_content("memory", memory, allowed, setting_of_run(), data)
    job_digests = []
    for job in plan.jobs:  # each alone: others may come and go
        digest = check_content("memory", memory, allowed, job, states=states)
        job_digests.append(data_digest + digest)
    folder = ArrayFolder(path, "sklearn_cvtest")
    return FitStore(folder, job_digests, plan.data.diagnostics)


class FitStore:
    """A folder of results of fits, which several runs may read and write at a time."""

    def __init__(self, folder, job_digests, diagnostics):
        self.folder = folder
        self.job_digests = job_digests
        self.diagnostics = diagnostics

    def _key(self, job, split):
        """Return the key of a job on a split."""
        text = self.job_digests[job] + split_digest([split])
        return hashlib.sha1(text.encode(), usedforsecurity=False).hexdigest()

    def load(self, job, split):
        """Return the result of a job on a split, None if it is to be fitted."""
        names = "values", "numbers", "kept_values"
        arrays = self.folder.load(self._key(job, split), names)
        if arrays is None:
            return None
        is_looked_at, fit_time, score_time, *n_true_positives = arrays["numbers"]
        if self.diagnostics and not is_looked_at:
            return None
        return Result(
            arrays["values"],
            fit_time,
            score_time,
            n_true_positives=tuple(n_true_positives),
            kept_values=arrays["kept_values"],
        )

    def save(self, job, split, result):
        """Store a result, unless the fit failed."""
        if result.error is not None:
            return
        times = result.fit_time, result.score_time
        numbers = [self.diagnostics, *times, *result.n_true_positives]
        self.folder.save(
            self._key(job, split),
            values=result.values,
            numbers=numbers,
            kept_values=result.kept_values,
        )
