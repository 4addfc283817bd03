"""Coverage of the intervals of cross_val_interval, on populations with a known truth.

An interval is about the expected loss, or score, of a learner trained on n_train
examples. Here that truth comes from other samples than the intervals: the learner is
trained on 400 independent samples of n_train and tested on 4000 other examples of
each. Coverage of 93-97% is aimed at. The range of ρ behind the default interval, up to
0.6, was chosen on the populations marked "tuned"; the others were not looked at.

Real populations (see benchmarks/study/README.md) are read from a folder and are not
part of this package. Run, for one size at a time (a quarter of an hour each; rows of
the CSV that are measured again are replaced):

    python benchmarks/interval_coverage.py --data DIR --size 100 --csv CSV

The numbers of docs/calibration.md are in docs/interval_coverage.csv.
"""

import argparse
import csv
import pathlib
import time
import warnings
import zlib
from typing import NamedTuple

import numpy as np
from sklearn import config_context
from sklearn.datasets import load_digits
from sklearn.discriminant_analysis import LinearDiscriminantAnalysis
from sklearn.ensemble import RandomForestClassifier
from sklearn.linear_model import LinearRegression, LogisticRegression, Ridge
from sklearn.naive_bayes import GaussianNB
from sklearn.neighbors import KNeighborsClassifier, KNeighborsRegressor
from sklearn.tree import DecisionTreeClassifier, DecisionTreeRegressor
from study import populations

from sklearn_cvtest import (
    BlockKFold,
    KFoldZTest,
    NestedKFold,
    RepeatedSubsample,
    cross_val_interval,
    cross_val_losses,
)
from sklearn_cvtest._pairs._intervals import estimator_intervals

N_TRUTH, N_TEST = 400, 4000


# Populations: functions of (rng, n) that return X, y and groups ---------------------


def gaussians(rng, n, shift=1.0, share=0.5):
    y = (rng.random(n) < share).astype(int)
    X = rng.normal(size=(n, 5)) + shift * y[:, np.newaxis] * [1, 1, 0, 0, 0]
    return X, y, None


def few_positives(rng, n):
    return gaussians(rng, n, 2.0, 0.2)


def rare_positives(rng, n):
    return gaussians(rng, n, 1.5, 0.1)


def digits(rng, n):
    X, y = load_digits(return_X_y=True)
    rows = rng.integers(len(y), size=n)
    return X[rows], y[rows], None


def linear(rng, n):
    X = rng.normal(size=(n, 30))
    return X, X.sum(axis=1) / np.sqrt(10) + rng.normal(size=n), None


def linear_groups(rng, n, size=5):
    """Groups of five, which share half of the noise."""
    X = rng.normal(size=(n, 10))
    common = np.repeat(rng.normal(size=n // size), size)
    noise = (common + rng.normal(size=n)) / np.sqrt(2)
    return X, X.sum(axis=1) / np.sqrt(10) + noise, np.arange(n) // size


def sites(rng, n):
    """Groups of 2 to 18 examples with a shift of all features and of the odds."""
    sizes = rng.integers(2, 19, size=n)  # more than enough
    groups = np.repeat(np.arange(n), sizes)[:n]
    shift = 0.5 * rng.normal(size=(n, 6))
    X = rng.normal(size=(n, 6)) + shift[groups]
    odds = X[:, 0] + X[:, 1] ** 2 - 1 + 0.7 * rng.normal(size=n)[groups]
    return X, (odds + rng.logistic(size=n) > 0).astype(int), groups


def of_study(name):
    """Return a population of the study of the defaults."""

    def draw(rng, n):
        if not name.startswith(tuple(REAL)):
            return (*populations.POPULATIONS[name](rng, n)[:2], None)
        X, y, _ = populations.load(name)
        rows = rng.choice(len(y), n, replace=False)
        return X[rows], y[rows], None

    return draw


def patches(rng, n, size=10):
    """Ten neighbours in the file of covertype each: 30 m cells beside each other."""
    X, y, _ = populations.load("covertype")
    starts = size * rng.choice(len(y) // size, n // size, replace=False)
    rows = (starts[:, np.newaxis] + np.arange(size)).ravel()
    return X[rows], y[rows], np.arange(n) // size


REAL = "magic", "penbased", "optdigits", "spambase", "diamonds", "covertype", "letter"
OWN = {
    "gaussians": gaussians,
    "20% positives": few_positives,
    "10% positives": rare_positives,
    "digits": digits,
    "linear": linear,
    "linear in groups": linear_groups,
    "sites": sites,
    "covertype patches": patches,
}

# Learners, cases, designs -----------------------------------------------------------

LEARNERS = {
    "bayes": GaussianNB(),
    "logistic": LogisticRegression(max_iter=300),
    "lda": LinearDiscriminantAnalysis(),
    "tree": DecisionTreeClassifier(random_state=0),
    "1nn": KNeighborsClassifier(1),
    "5nn": KNeighborsClassifier(5),
    "forest": RandomForestClassifier(20, random_state=0),
    "ols": LinearRegression(),
    "ridge": Ridge(),
    "regression tree": DecisionTreeRegressor(random_state=0),
    "5nn regression": KNeighborsRegressor(5),
}
LOSSES = "zero_one", "squared_error", "absolute_error", "log_loss"
SIZES = 100, 300, 1000


class Case(NamedTuple):
    """A learner on a population, judged by a loss or a score."""

    population: str
    learner: str
    measure: str
    sizes: tuple = SIZES
    role: str = "untouched"

    def draw(self, rng, n):
        draw = OWN.get(self.population) or of_study(self.population)
        return draw(rng, n)

    @property
    def options(self):
        """What is measured, as arguments of cross_val_losses."""
        return {"loss" if self.measure in LOSSES else "scoring": self.measure}


CASES = [
    Case("gaussians", "bayes", "zero_one", (100, 300), "tuned"),
    Case("gaussians", "logistic", "roc_auc", (100, 300), "tuned"),
    Case("20% positives", "bayes", "f1", (300,), "tuned"),
    Case("digits", "tree", "zero_one", (100, 300), "tuned"),
    Case("letter", "tree", "zero_one", (100, 300), "tuned"),
    Case("covertype", "tree", "zero_one", (100, 300), "tuned"),
    Case("linear", "ols", "squared_error", (100, 300), "tuned"),
    Case("friedman", "ridge", "r2", (100, 300), "tuned"),
    Case("linear in groups", "ridge", "squared_error", (100, 300), "tuned"),
    Case("magic", "logistic", "zero_one"),
    Case("magic", "bayes", "roc_auc"),
    Case("magic", "5nn", "f1"),
    Case("magic", "tree", "balanced_accuracy"),
    Case("penbased", "lda", "zero_one", (100, 300)),
    Case("penbased", "1nn", "zero_one", (100, 300)),
    Case("penbased", "tree", "f1_macro", (100, 300)),
    Case("optdigits", "bayes", "zero_one", (100, 300)),
    Case("spambase", "logistic", "roc_auc", (100, 300)),
    Case("spambase", "tree", "zero_one", (100, 300)),
    Case("covertype", "logistic", "log_loss"),
    Case("covertype", "5nn", "zero_one"),
    Case("covertype", "forest", "roc_auc", (100, 300)),
    Case("10% positives", "logistic", "roc_auc"),
    Case("10% positives", "lda", "f1"),
    Case("10% positives", "lda", "average_precision"),
    Case("diamonds-log", "ridge", "squared_error"),
    Case("diamonds-log", "5nn regression", "absolute_error"),
    Case("diamonds-log", "regression tree", "r2"),
    Case("diamonds", "ridge", "squared_error"),
    Case("diamonds", "5nn regression", "r2"),
    Case("covertype patches", "5nn", "zero_one", (300, 1000)),
    Case("covertype patches", "bayes", "roc_auc", (300, 1000)),
    Case("sites", "logistic", "zero_one", (300, 1000)),
    Case("sites", "forest", "roc_auc", (300,)),
]


def designs(seed):
    return {
        "10-fold": BlockKFold(10, random_state=seed),
        "5-fold": BlockKFold(5, random_state=seed),
        "2 x 5-fold": BlockKFold(5, n_repeats=2, random_state=seed),
        "15 subsamples": RepeatedSubsample(15, random_state=seed),
        "5 x nested 5-fold": NestedKFold(5, n_repeats=5, random_state=seed),
    }


TESTS = {"rho 0": KFoldZTest()}  # the naive interval, of the same losses


# Measuring ------------------------------------------------------------------------


def truth_of(case, n_train, rng):
    """Return the mean measure of the learner at n_train, and its standard error."""
    values = []
    for _ in range(N_TRUTH):
        X, y, _ = case.draw(rng, n_train + N_TEST)
        split = np.arange(n_train), np.arange(n_train, len(y))
        model = LEARNERS[case.learner]
        found = cross_val_losses(
            model, X, y, cv=[split], per_example=False, **case.options
        )
        values.append(found.mean_losses[0] * (-1 if found.is_score else 1))
    return np.mean(values), np.std(values, ddof=1) / np.sqrt(N_TRUTH)


def intervals_of(case, design, n, n_samples, rng):
    """Return rows (estimate, low, high) by test, and n_train."""
    found, model = {}, LEARNERS[case.learner]
    for _ in range(n_samples):
        X, y, groups = case.draw(rng, n)
        cv = designs(int(rng.integers(2**31)))[design]
        if hasattr(model, "predict_proba"):
            cv.stratify = True
        one = cross_val_interval(model, X, y, cv=cv, groups=groups, **case.options)
        (losses,) = one.losses.values()
        found.setdefault("default", []).append((one.estimate_, *one.interval_))
        for name, test in TESTS.items():
            if losses.design.kind == "k-fold" and losses.per_example:
                alone = estimator_intervals(losses, 0.05, test)
                row = alone.estimate[0], alone.ci_low[0], alone.ci_high[0]
                found.setdefault(name, []).append(row)
    (used,) = one.intervals.values()
    (row,) = one.to_frame()["n_train"]
    return found, int(row), type(used.test).__name__


def coverage(case, design, n, n_samples, truths):
    """Return rows of the table; `truths` keeps what designs have in common."""
    label = f"{case[:3]} {design} {n}"
    rng = np.random.default_rng(zlib.crc32(label.encode()))
    found, n_train, used = intervals_of(case, design, n, n_samples, rng)
    if n_train not in truths:
        truths[n_train] = truth_of(case, n_train, rng)
    truth, truth_error = truths[n_train]
    for name, intervals in found.items():
        estimate, low, high = np.array(intervals).T
        below, above = (high < truth).mean(), (low > truth).mean()
        yield {
            "population": case.population,
            "learner": case.learner,
            "measure": case.measure,
            "role": case.role,
            "design": design,
            "n": n,
            "n_train": n_train,
            "test": used if name == "default" else name,
            "coverage": round(1 - below - above, 4),
            "below": round(below, 4),
            "above": round(above, 4),
            "width": f"{np.mean(high - low):.4g}",
            "estimate": f"{np.mean(estimate):.4g}",
            "deviation": f"{np.std(estimate, ddof=1):.3g}",
            "truth": f"{truth:.4g}",
            "truth_error": f"{truth_error:.2g}",
            "samples": n_samples,
        }


KEY = "population", "learner", "measure", "design", "n", "test"


def write(rows, path):
    """Write rows to a table, in place of those of the same name there."""
    there = {}
    if path.exists():
        with path.open(newline="") as file:
            there = {tuple(row[k] for k in KEY): row for row in csv.DictReader(file)}
    there |= {tuple(str(row[k]) for k in KEY): row for row in rows}
    with path.open("w", newline="") as file:
        writer = csv.DictWriter(file, rows[0], lineterminator="\n")
        writer.writeheader()
        writer.writerows(there.values())


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--data", type=pathlib.Path, required=True)
    parser.add_argument("--size", type=int, choices=SIZES, action="append")
    parser.add_argument("--samples", type=int, default=500)
    parser.add_argument("--population", action="append")
    parser.add_argument("--design", choices=designs(0), action="append")
    parser.add_argument("--csv", type=pathlib.Path)
    arguments = parser.parse_args()
    populations.DATA = arguments.data
    warnings.simplefilter("ignore")
    for case in CASES:
        if arguments.population and case.population not in arguments.population:
            continue
        for n in set(arguments.size or SIZES) & set(case.sizes):
            truths = {}
            for design in arguments.design or ["10-fold"]:
                start = time.process_time()
                with config_context(assume_finite=True, skip_parameter_validation=True):
                    rows = list(coverage(case, design, n, arguments.samples, truths))
                for row in rows:
                    print(*row.values(), sep="  ", flush=True)
                print(f"    {time.process_time() - start:.0f} s", flush=True)
                if arguments.csv:
                    write(rows, arguments.csv)


if __name__ == "__main__":
    main()
