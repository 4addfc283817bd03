"""corrected_ttest: the lines everyone copies."""

import numpy as np
import pytest
from scipy import stats
from sklearn.model_selection import KFold, ShuffleSplit, TimeSeriesSplit

from sklearn_cvtest import BlockKFold, FiveByTwo, corrected_ttest
from sklearn_cvtest.exceptions import DegenerateResidualsWarning

A, B = np.random.default_rng(0).normal([0.9, 0.88], 0.02, (10, 2)).T


@pytest.mark.parametrize("alternative", ["two-sided", "less", "greater"])
def test_is_the_formula(alternative):
    d = A - B
    error = np.sqrt((1 / 10 + 10 / 90) * d.var(ddof=1))
    t = d.mean() / error
    pvalue = {
        "two-sided": 2 * stats.t.sf(abs(t), 9),
        "less": stats.t.cdf(t, 9),
        "greater": stats.t.sf(t, 9),
    }
    result = corrected_ttest(A, B, 90, 10, alternative=alternative)
    assert result.pvalue_ == pytest.approx(pvalue[alternative], rel=1e-12)
    assert (result.statistic_, result.df_) == (pytest.approx(t), 9)
    if alternative == "two-sided":
        half = stats.t.ppf(0.95, 9) * error
        low, high = result.confidence_interval(0.9)
        assert (low, high) == pytest.approx((d.mean() - half, d.mean() + half))


def test_equal_scores_are_no_evidence():
    result = corrected_ttest(A, A, 90, 10)
    assert (result.statistic_, result.pvalue_) == (0, 1)


def test_constant_differences_show_nothing_and_warn():
    with pytest.warns(DegenerateResidualsWarning):
        result = corrected_ttest(A + 0.1, A, 90, 10)
    assert (result.statistic_, result.pvalue_) == (np.inf, 1)
    assert result.confidence_interval() == (-np.inf, np.inf)
    assert "there is no 95% CI" in " ".join(str(result).split())


@pytest.mark.parametrize(
    ("a", "b"), [(A[:3], B), (A[:1], B[:1]), ([1, np.nan], [1, 2])]
)
def test_refuses_what_is_no_pair_of_scores(a, b):
    with pytest.raises(ValueError, match=r"`[ab]` must be"):
        corrected_ttest(a, b, 90, 10)


def test_two_splits_are_enough():
    # d = .1, .3: mean .2, S = √.02; t = .2/√((1/2 + 1/9) .02), with 1 degree of freedom
    result = corrected_ttest([0.6, 0.9], [0.5, 0.6], 90, 10)
    t = 0.2 / np.sqrt((1 / 2 + 1 / 9) * 0.02)
    assert result.statistic_ == pytest.approx(t)
    assert result.pvalue_ == pytest.approx(2 * stats.t.sf(t, 1))


@pytest.mark.parametrize(
    ("cv", "n_train", "n_test"),
    [
        (10, 9, 1),
        (KFold(10), 90, 10),
        (BlockKFold(5, n_repeats=2), 80, 20),
        (FiveByTwo(), 50, 50),
        (ShuffleSplit(10, test_size=0.2), 4, 1),
        (list(KFold(10).split(range(100))), 90, 10),
    ],
)
def test_how_splits_were_made_says_their_sizes(cv, n_train, n_test):
    result = corrected_ttest(A, B, cv=cv)
    expected = corrected_ttest(A, B, n_train, n_test)
    assert result.pvalue_ == pytest.approx(expected.pvalue_, rel=1e-12)
    assert str(result) == str(expected)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({}, "`cv` must be a splitter.* Pass `n_train` and `n_test`"),
        ({"n_train": 90}, "`n_test` must be given"),
        ({"cv": 5}, "`cv` must be what .* the 10 splits; got 5."),
        ({"cv": TimeSeriesSplit(10)}, "`cv` must be a K-fold, repeated or not"),
        ({"cv": ShuffleSplit(10, test_size=30)}, "Pass `n_train` and `n_test`."),
    ],
)
def test_asks_for_sizes_that_nothing_says(options, message):
    with pytest.raises(ValueError, match=message):
        corrected_ttest(A, B, **options)
