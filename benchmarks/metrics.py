"""Metrics of whole test sets (AUC, F1, R²): size, power, coverage, how few examples.

calibration: Two learners are cross-validated on each sample, and the test is asked
whether their difference is the true one (its size), or 2 and 3 standard deviations of
the estimate from that (its power). The truth comes from as many other samples, with
test sets of 4000 examples of their own. `size_centred` takes the mean of the estimates
instead: where it is much smaller than `size`, the metric of small test sets is biased;
otherwise the variance is wrong. Values per example are used however few examples a
class has (`smallest_class`: the mean number of a test set). Samples that do not have K
examples of each class are drawn again.

Runs store what they find in a folder, and add up if they have different seeds; --csv
makes the table of all. A run with 100 samples takes two minutes for each size.

thresholds: A fixed rule, which is not trained, is tested on the ten folds of a sample,
so that all that is wrong comes from the metric of small test sets: from its bias, and
from its linearisation. How often do 95% intervals of the mean over folds hold the
metric on 400,000 other examples, from values per example (`by_example`) and from the
means of folds (`by_fold`)? The thresholds of FewExamplesWarning are where `by_example`
is at least 93%.

constant: Such a sample has one interval by `cross_val_interval`, which is asked for
once. Rules that find each positive with one probability, and call each negative
positive with another, give such a sample with a probability that is known, and have
metrics that are known. So how often an interval misses needs no simulation: it is the
largest probability of such a sample among rules whose metric the interval does not
hold. A 95% interval should have 0.025 at most, as it has two ends.

    python benchmarks/metrics.py calibration --data DIR --out out --size 100 --seed 1
    python benchmarks/metrics.py calibration --out out \
        --csv docs/data/metric_calibration.csv
    python benchmarks/metrics.py thresholds --csv docs/data/metric_thresholds.csv
    python benchmarks/metrics.py constant --csv docs/data/constant_metrics.csv
"""

import argparse
import itertools
import pathlib
import sys
import warnings
import zlib
from functools import partial
from typing import NamedTuple

import numpy as np
from earlier_study import populations
from harness import (
    MEASURES,
    direct_losses,
    is_asked,
    joined,
    large_test_values,
    losses_of_values,
    run,
    run_parser,
    store,
    stored,
    write_table,
)
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.discriminant_analysis import LinearDiscriminantAnalysis
from sklearn.linear_model import Ridge
from sklearn.metrics import cohen_kappa_score, get_scorer, make_scorer
from sklearn.naive_bayes import GaussianNB
from sklearn.neighbors import KNeighborsRegressor
from sklearn.tree import DecisionTreeRegressor

from sklearn_cvtest import (
    BlockKFold,
    CorrectedRepeatedKFoldTTest,
    CorrectedResampledTTest,
    KFoldZTest,
    cross_val_interval,
)
from sklearn_cvtest._pairs._intervals import estimator_intervals

# Calibration -----------------------------------------------------------------------


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
            for test in (KFoldZTest(), of_blocks):
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


def calibration_table():
    arguments = run_parser(__doc__, SIZES).parse_args()
    populations.DATA = arguments.data
    cells = itertools.product(CASES, SIZES, DESIGNS)
    run(cells, arguments, is_asked, simulate, summaries)


# Thresholds ------------------------------------------------------------------------


N_FOLDS, N_TRUTH = 10, 400_000
OF_CLASSES = (
    "roc_auc",
    "average_precision",
    "f1",
    "balanced_accuracy",
    "matthews_corrcoef",
    "precision",
)
OF_NUMBERS = "r2", "rmse"


def classes(rng, n, share):
    y = (rng.random(n) < share).astype(int)
    scores = 1.5 * y + rng.normal(size=n)
    labels = (scores > (0.75 if share == 0.5 else 1.4)).astype(int)
    return y, {"scores": scores, "labels": labels}


def numbers(rng, n, tails):
    prediction = rng.normal(size=n)
    noise = rng.normal(size=n) if tails == "normal" else rng.standard_t(5, size=n)
    return prediction + noise, {"numbers": prediction}


KINDS = {
    "50% positives": (classes, 0.5, OF_CLASSES),
    "10% positives": (classes, 0.1, OF_CLASSES),
    "normal": (numbers, "normal", OF_NUMBERS),
    "t with 5 df": (numbers, "t", OF_NUMBERS),
}


def folds_of(y, rng, stratify):
    seed = int(rng.integers(2**31))
    cv = BlockKFold(N_FOLDS, stratify=stratify, random_state=seed)
    return list(cv.split(np.zeros((len(y), 1)), y)), cv.get_design()


def coverage(kind, n_test, n_samples, rng):
    """Return rows of the table, one for each metric."""
    draw, option, metrics = KINDS[kind]
    y, outputs = draw(rng, N_TRUTH, option)
    truth = {name: evaluated(name, y, outputs)[0] for name in metrics}
    found = {name: [] for name in metrics}
    for _ in range(n_samples):
        y, outputs = drawn(draw, rng, N_FOLDS * n_test, option)
        splits, design = folds_of(y, rng, draw is classes)
        for name in metrics:
            values = [evaluated(name, y, outputs, test) for _, test in splits]
            rows = []
            for fewest in (0, np.inf):
                losses = losses_of_values(
                    name, [[v] for v in values], y, splits, design, fewest=fewest
                )
                one = estimator_intervals(losses)
                rows += [one.estimate[0], one.ci_low[0], one.ci_high[0]]
            found[name].append(rows)
    share = min(option, 1 - option) if draw is classes else 1
    for name in metrics:
        estimate, low, high, _, low_of_folds, high_of_folds = np.array(found[name]).T
        is_in = (low <= truth[name]) & (truth[name] <= high)
        is_in_folds = (low_of_folds <= truth[name]) & (truth[name] <= high_of_folds)
        yield {
            "target": kind,
            "metric": name,
            "n_test": n_test,
            "smallest_class": f"{n_test * share:g}",
            "truth": f"{truth[name]:.3f}",
            "estimate": f"{estimate.mean():.3f}",
            "deviation": f"{estimate.std(ddof=1):.3f}",
            "by_example": round(is_in.mean(), 4),
            "by_fold": round(is_in_folds.mean(), 4),
            "samples": n_samples,
        }


def drawn(draw, rng, n, option):
    """Draw a sample with as many examples of each class as there are folds."""
    while True:
        y, outputs = draw(rng, n, option)
        if draw is numbers or min(y.sum(), n - y.sum()) >= N_FOLDS:
            return y, outputs


def evaluated(name, y, outputs, rows=slice(None)):
    measure = MEASURES[name]
    return measure.function(y[rows], outputs[measure.takes][rows])


def thresholds_table():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--samples", type=int, default=300)
    parser.add_argument("--csv", type=pathlib.Path)
    arguments = parser.parse_args()
    warnings.simplefilter("ignore")
    rng = np.random.default_rng(0)
    table = []
    for kind, (draw, option, _) in KINDS.items():
        sizes = (10, 15, 20, 30, 50)
        if draw is classes:
            sizes = [round(count / option) for count in (2, 3, 5, 7, 10, 15)]
        for n_test in sizes:
            for row in coverage(kind, n_test, arguments.samples, rng):
                print(*row.values(), sep="  ", flush=True)
                table.append(row)
    if arguments.csv:
        write_table(arguments.csv, table)


# Constant --------------------------------------------------------------------------


NAMES = "recall", "f1", "jaccard", "precision", "balanced_accuracy"
NAMES += ("matthews_corrcoef", "roc_auc", "average_precision", "accuracy", "f1_macro")
SCORERS = {name: get_scorer(name) for name in NAMES}
SCORERS |= {"kappa": make_scorer(cohen_kappa_score)}
CONSTANT_SIZES, SHARES = (200, 500, 1000), (0.01, 0.02, 0.05, 0.3)
CHANCES = np.geomspace(0.001, 0.5, 200)  # of a sample that shows nothing
PARTS = np.linspace(0, 1, 21)  # of its logarithm that is due to the positives


class Rule(ClassifierMixin, BaseEstimator):
    """Predicts what the first column says."""

    def fit(self, X, y):
        self.classes_ = np.array([0, 1])
        return self

    def predict(self, X):
        return X[:, 0].astype(int)

    def predict_proba(self, X):
        return np.eye(2)[self.predict(X)]


def constant_intervals(found, n, n_positives):
    """Return {metric: interval} of a sample in which all or no positives are found."""
    y = (np.arange(n) < n_positives).astype(int)
    X = (y * found)[:, np.newaxis]
    cv = BlockKFold(min(10, n_positives), stratify=True, random_state=0)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        result = cross_val_interval(Rule(), X, y, scoring=SCORERS, cv=cv)
    rows = [row for row in result.rows() if row["standard_error"] == 0]
    return {row["metric"]: (row["ci_low"], row["ci_high"]) for row in rows}


def metrics_of(found, wrong, share):
    """Return the metrics of rules with these rates of hits and of false positives."""
    hits, false = share * found, (1 - share) * wrong
    missed, right = share - hits, 1 - share - false
    given = hits + false
    both = 2 * right / (2 * right + missed + false)
    agree, chance = hits + right, share * given + (1 - share) * (1 - given)
    ranked = (1 + found - wrong) / 2
    with np.errstate(invalid="ignore", divide="ignore"):
        precision = np.where(given > 0, hits / given, 0.0)
        root = np.sqrt(given * (1 - given) * share * (1 - share))
        matthews = np.where(root > 0, (hits - share * given) / root, 0.0)
    f1 = 2 * hits / (share + given)
    return {
        "recall": found, "f1": f1, "jaccard": hits / (share + false),
        "precision": precision, "balanced_accuracy": ranked,
        "matthews_corrcoef": matthews, "roc_auc": ranked,
        "average_precision": found * precision + (1 - found) * share,
        "accuracy": agree, "f1_macro": (f1 + both) / 2,
        "kappa": (agree - chance) / (1 - chance),
    }  # fmt: skip


def rows_of(shows, n, share):
    n_positives = round(n * share)
    chance, part = np.meshgrid(CHANCES, PARTS)
    right = chance ** (part / n_positives)  # of a positive
    wrong = 1 - chance ** ((1 - part) / (n - n_positives))
    found = right if shows == "no error" else 1 - right
    true = metrics_of(found, wrong, share)
    of_sample = constant_intervals(shows == "no error", n, n_positives)
    for metric, (low, high) in of_sample.items():
        missed = (true[metric] < low - 1e-9) | (true[metric] > high + 1e-9)
        yield {
            "shows": shows, "n": n, "positives": n_positives, "metric": metric,
            "low": round(low, 4), "high": round(high, 4),
            "missed": round(float(chance[missed].max(initial=0.0)), 4),
        }  # fmt: skip


def constant_table():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--csv", required=True)
    options = parser.parse_args()
    cells = itertools.product(("no hit", "no error"), CONSTANT_SIZES, SHARES)
    write_table(options.csv, [row for cell in cells for row in rows_of(*cell)])


TABLES = {
    "calibration": calibration_table,
    "thresholds": thresholds_table,
    "constant": constant_table,
}


if __name__ == "__main__":
    TABLES[sys.argv.pop(1)]()
