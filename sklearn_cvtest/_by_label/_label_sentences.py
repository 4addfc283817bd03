"""Sentences on the differences for each value of a label."""


def no_label_differs(names, p):
    """Return that models differ significantly for no label."""
    return f"No significant difference between {names} for any label ({p})."


def claim_for_no_label(claim, p):
    """Return that something is shown for no label."""
    return f"For no label is it shown that {claim} ({p})."


def better_for_labels(better, worse, labels, p):
    """Return who is better for which labels, a clause."""
    return f"{better} is significantly better than {worse} for {labels} ({p})"


def claim_for_labels(first, second, claim, labels, p):
    """Return what is shown of two models for which labels, a clause."""
    return f"{first}, {second}: {claim} for {labels} ({p})"


def labels_note(test, title, adjustment):
    """Return the test of each label, and what it does not show."""
    return (
        f"{test}: {title}. {adjustment}. Significance for one label and not for "
        "another is no evidence that the difference depends on the label."
    )


def labels_adjusted(comparisons, method, intervals):
    """Return how p-values of labels are adjusted."""
    return (
        f"p-values are adjusted for {comparisons} ({method}); intervals are {intervals}"
    )
