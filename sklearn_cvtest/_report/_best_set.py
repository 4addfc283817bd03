"""What is said of the set of models that may be the best."""

import numpy as np

from ._document import Document, Sentence, Table, verdict
from ._format import are, listed, shown_pvalue
from ._measure import measure_of, narrowest

MAX_ROWS = 60
ALONE = "{best} is significantly better than all others ({p})."
ALL = (
    "{best} has the {measure}, {mean}; none of the other {n} is significantly worse "
    "({p})."
)
SOME = (
    "{best} has the {measure}, {mean}; {tied} {are} not significantly worse; {rest} "
    "({p})."
)
NOTE = "{mark} may be the best ({sure} confidence); p is one-sided, against all others"
BEHIND = "; intervals hold simultaneously"
RACE = (
    " Candidates leave the race when another is significantly better; each mean is "
    "over the splits that were run, and p is adjusted for the number of looks."
)


def best_set_document(result):
    """Return the Document of a BestSet."""
    lead = f"{len(result.pvalues)} {result.noun}s by {measure_of(result.losses).word}"
    return Document(
        f"The best {result.noun}s",
        lead,
        lambda: (verdict(best_set_sentence(result)), *_table(result)),
        result.shown_names,
    )


def best_set_sentence(result):
    """Return who may be the best, and how many others are worse."""
    measure, k = measure_of(result.losses), len(result.pvalues)
    kept = result.shown_names[: len(result.names)]
    out = [p for name, p in result.pvalues.items() if name not in result.names]
    p = f"p > {result.alpha:g}"
    if out:
        p = f"p ≤ {shown_pvalue(max(out), result.alpha)}".replace("≤ <", "<")
    template = ALL if len(kept) == k else SOME if len(kept) > 1 else ALONE
    rest = f"the other {len(out)} {are(out)} significantly worse"
    return template.format(
        best=kept[0],
        measure=measure.best,
        mean=measure.value(next(iter(result.mean_losses.values()))),
        tied=listed(list(kept[1:])),
        are=are(kept[1:]),
        n=k - 1,
        rest=rest,
        p=p,
    )


def _table(result):
    """Return the table of a BestSet, and what it says, as blocks."""
    measure, names = measure_of(result.losses), list(result.pvalues)[:MAX_ROWS]
    means = [measure.sign * result.mean_losses[name] for name in names]
    headers = [result.noun, measure.header]
    columns = [_marked(result, names), measure.numbers(*means)]
    if result.n_splits_run is not None:
        headers.insert(1, "splits")
        columns.insert(1, [str(result.n_splits_run[name]) for name in names])
    if result.found is not None:
        headers += ["behind the best", f"{100 * (1 - result.alpha):g}% CI"]
        columns += _behind(result, measure, len(names))
    headers.append("p")
    columns.append(
        [
            f"{'≤ ' * (name in result.at_most)}{shown_pvalue(p, result.alpha)}".replace(
                "≤ <", "<"
            )
            for name, p in result.pvalues.items()
        ]
    )
    rows = [list(row) for row in zip(*columns, strict=False)]
    left_out = len(result.pvalues) - MAX_ROWS
    more = [Sentence(f"And {left_out} more: to_frame().")] if left_out > 0 else []
    align = "<" + ">" * (len(headers) - 1)
    table = Table(headers, rows, align, label="Which may be the best")
    note = NOTE.format(mark="†", sure=f"{100 * (1 - result.alpha):g}%")
    note += BEHIND * (result.found is not None)
    if result.about == "models":
        note += "; about these fitted models"
    note += f".{RACE * (result.n_splits_run is not None)}"
    return (table, *more, Sentence(note))


def _marked(result, names):
    return [
        f"{shown} †" if name in result.names else shown
        for shown, name in zip(result.shown_names, names, strict=False)
    ]


def _behind(result, measure, n):
    """Return columns of the difference from the best of the others, and intervals."""
    parts = result.found.differences_of(np.arange(n))
    flat = np.column_stack(parts).ravel().tolist()
    texts = measure.numbers(*flat, width=narrowest(*parts[1:]))
    ranges = [
        f"{low} to {high}" for low, high in zip(texts[1::3], texts[2::3], strict=True)
    ]
    return [texts[::3], ranges]
