"""How often all intervals of the distance from the best hold at once.

    python benchmarks/best_intervals.py docs/data/best_intervals.csv  # half an hour

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

import numpy as np
from harness import write_rows

from sklearn_cvtest import KFoldTTest, KFoldZTest, compare_predictions

SPACES = {
    "equal": lambda k: np.zeros(k),
    "one better": lambda k: np.r_[0, np.full(k - 1, 3.0)],
    "two better": lambda k: np.r_[0, 0, np.full(k - 2, 3.0)],
    "spaced": lambda k: 2.0 * np.arange(k),
}
TESTS = {  # each with the ρ of its samples, and numbers of examples
    "KFoldZTest": (KFoldZTest(), 0.0, (60, 200, 400)),
    "default": (None, 1 / 3, (60, 400)),
    "KFoldTTest(1/3)": (KFoldTTest(1 / 3), 1 / 3, (200,)),
}
N_SAMPLES = 300
HEADER = "test", "rho", "models", "n", "means", "samples"
HEADER += "covered", "some", "power", "pairs_covered", "pairs_power"


def sample(rng, k, n, rho, means):
    """Return {model: losses} and the true mean losses."""
    error = np.sqrt(2 / n / (1 - rho))  # of a difference
    shift = np.sqrt(rho / (1 - rho) / n) * rng.normal(size=(k, 1))
    truth = 9 + error * means
    losses = rng.normal(size=(k, n)) + rng.normal(size=n) + shift + truth[:, np.newaxis]
    return {f"m{i}": row for i, row in enumerate(losses)}, truth


def of_table(result, truth):
    """Return whether the intervals of models hold, and who is called worse."""
    best, names = result.best_set(), list(result.estimator_names)
    behind = {
        name: truth[i] - np.delete(truth, i).min() for i, name in enumerate(names)
    }
    is_covered = all(
        low - 1e-9 <= behind[name] <= high + 1e-9
        for name, (_, low, high) in best.differences.items()
    )
    return is_covered, np.array([name not in best.names for name in names])


def of_pairs(result, truth):
    """Return whether the intervals of pairs hold, and which are significant."""
    table = result.table
    low, high = table.shown_intervals
    gaps = truth[table.first] - truth[table.second]
    return np.all((low <= gaps) & (gaps <= high)), table.significant, gaps != 0


def rates(name, k, n, where):
    """Return the shares of samples of one row."""
    test, rho, _ = TESTS[name]
    rng = np.random.default_rng(zlib.crc32(f"{name} {k} {n} {where}".encode()))
    means, splits = SPACES[where](k), np.arange(n) % 5
    covered, some, power, pairs_covered, pairs_power = [], [], [], [], []
    for _ in range(N_SAMPLES):
        given, truth = sample(rng, k, n, rho, means)
        options = {"loss": "absolute_error", "splits": splits, "test": test}
        result = compare_predictions(np.zeros(n), given, **options)
        is_covered, is_worse = of_table(result, truth)
        covered.append(is_covered)
        some.append(is_worse[means == 0].any())
        power.append(is_worse[means > 0].mean() if means.any() else np.nan)
        all_hold, is_found, differ = of_pairs(result, truth)
        pairs_covered.append(all_hold)
        pairs_power.append(is_found[differ].mean() if differ.any() else np.nan)
    return [np.mean(x) for x in (covered, some, power, pairs_covered, pairs_power)]


if __name__ == "__main__":
    warnings.simplefilter("ignore")
    rows = []
    for name, (_, rho, sizes) in TESTS.items():
        for k, n, where in itertools.product((3, 5, 8), sizes, SPACES):
            shares = [f"{share:.4f}" for share in rates(name, k, n, where)]
            row = name, f"{rho:.3g}", k, n, where, N_SAMPLES, *shares
            rows.append(row)
            print(*row, flush=True)
    write_rows(sys.argv[1], HEADER, rows)
