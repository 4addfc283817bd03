"""The differences of pairs of estimators on each of many data sets."""

from dataclasses import replace
from typing import NamedTuple

import numpy as np

from .._inference._scale_free import (
    log_ratio_residuals,
    logit_residuals,
    relative_residuals,
)
from .._pairs._table import pair_table
from .._validation import invalid_words

__all__ = ["SCALES", "DatasetDifferences", "differences_on_datasets"]

SCALES = (None, "relative", "log", "logit")


class DatasetDifferences(NamedTuple):
    """What was found of E estimators on D data sets; as in DatasetComparison.

    Attributes
    ----------
    mean_losses : ndarray of shape (D, E)
        nan where there are none.
    estimates, standard_errors, dfs : ndarray of shape (n_pairs, D)
        nan where one of the two was not evaluated.
    marks : ndarray of shape (n_pairs, D)
        1 where the second is significantly better, -1 where the first is.
    left_out : dict of str to list of str
        The estimators left out of data sets with failed fits.
    """

    mean_losses: np.ndarray
    estimates: np.ndarray
    standard_errors: np.ndarray
    dfs: np.ndarray
    marks: np.ndarray
    left_out: dict


def differences_on_datasets(
    losses, tests, names, positions, *, alpha, scale, reference
):
    """Test pairs of estimators on each data set.

    Parameters
    ----------
    losses, tests : dict of str to CVLosses, dict of str to test
        By data set.
    names : tuple of str
        All estimators.
    positions : ndarray of shape (n_pairs, 2)
        The pairs, of positions in `names`.
    alpha, scale, reference : float, str or None, str or None
        As in :func:`compare_over_datasets`.

    Returns
    -------
    found : DatasetDifferences
        One column for each data set.
    """
    shape = len(positions), len(losses)
    estimates, errors, dfs = (np.full(shape, np.nan) for _ in range(3))
    marks = np.zeros(shape, dtype=int)
    means, left_out = np.full((len(losses), len(names)), np.nan), {}
    for column, (dataset, of_dataset) in enumerate(losses.items()):
        failed = of_dataset.failed_splits()
        if failed:
            left_out[dataset] = list(failed)
        place = {
            name: position
            for position, name in enumerate(of_dataset.estimator_names)
            if name not in failed
        }
        for name, position in place.items():
            mean = of_dataset.mean_losses[position]
            means[column, names.index(name)] = _rounded(mean)
        rows, pairs = _evaluated(names, positions, place)
        if not rows:
            continue
        test, baseline = tests[dataset], place.get(reference)
        found = pair_table(test, of_dataset, pairs, alpha=alpha, p_adjust=None)
        marks[rows, column] = np.sign(found.direction) * (found.winner >= 0)
        if scale is not None:
            found = _on_scale(scale, dataset, of_dataset, pairs, baseline, test)
        estimates[rows, column] = found.estimate
        errors[rows, column] = found.standard_error
        dfs[rows, column] = found.df
    return DatasetDifferences(means, estimates, errors, dfs, marks, left_out)


def _evaluated(names, positions, place):
    """Return the rows of the pairs evaluated on a data set, and the pairs there."""
    rows, pairs = [], []
    for row, pair in enumerate(positions):
        there = [place.get(names[position]) for position in pair]
        if None not in there:
            rows.append(row)
            pairs.append(there)
    return rows, np.array(pairs)


def _rounded(value):
    """Return a number with twelve digits: the same but for rounding is a tie."""
    return float(f"{value:.12g}")


def _on_scale(scale, dataset, losses, pairs, baseline, test):
    """Return what a test finds of scale-free differences of pairs."""
    stack = losses.pair_residuals(pairs)
    by_estimator = losses.losses.T
    first, second = by_estimator[pairs[:, 0]], by_estimator[pairs[:, 1]]
    all_means = losses.mean_losses
    means = [all_means[pairs[:, 0]], all_means[pairs[:, 1]]]
    try:
        if scale == "relative":
            base = pairs[:, 1] if baseline is None else np.full(len(pairs), baseline)
            means = (*means, all_means[base])
            values = relative_residuals(first, second, by_estimator[base], means=means)
        elif scale == "log":
            values = log_ratio_residuals(first, second, means=means)
        else:
            n = None if losses.n_test is None else losses.n_test.sum()
            values = logit_residuals(first, second, means=means, n_examples=n)
    except ValueError as error:
        what = f"possible on data set {dataset!r}"
        raise invalid_words("scale", what, f"{scale!r}: {error}") from None
    return test.evaluate(replace(stack, values=values, magnitude=None))
