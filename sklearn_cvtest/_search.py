"""The candidates of a fitted search, compared without another fit."""

import re
from abc import abstractmethod
from collections import Counter
from dataclasses import dataclass, replace

import numpy as np
from sklearn.base import BaseEstimator
from sklearn.exceptions import NotFittedError

from ._best_set import step_down
from ._by_metric import compare_losses
from ._columns import metric_of_values
from ._compat import scorer_parts
from ._cv_results import fold_losses
from ._design import FIVE_BY_TWO
from ._inference import (
    CorrectedRepeatedKFoldTTest,
    CorrectedResampledTTest,
    checked_test,
)
from ._inference.adjust import adjust_pvalues
from ._layout import layout_of_cv
from ._metrics import find_metric
from ._pairs import pair_table
from ._validation import check_array, check_option, check_real, invalid, warn

SPLIT_SCORE = re.compile(r"split(\d+)_test_(.+)", re.DOTALL)


def compare_candidates(
    search,
    *,
    reference="best",
    metric=None,
    test=None,
    p_adjust="holm",
    alpha=0.05,
    cv=None,
    n_train=None,
    n_test=None,
    percent=False,
):
    """Test the differences between the candidates of a fitted search.

    Which candidates are really worse than the best one, and which only seem so? Nothing
    is fitted: the scores of every split are in `cv_results_`.

    Parameters
    ----------
    search : object or dict
        A fitted GridSearchCV, RandomizedSearchCV, HalvingGridSearchCV or
        HalvingRandomSearchCV, or anything with such a `cv_results_`; of a halving
        search the candidates of the last iteration are compared. Or that itself, as a
        dict or data frame, with `cv`.
    reference : str, int or None, default="best"
        The candidate to compare all others with, the first of every pair: "best",
        which has the best mean score, a row of `cv_results_`, or a name as it is
        printed. None compares all pairs.
    metric : str or list of str, default=None
        The metric, as in `scoring`; None is the only one, or the one named by `refit`.
        For a list, the result holds a comparison by each.
    test : test, default=None
        Any test that accepts one value per split; None chooses by the design of the
        splits as :func:`compare_estimators` does.
    p_adjust : str or None, default="holm"
        How p-values are adjusted for the number of pairs: a `method` of
        :func:`adjust_pvalues`; where the set that may be the best is asked for, any
        leads to its p-values.
    alpha : float, default=0.05
        Level of decisions and, as 1 - alpha, of intervals, in (0, 1).
    cv : object, default=None
        How the splits were made: a splitter, an int, a list of (train, test) or the
        name of a design. None uses `search.cv`.
    n_train, n_test : int or array-like of shape (n_splits,), default=None
        Sizes of the training and test sets, where they do not follow from the splitter.
        Splits of unknown origin are treated as random subsamples.
    percent : bool, default=False
        Whether the scores are in percent. They are divided by 100.

    Returns
    -------
    comparison : Comparison or ComparisonsByMetric
        The tests, as arrays over the pairs, with tables; one for each of several
        metrics.

    Raises
    ------
    NotFittedError
        If the search is not fitted.
    TypeError, ValueError
        If an argument is not as described, fewer than two candidates can be compared,
        n_test/n_train is not known, or the test is not valid for the design.

    Warns
    -----
    UserWarning
        If candidates are left out because a fit failed.

    See Also
    --------
    NotSignificantlyWorse : Refits the simplest candidate not worse than the best.
    compare_cv_results : The same for the output of `cross_validate`.

    Notes
    -----
    The *best* candidate was chosen by the same scores: part of its lead is luck. So
    pairs with it have the p-values of :meth:`Comparison.best_set`, which ask whether a
    candidate is as good as *all* others, and the set of those above `alpha` holds the
    truly best one with probability 1 - `alpha`. Each p-value is adjusted for the number
    of the others, not for the number of p-values: of equally good candidates, each is
    left out with probability `alpha`. Intervals of the differences are adjusted for
    *all* pairs of candidates, as are p-values of tests without such a set; without an
    adjustment (`p_adjust=None`) p-values are too small. A reference that is named
    beforehand needs adjusting for its own pairs only. What the best is worth, corrected
    for having been chosen, says :meth:`Comparison.winner_interval`.

    The ratio n_test/n_train that the corrected tests need is 1/(K-1) for every splitter
    that tests each example once and trains on all others (with groups, too); random
    splits have their `test_size` and `train_size`. For a list of splits and for
    PredefinedSplit it follows from the indices. Halving searches reduce training and
    test sets by the same factor, and their training sets overlap less than the tests
    assume.

    Each difference is t(ρ) of :class:`KFoldTTest`, computed for all pairs at once;
    other tests are fitted pair by pair.

    Examples
    --------
    >>> from sklearn.datasets import load_breast_cancer
    >>> from sklearn.model_selection import GridSearchCV
    >>> from sklearn.tree import DecisionTreeClassifier
    >>> from sklearn_cvtest import BlockKFold, compare_candidates
    >>> X, y = load_breast_cancer(return_X_y=True)
    >>> search = GridSearchCV(
    ...     DecisionTreeClassifier(random_state=0),
    ...     {"max_depth": [1, 2, 3, 4]}, cv=BlockKFold(10, random_state=0),
    ... ).fit(X, y)
    >>> result = compare_candidates(search)
    >>> result.best, result.best_set().names
    ('max_depth=4', ('max_depth=4', 'max_depth=3', 'max_depth=2', 'max_depth=1'))
    """
    losses = {}
    for name in metric if isinstance(metric, (list, tuple)) else [metric]:
        candidates = read_candidates(search, name)
        candidates.warn_of_failures()
        layout = candidates.layout(cv, n_train, n_test)
        losses[name] = candidates.losses(layout, percent)
    if isinstance(reference, (int, np.integer)):
        reference = candidates.name_of(reference)
    if not isinstance(metric, (list, tuple)):
        (losses,) = losses.values()
    return compare_losses(
        losses, test=test, reference=reference, p_adjust=p_adjust, alpha=alpha
    )


@dataclass(frozen=True, eq=False)
class Candidates:
    """The candidates of a search.

    Attributes
    ----------
    metric : str
        The metric, as it is called in `cv_results_`.
    params : list of dict
        The parameters of every row.
    scores : ndarray of shape (n_rows, n_splits)
        Test scores.
    is_last : ndarray of shape (n_rows,)
        Whether a row is of the last iteration of a halving search.
    search : object
        The search, or `cv_results_` alone.
    """

    metric: str
    params: list
    scores: np.ndarray
    is_last: np.ndarray
    search: object

    @property
    def rows(self):
        """The rows that can be compared."""
        return np.flatnonzero(self.is_last & np.isfinite(self.scores).all(axis=1))

    @property
    def failed(self):
        """The rows with scores that are not finite."""
        return np.setdiff1d(np.flatnonzero(self.is_last), self.rows)

    def warn_of_failures(self):
        """Warn of candidates with scores that are not finite; raise for too few."""
        failed = self.failed
        if len(failed):
            numbers = ", ".join(map(str, failed[:10]))
            warn(
                f"Scores must be finite; got nan or inf for candidates {numbers} "
                f"({len(failed)} of {self.is_last.sum()}). They are left out."
            )
        if len(self.rows) < 2:
            value = f"{len(self.rows)} to compare"
            raise invalid("search", "one of at least two candidates", value)

    def layout(self, cv=None, n_train=None, n_test=None):
        """Return the SplitLayout of the splits."""
        n_splits = self.scores.shape[1]
        name = "cv"
        if cv is None and hasattr(self.search, "cv"):
            name = "search.cv"
            cv = n_splits if self.search.cv is None else self.search.cv
        return layout_of_cv(cv, n_splits, n_train, n_test, name=name)

    def losses(self, layout, percent=False):
        """Return minus the scores of the rows that can be compared, as CVLosses."""
        names = candidate_names(self.params, self.rows)
        name = _name_of_score(self.search, self.metric)
        scores = self.scores[self.rows].T
        metric, losses = metric_of_values(name, True, scores, percent)
        cv = getattr(self.search, "cv", None)
        errors = {}
        rows = np.sort([*self.rows, *self.failed])
        for row, name in zip(rows, candidate_names(self.params, rows), strict=True):
            n_failed = np.count_nonzero(~np.isfinite(self.scores[row]))
            if n_failed:
                errors[name] = ["the score is not finite"] * n_failed
        losses = fold_losses(names, losses, layout, metric, cv, noun="candidate")
        return replace(losses, errors=errors)

    def name_of(self, row):
        """Return the name of a row that can be compared."""
        rows = self.rows.tolist()
        if row not in rows:
            allowed = "a candidate that can be compared, without failed fits"
            raise invalid("reference", allowed, row)
        return candidate_names(self.params, self.rows)[rows.index(row)]


def read_candidates(search, metric=None):
    """Return the Candidates of a fitted search, or of its `cv_results_`."""
    results = getattr(search, "cv_results_", search)
    if hasattr(results, "fit"):
        raise NotFittedError(f"`search` must be fitted; got {search!r}.")
    columns = {}
    for key in results if hasattr(results, "keys") else ():
        match = SPLIT_SCORE.fullmatch(str(key))
        if match:
            columns.setdefault(match[2], {})[int(match[1])] = key
    if not columns or "params" not in results:
        raise invalid(
            "search", "a fitted search, or its `cv_results_`", search, TypeError
        )
    if metric is None:
        refit = getattr(search, "refit", None)
        metric = refit if isinstance(refit, str) else None
        if len(columns) == 1:
            (metric,) = columns
    if isinstance(metric, str):
        metric = metric.removeprefix("mean_test_").removeprefix("test_")
    check_option("metric", metric, tuple(columns))
    keys = [columns[metric][number] for number in sorted(columns[metric])]
    scores = np.column_stack([check_array(key, results[key], (1,)) for key in keys])
    is_last = np.ones(len(scores), dtype=bool)
    if "iter" in results:  # successive halving: sets of other sizes
        iteration = np.asarray(results["iter"])
        is_last = iteration == iteration.max()
    return Candidates(metric, list(results["params"]), scores, is_last, search)


def _name_of_score(search, name):
    """Return the name of a metric, which results call "score" if it is the only one."""
    if name != "score" or not hasattr(search, "estimator"):
        return name
    if isinstance(search.scoring, str):
        return search.scoring
    call = scorer_parts(search.scoring)
    if call is not None:
        of_function, arguments, sign = call
        row = find_metric(of_function)
        is_misled = row is not None and row.is_score != (sign > 0)
        is_own = bool(arguments) or of_function == "<lambda>"
        if is_own or (is_misled and sign > 0):
            of_function = "score"
        return of_function if sign > 0 else f"neg_{of_function}"
    if search.scoring is not None:
        return getattr(search.scoring, "__name__", name)
    defaults = {"regressor": "r2", "classifier": "accuracy"}
    return defaults.get(search.estimator.__sklearn_tags__().estimator_type, name)


def candidate_names(params, rows):
    """Return names made of the parameters in which candidates differ, all different."""
    chosen = [params[row] for row in rows]
    texts = [{key: _text(value) for key, value in one.items()} for one in chosen]
    varying = []
    for name in dict.fromkeys(name for one in texts for name in one):
        if len({one.get(name) for one in texts}) > 1:
            varying.append(name)
    ends = Counter(name.rpartition("__")[2] for name in varying)
    names = []
    for row, one in zip(rows, texts, strict=True):
        words = []
        for name in varying:
            end = name.rpartition("__")[2]
            if name in one:
                words.append(f"{name if ends[end] > 1 else end}={one[name]}")
        names.append(", ".join(words) or f"candidate {row}")
    counts = Counter(names)
    return tuple(
        f"{name} (#{row})" if counts[name] > 1 else name
        for name, row in zip(names, rows, strict=True)
    )


def _text(value):
    """Return the value of a parameter as it stands in a name."""
    if isinstance(value, (float, np.floating)):
        return f"{value:.4g}"
    return " ".join(repr(value).split()) if not isinstance(value, str) else repr(value)


# What to refit ----------------------------------------------------------------------


class _RefitRule(BaseEstimator):
    """For `refit=` of a search: the simplest candidate that is good enough."""

    def __call__(self, cv_results):
        """Return the row of `cv_results_` to refit."""
        candidates = read_candidates(cv_results, self.metric)
        rows = candidates.rows
        if not len(rows):
            raise invalid("cv_results", "of a candidate without failed fits", "none")
        n_splits = candidates.scores.shape[1]
        cv = self.cv
        if cv is None and self.n_train is None:
            if n_splits > 20:  # more are hardly one K-fold
                hint = "A K-fold has fewer."
                raise invalid("cv", f"what made the {n_splits} splits", cv, hint=hint)
            cv = n_splits
        losses = candidates.losses(candidates.layout(cv, self.n_train, self.n_test))
        best = int(losses.mean_losses.argmin())
        ranks = self._ranks([candidates.params[row] for row in rows])
        simpler = np.flatnonzero(ranks < ranks[best])
        if len(simpler):
            simpler = simpler[self._are_admitted(losses, best, simpler)]
        selected = np.append(simpler, best)
        means = losses.mean_losses[selected]
        order = np.lexsort((selected, means, ranks[selected]))
        return int(rows[selected[order[0]]])

    def _ranks(self, params):
        """Return how complex candidates are, 0 for the simplest."""
        if isinstance(self.complexity, type):
            allowed = "the name of a parameter or a function of all of them"
            raise invalid("complexity", allowed, self.complexity, TypeError)
        if callable(self.complexity):
            values = [self.complexity(one) for one in params]
        else:
            for one in params:
                check_option("complexity", self.complexity, tuple(one))
            values = [one[self.complexity] for one in params]
            values = check_array("complexity", values, (1,)).tolist()
        try:
            is_sorted = all(value == value for value in values)
            ranks = {value: rank for rank, value in enumerate(sorted(set(values)))}
        except TypeError:
            is_sorted = False
        if not is_sorted:
            allowed = "a function of values that can be sorted"
            raise invalid("complexity", allowed, values)
        return np.array([ranks[value] for value in values])

    @abstractmethod
    def _are_admitted(self, losses, best, simpler):
        """Return which of the simpler candidates are good enough."""


def _may_be_best(test, losses, alpha, places):
    best_set = step_down(test, losses, alpha)
    return np.isin(places, best_set.order[best_set.kept])


class NotSignificantlyWorse(_RefitRule):
    """Refit the simplest candidate that may be the best.

    A callable for the `refit` of GridSearchCV or RandomizedSearchCV. It takes the
    simplest of the candidates that are not significantly worse than any other, the set
    of :meth:`Comparison.best_set`. With `margin` the burden of
    proof is reversed: a simpler candidate is selected only if it is shown to be worse
    by less than `margin`.

    Parameters
    ----------
    complexity : str or callable
        What simpler means: the name of a numeric parameter, the smaller the simpler; or
        a function of the dict of parameters that returns something sortable, smaller
        for simpler.
    test : test, default=None
        A test of this package with a direction that accepts one value per split; its
        own values of `alpha`, `alternative` and `popmean` are not used. None chooses by
        the design of the splits as :func:`compare_estimators` does (for 5x2,
        :class:`CorrectedRepeatedKFoldTTest`).
    alpha : float, default=0.05
        One minus the confidence that the truly best is in the set, in (0, 1); with
        `margin`, the level of the one-sided tests.
    margin : float, default=None
        The smallest loss of score that would matter, > 0.
    metric : str, default=None
        The metric; needed where the search has several.
    cv : object, default=None
        The `cv` of the search: a splitter, an int, a list of (train, test), or the name
        of a design. None assumes one K-fold, and is refused if there are more than 20
        splits.
    n_train, n_test : int or array-like of shape (n_splits,), default=None
        Sizes of the training and test sets, where they do not follow from `cv`.

    See Also
    --------
    one_standard_error : The classical rule, which ignores that scores are paired.
    compare_candidates : Shows the tests of all candidates.

    Notes
    -----
    Without `margin` the null hypothesis is that the candidate is as good as all others,
    the alternative that one is better. That the best candidate was chosen by the same
    scores is allowed for: with probability 1 - `alpha` the truly best is in the set,
    which is the larger the more candidates there are. A test that rejects rarely, such
    as :class:`KFoldTTest` with its default ρ = 0.7, selects simpler candidates than
    :class:`CorrectedResampledTTest`; so do few splits.

    With `margin` the null hypothesis is that the candidate is worse by `margin` or
    more, as in :class:`EquivalenceTest` with `alternative="greater"`, and p-values are
    adjusted by Holm's method for the candidates that are simpler: the probability of
    taking one that is worse by `margin` or more is at most `alpha`.

    Candidates with failed fits are ignored. Halving searches choose the best candidate
    whatever `refit` is; call the rule on their `cv_results_`, of which it uses the last
    iteration. The rule can be pickled and cloned unless `complexity` cannot.

    Examples
    --------
    >>> from sklearn.datasets import load_breast_cancer
    >>> from sklearn.model_selection import GridSearchCV
    >>> from sklearn.tree import DecisionTreeClassifier
    >>> from sklearn_cvtest import NotSignificantlyWorse
    >>> search = GridSearchCV(
    ...     DecisionTreeClassifier(random_state=0),
    ...     {"max_depth": [1, 2, 3, 4, 5]}, cv=10,
    ...     refit=NotSignificantlyWorse("max_depth"),
    ... ).fit(*load_breast_cancer(return_X_y=True))
    >>> search.best_params_
    {'max_depth': 2}
    """

    def __init__(
        self,
        complexity,
        *,
        test=None,
        alpha=0.05,
        margin=None,
        metric=None,
        cv=None,
        n_train=None,
        n_test=None,
    ):
        self.complexity = complexity
        self.test = test
        self.alpha = alpha
        self.margin = margin
        self.metric = metric
        self.cv = cv
        self.n_train = n_train
        self.n_test = n_test

    def _are_admitted(self, losses, best, simpler):
        test = self._directed_test(losses)
        if self.margin is None:
            return _may_be_best(test, losses, test.alpha, simpler)
        margin = check_real("margin", self.margin, 0)
        test.set_params(alternative="greater", popmean=-margin)
        pairs = np.column_stack([np.full_like(simpler, best), simpler])
        pvalues = pair_table(test, losses, pairs, test.alpha, None).pvalue
        return adjust_pvalues(pvalues) <= test.alpha

    def _directed_test(self, losses):
        test = self.test
        if test is None and losses.design.kind == FIVE_BY_TWO:
            test = CorrectedRepeatedKFoldTTest()
        alpha = check_real("alpha", self.alpha, 0, 1)
        test = checked_test(test, losses, alpha)
        if not test.is_directed:
            raise invalid("test", "one with a direction, such as KFoldTTest()", test)
        return test


class OneStandardError(_RefitRule):
    """The rule of :func:`one_standard_error`."""

    def __init__(self, complexity, *, metric=None, cv=None, n_train=None, n_test=None):
        self.complexity = complexity
        self.metric = metric
        self.cv = cv
        self.n_train = n_train
        self.n_test = n_test

    def _are_admitted(self, losses, best, simpler):
        test = CorrectedRepeatedKFoldTTest()
        if losses.design.kind not in test.designs:
            test = CorrectedResampledTTest()
        test.check_design(losses.design, False)
        of_best = test.evaluate(losses.single([best])[0])
        most = of_best.estimate + of_best.standard_error
        is_near = losses.mean_losses[simpler] <= most
        return is_near & _may_be_best(test, losses, 0.05, simpler)


def one_standard_error(
    complexity, *, metric=None, cv=None, n_train=None, n_test=None
) -> OneStandardError:
    """Make the rule that refits the simplest candidate within one standard error.

    A callable for the `refit` of GridSearchCV or RandomizedSearchCV that takes the
    simplest candidate that may be the best and whose mean score is at most one standard
    error below the best: the rule of [1]_, with a standard error that accounts for the
    overlap of splits [2]_, among the candidates that are not shown to be worse.

    Parameters
    ----------
    complexity : str or callable
        What simpler means, as in :class:`NotSignificantlyWorse`.
    metric : str, default=None
        The metric; needed where the search has several.
    cv : object, default=None
        The `cv` of the search, as in :class:`NotSignificantlyWorse`.
    n_train, n_test : int or array-like of shape (n_splits,), default=None
        Sizes of the training and test sets, where they do not follow from `cv`.

    Returns
    -------
    rule : callable
        Takes `cv_results_` and returns an index; can be pickled and cloned unless
        `complexity` cannot.

    See Also
    --------
    NotSignificantlyWorse : Takes any candidate that may be the best.

    Notes
    -----
    The standard error of the best mean score is √((1/J + n2/n1) S²), with S² the
    variance of its J scores. Recipes that use the standard *deviation* S instead accept
    much worse candidates: with 10 folds, S is 2.2 times this standard error. The
    standard error without the correction, S/√J, is 0.69 times this one.

    Scores on the same splits vary together, so that a difference of less than one
    standard error of a score can be beyond doubt. A candidate that is not in the 95%
    set of :meth:`Comparison.best_set` is therefore not taken, however near it is. One
    standard error itself is only a rule of thumb: it keeps the rule from taking the
    simplest candidate where the set is large because little is known.

    References
    ----------
    .. [1] L. Breiman, J. H. Friedman, R. A. Olshen and C. J. Stone, "Classification
       and Regression Trees", Wadsworth, 1984. Section 3.4.3.
    .. [2] C. Nadeau and Y. Bengio, "Inference for the Generalization Error",
       Machine Learning 52, 239-281, 2003. :doi:`10.1023/A:1024068626366`

    Examples
    --------
    >>> from sklearn.datasets import load_breast_cancer
    >>> from sklearn.model_selection import GridSearchCV
    >>> from sklearn.tree import DecisionTreeClassifier
    >>> from sklearn_cvtest import one_standard_error
    >>> search = GridSearchCV(
    ...     DecisionTreeClassifier(random_state=0),
    ...     {"max_depth": [1, 2, 3, 4, 5]}, cv=10,
    ...     refit=one_standard_error("max_depth"),
    ... ).fit(*load_breast_cancer(return_X_y=True))
    >>> search.best_params_
    {'max_depth': 2}
    """
    return OneStandardError(
        complexity, metric=metric, cv=cv, n_train=n_train, n_test=n_test
    )
