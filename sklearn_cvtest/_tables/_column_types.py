"""Columns of large files as arrays, and what is asked of a column of any type.

A column is a list of cells, an array of numbers, or a TextColumn.
"""

import math
from collections.abc import Sequence

import numpy as np


class TextColumn(Sequence):
    """A column of text in which few texts are repeated.

    Parameters
    ----------
    codes : ndarray of shape (n_rows,)
        The number of the text in each row.
    texts : list of str
        Different texts; those of no row are left out.
    """

    def __init__(self, codes, texts):
        used = sorted_distinct(codes)
        if len(used) < len(texts):
            codes = _places(codes, used)
            texts = [texts[code] for code in used.tolist()]
        self.codes = codes
        self.texts = texts

    def __len__(self):
        return len(self.codes)

    def __getitem__(self, row):
        return self.texts[self.codes[row]]

    def __iter__(self):
        return map(self.texts.__getitem__, self.codes.tolist())


class NumberTexts(Sequence):
    """Numbers as text, each made when it is read."""

    def __init__(self, numbers):
        self.numbers = numbers

    def __len__(self):
        return len(self.numbers)

    def __getitem__(self, place):
        return str(self.numbers[place])


def distinct(column):
    """Return the different cells of a column; of an array, an array in their order."""
    if isinstance(column, TextColumn):
        return column.texts
    if isinstance(column, np.ndarray):
        return sorted_distinct(column)
    return list(dict.fromkeys(column))


def n_distinct(column):
    """Return how many cells of a column differ as text."""
    return len(set(map(str, column)) if isinstance(column, list) else distinct(column))


def sorted_distinct(values):
    """Return the different values of an array in ascending order."""
    if _are_dense(values):
        first = values.min()
        is_there = np.zeros(int(values.max()) - int(first) + 1, dtype=bool)
        is_there[values - first] = True
        return np.flatnonzero(is_there) + first
    ordered = np.sort(values)
    is_first = np.ones(len(ordered), dtype=bool)
    is_first[1:] = ordered[1:] != ordered[:-1]
    return ordered[is_first]


def numbered(column):
    """Return the number of the cell of each row, and the different cells."""
    if isinstance(column, TextColumn):
        return column.codes, column.texts
    if isinstance(column, np.ndarray):
        cells = sorted_distinct(column)
        return _places(column, cells), cells
    place = {cell: number for number, cell in enumerate(dict.fromkeys(column))}
    codes = np.fromiter(map(place.__getitem__, column), np.intp, len(column))
    return codes, list(place)


def _are_dense(values):
    """Whether values are integers of which many between the ends are there."""
    if values.dtype.kind not in "iu" or not len(values):
        return False
    return int(values.max()) - int(values.min()) < 8 * len(values)


def _places(values, ascending):
    """Return where values are among the different ones of them, in ascending order."""
    if _are_dense(values):
        first = ascending[0]
        last = ascending[-1]
        place = np.empty(int(last) - int(first) + 1, dtype=np.intp)
        place[ascending - first] = np.arange(len(ascending))
        return place[values - first]
    return np.searchsorted(ascending, values)


def rows_of(column, rows):
    """Return some rows of a column."""
    if isinstance(column, TextColumn):
        return TextColumn(column.codes[rows], column.texts)
    if isinstance(column, np.ndarray):
        return column[rows]
    return [column[row] for row in np.asarray(rows).tolist()]


def repeated(column, times):
    """Return a column several times, below each other."""
    if isinstance(column, TextColumn):
        return TextColumn(np.tile(column.codes, times), column.texts)
    if isinstance(column, np.ndarray):
        return np.tile(column, times)
    return list(column) * times


def are_distinct(columns):
    """Whether no two rows have the same cells in all columns."""
    n_rows = len(columns[0])
    codes, cells = zip(*map(numbered, columns), strict=True)
    sizes = list(map(len, cells))
    if math.prod(sizes) < n_rows:
        return False
    return len(sorted_distinct(np.ravel_multi_index(codes, sizes))) == n_rows
