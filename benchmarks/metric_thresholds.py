"""With how few examples of a class in each test set do intervals of a metric hold it?

A fixed rule, which is not trained, is tested on the ten folds of a sample, so that all
that is wrong comes from the metric of small test sets: from its bias, and from its
linearisation. How often do 95% intervals of the mean over folds hold the metric on
400,000 other examples, from values per example (`by_example`) and from the means of
folds (`by_fold`)? The thresholds of FewExamplesWarning are where `by_example` is at
least 93%. Two minutes:

    python benchmarks/metric_thresholds.py --csv docs/data/metric_thresholds.csv
"""

import argparse
import pathlib
import warnings

import numpy as np
from direct_losses import MEASURES, losses_of_values
from harness import write_table

from sklearn_cvtest import BlockKFold
from sklearn_cvtest._pairs._intervals import estimator_intervals

N_FOLDS, N_TRUTH = 10, 400_000
OF_CLASSES = (
    "roc_auc",
    "average_precision",
    "f1",
    "balanced_accuracy",
    "matthews_corrcoef",
    "precision",
)
OF_NUMBERS = "r2", "rmse"


def classes(rng, n, share):
    y = (rng.random(n) < share).astype(int)
    scores = 1.5 * y + rng.normal(size=n)
    labels = (scores > (0.75 if share == 0.5 else 1.4)).astype(int)
    return y, {"scores": scores, "labels": labels}


def numbers(rng, n, tails):
    prediction = rng.normal(size=n)
    noise = rng.normal(size=n) if tails == "normal" else rng.standard_t(5, size=n)
    return prediction + noise, {"numbers": prediction}


KINDS = {
    "50% positives": (classes, 0.5, OF_CLASSES),
    "10% positives": (classes, 0.1, OF_CLASSES),
    "normal": (numbers, "normal", OF_NUMBERS),
    "t with 5 df": (numbers, "t", OF_NUMBERS),
}


def folds_of(y, rng, stratify):
    seed = int(rng.integers(2**31))
    cv = BlockKFold(N_FOLDS, stratify=stratify, random_state=seed)
    return list(cv.split(np.zeros((len(y), 1)), y)), cv.get_design()


def coverage(kind, n_test, n_samples, rng):
    """Return rows of the table, one for each metric."""
    draw, option, metrics = KINDS[kind]
    y, outputs = draw(rng, N_TRUTH, option)
    truth = {name: evaluated(name, y, outputs)[0] for name in metrics}
    found = {name: [] for name in metrics}
    for _ in range(n_samples):
        y, outputs = drawn(draw, rng, N_FOLDS * n_test, option)
        splits, design = folds_of(y, rng, draw is classes)
        for name in metrics:
            values = [evaluated(name, y, outputs, test) for _, test in splits]
            rows = []
            for fewest in (0, np.inf):
                losses = losses_of_values(
                    name, [[v] for v in values], y, splits, design, fewest=fewest
                )
                one = estimator_intervals(losses)
                rows += [one.estimate[0], one.ci_low[0], one.ci_high[0]]
            found[name].append(rows)
    share = min(option, 1 - option) if draw is classes else 1
    for name in metrics:
        estimate, low, high, _, low_of_folds, high_of_folds = np.array(found[name]).T
        is_in = (low <= truth[name]) & (truth[name] <= high)
        is_in_folds = (low_of_folds <= truth[name]) & (truth[name] <= high_of_folds)
        yield {
            "target": kind,
            "metric": name,
            "n_test": n_test,
            "smallest_class": f"{n_test * share:g}",
            "truth": f"{truth[name]:.3f}",
            "estimate": f"{estimate.mean():.3f}",
            "deviation": f"{estimate.std(ddof=1):.3f}",
            "by_example": round(is_in.mean(), 4),
            "by_fold": round(is_in_folds.mean(), 4),
            "samples": n_samples,
        }


def drawn(draw, rng, n, option):
    """Draw a sample with as many examples of each class as there are folds."""
    while True:
        y, outputs = draw(rng, n, option)
        if draw is numbers or min(y.sum(), n - y.sum()) >= N_FOLDS:
            return y, outputs


def evaluated(name, y, outputs, rows=slice(None)):
    measure = MEASURES[name]
    return measure.function(y[rows], outputs[measure.takes][rows])


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--samples", type=int, default=300)
    parser.add_argument("--csv", type=pathlib.Path)
    arguments = parser.parse_args()
    warnings.simplefilter("ignore")
    rng = np.random.default_rng(0)
    table = []
    for kind, (draw, option, _) in KINDS.items():
        sizes = (10, 15, 20, 30, 50)
        if draw is classes:
            sizes = [round(count / option) for count in (2, 3, 5, 7, 10, 15)]
        for n_test in sizes:
            for row in coverage(kind, n_test, arguments.samples, rng):
                print(*row.values(), sep="  ", flush=True)
                table.append(row)
    if arguments.csv:
        write_table(arguments.csv, table)


if __name__ == "__main__":
    main()
