"""Populations that samples are drawn from: data sets in a folder, and generators.

Features are divided by their population standard deviations, which changes nothing for
any learner but ridge and nearest neighbours.
"""

import functools
import pathlib

import numpy as np
import pandas as pd

ORDERS = {
    "cut": ["Fair", "Good", "Very Good", "Premium", "Ideal"],
    "color": list("JIHGFED"),
    "clarity": ["I1", "SI2", "SI1", "VS2", "VS1", "VVS2", "VVS1", "IF"],
}
DATA = pathlib.Path()


@functools.lru_cache(maxsize=2)
def load(name):
    """Return X, y and the number of classes, 0 for regression."""
    if name == "letter":
        table = pd.read_csv(DATA / "letter-recognition.csv")
        X, y = table.iloc[:, 1:], (table.iloc[:, 0] >= "N").astype(float)
    elif name == "covertype":
        table = pd.read_csv(DATA / "forest-cover.csv.gz", dtype=np.float32)
        X, y = table.iloc[:, :-1], (table.iloc[:, -1] == 2).astype(float)
    elif name.startswith("diamonds"):
        table = pd.read_csv(DATA / "populations" / "diamonds.csv.gz")
        for column, order in ORDERS.items():
            table[column] = table[column].map({v: i for i, v in enumerate(order)})
        y = table.pop("price")
        X, y = table, np.log(y) if name == "diamonds-log" else y / y.std()
    else:
        source, _, classes = name.partition(":")
        table = pd.read_csv(DATA / "populations" / f"{source}.csv.gz")
        if classes == "odd":
            table["y"] = table["y"] % 2
        elif classes:
            low, high = map(int, classes.split("-"))
            table = table[table["y"].isin([low, high])]
            table["y"] = (table["y"] == high).astype(int)
        X, y = table.iloc[:, :-1], table["y"]
    X, y = X.to_numpy(np.float64), y.to_numpy(np.float64)
    X = X[:, X.std(axis=0) > 0]
    X = (X - X.mean(axis=0)) / X.std(axis=0)
    n_classes = 0 if name.startswith("diamonds") else int(y.max()) + 1
    return X, y, n_classes


def from_data(name):
    def draw(rng, n):
        X, y, n_classes = load(name)
        replace = len(y) < 20 * n
        rows = rng.choice(len(y), n, replace=replace) if replace else None
        if rows is None:
            rows = rng.choice(len(y), n, replace=False, shuffle=True)
        return X[rows], y[rows], n_classes

    return draw


def ring(rng, n, d=20):
    y = rng.integers(2, size=n)
    a = 2 / np.sqrt(d)
    X = rng.normal(size=(n, d))
    return np.where(y[:, np.newaxis], X + a, 2 * X), y, 2


def twonorm(rng, n, d=20):
    y = rng.integers(2, size=n)
    a = 2 / np.sqrt(d)
    return rng.normal(size=(n, d)) + a * (2 * y[:, np.newaxis] - 1), y, 2


def waveform(rng, n):
    t = np.arange(1, 22)
    waves = np.array([np.maximum(6 - np.abs(t - c), 0) for c in (11, 15, 7)])
    y = rng.integers(3, size=n)
    u = rng.random(n)[:, np.newaxis]
    X = u * waves[y] + (1 - u) * waves[(y + 1) % 3] + rng.normal(size=(n, 21))
    return X / 2, y, 3


def sphere(rng, n, d=10):
    X = rng.normal(size=(n, d))
    return X, ((X**2).sum(axis=1) > 9.34).astype(int), 2


def two_gaussians(rng, n):
    y = rng.integers(2, size=n)
    X = rng.normal(size=(n, 5)) * np.where(y, 1.7, 1.0)[:, np.newaxis]
    X[:, 0] += 1.2 * y
    return X, y, 2


def imbalanced(rng, n, share=0.1, d=8):
    y = (rng.random(n) < share).astype(int)
    X = rng.normal(size=(n, d))
    X[:, :4] += 0.8 * y[:, np.newaxis]
    return X, y, 2


def outlier_feature(rng, n, d=6):
    """One feature without information and with a heavy tail, as electricity's."""
    y = rng.integers(2, size=n)
    X = rng.normal(size=(n, d))
    X[:, :3] += 0.6 * y[:, np.newaxis]
    X[:, 5] = rng.standard_t(1.2, size=n)
    return X, y, 2


def rules(rng, n, d=8):
    X = rng.integers(0, 4, size=(n, d)).astype(float)
    y = (X[:, 0] > 1) ^ (X[:, 1] > 1) | (X[:, 2] == 3)
    y = np.where(rng.random(n) < 0.1, ~y, y)
    return X, y.astype(int), 2


def friedman(rng, n, d=10):
    X = rng.random((n, d))
    y = 10 * np.sin(np.pi * X[:, 0] * X[:, 1]) + 20 * (X[:, 2] - 0.5) ** 2
    y = y + 10 * X[:, 3] + 5 * X[:, 4] + rng.normal(size=n)
    return (X - 0.5) * np.sqrt(12), y / 5, 0


def linear(rng, n, d=30):
    """[BG03] Experiment 1: R² = 3/4."""
    X = rng.normal(size=(n, d))
    return X, np.sqrt(3 / d) * X.sum(axis=1) + rng.normal(size=n), 0


def linear_outliers(rng, n, d=30, share=0.95):
    """[BG03] Experiment 2."""
    regular = rng.random(n) < share
    total = share + 100 * (1 - share)
    X = rng.normal(size=(n, d)) * np.where(regular, 1, 10)[:, np.newaxis]
    noise = rng.normal(size=n) * np.sqrt(np.where(regular, 1, 100) / total)
    return X, np.sqrt(3 / (d * total)) * X.sum(axis=1) + noise, 0


def linear_t3(rng, n, d=10):
    X = rng.normal(size=(n, d))
    return X, X[:, :3].sum(axis=1) + rng.standard_t(3, size=n), 0


def correlated(rng, n, d=10):
    X = rng.normal(size=(n, d)) + 1.5 * rng.normal(size=(n, 1))
    return X / 1.8, X[:, :5].sum(axis=1) / 3 + 1.5 * rng.normal(size=n), 0


def houses(rng, n):
    """Prices of houses in a region: log-normal, with interactions and a cap."""
    X = rng.normal(size=(n, 8))
    income = X[:, 0] + 0.3 * X[:, 1]
    where = np.hypot(X[:, 2] - 0.5, X[:, 3])
    y = (
        0.45 * income
        - 0.4 * where
        + 0.15 * X[:, 4] * X[:, 5]
        + 0.3 * rng.normal(size=n)
    )
    return X, np.minimum(np.exp(y), 5), 0


POPULATIONS = {
    name: from_data(name)
    for name in (
        "magic", "penbased", "penbased:0-6", "penbased:1-7", "optdigits", "optdigits:odd",
        "spambase", "letter", "covertype", "diamonds", "diamonds-log",
    )
}  # fmt: skip
POPULATIONS |= {
    "ring": ring, "twonorm": twonorm, "waveform": waveform, "sphere": sphere,
    "two-gaussians": two_gaussians, "imbalanced": imbalanced, "rules": rules,
    "outlier-feature": outlier_feature, "friedman": friedman, "linear": linear,
    "linear-outliers": linear_outliers, "linear-t3": linear_t3,
    "correlated": correlated, "houses": houses,
}  # fmt: skip

CLASSIFIERS = {
    "magic": "tree lda nb logistic", "penbased": "tree nb 5nn lda",
    "penbased:0-6": "tree nb lda 1nn", "penbased:1-7": "tree nb lda 1nn",
    "optdigits": "tree lda 1nn", "optdigits:odd": "tree lda 5nn",
    "spambase": "tree nb lda", "letter": "tree lda 5nn nb", "covertype": "tree lda nb",
    "ring": "nb tree lda", "twonorm": "nb lda tree 5nn", "waveform": "tree nb lda 5nn",
    "sphere": "tree nb 5nn logistic", "two-gaussians": "nb lda tree logistic",
    "imbalanced": "logistic lda nb tree", "rules": "tree tree20 nb 5nn",
    "outlier-feature": "nb tree20 lda",
}  # fmt: skip
REGRESSORS = {
    "diamonds": "tree ols 5nn", "diamonds-log": "tree ols 5nn", "friedman": "ridge1 tree 5nn",
    "linear": "ols ridge1 ridge30 tree", "linear-outliers": "ols ridge30 tree",
    "linear-t3": "ols ridge30 tree", "correlated": "ols ridge1 ridge30",
    "houses": "tree ols 5nn",
}  # fmt: skip
FOREST = {("covertype", 100), ("spambase", 100), ("houses", 100), ("friedman", 100)}
TUNE = {
    "magic", "optdigits", "optdigits:odd", "diamonds-log", "covertype", "ring", "friedman",
    "twonorm", "linear", "imbalanced", "linear-t3", "outlier-feature", "penbased:0-6",
}  # fmt: skip
SIZES = {
    "magic": [100, 200, 400], "penbased": [100, 200], "penbased:0-6": [100],
    "penbased:1-7": [100], "optdigits": [200], "optdigits:odd": [100],
    "spambase": [100, 200], "letter": [100, 400, 1000], "covertype": [20, 100, 400],
    "ring": [100, 300], "twonorm": [60, 100], "waveform": [60, 200], "sphere": [100, 400],
    "two-gaussians": [60, 150], "imbalanced": [200], "rules": [100],
    "outlier-feature": [100, 400], "diamonds": [100, 200], "diamonds-log": [40, 100, 400],
    "friedman": [100, 200], "linear": [60, 120, 400], "linear-outliers": [120],
    "linear-t3": [120], "correlated": [40, 100], "houses": [100, 300],
}  # fmt: skip
MANY_REPEATS = {
    ("ring", 100), ("magic", 100), ("covertype", 100), ("friedman", 100), ("letter", 100),
    ("waveform", 200), ("houses", 100), ("penbased", 200), ("linear", 120), ("twonorm", 100),
    ("sphere", 100), ("diamonds-log", 100),
}  # fmt: skip
