"""Size and power of tests of AUC, F1 and R², and coverage of intervals of one model.

Two learners are cross-validated on each sample, and the test is asked whether their
difference is the true one (its size), or 2 and 3 standard deviations of the estimate
from that (its power). The truth comes from as many other samples, with test sets of
4000 examples of their own. `size_centred` takes the mean of the estimates instead:
where it is much smaller than `size`, the metric of small test sets is biased; otherwise
the variance is wrong. Values per example are used however few examples a class has
(`smallest_class`: the mean number of a test set). Samples that do not have K examples
of each class are drawn again.

Runs store what they find in a folder, and add up if they have different seeds; --csv
makes the table of all. A run with 100 samples takes two minutes for each size.

    python benchmarks/metric_calibration.py --data DIR --out out --size 100 --seed 1
    python benchmarks/metric_calibration.py --out out \
        --csv docs/data/metric_calibration.csv
"""

import itertools
import zlib
from functools import partial
from typing import NamedTuple

import numpy as np
from direct_losses import direct_losses, large_test_values
from harness import is_asked, joined, run, run_parser, store, stored
from sklearn.discriminant_analysis import LinearDiscriminantAnalysis
from sklearn.linear_model import Ridge
from sklearn.naive_bayes import GaussianNB
from sklearn.neighbors import KNeighborsRegressor
from sklearn.tree import DecisionTreeRegressor
from study import populations

from sklearn_cvtest import (
    BlockKFold,
    CorrectedRepeatedKFoldTTest,
    CorrectedResampledTTest,
    IntegratedRhoTest,
)
from sklearn_cvtest._pairs._intervals import estimator_intervals

MEASURES_OF = {
    "classification": ("roc_auc", "average_precision", "f1", "balanced_accuracy"),
    "regression": ("r2",),
}


class Case(NamedTuple):
    """Two learners on a population."""

    population: str
    first: str
    second: str
    share: float | None = None

    @property
    def measures(self):
        return MEASURES_OF["regression" if self.share is None else "classification"]

    @property
    def models(self):
        return [LEARNERS[self.first], LEARNERS[self.second]]

    def draw(self, rng, n, fewest=0):
        if self.share is None:
            return populations.POPULATIONS[self.population](rng, n)[:2]
        while True:
            y = (rng.random(n) < self.share).astype(int)
            if min(y.sum(), n - y.sum()) >= fewest:
                break
        if self.population == "gaussians":
            scale = np.where(y, 1.4, 1.0)[:, np.newaxis]
            X = rng.normal(size=(n, 6)) * scale
            X[:, :2] += y[:, np.newaxis]
            return X, y
        X, labels, _ = populations.load(self.population)
        rows = np.empty(n, dtype=int)
        for label in (0, 1):
            there = np.flatnonzero(labels == label)
            rows[y == label] = rng.choice(there, np.sum(y == label), replace=False)
        return X[rows], y


LEARNERS = {
    "lda": LinearDiscriminantAnalysis(),
    "bayes": GaussianNB(),
    "ridge": Ridge(),
    "5nn": KNeighborsRegressor(5),
    "regression tree": DecisionTreeRegressor(random_state=0),
}
CASES = [
    *(Case("magic", "lda", "bayes", share) for share in (0.5, 0.1)),
    *(Case("gaussians", "lda", "bayes", share) for share in (0.5, 0.1)),
    Case("diamonds-log", "5nn", "regression tree"),
    Case("friedman", "ridge", "5nn"),
    Case("houses", "ridge", "regression tree"),
]
SIZES = 100, 300, 1000
DESIGNS = {"10-fold": (10, 1), "2 x 5-fold": (5, 2)}


def intervals_of(case, n, design, n_samples, rng):
    """Return {(metric, test): rows (estimate, low, high)}; "alone" is the first."""
    n_folds, n_repeats = DESIGNS[design]
    of_blocks = CorrectedResampledTTest()
    if n_repeats > 1:
        of_blocks = CorrectedRepeatedKFoldTTest()
    rows = {}
    for _ in range(n_samples):
        X, y = case.draw(rng, n, n_folds)
        cv = BlockKFold(
            n_folds,
            n_repeats=n_repeats,
            stratify=case.share is not None,
            random_state=int(rng.integers(2**31)),
        )
        found = direct_losses(
            case.models,
            X,
            y,
            list(cv.split(X, y)),
            cv.get_design(),
            case.measures,
            fewest=0,
        )
        for metric, losses in found.items():
            for test in (IntegratedRhoTest(), of_blocks):
                fitted = test.fit(losses.residuals(0, 1))
                row = fitted.estimate_, *fitted.confidence_interval(0.95)
                rows.setdefault((metric, type(test).__name__), []).append(row)
            alone = estimator_intervals(losses)
            row = alone.estimate[0], alone.ci_low[0], alone.ci_high[0]
            rows.setdefault((metric, "alone"), []).append(row)
    return {key: np.array(found) for key, found in rows.items()}


def simulate(case, n, design, n_samples, folder, seed):
    """Store intervals of some samples, and truths of as many."""
    rng = np.random.default_rng(zlib.crc32(f"{case} {n} {design} {seed}".encode()))
    found = intervals_of(case, n, design, n_samples, rng)
    draw, n_train = partial(case.draw, rng, fewest=5), n - n // DESIGNS[design][0]
    truths = large_test_values(draw, case.models, case.measures, n_train, n_samples)
    store(folder, label_of(case, n, design), seed, found, truths)


def label_of(case, n, design):
    return "_".join(map(str, (*case, n, design)))


def summaries(case, n, design, folder):
    """Yield rows of the table, from all that is stored."""
    parts = stored(folder, label_of(case, n, design))
    for key in parts[0].files if parts else ():
        metric, test = key.split("|")
        if test == "truth":
            continue
        values = joined(parts, f"{metric}|truth")
        values = values[:, 0] if test == "alone" else values[:, 1] - values[:, 0]
        yield row_of(case, n, design, metric, test, joined(parts, key), values)


def row_of(case, n, design, metric, test, rows, values):
    estimate, low, high = rows.T
    truth, spread = values.mean(), estimate.std(ddof=1)
    in_class = 1 if case.share is None else min(case.share, 1 - case.share)
    rates = {
        name: round(float(np.mean((popmean < low) | (popmean > high))), 4)
        for name, popmean in (
            ("size", truth),
            ("size_centred", estimate.mean()),
            ("power_2sd", truth + 2 * spread),
            ("power_3sd", truth + 3 * spread),
        )
    }
    if test == "alone":
        rates |= {"power_2sd": "", "power_3sd": ""}
    return {
        "population": case.population,
        "first": case.first,
        "second": "" if test == "alone" else case.second,
        "positives": case.share or "",
        "metric": metric,
        "design": design,
        "n": n,
        "smallest_class": f"{n / DESIGNS[design][0] * in_class:g}",
        "test": test,
        **rates,
        "truth": f"{truth:.4g}",
        "truth_error": f"{values.std(ddof=1) / np.sqrt(len(values)):.2g}",
        "estimate": f"{estimate.mean():.4g}",
        "deviation": f"{spread:.3g}",
        "samples": len(estimate),
    }


def main():
    arguments = run_parser(__doc__, SIZES).parse_args()
    populations.DATA = arguments.data
    cells = itertools.product(CASES, SIZES, DESIGNS)
    run(cells, arguments, is_asked, simulate, summaries)


if __name__ == "__main__":
    main()
