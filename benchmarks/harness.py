"""What the scripts of this folder share: options, runs that add up, CSV files.

A run stores the intervals and truths of its samples in a file of its own, whose name
ends in its seed; the table is made of the files of all runs.
"""

import argparse
import csv
import pathlib
import warnings

import numpy as np
from sklearn import config_context

DATA = pathlib.Path(__file__).parent.parent / "docs" / "data"
UNCHECKED = {"assume_finite": True, "skip_parameter_validation": True}


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
    cells = [float(cell) if isinstance(cell, np.floating) else cell for cell in row]
    cells = ["" if cell is None else cell for cell in cells]
    return [f"{cell:.4f}" if isinstance(cell, float) else str(cell) for cell in cells]


# Runs that add up -------------------------------------------------------------------


def run_parser(doc, sizes):
    """Return the parser of a script that simulates cells (case, size, design)."""
    parser = argparse.ArgumentParser(description=doc.splitlines()[0])
    parser.add_argument("--data", type=pathlib.Path, help="folder of real populations")
    parser.add_argument("--out", type=pathlib.Path, required=True)
    parser.add_argument("--size", type=int, choices=sizes, action="append")
    parser.add_argument("--samples", type=int, default=100)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--population", action="append")
    parser.add_argument("--csv", type=pathlib.Path)
    return parser


def is_asked(case, n, design, arguments):
    """Return whether --size and --population ask for a cell."""
    return n in (arguments.size or [n]) and case.population in (
        arguments.population or [case.population]
    )


def run(cells, arguments, asked, simulate, summaries):
    """Simulate the cells that are asked for, or write the table of all, with --csv.

    `simulate` takes a cell, the number of samples, the folder and the seed;
    `summaries` a cell and the folder.
    """
    warnings.simplefilter("ignore")
    if arguments.csv:
        table = [row for cell in cells for row in summaries(*cell, arguments.out)]
        write_table(arguments.csv, table)
        return
    with config_context(**UNCHECKED):
        for cell in cells:
            if asked(*cell, arguments):
                simulate(*cell, arguments.samples, arguments.out, arguments.seed)


def store(folder, label, seed, intervals, truths, **more):
    """Store {(measure, test): rows}, {measure: truths} and other values of a run."""
    arrays = {"|".join(key): rows for key, rows in intervals.items()}
    arrays |= {f"{measure}|truth": values for measure, values in truths.items()}
    folder.mkdir(exist_ok=True)
    np.savez(folder / f"{file_stem(label)}{seed}.npz", **more, **arrays)


def stored(folder, label):
    """Return what each run has stored."""
    paths = sorted(folder.glob(f"{file_stem(label)}*.npz"))
    return [np.load(path) for path in paths]


def file_stem(label):
    return f"{label} ".replace(" ", "_")


def joined(parts, key):
    return np.concatenate([part[key] for part in parts if key in part.files])
