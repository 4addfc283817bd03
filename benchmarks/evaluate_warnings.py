"""Where intervals miss that a warning is about, from the losses that study.py stored.

- "target": how often the 95% interval of the mean squared and the mean absolute error
  of one model, by a single 10-fold, misses the truth, by the L-skewness of the target
  in the sample (`cross_val_interval` warns above 0.3);
- "rare": how often the 95% interval of the difference of two error rates, by two runs
  of 5-fold, misses the truth, by the share of the rarer of two classes and the expected
  number of its examples (warned of up to 15% and 30 examples), with and without naive
  Bayes and linear discriminant analysis; and how often the wrong one is called better.

    python benchmarks/evaluate_warnings.py --fits out --csv study_warnings.csv
"""

import argparse
import itertools
import pathlib

import numpy as np
import populations
from evaluate import File, as_text, loss_of, read_files, residuals_of, write

from sklearn_cvtest import KFoldZTest
from sklearn_cvtest._data._moments import l_skewness
from sklearn_cvtest._pairs._intervals import interval_in_range

LEVEL = 0.95
SKEWNESS = (0, 0.1, 0.2, 0.3, 0.4, 1)
SHARES = (0, 0.05, 0.1, 0.15, 0.3, 0.5)
COUNTS = (0, 10, 20, 30, 500)
WARNED = 0.3  # the L-skewness above which `cross_val_interval` warns
FIELDS = [
    "what", "of", "least", "below", "least_count", "below_count", "number", "misses",
    "wrong",
]  # fmt: skip
LIBERAL = {"bayes", "lda"}


def files_of(folder, task):
    """Yield the files of a task without groups."""
    for path, row, size in read_files(folder):
        if row.task == task and not row.group:
            with np.load(path) as arrays:
                yield File(row, size, dict(arrays))


def rates_of_targets(folder):
    """Yield (loss, L-skewness of the target, whether the interval holds the truth)."""
    test = KFoldZTest()
    for file in files_of(folder, "regression"):
        errors = file.errors(10)[:, :1]
        skewness = np.abs(l_skewness(file.arrays["y"].astype(np.float64)))
        for loss, model in itertools.product(file.losses, range(len(file.learners))):
            losses = loss_of(errors[..., model], loss)
            result = test.evaluate(residuals_of(losses, 10))
            ends = np.transpose(test.interval(result, LEVEL))
            truth = file.truth(loss, 10)[model]
            for sample, estimate in enumerate(result.estimate):
                low, high = interval_in_range(estimate, ends[sample], (0, np.inf))
                yield loss, skewness[sample], low <= truth <= high


def rates_of_classes(folder):
    """Yield (share, count, whether liberal, misses, names the wrong model) of files."""
    test = KFoldZTest()
    for file in files_of(folder, "classification"):
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


def target_table(folder):
    """Return rows: how often intervals hold the truth, by L-skewness of the target."""
    rates = list(rates_of_targets(folder))
    limits = [*itertools.pairwise(SKEWNESS), (0, WARNED), (WARNED, 1)]
    table = []
    for loss, (low, high) in itertools.product(("squared", "absolute"), limits):
        holds = [
            is_held
            for its_loss, skewness, is_held in rates
            if its_loss == loss and low <= skewness < high
        ]
        if holds:
            row = {"of": loss, "least": low, "below": high, "number": len(holds)}
            table.append(row | {"misses": 1 - np.mean(holds)})
    return table


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
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--fits", type=pathlib.Path, required=True)
    parser.add_argument("--csv", type=pathlib.Path, help="for the table")
    options = parser.parse_args()
    table = []
    for what, rows_of in (("target", target_table), ("rare", rare_table)):
        table += [{"what": what} | row for row in rows_of(options.fits)]
    for row in table:
        print(*map(as_text, row.values()), sep=",")
    if options.csv:
        write(options.csv, FIELDS, table)


if __name__ == "__main__":
    main()
