"""The interval for the true difference on a new data set, as pure functions."""

import numpy as np
from scipy import special

from ._synthesis import paule_mandel, synthesis_interval

TAIL = (np.arange(128) + 0.5) / 128  # of the distribution of Q
MOST = 2**22  # values at once
BISECTIONS = 50


def prediction_interval(result, level=0.95):
    """Return an interval for the true difference on a new data set.

    Q(τ²) follows χ² with D - 1 degrees of freedom at the true τ², whatever that is: so
    the data say how probable each τ² is (its confidence distribution, K. Nagashima, H.
    Noma and T. A. Furukawa, "Prediction intervals for random-effects meta-analysis: a
    confidence distribution approach", Statistical Methods in Medical Research 28,
    1689-1702, 2019, :doi:`10.1177/0962280218773520`, who take DerSimonian and Laird's
    Q). Given τ², a new difference is N(μ̂, τ² + Var μ̂); the interval has the quantiles
    of the mixture, and contains the interval of the mean. Infinite with one or two data
    sets. It is about the true difference; an estimate of it scatters more. It does not
    depend on the estimator of τ².

    A τ² that is small against the variances of the estimates cannot be told from zero:
    without any differences between data sets the interval holds more than 95%
    (docs/data/datasets_calibration.csv).
    """
    half = _mixture_quantile(_deviations(result), (1 + level) / 2)
    below, above = result.estimate - half, result.estimate + half
    low, high = synthesis_interval(result, level)
    is_known = (result.n_datasets > 2) & (np.asarray(result.standard_error) > 0)
    low, high = (  # without any spread, the interval of the mean
        np.where(is_known, np.minimum(below, low), low),
        np.where(is_known, np.maximum(above, high), high),
    )
    is_few = result.n_datasets < 3
    return np.where(is_few, -np.inf, low)[()], np.where(is_few, np.inf, high)[()]


def _deviations(result):
    """Return √(τ² + Var μ̂) at equally probable τ², (..., n_nodes)."""
    present = np.isfinite(result.variances)
    d = np.where(present, result.differences, 0)
    d = np.where(present, d - np.asarray(result.estimate)[..., np.newaxis], 0)
    v = np.where(present, result.variances, 1)
    scale = np.sqrt(np.max(np.maximum(d**2, v), axis=-1, keepdims=True))
    n_free = np.maximum(result.n_datasets - 1.0, 1.0)[..., np.newaxis]
    n_parts = 1 + d.size * len(TAIL) // MOST
    parts = [
        _tau2_at(d / scale, v / scale**2, present, special.chdtri(n_free, tail))
        for tail in np.array_split(TAIL, n_parts)
    ]
    tau2 = scale**2 * np.concatenate(parts, axis=-1)
    squares = result.weights**2
    own, between = np.sum(squares * v, axis=-1), np.sum(squares, axis=-1)
    return np.sqrt(tau2 * (1 + between[..., np.newaxis]) + own[..., np.newaxis])


def _tau2_at(d, v, present, quantiles):
    """Return the τ² at which Q is one of the quantiles, of their shape (..., n)."""
    shape = (*quantiles.shape, d.shape[-1])
    d, v, present = (
        np.broadcast_to(values[..., np.newaxis, :], shape) for values in (d, v, present)
    )
    return paule_mandel(d, v, present, quantiles)


def _mixture_quantile(deviations, p):
    """Return the quantile of equal parts of centred normals, of the last axis."""
    far = special.ndtri(p) * deviations
    low, high = far.min(axis=-1), far.max(axis=-1)
    for _ in range(BISECTIONS):
        middle = (low + high) / 2
        below = special.ndtr(middle[..., np.newaxis] / deviations).mean(axis=-1) < p
        low, high = np.where(below, middle, low), np.where(below, high, middle)
    return (low + high) / 2
