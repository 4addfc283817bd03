"""Which of many may be the best, by a test of two."""

from copy import copy
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
    map_pairs,
    null_blocks,
    pair_chunks,
    pair_pvalues,
    results_of,
)
from .._validation import keep_warnings
from ._null_law import JointDraws, RotationDraws, best_pvalues
from ._pair_bounds import PairBounds

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

    def __init__(self, test, losses, alpha):
        self.asked = test
        self.losses = losses
        self.alpha = alpha
        self.test = clone(test)
        if test.traits.is_directed:
            self.test.set_params(alternative="greater", popmean=0.0)
        means = losses.mean_losses
        by_loss = np.argsort(means, kind="stable")
        self.order = by_loss[np.isfinite(means[by_loss])]
        rivals, draws = self._rivals_and_draws()
        self.nearest = np.column_stack([self.order, self.order[rivals]])
        if draws is None:
            single = self._one_sided(self.nearest)
        else:
            single = self._single(self.nearest, draws)
        self.pvalues, self.levels, self.is_bound = best_pvalues(single, draws, alpha)
        self.kept = self.pvalues > alpha
        self.kept[0] = True

    def _rivals_and_draws(self):
        """Return the clearest rival of each, and draws of the largest statistics."""
        traits = self.test.traits
        if not (traits.rho_is_fixed or traits.has_joint_law):
            return self._rivals_by_pvalues(), None
        residuals = self.losses.pair_residuals(self._against_best())
        if traits.rho_is_fixed:
            draws = RotationDraws(self._sort(null_blocks(self.test, residuals)))
            return draws.rivals, draws
        draws = JointDraws(self._sort(self.test.deviation_rows(residuals)))
        return self._rivals_of_all_pairs(), draws

    def _against_best(self):
        """Return the pairs of all with the first, as positions."""
        return np.column_stack([self.order, np.full_like(self.order, self.order[0])])

    def _sort(self, rows):
        """Put rows, also rows with the same mean loss, into an order of their own."""
        sizes = np.sum(rows**2, axis=1)
        new_order = np.lexsort([sizes, self.losses.mean_losses[self.order]])
        self.order = self.order[new_order]
        return rows[new_order]

    def _rivals_of_all_pairs(self):
        """Return the clearest rivals; each pair is tested once, for both directions."""
        k = len(self.order)
        first, second = np.triu_indices(k, k=1)
        pairs = np.column_stack([self.order[first], self.order[second]])
        clearest = ClearestRivals(k)
        start = 0
        for residuals in pair_chunks(self.losses, pairs):
            evaluation = full_evaluation(self.test, residuals)
            stop = start + len(evaluation.pvalue)
            chunk = slice(start, stop)
            opposite = pvalue_towards(self.test, evaluation, "less")
            clearest.note(first[chunk], second[chunk], evaluation.pvalue)
            clearest.note(second[chunk], first[chunk], opposite)
            start = stop
        return clearest.rivals

    def _rivals_by_pvalues(self):
        """Return the clearest rivals by p-values in both directions."""
        k = len(self.order)
        first, second = np.triu_indices(k, k=1)
        clearest = ClearestRivals(k)
        for models, others in ((first, second), (second, first)):
            pairs = np.column_stack([self.order[models], self.order[others]])
            clearest.note(models, others, self._one_sided(pairs))
        return clearest.rivals

    def _one_sided(self, pairs):
        """Return p-values that the second of each pair is better."""
        if self.test.traits.is_directed:
            return pair_pvalues(self.test, self.losses, pairs)

        def read(results):  # half of a two-sided one is on this side
            evaluation = results.evaluation
            half = np.minimum(evaluation.pvalue, 1) / 2
            return np.where(evaluation.estimate > 0, half, 1)

        return map_pairs(self.test, self.losses, pairs, (), read)

    def _single(self, pairs, draws):
        """Return p-values of the nearest rivals alone; tell the draws of them."""
        evaluations = [
            full_evaluation(self.test, residuals)
            for residuals in pair_chunks(self.losses, pairs)
        ]
        pvalues = np.concatenate([evaluation.pvalue for evaluation in evaluations])
        single = np.minimum(pvalues, 1.0)
        if isinstance(draws, JointDraws):
            draws.df = common_df(evaluations[0])
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

    @cached_property
    def in_units(self):
        """The same set, whose differences are in units of the loss by ratio, too."""
        if self.ratios is None:
            return self
        best = copy(self)
        for name in ("differences", "estimates", "ratios", "_pair_bounds"):
            vars(best).pop(name, None)
        best.losses = replace(self.losses, compared_by="difference")
        return best

    def stability_of(self, places):
        """Return how probable it is that another seed decides the same of some.

        By the test of each against its clearest rival, at the level that decides; nan
        where that is unknown, and of the first, who is always in the set.
        """
        stability = np.full(len(places), np.nan)
        traits = self.test.traits
        design = self.losses.design
        if not (traits.is_directed and traits.uses_all_splits and is_repeated(design)):
            return stability
        for number, place in enumerate(places):
            if place == 0:
                continue
            residuals = self.losses.pair_residuals([self.nearest[place]])
            evaluation = self.test.evaluate(residuals)
            confidence_level = 1 - self.levels[place]
            same = same_decision(self.test, residuals, evaluation, confidence_level)
            stability[number] = np.ravel(same)[0]
        return stability

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
        places = np.asarray(places)
        k = len(self.order)
        low = np.full(k, np.nan)
        high = np.full(k, np.nan)
        rows = places[places > 0]  # the best is not behind itself
        if len(rows):
            kept = np.flatnonzero(self.kept)
            low[rows] = self._largest_bounds(rows, np.arange(k), upper=False)
            high[rows] = self._largest_bounds(rows, kept, upper=True)
        low[low == -np.inf] = 0.0  # of models that all have the same losses
        low[self.kept] = np.minimum(low[self.kept], 0.0)
        return Differences(self.estimates[places], low[places], high[places])

    def _largest_bounds(self, rows, rivals, *, upper):
        """Return the largest bound of loss(r) - loss(s) over rivals s, for each row r.

        A one-sided bound at the level of the row. The first of the rivals is the best.
        """
        levels = self.levels[rows]
        traits = self.test.traits
        if traits.rho_is_fixed and traits.is_directed:
            chosen = self._pair_bounds.rivals_of(rows, rivals, levels, upper=upper)
            bounds = [
                self._bounds_at_levels(rows, places, levels, upper) for places in chosen
            ]
            return np.max(bounds, axis=0)
        largest = np.empty(len(rows))
        for level in np.unique(levels):
            has_level = levels == level
            largest[has_level] = self._largest_bounds_at_level(
                rows[has_level], rivals, level, upper
            )
        return largest

    @cached_property
    def _pair_bounds(self):
        is_by_ratio = self.ratios is not None
        return PairBounds(self.test, self.losses, self.order, is_by_ratio=is_by_ratio)

    def _bounds_at_levels(self, rows, rivals, levels, upper):
        """Return bounds of loss(r) - loss(s), of pairs each at a level of its own."""
        pairs = self.order[np.column_stack([rows, rivals])]
        if upper:
            pairs = pairs[:, ::-1]
        ratios = ratios_of(self.test, self.losses)
        bounds = []
        start = 0
        for residuals in pair_chunks(self.losses, pairs):
            evaluation = full_evaluation(self.test, residuals)
            chunk = slice(start, start + len(evaluation.statistic))
            results = results_of(
                self.test,
                residuals,
                evaluation,
                [1 - levels[chunk]],
                ratios,
                pairs[chunk],
            )
            bounds.append(_bounds_in(results, upper))
            start = chunk.stop
        return np.concatenate(bounds)

    def _largest_bounds_at_level(self, rows, rivals, level, upper):
        """Return the largest bounds, of all pairs of rows with rivals."""
        first, second = (grid.ravel() for grid in np.meshgrid(rows, rivals))
        differ = first != second
        pairs = self.order[np.column_stack([first, second])[differ]]
        if upper:
            pairs = pairs[:, ::-1]
        if not self.test.traits.is_directed:
            level = 2 * level

        def read(results):
            return _bounds_in(results, upper)

        bounds = np.full(len(first), -np.inf)
        bounds[differ] = map_pairs(self.test, self.losses, pairs, [1 - level], read)
        return bounds.reshape(len(rivals), len(rows)).max(axis=0)

    @cached_property
    def estimates(self):
        """How far each is behind the best of the others; nan of the best."""
        pairs = self._against_best()[1:]
        with keep_warnings():  # about pairs, which their own table gives
            effects = map_pairs(
                self.test, self.losses, pairs, (), lambda results: results.effect
            )
        means = np.append(0.0, effects)
        best, second = np.argsort(means, kind="stable")[:2]
        others = np.full(len(means), means[best])
        others[best] = means[second]
        others[0] = np.nan
        return means - others


def _bounds_in(results, upper):
    """Return the one-sided bounds of loss(r) - loss(s) in PairResults.

    For an upper bound, they are of the pair turned round. Two models with the same
    losses are equally good, which says nothing of how far they are behind others.
    """
    evaluation = results.evaluation
    are_same = (evaluation.statistic == 0) & (evaluation.standard_error == 0)
    low, _ = results.effect_ends[0]
    if upper:
        return np.where(are_same, 0.0, -low)
    return np.where(are_same, -np.inf, low)


def tables_of(tests, losses, pairs, position, question):
    """Return {name: PairTable}, and {name: Best} of those whose p-values are its own.

    These are tables of pairs with the best, whose position is given then; else None.
    Other p-values of such pairs are adjusted for all pairs.
    """
    tables = {}
    best_by_name = {}
    is_family_of_best = (
        position is not None and question.p_adjust is not None and len(pairs) > 1
    )
    for name, test in tests.items():
        if is_family_of_best and asks_for_best(test):
            best = Best(test, losses, question.alpha)
            best_by_name[name] = best
            tables[name] = _table_of(best, pairs)
            continue
        others = _others(losses, position) if is_family_of_best else None
        tables[name] = pair_table(test, losses, pairs, **question.rule, others=others)
    return tables, best_by_name


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
    columns = dict.fromkeys((*ENDS[1], *LOG_ENDS[1]))
    columns["pvalue_adjusted"] = adjusted
    columns["winner"] = np.where(adjusted <= best.alpha, table.first, -1)
    if k <= MANY:
        columns |= _simultaneous_ends(best, table)
    level = best.alpha / n_family
    return replace(table, p_adjust=BEST_SET, pair_alpha=level, **columns)


def _simultaneous_ends(best, table):
    """Return the ends of the intervals of the set as columns of a PairTable."""
    places = np.argsort(best.order)[table.second]
    sides = [(ENDS[1], best.in_units)]
    if table.is_by_ratio:
        sides.append((LOG_ENDS[1], best))
    columns = {}
    for (name_of_low, name_of_high), differences in sides:
        _, low, high = differences.differences_of(places)
        columns[name_of_low] = -high  # of the best, which is the first of each pair
        columns[name_of_high] = -low
    return columns


def _others(losses, position):
    """Return all pairs without failed fits but those with one, (n, 2)."""
    intact = np.flatnonzero(np.isfinite(losses.mean_losses))
    others = intact[intact != position]
    return others[np.column_stack(np.triu_indices(len(others), k=1))]


class ClearestRivals:
    """The rival of each of k models that is the most clearly better one.

    Attributes
    ----------
    smallest : ndarray of shape (k,)
        The smallest p-value of each model against a rival so far.
    rivals : ndarray of int of shape (k,)
        The rival that it belongs to; -1 before the first is noted.
    """

    def __init__(self, k):
        self.smallest = np.full(k, 2.0)
        self.rivals = np.full(k, -1)

    def note(self, models, others, pvalues):
        """Note p-values of models against others; nan shows nothing."""
        pvalues = np.where(np.isnan(pvalues), 1, pvalues)
        order = np.lexsort([others, pvalues])
        models = models[order]
        others = others[order]
        pvalues = pvalues[order]
        first_models, first = np.unique(models, return_index=True)
        is_smaller = pvalues[first] < self.smallest[first_models]
        first_models = first_models[is_smaller]
        first = first[is_smaller]
        self.smallest[first_models] = pvalues[first]
        self.rivals[first_models] = others[first]
