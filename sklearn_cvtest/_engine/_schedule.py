"""The order in which parallel tasks are started."""

from collections import deque

__all__ = ["Schedule"]


class Schedule:
    """Hands out (split, columns), each group of columns on each split once.

    First one task of every group; then, as far as their duration is known, those that
    take longest, so that short ones fill the end and no worker waits long for another.
    With fewer tasks than workers, groups are cut into as many as can run at the same
    time.
    """

    def __init__(self, missing, groups, n_workers=1):
        n_parts = max(1, n_workers // max(1, len(missing) * len(groups)))
        groups = [
            group[start::n_parts]
            for group in groups
            for start in range(min(n_parts, len(group)))
        ]
        self._waiting = []
        for group in groups:
            tasks = deque(
                (split, rest)
                for split, columns in missing.items()
                if (rest := [column for column in group if column in columns])
            )
            self._waiting.append(tasks)
        self._group_of = {
            column: n for n, group in enumerate(groups) for column in group
        }
        self._started = [False] * len(groups)
        self._seconds = [float("inf")] * len(groups)

    def learn(self, columns, seconds):
        """Record how long a task took."""
        self._seconds[self._group_of[columns[0]]] = seconds

    def __iter__(self):
        while any(self._waiting):
            group = max(
                (number for number, tasks in enumerate(self._waiting) if tasks),
                key=lambda number: (not self._started[number], self._seconds[number]),
            )
            self._started[group] = True
            yield self._waiting[group].popleft()
