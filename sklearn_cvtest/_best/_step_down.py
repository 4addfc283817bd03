"""Which of many models leave the set of those that may be the best, and when.

Models leave in the order of their p-values against the best mean, the most clearly
worse first, as long as the statistic is beyond the critical value of the largest
difference among the models that are still in the set. All models share the draws of
that law, so that k of them cost k numbers each.
"""

import numpy as np
from scipy import special

from .._inference._joint import reduced_rows
from .._inference._student import student_pvalue

BLOCK = 250  # draws at a time
N_DRAWS = 12000  # in all, so that p near alpha has an error below 0.002
MOST_STATISTICS = 200_000_000  # that are drawn: of many models there are fewer draws
MOST_DRAWN = 1250  # models; of more that are left, Bonferroni's method is enough
CLEAR = 0.001  # a p-value below is only said to be so: Bonferroni's method is enough
FLAT = 1e-13  # of squares
EDGE = 1e-6  # of a level, so that rounding does not change a decision


def step_down(half, law, alpha):
    """Return p-values and levels of models, and the step at which each would leave.

    Parameters
    ----------
    half : ndarray of shape (k,)
        The one-sided p-value of each model against the best mean; the first is of the
        best itself, 1.
    law : JointLaw, RotationLaw or None
        Of the differences; None if it is not known.
    alpha : float
        The level.

    Returns
    -------
    pvalues : ndarray of shape (k,)
        Of the hypothesis that a model and all that are less clearly worse are equally
        good; a model leaves if it is at most alpha.
    levels : ndarray of shape (k,)
        The one-sided level of the comparison with the best: of the step at which a
        model left or, of those that stay, of the step at which the first one stayed.
    steps : ndarray of int of shape (k,)
        The place of each model in the order of leaving.

    Notes
    -----
    With m models left, p is the probability that the largest of their m (m - 1)
    differences is as extreme as the one observed, at most m (m - 1) times its own
    p-value. An adjusted p-value is the largest so far: the step-down of Westfall and
    Young (1993), section 2.6, with the range of those left of Newman and Keuls. If some
    models are the best, the first of them that would leave is tested among all of them,
    so that with probability 1 - alpha none leaves. For two models it is the two-sided
    p-value of the pair.
    """
    k = len(half)
    leaving = np.append(1 + np.argsort(half[1:], kind="stable"), 0)
    half = half[leaving]
    n_left = k - np.arange(k)
    n_pairs = np.maximum(n_left * (n_left - 1), 1)
    bound = np.minimum(n_pairs * half, 1.0)
    adjusted = bound.copy()
    levels = alpha / n_pairs
    first = max(int(np.argmax(bound > min(CLEAR, alpha))), k - MOST_DRAWN)
    if law is not None:
        observed = law.statistic(half)
        for step, largest in _largest_of_steps(law, leaving, first).items():
            share = (1 + np.sum(largest >= observed[step])) / (1 + len(largest))
            adjusted[step] = np.clip(share, min(2 * half[step], 1.0), bound[step])
            level = law.pvalue(np.quantile(largest, 1 - alpha))
            levels[step] = np.clip(level, levels[step], alpha / 2)
    adjusted = np.maximum.accumulate(adjusted)
    adjusted[-1] = 1.0
    n_out = int(np.argmax(adjusted > alpha))
    levels[:n_out] = np.maximum(levels[:n_out], half[:n_out] * (1 + EDGE))
    levels[n_out:] = min(levels[n_out], half[n_out] * (1 - EDGE))
    steps = np.argsort(leaving)
    return adjusted[steps], levels[steps], steps


def _largest_of_steps(law, leaving, first):
    """Return {step: draws of the largest statistic among the models that are left}.

    From the first step that is drawn to the last one of three models. A step whose
    difference does not vary is not drawn: its p-value has another law.
    """
    places = leaving[first:]
    if len(places) < 3:
        return {}
    scales = law.scales(places).astype(np.float32)  # half the time of double ones
    n_blocks = max(MOST_STATISTICS // (BLOCK * scales.size // 2), 1)
    rng = np.random.default_rng(0)
    largest = {step: [] for step in range(len(places) - 2) if scales[step, -1] > 0}
    for _ in range(min(n_blocks, N_DRAWS // BLOCK)):
        draws = law.draw(rng, BLOCK)[:, places].astype(np.float32)
        so_far = np.zeros(BLOCK, dtype=np.float32)
        for step in reversed(range(len(places) - 1)):
            differences = np.abs(draws[:, [step]] - draws[:, step + 1 :])
            differences *= scales[step, step + 1 :]
            so_far = np.maximum(so_far, differences.max(axis=1))
            if step in largest:
                largest[step].append(so_far)
    return {first + step: np.concatenate(parts) for step, parts in largest.items()}


class _Law:
    """Draws of rows whose differences have the law of the differences of models.

    Parameters
    ----------
    rows : ndarray of shape (k, n)
        A row for each model.
    df : float
        The degrees of freedom of the statistics; infinite of normal ones.
    """

    def __init__(self, rows, df):
        self.rows = rows / (np.max(np.abs(rows), initial=0.0) or 1.0)
        self.df = df

    def scales(self, places):
        """Return one over the lengths of differences of rows, 0 of constant ones."""
        rows = self.rows[places]
        sums = np.sum(rows**2, axis=1)
        sums = sums[:, np.newaxis] + sums
        squares = sums - 2 * rows @ rows.T
        is_flat = squares - self._constant_squares(rows) <= FLAT * sums
        return np.where(is_flat, 0.0, 1 / np.sqrt(np.where(is_flat, 1.0, squares)))

    def _constant_squares(self, rows):
        """Return the squares of what is constant in the differences of rows."""
        return 0.0

    def _upper_quantile(self, pvalues):
        pvalues = np.clip(pvalues, 1e-200, 1 - 1e-15)  # stdtrit fails beyond
        if np.isinf(self.df):
            return -special.ndtri(pvalues)
        return -special.stdtrit(self.df, pvalues)


class JointLaw(_Law):
    """Normal or t statistics with the covariance of residuals; see `_joint`."""

    def __init__(self, rows, df):
        super().__init__(reduced_rows(rows), df)

    def statistic(self, pvalues):
        """Return the statistics with these one-sided p-values."""
        return self._upper_quantile(pvalues)

    def pvalue(self, statistic):
        """Return the one-sided p-value of a statistic."""
        return student_pvalue(statistic, self.df, "greater")

    def draw(self, rng, n_draws):
        """Return products of the rows with normal vectors, over one s for all."""
        products = rng.standard_normal((n_draws, self.rows.shape[1])) @ self.rows.T
        if np.isinf(self.df):
            return products
        scales = np.sqrt(rng.chisquare(self.df, n_draws) / self.df)
        return products / scales[:, np.newaxis]


class RotationLaw(_Law):
    """Cosines of rows of block means with a uniform direction, for t tests.

    A rotation test (Langsrud 2005, :doi:`10.1007/s11222-005-4789-5`): rows are the
    blocks under the null hypothesis, less the blocks of one of the models.
    """

    def __init__(self, rows):
        super().__init__(rows, rows.shape[1] - 1)

    def _constant_squares(self, rows):
        sums = rows.sum(axis=1) / np.sqrt(rows.shape[1])
        return (sums[:, np.newaxis] - sums) ** 2

    def statistic(self, pvalues):
        """Return the cosines with these one-sided p-values."""
        t = self._upper_quantile(pvalues)
        return t / np.sqrt(self.df + t**2)

    def pvalue(self, cosine):
        """Return the one-sided p-value of a cosine."""
        sine = np.sqrt(max(1 - cosine**2, 1e-300))
        t = np.sqrt(self.df) * cosine / sine
        return student_pvalue(t, self.df, "greater")

    def draw(self, rng, n_draws):
        """Return products of the rows with directions."""
        direction = rng.standard_normal((n_draws, self.rows.shape[1]))
        direction /= np.linalg.norm(direction, axis=1, keepdims=True)
        return direction @ self.rows.T
