"""The formulas of the losses, as functions of arrays, and checks of their arguments.

Means of them over (weighted) examples, and other metrics, are in `_influence`.
"""

import contextlib
import decimal
import numbers

import numpy as np
from scipy import sparse
from scipy.special import xlogy

from .._validation import as_numpy, find_missing, invalid, invalid_words


class LossError(Exception):
    """A loss that cannot be computed: a mistake to report, not a failed fit."""


class PredictionError(ValueError):
    """A prediction that the loss is not defined for."""


class ResponseError(PredictionError):
    """A method of an estimator returned nan or inf."""


def refuse_not_finite(method, response):
    """Raise a ResponseError for rows of nan or inf; `method` returned them.

    What is neither numbers nor labels is left to whatever takes it.
    """
    try:
        values = np.asarray(as_numpy("y_pred", response))
        is_nan = find_missing(values)
        is_wrong = is_nan
        if values.dtype.kind == "f":
            is_wrong = is_nan | np.isinf(values)
        rows = is_wrong.reshape(len(is_wrong), -1).any(axis=1)
    except (TypeError, ValueError):
        return
    if rows.any():
        problem = "nan" if is_nan.any() else "inf"
        method = method if isinstance(method, str) else "predict_proba"
        raise ResponseError(
            f"{method} returned {problem} for {rows.sum()} of {len(rows)} rows."
        )


def as_target_array(y, name="y"):
    """Return a target or prediction as an ndarray; one column becomes 1-D."""
    y = y.toarray() if sparse.issparse(y) else np.asarray(as_numpy(name, y))
    if y.ndim == 2 and y.shape[1] == 1:
        return y[:, 0]
    return y


# Integers in a range of at most so many values are counted, not sorted or hashed, where
# they are more than so many. Doubled, little changes: either way is fast then.
MOST_COUNTED = 1000


def label_counts(labels):
    """Return the labels in order, and how often each occurs, as np.unique does."""
    if labels.dtype.kind in "iu" and labels.size > MOST_COUNTED:
        low = int(labels.min())
        high = int(labels.max())
        if high - low < MOST_COUNTED and max(-low, high) < 2**62:
            from_low = labels.ravel().astype(np.int64, copy=False)
            if low:
                from_low = from_low - low
            counts = np.bincount(from_low)
            occurring = np.flatnonzero(counts)
            return (occurring + low).astype(labels.dtype), counts[occurring]
    return np.unique(labels, return_counts=True)


def unique_labels(labels, **options):
    """Return np.unique of labels, which must be of one type."""
    try:
        if not options:
            return label_counts(labels)[0]
        return np.unique(labels, **options)
    except TypeError:
        labels = np.asarray(labels, dtype=object)
        refuse_missing(labels)
        types = ", ".join(sorted({type(label).__name__ for label in labels.flat}))
        allowed = "labels that can be sorted"
        raise invalid_words("y", allowed, f"labels of types {types}") from None


def refuse_missing(y):
    """Raise a ValueError that says how many values of a target are missing."""
    n_missing = np.count_nonzero(find_missing(y))
    if n_missing:
        missing_text = f"{n_missing} of {y.size} that are missing"
        hint = "Leave their rows out, of X and of y."
        raise invalid_words("y", "without missing values", missing_text, hint=hint)


def check_labels(y, loss):
    """Raise a ValueError for a target that does not hold class labels."""
    refuse_missing(y)
    if y.dtype.kind != "f":
        return
    fractions = y[y != np.floor(y)]
    if fractions.size:
        raise invalid("y", f"class labels for loss {loss!r}", float(fractions[0]))


def as_float(name, y, loss):
    y = np.asarray(y)
    is_real = y.dtype.kind in "biufO"  # not strings, dates, complex
    if y.dtype.kind == "O":
        # numpy takes these for numbers
        others = str, bytes, np.datetime64, np.timedelta64
        is_real = not any(isinstance(value, others) for value in y.flat)
    with contextlib.suppress(OverflowError, TypeError, ValueError):
        if is_real:
            return y.astype(np.float64, copy=False)
    error = ValueError if name == "y" else PredictionError
    raise invalid(name, f"numeric for loss {loss!r}", y, error)


def check_domain(name, values, domain, loss, error=ValueError):
    if domain is None:
        return
    bound = float(domain.lstrip(">="))
    inside = values > bound
    if domain.startswith(">="):
        inside = values >= bound
    inside |= np.isnan(values)  # a prediction of nan is reported as such, later
    if not np.all(inside):
        allowed = f"{domain} for loss {loss!r}"
        raise invalid(name, allowed, float(values[~inside].flat[0]), error)


def _same_shape(y_true, y_pred):
    if y_true.shape != y_pred.shape:
        raise PredictionError(
            f"Predictions must have the shape of the target, {y_true.shape}; "
            f"got {y_pred.shape}."
        )


# Labels as positions, weights as shares ---------------------------------------


def normalized_weights(n_samples, sample_weight=None):
    """Return the weights of the examples, of sum one."""
    if sample_weight is None:
        return np.full(n_samples, 1 / n_samples)
    weight = np.asarray(sample_weight, dtype=np.float64)
    return weight / weight.sum()


def centred(value, influence, shares):
    """Return both, the mean influence zero to the last digit."""
    return float(value), influence - shares @ influence


def reweighted_losses(values, mean, sample_weight):
    """Return values that are to be averaged without weights, in place of weighted ones.

    Parameters
    ----------
    values : ndarray of shape (n_samples,)
        Losses, or pseudo-values of a metric.
    mean : float
        Their weighted mean.
    sample_weight : array-like of shape (n_samples,)
        The weights.

    Returns
    -------
    values : ndarray of shape (n_samples,)
        Pseudo-values m + (w_i/w̄)(x_i - m) of the weighted mean m = Σ w x/Σ w: m is
        their mean, and their variance over n is Σ w²(x - m)²/(Σ w)², the variance of m.
        So nothing that follows needs to know of weights, not even sums over groups.
    """
    weight = np.asarray(sample_weight, dtype=np.float64)
    if np.all(weight == weight[0]):
        return values
    relative_weight = weight / weight.mean()
    return mean + relative_weight * (values - mean)


def codes_of(y, labels):
    """Return the position of each label in `labels`, -1 where it is none of them."""
    labels = np.asarray(labels)
    order = np.argsort(labels, kind="stable")
    place = np.searchsorted(labels, y, sorter=order).clip(max=len(labels) - 1)
    position = order[place]
    return np.where(labels[position] == y, position, -1)


def label_indicators(y, labels):
    """Return an array (n_samples, n_labels) of which label each example has."""
    return codes_of(y, labels)[:, np.newaxis] == np.arange(len(labels))


# Losses of class predictions --------------------------------------------------


def _mismatch(y_true, y_pred):
    """Elementwise y_true != y_pred; nan where the prediction is missing."""
    _same_shape(y_true, y_pred)
    if y_true.dtype.kind == y_pred.dtype.kind and y_true.dtype.kind in "biuUS":
        return (y_true != y_pred).astype(np.float64)  # of one kind, none missing
    _check_kinds(y_true, y_pred, "Predicted labels")
    missing = find_missing(y_pred)
    wrong = np.full(y_pred.shape, np.nan)
    wrong[~missing] = y_true[~missing] != y_pred[~missing]
    return wrong


def _check_kinds(y_true, labels, name):
    """Raise a PredictionError for labels that the target cannot have.

    Text, bytes, numbers and others never equal each other: all would be errors.
    """
    target_labels = _labels_by_types(y_true)
    predicted_labels = _labels_by_types(labels)
    if not target_labels or not predicted_labels:
        return
    others = []
    for types, label in predicted_labels.items():
        if types not in target_labels:
            others.append(label)
    are_wrong = len(others) > 0
    if len(target_labels) > 1:  # of a mixed target, labels of one type are enough
        are_wrong = len(others) == len(predicted_labels)
    if are_wrong:
        raise PredictionError(
            f"{name} must be of the same kind as the target's; got "
            f"{others[0]!r} where the target holds {y_true.flat[0]!r}."
        )


# Types of labels. Labels of one row may equal each other, labels of two rows never.
KINDS = (
    str,
    bytes,
    np.timedelta64,
    (numbers.Real, decimal.Decimal, np.bool_),
    object,
)


def _labels_by_types(labels):
    """Return the first label of each of KINDS that an array holds."""
    labels = labels[~find_missing(labels)]
    if labels.dtype.kind != "O":
        labels = labels[:1]
    first_labels = {}
    for label in labels:
        types = next(types for types in KINDS if isinstance(label, types))
        first_labels.setdefault(types, label)
    return first_labels


def refuse_masked(values, name):
    """Raise a PredictionError for masked values: what is under a mask is no value."""
    arrays = values if isinstance(values, (list, tuple)) else [values]
    for array in arrays:
        # extension arrays of pandas have masks of their own, and say what they hide
        if isinstance(array, np.ma.MaskedArray) and np.ma.is_masked(array):
            raise PredictionError(f"{name} must not be masked.")


def zero_one(y_true, y_pred):
    wrong = _mismatch(y_true, y_pred)
    return wrong if wrong.ndim == 1 else wrong.max(axis=1)


def hamming(y_true, y_pred):
    wrong = _mismatch(y_true, y_pred)
    return wrong if wrong.ndim == 1 else wrong.mean(axis=1)


# Losses of real predictions ---------------------------------------------------


def regression_loss(function, y_true, y_pred, *, name, domain=None):
    """Apply an elementwise loss and average over outputs."""
    y_true = as_float("y", y_true, name)
    y_pred = as_float("y_pred", y_pred, name)
    _same_shape(y_true, y_pred)
    check_domain("y_pred", y_pred, domain, name, PredictionError)
    losses = function(y_true, y_pred)
    return losses if losses.ndim == 1 else losses.mean(axis=1)


def squared_error(y_true, y_pred):
    return (y_true - y_pred) ** 2


def absolute_error(y_true, y_pred):
    return np.abs(y_true - y_pred)


def huber(y_true, y_pred, *, delta=1.0):
    """Half the squared error up to `delta`, linear beyond; Huber (1964), eq. (1.5)."""
    size = np.abs(y_true - y_pred)
    quadratic = np.minimum(size, delta)
    return quadratic * (size - quadratic / 2)


def log_cosh(y_true, y_pred):
    size = np.abs(y_true - y_pred)
    return size + np.log1p(np.exp(-2 * size)) - np.log(2)  # without overflow


def clipped_squared_error(y_true, y_pred, *, limit):
    return np.minimum(np.abs(y_true - y_pred), limit) ** 2


def squared_log_error(y_true, y_pred):
    return (np.log1p(y_true) - np.log1p(y_pred)) ** 2


def absolute_percentage_error(y_true, y_pred):
    scale = np.maximum(np.abs(y_true), np.finfo(np.float64).eps)
    return np.abs(y_true - y_pred) / scale


def pinball(y_true, y_pred, *, alpha=0.5):
    excess = y_true - y_pred
    return np.maximum(alpha * excess, (alpha - 1) * excess)


def tweedie_deviance(y_true, y_pred, *, power=0):
    """Unit deviance of the Tweedie family; Jorgensen (1997), section 4.1."""
    if power == 0:
        return squared_error(y_true, y_pred)
    if power == 1:
        return 2 * (xlogy(y_true, y_true / y_pred) - y_true + y_pred)
    if power == 2:
        return 2 * (np.log(y_pred / y_true) + y_true / y_pred - 1)
    one = 1 - power
    two = 2 - power
    of_target = np.maximum(y_true, 0) ** two / (one * two)
    mixed = y_true * y_pred**one / one
    of_prediction = y_pred**two / two
    return 2 * (of_target - mixed + of_prediction)


# Losses of probabilities and decision values ----------------------------------


def mean_over_outputs(function, y_true, response, classes, n_classes):
    """Apply a loss to each output of a multilabel or multioutput target."""
    if y_true.ndim == 1:
        n_classes = len(classes) if n_classes is None else n_classes
        return function(y_true, np.asarray(response), classes, n_classes)
    if not isinstance(response, (list, tuple)):
        # multilabel: column l is the probability (or decision) of label l
        response = np.asarray(response)
        _same_shape(y_true, response)
        response = response.T
        classes = [np.array([0, 1])] * y_true.shape[1]
        n_classes = None
    if n_classes is None:
        n_classes = [len(labels) for labels in classes]
    losses = []
    outputs = zip(y_true.T, response, classes, n_classes, strict=True)
    for target, output_response, labels, n_labels in outputs:
        output_response = np.asarray(output_response)
        losses.append(function(target, output_response, labels, n_labels))
    return np.mean(losses, axis=0)


def _true_column(y_true, classes):
    """Return the column of each example's class, -1 if the training set lacks it."""
    _check_kinds(y_true, np.asarray(classes), "The `classes_` of an estimator")
    return codes_of(y_true, classes)


def _class_columns(response, classes, n_samples):
    """Return probabilities or decision values with one column per class."""
    if response.shape != (n_samples, len(classes)):
        raise PredictionError(
            f"The estimator must give one column for each of its {len(classes)} "
            f"classes, shape ({n_samples}, {len(classes)}); got {response.shape}."
        )
    return response


def _probabilities(y_true, proba, classes):
    """Return probabilities, a column for each class, and each example's column."""
    if proba.ndim == 1:  # a label's own probability, in multilabel problems
        proba = np.column_stack([1 - proba, proba])
    proba = _class_columns(proba, classes, len(y_true))
    outside = (proba < 0) | (proba > 1)  # nan is reported as such, later
    if np.any(outside):
        value = float(proba[outside][0])
        raise invalid("y_pred", "probabilities in [0, 1]", value, PredictionError)
    return proba, _true_column(y_true, classes)


def minus_log(proba):
    """Return -log of probabilities, clipped as sklearn.metrics.log_loss does."""
    dtype = proba.dtype if proba.dtype.kind == "f" else np.float64
    eps = np.finfo(dtype).eps
    clipped = np.clip(proba, eps, 1 - eps)
    return -np.log(clipped.astype(np.float64))


def squared_distance(onehot, proba):
    """Return the squared distances of probabilities from classes, summed over them."""
    return np.sum((proba.astype(np.float64) - onehot) ** 2, axis=1)


def log_loss(y_true, proba, classes, n_classes):
    proba, column = _probabilities(y_true, proba, classes)
    proba_of_class = proba[np.arange(len(y_true)), column]
    return minus_log(np.where(column >= 0, proba_of_class, 0))


def brier(y_true, proba, classes, n_classes):
    proba, column = _probabilities(y_true, proba, classes)
    onehot = column[:, np.newaxis] == np.arange(len(classes))
    is_unknown = ~onehot.any(axis=1)  # of a class that was not trained on
    total = squared_distance(onehot, proba) + is_unknown
    return total / 2 if n_classes == 2 else total


def hinge(y_true, decision, classes, n_classes):
    if len(classes) != n_classes:
        raise PredictionError(
            f"`loss`='hinge' is not defined where a class is missing from a training "
            f"set ({len(classes)} of {n_classes} classes seen); use stratified splits."
        )
    column = _true_column(y_true, classes)
    if decision.ndim == 1:
        margin = np.where(column == 1, decision, -decision)
        return np.maximum(0, 1 - margin)
    decision = _class_columns(decision, classes, len(y_true))
    rows = np.arange(len(y_true))
    others = decision.astype(np.float64, copy=True)
    others[rows, column] = -np.inf
    margin = decision[rows, column] - others.max(axis=1)  # Crammer & Singer (2001)
    return np.maximum(0, 1 - margin)


# Mean losses of the best constant ---------------------------------------------------


def shares_of_classes(y):
    """Return the share of each class."""
    _, counts = label_counts(y)
    return counts / len(y)


def error_rate_of_constant(y):
    """Return the error rate of the most frequent class."""
    return 1 - shares_of_classes(y).max()


def log_loss_of_shares(y):
    """Return the log loss of the frequencies of the classes."""
    shares = shares_of_classes(y)
    return -np.sum(shares * np.log(shares))


def brier_of_shares(y):
    """Return the Brier score of the frequencies; of two classes, one counts."""
    shares = shares_of_classes(y)
    total = 1 - np.sum(shares**2)
    return total / 2 if len(shares) == 2 else total


def variance(y):
    """Return the mean squared error of the mean."""
    return np.var(y.astype(np.float64))


def mean_distance(y):
    """Return the mean absolute error of the median."""
    y = y.astype(np.float64)
    return np.mean(np.abs(y - np.median(y)))
