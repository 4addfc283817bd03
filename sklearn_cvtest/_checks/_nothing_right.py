"""Whether all predictions of a model are wrong, which says more of the set-up."""

import numpy as np

from .._compat import estimator_kind
from .._validation import warn
from . import _check_sentences as texts


def warn_of_nothing_right(plan, losses):
    """Warn where all predictions are wrong, which says more of the set-up."""
    measure, target = plan.data.measure, plan.data.target
    if measure.is_score or measure.name != "zero_one":
        return
    wrong = [
        column
        for column, model_losses in enumerate(losses.losses.T)
        if model_losses.min() == 1
    ]
    if not wrong:
        return
    is_known = (  # whether training sets hold classes of their test sets
        len(train) == 0 or np.isin(target[test], target[train]).any()
        for train, test in plan.splits
    )
    if target.ndim == 1 and not any(is_known):
        reason = texts.UNKNOWN_CLASSES
    elif any(estimator_kind(job.estimator) == "regressor" for job in plan.jobs):
        reason = texts.NUMBERS_PREDICTED
    else:  # perhaps they are that bad
        return
    names = ", ".join(repr(plan.names[column]) for column in wrong)
    warn(texts.nothing_right(names, reason), UserWarning)
