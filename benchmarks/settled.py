"""How many fits are saved where settled estimators are not fitted again.

Eight models are fitted on samples of 400 examples in twenty repeats of a 5-fold
cross-validation. Of the losses stored, `n_repeats="auto"` is done over, as by
`compare_estimators`, which leaves out estimators whose verdicts are all settled, and
with all of them in every repeat. Counted are the fits, the pairs on which the two
decide otherwise, and the models that are in only one of the two sets of those that may
be the best. "Of pairs alone": estimators leave as soon as their pairs are settled,
whether or not they may be the best.

Run: python benchmarks/settled.py --data DIR --out OUT --samples 2 [--population magic]
Write the table: python benchmarks/settled.py --out OUT --csv docs/settled.csv
"""

import warnings
from dataclasses import replace

import numpy as np
import pandas as pd
from harness import UNCHECKED, run_parser, write_table
from sklearn import config_context, datasets
from sklearn.discriminant_analysis import LinearDiscriminantAnalysis
from sklearn.ensemble import ExtraTreesClassifier, ExtraTreesRegressor
from sklearn.linear_model import Lasso, LogisticRegression, Ridge
from sklearn.naive_bayes import GaussianNB
from sklearn.neighbors import KNeighborsClassifier, KNeighborsRegressor
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.tree import DecisionTreeClassifier, DecisionTreeRegressor

from sklearn_cvtest import BlockKFold, IntegratedRhoTest, cross_val_losses
from sklearn_cvtest._pairs._question import Question
from sklearn_cvtest._pairs._stability import Watch
from sklearn_cvtest.results import Comparison, CVLosses

N, K, MOST = 400, 5, 20
STABILITY = BlockKFold().stability
TEST = IntegratedRhoTest(extrapolate=True)
BUNDLED = "breast_cancer", "diabetes", "digits"
FILES = {
    "diamonds": "populations/diamonds.csv.gz",
    "forest": "forest-cover-15k.csv",
    "letter": "letter-recognition.csv",
    "magic": "populations/magic.csv.gz",
    "optdigits": "populations/optdigits.csv.gz",
    "page-blocks": "populations/page-blocks.csv.gz",
    "penbased": "populations/penbased.csv.gz",
    "spambase": "populations/spambase.csv.gz",
    "vietnam-spending": "populations/vietnam-spending.csv.gz",
}
IN_LOGS = "diamonds", "vietnam-spending"


def read(folder, population):
    """Return features and target, of amounts their logarithm."""
    if population in BUNDLED:
        return getattr(datasets, f"load_{population}")(return_X_y=True)
    frame = pd.read_csv(folder / FILES[population])
    name = {"diamonds": "price", "forest": frame.columns[-1], "letter": "Letter"}
    target = frame.pop(name.get(population, "y")).to_numpy()
    for column in frame.select_dtypes(exclude="number"):
        frame[column] = frame[column].astype("category").cat.codes
    if population == "forest":
        target = target == 2
    if population == "letter":
        target = target > "M"
    return frame.to_numpy(dtype=float), target


def models(is_regression):
    """Return eight models."""
    if is_regression:
        linear = {
            "ridge": Ridge(3.0),
            "strong ridge": Ridge(100.0),
            "lasso": Lasso(0.1),
        }
        knn, tree = KNeighborsRegressor, DecisionTreeRegressor
        forest = ExtraTreesRegressor(15, random_state=0)
    else:
        linear = {
            "lda": LinearDiscriminantAnalysis(solver="lsqr", shrinkage="auto"),
            "logistic": LogisticRegression(C=0.3, max_iter=200),
        }
        knn, tree = KNeighborsClassifier, DecisionTreeClassifier
        forest = ExtraTreesClassifier(15, random_state=0)
    scaled = linear | {"3 neighbours": knn(3), "15 neighbours": knn(15)}
    return {
        **({} if is_regression else {"bayes": GaussianNB()}),
        **{name: make_pipeline(StandardScaler(), of) for name, of in scaled.items()},
        "tree": tree(random_state=0),
        "small tree": tree(max_depth=4, random_state=0),
        "extra": forest,
    }


def fit_all(population, folder, n, sample):
    """Return the losses of all models in all repeats on a sample."""
    X, y = read(folder, population)
    X = X[:, X.std(axis=0) > 0]
    is_regression = population in (*IN_LOGS, "diabetes")
    if is_regression:
        y = np.log(y) if population in IN_LOGS else y
        y = (y - y.mean()) / y.std()
    some = np.random.default_rng(sample).choice(len(y), min(n, len(y)), replace=False)
    made = {"stratify": not is_regression, "random_state": sample}
    cv = BlockKFold(K, n_repeats=MOST, **made)
    return cross_val_losses(models(is_regression), X[some], y[some], cv=cv)


def had(losses, n_run):
    """Return losses as they are if each was fitted on so many splits only."""
    values, most = losses.losses.copy(), n_run.max()
    for column, n in enumerate(n_run):
        values[losses.row_split >= n, column] = np.nan
    every = np.full(len(n_run), len(losses.fit_time))
    known = replace(losses, n_splits_run=every)._first(int(most))
    fewer = None if n_run.min() == most else n_run
    rows = losses.row_split < most
    return replace(known, losses=values[rows], n_splits_run=fewer)


def over_again(losses, *, leaves=True, asks_set=True):
    """Return what "auto" repeats would have fitted of losses."""
    names = losses.estimator_names
    watch = Watch(Question(), [[TEST]], names, MOST * K, STABILITY, leaves)
    watch.asks_set &= asks_set
    columns, n_run = np.arange(len(names)), np.full(len(names), 2 * K)
    while True:
        found = had(losses, n_run)
        columns = watch.still_open(found, columns)
        if not len(columns) or n_run.max() == MOST * K:
            return found
        n_run = n_run.copy()
        n_run[columns] += K


def compare(losses):
    """Return what the ways took and decided."""
    ways = {
        "all": over_again(losses, leaves=False),
        "settled": over_again(losses),
        "pairs": over_again(losses, asks_set=False),
    }
    results = {way: Comparison(found, test=TEST) for way, found in ways.items()}
    tables = {way: next(iter(found.tables.values())) for way, found in results.items()}
    sets = {way: set(found.best_set().names) for way, found in results.items()}
    row = {"pairs": len(tables["all"]), "models": len(losses.estimator_names)}
    for way, found in ways.items():
        row |= {
            f"{way}: fits": int(np.isfinite(found.block_losses).sum()),
            f"{way}: pairs": int((tables[way].winner != tables["all"].winner).sum()),
            f"{way}: set": len(sets[way] ^ sets["all"]),
        }
    return row


def table(out):
    """Return a row for each population, and one of all."""
    rows = []
    for path in sorted(out.glob("*.npz")):
        rows.append(
            {"population": path.stem.partition("_4")[0], **compare(CVLosses.load(path))}
        )
        print(rows[-1], flush=True)
    found = pd.DataFrame(rows)
    found = pd.concat([found, found.assign(population="all")])
    return [
        as_row(name, part) for name, part in found.groupby("population", sort=False)
    ]


def as_row(name, part):
    fits = part["all: fits"]
    saved = {
        way: 100 * (1 - part[f"{way}: fits"] / fits) for way in ("settled", "pairs")
    }
    return {
        "population": name,
        "samples": len(part),
        "fits of all": round(fits.mean(), 1),
        "saved (%)": round(saved["settled"].mean(), 1),
        "pairs": int(part["pairs"].sum()),
        "decided otherwise": int(part["settled: pairs"].sum()),
        "models": int(part["models"].sum()),
        "in one set only": int(part["settled: set"].sum()),
        "of pairs alone: saved (%)": round(saved["pairs"].mean(), 1),
        "of pairs alone: decided otherwise": int(part["pairs: pairs"].sum()),
        "of pairs alone: in one set only": int(part["pairs: set"].sum()),
    }


def main():
    arguments = run_parser(__doc__, (N,)).parse_args()
    warnings.simplefilter("ignore")
    arguments.out.mkdir(exist_ok=True)
    if arguments.csv:
        rows = table(arguments.out)
        write_table(arguments.csv, rows)
        print(pd.DataFrame(rows).T.to_string())
        return
    for population in arguments.population or (*BUNDLED, *FILES):
        for sample in range(arguments.samples):
            with config_context(**UNCHECKED):
                losses = fit_all(population, arguments.data, N, sample)
            losses.save(arguments.out / f"{population}_{N}_{K}_{sample}.npz")


if __name__ == "__main__":
    main()
