"""interval_of_predictions: how good a model is, and how sure that is."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal

from .._inference._base_test import BaseCVTest
from .._inference._choose_tests import needs_examples
from .._losses._named_losses import Loss
from .._sources._read_predictions import plan_given
from .._typing import Any, ArrayLike, Function, Sequence
from .._validation import check_level
from ._cross_val_interval import (
    CrossValInterval,
    choose_interval_tests,
    intervals_of_losses,
)


def interval_of_predictions(
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
    confidence_level: float = 0.95,
    test: BaseCVTest | None = None,
) -> CrossValInterval:
    """Estimate how good a model is, with an interval, from its predictions.

    Parameters
    ----------
    y_true : array-like of shape (n_samples,)
        The target, as in :func:`compare_predictions`.
    predictions : array-like, dict or data frame
        The predictions of one model, or a dict or data frame of the predictions of one
        or several models by name; each as in :func:`compare_predictions`.
    loss : str, Loss or callable, default="auto"
        As in :func:`compare_predictions`: smaller is better.
    scoring : str, callable, list or dict, default=None
        One or several scorers in place of `loss`, such as "roc_auc".
    response : {"auto", "predict", "predict_proba", "decision_function"}, \
            default="auto"
        What the predictions are, as in :func:`compare_predictions`.
    splits : array-like of shape (n_samples,) or (n_samples, R), or list, default=None
        The folds of out-of-fold predictions, as in :func:`compare_predictions`.
    groups : array-like of shape (n_samples,), default=None
        Label of the group of each row: variances are those between groups.
    sample_weight : array-like of shape (n_samples,), default=None
        Weights of the rows.
    n_train : int, default=None
        Number of examples the model was trained on, for a test set; only for reports.
    confidence_level : float, default=0.95
        Level of the intervals, in (0, 1).
    test : test, default=None
        The test whose interval is reported, as in :func:`cross_val_interval`; of a test
        set, :class:`HoldoutTTest`.

    Returns
    -------
    interval : CrossValInterval
        Estimates, standard errors and intervals.

    Raises
    ------
    TypeError, ValueError
        If an argument is not as described.

    Warns
    -----
    HeavyTailedResidualsWarning
        If an interval is too short.

    See Also
    --------
    cross_val_interval : Fits the model, too.
    compare_predictions : Whether one model is better than another.

    Notes
    -----
    Of a test set, the interval is about this fitted model on new examples, which are
    taken for independent (or, with `groups`, their groups). It is made as in
    :func:`cross_val_interval`, and is the interval that :func:`compare_predictions`
    shows beside the mean of the model.

    Examples
    --------
    >>> from sklearn_cvtest import interval_of_predictions
    >>> y = [0] * 12 + [1] * 12
    >>> probabilities = [0.1, 0.2, 0.6, 0.3] * 3 + [0.4, 0.7, 0.8, 0.9] * 3
    >>> result = interval_of_predictions(y, probabilities, scoring="roc_auc")
    >>> result.estimate_
    0.9375

    From counts, such as 87 right answers of 100, the right answer being 1:

    >>> answers = [1] * 87 + [0] * 13
    >>> result = interval_of_predictions([1] * 100, answers, scoring="accuracy")
    >>> [round(end, 3) for end in result.interval_]
    [0.787, 0.924]
    """
    level = check_level("confidence_level", confidence_level)
    if not isinstance(predictions, Mapping) and not hasattr(predictions, "columns"):
        predictions = {"model": predictions}
    models = plan_given(
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
        least=1,
    )
    tests = choose_interval_tests(test, models.plan, 1 - level)
    return intervals_of_losses(models.losses(), tests, models.target, level)
