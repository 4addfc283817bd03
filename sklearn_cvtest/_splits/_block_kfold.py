"""BlockKFold: K disjoint blocks, each the test set once."""

from __future__ import annotations

import numbers

import numpy as np

from .._typing import Seed
from .._validation import check_flag, check_integer, check_seed, invalid
from ._design import Design, design_of_folds
from ._splitters import MAX_REPEATS, DesignedSplitter, iter_folds


class BlockKFold(DesignedSplitter):
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
        n_splits: int = 10,
        *,
        n_repeats: int = 1,
        shuffle: bool = True,
        stratify: bool = False,
        random_state: Seed = None,
    ):
        check_integer("n_splits", n_splits, 2)
        check_integer("n_repeats", n_repeats, 1, MAX_REPEATS)
        check_flag("shuffle", shuffle)
        if not shuffle and n_repeats != 1:
            raise invalid("n_repeats", "1 if shuffle=False", n_repeats)
        if not shuffle and random_state is not None:
            raise invalid("random_state", "None if shuffle=False", random_state)
        self.n_splits = n_splits
        self.n_repeats = n_repeats
        self.shuffle = shuffle
        super().__init__(stratify=stratify, random_state=random_state)

    def get_design(self) -> Design:
        """Return the design of the splits.

        Returns
        -------
        design : Design
            The K-fold, or the repeated K-fold; of five runs of two blocks, 5x2.

        """
        return design_of_folds(self.n_splits, self.n_repeats)

    def _iter_splits(self, n_samples, y, codes=None):
        if n_samples < self.n_splits:
            allowed = f"at most the number of examples, {n_samples}"
            raise invalid("n_splits", allowed, self.n_splits)
        for run in range(self.n_repeats):
            rng = None
            seed = self.random_state
            if self.shuffle and run and isinstance(seed, numbers.Integral):
                rng = np.random.RandomState([int(seed), run])
            elif self.shuffle:
                rng = check_seed("random_state", seed)
            yield from iter_folds(self, self.n_splits, n_samples, y, codes, rng)


# FiveByTwo: five replications of 2-fold cross-validation ------------------------


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

    def get_design(self) -> Design:
        """Return the design of the splits.

        Returns
        -------
        design : Design
            Five replications of 2-fold.
        """
        return design_of_folds(2, 5)

    def _iter_splits(self, n_samples, y, codes=None):
        rng = check_seed("random_state", self.random_state)
        for _ in range(5):
            yield from iter_folds(self, 2, n_samples, y, codes, rng)
