"""What is said of the one that was chosen because it came out best."""

from ._document import Document, Sentence, Table, verdict
from ._findings import scope
from ._measure import measure_of, users_ends

NOTE = (
    "The mean of the best of many models is optimistically biased by selection. The "
    "corrected mean and its interval account for this bias."
)
ASSUMED = (
    " With one score per split, the correction depends on the ρ that the test assumes: "
    "if ρ is smaller, the correction is too large."
)


def winner_document(result):
    """Return the Document of a WinnerInterval."""
    title = f"The best of {result.n_compared} {result.noun}s"
    table = Table(*_table(result), label="Means")
    note = NOTE + ASSUMED * (not result.losses.per_example)
    return Document(
        title,
        f"{result.shown_name}, the best of {result.n_compared} {result.noun}s",
        lambda: (verdict(winner_sentence(result)), table, Sentence(note)),
        (result.shown_name,),
        table=lambda: table.for_paper(_caption(result)),
        findings=lambda: {
            "verdict": winner_sentence(result),
            "metric": result.losses.loss_name,
            "alpha": result.alpha,
        },
        rows="winner",
    )


def _caption(result):
    design = f"{result.losses.design}{scope(result, result.test)}"
    best = f"the best of {result.n_compared} {result.noun}s"
    what = "uncorrected, and corrected for selection"
    return f"{result.shown_name}, {best}: {what}. By {design}."


def _texts(result):
    """Return the six numbers as texts, in the user's units."""
    measure = measure_of(result.losses)
    values = []
    for middle, *ends in (
        (result.estimate, result.ci_low, result.ci_high),
        (result.mean, result.mean_low, result.mean_high),
    ):
        middles = users_ends(result.losses, middle, middle)
        values += [middles[0], *users_ends(result.losses, *ends)]
    return [text + "%" * measure.is_share for text in measure.numbers(*values)]


def _table(result):
    level = f"{100 * (1 - result.alpha):g}% CI"
    texts = _texts(result)
    rows = [
        [shown, middle, f"{low} to {high}"]
        for shown, (middle, low, high) in zip(
            ("uncorrected", "corrected for selection"),
            (texts[3:], texts[:3]),
            strict=True,
        )
    ]
    word = measure_of(result.losses).word
    return [result.shown_name, f"mean {word}", level], rows, "<>>"


def winner_sentence(result):
    """Return what the best one is worth."""
    measure = measure_of(result.losses)
    estimate, low, high, mean, *_ = _texts(result)
    of = f"the best of {result.n_compared} {result.noun}s"
    level = f"{100 * (1 - result.alpha):g}%"
    lead = (
        f"{result.shown_name} was selected as {of}. After "
        f"correction for selection, its {measure.word} is estimated at {estimate} "
        f"({level} CI {low} to {high}){scope(result, result.test)}"
    )
    return f"{lead}; uncorrected: {mean}."
