"""A table as a long one with known roles: what each function that compares is given."""

import re
from typing import NamedTuple

import numpy as np

from .._losses._names import is_bounded_by_one
from ._columns import (
    MEAN_WITH_DEVIATION,
    as_numbers,
    check_column,
    is_hole,
    plain_name,
)
from ._layouts import (
    CANDIDATES,
    DATASETS,
    EXAMPLES,
    FOLDS,
    PREDICTIONS,
    RUNS,
    SINGLE,
)
from ._names import direction_of, direction_of_metric, is_summary, metric_of
from ._recognise import recognise
from ._unclear import UnclearTableError

MOST_FOLDS = 10  # of one cross-validation; more are likely to be of several
PARTS_OF_DATA = {"train", "test", "val", "valid", "validation", "dev", "eval"}
MOST_APART = 30  # by what factor the numbers of models may differ within a row
ROLES_WITH_SUMMARIES = ("dataset", "repeat", "fold", "run")


class Reading(NamedTuple):
    """What a table says, and what was left out of it.

    Attributes
    ----------
    layout : Layout
        The layout that was taken.
    columns : dict of str to sequence
        The columns, a row for each value; of candidates and predictions as they are.
    roles : dict of str to str
        The column of each role, such as "model"; "score" or "loss" of the values.
    percent : bool
        Whether the values are in percent.
    left_out : tuple of str
        Rows and columns that were left out, as they are called.
    named : dict of str to str
        The column of each role, as it is called in the file.
    cv : int or None
        The number of folds, where the layout says that they are of one cross-validation.
    """

    layout: object
    columns: dict
    roles: dict
    percent: bool = False
    left_out: tuple = ()
    named: dict = {}  # noqa: RUF012, never changed
    cv: int | None = None

    @property
    def unit(self):
        """What there is a value of, for each model."""
        return self.layout.unit

    @property
    def value(self):
        """The column of values."""
        return self.roles.get("score") or self.roles.get("loss")


def read_layout(columns, given, *, percent=False, is_wide=False, is_designed=False):
    """Return the Reading of a table.

    Parameters
    ----------
    columns : dict of str to sequence
        The columns.
    given : dict of str to str or None
        The column of each role that the user named; for a table whose values have no
        name, "score" or "loss" is what they are called.
    percent : bool, default=False
        Whether the user says that scores are in percent.
    is_wide : bool, default=False
        Whether the user says that each model has a column.
    is_designed : bool, default=False
        Whether the user says how the splits were made.

    Returns
    -------
    reading : Reading
        The table with its roles.

    Raises
    ------
    UnclearTableError
        If something has to be asked.
    """
    given = {role: name for role, name in given.items() if name is not None}
    named = {role: name for role, name in given.items() if role not in ("score", "loss")}
    named = {role: check_column(role, name, columns) for role, name in named.items()}
    named |= _named_values(given, columns)
    if is_wide and is_designed and not named.keys() - {"score", "loss"}:
        columns = _numbered_rows(columns)
    fit = recognise(columns, named, is_wide)
    layout, roles = fit.layout, dict(fit.roles)
    if layout.unit == SINGLE:
        raise UnclearTableError(f"{layout.bring}.")
    if layout.unit == PREDICTIONS:
        roles |= {role: given[role] for role in ("score", "loss") if role in given}
        return Reading(layout, columns, roles, named=roles)
    columns, left_out = without_summaries(columns, roles)
    if layout.unit == CANDIDATES:
        roles = _metric_of_search(fit, roles, given)
        return Reading(layout, columns, roles, named=roles)
    if layout.spread:
        left_out += [str(name) for name in columns if is_summary(name)]
        columns, roles = _long(columns, fit, roles, given, is_wide)
    else:
        roles |= _one_value(fit, columns, given)
    named = _named(fit, roles)
    columns, roles = _with_names(columns, roles)
    if layout.is_numbered:
        columns, roles = _with_numbers(columns, roles)
    columns = _means_of(layout, columns, roles)
    if layout.unit == FOLDS and "dataset" in roles:
        if len(set(columns[roles["dataset"]])) == 1:
            del roles["dataset"]
    if layout.unit == FOLDS and "dataset" in roles:
        columns, failed = _without_failures(columns, roles)
        left_out += failed
    if layout.unit == FOLDS and "run" in roles:
        for columns_of_roles in (roles, named):  # repeats of the folds
            columns_of_roles["repeat"] = columns_of_roles.pop("run")
    _check_rows(layout, columns, roles, is_designed or layout.is_one_cv)
    cv = len(set(columns[roles["fold"]])) if layout.is_one_cv else None
    reading = Reading(
        layout, columns, roles, left_out=tuple(left_out), named=named, cv=cv
    )
    return _in_shares(reading, fit, percent)


def read_for(units, columns, names, defaults, is_designed=False):
    """Return the Reading of a table for a function, which takes certain units.

    Parameters
    ----------
    units : tuple of str
        What there may be a value of, for each model.
    columns : dict of str to sequence
        The columns.
    names : dict of str to str or None
        The column of each role, as the function was called.
    defaults : dict of str to str
        What columns are called by default: those that are not there were not named.
    is_designed : bool, default=False
        Whether the splits are known otherwise.

    Returns
    -------
    reading : Reading or None
        None if all columns are there that the function needs.
    """
    has_value = any(names.get(role) for role in ("score", "loss")) or any(
        _is_column(role, columns) for role in ("score", "loss")
    )
    absent = [
        role
        for role, name in defaults.items()
        if names[role] == name and not _is_column(name, columns)
    ]
    if has_value and not absent:
        return None
    given = {role: name for role, name in names.items() if role not in absent}
    given = {role: name for role, name in given.items() if isinstance(name, str)}
    reading = read_layout(columns, given, is_designed=is_designed)
    if reading.unit not in units:
        raise ValueError(
            f"`table` has another layout, {reading.layout.name}: use "
            f"{_call_for(reading, names)}, which takes it."
        )
    return reading


def _is_column(name, columns):
    """Whether a column is called so, but for capitals and blanks."""
    return any(plain_name(str(column)) == plain_name(name) for column in columns)


def _call_for(reading, names):
    """Return the call that takes a table of a layout; repeats of no folds are runs."""
    roles = dict(reading.roles)
    if reading.unit == EXAMPLES and names.get("repeat"):
        roles["run"] = names["repeat"]
    named = {
        role: name
        for role, name in roles.items()
        if (role != name or role == "score")
        and role in ("model", "dataset", "example", "run", "score", "loss")
    }
    options = "".join(f", {role}={name!r}" for role, name in named.items())
    if reading.unit in (RUNS, EXAMPLES):
        return f"compare_scores(table{options})"
    if reading.unit == PREDICTIONS:
        return "compare_predictions(y_true, predictions)"
    if reading.unit == CANDIDATES:
        return "compare_candidates(results, cv=...)"
    if reading.unit == FOLDS:
        return f"compare_table(table{options})"
    return f"compare_over_datasets(table{options})"


def _named(fit, roles):
    """Return the columns of roles that are columns of the file."""
    columns = {*fit.roles.values(), *fit.values}
    return {role: name for role, name in roles.items() if name in columns}


def _named_values(given, columns):
    """Return {"score" or "loss": column} where the user names a column of the table."""
    for role in ("score", "loss"):
        if role in given:
            try:
                return {role: check_column(role, given[role], columns)}
            except ValueError:  # what the values of a wide table are called
                return {role: given[role]}
    return {}


def _numbered_rows(columns):
    """Return columns with the number of each row as its fold."""
    n_rows = len(next(iter(columns.values())))
    return {"fold": list(range(n_rows)), **columns}


# Rows that are no folds -------------------------------------------------------------


def without_summaries(columns, roles):
    """Return columns without rows called "mean", "std" and so on, and their names."""
    left_out, keep = {}, None
    for role in ROLES_WITH_SUMMARIES:
        if role not in roles:
            continue
        cells = columns[roles[role]]
        summaries = {cell for cell in set(cells) if is_summary(cell)}
        if summaries and len(summaries) < len(set(cells)):
            left_out |= dict.fromkeys(f"row {cell}" for cell in sorted(map(str, summaries)))
            of_role = np.array([cell not in summaries for cell in cells])
            keep = of_role if keep is None else keep & of_role
    if keep is None:
        return columns, []
    rows = np.flatnonzero(keep).tolist()
    columns = {name: [cells[row] for row in rows] for name, cells in columns.items()}
    return columns, list(left_out)


# Values -----------------------------------------------------------------------------


def _one_value(fit, columns, given):
    """Return {"score" or "loss": the column of values} of a long table."""
    if not fit.values:
        raise UnclearTableError("No column of the table holds numbers to compare.")
    for role in ("score", "loss"):
        if role in given:
            return {role: check_column(role, given[role], columns)}
    if len(fit.values) > 1:
        raise _several_values(fit.values)
    (name,) = fit.values
    direction = fit.layout.direction or direction_of(name)
    if fit.layout.direction and "metric" in columns:
        _check_signs(columns, name)
    if direction is None:
        raise UnclearTableError(
            f"Is a greater {name!r} better?",
            ({"score": name}, ", if greater is better"),
            ({"loss": name}, ", if smaller is better"),
        )
    return {direction: name}


def _several_values(names):
    """Return the error for several columns of which one has to be chosen."""
    answers = []
    for name in names[:3]:
        direction = direction_of(name)
        answers.append(({direction or "score": name}, ""))
    listed = ", ".join(map(repr, names))
    return UnclearTableError(f"By which of the columns {listed}?", *answers)


def _check_signs(columns, name):
    """Refuse results that are said to be scores and of a metric that is a loss."""
    metrics = {str(cell) for cell in columns["metric"] if not is_hole(cell)}
    losses = sorted(m for m in metrics if direction_of_metric(m.lower()) == "loss")
    values = [float(cell) for cell in columns[name] if not is_hole(cell)]
    if losses and max(values, default=0) > 0 and len(losses) == len(metrics):
        raise UnclearTableError(
            f"Is a greater {name!r} better, of the metric {losses[0]!r}?",
            ({"score": name}, ", if greater is better"),
            ({"loss": name}, ", if smaller is better"),
        )


def _metric_of_search(fit, roles, given):
    """Return roles with the metric of a search, which must be one."""
    metrics = sorted({_header(fit.layout, name)["metric"] for name in fit.values})
    chosen = given.get("score") or given.get("loss")
    if len(metrics) > 1 and chosen not in metrics:
        raise _several_values(metrics)
    return roles | {"score": chosen or metrics[0]}


def _header(layout, name):
    """Return the groups of the pattern in the name of a column of values."""
    match = re.fullmatch(layout.values, plain_name(str(name)))
    groups = match.groupdict() if match else {}
    metric = groups.get("metric")
    if metric is not None:  # as it is written
        groups["metric"] = _as_written(metric, str(name))
    return groups


def _as_written(part, name):
    """Return a part of a name with its capitals."""
    start = plain_name(name).find(part)
    return name.strip()[start : start + len(part)] if start >= 0 else part


# Wide tables as long ones -----------------------------------------------------------


def _long(columns, fit, roles, given, is_wide):
    """Return a table whose values are spread over columns as a long one."""
    layout, values = fit.layout, fit.values
    if layout.values:
        metric, values = _metric_of_headers(layout, values, given)
        keys = [_header(layout, name)["key"] for name in values]
    else:
        metric, keys = None, [str(name) for name in values]
    direction, name = _direction_of_values(layout, metric, given, values)
    numbers = [_with_holes(column, columns[column]) for column in values]
    if layout.spread == "model" and not is_wide:
        _check_models(values, numbers)
    others = {role: column for role, column in roles.items() if role != layout.spread}
    long = {column: _repeated(columns[column], len(values)) for column in others.values()}
    n_rows = len(numbers[0])
    long[layout.spread] = [key for key in keys for _ in range(n_rows)]
    name = name if name not in long else f"{name} "
    long[name] = [cell for column in numbers for cell in column]
    return long, {**others, layout.spread: layout.spread, direction: name}


def _repeated(cells, times):
    return list(cells) * times


def _metric_of_headers(layout, values, given):
    """Return the metric that headers name, None of none, and its columns."""
    by_metric = {}
    for name in values:
        by_metric.setdefault(_header(layout, name).get("metric"), []).append(name)
    chosen = given.get("score") or given.get("loss")
    if len(by_metric) == 1:
        return next(iter(by_metric.items()))
    for metric, of_metric in by_metric.items():
        if metric is not None and chosen == metric:
            return metric, of_metric
    raise _several_values([metric for metric in by_metric if metric is not None])


def _direction_of_values(layout, metric, given, values):
    """Return "score" or "loss" of values that headers or the user name, and the name."""
    for role in ("score", "loss"):
        if role in given:
            return role, given[role]
    direction = direction_of(metric) if metric else None
    if direction:
        return direction, metric
    shown = ", ".join(map(repr, values[:3])) + ", ..." * (len(values) > 3)
    raise UnclearTableError(
        f"What are the numbers in the columns {shown}, and is greater better?",
        ({"score": "accuracy"}, " (or another name), if greater is better"),
        ({"loss": "error"}, ", if smaller is better"),
    )


def _with_holes(name, cells):
    """Return cells as numbers, nan where one is empty, the mean of "68.4 (7.1)"."""
    cells = [np.nan if is_hole(cell) else cell for cell in cells]
    means = [
        MEAN_WITH_DEVIATION.fullmatch(cell) if isinstance(cell, str) else None
        for cell in cells
    ]
    cells = [match[1] if match else cell for match, cell in zip(means, cells, strict=True)]
    is_known = [cell == cell for cell in cells]
    known = as_numbers(name, [cell for cell in cells if cell == cell])
    numbers = np.full(len(cells), np.nan)
    numbers[np.array(is_known)] = known
    return numbers.tolist()


def _check_models(names, numbers):
    """Ask about columns whose numbers are far from those of the others in each row."""
    sizes = np.abs(np.array(numbers, dtype=np.float64))
    with np.errstate(all="ignore"):
        typical = np.array([_median(row) for row in sizes.T])
        apart = np.array([_median(column / typical) for column in sizes])
    far = [
        name
        for name, factor in zip(names, apart, strict=True)
        if factor > MOST_APART or factor * MOST_APART < 1
    ]
    if far:
        listed = ", ".join(map(repr, far))
        raise UnclearTableError(
            f"Are all columns models? The numbers in {listed} are far from the others. "
            "Leave out what is no model.",
            ({"ignore": far[0]}, ""),
            ({"wide": True}, ", if all are models"),
        )


def _median(values):
    """Return the median of the numbers that are finite and above 0, 1 if none is."""
    values = values[np.isfinite(values) & (values > 0)]
    return np.median(values) if len(values) else 1.0


# Models, folds and means ------------------------------------------------------------


def _with_names(columns, roles):
    """Return columns in which a scheme of WEKA and its options are one name."""
    if "options" not in roles:
        return columns, roles
    pairs = zip(columns[roles["model"]], columns[roles["options"]], strict=True)
    names = [" ".join([_short(str(scheme)), _plain(options)]).strip() for scheme, options in pairs]
    others = {role: name for role, name in roles.items() if role != "options"}
    return columns | {roles["model"]: names}, others


def _short(scheme):
    """Return a scheme of WEKA as its Experimenter shows it, such as "trees.J48"."""
    return ".".join(scheme.split(".")[-2:])


def _plain(options):
    """Return options of WEKA without the quotes of ARFF."""
    return "" if is_hole(options) else str(options).strip().strip("'")


def _with_numbers(columns, roles):
    """Return columns with the number of each row among those of its model, as a fold."""
    counts, folds = {}, []
    keys = [columns[roles[role]] for role in ("dataset", "model") if role in roles]
    for key in zip(*keys, strict=True):
        folds.append(counts.get(key, 0))
        counts[key] = folds[-1] + 1
    return columns | {"fold": folds}, roles | {"fold": "fold"}


def _means_of(layout, columns, roles):
    """Return columns with the mean over folds or runs for each data set and model."""
    if not layout.summed:
        return columns
    role = "score" if "score" in roles else "loss"
    del roles[layout.summed]
    datasets, models = columns[roles["dataset"]], columns[roles["model"]]
    values = _with_holes(roles[role], columns[roles[role]])
    by_pair = {}
    for dataset, model, value in zip(datasets, models, values, strict=True):
        by_pair.setdefault((str(dataset), str(model)), []).append(value)
    means = [float(np.mean(of_pair)) for of_pair in by_pair.values()]
    datasets, models = zip(*by_pair, strict=True)
    named = {roles["dataset"]: list(datasets), roles["model"]: list(models)}
    return named | {roles[role]: [None if mean != mean else mean for mean in means]}


def _without_failures(columns, roles):
    """Return columns without models that have no score in some fold of a data set.

    They are left out on that data set, and are named.
    """
    role = "score" if "score" in roles else "loss"
    keys = [columns[roles[name]] for name in ("repeat", "run", "fold") if name in roles]
    cells = list(zip(*keys, strict=True))
    datasets, models = columns[roles["dataset"]], columns[roles["model"]]
    filled, every = {}, {}
    for row, cell in enumerate(cells):
        every.setdefault(datasets[row], set()).add(cell)
        if not is_hole(columns[roles[role]][row]):
            filled.setdefault((datasets[row], models[row]), set()).add(cell)
    pairs = dict.fromkeys((dataset, model) for dataset in every for model in models)
    failed = [pair for pair in pairs if filled.get(pair, set()) != every[pair[0]]]
    if not failed:
        return columns, []
    out = set(failed)
    pairs = zip(datasets, models, strict=True)
    rows = [row for row, pair in enumerate(pairs) if pair not in out]
    columns = {name: [of[row] for row in rows] for name, of in columns.items()}
    named = dict.fromkeys(model for _, model in failed)
    counts = {model: sum(pair[1] == model for pair in failed) for model in named}
    return columns, [f"{model} on {n} data sets (failed)" for model, n in counts.items()]


# What is asked ----------------------------------------------------------------------


def _check_rows(layout, columns, roles, is_designed):
    """Ask about folds that may be something else, and refuse what cannot be tested."""
    models = set(map(str, columns[roles["model"]]))
    if len(models) < 2:
        (model,) = models
        raise UnclearTableError(
            f"There is one model, {model!r}. Bring the results of another one on the "
            "same folds, runs, examples or data sets, in this file or as another one."
        )
    if layout.unit == DATASETS and len(set(columns[roles["dataset"]])) < 2:
        raise UnclearTableError(
            "There is one number for each model, which cannot be tested. Bring the "
            "score of each fold or run, of each test example, or of several data sets."
        )
    if layout.unit == RUNS and len(set(columns[roles["run"]])) < 2:
        raise UnclearTableError("There is one run of each model. Bring several.")
    if layout.unit == FOLDS:
        _check_folds(columns, roles, is_designed)


def _check_folds(columns, roles, is_designed):
    """Ask about folds that are parts of the data, or so many that they may be repeats."""
    column = roles["fold"]
    labels = {str(cell) for cell in columns[column]}
    parts = sorted(label for label in labels if label.lower() in PARTS_OF_DATA)
    if parts:
        raise UnclearTableError(
            f"The column {column!r} holds no folds but parts of the data, such as "
            f"{parts[0]!r}. Bring the scores of test sets alone, one for each fold."
        )
    if len(labels) < 2:
        raise UnclearTableError(
            f"There is one fold in the column {column!r}, and so one number for each "
            "model, which cannot be tested. Bring the score of each fold, run or example."
        )
    is_single = "repeat" not in roles and "run" not in roles
    is_sized = "n_train" in roles and "n_test" in roles
    if len(labels) <= MOST_FOLDS or not is_single or is_sized or is_designed:
        return
    n_folds = len(labels)
    answers = [({"cv": n_folds}, f", for one {n_folds}-fold cross-validation")]
    usual = next((k for k in (10, 5, 3, 2) if n_folds % k == 0 and n_folds > k), None)
    if usual:
        repeats = f"{n_folds // usual}x{usual}"
        answers.append(({"cv": repeats}, f", for {n_folds // usual} repeats of {usual} folds"))
    question = f"Are the {n_folds} values of {column!r} the folds of one cross-validation?"
    raise UnclearTableError(question, *answers)


def _in_shares(reading, fit, percent):
    """Return a reading with the name of a metric, and in percent where that is clear."""
    role = "score" if "score" in reading.roles else "loss"
    name = reading.roles[role]
    is_of_layout = reading.layout.percent and name in fit.values
    header = re.fullmatch(reading.layout.values, plain_name(name)) if is_of_layout else None
    metric = "accuracy" if header else metric_of(name)
    columns, roles = reading.columns, dict(reading.roles)
    is_bounded = is_bounded_by_one(metric, role == "score")
    if is_bounded and metric != name and metric not in columns:
        columns = {metric if key == name else key: cells for key, cells in columns.items()}
        roles[role] = name = metric
    is_percent = percent or header is not None
    if is_bounded and not is_percent:
        is_percent = _are_percent(columns[name])
    return reading._replace(columns=columns, roles=roles, percent=is_percent)


def _are_percent(cells):
    """Whether numbers that are at most 1 as shares can only be percent."""
    try:
        numbers = np.asarray(cells, dtype=np.float64)
    except (TypeError, ValueError):
        return False
    numbers = numbers[np.isfinite(numbers)]
    return len(numbers) > 0 and bool(1.5 < numbers.min() and numbers.max() <= 100)
