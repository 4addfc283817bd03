"""How probable it is that another seed of the splits gives the same decision."""

import numpy as np
from scipy import special

from .._design import SUBSAMPLE


def seed_stability(test, residuals, evaluation):
    """Return the probability of the same decision with another seed, or nan."""
    is_known = test.is_directed and test.uses_all_splits
    if not is_known or not residuals.design.has_several_runs:
        return np.full(np.shape(evaluation.statistic), np.nan)
    return same_decision(test, residuals, evaluation, 1 - test.alpha)


def same_decision(test, residuals, evaluation, level):
    """Return the same for the decision by an interval of a level.

    Φ(d/√(2v/R)): an end of the interval at the distance d from the tested mean crosses
    it where the means of R runs by two seeds differ by more than d; v is the variance
    of a run over seeds, given the sample.
    """
    low, high = test.interval(evaluation, level)
    inside = np.stack(np.broadcast_arrays(test.popmean - low, high - test.popmean))
    deviation = _deviation_over_seeds(residuals)
    with np.errstate(invalid="ignore", divide="ignore"):
        distance = inside / (np.sqrt(2) * deviation)
    distance = np.where(deviation == 0, np.copysign(np.inf, inside), distance)
    crosses = np.sum(special.ndtr(-distance), axis=0)
    is_inside = np.all(inside >= 0, axis=0)
    return np.clip(np.where(is_inside, 1 - crosses, crosses), 0, 1)


def _deviation_over_seeds(residuals):
    """Return the deviation √(v/R) of the mean over seeds.

    Examples, or groups, move independently from run to run; where there is one value a
    split, only the means of runs are known.
    """
    design = residuals.design
    if design.kind != SUBSAMPLE and residuals.row_index is not None:
        n_units, n_runs = residuals.unit_runs.shape[-2:]
        variance = residuals.unit_runs.var(axis=-1, ddof=1).sum(axis=-1) / n_units**2
        return np.sqrt(variance / n_runs)
    means = residuals.block_means
    if design.kind != SUBSAMPLE:
        runs = means.reshape(*means.shape[:-1], design.n_repeats, design.n_splits)
        means = runs.mean(axis=-1)
    return means.std(axis=-1, ddof=1) / np.sqrt(means.shape[-1])
