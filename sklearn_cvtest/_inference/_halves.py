"""Tests that learn the variance, or ρ, from pairs of disjoint halves of the sample.

[GB06]: Grandvalet & Bengio 2006, "Hypothesis Testing for Cross-Validation".
[NB99]: Nadeau & Bengio 1999, "Inference for the Generalization Error".
"""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np

from .._data._moments import power_of_two
from .._validation import check_real, warn
from ..exceptions import DegenerateResidualsWarning
from . import _student
from . import _test_warnings as texts
from ._base_test import BaseCVTest
from ._evaluation import Evaluation
from ._exchangeable import _ExchangeableTTest
from ._papers import cite
from ._parameters import checked_by


def block_means_of_halves(residuals):
    """Return a scale, and the means of blocks over it: of the whole sample, of halves.

    A power of two; means of shape (..., J) and (..., M, 2, J).
    """
    scale = power_of_two(residuals.largest)
    moments = residuals.block_moments
    means = np.expand_dims(moments.shift, -1) + moments.means
    means = means * np.expand_dims(moments.scale / scale, -1)
    n_blocks = residuals.design.n_splits
    halves = means[..., n_blocks:]
    shape = *halves.shape[:-1], -1, 2, n_blocks
    return scale, means[..., :n_blocks], halves.reshape(shape)


def half_sums(means):
    """Return the mean of D (..., J, 2), and Q2 and Q3, half the squares of s and Δ.

    s and Δ are the sums and differences of pairs of means, which are over about their
    largest. Q3/J is an unbiased estimate of the variance of a mean, Q2/(J-1) is too
    small by what means of different draws have in common. So Q3 cannot be 0 while Q2 is
    not, but by chance, where losses are coarse: then it is what Q2 says at least,
    Q2 J/(J-1), which a warning says.
    """
    sums = means.sum(axis=-1)
    differences = np.diff(means, axis=-1)[..., 0]
    centred = sums - sums.mean(axis=-1, keepdims=True)
    q2 = np.sum(centred**2, axis=-1) / 2
    q3 = np.sum(differences**2, axis=-1) / 2
    n_pairs = means.shape[-2]
    differ_within = np.sqrt(q3 / n_pairs) > _student.ROUNDING
    differ_between = np.sqrt(q2 / n_pairs) > _student.ROUNDING
    are_ties = differ_between & ~differ_within
    if np.any(are_ties):
        warn(texts.EQUAL_HALVES, DegenerateResidualsWarning)
        q3 = np.where(are_ties, q2 * n_pairs / max(n_pairs - 1, 1), q3)[()]
    return means.mean(axis=(-2, -1)), q2, q3


def half_sample_variance(means):
    """Return Σ_m(μ̂_m - μ̂_m^c)²/(2M) of block means (..., M, 2, J): [NB99] eq. (8).

    It is unbiased for Var μ̂ at n/2.
    """
    return half_sums(means.mean(axis=-1))[2] / means.shape[-3]


class _OfHalves(BaseCVTest):
    """A test that needs residuals of PairedHalves."""

    designs = ("paired halves",)
    vectorised = True

    def residuals_of_array(self, array):
        """Refuse an array; see :class:`BaseCVTest`."""
        raise TypeError(
            "`residuals` must be CVResiduals from PairedHalves for "
            f"{type(self).__name__}; got an array."
        )


class ConservativeZTest(_OfHalves):
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
    about = (
        "The variance of the mean is learnt from pairs of runs on disjoint halves of "
        "the sample, where it is estimated without bias. With half the data it is "
        "larger than with all, which makes the test conservative."
    )
    references = cite("Nadeau 2003")
    default_for = ("paired halves",)

    def evaluate(self, residuals):
        """Compute Z; see :class:`BaseCVTest`."""
        scale, means, halves = block_means_of_halves(residuals)
        deviation = np.sqrt(half_sample_variance(halves))
        result = _student.standardise(
            means.mean(axis=-1), deviation, deviation, scale, self.popmean
        )
        pvalue = _student.statistic_pvalue(result, np.inf, self.alternative)
        n_blocks = means.shape[-1]
        if n_blocks == 1:
            return Evaluation(*result, pvalue, np.inf)
        unscaled = np.expand_dims(scale, -1) * means
        naive = _student.t_statistic(unscaled, 0.0, self.popmean, scale).statistic
        rho_alpha = _student.rho_alpha(
            naive, n_blocks - 1, self.alpha, self.alternative
        )
        return Evaluation(*result, pvalue, np.inf, np.nan, rho_alpha)


@dataclass(eq=False, repr=False)
class HalfSampleTTest(_OfHalves, _ExchangeableTTest):
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
    about = (
        "The t test on the means of the folds, with ρ estimated from runs on disjoint "
        "halves of the sample. It takes the estimate for the truth, although with few "
        "halves it is noisy."
    )
    references = cite("Grandvalet 2006")
    base_design = "k-fold"
    rho_is_fixed = False

    rho_max: float = field(
        default=0.95, metadata=checked_by(check_real, above=0, below=1, closed="low")
    )

    def assumed_rho(self, residuals):
        """Return ρ̂ at n/2, estimated on the halves: [GB06] section 6."""
        _, _, means = block_means_of_halves(residuals)
        theta3 = means.var(axis=-1, ddof=1).mean(axis=(-2, -1)) / means.shape[-1]
        variance = half_sample_variance(means)
        rho = np.clip(1 - _student.ratio_or_limit(theta3, variance), 0.0, self.rho_max)
        return np.where(variance > 0, rho, 0.0)[()]


class PairedHalvesTTest(_OfHalves):
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
    about = (
        "A t test of the means of disjoint halves of the sample, drawn again and "
        "again. Its variance, from the differences within a draw, is on average at "
        "least the true one. It is about training on half of the sample."
    )
    references = cite("Nadeau 2003")
    base_design = "k-fold"
    default_for = ("paired halves",)

    def evaluate(self, residuals):
        """Compute T; see :class:`BaseCVTest`."""
        n_pairs = residuals.design.n_halvings
        if n_pairs < 2:
            raise ValueError(
                f"{type(self).__name__} needs at least 2 pairs of halves; got 1. Use "
                "PairedHalves with a larger `n_halvings`."
            )
        scale, _, halves = block_means_of_halves(residuals)
        means = halves.mean(axis=-1)
        mean, _, q3 = half_sums(means)
        deviation = np.sqrt(q3 / (2 * n_pairs))
        result = _student.standardise(mean, deviation, np.sqrt(q3), scale, self.popmean)
        pvalue = _student.statistic_pvalue(result, n_pairs, self.alternative)
        return Evaluation(*result, pvalue, n_pairs)
