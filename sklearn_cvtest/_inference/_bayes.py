"""The Bayesian version of the corrected t test."""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from typing import ClassVar

import numpy as np

from .._typing import Alternative
from .._validation import check_real
from ._base import BaseCVTest
from ._exchangeable import _NadeauBengioTTest
from ._names import POSTERIOR
from ._student import student_pvalue


class BayesianCorrelatedTTest(_NadeauBengioTTest):
    """Bayesian correlated t test with a region of practical equivalence.

    Gives the posterior probabilities that the first estimator is better, that the two
    are practically equivalent, and that the second is better, for the expected loss
    over training sets of size n1. Under the prior of the authors [1]_ the posterior
    of the expected residual is Student's t, with the mean, standard error and
    degrees of freedom of :class:`CorrectedResampledTTest`.

    Parameters
    ----------
    rope : float, default=0.0
        Half the width of the region of practical equivalence around `popmean`, >= 0,
        in units of the loss.
    alpha : float, default=0.05
        Level of `rho_alpha_`, in (0, 1).
    alternative : {"two-sided", "less", "greater"}, default="two-sided"
        Side of `pvalue_` and of the interval.
    popmean : float, default=0.0
        Centre of the region.

    Attributes
    ----------
    prob_less_ : float
        Posterior probability of an expected residual below popmean - rope: the
        first estimator is better.
    prob_rope_ : float
        Posterior probability of one within the region.
    prob_greater_ : float
        Posterior probability of one above popmean + rope: the second is better.
    statistic_, pvalue_, estimate_, standard_error_, df_, rho_, rho_alpha_ : float
        As in :class:`CorrectedResampledTTest`; the p-value does not depend on `rope`,
        and is twice the smaller tail probability at `rope=0`. The confidence interval
        is also the credible interval.

    Notes
    -----
    The posterior is St(J - 1, μ̂, (1/J + n2/n1) S²) [1]_. For random subsamples, one
    K-fold, and repeated K-fold. If the block means do not vary, it is a point mass
    at their value.

    References
    ----------
    .. [1] G. Corani and A. Benavoli, "A Bayesian approach for comparing
       cross-validated algorithms on multiple data sets", Machine Learning 100,
       285-304, 2015. :doi:`10.1007/s10994-015-5486-z`

    Examples
    --------
    >>> from sklearn_cvtest import BayesianCorrelatedTTest
    >>> e = [[0.01, 0.03], [0.02, 0.02], [0.04, 0.02], [0.0, 0.02]]
    >>> test = BayesianCorrelatedTTest(rope=0.01).fit(e)
    >>> [round(p, 3) for p in (test.prob_less_, test.prob_rope_, test.prob_greater_)]
    [0.009, 0.095, 0.896]
    """

    rho_is_fixed = varies_with_rho = False  # p is a posterior probability
    designs = ("subsample", "k-fold", "repeated k-fold", "5x2")
    decides = "posterior"
    _checks: ClassVar = BaseCVTest._checks | {
        "rope": partial(check_real, above=0, closed="low")
    }

    def __init__(
        self,
        rope: float = 0.0,
        *,
        alpha: float = 0.05,
        alternative: Alternative = "two-sided",
        popmean: float = 0.0,
    ):
        self.rope = rope
        super().__init__(alpha=alpha, alternative=alternative, popmean=popmean)

    @property
    def traits(self):
        """What the test is and how it is spoken of; see :class:`BaseCVTest`."""
        return replace(super().traits, region=self.rope)

    def evaluate(self, residuals):
        """Compute the posterior probabilities; see :class:`BaseCVTest`."""
        found = super().evaluate(residuals)
        # not what rounding left of a difference of zero
        distance = np.where(found.statistic == 0, 0.0, found.estimate - self.popmean)
        less = _tail(found, distance + self.rope, "greater")
        greater = _tail(found, distance - self.rope, "less")
        chances = less, np.maximum(1 - less - greater, 0.0), greater
        return replace(found, columns=dict(zip(POSTERIOR, chances, strict=True)))


def _tail(found, difference, alternative):
    """Return the posterior probability beyond a bound at this distance from the mean.

    The posterior is Student's t with the mean, standard error and degrees of freedom
    of the corrected t test: Corani and Benavoli (2015), section 3.
    """
    outside = difference < 0 if alternative == "greater" else difference > 0
    is_flat = found.standard_error == 0
    ratio = difference / np.where(is_flat, 1.0, found.standard_error)
    mass = student_pvalue(ratio, found.df, alternative)
    return np.where(is_flat, outside.astype(np.float64), mass)[()]
