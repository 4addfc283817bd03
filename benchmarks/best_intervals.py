"""How often all intervals of the distance from the best hold at once.

    python benchmarks/best_intervals.py docs/data/best_intervals.csv  # ten minutes

A loss is what an example costs every model, what it costs this one, and what this model
has on all examples of a sample, as by its training sets: all normal and independent.
The variance of the last makes ρ of a difference as large as the column says; at the ρ
that is assumed the test of two keeps its level exactly, at smaller ones it rejects less.
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

from sklearn_cvtest import IntegratedRhoTest, KFoldTTest, KFoldZTest
from sklearn_cvtest import compare_predictions
from sklearn_cvtest._pairs._best import Best
from sklearn_cvtest._pairs._table import pair_table

SPACES = {
    "equal": lambda k: np.zeros(k),
    "one better": lambda k: np.r_[0, np.full(k - 1, 3.0)],
    "two better": lambda k: np.r_[0, 0, np.full(k - 2, 3.0)],
    "spaced": lambda k: 2.0 * np.arange(k),
}
TESTS = {  # each with the ρ of its samples
    "KFoldZTest": (KFoldZTest(), 0.0),
    "IntegratedRhoTest": (IntegratedRhoTest(), 1 / 3),
    "KFoldTTest(1/3)": (KFoldTTest(1 / 3), 1 / 3),
}
CELLS = [("KFoldZTest", k, n) for k in (3, 5, 8) for n in (60, 400)]
CELLS += [(name, k, 200) for name in list(TESTS)[1:] for k in (3, 8)]
ALPHA = 0.05
HEADER = "test", "rho", "models", "n", "means", "samples"
HEADER += "covered", "some", "power", "pairs_covered", "pairs_power"


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


if __name__ == "__main__":
    warnings.simplefilter("ignore")
    n_samples, rows = int((sys.argv[2:] or [500])[0]), []
    for (name, k, n), where in itertools.product(CELLS, SPACES):
        shares = [f"{share:.4f}" for share in rates(name, k, n, where, n_samples)]
        row = name, f"{TESTS[name][1]:.3g}", k, n, where, n_samples, *shares
        rows.append(row)
        print(*row, flush=True)
    write_rows(sys.argv[1], HEADER, rows)
