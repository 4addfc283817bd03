"""Adjusting p-values for the number of comparisons."""

from __future__ import annotations

from typing import Literal, NamedTuple

import numpy as np
from scipy import special

from .. import _validation
from .._typing import Alternative, Array, ArrayLike
from ._ends import bisect

METHODS = ("holm", "bonferroni", "hochberg", "fdr_bh")
ADJUSTMENTS = (*METHODS, "max-t")
Adjustment = Literal["holm", "bonferroni", "hochberg", "fdr_bh", "max-t"]

# For each of these levels, the same number of draws is made given that the p-value of
# some comparison is below it, so that small probabilities are as accurate as large
# ones.
LEVELS = (1.0, 0.2, 0.05, 0.01, 1e-3, 1e-4, 1e-6, 1e-9)
DRAWS_PER_LEVEL = 8000
# For more rows than this, fewer draws in single precision: they cost the most time and
# err by 2% in place of 1.
MANY_ROWS = 5000
DRAWS_OF_MANY = 2000
ROUNDING = 1e-8  # of correlations
BLOCK = 2**21  # floats held at a time: 16 MB


def adjust_pvalues(
    p: ArrayLike,
    method: Adjustment = "holm",
    *,
    correlation: ArrayLike | None = None,
    df: float | None = None,
    alternative: Alternative = "two-sided",
) -> Array:
    """Adjust p-values for the number of comparisons.

    Parameters
    ----------
    p : array-like of shape (..., n_comparisons)
        p-values; each row along the last axis is a family.
    method : {"holm", "bonferroni", "hochberg", "fdr_bh", "max-t"}, default="holm"
        Holm's step-down and Bonferroni's method control the probability of any
        false rejection under any dependence; Hochberg's step-up method under
        independence or positive dependence. "fdr_bh" controls the expected share
        of false rejections under positive dependence. "max-t" controls the
        probability of any false rejection for t statistics of known correlation.
    correlation : array-like of shape (n_comparisons, n_comparisons), default=None
        The null correlation of the statistics. Needed by "max-t", refused by the
        others.
    df : float, default=None
        Degrees of freedom of the t statistics; numpy.inf for normal ones. Needed
        by "max-t", refused by the others.
    alternative : {"two-sided", "less", "greater"}, default="two-sided"
        The alternative of the tests that gave the p-values; only "max-t" depends on it.

    Returns
    -------
    adjusted : ndarray of shape (..., n_comparisons)
        Adjusted p-values: reject those that are not above the level.

    Raises
    ------
    TypeError, ValueError
        If a p-value is not in [0, 1], the method is not known, or `correlation` is
        not a correlation matrix.

    Notes
    -----
    "max-t" is the single-step method [4]_: the adjusted p-value is the probability that
    the largest of statistics with a multivariate t distribution is at least as extreme
    as the one observed (Dunnett's and Tukey's tests are of this kind). It is computed
    by importance sampling with a fixed seed, to about 1%, and lies between `p` and
    Bonferroni's. In that distribution the statistics share one estimate of the
    variance, and `correlation` is treated as known: with an estimate from few blocks
    the method is liberal. :class:`Comparison` with `p_adjust="max-t"` needs no such
    estimate of few blocks: it rotates them.

    References
    ----------
    .. [1] S. Holm, "A Simple Sequentially Rejective Multiple Test Procedure",
       Scandinavian Journal of Statistics 6, 65-70, 1979.
    .. [2] Y. Hochberg, "A sharper Bonferroni procedure for multiple tests of
       significance", Biometrika 75, 800-802, 1988. :doi:`10.1093/biomet/75.4.800`
    .. [3] Y. Benjamini and Y. Hochberg, "Controlling the False Discovery Rate",
       JRSS B 57, 289-300, 1995. :doi:`10.1111/j.2517-6161.1995.tb02031.x`
    .. [4] T. Hothorn, F. Bretz and P. Westfall, "Simultaneous Inference in General
       Parametric Models", Biometrical Journal 50, 346-363, 2008.
       :doi:`10.1002/bimj.200810425`

    Examples
    --------
    >>> from sklearn_cvtest import adjust_pvalues
    >>> adjust_pvalues([0.01, 0.04, 0.03])
    array([0.03, 0.06, 0.06])
    """
    _validation.check_option("method", method, ADJUSTMENTS)
    _validation.check_option(
        "alternative", alternative, ("two-sided", "less", "greater")
    )
    array = np.atleast_1d(_validation.check_real_array("p", p))
    inside = (array >= 0) & (array <= 1)
    if not inside.all():
        raise _validation.invalid(
            "p", "p-values in [0, 1]", float(array[~inside].flat[0])
        )
    if method == "max-t":
        if not (isinstance(df, float) and df == np.inf):
            df = _validation.check_real("df", df, above=0, closed="high")
        rows = _correlation_factor(correlation, array.shape[-1])
        return single_step(array, UnitRows(rows), Law(df), alternative)[0]
    for name, value in (("correlation", correlation), ("df", df)):
        if value is not None:
            raise _validation.invalid(name, f"None with method={method!r}", value)
    return _adjust(array, method)


def _correlation_factor(correlation, n):
    """Return rows of unit norm whose inner products are the correlations."""
    allowed = (
        f"a correlation matrix of shape ({n}, {n}), symmetric, positive semidefinite "
        "and with a diagonal of ones, with method='max-t'"
    )
    if correlation is None:
        raise _validation.invalid("correlation", allowed, correlation, TypeError)
    matrix = _validation.check_real_array("correlation", correlation)
    if matrix.shape != (n, n):
        raise _validation.invalid_words(
            "correlation", allowed, f"an array of shape {matrix.shape}"
        )
    is_symmetric = np.allclose(matrix, matrix.T, rtol=0, atol=ROUNDING)
    if not is_symmetric or not np.allclose(np.diag(matrix), 1, rtol=0, atol=ROUNDING):
        raise _validation.invalid("correlation", allowed, matrix.tolist())
    values, vectors = np.linalg.eigh(matrix)
    if values[0] < -n * ROUNDING:
        eigenvalue_text = f"one with an eigenvalue of {values[0]:.3g}"
        raise _validation.invalid_words("correlation", allowed, eigenvalue_text)
    return _unit_rows(vectors * np.sqrt(np.maximum(values, 0)))


def _adjust(p, method):
    n = p.shape[-1]
    if method == "bonferroni":
        return np.minimum(n * p, 1)
    order = np.argsort(p, axis=-1)
    p_sorted = np.take_along_axis(p, order, axis=-1)
    rank = np.arange(1, n + 1)
    factor = n / rank if method == "fdr_bh" else n - rank + 1
    if method == "holm":  # step down: from the smallest
        stepped = np.maximum.accumulate(factor * p_sorted, axis=-1)
    else:  # step up: from the largest
        reverse = (factor * p_sorted)[..., ::-1]
        stepped = np.minimum.accumulate(reverse, axis=-1)[..., ::-1]
    adjusted = np.empty_like(p)
    np.put_along_axis(adjusted, order, np.minimum(stepped, 1), axis=-1)
    return adjusted


def levels_of(pvalues, rejected, alpha, p_adjust):
    """Return the level at which each p-value is judged."""
    n = len(pvalues)
    if p_adjust is None:
        return np.full(n, alpha)
    if p_adjust == "bonferroni":
        return np.full(n, alpha / n)
    if p_adjust in ("holm", "hochberg"):
        rank = np.argsort(np.argsort(pvalues, kind="stable"), kind="stable")
        return alpha / (n - rank)
    return np.full(n, pvalues[rejected].max() if rejected.any() else alpha / n)


def rotation_adjustment(pvalues, values, alternative="two-sided", alpha=0.05):
    """Adjust p-values of the t statistics of the rows of a matrix of blocks.

    Single step, by a rotation test: Langsrud (2005), Statistics and Computing 15,
    53-60, :doi:`10.1007/s11222-005-4789-5`. If the columns are independent normal
    vectors of mean zero then, given the inner products of the rows, the direction in
    place of (1, ..., 1) is uniform on the sphere. The statistic of a row is √df
    c/√(1 - c²), c the cosine of the two, so the distribution of the largest is known
    whatever the covariance, exactly and for any number of blocks. A row whose mean is
    not zero can only raise the largest, so the probability of any false rejection is
    controlled also where some differences are real.

    Parameters
    ----------
    pvalues : ndarray of shape (m,)
        p-values of the t statistics, with J - 1 degrees of freedom.
    values : ndarray of shape (m, J)
        The rows; rows that are all zero do not contribute to the largest.
    alternative : str
        "two-sided", or one of those that are one-sided.
    alpha : float, default=0.05
        A level.

    Returns
    -------
    adjusted : ndarray of shape (m,)
        The adjusted p-values.
    level : float
        The p-value whose adjusted one is `alpha`, as simultaneous intervals need it.
    """
    rows = values[np.abs(values).max(axis=-1) > 0]
    if not len(rows):
        return np.ones_like(pvalues), alpha / len(pvalues)
    law = Law(values.shape[-1] - 1, rotates=True)
    return single_step(pvalues, UnitRows(_unit_rows(rows)), law, alternative, alpha)


def _unit_rows(matrix):
    """Return the rows of a matrix, none of them zero, at unit length."""
    scaled = matrix / np.abs(matrix).max(axis=-1, keepdims=True)
    return scaled / np.linalg.norm(scaled, axis=-1, keepdims=True)


class UnitRows:
    """Rows of unit norm, for the law of the largest statistic.

    Parameters
    ----------
    rows : ndarray of shape (m, n)
        The inner products are the correlations of the statistics.
    """

    def __init__(self, rows):
        self.rows = _reduce_rank(rows)
        is_large = len(rows) > MANY_ROWS
        self.projection = self.rows.T.astype(np.float32 if is_large else np.float64)

    def __len__(self):
        return len(self.rows)

    def vectors(self, positions):
        """Return some of the rows."""
        return self.rows[positions]

    def scores(self, vectors):
        """Return the products of draws with all rows, (n, m)."""
        return vectors.astype(self.projection.dtype, copy=False) @ self.projection


class Law(NamedTuple):
    """The law of T = F v, with F rows of unit norm.

    v is z/s, normal with one s for all, of df degrees of freedom: the multivariate t.
    Or else, if F rotates, a uniform direction in df + 1 dimensions: T are cosines.
    """

    df: float
    rotates: bool = False

    def scale(self, t):
        """Return t statistics as T has them: cosines are t/√(t² + df)."""
        return np.sin(np.arctan(t / np.sqrt(self.df))) if self.rotates else t

    def vectors(self, t, along, across, rng):
        """Draw v, in the space of the rows, given the t of the row `along`.

        `across` is standard normal, orthogonal to `along`.
        """
        if self.rotates:
            outside = self.df + 1 - along.shape[-1]
            square = np.sum(across**2, axis=-1, keepdims=True)
            if outside:
                square += rng.chisquare(outside, size=square.shape)
            cosine = self.scale(t)
            return cosine * along + np.sqrt((1 - cosine**2) / square) * across
        if np.isfinite(self.df):  # given t, s² (df + t²) ~ χ²(df + 1)
            square = rng.chisquare(self.df + 1, size=t.shape) / (self.df + t**2)
            across = across / np.sqrt(square)
        return t * along + across


def single_step(pvalues, rows, law, alternative, alpha=0.05):
    """Return P(the largest statistic is as extreme as one with the p-value).

    And the p-value for which that is `alpha`. `pvalues` (..., m) are of statistics that
    follow the law with F of `rows`, UnitRows or Contrasts with the null correlations.
    """
    two_sided = alternative == "two-sided"
    maxima, weights = _draw_maxima(rows, law, two_sided)
    order = np.argsort(maxima)
    beyond = np.append(np.cumsum(weights[order][::-1])[::-1], 0) / weights.sum()
    thresholds = law.scale(critical_scores(pvalues, law.df, two_sided))
    adjusted = beyond[np.searchsorted(maxima[order], thresholds)]
    n = pvalues.shape[-1]

    def is_below(log_pvalue):  # of the quantile of the largest
        limit = law.scale(critical_scores(np.exp(log_pvalue), law.df, two_sided))
        return beyond[np.searchsorted(maxima[order], limit)] <= alpha

    level = np.exp(bisect(is_below, np.log(alpha / n), np.log(alpha)))
    adjusted = np.clip(adjusted, pvalues, np.minimum(n * pvalues, 1))
    return adjusted, float(level)


def _reduce_rank(factor):
    """Return rows with the same inner products and as few columns as that takes."""
    vectors, values, _ = np.linalg.svd(factor, full_matrices=False)
    rank = np.count_nonzero(values > ROUNDING * values[0])
    return _unit_rows(vectors[:, :rank] * values[:rank])


def critical_scores(pvalues, df, two_sided):
    """Return the statistics with these p-values."""
    tail = np.asarray(pvalues) / 2 if two_sided else np.asarray(pvalues)
    lower = special.ndtri(tail) if np.isinf(df) else special.stdtrit(df, tail)
    return np.where(tail < 1e-200, np.inf, -lower)  # stdtrit fails there


def _draw_maxima(rows, law, two_sided):
    """Draw the largest statistic, with importance weights.

    A draw is made given that the statistic of a row, drawn at random, is beyond a
    level. Its weight is the density under the null hypothesis over the mixture density
    of all these ways to draw it: 1 / mean of 1{statistic beyond level}/level, over rows
    and levels (Owen, Maximov and Chertkov 2019, :doi:`10.1214/18-EJS1527`).
    """
    rng = np.random.default_rng(0)
    limits = law.scale(critical_scores(np.array(LEVELS[1:]), law.df, two_sided))
    maxima = []
    weights = []
    for t, row in draw_conditions(len(rows), law.df, two_sided, rng):
        along = rows.vectors(row)
        across = rng.standard_normal(along.shape)
        across -= np.sum(across * along, axis=-1, keepdims=True) * along
        scores = rows.scores(law.vectors(t[:, np.newaxis], along, across, rng))
        extreme = np.abs(scores, out=scores) if two_sided else scores
        density = 1.0
        for level, limit in zip(LEVELS[1:], limits.astype(extreme.dtype), strict=True):
            n_beyond = np.count_nonzero(extreme >= limit, axis=-1)
            density = density + n_beyond / (level * len(rows))
        maxima.append(extreme.max(axis=-1))
        weights.append(len(LEVELS) / density)
    return np.concatenate(maxima), np.concatenate(weights)


def draw_conditions(n_rows, df, two_sided, rng):
    """Yield blocks of statistics beyond the levels, and the rows they belong to."""
    n_draws = DRAWS_PER_LEVEL if n_rows <= MANY_ROWS else DRAWS_OF_MANY
    size = max(BLOCK // n_rows, 1)
    for level in LEVELS:
        uniform = (rng.permutation(n_draws) + rng.random(n_draws)) / n_draws
        t = critical_scores(level * uniform, df, two_sided)
        if two_sided:
            t *= rng.choice((-1, 1), size=n_draws)
        rows = rng.permutation(np.arange(n_draws) % n_rows)
        for start in range(0, n_draws, size):
            yield t[start : start + size], rows[start : start + size]
