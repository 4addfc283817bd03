"""The p-values of fitted tests of several pairs, adjusted for the number of pairs."""

import numpy as np

from ._inference import (
    CorrectedRepeatedKFoldTTest,
    CorrectedResampledTTest,
    KFoldTTest,
    ResampledTTest,
)
from ._multiplicity import ADJUSTMENTS, adjust_pvalues, rotation_pvalues
from ._validation import check_option

__all__ = ["adjust_tests", "check_adjustment"]

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
    rows = [_null_blocks(pair, one, losses) for pair, one in fitted.items()]
    alternative = next(iter(fitted.values())).alternative
    return rotation_pvalues(pvalues, np.array(rows), alternative)


def _null_blocks(pair, test, losses):
    """Return block means whose t statistic at ρ = 0 is that of the test.

    Of exchangeable block means with parameter ρ, the mean divided by 1/√(1-ρ) and the
    deviations from it are those of independent blocks: [GB06] eq. (9).
    """
    first, second = (
        losses.block_losses[:, losses.estimator_names.index(name)] for name in pair
    )
    values = first - second
    centred = values - values.mean()
    if test.standard_error_ == 0:  # what is left is rounding
        centred = np.zeros_like(values)
    mean = test.estimate_ - test.popmean if test.statistic_ else 0.0
    return centred + np.sqrt(1 - test.rho_) * mean
