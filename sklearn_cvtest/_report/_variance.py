"""What is said of how runs and examples make a comparison uncertain."""

from ._document import Document, Sentence, Table
from ._format import format_column


def variance_document(found):
    """Return the Document of a VarianceTable."""
    unit = found.unit
    names = "twice_runs", "all_runs", f"twice_{unit}", f"all_{unit}"
    columns = [found.standard_error, *(found.errors[name] for name in names)]
    headers = ["first", "second", *(f"from {name}" for name in found.names)]
    headers += ["error now"]
    headers += ["2 × runs", "∞ runs", f"2 × {unit}", f"∞ {unit}"]
    shares = [[f"{100 * share:.0f}%" for share in row] for row in found.shares]
    errors = zip(*format_column(*columns), strict=True)
    rows = [
        [*pair, *share, *error]
        for pair, share, error in zip(found.pairs, shares, errors, strict=True)
    ]
    table = Table(headers, rows, "<<" + ">" * (len(headers) - 2))
    lead = f"{found.n_runs} runs of {found.n_units} {unit}"
    legend = (
        f"Shares of the variance of the mean difference ({lead}), its standard error, "
        "and approximately that with twice or infinitely many (0 if nothing else is "
        "estimated to vary)."
    )
    said = table, Sentence(legend)
    return Document("Where the variance comes from", lead, lambda: said)
