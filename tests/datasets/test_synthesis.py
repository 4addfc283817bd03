"""The mean of differences over data sets."""

import numpy as np
import pytest
from numpy.testing import assert_allclose
from scipy import stats

from sklearn_cvtest._datasets._synthesis import (
    prediction_interval,
    synthesis_interval,
    synthesis_pvalue,
    synthesise,
)

D = np.random.default_rng(0).normal(0.3, 1, (4, 8))


def test_it_is_the_t_test_of_the_differences():
    result = synthesise(D[0])
    expected = stats.ttest_1samp(D[0], 0.1)
    assert_allclose(synthesis_pvalue(result, 0.1), expected[:2])
    assert_allclose(synthesis_interval(result, 0.9), expected.confidence_interval(0.9))


def test_prediction_interval_by_hand():
    """Mean 2, deviation 1: 2 ± t_2 √(1 + 1/3), t_2 = 4.303."""
    ends = prediction_interval(synthesise([1, 2, 3]))
    assert_allclose(ends, [2 - 4.9683, 2 + 4.9683], atol=1e-4)


def test_prediction_interval_holds_another_difference():
    values = np.random.default_rng(1).normal(size=(4000, 6))
    low, high = prediction_interval(synthesise(values[:, 1:]))
    holds = np.mean((low <= values[:, 0]) & (values[:, 0] <= high))
    assert abs(holds - 0.95) < 3.3 * np.sqrt(0.95 * 0.05 / 4000)


def test_pairs_and_missing_data_sets():
    """A table of pairs gives what each pair gives without what it misses."""
    d = D.copy()
    d[np.random.default_rng(0).random(d.shape) < 0.3] = np.nan
    table = synthesise(d)
    for row, values in enumerate(d):
        alone = synthesise(values[np.isfinite(values)])
        assert_allclose([field[row] for field in table], alone)


def test_scaling_shifting_and_swapping():
    plain, other = synthesise(D[0]), synthesise(3 - 1e-6 * D[0])
    assert_allclose(other.estimate - 3, -1e-6 * plain.estimate, rtol=1e-7)
    assert_allclose(other.standard_error, 1e-6 * plain.standard_error, rtol=1e-7)


def test_one_data_set_says_nothing_about_others():
    result = synthesise([0.3])
    assert result.estimate == 0.3
    assert synthesis_pvalue(result) == (0, 1)
    assert synthesis_interval(result) == (-np.inf, np.inf)


def test_no_data_set():
    result = synthesise([[np.nan, np.nan]])
    assert np.isnan(result.estimate).all()
    assert synthesis_pvalue(result) == (0, 1)


def test_two_data_sets_predict_nothing():
    assert prediction_interval(synthesise([0.3, 0.5])) == (-np.inf, np.inf)


@pytest.mark.parametrize(
    ("differences", "error", "pvalue"),
    [
        ([0, 0, 0], 0, 1),
        ([1, 1, 1], 0, 1),  # of no known range, which show nothing
        ([0.1 + 0.2, 0.3, 0.3], 0, 1),
        ([1, 2, 3], 1 / 3**0.5, stats.ttest_1samp([1, 2, 3], 0).pvalue),
    ],
)
def test_degenerate_collections(differences, error, pvalue):
    result = synthesise(differences)
    assert_allclose(result.standard_error, error, rtol=1e-9)
    assert_allclose(synthesis_pvalue(result)[1], pvalue, rtol=1e-9)


def test_equal_differences_of_a_known_range():
    """Of differences between -1 and 1: (1 - q)³ = .025, q = .708."""
    point = synthesise([0.1] * 3)
    share = 1 - 0.025 ** (1 / 3)
    ends = 0.1 - share * 1.1, 0.1 + share * 0.9
    assert_allclose(synthesis_interval(point, most=1.0), ends)
    assert_allclose(prediction_interval(point, most=1.0), ends)
    assert_allclose(synthesis_pvalue(point, ends[0], most=1.0)[1], 0.05)
