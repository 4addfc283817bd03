"""What is shown by differences that do not vary.

A test divides a mean difference by its standard error. Where all values are equal there
is no standard error, and the ratio, 0 or infinite, says nothing about other examples.
These are the answers that every test, gate, equivalence, posterior, label and
candidate takes in place of it:

* **Equal values with a range.** If the mean difference were m and all n values are c,
  then a share of at least q = |m - c| / |bound - c| of all values is another, and none
  of n is one of them with a probability of at most (1 - q)^n: the p-value of m, and by
  inversion the interval of Clopper and Pearson [1]_. The values are examples, or
  groups, if all of them are equal; the means of splits, if only these are.
* **Equal values without a range**, or without a known number of them: other values may
  be anything. p is 1, and the interval has no bounds.
* **The same losses of two models on all tested rows.** This is no estimate of a
  difference but an observation of its own: as far as anyone can see, the two are one
  model. The difference is 0, its interval is 0 to 0, p is 1, and the two are equivalent
  within any margin above 0. It is a convention, and no statement of probability: models
  that differ on a share q of all examples agree on n with a probability of (1 - q)^n.
  Who reads the result is told n.
* **Arrays** given to `fit` are of no known metric, and of no known number of examples.
  They keep the limit of the ratio: p is 0, and the interval is the one value.

So p is at most alpha exactly where the tested value is outside the interval. A metric
of classes has as many values as there are examples of the rarest class that it needs.

References
----------
.. [1] C. J. Clopper and E. S. Pearson, "The Use of Confidence or Fiducial Limits
   Illustrated in the Case of the Binomial", Biometrika 26, 404-413, 1934.
"""

from dataclasses import replace

import numpy as np

from ._ends import POSTERIOR
from ._evaluation import EqualValues
from ._student import ROUNDING


def full_evaluation(test, residuals):
    """Return the result of a test, also where residuals do not vary.

    Whoever decides, or shows an interval, calls this and not :meth:`evaluate`.

    Parameters
    ----------
    test, residuals : test, CVResiduals
        The test, and what is tested.
    """
    return apply_zero_variance_rule(test, residuals, test.evaluate(residuals))


def apply_zero_variance_rule(test, residuals, evaluation):
    """Return a result with the answers that hold where residuals do not vary.

    Parameters
    ----------
    test : test
        The test.
    residuals : CVResiduals
        What is tested. It is not known on how many examples the mean of an array rests
        (`rests_on`): the result of one is unchanged.
    evaluation : Evaluation
        What :meth:`evaluate` returned.
    """
    equal = _equal_values(residuals, evaluation)
    if equal is None:
        return evaluation
    evaluation = replace(evaluation, equal_values=equal)
    if test.traits.decides == "equivalence":  # its two tests have been here
        return evaluation
    if test.traits.decides == "posterior":
        columns = evaluation.columns | _posterior(test, evaluation, equal)
        evaluation = replace(evaluation, columns=columns)
    pvalue = pvalue_towards(test, evaluation, test.alternative)
    rho_alpha = _rho_alpha(test, evaluation, equal, pvalue)
    return replace(evaluation, pvalue=pvalue, rho_alpha=rho_alpha)


def _equal_values(residuals, evaluation):
    """Return the EqualValues of an evaluation, None where all is as the test has it."""
    rests_on = getattr(residuals, "rests_on", None)  # replications have none
    if rests_on is None:
        return None
    error = np.asarray(evaluation.standard_error)
    flat = (error == 0) & np.isfinite(evaluation.estimate)
    if not flat.any():
        return None
    identical = flat & residuals.identical
    is_narrow = residuals.spread <= ROUNDING * residuals.largest
    are_equal = residuals.per_example & is_narrow
    # where only the means of splits are equal, there are no more than these
    n = np.where(are_equal, rests_on, min(rests_on, residuals.design.n_splits or 0))
    return EqualValues(flat, identical, n, *residuals.value_range)


def pvalue_towards(test, evaluation, alternative):
    """Return the p-values of an evaluation for an alternative of the test, or opposite.

    Parameters
    ----------
    test : test
        The test, which has made the evaluation.
    evaluation : Evaluation
        With the zero-variance rule applied.
    alternative : {"two-sided", "less", "greater"}
        The alternative of the test, or the other one of two.
    """
    equal = evaluation.equal_values
    pvalue = evaluation.pvalue
    if alternative != test.alternative:
        is_zero = np.asarray(evaluation.standard_error) == 0
        is_same = is_zero & (np.asarray(evaluation.statistic) == 0)
        pvalue = np.where(is_same, 1.0, 1 - pvalue)
    if equal is None:
        return pvalue
    bound = equal_pvalue(evaluation.estimate, test.popmean, alternative, equal)
    return np.where(equal.flat, bound, pvalue)[()]


def pvalues_by_rho(test, evaluation, rho):
    """Return the p-values of one pair for each ρ: without variance, the same for all.

    Parameters
    ----------
    test : test
        The test, which has made the evaluation.
    evaluation : Evaluation
        With the zero-variance rule applied.
    rho : ndarray of shape (n_rho,)
        Values of ρ in [0, 1).
    """
    equal = evaluation.equal_values
    if equal is not None and np.all(equal.flat):
        return np.full(len(rho), float(evaluation.pvalue))
    return test.pvalues_at(evaluation, rho)


def _rho_alpha(test, evaluation, equal, pvalue):
    """Return the largest ρ at which a test rejects: without variance, any or none."""
    rho_alpha = np.asarray(evaluation.rho_alpha, dtype=np.float64)
    any_or_none = np.where(pvalue <= test.alpha, 1.0, -np.inf)
    return np.where(equal.flat & ~np.isnan(rho_alpha), any_or_none, rho_alpha)[()]


def _share(estimate, value, equal):
    """Return the share of other values that a mean would need, 0 if any will do."""
    distance = value - np.asarray(estimate, dtype=np.float64)
    room = np.where(distance > 0, equal.high - estimate, estimate - equal.low)
    with np.errstate(divide="ignore", invalid="ignore"):
        share = np.abs(distance) / room
    is_known = np.isfinite(room) & (distance != 0)
    return np.clip(np.where(is_known, share, 0.0), 0.0, 1.0)


def _chance(estimate, value, equal):
    """Return how probable n values like the estimate are at most if this is the mean.

    Of one model under two names, no other mean than 0 is possible.
    """
    chance = (1 - _share(estimate, value, equal)) ** equal.n
    is_elsewhere = np.asarray(estimate) != value
    return np.where(equal.identical & is_elsewhere, 0.0, chance)


def equal_pvalue(estimate, popmean, alternative, equal):
    """Return the p-values of a mean if all values are the estimate.

    Parameters
    ----------
    estimate : float or ndarray of shape (...)
        The value that all have.
    popmean, alternative : float, str
        As a test has them.
    equal : EqualValues
        How many there are, and between which bounds others are.
    """
    chance = _chance(estimate, popmean, equal)
    if alternative == "two-sided":
        return np.minimum(2 * chance, 1.0)
    is_above = np.asarray(estimate) > popmean
    return np.where(is_above == (alternative == "greater"), chance, 1.0)


def _beyond(estimate, end, side, equal):
    """Return how probable a mean beyond the end of a region is at least, or at most."""
    chance = _chance(estimate, end, equal) / 2
    is_there = np.sign(estimate - end) == side
    return np.where(is_there, 1 - chance, chance)


def _posterior(test, evaluation, equal):
    """Return posterior probabilities, of bounds beyond which the mean hardly is."""
    rope = test.traits.region
    less = _beyond(evaluation.estimate, test.popmean - rope, -1, equal)
    greater = _beyond(evaluation.estimate, test.popmean + rope, 1, equal)
    bounds = less, np.maximum(1 - less - greater, 0.0), greater
    columns = {}
    for name, bound in zip(POSTERIOR, bounds, strict=True):
        columns[name] = np.where(equal.flat, bound, evaluation.columns[name])[()]
    return columns


def bounded_interval(test, evaluation, confidence_level, value_range):
    """Return the interval of a test within the smallest and largest mean there can be.

    Parameters
    ----------
    test : test
        The test, which has made the evaluation.
    evaluation : Evaluation
        With the zero-variance rule applied.
    confidence_level : float
        Its level, in (0, 1).
    value_range : tuple of two floats
        As residuals have it: the range of the loss, or of differences of it.

    Returns
    -------
    low, high : float or ndarray of shape (...)
        The ends of :meth:`interval`, cut off at the range: no other mean was possible,
        so that it covers as often. A one-sided interval stays open.
    """
    alternative = test.alternative
    ends = test.interval(evaluation, confidence_level)
    low, high = zero_variance_interval(ends, evaluation, confidence_level, alternative)
    if alternative != "less":
        low = np.clip(low, *value_range)
    if alternative != "greater":
        high = np.clip(high, *value_range)
    return low, high


def zero_variance_interval(ends, evaluation, confidence_level, alternative):
    """Return the ends of intervals, of equal values as n of them allow."""
    equal = evaluation.equal_values
    if equal is None:
        return ends
    least, most = equal_interval(
        evaluation.estimate, confidence_level, alternative, equal
    )
    low, high = ends
    return np.where(equal.flat, least, low)[()], np.where(equal.flat, most, high)[()]


def equal_interval(estimate, confidence_level, alternative, equal):
    """Return the interval of a mean if all values are the estimate.

    The means that :func:`equal_pvalue` does not reject; parameters as there.
    """
    estimate = np.asarray(estimate, dtype=np.float64)
    tail = 1 - confidence_level
    if alternative == "two-sided":
        tail = tail / 2
    with np.errstate(divide="ignore", invalid="ignore"):
        share = np.where(equal.n > 0, -np.expm1(np.log(tail) / equal.n), 1.0)
        low = estimate - share * (estimate - equal.low)
        high = estimate + share * (equal.high - estimate)
    low = np.where(np.isnan(low), -np.inf, low)
    high = np.where(np.isnan(high), np.inf, high)
    low = np.where(equal.identical, estimate, low)
    high = np.where(equal.identical, estimate, high)
    if alternative == "less":
        low = np.full_like(low, -np.inf)
    if alternative == "greater":
        high = np.full_like(high, np.inf)
    return low, high
