"""The interval of each estimator alone, in the units and the sign of the user."""

from __future__ import annotations

import warnings
from dataclasses import dataclass, replace

import numpy as np
from sklearn.base import clone

from .._inference._problems import Problems
from .._inference._ranges import interval_in_range, zero_variance_interval
from .._inference._traits import OF_EXAMPLES, default_test, package_test
from .._losses._bounds import is_mean
from .._splits._groups import MIN_GROUPS
from .._validation import one_line
from ..exceptions import HighRhoWarning, InfluentialExamplesWarning

# ρ is often smaller for the losses of one estimator than for differences; for the
# coverage of this and of others see docs/data/interval_coverage.csv.
RHO_MAX = 0.6
TOO_SHORT = HighRhoWarning, InfluentialExamplesWarning


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
        shown = ", ".join(
            f"{one_line(name)} {estimate:.4g} [{low:.4g}, {high:.4g}]"
            for name, estimate, low, high in zip(
                self.names, self.estimate, self.ci_low, self.ci_high, strict=True
            )
        )
        return f"<EstimatorIntervals, {100 * self.confidence_level:g}%: {shown}>"


def interval_test(design, per_example, n_groups, value_range):
    """Return the test whose interval of a single estimator covers best.

    A test that is valid for the design, or None. Where the examples of a K-fold are
    known, it is the one that averages over ρ. The range of the values, if they have
    one, takes care of skewness, which must not be corrected twice.
    """
    per_example = per_example and (n_groups is None or n_groups >= MIN_GROUPS)
    unbounded = not np.isfinite(value_range).any()
    test = package_test(OF_EXAMPLES)(RHO_MAX, correct_skewness=unbounded)
    if design.base_kind in ("k-fold", "repeated k-fold"):
        try:
            test.check_design(design, per_example)
        except ValueError:
            pass
        else:
            return test
    if design.kind == "k-fold":  # at 10 folds its ρ is 0.53
        return package_test("CorrectedResampledTTest")()
    kind = default_test(design, per_example)
    return None if kind is None else kind()


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
            losses.design, losses.per_example, losses.n_groups, losses.value_range
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


def warn_of_intervals(losses, test):
    """Warn of what makes intervals of single estimators too short.

    Skewness is no sign of that (docs/data/interval_tails.csv).
    """
    if not losses.per_example:
        return
    problems = Problems(test)
    for column in range(len(losses.estimator_names)):
        residuals = losses.alone(column)
        if np.isfinite(residuals.values).all():
            problems.note(residuals, test.evaluate(residuals))
    problems.warn(TOO_SHORT, "model", " Its interval is too short then.")


def mean_interval(losses, column, test, alpha):
    """Return estimate, standard error and interval of a loss, nan if fits failed."""
    # the range belongs to another scale, to which the whole interval is carried over
    residuals = replace(losses.alone(column), value_range=(-np.inf, np.inf))
    if not np.isfinite(residuals.values).all():
        return (np.nan,) * 4
    with warnings.catch_warnings():
        # of no variance, for which there is an interval, and of skewness: what differs
        # are losses, and nothing is decided
        warnings.simplefilter("ignore", UserWarning)
        try:
            fitted = clone(test).fit(residuals)
        except ValueError:
            if losses.per_example and len(residuals.values) > 1:
                raise
            return residuals.values.mean(), np.nan, -np.inf, np.inf
    estimate, bounds = fitted.estimate_, losses.value_range
    if fitted.standard_error_ == 0:
        n_examples = _examples_at(losses, estimate, residuals.values)
        ends = zero_variance_interval(estimate, n_examples, 1 - alpha, bounds)
    else:
        ends = fitted.confidence_interval(1 - alpha)
        ends = interval_in_range(estimate, ends, bounds)
    return estimate, fitted.standard_error_, *ends


def _examples_at(losses, estimate, values):
    """Return on how many examples an estimate rests that is equal in all splits."""
    rests_on, (low, high) = losses.rests_on, losses.value_range
    if rests_on is None:
        is_known = losses.per_example or is_mean(losses.loss_name, losses.is_score)
        rests_on = [(losses.n_tested or 0) * is_known] * 3
    n_examples = rests_on[int(estimate > low) + int(estimate >= high)]
    if low < estimate < high and not (losses.per_example and np.ptp(values) == 0):
        return min(n_examples, losses.design.n_splits)  # only their means are equal
    return n_examples
