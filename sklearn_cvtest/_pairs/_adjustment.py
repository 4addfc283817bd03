"""The p-values of a table of pairs, adjusted for the number of pairs."""

import numpy as np

from .._inference._multiplicity import (
    ADJUSTMENTS,
    adjust_pvalues,
    rotation_pvalues,
)
from .._validation import check_option

__all__ = ["adjust_pairs", "check_adjustment"]


def check_adjustment(p_adjust, tests=()):
    """Return `p_adjust` if it is known and compatible with all of the tests."""
    check_option("p_adjust", p_adjust, (*ADJUSTMENTS, None))
    if p_adjust != "max-t":
        return p_adjust
    for test in tests:
        if not test.traits.rho_is_fixed:
            raise ValueError(
                "`p_adjust` must be 'holm' (or another method but 'max-t') with "
                f"{type(test).__name__}; got 'max-t', which needs a t test of block "
                "means whose ρ follows from the splits, such as KFoldTTest."
            )
    return p_adjust


def adjust_pairs(p_adjust, test, losses, pairs, pvalues):
    """Return adjusted p-values of pairs, in their order."""
    if p_adjust is None:
        return pvalues
    if p_adjust != "max-t":
        return adjust_pvalues(pvalues, p_adjust)
    rows = _null_blocks(test, losses.pair_residuals(pairs))
    return rotation_pvalues(pvalues, rows, test.alternative)


def _null_blocks(test, residuals):
    """Return rows whose t statistics at ρ = 0 are those of the test at its ρ.

    For exchangeable block means with parameter ρ, the mean divided by 1/√(1-ρ) and the
    deviations from it are those of independent blocks: [GB06] (Grandvalet and Bengio
    2006), eq. (9). Rows of differences that are rounding are zero.
    """
    found = test.evaluate(residuals)
    blocks = residuals.block_means
    deviations = blocks - blocks.mean(axis=1, keepdims=True)
    deviations[found.standard_error == 0] = 0
    means = np.where(found.statistic == 0, 0, found.estimate - test.popmean)
    return deviations + (np.sqrt(1 - found.rho) * means)[:, np.newaxis]
