"""Whether all predictions of a model are wrong, which says more of the set-up."""

import numpy as np

from .._compat import estimator_kind
from .._validation import warn
from . import _check_sentences as texts


def warn_of_nothing_right(plan, losses):
    """Warn where all predictions are wrong, which says more of the set-up."""
    measure = plan.data.measure
    target = plan.data.target
    if measure.is_score or measure.name != "zero_one":
        return
    is_wrong = losses.losses.min(axis=0) == 1
    if not is_wrong.any():
        return
    kinds = {estimator_kind(job.estimator) for job in plan.jobs}
    if target.ndim == 1 and not _holds_classes(plan.splits, target):
        reason = texts.UNKNOWN_CLASSES
    elif "regressor" in kinds:
        reason = texts.NUMBERS_PREDICTED
    else:  # perhaps they are that bad
        return
    names = np.array(plan.names, dtype=object)[is_wrong]
    warn(texts.nothing_right(", ".join(map(repr, names)), reason), UserWarning)


def _holds_classes(splits, target):
    """Whether any training set holds a class of its test set, or nothing is trained."""
    for train, test in splits:
        if len(train) == 0 or np.isin(target[test], target[train]).any():
            return True
    return False
