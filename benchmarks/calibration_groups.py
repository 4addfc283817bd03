"""Size and power of the tests on rows that belong together, and on time series.

Two linear models, each on its own of two features of which neither is better, predict a
target: the expected losses of the learning algorithms are equal, and those of fitted
models follow from their coefficients. Features and noise are alike within groups such
that the intra-class correlation of the loss differences is the one asked for. Fits are
computed in closed form, many samples at once; the tests are those of the package.

Run: python benchmarks/calibration_groups.py [--samples 1000] [--quick]
Writes docs/calibration_groups.csv and docs/calibration_series.csv.
"""

import argparse
import csv
import itertools
import pathlib
import warnings
from dataclasses import replace

import numpy as np
from scipy.signal import lfilter
from sklearn.dummy import DummyRegressor

import sklearn_cvtest as ct

ALPHA = 0.05
CHUNK = 2**21  # rows that are drawn at a time
SETS = 500  # samples of which the set of best estimators is computed
DOCS = pathlib.Path(__file__).parent.parent / "docs"

N_GROUPS = (20, 30, 60, 200)
ROWS = ("2", "10", "50", "2 to 50")
ICCS = (0.0, 0.2, 0.5, 0.8)
LENGTHS, PHIS, HORIZONS = (50, 200, 1000), (0.0, 0.3, 0.6), (1, 4)


def group_sizes(n_groups, rows):
    """Return the number of rows of each group; "2 to 50" are very unequal."""
    if rows != "2 to 50":
        return np.full(n_groups, int(rows))
    sizes = np.rint(np.geomspace(2, 50, n_groups)).astype(int)
    return np.random.default_rng(0).permutation(sizes)


def designs(groups):
    """Return losses of a model that does not matter, for each design of splits."""
    n = len(groups)
    splitters = {
        "10-fold": ct.BlockKFold(10, random_state=0),
        "15 subsamples": ct.RepeatedSubsample(random_state=0),
        "one split": ct.RepeatedSubsample(1, test_size=0.5, random_state=0),
    }
    return {
        name: ct.cross_val_losses(
            DummyRegressor(), np.zeros((n, 1)), np.zeros(n), cv=cv, groups=groups
        )
        for name, cv in splitters.items()
    }


def tests(design):
    if design == "10-fold":
        return {
            "IntegratedRhoTest()": ct.IntegratedRhoTest(),
            "IntegratedRhoTest(correct_skewness=False)": ct.IntegratedRhoTest(
                correct_skewness=False
            ),
            "KFoldZTest()": ct.KFoldZTest(),
            "KFoldTTest()": ct.KFoldTTest(),
            "KFoldTTest(rho='nadeau-bengio')": ct.KFoldTTest("nadeau-bengio"),
        }
    if design == "15 subsamples":
        return {"CorrectedResampledTTest()": ct.CorrectedResampledTTest()}
    return {"HoldoutTTest()": ct.HoldoutTTest()}


class Population:
    """Draws features and targets of rows in groups, many samples at a time."""

    def __init__(self, groups, icc, slope=1.0):
        self.groups, self.slope = groups, slope
        # Differences are products of two independent terms, each with this correlation.
        self.alike = np.sqrt(icc)

    def draw(self, n_samples, rng):
        x = np.stack([self._alike(n_samples, rng) for _ in range(2)])
        return x, self.slope * x.sum(axis=0) + self._alike(n_samples, rng)

    def _alike(self, n_samples, rng):
        """Return normal values with the correlation within groups."""
        n_groups = self.groups.max() + 1
        shared = rng.standard_normal((n_samples, n_groups))[:, self.groups]
        own = rng.standard_normal((n_samples, len(self.groups)))
        return np.sqrt(self.alike) * shared + np.sqrt(1 - self.alike) * own

    def risk(self, intercept, slope):
        """Return the expected squared error of a line, up to a constant."""
        return intercept**2 + (self.slope - slope) ** 2


def split_indices(groups, design):
    """Return (train, test) of each split as rows of masks over examples."""
    n_splits, n = len(design.n_test), len(groups)
    tested = np.zeros((n_splits, n), dtype=bool)
    tested[design.row_split, design.row_index] = True
    return ~tested, tested


def fit_lines(x, y, train):
    """Return intercepts and slopes of least squares on one feature, for each split."""
    weights = train.T.astype(float)
    n = train.sum(axis=1)
    sx, sy, sxx, sxy = (v @ weights for v in (x, y, x * x, x * y))
    slope = (sxy - sx * sy / n) / (sxx - sx**2 / n)
    return (sy - slope * sx) / n, slope


def differences(x, y, losses, population):
    """Return loss differences of the test rows, and their truth, of each sample."""
    train, _ = split_indices(population.groups, losses)
    at, split = losses.row_index, losses.row_split
    errors, risks = [], []
    for feature in x:
        intercept, slope = fit_lines(feature, y, train)
        predicted = intercept[:, split] + slope[:, split] * feature[:, at]
        errors.append((y[:, at] - predicted) ** 2)
        risks.append(population.risk(intercept, slope) @ losses.n_test)
    truth = (risks[0] - risks[1]) / losses.n_test.sum()
    return np.stack(errors), truth


def measure_groups(n_groups, rows, icc, n_samples, seed):
    """Yield a row of the table for each design and test."""
    codes = np.repeat(np.arange(n_groups), group_sizes(n_groups, rows))
    population = Population(codes, icc)
    for design, losses in designs(codes).items():
        rng = np.random.default_rng(seed)
        step = max(min(CHUNK // len(losses.losses), n_samples), 1)
        parts, dropped = [], []
        for start in range(0, n_samples, step):
            x, y = population.draw(min(step, n_samples - start), rng)
            errors, truth = differences(x, y, losses, population)
            parts.append(evaluate(design, losses, errors, truth))
            if design == "10-fold" and start < SETS:
                dropped += best_is_dropped(losses, errors, truth, SETS - start)
        yield from summaries(design, parts)
        if dropped:
            yield design, "best_estimator_set", "in groups", "", np.mean(dropped), ""


def evaluate(design, losses, errors, truth):
    """Return the evaluation of each test with and without groups, and the truth."""
    values = errors[0] - errors[1]
    stack = losses.pair_residuals([(0, 0)] * len(values))
    stack = replace(stack, values=values)
    found = {}
    for name, test in tests(design).items():
        found[name, "in groups"] = test, test.evaluate(stack)
        if test.needs_examples:
            alone = replace(stack, groups=None)
            found[name, "ignored"] = test, test.evaluate(alone)
    return found, truth


def summaries(design, parts):
    """Yield size for the algorithms, size for the fitted models, and power."""
    deviation = np.std(np.concatenate([first(found).estimate for found, _ in parts]))
    for key in parts[0][0]:
        counts, total = np.zeros(3), 0
        for found, truth in parts:
            test, evaluation = found[key]
            rejected = test.rejects(evaluation, ALPHA, np.array([0.0, 2 * deviation]))
            moved = replace_estimate(evaluation, truth)
            given = test.rejects(moved, ALPHA, np.zeros(1))
            counts += [rejected[:, 0].sum(), given.sum(), rejected[:, 1].sum()]
            total += len(truth)
        size, of_fitted, power = counts / total
        yield design, *key, size, of_fitted, power


def first(found):
    return next(iter(found.values()))[1]


def replace_estimate(evaluation, truth):
    """Return the evaluation of residuals less a constant of each sample."""
    return replace(evaluation, estimate=evaluation.estimate - truth)


def best_is_dropped(losses, errors, truth, most):
    """Return in which samples the better of the two is not in the set."""
    outcome = []
    for number in range(min(most, len(truth))):
        ours = replace(
            losses,
            estimator_names=("first", "second"),
            losses=errors[:, number].T,
            fit_time=np.zeros((len(losses.n_test), 2)),
            score_time=np.zeros((len(losses.n_test), 2)),
            fit_failed=np.zeros((len(losses.n_test), 2), dtype=bool),
        )
        kept = ct.best_estimator_set(ours, n_boot=1000, random_state=number).names
        outcome.append(("second" if truth[number] > 0 else "first") not in kept)
    return outcome


def measure_series(n_times, phi, horizon, n_samples, seed):
    """Yield kernel, size and power of the test of Diebold and Mariano, AR(1) series."""
    rng = np.random.default_rng(seed)
    noise = rng.standard_normal((n_samples, n_times + 200))
    series = lfilter([1.0], [1.0, -phi], noise, axis=1)[:, 200:]
    one = ct.DieboldMarianoTest().residuals_of_array(np.zeros(n_times))
    stack = replace(one, values=series)
    deviation = series.mean(axis=1).std()
    for kernel in ("uniform", "bartlett") if horizon > 1 else ("uniform",):
        test = ct.DieboldMarianoTest(horizon, kernel)
        evaluation = test.evaluate(stack)
        popmeans = np.array([0.0, 2 * deviation])
        yield kernel, *test.rejects(evaluation, ALPHA, popmeans).mean(axis=0)


GROUP_HEADER = (
    "groups", "rows", "icc", "design", "test", "groups_are", "size", "size_fitted",
    "power_2sd",
)  # fmt: skip
SERIES_HEADER = "times", "phi", "horizon", "kernel", "size", "power_2sd"


def write(path, header, rows):
    with path.open("w", newline="", encoding="utf-8") as file:
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow(header)
        writer.writerows(rows)


def show(rows):
    return [f"{cell:.4f}" if isinstance(cell, float) else cell for cell in rows]


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--samples", type=int, default=1000)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--quick", action="store_true", help="30 groups of 10 only")
    parser.add_argument("--folder", type=pathlib.Path, default=DOCS)
    options = parser.parse_args()
    warnings.simplefilter("ignore")
    cells = list(itertools.product(N_GROUPS, ROWS, ICCS))
    # one row a group: what the same tests do with independent rows
    cells += [(n_groups, "1", 0.0) for n_groups in N_GROUPS]
    if options.quick:
        cells = [(30, "10", 0.5), (30, "1", 0.0)]
    rows = []
    for cell in cells:
        for found in measure_groups(*cell, options.samples, options.seed):
            rows.append(show([*cell, *map(as_float, found)]))
            print(*rows[-1], sep=",", flush=True)
    write(options.folder / "calibration_groups.csv", GROUP_HEADER, rows)
    rows = []
    for cell in itertools.product(LENGTHS, PHIS, HORIZONS):
        for found in measure_series(*cell, 10 * options.samples, options.seed):
            rows.append(show([*cell, *map(as_float, found)]))
            print(*rows[-1], sep=",", flush=True)
    write(options.folder / "calibration_series.csv", SERIES_HEADER, rows)


def as_float(cell):
    return float(cell) if isinstance(cell, np.floating) else cell


if __name__ == "__main__":
    main()
