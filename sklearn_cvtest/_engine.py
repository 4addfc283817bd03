"""cross_val_losses: the only module that fits models."""

import time
import traceback
from collections import Counter
from typing import Any, NamedTuple

import joblib
import numpy as np
from sklearn.base import clone
from sklearn.exceptions import FitFailedWarning
from sklearn.utils.parallel import Parallel, delayed

from ._arguments import (
    check_error_score,
    check_lengths,
    check_n_jobs,
    check_square,
    name_estimators,
    resolve_cv,
)
from ._cache import with_memory
from ._compat import copy_rows, is_pairwise, n_rows, take_rows
from ._cvlosses import CVLosses
from ._design import Design, check_splits, recognise_design, split_digest
from ._losses import PredictionError
from ._measures import LossError, choose_measure
from ._routing import route, slice_params
from ._splitters import PairedHalves, RepeatedSubsample
from ._validation import check_flag, check_integer, warn

__all__ = ["cross_val_losses", "plan_fits"]

# Slices of at most so many values are made once a split and copied for each
# estimator; larger ones are sliced anew, so that only one is ever held.
MAX_SHARED_SIZE = 2**22


def cross_val_losses(
    estimators,
    X,
    y=None,
    *,
    groups=None,
    cv=None,
    loss="auto",
    scoring=None,
    params=None,
    n_jobs=None,
    verbose=0,
    pre_dispatch="2*n_jobs",
    error_score=np.nan,
    memory=None,
    return_estimator=False,
):
    """Fit estimators over shared splits and keep the loss of every test example.

    The splits are drawn once and used by all estimators; each (split,
    estimator) is fitted once, on a clone. Unlike
    :func:`~sklearn.model_selection.cross_val_predict` it accepts designs that
    are no partition, and unlike :func:`~sklearn.model_selection.cross_validate`
    it keeps what the tests of this package need.

    Parameters
    ----------
    estimators : estimator, list or dict
        One estimator, a list of estimators, a list of (name, estimator), or a
        dict of them. They are cloned, never changed.
    X : array-like, sparse matrix or dataframe of shape (n_samples, n_features)
        The data; n_samples x n_samples for estimators on precomputed kernels.
    y : array-like of shape (n_samples,) or (n_samples, n_outputs), default=None
        The target. May be None only with `scoring`.
    groups : array-like of shape (n_samples,), default=None
        Passed to the splitter. With metadata routing on, pass it in `params`.
    cv : int, splitter, iterable of (train, test), or None, default=None
        None takes `RepeatedSubsample(15, random_state=0)` and an int K
        `BlockKFold(K, random_state=0)`, stratified for classifiers if that
        can be done.
    loss : str, Loss or callable, default="auto"
        "auto" is zero_one for classifiers and squared_error for regressors; a
        name out of :func:`get_loss_names`, a :func:`make_loss`, or a callable
        `(y_true, y_pred) -> (n_samples,)` of smaller-is-better losses.
    scoring : str or callable, default=None
        A scikit-learn scorer in place of `loss`: one value a split, minus the
        score. Tests that need per-example losses do not accept the result.
    params : dict, default=None
        Passed to `fit`, sliced where they have one value per example (such as
        `sample_weight`). With metadata routing on, routed to estimators,
        splitter and scorer.
    n_jobs : int, default=None
        Number of (split, estimator) pairs fitted at a time, as in joblib.
    verbose : int, default=0
        Verbosity of joblib.
    pre_dispatch : int or str, default="2*n_jobs"
        Number of tasks dispatched beforehand, as in joblib.
    error_score : "raise" or float, default=nan
        What to do where fitting or predicting fails: raise, or warn and take
        this value for the losses of the split (with `scoring`, for its score).
    memory : None, str or joblib.Memory, default=None
        Where to cache the result of each (split, estimator). A later call with
        the same name, estimator, data, split, parameters and loss reads it. Code is
        known by its name: clear the cache after changing that of an estimator, a
        scorer or a loss of your own.
    return_estimator : bool, default=False
        Whether to keep the fitted estimators.

    Returns
    -------
    losses : CVLosses
        The losses with what is known of the splits.

    Raises
    ------
    TypeError, ValueError
        If an argument is not as described, or the splits are not pairs of
        disjoint index arrays. If all fits fail, the error holds the reasons.

    Warns
    -----
    FitFailedWarning
        If some fits fail and `error_score` is a number.

    See Also
    --------
    compare_estimators : Also tests the differences.

    Notes
    -----
    The result does not depend on `n_jobs` for estimators with a fixed
    `random_state`. `sample_weight` weighs the training examples only; losses are
    averaged without weights.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from sklearn.dummy import DummyClassifier
    >>> from sklearn.tree import DecisionTreeClassifier
    >>> from sklearn_cvtest import BlockKFold, cross_val_losses
    >>> X, y = load_iris(return_X_y=True)
    >>> tree = DecisionTreeClassifier(random_state=0)
    >>> losses = cross_val_losses(
    ...     {"tree": tree, "dummy": DummyClassifier()},
    ...     X, y, cv=BlockKFold(5, random_state=0),
    ... )
    >>> losses.losses.shape
    (150, 2)
    >>> losses.residuals("tree", "dummy").block_means.round(2)
    array([-0.8 , -0.73, -0.67, -0.7 , -0.63])
    """
    plan = plan_fits(
        estimators,
        X,
        y,
        groups=groups,
        cv=cv,
        loss=loss,
        scoring=scoring,
        params=params,
    )
    return plan.run(
        n_jobs=n_jobs,
        verbose=verbose,
        pre_dispatch=pre_dispatch,
        error_score=error_score,
        memory=memory,
        return_estimator=return_estimator,
    )


def plan_fits(estimators, X, y, *, groups, cv, loss, scoring, params):
    """Check all that can be checked before anything is fitted; return a plan."""
    estimators = name_estimators(estimators)
    X, y, groups = check_lengths(X, y, groups)
    cv = resolve_cv(cv, estimators, y)
    measure = choose_measure(estimators, y, loss, scoring)
    routed = route(estimators, cv, getattr(measure, "scorer", None), groups, params)
    n_samples = n_rows(X)
    splits = check_splits(cv.split(X, y, **routed.split), n_samples)
    jobs = [
        _Job(name, clone(estimator), fit_params, is_pairwise(estimator))
        for (name, estimator), fit_params in zip(
            estimators.items(), routed.fit, strict=True
        )
    ]
    if any(job.pairwise for job in jobs):
        check_square(X)
    data = _Data(X, y, measure, routed.score)
    return _Plan(data, splits, jobs, _design_of(cv, splits, n_samples))


class _Plan(NamedTuple):
    """All that is fitted, and on what."""

    data: "_Data"
    splits: list
    jobs: list
    design: Design

    @property
    def per_example(self):
        return self.data.measure.per_example

    def run(
        self, *, n_jobs, verbose, pre_dispatch, error_score, memory, return_estimator
    ):
        check_n_jobs(n_jobs)
        if not isinstance(verbose, bool):
            check_integer("verbose", verbose, 0)
        check_flag("return_estimator", return_estimator)
        check_error_score(error_score)
        shared = dict(
            evaluate=with_memory(memory, _fit_and_measure, self.data, self.jobs),
            error_score=error_score,
            keep=return_estimator,
        )
        results = _run_all(self, shared, n_jobs, verbose, pre_dispatch)
        return _collect(self, results, return_estimator)

    def on(self, X, y, splits):
        """Return the plan for another sample of the same kind, and its splits."""
        data = self.data._replace(X=X, y=y, measure=self.data.measure.on(y))
        return self._replace(data=data, splits=splits)

    def losses_by_split(self, error_score):
        """Yield, for each split, an array (n_test, n_estimators) of losses."""
        shared = dict(evaluate=_fit_and_measure, error_score=error_score, keep=False)
        values = []
        for fold, job in _tasks(self, share=_is_small(self.data.X)):
            values.append(_run_job(fold, job, **shared).values)
            if len(values) == len(self.jobs):
                yield np.stack(values, axis=1)
                values = []


def _design_of(cv, splits, n_samples):
    """Return the design the splitter declares, or what the indices show."""
    if type(cv) in (PairedHalves, RepeatedSubsample):
        return cv.get_design()
    return recognise_design(splits, n_samples)


# One fit ----------------------------------------------------------------------


class _Data(NamedTuple):
    X: Any
    y: Any
    measure: Any
    score_params: dict


class _Job(NamedTuple):
    name: str
    estimator: Any
    fit_params: dict
    pairwise: bool


class _Fold:
    """One split; its slices are made at first use and shared by `n_uses` jobs."""

    def __init__(self, number, data, train, test, n_uses=1):
        self.number = number
        self.data = data
        self.train = train
        self.test = test
        self.n_uses = n_uses
        self._slices = {}

    def take(self, pairwise):
        """Return X_train, y_train, X_test, y_test, for the caller to write to."""
        self.n_uses -= 1
        slices = self._slices.get(pairwise)
        if slices is None:
            slices = self._make_slices(pairwise)
        if self.n_uses == 0:
            return slices
        self._slices[pairwise] = slices
        return tuple(part if part is None else copy_rows(part) for part in slices)

    def _make_slices(self, pairwise):
        X, y, measure, _ = self.data
        columns = None
        if pairwise:
            X = check_square(X)
            columns = self.train
        X_train = take_rows(X, self.train, columns)
        X_test = take_rows(X, self.test, columns)
        y_test = None if measure.per_example else take_rows(y, self.test)
        return X_train, take_rows(y, self.train), X_test, y_test


class _Result(NamedTuple):
    values: np.ndarray
    fit_time: float
    score_time: float
    estimator: Any = None
    error: str | None = None


def _fit_and_measure(fold, job, keep):
    """Fit a clone on one split and return its values on the test set."""
    data = fold.data
    n_samples = n_rows(data.X)
    estimator = clone(job.estimator)
    fit_params, score_params = job.fit_params, data.score_params
    if fit_params:
        fit_params = slice_params(fit_params, fold.train, n_samples)
    if score_params:
        score_params = slice_params(score_params, fold.test, n_samples)
    X_train, y_train, X_test, y_test = fold.take(job.pairwise)

    start = time.perf_counter()
    if y_train is None:
        estimator.fit(X_train, **fit_params)
    else:
        estimator.fit(X_train, y_train, **fit_params)
    fitted = time.perf_counter()
    response = data.measure.respond(estimator, X_test, y_test, score_params)
    try:
        values = data.measure.values(response, estimator, y_train, fold.test)
    except PredictionError:
        raise  # as from a failed fit: another training set may do better
    except Exception as error:
        raise LossError(str(error)) from error
    scored = time.perf_counter()
    kept = estimator if keep else None
    return _Result(values, fitted - start, scored - fitted, kept)


def _run_job(fold, job, evaluate, error_score, keep):
    """Run one (split, estimator); a failure becomes a result that says so."""
    start = time.perf_counter()
    where = f"estimator {job.name!r}, split {fold.number}"
    try:
        return evaluate(fold, job, keep)
    except LossError as error:
        raise ValueError(f"{error} ({where})") from error.__cause__
    except Exception as error:
        if isinstance(error_score, str):
            error.add_note(f"raised by {where}")
            raise
        values = fold.data.measure.failed(len(fold.test), error_score)
        elapsed = time.perf_counter() - start
        return _Result(values, elapsed, 0.0, None, traceback.format_exc())


# All fits ---------------------------------------------------------------------


def _run_all(plan, shared, n_jobs, verbose, pre_dispatch):
    """Return the results, split by split and estimator by estimator."""
    if joblib.effective_n_jobs(n_jobs) == 1 and not verbose:
        tasks = _tasks(plan, share=_is_small(plan.data.X))
        return [_run_job(fold, job, **shared) for fold, job in tasks]
    parallel = Parallel(n_jobs=n_jobs, verbose=verbose, pre_dispatch=pre_dispatch)
    tasks = _tasks(plan, share=False)  # slices are made where they are used
    return parallel(delayed(_run_job)(fold, job, **shared) for fold, job in tasks)


def _tasks(plan, share):
    data, splits, jobs, _ = plan
    for number, (train, test) in enumerate(splits):
        fold = _Fold(number, data, train, test, len(jobs))
        for job in jobs:
            yield fold if share else _Fold(number, data, train, test), job


def _is_small(X):
    return np.prod(getattr(X, "shape", (np.inf,))) <= MAX_SHARED_SIZE


def _collect(plan, results, keep):
    """Put the results of all (split, estimator) into one CVLosses."""
    data, splits, jobs, design = plan
    names = [job.name for job in jobs]
    _report_failures(results, len(splits), names)
    n_splits, n_estimators = len(splits), len(names)
    n_test = np.array([len(test) for _, test in splits])
    per_example = data.measure.per_example
    ends = np.cumsum(n_test if per_example else np.ones_like(n_test))
    losses = np.empty((ends[-1], n_estimators))
    times = np.empty((2, n_splits, n_estimators))
    for position, result in enumerate(results):
        split, column = divmod(position, n_estimators)
        rows = slice(ends[split] - len(result.values), ends[split])
        losses[rows, column] = result.values
        times[:, split, column] = result.fit_time, result.score_time
    fitted = None
    if keep:
        fitted = {
            name: [result.estimator for result in results[column::n_estimators]]
            for column, name in enumerate(names)
        }
    return CVLosses(
        estimator_names=tuple(names),
        losses=losses,
        row_split=np.repeat(np.arange(n_splits), np.diff(ends, prepend=0)),
        row_index=np.concatenate([test for _, test in splits]) if per_example else None,
        n_train=np.array([len(train) for train, _ in splits]),
        n_test=n_test,
        n_samples=n_rows(data.X),
        design=design,
        fit_time=times[0],
        score_time=times[1],
        fit_failed=np.array([result.error is not None for result in results]).reshape(
            n_splits, n_estimators
        ),
        split_hash=split_digest(splits),
        loss_name=data.measure.name,
        per_example=per_example,
        estimators=fitted,
    )


def _report_failures(results, n_splits, names):
    """Warn about failed fits, or raise if there is no other."""
    failed = [
        (position, result.error)
        for position, result in enumerate(results)
        if result.error is not None
    ]
    if not failed:
        return
    where = Counter(names[position % len(names)] for position, _ in failed)
    summary = "\n".join(
        f"{'-' * 80}\n{count} failed with the following error:\n{error}"
        for error, count in Counter(error for _, error in failed).items()
    )
    per_name = ", ".join(f"{name!r} {count}" for name, count in where.items())
    message = (
        f"{len(failed)} of {len(results)} fits failed, by estimator: {per_name} (of "
        f"{n_splits} splits). Pass error_score='raise' to stop at the first.\n{summary}"
    )
    if len(failed) == len(results):
        raise ValueError(f"All fits failed: {message}")
    warn(message, FitFailedWarning)
