"""Ledger: many proposals on the same rows, and which of them are truly better."""

import contextlib
import secrets
from datetime import UTC, datetime

import numpy as np

from .._engine._arguments import check_n_jobs
from .._losses._named_losses import Loss
from .._results._cross_val_interval import CrossValInterval
from .._typing import Any, ArrayLike, Function, PathLike
from .._validation import (
    check_flag,
    check_integer,
    check_level,
    check_real,
    invalid,
    invalid_words,
    one_line,
)
from ._history import LedgerHistory, advice, history_of
from ._log import Log
from ._proposals import changes, cloned, params_of
from ._rule import AHEAD, FURTHER, GAIN, HALF_AFTER, is_due
from ._state import LedgerEntry, State, encoded
from ._trials import Trials

RULE = [GAIN, AHEAD, FURTHER, HALF_AFTER]


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
        possible; an int means so many. Whoever knows the seed of a splitter that is
        given, and the data, knows which rows are sealed.
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
    n_jobs : int, default=None
        Number of splits on which a proposal is fitted at a time, as in joblib.
    store_params : bool, default=False
        Whether the file holds the values of parameters, or only their hashes.

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
        n_jobs: int | None = None,
        store_params: bool = False,
    ):
        self.n_jobs, self._estimators = check_n_jobs(n_jobs), {}  # by key
        self.store_params = check_flag("store_params", store_params)
        settings = {
            "alpha": check_level("alpha", alpha),
            "margin": check_real("margin", margin, above=0, closed="low"),
            "reserve": check_real("reserve", reserve, above=0, below=1, closed="low"),
            "budget": check_integer("budget", budget, 1),
            "rule": RULE,
        }
        self._state, self._log, seed = State(), Log(path), secrets.randbits(32)
        data = {"cv": cv, "reserve": reserve, "loss": loss, "scoring": scoring}
        self._trials = Trials(X, y, groups, seed=seed, **data)  # before there is a file
        with self._current() as state:
            if state.settings is None:
                found = settings | self._trials.described()
                self._append({"kind": "start", "seed": seed} | found)
            seed = state.settings["seed"]
        if seed != self._trials.seed:  # an older file, or another process was faster
            self._trials = Trials(X, y, groups, seed=seed, **data)
        self._refuse_others(settings | self._trials.described())

    @property
    def path(self):
        """The file, str."""
        return self._log.path

    def __repr__(self):
        n = len(self._state.entries)
        return one_line(f"<Ledger {self.path}: {n} proposal{'s' * (n != 1)}>")

    @property
    def working_(self):
        """Entry of the working champion, LedgerEntry; None if there is none."""
        with self._current() as state:
            return state.decided.get(state.working)

    @property
    def confirmed_(self):
        """Entry of the confirmed champion, LedgerEntry; None if there is none."""
        with self._current() as state:
            return state.decided.get(state.confirmed)

    @contextlib.contextmanager
    def _current(self):
        """Lock the file, and give the state that it describes."""
        with self._log.locked():
            self._state.read(self._log)
            yield self._state

    def _append(self, record):
        self._log.append(record)
        self._state.take(**record)

    def _refuse_others(self, found):
        """Refuse settings and data other than the file has."""
        for name, value in found.items():
            if self._state.settings.get(name) != value:
                allowed = f"as in the ledger {self.path!r}"
                shown = str(value) if isinstance(value, float) else "another one"
                hint = "A splitter needs an integer `random_state`." * (name == "cv")
                raise invalid_words(name, allowed, shown, hint=hint)

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
            If an argument is not as described, another estimator has that name, or the
            file was changed, cut, moved or replaced.
        OSError
            If the file cannot be read or written, as on a full disk.

        Notes
        -----
        Several processes and threads may propose at the same time: they fit side by
        side, and decide one after the other, each against the champions of that moment.
        What was fitted before a process was killed is not fitted again.
        """
        if not isinstance(name, str) or not name:
            raise invalid("name", "a non-empty str", name, TypeError)
        estimator, key = cloned(estimator)
        self._estimators[key] = estimator
        failure = None
        while True:
            with self._current() as state:
                names = {entry.name for entry in state.decided.values()}
                if key not in state.decided and name in names:
                    hint = "Another estimator was proposed by this name."
                    raise invalid("name", "a new name", name, hint=hint)
                entry = state.decided.get(key) or self._decide(name, key, failure)
                known = state.fits.get(key, {}).keys()
            if entry is not None:
                return entry
            failure = self._fit(name, key, known)

    def _fit(self, name, key, known):
        """Fit on the shown splits, or on the others; return why that failed.

        An error of a fit on a sealed split is known by its kind only.
        """
        trials, is_shown = self._trials, not known >= set(self._trials.shown)
        numbers = sorted({*(trials.shown if is_shown else trials.sealed)} - known)
        found = trials.losses(name, self._estimators[key], numbers, self.n_jobs)
        while True:
            try:
                number, values, measure = next(found)
                if self._state.measure not in (None, measure):
                    raise TypeError(f"it is measured by {measure[0]!r}")
            except StopIteration:
                return None
            except Exception as caught:
                text = f": {caught}" * is_shown
                return one_line(f"{type(caught).__name__}{text}")[:500]
            record = {"kind": "fit", "key": key, "split": number, "measure": measure}
            with self._current():
                self._append(record | {"values": encoded(values)})

    def _decide(self, name, key, failure):
        """Write down what is decided; return None if that needs more fits."""
        state = self._state
        fits = state.fits.get(key, {})
        found = ("failed", *[np.nan] * 3, 0.0) if failure else self._weigh(fits)
        if found is None:
            return None
        decision, value, gain, ahead, level = found
        champion = state.decided[state.working].name if state.working else ""
        params = params_of(self._estimators[key], self.store_params)
        measure = state.measure or ("loss", False)
        entry = LedgerEntry(
            number=len(state.entries) + 1,
            name=name,
            decision=decision,
            advice=advice(decision, champion, measure, gain, level, failure),
            champion=champion,
            changed=changes(state.params, params),
            shown_value=-value if measure[1] else value,
            shown_gain=gain,
            ahead=ahead,
            level=level,
            n_fits=len(fits),
            time=datetime.now(UTC).isoformat(timespec="seconds"),
        )
        self._append({"kind": "entry", "key": key, "params": params} | vars(entry))
        return entry

    def _weigh(self, fits):
        """Return decision, value, gain, ahead and level; None if fits are missing."""
        state, trials = self._state, self._trials
        margin = state.settings["margin"]
        if not fits.keys() >= set(trials.shown):
            return None
        value, is_complete = trials.shown_mean(fits), len(fits) == len(trials.splits)
        if state.working is None:
            return ("confirmed", value, np.nan, np.nan, 0.0) if is_complete else None
        working, confirmed = state.fits[state.working], state.fits[state.confirmed]
        gain = trials.shown_mean(working) - value
        ahead = trials.ahead(confirmed, fits, margin)
        if trials.ahead(working, fits) < GAIN:
            return "discarded", value, gain, ahead, 0.0
        if not is_due(ahead, state.stage.ahead):
            return "working", value, gain, ahead, 0.0
        if not is_complete:
            return None
        is_better = trials.pvalue(confirmed, fits, margin) <= state.stage.level
        decision = "confirmed" if is_better else "working"
        return decision, value, gain, ahead, state.stage.level

    def history(self) -> LedgerHistory:
        """Return all that was proposed, by any process.

        Returns
        -------
        history : LedgerHistory
            To print, plot, write or analyse.

        Raises
        ------
        ValueError
            If nothing was proposed yet.
        """
        with self._current() as state:
            return history_of(state, self._log)

    def champion(self, estimator: Any = None) -> CrossValInterval:
        """Return how good the confirmed champion is, on rows that no proposal saw.

        It is fitted on all rows but the reserve. A look at a champion that was looked
        at before costs nothing of the budget.

        Parameters
        ----------
        estimator : estimator, default=None
            The champion; needed only if it was proposed in another process.

        Returns
        -------
        interval : CrossValInterval
            Its score with an interval of confidence 1 - alpha/budget, so that all looks
            hold together with probability 1 - alpha.

        Raises
        ------
        TypeError, ValueError
            If there is no reserve or no champion, `budget` looks were made,
            or `estimator` is not the champion.
        """
        given = None
        if estimator is not None:
            estimator, given = cloned(estimator)
            self._estimators[given] = estimator
        with self._current() as state:
            key, settings = state.confirmed, state.settings
            self._check_look(key)
            if given not in (None, key):
                allowed = f"the champion, {state.decided[key].name!r}"
                raise invalid("estimator", allowed, estimator)
            name, known = state.decided[key].name, self._estimators.get(key)
        if known is None:
            hint = "It was proposed in another process."
            raise invalid("estimator", f"the champion, {name!r}", None, TypeError, hint)
        level = 1 - settings["alpha"] / settings["budget"]
        found = self._trials.look(name, known, level)
        look = {k: found.rows()[0][k] for k in ("estimate", "ci_low", "ci_high")}
        look |= {"kind": "look", "key": key, "name": name, "level": level}
        with self._current() as state:
            self._check_look(key)
            if key not in state.looks:
                self._append(look)
        return found

    def _check_look(self, key):
        """Refuse a look where there is nothing to see, or were too many."""
        if key is None:
            raise ValueError(f"The ledger {self.path!r} has no champion yet.")
        if not len(self._trials.reserve):
            raise invalid("reserve", "above 0 for a look at it", 0)
        budget, looks = self._state.settings["budget"], self._state.looks
        if key not in looks and len(looks) >= budget:
            allowed = "large enough for another look at the reserve"
            raise invalid("budget", allowed, budget)
