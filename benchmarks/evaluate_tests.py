"""Size and power of other tests, from the losses that study.py stored.

Each test takes the splits that it is made for: the default two runs of 5-fold, t tests
of folds a 10-fold, the corrected repeated K-fold t test five runs of 5-fold, 5x2 tests
five runs of 2-fold, and the t test of one test set a half, tested by models of the
other half (with right and wrong answers, McNemar's test is nearly this test). As in
`evaluate.py`, size is how often the true difference is rejected at the level 5%, and
power is how often differences are rejected that are 2 and 3 standard deviations of one
10-fold mean away from it.

A row of the table is a test and a loss, over ordinary populations and pairs of learners
without naive Bayes; `error` is the standard error of the size, by populations.

    python benchmarks/evaluate_tests.py    # writes docs/data/study_tests.csv
"""

import itertools

import numpy as np
from evaluate import (
    ALPHA,
    FEWEST_DIFFERING,
    SHIFTS,
    deviation_of,
    loss_of,
    residuals_of,
)
from harness import Table, command
from sklearn.base import clone
from study import FULL, QUICK, files

from sklearn_cvtest import (
    CorrectedRepeatedKFoldTTest,
    CVResiduals,
    FiveByTwoFTest,
    FiveByTwoTTest,
    HoldoutTTest,
    KFoldTTest,
    KFoldZTest,
)
from sklearn_cvtest.results import Design

# The test, K and runs, whose models are fitted so often.
TESTS = {
    "KFoldZTest()": (KFoldZTest(), 5, 2),
    "KFoldTTest(rho=0)": (KFoldTTest(rho=0), 10, 1),
    "KFoldTTest('nadeau-bengio')": (KFoldTTest("nadeau-bengio"), 10, 1),
    "CorrectedRepeatedKFoldTTest()": (CorrectedRepeatedKFoldTTest(), 5, 5),
    "FiveByTwoTTest()": (FiveByTwoTTest(), 2, 5),
    "FiveByTwoFTest()": (FiveByTwoFTest(), 2, 5),
    "HoldoutTTest()": (HoldoutTTest(), 2, 0),
}
LOSSES = ("zero_one", "absolute")
N = 100  # rows of a sample


# Tests ----------------------------------------------------------------------------


def by_fold(e, folds):
    """Return residuals (samples, runs, examples) with the rows of a fold together."""
    return np.take_along_axis(e, np.argsort(folds, axis=2, kind="stable"), axis=2)


def residuals_for(e, folds, n_folds, n_runs):
    """Return residuals of so many runs; without runs, of the first half as holdout.

    The default test needs no folds but to know which residuals are of one example.
    """
    if n_folds == 5 and n_runs == 2:
        return residuals_of(e[:, :2], 5)
    if n_runs:
        return residuals_of(by_fold(e[:, :n_runs], folds[:, :n_runs]), n_folds)
    n_test = np.count_nonzero(folds[0, 0] == 0)
    halves = by_fold(e[:, :1], folds[:, :1])[:, 0, :n_test]
    return CVResiduals(
        values=halves,
        row_split=np.zeros(n_test, dtype=int),
        n_train=np.array([e.shape[2] - n_test]),
        n_test=np.array([n_test]),
        design=Design("holdout", 1),
        row_index=np.arange(n_test),
    )


def rates_of(test, residuals, truth, deviation):
    """Return the size of a test, and its power at 2 and 3 standard deviations."""
    rejected = []
    for shift in SHIFTS:
        null = clone(test).set_params(popmean=truth + shift * deviation)
        rejected.append(np.mean(null.evaluate(residuals).pvalue <= ALPHA))
    return rejected[0], np.mean(rejected[1:3]), np.mean(rejected[3:5])


# Cells ----------------------------------------------------------------------------


def cells_of(file):
    """Yield (test, loss, population, rates) of all pairs of learners of a file."""
    pairs = itertools.combinations(range(len(file.learners)), 2)
    for pair in map(list, pairs):
        if "bayes" in [file.learners[number] for number in pair]:
            continue
        loss = file.losses[0]  # of numbers, absolute errors
        deviation = deviation_of(file, loss, pair)
        if not deviation > 1e-12:
            continue
        differences = {}
        for n_folds in (2, 5, 10):
            losses = loss_of(file.errors(n_folds)[..., pair], loss)
            differences[n_folds] = losses[..., 0] - losses[..., 1]
        differing = np.median((differences[10][:, 0] != 0).sum(axis=1))
        if differing < FEWEST_DIFFERING:
            continue
        for name, (test, n_folds, n_runs) in TESTS.items():
            first, second = file.truth(loss, n_folds)[pair]
            folds = file.arrays[f"folds_{n_folds}"]
            residuals = residuals_for(differences[n_folds], folds, n_folds, n_runs)
            rates = rates_of(test, residuals, first - second, deviation)
            yield name, loss, file.row.name, rates


def table(n_samples):
    """Yield a row for each test and loss: means over populations."""
    of_files = [f for f in files(n_samples) if f.row.kind == "ordinary" and f.n == N]
    cells = [cell for file in of_files for cell in cells_of(file)]
    for name, loss in itertools.product(TESTS, LOSSES):
        rates = {}
        for its_name, its_loss, population, of_cell in cells:
            if its_name == name and its_loss == loss:
                rates.setdefault(population, []).append(of_cell)
        means = np.array([np.mean(of_cells, axis=0) for of_cells in rates.values()])
        _, n_folds, n_runs = TESTS[name]
        row = {"test": name, "loss": loss, "fits": n_folds * n_runs or 1}
        row |= {"populations": len(rates), "cells": sum(map(len, rates.values()))}
        row["samples"] = n_samples
        row |= dict(zip(RATES, means.mean(axis=0), strict=True))
        yield row | {"error": means[:, 0].std(ddof=1) / np.sqrt(len(means))}


RATES = "size", "power_2sd", "power_3sd"
TABLES = [Table("study_tests", table, ("test", "loss"), {"size": "error"}, FULL, QUICK)]


if __name__ == "__main__":
    command(__doc__, *TABLES)
