"""How probable it is that another seed of the splits gives the same decision."""

from __future__ import annotations

from dataclasses import replace
from typing import NamedTuple

import numpy as np
from scipy import special

from .._data._moments import power_of_two
from .._losses._metric_names import named_loss
from .._splits._design import DesignKind
from ._validity import check_hypothesis
from ._zero_variance import full_evaluation

# What the noise of examples is worth, in degrees of freedom, and the variance of a run
# over it: noise of two examples in one split is correlated. Both by simulation.
PRIOR_DF = 10
PRIOR_RATIO = 1.25
UNSEEN = 0.5  # examples that vary although none was seen to
# What no run shows turns a decision with a probability of about BY_CHANGES/(1 + m²) +
# BY_RUNS/R², m the number of changes that it takes; of a loss that has a range, changes
# of at least a QUARTER.
BY_CHANGES = 0.5
BY_RUNS = 0.03
QUARTER = 0.25


class Runs(NamedTuple):
    """Residuals as the mean of a test weighs them, and the residuals of each run.

    Attributes
    ----------
    residuals : CVResiduals
        Of examples, or of groups of equal weight.
    values : ndarray of shape (..., n_examples, n_runs) or None
        The residuals of each run; None if they are not known.
    """

    residuals: object
    values: np.ndarray | None


class Ends(NamedTuple):
    """The ends of an interval, and what moves them with the seed of the splits.

    Attributes
    ----------
    values : ndarray of shape (2, ...)
        The ends.
    inside : ndarray of shape (2, ...)
        How far each is from where the decision changes.
    noise, influences : as `interval_influences` of a test returns them
        What moves them.
    """

    values: np.ndarray
    inside: np.ndarray
    noise: np.ndarray
    influences: np.ndarray | None


def is_repeated(design):
    """Whether a design has runs of which each could have been another."""
    is_one_subsample = design.kind == DesignKind.SUBSAMPLE and design.n_splits == 1
    return design.kind.has_several_runs and not is_one_subsample


def split_deviation(runs, influences=None):
    """Return the deviation over seeds, given the data, of the mean, and its df.

    With `influences`, (2, ..., n), it is the deviation of two linear functions of the
    examples, the ends of an interval.

    Runs of a K-fold, or single subsamples, are independent given the data, so that its
    square is the variance of one run over their number. nan where the runs are not
    known.
    """
    design = runs.residuals.design
    means = runs.residuals.block_means
    if design.kind == DesignKind.SUBSAMPLE:
        return _of_means(means)
    if runs.values is not None:
        return _of_examples(runs.values, influences)
    if design.n_splits is None:
        return np.full(means.shape[:-1], np.nan)[()], 1
    of_runs = means.reshape(*means.shape[:-1], design.n_repeats, design.n_splits)
    return _of_means(of_runs.mean(axis=-1))


def _runs_of(test, residuals):
    """Return the Runs of residuals, as the test takes their mean."""
    if test.traits.weighs == "groups" and residuals.groups is not None:
        residuals = residuals.group_means()
    is_known = residuals.per_example and residuals.row_index is not None
    if residuals.design.kind == DesignKind.SUBSAMPLE or not is_known:
        return Runs(residuals, None)
    return Runs(residuals, residuals.example_runs())


def _of_means(means):
    n_runs = means.shape[-1]
    scale = power_of_two(np.max(np.abs(means), axis=-1, keepdims=True))
    deviation = np.std(means / scale, axis=-1, ddof=1)  # squares as they are overflow
    return scale[..., 0] * deviation / np.sqrt(n_runs), n_runs - 1


def _of_examples(values, influences):
    """Return the same of residuals (..., n_examples, n_runs).

    With ψ_i the influence of example i and d_ir its deviation in run r from its mean,
    the variance of a run, Σ_r (Σ_i ψ_i d_ir)²/(R-1), has R - 1 degrees of freedom. It
    is shrunk towards what it would be if examples were independent, the sum of all
    v_i = ψ_i² Σ_r d_ir²/(R-1). The sum has Satterthwaite's degrees of freedom, which
    limit the weight it is given: few examples with most of the noise tell less. If no
    loss differed between runs, one still may: half an example counts as if it did.
    """
    n_examples, n_runs = values.shape[-2:]
    extra = n_runs - 1
    if influences is None:
        influences = np.full((1, n_examples), 1 / n_examples)
    deviations = values - values.mean(axis=-1, keepdims=True)
    scale = power_of_two(np.max(np.abs(deviations), axis=(-2, -1)))
    deviations = deviations / np.expand_dims(scale, (-2, -1))
    runs = np.matmul(np.expand_dims(influences, -2), deviations)[..., 0, :]
    of_examples = influences**2 * (np.sum(deviations**2, axis=-1) / extra)
    noise = of_examples.sum(axis=-1)
    squares = np.sum(of_examples**2, axis=-1)
    spread = np.var(values.mean(axis=-1), axis=-1) / scale**2
    quiet = UNSEEN * spread * np.mean(influences**2, axis=-1)
    noise = np.where(noise > 0, noise, quiet)
    # 1/df of the sum; the squares of estimates with R - 1 are (R + 1)/(R - 1) too large
    part = squares / ((extra + 2) * np.where(squares > 0, noise, 1.0) ** 2)
    prior = 1 / (1 / PRIOR_DF + part)
    df = prior + extra
    pooled = (prior * PRIOR_RATIO * noise + np.sum(runs**2, axis=-1)) / df
    return scale * np.sqrt(pooled / n_runs), df


def distances_inside(test, ends):
    """Return how far each end is from where the decision changes, (2, ...).

    A difference is not shown where both are positive, equivalence is shown there.
    """
    low, high = ends
    with np.errstate(invalid="ignore"):
        if test.traits.decides == "equivalence":
            region = test.traits.region
            below = low - (test.popmean - region)
            above = region - (high - test.popmean)
        else:
            below = test.popmean - low
            above = high - test.popmean
        distances = np.stack([below, above])
    return np.where(np.isfinite(distances), distances, np.inf)


def same_decision(test, residuals, evaluation, confidence_level, n_means=1):
    """Return the probability that no end of the interval crosses the tested mean.

    The variance of each end over seeds enters `n_means` times: once if the decision is
    compared with the one of infinitely many seeds, twice with the one of another seed.
    """
    ends = _ends(test, residuals, evaluation, confidence_level)
    return _same(evaluation.estimate, ends, _runs_of(test, residuals), n_means)


def _ends(test, residuals, evaluation, level):
    """Return the Ends of an interval of the test."""
    ends = np.stack(np.broadcast_arrays(*test.interval(evaluation, level)))
    noise, influences = test.interval_influences(evaluation, residuals, level)
    return Ends(ends, distances_inside(test, ends), noise, influences)


def _same(estimate, ends, runs, n_means):
    """Return how probable it is that no end crosses the tested mean."""
    deviation, df = split_deviation(runs, ends.influences)
    with np.errstate(invalid="ignore", divide="ignore"):
        margins = np.abs(ends.values - estimate)
        margins = np.where(np.isfinite(margins), margins, 0)
        deviation = np.hypot(deviation, ends.noise * margins)
        t = ends.inside / (np.sqrt(n_means) * deviation)
    # without noise every seed decides the same
    t = np.where(deviation == 0, np.where(ends.inside < 0, -np.inf, np.inf), t)
    crosses = np.sum(special.stdtr(df, -t), axis=0)
    same = np.where(np.all(ends.inside >= 0, axis=0), 1 - crosses, crosses)
    return np.clip(same, 0.0, 1.0)[()]


def _largest_change(residuals):
    """Return the width of the range of a residual, or of what occurs of it."""
    loss = named_loss(residuals.measured or "")
    if loss is not None and loss.largest is not None:
        return loss.largest * (1 + residuals.is_difference)
    low, high = residuals.value_range
    return high - low


def most_that_runs_show(ends, runs):
    """Return the largest probability that so few runs can show.

    That an example changes as much as the one that changed most, at the place of the
    largest influence, may be seen in no run. m such changes in one run turn the
    decision. Where runs are not known, or all residuals are the same, it is 1.
    """
    if runs.values is None:
        return 1.0
    n_examples, n_runs = runs.values.shape[-2:]
    overall = np.ptp(runs.values, axis=(-2, -1))
    change = np.ptp(runs.values, axis=-1).max(axis=-1)
    change = np.where(change > 0, change, overall)
    width = _largest_change(runs.residuals)
    if np.isfinite(width):
        change = np.maximum(change, QUARTER * width)
    with np.errstate(invalid="ignore", divide="ignore"):
        influence = 1 / n_examples
        if ends.influences is not None:
            influence = np.nanmax(np.abs(ends.influences), axis=-1)
        m = np.abs(ends.inside) / (influence * change / n_runs)
    turns = np.all(ends.inside >= 0, axis=0) | (ends.inside < 0)  # these turn it
    m = np.min(np.where(turns, m, np.inf), axis=0)
    probability = 1 - BY_CHANGES / (1 + m**2) - BY_RUNS / n_runs**2
    return np.where(overall > 0, probability, 1.0)


def evaluate_with_stability(test, residuals):
    """Return the result of a test, also where nothing varies, and how stable it is.

    Parameters
    ----------
    test, residuals : test, CVResiduals
        The test, and what it is evaluated on.

    Returns
    -------
    evaluation : Evaluation
        As :meth:`evaluate` of the test returns it, with the zero-variance rule applied
        and the columns of :func:`stability_columns`.
    """
    check_hypothesis(test, *residuals.value_range)
    evaluation = full_evaluation(test, residuals)
    stability = stability_columns(test, residuals, evaluation)
    return replace(evaluation, columns=evaluation.columns | stability)


def stability_columns(test, residuals, evaluation):
    """Return how probable the same decision is with another seed of the splits.

    Parameters
    ----------
    test, residuals, evaluation : test, CVResiduals, Evaluation
        The test, and its result for which residuals.

    Returns
    -------
    columns : dict
        For repeated designs, "seed_stability": the estimated probability of the same
        decision at the level of the test; empty for others.
    """
    traits = test.traits
    is_known = traits.is_directed and traits.uses_all_splits
    if not (is_known and is_repeated(residuals.design)):
        return {}
    level = test.interval_level(test.alpha)
    runs = _runs_of(test, residuals)
    ends = _ends(test, residuals, evaluation, level)
    same = _same(evaluation.estimate, ends, runs, n_means=2)
    largest = most_that_runs_show(ends, runs)
    return {"seed_stability": np.minimum(same, largest)[()]}
