"""Tests on the examples of one train-test split: they compare two fitted models."""

import numpy as np
from scipy import special, stats

from .._data import CVResiduals
from .._validation import check_array, check_option, invalid
from .base import BaseCVTest, Evaluation, pvalue_or_one, standardise
from .kfold_z import run_variances
from .student import interval_of, pvalue_of, ratio_or_limit


class _SingleSplitTest(BaseCVTest):
    designs = ("holdout",)
    needs_examples = True
    concerns = "these fitted models"

    def as_residuals(self, residuals):
        """Return CVResiduals; of an array (m,) or (1, m) those of one split."""
        if isinstance(residuals, CVResiduals):
            return residuals
        array = np.atleast_2d(np.asarray(residuals, dtype=np.float64))
        if len(array) > 1:
            raise invalid("residuals", "of one split", residuals)
        return CVResiduals.from_array(array, design="holdout")


class HoldoutTTest(_SingleSplitTest):
    """Paired t test over the test examples of one train-test split.

    Tests whether the expected residual of these two *fitted* models on a new example is
    `popmean`. It ignores that another training set would give other models, and so says
    nothing about the learning algorithms.

    Parameters
    ----------
    weights : {"examples", "groups"}, default="examples"
        What weighs the same in the mean if examples come in groups: "examples", so that
        a group counts as often as it has examples, or "groups".
    method : {"t", "score"}, default="t"
        "score", for zero-one losses (or hits and misses): Tango's score test of paired
        proportions and its interval, instead of t. Comparisons that name no test take
        it with at most 200 examples, or, of up to 100 models, if fewer than 100 are
        right by only one of two. For examples in groups it is the t test.
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
        One-sample t statistic of the residuals, or z of the score test, and its
        p-value.
    estimate_, standard_error_ : float
        Mean residual and its standard error.
    df_ : float
        Number of test examples minus one; of the score test, infinite.
    rho_, rho_alpha_ : float
        nan: there is one block only.

    Notes
    -----
    It takes one fit. Used as a test of the learning algorithms, it rejects too often:
    one split does not show how models vary with the training set.

    For few zero-one losses the t interval is too narrow: of 50 examples, 12% of which
    only one of the models gets right, and a difference of 10 points, it misses it in
    9.1% of samples, and where few or no examples differ it has no width; the interval
    of the score test [2]_ misses it in 4.0% (docs/data/paired_proportions.csv). For
    `popmean` 0 its p-value equals ``McNemarTest("chi2", correction=False)``.

    References
    ----------
    .. [1] T. G. Dietterich, "Approximate Statistical Tests for Comparing
       Supervised Classification Learning Algorithms", Neural Computation
       10(7), 1895-1923, 1998. :doi:`10.1162/089976698300017197`
    .. [2] T. Tango, "Equivalence test and confidence interval for the difference in
       proportions for the paired-sample design", Statistics in Medicine 17(8), 891-908,
       1998.

    Examples
    --------
    >>> from sklearn_cvtest import HoldoutTTest
    >>> round(HoldoutTTest().fit([0.5, 1.5, 0.2, 0.9, 1.1]).pvalue_, 3)
    0.021
    """

    title = "paired t test over the test examples of one split"
    has_joint_law = True

    def evaluate(self, residuals):
        """Compute t over the test examples."""
        variances = run_variances(residuals)
        estimate, error, statistic = standardise(
            variances.mean,
            np.sqrt(variances.theta),
            residuals.magnitude,
            self.popmean,
        )
        df = variances.n_units - 1
        pvalue = pvalue_or_one(error, statistic, df, self.alternative)
        return Evaluation(estimate, error, statistic, pvalue, df)

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
    For examples in groups the statistic is Obuchowski's cluster-robust χ² [3]_,
    whatever `method` says, and the interval is Student's t interval of the mean of
    group sums, with the number of groups less one as degrees of freedom.

    `fit` also takes a table of counts of shape (2, 2), as mlxtend and statsmodels do.
    Its rows are of the first model and its columns of the second, first the examples
    that are right, then those that are wrong: b is ``table[1][0]``, c ``table[0][1]``.

    It costs one fit. Given the number of discordant examples, the exact test and the
    corrected chi-squared reject at most 5% of true null hypotheses at the 5% level;
    mid-p up to 8 and the uncorrected chi-squared up to 9% (tests/test_calibration.py);
    over all samples the latter rejects at most 5.3% (docs/data/paired_proportions.csv).
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
    .. [3] N. A. Obuchowski, "On the comparison of correlated proportions for clustered
       data", Statistics in Medicine 17(13), 1495-1507, 1998.

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
        self
        """
        if np.shape(residuals) != (2, 2):
            return super().fit(residuals)
        self.check_params()
        return self._keep(self._evaluate_counts(*_counts_of_table(residuals)), None)

    def evaluate(self, residuals):
        """Compare how many examples only one of the two gets wrong."""
        values = residuals.values
        if not np.isin(values, (-1, 0, 1)).all():
            hint = "Use HoldoutTTest."
            raise invalid(
                "residuals", "differences of zero-one losses", values, hint=hint
            )
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
        half_point = 0.0
        if self.method == "mid-p":
            half_point = stats.binom.pmf(b, b + c, 0.5) / 2
        at_least = np.where(b > 0, special.bdtrc(b - 1, b + c, 0.5), 1.0)
        at_most = special.bdtr(b, b + c, 0.5)
        if self.alternative == "greater":
            return at_least - half_point
        if self.alternative == "less":
            return at_most - half_point
        return np.minimum(2 * (np.minimum(at_least, at_most) - half_point), 1.0)

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


def _counts_of_table(table):
    """Return b, c and n of a table of counts, right before wrong."""
    if hasattr(table, "columns"):
        _check_labels(table)
    counts = check_array("residuals", table, (2,))
    if np.any(counts < 0) or np.any(counts % 1) or not counts.any():
        raise invalid("residuals", "a table of counts", table)
    return counts[1, 0], counts[0, 1], counts.sum()


def _check_labels(table):
    """Raise unless labels say that right comes first: crosstab sorts False first."""
    for label in (table.index[0], table.columns[0]):
        if str(label).lower() not in ("right", "correct"):
            hint = 'Label it "right", "wrong", or pass an array in this order.'
            raise invalid("residuals", "right before wrong", label, hint=hint)
