"""Results of skore. Nothing is fitted."""

from __future__ import annotations

import numpy as np

from .._compat import take_rows
from .._data._cvlosses import CVLosses
from .._engine._arguments import numbered
from .._losses._measures import choose_measure
from .._losses._metric_names import name_of_measure
from .._losses._named_losses import Loss
from .._results._estimator_comparison import Comparison
from .._splits._layout import layout_of_splits
from .._splits._splitters import describe_splitter
from .._typing import Any, Function
from .._validation import check_named, invalid, invalid_words


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

    The fitted models are in the reports: they predict their test sets, and nothing is
    fitted.

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
    layout = layout_of_splits(splits)
    for name, report in named.items():
        report_layout = layout_of_splits(list(report.split_indices))
        is_same = report_layout.split_hash == layout.split_hash
        if not (is_same and np.array_equal(np.asarray(report.y), y)):
            allowed = "of the same splits of the same target"
            names_text = f"others for {name!r} than for {next(iter(named))!r}"
            raise invalid_words("reports", allowed, names_text)
    estimators = {name: report.estimator for name, report in named.items()}
    measure, target = choose_measure(estimators, y, loss, None)
    losses = [_losses_of(report, measure, target, splits) for report in named.values()]
    tests = [test_set for _, test_set in splits]
    losses = CVLosses.from_values(
        named,
        np.column_stack(losses),
        layout._replace(n_samples=len(y)),
        row_split=np.repeat(np.arange(len(splits)), list(map(len, tests))),
        row_index=np.concatenate(tests),
        loss_name=measure.name,
        metric_name=name_of_measure(measure),
        value_range=measure.value_range,
        cv_description=describe_splitter(first.splitter),
    )
    return Comparison(
        losses, test=test, reference=reference, p_adjust=p_adjust, alpha=alpha
    )


def _name_reports(reports):
    allowed = "a dict or list of skore's CrossValidationReport, at least two"
    reports = getattr(reports, "reports_", reports)
    if isinstance(reports, (list, tuple)):
        names = [
            getattr(model_report, "estimator_name_", "model")
            for model_report in reports
        ]
        reports = dict(zip(numbered(names), reports, strict=True))
    check_named("reports", reports, allowed)
    for name, report in reports.items():
        needed = "split_indices", "X", "y", "reports_"
        if not all(hasattr(report, attribute) for attribute in needed):
            raise invalid(f"reports[{name!r}]", allowed, report, TypeError)
    return dict(reports)


def _losses_of(report, measure, target, splits):
    """Return the losses of all test examples of a report, split after split."""
    losses = []
    for fold, (train, test_set) in zip(report.reports_, splits, strict=True):
        model = fold.estimator_
        truth = target[test_set]
        response = measure.respond(model, take_rows(report.X, test_set), truth, {})
        losses.append(measure.values(response, model, target[train], truth))
    return np.concatenate(losses)
