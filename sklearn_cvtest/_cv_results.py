"""compare_cv_results: what `cross_validate` returned."""

from dataclasses import replace

import numpy as np

from . import _diagnostics as diagnostics
from ._by_metric import ComparisonsByMetric
from ._columns import metric_of_values
from ._comparison import Comparison
from ._data import CVLosses
from ._layout import layout_of_cv, layout_of_splits, refuse_other_sizes
from ._splits import describe_splitter
from ._validation import check_array, invalid


def compare_cv_results(
    results,
    *,
    metric="test_score",
    loss=None,
    n_train=None,
    n_test=None,
    cv=None,
    percent=False,
    test=None,
    reference=None,
    p_adjust="holm",
    alpha=0.05,
):
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
    test : test, list or dict of tests, or None, default=None
        Tests that accept one value per split; None chooses by the design of the
        splits, see :func:`compare_estimators`.
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
    comparison : Comparison or ComparisonsByMetric
        The tests; one comparison for each of several metrics. Its `losses` are the
        losses, or minus the scores, one per split.

    Raises
    ------
    TypeError, ValueError
        If an argument is not as described, the results have different splits, the
        splits are not known, or a test is not valid for their design.

    Warns
    -----
    FitFailedWarning
        If an estimator is left out because scores are nan, as after failed fits.

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
    ridge is better than knn: knn's RMSE is 19.3% higher (95% CI 5.2% to 34.3%
    higher, p = 0.019).
    ...
    ...
    """
    options = {
        "test": test,
        "reference": reference,
        "p_adjust": p_adjust,
        "alpha": alpha,
    }
    if not isinstance(results, dict):
        allowed = "a dict of name: output of cross_validate"
        raise invalid("results", allowed, results, TypeError)
    if len(results) < 2 or "fit_time" in results:
        allowed = "outputs of cross_validate by name, at least two"
        raise invalid("results", allowed, list(results))
    if loss is not None and metric != "test_score":
        raise invalid("metric", "left out with `loss`", metric)
    if isinstance(metric, (list, tuple)):
        sizes = {"n_train": n_train, "n_test": n_test, "cv": cv, "percent": percent}
        comparisons = {}
        for key in metric:
            comparison = compare_cv_results(results, metric=key, **sizes, **options)
            comparisons[key.removeprefix("test_")] = comparison
        return ComparisonsByMetric(comparisons)
    name = metric if loss is None else loss
    if not isinstance(name, str):
        raise invalid("metric" if loss is None else "loss", "a name", name, TypeError)
    columns = {}
    for model, result in results.items():
        values = _values(result, name, "metric" if loss is None else "loss")
        columns[model] = check_array(f"results[{model!r}]", values, (1,))
    lengths = {model: len(values) for model, values in columns.items()}
    if len(set(lengths.values())) > 1:
        raise invalid("results", "of the same splits", lengths)
    values = np.column_stack(list(columns.values()))
    layout = _layout_of_results(results, len(values), cv, n_train, n_test)
    failed = np.isnan(values)
    row, losses = metric_of_values(name, loss is None, values[~failed], percent)
    values[~failed] = losses
    errors = {}
    for model, column in zip(columns, failed.T, strict=True):
        if column.any():
            errors[model] = ["the score is nan"] * int(column.sum())
    losses = replace(fold_losses(columns, values, layout, row, cv), errors=errors)
    diagnostics.warn_of_failures(losses, len(values))
    return Comparison(losses, **options)


def _values(result, name, parameter):
    """Return the scores, or losses, of an estimator."""
    if not isinstance(result, dict) and not hasattr(result, "columns"):
        return result
    keys = [key for key in result if str(key).startswith("test_")]
    key = f"test_{name}" if f"test_{name}" in keys else name
    if key not in keys:
        allowed = f"one of {', '.join(map(repr, keys))}"
        raise invalid(parameter, allowed, name)
    return result[key]


def _layout_of_results(results, n_splits, cv, n_train, n_test):
    """Return the SplitLayout, from indices if `cross_validate` has kept them."""
    first = None
    for name, result in results.items():
        if isinstance(result, dict) and result.get("indices") is not None:
            indices = result["indices"]
            splits = list(zip(indices["train"], indices["test"], strict=True))
            first = first or (name, splits)
            if not _are_equal(first[1], splits):
                raise ValueError(
                    "`results` must be of the same splits; got other indices for "
                    f"{name!r} than for {first[0]!r}. Use the same splitter with an "
                    "integer `random_state` for all."
                )
    if first:
        layout = layout_of_splits(first[1])
        if layout.n_test.size != n_splits:
            raise invalid("indices", f"of the {n_splits} splits", layout.n_test.size)
        sizes = layout.n_train, layout.n_test
        refuse_other_sizes(layout, n_train=n_train, n_test=n_test)
        if cv is None:
            return layout
        return replace(layout, design=layout_of_cv(cv, n_splits, *sizes).design)
    if cv is None and n_train is None and n_test is None:
        raise ValueError(
            "The splits of `results` are not known. Pass the `cv` that made them; or "
            "`n_train` and `n_test`; or use cross_validate(..., return_indices=True). "
            "For scores of the examples of one test set, use compare_scores(results)."
        )
    return layout_of_cv(cv, n_splits, n_train, n_test)


def _are_equal(splits, others):
    if len(splits) != len(others):
        return False
    for split, other in zip(splits, others, strict=True):
        if not all(map(np.array_equal, split, other)):
            return False
    return True


def fold_losses(names, values, layout, metric, cv=None, noun="estimator"):
    """Return CVLosses of losses of splits, (n_splits, n_models)."""
    return CVLosses(
        names=tuple(names),
        values=values,
        row_split=np.arange(len(values)),
        design=layout.design,
        metric=metric,
        n_train=layout.n_train,
        n_test=layout.n_test,
        n_samples=layout.n_samples,
        cv_words=describe_splitter(cv, False) if hasattr(cv, "get_n_splits") else "",
        noun=noun,
    )
