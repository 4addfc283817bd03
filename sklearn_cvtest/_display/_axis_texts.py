"""What the axes, the markers and the dotted lines of pictures of differences mean."""

from .._report._format import minus
from .._report._printed_names import cut_names, shorten

IN_PAIRS = 40  # characters of each of two names in a row of a picture


def _bounds(table):
    """Return the bounds that a test tests: one if it is about one side."""
    test = table.test
    centre = test.popmean
    region = table.region
    low = centre - region
    high = centre + region
    if test.traits.decides == "equivalence" and test.alternative == "greater":
        return {low}
    if test.traits.decides == "equivalence" and test.alternative == "less":
        return {high}
    return {low, high}


def bounds_of(tables):
    """Return the values other than zero that the tests of tables test, sorted."""
    bounds = set()
    for table in tables:
        bounds |= _bounds(table)
    return sorted(bounds - {0.0})


def bounds_mean(tables, metric):
    """Return what these are, None if there are none."""
    meanings = []
    for table in tables:
        values = sorted(_bounds(table) - {0.0})
        if metric.is_ratio:
            numbers = metric.numbers(*values)
        else:
            values = sorted(factor_of(metric) * value for value in values)
            numbers = [minus(f"{value:g}") for value in values]
        if values:
            meanings.append(f"{_bound_of(table.test)} ({', '.join(numbers)})")
    return "; ".join(dict.fromkeys(meanings)) or None


def _bound_of(test):
    """Return what the values other than zero that a test tests are."""
    if test.traits.decides == "difference":
        return "null hypothesis"
    if test.traits.decides == "posterior":
        return "region of practical equivalence"
    if test.alternative == "two-sided":
        return "margin of equivalence"
    return "margin of non-inferiority"


def finding_of(test):
    """Return what a small p-value shows, None if it is a difference."""
    if test.traits.decides != "equivalence":
        return None
    return "equivalent" if test.alternative == "two-sided" else "non-inferior"


def factor_of(metric):
    """Return what differences of losses are multiplied by for a reader."""
    return metric.sign * metric.unit_size


def scale_of(metric):
    """Return how a picture shows differences, or log ratios: a factor, or percent."""
    if metric.is_ratio:
        return {"percent": metric.percent}
    return {"factor": factor_of(metric)}


def mean_header(metric):
    """Return what an axis of means shows."""
    return metric.header if metric.is_root else f"mean {metric.header}"


def axis_words(metric, level="", reference=None, pair=("first", "second")):
    """Return what the axis of differences shows, and on which side who is better.

    `reference` is whom all are compared with; None: the rows are pairs, as is `pair`.
    """
    first, second = (shorten(name, IN_PAIRS) for name in pair)
    if reference is not None:
        reference = shorten(reference, IN_PAIRS)
    if metric.is_ratio:
        return _ratio_axis_words(metric, level, reference, first, second)
    compared = f", {first} − {second}"
    left_side = f"{first} better"
    right_side = f"{second} better"
    if reference:
        compared = f" from {reference}"
        left_side = "better"
        right_side = "worse"
    if metric.sign < 0:
        left_side, right_side = right_side, left_side
    details = [level] if level else []
    if metric.is_share:
        details.insert(0, "points")
    word = metric.word if "mean" in metric.word else f"mean {metric.word}"
    line = f"difference in {word}{compared}"
    if details:
        line += f" ({', '.join(details)})"
    return f"{line}\n← {left_side} | {right_side} →"


def _ratio_axis_words(metric, level, reference, first, second):
    """Return what the axis of ratios in percent shows; see :func:`axis_words`."""
    other = second
    left_side = f"{first} better"
    right_side = f"{second} better"
    if reference:
        other = reference
        left_side = "better"
        right_side = "worse"
    elif second == "second":  # of several pairs
        other = "the second"
    detail = f" (%, {level})" if level else " (%)"
    line = f"difference in {metric.word} from {other}{detail}"
    return f"{line}\n← {left_side} | {right_side} →"


def pair_labels(pairs, sign="−"):
    """Return pairs as texts, of names that are short enough for two in a row."""
    pairs = [(str(first), str(second)) for first, second in pairs]
    names = {}
    for pair in pairs:
        names |= dict.fromkeys(pair)
    short = dict(zip(names, cut_names(list(names), IN_PAIRS), strict=True))
    return [f"{short[first]} {sign} {short[second]}" for first, second in pairs]
