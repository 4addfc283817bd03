"""compare_file: from files in a known layout to an answer, or a question."""

import ast
import re
from pathlib import Path

import numpy as np

from .._cells import MISSING, are_numbers, as_numbers, holds_no_model, plain_name
from .._comparison import Comparison
from .._data import CVLosses
from .._design import (
    CROSSED,
    TIME_SERIES,
    Design,
    design_of_folds,
    runs_on_one_test_set,
)
from .._inference import McNemarTest
from .._layout import layout_of_cv
from .._metrics import BY_NAME, find_metric
from .._predictions import compare_predictions, interval_of_predictions
from .._questions import TableError
from .._validation import invalid
from . import layouts
from .layouts import are_metrics, hold_metrics, match_layout, usual_roles
from .reader import read_tables
from .rows import ask_of_numbers, in_order, long_rows, notes_on_columns, pivot

ROLE_OPTIONS = (
    "model",
    "fold",
    "repeat",
    "run",
    "example",
    "group",
    "dataset",
    "y_true",
)
CHOICES = ("test", "reference", "p_adjust", "alpha")
OTHER_OPTIONS = (
    *("score", "loss", "cv", "n_train", "n_test", "ignore", "separator", "decimal"),
    *("missing", *CHOICES),
)
ONE_NUMBER = (
    "One number for each model cannot be tested. Bring the score of each fold or run, "
    "of each test example, or of each of several data sets"
)
MIN_GROUPS = 10  # of fewer, groups are strata


def compare_file(path, **options):
    """Compare models by files of scores, losses or predictions.

    Parameters
    ----------
    path : str or os.PathLike, or a list of them
        CSV, TSV, JSON, JSON lines (each also as .gz), .eval or .arff; a file
        for each model if none has a column of models.
    **options : dict
        `model`, `fold`, `repeat`, `run`, `example`, `group`, `dataset`, `y_true`:
        columns that are not called as usual; "ROWS" numbers the rows. `score` or
        `loss`: the column of values, or what the values are called. `cv` (an int, or a
        str such as "5x10"), `n_train`, `n_test`: how splits were made. `ignore`: a list
        of columns to leave out. `separator`, `decimal`: how cells are written.
        `missing`: "drop" or "worst". `test`, `reference`, `p_adjust`, `alpha`: as in
        :class:`Comparison`.

    Returns
    -------
    result : Comparison, DatasetComparison or CrossValInterval
        As of the function for such a table.

    Raises
    ------
    ValueError
        If the files leave a question open; the message names the options that answer.

    See Also
    --------
    compare_table, compare_scores, compare_over_datasets : The same for tables.

    Examples
    --------
    >>> import tempfile
    >>> from pathlib import Path
    >>> from sklearn_cvtest import compare_file
    >>> rows = "fold,ridge,tree\\n1,.91,.88\\n2,.93,.89\\n3,.90,.88\\n4,.92,.91\\n"
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     path = Path(folder, "scores.csv")
    ...     _ = path.write_text(rows)
    ...     result = compare_file(path, score="accuracy", cv=4)
    >>> result.best
    'ridge'
    """
    unknown = set(options).difference(ROLE_OPTIONS, OTHER_OPTIONS)
    if unknown:
        allowed = f"of {', '.join([*ROLE_OPTIONS, *OTHER_OPTIONS])}"
        raise invalid("options", allowed, min(unknown), TypeError)
    paths = path if isinstance(path, (list, tuple)) else [path]
    return answer_of_files(paths, options)[0]


def answer_of_files(paths, typed):
    """Return the result of files by what a user has typed, and how they were read."""
    named = {role: typed[role] for role in ROLE_OPTIONS if typed.get(role)}
    labels = [column for role, column in named.items() if role != "y_true"]
    frame = read_tables(paths, typed.get("separator"), labels)
    ignored = [name for name in typed.get("ignore") or [] if name != "NONE"]
    typed = typed | {"is_asked": ignored == (typed.get("ignore") or [])}
    if str(typed.get("cv")).isdecimal():
        typed["cv"] = int(typed["cv"])
    for column in ignored:
        _check_column(frame, "ignore", column)
        frame = frame.drop(columns=column)
    if "ROWS" in named.values():
        frame.insert(0, "ROWS", np.arange(1, len(frame) + 1).astype(str))
    for role, column in named.items():
        _check_column(frame, role, column)
    match = match_layout(frame, named)
    if match is None:
        raise _question_on_layout(frame, named)
    files = [Path(path).name for path in paths]
    choices = {name: typed[name] for name in CHOICES if typed.get(name) is not None}
    if str(choices.get("p_adjust", "")).lower() == "none":
        choices["p_adjust"] = None
    result, notes = ANSWERS[match.layout.unit](frame, match, typed, files, choices)
    text = match.layout.name
    roles = [f"{r} {c!r}" for r, c in match.roles.items() if plain_name(c) != r]
    if roles:
        text += f" ({', '.join(roles)})"
    return result, "; ".join([text, *notes])


def _check_column(frame, option, column):
    if column not in frame:
        raise invalid(option, f"one of {list(frame.columns)}", column)


def _question_on_layout(frame, named):
    """Return what is named of a table in no known layout."""
    roles = usual_roles(frame, named)
    numeric = [name for name in frame if are_numbers(frame[name])]
    texts = [name for name in frame if name not in numeric]
    values = [name for name in numeric if not holds_no_model(name)]
    if named:
        columns = ", ".join(f"{role} {column!r}" for role, column in named.items())
        return TableError(f"No layout has {columns} beside {list(frame.columns)}")
    if "step" in roles and "model" in roles:
        return _question_on_steps(roles["step"])
    if any(hold_metrics(frame[name]) for name in texts):
        return TableError(f"The rows are metrics. {ONE_NUMBER}")
    if len(values) > 1 and "model" not in roles and are_metrics(values):
        columns = f"The columns {', '.join(values)} are metrics of one model"
        return TableError(
            f"{columns}, which cannot be compared alone. Name the files of all models "
            "(if the columns are models, say what a row is: --fold or --dataset COLUMN)"
        )
    if values and "model" not in roles:
        ask_of_numbers(values)
    is_wide = len(texts) == 1 and frame[texts[0]].is_unique and len(values) > 1
    if is_wide and "model" not in roles:
        return TableError(
            "If each row is a data set and each column a model (--fold or --example "
            "if rows are these, --loss for errors)",
            dataset=texts[0],
            score="score",
        )
    model, key = _crossed_columns(frame, roles, texts)
    columns = [name for name in values if name != key]
    if key is not None and columns:
        role = "dataset" if key in texts else "fold"
        return TableError(
            f"What is in the columns? If {model!r} has models and {key!r} {role}s ("
            "--fold, --run, --example or --dataset as it is, --loss for errors)",
            **{"model": model, role: key, "score": columns[0]},
        )
    if "model" in roles or len(values) < 2:
        return TableError(ONE_NUMBER)
    if len(numeric) == len(frame.columns):
        cv = {"cv": len(frame)} if len(frame) > 10 else {}
        return TableError(
            f"What is a row? If the {len(frame)} rows are folds of one "
            "cross-validation (--cv 2x10 if of repeats, --example ROWS if examples, "
            "--loss for errors)",
            fold="ROWS",
            score="score",
            **cv,
        )
    return TableError(f"The columns {list(frame.columns)} are of no known layout")


def _question_on_steps(column):
    return TableError(
        f"{column!r} numbers the steps of a training, which are no runs. "
        "Bring the last step of several seeds, folds or examples"
    )


def _crossed_columns(frame, roles, texts):
    """Return the columns of models and of what each model has one row for, or None."""
    n_labels = frame.nunique()
    names = [roles["model"]] if "model" in roles else texts
    most = len(frame) / 2
    repeated = [name for name in names if 1 < n_labels[name] <= most]
    for model in sorted(repeated, key=n_labels.get):
        for key in frame.columns.drop(model):
            if n_labels[key] <= most and not frame.duplicated([model, key]).any():
                return model, key
    return None, None


# Folds, runs and windows --------------------------------------------------------------


def answer_of_units(frame, match, typed, files, choices):
    """Compare over data sets or, of one data set, over its folds, runs or windows."""
    long = long_rows(frame, match, typed, files)
    rows, metric, notes = long
    unit = match.layout.unit
    has_datasets = "dataset" in rows and rows["dataset"].nunique() > 1
    if unit == layouts.DATASETS or (unit == layouts.FOLDS and has_datasets):
        return over_datasets(long, typed, choices)
    if unit == layouts.RUNS:
        losses = _losses_of_units(rows, "run", metric, CROSSED)
    elif "window" in rows:
        losses = _losses_of_units(rows, "window", metric, TIME_SERIES)
    else:
        losses = _losses_of_folds(rows, metric, typed, match)
    return Comparison(losses, **choices), notes


def _losses_of_folds(rows, metric, typed, match):
    """Return the CVLosses of folds, in the order of repeats and folds."""
    are_subjects = "group" in match.roles and "fold" not in match.roles
    if match.layout.name.startswith("frames of cross_validate"):
        rows = rows.assign(fold=rows.groupby("model").cumcount())
    if are_subjects:
        rows = rows.rename(columns={"group": "fold"})
    if "run" in rows and not {"fold", "repeat"} <= set(rows):
        role = "repeat" if "fold" in rows else "fold"
        rows = rows.rename(columns={"run": role})
    roles = ["repeat", "fold"] if "repeat" in rows else ["fold"]
    names, units, losses = _units_of(rows, roles)
    n_splits = len(units)
    n_repeats = units["repeat"].nunique() if "repeat" in units else 1
    n_folds, remainder = divmod(n_splits, n_repeats)
    if remainder:
        raise TableError("The repeats have different numbers of folds")
    sizes = [_sizes(rows, roles, typed, name) for name in ("n_train", "n_test")]
    cv = typed.get("cv")
    is_sized = all(size is not None for size in sizes)
    if cv is None and n_repeats == 1 and not is_sized and not are_subjects:
        _ask_of_folds(units["fold"])
    if cv is None and not (is_sized and "repeat" not in rows):
        cv = design_of_folds(n_folds, n_repeats)
    sizes = sizes if is_sized else (None, None)
    layout = layout_of_cv(cv, n_splits, *sizes)
    return CVLosses(
        names,
        losses,
        np.arange(n_splits),
        layout.design,
        metric,
        n_train=layout.n_train,
        n_test=layout.n_test,
        errors=_errors(names, losses, "fold"),
        noun="model",
    )


def _ask_of_folds(labels):
    """Ask where a fold may be missing, or where folds may be of several repeats."""
    n_folds = len(labels)
    if labels.dtype.kind in "if" and np.ptp(labels) != n_folds - 1:
        numbers = ", ".join(f"{label:g}" for label in labels[:12])
        text = f"The folds have the numbers {numbers}. If none is missing"
        raise TableError(text, cv=n_folds)
    designs = [f"{n_folds // k}x{k}" for k in (10, 5, 3) if n_folds % k == 0]
    if n_folds > 10 and designs:
        others = " or ".join(f"--cv {design}" for design in designs)
        text = (
            f"Are the {n_folds} folds of one cross-validation ({others} if of repeats)?"
        )
        raise TableError(text, cv=n_folds)


def _sizes(rows, roles, typed, name):
    """Return the sizes of training or test sets, by option or column."""
    if typed.get(name):
        return int(typed[name])
    if name not in rows:
        return None
    sizes = rows.assign(size=as_numbers(rows[name])).groupby(roles)["size"].first()
    return sizes.to_numpy()


def _errors(names, losses, unit):
    """Return {model: reasons} of the units on which models have no result."""
    counts = np.isnan(losses).sum(axis=0)
    return {
        name: [f"no result on a {unit}"] * int(count)
        for name, count in zip(names, counts, strict=True)
        if count
    }


def _refuse_one(losses):
    n_units, n_models = losses.shape
    if n_units < 2:
        raise TableError(ONE_NUMBER)
    if n_models < 2:
        raise TableError("There is one model, and nothing to compare it with")


def _units_of(rows, roles):
    """Return models, units and losses; raise where a model has not one row for each."""
    names, units, losses, counts = pivot(rows, roles)
    if counts.max() > 1:
        unit, column = np.argwhere(counts > 1)[0]
        raise TableError(
            f"{names[column]} has {counts[unit, column]:.0f} rows for "
            f"{' '.join(map(str, units.iloc[unit]))}. Name the column that tells them "
            "apart with --repeat, --run or --example"
        )
    _refuse_one(losses)
    is_missing = np.isnan(losses)
    if np.sum(~is_missing.any(axis=0)) < 2:
        unit, model = np.argwhere(is_missing)[0]
        labels = units.iloc[unit].replace("", "(blank)")
        cell = ", ".join(f"{role} {label}" for role, label in labels.items())
        text = f"{names[model]} has no result for {cell}"
        raise TableError(f"{text}, and fewer than two models have all results")
    return names, units, losses


def _losses_of_units(rows, unit, metric, design):
    """Return the CVLosses of values that are a sample of runs or windows."""
    names, units, losses = _units_of(rows, [unit])
    order = np.arange(len(units))
    return CVLosses(
        names,
        losses,
        order,
        Design(design, len(units)),
        metric,
        row_index=order if design == TIME_SERIES else None,
        errors=_errors(names, losses, unit),
        noun="model",
    )


# Examples -----------------------------------------------------------------------------


def answer_of_examples(frame, match, typed, files, choices):
    """Compare over the examples of one test set, or of folds."""
    rows, metric, notes = long_rows(frame, match, typed, files)
    unit = "fold" if "fold" in rows else "run"
    if unit == "run":
        rows = _with_paired_runs(rows)
    names, units, losses, counts = pivot(rows, [unit, "example"])
    _refuse_one(losses)
    notes = [*notes, *_check_counts(names, counts)]
    if counts.max() > 1 and "step" in rows:
        raise _question_on_steps(match.roles["step"])
    split = np.unique(units[unit], return_inverse=True)[1]
    n_splits = int(split.max()) + 1
    design, n_times = design_of_folds(n_splits, 1), 1
    if unit == "run":
        design, n_times = runs_on_one_test_set(n_splits), n_splits
    example = np.unique(units["example"], return_inverse=True)[1]
    is_there = np.isfinite(losses)
    is_whole = np.bincount(example, is_there.all(axis=1)) >= n_times
    if is_whole.sum() < 2:
        raise TableError("Fewer than two examples have a result of all models")
    if not is_whole.all():
        n_missing = (~is_there).sum(axis=0)
        worst = int(n_missing.argmax())
        notes.append(
            f"left out: {np.sum(~is_whole)} examples without a result of all "
            f"models ({names[worst]} lacks {n_missing[worst]})"
        )
        is_kept = is_whole[example]
        units, losses = units[is_kept].reset_index(drop=True), losses[is_kept]
        split = split[is_kept]
        example = np.unique(example[is_kept], return_inverse=True)[1]
    groups, note = _groups_of(rows, units)
    losses = CVLosses(
        names,
        losses,
        split,
        design,
        metric,
        row_index=example,
        groups=groups,
        n_test=np.bincount(split),
        n_samples=int(example.max()) + 1,
        n_groups=None if groups is None else int(groups.max()) + 1,
        noun="model",
    )
    return Comparison(losses, **choices), [*notes, *note]


def _with_paired_runs(rows):
    """Return rows whose runs have the numbers 0, 1, ... where models have others."""
    if "run" not in rows:
        return rows.assign(run=0)
    runs = rows.groupby("model")["run"]
    if len({frozenset(of_model) for of_model in runs.unique()}) == 1:
        return rows
    return rows.assign(run=runs.transform(lambda of_model: of_model.factorize()[0]))


def _check_counts(names, counts):
    """Return a note on rows of an example that are averaged; raise if they differ."""
    is_there = counts > 0
    if not (is_there.sum(axis=1) > 1).any():
        raise TableError(
            f"No example has results of both {names[0]} and {names[1]}: they are not "
            "paired. Compare them by a test of two samples"
        )
    values = np.unique(counts[is_there])
    if len(values) > 1:
        _, column = np.argwhere(counts == values[-1])[0]
        raise TableError(
            f"{names[column]} has {values[-1]:.0f} rows for an example where others "
            f"have {values[0]:.0f}. Name what tells them apart with --fold or --run"
        )
    if values[0] == 1:
        return []
    return [f"the mean of the {values[0]:.0f} rows of each example and model"]


def _groups_of(rows, units):
    """Return the group of each unit, None if there are too few, and a note on it."""
    column = "group" if "group" in rows else "task"
    if column not in rows:
        return None, []
    labels = rows.groupby(in_order(rows["example"]))[column].first()
    codes = labels.loc[units["example"]].factorize(sort=True)[0]
    n_groups = int(codes.max()) + 1
    if n_groups in (1, len(labels)):
        return None, []
    if column == "task" or n_groups < MIN_GROUPS:
        return None, [f"{n_groups} {column}s are strata, not a sample of groups"]
    return codes, []


# Data sets ----------------------------------------------------------------------------


def over_datasets(long, typed, choices):
    """Return the DatasetComparison of rows, averaged within data sets."""
    from .._datasets.comparison import DatasetComparison
    from .._datasets.means import DatasetMeans

    rows, metric, notes = long
    names, units, losses, counts = pivot(rows, ["dataset"])
    if len(names) < 2 or len(units) < 2:
        raise TableError(ONE_NUMBER)
    if counts.max() > 1 and not {"fold", "run"} & set(rows):
        raise TableError(
            "There are several rows for a data set and model. Name what tells them "
            "apart with --fold or --run"
        )
    if "test" in choices:
        raise TableError("Leave out --test: data sets have a rule of their own")
    means = DatasetMeans(tuple(map(str, units["dataset"])), names, losses, metric)
    missing = typed.get("missing") or "drop"
    return DatasetComparison(means, missing=missing, **choices), notes


def answer_of_forecasts(frame, match, typed, files, choices):
    """Compare mean absolute errors of forecasts, the series being data sets."""
    target = as_numbers(frame[match.roles["y_true"]])
    series = frame[match.roles["dataset"]]
    errors = {name: np.abs(as_numbers(frame[name]) - target) for name in match.values}
    rows = frame[[]].assign(**errors, dataset=series, fold=0)
    rows = rows.melt(["dataset", "fold"], var_name="model", value_name="loss")
    notes = [*notes_on_columns(match), "absolute errors by series"]
    return over_datasets((rows, BY_NAME["absolute_error"], notes), typed, choices)


# Predictions and searches -------------------------------------------------------------


def answer_of_predictions(frame, match, typed, files, choices):
    """Compare predictions beside the target; of one model, its interval."""
    roles, is_asked = match.roles, typed["is_asked"]
    frame, predictions = _long_predictions(frame, match)
    target, are_labels = _as_target(frame[roles["y_true"]])
    predictions, notes = _predictions_of(predictions, target, are_labels, is_asked)
    notes = [*notes_on_columns(match), *notes]
    options = {
        parameter: frame[roles[role]].to_numpy()
        for role, parameter in (("fold", "splits"), ("group", "groups"))
        if role in roles
    }
    name = typed.get("score") or typed.get("loss")
    metric = None if name is None else find_metric(plain_name(name))
    if name is not None and metric is None:
        raise invalid("score", "the name of a metric", name)
    kinds = {array.dtype.kind for array in predictions.values()}
    are_shares = are_labels and kinds == {"f"}
    needs_shares = metric is not None and metric.response != "predict"
    if needs_shares and are_labels and not are_shares:
        raise TableError(
            f"{metric.word} needs probabilities, and the columns have labels"
        )
    column = roles["y_true"]
    columns = match.values if len(match.values) == len(predictions) else predictions
    by_column = dict(zip(columns, predictions.values(), strict=True))
    if "y_pred" not in roles and is_asked:
        _ask_of_features(column, target, by_column)
    _refuse_missing(by_column, match.values)
    is_named = typed.get("y_true") or plain_name(column) not in ("y", "label", "target")
    if metric is None and are_labels and not is_named:
        _refuse_chance(column, target, predictions)
    if metric is not None:
        options["scoring"] = metric.name
    elif are_shares and len(predictions) == 1:
        options["scoring"] = "roc_auc"
    if len(predictions) == 1:
        if choices.get("reference") is not None:
            (name,) = predictions
            text = f"A reference is for several models; {name!r} is alone"
            raise TableError(text, reference=None)
        alpha = choices.get("alpha", 0.05)
        result = interval_of_predictions(
            target, predictions, confidence_level=1 - alpha, **options
        )
        return result, notes
    is_default = (
        metric is None and are_labels and not are_shares and len(predictions) == 2
    )
    if is_default and not options and "test" not in choices:
        choices = choices | {"test": McNemarTest()}
    return compare_predictions(target, predictions, **options, **choices), notes


def _ask_of_features(column, target, predictions):
    """Ask of columns that are no predictions of a target, as far as numbers show."""
    features = []
    for name, values in predictions.items():
        if values.dtype.kind not in "fi" or values.ndim > 1:
            continue
        is_share = not np.any((values < 0) | (values > 1))
        is_near = is_share or np.isin(values, target).mean() >= 0.5
        if target.dtype.kind == "f":
            is_near = np.nanmean((values - target) ** 2) <= 4 * np.var(target)
        if not is_near:
            features.append(name)
    if features:
        text = f"{', '.join(features)}: by the numbers no predictions of {column!r}"
        if len(features) == len(predictions):
            raise TableError(text)
        text = f"{text}. If that is no model (--ignore NONE if it is)"
        raise TableError(text, ignore=features)


def _refuse_missing(predictions, columns):
    """Raise where a model has not predicted all rows."""
    for name, values in predictions.items():
        if values.dtype.kind in "fi":
            is_missing = np.isnan(values).any()
        else:
            is_missing = any(cell.lower() in MISSING for cell in set(values.tolist()))
        if is_missing:
            is_one_of_many = name in columns and len(predictions) > 2
            options = {"ignore": [name]} if is_one_of_many else {}
            text = f"{name!r} has empty cells. Bring the rows that all have predicted"
            raise TableError(f"{text}, or leave it out", **options)


def _refuse_chance(column, target, predictions):
    """Ask where no column agrees with a target more than by chance."""
    share = np.unique(target, return_counts=True)[1].max() / len(target)
    hits = [np.mean(v == target) for v in predictions.values() if v.ndim == 1]
    by_chance = share + 2 * np.sqrt(share * (1 - share) / len(target))
    if hits and 0 < max(hits) <= by_chance:
        text = f"The columns agree with {column!r} no more than by chance"
        raise TableError(f"{text}. If they are predictions", y_true=column)


def _long_predictions(frame, match):
    """Return what the models share of each example, and {model: predictions}."""
    roles = match.roles
    if "y_pred" not in roles:
        prefix = r"^(y_)?(pred|prob|proba|prediction)s?_"
        names = [re.sub(prefix, "", name) or name for name in match.values]
        names = names if len(set(names)) == len(names) else match.values
        columns = [frame[name] for name in match.values]
        return frame, dict(zip(names, columns, strict=True))
    example = roles["example"]
    wide = frame.pivot(index=example, columns=roles["model"], values=roles["y_pred"])
    shared = [roles[role] for role in ("y_true", "fold", "group") if role in roles]
    of_example = frame.groupby(example)[shared]
    if wide.isna().any(axis=None) or (of_example.nunique() > 1).any(axis=None):
        text = "The models must have the same examples, each with the same"
        raise TableError(f"{text} {' and '.join(shared)}")
    return of_example.first(), dict(wide.items())


def _as_target(texts):
    """Return a target as numbers if it has many, else as labels."""
    if not are_numbers(texts):
        return texts.to_numpy(dtype=str), True
    numbers = as_numbers(texts)
    if np.isnan(numbers).any():
        raise TableError("The target has empty cells")
    are_whole = np.all(numbers == np.rint(numbers))
    are_labels = bool(are_whole) and len(np.unique(numbers)) <= 20
    return numbers.astype(int) if are_labels else numbers, are_labels


def _predictions_of(columns, target, are_labels, is_asked):
    """Return {model: array}; columns name_class are the probabilities of one model."""
    families = _families(columns, target) if are_labels else {}
    if families:
        models = {}
        for model, names in families.items():
            numbers = [as_numbers(columns[name]) for name in names]
            models[model] = np.stack(numbers, axis=1)
        return models, [f"probabilities of {', '.join(models)}"]
    models = {}
    for name, texts in columns.items():
        if target.dtype.kind in "US" and not are_numbers(texts):
            cells = set(texts.unique()).difference(target)
            foreign = [cell for cell in cells if cell.lower() not in MISSING]
            if foreign and is_asked:
                row = texts.index[texts == foreign[0]][0]
                text = f"Row {row}, column {name!r}: {foreign[0]!r} is no label"
                raise TableError(f"{text} of the target (--ignore NONE if it is one)")
            models[name] = texts.to_numpy(dtype=str)
            continue
        numbers = as_numbers(texts)
        is_whole = target.dtype.kind == "i" and np.all(numbers == np.rint(numbers))
        models[name] = numbers.astype(int) if is_whole else numbers
    return models, []


def _families(columns, target):
    """Return {model: columns by class} if all columns are called name_class."""
    classes = [str(label) for label in np.unique(target)]
    families = {}
    for name in columns:
        model, _, label = name.rpartition("_")
        if label not in classes or not model:
            return {}
        families.setdefault(model, {})[label] = name
    if any(set(family) != set(classes) for family in families.values()):
        return {}
    return {m: [family[label] for label in classes] for m, family in families.items()}


def answer_of_search(frame, match, typed, files, choices):
    """Compare the candidates of a search whose `cv_results_` were saved."""
    from .._search import compare_candidates

    results = {"params": [_params(text) for text in frame[match.roles["model"]]]}
    for name in match.values:
        results[name.lower()] = as_numbers(frame[name])
    metrics = {name.lower().partition("_test_")[2] for name in match.values}
    metric = typed.get("score")
    if metric not in metrics:
        metric = min(metrics)
        if len(metrics) > 1:
            raise TableError(
                f"By which of {', '.join(sorted(metrics))}?", score=metric, loss=None
            )
    cv = typed.get("cv") or len(match.values) // len(metrics)
    choices = {"reference": "best"} | choices
    try:
        return compare_candidates(results, metric=metric, cv=cv, **choices), []
    except TableError:
        text = f"{metric!r} is the name of a loss, of which a search takes the greatest"
        raise TableError(f"{text}: call it neg_{metric} if it is minus that") from None


def _params(text):
    """Return the parameters of a cell, as text if they are no literals."""
    try:
        params = ast.literal_eval(text)
        return params if isinstance(params, dict) else {"params": text}
    except (ValueError, SyntaxError, TypeError):
        return {"params": text}


ANSWERS = {
    layouts.FOLDS: answer_of_units,
    layouts.RUNS: answer_of_units,
    layouts.EXAMPLES: answer_of_examples,
    layouts.DATASETS: answer_of_units,
    layouts.PREDICTIONS: answer_of_predictions,
    layouts.FORECASTS: answer_of_forecasts,
    layouts.SEARCH: answer_of_search,
}
