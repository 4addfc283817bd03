"""Residuals without variance: what n equal ones show of others, and no more.

If the mean difference were m and all n examples have c, then a share of at least
q = |m - c| / |bound - c| of all examples has other values, and none of n is one of them
with a probability of at most (1 - q)^n: so the p-value of m, and the interval of
Clopper and Pearson [1]_. Where n or a bound is not known, nothing is shown.

Metrics of counts, such as F1, rest on the examples of the rarer class. With some
variance they show no more than without any: there, n such examples are a limit to what
any p-value or interval says. With groups, the variance between them says how many of
their examples differ together.

References
----------
.. [1] C. J. Clopper and E. S. Pearson, "The Use of Confidence or Fiducial Limits
   Illustrated in the Case of the Binomial", Biometrika 26, 404-413, 1934.
"""

from dataclasses import replace
from typing import NamedTuple

import numpy as np

from ._ends import POSTERIOR

FLAT = "without variance"  # in the state of an evaluation


class Known(NamedTuple):
    """What is known where there is no variance, or where a metric counts few examples.

    Attributes
    ----------
    flat, limited : ndarray of bool
        Where there is no variance; where examples limit what is shown.
    n : ndarray
        The number of independent examples.
    low, high : float
        The smallest and largest mean there can be.
    """

    flat: np.ndarray
    limited: np.ndarray
    n: np.ndarray
    low: float
    high: float


def flat_answers(test, residuals, evaluation):
    """Return an evaluation in which zeros decide on no hypothesis but "no difference".

    Parameters
    ----------
    test : test
        The test.
    residuals : CVResiduals
        What it was evaluated on; unchanged if it is not known on how many examples a
        mean rests (`rests_on`), as of arrays.
    evaluation : Evaluation
        What :meth:`evaluate` returned.
    """
    rests_on = getattr(residuals, "rests_on", None)
    if rests_on is None:
        return evaluation
    error = np.asarray(evaluation.standard_error)
    flat = (error == 0) & np.isfinite(evaluation.estimate)
    has_range = bool(np.isfinite(residuals.value_range).all())  # as differences have
    limited = np.full(flat.shape, has_range and residuals.n_counted > 0)
    if not (flat.any() or limited.any()):
        return evaluation
    # where only the means of splits are equal, there are no more than these
    same = residuals.per_example & (np.ptp(residuals.values, axis=-1) == 0)
    n_splits = residuals.design.n_splits or 0
    n = np.where(same, rests_on, min(rests_on, n_splits))
    n = np.where(flat, n, residuals.n_counted)
    known = Known(flat, limited, n, *residuals.value_range)
    columns, pvalue = evaluation.columns, evaluation.pvalue
    if test.traits.decides == "posterior":
        columns = columns | _chances(test, evaluation, known)
    elif test.traits.decides == "difference":
        found = _pvalue(evaluation.estimate, test.popmean, test.alternative, known)
        least = np.where(limited & ~flat, np.maximum(found, pvalue), pvalue)
        pvalue = np.where(flat & bool(test.popmean), found, least)[()]
    state = evaluation.state | {FLAT: known}
    return replace(evaluation, pvalue=pvalue, columns=columns, state=state)


def _share(estimate, value, known):
    """Return the share of other examples that a mean would need, 0 if any will do."""
    distance = value - np.asarray(estimate, dtype=np.float64)
    room = np.where(distance > 0, known.high - estimate, estimate - known.low)
    with np.errstate(divide="ignore", invalid="ignore"):
        share = np.abs(distance) / room
    return np.clip(np.where(np.isfinite(room) & (distance != 0), share, 0.0), 0.0, 1.0)


def _pvalue(estimate, popmean, alternative, known):
    """Return the p-values of a mean if all examples have the estimate."""
    chance = (1 - _share(estimate, popmean, known)) ** known.n
    if alternative == "two-sided":
        return np.minimum(2 * chance, 1.0)
    is_above = np.asarray(estimate) > popmean
    return np.where(is_above == (alternative == "greater"), chance, 1.0)


def _chances(test, evaluation, known):
    """Return posterior probabilities, of bounds beyond which the mean hardly is."""
    estimate, rope = evaluation.estimate, test.traits.region
    chances = []
    for end, side in ((test.popmean - rope, -1), (test.popmean + rope, 1)):
        beyond = (1 - _share(estimate, end, known)) ** known.n / 2
        is_there = np.sign(estimate - end) == side
        chances.append(np.where(is_there, 1 - beyond, beyond))
    less, greater = chances
    found = less, np.maximum(1 - less - greater, 0.0), greater
    return {
        name: np.where(known.flat, mine, evaluation.columns[name])[()]
        for name, mine in zip(POSTERIOR, found, strict=True)
    }


def flat_interval(ends, evaluation, confidence_level, alternative):
    """Return the ends of intervals, no nearer than n examples allow."""
    known = evaluation.state.get(FLAT)
    if known is None:
        return ends
    estimate = np.asarray(evaluation.estimate, dtype=np.float64)
    tail = 1 - confidence_level
    tail = tail / 2 if alternative == "two-sided" else tail
    with np.errstate(divide="ignore", invalid="ignore"):
        share = np.where(known.n > 0, -np.expm1(np.log(tail) / known.n), 1.0)
        down = estimate - share * (estimate - known.low)
        up = estimate + share * (known.high - estimate)
    down = -np.inf if alternative == "less" else np.where(np.isnan(down), -np.inf, down)
    up = np.inf if alternative == "greater" else np.where(np.isnan(up), np.inf, up)
    wide = np.minimum(ends[0], down), np.maximum(ends[1], up)
    return tuple(
        np.where(known.flat, mine, np.where(known.limited, wider, end))[()]
        for mine, wider, end in zip((down, up), wide, ends, strict=True)
    )
