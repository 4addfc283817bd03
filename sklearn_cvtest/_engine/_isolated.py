"""A call in a process of its own, which may end before the call does."""

import os
import pickle
import subprocess
import sys
import tempfile

__all__ = ["EndedProcessError", "call_isolated"]

CODE = """
import pickle, sys
with open(sys.argv[1], "rb") as file:
    sys.path[:] = pickle.load(file)
    function, arguments = pickle.load(file)
result = function(*arguments)
import cloudpickle
with open(sys.argv[2], "wb") as file:
    cloudpickle.dump(result, file)
"""


class EndedProcessError(Exception):
    """The process has ended without a result."""


def call_isolated(function, *arguments):
    """Return `function(*arguments)`, called in a new process.

    Unlike those of multiprocessing, it can be started by a worker, which is a daemon.
    """
    import cloudpickle  # which dask needs, too

    with tempfile.TemporaryDirectory() as folder:
        asked, found = (os.path.join(folder, name) for name in ("asked", "found"))
        with open(asked, "wb") as file:
            pickle.dump(sys.path, file)
            cloudpickle.dump((function, arguments), file)
        command = [sys.executable, "-c", CODE, asked, found]
        ended = subprocess.run(command, check=False, stdin=subprocess.DEVNULL)
        if not os.path.exists(found) or ended.returncode:
            raise EndedProcessError(f"exit code {ended.returncode}")
        with open(found, "rb") as file:
            return pickle.load(file)
