"""How the statistics of many pairs vary together, from residuals of single examples.

The differences of k estimators are normal with the covariance of their residuals: of
those averaged over R runs and, as often as ρ/(1-ρ) says, of one run. One matrix of
deviations has that covariance; for one pair it is the law of the test itself.
"""

import numpy as np

from .._data._clusters import cluster_deviations, estimand_weights

ROUNDING = 1e-10  # of singular values


def single_rows(residuals, weights="examples", *, within_blocks=False):
    """Return deviations of one run (k, n_units) that give the covariance of the means.

    A unit is an example, or a group.
    """
    blocks = residuals.row_split if within_blocks else None
    units = residuals.groups
    if units is None:
        units = np.arange(residuals.n_values)
        shares = None
    else:
        shares = estimand_weights(units, weights)
    return cluster_deviations(residuals.values, units, shares, blocks)


def repeat_rows(residuals, odds):
    """Return deviations of averages over R runs, then of all runs, side by side.

    Of shape (k, n_units (1 + R)). Units of runs count as often as `odds`, ρ/(1-ρ),
    says: their covariance is Σ_R + ρ/(1-ρ) Σ_1 up to a factor.
    """
    values = residuals.example_runs()
    deviations = values - values.mean(axis=-2, keepdims=True)
    runs = deviations.reshape(len(values), -1) * np.sqrt(odds / values.shape[-1])
    return np.hstack([deviations.mean(axis=-1), runs])


def reduced_rows(rows, centred=True):
    """Return rows whose differences have the same inner products, up to a factor.

    With as few columns as that takes, and signs that do not depend on the machine. Not
    `centred`, the rows themselves have the same inner products.
    """
    rows = rows - rows.mean(axis=0) if centred else rows
    scale = np.abs(rows).max() or 1.0
    vectors, values, _ = np.linalg.svd(rows / scale, full_matrices=False)
    kept = values > ROUNDING * values[0]
    vectors = vectors[:, kept]
    values = values[kept]
    largest = np.abs(vectors).argmax(axis=0)  # whose sign is arbitrary
    return vectors * np.sign(vectors[largest, np.arange(len(values))]) * values
