"""For which splits, groups and ranges a test is valid, and what to use where not."""

from .._splits._design import DesignKind, designs_needed
from .._splits._groups import MIN_GROUPS
from .._validation import invalid
from ._traits import default_test


def refused_design(traits, design, per_example):
    """Return why a test is not valid for a design, "" if it is.

    Parameters
    ----------
    traits : Traits
        Of the test.
    design : Design
        The design of the splits.
    per_example : bool
        Whether there is a residual per test example.
    """
    if design.kind not in traits.designs:
        needed = designs_needed(traits.designs)
        advice = _advice(design, per_example)
        return f"{traits.name} needs {needed}; got {design}.{advice}"
    if design.base and traits.base_design not in (None, design.base):
        needed = designs_needed([traits.base_design])
        advice = _advice(design, per_example)
        return (
            f"{traits.name} needs paired halves of {needed}; got {design}.{advice} "
            "Or use PairedHalves(BlockKFold(...))."
        )
    if traits.needs_examples and not per_example:
        return (
            f"{traits.name} needs one residual per test example; got one value per "
            "split, as from `scoring` or `per_example=False`. Use a per-example "
            f"`loss`{_other_than_a_loss(design)}."
        )
    return ""


def _advice(design, per_example):
    """Return which test to use for a design, after a space."""
    right = default_test(design, per_example)
    return f" Use {right.__name__}." if right else ""


def _other_than_a_loss(design):
    """Return what else than a loss of examples helps, after a space."""
    right = default_test(design, per_example=False)
    advice = f" or {right.__name__}" if right else ""
    if design.kind == DesignKind.HOLDOUT:
        advice += " or several splits"
    return advice


def check_groups(traits, n_groups, design):
    """Check that there are enough groups for a variance between groups.

    Parameters
    ----------
    traits : Traits
        Of the test.
    n_groups : int or None
        Number of groups; None without groups.
    design : Design
        The design of the splits.

    Raises
    ------
    ValueError
        If there are fewer than ten and the test needs single examples; the message
        names a test of block means.
    """
    if n_groups is None or n_groups >= MIN_GROUPS or not traits.needs_examples:
        return
    right = default_test(design, per_example=False)
    advice = "No test for these splits works with fewer groups."
    if right:
        advice = f"Use {right.__name__}, a test of the means of splits."
    raise ValueError(
        f"{traits.name} needs at least {MIN_GROUPS} groups, because its variance is "
        f"the variance between groups; got {n_groups}. {advice}"
    )


def check_hypothesis(test, low, high):
    """Refuse a hypothesis about differences that there cannot be.

    Parameters
    ----------
    test : test
        The test.
    low, high : float
        The smallest and largest expected residual.

    Raises
    ------
    ValueError
        If `popmean`, or the margin or region of the test, is beyond them.
    """
    if not low <= test.popmean <= high:
        allowed = f"in [{low:g}, {high:g}], where all differences are"
        raise invalid("popmean", allowed, test.popmean)
    largest = max(-low, high)
    traits = test.traits
    if traits.region >= largest:
        name = "margin" if traits.decides == "equivalence" else "rope"
        allowed = f"below {largest:g}, the largest difference that there can be"
        raise invalid(name, allowed, traits.region)
