"""The verdict and the interval apart: two models that are exactly equally good.

By the default test, of two runs of 5-fold at ρ = 1/3, in populations with classes:

- misses: how often the 95% interval of the difference of two error rates misses it;
- verdict: how often two models of the same expected error rate are called different.
  One is a learner; the other answers as a better or as a worse one does, by the toss
  of a coin for each prediction whose odds make the expected errors equal;
- wrong: how often the truly worse of two learners is called better.

And how often the interval of the ratio of squared, and of absolute, errors misses, if a
feature is 0 but in 2% of the rows, where it is huge.

    python benchmarks/equality.py    # 15 minutes; writes docs/data/equality.csv

`--quick` takes the populations that scikit-learn makes or has, at 100 rows.
"""

import itertools

import numpy as np
import populations
from evaluate import rejected_by_z, residuals_of
from harness import Table, command
from sklearn.linear_model import Ridge
from sklearn.tree import DecisionTreeRegressor
from study import cross_validate, draw, folds_of, is_usable, learners_of, seed_of

RHO, N_FOLDS, N_RUNS = 1 / 3, 5, 2
SIZES = (100, 200)
LEARNERS = ("logistic", "tree", "5nn", "bayes")
LEAST_WEIGHT = 0.05  # of each of the two learners that are mixed
FULL, QUICK = 40, 20  # samples
HEADER = "population", "kind", "n", "learners", "samples", "misses", "verdict", "wrong"


def errors_of(row, population, size, number):
    """Return errors (runs, n, learners) of a sample, and those expected (learners,)."""
    seed = [seed_of(row, size), number]
    rng = np.random.default_rng(seed)
    sample, rest = draw(row, population, size, rng)
    every = learners_of("classification", np.random.RandomState(seed))
    learners = {name: every[name] for name in LEARNERS}
    X, y = population.X[sample], population.y[sample]
    errors = []
    for run in range(N_RUNS):
        fold = folds_of(row, y, N_FOLDS, rng)
        tested = population.X[rest] if run == 0 else X[:0]
        (labels,), (of_rest,) = cross_validate(learners, X, y, fold, tested, False)
        errors.append(labels != y[:, np.newaxis])
        if run == 0:
            truth = of_rest != population.y[rest][:, np.newaxis]
    return np.array(errors, dtype=float), truth.mean(axis=(0, 1))


def rejected(e, truth=0.0):
    """Return which differences (samples, runs, n) are found to be another."""
    return rejected_by_z(residuals_of(e, N_FOLDS), RHO, np.array([truth]))[:, 0]


def cells_of(row, size, n_samples):
    """Yield rows of the table: of all pairs, and of all mixtures of three learners."""
    population = populations.load(row)
    if not is_usable(row, population, size):
        return
    samples = [errors_of(row, population, size, k) for k in range(n_samples)]
    errors, truths = (np.array(arrays) for arrays in zip(*samples, strict=True))
    truth = truths.mean(axis=0)
    rng = np.random.default_rng(seed_of(row, size))
    for i, j in itertools.combinations(range(len(LEARNERS)), 2):
        e = errors[..., i] - errors[..., j]
        difference = truth[i] - truth[j]
        is_wrong = rejected(e) & (np.sign(e.mean(axis=(1, 2))) != np.sign(difference))
        names = f"{LEARNERS[i]}+{LEARNERS[j]}"
        misses = rejected(e, difference).mean()
        yield row.name, row.kind, size, names, n_samples, misses, None, is_wrong.mean()
    for better, same, worse in itertools.permutations(range(len(LEARNERS)), 3):
        if not truth[better] < truth[same] < truth[worse]:
            continue
        weight = (truth[same] - truth[better]) / (truth[worse] - truth[better])
        if not LEAST_WEIGHT < weight < 1 - LEAST_WEIGHT:
            continue
        is_worse = rng.random(errors.shape[:-1]) < weight
        mixed = np.where(is_worse, errors[..., worse], errors[..., better])
        names = "+".join(LEARNERS[i] for i in (same, better, worse))
        verdict = rejected(errors[..., same] - mixed).mean()
        yield row.name, row.kind, size, names, n_samples, None, verdict, None


def rare_feature(n, n_samples):
    """Yield rows of a feature that is huge in 2% of the rows and 0 elsewhere."""
    rng = np.random.default_rng(0)
    learners = {"ridge": Ridge(1.0), "tree": DecisionTreeRegressor(max_depth=5)}
    errors, errors_of_rest = [], []
    for _ in range(n_samples):
        X = rng.normal(size=(n + 500, 5))
        X[:, 4] = (rng.random(len(X)) < 0.02) * rng.lognormal(3, 1, len(X))
        y = (X[:, 0] + 0.5 * X[:, 1] + (X[:, 4] > 0) + rng.normal(size=len(X)))[:, None]
        folds = [rng.permutation(n) % N_FOLDS for _ in range(N_RUNS)]
        runs = [cross_validate(learners, X[:n], y[:n, 0], fold, X[n:], False)
                for fold in folds]  # fmt: skip
        errors.append([responses[0] - y[:n] for responses, _ in runs])
        errors_of_rest.append(runs[0][1][0] - y[n:])
    for loss, power in (("squared", 2), ("absolute", 1)):
        losses = np.abs(errors) ** power
        truth = (np.abs(errors_of_rest) ** power).mean(axis=(0, 1, 2))
        misses = rejected(losses[..., 0] - truth[0] / truth[1] * losses[..., 1]).mean()
        yield loss, "rare feature", n, "ridge+tree", n_samples, misses, None, None


def cells(n_samples):
    """Yield all rows of the table, as values."""
    sizes = SIZES if n_samples == FULL else SIZES[:1]
    for size in sizes:
        yield from rare_feature(size, 5 * n_samples)
    for row, size in itertools.product(populations.read_rows(), sizes):
        is_asked = row.task == "classification" and not row.group
        if not is_asked or (n_samples < FULL and row.source != "sklearn.datasets"):
            continue
        try:
            yield from cells_of(row, size, n_samples)
        except populations.NotAvailableError as error:
            print(f"{row.name} is left out: {error}", flush=True)


def rows(n_samples):
    for cell in cells(n_samples):
        yield dict(zip(HEADER, cell, strict=True))


RATES = dict.fromkeys(HEADER[5:])
TABLES = [Table("equality", rows, HEADER[:4], RATES, FULL, QUICK)]


if __name__ == "__main__":
    command(__doc__, *TABLES)
