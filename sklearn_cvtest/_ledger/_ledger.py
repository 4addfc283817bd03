"""Ledger: proposals against a champion, on the same rows, kept only if truly better."""

import time
from datetime import UTC, datetime

import numpy as np

from .._engine._arguments import check_n_jobs
from .._losses._named_losses import Loss
from .._results._cross_val_interval import CrossValInterval, cross_val_interval
from .._splits._indices import split_digest
from .._store._journal import Journal
from .._typing import Any, ArrayLike, Function, PathLike
from .._validation import check_integer, check_level, check_real, invalid, one_line
from ._history import KIND, LedgerHistory, history_of
from ._proposals import Trial, as_text, changes, from_text, known_content, params_of
from ._rule import HALF_AFTER, LOOKS_GOOD, level_of
from ._state import LedgerEntry, State, encoded, record_of
from ._trials import Trials

FIRST = "It is the first."
BETTER = "The sealed rows show that it is better."
MAYBE = "It is better on the shown rows; the sealed rows do not show that it is."
NOT_BETTER = "Too little is gained on the shown rows for a test on the sealed ones."


class Ledger:
    """Proposals tried against a champion, kept only if they are truly better.

    For whoever improves a model by many small changes on one data set, a person or a
    program: :meth:`propose` compares each with the champion, and whatever is proposed,
    also after looking at all scores that were shown, the probability that the first
    change that is kept is no improvement is at most `alpha`. The file holds all that
    happened and can be opened again.

    Parameters
    ----------
    path : str or os.PathLike
        The file, made if it is not there. It holds the losses on sealed rows: whoever
        proposes must not read them there.
    X : array-like, sparse matrix or dataframe of shape (n_samples, n_features)
        The data.
    y : array-like of shape (n_samples,) or (n_samples, n_outputs)
        The target.
    cv : int, splitter or None, default=None
        A K-fold of at least three folds that is not repeated, of the rows that are not
        in the reserve. None means ten folds, stratified for classes if that is
        possible; an int means so many.
    loss : str, Loss or callable, default="auto"
        As in :func:`cross_val_losses`: smaller is better.
    scoring : str or callable, default=None
        One scikit-learn scorer in place of `loss`.
    alpha : float, default=0.05
        The level of the whole series, in (0, 1).
    margin : float, default=0.0
        What an improvement must exceed, in units of the loss or score; at least 0.
    reserve : float, default=0.2
        Share of the rows that no proposal sees, for :meth:`champion`; in [0, 1).
    budget : int, default=5
        Number of looks at the reserve.
    groups : array-like of shape (n_samples,), default=None
        Label of the group of each example. Groups stay whole in splits and reserve.
    random_state : int, default=0
        Seed of reserve and splits.
    n_jobs : int, default=None
        Number of splits on which a proposal is fitted at a time, as in joblib.

    Raises
    ------
    TypeError, ValueError
        If an argument is not as described, the file is not a ledger or damaged, or it
        was made with other data, splits, loss or levels.

    See Also
    --------
    compare_estimators : A few models, compared once.
    compare_candidates : The candidates of a search.

    Notes
    -----
    The first fifth of the folds is shown, the others are sealed. A proposal is fitted
    on the shown folds; if it is not better there by 0.84 standard errors, it is
    discarded, which costs nothing. Otherwise it is fitted on the sealed folds and
    tested there with the default test of K-fold, one-sided, at the level
    5 alpha/((m + 5)(m + 6)), with m the number of tests before that kept nothing; these
    levels add up to alpha. Nothing is told of the sealed rows but whether the proposal
    is kept, so that until the first is, what is proposed does not depend on them, and
    the union bound holds however the shown losses are used. This is the
    idea of the Ladder [1]_. What was kept tells a little of the sealed rows, of
    which this takes no account.

    Only the last fold decides that a proposal is kept: as champion it needs the losses
    on all of them.

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
    'keep'
    >>> ledger.propose("bayes", GaussianNB()).decision
    'keep'
    >>> ledger.propose("blurred bayes", GaussianNB(var_smoothing=1.0)).decision
    'discard'
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
        random_state: int = 0,
        n_jobs: int | None = None,
    ):
        self.n_jobs = check_n_jobs(n_jobs)
        settings = {
            "alpha": check_level("alpha", alpha),
            "margin": check_real("margin", margin, above=0, closed="low"),
            "reserve": check_real("reserve", reserve, above=0, below=1, closed="low"),
            "budget": check_integer("budget", budget, 1),
        }
        seed = check_integer("random_state", random_state, 0, 2**32 - 1)
        self._trials = Trials(
            X,
            y,
            groups,
            cv=cv,
            reserve=settings["reserve"],
            random_state=seed,
            loss=loss,
            scoring=scoring,
        )
        self._margin, self._alpha = settings["margin"], settings["alpha"]
        self._estimators = {}  # by key, of this process
        self._state, self._journal = State(), Journal(path, KIND)
        self._start(settings | self._described())

    @property
    def path(self):
        """The file, str."""
        return self._journal.path

    def __repr__(self):
        n = len(self._state.entries)
        return one_line(f"<Ledger {self.path}: {n} proposal{'s' * (n != 1)}>")

    def _described(self):
        """Return what the file must agree with."""
        trials = self._trials
        found = {}
        for name, part in zip(("X", "y", "groups"), trials.whole, strict=True):
            found[name] = known_content(name, part)
        measured = "scoring" if trials.options["scoring"] is not None else "loss"
        return found | {
            "loss": known_content(measured, tuple(trials.options.values())),
            "splits": split_digest([(trials.open, trials.reserve), *trials.splits]),
            "rule": [LOOKS_GOOD, HALF_AFTER],
            "n_splits": len(trials.splits),
            "n_shown": trials.n_shown,
            "n_rows": [
                sum(len(trials.splits[k][1]) for k in trials.shown),
                sum(len(trials.splits[k][1]) for k in trials.sealed),
                len(trials.reserve),
            ],
        }

    def _start(self, settings):
        """Write the settings into a new file, or compare them with an old file's."""
        with self._journal.locked():
            self._read()
            known = self._state.settings
            if known is None:
                self._append({"kind": "start"} | settings, is_safe=True)
                return
        for name, value in settings.items():
            if known.get(name) != value:
                shown = "other data" if name in ("X", "y", "groups") else value
                shown = "another one" if name in ("splits", "loss") else shown
                hint = "A splitter needs an integer `random_state`." * (
                    name == "splits"
                )
                parameter = "cv" if name == "splits" else name
                raise ValueError(
                    f"`{parameter}` must be as in the ledger {self.path!r}; got "
                    f"{shown}. {hint}".rstrip()
                )

    def _read(self):
        self._state.take(self._journal.read())

    def _append(self, record, is_safe=False):
        self._journal.append(record, is_safe=is_safe)
        self._state.take([dict(record)])

    def propose(self, name: str, estimator: Any) -> LedgerEntry:
        """Compare a proposal with the champion; keep it only if it is better.

        Parameters
        ----------
        name : str
            What it is called, a new name.
        estimator : estimator
            The proposal. It is cloned, never changed.

        Returns
        -------
        entry : LedgerEntry
            With the `decision`. The first proposal that works is kept. An estimator
            that was proposed before, by whatever name, gets the entry that it has, and
            nothing is fitted. One that cannot be fitted, or whose losses are not
            finite, has "failed", with the error as the reason, and may be proposed
            again. Neither costs any level.

        Raises
        ------
        TypeError, ValueError
            If an argument is not as described, or another estimator has that name.

        Notes
        -----
        Several processes and threads may propose at the same time: they fit side by
        side, and decide one after the other, each against the champion of that moment.
        What was fitted before a process was killed is not fitted again.
        """
        if not isinstance(name, str) or not name:
            raise invalid("name", "a non-empty str", name, TypeError)
        trial = Trial.of(name, estimator)
        self._estimators[trial.key] = trial.estimator
        with self._journal.locked():
            self._read()
            known = self._known_entry(trial)
        if known is not None:
            return known
        return self._try(trial)

    def _known_entry(self, trial):
        """Return the entry of the same estimator; refuse a name of another."""
        state = self._state
        known = state.entries.get(trial.key)
        if known is not None and known.decision != "failed":
            return known
        if state.names.get(trial.name, trial.key) != trial.key:
            hint = "Another estimator was proposed by this name."
            raise invalid("name", "a new name", trial.name, hint=hint)
        return None

    def _try(self, trial):
        self._fit(trial, self._trials.shown)
        while True:
            with self._journal.locked():
                self._read()
                entry = self._known_entry(trial) or self._decide(trial)
            if entry is not None:
                return entry
            self._fit(trial, self._trials.sealed)

    def _fit(self, trial, numbers):
        """Fit on splits, and write down the losses on each."""
        known = self._state.fits.get(trial.key, {})
        numbers = [number for number in numbers if number not in known]
        start = time.perf_counter()
        try:
            plan = self._trials.plan(trial.name, trial.estimator)
            trial.measure = [plan.measures[0].name, plan.measures[0].is_score]
            if self._state.measure not in (None, trial.measure):
                raise TypeError(
                    f"it is measured by {trial.measure[0]!r}, the champion "
                    f"by {self._state.measure[0]!r}"
                )
            fits = self._trials.fit(plan, numbers, self.n_jobs)
        except Exception as error:
            trial.failure = failure_of(error)
            fits = ()
        for number, values in failing(fits, trial):
            record = {"kind": "fit", "key": trial.key, "split": number}
            with self._journal.locked():  # what is raised here is no failed fit
                self._read()
                self._append(record | {"values": encoded(values)})
        trial.seconds += time.perf_counter() - start

    def _decide(self, trial):
        """Write down what is decided; return None if that needs more fits."""
        state, trials = self._state, self._trials
        fits, old = state.fits.get(trial.key, {}), state.fits.get(state.champion)
        is_complete = len(fits) == len(trials.splits)
        level, params, gain, value = 0.0, None, np.nan, np.nan
        if trial.failure is not None:
            decision, reason = "failed", f"It failed: {trial.failure}"
        else:
            sign = -1 if trial.measure[1] else 1
            value = sign * trials.shown_mean(fits)
            if old is not None:
                gain = trials.shown_mean(old) - trials.shown_mean(fits)
            if old is not None and not trials.looks_better(old, fits, self._margin):
                decision, reason = "discard", NOT_BETTER
            elif not is_complete:
                return None
            elif old is None:
                decision, reason = "keep", FIRST
            else:
                level = level_of(state.n_charged, self._alpha)
                is_kept = trials.pvalue(old, fits, self._margin) <= level
                decision, reason = ("keep", BETTER) if is_kept else ("undecided", MAYBE)
                level = 0.0 if is_kept else level
        champion = state.entries.get(state.champion)
        described = params_of(trial.estimator)
        entry = LedgerEntry(
            number=len(state.entries) + 1,
            name=trial.name,
            decision=decision,
            reason=reason,
            champion=None if champion is None else champion.name,
            changed=changes(state.params, described),
            shown_value=value,
            shown_gain=gain,
            level=level,
            n_fits=len(fits),
            seconds=trial.seconds,
            time=datetime.now(UTC).isoformat(timespec="seconds"),
        )
        params = described if decision == "keep" else None
        of_trial = {"key": trial.key, "measure": trial.measure, "params": params}
        is_safe = decision != "discard"  # which takes milliseconds
        self._append(record_of(entry, **of_trial), is_safe=is_safe)
        return entry

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
        with self._journal.locked():
            self._read()
        self._refuse_none()
        return history_of(self._state)

    def _refuse_none(self):
        if not self._state.entries:
            raise ValueError(f"Nothing was proposed to the ledger {self.path!r} yet.")

    def champion(self, estimator: Any = None) -> CrossValInterval:
        """Return how good the champion is, on the reserve that no proposal saw.

        It is fitted on all other rows. A look at a champion that was looked at before
        is free.

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
            If there is no reserve or no champion, `budget` looks were made, or
            `estimator` is not the champion.
        """
        trial = None if estimator is None else Trial.of("champion", estimator)
        with self._journal.locked():
            self._read()
            key = self._state.champion
            if key is None:
                raise ValueError(f"The ledger {self.path!r} has no champion yet.")
            name = self._state.entries[key].name
            if trial is not None and trial.key != key:
                raise invalid("estimator", f"the champion, {name!r}", estimator)
            known = [look for look in self._state.looks if look["key"] == key]
            if known:
                return from_text(known[0]["file"])
            self._check_budget()
            if trial is None and key not in self._estimators:
                hint = "It was proposed in another process."
                allowed = f"the champion, {name!r}"
                raise invalid("estimator", allowed, None, TypeError, hint)
            found = self._look(
                name, trial.estimator if trial else self._estimators[key]
            )
            number, level = self._state.entries[key].number, found.confidence_level
            look = {"name": name, "number": number, "level": level}
            look |= {k: found.rows()[0][k] for k in ("estimate", "ci_low", "ci_high")}
            of_file = {"kind": "look", "key": key, "file": as_text(found)}
            self._append(of_file | look, is_safe=True)
            return found

    def _check_budget(self):
        if not len(self._trials.reserve):
            raise invalid("reserve", "above 0 for a look at it", 0)
        budget = self._state.settings["budget"]
        if len(self._state.looks) >= budget:
            allowed = "large enough for another look at the reserve"
            raise invalid("budget", allowed, budget)

    def _look(self, name, estimator):
        """Return how good an estimator is on the reserve."""
        trials, settings = self._trials, self._state.settings
        X, y, groups = trials.whole
        return cross_val_interval(
            {name: estimator},
            X,
            y,
            groups=groups,
            cv=[(trials.open, trials.reserve)],
            confidence_level=1 - settings["alpha"] / settings["budget"],
            error_score="raise",
            **trials.options,
        )


def failure_of(error):
    """Return why a fit failed, on a line."""
    return one_line(f"{type(error).__name__}: {error}")[:500]


def failing(fits, trial):
    """Yield fits; the error of one that fails is noted, and ends them."""
    fits = iter(fits)
    while True:
        try:
            found = next(fits, None)
        except Exception as error:
            trial.failure = failure_of(error)
            return
        if found is None:
            return
        yield found
