"""How often the tests and intervals of `Comparison.by` are wrong, label by label.

Two pairs of models are compared by squared error and by whether the sign is wrong:
trees of depth 5 on two different pairs of four equally good features, which do not
differ ("tree - tree"), and ridge regression and such a tree on all of five ("linear -
tree"), where the truth of a label is the mean over all samples, so that the rate is
that at which intervals miss it. Rows are "independent" (300), "in groups" (60 of 5,
intra-class correlation 0.5) or of "sites" (so many groups of 30, the same in all
samples, each its own label and test set). Labels are

- "rows": drawn for each row;
- "groups": drawn for each group, as the sex of patients;
- "feature": quantiles of a feature;
- "small": one of nearly all rows (groups), the others of 12 each;
- "sites": the groups themselves.

Run: python benchmarks/calibration_labels.py [--samples 400] [--rows KIND ...]
Writes docs/data/calibration_labels.csv: how often the truth of a label is rejected at
5%, that is, missed by the interval at 95% (mean and largest over the labels), and how
often that of any label is by Holm's adjustment, that is, missed by a simultaneous
interval.
"""

import argparse
import pathlib
import warnings
from dataclasses import replace

import numpy as np
from calibration_groups import MODELS, Splits, alike_normal, predict
from harness import DATA, merge_rows, shown

import sklearn_cvtest as ct
from sklearn_cvtest._results._by_label import differences_by_label

HEADER = (
    "rows", "design", "test", "pair", "loss", "labels", "n_labels", "wrong_mean",
    "wrong_max", "wrong_any", "samples",
)  # fmt: skip
DESIGNS = "10-fold", "2 x 5-fold"
TESTS = {"10-fold": (ct.IntegratedRhoTest(), ct.KFoldZTest())}
NUMBERS = 2, 5, 10
PAIRS = {  # two models, each with its features
    "tree - tree": (("tree", [0, 1]), ("tree", [2, 3])),
    "linear - tree": (("linear", slice(None)), ("tree", slice(None))),
}


class Population:
    """Draws rows with five features and a linear target; sites stay the same."""

    def __init__(self, kind, n_sites, rng):
        self.kind, self.rng = kind, rng
        per_group = {"independent": 1, "in groups": 5, "sites": 30}[kind]
        n_groups = n_sites or 300 // per_group
        self.codes = np.repeat(np.arange(n_groups), per_group)
        self.effects = rng.normal(size=(n_groups, 6))

    def draw(self):
        if self.kind == "sites":
            own = self.rng.normal(size=(len(self.codes), 6))
            values = (self.effects[self.codes] + own) * np.sqrt(0.5)
        else:
            values = alike_normal(self.codes, np.sqrt(0.5), 6, self.rng).T
        if self.kind == "independent":  # a label by position is one by the feature
            values = values[np.argsort(values[:, 4])]
        X = np.ascontiguousarray(values[:, :5], dtype=np.float32)
        return X, np.sqrt(3 / 5) * X.sum(axis=1) + values[:, 5]

    def labels(self):
        """Yield a kind of labels, their number, and the label of each row."""
        n, n_groups = len(self.codes), self.codes[-1] + 1
        if self.kind == "sites":
            yield "sites", n_groups, self.codes
            return
        for number in NUMBERS:
            rng = np.random.default_rng(number)
            yield "rows", number, rng.permutation(np.arange(n) % number)
            if self.kind == "independent":
                yield "feature", number, np.arange(n) * number // n
            elif number <= 5:  # a label needs ten groups
                by_group = rng.permutation(np.arange(n_groups) % number)
                yield "groups", number, by_group[self.codes]
            if 12 * number <= n_groups:
                small = np.repeat(np.arange(1, number), 12)
                rest = np.zeros(n_groups - len(small), dtype=int)
                yield (
                    "small",
                    number,
                    rng.permutation(np.append(small, rest))[self.codes],
                )


def measure(kind, n_sites, n_samples, seed):
    """Yield a row of the table for each design, test, loss and kind of labels."""
    population = Population(kind, n_sites, np.random.default_rng(seed))
    codes = population.codes
    every = [Splits(design, codes) for design in DESIGNS if n_sites is None]
    if n_sites is not None:
        every = [Splits("a fold a site", codes, ct.BlockKFold(n_sites, random_state=0))]
    names = ["linear - tree"] if kind == "sites" else list(PAIRS)
    losses = [
        {(name, is_sign): [] for name in names for is_sign in (False, True)}
        for _ in every
    ]
    for _ in range(n_samples):
        X, y = population.draw()
        for splits, found in zip(every, losses, strict=True):
            for (name, is_sign), rows in found.items():
                rows += losses_of_models(PAIRS[name], splits, X, y, is_sign)
    for splits, found in zip(every, losses, strict=True):
        for (pair, is_sign), rows in found.items():
            loss = "zero-one" if is_sign else "squared error"
            every_loss = losses_of_samples(splits.losses, np.array(rows).T)
            for test in TESTS.get(splits.name, (ct.IntegratedRhoTest(),)):
                name = " ".join(repr(test).split())
                for labels, number, label in population.labels():
                    wrong = wrong_by_label(every_loss, test, label, pair)
                    yield kind, splits.name, name, pair, loss, labels, number, *wrong


def losses_of_models(models, splits, X, y, is_sign):
    """Return the losses of both models, of all tested rows."""
    tested, target = y[splits.losses.row_index], np.sign(y) if is_sign else y
    predicted = [
        predict(MODELS[name], X[:, features], target, splits)
        for name, features in models
    ]
    if is_sign:
        return [(one * tested <= 0).astype(float) for one in predicted]
    return [(one - tested) ** 2 for one in predicted]


def losses_of_samples(template, losses):
    """Return losses of the models of all samples, as if of so many models."""
    n_models = losses.shape[1]
    none = np.zeros((len(template.n_test), n_models))
    return replace(
        template,
        estimator_names=tuple(map(str, range(n_models))),
        losses=losses,
        fit_time=none,
        score_time=none,
        fit_failed=none.astype(bool),
    )


def wrong_by_label(losses, test, labels, pair):
    """Return how often the truth of a label is rejected: mean, largest, and any."""
    n_models = losses.losses.shape[1]
    pairs = np.arange(n_models).reshape(-1, 2)
    options = {"p_adjust": None, "alpha": 0.05}
    truth = np.zeros(labels.max() + 1)
    if pair != "tree - tree":
        found = differences_by_label(losses, pairs, test, labels, **options)
        truth = found.estimate.mean(axis=1)
    shift = truth[labels[losses.row_index], np.newaxis] * (np.arange(n_models) % 2 == 0)
    moved = replace(losses, losses=losses.losses - shift, loss_name="difference")
    pvalues = differences_by_label(moved, pairs, test, labels, **options).pvalue
    of_label = (pvalues <= 0.05).mean(axis=1)
    any_label = (pvalues <= 0.05 / len(truth)).any(axis=0).mean()
    return of_label.mean(), of_label.max(), any_label


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--samples", type=int, default=400)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--rows", nargs="+", help="only rows of these kinds")
    parser.add_argument("--folder", type=pathlib.Path, default=DATA)
    options = parser.parse_args()
    warnings.simplefilter("ignore")
    cells = [("independent", None), ("in groups", None)]
    cells += [("sites", number) for number in NUMBERS]
    for cell in cells:
        if options.rows and cell[0] not in options.rows:
            continue
        found = measure(*cell, options.samples, options.seed)
        rows = shown((*row, options.samples) for row in found)
        merge_rows(options.folder / "calibration_labels.csv", HEADER, rows, 7)


if __name__ == "__main__":
    main()
