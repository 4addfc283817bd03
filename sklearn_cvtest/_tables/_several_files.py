"""One table of one file or several, of tools that write a file for each model."""

import os

import numpy as np

from .._validation import check_option
from ._column_names import ROLES
from ._column_types import distinct
from ._read_files import read_file
from ._table_columns import as_columns, check_column, plain_name, with_points


def read_files(paths, separator=None, decimal=None, ignored=()):
    """Return the columns of files, one below the other.

    Where no file has a column of models, or all have the same model, a model is called
    as its file is, without what all files have in common.

    Parameters
    ----------
    paths : list of str
        The files.
    separator : {",", ";", "\\t", "|"}, default=None
        What separates the columns of a CSV file; None: the one that its header has.
    decimal : {".", ","}, default=None
        What separates decimals; None: as some number tells.
    ignored : list of str
        Columns to leave out.

    Returns
    -------
    columns : dict of str to list
        The columns.
    """
    check_option("decimal", decimal, (None, ".", ","))
    tables = [
        with_points(as_columns(read_file(path, separator)), decimal) for path in paths
    ]
    for table in tables:
        for name in ignored:
            table.pop(check_column("ignore", name, table))
    is_of_one_model = plain_name(str(next(iter(tables[0]), ""))) == "resamples:"
    if len(tables) == 1 and not is_of_one_model:
        return tables[0]
    models = [_only_model(table) for table in tables]
    if len(set(models)) < len(models) or is_of_one_model:
        if any(model is None for model in models) and not _have_no_models(tables):
            return _joined(tables)
        for table, name in zip(tables, _names_of(paths), strict=True):
            table["model"] = [name] * len(next(iter(table.values())))
    return _joined(tables)


def _column_of_models(table):
    return next(
        (name for name in table if plain_name(str(name)) in ROLES["model"]), None
    )


def _have_no_models(tables):
    return all(_column_of_models(table) is None for table in tables)


def _only_model(table):
    """Return the only model of a table, None of none or several."""
    column = _column_of_models(table)
    models = set(map(str, distinct(table[column]))) if column is not None else set()
    return models.pop() if len(models) == 1 else None


def _names_of(paths):
    """Return what differs between the names of files, and of folders if need be."""
    names = [os.path.basename(path).partition(".")[0] for path in paths]
    if len(set(names)) < len(names):
        names = [os.path.basename(os.path.dirname(os.path.abspath(p))) for p in paths]
    if len(set(names)) < len(names):
        return [os.path.splitext(path)[0] for path in paths]
    words = [name.split("_") for name in names]
    return ["_".join(different) for different in _without_common_ends(words)]


def _without_common_ends(words):
    """Return names, lists of words, without the first and last ones that all share."""
    if len(words) < 2:
        return words
    for end in (0, -1):
        while min(map(len, words)) > 1 and len({name[end] for name in words}) == 1:
            words = [name[1:] if end == 0 else name[:-1] for name in words]
    return words


def _cells(table, name):
    """Return the cells of a column, None for each row if it is not there."""
    column = table.get(name, [None] * len(next(iter(table.values()))))
    return column.tolist() if isinstance(column, np.ndarray) else column


def _joined(tables):
    """Return tables below each other; a column that one lacks is empty there."""
    columns = {}
    for name in dict.fromkeys(name for table in tables for name in table):
        columns[name] = [cell for table in tables for cell in _cells(table, name)]
    return columns
