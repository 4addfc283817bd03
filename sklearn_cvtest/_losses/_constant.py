"""The loss of a model that says the same of every example."""

import numpy as np

SHARES = ("zero_one", "accuracy")
SQUARES = ("squared_error", "neg_mean_squared_error", "neg_root_mean_squared_error")
DISTANCES = ("absolute_error", "neg_mean_absolute_error")


def loss_of_a_constant(name, y, rows):
    """Return the mean loss of the best constant, None where it is not known.

    It is the most frequent class, the mean or the median of the tested examples.

    Parameters
    ----------
    name : str
        The loss, or the score, of which the loss is minus.
    y : array-like of shape (n_samples,)
        The target.
    rows : ndarray of int
        The examples that were tested.
    """
    y = np.asarray(y)
    if name not in (*SHARES, *SQUARES, *DISTANCES) or y.ndim != 1 or not len(rows):
        return None
    y = y[np.unique(rows)]
    try:
        counts = np.unique(y, return_counts=True)[1] if name in SHARES else None
        y = y if name in SHARES else y.astype(np.float64)
    except (TypeError, ValueError):  # labels of several kinds, or no numbers
        return None
    if counts is not None:
        most = counts.max() / len(y)
        return float(1 - most if name == "zero_one" else -most)
    if name in DISTANCES:
        return float(np.mean(np.abs(y - np.median(y))))
    variance = float(np.var(y))
    return variance**0.5 if "root" in name else variance
