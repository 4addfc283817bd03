"""RepeatedSubsample, independent random splits; PairedHalves, splits of halves too.

[NB99]: Nadeau & Bengio 1999, "Inference for the Generalization Error".
"""

from __future__ import annotations

import copy

import numpy as np
from sklearn.model_selection import ShuffleSplit, StratifiedShuffleSplit

from .._compat import take_rows
from .._typing import Seed
from .._validation import check_integer, check_real, check_seed, invalid, invalid_words
from ._block_kfold import BlockKFold
from ._design import Design, DesignKind, random_subsamples
from ._groups import (
    assign_groups_to_folds,
    count_rows,
    has_repeated_groups,
    sample_groups,
)
from ._splitters import MAX_REPEATS, DesignedSplitter, split_positions


class RepeatedSubsample(DesignedSplitter):
    """J independent random splits into a training and a test set.

    The design of [1]_, section 1: for j = 1 ... J, n2 examples are drawn without
    replacement for testing, and the rest are used for training. The authors found that
    J above 15 adds little power.

    Parameters
    ----------
    n_repeats : int, default=15
        Number of splits J, at least 1.
    test_size : float or int, default=0.1
        Share (in (0, 1)) or number (>= 1) of examples to test on; of examples also
        where there are groups.
    train_size : float, int or None, default=None
        Share or number of examples to train on; None uses all examples that are not
        tested.
    stratify : bool, default=False
        Whether to keep the proportions of the classes of y in every split.
    random_state : int, RandomState instance or None, default=None
        Seeds the draws; an int makes them the same at every call.

    Raises
    ------
    ValueError
        If the sizes do not fit the sample, y is missing where `stratify=True`, or
        there are groups, but fewer than two (three if `train_size` is given).

    See Also
    --------
    BlockKFold : Disjoint test sets.

    Notes
    -----
    The splits equal those that scikit-learn's ShuffleSplit
    (StratifiedShuffleSplit) makes with the same seed. With a seed, the first splits are
    the same whatever J.

    Given `groups`, test sets are made of whole groups: of the groups in random order as
    many as come nearest to `test_size`. Then some are exchanged for others, at most
    twice or half as large, that bring the number of examples nearer to it (with
    `stratify=True`, the shares of all examples and of each class, in the sum of their
    squared distances), and those are added that still fit. So groups are tested about
    equally often whatever their sizes; one that is larger than `test_size` is tested
    alone. A training set of given `train_size` is drawn in the same
    way from the other groups. (:class:`~sklearn.model_selection.GroupShuffleSplit`
    takes a share of the groups, whatever their sizes.)

    References
    ----------
    .. [1] C. Nadeau and Y. Bengio, "Inference for the Generalization Error",
       Machine Learning 52, 239-281, 2003. :doi:`10.1023/A:1024068626366`

    Examples
    --------
    >>> import numpy as np
    >>> from sklearn_cvtest import RepeatedSubsample
    >>> cv = RepeatedSubsample(2, test_size=0.25, random_state=0)
    >>> for train, test in cv.split(np.zeros(8)):
    ...     print(train, test)
    [1 7 3 0 5 4] [6 2]
    [3 7 0 4 2 5] [1 6]
    """

    design_from_indices = False

    def __init__(
        self,
        n_repeats: int = 15,
        *,
        test_size: float | int = 0.1,
        train_size: float | int | None = None,
        stratify: bool = False,
        random_state: Seed = None,
    ):
        check_integer("n_repeats", n_repeats, 1, MAX_REPEATS)
        _check_size("test_size", test_size)
        if train_size is not None:
            _check_size("train_size", train_size)
        self.n_repeats = n_repeats
        self.test_size = test_size
        self.train_size = train_size
        super().__init__(stratify=stratify, random_state=random_state)

    def get_design(self) -> Design:
        """Return the design of the splits.

        Returns
        -------
        design : Design
            Subsampling, or a holdout if `n_repeats=1`.

        """
        return random_subsamples(self.n_repeats)

    def _iter_splits(self, n_samples, y, codes=None):
        n_train, n_test = subsample_sizes(self, n_samples)
        if codes is not None:
            return self._iter_groups(n_samples, y, codes, n_train, n_test)
        splitter_class = StratifiedShuffleSplit if self.stratify else ShuffleSplit
        shuffles = splitter_class(
            self.n_repeats,
            test_size=self.test_size,
            train_size=self.train_size,
            random_state=self.random_state,
        )
        return split_positions(shuffles, n_samples, y)

    def _iter_groups(self, n_samples, y, codes, n_train, n_test):
        """Yield splits into whole groups."""
        counts = count_rows(codes, y if self.stratify else None)
        n_needed = 2 if self.train_size is None else 3
        if len(counts) < n_needed:
            allowed = f"of at least {n_needed} groups"
            raise invalid_words("groups", allowed, len(counts))
        rng = check_seed("random_state", self.random_state)
        for _ in range(self.n_repeats):
            order = rng.permutation(len(counts))
            test_share = n_test / n_samples
            tested = sample_groups(counts, test_share, order, rng, n_needed - 1)
            trained = order[~np.isin(order, tested)]
            if self.train_size is not None:
                train_share = n_train / n_samples
                trained = sample_groups(counts, train_share, trained, rng)
            is_in_train = np.isin(codes, trained)
            is_in_test = np.isin(codes, tested)
            yield np.flatnonzero(is_in_train), np.flatnonzero(is_in_test)


def subsample_sizes(cv, n_samples):
    """Return the sizes of training and test set, which must fit into the sample."""
    sizes = {"test_size": cv.test_size, "train_size": cv.train_size}
    splitter = ShuffleSplit(1, **sizes, random_state=0)
    try:
        train, test = next(splitter.split(np.zeros((n_samples, 1))))
        return len(train), len(test)
    except (OverflowError, ValueError):
        name = "test_size" if cv.train_size is None else "train_size"
        allowed = f"such that no set is empty and all fit into {n_samples} examples"
        options = ", ".join(f"{key}={size!r}" for key, size in sizes.items())
        raise invalid_words(name, allowed, options) from None


def _check_size(name, value):
    if isinstance(value, (int, np.integer)) and not isinstance(value, bool):
        check_integer(name, value, 1)
    else:
        check_real(name, value, above=0, below=1)


# PairedHalves: a cross-validation of the whole sample, then of disjoint halves


class PairedHalves(DesignedSplitter):
    """A cross-validation of the whole sample, then of pairs of disjoint halves.

    The procedure behind the conservative Z test [1]_, section 3, and the
    half-sample estimate of the correlation that [2]_, section 6, proposes.
    First come all splits of `cv` on the whole sample; then, M times, the sample
    is cut at random into two disjoint halves of floor(n/2) examples (of an odd
    n, one is left out), and `cv` runs inside the first half, then inside the
    second. The two runs of a pair share no example, so half their squared
    difference estimates the variance of `cv` at n/2 without bias.

    Parameters
    ----------
    cv : BlockKFold of one run, or RepeatedSubsample
        The cross-validation to run. BlockKFold makes K folds of each half.
        RepeatedSubsample tests in each half on the same number n2 of examples
        as in the whole sample and trains on the floor(n/2) - n2 others (or
        fewer, if its `train_size` is smaller).
    n_halvings : int, default=10
        Number M of pairs of halves, at least 1.
    stratify : bool, default=False
        Whether the halves keep the proportions of the classes of y; stratified
        splits inside the halves are an option of `cv`.
    random_state : int, RandomState instance or None, default=None
        Seeds the halvings (not `cv`, which has its own).

    Raises
    ------
    ValueError
        If a half is too small for `cv`.

    Notes
    -----
    The cost is (2M + 1) runs of `cv`; 2M of them on half the sample.

    Given `groups`, the halves are made of whole groups, as blocks of
    :class:`BlockKFold` are, and so are the splits inside them. All examples are then
    in one of the halves, whose sizes are as equal as the groups allow.

    References
    ----------
    .. [1] C. Nadeau and Y. Bengio, "Inference for the Generalization Error",
       Machine Learning 52, 239-281, 2003. :doi:`10.1023/A:1024068626366`
    .. [2] Y. Grandvalet and Y. Bengio, "Hypothesis Testing for
       Cross-Validation", Technical Report 1285, DIRO, Université de Montréal,
       2006.

    Examples
    --------
    >>> import numpy as np
    >>> from sklearn_cvtest import BlockKFold, PairedHalves
    >>> cv = PairedHalves(BlockKFold(2, random_state=0), 1, random_state=0)
    >>> for train, test in cv.split(np.zeros(8)):
    ...     print(train, test)
    [0 3 4 5] [1 2 6 7]...
    """

    design_from_indices = False

    def __init__(
        self,
        cv: BlockKFold | RepeatedSubsample,
        n_halvings: int = 10,
        *,
        stratify: bool = False,
        random_state: Seed = None,
    ):
        allowed = "a BlockKFold of one run or a RepeatedSubsample"
        if not isinstance(cv, (BlockKFold, RepeatedSubsample)):
            raise invalid("cv", allowed, cv, TypeError)
        if isinstance(cv, BlockKFold) and cv.n_repeats != 1:
            raise invalid("cv", allowed, cv)
        check_integer("n_halvings", n_halvings, 1, MAX_REPEATS)
        self.cv = cv
        self.n_halvings = n_halvings
        super().__init__(stratify=stratify, random_state=random_state)

    def get_design(self) -> Design:
        """Return the design of the splits.

        Returns
        -------
        design : Design
            Paired halves, with the design of `cv` as its base.
        """
        n_splits = self.cv.get_n_splits()
        base = DesignKind.SUBSAMPLE
        if isinstance(self.cv, BlockKFold):
            base = DesignKind.K_FOLD
        return Design(DesignKind.PAIRED_HALVES, n_splits, 1, base, self.n_halvings)

    def _iter_splits(self, n_samples, y, codes=None):
        if self.cv.stratify and y is None:
            raise invalid("y", "given if stratify=True", y)
        yield from self.cv._iter_splits(n_samples, y, codes)
        half_cv = self._cv_of_half(n_samples)
        for half in self._iter_halves(n_samples, y, codes):
            y_half = None if y is None else take_rows(y, half)
            codes_half = self._codes_of_half(codes, half)
            for train, test in half_cv._iter_splits(len(half), y_half, codes_half):
                yield half[train], half[test]

    def _iter_halves(self, n_samples, y, codes):
        if codes is None:
            splitter_class = StratifiedShuffleSplit if self.stratify else ShuffleSplit
            halvings = splitter_class(
                self.n_halvings,
                test_size=n_samples // 2,
                train_size=n_samples // 2,
                random_state=self.random_state,
            )
            for first, second in split_positions(halvings, n_samples, y):
                yield np.sort(first)
                yield np.sort(second)
            return
        counts = count_rows(codes, y if self.stratify else None)
        rng = check_seed("random_state", self.random_state)
        for _ in range(self.n_halvings):
            half_of_row = assign_groups_to_folds(counts, 2, rng)[codes]
            yield np.flatnonzero(half_of_row == 0)
            yield np.flatnonzero(half_of_row == 1)

    def _codes_of_half(self, codes, half):
        """Return the groups of a half from 0 on, None if there are none."""
        if codes is None:
            return None
        labels, codes = np.unique(codes[half], return_inverse=True)
        n_needed = self.cv.n_splits if isinstance(self.cv, BlockKFold) else 2
        if len(labels) < n_needed:
            allowed = f"such that each half has at least {n_needed}"
            raise invalid_words("groups", allowed, f"{len(labels)} in a half")
        return codes if has_repeated_groups(codes) else None

    def _cv_of_half(self, n_samples):
        cv = self.cv
        n_half = n_samples // 2
        if isinstance(cv, BlockKFold):
            if n_half < cv.n_splits:
                allowed = (
                    f"a cross-validation of at most {n_half} folds, the size of a "
                )
                raise invalid("cv", f"{allowed}half of {n_samples} examples", cv)
            return cv
        n_train, n_test = subsample_sizes(cv, n_samples)
        # [NB99] section 3: n1' = floor(n/2) - n2
        n_train = min(n_half - n_test, n_train)
        if n_train < 1:
            allowed = f"a subsampling with fewer test examples than the {n_half} of a "
            hint = f"It tests on {n_test} of {n_samples} examples."
            raise invalid("cv", f"{allowed}half", cv, hint=hint)
        cv = copy.copy(cv)
        cv.test_size = n_test
        cv.train_size = None if cv.train_size is None else n_train
        return cv
