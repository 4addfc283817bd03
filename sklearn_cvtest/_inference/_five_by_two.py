"""Tests for five replications of 2-fold cross-validation."""

import numpy as np
from scipy import special

from .._data._residuals import CVResiduals
from .._validation import check_option, invalid_words, warn
from ..exceptions import DegenerateResidualsWarning
from ._base import BaseCVTest
from ._student import (
    ROUNDING,
    Statistic,
    ratio_or_limit,
    scale_to_one,
    statistic_pvalue,
    student_interval,
)

__all__ = ["FiveByTwoFTest", "FiveByTwoTTest"]


def replication_deviation(p):
    """Return √(Σ s_i²/5) of differences p of shape (..., 5, 2)."""
    # s_i² = (p1 - p̄)² + (p2 - p̄)² = (p1 - p2)²/2
    return np.sqrt(np.mean((p[..., 0] - p[..., 1]) ** 2 / 2, axis=-1))


class _FiveByTwoTest(BaseCVTest):
    """Both use p (5, 2) and the replications' variances s_i²."""

    designs = ("5x2",)

    def _from_array(self, array):
        if array.shape == (5, 2):
            array = array.ravel()
        if len(array) != 10:
            allowed = "of shape (10, m), (10,) or (5, 2)"
            raise invalid_words(
                "residuals", allowed, f"an array of shape {array.shape}"
            )
        return CVResiduals.from_array(array, design="5x2")

    def _differences(self, residuals):
        """Return p_i^(j) - popmean and √(Σ s_i²/5), zero where it is rounding."""
        scaled, scale = scale_to_one(residuals.block_means, residuals.largest)
        p = scaled.reshape(5, 2)
        deviation = replication_deviation(p)
        difference = scale * p - self.popmean
        self._relative_spread = ratio_or_limit(p.std(), deviation)
        if deviation <= ROUNDING:
            deviation = 0.0
            difference[np.abs(difference) <= ROUNDING * scale] = 0.0
        return difference, scale * deviation


class FiveByTwoTTest(_FiveByTwoTest):
    """Dietterich's 5x2cv t test.

    Tests whether the expected residual, over training sets of size n/2, is
    `popmean`. Its numerator is the first of the ten differences only, which
    makes it depend on their order; :class:`FiveByTwoFTest` uses all ten.

    Parameters
    ----------
    alpha : float, default=0.05
        Level in (0, 1); kept for reports.
    alternative : {"two-sided", "less", "greater"}, default="two-sided"
        "greater": the expected residual is above `popmean`, that is (with 0)
        the second estimator is better.
    popmean : float, default=0.0
        Expected residual under the null hypothesis.

    Attributes
    ----------
    statistic_ : float
        (p_1^(1) - popmean)/√(Σs_i²/5).
    pvalue_ : float
        Its p-value, from Student's t with 5 degrees of freedom.
    estimate_ : float
        Mean of all ten differences. The interval is around p_1^(1), which is
        what the test tests.
    standard_error_ : float
        √(Σs_i²/5), the standard error of one difference.
    df_ : int
        5.
    rho_, rho_alpha_ : float
        nan: the ten differences are not exchangeable.

    Notes
    -----
    It costs ten fits of half the sample. In the simulations of docs/calibration.md
    without outliers it rejected 3 to 8% of true null hypotheses at the 5% level, with
    the least power of all tests there.

    References
    ----------
    .. [1] T. G. Dietterich, "Approximate Statistical Tests for Comparing
       Supervised Classification Learning Algorithms", Neural Computation
       10(7), 1895-1923, 1998. :doi:`10.1162/089976698300017197`

    Examples
    --------
    >>> from sklearn_cvtest import FiveByTwoTTest
    >>> p = [[.02, .01], [.03, -.01], [.015, .005], [0, .02], [.01, .025]]
    >>> test = FiveByTwoTTest().fit(p)
    >>> round(test.statistic_, 4), round(test.pvalue_, 4)
    (1.2843, 0.2553)
    """

    title = "5x2cv t test, of the first of ten differences (Dietterich 1998)"

    def _fit(self, residuals):
        difference, standard_error = self._differences(residuals)
        statistic = ratio_or_limit(difference[0, 0], standard_error)
        self._first_difference = float(residuals.block_means[0])
        scaled, scale = scale_to_one(residuals.block_means)
        estimate = scale * scaled.mean()
        result = Statistic(estimate, standard_error, statistic)
        pvalue = statistic_pvalue(result, 5, self.alternative)
        self._set_result(*result, pvalue, 5)

    def _direction(self):
        return self.statistic_

    def _interval(self, level):
        return student_interval(
            self._first_difference, self.standard_error_, 5, level, self.alternative
        )


class FiveByTwoFTest(_FiveByTwoTest):
    """Alpaydin's combined 5x2cv F test.

    Tests whether the expected residual, over training sets of size n/2, is
    `popmean`, from all ten differences of a 5x2 cross-validation. Training on
    half the sample costs it power.

    Parameters
    ----------
    alpha : float, default=0.05
        Level in (0, 1); kept for reports.
    alternative : {"two-sided"}, default="two-sided"
        The F statistic has no direction.
    popmean : float, default=0.0
        Expected residual under the null hypothesis.

    Attributes
    ----------
    statistic_ : float
        Σ(p_i^(j) - popmean)²/(2Σs_i²).
    pvalue_ : float
        Its upper tail, from F with (10, 5) degrees of freedom.
    estimate_ : float
        Mean of the ten differences.
    standard_error_ : float
        √(Σs_i²/5), the standard error of one difference.
    df_ : tuple
        (10, 5).
    rho_, rho_alpha_ : float
        nan: the ten differences are not exchangeable.

    Notes
    -----
    The interval holds the values of `popmean` that the test does not reject. That
    set is empty where replications differ far more than halves; the interval is
    then the estimate alone, with a warning. It costs ten fits of half the sample. In
    the simulations of docs/calibration.md without outliers it rejected 1 to 10% of true
    null hypotheses at the 5% level.

    References
    ----------
    .. [1] E. Alpaydin, "Combined 5x2 cv F Test for Comparing Supervised
       Classification Learning Algorithms", Neural Computation 11(8),
       1885-1892, 1999. :doi:`10.1162/089976699300016007`

    Examples
    --------
    >>> from sklearn_cvtest import FiveByTwoFTest
    >>> p = [[.02, .01], [.03, -.01], [.015, .005], [0, .02], [.01, .025]]
    >>> test = FiveByTwoFTest().fit(p)
    >>> round(test.statistic_, 4), round(test.pvalue_, 4)
    (1.1856, 0.4512)
    """

    title = "combined 5x2cv F test (Alpaydin 1999)"
    symbol = "F"

    def _check_params(self):
        super()._check_params()
        check_option("alternative", self.alternative, ("two-sided",))

    def _fit(self, residuals):
        difference, standard_error = self._differences(residuals)
        ratios = ratio_or_limit(difference, standard_error)
        statistic = np.mean(ratios**2)
        pvalue = special.fdtrc(10, 5, statistic) if np.isfinite(statistic) else 0.0
        scaled, scale = scale_to_one(residuals.block_means)
        estimate = scale * scaled.mean()
        self._set_result(estimate, standard_error, statistic, pvalue, (10, 5))

    def _interval(self, level):
        # Σ(p - μ0)² = Σ(p - p̄)² + 10(p̄ - μ0)² <= F_crit 10 Σs_i²/5
        room = special.fdtri(10, 5, level) - self._relative_spread**2
        if self.standard_error_ > 0 and room < 0:
            warn(
                "FiveByTwoFTest rejects every popmean, so its confidence interval is "
                "empty; the estimate stands in for both ends.",
                DegenerateResidualsWarning,
            )
        margin = np.sqrt(max(room, 0.0)) * self.standard_error_
        return self.estimate_ - margin, self.estimate_ + margin
