"""Lists of (train, test) index pairs: checked, hashed, and of which design they are."""

import hashlib

import numpy as np

from .._validation import as_numpy, invalid
from ._design import Design, DesignKind, design_of_folds


def check_splits(splits, n_samples, name="cv"):
    """Return the splits as a list of checked pairs (train, test) of index arrays.

    Every index array must be non-empty, one-dimensional, within range, and
    train and test disjoint. Boolean masks become indices. Errors call them `name`.
    """
    checked = []
    n_kept = 0
    is_in_train = np.zeros(n_samples, dtype=bool)
    for number, split in enumerate(splits):
        try:
            train, test = split
        except (TypeError, ValueError):
            raise invalid(
                name, "an iterable of (train, test) pairs", split, TypeError
            ) from None
        set_name = f"set of split {number}"
        train = _check_indices(train, n_samples, name, f"the training {set_name}")
        test = _check_indices(test, n_samples, name, f"the test {set_name}")
        is_in_train[train] = True
        overlap = int(is_in_train[test].sum())
        is_in_train[train] = False
        if overlap:
            raise ValueError(
                f"`{name}` must give disjoint training and test sets; "
                f"got {overlap} examples in both in split {number}."
            )
        split = train, test
        n_kept += len(train)
        if n_kept > MAX_KEPT:
            split = _lean_split(train, test, n_samples)
        checked.append(split)
    if not checked:
        raise ValueError(f"`{name}` must give at least one split; got none.")
    return checked


# So many indices of training sets are kept, where speed matters more than memory.
MAX_KEPT = 2**16


class ComplementSplit:
    """A pair (train, test) of which train is the rest of the sample, in order.

    Parameters
    ----------
    test : ndarray of shape (n_test,)
        Indices of the test set, each once.
    n_samples : int
        The size of the sample.
    """

    def __init__(self, test, n_samples):
        self.test = test
        self.n_samples = n_samples

    @property
    def n_train(self):
        """Number of training examples, for which no indices are made."""
        return self.n_samples - len(self.test)

    def __getitem__(self, part):
        if part == 1:
            return self.test
        if part != 0:
            raise IndexError(part)  # ends an iteration
        in_train = np.ones(self.n_samples, dtype=bool)
        in_train[self.test] = False
        return np.flatnonzero(in_train)


def _lean_split(train, test, n_samples):
    """Return the pair such that the indices of K folds are not kept K - 1 times."""
    if _is_rest(train, test) and len(train) + len(test) == n_samples:
        return ComplementSplit(test, n_samples)
    return train, test


def _is_rest(train, test):
    """Whether disjoint sets are a sample, of which the training set is in order."""
    n_samples = len(train) + len(test)
    if not len(train) or not len(test):
        return False
    if train[-1] >= n_samples or test.max() >= n_samples:
        return False
    return bool(np.all(train[1:] > train[:-1])) and np.bincount(test).max() == 1


def train_size(split):
    """Return the number of training examples of a split."""
    if isinstance(split, ComplementSplit):
        return split.n_train
    return len(split[0])


def _check_indices(indices, n_samples, name, set_name):
    try:
        indices = np.asarray(as_numpy(name, indices))
    except ValueError:  # lists of different lengths
        indices = np.empty(0, dtype=object)[:, np.newaxis]
    if indices.dtype == bool and indices.shape == (n_samples,):
        indices = np.flatnonzero(indices)
    if indices.ndim != 1 or (indices.size and indices.dtype.kind not in "iu"):
        raise TypeError(
            f"`{name}` must give one-dimensional arrays of integers; {set_name} is an "
            f"array of {indices.dtype} of shape {indices.shape}."
        )
    if indices.size == 0:
        raise ValueError(
            f"`{name}` must give non-empty index arrays; {set_name} is empty."
        )
    if indices.min() < 0 or indices.max() >= n_samples:
        raise ValueError(
            f"`{name}` must give indices from 0 to {n_samples - 1}; {set_name} ranges "
            f"from {indices.min()} to {indices.max()}."
        )
    return indices.astype(np.intp, copy=False)


def split_digest(splits):
    """Return a hash of the actual indices of all splits.

    A training set that is the rest of the sample is not hashed but for its size. A
    split without a training set, on which nothing is fitted, tests all rows: their
    number is enough.
    """
    digest = hashlib.blake2b(digest_size=16)
    for split in splits:
        n_train = train_size(split)
        test = split[1]
        for size in (n_train, len(test)):
            digest.update(size.to_bytes(8, "little"))
        if not n_train:
            continue
        digest.update(np.ascontiguousarray(test, dtype=np.int64))
        if isinstance(split, ComplementSplit) or _is_rest(split[0], test):
            digest.update(b"rest")
        else:
            digest.update(np.ascontiguousarray(split[0], dtype=np.int64))
    return digest.hexdigest()


def recognise_design(splits, n_samples):
    """Read the design off the actual indices of checked splits.

    K-fold: the test sets partition the sample and every training set is the
    complement of its test set. Repeated K-fold: consecutive runs that are each
    a K-fold of the same K. Subsampling: train and test sets without duplicates,
    training sets of similar sizes (the largest at most 1.5 times the smallest),
    test sets not all the same. Time series: every training set comes before its
    test set. Everything else, as the same in reverse order, is "other".
    """
    n_splits = len(splits)
    if any(map(_has_duplicates, splits)):  # such as bootstrap samples
        return Design(DesignKind.OTHER, n_splits)
    if n_splits == 1:
        return Design(DesignKind.HOLDOUT, 1)
    n_folds = _folds_per_run(splits, n_samples)
    if n_folds:
        return design_of_folds(n_folds, n_splits // n_folds)
    if len({np.sort(split[1]).tobytes() for split in splits}) == 1:  # one test set
        return Design(DesignKind.OTHER, n_splits)
    return Design(_kind_of_rest(splits), n_splits)


def _has_duplicates(split):
    """Whether an example is in the training or the test set twice."""
    if isinstance(split, ComplementSplit):
        return False
    train, test = split
    has_duplicates = np.bincount(test).max() > 1
    if len(train):
        has_duplicates |= np.bincount(train).max() > 1
    return bool(has_duplicates)


def _kind_of_rest(splits):
    """Return the kind of several test sets that are no K-folds."""
    if all(train.max() < test.min() for train, test in splits):
        return DesignKind.TIME_SERIES
    if all(test.max() < train.min() for train, test in splits):
        return DesignKind.OTHER
    n_train = list(map(train_size, splits))
    if max(n_train) > 1.5 * min(n_train):
        return DesignKind.OTHER
    return DesignKind.SUBSAMPLE


def _folds_per_run(splits, n_samples):
    """Return K if the splits are one or more whole K-folds, else None."""
    if any(train_size(split) + len(split[1]) != n_samples for split in splits):
        return None
    n_folds = 0
    run_lengths = set()
    covered = np.zeros(n_samples, dtype=bool)
    n_covered = 0
    for split in splits:
        test = split[1]
        if covered[test].any():
            return None
        covered[test] = True
        n_covered += len(test)
        n_folds += 1
        if n_covered == n_samples:
            run_lengths.add(n_folds)
            n_folds = n_covered = 0
            covered[:] = False
    are_whole_runs = n_folds == 0 and len(run_lengths) == 1
    return run_lengths.pop() if are_whole_runs else None
