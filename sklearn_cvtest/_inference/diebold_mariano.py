"""The test of forecasts over time, by the long-run variance of a series.

[DM95] Diebold & Mariano (1995), JBES 13, 253-263; [HLN97] Harvey, Leybourne & Newbold
(1997), Int. J. Forecasting 13, 281-291; [LLSW18] Lazarus, Lewis, Stock & Watson (2018),
JBES 36, 541-559; [MP54] Marriott & Pope (1954), Biometrika 41, 390-402.
"""

import numpy as np
from scipy.fft import dct

from .._validation import check_integer, invalid, warn
from ..exceptions import DegenerateResidualsWarning
from .base import BaseCVTest, student_evaluation
from .student import ROUNDING

# The number of cosines: at most 0.4 T^(2/3) [LLSW18] and 0.8 times the number of test
# sets, and so few that the mean of the spectrum of an autoregressive series of order 1
# over them is 85% of what it is at frequency 0; at least two.
OF_TIMES = 0.4
OF_TEST_SETS = 0.8
SHARE = 0.85
FEWEST = 2
MOST_PERSISTENT = 0.995


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
    DegenerateResidualsWarning
        If the variance up to the horizon is not positive; with the weights 1 - k/h of
        Bartlett's kernel it cannot be negative, and these take its place.

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
    (γ̂_0 + 2 Σ_{k<h} γ̂_k)/T [1]_, and the statistic is multiplied by
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

    designs = ("time series", "holdout")
    needs_examples = True
    concerns = "these forecasts"

    def __init__(
        self, horizon=None, *, alpha=0.05, alternative="two-sided", popmean=0.0
    ):
        self.horizon = horizon
        super().__init__(alpha=alpha, alternative=alternative, popmean=popmean)

    @property
    def title(self):
        """What the test is called."""
        source = "Lazarus et al. 2018" if self.horizon is None else "Harvey et al. 1997"
        return f"test of forecasts (Diebold & Mariano 1995; {source})"

    def check_params(self):
        """Check the options."""
        super().check_params()
        if self.horizon is not None:
            check_integer("horizon", self.horizon, 1)

    def from_array(self, array):
        """Return CVResiduals, of an array (n_times,) those of one test set."""
        if array.ndim > 1:
            raise invalid("residuals", "an array of 1 dimensions", array)
        return super().from_array([array])

    def evaluate(self, residuals):
        """Compute t of the mean of the series."""
        series = residuals.values[..., _order_of_time(residuals)]
        n_times = series.shape[-1]
        if self.horizon is not None and n_times <= self.horizon:
            raise invalid("horizon", f"below the {n_times} times", self.horizon)
        mean = series.mean(axis=-1)
        deviations = series - mean[..., np.newaxis]
        is_flat = series.std(axis=-1) <= ROUNDING * residuals.magnitude
        if self.horizon is None:
            variance, df = cosine_variance(deviations, _most_cosines(residuals))
        else:
            variance = long_run_variance(deviations, self.horizon)
            # [HLN97] eq. (9): √((T + 1 - 2h + h(h-1)/T)/T)
            ahead = n_times - self.horizon
            variance = variance * n_times**2 / (ahead * (ahead + 1))
            df = n_times - 1
        error = np.where(is_flat, 0.0, np.sqrt(variance / n_times))
        return student_evaluation(self, residuals, mean, error, df)


def _order_of_time(residuals):
    """Return the order of residuals by the rows of X, each tested once."""
    if residuals.row_index is None:
        return np.arange(residuals.values.shape[-1])
    times, counts = np.unique(residuals.row_index, return_counts=True)
    if counts.max() > 1:
        hint = "Make test sets no longer than the step between them."
        twice = f"row {times[counts > 1][0]} in {counts.max()}"
        raise invalid("cv", "of test sets without a common row", twice, hint=hint)
    return np.argsort(residuals.row_index)


def _most_cosines(residuals):
    """Return how many cosines there may be: what one model does wrong lasts."""
    n_times = residuals.values.shape[-1]
    most = OF_TIMES * n_times ** (2 / 3)
    if residuals.n_test is not None and len(residuals.n_test) > 1:
        most = min(most, OF_TEST_SETS * n_times / residuals.n_test.max())
    return min(max(int(most), FEWEST), n_times - 1)


def long_run_variance(deviations, horizon):
    """Return γ̂_0 + 2 Σ_{k<h} γ̂_k of deviations from the mean: [DM95].

    Where that is not positive, lags are weighed by 1 - k/h (Bartlett).
    """
    n_times = deviations.shape[-1]
    covariances = []
    for lag in range(horizon):
        products = deviations[..., lag:] * deviations[..., : n_times - lag]
        covariances.append(products.sum(axis=-1) / n_times)
    covariances = np.stack(covariances, axis=-1)
    lags = np.arange(horizon)
    weights = np.where(lags > 0, 2.0, 1.0)
    variance = covariances @ weights
    bartlett = covariances @ (weights * (1 - lags / horizon))
    first = covariances[..., 0]
    is_not_positive = (variance <= ROUNDING * first) & (first > 0)
    if np.any(is_not_positive):
        warn(
            "The long-run variance up to the horizon is not positive. Lags are weighed "
            "by Bartlett's kernel instead. Use a shorter horizon, or more times.",
            DegenerateResidualsWarning,
        )
    return np.maximum(np.where(is_not_positive, bartlett, variance), 0.0)


def cosine_variance(deviations, most):
    """Return the mean square of the lowest ν cosine coefficients, and ν: [LLSW18].

    They are √(2/T) Σ_t d_t cos(πj(t - 1/2)/T), j = 1 ... ν.
    """
    n_times = deviations.shape[-1]
    counts = np.arange(1, most + 1)
    phi = np.maximum(persistence(deviations), 0.0)[..., np.newaxis]
    cosines = np.cos(np.pi * counts / n_times)
    spectrum = (1 - phi) ** 2 / (1 - 2 * phi * cosines + phi**2)
    is_enough = np.cumsum(spectrum, axis=-1) / counts >= SHARE
    n_terms = np.maximum(is_enough.sum(axis=-1), min(FEWEST, most))
    squares = np.cumsum(dct(deviations, axis=-1)[..., 1 : most + 1] ** 2, axis=-1)
    place = np.expand_dims(n_terms - 1, -1)
    total = np.take_along_axis(squares, place, axis=-1)[..., 0]
    return total / (2 * n_times * n_terms), n_terms


def persistence(deviations):
    """Return the autocorrelation at lag 1, less its bias -(1 + 4φ)/T: [MP54]."""
    products = np.sum(deviations[..., 1:] * deviations[..., :-1], axis=-1)
    squares = np.sum(deviations**2, axis=-1)
    phi = products / np.where(squares > 0, squares, 1.0)
    phi = phi + (1 + 4 * phi) / deviations.shape[-1]
    return np.minimum(phi, MOST_PERSISTENT)
