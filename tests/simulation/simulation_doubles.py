"""Populations, estimators and losses that tell how simulations use them."""

import os
import time
import uuid

import numpy as np
from sklearn.base import BaseEstimator, RegressorMixin
from sklearn.linear_model import LinearRegression

from sklearn_cvtest import BlockKFold
from sklearn_cvtest.results import Design
from sklearn_cvtest.simulation import (
    GaussianLinearPopulation,
    ReplicatedResiduals,
    replicate_losses,
)


class CountingPopulation(GaussianLinearPopulation):
    """Writes a file for each sample drawn, named after the process."""

    seconds = 0.01  # a sample takes

    def __init__(self, folder, n_features=2):
        super().__init__(n_features)
        self.folder = str(folder)

    def sample(self, n_samples, rng):
        time.sleep(self.seconds)
        name = f"{os.getpid()}-{uuid.uuid4().hex}"
        with open(os.path.join(self.folder, name), "x"):
            return super().sample(n_samples, rng)

    @property
    def n_drawn(self):
        return len(os.listdir(self.folder))

    @property
    def processes(self):
        return {int(name.partition("-")[0]) for name in os.listdir(self.folder)}


class Recording:
    """A population that keeps the samples it draws."""

    def __init__(self, population):
        self.population = population
        self.drawn = []

    def sample(self, n_samples, rng):
        self.drawn.append(self.population.sample(n_samples, rng))
        return self.drawn[-1]


class PowersPopulation:
    """Always the same sample: y_i = 2^i, whose sums tell what was summed."""

    def sample(self, n_samples, rng):
        return np.zeros((n_samples, 1)), 2.0 ** np.arange(n_samples)


class SeedTeller(RegressorMixin, BaseEstimator):
    """Predicts its own random_state."""

    def __init__(self, random_state=None):
        self.random_state = random_state

    def fit(self, X, y):
        self.is_fitted_ = True
        return self

    def predict(self, X):
        return np.full(len(X), float(self.random_state))


class Fussy(RegressorMixin, BaseEstimator):
    """Predicts 0, but cannot be fitted if the first example has y > `most`."""

    def __init__(self, most=0.0):
        self.most = most

    def fit(self, X, y):
        if y[0] > self.most:
            raise ValueError(f"y starts with {y[0]:g}")
        return self

    def predict(self, X):
        return np.zeros(len(X))


def target(y_true, y_pred):
    return y_true


def prediction(y_true, y_pred):
    return y_pred


def count_samples(folder, memory, n_replications=200, **options):
    """Run the simulation whose samples are counted in `folder`."""
    return replicate_losses(
        LinearRegression(),
        CountingPopulation(folder),
        n_samples=12,
        cv=BlockKFold(3),
        n_replications=n_replications,
        random_state=0,
        memory=memory,
        **options,
    )


def gaussian_blocks(rng, n_replications, n_splits=5, m=4, rho=0.5, mean=0.0):
    """Return residuals with γ = ρθ: independent ones, and a common shift a sample.

    θ = 1/n + γ, so that γ = ρ/(1-ρ)/n.
    """
    e = rng.normal(mean, size=(n_replications, n_splits, m))
    gamma = rho / (1 - rho) / (n_splits * m)
    return e + np.sqrt(gamma) * rng.normal(size=(n_replications, 1, 1))


def replicated(e):
    """Return an array (n_replications, K, m) as K-folds of block statistics."""
    _, n_splits, m = e.shape
    return ReplicatedResiduals(
        block_means=e.mean(axis=2),
        block_squares=(e**2).sum(axis=2),
        n_train=np.full(n_splits, (n_splits - 1) * m),
        n_test=np.full(n_splits, m),
        n_samples=n_splits * m,
        design=Design("k-fold", n_splits),
        names=("a", "b"),
        loss_name="absolute_error",
        example_squares=sums_of_examples(e.reshape(len(e), -1)),
    )


def sums_of_examples(e):
    """Return the example_squares of an array (n_replications, n_examples)."""
    return np.sum((e - e.mean(axis=1, keepdims=True)) ** 2, axis=1)
