"""Which pairs a table, a page or a plot shows, where there are many."""

import numpy as np

from .._pairs._ranking import pairs_with

MAX_PAIRS = 15  # if there are more, tables and sentences show those with the best
MAX_ROWS = 60  # of data sets


def rows_shown(result, table):
    """Return the positions of the pairs to show: if many, those with the best.

    Among these, or the pairs with the reference, only the `most_shown` best others.
    """
    pivot = result.reference_position
    if pivot is None:
        if len(table) <= MAX_PAIRS:
            return np.arange(len(table))
        pivot = result.ranking[0]
    found, others = pairs_with(table, pivot)
    if len(found) <= result.most_shown:
        return found
    places = np.full(len(table.names), len(table.names))
    places[result.ranking] = np.arange(len(result.ranking))
    return np.sort(
        found[np.argsort(places[others], kind="stable")[: result.most_shown]]
    )


def turned_pairs(table, result):
    """Return where a pair that a table shows begins with the best, if all have it."""
    whole = len(rows_shown(result, table)) == len(table)
    if whole or result.reference_position is not None:
        return np.zeros(len(table), dtype=bool)
    return table.first == result.ranking[0]


def pairs_shown(result):
    """Return the pairs to show: of many, those with the smallest p-values."""
    order = np.argsort(result.pvalues_adjusted, kind="stable")
    if len(result.pairs) <= MAX_PAIRS:
        return list(range(len(result.pairs)))
    return sorted(order[:MAX_PAIRS].tolist())
