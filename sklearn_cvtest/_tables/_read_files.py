"""Tables in files: CSV with any separator, ARFF, JSON, JSON lines, Parquet."""

import csv
import gzip
import io
import json
import os
import re
import zlib

import numpy as np

from .._validation import (
    check_option,
    check_path,
    check_regular,
    invalid,
    invalid_words,
)
from ._column_types import TextColumn, distinct
from ._logs import columns_of_json, columns_of_rows, read_eval

ALLOWED = (
    "a data frame, a dict of columns, or the path of a .csv, .tsv, .arff, .json, "
    ".jsonl, .eval or .parquet file, with a row for each score or loss"
)
DAMAGE = csv.Error, UnicodeDecodeError, EOFError, zlib.error, gzip.BadGzipFile
LARGE = 2_000_000  # bytes, from which pandas or polars reads faster
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
    extension = os.path.splitext(path.removesuffix(".gz"))[1].lower()
    if extension in (".csv", ".tsv", ".txt"):
        tab = "\t" if extension == ".tsv" else None
        return _read_csv(path, separator or tab, decimal)
    if extension == ".arff":
        return _read_arff(path)
    for name, value in (("separator", separator), ("decimal", decimal)):
        if value not in (None, "."):
            raise invalid(name, "left out where the file is no CSV", value)
    if extension in (".parquet", ".pq"):
        return _read_parquet(path)
    if extension in (".jsonl", ".ndjson"):
        return _read_json_lines(path)
    if extension == ".json":
        return _read_json(path)
    if extension == ".eval":
        return read_eval(path)
    raise invalid("table", ALLOWED, path)


def opened(path):
    """Return a text file, which may be compressed, open for reading."""
    opener = gzip.open if path.endswith(".gz") else open
    return opener(path, "rt", encoding="utf-8-sig", newline="")


def unreadable(allowed, content, error):
    """Return the error for a table that its reader cannot read."""
    why = f"{type(error).__name__}: {error}".strip(": ")
    hint = "Save it as UTF-8." if isinstance(error, UnicodeDecodeError) else ""
    return invalid_words("table", allowed, f"{content!r} ({why})", hint=hint)


# CSV ----------------------------------------------------------------------------


def _read_csv(path, separator, decimal):
    """Return the columns of a CSV file, as text."""
    try:
        with opened(path) as file:
            first = _first_record(file)
            has_line = re.fullmatch(r"sep=.\s*", first) is not None  # as Excel reads
            if has_line:
                separator = separator or first[4]
                first = _first_record(file)
            separator = separator or _separator(first)
            if os.path.getsize(path) > LARGE and not has_line and decimal != ",":
                columns = _large_csv(path, separator)
                if columns is not None and _is_plain(columns, first, separator):
                    return columns
            rows = _small_csv(file, first, separator, path)
    except DAMAGE as error:
        raise unreadable("an intact CSV file", path, error) from None
    return rows if decimal == "." else _with_points(rows, decimal)


def _first_record(file):
    """Return the first line, with those that follow within quotes."""
    record = file.readline()
    while record.count('"') % 2:
        line = file.readline()
        if not line:
            break
        record += line
    return record


def _large_csv(path, separator):
    """Return the columns of a large file by pandas or polars, None where they differ.

    A file that they read otherwise than the reader of Python, or not at all, is left to
    that, whose errors name the row.
    """
    try:
        import pandas
    except ImportError:
        return _large_csv_by_polars(path, separator)
    options = {"sep": separator, "na_filter": False, "skipinitialspace": True}
    options["low_memory"] = False  # in pieces, large integers may become floats
    try:
        head = pandas.read_csv(path, nrows=1000, **options)
        # of which each text is made once
        types = {name: "category" for name in head if _repeats_texts(head[name])}
        frame = pandas.read_csv(path, dtype=types, **options)
    except Exception:
        return None
    if not isinstance(frame.index, pandas.RangeIndex):  # rows longer than the header
        return None
    columns = {}
    for name in frame.columns:
        if frame[name].dtype.kind in "iuf":
            column = frame[name].to_numpy()
        else:
            column = _of_texts(*pandas.factorize(frame[name]))
        columns[_name_of_column(name)] = column
    return columns if len(columns) == frame.shape[1] else None


def _repeats_texts(series):
    """Whether a column holds text of which each comes ten times."""
    return series.dtype.kind == "O" and 10 * series.nunique() <= len(series)


def _large_csv_by_polars(path, separator):
    try:
        import polars
    except ImportError:
        return None
    try:
        options = {"separator": separator, "infer_schema_length": None}
        frame = polars.read_csv(path, missing_utf8_is_empty_string=True, **options)
    except Exception:
        return None
    columns = {}
    for name in frame.columns:
        column = frame[name]
        if column.dtype.is_numeric() and not column.null_count():
            column = column.to_numpy()
        else:
            texts = column.cast(polars.String).fill_null("").cast(polars.Categorical)
            labels = texts.cat.get_categories().to_list()
            column = _of_texts(texts.to_physical().to_numpy(), labels)
        columns[_name_of_column(name)] = column
    return columns if len(columns) == frame.width else None


def _is_plain(columns, first, separator):
    """Whether columns are called as in the header, and have no decimal commas.

    pandas renames columns that are there twice.
    """
    texts = [column for column in columns.values() if isinstance(column, TextColumn)]
    texts += [column for column in columns.values() if isinstance(column, list)]
    if any(_tells_commas(distinct(column)) for column in texts):
        return False
    header = next(csv.reader(io.StringIO(first, newline=""), delimiter=separator), [])
    return [name for name in map(_name_of_column, header) if name] == [
        name for name in columns if not name.startswith("Unnamed: ")
    ]


def _of_texts(codes, texts):
    """Return a column of text without blanks around cells; of many texts, a list."""
    texts = [str(text).strip() for text in texts]
    if 2 * len(texts) > len(codes) or len(set(texts)) < len(texts):
        return [texts[code] for code in codes.tolist()]
    return TextColumn(np.asarray(codes, dtype=np.intp), texts)


def _name_of_column(name):
    """Return a header on one line."""
    return " ".join(str(name).split())


def _small_csv(file, first, separator, path):
    """Return the columns of a CSV file by the reader of Python."""
    options = {"delimiter": separator, "skipinitialspace": True}
    header = next(csv.reader(io.StringIO(first, newline=""), **options), [])
    rows = list(csv.reader(file, **options))
    header = [_name_of_column(name) for name in header]
    rows = [[cell.strip() for cell in row] for row in rows]
    rows = [row for row in rows if any(row)]
    while header and not header[-1] and all(_ends_empty(row, header) for row in rows):
        header.pop()  # as spreadsheets write them
        rows = [row[: len(header)] for row in rows]
    # as pandas calls columns without a name, such as the index of a frame
    header = [name or f"Unnamed: {number}" for number, name in enumerate(header)]
    if len(set(header)) < len(header):
        raise invalid_words("table", "columns with different names", f"{header}")
    _check_widths(rows, header, separator, path)
    columns = zip(*rows, strict=True) if rows else [[] for _ in header]
    return {name: list(column) for name, column in zip(header, columns, strict=True)}


def _ends_empty(row, header):
    return len(row) < len(header) or not row[len(header) - 1].strip()


def _separator(first):
    """Return what separates the columns of a header, if that can be one only."""
    outside = re.sub(r'"[^"]*"', "", first)
    candidates = [separator for separator in SEPARATORS if separator in outside]
    if len(candidates) > 1:
        candidates_text = f"{' and '.join(map(repr, candidates))} in {first.strip()!r}"
        hint = "Pass, for example, separator=';'."
        allowed = "given where the header has several that it could be"
        raise invalid_words("separator", allowed, candidates_text, hint=hint)
    return candidates[0] if candidates else ","


def _check_widths(rows, header, separator, path):
    wrong = next((n for n, row in enumerate(rows) if len(row) != len(header)), None)
    if wrong is None:
        return
    hint = ""
    if separator == "," and len(rows[wrong]) > len(header):
        hint = "A comma in a number or name needs quotes, or another separator."
    allowed = f"a CSV file of {len(header)} columns"
    row_text = f"{len(rows[wrong])} in row {wrong + 1} after the header of {path!r}"
    raise invalid_words("table", allowed, row_text, hint=hint)


def _with_points(columns, decimal):
    """Return columns with decimal commas as Python reads them.

    Where `decimal` does not say it, some number must tell, as 0,95 does and 1,234 does
    not. A point in such a file may separate thousands, and is an error in a number.
    """
    with_comma = [name for name, cells in columns.items() if "," in "".join(cells)]
    if decimal is None and not any(map(_tells_commas, map(columns.get, with_comma))):
        return columns
    numbers = {name: cells for name, cells in columns.items() if _are_numbers(cells)}
    pointed = {name: cells for name, cells in numbers.items() if "." in "".join(cells)}
    if decimal is None and pointed:
        return columns
    for name, cells in pointed.items():
        row = next(row for row, cell in enumerate(cells) if "." in cell)
        hint = "Is it a separator of thousands, or is the file without commas?"
        cell_text = f"{cells[row]!r} in row {row}, counted from 0"
        allowed = "of numbers without points, as decimal=',' says"
        raise invalid_words(f"table[{name!r}]", allowed, cell_text, hint=hint)
    return columns | {
        name: [c.replace(",", ".") if WITH_COMMA.fullmatch(c) else c for c in cells]
        for name, cells in numbers.items()
    }


def _are_numbers(cells):
    return all(NUMBER.fullmatch(cell) for cell in cells if cell.strip())


def _tells_commas(cells):
    return _are_numbers(cells) and any(map(DECIMAL_COMMA.fullmatch, cells))


# ARFF, JSON ---------------------------------------------------------------------


ATTRIBUTE = re.compile(r"@attribute\s+('[^']*'|\"[^\"]*\"|\S+)\s", re.IGNORECASE)


def _read_arff(path):
    """Return the columns of an ARFF file of WEKA, as text, "" for what is missing."""
    names = []
    rows = []
    is_data = False
    try:
        with opened(path) as file:
            for line in file:
                attribute = ATTRIBUTE.match(line)
                if is_data and line.strip() and not line.startswith("%"):
                    rows.append(line)
                elif attribute:
                    names.append(attribute[1].strip("'\""))
                elif line.strip().lower() == "@data":
                    is_data = True
        options = {"quotechar": "'", "escapechar": "\\", "skipinitialspace": True}
        rows = list(csv.reader(rows, **options))
    except DAMAGE as error:
        raise unreadable("an intact ARFF file", path, error) from None
    _check_widths(rows, names, ",", path)
    cells = [["" if cell == "?" else cell.strip() for cell in row] for row in rows]
    columns = zip(*cells, strict=True)
    return {name: list(column) for name, column in zip(names, columns, strict=True)}


def _read_json(path):
    """Return the columns of a JSON file."""
    with opened(path) as file:
        try:
            content = json.load(file)
        except (*DAMAGE, ValueError, RecursionError) as error:
            raise unreadable("an intact JSON file", path, error) from None
    return columns_of_json(content, path)


def _read_json_lines(path):
    """Return the columns of objects, one on each line."""
    with opened(path) as file:
        try:
            rows = [
                (n, json.loads(line)) for n, line in enumerate(file) if line.strip()
            ]
        except (*DAMAGE, ValueError, RecursionError) as error:
            raise unreadable("intact JSON lines", path, error) from None
    for number, row in rows:
        if not isinstance(row, dict):
            line_text = f"another value in line {number + 1} of {path!r}"
            raise invalid_words("table", "a JSON object on each line", line_text)
    if not any(row for _, row in rows):
        raise invalid_words("table", ALLOWED, f"an empty file {path!r}")
    return columns_of_rows([row for _, row in rows], path)


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
