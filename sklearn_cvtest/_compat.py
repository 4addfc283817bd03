"""The only module that touches private or version-dependent scikit-learn names."""

import copy
import importlib
import sys
from typing import Any, NamedTuple

import numpy as np
from scipy import sparse
from sklearn import get_config
from sklearn.base import ClassifierMixin, RegressorMixin, is_classifier, is_regressor
from sklearn.exceptions import NotFittedError
from sklearn.metrics import accuracy_score, make_scorer
from sklearn.model_selection._split import GroupsConsumerMixin
from sklearn.utils import _safe_indexing, get_tags
from sklearn.utils.validation import check_is_fitted

IMMUTABLE = {bool, bytes, complex, float, int, str, type(None)}


def routing_enabled():
    """Whether scikit-learn's metadata routing is switched on."""
    return get_config().get("enable_metadata_routing", False)


def is_pairwise(estimator):
    """Whether `estimator` takes a kernel or distance matrix for X."""
    return _has_tags(estimator) and get_tags(estimator).input_tags.pairwise


def ignores_groups(cv):
    """Whether a splitter is scikit-learn's, and warns if it is given groups."""
    module = getattr(type(cv).split, "__module__", None) or ""
    is_theirs = module.startswith("sklearn.")
    return is_theirs and not isinstance(cv, GroupsConsumerMixin)


def estimator_kind(estimator):
    """Return "classifier", "regressor" or None."""
    if not _has_tags(estimator):
        return getattr(estimator, "_estimator_type", None)
    if is_classifier(estimator):
        return "classifier"
    return "regressor" if is_regressor(estimator) else None


def _has_tags(estimator):
    """Whether scikit-learn can tell what the estimator is, without a warning."""
    return hasattr(estimator, "__sklearn_tags__")


def is_fitted(estimator):
    """Whether scikit-learn sees that an estimator is fitted, or needs no fit."""
    if not _has_tags(estimator):
        return False
    try:
        check_is_fitted(estimator)
    except NotFittedError:
        return False
    return True


def is_dummy(estimator):
    """Whether an estimator is one of sklearn.dummy, or a pipeline that ends in one."""
    while getattr(estimator, "steps", None):
        estimator = estimator.steps[-1][1]
    return type(estimator).__module__ == "sklearn.dummy"


class ScorerParts(NamedTuple):
    """What make_scorer was given.

    Attributes
    ----------
    function : callable
        The metric, `function(y_true, y_pred, **arguments)`.
    arguments : dict
        The arguments it is called with.
    sign : int
        1 where greater is better, else -1.
    response_method : str or tuple of str
        The method of the estimator whose output it takes; the first it has.
    """

    function: Any
    arguments: dict
    sign: int
    response_method: Any


def scorer_parts(scorer):
    """Return the ScorerParts of what make_scorer or get_scorer made, else None."""
    if type(scorer) is not type(make_scorer(accuracy_score)):
        return None
    try:
        function = scorer._score_func
        arguments = dict(scorer._kwargs or {})
        sign = int(scorer._sign)
        return ScorerParts(function, arguments, sign, scorer._response_method)
    except (AttributeError, TypeError, ValueError):  # named otherwise, one day
        return None


def own_score(scorer):
    """Return the name of the metric that `score` is, if that is what is called.

    None where the estimator's `score` is not one of scikit-learn's.
    """
    return metric_of_score(getattr(scorer, "_estimator", None))


def metric_of_score(estimator):
    """Return the name of the metric that the `score` of an estimator is, or None."""
    while getattr(estimator, "steps", None):  # of a pipeline
        estimator = estimator.steps[-1][1]
    score = getattr(type(estimator), "score", None)
    if getattr(score, "__module__", "") == "sklearn.neighbors._classification":
        return "accuracy"  # by a method of their own
    return {ClassifierMixin.score: "accuracy", RegressorMixin.score: "r2"}.get(score)


def with_score_function(scorer, function):
    """Return a scorer like one of make_scorer, with another function."""
    scorer_copy = copy.copy(scorer)
    scorer_copy._score_func = function
    return scorer_copy


def n_rows(X):
    """Return the number of examples in any container scikit-learn accepts."""
    shape = getattr(X, "shape", None)
    return shape[0] if shape else len(X)


def take_rows(X, indices, columns=None):
    """Return the rows `indices` of X (and `columns`, of a pairwise matrix)."""
    if X is None:
        return None
    if columns is not None:
        return X[np.ix_(indices, columns)]
    if type(X) is np.ndarray:  # what _safe_indexing does, without its checks
        return X[indices]
    if hasattr(type(X), "index_select"):  # of torch
        rows = sys.modules["torch"].as_tensor(indices, device=X.device)
        return X.index_select(0, rows)
    if hasattr(type(X), "__array_namespace__") and not isinstance(X, np.ndarray):
        xp = X.__array_namespace__()
        return xp.take(X, xp.asarray(indices, device=X.device), axis=0)
    return _safe_indexing(X, indices)


def copy_rows(X):
    """Return a copy of a slice that an estimator may write to."""
    X = own_rows(X)
    if isinstance(X, np.ndarray) or sparse.issparse(X):
        return X.copy()
    if hasattr(X, "clone"):  # polars, copy on write
        return X.clone()
    if hasattr(X, "copy"):  # pandas, list
        return X.copy()
    return own(X)


def own_rows(X):
    """Return rows just taken such that what they hold can be written to, too."""
    if type(X) is list or (type(X) is np.ndarray and X.dtype.hasobject):
        values = X if type(X) is list else X.flat
        if not all(type(value) in IMMUTABLE for value in values):
            return own(X)
    return X


def own(value):
    """Return a deep copy, or the value itself if it cannot be copied."""
    try:
        return copy.deepcopy(value)
    except Exception:  # a lock, say, or what refuses in its own words
        return value


def import_extra(module, needed_by):
    """Return a module of an extra, or raise an ImportError saying how to get it."""
    try:
        return importlib.import_module(module)
    except ImportError:
        package = module.partition(".")[0]
        extra = {"matplotlib": "plot", "tqdm": "progress"}.get(package, package)
        raise ImportError(
            f'{needed_by} needs {package}: pip install "sklearn_cvtest[{extra}]".'
        ) from None


def single_threaded():
    """Return a context in which BLAS and OpenMP use one thread."""
    from threadpoolctl import threadpool_limits  # scikit-learn depends on it

    return threadpool_limits(limits=1)
