"""What is said of the set of models that may be the best."""

from ._document import Document, Table, Verdict
from ._format import format_number, format_pvalue, short_names

MAX_NAMES, MAX_NAME = 5, 40  # in the verdict


def best_set_document(result):
    """Return the Document of a BestEstimatorSet."""
    rows = [
        [
            name,
            format_number(result.mean_losses[name]),
            format_pvalue(pvalue),
            "yes" if name in result.names else "no",
        ]
        for name, pvalue in result.pvalues.items()
    ]
    table = Table(["estimator", "mean loss", "p", "kept"], rows, "<>><")
    lead = f"{len(result.pvalues)} estimators by {result.loss_name}"
    said = Verdict(_verdict(result, lead)), table
    return Document("The best estimators", lead, lambda: said)


def _verdict(result, of):
    sure = f"With {100 * (1 - result.alpha):g}% confidence"
    shown = short_names(result.names[:MAX_NAMES], MAX_NAME)
    if len(shown) == 1:
        return f"{sure}, the best of {of} is {shown[0]}"
    listed = ", ".join(shown) + ", ..." * (len(result.names) > MAX_NAMES)
    return f"{sure}, the best of {of} is one of these {len(result.names)}: {listed}"
