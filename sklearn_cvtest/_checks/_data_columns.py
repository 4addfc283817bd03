"""Columns of X in any container, which of their values are equal, and may be groups.

The same data give the same answer as an array, a data frame, a sparse matrix or a list,
as numbers or strings, and as one column or its one-hot columns.
"""

import contextlib
import re
from typing import NamedTuple

import numpy as np
from scipy import sparse

from .._losses._kept_values import MOST_ROWS
from .._validation import as_numpy, is_missing

# Columns that are looked at one by one. With twice as many, wide tables take twice as
# long; nothing else changes.
MOST_COLUMNS = 1000
# Values of a column that rows may share, at least (docs/data/hidden_dependence.csv).
# Twice as many, and fewer tables of few patients are warned of.
FEWEST = 5
# Names of columns whose equal values may stand anywhere.
NAMED = re.compile(
    r"(?i:(^|_|\W)(id|patient|subject|person|participant|user|customer|client|family|"
    r"household|school|hospital|site|session|batch|group)s?(\W|_|$))|[a-z]I[dD]$"
)


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
        where = f"X[:, {number}]"
        name = ""
        if self.is_frame:
            name = str(self.names[number])
            where = f"X[{self.names[number]!r}]"
        return Column(where, where, name, as_numbers(self.values(number)))

    def columns(self):
        """Return all columns; one-hot columns of one feature are one column.

        Returns
        -------
        columns : list of Column
            In the order of X.
        """
        columns = []
        dummies = []  # consecutive ones, of which at most one is 1 in a row
        active = np.zeros(self.n_rows, dtype=bool)  # where one of these is
        for number in range(min(self.n_columns, MOST_COLUMNS)):
            column = self.column(number)
            is_one = dummy(column.values)
            if is_one is None or np.any(active & is_one):
                columns += self._merged(dummies)
                dummies = []
                active = np.zeros(self.n_rows, dtype=bool)
            if is_one is None:
                columns.append(column)
            else:
                active = active | is_one
                dummies.append((number, column, is_one))
        columns += self._merged(dummies)
        return columns

    def _merged(self, dummies):
        """Return consecutive columns of which at most one is 1 as one column."""
        if len(dummies) < 2:
            return [column for _, column, _ in dummies]
        code = np.zeros(self.n_rows, dtype=np.intp)
        for position, (_, _, is_one) in enumerate(dummies):
            code[is_one] = position + 1
        first = dummies[0][0]
        last = dummies[-1][0]
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
    first = np.unique(values[:20])  # these tell most columns of numbers
    if len(first) > 2:
        return None
    low = values.min()
    high = values.max()
    is_high = values == high
    is_low = values == low
    if low == high or not np.all(is_high | is_low):  # nor of nan
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
    hashes = [_hash(value) for value in values.tolist()]
    return np.array(hashes, dtype=np.int64).view(np.uint64)


def _hash(value):
    """Return the hash of a value, of a list or the like the hash of its text."""
    if is_missing(value):
        return 0
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
        if len(rows) < len(values):
            values = values[rows]
        keys = mixed(keys, words(values))
        if n_mixed & (n_mixed - 1) == 0:  # after 1, 2, 4, 8, ... columns
            rows, keys = _of_more_than_one(rows, keys)
        if not len(rows):
            break
    rows, keys = _of_more_than_one(rows, keys)
    return rows, np.unique(keys, return_inverse=True)[1]


def _fastest_first(tables):
    """Return (table, number) of all columns, floats before what takes long to hash."""
    floats = []
    integers = []
    others = []
    for table in tables:
        dtypes = [getattr(table.data, "dtype", None)] * table.n_columns
        if table.is_frame:
            dtypes = list(table.data.dtypes)
        for number, dtype in enumerate(dtypes):
            dtype_name = str(dtype).lower()
            if "float" in dtype_name:
                floats.append((table, number))
            elif "int" in dtype_name:
                integers.append((table, number))
            else:
                others.append((table, number))
    return floats + integers + others


def mixed(keys, column):
    """Return keys of rows with one more column."""
    # 2^64 over the golden ratio, as in Fibonacci hashing: it spreads bits upwards, and
    # the shift brings them down again
    keys = (keys ^ column) * np.uint64(0x9E3779B97F4A7C15)
    return keys ^ (keys >> np.uint64(29))


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


# Columns whose equal values may be groups -------------------------------------------


class SharedValue(NamedTuple):
    """Equal values of a column, whose rows may belong together.

    Attributes
    ----------
    where : str
        Code of the column.
    groups : str
        Code of its values, as it may be passed for `groups`.
    code : ndarray of int
        Of the rows that are looked at, numbered in the order they come in.
    is_together : bool
        Whether equal values stand in adjacent rows.
    """

    where: str
    groups: str
    code: np.ndarray
    is_together: bool


def read_columns(X):
    """Return columns with values that rows may share, and whether X is sorted by one.

    At least ten values stand in adjacent rows each; or at least five stand anywhere,
    and the name is of such things, as is an index with repeated labels. How values are
    coded makes no difference.

    Parameters
    ----------
    X : array-like, sparse matrix or data frame
        The features.

    Returns
    -------
    shared : list of SharedValue
        What may be groups.
    in_order : bool
        Whether rows are sorted by a column that does not just count them.
    """
    shared = []
    in_order = False
    columns = Table(X, MOST_ROWS).columns()
    columns += _index_of(X)
    for column in columns:
        in_order |= is_in_order(column.values)
        is_named = bool(NAMED.search(column.name))
        if not is_named and _changes(column.values):
            continue
        code = coded(column.values)
        n_values = code.max() + 1
        n_runs = 1 + np.count_nonzero(np.diff(code))
        if not FEWEST <= n_values <= len(code) / 2:
            continue
        in_order |= n_runs == n_values
        is_together = n_runs <= 1.25 * n_values  # each in about one run of rows
        # with fewer, X may just be sorted by a column of few values
        is_shared = n_values >= 10 if is_together else is_named
        if is_shared:
            value = SharedValue(column.where, column.groups, code, is_together)
            shared.append(value)
    return shared, in_order


def _changes(values):
    """Whether most of the first values differ from the one before."""
    first = words(values[:200])
    n_changes = np.count_nonzero(first[1:] != first[:-1])
    return n_changes > 0.75 * len(first)


def _index_of(X):
    """Return the index of a data frame if labels are repeated there, as a column."""
    if not hasattr(X, "iloc") or X.index.is_unique:
        return []
    return [Column("X.index", "X.index", "group", np.asarray(X.index[:MOST_ROWS]))]


def is_in_order(values):
    """Whether numbers only rise, or only fall, and do not just count the rows."""
    first = values[:5]  # most columns are out of order at once
    if values.dtype.kind not in "iuf" or not is_monotone(first):
        return False
    if not is_monotone(values):
        return False
    steps = np.abs(np.diff(values.astype(np.float64)))
    largest = steps.max(initial=0)
    smallest = steps.min(initial=0)
    is_even = largest - smallest <= 1e-6 * largest
    return not is_even and np.count_nonzero(steps) >= FEWEST


def is_monotone(values):
    """Whether no number is below the last, or none above it."""
    never_falls = np.all(values[1:] >= values[:-1])
    never_rises = np.all(values[1:] <= values[:-1])
    return bool(never_falls or never_rises)
