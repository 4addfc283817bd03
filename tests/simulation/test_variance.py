"""The moments s1, s2, s3 and the five variance estimates of [GB06] and [BG03]."""

import warnings
from itertools import product

import numpy as np
import pytest
from numpy.testing import assert_allclose
from sklearn.datasets import load_diabetes, load_iris
from sklearn.linear_model import LinearRegression
from sklearn.naive_bayes import GaussianNB

from sklearn_cvtest import (
    BlockKFold,
    CVResiduals,
    RepeatedSubsample,
    cross_val_losses,
)
from sklearn_cvtest.results import Design
from sklearn_cvtest.simulation import variance_estimates

EQUAL = [(2, 2), (3, 3, 3), (5, 5), (4,) * 6]
UNEQUAL = [(2, 3), (1, 2), (4, 3, 3), (1, 5, 2, 2), (7, 6, 6, 6)]


def make_residuals(values, sizes):
    """Return K-fold residuals of blocks of any sizes."""
    sizes = np.array(sizes)
    return CVResiduals(
        values=np.asarray(values, dtype=float),
        row_split=np.repeat(np.arange(len(sizes)), sizes),
        n_train=sizes.sum() - sizes,
        n_test=sizes,
        design=Design("k-fold", len(sizes)),
    )


def naive_moments(values, blocks):
    """[BG03] lemma 3 as it stands, a double loop over all pairs."""
    squares = [e * e for e in values]
    within, between = [], []
    for i, j in product(range(len(values)), repeat=2):
        if i != j:
            pairs = within if blocks[i] == blocks[j] else between
            pairs.append(values[i] * values[j])
    return tuple(sum(p) / len(p) if p else np.nan for p in (squares, within, between))


def naive_estimates(values, sizes):
    """[GB06] table 1 with numbers of pairs for m, as `variance_estimates` says."""
    values, n = np.asarray(values), len(values)
    blocks = np.repeat(np.arange(len(sizes)), sizes)
    mean = sum(values) / n
    s1, s2, s3 = naive_moments(values - mean, blocks)
    n_between = n**2 - sum(m**2 for m in sizes)
    means = [values[blocks == k].mean() for k in range(len(sizes))]
    within = sum((e - means[k]) ** 2 for e, k in zip(values, blocks, strict=True))
    return (
        mean**2,
        s1 / n - (1 / n + n_between / n**2) * s2 + n_between / n**2 * s3,
        sum(m**2 * (mu - mean) ** 2 for m, mu in zip(sizes, means, strict=True))
        / n_between,
        within / (n - len(sizes)) / n,
        sum((e - mean) ** 2 for e in values) / (n * (n - 1)),
    )


def test_variance_estimates_by_hand():
    # e = (1, -1, 3 | 2, 0, 4): n = 6, m = 3, block sums 3 and 6.
    # s1 = (1 + 1 + 9 + 4 + 0 + 16)/6; s2 = ((3² - 11) + (6² - 20))/(6*2);
    # s3 = 2*3*6/(6*3). [GB06] table 1: theta1 = 31/36 + 2*7/36 + 3*2/6,
    # theta2 = 31/36 - 4*7/36 + 1, theta3 = 31/36 + 2*7/36 - 1,
    # theta4 = (31/6 - 7/6)/6, theta5 = 17.5/(6*5)
    estimates = variance_estimates([[1, -1, 3], [2, 0, 4]])
    expected = (9 / 4, 13 / 12, 1 / 4, 2 / 3, 7 / 12)
    assert_allclose(estimates, expected, rtol=1e-14)
    assert estimates._fields == ("theta1", "theta2", "theta3", "theta4", "theta5")


def test_variance_estimate_theta2_may_be_negative():
    # n = 4, s1 = 12.5, s2 = 10, s3 = 6.75: 12.5/4 - 3*10/4 + 2*6.75/4 = -1
    assert_allclose(variance_estimates([[1, 2], [3, 6]]).theta2, -1, rtol=1e-14)


@pytest.mark.parametrize("sizes", EQUAL + UNEQUAL, ids=str)
def test_variance_estimates_equal_a_double_loop(sizes):
    values = np.random.default_rng(1).normal(0.5, size=sum(sizes))
    estimates = variance_estimates(make_residuals(values, sizes))
    assert_allclose(estimates, naive_estimates(values, sizes), rtol=1e-11)


@pytest.mark.parametrize(("n_blocks", "m"), [(2, 2), (3, 5), (10, 4), (7, 13)])
def test_variance_estimates_are_the_combinations_of_moments(n_blocks, m):
    e = np.random.default_rng(2).normal(0.5, size=(n_blocks, m))
    n = e.size
    s1, s2, s3 = naive_moments(e.ravel(), np.repeat(np.arange(n_blocks), m))
    expected = (
        s1 / n + (m - 1) * s2 / n + (n - m) * s3 / n,
        s1 / n - (n + 1 - m) * s2 / n + (n - m) * s3 / n,
        s1 / n + (m - 1) * s2 / n - m * s3 / n,
        (s1 - s2) / n,
        s1 / n - (m - 1) * s2 / (n * (n - 1)) - (n - m) * s3 / (n * (n - 1)),
    )
    assert_allclose(variance_estimates(e), expected, rtol=1e-10)


@pytest.mark.parametrize(("n_blocks", "m"), [(2, 3), (10, 7)])
def test_variance_estimates_equal_their_forms_in_means(n_blocks, m):
    e = np.random.default_rng(3).normal(0.5, size=(n_blocks, m))
    estimates = variance_estimates(e)
    assert_allclose(estimates.theta1, e.mean() ** 2, rtol=1e-13)
    assert_allclose(estimates.theta3, e.mean(axis=1).var(ddof=1) / n_blocks, rtol=1e-13)
    assert_allclose(estimates.theta4, e.var(axis=1, ddof=1).mean() / e.size, rtol=1e-13)
    assert_allclose(estimates.theta5, e.var(ddof=1) / e.size, rtol=1e-13)


def test_variance_estimates_of_losses_equal_those_of_an_array():
    X, y = load_diabetes(return_X_y=True)
    cv = BlockKFold(4, random_state=0)
    losses = cross_val_losses(LinearRegression(), X[:100], y[:100], cv=cv)
    residuals = losses.residuals(0)
    expected = variance_estimates(residuals.values.reshape(4, 25))
    assert_allclose(variance_estimates(residuals), expected, rtol=1e-12)


@pytest.mark.parametrize("sizes", [(4,) * 5, (4, 3, 3), (1,) * 8], ids=str)
def test_variance_estimates_do_not_move_with_a_large_constant(sizes):
    values = np.random.default_rng(4).normal(size=sum(sizes))
    near = variance_estimates(make_residuals(values, sizes))
    far = variance_estimates(make_residuals(values + 1e8, sizes))
    assert_allclose(far[1:], near[1:], rtol=1e-6)


@pytest.mark.parametrize("scale", [2.0**-200, 2.0**200])
def test_variance_estimates_scale_with_the_square(scale):
    e = np.random.default_rng(5).normal(size=(4, 3))
    expected = scale**2 * np.array(variance_estimates(e))
    assert_allclose(variance_estimates(scale * e), expected, rtol=1e-12)


def test_variance_estimates_do_not_depend_on_the_order():
    rng = np.random.default_rng(6)
    e = rng.normal(size=(5, 4))
    shuffled = rng.permuted(rng.permutation(e), axis=1)
    expected = variance_estimates(e)
    assert_allclose(variance_estimates(shuffled), expected, rtol=1e-12)


def test_variance_estimates_of_constant_residuals_are_zero():
    estimates = variance_estimates(np.full((3, 4), 0.1))
    assert_allclose(estimates.theta1, 0.01, rtol=1e-14)
    assert_allclose(estimates[1:], 0, atol=1e-30)


def test_leave_one_out_leaves_theta2_and_theta4_undefined():
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        estimates = variance_estimates([[1.0], [2.0], [6.0]])
    # mean 3, squared deviations 4 + 1 + 9
    expected = (9, np.nan, 14 / 6, np.nan, 14 / 6)
    assert_allclose(estimates, expected, rtol=1e-14)


def covariance(n_blocks, m, sigma2, omega, gamma):
    same_block = np.kron(np.eye(n_blocks), np.ones((m, m)))
    within, n = same_block - np.eye(n_blocks * m), n_blocks * m
    return sigma2 * np.eye(n) + omega * within + gamma * (1 - same_block)


def published_bias(n_blocks, m, omega, gamma, mean):
    """Last column of [GB06] table 1, and that of theta5, section 3.5."""
    n = n_blocks * m
    return np.array(
        [
            mean**2,
            -omega,
            -gamma,
            -(m * omega + (n - m) * gamma) / n,
            -((m - 1) * omega + (n - m) * gamma) / (n - 1),
        ]
    )


STRUCTURES = [
    (1.0, 0.0, 0.0),
    (1.0, 0.3, 0.1),
    (2.0, 0.5, 0.5),
    (1.0, 0.0, -0.05),
    (1.0, -0.1, 0.02),
]


@pytest.mark.parametrize(("n_blocks", "m"), [(2, 3), (3, 4), (5, 2)])
@pytest.mark.parametrize("structure", STRUCTURES, ids=str)
def test_variance_estimates_have_the_published_bias(n_blocks, m, structure):
    # The estimates are quadratic forms e'We, so E = tr(W Σ) + E[e]'W E[e] is the
    # sum of their values at the columns of a root of Σ and at the mean.
    sigma2, omega, gamma = structure
    Sigma = covariance(n_blocks, m, sigma2, omega, gamma)
    points = [*np.linalg.cholesky(Sigma).T, np.full(n_blocks * m, 0.5)]
    values = [variance_estimates(e.reshape(n_blocks, m)) for e in points]
    bias = np.sum(values, axis=0) - Sigma.mean()
    expected = published_bias(n_blocks, m, omega, gamma, 0.5)
    assert_allclose(bias, expected, atol=1e-13)


@pytest.mark.parametrize("structure", STRUCTURES[:3], ids=str)
def test_variance_estimates_have_the_published_bias_in_simulation(structure):
    n_blocks, m, mean, n_draws = 3, 4, 0.5, 40_000
    Sigma = covariance(n_blocks, m, *structure)
    rng = np.random.default_rng(7)
    e = rng.normal(size=(n_draws, n_blocks * m)) @ np.linalg.cholesky(Sigma).T + mean
    estimates = np.array(variance_estimates(make_residuals(e, (m,) * n_blocks)))
    one = variance_estimates(e[0].reshape(n_blocks, m))
    assert_allclose(estimates[:, 0], one, rtol=1e-12)
    bias = estimates.mean(axis=1) - Sigma.mean()
    error = estimates.std(axis=1) / np.sqrt(n_draws)
    expected = published_bias(n_blocks, m, *structure[1:], mean)
    assert np.all(np.abs(bias - expected) < 4 * error)


@pytest.mark.parametrize("sizes", UNEQUAL[2:], ids=str)
def test_variance_estimates_of_unequal_blocks_are_unbiased_if_uncorrelated(sizes):
    values = [
        variance_estimates(make_residuals(e, sizes))[1:] for e in np.eye(sum(sizes))
    ]
    assert_allclose(np.sum(values, axis=0), 1 / sum(sizes), rtol=1e-12)


def subsample():
    return CVResiduals.from_array(np.eye(3), design="subsample")


def one_value_a_split():
    return CVResiduals.from_array(np.arange(3.0))


@pytest.mark.parametrize(
    ("make", "message"),
    [(subsample, "K-fold"), (one_value_a_split, "a value for each example")],
)
def test_variance_needs_residuals_of_a_k_fold_per_example(make, message):
    with pytest.raises(ValueError, match=message):
        variance_estimates(make())


def test_variance_estimates_refuses_other_designs():
    cv = RepeatedSubsample(3, random_state=0)
    losses = cross_val_losses(GaussianNB(), *load_iris(return_X_y=True), cv=cv)
    with pytest.raises(ValueError, match="3 subsamples"):
        variance_estimates(losses.residuals(0))
