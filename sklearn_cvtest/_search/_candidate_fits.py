"""What a candidate of a search gives on one split: scores, and losses of examples."""

import itertools
import sys
import time
import traceback
from dataclasses import dataclass
from typing import Any

import numpy as np
from sklearn.base import clone
from sklearn.exceptions import FitFailedWarning
from sklearn.utils.parallel import Parallel, delayed

from .._compat import (
    is_pairwise,
    n_rows,
    report_failed_fits,
    score_test_set,
    scorers_by_name,
    with_scorer,
)
from .._engine._fitting import Data, Fold, Job, fit_job
from .._engine._routing import slice_params
from .._losses._measures import MultiMeasure
from .._losses._metric_measure import MetricMeasure, ScorerCall
from .._validation import warn


@dataclass(frozen=True)
class Scoring:
    """How the candidates of a search are scored.

    Attributes
    ----------
    scorer : callable
        A scorer, or several in one of scikit-learn.
    params : dict
        What it is called with besides the test set.
    metric : str or None
        The name, among several, of the metric that candidates race by.
    measure : MetricMeasure or None
        That metric, if it gives examples losses.
    error_score : "raise" or float
        The score of a fit that fails.
    with_train : bool
        Whether training sets are scored, too.
    """

    scorer: Any
    params: dict
    metric: str | None
    measure: MetricMeasure | None
    error_score: Any
    with_train: bool

    def scores_and_losses(self, estimator, X, y, params):
        """Return scores on a test set, and losses of its examples, None without any."""
        if self.measure is None:
            return self.scores(estimator, X, y, params, self.scorer), None
        recording, calls = self.measure.recording_scorer()
        scorer = recording
        if scorers_by_name(self.scorer):
            scorer = with_scorer(self.scorer, self.metric, recording)
        scores = self.scores(estimator, X, y, params, scorer)
        score = scores[self.metric] if isinstance(scores, dict) else scores
        if not calls:  # it failed before it had predictions
            return scores, np.full(n_rows(X), -float(score))
        return scores, self._losses(ScorerCall(score, *calls[-1]))

    def _losses(self, call):
        """Return the losses of examples, None if a score is not made of such."""
        try:
            return self.measure.values(call, None, None, None)
        except ValueError:
            return None

    def scores(self, estimator, X, y, params, scorer):
        """Return a score, or a dict of several."""
        return score_test_set(estimator, X, y, scorer, params, self.error_score)

    def scores_of_failed(self):
        """Return the scores of a fit that failed."""
        scorers = scorers_by_name(self.scorer)
        if scorers is None:
            return self.error_score
        return dict.fromkeys(scorers, self.error_score)


def fit_candidate(fold, job, scoring):
    """Fit a candidate on one split and score it.

    Parameters
    ----------
    fold : Fold
        The split.
    job : Job
        The candidate.
    scoring : Scoring
        How it is scored.

    Returns
    -------
    fit : dict
        What a search of scikit-learn keeps of a fit, "test_scores" to "fit_error", and
        "losses" of examples or None.
    """
    start = time.perf_counter()
    try:
        estimator, slices, fit_time = fit_job(fold, job)
    except Exception:
        if scoring.error_score == "raise":
            raise
        seconds = time.perf_counter() - start
        return _failed_fit(fold, scoring, seconds, traceback.format_exc())
    X_train, y_train, X_test, y_test = slices
    n_samples = n_rows(fold.data.X)
    start = time.perf_counter()
    params = slice_params(scoring.params, fold.test, n_samples)
    scores, losses = scoring.scores_and_losses(estimator, X_test, y_test, params)
    score_time = time.perf_counter() - start
    fit = {
        "test_scores": scores,
        "losses": losses,
        "fit_time": fit_time,
        "score_time": score_time,
        "fit_error": None,
    }
    if scoring.with_train:
        params = slice_params(scoring.params, fold.train, n_samples)
        fit["train_scores"] = scoring.scores(
            estimator, X_train, y_train, params, scoring.scorer
        )
    return fit


def _failed_fit(fold, scoring, seconds, error):
    """Return what is kept of a fit that failed."""
    losses = None
    if scoring.measure is not None:
        losses = np.full(len(fold.test), -float(scoring.error_score))
    fit = {
        "test_scores": scoring.scores_of_failed(),
        "losses": losses,
        "fit_time": seconds,
        "score_time": 0.0,
        "fit_error": error,
    }
    if scoring.with_train:
        fit["train_scores"] = scoring.scores_of_failed()
    return fit


# All fits of a race, one split after the other ---------------------------------


def data_of_fits(X, y):
    """Return the Data of fits whose scorers are called by the race."""
    return Data(X, y, None, MultiMeasure(()), [], False, ())


class RaceFits:
    """Fits candidates on one split after the other, and keeps what they give.

    Parameters
    ----------
    search : RacingSearchCV
        The estimator, and how fits are run.
    data : Data
        The data.
    splits : list of (train, test)
        All splits.
    candidates : list of dict
        The parameters of each candidate.
    fit_params : dict
        For `fit` of the estimator.
    scoring : Scoring
        How candidates are scored.

    Attributes
    ----------
    metric : str
        The name of the metric that candidates race by; known after the first round.
    multimetric : bool
        Whether there are several; likewise.
    names : tuple of str
        The names of all metrics; likewise.
    """

    def __init__(self, search, data, splits, candidates, fit_params, scoring):
        self.data = data
        self.splits = splits
        self.candidates = candidates
        self.scoring = scoring
        self.options = {"n_jobs": search.n_jobs, "pre_dispatch": search.pre_dispatch}
        self.verbose = search.verbose
        self.jobs = [
            _job_of(search.estimator, number, params, fit_params)
            for number, params in enumerate(candidates)
        ]
        self.sizes = np.array([(len(train), len(test)) for train, test in splits])
        self.kept = {}  # by candidate and split
        self.last = []
        self.metric = None
        self.multimetric = None
        self.names = ()

    def first_round(self):
        """Fit all candidates on the first split that any can be fitted on."""
        everyone = np.arange(len(self.jobs))
        last = len(self.splits) - 1
        for number in range(last):
            self.run_round(number, everyone)
            if self._has_any():
                return number
        self.run_round(last, everyone, must_fit=True)
        return last

    def _has_any(self):
        return any(fit["fit_error"] is None for fit in self.last)

    def run_round(self, number, rows, must_fit=False):
        """Fit candidates on a split, and keep what they give.

        Where all fail, that is an error with `must_fit`, and otherwise a warning.
        """
        if self.verbose > 0:
            sys.stdout.write(f"Fitting {len(rows)} candidates on split {number}\n")
        fits = self._fit(number, rows)
        self.last = fits
        if not self._has_any() and not must_fit:
            try:
                report_failed_fits(fits, self.scoring.error_score)
            except ValueError as error:
                warn(f"On split {number}: {str(error).strip()}", FitFailedWarning)
        else:
            report_failed_fits(fits, self.scoring.error_score)
        if not self._has_any() and not self.names:
            return
        self._name_scores(fits)
        for row, fit in zip(rows, fits, strict=True):
            self.kept[int(row), number] = fit

    def _fit(self, number, rows):
        """Return the fits of candidates on a split, a list of dict."""
        fold = Fold(number, self.data, self.splits[number], 1, keep_slices=False)
        tasks = (
            delayed(fit_candidate)(fold, self.jobs[row], self.scoring) for row in rows
        )
        return Parallel(**self.options)(tasks)

    def _name_scores(self, fits):
        """Give all scores names; a fit that failed has the same score for each."""
        if not self.names:
            succeeded = [fit for fit in fits if fit["fit_error"] is None]
            scores = succeeded[0]["test_scores"]
            self.multimetric = isinstance(scores, dict)
            self.names = tuple(scores) if self.multimetric else ("score",)
        for fit in fits:
            for name in ("test_scores", "train_scores"):
                if name in fit and not isinstance(fit[name], dict):
                    fit[name] = dict.fromkeys(self.names, fit[name])

    def last_scores(self):
        """Return the scores of the last round, by the metric of the race."""
        if not self._has_any():
            return np.full(len(self.last), np.nan)
        return np.array([fit["test_scores"][self.metric] for fit in self.last])

    def last_losses(self, n_test):
        """Return losses (n_fitted, n_test) of the last round; None if one has none."""
        losses = [fit["losses"] for fit in self.last]
        if any(values is None or len(values) != n_test for values in losses):
            return None
        return np.array(losses)

    def all_fits(self):
        """Return a fit for each candidate and split, of nan where there was none."""
        scores = dict.fromkeys(self.names, np.nan)
        missing = {"fit_time": np.nan, "score_time": np.nan, "test_scores": scores}
        if self.scoring.with_train:
            missing["train_scores"] = scores
        keys = itertools.product(range(len(self.jobs)), range(len(self.splits)))
        fits = [self.kept.get(key, missing) for key in keys]
        return [{name: fit[name] for name in missing} for fit in fits]

    def values_of_results(self):
        """Return {name: array (n_candidates, n_splits)} of times and scores."""
        fits = self.all_fits()
        shape = (len(self.jobs), len(self.splits))
        values = {}
        for name in ("fit_time", "score_time"):
            values[name] = np.reshape([fit[name] for fit in fits], shape)
        for scores in ("test_scores", "train_scores")[: 1 + self.scoring.with_train]:
            set_name = scores.removesuffix("_scores")
            for name in self.names:
                of_fits = [fit[scores][name] for fit in fits]
                values[f"{set_name}_{name}"] = np.reshape(of_fits, shape).astype(float)
        return values


def _job_of(estimator, number, params, fit_params):
    """Return the Job of a candidate."""
    candidate = clone(estimator).set_params(**clone(params, safe=False))
    return Job(str(number), candidate, fit_params, is_pairwise(candidate))
