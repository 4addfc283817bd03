"""What is said of proposals."""

from typing import NamedTuple

import numpy as np

from .._report._document import Document, Pictures, Section, Sentence, Table, Verdict
from .._report._format import measure_of, shorten

LAST = 10  # entries that are printed
LONGEST = 40


class Measured(NamedTuple):
    """What losses are of, as CVLosses say it."""

    loss_name: str
    is_score: bool
    is_weighted: bool = False


def advice(decision, champion, measure, gain, level, failure):
    """Return what to do after a decision."""
    if decision == "failed":
        return f"{failure}; correct it and propose it again"
    if not champion:
        return "the first; build on this"
    if decision == "discarded":
        return f"no better; go back to {champion}"
    measure = measure_of(Measured(*measure))
    (number,) = measure.numbers(gain)
    unit = (" point" + "s" * (float(number) != 1)) * measure.is_share
    sealed = ", not confirmed" if level else ""
    sealed = ", confirmed on the sealed rows" if decision == "confirmed" else sealed
    return f"{number}{unit} better on the shown rows{sealed}; build on this"


def history_document(history, draw):
    """Return the Document of a LedgerHistory; `draw` returns its pictures."""
    n = len(history.entries)
    title = f"The last {LAST} of {n} proposals" if n > LAST else "All proposals"
    said = Verdict(_verdict(history)), *map(Sentence, _sentences(history))
    names = {k: e and e.name for k, e in history.champions.items()}
    return Document(
        "Ledger of proposals",
        f"{n} proposal{'s' * (n != 1)} on {history.n_rows} rows",
        lambda: (*said, _table(history, history.entries[-LAST:], title)),
        sections=lambda: (
            Section("Conclusion", (*said, Pictures(draw))),
            Section("Proposals", (_table(history, history.entries, ""),)),
        ),
        findings=lambda: (
            names
            | {"decision": history.entries[-1].decision, "counts": history.counts}
            | {"level_next": history.next_level, "looks": list(history.looks)}
            | {"settings": history.settings}
        ),
        rows="proposals",
    )


def _verdict(history):
    working, confirmed = history.working, history.confirmed
    if confirmed is None:
        return "No champion: no proposal worked."
    more = f" Working champion: {working.name} (proposal {working.number})."
    said = f"Confirmed champion: {confirmed.name} (proposal {confirmed.number})."
    return said + more * (working is not confirmed)


def _sentences(history):
    settings, n = history.settings, len(history.entries)
    counts = ", ".join(f"{n} {name}" for name, n in history.counts.items())
    yield (
        f"{n} proposal{'s' * (n != 1)}: {counts}. Proposals were developed on "
        f"{settings['n_shown']} of the {settings['n_splits']} folds "
        f"({settings['n_rows_shown']} rows) and confirmed on the others "
        f"({settings['n_rows_sealed']} rows). The probability that any confirmed "
        f"proposal is no better than its predecessor is at most {settings['alpha']:g}; "
        f"the next test uses the level {history.next_level:.2g}."
    )
    if not settings["n_rows_reserve"]:
        yield "No data were held out, so there is no unbiased score of the champion."
    elif not history.looks:
        yield f"The reserve of {settings['n_rows_reserve']} rows is unused."
    else:
        look, measure = history.looks[-1], measure_of(Measured(*history.measure))
        ends = [measure.sign * look[key] for key in ("estimate", "ci_low", "ci_high")]
        mean, low, high = map(measure.value, ends)
        yield (
            f"On the reserve of {settings['n_rows_reserve']} rows, the mean "
            f"{measure.word} of {look['name']} is {mean} ({100 * look['level']:g}% CI "
            f"{low} to {high}; look {len(history.looks)} of {settings['budget']})."
        )


def _table(history, entries, title):
    measure = measure_of(Measured(*history.measure))
    gains = measure.numbers(*[entry.shown_gain for entry in entries])
    headers = ["proposal", "no.", "decision", f"{measure.word}, shown", "gain", "level"]
    rows = []
    for entry, gain in zip(entries, gains, strict=True):
        value = measure.value(measure.sign * entry.shown_value)
        rows.append([shorten(entry.name, LONGEST), str(entry.number), entry.decision])
        rows[-1] += [value if np.isfinite(entry.shown_value) else "–"]
        rows[-1] += [gain if np.isfinite(entry.shown_gain) else "–"]
        rows[-1] += [f"{entry.level:.2g}" if entry.level else "–"]
        rows[-1] += [shorten("; ".join(entry.changed) or "–", 2 * LONGEST)]
    return Table([*headers, "changed"], rows, "<><>>><", title, "Proposals")
