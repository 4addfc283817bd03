"""Tasks on a dask cluster: never in this process, and never waiting for ever."""

import contextlib
import time
from collections import Counter, deque
from concurrent.futures import CancelledError
from typing import Any, NamedTuple

from ._isolated import EndedProcessError, call_isolated

# A cluster without any worker, and a result on its way, are waited for so many seconds.
MAX_SECONDS_WITHOUT_WORKERS = 30
# So often, in seconds, is it looked which workers there are.
PAUSE = 0.2
# Tasks shorter than this, in seconds, are sent before the worker has finished others.
SHORT = 0.5
# After so many losses of workers each fit gets a process of its own: a cluster may give
# up workers that end too often.
MAX_DEATHS = 3
# So many failures to send data or to get a result are put up with without any result.
MAX_FAILURES = 20
# What sending to workers raises of which one has just gone.
GONE = KeyError, OSError, TimeoutError, ValueError


class _Given(NamedTuple):
    """A task that a worker has."""

    task: Any
    address: str
    is_isolated: bool
    since: float


def n_threads(client):
    """Return the number of threads of all workers."""
    return sum(client.ncores().values())


def run_on_cluster(client, function, data, tasks, give_up):
    """Yield the result of `function(*data, *task)` for each task, as they come.

    The data are sent once, to all workers. A task ends with the columns that it is of,
    and is meant for one worker: if this ends, it is known which tasks it had. They are
    run again column by column, each in a process of its own. One that ends this, too,
    has for its result `give_up(task)`, and so have other tasks of the column a process
    of their own.
    """
    work = _Work(client, function, data, iter(tasks), give_up)
    try:
        while work.give_tasks():
            yield from work.results()
    finally:
        with contextlib.suppress(Exception):
            client.cancel(list(work.given), force=True)


class _Work:
    """What is to be done, and which worker has what."""

    def __init__(self, client, function, data, tasks, give_up):
        self.client = client
        self.function = function
        self.data = data
        self.tasks = tasks
        self.give_up = give_up
        self.sent = None
        self.waiting = deque()  # (task, is_isolated), before other tasks
        self.given = {}  # by the future of the result
        self.deadly = set()  # columns of which a fit has ended its process
        self.suspected = set()  # columns of which one was on a worker that ended
        self.seconds = float("inf")  # that the last task took
        self.n_deaths = 0
        self.n_failures = 0
        self.look_for_workers()

    def look_for_workers(self):
        """Note the threads of each worker; wait for the first, not for long."""
        start = time.monotonic()
        while not (workers := self.client.ncores()):
            if time.monotonic() - start > MAX_SECONDS_WITHOUT_WORKERS:
                seconds = MAX_SECONDS_WITHOUT_WORKERS
                why = f"The dask cluster has had no worker for {seconds} s."
                raise TimeoutError(why)
            time.sleep(0.1)
        self.workers = workers
        self.looked = time.monotonic()

    def give_tasks(self):
        """Give tasks to workers; return whether there is anything to wait for."""
        n_given = Counter(given.address for given in self.given.values())
        for address, threads in self.workers.items():
            most = 2 * threads if self.seconds < SHORT else threads
            for _ in range(most - n_given[address]):
                if not self._give_next(address):
                    break
        return bool(self.given or self.waiting)

    def _give_next(self, address):
        """Give a worker the next task; return whether there was one."""
        if not self.waiting:
            task = next(self.tasks, None)
            if task is None:
                return False
            self._queue(task)
        task, is_isolated = self.waiting.popleft()
        function = [call_isolated, self.function] if is_isolated else [self.function]
        options = {"workers": [address], "pure": False}
        try:
            future = self.client.submit(*function, *self._sent(), *task, **options)
        except GONE as error:
            self.waiting.append((task, is_isolated))
            self._count_failure(error)
            return False
        self.given[future] = _Given(task, address, is_isolated, time.monotonic())
        return True

    def _queue(self, task, is_suspect=False):
        """Queue a task; in parts of one column if one may end its process."""
        *others, columns = task
        if self.n_deaths < MAX_DEATHS and not is_suspect:
            deadly = self.deadly | self.suspected
            isolated = [column for column in columns if column in deadly]
        else:
            isolated = columns
        rest = [column for column in columns if column not in isolated]
        if rest:
            self.waiting.append(((*others, rest), False))
        self.waiting.extend(((*others, [column]), True) for column in isolated)

    def _sent(self):
        """Return futures of the data, each different object sent once."""
        if self.sent is None or any(
            future.status in ("lost", "cancelled", "error")
            for future in self.sent.values()
        ):
            sent = {}
            for part in self.data:
                if part is not None and id(part) not in sent:
                    # in a list: of a list, dask would send the elements
                    options = {"hash": False, "broadcast": True}
                    (sent[id(part)],) = self.client.scatter([part], **options)
            self.sent = sent
        return [self.sent.get(id(part)) for part in self.data]

    def results(self):
        """Wait a while; yield the results that have come, and deal with losses."""
        from distributed import wait

        with contextlib.suppress(TimeoutError, CancelledError):
            if self.given:
                wait(list(self.given), timeout=PAUSE, return_when="FIRST_COMPLETED")
            else:
                time.sleep(PAUSE)
        if time.monotonic() - self.looked > PAUSE:
            self.look_for_workers()
        lost = []
        for future, given in list(self.given.items()):
            if future.status == "pending" and given.address in self.workers:
                continue
            del self.given[future]
            result = self._result(future, given)
            if result is None:
                lost.append(given)
            else:
                self.n_failures, self.seconds = 0, time.monotonic() - given.since
                if given.is_isolated:
                    self.suspected.difference_update(given.task[-1])
                yield result
        if lost:
            self.look_for_workers()
            self._run_again(lost)

    def _result(self, future, given):
        """Return the result of a task, None if it is lost."""
        from distributed import KilledWorker

        if future.status == "error":
            error = future.exception()
            if isinstance(error, EndedProcessError):
                self.deadly.update(given.task[-1])
                return self.give_up(given.task)
            if not isinstance(error, KilledWorker):
                raise error
            self.deadly.update(given.task[-1])  # dask has tried it several times
            return None
        if future.status == "finished":
            with contextlib.suppress(CancelledError, TimeoutError, OSError):
                return future.result(timeout=MAX_SECONDS_WITHOUT_WORKERS)
        with contextlib.suppress(Exception):
            self.client.cancel([future], force=True)
        return None

    def _run_again(self, lost):
        """Queue tasks that were lost, in their own processes if with the worker."""
        dead = {given.address for given in lost} - set(self.workers)
        self.n_deaths += len(dead)
        self._count_failure("data or results were lost")
        for task, address, is_isolated, _ in lost:
            if address in dead:
                self.suspected.update(task[-1])
            self._queue(task, is_suspect=is_isolated or address in dead)

    def _count_failure(self, error):
        self.n_failures += 1
        if self.n_failures > MAX_FAILURES:
            why = f"The dask cluster no longer gives results ({error})."
            raise RuntimeError(why)
