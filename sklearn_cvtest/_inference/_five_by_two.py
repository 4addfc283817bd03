"""Tests for five replications of 2-fold cross-validation."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import NamedTuple

import numpy as np
from scipy import special

from .._data._residuals import CVResiduals
from .._typing import Alternative
from .._validation import invalid_words, warn
from ..exceptions import DegenerateResidualsWarning
from . import _student
from ._base_test import BaseCVTest
from ._evaluation import Evaluation
from ._papers import cite


class Spread(NamedTuple):
    """How far the ten differences spread, which the interval of F needs.

    Attributes
    ----------
    relative : float or ndarray of shape (...)
        Their standard deviation over √(Σ s_i²/5).
    """

    relative: np.ndarray


class _FiveByTwoTest(BaseCVTest):
    """Both use p (5, 2) and the replications' variances s_i²."""

    designs = ("5x2",)
    vectorised = True

    def residuals_of_array(self, array):
        """Return an array as residuals; see :class:`BaseCVTest`."""
        if array.shape == (5, 2):
            array = array.ravel()
        if len(array) != 10:
            allowed = "of shape (10, m), (10,) or (5, 2)"
            shape_text = f"an array of shape {array.shape}"
            raise invalid_words("residuals", allowed, shape_text)
        return CVResiduals.from_array(array, design="5x2")

    def _differences(self, residuals):
        """Return the differences p (..., 5, 2) and √(Σ s_i²/5) of them.

        Both are over a scale, which is returned too; what is rounding is zero.
        """
        scaled, scale = _student.scale_to_one(residuals.block_means, residuals.largest)
        p = scaled.reshape(*scaled.shape[:-1], 5, 2)
        # Dietterich (1998), 3.5: s_i² = (p1 - p̄)² + (p2 - p̄)² = (p1 - p2)²/2
        deviation = np.sqrt(np.mean((p[..., 0] - p[..., 1]) ** 2 / 2, axis=-1))
        return p, np.where(deviation <= _student.ROUNDING, 0.0, deviation)[()], scale

    def _from_popmean(self, p, deviation, scale):
        """Return p - popmean in units of the loss, without what is rounding."""
        scale = np.asarray(scale)[..., np.newaxis, np.newaxis]
        is_flat = np.asarray(deviation)[..., np.newaxis, np.newaxis] == 0
        difference = scale * p - self.popmean
        is_rounding = is_flat & (np.abs(difference) <= _student.ROUNDING * scale)
        return np.where(is_rounding, 0.0, difference)


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
    about = (
        "The first of ten differences over an estimate of its standard error from five "
        "replications of 2-fold cross-validation. It is about training on half the "
        "sample, and depends on the order of the differences."
    )
    references = cite("Dietterich 1998")
    uses_all_splits = False
    has_ratio_interval = True

    def evaluate(self, residuals):
        """Compute t of the first difference; see :class:`BaseCVTest`."""
        p, deviation, scale = self._differences(residuals)
        first = self._from_popmean(p, deviation, scale)[..., 0, 0]
        standard_error = scale * deviation
        statistic = _student.ratio_or_limit(first, standard_error)
        result = _student.Statistic(
            scale * p.mean(axis=(-2, -1)), standard_error, statistic
        )
        return Evaluation(
            *result,
            _student.statistic_pvalue(result, 5, self.alternative),
            5,
            columns={"first_difference": residuals.block_means[..., 0]},
        )

    def interval(self, evaluation, confidence_level):
        """Return the first difference's interval; see :class:`BaseCVTest`."""
        of_the_first = evaluation.columns["first_difference"]
        evaluation = replace(evaluation, estimate=of_the_first)
        return super().interval(evaluation, confidence_level)

    def better_side(self, estimate, rejected, columns, alpha):
        """Return nobody where the first difference and the mean disagree."""
        agree = np.sign(columns["first_difference"]) == np.sign(estimate)
        return super().better_side(estimate, rejected & agree, columns, alpha)


@dataclass(eq=False, repr=False)
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
    about = (
        "All ten differences of five replications of 2-fold cross-validation in one F "
        "statistic. It is about training on half the sample."
    )
    references = cite("Alpaydin 1999")
    default_for = ("5x2",)
    is_directed = False
    has_ratio_interval = True
    alternative: Alternative = field(default="two-sided", init=False)  # F has no other

    def evaluate(self, residuals):
        """Compute F; see :class:`BaseCVTest`."""
        p, deviation, scale = self._differences(residuals)
        difference = self._from_popmean(p, deviation, scale)
        standard_error = scale * deviation
        error = np.asarray(standard_error)[..., np.newaxis, np.newaxis]
        statistic = np.mean(
            _student.ratio_or_limit(difference, error) ** 2, axis=(-2, -1)
        )
        pvalue = special.fdtrc(10, 5, np.where(np.isinf(statistic), 0.0, statistic))
        return Evaluation(
            scale * p.mean(axis=(-2, -1)),
            standard_error,
            statistic,
            np.where(np.isinf(statistic), 0.0, pvalue)[()],
            (10, 5),
            state=Spread(_student.ratio_or_limit(p.std(axis=(-2, -1)), deviation)),
        )

    def total_error(self, evaluation):
        """Return the error with which t_5 has the 95% interval of the test.

        The mean of ten dependent differences has no other one. An empty interval does
        not show it; then the error of one difference is returned.
        """
        room = self._room(evaluation, 0.95)
        share = np.sqrt(np.where(room > 0, room, 0)) / special.stdtrit(5, 0.975)
        share = np.where(room > 0, share, 1)
        return _student.scaled_root(share, evaluation.standard_error), 5

    def _room(self, evaluation, confidence_level):
        """Return the square of half the interval, in units of s²; below 0 if empty."""
        # Σ(p - μ0)² = Σ(p - p̄)² + 10(p̄ - μ0)² <= F_crit 10 Σs_i²/5
        quantile = special.fdtri(10, 5, confidence_level)
        return quantile - evaluation.state.relative**2

    def interval(self, evaluation, confidence_level):
        """Return the values of `popmean` not rejected; see :class:`BaseCVTest`."""
        room = self._room(evaluation, confidence_level)
        if np.any((evaluation.standard_error > 0) & (room < 0)):
            warn(
                "FiveByTwoFTest rejects every popmean, so its confidence interval is "
                "empty; the estimate stands in for both ends.",
                DegenerateResidualsWarning,
            )
        margin = np.sqrt(np.maximum(room, 0.0)) * evaluation.standard_error
        return evaluation.estimate - margin, evaluation.estimate + margin
