"""Calls in a process of their own, which may end before a call does."""

import contextlib
import os
import pickle
import subprocess
import sys
import tempfile

# Reads paths, calls what the file at the first holds, writes the result to the second
# and says so; what a call prints goes to standard error.
CODE = """
import os, pickle, sys
answer = os.fdopen(os.dup(1), "w", buffering=1)
os.dup2(2, 1)
sys.path[:] = pickle.loads(bytes.fromhex(sys.argv[1]))
import cloudpickle
while line := sys.stdin.readline():
    asked, found = pickle.loads(bytes.fromhex(line))
    with open(asked, "rb") as file:
        function, arguments = pickle.load(file)
    result = function(*arguments)
    with open(found, "wb") as file:
        cloudpickle.dump(result, file)
    del function, arguments, result
    print("done", file=answer)
"""
# Processes that wait for a call; they end when this process does.
_idle = []


class EndedProcessError(Exception):
    """The process has ended without a result."""


def call_isolated(function, *arguments):
    """Return `function(*arguments)`, called in another process.

    Unlike a multiprocessing.Process, it can be started by a worker, which is a daemon.
    """
    import cloudpickle  # which dask needs, too

    process = _idle.pop() if _idle else None
    if process is None or process.poll() is not None:
        process = _started()
    with tempfile.TemporaryDirectory() as folder:
        paths = [os.path.join(folder, name) for name in ("asked", "found")]
        with open(paths[0], "wb") as file:
            cloudpickle.dump((function, arguments), file)
        with contextlib.suppress(BrokenPipeError):
            process.stdin.write(pickle.dumps(paths).hex() + "\n")
            process.stdin.flush()
        if process.stdout.readline() != "done\n":
            raise EndedProcessError(f"exit code {process.wait()}")
        with open(paths[1], "rb") as file:
            result = pickle.load(file)
    _idle.append(process)
    return result


def _started():
    path = pickle.dumps(sys.path).hex()
    return subprocess.Popen(
        [sys.executable, "-c", CODE, path],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    )
