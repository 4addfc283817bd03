"""PairedHalves: a cross-validation of the whole sample, then of disjoint halves.

[NB99]: Nadeau & Bengio 1999, "Inference for the Generalization Error".
"""

from __future__ import annotations

import numpy as np
from sklearn.model_selection import ShuffleSplit, StratifiedShuffleSplit

from .._compat import take_rows
from .._typing import Seed
from .._validation import check_flag, check_integer, check_seed, invalid, invalid_words
from ._block_kfold import BlockKFold
from ._design import Design
from ._groups import are_groups, count_rows, deal_groups
from ._splitters import DesignedSplitter, split_positions
from ._subsample import RepeatedSubsample, subsample_sizes


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

    is_recognised = False

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
        check_integer("n_halvings", n_halvings, 1)
        check_flag("stratify", stratify)
        check_seed("random_state", random_state)
        self.cv = cv
        self.n_halvings = n_halvings
        self.stratify = stratify
        self.random_state = random_state

    def get_design(self) -> Design:
        """Return the design of the splits.

        Returns
        -------
        design : Design
            Paired halves, with the design of `cv` as its base.
        """
        n_splits = self.cv.get_n_splits()
        base = "k-fold" if isinstance(self.cv, BlockKFold) else "subsample"
        return Design("paired halves", n_splits, 1, base, self.n_halvings)

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
            sizes = {"test_size": n_samples // 2, "train_size": n_samples // 2}
            kind = StratifiedShuffleSplit if self.stratify else ShuffleSplit
            halvings = kind(self.n_halvings, **sizes, random_state=self.random_state)
            for first, second in split_positions(halvings, n_samples, y):
                yield np.sort(first)
                yield np.sort(second)
            return
        counts = count_rows(codes, y if self.stratify else None)
        rng = check_seed("random_state", self.random_state)
        for _ in range(self.n_halvings):
            half_of_row = deal_groups(counts, 2, rng)[codes]
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
        return codes if are_groups(codes) else None

    def _cv_of_half(self, n_samples):
        n_half = n_samples // 2
        if isinstance(self.cv, BlockKFold):
            if n_half < self.cv.n_splits:
                raise invalid(
                    "cv",
                    f"a cross-validation of at most {n_half} folds, the size of a half "
                    f"of {n_samples} examples",
                    self.cv,
                )
            return self.cv
        n_train, n_test = subsample_sizes(self.cv, n_samples)
        # [NB99] section 3: n1' = floor(n/2) - n2
        n_train = min(n_half - n_test, n_train)
        if n_train < 1:
            raise invalid(
                "cv",
                f"a subsampling with fewer test examples than the {n_half} of a half",
                self.cv,
                hint=f"It tests on {n_test} of {n_samples} examples.",
            )
        return RepeatedSubsample(
            self.cv.n_repeats,
            test_size=n_test,
            train_size=None if self.cv.train_size is None else n_train,
            stratify=self.cv.stratify,
            random_state=self.cv.random_state,
        )
