"""Results of single fits, each in its own file, which cannot contain code."""

import functools
import hashlib
import os
import sys

import joblib
import numpy as np
import scipy
import sklearn

from .._store._files import StoreFolder, check_memory
from .._store._fingerprint import (
    check_content,
    fingerprint,
    state_of_module,
    states_of_own_modules,
)
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
    digests, asks_signs = {}, plan.data.check_threshold
    of_fits = plan.data._replace(check_threshold=True)  # by which no value changes
    allowed = "None for an estimator, data or a loss whose content cannot be known"
    check = functools.partial(check_content, "memory", memory, allowed, digests=digests)
    own = states_of_own_modules()
    data = check(setting_of_run(), of_fits, own)
    # each job alone: others may come and go
    jobs = [fingerprint(data, check(job._replace(shared=()))) for job in plan.jobs]
    folder = StoreFolder(path, "fit", "sklearn_cvtest")
    return Store(folder, jobs, data, own, asks_signs)


@functools.lru_cache
def _are_here(states):
    """Whether loaded modules hold what is known of them; asked once in each process."""
    return all(state_of_module(sys.modules[name]) == of for name, of in states)


class Store:
    """A folder of results, identified by hashes of everything that determines them.

    Code of installed packages is known by its name and their version, other code by its
    content, and all modules of one's own by text and values (`own`).
    Files are written whole or not at all; several runs can use one folder.
    """

    def __init__(self, folder, jobs, data, own, asks_signs):
        self.folder = folder
        self.jobs = jobs
        self.data = data
        self.own = own
        self.asks_signs = asks_signs

    def is_for_here(self):
        """Whether modules of one's own hold what they held where the run began.

        A worker imports them anew, from files, so that it may have other values.
        """
        known = self.own.items()
        return _are_here(tuple(one for one in known if one[0] in sys.modules))

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
