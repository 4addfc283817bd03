"""How many fits a race of candidates saves, and what its pick costs.

From each of five populations, samples of 1,500 examples are searched with three grids,
of 52, 49 and 96 candidates. All of them are fitted on the splits of a 10-fold
cross-validation, repeated three times; the race, Optuna's pruners and GridSearchCV read
these scores and the losses of examples, and only HalvingGridSearchCV fits anew, on the
first 10 splits. What a candidate is really worth is its mean score on 2,000 further
examples, over the first fits of all runs and samples.

Run: python benchmarks/racing.py --data DIR --out OUT [--population magic] [--seed 1]
     [--repeats 1] [--no-halving]
Write the table: python benchmarks/racing.py --out OUT --csv docs/data/racing.csv
By situation, of made classifiers, 40 candidates on ten folds:
python benchmarks/racing.py --situations --out OUT --csv docs/data/race_savings.csv
(with Optuna's pruners, each in five random orders, where it is installed)
"""

import argparse
import itertools
import time
import warnings
from collections import defaultdict
from functools import partial
from importlib.util import find_spec

import numpy as np
import pandas as pd
from harness import UNCHECKED, run_parser, write_table
from scipy.special import ndtri
from sklearn import config_context
from sklearn.base import clone
from sklearn.experimental import enable_halving_search_cv  # noqa: F401
from sklearn.feature_selection import SelectPercentile, f_classif, f_regression
from sklearn.linear_model import Ridge, RidgeClassifier
from sklearn.model_selection import HalvingGridSearchCV, ParameterGrid
from sklearn.neighbors import KNeighborsClassifier, KNeighborsRegressor
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.tree import DecisionTreeClassifier, DecisionTreeRegressor

from sklearn_cvtest import BlockKFold
from sklearn_cvtest._losses._metrics import find_metric
from sklearn_cvtest._search._examples import Folds
from sklearn_cvtest._search._race import Race, looks_of
from sklearn_cvtest._splits._design import design_of_folds

N, N_TRUTH, K, R = 1500, 2000, 10, 3
SCORING = {
    "magic": "accuracy",
    "spambase": "accuracy",
    "optdigits": "accuracy",
    "page-blocks": "roc_auc",
    "diamonds": "neg_mean_absolute_error",
}


def searches(is_regression):
    """Return {name: (estimator, grid)}."""
    tree, knn, ridge, score = (
        (DecisionTreeRegressor, KNeighborsRegressor, Ridge, f_regression)
        if is_regression
        else (DecisionTreeClassifier, KNeighborsClassifier, RidgeClassifier, f_classif)
    )
    neighbors = make_pipeline(StandardScaler(), knn())
    linear = make_pipeline(StandardScaler(), SelectPercentile(score), ridge())
    found = {
        "knn": (
            neighbors,
            {
                "0__with_std": [True, False],
                "1__n_neighbors": [1, 2, 3, 5, 7, 10, 15, 20, 30, 50, 80, 120, 200],
                "1__weights": ["uniform", "distance"],
            },
        ),
        "ridge": (
            linear,
            {
                "1__percentile": [10, 20, 35, 50, 65, 80, 100],
                "2__alpha": np.logspace(-2, 5, 7).tolist(),
            },
        ),
    }
    for model, grid in found.values():
        names = [name for name, _ in model.steps]
        for key in list(grid):
            step, _, name = key.partition("__")
            grid[f"{names[int(step)]}__{name}"] = grid.pop(key)
    grid = {
        "max_depth": [1, 2, 3, 4, 6, 8, 12, None],
        "min_samples_leaf": [1, 3, 8, 20],
        "max_features": [None, 0.5, 0.25],
    }
    return found | {"tree": (tree(random_state=0), grid)}


def read(folder, population):
    """Return features and target."""
    frame = pd.read_csv(folder / f"{population}.csv.gz")
    target = frame.pop("price" if population == "diamonds" else "y").to_numpy()
    for name in frame.select_dtypes(exclude="number"):
        frame[name] = frame[name].astype("category").cat.codes
    return frame.to_numpy(dtype=float), target


def simulate(population, folder, options):
    """Store what one sample of a population gives, for each search."""
    X, y = read(folder, population)
    is_regression = population == "diamonds"
    scoring = SCORING[population]
    measure = find_metric(scoring, name=scoring)
    for sample in range(options.samples):
        seed = [options.seed, sample]
        rows = np.random.default_rng(seed).permutation(len(y))
        here, there = ((X[i], y[i]) for i in (rows[:N], rows[N : N + N_TRUTH]))
        made = {"stratify": not is_regression, "random_state": 1000 * seed[0] + sample}
        splits = list(BlockKFold(K, n_repeats=options.repeats, **made).split(*here))
        for name, (model, grid) in searches(is_regression).items():
            found = fit_all(model, ParameterGrid(grid), here, splits, measure, there)
            if options.halving:
                cv = BlockKFold(K, **made)
                found["halving"] = halve(model, grid, *here, cv, scoring)
            options.out.mkdir(exist_ok=True)
            path = options.out / f"{population}_{name}_{options.seed}_{sample}.npz"
            np.savez(path, **found)
            print(path.stem, found["times"].sum().round(), flush=True)


def fit_all(model, candidates, data, splits, measure, truth):
    """Return scores, losses of examples and times of all fits, and true scores.

    These are those of a fit of each run.
    """
    X, y = data
    n_test = max(len(test) for _, test in splits)
    found = {"scores": np.empty((len(candidates), len(splits)))}
    found["times"] = np.empty_like(found["scores"])
    found["losses"] = np.full((*found["scores"].shape, n_test), np.nan)
    found["truth"] = np.empty((len(candidates), len(splits) // K))
    found["index"] = np.full((len(splits), n_test), -1)
    for row, params in enumerate(candidates):
        for fold, (train, test) in enumerate(splits):
            start = time.perf_counter()
            fitted = clone(model).set_params(**params).fit(X[train], y[train])
            response = measure.respond(fitted, X[test], y[test], {})
            found["times"][row, fold] = time.perf_counter() - start
            found["scores"][row, fold] = response.score
            losses = measure.values(response, fitted, y[train], y[test])
            found["losses"][row, fold, : len(test)] = losses
            found["index"][fold, : len(test)] = test
            if fold % K == 0:
                found["truth"][row, fold // K] = measure.scorer(fitted, *truth)
    return found


def halve(model, grid, X, y, cv, scoring):
    """Return the number of fits, their seconds and the pick of HalvingGridSearchCV."""
    start = time.perf_counter()
    search = HalvingGridSearchCV(
        model, grid, cv=cv, scoring=scoring, refit=False, random_state=0
    ).fit(X, y)
    seconds = time.perf_counter() - start
    candidates = list(ParameterGrid(grid))
    pick = candidates.index(search.best_params_)
    return K * sum(search.n_candidates_), seconds, pick


# What each way makes of the scores ---------------------------------------------------


def race(scores, losses, tests, alpha=0.05, min_splits=None):
    """Return the number of splits of each candidate and who is left.

    Without losses of examples, they race by the scores of splits.
    """
    n = sum(map(len, tests[:K]))
    sizes = np.array([(n - len(test), len(test)) for test in tests])
    folds = None
    if losses is not None:
        folds = Folds(design_of_folds(K, len(tests) // K), tests)
    looks = looks_of(folds, sizes, min_splits)
    found = Race(len(scores), sizes, looks, alpha, None, folds)
    while not found.is_over:
        fold, values = found.n_done, None
        if losses is not None:
            values = losses[found.left, fold, : len(tests[fold])].astype(float)
        found.add(scores[found.left, fold], values)
    return found.n_splits_run, found.left


def race_by_splits(scores, losses, tests, **options):
    return race(scores, None, tests, **options)


def prune(pruner, order, scores, losses, tests):
    """Return the same of a pruner of Optuna, with its defaults, in a random order.

    It gets the mean score so far after each fold; Wilcoxon's, the score of the fold.
    """
    import optuna

    optuna.logging.set_verbosity(optuna.logging.ERROR)
    n_run, rows = np.zeros(len(scores), dtype=int), list(range(len(scores)))
    means = np.cumsum(scores, axis=1) / np.arange(1, scores.shape[1] + 1)
    reported = scores if pruner == "WilcoxonPruner" else means

    def objective(trial):
        row = trial.suggest_categorical("row", rows)
        for j, value in enumerate(reported[row], start=1):
            n_run[row] = j
            trial.report(value, j)
            if trial.should_prune():  # Wilcoxon's may prune after the last, too
                raise optuna.TrialPruned
        return means[row, -1]

    sampler = optuna.samplers.GridSampler({"row": rows}, seed=order)
    pruner = getattr(optuna.pruners, pruner)()
    study = optuna.create_study(direction="maximize", pruner=pruner, sampler=sampler)
    study.optimize(objective, n_trials=len(rows))
    ended = [trial for trial in study.trials if trial.state.name == "COMPLETE"]
    return n_run, np.array([trial.params["row"] for trial in ended])


WAYS = [
    ("RacingSearchCV", race),
    ("RacingSearchCV, alpha=0.2", partial(race, alpha=0.2)),
    ("RacingSearchCV, scores of splits", race_by_splits),
]
if find_spec("optuna"):  # else without these
    for name in ("MedianPruner", "SuccessiveHalvingPruner", "WilcoxonPruner"):
        for order in range(5):
            WAYS.append((f"Optuna, {name}", partial(prune, name, order)))


def summarise(file, truth, n_splits):
    """Yield (way, what it costs and finds) of one search."""
    scores, times = (file[key][:, :n_splits] for key in ("scores", "times"))
    tests = [test[test >= 0] for test in file["index"][:n_splits]]
    for way, search in WAYS:
        n_run, left = search(scores, file["losses"], tests)
        means = [row[:n].mean() for row, n in zip(scores, n_run, strict=True)]
        pick = left[np.argmax(np.array(means)[left])]
        was_run = np.arange(n_splits) < n_run[:, np.newaxis]
        shares = was_run.mean(), times[was_run].sum() / times.sum()
        dropped = truth.argmax() not in left
        yield way, (*shares, dropped, *regret(scores, truth, pick))


def regret(scores, truth, pick):
    """Return what the pick is worse than that of all fits, in standard errors."""
    n_splits = scores.shape[1]
    whole = scores.mean(axis=1).argmax()
    error = scores[whole].std(ddof=1) * np.sqrt(1 / n_splits + 1 / (K - 1))
    behind = (truth[whole] - truth[pick]) / error
    return behind <= 0.5, behind


def table(out):
    """Return rows of the table, for each search and of all."""
    found, parts = defaultdict(list), defaultdict(list)
    for path in sorted(out.glob("*.npz")):
        parts[tuple(path.stem.split("_")[:2])].append(dict(np.load(path)))
    for search, files in parts.items():
        truth = np.mean([file["truth"].mean(axis=1) for file in files], axis=0)
        for file in files:
            for n_splits in sorted({K, file["scores"].shape[1]}):
                for way, row in summarise(file, truth, n_splits):
                    for key in (search, ("all", "all")):
                        found[(*key, n_splits, way)].append(row)
            if np.isfinite(file.get("halving", np.nan)).all():
                n_fits, seconds, pick = file["halving"]
                behind = regret(file["scores"][:, :K], truth, int(pick))
                total = file["times"][:, :K].sum()
                row = n_fits / (len(truth) * K), seconds / total, None, *behind
                for key in (search, ("all", "all")):
                    found[(*key, K, "HalvingGridSearchCV")].append(row)
    return [as_row(key, rows) for key, rows in found.items()]


COLUMNS = "population", "search", "splits", "way"
MEASURED = "fits", "time", "best dropped", "pick within half a s.e.", "behind, s.e."


def as_row(key, rows):
    row = dict(zip(COLUMNS, key, strict=True)) | {"runs": len(rows)}
    for name, values in zip(MEASURED, zip(*rows, strict=True), strict=True):
        row[name] = "" if values[0] is None else f"{np.mean(values):.3f}"
    return row


def equal(case, min_splits, of_examples, n_runs=120, right=0.8):
    """Return how often equal classifiers leave, of which some err together."""
    n_test, n_candidates, correlation = case
    rng, left = np.random.default_rng(0), 0
    tests = np.arange(K * n_test).reshape(K, n_test)
    for _ in range(n_runs):
        shared = rng.normal(size=(1, K * n_test))
        own = rng.normal(size=(n_candidates, K * n_test))
        latent = np.sqrt(correlation) * shared + np.sqrt(1 - correlation) * own
        wrong = (latent >= ndtri(right)).reshape(n_candidates, K, n_test)
        scores = 1 - wrong.mean(axis=2)
        losses = wrong if of_examples else None
        left += len(race(scores, losses, tests, min_splits=min_splits)[1])
    return 1 - left / (n_candidates * n_runs)


EQUAL = (10, 20, 0.9), (40, 20, 0.9), (40, 20, 0.98)


def savings(n, n_candidates, hopeless, behind, n_runs=6):
    """Return the shares of fits saved in races of classifiers, some of them worse.

    Those that are not hopeless are right in 80 to 82%; the others in as many less
    `behind`. All err together, with a correlation of 0.8 of what decides it.
    """
    rng, found = np.random.default_rng([n, n_candidates, round(10 * hopeless)]), []
    tests = np.array_split(np.arange(n), K)
    for _ in range(n_runs):
        right = rng.uniform(0.80, 0.82, size=(n_candidates, 1))
        right[: round(hopeless * n_candidates)] -= behind
        own = rng.normal(size=(n_candidates, n))
        latent = np.sqrt(0.8) * rng.normal(size=(1, n)) + np.sqrt(0.2) * own
        wrong = latent >= ndtri(right)
        scores = np.stack([1 - wrong[:, test].mean(axis=1) for test in tests], axis=1)
        losses = np.zeros((n_candidates, K, len(tests[0])))
        for k, test in enumerate(tests):
            losses[:, k, : len(test)] = wrong[:, test]
        n_run, _ = race(scores, losses, tests)
        found.append(1 - n_run.mean() / K)
    return found


def situations():
    cases = itertools.product((300, 600, 1500), (0.0, 0.5, 0.8), (0.1, 0.3))
    for n, hopeless, behind in cases:
        if hopeless or behind == 0.1:
            saved = savings(n, 40, hopeless, behind)
            row = {"examples": n, "hopeless": hopeless, "behind": behind}
            row["behind"] = behind if hopeless else ""
            yield row | {
                "races": len(saved),
                "saved": f"{np.mean(saved):.3f}",
                "least": f"{min(saved):.3f}",
                "most": f"{max(saved):.3f}",
            }


def main():
    parser = run_parser(__doc__, [N])
    parser.add_argument("--equal", action="store_true")
    parser.add_argument("--situations", action="store_true")
    parser.add_argument("--repeats", type=int, default=R)
    parser.add_argument("--halving", action=argparse.BooleanOptionalAction)
    parser.set_defaults(samples=1, halving=True)
    arguments = parser.parse_args()
    warnings.simplefilter("ignore")
    if arguments.situations:
        write_table(arguments.csv, list(situations()))
    elif arguments.equal:
        for case in EQUAL:
            by_splits = (f"{equal(case, m, False):.3f}" for m in (3, 4, 5))
            print(*case, *by_splits, f"{equal(case, None, True):.3f}", flush=True)
    elif arguments.csv:
        write_table(arguments.csv, table(arguments.out))
    else:
        with config_context(**UNCHECKED):
            for population in arguments.population or SCORING:
                simulate(population, arguments.data, arguments)


if __name__ == "__main__":
    main()
