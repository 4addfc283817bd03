"""Equivalence and non-inferiority, from two one-sided tests."""

from sklearn.base import clone

from .._validation import check_real, invalid
from ._base import BaseCVTest
from ._five_by_two import FiveByTwoFTest
from ._single_split import McNemarTest

__all__ = ["EquivalenceTest"]


class EquivalenceTest(BaseCVTest):
    """Two one-sided tests: are two estimators practically equivalent?

    A difference that is not significant is no evidence of equality. This test turns
    the hypotheses round: the null is that the expected residual is at least
    `margin` away from `popmean`, and a small p-value says that it is closer.

    Parameters
    ----------
    test : test
        Any test of this package that takes `alternative` and `popmean`, such as
        :class:`KFoldTTest`; its own values of `alpha`, `alternative` and `popmean`
        are not used.
    margin : float
        The largest difference that does not matter, > 0, in units of the loss.
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
        That of the one-sided test with the larger p-value.
    pvalue_ : float
        The larger of the two p-values.
    estimate_, standard_error_, df_, rho_ : float
        Those of `test`.
    rho_alpha_ : float
        The largest ρ at which equivalence is concluded at level `alpha`.
    lower_test_, upper_test_ : test
        The one-sided tests against popmean - margin and popmean + margin.

    Notes
    -----
    Equivalence is concluded at level α exactly where the two-sided
    `confidence_interval(1 - 2 * alpha)` of `test` lies within the margin [1]_. All
    residuals zero are infinitely far from both margins: p is 0, with a
    DegenerateResidualsWarning.

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

    names_winner = False
    title = "two one-sided tests of equivalence (Schuirmann 1987)"

    def __init__(
        self, test, margin, *, alpha=0.05, alternative="two-sided", popmean=0.0
    ):
        self.test = test
        self.margin = margin
        self.alpha = alpha
        self.alternative = alternative
        self.popmean = popmean

    @property
    def designs(self):
        return self.test.designs

    @property
    def needs_examples(self):
        return self.test.needs_examples

    @property
    def symbol(self):
        return self.test.symbol

    def _check_params(self):
        super()._check_params()
        undirected = (FiveByTwoFTest, McNemarTest, EquivalenceTest)
        if not isinstance(self.test, BaseCVTest) or isinstance(self.test, undirected):
            raise invalid(
                "test",
                "a test with a direction and a popmean, such as KFoldTTest()",
                self.test,
                TypeError,
            )
        self.test._check_params()
        check_real("margin", self.margin, above=0)
        check_real("alpha", self.alpha, above=0, below=0.5)

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
        self._check_params()
        self.test.check_design(design, per_example)

    def _from_array(self, array):
        return self.test._from_array(array)

    def _fit(self, residuals):
        self.lower_test_ = self._fit_test(residuals, "greater", -self.margin)
        self.upper_test_ = self._fit_test(residuals, "less", self.margin)
        self._difference_test = self._fit_test(residuals, self.alternative, 0.0)
        sides = {
            "greater": [self.lower_test_],
            "less": [self.upper_test_],
            "two-sided": [self.lower_test_, self.upper_test_],
        }[self.alternative]
        binding = max(sides, key=lambda one: one.pvalue_)
        self._set_result(
            binding.estimate_,
            binding.standard_error_,
            binding.statistic_,
            binding.pvalue_,
            binding.df_,
            binding.rho_,
            min(one.rho_alpha_ for one in sides),
        )

    def _fit_test(self, residuals, alternative, shift):
        params = {"alpha": self.alpha, "alternative": alternative}
        one = clone(self.test).set_params(**params, popmean=self.popmean + shift)
        one._check_params()
        one._fit(residuals)  # what `fit` would check or warn of, this test's does
        return one

    def _interval(self, level):
        return self._difference_test._interval(level)

    def _assumes_normality(self):
        return self.test._assumes_normality()

    def _interval_level(self, alpha):
        return (
            max(1 - 2 * alpha, 1e-9) if self.alternative == "two-sided" else 1 - alpha
        )

    def _proviso(self, significant):
        return self.lower_test_._proviso(significant)

    def _finding(self, significant):
        what = {
            "two-sided": f"the two are equivalent within {self.margin:g}",
            "greater": f"the second is worse by less than {self.margin:g}",
            "less": f"the first is worse by less than {self.margin:g}",
        }[self.alternative]
        return what if significant else f"it is not shown that {what}"
