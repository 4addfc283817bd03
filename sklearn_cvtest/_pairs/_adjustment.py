"""The p-values of fitted tests of several pairs, adjusted for the number of pairs."""

import numpy as np

from .._inference import (
    CorrectedRepeatedKFoldTTest,
    CorrectedResampledTTest,
    KFoldTTest,
    ResampledTTest,
)
from .._inference._multiplicity import ADJUSTMENTS, adjust_pvalues, rotation_pvalues
from .._validation import check_option

__all__ = ["adjust_tests", "check_adjustment", "null_blocks"]

# t tests of exchangeable block means with the same ρ for every pair
BLOCK_TESTS = (
    KFoldTTest,
    ResampledTTest,
    CorrectedResampledTTest,
    CorrectedRepeatedKFoldTTest,
)


def check_adjustment(p_adjust, tests=()):
    """Return `p_adjust` if it is known and goes with all of the tests."""
    check_option("p_adjust", p_adjust, (*ADJUSTMENTS, None))
    if p_adjust != "max-t":
        return p_adjust
    for test in tests:
        if not isinstance(test, BLOCK_TESTS):
            names = ", ".join(one.__name__ for one in BLOCK_TESTS)
            raise ValueError(
                "`p_adjust` must be 'holm' (or another method but 'max-t') with "
                f"{type(test).__name__}; got 'max-t', which needs a t test of block "
                f"means: {names}."
            )
    return p_adjust


def adjust_tests(p_adjust, fitted, losses):
    """Return the adjusted p-values of tests by pair, in their order."""
    pvalues = np.array([one.pvalue_ for one in fitted.values()])
    if p_adjust is None:
        return pvalues
    if p_adjust != "max-t":
        return adjust_pvalues(pvalues, p_adjust)
    names, blocks = losses.estimator_names, losses.block_losses
    differences = np.array(
        [
            blocks[:, names.index(first)] - blocks[:, names.index(second)]
            for first, second in fitted
        ]
    )
    one = next(iter(fitted.values()))
    estimate, error, statistic, rho = (
        np.array([getattr(test, name) for test in fitted.values()])
        for name in ("estimate_", "standard_error_", "statistic_", "rho_")
    )
    rows = null_blocks(differences, estimate - one.popmean, error, statistic, rho)
    return rotation_pvalues(pvalues, rows, one.alternative)


def null_blocks(differences, means, standard_errors, statistics, rho):
    """Return rows whose t statistic at ρ = 0 is that of tests at their ρ.

    Of exchangeable block means with parameter ρ, the mean divided by 1/√(1-ρ) and the
    deviations from it are those of independent blocks: [GB06] eq. (9). Rows of
    differences that are rounding are zero.
    """
    deviations = differences - differences.mean(axis=1, keepdims=True)
    deviations[standard_errors == 0] = 0
    means = np.where(statistics == 0, 0, means)
    return deviations + (np.sqrt(1 - rho) * means)[:, np.newaxis]
