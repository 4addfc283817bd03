"""What is said of proposals that were tried against a champion."""

import numpy as np

from ._document import (
    Document,
    Pictures,
    Quote,
    Section,
    Sentence,
    Table,
    Terms,
    Verdict,
)
from ._format import format_column, measure_of, shorten
from ._versions import version_sentence

LAST = 10  # entries that are printed
LONGEST = 40
TERMS = {
    "shown rows": "Test rows of the first fifth of the folds. Their mean is all "
    "that is told about a proposal; one that is not better there by 0.84 standard "
    "errors is discarded at no cost.",
    "sealed rows": "Test rows of the other folds. They decide, by a one-sided test; "
    "nothing is told about them but whether a proposal is kept.",
    "level": "The part of the series' significance level that a test used up because "
    "it kept nothing; a proposal that is kept, or not tested, uses none.",
    "undecided": "The proposal was better on the shown rows, and the sealed rows did "
    "not show that it is. It may be better by less than can be seen.",
    "reserve": "Rows in no split. The champion is measured on them a few times only.",
}


def history_document(history, draw):
    """Return the Document of a LedgerHistory; `draw` returns its pictures."""
    said = Verdict(_verdict(history)), *map(Sentence, _sentences(history))
    n, last = len(history.entries), history.entries[-LAST:]
    title = f"The last {LAST} of {n} proposals" if n > LAST else "All proposals"
    return Document(
        "Ledger of proposals",
        f"{n} proposal{'s' * (n != 1)} on {_counted(history)} rows",
        lambda: (*said, _table(history, last, title)),
        report=lambda: _paper(history),
        sections=lambda: _page(history, said, draw),
        table=lambda: _kept_table(history).for_paper(_note(history)),
        findings=lambda: {
            "champion": history.champion,
            "decision": history.entries[-1].decision,
            "counts": history.counts,
            "level_spent": history.spent,
            "level_next": history.next_level,
            "looks": list(history.looks),
            "settings": history.settings,
        },
        rows="proposals",
    )


def _counted(history):
    return sum(history.settings["n_rows"])


def _percent(level):
    return f"{100 * level:.2g}%"


def _times(n, one, many=None):
    return f"{n} {one if n == 1 else many or one + 's'}"


def _verdict(history):
    counts = history.counts
    n = len(history.entries)
    if history.champion is None:
        return f"There is no champion: none of {_times(n, 'proposal')} worked."
    number = max(e.number for e in history.entries if e.decision == "keep")
    others = f"{counts['discard']} discarded, {counts['undecided']} undecided"
    return (
        f"The champion is {history.champion}, proposal {number} of {n}: "
        f"{counts['keep']} kept, {others}."
    )


def _sentences(history):
    alpha = history.settings["alpha"]
    done, full = history.n_fits
    yield (
        f"Out of the {_percent(alpha)} level for the whole series, "
        f"{_percent(history.spent)} has been spent; the next test has the level "
        f"{_percent(history.next_level)}. {done} fits were made where full "
        f"cross-validation of every proposal takes {full} ({100 * done / full:.0f}%)."
    )
    yield _looks(history)


def _looks(history):
    budget, n_reserve = history.settings["budget"], history.settings["n_rows"][2]
    if not n_reserve:
        return "There is no reserve, and so no unbiased score of the champion."
    measure = measure_of(history.of_measure)
    if not history.looks:
        return f"The reserve of {n_reserve} rows was not looked at (budget: {budget})."
    look = history.looks[-1]
    ends = [measure.sign * look[key] for key in ("estimate", "ci_low", "ci_high")]
    mean, low, high = map(measure.value, ends)
    return (
        f"On the reserve of {n_reserve} rows, {look['name']} has a mean {measure.word} "
        f"of {mean} ({100 * look['level']:g}% interval {low} to {high}, so that all "
        f"{_times(budget, 'look')} hold together with probability "
        f"{100 * (1 - history.settings['alpha']):g}%; {len(history.looks)} made)."
    )


def _table(history, entries, title):
    measure = measure_of(history.of_measure)
    gains = iter(measure.numbers(*[e.shown_gain for e in entries]))
    levels = [entry.level for entry in entries]
    (levels,) = format_column(levels, digits=2, sizes=levels)
    headers = ["proposal", "no.", "decision", f"{measure.word}, shown", "gain, shown"]
    headers += ["level", "fits", "changed"]
    rows = []
    for entry, level in zip(entries, levels, strict=True):
        gain = next(gains)
        known = np.isfinite(entry.shown_value)
        rows.append(
            [
                shorten(entry.name, LONGEST),
                str(entry.number),
                entry.decision,
                measure.value(measure.sign * entry.shown_value) if known else "failed",
                gain if np.isfinite(entry.shown_gain) else "–",
                level if entry.level else "–",
                str(entry.n_fits),
                shorten("; ".join(entry.changed) or "–", 2 * LONGEST),
            ]
        )
    return Table(headers, rows, "<><>>>><", title, "Proposals")


def _kept_table(history):
    kept = [entry for entry in history.entries if entry.decision == "keep"]
    table = _table(history, kept or history.entries[:1], "")
    columns = [0, 1, *range(3, 7)]
    return Table(
        [table.headers[k] for k in columns],
        [[row[k] for k in columns] for row in table.rows],
        "<>>>>>",
    )


def _note(history):
    return f"Proposals that were kept, of {len(history.entries)}."


def _page(history, said, draw):
    every = _table(history, history.entries, "")
    failed = [e for e in history.entries if not np.isfinite(e.shown_value)]
    reasons = [Sentence(f"{e.name}: {e.reason}") for e in failed]
    return (
        Section("Conclusion", (*said, Pictures(draw))),
        Section("Proposals", (every, *reasons)),
        Section("What the words mean", (Terms(TERMS),), True),
        Section("For a paper", (Quote(tuple(_paper(history))),), True),
    )


def _paper(history):
    """Yield sentences for a paper.

    Yields
    ------
    sentence : str
    """
    settings, counts = history.settings, history.counts
    shown, sealed, reserve = settings["n_rows"]
    n_splits, n_shown = settings["n_splits"], settings["n_shown"]
    margin = settings["margin"]
    measure = measure_of(history.of_measure)
    more = f" by more than {measure.margin(margin)}" if margin else ""
    n = len(history.entries)
    yield (
        f"{_times(n, 'model was', 'models were')} proposed one after the other and "
        f"compared by {n_splits}-fold cross-validation with the best so far, the "
        f"champion; {counts['keep']} became champion."
    )
    yield (
        f"Whoever proposed saw the mean {measure.word} on {n_shown} of the {n_splits} "
        f"folds ({_times(shown, 'row')}). A proposal that was better there by 0.84 "
        f"standard errors was tested on the other folds ({_times(sealed, 'row')}) "
        "by a one-sided test that accounts for overlapping training sets; nothing "
        "about them was shown but the decision."
    )
    _, c = settings["rule"]
    yield (
        f"After m tests that kept nothing, a test had the level "
        f"{c}α/((m + {c})(m + {c + 1})) with α = {settings['alpha']:g}, so that the "
        "probability that the first change to be kept was no improvement"
        f"{more} is at most α, however proposals were chosen (Blum and Hardt, 2015)."
    )
    if reserve:
        yield _looks(history)
    yield version_sentence()
