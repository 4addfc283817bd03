"""Copies of training rows in test sets, as oversampling before the split makes them.

Rows of few discrete values are identical by chance, too, and then nothing is wrong. How
many these would be is known from rows that are almost identical: with p_j the
probability that two rows agree in column j, and o_j = (1 - p_j)/p_j, the pairs that
differ in no column, in one and in two are as 1 : Σ_j o_j : Σ_{j<k} o_j o_k, so that

    N_0 = (N_1² - Σ_j N_1j²) / (2 N_2).
"""

import numpy as np
from scipy.stats import poisson

from .._compat import n_rows, take_rows
from ..exceptions import DependentRowsWarning
from ._check_sentences import copied_rows
from ._data_columns import MOST_COLUMNS, Table, repeated_rows, words

# Share of the test rows that have a copy in their training set, up to which nothing is
# said. Doubled, a few per cent of copies, which move p-values, would be no matter.
MIN_SHARE = 0.01
# Values that are compared with one row. Doubled, this check takes twice as long.
MOST_CELLS = 3_000_000


def duplicate_warnings(plan):
    """Return the warning of test rows with an identical row in their training set.

    Parameters
    ----------
    plan : Plan
        What was fitted.

    Returns
    -------
    warnings : list of (str, type)
        At most one message, and its category.
    """
    X = plan.data.X
    y = plan.data.y
    rows, codes = repeated_rows(X, y)
    if len(rows) < MIN_SHARE * n_rows(X):
        return []
    code_of_row = np.full(n_rows(X), -1)  # of rows that are alone
    code_of_row[rows] = codes
    # ten splits are enough to tell, and take little time
    n_copied, n_tested = copies_in_training(plan.splits[:10], code_of_row)
    if n_copied <= MIN_SHARE * n_tested or not exceeds_chance(X, y, rows, codes):
        return []
    message = copied_rows(n_copied / n_tested, groups_of_copies(X))
    return [(message, DependentRowsWarning)]


def copies_in_training(splits, code_of_row):
    """Return how many test rows have an identical training row, and how many there are.

    Parameters
    ----------
    splits : list of (ndarray, ndarray)
        Indices of training and test sets.
    code_of_row : ndarray of int
        The same for identical rows; -1 of rows that are alone.
    """
    n_copied = n_tested = 0
    for train, test in splits:
        n_tested += len(test)
        is_trained = np.zeros(code_of_row.max() + 2, dtype=bool)
        is_trained[code_of_row[train]] = True
        is_trained[-1] = False
        n_copied += np.count_nonzero(is_trained[code_of_row[test]])
    return n_copied, n_tested


def exceeds_chance(X, y, rows, codes):
    """Whether clearly more rows are repeated than chance gives."""
    n_repeated = codes.max() + 1
    _, first_of_code = np.unique(codes, return_index=True)
    is_first = np.ones(n_rows(X), dtype=bool)
    is_first[rows] = False
    is_first[rows[first_of_code]] = True
    distinct = np.flatnonzero(is_first)
    if _n_columns(X) == 1 and n_repeated > len(distinct) / 2:
        return False  # of a single category
    expected = repeats_by_chance(X, y, distinct) * len(distinct)
    # at least twice as many as expected, and more than the 0.2 that chance gives where
    # no two rows are almost identical; as many have a probability of 0.002 at most
    largest_expected = 2 * expected + 0.2
    return poisson.sf(n_repeated - 1, largest_expected) < 0.002


def _n_columns(X):
    """Return the number of values in a row."""
    return int(np.prod(np.shape(X)[1:]))


def repeats_by_chance(X, y, distinct):
    """Return the share of distinct rows that chance would repeat.

    Parameters
    ----------
    X, y : array-like
        The data.
    distinct : ndarray of int
        One row of each that is different.
    """
    rng = np.random.RandomState(0)
    n_columns = max(_n_columns(X), 1)
    n_columns_read = min(n_columns, MOST_COLUMNS)
    n_rows_compared = min(3000, MOST_CELLS // n_columns_read)
    n_distinct = len(distinct)
    if n_distinct > n_rows_compared:
        distinct = rng.choice(distinct, n_rows_compared, replace=False)
        distinct = np.sort(distinct)
    features = take_rows(X, distinct)
    tables = [Table(features)]
    repeated, _ = repeated_rows(features)
    is_function = n_columns > 1 and len(repeated) == 0
    if y is not None and not is_function:  # which would repeat no fewer rows
        tables.append(Table(take_rows(y, distinct)))
    columns = []
    for table in tables:
        columns += table.columns()
    cells = np.stack([words(column.values) for column in columns], axis=1)
    n_first = min(200, 10 * MOST_CELLS // cells.size)
    first = rng.permutation(len(cells))[:n_first]
    one, two = almost_identical(cells, first)
    # of all distinct rows, not of those that are compared
    scale = n_distinct / len(cells) / len(first)
    n_pairs = one.sum() ** 2 - np.sum(one**2)
    return scale * n_pairs / (2 * max(two, 1))


def almost_identical(cells, first):
    """Return how many pairs of rows differ in one column, of each, and how many in two.

    Parameters
    ----------
    cells : ndarray of shape (n_rows, n_columns)
        Integers.
    first : ndarray of int
        The rows that are compared with all.
    """
    one = np.zeros(cells.shape[1])
    two = 0
    for row in first:
        differs = cells != cells[row]
        n_different = np.count_nonzero(differs, axis=1)
        one += differs[n_different == 1].sum(axis=0)
        two += np.count_nonzero(n_different == 2)
    return one, two


def groups_of_copies(X):
    """Return code that gives copies of a row the same group."""
    if hasattr(X, "iloc") and hasattr(X, "columns"):
        return "X.groupby(list(X.columns), dropna=False).ngroup()"
    if hasattr(X, "hash_rows"):  # of polars
        return "X.hash_rows()"
    if isinstance(X, np.ndarray) and X.dtype.kind in "biuf":
        return "np.unique(X, axis=0, return_inverse=True)[1]"
    return "an id of identical rows"
