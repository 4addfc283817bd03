"""What differences matter: tests of equivalence, and a posterior with a region."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import NamedTuple

import numpy as np
from sklearn.base import clone

from .._losses._margins import check_margin, read_margin, share_of
from .._validation import check_level, check_real, invalid
from ._base_test import BaseCVTest
from ._ends import POSTERIOR
from ._evaluation import Evaluation
from ._exchangeable import _NadeauBengioTTest
from ._papers import cite
from ._parameters import checked_by
from ._student import student_pvalue
from ._traits import Traits, declared_traits
from ._zero_variance import full_evaluation


def _check_test(name, value):
    if not isinstance(value, BaseCVTest) or not value.traits.is_directed:
        allowed = "a test with a direction and a popmean, such as KFoldTTest()"
        raise invalid(name, allowed, value, TypeError)
    value.check_params()


class Side(NamedTuple):
    """A test of one alternative, and its result.

    Attributes
    ----------
    test, evaluation : test, Evaluation
        The test with its own `popmean`, not fitted.
    """

    test: BaseCVTest
    evaluation: Evaluation

    def fitted(self, value_range):
        """Return the test with the result of one pair as its fitted attributes."""
        self.test.set_fitted(self.evaluation, value_range)
        return self.test


class Sides(NamedTuple):
    """The tests that an equivalence test is made of.

    Attributes
    ----------
    lower, upper : Side
        The one-sided tests against popmean - margin and popmean + margin.
    difference : Side
        The test of `popmean` itself, whose interval and errors are shown.
    """

    lower: Side
    upper: Side
    difference: Side


@dataclass(eq=False, repr=False)
class EquivalenceTest(BaseCVTest):
    """Two one-sided tests: are two estimators practically equivalent?

    A difference that is not significant is no evidence of equality. This test exchanges
    the hypotheses: the null hypothesis is that the expected residual is at least
    `margin` away from `popmean`, and a small p-value is evidence that it is closer.

    Parameters
    ----------
    test : test
        Any test of this package that takes `alternative` and `popmean`, such as
        :class:`KFoldTTest`; its own values of `alpha`, `alternative` and `popmean`
        are not used.
    margin : float or str
        The smallest difference that would matter, > 0, in units of the loss; of losses
        that are compared by ratio also a percentage, such as "5%" (of squared errors,
        the only one: of their root).
    alpha : float, default=0.05
        Level of `rho_alpha_`, in (0, 1/2).
    alternative : {"two-sided", "less", "greater"}, default="two-sided"
        "two-sided": equivalence. "greater": the second estimator is not worse by
        `margin` or more (the expected residual is above popmean - margin), "less":
        the first is not.
    popmean : float, default=0.0
        Centre of the region of equivalence.

    Attributes
    ----------
    statistic_ : float
        The statistic of the one-sided test with the larger p-value.
    pvalue_ : float
        The larger of the two p-values.
    estimate_, standard_error_, df_, rho_ : float
        As in `test`.
    rho_alpha_ : float
        The largest ρ at which equivalence is concluded at level `alpha`.
    lower_test_, upper_test_ : test
        The one-sided tests against popmean - margin and popmean + margin.

    Notes
    -----
    Equivalence is concluded at level α exactly where the two-sided
    `confidence_interval(1 - 2 * alpha)` of `test` lies within the margin [1]_. Where
    that interval lies wholly outside the margin, on either side, a comparison says that
    the two are not equivalent, and where it does neither, that equivalence is not
    shown. Two models with the same losses on all tested examples are equivalent within
    any margin. So is an array of zeros, with a DegenerateResidualsWarning.

    References
    ----------
    .. [1] D. J. Schuirmann, "A comparison of the two one-sided tests procedure and the
       power approach for assessing the equivalence of average bioavailability",
       Journal of Pharmacokinetics and Biopharmaceutics 15, 657-680, 1987.
       :doi:`10.1007/BF01068419`

    Examples
    --------
    >>> from sklearn_cvtest import EquivalenceTest, KFoldTTest
    >>> folds = [0.01, -0.01, 0.02, 0.0, 0.01, -0.01, 0.0, 0.01, -0.02, 0.01]
    >>> test = EquivalenceTest(KFoldTTest("nadeau-bengio"), margin=0.02).fit(folds)
    >>> round(test.pvalue_, 4)
    0.0055
    """

    title = "two one-sided tests of equivalence (Schuirmann 1987)"
    about = (
        "Two one-sided tests turn the hypotheses round: the null hypothesis is that "
        "the two differ by the margin or more, and a small p-value says that they "
        "differ by less."
    )
    references = cite("Schuirmann 1987")
    varies_with_rho = False
    decides = "equivalence"
    is_directed = False
    names_winner = False
    rho_is_fixed = False
    has_joint_law = False

    test: BaseCVTest = field(metadata=checked_by(_check_test))
    margin: float | str = field(metadata=checked_by(check_margin))
    alpha: float = field(
        default=0.05, kw_only=True, metadata=checked_by(check_level, below=0.5)
    )

    @property
    def traits(self):
        """The traits of `test`, except for what is decided; see :class:`BaseCVTest`."""
        inner = self.test.traits if isinstance(self.test, BaseCVTest) else Traits()
        options = inner.for_single_examples
        right = f"test={inner.name}({inner.equal_groups})"
        is_ratio = isinstance(self.margin, str)
        region = self.margin
        if is_ratio:
            region = float(np.log1p(share_of("margin", self.margin)))
        return replace(
            inner,
            **declared_traits(type(self)),
            region=region,
            region_is_ratio=is_ratio,
            equal_groups=right if inner.equal_groups else "",
            for_single_examples={f"test__{name}": options[name] for name in options},
            inner=inner,
        )

    def residuals_of_array(self, array):
        """Return an array as residuals; see :class:`BaseCVTest`."""
        return self.test.residuals_of_array(array)

    @property
    def lower_test_(self):
        """The fitted one-sided test against popmean - margin."""
        return self._evaluation.state.lower.fitted(self._value_range)

    @property
    def upper_test_(self):
        """The fitted one-sided test against popmean + margin."""
        return self._evaluation.state.upper.fitted(self._value_range)

    def evaluate(self, residuals):
        """Compute both one-sided tests; see :class:`BaseCVTest`."""
        margin, ratio = read_margin("margin", self.margin, residuals)
        if ratio and (self.popmean or not self.test.traits.has_ratio_interval):
            allowed = f"a number, as {self.of_difference()!r} compares by differences"
            raise invalid("margin", allowed, self.margin)
        larger_first = residuals.scaled(1 + ratio, 1.0)
        larger_second = residuals.scaled(1.0, 1 + ratio)
        sides = Sides(
            lower=self._side(larger_first, "greater", -margin),
            upper=self._side(larger_second, "less", margin),
            difference=self._side(residuals, self.alternative, 0.0),
        )
        of_difference = sides.difference.evaluation
        lower = sides.lower.evaluation
        upper = sides.upper.evaluation
        if self.alternative == "greater":
            upper = lower
        elif self.alternative == "less":
            lower = upper
        binds = np.asarray(lower.pvalue) >= upper.pvalue
        pvalue = np.where(binds, lower.pvalue, upper.pvalue)
        if ratio:
            pvalue = np.where(residuals.identical, 0.0, pvalue)
        return Evaluation(
            of_difference.estimate,
            of_difference.standard_error,
            np.where(binds, lower.statistic, upper.statistic)[()],
            pvalue[()],
            lower.df,
            lower.rho,
            np.minimum(lower.rho_alpha, upper.rho_alpha),
            state=sides,
        )

    def of_difference(self):
        """Return the test of `popmean` itself."""
        params = {"alpha": self.alpha, "alternative": self.alternative}
        return clone(self.test).set_params(**params, popmean=self.popmean)

    def _side(self, residuals, alternative, shift):
        """Return a one-sided test of a shifted popmean, and its result."""
        params = {"alpha": self.alpha, "alternative": alternative}
        side = clone(self.test).set_params(**params, popmean=self.popmean + shift)
        side.check_params()
        return Side(side, full_evaluation(side, residuals))

    def total_error(self, evaluation):
        """Return the error of `test`; see :class:`BaseCVTest`."""
        side = evaluation.state.difference
        return side.test.total_error(side.evaluation)

    def interval(self, evaluation, confidence_level):
        """Return the interval of `test`; see :class:`BaseCVTest`."""
        side = evaluation.state.difference
        return side.test.interval(side.evaluation, confidence_level)


# The Bayesian version of the corrected t test --------------------------------


@dataclass(eq=False, repr=False)
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
    about = (
        "The posterior probabilities that the first estimator is better, that the two "
        "are practically equivalent, and that the second is better. The posterior is "
        "Student's t with the mean, standard error and degrees of freedom of the "
        "corrected resampled t test."
    )
    references = cite("Corani 2015")
    rho_is_fixed = varies_with_rho = False  # p is a posterior probability
    designs = ("subsample", "k-fold", "repeated k-fold", "5x2")
    decides = "posterior"

    rope: float = field(
        default=0.0, metadata=checked_by(check_real, above=0, closed="low")
    )

    @property
    def traits(self):
        """What the test is and how it is spoken of; see :class:`BaseCVTest`."""
        return replace(super().traits, region=self.rope)

    def evaluate(self, residuals):
        """Compute the posterior probabilities; see :class:`BaseCVTest`."""
        evaluation = super().evaluate(residuals)
        # not what rounding left of a difference of zero
        distance = np.where(
            evaluation.statistic == 0, 0.0, evaluation.estimate - self.popmean
        )
        less = _tail(evaluation, distance + self.rope, "greater")
        greater = _tail(evaluation, distance - self.rope, "less")
        probabilities = less, np.maximum(1 - less - greater, 0.0), greater
        return replace(
            evaluation, columns=dict(zip(POSTERIOR, probabilities, strict=True))
        )


def _tail(evaluation, difference, alternative):
    """Return the posterior probability beyond a bound at this distance from the mean.

    The posterior is Student's t with the mean, standard error and degrees of freedom
    of the corrected t test: Corani and Benavoli (2015), section 3.
    """
    outside = difference < 0 if alternative == "greater" else difference > 0
    is_flat = evaluation.standard_error == 0
    ratio = difference / np.where(is_flat, 1.0, evaluation.standard_error)
    mass = student_pvalue(ratio, evaluation.df, alternative)
    return np.where(is_flat, outside.astype(np.float64), mass)[()]
