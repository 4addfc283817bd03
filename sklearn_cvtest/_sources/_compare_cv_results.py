"""compare_cv_results: from the output of cross_validate to an answer, without fits."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from .._data._cvlosses import CVLosses
from .._inference._base_test import BaseCVTest
from .._results._estimator_comparison import Comparison
from .._results._several_metrics import MultiMetricComparison, check_metrics
from .._row_labels import warn_of_another_order
from .._splits._layout import layout_of_splits, resolve_layout, with_sizes
from .._splits._splitters import describe_splitter
from .._tables._table_columns import as_shares, range_of
from .._typing import Any, ArrayLike, Sequence
from .._validation import check_named, check_real_array, invalid, invalid_words


def compare_cv_results(
    results: dict[str, Any],
    *,
    metric: str | Sequence[str] = "test_score",
    loss: str | None = None,
    n_train: int | ArrayLike | None = None,
    n_test: int | ArrayLike | None = None,
    cv: Any = None,
    percent: bool = False,
    test: BaseCVTest | None = None,
    reference: str | None = None,
    p_adjust: str | None = "holm",
    alpha: float = 0.05,
) -> Comparison | MultiMetricComparison:
    """Compare estimators by the scores that `cross_validate` returned for them.

    Nothing is fitted. All must have been evaluated over the *same* splits, as with the
    same splitter with an integer `random_state`; with `return_indices=True` this is
    checked, and the design and the sizes of the splits are recognised from the indices.

    Parameters
    ----------
    results : dict
        Name of each estimator, at least two, and its results: the dict that
        `cross_validate` returns, a data frame of it, or an array of scores, such as
        `cross_val_score` returns.
    metric : str or list of str, default="test_score"
        The key of the scores to compare, such as "test_roc_auc" (or "roc_auc") where
        there are several; of a list, the result holds a comparison by each. Greater is
        better, as in scikit-learn.
    loss : str, default=None
        In place of `metric`, the key of losses, of which smaller is better; of arrays,
        what they hold, such as "rmse".
    n_train, n_test : int or array-like of shape (n_splits,), default=None
        Sizes of the training and test sets, if indices were not kept and the splits are
        random subsamples. Without `cv`, splits with given sizes are treated as such.
    cv : object, default=None
        How the splits were made, if indices were not kept: the splitter, an int
        (K-fold), a list of (train, test), or the name of a design, as in
        :meth:`CVResiduals.from_array`.
    percent : bool, default=False
        Whether the scores (or losses) are in percent. They are divided by 100.
    test : test or None, default=None
        One that accepts one value per split; None chooses by the design of the splits,
        see :func:`compare_estimators`.
    reference : str, default=None
        Name of the estimator to compare all others with, or "best"; None compares all
        pairs.
    p_adjust : str or None, default="holm"
        How p-values are adjusted for the number of pairs: a `method` of
        :func:`adjust_pvalues`.
    alpha : float, default=0.05
        Level of decisions and, as 1 - alpha, of intervals, in (0, 1).

    Returns
    -------
    comparison : Comparison or MultiMetricComparison
        The tests; one comparison for each of several metrics. Its `losses` are the
        losses, or minus the scores, one per split.

    Raises
    ------
    TypeError, ValueError
        If an argument is not as described, the results have different splits, the
        splits are not known, or a test is not valid for their design.

    Warns
    -----
    UserWarning
        If an estimator is left out because scores are nan, for example after failed
        fits.

    See Also
    --------
    compare_estimators : Fits the estimators, and keeps the loss of every example.
    compare_candidates : The same for a grid search.

    Examples
    --------
    >>> from sklearn.datasets import load_breast_cancer
    >>> from sklearn.model_selection import cross_validate
    >>> from sklearn.naive_bayes import GaussianNB
    >>> from sklearn.tree import DecisionTreeClassifier
    >>> from sklearn_cvtest import BlockKFold, compare_cv_results
    >>> X, y = load_breast_cancer(return_X_y=True)
    >>> results = {
    ...     name: cross_validate(
    ...         estimator, X, y, cv=BlockKFold(10, random_state=0), return_indices=True
    ...     )
    ...     for name, estimator in [
    ...         ("bayes", GaussianNB()),
    ...         ("tree", DecisionTreeClassifier(random_state=0)),
    ...     ]
    ... }
    >>> result = compare_cv_results(results)
    >>> round(result.pvalue_, 2), round(result.rho_alpha_, 2)
    (0.43, -2.53)

    Errors of folds, of which smaller is better:

    >>> errors = {"ridge": [2.1, 2.3, 1.9, 2.2, 2.4], "knn": [2.6, 2.9, 2.2, 2.7, 2.6]}
    >>> print(compare_cv_results(errors, loss="rmse", cv=5))
    ridge is better than knn: knn's RMSE is 19.3% higher (95% CI 5.2% to 34.3% ...
    """
    options = {
        "test": test,
        "reference": reference,
        "p_adjust": p_adjust,
        "alpha": alpha,
    }
    if loss is None and isinstance(metric, (list, tuple)):
        check_metrics(metric)
        sizes = {"cv": cv, "n_train": n_train, "n_test": n_test, "percent": percent}
        comparisons = {}
        for key in metric:
            comparison = compare_cv_results(results, metric=key, **sizes, **options)
            comparisons[key.removeprefix("test_")] = comparison
        return MultiMetricComparison(comparisons)
    results = _check_results(results)
    name, is_score = _compared_by(metric, loss)
    values = _aligned_values(results, name, loss, is_score, percent)
    losses = CVLosses.from_values(
        results,
        -values if is_score else values,
        _find_structure(results, len(values), cv, n_train, n_test),
        fit_time=_seconds(results, "fit_time", len(values)),
        score_time=_seconds(results, "score_time", len(values)),
        fit_failed=np.isnan(values),
        loss_name=name,
        is_score=is_score,
        value_range=range_of(name, values, is_score=is_score),
        cv_description=describe_splitter(cv),
    )
    return Comparison(losses, **options)


def _aligned_values(results, name, loss, is_score, percent):
    """Return the scores, or losses, of all estimators, (n_splits, n_estimators)."""
    user_values = {}
    for estimator, result in results.items():
        user_values[f"results[{estimator!r}]"] = _values(estimator, result, name, loss)
    arrays = {}
    for parameter, values in user_values.items():
        arrays[parameter] = check_real_array(parameter, values, (1,))
    arrays = as_shares(arrays, name, is_score=is_score, percent=percent, where="split")
    lengths = [len(values) for values in arrays.values()]
    if len(set(lengths)) > 1:
        of_estimators = []
        for estimator, length in zip(results, lengths, strict=True):
            of_estimators.append(f"{length} of {estimator!r}")
        noun = "scores" if is_score else "losses"
        values_text = f"{', '.join(of_estimators)} {noun}"
        raise invalid_words("results", "of the same splits", values_text)
    warn_of_another_order(user_values)
    return np.column_stack(list(arrays.values()))


def _compared_by(metric, loss):
    """Return the name of what is compared, and whether greater is better."""
    if loss is None:
        if not isinstance(metric, str):
            raise invalid("metric", "a key of the results", metric, TypeError)
        return metric, True
    if not isinstance(loss, str) or not loss:
        allowed = "a key of the results, or what arrays hold, such as 'rmse'"
        raise invalid("loss", allowed, loss, TypeError)
    if metric != "test_score":
        raise invalid("metric", "left out with `loss`", metric)
    return loss, False


def _check_results(results):
    allowed = "a dict of name: output of cross_validate, at least two"
    check_named("results", results, allowed)
    if {"fit_time", "score_time"} <= results.keys():
        hint = "This is the output for a single estimator."
        raise invalid("results", allowed, list(results), hint=hint)
    return dict(results)


def _is_table(result):
    """Whether a result is a dict of arrays or a data frame, not plain scores."""
    return isinstance(result, Mapping) or hasattr(result, "columns")


def _values(name, result, metric, loss):
    """Return the scores, or losses, of one estimator, as they were given."""
    if not _is_table(result):
        return result
    keys = [key for key in result if str(key).startswith("test_")]
    if not keys:
        allowed = "what `cross_validate` returned, with test scores"
        raise invalid(f"results[{name!r}]", allowed, result)
    key = metric if metric in result else f"test_{metric}"
    if key not in result:
        allowed = f"one of {', '.join(map(repr, keys))}, the scores of {name!r}"
        raise invalid("metric" if loss is None else "loss", allowed, metric)
    return result[key]


def _find_structure(named, n_splits, cv, n_train, n_test):
    layouts = {
        name: _structure_of_indices(name, entry["indices"], n_splits)
        for name, entry in named.items()
        if isinstance(entry, Mapping) and entry.get("indices") is not None
    }
    first = next(iter(layouts), None)
    for name, layout in layouts.items():
        if layout.split_hash != layouts[first].split_hash:
            raise ValueError(
                f"`results` must be of the same splits; got other indices for {name!r} "
                f"than for {first!r}. Use the same splitter with an integer "
                "`random_state` for all."
            )
    if layouts:
        layout = with_sizes(layouts[first], n_splits, n_train, n_test)
        if cv is None:
            return layout
        declared = resolve_layout(cv, n_splits, layout.n_train, layout.n_test)
        return layout._replace(design=declared.design)
    if cv is None and n_train is None and n_test is None:
        hint = (
            " For scores of the examples of one test set, use compare_scores(results)."
        )
        are_arrays = not any(map(_is_table, named.values()))
        raise ValueError(
            "The splits of `results` are not known. Pass the `cv` that made them; or "
            "`n_train` and `n_test`; or use cross_validate(..., return_indices=True)."
            + hint
            * are_arrays
        )
    layout = resolve_layout(cv, n_splits, n_train, n_test)
    if layout.n_test is not None and layout.n_test.dtype.kind == "f":
        # shares of a sample of unknown size
        allowed = f"given, with `n_test`, as the sizes of the splits of {cv!r}"
        raise invalid("n_train", allowed, n_train)
    return layout


def _structure_of_indices(name, indices, n_splits):
    parameter = f"results[{name!r}]['indices']"
    try:
        splits = list(zip(indices["train"], indices["test"], strict=True))
    except (KeyError, TypeError, ValueError):
        allowed = "as cross_validate(..., return_indices=True) returns them"
        raise invalid(parameter, allowed, indices) from None
    if len(splits) != n_splits:
        allowed = f"of the {n_splits} splits"
        raise invalid_words(parameter, allowed, f"{len(splits)} splits")
    return layout_of_splits(splits)


def _seconds(named, key, n_splits):
    """Return times of shape (n_splits, n_estimators), nan where they are not known."""
    unknown = np.full(n_splits, np.nan)
    columns = [
        check_real_array(key, entry[key], (1,))
        if _is_table(entry) and key in entry
        else unknown
        for entry in named.values()
    ]
    return np.column_stack(columns)
