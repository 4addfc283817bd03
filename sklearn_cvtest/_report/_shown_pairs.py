"""Which pairs a table, a page or a plot shows, and which of the two is first."""

import numpy as np

from .._pairs._ranking import pairs_with, ranking_of, turned_table
from .._validation import invalid
from ._measure import is_ratio

MAX_PAIRS = 15  # if there are more, tables and sentences show those with the best
MAX_ROWS = 60  # of data sets
MOST, MOST_CANDIDATES = 25, 10  # of models in a table
WORDS = ("best", "all")


def most_shown(result):
    """Return how many models a table shows at most."""
    return MOST_CANDIDATES if result.noun == "candidate" else MOST


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
    if pairs is not None and not (isinstance(pairs, str) and pairs in WORDS):
        return _given_pairs(result, table, pairs)
    ranking, pivot = ranking_of(result.losses), result.reference_position
    places = np.full(len(table.names), len(table.names))
    places[ranking] = np.arange(len(ranking))
    numbers = np.arange(len(table))
    are_few = pairs is None and pivot is None and len(table) <= (most or MAX_PAIRS)
    if pairs != "all" and not are_few:
        numbers_of_pivot, others = pairs_with(
            table, ranking[0] if pivot is None else pivot
        )
        order = np.argsort(places[others], kind="stable")
        numbers = np.sort(numbers_of_pivot[order[: most or most_shown(result)]])
    can_turn = pivot is None and len(table) > 1 and _is_symmetric(result)
    is_turned = can_turn & (places[table.first] < places[table.second])
    return turned_table(table, is_turned), numbers


def _is_symmetric(result):
    return all(table.is_symmetric for table in result.tables.values())


def _given_pairs(result, table, pairs):
    """Return the table with the named pairs in their order, and where they are."""
    number_of_pair = {pair: (number, False) for number, pair in enumerate(result.tests)}
    examples = ", ".join(map(str, list(number_of_pair)[:3]))
    allowed = f"'best', 'all' or a list of pairs that were compared, such as {examples}"
    if _is_symmetric(result):
        number_of_pair |= {
            pair[::-1]: (n, True) for pair, (n, _) in number_of_pair.items()
        }
    turned_by_number = {}
    is_list = np.iterable(pairs) and not isinstance(pairs, str | bytes)
    for pair in pairs if is_list else [pairs]:
        if not isinstance(pair, tuple | list | np.ndarray):
            raise invalid("pairs", allowed, pair, TypeError)
        try:
            number, is_turned = number_of_pair[tuple(pair)]
        except (KeyError, TypeError):  # a name that cannot be one, such as a list
            raise invalid("pairs", allowed, tuple(pair)) from None
        if turned_by_number.setdefault(number, is_turned) != is_turned:
            raise invalid("pairs", "pairs that differ", tuple(pair))
    if not turned_by_number:
        raise invalid("pairs", allowed, pairs)
    where = np.zeros(len(table), dtype=bool)
    where[list(turned_by_number)] = list(turned_by_number.values())
    return turned_table(table, where), np.array(list(turned_by_number))


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
    first, second = int(table.first[0]), int(table.second[0])
    low, high = table.pair_intervals
    sides = table.shown_effect[0], low[0], high[0]
    ahead_is_second = sides[0] > 0
    if table.test.alternative != "two-sided":
        ahead_is_second = table.test.alternative == "greater"
    if ahead_is_second:
        return second, first, *sides
    return first, second, *turned(*sides)


def turned(effect, low, high):
    """Return a difference, or log ratio, and its interval the other way round."""
    return -effect, -high, -low


def ahead_first(first, second, estimate, low, high, can_turn):
    """Return who is ahead and behind, by how much, and both ends of the interval.

    Where a pair cannot be turned, the second is said to be ahead, if by less than 0.
    """
    turned = (estimate < 0) & can_turn
    sign = np.where(turned, -1, 1)
    return (
        np.where(turned, first, second),
        np.where(turned, second, first),
        sign * estimate,
        np.where(turned, -high, low),
        np.where(turned, -low, high),
    )


def ahead_columns(measure, level, *pairs_and_ends):
    """Return the first columns of a table of pairs: who is ahead, by how much.

    After the level of the intervals, as :func:`ahead_first` has it. By ratio, it is
    how much lower the loss of the first is.
    """
    ahead, behind, *sides = ahead_first(*pairs_and_ends)
    by_how_much = "by (points)" if measure.is_share else "by"
    if is_ratio(measure):
        effect, low, high = sides
        sides = -effect, -high, -low
        by_how_much = "difference"
    by, intervals = measure.intervals(*sides)
    heads = "ahead", "behind", by_how_much, f"{level} CI"
    return dict(zip(heads, (ahead, behind, by, intervals), strict=True))


def pairs_shown(result):
    """Return the pairs to show: of many, those with the smallest p-values."""
    order = np.argsort(result.pvalues_adjusted, kind="stable")
    if len(result.pairs) <= MAX_PAIRS:
        return list(range(len(result.pairs)))
    return sorted(order[:MAX_PAIRS].tolist())
