"""Metrics that are functions of sums, and the influence of each example on them.

A metric T of a test set is a function of the (weighted) distribution P of its
examples. The influence of example i is the derivative of T as mass moves to it,

    IF_i = d/dε T((1 - ε) P + ε δ_i) at ε = 0        (Hampel 1974, JASA 69, 383),

its mean under P is zero, and T differs from its expectation as the mean of the
influence does, but for a term of order 1/n: so the pseudo-values T + IF_i have the
metric for mean and, spread over n, its variance. Everything here is one of

    mean      x̄            x_i - x̄
    ratio     N = n̄/d̄      (n_i - N d_i)/d̄
    smooth    g(x̄, ȳ, …)   g_x (x_i - x̄) + g_y (y_i - ȳ) + …         (delta method)

Each function takes what the metric of that name in :mod:`sklearn.metrics` takes and
returns (metric, influence of shape (n_samples,)). Metrics of ranks are in
`_rank_metrics`.
"""

from functools import partial

import numpy as np

from . import _formulas
from ._formulas import (
    as_target_array,
    centred,
    codes_of,
    label_indicators,
    normalized_weights,
)


def _mean(values, sample_weight):
    """Return a mean and the influences on it, x_i - x̄."""
    values = np.asarray(values, dtype=np.float64)
    shares = normalized_weights(len(values), sample_weight)
    return centred(shares @ values, values, shares)


def _labels_in(*arrays):
    return np.unique(np.concatenate([np.unique(array) for array in arrays]))


# Means of class predictions ---------------------------------------------------


def hits(y_true, y_pred):
    return 1 - _formulas.zero_one(y_true, y_pred)


def mean_of_labels(function, y_true, y_pred, *, normalize=True, sample_weight=None):
    values = function(as_target_array(y_true), as_target_array(y_pred))
    return _mean(values, sample_weight)


# Functions of class counts: precision, recall, F, Jaccard, correlation, kappa -----


def _hits(y_true, y_pred, labels, shares):
    """Return the shares of examples of each label that are hit, given and true.

    An array of shape (3, n_labels), and a function of its derivatives, of that shape,
    that returns what they add up to for each example.
    """
    true = codes_of(y_true, labels)
    pred = codes_of(y_pred, labels)
    codes = np.stack([np.where(true == pred, true, -1), pred, true])
    counts = [np.bincount(code + 1, shares, len(labels) + 1)[1:] for code in codes]

    def weigh(slopes):
        padded = np.pad(slopes, ((0, 0), (0, 1)))  # -1 is none of the labels
        return np.take_along_axis(padded, codes, axis=1).sum(axis=0)

    return np.stack(counts), weigh


def _count_ratio(
    ratio,
    y_true,
    y_pred,
    *,
    labels=None,
    pos_label=1,
    average="binary",
    sample_weight=None,
    zero_division="warn",
):
    """Return an average over labels of α·both/(δ · (both, pred, true)).

    `ratio` is (α, δ). For a label, the ratio N/D has the influence
    (n_i - (N/D) d_i)/D̄; averages add up, and the weights of "weighted", the
    shares t_c of the labels, have the influence (m_c - m)(t_ic - t_c)/Σt.
    """
    y_true = as_target_array(y_true)
    y_pred = as_target_array(y_pred)
    shares = normalized_weights(len(y_true), sample_weight)
    missing = 0.0 if isinstance(zero_division, str) else zero_division
    labels = [pos_label] if average == "binary" else labels
    if y_true.ndim == 2:  # several labels an example
        labels = slice(None) if labels is None else labels
        true = y_true[:, labels] != 0
        pred = y_pred[:, labels] != 0
        hits = np.stack([true & pred, pred, true]).astype(float)
        if average == "samples":
            return _mean_ratio(hits.sum(axis=2), ratio, missing, shares)
        counts = shares @ hits
        weigh = partial(np.einsum, "cnl,cl->n", hits)
    else:
        labels = _labels_in(y_true, y_pred) if labels is None else labels
        counts, weigh = _hits(y_true, y_pred, labels, shares)
    pooled = counts.sum(axis=1, keepdims=True) if average == "micro" else counts
    values, slopes = _ratios(pooled, ratio, missing)
    value, slopes = _average_labels(values, slopes, pooled[2], average)
    return centred(value, weigh(np.broadcast_to(slopes, counts.shape)), shares)


def _ratios(counts, ratio, missing):
    """Return α·both/(δ · counts) of each label, and its derivatives by the counts."""
    top, bottom = ratio
    bottom = np.array(bottom, dtype=np.float64)
    below = bottom @ counts
    is_defined = below > 0
    below = np.where(is_defined, below, 1)
    values = np.where(is_defined, top * counts[0] / below, missing)
    slopes = -np.outer(bottom, np.where(is_defined, values, 0))
    slopes[0] += top
    return values, np.where(is_defined, slopes / below, 0)


def _average_labels(values, slopes, true, average):
    is_defined = ~np.isnan(values)  # where `zero_division` is nan, a label drops out
    if not is_defined.any():
        return np.nan, slopes
    weight = is_defined * (true if average == "weighted" else np.ones_like(values))
    if weight.sum() == 0:
        weight = is_defined.astype(float)
    weight = weight / weight.sum()
    value = weight @ np.where(is_defined, values, 0)
    slopes = weight * slopes
    if average == "weighted" and true.sum() > 0:
        among = true[is_defined].sum()
        slopes[2] += np.where(is_defined, values - value, 0) / (among or 1)
    return value, slopes


def _mean_ratio(counts, ratio, missing, shares):
    """Return the mean over examples of each one's ratio, over its labels."""
    values, _ = _ratios(counts, ratio, missing)
    is_defined = ~np.isnan(values)
    weight = shares * is_defined
    value = weight @ np.where(is_defined, values, 0) / weight.sum()
    influence = np.where(is_defined, values - value, 0) / weight.sum()
    return centred(value, influence, shares)


precision = partial(_count_ratio, (1, (0, 1, 0)))
recall = partial(_count_ratio, (1, (0, 0, 1)))
jaccard = partial(_count_ratio, (1, (-1, 1, 1)))  # intersection over union


def fbeta(y_true, y_pred, *, beta=1.0, **options):
    # F = (1 + β²)·both/(pred + β²·true), van Rijsbergen (1979); recall as β -> ∞
    square = beta**2
    ratio = (1 + square, (0, 1, square)) if np.isfinite(beta) else (1, (0, 0, 1))
    return _count_ratio(ratio, y_true, y_pred, **options)


def balanced_accuracy(y_true, y_pred, *, sample_weight=None, adjusted=False):
    """Return the mean recall of the classes in y_true; adjusted, chance is 0."""
    y_true = as_target_array(y_true)
    labels = np.unique(y_true)
    value, influence = recall(
        y_true, y_pred, labels=labels, average="macro", sample_weight=sample_weight
    )
    if adjusted:
        chance = 1 / len(labels)
        value = (value - chance) / (1 - chance)
        influence = influence / (1 - chance)
    return value, influence


def matthews_corrcoef(y_true, y_pred, *, sample_weight=None):
    """Return R_K of Gorodkin (2004), the correlation of true and predicted labels.

    With t and p the shares of the classes among true and predicted labels and c the
    accuracy, it is (c - t·p)/√((1 - p·p)(1 - t·t)), of one class defined as 0.
    """
    y_true = as_target_array(y_true)
    y_pred = as_target_array(y_pred)
    shares = normalized_weights(len(y_true), sample_weight)
    (hit, p, t), weigh = _hits(y_true, y_pred, _labels_in(y_true, y_pred), shares)
    var_pred = 1 - p @ p
    var_true = 1 - t @ t
    if min(var_pred, var_true) < 1e-14:
        return 0.0, np.zeros(len(y_true))
    root = np.sqrt(var_pred * var_true)
    value = (hit.sum() - t @ p) / root
    by_pred = value * p / var_pred - t / root
    by_true = value * t / var_true - p / root
    slopes = np.stack([np.full_like(hit, 1 / root), by_pred, by_true])
    return centred(value, weigh(slopes), shares)


def cohen_kappa(y1, y2, *, labels=None, weights=None, sample_weight=None):
    """Return 1 - k/e with k = Σ W_ab C_ab the disagreement and e = t'Wp by chance.

    An example (a, b) moves k by W_ab - k and e by (W p)_a + (t'W)_b - 2e.
    """
    y1 = as_target_array(y1)
    y2 = as_target_array(y2)
    labels = _labels_in(y1, y2) if labels is None else labels
    true = codes_of(y1, labels)
    pred = codes_of(y2, labels)
    shares = normalized_weights(len(true), sample_weight)
    # `labels` may leave examples out: then all are sums over the others
    inside = (true >= 0) & (pred >= 0)
    mass = shares @ inside
    t, p = (
        np.bincount(code[inside], shares[inside], len(labels)) / mass
        for code in (true, pred)
    )
    distance = np.abs(np.subtract.outer(np.arange(len(t)), np.arange(len(t))))
    power = {None: 0, "linear": 1, "quadratic": 2}[weights]
    costs = np.where(distance, distance.astype(float) ** power, 0)
    cost = np.where(inside, costs[true, pred], 0)
    observed = shares @ cost / mass
    chance = t @ costs @ p
    d_chance = (costs @ p)[true] + (t @ costs)[pred] - 2 * chance
    influence = (observed * d_chance / chance - (cost - observed)) / (chance * mass)
    return centred(1 - observed / chance, np.where(inside, influence, 0), shares)


# Probabilities ----------------------------------------------------------------


def log_loss(y_true, y_pred, *, normalize=True, sample_weight=None, labels=None):
    y_true = as_target_array(y_true)
    proba = np.asarray(y_pred)
    onehot, proba = _class_probabilities(y_true, proba, labels)
    return _mean(np.sum(onehot * _formulas.minus_log(proba), axis=1), sample_weight)


def brier_score_loss(
    y_true,
    y_proba,
    *,
    sample_weight=None,
    pos_label=None,
    labels=None,
    scale_by_half="auto",
):
    y_true = as_target_array(y_true)
    proba = np.asarray(y_proba)
    if proba.ndim == 1 and pos_label is not None:
        y_true = y_true == pos_label
        labels = [False, True]
    onehot, proba = _class_probabilities(y_true, proba, labels)
    losses = _formulas.squared_distance(onehot, proba)
    half = onehot.shape[1] == 2 if isinstance(scale_by_half, str) else scale_by_half
    return _mean(losses / 2 if half else losses, sample_weight)


def _class_probabilities(y_true, proba, labels):
    """Return one-hot labels and probabilities, both of shape (n_samples, n_classes)."""
    if y_true.ndim == 2:  # multilabel
        return y_true, proba
    if proba.ndim == 2 and proba.shape[1] == 1:
        proba = proba[:, 0]
    if proba.ndim == 1:
        proba = np.stack([1 - proba, proba], axis=1)
    classes = np.unique(y_true if labels is None else labels)
    onehot = label_indicators(y_true, classes)
    if len(classes) == 1:  # the label is the positive one, as for LabelBinarizer
        onehot = np.stack([onehot[:, 0], ~onehot[:, 0]], axis=1)
    return onehot, proba


# Regression -------------------------------------------------------------------


def _columns(*arrays):
    """Return real arrays of shape (n_samples, n_outputs)."""
    arrays = [np.asarray(array, dtype=np.float64) for array in arrays]
    return [array[:, np.newaxis] if array.ndim == 1 else array for array in arrays]


def _output_weights(multioutput, n_outputs):
    weights = np.ones(n_outputs) if isinstance(multioutput, str) else multioutput
    weights = np.asarray(weights, dtype=np.float64)
    return weights / weights.sum()


def mean_loss(
    function,
    y_true,
    y_pred,
    *,
    sample_weight=None,
    multioutput="uniform_average",
    **options,
):
    """Return the mean of an elementwise loss, averaged over outputs."""
    losses = function(*_columns(y_true, y_pred), **options)
    weights = _output_weights(multioutput, losses.shape[1])
    return _mean(losses @ weights, sample_weight)


def root_mean_loss(
    function, y_true, y_pred, *, sample_weight=None, multioutput="uniform_average"
):
    """Return √ of the mean of a loss: influence (l_i - l̄)/(2 √l̄), 0 where it is 0."""
    losses = function(*_columns(y_true, y_pred))
    weights = _output_weights(multioutput, losses.shape[1])
    shares = normalized_weights(len(losses), sample_weight)
    means = shares @ losses
    roots = np.sqrt(means)
    slopes = np.divide(weights, 2 * roots, out=np.zeros_like(roots), where=roots > 0)
    return centred(roots @ weights, (losses - means) @ slopes, shares)


def _explained(
    of_errors,
    y_true,
    y_pred,
    *,
    sample_weight=None,
    multioutput="uniform_average",
    force_finite=True,
):
    """Return 1 - mean left/mean total of outputs, averaged: minus a ratio's influence.

    Left are squared errors; or, `of_errors` as of y, squared deviations from the mean,
    where the derivative of Σ(y - ȳ)² by ȳ is zero, so that ȳ counts as given. An output
    that does not vary has the score 1 if nothing is left, else 0.
    """
    y_true, y_pred = _as_precise(y_true, y_pred, sample_weight)
    total = np.float64(_squares(y_true, sample_weight))
    errors = np.float64(of_errors(y_true - y_pred, sample_weight))
    shares = normalized_weights(len(errors), sample_weight)
    if isinstance(multioutput, str) and multioutput == "variance_weighted":
        varies = shares @ total > 0
        if varies.any():
            # Σ_q d_q (1 - n_q/d_q)/Σ_q d_q: one ratio, of sums over outputs
            errors = errors[:, varies].sum(axis=1, keepdims=True)
            total = total[:, varies].sum(axis=1, keepdims=True)
    above = shares @ errors
    below = shares @ total
    varies = below > 0
    ratios = np.where(varies, above / np.where(varies, below, 1), above > 0)
    weights = _output_weights(multioutput, len(ratios))
    slopes = np.where(varies, weights / np.where(varies, below, 1), 0)
    influence = (ratios * total - errors) @ slopes
    return centred(weights @ (1 - ratios), influence, shares)


def _as_precise(y_true, y_pred, sample_weight):
    """Return columns of the precision in which scikit-learn computes.

    Whether an output varies depends on it, and so whether its score is a convention.
    """
    arrays = y_true, y_pred, np.float16(0) if sample_weight is None else sample_weight
    dtypes = {np.asarray(array).dtype for array in arrays}
    floats = [dtype for dtype in dtypes if dtype.kind == "f"]
    is_single = np.result_type(np.float16, *floats) == np.float32
    columns = _columns(y_true, y_pred)
    return [array.astype(np.float32) for array in columns] if is_single else columns


def _squares(values, sample_weight):
    """Return squared deviations from the mean, 0 where they are 0 to scikit-learn."""
    return (values - np.average(values, axis=0, weights=sample_weight)) ** 2


def _as_they_are(errors, sample_weight):
    return errors**2


r2 = partial(_explained, _as_they_are)
explained_variance = partial(_explained, _squares)
