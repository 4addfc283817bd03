"""A table in any layout as long rows, with a value for each model and unit."""

import re
from functools import partial
from typing import NamedTuple

import numpy as np

from .._cells import NO_MODEL, as_numbers, is_summary, may_be_model, plain_name
from .._compat import import_extra
from .._metric_names import as_losses, metric_named
from .._metrics import Metric, find_metric
from .._questions import TableError
from .layouts import PARTS, header_of

FAR = 30  # times the others, as no score of a model is
UNITS = ("dataset", "fold", "run")
NOUNS = {"model": "model", "dataset": "data set"}


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
    rows = rows.assign(**{role: frame[column] for role, column in roles.items()})
    rows = rows.drop(columns=[c for c in roles.values() if c not in roles])
    if layout.name == "the WEKA Experimenter":
        rows["model"] = _schemes(rows)
    notes = notes_on_columns(match)
    rows, summaries = _without_summaries(rows)
    name = typed.get("score") or typed.get("loss")
    is_score = layout.is_score if name is None else typed.get("loss") is None
    if layout.spread:
        rows = _melted(rows, match)
    if "metric" in roles or "<metric>" in layout.values:
        name, rows = _rows_of_metric(rows, name)
    if layout.spread:
        name = name or _metric_of_files(files)
        cells, headers = rows["value"], rows["header"]
    else:
        column = _value_column(match, name, rows)
        name = name if "metric" in roles else column
        cells, headers = rows[column], None
    values = as_numbers(cells, typed.get("decimal"), headers)
    metric = name and metric_named(name, is_score, values)
    if layout.is_free and typed["is_asked"]:
        ask_of_numbers(match.values)
        matrix = values.reshape(len(match.values), -1).T
        _ask_of_columns(match.values, matrix, NOUNS[layout.spread], name, metric)
    rows = rows.assign(value=values)
    rows, of_values = _without_summaries_of_values(rows, typed["is_asked"])
    summaries += of_values
    if metric is None:
        columns = ", ".join(map(str, match.values))
        text = f"The layout is {layout.name} ({columns})"
        raise _with_direction("" if name else text, name, metric)
    _refuse_parts(rows)
    losses, metric = as_losses(rows["value"].to_numpy(), metric)
    rows = rows.assign(loss=losses)
    return LongRows(rows, metric, [*notes, *summaries])


def _with_direction(text, name, metric, **options):
    """Return a question that also asks for the direction, where it is not known."""
    if metric is None:
        number = "number" if name is None else repr(name)
        question = f"Is a greater {number} better (--loss if not)?"
        text = f"{text}. {question}" if text else question
        options["score"] = name or "score"
    return TableError(text, **options)


def notes_on_columns(match):
    """Return which columns of numbers are neither models nor values."""
    if not match.layout.is_free or not match.left_out:
        return []
    return [f"no model: {', '.join(match.left_out)}"]


def _schemes(rows):
    """Return WEKA's schemes with their options."""
    names = rows["model"].str.removeprefix("weka.classifiers.")
    if "options" in rows:
        names += " " + rows["options"].str.strip("'")
    return names.str.strip()


def _rows_of_metric(rows, name):
    """Return the metric of a table with several, and its rows."""
    names = list(dict.fromkeys(rows["metric"]))
    if len(names) == 1:
        return names[0] or name, rows
    same = [m for m in names if m == name]
    same = same or [m for m in names if plain_name(m) == plain_name(name)]
    if len(same) != 1:
        names = [m for m in names if not NO_MODEL.fullmatch(plain_name(m))]
        raise _with_first(f"By which of {', '.join(names)}?", names)
    return same[0], rows[rows["metric"] == same[0]]


def _with_first(text, names):
    """Return a question about metrics that the first of them would answer."""
    metric = metric_named(names[0])
    role = "score" if metric is None or metric.is_score else "loss"
    return TableError(text, **({"score": None, "loss": None} | {role: names[0]}))


def _value_column(match, name, rows):
    """Return the column of values of a long table."""
    columns = [column for column in match.values if column in rows]
    if name in rows:
        return name
    same = [c for c in columns if name and plain_name(c) == plain_name(name)]
    if len(same) == 1:
        return same[0]
    if match.layout.values:
        return columns[0]
    varying = [c for c in columns if rows[c].nunique() > 1] or columns
    named = [c for c in varying if metric_named(c) is not None]
    candidates = named or varying
    is_named = name is not None and "metric" not in match.roles
    is_cost = NO_MODEL.fullmatch(plain_name(candidates[0])) is not None
    if is_named or is_cost or len(candidates) > 1:
        raise _with_first(f"Which of {', '.join(candidates)} is compared?", candidates)
    return candidates[0]


def _melted(rows, match):
    """Return a row for each cell of the columns that are spread."""
    layout = match.layout
    others = rows.columns.difference([layout.spread, *match.values], sort=False)
    melted = rows.reset_index(names="row").melt(
        id_vars=["row", *others], value_vars=match.values, var_name=layout.spread
    )
    melted = melted.set_index("row")
    melted["header"] = melted[layout.spread]
    if layout.values:
        fields = melted["header"].map(header_of).str.extract(layout.values)
        fields = fields.rename(columns={"key": layout.spread}).fillna("")
        melted[fields.columns] = fields
    return melted


def ask_of_numbers(names):
    """Ask of columns that are numbered, as folds of one model are."""
    if all(str(name).strip().isdecimal() for name in names):
        raise TableError(
            f"The columns {', '.join(map(str, names))} are numbered, as folds or runs "
            "of one model are, which cannot be compared alone. Name the files of all "
            "models, or write names of models into the header (--ignore NONE if the "
            "numbers are models)"
        )


def _ask_of_columns(names, values, noun, word, metric):
    """Ask of columns that are constant, far from all others, or called as bounds."""
    reasons = {}
    sizes = np.abs(values)
    plain = [plain_name(name) for name in names]
    for place, name in enumerate(names):
        factor = 1.0
        if min(values.shape) > 2:
            others = np.nanmedian(np.delete(sizes, place, axis=1), axis=1)
            with np.errstate(divide="ignore", invalid="ignore"):
                factor = np.nanmedian(sizes[:, place] / others)
        first = values[0, place]
        is_constant = len(values) > 2 and np.all(values[:, place] == first)
        base, _, end = plain[place].rpartition("_")
        if is_constant and noun == "model" and first not in (0, 1):
            reasons[name] = "has the same number in every row"
        elif not 1 / FAR < factor < FAR:
            reasons[name] = "is far from all other columns"
        elif base in plain and _is_bound(
            end, values[:, place], values[:, plain.index(base)]
        ):
            reasons[name] = f"may be a bound or a deviation of {base!r}"
    if reasons:
        text = "; ".join(f"{name!r} {reason}" for name, reason in reasons.items())
        text = f"{text}. If that is no {noun} (--ignore NONE if it is)"
        raise _with_direction(text, word, metric, ignore=list(reasons))


def _is_bound(end, values, means):
    """Whether numbers may be bounds, or deviations, of others, as their name ends."""
    if end in ("lo", "low"):
        return np.all(values <= means)
    if end in ("hi", "high"):
        return np.all(values >= means)
    is_deviation = end in ("std", "sd", "se", "stderr", "ci")
    sizes = [np.nanmedian(np.abs(column)) for column in (values, means)]
    return is_deviation and sizes[0] < 0.3 * sizes[1]


def _metric_of_files(files):
    """Return the metric by which the names of all files end, else None."""
    for n_words in (3, 2, 1):
        names = [plain_name(file.split(".")[0]).split("_") for file in files]
        ends = {"_".join(words[-n_words:]) for words in names}
        end = ends.pop()
        is_known = find_metric(end) or (n_words == 1 and metric_named(end))
        if not ends and is_known and end != "score":
            return end
    return None


def _without_summaries(rows):
    """Return rows without those that are called as summaries, and who they are."""
    notes = []
    for role in UNITS:
        if role not in rows:
            continue
        labels = list(rows[role].unique())
        summaries = [label for label in labels if is_summary(label)]
        if summaries:
            summaries += [
                label for label in labels if re.fullmatch(r"\d+ ?%", str(label))
            ]
        others = [label for label in labels if label not in summaries]
        if len(others) > 1 and role != "dataset":
            _refuse_other_labels(role, others)
        if len(others) > 1 and summaries:
            notes.append(f"no {NOUNS.get(role, role)}: {', '.join(summaries)}")
            rows = rows[rows[role].isin(others)]
    return rows, notes


def _without_summaries_of_values(rows, is_asked):
    """Return rows without what summarises by its numbers, and who they are.

    Of models those are asked about that are called so, and may not be. Whatever its
    name, the last model or unit is one if that is no chance.
    """
    notes = []
    units = ["repeat", "example", "window", "group", *UNITS]
    units = [role for role in units if role in rows]
    for role in ("model", *UNITS):
        if role not in rows or not units:
            continue
        names = list(rows[role].unique())
        named = [name for name in names if role == "model" and is_summary(name)]
        others = [name for name in names if name not in named]
        if not named and len(rows) > 10_000:
            continue
        across = units if role == "model" else ["model"]
        wide = rows.groupby([*across, role])["value"].mean().unstack(role)
        summaries = []
        for name in [*named, *others[-1:]]:
            values = wide[name].to_numpy()
            chances = []
            for columns in (others, names):
                matrix = wide[[c for c in columns if c != name]].to_numpy()
                chances.append(_chance_of_summary(name, values, matrix, name in named))
            if name not in named:
                is_left_out = min(chances) < 0.002
            else:
                is_left_out = min(chances) < 1 or not may_be_model(name)
                if is_asked and not is_left_out:
                    text = f"{name!r} is called as a summary is, and is none of the"
                    raise TableError(
                        f"{text} others. Take it out (--ignore NONE if it is a model)"
                    )
            if is_left_out:
                summaries.append(name)
        if summaries:
            notes.append(f"no {NOUNS.get(role, role)}: {', '.join(summaries)}")
            rows = rows[~rows[role].isin(summaries)]
    return rows, notes


def _chance_of_summary(name, values, others, is_named):
    """Return how likely numbers are by chance as near to a mean of others as these are.

    It is 1 where they are not as near as their decimals allow. Medians, maxima and
    minima, which copies of a model equal, count if they are named so.
    """
    is_there = np.isfinite(values) & np.isfinite(others).all(axis=1)
    values, others = values[is_there], others[is_there]
    if others.shape[1] < 2 or not len(values):
        return 1.0
    error = 1e-12 * max(1.0, np.abs(values).max())
    decimals = next(
        (d for d in range(12) if np.allclose(values, values.round(d), 0, error)), 12
    )
    step = 10.0**-decimals
    summaries = [np.mean, np.sum, partial(np.std, ddof=1)]
    if is_named and re.search("med|мед|中", plain_name(name)):
        summaries = [np.median]
    elif is_named and re.search("max|min|best|worst", plain_name(name)):
        summaries = [np.max, np.min]
    for summary in summaries:
        if np.all(np.abs(values - summary(others, axis=1)) <= 0.51 * step):
            return np.prod(step / (np.ptp(others, axis=1) + step))
    return 1.0


def _refuse_other_labels(role, labels):
    """Raise where a label is not written as the others are, as of a summary."""
    shapes = [re.sub(r"\d+", "0", str(label)) for label in labels]
    usual = max(set(shapes), key=shapes.count)
    pairs = zip(labels, shapes, strict=True)
    others = [label for label, shape in pairs if label and shape != usual]
    if others and len(others) <= len(labels) / 3 and shapes.count(usual) > 2:
        raise TableError(
            f"The {role} {others[0]!r} is not called as the other {role}s are. If it "
            "is a summary, take it out; if not, call it as the others are"
        )


def _refuse_parts(rows):
    """Raise where what is called data sets, folds or models are parts of one."""
    for role in ("dataset", "fold", "run", "model"):
        if role not in rows:
            continue
        labels = rows[role].unique()
        if all(PARTS.fullmatch(plain_name(label)) for label in labels):
            text = f"{', '.join(sorted(map(str, labels)))} are parts of one data set"
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
    labels = pd.DataFrame({role: in_order(rows[role]) for role in unit_roles})
    codes = labels.groupby(unit_roles).ngroup().to_numpy()
    units = labels.drop_duplicates().sort_values(unit_roles, ignore_index=True)
    shape = len(units), len(names)
    cells = codes * len(names) + columns
    counts = np.bincount(cells, minlength=shape[0] * shape[1])
    sums = np.bincount(cells, rows["loss"], len(counts))
    with np.errstate(invalid="ignore"):
        losses = (sums / counts).reshape(shape)
    return tuple(map(str, names)), units, losses, counts.reshape(shape)


def in_order(column):
    """Return labels as numbers where all are, of which 10 comes after 9."""
    pd = import_extra("pandas")

    codes, labels = pd.factorize(column, use_na_sentinel=False)
    numbers = pd.to_numeric(pd.Series(labels), errors="coerce")
    if numbers.nunique() < len(labels):
        return column.astype(str)
    return numbers.take(codes).set_axis(column.index)
