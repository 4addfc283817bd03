"""One fit: a job on a fold, and failures."""

import os
import time
import traceback
from typing import Any, NamedTuple

import numpy as np
from scipy import sparse
from sklearn.base import clone

from .._compat import copy_rows, n_rows, own_rows, take_rows
from .._losses._formulas import (
    LossError,
    PredictionError,
    ResponseError,
    as_target_array,
    reweighted_losses,
    unique_labels,
)
from .._losses._kept_values import kept_probabilities, kept_values_of_fit
from .._losses._measures import MultiMeasure, is_of_classes, measures_of
from .._losses._responses import Responses
from .._validation import invalid_words, is_foreign, shown_foreign
from ._fit_messages import foreign_array
from ._routing import slice_params


class Data(NamedTuple):
    """The data common to all fits."""

    X: Any
    y: Any
    target: Any  # y in the form the loss needs, None with a scorer
    measure: Any
    score_params: list  # of each measure
    only_means: bool  # whether only the mean of each test set is kept
    classes: Any  # the labels of a target of two, otherwise none
    diagnostics: bool = True  # whether anything is looked at for warnings

    @property
    def metric_of_one_class(self):
        """The first metric of the labels of one class, of two; None without one."""
        metrics = [measure.of_one_class for measure in measures_of(self.measure)]
        metrics = [metric for metric in metrics if metric is not None]
        return metrics[0] if metrics and len(self.classes) == 2 else None

    def n_values(self, n_test):
        """Return how many values of a test set are kept."""
        return 1 if self.only_means else n_test

    def target_of(self, rows):
        """Return the target of some rows, None with a scorer."""
        return None if self.target is None else self.target[rows]


class Job(NamedTuple):
    """An estimator to fit."""

    name: str
    estimator: Any
    fit_params: dict
    pairwise: bool


class Result(NamedTuple):
    """The outcome of a fit."""

    values: np.ndarray
    fit_time: float
    score_time: float
    estimator: Any = None
    error: str | None = None
    failed: tuple | None = None  # positions of the measures that did; None: all
    n_true_positives: tuple = ()  # of each measure
    kept_values: np.ndarray | float = np.nan  # see _kept_values.py


def failed_result(data, n_test, error_score, error, seconds=np.nan):
    """Return the result of a fit that failed, with the reason as text."""
    values = data.measure.failed(data.n_values(n_test), error_score)
    return Result(values, seconds, score_time=0.0, error=error)


def check_square(X):
    """Return X, which must be a square matrix."""
    if not sparse.issparse(X):
        X = np.asarray(X)
    if X.ndim != 2 or X.shape[0] != X.shape[1]:
        allowed = (
            "a square kernel or distance matrix for estimators of precomputed ones"
        )
        raise invalid_words("X", allowed, f"an array of shape {X.shape}")
    return X


class Slices(NamedTuple):
    """The data of one split."""

    X_train: Any
    y_train: Any
    X_test: Any
    y_test: Any  # None unless a scorer takes it

    def copy(self):
        """Return copies, which share no memory with these."""
        return Slices(
            X_train=copy_rows(self.X_train),
            y_train=copy_rows(self.y_train),
            X_test=copy_rows(self.X_test),
            y_test=copy_rows(self.y_test),
        )


class Fold:
    """One split; its slices are made at first use and kept if they are small."""

    def __init__(self, number, data, split, n_uses, keep_slices):
        self.number = number
        self.data = data
        self.split = split
        self.test = split[1]
        self.n_uses = n_uses
        self.keep_slices = keep_slices
        self._slices = {}

    @property
    def train(self):
        """Indices of the training set; not kept, they may be made at each use."""
        return self.split[0]

    def slices_for(self, pairwise):
        """Return the Slices, which the caller may overwrite."""
        self.n_uses -= 1
        slices = self._slices.get(pairwise)
        if slices is None:
            slices = self._make_slices(pairwise)
        if self.n_uses == 0 or not self.keep_slices:
            return slices
        self._slices[pairwise] = slices
        return slices.copy()

    def _make_slices(self, pairwise):
        """Return new Slices, of a pairwise matrix with the columns of training rows."""
        X = self.data.X
        y = self.data.y
        train = self.train
        columns = None
        if pairwise:
            X = check_square(X)
            columns = train
        y_test = None
        if self.data.measure.is_score:
            y_test = take_rows(y, self.test)
        return Slices(
            X_train=own_rows(take_rows(X, train, columns)),
            y_train=own_rows(take_rows(y, train)),
            X_test=own_rows(take_rows(X, self.test, columns)),
            y_test=own_rows(y_test),
        )


def run_jobs(
    fold, jobs, *, error_score, return_estimator, where="estimator {!r}, split {}"
):
    """Yield the result of each job; a failed fit gives a result with its error.

    What is raised says `where`.
    """
    for job in jobs:
        start = time.perf_counter()
        try:
            yield _fit_and_measure(fold, job, error_score, return_estimator)
        except LossError as error:
            place = where.format(job.name, fold.number)
            raise ValueError(f"{error} ({place})") from error.__cause__
        except Exception as error:
            if isinstance(error_score, str):
                place = where.format(job.name, fold.number)
                error = _error_to_raise(error, job.name)
                note = _foreign_note(error, fold.data.X)
                error.add_note(f"raised by {place}{note}")
                raise error
            reason = _reason(error, job.name, fold.data.X)
            seconds = time.perf_counter() - start
            n_test = len(fold.test)
            yield failed_result(fold.data, n_test, error_score, reason, seconds)


def _error_to_raise(error, name):
    """Return the error to raise: of a response, with the name of who gave it."""
    if not isinstance(error, PredictionError):
        return error
    text = str(error)
    if isinstance(error, ResponseError):
        text = f"{name!r}.{text}"
    plain_error = ValueError(text).with_traceback(error.__traceback__)
    plain_error.__cause__ = None  # nor is its context shown
    return plain_error


def _reason(error, name, X):
    """Return why a fit failed: the error, and the line that raised it."""
    if isinstance(error, PredictionError):  # of the predictions, not of a line
        return str(_error_to_raise(error, name))
    error_text = "".join(traceback.format_exception_only(error)).strip()
    last_frame = traceback.extract_tb(error.__traceback__)[-1]
    place = f"{os.path.basename(last_frame.filename)}, line {last_frame.lineno}"
    return f"{error_text} ({place}){_foreign_note(error, X)}"


def _foreign_note(error, X):
    """Return why arrays of other libraries may have made a fit fail."""
    if not is_foreign(X) or isinstance(error, PredictionError):
        return ""
    return foreign_array(shown_foreign(X))


def _fit_and_measure(fold, job, error_score, return_estimator):
    """Fit a clone on one split and return its values on the test set."""
    estimator, slices, fit_time = fit_job(fold, job)
    start = time.perf_counter()
    measured = measure_fit(fold, estimator, slices, error_score)
    score_time = time.perf_counter() - start
    reasons = []
    for error in measured.errors.values():
        reason = _reason(error, job.name, fold.data.X)
        if reason not in reasons:
            reasons.append(reason)
    return Result(
        values=measured.values,
        fit_time=fit_time,
        score_time=score_time,
        estimator=estimator if return_estimator else None,
        error="\n".join(reasons) or None,
        failed=tuple(measured.errors) or None,
        n_true_positives=measured.n_true_positives,
        kept_values=measured.kept_values,
    )


def fit_job(fold, job):
    """Return a clone of an estimator, fitted on one split; slices; and seconds."""
    estimator = clone(job.estimator)
    slices = fold.slices_for(job.pairwise)
    seconds = _fit(estimator, slices, _params_of_fit(fold, job))
    return estimator, slices, seconds


def _params_of_fit(fold, job):
    """Return what `fit` is called with besides the training set."""
    if not job.fit_params:
        return {}
    return slice_params(job.fit_params, fold.train, n_rows(fold.data.X))


def _fit(estimator, slices, fit_params):
    """Fit an estimator to the training set; return seconds."""
    start = time.perf_counter()
    if slices.y_train is None:
        estimator.fit(slices.X_train, **fit_params)
    else:
        estimator.fit(slices.X_train, slices.y_train, **fit_params)
    return time.perf_counter() - start


class Measured(NamedTuple):
    """What was measured of one fit."""

    values: np.ndarray  # of all measures, one after the other
    errors: dict  # of the measures that failed, by position: the others are not lost
    n_true_positives: tuple  # of each measure
    kept_values: np.ndarray | float  # what warnings look at; see _kept_values.py


def measure_fit(fold, estimator, slices, error_score):
    """Return what all measures give for a fitted estimator on the test set.

    Warnings look at probabilities with a metric of one class, else at the response of
    the first measure; and only after all losses are known.
    """
    data = fold.data
    test = fold.test
    X_test = slices.X_test
    is_multiple = isinstance(data.measure, MultiMeasure)
    asks = data.diagnostics and data.metric_of_one_class is not None
    responses = Responses(estimator, X_test, several=is_multiple or asks)
    target = data.target_of(test)
    values = []
    errors = {}
    n_true_positives = []
    first_measure = None
    first_response = None
    for number, measure in enumerate(measures_of(data.measure)):
        responses.is_read_only = not is_multiple or measure.is_read_only
        responder = responses if measure.takes_responses else estimator
        params = slice_params(data.score_params[number], test, n_rows(data.X))
        try:
            measured, response = _measure(
                measure, responder, slices, target, params, fold.number
            )
        except LossError:
            raise
        except Exception as error:
            if not is_multiple or isinstance(error_score, str):
                raise
            errors[number] = error
            values.append(measure.failed(data.n_values(len(test)), error_score))
            n_true_positives.append(np.nan)
            continue
        if data.only_means:
            measured = measured.mean(keepdims=True)
        values.append(measured)
        count = measure.n_true_positives(response) if data.diagnostics else np.nan
        n_true_positives.append(count)
        if first_measure is None:
            first_measure = measure
            first_response = response
    kept_values = np.nan
    if asks:
        kept_values = kept_probabilities(responses, X_test, test)
    elif data.diagnostics and first_measure is not None:
        kept_values = kept_values_of_fit(
            first_measure, first_response, target, estimator, test
        )
    return Measured(
        np.concatenate(values), errors, tuple(n_true_positives), kept_values
    )


def _measure(measure, estimator, slices, target, score_params, split):
    """Return what one measure gives on the test set: values, and of which response."""
    response = measure.respond(estimator, slices.X_test, slices.y_test, score_params)
    try:
        values = measure.values(response, estimator, slices.y_train, target)
        if not measure.is_score and "sample_weight" in score_params:
            weight = score_params["sample_weight"]
            if not weight.sum():
                raise PredictionError("The weights of a test set are all zero.")
            mean = np.average(values, weights=weight)
            values = reweighted_losses(values, mean, weight)
    except PredictionError:
        raise  # as a failed fit: another training set may succeed
    except Exception as error:
        raise LossError(str(error)) from error
    if not np.isfinite(values).all():
        measure.refuse_not_finite(response)
        problem = "nan" if np.isnan(values).any() else "inf"
        noun = "score" if measure.is_score else "loss"
        why = _why_undefined(measure, slices.y_test, split)
        raise PredictionError(f"The {noun} {measure.name!r} is {problem}{why}.")
    return values, response


def _why_undefined(measure, y_test, split):
    """Return that a test set has one class, if its score needs two, else ""."""
    if not measure.is_score or not is_of_classes(measure.scorer):
        return ""
    labels = unique_labels(as_target_array(y_test)).tolist()
    if len(labels) > 1:
        return ""
    return (
        f": all test rows of split {split} are of class {labels[0]!r}. Stratify the "
        "folds, such as by BlockKFold(stratify=True)"
    )
