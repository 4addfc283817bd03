"""The normal test of a K-fold from the variance of its residuals."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar, Literal

import numpy as np

from .._data._clusters import cluster_moments, estimand_weights
from .._validation import invalid
from ._base import WeighedTest, one_of
from ._evaluation import Evaluation
from ._joint import single_rows
from ._student import rho_alpha, standardise, statistic_pvalue


def root_theta(moments, variance):
    """Return √θ̂ of the moments of a K-fold, divided by their scale."""
    n = moments.sizes.sum()
    if variance == "theta5":
        return np.sqrt(moments.total_squares / (n * (n - 1)))
    df = n - len(moments.sizes)
    if not df:
        allowed = "'theta5' for leave-one-out, whose blocks have one example"
        raise invalid("variance", allowed, variance)
    return np.sqrt(moments.squares.sum(axis=-1) / df / n)


def z_statistic(residuals, variance, popmean, weights="examples"):
    """Return z(0) = (μ̂ - popmean)/√θ̂ of K-fold residuals, and its degrees of freedom.

    With G groups, θ̂ is the variance of the mean of their sums, with divisor G - 1.
    """
    if residuals.groups is not None:
        is_within = variance == "theta4"
        return group_statistic(residuals, popmean, weights, within_blocks=is_within)
    moments = residuals.block_moments
    deviation = root_theta(moments, variance)
    spread = deviation * np.sqrt(residuals.n_values)
    result = standardise(moments.mean, deviation, spread, moments.scale, popmean)
    return result, np.inf


def group_statistic(residuals, popmean, weights="examples", *, within_blocks=False):
    """Return the t statistic of the mean of residuals in groups, and its df, G - 1.

    The sum over a group is one observation: Liang and Zeger (1986), with the factor
    G/(G - 1). `weights` says what weighs the same, "examples" or "groups".
    """
    groups, blocks = residuals.groups, residuals.row_split if within_blocks else None
    weights = estimand_weights(groups, weights)
    moments = cluster_moments(residuals.values, groups, weights=weights, blocks=blocks)
    deviation = np.sqrt(moments.variance)
    spread = deviation * np.sqrt(moments.n_groups)
    result = standardise(moments.mean, deviation, spread, moments.scale, popmean)
    return result, moments.n_groups - 1


@dataclass(eq=False, repr=False)
class KFoldZTest(WeighedTest):
    """Normal test for K-fold from the variance of all residuals.

    Tests whether the K-fold test error, the mean over the folds of the expected
    residual *given their training sets*, is `popmean` [1]_. For that estimand it is
    asymptotically exact for stable estimators. As a test of the expected residual over
    training sets, which the other tests are about, it is liberal: its variance lacks
    the covariance γ between blocks.

    Parameters
    ----------
    variance : {"theta5", "theta4"}, default="theta5"
        θ̂5, the variance of all residuals over n, or θ̂4, the mean variance within
        blocks over n, as in :func:`.variance_estimates`: the all-pairs and the
        within-fold estimator of [1]_ (the first up to a factor n/(n-1)).
    alpha : float, default=0.05
        Level of `rho_alpha_`, in (0, 1).
    alternative : {"two-sided", "less", "greater"}, default="two-sided"
        "greater": the expected residual is above `popmean`, that is (with 0)
        the second estimator is better.
    popmean : float, default=0.0
        Expected residual under the null hypothesis.
    weights : {"examples", "groups"}, default="examples"
        What weighs the same in the mean if there are groups: every example, or every
        group.

    Attributes
    ----------
    statistic_, pvalue_ : float
        z = (μ̂ - popmean)/√θ̂ and its p-value, from the normal distribution.
    estimate_, standard_error_ : float
        Mean of all residuals, and √θ̂.
    df_ : float
        inf.
    rho_ : float
        0: blocks are taken to be uncorrelated.
    rho_alpha_ : float
        1 - (z_crit/|z|)², the largest ρ at which √(1-ρ) z still rejects.

    See Also
    --------
    IntegratedRhoTest : The same statistic, for the expected residual over training
        sets.

    Notes
    -----
    For residuals in groups, θ̂5 is G/(G-1) n⁻² Σ_g (Σ_{i∈g} (e_i - μ̂))², θ̂4 the same
    from deviations within blocks, and Student's t with G - 1 degrees of freedom takes
    the place of the normal distribution.

    It costs no fit beyond the K-fold, and weighs examples equally, where the t tests
    weigh blocks equally. Used as a test of the expected residual over training sets, it
    rejected up to 20% of true null hypotheses at the 5% level in the simulations of
    docs/calibration.md without outliers.

    References
    ----------
    .. [1] P. Bayle, A. Bayle, L. Janson and L. Mackey, "Cross-validation Confidence
       Intervals for Test Error", NeurIPS 2020. :arxiv:`2007.12671`

    Examples
    --------
    >>> import numpy as np
    >>> from sklearn_cvtest import KFoldZTest
    >>> e = np.random.default_rng(0).normal(0.3, size=(10, 10))
    >>> round(KFoldZTest().fit(e).pvalue_, 4)
    0.0001
    """

    designs = ("k-fold",)
    concerns = "models"
    _checks: ClassVar = WeighedTest._checks | {"variance": one_of("theta5", "theta4")}
    for_single_examples: ClassVar = {"variance": "theta5"}

    variance: Literal["theta5", "theta4"] = "theta5"

    def joint_rows(self, residuals):
        """Return the deviations of examples or groups; see :class:`BaseCVTest`."""
        within = self.variance == "theta4"
        return (single_rows(residuals, self.weights, within_blocks=within),)

    def evaluate(self, residuals):
        """Compute z; see :class:`BaseCVTest`."""
        result, df = z_statistic(residuals, self.variance, self.popmean, self.weights)
        pvalue = statistic_pvalue(result, df, self.alternative)
        largest = rho_alpha(result.statistic, df, self.alpha, self.alternative)
        return Evaluation(*result, pvalue, df, 0.0, largest)
