"""What is said of the set of models that may be the best."""

from ._best_words import best_explained, best_rows, best_set_sentence
from ._document import Document, Sentence, Table, Verdict

MAX_ROWS = 60


def best_set_document(result):
    """Return the Document of a BestSet."""
    lead = f"{len(result.pvalues)} {result.noun}s by {result.losses.loss_name}"
    return Document(f"The best {result.noun}s", lead, lambda: _summary(result))


def best_table(result, most=MAX_ROWS):
    """Return the table of a BestSet, and what it says, as blocks."""
    headers = [result.noun, f"mean {_kind(result.losses)}", "p", "may be the best"]
    rows = list(best_rows(result, most))
    align = "<>><"
    if result.found is not None:
        level = f"{100 * (1 - result.alpha):g}%"
        headers[2:2] = ["behind by", f"{level} interval"]
        align = "<>>>><"
    if result.n_splits_run is not None:
        headers.insert(1, "splits")
        align = align[0] + ">" + align[1:]
        for row, n_splits in zip(rows, result.n_splits_run.values(), strict=False):
            row.insert(1, str(n_splits))
    left_out = len(result.pvalues) - most
    more = [Sentence(f"And {left_out} more.")] if left_out > 0 else []
    table = Table(headers, rows, align, label="Which may be the best")
    return (table, *more, Sentence(best_explained(result)))


def _summary(result):
    return (Verdict(best_set_sentence(result)), *best_table(result))


def _kind(losses):
    return "score" if losses.is_score else "loss"
