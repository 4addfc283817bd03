"""Which proposals are kept: a look at the shown rows, a test of the sealed ones.

Losses on the shown rows may be known to whoever proposes, and used in any way. About
the sealed rows nothing is told but "keep" or not. Before the first is kept, this is
always "not": what is proposed does not depend on the sealed rows, however cleverly it
is chosen, and the levels of all tests add up to at most alpha. This is the argument of
the Ladder (Blum & Hardt 2015, arXiv:1502.04585) with a level in place of a step.
"""

import numpy as np
from scipy.special import ndtri

# Of 0.2 to 0.5, and 2 to 25, by a normal approximation of the power at 3 to 6 errors.
LOOKS_GOOD = 0.2  # share of proposals without a gain that pass the look
HALF_AFTER = 5  # tests that kept nothing: they spend half of alpha


def n_shown_of(n_splits):
    """Return the number of splits whose losses are shown."""
    return max(1, n_splits // 5)


def level_of(n_charged, alpha):
    """Return the level of the next test, after `n_charged` that kept nothing.

    c alpha / ((m + c - 1)(m + c)) of the m-th, which add up to alpha m/(m + c).
    """
    return (
        alpha * HALF_AFTER / ((n_charged + HALF_AFTER) * (n_charged + HALF_AFTER + 1))
    )


def is_promising(gains, margin=0.0, looks_good=LOOKS_GOOD):
    """Whether gains on shown rows, of shape (..., n), are worth the other fits."""
    n = gains.shape[-1]
    excess = gains.mean(axis=-1) - margin
    error = gains.std(axis=-1, ddof=1) / np.sqrt(n) if n > 1 else 0.0
    return (excess > 0) & (excess >= -ndtri(looks_good) * error)
