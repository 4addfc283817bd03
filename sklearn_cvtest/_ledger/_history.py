"""LedgerHistory: all that was proposed, as a result."""

from dataclasses import dataclass, fields
from typing import NamedTuple

from .._display._ledger import draw_history
from .._display._pictures import ledger_picture
from .._report._ledger import history_document
from .._results._result import Result
from .._store._journal import Journal
from .._typing import Axes
from .._validation import invalid
from ._rule import level_of
from ._state import LedgerEntry, State

KIND = "ledger"


class Measured(NamedTuple):
    """What losses are of, as CVLosses say it."""

    loss_name: str
    is_score: bool
    is_weighted: bool = False


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
        Looks at the reserve: "name" of the champion, "estimate", "low", "high" and
        "level".
    """

    entries: tuple
    settings: dict
    measure: tuple
    looks: tuple

    no_file = "the file of the ledger holds it."

    @property
    def of_measure(self):
        """What values are of: a Measured."""
        return Measured(*self.measure)

    @property
    def champion(self):
        """The name of the champion, None before the first proposal that worked."""
        kept = [entry.name for entry in self.entries if entry.decision == "keep"]
        return kept[-1] if kept else None

    @property
    def counts(self):
        """How many proposals there are of each decision, dict."""
        found = [entry.decision for entry in self.entries]
        return {name: found.count(name) for name in ("keep", "undecided", "discard")}

    @property
    def spent(self):
        """The level that was spent, of `alpha`, by tests that kept nothing, float."""
        return float(sum(entry.level for entry in self.entries))

    @property
    def next_level(self):
        """The level of the next test, float."""
        n_charged = sum(entry.level > 0 for entry in self.entries)
        return level_of(n_charged, self.settings["alpha"])

    @property
    def n_fits(self):
        """Number of fits, and number that full cross-validations need, tuple of int."""
        n_splits = self.settings["n_splits"]
        return sum(e.n_fits for e in self.entries), n_splits * len(self.entries)

    def _document(self):
        return history_document(self, lambda: [ledger_picture(self)])

    def _columns(self):
        names = [field.name for field in fields(LedgerEntry)]
        columns = {name: [getattr(e, name) for e in self.entries] for name in names}
        return columns | {"changed": ["; ".join(c) for c in columns["changed"]]}

    def plot(self, *, ax: Axes | None = None) -> Axes:
        """Draw the proposals in their order, the champion's line and the spent level.

        Parameters
        ----------
        ax : matplotlib Axes, default=None
            Where to draw; None makes a new figure.

        Returns
        -------
        ax : matplotlib Axes
            With the picture: the level is on its right axis.

        Raises
        ------
        ImportError
            If matplotlib is not installed.
        """
        return draw_history(self, ax)


def history_of(state):
    """Return the LedgerHistory of what is known."""
    looks = tuple(
        {k: v for k, v in look.items() if k not in ("file", "key", "kind")}
        for look in state.looks
    )
    hashes = "X", "y", "groups", "loss", "splits"
    settings = {k: v for k, v in state.settings.items() if k not in hashes}
    entries = tuple(state.entries.values())
    measure = tuple(state.measure or ("loss", False))
    return LedgerHistory(entries, settings, measure, looks)


def read_history(path):
    """Return the LedgerHistory of a file."""
    state = State()
    state.take(Journal(path, KIND).read())
    if not state.entries:
        raise invalid("path", "a ledger with a proposal", path)
    return history_of(state)
