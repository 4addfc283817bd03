"""In what a difference over data sets is said, and what its level is called."""

from .._report._measure import Measure, measure_of

WHAT = {
    None: "mean loss",  # of data sets with other losses
    "relative": "relative mean loss",
    "log": "log mean loss",
    "logit": "logit of the mean loss",
}


def measure_of_data_sets(result):
    """Return the Measure of what is averaged over data sets."""
    measures = {measure_of(losses) for losses in result.losses.values()}
    if result.scale is None and len(measures) == 1:
        return measures.pop()
    return Measure(WHAT[result.scale], False, 1)


def pooled_level(result):
    """Return the level of intervals over data sets, which no p_adjust widens."""
    is_adjusted = result.p_adjust is not None and len(result.pairs) > 1
    return f"{100 * (1 - result.alpha):g}% CI{', not adjusted' * is_adjusted}"
