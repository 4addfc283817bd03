"""A table in any layout as long rows, with a value for each model and unit."""

import re
from typing import NamedTuple

import numpy as np

from .._cells import NO_MODEL, as_numbers, is_summary, plain_name
from .._compat import import_extra
from .._metric_names import as_losses, metric_named
from .._metrics import Metric
from .._questions import TableError
from .layouts import PARTS, header_of

FAR = 30  # times the others, as no score of a model is


class LongRows(NamedTuple):
    """Rows with a column for each role and the column "loss".

    Attributes
    ----------
    frame : DataFrame
    metric : Metric
    notes : list of str
        What was left out.
    """

    frame: object
    metric: Metric
    notes: list


def long_rows(frame, match, typed, files):
    """Return the LongRows of a frame that has a layout.

    Parameters
    ----------
    frame : pandas.DataFrame
        A table of texts.
    match : Match
        Its layout.
    typed : dict
        Options of a user: `score` or `loss` names the metric, or the column.
    files : list of str
        Names of files, which may end in that of a metric.
    """
    layout, roles = match.layout, match.roles
    free = [c for c in roles if c in frame and c not in roles.values()]
    rows = frame.drop(columns=free)  # which have the name of a role, but not its place
    for role, column in roles.items():
        rows[role] = frame[column]
    rows = rows.drop(columns=[c for c in roles.values() if c not in roles])
    if layout.name == "the WEKA Experimenter":
        rows["model"] = _schemes(rows)
    notes = notes_on_columns(match)
    name = typed.get("score") or typed.get("loss")
    if "metric" in roles:
        name, rows = _rows_of_metric(rows, name)
    if layout.spread:
        rows, of_headers = _melted(rows, match, name, typed)
        name = of_headers or name or _metric_of_files(files)
    else:
        column = _value_column(match, name, rows, typed)
        name = name if "metric" in roles else column
        rows["value"] = as_numbers(rows[column], typed.get("decimal"))
    if name is None:
        question = (
            f"The layout is {layout.name}. Is a greater number better (--loss if not)?"
        )
        raise TableError(question, score="score")
    rows, summaries = _without_summaries(rows, [*layout.needs, layout.spread])
    _refuse_parts(rows)
    metric = metric_named(name, _direction(layout, typed))
    if metric is None:
        text = f"Is a greater {name!r} better (--loss if not)?"
        raise TableError(text, score=name)
    losses, metric = as_losses(rows["value"].to_numpy(), metric)
    rows = rows.assign(loss=losses)
    return LongRows(rows, metric, [*notes, *summaries])


def _direction(layout, typed):
    """Return whether values are scores, None if nobody says it."""
    if typed.get("score") or typed.get("loss"):
        return typed.get("loss") is None
    return layout.is_score


def notes_on_columns(match):
    """Return which columns of numbers are neither models nor values."""
    if not match.layout.spread or match.layout.values or not match.left_out:
        return []
    return [f"no model: {', '.join(match.left_out)}"]


def _schemes(rows):
    """Return WEKA's schemes with their options."""
    names = rows["model"].str.removeprefix("weka.classifiers.")
    if "options" in rows:
        names += " " + rows["options"].str.strip("'")
    return names.str.strip()


def _rows_of_metric(rows, name):
    """Return the metric of a table with several, one in each row, and its rows."""
    names = list(dict.fromkeys(rows["metric"]))
    if len(names) == 1:
        return names[0], rows
    if name not in names:
        raise _which_metric(names)
    return name, rows[rows["metric"] == name]


def _which_metric(names):
    """Return the question by which of several metrics models are compared."""
    names = [name for name in names if not NO_MODEL.fullmatch(plain_name(name))]
    metric = metric_named(names[0])
    role = "score" if metric is None or metric.is_score else "loss"
    return TableError(f"By which of {', '.join(names)}?", **{role: names[0]})


def _value_column(match, name, rows, typed):
    """Return the column of values of a long table."""
    columns = [column for column in match.values if column in rows]
    if name in rows:
        return name
    same = [c for c in columns if name and plain_name(c) == plain_name(name)]
    if len(same) == 1:
        return same[0]
    if match.layout.values:
        order = match.layout.values.split("|")
        columns.sort(key=lambda c: order.index(plain_name(c)) if len(order) > 1 else 0)
        return columns[0]
    varying = [c for c in columns if rows[c].nunique() > 1] or columns
    named = [c for c in varying if metric_named(c) is not None]
    candidates = named or varying
    if name is not None or len(candidates) > 1:
        metric = metric_named(candidates[0])
        role = "loss" if metric is not None and not metric.is_score else "score"
        answer = {"score": None, "loss": None} | {role: candidates[0]}
        raise TableError(f"Which of {', '.join(candidates)} is compared?", **answer)
    return candidates[0]


def _melted(rows, match, name, typed):
    """Return a row for each value of columns that are spread, and their metric."""
    layout = match.layout
    keys = {column: column for column in match.values}
    models = {}
    metrics = {column: None for column in match.values}
    if layout.values:
        pattern = re.compile(layout.values)
        for column in match.values:
            groups = pattern.fullmatch(header_of(column)).groupdict()
            keys[column] = groups["key"]
            metrics[column] = groups.get("metric")
            if "model" in groups:
                models[column] = groups["model"]
    names = list(dict.fromkeys(metrics.values()))
    metric = names[0]
    if len(names) > 1:
        metric = next((m for m in names if m == (name and plain_name(name))), None)
        if metric is None:
            raise _which_metric(names)
    columns = [column for column in match.values if metrics[column] == metric]
    others = rows.columns.difference(match.values, sort=False)
    rows = rows.drop(columns=[layout.spread], errors="ignore")
    melted = rows.reset_index(names="row").melt(
        id_vars=["row", *(column for column in others if column in rows)],
        value_vars=columns,
        var_name=layout.spread,
    )
    melted = melted.set_index("row")
    is_model = layout.spread == "model"
    headers = melted[layout.spread] if is_model else None
    values = as_numbers(melted["value"], typed.get("decimal"), headers)
    if is_model and not typed.get("ignore"):
        _ask_of_numbers(columns)
        _ask_of_columns(columns, values.reshape(len(columns), -1).T)
    melted["value"] = values
    if models:
        melted["model"] = melted[layout.spread].map(models)
    melted[layout.spread] = melted[layout.spread].map(keys)
    return melted, metric


def _ask_of_numbers(names):
    """Ask of columns that are numbered, as folds of one model are."""
    if all(str(name).strip().isdecimal() for name in names):
        raise TableError(
            f"The columns {', '.join(map(str, names))} are numbered, as folds or runs "
            "of one model are, which cannot be compared alone. Name the files of all "
            "models, or write names of models into the header (--ignore NONE if the "
            "numbers are models)"
        )


def _ask_of_columns(names, values):
    """Ask of columns of models that are constant, or far from all others."""
    values = np.abs(values)
    if len(values) < 3 or values.shape[1] < 3:
        return
    for place, name in enumerate(names):
        others = np.nanmedian(np.delete(values, place, axis=1), axis=1)
        with np.errstate(divide="ignore", invalid="ignore"):
            factor = np.nanmedian(values[:, place] / others)
        reason = ""
        if np.ptp(values[:, place]) == 0:
            reason = "has the same number in every row"
        elif not 1 / FAR < factor < FAR:
            reason = "is far from all other columns"
        if reason:
            text = f"{name!r} {reason}. If it is no model (--ignore NONE if it is)"
            raise TableError(text, ignore=name)


def _metric_of_files(files):
    """Return the metric by which the names of all files end, else None."""
    ends = {file.split(".")[0].rpartition("_")[2] for file in files}
    if len(ends) == 1 and metric_named(end := ends.pop()) is not None:
        return end
    return None


def _without_summaries(rows, roles):
    """Return rows without those that are called as summaries, and who they are."""
    notes = []
    for role in ("dataset", "fold", "model", "run"):
        if role not in roles or role not in rows:
            continue
        labels = rows[role].drop_duplicates()
        summaries = [label for label in labels if is_summary(label)]
        if summaries:
            notes.append(f"no {role}: {', '.join(summaries)}")
            rows = rows[~rows[role].isin(summaries)]
    return rows, notes


def _refuse_parts(rows):
    """Raise where what is called data sets, or folds, are parts of one."""
    for role in ("dataset", "fold", "run"):
        if role not in rows:
            continue
        labels = {plain_name(label) for label in rows[role].unique()}
        if labels <= PARTS:
            text = f"{', '.join(sorted(labels))} are parts of one data set"
            number = "One number for each model cannot be tested"
            bring = "bring the score of each fold, run or example"
            raise TableError(f"{text}. {number}: {bring}")


def pivot(rows, unit_roles):
    """Return models, units and losses (n_units, n_models), nan where there is none.

    Parameters
    ----------
    unit_roles : list of str
        The roles that say what a unit is.

    Returns
    -------
    names : tuple of str
        The models.
    units : pandas.DataFrame
        A row for each unit, in the order of the roles, numbers by size.
    losses, counts : ndarray of shape (n_units, n_models)
        Means of rows, and how many there are.
    """
    pd = import_extra("pandas")

    columns, names = pd.factorize(rows["model"])
    codes, labels = zip(*(_encode(rows[role]) for role in unit_roles), strict=True)
    sizes = tuple(map(len, labels))
    cells, codes = np.unique(np.ravel_multi_index(codes, sizes), return_inverse=True)
    places = np.unravel_index(cells, sizes)
    units = {
        role: of_role[place]
        for role, of_role, place in zip(unit_roles, labels, places, strict=True)
    }
    shape = len(cells), len(names)
    cell = codes * len(names) + columns
    counts = np.bincount(cell, minlength=shape[0] * shape[1])
    sums = np.bincount(cell, rows["loss"], minlength=len(counts))
    with np.errstate(invalid="ignore"):
        losses = (sums / counts).reshape(shape)
    return tuple(map(str, names)), pd.DataFrame(units), losses, counts.reshape(shape)


def _encode(column):
    """Return the codes and the labels of a column, of which 10 comes after 9."""
    pd = import_extra("pandas")

    codes, labels = pd.factorize(column)
    numbers = pd.to_numeric(pd.Series(labels), errors="coerce").to_numpy()
    values, place = np.unique(numbers, return_inverse=True)
    if len(values) < len(labels) or np.isnan(values[-1]):
        values, place = np.unique(np.asarray(labels, dtype=str), return_inverse=True)
    return place[codes], values
