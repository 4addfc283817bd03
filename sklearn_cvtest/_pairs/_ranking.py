"""Which estimators of a table of pairs are told apart, and which are tied."""

import string
from collections import Counter
from itertools import combinations_with_replacement

import numpy as np

__all__ = [
    "compact_letters",
    "letter_display",
    "tied_groups",
    "tied_with_best",
    "why_no_letters",
]

LETTERS = string.ascii_letters


def why_no_letters(test, reference):
    """Return why groups of estimators cannot be formed, "" if they can.

    "" if nothing is: all pairs, and a test that names the better one.
    """
    if reference is not None:
        return f"all pairs; got reference={reference!r}"
    one_sided = test.alternative != "two-sided"
    if one_sided or not test.names_winner or test.popmean:
        return f"a two-sided test of no difference; got {test!r}"
    return ""


def tied_with_best(table, ranking):
    """Return the best and those that are not significantly worse, as positions.

    `ranking` holds the positions of the estimators compared, the best first.
    """
    best, *others = ranking
    lost = table.winner == best
    beaten = {*table.first[lost].tolist(), *table.second[lost].tolist()}
    return [best, *(other for other in others if other not in beaten)]


def compact_letters(table, ranking):
    """Return letters for positions in `ranking`; those that share one are not apart."""
    places = np.full(len(table.names), -1)
    places[ranking] = np.arange(len(ranking))
    apart = table.winner >= 0
    pairs = np.column_stack([table.first[apart], table.second[apart]])
    pairs = np.sort(places[pairs], axis=1)
    return letter_display(len(ranking), map(tuple, pairs.tolist()))


def letter_display(n, apart):
    """Return a string of letters for each of n items.

    Items that share a letter are those not in `apart`, pairs of positions.
    """
    groups = tied_groups(n, apart)
    return [
        "".join(_letter(number) for number, group in enumerate(groups) if i in group)
        for i in range(n)
    ]


def tied_groups(n, apart):
    """Return groups of n items such that pairs in no group are those of `apart`.

    The insert-and-absorb algorithm of Piepho (2004), :doi:`10.1198/1061860043515`.
    """
    groups = [(1 << n) - 1]  # sets of items, as the bits of an integer
    for pair in sorted(apart):
        bits = [1 << item for item in pair]
        both = bits[0] | bits[1]
        split = [group for group in groups if group & both == both]
        groups = [group for group in groups if group & both != both]
        # insert, then absorb what another group holds
        for part in (group & ~bit for group in split for bit in bits):
            if all(part & ~group for group in groups):
                groups = [group for group in groups if group & ~part] + [part]
    groups = sorted([i for i in range(n) if group >> i & 1] for group in groups)
    return _drop_redundant(groups)


def _drop_redundant(groups):
    """Drop groups, the last ones first, whose pairs all are in others, too."""
    pairs = [set(combinations_with_replacement(group, 2)) for group in groups]
    counts = Counter(pair for group in pairs for pair in group)
    kept = []
    for group, its_pairs in zip(reversed(groups), reversed(pairs), strict=True):
        if all(counts[pair] > 1 for pair in its_pairs):
            counts.subtract(its_pairs)
        else:
            kept.append(group)
    return kept[::-1]


def _letter(number):
    return LETTERS[number] if number < len(LETTERS) else f"({number + 1})"
