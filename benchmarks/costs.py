"""What simulations cost, and how much memory a cross-validation takes.

replications: times `replicate_losses` (single process) against a bare loop that draws
the same samples, splits, clones, fits and predicts, and keeps nothing; and
`rejection_rates` for nine tests at 41 hypotheses on 10,000 replications.

memory: each row is a process of its own. "peak MB" is how much more memory of its own
(that of no file, such as the data that joblib maps for its workers) the calling process
takes than before, less one training slice; "ratio" is that over the size of the result,
(8 E + 16) n bytes for E estimators and K-fold. "worker MB" is the peak of the worker
that takes most, less the slice. "µs" is the time for one example and estimator in a
fold. Both are linear where columns are flat or fall.

    python benchmarks/costs.py replications [--rounds 7]
    python benchmarks/costs.py memory [largest n, default 1000000]  # on Linux
"""

import argparse
import ast
import contextlib
import statistics
import subprocess
import sys
import threading
import time

import numpy as np
import psutil
from sklearn.base import BaseEstimator, RegressorMixin, clone
from sklearn.datasets import load_digits
from sklearn.linear_model import LinearRegression
from sklearn.tree import DecisionTreeClassifier

import sklearn_cvtest as ct
from sklearn_cvtest import BlockKFold, cross_val_losses
from sklearn_cvtest.simulation import (
    ArrayPopulation,
    GaussianLinearPopulation,
    ReplicatedResiduals,
    rejection_rates,
    replicate_losses,
)

# Replications ----------------------------------------------------------------------


TREE = DecisionTreeClassifier(random_state=0)


def cases():
    X, y = load_digits(return_X_y=True)
    digits = ArrayPopulation(X, y % 2)
    for n, replications in [(20, 75), (100, 50), (800, 25)]:
        yield f"digits, tree, n = {n}", TREE, digits, n, replications
    linear = GaussianLinearPopulation()
    yield "linear, OLS, n = 100", LinearRegression(), linear, 100, 75


def bare_loop(estimator, population, n, replications):
    rng = np.random.default_rng(0)
    for seed in range(replications):
        X, y = population.sample(n, rng)
        for train, test in ct.BlockKFold(10, random_state=seed).split(X):
            clone(estimator).fit(X[train], y[train]).predict(X[test])


def ours(estimator, population, n, replications):
    replicate_losses(
        estimator,
        population,
        n_samples=n,
        cv=ct.BlockKFold(10),
        n_replications=replications,
        random_state=0,
    )


def seconds(function, *arguments):
    start = time.perf_counter()
    function(*arguments)
    return time.perf_counter() - start


def nine_tests():
    rng = np.random.default_rng(0)
    means = rng.normal(size=(10_000, 10))
    residuals = ReplicatedResiduals(
        block_means=means,
        block_squares=10 * means**2 + 10 * rng.chisquare(9, size=means.shape),
        n_train=np.full(10, 90),
        n_test=np.full(10, 10),
        n_samples=100,
        design=ct.results.Design("k-fold", 10),
    )
    tests = [ct.KFoldTTest(rho) for rho in (0.0, 0.3, 0.5, 0.7, "nadeau-bengio")]
    tests += [ct.CorrectedResampledTTest()]
    tests += [ct.KFoldZTest(), ct.KFoldZTest(variance="theta4")]
    rejection_rates(residuals, tests, popmeans=np.linspace(-2, 2, 41))


def replications_table():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rounds", type=int, default=7)
    rounds = parser.parse_args().rounds
    print("| case | bare loop, s | replicate_losses, s | ratio |\n|---|---|---|---|")
    for name, *case in cases():
        pairs = [
            (seconds(bare_loop, *case), seconds(ours, *case)) for _ in range(rounds)
        ]
        bare, own = (statistics.median(times) for times in zip(*pairs, strict=True))
        ratio = statistics.median(own / bare for bare, own in pairs)
        print(f"| {name} | {bare:.3f} | {own:.3f} | {ratio:.3f} |", flush=True)
    times = [seconds(nine_tests) for _ in range(rounds)]
    print(
        f"\nrejection_rates, 9 tests x 41 hypotheses x 10,000 replications: "
        f"{statistics.median(times):.2f} s"
    )


# Memory ----------------------------------------------------------------------------


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
    command = [sys.executable, __file__, "memory", "--one", *map(repr, setting)]
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


def memory_table():
    if sys.argv[1:2] == ["--one"]:
        print(*run(*(ast.literal_eval(argument) for argument in sys.argv[2:])))
        return
    largest = int(sys.argv[1]) if len(sys.argv) > 1 else 10**6
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


TABLES = {"replications": replications_table, "memory": memory_table}


if __name__ == "__main__":
    TABLES[sys.argv.pop(1)]()
