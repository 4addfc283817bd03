"""The comparison of losses by one metric, or by each of several."""

from .._validation import one_warning_of_a_kind
from ._estimator_comparison import compare_losses
from ._several_metrics import MultiMetricComparison


def compare_by_metric(losses, question, tests):
    """Return the comparison of losses, or of the losses by each metric."""
    if not isinstance(losses, dict):
        return compare_losses(losses, question, *tests)
    if len(tests) == 1:  # of a callable that returned several scores
        tests = tests * len(losses)
    with one_warning_of_a_kind():
        by_metric = zip(losses.values(), tests, strict=True)
        comparisons = [
            compare_losses(of_metric, question, metric_tests)
            for of_metric, metric_tests in by_metric
        ]
        return MultiMetricComparison(dict(zip(losses, comparisons, strict=True)))
