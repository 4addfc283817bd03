"""What the best of many is worth: bias, coverage and width of ways to say it.

winner: Candidates have scores by split, or losses of 300 examples in 10 folds; their
noise is correlated, and a share ρ of its variance is in no split alone: for scores of K
folds 1/2 + 1/(4K - 2), which their interval assumes, for losses of examples 0.3, a
little less than the 1/3 that theirs assumes. "ties" are equal candidates; "normal" are
as far apart as 1 standard error; of "clear" one is ten standard errors of a difference
better. Bias and deviation are in standard errors of a mean score, less the mean error
of all candidates, which has no bias; width is that of the interval over that of the
naive one.

- naive: the mean score of the best, and its interval.
- winner_interval: what this package says.
- BBC: bootstrap bias-corrected cross-validation (Tsamardinos and others, 2018), 500
  bootstrap samples of splits or examples; its percentile interval.

winner_tails: Ridge regressions on terms of degree one to three and nearest neighbours,
2 x 5-fold, squared errors, on populations whose errors have tails: "far" ones have the
given share of rows with features five times as large, where models of high degree
explode. Counted is how often the interval of the winner holds its mean loss (on 4,000
further rows a sample, over the first fits of all samples).

    python benchmarks/winner.py    # half an hour; writes both tables of docs/data
"""

import itertools
import zlib

import numpy as np
from harness import Table, command
from scipy import stats

from sklearn_cvtest import Comparison, CVLosses
from sklearn_cvtest.losses import Metric, make_loss
from sklearn_cvtest.results import Design

# Made ------------------------------------------------------------------------------


K = (10, 50, 200, 1000)
CORRELATIONS = (0.0, 0.5, 0.9)
TRUTHS = ("ties", "normal", "clear")
DESIGNS = {"10-fold": 10, "5-fold": 5, "2 x 5-fold": 10}  # number of splits
N = 300  # examples
RHO_OF_EXAMPLES = 0.3
SHARE = {10: 1, 50: 1, 200: 0.8, 1000: 0.2}  # of the samples


def true_scores(truth, k, correlation):
    """Return true mean scores, in standard errors of a mean score."""
    if truth == "clear":
        return np.where(np.arange(k), 0, 10 * np.sqrt(2 * (1 - correlation)))
    return stats.norm.ppf((np.arange(k) + 0.5) / k) * (truth == "normal")


def splits_of(design):
    """Return what CVLosses says of the splits of a design."""
    n_folds = 10 if design == "10-fold" else 5
    n_runs = DESIGNS[design] // n_folds
    kind = "repeated k-fold" if n_runs > 1 else "k-fold"
    n_test = np.full(DESIGNS[design], N // n_folds)
    return {
        "design": Design(kind, n_folds, n_runs),
        "n_train": N - n_test,
        "n_test": n_test,
        "n_samples": N,
    }


def sample(rng, truth, correlation, n_values, rho):
    """Return scores (k, n_values) whose means have variance 1 about the truth."""

    def noise(size):
        common, own = rng.normal(size=size), rng.normal(size=(len(truth), size))
        return np.sqrt(correlation) * common + np.sqrt(1 - correlation) * own

    seen = np.sqrt((1 - rho) * n_values) * noise(n_values)
    return truth[:, np.newaxis] + np.sqrt(rho) * noise(1) + seen


SCORE = Metric("score", "score", None, is_score=True, low=-np.inf)


def losses_of(scores, splits, of_examples):
    names = tuple(map(str, range(len(scores))))
    rows = {"metric": SCORE, "row_index": None}
    split = np.arange(len(splits["n_test"]))
    if of_examples:
        rows["row_index"] = np.arange(N)
        split = rows["row_index"] * len(split) // N
    return CVLosses(names, -scores.T, split, **rows, **splits)


# Ways to say it: (estimate, low, high) of the score --------------------------------


def bbc(scores, rng, n_draws=500):
    n = scores.shape[1]
    counts = rng.multinomial(n, np.full(n, 1 / n), size=n_draws)
    counts = counts[(counts == 0).any(axis=1)]
    chosen, out = scores[np.argmax(counts @ scores.T, axis=1)], counts == 0
    found = (out * chosen).sum(axis=1) / out.sum(axis=1)
    return found.mean(), *np.quantile(found, [0.025, 0.975])


def answers(scores, splits, of_examples, rng):
    losses = losses_of(scores, splits, of_examples)
    found = Comparison(losses, reference="best").winner_interval()
    return found.position, {
        "naive": (found.mean, found.mean_low, found.mean_high),
        "winner_interval": (found.estimate, found.ci_low, found.ci_high),
        "BBC": bbc(scores, rng),
    }


def rates_of(of_examples, design, k, correlation, truth, n_samples):
    """Yield the rates of each way, as columns of the table."""
    splits, true = splits_of(design), true_scores(truth, k, correlation)
    n_values = N if of_examples else DESIGNS[design]
    rho = RHO_OF_EXAMPLES
    if not of_examples:
        shares = {"10-fold": 1 / 9, "5-fold": 1 / 4, "2 x 5-fold": 1 / 4}
        rho = shares[design] / (shares[design] + 1 / n_values)
    key = of_examples, design, k, correlation, truth, 0
    rng = np.random.default_rng(zlib.crc32(repr(key).encode()))
    results = {}
    for _ in range(n_samples):
        scores = sample(rng, true, correlation, n_values, rho)
        best, found = answers(scores, splits, of_examples, rng)
        common = np.mean(scores.mean(axis=1) - true)
        naive = found["naive"][2] - found["naive"][1]
        for name, (estimate, low, high) in found.items():
            row = estimate - true[best] - common, low <= true[best] <= high
            results.setdefault(name, []).append((*row, (high - low) / naive))
    for name, rows in results.items():
        error, covered, width = np.array(rows, dtype=float).T
        rates = {"method": name, "samples": n_samples, "bias": error.mean()}
        rates |= {"bias_se": error.std() / np.sqrt(n_samples)}
        yield rates | {"coverage": covered.mean(), "width": width.mean()}


def made(n_samples):
    for values in ("splits", "examples"):
        designs = DESIGNS if values == "splits" else ["10-fold"]
        for cell in itertools.product(designs, K, CORRELATIONS, TRUTHS):
            n = max(int(SHARE[cell[1]] * n_samples), 2)
            row = {"values": values}
            row |= dict(zip(("design", "k", "correlation", "truth"), cell, strict=True))
            for rates in rates_of(values == "examples", *cell, n):
                yield row | rates


# Tails -----------------------------------------------------------------------------


MODELS = [(degree, penalty) for degree in (1, 2, 3) for penalty in (1e-6, 3.0, 30.0)]
TAILED = (
    "normal",
    "far .005",
    "far .01",
    "far .02",
    "incomes",
    "t3",
    "counts",
    "uniform",
)
SQUARED = make_loss(lambda y, p: (y - p) ** 2, name="square", compared_by="ratio")
N_FURTHER = 4000


def tailed_sample(rng, population, n):
    """Return features and numbers to predict."""
    name, _, share = population.partition(" ")
    X = rng.normal(size=(n, 3))
    if name == "uniform":
        X = rng.uniform(-2, 2, size=(n, 3))
    if share:
        X[rng.random(n) < float(share)] *= 5
        bent = X[:, 2] ** 2 / 4 * (np.abs(X[:, 2]) < 4)
        return X, 2 * np.sin(X[:, 0]) + X[:, 1] + bent + rng.normal(size=n)
    if name == "incomes":
        log = 0.6 * X[:, 0] + 0.3 * X[:, 1] + 0.8 * rng.normal(size=n)
        return X, np.exp(log)
    if name == "t3":
        return X, X[:, 0] + X[:, 1] ** 2 / 3 + rng.standard_t(3, size=n)
    if name == "counts":
        mean = np.exp(X[:, 0] / 2) * rng.gamma(0.7, 1 / 0.7, size=n)
        return X, rng.poisson(mean).astype(float)
    return X, 2 * np.sin(X[:, 0]) + X[:, 1] + rng.normal(size=n)


def terms(X, degree):
    parts = [X]
    if degree > 1:
        parts += [X[:, [j]] * X[:, j:] for j in range(X.shape[1])]
    return np.hstack(parts + [X**3] * (degree > 2))


def predictions(X, y, new):
    """Return what all candidates predict, an array (n_new, candidates)."""
    found = []
    for degree, penalty in MODELS:
        Z, of_new = terms(X, degree), terms(new, degree)
        mean, deviation = Z.mean(axis=0), Z.std(axis=0) + 1e-12
        Z, of_new = (Z - mean) / deviation, (of_new - mean) / deviation
        products = Z.T @ Z + penalty * np.eye(Z.shape[1])
        found.append(
            of_new @ np.linalg.solve(products, Z.T @ (y - y.mean())) + y.mean()
        )
    near = np.argsort(((new[:, np.newaxis] - X) ** 2).sum(axis=-1), axis=1)
    found += [y[near[:, :k]].mean(axis=1) for k in (5, 15)]
    return np.column_stack(found)


def tailed_losses(rng, population, n):
    """Return the CVLosses of a sample, and mean losses on further rows."""
    X, y = tailed_sample(rng, population, n)
    folds = [rng.permutation(np.arange(n) % 5) for _ in range(2)]
    splits = [
        (np.flatnonzero(fold != k), np.flatnonzero(fold == k))
        for fold in folds
        for k in range(5)
    ]
    losses = np.concatenate(
        [
            (y[test, np.newaxis] - predictions(X[train], y[train], X[test])) ** 2
            for train, test in splits
        ]
    )
    train, n_test = splits[0][0], np.array([len(test) for _, test in splits])
    new, target = tailed_sample(rng, population, N_FURTHER)
    true = (target[:, np.newaxis] - predictions(X[train], y[train], new)) ** 2
    names = tuple(f"{degree} {penalty:g}" for degree, penalty in MODELS)
    found = CVLosses(
        (*names, "5nn", "15nn"),
        losses,
        np.repeat(np.arange(10), n_test),
        n_train=n - n_test,
        n_test=n_test,
        n_samples=n,
        design=Design("repeated k-fold", 5, 2),
        row_index=np.concatenate([test for _, test in splits]),
        metric=SQUARED,
    )
    return found, true.mean(axis=0)


def coverage_of(population, n, n_samples):
    """Return how often the interval of the winner holds its mean loss."""
    rng = np.random.default_rng(zlib.crc32(f"tails {population} {n}".encode()))
    rows, true = [], []
    for _ in range(n_samples):
        losses, of_models = tailed_losses(rng, population, n)
        found = Comparison(losses, reference="best").winner_interval()
        rows.append((found.position, found.ci_low, found.ci_high))
        true.append(of_models)
    position, low, high = np.array(rows).T
    truth = np.mean(true, axis=0)[position.astype(int)]
    return np.mean((low <= truth) & (truth <= high))


def tails(n_samples):
    for population, n in itertools.product(TAILED, (60, 120)):
        coverage = coverage_of(population, n, n_samples)
        row = {"population": population, "n": n, "samples": n_samples}
        yield row | {"coverage": coverage}


MADE = "values", "design", "k", "correlation", "truth", "method"
TABLES = [
    Table("winner", made, MADE, {"bias": "bias_se", "coverage": None}, 500, 6),
    Table("winner_tails", tails, ("population", "n"), {"coverage": None}, 200, 30),
]


if __name__ == "__main__":
    command(__doc__, *TABLES)
