"""compare_predictions: existing predictions, without estimators."""

from __future__ import annotations

from typing import Literal

from .._engine._installed_checks import installed_checks
from .._inference._choose_tests import Question, choose_pairs, needs_examples
from .._losses._named_losses import Loss
from .._results._estimator_comparison import Comparison, compare_by_metric
from .._results._several_metrics import MultiMetricComparison
from .._typing import Any, ArrayLike, Function, Sequence
from ._read_predictions import plan_given


def compare_predictions(
    y_true: ArrayLike,
    predictions: Any,
    *,
    loss: str | Loss | Function = "auto",
    scoring: str | Function | Sequence[Any] | dict[str, Any] | None = None,
    response: Literal["auto", "predict", "predict_proba", "decision_function"] = "auto",
    splits: ArrayLike | Sequence[Any] | None = None,
    groups: ArrayLike | None = None,
    sample_weight: ArrayLike | None = None,
    n_train: int | None = None,
    test: Any = None,
    reference: Any = None,
    p_adjust: Any = "holm",
    alpha: Any = 0.05,
) -> Comparison | MultiMetricComparison:
    """Compare models by existing predictions.

    Parameters
    ----------
    y_true : array-like of shape (n_samples,)
        The target. Where it, `predictions`, `splits`, `groups` or `sample_weight` have
        an index of pandas, the labels of all of them must be the same in the same
        order; what has none, or the default one of a new frame, goes by position.
    predictions : dict or data frame
        Name of each model, at least two, and its predictions of all rows: labels,
        numbers, probabilities of shape (n_samples, n_classes) in the order of the
        sorted classes, or, of two classes, the probabilities or decision values of the
        second, of shape (n_samples,). With R repeats, of shape (n_samples, R) or
        (n_samples, R, n_classes). For several runs of a model on one test set, use
        :func:`compare_scores`.
    loss : str, Loss or callable, default="auto"
        As in :func:`compare_estimators`; "auto" is zero_one where the target and the
        predictions are classes, else squared_error.
    scoring : str, callable, list or dict, default=None
        One or several scorers in place of `loss`, such as "roc_auc"; as in
        :func:`cross_val_losses`.
    response : {"auto", "predict", "predict_proba", "decision_function"}, \
            default="auto"
        What the predictions of all models are, by the method of an estimator that
        returns such: labels or numbers, probabilities, or decision values, of which
        those above 0 are for the second class. "auto" takes real numbers in [0, 1] for
        the probabilities of the second of two classes; no others are decision values
        unless this says so.
    splits : array-like of shape (n_samples,) or (n_samples, R), or list, default=None
        Where predictions are out of fold: the fold in which each row was tested, by a
        model of all other rows; -1 if in none. A column for each repeat of the
        cross-validation. Or the list of (train, test), for predictions of one run. None
        is a test set that no model was trained on.
    groups : array-like of shape (n_samples,), default=None
        Label of the group of each row: variances are those between groups.
    sample_weight : array-like of shape (n_samples,), default=None
        Weights of the rows.
    n_train : int, default=None
        Number of examples the models were trained on, for a test set; only for reports.
    test, reference, p_adjust, alpha : object
        As in :func:`compare_estimators`. For a test set, the default is
        :class:`HoldoutTTest`, which is about these models, by its score test for few
        rows that are right or wrong (see `method` there); also :class:`McNemarTest`.

    Returns
    -------
    comparison : Comparison or MultiMetricComparison
        As from :func:`compare_estimators` with these splits.

    Raises
    ------
    TypeError, ValueError
        If an argument is not as described; missing predictions are named, and the first
        row of probabilities that leave [0, 1] or do not sum to one.

    See Also
    --------
    compare_estimators : Fits the estimators, too.
    compare_cv_results : From scores of folds.

    Notes
    -----
    The function cannot check how predictions were made: the score of a model is
    optimistic on rows that it was trained or selected on. Tests of a test set take its
    rows for independent. Forecasts in the order of time are not: a
    :class:`~sklearn_cvtest.exceptions.DependentRowsWarning` is raised where the loss
    differences of adjacent rows are correlated. Pass ``test=DieboldMarianoTest()``
    for forecasts.

    Examples
    --------
    >>> from sklearn_cvtest import McNemarTest, compare_predictions
    >>> y = [0, 0, 0, 1, 1, 1, 1, 0, 1, 0]
    >>> predictions = {
    ...     "a": [0, 0, 1, 1, 1, 1, 0, 0, 1, 0],
    ...     "b": [0, 1, 1, 0, 1, 0, 0, 1, 1, 0],
    ... }
    >>> compare_predictions(y, predictions, test=McNemarTest()).pvalue_
    0.125
    """
    question = Question(test, reference, p_adjust, alpha)
    measured_models = plan_given(
        y_true,
        predictions,
        loss=loss,
        scoring=scoring,
        response=response,
        splits=splits,
        groups=groups,
        sample_weight=sample_weight,
        n_train=n_train,
        needs_examples=needs_examples(test),
    )
    choose_pairs(measured_models.names, reference)
    tests = question.tests_of_plan(measured_models.plan)
    losses = measured_models.losses()
    checks = installed_checks()
    if splits is None and checks is not None and not _are_of_forecasts(tests):
        checks.warn_of_dependent_losses(losses, measured_models.target)
    return compare_by_metric(losses, question)


def _are_of_forecasts(tests):
    """Whether all tests take what is correlated over time into account."""
    return all(
        test.traits.concerns == "forecasts"
        for of_measure in tests
        for test in of_measure.values()
    )
