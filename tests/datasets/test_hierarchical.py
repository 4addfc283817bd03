"""The hierarchical model and the signed-rank test over data sets."""

import baycomp
import numpy as np
import pytest
from numpy.testing import assert_allclose
from scipy import special, stats

from sklearn_cvtest._datasets._hierarchical import (
    HierarchicalPosterior,
    _DataSets,
    _gamma_tail,
    _log_prior,
    _log_t_constant,
    next_dataset_probabilities,
    sample_hierarchical,
    signed_rank_probabilities,
)


def differences(n_datasets, n_splits, tau=0.5, seed=0):
    """Return differences of splits that have a correlation of 0.1."""
    rng = np.random.default_rng(seed)
    truth = 0.2 + tau * rng.normal(size=(n_datasets, 1))
    scale = np.exp(0.7 * rng.normal(size=(n_datasets, 1)))
    shared = rng.normal(size=(n_datasets, 1))
    own = rng.normal(size=(n_datasets, n_splits))
    return truth + scale * (np.sqrt(0.1) * shared + np.sqrt(0.9) * own)


def sample(x, correlation=0.1, **options):
    means = x.mean(axis=1)
    squares = np.sum((x - means[:, np.newaxis]) ** 2, axis=1)
    options = {
        "random_state": 0,
        "n_chains": 32,
        "n_draws": 200,
        "n_burn": 50,
    } | options
    return sample_hierarchical(means, squares, x.shape[1], correlation, **options)


def by_integration(x, correlation, rope):
    """Return the three probabilities by sums over grids of δ, δ0, σ0 and ν."""
    n_splits, means = x.shape[1], x.mean(axis=1)
    squares = np.sum((x - means[:, np.newaxis]) ** 2, axis=1)
    deviation = np.sqrt(squares / n_splits).mean()
    delta = means.mean() + 0.02 * deviation * np.sinh(np.linspace(-8, 8, 321))
    width = np.gradient(delta)
    along = 1 + (n_splits - 1) * correlation
    a = squares[:, np.newaxis] / (1 - correlation)
    a = a + n_splits / along * (means[:, np.newaxis] - delta) ** 2
    # ∫ σ^-J exp(-a/2σ²) dσ up to the bound
    shape, bound = (n_splits - 1) / 2, 1000 * deviation
    likelihood = a**-shape * special.gammaincc(shape, a / (2 * bound**2))
    likelihood *= width / likelihood.max(axis=1, keepdims=True)
    delta0 = np.linspace(-1, 1, 61) * np.abs(x).max()
    sigma0 = np.geomspace(1e-2 * deviation, 1000 * means.std(), 45)
    excess = np.geomspace(0.02, 1000, 14)
    alpha = np.linspace(1, 2, 30)[:, np.newaxis]
    beta = np.linspace(0.01, 0.1, 30)[:, np.newaxis, np.newaxis]
    prior = stats.gamma.pdf(excess, alpha, scale=1 / beta).mean(axis=(0, 1)) * excess
    z = (delta0[:, np.newaxis] - delta) ** 2
    total = np.zeros(3)
    for scale in sigma0:
        for nu, weight in zip(1 + excess, prior, strict=True):
            kernel = stats.t.pdf(0, nu) / scale
            kernel = kernel * (1 + z / (nu * scale**2)) ** (-(nu + 1) / 2)
            if scale < 0.2 * deviation:  # narrow against the grid
                kernel /= (kernel * width).sum(axis=1, keepdims=True)
            mass = np.prod(likelihood @ kernel.T, axis=0) * scale * weight
            bounds = (np.array([[-rope], [rope]]) - delta0) / scale
            less, not_greater = stats.t.cdf(bounds, nu)
            for k, share in enumerate((less, not_greater - less, 1 - not_greater)):
                total[k] += np.sum(mass * share)
    return total / total.sum()


def test_next_data_set_by_integration():
    x = differences(3, 5)
    draws = next_dataset_probabilities(sample(x, 0.2, n_draws=600), 0.2)
    assert_allclose(draws.mean(axis=(0, 1)), by_integration(x, 0.2, 0.2), atol=0.012)


def test_chains_agree_on_fifty_data_sets():
    """Also where τ is zero, so that the scale of the differences is hard to sample."""
    posterior = sample(differences(50, 10, tau=0.0))
    draws = next_dataset_probabilities(posterior, 0.1)
    error = draws.mean(axis=1).std(axis=0) / 32**0.5  # of the mean of chains
    assert error.max() < 0.005
    log_scale = np.log(posterior.sigma0)
    between, within = log_scale.mean(axis=1).var(), log_scale.var(axis=1).mean()
    assert between / within < 0.1


def test_differences_borrow_strength():
    """An estimate of a poor data set moves towards the others, a good one does not."""
    x = differences(10, 10, tau=0.05)
    x[0] = 3 + 5 * np.linspace(-1, 1, 10)
    x[1] = 3 + 0.01 * np.linspace(-1, 1, 10)
    posterior = sample(x)
    assert posterior.means[0] < 2
    assert_allclose(posterior.means[1], 3, atol=0.02)


def test_one_seed_gives_one_sample():
    x = differences(4, 5)
    first, second = (sample(x, n_draws=5, n_burn=0) for _ in range(2))
    assert_allclose(first.delta0, second.delta0, rtol=0)


def test_units_and_signs():
    x = differences(6, 8)
    first, scaled = sample(x, n_draws=5), sample(1e-9 * x, n_draws=5)
    assert_allclose(scaled.sigma0, 1e-9 * first.sigma0, rtol=1e-6)
    plain = next_dataset_probabilities(sample(x), 0.2)
    swapped = next_dataset_probabilities(sample(-x), 0.2)[..., ::-1]
    assert_allclose(swapped.mean(axis=(0, 1)), plain.mean(axis=(0, 1)), atol=0.02)


def test_equal_splits_of_a_data_set_are_no_difference_known_well():
    """Its splits are taken to differ as those of the others do."""
    x = differences(5, 5)
    x[2] = 0.3
    others = np.delete(x, 2, axis=0).std(axis=1).mean()
    y = x.copy()
    y[2] = 0.3 + others * (np.arange(x.shape[1]) - (x.shape[1] - 1) / 2) / np.std(
        np.arange(x.shape[1])
    )
    found, expected = sample(x), sample(y)
    assert_allclose(found.means, expected.means, atol=1e-9)
    assert found.deviations[2] > 0.5 * np.median(found.deviations)


@pytest.mark.parametrize("means", [(0.1, 0.3, 0.5), (1e6, 1e6 + 1e-3), (0, 1e-21)])
@pytest.mark.parametrize("squares", [0.0, 1e-16, 1.0])
def test_splits_that_all_agree_leave_no_nan(means, squares):
    posterior = sample_hierarchical(
        means, [squares, *[0.0] * (len(means) - 1)], 10, 0.1, random_state=0
    )
    assert all(np.isfinite(part).all() for part in posterior)
    tolerance = 0.05 * np.ptp(means) + np.sqrt(squares / 10)
    assert_allclose(posterior.means, means, atol=tolerance)


@pytest.mark.parametrize(("shape", "bound"), [(0.5, 3.0), (1.0, 30.0), (4.5, 20.0)])
def test_gamma_tail_is_that_of_the_distribution(shape, bound):
    rng = np.random.RandomState(0)
    draws = _gamma_tail(rng, np.full(5000, shape), np.full(5000, bound))
    tail = special.gammaincc(shape, draws) / special.gammaincc(shape, bound)
    assert stats.kstest(tail, "uniform").pvalue > 1e-3


@pytest.mark.parametrize(
    ("x", "message"),
    [
        (np.ones((1, 5)), "at least two data sets"),
        (np.ones((3, 5)), "not all zero if all means are equal"),
        (np.ones((3, 1)), "`n_splits` must be integers >= 2"),
    ],
)
def test_refuses_what_says_nothing(x, message):
    with pytest.raises(ValueError, match=message):
        sample(x)


@pytest.mark.parametrize("rope", [0.0, 0.01, 0.3])
@pytest.mark.parametrize("seed", [0, 1])
def test_signed_rank_is_that_of_baycomp(rope, seed):
    rng = np.random.default_rng(seed)
    first, second = rng.normal(size=(2, 12)).round(1)
    ours = signed_rank_probabilities(
        second - first, rope, n_draws=2000, random_state=seed
    )
    theirs = baycomp.SignedRankTest.sample(
        first, second, rope, nsamples=2000, random_state=seed
    )
    assert_allclose(ours, theirs, atol=1e-12)


def test_a_difference_without_spread_is_a_point():
    centres, unused = np.array([0.0, 0.2, 0.05]), np.empty(0)
    point = HierarchicalPosterior(centres, np.zeros(3), np.full(3, 9.0), unused, unused)
    expected = [[0, 1, 0], [0, 0, 1], [0, 1, 0]]
    assert_allclose(next_dataset_probabilities(point, 0.1), expected)
    assert_allclose(next_dataset_probabilities(point)[0], [0, 1, 0])


@pytest.mark.parametrize("correlation", [-0.1, 1.0])
def test_correlations_are_at_least_zero_and_below_one(correlation):
    with pytest.raises(ValueError, match=r"`correlations` must be in \[0, 1\)"):
        sample(differences(2, 3), correlation)


def test_prior_of_the_degrees_of_freedom():
    """ν - 1 ~ Gamma(α, β), averaged over α in [1, 2] and β in [0.01, 0.1]."""
    nu = 1 + np.geomspace(0.02, 1000, 48)
    alpha, beta = np.meshgrid(np.linspace(1, 2, 41), np.linspace(0.01, 0.1, 41))
    density = stats.gamma.pdf((nu - 1)[:, None, None], alpha, scale=1 / beta)
    expected = np.log(density.mean(axis=(1, 2)) * np.gradient(nu))
    assert_allclose(_log_prior(nu), expected, rtol=1e-10)
    at_zero = stats.t.logpdf(0, nu) + np.log(np.pi) / 2
    assert_allclose(_log_t_constant(nu), at_zero, atol=1e-10)


def test_units_in_which_the_model_works():
    # deviations √(90/10) = 3 and √(10/10) = 1: the unit is 2. A mean of 10 splits with
    # a correlation of 0.1 is worth 10/(1 + 9 0.1) independent ones
    data = _DataSets([4.0, 0.0], [90.0, 10.0], 10, 0.1)
    assert data.scale == 2
    assert_allclose(data.means, [2, 0])
    assert_allclose(data.spread, np.array([90, 10]) / 4 / 0.9)
    assert_allclose(data.n_effective, 10 / 1.9)
    assert (data.upper, data.upper0) == (1000, 1000)
    assert data.bound == 2 + 1.5 * 3
