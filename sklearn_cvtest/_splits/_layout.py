"""The layout of splits without the data: from the splitter or the indices.

It follows from the class of a splitter, never from the number of splits: 100 splits may
be 10 x 10-fold, 100 subsamples or leave-one-out, each with a different n2/n1.
"""

import numbers
from typing import NamedTuple

import numpy as np
from sklearn import model_selection as sk

from .._validation import check_integer, invalid
from ._design import (
    Design,
    DesignKind,
    as_design,
    as_sizes,
    design_of_folds,
    known_sizes,
    random_subsamples,
)
from ._indices import check_splits, recognise_design, split_digest, train_size
from ._subsample import RepeatedSubsample

# Each example is tested once, by a fit to all other folds: n2/n1 = 1/(K-1) in total.
FOLDS = (
    sk.KFold,
    sk.StratifiedKFold,
    sk.GroupKFold,
    sk.StratifiedGroupKFold,
    sk.LeaveOneOut,
    sk.LeaveOneGroupOut,
)
# Subsamples whose sizes depend on the data: on groups, or on n.
UNSIZED = (sk.GroupShuffleSplit, sk.LeavePOut, sk.LeavePGroupsOut)


class SplitLayout(NamedTuple):
    """What the tests need to know about splits.

    Attributes
    ----------
    design : Design
        How the splits relate to each other.
    n_train, n_test : ndarray of shape (n_splits,) or None
        Sizes of the training and test sets, or their shares of the sample if only
        these are known; None if neither is.
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
        return self.design.kind != DesignKind.SUBSAMPLE and not unsized


def layout_of_splits(splits):
    """Return the layout of (train, test) index arrays or masks."""
    n_samples = 0
    for split in splits:
        if np.iterable(split):
            for indices in split:
                n_samples = max(n_samples, _n_seen(indices))
    splits = check_splits(splits, n_samples)
    return SplitLayout(
        design=recognise_design(splits, n_samples),
        n_train=np.array([train_size(split) for split in splits]),
        n_test=np.array([len(split[1]) for split in splits]),
        n_samples=n_samples,
        split_hash=split_digest(splits),
    )


def _n_seen(indices):
    """Return the smallest number of examples that a mask or indices can refer to."""
    try:
        indices = np.asarray(indices)
    except ValueError:  # lists of different lengths
        return 0
    if indices.dtype == bool and indices.ndim == 1:
        return len(indices)
    is_index = indices.size and indices.dtype.kind in "iu"
    return int(indices.max()) + 1 if is_index else 0


def resolve_layout(cv, n_splits, n_train=None, n_test=None, *, name="cv"):
    """Return the layout of `n_splits` splits made by `cv`.

    Sizes that are given complete what `cv` says. If the splitter is not known, they
    make the splits random subsamples, whose test is valid for a K-fold too. If n2/n1
    remains unknown, a ValueError says what to pass.
    """
    layout = _declared(cv, n_splits, name)
    layout = with_sizes(layout, n_splits, n_train, n_test)
    if layout is None:
        allowed = "a splitter of scikit-learn or of this package, or a list of "
        hint = "Pass `n_train` and `n_test`, the sizes of the sets of its splits."
        raise invalid(name, f"{allowed}(train, test)", cv, hint=hint)
    if not layout.is_sized:
        raise ValueError(
            f"The sizes of the training and test sets of {layout.design} are not "
            f"known from {' '.join(repr(cv).split())}. Pass `n_train` and `n_test`."
        )
    return layout


def with_sizes(layout, n_splits, n_train, n_test):
    """Return the layout with the sizes that are given.

    If the layout is unknown (None), the splits are taken to be random subsamples. Sizes
    that differ from the sizes of known indices are refused.
    """
    if n_train is None and n_test is None:
        return layout
    if layout is None:
        layout = SplitLayout(random_subsamples(n_splits))
    if layout.split_hash is not None:
        for name, size in (("n_train", n_train), ("n_test", n_test)):
            _check_size(name, size, getattr(layout, name))
        return layout
    sizes = known_sizes(layout.design, n_splits, n_train, n_test)
    for name in ("n_train", "n_test"):
        if sizes[name] is None:
            raise invalid(name, "given if the other size is", None)
    return layout._replace(**sizes)


def _check_size(name, size, actual):
    declared = as_sizes(name, size, len(actual))
    if declared is not None and np.any(declared != actual):
        raise invalid(name, f"None or the actual sizes, {actual.tolist()}", size)


def _declared(cv, n_splits, name):
    """Return the layout that a splitter declares, None if it is not known."""
    if isinstance(cv, (str, Design)):
        return SplitLayout(as_design(cv, n_splits, name))
    if cv is None:
        return None
    if isinstance(cv, (numbers.Integral, np.bool_)):
        layout = SplitLayout(Design(DesignKind.K_FOLD, check_integer(name, cv, 2)))
    elif isinstance(cv, (list, tuple)) or (isinstance(cv, np.ndarray) and cv.ndim):
        layout = layout_of_splits(list(cv))
    elif isinstance(cv, sk.PredefinedSplit):
        layout = layout_of_splits(list(cv.split()))
    else:
        layout = _declared_by_class(cv, n_splits)
    if layout is not None:
        _check_total(cv, layout, n_splits, name)
    return layout


def _declared_by_class(cv, n_splits):
    """Return the layout that the class of a splitter declares, or None."""
    shuffles = (sk.ShuffleSplit, sk.StratifiedShuffleSplit, RepeatedSubsample)
    if isinstance(cv, shuffles):
        design_kind = DesignKind.SUBSAMPLE if n_splits > 1 else DesignKind.HOLDOUT
        declared = cv.n_repeats if hasattr(cv, "n_repeats") else cv.n_splits
        n_train, n_test = _shares(cv.test_size, cv.train_size, n_splits)
        return SplitLayout(Design(design_kind, declared), n_train, n_test)
    if hasattr(cv, "get_design"):
        return SplitLayout(cv.get_design())
    # these keep their K to themselves
    if isinstance(cv, (sk.RepeatedKFold, sk.RepeatedStratifiedKFold)):
        n_folds = cv.get_n_splits() // cv.n_repeats
        return SplitLayout(design_of_folds(n_folds, cv.n_repeats))
    declared = getattr(cv, "n_splits", n_splits)
    if isinstance(cv, FOLDS):
        return SplitLayout(Design(DesignKind.K_FOLD, declared))
    if isinstance(cv, sk.TimeSeriesSplit):
        return SplitLayout(Design(DesignKind.TIME_SERIES, declared))
    if isinstance(cv, UNSIZED):
        return SplitLayout(Design(DesignKind.SUBSAMPLE, declared))
    return None


def _shares(test_size, train_size, n_splits):
    """Return n_train and n_test of random splits, as sizes or shares if known."""
    if test_size is None and train_size is None:
        test_size = 0.1  # scikit-learn's default for the splitters asked here
    declared = [size for size in (test_size, train_size) if size is not None]
    are_sizes = {isinstance(size, numbers.Integral) for size in declared}
    if len(are_sizes) == 2 or (True in are_sizes and len(declared) < 2):
        return None, None  # of a sample of unknown size
    if test_size is None:
        test_size = 1 - train_size
    if train_size is None:
        train_size = 1 - test_size
    return np.full(n_splits, train_size), np.full(n_splits, test_size)


def _check_total(cv, layout, n_splits, name):
    total = layout.design.n_total
    if total not in (None, n_splits):
        allowed = f"what made the {n_splits} splits"
        hint = f"It makes {layout.design}, {total} splits."
        raise invalid(name, allowed, cv, hint=hint)
