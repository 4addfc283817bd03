"""Tables as columns, and columns as numbers: of data frames, dicts and files."""

from __future__ import annotations

import contextlib
import math
import os
import re
from collections.abc import Mapping

import numpy as np

from .._losses._metric_names import (
    are_hits,
    is_bounded_by_one,
    named_loss,
    named_ranges,
)
from .._row_labels import check_same_index
from .._validation import as_numpy, check_flag, invalid, invalid_words, nearest, warn
from ._column_types import TextColumn, distinct
from ._unclear import UnclearRolesWarning

ALLOWED = "a data frame or a dict of columns, with a row for each score or loss"
BLANKS = re.compile(r"[\s_\-]+")
PERCENT_SIGN = re.compile(r"_?[\[(]?%[\])]?$")
TRUTHS = {"true": "1", "false": "0"}
MISSING = ("", "na", "nan", "none", "null")
# What else stands for a score that there is none of, as a run failed.
FAILED = (
    "n/a n.a. n.a nil nd n/d - – — -- --- ? . failed fail failure error err crash "
    "crashed timeout oom dnf missing #n/a #na not_run"
)
PHRASES = {"time out", "timed out", "out of memory", "did not finish", "not run"}
FAILURES = PHRASES.union(FAILED.split())
MARKS = "*_†‡§¶•°▲▼△▽↑↓●○^ \t\n\u00a0"  # of what is significant, or the best of a row
# A cell such as "68.4 (7.1)" or "0.68 ± 0.07".
MEAN_WITH_DEVIATION = re.compile(
    r"([+-]?(?:\d++(?:[.,]\d*+)?|[.,]\d++))\s*+(?:\(|±|\+/?-)\s*+[\d.,]++\s*+\)?"
)
THOUSANDS = re.compile(r"[+-]?[1-9]\d{0,2}(?:,\d{3})++(\.\d*+)?")
POINTS = re.compile(r"[+-]?[1-9]\d{0,2}(?:\.\d{3})+")
# A number whose comma can be none between thousands.
DECIMAL_COMMA = re.compile(r"[+-]?(?:0?,\d+|\d+,(?:\d\d?|\d{4,}))(?:[eE][+-]?\d+)?")
FEW = 1000  # different cells that tell whether a column is one of numbers
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
        hint = "For a file, use compare_file(path)."
        raise invalid("table", ALLOWED, table, TypeError, hint=hint)
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


def _collected(table):
    """Return the data frame of a LazyFrame of polars."""
    try:
        return table.collect()
    except Exception as error:  # of the many kinds of polars
        why = f"{type(error).__name__}: {error}"
        raise invalid_words("table", ALLOWED, f"{table!r} ({why})") from None


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
            "A table in another layout is taken by compare_file(path); predictions, by "
            "compare_predictions(y_true, predictions)."
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


def has_no_value(cell):
    """Whether a cell of a column of numbers is empty, or says that a run failed."""
    is_text = isinstance(cell, str)
    return is_hole(cell) or (is_text and cell.strip().lower() in FAILURES)


def are_numbers(column):
    """Whether at least half of the different cells that are filled are numbers."""
    if isinstance(column, np.ndarray) and column.dtype.kind in "iuf":
        return bool(np.isfinite(column).any())
    cells = [cell for cell in distinct(column) if not has_no_value(cell)][:FEW]
    decimal = _decimal_of(cells) or ","
    n_numbers = sum(math.isfinite(_number(cell, decimal)) for cell in cells)
    return 0 < len(cells) <= 2 * n_numbers


def with_points(columns, decimal=None):
    """Return columns whose numbers, of text, have a decimal point and no thousands.

    Where `decimal` does not say it, some number must tell what a comma is.
    """
    with_comma = {
        name: cells
        for name, cells in columns.items()
        if any(isinstance(cell, str) and "," in cell for cell in distinct(cells))
        and are_numbers(cells)
    }
    told = {name: _decimal_of(distinct(cells)) for name, cells in with_comma.items()}
    if decimal is None and "," in told.values():
        decimal = ","
    if decimal == ",":
        _refuse_points(columns)
    written = {}
    for name, cells in with_comma.items():
        if decimal or told[name]:
            written[name] = [_with_point(cell, decimal or told[name]) for cell in cells]
    return columns | written


def _refuse_points(columns):
    """Refuse points that may separate thousands, where commas separate decimals."""
    for name, cells in columns.items():
        for cell in distinct(cells):
            if isinstance(cell, str) and POINTS.fullmatch(cell.strip()):
                hint = "Is the point a separator of thousands? Write it without."
                allowed = "of numbers without points, as decimals have commas"
                raise invalid_words(f"table[{name!r}]", allowed, repr(cell), hint=hint)


def _with_point(cell, decimal):
    """Return the text of a number with a decimal point; other cells as they are."""
    if not isinstance(cell, str) or not math.isfinite(_number(cell, decimal)):
        return cell
    if decimal == ",":
        return cell.replace(",", ".")
    return cell.replace(",", "")


def as_numbers(name, column, *, has_holes=False, rows=None):
    """Return a column as floats; what is no number is an error that names the row.

    Numbers with a percent sign are divided by 100.

    Parameters
    ----------
    name : str
        The column.
    column : sequence
        Its cells.
    has_holes : bool, default=False
        Whether values may be missing, which are nan then, and else an error, too.
    rows : sequence of int, default=None
        The number of each row in the table of the user; None: they are all there.
    """
    if isinstance(column, TextColumn):
        with contextlib.suppress(ValueError):
            return as_numbers(name, column.texts, has_holes=has_holes)[column.codes]
    if isinstance(column, np.ndarray) and column.dtype.kind in "iuf":
        numbers = column.astype(np.float64)
        if not np.any(np.isinf(numbers) | (np.isnan(numbers) & (not has_holes))):
            return numbers
    cells = column.tolist() if isinstance(column, np.ndarray) else list(column)
    if _are_plain(cells):
        with contextlib.suppress(ValueError):
            numbers = np.array(list(map(float, cells)))
            if np.isfinite(numbers).all():
                return numbers
    holes = np.array([has_no_value(cell) for cell in cells], dtype=bool)
    percent = np.array([_has_percent_sign(cell) for cell in cells], dtype=bool)
    decimal = _decimal_of(cells)
    numbers = np.array([_number(cell, decimal) for cell in cells])
    is_wrong = ~np.isfinite(numbers) & ~(holes & has_holes)
    allowed = "a finite number in every row"
    if percent.any() and not (percent | holes).all():
        are_most = 2 * percent.sum() >= np.sum(~holes)
        is_wrong = ~(percent | holes) if are_most else percent
        allowed = "with a percent sign in every row, or in none"
    if is_wrong.any():
        place = np.flatnonzero(is_wrong)[0]
        cell = cells[place]
        hint = ""
        if isinstance(cell, str) and decimal is None:
            hint = "Is the comma decimal, or between thousands? Pass decimal=',' or "
            hint += "decimal='.' to compare_file."
        elif isinstance(cell, str) and decimal == "," and "." in cell:
            hint = "Is the point a separator of thousands? Other cells have commas."
        elif isinstance(cell, str) and not holes[place]:
            hint = "If a run failed there, leave the cell empty."
        row = place if rows is None else rows[place]
        cell_text = f"{cell!r} in row {row}, counted from 0"
        raise invalid_words(f"table[{name!r}]", allowed, cell_text, hint=hint)
    numbers[holes] = np.nan
    return numbers / 100 if percent.any() else numbers


def _are_plain(cells):
    """Whether all cells are floats, or text that Python reads as a table does."""
    if all(isinstance(cell, float) for cell in cells):
        return True
    if not all(isinstance(cell, str) for cell in cells):
        return False
    text = "".join(cells)
    return text.isascii() and "_" not in text


def _has_percent_sign(cell):
    return isinstance(cell, str) and cell.rstrip(MARKS).endswith("%")


def _decimal_of(cells):
    """Return the decimal separator of numbers as text, None if no cell tells it.

    0,95 has a decimal comma and 1,234.5 has none; 1,234 may have one or the other.
    """
    cells = [cell for cell in cells if isinstance(cell, str) and "," in cell]
    texts = [_plain(cell) for cell in cells]
    are_percent = any(map(_has_percent_sign, cells))  # of which there are no thousands
    if any(map(DECIMAL_COMMA.fullmatch, texts)) or (
        are_percent and "." not in texts[0]
    ):
        return ","
    is_clear = [text.count(",") > 1 or "." in text for text in texts]
    return "." if any(is_clear) or not texts else None


def _plain(text):
    """Return the text of a number without marks, deviation and percent sign."""
    text = text.strip(MARKS).removesuffix("%").strip(MARKS).replace("−", "-")
    with_deviation = MEAN_WITH_DEVIATION.fullmatch(text)
    return with_deviation[1] if with_deviation else text


def _number(cell, decimal):
    """Return a cell as a float, nan if it is none.

    Python also reads "0_9" as 9 and "٣", a digit of another script, as 3.
    """
    if isinstance(cell, str):
        cell = _plain(TRUTHS.get(cell.strip().lower(), cell))
        if decimal == ",":
            is_number = "." not in cell
            cell = cell.replace(",", ".", 1) if is_number else ""
        elif decimal == "." and THOUSANDS.fullmatch(cell):
            cell = cell.replace(",", "")
        if "_" in cell or not cell.isascii():
            return math.nan
    try:
        return float(cell)
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
