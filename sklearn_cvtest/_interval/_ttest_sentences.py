"""Sentences on the corrected t test of two columns of scores."""


def ttest_of_splits(difference, interval, statistic, p):
    """Return the result of the corrected resampled t test."""
    return (
        f"mean(a) - mean(b) = {difference}, 95% CI {interval}, {statistic}, {p} "
        "(corrected resampled t test)"
    )


def ttest_of_equal_splits(difference, n_splits, p):
    """Return the same where all differences are equal."""
    return (
        f"mean(a) - mean(b) = {difference} in each of the {n_splits} splits; without "
        f"any variance there is no 95% CI ({p}, corrected resampled t test)"
    )
