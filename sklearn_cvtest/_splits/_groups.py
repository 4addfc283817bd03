"""Rows of X, y and groups, which go together, and groups of them as integers."""

from collections.abc import Mapping

import numpy as np
from sklearn.base import BaseEstimator
from sklearn.utils import indexable

from .._compat import n_rows
from .._validation import as_data, as_numpy, find_missing, invalid, invalid_words, warn
from ..exceptions import FewExamplesWarning

MIN_GROUPS = 10  # of fewer, a variance between groups is hardly known

# Which splitter keeps groups together, by the kind of design.
WAY_OUT = {
    "k-fold": "BlockKFold or GroupKFold",
    "repeated k-fold": "BlockKFold with `n_repeats`",
    "subsample": "RepeatedSubsample or GroupShuffleSplit",
    "5x2": "FiveByTwo",
    "paired halves": "PairedHalves",
    "holdout": "RepeatedSubsample(1) or GroupShuffleSplit(1)",
}


def encode_groups(groups, name="groups"):
    """Return the group of each example as an integer, and the label of each group.

    Parameters
    ----------
    groups : array-like of shape (n_samples,)
        A label for each example, of any type that can be compared or hashed.
    name : str, default="groups"
        What errors call it.

    Returns
    -------
    codes : ndarray of shape (n_samples,)
        Integers from 0 to the number of groups, less one.
    labels : ndarray of shape (n_groups,)
        In order, where they have one; else as they come.
    """
    allowed = "one label for each example"
    if np.ma.is_masked(groups):
        raise invalid_words(name, f"{allowed}, none masked", "a masked array")
    try:
        values = np.asarray(as_numpy(name, groups))
    except ValueError:  # lists of different lengths
        raise invalid(name, allowed, groups, TypeError) from None
    if values.ndim == 0:
        raise invalid(name, allowed, groups, TypeError)
    if values.ndim == 2 and values.shape[1] == 1:
        values = values[:, 0]
    if values.ndim != 1:
        raise invalid_words(name, allowed, f"an array of shape {values.shape}")
    n_missing = np.count_nonzero(find_missing(values))
    if n_missing:
        raise invalid_words(name, "without missing labels", f"{n_missing} missing")
    if values.dtype.kind != "O":
        labels, codes = np.unique(values, return_inverse=True)
        return codes, labels
    try:
        return _encode_objects(values)
    except TypeError:  # not hashable
        raise invalid(name, allowed, groups, TypeError) from None


def _encode_objects(values):
    """Encode by hashes: labels may be of types that have no order."""
    numbers = {}
    codes = np.array([numbers.setdefault(value, len(numbers)) for value in values])
    labels = np.empty(len(numbers), dtype=object)
    labels[:] = list(numbers)
    try:
        order = np.argsort(labels, kind="stable")
    except TypeError:
        return codes, labels
    place = np.empty_like(order)
    place[order] = np.arange(len(order))
    return place[codes], labels[order]


def are_groups(codes):
    """Whether any group has more than one row; groups of one row are no groups."""
    return bool(np.bincount(codes).max() > 1)


def find_leaking_group(splits, codes):
    """Return the first (split, group) of which a group is on both sides, or None.

    Parameters
    ----------
    splits : iterable of (train, test)
        Checked index arrays.
    codes : ndarray of shape (n_samples,)
        The group of each example, an integer from 0.

    Returns
    -------
    leak : (int, int) or None
        The number of the split, and the code of a group.
    """
    in_train = np.zeros(codes.max() + 1, dtype=bool)
    for number, (train, test) in enumerate(splits):
        in_train[:] = False
        in_train[codes[train]] = True
        leaks = in_train[codes[test]]
        if leaks.any():
            return number, int(codes[test[np.argmax(leaks)]])
    return None


def leak_message(design, split, label):
    """Return what a GroupLeakWarning says of a group on both sides of a split."""
    way_out = WAY_OUT.get(design.kind)
    advice = (
        f"Use {way_out}, which keep groups whole when they are given `groups`."
        if way_out
        else "Use splits that keep groups whole."
    )
    if way_out and " or " not in way_out:
        advice = advice.replace("which keep ", "which keeps ")
    return (
        f"Group {label!r} is both in the training and in the test set of split {split} "
        f"of {design}: the model can then score well by memorising the group. {advice}"
    )


def few_groups_note(n_groups):
    """Return what a reader must know of fewer than ten groups, "" of more or none."""
    if n_groups is None or n_groups >= MIN_GROUPS:
        return ""
    return (
        f"The examples come from {n_groups} groups. With fewer than {MIN_GROUPS}, the "
        "variation between groups is hardly known, and p-values and intervals can be "
        "far off. More groups would help; more examples of the same groups would not."
    )


def warn_of_few_groups(codes):
    """Warn where there are fewer than ten groups; `codes` are theirs."""
    note = few_groups_note(len(np.unique(codes)))
    if note:
        warn(note, FewExamplesWarning)


def checked_groups(codes):
    """Return the groups of examples, None if each is a group of its own."""
    if not are_groups(codes):
        return None
    warn_of_few_groups(codes)
    return codes


def check_lengths(X, y, groups):
    """Return X, y and groups in a form that can be indexed by rows."""
    if X is None:
        raise invalid("X", "the data", X, TypeError)
    X, y, groups = as_data("X", X), as_data("y", y), as_numpy("groups", groups)
    n_samples = _count_rows("X", X, "an array or a table with rows")
    for name, values in (("y", y), ("groups", groups)):
        allowed = f"an array of {n_samples} rows"
        if values is not None and _count_rows(name, values, allowed) != n_samples:
            hint = "Is X transposed?" if n_samples <= 2 else ""
            shown = f"{n_rows(values)} rows, and {n_samples} of X"
            raise invalid_words(name, allowed, shown, hint=hint)
    return indexable(X, y, groups)


def _count_rows(name, values, allowed):
    try:
        # pipelines, too, have a length but no rows
        if isinstance(values, (str, bytes, dict, set, BaseEstimator)):
            raise TypeError
        # (not is_masked, which other arrays with missing values are, too)
        if isinstance(values, np.ma.MaskedArray) and np.ma.is_masked(values):
            # scikit-learn would ignore the mask
            raise invalid_words(name, f"{allowed}, none masked", "a masked array")
        return n_rows(values)
    except (TypeError, IndexError):
        raise invalid(name, allowed, values, TypeError) from None


def check_same_index(given, n_samples):
    """Refuse columns of pandas whose rows are labelled in different orders.

    Rows go by position. An index that only counts from 0 says nothing of the order,
    unless another holds the same numbers in another order.
    """
    indexes = {
        name: values.index
        for name, values in given.items()
        if hasattr(values, "iloc") and len(values) == n_samples
    }
    counting = np.arange(n_samples)
    telling = [
        name for name, index in indexes.items() if not np.array_equal(index, counting)
    ]
    if not telling:
        return
    first = telling[0]
    for name, index in indexes.items():
        reordered = _is_reordered(indexes[first], index)
        same = indexes[first].equals(index) or np.array_equal(index, counting)
        if reordered or not same:
            how = "the same in another order" if reordered else "others"
            raise ValueError(
                f"`{name}` must have the index labels of `{first}`, in the same order; "
                f"got {how}. Sort both alike, or pass arrays (`.to_numpy()`), whose "
                "rows go by position."
            )


def _is_reordered(index, other):
    """Whether two indexes of pandas have the same labels in different orders."""
    if index.equals(other):
        return False
    return bool(index.isin(other).all() and other.isin(index).all())


def warn_of_another_order(given, **options):
    """Warn of columns of pandas with the labels of another in another order.

    As in scikit-learn, rows go by position. Options may be dicts of more columns.
    """
    for name, more in options.items():
        if isinstance(more, Mapping):
            given = given | {f"{name}[{key!r}]": more[key] for key in more}
    indexes = {
        name: values.index for name, values in given.items() if hasattr(values, "iloc")
    }
    for name, index in indexes.items():
        first = next(iter(indexes))
        if len(index) == len(indexes[first]) and _is_reordered(indexes[first], index):
            warn(
                f"`{first}` and `{name}` have the same index labels in another order; "
                f"rows go by position. If that is not meant, use "
                f"{name}.loc[{first}.index].",
                UserWarning,
            )
            return
