"""Each test as a pivot: an estimate, its standard error, and a critical value.

The tests of the package work on one sample; here the same formulas, from the same
functions, are applied to the block statistics of many samples at once.
"""

from typing import Any, NamedTuple

import numpy as np
from scipy import special
from sklearn.base import clone

from .._inference import (
    ConservativeZTest,
    EquivalenceTest,
    FiveByTwoFTest,
    FiveByTwoTTest,
    HalfSampleTTest,
    HoldoutTTest,
    IntegratedRhoTest,
    KFoldZTest,
    McNemarTest,
)
from .._inference._exchangeable import _ExchangeableTTest
from .._inference._five_by_two import replication_deviation
from .._inference._halves import half_sample_rho, half_sample_variance
from .._inference._integrated import averaged_pvalue, rho_prior, weigh_by_halves
from .._inference._student import (
    ROUNDING,
    critical_value,
    ratio_or_limit,
    t_statistic,
)
from .._validation import invalid

__all__ = ["rejection_counts"]


class _Pivot(NamedTuple):
    """Reject popmean where |estimate - popmean| >= critical(alpha) standard_error."""

    estimate: np.ndarray  # (R,)
    standard_error: np.ndarray  # (R,)
    critical: Any  # a function of alpha, giving a float or (R,)


def rejection_counts(test, residuals, alphas, popmeans):
    """Return how many samples reject, of shape (n_alphas, n_popmeans)."""
    if isinstance(test, McNemarTest):
        return _mcnemar_counts(test, residuals, alphas, popmeans)
    sides = _sides(test)
    kind = sides[0][0]
    make = next((make for known, make in _PIVOTS if isinstance(kind, known)), None)
    if make is None:
        return _counts_one_by_one(test, residuals, alphas, popmeans)
    pivots = [(make(one, residuals), one.alternative, shift) for one, shift in sides]
    tolerance = ROUNDING * np.abs(residuals.block_means).max(axis=1)
    flat_below = tolerance / np.sqrt(residuals.n_samples)
    counts = np.empty((len(alphas), len(popmeans)), dtype=np.int64)
    for row, alpha in enumerate(alphas.tolist()):
        decisions = [
            _decide(pivot, alternative, alpha, popmeans + shift, tolerance, flat_below)
            for pivot, alternative, shift in pivots
        ]
        for column, rejects in enumerate(zip(*decisions, strict=True)):
            counts[row, column] = np.count_nonzero(np.all(rejects, axis=0))
    return counts


def _sides(test):
    """Return the tests that must all reject, and their shifts of popmean."""
    if not isinstance(test, EquivalenceTest):
        return [(test, 0.0)]
    lower, upper = ("greater", -test.margin), ("less", test.margin)
    sides = {"greater": [lower], "less": [upper], "two-sided": [lower, upper]}
    return [
        (clone(test.test).set_params(alternative=alternative), shift)
        for alternative, shift in sides[test.alternative]
    ]


def _decide(pivot, alternative, alpha, popmeans, tolerance, flat_below):
    """Yield for each popmean which samples reject, a boolean array."""
    is_flat = pivot.standard_error <= flat_below
    critical = pivot.critical(alpha)
    margin = critical * np.where(is_flat, 1, pivot.standard_error)
    flat_margin = np.where(critical == -np.inf, -np.inf, tolerance)
    for popmean in popmeans:
        excess = pivot.estimate - popmean
        if alternative == "less":
            excess = -excess
        elif alternative == "two-sided":
            excess = np.abs(excess)
        yield np.where(is_flat, excess > flat_margin, excess >= margin)


# The tests, in the order of `_PIVOTS`: a subclass before its base ----------------


def _exchangeable(test, residuals):
    means = residuals.block_means
    rho = test._rho(residuals.template())
    return _student_pivot(test, means, rho)


def _half_sample(test, residuals):
    full, halves = residuals.runs()
    rho = half_sample_rho(_half_means(halves), test.rho_max)
    return _student_pivot(test, full.block_means, rho)


def _student_pivot(test, means, rho):
    result = t_statistic(means, rho)
    df = means.shape[-1] - 1
    return _Pivot(
        result.estimate,
        result.standard_error,
        lambda alpha: critical_value(1 - alpha, df, test.alternative),
    )


def _half_means(halves):
    """Return the block means of all halves, of shape (R, M, 2, J)."""
    pairs = [[half.block_means for half in pair] for pair in halves]
    return np.moveaxis(np.array(pairs), 2, 0)


def _normal_pivot(test, estimate, standard_error):
    return _Pivot(
        estimate,
        standard_error,
        lambda alpha: critical_value(1 - alpha, np.inf, test.alternative),
    )


def _conservative(test, residuals):
    _, halves = residuals.runs()
    variance = half_sample_variance(_half_means(halves))
    return _normal_pivot(test, residuals.estimates, np.sqrt(variance))


def _k_fold_mean(residuals):
    """Return the mean of all residuals, in which examples weigh equally."""
    return residuals.block_means @ residuals.n_test / residuals.n_test.sum()


def _k_fold_z(test, residuals):
    theta = getattr(residuals.variance_estimates(), test.variance)
    return _normal_pivot(test, _k_fold_mean(residuals), np.sqrt(theta))


def _integrated(test, residuals):
    if test.correct_skewness:
        raise invalid(
            "tests",
            "computable from block statistics, which have no third moments",
            test,
            hint="Set correct_skewness=False.",
        )
    full, halves = residuals.runs()
    theta = getattr(full.variance_estimates(), test.variance)
    rho, weights = rho_prior(test.rho_max)
    if halves:
        naive = [
            getattr(half.variance_estimates(), test.variance)
            for pair in halves
            for half in pair
        ]
        variance = half_sample_variance(_half_means(halves))
        q = ratio_or_limit(len(halves) * variance, np.mean(naive, axis=0))
        weights = weigh_by_halves(rho, weights, q, len(halves))
    return _Pivot(
        _k_fold_mean(full),
        np.sqrt(theta),
        lambda alpha: _averaged_critical(rho, weights, alpha, test.alternative),
    )


def _averaged_critical(rho, weights, alpha, alternative):
    """Return the statistic whose averaged p-value is alpha, by Newton's method.

    On the positive side p is convex and falling, so that from a point left of the root
    the steps approach it from the left.
    """
    sides = 2 if alternative == "two-sided" else 1
    if alpha >= sides / 2:
        raise invalid("alphas", "below 1/2 for one-sided tests that average p", alpha)
    z = np.full(weights.shape[:-1], critical_value(1 - alpha, np.inf, alternative))
    if np.isinf(z).any():  # alpha is below the resolution of 1 - alpha
        return z
    root = np.sqrt(1 - rho)
    for _ in range(50):
        excess = averaged_pvalue(z, rho, weights, _upper(alternative)) - alpha
        density = np.exp(-((root * z[..., np.newaxis]) ** 2) / 2) / np.sqrt(2 * np.pi)
        step = excess / (sides * np.sum(weights * root * density, axis=-1))
        z = z + step
        if np.all(np.abs(step) <= 1e-12 * z):
            break
    return z


def _upper(alternative):
    return "two-sided" if alternative == "two-sided" else "greater"


def _five_by_two_t(test, residuals):
    return _Pivot(
        residuals.block_means[:, 0],
        replication_deviation(residuals.block_means.reshape(-1, 5, 2)),
        lambda alpha: critical_value(1 - alpha, 5, test.alternative),
    )


def _five_by_two_f(test, residuals):
    standard_error = replication_deviation(residuals.block_means.reshape(-1, 5, 2))
    spread = residuals.block_means.var(axis=1)

    def critical(alpha):
        # Σ(p - μ0)² = Σ(p - p̄)² + 10(p̄ - μ0)² against F_crit 10 Σs_i²/5
        room = 1 / special.fdtri(5, 10, alpha)  # the upper quantile, for any alpha
        room = room - ratio_or_limit(spread, standard_error**2)
        return np.where(room >= 0, np.sqrt(np.maximum(room, 0)), -np.inf)

    return _Pivot(residuals.estimates, standard_error, critical)


def _holdout(test, residuals):
    m = residuals.n_test[0]
    standard_error = np.sqrt(residuals.within[:, 0] / (m * (m - 1)))
    return _Pivot(
        residuals.block_means[:, 0],
        standard_error,
        lambda alpha: critical_value(1 - alpha, m - 1, test.alternative),
    )


_PIVOTS = (
    (HalfSampleTTest, _half_sample),
    (_ExchangeableTTest, _exchangeable),
    (ConservativeZTest, _conservative),
    (KFoldZTest, _k_fold_z),
    (IntegratedRhoTest, _integrated),
    (FiveByTwoTTest, _five_by_two_t),
    (FiveByTwoFTest, _five_by_two_f),
    (HoldoutTTest, _holdout),
)


def _mcnemar_counts(test, residuals, alphas, popmeans):
    """Test each pair of counts that occurs once."""
    if np.any(popmeans != 0):
        raise invalid("popmeans", "0 for McNemarTest", popmeans)
    if residuals.loss_name != "zero_one":
        raise invalid(
            "residuals", "of zero_one loss for McNemarTest", residuals.loss_name
        )
    n = residuals.n_test[0]
    difference = n * residuals.block_means[:, 0]
    discordant = residuals.block_squares[:, 0]
    counts = np.stack([discordant + difference, discordant - difference], axis=1) / 2
    pairs, times = np.unique(np.rint(counts).astype(int), axis=0, return_counts=True)
    pvalues = np.array(
        [
            clone(test).fit(np.repeat([1.0, -1.0, 0.0], [b, c, n - b - c])).pvalue_
            for b, c in pairs
        ]
    )
    counts = (pvalues <= alphas[:, np.newaxis]) @ times
    return np.repeat(counts[:, np.newaxis], len(popmeans), axis=1)


def _counts_one_by_one(test, residuals, alphas, popmeans):
    """Fit a test of which only the block means are known to be enough."""
    if test.needs_examples:
        raise invalid("tests", "computable from block statistics", test)
    template = residuals.template()
    counts = np.zeros((len(alphas), len(popmeans)), dtype=np.int64)
    for column, popmean in enumerate(popmeans):
        one = clone(test).set_params(popmean=popmean)
        for means in residuals.block_means:
            counts[:, column] += one.fit(template.with_values(means)).pvalue_ <= alphas
    return counts
