"""What the scripts of this folder share: CSV files, means, intervals."""

import argparse
import csv
import importlib.metadata
import math
import pathlib

import numpy as np

DATA = pathlib.Path(__file__).parent.parent / "docs" / "data"


def parser_of(doc):
    """Return the parser of a script, whose help is its docstring."""
    return argparse.ArgumentParser(
        description=doc, formatter_class=argparse.RawDescriptionHelpFormatter
    )


def version(package):
    """Return the version that is installed, None without it."""
    name = "sklearn_cvtest" if package == "this package" else package
    try:
        return importlib.metadata.version(name)
    except importlib.metadata.PackageNotFoundError:
        return None


# CSV files --------------------------------------------------------------------------


def write_rows(path, header, rows):
    with pathlib.Path(path).open("w", newline="", encoding="utf-8") as file:
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow(header)
        writer.writerows(rows)


def write_table(path, table):
    """Write dicts with the same keys, which are the header."""
    write_rows(path, table[0], (row.values() for row in table))


def merge_rows(path, header, rows, n_key):
    """Write rows to a file in place of those with the same first cells."""
    kept = {}
    if path.exists():
        with path.open(encoding="utf-8") as file:
            kept = {tuple(row[:n_key]): row for row in list(csv.reader(file))[1:]}
    kept |= {tuple(row[:n_key]): row for row in rows}
    write_rows(path, header, kept.values())


def shown(rows):
    """Return rows as text, and print them."""
    rows = list(map(as_text, rows))
    for row in rows:
        print(*row, sep=",", flush=True)
    return rows


def as_text(row):
    """Return cells as text; what is not known is empty."""
    texts = []
    for cell in row:
        if cell is None:
            texts.append("")
        elif isinstance(cell, float | np.floating):
            texts.append("" if np.isnan(cell) else f"{cell:.4f}")
        else:
            texts.append(str(cell))
    return texts


def read(path):
    """Return the rows of a CSV, whose first lines may be comments."""
    with path.open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(line for line in file if not line.startswith("#")))


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


def is_outside(test, evaluation, alpha, popmeans):
    """Return whether hypotheses are outside the intervals, (n_samples, n_popmeans)."""
    ends = test.interval(evaluation, 1 - alpha)
    low, high = (np.expand_dims(end, -1) for end in ends)
    return (popmeans <= low) | (popmeans >= high)
