"""Populations."""

import numpy as np
import pandas as pd
import pytest
from scipy import sparse, stats

from sklearn_cvtest.simulation import (
    ArrayPopulation,
    GaussianLinearPopulation,
)


def draw(population, n_samples=200_000, seed=0):
    return population.sample(n_samples, np.random.default_rng(seed))


# Gaussian linear --------------------------------------------------------------


@pytest.mark.parametrize("outliers", [False, True])
@pytest.mark.parametrize(("n_features", "r2"), [(3, 0.75), (1, 0.2), (8, 0.9)])
def test_gaussian_moments_are_those_of_the_paper(n_features, r2, outliers):
    X, y = draw(GaussianLinearPopulation(n_features, r2, outliers))
    # [BG03] experiment 2: 5% of examples have 10 times the standard deviation
    scale = 0.95 + 100 * 0.05 if outliers else 1.0
    slope = np.sqrt(r2 / (1 - r2) / n_features / scale)
    noise = y - slope * X.sum(axis=1)
    # standard errors of a variance: √(2/n), with outliers √((κ - 1)/n), κ = 3 × 14.2
    tolerance = 5 * np.sqrt((42.3 if outliers else 2.0) / len(y))
    assert np.var(noise) == pytest.approx(1, rel=tolerance)
    assert np.var(y) == pytest.approx(1 / (1 - r2), rel=tolerance)
    assert 1 - np.var(noise) / np.var(y) == pytest.approx(r2, abs=tolerance)
    np.testing.assert_allclose(X.var(axis=0), scale, rtol=tolerance)
    np.testing.assert_allclose(X.mean(axis=0), 0, atol=5 * np.sqrt(scale / len(y)))
    np.testing.assert_allclose(
        np.corrcoef(X.T, noise)[np.triu_indices(n_features + 1, 1)], 0, atol=tolerance
    )


def test_gaussian_features_and_noise_are_normal():
    X, y = draw(GaussianLinearPopulation(2, 0.5), 20_000)
    noise = y - np.sqrt(1 / 2) * X.sum(axis=1)
    for values in (*X.T, noise):
        assert stats.kstest(values, "norm").pvalue > 1e-3


def test_gaussian_outliers_are_whole_examples():
    X, y = draw(GaussianLinearPopulation(30, outliers=True), 20_000)
    # the spread of an example's 30 features, 1 or 10, tells which it is
    is_outlier = X.std(axis=1) > 4
    low, high = stats.binom.interval(0.999, len(y), 0.05)
    assert low <= is_outlier.sum() <= high
    noise = y - np.sqrt(3 / (30 * 5.95)) * X.sum(axis=1)
    ratio = noise[is_outlier].std() / noise[~is_outlier].std()
    assert ratio == pytest.approx(10, rel=0.1)


def test_gaussian_without_outliers_is_the_same_for_one_seed():
    population = GaussianLinearPopulation(4)
    for first, second in zip(
        draw(population, 10, 3), draw(population, 10, 3), strict=True
    ):
        np.testing.assert_array_equal(first, second)
    assert not np.array_equal(draw(population, 10, 3)[0], draw(population, 10, 4)[0])


def test_gaussian_repr_makes_the_population_again():
    population = GaussianLinearPopulation(4, 0.3, True)
    again = eval(repr(population), {"GaussianLinearPopulation": type(population)})
    assert vars(again) == vars(population)


# Array ------------------------------------------------------------------------

X = np.arange(24.0).reshape(12, 2)
Y = np.arange(12) * 10


def test_array_rows_of_x_and_y_stay_together():
    X_drawn, y_drawn = draw(ArrayPopulation(X, Y), 50)
    np.testing.assert_array_equal(X_drawn[:, 0] * 5, y_drawn)


def test_array_draws_all_rows_equally_often():
    _, y = draw(ArrayPopulation(X, Y), 60_000)
    assert stats.chisquare(np.bincount(y // 10, minlength=12)).pvalue > 1e-3


def test_array_without_replacement_draws_no_row_twice():
    population = ArrayPopulation(X, Y, replace=False)
    counts = np.zeros(12)
    for seed in range(400):
        _, y = draw(population, 3, seed)
        assert len(set(y)) == 3
        counts[y // 10] += 1
    # Σ of hypergeometric draws: below the variance that the χ² test takes
    assert stats.chisquare(counts).pvalue > 1e-3
    assert sorted(draw(population, 12)[1]) == sorted(Y)


def test_array_without_replacement_cannot_give_more_than_it_has():
    message = "`n_samples` must be at most 12, the whole population, .*; got 13."
    with pytest.raises(ValueError, match=message):
        draw(ArrayPopulation(X, Y, replace=False), 13)


@pytest.mark.parametrize(
    "convert",
    [
        pd.DataFrame,
        sparse.csr_array,
        sparse.coo_matrix,
        lambda X: X.astype(np.float32),
        np.ndarray.tolist,
    ],
)
def test_array_gives_the_rows_of_any_container(convert):
    expected, _ = draw(ArrayPopulation(X, Y), 20)
    found, _ = draw(ArrayPopulation(convert(X), Y), 20)
    assert isinstance(found, type(convert(X))) or sparse.issparse(found)
    found = found.toarray() if sparse.issparse(found) else np.asarray(found)
    np.testing.assert_array_equal(found, expected)


def test_array_keeps_series_and_several_outputs():
    y = pd.Series(Y, index=list("abcdefghijkl"), name="target")
    _, drawn = draw(ArrayPopulation(X, y), 20)
    assert drawn.name == "target"
    assert (y[drawn.index] == drawn).all()
    _, drawn = draw(ArrayPopulation(X, np.c_[Y, -Y]), 20)
    np.testing.assert_array_equal(drawn[:, 0], -drawn[:, 1])


def test_array_does_not_write_to_the_data():
    mine, target = X.copy(), Y.copy()
    X_drawn, y_drawn = draw(ArrayPopulation(mine, target), 20)
    X_drawn[:], y_drawn[:] = -1, -1
    np.testing.assert_array_equal(mine, X)
    np.testing.assert_array_equal(target, Y)
