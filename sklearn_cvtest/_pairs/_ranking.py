"""Which estimators of a table of pairs differ significantly, which are tied."""

import string
from dataclasses import replace

import numpy as np

MAX_GROUPS = 1000  # of which all are looked for
BEST_SET = "best set"  # how p-values of pairs with the best are adjusted


def why_no_letters(test, reference):
    """Return why groups of estimators cannot be formed, "" if they can.

    "" if nothing is: all pairs, and a test that names the better one.
    """
    if reference is not None:
        return f"all pairs; got reference={reference!r}"
    is_two_sided = test.alternative == "two-sided"
    if is_two_sided and test.traits.names_winner and not test.popmean:
        return ""
    return f"a two-sided test of no difference; got {test!r}"


def ranking_of(losses):
    """Return the positions of what was fitted without failures, the best first."""
    order = np.argsort(losses.mean_losses, kind="stable")
    return order[np.isfinite(losses.mean_losses[order])].tolist()


def pairs_with(table, position):
    """Return the rows of the pairs of one, and who the other is, as positions."""
    rows = np.flatnonzero((table.first == position) | (table.second == position))
    return rows, (table.first + table.second)[rows] - position


# Columns that change places when a pair is turned round: the table's, and a test's own.
ENDS = ("ci_low", "ci_high"), ("ci_low_simultaneous", "ci_high_simultaneous")
LOG_ENDS = (
    ("log_ratio_ci_low", "log_ratio_ci_high"),
    ("log_ratio_ci_low_simultaneous", "log_ratio_ci_high_simultaneous"),
)
OPPOSITE = ("prob_less", "prob_greater"), ("n_first_wrong", "n_second_wrong")


def flip_pairs(table, where):
    """Return a table with some pairs turned round; its test must be symmetric."""
    if not where.any():
        return table
    sign = np.where(where, -1, 1)
    fields = {
        "first": np.where(where, table.second, table.first),
        "second": np.where(where, table.first, table.second),
        "estimate": sign * table.estimate,
    }
    traits = table.test.traits
    if traits.is_directed or traits.decides == "equivalence":
        fields["statistic"] = sign * table.statistic
    for low, high in (*ENDS, *LOG_ENDS):
        lows = getattr(table, low)
        highs = getattr(table, high)
        if lows is not None:
            fields[low] = np.where(where, -highs, lows)
            fields[high] = np.where(where, -lows, highs)
    if table.is_by_ratio:
        fields["log_ratio"] = sign * table.log_ratio
        mean_first = table.mean_second * np.exp(table.log_ratio)
        fields["mean_second"] = np.where(where, mean_first, table.mean_second)
    columns = dict(table.extra_columns)
    if "first_difference" in columns:
        columns["first_difference"] = sign * columns["first_difference"]
    for one, other in OPPOSITE:
        if one in columns:
            values = columns[one]
            others = columns[other]
            columns[one] = np.where(where, others, values)
            columns[other] = np.where(where, values, others)
    return replace(table, extra_columns=columns, **fields)


def why_no_best_set(test):
    """Return why there is no set of those that may be the best, "" if there is."""
    if test.traits.decides == "difference" and test.traits.names_winner:
        return ""
    return f"a test of difference that names the better one; got {test!r}"


def asks_for_best(test):
    """Whether what a test of all pairs is asked first is which may be the best."""
    return not (why_no_letters(test, None) or why_no_best_set(test))


def compact_letters(table, ranking):
    """Return letters for positions in `ranking`; those that share one are not apart."""
    places = np.full(len(table.names), -1)
    places[ranking] = np.arange(len(ranking))
    are_apart = table.winner >= 0
    first = places[table.first[are_apart]]
    second = places[table.second[are_apart]]
    lower = np.minimum(first, second)
    upper = np.maximum(first, second)
    pairs = zip(lower.tolist(), upper.tolist(), strict=True)
    return letter_display(len(ranking), pairs)


def letter_display(n, apart):
    """Return a string of letters for each of n items.

    Items that share a letter are those not in `apart`, pairs of positions.
    """
    letters = [""] * n
    for number, group in enumerate(tied_groups(n, apart)):
        letter = f"({number + 1})"
        if number < len(string.ascii_letters):
            letter = string.ascii_letters[number]
        for item in group:
            letters[item] += letter
    return letters


def tied_groups(n, apart):
    """Return groups of n items such that exactly the pairs `apart` share no group.

    Groups are as large as can be, less those that add nothing: what the
    insert-and-absorb algorithm of Piepho (2004), :doi:`10.1198/1061860043515`, finds,
    by inserting an item with all of its pairs at a time. Beyond 1,000 groups they are
    some such groups, since all could be too many to count.
    """
    neighbours = [(1 << n) - 1] * n  # sets of items, as the bits of an integer
    for one, other in apart:
        neighbours[one] &= ~(1 << other)
        neighbours[other] &= ~(1 << one)
    groups = [0]
    for item in range(n):
        # what the item is not apart from, of each group, and then the whole groups
        absorbed = _absorb({group & neighbours[item] for group in groups})
        kept = [group for group in groups if group & ~neighbours[item]]
        groups = kept + [part | 1 << item for part in absorbed]
        if len(groups) > MAX_GROUPS:
            groups = _cover(neighbours)
            break
    return _drop_redundant(sorted(_members(group) for group in groups))


def _cover(neighbours):
    """Return groups that hold all pairs, each made as large as can be from one pair.

    The number of all such groups may grow exponentially with the number of items.
    """
    open_pairs = list(neighbours)
    groups = []
    for item in range(len(neighbours)):
        while open_pairs[item] >> item:  # a pair that no group holds, or the item alone
            group = 1 << item
            others = neighbours[item] & ~group
            while others:
                # the first that is not in a group with the item, if there is one
                wanted = others & open_pairs[item] or others
                other = (wanted & -wanted).bit_length() - 1
                group |= 1 << other
                others &= neighbours[other] & ~(1 << other)
            groups.append(group)
            for member in _members(group):
                open_pairs[member] &= ~group
    return groups


def _absorb(groups):
    """Return groups without those that another one holds."""
    kept = []
    for group in sorted(groups, key=int.bit_count, reverse=True):
        if all(group & ~other for other in kept):
            kept.append(group)
    return kept


def _members(group):
    """Return the positions of the bits of an integer, in ascending order."""
    bits = reversed(f"{group:b}")
    return [place for place, bit in enumerate(bits) if bit == "1"]


def _drop_redundant(groups):
    """Drop groups, the last ones first, whose pairs all are in others, too."""
    size = 1 + max(group[-1] for group in groups)
    counts = np.zeros((size, size), dtype=int)  # of groups that hold a pair
    for group in groups:
        counts[np.ix_(group, group)] += 1
    kept = []
    for group in reversed(groups):
        its_pairs = np.ix_(group, group)
        if np.all(counts[its_pairs] > 1):
            counts[its_pairs] -= 1
        else:
            kept.append(group)
    return kept[::-1]
