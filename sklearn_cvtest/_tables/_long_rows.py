"""Tables as long ones: a row for each value, without rows that summarise others."""

import numpy as np

from .._losses._metric_names import are_hits
from .._validation import invalid_words, warn
from ._column_names import ROLES_OF_ROWS, is_summary
from ._column_types import (
    TextColumn,
    are_distinct,
    distinct,
    numbered,
    repeated,
    rows_of,
)
from ._table_checks import check_folds_in_columns
from ._table_columns import as_numbers, is_hole
from ._unclear import UnclearTableError
from ._values import direction_of_values, header_of, metric_of_headers

MOST_APART = 30  # by what factor the numbers of models may differ within a row
ENOUGH_ROWS = 10_000  # of which this is asked
ROLES_WITH_SUMMARIES = ("dataset", "repeat", "fold", "run")


def without_summaries(columns, roles):
    """Return columns without rows called "mean", "std" and so on.

    Also the number of each row that stays, and what the others are called.
    """
    left_out = {}
    keep = None
    for role in ROLES_WITH_SUMMARIES:
        if role not in roles:
            continue
        if isinstance(columns[roles[role]], np.ndarray):
            continue  # of numbers
        codes, cells = numbered(columns[roles[role]])
        are_summaries = np.array([is_summary(cell) for cell in cells])
        if are_summaries.any() and not are_summaries.all():
            names = [str(cells[code]) for code in np.flatnonzero(are_summaries)]
            left_out |= dict.fromkeys(f"row {name}" for name in sorted(names))
            of_role = ~are_summaries[codes]
            keep = of_role if keep is None else keep & of_role
    if keep is None:
        return columns, np.arange(len(next(iter(columns.values())))), []
    rows = np.flatnonzero(keep)
    columns = {name: rows_of(cells, rows) for name, cells in columns.items()}
    return columns, rows, list(left_out)


def refuse_holes(columns, roles, rows):
    """Refuse rows that do not say of which model, fold, run or example they are."""
    for role in ("model", *ROLES_OF_ROWS):
        if role not in roles or not any(map(is_hole, distinct(columns[roles[role]]))):
            continue
        place = next(n for n, cell in enumerate(columns[roles[role]]) if is_hole(cell))
        allowed = "without missing values"
        found = f"one in row {rows[place]}, counted from 0"
        raise invalid_words(f"table[{roles[role]!r}]", allowed, found)


def leave_out_summaries(columns, roles):
    """Return columns without rows that summarise others, and the rows; warn of them."""
    columns, rows, left_out = without_summaries(columns, roles)
    if left_out:
        warn(f"Left out, as they summarise others: {', '.join(left_out)}.", UserWarning)
    return columns, rows


def long_table(columns, fit, roles, user_roles, *, rows, is_wide, is_designed):
    """Return a table whose values are spread over columns as a long one.

    `rows` are the numbers of its rows in the file.
    """
    layout = fit.layout
    values = fit.values
    if layout.values:
        metric, values = metric_of_headers(layout, values, user_roles)
        keys = [header_of(layout, name)["key"] for name in values]
    else:
        metric = None
        keys = [str(name) for name in values]
    direction, name = direction_of_values(layout, metric, user_roles, values)
    numbers = [
        as_numbers(column, columns[column], has_holes=True, rows=rows)
        for column in values
    ]
    if layout.spread == "model" and not is_wide:
        _check_models(values, numbers)
    if layout.spread == "fold" and not is_designed:
        check_folds_in_columns(metric, keys, values, numbers, columns)
    others = {role: column for role, column in roles.items() if role != layout.spread}
    long = {
        column: repeated(columns[column], len(values)) for column in others.values()
    }
    n_rows = len(numbers[0])
    long[layout.spread] = TextColumn(np.repeat(np.arange(len(keys)), n_rows), keys)
    name = name if name not in long else f"{name} "
    long[name] = np.concatenate(numbers)
    return long, {**others, layout.spread: layout.spread, direction: name}


def _check_models(names, numbers):
    """Ask about columns that may be no models: constants, and far from the others.

    A constant that is 0 or 1 is a model where all numbers are: it is always right.
    """
    step = -(-len(numbers[0]) // ENOUGH_ROWS)
    sizes = np.abs([column[::step] for column in numbers])
    with np.errstate(all="ignore"):
        typical = _medians(sizes)
        apart = _medians((sizes / typical).T)
    is_strange = (apart > MOST_APART) | (apart * MOST_APART < 1)
    reason = "The numbers in {} are far from the others."
    values = np.array(numbers)
    if not is_strange.any() and len(values[0]) > 1 and not are_hits(values):
        is_strange = np.nanmax(values, axis=1) == np.nanmin(values, axis=1)
        reason = "The numbers in {} are the same in all rows."
    strange = [names[number] for number in np.flatnonzero(is_strange)]
    if strange:
        reason = reason.format(", ".join(map(repr, strange)))
        raise UnclearTableError(
            f"Are all columns models? {reason} Leave out what is no model.",
            ({"ignore": strange[0]}, ""),
            ({"wide": True}, ", if all are models"),
        )


def _medians(values):
    """Return the median of each column, of what is finite and above 0; of none, 1."""
    is_size = np.isfinite(values) & (values > 0)
    counts = is_size.sum(axis=0)
    ordered = np.sort(np.where(is_size, values, np.inf), axis=0)
    middle = np.maximum(counts - 1, 0)
    low = np.take_along_axis(ordered, (middle // 2)[np.newaxis], axis=0)[0]
    high = np.take_along_axis(ordered, (counts // 2)[np.newaxis], axis=0)[0]
    return np.where(counts > 0, (low + high) / 2, 1.0)


def with_names(columns, roles):
    """Return columns in which a scheme of WEKA and its options are one name."""
    if "options" not in roles:
        return columns, roles
    pairs = zip(columns[roles["model"]], columns[roles["options"]], strict=True)
    names = [
        " ".join([_short(str(scheme)), _plain(options)]).strip()
        for scheme, options in pairs
    ]
    others = {role: name for role, name in roles.items() if role != "options"}
    return columns | {roles["model"]: names}, others


def _short(scheme):
    """Return a scheme of WEKA as its Experimenter shows it, such as "trees.J48"."""
    return ".".join(scheme.split(".")[-2:])


def _plain(options):
    """Return options of WEKA without the quotes of ARFF."""
    return "" if is_hole(options) else str(options).strip().strip("'")


def with_numbers(columns, roles):
    """Return columns with the number of each row of a model, as its fold."""
    unnamed = (name for name in columns if str(name).startswith("Unnamed: "))
    index = next(unnamed, None)
    keys = [columns[roles[role]] for role in ("dataset", "model") if role in roles]
    keys = list(zip(*keys, strict=True))
    if index is not None and _repeats(columns[index], keys):
        return columns, roles | {"fold": index}  # of the frames below each other
    counts = {}
    folds = []
    for key in keys:
        folds.append(counts.get(key, 0))
        counts[key] = folds[-1] + 1
    return columns | {"fold": folds}, roles | {"fold": "fold"}


def _repeats(index, keys):
    """Whether an index has the same numbers, each once, for each of the keys."""
    by_key = {}
    for number, key in zip(index, keys, strict=True):
        by_key.setdefault(key, []).append(number)
    return len({tuple(sorted(numbers)) for numbers in by_key.values()}) == 1


def means_of(layout, columns, roles):
    """Return columns with the mean over folds or runs for each data set and model."""
    if not layout.summed:
        return columns
    role = "score" if "score" in roles else "loss"
    summed = layout.summed
    datasets = columns[roles["dataset"]]
    models = columns[roles["model"]]
    values = columns[roles[role]]
    keys = [columns[roles[name]] for name in ("dataset", "model", summed)]
    if not are_distinct(keys):
        raise UnclearTableError(
            f"Several rows are of one data set, model and {summed}. What tells them "
            "apart? Bring one row for each."
        )
    by_pair = {}
    for dataset, model, value in zip(datasets, models, values, strict=True):
        by_pair.setdefault((str(dataset), str(model)), []).append(value)
    means = [float(np.mean(of_pair)) for of_pair in by_pair.values()]
    datasets, models = zip(*by_pair, strict=True)
    named = {roles["dataset"]: list(datasets), roles["model"]: list(models)}
    del roles[summed]
    return named | {roles[role]: np.array(means)}


def without_failures(columns, roles):
    """Return columns without models that have no score in some fold of a data set.

    They are left out on that data set, and are named.
    """
    value = columns[roles.get("score") or roles.get("loss")]
    is_filled = np.isfinite(value)
    dataset, datasets = numbered(columns[roles["dataset"]])
    model, models = numbered(columns[roles["model"]])
    keys = [columns[roles[name]] for name in ("repeat", "run", "fold") if name in roles]
    codes, cells = zip(*map(numbered, keys), strict=True)
    fold = np.ravel_multi_index(codes, list(map(len, cells)))
    n_folds = int(fold.max()) + 1
    has_fold = np.zeros((len(datasets), n_folds), dtype=bool)
    has_fold[dataset, fold] = True
    has_score = np.zeros((len(datasets), len(models), n_folds), dtype=bool)
    has_score[dataset[is_filled], model[is_filled], fold[is_filled]] = True
    failed = np.any(has_fold[:, np.newaxis] & ~has_score, axis=2)
    if not failed.any():
        return columns, []
    rows = np.flatnonzero(~failed[dataset, model])
    columns = {name: rows_of(cells, rows) for name, cells in columns.items()}
    counts = failed.sum(axis=0)
    return columns, [
        _failures(models[number], counts[number]) for number in np.flatnonzero(counts)
    ]


def _failures(model, n_datasets):
    """Return that a model failed on data sets."""
    noun = "data set" if n_datasets == 1 else "data sets"
    return f"{model} on {n_datasets} {noun} (failed)"
