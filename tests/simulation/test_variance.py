"""The moments s1, s2, s3 and the five variance estimates of [GB06] and [BG03]."""

import warnings
from itertools import combinations, product

import numpy as np
import pytest
from numpy.testing import assert_allclose
from scipy import stats
from sklearn.datasets import load_diabetes, load_iris
from sklearn.linear_model import LinearRegression
from sklearn.naive_bayes import GaussianNB

from sklearn_cvtest import (
    BlockKFold,
    CVResiduals,
    RepeatedSubsample,
    cross_val_losses,
)
from sklearn_cvtest._data import _moments
from sklearn_cvtest._data._moments import l_skewness, variances_from_blocks
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
        n_samples=int(sizes.sum()),
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


def test_moments_by_hand():
    # e = (1, -1, 3 | 2, 0, 4): n = 6, m = 3, block sums 3 and 6.
    # s1 = (1 + 1 + 9 + 4 + 0 + 16)/6; s2 = ((3² - 11) + (6² - 20))/(6*2);
    # s3 = 2*3*6/(6*3)
    residuals = CVResiduals.from_array([[1, -1, 3], [2, 0, 4]])
    assert_allclose(residuals.moments, (31 / 6, 14 / 12, 2), rtol=1e-15)


def test_variance_estimates_by_hand():
    # With the moments above, [GB06] table 1: theta1 = 31/36 + 2*7/36 + 3*2/6,
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
def test_moments_equal_a_double_loop(sizes):
    values = np.random.default_rng(0).normal(0.5, size=sum(sizes))
    blocks = np.repeat(np.arange(len(sizes)), sizes)
    moments = make_residuals(values, sizes).moments
    assert_allclose(moments, naive_moments(values, blocks), rtol=1e-12)


@pytest.mark.parametrize("sizes", EQUAL + UNEQUAL, ids=str)
def test_variance_estimates_equal_a_double_loop(sizes):
    values = np.random.default_rng(1).normal(0.5, size=sum(sizes))
    estimates = variance_estimates(make_residuals(values, sizes))
    assert_allclose(estimates, naive_estimates(values, sizes), rtol=1e-11)


@pytest.mark.parametrize(("n_blocks", "m"), [(2, 2), (3, 5), (10, 4), (7, 13)])
def test_variance_estimates_are_the_combinations_of_moments(n_blocks, m):
    e = np.random.default_rng(2).normal(0.5, size=(n_blocks, m))
    n = e.size
    s1, s2, s3 = CVResiduals.from_array(e).moments
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
        moments = CVResiduals.from_array([[1.0], [2.0], [6.0]]).moments
    # mean 3, squared deviations 4 + 1 + 9; s3 = 2*(1*2 + 1*6 + 2*6)/6
    expected = (9, np.nan, 14 / 6, np.nan, 14 / 6)
    assert_allclose(estimates, expected, rtol=1e-14)
    assert_allclose(moments, (41 / 3, np.nan, 20 / 3), rtol=1e-14)


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
    e = e.reshape(n_draws, n_blocks, m)
    within = np.sum((e - e.mean(axis=2, keepdims=True)) ** 2, axis=(1, 2))
    sizes = np.full(n_blocks, m)
    estimates = np.array(variances_from_blocks(e.mean(axis=2), within, sizes))
    assert_allclose(estimates[:, 0], variance_estimates(e[0]), rtol=1e-12)
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


@pytest.mark.parametrize("scale", [1e-300, 1e300])
def test_variance_estimates_of_extreme_residuals_are_never_nan(scale):
    e = scale * np.random.default_rng(8).normal(size=(3, 4))
    with np.errstate(over="ignore"):
        assert not np.isnan(variance_estimates(e)).any()


def subsample():
    return CVResiduals.from_array(np.eye(3), design="subsample")


def one_value_a_split():
    return CVResiduals.from_array(np.arange(3.0))


@pytest.mark.parametrize(
    ("make", "message"),
    [(subsample, "Use BlockKFold"), (one_value_a_split, "one residual per example")],
)
def test_variance_needs_residuals_of_a_k_fold_per_example(make, message):
    with pytest.raises(ValueError, match=message):
        variance_estimates(make())
    with pytest.raises(ValueError, match=message):
        _ = make().moments


def test_variance_estimates_refuses_other_designs():
    cv = RepeatedSubsample(3, random_state=0)
    losses = cross_val_losses(GaussianNB(), *load_iris(return_X_y=True), cv=cv)
    with pytest.raises(ValueError, match="3 subsamples"):
        variance_estimates(losses.residuals(0))


@pytest.mark.parametrize("chunk", [1, 7, 10**6])
@pytest.mark.parametrize("offset", [0.0, 1e8])
def test_block_moments_are_scipys(chunk, offset, monkeypatch):
    monkeypatch.setattr(_moments, "CHUNK", chunk)
    sizes = np.array([5, 1, 30, 2, 12])
    row_split = np.repeat(np.arange(5), sizes)
    e = np.random.default_rng(0).gamma(1.0, size=50) + offset
    e = (e - offset) + offset  # what it is after rounding
    found = _moments.block_moments(e, row_split, np.abs(e).max(axis=-1))
    exact = (e - offset) / found.scale
    rtol = 1e-11 if not offset else 1e-6
    for block, size in enumerate(sizes):
        mine = exact[row_split == block]
        assert_allclose(
            found.shift + found.means[block] - offset / found.scale,
            mine.mean(),
            rtol=rtol,
        )
        assert_allclose(
            found.squares[block] / size, stats.moment(mine, 2), rtol=rtol, atol=0
        )
        assert_allclose(
            found.cubes[block] / size,
            stats.moment(mine, 3),
            rtol=1e-3 if offset else 1e-9,
            atol=1e-30,
        )
    assert found.sizes.tolist() == sizes.tolist()
    assert_allclose(found.total_squares / 50, stats.moment(exact, 2), rtol=rtol)
    assert_allclose(found.total_cubes / 50, stats.moment(exact, 3), rtol=rtol)
    assert_allclose(found.scale * found.mean, e.mean(), rtol=1e-14)


# L-skewness -----------------------------------------------------------------------


def test_l_skewness_is_that_of_all_triples():
    # l3/l2: means of x(3) - 2 x(2) + x(1), over x(2) - x(1)
    x = np.sort(np.random.default_rng(0).standard_t(2, size=25))
    third = np.mean(np.array(list(combinations(x, 3))) @ [1, -2, 1]) / 3
    second = np.mean(np.diff(list(combinations(x, 2)))) / 2
    assert l_skewness(x) == pytest.approx(third / second)


@pytest.mark.parametrize("values", [[1.0, 1.0, 1.0], [1.0, 2.0], [5.0]])
def test_l_skewness_of_nothing_to_tell_is_zero(values):
    assert l_skewness(np.array(values)) == 0


def test_l_skewness_has_no_unit():
    x = np.random.default_rng(0).exponential(size=1000)
    assert l_skewness(x) == pytest.approx(1 / 3, abs=0.05)  # of the exponential
    assert_allclose(l_skewness(1e300 * x), l_skewness(x))
