"""Which of many may be the best, by a test of two."""

import warnings
from dataclasses import replace
from functools import cached_property
from typing import NamedTuple

import numpy as np
from sklearn.base import clone

from .._inference._best import JointDraws, RotationDraws, best_pvalues
from .._inference._flat import flat_answers
from .._inference._multiplicity import critical_scores
from .._inference._stability import is_repeated, same_decision
from ._ranking import BEST_SET, asks_for_best
from ._table import pair_table
from ._tested import common_df, null_blocks, of_pairs, pair_chunks, pair_pvalues

TURNED = "greater", "less"  # alternatives of a pair, and of the same turned round


class Differences(NamedTuple):
    """loss(r) - smallest loss of the others, with simultaneous intervals."""

    estimate: np.ndarray
    low: np.ndarray
    high: np.ndarray


class Best:
    """Which of k may be the best.

    Parameters
    ----------
    test : test
        A test of two, checked and at the level `alpha`.
    losses : CVLosses
        The losses.
    alpha : float
        One minus the confidence that the best is kept.

    Attributes
    ----------
    order : ndarray of shape (k,)
        Positions of those without failed fits, the best first.
    pvalues, is_bound : ndarray of shape (k,)
        In that order; see :func:`best_pvalues`.
    kept : ndarray of shape (k,)
        Whether each may be the best.
    nearest : ndarray of shape (k, 2)
        Each, and its most clearly better rival.
    levels : ndarray of shape (k,)
        At which the test of these two alone tells that it is not the best.
    """

    def __init__(self, test, losses, alpha):
        means = losses.mean_losses
        order = np.argsort(means, kind="stable")
        self.asked, self.losses, self.alpha = test, losses, alpha
        self._scanned = []  # what was found of all pairs, where all are looked at
        self.order = order[np.isfinite(means[order])]
        self.test = clone(test)
        if test.traits.is_directed:
            self.test.set_params(alternative="greater", popmean=0.0)
        rivals, draws = self._law()
        self.nearest = pairs = np.column_stack([self.order, self.order[rivals]])
        single = self._one_sided(pairs) if draws is None else self._single(pairs, draws)
        self.pvalues, self.levels, self.is_bound = best_pvalues(single, draws, alpha)
        self.kept = self.pvalues > alpha
        self.kept[0] = True

    def _law(self):
        """Return the clearest rival of each, and draws of the largest statistics."""
        test = self.test
        if not (test.traits.rho_is_fixed or test.traits.has_joint_law):
            return self._without_law(), None
        residuals = self.losses.pair_residuals(self._against_best())
        if test.traits.rho_is_fixed:
            draws = RotationDraws(self._sort(null_blocks(test, residuals)))
            return draws.rivals, draws
        rows = self._sort(test.joint_rows(residuals))
        return self._scan(), JointDraws(rows)

    def _against_best(self):
        return np.column_stack([self.order, np.full_like(self.order, self.order[0])])

    def _sort(self, rows):
        """Put rows, also rows with the same mean loss, into an order of their own."""
        sizes = np.sum(rows**2, axis=1)
        again = np.lexsort([sizes, self.losses.mean_losses[self.order]])
        self.order = self.order[again]
        return rows[again]

    def _scan(self):
        """Return the clearest rivals, from all pairs."""
        k = len(self.order)
        first, second = np.triu_indices(k, k=1)
        smallest, rivals = np.full(k, 2.0), np.full(k, -1)
        start = 0
        pairs = np.column_stack([self.order[first], self.order[second]])
        for residuals in pair_chunks(self.losses, pairs):
            found = flat_answers(self.test, residuals, self.test.evaluate(residuals))
            stop = start + len(residuals.values)
            one, other = first[start:stop], second[start:stop]
            self._scanned.append((one, other, found, residuals.value_range))
            p = np.where(np.isnan(found.pvalue), 1, found.pvalue)
            same = _are_same(found)
            nearest(smallest, rivals, one, other, p)
            nearest(smallest, rivals, other, one, np.where(same, 1, 1 - p))
            start = stop
        return rivals

    def _without_law(self):
        """Return the clearest rivals by p-values in both directions."""
        k = len(self.order)
        first, second = np.triu_indices(k, k=1)
        smallest, rivals = np.full(k, 2.0), np.full(k, -1)
        for one, other in ((first, second), (second, first)):
            pairs = np.column_stack([self.order[one], self.order[other]])
            nearest(smallest, rivals, one, other, self._one_sided(pairs))
        return rivals

    def _one_sided(self, pairs):
        """Return p-values that the second of each pair is better."""
        if self.test.traits.is_directed:
            return pair_pvalues(self.test, self.losses, pairs)

        def read(found, _):
            return np.where(found.estimate > 0, np.minimum(found.pvalue, 1), 1)

        return self._of(pairs, read)

    def _of(self, pairs, read, *levels):
        """Return what is read of what the test finds of each pair."""
        return of_pairs(self.test, self.losses, pairs, levels, read)

    def _single(self, pairs, draws):
        """Return p-values of the nearest rivals alone; tell the draws of them."""
        found = [
            flat_answers(self.test, residuals, self.test.evaluate(residuals))
            for residuals in pair_chunks(self.losses, pairs)
        ]
        single = np.minimum(np.concatenate([part.pvalue for part in found]), 1.0)
        if isinstance(draws, JointDraws):
            draws.df = common_df(found[0])
            draws.observed = critical_scores(single, draws.df, two_sided=False)
        return single

    @cached_property
    def differences(self):
        """Differences of all, in order."""
        return self.differences_of(np.arange(len(self.order)))

    def stability_of(self, places):
        """Return how probable it is that another seed decides the same of some.

        By the test of each against its clearest rival, at the level that decides; nan
        where that is unknown, and of the first, who is always in the set.
        """
        found, test = np.full(len(places), np.nan), self.test
        traits, design = test.traits, self.losses.design
        if not (traits.is_directed and traits.uses_all_splits and is_repeated(design)):
            return found
        for number, place in enumerate(places):
            if place:
                residuals = self.losses.pair_residuals([self.nearest[place]])
                now, level = test.evaluate(residuals), 1 - self.levels[place]
                same = same_decision(test, residuals, now, level, n_means=2)
                found[number] = np.ravel(same)[0]
        return found

    def differences_of(self, places):
        """Return Hsu's constrained intervals of the difference to the best of the rest.

        Edwards and Hsu (1983), with the levels of each: what may be the best has a
        lower end below 0; what is not has one of 0. Differences, of some places in the
        order.
        """
        if self._scanned:
            low, high = self._scanned_ends
            return Differences(self.estimates[places], low[places], high[places])
        k, kept = len(self.order), np.flatnonzero(self.kept)
        low, high = np.zeros(k), np.zeros(k)
        is_asked = np.isin(kept, places)
        for r in kept[is_asked]:
            others = np.delete(np.arange(k), r)
            lows, highs = (of[0] for of in self._ends([r], others))
            low[r] = min(0.0, lows.max())
            high[others] = np.maximum(high[others], highs)
        rest = kept[~is_asked]
        for level in np.unique(self.levels[rest]):
            _, highs = self._ends(rest[self.levels[rest] == level], places)
            high[places] = np.maximum(high[places], highs.max(axis=0))
        return Differences(self.estimates[places], low[places], high[places])

    @cached_property
    def _scanned_ends(self):
        """The same ends of all, from what was found of all pairs."""
        k = len(self.order)
        low, high = np.full(k, -np.inf), np.zeros(k)
        tests = [clone(self.test).set_params(alternative=a) for a in TURNED]
        for level in np.unique(self.levels[self.kept]):
            is_asked = self.kept & (self.levels == level)
            for one, other, *found in self._scanned:
                # a pair turned round has the other end, with the other sign
                sides = (one, other), (other, one)
                for side, (r, s) in enumerate(sides):
                    some = is_asked[r]
                    if not some.any():
                        continue
                    evaluation, value_range = found
                    ends = tests[side].bounded_interval(
                        evaluation, 1 - level, value_range
                    )
                    lows = (ends[0], np.negative(ends[1]))[side][some]
                    np.maximum.at(low, r[some], lows)
                    highs = np.where(_are_same(evaluation)[some], 0.0, -lows)
                    np.maximum.at(high, s[some], highs)
        return np.where(self.kept, np.minimum(low, 0.0), 0.0), high

    def _ends(self, some, others):
        """Return lower ends of loss(r) - loss(s), and upper of minus that, of these r.

        The level is theirs. What has the same losses as r is as good: 0 above.
        """
        pairs = np.column_stack(
            [np.repeat(some, len(others)), np.tile(others, len(some))]
        )
        level = 1 - self.levels[some[0]]

        def read(found, ends):
            highs = np.where(_are_same(found), 0.0, -ends[0][0])
            return np.column_stack([ends[0][0], highs])

        found = self._of(self.order[pairs], read, level)
        return found.T.reshape(2, len(some), -1)

    @cached_property
    def estimates(self):
        """loss(r) - the smallest loss of the others."""
        pairs = self._against_best()[1:]
        with warnings.catch_warnings():  # about pairs, which their own table gives
            warnings.simplefilter("ignore", UserWarning)
            means = np.append(0.0, self._of(pairs, lambda found, _: found.estimate))
        best, second = np.argsort(means, kind="stable")[:2]
        others = np.full(len(means), means[best])
        others[best] = means[second]
        return means - others


def _are_same(found):
    """Return which pairs have the same losses."""
    return (found.statistic == 0) & (found.standard_error == 0)


def tables_of(tests, losses, pairs, position, question):
    """Return {name: PairTable}, and {name: Best} of those whose p-values are its own.

    These are tables of pairs with the best, whose position is given then; else None.
    Other p-values of such pairs are adjusted for all pairs.
    """
    tables, found = {}, {}
    for name, test in tests.items():
        options = dict(question.rule)
        if position is not None and question.p_adjust and len(pairs) > 1:
            if asks_for_best(test):
                best = found[name] = Best(test, losses, question.alpha)
                tables[name] = _table_of(best, pairs)
                continue
            options["others"] = _others(losses, position)
        tables[name] = pair_table(test, losses, pairs, **options)
    return tables, found


def _table_of(best, pairs):
    """Return the PairTable of the best with each, by p-values of the set."""
    k, options = len(best.order), {"alpha": best.alpha, "p_adjust": "bonferroni"}
    options["n_family"] = k * (k - 1) // 2
    table = pair_table(best.asked, best.losses, pairs, **options)
    pvalues = np.empty(len(table.names))
    pvalues[best.order] = best.pvalues
    adjusted = pvalues[table.second]
    winner = np.where(adjusted <= best.alpha, table.first, -1)
    return replace(table, p_adjust=BEST_SET, pvalue_adjusted=adjusted, winner=winner)


def _others(losses, position):
    """Return all pairs without failed fits but those with one, (n, 2)."""
    intact = np.flatnonzero(np.isfinite(losses.mean_losses))
    rest = intact[intact != position]
    return rest[np.column_stack(np.triu_indices(len(rest), k=1))]


def nearest(smallest, rivals, one, other, pvalues):
    """Note smaller p-values, and the rivals that they belong to."""
    order = np.lexsort([other, pvalues])
    one, other, pvalues = one[order], other[order], pvalues[order]
    models, places = np.unique(one, return_index=True)
    better = pvalues[places] < smallest[models]
    models, places = models[better], places[better]
    smallest[models], rivals[models] = pvalues[places], other[places]
