"""Tests on the examples of one train-test split: they compare two fitted models."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import ClassVar, Literal

import numpy as np
from scipy import special, stats

from .._data._clusters import null_cluster_chi2
from .._data._residuals import CVResiduals
from .._validation import check_flag, invalid, invalid_words
from . import _student
from ._base_test import BaseCVTest, WeighedTest, one_of
from ._ends import bisect, ends
from ._evaluation import Evaluation
from ._kfold_z import group_statistic
from ._papers import cite
from ._traits import class_traits

HALVINGS = 55  # from a range of two to rounding


def score_statistic(b, c, n, difference):
    """Return Tango's z of a difference of proportions, of shape (...).

    (b - c - nδ)/√(n(2q + δ(1 - δ))), with q the maximum likelihood estimate, given δ,
    of the share of pairs that c counts (Tango 1998). For δ = 0 it is (b - c)/√(b + c),
    the signed root of McNemar's χ².
    """
    excess, variance = _score(b, c, n, difference)
    variance = np.where(variance <= 1e-13 * n, 0, variance)
    excess = np.where(np.abs(excess) <= 1e-13 * n, 0, excess)
    return _student.ratio_or_limit(excess, np.sqrt(variance))


def _score(b, c, n, difference):
    """Return the score, and its variance where the difference is as given."""
    linear = (2 * n - b + c) * difference - b - c
    spread = difference * (1 - difference)
    root = np.sqrt(np.maximum(linear**2 + 8 * n * c * spread, 0))
    q = np.maximum(root - linear, 0) / (4 * n)
    return b - c - n * difference, n * np.maximum(2 * q + spread, 0)


def score_interval(b, c, n, level, alternative):
    """Return the differences that the score test does not reject, (low, high)."""
    critical = _student.critical_value(level, np.inf, alternative)
    shape, (cell, cell_of_pair) = (
        np.shape(b),
        np.unique(b * (n + 1) + c, return_inverse=True),
    )
    b, c = np.divmod(cell, n + 1)  # of many pairs, many have the same counts
    estimate = (b - c) / n

    def end(side):  # the statistic falls with the difference
        low, high = np.sort([estimate, np.full_like(estimate, side)], axis=0)

        def is_below(difference):
            excess, variance = _score(b, c, n, difference)
            return excess > -side * critical * np.sqrt(variance)

        return bisect(is_below, low, high, HALVINGS)

    sides = ends(end, alternative, estimate.shape)
    return tuple(np.reshape(side[cell_of_pair], shape)[()] for side in sides)


class _SingleSplitTest(BaseCVTest):
    designs = ("holdout",)
    needs_examples = True
    vectorised = True
    needs_moments = True
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
class HoldoutTTest(_SingleSplitTest, WeighedTest):
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
    _checks: ClassVar = WeighedTest._checks | {"method": one_of("t", "score")}
    for_few_hits: ClassVar = {"method": "score"}

    weights: Literal["examples", "groups"] = "examples"
    method: Literal["t", "score"] = "t"

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
        moments, df = residuals.block_moments, residuals.n_values - 1
        spread = np.sqrt(moments.total_squares / df)
        deviation = spread / np.sqrt(df + 1)
        result = _student.standardise(
            moments.mean, deviation, spread, moments.scale, self.popmean
        )
        return Evaluation(
            *result, _student.statistic_pvalue(result, df, self.alternative), df
        )

    def _evaluate_proportions(self, residuals):
        b, c = discordant_counts(residuals)
        n = residuals.n_values
        z = score_statistic(b, c, n, self.popmean)
        is_same = (b + c == 0) & (self.popmean == 0)
        pvalue = _student.student_pvalue(z, np.inf, self.alternative)
        return Evaluation(
            (b - c) / n,
            np.sqrt((b + c - (b - c) ** 2 / n) / (n - 1) / n),
            z,
            np.where(is_same, 1.0, pvalue)[()],
            np.inf,
            state={"counts": (b, c, n)},
        )

    has_ratio_interval = True  # Student's; Tango's is for hits

    def interval(self, evaluation, confidence_level):
        """Return Student's, or Tango's, interval; see :class:`BaseCVTest`."""
        if "counts" not in evaluation.state:
            return super().interval(evaluation, confidence_level)
        counts = evaluation.state["counts"]
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
    _checks: ClassVar = BaseCVTest._checks | {
        "method": one_of("exact", "mid-p", "chi2"),
        "correction": check_flag,
    }
    is_directed = False
    assumes_normality = False

    method: Literal["exact", "mid-p", "chi2"] = "exact"
    correction: bool = True
    popmean: float = field(default=0.0, init=False)  # the only hypothesis it has

    @property
    def traits(self):
        """What the test is and how it is spoken of; see :class:`BaseCVTest`."""
        counts = ("b", "n_first_wrong"), ("c", "n_second_wrong")
        counts = () if self.method == "chi2" else counts
        title = f"McNemar's test on one split, {self.method}"
        symbol = "χ²" if self.method == "chi2" else "min(b, c)"
        return class_traits(type(self), title=title, symbol=symbol, counts=counts)

    def residuals_of_array(self, array):
        """Return an array, or a table of counts, as residuals; see :class:`BaseCVTest`.

        Parameters
        ----------
        array : ndarray of shape (m,), (1, m) or (2, 2)
            Residuals of the test examples, or counts of them: rows of the first model,
            columns of the second, first right, then wrong.

        Returns
        -------
        residuals : CVResiduals
            Residuals of one split.
        """
        if array.shape == (2, 2):
            array = residuals_of_counts(array)
        return super().residuals_of_array(array)

    def evaluate(self, residuals):
        """Compare b and c; see :class:`BaseCVTest`."""
        b, c = discordant_counts(residuals)
        n, df = residuals.n_values, 1
        estimate, error = (b - c) / n, np.sqrt(b + c - (b - c) ** 2 / n) / n
        first, second = (b + 1) / (n + 2), (c + 1) / (n + 2)  # Bonett and Price (2012)
        square = (first + second - (first - second) ** 2) / (n + 2)
        wald = first - second, np.sqrt(square), np.inf
        if residuals.groups is not None:  # χ² of groups, whatever the method
            statistic = null_cluster_chi2(residuals.values, residuals.groups)
            z = np.sign(b - c) * np.sqrt(statistic)
            result, df_of_groups = group_statistic(residuals, 0.0)
            error = result.standard_error
            wald = estimate, error, df_of_groups
        elif self.method == "chi2":
            excess = np.maximum(np.abs(b - c) - bool(self.correction), 0)
            z = _student.ratio_or_limit(np.sign(b - c) * excess, np.sqrt(b + c))
            statistic = z**2
        else:
            statistic, z, df = np.minimum(b, c), None, np.nan
        if z is None:
            pvalue = self._binomial(b, c)
        else:
            pvalue = _student.student_pvalue(z, np.inf, self.alternative)
        return Evaluation(
            estimate,
            error,
            statistic,
            np.where(b + c == 0, 1.0, pvalue)[()],
            df,
            columns={"n_first_wrong": b, "n_second_wrong": c},
            state={"wald": wald},
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

    def interval(self, evaluation, confidence_level):
        """Return Bonett and Price's interval; see :class:`BaseCVTest`."""
        *_, df = wald = evaluation.state["wald"]
        low, high = _student.student_interval(*wald, confidence_level, self.alternative)
        if np.isfinite(df):  # Student's, of groups
            return low, high
        return np.maximum(low, -1.0), np.minimum(high, 1.0)

    def total_error(self, evaluation):
        """Return Bonett and Price's standard error, or the one between groups."""
        return evaluation.state["wald"][1:]

    def traits_of(self, row):
        """Return the χ² test's traits for grouped examples; see :class:`BaseCVTest`."""
        if row.df != 1 or self.method == "chi2":
            return self.traits
        title = "McNemar's test on one split, cluster-robust (Obuchowski 1998)"
        return replace(self.traits, title=title, symbol="χ²", counts=())


def residuals_of_counts(table):
    """Return the zero-one residuals of examples that a 2 x 2 table counts."""
    is_count = np.isfinite(table) & (table >= 0) & (table == np.floor(table))
    if not np.all(is_count) or not np.any(table):
        allowed = "counts of examples, whole numbers, where an array has shape (2, 2)"
        raise invalid_words("residuals", allowed, f"{table.tolist()}")
    (both_right, second_wrong), (first_wrong, both_wrong) = table.astype(np.int64)
    counts = [both_right + both_wrong, first_wrong, second_wrong]
    return np.repeat([0.0, 1.0, -1.0], counts)


def discordant_counts(residuals):
    """Return how many examples only the first gets wrong, and only the second."""
    if isinstance(residuals, CVResiduals):
        if not residuals.are_zero_one:
            values = residuals.values
            raise invalid(
                "residuals",
                "differences of zero-one losses (-1, 0 or 1)",
                float(values[~np.isin(values, (-1, 0, 1))][0]),
                hint="Use HoldoutTTest.",
            )
    elif residuals.loss_name != "zero_one":  # only sums are kept
        allowed = "of zero_one loss for McNemarTest"
        raise invalid("residuals", allowed, residuals.loss_name)
    n, moments = residuals.n_values, residuals.block_moments
    difference = n * moments.mean * moments.scale
    discordant = (moments.total_squares + n * moments.mean**2) * moments.scale**2
    b, c = (discordant + difference) / 2, (discordant - difference) / 2
    return np.rint(b).astype(np.int64), np.rint(c).astype(np.int64)
