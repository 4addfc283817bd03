"""Differences of losses without a unit."""

import numpy as np
import pytest
from numpy.testing import assert_allclose
from scipy import stats

from sklearn_cvtest._datasets._differences import (
    log_ratio_residuals,
    logit_residuals,
    relative_residuals,
)

FUNCTIONS = [relative_residuals, log_ratio_residuals, logit_residuals]
VALUES = [
    lambda a, b: (a - b) / b,
    lambda a, b: np.log(a / b),
    lambda a, b: np.log(a / (1 - a)) - np.log(b / (1 - b)),
]
PAIRS = list(zip(FUNCTIONS, VALUES, strict=True))
each = pytest.mark.parametrize(("function", "value"), PAIRS)


def losses(n_samples=None, n_blocks=10, seed=0):
    """Return error rates of two estimators with means 0.2 and 0.3, correlated 0.5."""
    shape = (n_blocks,) if n_samples is None else (n_samples, n_blocks)
    shared, *own = np.random.default_rng(seed).normal(size=(3, *shape))
    return [
        mean + 0.03 * (shared + z) / np.sqrt(2)
        for mean, z in zip((0.2, 0.3), own, strict=True)
    ]


@each
def test_mean_is_the_scale_free_difference(function, value):
    a, b = losses()
    assert_allclose(function(a, b).mean(), value(a.mean(), b.mean()))


@each
def test_deviations_are_derivatives(function, value):
    """What an infinitesimal weight more on a block does to the value."""
    a, b = losses()
    step = 1e-6
    for block in (0, 7):
        weights = np.full(10, (1 - step) / 10) + step * (np.arange(10) == block)
        moved = value(weights @ a, weights @ b) - value(a.mean(), b.mean())
        psi = function(a, b)
        assert_allclose(psi[block] - psi.mean(), moved / step, rtol=1e-4, atol=1e-9)


@each
def test_t_test_of_them_holds_its_level(function, value):
    psi = function(*losses(4000))
    pvalues = stats.ttest_1samp(psi, value(0.2, 0.3), axis=1).pvalue
    low, high = stats.binom.ppf([0.0005, 0.9995], 4000, 0.05)
    assert low <= np.sum(pvalues <= 0.05) <= high


@pytest.mark.parametrize("function", FUNCTIONS[:2])
def test_they_have_no_unit(function):
    a, b = losses()
    assert_allclose(function(1e6 * a, 1e6 * b), function(a, b))


@pytest.mark.parametrize("function", FUNCTIONS[1:])
def test_swapping_changes_the_sign(function):
    a, b = losses()
    assert_allclose(function(b, a), -function(a, b))


def test_relative_to_a_third_estimator_by_hand():
    psi = relative_residuals([3.0, 5.0], [2.0, 2.0], [6.0, 2.0])
    # r = (4 - 2)/4 = 1/2; (a - b - r c)/4 = (1 - 3)/4, (3 - 1)/4
    assert_allclose(psi, [0, 1])


def test_examples_with_the_means_of_blocks():
    """Block means of ψ are ψ of block means, also where blocks differ in size."""
    a, b = losses(n_blocks=7)
    blocks = [slice(0, 4), slice(4, 7)]
    block_a, block_b = (np.array([x[k].mean() for k in blocks]) for x in (a, b))
    means = block_a.mean(), block_b.mean()
    psi = log_ratio_residuals(a, b, means=means)
    expected = log_ratio_residuals(block_a, block_b)
    assert_allclose([psi[k].mean() for k in blocks], expected)


def test_rates_of_zero_have_a_logit_with_the_number_of_examples():
    psi = logit_residuals([0.0, 0.0], [0.1, 0.3], n_examples=10)
    assert_allclose(psi.mean(), np.log(0.5 / 10.5) - np.log(2.5 / 8.5))
    assert_allclose(psi[1] - psi[0], -0.2 * 10 / 11 / (2.5 * 8.5 / 121))


@pytest.mark.parametrize(
    ("function", "message"),
    [
        (relative_residuals, "`baseline` must be losses with a mean above 0; got 0.0"),
        (log_ratio_residuals, "`second` must be losses with a mean above 0"),
        (logit_residuals, r"`second` must be error rates with a mean in \(0, 1\)"),
    ],
)
def test_refuses_a_loss_of_zero(function, message):
    with pytest.raises(ValueError, match=message):
        function([0.5, 0.1], [0.0, 0.0])
