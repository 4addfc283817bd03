"""replicate_losses: independent samples, the same for any number of jobs."""

import numpy as np
import pytest
from sklearn.base import BaseEstimator, RegressorMixin
from sklearn.linear_model import LinearRegression, Ridge
from sklearn.model_selection import ShuffleSplit

from sklearn_cvtest import BlockKFold, PairedHalves, cross_val_losses
from sklearn_cvtest.simulation import GaussianLinearPopulation, replicate_losses

MODELS = {"ols": LinearRegression(), "ridge": Ridge(5.0)}
POPULATION = GaussianLinearPopulation(3)


def replicate(models=MODELS, population=POPULATION, **options):
    options = {"n_samples": 20, "cv": 4, "n_replications": 3, "random_state": 0} | (
        options
    )
    return replicate_losses(models, population, **options)


class SeedTeller(RegressorMixin, BaseEstimator):
    """Predicts its own random_state."""

    def __init__(self, random_state=None):
        self.random_state = random_state

    def fit(self, X, y):
        self.is_fitted_ = True
        return self

    def predict(self, X):
        return np.full(len(X), float(self.random_state))


class Recording:
    """A population that keeps the samples it draws."""

    def __init__(self, population=POPULATION):
        self.population = population
        self.drawn = []

    def sample(self, n_samples, rng):
        self.drawn.append(self.population.sample(n_samples, rng))
        return self.drawn[-1]


def prediction(y_true, y_pred):
    return y_pred


def test_losses_are_those_of_each_sample():
    population = Recording()
    splits = list(BlockKFold(4, random_state=0).split(np.zeros((20, 1))))
    samples = replicate(population=population, cv=splits, loss="absolute_error")
    assert len(samples) == len(population.drawn) == 3
    for losses, (X, y) in zip(samples, population.drawn, strict=True):
        expected = cross_val_losses(MODELS, X, y, cv=splits, loss="absolute_error")
        np.testing.assert_array_equal(losses.values, expected.values)
        assert losses.names == ("ols", "ridge")


def test_samples_do_not_depend_on_the_number_of_jobs_or_of_samples():
    first = replicate()
    again = replicate(n_jobs=2, n_replications=4)
    for one, other in zip(first, again[:3], strict=True):
        np.testing.assert_array_equal(one.values, other.values)
        np.testing.assert_array_equal(one.row_index, other.row_index)


def test_samples_differ_from_each_other_and_between_seeds():
    first, second, third = replicate()
    other = replicate(random_state=1)[0]
    for losses in (second, third, other):
        assert not np.allclose(first.values, losses.values)


def test_samples_do_not_depend_on_the_models():
    one, two = Recording(), Recording()
    replicate(population=one)
    replicate(SeedTeller(), two, cv=ShuffleSplit(2))
    for (X, y), (other, target) in zip(one.drawn, two.drawn, strict=True):
        np.testing.assert_array_equal(X, other)
        np.testing.assert_array_equal(y, target)


def test_splits_and_models_have_another_seed_in_each_sample():
    samples = replicate(SeedTeller(), cv=BlockKFold(4), loss=prediction)
    assert len({losses.values[0, 0] for losses in samples}) == 3
    assert len({tuple(losses.row_index) for losses in samples}) == 3


def test_an_integer_seed_of_a_model_is_kept():
    samples = replicate(SeedTeller(7), loss=prediction)
    assert all((losses.values == 7).all() for losses in samples)


def test_models_and_splitters_are_not_changed():
    cv, model = PairedHalves(BlockKFold(2)), SeedTeller()
    replicate(model, cv=cv, loss=prediction)
    assert (cv.random_state, cv.cv.random_state, model.random_state) == (None,) * 3


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"population": GaussianLinearPopulation}, "`population` must be"),
        ({"population": None}, "`population` must be"),
        ({"n_samples": 1}, "`n_samples` must be an integer >= 2; got 1"),
        ({"n_replications": 0}, "`n_replications` must be an integer >= 1; got 0"),
        ({"random_state": -1}, "`random_state` must be an integer >= 0; got -1"),
        ({"cv": 1}, "`cv` must be"),
        ({"loss": "nonsense"}, "`loss` must be"),
    ],
)
def test_arguments_are_named_with_their_value(options, message):
    with pytest.raises((TypeError, ValueError), match=message):
        replicate(**options)
