"""The arguments of cross_val_losses, checked and brought into one form."""

import contextlib
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
from .._splits._groups import encode_groups, has_repeated_groups
from .._validation import check_integer, invalid
from ._fit_messages import cannot_be_cloned


def name_estimators(estimators):
    """Return a dict from name to a clone of the estimator, in order."""
    if isinstance(estimators, dict):
        pairs = list(estimators.items())
    else:
        is_list = isinstance(estimators, (list, tuple))
        pairs = list(estimators) if is_list else [estimators]
        if not all(isinstance(item, tuple) and len(item) == 2 for item in pairs):
            # as scikit-learn's make_pipeline names its steps
            names = numbered([type(item).__name__.lower() for item in pairs])
            pairs = list(zip(names, pairs, strict=True))
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
    hint = "Pass an instance." if isinstance(estimator, type) else ""
    if not hint and hasattr(estimator, "fit"):
        try:
            return clone(estimator)
        except (TypeError, RuntimeError) as error:
            hint = cannot_be_cloned(name, error)
    allowed = (
        "scikit-learn estimators (one, a list, a list of (name, estimator), or a dict)"
    )
    raise invalid("estimators", allowed, estimator, TypeError, hint)


def numbered(names):
    """Return names with a number where several are the same."""
    names, count, occurrences = list(names), Counter(names), Counter()
    for position, name in enumerate(names):
        if count[name] > 1:
            occurrences[name] += 1
            names[position] = f"{name}-{occurrences[name]}"
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
        check_integer("pre_dispatch", pre_dispatch, 1, MAX_PRE_DISPATCH)
    return pre_dispatch


def check_error_score(error_score):
    """Return "raise" or a float."""
    if isinstance(error_score, str) and error_score == "raise":
        return error_score
    is_real = isinstance(error_score, numbers.Real) and not isinstance(
        error_score, (bool, np.bool_)
    )
    with contextlib.suppress(OverflowError):
        if is_real:
            return float(error_score)
    error_class = ValueError if is_real or isinstance(error_score, str) else TypeError
    raise invalid("error_score", "'raise' or a number", error_score, error_class)


# Ten fits whose answer is the strongest of those whose level holds, by simulation.
DEFAULT_FOLDS, DEFAULT_REPEATS = 5, 2


def resolve_cv(cv, estimators, y, groups=None):
    """Return a splitter; None and integers become the package's defaults.

    They are stratified where each class can be in each test set, by whole `groups`.
    With at most 5 groups, each is a fold, and repeating that would change nothing.
    """
    if cv is None or (isinstance(cv, (int, np.integer)) and not isinstance(cv, bool)):
        return _default_cv(cv, estimators, y, _codes_of(groups))
    allowed = "an integer, a splitter, an iterable of (train, test) or None"
    if isinstance(cv, type):
        raise invalid("cv", allowed, cv, TypeError, hint="Pass an instance.")
    is_text = isinstance(cv, (str, bytes))
    if hasattr(cv, "split") and not is_text:
        return cv
    not_iterable = not hasattr(cv, "__iter__") or getattr(cv, "shape", None) == ()
    if is_text or isinstance(cv, dict) or not_iterable:
        raise invalid("cv", allowed, cv, TypeError)
    return _GivenSplits(list(at_most(MAX_SPLITS, cv)))


def _default_cv(cv, estimators, y, groups):
    """Return the splitter of None or an integer."""
    n_repeats, n_groups = 1, np.inf if groups is None else groups.max() + 1
    if cv is None:
        cv, n_repeats = DEFAULT_FOLDS, DEFAULT_REPEATS
        if n_groups <= cv:
            cv, n_repeats = at_most_groups(cv, groups), 1
    check_integer("cv", cv, 2)
    for unit, most in (
        ("examples", np.inf if y is None else n_rows(y)),
        ("groups", n_groups),
    ):
        if cv > most:
            raise invalid("cv", f"at most the number of {unit}, {most}", cv)
    stratify = y is not None and all(
        estimator_kind(estimator) == "classifier" for estimator in estimators.values()
    )
    stratify = stratify and _fills_folds(as_target_array(y), cv, groups)
    return BlockKFold(cv, n_repeats=n_repeats, stratify=stratify, random_state=0)


def check_threshold_option(value):
    """Return `check_threshold`: a bool or "ask"."""
    if isinstance(value, (bool, np.bool_)):
        return bool(value)
    if isinstance(value, str) and value == "ask":
        return value
    raise invalid("check_threshold", "True, False or 'ask'", value, TypeError)


# A generator without an end is not to be drawn from for ever.
MAX_SPLITS = 10**5


def at_most(n, splits):
    """Yield splits, and raise a ValueError when there are more than n."""
    for number, split in enumerate(splits):
        if number == n:
            raise too_many(n, f"more than {n}")
        yield split


def too_many(n, count):
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
    return codes if codes is not None and has_repeated_groups(codes) else None


def _fills_folds(labels, n_splits, groups):
    """Whether folds can be stratified; of whole groups, with each class in each."""
    if labels.ndim != 1:
        return False
    if groups is None:
        counts = unique_labels(labels, return_counts=True)[1]
        return bool(counts.max(initial=0) >= n_splits)
    classes, _ = encode_groups(labels)
    if len(groups) != len(classes):  # an error names them later
        return False
    cells = np.unique(np.column_stack([groups, classes]), axis=0)
    return bool(np.bincount(cells[:, 1]).min() >= n_splits)
