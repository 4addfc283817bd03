"""How much memory a cross-validation takes, on Linux.

Each row is a process of its own. "peak MB" is how much more memory of its own (that of
no file, such as the data that joblib maps for its workers) the calling process takes
than before, less one training slice; "ratio" is that over the size of the result,
(8 E + 16) n bytes for E estimators and K-fold. "worker MB" is the peak of the worker
that takes most, less the slice. "µs" is the time for one example and estimator in a
fold. Both are linear where columns are flat or fall.

    python benchmarks/costs.py [--largest 1000000]
"""

import argparse
import ast
import contextlib
import subprocess
import sys
import threading
import time

import numpy as np
import psutil
from harness import parser_of
from sklearn.base import BaseEstimator, RegressorMixin

from sklearn_cvtest import BlockKFold, cross_val_losses

N_FEATURES = 2
MEGABYTE = 2**20


class Mean(RegressorMixin, BaseEstimator):
    """Costs as little as an estimator can."""

    def __init__(self, shift=0.0):
        self.shift = shift

    def fit(self, X, y):
        self.mean_ = y.mean() + self.shift
        return self

    def predict(self, X):
        return np.full(len(X), self.mean_)


def own_memory(process):
    """Return the memory of a process that belongs to no file, in bytes."""
    memory = process.memory_info()
    return memory.rss - memory.shared


class Peaks:
    """The largest memory of this process and its children in a `with` block."""

    def __enter__(self):
        this = psutil.Process()
        self.before = {one: own_memory(one) for one in (this, *this.children())}
        self.peaks = dict(self.before)
        self.done = threading.Event()
        self.thread = threading.Thread(target=self._watch)
        self.thread.start()
        return self

    def _watch(self):
        while not self.done.wait(0.002):
            for one in self.peaks:
                with contextlib.suppress(psutil.NoSuchProcess):
                    self.peaks[one] = max(self.peaks[one], own_memory(one))

    def __exit__(self, *exception):
        self.done.set()
        self.thread.join()
        this, *workers = [self.peaks[one] - self.before[one] for one in self.peaks]
        self.growth = this, max(workers, default=0)


def run(n, n_estimators, n_splits, n_jobs, per_example):
    """Return peak growth beyond a training slice, here and in a worker, and seconds."""
    models = {f"m{number}": Mean(number) for number in range(n_estimators)}
    options = {"n_jobs": n_jobs, "per_example": per_example}
    small = np.zeros((100, N_FEATURES)), np.zeros(100)
    cross_val_losses(models, *small, cv=BlockKFold(2), **options)  # imports, workers
    X, y = np.zeros((n, N_FEATURES)), np.zeros(n)
    X[:], y[:] = 1.0, 2.0  # so that the system gives the memory
    cv = BlockKFold(n_splits, random_state=0)
    with Peaks() as peaks:
        start = time.perf_counter()
        cross_val_losses(models, X, y, cv=cv, **options)
        seconds = time.perf_counter() - start
    training_slice = (N_FEATURES + 1) * 8 * n * (n_splits - 1) // n_splits
    here, worker = (growth - training_slice for growth in peaks.growth)
    return here, worker, seconds


def show(*setting):
    n, n_estimators, n_splits, n_jobs, per_example = setting
    command = [sys.executable, __file__, "--one", *map(repr, setting)]
    output = subprocess.run(command, check=True, capture_output=True, text=True)
    here, worker, seconds = map(float, output.stdout.split())
    bound = (8 * n_estimators + 16) * n
    micro = seconds / (n * n_estimators * n_splits) * 1e6
    worker = f"{worker / MEGABYTE:.1f}" if n_jobs > 1 else "-"
    rows = "every example" if per_example else "means"
    print(
        f"| {n:,} | {n_estimators} | {n_splits} | {n_jobs} | {rows} "
        f"| {here / MEGABYTE:.1f} | {here / bound:.2f} | {worker} "
        f"| {seconds:.2f} | {micro:.3f} |",
        flush=True,
    )


def main():
    parser = parser_of(__doc__)
    parser.add_argument("--largest", type=int, default=10**6, help="n of the last rows")
    parser.add_argument("--one", nargs=5, metavar="SETTING", help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.one:
        print(*run(*map(ast.literal_eval, options.one)))
        return
    largest = options.largest
    names = "n", "E", "K", "n_jobs", "kept", "peak MB", "ratio", "worker MB", "s", "µs"
    print("|", " | ".join(names), "|")
    print("|---" * len(names) + "|")
    for n in (largest // 100, largest // 10, largest):
        show(n, 5, 10, 1, True)
    show(largest, 5, 10, 2, True)
    show(largest, 5, 10, 1, False)
    for n_estimators in (1, 10, 100):
        show(largest // 10, n_estimators, 10, 1, True)
    for n_splits in (2, 20, 200):
        show(largest // 100, 1, n_splits, 1, True)


if __name__ == "__main__":
    main()
