"""Tests on the examples of one train-test split."""

from itertools import product

import numpy as np
import pandas as pd
import pytest
from numpy.testing import assert_allclose
from scipy import stats
from sklearn.datasets import load_breast_cancer
from sklearn.model_selection import PredefinedSplit
from sklearn.naive_bayes import GaussianNB
from sklearn.tree import DecisionTreeClassifier

from sklearn_cvtest import (
    CVResiduals,
    HoldoutTTest,
    McNemarTest,
    RepeatedSubsample,
    compare_estimators,
    compare_predictions,
    cross_val_interval,
    cross_val_losses,
)

MOST_CASES = 24  # that the suite runs of a test, see conftest.py

ALTERNATIVES = ("two-sided", "less", "greater")
METHODS = (("exact", True), ("mid-p", True), ("chi2", True), ("chi2", False))
TABLES = [(11, 1), (1, 11), (7, 1), (3, 3), (0, 5), (5, 0), (1, 0), (30, 41), (0, 1)]


def discordant(b, c, rest=20):
    """Return zero-one differences: b for the second, c for the first."""
    return [1.0] * b + [-1.0] * c + [0.0] * rest


@pytest.fixture(scope="module")
def losses():
    X, y = load_breast_cancer(return_X_y=True)
    models = [GaussianNB(), DecisionTreeClassifier(max_depth=2, random_state=0)]
    cv = RepeatedSubsample(1, test_size=0.5, random_state=0)
    return cross_val_losses(models, X, y, cv=cv)


def test_holdout_t_by_hand():
    # e = 0, 1, 5: mean 2, squared deviations 4 + 1 + 9 = 14, S² = 7, SE² = 7/3
    test = HoldoutTTest().fit([0.0, 1.0, 5.0])
    t = 2 / np.sqrt(7 / 3)
    assert_allclose(test.statistic_, t, rtol=1e-14)
    assert_allclose(test.estimate_, 2, rtol=1e-14)
    assert test.df_ == 2
    # with 2 degrees of freedom P(|T| > t) = 1 - t/√(2 + t²)
    assert_allclose(test.pvalue_, 1 - t / np.sqrt(2 + t**2), rtol=1e-12)


@pytest.mark.parametrize("alternative", ALTERNATIVES)
def test_holdout_t_is_scipys_paired_t(losses, alternative):
    test = HoldoutTTest(alternative=alternative).fit(losses.residuals(0, 1))
    expected = stats.ttest_rel(*losses.values.T, alternative=alternative)
    assert_allclose(test.statistic_, expected.statistic, rtol=1e-12)
    assert_allclose(test.pvalue_, expected.pvalue, rtol=1e-12)
    interval = expected.confidence_interval(0.9)
    assert_allclose(test.confidence_interval(0.9), interval, rtol=1e-10)


def test_holdout_t_of_many_examples_of_small_variance():
    # deviation 1e-12 of the values, far above their rounding, whatever n is
    e = 1 + 1e-12 * np.tile([1.0, 1.0, 1.0, -1.0], 250_000)
    test = HoldoutTTest(popmean=1).fit(e)
    expected = stats.ttest_1samp(e - 1, 0)
    assert_allclose(test.statistic_, expected.statistic, rtol=1e-2)


@pytest.mark.parametrize("Test", [HoldoutTTest, McNemarTest])
def test_an_array_of_either_shape_is_the_test_examples(Test):
    e = discordant(7, 2)
    expected = Test().fit(e).pvalue_
    assert Test().fit([e]).pvalue_ == expected
    residuals = CVResiduals.from_array([e], design="holdout")
    assert Test().fit(residuals).pvalue_ == expected


@pytest.mark.parametrize("Test", [HoldoutTTest, McNemarTest])
def test_an_array_of_several_splits_is_refused_by_its_name(Test):
    grammar = r"^`residuals` must be .+; got "
    with pytest.raises(ValueError, match=grammar):
        Test().fit(np.eye(3))


def naive_pvalue(b, c, method, correction, alternative):
    """Return McNemar's p-value from sums of binomial probabilities."""
    n = b + c
    if n == 0:
        return 1.0
    if method == "chi2":
        excess = max(abs(b - c) - correction, 0)
        z = np.sign(b - c) * excess / np.sqrt(n)
        tails = {"less": stats.norm.cdf(z), "greater": stats.norm.sf(z)}
        return tails.get(alternative, 2 * stats.norm.sf(abs(z)))
    pmf = [stats.binom.pmf(k, n, 0.5) for k in range(n + 1)]
    half = pmf[b] / 2 if method == "mid-p" else 0.0
    tails = {"less": sum(pmf[: b + 1]) - half, "greater": sum(pmf[b:]) - half}
    return tails.get(alternative, min(2 * min(tails.values()), 1.0))


@pytest.mark.parametrize("alternative", ALTERNATIVES)
@pytest.mark.parametrize(("method", "correction"), METHODS)
@pytest.mark.parametrize(("b", "c"), TABLES)
@pytest.mark.parametrize("rest", [0, 20])
def test_mcnemar_equals_sums_of_probabilities(
    b, c, rest, method, correction, alternative
):
    test = McNemarTest(method, correction, alternative=alternative)
    pvalue = test.fit(discordant(b, c, rest)).pvalue_
    expected = naive_pvalue(b, c, method, correction, alternative)
    assert_allclose(pvalue, expected, rtol=1e-9)


@pytest.mark.parametrize("alternative", ALTERNATIVES)
@pytest.mark.parametrize(("b", "c"), [*TABLES, (300, 250), (2000, 2300)])
def test_exact_mcnemar_is_scipys_binomial_test(b, c, alternative):
    test = McNemarTest(alternative=alternative).fit(discordant(b, c))
    expected = stats.binomtest(b, b + c, alternative=alternative).pvalue
    assert_allclose(test.pvalue_, expected, rtol=1e-9)


@pytest.mark.parametrize(("method", "correction"), METHODS)
@pytest.mark.parametrize("n", [5, 10, 30])
def test_mcnemar_of_examples_that_are_all_discordant_one_way(n, method, correction):
    # nothing is more different than these two models: c = 0, and no ties
    pvalue = McNemarTest(method, correction).fit([1.0] * n).pvalue_
    assert_allclose(pvalue, naive_pvalue(n, 0, method, correction, "two-sided"))
    assert pvalue < 0.1


@pytest.mark.parametrize(
    ("method", "correction", "statistic", "pvalue"),
    [
        ("chi2", True, 6.75, 0.00937477),
        ("chi2", False, 8.3333333, 0.00389242),
        ("exact", True, 1, 0.00634766),
    ],
)
def test_mcnemar_golden(method, correction, statistic, pvalue):
    # peers.md, section 3: the table [[9959, 11], [1, 29]], as mlxtend and statsmodels
    test = McNemarTest(method, correction).fit(discordant(11, 1, 9988))
    assert_allclose(test.statistic_, statistic, atol=5e-8)
    assert_allclose(test.pvalue_, pvalue, atol=5e-9)


@pytest.mark.parametrize(
    ("method", "correction", "pvalue"),
    [("exact", True, 0.0703), ("mid-p", True, 0.0391), ("chi2", False, 0.0339)],
)
def test_mcnemar_published_example(method, correction, pvalue):
    # M. W. Fagerland, S. Lydersen, P. Laake, BMC Med. Res. Methodol. 13:91 (2013):
    # 7 and 1 discordant of 21. 18/256; 18/256 - 8/256; χ² = 36/8 = 4.5
    test = McNemarTest(method, correction).fit(discordant(1, 7, 13))
    assert_allclose(test.pvalue_, pvalue, atol=5e-5)


def test_mcnemar_estimate_is_the_difference_of_error_rates(losses):
    test = McNemarTest().fit(losses.residuals(0, 1))
    assert_allclose(test.estimate_, np.subtract(*losses.values.mean(axis=0)))
    n = len(losses.values)
    variance = losses.residuals(0, 1).values.var() / n
    assert_allclose(test.standard_error_, np.sqrt(variance), rtol=1e-12)


@pytest.mark.parametrize(("method", "correction"), METHODS)
def test_mcnemar_says_greater_where_the_second_is_better(method, correction):
    e = discordant(15, 2)  # 15 times only the first is wrong
    greater = McNemarTest(method, correction, alternative="greater").fit(e)
    less = McNemarTest(method, correction, alternative="less").fit(e)
    assert greater.pvalue_ < 0.01
    assert less.pvalue_ > 0.99
    assert greater.estimate_ > 0


@pytest.mark.parametrize(("method", "correction"), METHODS)
@pytest.mark.parametrize("alternative", ALTERNATIVES)
def test_mcnemar_without_discordant_pairs(method, correction, alternative):
    test = McNemarTest(method, correction, alternative=alternative)
    test.fit(np.zeros(10))
    assert (test.statistic_, test.pvalue_, test.estimate_) == (0, 1, 0)


@pytest.mark.parametrize(("method", "correction"), METHODS)
@pytest.mark.parametrize("n", [1, 2, 5, 40])
def test_mcnemar_of_equal_counts_is_certain(method, correction, n):
    # the peers' correction would give χ² = 1/(b + c) here
    test = McNemarTest(method, correction).fit(discordant(n, n))
    assert_allclose(test.pvalue_, 1, rtol=1e-12)
    if method == "chi2":
        assert test.statistic_ == 0


@pytest.mark.parametrize(
    ("b", "c", "n"), [(3, 9, 50), (0, 0, 10), (5, 0, 5), (1, 7, 21)]
)
@pytest.mark.parametrize("level", [0.8, 0.95])
def test_mcnemar_interval_is_the_adjusted_wald_interval(b, c, n, level):
    # D. G. Bonett & R. M. Price (2012): add one to b and c, two to n
    p, q = (b + 1) / (n + 2), (c + 1) / (n + 2)
    margin = stats.norm.ppf((1 + level) / 2) * np.sqrt((p + q - (p - q) ** 2) / (n + 2))
    expected = np.clip([p - q - margin, p - q + margin], -1, 1)
    interval = McNemarTest().fit(discordant(b, c, n - b - c)).confidence_interval(level)
    assert_allclose(interval, expected, rtol=1e-12)


@pytest.mark.parametrize(("method", "correction"), METHODS)
def test_mcnemar_of_a_table_of_counts_is_that_of_its_examples(method, correction):
    # mlxtend's order: [[both right, first right], [second right, both wrong]]
    test = McNemarTest(method, correction=correction).fit([[40, 4], [11, 7]])
    both = [0.0] * 47
    expected = McNemarTest(method, correction=correction).fit(
        [1.0] * 11 + [-1.0] * 4 + both
    )
    assert (test.n_first_wrong_, test.n_second_wrong_) == (11, 4)
    assert test.pvalue_ == expected.pvalue_
    assert test.estimate_ == expected.estimate_ == 7 / 62
    assert test.confidence_interval() == expected.confidence_interval()


@pytest.mark.parametrize(
    "table", [[[1, 2], [3, -4]], [[1.5, 2], [3, 4]], [[0, 0], [0, 0]]]
)
def test_mcnemar_refuses_a_table_without_counts(table):
    with pytest.raises(ValueError, match="counts of examples, whole numbers"):
        McNemarTest().fit(table)


def test_mcnemar_counts_need_no_memory_and_do_not_overflow():
    test = McNemarTest().fit([[2**63, 2**40], [2**40 + 2**21, 10**10]])
    # z = 2**21/√(2**41 + 2**21)
    assert_allclose(test.pvalue_, 2 * stats.norm.sf(2**0.5), rtol=1e-3)


def test_mcnemar_refuses_a_crosstab_which_has_wrong_before_right():
    table = pd.crosstab(np.array([True, True, False]), np.array([True, False, False]))
    with pytest.raises(ValueError, match=r"got \[False, True\]. Pass an array, right"):
        McNemarTest().fit(table)


def test_mcnemar_one_sided_intervals_end_at_one():
    e = discordant(3, 9)
    assert McNemarTest(alternative="greater").fit(e).confidence_interval().high == 1
    assert McNemarTest(alternative="less").fit(e).confidence_interval().low == -1


@pytest.mark.parametrize("value", [0.5, 2.0, -1.5, 1e-9])
def test_mcnemar_refuses_other_losses(value):
    match = rf"`residuals` must be .+ \(-1, 0 or 1\); got {value}\. Use HoldoutTTest"
    with pytest.raises(ValueError, match=match):
        McNemarTest().fit([1.0, 0.0, value])


def test_mcnemar_takes_very_many_examples():
    rng = np.random.default_rng(0)
    e = rng.choice([-1.0, 0.0, 1.0], size=10**6, p=[0.1, 0.8, 0.1])
    exact, chi2 = (McNemarTest(method).fit(e) for method in ("exact", "chi2"))
    assert_allclose(exact.pvalue_, chi2.pvalue_, rtol=1e-3)


def naive_size(n, method, correction, alpha, alternative):
    """Return the exact probability of rejecting given n discordant pairs."""
    test = McNemarTest(method, correction, alternative=alternative)
    rejected = [test.fit(discordant(b, n - b)).pvalue_ <= alpha for b in range(n + 1)]
    return stats.binom.pmf(np.flatnonzero(rejected), n, 0.5).sum()


@pytest.mark.parametrize("alternative", ["two-sided", "greater"])
@pytest.mark.parametrize(
    ("method", "correction", "largest"),
    [
        # given n discordant pairs, n = 5 ... 60: the exact test and Edwards'
        # correction never exceed 5%; the others do at some n, up to this
        ("exact", True, 0.05),
        ("chi2", True, 0.05),
        ("mid-p", True, 0.077),
        ("chi2", False, 0.09),
    ],
)
def test_mcnemar_size(method, correction, largest, alternative):
    sizes = [
        naive_size(n, method, correction, 0.05, alternative)
        for n in (5, 6, 8, 10, 13, 17, 20, 25, 32, 40)
    ]
    assert max(sizes) <= largest
    assert max(sizes) > 0.03


def test_mcnemar_methods_order_as_they_should():
    for b, c in product(range(8), repeat=2):
        exact, mid_p = (
            McNemarTest(method).fit(discordant(b, c)).pvalue_
            for method in ("exact", "mid-p")
        )
        assert mid_p <= exact


def test_one_split_is_said_with_its_training_and_test_rows():
    data, y = load_breast_cancer(return_X_y=True)
    test_fold = np.where(np.arange(569) < 400, -1, 0)
    models = {"a": GaussianNB(), "b": DecisionTreeClassifier(max_depth=1)}
    result = compare_estimators(models, data, y, cv=PredefinedSplit(test_fold))
    interval = cross_val_interval(models, data, y, cv=PredefinedSplit(test_fold))
    assert "One split: 400 training and 169 test rows" in str(result)
    for text in (str(result), result.report(), str(interval), interval.report()):
        assert "400 training and 169 test rows" in " ".join(text.split())
        assert "569" not in text
    splits = [(np.arange(400), np.arange(400, 569))]
    given = {"a": y, "b": np.roll(y, 1)}
    for result in (
        compare_predictions(y, given, splits=splits),
        compare_predictions(y[400:], {name: p[400:] for name, p in given.items()}),
    ):
        assert "169" in str(result)
        assert "569" not in str(result) + result.report()
