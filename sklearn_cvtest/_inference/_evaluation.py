"""What a test finds: its result and its interval."""

from dataclasses import dataclass, field
from typing import NamedTuple

import numpy as np

__all__ = ["ConfidenceInterval", "Evaluation"]


class ConfidenceInterval(NamedTuple):
    """A confidence interval.

    Attributes
    ----------
    low, high : float
        Its ends, in units of the loss.
    """

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
        Degrees of freedom of the statistic.
    rho, rho_alpha : float or ndarray of shape (...)
        The ρ assumed, and the largest at which the test rejects; nan if there is none.
    columns : dict of str to float or ndarray of shape (...)
        Further results of the test, such as posterior probabilities: attributes of the
        fitted test (with "_" appended) and columns of tables.
    state : dict
        Values that only the interval needs, floats or arrays of shape (..., m).
    """

    estimate: np.ndarray
    standard_error: np.ndarray
    statistic: np.ndarray
    pvalue: np.ndarray
    df: object
    rho: np.ndarray = np.nan
    rho_alpha: np.ndarray = np.nan
    columns: dict = field(default_factory=dict)
    state: dict = field(default_factory=dict)
