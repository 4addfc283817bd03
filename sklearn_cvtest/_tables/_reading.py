"""A table as a long one with known roles: as the functions that compare take it."""

from typing import NamedTuple

from ._column_names import NO_VALUES
from ._column_types import distinct
from ._layout_row import CANDIDATES, FOLDS, PREDICTIONS, SINGLE
from ._long_rows import (
    long_table,
    means_of,
    refuse_holes,
    with_names,
    with_numbers,
    without_failures,
    without_summaries,
)
from ._metric_rows import rows_of_metric
from ._recognise import recognise
from ._table_checks import check_examples, check_resampling, check_rows
from ._table_columns import as_numbers, check_column, plain_name
from ._unclear import UnclearTableError
from ._values import in_shares, metric_of_search, one_value


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
        The number of folds, where a layout says that they are of one cross-validation.
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


def read_layout(
    columns, user_roles, *, percent=False, is_wide=False, is_designed=False
):
    """Return the Reading of a table.

    Parameters
    ----------
    columns : dict of str to sequence
        The columns.
    user_roles : dict of str to str or None
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
    user_roles = _filled(user_roles)
    named = _columns_named(user_roles, columns)
    named_by_user = set(named)
    has_rows = any(plain_name(str(name)) in NO_VALUES for name in columns)
    if is_wide and is_designed and not (has_rows or named.keys() - {"score", "loss"}):
        columns = _numbered_rows(columns)
    fit = recognise(columns, named, is_wide)
    layout = fit.layout
    roles = dict(fit.roles)
    if layout.unit == SINGLE:
        raise UnclearTableError(f"{layout.bring}.")
    if layout.unit == PREDICTIONS:
        roles |= {
            role: user_roles[role] for role in ("score", "loss") if role in user_roles
        }
        return Reading(layout, columns, roles, named=roles)
    if layout.unit == CANDIDATES:
        roles = metric_of_search(fit, roles, user_roles)
        return Reading(layout, columns, roles, named=roles)
    columns, rows, left_out = without_summaries(columns, roles)
    refuse_holes(columns, roles, rows)
    if "metric" in roles:
        columns, roles = rows_of_metric(columns, fit, roles, user_roles)
    elif layout.spread:
        used = {*roles.values(), *fit.values}
        left_out += [str(name) for name in columns if name not in used]
        options = {"rows": rows, "is_wide": is_wide, "is_designed": is_designed}
        columns, roles = long_table(columns, fit, roles, user_roles, **options)
    else:
        roles |= one_value(fit, columns, user_roles)
    (value,) = (roles[role] for role in ("score", "loss") if role in roles)
    values = as_numbers(value, columns[value], has_holes=True, rows=rows)
    columns = columns | {value: values}
    named = _named(fit, roles)
    check_resampling(columns, roles.pop("how", None), is_designed)
    columns, roles = with_names(columns, roles)
    if layout.is_numbered:
        columns, roles = with_numbers(columns, roles)
    columns = means_of(layout, columns, roles)
    if layout.unit == FOLDS:
        columns, failed = _datasets_of_folds(columns, roles)
        left_out += failed
        roles = _of_folds(roles)
        named = _of_folds(named)
    check_rows(layout, columns, roles, is_designed or layout.is_one_cv)
    if "example" not in named_by_user:
        check_examples(layout, columns, roles)
    cv = len(distinct(columns[roles["fold"]])) if layout.is_one_cv else None
    reading = Reading(
        layout, columns, roles, left_out=tuple(left_out), named=named, cv=cv
    )
    return in_shares(reading, fit, percent)


def _columns_named(user_roles, columns):
    """Return {role: column} of what a user named, each found in the table."""
    named = {}
    for role, name in user_roles.items():
        if role not in ("score", "loss"):
            named[role] = check_column(role, name, columns)
    return named | _named_values(user_roles, columns)


def _datasets_of_folds(columns, roles):
    """Return columns without models that failed on a data set, and who did."""
    if "dataset" not in roles:
        return columns, []
    if len(distinct(columns[roles["dataset"]])) == 1:
        del roles["dataset"]
        return columns, []
    return without_failures(columns, roles)


def _of_folds(roles):
    """Return roles in which runs are repeats of folds, and sizes are two or none.

    Without folds, runs are random splits, each of which is a fold.
    """
    if "run" in roles:
        part = "repeat" if "fold" in roles else "fold"
        roles = roles | {part: roles["run"]}
        del roles["run"]
    if "n_train" in roles and "n_test" in roles:
        return roles
    return {role: roles[role] for role in roles if role not in ("n_train", "n_test")}


def _filled(roles):
    """Return the roles that have a column."""
    return {role: name for role, name in roles.items() if name is not None}


def _named(fit, roles):
    """Return the columns of roles that are columns of the file."""
    columns = {*fit.roles.values(), *fit.values}
    return {role: name for role, name in roles.items() if name in columns}


def _named_values(user_roles, columns):
    """Return {"score" or "loss": column} where the user names a column of the table."""
    for role in ("score", "loss"):
        if role in user_roles:
            try:
                return {role: check_column(role, user_roles[role], columns)}
            except ValueError:  # what the values of a wide table are called
                return {role: user_roles[role]}
    return {}


def _numbered_rows(columns):
    """Return columns with the number of each row as its fold."""
    n_rows = len(next(iter(columns.values())))
    return {"fold": list(range(n_rows)), **columns}
