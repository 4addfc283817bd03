"""Tables in files, read as text by pandas: CSV, ARFF, JSON, JSON lines, Parquet."""

import csv
import gzip
import io
import os
import re

import numpy as np

from .._validation import check_option, check_path, check_regular, invalid, one_line
from ._column_types import TextColumn, rows_of
from ._logs import MOST_BYTES, columns_of_json, columns_of_rows, parsed, read_eval
from ._unclear import UnclearTableError

ALLOWED = (
    "the path of a .csv, .tsv, .arff, .json, .jsonl, .eval or .parquet file, with a "
    "row for each score or loss"
)
SEPARATORS = (",", ";", "\t", "|")
SHOWN = {"\t": "tab"}
ATTRIBUTE = re.compile(r"@attribute\s+('[^']*'|\"[^\"]*\"|\S+)\s", re.IGNORECASE)


def read_file(path, separator=None):
    """Return the columns of a file, {name: cells}; the cells of CSV are text.

    `separator` is for CSV; None finds it. Whatever a damaged file leads to is one
    error, which names the file.
    """
    separator = "\t" if separator == "tab" else separator
    check_option("separator", separator, (None, *SEPARATORS))
    path = check_path("path", path)
    check_regular("path", path)
    extension = os.path.splitext(path.removesuffix(".gz"))[1].lower()
    reader = READERS.get(extension)
    if reader is None:
        raise invalid("path", ALLOWED, path)
    options = {}
    if reader is _read_csv:
        options = {"separator": separator or ("\t" if extension == ".tsv" else None)}
    elif separator is not None:
        raise invalid("separator", "left out where the file is no CSV", separator)
    try:
        return reader(path, **options)
    except (ImportError, UnclearTableError):
        raise
    except Exception as error:
        if isinstance(error, OSError) and error.filename is not None:
            raise  # it is not there, or may not be read
        why = f"{type(error).__name__}: {error}".removeprefix("ValueError: ")
        hint = " Save it as UTF-8." if isinstance(error, UnicodeDecodeError) else ""
        raise ValueError(
            f"`path` must be an intact {extension} file; got {path!r} "
            f"({one_line(why)[:300]}).{hint}"
        ) from None


def import_pandas():
    """Return pandas, or say how to install it."""
    try:
        import pandas
    except ImportError:
        raise ImportError(
            'Reading files needs pandas: pip install "sklearn_cvtest[pandas]".'
        ) from None
    return pandas


def opened(path):
    """Return a text file open for reading; a compressed one is unpacked first."""
    if not path.endswith(".gz"):
        return open(path, encoding="utf-8-sig", newline="")
    with gzip.open(path) as file:
        content = file.read(MOST_BYTES + 1)
    if len(content) > MOST_BYTES:
        raise ValueError(f"it unpacks to more than {MOST_BYTES:,} bytes")
    return io.TextIOWrapper(io.BytesIO(content), encoding="utf-8-sig", newline="")


# CSV ----------------------------------------------------------------------------


def _read_csv(path, separator):
    """Return the columns of a CSV file, without blank rows and columns."""
    pandas = import_pandas()
    with opened(path) as file:
        first = _first_record(file)
        if re.fullmatch(r"sep=.\s*", first):  # as Excel reads
            separator = separator or first[4]
            first = _first_record(file)
        separator = separator or _separator(first)
        options = {"delimiter": separator, "skipinitialspace": True}
        header = next(csv.reader(io.StringIO(first, newline=""), **options), [])
        header = [" ".join(name.split()) for name in header]
        try:
            frame = pandas.read_csv(
                file,
                sep=separator,
                header=None,
                names=range(len(header) + 1),  # one more, for rows that are too long
                index_col=False,
                dtype=str,
                na_filter=False,
                skipinitialspace=True,
            )
        except pandas.errors.EmptyDataError:
            frame = pandas.DataFrame(columns=range(len(header) + 1))
    texts = frame.to_numpy(dtype=object).T
    return _checked(header, [_as_texts(pandas, cells) for cells in texts], separator)


def _first_record(file):
    """Return the first line, with those that follow within quotes."""
    record = file.readline()
    while record.count('"') % 2:
        line = file.readline()
        if not line:
            break
        record += line
    return record


def _separator(first):
    """Return what separates the columns of a header, if that can be one only."""
    outside = re.sub(r'"[^"]*"', "", first)
    candidates = [separator for separator in SEPARATORS if separator in outside]
    if len(candidates) > 1:
        raise UnclearTableError(
            f"What separates the columns of the header {first.strip()!r}?",
            *(({"separator": SHOWN.get(mark, mark)}, "") for mark in candidates),
        )
    return candidates[0] if candidates else ","


def _as_texts(pandas, column):
    """Return a column of text without blanks around cells; of many texts, a list."""
    codes, texts = pandas.factorize(column)
    texts = [text.strip() for text in texts.tolist()]
    if 2 * len(texts) > len(codes) or len(set(texts)) < len(texts):
        return [texts[code] for code in codes.tolist()]
    return TextColumn(codes, texts)


def _checked(header, cells, separator):
    """Return columns by name, without blank rows; refuse rows that are too long."""
    is_filled = np.transpose([_are_filled(column) for column in cells])
    is_row = is_filled.any(axis=1)
    n_columns = len(header)
    while n_columns and not header[n_columns - 1]:
        if is_filled[:, n_columns - 1].any():
            break
        n_columns -= 1  # as spreadsheets write them
    too_long = np.flatnonzero(is_filled[:, n_columns:].any(axis=1))
    if len(too_long):
        hint = ""
        if separator == ",":
            hint = ". A comma in a number or name needs quotes, or another separator"
        raise ValueError(
            f"more than {n_columns} cells in row {too_long[0] + 1} after the header"
            f"{hint}"
        )
    # as pandas calls columns without a name, such as the index of a frame
    names = [name or f"Unnamed: {number}" for number, name in enumerate(header)]
    names = names[:n_columns]
    if len(set(names)) < len(names):
        raise ValueError(f"it must have columns with different names; got {names}")
    columns = dict(zip(names, cells, strict=False))
    if is_row.all():
        return columns
    rows = np.flatnonzero(is_row)
    return {name: rows_of(column, rows) for name, column in columns.items()}


def _are_filled(column):
    """Return whether each cell of a column of text is filled."""
    if isinstance(column, TextColumn):
        return np.array([bool(text) for text in column.texts], dtype=bool)[column.codes]
    return np.array([bool(text) for text in column], dtype=bool)


# ARFF, JSON, Parquet --------------------------------------------------------------


def _read_arff(path):
    """Return the columns of an ARFF file of WEKA, as text, "" for what is missing."""
    names = []
    rows = []
    is_data = False
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
    cells = [
        ["" if cell == "?" else cell.strip() for cell in row]
        for row in csv.reader(rows, **options)
    ]
    columns = zip(*cells, strict=True)
    return {name: list(column) for name, column in zip(names, columns, strict=True)}


def _read_json(path):
    """Return the columns of a JSON file."""
    with opened(path) as file:
        return columns_of_json(parsed(file.read()), path)


def _read_json_lines(path):
    """Return the columns of objects, one on each line."""
    with opened(path) as file:
        lines = [(n, line) for n, line in enumerate(file, 1) if line.strip()]
    rows = []
    for number, line in lines:
        row = parsed(line)
        if not isinstance(row, dict):
            raise ValueError(f"line {number} is no JSON object")
        rows.append(row)
    if not any(rows):
        raise ValueError("it has no rows")
    return columns_of_rows(rows, path)


def _read_parquet(path):
    """Return the columns of a Parquet file."""
    pandas = import_pandas()
    with open(path, "rb"):  # or the ordinary error says why not
        pass
    try:
        return dict(pandas.read_parquet(path).items())
    except ImportError:
        raise ImportError(
            "Reading a Parquet file needs pyarrow: pip install pyarrow."
        ) from None


READERS = {
    ".csv": _read_csv,
    ".tsv": _read_csv,
    ".txt": _read_csv,
    ".arff": _read_arff,
    ".parquet": _read_parquet,
    ".pq": _read_parquet,
    ".jsonl": _read_json_lines,
    ".ndjson": _read_json_lines,
    ".json": _read_json,
    ".eval": read_eval,
}
