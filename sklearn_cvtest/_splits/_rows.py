"""X, y and groups in a form that can be indexed by rows."""

import numpy as np
from sklearn.utils import indexable

from .._compat import n_rows
from .._validation import invalid, invalid_words

__all__ = ["check_lengths"]


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
