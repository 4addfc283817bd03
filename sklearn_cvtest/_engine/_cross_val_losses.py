"""cross_val_losses: the only module that fits models."""

import contextlib
import time
from concurrent.futures import CancelledError
from typing import NamedTuple

import joblib
import numpy as np
from joblib.parallel import (
    LokyBackend,
    MultiprocessingBackend,
    SequentialBackend,
    ThreadingBackend,
    get_active_backend,
)
from sklearn.utils.parallel import Parallel, delayed

from .._compat import is_pairwise, n_rows
from .._losses._measures import choose_measure
from .._splits._design import Design
from .._splits._halves import PairedHalves
from .._splits._indices import check_splits, recognise_design, split_digest
from .._splits._rows import check_lengths
from .._splits._splitters import DesignedSplitter, RepeatedSubsample
from .._validation import check_flag, check_integer, invalid
from ._arguments import (
    check_error_score,
    check_n_jobs,
    check_pre_dispatch,
    check_square,
    name_estimators,
    resolve_cv,
)
from ._collector import Collector
from ._fitting import Data, Fold, Job, run_jobs
from ._progress import progress_bar
from ._routing import route
from ._schedule import Schedule
from ._shared_steps import group_jobs, mark_shared_steps
from ._stored_fits import open_store

__all__ = ["cross_val_losses", "plan_fits"]

# Slices of at most so many values are made once a split and copied for each
# estimator; larger ones are sliced anew, so that only one is ever held.
MAX_SHARED_SIZE = 2**18

LOCAL = LokyBackend, MultiprocessingBackend, SequentialBackend, ThreadingBackend

# So often may a cluster lose the data before a run is given up.
MAX_LOSSES = 3


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
    per_example=True,
    share_steps=True,
    progress=False,
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
        What to do where fitting or predicting fails, or a loss is not finite: raise, or
        warn and take this value for the losses of the split (with `scoring`, for its
        score).
    memory : None, str, os.PathLike or joblib.Memory, default=None
        A folder in which the result of each (split, estimator) is stored as soon as it
        is there, in files that can hold no code. A later call with the same name,
        estimator, data, split, parameters and loss reads it, unless fitted
        estimators are asked for. Code is known by its name: clear the folder after
        changing that of an estimator, a scorer or a loss of your own. Workers must
        reach the folder.
    return_estimator : bool, default=False
        Whether to keep the fitted estimators.
    per_example : bool, default=True
        Whether to keep the loss of every test example; otherwise only its mean over
        each test set, which is all that most tests need. Those that need more refuse:
        IntegratedRhoTest, KFoldZTest, HoldoutTTest and McNemarTest.
    share_steps : bool, default=True
        Whether leading steps that several pipelines have in common, with the same
        parameters, are fitted once a split. Steps with a `random_state` that is no
        integer are not shared, nor is anything with metadata routing; steps without one
        are taken to be deterministic. The losses are the same; a shared step's time
        counts for every pipeline.
    progress : bool, default=False
        Whether to show a progress bar of fits (needs tqdm).

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
    UserWarning
        If a result cannot be stored in `memory`.

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
        per_example=per_example,
        share_steps=share_steps,
    )
    return plan.run(
        n_jobs=n_jobs,
        verbose=verbose,
        pre_dispatch=pre_dispatch,
        error_score=error_score,
        memory=memory,
        return_estimator=return_estimator,
        progress=progress,
    )


def plan_fits(
    estimators,
    X,
    y,
    *,
    groups,
    cv,
    loss,
    scoring,
    params,
    per_example=True,
    share_steps=True,
):
    """Check all that can be checked before anything is fitted; return a plan."""
    check_flag("per_example", per_example)
    check_flag("share_steps", share_steps)
    estimators = name_estimators(estimators)
    X, y, groups = check_lengths(X, y, groups)
    cv = resolve_cv(cv, estimators, y)
    measure, target = choose_measure(estimators, y, loss, scoring)
    scorer, n_samples = getattr(measure, "scorer", None), n_rows(X)
    routed = route(estimators, cv, scorer, groups, params, n_samples)
    splits = check_splits(_draw_splits(cv, X, y, routed.split), n_samples)
    jobs = [
        Job(name, estimator, fit_params, is_pairwise(estimator))
        for (name, estimator), fit_params in zip(
            estimators.items(), routed.fit, strict=True
        )
    ]
    if any(job.pairwise for job in jobs):
        check_square(X)
    if share_steps and len(jobs) > 1:
        jobs = mark_shared_steps(jobs)
    keeps_means = measure.per_example and not per_example
    data = Data(X, y, target, measure, routed.score, keeps_means)
    return Plan(data, splits, jobs, _design_of(cv, splits, n_samples))


def _draw_splits(cv, X, y, params):
    """Yield what the splitter yields; its errors say that they are."""
    try:
        yield from cv.split(X, y, **params)
    except Exception as error:
        if isinstance(cv, DesignedSplitter):  # names what is wrong
            raise
        kind = type(error) if type(error) in (TypeError, ValueError) else ValueError
        raised = f"{type(error).__name__}: {error}"
        raise invalid("cv", "able to split these data", cv, kind, raised) from error


def _design_of(cv, splits, n_samples):
    """Return the design the splitter declares, or what the indices show."""
    if type(cv) in (PairedHalves, RepeatedSubsample):
        return cv.get_design()
    return recognise_design(splits, n_samples)


class Plan(NamedTuple):
    """All that is fitted, and on what."""

    data: Data
    splits: list
    jobs: list
    design: Design

    @property
    def per_example(self):
        """Whether there will be a value for each test example."""
        return self.data.measure.per_example and not self.data.block_means

    def run(
        self,
        *,
        n_jobs,
        verbose,
        pre_dispatch,
        error_score,
        memory,
        return_estimator,
        progress=False,
    ):
        """Fit everything and return the CVLosses."""
        check_n_jobs(n_jobs)
        check_pre_dispatch(pre_dispatch)
        if not isinstance(verbose, bool):
            check_integer("verbose", verbose, 0)
        check_flag("return_estimator", return_estimator)
        check_flag("progress", progress)
        check_error_score(error_score)
        options = {"error_score": error_score, "keep": return_estimator}
        store = open_store(memory, self)
        collector = Collector(self, return_estimator)
        n_fits = len(self.splits) * len(self.jobs)
        with progress_bar(progress, n_fits, "fit") as advance:
            missing = self._load(store, collector, return_estimator)
            advance(n_fits - sum(map(len, missing.values())))
            if _is_serial(n_jobs) and not verbose:
                results = self._run_serially(missing, store, options)
            else:
                parallel = Parallel(
                    n_jobs=n_jobs,
                    verbose=verbose,
                    pre_dispatch=pre_dispatch,
                    return_as=_way_of_returning(),
                )
                results = self._run_to_the_end(parallel, missing, store, options)
            with contextlib.closing(results):  # at once when interrupted
                for split, column, result in results:
                    collector.receive(split, column, result)
                    advance(1)
        return collector.collect()

    def _load(self, store, collector, keep):
        """Hand stored results to the collector; return the columns missing by split."""
        columns = range(len(self.jobs))
        if store is None or keep:  # fitted estimators are not stored
            return {split: list(columns) for split in range(len(self.splits))}
        missing = {}
        for split, digest in enumerate(self._digests()):
            for column in columns:
                size = collector.size(split)
                result = store.load(column, digest, size)
                if result is None:
                    missing.setdefault(split, []).append(column)
                else:
                    collector.receive(split, column, result)
        return missing

    def _digests(self):
        return [split_digest([split]) for split in self.splits]

    def _run_serially(self, missing, store, options):
        """Yield (split, column, result) of what is missing, split by split."""
        is_small = _is_small(self.data.X)
        order = [column for group in group_jobs(self.jobs) for column in group]
        for split, columns in missing.items():
            columns = sorted(columns, key=order.index)
            task = (split, self.splits[split], columns)
            for column, result in _run_on_fold(self, task, is_small, store, options):
                yield split, column, result

    def _run_to_the_end(self, parallel, missing, store, options):
        """Yield as `_run_parallel` does; start again what a cluster has lost.

        With a worker, dask may lose the only copy of the data, and then cancels what
        needs them.
        """
        missing = {split: list(columns) for split, columns in missing.items()}
        tries = MAX_LOSSES
        while missing:
            try:
                results = self._run_parallel(parallel, missing, store, options)
                with contextlib.closing(results):
                    for split, column, result in results:
                        yield split, column, result
                        missing[split].remove(column)
            except CancelledError:
                tries -= 1
                if not tries:
                    raise
            else:
                if any(missing.values()):
                    raise RuntimeError("joblib did not return all results.")
            missing = {split: columns for split, columns in missing.items() if columns}

    def _run_parallel(self, parallel, missing, store, options):
        """Yield (split, column, result) as they come, long fits started first."""
        data, *_ = self
        n_workers = joblib.effective_n_jobs(parallel.n_jobs)
        schedule = Schedule(missing, group_jobs(self.jobs), n_workers)
        # data are arguments of their own for backends that send them once
        rest = self._replace(data=data._replace(X=None, y=None, target=None), splits=[])
        X, y = (_Rows(part) if type(part) is list else part for part in data[:2])
        tasks = (
            delayed(_run_task)(
                X,
                y,
                data.target,
                rest,
                (split, self.splits[split], columns),
                store,
                options,
            )
            for split, columns in schedule
        )
        with contextlib.closing(_each(parallel(tasks))) as results:
            for split, done, seconds in results:
                schedule.learn([column for column, _ in done], seconds)
                for column, result in done:
                    yield split, column, result

    def on(self, X, y, splits):
        """Return the plan for another sample of the same kind, and its splits."""
        measure, target = self.data.measure.on(y)
        data = self.data._replace(X=X, y=y, target=target, measure=measure)
        return self._replace(data=data, splits=splits)

    def losses_by_split(self, error_score):
        """Yield, for each split, an array (n_test, n_estimators) of losses."""
        options = {"error_score": error_score, "keep": False}
        order = [column for group in group_jobs(self.jobs) for column in group]
        everything = dict.fromkeys(range(len(self.splits)), order)
        values = [None] * len(self.jobs)
        for number, (_, column, result) in enumerate(
            self._run_serially(everything, None, options), start=1
        ):
            values[column] = result.values
            if number % len(values) == 0:
                yield np.stack(values, axis=1)


class _Rows(list):
    """A list that there can be weak references to: dask sends only such data once."""


def _is_serial(n_jobs):
    """Whether joblib would run one task at a time, on this machine."""
    backend, _ = get_active_backend()
    return isinstance(backend, LOCAL) and joblib.effective_n_jobs(n_jobs) == 1


def _each(results):
    """Yield from a list or a generator, which is closed with this one."""
    yield from results


def _way_of_returning():
    """Return how the backend can give results: as they come, or all at the end."""
    backend, _ = get_active_backend()
    can_stream = backend.supports_return_generator
    return "generator_unordered" if can_stream else "list"


def _is_small(X):
    return np.prod(getattr(X, "shape", (np.inf,))) <= MAX_SHARED_SIZE


def _run_task(X, y, target, plan, task, store, options):
    """Run some jobs on a split, in a worker; return its number, results, seconds."""
    start = time.perf_counter()
    plan = plan._replace(data=plan.data._replace(X=X, y=y, target=target))
    done = list(_run_on_fold(plan, task, _is_small(X), store, options))
    return task[0], done, time.perf_counter() - start


def _run_on_fold(plan, task, keep_slices, store, options):
    """Yield (column, result) of some jobs on a split, storing each at once."""
    number, split, columns = task
    fold = Fold(number, plan.data, split, len(columns), keep_slices)
    jobs = [plan.jobs[column] for column in columns]
    digest = None if store is None else split_digest([split])
    for column, result in zip(columns, run_jobs(fold, jobs, **options), strict=True):
        if store is not None:
            store.save(column, digest, result)
        yield column, result
