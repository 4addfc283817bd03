"""Size, power and coverage on 4 to 40 groups of real populations.

The populations are those of grouped_populations.py, which no rule for groups was chosen
on. Groups have 8 rows, or 2 to 30 ("unequal"). Ridge regression, a tree of depth 5 and
five neighbours predict a number, judged by squared errors, or the sign of -1 and 1,
judged by whether it is wrong. The truth is the mean over all samples. Beside the tests
of the package, "ρ as for rows" is IntegratedRhoTest with the range of independent rows,
which is shorter. `planned_power` is that at the median of `detectable_difference`
of 20 samples. Intervals (`who` is one model; the size is one minus their coverage) are
those of `cross_val_interval`.

    python benchmarks/few_real_groups.py --data DIR --wheels DIR --out out --half decide
    python benchmarks/few_real_groups.py --out out  # docs/data/few_real_groups.csv
"""

import argparse
import pathlib
import warnings
import zlib
from dataclasses import replace
from itertools import combinations
from unittest import mock

import grouped_populations
import hard_fits
import numpy as np
from calibration_groups import ALPHA, MODELS, Splits, predict
from grouped_populations import HALF_OF, draw, group_sizes, is_classes
from harness import DATA, shown, write_rows

import sklearn_cvtest as ct
from sklearn_cvtest._inference import _averaged
from sklearn_cvtest._pairs._intervals import estimator_intervals

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
    return test.rejects(test.evaluate(stack), ALPHA, popmeans).mean(axis=0)


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
    return test.rejects(test.evaluate(splits.residuals(e)), ALPHA, popmeans).mean()


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


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--data", type=pathlib.Path)
    parser.add_argument("--wheels", type=pathlib.Path)
    parser.add_argument("--out", type=pathlib.Path, required=True)
    parser.add_argument("--half", choices=grouped_populations.LOADERS)
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


if __name__ == "__main__":
    main()
