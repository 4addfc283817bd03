"""The Bayesian version of the corrected t test.

[CB15]: Corani & Benavoli (2015), Machine Learning 100, 285-304.
"""

from typing import NamedTuple

import numpy as np

from .._metrics import read_margin
from .._validation import check_real, invalid
from .exchangeable import CorrectedResampledTTest
from .student import pvalue_of
from .zero_variance import chance_of_equal


class Posterior(NamedTuple):
    """Probabilities that the expected difference is below, in and above the region."""

    less: np.ndarray
    rope: np.ndarray
    greater: np.ndarray


class BayesianCorrelatedTTest(CorrectedResampledTTest):
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
    K-fold, and repeated K-fold. If the block means of an array do not vary, it is a
    point mass at their value; of losses, it is as wide as so few equal values allow.

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

    title = "Bayesian correlated t test (Corani & Benavoli 2015)"
    designs = ("subsample", "k-fold", "repeated k-fold", "5x2")
    decides = "posterior"
    is_directed = False
    has_joint_law = False
    compares_ratios = False

    def __init__(self, rope=0.0, *, alpha=0.05, alternative="two-sided", popmean=0.0):
        self.rope = rope
        super().__init__(alpha=alpha, alternative=alternative, popmean=popmean)

    def check_params(self):
        """Check the options."""
        super().check_params()
        check_real("rope", self.rope, 0, closed=True)

    def check_metric(self, metric):
        """Check that the rope is in a unit that people read."""
        super().check_metric(metric)
        if metric.root_word and self.rope > 0:
            hint = "Use an EquivalenceTest with margin='5%'."
            allowed = f"0 for {metric.root_word}"
            raise invalid("rope", allowed, self.rope, hint=hint)
        read_margin(self.rope, metric, "rope")

    def evaluate(self, residuals):
        """Compute t and the posterior probabilities."""
        evaluation = super().evaluate(residuals)
        distance = evaluation.estimate - self.popmean
        distance = np.where(evaluation.statistic == 0, 0.0, distance)
        less = _mass_beyond(evaluation, distance + self.rope, "greater")
        greater = _mass_beyond(evaluation, distance - self.rope, "less")
        is_flat = np.asarray(evaluation.standard_error) == 0
        if residuals.value_range is not None and is_flat.any():
            bounds = self._bounds_of_equal(residuals, evaluation.estimate)
            less = np.where(is_flat, bounds[0], less)[()]
            greater = np.where(is_flat, bounds[1], greater)[()]
        rope = np.maximum(1 - less - greater, 0.0)
        return evaluation._replace(detail=Posterior(less, rope, greater))

    def _bounds_of_equal(self, residuals, estimate):
        """Return the probabilities of both sides where values do not vary."""
        bounds = []
        for side in (-1, 1):
            end = self.popmean + side * self.rope
            chance = chance_of_equal(residuals, estimate, end) / 2
            is_there = np.sign(estimate - end) == side
            bounds.append(np.where(is_there, 1 - chance, chance))
        return bounds

    def fit(self, residuals):
        """Test residuals; as of any test, with the probabilities."""
        super().fit(residuals)
        posterior = self._evaluation.detail
        self.prob_less_, self.prob_rope_, self.prob_greater_ = map(float, posterior)
        return self

    def decide(self, table):
        """Return "better", "equivalent" or "inconclusive" for each pair.

        By a posterior probability of 1 - alpha.
        """
        posterior = table.detail
        enough = 1 - table.alpha
        is_better = np.maximum(posterior.less, posterior.greater) >= enough
        decisions = np.where(posterior.rope >= enough, "equivalent", "inconclusive")
        return np.where(is_better, "better", decisions)


def _mass_beyond(evaluation, distance, alternative):
    """Return the posterior probability beyond a bound so far from the mean.

    Of means that do not vary, it is at one point.
    """
    distance = np.asarray(distance, dtype=np.float64)
    is_flat = evaluation.standard_error == 0
    error = np.where(is_flat, 1.0, evaluation.standard_error)
    mass = pvalue_of(distance / error, evaluation.df, alternative)
    is_beyond = distance < 0 if alternative == "greater" else distance > 0
    return np.where(is_flat, is_beyond.astype(np.float64), mass)[()]
