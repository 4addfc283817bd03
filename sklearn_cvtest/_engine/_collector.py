"""Collects the results of single fits into CVLosses."""

from collections import Counter

import numpy as np
from sklearn.exceptions import FitFailedWarning

from .._compat import n_rows
from .._data._cvlosses import CVLosses
from .._splits._indices import split_digest
from .._validation import printable, warn

__all__ = ["Collector"]


class Collector:
    """Puts results, in any order, into one CVLosses."""

    def __init__(self, plan, return_estimator):
        self.plan = plan
        n_splits, n_jobs = len(plan.splits), len(plan.jobs)
        # training sets that are not kept are made here, before there are losses
        self.split_hash = split_digest(plan.splits)
        self.n_train = np.array([len(train) for train, _ in plan.splits])
        self.n_test = np.array([len(split[1]) for split in plan.splits])
        self.sizes = self.n_test if plan.per_example else np.ones_like(self.n_test)
        self.ends = np.cumsum(self.sizes)
        self.losses = np.full((self.ends[-1], n_jobs), np.nan)
        self.times = np.full((2, n_splits, n_jobs), np.nan)
        self.received = np.zeros((n_splits, n_jobs), dtype=bool)
        self.errors = {}
        self.estimators = None
        if return_estimator:
            self.estimators = {job.name: [None] * n_splits for job in plan.jobs}

    def receive(self, split, column, result):
        end = self.ends[split]
        self.losses[end - self.sizes[split] : end, column] = result.values
        self.times[:, split, column] = result.fit_time, result.score_time
        self.received[split, column] = True
        if result.error is not None:
            self.errors[split, column] = result.error
        if self.estimators is not None:
            name = self.plan.jobs[column].name
            self.estimators[name][split] = result.estimator

    def collect(self):
        """Return the losses; warn of failed fits, or raise if there are no others."""
        _report_failures(self.errors, len(self.n_test), self.plan.names)
        return self.losses_so_far()

    def losses_so_far(self):
        """Return the losses, nan where there are none."""
        plan, n_splits = self.plan, len(self.n_test)
        measure, per_example = plan.data.measure, plan.per_example
        failed = ~self.received
        for where in self.errors:
            failed[where] = True
        row_index, groups = None, None
        if per_example:
            row_index = np.concatenate([split[1] for split in plan.splits])
            groups = None if plan.groups is None else plan.groups[row_index]
        return CVLosses(
            estimator_names=plan.names,
            losses=self.losses,
            row_split=np.repeat(np.arange(n_splits), self.sizes),
            row_index=row_index,
            n_train=self.n_train,
            n_test=self.n_test,
            n_samples=n_rows(plan.data.X),
            design=plan.design,
            fit_time=self.times[0],
            score_time=self.times[1],
            fit_failed=failed,
            split_hash=self.split_hash,
            loss_name=measure.name,
            per_example=per_example,
            is_score=not measure.per_example,
            cv_description=plan.cv_description,
            estimators=self.estimators,
            groups=groups,
        )


def _report_failures(errors, n_splits, names):
    """Warn about failed fits, or raise if all failed."""
    if not errors:
        return
    n_fits = n_splits * len(names)
    where = Counter(names[column] for _, column in sorted(errors))
    summary = "\n".join(
        f"{'-' * 80}\n{count} failed with the following error:\n{error}"
        for error, count in Counter(errors.values()).items()
    )
    per_name = ", ".join(f"{name!r} {count}" for name, count in where.items())
    message = (
        f"{len(errors)} of {n_fits} fits failed, by estimator: {per_name} (of "
        f"{n_splits} splits). Pass error_score='raise' to stop at the first.\n{summary}"
    )
    if len(errors) == n_fits:
        raise ValueError(printable(f"All fits failed: {message}"))
    warn(message, FitFailedWarning)
