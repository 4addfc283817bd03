"""How the splits of a cross-validation relate to each other, and their sizes."""

from __future__ import annotations

from dataclasses import asdict, dataclass

import numpy as np

from .._typing import Any
from .._validation import as_array, check_integer, check_option, invalid, invalid_words

# What splits of a kind are called.
WORDS = {
    "k-fold": "{k}-fold cross-validation",
    "repeated k-fold": "{r} x {k}-fold cross-validation",
    "subsample": "{k} subsamples",
    "5x2": "5x2 cross-validation",
    "paired halves": "{run} with {m} pairs of halves",
    "holdout": "one train-test split",
    "time series": "{k} splits in time order",
    "nested k-fold": "{r} x nested {k}-fold cross-validation",
    "crossed": "{k} runs on one test set",
    "other": "{k} splits of no recognised design",
}
KINDS = tuple(WORDS)
# What a test needs that is valid for a kind.
NEEDED = {
    "k-fold": "K-fold cross-validation",
    "repeated k-fold": "repeated K-fold cross-validation",
    "subsample": "random subsamples",
    "5x2": "5x2 cross-validation",
    "paired halves": "paired halves",
    "holdout": "one train-test split",
    "time series": "splits in time order",
    "nested k-fold": "nested K-fold cross-validation",
    "crossed": "runs on one test set",
    "other": "splits",
}


def designs_needed(kinds):
    """Return the kinds of designs that a test is valid for, in words."""
    *others, last = (NEEDED[category] for category in kinds)
    return f"{', '.join(others)} or {last}" if others else last


@dataclass(frozen=True)
class Design:
    """How the splits of a cross-validation relate to each other.

    Attributes
    ----------
    kind : {"k-fold", "repeated k-fold", "subsample", "5x2", "paired halves", \
            "holdout", "time series", "nested k-fold", "crossed", "other"}
        The design of the splits. In a "time series", training sets always come before
        their test sets; in a "crossed" design, every run of the models is tested on the
        same examples.
    n_splits : int or None
        Splits in one run of the procedure: K for (repeated) K-fold, J for subsampling,
        or the runs of a crossed design;
        for paired halves, the folds of the run on the whole sample. None if it is not
        known.
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
                # JSON cannot store numpy's integers
                object.__setattr__(self, name, check_integer(name, value, 0))
        if self.kind == "paired halves":
            check_option("base", self.base, ("k-fold", "subsample"))
            check_integer("n_splits", self.n_splits, 1)
            check_integer("n_halvings", self.n_halvings, 1)

    @property
    def n_total(self) -> int | None:
        """Number of splits in all runs, int; None where it is not known."""
        if self.n_splits is None:
            return None
        if self.kind == "nested k-fold":  # K folds, and K (K - 1)/2 pairs of them
            return self.n_repeats * self.n_splits * (self.n_splits + 1) // 2
        return self.n_splits * self.n_repeats * (1 + 2 * self.n_halvings)

    @property
    def full(self):
        """The splits of the whole sample that are not inside of others, an index.

        All, but for paired halves and the pairs of folds of a nested K-fold.
        """
        if self.kind == "nested k-fold":
            of_run = np.arange(self.n_total) % (self.n_total // self.n_repeats)
            return np.flatnonzero(of_run < self.n_splits)
        return slice(self.n_splits if self.kind == "paired halves" else None)

    @property
    def outer(self):
        """The design of the splits in `full`."""
        if self.kind == "nested k-fold":
            return design_of_folds(self.n_splits, self.n_repeats)
        return Design(self.base, self.n_splits) if self.base else self

    @property
    def is_of_all(self):
        """Whether what is estimated is the loss of a model trained on all examples."""
        return self.kind == "nested k-fold"

    @property
    def base_kind(self) -> str:
        """The kind of a single run: `base` for paired halves, else `kind`."""
        return self.base or self.kind

    def runs(self) -> list[tuple[slice, Design, bool]]:
        """Return the runs of a cross-validation on the whole sample and on halves.

        Returns
        -------
        runs : list of (slice, Design, bool)
            The splits of each run, its design, and whether it is the run of a half:
            first the run on the whole sample and then, for paired halves, both of every
            pair.
        """
        if self.kind != "paired halves":
            return [(slice(None), self, False)]
        design = Design(self.base, self.n_splits)
        starts = range(0, self.n_total, self.n_splits)
        return [(slice(i, i + self.n_splits), design, i > 0) for i in starts]

    def first(self, n_splits: int) -> Design:
        """Return the design of the first splits, which must be whole runs.

        Parameters
        ----------
        n_splits : int
            Their number; of a K-fold, a multiple of K.

        Returns
        -------
        design : Design
            The design, of the same kind or one K-fold.

        Raises
        ------
        TypeError, ValueError
            If `n_splits` is not as described.
        """
        n_splits = check_integer("n_splits", n_splits, 1)
        if self.kind == "subsample":
            return Design("subsample", n_splits)
        n_runs, n_left = divmod(n_splits, self.n_splits)
        if n_left or not n_runs:
            raise invalid("n_splits", f"a multiple of {self.n_splits}", n_splits)
        category = "k-fold" if n_runs == 1 else "repeated k-fold"
        return Design(category, self.n_splits, n_runs)

    def __str__(self):
        k = "K" if self.n_splits is None else self.n_splits
        run = self.outer if self.base else None
        words = WORDS[self.kind]
        return words.format(k=k, r=self.n_repeats, m=self.n_halvings, run=run)

    def to_dict(self) -> dict[str, Any]:
        """Return the fields as JSON types.

        Returns
        -------
        fields : dict
            By name.
        """
        return asdict(self)


def design_of_folds(n_folds, n_repeats=1):
    """Return the design of runs of a K-fold."""
    if n_repeats == 1:
        return Design("k-fold", n_folds)
    if (n_folds, n_repeats) == (2, 5):
        return Design("5x2", 2, 5)
    return Design("repeated k-fold", n_folds, n_repeats)


def as_design(design, n_splits, parameter="design"):
    """Return a Design from a Design or the name of a kind."""
    if isinstance(design, Design):
        if design.n_total not in (None, n_splits):
            raise invalid_words(parameter, f"one of {n_splits} splits", str(design))
        return design
    category = check_option(parameter, design, KINDS)
    if category in ("paired halves", "nested k-fold"):
        hint = "Pass the Design that the splitter's get_design() returns."
        raise invalid(parameter, f"a Design for {category}", design, hint=hint)
    if category == "5x2":
        if n_splits != 10:
            raise invalid_words(parameter, f"one of {n_splits} splits", "'5x2', of 10")
        return design_of_folds(2, 5)
    return Design(category, None if category == "repeated k-fold" else n_splits)


def known_sizes(design, n_splits, n_train, n_test):
    """Complete the sizes of splits with those that follow from the design."""
    n_test = as_sizes("n_test", n_test, n_splits)
    n_train = as_sizes("n_train", n_train, n_splits)
    n_samples, tests_of_a_run = None, {"k-fold": n_splits, "5x2": 2}
    if n_test is not None and design.kind in tests_of_a_run:
        n_samples = int(n_test[: tests_of_a_run[design.kind]].sum())
        n_train = n_samples - n_test if n_train is None else n_train
    elif n_test is not None and n_train is not None:
        n_samples = int((n_train + n_test).max())
    return {"n_train": n_train, "n_test": n_test, "n_samples": n_samples}


def as_sizes(name, sizes, n_splits):
    if sizes is None:
        return None
    allowed = f"a positive integer, or one for each of the {n_splits} splits"
    array = as_array(name, sizes, allowed)
    if array.dtype.kind not in "iu" or array.shape not in ((), (n_splits,)):
        raise invalid(name, allowed, sizes, TypeError)
    if array.min() < 1:
        raise invalid(name, allowed, sizes)
    return np.broadcast_to(array, (n_splits,)).astype(np.int64)
