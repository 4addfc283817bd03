"""One fit: a job on a fold, its failures, and leading steps that pipelines share."""

import time
import traceback
from collections import Counter
from typing import Any, NamedTuple

import numpy as np
from sklearn.base import clone
from sklearn.pipeline import Pipeline

from ._arguments import check_square
from ._compat import copy_rows, n_rows, take_rows
from ._losses import PredictionError
from ._measures import LossError
from ._routing import slice_params

__all__ = ["Data", "Fold", "Job", "Result", "run_jobs"]


class Data(NamedTuple):
    """What all fits have in common."""

    X: Any
    y: Any
    target: Any  # y as the loss takes it, None with a scorer
    measure: Any
    score_params: dict
    block_means: bool  # whether only the mean of each test set is kept


class Job(NamedTuple):
    """An estimator to fit."""

    name: str
    estimator: Any
    fit_params: dict
    pairwise: bool
    shared: tuple = ()  # keys of the leading steps that other pipelines have, too


class Result(NamedTuple):
    """What a fit leaves."""

    values: np.ndarray
    fit_time: float
    score_time: float
    estimator: Any = None
    error: str | None = None


class Fold:
    """One split; its slices are made at first use and, if small, kept for others."""

    def __init__(self, number, data, split, n_uses, keep_slices):
        self.number = number
        self.data = data
        self.train, self.test = split
        self.n_uses = n_uses
        self.keep_slices = keep_slices
        self._slices = {}

    def take(self, pairwise):
        """Return X_train, y_train, X_test, y_test, for the caller to write to."""
        self.n_uses -= 1
        slices = self._slices.get(pairwise)
        if slices is None:
            slices = self._make_slices(pairwise)
        if self.n_uses == 0 or not self.keep_slices:
            return slices
        self._slices[pairwise] = slices
        return tuple(part if part is None else copy_rows(part) for part in slices)

    def _make_slices(self, pairwise):
        X, y = self.data.X, self.data.y
        columns = None
        if pairwise:
            X = check_square(X)
            columns = self.train
        X_train = take_rows(X, self.train, columns)
        X_test = take_rows(X, self.test, columns)
        y_test = None if self.data.measure.per_example else take_rows(y, self.test)
        return X_train, take_rows(y, self.train), X_test, y_test


def run_jobs(fold, jobs, *, error_score, keep):
    """Yield the result of each job; a failure becomes a result that says so."""
    shared = SharedSteps(fold, jobs) if any(job.shared for job in jobs) else None
    for job in jobs:
        start = time.perf_counter()
        where = f"estimator {job.name!r}, split {fold.number}"
        try:
            yield _fit_and_measure(fold, job, keep, shared)
        except LossError as error:
            raise ValueError(f"{error} ({where})") from error.__cause__
        except Exception as error:
            if isinstance(error_score, str):
                error.add_note(f"raised by {where}")
                raise
            size = 1 if fold.data.block_means else len(fold.test)
            values = fold.data.measure.failed(size, error_score)
            elapsed = time.perf_counter() - start
            yield Result(values, elapsed, 0.0, None, traceback.format_exc())


def _fit_and_measure(fold, job, keep, shared):
    """Fit a clone on one split and return its values on the test set."""
    data = fold.data
    n_samples = n_rows(data.X)
    fit_params, score_params = job.fit_params, data.score_params
    if fit_params:
        fit_params = slice_params(fit_params, fold.train, n_samples)
    if score_params:
        score_params = slice_params(score_params, fold.test, n_samples)
    fitted, spent = [], 0.0
    if job.shared:
        estimator, slices, fitted, spent = shared.apply(job)
    else:
        estimator, slices = clone(job.estimator), fold.take(job.pairwise)
    X_train, y_train, X_test, y_test = slices

    start = time.perf_counter()
    if y_train is None:
        estimator.fit(X_train, **fit_params)
    else:
        estimator.fit(X_train, y_train, **fit_params)
    fit_time = spent + time.perf_counter() - start
    start = time.perf_counter()
    response = data.measure.respond(estimator, X_test, y_test, score_params)
    try:
        target = None if data.target is None else data.target[fold.test]
        values = data.measure.values(response, estimator, y_train, target)
    except PredictionError:
        raise  # as from a failed fit: another training set may do better
    except Exception as error:
        raise LossError(str(error)) from error
    if data.block_means:
        values = np.mean(values, keepdims=True)
    score_time = time.perf_counter() - start
    if fitted and keep:
        whole = clone(job.estimator)
        whole.steps = [*fitted, *estimator.steps]
        estimator = whole
    return Result(values, fit_time, score_time, estimator if keep else None)


class SharedSteps:
    """The data as the leading steps of pipelines make them, fitted once a fold."""

    def __init__(self, fold, jobs):
        self.fold = fold
        self.uses = Counter(job.shared for job in jobs if job.shared)
        self.made = {}  # data, fitted steps and seconds behind each sequence of steps
        self.y = None

    def apply(self, job):
        """Return the rest of a pipeline, its data, the fitted steps, and seconds."""
        n_shared = len(job.shared)
        X_train, X_test, fitted, seconds = self._longest_made(job)
        for length in range(len(fitted) + 1, n_shared + 1):
            step = clone(job.estimator.steps[length - 1][1])
            start = time.perf_counter()
            X_train, X_test = _fit_step(step, X_train, self.y[0], X_test)
            seconds += time.perf_counter() - start
            fitted = [*fitted, step]
            if any(used[:length] == job.shared[:length] for used in self.uses):
                self.made[job.shared[:length]] = X_train, X_test, fitted, seconds
        if self._is_needed_after(job):
            X_train, X_test = copy_rows(X_train), copy_rows(X_test)
        y_train, y_test = (y if y is None else copy_rows(y) for y in self.y)
        steps = job.estimator.steps
        names = [name for name, _ in steps[:n_shared]]
        rest = Pipeline([(name, clone(step)) for name, step in steps[n_shared:]])
        fitted = list(zip(names, fitted, strict=True))
        return rest, (X_train, y_train, X_test, y_test), fitted, seconds

    def _longest_made(self, job):
        """Return what is there of the job's data: raw, if nothing is."""
        for length in range(len(job.shared), 0, -1):
            if job.shared[:length] in self.made:
                return self.made[job.shared[:length]]
        X_train, y_train, X_test, y_test = self.fold.take(job.pairwise)
        self.y = y_train, y_test
        return X_train, X_test, [], 0.0

    def _is_needed_after(self, job):
        """Forget data that no other job will use; return whether the job's are kept."""
        self.uses -= Counter([job.shared])
        for made in list(self.made):
            if not any(used[: len(made)] == made for used in self.uses):
                del self.made[made]
        return job.shared in self.made


def _fit_step(step, X_train, y_train, X_test):
    """Fit a transformer as Pipeline does; return the transformed data."""
    if hasattr(step, "fit_transform"):
        X_train = step.fit_transform(X_train, y_train)
    else:
        X_train = step.fit(X_train, y_train).transform(X_train)
    return X_train, step.transform(X_test)
