"""X, y and groups in a form that can be indexed by rows."""

import numpy as np
from sklearn.utils import indexable

from .._compat import n_rows
from .._validation import invalid, invalid_words

__all__ = ["check_lengths", "check_same_index"]


def check_lengths(X, y, groups):
    """Return X, y and groups in a form that can be indexed by rows."""
    if X is None:
        raise invalid("X", "the data", X, TypeError)
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
        if isinstance(values, (str, bytes, dict, set)):  # with a length but no rows
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
        same = indexes[first].equals(index)
        reordered = not same and bool(
            indexes[first].isin(index).all() and index.isin(indexes[first]).all()
        )
        if reordered or not (same or np.array_equal(index, counting)):
            how = "the same in another order" if reordered else "others"
            raise ValueError(
                f"`{name}` must have the index labels of `{first}`, in the same order; "
                f"got {how}. Sort both alike, or pass arrays (`.to_numpy()`), whose "
                "rows go by position."
            )
