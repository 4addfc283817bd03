"""LedgerHistory: all that was proposed, in words, as a table and as a picture."""

from collections import Counter
from dataclasses import dataclass
from types import SimpleNamespace

import numpy as np

from .._display._draw import COLORS, add_legend_below, make_axes
from .._display._pictures import picture_of
from .._report._document import Document, Pictures, Section, Sentence, Table, Verdict
from .._report._format import shorten
from .._report._measure import measure_of
from .._results._result import Result
from .._typing import Axes
from ._log import Log
from ._state import DECISIONS, SETTINGS, LedgerEntry, State

LAST, LONGEST = 10, 40  # entries that are printed, letters of a name
STYLES = {  # of a decision: marker, line and color, and the decisions that it joins
    "working": ("s:", COLORS[1], ["confirmed", "working"]),
    "confirmed": ("o-", COLORS[2], ["confirmed"]),
    "discarded": ("x", "0.6", ["discarded"]),
}


@dataclass(frozen=True, repr=False)
class LedgerHistory(Result):
    """The proposals of a :class:`Ledger`, in their order, and what became of them.

    Made by :meth:`Ledger.history`.

    Attributes
    ----------
    entries : tuple of LedgerEntry
        The proposals.
    settings : dict
        Settings of the ledger: numbers of rows and splits, "alpha", "margin" and
        "budget".
    measure : tuple
        The name of the loss or score, and whether it is a score.
    looks : tuple of dict
        Looks at the reserve: "name" of the champion, "estimate", "ci_low", "ci_high"
        and "level".
    next_level : float
        The level of the next test on the sealed rows.
    working, confirmed : LedgerEntry or None
        The champions; None before the first proposal that worked.
    """

    entries: tuple
    settings: dict
    measure: tuple
    looks: tuple
    next_level: float
    working: object
    confirmed: object

    no_file = "the file of the ledger holds it."

    @property
    def counts(self):
        """How many proposals there are of each decision, dict."""
        found = Counter(entry.decision for entry in self.entries)
        return {name: found[name] for name in DECISIONS}

    def _document(self):
        n, said = len(self.entries), (Verdict(self._verdict()), *self._sentences())
        names = {k: e and e.name for k, e in self._champions().items()}
        names |= {"decision": self.entries[-1].decision, "counts": self.counts}
        names |= {"level_next": self.next_level, "looks": list(self.looks)}
        title = f"The last {LAST} of {n} proposals" if n > LAST else "All proposals"
        size = "Proposals in their order", "Means on the shown rows.", (7.2, 4.6)
        draw = Pictures(lambda: [picture_of(lambda ax: self.plot(ax=ax), *size)])
        return Document(
            "Ledger of proposals",
            f"{n} proposal{'s' * (n != 1)}",
            lambda: (*said, self._table(self.entries[-LAST:], title)),
            sections=lambda: (
                Section("Conclusion", (*said, draw)),
                Section("Proposals", (self._table(self.entries, ""),)),
            ),
            findings=lambda: names | {"settings": self.settings},
            rows="proposals",
        )

    def _champions(self):
        return {"confirmed": self.confirmed, "working": self.working}

    def _verdict(self):
        if self.confirmed is None:
            return "No champion: no proposal worked."
        found = self._champions().items()
        said = [
            f"{k.capitalize()} champion: {e.name} (no. {e.number})." for k, e in found
        ]
        return " ".join(said[: 1 + (self.working is not self.confirmed)])

    def _sentences(self):
        known, n, measure = self.settings, len(self.entries), measured(self.measure)
        counts = ", ".join(f"{n} {name}" for name, n in self.counts.items())
        shown, sealed, reserve = known["n_rows"]
        yield Sentence(
            f"{n} proposal{'s' * (n != 1)}: {counts}. Proposals were developed on "
            f"{known['n_shown']} of the {known['n_splits']} folds ({shown} rows) and "
            f"confirmed on the others ({sealed} rows). The probability that any "
            f"confirmed proposal is no better than the last one is at most "
            f"{known['alpha']:g}; the next test uses the level {self.next_level:.2g}."
        )
        said = f"The reserve of {reserve} rows is unused."
        if not reserve:
            said = "No data were held out, so there is no unbiased score."
        for look in self.looks[-1:]:
            ends = [look[key] for key in ("estimate", "ci_low", "ci_high")]
            mean, low, high = (measure.value(measure.sign * end) for end in ends)
            said = (
                f"On the reserve of {reserve} rows, the mean "
                f"{measure.word} of {look['name']} is {mean} ({100 * look['level']:g}% "
                f"CI {low} to {high}; look {len(self.looks)} of {known['budget']})."
            )
        yield Sentence(said)

    def _table(self, entries, title):
        measure = measured(self.measure)
        gains = measure.numbers(*[entry.shown_gain for entry in entries])
        heads = [
            "proposal",
            "no.",
            "decision",
            f"{measure.word}, shown",
            "gain",
            "level",
        ]
        rows = [
            [
                shorten(entry.name, LONGEST),
                str(entry.number),
                entry.decision,
                or_dash(measure.value(measure.sign * entry.shown_value)),
                or_dash(gain),
                f"{entry.level:.2g}" if entry.level else "–",
                shorten("; ".join(entry.changed) or "–", 2 * LONGEST),
            ]
            for entry, gain in zip(entries, gains, strict=True)
        ]
        return Table([*heads, "changed"], rows, "<><>>><", title, "Proposals")

    def _columns(self):
        columns = {
            name: [getattr(e, name) for e in self.entries]
            for name in LedgerEntry.__dataclass_fields__
        }
        return columns | {"changed": ["; ".join(c) for c in columns["changed"]]}

    def plot(self, *, ax: Axes | None = None) -> Axes:
        """Draw the proposals in their order, with the lines of both champions.

        Parameters
        ----------
        ax : matplotlib Axes, default=None
            Where to draw; None makes a new figure.

        Returns
        -------
        ax : matplotlib Axes
            With the picture.

        Raises
        ------
        ImportError
            If matplotlib is not installed.
        """
        ax = make_axes(ax, "A plot of a ledger", (7.2, 4.2))
        measure, lines = measured(self.measure), []
        values = np.array([entry.shown_value for entry in self.entries])
        values *= measure.unit_size
        for decision, (style, color, joined) in STYLES.items():
            at = [n for n, entry in enumerate(self.entries) if entry.decision in joined]
            options = {"drawstyle": "steps-post", "color": color, "label": decision}
            lines += ax.plot(np.add(at, 1), values[at], style, **options) if at else []
        ax.set_ylabel(f"mean {measure.word}{' (%)' * measure.is_share}, shown rows")
        ax.set_xlabel("proposal")
        ax.locator_params(axis="x", integer=True)
        add_legend_below(ax, lines, [line.get_label() for line in lines], ncols=3)
        return ax


def measured(measure):
    """Return the Measure of losses from their name and whether they are scores."""
    name, is_score = measure
    named = {"loss_name": name, "is_score": is_score, "is_weighted": False}
    return measure_of(SimpleNamespace(**named))


def or_dash(text):
    """Return a number as text, a dash for nan."""
    return "–" if "nan" in text else text


def advice(decision, champion, measure, gain, level, failure):
    """Return what to do after a decision."""
    if decision == "failed":
        return f"{failure}; correct it and propose it again"
    if not champion:
        return "the first; build on this"
    if decision == "discarded":
        return f"no better; go back to {champion}"
    measure = measured(measure)
    (number,) = measure.numbers(gain)
    unit = (" point" + "s" * (float(number) != 1)) * measure.is_share
    sealed = ", not confirmed" if level else ""
    sealed = ", confirmed on the sealed rows" if decision == "confirmed" else sealed
    return f"{number}{unit} better on the shown rows{sealed}; build on this"


def history_of(state, log):
    """Return the LedgerHistory of what is known; the seed is not in it."""
    if not state.entries:
        raise log.refused("nothing was proposed yet")
    settings = {name: state.settings[name] for name in SETTINGS}
    champions = map(state.decided.get, (state.working, state.confirmed))
    about = (
        state.measure or ("loss", False),
        tuple(state.looks.values()),
        state.stage.level,
    )
    return LedgerHistory(tuple(state.entries), settings, *about, *champions)


def read_history(path):
    """Return the LedgerHistory of a file."""
    log, state = Log(path), State()
    with log.locked("rb"):
        state.read(log)
    return history_of(state, log)
