"""Whether more repeats, or another seed, could change the decision on a pair."""

import numpy as np

from .._inference._choose_tests import choose_pairs
from .._inference._multiplicity import levels_of
from .._inference._split_stability import distances_inside, same_decision
from ._tested import adjust_pairs, batches, pair_chunks, pair_pvalues


class StabilityMonitor:
    """Tells whether more repeats are needed.

    Parameters
    ----------
    question : Question
        What the verdicts answer.
    tests : list of list of tests
        The tests of each measure.
    names : tuple of str
        The estimators.
    n_splits : int
        The largest number of splits.
    stability : float
        How probable it must be that a verdict remains.
    """

    def __init__(self, question, tests, names, n_splits, stability):
        self.tests = tests
        self.pairs, _ = choose_pairs(names, question.reference)
        self.n_splits = n_splits
        self.rule = question.rule | {"stability": stability}

    def needs_more(self, losses):
        """Whether the verdict on a pair might change.

        Parameters
        ----------
        losses : CVLosses or dict of CVLosses
            Of at least two repeats; of several metrics, a dict.
        """
        by_metric = losses.values() if isinstance(losses, dict) else [losses]
        for losses_by_metric, tests in zip(by_metric, self.tests, strict=True):
            for test in tests:
                if self._may_change(losses_by_metric, test):
                    return True
        return False

    def _may_change(self, losses, test):
        """Whether the verdict on a pair without failed fits might change."""
        failed = losses.failed_splits()
        intact = np.array([name not in failed for name in losses.estimator_names])
        usable = self.pairs[intact[self.pairs].all(axis=1)]
        if not len(usable):  # nothing is gained by more
            return False
        return not are_stable(losses, test, usable, self.n_splits, **self.rule).all()


def are_stable(losses, test, pairs, n_splits, *, alpha, p_adjust, stability):
    """Return of which pairs more splits would decide as these do, (n_pairs,) of bool.

    Each pair is judged at the level that the adjustment leaves it.

    Parameters
    ----------
    losses : CVLosses
        The losses of at least two repeats.
    test : test
        A checked test at level `alpha`.
    pairs : ndarray of shape (n_pairs, 2)
        Positions of the estimators.
    n_splits : int
        The largest number of splits, whose decision is asked for.
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
    stable = waits
    for level in np.unique(levels[~stable]):
        chosen = (levels == level) & ~stable
        confidence = test.interval_level(level)
        are_stable_there = []
        for residuals in pair_chunks(losses, pairs[chosen]):
            for batch in batches(test, residuals):
                probability = _same(test, batch, n_splits, confidence)
                are_stable_there.append(np.atleast_1d(probability >= stability))
        stable[chosen] = np.concatenate(are_stable_there)
    return stable


def _same(test, residuals, n_splits, confidence):
    """Return how probable it is that more splits decide the same; 0 if they do not."""
    now = test.evaluate(residuals)
    final = test.with_more_splits(now, residuals, n_splits)
    same = same_decision(test, residuals, final, confidence)
    is_inside = _is_inside(test, now, confidence)
    will_be_inside = _is_inside(test, final, confidence)
    return np.where(is_inside == will_be_inside, same, 0.0)


def _is_inside(test, evaluation, confidence):
    """Whether intervals hold what the test tests."""
    distances = distances_inside(test, test.interval(evaluation, confidence))
    return np.all(distances >= 0, axis=0)
