"""Fieller's interval of the ratio of the mean losses of two models [1]_.

The ratios r for which the mean of L1 - r L2 is not rejected, by the test of the
difference and at the same ρ. At r = 1 this is the test of the difference, so that 1 is
in the interval exactly if 0 is in the interval of the difference.

A test rejects where (μ1 - r μ2)² > c² (V1 - 2 r V12 + r² V2). Both sides are quadratic
in r, and the covariance V12 follows from the three variances that the test itself has
of L1, of L2 and of L1 - L2. Hence the ends are the roots of a quadratic.

References
----------
.. [1] E. C. Fieller, "Some Problems in Interval Estimation", Journal of the Royal
   Statistical Society B 16(2), 175-185, 1954. :doi:`10.1111/j.2517-6161.1954.tb00159.x`
"""

import numpy as np
from scipy import special

from ._student import critical_value


def signal_and_noise(evaluation):
    """Return what a test compares: it rejects where signal > threshold * noise.

    Both are quadratic in the residuals, as Fieller's interval needs.

    Parameters
    ----------
    evaluation : Evaluation
        The result of the test, for `popmean=0`.

    Returns
    -------
    signal, noise : float or ndarray of shape (...)
        The square of the statistic, or F, times its variance, and that variance: the
        square of the standard error. Where nothing varies, the signal is the square of
        the mean.
    """
    square = evaluation.statistic
    if not isinstance(evaluation.df, tuple):  # an F is a square already
        square = np.square(square)
    noise = np.square(evaluation.standard_error)
    varies = noise > 0
    signal = np.where(varies, square, 0.0) * noise
    return np.where(varies, signal, np.square(evaluation.estimate)), noise


def _threshold(df, confidence_level, alternative):
    """Return the quantile of F, or the square of the critical value."""
    if isinstance(df, tuple):
        return special.fdtri(*df, confidence_level)
    return np.square(critical_value(confidence_level, df, alternative))


def ratio_interval(evaluation, first, second, confidence_level, alternative):
    """Return Fieller's interval of the ratio of the mean losses of two models.

    Parameters
    ----------
    evaluation : Evaluation
        The result of a test of the differences, for `popmean=0`.
    first, second : tuple of two arrays of shape (...)
        What :func:`signal_and_noise` returned of the losses of each model alone.
    confidence_level : float
        Its level, in (0, 1).
    alternative : {"two-sided", "less", "greater"}
        As of the test.

    Returns
    -------
    low, high : ndarray of shape (...)
        The ends; see :func:`fieller_interval`.
    """
    terms = zip(first, second, signal_and_noise(evaluation), strict=True)
    signals, noises = (np.array(np.broadcast_arrays(*term)) for term in terms)
    threshold = _threshold(evaluation.df, confidence_level, alternative)
    return fieller_interval(signals, noises, threshold, alternative)


def fieller_interval(signals, noises, threshold, alternative):
    """Return the ratios that are not rejected.

    Parameters
    ----------
    signals, noises : ndarray of shape (3, ...), or three arrays
        A test rejects where signal > threshold * noise. For L1, for L2 and for L1 - L2;
        for a t test the squared means, and the variances of the means.
    threshold : float or ndarray of shape (...)
        For a t test, the square of the critical value.
    alternative : {"two-sided", "less", "greater"}
        As of the test of the difference.

    Returns
    -------
    low, high : ndarray of shape (...)
        The ends: at least 0, and inf where there is no upper end, as on the side that
        an alternative leaves open. Without an upper end, the second mean is not
        significantly above 0; if the first is not either, the ends are 0 and inf.

    Notes
    -----
    A ratio r is rejected if q(r) = a r² - 2 b r + c > 0. c > 0 says that the first mean
    is significantly above 0, a > 0 that the second is. If neither is but their
    difference is, the ratios that are not rejected are two pieces, [0, r1] and
    [r2, inf) around 1; the interval is the piece with the estimate.
    """
    with np.errstate(divide="ignore", invalid="ignore", over="ignore"):
        unit = signals[1]
        c = signals[0] / unit - threshold * (noises[0] / unit)
        a = signals[1] / unit - threshold * (noises[1] / unit)
        of_difference = signals[2] / unit - threshold * (noises[2] / unit)
        b = (c + a - of_difference) / 2
        root = np.sqrt(np.maximum(b**2 - a * c, 0.0))
        # (b - root)/a, without a difference of numbers that are nearly equal
        low = np.where(c > 0, c / (b + root), 0.0)
        high = np.where(a > 0, (b + root) / a, np.inf)
        is_gap = (a < 0) & (c < 0) & (of_difference > 0)
        is_above = signals[0] > signals[1]
        low = np.where(is_gap & is_above, (b - root) / a, low)
        high = np.where(is_gap & ~is_above, (b + root) / a, high)
        # an F test may reject every ratio: the nearest one stands in for both ends
        is_empty = (a > 0) & (b**2 < a * c)
        low = np.where(is_empty, high, low)
    low = np.where(np.isnan(low), 0.0, low)
    high = np.where(np.isnan(high), np.inf, high)
    if alternative == "less":
        low = np.zeros_like(low)
    if alternative == "greater":
        high = np.full_like(high, np.inf)
    return low, high
