"""Tests on the examples of one train-test split: they compare two fitted models."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import ClassVar, Literal

import numpy as np
from scipy import stats

from .._data._clusters import null_cluster_chi2
from .._data._residuals import CVResiduals
from .._validation import check_flag, invalid_words
from . import _student
from ._base_test import BaseCVTest
from ._evaluation import Evaluation
from ._kfold_z import group_statistic
from ._papers import cite
from ._parameters import checked_by, one_of
from ._proportions import (
    CentredInterval,
    adjusted_wald,
    counts_of_table,
    discordant_counts,
    is_table_of_counts,
    score_interval,
    score_statistic,
)
from ._traits import class_traits
from ._weighed_test import WEIGHTS, _WeighedTest


class _SingleSplitTest(BaseCVTest):
    designs = ("holdout",)
    needs_examples = True
    vectorised = True
    concerns = "models"

    def residuals_of_array(self, array):
        """Return an array as residuals; see :class:`BaseCVTest`."""
        if array.ndim == 1:  # the residuals of the test examples
            array = array[np.newaxis]
        if len(array) > 1:
            allowed = "the residuals of one split, of shape (m,) or (1, m)"
            raise invalid_words(
                "residuals", allowed, f"an array of shape {array.shape}"
            )
        return CVResiduals.from_array(array, design="holdout")


# What HoldoutTTest(method="score") says of itself.
SCORE_TEST = {
    "title": "score test of paired proportions on one split (Tango 1998)",
    "symbol": "z",
    "about": (
        "The score test of paired proportions, from the numbers of examples that only "
        "one of two fitted models gets right. It is about these two models: it cannot "
        "see that another training set would give other models, and so says nothing "
        "about the algorithms."
    ),
    "references": cite("Dietterich 1998", "Tango 1998"),
}


@dataclass(eq=False, repr=False)
class HoldoutTTest(_SingleSplitTest, _WeighedTest):
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
    about = (
        "A paired t test over the test examples of one split. It is about these two "
        "fitted models: it cannot see that another training set would give other "
        "models, and so says nothing about the algorithms."
    )
    remark = "This is about the fitted models, not the learning algorithms."
    references = cite("Dietterich 1998")
    default_for = ("holdout",)
    small_sample_options: ClassVar = {"method": "score"}
    has_ratio_interval = True  # Student's; Tango's is for hits

    weights: Literal["examples", "groups"] = field(default="examples", metadata=WEIGHTS)
    method: Literal["t", "score"] = field(default="t", metadata=one_of("t", "score"))

    @property
    def traits(self):
        """What the test is and how it is spoken of; see :class:`BaseCVTest`."""
        if self.method == "t":
            return super().traits
        return replace(super().traits, **SCORE_TEST, assumes_normality=False)

    def traits_of(self, row):
        """Return the t test's traits for grouped examples; see :class:`BaseCVTest`."""
        if self.method == "t" or np.isinf(row.df):
            return self.traits
        return replace(self, method="t").traits

    def evaluate(self, residuals):
        """Compute t over the test examples; see :class:`BaseCVTest`."""
        if residuals.groups is not None:
            result, df = group_statistic(residuals, self.popmean, self.weights)
            pvalue = _student.statistic_pvalue(result, df, self.alternative)
            return Evaluation(*result, pvalue, df)
        if residuals.n_values < 2:
            raise ValueError("HoldoutTTest needs at least 2 test examples; got 1.")
        if self.method == "score":
            return self._evaluate_proportions(residuals)
        moments = residuals.block_moments
        df = residuals.n_values - 1
        spread = np.sqrt(moments.total_squares / df)
        deviation = spread / np.sqrt(df + 1)
        result = _student.standardise(
            moments.mean, deviation, spread, moments.scale, self.popmean
        )
        return Evaluation(
            *result, _student.statistic_pvalue(result, df, self.alternative), df
        )

    def _evaluate_proportions(self, residuals):
        b, c, n = counts = discordant_counts(residuals)
        z = score_statistic(b, c, n, self.popmean)
        is_same = (b + c == 0) & (self.popmean == 0)
        pvalue = _student.student_pvalue(z, np.inf, self.alternative)
        return Evaluation(
            (b - c) / n,
            np.sqrt((b + c - (b - c) ** 2 / n) / (n - 1) / n),
            z,
            np.where(is_same, 1.0, pvalue)[()],
            np.inf,
            state=counts,
        )

    def interval(self, evaluation, confidence_level):
        """Return Student's, or Tango's, interval; see :class:`BaseCVTest`."""
        counts = evaluation.state
        if counts is None:
            return super().interval(evaluation, confidence_level)
        return score_interval(*counts, confidence_level, self.alternative)


@dataclass(eq=False, repr=False)
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
    Of a DataFrame, such as ``pd.crosstab(first_is_right, second_is_right)``, the labels
    say which is which.

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

    about = (
        "Compares the number of test examples that only the first of two fitted "
        "classifiers gets wrong with the number that only the second does. It is about "
        "these two fitted models, not the algorithms."
    )
    remark = "This is about the fitted models, not the learning algorithms."
    references = cite("McNemar 1947", "Bonett 2012", "Obuchowski 1998")
    symbol = "min(b, c)"
    counts = ("b", "n_first_wrong"), ("c", "n_second_wrong")
    is_directed = False
    assumes_normality = False

    method: Literal["exact", "mid-p", "chi2"] = field(
        default="exact", metadata=one_of("exact", "mid-p", "chi2")
    )
    correction: bool = field(default=True, metadata=checked_by(check_flag))
    popmean: float = field(default=0.0, init=False)  # the only hypothesis it has

    @property
    def traits(self):
        """What the test is and how it is spoken of; see :class:`BaseCVTest`."""
        title = f"McNemar's test on one split, {self.method}"
        if self.method == "chi2":
            return class_traits(type(self), title=title, symbol="χ²", counts=())
        return class_traits(type(self), title=title)

    def fit(self, residuals):
        """Test residuals, or a table of counts.

        Parameters
        ----------
        residuals : CVResiduals, array-like of shape (m,) or (2, 2), or DataFrame
            Residuals of the test examples, or counts of them: rows of the first model,
            columns of the second, first right, then wrong. Of a DataFrame of counts the
            labels are read: True (or "right") and False (or "wrong").

        Returns
        -------
        self : object
            The fitted test.

        Raises
        ------
        TypeError, ValueError
            If a parameter is out of range, residuals are not finite, or counts are no
            counts.
        """
        if not is_table_of_counts(residuals):
            return super().fit(residuals)
        self.check_params()
        self.set_fitted(self._evaluate_counts(counts_of_table(residuals)))
        return self

    def __str__(self):
        if not hasattr(self, "pvalue_"):
            return super().__str__()
        low, high = (100 * end for end in self.confidence_interval())
        pvalue = "< 0.001" if self.pvalue_ < 0.001 else f"= {self.pvalue_:.3f}"
        text = (
            f"{self.traits.title}: the first model alone is wrong on "
            f"{self.n_first_wrong_:.0f} examples, the second alone on "
            f"{self.n_second_wrong_:.0f}; the difference in error rate is "
            f"{100 * self.estimate_:.3g} points (95% CI {low:.3g} to {high:.3g}, "
            f"p {pvalue})."
        )
        return text.replace(" -", " −")

    def evaluate(self, residuals):
        """Compare b and c; see :class:`BaseCVTest`."""
        counts = discordant_counts(residuals)
        if residuals.groups is not None:
            return self._evaluate_groups(residuals, counts)
        return self._evaluate_counts(counts)

    def _evaluate_counts(self, counts):
        """Compute the test of independent examples."""
        b, c, n = counts
        df = np.nan
        if self.method == "chi2":
            excess = np.maximum(np.abs(b - c) - bool(self.correction), 0)
            z = _student.ratio_or_limit(np.sign(b - c) * excess, np.sqrt(b + c))
            statistic = z**2
            df = 1
            pvalue = _student.student_pvalue(z, np.inf, self.alternative)
        else:
            statistic = np.minimum(b, c)
            pvalue = self._binomial(b, c)
        error = np.sqrt(b + c - (b - c) ** 2 / n) / n
        interval = adjusted_wald(counts)
        return self._result(counts, error, statistic, pvalue, df, interval)

    def _evaluate_groups(self, residuals, counts):
        """Compute χ² of groups, whatever the method."""
        b, c, n = counts
        statistic = null_cluster_chi2(residuals.values, residuals.groups)
        z = np.sign(b - c) * np.sqrt(statistic)
        pvalue = _student.student_pvalue(z, np.inf, self.alternative)
        result, df_of_groups = group_statistic(residuals, 0.0)
        error = result.standard_error
        interval = CentredInterval((b - c) / n, error, df_of_groups)
        return self._result(counts, error, statistic, pvalue, 1, interval)

    def _result(self, counts, error, statistic, pvalue, df, interval):
        b, c, n = counts
        return Evaluation(
            (b - c) / n,
            error,
            statistic,
            np.where(b + c == 0, 1.0, pvalue)[()],
            df,
            columns={"n_first_wrong": b, "n_second_wrong": c},
            state=interval,
        )

    def _binomial(self, b, c):
        """Return the p-value of b successes in b + c fair tosses."""
        half_point = 0.0
        if self.method == "mid-p":
            half_point = stats.binom.pmf(b, b + c, 0.5) / 2
        at_least = stats.binom.sf(b - 1, b + c, 0.5)
        at_most = stats.binom.cdf(b, b + c, 0.5)
        if self.alternative == "greater":
            return at_least - half_point
        if self.alternative == "less":
            return at_most - half_point
        return np.minimum(2 * (np.minimum(at_least, at_most) - half_point), 1.0)

    def interval(self, evaluation, confidence_level):
        """Return Bonett and Price's interval; see :class:`BaseCVTest`."""
        low, high = _student.student_interval(
            *evaluation.state, confidence_level, self.alternative
        )
        if np.isfinite(evaluation.state.df):  # Student's, of groups
            return low, high
        return np.maximum(low, -1.0), np.minimum(high, 1.0)

    def total_error(self, evaluation):
        """Return Bonett and Price's standard error, or the one between groups."""
        return evaluation.state.error, evaluation.state.df

    def traits_of(self, row):
        """Return the χ² test's traits for grouped examples; see :class:`BaseCVTest`."""
        if row.df != 1 or self.method == "chi2":
            return self.traits
        title = "McNemar's test on one split, cluster-robust (Obuchowski 1998)"
        return replace(self.traits, title=title, symbol="χ²", counts=())
