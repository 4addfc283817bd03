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
from direct_losses import MEASURES, direct_losses, values_and_influences
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
SIZES = 100, 300, 1000


class Case(NamedTuple):
    """A learner on a population, judged by some losses or scores."""

    population: str
    learner: str
    measures: str
    sizes: tuple = SIZES
    role: str = "untouched"

    def draw(self, rng, n):
        draw = OWN.get(self.population) or of_study(self.population)
        return draw(rng, n)


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
    Case("magic", "lda", "zero_one roc_auc f1 average_precision"),
    Case("magic", "bayes", "zero_one roc_auc f1 balanced_accuracy log_loss"),
    Case("magic", "tree", "zero_one f1 balanced_accuracy"),
    Case("penbased", "lda", "zero_one f1_macro", (100, 300)),
    Case("penbased", "1nn", "zero_one", (100, 300)),
    Case("optdigits", "bayes", "zero_one f1_macro", (100, 300)),
    Case("spambase", "logistic", "zero_one roc_auc log_loss", (100, 300)),
    Case("spambase", "tree", "zero_one f1", (100, 300)),
    Case("covertype", "5nn", "zero_one roc_auc f1"),
    Case("covertype", "forest", "zero_one roc_auc log_loss", (100, 300)),
    Case("10% positives", "lda", "zero_one roc_auc f1 average_precision"),
    Case("diamonds-log", "5nn regression", "squared_error absolute_error r2"),
    Case("diamonds-log", "regression tree", "squared_error absolute_error r2"),
    Case("houses", "ridge", "squared_error absolute_error r2"),
    Case("diamonds", "ridge", "squared_error r2", SIZES, "heavy tails"),
    Case("diamonds", "5nn regression", "squared_error r2", SIZES, "heavy tails"),
    Case("covertype patches", "5nn", "zero_one", (300, 1000), "groups"),
    Case("covertype patches", "bayes", "roc_auc balanced_accuracy", (1000,), "groups"),
    Case("sites", "lda", "zero_one roc_auc f1", (300, 1000), "groups"),
    Case("sites", "forest", "zero_one", (300,), "groups"),
]


def designs(seed):
    return {
        "10-fold": BlockKFold(10, random_state=seed),
        "5-fold": BlockKFold(5, random_state=seed),
        "2 x 5-fold": BlockKFold(5, n_repeats=2, random_state=seed),
        "15 subsamples": RepeatedSubsample(15, random_state=seed),
        "5 x nested 5-fold": NestedKFold(5, n_repeats=5, random_state=seed),
    }


# Measuring ------------------------------------------------------------------------


def truths_of(case, n_train, rng):
    """Return {measure: (mean at n_train, its standard error)}."""
    model, found = LEARNERS[case.learner], {}
    for _ in range(N_TRUTH):
        X, y, _ = case.draw(rng, n_train + N_TEST)
        rows = np.arange(len(y))
        measures = case.measures.split()
        of = values_and_influences(
            model, X, y, rows[:n_train], rows[n_train:], measures
        )
        for measure, (value, _) in of.items():
            found.setdefault(measure, []).append(value)
    return {
        measure: (np.mean(values), np.std(values, ddof=1) / np.sqrt(N_TRUTH))
        for measure, values in found.items()
    }


def split(case, X, y, groups, cv):
    if hasattr(LEARNERS[case.learner], "predict_proba"):
        cv.stratify = True
    return list(cv.split(X, y, groups))


def intervals_of(case, design, n, n_samples, rng):
    """Return {(measure, test): rows (estimate, low, high)} and n_train."""
    found, used, model = {}, {}, LEARNERS[case.learner]
    for number in range(n_samples):
        X, y, groups = case.draw(rng, n)
        cv = designs(int(rng.integers(2**31)))[design]
        splits, measures = split(case, X, y, groups, cv), case.measures.split()
        by_measure = direct_losses(
            [model], X, y, splits, cv.get_design(), measures, groups=groups
        )
        for measure, losses in by_measure.items():
            tests = {"default": None, "rho 0": None}
            if losses.design.kind == "k-fold" and losses.per_example:
                tests["rho 0"] = KFoldZTest()  # the naive interval
            for name, test in tests.items():
                if name != "default" and test is None:
                    continue
                one = estimator_intervals(losses, 0.05, test)
                row = one.estimate[0], one.ci_low[0], one.ci_high[0]
                found.setdefault((measure, name), []).append(row)
                if test is None:
                    used.setdefault(measure, set()).add(type(one.test).__name__)
            if number == 0:
                check(case, measure, X, y, groups, cv, estimator_intervals(losses))
    n_train = n if design.endswith("nested 5-fold") else losses.n_train.mean()
    for measure, names in used.items():
        default = " or ".join(sorted(names))  # few examples of a class: another test
        found[measure, default] = found.pop((measure, "default"))
    return found, round(float(n_train))


def check(case, measure, X, y, groups, cv, intervals):
    """Check that the interval is that of the public function."""
    kind = "scoring" if MEASURES[measure].is_score else "loss"
    found = cross_val_interval(
        LEARNERS[case.learner], X, y, cv=cv, groups=groups, **{kind: measure}
    )
    expected = intervals.ci_low[0], intervals.ci_high[0]
    np.testing.assert_allclose(found.interval_, expected, rtol=1e-6)


def coverage(case, design, n, n_samples, known):
    """Yield rows of the table; `known` keeps the truths that designs share."""
    label = f"{case[:3]} {design} {n}"
    rng = np.random.default_rng(zlib.crc32(label.encode()))
    found, n_train = intervals_of(case, design, n, n_samples, rng)
    if n_train not in known:
        known[n_train] = truths_of(case, n_train, rng)
    for (measure, test), intervals in found.items():
        truth, truth_error = known[n_train][measure]
        estimate, low, high = np.array(intervals).T
        below, above = (high < truth).mean(), (low > truth).mean()
        yield {
            "population": case.population,
            "learner": case.learner,
            "measure": measure,
            "role": case.role,
            "design": design,
            "n": n,
            "n_train": n_train,
            "test": test,
            "coverage": round(1 - below - above, 4),
            "below": round(below, 4),
            "above": round(above, 4),
            "width": f"{np.mean(high - low):.4g}",
            "estimate": f"{np.mean(estimate):.4g}",
            "deviation": f"{np.std(estimate, ddof=1):.3g}",
            "truth": f"{truth:.4g}",
            "truth_error": f"{truth_error:.2g}",
            "samples": len(intervals),
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
