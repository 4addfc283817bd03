"""What the residual of each example does to an interval averaged over ρ."""

import numpy as np

from ._averaged import root_slopes
from ._student import ROUNDING


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
