"""The mean of differences over data sets: Student's t test, each an observation."""

import numpy as np
import pandas as pd
import pytest
from numpy.testing import assert_allclose
from scipy import stats

from sklearn_cvtest import compare_over_datasets

D = np.random.default_rng(0).normal(0.3, 1, (4, 8))
INTERVAL = ["ci_low", "ci_high"]
PREDICTION = ["pi_low", "pi_high"]


def of_differences(differences, name="loss", base=0.0, **options):
    """Return the frame of differences (n_pairs, D) of models from a reference."""
    differences = np.atleast_2d(differences)
    base = base + np.arange(differences.shape[1]) / 10
    columns = {"base": base}
    columns |= {f"m{k}": base - row for k, row in enumerate(differences)}
    table = pd.DataFrame(columns, [f"d{k}" for k in range(differences.shape[1])])
    options = {"reference": "base", "p_adjust": None, "scale": None, **options}
    frame = compare_over_datasets(table, loss=name, **options).to_frame()
    is_turned = frame["first"] != "base"
    assert is_turned.all() or not is_turned.any()
    return frame, -1 if is_turned.all() else 1


def test_it_is_the_t_test_of_the_differences():
    frame, sign = of_differences(D, alpha=0.1)
    for values, (_, row) in zip(D, frame.iterrows(), strict=True):
        expected = stats.ttest_1samp(sign * values, 0)
        assert_allclose([row["statistic"], row["pvalue"]], expected[:2])
        assert_allclose(row[INTERVAL].tolist(), expected.confidence_interval(0.9))


def test_prediction_interval_by_hand():
    """Mean 2, deviation 1: 2 ± t_2 √(1 + 1/3), t_2 = 4.303."""
    frame, sign = of_differences([1, 2, 3])
    expected = np.sort(sign * np.array([2 - 4.9683, 2 + 4.9683]))
    assert_allclose(frame.iloc[0][PREDICTION].tolist(), expected, atol=1e-4)


def test_prediction_interval_holds_another_difference():
    values = np.random.default_rng(1).normal(size=(4000, 6))
    frame, sign = of_differences(values[:, 1:])
    another = sign * values[:, 0]
    holds = np.mean((frame["pi_low"] <= another) & (another <= frame["pi_high"]))
    assert abs(holds - 0.95) < 3.3 * np.sqrt(0.95 * 0.05 / 4000)


def test_pairs_and_missing_data_sets():
    """A table of pairs gives what each pair gives without what it misses."""
    d = D.copy()
    d[np.random.default_rng(0).random(d.shape) < 0.3] = np.nan
    table, _ = of_differences(d)
    names = ["estimate", "standard_error", "df", "n_datasets", "pseudomedian"]
    for row, values in enumerate(d):
        alone, _ = of_differences(values[np.isfinite(values)])
        assert_allclose(table[names].iloc[row].tolist(), alone[names].iloc[0].tolist())


def test_two_data_sets_predict_nothing():
    frame, _ = of_differences([0.3, 0.5])
    assert frame[PREDICTION].isna().all(axis=None)


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
    frame, _ = of_differences(differences, name="gap")
    assert_allclose(frame["standard_error"], error, rtol=1e-9)
    assert_allclose(frame["pvalue"], pvalue, rtol=1e-9)


def test_equal_differences_of_a_known_range():
    """Of differences between -1 and 1: (1 - q)³ = .025, q = .708."""
    frame, sign = of_differences([0.1] * 3, name="zero_one", base=0.5)
    share = 1 - 0.025 ** (1 / 3)
    ends = np.sort(sign * np.array([0.1 - share * 1.1, 0.1 + share * 0.9]))
    assert_allclose(frame.iloc[0][INTERVAL].tolist(), ends)
    assert_allclose(frame.iloc[0][PREDICTION].tolist(), ends)
