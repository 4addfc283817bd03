"""Where intervals of two error rates miss, from the losses that study.py stored.

How often the 95% interval of the difference of two error rates, by two runs of 5-fold,
misses the truth, by the share of the rarer of two classes and the expected number of
its examples (warned of up to 15% and 30 examples), with and without naive Bayes and
linear discriminant analysis; and how often the wrong one is called better.

    python benchmarks/evaluate_warnings.py --fits out --csv study_warnings.csv
"""

import itertools
import pathlib

import numpy as np
import populations
from evaluate import File, read_files, residuals_of, write
from harness import parser_of, shown

from sklearn_cvtest import KFoldZTest

LEVEL = 0.95
SHARES = (0, 0.05, 0.1, 0.15, 0.3, 0.5)
COUNTS = (0, 10, 20, 30, 500)
FIELDS = [
    "of", "least", "below", "least_count", "below_count", "number", "misses", "wrong",
]  # fmt: skip
LIBERAL = {"bayes", "lda"}


def files_of_classes(folder):
    """Yield the files of classes without groups."""
    for path, row, size in read_files(folder):
        if row.task == "classification" and not row.group:
            with np.load(path) as arrays:
                yield File(row, size, dict(arrays))


def rates_of_classes(folder):
    """Yield (share, count, whether liberal, misses, names the wrong model) of files."""
    test = KFoldZTest()
    for file in files_of_classes(folder):
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


def rare_table(folder):
    """Return rows: how often intervals of differences miss the truth, by rarity."""
    rates = list(rates_of_classes(folder))
    shares, counts = itertools.pairwise(SHARES), list(itertools.pairwise(COUNTS))
    table = []
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
            of = "naive Bayes, LDA" if liberal else "others"
            row = {"of": of, "least": share[0], "below": share[1]}
            row |= {"least_count": count[0], "below_count": count[1]}
            row |= {"number": len(cells), "misses": misses, "wrong": wrong}
            table.append(row)
    return table


def main():
    parser = parser_of(__doc__)
    parser.add_argument("--fits", type=pathlib.Path, required=True)
    parser.add_argument("--csv", type=pathlib.Path, help="for the table")
    options = parser.parse_args()
    table = rare_table(options.fits)
    shown(row.values() for row in table)
    if options.csv:
        write(options.csv, FIELDS, table)


if __name__ == "__main__":
    main()
