"""Labels of rows and columns of pandas: in the same order, or refused or told."""

import itertools
from collections.abc import Mapping

import numpy as np

from ._validation import warn


def check_same_index(user_args, n_samples):
    """Refuse columns of pandas whose rows are labelled in different orders.

    Rows go by position. An index that only counts from 0 says nothing of the order,
    unless another holds the same numbers in another order.
    """
    indexes = {}
    for name, values in user_args.items():
        if hasattr(values, "iloc") and len(values) == n_samples:
            indexes[name] = values.index
    check_same_labels(indexes)


def check_same_tables(user_args):
    """Refuse tables of one shape whose rows, or columns, are in different orders."""
    indexes = {}
    columns = {}
    for name, table in user_args.items():
        if hasattr(table, "iloc"):
            indexes[name] = table.index
        if hasattr(table, "columns"):
            columns[name] = table.columns
    check_same_labels(indexes)
    check_same_labels(columns, "column")


def check_same_labels(labels, axis="index"):
    """Refuse labels of rows, or of columns, in different orders, or different ones.

    `labels` has the labels of each argument by its name, of one length.
    """
    first = None  # the name of the first that do more than count
    for name in labels:
        if first is None and not _only_counts(labels[name]):
            first = name
    if first is None:
        return
    for name, others in labels.items():
        if _is_reordered(labels[first], others):
            difference = "the same in another order"
        elif _are_same(labels[first], others) or _only_counts(others):
            continue
        else:
            difference = "others"
        raise ValueError(
            f"`{name}` must have the {axis} labels of `{first}`, in the same order; "
            f"got {difference}. Sort both alike, or pass arrays (`.to_numpy()`), which "
            "go by position."
        )


def warn_of_another_order(user_args, **options):
    """Warn of columns of pandas with the labels of another in another order.

    As in scikit-learn, rows go by position. Options may be dicts of more columns.
    """
    arguments = dict(user_args)
    for name, option in options.items():
        if isinstance(option, Mapping):
            for key in option:
                arguments[f"{name}[{key!r}]"] = option[key]
    indexes = {}
    for name, values in arguments.items():
        if hasattr(values, "iloc"):
            indexes[name] = values.index
    for first, second in itertools.combinations(indexes, 2):
        if _is_reordered(indexes[first], indexes[second]):
            warn(
                f"`{first}` and `{second}` have the same index labels in another "
                "order; rows go by position. If that is not meant, use "
                f"{second}.loc[{first}.index].",
                UserWarning,
            )
            return


def labels_of_rows(*tables):
    """Return the index labels of the rows of tables of pandas; None if none has any.

    Those that only count are returned where no others are there.
    """
    indexes = [values.index for values in tables if hasattr(values, "iloc")]
    for index in indexes:
        if not _only_counts(index):
            return index
    return indexes[0] if indexes else None


def by_position(values):
    """Return rows without labels: an array in place of a column or table of pandas."""
    if not hasattr(values, "iloc"):
        return values
    # of nullable numbers, of which old versions of pandas make objects
    dtype = getattr(getattr(values, "dtype", None), "numpy_dtype", None)
    if dtype is None or values.isna().any():
        return values.to_numpy()
    return values.to_numpy(dtype=dtype)


def _only_counts(labels):
    """Whether labels are 0, 1, 2, ..., as in a new table."""
    return np.array_equal(labels, np.arange(len(labels)))


def _are_same(labels, others):
    if hasattr(labels, "equals") and hasattr(others, "equals"):
        return labels.equals(others)
    return list(labels) == list(others)


def _is_reordered(labels, others):
    """Whether these are the same labels in different orders."""
    if len(labels) != len(others) or _are_same(labels, others):
        return False
    return set(labels) == set(others)
