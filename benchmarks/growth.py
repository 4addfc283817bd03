"""How time and memory grow with the size of what is compared.

Each row is measured at three sizes, each twice the one before. "exponent" is the slope
of the logarithm of CPU seconds (the least of some runs) from the first to the last: 1
is linear. "peak / losses" is the most memory that a comparison and its print take
besides what there was at the last size, over the size of the losses, (8 E + 16) n bytes
for E estimators and n rows, each with the number of its example and of its split.

    python benchmarks/speed.py --only growth
"""

import time
import tracemalloc
import warnings

import numpy as np
from sklearn.model_selection import RepeatedKFold

import sklearn_cvtest as ct

AT_MOST = "<= 1.05"
ROW = 16  # bytes of the example and the split of a row


def predictions(n, n_models=2):
    """Return labels and predictions that are right in nine of ten rows."""
    rng = np.random.default_rng(0)
    y = rng.integers(2, size=n)
    given = {
        str(number): np.where(rng.random(n) < 0.1, 1 - y, y)
        for number in range(n_models)
    }
    return y, given


def rows(n):
    y, given = predictions(n)
    return lambda: str(ct.compare_predictions(y, given)), n * (ROW + 16)


def rows_of_numbers(n):
    rng = np.random.default_rng(0)
    y = rng.normal(size=n)
    given = {name: y + rng.normal(size=n) for name in "ab"}
    return lambda: str(ct.compare_predictions(y, given)), n * (ROW + 16)


def rows_of_folds(n):
    y, given = predictions(n)
    folds = np.arange(n) % 10
    return lambda: str(ct.compare_predictions(y, given, splits=folds)), n * (ROW + 16)


def groups(n):
    """Ten rows in each group."""
    y, given = predictions(10 * n)
    labels = np.arange(10 * n) // 10
    n_bytes = 10 * n * (ROW + 24)
    return lambda: str(ct.compare_predictions(y, given, groups=labels)), n_bytes


def repeats(n):
    """5,000 rows in each repeat of a 5-fold."""
    rng = np.random.default_rng(0)
    y = rng.integers(2, size=5000)
    folds = np.column_stack([rng.permutation(5000) % 5 for _ in range(n)])
    truth = y[:, np.newaxis]
    given = {
        name: np.where(rng.random((5000, n)) < 0.1, 1 - truth, truth) for name in "ab"
    }
    n_bytes = 5000 * n * (ROW + 16)
    return lambda: str(ct.compare_predictions(y, given, splits=folds)), n_bytes


def candidates(n):
    rng = np.random.default_rng(0)
    scores = rng.normal(scale=0.02, size=(n, 40))
    scores -= np.abs(rng.normal(scale=0.02, size=(n, 1)))
    results = {f"split{j}_test_score": column for j, column in enumerate(scores.T)}
    results["params"] = [{"C": number} for number in range(n)]
    cv = RepeatedKFold(n_splits=10, n_repeats=4)
    return lambda: str(ct.compare_candidates(results, cv=cv)), 8 * 40 * n


def benchmark(n_models, n_datasets):
    """Return accuracies of models on data sets, with four digits, as a wide table."""
    rng = np.random.default_rng(0)
    accuracies = 0.7 + 0.05 * rng.normal(size=(n_datasets, 1))
    accuracies = accuracies + 0.01 * rng.normal(size=n_models)
    accuracies = accuracies + 0.02 * rng.normal(size=(n_datasets, n_models))
    table = {"dataset": [f"set {number}" for number in range(n_datasets)]}
    for number, column in enumerate(accuracies.round(4).T):
        table[f"model {number}"] = column.tolist()
    return table


def compare_benchmark(table):
    """Return the printed comparison of models over data sets."""
    import pandas as pd

    return str(ct.compare_over_datasets(pd.DataFrame(table), score="accuracy"))


def data_sets(n):
    """30 models, whose losses are the differences of all pairs."""
    table = benchmark(30, n)
    return lambda: compare_benchmark(table), 8 * 30 * 29 // 2 * n


def pairs(n):
    """So many pairs of models over 50 data sets, and the differences of these."""
    n_models = round((1 + np.sqrt(1 + 8 * n)) / 2)
    table = benchmark(n_models, 50)
    return lambda: compare_benchmark(table), 8 * 50 * n


CASES = {
    "rows, two models of labels": (rows, 250_000),
    "rows, two models of numbers": (rows_of_numbers, 250_000),
    "rows of 10 folds, two models of labels": (rows_of_folds, 100_000),
    "groups of 10 rows, two models": (groups, 10_000),
    "repeats of a 5-fold of 5,000 rows": (repeats, 10),
    "candidates x 40 splits": (candidates, 2_000),
    "data sets, 30 models": (data_sets, 50),
    "pairs of models over 50 data sets": (pairs, 1_225),
}


def growth(n_rounds, *, quick=False):
    """Yield (what grows, largest size, exponent, asked, seconds, peak over losses)."""
    n_rounds = min(n_rounds, 5)
    for name, (make, smallest) in CASES.items():
        if quick:
            smallest = max(smallest // 10, 2)
        sizes = [smallest, 2 * smallest, 4 * smallest]
        seconds = [least_seconds(make(size)[0], n_rounds) for size in sizes]
        exponent = np.log(seconds[-1] / seconds[0]) / np.log(4)
        run, n_bytes = make(sizes[-1])
        ratio = peak_bytes(run) / n_bytes
        texts = f"{exponent:.2f}", AT_MOST, f"{seconds[-1]:.3g}", f"{ratio:.1f}"
        yield name, f"{sizes[-1]:,}", *texts


def least_seconds(run, n_rounds):
    """Return the least CPU seconds of some runs."""
    taken = []
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        run()
        for _ in range(n_rounds):
            start = time.process_time()
            run()
            taken.append(time.process_time() - start)
    return min(taken)


def peak_bytes(run):
    """Return the most memory that a run takes besides what there was."""
    tracemalloc.start()
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        run()
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    return peak
