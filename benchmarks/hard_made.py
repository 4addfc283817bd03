"""Made populations of `hard_kinds.py`: X, y, groups and whether y is a class."""

import numpy as np


def two_classes(rng, n, share=0.5, d=5, apart=0.6):
    y = (rng.random(n) < share).astype(float)
    X = rng.normal(size=(n, d)) + rng.standard_t(6, size=(n, 1)) / 2
    X[:, :3] += apart * y[:, np.newaxis]
    return X, y, None, True


def one_factor(rng, n, d=15):
    """Features that share a factor, as those of images or of surveys."""
    y = rng.integers(2, size=n).astype(float)
    factor = rng.normal(size=(n, 1)) + 0.7 * y[:, np.newaxis]
    X = factor * rng.uniform(0.6, 1.4, size=d) + 0.5 * rng.normal(size=(n, d))
    return X, y, None, True


def autoregressive(rng, n, d=20):
    y = rng.integers(2, size=n).astype(float)
    X = rng.normal(size=(n, d))
    for j in range(1, d):
        X[:, j] = 0.9 * X[:, j - 1] + np.sqrt(1 - 0.81) * X[:, j]
    X[:, ::4] += 0.5 * y[:, np.newaxis]
    return X, y, None, True


def many_dimensions(rng, n, d=60, informative=10):
    y = rng.integers(2, size=n).astype(float)
    X = rng.normal(size=(n, d))
    X[:, :informative] += 0.4 * y[:, np.newaxis]
    return X, y, None, True


def in_clusters(rng, n, d=40):
    """Classes of clusters in many dimensions, as those of digits."""
    centres = np.random.default_rng(7).normal(size=(8, d))
    cluster = rng.integers(8, size=n)
    X = centres[cluster] + 2 * rng.normal(size=(n, d))
    return X, (cluster % 2).astype(float), None, True


def counts(rng, n):
    X = rng.normal(size=(n, 5))
    mean = np.exp(0.5 * X[:, 0] + 0.3 * X[:, 1]) * rng.gamma(0.7, 1 / 0.7, size=n)
    y = rng.poisson(2 * mean).astype(float)
    return X, y / 3, None, False


def expenditure(rng, n):
    X = rng.normal(size=(n, 6))
    is_any = rng.random(n) < 0.6
    y = np.exp(0.5 * X[:, :2].sum(axis=1) + rng.normal(size=n))
    return X, is_any * y / 2, None, False


def smooth(rng, n):
    X = rng.uniform(-1, 1, size=(n, 4))
    y = np.cos(3 * X[:, 0]) + X[:, 1] * X[:, 2] + 0.5 * rng.normal(size=n)
    return X, y, None, False


def walking_class(rng, n):
    """Two classes; what tells them walks with time, otherwise in every sample."""
    y = rng.integers(2, size=n).astype(float)
    walk = np.cumsum(rng.normal(size=(n, 4)), axis=0) / np.sqrt(n)
    return rng.normal(size=(n, 4)) + (0.5 + walk) * y[:, np.newaxis], y, None, True


def walking_slopes(rng, n):
    X = rng.normal(size=(n, 4))
    slopes = 1 + np.cumsum(rng.normal(size=(n, 4)), axis=0) / np.sqrt(n)
    return X, (X * slopes).sum(axis=1) + rng.normal(size=n), None, False


def grouped_classes(rng, n, rows=10):
    groups = np.repeat(np.arange(n // rows), rows)
    X = rng.normal(size=(n, 4)) + rng.normal(size=(n // rows, 4))[groups]
    log_odds = X[:, 0] + rng.normal(size=n // rows)[groups]
    y = (rng.random(n) < 1 / (1 + np.exp(-log_odds))).astype(float)
    return X, y, groups, True


def grouped_numbers(rng, n, rows=10):
    groups = np.repeat(np.arange(n // rows), rows)
    X = rng.normal(size=(n, 4)) + rng.normal(size=(n // rows, 4))[groups]
    y = X[:, 0] + rng.normal(size=n // rows)[groups] + rng.normal(size=n)
    return X, y, groups, False
