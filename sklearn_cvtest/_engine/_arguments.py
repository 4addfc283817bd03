"""The arguments of cross_val_losses, checked and brought into one form."""

import contextlib
import math
import numbers
import re
from collections import Counter
from typing import NamedTuple

import numpy as np
from sklearn.base import clone

from .._compat import estimator_kind, is_fitted, n_rows
from .._losses._formulas import as_target_array, unique_labels
from .._splits._block_kfold import BlockKFold
from .._splits._groups import encode_groups, has_repeated_groups
from .._validation import check_integer, invalid, invalid_words, warn
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
        raise invalid("estimators", "estimators, not none", estimators)
    names = [name for name, _ in pairs]
    for name in names:
        if not isinstance(name, str) or not name:
            raise invalid("estimators", "named by non-empty strings", name, TypeError)
    clones = [(name, _clone(name, estimator)) for name, estimator in pairs]
    twice = [name for name, count in Counter(names).items() if count > 1]
    if twice:
        raise invalid("estimators", "named differently", twice)
    _warn_of_fitted(dict(pairs), dict(clones))
    return dict(clones)


def _warn_of_fitted(estimators, clones):
    """Warn if all estimators are fitted, which their clones are not."""
    if all(map(is_fitted, estimators.values())) and not any(
        map(is_fitted, clones.values())
    ):
        warn(
            "All estimators are fitted already; cross-validation fits clones of them. "
            "To compare them as they are, pass their predictions of new examples to "
            "compare_predictions.",
            UserWarning,
        )


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
    counts = Counter(names)
    n_before = Counter()
    different = []
    for name in names:
        n_before[name] += 1
        if counts[name] > 1:
            different.append(f"{name}-{n_before[name]}")
        else:
            different.append(name)
    return different


def check_n_jobs(n_jobs):
    """Return the number of jobs as an int, or None."""
    if n_jobs is None:
        return None
    most = 10**5  # more than any machine has, and few enough for joblib to count with
    number = check_integer("n_jobs", n_jobs, -math.inf)
    if number == 0 or abs(number) > most:
        allowed = f"a non-zero integer or None, and at most {most}"
        raise invalid("n_jobs", allowed, n_jobs)
    return number


def check_pre_dispatch(pre_dispatch):
    """Return what joblib would otherwise evaluate, or fail on in the middle."""
    if pre_dispatch is None:
        return "all"
    # with no tasks to dispatch, joblib would return as if it were done
    if re.fullmatch(r"all|(([1-9][0-9]{0,8}) ?\* ?)?n_jobs", str(pre_dispatch)):
        return pre_dispatch
    most = 10**9
    if isinstance(pre_dispatch, str):
        allowed = f"an integer from 1 to {most}, 'all', or '2*n_jobs'"
        raise invalid("pre_dispatch", allowed, pre_dispatch)
    check_integer("pre_dispatch", pre_dispatch, 1, most)
    return pre_dispatch


def check_error_score(error_score):
    """Return "raise" or a float."""
    if isinstance(error_score, str) and error_score == "raise":
        return error_score
    is_flag = isinstance(error_score, (bool, np.bool_))
    is_real = isinstance(error_score, numbers.Real) and not is_flag
    with contextlib.suppress(OverflowError):
        if is_real:
            return float(error_score)
    error_class = TypeError
    if is_real or isinstance(error_score, str):
        error_class = ValueError
    raise invalid("error_score", "'raise' or a number", error_score, error_class)


def resolve_cv(cv, estimators, y, groups=None):
    """Return a splitter; None and integers become the package's defaults.

    They are stratified where each class can be in each test set, by whole `groups`.
    With at most 5 groups, each is a fold, and repeating that would change nothing.
    """
    is_number = isinstance(cv, (int, np.integer)) and not isinstance(cv, bool)
    if cv is None or is_number:
        return _default_cv(cv, estimators, y, _group_codes_of(groups))
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


def _default_cv(cv, estimators, y, group_codes):
    """Return the splitter of None or an integer."""
    n_repeats = 1
    n_groups = np.inf if group_codes is None else int(group_codes.max()) + 1
    n_samples = np.inf if y is None else n_rows(y)
    if cv is None:
        if n_samples < 5:
            allowed = "of at least 5 rows for cv=None, which makes 5 folds"
            hint = "Pass `cv`, such as cv=2."
            raise invalid_words("X", allowed, f"{n_samples} rows", hint=hint)
        # ten fits whose answer is the strongest of those whose level holds, by
        # simulation
        cv, n_repeats = 5, 2
        if n_groups <= cv:
            cv = max(n_groups, 2)
            n_repeats = 1
    check_integer("cv", cv, 2)
    if cv > n_samples:
        raise invalid("cv", f"at most the number of examples, {n_samples}", cv)
    if cv > n_groups:
        raise invalid("cv", f"at most the number of groups, {n_groups}", cv)
    kinds = {estimator_kind(estimator) for estimator in estimators.values()}
    stratify = False
    if y is not None and kinds == {"classifier"}:
        stratify = _fills_folds(as_target_array(y), cv, group_codes)
    return BlockKFold(cv, n_repeats=n_repeats, stratify=stratify, random_state=0)


# Splits, at most: a generator without an end is not to be drawn from for ever.
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
    group_codes = _group_codes_of(groups)
    if group_codes is None:
        return n_folds
    n_groups = int(group_codes.max()) + 1
    return max(min(n_folds, n_groups), 2)


def _group_codes_of(groups):
    """Return groups as integers, None if each is a single row."""
    if groups is None:
        return None
    group_codes, _ = encode_groups(groups)
    return group_codes if has_repeated_groups(group_codes) else None


def _fills_folds(labels, n_splits, group_codes):
    """Whether folds can be stratified; of whole groups, with each class in each."""
    if labels.ndim != 1:
        return False
    if group_codes is None:
        _, counts = unique_labels(labels, return_counts=True)
        return bool(counts.max(initial=0) >= n_splits)
    classes, _ = encode_groups(labels)
    if len(group_codes) != len(classes):  # an error names them later
        return False
    cells = np.unique(np.column_stack([group_codes, classes]), axis=0)
    n_groups_of_class = np.bincount(cells[:, 1])
    return bool(n_groups_of_class.min() >= n_splits)
