"""Rows of X, y and groups, which go together, and groups of them as integers."""

import operator

import numpy as np
from sklearn.base import BaseEstimator
from sklearn.utils import indexable
from sklearn.utils.multiclass import type_of_target
from sklearn.utils.validation import column_or_1d

from .._compat import n_rows
from .._validation import (
    as_array,
    as_data,
    as_numpy,
    find_missing,
    invalid,
    invalid_words,
    warn,
)
from ..exceptions import FewExamplesWarning

MIN_GROUPS = 10  # of fewer, a variance between groups is hardly known


def encode_groups(groups, name="groups", shape=None):
    """Return the group of each example as an integer, and the label of each group.

    Parameters
    ----------
    groups : array-like of shape (n_samples,)
        A label for each example, of any type that can be compared or hashed.
    name : str, default="groups"
        What errors call it.
    shape : tuple of int, default=None
        The shape that labels must have, of more dimensions, too; None allows any number
        of examples.

    Returns
    -------
    codes : ndarray of shape (n_samples,)
        Integers from 0 to the number of groups, less one.
    labels : ndarray of shape (n_groups,)
        In order, where they have one; else as they come.
    """
    allowed = "one label for each example"
    if shape is not None:
        allowed = f"{allowed}, of shape {shape}"
    values = as_array(name, groups, allowed)
    if values.ndim == 0:
        raise invalid(name, allowed, groups, TypeError)
    is_column = values.ndim == 2 and values.shape[1] == 1
    if is_column and (shape is None or len(shape) == 1):
        values = values[:, 0]
    if values.shape != (shape or values.shape[:1]):
        raise invalid_words(name, allowed, f"an array of shape {values.shape}")
    values = values.ravel()
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


def has_repeated_groups(codes):
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
    return (
        f"Group {label!r} is both in the training and in the test set of split {split} "
        f"of {design}: the model can then score well by memorising the group. Use a "
        "splitter that keeps groups whole when it is given `groups`, such as "
        "BlockKFold, RepeatedSubsample or FiveByTwo."
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
    if not has_repeated_groups(codes):
        return None
    warn_of_few_groups(codes)
    return codes


def check_lengths(X, y, groups):
    """Return X, y and groups in a form that can be indexed by rows."""
    if X is None:
        raise invalid("X", "the data", X, TypeError)
    X = as_data("X", X)
    y = as_data("y", y)
    groups = as_numpy("groups", groups)
    n_samples = _count_rows("X", X, "an array or a table with rows")
    for name, values in (("y", y), ("groups", groups)):
        allowed = f"an array of {n_samples} rows"
        if values is not None and _count_rows(name, values, allowed) != n_samples:
            hint = "Is X transposed?" if n_samples <= 2 else ""
            lengths = f"{n_rows(values)} rows, and {n_samples} of X"
            raise invalid_words(name, allowed, lengths, hint=hint)
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


# Folds and test sets of whole groups --------------------------------------------


def count_rows(codes, y=None):
    """Return the number of rows of each group and, if y is given, of each class.

    Returns
    -------
    counts : ndarray of shape (n_groups, 1 or 1 + n_classes)
        The total first.
    """
    sizes = np.bincount(codes)[:, np.newaxis]
    if y is None:
        return sizes
    classes = _class_codes(y)
    n_classes = classes.max() + 1
    cells = codes * n_classes + classes
    counts = np.bincount(cells, minlength=len(sizes) * n_classes)
    return np.hstack([sizes, counts.reshape(-1, n_classes)])


def _class_codes(y):
    """Return the class of each example as an integer."""
    allowed = "the classes of the examples if stratify=True"
    try:
        values = np.asarray(y)
        target_type = type_of_target(values)
    except (TypeError, ValueError):
        target_type = "unknown"
    if target_type not in ("binary", "multiclass"):
        raise invalid("y", allowed, y, hint=f"It is of type {target_type!r}.")
    _, classes = np.unique(column_or_1d(values), return_inverse=True)
    return classes


def assign_groups_to_folds(counts, n_folds, rng=None):
    """Return the fold of each group, such that folds are as equal as groups allow.

    Groups are dealt from the largest to the smallest, each to the fold that is then
    the smallest. With classes, largest and smallest are by the sum of squared shares
    of the total and of each class, so that a group goes where the sum of the variances
    of all shares grows least. With a random generator, ties are broken at random; then
    pairs of groups change places at random, as long as no count of a fold leaves the
    range that the counts of the folds had, or one row from their mean (up to 5%, where
    that allows few exchanges). Otherwise groups whose sizes all differ would make the
    same folds at every repeat.
    """
    weights = counts / np.square(counts.sum(axis=0), dtype=np.float64)
    norms = np.sum(weights * counts, axis=1)
    order = np.arange(len(counts))
    if rng is not None:
        order = rng.permutation(len(counts))
    order = order[np.argsort(-norms[order], kind="stable")]
    loads = np.zeros((n_folds, counts.shape[1]), dtype=np.int64)
    folds = np.empty(len(counts), dtype=np.intp)
    for group in order:
        fold = (loads @ weights[group]).argmin()
        loads[fold] += counts[group]
        folds[group] = fold
    if rng is None:
        return folds
    # how far from the mean, relative to it, folds may get: no more than is needed for
    # 250 exchanges, or one for every four groups
    for slack in (0.0, 0.01, 0.02, 0.05):
        n_exchanges = _exchange(counts, folds, loads, rng, slack)
        if n_exchanges >= min(len(counts) / 4, 250):
            break
    new_order = rng.permutation(n_folds)
    return new_order[folds]


def _exchange(counts, folds, loads, rng, slack):
    """Exchange random pairs of groups, in place, where the folds stay as equal.

    Returns the number of exchanges of groups that are not alike.
    """
    mean = loads.mean(axis=0)
    slack = np.maximum(slack * mean, 1)
    low = np.minimum(loads.min(axis=0), mean - slack).tolist()
    high = np.maximum(loads.max(axis=0), mean + slack).tolist()
    # a group is proposed 50 times to change places with another, on average
    n_pairs = min(50 * len(counts), 10**5)
    pairs = rng.randint(len(counts), size=(n_pairs, 2))
    changes = counts[pairs[:, 0]] - counts[pairs[:, 1]]
    is_change = np.any(changes != 0, axis=1)
    pairs = pairs[is_change].tolist()
    changes = changes[is_change].tolist()
    rows = loads.tolist()  # lists of Python's numbers, which are faster one by one
    n_exchanges = 0
    for (group, other), change in zip(pairs, changes, strict=True):
        fold = folds[group]
        other_fold = folds[other]
        if fold == other_fold:
            continue
        row = list(map(operator.sub, rows[fold], change))
        other_row = list(map(operator.add, rows[other_fold], change))
        if _is_within(low, row, high) and _is_within(low, other_row, high):
            rows[fold] = row
            rows[other_fold] = other_row
            folds[group] = other_fold
            folds[other] = fold
            n_exchanges += 1
    loads[:] = rows
    return n_exchanges


def _is_within(low, row, high):
    """Whether all counts of a fold are in their ranges."""
    return all(map(operator.le, low, row)) and all(map(operator.le, row, high))


def sample_groups(counts, share, candidates, rng, n_left=0):
    """Return groups whose rows come near a share of all rows, and of each class.

    Candidates are in random order. Taken are the first of them, as many as come nearest
    to the share; then groups are exchanged for others of similar size where that brings
    the shares of all columns nearer, in the sum of their squares; then those are added
    that still fit. So all groups are taken about equally often, whatever their sizes,
    which taking whatever fits would not do. `n_left` candidates at least are left over.
    """
    totals = counts.sum(axis=0)
    row = 1 / totals[0]
    sizes = counts[candidates, 0]
    shares = counts[candidates] / totals
    most = len(candidates) - n_left
    distances = np.abs(np.cumsum(sizes[:most]) - share * totals[0])
    n_taken = 1 + int(distances.argmin())
    missing = share - shares[:n_taken].sum(axis=0)
    order = np.arange(len(candidates))
    if n_taken < len(candidates):
        missing = _improve(order, n_taken, missing, sizes, shares, row, rng)
    chosen = order[:n_taken].tolist()
    for group in order[n_taken:].tolist():
        if missing[0] < 0.5 * row or len(chosen) >= most:
            break
        nearer = shares[group] @ shares[group] < 2 * (shares[group] @ missing)
        if shares[group, 0] < missing[0] + 0.5 * row and nearer:
            missing = missing - shares[group]
            chosen.append(group)
    return candidates[chosen]


def _improve(order, n_taken, missing, sizes, shares, row, rng):
    """Exchange some of the first `n_taken`, in place; return what is then missing.

    Only groups of which one is at most twice the other: else a group that is larger
    than the share would never be taken.
    """
    tolerance = shares.shape[1] * (1.01 * row) ** 2
    # at most 20 exchanges, each the best of 500 random ones
    for _ in range(20):
        inside = rng.randint(n_taken, size=500)
        outside = rng.randint(n_taken, len(order), size=500)
        ratios = sizes[order[inside]] / sizes[order[outside]]
        changes = shares[order[outside]] - shares[order[inside]]
        distances = np.sum((missing - changes) ** 2, axis=1)
        distances[(ratios > 2) | (ratios < 0.5)] = np.inf
        # A row more or less does not count, so that not all draws end in a few sets.
        best = np.argmax(distances <= max(distances.min(), tolerance))
        if missing @ missing <= tolerance or distances[best] >= missing @ missing:
            break
        missing = missing - changes[best]
        group = inside[best]
        other = outside[best]
        order[group], order[other] = order[other], order[group]
    return missing
