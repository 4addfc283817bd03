"""When the working champion moves, when it is tested, and at which level.

Losses on the shown folds may be known to whoever proposes, and used in any way. About
the sealed folds nothing is told but whether a test confirms. Given the shown losses,
what is tested after m tests that all failed is fixed, so the levels a w(m) of a stage
with the budget a, which add up to a, bound the probability that one of these tests errs
(Blum & Hardt 2015, arXiv:1502.04585, with a level in place of a step).

A confirmation tells something of the sealed folds: after the m-th test there is another
future for each m. Let B(a) bound the probability of any false confirmation from a stage
with the budget a on. Its test m has either a true null hypothesis and errs with at most
a w(m), after which it does not matter what follows; or a false one, after whose
confirmation a stage with the budget a w(m) begins, that adds at most B(a w(m)). By
induction B(a) <= sum of a w(m) = a. So **the level at which a champion was confirmed is
the budget for all that follows**, and alpha holds for series with any number of
confirmations, without a fresh seal.
"""

from typing import NamedTuple

import numpy as np

# Other numbers need another START in _log: a file was decided by these.
SHOWN = 0.4  # share of the folds
GAIN = 0.84  # standard errors by which the working champion is replaced
AHEAD = 1.5  # standard errors before the confirmed champion that a test needs
FURTHER = 0.5  # by how much that grows with a test that failed
HALF_AFTER = 5  # tests that failed: they use half of the budget


def n_shown_of(n_splits):
    """Return the number of splits whose losses are shown."""
    return max(1, round(SHOWN * n_splits))


def level_of(n_failed, budget):
    """Return the level of the next test: these add up to budget m/(m + 5) after m."""
    m, c = n_failed, HALF_AFTER
    return budget * c / ((m + c) * (m + c + 1))


def is_due(ahead, last):
    """Whether to test what is `ahead`; the last test that failed was at `last`."""
    return ahead >= np.maximum(AHEAD, last + FURTHER)


def standing(gains, margin=0.0):
    """Return the mean of gains, (..., n), beyond a margin in standard errors."""
    n = gains.shape[-1]
    excess = np.asarray(gains.mean(axis=-1) - margin)
    spread = gains.std(axis=-1, ddof=1) if n > 1 else np.zeros_like(excess)
    is_alike = spread <= 1e-12 * np.abs(gains).max(axis=-1)  # rounding of the mean
    error = np.where(is_alike, 1.0, spread) / np.sqrt(n)
    certain = np.where(excess == 0, 0.0, np.copysign(np.inf, excess))
    return np.where(is_alike, certain, excess / error)


class Stage(NamedTuple):
    """Where the tests are: since the last confirmation, or since the start."""

    budget: float
    n_failed: int = 0
    ahead: float = -np.inf  # of the last test that failed

    @property
    def level(self):
        """Level of the next test, float."""
        return level_of(self.n_failed, self.budget)

    def after(self, ahead, is_confirmed):
        """Return the stage after a test."""
        if is_confirmed:
            return Stage(self.level)
        return Stage(self.budget, self.n_failed + 1, ahead)
