"""What warnings look at beyond losses: a float32 for each test row, kept by each fit.

It is the probability of the second of two classes, or y minus the predicted number; nan
where neither is known. All else is computed from it once, after all fits. Nothing here
can change a loss: probabilities are what labels were made of, or are asked for when the
loss is known, on a copy of the rows, by a user who wants them asked for.
"""

import numpy as np

from .._compat import estimator_kind
from ._formulas import as_target_array

MOST_ROWS = 20_000  # of the data, the first: enough to tell, and little to keep
# Seconds in a model's predictions of one test set after which it is asked for nothing
# more: twice as many would make predictions that take a minute take two.
MOST_SECONDS = 0.5


def kept_rows(rows):
    """Return which rows of a test set are looked at, a mask."""
    return rows < MOST_ROWS


def kept_values_of_fit(measure, response, y_test, responses, fold):
    """Return what is kept of a test set: numpy.float32 of shape (n_kept,), or nan.

    Parameters
    ----------
    measure, response : object
        What was measured, of which response.
    y_test : ndarray or None
        The target.
    responses : Responses
        Of the estimator, asked by the measure.
    fold : Fold
        The test set.
    """
    try:
        values = responses.probability
        if values is None and not _are_labels_of_two(measure, fold):
            values = _errors_of_numbers(measure, response, y_test, responses)
        return _values_of_kept_rows(values, fold.test)
    except Exception:
        return np.nan


def _values_of_kept_rows(values, rows):
    """Return the values of the rows that are looked at, with 32 bits; or nan."""
    if np.shape(values) != rows.shape:
        return np.nan
    with np.errstate(over="ignore"):
        return np.asarray(values, dtype=np.float32)[kept_rows(rows)]


def _are_labels_of_two(measure, fold):
    """Return whether a measure takes labels, and these are of two classes."""
    return measure.takes_labels and len(fold.data.classes) > 0


def _errors_of_numbers(measure, response, y_test, responses):
    """Return y minus the predictions; None if no numbers are predicted."""
    y_true, predicted = measure.truth_and_predicted(response, y_test)
    if y_true is None or predicted is None or np.ndim(y_true) != 1:
        return None
    if is_of_classes(responses, y_true):
        return None
    return y_true - as_target_array(predicted)


def asked_probability(measure, response, y_test, estimator, X, fold):
    """Return probabilities of a classifier, asked after its labels, of the kept rows.

    They count if its labels are the second class where its probability is above one
    half. What `predict_proba` writes to X, raises or draws has no effect.
    """
    state = np.random.get_state(legacy=False)
    try:
        _, labels = measure.truth_and_predicted(response, y_test)
        classes = np.asarray(estimator.classes_)
        probability = np.asarray(estimator.predict_proba(X), dtype=np.float64)[:, 1]
        if not np.array_equal(classes[(probability > 0.5) * 1], labels):
            return np.nan
        return _values_of_kept_rows(probability, fold.test)
    except KeyboardInterrupt:
        raise
    except BaseException:  # the labels are all that was measured
        return np.nan
    finally:
        np.random.set_state(state)


def is_of_classes(estimator, y_true):
    """Whether a target is of classes, not of numbers."""
    return estimator_kind(estimator) == "classifier" or y_true.dtype.kind not in "iuf"
