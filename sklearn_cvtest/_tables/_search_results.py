"""The `cv_results_` of a search as they were before they were written to a file."""

import ast
import re

from .._validation import invalid_words
from ._columns import as_numbers
from ._unclear import UnclearTableError

MOST_SPLITS = 10  # of one cross-validation; more are likely to be of several


def results_of_search(columns, metric):
    """Return `cv_results_` with parameters as dicts and scores as numbers.

    Parameters
    ----------
    columns : dict of str to list
        The columns of a file.
    metric : str
        The metric, whose scores are kept.

    Returns
    -------
    results : dict
        `params`, and the scores of each split.
    """
    is_score = re.compile(rf"split\d+_test_{re.escape(metric)}").fullmatch
    results = {
        name: as_numbers(name, cells)
        for name, cells in columns.items()
        if is_score(name)
    }
    return {"params": [_parameters(cell) for cell in columns["params"]], **results}


def _parameters(cell):
    """Return the parameters that a cell holds; of other objects, their text."""
    if isinstance(cell, dict):
        return cell
    try:
        parameters = ast.literal_eval(cell)
    except (ValueError, SyntaxError):  # of estimators, whose repr is no literal
        return {"params": str(cell)}
    if not isinstance(parameters, dict):
        allowed = "a column of dicts of parameters"
        raise invalid_words("table['params']", allowed, repr(cell))
    return parameters


def n_splits_of_search(results, most=MOST_SPLITS):
    """Return the number of splits, which are folds of one cross-validation; ask of many."""
    n_splits = len(results) - 1
    if n_splits <= most:
        return n_splits
    answers = [({"cv": n_splits}, f", for one {n_splits}-fold cross-validation")]
    usual = next((k for k in (10, 5, 3, 2) if n_splits % k == 0 and n_splits > k), None)
    if usual:
        repeats = f"{n_splits // usual}x{usual}"
        answers.append(
            ({"cv": repeats}, f", for {n_splits // usual} repeats of {usual} folds")
        )
    question = f"Are the {n_splits} splits the folds of one cross-validation?"
    raise UnclearTableError(question, *answers)
