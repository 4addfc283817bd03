"""LedgerHistory: all that was proposed, as a result."""

from dataclasses import dataclass

from .._display._pictures import picture_of
from .._results._result import Result
from .._typing import Axes
from ._log import Log
from ._picture import draw_history
from ._state import DECISIONS, ENTRY, SETTINGS, State
from ._words import history_document


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
    """

    entries: tuple
    settings: dict
    measure: tuple
    looks: tuple
    next_level: float

    no_file = "the file of the ledger holds it."

    @property
    def n_rows(self):
        """Number of rows, int."""
        return sum(n for name, n in self.settings.items() if name.startswith("n_rows"))

    @property
    def champions(self):
        """Entries of the champions, {"working": entry or None, "confirmed": ...}."""
        found = {"working": None, "confirmed": None}
        for entry in self.entries:
            tiers = {"confirmed": found, "working": ["working"]}
            found |= dict.fromkeys(tiers.get(entry.decision, ()), entry)
        return found

    @property
    def working(self):
        """Entry of the working champion, None before the first that worked."""
        return self.champions["working"]

    @property
    def confirmed(self):
        """Entry of the confirmed champion, None before the first that worked."""
        return self.champions["confirmed"]

    @property
    def counts(self):
        """How many proposals there are of each decision, dict."""
        found = [entry.decision for entry in self.entries]
        return {name: found.count(name) for name in DECISIONS}

    def _document(self):
        title, caption = "Proposals in their order", "Means on the shown rows."
        options = title, caption, (7.2, 4.6)
        return history_document(self, lambda: [picture_of(self._draw, *options)])

    def _draw(self, ax):
        return draw_history(self, ax)

    def _columns(self):
        columns = {name: [getattr(e, name) for e in self.entries] for name in ENTRY}
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
        return draw_history(self, ax)


def history_of(state, log):
    """Return the LedgerHistory of what is known; the seed is not in it."""
    if not state.entries:
        raise log.refused("nothing was proposed yet")
    looks = [{k: v for k, v in a.items() if k != "file"} for a in state.looks.values()]
    settings = {name: state.settings[name] for name in SETTINGS if name != "seed"}
    measure = state.measure or ("loss", False)
    level = state.stage.level
    return LedgerHistory(tuple(state.entries), settings, measure, tuple(looks), level)


def read_history(path):
    """Return the LedgerHistory of a file."""
    log, state = Log(path), State()
    with log.locked("rb"):
        records = log.read()
    try:
        state.take(records)
        return history_of(state, log)
    except (TypeError, ValueError) as error:
        raise log.refused(error) from None
