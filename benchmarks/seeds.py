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
from hard_fits import numbers
from harness import DATA, UNCHECKED, write_table
from sklearn import config_context, datasets
from study import learners

from sklearn_cvtest import BlockKFold, CVResiduals, IntegratedRhoTest
from sklearn_cvtest._inference._stability import seed_stability
from sklearn_cvtest.results import Design

N_FOLDS, N_RUNS = 5, 24
STABILITY = BlockKFold().stability
SAMPLES = {100: 60, 300: 24}
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
}
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
    paths = ARGUMENTS.data.glob(f"**/{name}*.csv*")
    (path,) = [path for path in paths if path.name.split(".")[0] in (name, LONG[name])]
    return pd.read_csv(path)


LONG = dict.fromkeys([name for half in POPULATIONS.values() for name in half], "")
LONG["letter"] = "letter-recognition"


@functools.lru_cache(maxsize=1)
def population(name, target, second):
    found = table_of(name).drop(columns="group", errors="ignore").dropna()
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
    target, second = source
    second = tuple(second) if isinstance(second, list) else second
    X, y = population(name, target, second)
    while True:
        rows = rng.choice(len(y), n, replace=False)
        if second is None or min(y[rows].sum(), n - y[rows].sum()) >= N_FOLDS:
            return X[rows], y[rows]


def simulate(name, source, n, path):
    """Store targets and predictions, (samples, runs, examples, learners)."""
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


def as_residuals(e):
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
    )


def judge(e, tested, extrapolate):
    """Return decisions and what is said of them, (pairs, tested)."""
    test, found = IntegratedRhoTest(extrapolate=extrapolate), []
    residuals = as_residuals(e)
    evaluation = test.evaluate(residuals)
    low, high = test.interval(evaluation, 1 - test.alpha)
    for popmean in tested:
        test.popmean = popmean
        found.append(seed_stability(test, residuals, evaluation))
    outside = [(low > popmean) | (high < popmean) for popmean in tested]
    return np.transpose(outside), np.transpose(found)


def tested_values(e, shifts):
    means = e.mean(axis=(1, 2))
    return np.append(means.mean() + shifts * means.std(ddof=1), 0.0)


def calibration(half, loss, e):
    """Return rows of one pair: what was said, and how often that was so."""
    n_samples, _, n = e.shape
    tested = tested_values(e, SHIFTS)
    limit, _ = judge(e, tested, True)
    for extrapolate, size in itertools.product(KINDS, SIZES):
        n_groups = N_RUNS // size
        decisions, said = judge(e.reshape(-1, size, n), tested, extrapolate)
        if extrapolate:
            same = decisions == np.repeat(limit, n_groups, axis=0)
        else:
            groups = decisions.reshape(n_samples, n_groups, -1)
            yes = groups.sum(axis=1, keepdims=True)
            others = np.where(groups, yes - 1, n_groups - yes - 1) / (n_groups - 1)
            same = others.reshape(decisions.shape)
        place = np.clip(np.digitize(said, BINS, right=True) - 1, 0, len(BINS) - 2)
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
    for half in POPULATIONS:
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
    for half in POPULATIONS:
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
    parser.add_argument("what", choices=[*POPULATIONS, "table", "signs"])
    parser.add_argument("--data", type=pathlib.Path)
    parser.add_argument("--out", type=pathlib.Path, required=True)
    parser.parse_args(namespace=ARGUMENTS)
    warnings.simplefilter("ignore")
    if ARGUMENTS.what == "table":
        write_tables()
    elif ARGUMENTS.what == "signs":
        write_signs()
    else:
        with config_context(**UNCHECKED):
            fit_all(ARGUMENTS.what)


if __name__ == "__main__":
    main()
