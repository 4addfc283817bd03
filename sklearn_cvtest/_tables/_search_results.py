"""The `cv_results_` of a search as they were before they were written to a file."""

import ast
import re

import numpy as np

from .._validation import invalid_words
from ._table_checks import MOST_FOLDS, ask_of_folds, ask_of_missing
from ._table_columns import as_numbers
from ._unclear import UnclearTableError


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
    by_name = {str(name).lower(): cells for name, cells in columns.items()}
    is_score = re.compile(rf"(split\d+_test_){re.escape(metric.lower())}").fullmatch
    results = {}
    for name, cells in by_name.items():
        match = is_score(name)
        if match:
            scores = as_numbers(name, cells, has_holes=True)
            results[match[1] + metric] = scores
    _check_splits(by_name, metric, results)
    return {"params": [_parameters(cell) for cell in by_name["params"]], **results}


def _check_splits(columns, metric, results):
    """Ask about splits that are missing: by their numbers, and by the mean of all."""
    numbers = sorted(int(re.match(r"split(\d+)", name)[1]) for name in results)
    ask_of_missing("The splits", numbers)
    mean = f"mean_test_{metric.lower()}"
    if mean in columns:
        means = np.mean(list(results.values()), axis=0)
        told = as_numbers(mean, columns[mean], has_holes=True)
        if not np.allclose(means, told, equal_nan=True):
            raise UnclearTableError(
                f"The column {mean!r} is not the mean of the {len(results)} splits: "
                "is one missing? Bring all of them."
            )


def _parameters(cell):
    """Return the parameters that a cell holds; of other objects, their text."""
    if isinstance(cell, dict):
        return cell
    try:
        parameters = ast.literal_eval(cell)
    except (TypeError, ValueError, SyntaxError):  # the repr of estimators is no literal
        return {"params": str(cell)}
    if not isinstance(parameters, dict):
        allowed = "a column of dicts of parameters"
        raise invalid_words("table['params']", allowed, repr(cell))
    return parameters


def n_splits_of_search(results):
    """Return the number of splits, the folds of one cross-validation; ask of many."""
    n_splits = len(results) - 1
    if n_splits > MOST_FOLDS:
        question = f"Are the {n_splits} splits the folds of one cross-validation?"
        raise ask_of_folds(question, n_splits)
    return n_splits
