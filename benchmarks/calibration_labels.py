"""Size and coverage of the intervals of `Comparison.by`, label by label.

Ridge regression and trees of depth 5 (five features, a linear target) are compared by
squared error and by whether the sign is wrong. The truth of a label is the mean over
all samples. Rows are "independent" (300), "in groups" (60 of 5, intra-class correlation
0.5) or of "sites" (so many groups of 30, the same in all samples, each its own label).
Labels are

- "rows": drawn for each row;
- "groups": drawn for each group, as the sex of patients;
- "feature": quantiles of a feature, where the difference is not the same;
- "small": one of nearly all rows or groups, the others of 12;
- "sites": the groups themselves.

Run: python benchmarks/calibration_labels.py [--samples 400]
Writes docs/calibration_labels.csv: how often intervals at 95% miss the truth of a label
(mean and largest over the labels), and how often a simultaneous interval of any label
does, which is how often Holm's adjustment rejects a true null hypothesis at 5%.
"""

import argparse
import pathlib
import warnings
from dataclasses import replace

import numpy as np
from calibration_groups import (
    DOCS,
    MODELS,
    Splits,
    alike_normal,
    predict,
    shown,
    write,
)

import sklearn_cvtest as ct

HEADER = (
    "rows", "design", "loss", "labels", "n_labels", "missed_mean", "missed_max",
    "missed_any",
)  # fmt: skip
DESIGNS = "10-fold", "2 x 5-fold"
NUMBERS = 2, 5, 10


class Rows:
    """Rows of a sample and their groups; sites are the same in all samples."""

    def __init__(self, kind, n_sites=None, seed=0):
        self.kind, self.rng = kind, np.random.default_rng(seed)
        if kind == "sites":
            self.codes = np.repeat(np.arange(n_sites), 30)
            self.effects = self.rng.normal(size=(n_sites, 6)) * np.sqrt(0.5)
        else:
            per_group = 5 if kind == "in groups" else 1
            self.codes = np.repeat(np.arange(300 // per_group), per_group)

    def draw(self):
        n = len(self.codes)
        if self.kind == "sites":
            own = self.rng.normal(size=(n, 6)) * np.sqrt(0.5)
            values = self.effects[self.codes] + own
        else:
            values = alike_normal(self.codes, np.sqrt(0.5), 6, self.rng).T
        X = np.ascontiguousarray(values[:, :5], dtype=np.float32)
        return X, np.sqrt(3 / 5) * X.sum(axis=1) + values[:, 5]

    def labels(self, kind, n_labels, X):
        """Return the label of each row of a sample."""
        rng = np.random.default_rng(n_labels)  # labels are no part of what is drawn
        n, n_groups = len(self.codes), self.codes.max() + 1
        if kind == "rows":
            return rng.permutation(np.arange(n) % n_labels)
        if kind == "groups":
            return rng.permutation(np.arange(n_groups) % n_labels)[self.codes]
        if kind == "feature":
            return np.argsort(np.argsort(X[:, 0])) * n_labels // n
        if kind == "small":
            small = np.repeat(np.arange(1, n_labels), 12)[: n_groups - 12]
            rest = np.zeros(n_groups - len(small), dtype=int)
            return rng.permutation(np.append(small, rest))[self.codes]
        return self.codes


def kinds_of(rows, n_sites):
    """Return the kinds and numbers of labels."""
    if rows == "sites":
        return [("sites", n_sites)]
    kinds = ["rows", "feature", "small"]
    if rows == "in groups":
        kinds.insert(1, "groups")
    return [
        (kind, number)
        for kind in kinds
        for number in NUMBERS
        # ten groups of each label there must be
        if rows != "in groups" or kind == "rows" or number <= 5
    ]


def measure(rows, n_sites, n_samples, seed):
    """Yield a row of the table for each design, loss and kind of labels."""
    population = Rows(rows, n_sites, seed)
    designs = DESIGNS
    if rows == "sites":
        designs = ("one fold a site",)
    every = [splits_of(design, population.codes) for design in designs]
    found = {}
    for _ in range(n_samples):
        X, y = population.draw()
        for splits in every:
            for loss in ("squared error", "zero-one"):
                comparison = compare(splits, X, y, loss)
                for kind, number in kinds_of(rows, n_sites):
                    labels = population.labels(kind, number, X)
                    key = splits.name, loss, kind, number
                    found.setdefault(key, []).append(ends(comparison, labels))
    for key, samples in found.items():
        yield rows, *key, *misses(np.array(samples))


def splits_of(design, codes):
    if design in DESIGNS:
        return Splits(design, codes)
    return Splits(design, codes, ct.BlockKFold(codes.max() + 1, random_state=0))


def compare(splits, X, y, loss):
    """Return the comparison of the two models on a sample."""
    tested, is_zero_one = y[splits.losses.row_index], loss == "zero-one"
    target = np.sign(y) if is_zero_one else y
    losses = []
    for model in MODELS.values():
        predicted = predict(model, X, target, splits)
        wrong = predicted * tested <= 0
        losses.append(wrong if is_zero_one else (predicted - tested) ** 2)
    none = np.zeros((len(splits.losses.n_test), 2))
    both = replace(
        splits.losses,
        estimator_names=tuple(MODELS),
        losses=np.array(losses, dtype=float).T,
        fit_time=none,
        score_time=none,
        fit_failed=none.astype(bool),
    )
    return ct.Comparison(both)


def ends(comparison, labels):
    """Return the estimate, interval and simultaneous interval of each label."""
    result = comparison.by(labels)
    columns = (
        result.estimate, result.ci_low, result.ci_high, result.ci_low_simultaneous,
        result.ci_high_simultaneous,
    )  # fmt: skip
    return [column[:, 0] for column in columns]


def misses(samples):
    """Return how often intervals miss the truth: mean, largest, and any together."""
    estimate, low, high, low_all, high_all = np.moveaxis(samples, 1, 0)
    truth = np.nanmean(estimate, axis=0)
    missed = np.where(np.isnan(low), np.nan, (truth < low) | (truth > high))
    of_label = np.nanmean(missed, axis=0)
    any_missed = ((truth < low_all) | (truth > high_all)).any(axis=1)
    return of_label.mean(), of_label.max(), any_missed.mean()


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--samples", type=int, default=400)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--folder", type=pathlib.Path, default=DOCS)
    options = parser.parse_args()
    warnings.simplefilter("ignore")
    cells = [("independent", None), ("in groups", None)]
    cells += [("sites", number) for number in NUMBERS]
    rows = []
    for cell in cells:
        rows += shown(measure(*cell, options.samples, options.seed))
        write(options.folder / "calibration_labels.csv", HEADER, rows)


if __name__ == "__main__":
    main()
