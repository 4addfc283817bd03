"""What the markers and the dotted lines of a forest plot mean, in words."""

from ._measure import minus

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


def bounds_mean(tables):
    """Return what these are, None if there are none."""
    parts = []
    for table in tables:
        test = table.test
        values = sorted(_bounds(test) - {0.0})
        kind = KINDS[test.traits.decides]
        if test.alternative != "two-sided":
            kind = kind.replace("of equivalence", "of non-inferiority")
        if values:
            parts.append(f"{kind} ({minus(', '.join(f'{v:g}' for v in values))})")
    return "; ".join(dict.fromkeys(parts)) or None


def finding_of(tables):
    """Return what a small p-value shows, None if it is a difference."""
    tests = [table.test for table in tables]
    if any(test.traits.decides != "equivalence" for test in tests):
        return None
    is_two_sided = all(test.alternative == "two-sided" for test in tests)
    return "equivalent" if is_two_sided else "non-inferior"


def filled_means(tables):
    """Return what filled and open markers are, as a sentence."""
    finding = finding_of(tables)
    if finding:
        return f"Filled markers are shown to be {finding}, open ones are not."
    if all(table.test.traits.decides == "posterior" for table in tables):
        return (
            "Filled: one of the two is probably better; grey: probably practically "
            "equivalent; open: undecided."
        )
    return "Filled markers are significant differences, open ones are not."
