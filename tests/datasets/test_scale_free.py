"""Differences of losses without a unit: the logarithm of their ratio."""

import numpy as np
import pandas as pd
import pytest
from numpy.testing import assert_allclose
from scipy import stats

from sklearn_cvtest import KFoldTTest, compare_over_datasets, compare_predictions

pytestmark = pytest.mark.filterwarnings("ignore::UserWarning")
INDEPENDENT = KFoldTTest(0.0)  # the t test of the folds


def value(a, b):
    return np.log(a / b)


def losses(n_datasets=2, n_folds=10):
    """Return error rates of two models with means 0.2 and 0.3, correlated 0.5."""
    draws = np.random.default_rng(0).normal(size=(3, n_datasets, n_folds))
    shared, *own = draws
    return [
        mean + 0.03 * (shared + z) / np.sqrt(2)
        for mean, z in zip((0.2, 0.3), own, strict=True)
    ]


def compared(a, b):
    """Return log ratios and their standard errors of losses (n_datasets, n_folds)."""
    n_datasets, n_folds = a.shape
    rows = {
        "dataset": np.repeat(np.arange(n_datasets), n_folds),
        "fold": np.tile(np.arange(n_folds), n_datasets),
    }
    models = {"a": a, "b": b}
    table = pd.concat(
        pd.DataFrame(rows | {"model": name, "loss": values.ravel()})
        for name, values in models.items()
    )
    result = compare_over_datasets(table, loss="loss", scale="log", test=INDEPENDENT)
    return result.estimates[0], result.standard_errors[0]


def test_mean_is_the_scale_free_difference():
    a, b = losses()
    assert_allclose(compared(a, b)[0], value(a.mean(axis=1), b.mean(axis=1)))


def test_deviations_are_derivatives():
    """What an infinitesimal weight more on a fold does to the value."""
    a, b = (rates[0] for rates in losses())
    step = 1e-6
    moved = np.empty(10)
    for fold in range(10):
        weights = np.full(10, (1 - step) / 10) + step * (np.arange(10) == fold)
        moved[fold] = value(weights @ a, weights @ b) - value(a.mean(), b.mean())
    standard_error = np.sqrt(np.sum((moved / step) ** 2) / (10 * 9))
    assert_allclose(compared(*losses())[1][0], standard_error, rtol=1e-4)


def test_t_test_of_them_holds_its_level():
    estimates, standard_errors = compared(*losses(1000))
    t = (estimates - value(0.2, 0.3)) / standard_errors
    pvalues = 2 * stats.t.sf(np.abs(t), 9)
    low, high = stats.binom.ppf([0.0005, 0.9995], 1000, 0.05)
    assert low <= np.sum(pvalues <= 0.05) <= high


def test_they_have_no_unit():
    a, b = losses()
    assert_allclose(compared(1e6 * a, 1e6 * b), compared(a, b))


def test_swapping_changes_the_sign():
    a, b = losses()
    (estimates, standard_errors), (turned, same) = compared(a, b), compared(b, a)
    assert_allclose(turned, -estimates)
    assert_allclose(same, standard_errors)


def test_examples_with_the_means_of_blocks():
    """Blocks of examples count as their means do, also where they differ in size."""
    a, b = (rates[0] for rates in losses(n_folds=7))
    folds = np.array([0, 0, 0, 0, 1, 1, 1])
    examples = compare_predictions(
        np.zeros(7), {"a": a, "b": b}, splits=folds, loss="absolute_error"
    )
    result = compare_over_datasets(
        {"x": examples, "y": examples}, scale="log", test=INDEPENDENT
    )
    means = [[x[folds == k].mean() for k in (0, 1)] for x in (a, b)]
    expected = compared(*(np.array([of, of]) for of in means))
    assert_allclose(result.estimates[0], expected[0])
    assert_allclose(result.standard_errors[0], expected[1])
