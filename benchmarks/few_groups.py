"""Size and power of tests on 4 to 12 groups, too few for a variance between groups.

Beside tests of the package, "sign flips" is the wild cluster test: the sum of groups
among the sums with all 2^G signs. Populations "lines" and "linear - tree" are those of
calibration_groups.py; groups have 10 rows, an intra-class correlation of 0.5.

    python benchmarks/few_groups.py  # writes docs/data/few_groups.csv, some minutes
"""

import itertools
import warnings

import numpy as np
from calibration_groups import (
    ALPHA,
    MODELS,
    Lines,
    Splits,
    alike_normal,
    errors_of_lines,
    predict,
)
from harness import DATA, shown, write_rows

import sklearn_cvtest as ct

ROWS, ICC = 10, 0.5
TESTS = {
    "IntegratedRhoTest()": ct.IntegratedRhoTest(),
    "KFoldZTest()": ct.KFoldZTest(),
    "KFoldTTest()": ct.KFoldTTest(),
    "KFoldTTest('nadeau-bengio')": ct.KFoldTTest("nadeau-bengio"),
}
CELLS = [("lines", n_groups, 500) for n_groups in (4, 5, 6, 8, 9, 12)]
CELLS += [("linear - tree", n_groups, 60) for n_groups in (6, 9)]
HEADER = (
    "population", "groups", "design", "test", "size", "power_2sd", "samples",
)  # fmt: skip


def designs(n_groups):
    yield "leave one group out", ct.BlockKFold(n_groups, random_state=0)
    if n_groups > 5:
        yield "5-fold", ct.BlockKFold(5, random_state=0)
    n_folds = 5 if n_groups > 5 else n_groups // 2
    yield (
        f"2 x {n_folds}-fold",
        ct.BlockKFold(n_folds, n_repeats=2, random_state=0),
    )


def sign_flips(sums):
    """Return two-sided p-values of sums over groups, (n_samples, n_groups)."""
    signs = np.array(list(itertools.product((1, -1), repeat=sums.shape[1])))
    observed = np.abs(sums.sum(axis=1))[:, np.newaxis]
    return np.mean(np.abs(sums @ signs.T) >= observed * (1 - 1e-12), axis=1)


def lines(codes, splits, n_samples):
    population = Lines(codes, ICC)
    drawn = population.draw(n_samples, np.random.default_rng(0))
    errors, _ = errors_of_lines(*drawn, splits, population)
    return errors[0] - errors[1]


def linear_minus_tree(codes, splits, n_samples):
    rng, found = np.random.default_rng(0), []
    for _ in range(n_samples):
        values = alike_normal(codes, np.sqrt(ICC), 6, rng)
        X = np.ascontiguousarray(values[:5].T, dtype=np.float32)
        y = np.sqrt(3 / 5) * X.sum(axis=1) + values[5]
        tested = y[splits.losses.row_index]
        one, other = (predict(MODELS[name], X, y, splits) for name in MODELS)
        found.append((one - tested) ** 2 - (other - tested) ** 2)
    return np.array(found)


def measure(population, n_groups, n_samples):
    """Yield design, test, size and power."""
    codes = np.repeat(np.arange(n_groups), ROWS)
    for name, cv in designs(n_groups):
        kind = "2 x 5-fold" if cv.n_repeats > 1 else name
        splits = Splits(kind, codes, cv)
        draw = lines if population == "lines" else linear_minus_tree
        e = draw(codes, splits, n_samples)
        centre = 0.0 if population == "lines" else e.mean()
        popmeans = centre + np.array([0.0, 2 * e.mean(axis=1).std()])
        stack = splits.residuals(e)
        for test_name, test in TESTS.items():
            if cv.n_repeats > 1 and test_name != "IntegratedRhoTest()":
                continue
            rejected = test.rejects(test.evaluate(stack), ALPHA, popmeans)
            yield name, test_name, *rejected.mean(axis=0)
        if cv.n_repeats > 1:
            continue
        group = codes[splits.losses.row_index]
        rates = [
            np.mean(sign_flips(_sums(e - popmean, group)) <= ALPHA)
            for popmean in popmeans
        ]
        yield name, "sign flips", *rates


def _sums(values, group):
    return np.stack(
        [values[:, group == one].sum(axis=1) for one in range(group.max() + 1)], axis=1
    )


def main():
    warnings.simplefilter("ignore")
    rows = shown(
        (population, n_groups, *row, n_samples)
        for population, n_groups, n_samples in CELLS
        for row in measure(population, n_groups, n_samples)
    )
    write_rows(DATA / "few_groups.csv", HEADER, rows)


if __name__ == "__main__":
    main()
