"""Per-example losses: one value an example, smaller is better."""

import functools
import re
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from scipy import sparse
from scipy.special import xlogy

from ._validation import check_option, check_real, fail

__all__ = [
    "Loss",
    "PredictionError",
    "as_target_array",
    "find_loss",
    "get_loss",
    "get_loss_names",
    "make_loss",
    "unique_labels",
]


class PredictionError(ValueError):
    """A prediction that the loss is not defined for."""


RESPONSE_METHODS = ("predict", "predict_proba", "decision_function")


@dataclass(frozen=True)
class Loss:
    """A per-example loss and what it needs to know of an estimator.

    Made by :func:`get_loss` and :func:`make_loss`; pass it as `loss=` wherever
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
        The values of the target it is defined for: ">=0", ">0" or ">-1".
    """

    name: str
    function: Callable
    response_method: str = "predict"
    task: str | None = None
    domain: str | None = None

    def check_target(self, y):
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
        if self.task == "classification":
            _check_labels(y, self.name)
        if self.task == "regression":
            y = _as_float("y", y, self.name)
            if not np.all(np.isfinite(y)):
                raise fail("y", f"finite for loss {self.name!r}", y[~np.isfinite(y)][0])
            _check_domain("y", y, self.domain, self.name)

    def evaluate(self, y_true, response, classes=None, n_classes=None):
        """Compute the loss of every example.

        Parameters
        ----------
        y_true : ndarray of shape (n_samples,) or (n_samples, n_outputs)
            The target.
        response : array-like or list of array-like
            What `response_method` of the estimator returned.
        classes : array-like or list of array-like, default=None
            The `classes_` of the fitted estimator, to align the columns of
            `response` with; for losses of probabilities and decision values.
        n_classes : int or list of int, default=None
            Number of classes in the whole sample (of each output), of which a
            training set may have missed some; None takes those in `classes`.

        Returns
        -------
        losses : ndarray of shape (n_samples,)
            The loss of every example.

        Raises
        ------
        ValueError
            If the response has the wrong shape or is outside the domain.
        """
        y_true = as_target_array(y_true)
        if self.response_method == "predict":
            losses = self.function(y_true, as_target_array(response))
        elif self.task is None:  # from make_loss: the response as it is
            if not isinstance(response, list):
                response = np.asarray(response)
            losses = self.function(y_true, response)
        elif classes is None:
            raise fail("classes", f"given for loss {self.name!r}", classes)
        else:
            losses = _mean_over_outputs(
                self.function, y_true, response, classes, n_classes
            )
        return self._checked(losses, len(y_true))

    def _checked(self, losses, n_samples):
        try:
            losses = np.asarray(losses)
        except ValueError:  # lists of different lengths
            losses = np.asarray(losses, dtype=object)
        if losses.shape != (n_samples,) or losses.dtype.kind not in "biuf":
            raise ValueError(
                f"`loss` must return one number per example, an array of shape "
                f"({n_samples},); {self.name} returned an array of {losses.dtype} of "
                f"shape {losses.shape}. For one number a split use `scoring`."
            )
        return losses.astype(np.float64)  # a copy: the callable may reuse its own


def as_target_array(y):
    """Return a target or prediction as an ndarray; one column becomes 1-D."""
    y = y.toarray() if sparse.issparse(y) else np.asarray(y)
    return y[:, 0] if y.ndim == 2 and y.shape[1] == 1 else y


def unique_labels(labels, **options):
    """Return np.unique of labels, which must be of one type."""
    try:
        return np.unique(labels, **options)
    except TypeError:
        types = sorted({type(label).__name__ for label in labels})
        raise fail("y", "labels that can be sorted", f"labels of {types}") from None


def _check_labels(y, loss):
    """Raise a ValueError for a target that is no class labels."""
    if y.dtype.kind == "f" and np.any(y != np.floor(y)):  # of nan, too
        raise fail(
            "y", f"class labels for loss {loss!r}", float(y[y != np.floor(y)][0])
        )
    if y.dtype.kind == "O":
        for label in y.flat:
            if label is None or _is_missing(label):
                raise fail("y", f"class labels for loss {loss!r}", label)


def _is_missing(label):
    """Whether a label is nan or pandas.NA: it does not equal itself."""
    try:
        return bool(label != label)
    except TypeError:  # the truth of pandas.NA
        return True


def _as_float(name, y, loss):
    try:
        return np.asarray(y, dtype=np.float64)
    except (TypeError, ValueError):
        raise fail(name, f"numeric for loss {loss!r}", y) from None


def _check_domain(name, values, domain, loss, error=ValueError):
    if domain is None:
        return
    bound = float(domain.lstrip(">="))
    inside = values >= bound if domain.startswith(">=") else values > bound
    inside |= np.isnan(values)  # a prediction of nan is reported as such, later
    if not np.all(inside):
        allowed = f"{domain} for loss {loss!r}"
        raise fail(name, allowed, float(values[~inside].flat[0]), error)


def _same_shape(y_true, y_pred):
    if y_true.shape != y_pred.shape:
        raise ValueError(
            f"Predictions must have the shape of the target, {y_true.shape}; "
            f"got {y_pred.shape}."
        )


# Losses of class predictions --------------------------------------------------


def _mismatch(y_true, y_pred):
    """Elementwise y_true != y_pred; nan where the prediction is nan."""
    _same_shape(y_true, y_pred)
    if (y_true.dtype.kind in "US") != (y_pred.dtype.kind in "US"):
        y_true, y_pred = y_true.astype(object), y_pred.astype(object)
    wrong = np.asarray(y_true != y_pred, dtype=np.float64)
    if y_pred.dtype.kind == "f":
        wrong[np.isnan(y_pred)] = np.nan
    return wrong


def _zero_one(y_true, y_pred):
    wrong = _mismatch(y_true, y_pred)
    return wrong if wrong.ndim == 1 else wrong.max(axis=1)


def _hamming(y_true, y_pred):
    wrong = _mismatch(y_true, y_pred)
    return wrong if wrong.ndim == 1 else wrong.mean(axis=1)


# Losses of real predictions ---------------------------------------------------


def _regression_loss(function, y_true, y_pred, *, name, domain=None):
    """Apply an elementwise loss and average over outputs."""
    y_true, y_pred = _as_float("y", y_true, name), _as_float("y_pred", y_pred, name)
    _same_shape(y_true, y_pred)
    _check_domain("y_pred", y_pred, domain, name, PredictionError)
    losses = function(y_true, y_pred)
    return losses if losses.ndim == 1 else losses.mean(axis=1)


def _squared_error(y_true, y_pred):
    return (y_true - y_pred) ** 2


def _absolute_error(y_true, y_pred):
    return np.abs(y_true - y_pred)


def _squared_log_error(y_true, y_pred):
    return (np.log1p(y_true) - np.log1p(y_pred)) ** 2


def _absolute_percentage_error(y_true, y_pred):
    scale = np.maximum(np.abs(y_true), np.finfo(np.float64).eps)
    return np.abs(y_true - y_pred) / scale


def _pinball(y_true, y_pred, *, alpha):
    excess = y_true - y_pred
    return np.maximum(alpha * excess, (alpha - 1) * excess)


def _tweedie_deviance(y_true, y_pred, *, power):
    """Unit deviance of the Tweedie family; Jorgensen (1997), section 4.1."""
    if power == 0:
        return _squared_error(y_true, y_pred)
    if power == 1:
        return 2 * (xlogy(y_true, y_true / y_pred) - y_true + y_pred)
    if power == 2:
        return 2 * (np.log(y_pred / y_true) + y_true / y_pred - 1)
    one, two = 1 - power, 2 - power
    return 2 * (
        np.maximum(y_true, 0) ** two / (one * two)
        - y_true * y_pred**one / one
        + y_pred**two / two
    )


# Losses of probabilities and decision values ----------------------------------


def _mean_over_outputs(function, y_true, response, classes, n_classes):
    """Apply a loss to each output of a multilabel or multioutput target."""
    if y_true.ndim == 1:
        n_classes = len(classes) if n_classes is None else n_classes
        return function(y_true, np.asarray(response), classes, n_classes)
    if isinstance(response, (list, tuple)):  # one (n_samples, n_classes) an output
        if n_classes is None:
            n_classes = [len(one) for one in classes]
        parts = [
            function(y, np.asarray(p), c, n)
            for y, p, c, n in zip(y_true.T, response, classes, n_classes, strict=True)
        ]
    else:  # multilabel: column l is the probability (or decision) of label l
        response = np.asarray(response)
        _same_shape(y_true, response)
        labels = np.array([0, 1])
        parts = [
            function(y, p, labels, 2) for y, p in zip(y_true.T, response.T, strict=True)
        ]
    return np.mean(parts, axis=0)


def _true_column(y_true, classes):
    """Return the column of each example's class, -1 where the fit never saw it."""
    classes = np.asarray(classes)
    order = np.argsort(classes)
    place = np.searchsorted(classes[order], y_true).clip(max=len(classes) - 1)
    column = order[place]
    return np.where(classes[column] == y_true, column, -1)


def _class_columns(response, classes, n_samples):
    """Return probabilities or decision values with one column per class."""
    if response.shape != (n_samples, len(classes)):
        raise ValueError(
            f"The estimator must give one column for each of its {len(classes)} "
            f"classes, shape ({n_samples}, {len(classes)}); got {response.shape}."
        )
    return response


def _probability_columns(proba, classes, n_samples):
    if proba.ndim == 1:  # a label's own probability, in multilabel problems
        proba = np.column_stack([1 - proba, proba])
    proba = _class_columns(proba, classes, n_samples)
    outside = (proba < 0) | (proba > 1)  # nan is reported as such, later
    if np.any(outside):
        value = float(proba[outside][0])
        raise fail("y_pred", "probabilities in [0, 1]", value, PredictionError)
    return proba


def _log_loss(y_true, proba, classes, n_classes):
    proba = _probability_columns(proba, classes, len(y_true))
    column = _true_column(y_true, classes)
    p_true = np.where(column >= 0, proba[np.arange(len(y_true)), column], 0)
    dtype = proba.dtype if proba.dtype.kind == "f" else np.float64
    eps = np.finfo(dtype).eps  # clipped as sklearn.metrics.log_loss does
    return -np.log(np.clip(p_true, eps, 1 - eps).astype(np.float64))


def _brier(y_true, proba, classes, n_classes):
    proba = _probability_columns(proba, classes, len(y_true)).astype(np.float64)
    column = _true_column(y_true, classes)
    seen = column >= 0
    onehot = np.zeros_like(proba)
    onehot[np.flatnonzero(seen), column[seen]] = 1
    total = ((proba - onehot) ** 2).sum(axis=1) + ~seen
    return total / 2 if n_classes == 2 else total


def _hinge(y_true, decision, classes, n_classes):
    if len(classes) != n_classes:
        raise PredictionError(
            f"`loss`='hinge' is not defined where a class is missing from a training "
            f"set ({len(classes)} of {n_classes} classes seen); use stratified splits."
        )
    if decision.ndim == 1:
        column = _true_column(y_true, classes)
        return np.maximum(0, 1 - np.where(column == 1, decision, -decision))
    decision = _class_columns(decision, classes, len(y_true))
    rows, column = np.arange(len(y_true)), _true_column(y_true, classes)
    others = decision.astype(np.float64, copy=True)
    others[rows, column] = -np.inf
    margin = decision[rows, column] - others.max(axis=1)  # Crammer & Singer (2001)
    return np.maximum(0, 1 - margin)


# The registry -----------------------------------------------------------------


def _classification(name, function, response_method="predict"):
    return Loss(name, function, response_method, "classification")


def _regression(name, function, domain=None, domain_pred=None, **params):
    shown = name
    if params:
        shown += "(" + ", ".join(f"{k}={v!r}" for k, v in params.items()) + ")"
        function = functools.partial(function, **params)
    function = functools.partial(
        _regression_loss, function, name=shown, domain=domain_pred
    )
    return Loss(shown, function, task="regression", domain=domain)


def _make_pinball(alpha=0.5):
    alpha = check_real("alpha", alpha, above=0, below=1, closed="low high")
    return _regression("pinball", _pinball, alpha=alpha)


def _make_tweedie(power=1.5):
    power = check_real("power", power)
    if 0 < power < 1:
        raise fail("power", "a real number outside (0, 1)", power)
    domain = ">0" if power >= 2 else ">=0" if power >= 1 else None
    domain_pred = None if power == 0 else ">0"
    return _regression(
        "tweedie_deviance", _tweedie_deviance, domain, domain_pred, power=power
    )


_poisson = functools.partial(_tweedie_deviance, power=1)
_gamma = functools.partial(_tweedie_deviance, power=2)

_LOSSES = {
    loss.name: loss
    for loss in (
        _classification("zero_one", _zero_one),
        _classification("hamming", _hamming),
        _classification("log_loss", _log_loss, "predict_proba"),
        _classification("brier", _brier, "predict_proba"),
        _classification("hinge", _hinge, "decision_function"),
        _regression("squared_error", _squared_error),
        _regression("absolute_error", _absolute_error),
        _regression("squared_log_error", _squared_log_error, ">-1", ">-1"),
        _regression("absolute_percentage_error", _absolute_percentage_error),
        _regression("poisson_deviance", _poisson, ">=0", ">0"),
        _regression("gamma_deviance", _gamma, ">0", ">0"),
    )
}
_FACTORIES = {"pinball": _make_pinball, "tweedie_deviance": _make_tweedie}


def get_loss_names():
    """Return the names that `loss=` accepts.

    Returns
    -------
    names : list of str
        Sorted. "pinball" and "tweedie_deviance" take a parameter in brackets:
        "pinball(alpha=0.9)" or "pinball(0.9)".

    See Also
    --------
    make_loss : Use a loss of your own.

    Examples
    --------
    >>> from sklearn_cvtest import get_loss_names
    >>> get_loss_names()[:4]
    ['absolute_error', 'absolute_percentage_error', 'brier', 'gamma_deviance']
    """
    return sorted([*_LOSSES, *_FACTORIES])


def get_loss(name, **params):
    """Return the per-example loss of that name.

    Parameters
    ----------
    name : str
        One of :func:`get_loss_names`, possibly with its parameter in brackets.
    **params : float
        The parameter of "pinball" (`alpha` in [0, 1], default 0.5) or
        "tweedie_deviance" (`power` outside (0, 1), default 1.5).

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
    All agree with the metric of the same name in :mod:`sklearn.metrics`, example
    by example; the mean over a test set is the metric. With several outputs:
    zero_one is 1 if any label is wrong, the others are averaged over outputs. A
    class missing from a training set has probability 0 there.

    Examples
    --------
    >>> import numpy as np
    >>> from sklearn_cvtest import get_loss
    >>> get_loss("pinball", alpha=0.9).evaluate(np.array([1.0, 2.0]), [0.0, 3.0])
    array([0.9, 0.1])
    """
    return find_loss("name", name, params)


def find_loss(parameter, name, params):
    """Return the loss of a name that was given as `parameter`."""
    if not isinstance(name, str):
        raise fail(parameter, "the name of a loss", name, TypeError)
    match = re.fullmatch(r"(\w+)\(\s*(?:(\w+)\s*=\s*)?([-+.\deE]+)\s*\)", name.strip())
    base = match.group(1) if match else name.strip()
    if base in _LOSSES and not match:
        if params:
            raise fail(parameter, f"{base!r} without a parameter", params)
        return _LOSSES[base]
    if match and params:
        raise fail(parameter, "given its parameter once", (name, params))
    if base not in _FACTORIES:
        names = ", ".join(map(repr, get_loss_names()))
        hint = "A scorer of scikit-learn goes into `scoring`."
        raise fail(parameter, f"a callable or one of {names}", name, hint=hint)
    factory = _FACTORIES[base]
    if match:
        key, value = match.group(2), match.group(3)
        params = {
            key or factory.__code__.co_varnames[0]: _parse_number(
                parameter, name, value
            )
        }
    try:
        return factory(**params)
    except TypeError as error:
        if "unexpected keyword" not in str(error):
            raise
        known = factory.__code__.co_varnames[0]
        raise fail(
            parameter, f"'{base}' with the parameter {known!r}", params
        ) from None


def _parse_number(parameter, name, text):
    try:
        return float(text)
    except ValueError:
        raise fail(parameter, "a loss with a number in brackets", name) from None


def make_loss(function, *, response_method="predict", name=None):
    """Make a per-example loss from a callable.

    A plain callable can be passed as `loss=` directly; this is for one that
    works on probabilities or decision values, or wants another name.

    Parameters
    ----------
    function : callable
        `function(y_true, y_pred) -> (n_samples,)`, smaller is better; y_pred is
        what `response_method` of the estimator returns.
    response_method : {"predict", "predict_proba", "decision_function"}, \
            default="predict"
        The method of the estimator to call. The columns of its output are those
        of the fitted estimator, which may have missed a class.
    name : str, default=None
        The name shown in tables; None takes that of the function.

    Returns
    -------
    loss : Loss
        To be passed as `loss=`.

    Raises
    ------
    TypeError
        If `function` is not callable.

    Examples
    --------
    >>> import numpy as np
    >>> from sklearn_cvtest import make_loss
    >>> over = make_loss(lambda y_true, y_pred: y_pred - y_true, name="excess")
    >>> over.evaluate(np.array([1, 2]), [3, 2])
    array([2., 0.])
    """
    if not callable(function):
        raise fail("function", "callable", function, TypeError)
    check_option("response_method", response_method, RESPONSE_METHODS)
    if name is None:
        name = getattr(function, "__name__", type(function).__name__)
    elif not isinstance(name, str):
        raise fail("name", "a string or None", name, TypeError)
    return Loss(name, function, response_method)
