"""Long tables with a row for each model, run and example, as arrays."""

from typing import NamedTuple

import numpy as np

from .._sources._compare_table import rows_by_cell
from .._sources._given_predictions import check_target
from .._sources._tables import (
    as_columns,
    as_labels,
    as_numbers,
    as_shares,
    check_column,
    encode,
    value_column,
)
from .._splits._groups import checked_groups
from .._validation import ONE_MODEL, invalid, invalid_words


class Scores(NamedTuple):
    """Scores, losses or predictions of models, {model: (n_runs, n_examples, ...)}."""

    values: dict
    is_paired: bool
    groups: np.ndarray | None
    name: str
    is_score: bool
    y_true: object = None


def scores_of_table(table, names, given):
    """Return {column: Scores} of a long table."""
    columns = as_columns(table)
    names = {p: check_column(p, name, columns) for p, name in names.items()}
    read, is_score = _value_columns(columns, given)
    keys = {
        parameter: encode(name, columns[name], are_names=parameter == "model")
        for parameter, name in names.items()
        if name is not None
    }
    if len(keys["model"]) < 2:
        shown = f"{len(keys['model'])}: {', '.join(keys['model'].labels)}"
        raise invalid_words(
            names["model"], "at least two models", shown, hint=ONE_MODEL
        )
    for name in ("example", "run"):  # so that the order of rows does not matter
        if name in keys:
            keys[name] = keys[name].by_number(or_name=True)
    cells, sets = _cells_of(keys)
    target, groups = None, None
    if given["y_true"] is not None:
        target = _target_column(given["y_true"], columns, keys["example"])
    if "group" in keys:
        groups = _groups_of(keys)
    found = {}
    for name, values in read.items():
        of_models = {
            model: values[rows].reshape(n_runs, -1)
            for model, (rows, n_runs) in cells.items()
        }
        found[name] = Scores(of_models, len(sets) == 1, groups, name, is_score, target)
    return found


def _value_columns(columns, given):
    """Return {column: values of all rows}, and whether they are scores."""
    is_score = given["loss"] is None
    asked = given["score"] if is_score else given["loss"]
    names = asked if isinstance(asked, list) else [None]
    if not names or len(set(map(str, names))) < len(names):
        parameter = "score" if is_score else "loss"
        raise invalid(parameter, "a column, or a list of different ones", asked)
    read = {}
    for one in names:
        score, loss = given["score"], given["loss"]
        if one is not None:
            score, loss = (one, None) if is_score else (None, one)
        name, is_score = value_column(score, loss, columns)
        if given["y_true"] is not None:
            read[name] = as_labels(columns[name])
            continue
        read[name] = as_shares(
            f"table[{name!r}]",
            as_numbers(name, columns[name]),
            name,
            is_score=is_score,
            percent=given["percent"],
        )
    return read, is_score


def _target_column(name, columns, example):
    """Return the target of each example, which is the same in all of its rows."""
    name = check_column("y_true", name, columns)
    labels = as_labels(columns[name])
    return check_target(example.one_each(labels, "y_true", "be one target"))


def _cells_of(keys):
    """Return {model: (rows by run and example, n_runs)}, and the sets of runs."""
    model, example = keys["model"], keys["example"]
    runs = keys["run"].codes if "run" in keys else np.zeros_like(model.codes)
    every, own = np.arange(len(example)), []

    def expected(rows):
        own.append(np.unique(runs[rows]))
        return np.add.outer(own[-1] * len(example), every).ravel()

    def wrong(found, name, cells):
        run, which = divmod(int(cells[0]), len(example))
        where, unit = f"example {example.labels[which]}", "model and example"
        if "run" in keys:
            where = f"run {keys['run'].labels[run]}, {where}"
            unit = "model, run and example"
        also = f" ({len(cells)} such cells)" if len(cells) > 1 else ""
        is_run = found == "several" and "run" not in keys
        hint = " If these are several runs, name their column in `run`." * is_run
        return ValueError(
            f"`scores` must have one row for each {unit}; got {found} of {name!r} for "
            f"{where}{also}.{hint}"
        )

    cell = runs * len(example) + example.codes
    rows = rows_by_cell(model, cell, expected, wrong)
    of_models = zip(model.labels, rows, own, strict=True)
    cells = {name: (of_model, len(of_runs)) for name, of_model, of_runs in of_models}
    return cells, {tuple(of_runs.tolist()) for of_runs in own}


def _groups_of(keys):
    """Return the group of each example."""
    group, example = keys["group"].by_number(or_name=True), keys["example"]
    return checked_groups(example.one_each(group.codes, "scores", "have one group"))
