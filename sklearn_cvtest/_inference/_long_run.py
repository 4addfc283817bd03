"""The mean of a series and its long-run variance, as pure functions.

[DM95] Diebold & Mariano (1995), "Comparing Predictive Accuracy", Journal of Business &
Economic Statistics 13(3), 253-263; [HLN97] Harvey, Leybourne & Newbold (1997), "Testing
the equality of prediction mean squared errors", International Journal of Forecasting
13(2), 281-291; [LLSW18] Lazarus, Lewis, Stock & Watson (2018), "HAR Inference:
Recommendations for Practice", Journal of Business & Economic Statistics 36(4), 541-559.
Series are along the last axis, in the order of time; everything is vectorised over
leading axes.
"""

from typing import NamedTuple

import numpy as np
from scipy.fft import dct

from ._student import ROUNDING, scale_to_one, standardise

KERNELS = ("uniform", "bartlett")
# Cosines: at most 0.4 T^(2/3) of T times [LLSW18], at most 0.8 times the number of test
# blocks, and as many as hold this share of the long-run variance of an autoregressive
# series of order 1, on average; at least two. Sizes: docs/data/calibration_series.csv.
OF_TIMES, OF_BLOCKS, SHARE, LEAST = 0.4, 0.8, 0.85, 2
ALMOST_ONE = 0.995  # the largest coefficient of such a series


class SeriesTest(NamedTuple):
    """The t statistic of the mean of a series.

    Attributes
    ----------
    estimate, standard_error, statistic : ndarray of shape (...)
        The mean; its standard error, with the small-sample factor; their ratio.
    df : int or ndarray of shape (...)
        Degrees of freedom: T - 1, or the number of cosines.
    is_doubtful : ndarray of bool of shape (...)
        Where the uniform kernel gave no positive variance and the Bartlett kernel was
        used; where even two cosines do not hold enough of it.
    """

    estimate: np.ndarray
    standard_error: np.ndarray
    statistic: np.ndarray
    df: int | np.ndarray
    is_doubtful: np.ndarray


def autocovariances(series, n_lags):
    """Return γ̂_0 ... γ̂_n_lags, Σ_t (d_t - d̄)(d_{t-k} - d̄)/T, of shape (..., n_lags+1).

    As in [DM95], over T whatever the lag.
    """
    n_times = series.shape[-1]
    centred = series - series.mean(axis=-1, keepdims=True)
    products = [
        np.sum(centred[..., lag:] * centred[..., : n_times - lag], axis=-1)
        for lag in range(n_lags + 1)
    ]
    return np.stack(products, axis=-1) / n_times


def long_run_variance(series, horizon=1, kernel="uniform"):
    """Return the long-run variance of series, and where another kernel was used.

    Errors of forecasts h steps ahead are correlated up to lag h - 1. The uniform kernel
    adds 2γ̂_k for these lags, as in [DM95]; Bartlett's weighs them by 1 - k/h,
    and takes the place of the uniform where that is not positive.

    Parameters
    ----------
    series : ndarray of shape (..., T)
        In the order of time.
    horizon : int, default=1
        Steps ahead h, from 1 to T - 1.
    kernel : {"uniform", "bartlett"}, default="uniform"
        How the lags are weighed.

    Returns
    -------
    variance : ndarray of shape (...)
        T times the variance of the mean.
    is_bartlett : ndarray of bool of shape (...)
        Where the kernel asked for was uniform and is not what was used.
    """
    covariances = autocovariances(series, horizon - 1)
    lags = np.arange(horizon)
    weights = np.where(lags > 0, 2.0, 1.0)
    bartlett = covariances @ (weights * (1 - lags / horizon))
    if kernel == "bartlett":
        return bartlett, np.zeros(bartlett.shape, dtype=bool)
    uniform = covariances @ weights
    is_bartlett = (uniform <= ROUNDING * covariances[..., 0]) & (
        covariances[..., 0] > 0
    )
    return np.where(is_bartlett, bartlett, uniform), is_bartlett


def small_sample_factor(n_times, horizon=1):
    """Return √((T + 1 - 2h + h(h - 1)/T)/T) of [HLN97].

    It equals √((T - h)(T - h + 1))/T; positive for h < T.
    """
    return np.sqrt((n_times - horizon) * (n_times - horizon + 1)) / n_times


def cosine_variance(series, longest=None):
    """Return the long-run variance from the lowest cosines, and how many these are.

    The mean square of ν coefficients √(2/T) Σ_t d_t cos(πj(t - 1/2)/T), j = 1 ... ν, of
    series with mean zero: independent, and with that variance, as far as the spectrum
    is flat over these frequencies. With independent normal values, the t statistic has
    ν degrees of freedom exactly [LLSW18].

    Parameters
    ----------
    series : ndarray of shape (..., T)
        Deviations from the mean in the order of time.
    longest : int, default=None
        Length of the longest test block, whose forecasts one model made; None: unknown.

    Returns
    -------
    variance : ndarray of shape (...)
        T times the variance of the mean.
    n_terms : ndarray of int of shape (...)
        The number of cosines ν.
    is_doubtful : ndarray of bool of shape (...)
        Where the series is too much alike over time even for two.
    """
    n_times = series.shape[-1]
    blocks = np.inf if longest is None else OF_BLOCKS * n_times / longest
    most = int(max(min(OF_TIMES * n_times ** (2 / 3), blocks), LEAST))
    most = min(most, n_times - 1)
    frequencies = np.pi * np.arange(1, most + 1) / n_times
    phi = np.maximum(persistence(series), 0.0)[..., np.newaxis]
    # the spectrum over that at frequency 0
    flat = (1 - phi) ** 2 / (1 - 2 * phi * np.cos(frequencies) + phi**2)
    counts = np.arange(1, most + 1)
    enough = np.cumsum(flat, axis=-1) / counts >= SHARE
    wanted = np.sum(enough, axis=-1)
    least = min(LEAST, most)
    n_terms = np.maximum(wanted, least)
    squares = np.cumsum(dct(series, axis=-1)[..., 1 : most + 1] ** 2, axis=-1)
    total = np.take_along_axis(squares, n_terms[..., np.newaxis] - 1, axis=-1)[..., 0]
    return total / (2 * n_times * n_terms), n_terms, wanted < least


def persistence(series):
    """Return the autocorrelation at lag 1 of deviations from a mean, without its bias.

    In an autoregressive series of order 1 it is φ - (1 + 4φ)/T on average: Marriott &
    Pope (1954), "Bias in the estimation of autocorrelations", Biometrika 41, 390-402.
    """
    products = np.sum(series[..., 1:] * series[..., :-1], axis=-1)
    squares = np.sum(series**2, axis=-1)
    found = products / np.where(squares > 0, squares, 1)
    return np.minimum(found + (1 + 4 * found) / series.shape[-1], ALMOST_ONE)


def lasting_autocorrelation(series, horizon):
    """Return the autocorrelation at lag h, which forecasts h steps ahead do not have.

    And whether it is significantly positive at the 1% level, by Bartlett's variance
    (1 + 2 Σ_{k<h} r_k²)/T.
    """
    covariances = autocovariances(series, horizon)
    variance = np.where(covariances[..., :1] > 0, covariances[..., :1], 1)
    correlations = covariances[..., 1:] / variance
    known = np.sum(correlations[..., :-1] ** 2, axis=-1)
    last = correlations[..., -1]
    return last, last > 2.326 * np.sqrt((1 + 2 * known) / series.shape[-1])


def diebold_mariano(
    series, horizon=None, kernel="uniform", popmean=0.0, *, inside=None, longest=None
):
    """Test the mean of loss differences of forecasts, at all times or some.

    With a horizon, the statistic of [DM95], times the factor of [HLN97], with Student's
    t of T - 1 degrees of freedom; else the statistic of [LLSW18]. A series without
    variance gives 0 or ±inf, as every test here. The long-run variance is taken from
    deviations from the mean, zero at other times: it counts what is correlated at the
    horizon, whatever is between.

    Parameters
    ----------
    series : ndarray of shape (..., T)
        Loss differences in the order of time.
    horizon : int, default=None
        Steps ahead h, from 1 to T - 1; None: as long as the differences are correlated.
    kernel : {"uniform", "bartlett"}, default="uniform"
        How the lags are weighed, if there is a horizon.
    popmean : float, default=0.0
        The mean under the null hypothesis.
    inside : ndarray of bool of shape (T,), default=None
        The times over which the mean goes; None: all.
    longest : int, default=None
        As in :func:`cosine_variance`.

    Returns
    -------
    result : SeriesTest
        Its statistics.
    """
    n_times = series.shape[-1]
    inside = np.ones(n_times, dtype=bool) if inside is None else inside
    n = int(np.count_nonzero(inside))
    scaled, scale = scale_to_one(series)
    some = scaled[..., inside]
    estimate = some.mean(axis=-1)
    deviations = np.where(inside, scaled - estimate[..., np.newaxis], 0.0)
    if horizon is None:
        variance, df, is_doubtful = cosine_variance(deviations, longest)
        df = np.minimum(df, n - 1)
    else:
        variance, is_doubtful = long_run_variance(deviations, horizon, kernel)
        variance = variance / small_sample_factor(n, min(horizon, n - 1)) ** 2
        df = n - 1
    error = np.sqrt(np.maximum(variance, 0) * n_times) / n
    result = standardise(estimate, error, some.std(axis=-1), scale, popmean)
    is_flat = np.asarray(result.standard_error) == 0
    return SeriesTest(*result, df, is_doubtful & ~is_flat)
