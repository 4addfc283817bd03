"""The formulas of losses and scores, with the influences of examples on scores.

A loss is a function of (y_true, response, classes). A score takes weights, too, and
returns (value, influences): an influence is the derivative of the score as mass moves
to an example (Hampel 1974), and their mean is zero. A ratio N = n̄/d̄ has the influences
(n_i - N d_i)/d̄; the others follow from it and from means by the chain rule.
"""

from itertools import permutations

import numpy as np
from scipy.special import xlogy

from ._validation import check_array, check_row_order, invalid

# Losses of examples ----------------------------------------------------------------


def zero_one(y_true, y_pred, classes):
    """Return 1 for each wrong label, of several outputs if any is wrong."""
    is_wrong = y_true != y_pred
    if is_wrong.ndim == 2:
        is_wrong = is_wrong.any(axis=1)  # as accuracy_score has it
    return is_wrong.astype(np.float64)


def squared_error(y_true, y_pred, classes):
    """Return squared errors."""
    return (y_true - y_pred) ** 2


def absolute_error(y_true, y_pred, classes):
    """Return absolute errors."""
    return np.abs(y_true - y_pred)


def squared_log_error(y_true, y_pred, classes):
    """Return squared errors of log(1 + y)."""
    if min(y_true.min(), y_pred.min()) <= -1:
        raise ValueError("The log of 1 + y needs values above -1.")
    return (np.log1p(y_true) - np.log1p(y_pred)) ** 2


def absolute_percentage_error(y_true, y_pred, classes):
    """Return absolute errors as shares of the target."""
    return np.abs(y_true - y_pred) / np.maximum(np.abs(y_true), np.finfo(float).eps)


def pinball(y_true, y_pred, classes, *, alpha=0.5):
    """Return the loss of the quantile of level `alpha`."""
    excess = y_true - y_pred
    return np.maximum(alpha * excess, (alpha - 1) * excess)


def poisson_deviance(y_true, y_pred, classes):
    """Return unit deviances of the Poisson distribution."""
    _check_positive(y_true >= 0, y_pred)
    deviance = 2 * (xlogy(y_true, y_true / y_pred) - y_true + y_pred)
    return np.maximum(deviance, 0)  # but for rounding


def gamma_deviance(y_true, y_pred, classes):
    """Return unit deviances of the gamma distribution."""
    _check_positive(y_true > 0, y_pred)
    deviance = 2 * (np.log(y_pred / y_true) + y_true / y_pred - 1)
    return np.maximum(deviance, 0)  # but for rounding


def _check_positive(is_right, y_pred):
    if not (np.all(is_right) and np.all(y_pred > 0)):
        raise ValueError("A deviance needs predictions above 0, and no target below.")


def log_loss(y_true, proba, classes):
    """Return minus the log of the probability of the true class."""
    eps = np.finfo(proba.dtype).eps
    onehot = y_true[:, np.newaxis] == classes
    true_proba = np.sum(onehot * proba, axis=1)
    return -np.log(np.clip(true_proba, eps, 1 - eps))


def brier(y_true, proba, classes, *, n_classes=None):
    """Return the squared distance of probabilities from the class, of two half."""
    n_classes = n_classes or len(classes)
    onehot = y_true[:, np.newaxis] == classes
    is_unseen = ~onehot.any(axis=1)
    total = np.sum((proba - onehot) ** 2, axis=1) + is_unseen
    return total / 2 if n_classes == 2 else total


def hinge(y_true, decision, classes):
    """Return by how much the margin is below 1; of classes, Crammer & Singer's."""
    onehot = y_true[:, np.newaxis] == classes
    if not onehot.any(axis=1).all():
        raise ValueError("A class is not in the training set: pass stratified splits.")
    if decision.ndim == 1:
        margin = np.where(onehot[:, 1], decision, -decision)
        return np.maximum(0, 1 - margin)
    largest_other = np.where(onehot, -np.inf, decision).max(axis=1)
    return np.maximum(0, 1 - np.sum(onehot * decision, axis=1) + largest_other)


# Scores of labels -------------------------------------------------------------------


def accuracy(y_true, y_pred, classes, weight=None):
    """Return the share of right labels."""
    is_right = 1 - zero_one(y_true, y_pred, classes)
    value = np.average(is_right, weights=weight)
    return value, is_right - value


def count_ratio(
    y_true, y_pred, classes, weight=None, *, below, average="binary", pos_label=1
):
    """Return hits/(below · (hits, predicted, true)) of labels, averaged.

    "balanced" is the mean over the labels of y_true alone, "micro" of all cells.
    """
    labels = np.union1d(y_true, y_pred)
    if average == "binary":
        labels = np.array([pos_label])
    elif average == "balanced":
        labels = np.unique(y_true)
    true = (y_true[:, np.newaxis] == labels).astype(np.float64)
    pred = (y_pred[:, np.newaxis] == labels).astype(np.float64)
    counts = np.stack([true * pred, pred, true])
    if average == "micro":
        counts = counts.sum(axis=2, keepdims=True)
    hits = counts[0]
    divisors = np.tensordot(below, counts, 1)
    divisor = np.average(divisors, axis=0, weights=weight)
    divisor = np.where(divisor > 0, divisor, 1.0)
    ratios = np.average(hits, axis=0, weights=weight) / divisor
    influences = (hits - ratios * divisors) / divisor
    return average_labels(ratios, influences, true, average, weight)


def fbeta(y_true, y_pred, classes, weight=None, *, beta=1.0, pos_label=1):
    """Return F with recall `beta` times as important as precision."""
    below = (0, 1 / (1 + beta**2), beta**2 / (1 + beta**2))
    return count_ratio(
        y_true, y_pred, classes, weight, below=below, pos_label=pos_label
    )


def average_labels(values, influences, has_label, average, weight=None):
    """Return the average of the values of labels, or pairs of labels.

    "weighted" weighs by the shares t_c of the examples that have the label, or one of
    the two, with the influence (m_c - m)(t_ic - t_c)/Σt.
    """
    if average != "weighted":
        return values.mean(), influences.mean(axis=1)
    shares = np.average(has_label, axis=0, weights=weight)
    value = values @ shares / shares.sum()
    influence = influences @ shares + (has_label - shares) @ (values - value)
    return value, influence / shares.sum()


def matthews_corrcoef(y_true, y_pred, classes, weight=None):
    """Return the correlation of true and predicted labels (Gorodkin 2004).

    With t and p the shares of the labels among them and c the accuracy, it is
    (c - t·p)/√((1 - p·p)(1 - t·t)), of one label defined as 0.
    """
    labels = np.union1d(y_true, y_pred)
    true = (y_true[:, np.newaxis] == labels).astype(np.float64)
    pred = (y_pred[:, np.newaxis] == labels).astype(np.float64)
    is_hit = np.sum(true * pred, axis=1)
    t = np.average(true, axis=0, weights=weight)
    p = np.average(pred, axis=0, weights=weight)
    var_pred = 1 - p @ p
    var_true = 1 - t @ t
    if min(var_pred, var_true) < 1e-14:
        return 0.0, np.zeros(len(y_true))
    root = np.sqrt(var_pred * var_true)
    value = (np.average(is_hit, weights=weight) - t @ p) / root
    by_pred = value * p / var_pred - t / root
    by_true = value * t / var_true - p / root
    influence = is_hit / root + pred @ by_pred + true @ by_true
    return value, influence - np.average(influence, weights=weight)


# Scores of ranks --------------------------------------------------------------------


def roc_auc(y_true, scores, classes, weight=None, *, multi_class="ovr"):
    """Return the area under the ROC curve; of several classes, a mean.

    "ovr" is over classes, each against the rest, "ovo" over pairs (Hand & Till 2001).
    """
    weight = np.ones(len(y_true)) if weight is None else weight
    scores = _of_positive(scores, classes)
    if scores.ndim == 1:
        positive = y_true == classes[-1]
        return _auc(positive, ~positive, scores, weight)
    has_class = y_true[:, np.newaxis] == classes
    areas = []
    if multi_class == "ovo":
        for i, j in permutations(range(len(classes)), 2):
            areas.append(_auc(has_class[:, i], has_class[:, j], scores[:, i], weight))
    else:
        for positive, score in zip(has_class.T, scores.T, strict=True):
            areas.append(_auc(positive, ~positive, score, weight))
    return _mean_over_classes(areas)


def _mean_over_classes(results):
    """Return the mean of values, and of influences, of classes."""
    values, influences = zip(*results, strict=True)
    return np.mean(values), np.mean(influences, axis=0)


def _of_positive(scores, classes):
    """Return the scores of the second of two classes, or those of all."""
    is_binary = scores.ndim == 2 and len(classes) == 2
    return scores[:, 1] if is_binary else scores


def _auc(positive, negative, scores, weight):
    """Return the AUC of two classes, and the projections of its U statistic.

    An example is placed at the share of the other class on the right side of it, ties
    half (DeLong et al. 1988, eq. 5); it stands for its own class.
    """
    _, ranks = np.unique(scores, return_inverse=True)
    up = weight * positive
    down = weight * negative
    placed = positive * _mass_below(ranks, down) / down.sum()
    placed = placed + negative * (1 - _mass_below(ranks, up) / up.sum())
    value = up @ placed / up.sum()
    share = (positive * up.sum() + negative * down.sum()) / weight.sum()
    is_either = positive | negative
    influence = (placed - value) / np.where(is_either, share, 1.0)
    return value, np.where(is_either, influence, 0.0)


def _mass_below(ranks, weight):
    """Return the weight that ranks below each example, ties half."""
    mass = np.bincount(ranks, weight)
    return (np.cumsum(mass) - mass / 2)[ranks]


def average_precision(y_true, scores, classes, weight=None):
    """Return the average precision; of several classes, the mean over them."""
    weight = np.ones(len(y_true)) if weight is None else weight
    scores = _of_positive(scores, classes)
    if scores.ndim == 1:
        return _average_precision(y_true == classes[-1], scores, weight)
    has_class = y_true[:, np.newaxis] == classes
    results = []
    for positive, score in zip(has_class.T, scores.T, strict=True):
        results.append(_average_precision(positive, score, weight))
    return _mean_over_classes(results)


def _average_precision(positive, score, weight):
    """Return E[Y π(S)]/E[Y], π(t) = E[Y; S >= t]/H(t), by the rule for ratios twice.

    Mass at (y, s) moves the outer ratio by y (π(s) - AP)/E[Y], and the precision at
    each t <= s by (y - π(t))/H(t), which counts as often as there are positives at t.
    """
    _, ranks = np.unique(score, return_inverse=True)
    hits = np.bincount(ranks, weight * positive)
    mass = np.bincount(ranks, weight)
    mass_from = np.cumsum(mass[::-1])[::-1]
    mass_from = np.where(mass_from > 0, mass_from, 1.0)
    precision = np.cumsum(hits[::-1])[::-1] / mass_from
    value = hits @ precision / hits.sum()
    gain = np.cumsum(hits / mass_from)
    cost = np.cumsum(hits * precision / mass_from)
    influence = positive * (precision - value + gain)[ranks] - cost[ranks]
    influence = influence * weight.sum() / hits.sum()
    return value, influence - np.average(influence, weights=weight)


def concordance(y_true, y_pred, classes, weight=None):
    """Return the share of comparable pairs in the right order (Harrell et al. 1996).

    Of a structured y, (event, time), predictions are risks. The influences are twice
    the means over pairs, (h_i - C d_i)/d̄ (Hoeffding 1948).
    """
    weight = np.ones(len(y_true)) if weight is None else weight
    time, is_event, order = y_true, np.ones(len(y_true), dtype=bool), y_pred
    if y_true.dtype.names is not None:
        is_event, time = (y_true[name] for name in y_true.dtype.names)
        order = -y_pred
    comparable = np.zeros(len(time))
    right = np.zeros(len(time))
    for rows in np.array_split(np.arange(len(time)), len(time) // 500 + 1):
        one, other = rows[:, np.newaxis], np.arange(len(time))
        is_before = _is_before(time, is_event, one, other)
        is_after = _is_before(time, is_event, other, one)
        share = (order[one] < order) + 0.5 * (order[one] == order)
        comparable[rows] = (is_before | is_after) @ weight
        right[rows] = (is_before * share + is_after * (1 - share)) @ weight
    total = weight @ comparable
    value = weight @ right / total
    return value, 2 * weight.sum() / total * (right - value * comparable)


def concordance_index(y_true, y_pred, *, sample_weight=None):
    """Return the share of pairs that are predicted in the right order.

    Harrell's C: among the pairs of which it is known which value is larger, the share
    where its prediction is, ties of predictions ½.

    Parameters
    ----------
    y_true : array-like of shape (n_samples,)
        Values; or a structured array of two fields, whether the event was seen and
        its time (the time of last sight where it was not), as of scikit-survival.
    y_pred : array-like of shape (n_samples,)
        Predictions that increase with y; of a structured y, risks: the higher, the
        earlier the event.
    sample_weight : array-like of shape (n_samples,), default=None
        Weights of the examples; a pair has the product of two.

    Returns
    -------
    concordance : float
        In [0, 1]; ½ is chance.

    Raises
    ------
    TypeError, ValueError
        If the arrays are not of one length and finite, or no pair can be compared.

    References
    ----------
    .. [1] F. E. Harrell, K. L. Lee and D. B. Mark, "Multivariable prognostic
       models", Statistics in Medicine 15, 361-387, 1996.
       :doi:`10.1002/(SICI)1097-0258(19960229)15:4<361::AID-SIM168>3.0.CO;2-4`

    Examples
    --------
    >>> from sklearn_cvtest.losses import concordance_index
    >>> concordance_index([1.0, 2.0, 3.0], [0.1, 0.5, 0.2])
    0.6666666666666666
    """
    check_row_order(y_true=y_true, y_pred=y_pred, sample_weight=sample_weight)
    y_true = np.asarray(y_true)
    if y_true.dtype.names is None:
        y_true = _finite("y_true", y_true, y_true.size)
    y_pred = _finite("y_pred", y_pred, len(y_true))
    if sample_weight is not None:
        sample_weight = _finite("sample_weight", sample_weight, len(y_true))
    with np.errstate(invalid="ignore"):
        value, _ = concordance(y_true, y_pred, None, sample_weight)
    if np.isnan(value):
        raise invalid("y_true", "of values that can be compared", y_true)
    return float(value)


def _finite(name, values, n_samples):
    """Return an array (n_samples,) of finite numbers."""
    array = check_array(name, values, (1,))
    if len(array) != n_samples or not np.isfinite(array).all():
        raise invalid(name, f"{n_samples} finite numbers", values)
    return array


def _is_before(time, is_event, one, other):
    """Whether the event of one is seen before the other's time; at one time first."""
    is_earlier = time[one] < time[other]
    is_lost_then = (time[one] == time[other]) & ~is_event[other].astype(bool)
    return is_event[one].astype(bool) & (is_earlier | is_lost_then)


# Scores of numbers ------------------------------------------------------------------


def r2(y_true, y_pred, classes, weight=None):
    """Return the share of the variance that is explained, the mean over outputs."""
    errors = (y_true - y_pred) ** 2
    centre = np.average(y_true, axis=0, weights=weight)
    total = (y_true - centre) ** 2
    variance = np.average(total, axis=0, weights=weight)
    error = np.average(errors, axis=0, weights=weight)
    varies = variance > 0  # else R² is 0, or 1 without errors, as in scikit-learn
    scale = np.where(varies, variance, 1.0)
    ratio = np.where(varies, error / scale, error > 0)
    influence = varies * (ratio * total - errors) / scale
    if influence.ndim == 2:
        influence = influence.mean(axis=1)
    return 1 - np.mean(ratio), influence


# The best constant prediction -------------------------------------------------------


def class_shares(y):
    """Return the shares of the classes."""
    _, counts = np.unique(y, return_counts=True)
    return counts / len(y)


def error_of_constant(y):
    """Return the error of the most frequent class."""
    return 1 - class_shares(y).max()


def accuracy_of_constant(y):
    """Return minus the accuracy of the most frequent class."""
    return -class_shares(y).max()


def area_of_constant(y):
    """Return minus the area under the ROC curve of equal scores."""
    return -0.5


def entropy(y):
    """Return the log loss of the frequencies."""
    shares = class_shares(y)
    return -np.sum(shares * np.log(shares))


def gini(y):
    """Return the Brier score of the frequencies."""
    shares = class_shares(y)
    total = 1 - np.sum(shares**2)
    return total / 2 if len(shares) == 2 else total


def mean_distance(y):
    """Return the mean absolute error of the median."""
    return np.mean(np.abs(y - np.median(y)))
