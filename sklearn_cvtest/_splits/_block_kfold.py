"""BlockKFold: K disjoint blocks, each the test set once."""

from __future__ import annotations

import numbers
from itertools import chain
from typing import Literal

import numpy as np

from .._typing import Array, ArrayLike, Iterator, Seed
from .._validation import check_flag, check_integer, check_seed, invalid
from ._design import Design, design_of_folds
from ._splitters import DesignedSplitter, check_repeats, iter_folds, refuse_auto


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
    n_repeats : int or "auto", default=1
        Number of runs R, each with another assignment to blocks. The splits of the
        first run come first. For a `random_state` that is an int, the first runs are
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
        n_repeats: int | Literal["auto"] = 1,
        shuffle: bool = True,
        stratify: bool = False,
        random_state: Seed = None,
        max_repeats: int = 20,
        stability: float = 0.99,
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

    def get_design(self) -> Design:
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

    def split_repeat(
        self,
        X: ArrayLike,
        y: ArrayLike | None = None,
        groups: ArrayLike | None = None,
        *,
        repeat: int,
    ) -> Iterator[tuple[Array, Array]]:
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
            Number of the run, from 0; it may exceed `n_repeats`. For a `random_state`
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
        n_samples, y, codes = self._check_data(X, y, groups)
        return self._iter_run(n_samples, y, codes, repeat)

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
        rng, seed = None, self.random_state
        if self.shuffle and repeat and isinstance(seed, numbers.Integral):
            rng = np.random.RandomState([int(seed), int(repeat)])
        elif self.shuffle:
            rng = check_seed("random_state", seed)
        return iter_folds(self, self.n_splits, n_samples, y, codes, rng)
