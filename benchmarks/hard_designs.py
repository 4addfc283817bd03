"""Intervals of one model, and 5x2-fold F tests, where predicted classes are hard.

The populations and learners of `hard_fits.py`, in the designs that it leaves out: the
10-fold of `cross_val_interval` and five times two folds; and the populations of the
study (`study/`) that have two classes, on 2 x 5 folds, for alarms where all is well.

    python benchmarks/hard_designs.py fit --half H --data DIR --wheels DIR --out out
    python benchmarks/hard_designs.py intervals --out out \
        --csv docs/data/hard_intervals.csv
    python benchmarks/hard_designs.py f-tests --out out --csv docs/data/hard_f_tests.csv
    python benchmarks/hard_designs.py tails --csv docs/data/interval_tails.csv
    python benchmarks/hard_designs.py fit-study --data DIR --out study
    python benchmarks/hard_cells.py classes --fits study \
        --csv docs/data/regular_classes.csv

hard_intervals.csv: `coverage` of 95% intervals as `cross_val_interval` makes them by
default, of the metric of the learner trained on nine tenths of a sample; `below` and
`above` are the shares of samples in which the interval lies so. The truth is the mean
over training sets, each tested on up to 1,000 examples that are not in its sample. Of
wide populations there are 300 examples only. `few_examples` and `threshold`
are the shares of samples with a FewExamplesWarning and a ThresholdWarning, `told` with
one of them, `told_misses` that of the `misses`; `few_errors` and `skewed` are the
shares with what HeavyTailedResidualsWarning is of in tests, `few_errors_misses` what
the first of these would add to `told_misses`.

interval_tails.csv: 95% intervals of the mean squared error of a rule that is not
trained, by the law of its errors. `skewed` and `heavy` are the shares of samples in
which the mean has a skewness above 0.25, or absolute errors an L-skewness above 0.31;
`_misses` those of the samples whose interval misses.

hard_f_tests.csv: the share of samples in which FiveByTwoFTest() rejects that the
difference is its mean over samples, and at 2 and 3 standard deviations from it; beside
it what docs/data/hard_classes.csv has of the default test in that cell.
"""

import argparse
import csv
import pathlib
import warnings
import zlib
from dataclasses import replace

import hard_cells
import hard_fits
import numpy as np
from earlier_study import populations
from harness import DATA, MEASURES, as_text, losses_of_values, write_table
from sklearn import config_context

from sklearn_cvtest import CVResiduals, FiveByTwoFTest
from sklearn_cvtest._data._moments import l_skewness
from sklearn_cvtest._engine import _thresholds
from sklearn_cvtest._inference import _problems
from sklearn_cvtest._inference._student import MIN_INFORMATIVE
from sklearn_cvtest._pairs._intervals import (
    estimator_intervals,
    interval_in_range,
    interval_test,
)
from sklearn_cvtest._splits._design import Design

FOLDS, MOST_OTHERS, MOST_NUMBERS = 10, 1000, 30_000
OF_SHARES = {
    "f1": "f1",
    "precision": "precision",
    "recall": "recall",
    "jaccard": "jaccard",
    "balanced_accuracy": "balanced_accuracy",
    "matthews_corrcoef": "matthews_corrcoef",
    "zero_one": "accuracy",
}

# Fitting ----------------------------------------------------------------------------


def folds_of(rng, y, n_folds):
    """The fold of each example, of balanced classes."""
    order = rng.permutation(len(y))
    order = order[np.argsort(y[order], kind="stable")]
    fold = np.empty(len(y), dtype=np.int8)
    fold[order] = np.arange(len(y)) % n_folds
    return fold


def fitted(X, y, fold, halves, rng):
    """Return the probabilities on ten folds, labels of halves, and shares elsewhere.

    X and y go on with examples that are not in the sample.
    """
    n, n_all = len(fold), len(y)
    T = np.zeros((FOLDS + 2 * len(halves) + 1, n_all), dtype=bool)
    W = np.zeros_like(T)
    for k in range(FOLDS):
        T[k, :n] = fold == k
    for r, half in enumerate(halves):
        for k in range(2):
            T[FOLDS + 2 * r + k, :n] = half == k
    W[:-1, :n] = ~T[:-1, :n]
    T[-1, n:], W[-1] = True, W[0]
    inside = np.arange(n)
    proba, labels, shares = [], [], []
    for learner in hard_fits.CLASSIFIERS.values():
        found = learner(X[:n], y[:n].astype(int), 2, W[:-1, :n], T[:-1, :n], rng)[
            ..., 1
        ]
        proba.append(found[fold, inside])
        labels.append(
            [found[FOLDS + 2 * r + h, inside] > 0.5 for r, h in enumerate(halves)]
        )
        of_others = learner(X, y.astype(int), 2, W[-1:], T[-1:], rng)[0, n:, 1] > 0.5
        true = y[n:] > 0
        shares.append([(of_others & true).mean(), of_others.mean(), true.mean()])
    return np.stack(proba, -1), np.stack(labels, -1), np.array(shares)


def simulate(name, source, n, n_samples, path):
    rng = np.random.default_rng(zlib.crc32(f"designs {name} {n}".encode()))
    rows = np.inf if source is None else len(hard_fits.population(name, *source)[1])
    n_all = n + int(min(MOST_OTHERS, rows - n))
    kept = {"y": [], "fold": [], "proba": [], "halves": [], "labels": [], "shares": []}
    for _ in range(n_samples):
        X, y = hard_fits.drawn(name, source, rng, n_all)
        while y[:n].sum() < 5:
            X, y = hard_fits.drawn(name, source, rng, n_all)
        fold = folds_of(rng, y[:n], FOLDS)
        halves = np.array([folds_of(rng, y[:n], 2) for _ in range(5)])
        found = fitted(X, y, fold, halves, rng)
        parts = y[:n] > 0, fold, found[0].astype(np.float32), halves, *found[1:]
        for values, part in zip(kept.values(), parts, strict=True):
            values.append(part)
    np.savez(path, **{key: np.array(values) for key, values in kept.items()})


def fit(arguments):
    hard_fits.ARGUMENTS = arguments
    for name, source in hard_fits.CLASSES[arguments.half].items():
        rows, n_features = np.inf, 20
        if source is not None:
            rows, n_features = hard_fits.population(name, *source)[0].shape
        for n in arguments.size:
            if 4 * n > rows or n * n_features > MOST_NUMBERS:
                continue
            path = arguments.out / f"designs_{arguments.half}_{name}_{n}.npz"
            if not path.exists():
                simulate(name, source, n, arguments.samples, path)
                print(path.name, flush=True)


def fit_study(arguments):
    """Store predictions on the populations of the study, as hard_fits.py does."""
    populations.DATA = arguments.data
    for name in populations.CLASSIFIERS:
        draw = populations.POPULATIONS[name]
        if draw(np.random.default_rng(0), 20)[2] != 2:
            continue
        hard_fits.MADE[name] = lambda rng, n, draw=draw: draw(rng, n)[:2]
        for n in populations.SIZES[name]:
            half = "decide" if name in populations.TUNE else "verify"
            path = arguments.out / f"classes_{half}_{name.replace(':', '-')}_{n}.npz"
            if n >= 60 and not path.exists():
                hard_fits.simulate(name, None, n, arguments.samples, True, path)
                print(path.name, flush=True)


# Intervals of one model -------------------------------------------------------------

SIGNS = "few_examples", "threshold", "few_errors", "skewed"


def is_threshold_told(metric, y, fold, proba, losses):
    """Return whether a ThresholdWarning comes, of each learner."""
    found = []
    for k in range(FOLDS):
        true, p = y[fold == k, np.newaxis] > 0, proba[fold == k]
        near = (np.abs(p - 0.5) <= _thresholds.SHIFT).mean(axis=0)
        q = np.full(len(near), true.mean())
        labels = [p > 0.5 + sign * _thresholds.SHIFT for sign in (-1, 1)]
        shares = [((x & true).mean(axis=0), x.mean(axis=0), q) for x in labels]
        scores = [hard_cells.METRICS[metric](*of) for of in shares]
        found.append([q, near, *scores])
    means = np.moveaxis(np.mean(found, axis=0), -1, 0)
    hits = ((proba > 0.5) & (y[:, np.newaxis] > 0)).sum(axis=0)
    is_few = (hits < _thresholds.MIN_HITS) & (metric != "accuracy")
    near = means[:, 1]
    is_near = near >= max(_thresholds.MIN_SHARE, _thresholds.MIN_NEAR / len(y))
    shift = [
        _thresholds._shift_of_noise(q, ends, losses, column)
        for column, (q, _, *ends) in enumerate(means)
    ]
    return is_few | (is_near & (np.array(shift) > _thresholds.MAX_SHIFT))


def losses_of(measure, y, fold, proba):
    """Return the CVLosses of a sample."""
    tests = [np.flatnonzero(fold == k) for k in range(FOLDS)]
    splits = [(np.flatnonzero(fold != k), test) for k, test in enumerate(tests)]
    labels, function = (proba > 0.5).astype(int), MEASURES[measure].function
    found = [[function(y[t], column[t]) for column in labels.T] for t in tests]
    return losses_of_values(measure, found, y, splits, Design("k-fold", FOLDS))


def ends_of(losses, column):
    """Return intervals of a learner (samples, 3), of samples of one kind, and alarms.

    As estimator_intervals does, for all samples at once.
    """
    alone = [of_one.alone(column) for of_one in losses]
    values = np.array([residuals.values for residuals in alone])
    first = losses[0]
    test = interval_test(first.design, first.per_example, None, first.value_range)
    unbounded = -np.inf, np.inf
    residuals = replace(
        alone[0],
        values=values,
        value_range=unbounded,
        row_index=None,
        names=[("model",)] * len(values),
    )
    evaluation = test.evaluate(residuals)
    low, high = test.bounded_interval(evaluation, 0.95, unbounded)
    rows = []
    for number, estimate in enumerate(evaluation.estimate):
        bounds = first.value_range
        ends = interval_in_range(estimate, (low[number], high[number]), bounds)
        if evaluation.standard_error[number] == 0:
            of_one = estimator_intervals(losses[number])
            ends = of_one.ci_low[column], of_one.ci_high[column]
            ends = (-ends[1], -ends[0]) if first.is_score else ends
        rows.append((estimate, *ends))
    full, n = residuals.runs()[0], values.shape[1]
    n_different = _problems._count_errors(full, n)
    skewed = np.abs(_problems._skewness(full, n)) > _problems.MAX_SKEWNESS
    few = (n_different > 0) & (n_different < _problems.FEW)
    few |= skewed & (n_different > 0) & (n_different < MIN_INFORMATIVE)
    signs = np.stack([few, skewed & ~few], axis=-1) & first.per_example
    rows = np.array(rows)
    if first.is_score:
        rows = -rows[:, [0, 2, 1]]
    check(losses[0], column, rows[0])
    return rows, signs, type(test).__name__


LAWS = {
    "normal": lambda rng, shape: rng.normal(size=shape),
    "Laplace": lambda rng, shape: rng.laplace(size=shape),
    "t with 8": lambda rng, shape: rng.standard_t(8, size=shape),
    "t with 5": lambda rng, shape: rng.standard_t(5, size=shape),
    "t with 3": lambda rng, shape: rng.standard_t(3, size=shape),
    "exponential": lambda rng, shape: rng.exponential(size=shape) - 1,
    "log-normal": lambda rng, shape: rng.lognormal(size=shape) - np.exp(0.5),
    "Poisson": lambda rng, shape: rng.poisson(1, size=shape) - 1.0,
    "gamma of 0.3": lambda rng, shape: rng.gamma(0.3, size=shape) - 0.3,
}


def tails(arguments):
    """Measure intervals of the mean of squared errors by their law."""
    table, n_samples = [], 1000
    for n in (100, 300, 1000):
        fold = np.repeat(np.arange(FOLDS), n // FOLDS)
        splits = [
            (np.flatnonzero(fold != k), np.flatnonzero(fold == k)) for k in range(10)
        ]
        for name, law in LAWS.items():
            rng = np.random.default_rng(zlib.crc32(f"{name} {n}".encode()))
            errors, truth = law(rng, (n_samples, n)), (law(rng, 10**7) ** 2).mean()
            losses = [squares_of(e, splits) for e in errors]
            rows, signs, _ = ends_of(losses, 0)
            skewed = signs.any(axis=1)
            missed = (rows[:, 2] < truth) | (rows[:, 1] > truth)
            heavy = l_skewness(np.abs(errors)) > _problems.MAX_TAIL
            table.append(
                {
                    "errors": name,
                    "n": n,
                    "samples": n_samples,
                    "coverage": 1 - missed.mean(),
                    "skewed": skewed.mean(),
                    "skewed_misses": skewed[missed].mean(),
                    "heavy": heavy.mean(),
                    "heavy_misses": heavy[missed].mean(),
                }
            )
    write_shown(arguments.csv, table)


def squares_of(e, splits):
    """Return the CVLosses of a sample of errors."""
    squares = MEASURES["squared_error"].function
    found = [[squares(e[test], np.zeros(len(test)))] for _, test in splits]
    design = Design("k-fold", FOLDS)
    return losses_of_values("squared_error", found, e, splits, design)


def check(losses, column, row):
    """Check that an interval is that of the package."""
    found = estimator_intervals(losses)
    expected = found.estimate[column], found.ci_low[column], found.ci_high[column]
    np.testing.assert_allclose(row, expected, rtol=1e-6, atol=1e-9)


def intervals_of(measure, stored):
    """Return estimates and ends (samples, learners, 3), warnings, and the test."""
    n_samples, _, n_learners = stored["proba"].shape
    rows = np.empty((n_samples, n_learners, 3))
    told = np.zeros((n_samples, n_learners, len(SIGNS)), dtype=bool)
    parts = [stored[key] for key in ("y", "fold", "proba")]
    samples = [
        (y.astype(int), fold, proba.astype(float))
        for y, fold, proba in zip(*parts, strict=True)
    ]
    losses = [losses_of(measure, *sample) for sample in samples]
    for s, (sample, of_one) in enumerate(zip(samples, losses, strict=True)):
        told[s, :, 0] = not of_one.per_example
        if of_one.per_example:
            told[s, :, 1] = is_threshold_told(OF_SHARES[measure], *sample, of_one)
    tests = set()
    is_example = ~told[:, 0, 0]
    for which in (is_example, ~is_example):
        some = np.flatnonzero(which)
        for j in range(n_learners) if len(some) else ():
            found = ends_of([losses[s] for s in some], j)
            rows[some, j], told[some, j, 2:] = found[:2]
            tests.add(found[2])
    return rows, told, " or ".join(sorted(tests))


def intervals(arguments):
    table = []
    for path in sorted(arguments.out.glob("designs_*.npz")):
        _, half, population, n = path.stem.split("_")
        stored = np.load(path)
        stored = {key: stored[key] for key in stored.files}
        for measure, metric in OF_SHARES.items():
            rows, told, test = intervals_of(measure, stored)
            truth = hard_cells.METRICS[metric](*np.moveaxis(stored["shares"], -1, 0))
            truth = 1 - truth if measure == "zero_one" else truth
            cell = {"half": half, "population": population, "n": n}
            cell |= {"positives": stored["y"].mean(), "measure": measure, "test": test}
            for j, learner in enumerate(hard_fits.CLASSIFIERS):
                row = row_of(rows[:, j], told[:, j], truth[:, j].mean())
                table.append(cell | {"learner": learner} | row)
        print(path.stem, flush=True)
    write_shown(arguments.csv, table)


def row_of(rows, told, truth):
    estimate, low, high = rows.T
    below, above = high < truth, low > truth
    misses, of_labels = below | above, told[:, :2].any(axis=1)
    return {
        "samples": len(rows),
        "truth": truth,
        "estimate": estimate.mean(),
        "width": (high - low).mean(),
        "deviation": estimate.std(ddof=1),
        "coverage": 1 - misses.mean(),
        "below": below.mean(),
        "above": above.mean(),
        **dict(zip(SIGNS, told.mean(axis=0), strict=True)),
        "told": of_labels.mean(),
        "misses": int(misses.sum()),
        "told_misses": of_labels[misses].sum() / max(misses.sum(), 1),
        "few_errors_misses": (told[misses, 2] & ~of_labels[misses]).sum()
        / max(misses.sum(), 1),
    }


def write_shown(path, table):
    rows = [dict(zip(row, as_text(row.values()), strict=True)) for row in table]
    write_table(path, rows)


# 5x2 F ------------------------------------------------------------------------------


KEYS = "population", "n", "first", "second", "metric"


def f_tests(arguments):
    table, known = [], {}
    with (DATA / "hard_classes.csv").open(encoding="utf-8") as file:
        for row in csv.DictReader(file):
            known[tuple(row[key] for key in KEYS)] = row
    for path in sorted(arguments.out.glob("designs_*.npz")):
        _, half, population, n = path.stem.split("_")
        stored, learners = np.load(path), list(hard_fits.CLASSIFIERS)
        y, labels = stored["y"][:, np.newaxis, :, np.newaxis], stored["labels"]
        halves = stored["halves"][..., np.newaxis]
        parts = []
        for h in range(2):
            inside = halves == h
            count = inside.sum(axis=2)
            shares = labels & y & inside, labels & inside, y & inside
            parts.append([share.sum(axis=2) / count for share in shares])
        cell = {"half": half, "population": population, "n": n}
        cell |= {"positives": stored["y"].mean()}
        for metric in hard_cells.METRICS:
            p = -np.stack([hard_cells.METRICS[metric](*of) for of in parts], axis=2)
            for pair in hard_cells.PAIRS["classes"]:
                d = p[..., pair[0]]
                if len(pair) == 2:
                    d = d - p[..., pair[1]]
                second = learners[pair[1]] if len(pair) == 2 else ""
                names = {"first": learners[pair[0]], "second": second}
                row = cell | names | {"metric": metric}
                of_default = known.get(tuple(row[key] for key in KEYS))
                if of_default is None:
                    continue
                for name in ("hits", "threshold", "size", "power_2sd", "power_3sd"):
                    row[f"default_{name}"] = of_default[name]
                table.append(row | f_row(d))
        print(path.stem, flush=True)
    write_shown(arguments.csv, table)


def f_row(d):
    """Return sizes and power of differences (samples, 5, 2)."""
    mean, deviation = d.mean(), d.mean(axis=(1, 2)).std(ddof=1)
    return {"samples": len(d), "size": f_rate(d, mean)} | {
        f"power_{k}sd": f_rate(d, mean + k * deviation) for k in (2, 3)
    }


def f_rate(d, popmean):
    n = 10 * len(d[0])
    residuals = CVResiduals(
        values=d.reshape(len(d), 10),
        row_split=np.arange(10),
        n_train=np.full(10, n),
        n_test=np.full(10, n),
        n_samples=2 * n,
        design=Design("5x2", 2, 5),
        per_example=False,
        names=[("first", "second")] * len(d),
    )
    return (FiveByTwoFTest(popmean=popmean).evaluate(residuals).pvalue <= 0.05).mean()


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("what", choices=list(PARTS))
    parser.add_argument("--half", choices=["decide", "verify"])
    parser.add_argument("--data", type=pathlib.Path)
    parser.add_argument("--wheels", type=pathlib.Path)
    parser.add_argument("--out", type=pathlib.Path, default=pathlib.Path("out"))
    parser.add_argument("--csv", type=pathlib.Path)
    parser.add_argument("--size", type=int, nargs="+", default=[300, 1000])
    parser.add_argument("--samples", type=int, default=100)
    arguments = parser.parse_args()
    warnings.simplefilter("ignore")
    if not arguments.csv:
        arguments.out.mkdir(exist_ok=True)
    with config_context(assume_finite=True, skip_parameter_validation=True):
        PARTS[arguments.what](arguments)


PARTS = {
    "fit": fit,
    "fit-study": fit_study,
    "intervals": intervals,
    "f-tests": f_tests,
    "tails": tails,
}

if __name__ == "__main__":
    main()
