"""What repeats of a K-fold show of ρ."""

from itertools import combinations

import numpy as np

# More runs than these show little more, and there are as many pairs as their square.
MOST_RUNS = 10


def visible_rho(residuals, rows):
    """Return the ρ that runs show by their differences, and how clearly it is not 0.

    To first order, a model that was trained without fold k is the model of all n
    examples less the influence of the n/K in the fold. In two runs an example meets two
    models, and the difference u of its losses holds nothing but what these were trained
    on. So for two examples, tested in folds k and k' of the one run, l and l' of the
    other,

        Cov(u, u') = [K 1(k = k') + K 1(l = l') - 2] V/(K - 1)²,

    V the variance of the mean loss over samples of n training examples. V is found by
    least squares over all pairs of examples, in O(n), and γ = K(K - 2) V/(K - 1)².

    Parameters
    ----------
    residuals : CVResiduals
        Of a repeated K-fold, of examples without groups, with any leading axes.
    rows : ndarray of shape (n, n_runs)
        The rows of each example.

    Returns
    -------
    rho : ndarray of shape (...)
        The share γ/(γ + θ̂5 of one run), negative where V is.
    z : ndarray of shape (...)
        V over its standard deviation if V were 0.
    """
    values, n_folds = residuals.values, residuals.design.n_splits
    rows = rows[:, :MOST_RUNS]
    product, weight, variance = 0.0, 0.0, 0.0
    runs = [
        (values[..., run], np.unique(residuals.row_split[run], return_inverse=True)[1])
        for run in rows.T
    ]
    for (one, *folds), (other, *other_folds) in combinations(runs, 2):
        found = _products(one - other, folds + other_folds, n_folds)
        product, weight = product + found[0], weight + found[1]
        variance = variance + found[2]
    gamma = n_folds * (n_folds - 2) * product / weight
    # two pairs of runs with one in common are correlated by 1/8
    variance = variance * (1 + (rows.shape[1] - 2) / 4)
    of_runs = [run.var(axis=-1, ddof=1) for run, _ in runs]
    theta = np.mean(of_runs, axis=0) / len(rows)
    return (
        _ratio(gamma, np.maximum(gamma, 0) + theta),
        _ratio(product, np.sqrt(variance)),
    )


def _products(u, codes, n_folds):
    """Return Σ c u u' over pairs of examples, Σ c², and the variance of the first.

    `codes` are the folds of the examples in either run; c is (K - 1)² times the
    covariance that V = 1 gives.
    """
    n, in_both, in_one, in_none = u.shape[-1], 2 * n_folds - 2, n_folds - 2, -2
    n_both = np.square(np.bincount(codes[0] * n + codes[1])).sum()
    same, n_same = 0.0, 0
    for code in codes:
        is_in = np.eye(code.max() + 1)[code]
        same = same + np.square(u @ is_in).sum(axis=-1)
        n_same += np.square(is_in.sum(axis=0)).sum()
    squares = np.einsum("...i,...i", u, u)
    total = n_folds * same - 2 * np.square(u.sum(axis=-1)) - in_both * squares
    weight = in_both**2 * (n_both - n) + in_one**2 * (n_same - 2 * n_both)
    weight += in_none**2 * (n * n - n_same + n_both)
    others = np.square(squares) - np.einsum("...i,...i,...i,...i", u, u, u, u)
    return total, weight, 2 * weight / (n * (n - 1)) * others


def _ratio(above, below):
    return np.where(below > 0, above / np.where(below > 0, below, 1), 0.0)
