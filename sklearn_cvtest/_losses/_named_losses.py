"""Per-example losses: one value per example, the smaller the better."""

from __future__ import annotations

import functools
import math
import re
from collections.abc import Callable
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from .._compat import n_rows
from .._row_labels import check_same_index
from .._typing import Any, Array
from .._validation import as_numpy, check_real, invalid, nearest
from . import _formulas

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
    other_names : tuple of str
        What others call it, or its mean.
    compared_by : {"difference", "ratio"}
        How the means of two models are compared: by their difference, or by their ratio
        where the scale begins at 0 and has no end.
    is_squared : bool
        Whether it is in squared units, so that people read the root of its mean.
    constant : callable or None
        A function of the target, an ndarray of shape (n_samples,): the mean loss if the
        best constant is predicted. None if that is not known.
    """

    name: str
    function: Callable
    response_method: str = "predict"
    task: str | None = None
    domain: str | None = None
    value_ranges: tuple = (ENDLESS,)
    other_names: tuple = ()
    compared_by: str = DIFFERENCE
    is_squared: bool = False
    constant: Callable | None = None

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
            constant=_formulas.error_rate_of_constant,
        ),
        _classification("hamming", "predict", "hamming_loss", value_ranges=(UNIT,)),
        _classification(
            "log_loss",
            "predict_proba",
            "logloss",
            "cross_entropy",
            "mlogloss",
            value_ranges=(POSITIVE,),
            constant=_formulas.log_loss_of_shares,
        ),
        _classification(
            "brier",
            "predict_proba",
            "brier_score",
            "brier_score_loss",
            "bbrier",
            "mbrier",
            value_ranges=(UNIT, (0.0, 2.0)),
            constant=_formulas.brier_of_shares,
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
            constant=_formulas.variance,
        ),
        _regression(
            "absolute_error",
            _formulas.absolute_error,
            "mean_absolute_error",
            "mae",
            constant=_formulas.mean_distance,
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


# Losses with a parameter ------------------------------------------------------


def _no_facts(value):
    return {}


class Family(NamedTuple):
    """Losses that differ in a parameter.

    Attributes
    ----------
    parameter : str
        Its name.
    default : float or None
        Its default; None if it must be given, as `hint` says.
    limits : dict
        Its range, as `check_real` takes it.
    other_names : tuple of str
        What others call these losses.
    facts : callable
        What else the row of a loss has, a dict, of a value of the parameter.
    hint : str
        What an error adds if the parameter is missing.
    """

    parameter: str
    default: float | None
    limits: dict
    other_names: tuple = ()
    facts: Callable = _no_facts
    hint: str = ""


def _facts_of_clipped(limit):
    return {"value_ranges": ((0.0, limit**2),), "is_squared": True}


def _facts_of_tweedie(power):
    if 0 < power < 1:
        raise invalid("power", "a real number outside (0, 1)", power)
    if power == 0:
        return {}
    domain = None
    if power >= 2:
        domain = ">0"
    elif power >= 1:
        domain = ">=0"
    return {"domains": (domain, ">0")}


_FAMILIES = {
    "clipped_squared_error": Family(
        "limit",
        None,
        {"above": 0},
        facts=_facts_of_clipped,
        hint="An error of more than that, in units of the target, counts as that.",
    ),
    "huber": Family("delta", 1.0, {"above": 0}, ("huber_loss",)),
    "pinball": Family(
        "alpha",
        0.5,
        {"above": 0, "below": 1, "closed": "low high"},
        ("pinball_loss", "mean_pinball_loss", "quantile_loss"),
    ),
    "tweedie_deviance": Family(
        "power", 1.5, {}, ("mean_tweedie_deviance",), _facts_of_tweedie
    ),
}


def _with_parameter(base, value):
    family = _FAMILIES[base]
    name = family.parameter
    if value is None and family.default is None:
        raise invalid(name, f"given for {base!r}", value, hint=family.hint)
    value = check_real(name, value, **family.limits)
    function = functools.partial(getattr(_formulas, base), **{name: value})
    full_name = f"{base}({name}={value!r})"
    return _regression(full_name, function, *family.other_names, **family.facts(value))


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
    return sorted([*_LOSSES, *_FAMILIES])


@functools.cache
def names_of_losses():
    """Return {another name: name} of all losses."""
    rows = _LOSSES | _FAMILIES
    return {other: name for name, row in rows.items() for other in row.other_names}


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
    if base not in _FAMILIES:
        names = ", ".join(map(repr, get_loss_names()))
        hint = nearest(base, get_loss_names())
        hint = hint or "Pass a scikit-learn scorer as `scoring`."
        raise invalid(parameter, f"a callable or one of {names}", name, hint=hint)
    if value and params:
        raise invalid(parameter, "given its parameter only once", (name, params))
    family = _FAMILIES[base]
    if value:
        try:
            params = {written_name or family.parameter: float(value)}
        except ValueError:
            allowed = "a loss with a number in brackets"
            raise invalid(parameter, allowed, name) from None
    if params.keys() - {family.parameter}:
        allowed = f"'{base}' with the parameter {family.parameter!r}"
        raise invalid(parameter, allowed, params)
    return _with_parameter(base, params.get(family.parameter, family.default))
