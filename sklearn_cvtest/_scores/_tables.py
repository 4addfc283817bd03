"""Long tables with a row for each model, run and example, as arrays."""

from typing import NamedTuple

import numpy as np

from .._sources._given_predictions import check_target
from .._tables._column_types import TextColumn, are_distinct, sorted_distinct
from .._tables._table_columns import (
    as_columns,
    as_labels,
    as_numbers,
    as_shares,
    check_column,
    column_of,
    value_column,
)
from .._tables._table_rows import Rows
from .._validation import invalid


class Scores(NamedTuple):
    """Scores, losses or predictions of models, {model: (n_runs, n_examples, ...)}."""

    values: dict
    is_paired: bool
    groups: np.ndarray | None
    name: str
    is_score: bool
    y_true: object = None
    example_labels: object = None
    is_of_runs: bool = False  # a score of the whole test set for each run


def scores_of_table(table, names, user_args):
    """Return {column: Scores} of a long table."""
    columns = as_columns(table)
    if user_args["y_true"] is None and not isinstance(user_args["score"], list):
        names = _rows_of(columns, names)
    names = {role: check_column(role, name, columns) for role, name in names.items()}
    is_of_runs = names["example"] is None
    if is_of_runs:  # one test set, which stands for its examples
        columns, names["example"] = _with_one_example(columns)
    read, is_score = _value_columns(columns, user_args)
    rows = Rows(columns, names)
    n_examples = len(rows["example"].labels)
    run = rows["run"].codes if "run" in rows else np.zeros_like(rows["model"].codes)

    def expected(of_model):
        run_starts = sorted_distinct(run[of_model]) * n_examples
        return np.add.outer(run_starts, np.arange(n_examples)).ravel()

    cells = rows.by_model("run", "example", expected=expected)
    runs = [sorted_distinct(run[of_model]) for of_model in cells]
    is_paired = all(np.array_equal(of_model, runs[0]) for of_model in runs)
    target = None
    groups = rows.groups()
    if user_args["y_true"] is not None:
        column = check_column("y_true", user_args["y_true"], columns)
        labels = as_labels(columns[column])
        target = check_target(rows.one_each(labels, "y_true", "be one target"))
    scores_by_name = {}
    for name, values in read.items():
        of_models = zip(rows["model"].labels, cells, strict=True)
        of_models = {
            model: values[of_model].reshape(-1, n_examples)
            for model, of_model in of_models
        }
        scores_by_name[name] = Scores(
            of_models,
            is_paired,
            groups,
            name,
            is_score,
            target,
            rows["example"].labels,
            is_of_runs,
        )
    return scores_by_name


def _rows_of(columns, names):
    """Return the roles: with runs if rows need them, with examples if there are some.

    What is named stays; "run" is taken where rows of examples come several times.
    """
    if _are_of_runs(columns, names):
        return names | {"example": None}
    if names["run"] is None and "run" in columns and names["example"] is not None:
        return names | {"run": _needed_run(columns, names)}
    return names


def _needed_run(columns, names):
    """Return the column "run" if there are several rows of a model and example."""
    model, example = (column_of(names[role], columns) for role in ("model", "example"))
    is_single = are_distinct([columns[model], columns[example]])
    return None if is_single else "run"


def _are_of_runs(columns, names):
    """Whether there are no examples, and one row for each model and run."""
    model, run = (column_of(names[role], columns) for role in ("model", "run"))
    has_examples = column_of(names["example"], columns) is not None
    if has_examples or names["example"] != "example" or model is None or run is None:
        return False
    return are_distinct([columns[model], columns[run]])


def _with_one_example(columns):
    """Return columns with one more, of one test set, and its name."""
    n_rows = len(next(iter(columns.values())))
    name = "test set"
    while name in columns:
        name += " "
    return columns | {name: TextColumn(np.zeros(n_rows, dtype=np.intp), ["all"])}, name


def _value_columns(columns, user_args):
    """Return {column: values of all rows}, and whether they are scores."""
    role = "score" if user_args["loss"] is None else "loss"
    columns_named = user_args[role]
    names = columns_named if isinstance(columns_named, list) else [columns_named]
    if not names or len(set(map(str, names))) < len(names):
        raise invalid(role, "a column, or a list of different ones", columns_named)
    read = {}
    for one in names:
        score_or_loss = {"score": None, "loss": None, role: one}
        name, is_score = value_column(**score_or_loss, columns=columns)
        if user_args["y_true"] is not None:
            read[name] = as_labels(columns[name])
            continue
        values = {f"table[{name!r}]": as_numbers(name, columns[name])}
        options = {"is_score": is_score, "percent": user_args["percent"]}
        (read[name],) = as_shares(values, name, **options).values()
    return read, is_score
