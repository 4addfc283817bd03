"""The interval of each estimator alone, in the units and the sign of the user.

It stays among the values a metric can have. An accuracy of 0.98 ± 0.03 is no interval:
its upper end is no accuracy, and its lower one is too high, as the spread grows with
the distance from 1. On a scale on which the metric has no bounds (the logit between
two, the logarithm of the distance from one) the mean is closer to normal, and an
interval made there, and taken back, has neither fault. The delta method gives the
standard error on that scale, so that intervals of any test, also of those that invert a
p-value, are carried over by their half-widths.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, replace

import numpy as np
from sklearn.base import clone

from .._data._moments import l_skewness
from .._inference._evaluation import EqualValues
from .._inference._test_warnings import skewed_target
from .._inference._traits import OF_EXAMPLES, TESTS, default_test
from .._inference._zero_variance import equal_interval
from .._splits._design import DesignKind
from .._splits._groups import MIN_GROUPS
from .._validation import keep_warnings, one_line, warn
from ..exceptions import (
    HeavyTailedResidualsWarning,
)

# Where the half-width is c times the distance from the bound, the scale makes the end
# away from it (e^c - 1)/c times as far. For a rate, c = 2 is a single event at 95%, for
# which that is right (3.2 times; exactly, 2.8); beyond, it would have no end.
MAX_STRETCH = (math.exp(2) - 1) / 2


def interval_in_range(estimate, interval, bounds):
    """Carry an interval over to the scale on which a metric has no bounds.

    Parameters
    ----------
    estimate : float
        The mean of the metric.
    interval : tuple of two floats
        Its interval (low, high), as if there were no bounds; may be infinite.
    bounds : tuple of two floats
        The smallest and largest value of the metric; infinite where there is none.

    Returns
    -------
    low, high : float
        Its interval within the bounds.

    Notes
    -----
    With y the estimate and g the scale, each end y ± w becomes g⁻¹(g(y) ± g'(y) w): the
    logit of (y - low)/(high - low) for two bounds, log(y - low) or -log(high - y) for
    one, y itself for none. Both intervals have the same coverage to first order; the
    second's is closer to the level where y is a few standard errors from a bound, and
    less skewed between the two sides. No end gets more than 3.2 times as far as it was,
    for which see MAX_STRETCH. An estimate at a bound, or beyond it (a mean that was
    corrected for bias), has no scale: its interval is cut off at the bounds.
    """
    low, high = bounds
    if not low < estimate < high:
        return tuple(float(np.clip(end, low, high)) for end in interval)
    return tuple(_carry(estimate, end - estimate, bounds) for end in interval)


def _carry(estimate, step, bounds):
    """Return where a step from the estimate ends, made on the unbounded scale."""
    low, high = bounds
    if not math.isfinite(step):
        return float(low if step < 0 else high)
    # distances from the bounds
    below = estimate - low
    above = high - estimate
    if math.isinf(below) and math.isinf(above):
        return float(estimate + step)
    if math.isinf(below):
        end = high - above * _exp(-step / above)
    elif math.isinf(above):
        end = low + below * _exp(step / below)
    else:
        # odds times e^(g' step), with g' = 1/below + 1/above
        odds = _exp(-step / below - step / above) * (above / below)
        end = low + (high - low) / (1 + odds)
    furthest = estimate + MAX_STRETCH * step
    end = min(end, furthest) if step > 0 else max(end, furthest)
    return float(np.clip(end, low, high))


def _exp(x):
    return math.exp(min(x, 700))


# L-skewness of a target, of an exponential one 1/3. Above it, 95% intervals of a mean
# squared error hold in 75%, of a mean absolute error in 87%; below in 93 and 94%
# (docs/data/study_intervals.csv, n = 60 to 400).
SKEWED = 0.3


@dataclass(frozen=True, repr=False)
class EstimatorIntervals:
    """The mean loss or score of each estimator, with its interval.

    Attributes
    ----------
    names : tuple of str
        The estimators.
    estimate, standard_error, ci_low, ci_high : ndarray of shape (n_estimators,)
        For the loss, or the score with its sign; nan where fits failed.
    test : test
        The test whose interval it is.
    confidence_level : float
        Its level.
    """

    names: tuple
    estimate: np.ndarray
    standard_error: np.ndarray
    ci_low: np.ndarray
    ci_high: np.ndarray
    test: object
    confidence_level: float

    def __repr__(self):
        ends = zip(self.ci_low, self.ci_high, strict=True)
        intervals = [
            f"[{low:.4g}, {high:.4g}]" if np.isfinite([low, high]).any() else "-"
            for low, high in ends
        ]
        interval_texts = ", ".join(
            f"{one_line(name)} {estimate:.4g} {interval}"
            for name, estimate, interval in zip(
                self.names, self.estimate, intervals, strict=True
            )
        )
        return (
            f"<EstimatorIntervals, {100 * self.confidence_level:g}%: {interval_texts}>"
        )


def interval_test(design, per_example, n_groups, rho):
    """Return the test whose interval of a single estimator covers best.

    A test that is valid for the design, or None.
    """
    per_example = per_example and (n_groups is None or n_groups >= MIN_GROUPS)
    if per_example and design.kind.is_k_fold:
        return TESTS[OF_EXAMPLES](rho=rho)
    if design.kind == DesignKind.K_FOLD:  # at 10 folds its ρ is 0.53
        return TESTS["CorrectedResampledTTest"]()
    test_class = default_test(design, per_example)
    return None if test_class is None else test_class()


def estimator_intervals(losses, alpha=0.05, test=None):
    """Return the interval of the mean loss, or score, of each estimator.

    Parameters
    ----------
    losses : CVLosses
        The losses.
    alpha : float, default=0.05
        One minus the level of the intervals.
    test : test, default=None
        The test whose intervals they are; None: :func:`interval_test`.

    Returns
    -------
    intervals : EstimatorIntervals or None
        Within the range of the loss or score. None where no test is valid.
    """
    if test is None:
        test = interval_test(
            losses.design, losses.per_example, losses.n_groups, losses.rho
        )
    if test is None:
        return None
    rows = [
        mean_interval(losses, column, test, alpha)
        for column in range(len(losses.estimator_names))
    ]
    estimate, error, low, high = np.array(rows).T
    if losses.is_score:
        estimate, low, high = -estimate, -high, -low
    return EstimatorIntervals(
        losses.estimator_names, estimate, error, low, high, test, 1 - alpha
    )


def warn_of_skewed_target(losses, y):
    """Warn of intervals of mean errors that are too short as the target is skewed.

    Parameters
    ----------
    losses : CVLosses
        Errors of numbers.
    y : array-like of shape (n_samples,)
        The target.
    """
    if y is None or not (losses.is_ratio_scale and losses.per_example):
        return
    y = np.asarray(y)
    if y.ndim != 1 or y.dtype.kind not in "iuf":
        return
    skewness = float(l_skewness(y.astype(np.float64)))
    if abs(skewness) > SKEWED:
        warn(skewed_target(skewness), HeavyTailedResidualsWarning)


def mean_interval(losses, column, test, alpha):
    """Return estimate, standard error and interval of a loss, nan if fits failed."""
    # the range belongs to another scale, to which the whole interval is carried over
    residuals = replace(losses.losses_of(column), value_range=(-np.inf, np.inf))
    if not np.isfinite(residuals.values).all():
        return (np.nan,) * 4
    # No warning is given: where there is no variance there is another interval, and
    # the skewness of losses decides nothing.
    with keep_warnings():
        try:
            fitted = clone(test).fit(residuals)
        except ValueError:
            if losses.per_example and len(residuals.values) > 1:
                raise
            return residuals.values.mean(), np.nan, -np.inf, np.inf
    estimate = fitted.estimate_
    bounds = losses.value_range
    if fitted.standard_error_ == 0:
        n = _n_equal(losses, estimate, residuals)
        equal = EqualValues(np.True_, np.False_, n, *bounds)
        ends = equal_interval(estimate, 1 - alpha, "two-sided", equal)
    else:
        ends = fitted.confidence_interval(1 - alpha)
        ends = interval_in_range(estimate, ends, bounds)
    return estimate, fitted.standard_error_, *ends


def _n_equal(losses, estimate, residuals):
    """Return of how many equal values an estimate is the mean, 0 if not known."""
    low, high = losses.value_range
    is_inside = low < estimate < high
    if is_inside and not (losses.per_example and np.ptp(residuals.values) == 0):
        return min(residuals.rests_on, losses.design.n_splits)  # only means are equal
    return residuals.rests_on
