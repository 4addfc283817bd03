"""Columns of X in any container, and which of their values are equal.

The same data give the same answer as an array, a data frame, a sparse matrix or a list,
as numbers or strings, and as one column or its one-hot columns.
"""

import contextlib
from typing import NamedTuple

import numpy as np
from scipy import sparse

from .._validation import as_numpy, is_missing

MOST_COLUMNS = 1000  # that are looked at one by one
FIRST = 20  # values that tell most columns of numbers from one-hot columns
# Multiplier and shift by which the words of columns are mixed into one of the row.
ODD, SHIFT = np.uint64(0x9E3779B97F4A7C15), np.uint64(29)


class Column(NamedTuple):
    """A column of X, or one-hot columns taken as one.

    Attributes
    ----------
    where : str
        Code of the column, or of the columns.
    groups : str
        Code of its values, as it may be passed for `groups`.
    name : str
        Its name, "" if it has none.
    values : ndarray of shape (n_rows,)
        Its values.
    """

    where: str
    groups: str
    name: str
    values: np.ndarray


class Table:
    """X as columns that are read one at a time.

    Parameters
    ----------
    X : array-like, sparse matrix or data frame
        With a row for each example. More than two dimensions are taken as one row each,
        one dimension as a single column.
    n_rows : int, default=None
        Only the first rows; None: all.
    """

    def __init__(self, X, n_rows=None):
        X = as_numpy("X", X)  # from whatever array library
        self.is_frame = hasattr(X, "columns")
        self.is_pandas = hasattr(X, "iloc")
        self.is_sparse = sparse.issparse(X)
        if self.is_sparse:
            self.data = sparse.csc_matrix(X.tocsr()[:n_rows])
        elif self.is_frame:
            self.data = X[:n_rows] if n_rows is not None else X
        else:
            self.data = _as_two_dimensions(X[:n_rows])
        self.names = list(X.columns) if self.is_frame else None
        self.n_rows, self.n_columns = self.data.shape

    def values(self, number):
        """Return the values of a column."""
        if self.is_sparse:
            return self.data[:, [number]].toarray()[:, 0]
        if self.is_pandas and self.is_frame:
            return _of_pandas(self.data.iloc[:, number])
        if self.is_frame:
            return self.data[:, number].to_numpy()
        return self.data[:, number]

    def column(self, number):
        """Return a column with its name."""
        where, name = f"X[:, {number}]", ""
        if self.is_frame:
            name = str(self.names[number])
            where = f"X[{self.names[number]!r}]"
        return Column(where, where, name, as_numbers(self.values(number)))

    def columns(self):
        """Yield all columns; one-hot columns of one feature are one column.

        Yields
        ------
        column : Column
            The next.
        """
        dummies, active = [], None
        for number in range(min(self.n_columns, MOST_COLUMNS)):
            column = self.column(number)
            is_one = dummy(column.values)
            if is_one is None or (dummies and np.any(active & is_one)):
                yield from self._merged(dummies)
                dummies = []
            if is_one is None:
                yield column
                continue
            active = is_one if not dummies else active | is_one
            dummies.append((number, column, is_one))
        yield from self._merged(dummies)

    def _merged(self, dummies):
        """Return consecutive columns of which at most one is 1 as one column."""
        if len(dummies) < 2:
            return [column for _, column, _ in dummies]
        code = np.zeros(self.n_rows, dtype=np.intp)
        for position, (_, _, is_one) in enumerate(dummies):
            code[is_one] = position + 1
        first, last = dummies[0][0], dummies[-1][0]
        where = f"X[:, {first}:{last + 1}]"
        if self.is_pandas:
            where = f"X.iloc[:, {first}:{last + 1}]"
        rows = f"{where}.toarray()" if self.is_sparse else where
        groups = f"np.unique({rows}, axis=0, return_inverse=True)[1]"
        return [Column(where, groups, "", code)]


def _as_two_dimensions(X):
    """Return rows as an array with columns; lists of mixed types keep these."""
    array = np.asarray(X)
    is_mixed = isinstance(X, (list, tuple)) and array.dtype.kind not in "biufc"
    if is_mixed and array.ndim == 2:
        array = np.empty(array.shape, dtype=object)
        array[:] = X
    return array.reshape(len(array), -1)


def _of_pandas(series):
    """Return the values of a column of pandas, of categories their codes."""
    is_category = hasattr(series, "cat")
    if is_category and series.cat.categories.dtype.kind not in "biuf":
        return series.cat.codes.to_numpy()
    return series.to_numpy()


def as_numbers(values):
    """Return objects and strings that are numbers, or dates, as such; others as is."""
    if values.dtype.kind == "O":
        with contextlib.suppress(TypeError, ValueError, OverflowError):
            array = np.array(values.tolist())
            if array.ndim == 1 and array.dtype.kind in "biufUM":
                values = array
    if values.dtype.kind == "U":
        for dtype in (np.float64, "datetime64[us]"):
            with contextlib.suppress(ValueError):
                return as_numbers(values.astype(dtype))
    if values.dtype.kind in "mM":
        return values.astype(np.int64)
    return values


def dummy(values):
    """Return where a column of two numbers has the larger; None if it is no such."""
    if values.dtype.kind not in "biuf" or not len(values):
        return None
    if len(np.unique(values[:FIRST])) > 2:  # as in most columns
        return None
    low, high = values.min(), values.max()
    is_high = values == high
    if low == high or not np.all(is_high | (values == low)):  # nor of nan
        return None
    return is_high


def words(values):
    """Return an integer of 64 bits for each value, the same for equal values.

    Missing values count as equal.
    """
    dtype_kind = values.dtype.kind
    if dtype_kind in "biu":
        return values.astype(np.int64).view(np.uint64)
    if dtype_kind in "mM":
        return values.view(np.uint64)
    if dtype_kind == "f":
        numbers = values.astype(np.float64) + 0.0  # -0.0 is 0
        numbers[np.isnan(numbers)] = np.nan
        return numbers.view(np.uint64)
    hashes = [0 if is_missing(value) else _hash(value) for value in values.tolist()]
    return np.array(hashes, dtype=np.int64).view(np.uint64)


def _hash(value):
    """Return the hash of a value, of a list or the like the hash of its text."""
    try:
        return hash(value)
    except TypeError:
        return hash(repr(value))


def coded(values):
    """Return the number of each value in the order they come in."""
    _, first, code = np.unique(words(values), return_index=True, return_inverse=True)
    place = np.empty_like(first)
    place[np.argsort(first)] = np.arange(len(first))
    return place[code]


def repeated_rows(X, y=None):
    """Return the rows that are there more than once, and an integer of each.

    Parameters
    ----------
    X : array-like, sparse matrix or data frame
        The features.
    y : array-like, default=None
        The target, which is compared, too.

    Returns
    -------
    rows : ndarray of int
        Where they are.
    codes : ndarray of int
        The same for identical rows, from 0.
    """
    if sparse.issparse(X):
        rows = np.arange(X.shape[0])
        rows, keys = _of_more_than_one(rows, _keys_of_sparse(X))
        tables = []
    else:
        tables = [Table(X)]
        rows = np.arange(tables[0].n_rows)
        keys = np.zeros(len(rows), dtype=np.uint64)
    if y is not None:
        tables.append(Table(y))
    for n_mixed, (table, number) in enumerate(_fastest_first(tables), 1):
        values = table.values(number)
        keys = mixed(keys, words(values if len(rows) == len(values) else values[rows]))
        if n_mixed & (n_mixed - 1) == 0:  # after 1, 2, 4, 8, ... columns
            rows, keys = _of_more_than_one(rows, keys)
        if not len(rows):
            break
    rows, keys = _of_more_than_one(rows, keys)
    return rows, np.unique(keys, return_inverse=True)[1]


def _fastest_first(tables):
    """Return (table, number) of all columns, floats before what takes long to hash."""
    columns = []
    for table in tables:
        if table.is_frame:
            kinds = [str(dtype).lower() for dtype in table.data.dtypes]
        else:
            kinds = [str(table.data.dtype)] * table.n_columns
        for number, dtype_name in enumerate(kinds):
            rank = 0 if "float" in dtype_name else 1 if "int" in dtype_name else 2
            columns.append((rank, table, number))
    columns.sort(key=lambda column: column[0])
    return [(table, number) for _, table, number in columns]


def mixed(keys, column):
    """Return keys of rows with one more column."""
    keys = (keys ^ column) * ODD
    return keys ^ (keys >> SHIFT)


def _of_more_than_one(rows, keys):
    """Return the rows whose key is not alone, and their keys."""
    order = np.argsort(keys)
    in_order = keys[order]
    is_as_next = in_order[:-1] == in_order[1:]
    is_repeated = np.zeros(len(keys), dtype=bool)
    is_repeated[order[:-1][is_as_next]] = True
    is_repeated[order[1:][is_as_next]] = True
    return rows[is_repeated], keys[is_repeated]


def _keys_of_sparse(X):
    """Return a key of the values and columns of each row, whatever zeros are stored."""
    X = sparse.csr_matrix(X, copy=True)
    X.sum_duplicates()
    X.eliminate_zeros()
    column = X.indices.astype(np.uint64)
    cells = mixed(mixed(np.zeros_like(column), column), words(X.data))
    totals = np.concatenate([np.zeros(1, dtype=np.uint64), np.cumsum(cells)])
    return totals[X.indptr[1:]] - totals[X.indptr[:-1]]
