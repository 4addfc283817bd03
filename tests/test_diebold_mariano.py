"""DieboldMarianoTest: a test of forecasts over time."""

import warnings
from dataclasses import replace

import numpy as np
import pytest
from scipy import stats
from scipy.signal import lfilter
from sklearn.linear_model import LinearRegression, Ridge
from sklearn.model_selection import TimeSeriesSplit

from sklearn_cvtest import (
    CVResiduals,
    DieboldMarianoTest,
    KFoldTTest,
    compare_estimators,
    compare_predictions,
    cross_val_losses,
)
from sklearn_cvtest.exceptions import (
    DegenerateResidualsWarning,
)
from sklearn_cvtest.results import Design

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


def naive_cosines(e, n_terms):
    """Return the mean over the root of its variance, from coefficients one by one."""
    n, total = len(e), 0.0
    for j in range(1, n_terms + 1):
        weights = [np.cos(np.pi * j * (t + 0.5) / n) for t in range(n)]
        total += np.dot(weights, e) ** 2 * 2 / n
    return np.mean(e) / np.sqrt(total / n_terms / n)


def test_published_check_value():
    # γ0 .02484375, γ1 .00638672: DM 2.3697645, times the factor of Harvey et al.
    test = DieboldMarianoTest(horizon=2).fit(E)
    assert test.statistic_ == pytest.approx(1.9197287, rel=1e-7)
    assert test.pvalue_ == pytest.approx(0.0963682, rel=1e-6)
    assert test.df_ == 7
    assert test.estimate_ == pytest.approx(0.1625)


def test_horizon_one_is_the_t_test():
    test, expected = DieboldMarianoTest(1).fit(E), stats.ttest_1samp(E, 0)
    assert test.pvalue_ == pytest.approx(expected.pvalue)
    assert test.confidence_interval() == pytest.approx(expected.confidence_interval())


@pytest.mark.parametrize("alternative", ["less", "greater"])
def test_sides_and_signs(alternative):
    other = {"less": "greater", "greater": "less"}[alternative]
    one = DieboldMarianoTest(3, alternative=alternative).fit(E)
    mirrored = DieboldMarianoTest(3, alternative=other).fit(np.negative(E))
    assert one.pvalue_ == mirrored.pvalue_
    assert DieboldMarianoTest(1, popmean=0.1).fit(E).statistic_ == pytest.approx(
        DieboldMarianoTest(1).fit(np.subtract(E, 0.1)).statistic_
    )


def test_a_variance_that_is_not_positive_is_bartletts():
    e = [1.0, -1.0, 1.0, -1.0, 1.1, -1.0]
    with pytest.warns(DegenerateResidualsWarning, match="Bartlett"):
        test = DieboldMarianoTest(2).fit(e)
    d = np.subtract(e, np.mean(e))
    variance = np.mean(d * d) + np.sum(d[1:] * d[:-1]) / 6  # 2 · 1/2 of lag one
    # [HLN97]: (T + 1 - 2h + h(h - 1)/T)/T = (3 + 1/3)/6
    statistic = np.mean(e) / np.sqrt(variance / 6) * np.sqrt((3 + 1 / 3) / 6)
    assert test.statistic_ == pytest.approx(statistic)


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
    residuals = found.losses.residuals("ols", "ridge")
    assert test.df_ <= max(0.8 * len(residuals.values) / residuals.n_test.max(), 2)
    statistic = naive_cosines(residuals.values, test.df_)
    assert found.pvalue_ == pytest.approx(2 * stats.t.sf(abs(statistic), test.df_))
    assert "these forecasts" in " ".join(found.report().split())


def test_residuals_are_put_in_the_order_of_time():
    splits = windows(20)
    test = DieboldMarianoTest(4)
    forward, backward = (
        test.fit(cross_val_losses(MODELS, X, Y, cv=cv).residuals(0, 1)).pvalue_
        for cv in (splits, splits[::-1])
    )
    assert forward == pytest.approx(backward)


def test_rows_that_are_tested_twice_are_refused():
    with pytest.raises(
        ValueError, match=r"of test sets without a common row; got 'row 42 in 2'"
    ):
        compare_estimators(
            MODELS, X, Y, cv=windows(20, step=4)[:1] + windows(20, 4, 42)
        )


@pytest.mark.parametrize("horizon", [None, 3])
def test_forecasts_in_hand_are_tested_in_the_order_of_their_rows(horizon):
    noise = lfilter([1], [1, -0.8], np.random.default_rng(1).normal(size=(2, N)))
    forecasts = {"a": Y + noise[0], "b": Y + 1.2 * noise[1]}
    test = DieboldMarianoTest(horizon)
    with warnings.catch_warnings():  # none of dependent rows
        warnings.simplefilter("error")
        result = compare_predictions(Y, forecasts, test=test)
    alone = DieboldMarianoTest(horizon).fit(noise[0] ** 2 - (1.2 * noise[1]) ** 2)
    assert result.pvalue_ == pytest.approx(alone.pvalue_, rel=1e-9)
    assert "about these forecasts" in str(result)


def test_other_designs_and_values_per_split_are_refused():
    with pytest.raises(ValueError, match="which DieboldMarianoTest is not"):
        compare_estimators(MODELS, X, Y, cv=5, test=DieboldMarianoTest())
    with pytest.raises(ValueError, match="Use a per-example loss"):
        compare_estimators(MODELS, X, Y, cv=TimeSeriesSplit(5), scoring="neg_max_error")
    with pytest.raises(ValueError, match="Use DieboldMarianoTest"):
        compare_estimators(MODELS, X, Y, cv=TimeSeriesSplit(5), test=KFoldTTest())


@pytest.mark.parametrize(
    ("options", "e", "text"),
    [
        ({"horizon": 8}, E, "`horizon` must be below the 8 times; got 8"),
        ({}, [E, E], "an array of 1 dimensions"),
    ],
)
def test_bad_arguments_are_named(options, e, text):
    with pytest.raises(ValueError, match=text):
        DieboldMarianoTest(**options).fit(e)


def test_size_of_four_steps_ahead():
    # 2000 series of 200 sums of four: 99.9% interval around 6%, which is measured

    noise = np.random.default_rng(0).normal(size=(2000, 203))
    series = np.lib.stride_tricks.sliding_window_view(noise, 4, axis=1).sum(axis=2)
    one = CVResiduals.from_array(series[:1], design="time series")
    test = DieboldMarianoTest(4)
    rejected = test.evaluate(replace(one, values=series)).pvalue <= 0.05
    low, high = stats.binom.interval(0.999, 2000, 0.06)
    assert low <= np.count_nonzero(rejected) <= high


BLOCKS = np.repeat(np.arange(5), 40)


def autoregressive(phi, n_series):
    noise = np.random.default_rng(0).normal(size=(n_series, 400))
    return lfilter([1.0], [1.0, -phi], noise, axis=1)[:, 200:]


def of_five_blocks(series):
    """Return residuals of five test sets of 40, as TimeSeriesSplit(5) of 240 has."""
    return CVResiduals(
        values=series,
        row_split=BLOCKS,
        n_train=40 * np.arange(1, 6),
        n_test=np.full(5, 40),
        design=Design("time series", 5),
        row_index=np.arange(40, 240),
    )


# At horizon 1 it rejected 3, 20 and 55% with TimeSeriesSplit(5), and said nothing.
@pytest.mark.parametrize("phi", [0.0, 0.6, 0.9])
def test_size_with_five_blocks_of_forty(phi):
    test, series = DieboldMarianoTest(), autoregressive(phi, 2000)
    found = test.evaluate(of_five_blocks(series))
    assert np.count_nonzero(found.pvalue <= 0.05) <= stats.binom.ppf(0.999, 2000, 0.07)
    assert found.df.max() == 4


def test_size_where_a_test_set_is_shifted_as_a_whole():
    rng = np.random.default_rng(0)
    series = rng.normal(size=(2000, 200)) + rng.normal(size=(2000, 5))[:, BLOCKS]
    found = DieboldMarianoTest().evaluate(of_five_blocks(series))
    assert np.count_nonzero(found.pvalue <= 0.05) <= stats.binom.ppf(0.999, 2000, 0.07)


def test_blocks_bound_the_cosines():
    (series,) = autoregressive(0.0, 1)
    assert DieboldMarianoTest().fit(series).df_ == 13  # 0.4 * 200^(2/3) = 13.7
    assert DieboldMarianoTest().fit(of_five_blocks(series)).df_ == 4
