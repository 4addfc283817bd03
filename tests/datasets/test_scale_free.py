"""Differences of losses without a unit."""

import numpy as np
from numpy.testing import assert_allclose
from scipy import stats

from sklearn_cvtest._datasets._differences import log_ratio_residuals


def value(a, b):
    return np.log(a / b)


def losses(n_samples=None, n_blocks=10, seed=0):
    """Return error rates of two estimators with means 0.2 and 0.3, correlated 0.5."""
    shape = (n_blocks,) if n_samples is None else (n_samples, n_blocks)
    shared, *own = np.random.default_rng(seed).normal(size=(3, *shape))
    return [
        mean + 0.03 * (shared + z) / np.sqrt(2)
        for mean, z in zip((0.2, 0.3), own, strict=True)
    ]


def test_mean_is_the_scale_free_difference():
    a, b = losses()
    assert_allclose(log_ratio_residuals(a, b).mean(), value(a.mean(), b.mean()))


def test_deviations_are_derivatives():
    """What an infinitesimal weight more on a block does to the value."""
    a, b = losses()
    step = 1e-6
    for block in (0, 7):
        weights = np.full(10, (1 - step) / 10) + step * (np.arange(10) == block)
        moved = value(weights @ a, weights @ b) - value(a.mean(), b.mean())
        psi = log_ratio_residuals(a, b)
        assert_allclose(psi[block] - psi.mean(), moved / step, rtol=1e-4, atol=1e-9)


def test_t_test_of_them_holds_its_level():
    psi = log_ratio_residuals(*losses(4000))
    pvalues = stats.ttest_1samp(psi, value(0.2, 0.3), axis=1).pvalue
    low, high = stats.binom.ppf([0.0005, 0.9995], 4000, 0.05)
    assert low <= np.sum(pvalues <= 0.05) <= high


def test_they_have_no_unit():
    a, b = losses()
    assert_allclose(log_ratio_residuals(1e6 * a, 1e6 * b), log_ratio_residuals(a, b))


def test_swapping_changes_the_sign():
    a, b = losses()
    assert_allclose(log_ratio_residuals(b, a), -log_ratio_residuals(a, b))


def test_examples_with_the_means_of_blocks():
    """Block means of ψ are ψ of block means, also where blocks differ in size."""
    a, b = losses(n_blocks=7)
    blocks = [slice(0, 4), slice(4, 7)]
    block_a, block_b = (np.array([x[k].mean() for k in blocks]) for x in (a, b))
    means = block_a.mean(), block_b.mean()
    psi = log_ratio_residuals(a, b, means=means)
    expected = log_ratio_residuals(block_a, block_b)
    assert_allclose([psi[k].mean() for k in blocks], expected)
