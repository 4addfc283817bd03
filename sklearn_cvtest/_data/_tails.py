"""How heavy the tails of the errors behind losses are."""

import numpy as np

from ._moments import cluster_sums

SQUARES = "squared_error", "neg_mean_squared_error"


def error_tails(losses):
    """Return the L-skewness of the absolute errors of each estimator.

    Parameters
    ----------
    losses : CVLosses
        The losses, whatever the loss function.

    Returns
    -------
    tails : ndarray of shape (n_estimators,) or None
        None unless losses are squared errors of examples. An example that was tested
        several times has the mean of its errors.
    """
    if losses.loss_name not in SQUARES or not losses.per_example or losses.is_weighted:
        return None
    values = np.sqrt(np.maximum(losses.losses.T, 0))
    if losses.row_index is not None:
        _, example = np.unique(losses.row_index, return_inverse=True)
        values = cluster_sums(values, example) / np.bincount(example)
    return l_skewness(values)


def l_skewness(values):
    """Return the L-skewness of values over the last axis, 0 if they do not vary.

    From probability-weighted moments; Hosking (1990), JRSS B 52, 105-124, section 3.
    """
    n = values.shape[-1]
    if n < 3:
        return np.zeros(values.shape[:-1])
    x, i = np.sort(values, axis=-1), np.arange(n)
    x = x / np.maximum(np.abs(x).max(axis=-1, keepdims=True), np.finfo(float).tiny)
    b0, b1 = x.mean(axis=-1), x @ (i / (n * (n - 1)))
    b2 = x @ (i * (i - 1) / (n * (n - 1) * (n - 2)))
    spread = 2 * b1 - b0
    is_flat = ~(spread > 8 * np.finfo(float).eps)
    return np.where(is_flat, 0, (6 * b2 - 6 * b1 + b0) / np.where(is_flat, 1, spread))
