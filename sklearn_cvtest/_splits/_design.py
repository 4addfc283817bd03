"""Which cross-validation design a list of (train, test) index pairs is."""

import hashlib
import re
from dataclasses import asdict, dataclass

import numpy as np

from .._validation import check_integer, check_option, invalid, invalid_words

__all__ = ["Design", "as_design", "check_splits", "recognise_design", "split_digest"]

KINDS = (
    "k-fold",
    "repeated k-fold",
    "subsample",
    "5x2",
    "paired halves",
    "holdout",
    "other",
)


@dataclass(frozen=True)
class Design:
    """How the splits of a cross-validation relate to each other.

    Attributes
    ----------
    kind : {"k-fold", "repeated k-fold", "subsample", "5x2", "paired halves", \
            "holdout", "other"}
        The design of the splits.
    n_splits : int or None
        Splits in one run of the procedure: K for (repeated) K-fold, J for
        subsampling; for paired halves, those of the run on the whole sample.
        None where it is not known.
    n_repeats : int
        Runs of a K-fold: R for repeated K-fold, 5 for 5x2, otherwise 1.
    base : {"k-fold", "subsample"} or None
        For paired halves, the design of each run.
    n_halvings : int
        For paired halves, the number M of pairs of disjoint halves.
    """

    kind: str
    n_splits: int | None = None
    n_repeats: int = 1
    base: str | None = None
    n_halvings: int = 0

    def __post_init__(self):
        check_option("kind", self.kind, KINDS)
        for name in ("n_splits", "n_repeats", "n_halvings"):
            value = getattr(self, name)
            if value is not None or name != "n_splits":
                # not numpy's integers, which JSON does not know
                object.__setattr__(self, name, check_integer(name, value, 0))
        if self.kind == "paired halves":
            check_option("base", self.base, ("k-fold", "subsample"))
            check_integer("n_splits", self.n_splits, 1)
            check_integer("n_halvings", self.n_halvings, 1)

    @property
    def n_total(self):
        """Number of splits in all runs, int; None where it is not known."""
        if self.n_splits is None:
            return None
        return self.n_splits * self.n_repeats * (1 + 2 * self.n_halvings)

    @property
    def full(self):
        """The splits of the whole sample, slice: all, but for paired halves."""
        return slice(self.n_splits if self.kind == "paired halves" else None)

    @property
    def base_kind(self):
        """The kind of a single run: `base` for paired halves, else `kind`."""
        return self.base or self.kind

    def runs(self):
        """Return the runs of a cross-validation on the whole sample and on halves.

        Returns
        -------
        runs : list of (slice, Design, bool)
            The splits of each run, its design, and whether it is that of a half: first
            the run on the whole sample and then, for paired halves, both of every pair.
        """
        if self.kind != "paired halves":
            return [(slice(None), self, False)]
        design = Design(self.base, self.n_splits)
        starts = range(0, self.n_total, self.n_splits)
        return [(slice(i, i + self.n_splits), design, i > 0) for i in starts]

    def __str__(self):
        k = "K" if self.n_splits is None else self.n_splits
        if self.kind == "k-fold":
            return f"{k}-fold cross-validation"
        if self.kind == "repeated k-fold":
            return f"{self.n_repeats} x {k}-fold cross-validation"
        if self.kind == "subsample":
            return f"{k} subsamples"
        if self.kind == "5x2":
            return "5x2 cross-validation"
        if self.kind == "paired halves":
            run = str(Design(self.base, self.n_splits))
            return f"{run} with {self.n_halvings} pairs of halves"
        if self.kind == "holdout":
            return "one train-test split"
        return f"{k} splits of no recognised design"

    def to_dict(self):
        """Return the fields as JSON types.

        Returns
        -------
        fields : dict
            By name.
        """
        return asdict(self)


def as_design(design, n_splits, parameter="design"):
    """Return a Design from a Design or the name of a kind."""
    if isinstance(design, Design):
        if design.n_total not in (None, n_splits):
            raise invalid_words(parameter, f"one of {n_splits} splits", str(design))
        return design
    allowed = "one of " + ", ".join(map(repr, KINDS))
    if not isinstance(design, str):
        raise invalid(parameter, allowed, design, TypeError)
    name = re.sub(r"[\s_-]+", " ", design.strip().lower().replace("×", "x"))
    names = {kind.replace("-", " "): kind for kind in KINDS}
    names.update({"kfold": "k-fold", "repeated kfold": "repeated k-fold"})
    if name not in names:
        raise invalid(parameter, allowed, design)
    kind = names[name]
    if kind == "paired halves":
        hint = "Take the design of a PairedHalves, from its get_design()."
        raise invalid(parameter, "a Design for paired halves", design, hint=hint)
    if kind == "5x2":
        if n_splits != 10:
            raise invalid_words(parameter, f"one of {n_splits} splits", "'5x2', of 10")
        return Design(kind, 2, 5)
    if kind == "repeated k-fold":
        return Design(kind, None)
    return Design(kind, n_splits)


def check_splits(splits, n_samples):
    """Return the splits as a list of checked pairs (train, test) of index arrays.

    Every index array must be non-empty, one-dimensional, within range, and
    train and test disjoint. Boolean masks become indices.
    """
    checked, n_kept = [], 0
    seen = np.zeros(n_samples, dtype=bool)
    for number, split in enumerate(splits):
        try:
            train, test = split
        except (TypeError, ValueError):
            raise invalid(
                "cv", "an iterable of (train, test) pairs", split, TypeError
            ) from None
        train = _check_indices(train, n_samples, f"the training set of split {number}")
        test = _check_indices(test, n_samples, f"the test set of split {number}")
        seen[train] = True
        overlap = int(seen[test].sum())
        seen[train] = False
        if overlap:
            raise ValueError(
                "`cv` must give disjoint training and test sets; "
                f"got {overlap} examples in both in split {number}."
            )
        split = train, test
        n_kept += len(train)
        if n_kept > MAX_KEPT:
            split = _lean_split(train, test, n_samples)
        checked.append(split)
    if not checked:
        raise ValueError("`cv` must give at least one split; got none.")
    return checked


# So many indices of training sets are kept, where speed matters more than memory.
MAX_KEPT = 2**16


class _Complement:
    """A pair (train, test) of which train is the rest of the sample, in order."""

    def __init__(self, test, n_samples):
        self.test = test
        self.n_samples = n_samples

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
    if len(train) + len(test) == n_samples:
        split = _Complement(test, n_samples)
        if np.array_equal(split[0], train):
            return split
    return train, test


def _check_indices(indices, n_samples, what):
    try:
        indices = np.asarray(indices)
    except ValueError:  # lists of different lengths
        indices = np.empty(0, dtype=object)[:, np.newaxis]
    if indices.dtype == bool and indices.shape == (n_samples,):
        indices = np.flatnonzero(indices)
    if indices.ndim != 1 or (indices.size and indices.dtype.kind not in "iu"):
        raise TypeError(
            f"`cv` must give one-dimensional arrays of integers; {what} is an array "
            f"of {indices.dtype} of shape {indices.shape}."
        )
    if indices.size == 0:
        raise ValueError(f"`cv` must give non-empty index arrays; {what} is empty.")
    if indices.min() < 0 or indices.max() >= n_samples:
        raise ValueError(
            f"`cv` must give indices from 0 to {n_samples - 1}; {what} ranges from "
            f"{indices.min()} to {indices.max()}."
        )
    return indices.astype(np.intp, copy=False)


def split_digest(splits):
    """Return a hash of the actual indices of all splits."""
    digest = hashlib.blake2b(digest_size=16)
    for split in splits:
        for part in split:
            digest.update(len(part).to_bytes(8, "little"))
            digest.update(np.ascontiguousarray(part, dtype=np.int64))
    return digest.hexdigest()


def recognise_design(splits, n_samples):
    """Read the design off the actual indices of checked splits.

    K-fold: the test sets partition the sample and every training set is the
    complement of its test set. Repeated K-fold: consecutive runs that are each
    a K-fold of the same K. Subsampling: train and test sets without duplicates,
    training sets of similar sizes (the largest at most 1.5 times the smallest),
    test sets not all the same and not always after the training set (as in a
    time series). Everything else is "other".
    """
    n_splits = len(splits)
    if _has_duplicates(splits, n_samples):
        return Design("other", n_splits)
    if n_splits == 1:
        return Design("holdout", 1)
    n_folds = _folds_per_run(splits, n_samples)
    if n_folds == n_splits:
        return Design("k-fold", n_splits)
    if n_folds == 2 and n_splits == 10:
        return Design("5x2", 2, 5)
    if n_folds:
        return Design("repeated k-fold", n_folds, n_splits // n_folds)
    n_train = [len(train) for train, _ in splits]
    ordered = all(train.max() < test.min() for train, test in splits) or all(
        test.max() < train.min() for train, test in splits
    )
    one_test_set = len({np.sort(test).tobytes() for _, test in splits}) == 1
    if ordered or one_test_set or max(n_train) > 1.5 * min(n_train):
        return Design("other", n_splits)
    return Design("subsample", n_splits)


def _has_duplicates(splits, n_samples):
    """Whether an index array holds an example twice (a bootstrap, say)."""
    return any(
        np.bincount(part, minlength=n_samples).max() > 1
        for split in splits
        for part in split
    )


def _folds_per_run(splits, n_samples):
    """Return K if the splits are one or more whole K-folds, else None."""
    if any(len(train) + len(test) != n_samples for train, test in splits):
        return None
    n_folds, run_lengths = 0, set()
    covered = np.zeros(n_samples, dtype=bool)
    n_covered = 0
    for _, test in splits:
        if covered[test].any():
            return None
        covered[test] = True
        n_covered += len(test)
        n_folds += 1
        if n_covered == n_samples:
            run_lengths.add(n_folds)
            n_folds = n_covered = 0
            covered[:] = False
    whole = n_folds == 0 and len(run_lengths) == 1
    return run_lengths.pop() if whole else None
