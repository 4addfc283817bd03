"""Which of many models may be the best: a set that holds it with probability 1 - α.

Step-down, the most clearly worse first: a model leaves if its one-sided statistic
against the best mean is beyond the critical value of the largest difference among
those that are still in the set, drawn with the covariance of the differences. Letters
tell models apart by the critical values of the same steps.
"""

import string
from typing import NamedTuple

import numpy as np
from scipy import special
from sklearn.base import clone

from ._inference.student import pvalue_of
from ._inference.zero_variance import evaluate_limited

N_DRAWS = 12000  # so that p near alpha has an error below 0.002
BLOCK = 500
EDGE = 1e-6  # by which an interval is on the side of its p-value


class StepDown(NamedTuple):
    """Which of many may be the best.

    Attributes
    ----------
    order : ndarray of shape (n_models,)
        Positions of the models, the best first; of all that follows, the order.
    pvalues : ndarray of shape (n_models,)
        Adjusted p-values: small if the best one is better.
    levels : ndarray of shape (n_models,)
        Levels of one-sided intervals that agree with the p-values.
    steps : ndarray of shape (n_models,)
        The step at which each would leave.
    kept : ndarray of bool of shape (n_models,)
        Whether each may be the best.
    alpha : float
        One minus the confidence that the best is in the set.
    """

    order: np.ndarray
    pvalues: np.ndarray
    levels: np.ndarray
    steps: np.ndarray
    kept: np.ndarray
    alpha: float


def step_down(test, losses, alpha=0.05):
    """Return the StepDown of losses by a directed test."""
    test = clone(test).set_params(alternative="greater", popmean=0.0)
    draws = _draws_of(test, losses)
    order = losses.ranking[draws.order]
    single = np.ones(len(order))
    single[1:] = _one_sided_pvalues(test, losses, order[1:], order[0])
    pvalues, levels, steps = _steps_of(single, draws, alpha, test.has_joint_law)
    return StepDown(order, pvalues, levels, steps, pvalues > alpha, alpha)


def _one_sided_pvalues(test, losses, worse, better):
    """Return the p-values of losses of some that are above those of others."""
    pairs = np.column_stack(np.broadcast_arrays(worse, better))
    return np.minimum(evaluate_limited(test, losses.pairs(pairs)).pvalue, 1.0)


def _steps_of(single, draws, alpha, has_joint_law):
    """Return p-values, levels of one-sided intervals, and the step of each model.

    Without a joint law, by Bonferroni's method alone.
    """
    k = len(single)
    leaving = np.append(1 + np.argsort(single[1:], kind="stable"), 0)
    single = single[leaving]
    n_left = k - np.arange(k)
    n_pairs = np.maximum(n_left * (n_left - 1), 1)
    bound = np.minimum(n_pairs * single, 1.0)
    least = np.minimum(2 * single, bound)
    adjusted = bound.copy()
    levels = alpha / n_pairs
    # Bonferroni's method is enough for p below 0.001, and of more than 200 models
    n_clear = max(int(np.argmax(bound > min(0.001, alpha))), k - 200)
    n_drawn = k - 2 if has_joint_law else 0
    largest = _largest_of_steps(leaving, range(n_clear, n_drawn), draws)
    observed = draws.statistic(single)
    for step, maxima in largest.items():
        share = (1 + np.sum(maxima >= observed[step])) / (1 + len(maxima))
        adjusted[step] = np.clip(share, least[step], bound[step])
        levels[step] = draws.pvalue(np.quantile(maxima, 1 - alpha))
    adjusted = np.maximum.accumulate(adjusted)
    adjusted[-1] = 1.0
    n_out = int(np.argmax(adjusted > alpha))
    levels[:n_out] = np.maximum(levels[:n_out], single[:n_out] * (1 + EDGE))
    levels[n_out:] = min(levels[n_out], single[n_out] * (1 - EDGE))
    steps = np.argsort(leaving)
    return adjusted[steps], levels[steps], steps


def _largest_of_steps(leaving, steps, draws):
    """Return {step: draws of the largest statistic among those still in the set}."""
    rng = np.random.default_rng(0)
    largest = {step: [] for step in steps}
    if not largest:
        return {}
    scales = draws.scales(leaving[steps[0] :])
    n_blocks = 100_000_000 // (BLOCK * scales.size // 2)  # of many models fewer draws
    for _ in range(min(max(n_blocks, 1), N_DRAWS // BLOCK)):
        block = draws.draw(rng, BLOCK)[:, leaving[steps[0] :]]
        so_far = np.zeros(BLOCK)
        for place in reversed(range(len(scales) - 1)):
            differences = block[:, [place]] - block[:, place + 1 :]
            statistics = np.abs(differences) * scales[place, place + 1 :]
            so_far = np.maximum(so_far, statistics.max(axis=1))
            step = steps[0] + place
            if step in largest:
                largest[step].append(so_far)
    return {step: np.concatenate(maxima) for step, maxima in largest.items()}


def _draws_of(test, losses):
    """Return what draws statistics with the covariance of the differences."""
    order = losses.ranking
    against_best = np.column_stack([order, np.full_like(order, order[0])])
    residuals = losses.pairs(against_best)
    evaluation = test.evaluate(residuals)
    means = losses.mean_losses[order]
    if hasattr(test, "deviation_rows"):
        df = np.inf if np.ndim(evaluation.df) else evaluation.df  # normal scores
        return JointDraws(test.deviation_rows(residuals), means, df)
    blocks = residuals.whole_means
    deviations = blocks - blocks.mean(axis=1, keepdims=True)
    rho = np.nan_to_num(evaluation.rho)
    shifts = np.sqrt(1 - rho) * evaluation.estimate
    return RotationDraws(deviations + shifts[:, np.newaxis], means)


class _Draws:
    """Rows, one for each model, whose differences have the law of the statistics."""

    def __init__(self, rows, mean_losses):
        self.order = np.lexsort([np.sum(rows**2, axis=1), mean_losses])
        self.rows = rows[self.order]

    def scales(self, places):
        """Return one over the lengths of differences of rows, 0 of constant ones."""
        rows = self.rows[places]
        sums = np.sum(rows**2, axis=1)
        sums = sums[:, np.newaxis] + sums
        squares = sums - 2 * rows @ rows.T
        # a variance that is rounding
        is_flat = squares - self.constant_squares(rows) <= 1e-13 * sums
        return np.where(is_flat, 0.0, 1 / np.sqrt(np.where(is_flat, 1.0, squares)))

    def constant_squares(self, rows):
        """Return the squares of what is constant in differences."""
        return 0.0


class JointDraws(_Draws):
    """Normal or t statistics with the covariance of the residuals of examples."""

    def __init__(self, rows, mean_losses, df):
        super().__init__(rows, mean_losses)
        self.rows = reduced_rows(self.rows - self.rows.mean(axis=0))
        self.df = df

    def statistic(self, pvalues):
        """Return the statistics with one-sided p-values."""
        return _upper_quantile(pvalues, self.df)

    def draw(self, rng, n_draws):
        """Return products of the rows with normal vectors, over one s for all."""
        vectors = rng.standard_normal((n_draws, self.rows.shape[1]))
        products = vectors @ self.rows.T
        if np.isinf(self.df):
            return products
        scales = np.sqrt(rng.chisquare(self.df, n_draws) / self.df)
        return products / scales[:, np.newaxis]

    def pvalue(self, quantile):
        """Return the one-sided p-value of a statistic."""
        return pvalue_of(quantile, self.df, "greater")


class RotationDraws(_Draws):
    """Cosines of rows of block means with a uniform direction, for t tests."""

    def __init__(self, rows, mean_losses):
        super().__init__(rows / (np.abs(rows).max() or 1.0), mean_losses)
        self.df = rows.shape[1] - 1

    def constant_squares(self, rows):
        """Return the squares of means of differences of blocks."""
        sums = rows.sum(axis=1) / np.sqrt(rows.shape[1])
        return (sums[:, np.newaxis] - sums) ** 2

    def statistic(self, pvalues):
        """Return the cosines with one-sided p-values."""
        t = _upper_quantile(pvalues, self.df)
        with np.errstate(invalid="ignore"):
            cosine = t / np.sqrt(self.df + t**2)
        return np.where(np.isinf(t), np.sign(t), cosine)

    def draw(self, rng, n_draws):
        """Return products of rows with directions."""
        direction = rng.standard_normal((n_draws, self.rows.shape[1]))
        direction /= np.linalg.norm(direction, axis=1, keepdims=True)
        return direction @ self.rows.T

    def pvalue(self, cosine):
        """Return the one-sided p-value of a cosine."""
        sine = np.sqrt(max(1 - cosine**2, 1e-300))
        return pvalue_of(np.sqrt(self.df) * cosine / sine, self.df, "greater")


def _upper_quantile(pvalues, df):
    if np.isinf(df):
        return -special.ndtri(pvalues)
    return -special.stdtrit(df, pvalues)


def reduced_rows(rows):
    """Return rows with the same inner products, up to a factor, and few columns."""
    scale = np.abs(rows).max() or 1.0
    vectors, values, _ = np.linalg.svd(rows / scale, full_matrices=False)
    is_needed = values > 1e-10 * values[0]
    vectors = vectors[:, is_needed]
    values = values[is_needed]
    largest = np.abs(vectors).argmax(axis=0)  # whose sign is arbitrary
    return vectors * np.sign(vectors[largest, np.arange(len(values))]) * values


# Letters ----------------------------------------------------------------------------


def letters_of(test, losses, best, n_models=None):
    """Return letters for the first models of a StepDown; who shares one is tied.

    Two models are compared at the critical value of the step at which the first of them
    leaves, so that who is worse than the best shares no letter with it.
    """
    test = clone(test).set_params(alternative="greater", popmean=0.0)
    k = n_models or len(best.order)
    apart = np.zeros((k, k), dtype=bool)
    for place in range(k - 1):
        after = np.arange(place + 1, k)
        pvalues = _one_sided_pvalues(test, losses, best.order[after], best.order[place])
        leaves_first = np.where(best.steps[after] < best.steps[place], after, place)
        apart[place, after] = pvalues <= best.levels[leaves_first]
    return letters_apart(apart | apart.T)


def letters_apart(apart):
    """Return letters of which who is apart shares none, (k, k) of bool."""
    letters = [""] * len(apart)
    for number, group in enumerate(tied_groups(apart)):
        letter = f"({number + 1})"
        if number < len(string.ascii_letters):
            letter = string.ascii_letters[number]
        for place in group:
            letters[place] += letter
    return letters


def tied_groups(apart):
    """Return the largest groups in which nobody is apart, by Piepho's method (2004)."""
    groups = [set()]
    for item, row in enumerate(apart):
        tied = {other for other in range(item) if not row[other]}
        with_item = []
        for group in sorted((group & tied for group in groups), key=len, reverse=True):
            if not any(group <= other for other in with_item):
                with_item.append(group)
        groups = [group for group in groups if not group <= tied]
        groups += [group | {item} for group in with_item]
    return sorted(map(sorted, groups))
