"""The z test of a (repeated) K-fold at one ρ.

[GB06]: Grandvalet & Bengio 2006, "Hypothesis Testing for Cross-Validation".
"""

from typing import NamedTuple

import numpy as np

from .._validation import check_real, invalid
from .base import BaseCVTest, student_evaluation
from .student import ROUNDING, critical_value, toward


class RunVariances(NamedTuple):
    """The mean, and the parts of its variance.

    `theta` is θ̂5 of the units' means over the runs, `run_theta` the mean of θ̂5 of
    single runs; a unit is an example or a group.
    """

    mean: np.ndarray
    theta: np.ndarray
    run_theta: np.ndarray
    n_units: int


def run_variances(residuals):
    """Return the RunVariances of residuals of a (repeated) K-fold."""
    runs = residuals.unit_runs
    n_units, n_runs = runs.shape[-2:]
    means = residuals.unit_means
    theta = means.var(axis=-1, ddof=1) / n_units
    run_theta = theta
    if n_runs > 1:
        run_theta = runs.var(axis=-2, ddof=1).mean(axis=-1) / n_units
    mean = means.mean(axis=-1)
    rounding = (ROUNDING * residuals.magnitude) ** 2 / n_units
    return RunVariances(
        mean=mean,
        theta=np.where(theta <= rounding, 0.0, theta),
        run_theta=np.where(run_theta <= rounding, 0.0, run_theta),
        n_units=n_units,
    )


def unequal_groups_factor(groups):
    """Return by what unequal groups enlarge a variance, and its df."""
    sizes = np.bincount(groups).astype(np.float64)
    shares = sizes[sizes > 0] / sizes.sum()
    n_groups = len(shares)
    if np.ptp(shares) == 0:
        return 1.0, n_groups - 1
    second = np.sum(shares**2)
    expected = second - 2 * np.sum(shares**3) + second**2
    return second / (n_groups / (n_groups - 1) * expected), 1 / second - 1


class KFoldZTest(BaseCVTest):
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
    alpha : float, default=0.05
        Level of `rho_alpha_`, in (0, 1).
    alternative : {"two-sided", "less", "greater"}, default="two-sided"
        "greater": the expected residual is above `popmean`; the second model is better.
    popmean : float, default=0.0
        Expected residual under the null hypothesis.

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
    has_joint_law = True
    designs = ("k-fold", "repeated k-fold", "5x2")
    needs_examples = True

    def __init__(self, rho=1 / 3, *, alpha=0.05, alternative="two-sided", popmean=0.0):
        self.rho = rho
        super().__init__(alpha=alpha, alternative=alternative, popmean=popmean)

    def check_params(self):
        """Check the options."""
        super().check_params()
        check_real("rho", self.rho, 0, 1, closed=True)

    @property
    def title(self):
        """What the test is called; at ρ = 0 it is about the fitted models."""
        if self.rho == 0:
            return "normal test of the K-fold test error (Bayle et al. 2020)"
        rho = "1/3" if self.rho == 1 / 3 else f"{self.rho:.3g}"
        return f"z test at ρ = {rho}"

    @property
    def concerns(self):
        """What it is about."""
        return "these fitted models" if self.rho == 0 else "algorithms"

    @property
    def odds(self):
        """ρ/(1 - ρ): what training sets share, in units of the variance of a run."""
        return self.rho / (1 - self.rho)

    def evaluate(self, residuals):
        """Compute z(ρ)."""
        if residuals.design.n_splits == 1:
            raise invalid("residuals", "of at least 2 splits", 1)
        variances = run_variances(residuals)
        factor, df = 1.0, np.inf
        if residuals.groups is not None:
            factor, df = unequal_groups_factor(residuals.groups)
        total = variances.theta + self.odds * variances.run_theta
        error = np.sqrt(factor * total)
        evaluation = student_evaluation(self, residuals, variances.mean, error, df)
        difference = evaluation.estimate - self.popmean
        difference = np.where(evaluation.statistic == 0, 0.0, difference)
        rho_alpha = self._rho_alpha(difference / np.sqrt(factor), variances, df)
        return evaluation._replace(rho=self.rho, rho_alpha=rho_alpha)

    def _rho_alpha(self, difference, variances, df):
        """Return the largest ρ at which z(ρ) rejects, -inf if there is none."""
        critical = critical_value(1 - self.alpha, df, self.alternative)
        difference = toward(difference, self.alternative)
        with np.errstate(divide="ignore", invalid="ignore"):
            odds = (difference / critical) ** 2 - variances.theta
            odds = odds / variances.run_theta
            rho = 1 - 1 / (1 + odds)  # odds are ρ/(1-ρ)
        can_reject = (difference > 0) & (odds > -1)
        rho_alpha = np.where(can_reject, rho, -np.inf)
        return np.where(critical < 0, 1.0, rho_alpha)[()]  # alpha > 1/2: z = 0 rejects

    def deviation_rows(self, residuals):
        """Return rows whose inner products are the covariances of the means."""
        runs = residuals.unit_runs
        n_runs = runs.shape[-1]
        deviations = runs - runs.mean(axis=-2, keepdims=True)
        averages = deviations.mean(axis=-1)
        if n_runs == 1:
            return averages
        shared = deviations.reshape(len(runs), -1) * np.sqrt(self.odds / n_runs)
        return np.hstack([averages, shared])
