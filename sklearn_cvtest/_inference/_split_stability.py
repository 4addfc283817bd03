"""How probable it is that another seed of the splits gives the same decision."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
from scipy import special

from .._data._moments import power_of_two
from .._splits._design import DesignKind
from ._validity import check_hypothesis
from ._zero_variance import full_evaluation


def is_repeated(design):
    """Whether a design has runs of which each could have been another."""
    is_one_subsample = design.kind == DesignKind.SUBSAMPLE and design.n_splits == 1
    return design.kind.has_several_runs and not is_one_subsample


def split_deviation(test, residuals):
    """Return the standard deviation over seeds, given the data, of the mean."""
    design = residuals.design
    means = residuals.block_means
    if design.kind != DesignKind.SUBSAMPLE:
        if residuals.per_example and residuals.row_index is not None:
            if test.traits.weighs == "groups" and residuals.groups is not None:
                residuals = residuals.group_means()
            moments = residuals.example_moments
            return moments.scale * np.sqrt(moments.split_noise / moments.n_runs)
        if design.n_splits is None:
            return np.full(means.shape[:-1], np.nan)[()]
        runs = means.reshape(*means.shape[:-1], design.n_repeats, design.n_splits)
        means = runs.mean(axis=-1)
    scale = power_of_two(residuals.largest)  # squares as they are overflow
    deviation = np.std(means / np.expand_dims(scale, -1), axis=-1, ddof=1)
    return scale * deviation / np.sqrt(means.shape[-1])


def same_decision(test, residuals, evaluation, confidence_level):
    """Return the probability that no end of the interval crosses the tested mean.

    Both seeds have the noise of a mean, so that its variance enters twice.
    """
    low, high = test.interval(evaluation, confidence_level)
    deviation = np.sqrt(2) * split_deviation(test, residuals)
    with np.errstate(invalid="ignore", divide="ignore"):
        inside = np.stack(np.broadcast_arrays(test.popmean - low, high - test.popmean))
        inside = np.where(np.isfinite(inside), inside, np.inf)
        z = inside / deviation
    # without noise every seed decides the same
    z = np.where(deviation == 0, np.where(inside < 0, -np.inf, np.inf), z)
    crosses = np.sum(special.ndtr(-z), axis=0)
    same = np.where(np.all(inside >= 0, axis=0), 1 - crosses, crosses)
    return np.clip(same, 0.0, 1.0)[()]


def evaluate_with_stability(test, residuals):
    """Return the result of a test, also where nothing varies, and how stable it is."""
    check_hypothesis(test, *residuals.value_range)
    evaluation = full_evaluation(test, residuals)
    stability = stability_columns(test, residuals, evaluation)
    return replace(evaluation, columns=evaluation.columns | stability)


def stability_columns(test, residuals, evaluation):
    """Return how probable the same decision is with another seed of the splits."""
    traits = test.traits
    is_known = traits.is_directed and traits.uses_all_splits
    if not (is_known and is_repeated(residuals.design)):
        return {}
    level = test.interval_level(test.alpha)
    return {"seed_stability": same_decision(test, residuals, evaluation, level)}
