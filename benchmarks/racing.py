"""How many fits a race of candidates saves, and how often equal ones leave it.

Candidates are made classifiers, whose errors are correlated, on ten folds.

    python benchmarks/racing.py --csv docs/data/race_savings.csv  # 40, by situation
    python benchmarks/racing.py --equal    # how often equal ones leave, printed
"""

import itertools
import pathlib

import numpy as np
from harness import DATA, parser_of, write_table
from scipy.special import ndtri

from sklearn_cvtest._search._examples import Folds
from sklearn_cvtest._search._race import Race, looks_of
from sklearn_cvtest._splits._design import design_of_folds

K = 10


def race(scores, losses, tests, alpha=0.05, min_splits=None):
    """Return the number of splits of each candidate and who is left.

    Without losses of examples, they race by the scores of splits.
    """
    n = sum(map(len, tests[:K]))
    sizes = np.array([(n - len(test), len(test)) for test in tests])
    folds = None
    if losses is not None:
        folds = Folds(design_of_folds(K, len(tests) // K), tests)
    looks = looks_of(folds, sizes, min_splits)
    found = Race(len(scores), sizes, looks, alpha, None, folds)
    while not found.is_over:
        fold, values = found.n_done, None
        if losses is not None:
            values = losses[found.left, fold, : len(tests[fold])].astype(float)
        found.add(scores[found.left, fold], values)
    return found.n_splits_run, found.left


def equal(case, min_splits, of_examples, n_runs=120, right=0.8):
    """Return how often equal classifiers leave, of which some err together."""
    n_test, n_candidates, correlation = case
    rng, left = np.random.default_rng(0), 0
    tests = np.arange(K * n_test).reshape(K, n_test)
    for _ in range(n_runs):
        shared = rng.normal(size=(1, K * n_test))
        own = rng.normal(size=(n_candidates, K * n_test))
        latent = np.sqrt(correlation) * shared + np.sqrt(1 - correlation) * own
        wrong = (latent >= ndtri(right)).reshape(n_candidates, K, n_test)
        scores = 1 - wrong.mean(axis=2)
        losses = wrong if of_examples else None
        left += len(race(scores, losses, tests, min_splits=min_splits)[1])
    return 1 - left / (n_candidates * n_runs)


EQUAL = (10, 20, 0.9), (40, 20, 0.9), (40, 20, 0.98)


def savings(n, n_candidates, hopeless, behind, n_runs=6):
    """Return the shares of fits saved in races of classifiers, some of them worse.

    Those that are not hopeless are right in 80 to 82%; the others in as many less
    `behind`. All err together, with a correlation of 0.8 of what decides it.
    """
    rng, found = np.random.default_rng([n, n_candidates, round(10 * hopeless)]), []
    tests = np.array_split(np.arange(n), K)
    for _ in range(n_runs):
        right = rng.uniform(0.80, 0.82, size=(n_candidates, 1))
        right[: round(hopeless * n_candidates)] -= behind
        own = rng.normal(size=(n_candidates, n))
        latent = np.sqrt(0.8) * rng.normal(size=(1, n)) + np.sqrt(0.2) * own
        wrong = latent >= ndtri(right)
        scores = np.stack([1 - wrong[:, test].mean(axis=1) for test in tests], axis=1)
        losses = np.zeros((n_candidates, K, len(tests[0])))
        for k, test in enumerate(tests):
            losses[:, k, : len(test)] = wrong[:, test]
        n_run, _ = race(scores, losses, tests)
        found.append(1 - n_run.mean() / K)
    return found


def situations():
    cases = itertools.product((300, 600, 1500), (0.0, 0.5, 0.8), (0.1, 0.3))
    for n, hopeless, behind in cases:
        if hopeless or behind == 0.1:
            saved = savings(n, 40, hopeless, behind)
            row = {"examples": n, "hopeless": hopeless, "behind": behind}
            row["behind"] = behind if hopeless else ""
            yield row | {
                "races": len(saved),
                "saved": f"{np.mean(saved):.3f}",
                "least": f"{min(saved):.3f}",
                "most": f"{max(saved):.3f}",
            }


def main():
    parser = parser_of(__doc__)
    parser.add_argument("--csv", type=pathlib.Path, default=DATA / "race_savings.csv")
    parser.add_argument("--equal", action="store_true")
    arguments = parser.parse_args()
    if not arguments.equal:
        write_table(arguments.csv, list(situations()))
        return
    for case in EQUAL:
        by_splits = (f"{equal(case, m, False):.3f}" for m in (3, 4, 5))
        print(*case, *by_splits, f"{equal(case, None, True):.3f}", flush=True)


if __name__ == "__main__":
    main()
