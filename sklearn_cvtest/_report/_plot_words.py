"""What the axis, the markers and the dotted lines of a picture mean, in words."""

from ._format import shorten, shown_names
from ._measure import minus

IN_PAIRS = 40  # characters of each of two names in a row

KINDS = {
    "difference": "null hypothesis",
    "posterior": "region of practical equivalence",
    "equivalence": "margin of equivalence",
}


def _bounds(test):
    """Return the bounds that a test tests: one if it is about one side."""
    low, high = test.popmean - test.traits.region, test.popmean + test.traits.region
    if test.traits.decides != "equivalence":
        return {low, high}
    return {"two-sided": {low, high}, "greater": {low}, "less": {high}}[
        test.alternative
    ]


def bounds_of(tables):
    """Return the values other than zero that the tests of tables test, sorted."""
    return sorted(set().union(*(_bounds(table.test) for table in tables)) - {0.0})


def bounds_mean(tables, factor=1):
    """Return what these are, None if there are none; numbers are multiplied."""
    parts = []
    for table in tables:
        test = table.test
        values = sorted(factor * v for v in _bounds(test) - {0.0})
        kind = KINDS[test.traits.decides]
        if test.alternative != "two-sided":
            kind = kind.replace("of equivalence", "of non-inferiority")
        if values:
            parts.append(f"{kind} ({minus(', '.join(f'{v:g}' for v in values))})")
    return "; ".join(dict.fromkeys(parts)) or None


def finding_of(test):
    """Return what a small p-value shows, None if it is a difference."""
    if test.traits.decides != "equivalence":
        return None
    return "equivalent" if test.alternative == "two-sided" else "non-inferior"


def factor_of(measure):
    """Return what differences of losses are multiplied by for a reader."""
    return measure.sign * measure.unit_size


def axis_words(measure, level="", pivot=None, pair=("first", "second")):
    """Return what the axis of differences shows, and on which side who is better.

    `pivot` is whom all are compared with; None: the rows are pairs, as is `pair`.
    """
    pair = [shorten(name, IN_PAIRS) for name in pair]
    what = f" from {shorten(pivot, IN_PAIRS)}" if pivot else ", " + " − ".join(pair)
    sides = ["better", "worse"] if pivot else [f"{name} better" for name in pair]
    left, right = sides[:: measure.sign]
    detail = ", ".join(filter(None, ["points" * measure.is_share, level]))
    word = measure.word if "mean" in measure.word else f"mean {measure.word}"
    line = f"difference in {word}{what}{f' ({detail})' * bool(detail)}"
    return f"{line}\n← {left} | {right} →"


def pair_labels(pairs, sign="−"):
    """Return pairs as texts, of names that are short enough for two in a row."""
    pairs = [tuple(map(str, pair)) for pair in pairs]
    names = dict.fromkeys(name for pair in pairs for name in pair)
    short = shown_names(list(names), IN_PAIRS)
    return [f" {sign} ".join(short[name] for name in pair) for pair in pairs]
