"""What splitters that declare their design have in common, and words for a splitter."""

from __future__ import annotations

import inspect
import numbers
from abc import abstractmethod
from typing import ClassVar

import numpy as np
from sklearn.model_selection import BaseCrossValidator, KFold, StratifiedKFold

from .._compat import n_rows
from .._row_labels import warn_of_another_order
from .._typing import Seed
from .._validation import (
    as_numpy,
    check_flag,
    check_seed,
    invalid,
    invalid_words,
    warn,
)
from ._groups import (
    assign_groups_to_folds,
    check_lengths,
    count_rows,
    encode_groups,
    has_repeated_groups,
)

MAX_REPEATS = 10**5  # more would never end


class DesignedSplitter(BaseCrossValidator):
    """A splitter that declares its design; subclasses define `_iter_splits`."""

    design_from_indices = True  # whether the indices of the splits show the design
    # scikit-learn then routes groups to `split`, as to its own splitters of groups.
    __metadata_request__split: ClassVar = {"groups": True}

    def __init__(self, *, stratify: bool = False, random_state: Seed = None):
        check_flag("stratify", stratify)
        check_seed("random_state", random_state)
        self.stratify = stratify
        self.random_state = random_state

    def split(self, X, y=None, groups=None):
        """Generate indices to split data into training and test set.

        Parameters
        ----------
        X : array-like of shape (n_samples, n_features)
            The data; only its length is used.
        y : array-like of shape (n_samples,), default=None
            The target; used if `stratify=True`.
        groups : array-like of shape (n_samples,), default=None
            A label for each example (its patient, site, molecule ...). Examples of the
            same label stay on the same side of every split.

        Returns
        -------
        splits : iterator of (ndarray, ndarray)
            The training and the test set indices of each split.

        Raises
        ------
        TypeError, ValueError
            If X or a y to stratify by is missing, the sizes do not fit X, a group is
            missing, or there are fewer groups than the splits need.
        """
        self.get_design()  # fails if there is none yet
        return self._iter_splits(*self._check_data(X, y, groups))

    def _check_data(self, X, y, groups):
        """Return the number of examples, y, and groups as integers or None."""
        X, y, groups = check_lengths(X, y, groups)
        warn_of_another_order({"X": X, "y": y, "groups": groups})
        if self.stratify and y is None:
            raise invalid("y", "given if stratify=True", y)
        codes = None
        if groups is not None:
            codes, _ = encode_groups(groups)
            if not has_repeated_groups(codes):
                codes = None
        return n_rows(X), as_numpy("y", y), codes

    @abstractmethod
    def _iter_splits(self, n_samples, y, codes=None):
        """Yield (train, test) positions; `codes` are the groups to keep whole."""

    def get_n_splits(self, X=None, y=None, groups=None):
        """Return the number of splits.

        Parameters
        ----------
        X, y, groups : object
            Ignored, exist for API compatibility.

        Returns
        -------
        n_splits : int
            The number of (train, test) pairs that `split` yields.
        """
        return self.get_design().n_total


def split_positions(splitter, n_samples, y):
    """Run a scikit-learn splitter over positions 0 ... n_samples - 1."""
    try:
        yield from splitter.split(np.zeros((n_samples, 1)), y)
    except (TypeError, ValueError) as error:
        if n_samples < 2:
            raise invalid_words("X", "at least two examples", n_samples) from None
        allowed = "classes with enough examples each if stratify=True"
        hint = f"{type(splitter).__name__} cannot split these data: {error}"
        raise invalid("y", allowed, y, hint=hint) from None


def iter_folds(splitter, n_splits, n_samples, y, codes, rng):
    """Yield the splits of one K-fold; without a random generator, unshuffled."""
    if codes is None:
        splitter_class = StratifiedKFold if splitter.stratify else KFold
        folds = splitter_class(n_splits, shuffle=rng is not None, random_state=rng)
        yield from split_positions(folds, n_samples, y)
        return
    counts = count_rows(codes, y if splitter.stratify else None)
    if len(counts) < n_splits:
        allowed = f"at most the number of groups, {len(counts)}"
        raise invalid("n_splits", allowed, n_splits)
    _check_classes(counts[:, 1:], n_splits)
    fold_of_row = assign_groups_to_folds(counts, n_splits, rng)[codes]
    for fold in range(n_splits):
        in_test = fold_of_row == fold
        yield np.flatnonzero(~in_test), np.flatnonzero(in_test)


def _check_classes(counts, n_splits):
    """Check, as scikit-learn does, that folds can have some of each class."""
    if not counts.size:
        return
    n_rows_of_class = counts.sum(axis=0)
    n_groups_of_class = (counts > 0).sum(axis=0)
    if n_rows_of_class.max() < n_splits:
        allowed = f"at most the size of the largest class, {n_rows_of_class.max()}"
        raise invalid("n_splits", allowed, n_splits)
    if n_groups_of_class.min() < n_splits:
        warn(
            f"The least populated class in y has examples in {n_groups_of_class.min()} "
            f"groups only, fewer than n_splits={n_splits}: some folds have none of it.",
            UserWarning,
        )


# Options that the design names, or words of their own.
NAMED_OPTIONS = {
    "n_splits",
    "n_repeats",
    "test_size",
    "shuffle",
    "stratify",
    "random_state",
}


def describe_splitter(cv, groups=None):
    """Return words such as "stratified, seed 0 (BlockKFold)", beside the design.

    None for a number of folds, and for splits of unknown origin. `groups` is what
    `split` was given.
    """
    if isinstance(cv, (list, tuple)):
        text = f"given as a list of {len(cv)} (train, test)"
    elif hasattr(cv, "split") and not isinstance(cv, (str, bytes)):
        text = _words(cv)
    else:
        return None
    if groups is not None and text.startswith("("):
        text = f"by groups {text}"
    elif groups is not None:
        text = f"by groups, {text}"
    one_line = " ".join(text.split())
    return one_line[:300]  # a line of a report, whatever a splitter is made with


def _words(cv):
    """Return whether it stratifies and shuffles, its seed, and what it is."""
    name = type(cv).__name__
    is_shuffled = getattr(cv, "shuffle", True) is not False
    words = []
    if getattr(cv, "stratify", False) is True or "Stratified" in name:
        words.append("stratified")
    if not is_shuffled:
        words.append("not shuffled")
    elif hasattr(cv, "random_state"):
        is_fixed = isinstance(cv.random_state, numbers.Integral)
        words.append(f"seed {int(cv.random_state)}" if is_fixed else "no fixed seed")
    inside = ", ".join([name, *_others(cv)]).replace(f"{name}, of ", f"{name} of ")
    return f"{', '.join(words)} ({inside})".strip()


def _others(cv):
    """Return what else is not as by default."""
    try:
        parameters = inspect.signature(type(cv).__init__).parameters
    except (TypeError, ValueError):
        parameters = {}
    options = []
    for name, parameter in list(parameters.items())[1:]:
        value = getattr(cv, name, parameter.default)
        is_default = repr(value) == repr(parameter.default)
        is_variadic = parameter.kind.name.startswith("VAR_")
        if is_default or is_variadic or name in NAMED_OPTIONS:
            continue
        if isinstance(value, BaseCrossValidator):
            words, _, class_text = _words(value).rpartition(" (")
            options.append(f"of {class_text.rstrip(')')}, {words}")
        else:
            options.append(f"{name}={value!r}")
    return options
