"""Which of many may be the best, by a test of two."""

from dataclasses import replace
from functools import cached_property
from typing import NamedTuple

import numpy as np
from sklearn.base import clone

from .._inference._split_stability import is_repeated, same_decision
from .._inference._zero_variance import full_evaluation
from .._pairs._ranking import (
    BEST_SET,
    ENDS,
    LOG_ENDS,
    asks_for_best,
    letter_display,
    ranking_of,
)
from .._pairs._ratios import ratios_of
from .._pairs._table import pair_table
from .._pairs._tested import common_df, map_pairs, null_blocks
from .._validation import keep_warnings
from ._step_down import JointLaw, RotationLaw, step_down


class Differences(NamedTuple):
    """How far each is behind the best, with intervals; nan of the best."""

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
    pvalues, levels, steps : ndarray of shape (k,)
        In that order; see :func:`step_down`.
    kept : ndarray of shape (k,)
        Whether each may be the best.
    """

    def __init__(self, test, losses, alpha):
        self.asked = test
        self.losses = losses
        self.alpha = alpha
        self.test = clone(test)
        if test.traits.is_directed:
            self.test.set_params(alternative="two-sided", popmean=0.0)
        self.order = np.array(ranking_of(losses))
        law = self._law()
        half = np.append(1.0, self._half_pvalues(self._against_best()[1:]))
        self.pvalues, self.levels, self.steps = step_down(half, law, alpha)
        self.kept = self.pvalues > alpha

    def _law(self):
        """Return the law of the differences, None if there is none.

        Models with the same mean loss get an order of their own.
        """
        traits = self.test.traits
        if not (traits.rho_is_fixed or traits.has_joint_law):
            return None
        residuals = self.losses.pair_residuals(self._against_best())
        if traits.rho_is_fixed:
            return RotationLaw(self._sort(null_blocks(self.test, residuals)))
        df = common_df(full_evaluation(self.test, residuals))
        return JointLaw(self._sort(self.test.deviation_rows(residuals)), df)

    def _sort(self, rows):
        sizes = np.sum(rows**2, axis=1)
        new_order = np.lexsort([sizes, self.losses.mean_losses[self.order]])
        self.order = self.order[new_order]
        return rows[new_order]

    def _against_best(self):
        """Return the pairs of all with the best, as positions."""
        return np.column_stack([self.order, np.full_like(self.order, self.order[0])])

    def _half_pvalues(self, pairs):
        """Return one-sided p-values that the second of each pair is better."""

        def read(results):
            half = np.minimum(results.evaluation.pvalue, 1.0) / 2
            half = np.where(results.evaluation.estimate >= 0, half, 1 - half)
            return np.nan_to_num(half, nan=1.0)

        return map_pairs(self.test, self.losses, pairs, (), read)

    @cached_property
    def ratios(self):
        """What compares losses by ratio, None where differences do."""
        return ratios_of(self.asked, self.losses)

    @cached_property
    def _sides(self):
        """Effects and ends, then differences and ends, of all but the best.

        The two-sided interval of the pair with the best, at the level of the step: 0 is
        outside exactly if the model has left. Where a test has another law for p than
        for its interval, as McNemar's, that of one that stays is lengthened to 0.
        """

        def read(results):
            ends = [*results.effect_ends[0], *results.ends[0]]
            estimate = results.evaluation.estimate
            return np.column_stack([results.effect, *ends[:2], estimate, *ends[2:]])

        levels = 1 - 2 * self.levels[1:]
        with keep_warnings():  # about pairs, which their own table gives
            sides = map_pairs(
                self.test, self.losses, self._against_best()[1:], [levels], read
            )
        lows = sides[:, [1, 4]]
        sides[:, [1, 4]] = np.where(
            self.kept[1:, np.newaxis], np.minimum(lows, 0), lows
        )
        of_best = np.full((1, 6), np.nan)  # which is not behind itself
        return np.vstack([of_best, sides]).T

    @property
    def differences(self):
        """How far all are behind the best; by ratio, logarithms of ratios."""
        return Differences(*self._sides[:3])

    @property
    def differences_in_units(self):
        """How far all are behind the best, in units of the loss."""
        return Differences(*self._sides[3:])

    def stability_of(self, places):
        """Return how probable it is that another seed decides the same of some.

        By the test of each against the best, at the level that decides; nan where that
        is unknown, and of the best.
        """
        stability = np.full(len(places), np.nan)
        traits = self.test.traits
        design = self.losses.design
        if not (traits.is_directed and traits.uses_all_splits and is_repeated(design)):
            return stability
        pairs = self._against_best()
        for number, place in enumerate(places):
            if place == 0:
                continue
            residuals = self.losses.pair_residuals(pairs[[place]])
            evaluation = self.test.evaluate(residuals)
            confidence_level = 1 - 2 * self.levels[place]
            same = same_decision(self.test, residuals, evaluation, confidence_level)
            stability[number] = np.ravel(same)[0]
        return stability

    @cached_property
    def letters(self):
        """{position: letters}, the best first; those that share one are not apart.

        Two models are compared at the level of the step at which the first of them
        leaves, so that who has left shares no letter with the best.
        """
        k = len(self.order)
        better, worse = np.triu_indices(k, k=1)
        pairs = np.column_stack([self.order[worse], self.order[better]])
        leaves_first = np.where(self.steps[worse] < self.steps[better], worse, better)
        is_apart = self._half_pvalues(pairs) <= self.levels[leaves_first]
        apart = zip(better[is_apart].tolist(), worse[is_apart].tolist(), strict=True)
        return dict(zip(self.order.tolist(), letter_display(k, apart), strict=True))


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
    place_of = np.zeros(len(table.names), dtype=int)
    place_of[best.order] = np.arange(k)
    places = place_of[table.second]
    adjusted = best.pvalues[places]
    columns = {
        "pvalue_adjusted": adjusted,
        "winner": np.where(adjusted <= best.alpha, table.first, -1),
    }
    sides = [(ENDS[1], best.differences_in_units)]
    if table.is_by_ratio:
        sides.append((LOG_ENDS[1], best.differences))
    for (name_of_low, name_of_high), (_, low, high) in sides:
        columns[name_of_low] = -high[places]  # of the best, the first of each pair
        columns[name_of_high] = -low[places]
    level = best.alpha / n_family
    return replace(table, p_adjust=BEST_SET, pair_alpha=level, **columns)


def _others(losses, position):
    """Return all pairs without failed fits but those with one, (n, 2)."""
    intact = np.flatnonzero(np.isfinite(losses.mean_losses))
    others = intact[intact != position]
    return others[np.column_stack(np.triu_indices(len(others), k=1))]
