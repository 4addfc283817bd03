"""How the splits of a cross-validation relate to each other, and their sizes."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from enum import StrEnum

import numpy as np

from .._typing import Any
from .._validation import as_array, check_integer, check_option, invalid, invalid_words


class DesignKind(StrEnum):
    """How splits relate to each other; a member is the string that users write.

    Attributes
    ----------
    words : str
        What splits of the kind are called, with places for their numbers.
    needed : str
        What a test needs that is valid for the kind.
    """

    K_FOLD = "k-fold", "{k}-fold cross-validation", "K-fold cross-validation"
    REPEATED_K_FOLD = (
        "repeated k-fold",
        "{r} x {k}-fold cross-validation",
        "repeated K-fold cross-validation",
    )
    SUBSAMPLE = "subsample", "{k} subsamples", "random subsamples"
    FIVE_BY_TWO = "5x2", "5x2 cross-validation", "5x2 cross-validation"
    PAIRED_HALVES = "paired halves", "{run} with {m} pairs of halves", "paired halves"
    HOLDOUT = "holdout", "one train-test split", "one train-test split"
    TIME_SERIES = "time series", "{k} splits in time order", "splits in time order"
    CROSSED = "crossed", "{k} runs on one test set", "runs on one test set"
    OTHER = "other", "{k} splits of no recognised design", "splits"

    def __new__(cls, value, words, needed):
        member = str.__new__(cls, value)
        member._value_ = value
        member.words = words
        member.needed = needed
        return member

    def __repr__(self):
        return repr(self.value)  # as users write it, in messages and in a Design

    @property
    def is_k_fold(self):
        """Whether it is a K-fold, repeated or not; 5x2 is a kind of its own."""
        return self in (DesignKind.K_FOLD, DesignKind.REPEATED_K_FOLD)

    @property
    def is_made_of_folds(self):
        """Whether it is runs of a K-fold, each of which tests every example once."""
        return self.is_k_fold or self == DesignKind.FIVE_BY_TWO

    @property
    def has_exchangeable_splits(self):
        """Whether its splits are alike: runs of a K-fold, or random subsamples."""
        return self.is_made_of_folds or self == DesignKind.SUBSAMPLE

    @property
    def has_several_runs(self):
        """Whether it is several runs, or draws, each of which could be another."""
        return self.has_exchangeable_splits and self != DesignKind.K_FOLD

    @property
    def has_one_test_set(self):
        """Whether all splits test the same examples."""
        return self in (DesignKind.HOLDOUT, DesignKind.CROSSED)


KINDS = tuple(design_kind.value for design_kind in DesignKind)
BASES = DesignKind.K_FOLD, DesignKind.SUBSAMPLE  # what is run on halves


def designs_needed(kinds):
    """Return the kinds of designs that a test is valid for, in words."""
    *others, last = (DesignKind(name).needed for name in kinds)
    return f"{', '.join(others)} or {last}" if others else last


@dataclass(frozen=True)
class Design:
    """How the splits of a cross-validation relate to each other.

    Attributes
    ----------
    kind : {"k-fold", "repeated k-fold", "subsample", "5x2", "paired halves", \
            "holdout", "time series", "crossed", "other"}
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

    kind: DesignKind | str
    n_splits: int | None = None
    n_repeats: int = 1
    base: DesignKind | str | None = None
    n_halvings: int = 0

    def __post_init__(self):
        check_option("kind", self.kind, KINDS)
        object.__setattr__(self, "kind", DesignKind(self.kind))
        if self.base is not None or self.kind == DesignKind.PAIRED_HALVES:
            check_option("base", self.base, BASES)
            object.__setattr__(self, "base", DesignKind(self.base))
        for name in ("n_splits", "n_repeats", "n_halvings"):
            value = getattr(self, name)
            if value is not None or name != "n_splits":
                # JSON cannot store numpy's integers
                object.__setattr__(self, name, check_integer(name, value, 0))
        if self.kind == DesignKind.PAIRED_HALVES:
            check_integer("n_splits", self.n_splits, 1)
            check_integer("n_halvings", self.n_halvings, 1)

    @property
    def n_total(self) -> int | None:
        """Number of splits in all runs, int; None where it is not known."""
        if self.n_splits is None:
            return None
        return self.n_splits * self.n_repeats * (1 + 2 * self.n_halvings)

    @property
    def full(self):
        """The splits of the whole sample that are not inside of others, an index.

        All, but for paired halves.
        """
        return slice(self.n_splits if self.kind == DesignKind.PAIRED_HALVES else None)

    @property
    def outer(self):
        """The design of the splits in `full`."""
        return Design(self.base, self.n_splits) if self.base else self

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
        if self.kind != DesignKind.PAIRED_HALVES:
            return [(slice(None), self, False)]
        design = Design(self.base, self.n_splits)
        starts = range(0, self.n_total, self.n_splits)
        return [(slice(i, i + self.n_splits), design, i > 0) for i in starts]

    def __str__(self):
        k = "K" if self.n_splits is None else self.n_splits
        run = self.outer if self.base else None
        return self.kind.words.format(k=k, r=self.n_repeats, m=self.n_halvings, run=run)

    def to_dict(self) -> dict[str, Any]:
        """Return the fields as JSON types.

        Returns
        -------
        fields : dict
            By name.
        """
        fields = asdict(self)
        fields["kind"] = str(self.kind)
        fields["base"] = str(self.base) if self.base else self.base
        return fields


def design_of_folds(n_folds, n_repeats=1):
    """Return the design of runs of a K-fold, which may be 5x2."""
    if (n_folds, n_repeats) == (2, 5):
        return Design(DesignKind.FIVE_BY_TWO, 2, 5)
    return runs_of_k_fold(n_folds, n_repeats)


def runs_of_k_fold(n_folds, n_runs):
    """Return the design of a K-fold, repeated if there are several runs."""
    if n_runs == 1:
        return Design(DesignKind.K_FOLD, n_folds)
    return Design(DesignKind.REPEATED_K_FOLD, n_folds, n_runs)


def random_subsamples(n_splits):
    """Return the design of random splits, of one split a holdout."""
    if n_splits == 1:
        return Design(DesignKind.HOLDOUT, 1)
    return Design(DesignKind.SUBSAMPLE, n_splits)


def runs_on_one_test_set(n_runs):
    """Return the design of models run so often on the same examples."""
    if n_runs == 1:
        return Design(DesignKind.HOLDOUT, 1)
    return Design(DesignKind.CROSSED, n_runs)


def as_design(design, n_splits, parameter="design"):
    """Return a Design from a Design or the name of a kind."""
    if isinstance(design, Design):
        if design.n_total not in (None, n_splits):
            raise invalid_words(parameter, f"one of {n_splits} splits", str(design))
        return design
    design_kind = DesignKind(check_option(parameter, design, KINDS))
    if design_kind == DesignKind.PAIRED_HALVES:
        hint = "Pass the Design that the splitter's get_design() returns."
        raise invalid(parameter, f"a Design for {design_kind}", design, hint=hint)
    if design_kind == DesignKind.FIVE_BY_TWO:
        if n_splits != 10:
            raise invalid_words(parameter, f"one of {n_splits} splits", "'5x2', of 10")
        return design_of_folds(2, 5)
    if design_kind == DesignKind.REPEATED_K_FOLD:  # of how many folds is not known
        return Design(design_kind, None)
    return Design(design_kind, n_splits)


def known_sizes(design, n_splits, n_train, n_test):
    """Complete the sizes of splits with those that follow from the design."""
    n_test = as_sizes("n_test", n_test, n_splits)
    n_train = as_sizes("n_train", n_train, n_splits)
    n_samples = None
    tests_of_a_run = {DesignKind.K_FOLD: n_splits, DesignKind.FIVE_BY_TWO: 2}
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
