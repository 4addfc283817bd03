"""How sensitive metrics of predicted classes are to the decision threshold.

The share of examples that a classifier calls positive is decided by the training sample
as a whole. The folds of one sample have nearly the same, so that they do not show how
much it varies, unless there are scores to tell.
"""

import numpy as np
from sklearn.model_selection import TunedThresholdClassifierCV
from sklearn.pipeline import Pipeline

from .._compat import n_rows
from .._losses._formulas import as_target_array
from .._validation import warn
from ..exceptions import ThresholdWarning
from . import _check_sentences as texts

# Positives that are predicted as such in a run: with fewer, whether there are any
# decides the metric, and tests reject far too often.
MIN_TRUE_POSITIVES = 10
# How far from one half a probability is near the threshold, and thresholds are tried.
# Doubled, it would be a quarter of all that a good classifier gives.
SHIFT = 0.05
ROUNDING = 1e-7  # of probabilities of 32 bits
# What metrics of labels are called in a sentence, if not by their name.
METRIC_NAMES = {
    "cohen_kappa": "Cohen's kappa",
    "f1": "F1",
    "jaccard": "Jaccard index",
    "matthews_corrcoef": "Matthews correlation",
    "zero_one": "error",
}


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


def threshold_warnings(fits, kept_rows, losses):
    """Return warnings of estimators whose score is sensitive to the threshold.

    Parameters
    ----------
    fits : Collector
        Of all fits.
    kept_rows : KeptRows
        What they kept.
    losses : CVLosses or dict of CVLosses
        What was collected.

    Returns
    -------
    warnings : list of (str, type)
        Messages and categories.
    """
    plan = fits.plan
    full = plan.design.full
    has_two_classes = len(plan.data.classes) > 0
    near_threshold = None
    if has_two_classes and not np.isnan(kept_rows.values).all():
        near_threshold = _NearThreshold(fits, kept_rows)
    n_runs = fits.n_test[full].sum() / n_rows(plan.data.X)
    messages = []
    for number, measure in enumerate(plan.measures):
        measured = losses
        if isinstance(losses, dict):
            measured = losses[measure.name]
        scores_by_column = {}
        if measure.takes_labels and near_threshold is not None:
            weight = plan.data.score_params[number].get("sample_weight")
            scores_by_column = near_threshold.moved(measure, measured, weight)
        n_true_positives = fits.n_true_positives[number, full].sum(axis=0) / n_runs
        if plan.few_positives[number].total:
            n_true_positives[:] = np.nan  # told before the fits
        reasons = _reasons(n_true_positives, scores_by_column, measured)
        messages += _sensitive(reasons, measured.estimator_names, plan.jobs)
    return messages


class _NearThreshold:
    """Probabilities near the threshold."""

    def __init__(self, fits, kept_rows):
        self.kept_rows = kept_rows
        self.y = as_target_array(fits.plan.data.y)[kept_rows.rows]
        self.proba = kept_rows.values.astype(np.float64)
        self.classes = fits.plan.data.classes
        is_positive = (self.y == self.classes[1]).astype(np.float64)
        shares = kept_rows.mean(is_positive)
        self.share = shares.mean()
        # labels that are all the same turn with the share that was trained on, or not
        n_train = np.maximum(fits.n_train[kept_rows.numbers], 1)
        noise = np.sqrt(shares * (1 - shares) / n_train)[:, np.newaxis]
        spread = kept_rows.largest(self.proba) + kept_rows.largest(-self.proba)
        reach = np.where(spread == 0, np.minimum(SHIFT, 2 * noise), SHIFT)
        distance = np.abs(self.proba - 0.5)
        is_near = distance < reach[kept_rows.places] - ROUNDING
        # nan where a probability is not known
        is_near = np.where(np.isnan(self.proba), np.nan, is_near)
        self.near = kept_rows.mean(is_near).mean(axis=0)

    def moved(self, measure, losses, weight):
        """Return {column: (share near, score with the threshold lower, and higher)}.

        Of the estimators whose score may change by more than its standard error with
        the threshold, moved as far as a share of positives that is one standard
        deviation off moves probabilities. At least a tenth of the examples, and 30 of
        them, are near the threshold.
        """
        n_near = self.near * losses.n_samples
        is_crowded = (self.near >= 0.1) & (n_near >= 30)
        scores_by_column = {}
        for column in np.flatnonzero(is_crowded).tolist():
            low = self._score(measure, column, -SHIFT, weight)
            high = self._score(measure, column, SHIFT, weight)
            slope = abs(high - low) / (2 * SHIFT)
            if _change_by_noise(self.share, slope, losses, column) > 1:
                scores_by_column[column] = self.near[column], low, high
        return scores_by_column

    def _score(self, measure, column, shift, weight):
        """Return the mean score over splits with another threshold."""
        is_positive = self.proba[:, column] > 0.5 + shift + ROUNDING
        labels = self.classes[is_positive.astype(np.intp)]
        ends = self.kept_rows.starts[1:]
        arrays = [np.split(self.y, ends), np.split(labels, ends)]
        if weight is not None:
            arrays.append(np.split(weight[self.kept_rows.rows], ends))
        scores = [measure.score_of_labels(*rows) for rows in zip(*arrays, strict=True)]
        return np.mean(scores)


def _reasons(n_true_positives, scores_by_column, losses):
    """Return [(columns, reason)] of the estimators sensitive to the threshold."""
    few = np.flatnonzero(n_true_positives < MIN_TRUE_POSITIVES).tolist()  # not of nan
    crowded = [column for column in scores_by_column if column not in few]
    reasons = []
    if few:
        number = round(float(n_true_positives[few[0]]))
        number_text = f"only about {number}" if number else "hardly any"
        reason = texts.few_predicted_positives(number_text, losses.loss_name)
        reasons.append((few, reason))
    if crowded:
        share, score_at_low, score_at_high = scores_by_column[crowded[0]]
        reason = texts.crowded_threshold(
            share=share,
            shift=SHIFT,
            metric=_word(losses.loss_name),
            low=0.5 - SHIFT,
            score_at_low=_value(losses, score_at_low),
            high=0.5 + SHIFT,
            score_at_high=_value(losses, score_at_high),
        )
        reasons.append((crowded, reason))
    return reasons


def _sensitive(reasons, names, jobs):
    """Yield a warning for each reason, which names the first estimator."""
    for (column, *others), reason in reasons:
        last_step = _last_step(jobs[column].estimator)
        can_be_tuned = not isinstance(last_step, TunedThresholdClassifierCV)
        message = texts.sensitive_to_threshold(
            names[column], len(others), reason, can_be_tuned
        )
        yield message, ThresholdWarning


def _last_step(estimator):
    """Return the last step of a pipeline, or the estimator that is none."""
    while isinstance(estimator, Pipeline):
        estimator = estimator.steps[-1][1]
    return estimator


def _word(name):
    """Return what a loss or score of labels is called in a sentence."""
    return METRIC_NAMES.get(name, name.replace("_", " "))


def _value(losses, score):
    """Return a score, or the loss that it is minus, as text: a share in percent."""
    value = score if losses.is_score else -score
    low, high = losses.value_range
    return f"{value:.1%}" if high - low == 1 else f"{value:.3f}".replace("-", "−")


def _change_by_noise(share, slope, losses, column):
    """Return what a threshold moved by the noise of the sample changes, in errors.

    A share of positives q that is one standard deviation √(q(1-q)/n) higher moves
    log odds by 1/√(nq(1-q)), and a probability of one half by a quarter of that. The
    standard error is as if folds shared nothing.
    """
    if not losses.per_example or not 0 < share < 1:
        return np.nan
    n_train = max(losses.n_train.mean(), 1)  # of given predictions, 0
    noise = 0.25 / np.sqrt(n_train * share * (1 - share))
    _, example, counts = np.unique(
        losses.row_index, return_inverse=True, return_counts=True
    )
    mean = np.bincount(example, weights=losses.losses[:, column]) / counts
    error = mean.std(ddof=1) / np.sqrt(len(counts))
    return slope * noise / error if error else np.nan
