"""Callables for `refit=` of a search: the simplest candidate that is good enough."""

from __future__ import annotations

import numbers
from abc import ABC, abstractmethod
from itertools import pairwise

import numpy as np
from sklearn.base import BaseEstimator

from .._best._best_set import Best
from .._inference._base_test import BaseCVTest
from .._inference._choose_tests import choose_tests
from .._inference._exchangeable import (
    CorrectedRepeatedKFoldTTest,
    CorrectedResampledTTest,
)
from .._inference._multiplicity import adjust_pvalues
from .._inference._student import t_statistic
from .._losses._margins import check_margin, read_margin
from .._pairs._ratios import enlarged
from .._pairs._tested import pair_pvalues
from .._splits._design import DesignKind
from .._splits._layout import resolve_layout
from .._typing import Any, ArrayLike, Function
from .._validation import check_level, invalid, invalid_words
from ._candidates import candidate_losses, read_candidates

MOST_FOLDS = 20  # more splits are hardly one K-fold
LEVEL = 0.05  # of the set that one_standard_error reads


class _RefitRule(ABC, BaseEstimator):
    """Picks the simplest of the candidates that a subclass admits."""

    def __init__(self, complexity, *, metric=None, cv=None, n_train=None, n_test=None):
        self.complexity = complexity
        self.metric = metric
        self.cv = cv
        self.n_train = n_train
        self.n_test = n_test

    @abstractmethod
    def _admitted(self, losses, layout, best, simpler):
        """Return which of the simpler candidates are good enough, array of bool."""

    def __call__(self, cv_results):
        """Return the row of `cv_results_` to refit.

        Parameters
        ----------
        cv_results : dict
            The `cv_results_` of a search.

        Returns
        -------
        best_index : int
            The simplest candidate that is good enough; of several as simple, the one
            with the best mean score.
        """
        if not hasattr(cv_results, "keys"):  # of a dict, or a table
            allowed = "the `cv_results_` of a search"
            raise invalid("cv_results", allowed, cv_results, TypeError)
        table = read_candidates(cv_results, self.metric)
        rows = table.rows
        if not rows.size:
            allowed = "of a candidate without failed fits"
            raise invalid_words("cv_results", allowed, "none")
        layout = self._layout(table.scores.shape[1])
        means = table.scores[rows][:, layout.design.full].mean(axis=1)
        best = int(means.argmax())
        ranks = _complexity_ranks(self.complexity, [table.params[row] for row in rows])
        simpler = np.flatnonzero(ranks < ranks[best])
        if simpler.size:
            losses = candidate_losses(table, layout)
            simpler = simpler[self._admitted(losses, layout, best, simpler)]
        selected = np.append(simpler, best)
        order = np.lexsort((selected, -means[selected], ranks[selected]))
        return int(rows[selected[order[0]]])

    def _layout(self, n_splits):
        if self.cv is None and self.n_train is None and self.n_test is None:
            if n_splits > MOST_FOLDS:
                allowed = f"what made the {n_splits} splits of the search"
                raise invalid("cv", allowed, None, hint="A K-fold has fewer.")
            return resolve_layout(n_splits, n_splits)
        return resolve_layout(self.cv, n_splits, self.n_train, self.n_test)


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
    margin : float or str, default=None
        The smallest loss of score that would matter, > 0; of errors that are compared
        by ratio a percentage, such as "5%".
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
        complexity: str | Function,
        *,
        test: BaseCVTest | None = None,
        alpha: float = 0.05,
        margin: float | str | None = None,
        metric: str | None = None,
        cv: Any = None,
        n_train: int | ArrayLike | None = None,
        n_test: int | ArrayLike | None = None,
    ):
        self.test = test
        self.alpha = alpha
        self.margin = margin
        super().__init__(
            complexity, metric=metric, cv=cv, n_train=n_train, n_test=n_test
        )

    def _admitted(self, losses, layout, best, simpler):
        alpha = check_level("alpha", self.alpha)
        test = self._directed_test(layout.design)
        if self.margin is None:
            return _may_be_best(test, losses, alpha, simpler)
        check_margin("margin", self.margin)
        margin, ratio = read_margin("margin", self.margin, losses)
        test.set_params(alternative="greater", popmean=-margin)
        losses = enlarged(losses, best, 1 + ratio)
        pairs = np.column_stack([np.full_like(simpler, best), simpler])
        # that the scores are the same is no reason to warn
        return adjust_pvalues(pair_pvalues(test, losses, pairs), "holm") <= alpha

    def _directed_test(self, design):
        """Return the one-sided test of the best (first) against a candidate."""
        test = self.test
        if test is None and design.kind == DesignKind.FIVE_BY_TWO:
            test = CorrectedRepeatedKFoldTTest()
        if isinstance(test, (list, tuple, dict)):
            raise invalid("test", "one test, or None", test, TypeError)
        (test,) = choose_tests(test, design, False, self.alpha).values()
        if not test.traits.is_directed:
            allowed = "a test with a direction, such as KFoldTTest()"
            hint = "" if test.traits.names_winner else "Use `margin`."
            raise invalid("test", allowed, self.test, TypeError, hint)
        return test.set_params(alternative="less", popmean=0.0)


def _may_be_best(test, losses, alpha, places):
    """Return which places are in the set of those that may be the best."""
    best = Best(test, losses, alpha)
    return np.isin(places, best.order[best.kept])


class _OneStandardError(_RefitRule):
    """The rule of :func:`one_standard_error`."""

    def _admitted(self, losses, layout, best, simpler):
        scores = -losses.losses[:, best]
        Test = CorrectedResampledTTest
        if layout.design.kind in CorrectedRepeatedKFoldTTest().traits.designs:
            Test = CorrectedRepeatedKFoldTTest
        Test().check_design(layout.design, per_example=False)
        result = t_statistic(scores, Test().assumed_rho(losses.losses_of(best)))
        least = result.estimate - result.standard_error
        is_near = -losses.losses[:, simpler].mean(axis=0) >= least
        return is_near & _may_be_best(Test(), losses, LEVEL, simpler)


def one_standard_error(
    complexity: str | Function,
    *,
    metric: str | None = None,
    cv: Any = None,
    n_train: int | ArrayLike | None = None,
    n_test: int | ArrayLike | None = None,
) -> Function:
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
    return _OneStandardError(
        complexity, metric=metric, cv=cv, n_train=n_train, n_test=n_test
    )


# What simpler means -----------------------------------------------------------


def _complexity_ranks(complexity, params):
    """Return the rank of each dict of parameters, 0 for the simplest; ties share."""
    if not isinstance(complexity, str) and not callable(complexity):
        allowed = "the name of a parameter, or a function of all of them"
        raise invalid("complexity", allowed, complexity, TypeError)
    is_asked = callable(complexity)
    keys = [complexity(c) if is_asked else _number(complexity, c) for c in params]
    allowed = "a function whose values can be sorted"
    try:
        order = sorted(range(len(keys)), key=keys.__getitem__)
        differs = [keys[a] != keys[b] for a, b in pairwise(order)]
        is_nan = any(bool(key != key) for key in keys)
    except (TypeError, ValueError):
        raise invalid_words("complexity", allowed, f"values {keys[:5]}") from None
    if is_nan:
        raise invalid_words("complexity", allowed, "nan")
    ranks = np.empty(len(keys))
    ranks[order] = np.cumsum([0, *differs])
    return ranks


def _number(name, params):
    if name not in params:
        allowed = f"a parameter of every candidate, such as {', '.join(params)}"
        raise invalid("complexity", allowed, name)
    value = params[name]
    if not isinstance(value, (numbers.Real, np.bool_)):
        allowed = f"a function of the parameters where {name!r} is not always a number"
        value_text = f"{name!r}, which is {value!r} in one"
        raise invalid_words("complexity", allowed, value_text)
    return float(value)
