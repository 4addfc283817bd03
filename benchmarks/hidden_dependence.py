"""How often is a DependentRowsWarning raised, and is it right?

Each cell is a population of independent or of dependent rows that are analysed as if
they were independent; counted is in how many samples the warning came. Rows depend

- on others of their group ("groups"): 12 or 30 groups of 4 to 8 adjacent rows, with the
  intra-class correlation of what no feature explains. The group is a column, in several
  codings, the index, or only in features that a group has in common. Independent are
  rows in any order, sorted by a feature, perhaps a rounded one, or with a column of
  batches or sites that have no effect;
- on those before them ("forecasts"): errors of fixed forecasts, two of which are
  equally good, are autoregressive or moving averages. Here the share of p < .05 is
  counted, too ("rejected"), and that of `DieboldMarianoTest`, fitted to the differences
  ("rejected_by_dm").

All populations are synthetic or from sklearn.datasets. The table is
docs/data/hidden_dependence.csv; the run takes five minutes of an idle
processor, and more samples show more.

    python benchmarks/hidden_dependence.py [--quick] [--samples 200]
"""

import functools
import warnings
import zlib

import numpy as np
import pandas as pd
from harness import DATA, merge_rows, parser_of
from sklearn.compose import ColumnTransformer, make_column_selector
from sklearn.datasets import (
    load_breast_cancer,
    load_diabetes,
    load_digits,
    load_iris,
    load_wine,
)
from sklearn.linear_model import LogisticRegression, Ridge
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.tree import DecisionTreeClassifier, DecisionTreeRegressor

from sklearn_cvtest import (
    BlockKFold,
    DieboldMarianoTest,
    compare_predictions,
    cross_val_losses,
)
from sklearn_cvtest.exceptions import DependentRowsWarning

CV = BlockKFold(5, random_state=0)
REAL = {
    "iris": load_iris,
    "wine": load_wine,
    "breast cancer": load_breast_cancer,
    "digits": load_digits,
    "diabetes": load_diabetes,
}


def warned(run, *args, **options):
    """Return what a function returns, and its messages on dependent rows."""
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        result = run(*args, **options)
    kinds = [w.message for w in caught if w.category is DependentRowsWarning]
    return result, list(map(str, kinds))


@functools.cache
def population(name):
    return REAL[name](return_X_y=True)


def real_rows(rng, n, name):
    """Return rows of a data set."""
    X, y = population(name)
    rows = rng.choice(len(y), min(n, len(y)), replace=False)
    return X[rows], y[rows]


# Groups -------------------------------------------------------------------------------

OF_NUMBERS = ColumnTransformer(
    [("numbers", StandardScaler(), make_column_selector(dtype_include="number"))]
)
MODELS = {
    False: {
        "ridge": make_pipeline(OF_NUMBERS, Ridge()),
        "tree": make_pipeline(
            OF_NUMBERS, DecisionTreeRegressor(min_samples_leaf=8, random_state=0)
        ),
    },
    True: {
        "logistic": make_pipeline(OF_NUMBERS, LogisticRegression()),
        "tree": make_pipeline(
            OF_NUMBERS, DecisionTreeClassifier(min_samples_leaf=8, random_state=0)
        ),
    },
}
PLACES = "numbers in order", "numbers", "words", "one-hot", "index", "features"
ORDERS = "random", "sorted", "sorted, rounded", "batches", "batches in order", "sites"


def groups_of_rows(rng, n_groups, icc, place, is_classes):
    """Return features and target of groups whose rows are adjacent."""
    group = np.repeat(np.arange(n_groups), rng.integers(4, 9, n_groups))
    n = len(group)
    X = np.hstack([rng.normal(size=(n_groups, 2))[group], rng.normal(size=(n, 2))])
    own = np.sqrt(icc) * rng.normal(size=n_groups)[group]
    y = X.sum(axis=1) / 2 + own + np.sqrt(1 - icc) * rng.normal(size=n)
    y = (y > 0) * 1 if is_classes else y
    X = pd.DataFrame(X, columns=["a", "b", "c", "d"])
    label = rng.permutation(n_groups)[group]
    if place == "numbers in order":
        return X.assign(lot=group), y
    if place == "numbers":
        return X.assign(lot=label), y
    if place == "words":
        return X.assign(lot=[f"lot {number}" for number in label]), y
    if place == "one-hot":
        dummies = [f"lot {number}" for number in range(n_groups)]
        return X.join(pd.DataFrame(np.eye(n_groups)[label], columns=dummies)), y
    if place == "index":
        return X.set_axis(label), y
    return X, y


def rows_of_nobody(rng, name, order, n=150):
    """Return independent rows, which only look as if they belonged together."""
    if name == "curved":  # of which linear models miss much
        X = rng.normal(size=(n, 3))
        y = X[:, 0] ** 2 + X[:, 1] + rng.normal(size=n)
    elif name == "curved classes":
        X = rng.normal(size=(n, 3))
        y = (X[:, 0] ** 2 + X[:, 1] + rng.normal(size=n) > 1) * 1
    else:
        X, y = real_rows(rng, n, name)
    X = pd.DataFrame(X[:, :10]).add_prefix("x")
    if order.startswith("sorted"):
        column = X.columns[0 if "curved" in name else rng.integers(X.shape[1])]
        if order == "sorted, rounded":  # to 15 values
            X[column] = (X[column].rank(method="first") * 15 // (n + 1)).astype(float)
        rows = np.argsort(X[column].to_numpy(), kind="stable")
        X, y = X.iloc[rows].reset_index(drop=True), y[rows]
    if order == "batches":
        X["lot"] = rng.permutation(12)[np.arange(n) * 12 // n]
    if order == "batches in order":
        X["lot"] = np.arange(n) * 12 // n
    if order == "sites":
        X["site"] = rng.integers(12, size=n)
    return X, y


def groups_warned(rng, draw, is_classes):
    X, y = draw(rng)
    _, messages = warned(cross_val_losses, MODELS[is_classes], X, y, cv=CV)
    return {"warned": bool(messages), "asked": any("with the" in m for m in messages)}


def cells_of_groups():
    for n_groups in (12, 30):
        for icc in (0.0, 0.3, 0.6):
            for place in PLACES if icc else PLACES[:1]:
                for is_classes in (False, True):
                    draw = functools.partial(
                        groups_of_rows, n_groups=n_groups, icc=icc, place=place,
                        is_classes=is_classes,
                    )  # fmt: skip
                    run = functools.partial(
                        groups_warned, draw=draw, is_classes=is_classes
                    )
                    what = "classes" if is_classes else "numbers"
                    label = f"{n_groups} groups of {what}, icc {icc}"
                    # groups share features, but nothing that these do not explain
                    yield place if icc else "no effect", label, 6 * n_groups, run
    for name in ("curved", "curved classes", "breast cancer", "wine", "diabetes"):
        is_classes = name not in ("curved", "diabetes")
        for order in ORDERS:
            draw = functools.partial(rows_of_nobody, name=name, order=order)
            run = functools.partial(groups_warned, draw=draw, is_classes=is_classes)
            yield f"independent, {order}", name, 150, run


# Forecasts ----------------------------------------------------------------------------


def moving_average(rng, n, length):
    noise = rng.normal(size=n + length - 1)
    return np.convolve(noise, np.full(length, length**-0.5), "valid")


def autoregression(rng, n, memory):
    errors = rng.normal(size=n)
    errors[0] /= np.sqrt(1 - memory**2)
    for time in range(1, n):
        errors[time] += memory * errors[time - 1]
    return errors * np.sqrt(1 - memory**2)


def heavy_errors(rng, n):
    return rng.standard_t(2, size=n)


ERRORS = {
    "independent": functools.partial(autoregression, memory=0.0),
    "independent, heavy tails": heavy_errors,
    "autoregressive, 0.3": functools.partial(autoregression, memory=0.3),
    "autoregressive, 0.6": functools.partial(autoregression, memory=0.6),
    "autoregressive, 0.9": functools.partial(autoregression, memory=0.9),
    "average of 4": functools.partial(moving_average, length=4),
    "average of 24": functools.partial(moving_average, length=24),
}


def forecasts_warned(rng, errors, n, target, n_models):
    y = rng.normal(size=n)
    if target == "random walk":
        y = np.cumsum(y)
    if target == "sorted":
        y = np.sort(y)
    predictions = {f"model {k}": y + errors(rng, n) for k in range(n_models)}
    result, messages = warned(compare_predictions, y, predictions)
    if n_models > 2:
        return {"warned": bool(messages)}
    losses = result.losses.values
    by_dm, _ = warned(DieboldMarianoTest().fit, losses[:, 0] - losses[:, 1])
    return {
        "warned": bool(messages),
        "rejected": result.pvalue_ < 0.05,
        "rejected_by_dm": by_dm.pvalue_ < 0.05,
    }


def labels_warned(rng, n, memory, is_sorted):
    """Compare two classifiers that err as often; in one class each is the better."""
    y = rng.integers(3, size=n)
    y = np.sort(y) if is_sorted else y
    bounds = np.array([[1.6, 0.6, 1.0], [0.6, 1.6, 1.0]])[:, y]
    predictions = {
        f"model {k}": np.where(
            autoregression(rng, n, memory) > bounds[k], (y + 1) % 3, y
        )
        for k in range(2)
    }
    result, messages = warned(compare_predictions, y, predictions)
    return {"warned": bool(messages), "rejected": result.pvalue_ < 0.05}


def cells_of_forecasts():
    for n in (50, 200, 1000):
        for label, errors in ERRORS.items():
            is_independent = label.startswith("independent")
            targets = ("noise", "random walk") + ("sorted",) * is_independent
            for target in targets:
                for n_models in (2, 5) if is_independent else (2,):
                    run = functools.partial(
                        forecasts_warned, errors=errors, n=n, target=target,
                        n_models=n_models,
                    )  # fmt: skip
                    of = "independent" if is_independent else "in order"
                    rows = f"{of}, y {target}"
                    name = f"{n_models} models, {label}"
                    yield rows, name, n, run
        for memory, is_sorted in ((0.0, False), (0.0, True), (0.9, False)):
            rows = "in order" if memory else "independent"
            rows += ", sorted by class" if is_sorted else ", classes"
            run = functools.partial(
                labels_warned, n=n, memory=memory, is_sorted=is_sorted
            )
            yield rows, f"2 classifiers, autoregressive, {memory}", n, run


SAMPLES = {"groups": 16, "forecasts": 60}  # of each cell
PARTS = {
    "groups": cells_of_groups,
    "forecasts": cells_of_forecasts,
}
RATES = "warned", "asked", "rejected", "rejected_by_dm"


def rates_of(key, run, samples):
    """Return the row of a cell."""
    rng = np.random.default_rng(zlib.crc32(repr(key).encode()))
    results = [run(rng=rng) for _ in range(samples)]
    row = dict(zip(("part", "rows", "population", "n"), key, strict=True))
    row["samples"] = samples
    for name in RATES:
        values = [result[name] for result in results if name in result]
        row[name] = round(float(np.mean(values)), 4) if values else ""
    return row


def summary(table):
    """Print the rates of each kind of rows."""
    frame = pd.DataFrame(table)
    rates = frame[list(RATES)].apply(pd.to_numeric)
    of = [frame["part"], frame["rows"]]
    print(rates.groupby(of, sort=False).mean().round(3).to_string())


def main():
    parser = parser_of(__doc__)
    parser.add_argument(
        "--samples", type=int, help="of each cell, in place of 16 to 60"
    )
    parser.add_argument("--part", choices=[*PARTS], help="only the rows of this part")
    parser.add_argument(
        "--quick", action="store_true", help="two samples of each cell, no table"
    )
    arguments = parser.parse_args()
    table = []
    for part in [arguments.part] if arguments.part else PARTS:
        samples = 2 if arguments.quick else arguments.samples or SAMPLES[part]
        for rows, label, n, run in PARTS[part]():
            table.append(rates_of((part, rows, label, n), run, samples))
            print(*table[-1].values(), sep=",", flush=True)
    summary(table)
    if not arguments.quick:
        header = [*table[0]]
        rows = [[*map(str, row.values())] for row in table]
        merge_rows(DATA / "hidden_dependence.csv", header, rows, n_key=4)


if __name__ == "__main__":
    main()
