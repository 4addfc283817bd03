"""Intervals that stay among the values a metric can have.

An accuracy of 0.98 ± 0.03 is no interval: its upper end is no accuracy, and its lower
one is too high, as the spread grows with the distance from 1. On a scale on which the
metric has no bounds (the logit between two, the logarithm of the distance from one) the
mean is closer to normal, and an interval made there, and taken back, has neither fault.
The delta method gives the standard error on that scale, so that intervals of any test,
also of those that invert a p-value, are carried over by their half-widths.
"""

import math

import numpy as np

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
    for which see the module. An estimate at a bound, or beyond it (a mean that was
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
    below, above = estimate - low, high - estimate  # distances from the bounds
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


def zero_variance_interval(estimate, n_examples, confidence_level, bounds):
    """Return an interval where all examples have the same value.

    A model without any error on n examples is not known to make none. If the mean were
    μ, in units of the range and from that bound, at most a share 1 - μ of examples
    could have it, all n with a probability of at most (1 - μ)^n: so μ is at most
    1 - (α/2)^(1/n), the end of the interval of Clopper & Pearson (1934, Biometrika 26,
    404). It holds for any values within two bounds, not only for errors and hits, and
    for a value between them on both sides.

    Parameters
    ----------
    estimate : float
        The value of all examples.
    n_examples : float
        The number of independent examples, or of groups, that the metric rests on; 0 if
        it is not known.
    confidence_level : float
        In (0, 1).
    bounds : tuple of two floats
        The smallest and largest value of the metric, infinite where there is none.

    Returns
    -------
    low, high : float
        The interval; up to the bounds if there are no examples, and to infinity if the
        others could have any value.
    """
    low, high = bounds
    alpha = 1 - confidence_level
    share = -math.expm1(math.log(alpha / 2) / n_examples) if n_examples else 1.0
    ends = estimate - share * (estimate - low), estimate + share * (high - estimate)
    return tuple(float(np.clip(end, low, high)) for end in ends)
