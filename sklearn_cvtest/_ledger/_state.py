"""What the records of a ledger say: its settings, entries, fits, and looks."""

import base64
from dataclasses import dataclass

import numpy as np

from .._validation import one_line
from ._rule import Stage

DECISIONS = "confirmed", "working", "discarded", "failed"
SETTINGS = "alpha", "margin", "reserve", "budget", "n_splits", "n_shown", "n_rows"
LOOK = "name", "level", "estimate", "ci_low", "ci_high"


@dataclass(frozen=True, repr=False)
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
    champion : str
        The working champion that it was compared with, "" for the first.
    changed : tuple of str
        Parameters that differ from that champion's.
    shown_value : float
        Mean loss (or score, with its sign) on the shown rows; nan if it failed.
    shown_gain : float
        By how much that is better than the working champion's; nan of the first.
    ahead : float
        By how many standard errors it is better than the confirmed champion on the
        shown rows, beyond the margin; nan of the first.
    level : float
        The level of its test on the sealed rows; 0 if there was none.
    n_fits : int
        Number of splits on which it was fitted.
    time : str
        Time of the decision, in UTC.
    """

    number: int
    name: str
    decision: str
    advice: str
    champion: str
    changed: tuple
    shown_value: float
    shown_gain: float
    ahead: float
    level: float
    n_fits: int
    time: str

    def __repr__(self):
        return one_line(f"<LedgerEntry {self.number} {self.name}: {self.decision}>")

    def __str__(self):
        return one_line(f"{self.decision}: {self.advice}")


class State:
    """What is known from the records that were read so far."""

    def __init__(self):
        self.settings = self.stage = None
        self.measure = None  # name and whether it is a score, of the first fit
        self.entries, self.decided = [], {}  # the latter by key, without failed ones
        self.params = {}  # of the working champion
        self.working = self.confirmed = None  # keys
        self.fits = {}  # {split: values} by key, of what may be needed again
        self.looks = {}  # by key

    def read(self, log):
        """Take note of what was written to a log since the last call."""
        for record in log.read():
            try:
                self.take(**record)
            except Exception as error:
                raise log.refused(f"a record is wrong: {error!r}") from None

    def take(self, kind, **record):
        """Take note of a record."""
        if (kind == "start") is not (self.settings is None):
            raise ValueError("settings come first, and once")
        takes = {"start": self._start, "fit": self._fit, "entry": self._entry}
        (takes | {"look": self._look})[kind](**record)

    def _start(self, **settings):
        self.settings = settings | {name: settings[name] for name in SETTINGS}
        self.stage = Stage(float(settings["alpha"]))

    def _fit(self, key, split, measure, values):
        self.measure = self.measure or tuple(measure)
        if key not in self.decided or key in (self.working, self.confirmed):
            values = np.frombuffer(base64.b64decode(values), dtype="<f8")
            self.fits.setdefault(key, {}).setdefault(split, values)

    def _entry(self, key, params, changed, **record):
        entry = LedgerEntry(changed=tuple(changed), **record)
        n_before = DECISIONS.index(entry.decision)
        self.entries.append(entry)
        if entry.level > 0:
            self.stage = self.stage.after(entry.ahead, n_before == 0)
        if n_before < 3:
            self.decided[key] = entry
        if n_before < 2:
            n_needed = self.settings["n_shown" if n_before else "n_splits"]
            if not self.fits[key].keys() >= set(range(n_needed)):
                raise ValueError("losses of a champion are missing")
            self.working, self.params = key, dict(params)
            self.confirmed = self.confirmed if n_before else key
        for done in self.decided.keys() - {self.working, self.confirmed}:
            self.fits.pop(done, None)

    def _look(self, key, **record):
        self.looks.setdefault(key, {name: record[name] for name in LOOK})


def encoded(values):
    """Return numbers as text."""
    return base64.b64encode(np.asarray(values, dtype="<f8")).decode()
