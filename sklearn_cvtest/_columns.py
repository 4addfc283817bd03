"""Long tables with named columns, as aligned arrays."""

from dataclasses import dataclass, replace

import numpy as np

from ._metric_names import metric_named
from ._metrics import Metric, find_metric
from ._validation import invalid


@dataclass(frozen=True, eq=False)
class Cells:
    """Of which model and which cell, such as a fold, the rows of a table are.

    Attributes
    ----------
    names : tuple of str
        The models, in the order in which they come.
    model : ndarray of shape (n_rows,)
        The model of each row.
    codes : dict
        For each role, such as "fold", its number in each row.
    labels : dict
        For each role, its different values.
    """

    names: tuple
    model: np.ndarray
    codes: dict
    labels: dict

    @classmethod
    def of_columns(cls, columns, model, roles):
        """Read columns by {role: column}; the column None is left out."""
        check_column("model", model, columns)
        codes = {}
        labels = {}
        for role, column in roles.items():
            if column is not None:
                check_column(role, column, columns)
                labels[role], codes[role] = encode(column, columns[column])
        names, model_codes = _encode_names(model, columns[model])
        return cls(names, model_codes, codes, labels)

    @property
    def cell(self):
        """The number of the cell of each row."""
        sizes = tuple(map(len, self.labels.values()))
        return np.ravel_multi_index(tuple(self.codes.values()), sizes)

    def rows_of(self, position, expected):
        """Return the row of a model for each of the cells that there must be."""
        cell = self.cell
        rows = np.flatnonzero(self.model == position)
        rows = rows[np.argsort(cell[rows], kind="stable")]
        if not np.array_equal(cell[rows], expected):
            raise self._wrong_cells(self.names[position], cell[rows], expected)
        return rows

    def order(self):
        """Return the row of each cell and model, (n_cells, n_models)."""
        every = np.unique(self.cell)
        rows = [self.rows_of(position, every) for position in range(len(self.names))]
        return np.column_stack(rows)

    def _wrong_cells(self, name, cells, expected):
        """Return the error for cells of which a model has no row, or several."""
        values, counts = np.unique(cells, return_counts=True)
        wrong, frequency = values[counts > 1], "several"
        if not len(wrong):
            wrong, frequency = np.setdiff1d(expected, values), "none"
        sizes = tuple(map(len, self.labels.values()))
        places = np.unravel_index(wrong[0], sizes)
        cell = []
        for (role, labels), place in zip(self.labels.items(), places, strict=True):
            cell.append(f"{role} {labels[place]}")
        unit = " and ".join(["model", *self.labels])
        hint = ""
        if frequency == "several":
            absent = [r for r in ("repeat", "run", "example") if r not in self.labels]
            hint = f" If rows are of something else, name its column in {absent}."
        return ValueError(
            f"`table` must have one row for each {unit}; got {frequency} of {name!r} "
            f"for {', '.join(cell)}.{hint}"
        )


def as_columns(table, name="table"):
    """Return the columns of a pandas or polars frame, or a dict, as arrays."""
    names = list(table.columns) if hasattr(table, "columns") else table
    if not hasattr(table, "columns") and not isinstance(table, dict):
        hint = "For a file, use compare_file."
        raise invalid(name, "a data frame or a dict of columns", table, TypeError, hint)
    if len(set(map(str, names))) < len(names):
        raise invalid(name, "of columns with different names", list(names))
    columns = {str(column): np.asarray(table[column]) for column in names}
    lengths = {column: len(cells) for column, cells in columns.items()}
    if len(set(lengths.values())) != 1 or not min(lengths.values()):
        raise invalid(name, "of columns of one length, not empty", lengths)
    return columns


def check_column(parameter, name, columns):
    """Return the name of a column that is there."""
    if name not in list(columns):
        allowed = "one of the columns " + ", ".join(map(repr, columns))
        raise invalid(parameter, allowed, name)
    return name


def value_columns(columns, score, loss):
    """Return the names of the columns of values, and whether they are scores."""
    if score is not None and loss is not None:
        raise invalid("loss", "None where `score` is given", loss)
    if score is None and loss is None:
        candidates = [name for name in ("score", "loss") if name in columns]
        if len(candidates) != 1:
            allowed = "named, where not one of `score` and `loss` is a column"
            raise invalid("score", allowed, list(columns))
        return candidates, candidates == ["score"]
    names = loss if score is None else score
    names = names if isinstance(names, list) else [names]
    if not names or len(set(names)) < len(names):
        raise invalid("score", "different columns", names)
    for name in names:
        check_column("loss" if score is None else "score", name, columns)
    return names, loss is None


def as_numbers(name, column):
    """Return a column of finite numbers."""
    cells = np.asarray(column)
    if cells.dtype.kind not in "biuf":
        for row, cell in enumerate(cells.tolist()):
            if not _is_number(cell):
                value = f"{cell!r} in row {row}"
                raise invalid(f"table[{name!r}]", "a column of numbers", value)
    values = cells.astype(np.float64)
    wrong = np.flatnonzero(~np.isfinite(values))
    if len(wrong):
        value = f"{values[wrong[0]]} in row {wrong[0]}"
        raise invalid(f"table[{name!r}]", "without missing values", value)
    return values


def _is_number(cell):
    try:
        float(cell)
    except (TypeError, ValueError):
        return False
    return "_" not in str(cell)  # 0_9 is 9 to Python


def metric_of_values(name, is_score, values, percent=False):
    """Return the Metric of numbers that have a name, and the numbers as losses."""
    name = name.removeprefix("test_")
    is_minus_loss = is_score and name.startswith("neg_")
    if is_minus_loss:
        name = name.removeprefix("neg_")
        is_score = False
        values = -values
    metric = find_metric(name)
    if is_minus_loss and metric is None:
        metric = Metric(name, name.replace("_", " "), None, low=-np.inf)
    elif metric is None or metric.is_score != is_score:
        metric = metric_named(name, is_score, values)
        if values.min() < metric.low:  # no row of ours: a word may mislead
            metric = replace(metric, low=-np.inf, by_ratio=False)
    if percent:
        if metric.is_share and metric.is_score and values.max() <= 1:
            value = f"{name} up to {values.max():g}"
            raise invalid("percent", "False for shares", value)
        values = values / 100
    if metric.name == "brier" and values.max() > 1:
        metric = replace(metric, high=2.0)  # of three classes or more
    low, high = metric.low, metric.high
    if values.min() < low or values.max() > high:
        hint = "If these are percent, pass percent=True." if metric.is_share else ""
        value = f"{values.min():g} to {values.max():g}"
        raise invalid(name, f"between {low:g} and {high:g}", value, hint=hint)
    return replace(metric, constant=None), metric.sign * values


def check_value_of_row(parameter, metric):
    """Refuse the root of a mean as the value of one example."""
    if metric.computed_as:
        hint = f"Name it 'absolute_error', or '{metric.computed_as}' if it is squared."
        raise invalid(parameter, "a value of one example", metric.name, hint=hint)


def _encode_names(column, cells):
    """Return the names in the order in which they come, and the name of each row."""
    labels, codes = encode(column, cells)
    if len(labels) < 2:
        hint = "For one model, use cross_val_interval or interval_of_predictions."
        raise invalid(column, "of at least two models", list(labels), hint=hint)
    _, first = np.unique(codes, return_index=True)
    place = np.empty(len(first), dtype=int)
    place[np.argsort(first)] = np.arange(len(first))
    return tuple(str(labels[code]) for code in np.argsort(first)), place[codes]


def encode(column, cells):
    """Return the different values of a column, and which each cell is."""
    cells = np.asarray(cells)
    if cells.dtype == object:
        missing = [cell is None or cell != cell for cell in cells.tolist()]
        if any(missing):
            row = missing.index(True)
            raise invalid(f"table[{column!r}]", "without missing values", f"row {row}")
        cells = cells.astype(str)
    if cells.dtype.kind in "US" and all(cell.isdecimal() for cell in np.unique(cells)):
        cells = cells.astype(int)
    return np.unique(cells, return_inverse=True)


def one_for_each(name, values, codes):
    """Return the value of each code, which is the same in all of its rows."""
    _, first = np.unique(codes, return_index=True)
    chosen = values[first]
    if np.any(chosen[codes] != values):
        allowed = "the same in all rows of an example, or of a split"
        raise invalid(f"table[{name!r}]", allowed, "several values")
    return chosen
