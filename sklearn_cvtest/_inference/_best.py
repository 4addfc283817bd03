"""Which of many may be the best: the law of the largest of one-sided statistics.

For each of k models, T_r is the largest of the statistics of loss(r) - loss(s) over its
k - 1 rivals s. With p the smallest of its one-sided p-values, the p-value of T_r lies
between p and (k - 1) p; only what these do not decide is drawn. All models share the
draws, so that k of them cost k numbers each.
"""

from typing import NamedTuple

import numpy as np

from ._joint import reduced_rows
from ._student import student_pvalue

FIRST, DRAWS = 250, 12000  # so that p near alpha has an error below 0.002
PER_MODEL = 200_000  # draws of all models together, times their number
CLEAR = 3.0  # Monte Carlo errors from alpha, where drawing ends
FLAT = 1e-13  # of squares
CACHED = 2**16  # numbers at a time that stay near the processor


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
        That a model is as good as all others.
    levels : ndarray of shape (k,)
        The p-value of the nearest rival alone at which that is alpha.
    is_bound : ndarray of shape (k,)
        Whether the p-value is (k - 1) times the nearest rival's, not drawn.
    """
    k = len(single)
    bound = np.minimum((k - 1) * single, 1)
    pvalues, levels = bound.copy(), np.full(k, alpha / (k - 1))
    is_bound = np.full(k, k > 2)
    unclear = np.flatnonzero((bound > alpha) & (single > 0) & (single < 1))
    if k == 2 or draws is None or not unclear.size:
        return pvalues, levels, is_bound & (bound > 0) & (single < 1)
    order = unclear[np.argsort(single[unclear], kind="stable")]
    stop_early = len(order) * DRAWS > PER_MODEL
    if stop_early:
        order = order[: PER_MODEL // FIRST]
    for r, found in _drawn(order.tolist(), draws, alpha, stop_early).items():
        p = (1 + np.sum(found.hits)) / (1 + len(found.hits))
        pvalues[r] = np.clip(p, single[r], bound[r])
        is_bound[r] = False
        if pvalues[r] > alpha and len(found.hits) == DRAWS:
            level = draws.level(r, found, alpha)
            levels[r] = np.clip(level, alpha / (k - 1), min(alpha, single[r]))
    return pvalues, levels, is_bound & (bound > 0) & (single < 1)


class Drawn(NamedTuple):
    """Draws of one model: which are beyond what was observed, and the largest."""

    hits: np.ndarray
    largest: np.ndarray


def _drawn(models, draws, alpha, stop_early):
    """Return {model: Drawn}, of fewer draws where they decide."""
    rng, made, goal = np.random.default_rng(0), 0, FIRST
    parts = {r: [] for r in models}
    still = list(models)
    while still and made < DRAWS:
        while made < goal:
            block = draws.draw(rng, FIRST)
            for r in still:
                parts[r].append(draws.largest(r, block))
            made += FIRST
        goal = min(2 * goal, DRAWS)
        if stop_early:
            error = CLEAR * np.sqrt(alpha * (1 - alpha) / made)
            still = [r for r in still if abs(_share(parts[r]) - alpha) <= error]
    return {
        r: Drawn(*(np.concatenate(column) for column in zip(*found, strict=True)))
        for r, found in parts.items()
    }


def _share(parts):
    return np.mean([hits.mean() for hits, *_ in parts])


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

    def _distances(self, some, others):
        """Return |x_r - x_s| of some r and s, inf where the two are the same."""
        sums = self.squares[some, np.newaxis] + self.squares[others]
        squares = sums - self.rows[some] @ (2 * self.rows[others]).T
        squares[squares <= FLAT * sums] = np.inf
        return np.sqrt(squares, out=squares)

    def _cosines(self, some, others):
        """Return the cosines of some r less others, below -1 where there is none."""
        distances = self._distances(some, others)
        cosines = (self.sums[some, np.newaxis] - self.sums[others]) / distances
        cosines[distances == np.inf] = -2.0
        cosines[np.arange(len(some)), np.searchsorted(others, some)] = -3.0
        return cosines

    def _nearest(self):
        """Return who is the most clearly better than each, and the cosine."""
        every = np.arange(len(self.rows))
        rivals, observed = np.empty_like(every), np.empty(len(every))
        order, step = np.argsort(self.sums, kind="stable"), max(2**20 // len(every), 1)
        for start in range(0, len(every), step):
            some = order[start : start + step]
            for others in (np.sort(order[: start + step]), every):
                cosines = self._cosines(some, others)
                rivals[some] = others[cosines.argmax(axis=1)]
                observed[some] = cosines.max(axis=1)
                some = some[observed[some] < 0]  # none of these is better
                if not some.size:
                    break
        return rivals, observed

    def draw(self, rng, n_draws):
        """Return products of rows with half as many directions; -w is one, too."""
        direction = rng.standard_normal((n_draws // 2, self.rows.shape[1]))
        direction /= np.linalg.norm(direction, axis=1, keepdims=True)
        return (direction @ self.rows.T).astype(np.float32)

    def largest(self, r, block):
        """Return hits, and the largest cosines."""
        distances = self._distances(np.array([r]), np.arange(len(self.rows)))[0]
        inverse = (1 / distances).astype(np.float32)
        is_flat = np.flatnonzero(inverse == 0)
        found, step = np.empty((2, len(block))), max(CACHED // len(inverse), 1)
        for start in range(0, len(block), step):
            some = block[start : start + step]
            cosines = some[:, [r]] - some
            cosines *= inverse
            cosines[:, is_flat] = cosines[:, self.rivals[[r]]]  # r itself, too
            found[0, start : start + step] = cosines.max(axis=1)
            found[1, start : start + step] = -cosines.min(axis=1)
        found = found.ravel()
        return found >= self.observed[r], found

    def level(self, r, drawn, alpha):
        """Return the one-sided p-value of the quantile of the largest cosine."""
        df = self.rows.shape[1] - 1
        cosine = np.quantile(drawn.largest, 1 - alpha)
        t = np.sqrt(df) * cosine / np.sqrt(max(1 - cosine**2, 1e-300))
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
        self.observed = self.df = None
        self._norms = {}  # of the differences of a model

    def draw(self, rng, n_draws):
        """Return products of the rows with normal vectors, over one s for all."""
        vectors = rng.standard_normal((n_draws, self.factor.shape[1]))
        products = (vectors @ self.factor.T).astype(np.float32)
        if np.isinf(self.df):
            return products
        scale = np.sqrt(rng.chisquare(self.df, n_draws) / self.df)
        return products / scale[:, np.newaxis].astype(np.float32)

    def largest(self, r, block):
        """Return hits, and the largest statistics."""
        norms, is_flat = self._norms_of(r)
        statistics = block[:, [r]] - block
        statistics /= norms
        statistics[:, is_flat] = -np.inf
        largest = statistics.max(axis=1)
        return largest >= self.observed[r], largest

    def _norms_of(self, r):
        """Return the norms of the differences of a model, and where they are 0."""
        if r not in self._norms:
            norms = np.linalg.norm(self.factor[r] - self.factor, axis=1)
            is_flat = norms <= np.sqrt(FLAT) * np.linalg.norm(self.factor[r])
            is_flat[r] = True
            norms = np.where(is_flat, 1, norms).astype(np.float32)
            self._norms[r] = norms, np.flatnonzero(is_flat)
        return self._norms[r]

    def level(self, r, drawn, alpha):
        """Return the nearest rival's p-value at which the p-value of all is alpha."""
        quantile = np.quantile(drawn.largest, 1 - alpha)
        return student_pvalue(quantile, self.df, "greater")
