"""Sizes of training and test sets, given or known from the design."""

import numpy as np

from .._validation import invalid

__all__ = ["as_sizes", "known_sizes"]


def known_sizes(design, n_splits, n_train, n_test):
    """Complete the sizes of splits with those that follow from the design."""
    n_test = as_sizes("n_test", n_test, n_splits)
    n_train = as_sizes("n_train", n_train, n_splits)
    n_samples = None
    if n_test is not None and design.kind == "k-fold":
        n_samples = int(n_test.sum())
        n_train = n_samples - n_test if n_train is None else n_train
    elif n_test is not None and design.kind == "5x2":
        n_samples = int(n_test[:2].sum())
        n_train = n_samples - n_test if n_train is None else n_train
    elif n_test is not None and n_train is not None:
        n_samples = int((n_train + n_test).max())
    return {"n_train": n_train, "n_test": n_test, "n_samples": n_samples}


def as_sizes(name, sizes, n_splits):
    if sizes is None:
        return None
    allowed = f"a positive integer, or one for each of the {n_splits} splits"
    try:
        array = np.asarray(sizes)
    except ValueError:  # lists of different lengths
        raise invalid(name, allowed, sizes, TypeError) from None
    if array.dtype.kind not in "iu" or array.shape not in ((), (n_splits,)):
        raise invalid(name, allowed, sizes, TypeError)
    if array.min() < 1:
        raise invalid(name, allowed, sizes)
    return np.broadcast_to(array, (n_splits,)).astype(np.int64)
