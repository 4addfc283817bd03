"""How sensitive metrics of predicted classes are to the decision threshold.

The share of examples that a classifier calls positive is decided by the training sample
as a whole. The folds of one sample have nearly the same, so that they do not show how
much it varies, unless there are scores to tell.
"""

import numpy as np
from sklearn.model_selection import TunedThresholdClassifierCV
from sklearn.pipeline import Pipeline

from .._compat import n_rows
from .._losses._few_positives import few_positives
from .._losses._formulas import as_target_array
from .._losses._responses import parts_of
from .._validation import warn
from ..exceptions import ThresholdWarning
from . import _check_sentences as texts

# Positives that are predicted as such in a run: with fewer, whether there are any
# decides the metric, and tests reject far too often.
MIN_HITS = 10
# Standard errors by which the metric may change with the threshold, moved as far as a
# share of positives that is one standard deviation off moves probabilities; the share
# within SHIFT of the threshold, and the examples, from which this is worth saying.
MAX_SHIFT, MIN_SHARE, MIN_NEAR = 1.0, 0.1, 30
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


def warn_of_few_positives(measure, y, splits):
    """Warn, before anything is fitted, of metrics of labels that rest on few positives.

    Parameters
    ----------
    measure : measure
        What is measured, perhaps several.
    y : array-like
        The target.
    splits : list of (ndarray, ndarray)
        Indices of training and test sets.
    """
    for part in parts_of(measure):
        of_splits, total = few_positives(part, y, splits)
        if total:
            least, most = min(of_splits), max(of_splits)
            per_split = f"{least} to {most}" if least < most else f"{least}"
            n_positives = f"{total} positive" if total == 1 else f"{total} positives"
            warn(
                texts.few_positives(part.name, n_positives, per_split), ThresholdWarning
            )


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
    plan, messages, crowd = fits.plan, [], None
    full = plan.design.full
    has_probabilities = not np.isnan(kept_rows.values).all()
    n_runs = fits.n_test[full].sum() / n_rows(plan.data.X)
    of_measures = losses.values() if isinstance(losses, dict) else [losses]
    rows = zip(
        plan.measures, of_measures, plan.data.score_params, fits.hits, strict=True
    )
    for measure, of_measure, params, hits in rows:
        crowds = {}
        takes_labels = measure.takes_labels and len(plan.data.classes) > 0
        if takes_labels and has_probabilities:
            crowd = crowd or _NearThreshold(fits, kept_rows)
            crowds = crowd.moved(measure, of_measure, params.get("sample_weight"))
        hits = hits[full].sum(axis=0) / n_runs
        if few_positives(measure, plan.data.y, plan.splits)[1]:
            hits[:] = np.nan  # told before the fits
        messages += _of_measure(hits, crowds, of_measure, plan.jobs)
    return messages


class _NearThreshold:
    """Probabilities near the threshold."""

    def __init__(self, fits, kept_rows):
        self.kept_rows = kept_rows
        self.y = as_target_array(fits.plan.data.y)[kept_rows.rows]
        self.proba = proba = kept_rows.values.astype(np.float64)
        self.classes = fits.plan.data.classes
        shares = kept_rows.mean((self.y == self.classes[1]) * 1.0)
        self.share = shares.mean()
        # labels that are all the same turn with the share that was trained on, or not
        n_train = np.maximum(fits.n_train[kept_rows.numbers], 1)
        noise = np.sqrt(shares * (1 - shares) / n_train)[:, np.newaxis]
        is_constant = kept_rows.largest(proba) + kept_rows.largest(-proba) == 0
        reach = np.where(is_constant, np.minimum(SHIFT, 2 * noise), SHIFT)
        is_near = np.abs(proba - 0.5) < reach[kept_rows.places] - ROUNDING
        # nan where a probability is not known
        is_near = np.where(np.isnan(proba), np.nan, is_near)
        self.near = kept_rows.mean(is_near).mean(axis=0)

    def moved(self, measure, losses, weight):
        """Return {column: (share near, score with the threshold lower, and higher)}.

        Of the estimators whose score may change by more than its error.
        """
        is_crowded = (self.near >= MIN_SHARE) & (
            self.near * losses.n_samples >= MIN_NEAR
        )
        scores_by_column = {}
        for column in np.flatnonzero(is_crowded).tolist():
            ends = [
                self._score(measure, column, shift, weight) for shift in (-SHIFT, SHIFT)
            ]
            if _shift_of_noise(self.share, ends, losses, column) > MAX_SHIFT:
                scores_by_column[column] = self.near[column], *ends
        return scores_by_column

    def _score(self, measure, column, shift, weight):
        """Return the mean score over splits with another threshold."""
        of_rows = (self.proba[:, column] > 0.5 + shift + ROUNDING) * 1
        arrays = [self.y, self.classes[of_rows]]
        arrays += [] if weight is None else [weight[self.kept_rows.rows]]
        of_splits = [np.split(part, self.kept_rows.starts[1:]) for part in arrays]
        scores = [measure.score_of_labels(*p) for p in zip(*of_splits, strict=True)]
        return np.mean(scores)


def _of_measure(hits, crowds, losses, jobs):
    """Yield the warnings of one measure."""
    few = np.flatnonzero(hits < MIN_HITS).tolist()  # not of nan
    crowded = [column for column in crowds if column not in few]
    reasons = []
    if few:
        n_found = round(float(hits[few[0]]))
        number_text = f"only about {n_found}" if n_found else "hardly any"
        reason = texts.few_predicted_positives(number_text, losses.loss_name)
        reasons.append((few, reason))
    if crowded:
        share, score_at_low, score_at_high = crowds[crowded[0]]
        reason = texts.crowded_threshold(
            share,
            SHIFT,
            _word(losses.loss_name),
            0.5 - SHIFT,
            _value(losses, score_at_low),
            0.5 + SHIFT,
            _value(losses, score_at_high),
        )
        reasons.append((crowded, reason))
    for (column, *others), reason in reasons:
        last = _last_step(jobs[column].estimator)
        can_be_tuned = not isinstance(last, TunedThresholdClassifierCV)
        name = losses.estimator_names[column]
        message = texts.sensitive_to_threshold(name, len(others), reason, can_be_tuned)
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


def _shift_of_noise(q, ends, losses, column):
    """Return what a threshold moved by the noise of the sample changes, in errors.

    A share of positives q that is one standard deviation √(q(1-q)/n) higher moves
    log odds by 1/√(nq(1-q)), and a probability of one half by a quarter of that. The
    standard error is as if folds shared nothing.
    """
    if not losses.per_example or not 0 < q < 1:
        return np.nan
    slope = abs(ends[1] - ends[0]) / (2 * SHIFT)
    n_train = max(losses.n_train.mean(), 1)  # of given predictions, 0
    noise = 0.25 / np.sqrt(n_train * q * (1 - q))
    _, example, counts = np.unique(
        losses.row_index, return_inverse=True, return_counts=True
    )
    mean = np.bincount(example, weights=losses.losses[:, column]) / counts
    error = mean.std(ddof=1) / np.sqrt(len(counts))
    return slope * noise / error if error else np.nan
