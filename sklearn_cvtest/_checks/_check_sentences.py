"""What checks warn of: each text stands whole in one function.

Whether there is something to warn of is decided in the modules that call these.
"""

# Fits -------------------------------------------------------------------------------


def failed_check(reason):
    """Warn of a check that failed itself."""
    return (
        f"One of the checks that warnings come from failed ({reason}). The losses are "
        "not affected, but a warning may be missing."
    )


def nothing_right(names, reason):
    """Warn of predictions that are all wrong."""
    return f"Loss 'zero_one' is 1 for all examples, of {names}. {reason}"


# Why no prediction is right.
UNKNOWN_CLASSES = (
    "No training set holds a class of its test set, as happens when folds follow "
    "sorted labels. Use BlockKFold(stratify=True), or shuffle."
)
NUMBERS_PREDICTED = (
    "It compares labels. For predicted numbers use loss='squared_error'."
)


# Rows that depend on each other -----------------------------------------------------


def copied_rows(share, groups):
    """Warn of test rows with an identical row in their training set."""
    return (
        f"{share:.0%} of the test rows have an identical row, target included, in "
        "their training set, more than chance gives. Losses on copies are too small, "
        f"and tests reject too often. Pass groups={groups}, drop the copies, or "
        "oversample in a Pipeline after the split."
    )


def _and_more(n_others):
    """Return how many other models it holds for, "" if for none."""
    return f" (and {n_others} more)" if n_others else ""


def dependent_rows(name, n_others, rows, correlation, z, advice):
    """Warn of rows with correlated errors that folds mix."""
    return (
        f"{name!r}{_and_more(n_others)}: errors of {rows} correlate by "
        f"{correlation:.2f} (ranks; z = {z:.1f}), and folds mix these rows. {advice}"
    )


ADVICE_FOR_NEIGHBOURS = (
    "If rows are a series or stand in groups, losses are too small and tests reject "
    "too often; if they are independent and only sorted, nothing is wrong. Pass "
    "`groups`; for a series, ten blocks of consecutive rows (groups=np.arange(n) * 10 "
    "// n) or, to forecast, cv=TimeSeriesSplit()."
)


def advice_for_shared_values(groups):
    """Return what to do about rows with a value in common."""
    return (
        "Do they belong together, as rows of one patient do? Then losses are too small "
        f"and tests reject too often: pass groups={groups}. If they do not, nothing is "
        "wrong."
    )


def dependent_losses(names, n_others, rows, correlation, z, parameter):
    """Warn of adjacent rows of one test set with correlated losses."""
    return (
        f"{names} of {rows} correlate by {correlation:.2f} (ranks; z = "
        f"{z:.1f}){_and_more(n_others)}. Unless rows are independent and only sorted, "
        "tests reject too often. For a series, use DieboldMarianoTest, with rows in "
        "the order of time; for rows that belong together, pass "
        f"`{parameter}`."
    )


# Decision thresholds ----------------------------------------------------------------

TOO_SHORT = "Intervals are then too short, and tests reject too often."
USE_SCORES = "Use a measure of the scores, such as 'roc_auc' or 'average_precision'"


def few_positives(metric, total, per_split):
    """Warn, before anything is fitted, of a metric that rests on few positives."""
    return (
        f"{USE_SCORES}. The verdict by {metric!r} rests on {total} (or examples of the "
        f"rarer class), {per_split} in each test set. {TOO_SHORT}"
    )


def few_predicted_positives(number, metric):
    """Warn of a metric that rests on few positives predicted as such."""
    return (
        f"{number} of the positives (or of the rarer class) are predicted as such in a "
        f"run over all examples, on which {metric!r} rests."
    )


def crowded_threshold(metric, near, shift, score_at_low, score_at_high):
    """Warn of a metric that another threshold changes."""
    metric = metric.replace("f1", "F1").replace("_", " ")
    return (
        f"at a threshold of {0.5 - shift:.2f} {metric} is {score_at_low:.1%}, at "
        f"{0.5 + shift:.2f} {score_at_high:.1%}, and {near:.0%} of the probabilities "
        "lie between."
    )


def sensitive_to_threshold(name, n_others, reason):
    """Warn of an estimator whose score is sensitive to the threshold."""
    return (
        f"{name!r}{_and_more(n_others)}: {reason} {TOO_SHORT} {USE_SCORES}, or tune "
        "the threshold in each training set (TunedThresholdClassifierCV)."
    )
