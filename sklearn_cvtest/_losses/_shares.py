"""Weights of examples as shares of a test set, and labels as positions."""

import numpy as np

__all__ = ["centred", "codes_of", "label_indicators", "shares_of", "weigh"]


def shares_of(n_samples, sample_weight=None):
    """Return the weights of the examples, of sum one."""
    if sample_weight is None:
        return np.full(n_samples, 1 / n_samples)
    weight = np.asarray(sample_weight, dtype=np.float64)
    return weight / weight.sum()


def centred(value, influence, shares):
    """Return both, the mean influence zero to the last digit."""
    return float(value), influence - shares @ influence


def weigh(values, mean, sample_weight):
    """Return values that are to be averaged without weights, in place of weighted ones.

    Parameters
    ----------
    values : ndarray of shape (n_samples,)
        Losses, or pseudo-values of a metric.
    mean : float
        Their weighted mean.
    sample_weight : array-like of shape (n_samples,)
        The weights.

    Returns
    -------
    values : ndarray of shape (n_samples,)
        Pseudo-values m + (w_i/w̄)(x_i - m) of the weighted mean m = Σ w x/Σ w: m is
        their mean, and their variance over n is Σ w²(x - m)²/(Σ w)², that of m. So
        nothing that follows needs to know of weights, not even sums over groups.
    """
    weight = np.asarray(sample_weight, dtype=np.float64)
    if np.all(weight == weight[0]):
        return values
    return mean + weight / weight.mean() * (values - mean)


def codes_of(y, labels):
    """Return the position of each label in `labels`, -1 where it is none of them."""
    labels = np.asarray(labels)
    order = np.argsort(labels, kind="stable")
    place = np.searchsorted(labels, y, sorter=order).clip(max=len(labels) - 1)
    return np.where(labels[order[place]] == y, order[place], -1)


def label_indicators(y, labels):
    """Return an array (n_samples, n_labels) of which label each example has."""
    return codes_of(y, labels)[:, np.newaxis] == np.arange(len(labels))
