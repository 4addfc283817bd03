"""Nested K-fold, of which the fits without a pair of folds are shared."""

from __future__ import annotations

from itertools import combinations

import numpy as np

from .._typing import Seed
from .._validation import check_flag, check_integer, check_seed, invalid
from ._block_kfold import BlockKFold
from ._design import Design
from ._splitters import DesignedSplitter


class NestedKFold(DesignedSplitter):
    """K-fold cross-validation, and within each training set once more.

    The design of [1]_, for an interval that covers the error of the algorithm trained
    on all n examples: the K-fold inside a training set shows how far its mean is from
    the error on the fold outside. Leaving out fold a and testing on b is the same fit
    as leaving out b and testing on a, so that K(K-1)/2 fits serve all K inner runs.

    Parameters
    ----------
    n_splits : int, default=5
        Number of folds K, at least 3. Every fold needs two examples, or two groups, for
        a variance.
    n_repeats : int, default=5
        Number of runs R, each with other folds. The estimate of the standard error
        needs many to be stable: [1]_ has 200, and tens are common.
    stratify : bool, default=False
        Whether to spread the classes of y evenly over the folds.
    random_state : int, RandomState instance or None, default=None
        Seeds the assignment; an int makes it the same at every call.

    Raises
    ------
    ValueError
        If a fold has fewer than two examples, or two groups, or y is missing where
        `stratify=True`.

    See Also
    --------
    BlockKFold : The K-fold alone.

    Notes
    -----
    The splits of a run are first the K folds, each tested by a model of the others;
    then, for each pair of folds (1, 2), (1, 3), ..., (K-1, K), a model of the other
    K-2 folds, tested on both: first on the one, then on the other. That is K(K+1)/2
    fits a run.

    References
    ----------
    .. [1] S. Bates, T. Hastie and R. Tibshirani, "Cross-validation: What does it
       estimate and how well does it do it?", Journal of the American Statistical
       Association 119, 1434-1445, 2024. :doi:`10.1080/01621459.2023.2197686`

    Examples
    --------
    >>> import numpy as np
    >>> from sklearn_cvtest import NestedKFold
    >>> cv = NestedKFold(3, n_repeats=1, random_state=0)
    >>> for train, test in cv.split(np.zeros(6)):
    ...     print(train, test)
    [0 1 3 4] [2 5]
    [0 2 4 5] [1 3]
    [1 2 3 5] [0 4]
    [0 4] [2 5 1 3]
    [1 3] [2 5 0 4]
    [2 5] [1 3 0 4]
    """

    is_recognised = False

    def __init__(
        self,
        n_splits: int = 5,
        *,
        n_repeats: int = 5,
        stratify: bool = False,
        random_state: Seed = None,
    ):
        check_integer("n_splits", n_splits, 3)
        check_integer("n_repeats", n_repeats, 1)
        check_flag("stratify", stratify)
        check_seed("random_state", random_state)
        self.n_splits = n_splits
        self.n_repeats = n_repeats
        self.stratify = stratify
        self.random_state = random_state

    def get_design(self) -> Design:
        """Return the design of the splits.

        Returns
        -------
        design : Design
            The nested K-fold.
        """
        return Design("nested k-fold", self.n_splits, self.n_repeats)

    def _iter_splits(self, n_samples, y, *groups):
        # one generator for all runs: of a seed, the first are the same whatever R
        rng = check_seed("random_state", self.random_state)
        blocks = BlockKFold(self.n_splits, stratify=self.stratify, random_state=rng)
        for _ in range(self.n_repeats):
            run = list(blocks._iter_splits(n_samples, y, *groups))
            folds = [test for _, test in run]
            self._check_folds(folds, np.arange(n_samples), *groups)
            yield from run
            for pair in combinations(folds, 2):
                test = np.concatenate(pair)
                in_train = np.ones(n_samples, dtype=bool)
                in_train[test] = False
                yield np.flatnonzero(in_train), test

    def _check_folds(self, folds, rows, groups=None):
        """Check that every fold has two examples, or groups, at least."""
        codes, units = (rows, "examples") if groups is None else (groups, "groups")
        if min(len(np.unique(codes[fold])) for fold in folds) >= 2:
            return
        n_units = len(np.unique(codes))
        size, hint = f"at most {n_units // 2}", ""
        if self.n_splits <= n_units // 2:
            size, hint = "smaller", "A large group can fill a fold alone."
        allowed = f"{size}, so that every fold has two of the {n_units} {units}"
        raise invalid("n_splits", allowed, self.n_splits, hint=hint)
