"""The p-values of a table of pairs, adjusted for the number of pairs."""

import numpy as np

from .._inference._joint import joint_adjustment
from .._inference._multiplicity import adjust_pvalues, rotation_adjustment


def adjust_pairs(p_adjust, test, losses, pairs, pvalues):
    """Return adjusted p-values of pairs, in their order."""
    if p_adjust is None:
        return pvalues
    if p_adjust != "max-t":
        return adjust_pvalues(pvalues, p_adjust)
    return max_t_pairs(test, losses, pairs, pvalues)[0]


def max_t_pairs(test, losses, pairs, pvalues):
    """Return p-values adjusted by the law of the largest statistic.

    And the level at which intervals of each pair hold simultaneously, None of one.
    """
    if len(pairs) == 1:
        return pvalues, None
    if test.traits.rho_is_fixed:
        rows = null_blocks(test, losses.pair_residuals(pairs))
        return rotation_adjustment(pvalues, rows, test.alternative, test.alpha)
    return _joint(test, losses, pairs, pvalues)


def _joint(test, losses, pairs, pvalues):
    """Return the same by the joint law of residuals of single examples.

    What is drawn does not depend on the order of estimators and pairs: these are put
    into one by what was found, and pairs are turned to it.
    """
    columns = np.unique(pairs)
    against = np.column_stack([columns, np.full_like(columns, columns[0])])
    rows = test.joint_rows(losses.pair_residuals(against))
    size = sum(np.sum((part - part.mean(axis=0)) ** 2, axis=1) for part in rows)
    order = np.lexsort([size, losses.mean_losses[columns]])
    rows = tuple(part[order] for part in rows)
    places = np.empty(columns[-1] + 1, dtype=np.intp)
    places[columns[order]] = np.arange(len(columns))
    found = places[pairs]
    if test.alternative == "two-sided":
        found = np.sort(found, axis=1)
    statistics = test.joint_statistics(test.evaluate(losses.pair_residuals(pairs)))
    varies = np.isfinite(statistics.scores).all(axis=1) & (pvalues < 1)
    if not varies.any():
        return pvalues, test.alpha / len(pairs)
    result = pvalues.copy()
    some = np.flatnonzero(varies)
    some = some[np.lexsort(found[some].T)]
    result[some], level = joint_adjustment(
        pvalues[some],
        statistics.of(some),
        rows,
        found[some],
        test.alternative,
        test.alpha,
    )
    return result, level


def null_blocks(test, residuals):
    """Return rows whose t statistics at ρ = 0 equal the test's at its ρ.

    For exchangeable block means with parameter ρ, the mean divided by 1/√(1-ρ) and the
    deviations from it behave like independent blocks: [GB06] (Grandvalet and Bengio
    2006), eq. (9). Rows of differences that are rounding are zero.
    """
    found = test.evaluate(residuals)
    blocks = residuals.block_means
    deviations = blocks - blocks.mean(axis=1, keepdims=True)
    deviations[found.standard_error == 0] = 0
    means = np.where(found.statistic == 0, 0, found.estimate - test.popmean)
    return deviations + (np.sqrt(1 - found.rho) * means)[:, np.newaxis]
