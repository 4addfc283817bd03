"""How sensitive metrics of predicted classes are to the decision threshold.

The share of examples that a classifier calls positive is decided by the training sample
as a whole. The folds of one sample have nearly the same, so that they do not show how
much it varies, unless there are scores to tell.
"""

import numpy as np

from .._compat import n_rows
from .._validation import warn
from ..exceptions import ThresholdWarning
from . import _check_sentences as texts

# Positives that are predicted as such in a run: with fewer, whether there are any
# decides the metric, and tests reject far too often.
MIN_TRUE_POSITIVES = 10


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
    full = plan.design.full
    n_runs = fits.n_test[full].sum() / n_rows(plan.data.X)
    messages = []
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
