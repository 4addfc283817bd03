"""Tests that learn the variance, or ρ, from pairs of disjoint halves of the sample.

[GB06]: Grandvalet & Bengio 2006, "Hypothesis Testing for Cross-Validation".
[NB99]: Nadeau & Bengio 1999, "Inference for the Generalization Error".
"""

import numpy as np

from .._design import K_FOLD
from .._validation import check_real, invalid, warn
from ..exceptions import DegenerateResidualsWarning
from .base import BaseCVTest, name_of_test, student_evaluation
from .exchangeable import ExchangeableTTest
from .student import ROUNDING, critical_value, largest_rho, ratio_or_limit


class _HalvesTest(BaseCVTest):
    """A test that needs residuals of PairedHalves."""

    designs = ("paired halves",)
    base = None

    def from_array(self, array):
        """Refuse an array."""
        raise invalid("residuals", "CVResiduals of PairedHalves", array, TypeError)

    def check_design(self, design, per_example=True, n_groups=None):
        """Raise unless the test is valid for a design."""
        super().check_design(design, per_example, n_groups)
        if self.base not in (None, design.base):
            allowed = f"a test for {design}, which {type(self).__name__} is not"
            raise invalid("test", allowed, self, hint=f"Use {name_of_test(design)}.")


def means_of_halves(residuals):
    """Return the means of the splits of halves, (..., M, 2, J)."""
    means = residuals.block_means[..., residuals.design.n_of_whole :]
    return means.reshape(*means.shape[:-1], -1, 2, residuals.design.n_splits)


def variance_of_half(residuals):
    """Return Σ_m (μ̂_m - μ̂_m^c)²/(2M), without bias for Var μ̂ at n/2: [NB99] eq. (8).

    Where both halves of every pair have the same mean by chance, although pairs differ,
    what the sums of pairs say at least takes its place.
    """
    means = means_of_halves(residuals).mean(axis=-1)
    n_pairs = means.shape[-2]
    variance = np.mean(np.diff(means, axis=-1)[..., 0] ** 2, axis=-1) / 2
    of_sums = np.zeros_like(variance)
    if n_pairs > 1:
        of_sums = means.sum(axis=-1).var(axis=-1, ddof=1) / 2
    rounding = (ROUNDING * residuals.magnitude) ** 2
    are_ties = (variance <= rounding) & (of_sums > rounding)
    if np.any(are_ties):
        warn(
            "Both halves of every pair have the same mean, although pairs differ. The "
            "variance between pairs is used. Use more halvings, or a finer loss.",
            DegenerateResidualsWarning,
        )
    return np.where(are_ties, of_sums, np.where(variance <= rounding, 0.0, variance))


class ConservativeZTest(_HalvesTest):
    """Nadeau and Bengio's conservative Z test.

    Tests whether the expected residual, over training sets of the size that `cv` makes,
    is `popmean`. The variance of the mean at n is replaced by the larger one at n/2,
    which pairs of runs on disjoint halves estimate without bias.

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
        From the block means of the whole sample, as in :class:`KFoldTTest`.

    Notes
    -----
    Needs residuals of :class:`PairedHalves`, that is, 2M runs on half the sample in
    addition to the run on the whole sample. σ̂² has about M degrees of freedom, which
    the normal distribution ignores, so with few pairs the test is less conservative
    than its name suggests. The authors use M = 10.

    References
    ----------
    .. [1] C. Nadeau and Y. Bengio, "Inference for the Generalization Error",
       Machine Learning 52, 239-281, 2003. :doi:`10.1023/A:1024068626366`.
       Section 3, second method; equation (8) of the version in NIPS 1999.

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

    title = "conservative Z test (Nadeau & Bengio 2003)"
    symbol = "Z"

    def evaluate(self, residuals):
        """Compute Z = (μ̂ - popmean)/σ̂."""
        means = residuals.whole_means
        mean, error = means.mean(axis=-1), np.sqrt(variance_of_half(residuals))
        evaluation = student_evaluation(self, residuals, mean, error, np.inf)
        rho_alpha = self._rho_alpha(means, evaluation.estimate)
        return evaluation._replace(rho_alpha=rho_alpha)

    def _rho_alpha(self, means, estimate):
        """Return the largest ρ at which t(ρ) of the whole sample rejects."""
        n_splits = means.shape[-1]
        if n_splits == 1:
            return np.nan
        error = means.std(axis=-1, ddof=1) / np.sqrt(n_splits)
        statistic = ratio_or_limit(estimate - self.popmean, error)
        critical = critical_value(1 - self.alpha, n_splits - 1, self.alternative)
        return largest_rho(statistic, critical, self.alternative)


class PairedHalvesTTest(_HalvesTest):
    """t test of the means of disjoint halves, whose variance errs on the safe side.

    The two halves of one draw share no example, so that half their squared difference
    estimates the variance of the mean of one half without bias. Half of that is at
    least the variance of the mean of all J draws, as averaging over draws cannot add
    to it. It tests whether the expected residual, for training on (1 - 1/K) n/2
    examples, is `popmean`: half as many as the other tests are about.

    Parameters
    ----------
    alpha : float, default=0.05
        Level of decisions, in (0, 1).
    alternative : {"two-sided", "less", "greater"}, default="two-sided"
        "greater": the expected residual is above `popmean`, that is (with 0)
        the second estimator is better.
    popmean : float, default=0.0
        Expected residual under the null hypothesis.

    Attributes
    ----------
    statistic_, pvalue_ : float
        T = (d̄ - popmean)/SE and its p-value, from Student's t with J degrees of
        freedom.
    estimate_ : float
        d̄, the mean over all halves.
    standard_error_ : float
        SE, with SE² = Σ Δ_j²/(4J) of the differences Δ_j between the halves of a draw.
    df_ : int
        J.
    rho_, rho_alpha_ : float
        nan: no ρ is assumed.

    See Also
    --------
    ConservativeZTest : Takes the mean of the run on the whole sample.

    Notes
    -----
    E SE² = Var(half)/2 >= Var(d̄), with equality for statistics that are linear in the
    examples. The J differences are not independent, so that J degrees of freedom are
    more than there are; the variance being too large makes up for it. Where both halves
    of every draw have the same mean although draws differ, as of a coarse loss, half
    the variance between the sums of draws takes the place of SE² J, with a warning.
    Needs residuals of :class:`PairedHalves` of a BlockKFold; the run on the whole
    sample is not used.

    References
    ----------
    .. [1] C. Nadeau and Y. Bengio, "Inference for the Generalization Error",
       Machine Learning 52, 239-281, 2003. :doi:`10.1023/A:1024068626366`.
       Section 3, second method, has the variance; the test is this package's.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from sklearn.dummy import DummyClassifier
    >>> from sklearn.naive_bayes import GaussianNB
    >>> from sklearn_cvtest import BlockKFold, PairedHalves, PairedHalvesTTest
    >>> from sklearn_cvtest import cross_val_losses
    >>> cv = PairedHalves(BlockKFold(5, random_state=0), 10, random_state=0)
    >>> losses = cross_val_losses(
    ...     [GaussianNB(), DummyClassifier()], *load_iris(return_X_y=True), cv=cv
    ... )
    >>> PairedHalvesTTest().fit(losses.residuals(0, 1)).pvalue_ < 0.05
    True
    """

    title = "t test of disjoint halves"
    base = K_FOLD

    def evaluate(self, residuals):
        """Compute T = (d̄ - popmean)/SE, SE² = Σ Δ_j²/(4J), t with J df."""
        n_pairs = residuals.design.n_halvings
        if n_pairs < 2:
            raise invalid("residuals", "of at least 2 pairs of halves", n_pairs)
        mean = means_of_halves(residuals).mean(axis=(-3, -2, -1))
        error = np.sqrt(variance_of_half(residuals) / 2)
        return student_evaluation(self, residuals, mean, error, n_pairs)


class HalfSampleTTest(_HalvesTest, ExchangeableTTest):
    """t test for K-fold whose ρ is estimated from halves of the sample.

    The suggestion at the end of [1]_: estimate ρ at n/2, where pairs of disjoint halves
    give the variance of μ̂ without bias, and use it in eq. (9) at n, where it was
    smaller in the authors' experiments.

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
    PairedHalvesTTest : The default for these splits, which does without ρ.

    Notes
    -----
    Needs residuals of PairedHalves(BlockKFold(K), M), that is, 2M K-folds of half the
    sample besides the K-fold of the whole. With small M, ρ̂ is noisy, and the test
    treats it as exact.

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

    title = "t test with ρ estimated on halves (Grandvalet & Bengio 2006)"
    base = K_FOLD
    has_joint_law = False

    def __init__(
        self, rho_max=0.95, *, alpha=0.05, alternative="two-sided", popmean=0.0
    ):
        self.rho_max = rho_max
        super().__init__(alpha=alpha, alternative=alternative, popmean=popmean)

    def check_params(self):
        """Check the options."""
        super().check_params()
        check_real("rho_max", self.rho_max, 0, 1, closed=True)

    def assumed_rho(self, residuals):
        """Return ρ̂ = 1 - mean θ̂3/Var at n/2: [GB06] section 6."""
        means = means_of_halves(residuals)
        theta3 = means.var(axis=-1, ddof=1).mean(axis=(-2, -1)) / means.shape[-1]
        variance = variance_of_half(residuals)
        rho = np.clip(1 - ratio_or_limit(theta3, variance), 0.0, self.rho_max)
        return np.where(variance > 0, rho, 0.0)[()]
