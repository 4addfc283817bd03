"""Tests of the means of disjoint halves alone, drawn again and again.

[SHARP]: Zeng et al. 2026, "SHARP".
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Literal, NamedTuple

import numpy as np

from . import _test_warnings as texts
from ._ends import bisect, ends
from ._evaluation import Evaluation
from ._halves import _OfHalves, block_means_of_halves, half_sums
from ._papers import cite
from ._parameters import one_of
from ._student import critical_value, standardise, statistic_pvalue

ENOUGH_PAIRS = 5
RHO_LIMIT = 0.499  # of two means; at 0.5 their covariance matrix is singular
DOUBLINGS = 60


def variance_of_mean(sigma2, rho, n_pairs):
    """Return the variance of the mean of all 2J halves."""
    return sigma2 * (1 / (2 * n_pairs) + (n_pairs - 1) * rho / n_pairs)


def reml_fit(q2, q3, n_pairs):
    """Return σ² and ρ of restricted maximum likelihood, for q3 > 0."""
    rho = (1 - n_pairs * q2 / ((n_pairs - 1) * q3)) / 2
    rho = np.clip(rho, 0, RHO_LIMIT)
    return (q2 / (1 - 2 * rho) + q3) / (2 * n_pairs - 1), rho


def null_fit(difference, q2, q3, n_pairs):
    """Return σ² and ρ of maximum likelihood under a mean, for q3 > 0.

    The deviance 2J log q + Σ mult log λ over ρ turns only at the roots of a cubic, so
    that its minimum is at one of them, or at an end of the range.
    """
    n = n_pairs
    a = n_pairs - 1
    q1 = 2 * n * difference**2
    cubic = [
        4 * a**2 * q3,
        2 * a * (a * q2 - q1 - (n - 2) * q3),
        a * (3 * q1 + 3 * q2 - q3),
        q2 - a * q1,
    ]
    roots = np.clip(_real_parts_of_roots(*cubic), 0, RHO_LIMIT)
    ends = np.broadcast_to([0.0, RHO_LIMIT], (*roots.shape[:-1], 2))
    rho = np.concatenate([ends, roots], axis=-1)
    # eigenvalues; the third is 1
    first = 1 + 2 * a * rho
    second = 1 - 2 * rho
    q1, q2, q3 = (np.expand_dims(q, -1) for q in (q1, q2, q3))
    q = q1 / first + q2 / second + q3
    deviance = 2 * n * np.log(q) + np.log(first) + a * np.log(second)
    best = np.expand_dims(deviance.argmin(axis=-1), -1)
    q, rho = (np.take_along_axis(x, best, -1)[..., 0] for x in (q, rho))
    return q / (2 * n), rho


def _real_parts_of_roots(lead, *others):
    """Return the real parts of the roots of cubics, shape (..., 3)."""
    companion = np.zeros((*np.shape(lead), 3, 3))
    for column, value in enumerate(others):
        companion[..., 0, column] = -value / lead
    companion[..., 1, 0] = companion[..., 2, 1] = 1
    return np.linalg.eigvals(companion).real


class HalfSquares(NamedTuple):
    """What the means of halves say of their variance, over `scale`.

    Attributes
    ----------
    scale : float or ndarray of shape (...)
        A power of two near the largest residual.
    q2, q3 : float or ndarray of shape (...)
        Sums of squares, as :func:`half_sums` returns them.
    n_pairs : int
        Pairs of halves.
    """

    scale: np.ndarray
    q2: np.ndarray
    q3: np.ndarray
    n_pairs: int


class _HalvesTest(_OfHalves):
    """Test of the means of the 2J halves."""

    base_design = "k-fold"

    def _means(self, residuals):
        """Return a scale, and the mean of each half over it, of shape (..., J, 2)."""
        if residuals.design.n_halvings < 2:
            raise ValueError(
                f"{type(self).__name__} needs at least 2 pairs of halves; got 1. Use "
                "PairedHalves with a larger `n_halvings`."
            )
        scale, _, halves = block_means_of_halves(residuals)
        return scale, halves.mean(axis=-1)


@dataclass(eq=False, repr=False)
class SharpTest(_HalvesTest):
    """SHARP: z test of the means of disjoint halves, redrawn J times.

    Each of the two halves of the sample is cross-validated on its own, J times. Halves
    of one draw share no example and are independent, all others have some correlation
    ρ, and likelihood finds it [1]_. It tests whether the expected residual, for
    training on (1 - 1/K) n/2 examples, is `popmean`: half as many as the other tests
    are about.

    Parameters
    ----------
    method : {"score", "reml"}, default="score"
        "score" fits variance and ρ under the null hypothesis, "reml" (restricted
        maximum likelihood) without it.
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
        z and its p-value, from the normal distribution.
    estimate_ : float
        Mean over all halves.
    standard_error_ : float
        Its standard error.
    df_ : float
        inf.
    rho_ : float
        The fitted correlation of the means of two halves of different draws, from 0 to
        0.499. It is not the ρ of :class:`KFoldTTest`.
    rho_alpha_ : float
        nan: the statistic has no other ρ.

    See Also
    --------
    PairedHalvesTTest : Does without the correlation.

    Notes
    -----
    With d̄ the mean of the 2J means, s_j and Δ_j the sum and the difference of a pair,

    .. math:: Q_1 = 2J(\\bar d - \\mu_0)^2, \\quad
              Q_2 = \\tfrac12 \\sum (s_j - \\bar s)^2, \\quad
              Q_3 = \\tfrac12 \\sum \\Delta_j^2

    belong to the eigenvalues 1 + 2(J-1)ρ, 1 - 2ρ and 1 of the correlation matrix, with
    multiplicities 1, J - 1 and J. "score" minimises 2J log ΣQ/λ + Σ log λ over ρ;
    "reml" has a closed form, and inside the range the variance (Q3 - Q2)/(2J), the
    unbiased one of Wang and Lindsay (2014). As the difference grows, ρ goes to its
    bound and the statistic of "score" to √(2J). With fewer than 5 pairs it hardly ever
    rejects, which a warning says, and an interval may have no end. For nearly linear
    statistics Q2 vanishes and the test is liberal.

    Needs residuals of :class:`PairedHalves` of a BlockKFold; the run on the whole
    sample is not used. Results equal the package sharp-cv's, which has two
    estimators, one metric and no groups.

    References
    ----------
    .. [1] T. Zeng et al., "SHARP", bioRxiv 2026.05.17.724301, 2026.
       :doi:`10.1101/2026.05.17.724301`

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from sklearn.dummy import DummyClassifier
    >>> from sklearn.naive_bayes import GaussianNB
    >>> from sklearn_cvtest import BlockKFold, PairedHalves, SharpTest
    >>> from sklearn_cvtest import cross_val_losses
    >>> cv = PairedHalves(BlockKFold(5, random_state=0), 10, random_state=0)
    >>> losses = cross_val_losses(
    ...     [GaussianNB(), DummyClassifier()], *load_iris(return_X_y=True), cv=cv
    ... )
    >>> SharpTest().fit(losses.residuals(0, 1)).pvalue_ < 0.05
    True
    """

    title = "SHARP, z test of disjoint halves (Zeng et al. 2026)"
    symbol = "z"
    about = (
        "A normal test of the means of disjoint halves of the sample, drawn again and "
        "again. Halves of one draw are independent, and the correlation of the others "
        "is fitted. It is about training on half of the sample."
    )
    references = cite("Zeng 2026")

    method: Literal["score", "reml"] = field(
        default="score", metadata=one_of("score", "reml")
    )

    def design_warning(self, design):
        """Say that few pairs can hardly reject; see :class:`BaseCVTest`."""
        n_pairs = design.n_halvings
        if self.method == "reml" or n_pairs >= ENOUGH_PAIRS:
            return ""
        largest_z = np.sqrt(2 * n_pairs)
        return texts.few_pairs_of_halves(n_pairs, largest_z, ENOUGH_PAIRS)

    def evaluate(self, residuals):
        """Compute z; see :class:`BaseCVTest`."""
        scale, means = self._means(residuals)
        n_pairs = means.shape[-2]
        mean, q2, q3 = half_sums(means)
        usable = np.where(q3 > 0, q3, 1)
        if self.method == "reml":
            sigma2, rho = reml_fit(q2, usable, n_pairs)
        else:
            difference = mean - self.popmean / scale
            sigma2, rho = null_fit(difference, q2, usable, n_pairs)
        deviation = np.sqrt(variance_of_mean(sigma2, rho, n_pairs))
        result = standardise(mean, deviation, np.sqrt(q3), scale, self.popmean)
        pvalue = statistic_pvalue(result, np.inf, self.alternative)
        state = HalfSquares(scale, q2, q3, n_pairs)
        rho = np.where(q3 > 0, rho, np.nan)[()]
        return Evaluation(*result, pvalue, np.inf, rho, np.nan, state=state)

    def interval(self, evaluation, confidence_level):
        """Return the means that are not rejected; the ends may be infinite."""
        if self.method == "reml":
            return super().interval(evaluation, confidence_level)
        critical = critical_value(confidence_level, np.inf, self.alternative)
        return ends(
            lambda side: self._end(evaluation, -side * critical),
            self.alternative,
            np.shape(evaluation.estimate),
        )

    def total_error(self, evaluation):
        """Return the error with which a normal has the two-sided 95% interval.

        For "score" it is inf where the interval has no ends.
        """
        if self.method == "reml":
            return super().total_error(evaluation)
        critical = critical_value(0.95, np.inf, "two-sided")
        length = self._end(evaluation, -critical) - self._end(evaluation, critical)
        return length / (2 * critical), np.inf

    def _end(self, evaluation, quantile):
        """Return the mean at which z is the quantile; ±inf where it is none."""
        scale, q2, q3, n_pairs = evaluation.state
        scale = np.asarray(scale)
        is_flat = np.asarray(q3) == 0
        q3 = np.where(is_flat, 1, q3)

        def is_inside(distance):
            sigma2, rho = null_fit(distance, q2, q3, n_pairs)
            error = np.sqrt(variance_of_mean(sigma2, rho, n_pairs))
            return distance <= abs(quantile) * error

        far = 2.0**DOUBLINGS * np.sqrt(q3 / n_pairs / (2 * n_pairs))
        is_open = is_inside(far)  # |z| has a bound
        distance = bisect(is_inside, np.zeros(np.shape(q3)), far, DOUBLINGS + 60)
        distance = np.where(is_open, np.inf, distance)
        distance = np.where(is_flat, 0.0, distance)
        return evaluation.estimate - np.sign(quantile) * scale * distance


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
    SharpTest : Fits the correlation of the halves.
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
    default_for = ("paired halves",)

    def evaluate(self, residuals):
        """Compute T; see :class:`BaseCVTest`."""
        scale, means = self._means(residuals)
        n_pairs = means.shape[-2]
        mean, _, q3 = half_sums(means)
        deviation = np.sqrt(q3 / (2 * n_pairs))
        result = standardise(mean, deviation, np.sqrt(q3), scale, self.popmean)
        pvalue = statistic_pvalue(result, n_pairs, self.alternative)
        return Evaluation(*result, pvalue, n_pairs)
