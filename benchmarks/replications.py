"""What replicating a cross-validation costs beyond drawing, fitting and predicting.

Times `replicate_losses` (single process) against a bare loop that draws the same
samples, splits, clones, fits and predicts, and keeps nothing; and `rejection_rates` for
nine tests at 41 hypotheses on 10,000 replications.

Run: python benchmarks/replications.py [--rounds 7]
"""

import argparse
import statistics
import time

import numpy as np
from sklearn.base import clone
from sklearn.datasets import load_digits
from sklearn.linear_model import LinearRegression
from sklearn.tree import DecisionTreeClassifier

import sklearn_cvtest as ct
from sklearn_cvtest.simulation import (
    ArrayPopulation,
    GaussianLinearPopulation,
    ReplicatedResiduals,
    rejection_rates,
    replicate_losses,
)

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
    tests += [ct.CorrectedResampledTTest(), ct.IntegratedRhoTest()]
    tests += [ct.KFoldZTest(), ct.KFoldZTest("theta4")]
    rejection_rates(residuals, tests, popmeans=np.linspace(-2, 2, 41))


def main():
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


if __name__ == "__main__":
    main()
