"""Which layout a table has: by the names of its columns, and what the user named."""

import re
from typing import NamedTuple

from ._column_names import (
    FOLD,
    NO_VALUES,
    ROLES,
    ROLES_OF_ROWS,
    RUN,
    are_metrics,
    direction_of,
    holds_no_score,
    is_summary,
)
from ._column_types import are_distinct, distinct
from ._layout_row import PREDICTIONS, SINGLE
from ._layouts import GENERAL
from ._table_columns import are_numbers, plain_name
from ._tool_layouts import OF_TOOLS
from ._unclear import UnclearTableError

SPREAD_HEADER = re.compile(f"(.+_)?({FOLD.replace('?P<key>', '')})|(.+_)?({RUN})")
SIGNS = ("also", "time")  # columns that show which tool wrote a table
UNNAMED = re.compile(r"unnamed:_\d+")


class Fit(NamedTuple):
    """A layout and the columns of a table that have its roles.

    Attributes
    ----------
    layout : Layout
        The layout.
    roles : dict of str to str
        The column of each role.
    values : list of str
        The columns of values: several if they are spread over columns, or if the user
        has to choose one.
    """

    layout: object
    roles: dict
    values: list


def recognise(columns, user_roles, is_wide=False):
    """Return the layout of a table.

    Parameters
    ----------
    columns : dict of str to sequence
        The columns of the table.
    user_roles : dict of str to str
        The column of each role that the user named.
    is_wide : bool, default=False
        Whether the user says that each model has a column.

    Returns
    -------
    fit : Fit
        The first layout of a tool that fits, else the only layout that fits.

    Raises
    ------
    UnclearTableError
        If none fits, or several do.
    """
    for layout in OF_TOOLS:
        fit = _fit_of_tool(layout, columns, user_roles)
        if fit is not None:
            return fit
    roles = _roles_by_name(columns, user_roles)
    fits = [_fit(layout, columns, roles, user_roles, is_wide) for layout in GENERAL]
    fits = [fit for fit in fits if fit is not None]
    testable = [fit for fit in fits if fit.layout.unit != SINGLE]
    fits = testable or fits
    if len(fits) == 1:
        return fits[0]
    if fits:
        raise _several(fits)
    raise _none(columns, roles, user_roles, is_wide)


def _fit_of_tool(layout, columns, user_roles):
    """Return the fit of the layout of a tool, None if its columns are not there."""
    roles = _of_rows(user_roles)
    if roles.keys() - layout.columns.keys() - layout.optional.keys():
        return None
    for role, pattern in (layout.columns | layout.optional).items():
        column = _only_column(pattern, role, columns, roles)
        if column is not None:
            roles[role] = column
    if not layout.columns.keys() <= roles.keys():
        return None
    if "metric" in roles and not are_metrics(columns[roles["metric"]]):
        return None
    names = {plain_name(str(name)) for name in columns}
    if any(names & ROLES.get(role, {role}) for role in layout.without):
        return None
    values = _values(layout, columns, roles, user_roles)
    if not values and layout.unit != SINGLE:
        return None
    roles = {role: name for role, name in roles.items() if role not in SIGNS}
    return Fit(layout, roles, values)


def _only_column(pattern, role, columns, roles):
    """Return the column of a role, by its pattern or usual names; None of several."""
    if role in roles:
        return roles[role]
    alike = _alike(columns, role)
    if pattern:
        is_called = re.compile(pattern).fullmatch
        alike = [name for name in columns if is_called(plain_name(str(name)))]
    return alike[0] if len(alike) == 1 else None


def _alike(columns, role):
    """Return the columns with a usual name of a role; one that is called as it is."""
    names = ROLES.get(role, ())
    alike = [name for name in columns if plain_name(str(name)) in names]
    exact = [name for name in alike if plain_name(str(name)) == role]
    return exact or alike


def _of_rows(user_roles):
    """Return the columns that the user named, but not the values."""
    return {role: n for role, n in user_roles.items() if role not in ("score", "loss")}


def _roles_by_name(columns, user_roles):
    """Return the column of each role: those that the user named, and by their names."""
    roles = _of_rows(user_roles)
    used = set(user_roles.values())
    for role in ROLES:
        if role in roles:
            continue
        alike = _alike([name for name in columns if name not in used], role)
        if role == "y_true" and len(alike) > 1:
            continue
        if len(alike) > 1:
            answers = [({role: name}, "") for name in alike]
            listed = ", ".join(map(repr, alike))
            raise UnclearTableError(
                f"Several columns may be the {role}: {listed}.", *answers
            )
        if alike:
            roles[role] = alike[0]
            used.add(alike[0])
    _take_unnamed(columns, roles)
    return _without_idle(columns, roles, user_roles)


def _take_unnamed(columns, roles):
    """Take a first column of text without a name: what a data frame calls its rows."""
    first = next(iter(columns))
    is_index = UNNAMED.fullmatch(plain_name(str(first))) is not None
    if not is_index or "model" in roles or "dataset" in roles or "y_true" in roles:
        return
    if are_numbers(columns[first]):
        return
    headers = [plain_name(str(name)) for name in columns]
    is_spread = sum(SPREAD_HEADER.fullmatch(name) is not None for name in headers) > 1
    roles["model" if is_spread else "dataset"] = first


def _without_idle(columns, roles, user_roles):
    """Leave out roles with one value, and examples that rows do not need."""
    rows = {role: roles[role] for role in ROLES_OF_ROWS if role in roles}
    for role, name in rows.items():
        is_idle = role not in user_roles and role in ("repeat", "run", "dataset")
        if is_idle and len(distinct(columns[name])) == 1:
            del roles[role]
    others = [role for role in ROLES_OF_ROWS if role in roles and role != "example"]
    may_be_idle = (
        "example" in roles and "example" not in user_roles and "model" in roles
    )
    others = others if may_be_idle else []
    if others and are_distinct([columns[roles[role]] for role in ("model", *others)]):
        del roles["example"]
    if "subject" in roles and "group" not in roles:
        roles["group"] = roles["subject"]
    return roles


def _fit(layout, columns, roles, user_roles, is_wide):
    """Return the fit of a general layout, None if its columns are not there."""
    own_roles = {role: roles[role] for role in layout.columns if role in roles}
    subjects = layout.columns.get("fold")
    if subjects and re.fullmatch(subjects, plain_name(str(roles.get("subject")))):
        own_roles["fold"] = roles["subject"]
    if own_roles.keys() != layout.columns.keys():
        return None
    if any(role in roles for role in layout.without):
        return None
    if is_wide and layout.spread != "model":
        return None
    own_roles |= {role: roles[role] for role in layout.optional if role in roles}
    named = user_roles.keys() - {"score", "loss"} - own_roles.keys()
    if "group" in named and "group" in own_roles:
        named -= {"group"}
    if named:
        return None
    values = _values(layout, columns, own_roles, user_roles)
    if layout.unit == SINGLE and not are_distinct([columns[own_roles["model"]]]):
        return None
    if layout.spread and len(values) < 2:
        return None
    if layout.spread == "model" and not is_wide and not _may_be_models(values, columns):
        return None
    if not layout.spread and not values and layout.unit != PREDICTIONS:
        return None
    return Fit(layout, own_roles, values)


def _values(layout, columns, roles, user_roles):
    """Return the columns that may hold the values of a layout."""
    unused = [name for name in columns if name not in roles.values()]
    if layout.unit == PREDICTIONS:
        return [name for name in unused if not holds_no_score(name)]
    chosen = user_roles.get("score") or user_roles.get("loss")
    if chosen in columns:  # and so not what spread values are called
        return [] if layout.spread else [chosen]
    if layout.values:
        is_called = re.compile(layout.values).fullmatch
        return [name for name in unused if is_called(plain_name(str(name)))]
    numbers = [
        name
        for name in unused
        if not is_summary(name)
        and not holds_no_score(name)
        and plain_name(str(name)) not in NO_VALUES
        and are_numbers(columns[name])
    ]
    if layout.spread:
        return numbers
    metrics = [name for name in numbers if direction_of(name)]
    exact = [name for name in metrics if plain_name(str(name)) in ("score", "loss")]
    return exact if len(exact) == 1 else metrics or numbers


def _may_be_models(values, columns):
    """Whether columns may be models: fewer than half of them are called as metrics."""
    metrics = [name for name in values if direction_of(name)]
    are_spread = [SPREAD_HEADER.fullmatch(plain_name(str(name))) for name in values]
    return 2 * len(metrics) < len(values) and not all(are_spread)


# What is asked ----------------------------------------------------------------------


def _several(fits):
    names = " or ".join(f"{fit.layout.name}" for fit in fits)
    answers = []
    for fit in fits:
        distinct = {
            role: name
            for role, name in fit.roles.items()
            if role in ROLES_OF_ROWS and any(role not in other.roles for other in fits)
        }
        if distinct:
            answers.append((distinct, ""))
    return UnclearTableError(f"The columns may be of {names}.", *answers)


def _none(columns, roles, user_roles, is_wide):
    """Return the error for a table that has no known layout."""
    names = ", ".join(map(repr, columns))
    question = (
        f"The layout of the columns {names} is not known: looked for the models (a "
        "column such as 'model', or a column for each) and for folds, runs, examples "
        "or data sets (a column such as 'fold', 'seed', 'id' or 'dataset')."
    )
    unused = [name for name in columns if name not in roles.values()]
    numbers = [name for name in unused if are_numbers(columns[name])]
    texts = [name for name in unused if name not in numbers]
    has_rows = any(role in roles for role in ROLES_OF_ROWS)
    if not numbers and has_rows and "model" in roles:
        return UnclearTableError(f"None of the columns {names} holds scores or losses.")
    has_metrics = numbers and not _may_be_models(numbers, columns)
    if has_rows and has_metrics and not (is_wide or texts or "model" in roles):
        return UnclearTableError(
            "The table has no column of models, so it is of one model, and one model "
            "cannot be compared. Name the files of all models, or write the name of "
            "the model in a column 'model'."
        )
    if roles.get("y_true") or (not texts and not roles.get("model") and numbers):
        return _without_rows(columns, roles, numbers, question)
    needed = {}
    if "model" not in roles:
        needed["model"] = texts[0] if len(texts) == 1 else "COLUMN"
    if not has_rows:
        needed["fold"] = "COLUMN"
    if not any(role in user_roles for role in ("score", "loss")):
        scores = [name for name in numbers if direction_of(name)]
        needed["score"] = scores[0] if len(scores) == 1 else "COLUMN"
    return UnclearTableError(question, (needed, ""))


def _without_rows(columns, roles, numbers, question):
    """Return the error for columns of numbers that nothing says the rows of."""
    if "y_true" in roles:
        return UnclearTableError(question, ({"y_true": roles["y_true"]}, ""))
    n_rows = len(next(iter(columns.values())))
    question = (
        f"Are the {n_rows} rows of the models {', '.join(map(repr, numbers))} folds, "
        "and of which design? No column says it."
    )
    scored = {"wide": True, "score": "accuracy"}
    return UnclearTableError(
        question,
        ({**scored, "cv": n_rows}, f", for one {n_rows}-fold cross-validation"),
        ({**scored, "cv": "RxK"}, ", for R repeats of K folds"),
        ({**scored, "n_train": "N", "n_test": "N"}, ", for random splits"),
    )
