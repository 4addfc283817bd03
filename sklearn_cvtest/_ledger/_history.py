"""What was proposed and what became of it, as records say it; its words and picture."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass

import numpy as np

from .._data._cvlosses import CVLosses
from .._display._draw import COLORS, add_legend_below, make_axes
from .._display._page_pictures import picture_of
from .._interval._cross_val_interval import CrossValInterval
from .._interval._interval_document import intervals_document
from .._report._document import Document, Pictures, Section, Sentence, Table, verdict
from .._report._metric_format import MetricFormat, metric_format_of
from .._report._result import Result
from .._store._array_files import of_parts
from .._typing import Axes
from .._validation import one_line
from ._log import Log, Stage

LAST = 10  # entries that are printed
STYLES = {  # of a decision: marker, line and color, and the decisions that it joins
    "working": ("s:", COLORS[1], ["confirmed", "working"]),
    "confirmed": ("o-", COLORS[2], ["confirmed"]),
    "discarded": ("x", "0.6", ["discarded"]),
}


@dataclass(frozen=True)
class LedgerEntry:
    """A proposal, and what became of it. Made by :meth:`Ledger.propose`.

    Printed, it says in a line what to do next.

    Attributes
    ----------
    number : int
        The place in the series, from 1.
    name : str
        The name of the proposal.
    decision : {"working", "confirmed", "discarded", "failed"}
        "working": better on the shown rows than the working champion, which it
        replaces. "confirmed": the sealed rows showed, too, that it is better than the
        confirmed champion; it is both champions from then on. "discarded": not enough
        better on the shown rows. "failed": a fit raised an error, or a loss was not
        finite; it may be proposed again.
    advice : str
        What to do next.
    key : str
        Fingerprint of the estimator.
    params : dict of str to str
        Hashes of its parameters, and of its class, by name.
    shown_value : float
        Mean loss or score on the shown rows, as it is printed: of
        "neg_mean_squared_error" the squared error; nan if it failed.
    shown_gain : float
        By how much that is better than the working champion's; nan of the first.
    ahead : float
        By how many standard errors it is better than the confirmed champion on the
        shown rows, beyond the margin; nan of the first.
    level : float
        The level of its test on the sealed rows; 0 if there was none.
    """

    number: int
    name: str
    decision: str
    advice: str
    key: str
    params: dict
    shown_value: float = np.nan
    shown_gain: float = np.nan
    ahead: float = np.nan
    level: float = 0.0

    def __str__(self):
        return one_line(f"{self.decision}: {self.advice}")


class LedgerHistory(Result):
    """The proposals of a :class:`Ledger`, in their order, and what became of them.

    Made by :meth:`Ledger.history`.

    Attributes
    ----------
    settings : dict
        Numbers of rows, "alpha", "margin", "reserve" and "budget".
    entries : list of LedgerEntry
        The proposals.
    looks : dict of str to CrossValInterval
        Looks at the reserve, by the key of the champion of that time.
    measure : tuple
        What the loss or score is called, whether it is a share, and 1 for a loss or -1
        for a score.
    stage : tuple
        Where the tests on the sealed rows are; its `level` is for the next one.
    working, confirmed : LedgerEntry or None
        The champions; None before the first proposal that worked.
    """

    def __init__(self):
        self.settings = {}
        self.entries = []
        self.looks = {}
        self.measure = MetricFormat("loss", False, 1)
        self.stage = None
        self.working = self.confirmed = None

    def _document(self):
        n = len(self.entries)
        summary = tuple(self._summary())
        draw = Pictures(lambda: [self._picture()])
        return Document(
            "Ledger of proposals",
            "1 proposal" if n == 1 else f"{n} proposals",
            lambda: (*summary, self._table(LAST)),
            sections=lambda: (Section("Conclusion", (*summary, draw, self._table(n))),),
            findings=lambda: {
                "confirmed": self.confirmed and self.confirmed.name,
                "working": self.working and self.working.name,
                "level_next": self.stage.level,
                "looks": [row for look in self.looks.values() for row in look.rows()],
                "settings": self.settings,
            },
            rows="proposals",
        )

    def _picture(self):
        caption = "Means on the shown rows."
        return picture_of(self.plot, "Proposals in their order", caption, (7.2, 4.6))

    def _summary(self):
        """Return sentences: champions, what was proposed, looks at the reserve."""
        sentences = [
            verdict(self._champions_text()),
            Sentence(self._proposals_text()),
        ]
        for number, look in enumerate(self.looks.values(), 1):
            at = f"Look {number} of {self.settings['budget']} at the reserve"
            sentence = intervals_document(look).sentences()[0]
            sentences.append(Sentence(f"{at}, {sentence}"))
        return sentences

    def _champions_text(self):
        champions = []
        if self.confirmed:
            entry = self.confirmed
            champions.append(f"Confirmed champion: {entry.name} (no. {entry.number}).")
        if self.working:
            entry = self.working
            champions.append(f"Working champion: {entry.name} (no. {entry.number}).")
        if not champions:
            return "No champion: no proposal worked."
        return " ".join(champions)

    def _proposals_text(self):
        settings = self.settings
        counts = Counter(entry.decision for entry in self.entries)
        listed = ", ".join(f"{n} {decision}" for decision, n in counts.items())
        return (
            f"Proposals: {listed}. They were developed on {settings['n_rows_shown']} "
            f"rows and confirmed on {settings['n_rows_sealed']} others; "
            f"{settings['n_rows_reserve']} are held in reserve. The probability that "
            "any confirmed proposal is no better than the last one is at most "
            f"{settings['alpha']:g}; the next test uses the level "
            f"{self.stage.level:.2g}."
        )

    def _table(self, n_last):
        measure = self.measure
        entries = self.entries[-n_last:]
        heads = "proposal", "no.", "decision", f"{measure.word}, shown", "gain", "level"
        means = [measure.value(measure.sign * entry.shown_value) for entry in entries]
        gains = measure.numbers(*[entry.shown_gain for entry in entries])
        rows = []
        for entry, mean, gain in zip(entries, means, gains, strict=True):
            level = f"{entry.level:.2g}" if entry.level else "–"  # without a test
            texts = ["–" if "nan" in text else text for text in (mean, gain)]
            rows.append([entry.name, entry.number, entry.decision, *texts, level])
        title = f"The last {n_last} proposals" if self.entries[n_last:] else "Proposals"
        return Table(list(heads), rows, "<><>>>", title, "Proposals")

    def _columns(self):
        names = LedgerEntry.__dataclass_fields__
        return {name: [getattr(e, name) for e in self.entries] for name in names}

    def plot(self, ax: Axes | None = None) -> Axes:
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
        lines = []
        decisions = [entry.decision for entry in self.entries]
        shown_values = np.array([entry.shown_value for entry in self.entries])
        values = shown_values * self.measure.unit_size
        for decision, (style, color, joined) in STYLES.items():
            at = np.flatnonzero(np.isin(decisions, joined))
            options = {"drawstyle": "steps-post", "color": color, "label": decision}
            lines += ax.plot(at + 1, values[at], style, **options)
        ax.set(xlabel="proposal", ylabel=f"mean {self.measure.header}, shown rows")
        ax.locator_params(axis="x", integer=True)
        add_legend_below(ax, lines, list(STYLES), ncols=3)
        return ax


class State:
    """What records say: the history, and what nobody who proposes must know.

    Attributes
    ----------
    history : LedgerHistory
        What may be known.
    fixed : dict
        Settings, the seed, and fingerprints of data and splits.
    found : dict
        Of each part of the folds what was found there, by the key of an entry.
    takes : dict
        What takes note of a record, by its kind.
    """

    def __init__(self):
        self.history = LedgerHistory()
        self.fixed = {}
        self.found = {"shown": {}, "sealed": {}, "reserve": self.history.looks}
        self.takes = {"start": self._start, "found": self._found, "entry": self._entry}

    def _start(self, seed, **fixed):
        self.fixed = fixed | {"seed": seed}
        self.history.settings = {k: v for k, v in fixed.items() if type(v) is not str}
        self.history.stage = Stage(float(fixed["alpha"]))

    def _found(self, part, key, saved):
        header, arrays = saved
        arrays = {name: np.array(values) for name, values in arrays.items()}
        result_class = CrossValInterval if part == "reserve" else CVLosses
        result = of_parts(result_class, part, header, arrays)
        if part == "shown" and self.history.working is None:
            self.history.measure = metric_format_of(result)
        self.found[part].setdefault(key, result)

    def _entry(self, **record):
        entry = LedgerEntry(**record)
        history = self.history
        history.entries.append(entry)
        is_confirmed = entry.decision == "confirmed"
        if entry.level > 0:
            history.stage = history.stage.after(entry.ahead, is_confirmed)
        history.confirmed = entry if is_confirmed else history.confirmed
        if is_confirmed or entry.decision == "working":
            history.working = entry
        else:  # its losses are not needed again
            self.found["shown"].pop(entry.key, None)


def advice(decision, champion, measure):
    """Return what to do after a decision."""
    if champion is None:
        return "the first; build on this"
    if decision["decision"] == "discarded":
        return f"no better; go back to {champion.name}"
    (number,) = measure.numbers(decision["shown_gain"])
    return f"better by {number}{measure.unit(number)} on the shown rows; build on this"


def read_history(path):
    """Return the LedgerHistory of a file."""
    state = State()
    log = Log(path, state.takes)
    with log.locked("rb"):
        if not state.history.entries:
            raise log.refused("nothing was proposed yet")
        return state.history
