"""Long tables as columns: of data frames, dicts and files; CSV needs no pandas."""

from __future__ import annotations

import contextlib
import math
import os
import re
from collections.abc import Mapping
from typing import Literal

import numpy as np

from .._losses._metric_names import (
    are_hits,
    is_bounded_by_one,
    named_loss,
    named_ranges,
)
from .._row_labels import check_same_index
from .._typing import Any, PathLike, Sequence
from .._validation import as_numpy, check_flag, invalid, invalid_words, nearest, warn
from ._column_types import TextColumn
from ._read_files import ALLOWED, WITH_COMMA, read_file, unreadable
from ._unclear import UnclearRolesWarning

BLANKS = re.compile(r"[\s_\-]+")
PERCENT_SIGN = re.compile(r"_?[\[(]?%[\])]?$")
TRUTHS = {"True": 1.0, "False": 0.0, "true": 1.0, "false": 0.0}
MISSING = ("", "na", "nan", "none", "null")
# A cell such as "68.4 (7.1)" or "0.68 ± 0.07".
MEAN_WITH_DEVIATION = re.compile(
    r"\s*+([+-]?(?:\d++(?:[.,]\d*+)?|[.,]\d++))\s*+(?:\(|±|\+/?-)"
    r"\s*+[\d.,]++\s*+\)?\s*+"
)
# Words in names of which less is better, unless they begin with "neg".
LOSSES = re.compile(
    r"(?<![a-z])(loss|logloss|error|err|rmse|mse|mae|mape|rmsle|brier|deviance|"
    r"perplexity|ppl|wer|cer|nll|smape|mase|rmsse|crps|wape|erreur|erro|fehler|fehler(rate|quote)|perte|verlust)"
    r"(?![a-z])"
)


def as_columns(table):
    """Return {name: list or array} of a table of any kind.

    Names stay what they are: 1 is no column that "1" names.
    """
    if isinstance(table, (str, os.PathLike)):
        table = read_file(table)
    if hasattr(table, "collect") and not isinstance(table, Mapping):
        table = _collected(table)
    if isinstance(table, Mapping):
        columns = dict(table)
        _check_same_rows(columns)
    elif hasattr(table, "columns") and hasattr(table, "__getitem__"):
        columns = {name: table[name] for name in table.columns}
    else:
        raise invalid("table", ALLOWED, table, TypeError)
    columns = {name: _as_column(name, column) for name, column in columns.items()}
    lengths = {name: len(column) for name, column in columns.items()}
    if len(set(lengths.values())) > 1:
        raise invalid_words("table", "columns of one length", f"{lengths}")
    if not lengths or not next(iter(lengths.values())):
        allowed = "a table with a row for each score or loss"
        raise invalid_words("table", allowed, "an empty table")
    return columns


def _check_same_rows(columns):
    """Refuse columns of pandas whose rows are labelled in different orders."""
    series = {
        f"table[{name!r}]": column
        for name, column in columns.items()
        if hasattr(column, "iloc")
    }
    lengths = {len(column) for column in series.values()}
    if len(lengths) == 1:
        check_same_index(series, *lengths)


def read_table(
    path: PathLike,
    *,
    separator: Literal[",", ";", "\t", "|"] | None = None,
    decimal: Literal[".", ","] | None = None,
    wide: Sequence[str] | None = None,
    value: str = "score",
) -> dict[str, Sequence[Any]]:
    """Read a table of scores or losses from a file, as a dict of columns.

    For files that :func:`compare_table` and :func:`compare_scores`, which take paths of
    ordinary ones, cannot read without being told how. The cells of a CSV file stay
    text; what is a number is known where a column is used.

    Parameters
    ----------
    path : str or os.PathLike
        A CSV file (.csv, .tsv or .txt), a file with a JSON object on each line (.jsonl
        or .ndjson), both also compressed as .gz, a Parquet file, an .arff file, or a
        log of inspect-ai (.eval, .json), of lm-evaluation-harness or of promptfoo. The
        column of {"provider": {"id": "a"}} is called "provider.id"; a column of a CSV
        file without a name as pandas calls it, such as "Unnamed: 0".
    separator : {",", ";", "\\t", "|"}, default=None
        What separates the columns of a CSV file. None takes the one that the header
        has; where it has several, that is an error.
    decimal : {".", ","}, default=None
        What separates decimals in a CSV file. None takes a comma where some number
        tells that it is one, as 0,95 does and 1,234 does not, and none has a point.
        With ",", a point in a number is an error: it may separate thousands.
    wide : list of str, default=None
        The columns of a wide table that hold the values of a model each. It is returned
        as a long one, with a column "model".
    value : str, default="score"
        With `wide`, the name of the values, such as "accuracy".

    Returns
    -------
    columns : dict of str to list
        The columns.

    Raises
    ------
    TypeError, ValueError
        If an argument is not as described, or the file is damaged, has no rows, or
        several columns of a name.

    See Also
    --------
    compare_table : Compares models by scores of folds.
    compare_scores : Compares models by scores of examples of one test set.

    Examples
    --------
    >>> import os, tempfile
    >>> from sklearn_cvtest import compare_table
    >>> from sklearn_cvtest.adapters import read_table
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     path = os.path.join(folder, "scores.csv")
    ...     with open(path, "w") as file:
    ...         _ = file.write("fold;forest;tree\\n0;0,95;0,91\\n1;0,94;0,92\\n")
    ...     table = read_table(path, wide=["forest", "tree"])
    >>> table["model"], table["score"]
    (['forest', 'forest', 'tree', 'tree'], [0.95, 0.94, 0.91, 0.92])
    """
    columns = as_columns(read_file(path, separator, decimal, "path"))
    return columns if wide is None else _long(columns, wide, value)


def _long(columns, wide, value):
    """Return a wide table, with a column for each model, as a long one."""
    allowed = "a list of the columns of at least two models"
    if isinstance(wide, str) or not isinstance(wide, (list, tuple)):
        raise invalid("wide", allowed, wide, TypeError)
    names = [check_column("wide", name, columns) for name in wide]
    if len(names) < 2 or len(set(names)) < len(names) or None in names:
        raise invalid("wide", allowed, wide)
    others = {name: columns[name] for name in columns if name not in names}
    if not isinstance(value, str):
        raise invalid("value", "a name", value, TypeError)
    if value in others or value == "model" or "model" in others:
        allowed = "a name that no column has, and no column may be called 'model'"
        raise invalid("value", allowed, value)
    values = [as_numbers(name, columns[name]).tolist() for name in names]
    long = {name: list(column) * len(names) for name, column in others.items()}
    long["model"] = [name for name in names for _ in columns[name]]
    return long | {value: [cell for column in values for cell in column]}


def _collected(table):
    """Return the data frame of a LazyFrame of polars."""
    try:
        return table.collect()
    except Exception as error:  # of the many kinds of polars
        raise unreadable(ALLOWED, table, error) from None


def _as_column(name, column):
    """Return a column as a list of cells; an array, and text of a file, as they are."""
    if isinstance(column, TextColumn):
        return column
    column = as_numpy(f"table[{name!r}]", column)
    is_array = isinstance(column, np.ndarray) and column.ndim == 1
    if is_array and column.dtype in (np.int64, np.float64):
        return column
    if hasattr(column, "to_list"):  # pandas and polars
        return column.to_list()
    if isinstance(column, np.ndarray):
        if column.ndim != 1:
            shape_text = f"an array of shape {column.shape}"
            raise invalid_words(f"table[{name!r}]", "a column", shape_text)
        return column.tolist()
    is_list = hasattr(column, "__len__") and not hasattr(column, "columns")
    if isinstance(column, (str, bytes)) or not is_list:
        raise invalid(f"table[{name!r}]", "a column", column, TypeError)
    return list(column)


class Columns(dict):
    """Columns by name, known for a table where dicts are something else."""

    @property
    def columns(self):
        """The names."""
        return list(self)


def is_hole(value):
    """Whether a cell is empty, or says that a value is missing."""
    if value is None or value != value:  # None, nan, NaT
        return True
    return isinstance(value, str) and value.strip().lower() in MISSING


def check_column(parameter, name, columns):
    """Return the column that a name means, None of None; raise if there is none.

    Capitals, blanks, and a percent sign at the end may differ where that is clear.
    """
    if name is None:
        return None
    if not isinstance(name, str):
        raise invalid(parameter, "the name of a column", name, TypeError)
    if name in columns:
        return name
    alike = [
        c for c in columns if isinstance(c, str) and plain_name(c) == plain_name(name)
    ]
    if len(alike) == 1:
        return alike[0]
    if alike:
        names_text = f"{name!r}, which is like {' and '.join(map(repr, alike))}"
        raise invalid_words(parameter, "the exact name of a column", names_text)
    allowed = f"one of the columns, {', '.join(map(repr, columns))}"
    hint = nearest(name, columns)
    if name in map(str, columns):
        hint = "Name columns by text."
    elif parameter == "model" and not hint:
        hint = (
            "With a column for each model, use adapters.read_table(path, wide=[...]), "
            "or, of predictions, compare_predictions(y_true, predictions)."
        )
    raise invalid(parameter, allowed, name, hint=hint)


def column_of(name, columns):
    """Return the column that a name means, None if there is none."""
    try:
        return check_column("", name, columns)
    except (TypeError, ValueError):
        return None


def plain_name(name):
    """Return the name of a column without capitals, blanks and a percent sign."""
    return PERCENT_SIGN.sub("", BLANKS.sub("_", name.strip().casefold()))


def is_named_loss(name):
    """Whether less is better, as far as the words in a name tell."""
    name = plain_name(name)
    is_loss = named_loss(name) is not None or bool(LOSSES.search(name))
    return is_loss and not name.startswith("neg_")


def value_column(score, loss, columns):
    """Return the column of values, and whether greater is better.

    A known metric is renamed as it is called here, such as "Accuracy (%)".
    """
    if score is None and loss is None:
        candidates = [
            name for name in columns if plain_name(str(name)) in ("score", "loss")
        ]
        if len(candidates) != 1:
            raise ValueError(
                "`score` or `loss` must name the column of values; the columns are "
                f"{', '.join(map(repr, columns))}."
            )
        name = candidates[0]
        is_score = plain_name(candidates[0]) == "score"
    elif score is not None and loss is not None:
        raise invalid("loss", "None where `score` is given", loss)
    else:
        is_score = loss is None
        name = check_column("score", score, columns)
        name = check_column("loss", loss, columns) if name is None else name
    metric = plain_name(name)
    if metric in columns or not is_bounded_by_one(metric, is_score):
        return name, is_score
    columns[metric] = columns.pop(name)
    return metric, is_score


def as_numbers(name, column):
    """Return a column as floats; a hole or a word is an error that names the row.

    Numbers with a percent sign are divided by 100.
    """
    if isinstance(column, np.ndarray):
        if np.isfinite(column).all():
            return column.astype(np.float64)
        column = column.tolist()
    if isinstance(column, TextColumn):
        with contextlib.suppress(ValueError):
            return as_numbers(name, column.texts)[column.codes]
    if _are_plain(column):
        with contextlib.suppress(ValueError):
            numbers = np.array(list(map(float, column)))
            if np.isfinite(numbers).all():
                return numbers
    marked = [isinstance(v, str) and v.rstrip().endswith("%") for v in column]
    cells = [v.rstrip()[:-1] for v in column] if all(marked) else column
    numbers = np.array(list(map(_number, cells)))
    wrong = np.flatnonzero(~np.isfinite(numbers))
    allowed, hint = "a finite number in every row", ""
    if any(marked) and not all(marked):
        wrong = [marked.index(False)]
        allowed = "with a percent sign in every row, or in none"
    if len(wrong):
        value = column[wrong[0]]
        if isinstance(value, str) and WITH_COMMA.fullmatch(value):
            hint = "If numbers have decimal commas, use "
            hint += "adapters.read_table(path, decimal=',')."
        cell_text = f"{value!r} in row {wrong[0]}, counted from 0"
        raise invalid_words(f"table[{name!r}]", allowed, cell_text, hint=hint)
    return numbers / 100 if any(marked) else numbers


def _are_plain(column):
    """Whether all cells are floats, or text that Python reads as a table does."""
    if all(isinstance(cell, float) for cell in column):
        return True
    if not all(isinstance(cell, str) for cell in column):
        return False
    text = "".join(column)
    return text.isascii() and "_" not in text and "%" not in text


def _number(value):
    """Return a value as a float, nan if it is none.

    Python also reads "0_9" as 9 and "٣", a digit of another script, as 3.
    """
    if isinstance(value, str):
        if value in TRUTHS:
            return TRUTHS[value]
        is_of_another_script = any(c.isdecimal() and not c.isascii() for c in value)
        if "_" in value or is_of_another_script:
            return math.nan
    try:
        return float(value)
    except (OverflowError, TypeError, ValueError):
        return math.nan


def as_labels(column):
    """Return a column as numbers if it is of numbers, else as labels."""
    if isinstance(column, np.ndarray) and column.dtype == np.int64:
        return column
    if isinstance(column, TextColumn):
        labels = as_labels(column.texts)
        labels = labels.astype(str) if labels.dtype.kind == "O" else labels
        return labels[column.codes]
    try:
        numbers = np.array(column, dtype=np.float64)
    except (TypeError, ValueError):
        return np.array(column, dtype=object)
    is_whole = np.isfinite(numbers).all() and np.all(numbers == np.rint(numbers))
    return numbers.astype(np.int64) if is_whole else numbers


def as_shares(columns, name, *, is_score=True, percent=False, where="row"):
    """Return {parameter: scores} (or losses), of which one is the best, as shares.

    Those in percent are divided once, here; above one they are an error that says so.
    Values that are nan stay. A column of scores that is named like a loss warns.
    """
    top = max(np.nanmax(values, initial=-np.inf) for values in columns.values())
    if is_score and where == "row" and is_named_loss(name) and top > 0:
        warn(
            f"The score {name!r} is named like a loss, but greater scores are taken to "
            f"be better. If smaller is better, pass loss={name!r} instead of `score`.",
            UnclearRolesWarning,
        )
    if check_flag("percent", percent):
        if is_score and top <= 1:
            hint = "They are shares already."
            problem = f"True where no {name!r} is above 1"
            raise invalid_words("percent", "False", problem, hint=hint)
        columns = {parameter: values / 100 for parameter, values in columns.items()}
    quantity = "score" if is_score else "loss"
    hint = "If these are percent, pass percent=True."
    if percent:
        hint = "That is after dividing by 100."
    for parameter, values in columns.items():
        above = np.flatnonzero(values > 1 + 1e-9)
        if above.size and is_bounded_by_one(name, is_score):
            problem = (
                f"{values.flat[above[0]]:.6g} in {where} {above[0]}, counted from 0"
            )
            allowed = f"at most 1 for the {quantity} {name!r}"
            raise invalid_words(parameter, allowed, problem, hint=hint)
    return columns


def range_of(name, values, *, is_score):
    """Return the range of losses, minus scores, that a name says of such values.

    The narrowest of several that holds them. If values are in none, none is known: the
    name means something else. Values that are all 0 or 1, and not all the same, are
    hits or misses, whatever the name.
    """
    ranges = [(0.0, 1.0)] if are_hits(values) else named_ranges(name, is_score)
    for low, high in ranges:
        if not np.any((values < low) | (values > high)):
            return (-high, -low) if is_score else (low, high)
    return -math.inf, math.inf


def as_counts(name, column, minimum):
    """Return a column as integers not below a minimum; others are errors."""
    numbers = as_numbers(name, column)
    wrong = np.flatnonzero((numbers < minimum) | (numbers != np.floor(numbers)))
    if wrong.size:
        cell = list(column)[wrong[0]]
        cell_text = f"{cell!r} in row {wrong[0]}, counted from 0"
        allowed = f"an integer >= {minimum} in every row"
        raise invalid_words(f"table[{name!r}]", allowed, cell_text)
    return numbers.astype(np.int64)
