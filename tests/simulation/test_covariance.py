import numpy as np
import pytest
from numpy.testing import assert_allclose

from sklearn_cvtest.simulation import CovarianceStructure

SIGMA2, OMEGA, GAMMA, N, K = 2.0, 0.5, 0.3, 12, 3
STRUCTURE = CovarianceStructure(SIGMA2, OMEGA, GAMMA, N, K)


# n = 12, K = 3, m = 4: theta = (2 + 3 * 0.5 + 8 * 0.3)/12 = 5.9/12
def test_theta_and_rho_by_hand():
    assert_allclose(STRUCTURE.theta, 5.9 / 12)
    assert_allclose(STRUCTURE.rho, 0.3 / (5.9 / 12))


def test_theta_is_the_mean_of_the_matrix():
    assert_allclose(STRUCTURE.matrix().mean(), STRUCTURE.theta)


def test_matrix_entry_by_entry():
    matrix = STRUCTURE.matrix()
    for i in range(N):
        for j in range(N):
            same_block = i // 4 == j // 4
            expected = SIGMA2 if i == j else OMEGA if same_block else GAMMA
            assert matrix[i, j] == expected


def test_eigenvalues_are_those_of_the_matrix():
    repeated = np.repeat(STRUCTURE.eigenvalues, (N - K, K - 1, 1))
    expected = np.linalg.eigvalsh(STRUCTURE.matrix())
    assert_allclose(np.sort(repeated), expected, rtol=1e-10)


# By hand: 2 - 0.5; 2 + 1.5 - 4 * 0.3; 2 + 1.5 + 8 * 0.3
def test_eigenvalues_by_hand():
    assert_allclose(STRUCTURE.eigenvalues, (1.5, 2.3, 5.9))


@pytest.mark.parametrize(
    ("omega", "gamma"),
    [(0.0, 0.0), (SIGMA2, SIGMA2), (OMEGA, 3.5 / 4), (OMEGA, -3.5 / 8)],
)
def test_bounds_themselves_are_admissible(omega, gamma):
    structure = CovarianceStructure(SIGMA2, omega, gamma, N, K)
    assert structure.check_admissible() is structure
    assert min(structure.eigenvalues) > -1e-12


@pytest.mark.parametrize(
    ("omega", "gamma", "name"),
    [
        (-0.01, 0.0, "omega"),
        (SIGMA2 + 0.01, 0.0, "omega"),
        (OMEGA, 3.5 / 4 + 0.01, "gamma"),
        (OMEGA, -3.5 / 8 - 0.01, "gamma"),
    ],
)
def test_beyond_the_bounds_is_not_admissible(omega, gamma, name):
    with pytest.raises(ValueError, match=rf"^`{name}` must be in .+; got "):
        CovarianceStructure(SIGMA2, omega, gamma, N, K).check_admissible()


def test_leave_one_out_has_no_omega():
    structure = CovarianceStructure(1.0, 0.0, 0.1, 5, 5).check_admissible()
    assert_allclose(structure.theta, (1 + 4 * 0.1) / 5)


def test_rho_of_no_variance_is_zero():
    assert CovarianceStructure(0.0, 0.0, 0.0, 4, 2).rho == 0


def gaussian_replications(n_replications, mean, seed):
    rng = np.random.default_rng(seed)
    root = np.linalg.cholesky(STRUCTURE.matrix())
    e = mean + rng.normal(size=(n_replications, N)) @ root.T
    return e.reshape(n_replications, K, N // K)


@pytest.mark.parametrize("mean", [0.0, 5.0, 1e6])
def test_from_replications_recovers_the_structure(mean):
    found = CovarianceStructure.from_replications(
        gaussian_replications(40_000, mean, 0)
    )
    for name in ("sigma2", "omega", "gamma", "theta"):
        assert_allclose(getattr(found, name), getattr(STRUCTURE, name), atol=0.02)
    assert (found.n_samples, found.n_splits) == (N, K)


# With 2 replications the estimates are noisy, but their mean over many pairs is right:
# an estimate that took the sample mean for the true one would be off by theta/2.
@pytest.mark.full
def test_from_replications_is_unbiased_for_few():
    e = gaussian_replications(40_000, 3.0, 1)
    found = [
        CovarianceStructure.from_replications(pair) for pair in np.split(e, 20_000)
    ]
    estimates = np.array([[one.omega, one.gamma] for one in found])
    errors = estimates.std(axis=0) / np.sqrt(len(found))
    assert np.all(np.abs(estimates.mean(axis=0) - [OMEGA, GAMMA]) < 4 * errors)


def test_from_replications_is_a_naive_loop():
    e = np.random.default_rng(2).normal(size=(4, 3, 2))
    found = CovarianceStructure.from_replications(e)
    flat, block = e.reshape(4, 6), np.arange(6) // 2
    moments = {"sigma2": [], "omega": [], "gamma": []}
    for row in flat:
        for i in range(6):
            for j in range(6):
                kind = "sigma2" if i == j else "gamma"
                kind = "omega" if i != j and block[i] == block[j] else kind
                moments[kind].append(row[i] * row[j])
    across = [
        flat[r].mean() * flat[s].mean() for r in range(4) for s in range(4) if r != s
    ]
    for kind, products in moments.items():
        assert_allclose(getattr(found, kind), np.mean(products) - np.mean(across))
