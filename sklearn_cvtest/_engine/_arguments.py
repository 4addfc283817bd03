"""The arguments of cross_val_losses, checked and brought into one form."""

import math
import numbers
import re
from collections import Counter
from typing import NamedTuple

import numpy as np
from sklearn.base import clone

from .._compat import estimator_kind, n_rows
from .._losses._formulas import as_target_array, unique_labels
from .._splits._block_kfold import BlockKFold
from .._splits._groups import are_groups, encode_groups
from .._splits._splitters import DesignedSplitter
from .._validation import check_integer, invalid


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
            hint = (
                f"{name!r} cannot be cloned: {error}. What its `fit` also takes, such "
                "as CatBoost's cat_features, can be given in `params`."
            )
    allowed = (
        "scikit-learn estimators (one, a list, a list of (name, estimator), or a dict)"
    )
    raise invalid("estimators", allowed, estimator, TypeError, hint)


def _class_names(estimators):
    """Name estimators as scikit-learn's make_pipeline names its steps."""
    return numbered([type(estimator).__name__.lower() for estimator in estimators])


def numbered(names):
    """Return names with a number where several are the same."""
    names, count, seen = list(names), Counter(names), Counter()
    for position, name in enumerate(names):
        if count[name] > 1:
            seen[name] += 1
            names[position] = f"{name}-{seen[name]}"
    return names


# More than any machine has, and few enough for joblib to count with.
MAX_N_JOBS = 10**5
MAX_PRE_DISPATCH = 10**9


def check_n_jobs(n_jobs):
    """Return the number of jobs as an int, or None."""
    if n_jobs is None:
        return None
    if check_integer("n_jobs", n_jobs, -math.inf) and abs(n_jobs) <= MAX_N_JOBS:
        return int(n_jobs)
    allowed = f"a non-zero integer or None, and at most {MAX_N_JOBS}"
    raise invalid("n_jobs", allowed, n_jobs)


def check_pre_dispatch(pre_dispatch):
    """Return what joblib would otherwise evaluate, or fail on in the middle."""
    if pre_dispatch is None:
        return "all"
    # with no tasks to dispatch, joblib would return as if it were done
    if not re.fullmatch(r"all|(([1-9][0-9]{0,8}) ?\* ?)?n_jobs", str(pre_dispatch)):
        allowed = f"an integer from 1 to {MAX_PRE_DISPATCH}, 'all', or '2*n_jobs'"
        if isinstance(pre_dispatch, str):
            raise invalid("pre_dispatch", allowed, pre_dispatch)
        if check_integer("pre_dispatch", pre_dispatch, 1) > MAX_PRE_DISPATCH:
            raise invalid("pre_dispatch", allowed, pre_dispatch)
    return pre_dispatch


def check_error_score(error_score):
    """Return "raise" or a float."""
    allowed = "'raise' or a number"
    if isinstance(error_score, str):
        if error_score == "raise":
            return error_score
        raise invalid("error_score", allowed, error_score)
    if isinstance(error_score, (bool, np.bool_)) or not isinstance(
        error_score, numbers.Real
    ):
        raise invalid("error_score", allowed, error_score, TypeError)
    try:
        return float(error_score)
    except OverflowError:
        raise invalid("error_score", allowed, error_score) from None


# Ten fits whose answer is the strongest of those whose level holds, by simulation.
DEFAULT_FOLDS, DEFAULT_REPEATS = 5, 2


def resolve_cv(cv, estimators, y, groups=None):
    """Return a splitter; None and integers become the package's defaults.

    They are stratified where each class can be in each test set, by whole `groups`.
    With at most 5 groups, each is a fold, and repeating that would change nothing.
    """
    if cv is None or (isinstance(cv, (int, np.integer)) and not isinstance(cv, bool)):
        labels = None
        if y is not None and all(
            estimator_kind(estimator) == "classifier"
            for estimator in estimators.values()
        ):
            labels = as_target_array(y)
        groups = _codes_of(groups)
        n_repeats = 1
        if cv is None:
            cv, n_repeats = DEFAULT_FOLDS, DEFAULT_REPEATS
            if groups is not None and groups.max() < cv:
                cv, n_repeats = at_most_groups(cv, groups), 1
        check_integer("cv", cv, 2)
        if y is not None and cv > n_rows(y):
            raise invalid("cv", f"at most the number of examples, {n_rows(y)}", cv)
        if groups is not None and cv > groups.max() + 1:
            allowed = f"at most the number of groups, {groups.max() + 1}"
            raise invalid("cv", allowed, cv)
        return BlockKFold(
            cv,
            n_repeats=n_repeats,
            stratify=_fills_folds(labels, cv, groups),
            random_state=0,
        )
    allowed = "an integer, a splitter, an iterable of (train, test) or None"
    if isinstance(cv, type):
        raise invalid("cv", allowed, cv, TypeError, hint="Pass an instance.")
    if hasattr(cv, "split") and not isinstance(cv, (str, bytes)):
        return cv
    not_iterable = not hasattr(cv, "__iter__") or getattr(cv, "shape", None) == ()
    if isinstance(cv, (str, bytes, dict)) or not_iterable:
        raise invalid("cv", allowed, cv, TypeError)
    return _GivenSplits(list(at_most(MAX_SPLITS, cv)))


# A generator without an end is not to be drawn from for ever.
MAX_SPLITS = 10**5


def at_most(n, splits):
    """Yield splits, and raise a ValueError when there are more than n."""
    for number, split in enumerate(splits):
        if number == n:
            raise _too_many(n, f"more than {n}")
        yield split


def refuse_too_many(n, cv):
    """Raise that ValueError before any is drawn, if the splitter knows their number."""
    if isinstance(cv, DesignedSplitter) and cv.get_n_splits() > n:
        raise _too_many(n, cv.get_n_splits())


def _too_many(n, count):
    return ValueError(f"`cv` must make at most {n} splits; got {count}.")


class _GivenSplits(NamedTuple):
    """A splitter that yields given (train, test) pairs."""

    splits: list

    def split(self, X, y=None, groups=None):
        return self.splits


def at_most_groups(n_folds, groups):
    """Return how many folds there can be of whole groups, at most `n_folds`."""
    codes = _codes_of(groups)
    return n_folds if codes is None else max(min(n_folds, int(codes.max()) + 1), 2)


def _codes_of(groups):
    """Return groups as integers, None if each is a single row."""
    codes = None if groups is None else encode_groups(groups)[0]
    return codes if codes is not None and are_groups(codes) else None


def _class_counts(labels, groups=None):
    """Return how many rows each class has; of groups, in how many groups it is."""
    if labels is None or labels.ndim != 1:
        return np.array([])
    if groups is None:
        return unique_labels(labels, return_counts=True)[1]
    classes, _ = encode_groups(labels)
    if len(groups) != len(classes):  # an error names them later
        return np.array([])
    cells = np.unique(np.column_stack([groups, classes]), axis=0)
    return np.bincount(cells[:, 1])


def _fills_folds(labels, n_splits, groups=None):
    """Whether folds can be stratified; of whole groups, with each class in each."""
    counts = _class_counts(labels, groups)
    if not counts.size:
        return False
    return bool((counts.max() if groups is None else counts.min()) >= n_splits)
