"""Per-example losses: one value per example, the smaller the better."""

from __future__ import annotations

import functools
import math
import re
from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal

import numpy as np

from .._compat import n_rows
from .._row_labels import check_same_index
from .._typing import Any, Array, Function
from .._validation import as_numpy, check_option, check_real, invalid, nearest
from . import _formulas
from ._responses import RESPONSE_METHODS

UNIT = (0.0, 1.0)
POSITIVE = (0.0, math.inf)
ENDLESS = (-math.inf, math.inf)
# How the means of two models are compared.
DIFFERENCE = "difference"
RATIO = "ratio"


@dataclass(frozen=True)
class Loss:
    """A per-example loss and what it needs to know about an estimator.

    Made by :func:`.get_loss` and :func:`.make_loss`; pass it as `loss=` wherever
    the name of a loss is accepted.

    Attributes
    ----------
    name : str
        The name shown in tables.
    function : callable
        The loss itself, called by :meth:`evaluate`.
    response_method : {"predict", "predict_proba", "decision_function"}
        The method of the estimator whose output the loss is computed from.
    task : {"classification", "regression"} or None
        The kind of target it is for; None if not known.
    domain : str or None
        The values of the target for which it is defined: ">=0", ">0" or ">-1".
    value_ranges : tuple of tuples of two floats
        The smallest and largest value; where there are two, the first holds with two
        classes. Infinite where there is no end, or none is known.
    largest : float or None
        The largest value that occurs, where the range has no end; None if not known.
    other_names : tuple of str
        What others call it, or its mean.
    compared_by : {"difference", "ratio"}
        How the means of two models are compared: by their difference, or by their ratio
        where the scale begins at 0 and has no end.
    is_squared : bool
        Whether it is in squared units, so that people read the root of its mean.
    """

    name: str
    function: Callable
    response_method: str = "predict"
    task: str | None = None
    domain: str | None = None
    value_ranges: tuple = (ENDLESS,)
    largest: float | None = None
    other_names: tuple = ()
    compared_by: str = DIFFERENCE
    is_squared: bool = False

    def check_target(self, y: Array) -> None:
        """Check that the loss is defined for every value of the target.

        Parameters
        ----------
        y : ndarray of shape (n_samples,) or (n_samples, n_outputs)
            The target.

        Raises
        ------
        ValueError
            If a value is outside the domain of the loss.
        """
        y = np.asarray(as_numpy("y", y))
        if self.task == "classification":
            _formulas.check_labels(y, self.name)
        if self.task == "regression":
            y = _formulas.as_float("y", y, self.name)
            _formulas.refuse_missing(y)
            infinite = y[~np.isfinite(y)]
            if infinite.size:
                raise invalid("y", f"finite for loss {self.name!r}", infinite[0])
            _formulas.check_domain("y", y, self.domain, self.name)

    def evaluate(
        self,
        y_true: Array,
        response: Any,
        classes: Any = None,
        n_classes: int | list[int] | None = None,
    ) -> Array:
        """Compute the loss of every example.

        Parameters
        ----------
        y_true : ndarray of shape (n_samples,) or (n_samples, n_outputs)
            The target.
        response : array-like or list of array-like
            What `response_method` of the estimator returned.
        classes : array-like or list of array-like, default=None
            The `classes_` of the fitted estimator, which name the columns of
            `response`; for losses of probabilities and decision values.
        n_classes : int or list of int, default=None
            Number of classes in the whole sample (for each output), some of which a
            training set may lack; None takes the number of `classes`.

        Returns
        -------
        losses : ndarray of shape (n_samples,)
            The loss of every example.

        Raises
        ------
        ValueError
            If the response has the wrong shape or is outside the domain.
        """
        check_same_index({"y_true": y_true, "response": response}, n_rows(y_true))
        y_true = _formulas.as_target_array(y_true, "y_true")
        classes = as_numpy("classes", classes)
        return losses_of_rows(self, y_true, response, classes, n_classes)


def losses_of_rows(loss, y_true, response, classes, n_classes):
    """Return what `Loss.evaluate` does, of a target that was checked."""
    _formulas.refuse_masked(response, "Predictions")
    if loss.response_method == "predict":
        response = _formulas.as_target_array(response, "response")
        losses = loss.function(y_true, response)
    elif loss.task is None:  # from make_loss: the response as it is
        response = as_numpy("response", response)
        if not isinstance(response, list):
            response = np.asarray(response)
        losses = loss.function(y_true, response)
    elif classes is None:
        raise invalid("classes", f"given for loss {loss.name!r}", classes)
    else:
        response = as_numpy("response", response)
        losses = _formulas.mean_over_outputs(
            loss.function, y_true, response, classes, n_classes
        )
    return _checked(loss, losses, len(y_true))


def _checked(loss, losses, n_samples):
    """Return the losses that a function returned, one number for each example."""
    _formulas.refuse_masked(losses, f"Losses of {loss.name!r}")
    try:
        losses = np.asarray(as_numpy(f"Losses of {loss.name!r}", losses))
    except ValueError:  # lists of different lengths
        losses = np.asarray(losses, dtype=object)
    if losses.shape != (n_samples,) or losses.dtype.kind not in "biuf":
        raise ValueError(
            f"`loss` must return one number per example, an array of shape "
            f"({n_samples},); {loss.name!r} returned an array of {losses.dtype} of "
            f"shape {losses.shape}. For one number per split use `scoring`."
        )
    losses = losses.astype(np.float64)  # a copy: the callable may reuse its array
    is_negative = losses < 0
    if loss.task is None and loss.compared_by == RATIO and is_negative.any():
        allowed = f"values of at least 0, as it is compared by ratio ({loss.name!r})"
        raise invalid("loss", allowed, losses[is_negative][0])
    return losses


# The registry -----------------------------------------------------------------


def _classification(name, response_method, *other_names, **facts):
    function = getattr(_formulas, name)
    return Loss(
        name,
        function,
        response_method,
        "classification",
        other_names=other_names,
        **facts,
    )


def _regression(name, function, *other_names, domains=(None, None), **facts):
    domain, domain_pred = domains
    function = functools.partial(
        _formulas.regression_loss, function, name=name, domain=domain_pred
    )
    facts = {"value_ranges": (POSITIVE,), "other_names": other_names} | facts
    return Loss(
        name,
        function,
        task="regression",
        domain=domain,
        compared_by=RATIO,
        **facts,
    )


_deviance = _formulas.tweedie_deviance
_LOSSES = {
    loss.name: loss
    for loss in (
        _classification(
            "zero_one",
            "predict",
            "zero_one_loss",
            "error_rate",
            "misclassification_rate",
            "ce",
            value_ranges=(UNIT,),
        ),
        _classification("hamming", "predict", "hamming_loss", value_ranges=(UNIT,)),
        _classification(
            "log_loss",
            "predict_proba",
            "logloss",
            "cross_entropy",
            "mlogloss",
            value_ranges=(POSITIVE,),
            largest=36.0,  # of a probability of 0, which is taken to be 2e-16
        ),
        _classification(
            "brier",
            "predict_proba",
            "brier_score",
            "brier_score_loss",
            "bbrier",
            "mbrier",
            value_ranges=(UNIT, (0.0, 2.0)),
        ),
        _classification(
            "hinge", "decision_function", "hinge_loss", value_ranges=(POSITIVE,)
        ),
        _regression(
            "squared_error",
            _formulas.squared_error,
            "mean_squared_error",
            "mse",
            is_squared=True,
        ),
        _regression(
            "absolute_error", _formulas.absolute_error, "mean_absolute_error", "mae"
        ),
        _regression("log_cosh", _formulas.log_cosh),
        _regression(
            "squared_log_error",
            _formulas.squared_log_error,
            "mean_squared_log_error",
            "msle",
            domains=(">-1", ">-1"),
            is_squared=True,
        ),
        _regression(
            "absolute_percentage_error",
            _formulas.absolute_percentage_error,
            "mean_absolute_percentage_error",
            "mape",
        ),
        _regression(
            "poisson_deviance",
            functools.partial(_deviance, power=1),
            "mean_poisson_deviance",
            domains=(">=0", ">0"),
        ),
        _regression(
            "gamma_deviance",
            functools.partial(_deviance, power=2),
            "mean_gamma_deviance",
            domains=(">0", ">0"),
        ),
    )
}
# Losses with a parameter, its default (None: it must be given) and its range.
_WITH_PARAMETER = {
    "clipped_squared_error": ("limit", None, {"above": 0}),
    "huber": ("delta", 1.0, {"above": 0}),
    "pinball": ("alpha", 0.5, {"above": 0, "below": 1, "closed": "low high"}),
    "tweedie_deviance": ("power", 1.5, {}),
}
_OTHER_NAMES = {
    "clipped_squared_error": (),
    "huber": ("huber_loss",),
    "pinball": ("pinball_loss", "mean_pinball_loss", "quantile_loss"),
    "tweedie_deviance": ("mean_tweedie_deviance",),
}


def _with_parameter(base, value):
    name, _, ends = _WITH_PARAMETER[base]
    if base == "clipped_squared_error" and value is None:
        hint = "An error of more than that, in units of the target, counts as that."
        raise invalid(name, f"given for {base!r}", value, hint=hint)
    value = check_real(name, value, **ends)
    facts = {}
    if base == "clipped_squared_error":
        facts["value_ranges"] = ((0.0, value**2),)
        facts["is_squared"] = True
    if base == "tweedie_deviance":
        if 0 < value < 1:
            raise invalid(name, "a real number outside (0, 1)", value)
        domain = None
        if value >= 2:
            domain = ">0"
        elif value >= 1:
            domain = ">=0"
        domain_of_prediction = None if value == 0 else ">0"
        facts["domains"] = domain, domain_of_prediction
    function = functools.partial(getattr(_formulas, base), **{name: value})
    full_name = f"{base}({name}={value!r})"
    return _regression(full_name, function, *_OTHER_NAMES[base], **facts)


def get_loss_names() -> list[str]:
    """Return the names that `loss=` accepts.

    Returns
    -------
    names : list of str
        Sorted. "clipped_squared_error", "huber", "pinball" and "tweedie_deviance" take
        a parameter in brackets: "pinball(alpha=0.9)" or "pinball(0.9)".

    See Also
    --------
    make_loss : Make a loss of your own.

    Examples
    --------
    >>> from sklearn_cvtest.losses import get_loss_names
    >>> get_loss_names()[:4]
    ['absolute_error', 'absolute_percentage_error', 'brier', 'clipped_squared_error']
    """
    return sorted([*_LOSSES, *_WITH_PARAMETER])


@functools.cache
def names_of_losses():
    """Return {another name: name} of all losses."""
    names = {}
    for name, loss in _LOSSES.items():
        names |= dict.fromkeys(loss.other_names, name)
    for name, other_names in _OTHER_NAMES.items():
        names |= dict.fromkeys(other_names, name)
    return names


def get_loss(name: str, **params: float) -> Loss:
    """Return the per-example loss of that name.

    Parameters
    ----------
    name : str
        One of :func:`.get_loss_names`, possibly with its parameter in brackets.
    **params : float
        The parameter of "pinball", the loss of quantiles (`alpha` in [0, 1], default
        0.5), "tweedie_deviance" (`power` outside (0, 1), default 1.5), "huber" (`delta`
        > 0, default 1: the error up to which it is half the squared error, and from
        which on it is linear) or "clipped_squared_error" (`limit` > 0, without a
        default: a larger error counts as that). The last two are in units of the
        target.

    Returns
    -------
    loss : Loss
        To be passed as `loss=`.

    Raises
    ------
    ValueError
        If there is no such loss or its parameter is out of range.

    Notes
    -----
    The mean of a loss over a test set is the corresponding metric of
    :mod:`sklearn.metrics`, where there is one. With several outputs, zero_one is 1 if
    any label is wrong; the others are averaged over outputs. A class that is missing
    from a training set has probability 0 there.

    Examples
    --------
    >>> import numpy as np
    >>> from sklearn_cvtest.losses import get_loss
    >>> get_loss("pinball", alpha=0.9).evaluate(np.array([1.0, 2.0]), [0.0, 3.0])
    array([0.9, 0.1])
    """
    return find_loss("name", name, params)


def find_loss(parameter, name, params):
    """Return the loss that is named by the argument `parameter`."""
    if not isinstance(name, str):
        raise invalid(parameter, "the name of a loss", name, TypeError)
    match = re.fullmatch(
        r"(\w+)(?:\(\s*(?:(\w+)\s*=\s*)?([-+.\deE]+)\s*\))?", name.strip()
    )
    base, written_name, value = match.groups() if match else (name, None, None)
    if base in _LOSSES and value is None:
        if params:
            raise invalid(parameter, f"{base!r} without a parameter", params)
        return _LOSSES[base]
    if base not in _WITH_PARAMETER:
        names = ", ".join(map(repr, get_loss_names()))
        hint = nearest(base, get_loss_names())
        hint = hint or "Pass a scikit-learn scorer as `scoring`."
        raise invalid(parameter, f"a callable or one of {names}", name, hint=hint)
    if value and params:
        raise invalid(parameter, "given its parameter only once", (name, params))
    parameter_name, default, _ = _WITH_PARAMETER[base]
    if value:
        try:
            params = {written_name or parameter_name: float(value)}
        except ValueError:
            allowed = "a loss with a number in brackets"
            raise invalid(parameter, allowed, name) from None
    if params.keys() - {parameter_name}:
        raise invalid(
            parameter, f"'{base}' with the parameter {parameter_name!r}", params
        )
    return _with_parameter(base, params.get(parameter_name, default))


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
