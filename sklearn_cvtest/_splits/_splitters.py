"""Cross-validation splitters whose design the tests of this package know."""

from abc import abstractmethod

import numpy as np
from sklearn.model_selection import (
    BaseCrossValidator,
    KFold,
    RepeatedKFold,
    RepeatedStratifiedKFold,
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
from ._design import Design
from ._rows import check_lengths

__all__ = [
    "BlockKFold",
    "DesignedSplitter",
    "FiveByTwo",
    "RepeatedSubsample",
    "split_positions",
]


class DesignedSplitter(BaseCrossValidator):
    """A splitter that knows its design; subclasses define `_iter_splits`."""

    def split(self, X, y=None, groups=None):
        """Generate indices to split data into training and test set.

        Parameters
        ----------
        X : array-like of shape (n_samples, n_features)
            The data; only its length is used.
        y : array-like of shape (n_samples,), default=None
            The target; used if `stratify=True`.
        groups : object, default=None
            Ignored, exists for API compatibility.

        Returns
        -------
        splits : iterator of (ndarray, ndarray)
            The training and the test set indices of each split.

        Raises
        ------
        TypeError, ValueError
            If X or a y to stratify by is missing, or the sizes do not fit X.
        """
        if groups is not None:
            message = f"The groups parameter is ignored by {type(self).__name__}"
            warn(message, UserWarning)
        X, y, _ = check_lengths(X, y, None)
        if self.stratify and y is None:
            raise invalid("y", "given if stratify=True", y)
        return self._iter_splits(n_rows(X), y)

    @abstractmethod
    def _iter_splits(self, n_samples, y):
        """Yield (train, test) positions."""

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
        allowed = "the classes of enough examples each if stratify=True"
        hint = f"It is one that {type(splitter).__name__} cannot split: {error}"
        raise invalid("y", allowed, y, hint=hint) from None


class BlockKFold(DesignedSplitter):
    """K disjoint blocks, each the test set once, the rest the training set.

    The design of [1]_, section 2.2: the sample is chunked into K blocks T_k of
    m = n/K examples (sizes differ by one where K does not divide n), and the
    training set D_k is everything outside T_k. Unlike
    :class:`~sklearn.model_selection.KFold` it shuffles by default: blocks of a
    sorted sample are not exchangeable, which every test assumes.

    Parameters
    ----------
    n_splits : int, default=10
        Number of blocks K, at least 2 and at most n_samples.
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
        If there are fewer examples than blocks, or y is missing where
        `stratify=True`.

    See Also
    --------
    RepeatedSubsample : Independent random splits.
    PairedHalves : Adds runs on disjoint halves, to estimate a correlation.

    Notes
    -----
    The blocks are those of scikit-learn's KFold (StratifiedKFold) with the
    same seed.

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
    """

    def __init__(self, n_splits=10, *, shuffle=True, stratify=False, random_state=None):
        check_integer("n_splits", n_splits, 2)
        check_flag("shuffle", shuffle)
        check_flag("stratify", stratify)
        if not shuffle and random_state is not None:
            raise invalid("random_state", "None if shuffle=False", random_state)
        check_seed("random_state", random_state)
        self.n_splits = n_splits
        self.shuffle = shuffle
        self.stratify = stratify
        self.random_state = random_state

    def get_design(self):
        """Return the design of the splits.

        Returns
        -------
        design : Design
            The K-fold.
        """
        return Design("k-fold", self.n_splits)

    def _iter_splits(self, n_samples, y):
        if n_samples < self.n_splits:
            raise invalid(
                "n_splits",
                f"at most the number of examples, {n_samples}",
                self.n_splits,
            )
        kind = StratifiedKFold if self.stratify else KFold
        folds = kind(
            self.n_splits, shuffle=self.shuffle, random_state=self.random_state
        )
        return split_positions(folds, n_samples, y)


class RepeatedSubsample(DesignedSplitter):
    """J independent random splits into a training and a test set.

    The design of [1]_, section 1: for j = 1 ... J, n2 examples are drawn
    without replacement for testing, and the rest trains. The authors found
    that J above 15 adds little power.

    Parameters
    ----------
    n_repeats : int, default=15
        Number of splits J, at least 1.
    test_size : float or int, default=0.1
        Share (in (0, 1)) or number (>= 1) of examples to test on.
    train_size : float, int or None, default=None
        Share or number of examples to train on; None takes all that are not
        tested.
    stratify : bool, default=False
        Whether to keep the proportions of the classes of y in every split.
    random_state : int, RandomState instance or None, default=None
        Seeds the draws; an int makes them the same at every call.

    Raises
    ------
    ValueError
        If the sizes do not fit the sample, or y is missing where
        `stratify=True`.

    See Also
    --------
    BlockKFold : Disjoint test sets.

    Notes
    -----
    The splits are those of scikit-learn's ShuffleSplit
    (StratifiedShuffleSplit) with the same seed.

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
        check_integer("n_repeats", n_repeats, 1)
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

    def get_design(self):
        """Return the design of the splits.

        Returns
        -------
        design : Design
            Subsampling, or a holdout if `n_repeats=1`.
        """
        if self.n_repeats == 1:
            return Design("holdout", 1)
        return Design("subsample", self.n_repeats)

    def _iter_splits(self, n_samples, y):
        self._check_sizes(n_samples)
        kind = StratifiedShuffleSplit if self.stratify else ShuffleSplit
        shuffles = kind(
            self.n_repeats,
            test_size=self.test_size,
            train_size=self.train_size,
            random_state=self.random_state,
        )
        return split_positions(shuffles, n_samples, y)

    def _check_sizes(self, n_samples):
        """Check that test and training set are not empty and fit into the sample."""
        sizes = {"test_size": self.test_size, "train_size": self.train_size}
        try:
            next(
                ShuffleSplit(1, **sizes, random_state=0).split(np.zeros((n_samples, 1)))
            )
        except (OverflowError, ValueError):
            name = "test_size" if self.train_size is None else "train_size"
            allowed = (
                f"such that the sets are not empty and fit into {n_samples} examples"
            )
            shown = ", ".join(f"{one}={size!r}" for one, size in sizes.items())
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
        return Design("5x2", 2, 5)

    def _iter_splits(self, n_samples, y):
        kind = RepeatedStratifiedKFold if self.stratify else RepeatedKFold
        folds = kind(n_splits=2, n_repeats=5, random_state=self.random_state)
        return split_positions(folds, n_samples, y)
