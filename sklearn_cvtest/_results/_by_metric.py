"""The comparison of losses by one metric, or by each of several."""

from .._validation import one_warning_of_a_kind
from ._estimator_comparison import compare_losses
from ._several_metrics import MultiMetricComparison


def compare_by_metric(losses, question):
    """Return the comparison of losses, or of the losses by each metric."""
    if not isinstance(losses, dict):
        return compare_losses(losses, question)
    with one_warning_of_a_kind():
        return MultiMetricComparison(
            {
                metric: compare_losses(metric_losses, question)
                for metric, metric_losses in losses.items()
            }
        )
