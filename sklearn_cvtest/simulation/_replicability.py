"""How often reruns of a test agree."""

from __future__ import annotations

import numpy as np

from .._typing import Array, ArrayLike
from .._validation import check_level, check_real_array, invalid


def replicability(pvalues: ArrayLike, *, alpha: float = 0.05) -> float | Array:
    """Estimate the probability that two reruns of a test agree.

    A rerun draws other splits of the *same* sample: what differs between reruns is
    chance alone, and if the decision of a test depends on it, one may be tempted to try
    seeds until it rejects.

    Parameters
    ----------
    pvalues : array-like of shape (..., n_runs)
        p-values of the test over reruns with different seeds, at least two.
    alpha : float, default=0.05
        Level at which a run rejects, in (0, 1).

    Returns
    -------
    probability : float or ndarray of shape (...)
        [C(i, 2) + C(r - i, 2)] / C(r, 2) for i rejections in r runs: the share of
        pairs of runs that agree, between about 1/2 (with many runs) and 1.

    Raises
    ------
    TypeError, ValueError
        If a p-value is not in [0, 1] or there are fewer than two.

    References
    ----------
    .. [1] R. R. Bouckaert and E. Frank, "Evaluating the Replicability of
       Significance Tests for Comparing Learning Algorithms", PAKDD 2004.
       :doi:`10.1007/978-3-540-24775-3_3`

    Examples
    --------
    >>> from sklearn_cvtest.simulation import replicability
    >>> replicability([0.01, 0.03, 0.06, 0.02])
    0.5

    Over seeds of a splitter:

    >>> from sklearn.datasets import load_breast_cancer
    >>> from sklearn.naive_bayes import GaussianNB
    >>> from sklearn.tree import DecisionTreeClassifier
    >>> from sklearn_cvtest import RepeatedSubsample, compare_estimators
    >>> X, y = load_breast_cancer(return_X_y=True)
    >>> models = [GaussianNB(), DecisionTreeClassifier(random_state=0)]
    >>> runs = [
    ...     compare_estimators(models, X, y, cv=RepeatedSubsample(5, random_state=seed))
    ...     for seed in range(4)
    ... ]
    >>> replicability([run.pvalue_ for run in runs])
    1.0
    """
    alpha = check_level("alpha", alpha)
    pvalues = np.atleast_1d(check_real_array("pvalues", pvalues))
    inside = (pvalues >= 0) & (pvalues <= 1)
    if not inside.all():
        raise invalid("pvalues", "in [0, 1]", float(pvalues[~inside].flat[0]))
    n_runs = pvalues.shape[-1]
    if n_runs < 2:
        raise invalid("pvalues", "from at least two runs", pvalues.tolist())
    rejections = np.sum(pvalues <= alpha, axis=-1)
    rest = n_runs - rejections
    agreeing = rejections * (rejections - 1) + rest * (rest - 1)
    probability = agreeing / (n_runs * (n_runs - 1))
    return float(probability) if probability.ndim == 0 else probability
