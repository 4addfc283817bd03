"""Coverage of the intervals of NestedKFold, of one model and of a difference of two.

Intervals are those of `cross_val_interval` and `compare_estimators` with
`cv=NestedKFold(random_state=...)` and defaults (checked on the first sample of every
cell): about models trained on all n examples. The truth is that of as many other
samples of n, each tested on 4000 examples of other groups. `size`, one minus the
coverage, is that of NestedCVTest for a difference. Populations in groups have no more
than 30; nothing was chosen on these cells.

    python benchmarks/nested_coverage.py --data DIR --wheels DIR --out out --groups 0
    python benchmarks/nested_coverage.py --data DIR --wheels DIR --out out --samples 100
    python benchmarks/nested_coverage.py --out out --csv docs/data/nested_coverage.csv
"""

import argparse
import pathlib
import warnings
import zlib
from typing import NamedTuple

import grouped_populations
import hard_fits
import numpy as np
from direct_losses import MEASURES, direct_losses, large_test_values
from harness import UNCHECKED, joined, store, stored, write_table
from interval_coverage import LEARNERS, OWN, coverage_of, of_study
from sklearn import config_context
from study import populations

from sklearn_cvtest import (
    NestedCVTest,
    NestedKFold,
    compare_estimators,
    cross_val_interval,
)
from sklearn_cvtest._pairs._intervals import estimator_intervals


class Case(NamedTuple):
    """Two learners on a population, judged by some losses or scores."""

    population: str
    learners: tuple
    measures: str
    n: int
    n_groups: int = 0

    @property
    def label(self):
        return f"{self.population} {'-'.join(self.learners)} {self.n}"

    def draw(self, rng, n):
        if self.population in grouped_populations.HALF_OF:
            size = grouped_populations.ROWS
            sizes = np.full(n // size, size)
            X, y, groups = grouped_populations.draw(self.population, sizes, rng)
            return X, (y > 0).astype(int) if set(y) <= {-1.0, 1.0} else y, groups
        draw = OWN.get(self.population) or of_study(self.population)
        return draw(rng, n)


NUMBERS, CLASSES = "squared_error absolute_error", "zero_one log_loss"
CASES = [
    Case("gaussians", ("bayes", "logistic"), CLASSES, 100),
    Case("magic", ("lda", "tree"), "zero_one", 100),
    Case("magic", ("lda", "bayes"), f"{CLASSES} roc_auc", 300),
    Case("optdigits", ("bayes", "1nn"), "zero_one", 100),
    Case("spambase", ("bayes", "tree"), "zero_one", 300),
    Case("linear", ("ols", "ridge"), NUMBERS, 100),
    Case("diamonds-log", ("ridge", "5nn regression"), NUMBERS, 100),
    Case("diamonds-log", ("ridge", "regression tree"), NUMBERS, 300),
    Case("diamonds", ("ridge", "5nn regression"), "squared_error", 300),
    *(
        Case(population, learners, measures, size * n_groups, n_groups)
        for n_groups in (20, 30)
        for population, learners, measures, size in [
            ("linear in groups", ("ridge", "regression tree"), NUMBERS, 5),
            ("covertype patches", ("5nn", "tree"), "zero_one", 10),
            ("language by class", ("ridge", "regression tree"), NUMBERS, 8),
            ("pharmacy visits by commune", ("ridge", "5nn regression"), NUMBERS, 8),
            ("good ratings by lecturer", ("lda", "tree"), "zero_one", 8),
            ("mathematics by school", ("ridge", "5nn regression"), NUMBERS, 8),
        ]
    ),
    Case("sites", ("lda", "bayes"), f"{CLASSES} roc_auc", 300, 30),
]


def simulate(case, n_samples, folder, seed):
    """Store intervals of some samples, and truths of as many."""
    rng = np.random.default_rng(zlib.crc32(f"{case.label} {seed}".encode()))
    models, measures = [LEARNERS[name] for name in case.learners], case.measures.split()
    found = {}
    for number in range(n_samples):
        X, y, groups = case.draw(rng, case.n)
        cv = NestedKFold(random_state=int(rng.integers(2**31)))
        splits = list(cv.split(X, y, groups))
        by_measure = direct_losses(
            models, X, y, splits, cv.get_design(), measures, groups=groups
        )
        for measure, losses in by_measure.items():
            rows = intervals(losses)
            if rows is None:
                continue
            for who, row in zip((*case.learners, "difference"), rows, strict=True):
                found.setdefault((measure, who), []).append(row)
            if number == 0:
                check(case, measure, X, y, groups, cv, rows)
    truths = large_test_values(
        lambda n: case.draw(rng, n), models, measures, case.n, n_samples
    )
    truths = {measure: np.array(values) for measure, values in truths.items()}
    store(folder, case.label, seed, found, truths)


def intervals(losses):
    """Return estimate, low and high of both models, and of their difference.

    None where a test set has too few examples of a class for a score.
    """
    one = estimator_intervals(losses)
    if one is None:
        return None
    test = NestedCVTest().fit(losses.residuals(*losses.estimator_names))
    pair = test.estimate_, *test.confidence_interval(0.95)
    return [*zip(one.estimate, one.ci_low, one.ci_high, strict=True), pair]


def check(case, measure, X, y, groups, cv, rows):
    """Check that the intervals are those of the public functions."""
    kind = {"scoring" if MEASURES[measure].is_score else "loss": measure}
    models = {name: LEARNERS[name] for name in case.learners}
    options = kind | {"cv": cv, "groups": groups}
    found = cross_val_interval(models[case.learners[0]], X, y, **options)
    np.testing.assert_allclose(found.interval_, rows[0][1:], rtol=1e-6)
    pair = compare_estimators(models, X, y, **options)
    shown = pair.to_frame()[["ci_low", "ci_high"]].to_numpy()[0]
    np.testing.assert_allclose(shown, rows[2][1:], rtol=1e-6)


def summaries(case, folder):
    """Yield rows of the table, from all that is stored."""
    parts = stored(folder, case.label)
    for measure in case.measures.split() if parts else ():
        values = joined(parts, f"{measure}|truth")
        sign = -1 if MEASURES[measure].is_score else 1
        difference = sign * (values[:, 0] - values[:, 1])
        columns = [*values.T, difference]
        for who, truths in zip((*case.learners, "difference"), columns, strict=True):
            yield {
                "population": case.population,
                "n": case.n,
                "groups": case.n_groups,
                "measure": measure,
                "learners": " - ".join(case.learners),
                "who": who,
                **coverage_of(joined(parts, f"{measure}|{who}"), truths),
            }


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--data", type=pathlib.Path)
    parser.add_argument("--wheels", type=pathlib.Path)
    parser.add_argument("--out", type=pathlib.Path, required=True)
    parser.add_argument("--samples", type=int, default=150)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--groups", type=int, nargs="+")
    parser.add_argument("--csv", type=pathlib.Path)
    arguments = hard_fits.ARGUMENTS = parser.parse_args()
    warnings.simplefilter("ignore")
    if arguments.csv:
        rows = [row for case in CASES for row in summaries(case, arguments.out)]
        write_table(arguments.csv, rows)
        return
    populations.DATA = arguments.data.parent  # it looks in the folder "populations"
    with config_context(**UNCHECKED):
        for case in CASES:
            if stored(arguments.out, case.label):
                continue
            if arguments.groups is None or case.n_groups in arguments.groups:
                simulate(case, arguments.samples, arguments.out, arguments.seed)
                print(case.label, flush=True)


if __name__ == "__main__":
    main()
