"""The result of a test: its numbers, and what only its own methods read of it."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import NamedTuple

import numpy as np


class ConfidenceInterval(NamedTuple):
    """A confidence interval.

    Attributes
    ----------
    low, high : float
        Its ends, in units of the loss.
    """

    low: float
    high: float


class EqualValues(NamedTuple):
    """What bounds an answer where values are equal.

    It is made of the residuals of a test, or of the differences over data sets.

    Attributes
    ----------
    flat, identical : ndarray of bool
        Where there is no variance; where two models have the same losses on all tested
        rows.
    n : ndarray
        The number of independent values.
    low, high : float
        The smallest and largest mean there can be.
    """

    flat: np.ndarray
    identical: np.ndarray
    n: np.ndarray
    low: float
    high: float


@dataclass(frozen=True)
class Evaluation:
    """The result of a test: numbers, or arrays with one element for each pair.

    Attributes
    ----------
    estimate, standard_error, statistic, pvalue : float or ndarray of shape (...)
        As in the fitted attributes of a test.
    df : float, tuple or ndarray of shape (...)
        Degrees of freedom of the statistic; two of them if it is an F.
    rho, rho_alpha : float or ndarray of shape (...)
        The ρ assumed, and the largest at which the test rejects; nan if there is none.
    columns : dict of str to float or ndarray of shape (...)
        Further results of the test, such as posterior probabilities: attributes of the
        fitted test (with "_" appended) and columns of tables.
    state : object
        What only the other methods of the test read, such as a named tuple of its own;
        None if they need nothing else.
    equal_values : EqualValues or None
        What bounds the answers where values do not vary; added after the test is
        evaluated.
    """

    estimate: np.ndarray
    standard_error: np.ndarray
    statistic: np.ndarray
    pvalue: np.ndarray
    df: object
    rho: np.ndarray = np.nan
    rho_alpha: np.ndarray = np.nan
    columns: dict = field(default_factory=dict)
    state: object = None
    equal_values: EqualValues | None = None
