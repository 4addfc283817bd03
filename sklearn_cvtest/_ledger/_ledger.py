"""Ledger: many proposals on the same rows, and which of them are truly better."""

from __future__ import annotations

import copy
import secrets

from .._interval._cross_val_interval import CrossValInterval
from .._losses._named_losses import Loss
from .._store._array_files import parts_of
from .._typing import Any, ArrayLike, Function, PathLike
from .._validation import check_integer, check_level, check_real, invalid, invalid_words
from ._history import LedgerEntry, LedgerHistory, State, advice
from ._log import GAIN, Log, is_due
from ._trials import Trials, ahead_of, hashes_of_params, key_and_clone, pvalue_of


class Ledger:
    """Proposals tried one after the other, and which of them are truly better.

    For whoever improves a model by many small changes on one data set, a person or a
    program. :meth:`propose` says of each whether to build on it, and confirms what
    rows that nobody saw show to be better. Whatever is proposed, also after looking at
    all that was shown, the probability that *any* confirmed proposal is no better than
    the one confirmed before is at most `alpha`. The file holds all that happened and
    can be opened again.

    Parameters
    ----------
    path : str or os.PathLike
        The file, made if it is not there, for its owner only. It holds the losses on
        sealed rows: whoever proposes must not read them there.
    X : array-like, sparse matrix or dataframe of shape (n_samples, n_features)
        The data.
    y : array-like of shape (n_samples,) or (n_samples, n_outputs)
        The target.
    cv : int, splitter or None, default=None
        A K-fold of at least three folds that is not repeated, of the rows that are not
        in the reserve. None means ten folds, stratified for classes if that is
        possible; an int means so many. A splitter needs an integer as its
        `random_state`; whoever knows it, and the data, knows which rows are sealed.
    loss : str, Loss or callable, default="auto"
        As in :func:`cross_val_losses`: smaller is better.
    scoring : str or callable, default=None
        One scikit-learn scorer in place of `loss`.
    alpha : float, default=0.05
        The level of the whole series, in (0, 1).
    margin : float, default=0.0
        What a confirmed improvement must exceed, in units of the loss or score; at
        least 0.
    reserve : float, default=0.2
        Share of the rows that no proposal sees, for :meth:`champion`; in [0, 1).
    budget : int, default=5
        Number of looks at the reserve.
    groups : array-like of shape (n_samples,), default=None
        Label of the group of each example. Groups stay whole in splits and reserve.

    Raises
    ------
    TypeError, ValueError
        If an argument is not as described, the file is not a ledger or damaged, or it
        was made with other data, splits, loss or levels.
    OSError
        If the file cannot be read or written.

    See Also
    --------
    compare_estimators : A few models, compared once.
    compare_candidates : The candidates of a search.

    Notes
    -----
    Two fifths of the folds are shown, the others are sealed; the seed is drawn and kept
    in the file. A proposal becomes the *working* champion if it is better than the last
    one by 0.84 standard errors on the shown folds. It is tested on the sealed folds
    against the *confirmed* champion if it is ahead of that by 1.5 standard errors on
    the shown folds, and, after a test that failed, by 0.5 more than that one was. The
    test is the default test of K-fold, one-sided, at the level 5a/((m + 5)(m + 6)),
    with m the number of tests since the last confirmation and a the level at which it
    was confirmed; at first, a is `alpha`.

    Nothing is told of the sealed rows but whether a test confirms, so what is tested
    depends on the shown losses and on these answers only. The levels of a stage add up
    to its budget a; a confirmation at the level b that is no error opens a stage of the
    budget b, one that is an error is counted already. So the sum over all that can
    happen is at most `alpha`, as in the Ladder [1]_, for any number of confirmations.
    This holds for tests that keep their level: see the guide for how far they do.

    References
    ----------
    .. [1] A. Blum and M. Hardt, "The Ladder: A Reliable Leaderboard for Machine
       Learning Competitions", ICML 2015. :arxiv:`1502.04585`

    Examples
    --------
    >>> import os, tempfile
    >>> from sklearn.datasets import load_breast_cancer
    >>> from sklearn.naive_bayes import GaussianNB
    >>> from sklearn.dummy import DummyClassifier
    >>> from sklearn_cvtest import Ledger
    >>> X, y = load_breast_cancer(return_X_y=True)
    >>> path = os.path.join(tempfile.mkdtemp(), "cancer.ledger")
    >>> ledger = Ledger(path, X, y)
    >>> ledger.propose("majority", DummyClassifier()).decision
    'confirmed'
    >>> ledger.propose("bayes", GaussianNB()).decision
    'confirmed'
    >>> print(ledger.propose("blurred bayes", GaussianNB(var_smoothing=1.0)))
    discarded: no better; go back to bayes
    """

    def __init__(
        self,
        path: PathLike,
        X: Any,
        y: ArrayLike,
        *,
        cv: Any = None,
        loss: str | Loss | Function = "auto",
        scoring: str | Function | None = None,
        alpha: float = 0.05,
        margin: float = 0.0,
        reserve: float = 0.2,
        budget: int = 5,
        groups: ArrayLike | None = None,
    ):
        settings = {
            "alpha": check_level("alpha", alpha),
            "margin": check_real("margin", margin, above=0, closed="low"),
            "reserve": check_real("reserve", reserve, above=0, below=1, closed="low"),
            "budget": check_integer("budget", budget, 1),
        }
        options = {"cv": cv, "reserve": reserve, "loss": loss, "scoring": scoring}
        # by key
        self._state = State()
        self._estimators = {}
        self._log = Log(path, self._state.takes)
        self.path = self._log.path
        with self._log.locked():
            seed = self._state.fixed.get("seed", secrets.randbits(32))
            self._trials = Trials(X, y, groups, seed=seed, **options)
            settings |= self._trials.settings()
            if not self._state.fixed:
                self._log.append(kind="start", **settings)
        for name, value in settings.items():
            if self._state.fixed.get(name) != value:
                raise invalid_words(name, f"as in the ledger {self.path!r}", "another")

    def __repr__(self):
        return f"<Ledger {self.path!r}: {len(self._state.history.entries)} entries>"

    @property
    def working_(self):
        """Entry of the working champion, LedgerEntry; None if there is none."""
        with self._log.locked():
            return self._state.history.working

    @property
    def confirmed_(self):
        """Entry of the confirmed champion, LedgerEntry; None if there is none."""
        with self._log.locked():
            return self._state.history.confirmed

    def propose(self, name: str, estimator: Any) -> LedgerEntry:
        """Try a proposal, and say what to do next.

        Parameters
        ----------
        name : str
            What it is called, a new name.
        estimator : estimator
            The proposal. It is cloned, never changed.

        Returns
        -------
        entry : LedgerEntry
            With the `decision`; printed, it says what to do next. The first proposal
            that works is confirmed. An estimator that was proposed before, by whatever
            name, gets the entry that it has, and nothing is fitted. One whose fit
            raises an error, or whose losses are not finite, has failed: it costs
            nothing and may be proposed again.

        Raises
        ------
        TypeError, ValueError
            If an argument is not as described, another estimator has that name, this
            one has another loss, or the file was changed, cut, moved or replaced.
        OSError
            If the file cannot be read or written, as on a full disk.

        Notes
        -----
        Inside ``joblib.parallel_config(n_jobs=4)``, four folds are fitted at a time.
        Several processes and threads may propose at the same time: they fit side by
        side, and decide one after the other, each against the champions of that moment.
        If a process was killed, at most its last fits on the shown folds, or on the
        sealed ones, are made again. An error on sealed folds is told by its kind only.
        """
        if not isinstance(name, str) or not name:
            raise invalid("name", "a non-empty str", name, TypeError)
        key, self._estimators[key] = key_and_clone(estimator)
        failure = ""
        while True:
            with self._log.locked():
                entry = self._known(name, key) or self._decide(name, key, failure)
                part = "sealed" if key in self._state.found["shown"] else "shown"
            if entry is not None:
                return entry
            failure = self._fit(part, name, key)

    def _known(self, name, key):
        """Return the entry that an estimator has; refuse a name that is taken."""
        entries = [e for e in self._state.history.entries if e.decision != "failed"]
        for entry in reversed(entries):
            if entry.key == key:
                return entry
        if name in [entry.name for entry in entries]:
            raise invalid("name", "a new name for another estimator", name)
        return None

    def _fit(self, part, name, key):
        """Fit on the folds of a part; return why that failed, "" if it did not.

        An error of a fit on sealed folds is known by its kind only.
        """
        try:
            losses = self._trials.losses(part, name, self._estimators[key])
        except Exception as caught:
            failure = type(caught).__name__
            if part == "shown":
                failure += f": {caught}"
            return failure[:500]
        with self._log.locked():
            self._log.append(kind="found", part=part, key=key, saved=parts_of(losses))
        return ""

    def _decide(self, name, key, failure):
        """Write down what is decided; return None if that needs more fits."""
        fields = {"decision": "failed"} if failure else self._weigh(key)
        if fields is None:
            return None
        history = self._state.history
        params = hashes_of_params(self._estimators[key])
        fields |= {"number": len(history.entries) + 1, "name": name, "key": key}
        advice_text = failure or advice(fields, history.working, history.measure)
        self._log.append(kind="entry", params=params, advice=advice_text, **fields)
        return history.entries[-1]

    def _weigh(self, key):
        """Return what is decided, fields of a LedgerEntry; None if fits are missing."""
        history = self._state.history
        shown_losses, sealed_losses, _ = self._state.found.values()
        if key not in shown_losses:
            return None
        mean = shown_losses[key].mean_losses[0]
        margin = history.settings["margin"]
        fields = {"shown_value": history.measure.sign * mean, "decision": "confirmed"}
        if history.working is None:
            return fields if key in sealed_losses else None
        working = history.working.key
        confirmed = history.confirmed.key
        fields["shown_gain"] = shown_losses[working].mean_losses[0] - mean
        fields["ahead"] = ahead_of(shown_losses[confirmed], shown_losses[key], margin)
        if ahead_of(shown_losses[working], shown_losses[key]) < GAIN:
            return fields | {"decision": "discarded"}
        if not is_due(fields["ahead"], history.stage.ahead):
            return fields | {"decision": "working"}
        if key not in sealed_losses:
            return None
        level = fields["level"] = history.stage.level
        if pvalue_of(sealed_losses[confirmed], sealed_losses[key], margin) <= level:
            return fields
        return fields | {"decision": "working"}

    def history(self) -> LedgerHistory:
        """Return all that was proposed, by any process.

        Returns
        -------
        history : LedgerHistory
            To print, plot, write or analyse.

        Raises
        ------
        ValueError, OSError
            If the file cannot be read, or was changed, cut, moved or replaced.
        """
        with self._log.locked():
            return copy.deepcopy(self._state.history)

    def champion(self) -> CrossValInterval:
        """Return how good the confirmed champion is, on rows that no proposal saw.

        It is fitted on all rows but the reserve. A look at a champion that was looked
        at before is free.

        Returns
        -------
        interval : CrossValInterval
            Its score with an interval of confidence 1 - alpha/budget, so that all looks
            hold together with probability 1 - alpha.

        Raises
        ------
        ValueError
            If there is no reserve or no champion, `budget` looks were made, or the
            champion was proposed in another process; propose it again, which fits
            nothing.
        """
        history = self._state.history
        with self._log.locked():
            entry = self._to_look_at()
        if entry.key not in history.looks:
            level = 1 - history.settings["alpha"] / history.settings["budget"]
            interval = self._trials.look(entry.name, self._estimators[entry.key], level)
            record = {"part": "reserve", "key": entry.key, "saved": parts_of(interval)}
            with self._log.locked():
                self._to_look_at()
                self._log.append(kind="found", **record)
        return history.looks[entry.key]

    def _to_look_at(self):
        """Return the entry of the champion; refuse a look that cannot be."""
        history = self._state.history
        entry = self._state.history.confirmed
        if entry is None or not history.settings["n_rows_reserve"]:
            raise ValueError(f"{self!r} has no champion yet, or no `reserve`.")
        budget = history.settings["budget"]
        is_new = entry.key not in history.looks
        if is_new and len(history.looks) >= budget:
            raise invalid("budget", "larger for another look at the reserve", budget)
        if is_new and entry.key not in self._estimators:
            raise ValueError(f"Propose {entry.name!r} again: it is of another process.")
        return entry
