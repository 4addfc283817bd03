"""How many fits a race of candidates saves, and what its pick costs.

From each of five populations, samples of 1,500 examples are searched with three grids,
of 52, 49 and 96 candidates. All of them are fitted on the 30 splits of a 10-fold
cross-validation repeated three times; the race, Optuna's pruners and GridSearchCV read
these scores, and only HalvingGridSearchCV fits anew, on the first 10 splits. What a
candidate is really worth is its mean score on 2,000 further examples, over the first
fits of all samples.

Run: python benchmarks/racing.py --data DIR --out OUT [--population magic] [--seed 1]
Write the table: python benchmarks/racing.py --out OUT --csv docs/racing.csv [--optuna]
"""

import time
import warnings
from collections import defaultdict
from functools import partial

import numpy as np
import pandas as pd
from harness import UNCHECKED, run_parser, write_table
from scipy.special import ndtri
from sklearn import config_context
from sklearn.base import clone
from sklearn.experimental import enable_halving_search_cv  # noqa: F401
from sklearn.feature_selection import SelectPercentile, f_classif, f_regression
from sklearn.linear_model import Ridge, RidgeClassifier
from sklearn.metrics import get_scorer
from sklearn.model_selection import HalvingGridSearchCV, ParameterGrid
from sklearn.neighbors import KNeighborsClassifier, KNeighborsRegressor
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.tree import DecisionTreeClassifier, DecisionTreeRegressor

from sklearn_cvtest import BlockKFold
from sklearn_cvtest._search._race import Race, look_times

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


def simulate(population, folder, n_samples, out, seed):
    """Store scores (sample, candidate, fold), fit times, truths and halving's picks."""
    X, y = read(folder, population)
    scorer = get_scorer(SCORING[population])
    is_regression = population == "diamonds"
    for name, (model, grid) in searches(is_regression).items():
        candidates = list(ParameterGrid(grid))
        parts = {"scores": [], "truth": [], "times": [], "halving": []}
        for sample in range(n_samples):
            rng = np.random.default_rng([seed, sample])
            rows = rng.permutation(len(y))
            here, there = rows[:N], rows[N : N + N_TRUTH]
            made = {"stratify": not is_regression, "random_state": 1000 * seed + sample}
            cv = BlockKFold(K, n_repeats=R, **made)
            found = fit_all(
                model, candidates, X[here], y[here], cv, scorer, X[there], y[there]
            )
            cv = BlockKFold(K, **made)
            halving = halve(model, grid, X[here], y[here], cv, SCORING[population])
            for key, value in zip(parts, (*found, halving), strict=True):
                parts[key].append(value)
        out.mkdir(exist_ok=True)
        arrays = {key: np.array(value) for key, value in parts.items()}
        np.savez(out / f"{population}_{name}_{seed}.npz", **arrays)
        print(population, name, arrays["times"].sum().round(), flush=True)


def fit_all(model, candidates, X, y, cv, scorer, X_truth, y_truth):
    """Return scores and times of all fits, and scores of the first of each."""
    scores = np.empty((len(candidates), K * R))
    times, truth = np.empty_like(scores), np.empty(len(candidates))
    splits = list(cv.split(X, y))
    for row, params in enumerate(candidates):
        for fold, (train, test) in enumerate(splits):
            start = time.perf_counter()
            fitted = clone(model).set_params(**params).fit(X[train], y[train])
            scores[row, fold] = scorer(fitted, X[test], y[test])
            times[row, fold] = time.perf_counter() - start
            if not fold:
                truth[row] = scorer(fitted, X_truth, y_truth)
    return scores, truth, times


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


def race(scores, sizes, alpha=0.05, min_splits=5):
    """Return the number of splits of each candidate and who is left."""
    looks = look_times(min_splits, len(sizes))
    found = Race(len(scores), sizes, looks, alpha, None)
    while not found.is_over:
        found.add(scores[found.left, found.n_done])
    return found.n_splits_run, found.left


def prune(pruner, scores):
    """Return the same of a pruner of Optuna, for trials in a random order."""
    import optuna

    optuna.logging.set_verbosity(optuna.logging.ERROR)
    study = optuna.create_study(direction="maximize", pruner=pruner())
    n_run = np.zeros(len(scores), dtype=int)
    of_splits = isinstance(study.pruner, optuna.pruners.WilcoxonPruner)
    for row in np.random.default_rng(0).permutation(len(scores)):
        trial = study.ask()
        means = np.cumsum(scores[row]) / np.arange(1, scores.shape[1] + 1)
        for j, mean in enumerate(means):
            n_run[row] = j + 1
            trial.report(scores[row, j] if of_splits else mean, j)
            if trial.should_prune():
                study.tell(trial, state=optuna.trial.TrialState.PRUNED)
                break
        else:
            study.tell(trial, means[-1])
    return n_run, np.flatnonzero(n_run == scores.shape[1])


def ways(with_optuna):
    """Return {name: function of scores and sizes}."""
    found = {
        "RacingSearchCV": race,
        "RacingSearchCV, alpha=0.5": partial(race, alpha=0.5),
    }
    if with_optuna:
        from optuna import pruners

        made = {
            "Optuna, median": partial(pruners.MedianPruner, n_warmup_steps=3),
            "Optuna, halving": pruners.SuccessiveHalvingPruner,
            "Optuna, Wilcoxon": pruners.WilcoxonPruner,
        }
        for name, pruner in made.items():
            found[name] = lambda scores, sizes, pruner=pruner: prune(pruner, scores)
    return found


def summarise(runs, truth, n_splits, with_optuna):
    """Yield rows of the table for the runs of one search on one population."""
    best = truth.argmax()
    sizes = np.tile([N - N // K, N // K], (n_splits, 1))
    for way, search in ways(with_optuna).items():
        rows = []
        for scores, times in runs:
            scores, times = scores[:, :n_splits], times[:, :n_splits]
            n_run, left = search(scores, sizes)
            means = [row[:n].mean() for row, n in zip(scores, n_run, strict=True)]
            pick = left[np.argmax(np.array(means)[left])]
            was_run = np.arange(n_splits) < n_run[:, np.newaxis]
            shares = was_run.mean(), times[was_run].sum() / times.sum()
            rows.append((*shares, best not in left, *regret(scores, truth, pick)))
        yield way, rows


def regret(scores, truth, pick):
    """Return what the pick is worse than that of all fits, in standard errors."""
    n_splits = scores.shape[1]
    whole = scores.mean(axis=1).argmax()
    error = scores[whole].std(ddof=1) * np.sqrt(1 / n_splits + 1 / (K - 1))
    behind = (truth[whole] - truth[pick]) / error
    return behind <= 0.5, behind


def table(out, with_optuna=False):
    """Return rows of the table, for each search and of all."""
    found, parts = defaultdict(list), defaultdict(list)
    for path in sorted(out.glob("*.npz")):
        parts[tuple(path.stem.split("_")[:2])].append(np.load(path))
    for (population, name), files in parts.items():
        joined = {key: np.concatenate([f[key] for f in files]) for key in files[0]}
        runs = list(zip(joined["scores"], joined["times"], strict=True))
        truth = joined["truth"].mean(axis=0)
        for n_splits in (K, K * R):
            for way, rows in summarise(runs, truth, n_splits, with_optuna):
                for key in ((population, name), ("all", "all")):
                    found[(*key, n_splits, way)] += rows
        for (scores, times), (n_fits, seconds, pick) in zip(
            runs, joined["halving"], strict=True
        ):
            behind = regret(scores[:, :K], truth, int(pick))
            shares = n_fits / (len(truth) * K), seconds / times[:, :K].sum()
            for key in ((population, name), ("all", "all")):
                found[(*key, K, "HalvingGridSearchCV")].append((*shares, None, *behind))
    return [as_row(key, rows) for key, rows in found.items()]


COLUMNS = "population", "search", "splits", "way"
MEASURED = "fits", "time", "best dropped", "pick within half a s.e.", "behind, s.e."


def as_row(key, rows):
    row = dict(zip(COLUMNS, key, strict=True)) | {"runs": len(rows)}
    for name, values in zip(MEASURED, zip(*rows, strict=True), strict=True):
        row[name] = "" if values[0] is None else f"{np.mean(values):.3f}"
    return row


def equal(n_test, n_candidates, correlation, min_splits, n_runs=120, right=0.8):
    """Return how often equal classifiers leave, of which some err together."""
    rng, left = np.random.default_rng(0), 0
    sizes = np.tile([9 * n_test, n_test], (K, 1))
    for _ in range(n_runs):
        shared = rng.normal(size=(1, K * n_test))
        own = rng.normal(size=(n_candidates, K * n_test))
        latent = np.sqrt(correlation) * shared + np.sqrt(1 - correlation) * own
        scores = (latent < ndtri(right)).reshape(n_candidates, K, n_test).mean(axis=2)
        left += len(race(scores, sizes, min_splits=min_splits)[1])
    return 1 - left / (n_candidates * n_runs)


EQUAL = (10, 20, 0.9), (40, 20, 0.9), (40, 20, 0.98)


def main():
    parser = run_parser(__doc__, [N])
    parser.add_argument("--equal", action="store_true")
    parser.add_argument("--optuna", action="store_true", help="its pruners, too")
    arguments = parser.parse_args()
    warnings.simplefilter("ignore")
    if arguments.equal:
        for case in EQUAL:
            print(*case, *(f"{equal(*case, m):.3f}" for m in (3, 4, 5)), flush=True)
    elif arguments.csv:
        write_table(arguments.csv, table(arguments.out, arguments.optuna))
    else:
        with config_context(**UNCHECKED):
            for population in arguments.population or SCORING:
                simulate(
                    population,
                    arguments.data,
                    arguments.samples,
                    arguments.out,
                    arguments.seed,
                )


if __name__ == "__main__":
    main()
