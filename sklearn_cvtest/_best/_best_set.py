"""Which of many may be the best, by a test of two."""

from dataclasses import replace
from functools import cached_property
from typing import NamedTuple

import numpy as np
from sklearn.base import clone

from .._inference._multiplicity import critical_scores
from .._inference._split_stability import is_repeated, same_decision
from .._inference._zero_variance import full_evaluation, pvalue_towards
from .._pairs._ranking import BEST_SET, ENDS, LOG_ENDS, asks_for_best
from .._pairs._ratios import ratios_of
from .._pairs._table import pair_table
from .._pairs._tested import (
    common_df,
    in_units,
    map_pairs,
    null_blocks,
    pair_chunks,
    pair_pvalues,
)
from .._validation import keep_warnings
from ._null_law import JointDraws, RotationDraws, best_pvalues

MANY = 100  # models, from which the table of pairs has no intervals of the set


class Differences(NamedTuple):
    """How far each is behind the best of the others, with intervals; nan of the best.

    loss(r) - the smallest loss of the others or, of losses that are compared by ratio,
    the logarithm of their ratio.
    """

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
        One minus the confidence that all that are the best are kept.
    keeps_one : bool, default=False
        Whether that is the confidence that the best is kept, or any given one of
        several that are equally good.

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
        At which the one-sided test of these two alone tells that it is not the best.
    """

    def __init__(self, test, losses, alpha, *, keeps_one=False):
        means = losses.mean_losses
        order = np.argsort(means, kind="stable")
        self.asked, self.losses, self.alpha = test, losses, alpha
        self.order = order[np.isfinite(means[order])]
        self.test = clone(test)
        if test.traits.is_directed:
            self.test.set_params(alternative="greater", popmean=0.0)
        rivals, draws = self._law()
        self.nearest = pairs = np.column_stack([self.order, self.order[rivals]])
        single = self._one_sided(pairs) if draws is None else self._single(pairs, draws)
        self.pvalues, self.levels, self.is_bound = best_pvalues(
            single, draws, alpha, keeps_one=keeps_one
        )
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
        rows = self._sort(test.deviation_rows(residuals))
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
        for residuals in pair_chunks(self.losses, pairs, self.test):
            found = full_evaluation(self.test, residuals)
            stop = start + len(found.pvalue)
            one, other = first[start:stop], second[start:stop]
            p = np.where(np.isnan(found.pvalue), 1, found.pvalue)
            nearest(smallest, rivals, one, other, p)
            turned = pvalue_towards(self.test, found, "less")
            turned = np.where(np.isnan(turned), 1, turned)
            nearest(smallest, rivals, other, one, turned)
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

        def read(results):  # half of a two-sided one is on this side
            found = results.evaluation
            return np.where(found.estimate > 0, np.minimum(found.pvalue, 1) / 2, 1)

        return self._of(pairs, read)

    def _of(self, pairs, read, *levels):
        """Return what is read of what the test finds of each pair."""
        return map_pairs(self.test, self.losses, pairs, levels, read)

    def _single(self, pairs, draws):
        """Return p-values of the nearest rivals alone; tell the draws of them."""
        found = [
            full_evaluation(self.test, residuals)
            for residuals in pair_chunks(self.losses, pairs, self.test)
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

    @cached_property
    def ratios(self):
        """What compares losses by ratio, None where differences do."""
        return ratios_of(self.asked, self.losses)

    @property
    def differences_in_units(self):
        """Differences of all in units of the loss, in order.

        By ratio, they are (ratio - 1) times the mean loss of the best.
        """
        if self.ratios is None:
            return self.differences
        estimate, low, high = self.differences
        mean = self.ratios.mean_losses(self.order[:1])
        return Differences(
            np.expm1(estimate) * mean, *in_units(low, high, mean, is_open=False)
        )

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
        """Return how far each is behind the best, of some places in the order.

        The difference is loss(r) - the smallest loss of the others, that is, the
        largest of loss(r) - loss(s). So the largest of their lower bounds is a lower
        bound, and the largest of their upper bounds an upper one, for which only those
        count that may be the best. The bounds of r have the level at which r left the
        set, or of the step at which the first one stayed, so that 0 is below the
        interval exactly if r has left. All hold at once with probability 1 - alpha or
        more, whichever is chosen as the best: what is bounded is no difference from the
        model with the smallest mean loss. For two models it is the interval of the
        pair.

        The bounds are Edwards and Hsu's (1983) before they are constrained to begin or
        to end at 0, at the levels of a step-down (Hsu, 1996, "Multiple Comparisons:
        Theory and Methods", chapter 4).
        """
        k, places = len(self.order), np.asarray(places)
        low, high = np.full(k, np.nan), np.full(k, np.nan)
        kept = np.flatnonzero(self.kept)
        asked = places[places > 0]  # the best is not behind itself
        for level in np.unique(self.levels[asked]):
            rows = asked[self.levels[asked] == level]
            low[rows] = self._largest_bounds(rows, np.arange(k), level)
            high[rows] = self._largest_bounds(rows, kept, level, upper=True)
        low[low == -np.inf] = 0.0  # of models that all have the same losses
        low[self.kept] = np.minimum(low[self.kept], 0.0)
        return Differences(self.estimates[places], low[places], high[places])

    def _largest_bounds(self, rows, rivals, level, *, upper=False):
        """Return the largest bound of loss(r) - loss(s) over rivals s, for each row r.

        A one-sided bound at this level. Two with the same losses are equally good,
        which says nothing of how far they are behind others.
        """
        first, second = (grid.ravel() for grid in np.meshgrid(rows, rivals))
        differ = first != second
        pairs = self.order[np.column_stack([first, second])[differ]]
        if not self.test.traits.is_directed:
            level = 2 * level

        def read(results):
            low = results.ends[0][0]
            if upper:
                return np.where(_are_same(results.evaluation), 0.0, -low)
            return np.where(_are_same(results.evaluation), -np.inf, low)

        pairs = pairs[:, ::-1] if upper else pairs
        bounds = np.full(len(first), -np.inf)
        bounds[differ] = self._of(pairs, read, 1 - level)
        return bounds.reshape(len(rivals), len(rows)).max(axis=0)

    @cached_property
    def estimates(self):
        """How far each is behind the best of the others; nan of the best."""
        pairs = self._against_best()[1:]
        with keep_warnings():  # about pairs, which their own table gives
            means = np.append(0.0, self._of(pairs, lambda results: results.effect))
        best, second = np.argsort(means, kind="stable")[:2]
        others = np.full(len(means), means[best])
        others[best] = means[second]
        others[0] = np.nan
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
    k = len(best.order)
    n_family = k * (k - 1) // 2
    # No p-value is adjusted here, and no interval widened: the set replaces both.
    table = pair_table(
        best.asked,
        best.losses,
        pairs,
        alpha=best.alpha,
        p_adjust=None,
        n_family=n_family,
    )
    pvalues = np.empty(len(table.names))
    pvalues[best.order] = best.pvalues
    adjusted = pvalues[table.second]
    winner = np.where(adjusted <= best.alpha, table.first, -1)
    columns = {"pvalue_adjusted": adjusted, "winner": winner}
    columns |= dict.fromkeys((*ENDS[1], *LOG_ENDS[1]))
    if k <= MANY:
        place_of = np.argsort(best.order)
        _, low, high = best.differences_of(place_of[table.second])
        ends = -high, -low  # of the best, which is the first of each pair
        if table.is_by_ratio:
            columns |= dict(zip(LOG_ENDS[1], ends, strict=True))
            means = best.ratios.mean_losses(table.second)
            ends = in_units(*ends, means, is_open=False)
        columns |= dict(zip(ENDS[1], ends, strict=True))
    level = best.alpha / n_family
    return replace(table, p_adjust=BEST_SET, pair_alpha=level, **columns)


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
