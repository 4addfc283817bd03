"""The mean of a series and its long-run variance, as pure functions.

[DM95] Diebold & Mariano (1995), "Comparing Predictive Accuracy", Journal of Business &
Economic Statistics 13(3), 253-263; [HLN97] Harvey, Leybourne & Newbold (1997), "Testing
the equality of prediction mean squared errors", International Journal of Forecasting
13(2), 281-291. Series are along the last axis, in the order of time; everything is
vectorised over leading axes.
"""

from typing import NamedTuple

import numpy as np

from ._student import ROUNDING, scale_to_one, standardise

KERNELS = ("uniform", "bartlett")


class SeriesTest(NamedTuple):
    """The t statistic of the mean of a series.

    Attributes
    ----------
    estimate, standard_error, statistic : ndarray of shape (...)
        The mean; its standard error, with the small-sample factor; their ratio.
    df : int
        Degrees of freedom, T - 1.
    is_bartlett : ndarray of bool of shape (...)
        Where the uniform kernel gave no positive variance and the Bartlett kernel was
        used.
    """

    estimate: np.ndarray
    standard_error: np.ndarray
    statistic: np.ndarray
    df: int
    is_bartlett: np.ndarray


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


def diebold_mariano(series, horizon=1, kernel="uniform", popmean=0.0):
    """Test the mean of loss differences of forecasts.

    The statistic of [DM95], times the factor of [HLN97], with Student's t of T - 1
    degrees of freedom. A series without variance gives 0 or ±inf, as every test here.

    Parameters
    ----------
    series : ndarray of shape (..., T)
        Loss differences in the order of time.
    horizon : int, default=1
        Steps ahead h, from 1 to T - 1.
    kernel : {"uniform", "bartlett"}, default="uniform"
        The kernel of the long-run variance.
    popmean : float, default=0.0
        The mean under the null hypothesis.

    Returns
    -------
    result : SeriesTest
        Its statistics.
    """
    n_times = series.shape[-1]
    scaled, scale = scale_to_one(series)
    variance, is_bartlett = long_run_variance(scaled, horizon, kernel)
    factor = small_sample_factor(n_times, horizon)
    deviation = np.sqrt(np.maximum(variance, 0) / n_times) / factor
    spread = scaled.std(axis=-1)
    result = standardise(scaled.mean(axis=-1), deviation, spread, scale, popmean)
    is_flat = np.asarray(result.standard_error) == 0
    return SeriesTest(*result, n_times - 1, is_bartlett & ~is_flat)
