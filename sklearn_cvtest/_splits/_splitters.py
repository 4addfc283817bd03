"""Cross-validation splitters that declare their design.

[NB99]: Nadeau & Bengio 1999, "Inference for the Generalization Error".
"""

import numbers
from abc import abstractmethod
from itertools import chain
from typing import ClassVar

import numpy as np
from sklearn.model_selection import (
    BaseCrossValidator,
    KFold,
    ShuffleSplit,
    StratifiedKFold,
    StratifiedShuffleSplit,
)

from .._compat import n_rows
from .._validation import (
    check_flag,
    check_integer,
    check_real,
    check_seed,
    invalid,
    invalid_words,
    warn,
)
from ._design import Design, design_of_folds
from ._groups import are_groups, encode_groups
from ._rows import check_lengths
from ._whole_groups import count_rows, deal_groups, draw_groups

__all__ = [
    "BlockKFold",
    "DesignedSplitter",
    "FiveByTwo",
    "RepeatedSubsample",
    "split_positions",
    "subsample_sizes",
]


class DesignedSplitter(BaseCrossValidator):
    """A splitter that declares its design; subclasses define `_iter_splits`."""

    # scikit-learn then routes groups to `split`, as to its own splitters of groups.
    __metadata_request__split: ClassVar = {"groups": True}

    def split(self, X, y=None, groups=None):
        """Generate indices to split data into training and test set.

        Parameters
        ----------
        X : array-like of shape (n_samples, n_features)
            The data; only its length is used.
        y : array-like of shape (n_samples,), default=None
            The target; used if `stratify=True`.
        groups : array-like of shape (n_samples,), default=None
            A label for each example (its patient, site, molecule ...). Examples of the
            same label stay on the same side of every split.

        Returns
        -------
        splits : iterator of (ndarray, ndarray)
            The training and the test set indices of each split.

        Raises
        ------
        TypeError, ValueError
            If X or a y to stratify by is missing, the sizes do not fit X, a group is
            missing, or there are fewer groups than the splits need.
        """
        self.get_design()  # fails if there is none yet
        return self._iter_splits(*self._check_data(X, y, groups))

    def _check_data(self, X, y, groups):
        """Return the number of examples, y, and groups as integers or None."""
        X, y, groups = check_lengths(X, y, groups)
        if self.stratify and y is None:
            raise invalid("y", "given if stratify=True", y)
        codes = None if groups is None else encode_groups(groups)[0]
        if codes is not None and not are_groups(codes):
            codes = None
        return n_rows(X), y, codes

    @abstractmethod
    def _iter_splits(self, n_samples, y, codes=None):
        """Yield (train, test) positions; `codes` are the groups to keep whole."""

    def get_n_splits(self, X=None, y=None, groups=None):
        """Return the number of splits.

        Parameters
        ----------
        X, y, groups : object
            Ignored, exist for API compatibility.

        Returns
        -------
        n_splits : int
            The number of (train, test) pairs that `split` yields.
        """
        return self.get_design().n_total


def split_positions(splitter, n_samples, y):
    """Run a scikit-learn splitter over positions 0 ... n_samples - 1."""
    try:
        yield from splitter.split(np.zeros((n_samples, 1)), y)
    except (TypeError, ValueError) as error:
        if n_samples < 2:
            raise invalid_words("X", "at least two examples", n_samples) from None
        allowed = "classes with enough examples each if stratify=True"
        hint = f"{type(splitter).__name__} cannot split these data: {error}"
        raise invalid("y", allowed, y, hint=hint) from None


def _iter_folds(splitter, n_splits, n_samples, y, codes, rng):
    """Yield the splits of one K-fold; without a random generator, unshuffled."""
    if codes is None:
        kind = StratifiedKFold if splitter.stratify else KFold
        folds = kind(n_splits, shuffle=rng is not None, random_state=rng)
        yield from split_positions(folds, n_samples, y)
        return
    counts = count_rows(codes, y if splitter.stratify else None)
    if len(counts) < n_splits:
        allowed = f"at most the number of groups, {len(counts)}"
        raise invalid("n_splits", allowed, n_splits)
    _check_classes(counts[:, 1:], n_splits)
    fold_of_row = deal_groups(counts, n_splits, rng)[codes]
    for fold in range(n_splits):
        in_test = fold_of_row == fold
        yield np.flatnonzero(~in_test), np.flatnonzero(in_test)


def _check_classes(counts, n_splits):
    """Check, as scikit-learn does, that folds can have some of each class."""
    if not counts.size:
        return
    n_rows_of_class, n_groups_of_class = counts.sum(axis=0), (counts > 0).sum(axis=0)
    if n_rows_of_class.max() < n_splits:
        allowed = f"at most the size of the largest class, {n_rows_of_class.max()}"
        raise invalid("n_splits", allowed, n_splits)
    if n_groups_of_class.min() < n_splits:
        warn(
            f"The least populated class in y has examples in {n_groups_of_class.min()} "
            f"groups only, fewer than n_splits={n_splits}: some folds have none of it.",
            UserWarning,
        )


class BlockKFold(DesignedSplitter):
    """K disjoint blocks, each the test set once, the rest the training set.

    The design of [1]_, section 2.2: the sample is divided into K blocks T_k of m = n/K
    examples (sizes differ by one where K does not divide n), and the training set D_k
    is everything outside T_k. Unlike :class:`~sklearn.model_selection.KFold` it
    shuffles by default: every test assumes exchangeable blocks, and those of a sorted
    sample are not.

    Parameters
    ----------
    n_splits : int, default=10
        Number of blocks K, at least 2 and at most the number of examples, or of groups.
    n_repeats : int or "auto", default=1
        Number of runs R, each with another assignment to blocks. The splits of the
        first run come first. Of a `random_state` that is an int, the first runs are
        the same whatever R, so that more repeats extend what was computed with fewer.
        "auto" leaves R to :func:`compare_estimators` and :func:`cross_val_losses`,
        which add repeats until the verdict on every pair is stable; nothing else can
        split with it.
    shuffle : bool, default=True
        Whether to assign examples to blocks at random.
    stratify : bool, default=False
        Whether to spread the classes of y evenly over the blocks. The papers
        do not stratify.
    random_state : int, RandomState instance or None, default=None
        Seeds the assignment; an int makes it the same at every call.
    max_repeats : int, default=20
        With `n_repeats="auto"`, the largest number of runs, at least 2.
    stability : float, default=0.99
        With `n_repeats="auto"`, how probable it must be, in (0.5, 1), that another
        seed would give the same verdict before no more repeats are added.

    Raises
    ------
    ValueError
        If there are fewer examples or groups than blocks, y is missing where
        `stratify=True`, or more than one run is not shuffled.

    See Also
    --------
    RepeatedSubsample : Independent random splits.
    PairedHalves : Adds runs on disjoint halves, to estimate ρ or the variance.

    Notes
    -----
    The blocks are those of scikit-learn's KFold (StratifiedKFold) with the
    same seed; those of a later run r = 1 ... R - 1 are of the seed
    `RandomState([random_state, r])`.

    Given `groups`, blocks are made of whole groups. Groups are dealt from the largest
    to the smallest, each to the block that is then the smallest, as in
    :class:`~sklearn.model_selection.GroupKFold`; then random pairs of groups change
    places as long as no block gets larger than the largest, or smaller than the
    smallest, was, give or take an example (up to 5%, where few could change otherwise).
    So two blocks differ by no more than the largest group, mostly by much less; where
    few arrangements of large groups are that equal, repeats and seeds differ little.
    With `stratify=True` each group goes where the squared shares of the total and of
    every class, summed over blocks, grow least. How far that balances the classes,
    whole groups decide: a class that is in fewer groups than there are blocks is
    missing in some, which a warning says. Groups that all have one example are no
    groups.

    References
    ----------
    .. [1] Y. Grandvalet and Y. Bengio, "Hypothesis Testing for
       Cross-Validation", Technical Report 1285, DIRO, Université de Montréal,
       2006.

    Examples
    --------
    >>> import numpy as np
    >>> from sklearn_cvtest import BlockKFold
    >>> for train, test in BlockKFold(3, random_state=0).split(np.zeros(7)):
    ...     print(train, test)
    [0 3 4 5] [1 2 6]
    [1 2 4 5 6] [0 3]
    [0 1 2 3 6] [4 5]
    >>> patients = ["a", "b", "b", "c", "a", "c", "c"]
    >>> cv = BlockKFold(2, random_state=0)
    >>> for train, test in cv.split(np.zeros(7), groups=patients):
    ...     print(train, test)
    [0 1 2 4] [3 5 6]
    [3 5 6] [0 1 2 4]
    """

    def __init__(
        self,
        n_splits=10,
        *,
        n_repeats=1,
        shuffle=True,
        stratify=False,
        random_state=None,
        max_repeats=20,
        stability=0.99,
    ):
        check_integer("n_splits", n_splits, 2)
        check_repeats(n_repeats, max_repeats, 2, stability)
        check_flag("shuffle", shuffle)
        check_flag("stratify", stratify)
        if not shuffle and n_repeats != 1:
            raise invalid("n_repeats", "1 if shuffle=False", n_repeats)
        if not shuffle and random_state is not None:
            raise invalid("random_state", "None if shuffle=False", random_state)
        check_seed("random_state", random_state)
        self.n_splits = n_splits
        self.n_repeats = n_repeats
        self.shuffle = shuffle
        self.stratify = stratify
        self.random_state = random_state
        self.max_repeats = max_repeats
        self.stability = stability

    def get_design(self):
        """Return the design of the splits.

        Returns
        -------
        design : Design
            The K-fold, or the repeated K-fold; of five runs of two blocks, 5x2.

        Raises
        ------
        ValueError
            If `n_repeats="auto"`, of which the number of splits is not known yet.
        """
        refuse_auto(self)
        return design_of_folds(self.n_splits, self.n_repeats)

    def split_repeat(self, X, y=None, groups=None, *, repeat):
        """Generate the indices of one run.

        Parameters
        ----------
        X : array-like of shape (n_samples, n_features)
            The data; only its length is used.
        y : array-like of shape (n_samples,), default=None
            The target; used if `stratify=True`.
        groups : array-like of shape (n_samples,), default=None
            A label for each example; blocks are then made of whole groups.
        repeat : int
            Number of the run, from 0; it may exceed `n_repeats`. Of a `random_state`
            that is an int, seed and number alone decide the blocks. Otherwise each
            call draws new ones.

        Returns
        -------
        splits : iterator of (ndarray, ndarray)
            The training and the test set indices of the K splits of the run.

        Raises
        ------
        TypeError, ValueError
            As `split` does; or if a later run than the first is not shuffled.
        """
        check_integer("repeat", repeat, 0)
        if repeat and not self.shuffle:
            raise invalid("repeat", "0 if shuffle=False", repeat)
        return self._iter_run(*self._check_data(X, y, groups), repeat)

    def _iter_splits(self, n_samples, y, codes=None):
        runs = range(self.n_repeats)
        return chain.from_iterable(
            self._iter_run(n_samples, y, codes, run) for run in runs
        )

    def _iter_run(self, n_samples, y, codes, repeat):
        if n_samples < self.n_splits:
            raise invalid(
                "n_splits",
                f"at most the number of examples, {n_samples}",
                self.n_splits,
            )
        rng = self._generator(repeat) if self.shuffle else None
        return _iter_folds(self, self.n_splits, n_samples, y, codes, rng)

    def _generator(self, repeat):
        """Return what the assignment of a run is drawn from."""
        seed = self.random_state
        if repeat and isinstance(seed, numbers.Integral):
            return np.random.RandomState([int(seed), int(repeat)])
        return check_seed("random_state", seed)


def check_repeats(n_repeats, max_repeats, min_repeats, stability):
    """Check the number of runs, and what governs it if it is "auto"."""
    if isinstance(n_repeats, str) and n_repeats != "auto":
        raise invalid("n_repeats", "an integer >= 1 or 'auto'", n_repeats)
    if n_repeats != "auto":
        check_integer("n_repeats", n_repeats, 1)
    check_integer("max_repeats", max_repeats, min_repeats)
    check_real("stability", stability, above=0.5, below=1)


def refuse_auto(cv):
    """Refuse a number of splits that is not known yet."""
    if cv.n_repeats == "auto":
        allowed = "an integer, except in compare_estimators and cross_val_losses"
        raise invalid("n_repeats", allowed, "auto")


class RepeatedSubsample(DesignedSplitter):
    """J independent random splits into a training and a test set.

    The design of [1]_, section 1: for j = 1 ... J, n2 examples are drawn without
    replacement for testing, and the rest are used for training. The authors found that
    J above 15 adds little power.

    Parameters
    ----------
    n_repeats : int or "auto", default=15
        Number of splits J, at least 1. "auto" leaves J to :func:`compare_estimators`
        and :func:`cross_val_losses`, which add splits, five at a time, until the
        verdict on every pair is stable; nothing else can split with it.
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
    max_repeats : int, default=100
        With `n_repeats="auto"`, the largest number of splits, at least 10.
    stability : float, default=0.99
        With `n_repeats="auto"`, how probable it must be, in (0.5, 1), that
        `max_repeats` splits would give the same verdict before no more are added.

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
    The splits are those of scikit-learn's ShuffleSplit
    (StratifiedShuffleSplit) with the same seed. With a seed, the first splits are the
    same whatever J.

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

    def __init__(
        self,
        n_repeats=15,
        *,
        test_size=0.1,
        train_size=None,
        stratify=False,
        random_state=None,
        max_repeats=100,
        stability=0.99,
    ):
        check_repeats(n_repeats, max_repeats, 10, stability)
        _check_size("test_size", test_size)
        if train_size is not None:
            _check_size("train_size", train_size)
        check_flag("stratify", stratify)
        check_seed("random_state", random_state)
        self.n_repeats = n_repeats
        self.test_size = test_size
        self.train_size = train_size
        self.stratify = stratify
        self.random_state = random_state
        self.max_repeats = max_repeats
        self.stability = stability

    def get_design(self):
        """Return the design of the splits.

        Returns
        -------
        design : Design
            Subsampling, or a holdout if `n_repeats=1`.

        Raises
        ------
        ValueError
            If `n_repeats="auto"`, of which the number of splits is not known yet.
        """
        refuse_auto(self)
        if self.n_repeats == 1:
            return Design("holdout", 1)
        return Design("subsample", self.n_repeats)

    def _iter_splits(self, n_samples, y, codes=None):
        sizes = subsample_sizes(self, n_samples)
        if codes is not None:
            return self._iter_groups(n_samples, y, codes, *sizes)
        kind = StratifiedShuffleSplit if self.stratify else ShuffleSplit
        shuffles = kind(
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
            groups = draw_groups(counts, n_test / n_samples, order, rng, n_needed - 1)
            in_test = np.isin(np.arange(len(counts)), groups)
            in_train = ~in_test
            if self.train_size is not None:
                rest = order[in_train[order]]
                groups = draw_groups(counts, n_train / n_samples, rest, rng)
                in_train = np.isin(np.arange(len(counts)), groups)
            yield np.flatnonzero(in_train[codes]), np.flatnonzero(in_test[codes])


def subsample_sizes(cv, n_samples):
    """Return the sizes of training and test set, which must fit into the sample."""
    sizes = {"test_size": cv.test_size, "train_size": cv.train_size}
    try:
        split = next(
            ShuffleSplit(1, **sizes, random_state=0).split(np.zeros((n_samples, 1)))
        )
        return tuple(map(len, split))
    except (OverflowError, ValueError):
        name = "test_size" if cv.train_size is None else "train_size"
        allowed = f"such that no set is empty and all fit into {n_samples} examples"
        shown = ", ".join(f"{key}={size!r}" for key, size in sizes.items())
        raise invalid_words(name, allowed, shown) from None


def _check_size(name, value):
    if isinstance(value, (int, np.integer)) and not isinstance(value, bool):
        check_integer(name, value, 1)
    else:
        check_real(name, value, above=0, below=1)


class FiveByTwo(DesignedSplitter):
    """Five replications of 2-fold cross-validation.

    The design of Dietterich's 5x2cv t test [1]_ and Alpaydin's F test [2]_.
    Split (i, j) tests on half j of replication i; the order is (1, 1), (1, 2),
    (2, 1), ..., (5, 2).

    Parameters
    ----------
    stratify : bool, default=False
        Whether to spread the classes of y evenly over the two halves.
    random_state : int, RandomState instance or None, default=None
        Seeds the halvings; an int makes them the same at every call.

    Raises
    ------
    ValueError
        If y is missing where `stratify=True`.

    See Also
    --------
    FiveByTwoFTest : The recommended test for this design.
    BlockKFold : Says how halves are made of whole `groups`.

    References
    ----------
    .. [1] T. G. Dietterich, "Approximate Statistical Tests for Comparing
       Supervised Classification Learning Algorithms", Neural Computation
       10(7), 1895-1923, 1998. :doi:`10.1162/089976698300017197`
    .. [2] E. Alpaydin, "Combined 5x2 cv F Test for Comparing Supervised
       Classification Learning Algorithms", Neural Computation 11(8),
       1885-1892, 1999. :doi:`10.1162/089976699300016007`

    Examples
    --------
    >>> import numpy as np
    >>> from sklearn_cvtest import FiveByTwo
    >>> cv = FiveByTwo(random_state=0)
    >>> cv.get_n_splits()
    10
    >>> next(cv.split(np.zeros(6)))
    (array([0, 3, 4]), array([1, 2, 5]))
    """

    def __init__(self, *, stratify=False, random_state=None):
        check_flag("stratify", stratify)
        check_seed("random_state", random_state)
        self.stratify = stratify
        self.random_state = random_state

    def get_design(self):
        """Return the design of the splits.

        Returns
        -------
        design : Design
            Five replications of 2-fold.
        """
        return design_of_folds(2, 5)

    def _iter_splits(self, n_samples, y, codes=None):
        rng = check_seed("random_state", self.random_state)
        return chain.from_iterable(
            _iter_folds(self, 2, n_samples, y, codes, rng) for _ in range(5)
        )
