"""Which pairs a table, a page or a plot shows, and which of the two is first."""

import numpy as np

from .._pairs._ranking import flip_pairs, pairs_with, ranking_of
from .._validation import invalid

MAX_PAIRS = 15  # if there are more, tables and sentences show those with the best
MAX_ROWS = 60  # of data sets
MOST = 25  # models in a table
MOST_DRAWN = 60  # models in a picture, which still fits on a page
MOST_CANDIDATES = 10  # of a search, in both


def most_shown(result):
    """Return how many models a table shows at most."""
    return MOST_CANDIDATES if result.noun == "candidate" else MOST


def most_drawn(result):
    """Return how many models a picture shows at most."""
    return MOST_CANDIDATES if result.noun == "candidate" else MOST_DRAWN


def shown_pairs(result, table, pairs=None, most=None):
    """Return a table as it is shown, and the positions of the pairs to show.

    Without a reference, the second of each pair is the one with the smaller mean loss:
    all differences say by how much the first is behind. A test that is about one side
    keeps its pairs as they are.

    Parameters
    ----------
    result : PairwiseResult
        The comparison.
    table : PairTable
        One of its tables.
    pairs : {"best", "all"}, list of pairs or None
        Those with the best, or with the reference, and of many the `most` best others;
        all; those that are named, in this order; None: all up to `most`, of more those
        with the best.
    most : int or None
        None: `MAX_PAIRS` of all, and `most_shown` of those with the best.
    """
    is_word = isinstance(pairs, str) and pairs in ("best", "all")
    if pairs is not None and not is_word:
        return _named_pairs(result, table, pairs)
    ranking = ranking_of(result.losses)
    reference = result.reference_position
    places = np.full(len(table.names), len(table.names))
    places[ranking] = np.arange(len(ranking))
    shows_all = pairs == "all"
    if pairs is None and reference is None:
        shows_all = len(table) <= (most or MAX_PAIRS)
    numbers = np.arange(len(table))
    if not shows_all:
        centre = ranking[0] if reference is None else reference
        rows, others = pairs_with(table, centre)
        best_first = np.argsort(places[others], kind="stable")
        most = most or most_shown(result)
        numbers = np.sort(rows[best_first[:most]])
    is_flipped = np.zeros(len(table), dtype=bool)
    if reference is None and len(table) > 1 and _is_symmetric(result):
        is_flipped = places[table.first] < places[table.second]
    return flip_pairs(table, is_flipped), numbers


def _is_symmetric(result):
    return all(table.is_symmetric for table in result.tables.values())


def _named_pairs(result, table, pairs):
    """Return the table with the named pairs in their order, and where they are."""
    places = {}  # {pair: (number in the table, whether it is turned round)}
    for number, pair in enumerate(result.tests):
        places[pair] = (number, False)
    examples = ", ".join(map(str, list(places)[:3]))
    allowed = f"'best', 'all' or a list of pairs that were compared, such as {examples}"
    if _is_symmetric(result):
        for (first, second), (number, _) in list(places.items()):
            places[second, first] = (number, True)
    if isinstance(pairs, str | bytes) or not np.iterable(pairs):
        pairs = [pairs]
    flips = {}  # {number in the table: whether it is turned round}
    for pair in pairs:
        if not isinstance(pair, tuple | list | np.ndarray):
            raise invalid("pairs", allowed, pair, TypeError)
        try:
            number, is_flipped = places[tuple(pair)]
        except (KeyError, TypeError):  # a name that cannot be one, such as a list
            raise invalid("pairs", allowed, tuple(pair)) from None
        if flips.setdefault(number, is_flipped) != is_flipped:
            raise invalid("pairs", "pairs that differ", tuple(pair))
    if not flips:
        raise invalid("pairs", allowed, pairs)
    numbers = np.array(list(flips))
    where = np.zeros(len(table), dtype=bool)
    where[numbers] = list(flips.values())
    return flip_pairs(table, where), numbers


def pair_ahead(table):
    """Return who is ahead in a table of one pair, who is behind, and by how much.

    By a one-sided test, the one that may be better is said to be ahead.

    Returns
    -------
    ahead, behind : int
        Their positions.
    effect, low, high : float
        By how much, and the ends of the interval.
    """
    first = int(table.first[0])
    second = int(table.second[0])
    lows, highs = table.pair_intervals
    effect = table.shown_effect[0]
    low = lows[0]
    high = highs[0]
    is_second_ahead = effect > 0
    if table.test.alternative != "two-sided":
        is_second_ahead = table.test.alternative == "greater"
    if is_second_ahead:
        return second, first, effect, low, high
    return first, second, *reversed_sides(effect, low, high)


def reversed_sides(effect, low, high):
    """Return a difference, or log ratio, and its interval the other way round."""
    return -effect, -high, -low


def ahead_first(first, second, estimate, low, high, can_flip):
    """Return who is ahead and behind, by how much, and both ends of the interval.

    Where a pair cannot be turned round, the second is said to be ahead, if by less
    than 0.
    """
    is_flipped = (estimate < 0) & can_flip
    return (
        np.where(is_flipped, first, second),
        np.where(is_flipped, second, first),
        np.where(is_flipped, -estimate, estimate),
        np.where(is_flipped, -high, low),
        np.where(is_flipped, -low, high),
    )


def ahead_columns(metric, level, first, second, sides, can_flip=True):
    """Return the first columns of a table of pairs: who is ahead, by how much.

    After the level of the intervals, as :func:`ahead_first` has it; `sides` are the
    estimates and the ends of their intervals. By ratio, it is how much higher the loss
    of the one behind is.
    """
    ahead, behind, *sides = ahead_first(first, second, *sides, can_flip)
    header = "by (points)" if metric.is_share else "by"
    by_how_much, intervals = metric.intervals(*sides)
    return {
        "ahead": ahead,
        "behind": behind,
        header: by_how_much,
        f"{level} CI": intervals,
    }


def pairs_shown(result):
    """Return the pairs to show: of many, those with the smallest p-values."""
    if len(result.pairs) <= MAX_PAIRS:
        return list(range(len(result.pairs)))
    order = np.argsort(result.decisions.pvalues, kind="stable")
    return sorted(order[:MAX_PAIRS].tolist())
