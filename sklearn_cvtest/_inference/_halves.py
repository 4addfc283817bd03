"""Tests that learn the variance, or ρ, from pairs of disjoint halves of the sample."""

from dataclasses import replace

import numpy as np
from scipy import optimize

from .._validation import check_option, check_real
from .._variance import estimate_variances
from ._base import BaseCVTest
from ._exchangeable import _ExchangeableTTest
from ._student import (
    ROUNDING,
    critical_value,
    ratio_or_limit,
    rho_alpha,
    scale_to_one,
    student_pvalue,
    t_statistic,
)

__all__ = ["ConservativeZTest", "HalfSampleTTest", "IntegratedRhoTest"]


def half_sample_variance(halves):
    """Return Σ_m(μ̂_m - μ̂_m^c)²/(2M), unbiased for Var μ̂ at n/2: [NB99] eq. (8)."""
    pairs = [[half.block_means.mean() for half in pair] for pair in halves]
    return float(np.mean(np.diff(pairs, axis=1) ** 2) / 2)


def _check_base(test, design, base):
    if design.kind == "paired halves" and design.base != base:
        raise ValueError(
            f"{type(test).__name__} is valid for paired halves of K-fold; got "
            f"{design}. Use PairedHalves(BlockKFold(...)), or ConservativeZTest."
        )


class ConservativeZTest(BaseCVTest):
    """Nadeau and Bengio's conservative Z test.

    Tests whether the expected residual, over training sets of the size that `cv`
    makes, is `popmean`. The variance of the mean at n is overestimated by that at
    n/2, which pairs of runs on disjoint halves give without bias.

    Parameters
    ----------
    alpha : float, default=0.05
        Level of `rho_alpha_`, in (0, 1).
    alternative : {"two-sided", "less", "greater"}, default="two-sided"
        "greater": the expected residual is above `popmean`, that is (with 0)
        the second estimator is better.
    popmean : float, default=0.0
        Expected residual under the null hypothesis.

    Attributes
    ----------
    statistic_, pvalue_ : float
        Z = (μ̂ - popmean)/σ̂ and its p-value, from the normal distribution.
    estimate_ : float
        μ̂, the mean of the block means of the whole sample.
    standard_error_ : float
        σ̂, with σ̂² = Σ_m (μ̂_m - μ̂_m^c)²/(2M).
    df_ : float
        inf.
    rho_ : float
        nan: no ρ is assumed.
    rho_alpha_ : float
        That of the block means of the whole sample, as in :class:`KFoldTTest`.

    Notes
    -----
    Takes residuals of :class:`PairedHalves`; it costs 2M runs on half the sample
    beyond the run on the whole. σ̂² has about M degrees of freedom, which the
    normal distribution ignores, so with few pairs the test is less conservative
    than the name says; the authors use M = 10.

    References
    ----------
    .. [1] C. Nadeau and Y. Bengio, "Inference for the Generalization Error",
       Machine Learning 52, 239-281, 2003. :doi:`10.1023/A:1024068626366`.
       Section 3, second method, equation (8).

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from sklearn.dummy import DummyClassifier
    >>> from sklearn.naive_bayes import GaussianNB
    >>> from sklearn_cvtest import ConservativeZTest, PairedHalves
    >>> from sklearn_cvtest import RepeatedSubsample, cross_val_losses
    >>> cv = PairedHalves(RepeatedSubsample(5, random_state=0), 3, random_state=0)
    >>> losses = cross_val_losses(
    ...     [GaussianNB(), DummyClassifier()], *load_iris(return_X_y=True), cv=cv
    ... )
    >>> ConservativeZTest().fit(losses.residuals(0, 1)).pvalue_ < 0.05
    True
    """

    designs = ("paired halves",)
    title = "conservative Z test (Nadeau & Bengio 2003)"
    symbol = "Z"

    def __init__(self, *, alpha=0.05, alternative="two-sided", popmean=0.0):
        self.alpha = alpha
        self.alternative = alternative
        self.popmean = popmean

    def _from_array(self, array):
        raise needs_paired_halves(self)

    def _fit(self, residuals):
        full, halves = residuals.runs()
        means = full.block_means
        estimate = means.mean()
        standard_error = np.sqrt(half_sample_variance(halves))
        statistic = ratio_or_limit(estimate - self.popmean, standard_error)
        pvalue = student_pvalue(statistic, np.inf, self.alternative)
        if statistic == 0 and standard_error == 0:
            pvalue = 1.0
        largest = np.nan
        if len(means) > 1:
            naive = t_statistic(means, 0.0, self.popmean).statistic
            largest = rho_alpha(naive, len(means) - 1, self.alpha, self.alternative)
        self._set_result(
            estimate, standard_error, statistic, pvalue, np.inf, np.nan, largest
        )


def needs_paired_halves(test):
    """Return the error for a plain array, which cannot hold paired halves."""
    return TypeError(
        f"`residuals` must be CVResiduals from PairedHalves for {type(test).__name__}; "
        "got an array."
    )


class HalfSampleTTest(_ExchangeableTTest):
    """t test for K-fold whose ρ is estimated on halves of the sample.

    The suggestion that closes [1]_: estimate the correlation between blocks at
    n/2, where pairs of disjoint halves give the variance of μ̂ without bias, and
    use it in eq. (9) at n, where it is smaller.

    Parameters
    ----------
    rho_max : float, default=0.95
        Largest ρ allowed, in [0, 1).
    alpha : float, default=0.05
        Level of `rho_alpha_`, in (0, 1).
    alternative : {"two-sided", "less", "greater"}, default="two-sided"
        "greater": the expected residual is above `popmean`, that is (with 0)
        the second estimator is better.
    popmean : float, default=0.0
        Expected residual under the null hypothesis.

    Attributes
    ----------
    statistic_, pvalue_, estimate_, standard_error_, df_, rho_alpha_ : float
        As in :class:`KFoldTTest`, on the K-fold of the whole sample.
    rho_ : float
        ρ̂ = 1 - mean θ̂3(half) / [Σ_m (μ̂_m - μ̂_m^c)²/(2M)], clipped to
        [0, `rho_max`].

    See Also
    --------
    IntegratedRhoTest : Does not plug in an estimate, but averages over ρ.

    Notes
    -----
    Takes residuals of PairedHalves(BlockKFold(K), M): 2M K-folds of half the sample
    beyond that of the whole. At small M, ρ̂ is noisy, and the test takes it for
    the truth.

    References
    ----------
    .. [1] Y. Grandvalet and Y. Bengio, "Hypothesis Testing for
       Cross-Validation", Technical Report 1285, DIRO, Université de Montréal,
       2006. Section 6.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from sklearn.dummy import DummyClassifier
    >>> from sklearn.naive_bayes import GaussianNB
    >>> from sklearn_cvtest import BlockKFold, HalfSampleTTest, PairedHalves
    >>> from sklearn_cvtest import cross_val_losses
    >>> cv = PairedHalves(BlockKFold(5, random_state=0), 3, random_state=0)
    >>> losses = cross_val_losses(
    ...     [GaussianNB(), DummyClassifier()], *load_iris(return_X_y=True), cv=cv
    ... )
    >>> HalfSampleTTest().fit(losses.residuals(0, 1)).pvalue_ < 0.05
    True
    """

    designs = ("paired halves",)
    title = "t test with a correlation estimated on halves (Grandvalet & Bengio 2006)"

    def __init__(
        self, rho_max=0.95, *, alpha=0.05, alternative="two-sided", popmean=0.0
    ):
        self.rho_max = rho_max
        super().__init__(alpha=alpha, alternative=alternative, popmean=popmean)

    def _check_params(self):
        super()._check_params()
        check_real("rho_max", self.rho_max, above=0, below=1, closed="low")

    def _from_array(self, array):
        raise needs_paired_halves(self)

    def check_design(self, design, per_example=True):
        """Check that the test is valid for a design.

        Parameters
        ----------
        design : Design
            The design of the splits.
        per_example : bool, default=True
            Whether there is a residual per test example.

        Raises
        ------
        ValueError
            If it is not; the message names a test that is.
        """
        super().check_design(design, per_example)
        _check_base(self, design, "k-fold")

    def _block_means(self, residuals):
        return residuals.runs()[0].block_means

    def _rho(self, residuals):
        _, halves = residuals.runs()
        theta3 = np.mean(
            [
                half.block_means.var(ddof=1) / len(half.block_means)
                for pair in halves
                for half in pair
            ]
        )
        variance = half_sample_variance(halves)
        if variance == 0:
            return 0.0
        return float(np.clip(1 - theta3 / variance, 0.0, self.rho_max))


class IntegratedRhoTest(BaseCVTest):
    """Z test for K-fold that averages its p-value over what is known of ρ.

    Eq. (9) of [1]_ has K - 1 degrees of freedom because θ̂3, the variance of the
    block means, has; θ̂5, the variance of the residuals, has n - 1 and nearly the
    same bias, -γ. So z(ρ) = √(1-ρ)(μ̂ - popmean)/√θ̂5 is taken for standard normal,
    and as ρ is not known, the p-value is averaged over it.

    Parameters
    ----------
    rho_max : float, default=0.75
        ρ is uniform on [0, `rho_max`] beforehand; in (0, 1). The authors of [1]_
        saw none above 0.7.
    variance : {"theta5", "theta4", "theta3"}, default="theta5"
        The variance estimate, as in :func:`variance_estimates`.
    alpha : float, default=0.05
        Level of `rho_alpha_`, in (0, 1).
    alternative : {"two-sided", "less", "greater"}, default="two-sided"
        "greater": the expected residual is above `popmean`, that is (with 0)
        the second estimator is better.
    popmean : float, default=0.0
        Expected residual under the null hypothesis.

    Attributes
    ----------
    statistic_ : float
        z(0).
    pvalue_ : float
        ∫ p(z(ρ)) π(ρ) dρ.
    estimate_ : float
        Mean residual of the K-fold of the whole sample.
    standard_error_ : float
        √θ̂5, the standard error at ρ = 0.
    df_ : float
        inf.
    rho_ : float
        Mean of ρ under π.
    rho_alpha_ : float
        1 - (z_crit/|z(0)|)², as in :class:`KFoldTTest`.

    See Also
    --------
    KFoldTTest : Assumes one ρ; needs no loss per example.

    Notes
    -----
    From one K-fold, π is uniform and there is no extra fit. From
    PairedHalves(BlockKFold(K), M), π is multiplied by the likelihood of what the
    halves say: with q = [Σ_m (μ̂_m - μ̂_m^c)²/2] / mean θ̂5(half), q(1-ρ) follows the
    χ² distribution with M degrees of freedom. ρ at n/2 is at least ρ at n, so this
    errs on the safe side. The interval holds the values of `popmean` not rejected.

    References
    ----------
    .. [1] Y. Grandvalet and Y. Bengio, "Hypothesis Testing for
       Cross-Validation", Technical Report 1285, DIRO, Université de Montréal,
       2006. Equation (9); the averaging is this package's.

    Examples
    --------
    >>> import numpy as np
    >>> from sklearn_cvtest import IntegratedRhoTest
    >>> e = np.random.default_rng(0).normal(0.3, size=(10, 10))
    >>> round(IntegratedRhoTest().fit(e).pvalue_, 3)
    0.007
    """

    designs = ("k-fold", "paired halves")
    needs_examples = True
    title = "z test averaged over the correlation between folds"
    symbol = "z"

    def __init__(
        self,
        rho_max=0.75,
        variance="theta5",
        *,
        alpha=0.05,
        alternative="two-sided",
        popmean=0.0,
    ):
        self.rho_max = rho_max
        self.variance = variance
        self.alpha = alpha
        self.alternative = alternative
        self.popmean = popmean

    def _check_params(self):
        super()._check_params()
        check_real("rho_max", self.rho_max, above=0, below=1)
        check_option("variance", self.variance, ("theta5", "theta4", "theta3"))

    def check_design(self, design, per_example=True):
        """Check that the test is valid for a design.

        Parameters
        ----------
        design : Design
            The design of the splits.
        per_example : bool, default=True
            Whether there is a residual per test example.

        Raises
        ------
        ValueError
            If it is not; the message names a test that is.
        """
        super().check_design(design, per_example)
        _check_base(self, design, "k-fold")

    def _fit(self, residuals):
        scaled, scale = scale_to_one(residuals.values)
        full, halves = replace(residuals, values=scaled).runs()
        estimate = scale * full.values.mean()
        deviation = np.sqrt(self._theta(full))
        difference = estimate - self.popmean
        if deviation <= ROUNDING:
            deviation = 0.0
            difference = 0.0 if abs(difference) <= ROUNDING * scale else difference
        standard_error = scale * deviation
        statistic = ratio_or_limit(difference, standard_error)
        self._rho_nodes, self._rho_weights = self._posterior(halves)
        pvalue = self._pvalue(statistic)
        if statistic == 0 and standard_error == 0:
            pvalue = 1.0
        largest = rho_alpha(statistic, np.inf, self.alpha, self.alternative)
        rho = self._rho_nodes @ self._rho_weights
        self._set_result(
            estimate, standard_error, statistic, pvalue, np.inf, rho, largest
        )

    def _theta(self, residuals):
        sizes = np.bincount(residuals.row_split)
        estimates = estimate_variances(residuals.values, residuals.row_split, sizes)
        return getattr(estimates, self.variance)

    def _posterior(self, halves):
        """Return nodes in [0, rho_max] and their probabilities under π."""
        nodes, weights = np.polynomial.legendre.leggauss(64)
        rho = self.rho_max * (nodes + 1) / 2
        if halves:
            theta = np.mean([self._theta(half) for pair in halves for half in pair])
            n_halvings = len(halves)
            q = ratio_or_limit(n_halvings * half_sample_variance(halves), theta)
            if np.isfinite(q):
                # the density of q where q(1 - ρ) is χ² with M degrees of freedom
                log_likelihood = n_halvings / 2 * np.log1p(-rho) - q * (1 - rho) / 2
                weights = weights * np.exp(log_likelihood - log_likelihood.max())
        return rho, weights / weights.sum()

    def _pvalue(self, statistic):
        z = np.multiply(np.sqrt(1 - self._rho_nodes), statistic)
        return student_pvalue(z, np.inf, self.alternative) @ self._rho_weights

    def _interval(self, level):
        """Invert p: it depends on popmean through the statistic only."""
        side = "two-sided" if self.alternative == "two-sided" else "greater"
        lowest = critical_value(level, np.inf, side)

        def excess(z):
            z = np.sqrt(1 - self._rho_nodes) * z
            return student_pvalue(z, np.inf, side) @ self._rho_weights - (1 - level)

        if lowest <= 0:  # a one-sided interval at a level of 1/2 or less
            bounds = lowest / np.sqrt(1 - self.rho_max), 0.0
        else:
            bounds = lowest, lowest / np.sqrt(1 - self.rho_max)
        critical = optimize.brentq(excess, *bounds, xtol=1e-12)
        margin = critical * self.standard_error_
        low = -np.inf if self.alternative == "less" else self.estimate_ - margin
        high = np.inf if self.alternative == "greater" else self.estimate_ + margin
        return low, high
