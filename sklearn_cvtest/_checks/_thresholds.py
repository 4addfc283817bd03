"""How sensitive metrics of predicted classes are to the decision threshold.

The share of examples that a classifier calls positive is decided by the training sample
as a whole. The folds of one sample have nearly the same, so that they do not show how
much it varies, unless there are scores to tell.
"""

import numpy as np

from .._compat import n_rows
from .._losses._formulas import as_target_array
from .._validation import warn
from ..exceptions import ThresholdWarning
from . import _check_sentences as texts
from ._kept_rows import KeptRows

# Positives that are predicted as such in a run: with fewer, whether there are any
# decides the metric, and tests reject far too often.
MIN_TRUE_POSITIVES = 10
# How far from one half a probability is near the threshold, and thresholds are tried.
SHIFT = 0.05
MIN_NEAR = 0.1  # of all rows, and so many, are near it
MIN_ROWS_NEAR = 30


def warn_of_few_positives(plan):
    """Warn, before anything is fitted, of metrics of labels that rest on few positives.

    Parameters
    ----------
    plan : Plan
        What is measured, on which target and splits.
    """
    for measure, few in zip(plan.measures, plan.few_positives, strict=True):
        counts, total = few
        if not total:
            continue
        smallest = min(counts)
        largest = max(counts)
        per_split = f"{smallest}"
        if smallest < largest:
            per_split = f"{smallest} to {largest}"
        n_positives = f"{total} positive" if total == 1 else f"{total} positives"
        message = texts.few_positives(measure.name, n_positives, per_split)
        warn(message, ThresholdWarning)


def threshold_warnings(fits, losses):
    """Return warnings of estimators that hardly predict any positives.

    Parameters
    ----------
    fits : Collector
        Of all fits.
    losses : CVLosses or dict
        Of one measure, or of each by its name.

    Returns
    -------
    warnings : list of (message, category)
    """
    plan = fits.plan
    messages = _crowded(fits, losses)
    full = plan.design.full
    n_runs = fits.n_test[full].sum() / n_rows(plan.data.X)
    for number, measure in enumerate(plan.measures):
        if plan.few_positives[number].total:  # told before the fits
            continue
        n_found = fits.n_true_positives[number, full].sum(axis=0) / n_runs
        few = np.flatnonzero(n_found < MIN_TRUE_POSITIVES).tolist()  # not of nan
        if few:
            count = round(float(n_found[few[0]]))
            count_text = f"only about {count}" if count else "hardly any"
            reason = texts.few_predicted_positives(count_text, measure.name)
            name = plan.names[few[0]]
            message = texts.sensitive_to_threshold(name, len(few) - 1, reason)
            messages.append((message, ThresholdWarning))
    return messages


def _crowded(fits, losses):
    """Return a warning of estimators that label many rows near the threshold, or none.

    A share q of positives that is one standard deviation √(q(1-q)/n) off moves log odds
    by 1/√(nq(1-q)), and a probability of one half by a quarter of that. It must change
    the metric by more than its standard error.
    """
    data = fits.plan.data
    metric = data.metric_of_one_class
    if metric is None:
        return []
    if isinstance(losses, dict):
        losses = losses[metric.name]
    if not losses.per_example:
        return []
    kept_rows = KeptRows.of(fits)
    y = as_target_array(data.y)[kept_rows.rows]
    share = np.mean(y == data.classes[1])
    n_train = fits.n_train.mean() or losses.n_samples  # 0 of given predictions
    noise = 0.25 / np.sqrt(n_train * share * (1 - share))
    errors = losses.losses.std(axis=0, ddof=1) / np.sqrt(losses.n_samples)
    crowded = []
    for name, probability, error in zip(
        losses.estimator_names, kept_rows.values.T, errors, strict=True
    ):
        near = np.mean(np.abs(probability - 0.5) < SHIFT)
        is_constant = len(np.unique(probability)) <= len(kept_rows.numbers)
        if is_constant or near < MIN_NEAR or near * losses.n_samples < MIN_ROWS_NEAR:
            continue
        scores = []
        for threshold in (0.5 - SHIFT, 0.5 + SHIFT):
            labels = data.classes[(probability > threshold).astype(np.intp)]
            scores.append(metric.score_of_labels(y, labels))
        if abs(scores[1] - scores[0]) / (2 * SHIFT) * noise > error:
            crowded.append((name, near, *scores))
    if not crowded:
        return []
    name, near, *scores = crowded[0]
    text = texts.crowded_threshold(metric.name, near, SHIFT, *scores)
    message = texts.sensitive_to_threshold(name, len(crowded) - 1, text)
    return [(message, ThresholdWarning)]
