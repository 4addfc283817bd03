"""Tests for five replications of 2-fold cross-validation."""

import numpy as np
from scipy import special

from .._validation import invalid
from .base import BaseCVTest, Evaluation, standardise, student_evaluation
from .student import ROUNDING, interval_of, ratio_or_limit


class _FiveByTwoTest(BaseCVTest):
    designs = ("5x2",)

    def from_array(self, array):
        """Return CVResiduals, also of an array of shape (5, 2)."""
        if array.shape == (5, 2):
            array = array.ravel()
        if len(array) != 10:
            allowed = "of shape (5, 2), or of ten splits"
            raise invalid("residuals", allowed, array.shape)
        return super().from_array(array)

    def _differences(self, residuals):
        """Return the differences (..., 5, 2) and √(Σ s_i²/5)."""
        means = residuals.block_means
        p = means.reshape(*means.shape[:-1], 5, 2)
        # Dietterich (1998), 3.5: s_i² = (p1 - p̄)² + (p2 - p̄)² = (p1 - p2)²/2
        deviation = np.sqrt(np.mean((p[..., 0] - p[..., 1]) ** 2 / 2, axis=-1))
        is_rounding = deviation <= ROUNDING * residuals.magnitude
        return p, np.where(is_rounding, 0.0, deviation)


class FiveByTwoTTest(_FiveByTwoTest):
    """Dietterich's 5x2cv t test.

    Tests whether the expected residual, over training sets of size n/2, is `popmean`.
    Its numerator is only the first of the ten differences, so it depends on their
    order, and names nobody as better if the mean of all ten has the other sign;
    :class:`FiveByTwoFTest` uses all ten.

    Parameters
    ----------
    alpha : float, default=0.05
        Level used in reports, in (0, 1).
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
        Mean of the ten differences, as of every other test; p, the statistic and the
        interval come from the first alone.
    first_difference_ : float
        p_1^(1), the first of the ten differences, which is all that the test tests.
    standard_error_ : float
        √(Σs_i²/5), the standard error of one difference.
    df_ : int
        5.
    rho_, rho_alpha_ : float
        nan: the ten differences are not exchangeable.

    Notes
    -----
    It takes ten fits on half the sample, and has little power.

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
    uses_all_splits = False

    def evaluate(self, residuals):
        """Compute t of the first difference."""
        p, deviation = self._differences(residuals)
        first = p[..., 0, 0]
        evaluation = student_evaluation(self, residuals, first, deviation, 5)
        return evaluation._replace(estimate=p.mean(axis=(-2, -1)), detail=first)

    @property
    def first_difference_(self):
        """The first of the ten differences."""
        return float(self._evaluation.detail)

    def interval(self, evaluation, level):
        """Return the interval of the first difference."""
        error = evaluation.standard_error
        return interval_of(evaluation.detail, error, 5, level, self.alternative)


class FiveByTwoFTest(_FiveByTwoTest):
    """Alpaydin's combined 5x2cv F test.

    Tests whether the expected residual, over training sets of size n/2, is
    `popmean`, from all ten differences of a 5x2 cross-validation. Training on
    half the sample costs it power.

    Parameters
    ----------
    alpha : float, default=0.05
        Level in (0, 1); kept for reports.
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
    The interval holds the values of `popmean` that the test does not reject. That set
    is empty if replications differ far more than the halves within them; the interval
    is then the estimate alone, with a warning. It costs ten fits of half the sample.

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
    is_directed = False

    def __init__(self, *, alpha=0.05, popmean=0.0):
        super().__init__(alpha=alpha, popmean=popmean)

    @classmethod
    def _get_param_names(cls):
        return ["alpha", "popmean"]

    def evaluate(self, residuals):
        """Compute F = Σ p²/(2 Σ s_i²)."""
        p, deviation = self._differences(residuals)
        error, magnitude = (
            np.asarray(values)[..., np.newaxis, np.newaxis]
            for values in (deviation, residuals.magnitude)
        )
        ratios = standardise(p, error, magnitude, self.popmean)[1]
        statistic = np.mean(ratios**2, axis=(-2, -1))
        return Evaluation(
            estimate=p.mean(axis=(-2, -1)),
            standard_error=deviation,
            statistic=statistic,
            pvalue=special.fdtrc(10, 5, statistic),
            df=(10, 5),
            detail=ratio_or_limit(p.std(axis=(-2, -1)), deviation),
        )

    def interval(self, evaluation, level):
        """Return the values of `popmean` that are not rejected."""
        # Σ(p - μ0)² = Σ(p - p̄)² + 10(p̄ - μ0)² <= F_crit 10 Σs_i²/5
        room = special.fdtri(10, 5, level) - evaluation.detail**2
        margin = np.sqrt(np.maximum(room, 0.0)) * evaluation.standard_error
        return evaluation.estimate - margin, evaluation.estimate + margin

    def total_error(self, evaluation):
        """Return the error with which t_5 has the 95% interval of the test.

        The mean of ten dependent differences has no other one. An empty interval does
        not show it; then the error of one difference is returned.
        """
        low, high = self.interval(evaluation, 0.95)
        return (high - low) / 2 / special.stdtrit(5, 0.975), 5
