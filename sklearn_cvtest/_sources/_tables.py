"""Long tables as columns: of data frames, dicts and files; CSV needs no pandas."""

import csv
import gzip
import math
import os
import re
import zlib
from collections.abc import Mapping

import numpy as np

from .._losses._metrics import is_bounded_by_one
from .._validation import check_flag, check_regular, invalid, invalid_words

ALLOWED = (
    "a data frame, a dict of columns, or the path of a .csv or .parquet file, with a "
    "row for each score or loss"
)
DAMAGE = csv.Error, UnicodeDecodeError, EOFError, zlib.error, gzip.BadGzipFile
MISSING = ("", "na", "nan", "none", "null")


def as_columns(table):
    """Return {name: list or array} of a table of any kind.

    Names stay what they are: 1 is no column that "1" names.
    """
    if isinstance(table, (str, os.PathLike)):
        table = _read(os.fspath(table))
    if hasattr(table, "collect") and not isinstance(table, Mapping):
        table = _collected(table)
    if isinstance(table, Mapping):
        columns = dict(table)
    elif hasattr(table, "columns") and hasattr(table, "__getitem__"):
        columns = {name: table[name] for name in table.columns}
    else:
        raise invalid("table", ALLOWED, table, TypeError)
    columns = {name: _as_list(name, column) for name, column in columns.items()}
    lengths = {name: len(column) for name, column in columns.items()}
    if len(set(lengths.values())) > 1:
        raise invalid_words("table", "columns of one length", f"{lengths}")
    if not lengths or not next(iter(lengths.values())):
        raise invalid_words("table", ALLOWED, "an empty table")
    return columns


def _collected(table):
    """Return the data frame of a LazyFrame of polars."""
    try:
        return table.collect()
    except Exception as error:  # of the many kinds of polars
        raise _unreadable(ALLOWED, table, error) from None


def _unreadable(allowed, what, error):
    """Return the error for a table that its reader cannot read."""
    why = f"{type(error).__name__}: {error}".strip(": ")
    return invalid_words("table", allowed, f"{what!r} ({why})")


def _as_list(name, column):
    if hasattr(column, "to_list"):  # pandas and polars
        return column.to_list()
    if isinstance(column, np.ndarray):
        if column.ndim != 1:
            shown = f"an array of shape {column.shape}"
            raise invalid_words(f"table[{name!r}]", "a column", shown)
        return column.tolist()
    is_list = hasattr(column, "__len__") and not hasattr(column, "columns")
    if isinstance(column, (str, bytes)) or not is_list:
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
        except DAMAGE as error:
            raise _unreadable("an intact CSV file", path, error) from None
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
    with open(path, "rb"):  # or the ordinary error says why not
        pass
    for name in ("pandas", "polars"):
        try:
            return __import__(name).read_parquet(path)
        except ImportError:  # also of pandas without a reader
            continue
        except KeyboardInterrupt:
            raise
        except BaseException as error:  # what polars raises in a panic is no Exception
            raise _unreadable("an intact Parquet file", path, error) from None
    raise ImportError(
        "Reading a Parquet file needs polars, or pandas with pyarrow: "
        "pip install polars. A CSV file needs neither."
    )


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
        if all(re.fullmatch(r"[+-]?\d+", label) for label in self.labels):
            values = [int(label) for label in self.labels]
        elif or_name:
            values = self.labels
        else:
            return self
        order = np.argsort(values)
        rank = np.empty(len(order), dtype=np.intp)
        rank[order] = np.arange(len(order))
        return Codes(
            rank[self.codes], [self.labels[number] for number in order.tolist()]
        )


def encode(name, column, *, are_names=False):
    """Return the Codes of a column; a value that is missing is an error.

    1 and "1" are one value; of names (`are_names`), they are an error.
    """
    known = {}
    codes = [known.setdefault(value, len(known)) for value in column]
    for value in known:
        if _is_missing(value):
            row = next(n for n, cell in enumerate(column) if _is_missing(cell))
            raise invalid_words(
                f"table[{name!r}]", "without missing values", f"one in row {row}"
            )
    labels = [str(value) for value in known]
    if len(set(labels)) < len(labels):
        if are_names:
            twice = next(label for label in labels if labels.count(label) > 1)
            shown = " and ".join(repr(value) for value in known if str(value) == twice)
            raise invalid_words(f"table[{name!r}]", "names that differ as text", shown)
        by_label = {}
        merge = [by_label.setdefault(label, len(by_label)) for label in labels]
        return Codes(np.array(merge)[codes], list(by_label))
    return Codes(np.array(codes), labels)


def _is_missing(value):
    if value is None or value != value:  # None, nan, NaT
        return True
    return isinstance(value, str) and value.strip().lower() in MISSING


def check_column(parameter, name, columns):
    """Raise unless a name is None or that of a column."""
    if name is None:
        return
    if not isinstance(name, str):
        raise invalid(parameter, "the name of a column", name, TypeError)
    if name not in columns:
        allowed = f"one of the columns, {', '.join(map(repr, columns))}"
        hint = "Name columns by text." if name in map(str, columns) else ""
        raise invalid(parameter, allowed, name, hint=hint)


def value_column(score, loss, columns):
    """Return the column of values, and whether greater is better."""
    if score is None and loss is None:
        found = [name for name in ("score", "loss") if name in columns]
        if len(found) != 1:
            raise ValueError(
                "`score` or `loss` must name the column of values; the columns are "
                f"{', '.join(map(repr, columns))}."
            )
        return found[0], found[0] == "score"
    if score is not None and loss is not None:
        raise invalid("loss", "None where `score` is given", loss)
    check_column("score", score, columns)
    check_column("loss", loss, columns)
    return (loss, False) if score is None else (score, True)


def as_numbers(name, column):
    """Return a column as floats; a hole or a word is an error that names the row."""
    has_text = any(isinstance(value, str) and "_" in value for value in column)
    try:
        numbers = np.array(column, dtype=np.float64)
        if np.isfinite(numbers).all() and not has_text:
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


def as_shares(parameter, values, name, *, is_score=True, percent=False, where="row"):
    """Return scores (or losses) of which one is the best (or worst), as shares.

    Those in percent are divided once, here; above one they are an error that says so.
    Values that are nan stay.
    """
    if check_flag("percent", percent):
        if is_score and np.nanmax(values, initial=-np.inf) <= 1:
            hint = "They would be shares already."
            shown = f"True where no {name!r} is above 1"
            raise invalid_words("percent", "False", shown, hint=hint)
        values = values / 100
    above = np.ravel(values > 1 + 1e-9)
    if above.any() and is_bounded_by_one(name, is_score):
        place = int(np.argmax(above))
        kind = "score" if is_score else "loss"
        hint = "If these are percent, pass percent=True (in the command, --percent)."
        if percent:
            hint = "That is after dividing by 100."
        raise invalid_words(
            parameter,
            f"at most 1 for the {kind} {name!r}",
            f"{np.ravel(values)[place]:.6g} in {where} {place}, counted from 0",
            hint=hint,
        )
    return values


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
    if isinstance(value, str) and "_" in value:  # which Python reads as digits go on
        return False
    try:
        return math.isfinite(float(value))
    except (TypeError, ValueError):
        return False
