"""How good is the one that was chosen because it was the best?

The smallest of k mean losses is too small: it was chosen for its noise, too. Noise of
the same covariance is drawn again. Added to the losses with one sign and with the
other, it gives losses to choose by, and independent ones to look the chosen up in;
averaged over draws, these have no bias (the coupled bootstrap of Oliveira, Lei and
Tibshirani, 2021).
"""

from dataclasses import replace
from typing import NamedTuple

import numpy as np
from scipy import special

from .._data._moments import error_tails
from .._inference._joint import reduced_rows
from .._losses._metric_names import metric_word
from .._pairs._intervals import interval_test, mean_interval
from .._pairs._ratios import losses_alone
from .._pairs._tested import evaluate_pairs
from .._validation import keep_warnings

DRAWS = 2000  # so that the estimate has an error of 0.03 standard errors
AT_A_TIME = 2**22  # numbers
ADDED = 0.4  # variance of what is added to choose by, in variances of the noise
SMALLEST = 2.0**-52  # one minus a level; a smaller one would be a level of 1
# L-skewness of absolute errors, 0.20 if they are normal, above which the interval of
# the winner is too short (docs/data/winner_tails.csv).
MAX_TAIL = 0.31
OTHERS = 0.75  # quantile of tails (docs/data/winner_tails.csv)
NEAR = 1.0  # standard errors of a difference, by which others are brought nearer


class Winner(NamedTuple):
    """What the smallest of k mean losses is worth.

    Attributes
    ----------
    position : int
        The position of the smallest mean loss.
    n_compared : int
        k, the number of candidates without failed fits.
    mean : float
        Its mean loss.
    mean_low, mean_high : float
        Its interval, as if nothing had been chosen.
    estimate, low, high : float
        The same, corrected for having been chosen.
    test : test
        Whose interval of a single mean it is.
    """

    position: int
    n_compared: int
    mean: float
    mean_low: float
    mean_high: float
    estimate: float
    low: float
    high: float
    test: object


def winner(losses, alpha):
    """Return the Winner of CVLosses.

    Parameters
    ----------
    losses : CVLosses
        Losses of single examples, or one value per split.
    alpha : float
        One minus the level of the intervals.

    Returns
    -------
    winner : Winner or None
        None where there is no interval of a single mean loss.

    Notes
    -----
    The variance is taken from the interval of a single mean loss, with the ρ of its
    test. The lower end remains as it is: if the true loss is below it, so is the loss
    of the truly best one, which was not chosen by these losses. The upper end has the
    level at which the noise of the chosen is below it, if the others are a standard
    error nearer than they came out. The mean of that noise is a shift; the rest is
    carried over to the scale of a range.
    """
    test = interval_test(losses.design, losses.per_example, losses.n_groups, losses.rho)
    if test is None:
        return None
    complete = np.flatnonzero(np.isfinite(losses.mean_losses))
    means = losses.mean_losses[complete]
    place = int(np.argmin(means))
    position = int(complete[place])
    mean, _, mean_low, mean_high = mean_interval(losses, position, test, alpha)
    rows, errors, df = noise_rows(test, losses, complete)
    high = mean_high
    if errors[place] > 0:
        noise = _noise_of_chosen(means, rows, place, df)
        bias = np.mean(noise)  # which has no part in the scale of a range
        reach = (np.quantile(noise, 1 - alpha / 2) - bias) / errors[place]
        alpha_of_reach = max(2 * special.stdtr(df, -reach), SMALLEST)
        _, _, _, above = mean_interval(losses, position, test, alpha_of_reach)
        largest_mean = losses.value_range[1]
        high = float(min(max(above + bias, mean_high), largest_mean))
    unbiased = _unbiased(means, _no_wider(rows, means))
    estimate = float(np.clip(unbiased, mean, high))
    return Winner(
        position=position,
        n_compared=len(complete),
        mean=mean,
        mean_low=mean_low,
        mean_high=mean_high,
        estimate=estimate,
        low=mean_low,
        high=high,
        test=test,
    )


def tail_of(losses, position):
    """Return the L-skewness of errors that make the interval too short, else None.

    Of the winner, or of the quarter of candidates with the heaviest tails: where these
    explode, the winner, chosen because it did not, may with another sample.
    """
    if metric_word(losses.measured) != "squared_error":
        return None
    tails = error_tails(losses)
    if tails is None:
        return None
    of_others = np.quantile(tails[np.isfinite(tails)], OTHERS)
    largest = max(tails[position], of_others)
    if largest <= MAX_TAIL:
        return None
    return float(largest)


def noise_rows(test, losses, positions):
    """Return rows whose products with normal vectors are noise, its size, its df."""
    residuals = losses_alone(losses, positions)
    residuals = replace(
        residuals,
        names=[(losses.estimator_names[position],) for position in positions],
        value_range=(-np.inf, np.inf),
    )
    with keep_warnings():  # of losses, by which nothing is decided
        _, _, lazy_columns = evaluate_pairs(test, [residuals], (0.95,), None)
        columns = lazy_columns.columns()
    if test.traits.has_joint_law:
        rows = test.deviation_rows(residuals)
    else:
        rows = residuals.block_means[:, losses.design.full]
        rows = rows - rows.mean(axis=1, keepdims=True)
    if rows.shape[1] > len(rows):
        rows = reduced_rows(rows, centred=False)
    total_error = columns["total_error"]
    errors = np.where(np.isfinite(total_error), total_error, 0.0)
    sizes = np.linalg.norm(rows, axis=1)
    factors = errors / np.where(sizes > 0, sizes, 1)
    df = float(np.min(columns["total_df"]))
    return rows * factors[:, np.newaxis], errors, df


def _no_wider(rows, means):
    """Return rows whose differences are no larger than the differences of the means.

    Where the means differ less than noise would make them, ρ is smaller than assumed.
    """
    k = len(means)
    if k < 3:
        return rows
    centre = rows.mean(axis=0)
    deviations = rows - centre
    noise = np.sum(deviations**2) / (k - 1)
    two_errors = 2 * np.sqrt(2 / (k - 1))  # of a variance, relative to it
    most = np.var(means, ddof=1) * (1 + two_errors)
    if noise <= most:
        return rows
    return centre + np.sqrt(most / noise) * deviations


def _unbiased(means, rows):
    """Return the mean loss of the chosen without its bias."""
    root = np.sqrt(ADDED)
    rng = np.random.default_rng(0)
    estimates = []
    for noise in _draws(rows, rng):
        chosen = np.argmin(means + root * noise, axis=1)
        noise_of_chosen = _at(noise, chosen)
        estimates.append(means[chosen] - noise_of_chosen / root)
    return np.concatenate(estimates).mean()


def _noise_of_chosen(means, rows, best, df):
    """Return draws of how much too small the mean loss of the chosen is."""
    rng = np.random.default_rng(0)
    errors = np.linalg.norm(rows - rows[best], axis=1)
    distances = means - means[best]
    true_distances = np.maximum(distances - NEAR * errors, 0.0)  # as they may be
    draws = []
    for noise in _draws(rows, rng):
        chosen = np.argmin(true_distances + noise, axis=1)
        draws.append(-_at(noise, chosen))
    noise_of_chosen = np.concatenate(draws)
    if not np.isfinite(df):
        return noise_of_chosen
    return noise_of_chosen / np.sqrt(rng.chisquare(df, DRAWS) / df)


def _draws(rows, rng):
    """Yield noise, (n, k); with each draw its opposite."""
    n_draws = DRAWS // 2
    step = max(AT_A_TIME // (2 * len(rows)), 1)
    for start in range(0, n_draws, step):
        n_now = min(step, n_draws - start)
        noise = rng.standard_normal((n_now, rows.shape[1])) @ rows.T
        yield noise
        yield -noise


def _at(noise, chosen):
    return noise[np.arange(len(chosen)), chosen]
