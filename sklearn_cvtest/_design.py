"""How the splits of a cross-validation relate to each other."""

from dataclasses import dataclass

import numpy as np

from ._validation import check_integer, check_option, invalid

K_FOLD = "k-fold"
REPEATED_K_FOLD = "repeated k-fold"
SUBSAMPLE = "subsample"
FIVE_BY_TWO = "5x2"
PAIRED_HALVES = "paired halves"
HOLDOUT = "holdout"
TIME_SERIES = "time series"  # training sets come before their test sets
CROSSED = "crossed"  # several runs of the models on the same examples
OTHER = "other"
KINDS = (
    K_FOLD,
    REPEATED_K_FOLD,
    SUBSAMPLE,
    FIVE_BY_TWO,
    PAIRED_HALVES,
    HOLDOUT,
    TIME_SERIES,
    CROSSED,
    OTHER,
)


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

    kind: str
    n_splits: int | None = None
    n_repeats: int = 1
    base: str | None = None
    n_halvings: int = 0

    def __post_init__(self):
        check_option("kind", self.kind, KINDS)
        if self.kind == PAIRED_HALVES:
            check_option("base", self.base, (K_FOLD, SUBSAMPLE))
            check_integer("n_splits", self.n_splits, 1)
            check_integer("n_halvings", self.n_halvings, 1)

    @property
    def n_total(self):
        """The number of splits of all runs."""
        return self.n_splits * self.n_repeats * (1 + 2 * self.n_halvings)

    @property
    def n_of_whole(self):
        """How many splits, the first ones, are of the whole sample; None: all."""
        return self.n_splits if self.kind == PAIRED_HALVES else None

    @property
    def is_k_fold(self):
        """Whether it is a K-fold, repeated or not."""
        return self.kind in (K_FOLD, REPEATED_K_FOLD)

    @property
    def has_several_runs(self):
        """Whether another seed could have given other splits of the same kind."""
        if self.kind == SUBSAMPLE:
            return self.n_splits > 1
        is_repeated = self.kind in (REPEATED_K_FOLD, FIVE_BY_TWO)
        return is_repeated and self.n_splits is not None

    def __str__(self):
        if self.kind == K_FOLD:
            return f"{self.n_splits}-fold cross-validation"
        if self.kind == REPEATED_K_FOLD and self.n_splits is None:
            return "repeated K-fold cross-validation"
        if self.kind == REPEATED_K_FOLD and self.n_repeats == 2:
            return f"{self.n_splits}-fold cross-validation repeated twice"
        if self.kind == REPEATED_K_FOLD:
            times = f"repeated {self.n_repeats} times"
            return f"{self.n_splits}-fold cross-validation {times}"
        if self.kind == FIVE_BY_TWO:
            return "5x2 cross-validation"
        if self.kind == SUBSAMPLE:
            return f"{self.n_splits} subsamples"
        if self.kind == PAIRED_HALVES:
            run = Design(self.base, self.n_splits)
            return f"{run} with {self.n_halvings} pairs of halves"
        if self.kind == HOLDOUT:
            return "one train-test split"
        if self.kind == TIME_SERIES:
            return f"{self.n_splits} splits in time order"
        if self.kind == CROSSED:
            return f"{self.n_splits} runs on one test set"
        return f"{self.n_splits} splits of no recognised design"


def design_of_folds(n_folds, n_runs):
    """Return the design of runs of a K-fold."""
    if (n_folds, n_runs) == (2, 5):
        return Design(FIVE_BY_TWO, 2, 5)
    if n_runs == 1:
        return Design(K_FOLD, n_folds)
    return Design(REPEATED_K_FOLD, n_folds, n_runs)


def random_subsamples(n_splits):
    """Return the design of random splits."""
    return Design(HOLDOUT if n_splits == 1 else SUBSAMPLE, n_splits)


def runs_on_one_test_set(n_runs):
    """Return the design of models that were run so often on the same examples."""
    return Design(HOLDOUT if n_runs == 1 else CROSSED, n_runs)


def as_design(design, n_splits, name="design"):
    """Return a Design of so many splits, from a Design or the name of a kind."""
    if isinstance(design, Design):
        if design.n_splits is not None and design.n_total != n_splits:
            raise invalid(name, f"of {n_splits} splits", str(design))
        return design
    check_option(name, design, KINDS)
    if design == PAIRED_HALVES:
        raise invalid(name, "the Design of PairedHalves.get_design()", design)
    if design == FIVE_BY_TWO:
        return as_design(Design(FIVE_BY_TWO, 2, 5), n_splits, name)
    if design == REPEATED_K_FOLD:
        return Design(REPEATED_K_FOLD)  # K is not known
    if design == HOLDOUT and n_splits > 1:
        raise invalid(name, "of one split", f"{n_splits} splits")
    return Design(design, n_splits)


def recognise_design(splits, n_samples):
    """Return the design that the indices of splits show."""
    n_splits = len(splits)
    if n_splits == 1:
        return Design(HOLDOUT, 1)
    n_folds = _folds_of_a_run(splits, n_samples)
    if n_folds:
        return design_of_folds(n_folds, n_splits // n_folds)
    if all(train.max() < test.min() for train, test in splits):
        return Design(TIME_SERIES, n_splits)
    if all(test.max() < train.min() for train, test in splits):
        return Design(OTHER, n_splits)
    sizes = [len(train) for train, _ in splits]
    has_one_test_set = len({np.sort(test).tobytes() for _, test in splits}) == 1
    if has_one_test_set or max(sizes) > 1.5 * min(sizes):
        return Design(OTHER, n_splits)
    return Design(SUBSAMPLE, n_splits)


def _folds_of_a_run(splits, n_samples):
    """Return K if the splits are whole runs of a K-fold, else 0."""
    if any(len(train) + len(test) != n_samples for train, test in splits):
        return 0
    run_lengths = set()
    times_tested = np.zeros(n_samples, dtype=int)
    start = 0
    for number, (_, test) in enumerate(splits, 1):
        times_tested[test] += 1
        if times_tested.max() > 1:
            return 0
        if times_tested.min() == 1:
            run_lengths.add(number - start)
            times_tested[:] = 0
            start = number
    is_whole = start == len(splits) and len(run_lengths) == 1
    return run_lengths.pop() if is_whole else 0


def check_splits(splits, n_samples, name="cv"):
    """Return splits as pairs of index arrays; raise for overlaps and empty sets."""
    checked = []
    for number, split in enumerate(splits):
        try:
            train, test = (_as_indices(indices, n_samples) for indices in split)
        except (TypeError, ValueError):
            raise invalid(name, "an iterable of (train, test)", split) from None
        if np.isin(test, train).any():
            raise invalid(name, "splits without overlap", f"one in split {number}")
        checked.append((train, test))
    if not checked:
        raise invalid(name, "at least one split", checked)
    return checked


def _as_indices(indices, n_samples):
    indices = np.asarray(indices)
    if indices.dtype == bool:
        indices = np.flatnonzero(indices)
    is_numbers = indices.ndim == 1 and indices.dtype.kind in "iu" and indices.size
    if not is_numbers or indices.min() < 0 or indices.max() >= n_samples:
        raise ValueError("indices must be of rows of X")
    return indices
