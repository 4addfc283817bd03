"""Size and power of the tests on rows that belong together.

Populations of groups, by the column `population`:

- "lines": two linear models, each on its own of two features of which neither is
  better, predict a target. The expected losses of the learning algorithms are equal,
  and those of fitted models follow from their coefficients. Features and noise are
  alike within groups such that the intra-class correlation of the loss differences is
  the one asked for. Fits are computed in closed form, many samples at once.
- "normal, rho = 0.3": normal loss differences, of which that share of the variance of
  the mean is common to all folds.
- "linear - tree", "tree", "linear - tree, zero-one": ridge regression and trees of
  depth 5 on five features; squared errors, and whether the sign is wrong. The truth is
  the mean over all samples.
- "two classifiers": zero-one losses that are equally often 1, for one split.

The tests are those of the package.

Run: python benchmarks/calibration_groups.py PART ... [--samples 1000]
Each part replaces its own rows of docs/data/calibration_groups.csv.

labels: how often the tests and intervals of `Comparison.by` are wrong, label by label.

Two pairs of models are compared by squared error and by whether the sign is wrong:
trees of depth 5 on two different pairs of four equally good features, which do not
differ ("tree - tree"), and ridge regression and such a tree on all of five ("linear -
tree"), where the truth of a label is the mean over all samples, so that the rate is
that at which intervals miss it. Rows are "independent" (300), "in groups" (60 of 5,
intra-class correlation 0.5) or of "sites" (so many groups of 30, the same in all
samples, each its own label and test set). Labels are

- "rows": drawn for each row;
- "groups": drawn for each group, as the sex of patients;
- "feature": quantiles of a feature;
- "small": one of nearly all rows (groups), the others of 12 each;
- "sites": the groups themselves.

Run: python benchmarks/calibration_groups.py labels [--samples 400] [--rows KIND ...]
Writes docs/data/calibration_labels.csv: how often the truth of a label is rejected at
5%, that is, missed by the interval at 95% (mean and largest over the labels), and how
often that of any label is by Holm's adjustment, that is, missed by a simultaneous
interval.
"""

import argparse
import functools
import itertools
import pathlib
import sys
import warnings
from dataclasses import replace

import numpy as np
from harness import DATA, UNCHECKED, is_outside, merge_rows, shown
from scipy import stats
from sklearn import config_context
from sklearn.dummy import DummyRegressor
from sklearn.tree import DecisionTreeRegressor

import sklearn_cvtest as ct
from sklearn_cvtest._results._by_label import differences_by_label

ALPHA = 0.05
CHUNK = 2**21  # rows that are drawn at a time
SETS = 500  # samples of which the set of best estimators is computed

N_GROUPS = (20, 30, 60, 200)
ROWS = ("2", "10", "50", "2 to 50")
ICCS = (0.0, 0.2, 0.5, 0.8)
MORE_GROUPS = (12, 15, 20, 30, 50, 100, 200)
RHOS = (0.0, 0.3, 0.5)


def group_sizes(n_groups, rows):
    """Return the number of rows of each group; "2 to 50" are very unequal."""
    if rows != "2 to 50":
        return np.full(n_groups, int(rows))
    sizes = np.rint(np.geomspace(2, 50, n_groups)).astype(int)
    return np.random.default_rng(0).permutation(sizes)


SPLITTERS = {
    "10-fold": ct.BlockKFold(10, random_state=0),
    "2 x 5-fold": ct.BlockKFold(5, n_repeats=2, random_state=0),
    "5-fold + 3 pairs of halves": ct.PairedHalves(
        ct.BlockKFold(5, random_state=0), 3, random_state=0
    ),
    "15 subsamples": ct.RepeatedSubsample(random_state=0),
    "one split": ct.RepeatedSubsample(1, test_size=0.5, random_state=0),
}
TESTS = {
    "10-fold": (
        ct.IntegratedRhoTest(), ct.KFoldZTest(), ct.KFoldTTest(),
        ct.KFoldTTest("nadeau-bengio"),
    ),
    "15 subsamples": (ct.CorrectedResampledTTest(),),
    "one split": (ct.HoldoutTTest(),),
}  # fmt: skip
INTEGRATED = dict.fromkeys(["10-fold", "2 x 5-fold"], (ct.IntegratedRhoTest(),))
HALVES = {"5-fold + 3 pairs of halves": (ct.IntegratedRhoTest(),)}


class Splits:
    """The splits of a design, and losses of a model that does not matter."""

    def __init__(self, design, groups, cv=None):
        self.name, n = design, len(groups)
        X, cv = np.zeros((n, 1)), SPLITTERS[design] if cv is None else cv
        self.losses = ct.cross_val_losses(
            DummyRegressor(), X, np.zeros(n), cv=cv, groups=groups
        )
        self.train = np.zeros((len(self.losses.n_test), n), dtype=bool)
        for row, (train, _) in zip(self.train, cv.split(X, None, groups), strict=True):
            row[train] = True

    def residuals(self, values):
        """Return residuals of many samples, of shape (n_samples, n_rows)."""
        stack = self.losses.pair_residuals([(0, 0)] * len(values))
        return replace(stack, values=values)


class Lines:
    """Draws features and targets of rows in groups, many samples at a time."""

    def __init__(self, groups, icc, slope=1.0):
        self.groups, self.slope = groups, slope
        # Differences are products of two independent terms, each with this correlation.
        self.alike = np.sqrt(icc)

    def draw(self, n_samples, rng):
        *x, noise = (
            alike_normal(self.groups, self.alike, n_samples, rng) for _ in range(3)
        )
        x = np.stack(x)
        return x, self.slope * x.sum(axis=0) + noise

    def risk(self, intercept, slope):
        """Return the expected squared error of a line, up to a constant."""
        return intercept**2 + (self.slope - slope) ** 2


def fit_lines(x, y, train):
    """Return intercepts and slopes of least squares on one feature, for each split."""
    weights = train.T.astype(float)
    n = train.sum(axis=1)
    sx, sy, sxx, sxy = (v @ weights for v in (x, y, x * x, x * y))
    slope = (sxy - sx * sy / n) / (sxx - sx**2 / n)
    return (sy - slope * sx) / n, slope


def errors_of_lines(x, y, splits, population):
    """Return squared errors of the test rows, and the true difference of the fits."""
    losses = splits.losses
    at, split = losses.row_index, losses.row_split
    errors, risks = [], []
    for feature in x:
        intercept, slope = fit_lines(feature, y, splits.train)
        predicted = intercept[:, split] + slope[:, split] * feature[:, at]
        errors.append((y[:, at] - predicted) ** 2)
        risks.append(population.risk(intercept, slope) @ losses.n_test)
    truth = (risks[0] - risks[1]) / losses.n_test.sum()
    return np.stack(errors), truth


def measure_lines(n_groups, rows, icc, tests, n_samples, seed, *, ignored=True):
    """Yield a row of the table for each design and test."""
    codes = np.repeat(np.arange(n_groups), group_sizes(n_groups, rows))
    population = Lines(codes, icc)
    for design, of_design in tests.items():
        splits, rng = Splits(design, codes), np.random.default_rng(seed)
        n_rows = len(splits.losses.losses)
        step = max(min(CHUNK // n_rows, n_samples), 1)
        parts, dropped = [], []
        for start in range(0, n_samples, step):
            x, y = population.draw(min(step, n_samples - start), rng)
            errors, truth = errors_of_lines(x, y, splits, population)
            differences = errors[0] - errors[1]
            parts.append((evaluate(splits, differences, of_design, ignored), truth))
            if ct.KFoldZTest in map(type, of_design) and start < SETS:
                dropped += best_is_dropped(splits.losses, errors, truth, SETS - start)
        is_one_run = design != "2 x 5-fold" and "halves" not in design
        for row in summaries(design, parts, expected=0.0, given=is_one_run):
            yield "lines", *row
        if dropped:
            found = "in groups", None, np.mean(dropped), None
            yield "lines", design, "best_estimator_set", *found


def evaluate(splits, values, tests, ignored):
    """Return the evaluation of each test, with groups and perhaps without."""
    stack, found = splits.residuals(values), {}
    for test in tests:
        name = " ".join(repr(test).split())
        found[name, "in groups"] = test, test.evaluate(stack)
        if test.traits.needs_examples and ignored:
            alone = replace(stack, groups=None)
            found[name, "ignored"] = test, test.evaluate(alone)
    return found


def summaries(design, parts, expected=None, given=False):
    """Yield size for the algorithms, size for the fitted models, and power.

    `expected` is the true difference, the mean over all samples if it is None; `given`
    says whether the true differences of the fitted models are known.
    """
    estimates = [next(iter(found.values()))[1].estimate for found, _ in parts]
    estimates = np.concatenate(estimates)
    centre = estimates.mean() if expected is None else expected
    popmeans = centre + np.array([0.0, 2 * estimates.std()])
    for key in parts[0][0]:
        of_fitted, rejected = [], []
        for found, truth in parts:
            test, evaluation = found[key]
            rejected.append(is_outside(test, evaluation, ALPHA, popmeans))
            if given:
                moved = replace(evaluation, estimate=evaluation.estimate - truth)
                of_fitted.append(is_outside(test, moved, ALPHA, np.zeros(1)))
        size, power = np.concatenate(rejected).mean(axis=0)
        fitted = np.concatenate(of_fitted).mean() if given else None
        yield design, *key, size, fitted, power


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
        kept = ct.Comparison(ours).best_set(about="models").names
        outcome.append(("second" if truth[number] > 0 else "first") not in kept)
    return outcome


def measure_normal(n_groups, rows, icc, n_samples, seed):
    """Yield sizes for normal differences with a given share of variance in common."""
    codes = np.repeat(np.arange(n_groups), group_sizes(n_groups, rows))
    sizes = np.bincount(codes)
    n = len(codes)
    naive = ((1 - icc) * n + icc * np.sum(sizes**2)) / n**2  # variance at ρ = 0
    for design, tests in INTEGRATED.items():
        splits = Splits(design, codes)
        at, step = splits.losses.row_index, CHUNK // n
        for rho in RHOS:
            rng, parts = np.random.default_rng(seed), []
            common = np.sqrt(naive * rho / (1 - rho))
            for start in range(0, n_samples, step):
                size = min(step, n_samples - start)
                e = alike_normal(codes, icc, size, rng)[:, at]
                e += common * rng.standard_normal((size, 1))
                parts.append((evaluate(splits, e, tests, False), None))
            for row in summaries(design, parts, expected=0.0):
                yield f"normal, rho = {rho}", *row


def alike_normal(codes, correlation, n_samples, rng):
    """Return normal values with a correlation within groups, (n_samples, n)."""
    shared = rng.standard_normal((n_samples, codes.max() + 1))[:, codes]
    own = rng.standard_normal((n_samples, len(codes)))
    return np.sqrt(correlation) * shared + np.sqrt(1 - correlation) * own


class LinearModel:
    """Ridge regression, in closed form: many times faster for these sizes."""

    def fit(self, X, y):
        self.centre, self.mean = X.mean(axis=0), y.mean()
        centred = X - self.centre
        gram = centred.T @ centred + np.eye(X.shape[1])
        self.coef = np.linalg.solve(gram, centred.T @ (y - self.mean))
        return self

    def predict(self, X):
        return self.mean + (X - self.centre) @ self.coef


MODELS = {
    "linear": LinearModel(),
    "tree": DecisionTreeRegressor(max_depth=5, random_state=0),
}
# of regressions, squared errors; of those of signs, zero-one losses of their signs
PAIRS = {
    "linear - tree": ("linear", "tree", False),
    "tree": ("tree", None, False),
    "linear - tree, zero-one": ("linear", "tree", True),
}


def measure_models(n_groups, rows, icc, n_samples, seed):
    """Yield rows for models that are fitted to five features and a linear target."""
    codes = np.repeat(np.arange(n_groups), group_sizes(n_groups, rows))
    rng, kinds = np.random.default_rng(seed), (False, True)
    every = [Splits(design, codes) for design in ("10-fold", "2 x 5-fold")]
    losses = [{(name, kind): [] for name in MODELS for kind in kinds} for _ in every]
    for _ in range(n_samples):
        values = alike_normal(codes, np.sqrt(icc), 6, rng)
        X = np.ascontiguousarray(values[:5].T, dtype=np.float32)
        y = np.sqrt(3 / 5) * X.sum(axis=1) + values[5]
        for splits, found in zip(every, losses, strict=True):
            for name, kind in found:
                predicted = predict(MODELS[name], X, np.sign(y) if kind else y, splits)
                tested = y[splits.losses.row_index]
                loss = predicted * tested <= 0 if kind else (predicted - tested) ** 2
                found[name, kind].append(loss.astype(float))
    for splits, found in zip(every, losses, strict=True):
        for pair, (first, second, kind) in PAIRS.items():
            values = np.stack(found[first, kind])
            if second is not None:
                values = values - np.stack(found[second, kind])
            tests = INTEGRATED[splits.name]
            parts = [(evaluate(splits, values, tests, False), None)]
            for row in summaries(splits.name, parts):
                yield pair, *row


def predict(model, X, y, splits):
    """Return the predictions of all test rows of the splits."""
    at, of = splits.losses.row_index, splits.losses.row_split
    predicted = np.empty(len(at))
    with config_context(**UNCHECKED):
        for split, train in enumerate(splits.train):
            rows = of == split
            predicted[rows] = model.fit(X[train], y[train]).predict(X[at[rows]])
    return predicted


def measure_mcnemar(n_groups, rows, icc, n_samples, seed):
    """Yield rows for zero-one losses of two classifiers on one split."""
    codes = np.repeat(np.arange(n_groups), group_sizes(n_groups, rows))
    splits = Splits("one split", codes)
    at, rng = splits.losses.row_index, np.random.default_rng(seed)
    tests = ct.McNemarTest(), ct.HoldoutTTest()
    step = max(CHUNK // len(codes), 1)
    counts, total, deviation = {}, 0, None
    for start in range(0, n_samples, step):
        size = min(step, n_samples - start)
        first, second = (alike_normal(codes, icc, size, rng)[:, at] for _ in "ab")
        wrong = stats.norm.ppf(0.2)
        e = 1.0 * (first < wrong) - (second < wrong)
        if deviation is None:
            deviation = e.mean(axis=1).std()
        worse = stats.norm.ppf(min(0.2 + 2 * deviation, 0.9))
        unequal = 1.0 * (first < worse) - (second < wrong)
        for which, values in enumerate((e, unequal)):
            for key, (_, found) in evaluate(splits, values, tests, True).items():
                rejected = np.sum(found.pvalue <= ALPHA)
                counts.setdefault(key, np.zeros(2))[which] += rejected
        total += size
    for key, rejected in counts.items():
        size, power = rejected / total
        yield "two classifiers", "one split", *key, size, None, power


GROUP_HEADER = (
    "groups", "rows", "icc", "population", "design", "test", "groups_are", "size",
    "size_fitted", "power_2sd", "samples",
)  # fmt: skip


def cells_of(n_groups, rows, iccs):
    """Return cells, with one row a group: what independent rows give."""
    cells = list(itertools.product(n_groups, rows, iccs))
    return cells + [(number, "1", 0.0) for number in n_groups]


PARTS = {
    # the tests of the package, with groups and without
    "base": (
        cells_of(N_GROUPS, ROWS, ICCS),
        functools.partial(measure_lines, tests=TESTS),
    ),
    # IntegratedRhoTest()
    "integrated": (
        [
            *cells_of(MORE_GROUPS, ("2", "5", "20", "2 to 50"), ICCS),
            (30, "10", 0.0),
            (30, "10", 0.5),
        ],
        functools.partial(measure_lines, tests=INTEGRATED, ignored=False),
    ),
    "halves": (
        cells_of((20, 30, 50), ("5", "2 to 50"), (0.0, 0.5)),
        functools.partial(measure_lines, tests=HALVES, ignored=False),
    ),
    "normal": (cells_of(MORE_GROUPS, ("5", "2 to 50"), (0.0, 0.5)), measure_normal),
    "models": (
        [
            *cells_of((12, 15, 30, 50), ("5", "2 to 50"), (0.0, 0.5, 0.8)),
            *itertools.product((100, 200), ("2",), (0.5,)),
        ],
        measure_models,
    ),
    # half of the groups are tested
    "mcnemar": (
        cells_of((24, 40, 100, 400), ("2", "5", "20", "2 to 50"), ICCS),
        measure_mcnemar,
    ),
}


def parts_table():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("parts", nargs="+", choices=PARTS)
    parser.add_argument("--samples", type=int, default=1000)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--rows", nargs="+", help="only groups of these sizes")
    parser.add_argument("--groups", nargs="+", type=int, help="only so many groups")
    parser.add_argument("--folder", type=pathlib.Path, default=DATA)
    options = parser.parse_args()
    warnings.simplefilter("ignore")
    for name in options.parts:
        cells, measure = PARTS[name]
        for cell in cells:
            is_left_out = options.rows and cell[1] not in options.rows
            if is_left_out or (options.groups and cell[0] not in options.groups):
                continue
            found = measure(*cell, n_samples=options.samples, seed=options.seed)
            rows = shown((*cell, *row, options.samples) for row in found)
            merge_rows(options.folder / "calibration_groups.csv", GROUP_HEADER, rows, 7)


# Labels ----------------------------------------------------------------------------


LABEL_HEADER = (
    "rows", "design", "test", "pair", "loss", "labels", "n_labels", "wrong_mean",
    "wrong_max", "wrong_any", "samples",
)  # fmt: skip
DESIGNS = "10-fold", "2 x 5-fold"
LABEL_TESTS = {"10-fold": (ct.IntegratedRhoTest(), ct.KFoldZTest())}
NUMBERS = 2, 5, 10
LABEL_PAIRS = {  # two models, each with its features
    "tree - tree": (("tree", [0, 1]), ("tree", [2, 3])),
    "linear - tree": (("linear", slice(None)), ("tree", slice(None))),
}


class Population:
    """Draws rows with five features and a linear target; sites stay the same."""

    def __init__(self, kind, n_sites, rng):
        self.kind, self.rng = kind, rng
        per_group = {"independent": 1, "in groups": 5, "sites": 30}[kind]
        n_groups = n_sites or 300 // per_group
        self.codes = np.repeat(np.arange(n_groups), per_group)
        self.effects = rng.normal(size=(n_groups, 6))

    def draw(self):
        if self.kind == "sites":
            own = self.rng.normal(size=(len(self.codes), 6))
            values = (self.effects[self.codes] + own) * np.sqrt(0.5)
        else:
            values = alike_normal(self.codes, np.sqrt(0.5), 6, self.rng).T
        if self.kind == "independent":  # a label by position is one by the feature
            values = values[np.argsort(values[:, 4])]
        X = np.ascontiguousarray(values[:, :5], dtype=np.float32)
        return X, np.sqrt(3 / 5) * X.sum(axis=1) + values[:, 5]

    def labels(self):
        """Yield a kind of labels, their number, and the label of each row."""
        n, n_groups = len(self.codes), self.codes[-1] + 1
        if self.kind == "sites":
            yield "sites", n_groups, self.codes
            return
        for number in NUMBERS:
            rng = np.random.default_rng(number)
            yield "rows", number, rng.permutation(np.arange(n) % number)
            if self.kind == "independent":
                yield "feature", number, np.arange(n) * number // n
            elif number <= 5:  # a label needs ten groups
                by_group = rng.permutation(np.arange(n_groups) % number)
                yield "groups", number, by_group[self.codes]
            if 12 * number <= n_groups:
                small = np.repeat(np.arange(1, number), 12)
                rest = np.zeros(n_groups - len(small), dtype=int)
                yield (
                    "small",
                    number,
                    rng.permutation(np.append(small, rest))[self.codes],
                )


def measure_labels(kind, n_sites, n_samples, seed):
    """Yield a row of the table for each design, test, loss and kind of labels."""
    population = Population(kind, n_sites, np.random.default_rng(seed))
    codes = population.codes
    every = [Splits(design, codes) for design in DESIGNS if n_sites is None]
    if n_sites is not None:
        every = [Splits("a fold a site", codes, ct.BlockKFold(n_sites, random_state=0))]
    names = ["linear - tree"] if kind == "sites" else list(LABEL_PAIRS)
    losses = [
        {(name, is_sign): [] for name in names for is_sign in (False, True)}
        for _ in every
    ]
    for _ in range(n_samples):
        X, y = population.draw()
        for splits, found in zip(every, losses, strict=True):
            for (name, is_sign), rows in found.items():
                rows += losses_of_models(LABEL_PAIRS[name], splits, X, y, is_sign)
    for splits, found in zip(every, losses, strict=True):
        for (pair, is_sign), rows in found.items():
            loss = "zero-one" if is_sign else "squared error"
            every_loss = losses_of_samples(splits.losses, np.array(rows).T)
            for test in LABEL_TESTS.get(splits.name, (ct.IntegratedRhoTest(),)):
                name = " ".join(repr(test).split())
                for labels, number, label in population.labels():
                    wrong = wrong_by_label(every_loss, test, label, pair)
                    yield kind, splits.name, name, pair, loss, labels, number, *wrong


def losses_of_models(models, splits, X, y, is_sign):
    """Return the losses of both models, of all tested rows."""
    tested, target = y[splits.losses.row_index], np.sign(y) if is_sign else y
    predicted = [
        predict(MODELS[name], X[:, features], target, splits)
        for name, features in models
    ]
    if is_sign:
        return [(one * tested <= 0).astype(float) for one in predicted]
    return [(one - tested) ** 2 for one in predicted]


def losses_of_samples(template, losses):
    """Return losses of the models of all samples, as if of so many models."""
    n_models = losses.shape[1]
    none = np.zeros((len(template.n_test), n_models))
    return replace(
        template,
        estimator_names=tuple(map(str, range(n_models))),
        losses=losses,
        fit_time=none,
        score_time=none,
        fit_failed=none.astype(bool),
    )


def wrong_by_label(losses, test, labels, pair):
    """Return how often the truth of a label is rejected: mean, largest, and any."""
    n_models = losses.losses.shape[1]
    pairs = np.arange(n_models).reshape(-1, 2)
    options = {"p_adjust": None, "alpha": 0.05}
    truth = np.zeros(labels.max() + 1)
    if pair != "tree - tree":
        found = differences_by_label(losses, pairs, test, labels, **options)
        truth = found.estimate.mean(axis=1)
    shift = truth[labels[losses.row_index], np.newaxis] * (np.arange(n_models) % 2 == 0)
    moved = replace(losses, losses=losses.losses - shift, loss_name="difference")
    pvalues = differences_by_label(moved, pairs, test, labels, **options).pvalue
    of_label = (pvalues <= 0.05).mean(axis=1)
    any_label = (pvalues <= 0.05 / len(truth)).any(axis=0).mean()
    return of_label.mean(), of_label.max(), any_label


def labels_table():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--samples", type=int, default=400)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--rows", nargs="+", help="only rows of these kinds")
    parser.add_argument("--folder", type=pathlib.Path, default=DATA)
    options = parser.parse_args()
    warnings.simplefilter("ignore")
    cells = [("independent", None), ("in groups", None)]
    cells += [("sites", number) for number in NUMBERS]
    for cell in cells:
        if options.rows and cell[0] not in options.rows:
            continue
        found = measure_labels(*cell, options.samples, options.seed)
        rows = shown((*row, options.samples) for row in found)
        merge_rows(options.folder / "calibration_labels.csv", LABEL_HEADER, rows, 7)


if __name__ == "__main__":
    if sys.argv[1:2] == ["labels"]:
        sys.argv.pop(1)
        labels_table()
    else:
        parts_table()
