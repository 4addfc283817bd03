"""FiveByTwo: five replications of 2-fold cross-validation."""

from __future__ import annotations

from itertools import chain

from .._typing import Seed
from .._validation import check_flag, check_seed
from ._design import Design, design_of_folds
from ._splitters import DesignedSplitter, iter_folds


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

    def __init__(self, *, stratify: bool = False, random_state: Seed = None):
        check_flag("stratify", stratify)
        check_seed("random_state", random_state)
        self.stratify = stratify
        self.random_state = random_state

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
        return chain.from_iterable(
            iter_folds(self, 2, n_samples, y, codes, rng) for _ in range(5)
        )
