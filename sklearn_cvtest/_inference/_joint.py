"""How the statistics of many pairs vary together, from residuals of single examples.

Given ρ, the differences of k estimators are normal with the covariance of their
residuals, Σ_R + ρ/(1-ρ) Σ_1 (Σ_R of residuals averaged over R runs, Σ_1 of one run),
and the same ρ for all pairs. It is averaged over ρ as a test averages its own p-value;
for one pair this is the law of the test itself.
"""

from typing import NamedTuple

import numpy as np

from .._data._clusters import cluster_deviations, estimand_weights
from ._multiplicity import Law, weighted_draws
from ._student import Average, invert_hall_transform

ROUNDING = 1e-10  # of singular values
THINNED = 4  # one draw in so many is enough for a quantile


class JointStatistics(NamedTuple):
    """The statistics of m pairs, as standard normal (or t) ones at each ρ.

    Attributes
    ----------
    scores : ndarray of shape (m, n_nodes)
        The statistics, without skewness.
    share : ndarray of shape (m,)
        Share of the variance of one run that is left after averaging over runs.
    skewness : ndarray of shape (m,)
        What was corrected.
    average : Average
        The values of ρ and their weights, the degrees of freedom of the one variance
        that all have in common, and the alternative.
    """

    scores: np.ndarray
    share: np.ndarray
    skewness: np.ndarray
    average: Average

    def of(self, some):
        """Return the statistics of some pairs."""
        parts = (part[some] for part in self[:-1])
        return JointStatistics(*parts, self.average.of(some))

    @classmethod
    def joined(cls, parts):
        """Return the statistics of several in one, for all pairs, with the same ρ."""
        *columns, averages = zip(*parts, strict=True)
        average = averages[0]
        if average.weights.ndim > 1:
            weights = np.concatenate([each.weights for each in averages])
            average = average._replace(weights=weights)
        return cls(*map(np.concatenate, columns), average)

    @classmethod
    def without_rho(cls, statistic, df, alternative):
        """Return the statistics of a test in which ρ does not occur."""
        scores, ones = np.reshape(statistic, (-1, 1)), np.ones(np.size(statistic))
        average = Average(np.zeros(1), np.ones(1), df, alternative, 0.0)
        return cls(scores, ones, 0 * ones, average)

    def pvalues(self, scores, nodes, pairs):
        """Return the p-values of scores at nodes, of some pairs."""
        average, skewness = self.average.of(pairs), self.skewness[pairs]
        factors = average.factors(self.share[pairs])
        z = invert_hall_transform(scores, skewness) / factors[range(len(nodes)), nodes]
        return average.pvalue(z, factors, skewness)


def single_rows(residuals, weights="examples", *, within_blocks=False):
    """Return deviations of one run (k, n_units) that give the covariance of the means.

    A unit is an example, or a group.
    """
    groups, blocks = residuals.groups, residuals.row_split if within_blocks else None
    shares = None if groups is None else estimand_weights(groups, weights)
    groups = np.arange(residuals.n_values) if groups is None else groups
    return cluster_deviations(residuals.values, groups, shares, blocks)


def repeat_rows(residuals):
    """Return deviations of averages over runs (k, n_units), and of all runs."""
    values = residuals.example_runs()
    deviations = values - values.mean(axis=-2, keepdims=True)
    runs = deviations.reshape(len(values), -1) / np.sqrt(values.shape[-1])
    return deviations.mean(axis=-1), runs


def reduced_rows(rows, centred=True):
    """Return rows whose differences have the same inner products, up to a factor.

    With as few columns as that takes, and signs that do not depend on the machine. Not
    `centred`, the rows themselves have the same inner products.
    """
    rows = rows - rows.mean(axis=0) if centred else rows
    scale = np.abs(rows).max() or 1.0
    left, values, _ = np.linalg.svd(rows / scale, full_matrices=False)
    kept = values > ROUNDING * values[0]
    left, values = left[:, kept], values[kept]
    largest = np.abs(left).argmax(axis=0)  # whose sign is arbitrary
    return left * np.sign(left[largest, np.arange(len(values))]) * values


class _Contrasts:
    """Differences of estimators as unit vectors: rows of `factor[first - second]`."""

    def __init__(self, rows, pairs):
        self.factor = reduced_rows(rows)
        self.first, self.second = pairs.T
        norms = np.linalg.norm(self._of(self.factor.T), axis=0)
        self.norms = np.where(norms > 0, norms, 1)

    def _of(self, values):
        return values[:, self.first] - values[:, self.second]

    def vectors(self, pairs):
        """Return the unit vectors of some pairs."""
        contrast = self.factor[self.first[pairs]] - self.factor[self.second[pairs]]
        return contrast / self.norms[pairs, np.newaxis]

    def times(self, draws):
        """Return the products of all pairs with draws, (n_draws, m)."""
        return self._of(draws @ self.factor.T) / self.norms


def joint_adjustment(pvalues, statistics, rows, pairs, alpha):
    """Return step-down adjusted p-values, and the level of simultaneous intervals.

    Westfall and Young's (1993) step-down: each p-value is the probability, given ρ and
    averaged over it, that the largest of the statistics not rejected before it is as
    extreme. The level refers to the smallest p-value of all: with probability `alpha`
    it is below.

    Parameters
    ----------
    pvalues : ndarray of shape (m,)
        p-values of the pairs whose differences vary.
    statistics : JointStatistics
        Their statistics.
    rows : tuple of ndarray of shape (k, n_units)
        Deviations of the averages over runs and, with several runs, of each run.
    pairs : ndarray of shape (m, 2)
        Positions in the rows.
    alpha : float
        The level.
    """
    order = np.argsort(pvalues, kind="stable")[::-1]  # the largest first
    ordered = pvalues[order]
    last = len(order) - 1 - np.searchsorted(ordered[::-1], ordered)  # of those alike
    hits, total, smallest, masses = np.zeros(len(order)), 0.0, [], []
    for (scores, nodes), extreme, mass in _draws(statistics, rows, pairs):
        largest = np.maximum.accumulate(extreme[:, order], axis=1)[:, last]
        observed = statistics.scores[order, nodes[:, order]]
        hits += mass @ (largest >= _towards(observed, statistics.average))
        total += mass.sum()
        some = np.arange(0, len(mass), THINNED)
        top = extreme[some].argmax(axis=1)
        found = scores[some, top], nodes[some, top], top
        smallest.append(statistics.pvalues(*found))
        masses.append(mass[some])
    adjusted = np.clip(hits / total, ordered, np.minimum((1 + last) * ordered, 1))
    adjusted = np.maximum.accumulate(adjusted[::-1])  # from the smallest p
    result = np.empty_like(pvalues)
    result[order[::-1]] = adjusted
    level = _quantile(np.concatenate(smallest), np.concatenate(masses), alpha)
    return result, float(np.clip(level, alpha / len(pvalues), alpha))


def _towards(scores, average):
    """Return scores such that the largest are the most extreme."""
    if average.alternative == "two-sided":
        return np.abs(scores)
    return -scores if average.alternative == "less" else scores


def _draws(statistics, rows, pairs):
    """Yield scores under the null hypothesis with their nodes of ρ, and weights.

    By the importance sampling of `weighted_draws`: small probabilities are as accurate
    as large ones.
    """
    rng = np.random.default_rng(0)
    contrasts = [_Contrasts(part, pairs) for part in rows]
    average = statistics.average
    cumulative = np.cumsum(np.atleast_2d(average.weights), axis=1)

    def draw(t, chosen):
        uniform = (rng.permutation(len(t)) + rng.random(len(t))) / len(t)
        nodes = np.stack([np.searchsorted(c, uniform) for c in cumulative], axis=1)
        nodes = np.minimum(nodes, len(average.rho) - 1)
        nodes = np.broadcast_to(nodes, (len(t), len(pairs)))
        parts = _parts(statistics, nodes, len(rows))
        signed = -t if average.alternative == "less" else t
        scores = _scores(signed, chosen, contrasts, parts, average.df, rng)
        return (scores, nodes), _towards(scores, average)

    two_sided = average.alternative == "two-sided"
    return weighted_draws(draw, len(pairs), Law(average.df), two_sided, rng)


def _parts(statistics, nodes, n_parts):
    """Return the roots of the shares of variance of averages and of runs."""
    if n_parts == 1:
        return [np.ones((1, 1))]
    rho = statistics.average.rho[nodes]
    share = statistics.share * (1 - rho)
    share = share / (share + rho)
    return [np.sqrt(share), np.sqrt(1 - share)]


def _scores(t, chosen, contrasts, parts, df, rng):
    """Return statistics in which the chosen pair has t, (n_draws, m)."""
    place = np.arange(len(t))
    along, across, product = [], [], 0.0
    for contrast, root in zip(contrasts, parts, strict=True):
        root = np.broadcast_to(root, (len(t), len(contrast.first)))[place, chosen]
        vector = root[:, np.newaxis] * contrast.vectors(chosen)
        draw = rng.standard_normal(vector.shape)
        product = product + np.sum(vector * draw, axis=1)
        along.append(vector)
        across.append(draw)
    scale = 1.0
    if np.isfinite(df):  # given t, s² (df + t²) ~ χ²(df + 1)
        scale = np.sqrt((df + t**2) / rng.chisquare(df + 1, size=t.shape))
    step, scale = (t - scale * product)[:, np.newaxis], np.reshape(scale, (-1, 1))
    return sum(
        root * contrast.times(scale * draw + step * vector)
        for contrast, root, draw, vector in zip(
            contrasts, parts, across, along, strict=True
        )
    )


def _quantile(values, masses, alpha):
    """Return the value below which there is a share alpha of the mass."""
    order = np.argsort(values)
    below = np.cumsum(masses[order]) / masses.sum()
    return values[order[min(np.searchsorted(below, alpha), len(values) - 1)]]
