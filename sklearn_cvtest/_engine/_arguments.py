"""What cross_val_losses is given, checked and brought into one form."""

import math
import re
from collections import Counter
from typing import NamedTuple

import numpy as np
from scipy import sparse
from sklearn.base import clone

from .._compat import estimator_kind, n_rows
from .._losses._formulas import as_target_array, unique_labels
from .._splits._splitters import BlockKFold, RepeatedSubsample
from .._validation import check_integer, invalid, invalid_words

__all__ = [
    "check_error_score",
    "check_n_jobs",
    "check_pre_dispatch",
    "check_square",
    "name_estimators",
    "resolve_cv",
]


def name_estimators(estimators):
    """Return a dict from name to a clone of the estimator, in order."""
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
        raise invalid("estimators", "at least one estimator", estimators)
    names = [name for name, _ in pairs]
    for name in names:
        if not isinstance(name, str) or not name:
            raise invalid("estimators", "named by non-empty strings", name, TypeError)
    pairs = [(name, _clone(name, estimator)) for name, estimator in pairs]
    twice = [name for name, count in Counter(names).items() if count > 1]
    if twice:
        raise invalid("estimators", "named differently", twice)
    return dict(pairs)


def _clone(name, estimator):
    """Return a clone of what must be an estimator with a `fit`."""
    hint = ""
    if isinstance(estimator, type):
        hint = "Pass an instance."
    elif hasattr(estimator, "fit"):
        try:
            return clone(estimator)
        except (TypeError, RuntimeError) as error:
            hint = f"{name!r} cannot be cloned: {error}"
    allowed = (
        "scikit-learn estimators (one, a list, a list of (name, estimator), or a dict)"
    )
    raise invalid("estimators", allowed, estimator, TypeError, hint)


def _class_names(estimators):
    """Name estimators as scikit-learn's make_pipeline names its steps."""
    names = [type(estimator).__name__.lower() for estimator in estimators]
    count, seen = Counter(names), Counter()
    for position, name in enumerate(names):
        if count[name] > 1:
            seen[name] += 1
            names[position] = f"{name}-{seen[name]}"
    return names


PRE_DISPATCH = re.compile(r"\s*(\d*\.?\d+\s*\*\s*)?n_jobs\s*(\*\s*\d*\.?\d+\s*)?|\d+")
NUMBER = re.compile(r"\d*\.?\d+")


def check_n_jobs(n_jobs):
    if n_jobs is not None:
        check_integer("n_jobs", n_jobs, -math.inf)
        if n_jobs == 0:
            raise invalid("n_jobs", "a non-zero integer or None", n_jobs)


def check_pre_dispatch(pre_dispatch):
    """Check what joblib would otherwise evaluate, or fail on in the middle."""
    allowed = "an integer >= 1, 'all', or a product such as '2*n_jobs'"
    if isinstance(pre_dispatch, str):
        if pre_dispatch == "all":
            return
        product = PRE_DISPATCH.fullmatch(pre_dispatch)
        # of no tasks, joblib would dispatch none and return as if it were done
        if not product or math.prod(map(float, NUMBER.findall(pre_dispatch))) < 1:
            raise invalid("pre_dispatch", allowed, pre_dispatch)
    elif pre_dispatch is not None:
        check_integer("pre_dispatch", pre_dispatch, 1)


def check_error_score(error_score):
    number = isinstance(error_score, (int, float, np.number))
    if error_score is None or not (
        (isinstance(error_score, str) and error_score == "raise")
        or (number and not isinstance(error_score, bool))
    ):
        error = ValueError if isinstance(error_score, str) else TypeError
        raise invalid("error_score", "'raise' or a number", error_score, error)


def resolve_cv(cv, estimators, y):
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
        if y is not None and cv > n_rows(y):
            raise invalid("cv", f"at most the number of examples, {n_rows(y)}", cv)
        return BlockKFold(cv, stratify=_fills_folds(labels, cv), random_state=0)
    allowed = "an integer, a splitter, an iterable of (train, test) or None"
    if isinstance(cv, type):
        raise invalid("cv", allowed, cv, TypeError, hint="Pass an instance.")
    if hasattr(cv, "split") and not isinstance(cv, (str, bytes)):
        return cv
    not_iterable = not hasattr(cv, "__iter__") or getattr(cv, "shape", None) == ()
    if isinstance(cv, (str, bytes, dict)) or not_iterable:
        raise invalid("cv", allowed, cv, TypeError)
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


def check_square(X):
    X = X if sparse.issparse(X) else np.asarray(X)
    if X.ndim != 2 or X.shape[0] != X.shape[1]:
        allowed = (
            "a square kernel or distance matrix for estimators of precomputed ones"
        )
        raise invalid_words("X", allowed, f"an array of shape {X.shape}")
    return X
