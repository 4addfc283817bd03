"""Each model fitted on each training set, and measured on its test set."""

import time
from copy import deepcopy
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
from sklearn.base import clone
from sklearn.utils import get_tags
from sklearn.utils.parallel import Parallel, delayed

from ._compat import import_extra, take_columns, take_rows
from ._memory import FitStore
from ._validation import invalid, one_line, warn


class Data(NamedTuple):
    """Data of all fits (y as given, target an array), a MetricGroup, and weights."""

    X: Any
    y: Any
    target: np.ndarray
    metrics: Any
    weight: np.ndarray | None = None


class FitResult(NamedTuple):
    """The outcome of one fit; values of all metrics, one after the other."""

    values: np.ndarray
    fit_time: float = np.nan
    error: str = ""
    estimator: Any = None


@dataclass(frozen=True)
class Fitter:
    """Fits clones of all models on a training set and measures them on a test set."""

    models: dict
    fit_params: list
    data: Data
    loss_of_failure: float | str = np.nan
    keeps_estimators: bool = False
    store: FitStore | None = None

    def fit_split(self, train, test):
        """Return the FitResult of each model on one split, stored or fitted."""
        results = []
        for name, params in zip(self.models, self.fit_params, strict=True):
            stored = None
            if self.store is not None and not self.keeps_estimators:
                stored = self.store.load(name, (train, test))
            if stored is not None:
                results.append(FitResult(*stored))
                continue
            result = self._fit(name, params, train, test)
            if self.store is not None and not result.error:
                self.store.save(name, (train, test), result.values, result.fit_time)
            results.append(result)
        return results

    def _fit(self, name, params, train, test):
        data = self.data
        estimator = clone(self.models[name])
        start = time.perf_counter()
        try:
            y_train = () if data.y is None else (take_rows(data.y, train),)
            estimator.fit(
                _take_rows(estimator, data.X, train, train),
                *y_train,
                **_params_of_rows(params, train, len(data.target)),
            )
            fit_time = time.perf_counter() - start
            X_test = _take_rows(estimator, data.X, test, train)
            values = measure(estimator, X_test, data, train, test)
        except Exception as error:
            if self.loss_of_failure == "raise":
                error.add_note(f"raised by estimator {name!r}")
                raise
            values = data.metrics.failed(len(test), self.loss_of_failure)
            reason = one_line(f"{type(error).__name__}: {error}")
            return FitResult(values, time.perf_counter() - start, reason)
        kept = estimator if self.keeps_estimators else None
        return FitResult(values, fit_time, estimator=kept)


def measure(estimator, X_test, data, train, test):
    """Return the losses of test rows, or minus one score."""
    weight = None if data.weight is None else data.weight[test]
    y_test = None if data.y is None else data.target[test]
    y_train = data.target[train]
    return data.metrics.losses(estimator, X_test, y_test, y_train, weight)


def fit_all(fitter, splits, *, n_jobs, verbose, pre_dispatch, progress):
    """Return the FitResults of all models, a list for each split."""
    bar = _progress_bar() if progress else None
    parallel = Parallel(
        n_jobs=n_jobs,
        verbose=verbose,
        pre_dispatch=pre_dispatch,
        return_as="generator" if bar else "list",
    )
    results = parallel(delayed(fitter.fit_split)(*split) for split in splits)
    if bar is None:
        return results
    return list(bar(results, total=len(splits), desc="splits"))


def _progress_bar():
    """Return tqdm's class of bars, None without tqdm."""
    try:
        return import_extra("tqdm.auto").tqdm
    except ImportError as error:
        warn(f"progress=True shows nothing: {error}")
        return None


def _take_rows(estimator, X, rows, train):
    """Return rows of X, with the columns of training rows of a kernel matrix."""
    of_rows = take_rows(X, rows)
    if not get_tags(estimator).input_tags.pairwise:
        return of_rows
    if X.shape[0] != X.shape[1]:
        raise invalid("X", "a square kernel matrix", f"the shape {X.shape}")
    return take_columns(of_rows, train)


def _params_of_rows(params, rows, n_samples):
    """Return parameters, of those with a value for each example the rows."""
    of_rows = {}
    for name, value in params.items():
        is_per_example = hasattr(value, "__len__") and not isinstance(value, str)
        if is_per_example and len(value) == n_samples:
            of_rows[name] = take_rows(value, rows)
        else:
            of_rows[name] = deepcopy(value)
    return of_rows
