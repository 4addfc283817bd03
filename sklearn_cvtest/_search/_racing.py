"""RacingSearchCV: a search that drops candidates as soon as another one is better."""

from __future__ import annotations

import time
import warnings
from typing import Literal

import numpy as np
from sklearn import get_config
from sklearn.base import clone, is_classifier
from sklearn.model_selection import ParameterGrid, ParameterSampler
from sklearn.utils import indexable

from .._compat import BaseSearchCV, scorers_by_name
from .._engine._arguments import check_pre_dispatch
from .._engine._running import progress_bar
from .._row_labels import warn_of_another_order
from .._typing import Any, ArrayLike, Function, Self, Sequence
from .._validation import (
    as_data,
    check_flag,
    check_integer,
    check_level,
    check_real,
    check_seed,
    invalid,
    invalid_words,
    warn,
)
from ._candidate_fits import RaceFits, Scoring, data_of_fits
from ._candidates import candidate_names, facts_of_scores
from ._examples import (
    MOST_VALUES,
    default_folds,
    example_measure,
    folds_of_examples,
    splits_of_race,
)
from ._race import Race, looks_of

NOT_FINITE = "One or more of the (test|train) scores are non-finite"


class RacingSearchCV(BaseSearchCV):
    """Search for the best candidate, fitting each only while it may be the best.

    As in the race of [1]_, all candidates are fitted on the first splits. Then, at each
    of a few looks, those leave that are significantly worse than another one, each
    tested alone against all others, and only the rest is fitted on the splits that
    follow.
    With probability 1 - `alpha` the truly best candidate never leaves. Otherwise it is
    used as GridSearchCV or RandomizedSearchCV.

    Parameters
    ----------
    estimator : estimator
        What to fit, with the parameters of each candidate.
    param_grid : dict or list of dict, default=None
        Values of parameters, all combinations of which are candidates.
    param_distributions : dict or list of dict, default=None
        In place of `param_grid`: lists or distributions that `n_iter` candidates are
        drawn from.
    n_iter : int, default=10
        Number of candidates that are drawn.
    scoring : str, callable, list or dict, default=None
        As in GridSearchCV. For several metrics, `refit` names the one that candidates
        race by.
    n_jobs : int, default=None
        Number of jobs that fit at the same time, all on one split.
    refit : bool, str or callable, default=True
        As in GridSearchCV: whether to fit the best candidate to all data.
    cv : int, splitter, iterable of (train, test), or None, default=None
        As in GridSearchCV, but that None stands for ten shuffled folds (fewer where no
        class has ten examples), a :class:`BlockKFold`, stratified for classifiers.
        Splits are used in order, so
        shuffle them; the more there are, the more the race saves.
    alpha : float, default=0.05
        Probability that the truly best candidate leaves, at most, in (0, 1).
    margin : float, default=None
        The race also ends when no candidate left is worse than the best of the others
        by more than this, > 0 and in units of the score, with confidence 1 - `alpha`.
    min_splits : int, default=None
        Number of splits before the first look, at least 3; see the notes. None stands
        for as many as have 100 examples where examples have losses, else for 5. The
        next look is after half as many splits more, and so on; the last one is after
        all splits.
    verbose : int, default=0
        If positive, a line is printed for each split.
    pre_dispatch : int or str, default="2*n_jobs"
        As in GridSearchCV.
    random_state : int, RandomState or None, default=None
        Seed of the candidates that are drawn from `param_distributions`, and of the
        folds of `cv=None`.
    error_score : "raise" or float, default=nan
        Score of a fit that fails. A candidate with a score that is not finite leaves.
    return_train_score : bool, default=False
        Whether `cv_results_` has the scores on the training sets, too.
    progress : bool, default=False
        Whether to show a progress bar of fits that says how many candidates are left,
        with tqdm; a warning if it is missing.

    Attributes
    ----------
    cv_results_ : dict of str to ndarray
        As in GridSearchCV. Scores are nan where a candidate was not fitted; means,
        standard deviations and times are over the splits on which it was. Ranks go by
        the number of splits first, so that no candidate that left is ahead of one that
        did not.
    n_splits_run_ : ndarray of shape (n_candidates,)
        Number of splits on which each candidate was fitted.
    best_set_ : BestSet or None
        The candidates that may be the best, with p-values adjusted for the number of
        looks, too; of all candidates without failed fits. None if fewer than two could
        be compared.
    winner_interval_ : WinnerInterval or None
        What the candidate with the best mean score is worth, corrected for having been
        chosen among the candidates of the last split; None if there was only one.
    best_estimator_, best_score_, best_params_, best_index_ : object
        The candidate with the best mean score among those fitted on most splits, as in
        GridSearchCV.
    scorer_, n_splits_, refit_time_, multimetric_ : object
        As in GridSearchCV; `n_splits_` is the number of splits of `cv`.

    See Also
    --------
    compare_candidates : Tests the candidates of any search.

    Notes
    -----
    A look drops the candidates with a p-value of at most `alpha` divided by the number
    of looks; as these levels add up to `alpha`, the guarantee does not depend on when
    the race ends. The statistic of a candidate is the largest of its differences from
    the others over their standard errors. The splits must be interchangeable: K-folds,
    repeated K-folds and subsamples, no series.

    In K-folds without groups, a score that has a value for each example (as in
    :func:`compare_estimators`) is judged by these, from the first 100 test examples on,
    and after the first run at the end of runs only. The standard error is the
    residuals', times √(1/(1-ρ)), with ρ/(1-ρ) = K n2/n1 after K folds, as in the
    corrected t tests [2]_, and (j + 2)/(K + 2) of that after j < K of them: as if two
    examples of a fold had three times the covariance of examples of two folds. The law
    is the law of the largest of normal statistics with the covariance of the residuals.

    Other scores, and other splits, are judged by the corrected t statistics of splits
    (:class:`CorrectedResampledTTest`), with the law of the largest under rotations of
    the splits. With fewer than five splits, scores of few different values may differ
    by the same on all of them by chance.

    Candidates that hardly differ do not leave, however many splits there are. A race
    never takes more fits than GridSearchCV, and saves none if no candidate is clearly
    worse; the guide on searches has measured savings. Steps that candidates share are
    cached by the `memory` of a Pipeline.

    References
    ----------
    .. [1] Maron, O. and Moore, A. W. (1997). The racing algorithm: model selection for
           lazy learners. Artificial Intelligence Review 11, 193-225.
           :doi:`10.1023/A:1006556606079`
    .. [2] Nadeau, C. and Bengio, Y. (2003). Inference for the generalization error.
           Machine Learning 52, 239-281. :doi:`10.1023/A:1024068626366`

    Examples
    --------
    >>> from sklearn.datasets import load_breast_cancer
    >>> from sklearn.pipeline import make_pipeline
    >>> from sklearn.preprocessing import StandardScaler
    >>> from sklearn.svm import SVC
    >>> from sklearn_cvtest import BlockKFold, RacingSearchCV
    >>> X, y = load_breast_cancer(return_X_y=True)
    >>> search = RacingSearchCV(
    ...     make_pipeline(StandardScaler(), SVC()),
    ...     {"svc__C": [0.01, 1, 100], "svc__gamma": [0.001, 0.01, 0.1, 1]},
    ...     cv=BlockKFold(10, stratify=True, random_state=0),
    ... ).fit(X, y)
    >>> search.best_params_
    {'svc__C': 100, 'svc__gamma': 0.001}
    >>> search.n_splits_run_
    array([ 2,  2,  2,  2, 10, 10, 10,  2, 10, 10, 10,  2])
    >>> len(search.best_set_.names)
    6
    """

    def __init__(
        self,
        estimator: Any,
        param_grid: dict[str, Any] | Sequence[dict[str, Any]] | None = None,
        *,
        param_distributions: dict[str, Any] | Sequence[dict[str, Any]] | None = None,
        n_iter: int = 10,
        scoring: str | Function | Sequence[Any] | dict[str, Any] | None = None,
        n_jobs: int | None = None,
        refit: bool | str | Function = True,
        cv: Any = None,
        alpha: float = 0.05,
        margin: float | None = None,
        min_splits: int | None = None,
        verbose: int = 0,
        pre_dispatch: int | str = "2*n_jobs",
        random_state=None,
        error_score: Literal["raise"] | float = np.nan,
        return_train_score: bool = False,
        progress: bool = False,
    ):
        super().__init__(
            estimator,
            scoring=scoring,
            n_jobs=n_jobs,
            refit=refit,
            cv=cv,
            verbose=verbose,
            pre_dispatch=pre_dispatch,
            error_score=error_score,
            return_train_score=return_train_score,
        )
        self.param_grid = param_grid
        self.param_distributions = param_distributions
        self.n_iter = n_iter
        self.alpha = alpha
        self.margin = margin
        self.min_splits = min_splits
        self.random_state = random_state
        self.progress = progress

    def fit(self, X: ArrayLike, y: ArrayLike | None = None, **params: Any) -> Self:
        """Run the race and fit the best candidate to all data.

        Parameters
        ----------
        X : array-like of shape (n_samples, n_features)
            The examples.
        y : array-like of shape (n_samples,), default=None
            Their targets.
        **params : dict
            As in GridSearchCV: for the `fit` of the estimator, the scorer and the
            splitter (`groups`).

        Returns
        -------
        self : RacingSearchCV
            The fitted search.

        Raises
        ------
        TypeError, ValueError
            If a parameter is not as described, or all fits of a round fail.
        """
        self._check_options()
        self._validate_params()
        X = as_data("X", X)
        y = as_data("y", y)
        params = {name: as_data(name, value) for name, value in params.items()}
        warn_of_another_order({"X": X, "y": y, **params})
        scoring, routed = self._plan_scoring(params)
        cv = self.cv
        has_classes = is_classifier(self.estimator)
        if cv is None:
            cv = default_folds(X, y, has_classes, self.random_state)
        X, y = indexable(X, y)
        split_params = routed.splitter.split
        splits, design = splits_of_race(cv, X, y, has_classes, split_params)
        self.n_splits_ = len(splits)
        candidates = self._candidates()
        data = data_of_fits(X, y)
        fit_params = routed.estimator.fit
        fits = RaceFits(self, data, splits, candidates, fit_params, scoring)
        groups = split_params.get("groups")
        folds = folds_of_examples(scoring.measure, splits, design, y, groups)
        race = self._run(fits, folds)
        self._end(race, fits, scoring)
        if self.refit:
            self._refit(X, y, fit_params)
        return self

    def _plan_scoring(self, params):
        """Return the Scoring, and what goes where of the parameters of `fit`."""
        scorer, metric = self._get_scorers()
        routed = self._get_routed_params_for_fit(params)
        routes = get_config()["enable_metadata_routing"]
        has_metadata = bool(params.keys() - {"groups"}) or routes
        measure = example_measure(
            self.scoring, self.refit, self.estimator, has_metadata
        )
        several = scorers_by_name(scorer)
        self.scorer_ = scorer if several is None else several
        scoring = Scoring(
            scorer,
            routed.scorer.score,
            metric,
            measure,
            self.error_score,
            self.return_train_score,
        )
        return scoring, routed

    def _check_options(self):
        if not hasattr(self.estimator, "fit") or isinstance(self.estimator, type):
            raise invalid("estimator", "an estimator", self.estimator, TypeError)
        check_level("alpha", self.alpha)
        if self.margin is not None:
            check_real("margin", self.margin, above=0)
        if self.min_splits is not None:
            check_integer("min_splits", self.min_splits, 3)
        check_flag("progress", self.progress)
        check_pre_dispatch(self.pre_dispatch)
        check_seed("random_state", self.random_state)
        if (self.param_grid is None) == (self.param_distributions is None):
            both = "neither" if self.param_grid is None else "both"
            allowed = "given if `param_distributions` is not, and only then"
            raise invalid_words("param_grid", allowed, both)
        is_list = isinstance(self.scoring, (list, tuple, set, dict))
        if is_list and not isinstance(self.refit, str):
            raise self._bad_refit()

    def _candidates(self):
        name = "param_grid"
        space = self.param_grid
        if space is None:
            name = "param_distributions"
            space = self.param_distributions
            check_integer("n_iter", self.n_iter, 1)
        try:
            if name == "param_grid":
                return list(ParameterGrid(space))
            seed = self.random_state
            return list(ParameterSampler(space, self.n_iter, random_state=seed))
        except (TypeError, ValueError) as error:
            error_class = type(error) if type(error) is TypeError else ValueError
            allowed = "a dict, or a list of dicts, of values of parameters"
            raise invalid(name, allowed, space, error_class, hint=f"{error}") from None

    def _run(self, fits, folds):
        """Fit all candidates on the first split, and those left on the others."""
        n_candidates = len(fits.jobs)
        sizes = fits.sizes
        at = fits.first_round()
        self.multimetric_ = fits.multimetric
        fits.metric = self._metric(fits.names)
        if folds and n_candidates * sizes[:, 1].sum() > MOST_VALUES:
            folds = None
        looks = looks_of(folds, sizes, self.min_splits)
        race = Race(n_candidates, sizes, looks, float(self.alpha), self.margin, folds)
        with progress_bar(self.progress, race.scores.size, "fit") as advance:
            if at:  # none could be fitted on the first split: the race is over
                race.add(np.full(n_candidates, np.nan))
            else:
                self._take(race, fits, advance)
            while not race.is_over:
                fits.run_round(race.n_done, race.left)
                self._take(race, fits, advance)
        return race

    def _take(self, race, fits, advance):
        """Give a race the last scores and losses, and say who is left."""
        n_fitted = len(race.left)
        n_splits = len(race.sizes)
        planned = n_fitted * (n_splits - race.n_done - 1)
        losses = None
        if race.folds is not None:
            losses = fits.last_losses(race.sizes[race.n_done, 1])
        race.add(fits.last_scores(), losses)
        n_next = 0 if race.is_over else len(race.left)
        n_more = n_next * (n_splits - race.n_done) - planned
        advance(n_fitted, n_more, f"{len(race.left)} left")

    def _end(self, race, fits, scoring):
        """Keep the results; say who may be the best, and what the winner is worth."""
        with warnings.catch_warnings():  # of scores that are nan as nothing was fitted
            warnings.filterwarnings("ignore", NOT_FINITE)
            results = self._format_results(
                fits.candidates, self.n_splits_, fits.all_fits()
            )
        for name, values in fits.values_of_results().items():
            means = race.over_splits(values)
            results[f"mean_{name}"] = means
            results[f"std_{name}"] = race.over_splits(values, np.std)
            if name.startswith("test_"):
                results[f"rank_{name}"] = race.ranks(means)
            if not np.isfinite(means).all():
                which = name.partition("_")[0]
                text = f"One or more of the {which} scores are non-finite: {means}"
                warn(text, UserWarning)
        self.cv_results_ = results
        self.n_splits_run_ = race.n_splits_run
        self._choose_best(fits.metric)
        params = results["params"]
        names = candidate_names(params, np.arange(len(params)))
        facts = facts_of_scores(self, fits.metric)
        self.best_set_ = race.result(names, facts)
        self.winner_interval_ = race.winner(names, facts)

    def _choose_best(self, metric):
        """Keep which candidate is the best, by `refit` or by the ranks."""
        results = self.cv_results_
        index = self._select_best_index(self.refit, metric, results)
        self.best_index_ = index
        self.best_params_ = results["params"][index]
        if not callable(self.refit):
            self.best_score_ = results[f"mean_test_{metric}"][index]

    def _refit(self, X, y, fit_params):
        """Fit the best candidate to all data."""
        best_params = clone(self.best_params_, safe=False)
        self.best_estimator_ = clone(self.estimator).set_params(**best_params)
        start = time.perf_counter()
        training = (X,) if y is None else (X, y)
        self.best_estimator_.fit(*training, **fit_params)
        self.refit_time_ = time.perf_counter() - start
        if hasattr(self.best_estimator_, "feature_names_in_"):
            self.feature_names_in_ = self.best_estimator_.feature_names_in_

    def _metric(self, names):
        """Return the name of the metric that candidates race by."""
        for name in (self.refit, "score"):
            if isinstance(name, str) and name in names:
                return name
        raise self._bad_refit()

    def _bad_refit(self):
        return invalid("refit", "the name of the metric to race by", self.refit)
