"""All checks after the fits.

What is imported under its own name is called by the engine and by sources. Nothing
here changes a loss: a check that fails is a warning itself.
"""

import numpy as np

from .._validation import one_line, warn
from ._check_sentences import failed_check
from ._dependent_losses import dependent_losses_warnings
from ._dependent_losses import warn_of_dependent_losses as warn_of_dependent_losses
from ._dependent_rows import dependent_rows_warnings
from ._duplicate_rows import duplicate_warnings
from ._kept_rows import KeptRows
from ._nothing_right import warn_of_nothing_right
from ._thresholds import threshold_warnings
from ._thresholds import warn_of_few_positives as warn_of_few_positives


def warnings_after(fits, losses):
    """Warn of what fits show, beside what failed.

    Parameters
    ----------
    fits : Collector
        Of all fits.
    losses : CVLosses or dict of CVLosses
        What was collected.
    """
    if not fits.plan.data.diagnostics:
        return
    warn_of_nothing_right(fits.plan, losses)
    for warnings_of in (_threshold, _dependence, _duplicates):
        with np.errstate(all="ignore"):
            messages = _messages_of(warnings_of, fits, losses)
        for message, category in messages:
            warn(message, category)


def _messages_of(warnings_of, fits, losses):
    """Return the warnings of a check; one that fails is told of, and stops no other."""
    try:
        return list(warnings_of(fits, losses))
    except Exception as error:  # the losses are right all the same
        reason = f"{type(error).__name__}: {one_line(error)}"
        return [(failed_check(reason), UserWarning)]


def _threshold(fits, losses):
    return threshold_warnings(fits, losses)


def _dependence(fits, losses):
    """Look at adjacent rows: of one test set at differences, else at errors.

    Of predictions that are given, whose groups may be known elsewhere, nothing.
    """
    if not fits.plan.design.kind.has_one_test_set:
        kept_rows = KeptRows.of(fits)
        if fits.plan.data.metric_of_one_class is not None:  # these are probabilities
            unknown = np.full_like(kept_rows.values, np.nan)
            kept_rows = kept_rows._replace(values=unknown)
        return dependent_rows_warnings(fits, kept_rows)
    if not fits.n_train.any():
        return []
    return dependent_losses_warnings(losses, fits.plan.data.y)


def _duplicates(fits, losses):
    """Look at rows of X, unless predictions are given, where X numbers rows."""
    return duplicate_warnings(fits.plan) if fits.is_fitted else []
