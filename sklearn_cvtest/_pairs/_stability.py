"""Whether more repeats, or another seed, could change the decision on a pair."""

import numpy as np

from .._inference._choose_tests import choose_pairs, is_best
from .._inference._multiplicity import levels_of
from .._inference._stability import distances_inside, same_decision
from ._adjustment import adjust_pairs
from ._best import Best
from ._ranking import asks_for_best
from ._table import pair_chunks, pair_pvalues


class Watch:
    """Tells which estimators more repeats are needed of.

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
    leaves : bool
        Whether estimators may leave before the others. They do only if the tests
        extrapolate: then a verdict refers to infinitely many repeats, however many
        there are.
    """

    def __init__(self, question, tests, names, n_splits, stability, leaves):
        self.tests = tests
        self.pairs, _ = choose_pairs(names, question.reference)
        self.n_splits = n_splits
        self.rule = question.rule | {"stability": stability}
        repeats = {test.traits.repeats for of_measure in tests for test in of_measure}
        self.leaves = leaves and repeats == {"extrapolated"}
        self.asks_set = question.reference is None or is_best(names, question.reference)

    def still_open(self, losses, columns):
        """Return whom to fit again; nobody if no verdict on a pair might change.

        Who leaves has no pair whose verdict might change, and remains, or does not
        remain, among those that may be the best.

        Parameters
        ----------
        losses : CVLosses or dict of CVLosses
            Of at least two repeats; of several metrics, a dict.
        columns : ndarray of int
            Positions of those that were fitted last. Others have no more splits.
        """
        by_metric = losses.values() if isinstance(losses, dict) else [losses]
        tests = self.tests
        if len(tests) == 1:  # of a callable that returned several scores
            tests = tests * len(by_metric)
        parts = zip(by_metric, tests, strict=True)
        parts = [(of_metric, test) for of_metric, some in parts for test in some]
        some = self._among(columns, [self._of_pairs(*part, columns) for part in parts])
        if not len(some) or not self.leaves:
            return columns if len(some) else some
        if len(some) == len(columns) or not self.asks_set:
            return some
        of_set = [self._of_set(*part) for part in parts if asks_for_best(part[1])]
        return np.union1d(some, self._among(columns, of_set))

    def _among(self, columns, found):
        """Return who is in pairs of those at `columns`."""
        found = np.concatenate([np.empty((0, 2), dtype=np.intp), *found])
        return np.unique(found[np.isin(found, columns).all(axis=1)])

    def _of_pairs(self, losses, test, columns):
        """Return the pairs, without failed fits, whose verdict might change."""
        failed = losses.failed_splits()
        intact = np.array([name not in failed for name in losses.estimator_names])
        usable = self.pairs[intact[self.pairs].all(axis=1)]
        if not len(usable):  # nothing is gained by more
            return usable
        asked = np.isin(usable, columns).all(axis=1)
        stable = are_stable(
            losses, test, usable, self.n_splits, asked=asked, **self.rule
        )
        return usable[~stable]

    def _of_set(self, losses, test):
        """Return whose place among those that may be the best might change, (n, 2).

        Each with its most clearly better rival, by which that is decided.
        """
        best, found = Best(test, losses, self.rule["alpha"]), []
        for pair, level in zip(best.nearest, best.levels, strict=True):
            residuals = losses.pair_residuals([pair])
            now = best.test.evaluate(residuals)
            same = same_decision(best.test, residuals, now, 1 - level)
            if not same[0] >= self.rule["stability"]:
                found.append(pair)
        return np.reshape(found, (-1, 2)).astype(np.intp)


def are_stable(
    losses, test, pairs, n_splits, *, alpha, p_adjust, stability, asked=True
):
    """Return of which pairs more splits would decide as these do, (n_pairs,) of bool.

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
    asked : ndarray of bool of shape (n_pairs,), default=True
        Of which pairs it is asked; the others are taken to be stable.
    """
    pvalues = pair_pvalues(test, losses, pairs)
    adjusted = adjust_pairs(p_adjust, test, losses, pairs, pvalues)
    levels = levels_of(pvalues, adjusted <= alpha, alpha, p_adjust)
    # rejected by itself, but not in its turn: it depends on the pair before it
    waits = (adjusted > alpha) & (pvalues <= levels)
    stable = waits | ~np.broadcast_to(asked, waits.shape)
    for level in np.unique(levels[~stable]):
        chosen = (levels == level) & ~stable
        found = [
            _same(test, some, n_splits, test.interval_level(level)) >= stability
            for residuals in pair_chunks(losses, pairs[chosen])
            for some in _stacks(test, residuals)
        ]
        stable[chosen] = np.concatenate(list(map(np.atleast_1d, found)))
    return stable


def _stacks(test, residuals):
    """Return residuals of pairs as the test takes them: all at once, or one by one."""
    if test.traits.vectorised:
        return [residuals]
    return [residuals[number] for number in range(len(residuals.values))]


def _same(test, residuals, n_splits, confidence):
    """Return how probable it is that more splits decide the same; 0 if they do not."""
    now = test.evaluate(residuals)
    final = test.extended(now, residuals, n_splits)
    same = same_decision(test, residuals, final, confidence)
    is_inside, will_be = (
        np.all(distances_inside(test, test.interval(e, confidence)) >= 0, axis=0)
        for e in (now, final)
    )
    return np.where(is_inside == will_be, same, 0.0)
