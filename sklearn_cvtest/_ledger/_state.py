"""What the records of a ledger say: its settings, entries, fits, and looks."""

import base64
from dataclasses import asdict, dataclass, fields

import numpy as np

from .._validation import one_line


@dataclass(frozen=True, repr=False)
class LedgerEntry:
    """A proposal, and what became of it. Made by :meth:`Ledger.propose`.

    Attributes
    ----------
    number : int
        The place in the series, from 1.
    name : str
        The name of the proposal.
    decision : {"keep", "undecided", "discard", "failed"}
        "keep": it is the champion from then on. "undecided": it was better on the shown
        rows, but the test of the sealed rows did not show that it is. "discard": it was
        not enough better on the shown rows to be tested. "failed": a fit raised an
        error; it may be proposed again.
    reason : str
        Why, in a sentence.
    champion : str or None
        The champion that it was compared with, None of the first.
    changed : tuple of str
        Parameters that differ from the champion's, as "name: old → new".
    shown_value : float
        Mean loss (or score, with its sign) on the shown rows; nan if it failed.
    shown_gain : float
        By how much that is better than the champion's; nan of the first.
    level : float
        The level of the test that it cost; 0 where there was none, and if it was kept.
    n_fits : int
        Number of splits on which it was fitted.
    seconds : float
        That this took.
    time : str
        When it was decided, in UTC.
    """

    number: int
    name: str
    decision: str
    reason: str
    champion: str | None
    changed: tuple
    shown_value: float
    shown_gain: float
    level: float
    n_fits: int
    seconds: float
    time: str

    def __repr__(self):
        return one_line(f"<LedgerEntry {self.number} {self.name}: {self.decision}>")

    def __str__(self):
        return one_line(f"{self.decision}: {self.name}. {self.reason}")


NAMES = [field.name for field in fields(LedgerEntry)]


class State:
    """What is known from the records that were read so far."""

    def __init__(self):
        self.settings = None
        self.measure = None  # name and whether it is a score, of the first fit
        self.entries = {}  # by the key of the estimator
        self.names = {}  # key by name
        self.params = {}  # of the champion
        self.champion = None  # the key
        self.fits = {}  # {split: values} by key, of what may be needed again
        self.looks = []

    @property
    def n_charged(self):
        """Number of tests that kept nothing, int."""
        return sum(entry.level > 0 for entry in self.entries.values())

    def take(self, records):
        """Take note of records."""
        for record in records:
            takers = {
                "start": self._take_start,
                "fit": self._take_fit,
                "entry": self._take_entry,
                "look": self.looks.append,
            }
            takers[record["kind"]](record)

    def _take_start(self, record):
        self.settings = {k: v for k, v in record.items() if k != "kind"}

    def _take_fit(self, record):
        known = self.fits.setdefault(record["key"], {})
        known.setdefault(record["split"], decoded(record["values"]))
        if record["key"] in self.entries and record["key"] != self.champion:
            del self.fits[record["key"]]  # two processes had the same proposal

    def _take_entry(self, record):
        entry = LedgerEntry(
            **{name: record[name] for name in NAMES if name != "changed"},
            changed=tuple(record["changed"]),
        )
        key = record["key"]
        self.entries[key], self.names[entry.name] = entry, key
        out = self.champion if entry.decision == "keep" else key
        self.fits.pop(out, None)
        if entry.decision == "keep":
            self.champion, self.params = key, record["params"]
        if record["measure"] is not None:
            self.measure = self.measure or record["measure"]


def record_of(entry, **others):
    """Return the record of an entry."""
    return {"kind": "entry"} | asdict(entry) | others


def encoded(values):
    """Return numbers as text."""
    return base64.b64encode(np.asarray(values, dtype="<f8")).decode()


def decoded(text):
    """Return the numbers of a text."""
    return np.frombuffer(base64.b64decode(text), dtype="<f8")
