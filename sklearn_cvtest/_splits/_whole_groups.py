"""Folds and test sets that are made of whole groups, as equal as these allow.

Groups are rows of `counts`, an integer array of shape (n_groups, n_columns): the number
of rows of a group, and, to stratify, of those in each class.
"""

import numpy as np
from sklearn.utils.multiclass import type_of_target
from sklearn.utils.validation import column_or_1d

from .._validation import invalid

# So often at most, and so often a group, two groups are proposed to change places; so
# many changes of groups that are not alike, or one for every four groups, are enough.
MAX_PROPOSED = 10**5
PROPOSED = 50
ENOUGH = 250
# So many exchanges at most of drawn groups, each the best of so many random ones.
ROUNDS, PROPOSALS = 20, 500
# So far from the mean, relative to it, may folds get by that: no more than is needed.
SLACKS = 0.0, 0.01, 0.02, 0.05


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
    cells = np.bincount(codes * n_classes + classes, minlength=len(sizes) * n_classes)
    return np.hstack([sizes, cells.reshape(-1, n_classes)])


def _class_codes(y):
    """Return the class of each example as an integer."""
    allowed = "the classes of the examples if stratify=True"
    try:
        values = np.asarray(y)
        kind = type_of_target(values)
    except (TypeError, ValueError):
        kind = "unknown"
    if kind not in ("binary", "multiclass"):
        raise invalid("y", allowed, y, hint=f"It is of type {kind!r}.")
    return np.unique(column_or_1d(values), return_inverse=True)[1]


def deal_groups(counts, n_folds, rng=None):
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
    shuffled = np.arange(len(counts)) if rng is None else rng.permutation(len(counts))
    order = shuffled[np.argsort(-norms[shuffled], kind="stable")]
    loads = np.zeros((n_folds, counts.shape[1]), dtype=np.int64)
    folds = np.empty(len(counts), dtype=np.intp)
    for group in order:
        fold = (loads @ weights[group]).argmin()
        loads[fold] += counts[group]
        folds[group] = fold
    if rng is None:
        return folds
    for slack in SLACKS:
        n_exchanges = _exchange(counts, folds, loads, rng, slack)
        if n_exchanges >= min(len(counts) / 4, ENOUGH):
            break
    return rng.permutation(n_folds)[folds]


def _exchange(counts, folds, loads, rng, slack):
    """Exchange random pairs of groups, in place, where the folds stay as equal.

    Returns the number of exchanges of groups that are not alike.
    """
    mean, n_exchanges = loads.mean(axis=0), 0
    slack = np.maximum(slack * mean, 1)
    low = np.minimum(loads.min(axis=0), mean - slack).tolist()
    high = np.maximum(loads.max(axis=0), mean + slack).tolist()
    columns, rows = range(counts.shape[1]), loads.tolist()
    n_pairs = min(PROPOSED * len(counts), MAX_PROPOSED)
    pairs = rng.randint(len(counts), size=(n_pairs, 2))
    pairs = pairs[np.any(counts[pairs[:, 0]] != counts[pairs[:, 1]], axis=1)]
    changes = (counts[pairs[:, 0]] - counts[pairs[:, 1]]).tolist()
    for (group, other), change in zip(pairs.tolist(), changes, strict=True):
        a, b = folds[group], folds[other]
        if a == b:
            continue
        of_a, of_b = rows[a], rows[b]
        if all(
            low[c] <= of_a[c] - change[c] <= high[c]
            and low[c] <= of_b[c] + change[c] <= high[c]
            for c in columns
        ):
            rows[a] = [of_a[c] - change[c] for c in columns]
            rows[b] = [of_b[c] + change[c] for c in columns]
            folds[group], folds[other] = b, a
            n_exchanges += 1
    loads[:] = rows
    return n_exchanges


def draw_groups(counts, share, candidates, rng, n_left=0):
    """Return groups whose rows come near a share of all rows, and of each class.

    Candidates are in random order. Taken are the first of them, as many as come nearest
    to the share; then groups are exchanged for others of similar size where that brings
    the shares of all columns nearer, in the sum of their squares; then those are added
    that still fit. So all groups are taken about equally often, whatever their sizes,
    which taking whatever fits would not do. `n_left` candidates at least are left over.
    """
    totals = counts.sum(axis=0)
    row = 1 / totals[0]
    sizes, shares = counts[candidates, 0], counts[candidates] / totals
    most = len(candidates) - n_left
    distances = np.abs(np.cumsum(sizes[:most]) - share * totals[0])
    n_taken = 1 + int(distances.argmin())
    missing = share - shares[:n_taken].sum(axis=0)
    order = np.arange(len(candidates))
    if n_taken < len(candidates):
        missing = _improve(order, n_taken, missing, sizes, shares, row, rng)
    taken = order[:n_taken].tolist()
    for group in order[n_taken:].tolist():
        if missing[0] < 0.5 * row or len(taken) >= most:
            break
        nearer = shares[group] @ shares[group] < 2 * (shares[group] @ missing)
        if shares[group, 0] < missing[0] + 0.5 * row and nearer:
            missing = missing - shares[group]
            taken.append(group)
    return candidates[taken]


def _improve(order, n_taken, missing, sizes, shares, row, rng):
    """Exchange some of the first `n_taken`, in place; return what is then missing.

    Only groups of which one is at most twice the other: else a group that is larger
    than the share would never be taken.
    """
    near = shares.shape[1] * (1.01 * row) ** 2
    for _ in range(ROUNDS):
        inside = rng.randint(n_taken, size=PROPOSALS)
        outside = rng.randint(n_taken, len(order), size=PROPOSALS)
        ratios = sizes[order[inside]] / sizes[order[outside]]
        changes = shares[order[outside]] - shares[order[inside]]
        distances = np.sum((missing - changes) ** 2, axis=1)
        distances[(ratios > 2) | (ratios < 0.5)] = np.inf
        # A row more or less does not count, so that not all draws end in a few sets.
        best = np.argmax(distances <= max(distances.min(), near))
        if missing @ missing <= near or distances[best] >= missing @ missing:
            break
        missing = missing - changes[best]
        group, other = inside[best], outside[best]
        order[group], order[other] = order[other], order[group]
    return missing
