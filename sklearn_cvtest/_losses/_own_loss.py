"""A per-example loss from a function of the user's."""

from __future__ import annotations

from typing import Literal

from .._typing import Function
from .._validation import check_option, invalid
from ._named_losses import DIFFERENCE, ENDLESS, POSITIVE, RATIO, Loss
from ._responses import RESPONSE_METHODS


def make_loss(
    function: Function,
    *,
    response_method: Literal[
        "predict", "predict_proba", "decision_function"
    ] = "predict",
    name: str | None = None,
    compared_by: Literal["difference", "ratio"] = DIFFERENCE,
) -> Loss:
    """Make a per-example loss from a callable.

    A plain callable can be passed as `loss=` directly; use this for one that works on
    probabilities or decision values, or to give it another name.

    Parameters
    ----------
    function : callable
        `function(y_true, y_pred) -> (n_samples,)`, the smaller the better; y_pred is
        what `response_method` of the estimator returns.
    response_method : {"predict", "predict_proba", "decision_function"}, \
            default="predict"
        The method of the estimator to call. The columns of its output are the classes
        of its training set, which may lack one.
    name : str, default=None
        The name shown in tables; None takes the function's name.
    compared_by : {"difference", "ratio"}, default="difference"
        How the mean losses of two models are compared. "ratio" is for a loss that is
        never below 0 and has no largest value, such as a squared or an absolute error:
        the interval is Fieller's, and results are in percent of the other model's loss.

    Returns
    -------
    loss : Loss
        To be passed as `loss=`.

    Raises
    ------
    TypeError, ValueError
        If `function` is not callable, or another parameter is not as described.

    Examples
    --------
    >>> import numpy as np
    >>> from sklearn_cvtest.losses import make_loss
    >>> over = make_loss(lambda y_true, y_pred: y_pred - y_true, name="excess")
    >>> over.evaluate(np.array([1, 2]), [3, 2])
    array([2., 0.])
    """
    if not callable(function):
        raise invalid("function", "callable", function, TypeError)
    check_option("response_method", response_method, RESPONSE_METHODS)
    if name is None:
        name = getattr(function, "__name__", type(function).__name__)
    elif not isinstance(name, str) or not name:
        raise invalid("name", "a non-empty string or None", name, TypeError)
    check_option("compared_by", compared_by, (DIFFERENCE, RATIO))
    ranges = (POSITIVE,) if compared_by == RATIO else (ENDLESS,)
    return Loss(
        name,
        function,
        response_method,
        value_ranges=ranges,
        compared_by=compared_by,
    )
