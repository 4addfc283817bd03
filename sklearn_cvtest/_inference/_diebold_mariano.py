"""The test of forecasts over time, by the long-run variance of a series.

[DM95] Diebold & Mariano (1995), "Comparing Predictive Accuracy", Journal of Business &
Economic Statistics 13(3), 253-263; [HLN97] Harvey, Leybourne & Newbold (1997), "Testing
the equality of prediction mean squared errors", International Journal of Forecasting
13(2), 281-291; [LLSW18] Lazarus, Lewis, Stock & Watson (2018), "HAR Inference:
Recommendations for Practice", Journal of Business & Economic Statistics 36(4), 541-559.
Series are along the last axis, in the order of time.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Literal

import numpy as np
from scipy.fft import dct

from .._data._residuals import CVResiduals
from .._validation import check_integer, invalid_words, warn
from ..exceptions import AutocorrelatedResidualsWarning, DegenerateResidualsWarning
from . import _test_warnings as texts
from ._base_test import BaseCVTest
from ._evaluation import Evaluation
from ._papers import cite
from ._parameters import checked_by, one_of
from ._student import ROUNDING, scale_to_one, standardise, statistic_pvalue
from ._traits import class_traits

# Cosines: at most 0.4 T^(2/3) of T times [LLSW18], at most 0.8 times the number of test
# blocks, and as many as hold this share of the long-run variance of an autoregressive
# series of order 1, on average. Sizes: docs/data/calibration_series.csv.
OF_TIMES = 0.4
OF_BLOCKS = 0.8
SHARE = 0.85
LEAST = 2  # cosines in any case
ALMOST_ONE = 0.995  # the largest coefficient of such a series


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
    variance = bartlett if kernel == "bartlett" else covariances @ weights
    first = covariances[..., 0]
    is_bartlett = (variance <= ROUNDING * first) & (first > 0) & (kernel == "uniform")
    return np.where(is_bartlett, bartlett, variance), is_bartlett


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
    correlation = products / np.where(squares > 0, squares, 1)
    return np.minimum(
        correlation + (1 + 4 * correlation) / series.shape[-1], ALMOST_ONE
    )


def lasting_autocorrelation(series, horizon):
    """Return the autocorrelation at lag h, which forecasts h steps ahead do not have.

    And whether it is significantly positive at the 1% level, by Bartlett's variance
    (1 + 2 Σ_{k<h} r_k²)/T.
    """
    covariances = autocovariances(series, horizon)
    variance = np.where(covariances[..., :1] > 0, covariances[..., :1], 1)
    correlations = covariances[..., 1:] / variance
    squares = np.sum(correlations[..., :-1] ** 2, axis=-1)
    last = correlations[..., -1]
    return last, last > 2.326 * np.sqrt((1 + 2 * squares) / series.shape[-1])


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
    result : Statistic
        The mean; its standard error, with the small-sample factor; their ratio.
    df : int or ndarray of shape (...)
        Degrees of freedom: T - 1, or the number of cosines.
    is_doubtful : ndarray of bool of shape (...)
        Where the uniform kernel gave no positive variance and the Bartlett kernel was
        used; where even two cosines do not hold enough of it.
    """
    n_times = series.shape[-1]
    inside = np.ones(n_times, dtype=bool) if inside is None else inside
    n = int(np.count_nonzero(inside))
    scaled, scale = scale_to_one(series)
    selected = scaled[..., inside]
    estimate = selected.mean(axis=-1)
    deviations = np.where(inside, scaled - estimate[..., np.newaxis], 0.0)
    if horizon is None:
        variance, df, is_doubtful = cosine_variance(deviations, longest)
        df = np.minimum(df, n - 1)
    else:
        variance, is_doubtful = long_run_variance(deviations, horizon, kernel)
        variance = variance / small_sample_factor(n, min(horizon, n - 1)) ** 2
        df = n - 1
    error = np.sqrt(np.maximum(variance, 0) * n_times) / n
    result = standardise(estimate, error, selected.std(axis=-1), scale, popmean)
    is_flat = np.asarray(result.standard_error) == 0
    return result, df, is_doubtful & ~is_flat


def _check_horizon(name, value):
    if value is not None:
        check_integer(name, value, 1)


@dataclass(eq=False, repr=False)
class DieboldMarianoTest(BaseCVTest):
    """Diebold and Mariano's test of two forecasts of a time series.

    Tests whether the expected loss difference of the forecasts that were made is
    `popmean`. Differences at neighbouring times are correlated, so that the variance of
    their mean is the long-run variance of the series, not the variance for independent
    examples. It is about these forecasts, with the training sets as they grew, not
    about the learning algorithms on other data.

    Parameters
    ----------
    horizon : int, default=None
        None: for how long differences are correlated is taken from the test sets, each
        of which one model forecast, and from the differences. Else the number of steps
        ahead h that were forecast, at least 1 and below the number of times: errors of
        optimal forecasts are correlated up to lag h - 1, and no longer.
    kernel : {"uniform", "bartlett"}, default="uniform"
        With a `horizon`, how the autocovariances up to lag h - 1 are weighed: all
        alike, as in [1]_, or by 1 - k/h, which cannot give a negative variance.
    alpha : float, default=0.05
        Level in (0, 1); kept for reports.
    alternative : {"two-sided", "less", "greater"}, default="two-sided"
        "greater": the expected residual is above `popmean`, that is (with 0)
        the second estimator is better.
    popmean : float, default=0.0
        Expected residual under the null hypothesis.

    Attributes
    ----------
    statistic_, pvalue_ : float
        The statistic, with a `horizon` as in [2]_, and its p-value from Student's t.
    estimate_, standard_error_ : float
        Mean difference over all times, and its standard error.
    df_ : int
        The number of cosines, see Notes; with a `horizon` T - 1, of T times.
    rho_, rho_alpha_ : float
        nan: there are no exchangeable blocks.

    Warns
    -----
    AutocorrelatedResidualsWarning
        If differences are correlated for longer than `horizon` says, or, without it,
        for so long that no variance can be had of so few times.
    DegenerateResidualsWarning
        If the variance by the uniform kernel is not positive; Bartlett's takes its
        place.

    Notes
    -----
    The variance of the mean d̄ of T differences d_t is their long-run variance over T.
    Without `horizon`, that is the mean square of the first ν coefficients
    √(2/T) Σ_t d_t cos(πj(t - 1/2)/T), j = 1 ... ν, and d̄ over its root has Student's t
    distribution with ν degrees of freedom: exactly for independent normal differences,
    and nearly if their spectrum is flat over the ν lowest frequencies, whatever it is
    elsewhere [3]_; [4]_ found tests of this kind to keep their level where the
    statistic of [1]_ does not. ν is at most 0.4 T^(2/3) [3]_, at most 0.8 times the
    number of test sets (of the longest's length), over which what one model does wrong
    lasts, and so small that an autoregressive series of order 1 with the differences'
    autocorrelation (corrected for its bias) has 85% of its long-run variance there; at
    least 2. Few long test sets thus cost power; many short ones do not.

    With `horizon`, and γ̂_k the autocovariances of the differences, the variance is
    (γ̂_0 + 2 Σ_{k<h} w_k γ̂_k)/T, and the statistic is multiplied by
    √((T + 1 - 2h + h(h - 1)/T)/T) [2]_.

    Residuals are put in the order of the rows of X, which must be their order in time;
    an example that is tested twice is refused. `fit` also takes an array of differences
    in the order of time, and :func:`compare_predictions` forecasts of one test set in
    that order; what is common to the forecasts of one model is then not seen.

    References
    ----------
    .. [1] F. X. Diebold and R. S. Mariano, "Comparing Predictive Accuracy", Journal of
       Business & Economic Statistics 13(3), 253-263, 1995.
       :doi:`10.1080/07350015.1995.10524599`
    .. [2] D. Harvey, S. Leybourne and P. Newbold, "Testing the equality of prediction
       mean squared errors", International Journal of Forecasting 13(2), 281-291, 1997.
       :doi:`10.1016/S0169-2070(96)00719-4`
    .. [3] E. Lazarus, D. J. Lewis, J. H. Stock and M. W. Watson, "HAR Inference:
       Recommendations for Practice", Journal of Business & Economic Statistics 36(4),
       541-559, 2018. :doi:`10.1080/07350015.2018.1506926`
    .. [4] L. Coroneo and F. Iacone, "Comparing predictive accuracy in small samples
       using fixed-smoothing asymptotics", Journal of Applied Econometrics 35(4),
       391-409, 2020. :doi:`10.1002/jae.2756`

    Examples
    --------
    >>> from sklearn_cvtest import DieboldMarianoTest
    >>> e = [0.2, 0.3, 0.1, -0.1, 0, 0.3, 0.4, 0.1]
    >>> test = DieboldMarianoTest(horizon=2).fit(e)
    >>> round(test.statistic_, 4), round(test.pvalue_, 4)
    (1.9197, 0.0964)
    >>> DieboldMarianoTest().fit(e).df_
    2

    Forecasts in hand, in the order of time:

    >>> from sklearn_cvtest import compare_predictions
    >>> y = [3.1, 3.4, 3.9, 4.1, 4.0, 4.4, 4.9, 5.3]
    >>> forecasts = {
    ...     "naive": [3.0, 3.1, 3.4, 3.9, 4.1, 4.0, 4.4, 4.9],
    ...     "trend": [3.2, 3.5, 3.7, 4.2, 4.2, 4.2, 4.8, 5.3],
    ... }
    >>> result = compare_predictions(y, forecasts, test=DieboldMarianoTest())
    >>> round(result.pvalue_, 3)
    0.095
    """

    title = "test of forecasts (Diebold & Mariano 1995; Lazarus et al. 2018)"
    about = (
        "A t test of the mean loss difference over time, with a variance that accounts "
        "for the correlation of differences at neighbouring times. It is about the "
        "forecasts that were made, not about the learning algorithms on other data."
    )
    remark = "This is about these forecasts, not the learning algorithms."
    references = cite("Diebold 1995", "Lazarus 2018")
    designs = ("time series", "holdout")
    default_for = ("time series",)
    needs_examples = True
    vectorised = True
    assumes_normality = False
    concerns = "forecasts"

    horizon: int | None = field(default=None, metadata=checked_by(_check_horizon))
    kernel: Literal["uniform", "bartlett"] = field(
        default="uniform", metadata=one_of("uniform", "bartlett")
    )

    @property
    def traits(self):
        """What the test is and how it is spoken of; see :class:`BaseCVTest`."""
        if self.horizon is None:
            return class_traits(type(self))
        return class_traits(
            type(self),
            title="test of forecasts (Diebold & Mariano 1995; Harvey et al. 1997)",
            references=cite("Diebold 1995", "Harvey 1997"),
        )

    def residuals_of_array(self, array):
        """Return differences in the order of time; see :class:`BaseCVTest`."""
        if array.ndim != 1:
            allowed = "differences in the order of time, an array of one dimension"
            shape_text = f"an array of shape {array.shape}"
            raise invalid_words("residuals", allowed, shape_text)
        return CVResiduals.from_array(array[np.newaxis], design="time series")

    def evaluate(self, residuals):
        """Compute t of the series; see :class:`BaseCVTest`."""
        return self.evaluate_times(residuals)

    def evaluate_times(self, residuals, rows=None):
        """Compute t of the mean at some times, among what is known of all of them.

        Parameters
        ----------
        residuals : CVResiduals
            As :meth:`evaluate` takes them.
        rows : ndarray of bool of shape (n_rows,), default=None
            Which residuals are at these times; None: all.

        Returns
        -------
        evaluation : Evaluation
            As :meth:`evaluate` returns it.

        Raises
        ------
        ValueError
            If an example is tested twice, or there are not more times than `horizon`.
        """
        order = _order_of_time(residuals)
        series = residuals.values[..., order]
        n_times = series.shape[-1]
        if self.horizon is not None and n_times <= self.horizon:
            raise ValueError(
                "DieboldMarianoTest needs more times than the horizon, "
                f"{self.horizon}; got {n_times}."
            )
        longest = residuals.n_test.max()
        result, df, is_doubtful = diebold_mariano(
            series,
            self.horizon,
            self.kernel,
            self.popmean,
            inside=None if rows is None else rows[order],
            longest=longest if len(residuals.n_test) > 1 else None,
        )
        if rows is None:
            self._warn(residuals, series, is_doubtful, result.standard_error > 0)
        df = df if np.ndim(df) else int(df)
        pvalue = statistic_pvalue(result, df, self.alternative)
        return Evaluation(*result, pvalue, df)

    def _warn(self, residuals, series, is_doubtful, varies):
        """Warn of what the variance of a series, or of some, does not hold."""
        scaled, _ = scale_to_one(series)
        deviations = scaled - scaled.mean(axis=-1, keepdims=True)
        if self.horizon is None:
            phi = persistence(deviations)
            lasts = is_doubtful & lasting_autocorrelation(deviations, 1)[1]
        else:
            phi, lasts = lasting_autocorrelation(deviations, self.horizon)
            if np.any(is_doubtful):
                warn(texts.NOT_POSITIVE, DegenerateResidualsWarning)
        if not np.any(lasts & varies):
            return
        names = residuals.names if np.ndim(lasts) == 0 else ()
        phi = np.max(np.where(lasts, phi, -1))
        if self.horizon is None:
            message = texts.autocorrelated(names, phi, series.shape[-1])
        else:
            message = texts.autocorrelated_beyond_horizon(names, phi, self.horizon)
        warn(message, AutocorrelatedResidualsWarning)


def _order_of_time(residuals):
    """Return the order of residuals by the rows of X, each tested once."""
    if residuals.row_index is None:
        return np.arange(residuals.values.shape[-1])
    times, counts = np.unique(residuals.row_index, return_counts=True)
    if counts.max() > 1:
        raise ValueError(
            "DieboldMarianoTest needs test sets without a common example; got row "
            f"{times[counts > 1][0]} of X in {counts.max()} test sets. Make the "
            "test sets disjoint: no longer than the step between them."
        )
    return np.argsort(residuals.row_index)
