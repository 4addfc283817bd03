"""Metrics of ranks (AUC, average precision, concordance) and influences on them.

As in `_influence`, each function returns (metric, influence of shape (n_samples,)),
of weighted mean zero. All sort: O(n log n), the concordance index O(n log² n).
"""

from __future__ import annotations

from itertools import combinations

import numpy as np

from .._row_labels import check_same_index
from .._typing import ArrayLike
from .._validation import check_real_array, invalid, invalid_words
from ._formulas import as_target_array, centred, label_indicators, normalized_weights


def _weights(n_samples, sample_weight):
    if sample_weight is None:  # ones: sums of them are exact
        return np.ones(n_samples)
    return np.asarray(sample_weight, dtype=np.float64)


def _mass_below(ranks, weight):
    """Return the weight of what is below each example, and half of its ties."""
    mass = np.bincount(ranks, weight)
    return (np.cumsum(mass) - mass / 2)[ranks]


# Area under the ROC curve -----------------------------------------------------


def _two_class_auc(positive, negative, score, weight):
    """Return the AUC of two of the classes, and the influences on it.

    The AUC is the two-sample U-statistic P(s > s') + P(s = s')/2 of a positive s and a
    negative s'. An example is placed at the share of the other class that it is on the
    right side of, ties ½ [DeLong, DeLong & Clarke-Pearson 1988, Biometrics 44, eq. 5];
    each class has the AUC for mean. Its influence curve [LeDell, Petersen & van der
    Laan 2015, Electron. J. Stat. 9, 1583, section 4] is (placement - AUC)/P(class): an
    example stands for its own class. P(class) is the share of this test set (the
    paper's package pools it over folds), for the mean to be zero in each.
    """
    up = weight * positive
    down = weight * negative
    n_up = up.sum()
    n_down = down.sum()
    if not (n_up > 0 and n_down > 0):
        return np.nan, np.full(len(score), np.nan)
    ranks = np.unique(score, return_inverse=True)[1]
    above = positive * _mass_below(ranks, down) / n_down
    placed = above + negative * (1 - _mass_below(ranks, up) / n_up)
    value = up @ placed / n_up
    share = (positive * n_up + negative * n_down) / weight.sum()
    either = positive | negative
    return value, np.where(either, (placed - value) / np.where(either, share, 1), 0)


def _auc(positive, score, weight):
    return _two_class_auc(positive, ~positive, score, weight)


def roc_auc(
    y_true,
    y_score,
    *,
    average="macro",
    sample_weight=None,
    max_fpr=None,
    multi_class="raise",
    labels=None,
):
    y_true = as_target_array(y_true)
    score = np.asarray(y_score, dtype=np.float64)
    weight = _weights(len(y_true), sample_weight)
    if y_true.ndim == 2:
        return _over_labels(_auc, y_true != 0, score, average, weight)
    classes = np.unique(y_true if labels is None else labels)
    if score.ndim == 1:
        return _finished(*_auc(y_true == classes[-1], score, weight), weight)
    having = label_indicators(y_true, classes)
    if multi_class == "ovo":
        return _one_vs_one(having, score, average, weight)
    return _over_labels(_auc, having, score, average, weight)


def _finished(value, influence, weight):
    return centred(value, influence, weight / weight.sum())


def _one_vs_one(having, score, average, weight):
    """Return the mean AUC of pairs of classes. [Hand & Till 2001, Mach. Learn. 45]"""
    pairs = list(combinations(range(having.shape[1]), 2))
    pair_results = []
    for pair in pairs:
        one, two = (
            _two_class_auc(having[:, a], having[:, b], score[:, a], weight)
            for a, b in (pair, pair[::-1])
        )
        pair_results.append(((one[0] + two[0]) / 2, (one[1] + two[1]) / 2))
    within = np.stack([having[:, a] | having[:, b] for a, b in pairs], axis=1)
    return _averaged(pair_results, within, average, weight)


def _over_labels(binary, having, score, average, weight):
    """Return the average of a metric over the columns of (n_samples, n_labels).

    "micro" pools the cells: an example moves mass to all of its own, so that its
    influence is the mean of theirs.
    """
    n_labels = having.shape[1]
    if average == "micro":
        value, influence = binary(
            having.ravel(), score.ravel(), np.repeat(weight, n_labels)
        )
        return _finished(value, influence.reshape(-1, n_labels).mean(axis=1), weight)
    columns = zip(having.T.copy(), score.T.copy(), strict=True)
    return _averaged([binary(*c, weight) for c in columns], having, average, weight)


def _averaged(results, within, average, weight):
    """Return the average of (value, influences) of labels, or pairs of classes.

    "weighted" weighs by the shares t_c of the examples that are `within` each.
    """
    values, influences = (np.array(part) for part in zip(*results, strict=True))
    if average == "macro":
        return _finished(values.mean(), influences.mean(axis=0), weight)
    shares = weight @ within / weight.sum()
    value = values @ shares / shares.sum()
    influence = shares @ influences + within @ (values - value)
    return _finished(value, influence / shares.sum(), weight)


# Average precision ------------------------------------------------------------


def _average_precision(positive, score, weight):
    """Return the average precision and the influences on it.

    AP = E[Y π(S)]/E[Y], with π(t) = E[Y; S >= t]/H(t) the precision and H(t) =
    P(S >= t) the share of predictions at threshold t. Mass at an example (y, s) moves
    the outer ratio by y (π(s) - AP)/E[Y], and the precision at each t <= s by
    (y - π(t))/H(t), which counts as often as there are positives at t:

        IF = [y (π(s) - AP) + y A(s) - B(s)]/E[Y],
        A(s) = E[Y'/H(S'); S' <= s],   B(s) = E[Y' π(S')/H(S'); S' <= s],

    (Y', S') another example: sums over the sorted scores. (The ratio rule twice; ties
    share a threshold, as in scikit-learn.)
    """
    ranks = np.unique(score, return_inverse=True)[1]
    hits = np.bincount(ranks, weight * positive)
    mass = np.bincount(ranks, weight)
    hits_from, mass_from = (np.cumsum(part[::-1])[::-1] for part in (hits, mass))
    empty = mass_from == 0  # only weights of zero
    mass_from = np.where(empty, 1, mass_from)
    precision = hits_from / mass_from
    value = hits @ precision / hits.sum()
    gain = np.cumsum(hits / mass_from)
    cost = np.cumsum(hits * precision / mass_from)
    influence = positive * (precision - value + gain)[ranks] - cost[ranks]
    return value, influence * (weight.sum() / hits.sum())


def average_precision(
    y_true, y_score, *, average="macro", pos_label=1, sample_weight=None
):
    y_true = as_target_array(y_true)
    score = np.asarray(y_score, dtype=np.float64)
    weight = _weights(len(y_true), sample_weight)
    if score.ndim == 1:
        result = _average_precision(y_true == pos_label, score, weight)
        return _finished(*result, weight)
    having = y_true != 0
    if y_true.ndim == 1:
        having = label_indicators(y_true, np.unique(y_true))
    return _over_labels(_average_precision, having, score, average, weight)


# Concordance index ------------------------------------------------------------


def concordance_index(
    y_true: ArrayLike, y_pred: ArrayLike, *, sample_weight: ArrayLike | None = None
) -> float:
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
        If the arrays are not numbers, or not of one length, or no pair is comparable.

    See Also
    --------
    cross_val_interval : Takes it as `scoring=make_scorer(concordance_index)`.

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
    target = as_target_array(y_true)
    fields = target.dtype.names
    if fields is not None and len(fields) != 2:
        allowed = "numbers, or a structured array of an event and its time"
        raise invalid("y_true", allowed, y_true)
    times = target if fields is None else target[fields[1]]
    arrays = {"y_true": times, "y_pred": y_pred}
    if sample_weight is not None:
        arrays["sample_weight"] = sample_weight
    labelled = arrays | {"y_true": y_true}
    for name, values in arrays.items():
        array = arrays[name] = check_real_array(name, values, (1,))
        if not np.isfinite(array).all():
            raise invalid(name, "finite", array.tolist())
        if len(array) != len(times):
            allowed = f"of the {len(times)} examples of `y_true`"
            raise invalid_words(name, allowed, f"{len(array)} values")
    check_same_index(labelled, len(times))
    with np.errstate(invalid="ignore", divide="ignore"):
        value, _ = concordance(**arrays | {"y_true": target})
    if np.isnan(value):
        allowed = "of at least one pair of which it is known which is larger"
        raise invalid("y_true", allowed, target.tolist())
    return value


def concordance(y_true, y_pred, *, sample_weight=None):
    """Return the concordance index and the influences on it.

    A ratio of two U-statistics over pairs, of concordant h_ij over comparable d_ij. The
    projection of each is twice the mean over j [Hoeffding 1948, Ann. Math. Stat. 19],
    so that the ratio rule gives IF_i = 2 (h_i - C d_i)/d̄, h_i and d_i means over j.
    """
    y_true = as_target_array(y_true)
    prediction = np.asarray(y_pred, dtype=np.float64)
    is_observed = np.ones(len(y_true), dtype=bool)
    time = y_true
    if y_true.dtype.names is not None:
        is_observed, time = (y_true[name] for name in y_true.dtype.names)
        is_observed = is_observed.astype(bool)
        prediction = -prediction
    weight = _weights(len(time), sample_weight)
    # at one time those who were seen come before those who were lost
    instants = np.stack([time.astype(float), ~is_observed], axis=1)
    instants = np.unique(instants, axis=0, return_inverse=True)[1].ravel()
    order = np.argsort(instants, kind="stable")
    instants = instants[order]
    prediction = prediction[order]
    is_observed = is_observed[order].astype(float)
    weight = weight[order]
    ranks = np.unique(prediction, return_inverse=True)[1]
    before, after = _lower_before(instants, ranks, weight * is_observed, weight)
    mass_seen = np.bincount(instants, weight * is_observed)
    mass = np.bincount(instants, weight)
    earlier = (np.cumsum(mass_seen) - mass_seen)[instants]
    later = weight.sum() - np.cumsum(mass)[instants]
    right = before + is_observed * (later - after)
    comparable = earlier + is_observed * later
    value = weight @ right / (weight @ comparable)
    scale = 2 * weight.sum() / (weight @ comparable)
    influence = np.empty(len(time))
    influence[order] = scale * (right - value * comparable)
    return centred(value, influence, normalized_weights(len(time), sample_weight))


def _lower_before(instants, ranks, weight_before, weight_after):
    """Return the weight of earlier examples of lower rank, and of later ones, ties ½.

    `instants` ascends. Blocks of twice the length are compared half by half: two
    examples of different instants meet once, where their halves differ.
    """
    n_instants = int(instants[-1]) + 1
    n_ranks = int(ranks.max()) + 1
    before = np.zeros(len(ranks))
    after = np.zeros(len(ranks))
    for bit in range(max(n_instants - 1, 0).bit_length()):
        is_later = (instants >> bit & 1).astype(bool)
        cells = (instants >> (bit + 1)) * n_ranks + ranks
        starts = (instants >> (bit + 1)) * n_ranks
        before += is_later * _mass_in_block(cells, starts, weight_before * ~is_later)
        after += ~is_later * _mass_in_block(cells, starts, weight_after * is_later)
    return before, after


def _mass_in_block(cells, starts, weight):
    """Return the weight of lower cells, and half of the own, from `starts` on."""
    present, place = np.unique(cells, return_inverse=True)
    mass = np.bincount(place, weight)
    total = np.append(0.0, np.cumsum(mass))
    first = np.searchsorted(present, starts)
    return (total[place] + total[place + 1]) / 2 - total[first]
