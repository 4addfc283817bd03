"""Power of CrossedTest, and of a t test of the means of runs: one test set, two models.

    python benchmarks/crossed_power.py docs/data/crossed_power.csv

Normal scores with paired runs: as in crossed_calibration.py, the variance of runs is
a share of that of the mean difference. The true difference is given in standard
deviations of the estimated one; 0 is the size. The t test of means rejects true null
hypotheses far too often where runs differ little, so its rates are no power there.
"""

import csv
import sys
import zlib

import numpy as np
from scipy import stats

from sklearn_cvtest import CrossedTest

FIELDS = "n_runs", "n_examples", "share_of_runs", "difference", "crossed", "t_of_means"
ALPHA = 0.05
N_SAMPLES = 1000


def measure(n_runs, n_examples, share, difference):
    """Return a row of the table."""
    cell = n_runs, n_examples, share, difference
    rng = np.random.default_rng(zlib.crc32(repr(cell).encode()))
    rest = 1 / n_examples + 1 / (n_examples * n_runs)  # as of examples and of noise
    of_runs = share / (1 - share) * n_runs * rest
    shift = difference * np.sqrt(rest + of_runs / n_runs)
    rates = np.zeros(2)
    for _ in range(N_SAMPLES):
        d = rng.normal(size=n_examples) + rng.normal(size=(n_runs, n_examples))
        d += shift + np.sqrt(of_runs) * rng.normal(size=(n_runs, 1))
        pvalues = CrossedTest().fit(d).pvalue_, stats.ttest_1samp(d.mean(1), 0).pvalue
        rates += np.array(pvalues) <= ALPHA
    return [*cell, *(f"{rate:.3f}" for rate in rates / N_SAMPLES)]


def main(path):
    """Write the table."""
    with open(path, "w", newline="", encoding="utf-8") as file:
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow(FIELDS)
        for n_runs in (2, 3, 5, 10):
            for share in (0.0, 0.2, 0.5):
                for difference in (0, 2, 3, 4):
                    writer.writerow(measure(n_runs, 200, share, difference))


if __name__ == "__main__":
    main(sys.argv[1])
