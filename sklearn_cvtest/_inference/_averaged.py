"""p-values averaged over the unknown ρ, and the statistics that have a given one."""

import functools

import numpy as np

from ._student import (
    ROUNDING,
    Average,
    critical_value,
    invert_hall_transform,
    student_density,
    student_pvalue,
)

# What folds, repeats and groups change, and where in docs/calibration.md that was
# measured: in "The study behind the defaults", "Groups" or "Squared errors".
#
#   of              what changes                                        measured
#   repeats         ρ refers to one run, however many there are         study
#   their folds     the range of ρ ends at 8/9 for 5, at 1 from 10 on   study
#   groups          below 35 it is longer: by 1% each of one run, 2%    groups
#                   of repeats, at most halfway to 1 (trees and linear
#                   models rejected 11 to 18% of true null hypotheses
#                   of 12 groups, 6 to 9% of 30, with the range for rows)
#   skewness        corrected above 0.15, from 20 different examples    study
#                   or 10 groups on                                     groups
#   unequal groups  variance and df of `unequal_allowance`              groups
#   squared errors  variance of `tail_allowance`, in place of skewness  squares
#   extrapolation   leaves a quarter of the variance, at least          study
FEW_FOLDS, MANY_FOLDS, SHORTER_PER_FOLD = 5, 10, 45  # (10 - 5)/45 = 1/9
MANY_GROUPS, LONGER_PER_GROUP, LONGER_OF_REPEATS = 35, 100, 50
# Differences that are planned at this ρ of one run, and of repeats, are found with 80%
# in most cells; benchmarks/planning.py. For groups it allows for skewed means,
# too, and was chosen on one half of the populations of benchmarks/few_groups.py.
USUAL_RHO, USUAL_RHO_OF_REPEATS, USUAL_RHO_OF_GROUPS = 0.25, 0.1, 0.75
NORMAL_TAIL, PER_TAIL = 0.2, 15


def end_of_range(rho_max, n_runs, n_folds, n_groups):
    """Return the end of the prior of ρ; `n_groups` is None without groups."""
    end = rho_max
    if n_runs > 1:
        n_folds = min(max(n_folds, FEW_FOLDS), MANY_FOLDS)
        end *= 1 - (MANY_FOLDS - n_folds) / SHORTER_PER_FOLD
    if n_groups is None:
        return end
    per_group = LONGER_PER_GROUP if n_runs == 1 else LONGER_OF_REPEATS
    widened = end * (1 + max(MANY_GROUPS - n_groups, 0) / per_group)
    return min(widened, (1 + end) / 2)


def usual_odds(n_runs, has_groups=False):
    """Return ρ/(1 - ρ) as it usually is, by which samples differ more than splits."""
    rho = USUAL_RHO if n_runs == 1 else USUAL_RHO_OF_REPEATS
    rho = USUAL_RHO_OF_GROUPS if has_groups else rho
    return rho / (1 - rho)


def are_squares(residuals):
    """Whether these are differences of the squared errors of examples."""
    is_known = residuals.error_tail is not None and residuals.is_difference
    # groups of one row are examples
    return is_known and residuals.n_groups in (None, _n_examples(residuals))


def tail_allowance(residuals):
    """Return the factor that the variance of differences of squared errors lacks.

    A sample without the rare large errors has a variance that is too small, and no
    skewness to show it. How heavy their tail is, it shows nearly as well as others:
    1 + 15 (τ - 0.2)/√n, with τ the L-skewness of the absolute errors, 0.2 if these are
    normal (docs/calibration.md, "Squared errors").
    """
    excess = np.maximum(np.asarray(residuals.error_tail) - NORMAL_TAIL, 0)
    return 1 + PER_TAIL * excess / np.sqrt(_n_examples(residuals))


def _n_examples(residuals):
    return residuals.n_values // residuals.n_runs


def rho_prior(rho_max):
    """Return nodes in [0, rho_max] and weights that average uniformly over it."""
    nodes, weights = _gauss_legendre()
    return rho_max * (nodes + 1) / 2, weights / 2


@functools.cache  # a matrix of eigenvalues
def _gauss_legendre():
    return np.polynomial.legendre.leggauss(64)


def weigh_by_halves(rho, weights, q, n_pairs):
    """Return the weights of ρ given q, of shape (..., n_nodes) for q of shape (...).

    q(1 - ρ) follows the χ² distribution with `n_pairs` degrees of freedom.
    """
    q = np.minimum(np.asarray(q)[..., np.newaxis], 1e12)  # halves without any spread
    log_likelihood = n_pairs / 2 * np.log1p(-rho) - q * (1 - rho) / 2
    log_likelihood -= log_likelihood.max(axis=-1, keepdims=True)
    weights = weights * np.exp(log_likelihood)
    return weights / weights.sum(axis=-1, keepdims=True)


ENOUGH = 64  # roots, from which a polynomial for them pays
DEGREE = 14
N_STEPS = 80


def averaged_roots(error, share, skewness, average):
    """Return the statistics whose averaged p is `error`, of shape (n,).

    Those on the upper side: of "two-sided" or "greater". Without skewness and with the
    same weights of ρ, they are a smooth function of the share, by which Newton's method
    starts for many.
    """
    tail = critical_value(1 - error, average.df, average.alternative)
    if not np.isfinite(tail):
        return np.full(share.shape, tail)
    is_plain = (skewness == 0) & (tail > 0) & (average.weights.ndim == 1)
    roots, is_known = np.empty(len(share)), is_plain & (share == 1)
    if is_known.any():  # nothing is from the data
        roots[is_known] = _root_of_one_run(error, *average.frozen())
    for some in (is_plain & ~is_known, ~is_plain):
        own, start = share[some], None
        if is_plain[some].sum() > ENOUGH and np.ptp(own) > 0:
            guess = np.polynomial.Chebyshev.interpolate(
                lambda share: newton_roots(error, share, 0 * share, average),
                DEGREE,
                [own.min(), own.max()],
            )
            start = guess(own)
        if own.size:
            parts = own, skewness[some], average.of(some), start
            roots[some] = newton_roots(error, *parts)
    return roots


@functools.lru_cache(maxsize=256)
def _root_of_one_run(error, rho, weights, *options):
    """Return the root of `averaged_roots` for a share of 1, without skewness."""
    average = Average(np.frombuffer(rho), np.frombuffer(weights), *options)
    return newton_roots(error, np.ones(1), np.zeros(1), average)[0]


def newton_roots(error, share, skewness, average, start=None):
    """Return such statistics by Newton's method, kept in their bracket."""
    # the averaged p lies between those at ρ = 0 and at the largest ρ
    tail = critical_value(1 - error, average.df, average.alternative)
    critical = invert_hall_transform(tail, skewness)
    near, far = average.bracket(critical, share)
    low, high = np.minimum(near, far), np.maximum(near, far)
    low, high = low - 1e-9 * np.abs(low), high + 1e-9 * np.abs(high)
    parts = average.factors(share), skewness
    z = (low + high) / 2 if start is None else start
    if not np.any(skewness) and tail > 0:
        return _plain_roots(error, z, low, parts[0], average)
    at_low, at_high = (average.pvalue(end, *parts) - error for end in (low, high))
    has_root = at_low * at_high <= 0  # p may be constant in between, or rise
    for _ in range(N_STEPS):
        at, value = z, average.pvalue(z, *parts) - error
        low, high = np.where(value > 0, at, low), np.where(value > 0, high, at)
        with np.errstate(divide="ignore", invalid="ignore"):
            step = at - value / average.slope(at, *parts)
        inside = (low <= step) & (step <= high)
        z = np.where(inside, step, (low + high) / 2)
        if np.all((np.abs(z - at) <= 1e-13 * np.abs(at)) | ~has_root):
            break
    return np.where(has_root, z, near)


def _plain_roots(error, z, least, factors, average):
    """Return the roots without skewness, where p falls and is convex.

    From the left of the root no step passes it, and from the right the first one leads
    to the left.
    """
    sides = 2 if average.alternative == "two-sided" else 1
    for _ in range(N_STEPS):
        x = factors * z[:, np.newaxis]
        pvalues = student_pvalue(x, average.df, average.alternative)
        excess = np.sum(pvalues * average.weights, axis=-1) - error
        density = student_density(x, average.df)
        slope = np.sum(density * factors * average.weights, axis=-1)
        step = excess / (sides * slope)
        z = np.maximum(z + step, least)
        if np.all(np.abs(step) <= 1e-13 * z):
            break
    return z


def root_slopes(root, share, skewness, average):
    """Return the derivatives of `averaged_roots` by the share and by the skewness.

    p stays the same, so that dz/da = -(∂p/∂a)/(∂p/∂z), and likewise by the share. A
    skewness of 0 is one that is not corrected.
    """
    factors, skewness = average.factors(share), skewness[..., np.newaxis]
    z = factors * root[..., np.newaxis]
    by_h, by_z = average.slopes(z, skewness)
    by_h = by_h * average.weights
    # of the factor by the share, and of h by the skewness
    by_share = -by_h * by_z * z * factors**2 / 2
    by_skewness = by_h * (z**2 / 3 + 1 / 6 + 2 * skewness * z**3 / 27)
    by_root = np.sum(by_h * by_z * factors, axis=-1)
    by_root = np.where(by_root == 0, -np.inf, by_root)  # a p that nothing changes
    by_skewness = np.where(skewness == 0, 0.0, by_skewness)
    return tuple(-by.sum(axis=-1) / by_root for by in (by_share, by_skewness))


# What the residual of each example does to an interval averaged over ρ -------


def end_influences(full, state, roots, average, least):
    """Return by how much the ends grow with the mean residual of each example.

    With μ̂, θ̂_R, θ̂_1 and the skewness a all functions of the residuals, the ends are
    μ̂ ∓ √θ̂_1 T(g, ±a), where T has the averaged p for its p-value and g is θ̂_R/θ̂_1. If
    the residual of example i grows by δ in every run, z_i its deviation from the mean
    in standard deviations s, then μ̂ grows by δ/n, both θ̂ by 2 s z_i δ/(n(n-1)) and a by
    3 (z_i² - 1 - γ z_i) δ/(s n^1.5), where γ = a √n. So for large n, the margin grows
    by (T/2 + T' (1 - g)) 2 z_i √(θ̂_R/θ̂_1) δ/n^1.5: an example far out moves an end more
    than 1/n, the more the farther the end is.

    Parameters
    ----------
    full : CVResiduals
        The residuals, of examples or groups.
    state : dict
        What the test found of them.
    roots : list of two ndarrays of shape (...)
        T on the side of the low and the high end.
    average : Average
        That `roots` were found with.
    least : float
        The share of θ̂_R that an extrapolation leaves at least.

    Returns
    -------
    influences : ndarray of shape (2, ..., n)
        1/n without any variance, and of an end that is infinite.
    """
    moments = full.example_moments
    n, share = moments.n_examples, np.asarray(state["share"])
    scale = np.expand_dims(moments.scale, -1)
    parts = np.sqrt(moments.squares / n), moments.mean, state["root_run"]
    s, mean, root_run = (np.expand_dims(part, -1) for part in parts)
    is_known = (s > 0) & (root_run > 0)
    s, root_run = np.where(is_known, s, 1.0), np.where(is_known, root_run / scale, 1.0)
    z = (full.example_runs().mean(axis=-1) / scale - mean) / s
    gamma = np.mean(z * z * z, axis=-1, keepdims=True)
    allowance = np.expand_dims(state["allowance"], -1)
    by_variance = 2 * z * s * allowance / ((n - 1) * root_run)
    by_skewness = 3 * root_run / (s * np.sqrt(n)) * (z * z - 1 - gamma * z)
    is_least = share * moments.run_theta <= least * moments.theta * (1 + ROUNDING)
    left = np.where(is_least, least, 1.0)
    ends, is_skewed, slopes = [], np.any(state["skewness"]), None
    for side, root in zip((1, -1), roots, strict=True):
        is_finite = np.isfinite(root)
        root = np.where(is_finite, root, 0.0)
        if is_skewed or slopes is None:  # else both sides are alike
            root, skewness = np.broadcast_arrays(root, side * state["skewness"])
            slopes = root_slopes(root, share, skewness, average)
        by_share, twist = slopes
        pull = root / 2 + by_share * (left - share)
        pull, twist = np.expand_dims(pull, -1), np.expand_dims(side * twist, -1)
        margin = pull * by_variance + twist * by_skewness
        moves = is_known & np.expand_dims(is_finite, -1)
        ends.append((1 - side * np.where(moves, margin, 0.0)) / n)
    return np.stack(ends)
