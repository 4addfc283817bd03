"""The z test of a (repeated) K-fold at one ρ, from the variance of its residuals.

[GB06]: Grandvalet & Bengio 2006, "Hypothesis Testing for Cross-Validation".
"""

from __future__ import annotations

from dataclasses import dataclass, field
from numbers import Real
from typing import ClassVar, Literal, NamedTuple

import numpy as np

from .._data._clusters import cluster_moments, estimand_weights, unequal_allowance
from .._validation import check_real, invalid
from ._evaluation import Evaluation
from ._joint import repeat_rows, single_rows
from ._papers import cite
from ._parameters import checked_by, one_of
from ._student import (
    ROUNDING,
    critical_value,
    ratio_or_limit,
    standardise,
    statistic_pvalue,
    student_pvalue,
)
from ._traits import class_traits
from ._weighed_test import _WeighedTest


class RunVariances(NamedTuple):
    """The mean residual of R runs, and the parts of its variance.

    All of them are of residuals divided by `scale`.

    Attributes
    ----------
    scale : float or ndarray of shape (...)
        A power of two near the largest residual.
    mean : float or ndarray of shape (...)
        Mean of all residuals.
    theta : float or ndarray of shape (...)
        θ̂_R, the variance estimate of the residuals averaged over the runs.
    run_theta : float or ndarray of shape (...)
        θ̂_1, the mean over the runs of the variance estimate of one.
    n_units : int
        Number of independent examples, or groups.
    """

    scale: np.ndarray
    mean: np.ndarray
    theta: np.ndarray
    run_theta: np.ndarray
    n_units: int


class OneRun(NamedTuple):
    """What z at any ρ follows from: the statistic of one run at ρ = 0.

    Attributes
    ----------
    variance_ratio : float or ndarray of shape (...)
        θ̂_R/θ̂_1, what is left of the variance of one run.
    statistic : float or ndarray of shape (...)
        (μ̂ - μ0)/√θ̂_1.
    """

    variance_ratio: np.ndarray
    statistic: np.ndarray


def run_variances(residuals, variance, weights):
    """Return the RunVariances of residuals; those that are only rounding are 0."""
    if residuals.n_runs == 1:
        variances = _variances_of_one_run(residuals, variance, weights)
    elif variance == "theta5":
        variances = _variances_of_repeats(residuals, weights)
    else:
        allowed = "'theta5' for repeated K-fold, whose averages are in no blocks"
        raise invalid("variance", allowed, variance)
    return variances._replace(
        theta=_without_rounding(variances.theta, variances.n_units),
        run_theta=_without_rounding(variances.run_theta, variances.n_units),
    )


def _without_rounding(theta, n_units):
    """Return variances of a mean, 0 where the values themselves differ by rounding."""
    deviation_of_values = np.sqrt(n_units * theta)
    return np.where(deviation_of_values <= ROUNDING, 0.0, theta)


def _variances_of_one_run(residuals, variance, weights):
    """Return the RunVariances of a K-fold that is not repeated."""
    if residuals.groups is None:
        block_moments = residuals.block_moments
        theta = _theta(block_moments, variance)
        n_units = residuals.n_values
        return RunVariances(
            block_moments.scale, block_moments.mean, theta, theta, n_units
        )
    moments = cluster_moments(
        residuals.values,
        residuals.groups,
        weights=estimand_weights(residuals.groups, weights),
        blocks=residuals.row_split if variance == "theta4" else None,
    )
    theta = moments.variance
    return RunVariances(moments.scale, moments.mean, theta, theta, moments.n_groups)


def _theta(moments, variance):
    """Return θ̂5 or θ̂4 of the moments of a K-fold: [GB06] section 3.5."""
    n = moments.sizes.sum()
    if variance == "theta5":
        return moments.total_squares / (n * (n - 1))
    df = n - len(moments.sizes)
    if df == 0:
        allowed = "'theta5' for leave-one-out, whose blocks have one example"
        raise invalid("variance", allowed, variance)
    variance_within_blocks = moments.squares.sum(axis=-1) / df
    return variance_within_blocks / n


def _variances_of_repeats(residuals, weights):
    """Return the RunVariances of a repeated K-fold."""
    moments = _residuals_of_units(residuals, weights).example_moments
    return RunVariances(
        moments.scale,
        moments.mean,
        moments.theta,
        moments.run_theta,
        moments.n_examples,
    )


def _residuals_of_units(residuals, weights):
    """Return the residuals of examples or of groups, whichever weigh the same."""
    if weights == "groups" and residuals.groups is not None:
        return residuals.group_means()
    return residuals


def group_statistic(residuals, popmean, weights="examples"):
    """Return the t statistic of the mean of residuals in groups, and its df, G - 1.

    The sum over a group is one observation: Liang and Zeger (1986), with the factor
    G/(G - 1). `weights` says what weighs the same, "examples" or "groups".
    """
    shares = estimand_weights(residuals.groups, weights)
    moments = cluster_moments(residuals.values, residuals.groups, weights=shares)
    deviation = np.sqrt(moments.variance)
    spread = deviation * np.sqrt(moments.n_groups)
    statistic = standardise(moments.mean, deviation, spread, moments.scale, popmean)
    return statistic, moments.n_groups - 1


# The traits of the test at ρ = 0, which is about the fitted models.
TRAITS_AT_ZERO = {
    "concerns": "models",
    "title": "normal test of the K-fold test error (Bayle et al. 2020)",
    "about": (
        "A normal test of the mean error of the K fitted models, given their training "
        "sets. For that it is asymptotically exact for stable estimators. As a test of "
        "the learning algorithms it is too liberal, because the covariance between "
        "folds is missing from its variance."
    ),
    "references": cite("Bayle 2020"),
}


@dataclass(eq=False, repr=False)
class KFoldZTest(_WeighedTest):
    """Z test for a (repeated) K-fold at an assumed ρ, the default.

    Tests whether the expected residual is `popmean`: for the difference of two
    estimators, whether their expected losses, trained on n - n/K examples, differ. The
    variance of all residuals is enlarged for what overlapping training sets share: for
    one run, by 1/(1-ρ).

    Parameters
    ----------
    rho : float, default=1/3
        ρ = γ/θ of one run, in [0, 1): the share of the variance of its mean that comes
        from folds moving together. 0 is about the K models fitted here, as in Bayle et
        al. (2020), :arxiv:`2007.12671`.
    variance : {"theta5", "theta4"}, default="theta5"
        θ̂5, the variance of all residuals over n, or θ̂4, the mean variance within
        blocks over n, as in :func:`.variance_estimates`; of repeats "theta5".
    alpha : float, default=0.05
        Level of `rho_alpha_`, in (0, 1).
    alternative : {"two-sided", "less", "greater"}, default="two-sided"
        "greater": the expected residual is above `popmean`; the second model is better.
    popmean : float, default=0.0
        Expected residual under the null hypothesis.
    weights : {"examples", "groups"}, default="examples"
        What weighs the same in the mean, if there are groups.

    Attributes
    ----------
    statistic_, pvalue_, estimate_, standard_error_, df_, rho_ : float
        z(ρ), its p-value, the mean of all residuals, √(θ̂_R + ρ/(1-ρ) θ̂_1), inf (of G
        groups of one size G - 1), and the assumed ρ.
    rho_alpha_ : float
        The largest ρ at which z(ρ) still rejects: for one K-fold 1 - (z_crit/|z(0)|)².
    seed_stability_ : float
        With repeats, the estimated probability of the same decision with another seed.

    See Also
    --------
    KFoldTTest : The same family, from block means.

    Notes
    -----
    z(ρ) = (μ̂ - μ0)/√(θ̂_R + ρ/(1-ρ) θ̂_1): θ̂_R is θ̂5 of the examples' means over R
    runs, θ̂_1 the mean of θ̂5 of one. R = 1 is eq. (9) of [1]_ with θ̂5 for θ̂3. Groups
    are taken as units, with Student's t. ρ = 1/3, one number for all designs, has in
    each a size of at most 4% on 36 populations, averaged over zero-one and absolute
    errors (docs/trust.md). It rejects too often for naive Bayes, for LDA on rare
    classes by error rate, and for rows that belong together.

    References
    ----------
    .. [1] Y. Grandvalet and Y. Bengio, "Hypothesis Testing for Cross-Validation",
       Technical Report 1285, DIRO, Université de Montréal, 2006.

    Examples
    --------
    >>> import numpy as np
    >>> from sklearn_cvtest import KFoldZTest
    >>> test = KFoldZTest().fit(np.random.default_rng(0).normal(0.3, size=(10, 10)))
    >>> round(test.pvalue_, 4), round(test.rho_alpha_, 2)
    (0.0013, 0.75)
    """

    symbol = "z"
    about = (
        "A normal test with the variance of the residuals of all test examples and an "
        "assumed share ρ of the variance that comes from folds moving together: the "
        "training sets overlap."
    )
    references = cite("Grandvalet 2006")
    designs = ("k-fold", "repeated k-fold", "5x2")
    default_for = ("k-fold", "repeated k-fold")
    allows_unequal_groups = True
    averages_repeats = True
    for_single_examples: ClassVar = {"variance": "theta5"}

    rho: float = field(
        default=1 / 3, metadata=checked_by(check_real, above=0, below=1, closed="low")
    )
    variance: Literal["theta5", "theta4"] = field(
        default="theta5", metadata=one_of("theta5", "theta4")
    )

    @property
    def traits(self):
        """What the test is and how it is spoken of; see :class:`BaseCVTest`."""
        if self.rho == 0:
            traits = TRAITS_AT_ZERO
        else:
            traits = {"title": f"z test at ρ = {self._rho_text}"}
        weighs_groups = self.weights == "groups"
        return class_traits(type(self), weighs_groups=weighs_groups, **traits)

    @property
    def _rho_text(self):
        """ρ as text."""
        if self.rho == 1 / 3:
            return "1/3"
        if isinstance(self.rho, Real):
            return f"{float(self.rho):.3g}"
        return str(self.rho)  # it is refused when the test is fitted

    @property
    def _odds(self):
        """ρ/(1 - ρ), what training sets share, in units of the variance of one run."""
        return self.rho / (1 - self.rho)

    def evaluate(self, residuals):
        """Compute z(ρ); see :class:`BaseCVTest`."""
        variances = run_variances(residuals, self.variance, self.weights)
        return self._result_of(variances, residuals)

    def _inflation_and_df(self, residuals, n_units):
        """Return by what groups enlarge variances, and the degrees of freedom."""
        if residuals.groups is None:
            return 1.0, np.inf
        if self.weights == "groups":
            return 1.0, n_units - 1
        return unequal_allowance(residuals.groups)

    def _result_of(self, variances, residuals):
        """Return the Evaluation of z(ρ) from the RunVariances."""
        scale, mean, theta, run_theta, n_units = variances
        inflation, df = self._inflation_and_df(residuals, n_units)
        deviation = np.sqrt(inflation * (theta + self._odds * run_theta))
        spread = np.sqrt(n_units * run_theta)
        result = standardise(mean, deviation, spread, scale, self.popmean)
        run = self._one_run(variances, inflation, result)
        return Evaluation(
            estimate=result.estimate,
            standard_error=result.standard_error,
            statistic=result.statistic,
            pvalue=statistic_pvalue(result, df, self.alternative),
            df=df,
            rho=self.rho,
            rho_alpha=self._rho_alpha(run, df),
            state=run,
        )

    def _one_run(self, variances, inflation, result):
        """Return z(0) of one run, from which z at any other ρ follows."""
        run_theta = variances.run_theta
        error = variances.scale * np.sqrt(inflation * run_theta)
        statistic = ratio_or_limit(result.estimate - self.popmean, error)
        statistic = np.where(result.statistic == 0, 0.0, statistic)
        is_flat = run_theta == 0
        divisor = np.where(is_flat, 1, run_theta)
        ratio = np.where(is_flat, 1.0, variances.theta / divisor)
        return OneRun(ratio, statistic)

    def _rho_alpha(self, run, df):
        """Return the largest ρ at which z(ρ) rejects, -inf if there is none.

        There, the variance of the mean over the variance of one run, ratio + ρ/(1-ρ),
        is (statistic of one run/critical)². So 1/(1-ρ), which is 1 + ρ/(1-ρ), is that
        square plus 1 minus ratio.
        """
        critical = critical_value(1 - self.alpha, df, self.alternative)
        statistic = run.statistic  # positive in the direction of the alternative
        if self.alternative == "less":
            statistic = np.negative(run.statistic)
        elif self.alternative == "two-sided":
            statistic = np.abs(run.statistic)
        with np.errstate(divide="ignore", invalid="ignore", over="ignore"):
            inverse = (statistic / critical) ** 2 + 1 - run.variance_ratio  # 1/(1 - ρ)
            rho = 1 - 1 / inverse
        can_reject = (statistic > 0) & (inverse > 0)
        rho_alpha = np.where(can_reject, rho, -np.inf)
        # one-sided with alpha > 1/2: z -> 0 always rejects
        return np.where(critical < 0, 1.0, rho_alpha)[()]

    def pvalues_at(self, evaluation, rho):
        """Return the p-values of z(ρ); see :class:`BaseCVTest`."""
        run = evaluation.state
        statistic = run.statistic / np.sqrt(run.variance_ratio + rho / (1 - rho))
        return student_pvalue(statistic, evaluation.df, self.alternative)

    def deviation_rows(self, residuals):
        """Return deviations with the covariance at ρ; see :class:`BaseCVTest`."""
        if residuals.n_runs == 1:
            within_blocks = self.variance == "theta4"
            return single_rows(residuals, self.weights, within_blocks=within_blocks)
        return repeat_rows(_residuals_of_units(residuals, self.weights), self._odds)
