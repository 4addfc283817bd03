"""Type-I error of CrossedTest where runs vary much: from the laws of mean squares.

    python benchmarks/crossed_mean_squares.py docs/data/crossed_mean_squares.csv

Of normal scores the mean squares of runs, examples and both are independent multiples
of χ², and independent of the mean; so samples are numbers, and 200,000 of them quick.
Shares are those of runs in the variance of the mean difference, up to 0.8.
"""

import argparse
import csv
import itertools

import numpy as np
from scipy import stats

from sklearn_cvtest._inference._crossed import MeanSquares

RUNS = 2, 3, 5, 10
EXAMPLES = 50, 500
SHARES = 0.0, 0.2, 0.5, 0.8
N_SAMPLES = 200_000


def rejection_rate(rng, n_runs, n_examples, share):
    """Return how often the null hypothesis is rejected at the 5% level."""
    of_examples = both = 1.0
    rest = of_examples / n_examples + both / (n_examples * n_runs)
    of_runs = share / (1 - share) * n_runs * rest
    expected = n_examples * of_runs + both, n_runs * of_examples + both, both
    df = n_runs - 1, n_examples - 1, (n_runs - 1) * (n_examples - 1)
    squares = [
        value * rng.chisquare(count, N_SAMPLES) / count
        for value, count in zip(expected, df, strict=True)
    ]
    variance = (expected[0] + expected[1] - both) / (n_runs * n_examples)
    mean = np.sqrt(variance) * rng.normal(size=N_SAMPLES)
    found = MeanSquares(mean, *squares, (n_runs, n_examples))
    t = np.abs(mean) / np.sqrt(found.variance)
    return np.mean(2 * stats.t.sf(t, found.df) <= 0.05)


def main():
    """Write the table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("out")
    options = parser.parse_args()
    rng = np.random.default_rng(0)
    with open(options.out, "w", newline="", encoding="utf-8") as file:
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow(["n_runs", "n_examples", "share_of_runs", "rate"])
        for cell in itertools.product(RUNS, EXAMPLES, SHARES):
            writer.writerow([*cell, f"{rejection_rate(rng, *cell):.4f}"])


if __name__ == "__main__":
    main()
