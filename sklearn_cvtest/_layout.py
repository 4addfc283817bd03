"""The design and the sizes of splits that are told by `cv`, not seen by indices."""

import numbers
import re
from dataclasses import dataclass, replace

import numpy as np
from sklearn import model_selection as sk

from ._design import (
    K_FOLD,
    SUBSAMPLE,
    TIME_SERIES,
    Design,
    as_design,
    check_splits,
    design_of_folds,
    random_subsamples,
    recognise_design,
)
from ._validation import check_integer, check_sizes, invalid

FOLDS = (
    sk.KFold,
    sk.StratifiedKFold,
    sk.GroupKFold,
    sk.StratifiedGroupKFold,
    sk.LeaveOneOut,
    sk.LeaveOneGroupOut,
)
RUNS_BY_FOLDS = re.compile(r"(\d+)x(\d+)")


@dataclass(frozen=True, eq=False)
class SplitLayout:
    """The design of splits, and the sizes of their sets or the shares of the sample."""

    design: Design
    n_train: np.ndarray | None = None
    n_test: np.ndarray | None = None
    n_samples: int | None = None


def layout_of_splits(splits, n_samples=None):
    """Return the SplitLayout of (train, test) indices."""
    splits = check_splits(splits, n_samples or np.inf)
    if n_samples is None:
        n_samples = 1 + max(int(max(a.max(), b.max())) for a, b in splits)
    return SplitLayout(
        recognise_design(splits, n_samples),
        np.array([len(train) for train, _ in splits]),
        np.array([len(test) for _, test in splits]),
        n_samples,
    )


def layout_of_cv(cv, n_splits, n_train=None, n_test=None, *, name="cv"):
    """Return the SplitLayout of so many splits allowed by `cv`.

    Parameters
    ----------
    cv : splitter, int, list of (train, test), Design, str or None
        A str is the name of a design, or "5x10" for 10-fold repeated five times.
        Splits of unknown origin with sizes are random subsamples.
    n_train, n_test : int, array-like of shape (n_splits,) or None
        Sizes of training and test sets.
    """
    if (n_train is None) != (n_test is None):
        missing = "n_train" if n_train is None else "n_test"
        raise invalid(missing, "given if the other size is", None)
    layout = _layout_by_type(cv, n_splits)
    if layout is None and n_train is None:
        hint = "Pass `n_train` and `n_test`, the sizes of the sets of its splits."
        raise invalid(
            name, "a splitter, an int or a list of (train, test)", cv, hint=hint
        )
    layout = layout or SplitLayout(random_subsamples(n_splits))
    if layout.design.n_splits and layout.design.n_total != n_splits:
        allowed = f"what made the {n_splits} splits"
        raise invalid(name, allowed, cv, hint=f"That is {layout.design}.")
    if n_train is not None:
        sizes = {"n_train": n_train, "n_test": n_test}
        sizes = {key: check_sizes(key, size, n_splits) for key, size in sizes.items()}
        if layout.n_samples is not None:
            refuse_other_sizes(layout, **sizes)
        layout = replace(layout, **sizes)
    if layout.design.kind == SUBSAMPLE and layout.n_test is None:
        hint = "Pass `n_train` and `n_test`."
        raise invalid(name, "of sets of known sizes", cv, hint=hint)
    return layout


def refuse_other_sizes(layout, **sizes):
    """Refuse sizes that are not those of the indices."""
    for name, size in sizes.items():
        if size is not None and np.any(np.not_equal(size, getattr(layout, name))):
            raise invalid(name, "None or the actual sizes", size)


def _layout_by_type(cv, n_splits):
    """Return the SplitLayout that the type of `cv` declares, None if it does not."""
    if cv is None:
        return None
    if isinstance(cv, str) and RUNS_BY_FOLDS.fullmatch(cv):
        n_runs, n_folds = map(int, cv.split("x"))
        return SplitLayout(design_of_folds(check_integer("cv", n_folds, 2), n_runs))
    if isinstance(cv, (str, Design)):
        return SplitLayout(as_design(cv, n_splits, "cv"))
    if isinstance(cv, numbers.Integral):
        return SplitLayout(Design(K_FOLD, check_integer("cv", cv, 2)))
    if isinstance(cv, sk.PredefinedSplit):
        return layout_of_splits(cv.split())
    if isinstance(cv, (list, tuple)):
        return layout_of_splits(cv)
    return _layout_by_class(cv, n_splits)


def _layout_by_class(cv, n_splits):
    declared = getattr(cv, "n_splits", n_splits)
    if isinstance(cv, (sk.ShuffleSplit, sk.StratifiedShuffleSplit)):
        n_train, n_test = _shares(cv, n_splits)
        return SplitLayout(random_subsamples(declared), n_train, n_test)
    if hasattr(cv, "get_design"):
        design = cv.get_design()
        n_train = n_test = None
        if design.kind == SUBSAMPLE:
            n_train, n_test = _shares(cv, n_splits)
        return SplitLayout(design, n_train, n_test)
    if isinstance(cv, (sk.RepeatedKFold, sk.RepeatedStratifiedKFold)):
        return SplitLayout(
            design_of_folds(cv.get_n_splits() // cv.n_repeats, cv.n_repeats)
        )
    if isinstance(cv, FOLDS):
        return SplitLayout(Design(K_FOLD, declared))
    if isinstance(cv, sk.TimeSeriesSplit):
        return SplitLayout(Design(TIME_SERIES, declared))
    if isinstance(cv, (sk.GroupShuffleSplit, sk.LeavePOut, sk.LeavePGroupsOut)):
        return SplitLayout(random_subsamples(declared))
    return None


def _shares(cv, n_splits):
    """Return the shares, or sizes, of the sets of random splits, None if unknown."""
    test_size = cv.test_size
    train_size = getattr(cv, "train_size", None)
    if test_size is None:
        test_size = 0.1 if train_size is None else 1 - train_size
    is_share = 0 < test_size < 1
    if train_size is None and is_share:
        train_size = 1 - test_size
    if train_size is None or is_share != (0 < train_size < 1):
        return None, None  # a size, of a sample of unknown size
    return np.full(n_splits, train_size), np.full(n_splits, test_size)
