"""Adjusting p-values for the number of comparisons."""

from __future__ import annotations

from typing import Literal

import numpy as np

from .. import _validation
from .._typing import Array, ArrayLike

ROUNDING = 1e-6  # of a level, so that rounding does not change a decision
METHODS = ("holm", "bonferroni", "hochberg", "fdr_bh")
Adjustment = Literal["holm", "bonferroni", "hochberg", "fdr_bh"]


def adjust_pvalues(p: ArrayLike, method: Adjustment = "holm") -> Array:
    """Adjust p-values for the number of comparisons.

    Parameters
    ----------
    p : array-like of shape (..., n_comparisons)
        p-values; each row along the last axis is a family.
    method : {"holm", "bonferroni", "hochberg", "fdr_bh"}, default="holm"
        Holm's step-down and Bonferroni's method control the probability of any
        false rejection under any dependence; Hochberg's step-up method under
        independence or positive dependence. "fdr_bh" controls the expected share
        of false rejections under positive dependence.

    Returns
    -------
    adjusted : ndarray of shape (..., n_comparisons)
        Adjusted p-values: reject those that are not above the level.

    Raises
    ------
    TypeError, ValueError
        If a p-value is not in [0, 1], or the method is not known.

    References
    ----------
    .. [1] S. Holm, "A Simple Sequentially Rejective Multiple Test Procedure",
       Scandinavian Journal of Statistics 6, 65-70, 1979.
    .. [2] Y. Hochberg, "A sharper Bonferroni procedure for multiple tests of
       significance", Biometrika 75, 800-802, 1988. :doi:`10.1093/biomet/75.4.800`
    .. [3] Y. Benjamini and Y. Hochberg, "Controlling the False Discovery Rate",
       JRSS B 57, 289-300, 1995. :doi:`10.1111/j.2517-6161.1995.tb02031.x`

    Examples
    --------
    >>> from sklearn_cvtest import adjust_pvalues
    >>> adjust_pvalues([0.01, 0.04, 0.03])
    array([0.03, 0.06, 0.06])
    """
    _validation.check_option("method", method, METHODS)
    array = np.atleast_1d(_validation.check_real_array("p", p))
    inside = (array >= 0) & (array <= 1)
    if not inside.all():
        raise _validation.invalid(
            "p", "p-values in [0, 1]", float(array[~inside].flat[0])
        )
    return _adjust(array, method)


def _adjust(p, method):
    n = p.shape[-1]
    if method == "bonferroni":
        return np.minimum(n * p, 1)
    order = np.argsort(p, axis=-1)
    p_sorted = np.take_along_axis(p, order, axis=-1)
    rank = np.arange(1, n + 1)
    factor = n / rank if method == "fdr_bh" else n - rank + 1
    if method == "holm":  # step down: from the smallest
        stepped = np.maximum.accumulate(factor * p_sorted, axis=-1)
    else:  # step up: from the largest
        reverse = (factor * p_sorted)[..., ::-1]
        stepped = np.minimum.accumulate(reverse, axis=-1)[..., ::-1]
    adjusted = np.empty_like(p)
    np.put_along_axis(adjusted, order, np.minimum(stepped, 1), axis=-1)
    return adjusted


def interval_levels(pvalues, adjusted, alpha, method):
    """Return the level of the interval that goes with each adjusted p-value.

    The tested value is outside exactly if the adjusted p-value is at most alpha. Of n,
    all have Bonferroni's level, and what a later step rejects has that of its step. For
    "fdr_bh", with R rejected, it is R/n of alpha, at which the expected share of
    intervals of rejected hypotheses that miss is controlled: Y. Benjamini and D.
    Yekutieli, "False Discovery Rate-Adjusted Multiple Confidence Intervals for Selected
    Parameters", JASA 100, 71-81, 2005.

    Parameters
    ----------
    pvalues, adjusted : ndarray of shape (n,)
        The p-values before and after adjustment.
    alpha : float
        The level of decisions.
    method : str or None
        As of :func:`adjust_pvalues`; None: not adjusted.
    """
    n = len(pvalues)
    if method is None:
        return np.full(n, alpha)
    is_rejected = adjusted <= alpha
    if method == "fdr_bh":
        return np.full(n, alpha * max(is_rejected.sum(), 1) / n)
    levels = np.full(n, alpha / n)
    is_later = is_rejected & (pvalues > levels)
    levels[is_later] = alpha * pvalues[is_later] / adjusted[is_later] * (1 + ROUNDING)
    return levels
