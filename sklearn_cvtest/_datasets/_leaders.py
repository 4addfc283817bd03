"""What decides on models over data sets, by ranks or by means, and who is the best.

One family at one look: the p-values, the intervals and the order of the models that a
print, a page or a picture shows come from the same test.
"""

from typing import NamedTuple

import numpy as np

from .._inference._multiplicity import adjust_pvalues, interval_levels
from .._pairs._ranking import letter_display
from .._report import _format
from ._ranks import (
    average_ranks,
    differences_with_failures,
    failures_last,
    pairwise_mean_ranks,
)
from ._signed_ranks import SignedRanks
from ._synthesis import Synthesis, synthesis_interval


class Decisions(NamedTuple):
    """What the test that decides finds of pairs; every field has shape (n_pairs,).

    Attributes
    ----------
    signs : ndarray
        Above 0 where the second of a pair is better.
    pvalues, adjusted : ndarray
        The p-values, and as they are adjusted for the number of pairs.
    levels : ndarray
        The level of the interval that goes with each.
    """

    signs: np.ndarray
    pvalues: np.ndarray
    adjusted: np.ndarray
    levels: np.ndarray


def decides_by_ranks(result):
    """Whether Wilcoxon's signed-rank test decides, or Student's t test.

    Wilcoxon's does if it can reject: the smallest p-value of n data sets is 2/2^n,
    times the number of pairs if it is adjusted.
    """
    n_pairs = len(result.pairs) if result.p_adjust is not None else 1
    n_datasets = result.synthesis.n_datasets.max()
    if result.ranks_failures:
        n_datasets = len(result.datasets)
    return bool(n_pairs * 2.0 ** (1 - n_datasets) <= result.alpha)


def decisions_by_ranks(result):
    """Return the Decisions of Wilcoxon's signed-rank test on all pairs."""
    tests = SignedRanks(ranked_differences(result))
    return _adjusted(result, tests.signs, tests.pvalues)


def decisions_by_means(result):
    """Return the Decisions of Student's t test on all pairs."""
    return _adjusted(result, np.sign(result.synthesis.estimate), result.pvalues)


def _adjusted(result, signs, pvalues):
    adjusted = pvalues
    if result.p_adjust is not None:
        adjusted = adjust_pvalues(pvalues, result.p_adjust)
    levels = interval_levels(pvalues, adjusted, result.alpha, result.p_adjust)
    return Decisions(signs, pvalues, adjusted, levels)


def shown_differences(result, rows):
    """Return the differences of some pairs by what decides, and their intervals.

    Three arrays: the differences, and the ends of intervals that hold 0 exactly if the
    adjusted p-value is above alpha.
    """
    if decides_by_ranks(result):
        return shifts(result, rows)
    return result.synthesis.estimate[rows], *mean_ends(result, rows)


def mean_ends(result, rows):
    """Return the ends of the adjusted intervals of mean differences of some pairs."""
    synthesis = Synthesis(*(field[rows] for field in result.synthesis))
    levels = result.decisions_by_means.levels[rows]
    return result.within(synthesis_interval(synthesis, 1 - levels, result.most)).T


def shifts(result, rows):
    """Return the shifts of all differences that Wilcoxon's test finds the least of.

    Hodges and Lehmann's, with the ends of those that it does not reject; infinite where
    they are beyond all differences that were seen, by failures.
    """
    differences = ranked_differences(result)[rows]
    tests = SignedRanks(differences)
    decisions = result.decisions_by_ranks
    is_rejected = decisions.adjusted[rows] <= result.alpha
    ends = tests.intervals(decisions.levels[rows], is_rejected)
    sizes = np.abs(np.nan_to_num(result.estimates[rows]))
    largest = sizes.max(axis=1)
    return [
        np.where(np.abs(values) > largest, np.copysign(np.inf, values), values)
        for values in (tests.estimates, *ends)
    ]


def ranked_differences(result):
    """Return the differences that signed ranks are taken of, nan where there is none.

    They are on the scale of the means: log ratios of losses compared by ratio.
    """
    if not result.ranks_failures:
        return result.estimates
    column_of = {name: column for column, name in enumerate(result.estimator_names)}
    first, second = zip(*result.pairs, strict=True)
    losses = result.mean_losses.T
    losses_of_first = losses[[column_of[name] for name in first]]
    losses_of_second = losses[[column_of[name] for name in second]]
    return differences_with_failures(
        result.estimates, losses_of_first, losses_of_second
    )


def mean_ranks(result):
    """Return mean ranks, nan of estimators with results on too few data sets."""
    if result.ranks_failures:
        return average_ranks(failures_last(result.mean_losses))
    return pairwise_mean_ranks(result.mean_losses)


def complete_means(result):
    """Return the means over data sets that have all results, or over all there are."""
    values = np.log(result.mean_losses) if result.scale else result.mean_losses
    complete = np.isfinite(values).all(axis=1)
    return np.nanmean(values[complete] if complete.any() else values, axis=0)


def rank_words(result, name_texts):
    """Return the best mean rank in words, with who shares it."""
    ranks = mean_ranks(result)
    _, *equal = np.flatnonzero(np.isclose(ranks, np.nanmin(ranks)))
    words = f"{np.nanmin(ranks):.2f}"
    if equal:
        names = [name_texts[result.estimator_names[position]] for position in equal]
        words += f", as {_format.join_names(names)}"
    return words


def best_first(result):
    """Return the positions of the estimators by mean rank, or mean, best first.

    What decides on pairs decides on the order. Those without a rank are left out.
    """
    values = complete_means(result)
    if decides_by_ranks(result):
        values = mean_ranks(result).round(12)
    order = np.argsort(values, kind="stable")
    return order[np.isfinite(values[order])].tolist()


def leader(result):
    """Return whom all others are shown against: the reference, else the best."""
    if result.reference is not None:
        return result.reference
    return result.estimator_names[best_first(result)[0]]


def pairs_with(result, name):
    """Yield who is compared with an estimator, the best first, and what decides.

    Yields
    ------
    other : str
        The other estimator.
    is_better : bool
        Whether the other has the better mean, or ranks.
    pvalue : float
        The adjusted p-value that decides.
    """
    decided = {}
    decisions = result.decisions
    columns = result.pairs, decisions.signs, decisions.adjusted
    for (first, second), sign, p in zip(*columns, strict=True):
        if first == name:
            decided[second] = sign > 0, p
        elif second == name:
            decided[first] = sign < 0, p
    order = [result.estimator_names[position] for position in best_first(result)]
    for other in dict.fromkeys((*order, *result.estimator_names)):
        if other in decided:
            yield other, *decided[other]


def tiers(result):
    """Return {position: letters}; those that share one do not differ significantly.

    All pairs are compared.
    """
    order = best_first(result)
    names = [result.estimator_names[position] for position in order]
    place = {name: number for number, name in enumerate(names)}
    apart = [
        sorted((place[first], place[second]))
        for (first, second), pvalue in zip(
            result.pairs, result.decisions.adjusted, strict=True
        )
        if pvalue <= result.alpha and first in place and second in place
    ]
    return dict(zip(order, letter_display(len(order), apart), strict=True))


def ranked_losses(result):
    """Return the losses of data sets that rank all estimators, perhaps with nan."""
    is_there = np.isfinite(result.mean_losses)
    if result.ranks_failures:
        return result.mean_losses[is_there.any(axis=1)]
    return result.mean_losses[is_there.all(axis=1)]


def unranked(result):
    """Return the estimators with results on too few data sets to be ranked."""
    has_no_rank = np.isnan(mean_ranks(result))
    names = np.array(result.estimator_names, dtype=object)
    return names[has_no_rank].tolist()
