"""Long tables with a row for each model, run and example, as arrays."""

from typing import NamedTuple

import numpy as np

from .._sources._given_predictions import check_target
from .._sources._rows import Rows
from .._sources._tables import (
    as_columns,
    as_labels,
    as_numbers,
    as_shares,
    check_column,
    value_column,
)
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


def scores_of_table(table, names, user_args):
    """Return {column: Scores} of a long table."""
    columns = as_columns(table)
    names = {role: check_column(role, name, columns) for role, name in names.items()}
    read, is_score = _value_columns(columns, user_args)
    rows = Rows(columns, names)
    n_examples = len(rows["example"].labels)
    run = rows["run"].codes if "run" in rows else np.zeros_like(rows["model"].codes)

    def expected(of_model):
        run_starts = np.unique(run[of_model]) * n_examples
        return np.add.outer(run_starts, np.arange(n_examples)).ravel()

    cells = rows.by_model("run", "example", expected=expected)
    is_paired = len({tuple(np.unique(run[of_model])) for of_model in cells}) == 1
    target, groups = None, rows.groups()
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
            of_models, is_paired, groups, name, is_score, target, rows["example"].labels
        )
    return scores_by_name


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
