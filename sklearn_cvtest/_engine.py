"""cross_val_losses: the only module that fits models."""

import math
import pickle
import time
import traceback
from collections import Counter
from dataclasses import dataclass
from typing import Any, NamedTuple

import joblib
import numpy as np
from scipy import sparse
from sklearn.base import clone
from sklearn.exceptions import FitFailedWarning, UnsetMetadataPassedError
from sklearn.metrics import check_scoring, get_scorer_names
from sklearn.pipeline import Pipeline
from sklearn.utils import indexable
from sklearn.utils.metadata_routing import (
    MetadataRouter,
    MethodMapping,
    process_routing,
)
from sklearn.utils.parallel import Parallel, delayed
from sklearn.utils.validation import check_memory

from ._compat import (
    copy_rows,
    estimator_kind,
    is_pairwise,
    n_rows,
    routing_enabled,
    take_rows,
)
from ._design import Design, check_splits, recognise_design, split_digest
from ._losses import Loss, as_target_array, get_loss, make_loss, unique_labels
from ._residuals import CVLosses
from ._splitters import BlockKFold, PairedHalves, RepeatedSubsample
from ._validation import check_flag, check_integer, fail, fail_shown, warn

__all__ = ["cross_val_losses", "name_estimators", "plan_fits"]

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
        the same name, estimator, data, split, parameters and loss reads it; a loss
        of your own is known by its name, not by its code.
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
    if X is None:
        raise fail("X", "the data", X, TypeError)
    X, y, groups = _check_lengths(X, y, groups)
    cv = _check_cv(cv, estimators, y)
    measure = _choose_measure(estimators, y, loss, scoring)
    routed = _route(estimators, cv, measure, groups, params)
    n_samples = n_rows(X)
    splits = check_splits(cv.split(X, y, **routed.split), n_samples)
    jobs = [
        _Job(name, estimator, fit_params, is_pairwise(estimator))
        for (name, estimator), fit_params in zip(
            estimators.items(), routed.fit, strict=True
        )
    ]
    if any(job.pairwise for job in jobs):
        _square(X)
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
        _check_n_jobs(n_jobs)
        if not isinstance(verbose, bool):
            check_integer("verbose", verbose, 0)
        check_flag("return_estimator", return_estimator)
        _check_error_score(error_score)
        shared = dict(
            evaluate=_with_memory(memory, self.data, self.jobs),
            error_score=error_score,
            keep=return_estimator,
        )
        results = _run_all(self, shared, n_jobs, verbose, pre_dispatch)
        return _collect(self, results, return_estimator)


def _design_of(cv, splits, n_samples):
    """Return the design the splitter declares, or what the indices show."""
    if type(cv) in (PairedHalves, RepeatedSubsample):
        return cv.get_design()
    return recognise_design(splits, n_samples)


def _check_lengths(X, y, groups):
    """Return X, y and groups in a form whose rows can be taken."""
    n_samples = _count_rows("X", X, "an array or a table with rows")
    for name, values in (("y", y), ("groups", groups)):
        allowed = f"an array of {n_samples} rows"
        if values is not None and _count_rows(name, values, allowed) != n_samples:
            raise fail_shown(name, allowed, f"{n_rows(values)} rows")
    return indexable(X, y, groups)


def _count_rows(name, values, allowed):
    try:
        return n_rows(values)
    except (TypeError, IndexError):
        raise fail(name, allowed, values, TypeError) from None


# Arguments --------------------------------------------------------------------


def name_estimators(estimators):
    """Return a dict from name to estimator, in order."""
    if isinstance(estimators, dict):
        pairs = list(estimators.items())
    elif isinstance(estimators, (list, tuple)):
        if estimators and all(
            isinstance(item, tuple) and len(item) == 2 for item in estimators
        ):
            pairs = list(estimators)
        else:
            pairs = list(zip(_class_names(estimators), estimators, strict=True))
    else:
        pairs = list(zip(_class_names([estimators]), [estimators], strict=True))
    if not pairs:
        raise fail("estimators", "at least one estimator", estimators)
    names = [name for name, _ in pairs]
    for name, estimator in pairs:
        if not isinstance(name, str) or not name:
            raise fail("estimators", "named by non-empty strings", name, TypeError)
        _check_estimator(name, estimator)
    twice = [name for name, count in Counter(names).items() if count > 1]
    if twice:
        raise fail("estimators", "named differently", twice)
    return dict(pairs)


def _check_estimator(name, estimator):
    """Check that a clone of the estimator can be made and has a `fit`."""
    hint = ""
    if isinstance(estimator, type):
        hint = "Pass an instance."
    elif hasattr(estimator, "fit"):
        try:
            clone(estimator)
            return
        except (TypeError, RuntimeError) as error:
            hint = f"{name!r} cannot be cloned: {error}"
    allowed = (
        "scikit-learn estimators (one, a list, a list of (name, estimator), or a dict)"
    )
    raise fail("estimators", allowed, estimator, TypeError, hint)


def _class_names(estimators):
    """Name estimators as scikit-learn's make_pipeline names its steps."""
    names = [type(estimator).__name__.lower() for estimator in estimators]
    count, seen = Counter(names), Counter()
    for position, name in enumerate(names):
        if count[name] > 1:
            seen[name] += 1
            names[position] = f"{name}-{seen[name]}"
    return names


def _check_n_jobs(n_jobs):
    if n_jobs is not None:
        check_integer("n_jobs", n_jobs, -math.inf)
        if n_jobs == 0:
            raise fail("n_jobs", "a non-zero integer or None", n_jobs)


def _check_error_score(error_score):
    number = isinstance(error_score, (int, float, np.number))
    if error_score is None or not (
        (isinstance(error_score, str) and error_score == "raise")
        or (number and not isinstance(error_score, bool))
    ):
        error = ValueError if isinstance(error_score, str) else TypeError
        raise fail("error_score", "'raise' or a number", error_score, error)


def _check_cv(cv, estimators, y):
    """Return a splitter; None and integers become the package's defaults."""
    if cv is None or (isinstance(cv, (int, np.integer)) and not isinstance(cv, bool)):
        labels = None
        if y is not None and all(
            estimator_kind(estimator) == "classifier"
            for estimator in estimators.values()
        ):
            labels = as_target_array(y)
        if cv is None:
            return RepeatedSubsample(stratify=_fills_tests(labels), random_state=0)
        check_integer("cv", cv, 2)
        return BlockKFold(cv, stratify=_fills_folds(labels, cv), random_state=0)
    allowed = "an integer, a splitter, an iterable of (train, test) or None"
    if isinstance(cv, type):
        raise fail("cv", allowed, cv, TypeError, hint="Pass an instance.")
    if hasattr(cv, "split") and not isinstance(cv, (str, bytes)):
        return cv
    not_iterable = not hasattr(cv, "__iter__") or getattr(cv, "shape", None) == ()
    if isinstance(cv, (str, bytes, dict)) or not_iterable:
        raise fail("cv", allowed, cv, TypeError)
    return _GivenSplits(list(cv))


class _GivenSplits(NamedTuple):
    """A splitter of an iterable of (train, test)."""

    splits: list

    def split(self, X, y=None, groups=None):
        return self.splits


def _class_counts(labels):
    if labels is None or labels.ndim != 1:
        return np.array([])
    return unique_labels(labels, return_counts=True)[1]


def _fills_tests(labels):
    """Whether each class can be in each test set of the default subsampling."""
    counts = _class_counts(labels)
    n_test = np.ceil(0.1 * counts.sum())
    return bool(counts.size and counts.min() >= 2 and n_test >= counts.size)


def _fills_folds(labels, n_splits):
    counts = _class_counts(labels)
    return bool(counts.size and counts.max() >= n_splits)


@dataclass(frozen=True)
class _LossMeasure:
    """Values of a split from a per-example loss."""

    loss: Loss
    y: np.ndarray
    n_classes: int | list | None

    per_example = True

    @property
    def name(self):
        return self.loss.name

    def respond(self, estimator, X_test, y_test, score_params):
        method = getattr(estimator, self.loss.response_method, None)
        if method is None:
            raise _LossError(_lacking(self.loss, estimator, "the estimator"))
        return method(X_test)

    def values(self, response, estimator, y_train, test):
        classes = None
        if self.n_classes is not None:
            classes = getattr(estimator, "classes_", None)
            if classes is None:
                classes = unique_labels(as_target_array(y_train))
        y_test = self.y[test]
        return self.loss.evaluate(y_test, response, classes, self.n_classes)

    def failed(self, n_test, error_score):
        return np.full(n_test, error_score, dtype=np.float64)


@dataclass(frozen=True)
class _ScoreMeasure:
    """The one value of a split from a scorer."""

    scorer: Any
    name: str

    per_example = False

    def respond(self, estimator, X_test, y_test, score_params):
        if y_test is None:
            return self.scorer(estimator, X_test, **score_params)
        return self.scorer(estimator, X_test, y_test, **score_params)

    def values(self, response, estimator, y_train, test):
        score = np.asarray(response)
        if score.shape != () or score.dtype.kind not in "biuf":
            raise ValueError(
                f"`scoring` must return one number; {self.name} returned {response!r}."
            )
        return np.array([-float(score)])

    def failed(self, n_test, error_score):
        return np.array([-float(error_score)])


def _choose_measure(estimators, y, loss, scoring):
    if scoring is not None:
        return _choose_scorer(estimators, loss, scoring)
    if y is None:
        raise fail("y", "given unless `scoring` is", y)
    target = as_target_array(y)
    if isinstance(loss, str) and loss == "auto":
        loss = _auto_loss(estimators)
    elif not isinstance(loss, Loss):
        loss = make_loss(loss) if callable(loss) else get_loss(loss)
    for name, estimator in estimators.items():
        if _surely_lacks(estimator, loss.response_method):
            raise ValueError(_lacking(loss, estimator, f"estimator {name!r}"))
    loss.check_target(target)
    n_classes = None
    if loss.task == "classification" and loss.response_method != "predict":
        n_classes = [len(unique_labels(output)) for output in np.atleast_2d(target.T)]
        n_classes = n_classes if target.ndim == 2 else n_classes[0]
    return _LossMeasure(loss, target, n_classes)


def _surely_lacks(estimator, method):
    """Whether no fit can give the estimator that method."""
    if hasattr(estimator, method):
        return False
    if not hasattr(type(estimator), method):
        return True
    if isinstance(estimator, Pipeline):
        return _surely_lacks(estimator.steps[-1][1], method)
    for part in ("estimator", "final_estimator"):  # of a search, of stacking
        if hasattr(estimator, part):
            inner = getattr(estimator, part)
            return inner is not None and _surely_lacks(inner, method)
    return True


def _lacking(loss, estimator, who):
    return (
        f"`loss`={loss.name!r} needs `{loss.response_method}`, which {who} "
        f"({type(estimator).__name__}) does not have."
    )


def _choose_scorer(estimators, loss, scoring):
    if not (isinstance(loss, str) and loss == "auto"):
        raise fail("loss", "left at 'auto' if `scoring` is given", loss)
    allowed = "the name of one scorer of scikit-learn, a callable or None"
    if not (isinstance(scoring, str) or callable(scoring)):
        raise fail("scoring", allowed, scoring, TypeError)
    if isinstance(scoring, str) and scoring not in get_scorer_names():
        hint = "See sklearn.metrics.get_scorer_names()."
        raise fail("scoring", allowed, scoring, hint=hint)
    scorer = check_scoring(next(iter(estimators.values())), scoring=scoring)
    name = scoring if isinstance(scoring, str) else None
    return _ScoreMeasure(scorer, name or getattr(scoring, "__name__", repr(scoring)))


def _auto_loss(estimators):
    kinds = {name: estimator_kind(est) for name, est in estimators.items()}
    if set(kinds.values()) == {"classifier"}:
        return get_loss("zero_one")
    if set(kinds.values()) == {"regressor"}:
        return get_loss("squared_error")
    raise ValueError(
        "`loss`='auto' needs estimators that are all classifiers or all regressors; "
        f"got {kinds}. Name the loss."
    )


# Metadata ---------------------------------------------------------------------


class _Routed(NamedTuple):
    split: dict
    fit: list
    score: dict


def _route(estimators, cv, measure, groups, params):
    """Return what goes to the splitter, to each estimator and to the scorer."""
    if params is not None and not isinstance(params, dict):
        raise fail("params", "a dict or None", params, TypeError)
    for name in params or ():
        if not isinstance(name, str):
            raise fail("params", "a dict with strings for keys", name, TypeError)
    params = params or {}
    if not routing_enabled():
        split = {} if groups is None else {"groups": groups}
        return _Routed(split, [params] * len(estimators), {})
    if groups is not None:
        raise ValueError(
            "`groups` must be passed as params={'groups': groups} when metadata "
            "routing is enabled; got it as an argument of its own."
        )
    fit = MethodMapping().add(caller="fit", callee="fit")
    router = MetadataRouter(owner="cross_val_losses")
    router.add(
        splitter=cv, method_mapping=MethodMapping().add(caller="fit", callee="split")
    )
    for number, estimator in enumerate(estimators.values()):
        router.add(method_mapping=fit, **{f"estimator_{number}": estimator})
    if isinstance(measure, _ScoreMeasure):
        score = MethodMapping().add(caller="fit", callee="score")
        router.add(scorer=measure.scorer, method_mapping=score)
    try:
        routed = process_routing(router, "fit", **params)
    except UnsetMetadataPassedError as error:
        raise UnsetMetadataPassedError(
            message=str(error).replace("cross_val_losses.fit", "cross_val_losses"),
            unrequested_params=error.unrequested_params,
            routed_params=error.routed_params,
        ) from None
    except TypeError as error:
        message = str(error).replace("cross_val_losses.fit", "cross_val_losses")
        raise TypeError(message) from None
    to_fit = [routed[f"estimator_{i}"]["fit"] for i in range(len(estimators))]
    to_scorer = {}
    if isinstance(measure, _ScoreMeasure):
        to_scorer = routed["scorer"]["score"]
    return _Routed(routed["splitter"]["split"], to_fit, to_scorer)


def _slice_params(params, indices, n_samples):
    """Take the rows of those parameters that have one value per example."""
    return {
        name: take_rows(value, indices) if _is_per_example(value, n_samples) else value
        for name, value in params.items()
    }


def _is_per_example(value, n_samples):
    if isinstance(value, (str, bytes, dict)) or not (
        hasattr(value, "__len__") or hasattr(value, "shape")
    ):
        return False
    return getattr(value, "shape", None) != () and n_rows(value) == n_samples


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
            X = _square(X)
            columns = self.train
        X_train = take_rows(X, self.train, columns)
        X_test = take_rows(X, self.test, columns)
        y_test = None if measure.per_example else take_rows(y, self.test)
        return X_train, take_rows(y, self.train), X_test, y_test


def _square(X):
    X = X if sparse.issparse(X) else np.asarray(X)
    if X.ndim != 2 or X.shape[0] != X.shape[1]:
        allowed = (
            "a square kernel or distance matrix for estimators of precomputed ones"
        )
        raise fail_shown("X", allowed, f"an array of shape {X.shape}")
    return X


class _LossError(Exception):
    """A loss that cannot be computed: a mistake to report, not a failed fit."""


class _Result(NamedTuple):
    values: np.ndarray
    fit_time: float
    score_time: float
    estimator: Any = None
    error: str | None = None


def _fit_and_measure(fold, key, estimator, fit_params, pairwise, keep):
    """Fit a clone on one split and return its values on the test set.

    `key` stands for the data and the split where results are cached.
    """
    data = fold.data
    n_samples = n_rows(data.X)
    estimator = clone(estimator)
    if fit_params:
        fit_params = _slice_params(fit_params, fold.train, n_samples)
    score_params = data.score_params
    if score_params:
        score_params = _slice_params(score_params, fold.test, n_samples)
    X_train, y_train, X_test, y_test = fold.take(pairwise)

    start = time.perf_counter()
    if y_train is None:
        estimator.fit(X_train, **fit_params)
    else:
        estimator.fit(X_train, y_train, **fit_params)
    fitted = time.perf_counter()
    response = data.measure.respond(estimator, X_test, y_test, score_params)
    try:
        values = data.measure.values(response, estimator, y_train, fold.test)
    except Exception as error:
        raise _LossError(str(error)) from error
    scored = time.perf_counter()
    kept = estimator if keep else None
    return _Result(values, fitted - start, scored - fitted, kept)


def _run_job(fold, job, evaluate, error_score, keep):
    """Run one (split, estimator); a failure becomes a result that says so."""
    start = time.perf_counter()
    where = f"estimator {job.name!r}, split {fold.number}"
    key = None
    if evaluate is not _fit_and_measure:
        key = (evaluate.data_hash, job.name, fold.train, fold.test)
    try:
        return evaluate(fold, key, job.estimator, job.fit_params, job.pairwise, keep)
    except _LossError as error:
        raise ValueError(f"{error} ({where})") from error.__cause__
    except Exception as error:
        if isinstance(error_score, str):
            error.add_note(f"raised by {where}")
            raise
        values = fold.data.measure.failed(len(fold.test), error_score)
        elapsed = time.perf_counter() - start
        return _Result(values, elapsed, 0.0, None, traceback.format_exc())


class _Cached:
    """`_fit_and_measure` behind a joblib.Memory, the data hashed once."""

    def __init__(self, memory, data, jobs):
        try:
            self.data_hash = joblib.hash(tuple(data))
            joblib.hash(jobs)
        except (pickle.PicklingError, AttributeError, TypeError):
            allowed = "None for an estimator, data or a loss that cannot be pickled"
            hint = "A function defined in a module can be, a lambda cannot."
            raise fail("memory", allowed, memory, hint=hint) from None
        self.function = memory.cache(_fit_and_measure, ignore=["fold"])

    def __call__(self, *arguments):
        return self.function(*arguments)


def _with_memory(memory, data, jobs):
    if memory is None:
        return _fit_and_measure
    if not (isinstance(memory, str) or hasattr(memory, "cache")):
        memory = str(memory) if hasattr(memory, "__fspath__") else memory
    try:
        memory = check_memory(memory)
    except ValueError:
        allowed = "None, a path or a joblib.Memory"
        raise fail("memory", allowed, memory, TypeError) from None
    return _Cached(memory, data, jobs)


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
