"""What is said of how runs and examples make a comparison uncertain."""

from ._advice import MOST_ROWS
from ._document import Document, Sentence, Table
from ._format import format_column


def variance_document(found):
    """Return the Document of a VarianceTable."""
    unit = found.unit
    names = "twice_runs", "all_runs", f"twice_{unit}", f"all_{unit}"
    columns = [found.standard_error, *(found.errors[name] for name in names)]
    headers = ["first", "second", *found.names, "error"]
    headers += ["2 × runs", "∞ runs", "2 × n", "∞ n"]
    shares = [[f"{100 * share:.0f}%" for share in row] for row in found.shares]
    errors = zip(*format_column(*columns), strict=True)
    rows = [
        [*pair, *share, *error]
        for pair, share, error in zip(found.pairs, shares, errors, strict=True)
    ]
    align = "<<" + ">" * (len(headers) - 2)
    more = f" {len(rows) - MOST_ROWS} more pairs: to_frame()."
    lead = f"{found.n_runs} runs of {found.n_units} {unit}"
    legend = (
        f"Shares of the variance of the mean difference ({lead}), its standard error, "
        f"and approximately that with twice or infinitely many runs or {unit} (n); 0 "
        "if nothing else is estimated to vary." + more * (len(rows) > MOST_ROWS)
    )
    said = Table(headers, rows[:MOST_ROWS], align), Sentence(legend)
    return Document(
        "Where the variance comes from",
        lead,
        lambda: said,
        tuple(dict.fromkeys(name for pair in found.pairs for name in pair)),
        table=lambda: Table(headers, rows, align).for_paper(f"{lead}."),
    )
