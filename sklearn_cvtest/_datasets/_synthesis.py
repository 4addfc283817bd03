"""The mean difference over data sets: Student's t test, each data set an observation.

Everything is vectorised over pairs: arrays have shape (..., D), with a value for each
data set, nan where a pair was not compared.
"""

from typing import NamedTuple

import numpy as np
from scipy import special

from .._inference._evaluation import EqualValues
from .._inference._zero_variance import equal_interval, equal_pvalue

ROUNDING = 8 * np.finfo(np.float64).eps  # of differences, relative to the largest


class Synthesis(NamedTuple):
    """A mean difference over data sets; every field has shape (...,).

    The standard error is infinite where fewer than two data sets have both models, and
    `df` is at least 1. `deviation` is the standard deviation of the differences.
    """

    estimate: np.ndarray
    standard_error: np.ndarray
    df: np.ndarray
    deviation: np.ndarray
    n_datasets: np.ndarray


def synthesise(differences):
    """Return the mean of differences over data sets, nan where there is none.

    Parameters
    ----------
    differences : array-like of shape (..., D)
        nan on a data set where a pair was not compared.

    Returns
    -------
    result : Synthesis
    """
    differences = np.asarray(differences, dtype=np.float64)
    present = np.isfinite(differences)
    n_datasets = present.sum(axis=-1)
    count = np.maximum(n_datasets, 1)
    mean = np.sum(differences, axis=-1, where=present) / count
    offsets = np.where(present, differences - mean[..., np.newaxis], 0)
    sizes = np.abs(differences).max(axis=-1, where=present, initial=0)
    are_same = np.abs(offsets).max(axis=-1) <= ROUNDING * sizes
    df = np.maximum(n_datasets - 1.0, 1.0)
    deviation = np.sqrt(np.where(are_same, 0, np.sum(offsets**2, axis=-1)) / df)
    error = np.where(n_datasets < 2, np.inf, deviation / np.sqrt(count))
    estimate = np.where(n_datasets == 0, np.nan, mean)
    return Synthesis(estimate[()], error[()], df[()], deviation[()], n_datasets)


def synthesis_pvalue(result, popmean=0.0, most=np.inf):
    """Return statistic and two-sided p-value of a mean difference of `popmean`.

    Differences on a data set are between -most and most; where all are the same, their
    number decides (`equal_pvalue`). With fewer than two data sets p is 1.
    """
    distance = np.asarray(result.estimate - popmean)
    with np.errstate(divide="ignore", invalid="ignore"):
        statistic = np.where(distance == 0, 0.0, distance / result.standard_error)
    is_unknown = np.isinf(result.standard_error)
    statistic = np.where(is_unknown, 0.0, statistic)
    pvalue = 2 * special.stdtr(result.df, -np.abs(statistic))
    pvalue = np.where(is_unknown, 1.0, pvalue)
    equal = _equal_differences(result, most)
    bound = equal_pvalue(result.estimate, popmean, "two-sided", equal)
    return statistic[()], np.where(equal.flat, bound, pvalue)[()]


def synthesis_interval(result, level=0.95, most=np.inf):
    """Return the mean differences that a test at size 1 - level does not reject."""
    return _interval(result, result.standard_error, level, most)


def prediction_interval(result, level=0.95, most=np.inf):
    """Return an interval for the difference on one more data set.

    It scatters about the mean like the others: t √(1 + 1/D) times their deviation.
    """
    error = np.hypot(result.deviation, result.standard_error)
    low, high = _interval(result, error, level, most)
    is_few = result.n_datasets < 3
    return np.where(is_few, -np.inf, low)[()], np.where(is_few, np.inf, high)[()]


def _interval(result, error, level, most):
    margin = special.stdtrit(result.df, (1 + level) / 2) * error
    ends = result.estimate - margin, result.estimate + margin
    equal = _equal_differences(result, most)
    bounds = equal_interval(result.estimate, level, "two-sided", equal)
    return tuple(
        np.where(equal.flat, bound, end)[()]
        for bound, end in zip(bounds, ends, strict=True)
    )


def _equal_differences(result, most):
    """Return what is known of differences that are the same on all data sets."""
    flat = np.asarray(result.standard_error) == 0
    none = np.zeros_like(flat)
    return EqualValues(flat, none, result.n_datasets, -most, most)
