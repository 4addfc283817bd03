"""Means of values in groups, and variances that hold however alike a group is.

Pure functions of arrays, vectorised over leading axes. `values` has shape (..., n),
`codes` gives the group of each of the n, an integer from 0 (codes without a value are
no groups). The sum over a group is one observation, groups are independent: the
cluster-robust variance of Liang & Zeger (1986), "Longitudinal data analysis using
generalized linear models", Biometrika 73, 13-22, with the factor G/(G - 1).
"""

from typing import NamedTuple

import numpy as np

from ._moments import cluster_sums, largest_magnitude, power_of_two

# So many values are worked on at a time, unless one row holds more. Doubled, they may
# not fit into the cache of a processor.
CHUNK = 2**16
# Groups that weigh like fewer than this share of their number are very unequal.
UNEQUAL = 0.75


class ClusterMoments(NamedTuple):
    """The mean of values divided by `scale`, and its variance by groups.

    Attributes
    ----------
    scale : ndarray of shape (...)
        A power of two near the largest value, so that squares neither overflow nor
        vanish.
    mean : ndarray of shape (...)
        The (weighted) mean, over `scale`.
    variance : ndarray of shape (...)
        The variance of the mean; 0 if it is rounding, nan if there are too few groups.
    skewness : ndarray of shape (...)
        The skewness of the mean: of one group sum over the root of their number; 0 if
        all are zero.
    n_groups : int
        Number of groups G; the variance has G - 1 degrees of freedom.
    """

    scale: np.ndarray
    mean: np.ndarray
    variance: np.ndarray
    skewness: np.ndarray
    n_groups: int


def cluster_moments(values, codes, *, weights=None, blocks=None):
    """Return the mean of values, its variance by groups, and its skewness.

    The variance is G/(G - 1) Σ_g (Σ_{i∈g} w_i (e_i - μ̂))² / (Σ w_i)²: θ̂5 where each
    group has one value. With `blocks`, deviations are from the means of the K blocks
    and the factor is G/(G - K): θ̂4.

    Parameters
    ----------
    values : ndarray of shape (..., n)
        Finite.
    codes : ndarray of shape (n,)
        The group of each value.
    weights : ndarray of shape (n,), default=None
        Not negative; None weighs all values alike.
    blocks : ndarray of shape (n,), default=None
        Integers from 0, the block of each value.

    Returns
    -------
    moments : ClusterMoments
        The moments, of shape (...).
    """
    weights = _shares(weights, len(codes))
    n_groups = _count(codes)
    n_lost = 1 if blocks is None else _count(blocks)
    factor = np.nan
    if n_groups > n_lost:
        factor = n_groups / (n_groups - n_lost)
    rows = values.reshape(-1, values.shape[-1])
    moments = np.empty((4, len(rows)))
    step = max(CHUNK // rows.shape[1], 1)
    for first in range(0, len(rows), step):
        chunk = slice(first, first + step)
        moments[:, chunk] = _moments_of_rows(rows[chunk], codes, weights, blocks)
    shape = values.shape[:-1]
    scale, mean, squares, cubes = (column.reshape(shape) for column in moments)
    spread = np.where(squares > 0, squares, 1) ** 1.5
    return ClusterMoments(
        scale=scale,
        mean=mean,
        variance=factor * squares,
        skewness=cubes / spread,
        n_groups=n_groups,
    )


def cluster_deviations(values, codes, weights=None, blocks=None):
    """Return the sums over groups of weighted deviations from the mean (..., G).

    Their squares add up to the variance of :func:`cluster_moments`, without its factor.
    """
    weights = _shares(weights, len(codes))
    _, deviations = _centre(values, weights)
    deviations = _within(deviations, weights, blocks)
    return cluster_sums(deviations, codes, weights)


def _moments_of_rows(rows, codes, weights, blocks):
    scale = power_of_two(largest_magnitude(rows))
    with np.errstate(over="ignore"):  # numpy 1.26 sees one among subnormal numbers
        mean, deviations = _centre(rows / scale[:, np.newaxis], weights)
    deviations = _within(deviations, weights, blocks)
    sums = cluster_sums(deviations, codes, weights)
    squares = np.sum(sums**2, axis=1)
    cubes = np.sum(sums * sums * sums, axis=1)
    # a spread below eight units in the last place of the values is rounding
    rounding = 8 * np.finfo(np.float64).eps
    weights_of_groups = np.bincount(codes, weights)
    is_rounding = squares <= rounding**2 * np.sum(weights_of_groups**2)
    squares = np.where(is_rounding, 0.0, squares)
    return scale, mean, squares, cubes * (squares > 0)


def _shares(weights, n):
    """Return weights that sum to one."""
    if weights is None:
        return np.full(n, 1 / n)
    return weights / weights.sum()


def _centre(values, weights):
    """Return the mean and the deviations from it, without the mean's rounding."""
    mean = values @ weights
    deviations = values - mean[..., np.newaxis]
    rounding = deviations @ weights
    deviations -= rounding[..., np.newaxis]
    return mean + rounding, deviations


def _within(deviations, weights, blocks):
    """Return the deviations from the means of blocks."""
    if blocks is None:
        return deviations
    totals = np.bincount(blocks, weights)
    divisors = np.where(totals > 0, totals, 1)
    means = cluster_sums(deviations, blocks, weights) / divisors
    return deviations - means[..., blocks]


def _count(codes):
    return int(np.count_nonzero(np.bincount(codes)))


def estimand_weights(codes, estimand):
    """Return the weights of values of which the mean is about examples or groups.

    Parameters
    ----------
    codes : ndarray of shape (n,)
        The group of each value.
    estimand : {"examples", "groups"}
        "examples": the mean over all examples, in which a group counts as often as it
        has examples. "groups": the mean over groups of their own means.

    Returns
    -------
    weights : ndarray of shape (n,) or None
        None stands for equal weights.
    """
    if estimand == "examples":
        return None
    sizes = np.bincount(codes)
    return 1.0 / sizes[codes]


def effective_number(codes, weights=None):
    """Return how many equal groups weigh like these: (Σ w_g)² / Σ w_g², float.

    Kish (1965), "Survey Sampling". Sites of 420, 100, 30 and 19 examples are 1.7.
    """
    totals = np.bincount(codes, weights).astype(np.float64)
    return float(totals.sum() ** 2 / np.sum(totals**2))


def unequal_allowance(codes):
    """Return what a variance by unequal groups is to be multiplied by, and its df.

    If rows of a group are all alike, w_g is the share of group g and the values of
    groups have variance σ², the mean has variance σ² Σ w_g², and the variance by groups
    is expected to be G/(G - 1) σ² (Σ w_g² - 2 Σ w_g³ + (Σ w_g²)²). The factor is the
    ratio; the degrees of freedom are the effective number of groups less one. 1 and
    G - 1 for groups of one size. Satterthwaite's degrees of freedom of this quadratic
    form (Bell & McCaffrey 2002) are fewer, and make tests reject less than they may.
    """
    totals = np.bincount(codes).astype(np.float64)
    shares = totals[totals > 0] / totals.sum()
    n_groups = len(shares)
    if np.ptp(shares) == 0:
        return 1.0, n_groups - 1
    second = np.sum(shares**2)
    third = np.sum(shares**3)
    expected = n_groups / (n_groups - 1) * (second - 2 * third + second**2)
    return float(second / expected), effective_number(codes) - 1


def null_cluster_chi2(values, codes):
    """Return the statistic of McNemar's test by groups, of shape (...).

    (G - 1)/G (Σ_g D_g)² / Σ_g D_g², with D_g the sum over a group of the differences of
    two zero-one losses; χ² with one degree of freedom. 0 if all D_g are. Obuchowski
    (1998), "On the comparison of correlated proportions for clustered data",
    Statistics in Medicine 17, 1495-1507, in the notation of Yang, Sun & Hardin (2010),
    Biometrical Journal 52, 638-652. Where each group has one example, it is (n - 1)/n
    times McNemar's (b - c)² / (b + c), n of all examples.
    """
    sums = cluster_sums(values, codes)
    n_groups = _count(codes)
    squares = np.sum(sums**2, axis=-1)
    factor = (n_groups - 1) / n_groups
    total = sums.sum(axis=-1)
    return factor * total**2 / np.where(squares > 0, squares, 1)
