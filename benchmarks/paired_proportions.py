"""How often intervals of paired proportions miss the difference: exact sums.

    python benchmarks/paired_proportions.py docs/data/paired_proportions.csv

Two models are right or wrong on n examples; exactly one of them is right on a share of
these, and their shares differ. All outcomes (b, c) are weighed by their probability, so
that nothing is simulated. Of the difference 0, what an interval misses is what its test
rejects: for the score test, McNemar's without correction.
"""

import argparse
import csv
import itertools

import numpy as np
from scipy import stats

from sklearn_cvtest._inference._paired_proportions import score_statistic

SIZES = 10, 20, 30, 50, 100, 200, 400
DISCORDANT = 0.04, 0.12, 0.3
DIFFERENCES = 0.0, 0.02, 0.1
ALPHA = 0.05


def outcomes(n):
    """Return all numbers (b, c) of examples that only one of the two gets wrong."""
    b, c = np.meshgrid(np.arange(n + 1), np.arange(n + 1), indexing="ij")
    kept = b + c <= n
    return b[kept], c[kept]


def misses(b, c, n, difference):
    """Return whether 95% intervals of t, the score test, and Bonett and Price miss."""
    critical = stats.norm.isf(ALPHA / 2)
    estimate, error = (b - c) / n, np.sqrt((b + c - (b - c) ** 2 / n) / (n - 1) / n)
    far = np.abs(estimate - difference)
    of_t = far > np.maximum(stats.t.isf(ALPHA / 2, n - 1) * error, 1e-12)
    of_score = np.abs(score_statistic(b, c, n, difference)) >= critical
    first, second = (b + 1) / (n + 2), (c + 1) / (n + 2)
    centre = first - second
    error = np.sqrt((first + second - centre**2) / (n + 2))
    return of_t, of_score, np.abs(centre - difference) > critical * error


def main():
    """Write the table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("out")
    options = parser.parse_args()
    with open(options.out, "w", newline="", encoding="utf-8") as file:
        writer = csv.writer(file, lineterminator="\n")
        names = "n", "discordant", "difference", "t", "score", "bonett_price"
        writer.writerow(names)
        for cell in itertools.product(SIZES, DISCORDANT, DIFFERENCES):
            n, discordant, difference = cell
            if difference > discordant:
                continue
            shares = (discordant + difference) / 2, (discordant - difference) / 2
            b, c = outcomes(n)
            counts = np.column_stack([b, c, n - b - c])
            weights = stats.multinomial.pmf(counts, n, [*shares, 1 - sum(shares)])
            rates = [weights @ missed for missed in misses(b, c, n, difference)]
            writer.writerow([*cell, *(f"{rate:.4f}" for rate in rates)])


if __name__ == "__main__":
    main()
