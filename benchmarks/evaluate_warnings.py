"""Where intervals of two error rates miss, in the samples of study.py.

How often the 95% interval of the difference of two error rates, by two runs of 5-fold,
misses the truth, by the share of the rarer of two classes and the expected number of
its examples (warned of up to 15% and 30 examples), with and without naive Bayes and
linear discriminant analysis; and how often the wrong one is called better.

    python benchmarks/evaluate_warnings.py    # writes docs/data/study_warnings.csv
"""

import itertools

import numpy as np
import populations
from evaluate import residuals_of
from harness import Table, command
from study import FULL, QUICK, files

from sklearn_cvtest import KFoldZTest

LEVEL = 0.95
SHARES = (0, 0.05, 0.1, 0.15, 0.3, 0.5)
COUNTS = (0, 10, 20, 30, 500)
LIBERAL = {"bayes", "lda"}


def rates_of_classes(n_samples):
    """Yield (share, count, whether liberal, misses, names the wrong model) of files."""
    test = KFoldZTest()
    for file in files(n_samples):
        if file.row.task != "classification" or file.row.group:
            continue
        counts = np.unique(populations.load(file.row).y, return_counts=True)[1]
        if len(counts) != 2:
            continue
        share = counts.min() / counts.sum()
        errors = file.errors(5)[:, :2]
        truth = file.truth("zero_one", 5)
        for first, second in itertools.combinations(range(len(file.learners)), 2):
            differences = errors[..., first] - errors[..., second]
            result = test.evaluate(residuals_of(differences, 5))
            low, high = test.interval(result, LEVEL)
            true = truth[first] - truth[second]
            is_wrong = (result.pvalue <= 1 - LEVEL) & (result.estimate * true < 0)
            names = {file.learners[first], file.learners[second]}
            misses = np.mean((true < low) | (true > high))
            is_liberal = bool(names & LIBERAL)
            yield share, share * file.n, is_liberal, misses, np.mean(is_wrong)


def rows(n_samples):
    """Yield how often intervals of differences miss the truth, by rarity.

    Cells of a file share its samples, which are counted once.
    """
    rates = list(rates_of_classes(n_samples))
    shares, counts = itertools.pairwise(SHARES), list(itertools.pairwise(COUNTS))
    for share, count, liberal in itertools.product(shares, counts, (False, True)):
        cells = [
            (misses, wrong)
            for its_share, its_count, is_liberal, misses, wrong in rates
            if share[0] <= its_share < share[1]
            and count[0] <= its_count < count[1]
            and is_liberal == liberal
        ]
        if cells:
            misses, wrong = np.mean(cells, axis=0)
            n_files = len(cells) // (9 if liberal else 6)  # pairs of learners
            row = {"of": "naive Bayes, LDA" if liberal else "others"}
            row |= {"least": share[0], "below": share[1]}
            row |= {"least_count": count[0], "below_count": count[1]}
            row |= {"number": len(cells), "samples": n_files * n_samples}
            yield row | {"misses": misses, "wrong": wrong}


KEYS = "of", "least", "below", "least_count", "below_count"
RATES = dict.fromkeys(("misses", "wrong"))
TABLES = [Table("study_warnings", rows, KEYS, RATES, FULL, QUICK)]


if __name__ == "__main__":
    command(__doc__, *TABLES)
