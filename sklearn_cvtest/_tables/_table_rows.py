"""The rows of a long table: of which model, fold, run and example each is."""

import re
from typing import NamedTuple

import numpy as np

from .._splits._groups import checked_groups
from .._validation import ONE_MODEL, first_few, invalid_words
from ._column_types import NumberTexts, numbered, sorted_distinct
from ._table_columns import is_hole

INTEGER = re.compile(r"[+-]?[0-9]+")
MAX_SHOWN = 3
# What rows may be that are there twice.
ROLES = {
    "repeat": "repeats",
    "dataset": "data sets",
    "example": "test examples",
    "run": "runs",
}


class Codes(NamedTuple):
    """A column as integers.

    Attributes
    ----------
    codes : ndarray of shape (n_rows,)
        The number of the value in each row.
    labels : sequence of str
        The values, as text.
    """

    codes: np.ndarray
    labels: list


def encode(name, column, *, are_names=False):
    """Return the Codes of a column; a value that is missing is an error.

    Names (`are_names`) are numbered as they come; other values by their order, so that
    the order of rows does not matter, and integers by number. 1 and "1" are one value;
    of names, they are an error.
    """
    codes, values = numbered(column)
    is_array = isinstance(column, np.ndarray)
    if any(map(is_hole, values[-1:] if is_array else values)):  # nan is the last
        row = next(n for n, cell in enumerate(column) if is_hole(cell))
        allowed = "without missing values"
        raise invalid_words(f"table[{name!r}]", allowed, f"one in row {row}")
    if is_array and column.dtype.kind in "iu" and not are_names:
        return Codes(codes, NumberTexts(values))  # in order
    texts = list(map(str, values))
    labels = list(dict.fromkeys(texts))
    if not are_names:
        are_integers = all(map(INTEGER.fullmatch, labels))
        labels.sort(key=int if are_integers else None)
    elif len(labels) < len(texts):
        twice = next(label for label in labels if texts.count(label) > 1)
        values_text = " and ".join(
            repr(value) for value in values if str(value) == twice
        )
        raise invalid_words(
            f"table[{name!r}]", "names that differ as text", values_text
        )
    place = {label: number for number, label in enumerate(labels)}
    return Codes(np.array([place[text] for text in texts])[codes], labels)


def _counted(ordered):
    """Return the different ones of cells in ascending order, and how often each is."""
    starts = np.flatnonzero(np.diff(ordered, prepend=-1))
    return ordered[starts], np.diff(starts, append=len(ordered))


class Rows(dict):
    """The Codes of the columns that say what the rows of a long table are, by role.

    Parameters
    ----------
    columns : dict of str to sequence
        The columns by name.
    names : dict of str to str or None
        The column of each role, such as "model" and "fold"; None for none.
    """

    def __init__(self, columns, names):
        self.names = names
        super().__init__(
            {
                role: encode(name, columns[name], are_names=role == "model")
                for role, name in names.items()
                if name is not None
            }
        )

    def part(self, mask):
        """Return some of the rows."""
        columns = {
            self.names[role]: np.array(labels, dtype=object)[codes[mask]]
            for role, (codes, labels) in self.items()
        }
        return Rows(columns, self.names)

    def cells(self, *roles):
        """Return the number of the cell of each row, by the roles that there are."""
        columns = [self[role] for role in roles if role in self]
        codes, labels = zip(*columns, strict=True)
        if len(columns) == 1:
            return codes[0]
        return np.ravel_multi_index(codes, list(map(len, labels)))

    def by_model(self, *roles, expected=None):
        """Return the rows of each model in the order of their cells, a list.

        Parameters
        ----------
        *roles : str
            What cells are of. Each model must have one row for each of its cells.
        expected : callable, default=None
            Returns the cells that there have to be of the rows of a model; None stands
            for all that any model has.
        """
        model = self["model"]
        if len(model.labels) < 2:
            models_text = f"{len(model.labels)}: {', '.join(map(repr, model.labels))}"
            allowed = "at least two models"
            raise invalid_words(
                self.names["model"], allowed, models_text, hint=ONE_MODEL
            )
        cell = self.cells(*roles)
        every = None if expected else sorted_distinct(cell)
        by_model = []
        for number, name in enumerate(model.labels):
            rows = np.flatnonzero(model.codes == number)
            needed = expected(rows) if expected else every
            if not np.array_equal(cell[rows], needed):
                rows = rows[np.argsort(cell[rows], kind="stable")]
                self._check_cells(name, cell[rows], needed, roles)
            by_model.append(rows)
        return by_model

    def _check_cells(self, name, ordered, needed, roles):
        """Raise if a model has several rows for a cell, or none."""
        if np.array_equal(ordered, needed):
            return
        cells, counts = _counted(ordered)
        several = cells[counts > 1]
        if len(several):
            raise self._wrong("several", name, several, roles)
        missing = needed[~np.isin(needed, cells, assume_unique=True)]
        if len(missing):
            raise self._wrong("none", name, missing, roles)

    def _wrong(self, frequency, name, cells, roles):
        """Return the error for cells of which a model has no row, or several."""
        roles = [role for role in roles if role in self]
        sizes = [len(self[role].labels) for role in roles]
        cell_texts = []
        hint = ""
        for place in np.transpose(np.unravel_index(cells[: MAX_SHOWN + 1], sizes)):
            labels = [
                f"{role} {self[role].labels[number]}"
                for role, number in zip(roles, place, strict=True)
            ]
            cell_texts.append(", ".join(labels))
        cells_text = first_few(cell_texts, MAX_SHOWN, "; ")
        if frequency == "several":
            hint = "".join(
                f" If rows are {role_text}, name their column in `{role}`."
                for role, role_text in ROLES.items()
                if role in self.names and role not in self
            )
        unit = f"{', '.join(['model', *roles[:-1]])} and {roles[-1]}"
        return ValueError(
            f"`table` must have one row for each {unit}; got {frequency} of {name!r} "
            f"for {cells_text}.{hint}"
        )

    def one_each(self, values, parameter, has_one):
        """Return the value of each example, which is the same in all of its rows."""
        codes, labels = self["example"]
        values_of_codes, wrong = one_each(values, codes)
        if wrong is not None:
            raise ValueError(
                f"`{parameter}` must {has_one} for each example; got several of "
                f"example {labels[codes[wrong]]}."
            )
        return values_of_codes

    def groups(self):
        """Return the group of each example, None without groups."""
        if "group" not in self:
            return None
        codes = self.one_each(self["group"].codes, "table", "have one group")
        return checked_groups(codes)


def one_each(values, codes):
    """Return the value of each code, and the first row with another one, or None."""
    last = np.zeros(codes.max() + 1, dtype=np.intp)
    last[codes] = np.arange(len(values))
    values_of_codes = values[last]
    wrong = np.flatnonzero(values != values_of_codes[codes])
    return values_of_codes, wrong[0] if len(wrong) else None
