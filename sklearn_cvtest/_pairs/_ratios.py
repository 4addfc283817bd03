"""The ratio of two mean losses, and Fieller's interval of it.

Losses on a scale that starts at 0 and has no bound, such as squared errors, are
compared by the ratio r of their means. That it is 1 is the hypothesis that their
difference is 0, and so has the same p-value. The interval holds the r for which the
mean of L1 - r L2 is not rejected, at the same ρ: Fieller (1954), "Some problems in
interval estimation", JRSS B 16, 175-185.
"""

from dataclasses import replace

import numpy as np

from .._inference._student import critical_value


class Ratios:
    """The mean loss of each estimator and its variance, as a test of pairs has them.

    Parameters
    ----------
    test : test
        The test of the differences, with the trait `has_ratio`: its standard error is
        the root of a quadratic form of the residuals.
    losses : CVLosses
        The losses.
    """

    def __init__(self, test, losses):
        finite = np.flatnonzero(np.isfinite(losses.mean_losses))
        unbounded = (-np.inf, np.inf)
        single = replace(
            losses.alone(finite[0]),
            values=losses.losses[:, finite].T,
            names=[(losses.estimator_names[i],) for i in finite],
            value_range=unbounded,
        )
        evaluation = test.evaluate(single)
        n_estimators = len(losses.estimator_names)
        self.means = np.full(n_estimators, np.nan)
        self.variances = np.full(n_estimators, np.nan)
        self.means[finite] = evaluation.estimate
        self.variances[finite] = np.square(evaluation.standard_error)
        self.test = test

    def interval(self, first, second, evaluation, level):
        """Return the ends of intervals, in units of the loss.

        Parameters
        ----------
        first, second : ndarray of int of shape (n_pairs,)
            Positions of the estimators.
        evaluation : Evaluation
            What the test found of their differences.
        level : float
            The level of the intervals.

        Returns
        -------
        low, high : ndarray of shape (n_pairs,)
            (r - 1) times the mean loss of the second, r the ends of the interval of the
            ratio; inf where the second's mean loss may be 0.
        """
        alternative = self.test.alternative
        critical = critical_value(level, evaluation.df, alternative)
        means = self.means[first], self.means[second]
        variances = self.variances[first], self.variances[second]
        variance = np.square(evaluation.standard_error)
        low, high = fieller_interval(*means, *variances, variance, critical)
        if alternative == "less":
            low = np.full_like(low, -np.inf)
        if alternative == "greater":
            high = np.full_like(high, np.inf)
        with np.errstate(invalid="ignore"):
            return (low - 1) * means[1], (high - 1) * means[1]


def fieller_interval(mean, base, mean_variance, base_variance, variance, critical):
    """Return the ratios mean/base that are not rejected.

    Parameters
    ----------
    mean, base : ndarray of shape (...)
        The two means, not negative.
    mean_variance, base_variance, variance : ndarray of shape (...)
        Their variances, and the variance of their difference.
    critical : float or ndarray of shape (...)
        What the statistic of mean - r base is compared with.

    Returns
    -------
    low, high : ndarray of shape (...)
        At least 0. Where `base` is not significantly above 0, high is inf.
    """
    covariance = (mean_variance + base_variance - variance) / 2
    square = np.square(critical)
    # (mean - r base)² <= critical² (V1 - 2 r C + r² V2), as a quadratic in r
    lead = base**2 - square * base_variance
    middle = mean * base - square * covariance
    rest = mean**2 - square * mean_variance
    root = np.sqrt(np.maximum(middle**2 - lead * rest, 0))
    is_bounded = lead > 0
    divisor = np.where(is_bounded, lead, 1)
    low = np.where(is_bounded, (middle - root) / divisor, 0)
    high = np.where(is_bounded, (middle + root) / divisor, np.inf)
    # one-sided with a level below 1/2, the end is on the other side of the estimate
    is_turned = np.asarray(critical) < 0
    low, high = np.where(is_turned, high, low), np.where(is_turned, low, high)
    return np.maximum(low, 0), high
