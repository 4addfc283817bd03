"""What the scripts of this folder share: tables, one loop, `--quick`, standard errors.

A script says what its tables are (`Table`) and calls `command`: that measures them and
writes docs/data; with `--quick`, it takes few samples and prints the rates beside those
of docs/data, with the standard error of their difference.
"""

import argparse
import csv
import importlib.metadata
import math
import pathlib
import warnings
from typing import NamedTuple

import numpy as np

DATA = pathlib.Path(__file__).parent.parent / "docs" / "data"


class Table(NamedTuple):
    """A table of docs/data.

    `rows` yields dicts, from the number of samples. `keys` are the columns that say
    what a row is about. `rates` are the columns of rates, each with the column of its
    standard error, or None: then it is the share of so many `samples`.
    """

    name: str
    rows: callable
    keys: tuple
    rates: dict
    full: int
    quick: int


def parser_of(doc):
    """Return the parser of a script, whose help is its docstring."""
    return argparse.ArgumentParser(
        description=doc, formatter_class=argparse.RawDescriptionHelpFormatter
    )


def command(doc, *tables):
    """Measure the tables of a script, or those that are named."""
    parser = parser_of(doc)
    names = [table.name for table in tables]
    parser.add_argument("tables", nargs="*", metavar="table", help=", ".join(names))
    parser.add_argument("--samples", type=int, help="in place of the full number")
    parser.add_argument(
        "--quick", action="store_true", help="few samples, printed beside docs/data"
    )
    options = parser.parse_args()
    if unknown := set(options.tables) - set(names):
        parser.error(f"no table is named {', '.join(sorted(unknown))}")
    for table in tables:
        if options.tables and table.name not in options.tables:
            continue
        if options.quick:
            print(*beside(table, measured(table, table.quick)), sep="\n", flush=True)
        else:
            rows = measured(table, options.samples or table.full, is_shown=True)
            write(DATA / f"{table.name}.csv", rows)


def measured(table, samples, *, is_shown=False):
    """Return the rows of a table as texts, as they are in its file."""
    rows = []
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        for row in table.rows(samples):
            rows.append({name: as_text(cell) for name, cell in row.items()})
            if is_shown:
                print(*rows[-1].values(), sep=",", flush=True)
    return rows


def as_text(cell):
    """Return a cell as text; what is not known is empty."""
    if cell is None:
        return ""
    if isinstance(cell, float | np.floating):
        return "" if np.isnan(cell) else f"{cell:.4f}"
    return str(cell)


# Standard errors ----------------------------------------------------------------------

MOST = 3  # standard errors that are chance


def pairs_of(table, rows, column):
    """Yield (key, stored rate, this one, standard error, half a sample) of both."""
    path = DATA / f"{table.name}.csv"
    stored = {key_of(table, row): row for row in read(path)} if path.exists() else {}
    for row in rows:
        key = key_of(table, row)
        cells = [stored.get(key, {}).get(column, ""), row[column]]
        if "" in cells:
            continue
        page, here = map(float, cells)
        error = error_of(table.rates[column], stored[key], row, page, here)
        if not np.isnan(error):
            half = 0 if table.rates[column] else 0.5 / float(row["samples"])
            yield key, page, here, error, half


def error_of(column, stored, row, page, here):
    """Return the standard error of the difference of two rates."""
    numbers = [float(one.get("samples", 1)) for one in (stored, row)]
    if column:  # few samples know their own error badly
        numbers = [
            size_of(one, n) for one, n in zip((stored, row), numbers, strict=True)
        ]
        error = float(stored[column] or "nan")
        return error * math.sqrt(1 + numbers[0] / numbers[1])
    rate = (np.dot([page, here], numbers) + 1) / (sum(numbers) + 2)  # not 0, not 1
    return math.sqrt(rate * (1 - rate) * sum(1 / number for number in numbers))


def size_of(row, samples):
    """Return how much a rate over populations rests on."""
    return float(row.get("number", samples * float(row.get("populations", 1))))


def key_of(table, row):
    """Return what a row is about; numbers are equal however they are written."""
    return tuple(number(row[name]) for name in table.keys)


def number(text):
    try:
        return float(text)
    except ValueError:
        return text


def beside(table, rows):
    """Yield lines: rates of docs/data, those of some rows, and the standard error.

    That of a mean is at most the mean of those of its rows, which may share samples.
    """
    for column in table.rates:
        pairs = list(pairs_of(table, rows, column))
        if not pairs:
            continue
        keys, *numbers = zip(*pairs, strict=True)
        page, here, error, half = map(np.array, numbers)
        distance = np.maximum(np.abs(here - page) - half, 0) / error
        means = f"{page.mean():.4f} | {here.mean():.4f} ± {error.mean():.4f}"
        far = distance.argmax()
        n_far = np.sum(distance > MOST)
        yield (
            f"{table.name}.{column}, mean of {len(pairs)}: {means}; farthest "
            f"{distance[far]:.1f} standard errors"
            + (f"; {n_far} beyond {MOST}" if n_far else "")
        )
        for k in np.flatnonzero(distance > MOST):
            rates = f"{page[k]:.4f} | {here[k]:.4f} ± {error[k]:.4f}"
            yield f"    {' · '.join(map(str, keys[k]))}: {rates}"


# Files --------------------------------------------------------------------------------


def write(path, rows):
    """Write dicts with the same keys, which are the header."""
    with pathlib.Path(path).open("w", newline="", encoding="utf-8") as file:
        writer = csv.DictWriter(file, [*rows[0]], lineterminator="\n")
        writer.writeheader()
        writer.writerows(rows)


def read(path):
    """Return the rows of a CSV, whose first lines may be comments."""
    with path.open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(line for line in file if not line.startswith("#")))


def version(package):
    """Return the version that is installed, None without it."""
    name = "sklearn_cvtest" if package == "this package" else package
    try:
        return importlib.metadata.version(name)
    except importlib.metadata.PackageNotFoundError:
        return None


def grouped(rows, *columns):
    """Return lists of rows by the values of columns, in the order of the file."""
    cells = {}
    for row in rows:
        cells.setdefault(tuple(row[column] for column in columns), []).append(row)
    return cells


def mean(rows, column):
    return 100 * sum(float(row[column]) for row in rows) / len(rows)


def is_over(row, most=0.06):
    """Whether a size is significantly (one-sided, 5%) above 6%."""
    error = math.sqrt(most * (1 - most) / int(row["samples"]))
    return float(row["size"]) > most + 1.645 * error
