"""Code shared by the scripts in this folder: arguments, stored results, tables."""

import argparse
import csv
import datetime
import json
import pathlib
import platform
import sys
import time
from dataclasses import replace

import joblib
import numpy
import numpy as np
import scipy
import sklearn
from sklearn.datasets import fetch_covtype, fetch_openml

import sklearn_cvtest
from sklearn_cvtest.results import Design
from sklearn_cvtest.simulation import ArrayPopulation

HERE = pathlib.Path(__file__).parent
PUBLISHED = json.loads((HERE / "published.json").read_text(encoding="utf-8"))
VERSIONS = {
    "python": platform.python_version(),
    **{
        module.__name__: module.__version__
        for module in (sklearn_cvtest, sklearn, numpy, scipy, joblib)
    },
}


def run(name, simulate):
    """Return the rows of `simulate(arguments)`, or of its last full run.

    A row is a dict of numbers and strings. A full run writes the rows to
    results/<name>.csv.
    """
    parser = argparse.ArgumentParser(
        description=f"Reproduces {name}; without an option, from the stored results."
    )
    size = parser.add_mutually_exclusive_group()
    size.add_argument("--quick", action="store_true", help="run a small simulation")
    size.add_argument("--full", action="store_true", help="run all of it, and store it")
    parser.add_argument("--data", help="folder with the letter and forest files")
    parser.add_argument("--jobs", type=int, default=-1)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--most", type=int, help="largest number of samples per point")
    parser.add_argument("--out", help="file to write instead of the stored results")
    parser.add_argument(
        "--only", help="simulate this problem, and keep the stored rows of the others"
    )
    arguments = parser.parse_args()
    path = HERE / "results" / f"{name}.csv"
    if not (arguments.quick or arguments.full):
        return read(path)
    start = time.time()
    # the data are known to be valid: without checks it is a fifth faster
    with sklearn.config_context(assume_finite=True, skip_parameter_validation=True):
        rows = list(simulate(arguments))
    print(f"({time.time() - start:.0f} s)\n")
    made = provenance(arguments)
    if arguments.only:
        new = {(row["problem"], row["n"]): row for row in rows}
        rows = [new.get((row["problem"], row["n"]), row) for row in read(path)]
        made = [*comments(path), f"# {arguments.only}:", *made]
    if arguments.full or arguments.out:
        write(pathlib.Path(arguments.out or path), rows, made)
    return rows


def options(arguments, n_replications, quick=200):
    """Return the arguments common to all calls of replicate_losses."""
    n_replications = quick if arguments.quick else n_replications
    return {
        "n_replications": min(n_replications, arguments.most or n_replications),
        "random_state": arguments.seed,
        "n_jobs": arguments.jobs,
    }


# Residuals of many samples ------------------------------------------------------


def stack(samples, first=0, second=None):
    """Return the residuals of all samples, with values (n_replications, n_rows)."""
    residuals = [losses.residuals(first, second) for losses in samples]
    return replace(
        residuals[0],
        values=np.array([one.values for one in residuals]),
        largest=np.array([one.magnitude for one in residuals]),
        pair=None,
    )


def blocks_of(residuals):
    """Return the residuals of a K-fold of many samples, (n_replications, K, m)."""
    return residuals.values.reshape(len(residuals.values), len(residuals.n_test), -1)


def subsample_of(residuals, means):
    """Return the means (n_replications, J) of the first splits as a subsample's."""
    n_splits = means.shape[1]
    return replace(
        residuals,
        values=means,
        row_split=np.arange(n_splits),
        row_index=None,
        per_example=False,
        design=Design("subsample", n_splits),
        n_train=residuals.n_train[:n_splits],
        n_test=residuals.n_test[:n_splits],
    )


def rho_error(blocks, structure):
    """Return the Monte-Carlo standard error of ρ = γ/θ, by the delta method.

    A sample contributes Σ e_i e_j/n² over pairs of two blocks to (n - m)γ/n, and over
    all pairs to θ, with e about the mean of all samples.
    """
    n_blocks = structure.n_splits
    sums = (blocks - blocks.mean()).sum(axis=2) / structure.n_samples
    theta = sums.sum(axis=1) ** 2
    gamma = (theta - np.sum(sums**2, axis=1)) / (1 - 1 / n_blocks)
    errors = (gamma - structure.rho * theta) / structure.theta
    return float(np.std(errors, ddof=1) / np.sqrt(len(blocks)))


def rates_of(rates):
    """Return {name: rate, name_se: its error} at one level and one hypothesis."""
    cells = {}
    for number, name in enumerate(rates.test_names):
        cells[name] = float(rates.rates[number, 0, 0])
        cells[f"{name}_se"] = float(rates.standard_errors[number, 0, 0])
    return cells


# Data sets ----------------------------------------------------------------------


def load_letter(folder=None, binary=True):
    """Return X and y of the UCI letters, y whether it is one of N to Z: two classes.

    Of a folder with letter-recognition.csv (a header; then the letter and 16 features),
    or from OpenML. Not `binary`, y is the letter.
    """
    if folder is None:
        X, y = fetch_openml("letter", version=1, return_X_y=True, as_frame=False)
        y = np.asarray(y, dtype=str)
    else:
        path = pathlib.Path(folder) / "letter-recognition.csv"
        table = np.loadtxt(path, delimiter=",", skiprows=1, dtype=str)
        y, X = table[:, 0], table[:, 1:].astype(float)
    return X, (y >= "N") if binary else y


def load_forest(folder=None):
    """Return X and y of the UCI forest cover types, y whether it is type 2.

    Of a folder with forest-cover.csv.gz, all rows (a header; then 54 features and the
    type), or the sample forest-cover-15k.csv; or fetched.
    """
    if folder is None:
        X, y = fetch_covtype(return_X_y=True)
    else:
        path = pathlib.Path(folder) / "forest-cover.csv.gz"
        if not path.exists():
            path = path.with_name("forest-cover-15k.csv")
        table = np.loadtxt(path, delimiter=",", skiprows=1, ndmin=2)
        X, y = table[:, :-1], table[:, -1]
    return X, y == 2


def letter(arguments, binary=True, **kwargs):
    return ArrayPopulation(*load_letter(arguments.data, binary=binary), **kwargs)


def forest(arguments):
    return ArrayPopulation(*load_forest(arguments.data))


# Stored results -----------------------------------------------------------------


def provenance(arguments):
    """Return lines with the command, versions, seed and date of this run."""
    command = " ".join([pathlib.Path(sys.argv[0]).name, *_without_paths(sys.argv[1:])])
    versions = ", ".join(f"{name} {version}" for name, version in VERSIONS.items())
    date = datetime.date.today().isoformat()
    return [f"# python {command}", f"# {versions}", f"# seed {arguments.seed}, {date}"]


def comments(path):
    lines = path.read_text(encoding="utf-8").splitlines()
    return [line for line in lines if line.startswith("#")]


def write(path, rows, made):
    """Write rows under the lines that say how they were made."""
    names = list(dict.fromkeys(name for row in rows for name in row))
    with path.open("w", newline="", encoding="utf-8") as file:
        file.writelines(f"{line}\n" for line in made)
        writer = csv.DictWriter(file, names, lineterminator="\n")
        writer.writeheader()
        for row in rows:
            shown = {name: _shown(value) for name, value in row.items()}
            writer.writerow(shown)
    print(f"wrote {path.name}")


def _without_paths(words):
    """Leave out options that name folders on this machine."""
    kept = []
    for word in words:
        if kept and kept[-1] in ("--data", "--out"):
            kept.pop()
        else:
            kept.append(word)
    return kept


def _shown(value):
    if isinstance(value, float):
        return "" if value != value else f"{value:.6g}"
    return value


def read(path):
    """Return rows as they were written, numbers as numbers."""
    with path.open(newline="", encoding="utf-8") as file:
        lines = [line for line in file if not line.startswith("#")]
    return [
        {name: _number(value) for name, value in row.items()}
        for row in csv.DictReader(lines)
    ]


def _number(text):
    for kind in (int, float):
        try:
            return kind(text)
        except ValueError:
            continue
    return text if text else float("nan")


def print_table(headers, rows):
    """Print an aligned table."""
    rows = [[str(cell) for cell in row] for row in [headers, *rows]]
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    for row in rows:
        print("  ".join(cell.rjust(w) for cell, w in zip(row, widths, strict=True)))
    print()
