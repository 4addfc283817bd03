"""Loss differences of adjacent rows of one test set that are alike."""

import warnings

import numpy as np
import pytest
from sklearn.feature_selection import SelectKBest
from sklearn.linear_model import LinearRegression
from sklearn.model_selection import ShuffleSplit
from sklearn.pipeline import make_pipeline

from sklearn_cvtest import (
    DieboldMarianoTest,
    compare_estimators,
    compare_predictions,
    cross_val_interval,
)
from sklearn_cvtest.exceptions import DependentRowsWarning


def messages_of(run, *args, **options):
    """Return the messages on dependent rows."""
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        run(*args, **options)
    return [str(w.message) for w in caught if w.category is DependentRowsWarning]


def averages(rng, n, length=24):
    """Return a moving average, as errors of forecasts so many steps ahead."""
    return np.convolve(rng.normal(size=n + length - 1), np.ones(length), "valid")


def forecasts(seed, errors=averages, n=200):
    """Return a random walk and two equally good forecasts of it."""
    rng = np.random.default_rng(seed)
    y = np.cumsum(rng.normal(size=n))
    return y, {name: y + errors(rng, n) for name in ("a", "b")}


@pytest.mark.parametrize("seed", range(5))
def test_forecasts_of_one_test_set_are_told_of(seed):
    y, predictions = forecasts(seed)
    (message,) = messages_of(compare_predictions, y, predictions)
    assert "loss differences of" in message
    assert "DieboldMarianoTest" in message
    assert "pass `groups`" in message


def test_the_correlation_is_that_of_ranks():
    y, predictions = forecasts(3)
    difference = (y - predictions["a"]) ** 2 - (y - predictions["b"]) ** 2
    rank = np.argsort(np.argsort(difference)) - 99.5
    correlation = np.mean(rank[1:] * rank[:-1]) / np.mean(rank**2)
    (message,) = messages_of(compare_predictions, y, predictions)
    if "adjacent rows" in message:
        assert f"correlate by {correlation:.2f}" in message
    products = [rank[lag:] * rank[:-lag] for lag in range(1, 11)]
    of_ten = np.concatenate(products).mean() / np.mean(rank**2)
    if "up to 10 apart" in message:
        assert f"correlate by {of_ten:.2f}" in message


def test_what_the_warning_advises_works():
    y, predictions = forecasts(0)
    (message,) = messages_of(compare_predictions, y, predictions)
    assert "use DieboldMarianoTest, with rows in the order of time" in message
    test = DieboldMarianoTest()
    assert not messages_of(compare_predictions, y, predictions, test=test)
    result = compare_predictions(y, predictions, test=test)
    losses = [(y - predicted) ** 2 for predicted in predictions.values()]
    assert result.pvalue_ == test.fit(losses[0] - losses[1]).pvalue_
    assert 0.05 < result.pvalue_ <= 1


def independent(rng, n):
    return rng.normal(size=n)


def heavy(rng, n):
    return rng.standard_cauchy(n)


@pytest.mark.parametrize("errors", [independent, heavy])
def test_forecasts_with_independent_errors_are_not_told_of(errors):
    n_told = [
        len(messages_of(compare_predictions, *forecasts(seed, errors)))
        for seed in range(40)
    ]
    assert sum(n_told) <= 1


def test_errors_that_all_models_have_in_common_are_not_told_of():
    rng = np.random.default_rng(0)
    y = rng.normal(size=300)
    common = averages(rng, 300)
    predictions = {name: y + common + rng.normal(size=300) for name in ("a", "b")}
    assert not messages_of(compare_predictions, y, predictions, loss="absolute_error")


def test_rows_in_another_order_and_groups_are_not_told_of():
    y, predictions = forecasts(0)
    groups = np.arange(200) // 20
    assert not messages_of(compare_predictions, y, predictions, groups=groups)
    order = np.random.default_rng(1).permutation(200)
    predictions = {name: values[order] for name, values in predictions.items()}
    assert not messages_of(compare_predictions, y[order], predictions)


def test_rows_sorted_by_class_or_target_are_not_told_of():
    rng = np.random.default_rng(0)
    for _ in range(10):
        y = np.sort(rng.integers(3, size=300))  # each model is better at one class
        predictions = {
            name: np.where(rng.random(300) < np.array(rates)[y], y, (y + 1) % 3)
            for name, rates in {"a": [0.9, 0.5, 0.7], "b": [0.5, 0.9, 0.7]}.items()
        }
        assert not messages_of(compare_predictions, y, predictions)
    y = np.sort(rng.normal(size=300))
    predictions = {"a": y + 0.5 * y**2, "b": y + rng.normal(size=300)}
    assert not messages_of(compare_predictions, y, predictions)


def test_classes_of_a_series_are_told_of():
    rng = np.random.default_rng(0)
    y = rng.integers(2, size=300)
    predictions = {
        name: np.where(averages(rng, 300, 8) > 2, 1 - y, y) for name in ("a", "b")
    }
    assert len(messages_of(compare_predictions, y, predictions)) == 1


def first(X, y):
    return np.array([1.0, 0.0])


def second(X, y):
    return np.array([0.0, 1.0])


def test_one_split_of_fitted_models_is_looked_at_in_the_order_of_rows():
    rng = np.random.default_rng(0)
    y = 5 * rng.normal(size=600)
    X = np.column_stack([y + averages(rng, 600), y + averages(rng, 600)])
    models = {
        name: make_pipeline(SelectKBest(of_column, k=1), LinearRegression())
        for name, of_column in (("first", first), ("other", second))
    }
    cv = [(np.arange(300), np.arange(300, 600))]
    assert messages_of(compare_estimators, models, X, y, cv=cv)
    assert messages_of(cross_val_interval, models["first"], X, y, cv=cv)
    order = rng.permutation(600)
    cv = ShuffleSplit(1, test_size=0.5, random_state=0)
    assert not messages_of(compare_estimators, models, X[order], y[order], cv=cv)


@pytest.mark.parametrize("n", [2, 5, 12, 29])
def test_few_rows_are_not_looked_at(n):
    y, predictions = forecasts(0, n=n)
    assert not messages_of(compare_predictions, y, predictions)


def test_it_says_how_many_other_models_there_are():
    rng = np.random.default_rng(0)
    y = rng.normal(size=300)
    predictions = {name: y + averages(rng, 300) for name in "abcd"}
    (message,) = messages_of(compare_predictions, y, predictions)
    assert "(and 2 more)" in message
