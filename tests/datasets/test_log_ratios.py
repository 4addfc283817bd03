"""Over data sets, losses that are compared by ratio are averaged as log ratios."""

import numpy as np
import pytest
from sklearn.datasets import make_regression
from sklearn.linear_model import Lasso, LinearRegression

from sklearn_cvtest import compare_over_datasets


def test_data_sets_average_log_ratios():
    rng = np.random.default_rng(0)
    scales = 10.0 ** np.arange(12)
    a = scales * np.exp(rng.normal(0, 0.02, 12))
    b = 0.9 * a * np.exp(rng.normal(0, 0.03, 12))
    pd = pytest.importorskip("pandas")
    table = pd.DataFrame({"dataset": list("abcdefghijkl"), "a": a, "b": b})
    result = compare_over_datasets(table, loss="rmse")
    assert result.scale == "log"
    np.testing.assert_allclose(result.estimates[0], np.log(a) - np.log(b))
    assert "b is better than a: a's RMSE is 11" in str(result)
    raw = compare_over_datasets(table, loss="rmse", scale=None)
    assert raw.pvalues[0] > 0.05  # one data set decides


def test_data_sets_that_are_fitted_average_log_ratios():
    data = {
        f"d{seed}": make_regression(60, 4, noise=20, random_state=seed)
        for seed in range(3)
    }
    models = {"ols": LinearRegression(), "lasso": Lasso(5.0)}
    result = compare_over_datasets(data, models, cv=5)
    assert result.scale == "log"
    ratios = [losses.mean_losses for losses in result.losses.values()]
    expected = [np.log(first) - np.log(second) for first, second in ratios]
    np.testing.assert_allclose(result.estimates[0], expected)


def test_means_of_other_scores_stay_differences():
    pd = pytest.importorskip("pandas")
    table = {"dataset": list("abc"), "a": [0.9, 0.8, 0.7], "b": [0.8, 0.7, 0.65]}
    table = pd.DataFrame(table)
    assert compare_over_datasets(table, score="accuracy").scale is None
