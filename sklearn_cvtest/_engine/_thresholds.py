"""How much metrics of predicted classes hang on where the threshold lies.

The share of examples that a classifier calls positive is decided by the training sample
as a whole. The folds of one sample have nearly the same, so that they do not show how
much it varies, unless there are scores to tell.
"""

import numpy as np
from sklearn.model_selection import TunedThresholdClassifierCV
from sklearn.pipeline import Pipeline

from .._compat import take_rows
from .._validation import warn
from ..exceptions import ThresholdWarning

# Positives that are predicted as such in a run: with fewer, whether there are any
# decides the metric, and tests rejected 17 to 99% (docs/predicted_classes.csv).
MIN_HITS = 10
# Standard errors by which the metric may change with the threshold, moved as far as a
# share of positives that is one standard deviation off moves probabilities; the share
# near the threshold, and the examples, from which this is worth saying; all from
# docs/hard_classes.csv.
MAX_SHIFT, MIN_SHARE, MIN_NEAR = 1.0, 0.1, 30
SHIFTS = -0.05, -0.02, 0.0, 0.02, 0.05
ENDS = (1, 3), (0, 4)
# hits, share of positives, share within 0.05 of the threshold; the score at each shift
N_SIGNS = 3 + len(SHIFTS)
NO_SIGNS = (np.nan,) * N_SIGNS
TUNE = ", or tune the threshold in each training set (TunedThresholdClassifierCV)"
MOST_ROWS = 500  # of a test set, so that predictions cost little where they are dear


def is_tuned(estimator):
    """Whether an estimator, or the last step of a pipeline, tunes its threshold."""
    while isinstance(estimator, Pipeline):
        estimator = estimator.steps[-1][1]
    return isinstance(estimator, TunedThresholdClassifierCV)


def threshold_signs(measure, response, y_test, estimator, X_test, n_train):
    """Return the signs of trouble on a test set, of length N_SIGNS, nan if not known.

    Only where the measure takes the labels of two classes, and these say whether a
    probability is above one half, which is asked for:
    one more prediction, of MOST_ROWS. And these probabilities, or None.
    """
    unknown = (measure.hits(response), *NO_SIGNS[1:])
    y_true, labels = measure.truth_and_labels(response, y_test)
    if labels is None or not hasattr(estimator, "predict_proba"):
        return unknown, None
    if len(labels) > MOST_ROWS and not measure.is_weighted(response):
        rows = np.linspace(0, len(labels) - 1, MOST_ROWS).astype(int)
        y_true, labels, X_test = y_true[rows], labels[rows], take_rows(X_test, rows)
    try:
        classes = np.asarray(estimator.classes_)
        proba = np.asarray(estimator.predict_proba(X_test))[:, 1]
    except Exception:  # the labels are all that was asked for
        return unknown, None
    if len(classes) != 2 or not np.array_equal(classes[(proba > 0.5) * 1], labels):
        return unknown, None
    moved = [classes[(proba > 0.5 + shift) * 1] for shift in SHIFTS]
    scores = [measure.score_of_labels(response, y_true, some) for some in moved]
    share = np.mean(y_true == classes[1])
    # labels that are all the same turn with the share that was trained on, or not
    noise = np.sqrt(share * (1 - share) / max(n_train, 1))  # of given predictions, 0
    is_constant = np.ptp(proba) == 0
    reach = min(SHIFTS[-1], 2 * noise) if is_constant else SHIFTS[-1]
    share_near = np.mean(np.abs(proba - 0.5) <= reach)
    return (unknown[0], share, share_near, *scores), proba


def warn_of_thresholds(signs, losses, n_runs, are_tuned):
    """Warn of estimators whose score hangs on where the threshold lies.

    Parameters
    ----------
    signs : ndarray of shape (n_splits, n_estimators, N_SIGNS)
        Of the splits of the whole sample.
    losses : CVLosses
        Of the same measure.
    n_runs : float
        How often an example is tested.
    are_tuned : sequence of bool
        Which estimators tune their threshold.
    """
    hits, means = signs[..., 0].sum(axis=0) / n_runs, signs[..., 1:].mean(axis=0)
    is_few = hits < MIN_HITS  # not of nan
    near = means[:, 1]
    is_crowded = (near >= MIN_SHARE) & (near * losses.n_samples >= MIN_NEAR) & ~is_few
    for column in np.flatnonzero(is_crowded):
        shift = _shift_of_noise(means[column], losses, column)
        is_crowded[column] = shift > MAX_SHIFT
    for mask, describe in ((is_few, _few_hits), (is_crowded, _crowd)):
        if mask.any():
            column = int(np.argmax(mask))
            others = np.count_nonzero(mask) - 1
            also = f" (and {others} more)" if others else ""
            what = describe(losses, hits, means, column)
            warn(
                f"{losses.estimator_names[column]!r}{also}: {what} Use a measure of "
                "the scores, such as 'roc_auc', 'average_precision' or "
                f"'neg_log_loss'{TUNE * (not are_tuned[column])}.",
                ThresholdWarning,
            )


def _shift_of_noise(means, losses, column):
    """Return what a threshold moved by the noise of the sample changes, in errors.

    A share of positives q that is one standard deviation √(q(1-q)/n) higher moves
    log odds by 1/√(nq(1-q)), and a probability of one half by a quarter of that. The
    standard error is as if folds shared nothing.
    """
    q, scores = means[0], means[2:]
    if not losses.per_example or not 0 < q < 1:
        return np.nan
    slope = abs(scores[-1] - scores[0]) / (SHIFTS[-1] - SHIFTS[0])
    n_train = max(losses.n_train.mean(), 1)  # of given predictions, 0
    noise = 0.25 / np.sqrt(n_train * q * (1 - q))
    values, example = losses.losses[:, column], np.arange(len(losses.losses))
    if losses.row_index is not None:
        _, example = np.unique(losses.row_index, return_inverse=True)
    counts = np.bincount(example)
    mean = np.bincount(example, weights=values) / counts
    error = mean.std(ddof=1) / np.sqrt(len(counts))
    return slope * noise / error if error else np.nan


def _few_hits(losses, hits, means, column):
    n_found = round(float(hits[column]))
    shown = f"only about {n_found}" if n_found else "hardly any"
    return (
        f"in a run over all examples {shown} of the positives (or of the rarer class) "
        f"are predicted as such. Whether any are decides {losses.loss_name!r}: its "
        "intervals are too short, and tests of it reject too often."
    )


def _crowd(losses, hits, means, column):
    all_scores = means[:, 2:] if losses.is_score else -means[:, 2:]
    scores = all_scores[column]
    by_02, by_05 = (" and ".join(f"{scores[i]:.3f}" for i in at) for at in ENDS)
    of_both = ""
    if len(means) == 2 and np.isfinite(means).all():
        first, second = losses.estimator_names
        down, _, now, _, up = all_scores[0] - all_scores[1]
        of_both = (
            f" (and {first!r} minus {second!r} {down:.3f} and {up:.3f} in place of "
            f"{now:.3f})"
        )
    return (
        f"{means[column, 1]:.0%} of its probabilities are within 0.05 of the "
        f"threshold. Where that is moved down and up by 0.02, {losses.loss_name!r} is "
        f"{by_02} in place of {scores[2]:.3f}; by 0.05, {by_05}{of_both}. On which "
        "side examples fall is decided by the sample as a whole, more than its folds "
        "show: intervals are too short, and tests reject too often."
    )
