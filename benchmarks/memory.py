"""How much memory and time cross_val_losses takes as the data grow.

Each row is a process of its own. Growth is that of the peak resident memory over what
there was before the call, in the process that calls, less one training slice (with
several jobs, less the data, which joblib maps into shared memory); the bound is that of
the result, (8 E + 16) n bytes for E estimators and K-fold. Time is in microseconds for
one example and estimator in a fold. Both are linear where columns are flat or fall.

Run: python benchmarks/memory.py [largest n, default 1000000]
"""

import ast
import subprocess
import sys
import time

import numpy as np
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


def status(field):
    """Return a size of this process, in bytes (Linux)."""
    with open("/proc/self/status") as file:
        line = next(line for line in file if line.startswith(field))
    return int(line.split()[1]) * 1024


def run(n, n_estimators, n_splits, n_jobs, per_example):
    """Return peak growth beyond a training slice, and seconds."""
    models = {f"m{number}": Mean(number) for number in range(n_estimators)}
    options = {"n_jobs": n_jobs, "per_example": per_example}
    small = np.zeros((100, N_FEATURES)), np.zeros(100)
    cross_val_losses(models, *small, cv=BlockKFold(2), **options)  # imports, workers
    X, y = np.zeros((n, N_FEATURES)), np.zeros(n)
    X[:], y[:] = 1.0, 2.0  # so that the system gives the memory
    with open("/proc/self/clear_refs", "w") as file:
        file.write("5")  # the peak begins here
    before, start = status("VmRSS"), time.perf_counter()
    cv = BlockKFold(n_splits, random_state=0)
    cross_val_losses(models, X, y, cv=cv, **options)
    seconds = time.perf_counter() - start
    row = (N_FEATURES + 1) * 8
    training_slice = row * n * (n_splits - 1) // n_splits
    excluded = training_slice if n_jobs == 1 else row * n
    return status("VmHWM") - before - excluded, seconds


def show(*setting):
    n, n_estimators, n_splits, n_jobs, per_example = setting
    command = [sys.executable, __file__, "--one", *map(repr, setting)]
    output = subprocess.run(command, check=True, capture_output=True, text=True)
    growth, seconds = map(float, output.stdout.split())
    bound = (8 * n_estimators + 16) * n
    micro = seconds / (n * n_estimators * n_splits) * 1e6
    print(
        f"{n:9} {n_estimators:3} {n_splits:4} {n_jobs:4} {per_example!s:>5} "
        f"{growth / MEGABYTE:8.1f} {growth / bound:6.2f} {seconds:8.2f} {micro:8.4f}",
        flush=True,
    )


def main(largest):
    names = ("n", "E", "K", "jobs", "rows", "peak MB", "ratio", "seconds", "us")
    print("{:>9} {:>3} {:>4} {:>4} {:>5} {:>8} {:>6} {:>8} {:>8}".format(*names))
    for n in (largest // 100, largest // 10, largest):
        show(n, 5, 10, 1, True)
    show(largest, 5, 10, 2, True)
    show(largest, 5, 10, 1, False)
    for n_estimators in (1, 10, 100):
        show(largest // 10, n_estimators, 10, 1, True)
    for n_splits in (2, 20, 200):
        show(largest // 100, 1, n_splits, 1, True)


if __name__ == "__main__":
    if sys.argv[1:2] == ["--one"]:
        print(*run(*(ast.literal_eval(argument) for argument in sys.argv[2:])))
    else:
        main(int(sys.argv[1]) if len(sys.argv) > 1 else 10**6)
