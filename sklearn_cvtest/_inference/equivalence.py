"""Are two models practically equivalent? Two one-sided tests.

[S87]: Schuirmann (1987), J. Pharmacokinetics and Biopharmaceutics 15, 657-680.
"""

from typing import NamedTuple

import numpy as np
from sklearn.base import clone

from .._metrics import read_margin, share_of
from .._validation import check_real, invalid
from .base import BaseCVTest, Evaluation
from .zero_variance import are_identical, evaluate_limited


class OneTest(NamedTuple):
    """One of the tests that equivalence is made of, and its numbers."""

    test: BaseCVTest
    evaluation: Evaluation


class Sides(NamedTuple):
    """The one-sided tests against ∓ margin, and that of `popmean` itself."""

    lower: OneTest
    upper: OneTest
    centre: OneTest


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
        The smallest difference that would matter, > 0, in units of the loss; of errors
        that are compared by ratio a percentage, such as "5%" (of squared errors: of the
        RMSE).
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
    decides = "equivalence"
    is_directed = False
    has_own_limits = True

    def __init__(
        self, test, margin, *, alpha=0.05, alternative="two-sided", popmean=0.0
    ):
        self.test = test
        self.margin = margin
        super().__init__(alpha=alpha, alternative=alternative, popmean=popmean)

    def check_params(self):
        """Check the options."""
        if not isinstance(self.test, BaseCVTest) or not self.test.is_directed:
            raise invalid("test", "a test with a direction", self.test, TypeError)
        super().check_params()
        if isinstance(self.margin, str):
            share_of(self.margin)
        else:
            check_real("margin", self.margin, 0)
        check_real("alpha", self.alpha, 0, 0.5)
        self.test.check_params()

    def check_metric(self, metric):
        """Check that the margin is one of the metric."""
        super().check_metric(metric)
        read_margin(self.margin, metric)

    @property
    def compares_ratios(self):
        """Whether the margin is a ratio."""
        return isinstance(self.margin, str)

    @property
    def of_difference(self):
        """The test of `popmean` itself."""
        options = {"alpha": self.alpha, "alternative": self.alternative}
        return clone(self.test).set_params(**options, popmean=self.popmean)

    @property
    def designs(self):
        """The designs of `test`."""
        return self.test.designs

    @property
    def symbol(self):
        """The symbol of `test`."""
        return self.test.symbol

    @property
    def needs_examples(self):
        """Whether `test` needs a value for each example."""
        return self.test.needs_examples

    @property
    def concerns(self):
        """What `test` is about."""
        return self.test.concerns

    def from_array(self, array):
        """Return CVResiduals, as `test` has them."""
        return self.test.from_array(array)

    def evaluate(self, residuals):
        """Compute both one-sided tests; the larger p-value is that of both."""
        margin, ratio = read_margin(self.margin, residuals.metric)
        centre = self.of_difference
        of_lower = of_upper = residuals
        if ratio:
            of_lower = residuals.scaled(1 + ratio, 1.0)
            of_upper = residuals.scaled(1.0, 1 + ratio)
        sides = Sides(
            lower=self._evaluate_at(of_lower, -margin, "greater"),
            upper=self._evaluate_at(of_upper, margin, "less"),
            centre=OneTest(centre, evaluate_limited(centre, residuals)),
        )
        lower, upper = sides.lower.evaluation, sides.upper.evaluation
        if self.alternative == "greater":
            upper = lower
        elif self.alternative == "less":
            lower = upper
        is_lower = np.asarray(lower.pvalue) >= upper.pvalue
        pvalue = np.where(is_lower, lower.pvalue, upper.pvalue)
        if ratio:
            pvalue = np.where(are_identical(residuals), 0.0, pvalue)
        centre = sides.centre.evaluation
        return lower._replace(
            estimate=centre.estimate,
            standard_error=centre.standard_error,
            statistic=np.where(is_lower, lower.statistic, upper.statistic)[()],
            pvalue=pvalue[()],
            rho_alpha=np.minimum(lower.rho_alpha, upper.rho_alpha),
            detail=sides,
        )

    def _evaluate_at(self, residuals, shift, alternative):
        """Return a test of a shifted `popmean`."""
        test = self.of_difference.set_params(
            alternative=alternative, popmean=self.popmean + shift
        )
        return OneTest(test, evaluate_limited(test, residuals))

    def interval(self, evaluation, level):
        """Return the interval of `test`."""
        centre = evaluation.detail.centre
        return centre.test.interval(centre.evaluation, level)

    def level_of_interval(self, alpha):
        """Return 1 - 2α: of that interval both ends are tested at α [S87]."""
        return 1 - alpha if self.alternative != "two-sided" else 1 - 2 * alpha

    def total_error(self, evaluation):
        """Return the error of `test`."""
        centre = evaluation.detail.centre
        return centre.test.total_error(centre.evaluation)

    def half_width(self, root=1.0):
        """Return the margin as a difference, or as a log ratio of mean losses."""
        if not self.compares_ratios:
            return self.margin
        return np.log1p(share_of(self.margin)) / root

    def decide(self, table):
        """Return "equivalent" (one-sided "non-inferior") or not, for each pair.

        "not equivalent" where the interval lies wholly beyond the margin, else
        "inconclusive".
        """
        if self.alternative != "two-sided":
            return np.where(table.significant, "non-inferior", "inconclusive")
        margin = self.half_width(table.root)
        is_beyond = table.low >= self.popmean + margin
        is_beyond = is_beyond | (table.high <= self.popmean - margin)
        decisions = np.where(is_beyond, "not equivalent", "inconclusive")
        return np.where(table.significant, "equivalent", decisions)
