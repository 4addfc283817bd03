"""What warnings look at beyond losses: a float32 for each test row, kept by each fit.

It is the probability of the second of two classes, or y minus the predicted number; nan
where neither is known. All else is computed from it once, after all fits. Nothing here
can change a loss: probabilities are what labels were made of, or are asked for when the
loss is known, on a copy of the rows, by a user who wants them asked for.
"""

import numpy as np

from .._compat import estimator_kind
from ._formulas import as_target_array

# The first rows of the data, which are looked at: enough to tell, and little to keep.
# Doubled, the values that are kept take twice the memory.
MOST_ROWS = 20_000
# Seconds in a model's predictions of one test set after which it is asked for nothing
# more: twice as many would make predictions that take a minute take two.
MOST_SECONDS = 0.5


def kept_rows(rows):
    """Return which rows of a test set are looked at, a mask."""
    return rows < MOST_ROWS


def kept_values_of_fit(measure, response, target, responses, rows, classes):
    """Return what is kept of a test set: numpy.float32 of shape (n_kept,), or nan.

    Parameters
    ----------
    measure, response : object
        What was measured, of which response.
    target : ndarray or None
        The target of the test set.
    responses : Responses
        Of the estimator, asked by the measure.
    rows : ndarray of int
        The test set.
    classes : sequence
        The labels of a target of two classes, otherwise none.
    """
    try:
        values = responses.probability
        is_of_labels = measure.takes_labels and len(classes) > 0
        if values is None and not is_of_labels:
            values = _errors_of_numbers(measure, response, target, responses)
        return _values_of_kept_rows(values, rows)
    except Exception:
        return np.nan


def _values_of_kept_rows(values, rows):
    """Return the values of the rows that are looked at, with 32 bits; or nan."""
    if np.shape(values) != rows.shape:
        return np.nan
    with np.errstate(over="ignore"):
        values = np.asarray(values, dtype=np.float32)
    return values[kept_rows(rows)]


def _errors_of_numbers(measure, response, target, responses):
    """Return y minus the predictions; None if no numbers are predicted."""
    y_true, predicted = measure.truth_and_predicted(response, target)
    if y_true is None or predicted is None or np.ndim(y_true) != 1:
        return None
    if is_of_classes(responses, y_true):
        return None
    return y_true - as_target_array(predicted)


def asked_probability(measure, response, target, estimator, X, rows):
    """Return probabilities of a classifier, asked after its labels, of the kept rows.

    They count if its labels are the second class where its probability is above one
    half. What `predict_proba` writes to X, raises or draws has no effect.
    """
    state = np.random.get_state(legacy=False)
    try:
        _, labels = measure.truth_and_predicted(response, target)
        classes = np.asarray(estimator.classes_)
        probability = np.asarray(estimator.predict_proba(X), dtype=np.float64)[:, 1]
        is_second = probability > 0.5
        if not np.array_equal(classes[is_second.astype(np.intp)], labels):
            return np.nan
        return _values_of_kept_rows(probability, rows)
    except KeyboardInterrupt:
        raise
    except BaseException:  # the labels are all that was measured
        return np.nan
    finally:
        np.random.set_state(state)


def is_of_classes(estimator, y_true):
    """Whether a target is of classes, not of numbers."""
    return estimator_kind(estimator) == "classifier" or y_true.dtype.kind not in "iuf"
