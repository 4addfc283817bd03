"""How often all intervals of the distance from the best hold at once.

    python benchmarks/best_intervals.py law docs/data/best_intervals.csv  # a minute
    python benchmarks/best_intervals.py samples FILE [N]  # half an hour with N = 500

law: of normal means with a known variance, the same for all models, by the step-down
and the intervals of the package written down again; many samples, no test. The variance
is that which the test assumes, or two thirds of it, as of a z test at ρ = 1/3 if there
is no correlation.

samples: by the package and its tests, of losses of examples.

A loss is what an example costs every model, what it costs this one, and what this model
has on all examples of a sample, as by its training sets: all normal and independent.
The variance of the last makes ρ of a difference as large as the column says; at the ρ
that is assumed the test of two keeps its level exactly, at smaller ones it rejects
less.
Differences are in standard errors of a difference: "equal" 0, "one better" 3 to all
others, "two better" 3 from two that are equal, "spaced" 2 from one model to the next.

A sample counts as covered if each interval of its table holds the true difference to
the best one; "some" is the share of samples in which a model that is the best is called
worse, "power" the share of the others that are called worse. "Pairs" are intervals of
all pairs beside p-values by Holm's method, which are covered if they hold all true
differences, "power" then of all pairs that differ.
"""

import itertools
import sys
import warnings
import zlib
from dataclasses import replace

import numpy as np
from harness import write_rows

from sklearn_cvtest import (
    KFoldTTest,
    KFoldZTest,
    compare_predictions,
)
from sklearn_cvtest._best._best_set import Best
from sklearn_cvtest._pairs._table import pair_table

SPACES = {
    "equal": np.zeros,
    "one better": lambda k: np.r_[0, np.full(k - 1, 3.0)],
    "two better": lambda k: np.r_[0, 0, np.full(k - 2, 3.0)],
    "spaced": lambda k: 2.0 * np.arange(k),
}
TESTS = {  # each with the ρ of its samples
    "KFoldZTest(0)": (KFoldZTest(rho=0), 0.0),
    "KFoldZTest": (KFoldZTest(), 1 / 3),
    "KFoldTTest(1/3)": (KFoldTTest(1 / 3), 1 / 3),
}
CELLS = [("KFoldZTest(0)", k, n) for k in (3, 5, 8) for n in (60, 400)]
CELLS += [(name, k, 200) for name in list(TESTS)[1:] for k in (3, 8)]
ALPHA = 0.05
HEADER = "test", "rho", "models", "n", "means", "samples"
HEADER += "covered", "some", "power", "pairs_covered", "pairs_power"


def law_rates(k, where, variance, n_samples=20_000):
    """Return the shares of samples of normal means."""
    rng = np.random.default_rng(zlib.crc32(f"law {k} {where} {variance}".encode()))
    levels = _quantiles(_statistics(rng.normal(size=(40_000, k))))
    truth = SPACES[where](k) * np.sqrt(2)  # of means with variance 1
    means = np.sqrt(variance) * rng.normal(size=(n_samples, k)) + truth
    t = _statistics(means)
    largest = t.max(axis=2)
    order = np.argsort(-largest, axis=1)
    stays, own = np.zeros(n_samples, dtype=bool), np.zeros(n_samples)
    level, is_worse = np.empty((n_samples, k)), np.zeros((n_samples, k), dtype=bool)
    rows = np.arange(n_samples)
    for place in range(k):
        own = np.where(stays, own, levels[k - place])
        r = order[:, place]
        stays |= largest[rows, r] <= levels[k - place]
        level[rows, r], is_worse[rows, r] = own, ~stays
    kept = np.where(is_worse[:, np.newaxis], -np.inf, t).max(axis=2)
    behind = (truth - [np.delete(truth, r).min() for r in range(k)]) / np.sqrt(2)
    holds = (largest - level <= behind + 1e-9) & (behind <= kept + level + 1e-9)
    holds[rows, means.argmin(axis=1)] = True  # the best has no interval
    is_best = truth == truth.min()
    power = is_worse[:, ~is_best].mean() if not is_best.all() else np.nan
    return holds.all(axis=1).mean(), is_worse[:, is_best].any(axis=1).mean(), power


def _statistics(means):
    """Return (mean_r - mean_s)/√2 for all r and s, -inf of a model and itself."""
    t = (means[:, :, np.newaxis] - means[:, np.newaxis]) / np.sqrt(2)
    r = np.arange(means.shape[1])
    t[:, r, r] = -np.inf
    return t


def _quantiles(t):
    """Return {m: quantile of the largest statistic of m models against all others}."""
    largest = t.max(axis=2)
    k = largest.shape[1]
    tops = {m: largest[:, :m].max(axis=1) for m in range(1, k + 1)}
    return {m: np.quantile(top, 1 - ALPHA) for m, top in tops.items()}


def law_table(path):
    """Write the table of normal means."""
    rows = []
    for variance, k, where in itertools.product((1.0, 2 / 3), range(3, 9), SPACES):
        shares = law_rates(k, where, variance)
        shares = [f"{share:.4f}" for share in shares]
        rows.append((f"{variance:.3g}", k, where, 20_000, *shares))
    write_rows(path, ("variance", *HEADER[2:3], *HEADER[4:9]), rows)


def template(k, n):
    """Return CVLosses of k models on n examples in five folds, to be filled."""
    given = {f"m{i}": np.full(n, 1.0 + i) for i in range(k)}
    options = {"loss": "absolute_error", "splits": np.arange(n) % 5}
    return compare_predictions(np.zeros(n), given, **options).losses


def sample(rng, losses, rho, means):
    """Return losses of a sample, and the true mean losses."""
    n, k = losses.losses.shape
    error = np.sqrt(2 / n / (1 - rho))  # of a difference
    shift = np.sqrt(rho / (1 - rho) / n) * rng.normal(size=k)
    truth = error * means
    values = rng.normal(size=(n, k)) + rng.normal(size=(n, 1)) + shift + truth
    return replace(losses, losses=values), truth


def of_set(test, losses, truth):
    """Return whether the intervals of models hold, and who is called worse."""
    best = Best(test, losses, ALPHA)
    _, low, high = np.transpose(best.differences)[1:].T
    others = [np.delete(truth, i).min() for i in range(len(truth))]
    behind = (truth - others)[best.order][1:]
    is_worse = np.ones(len(truth), dtype=bool)
    is_worse[best.order[best.kept]] = False
    return np.all((low <= behind) & (behind <= high)), is_worse


def of_pairs(test, losses, truth):
    """Return whether the intervals of pairs hold, and the power."""
    pairs = np.column_stack(np.triu_indices(len(truth), k=1))
    table = pair_table(test, losses, pairs, alpha=ALPHA, p_adjust="holm")
    low, high = table.shown_intervals
    gaps = truth[table.first] - truth[table.second]
    differ = gaps != 0
    power = table.significant[differ].mean() if differ.any() else np.nan
    return np.all((low <= gaps) & (gaps <= high)), power


def rates(name, k, n, where, n_samples):
    """Return the shares of samples of one row."""
    test, rho = TESTS[name]
    rng = np.random.default_rng(zlib.crc32(f"{name} {k} {n} {where}".encode()))
    means, empty, rows = SPACES[where](k), template(k, n), []
    for _ in range(n_samples):
        losses, truth = sample(rng, empty, rho, means)
        is_covered, is_worse = of_set(test, losses, truth)
        power = is_worse[means > 0].mean() if means.any() else np.nan
        some = is_worse[means == 0].any()
        rows.append([is_covered, some, power, *of_pairs(test, losses, truth)])
    return np.mean(rows, axis=0)


def samples_table(path, n_samples=500):
    """Write the table of losses of examples."""
    warnings.simplefilter("ignore")
    rows = []
    for (name, k, n), where in itertools.product(CELLS, SPACES):
        shares = rates(name, k, n, where, int(n_samples))
        shares = [f"{share:.4f}" for share in shares]
        rows.append((name, f"{TESTS[name][1]:.3g}", k, n, where, n_samples, *shares))
        print(*rows[-1], flush=True)
    write_rows(path, HEADER, rows)


if __name__ == "__main__":
    {"law": law_table, "samples": samples_table}[sys.argv[1]](*sys.argv[2:])
