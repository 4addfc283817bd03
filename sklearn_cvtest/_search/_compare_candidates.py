"""compare_candidates: from a fitted search to an answer, for all its candidates."""

from __future__ import annotations

from collections.abc import Mapping

from sklearn.exceptions import NotFittedError

from .._inference._base_test import BaseCVTest
from .._inference._choose_tests import Question
from .._results._several_metrics import MultiMetricComparison, check_metrics
from .._splits._layout import resolve_layout
from .._splits._splitters import describe_splitter
from .._tables._table_columns import as_shares
from .._typing import Any, ArrayLike, Sequence
from .._validation import first_few, invalid, invalid_words, warn
from ._candidate_comparison import CandidateComparison, SearchRows
from ._candidates import candidate_losses, facts_of_scores, read_candidates


def compare_candidates(
    search: Any,
    *,
    reference: str | int | None = "best",
    metric: str | Sequence[str] | None = None,
    test: BaseCVTest | None = None,
    p_adjust: str | None = "holm",
    alpha: float = 0.05,
    cv: Any = None,
    n_train: int | ArrayLike | None = None,
    n_test: int | ArrayLike | None = None,
    percent: bool = False,
) -> CandidateComparison | MultiMetricComparison:
    """Test the differences between the candidates of a fitted search.

    Which candidates are really worse than the best one, and which only seem so? Nothing
    is fitted: the scores of every split are in `cv_results_`.

    Parameters
    ----------
    search : object or dict
        A fitted GridSearchCV, RandomizedSearchCV, HalvingGridSearchCV or
        HalvingRandomSearchCV or OptunaSearchCV, or anything with such a
        `cv_results_`; of a halving search the candidates of the last iteration are
        compared. Or that itself, as a dict
        or data frame, with `cv`.
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
    comparison : CandidateComparison or MultiMetricComparison
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
    >>> result.reference, result.table.pvalue.round(2)
    (3, array([0.03, 0.77, 0.72]))
    >>> result.best_set().names
    (3, 2, 1, 0)
    """
    options = Question(test, reference, p_adjust, alpha), cv, n_train, n_test, percent
    if isinstance(metric, (list, tuple)):
        check_metrics(metric)
        return MultiMetricComparison(
            {name: _by_metric(search, name, *options) for name in metric}
        )
    return _by_metric(search, metric, *options)


def _by_metric(search, metric, question, cv, n_train, n_test, percent):
    results, refit = _read_search(search)
    table = read_candidates(results, metric, refit)
    scores = as_shares({"search": table.scores}, table.metric, percent=percent)
    table = table._replace(scores=scores["search"])
    n_splits = table.scores.shape[1]
    name = "cv"
    if cv is None and hasattr(search, "cv"):  # results alone have none
        name = "search.cv"
        cv = n_splits if search.cv is None else search.cv
    layout = resolve_layout(cv, n_splits, n_train, n_test, name=name)
    _check_candidates(table)
    losses = candidate_losses(
        table,
        layout,
        cv_description=describe_splitter(cv),
        **facts_of_scores(search, table.metric),
    )
    rows = SearchRows(
        params=table.params,
        candidates=table.rows,
        failed=table.failed,
        n_searched=table.n_searched,
    )
    return CandidateComparison(losses, question, rows)


def _check_candidates(table):
    n_failed = table.failed.size
    n_left = table.rows.size
    if n_left < 2 and not n_failed:
        allowed = "one of at least two candidates"
        raise invalid_words("search", allowed, f"{n_left} to compare")
    if n_failed:
        where = first_few([*map(str, table.failed.tolist())], 10)
        message = (
            "Scores must be finite; got nan or inf for candidates "
            f"{where} ({n_failed} of {n_failed + n_left})."
        )
        if n_left < 2:
            raise ValueError(f"{message} Fewer than two are left to compare.")
        warn(f"{message} They are left out.", UserWarning)


def _read_search(search):
    """Return `cv_results_`, and the metric of `refit` if it names one."""
    results = search
    if hasattr(search, "cv_results_"):
        results = search.cv_results_
    elif hasattr(search, "fit"):
        allowed = "fitted, and keep `cv_results_`"
        raise invalid("search", allowed, search, NotFittedError)
    if not isinstance(results, Mapping) and not hasattr(results, "columns"):
        allowed = "a fitted search such as GridSearchCV, or its `cv_results_`"
        raise invalid("search", allowed, search, TypeError)
    refit = getattr(search, "refit", None)
    return results, refit if isinstance(refit, str) else None
