"""Whether more repeats, or another seed, could change the decision on a pair."""

import numpy as np

from .._inference._multiplicity import levels_of
from .._inference._stability import same_decision, split_deviation
from ._adjustment import adjust_pairs
from ._table import pair_pvalues


def are_stable(losses, test, pairs, n_splits, *, alpha, p_adjust, stability):
    """Return whether more splits would decide on all pairs as these do.

    Each pair is judged at the level that the adjustment leaves it.

    Parameters
    ----------
    losses : CVLosses
        The losses of at least two repeats.
    test : test
        A checked test at level `alpha`. If it extrapolates, what is asked is what
        infinitely many repeats would decide.
    pairs : ndarray of shape (n_pairs, 2)
        Positions of the estimators.
    n_splits : int
        The largest number of splits, which decide if the test does not extrapolate.
    alpha, p_adjust : float, str or None
        As in :class:`.PairTable`.
    stability : float
        How probable it must be, of every pair.
    """
    pvalues = pair_pvalues(test, losses, pairs)
    adjusted = adjust_pairs(p_adjust, test, losses, pairs, pvalues)
    levels = levels_of(pvalues, adjusted <= alpha, alpha, p_adjust)
    # rejected by itself, but not in its turn: it depends on the pair before it
    waits = (adjusted > alpha) & (pvalues <= levels)
    for level in np.unique(levels[~waits]):
        chosen = pairs[(levels == level) & ~waits]
        residuals = losses.pair_residuals(chosen)
        if not test.traits.vectorised:
            residuals = [residuals[number] for number in range(len(chosen))]
        for some in residuals if isinstance(residuals, list) else [residuals]:
            now = test.evaluate(some)
            final = test.extended(now, some, n_splits)
            confidence = test.interval_level(level)
            if np.any(
                _is_rejected(test, now, confidence)
                != _is_rejected(test, final, confidence)
            ):
                return False
            same = same_decision(test, final, confidence, *split_deviation(test, some))
            if not np.all(same >= stability):
                return False
    return True


def _is_rejected(test, evaluation, confidence):
    low, high = test.interval(evaluation, confidence)
    return (low > test.popmean) | (high < test.popmean)
