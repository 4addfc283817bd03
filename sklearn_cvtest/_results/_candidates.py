"""The candidates of a search, read from `cv_results_`, and tests of many pairs."""

import re
from typing import NamedTuple

import numpy as np
from sklearn.base import clone

from .._data._residuals import layout_residuals
from .._inference._choice import choose_tests
from .._inference._exchangeable import _ExchangeableTTest
from .._inference._student import ROUNDING, rho_alpha, student_interval
from .._validation import OneWarningOfAKind, invalid, invalid_words, warn
from ..exceptions import DegenerateResidualsWarning

__all__ = [
    "Candidates",
    "PairTests",
    "choose_test",
    "pair_differences",
    "read_candidates",
]

SPLIT_SCORE = re.compile(r"split(\d+)_test_(.+)", re.DOTALL)
CHUNK = 2**17  # of values, so that what a chunk needs stays in the processor's cache


class Candidates(NamedTuple):
    """What a search knows of its candidates.

    Attributes
    ----------
    metric : str
        Name of the metric.
    params : list of dict
        Parameters, one per row of `cv_results_`.
    rows : ndarray of shape (n_compared,)
        The rows that can be compared: of the last iteration, without failed splits.
    failed : ndarray
        The rows of the last iteration with a score that is not finite.
    scores : ndarray of shape (n_rows, n_splits)
        Test scores.
    """

    metric: str
    params: list
    rows: np.ndarray
    failed: np.ndarray
    scores: np.ndarray

    def mean_scores(self, design):
        """Return mean scores; for paired halves, over the splits of the whole sample.

        nan for the rows that are not compared.
        """
        full = design.n_splits if design.kind == "paired halves" else None
        means = np.full(len(self.params), np.nan)
        means[self.rows] = self.scores[self.rows, :full].mean(axis=1)
        return means


def read_candidates(results, metric=None, refit=None):
    """Return the candidates of `cv_results_` (a dict or a data frame of it).

    `metric` None takes the only metric, or the one that `refit` names.
    """
    columns = _split_columns(results)
    metric = _choose_metric(metric, refit, columns)
    scores = np.column_stack([np.asarray(results[key]) for key in columns[metric]])
    scores = np.ascontiguousarray(scores, dtype=np.float64)
    in_last = np.ones(len(scores), dtype=bool)
    if "iter" in results:  # successive halving: rungs have other sizes
        iteration = np.asarray(results["iter"])
        in_last = iteration == iteration.max()
    finite = np.isfinite(scores).all(axis=1)
    return Candidates(
        metric,
        list(results["params"]),
        np.flatnonzero(in_last & finite),
        np.flatnonzero(in_last & ~finite),
        scores,
    )


def _split_columns(results):
    """Return the keys of split scores, in order, by metric."""
    found = {}
    for key in results:
        match = SPLIT_SCORE.fullmatch(key) if isinstance(key, str) else None
        if match:
            found.setdefault(match[2], {})[int(match[1])] = key
    if not found or "params" not in results:
        allowed = "a search that keeps `params` and the scores of every split"
        raise invalid_words("search", allowed, f"results of {list(results)[:8]}")
    return {name: [keys[k] for k in sorted(keys)] for name, keys in found.items()}


def _choose_metric(metric, refit, columns):
    allowed = "one of " + ", ".join(map(repr, columns))
    if metric is None:
        metric = next(iter(columns)) if len(columns) == 1 else refit
        if not isinstance(metric, str):
            hint = "The search has several metrics."
            raise invalid("metric", allowed, None, hint=hint)
    if not isinstance(metric, str):
        raise invalid("metric", allowed, metric, TypeError)
    name = metric.removeprefix("mean_").removeprefix("test_")
    for one in (metric, name):
        if one in columns:
            return one
    raise invalid("metric", allowed, metric)


# Tests ------------------------------------------------------------------------


def choose_test(test, design, alpha):
    """Return the one test to make, checked against a design of one value a split."""
    if isinstance(test, (list, tuple, dict)):
        raise invalid("test", "one test, or None", test, TypeError)
    return next(iter(choose_tests(test, design, False, alpha).values()))


def is_vectorised(test):
    """Whether the test is t(ρ) with a ρ that depends on the splits alone."""
    return isinstance(test, _ExchangeableTTest) and "paired halves" not in test.designs


def pair_differences(scores, pairs):
    """Return loss(first) - loss(second) = score(second) - score(first), (m, J)."""
    return scores[pairs[:, 1]] - scores[pairs[:, 0]]


class PairTests(NamedTuple):
    """The results of a test on many pairs, arrays of shape (n_pairs,).

    `direction` has the sign of what was found; `df` is one for all pairs.
    """

    estimate: np.ndarray
    standard_error: np.ndarray
    statistic: np.ndarray
    pvalue: np.ndarray
    rho: np.ndarray
    rho_alpha: np.ndarray
    low: np.ndarray
    high: np.ndarray
    direction: np.ndarray
    df: object

    @classmethod
    def compute(cls, test, scores, pairs, layout, alpha):
        """Test all pairs of rows of `scores`; `alpha` is that of the intervals."""
        level = test._interval_level(alpha)
        if is_vectorised(test):
            return cls._at_once(test, scores, pairs, layout, level)
        return cls._one_by_one(test, scores, pairs, layout, level)

    @classmethod
    def _at_once(cls, test, scores, pairs, layout, level):
        n_pairs, n_splits = len(pairs), scores.shape[1]
        rho = test._rho(layout_residuals(layout, scores[0]))
        largest = np.abs(scores).max(axis=1)
        columns = np.empty((5, n_pairs))
        step = max(CHUNK // n_splits, 1)
        for start in range(0, n_pairs, step):
            some = pairs[start : start + step]
            values = pair_differences(scores, some)
            magnitude = largest[some].max(axis=1)
            result, pvalue, bound = test._evaluate(values, rho, magnitude)
            columns[:, start : start + step] = (*result, pvalue, bound)
            # means that differ by rounding errors of the scores do not differ
            is_same = np.abs(result.estimate - test.popmean) <= ROUNDING * magnitude
            none = rho_alpha(0.0, n_splits - 1, test.alpha, test.alternative)
            columns[::2, start + np.flatnonzero(is_same)] = [
                [test.popmean],
                [0],
                [none],
            ]
        estimate, error, statistic, pvalue, bound = columns
        _warn_of_no_variance(test, statistic, pairs)
        df = n_splits - 1
        low, high = student_interval(estimate, error, df, level, test.alternative)
        return cls(
            estimate,
            error,
            statistic,
            np.minimum(pvalue, 1.0),
            np.broadcast_to(float(rho), n_pairs),
            bound,
            np.broadcast_to(low, n_pairs),
            np.broadcast_to(high, n_pairs),
            estimate - test.popmean,
            df,
        )

    @classmethod
    def _one_by_one(cls, test, scores, pairs, layout, level):
        columns = np.empty((9, len(pairs)))
        with OneWarningOfAKind():
            for column, (first, second) in enumerate(pairs):
                values = scores[second] - scores[first]
                names = (f"candidate {first}", f"candidate {second}")
                one = clone(test).fit(layout_residuals(layout, values, names))
                columns[:, column] = (
                    one.estimate_,
                    one.standard_error_,
                    one.statistic_,
                    one.pvalue_,
                    one.rho_,
                    one.rho_alpha_,
                    *one.confidence_interval(level),
                    one._direction(),
                )
        return cls(*columns, one.df_)


def _warn_of_no_variance(test, statistic, pairs):
    infinite = np.flatnonzero(np.isinf(statistic))
    if infinite.size:
        first, second = pairs[infinite[0]]
        others = infinite.size - 1
        noun = "pair" if others == 1 else "pairs"
        also = f" (and {others} other {noun})" if others else ""
        warn(
            f"{type(test).__name__}: the score differences of candidates {first} and "
            f"{second}{also} are the same in every split and differ from popmean, so "
            "the statistic is infinite. Are there enough test examples?",
            DegenerateResidualsWarning,
        )
