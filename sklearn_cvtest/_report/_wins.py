"""Wins, ties and losses against a baseline over data sets, as WEKA prints them."""

import numpy as np

from .._validation import invalid_words
from ._format import format_number, one_line, text_table

__all__ = ["win_tie_loss", "wins_rows", "wins_text"]

MISSING = "-"


def win_tie_loss(marks, present=None):
    """Count wins, ties and losses of each estimator against the baseline.

    Parameters
    ----------
    marks : ndarray of shape (n_datasets, n_estimators)
        1 where the estimator is significantly better than the baseline, -1 where it is
        significantly worse, else 0.
    present : ndarray of bool of that shape, default=None
        False where the two were not compared; None: all were.

    Returns
    -------
    ndarray of shape (3, n_estimators)
        Numbers of data sets with a win, a tie and a loss.
    """
    marks = np.asarray(marks)
    present = np.ones(marks.shape, dtype=bool) if present is None else present
    return np.array([np.sum((marks == sign) & present, axis=0) for sign in (1, 0, -1)])


def wins_rows(values, marks, datasets, estimators, baseline=0, signs=("o", "*")):
    """Return headers and rows of the table of data sets by estimators.

    Parameters
    ----------
    values : ndarray of shape (n_datasets, n_estimators)
        Mean losses; nan where there is none.
    marks : ndarray of that shape
        As for `win_tie_loss`; the baseline's own column is not read.
    datasets, estimators : list of str
        Names.
    baseline : int, default=0
        Position of the baseline, whose column comes first.
    signs : tuple of two str, default=("o", "*")
        Marks of an estimator that is better, and of one that is worse.

    Returns
    -------
    headers : list of str
        "", the baseline, the others.
    rows : list of list of str
        A row for each data set: its name, and mean losses with a mark. The last has the
        sums: wins/ties/losses.

    Raises
    ------
    ValueError
        If the shapes do not agree.
    """
    values, marks = np.asarray(values, dtype=np.float64), np.asarray(marks)
    shape = len(datasets), len(estimators)
    for name, array in (("values", values), ("marks", marks)):
        if array.shape != shape:
            allowed = f"of shape {shape}, data sets by estimators"
            raise invalid_words(name, allowed, f"shape {array.shape}")
    others = [column for column in range(shape[1]) if column != baseline]
    is_known = np.isfinite(values) & np.isfinite(values[:, [baseline]])
    rows = [
        [
            one_line(datasets[row]),
            _cell(values[row, baseline]),
            *(
                f"{_cell(values[row, column])} "
                + _sign(is_known[row, column] * marks[row, column], signs)
                for column in others
            ),
        ]
        for row in range(shape[0])
    ]
    counts = win_tie_loss(marks, is_known)
    sums = ["/".join(map(str, counts[:, column])) for column in others]
    legend = f"{signs[0]}/ /{signs[1]}"
    headers = ["", *(one_line(estimators[column]) for column in (baseline, *others))]
    return headers, [*rows, ["", f"({legend})", *(f"({total})" for total in sums)]]


def _cell(value):
    return format_number(value) if np.isfinite(value) else MISSING


def _sign(mark, signs):
    """Return a mark, or as many blanks, so that numbers stay aligned."""
    if mark > 0:
        return signs[0]
    return signs[1] if mark < 0 else " " * len(signs[0])


def wins_text(values, marks, datasets, estimators, baseline=0, signs=("o", "*")):
    """Return the table of `wins_rows` as text, with a line that explains the marks.

    Examples
    --------
    >>> from sklearn_cvtest._report._wins import wins_text
    >>> losses = [[0.31, 0.25, 0.30], [0.12, 0.14, 0.12]]
    >>> marks = [[0, 1, 0], [0, -1, 0]]
    >>> print(wins_text(losses, marks, ["glass", "wine"], ["tree", "ridge", "bayes"]))
              tree     ridge     bayes
    -----  -------  --------  --------
    glass   0.3100  0.2500 o  0.3000
    wine    0.1200  0.1400 *  0.1200
           (o/ /*)   (1/0/1)   (0/2/0)
    o significantly better, * significantly worse than tree
    """
    headers, rows = wins_rows(values, marks, datasets, estimators, baseline, signs)
    table = text_table(headers, rows, "<" + ">" * len(estimators))
    better, worse = signs
    return (
        f"{table}\n{better} significantly better, {worse} significantly worse than "
        f"{headers[1]}"
    )
