"""Coverage of the intervals of `cross_val_interval` and of `NestedKFold`.

one: An interval is about the expected loss, or score, of a learner trained on n_train
examples. Here that truth comes from other samples than the intervals: the learner is
trained on as many independent samples of n_train, and tested on 4000 other examples of
each. Coverage of 93-97% is aimed at. The range of ρ behind the default interval, up to
0.6, was chosen on the populations marked "tuned"; the others were not looked at. `rho`
is the share of the variance that naive intervals (test "rho 0") leave out.

Real populations (see benchmarks/README.md) are read from a folder and are not
part of this package. Runs store what they find in a folder, and add up if they have
different seeds; --csv makes the table of all. A run with 100 samples takes two minutes
for each size.

nested: Intervals are those of `cross_val_interval` and `compare_estimators` with
`cv=NestedKFold(random_state=...)` and defaults (checked on the first sample of every
cell): about models trained on all n examples. The truth is that of as many other
samples of n, each tested on 4000 examples of other groups. `size`, one minus the
coverage, is that of NestedCVTest for a difference. Populations in groups have no more
than 30; nothing was chosen on these cells.

    python benchmarks/intervals.py one --data DIR --out out --size 100 --seed 1
    python benchmarks/intervals.py one --out out --csv docs/data/interval_coverage.csv
    python benchmarks/intervals.py nested --data DIR --wheels DIR --out out --groups 0
    python benchmarks/intervals.py nested --data DIR --wheels DIR --out out
    python benchmarks/intervals.py nested --out out --csv docs/data/nested_coverage.csv
"""

import argparse
import pathlib
import sys
import warnings
import zlib
from functools import partial
from typing import NamedTuple

import few_groups
import hard_fits
import numpy as np
from earlier_study import populations
from harness import (
    MEASURES,
    UNCHECKED,
    direct_losses,
    is_asked,
    joined,
    large_test_values,
    run,
    run_parser,
    store,
    stored,
    write_table,
)
from sklearn import config_context
from sklearn.datasets import load_digits
from sklearn.discriminant_analysis import LinearDiscriminantAnalysis
from sklearn.ensemble import RandomForestClassifier
from sklearn.linear_model import LinearRegression, LogisticRegression, Ridge
from sklearn.naive_bayes import GaussianNB
from sklearn.neighbors import KNeighborsClassifier, KNeighborsRegressor
from sklearn.tree import DecisionTreeClassifier, DecisionTreeRegressor

from sklearn_cvtest import (
    BlockKFold,
    KFoldZTest,
    NestedKFold,
    RepeatedSubsample,
    compare_estimators,
    cross_val_interval,
)
from sklearn_cvtest._pairs._intervals import estimator_intervals
from sklearn_cvtest.results import NestedCVTest

# One -------------------------------------------------------------------------------


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
    Case("10% positives", "lda", "zero_one roc_auc f1 average_precision", (300, 1000)),
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


def split(case, X, y, groups, cv):
    if hasattr(LEARNERS[case.learner], "predict_proba"):
        cv.stratify = True
    return list(cv.split(X, y, groups))


def intervals_of(case, n, design, n_samples, rng):
    """Return {(measure, test): rows (estimate, low, high)} and n_train."""
    found, model = {}, LEARNERS[case.learner]
    for number in range(n_samples):
        X, y, groups = case.draw(rng, n)
        cv = designs(int(rng.integers(2**31)))[design]
        splits, measures = split(case, X, y, groups, cv), case.measures.split()
        by_measure = direct_losses(
            [model], X, y, splits, cv.get_design(), measures, groups=groups
        )
        for measure, losses in by_measure.items():
            one = estimator_intervals(losses)
            used = type(one.test).__name__  # fewer examples of a class: another test
            found.setdefault((measure, used), []).append(interval(one))
            if losses.design.kind == "k-fold" and losses.per_example:
                naive = interval(estimator_intervals(losses, 0.05, KFoldZTest()))
                found.setdefault((measure, "rho 0"), []).append(naive)
            if number == 0:
                check(case, measure, X, y, groups, cv, one)
    n_train = n if design.endswith("nested 5-fold") else losses.n_train.mean()
    return found, round(float(n_train))


def interval(found):
    return found.estimate[0], found.ci_low[0], found.ci_high[0]


def check(case, measure, X, y, groups, cv, intervals):
    """Check that the interval is that of the public function."""
    kind = "scoring" if MEASURES[measure].is_score else "loss"
    found = cross_val_interval(
        LEARNERS[case.learner], X, y, cv=cv, groups=groups, **{kind: measure}
    )
    expected = intervals.ci_low[0], intervals.ci_high[0]
    np.testing.assert_allclose(found.interval_, expected, rtol=1e-6)


def simulate(case, n, design, n_samples, folder, seed):
    """Store intervals of some samples, and truths of as many."""
    label = label_of(case, n, design)
    rng = np.random.default_rng(zlib.crc32(f"{label} {seed}".encode()))
    found, n_train = intervals_of(case, n, design, n_samples, rng)
    draw, model = partial(case.draw, rng), LEARNERS[case.learner]
    measures = case.measures.split()
    truths = large_test_values(draw, [model], measures, n_train, n_samples)
    truths = {measure: np.ravel(values) for measure, values in truths.items()}
    store(folder, label, seed, found, truths, n_train=n_train)


def label_of(case, n, design):
    return f"{case.population} {case.learner} {design} {n}"


def summaries(case, n, design, folder):
    """Yield rows of the table, from all that is stored."""
    parts = stored(folder, label_of(case, n, design))
    keys = dict.fromkeys(key for part in parts for key in part.files if "|" in key)
    tests = {}
    for key in keys:
        measure, test = key.split("|")
        tests.setdefault(measure, set()).add(test)
    for measure, names in tests.items():
        truths = joined(parts, f"{measure}|truth")
        used = sorted(names - {"truth", "rho 0"})
        rows = [joined(parts, f"{measure}|{name}") for name in used]
        row = row_of(case, n, design, measure, " or ".join(used), rows, truths, parts)
        if "rho 0" not in names:
            yield row
            continue
        rows = [joined(parts, f"{measure}|rho 0")]
        naive = row_of(case, n, design, measure, "rho 0", rows, truths, parts)
        error = float(naive["width"]) / (2 * 1.96)
        rho = f"{1 - (error / float(naive['deviation'])) ** 2:.2f}"
        yield row | {"rho": rho}
        yield naive | {"rho": rho}


def row_of(case, n, design, measure, test, rows, truths, parts):
    return {
        "population": case.population,
        "learner": case.learner,
        "measure": measure,
        "role": case.role,
        "design": design,
        "n": n,
        "n_train": int(parts[0]["n_train"]),
        "test": test,
        **coverage_of(np.concatenate(rows), truths),
        "rho": "",
    }


def coverage_of(rows, truths):
    """Return the columns of estimates and intervals (samples, 3), given true values."""
    estimate, low, high = rows.T
    truth = truths.mean()
    below, above = (high < truth).mean(), (low > truth).mean()
    return {
        "coverage": round(1 - below - above, 4),
        "below": round(below, 4),
        "above": round(above, 4),
        "width": f"{np.mean(high - low):.4g}",
        "estimate": f"{np.mean(estimate):.4g}",
        "deviation": f"{np.std(estimate, ddof=1):.3g}",
        "truth": f"{truth:.4g}",
        "truth_error": f"{np.std(truths, ddof=1) / np.sqrt(len(truths)):.2g}",
        "samples": len(estimate),
    }


def asked(case, n, design, arguments):
    return (
        is_asked(case, n, design, arguments)
        and case.learner in (arguments.learner or [case.learner])
        and design in (arguments.design or ["10-fold"])
    )


def one_table():
    parser = run_parser(__doc__, SIZES)
    parser.add_argument("--learner", action="append")
    parser.add_argument("--design", choices=designs(0), action="append")
    arguments = parser.parse_args()
    populations.DATA = arguments.data
    cells = [
        (case, n, design) for case in CASES for n in case.sizes for design in designs(0)
    ]
    run(cells, arguments, asked, simulate, summaries)


# Nested ----------------------------------------------------------------------------


class NestedCase(NamedTuple):
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
        if self.population in few_groups.HALF_OF:
            size = few_groups.ROWS
            sizes = np.full(n // size, size)
            X, y, groups = few_groups.draw(self.population, sizes, rng)
            return X, (y > 0).astype(int) if set(y) <= {-1.0, 1.0} else y, groups
        draw = OWN.get(self.population) or of_study(self.population)
        return draw(rng, n)


NUMBERS, CLASSES = "squared_error absolute_error", "zero_one log_loss"
NESTED_CASES = [
    NestedCase("gaussians", ("bayes", "logistic"), CLASSES, 100),
    NestedCase("magic", ("lda", "tree"), "zero_one", 100),
    NestedCase("magic", ("lda", "bayes"), f"{CLASSES} roc_auc", 300),
    NestedCase("optdigits", ("bayes", "1nn"), "zero_one", 100),
    NestedCase("spambase", ("bayes", "tree"), "zero_one", 300),
    NestedCase("linear", ("ols", "ridge"), NUMBERS, 100),
    NestedCase("diamonds-log", ("ridge", "5nn regression"), NUMBERS, 100),
    NestedCase("diamonds-log", ("ridge", "regression tree"), NUMBERS, 300),
    NestedCase("diamonds", ("ridge", "5nn regression"), "squared_error", 300),
    *(
        NestedCase(population, learners, measures, size * n_groups, n_groups)
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
    NestedCase("sites", ("lda", "bayes"), f"{CLASSES} roc_auc", 300, 30),
]


def nested_simulate(case, n_samples, folder, seed):
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
                nested_check(case, measure, X, y, groups, cv, rows)
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


def nested_check(case, measure, X, y, groups, cv, rows):
    """Check that the intervals are those of the public functions."""
    kind = {"scoring" if MEASURES[measure].is_score else "loss": measure}
    models = {name: LEARNERS[name] for name in case.learners}
    options = kind | {"cv": cv, "groups": groups}
    found = cross_val_interval(models[case.learners[0]], X, y, **options)
    np.testing.assert_allclose(found.interval_, rows[0][1:], rtol=1e-6)
    pair = compare_estimators(models, X, y, **options)
    shown = pair.to_frame()[["ci_low", "ci_high"]].to_numpy()[0]
    np.testing.assert_allclose(shown, rows[2][1:], rtol=1e-6)


def nested_summaries(case, folder):
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


def nested_table():
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
        rows = [
            row
            for case in NESTED_CASES
            for row in nested_summaries(case, arguments.out)
        ]
        write_table(arguments.csv, rows)
        return
    populations.DATA = arguments.data.parent  # it looks in the folder "populations"
    with config_context(**UNCHECKED):
        for case in NESTED_CASES:
            if stored(arguments.out, case.label):
                continue
            if arguments.groups is None or case.n_groups in arguments.groups:
                nested_simulate(case, arguments.samples, arguments.out, arguments.seed)
                print(case.label, flush=True)


TABLES = {"one": one_table, "nested": nested_table}


if __name__ == "__main__":
    TABLES[sys.argv.pop(1)]()
