"""Results of single fits, each in its own file, which cannot contain code."""

import hashlib
import os
from importlib import import_module

import joblib
import numpy as np
import scipy
import sklearn

from .._store._files import StoreFolder, check_memory
from .._store._fingerprint import UnknownContentError, fingerprint
from .._store._own_code import find
from .._validation import invalid
from .._version import __version__
from ._fitting import Result

# Options of scikit-learn by which no result changes.
OF_DISPLAY = "display", "print_changed_only"


def setting_of_run():
    """Return what results depend on besides estimators and data."""
    versions = [module.__version__ for module in (sklearn, np, scipy)]
    options = sklearn.get_config().items()
    return [*versions, __version__], {k: v for k, v in options if k not in OF_DISPLAY}


def open_store(memory, plan):
    """Return the store of a plan's results, None without `memory`."""
    if isinstance(memory, joblib.Memory):
        memory = memory.location
    if memory is None:
        return None
    path = check_memory(memory, "None, a path or a joblib.Memory")
    digests, used, asks_signs = {}, set(), plan.data.check_threshold
    of_fits = plan.data._replace(check_threshold=True)  # by which no value changes
    try:
        data = fingerprint(setting_of_run(), of_fits, digests=digests, used=used)
        jobs = [
            fingerprint(data, job._replace(shared=()), digests=digests, used=used)
            for job in plan.jobs
        ]
        used = {of: fingerprint(find(*of)) for of in sorted(used)}
    except UnknownContentError as error:
        allowed = "None for an estimator, data or a loss whose content cannot be known"
        raise invalid("memory", allowed, memory, hint=f"({error})") from None
    folder = StoreFolder(path, "fit", "sklearn_cvtest")
    return Store(folder, jobs, data, used, asks_signs)


class Store:
    """A folder of results, identified by hashes of everything that determines them.

    Code of installed packages is known by its name and their version, other code by its
    content, `used` by what modules of one's own hold. Files are written whole or not at
    all; several runs can use one folder, and share the work.
    """

    def __init__(self, folder, jobs, data, used, asks_signs):
        self.folder = folder
        self.jobs = jobs
        self.data = data
        self.used = used
        self.asks_signs = asks_signs

    def is_for_here(self):
        """Whether modules of one's own hold what they held where the run began.

        A worker imports them anew, from files, so that it may have other values.
        """
        try:
            return all(
                fingerprint(find(import_module(module).__name__, name)) == known
                for (module, name), known in self.used.items()
            )
        except Exception:  # such as there are in the code of a module
            return False

    def _file(self, job, split):
        """Return the key of a result, and the name of its file in the folder."""
        key = hashlib.blake2b(f"{self.jobs[job]} {split}".encode(), digest_size=16)
        key = key.hexdigest()
        return key, os.path.join(key[:2], f"{key}.npz")

    def load(self, job, split, expected):
        """Return the result of a job on a split, None if there is no intact one."""
        key, name = self._file(job, split)
        header, arrays = self.folder.load(name, expected)
        if header.get("key") != key:
            return None
        try:
            times = float(header["fit"]), float(header["score"])
            hits = tuple(np.nan if n is None else float(n) for n in header["hits"])
            if self.asks_signs and not header["is_seen"]:
                return None
        except (KeyError, OverflowError, TypeError, ValueError):
            return None
        times = dict(zip(("fit_time", "score_time"), times, strict=True))
        return Result(**arrays, **times, hits=hits)

    def has(self, job, split):
        """Whether there is a file of a result."""
        return os.path.isfile(os.path.join(self.folder.path, self._file(job, split)[1]))

    def save(self, job, split, result, expected):
        """Store a result, unless the fit failed."""
        if result.error is not None:
            return
        key, name = self._file(job, split)
        header = {"key": key, "fit": result.fit_time, "score": result.score_time}
        header["hits"] = [None if np.isnan(n) else float(n) for n in result.hits]
        header["is_seen"] = self.asks_signs
        arrays = {
            of: np.broadcast_to(np.asarray(getattr(result, of), dtype), shape)
            for of, (dtype, shape) in expected.items()
        }
        self.folder.save(name, header, arrays)
