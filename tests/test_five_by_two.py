"""Dietterich's t and Alpaydin's F for 5x2 cross-validation."""

import numpy as np
import pytest
from numpy.testing import assert_allclose
from scipy import stats
from sklearn.datasets import load_iris
from sklearn.naive_bayes import GaussianNB
from sklearn.tree import DecisionTreeClassifier

from sklearn_cvtest import (
    CVResiduals,
    FiveByTwo,
    FiveByTwoFTest,
    FiveByTwoTTest,
    cross_val_losses,
)
from sklearn_cvtest.exceptions import DegenerateResidualsWarning

BOTH = pytest.mark.parametrize("Test", [FiveByTwoTTest, FiveByTwoFTest])
# peers.md, section 3: checked against mlxtend
GOLDEN = [[0.02, 0.01], [0.03, -0.01], [0.015, 0.005], [0, 0.02], [0.01, 0.025]]


def naive_statistics(p, popmean=0.0):
    """Return t of Dietterich (1998) and F of Alpaydin (1999) by their loops."""
    variances = []
    for first, second in p:
        mean = (first + second) / 2
        variances.append((first - mean) ** 2 + (second - mean) ** 2)
    squares = sum((value - popmean) ** 2 for row in p for value in row)
    t = (p[0][0] - popmean) / np.sqrt(sum(variances) / 5)
    return t, squares / (2 * sum(variances))


def test_t_by_hand():
    # s_i² = (p1 - p2)²/2: 2, 0, 0, 0, 8 -> √(10/5) = √2; p_1^(1) = 3; Σp/10 = 1.2
    p = [[3, 1], [1, 1], [0, 0], [2, 2], [-1, 3]]
    test = FiveByTwoTTest().fit(p)
    assert_allclose(test.statistic_, 3 / np.sqrt(2), rtol=1e-14)
    assert_allclose(test.standard_error_, np.sqrt(2), rtol=1e-14)
    assert_allclose(test.estimate_, 1.2, rtol=1e-14)
    assert test.df_ == 5
    assert_allclose(test.pvalue_, 2 * stats.t.sf(3 / np.sqrt(2), 5), rtol=1e-13)


def test_f_by_hand():
    # Σp² = 9 + 1 + 1 + 1 + 4 + 4 + 1 + 9 = 30; 2 Σs_i² = 20
    p = [[3, 1], [1, 1], [0, 0], [2, 2], [-1, 3]]
    test = FiveByTwoFTest().fit(p)
    assert_allclose(test.statistic_, 1.5, rtol=1e-14)
    assert_allclose(test.standard_error_, np.sqrt(2), rtol=1e-14)
    assert test.df_ == (10, 5)
    assert_allclose(test.pvalue_, stats.f.sf(1.5, 10, 5), rtol=1e-13)


@pytest.mark.parametrize(
    ("Test", "statistic", "pvalue"),
    [
        (FiveByTwoTTest, 1.2843226, 0.2553152),
        (FiveByTwoFTest, 1.1855670, 0.4512036),
    ],
)
def test_golden(Test, statistic, pvalue):
    test = Test().fit(GOLDEN)
    assert_allclose(test.statistic_, statistic, atol=5e-8)
    assert_allclose(test.pvalue_, pvalue, atol=5e-8)


@pytest.mark.parametrize("popmean", [0.0, 0.4])
@pytest.mark.parametrize("seed", range(3))
def test_statistics_equal_loops(seed, popmean):
    p = np.random.default_rng(seed).normal(0.3, size=(5, 2))
    t, f = naive_statistics(p.tolist(), popmean)
    assert_allclose(FiveByTwoTTest(popmean=popmean).fit(p).statistic_, t, rtol=1e-12)
    assert_allclose(FiveByTwoFTest(popmean=popmean).fit(p).statistic_, f, rtol=1e-12)


@BOTH
def test_rows_of_an_array_are_replications(Test):
    p = np.array(GOLDEN)
    expected = Test().fit(p).statistic_
    assert Test().fit(p.ravel()).statistic_ == expected
    per_example = p.ravel()[:, np.newaxis] + [[-1.0, 0.0, 1.0]]
    assert_allclose(Test().fit(per_example).statistic_, expected, rtol=1e-12)


@BOTH
def test_engine_gives_the_replications_in_order(Test):
    X, y = load_iris(return_X_y=True)
    models = [GaussianNB(), DecisionTreeClassifier(max_depth=1, random_state=0)]
    cv = FiveByTwo(random_state=0)
    residuals = cross_val_losses(models, X, y, cv=cv).residuals(0, 1)
    p = []
    for train, test in cv.split(X):
        wrong = [m.fit(X[train], y[train]).predict(X[test]) != y[test] for m in models]
        p.append(wrong[0].mean() - wrong[1].mean())
    expected = naive_statistics(np.reshape(p, (5, 2)))
    statistic = Test().fit(residuals).statistic_
    assert_allclose(statistic, expected[Test is FiveByTwoFTest], rtol=1e-12)


def test_t_takes_the_first_difference_for_numerator():
    p = np.array(GOLDEN)
    swapped = p.copy()
    swapped[0] = p[0, ::-1]
    ratio = (
        FiveByTwoTTest().fit(swapped).statistic_ / FiveByTwoTTest().fit(p).statistic_
    )
    assert_allclose(ratio, p[0, 1] / p[0, 0], rtol=1e-12)


def test_t_interval_is_around_the_first_difference():
    test = FiveByTwoTTest().fit(GOLDEN)
    low, high = test.confidence_interval()
    assert_allclose((low + high) / 2, 0.02, rtol=1e-12)
    margin = stats.t.isf(0.025, 5) * test.standard_error_
    assert_allclose(high - low, 2 * margin, rtol=1e-12)


@pytest.mark.filterwarnings(
    "ignore::sklearn_cvtest.exceptions.DegenerateResidualsWarning"
)
def test_f_interval_is_every_popmean_that_is_not_rejected():
    low, high = FiveByTwoFTest().fit(GOLDEN).confidence_interval(0.9)
    for popmean in np.linspace(low - 0.05, high + 0.05, 41):
        rejected = FiveByTwoFTest(popmean=popmean).fit(GOLDEN).pvalue_ < 0.1
        assert rejected == (not low <= popmean <= high)


def test_f_interval_is_the_estimate_if_every_popmean_is_rejected():
    p = np.array([[5.0, 5.1], [-4, -4.1], [3, 3.1], [-5, -5.1], [0, 0.1]])
    test = FiveByTwoFTest().fit(p)
    best = FiveByTwoFTest(popmean=p.mean()).fit(p).pvalue_
    assert best < 0.05
    interval = test.confidence_interval()
    assert interval == (test.estimate_, test.estimate_)


@BOTH
def test_replications_of_equal_halves_have_no_variance(Test):
    p = np.repeat([[0.1], [0.2], [0.3], [0.1], [0.1]], 2, axis=1)
    with pytest.warns(DegenerateResidualsWarning):
        test = Test().fit(p)
    assert (test.statistic_, test.pvalue_) == (np.inf, 0)


@BOTH
@pytest.mark.parametrize("shape", [(9,), (2, 5), (4, 2), (12,), (11, 3)])
def test_arrays_of_another_number_of_splits_are_refused(Test, shape):
    with pytest.raises(ValueError, match=r"^`\w+` must be .+; got .+\.$"):
        Test().fit(np.ones(shape))


@BOTH
def test_residuals_of_a_k_fold_are_told_the_right_test(Test):
    residuals = CVResiduals.from_array(np.arange(10.0))
    with pytest.raises(ValueError, match=r"10-fold cross-validation.+ Use KFoldTT"):
        Test().fit(residuals)
