"""Tests on the examples of one train-test split: they compare two fitted models."""

import numpy as np
from scipy import special

from .._data import CVResiduals
from .._validation import check_array, check_option, invalid
from .base import BaseCVTest, Evaluation, student_evaluation
from .kfold_z import run_variances
from .student import interval_of, pvalue_of, ratio_or_limit


class _SingleSplitTest(BaseCVTest):
    designs = ("holdout",)
    needs_examples = True
    concerns = "these fitted models"

    def from_array(self, array):
        """Return CVResiduals; of an array (m,) or (1, m) those of one split."""
        array = np.atleast_2d(array)
        if len(array) > 1:
            raise invalid("residuals", "of one split", array)
        return super().from_array(array)


class HoldoutTTest(_SingleSplitTest):
    """Paired t test over the test examples of one train-test split.

    Tests whether the expected residual of these two *fitted* models on a new example is
    `popmean`. It ignores that another training set would give other models, and so says
    nothing about the learning algorithms.

    Parameters
    ----------
    alpha : float, default=0.05
        Level in (0, 1); kept for reports.
    alternative : {"two-sided", "less", "greater"}, default="two-sided"
        "greater": the expected residual is above `popmean`, that is (with 0)
        the second estimator is better.
    popmean : float, default=0.0
        Expected residual under the null hypothesis.

    Attributes
    ----------
    statistic_, pvalue_ : float
        One-sample t statistic of the residuals, and its p-value.
    estimate_, standard_error_ : float
        Mean residual and its standard error.
    df_ : float
        Number of test examples, or of groups, minus one.
    rho_, rho_alpha_ : float
        nan: there is one block only.

    Notes
    -----
    It takes one fit. Used as a test of the learning algorithms, it rejects too often:
    one split does not show how models vary with the training set.

    For losses of 0 and 1 of which few differ, :class:`McNemarTest` holds its level.

    References
    ----------
    .. [1] T. G. Dietterich, "Approximate Statistical Tests for Comparing
       Supervised Classification Learning Algorithms", Neural Computation
       10(7), 1895-1923, 1998. :doi:`10.1162/089976698300017197`

    Examples
    --------
    >>> from sklearn_cvtest import HoldoutTTest
    >>> round(HoldoutTTest().fit([0.5, 1.5, 0.2, 0.9, 1.1]).pvalue_, 3)
    0.021
    """

    title = "paired t test of one split"
    has_joint_law = True

    def evaluate(self, residuals):
        """Compute t over the test examples."""
        if residuals.values.shape[-1] < 2:
            raise invalid("residuals", "of at least two examples", 1)
        variances = run_variances(residuals)
        error, df = np.sqrt(variances.theta), variances.n_units - 1
        return student_evaluation(self, residuals, variances.mean, error, df)

    def deviation_rows(self, residuals):
        """Return rows whose inner products are the covariances of the means."""
        means = residuals.unit_means
        return means - means.mean(axis=-1, keepdims=True)


class McNemarTest(_SingleSplitTest):
    """McNemar's test of two fitted classifiers on one test set.

    Tests whether two *fitted* models are wrong equally often on new examples,
    from the b examples that only the first and the c examples that only the
    second gets wrong. For zero-one loss.

    Parameters
    ----------
    method : {"exact", "mid-p", "chi2"}, default="exact"
        Binomial distribution of b given b + c; the same less half the
        probability of the observed b; or the chi-squared approximation.
    correction : bool, default=True
        For "chi2": Edwards' continuity correction.
    alpha : float, default=0.05
        Level in (0, 1); kept for reports.
    alternative : {"two-sided", "less", "greater"}, default="two-sided"
        "greater": the second estimator is better (b > c).

    Attributes
    ----------
    statistic_ : float
        min(b, c); for "chi2", (|b - c| - 1)²/(b + c), or without the 1.
    pvalue_ : float
        Its p-value; 1 if b + c = 0.
    estimate_ : float
        (b - c)/n, the difference in error rates.
    standard_error_ : float
        √(b + c - (b - c)²/n)/n.
    df_ : float
        nan; for "chi2", 1.
    rho_, rho_alpha_ : float
        nan: there is one block only.
    n_first_wrong_, n_second_wrong_ : float
        b and c.

    Notes
    -----
    `fit` also takes a table of counts of shape (2, 2), as mlxtend and statsmodels do.
    Its rows are of the first model and its columns of the second, first the examples
    that are right, then those that are wrong: b is ``table[1][0]``, c ``table[0][1]``.

    It costs one fit. Given the number of discordant examples, the exact test and the
    corrected chi-squared reject at most 5% of true null hypotheses at the 5% level;
    mid-p up to 8 and the uncorrected chi-squared up to 9% (tests/test_calibration.py).
    The interval is Bonett and Price's adjusted Wald interval [2]_, which is not the
    inversion of the test but has good coverage at any n.

    References
    ----------
    .. [1] Q. McNemar, "Note on the sampling error of the difference between
       correlated proportions or percentages", Psychometrika 12, 153-157, 1947.
       :doi:`10.1007/BF02295996`
    .. [2] D. G. Bonett and R. M. Price, "Adjusted Wald Confidence Interval for a
       Difference of Binomial Proportions Based on Paired Data", Journal of
       Educational and Behavioral Statistics 37(4), 479-488, 2012.
       :doi:`10.3102/1076998611411915`

    Examples
    --------
    >>> from sklearn_cvtest import McNemarTest
    >>> e = [1] * 11 + [-1] + [0] * 9988
    >>> round(McNemarTest().fit(e).pvalue_, 5)
    0.00635

    From counts: 59 examples that only the first gets right, 121 that only the second
    does:

    >>> test = McNemarTest("chi2").fit([[101, 59], [121, 33]])
    >>> round(test.statistic_, 2), round(test.estimate_, 3)
    (20.67, 0.197)
    """

    title = "McNemar's test on one split"
    symbol = "min(b, c)"
    is_directed = False

    def __init__(
        self, method="exact", correction=True, *, alpha=0.05, alternative="two-sided"
    ):
        self.method = method
        self.correction = correction
        super().__init__(alpha=alpha, alternative=alternative)

    @classmethod
    def _get_param_names(cls):
        return ["alpha", "alternative", "correction", "method"]

    def check_params(self):
        """Check the options."""
        super().check_params()
        check_option("method", self.method, ("exact", "mid-p", "chi2"))

    def check_design(self, design, per_example=True, n_groups=None):
        """Raise unless the test is valid for a design; it takes no groups."""
        super().check_design(design, per_example, n_groups)
        if n_groups is not None:
            allowed = "a test of groups, such as HoldoutTTest()"
            raise invalid("test", allowed, self)

    def fit(self, residuals):
        """Test residuals, or a table of counts.

        Parameters
        ----------
        residuals : CVResiduals, array-like of shape (m,) or of shape (2, 2)
            A table has a row for the first model and a column for the second, both
            first right, then wrong.

        Returns
        -------
        self : McNemarTest
            The fitted test.
        """
        if hasattr(residuals, "columns"):  # a crosstab has False before True
            hint = "Pass an array, right before wrong."
            raise invalid("residuals", "an array", list(residuals.columns), hint=hint)
        if not isinstance(residuals, CVResiduals):
            residuals = check_array("residuals", residuals)
        if np.shape(residuals) != (2, 2):
            return super().fit(residuals)
        self.check_params()
        return self._keep(self._evaluate_counts(*_counts_of_table(residuals)), None)

    def _keep(self, evaluation, residuals):
        self.n_first_wrong_, self.n_second_wrong_, _ = evaluation.detail
        return super()._keep(evaluation, residuals)

    def evaluate(self, residuals):
        """Compare how many examples only one of the two gets wrong."""
        values = residuals.values
        is_other = ~np.isin(values, (-1, 0, 1))
        if is_other.any():
            allowed = "differences of zero-one losses (-1, 0 or 1)"
            value = float(values[is_other][0])
            raise invalid("residuals", allowed, value, hint="Use HoldoutTTest.")
        b = np.count_nonzero(values == 1, axis=-1)
        c = np.count_nonzero(values == -1, axis=-1)
        return self._evaluate_counts(b, c, values.shape[-1])

    def _evaluate_counts(self, b, c, n):
        """Compare the numbers that only the first and only the second gets wrong."""
        df = np.nan
        if self.method == "chi2":
            df = 1
            excess = np.maximum(np.abs(b - c) - bool(self.correction), 0)
            z = ratio_or_limit(np.sign(b - c) * excess, np.sqrt(b + c))
            statistic = z**2
            pvalue = pvalue_of(z, np.inf, self.alternative)
        else:
            statistic = np.minimum(b, c)
            pvalue = self._binomial(b, c)
        return Evaluation(
            estimate=(b - c) / n,
            standard_error=np.sqrt(b + c - (b - c) ** 2 / n) / n,
            statistic=statistic,
            pvalue=np.where(b + c == 0, 1.0, pvalue)[()],
            df=df,
            detail=(b, c, n),
        )

    def _binomial(self, b, c):
        """Return the p-value of b successes in b + c fair tosses."""
        at_least = _fair_tosses_at_least(b, c)
        at_most = _fair_tosses_at_least(c, b)
        if self.method == "mid-p":  # less half the probability of b
            above, below = 1 - at_most, 1 - at_least
            at_least = (at_least + above) / 2
            at_most = (at_most + below) / 2
        if self.alternative == "greater":
            return at_least
        if self.alternative == "less":
            return at_most
        return np.minimum(2 * np.minimum(at_least, at_most), 1.0)

    def _centre_and_error(self, evaluation):
        """Return the centre and the error of Bonett and Price (2012)."""
        b, c, n = evaluation.detail
        first = (b + 1) / (n + 2)
        second = (c + 1) / (n + 2)
        square = (first + second - (first - second) ** 2) / (n + 2)
        return first - second, np.sqrt(square)

    def total_error(self, evaluation):
        """Return the error of Bonett and Price (2012)."""
        return self._centre_and_error(evaluation)[1], np.inf

    def interval(self, evaluation, level):
        """Return the interval of Bonett and Price (2012)."""
        centre, error = self._centre_and_error(evaluation)
        ends = interval_of(centre, error, np.inf, level, self.alternative)
        return np.maximum(ends[0], -1.0), np.minimum(ends[1], 1.0)


class HitsTest(HoldoutTTest):
    """The test of a gate of hits, whose interval is Bonett and Price's.

    Where few examples tell two models apart, t says too often that a difference is
    within a margin: in 15% of 50 examples, 2 of them discordant, at a level of 5%
    (docs/data/paired_proportions.csv).
    """

    _centre_and_error = McNemarTest._centre_and_error
    interval = McNemarTest.interval

    def evaluate(self, residuals):
        """Compare the difference of the rates with `popmean`."""
        evaluation = super().evaluate(residuals)
        values = residuals.values
        b = np.count_nonzero(values == 1, axis=-1)
        c = np.count_nonzero(values == -1, axis=-1)
        evaluation = evaluation._replace(detail=(b, c, values.shape[-1]), df=np.inf)
        centre, error = self._centre_and_error(evaluation)
        statistic = (centre - self.popmean) / error
        pvalue = pvalue_of(statistic, np.inf, self.alternative)
        return evaluation._replace(statistic=statistic, pvalue=pvalue)


def _fair_tosses_at_least(b, c):
    """Return the probability of at least b successes in b + c fair tosses."""
    return np.where(b > 0, special.betainc(np.maximum(b, 1), c + 1.0, 0.5), 1.0)


def _counts_of_table(table):
    """Return b, c and n of a table of counts, right before wrong."""
    counts = check_array("residuals", table, (2,))
    if np.any(counts < 0) or np.any(counts % 1) or not counts.any():
        raise invalid("residuals", "counts of examples, whole numbers", table)
    return counts[1, 0], counts[0, 1], counts.sum()
