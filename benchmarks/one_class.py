"""Which ρ suits metrics of predicted labels: F1, recall, precision, averages, MCC.

Four learners, 2 x 5-fold, samples of 100 and 250 rows of five populations with three
shares of positives. Each class has two blocks of features that can be exchanged, so
that a learner is exactly as good on one as on the other. The truth is the metric of
models trained on four fifths of so many rows, on 2,000 others. In percent, with
standard errors over populations, shares and sizes:

- interval: 95% intervals of the difference of two learners that miss the truth,
- equal: a learner on one block called different from the same on the other,
- power: rejections where the truth is 3 standard deviations of the estimate away,
- model: 95% intervals of one learner, as of `cross_val_interval`, that miss.

    python benchmarks/one_class.py    # ten minutes; writes docs/data/one_class.csv
"""

import itertools
import zlib

import numpy as np
from harness import Table, command
from sklearn.base import clone
from sklearn.datasets import load_breast_cancer, load_digits
from sklearn.linear_model import LogisticRegression
from sklearn.naive_bayes import GaussianNB
from sklearn.neighbors import KNeighborsClassifier
from sklearn.preprocessing import scale
from sklearn.tree import DecisionTreeClassifier

from sklearn_cvtest import BlockKFold, CVResiduals, KFoldZTest

RHOS = (1 / 3, 0.45, 0.5, 0.6, 0.7)
DISTANCES = {"normal": 0.5, "clusters": 1.5, "noisy labels": 0.9}
TUMOURS, DIGITS = load_breast_cancer(), load_digits()
DATA = {
    "tumours": (scale(TUMOURS.data[:, :8]), 1 - TUMOURS.target),
    "digits": (scale(DIGITS.data[:, 16:48]), np.isin(DIGITS.target, (3, 5, 8))),
}
CELLS = [*itertools.product([*DISTANCES, *DATA], (100, 250), (0.5, 0.3, 0.15))]
LEARNERS = [
    LogisticRegression(solver="newton-cholesky"),
    DecisionTreeClassifier(min_samples_leaf=3, random_state=0),
    KNeighborsClassifier(),
    GaussianNB(),
]
K = len(LEARNERS)
PAIRS = [*itertools.combinations(range(K), 2)]
PAIRS += [(number, number + K) for number in range(K)]
RATES = "interval", "equal", "power", "model"


def block(population, label, rng):
    """Return features of examples with given labels."""
    if population in DISTANCES:
        X = rng.normal(size=(len(label), 6))
        shift = np.full((len(label), 1), DISTANCES[population])
        if population == "clusters":
            shift *= rng.choice([-1, 1], size=shift.shape)
        return X + label[:, np.newaxis] * shift * (np.arange(6) < 3)
    X, y = DATA[population]
    rows = np.empty(len(label), dtype=int)
    for value in (0, 1):
        of_class = np.flatnonzero(y == value)
        rows[label == value] = rng.choice(of_class, np.count_nonzero(label == value))
    return X[rows] + rng.normal(scale=0.6, size=X[rows].shape)


def sample(population, n, share, rng):
    """Return two blocks of features, and labels."""
    label = (rng.random(n) < share).astype(int)
    label[:20] = np.arange(20) % 2
    blocks = block(population, label, rng), block(population, label, rng)
    if population == "noisy labels":
        label = np.where(rng.random(n) < 0.2 * share, 1 - label, label)
    return blocks, label


# Metrics of the numbers of true and false negatives, and of false and true positives


def f1(tn, fp, fn, tp):
    return 2 * tp / (2 * tp + fp + fn)


def recall(tn, fp, fn, tp):
    return tp / (tp + fn)


def correlation(tn, fp, fn, tp):
    return (tp * tn - fp * fn) / np.sqrt((tp + fp) * (tp + fn) * (tn + fp) * (tn + fn))


METRICS = {
    "accuracy": lambda tn, fp, fn, tp: (tp + tn) / (tn + fp + fn + tp),
    "F1": f1,
    "recall": recall,
    "precision": lambda tn, fp, fn, tp: tp / (tp + fp),
    "balanced accuracy": lambda *c: (recall(*c) + recall(*c[::-1])) / 2,
    "macro F1": lambda *c: (f1(*c) + f1(*c[::-1])) / 2,
    "MCC": correlation,
}


def values_of(metric, y, predicted):
    """Return the metric plus the influence of each example, (n, n_models)."""
    cell = 2 * y[:, np.newaxis] + predicted
    counts = np.array([(cell == code).sum(axis=0) for code in range(4)])
    steps = 1e-20j * np.eye(4)[:, :, np.newaxis]  # for derivatives by the counts
    with np.errstate(all="ignore"):
        slopes = [METRICS[metric](*(counts + step)).imag / 1e-20 for step in steps]
        mean = np.nan_to_num(METRICS[metric](*counts.astype(float)))
    slopes = np.nan_to_num(slopes)
    return mean + len(y) * np.take_along_axis(slopes, cell, axis=0)


def predictions(blocks, y, train, new_blocks):
    """Return what each learner on each block predicts, (n, 2 K)."""
    columns = []
    for X, new in zip(blocks, new_blocks, strict=True):
        for learner in LEARNERS:
            columns.append(clone(learner).fit(X[train], y[train]).predict(new))
    return np.column_stack(columns)


def moments(values, splits):
    """Return means, and the two parts of their variances, (models and pairs, 3)."""
    first, second = np.transpose(PAIRS)
    values = np.vstack([values.T, values[:, first].T - values[:, second].T])
    sizes = np.array([len(test) for _, test in splits])
    of = CVResiduals(
        values=values,
        row_split=np.repeat(np.arange(len(splits)), sizes),
        row_index=np.concatenate([test for _, test in splits]),
        n_train=values.shape[1] // 2 - sizes,
        n_test=sizes,
        design=BlockKFold(5, n_repeats=2).get_design(),
    )
    one, two = (KFoldZTest(rho=rho).evaluate(of) for rho in (0, 0.5))
    theta = one.standard_error**2
    return np.column_stack([one.estimate, theta, two.standard_error**2 - theta])


def measure(population, n, share, n_samples):
    """Return moments, (samples, metrics, models and pairs, 3), and true values."""
    rng = np.random.default_rng(zlib.crc32(repr((population, n, share)).encode()))
    found, truth = [], []
    for number in range(n_samples):
        blocks, y = sample(population, n, share, rng)
        cv = BlockKFold(5, n_repeats=2, stratify=True, random_state=number)
        splits = [*cv.split(blocks[0], y)]
        predicted = []
        for train, test in splits:
            new = [X[test] for X in blocks]
            predicted.append((y[test], predictions(blocks, y, train, new)))
        new, y_new = sample(population, 2000, share, rng)
        new = predictions(blocks, y, splits[0][0], new)
        for metric in METRICS:
            values = [values_of(metric, *of_split) for of_split in predicted]
            found.append(moments(np.vstack(values), splits))
            truth.append(values_of(metric, y_new, new).mean(axis=0))
    found = np.reshape(found, (n_samples, len(METRICS), -1, 3))
    truth = np.reshape(truth, (n_samples, len(METRICS), 2, K)).mean(axis=(0, 2))
    return found, truth


def ends_in_range(mean, reach, low):
    """Return mean ± reach, carried over to the logit scale of a range from low to 1."""
    is_inside = (mean > low) & (mean < 1)
    below, above = (np.where(is_inside, room, 1.0) for room in (mean - low, 1 - mean))
    step = reach / below + reach / above
    ends = [low + (1 - low) / (1 + np.exp(s * step) * above / below) for s in (1, -1)]
    plain = np.clip([mean - reach, mean + reach], low, 1)
    return np.where(is_inside, ends, plain)


def rates(found, truth, rho, low):
    """Return interval, equal, power and model of one metric, in percent."""
    estimate, theta, theta_of_run = np.moveaxis(found, -1, 0)
    reach = 1.96 * np.sqrt(theta + rho / (1 - rho) * theta_of_run)
    first, second = np.transpose(PAIRS[:-K])
    pairs, far = estimate[:, 2 * K : -K], reach[:, 2 * K : -K]
    misses = np.abs(pairs - truth[first] + truth[second]) > far
    equal = np.abs(estimate[:, -K:]) > reach[:, -K:]
    power = np.abs(pairs - pairs.mean(axis=0) + 3 * pairs.std(axis=0, ddof=1)) > far
    lows, highs = ends_in_range(estimate[:, : 2 * K], reach[:, : 2 * K], low)
    true = np.tile(truth, 2)
    model = (true < lows) | (true > highs)
    return [100 * np.mean(rate) for rate in (misses, equal, power, model)]


def table(n_samples):
    """Yield rows of the table."""
    measured = {cell: measure(*cell, n_samples) for cell in CELLS}
    rows = itertools.product(enumerate(METRICS), ("equal", "unequal"), RHOS)
    for (number, metric), classes, rho in rows:
        low = -1 if metric == "MCC" else 0
        of_cells = [
            rates(found[:, number], truth[number], rho, low)
            for (*_, share), (found, truth) in measured.items()
            if (share == 0.5) == (classes == "equal")
        ]
        errors = np.std(of_cells, axis=0) / np.sqrt(len(of_cells) - 1)
        row = {"metric": metric, "classes": classes, "rho": f"{rho:.2f}"}
        row |= {"cells": len(of_cells), "samples": n_samples}
        for name, rate, error in zip(
            RATES, np.mean(of_cells, axis=0), errors, strict=True
        ):
            row |= {name: f"{rate:.1f}", f"{name}_se": f"{error:.1f}"}
        yield row


KEYS = "metric", "classes", "rho"
ERRORS = {name: f"{name}_se" for name in RATES}
TABLES = [Table("one_class", table, KEYS, ERRORS, 30, 8)]


if __name__ == "__main__":
    command(__doc__, *TABLES)
