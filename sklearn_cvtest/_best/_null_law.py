"""Which of many are as good as the best: the law of the largest of many statistics.

For each of k models, T_r is the largest of the statistics of loss(r) - loss(s) over its
k - 1 rivals s. Models leave the set from the largest T_r down, as long as T_r is above
the quantile of the largest T of all that are left, if all models are equally good
(:func:`best_pvalues`). All models share the draws, so that k of them cost k numbers
each.
"""

from typing import NamedTuple

import numpy as np

from .._inference._joint import reduced_rows
from .._inference._student import student_pvalue
from ._representatives import representatives

FIRST = 250  # draws in a block
DRAWS = 12000  # in all, so that p near alpha has an error below 0.002
MOST_STATISTICS = 400_000_000  # that are drawn: of many models there are fewer draws
MARGIN = 1e-6  # of a level, so that rounding does not change a decision
FLAT = 1e-13  # of squares
CACHED = 2**16  # numbers at a time that stay near the processor, of single precision
BLOCK = 2**18  # cosines at a time


def best_pvalues(single, draws, alpha):
    """Return p-values, levels and what is a bound, of k models.

    Parameters
    ----------
    single : ndarray of shape (k,)
        The smallest one-sided p-value of each.
    draws : RotationDraws, JointDraws or None
        The law of the largest statistics; None if there is none.
    alpha : float
        The level.

    Returns
    -------
    pvalues : ndarray of shape (k,)
        Of the hypothesis that a model and all that are less clearly worse are equally
        good, and none is better.
    levels : ndarray of shape (k,)
        The one-sided p-value of the nearest rival alone at which that is alpha; of a
        model that stays, the level of the step at which the first one stayed.
    is_bound : ndarray of shape (k,)
        Whether the p-value is Bonferroni's bound, not drawn.

    Notes
    -----
    Models are taken from the smallest p-value up. With m of them left, the p-value is
    the probability that the largest T_r of the m, each against all k - 1 rivals, is as
    extreme as what was observed; at most m (k - 1) times the p-value of the nearest
    rival. An adjusted p-value is the largest so far: the step-down of Westfall and
    Young (1993), section 2.6. If some models are the best, the first of them that is
    taken is tested among all of them, so that with probability 1 - alpha none leaves.
    For two models it is the two-sided p-value of the pair.
    """
    k = len(single)
    order = np.argsort(single, kind="stable")  # the most clearly worse first
    sorted_single = single[order]
    n_pairs = (k - np.arange(k)) * (k - 1)
    bound = np.minimum(n_pairs * sorted_single, 1)
    # a model and its nearest rival are among those left, and either can be ahead
    least = np.minimum(2 * sorted_single, bound)
    steps = _drawn_steps(order, sorted_single, bound, draws, alpha)
    adjusted = bound.copy()
    is_bound = (bound > 0) & (sorted_single < 1) & (k > 2)
    for place, step in steps.items():
        n_hits = np.sum(step.hits)
        share = (1 + n_hits) / (1 + len(step.hits))
        adjusted[place] = np.clip(share, least[place], bound[place])
        is_bound[place] = False
    adjusted = np.maximum.accumulate(adjusted)
    level = alpha / n_pairs
    n_out = int(np.sum(adjusted <= alpha))
    n_deciding = min(n_out + 1, k)
    for place, step in steps.items():
        if place >= n_deciding:
            continue
        quantile = draws.level(order[place], step, alpha)
        level[place] = _level_of_step(
            quantile,
            smallest=level[place],
            largest=alpha * sorted_single[place] / least[place],
            edge=alpha * sorted_single[place] / adjusted[place],
            leaves=adjusted[place] <= alpha,
        )
    if n_out < k:
        level[n_out:] = level[n_out]
    in_input_order = np.argsort(order)
    return adjusted[in_input_order], level[in_input_order], is_bound[in_input_order]


def _level_of_step(quantile, *, smallest, largest, edge, leaves):
    """Return the level of a step, by the quantile of what was drawn.

    It is between the level of Bonferroni's bound and that of a single pair. The
    quantile is a draw, too, and may be on the other side of what the p-value decides:
    `edge` is the level at which the p-value would be alpha.
    """
    quantile = np.clip(quantile, smallest, largest)
    if leaves:
        return max(quantile, edge * (1 + MARGIN))
    return min(quantile, edge * (1 - MARGIN))


class DrawnStep(NamedTuple):
    """The draws of one step of the step-down.

    Attributes
    ----------
    hits : ndarray of bool of shape (n_draws,)
        Which of the largest statistics are beyond what was observed.
    largest : ndarray of shape (n_draws,)
        The largest statistics.
    """

    hits: np.ndarray
    largest: np.ndarray


def _drawn_steps(order, sorted_single, bound, draws, alpha):
    """Return {place in the order: DrawnStep} of what the bounds do not decide.

    All from the first that they do not decide, as a step looks at all that are left.
    """
    k = len(order)
    varies = (sorted_single > 0) & (sorted_single < 1)
    unclear = np.flatnonzero(varies & (bound > alpha))
    if k == 2 or draws is None or not unclear.size:
        return {}
    places = np.arange(unclear[0], k)
    n_affordable = MOST_STATISTICS // (k * len(places) * FIRST)
    n_blocks = min(n_affordable, DRAWS // FIRST)
    if n_blocks == 0:
        return {}
    places = places[::-1].tolist()  # those that are left last are in every step
    hits = {place: [] for place in places}
    largest = {place: [] for place in places}
    rng = np.random.default_rng(0)
    for _ in range(n_blocks):
        block = draws.draw(rng, FIRST)
        largest_so_far = np.full(FIRST, -np.inf)
        for place in places:
            model = order[place]
            largest_of_step = draws.largest(model, block)
            largest_so_far = np.maximum(largest_so_far, largest_of_step)
            hits[place].append(draws.hits(model, largest_so_far))
            largest[place].append(largest_so_far)
    return {
        place: DrawnStep(np.concatenate(hits[place]), np.concatenate(largest[place]))
        for place in places
    }


class RotationDraws:
    """Cosines of rows with a uniform direction; see :func:`rotation_adjustment`.

    Parameters
    ----------
    rows : ndarray of shape (k, J)
        Blocks under the null hypothesis, less the blocks of one of the models.
    """

    def __init__(self, rows):
        scale = np.abs(rows).max() or 1.0
        self.rows = rows / scale
        self.squares = np.sum(self.rows**2, axis=1)
        self.sums = self.rows.sum(axis=1) / np.sqrt(rows.shape[1])
        self.rivals, self.observed = self._nearest()

    def _distances(self, models, others):
        """Return |x_r - x_s| of some r and s, inf where the difference is constant.

        A constant difference has a cosine of 1, but shows nothing.
        """
        sums = self.squares[models, np.newaxis] + self.squares[others]
        products = self.rows[models] @ (2 * self.rows[others]).T
        squares = sums - products
        means = self.sums[models, np.newaxis] - self.sums[others]
        is_flat = squares - means**2 <= FLAT * sums
        squares[is_flat] = np.inf
        return np.sqrt(squares, out=squares)

    def _cosines(self, models, others):
        """Return the cosines of some r less others, below -1 where there is none."""
        distances = self._distances(models, others)
        means = self.sums[models, np.newaxis] - self.sums[others]
        cosines = means / distances
        cosines[distances == np.inf] = -2.0
        places = np.searchsorted(others, models)
        places = np.minimum(places, len(others) - 1)
        is_itself = np.flatnonzero(others[places] == models)
        cosines[is_itself, places[is_itself]] = -3.0
        return cosines

    def _nearest(self):
        """Return who is the most clearly better than each, and the cosine."""
        k = len(self.rows)
        rivals = np.empty(k, dtype=np.intp)
        observed = np.empty(k)
        deviations = self.rows - self.rows.mean(axis=1, keepdims=True)
        all_others = representatives(deviations, self.sums)
        may_be_rival = np.zeros(k, dtype=bool)
        may_be_rival[all_others] = True
        by_sum = np.argsort(self.sums, kind="stable")
        step = max(BLOCK // len(all_others), 1)
        for start in range(0, k, step):
            models = by_sum[start : start + step]
            not_worse = by_sum[: start + step]
            better_others = np.sort(not_worse[may_be_rival[not_worse]])
            rivals[models], observed[models] = self._clearest(models, better_others)
            models = models[observed[models] < 0]  # none of these is better
            if len(models):
                rivals[models], observed[models] = self._clearest(models, all_others)
        return rivals, observed

    def _clearest(self, models, others):
        """Return who of others is the most clearly better, and the cosines."""
        cosines = self._cosines(models, others)
        places = cosines.argmax(axis=1)
        return others[places], cosines[np.arange(len(models)), places]

    def draw(self, rng, n_draws):
        """Return products of rows with half as many directions; -w is one, too."""
        direction = rng.standard_normal((n_draws // 2, self.rows.shape[1]))
        direction /= np.linalg.norm(direction, axis=1, keepdims=True)
        products = direction @ self.rows.T
        return products.astype(np.float32)

    def largest(self, r, block):
        """Return the largest cosines."""
        distances = self._distances(np.array([r]), np.arange(len(self.rows)))[0]
        inverse = (1 / distances).astype(np.float32)
        flat_rivals = np.flatnonzero(inverse == 0)  # r itself, too
        n_rows = max(CACHED // len(inverse), 1)
        largest = np.empty((2, len(block)))
        for start in range(0, len(block), n_rows):
            chunk = block[start : start + n_rows]
            cosines = chunk[:, [r]] - chunk
            cosines *= inverse
            cosines[:, flat_rivals] = cosines[:, self.rivals[[r]]]
            largest[0, start : start + n_rows] = cosines.max(axis=1)
            largest[1, start : start + n_rows] = -cosines.min(axis=1)
        return largest.ravel()

    def hits(self, r, largest):
        """Return which of the largest cosines are as extreme as the observed one."""
        return largest >= self.observed[r]

    def level(self, r, step, alpha):
        """Return the one-sided p-value of the quantile of the largest cosine."""
        df = self.rows.shape[1] - 1
        cosine = np.quantile(step.largest, 1 - alpha)
        sine = np.sqrt(max(1 - cosine**2, 1e-300))
        t = np.sqrt(df) * cosine / sine
        return student_pvalue(t, df, "greater")


class JointDraws:
    """Normal or t statistics with the covariance of residuals; see `_joint`.

    Parameters
    ----------
    rows : ndarray of shape (k, n_units)
        Deviations with the covariance of the means.

    Attributes
    ----------
    observed, df : ndarray of shape (k,), float
        The statistic of each model against the most clearly better rival, and the
        degrees of freedom of all; set before drawing.
    """

    def __init__(self, rows):
        self.factor = reduced_rows(rows)
        self.squares = np.sum(self.factor**2, axis=1)
        self.observed = None
        self.df = None
        self._norms = {}  # of the differences of a model

    def draw(self, rng, n_draws):
        """Return products of the rows with normal vectors, over one s for all."""
        vectors = rng.standard_normal((n_draws, self.factor.shape[1]))
        products = vectors @ self.factor.T
        products = products.astype(np.float32)
        if np.isinf(self.df):
            return products
        scales = np.sqrt(rng.chisquare(self.df, n_draws) / self.df)
        scales = scales.astype(np.float32)
        return products / scales[:, np.newaxis]

    def largest(self, r, block):
        """Return the largest statistics."""
        norms, flat_rivals = self._norms_of(r)
        statistics = block[:, [r]] - block
        statistics /= norms
        statistics[:, flat_rivals] = -np.inf
        return statistics.max(axis=1)

    def hits(self, r, largest):
        """Return which of the largest statistics are as extreme as the observed one."""
        return largest >= self.observed[r]

    def _norms_of(self, r):
        """Return the norms of the differences of a model, and where they are 0."""
        if r not in self._norms:
            sums = self.squares[r] + self.squares
            products = self.factor @ self.factor[r]
            squares = sums - 2 * products
            is_flat = squares <= FLAT * sums
            is_flat[r] = True
            norms = np.sqrt(np.where(is_flat, 1, squares))
            self._norms[r] = norms.astype(np.float32), np.flatnonzero(is_flat)
        return self._norms[r]

    def level(self, r, step, alpha):
        """Return the nearest rival's p-value at which the p-value of all is alpha."""
        quantile = np.quantile(step.largest, 1 - alpha)
        return student_pvalue(quantile, self.df, "greater")
