"""Series: long-run variances and the Diebold-Mariano statistic."""

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal
from scipy import stats

from sklearn_cvtest._inference._diebold_mariano import (
    autocovariances,
    diebold_mariano,
    long_run_variance,
    small_sample_factor,
)

E = np.array([0.2, 0.3, 0.1, -0.1, 0.0, 0.3, 0.4, 0.1])
RNG = np.random.default_rng(0)
SERIES = RNG.normal(0.2, 1, size=(2, 3, 40)).cumsum(axis=-1) / 5
# γ̂_1 = -.9 γ̂_0: with the uniform kernel the variance is negative.
ALTERNATING = np.tile([1.0, -1.0], 5) + 0.5


# By hand: mean .1625, squares of deviations sum to .19875, products of neighbours to
# .05109375; √(.0248437 + 2 (.0063867)) / √8 = .0685722.
def test_diebold_mariano_by_hand():
    assert_allclose(autocovariances(E, 1), [0.02484375, 0.00638672], atol=5e-9)
    result, df, _ = diebold_mariano(E, horizon=2)
    factor = small_sample_factor(8, 2)
    assert_allclose(result.estimate, 0.1625)
    assert_allclose(result.statistic / factor, 2.3697645, atol=5e-8)
    assert_allclose(result.statistic, 1.9197287, atol=5e-8)
    assert df == 7
    pvalue = 2 * stats.t.sf(result.statistic, 7)
    assert_allclose(pvalue, 0.0963682, atol=5e-8)


@pytest.mark.parametrize("kernel", ["uniform", "bartlett"])
@pytest.mark.parametrize("horizon", [1, 2, 5])
def test_diebold_mariano_agrees_with_the_package_of_that_name(horizon, kernel):
    peer = pytest.importorskip("dieboldmariano", reason="a peer, not a dependency")
    for series in SERIES.reshape(-1, 40):
        name = {"uniform": "acf", "bartlett": "bartlett"}[kernel]
        expected = peer.dm_test(
            np.zeros(40),
            series,
            np.zeros(40),
            loss=lambda _, predicted: predicted,
            h=horizon,
            variance_estimator=name,
        )
        result, _, _ = diebold_mariano(series, horizon, kernel)
        pvalue = 2 * stats.t.sf(abs(result.statistic), 39)
        assert_allclose([result.statistic, pvalue], expected, rtol=1e-8)


def naive_variance(series, horizon, kernel):
    n_times, mean = len(series), series.mean()
    total = 0.0
    for one in range(n_times):
        for other in range(n_times):
            lag = abs(one - other)
            if lag < horizon:
                weight = 1 - lag / horizon if kernel == "bartlett" else 1
                total += weight * (series[one] - mean) * (series[other] - mean)
    return total / n_times


@pytest.mark.parametrize("kernel", ["uniform", "bartlett"])
@pytest.mark.parametrize("horizon", [1, 3, 7])
def test_long_run_variance_agrees_with_a_double_loop(horizon, kernel):
    variance, is_bartlett = long_run_variance(SERIES, horizon, kernel)
    assert variance.shape == is_bartlett.shape == (2, 3)
    assert not is_bartlett.any()
    expected = [naive_variance(one, horizon, kernel) for one in SERIES.reshape(-1, 40)]
    assert_allclose(variance.ravel(), expected, rtol=1e-10)


@pytest.mark.parametrize("kernel", ["uniform", "bartlett"])
def test_horizon_one_is_the_t_test(kernel):
    expected = stats.ttest_1samp(SERIES, 0.1, axis=-1)
    result, _, _ = diebold_mariano(SERIES, 1, kernel, popmean=0.1)
    assert_allclose(result.statistic, expected.statistic, rtol=1e-10)
    assert_allclose(result.estimate, SERIES.mean(axis=-1))


@pytest.mark.parametrize(("n_times", "horizon"), [(8, 2), (50, 1), (50, 49), (7, 4)])
def test_small_sample_factor_is_that_of_the_paper(n_times, horizon):
    t, h = n_times, horizon
    expected = np.sqrt((t + 1 - 2 * h + h * (h - 1) / t) / t)
    assert_allclose(small_sample_factor(t, h), expected)


def test_a_variance_that_is_not_positive_becomes_bartletts():
    both = np.stack([ALTERNATING, SERIES[0, 0, :10]])
    variance, is_bartlett = long_run_variance(both, 2)
    assert_array_equal(is_bartlett, [True, False])
    assert_allclose(variance[0], long_run_variance(ALTERNATING, 2, "bartlett")[0])
    assert variance[0] > 0
    assert_array_equal(diebold_mariano(both, 2)[2], [True, False])


@pytest.mark.parametrize(("value", "statistic"), [(0.0, 0.0), (0.3, np.inf)])
@pytest.mark.parametrize("horizon", [1, 3])
def test_a_series_without_variance_has_the_defined_limit(value, statistic, horizon):
    result, _, is_doubtful = diebold_mariano(np.full(9, value), horizon)
    assert result.statistic == statistic
    assert result.standard_error == 0
    assert not is_doubtful


def test_invariances():
    statistic = diebold_mariano(SERIES, 3)[0].statistic
    swapped = diebold_mariano(-SERIES, 3)[0].statistic
    scaled = diebold_mariano(SERIES * 1e-200, 3)[0].statistic
    reversed_ = diebold_mariano(SERIES[..., ::-1], 3)[0].statistic
    assert_allclose(swapped, -statistic)
    assert_allclose(scaled, statistic)
    assert_allclose(reversed_, statistic)


def test_rejection_rate_of_one_step_forecasts():
    # T = 50 white noise, 4000 series: 5% within a 99.9% binomial interval.
    series = np.random.default_rng(1).normal(size=(4000, 50))
    result, _, _ = diebold_mariano(series, 1)
    rate = np.mean(2 * stats.t.sf(np.abs(result.statistic), 49) < 0.05)
    assert abs(rate - 0.05) < 3.3 * np.sqrt(0.05 * 0.95 / 4000)
