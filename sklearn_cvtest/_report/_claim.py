"""What is said of published numbers."""

from ._document import Document, Sentence, Table
from ._findings import minus
from ._format import format_pvalue

UNITS = {"folds": "fold by fold", "repeats": "run by run", "seeds": "seed by seed"}
OVER = {"folds": "", "repeats": " over splits of the same data", "seeds": " over seeds"}


def claim_document(claim):
    """Return the Document of a ClaimCheck."""
    low, high = map(format_pvalue, claim.pvalue_range)
    width = len(claim.rhos)
    headers = ["r", *(f"p (ρ = {rho:.3g})" for rho in claim.rhos)]
    cells = [format_pvalue(row["pvalue"]) for row in claim.table]
    rows = [
        [f"{claim.table[i]['r']:.2f}", *cells[i : i + width]]
        for i in range(0, len(cells), width)
    ]
    table = Table(headers, rows, ">" * (width + 1))
    caption = (
        "p-values of the published difference, by the correlation r of the scores"
        f"{' and by ρ' * (width > 1)}."
    )
    said = (
        Sentence(_answer(claim)),
        Sentence(
            f"From these numbers alone, p lies between {low} and {high}: over every "
            f"correlation r of the scores of a and b, {UNITS[claim.of]}"
            + (", every ρ" if width > 1 else "")
            + ", and the rounding."
        ),
        table,
        Sentence(_limits(claim)),
    )
    return Document(
        "What the published numbers show",
        "a and b",
        lambda: said,
        table=lambda: table.for_paper(caption),
    )


def _answer(claim):
    """Return whether the claim is supported, by the corrected test if there is one."""
    needed = claim.needed_r[min(1, len(claim.rhos) - 1)]
    size = f"{abs(claim.difference):.10g}"  # as published, without what floats add
    if claim.difference == 0:
        return "The means are equal: there is no difference to support."
    level = f"at the {100 * claim.alpha:g}% level{OVER[claim.of]}"
    lead, of_folds = f"A difference of {size} is", claim.of == "folds"
    if needed <= -1:
        turned = f"; only {'a larger ρ or ' * of_folds}the rounding could undo that"
        turned *= claim.pvalue_range[1] > claim.alpha
        return (
            f"{lead} significant {level} whatever the correlation of the scores"
            f"{turned}."
        )
    if needed > 1:
        turned = f"; only {'a smaller ρ or ' * of_folds}the rounding could make it so"
        turned *= claim.pvalue_range[0] <= claim.alpha
        return (
            f"{lead} not significant {level}, whatever the correlation of the scores"
            f"{turned}."
        )
    digits = next((d for d in range(2, 9) if round(needed, d) < 1), 2)
    return (
        f"{lead} significant {level} only if the scores of a and b, "
        f"{UNITS[claim.of]}, have a correlation above "
        f"{minus(f'{round(needed, digits) + 0.0:.{digits}f}')}."
    )


def _limits(claim):
    if claim.of == "seeds":
        return (
            "This is about other seeds on the same split; a spread over seeds cannot "
            "show whether other data would lead to the same conclusion. As a rule, "
            "seeds are drawn independently for each model, so that r is near 0."
        )
    if claim.of == "repeats":
        return (
            "This is about other splits of the same data. Each run has all examples, "
            "so that a spread over runs cannot show whether other data would lead to "
            "the same conclusion; ask for the scores of the folds."
        )
    naive, corrected, largest = (f"{rho:.3g}" for rho in claim.rhos)
    return (
        f"ρ = {naive} is the usual t test, which treats folds as independent; "
        f"ρ = {corrected} is Nadeau and Bengio's, on which the answer is based; ρ = "
        f"{largest} is the largest that is likely."
    )
