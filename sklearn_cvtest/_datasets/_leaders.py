"""Which estimators are the best over data sets, by mean ranks or by means."""

import numpy as np

from .._inference._multiplicity import adjust_pvalues
from .._pairs._ranking import letter_display
from .._report import _format
from ._ranks import (
    average_ranks,
    differences_with_failures,
    failures_last,
    pairwise_mean_ranks,
)
from ._signed_ranks import signed_rank_tests


def decides_by_ranks(result):
    """Whether a sentence is about ranks.

    Not about a reference or a pair unless failures are ranked, and not where Wilcoxon's
    test cannot reject: the smallest p-value of n data sets is 2/2^n, times the number
    of pairs if it is adjusted.
    """
    is_of_many = result.reference is None and len(result.pairs) > 1
    n_pairs = len(result.pairs) if result.p_adjust is not None else 1
    smallest = n_pairs * 2.0 ** (1 - len(result.datasets))
    return (is_of_many or result.ranks_failures) and smallest <= result.alpha


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


def best_mean(result):
    """Return the estimator with the best mean over data sets that have all results."""
    return result.estimator_names[int(np.nanargmin(complete_means(result)))]


def best_rank(result, name_texts):
    """Return the estimator with the best mean rank, and that rank in words."""
    ranks = mean_ranks(result)
    best, *equal = np.flatnonzero(np.isclose(ranks, np.nanmin(ranks)))
    names = result.estimator_names
    rank = f"{ranks[best]:.2f}"
    if equal:
        rank += f", as {_format.join_names([name_texts[names[k]] for k in equal])}"
    return names[best], rank


def by_ranks(result):
    """Return what Wilcoxon's signed-rank test finds of pairs.

    Returns
    -------
    signs : ndarray of shape (n_pairs,)
        Above 0 where the second of a pair is better.
    pvalues : ndarray of shape (n_pairs,)
        Adjusted for the number of pairs, by the same method as for means.
    """
    tests = signed_rank_tests(_ranked_differences(result))
    pvalues = tests.pvalues
    if result.p_adjust is not None:
        pvalues = adjust_pvalues(pvalues, result.p_adjust)
    return tests.sums, pvalues


def deciding_pairs(result):
    """Return what decides on pairs, ranks or means: see :func:`by_ranks`."""
    if decides_by_ranks(result):
        return by_ranks(result)
    return result.synthesis.estimate, result.pvalues_adjusted


def best_first(result):
    """Return the positions of the estimators by mean rank, or mean, best first.

    What decides on pairs decides on the order. Those without a rank are left out.
    """
    values = complete_means(result)
    if decides_by_ranks(result):
        values = mean_ranks(result)
    order = np.argsort(values, kind="stable")
    return order[np.isfinite(values[order])].tolist()


def pairs_with(result, name):
    """Yield who is compared with an estimator, the best first, and what decides.

    Yields
    ------
    other : str
        The other estimator.
    is_better : bool
        Whether the other has the better mean, or ranks.
    pvalue : float
        The adjusted p-value that decides; nan if the pair cannot be compared.
    """
    decisions = {}
    signs, pvalues = deciding_pairs(result)
    for (first, second), sign, p in zip(result.pairs, signs, pvalues, strict=True):
        if first == name:
            decisions[second] = sign > 0, p
        elif second == name:
            decisions[first] = sign < 0, p
    order = [result.estimator_names[position] for position in best_first(result)]
    for other in dict.fromkeys((*order, *result.estimator_names)):
        if other in decisions:
            yield other, *decisions[other]


def tiers(result, pvalues):
    """Return {position: letters}; those that share one do not differ significantly.

    Parameters
    ----------
    result : DatasetComparison
        A comparison of all pairs.
    pvalues : ndarray of shape (n_pairs,)
        The adjusted p-values that decide; nan where a pair cannot be compared.
    """
    order = best_first(result)
    names = [result.estimator_names[position] for position in order]
    place = {name: number for number, name in enumerate(names)}
    apart = [
        sorted((place[first], place[second]))
        for (first, second), pvalue in zip(result.pairs, pvalues, strict=True)
        if pvalue <= result.alpha and first in place and second in place
    ]
    return dict(zip(order, letter_display(len(order), apart), strict=True))


def _ranked_differences(result):
    """Return the differences that signed ranks are taken of, 0 where there is none."""
    if not result.ranks_failures:
        return np.where(result.present, result.estimates, 0.0)
    column_of = {name: column for column, name in enumerate(result.estimator_names)}
    first, second = zip(*result.pairs, strict=True)
    losses = result.mean_losses.T
    losses_of_first = losses[[column_of[name] for name in first]]
    losses_of_second = losses[[column_of[name] for name in second]]
    return differences_with_failures(
        result.estimates, losses_of_first, losses_of_second
    )


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
