"""Size and coverage over data sets, on simulated collections of known truth.

Three kinds of collections of D data sets, whose true differences scatter with deviation
τ. Counted is how often the synthesis rejects at the 5% level that the mean difference
is what it is (`size`, which is 1 - coverage of its interval), and how often the
prediction interval holds the true difference on one more data set.

- "normal": estimates scatter with variances that differ between data sets (log-normal,
  median 1) and are estimated with `df` degrees of freedom. `stated` is the variance
  that the test believes in over the true one.
- "folds": residuals of zero-one losses on 50 to 2000 examples, in one 10-fold or two
  5-folds, by the default test and all that compare_over_datasets does with it. What all
  folds share has ρ between 0 and 0.6. `agree` is the share of data sets on which both
  models agree everywhere, `disagree` the mean rate of disagreement on the others.
  `mean` and `tau` are in units of the typical standard error.
- "models": naive Bayes and LDA, cross-validated by the default design on samples of 24
  populations, from which collections are drawn; the true difference on a population is
  the mean over all its samples. `tau` is what it is.

Run: python benchmarks/datasets.py [--samples 1000] [--seed 0] [--kinds folds]
Writes docs/data/datasets_calibration.csv and prints the table.
"""

import functools
import itertools
import warnings
from dataclasses import replace

import numpy as np
from harness import parser_of, write_table
from sklearn.discriminant_analysis import LinearDiscriminantAnalysis
from sklearn.naive_bayes import GaussianNB

from sklearn_cvtest import BlockKFold, compare_predictions, cross_val_losses
from sklearn_cvtest._datasets._differences import differences_on_datasets
from sklearn_cvtest._datasets._synthesis import (
    prediction_interval,
    synthesis_pvalue,
    synthesise,
)
from sklearn_cvtest._inference._kfold_z import KFoldZTest

ALPHA = 0.05
SPREADS = {"equal": 0.0, "unequal": 1.0, "very unequal": 2.0}  # sd of log variance
N_DATASETS = (3, 5, 10, 30)
DFS = (4, 9, 14)
TAUS = (0.0, 1.0, 3.0)
BLANK = dict.fromkeys(("variances", "df", "stated", "folds", "disagree", "agree"), "")
SMALLEST, LARGEST = 50, 2000  # data sets
BATCH = 200  # collections at once
N_POPULATIONS, N_DRAWS = 24, 30


def rows_of(scenario, data, mean, new):
    """Return the row of a scenario."""
    result = synthesise(*data[:2], data[2], sizes=data[3])
    low, high = prediction_interval(result)
    size = np.mean(synthesis_pvalue(result, popmean=mean)[1] <= ALPHA)
    yield scenario | {
        "size": np.round(size, 4),
        "sd": np.round(result.estimate.std(), 4),
        "prediction_coverage": np.mean((low <= new) & (new <= high)).round(4),
        "samples": len(new),
    }


def normal(rng, n_samples, n_datasets, df, tau, spread, stated):
    """Return rows of normal estimates."""
    shape = n_samples, n_datasets
    variances = np.exp(SPREADS[spread] * rng.normal(size=shape))
    truth = tau * rng.normal(size=shape)
    estimates = truth + np.sqrt(variances) * rng.normal(size=shape)
    squares = stated * variances * rng.chisquare(df, size=shape) / df
    own = {"variances": spread, "df": df, "stated": stated}
    head = {"kind": "normal", "data_sets": n_datasets, "tau": tau, "mean": 0} | BLANK
    data = estimates, np.sqrt(squares), df, 1.0
    new = tau * rng.normal(size=n_samples)
    return rows_of(head | own, data, 0.0, new)


@functools.cache
def template(n_examples, n_folds, n_runs):
    """Return losses of one K-fold, or of runs of it, to put others into."""
    folds = np.stack([np.arange(n_examples) % n_folds] * n_runs, axis=1)
    y = np.zeros(n_examples, dtype=int)
    given = np.stack([y] * n_runs, axis=1) if n_runs > 1 else y
    splits = folds if n_runs > 1 else folds[:, 0]
    return compare_predictions(y, {"a": given, "b": given}, splits=splits).losses


def found_on(losses, errors):
    """Return what the default test finds of pairs of errors (2, n_rows, n_pairs)."""
    n_pairs = errors.shape[-1]
    names = tuple(map(str, range(2 * n_pairs)))
    empty = np.zeros((len(losses.n_test), 2 * n_pairs))
    filled = replace(
        losses,
        estimator_names=names,
        losses=np.concatenate(list(errors), axis=1),
        fit_time=empty,
        score_time=empty,
        fit_failed=empty.astype(bool),
    )
    pairs = np.arange(2 * n_pairs).reshape(2, -1).T
    test, options = KFoldZTest(), {"alpha": ALPHA, "scale": None}
    found = differences_on_datasets(
        {"x": filled}, {"x": test}, names, pairs, earlier=set(), **options
    )
    return [found.estimates, found.standard_errors, found.dfs]


def draw_errors(rng, losses, rates, shared, n_pairs):
    """Return errors of two models: rates (2, n_pairs) of being wrong alone."""
    n = losses.n_samples
    n_runs = len(losses.losses) // n
    first = np.clip(rates[0] + shared / 2, 0, 1)
    second = np.clip(rates[1] - shared / 2, 0, 1 - first)
    u = np.repeat(rng.random((1, n, n_pairs)), n_runs, axis=0)
    own = rng.random((n_runs, n, n_pairs)) < 0.3 * (n_runs > 1)  # noise of the splits
    u[own] = rng.random(np.count_nonzero(own))
    wrong = u < first, (u >= first) & (u < first + second)
    run = np.zeros(len(losses.row_index), dtype=int)
    for example_rows in np.argsort(losses.row_index, kind="stable").reshape(n, n_runs):
        run[example_rows] = np.arange(n_runs)
    return np.stack([x[run, losses.row_index] for x in wrong]).astype(float)


def folds(rng, n_samples, n_datasets, design, disagree, agree, mean, tau):
    """Return rows of what compare_over_datasets makes of simulated residuals."""
    sizes = np.geomspace(SMALLEST, LARGEST, n_datasets).astype(int)
    unit = 1.3 * np.sqrt(disagree / np.sqrt(SMALLEST * LARGEST))

    def truth(shape):
        drawn = (mean + tau * rng.normal(size=shape)) * unit
        return np.where(rng.random(shape) < agree, 0.0, drawn)

    found = []
    for n in sizes:
        losses, d = template(n, *design), truth(n_samples)
        rate = rng.beta(2, 2 / disagree - 2, n_samples)
        rate = np.where(d == 0, rate * (rng.random(n_samples) >= agree), rate)
        rate = np.clip(rate, np.abs(d), 1)
        rho = rng.uniform(0, 0.6, n_samples)
        shared = np.sqrt(rho / (1 - rho) * rate / n) * rng.normal(size=n_samples)
        shared = np.where(rate > 0, shared, 0)
        rates = np.stack([(rate + d) / 2, (rate - d) / 2])
        parts = [slice(i, i + BATCH) for i in range(0, n_samples, BATCH)]
        some = [
            found_on(losses, draw_errors(rng, losses, rates[:, p], shared[p], BATCH))
            for p in parts
        ]
        found.append(np.concatenate(some, axis=1)[..., 0])
    data = [*np.moveaxis(np.array(found), 0, -1), sizes.astype(float)]
    head = {"kind": "folds", "data_sets": n_datasets, "tau": tau, "mean": mean}
    own = {"folds": f"{design[1]}x{design[0]}", "disagree": disagree, "agree": agree}
    expected = (1 - agree) * mean * unit
    return rows_of(head | BLANK | own, data, expected, truth(n_samples))


def cross_validated(rng, spread):
    """Return estimates, errors, df and sizes of samples of populations (P, N_DRAWS)."""
    found = np.empty((3, N_POPULATIONS, N_DRAWS))
    sizes = np.geomspace(60, 300, N_POPULATIONS).astype(int)
    models = {"bayes": GaussianNB(), "lda": LinearDiscriminantAnalysis()}
    for number, n in enumerate(rng.permutation(sizes)):
        n_features, distance = rng.integers(3, 8), rng.uniform(0.8, 1.6)
        common = spread * rng.random()
        sizes[number] = n
        for draw in range(N_DRAWS):
            y = np.arange(n) % 2
            X = rng.normal(size=(n, n_features)) + common * rng.normal(size=(n, 1))
            X[:, 0] += distance * y
            cv = BlockKFold(5, n_repeats=2, random_state=rng.integers(2**31))
            losses = cross_val_losses(models, X, y, cv=cv)
            test = KFoldZTest()
            one = differences_on_datasets(
                {"x": losses},
                {"x": test},
                losses.estimator_names,
                np.array([[0, 1]]),
                alpha=ALPHA,
                scale=None,
                earlier=set(),
            )
            values = one.estimates, one.standard_errors, one.dfs
            found[:, number, draw] = [value[0, 0] for value in values]
    return found, sizes


def models(rng, n_samples, n_datasets, pool, agree, spread):
    """Return rows of collections of cross-validated models."""
    found, sizes = pool
    truth = found[0].mean(axis=1)
    shape = n_samples, n_datasets
    population = rng.integers(len(sizes), size=shape)
    data = found[:, population, rng.integers(N_DRAWS, size=shape)]
    data[:, rng.random(shape) < agree] = 0.0  # both are right: no variance, no df
    new = truth[rng.integers(len(sizes), size=n_samples)]
    new = np.where(rng.random(n_samples) < agree, 0.0, new)
    noise = found[0].var(axis=1, ddof=1)
    tau = np.sqrt(max(truth.var() - np.mean(noise) / N_DRAWS, 0) / np.median(noise))
    head = {"kind": "models", "data_sets": n_datasets, "tau": tau.round(2), "mean": ""}
    own = {"variances": f"correlation to {spread}", "folds": "2x5", "agree": agree}
    data = [*data, sizes[population].astype(float)]
    expected = (1 - agree) * truth.mean()
    return rows_of(head | BLANK | own, data, expected, new)


def of_estimates(rng, n_samples):
    """Yield rows of estimates that are drawn."""
    for scenario in itertools.product((5, 10, 30), DFS, TAUS, SPREADS, [1.0]):
        yield from normal(rng, n_samples, *scenario)
    for scenario in itertools.product((5, 10, 30), [9], TAUS, SPREADS, [0.5, 2.0]):
        yield from normal(rng, n_samples, *scenario)


def of_folds(rng, n_samples):
    """Yield rows of zero-one losses in folds, by the default test."""
    designs, shares = [(10, 1), (5, 2)], [(0.05, 0.0), (0.2, 0.05), (0.2, 0.2)]
    shares += [(0.05, 0.05), (0.05, 0.2), (0.2, 0.0)]
    n_few = BATCH * (n_samples * 3 // 5 // BATCH or 1)
    for n_datasets, share, tau in itertools.product(N_DATASETS, shares, TAUS):
        for design, mean in zip(designs, (1, 0), strict=True):
            yield from folds(rng, n_few, n_datasets, design, *share, mean, tau)


def of_models(rng, n_samples):
    """Yield rows of cross-validated models, from two pools of populations."""
    for spread in (1.0, 3.0):
        pool = cross_validated(rng, spread)
        for n_datasets, agree in itertools.product(N_DATASETS, (0.0, 0.05, 0.2)):
            yield from models(rng, n_samples, n_datasets, pool, agree, spread)


KINDS = {"estimates": of_estimates, "folds": of_folds, "models": of_models}


def main():
    parser = parser_of(__doc__)
    parser.add_argument("--samples", type=int, default=1000)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--kinds", nargs="+", choices=KINDS, default=list(KINDS))
    parser.add_argument("--out", default="docs/data/datasets_calibration.csv")
    arguments = parser.parse_args()
    warnings.simplefilter("ignore")
    rows = []
    for kind in arguments.kinds:
        rng = np.random.default_rng(arguments.seed)
        for row in KINDS[kind](rng, arguments.samples):
            print(*row.values(), sep=", ", flush=True)
            rows.append(row)
    write_table(arguments.out, rows)


if __name__ == "__main__":
    main()
