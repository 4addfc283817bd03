"""Results of other tools: skore and Optuna. Nothing is fitted."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping

import numpy as np

from .._data._cvlosses import CVLosses
from .._losses._measures import choose_measure
from .._losses._named_losses import Loss
from .._results._candidate_comparison import CandidateComparison
from .._results._comparison import Comparison
from .._splits._layout import layout_of_splits
from .._splits._splitters import describe_splitter
from .._typing import Any, Function
from .._validation import invalid, invalid_words
from ._compare_candidates import compare_candidates

__all__ = ["compare_optuna", "compare_skore"]


def compare_skore(
    reports: Any,
    *,
    loss: str | Loss | Function = "auto",
    test: Any = None,
    reference: Any = None,
    p_adjust: Any = "holm",
    alpha: Any = 0.05,
) -> Comparison:
    """Compare the models of skore's cross-validation reports.

    The predictions are in the reports: the losses of single examples come from them,
    and nothing is fitted.

    Parameters
    ----------
    reports : dict, list or skore.ComparisonReport
        At least two `CrossValidationReport`, by name or not, over the same splits.
    loss : str, Loss or callable, default="auto"
        As in :func:`compare_estimators`.
    test, reference, p_adjust, alpha : object
        As in :func:`compare_estimators`.

    Returns
    -------
    comparison : Comparison
        The tests.

    Raises
    ------
    TypeError, ValueError
        If these are no such reports, or not of the same splits of the same target.

    See Also
    --------
    compare_estimators : Fits the models.

    Examples
    --------
    >>> from sklearn_cvtest.adapters import compare_skore
    >>> reports = {
    ...     "ridge": skore.CrossValidationReport(Ridge(), X, y, splitter=cv),
    ...     "lasso": skore.CrossValidationReport(Lasso(), X, y, splitter=cv),
    ... }  # doctest: +SKIP
    >>> compare_skore(reports)  # doctest: +SKIP
    """
    named = _name_reports(reports)
    first, *_ = named.values()
    splits = [tuple(map(np.asarray, split)) for split in first.split_indices]
    y = np.asarray(first.y)
    for name, report in named.items():
        is_same = len(report.split_indices) == len(splits) and all(
            np.array_equal(train, other[0]) and np.array_equal(test_set, other[1])
            for (train, test_set), other in zip(
                splits, report.split_indices, strict=True
            )
        )
        if not is_same or not np.array_equal(np.asarray(report.y), y):
            allowed = "of the same splits of the same target"
            shown = f"others for {name!r} than for {next(iter(named))!r}"
            raise invalid_words("reports", allowed, shown)
    estimators = {name: report.estimator for name, report in named.items()}
    measure, target = choose_measure(estimators, y, loss, None)
    layout = layout_of_splits(splits)
    losses = np.column_stack(
        [_losses_of(report, measure, target, splits) for report in named.values()]
    )
    sizes = [len(test_set) for _, test_set in splits]
    losses = CVLosses.of_blocks(
        named,
        losses,
        layout._replace(n_samples=len(y)),
        row_split=np.repeat(np.arange(len(splits)), sizes),
        row_index=np.concatenate([test_set for _, test_set in splits]),
        loss_name=measure.name,
        value_range=measure.value_range,
        cv_description=describe_splitter(first.splitter),
    )
    return Comparison(
        losses, test=test, reference=reference, p_adjust=p_adjust, alpha=alpha
    )


def _name_reports(reports):
    allowed = "a dict or list of skore's CrossValidationReport, at least two"
    reports = getattr(reports, "reports_", reports)
    if not isinstance(reports, Mapping):
        if not isinstance(reports, (list, tuple)):
            raise invalid("reports", allowed, reports, TypeError)
        names = [getattr(given, "estimator_name_", "model") for given in reports]
        counts, seen = Counter(names), Counter()
        for number, name in enumerate(names):
            seen[name] += 1
            names[number] = f"{name} ({seen[name]})" if counts[name] > 1 else name
        reports = dict(zip(names, reports, strict=True))
    needed = ("split_indices", "get_predictions", "y", "reports_")
    for name, report in reports.items():
        if not all(hasattr(report, attribute) for attribute in needed):
            raise invalid(f"reports[{name!r}]", allowed, report, TypeError)
    if len(reports) < 2:
        raise invalid_words("reports", allowed, f"{len(reports)}")
    texts = Counter(map(str, reports))
    twice = [name for name in reports if texts[str(name)] > 1]
    if twice:
        shown = " and ".join(map(repr, twice))
        raise invalid_words("reports", "named by texts that differ", shown)
    return {str(name): report for name, report in reports.items()}


def _losses_of(report, measure, target, splits):
    """Return the losses of all test examples of a report, split after split."""
    method = measure.loss.response_method
    responses = report.get_predictions(data_source="test", response_method=method)
    return np.concatenate(
        [
            measure.values(
                _as_scikit_learn(np.asarray(response), report, fold.estimator_, method),
                fold.estimator_,
                target[train],
                target[test_set],
            )
            for response, fold, (train, test_set) in zip(
                responses, report.reports_, splits, strict=True
            )
        ]
    )


def _as_scikit_learn(response, report, estimator, method):
    """Return what the method of the estimator returns.

    skore gives the column of `pos_label` alone, where a report has one.
    """
    label = getattr(report, "pos_label", None)
    if method == "predict" or response.ndim != 1 or label is None:
        return response
    is_first = label == estimator.classes_[0]
    if method == "decision_function":
        return -response if is_first else response
    columns = [response, 1 - response] if is_first else [1 - response, response]
    return np.column_stack(columns)


def compare_optuna(
    study: Any, *, cv: Any, metric: str = "objective", **options: Any
) -> CandidateComparison:
    """Compare the trials of an Optuna study that reports the score of every fold.

    The objective function has called `trial.report(score, step=fold)` for every fold.
    Trials that were pruned or failed have no scores in some folds, and are left out
    with a warning. For an `OptunaSearchCV`, use :func:`compare_candidates`.

    Parameters
    ----------
    study : optuna.Study
        The study, of one objective.
    cv : object
        How the splits were made, the same for all trials: the splitter, an int
        (K-fold) or the name of a design.
    metric : str, default="objective"
        What the values are called. Where they are minimised, they become scores by
        negation.
    **options : dict
        As in :func:`compare_candidates`: `reference`, `test`, `p_adjust`, `alpha`,
        `n_train`, `n_test`.

    Returns
    -------
    comparison : CandidateComparison
        The tests; a candidate is the number of a trial.

    Raises
    ------
    TypeError, ValueError
        If it is no such study, or no trial has reported values.

    Examples
    --------
    >>> from sklearn_cvtest.adapters import compare_optuna
    >>> study.optimize(objective, n_trials=20)  # doctest: +SKIP
    >>> compare_optuna(study, cv=5, metric="accuracy")  # doctest: +SKIP
    """
    allowed = "an Optuna study of one objective"
    if not hasattr(study, "trials") or not hasattr(study, "directions"):
        raise invalid("study", allowed, study, TypeError)
    if len(study.directions) != 1:
        raise invalid_words("study", allowed, f"{len(study.directions)} objectives")
    if not isinstance(metric, str):
        raise invalid("metric", "a name", metric, TypeError)
    is_minimised = study.directions[0].name == "MINIMIZE"
    trials = study.trials
    steps = sorted({step for trial in trials for step in trial.intermediate_values})
    if not steps:
        allowed = "a study whose trials call trial.report(score, step=fold)"
        raise invalid_words("study", allowed, "no intermediate values")
    sign = -1.0 if is_minimised else 1.0
    name = f"neg_{metric}" if is_minimised else metric
    results = {
        f"split{number}_test_{name}": np.array(
            [sign * trial.intermediate_values.get(step, np.nan) for trial in trials]
        )
        for number, step in enumerate(steps)
    }
    results["params"] = [dict(trial.params) for trial in trials]
    return compare_candidates(results, cv=cv, **options)
