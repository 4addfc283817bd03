"""The candidates of a search, read from `cv_results_`, and tests of many pairs."""

import numbers
import re
from collections import Counter
from typing import NamedTuple

import numpy as np

from .._compat import metric_of_score
from .._data._cvlosses import CVLosses
from .._losses._metric_names import name_of_scorer
from .._losses._metrics import score_range
from .._validation import invalid, invalid_words, one_line

LONGEST = 60  # characters of a name made of parameters
SPLIT_SCORE = re.compile(r"split(\d+)_test_(.+)", re.DOTALL)


class Candidates(NamedTuple):
    """What a search says about its candidates.

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
    n_searched : int or None
        For successive halving, the number of candidates at the start.
    """

    metric: str
    params: list
    rows: np.ndarray
    failed: np.ndarray
    scores: np.ndarray
    n_searched: int | None = None


def read_candidates(results, metric=None, refit=None):
    """Return the candidates of `cv_results_` (a dict or a data frame of it).

    `metric` None takes the only metric, or the one that `refit` names.
    """
    columns = _split_columns(results)
    metric = _choose_metric(metric, refit, columns)
    for key in columns[metric]:
        if any(isinstance(score, str) for score in results[key]):
            raise invalid_words("search", "scores that are numbers", f"text in {key!r}")
    scores = np.column_stack([np.asarray(results[key]) for key in columns[metric]])
    scores = np.ascontiguousarray(scores, dtype=np.float64)
    in_last = np.ones(len(scores), dtype=bool)
    n_searched = None
    if "iter" in results:  # successive halving: rungs have other sizes
        iteration = np.asarray(results["iter"])
        in_last = iteration == iteration.max()
        n_searched = int(np.count_nonzero(iteration == iteration.min()))
    finite = np.isfinite(scores).all(axis=1)
    return Candidates(
        metric,
        list(results["params"]),
        np.flatnonzero(in_last & finite),
        np.flatnonzero(in_last & ~finite),
        scores,
        n_searched=n_searched,
    )


def _split_columns(results):
    """Return the keys of split scores, in order, by metric."""
    columns = {}
    for key in results:
        match = SPLIT_SCORE.fullmatch(key) if isinstance(key, str) else None
        if match:
            columns.setdefault(match[2], {})[int(match[1])] = key
    if not columns or "params" not in results:
        allowed = "a search that keeps `params` and the scores of every split"
        raise invalid_words("search", allowed, f"results of {list(results)[:8]}")
    return {name: [keys[k] for k in sorted(keys)] for name, keys in columns.items()}


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
    for key in (metric, name):
        if key in columns:
            return key
    raise invalid("metric", allowed, metric)


def metric_name(search, name):
    """Return the name of a metric, which results call "score" if there is only one."""
    scoring = getattr(search, "scoring", None)
    if name != "score" or not hasattr(search, "estimator"):
        return name
    if isinstance(scoring, str):
        return scoring
    default_metric = metric_of_score(search.estimator) if scoring is None else None
    return default_metric or name


def facts_of_scores(search, name):
    """Return what CVLosses say of the scores of a metric of a search, a dict."""
    scorer = getattr(search, "scorer_", None)
    scorer = scorer.get(name) if isinstance(scorer, dict) else scorer
    low, high = score_range(scorer)
    called = metric_name(search, name)
    return {
        "loss_name": called,
        "metric_name": name_of_scorer(scorer, called),
        "value_range": (-high, -low),
    }


def candidate_losses(table, layout, **options):
    """Return minus the scores of the candidates that can be compared, as CVLosses."""
    return CVLosses.from_values(
        candidate_names(table.params, table.rows),
        -table.scores[table.rows].T,
        layout,
        is_score=True,
        **{"loss_name": table.metric} | options,
    )


# Names ------------------------------------------------------------------------------


def candidate_names(params, rows):
    """Return names made of the parameters in which candidates differ, all different."""
    rows = rows.tolist()
    varying = _varying([params[row] for row in rows])
    names = [_name(params[row], varying) for row in rows]
    if max(map(len, names), default=0) > LONGEST:
        classes = [_name(_with_classes(params[row]), varying) for row in rows]
        names = classes if len(set(classes)) == len(set(names)) else names
    names = [name or f"candidate {row}" for name, row in zip(names, rows, strict=True)]
    counts = Counter(names)
    return tuple(
        f"{name} (#{row})" if counts[name] > 1 else name
        for name, row in zip(names, rows, strict=True)
    )


def _name(params, varying):
    if not isinstance(params, dict):
        return str(params)
    return ", ".join(
        f"{varying[name]}={_shown(value)}"
        for name, value in params.items()
        if name in varying
    )


def _with_classes(params):
    """Return parameters with the classes of estimators in their place."""
    if not isinstance(params, dict):
        return params
    return {
        name: _Named(type(value).__name__) if hasattr(value, "get_params") else value
        for name, value in params.items()
    }


class _Named(str):
    """A name that is shown without quotation marks."""

    def __repr__(self):
        return str(self)


def _varying(params):
    """Return {parameter: what to call it} of those that differ between candidates."""
    value_counts = {}
    for of_one in params:
        for name, value in of_one.items() if isinstance(of_one, dict) else ():
            value_counts.setdefault(name, Counter())[repr(value)] += 1
    names = [
        name
        for name, counts in value_counts.items()
        if len(params) not in counts.values()
    ]
    ends = [name.rpartition("__")[2] for name in names]
    return {
        name: name if ends.count(end) > 1 else end
        for name, end in zip(names, ends, strict=True)
    }


def _shown(value):
    """Return a value of a parameter, real numbers with four digits."""
    if isinstance(value, numbers.Integral):
        return str(value)
    if isinstance(value, numbers.Real):
        return f"{value:.4g}"
    return one_line(repr(value))


# Files ------------------------------------------------------------------------------


def plain(value):
    """Return a value as JSON types, other ones as text."""
    if isinstance(value, dict):
        return {str(name): plain(item) for name, item in value.items()}
    if isinstance(value, (list, tuple)):
        return list(map(plain, value))
    value = value.item() if isinstance(value, np.generic) else value
    is_known = isinstance(value, bool | int | str | None)
    is_known |= isinstance(value, float) and bool(np.isfinite(value))
    return value if is_known else repr(value)
