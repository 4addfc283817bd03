"""How splits are related where the data are not at hand: from the splitter or indices.

A splitter is asked what its class promises, never how many splits it makes: 100
splits are 10 x 10-fold, 100 subsamples or leave-one-out, with another n2/n1 each.
"""

import numbers
from typing import NamedTuple

import numpy as np
from sklearn.model_selection import (
    GroupKFold,
    GroupShuffleSplit,
    KFold,
    LeaveOneGroupOut,
    LeaveOneOut,
    LeavePGroupsOut,
    LeavePOut,
    PredefinedSplit,
    RepeatedKFold,
    RepeatedStratifiedKFold,
    ShuffleSplit,
    StratifiedGroupKFold,
    StratifiedKFold,
    StratifiedShuffleSplit,
    TimeSeriesSplit,
)

from ._design import Design, as_design, check_splits, recognise_design, split_digest
from ._residuals import CVResiduals, _as_sizes, _known_sizes
from ._splitters import RepeatedSubsample
from ._validation import check_integer, fail

__all__ = [
    "NOT_GIVEN",
    "SplitStructure",
    "resolve_structure",
    "structure_of_splits",
    "with_sizes",
]

# Each test set once, trained on all the rest: n2/n1 = 1/(K-1) in total sizes.
FOLDS = (
    KFold,
    StratifiedKFold,
    GroupKFold,
    StratifiedGroupKFold,
    LeaveOneOut,
    LeaveOneGroupOut,
)
REPEATED_FOLDS = (RepeatedKFold, RepeatedStratifiedKFold)
SHUFFLES = (ShuffleSplit, StratifiedShuffleSplit, RepeatedSubsample)
# Subsamples whose sizes depend on the data: on groups, or on n.
UNSIZED = (GroupShuffleSplit, LeavePOut, LeavePGroupsOut)


class _NotGiven:
    """In place of a splitter that is not known; None is scikit-learn's default."""

    def __repr__(self):
        return "none"


NOT_GIVEN = _NotGiven()


class SplitStructure(NamedTuple):
    """What the tests need to know of splits.

    Attributes
    ----------
    design : Design
        How the splits relate to each other.
    n_train, n_test : ndarray of shape (n_splits,) or None
        Sizes of the training and test sets, or their shares of the sample if no more
        is known; None if not even that.
    n_samples : int or None
        Number of examples, if known.
    split_hash : str or None
        Hash of the indices, if known.
    """

    design: Design
    n_train: np.ndarray | None = None
    n_test: np.ndarray | None = None
    n_samples: int | None = None
    split_hash: str | None = None

    @property
    def is_sized(self):
        """Whether n2/n1 is known, from sizes or from the design."""
        if self.n_train is not None and self.n_test is not None:
            return True
        unsized = self.design.n_splits is None  # K of a repeated K-fold
        return self.design.kind != "subsample" and not unsized

    def residuals(self, values, names=()):
        """Return one value per split as residuals of this structure."""
        return CVResiduals(
            values=values,
            row_split=np.arange(len(values)),
            n_train=self.n_train,
            n_test=self.n_test,
            n_samples=self.n_samples,
            design=self.design,
            names=names,
            per_example=False,
            split_hash=self.split_hash,
        )


def structure_of_splits(splits):
    """Read the structure off (train, test) index arrays or masks."""
    parts = (part for split in splits if np.iterable(split) for part in split)
    n_samples = max(map(_n_seen, parts), default=0)
    splits = check_splits(splits, n_samples)
    return SplitStructure(
        recognise_design(splits, n_samples),
        np.array([len(train) for train, _ in splits]),
        np.array([len(test) for _, test in splits]),
        n_samples,
        split_digest(splits),
    )


def _n_seen(indices):
    """Return the least number of examples that a mask or indices can be of."""
    try:
        indices = np.asarray(indices)
    except ValueError:  # lists of different lengths
        return 0
    if indices.dtype == bool and indices.ndim == 1:
        return len(indices)
    is_index = indices.size and indices.dtype.kind in "iu"
    return int(indices.max()) + 1 if is_index else 0


def resolve_structure(cv, n_splits, n_train=None, n_test=None, *, name="cv"):
    """Return the structure of `n_splits` splits made by `cv`.

    Sizes that are given complete what `cv` says; of a splitter that is not known
    they make subsamples, whose test is valid for a K-fold too. Raises a ValueError
    that says what to pass where n2/n1 stays unknown.
    """
    structure = _declared(cv, n_splits, name)
    structure = with_sizes(structure, n_splits, n_train, n_test)
    if structure is None:
        raise fail(
            name,
            "a splitter of scikit-learn or of this package, or a list of (train, test)",
            cv,
            hint="Pass `n_train` and `n_test`, the sizes of the sets of its splits.",
        )
    if not structure.is_sized:
        raise ValueError(
            f"The sizes of the training and test sets of {structure.design} are not "
            f"known from {' '.join(repr(cv).split())}. Pass `n_train` and `n_test`."
        )
    return structure


def with_sizes(structure, n_splits, n_train, n_test):
    """Return the structure with the sizes that are given.

    Of an unknown structure (None) they make random subsamples. Sizes that differ from
    those of known indices are refused.
    """
    if n_train is None and n_test is None:
        return structure
    if structure is None:
        kind = "subsample" if n_splits > 1 else "holdout"
        structure = SplitStructure(Design(kind, n_splits))
    if structure.split_hash is not None:
        for name, size in (("n_train", n_train), ("n_test", n_test)):
            _check_size(name, size, getattr(structure, name))
        return structure
    sizes = _known_sizes(structure.design, n_splits, n_train, n_test)
    for name in ("n_train", "n_test"):
        if sizes[name] is None:
            raise fail(name, "given together with the other size", None)
    return structure._replace(**sizes)


def _check_size(name, size, actual):
    given = _as_sizes(name, size, len(actual))
    if given is not None and np.any(given != actual):
        raise fail(name, f"None or the actual sizes, {actual.tolist()}", size)


def _declared(cv, n_splits, name):
    """Return what a splitter promises, None if that is nothing that is known."""
    if isinstance(cv, (str, Design)):
        return SplitStructure(as_design(cv, n_splits, name))
    if cv is None or isinstance(cv, (numbers.Integral, np.bool_)):
        if cv is not None:
            check_integer(name, cv, 2)
        structure = SplitStructure(Design("k-fold", n_splits if cv is None else cv))
    elif isinstance(cv, (list, tuple)) or np.ndim(cv):
        structure = structure_of_splits(list(cv))
    elif isinstance(cv, PredefinedSplit):
        structure = structure_of_splits(list(cv.split()))
    else:
        structure = _declared_by_class(cv, n_splits)
    if structure is not None:
        _check_total(cv, structure, n_splits, name)
    return structure


def _declared_by_class(cv, n_splits):
    if isinstance(cv, SHUFFLES):
        kind = "subsample" if n_splits > 1 else "holdout"
        declared = cv.n_repeats if hasattr(cv, "n_repeats") else cv.n_splits
        sizes = _shares(cv.test_size, cv.train_size, n_splits)
        return SplitStructure(Design(kind, declared), *sizes)
    if hasattr(cv, "get_design"):
        return SplitStructure(cv.get_design())
    if isinstance(cv, FOLDS):
        return SplitStructure(Design("k-fold", getattr(cv, "n_splits", n_splits)))
    if isinstance(cv, REPEATED_FOLDS):
        return SplitStructure(_repeated(cv.get_n_splits(), cv.n_repeats))
    if isinstance(cv, TimeSeriesSplit):
        return SplitStructure(Design("other", cv.n_splits))
    if isinstance(cv, UNSIZED):
        return SplitStructure(Design("subsample", n_splits))
    return None


def _repeated(n_total, n_repeats):
    n_folds = n_total // n_repeats
    if n_repeats == 1:
        return Design("k-fold", n_folds)
    if (n_folds, n_repeats) == (2, 5):
        return Design("5x2", 2, 5)
    return Design("repeated k-fold", n_folds, n_repeats)


def _shares(test_size, train_size, n_splits):
    """Return n_train and n_test of random splits as sizes or shares, else None."""
    if test_size is None and train_size is None:
        test_size = 0.1  # scikit-learn's default for the splitters asked here
    kinds = {isinstance(size, numbers.Integral) for size in (test_size, train_size)}
    if test_size is None or train_size is None:
        if True in kinds:  # the rest of a sample of unknown size
            return None, None
        test_size = 1 - train_size if test_size is None else test_size
        train_size = 1 - test_size if train_size is None else train_size
    elif len(kinds) == 2:
        return None, None
    return np.full(n_splits, train_size), np.full(n_splits, test_size)


def _check_total(cv, structure, n_splits, name):
    total = structure.design.n_total
    if total not in (None, n_splits):
        raise fail(
            name,
            f"what made the {n_splits} splits",
            cv,
            hint=f"It makes {structure.design}, {total} splits.",
        )
