"""The ideal hold-out: several independent training and test sets."""

from __future__ import annotations

import numpy as np
from sklearn.model_selection import BaseCrossValidator

from .._compat import n_rows
from .._splits._groups import check_lengths
from .._typing import Any, Array, ArrayLike, Iterator
from .._validation import check_integer, invalid_words


class IndependentHoldouts(BaseCrossValidator):
    """Cut a sample into disjoint training and test sets, all of the same size.

    The ideal situation of [1]_, experiment 1, in which no example is used twice; a
    sample of 2Kn examples gives K training and K test sets of n.

    Parameters
    ----------
    n_splits : int, default=10
        Number K of training and of test sets.

    Raises
    ------
    TypeError, ValueError
        If `n_splits` is not an integer >= 1.

    References
    ----------
    .. [1] Y. Bengio and Y. Grandvalet, "No Unbiased Estimator of the Variance of
       K-Fold Cross-Validation", NIPS 2003; JMLR 5, 1089-1105, 2004.

    Examples
    --------
    >>> from sklearn_cvtest.simulation import IndependentHoldouts
    >>> [(train.tolist(), test.tolist())
    ...  for train, test in IndependentHoldouts(2).split([0] * 8)]
    [([0, 1], [2, 3]), ([4, 5], [6, 7])]
    """

    def __init__(self, n_splits: int = 10):
        self.n_splits = check_integer("n_splits", n_splits, 1)

    def split(
        self, X: ArrayLike, y: Any = None, groups: Any = None
    ) -> Iterator[tuple[Array, Array]]:
        """Generate the splits, in the order of the examples.

        Parameters
        ----------
        X : array-like of shape (n_samples, n_features)
            The data; only its length is used.
        y, groups : object, default=None
            Ignored, exist for API compatibility.

        Returns
        -------
        splits : iterator of (ndarray, ndarray)
            The training and the test set indices of each split.

        Raises
        ------
        ValueError
            If the number of examples is not a multiple of 2K.
        """
        X, *_ = check_lengths(X, None, None)
        n_samples, n_sets = n_rows(X), 2 * self.n_splits
        if n_samples == 0 or n_samples % n_sets:
            raise invalid_words("X", f"a multiple of {n_sets} examples", f"{n_samples}")
        sets = np.arange(n_samples).reshape(n_sets, -1)
        return zip(sets[::2], sets[1::2], strict=True)

    def get_n_splits(self, X: Any = None, y: Any = None, groups: Any = None) -> int:
        """Return the number of splits.

        Parameters
        ----------
        X, y, groups : object, default=None
            Ignored, exist for API compatibility.

        Returns
        -------
        n_splits : int
            K.
        """
        return self.n_splits
