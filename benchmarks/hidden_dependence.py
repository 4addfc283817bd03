"""How often is a DependentRowsWarning raised, and is it right?

Each row of the table is a population of independent or of dependent rows that are
analysed as if they were independent; `warned` is in how many samples the warning came.

- Groups: 12 or 30 groups of 4 to 8 rows, adjacent or shuffled, with the intra-class
  correlation (icc) of what no feature explains; 0 is independent. Two features are
  those of the group, two of the row.
- Sorted: independent rows of data sets, in any order or sorted by a feature.
- Forecasts: errors of two fixed forecasts that are equally good, independent,
  autoregressive or moving averages. Here the share of p < .05 is counted, too
  ("rejected"), and that of `DieboldMarianoTest`, fitted to the differences
  ("rejected_by_dm").

    python benchmarks/hidden_dependence.py   # writes docs/data/hidden_dependence.csv
"""

import itertools
import warnings
import zlib

import numpy as np
from harness import Table, command
from sklearn.datasets import load_breast_cancer, load_diabetes, load_wine
from sklearn.linear_model import LogisticRegression, Ridge
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.tree import DecisionTreeClassifier, DecisionTreeRegressor

from sklearn_cvtest import (
    BlockKFold,
    DieboldMarianoTest,
    compare_predictions,
    cross_val_losses,
)
from sklearn_cvtest.exceptions import DependentRowsWarning

CV = BlockKFold(5, random_state=0)
MODELS = {
    "numbers": {
        "ridge": make_pipeline(StandardScaler(), Ridge()),
        "tree": DecisionTreeRegressor(min_samples_leaf=8, random_state=0),
    },
    "classes": {
        "logistic": make_pipeline(StandardScaler(), LogisticRegression()),
        "tree": DecisionTreeClassifier(min_samples_leaf=8, random_state=0),
    },
}


def is_warned(ask, *args, **options):
    """Return what a function returns, and whether it warns of dependent rows."""
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        result = ask(*args, **options)
    return result, any(w.category is DependentRowsWarning for w in caught)


# Rows: each returns features and target -----------------------------------------------


def groups(rng, target, n_groups, icc, order):
    group = np.repeat(np.arange(n_groups), rng.integers(4, 9, n_groups))
    if order == "shuffled":
        group = rng.permutation(group)
    n = len(group)
    X = np.hstack([rng.normal(size=(n_groups, 2))[group], rng.normal(size=(n, 2))])
    own = np.sqrt(icc) * rng.normal(size=n_groups)[group]
    y = X.sum(axis=1) / 2 + own + np.sqrt(1 - icc) * rng.normal(size=n)
    return X, (y > 0) * 1 if target == "classes" else y


REAL = {
    "breast cancer": (load_breast_cancer, "classes"),
    "wine": (load_wine, "classes"),
    "diabetes": (load_diabetes, "numbers"),
}


def sorted_rows(rng, name, order, n=150):
    X, y = REAL[name][0](return_X_y=True)
    rows = rng.choice(len(y), n, replace=False)
    if order == "sorted":
        rows = rows[np.argsort(X[rows, rng.integers(X.shape[1])], kind="stable")]
    return X[rows], y[rows]


def of_fits(draw, target):
    """Return what measures one sample of rows."""

    def measure(rng):
        warned = is_warned(cross_val_losses, MODELS[target], *draw(rng), cv=CV)[1]
        return {"warned": warned}

    return measure


# Forecasts ----------------------------------------------------------------------------


def moving_average(rng, n, length):
    noise = rng.normal(size=n + length - 1)
    return np.convolve(noise, np.full(length, length**-0.5), "valid")


def autoregression(rng, n, memory):
    errors = rng.normal(size=n)
    errors[0] /= np.sqrt(1 - memory**2)
    for time in range(1, n):
        errors[time] += memory * errors[time - 1]
    return errors * np.sqrt(1 - memory**2)


ERRORS = {
    "independent": lambda rng, n: rng.normal(size=n),
    "autoregressive, 0.6": lambda rng, n: autoregression(rng, n, 0.6),
    "autoregressive, 0.9": lambda rng, n: autoregression(rng, n, 0.9),
    "average of 4": lambda rng, n: moving_average(rng, n, 4),
    "average of 24": lambda rng, n: moving_average(rng, n, 24),
}


def of_forecasts(errors, n):
    """Return what measures one sample of forecasts."""

    def measure(rng):
        y = rng.normal(size=n)
        given = {name: y + ERRORS[errors](rng, n) for name in "ab"}
        result, warned = is_warned(compare_predictions, y, given)
        losses = result.losses.values
        by_dm, _ = is_warned(DieboldMarianoTest().fit, losses[:, 0] - losses[:, 1])
        return {
            "warned": warned,
            "rejected": result.pvalue_ < 0.05,
            "rejected_by_dm": by_dm.pvalue_ < 0.05,
        }

    return measure


# The table ----------------------------------------------------------------------------


def cells():
    """Yield (part, rows, population, n, what measures a sample)."""
    orders = "adjacent", "shuffled"
    for target, n_groups, icc in itertools.product(MODELS, (12, 30), (0.0, 0.3, 0.6)):
        for order in orders if icc else orders[:1]:

            def draw(rng, cell=(target, n_groups, icc, order)):
                return groups(rng, *cell)

            label = f"{n_groups} groups of {target}, icc {icc}"
            yield "groups", order, label, 6 * n_groups, of_fits(draw, target)
    for (name, (_, target)), order in itertools.product(
        REAL.items(), ("random", "sorted")
    ):

        def draw(rng, cell=(name, order)):
            return sorted_rows(rng, *cell)

        yield "sorted", order, name, 150, of_fits(draw, target)
    for errors, n in itertools.product(ERRORS, (50, 200, 1000)):
        yield "forecasts", "in order", errors, n, of_forecasts(errors, n)


RATES = "warned", "rejected", "rejected_by_dm"
KEYS = "part", "rows", "population", "n"


def rows(n_samples):
    """Yield the rows of the table."""
    for *cell, measure in cells():
        rng = np.random.default_rng(zlib.crc32(repr(cell).encode()))
        found = [measure(rng) for _ in range(n_samples)]
        row = dict(zip(KEYS, cell, strict=True)) | {"samples": n_samples}
        row |= dict.fromkeys(RATES)
        for name in found[0]:
            row[name] = np.mean([one[name] for one in found])
        yield row


TABLES = [Table("hidden_dependence", rows, KEYS, dict.fromkeys(RATES), 60, 20)]


if __name__ == "__main__":
    command(__doc__, *TABLES)
