"""P-values of several comparisons, and intervals of ratios."""

import numpy as np

from .._validation import check_array, check_option, invalid
from .student import critical_value

METHODS = ("holm", "bonferroni", "hochberg", "fdr_bh")


def adjust_pvalues(p, method="holm") -> np.ndarray:
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
    check_option("method", method, METHODS)
    p = np.atleast_1d(check_array("p", p))
    if not ((p >= 0) & (p <= 1)).all():
        raise invalid("p", "p-values in [0, 1]", p)
    n = p.shape[-1]
    if method == "bonferroni":
        return np.minimum(n * p, 1)
    order = np.argsort(p, axis=-1)
    ordered = np.take_along_axis(p, order, axis=-1)
    rank = np.arange(1, n + 1)
    if method == "holm":
        stepped = np.maximum.accumulate((n - rank + 1) * ordered, axis=-1)
    else:
        factor = n - rank + 1 if method == "hochberg" else n / rank
        stepped = np.minimum.accumulate((factor * ordered)[..., ::-1], axis=-1)
        stepped = stepped[..., ::-1]
    adjusted = np.empty_like(p)
    np.put_along_axis(adjusted, order, np.minimum(stepped, 1), axis=-1)
    return adjusted


def levels_of_intervals(pvalues, adjusted, alpha, p_adjust):
    """Return the level of the simultaneous interval of each comparison.

    Bonferroni's, or of a comparison that a later step of Holm's method rejects the
    level at which that step does. Of "fdr_bh", with R of n rejected, R/n of alpha:
    Y. Benjamini and D. Yekutieli, JASA 100, 71-81, 2005.
    """
    n = len(pvalues)
    levels = np.full(n, alpha / n)
    if p_adjust == "fdr_bh":
        return levels * max((adjusted <= alpha).sum(), 1)
    if p_adjust == "bonferroni":
        return levels
    is_later = (adjusted <= alpha) & (pvalues > alpha / n)
    with np.errstate(invalid="ignore", divide="ignore"):
        of_step = alpha * pvalues / adjusted * (1 + 1e-6)
    return np.where(is_later, of_step, levels)


def signal_and_noise(evaluation):
    """Return what a test compares: it rejects where signal > threshold · noise."""
    square = evaluation.statistic
    if not isinstance(evaluation.df, tuple):  # an F is a square already
        square = np.square(square)
    noise = np.square(evaluation.standard_error)
    with np.errstate(invalid="ignore"):
        signal = np.where(noise > 0, square * noise, np.square(evaluation.estimate))
    return signal, noise


def log_ratio_interval(evaluation, first, second, level, alternative):
    """Return Fieller's interval of the log ratio of two mean losses.

    It holds the log ratios that are not rejected; `first` and `second` are the
    evaluations of each model's losses alone.
    """
    from scipy import special

    if isinstance(evaluation.df, tuple):
        threshold = special.fdtri(*evaluation.df, level)
    else:
        threshold = critical_value(level, evaluation.df, alternative) ** 2
    terms = []
    for part in (first, second, evaluation):
        signal, noise = signal_and_noise(part)
        terms.append(signal - threshold * noise)
    c, a, of_difference = terms
    b = (c + a - of_difference) / 2
    root = np.sqrt(np.maximum(b**2 - a * c, 0.0))
    with np.errstate(divide="ignore", invalid="ignore"):
        low = np.where(c > 0, c / (b + root), 0.0)
        high = np.where(a > 0, (b + root) / a, np.inf)
        # neither mean is above 0, but they differ: two pieces, one with the estimate
        is_gap = (a < 0) & (c < 0) & (of_difference > 0) & (b < 0)
        is_above = first.estimate > second.estimate
        low = np.where(is_gap & is_above, (b - root) / a, low)
        high = np.where(is_gap & ~is_above, (b + root) / a, high)
        low, high = np.log(low), np.log(high)
    if alternative == "less":
        low = np.full_like(low, -np.inf)
    if alternative == "greater":
        high = np.full_like(high, np.inf)
    return low, high
