"""covariance_curve: against the raw residuals, and its standard errors."""

import numpy as np
import pytest
from sklearn.dummy import DummyRegressor
from sklearn.linear_model import LinearRegression, Ridge

from sklearn_cvtest import BlockKFold, cross_val_losses
from sklearn_cvtest.simulation import (
    CovarianceStructure,
    GaussianLinearPopulation,
    covariance_curve,
    replicate_losses,
)

POPULATION = GaussianLinearPopulation(3)


def curve(estimators=None, population=POPULATION, **options):
    options = {
        "n_samples": [12, 24],
        "n_splits": 4,
        "n_replications": 30,
        "random_state": 0,
        **options,
    }
    return covariance_curve(estimators or LinearRegression(), population, **options)


class Recording(GaussianLinearPopulation):
    def __init__(self):
        super().__init__(3)
        self.drawn = []

    def sample(self, n_samples, rng):
        self.drawn.append(super().sample(n_samples, rng))
        return self.drawn[-1]


@pytest.mark.parametrize("estimators", [DummyRegressor(), [DummyRegressor(), Ridge()]])
def test_points_are_the_structures_of_the_residuals(estimators):
    # leave-one-out, whose splits are the same however they are shuffled
    population = Recording()
    found = curve(estimators, population, n_samples=8, n_splits=8)
    second = 1 if isinstance(estimators, list) else None
    e = [
        cross_val_losses(estimators, X, y, cv=BlockKFold(8, shuffle=False))
        .residuals(0, second)
        .values
        for X, y in population.drawn
    ]
    expected = CovarianceStructure.from_replications(np.array(e)[:, :, np.newaxis])
    for name in ("sigma2", "omega", "gamma"):
        assert getattr(found.structures[0], name) == pytest.approx(
            getattr(expected, name), rel=1e-9
        )


def test_points_are_those_of_replicated_losses():
    found = curve()
    for point, n in enumerate([12, 24]):
        samples = replicate_losses(
            LinearRegression(),
            POPULATION,
            n_samples=n,
            cv=BlockKFold(4),
            n_replications=30,
            random_state=0,
        )
        e = np.array([losses.values.reshape(4, -1) for losses in samples])
        assert found.structures[point] == CovarianceStructure.from_replications(e)
    assert found.n_samples.tolist() == [12, 24]
    assert found.n_splits.tolist() == [4, 4]
    assert found.n_replications == 30


def test_contributions_add_up_to_the_variance_of_the_mean():
    found = curve(n_samples=24, n_splits=[2, 4, 24])
    assert found.n_splits.tolist() == [2, 4, 24]
    theta = [structure.theta for structure in found.structures]
    np.testing.assert_allclose(found.contributions.sum(axis=1), theta)
    for structure, parts in zip(found.structures, found.contributions, strict=True):
        n, m = 24, structure.block_size
        assert parts[0] == structure.sigma2 / n
        assert parts[1] == pytest.approx((m - 1) * structure.omega / n)
        assert parts[2] == pytest.approx((n - m) * structure.gamma / n)


@pytest.mark.full
def test_variance_of_the_mean_is_that_over_samples():
    found = curve(n_samples=24, n_replications=100)
    samples = replicate_losses(
        LinearRegression(),
        POPULATION,
        n_samples=24,
        cv=BlockKFold(4),
        n_replications=100,
        random_state=0,
    )
    estimates = [losses.mean_losses[0] for losses in samples]
    theta = found.structures[0].theta
    assert theta == pytest.approx(np.var(estimates, ddof=1), rel=1e-9)


@pytest.mark.full
def test_standard_errors_are_the_spread_over_seeds():
    several = [
        curve(DummyRegressor(), n_samples=4, n_replications=30, random_state=seed)
        for seed in range(60)
    ]
    spread = np.std([one.contributions[0] for one in several], axis=0)
    claimed = np.mean([one.standard_errors[0] for one in several], axis=0)
    # a standard deviation of 60 heavy-tailed values is known to some 15%
    np.testing.assert_allclose(claimed[[0, 2]], spread[[0, 2]], rtol=0.4)
    assert claimed[1] == spread[1] == 0  # blocks of one


def test_frame_has_a_row_per_point():
    found = curve()
    frame = found.to_frame()
    assert list(frame.columns) == [
        *("n_samples", "n_splits", "sigma2", "sigma2_se", "omega", "omega_se"),
        *("gamma", "gamma_se", "theta", "rho"),
    ]
    assert frame["n_samples"].tolist() == [12, 24]
    np.testing.assert_array_equal(frame["gamma_se"], found.standard_errors[:, 2])
    assert frame["rho"].tolist() == [one.rho for one in found.structures]


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"n_samples": [10, 12]}, "`n_samples` must be a multiple of n_splits=4; got"),
        ({"n_samples": 2}, "`n_samples` must be an integer >= 4; got 2"),
        ({"n_samples": 12.0}, "`n_samples` must be an integer >= 4; got 12.0"),
        ({"n_samples": []}, r"`n_samples` must be .*; got \[\]"),
        ({"n_samples": 12, "n_splits": ()}, r"`n_splits` must be .*; got \(\)"),
        ({"n_samples": 12, "n_splits": [2, 1]}, "`n_splits` .* integer >= 2; got 1"),
        ({"n_splits": [2, 4]}, "`n_splits` must be an integer if `n_samples` is a"),
        ({"n_replications": 1}, "`n_replications` must be an integer >= 2; got 1"),
        ({"random_state": -1}, "`random_state` must be an integer >= 0; got -1"),
        ({"estimators": [Ridge()] * 3}, "`estimators` must be one or two .*ridge-3"),
        ({"population": None}, "`population` must be an object with .*; got None"),
        ({"loss": "loss"}, "`loss` must be .*; got 'loss'"),
    ],
)
def test_arguments_are_named_with_their_value(options, message):
    with pytest.raises((TypeError, ValueError), match=message):
        curve(**options)
