"""What tests warn of: each warning stands whole in one function.

`test` is the name of a class of tests, `names` are the names of the two models that
residuals are of, or (). Whether there is something to warn of is decided elsewhere, in
`_problems.py` and by the tests themselves.
"""

from .._validation import one_line


def _of_pair(names):
    """Return whose residuals they are, "" if they have no names."""
    if not names:
        return ""
    return f" of {one_line(' - '.join(names))}"


# Residuals of any test --------------------------------------------------------------


def no_variance(test, names, pvalue):
    """Warn of an infinite statistic; p is 0 only where no rule stands in for it."""
    if pvalue == 0:
        return (
            f"{test}: the residuals{_of_pair(names)} have no variance, so the "
            "statistic is infinite (p = 0). Check that there are enough test examples."
        )
    return (
        f"{test}: the residuals{_of_pair(names)} have no variance, so the statistic "
        "says nothing. What so many equal values show is no more than p = "
        f"{pvalue:g}. Check that there are enough test examples."
    )


def few_examples(test, n_examples):
    """Warn of so few examples that normality cannot be judged."""
    return (
        f"{test}: there are only {n_examples} examples. So few do not show whether "
        "differences are normally distributed, and if they are not, p-values and "
        "intervals are wrong. Compare the models on more examples, ten at least."
    )


def few_errors(test, names, n_different):
    """Warn of a mean of few examples that differ from the others."""
    return (
        f"{test}: the number of examples that differ from the rest in the "
        f"residuals{_of_pair(names)} is only about {n_different:.0f}. With so few "
        "errors the test may reject too often. Use more examples."
    )


def heavy_tails(test, names, skewness, share, advice):
    """Warn of a mean that is far from normal."""
    return (
        f"{test}: the residuals{_of_pair(names)} are heavy-tailed (skewness "
        f"{skewness:.1f}; the largest 5% of deviations make up {share:.0%} of their "
        f"sum). The test may reject too often. {advice}"
    )


# What to do about heavy tails.
MORE_EXAMPLES = "Use more examples."
BOUNDED_LOSS = (
    "Use a bounded loss ('clipped_squared_error(limit)' for numbers, 'brier' or "
    "'zero_one' for classes)."
)


# Unequal groups and splits ----------------------------------------------------------


def unequal_groups(test, n_groups, share, effective, option):
    """Warn of a test that unequal groups make liberal."""
    return (
        f"{test}: the {n_groups} groups are very unequal (the largest has {share:.0%} "
        f"of the examples) and hold as much information as {effective:.1f} equal "
        f"ones. The test rejects too often. Use {option} to weigh groups equally, "
        "which keeps the level."
    )


def unequal_groups_allowed_for(test, n_groups, share, effective, option):
    """Warn of a test that loses power by unequal groups."""
    return (
        f"{test}: the {n_groups} groups are very unequal (the largest has {share:.0%} "
        f"of the examples) and hold as much information as {effective:.1f} equal "
        "ones. The test allows for that, at the cost of power. "
        f"Use {option} to weigh groups equally."
    )


def unequal_splits(test, fewest, most, advice):
    """Warn of a test that weighs splits of unequal sizes equally."""
    return (
        f"{test}: all splits weigh the same, though the test sets have {fewest} to "
        f"{most} examples. An example in a small one counts for more. {advice}"
    )


def advice_to_weigh_examples(per_example):
    """Return how to weigh examples equally instead of splits."""
    loss = "a loss of single examples and "
    if per_example:
        loss = ""
    return (
        f"To weigh examples equally, use {loss}a test of single examples, such as "
        "KFoldZTest."
    )


def advice_for_few_groups(n_groups):
    """Return the same where groups are too few for a test of single examples."""
    return (
        f"For {n_groups} groups no test weighs examples equally; if they are sites, "
        "see the difference at each: `result.by(groups)`."
    )


# One test, or one interval, alone ---------------------------------------------------


def autocorrelated(names, phi, n_times):
    """Warn of a series of differences that is too short for its autocorrelation."""
    return (
        f"DieboldMarianoTest: the differences{_of_pair(names)} have an autocorrelation "
        f"of {phi:.2f}, too much for {n_times} times: the test may reject too often. "
        "Longer series would help."
    )


def autocorrelated_beyond_horizon(names, phi, horizon):
    """Warn of autocorrelation at a lag at which `horizon` assumes none."""
    return (
        f"DieboldMarianoTest: the differences{_of_pair(names)} still have an "
        f"autocorrelation of {phi:.2f} at lag {horizon}, which `horizon` takes to be "
        "0: the test rejects too often. Leave `horizon` at None, which estimates for "
        "how long they are correlated."
    )


NOT_POSITIVE = (
    "DieboldMarianoTest: the variance by the uniform kernel is not positive; "
    "Bartlett's kernel took its place."
)

EQUAL_HALVES = (
    "The two halves of every draw have the same mean difference, but draws differ: the "
    "variance between draws is used instead, and may be too small. Are there enough "
    "test examples?"
)


def skewed_target(l_skewness):
    """Warn of intervals of mean errors where the target is skewed."""
    return (
        "Compare models with each other, or use more examples: intervals of mean "
        "errors are too short if the target is skewed, because rare large errors are "
        f"missing from most samples (L-skewness of y {l_skewness:.2f}; of normal "
        "values 0). Errors of a transformed target, such as its logarithm, have better "
        "intervals."
    )


def heavy_tailed_winner(l_skewness):
    """Warn of the interval of a winner by squared errors."""
    return (
        "The errors behind the squares of the best, or of a quarter of those it was "
        f"chosen from, are heavy-tailed (L-skewness {l_skewness:.2f}; normal errors "
        "have 0.20). Its expected loss may be above the interval, as errors count that "
        "this sample does not hold. Use a loss such as 'absolute_error' or "
        "'huber(delta)'."
    )
