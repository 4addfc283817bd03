"""Splitters: K-fold, random subsamples, five times two halves, pairs of halves."""

import copy
from typing import ClassVar

import numpy as np
from sklearn.model_selection import (
    BaseCrossValidator,
    KFold,
    ShuffleSplit,
    StratifiedKFold,
    StratifiedShuffleSplit,
)
from sklearn.utils import check_random_state
from sklearn.utils.multiclass import check_classification_targets

from ._compat import n_rows
from ._design import (
    K_FOLD,
    PAIRED_HALVES,
    SUBSAMPLE,
    Design,
    design_of_folds,
    random_subsamples,
)
from ._validation import check_integer, check_labels, check_row_order, invalid, warn

MAX_RUNS = 100_000  # more would never end


N_DEALS = 20  # of groups at random, one of which is even enough
EVEN = 0.05  # of a fold, by which sizes may differ from their mean


class _Splitter(BaseCrossValidator):
    """A splitter that knows its design and keeps groups whole."""

    __metadata_request__split: ClassVar = {"groups": True}

    def __init__(self, *, stratify=False, random_state=None):
        self.stratify = stratify
        self.random_state = random_state

    def get_n_splits(self, X=None, y=None, groups=None):
        """Return the number of splits."""
        return self.get_design().n_total

    def split(self, X, y=None, groups=None):
        """Generate indices of training and test sets."""
        if self.stratify and y is None:
            raise invalid("y", "given if stratify=True", y)
        is_data = hasattr(X, "shape") or hasattr(X, "__len__")
        if not is_data or hasattr(X, "fit"):
            raise invalid("X", "an array or a table", X, TypeError)
        check_row_order(X=X, y=y, groups=groups)
        n_samples = n_rows(X)
        groups = encode_groups(groups, n_samples)
        return self._iter_splits(n_samples, y, groups)

    def _iter_folds(self, n_folds, n_samples, y, groups, rng):
        """Yield the splits of one K-fold, unshuffled without `rng`."""
        if groups is not None:
            yield from _folds_of_groups(n_folds, groups, y, self.stratify, rng)
            return
        splitter_class = StratifiedKFold if self.stratify else KFold
        folds = splitter_class(n_folds, shuffle=rng is not None, random_state=rng)
        yield from folds.split(np.zeros((n_samples, 1)), y)


class BlockKFold(_Splitter):
    """K disjoint blocks, each the test set once, the rest the training set.

    The design of [1]_, section 2.2: the sample is divided into K blocks T_k of m = n/K
    examples (sizes differ by one where K does not divide n), and the training set D_k
    is everything outside T_k. Unlike :class:`~sklearn.model_selection.KFold` it
    shuffles by default: every test assumes exchangeable blocks, and the blocks of a
    sorted sample are not.

    Parameters
    ----------
    n_splits : int, default=10
        Number of blocks K, at least 2 and at most the number of examples, or of groups.
    n_repeats : int, default=1
        Number of runs R, each with another assignment to blocks. The splits of the
        first run come first. For a `random_state` that is an int, the first runs are
        the same whatever R, so that more repeats extend what was computed with fewer.
    shuffle : bool, default=True
        Whether to assign examples to blocks at random.
    stratify : bool, default=False
        Whether to spread the classes of y evenly over the blocks. The papers
        do not stratify.
    random_state : int, RandomState instance or None, default=None
        Seeds the assignment; an int makes it the same at every call.

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
    The first run has the blocks of scikit-learn's KFold (StratifiedKFold) with the same
    seed; a later run r = 1 ... R - 1 uses the seed `RandomState([random_state, r])`.

    Given `groups`, blocks are made of whole groups. Groups are dealt from the largest
    to the smallest, each to the block that is then the smallest, as in
    :class:`~sklearn.model_selection.GroupKFold`. Of twenty deals in random order, the
    first takes the place of this one in which no block is larger than the largest, or
    smaller than the smallest, give or take 5%. So two blocks differ by no more than the
    largest group, mostly by much less; where few arrangements of large groups are that
    equal, repeats and seeds differ little. With `stratify=True` each group goes where
    the squared shares of the total and of every class, summed over blocks, grow least.
    How far that balances the classes, whole groups decide: a class that is in fewer
    groups than there are blocks is missing in some, which a warning says. Groups that
    all have one example are no groups.

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
    ):
        check_integer("n_splits", n_splits, 2)
        check_integer("n_repeats", n_repeats, 1, MAX_RUNS)
        if not shuffle and n_repeats > 1:
            raise invalid("n_repeats", "1 if shuffle=False", n_repeats)
        if not shuffle and random_state is not None:
            raise invalid("random_state", "None if shuffle=False", random_state)
        self.n_splits = n_splits
        self.n_repeats = n_repeats
        self.shuffle = shuffle
        super().__init__(stratify=stratify, random_state=random_state)

    def get_design(self):
        """Return the design of the splits.

        Returns
        -------
        design : Design
            The K-fold, or the repeated K-fold; of five runs of two blocks, 5x2.
        """
        return design_of_folds(self.n_splits, self.n_repeats)

    def _iter_splits(self, n_samples, y, groups):
        if n_samples < self.n_splits:
            raise invalid("n_splits", f"at most {n_samples}", self.n_splits)
        for run in range(self.n_repeats):
            rng = self._rng_of_run(run)
            yield from self._iter_folds(self.n_splits, n_samples, y, groups, rng)

    def _rng_of_run(self, run):
        if not self.shuffle:
            return None
        if run and isinstance(self.random_state, (int, np.integer)):
            return np.random.RandomState([self.random_state, run])
        return check_random_state(self.random_state)


class FiveByTwo(_Splitter):
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

    def get_design(self):
        """Return the design of the splits.

        Returns
        -------
        design : Design
            Five replications of 2-fold.
        """
        return design_of_folds(2, 5)

    def _iter_splits(self, n_samples, y, groups):
        rng = check_random_state(self.random_state)
        for _ in range(5):
            yield from self._iter_folds(2, n_samples, y, groups, rng)


class RepeatedSubsample(_Splitter):
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
    many as come nearest to `test_size`; with `stratify=True`, in the one of twenty
    orders whose shares of all examples and of each class are nearest to it. So groups
    are tested about equally often whatever their sizes; one that is larger than
    `test_size` is tested alone. A training set of given `train_size` is drawn in the
    same way from the other groups. (:class:`~sklearn.model_selection.GroupShuffleSplit`
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
    ):
        check_integer("n_repeats", n_repeats, 1, MAX_RUNS)
        self.n_repeats = n_repeats
        self.test_size = test_size
        self.train_size = train_size
        super().__init__(stratify=stratify, random_state=random_state)

    def get_design(self):
        """Return the design of the splits.

        Returns
        -------
        design : Design
            Subsampling, or a holdout if `n_repeats=1`.
        """
        return random_subsamples(self.n_repeats)

    def sizes(self, n_samples):
        """Return the numbers of training and test examples of a sample."""
        split = ShuffleSplit(1, test_size=self.test_size, train_size=self.train_size)
        train, test = next(split.split(np.zeros((n_samples, 1))))
        return len(train), len(test)

    def _iter_splits(self, n_samples, y, groups):
        if groups is not None:
            return self._iter_groups(groups, y)
        splitter_class = StratifiedShuffleSplit if self.stratify else ShuffleSplit
        shuffles = splitter_class(
            self.n_repeats,
            test_size=self.test_size,
            train_size=self.train_size,
            random_state=self.random_state,
        )
        return shuffles.split(np.zeros((n_samples, 1)), y)

    def _iter_groups(self, groups, y):
        """Yield splits whose sets are whole groups of about the sizes asked."""
        rng = check_random_state(self.random_state)
        n_train, n_test = self.sizes(len(groups))
        sizes = np.bincount(groups)
        if len(sizes) < 2 + (self.train_size is not None):
            raise invalid("groups", "at least 2 to test and to train on", len(sizes))
        counts = _counts_of_groups(groups, y, self.stratify)
        shares = counts / counts.sum(axis=0)
        for _ in range(self.n_repeats):
            draws = []
            for _ in range(N_DEALS if self.stratify else 1):
                order = rng.permutation(len(sizes))
                n_tested = _number_nearest(sizes[order[:-1]], n_test)
                sums = shares[order[:n_tested]].sum(axis=0)
                draws.append((np.abs(sums - n_test / len(groups)).max(), order))
            _, order = min(draws, key=lambda draw: draw[0])
            n_tested = _number_nearest(sizes[order[:-1]], n_test)
            tested, trained = order[:n_tested], order[n_tested:]
            if self.train_size is not None:
                trained = trained[: _number_nearest(sizes[trained], n_train)]
            in_train = np.isin(groups, trained)
            in_test = np.isin(groups, tested)
            yield np.flatnonzero(in_train), np.flatnonzero(in_test)


def _number_nearest(sizes, n_wanted):
    """Return of how many groups, the first ones, the size is nearest to a number."""
    return 1 + np.abs(np.cumsum(sizes) - n_wanted).argmin()


class PairedHalves(_Splitter):
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

    def __init__(self, cv, n_halvings=10, *, stratify=False, random_state=None):
        is_k_fold = isinstance(cv, BlockKFold) and cv.n_repeats == 1
        if not is_k_fold and not isinstance(cv, RepeatedSubsample):
            raise invalid("cv", "a BlockKFold of one run or a RepeatedSubsample", cv)
        check_integer("n_halvings", n_halvings, 1, MAX_RUNS)
        self.cv = cv
        self.n_halvings = n_halvings
        super().__init__(stratify=stratify, random_state=random_state)

    def get_design(self):
        """Return the design of the splits.

        Returns
        -------
        design : Design
            Paired halves, with the design of `cv` as its base.
        """
        base = K_FOLD if isinstance(self.cv, BlockKFold) else SUBSAMPLE
        n_splits = self.cv.get_n_splits()
        return Design(PAIRED_HALVES, n_splits, 1, base, self.n_halvings)

    def _iter_splits(self, n_samples, y, groups):
        if self.cv.stratify and y is None:
            raise invalid("y", "given if stratify=True", y)
        yield from self.cv._iter_splits(n_samples, y, groups)
        cv = self._cv_of_half(n_samples)
        for half in self._iter_halves(n_samples, y, groups):
            y_half = None if y is None else np.asarray(y)[half]
            groups_half = None
            if groups is not None:
                groups_half = encode_groups(groups[half], len(half))
            for train, test in cv._iter_splits(len(half), y_half, groups_half):
                yield half[train], half[test]

    def _cv_of_half(self, n_samples):
        """Return `cv` for a half; subsamples keep their number of test examples."""
        if isinstance(self.cv, BlockKFold):
            return self.cv
        n_half = n_samples // 2
        n_train, n_test = self.cv.sizes(n_samples)
        n_train = min(n_train, n_half - n_test)  # [NB99] section 3: floor(n/2) - n2
        if n_train < 1:
            raise invalid("cv", f"of fewer test examples than {n_half}", self.cv)
        cv = copy.copy(self.cv)
        cv.test_size = n_test
        cv.train_size = None if cv.train_size is None else n_train
        return cv

    def _iter_halves(self, n_samples, y, groups):
        """Yield the rows of the first half and of the second, M times."""
        if groups is not None:
            rng = check_random_state(self.random_state)
            for _ in range(self.n_halvings):
                splits = _folds_of_groups(2, groups, y, self.stratify, rng)
                yield from (half for _, half in splits)
            return
        splitter_class = StratifiedShuffleSplit if self.stratify else ShuffleSplit
        halvings = splitter_class(
            self.n_halvings,
            test_size=n_samples // 2,
            train_size=n_samples // 2,
            random_state=self.random_state,
        )
        for first, second in halvings.split(np.zeros((n_samples, 1)), y):
            yield np.sort(first)
            yield np.sort(second)


def encode_groups(groups, n_samples, name="groups"):
    """Return groups as integers; None where each row is a group of its own."""
    if groups is None:
        return None
    labels = check_labels(name, groups, n_samples)
    _, codes = np.unique(labels, return_inverse=True)
    sizes = np.bincount(codes)
    if len(sizes) == 1:
        raise invalid(name, "of at least two groups", labels)
    return codes if sizes.max() > 1 else None


def count_groups(codes):
    """Return the number of encoded groups, None without groups."""
    return None if codes is None else int(codes.max()) + 1


def _counts_of_groups(groups, y, stratify):
    """Return rows, and rows of each class, of the groups."""
    counts = np.bincount(groups)[:, np.newaxis]
    if stratify:
        check_classification_targets(y)
        _, classes = np.unique(np.asarray(y), return_inverse=True)
        n_classes = classes.max() + 1
        cells = np.bincount(
            groups * n_classes + classes, minlength=counts.size * n_classes
        )
        counts = np.hstack([counts, cells.reshape(-1, n_classes)])
    return counts


def _folds_of_groups(n_folds, groups, y, stratify, rng):
    """Yield the splits of a K-fold of whole groups, dealt by size.

    Of random deals, the first that is nearly as even as that of the largest first;
    with that alone, repeats would have the same folds where all sizes differ.
    """
    counts = _counts_of_groups(groups, y, stratify)
    n_groups = len(counts)
    if n_groups < n_folds:
        raise invalid("n_splits", f"at most the {n_groups} groups", n_folds)
    if stratify:
        largest = int(counts[:, 1:].sum(axis=0).max())
        if largest < n_folds:
            allowed = f"at most the size of the largest class, {largest}"
            raise invalid("n_splits", allowed, n_folds)
        fewest = (counts[:, 1:] > 0).sum(axis=0).min()
        if fewest < n_folds:
            warn(
                f"A class in y has examples in {fewest} groups only, fewer than the "
                f"{n_folds} folds."
            )
    order = np.arange(n_groups) if rng is None else rng.permutation(n_groups)
    order = order[np.argsort(-counts[order, 0], kind="stable")]
    fold_of_group, excess = _dealt(counts, order, n_folds)
    most = np.maximum(excess.max(axis=0), EVEN / n_folds)
    least = np.minimum(excess.min(axis=0), -EVEN / n_folds)
    for _ in range(N_DEALS if rng is not None else 0):
        sizes = counts[:, 0] * rng.uniform(0.5, 1, n_groups)
        other, excess = _dealt(counts, np.argsort(-sizes), n_folds)
        if np.all((least <= excess) & (excess <= most)):
            fold_of_group = other
            break
    if rng is not None:
        fold_of_group = rng.permutation(n_folds)[fold_of_group]
    fold_of_row = fold_of_group[groups]
    for fold in range(n_folds):
        in_test = fold_of_row == fold
        yield np.flatnonzero(~in_test), np.flatnonzero(in_test)


def _dealt(counts, order, n_folds):
    """Return the fold of each group, dealt in order, and what folds have too much."""
    totals = counts.sum(axis=0)
    weights = counts / totals**2
    loads = np.zeros((n_folds, counts.shape[1]))
    fold_of_group = np.empty(len(counts), dtype=int)
    for group in order:
        fold = (loads @ weights[group]).argmin()
        loads[fold] += counts[group]
        fold_of_group[group] = fold
    return fold_of_group, loads / totals - 1 / n_folds


def describe_splitter(cv, has_groups):
    """Return words such as "stratified, seed 0 (BlockKFold)"."""
    name = type(cv).__name__
    if not hasattr(cv, "split"):
        return f"given as a list of {len(cv)} (train, test)"
    words = []
    if has_groups:
        words.append("by groups")
    if getattr(cv, "stratify", False) or "Stratified" in name:
        words.append("stratified")
    if getattr(cv, "shuffle", True) is False:
        words.append("not shuffled")
    elif hasattr(cv, "random_state"):
        seed = cv.random_state
        is_fixed = isinstance(seed, (int, np.integer))
        words.append(f"seed {seed}" if is_fixed else "no fixed seed")
    return f"{', '.join(words)} ({name})".strip()
