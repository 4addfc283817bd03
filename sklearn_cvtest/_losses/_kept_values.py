"""What warnings look at beyond losses: a float32 for each test row, kept by each fit.

It is y minus the predicted number, or with a metric of the labels of one class the
probability of the second of two; nan where neither is known. All else is computed from
it once, after all fits. Nothing here can change a loss: probabilities are asked for
when the loss is known, on a copy of the rows.
"""

import numpy as np
from scipy.special import expit

from .._compat import estimator_kind
from ._formulas import as_target_array

# The first rows of the data, which are looked at: enough to tell, and little to keep.
# Doubled, the values that are kept take twice the memory.
MOST_ROWS = 20_000


def kept_rows(rows):
    """Return which rows of a test set are looked at, a mask."""
    return rows < MOST_ROWS


def kept_values_of_fit(measure, response, target, estimator, rows):
    """Return y minus the predictions of the kept rows, numpy.float32; nan if of none.

    What fails here fails no fit: the losses are all that was measured.
    """
    try:
        errors = _errors_of_numbers(measure, response, target, estimator)
        return _values_of_kept_rows(errors, rows)
    except Exception:
        return np.nan


def kept_probabilities(responses, X, rows):
    """Return the probabilities that labels are made of, of the kept rows; or nan."""
    try:
        if hasattr(responses, "predict_proba"):
            probability = responses.predict_proba(X)[:, 1]
        else:
            probability = expit(responses.decision_function(X))
        labels = responses.classes_[(probability > 0.5).astype(np.intp)]
        if np.array_equal(labels, responses.predict(X)):
            return _values_of_kept_rows(probability, rows)
    except Exception:  # the labels are all that was measured
        pass
    return np.nan


def _values_of_kept_rows(values, rows):
    """Return the values of the rows that are looked at, with 32 bits; or nan."""
    if np.shape(values) != rows.shape:
        return np.nan
    with np.errstate(over="ignore"):
        values = np.asarray(values, dtype=np.float32)
    return values[kept_rows(rows)]


def _errors_of_numbers(measure, response, target, estimator):
    """Return y minus the predictions; None if no numbers are predicted."""
    y_true, predicted = measure.truth_and_predicted(response, target)
    if y_true is None or predicted is None or np.ndim(y_true) != 1:
        return None
    if is_of_classes(estimator, y_true):
        return None
    return y_true - as_target_array(predicted)


def is_of_classes(estimator, y_true):
    """Whether a target is of classes, not of numbers."""
    return estimator_kind(estimator) == "classifier" or y_true.dtype.kind not in "iuf"
