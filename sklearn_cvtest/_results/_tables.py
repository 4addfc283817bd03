"""Long tables as columns: of data frames, dicts and files; CSV needs no pandas."""

import csv
import gzip
import math
import os
from collections.abc import Mapping

import numpy as np

from .._validation import check_regular, invalid, invalid_words

__all__ = ["Codes", "as_columns", "as_counts", "as_numbers", "encode"]

ALLOWED = (
    "a data frame, a dict of columns, or the path of a .csv or .parquet file, with a "
    "row for each score or loss"
)
MISSING = ("", "na", "nan", "none", "null")


def as_columns(table):
    """Return {name: list or array} of a table of any kind."""
    if isinstance(table, (str, os.PathLike)):
        table = _read(os.fspath(table))
    if hasattr(table, "collect") and not isinstance(table, Mapping):
        table = table.collect()  # a polars LazyFrame
    if isinstance(table, Mapping):
        columns = {str(name): table[name] for name in table}
    elif hasattr(table, "columns") and hasattr(table, "__getitem__"):
        names = list(table.columns)
        columns = {str(name): table[name] for name in names}
    else:
        raise invalid("table", ALLOWED, table, TypeError)
    columns = {name: _as_list(name, column) for name, column in columns.items()}
    lengths = {name: len(column) for name, column in columns.items()}
    if len(set(lengths.values())) > 1:
        raise invalid_words("table", "columns of one length", f"{lengths}")
    if not lengths or not next(iter(lengths.values())):
        raise invalid_words("table", ALLOWED, "an empty table")
    return columns


def _as_list(name, column):
    if hasattr(column, "to_list"):  # pandas and polars
        return column.to_list()
    if isinstance(column, np.ndarray):
        if column.ndim != 1:
            shown = f"an array of shape {column.shape}"
            raise invalid_words(f"table[{name!r}]", "a column", shown)
        return column.tolist()
    if isinstance(column, (str, bytes)) or not hasattr(column, "__len__"):
        raise invalid(f"table[{name!r}]", "a column", column, TypeError)
    return list(column)


def _read(path):
    check_regular("table", path)
    kind = os.path.splitext(path.removesuffix(".gz"))[1].lower()
    if kind in (".parquet", ".pq"):
        return _read_parquet(path)
    if kind in (".csv", ".tsv", ".txt"):
        return _read_csv(path, "\t" if kind == ".tsv" else None)
    raise invalid("table", ALLOWED, path)


def _read_csv(path, delimiter):
    """Return the columns of a CSV file, as text."""
    opener = gzip.open if path.endswith(".gz") else open
    with opener(path, "rt", encoding="utf-8-sig", newline="") as file:
        try:
            first = file.readline()
            delimiter = delimiter or max(",;\t", key=first.count)
            header = next(csv.reader([first], delimiter=delimiter), [])
            rows = list(csv.reader(file, delimiter=delimiter))
        except (csv.Error, UnicodeDecodeError) as error:
            raise invalid_words("table", "a CSV file", f"{path!r} ({error})") from None
    header = [name.strip() for name in header]
    if len(set(header)) < len(header):
        raise invalid_words("table", "columns with different names", f"{header}")
    rows = [row for row in rows if row]
    wrong = next((n for n, row in enumerate(rows) if len(row) != len(header)), None)
    if wrong is not None:
        raise invalid_words(
            "table",
            f"a CSV file of {len(header)} columns",
            f"{len(rows[wrong])} in row {wrong + 1} after the header of {path!r}",
        )
    columns = zip(*rows, strict=True) if rows else [[] for _ in header]
    return {name: list(column) for name, column in zip(header, columns, strict=True)}


def _read_parquet(path):
    try:
        import pandas

        return pandas.read_parquet(path)
    except ImportError:
        pass
    try:
        import polars

        return polars.read_parquet(path)
    except ImportError:
        raise ImportError(
            "Reading a Parquet file needs polars, or pandas with pyarrow: "
            "pip install polars. A CSV file needs neither."
        ) from None


class Codes:
    """A column as integers, numbered as the values first appear.

    Attributes
    ----------
    codes : ndarray of shape (n_rows,)
        The number of the value in each row.
    labels : list of str
        The values, as text.
    """

    def __init__(self, codes, labels):
        self.codes = codes
        self.labels = labels

    def __len__(self):
        return len(self.labels)

    def by_number(self, or_name=False):
        """Return the same numbered by the values if all are integers, or by name."""
        try:
            values = [int(label) for label in self.labels]
        except ValueError:
            if not or_name:
                return self
            values = self.labels
        order = np.argsort(values)
        rank = np.empty(len(order), dtype=np.intp)
        rank[order] = np.arange(len(order))
        return Codes(
            rank[self.codes], [self.labels[number] for number in order.tolist()]
        )


def encode(name, column):
    """Return the Codes of a column; a value that is missing is an error."""
    known = {}
    codes = [known.setdefault(value, len(known)) for value in column]
    for value in known:
        if _is_missing(value):
            row = next(n for n, cell in enumerate(column) if _is_missing(cell))
            raise invalid_words(
                f"table[{name!r}]", "without missing values", f"one in row {row}"
            )
    labels = [str(value) for value in known]
    if len(set(labels)) < len(labels):  # 1 and "1" are one value
        by_label = {}
        merge = [by_label.setdefault(label, len(by_label)) for label in labels]
        return Codes(np.array(merge)[codes], list(by_label))
    return Codes(np.array(codes), labels)


def _is_missing(value):
    if value is None or value != value:  # None, nan, NaT
        return True
    return isinstance(value, str) and value.strip().lower() in MISSING


def as_numbers(name, column):
    """Return a column as floats; a hole or a word is an error that names the row."""
    try:
        numbers = np.array(column, dtype=np.float64)
        if np.isfinite(numbers).all():
            return numbers
    except (TypeError, ValueError):
        numbers = None
    for row, value in enumerate(column):
        if not _is_number(value):
            allowed = "a finite number in every row"
            raise invalid_words(
                f"table[{name!r}]", allowed, f"{value!r} in row {row}, counted from 0"
            )
    return np.array([float(value) for value in column])


def as_counts(name, column, minimum):
    """Return a column as integers not below a minimum; others are errors."""
    numbers = as_numbers(name, column)
    wrong = np.flatnonzero((numbers < minimum) | (numbers != np.floor(numbers)))
    if wrong.size:
        raise invalid_words(
            f"table[{name!r}]",
            f"an integer >= {minimum} in every row",
            f"{column[wrong[0]]!r} in row {wrong[0]}, counted from 0",
        )
    return numbers.astype(np.int64)


def _is_number(value):
    try:
        return math.isfinite(float(value))
    except (TypeError, ValueError):
        return False
