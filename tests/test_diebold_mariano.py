"""DieboldMarianoTest: a test of forecasts over time."""

from dataclasses import replace

import numpy as np
import pytest
from scipy import stats
from sklearn.linear_model import LinearRegression, Ridge
from sklearn.model_selection import TimeSeriesSplit

from sklearn_cvtest import (
    CVResiduals,
    DieboldMarianoTest,
    KFoldTTest,
    compare_estimators,
    cross_val_losses,
)
from sklearn_cvtest.exceptions import DegenerateResidualsWarning

E = [0.2, 0.3, 0.1, -0.1, 0.0, 0.3, 0.4, 0.1]
RNG = np.random.default_rng(0)
N = 120
X = RNG.normal(size=(N, 8)).cumsum(axis=0)
Y = X[:, 0] + RNG.normal(size=N)
MODELS = {"ols": LinearRegression(), "ridge": Ridge(100)}


def windows(width, step=5, first=40):
    """Return windows that slide, each testing the next `step` rows."""
    return [
        (np.arange(start - width, start), np.arange(start, start + step))
        for start in range(first, N - step + 1, step)
    ]


def test_published_check_value():
    # γ0 .02484375, γ1 .00638672: DM 2.3697645, times the factor of Harvey et al.
    test = DieboldMarianoTest(horizon=2).fit(E)
    assert test.statistic_ == pytest.approx(1.9197287, rel=1e-7)
    assert test.pvalue_ == pytest.approx(0.0963682, rel=1e-6)
    assert test.df_ == 7
    assert test.estimate_ == pytest.approx(0.1625)


def test_horizon_one_is_the_t_test():
    test, expected = DieboldMarianoTest().fit(E), stats.ttest_1samp(E, 0)
    assert test.pvalue_ == pytest.approx(expected.pvalue)
    assert test.confidence_interval() == pytest.approx(expected.confidence_interval())


@pytest.mark.parametrize("alternative", ["less", "greater"])
def test_sides_and_signs(alternative):
    other = {"less": "greater", "greater": "less"}[alternative]
    one = DieboldMarianoTest(3, alternative=alternative).fit(E)
    mirrored = DieboldMarianoTest(3, alternative=other).fit(np.negative(E))
    assert one.pvalue_ == mirrored.pvalue_
    assert DieboldMarianoTest(popmean=0.1).fit(E).statistic_ == pytest.approx(
        DieboldMarianoTest().fit(np.subtract(E, 0.1)).statistic_
    )


def test_a_variance_that_is_not_positive_is_bartletts():
    e = [1.0, -1.0, 1.0, -1.0, 1.1, -1.0]
    with pytest.warns(DegenerateResidualsWarning, match="Bartlett"):
        test = DieboldMarianoTest(2).fit(e)
    assert test.pvalue_ == DieboldMarianoTest(2, "bartlett").fit(e).pvalue_


@pytest.mark.parametrize(
    "cv",
    [
        TimeSeriesSplit(5),
        TimeSeriesSplit(5, gap=2),
        TimeSeriesSplit(5, max_train_size=30),
        windows(20),
    ],
    ids=lambda cv: repr(cv)[:60],
)
def test_it_is_the_default_of_splits_in_time_order(cv):
    found = compare_estimators(MODELS, X, Y, cv=cv)
    test = found.tests["ols", "ridge"]
    assert isinstance(test, DieboldMarianoTest)
    assert found.losses.design.kind == "time series"
    e = found.losses.residuals("ols", "ridge").values
    assert found.pvalue_ == pytest.approx(stats.ttest_1samp(e, 0).pvalue)
    assert "these forecasts" in found.report()


def test_residuals_are_put_in_the_order_of_time():
    splits = windows(20)
    test = DieboldMarianoTest(4)
    forward, backward = (
        test.fit(cross_val_losses(MODELS, X, Y, cv=cv).residuals(0, 1)).pvalue_
        for cv in (splits, splits[::-1])
    )
    assert forward == pytest.approx(backward)


def test_rows_that_are_tested_twice_are_refused():
    with pytest.raises(ValueError, match=r"row 42 of X in 2 test sets"):
        compare_estimators(
            MODELS, X, Y, cv=windows(20, step=4)[:1] + windows(20, 4, 42)
        )


def test_other_designs_and_values_per_split_are_refused():
    with pytest.raises(ValueError, match="valid for residuals of time series"):
        compare_estimators(MODELS, X, Y, cv=5, test=DieboldMarianoTest())
    with pytest.raises(ValueError, match="per-example"):
        compare_estimators(MODELS, X, Y, cv=TimeSeriesSplit(5), scoring="neg_max_error")
    with pytest.raises(ValueError, match="Use DieboldMarianoTest"):
        compare_estimators(MODELS, X, Y, cv=TimeSeriesSplit(5), test=KFoldTTest())


@pytest.mark.parametrize(
    ("options", "e", "text"),
    [
        ({"horizon": 0}, E, "`horizon`"),
        ({"kernel": "parzen"}, E, "`kernel`"),
        ({"horizon": 8}, E, "more times than the horizon, 8; got 8"),
        ({}, [E, E], "in the order of time"),
    ],
)
def test_bad_arguments_are_named(options, e, text):
    with pytest.raises(ValueError, match=text):
        DieboldMarianoTest(**options).fit(e)


def test_size_of_four_steps_ahead():
    # 2000 series of 200 sums of four: 99.9% interval around 6%, which is measured

    noise = np.random.default_rng(0).normal(size=(2000, 203))
    series = np.lib.stride_tricks.sliding_window_view(noise, 4, axis=1).sum(axis=2)
    one = DieboldMarianoTest().residuals_of_array(series[0])
    assert isinstance(one, CVResiduals)
    test = DieboldMarianoTest(4)
    rejected = test.evaluate(replace(one, values=series)).pvalue <= 0.05
    low, high = stats.binom.interval(0.999, 2000, 0.06)
    assert low <= np.count_nonzero(rejected) <= high
