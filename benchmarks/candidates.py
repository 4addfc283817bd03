"""What choosing the best of many candidates does.

Prints the time of all pairs of 500, over 50 splits; the ratio of a loop that fits one
test per pair; and how often some difference from the best is significant at the 5%
level when all candidates are equally good.

Run: python benchmarks/candidates.py [--samples 2000]
"""

import argparse
import statistics
import time

import numpy as np
from sklearn.model_selection import RepeatedKFold

from sklearn_cvtest import (
    CorrectedRepeatedKFoldTTest,
    CVResiduals,
    KFoldTTest,
    compare_candidates,
)

CV = RepeatedKFold(n_splits=10, n_repeats=5)


def results_of(scores):
    """Return what a search would keep of scores (n_candidates, n_splits)."""
    columns = {f"split{j}_test_score": column for j, column in enumerate(scores.T)}
    return columns | {"params": [{"C": c} for c in range(len(scores))]}


def median_seconds(run, n_rounds=7):
    seconds = []
    for _ in range(n_rounds):
        start = time.perf_counter()
        run()
        seconds.append(time.perf_counter() - start)
    return statistics.median(seconds)


def loop(scores):
    """Fit a test of the best against each of the others."""
    best = scores.mean(axis=1).argmax()
    sizes = {"n_train": 900, "n_test": 100, "design": "repeated k-fold"}
    return [
        CorrectedRepeatedKFoldTTest().fit(
            CVResiduals.from_array(scores[row] - scores[best], **sizes)
        )
        for row in range(len(scores))
        if row != best
    ]


def report_times(rng):
    scores = rng.normal(size=(1000, 50))
    few, some = (results_of(scores[:n]) for n in (500, 1000))
    pairs = median_seconds(lambda: compare_candidates(few, cv=CV, reference=None), 3)
    at_once = median_seconds(lambda: compare_candidates(some, cv=CV))
    one_by_one = median_seconds(lambda: loop(scores[:1000]), 3)
    print(f"124,750 pairs of 500 candidates    {pairs * 1e3:8.1f} ms")
    print(f"1,000 candidates, loop / at once   {one_by_one / at_once:8.0f} x")


def equally_good(rng, n_candidates, n_folds=10):
    """Draw scores with the correlation of folds that the corrected t test assumes."""
    shared = rng.normal(size=(n_candidates, 1))
    noise = rng.normal(size=(n_candidates, n_folds))
    return np.sqrt(1 / n_folds) * shared + np.sqrt(1 - 1 / n_folds) * noise


def selection_rate(rng, n_candidates, n_samples, **options):
    """Return how often some difference is significant though none is real."""
    test = KFoldTTest("nadeau-bengio")
    found = 0
    for _ in range(n_samples):
        results = results_of(equally_good(rng, n_candidates))
        result = compare_candidates(results, cv=10, test=test, **options)
        found += result.significant.any()
    return found / n_samples


FAMILIES = {
    "first candidate, holm": {"reference": 0},
    "best, holm": {"reference": "best"},
    "best, max-t": {"reference": "best", "p_adjust": "max-t"},
    "all pairs, holm": {"reference": None},
}


def report_selection(rng, n_samples):
    numbers = (3, 10, 30)
    print(f"\nSome difference significant at 5%, {n_samples} samples, J = 10")
    print(f"{'candidates':24}" + "".join(f"{n:>8}" for n in numbers))
    for name, options in FAMILIES.items():
        size = n_samples // 5 if "max-t" in name else n_samples
        rates = [selection_rate(rng, n, size, **options) for n in numbers]
        print(f"{name:24}" + "".join(f"{rate:8.1%}" for rate in rates))


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--samples", type=int, default=2000)
    rng = np.random.default_rng(0)
    report_times(rng)
    report_selection(rng, parser.parse_args().samples)


if __name__ == "__main__":
    main()
