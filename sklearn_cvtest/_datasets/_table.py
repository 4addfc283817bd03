"""Tables of one number for each data set and model, as benchmarks are published."""

import numpy as np

from .._data._cvlosses import CVLosses
from .._sources._files import NUMBER
from .._sources._tables import (
    as_numbers,
    as_shares,
    check_column,
    encode,
    is_hole,
    range_of,
    value_column,
)
from .._splits._design import Design
from .._splits._layout import SplitLayout
from .._validation import check_named, invalid, invalid_words, one_line


def is_benchmark(columns, *, fold="fold", example=None, **_):
    """Whether a table has neither folds nor examples, so that a row is a data set."""
    if example is not None:
        return False
    try:
        return check_column("fold", fold, columns) is None
    except ValueError:
        if fold != "fold":
            raise
        return True


def benchmark_losses(
    table,
    columns,
    *,
    model="model",
    dataset="dataset",
    score=None,
    loss=None,
    percent=False,
    fold=None,
    **others,
):
    """Return the losses on each data set: of one split that nothing is known of.

    Parameters
    ----------
    table : dataframe, dict or path
        The table, for the labels of its rows.
    columns : dict of str to list
        Its columns: data sets, models and values; or data sets, and one column for
        each model.
    model, dataset, score, loss, percent, fold, **others : object
        As in :func:`compare_table`; others have no meaning here.

    Returns
    -------
    losses : dict of str to CVLosses
        By data set, without the models that have no number there.
    """
    for name, value in others.items():
        hint = "There is one number for each data set and model."
        raise invalid(name, "left out", value, TypeError, hint)
    if _has(model, columns):
        names, values, name, is_score = _of_long(columns, model, dataset, score, loss)
    else:
        names, values = _of_wide(table, columns, dataset)
        name, is_score = _named_value(score, loss)
    datasets, models = names
    known = np.isfinite(values)
    shares = as_shares("table", values, name, is_score=is_score, percent=percent)
    found, sign = {}, -1.0 if is_score else 1.0
    for row in np.flatnonzero(known.any(axis=1)):
        found[datasets[row]] = CVLosses.of_blocks(
            [models[column] for column in np.flatnonzero(known[row])],
            sign * shares[row : row + 1, known[row]],
            SplitLayout(Design("other", 1)),
            loss_name=name,
            is_score=is_score,
            value_range=range_of(name, shares[row, known[row]], is_score=is_score),
        )
    hint = "One says nothing about others."
    check_named("results", found, "of at least two data sets", hint)
    return found


def _has(name, columns):
    try:
        return check_column("model", name, columns) is not None
    except ValueError:
        if name != "model":
            raise
        return False


def _of_long(columns, model, dataset, score, loss):
    """Return the names of data sets and models, the values (D, E), and what they are.

    A pair without a row, or with an empty cell, has nan.
    """
    model = check_column("model", model, columns)
    dataset = check_column("dataset", dataset, columns)
    value, is_score = value_column(score, loss, columns)
    of_rows = [encode(name, columns[name], are_names=True) for name in (dataset, model)]
    values = np.full([len(codes) for codes in of_rows], np.nan)
    cells = of_rows[0].codes, of_rows[1].codes
    if len(set(zip(*cells, strict=True))) < len(cells[0]):
        raise ValueError(
            "`table` must have one row for each data set and model; got several. If "
            "rows are folds, name their column in `fold`."
        )
    values[cells] = _with_holes(value, columns[value])
    return [codes.labels for codes in of_rows], values, value, is_score


def _of_wide(table, columns, dataset):
    """Return the names of data sets and models, and the values (D, E)."""
    columns, labels = dict(columns), _row_labels(table)
    texts = [name for name in columns if not _are_numbers(columns[name])]
    if dataset in columns or dataset != "dataset":
        texts = [check_column("dataset", dataset, columns)]
    if len(texts) == 1:
        (name,) = texts
        labels = encode(name, columns.pop(name), are_names=True)
        if len(labels) < len(labels.codes):
            allowed = "a column with another data set in each row"
            raise invalid_words("dataset", allowed, f"{name!r}")
        labels = labels.labels
    elif texts or labels is None:
        allowed = "the column with the names of the data sets"
        raise invalid_words("dataset", allowed, ", ".join(map(repr, columns)))
    values = [_with_holes(name, column) for name, column in columns.items()]
    return (labels, [str(name) for name in columns]), np.column_stack(values)


def _row_labels(table):
    """Return the labels that a data frame has for its rows, None without any."""
    index = getattr(table, "index", None)
    if index is None or callable(index) or type(index).__name__ == "RangeIndex":
        return None
    labels = encode("index", list(index), are_names=True)
    return labels.labels if len(labels) == len(labels.codes) else None


def _are_numbers(column):
    return all(is_hole(cell) or NUMBER.fullmatch(str(cell)) for cell in column)


def _with_holes(name, column):
    """Return a column as numbers, nan where a cell is empty."""
    known = np.array([not is_hole(cell) for cell in column])
    values = np.full(len(known), np.nan)
    filled = [cell for cell, is_there in zip(column, known, strict=True) if is_there]
    values[known] = as_numbers(name, filled) if filled else []
    return values


def _named_value(score, loss):
    """Return what the numbers of a table without such a column are called."""
    if (score is None) == (loss is None):
        allowed = "the name of what the numbers are, such as 'accuracy'"
        got = "both" if score is not None else "neither"
        hint = "Greater is better for a `score`, smaller for a `loss`."
        raise invalid_words("score` or `loss", allowed, got, hint=hint)
    name = loss if score is None else score
    if not isinstance(name, str) or not name:
        raise invalid("score", "a name such as 'accuracy'", name, TypeError)
    return one_line(name), loss is None
