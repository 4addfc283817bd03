"""Tasks on a dask cluster: never in this process, and never waiting for ever."""

import contextlib
import time
from concurrent.futures import CancelledError

__all__ = ["KilledTaskError", "LostWorkerError", "n_threads", "run_on_cluster"]

# A cluster without any worker is waited for so many seconds.
MAX_SECONDS_WITHOUT_WORKERS = 30


class LostWorkerError(Exception):
    """Workers, or data that only they had, are gone."""


class KilledTaskError(LostWorkerError):
    """Several workers in turn have ended while they had a task."""


def n_threads(client):
    """Return the number of threads of all workers."""
    return sum(client.ncores().values())


def run_on_cluster(client, function, data, tasks, n_ahead):
    """Yield the result of `function(*data, *task)` for each task, as they come.

    The data are sent once, to all workers; `n_ahead` tasks are at work or waiting at a
    time.
    """
    running, tasks = set(), iter(tasks)
    try:
        sent = _send(client, data)
        while True:
            while len(running) < n_ahead and (task := next(tasks, None)) is not None:
                running.add(client.submit(function, *sent, *task, pure=False))
            if not running:
                return
            for future in _finished(client, running):
                running.discard(future)
                yield _result(future)
    finally:
        with contextlib.suppress(Exception):
            client.cancel(list(running), force=True)


def _send(client, data):
    """Return futures of the data, each different object sent once."""
    _wait_for_workers(client, time.monotonic())
    sent = {}
    for part in data:
        if part is not None and id(part) not in sent:
            # in a list: of a list, dask would send the elements
            try:
                (future,) = client.scatter([part], hash=False, broadcast=True)
            except TimeoutError as error:  # the last worker has just gone
                raise LostWorkerError(str(error)) from error
            sent[id(part)] = future
    return [sent.get(id(part)) for part in data]


def _finished(client, running):
    """Wait until one of the futures, at least, is done; return all that are."""
    from distributed import wait

    start = time.monotonic()
    while True:
        with contextlib.suppress(TimeoutError, CancelledError):
            wait(list(running), timeout=1, return_when="FIRST_COMPLETED")
        done = [future for future in running if future.status != "pending"]
        if done:
            return done
        if n_threads(client):
            start = time.monotonic()
        else:
            _wait_for_workers(client, start)


def _wait_for_workers(client, start):
    while not n_threads(client):
        if time.monotonic() - start > MAX_SECONDS_WITHOUT_WORKERS:
            seconds = MAX_SECONDS_WITHOUT_WORKERS
            raise TimeoutError(f"The dask cluster has had no worker for {seconds} s.")
        time.sleep(0.1)


def _result(future):
    from distributed import KilledWorker

    try:
        return future.result(timeout=MAX_SECONDS_WITHOUT_WORKERS)
    except KilledWorker as error:
        raise KilledTaskError(str(error)) from error
    except (CancelledError, TimeoutError) as error:
        raise LostWorkerError(str(error)) from error
