"""Tables in files: CSV with any separator, JSON lines, Parquet."""

import csv
import gzip
import json
import os
import re
import zlib

from .._validation import (
    check_option,
    check_path,
    check_regular,
    invalid,
    invalid_words,
)

ALLOWED = (
    "a data frame, a dict of columns, or the path of a .csv, .tsv, .jsonl or .parquet "
    "file, with a row for each score or loss"
)
DAMAGE = csv.Error, UnicodeDecodeError, EOFError, zlib.error, gzip.BadGzipFile
SEPARATORS = (",", ";", "\t", "|")
WITH_COMMA = re.compile(r"\s*[+-]?\d*,\d+([eE][+-]?\d+)?\s*%?\s*")
# ... and that can be no comma between thousands.
DECIMAL_COMMA = re.compile(r"\s*[+-]?(0?,\d+|\d+,(\d\d?|\d{4,}|\d+\s*%))[^\d,]*")
# The quantifiers keep what they took, or a long cell would be tried in many ways.
NUMBER = re.compile(
    r"\s*+[+-]?(\d++([.,]\d*+)?|[.,]\d++)([.,]\d++)*+([eE][+-]?\d++)?\s*+%?\s*+"
)


def read_file(path, separator=None, decimal=None, parameter="table"):
    """Return the columns of a file, {name: list}, or a data frame of Parquet.

    `separator` and `decimal` are for CSV, whose cells are text; None finds them.
    """
    check_option("separator", separator, (None, *SEPARATORS))
    check_option("decimal", decimal, (None, ".", ","))
    path = check_path(parameter, path)
    check_regular("table", path)
    kind = os.path.splitext(path.removesuffix(".gz"))[1].lower()
    if kind in (".csv", ".tsv", ".txt"):
        tab = "\t" if kind == ".tsv" else None
        return _read_csv(path, separator or tab, decimal)
    for name, value in (("separator", separator), ("decimal", decimal)):
        if value not in (None, "."):
            raise invalid(name, "left out where the file is no CSV", value)
    if kind in (".parquet", ".pq"):
        return _read_parquet(path)
    if kind in (".jsonl", ".ndjson"):
        return _read_json_lines(path)
    raise invalid("table", ALLOWED, path)


def opened(path):
    """Return a text file, which may be compressed, open for reading."""
    opener = gzip.open if path.endswith(".gz") else open
    return opener(path, "rt", encoding="utf-8-sig", newline="")


def unreadable(allowed, what, error):
    """Return the error for a table that its reader cannot read."""
    why = f"{type(error).__name__}: {error}".strip(": ")
    hint = "Save it as UTF-8." if isinstance(error, UnicodeDecodeError) else ""
    return invalid_words("table", allowed, f"{what!r} ({why})", hint=hint)


# CSV ----------------------------------------------------------------------------


def _read_csv(path, separator, decimal):
    """Return the columns of a CSV file, as text."""
    with opened(path) as file:
        try:
            first = file.readline()
            if re.fullmatch(r"sep=.\s*", first):  # as Excel reads
                separator, first = separator or first[4], file.readline()
            separator = separator or _separator(first)
            options = {"delimiter": separator, "skipinitialspace": True}
            header = next(csv.reader([first], **options), [])
            rows = list(csv.reader(file, **options))
        except DAMAGE as error:
            raise unreadable("an intact CSV file", path, error) from None
    header = [name.strip() for name in header]
    rows = [[cell.strip() for cell in row] for row in rows]
    rows = [row for row in rows if any(row)]
    while header and not header[-1] and all(_ends_empty(row, header) for row in rows):
        header.pop()  # as spreadsheets write them
        rows = [row[: len(header)] for row in rows]
    if len(set(header)) < len(header):
        raise invalid_words("table", "columns with different names", f"{header}")
    _check_widths(rows, header, separator, path)
    columns = zip(*rows, strict=True) if rows else [[] for _ in header]
    columns = {name: list(column) for name, column in zip(header, columns, strict=True)}
    return columns if decimal == "." else _with_points(columns, decimal)


def _ends_empty(row, header):
    return len(row) < len(header) or not row[len(header) - 1].strip()


def _separator(first):
    """Return what separates the columns of a header, if that can be one only."""
    outside = re.sub(r'"[^"]*"', "", first)
    found = [separator for separator in SEPARATORS if separator in outside]
    if len(found) > 1:
        shown = f"{' and '.join(map(repr, found))} in {first.strip()!r}"
        hint = "Pass, for example, separator=';'."
        allowed = "given where the header has several that it could be"
        raise invalid_words("separator", allowed, shown, hint=hint)
    return found[0] if found else ","


def _check_widths(rows, header, separator, path):
    wrong = next((n for n, row in enumerate(rows) if len(row) != len(header)), None)
    if wrong is None:
        return
    hint = ""
    if separator == "," and len(rows[wrong]) > len(header):
        hint = "A comma in a number or name needs quotes, or another separator."
    allowed = f"a CSV file of {len(header)} columns"
    shown = f"{len(rows[wrong])} in row {wrong + 1} after the header of {path!r}"
    raise invalid_words("table", allowed, shown, hint=hint)


def _with_points(columns, decimal):
    """Return columns with decimal commas as Python reads them.

    Where `decimal` does not say it, some number must tell, as 0,95 does and 1,234 does
    not. A point in such a file may separate thousands, and is an error in a number.
    """
    with_comma = [c for c in columns if any("," in cell for cell in columns[c])]
    if decimal is None and not any(map(_tells_commas, map(columns.get, with_comma))):
        return columns
    numbers = {name: cells for name, cells in columns.items() if _are_numbers(cells)}
    pointed = {name: cells for name, cells in numbers.items() if "." in "".join(cells)}
    if decimal is None and pointed:
        return columns
    for name, cells in pointed.items():
        row = next(row for row, cell in enumerate(cells) if "." in cell)
        hint = "Is it a separator of thousands, or is the file without commas?"
        shown = f"{cells[row]!r} in row {row}, counted from 0"
        allowed = "of numbers without points, as decimal=',' says"
        raise invalid_words(f"table[{name!r}]", allowed, shown, hint=hint)
    return columns | {
        name: [c.replace(",", ".") if WITH_COMMA.fullmatch(c) else c for c in cells]
        for name, cells in numbers.items()
    }


def _are_numbers(cells):
    return all(NUMBER.fullmatch(cell) for cell in cells if cell.strip())


def _tells_commas(cells):
    return _are_numbers(cells) and any(map(DECIMAL_COMMA.fullmatch, cells))


# JSON lines ---------------------------------------------------------------------


def _read_json_lines(path):
    """Return the columns of objects, one on each line; inside of one, "outer.inner"."""
    with opened(path) as file:
        try:
            rows = [
                (n, json.loads(line)) for n, line in enumerate(file) if line.strip()
            ]
        except (*DAMAGE, ValueError, RecursionError) as error:
            raise unreadable("intact JSON lines", path, error) from None
    for number, row in rows:
        if not isinstance(row, dict):
            shown = f"another value in line {number + 1} of {path!r}"
            raise invalid_words("table", "a JSON object on each line", shown)
    flat = [dict(_cells(row)) for _, row in rows]
    names = dict.fromkeys(name for row in flat for name in row)
    if not names:
        raise invalid_words("table", ALLOWED, f"an empty file {path!r}")
    return {name: [row.get(name) for row in flat] for name in names}


def _cells(row, prefix=""):
    for key, value in row.items():
        if isinstance(value, dict):
            yield from _cells(value, f"{prefix}{key}.")
        else:
            is_list = isinstance(value, list)
            yield f"{prefix}{key}", json.dumps(value) if is_list else value


# Parquet ------------------------------------------------------------------------


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
            raise unreadable("an intact Parquet file", path, error) from None
    raise ImportError(
        "Reading a Parquet file needs polars, or pandas with pyarrow: "
        "pip install polars. A CSV file needs neither."
    )
