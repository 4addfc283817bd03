"""What warnings look at beyond losses: a float32 for each test row, kept by each fit.

It is the probability of the second of two classes, or y minus the predicted number; nan
where neither is known. All else is computed from it once, after all fits. Nothing here
can change a loss: probabilities are what labels were made of, or are asked for when the
loss is known, on a copy of the rows, by a user who wants them asked for.
"""

from typing import NamedTuple

import numpy as np
from sklearn.pipeline import Pipeline

from .._compat import estimator_kind
from .._losses._formulas import as_target_array

MOST_ROWS = 20_000  # of the data, the first: enough to tell, and little to keep
# Seconds in a model's predictions of one test set after which it is asked for nothing
# more: twice as many would make predictions that take a minute take two.
MOST_SECONDS = 0.5


def last_step(estimator):
    """Return the last step of a pipeline, or the estimator that is none."""
    while isinstance(estimator, Pipeline):
        estimator = estimator.steps[-1][1]
    return estimator


def near(rows):
    """Return which rows of a test set are looked at, a mask."""
    return rows < MOST_ROWS


def signs_of_fit(measure, response, y_test, responses, fold):
    """Return what is kept of a test set: numpy.float32 of shape (n_near,), or nan.

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
        return _kept(values, fold.test)
    except Exception:
        return np.nan


def _kept(values, rows):
    """Return the values of the rows that are looked at, with 32 bits; or nan."""
    if np.shape(values) != rows.shape:
        return np.nan
    with np.errstate(over="ignore"):
        return np.asarray(values, dtype=np.float32)[near(rows)]


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
    """Ask a classifier for probabilities after its labels; as `signs_of_fit` returns.

    They are kept if its labels are the second class where its probability is above one
    half. What `predict_proba` writes to X, raises or draws has no effect.
    """
    state = np.random.get_state(legacy=False)
    try:
        _, labels = measure.truth_and_predicted(response, y_test)
        classes = np.asarray(estimator.classes_)
        probability = np.asarray(estimator.predict_proba(X), dtype=np.float64)[:, 1]
        if not np.array_equal(classes[(probability > 0.5) * 1], labels):
            return np.nan
        return _kept(probability, fold.test)
    except KeyboardInterrupt:
        raise
    except BaseException:  # the labels are all that was measured
        return np.nan
    finally:
        np.random.set_state(state)


def is_of_classes(estimator, y_true):
    """Whether a target is of classes, not of numbers."""
    return estimator_kind(estimator) == "classifier" or y_true.dtype.kind not in "iuf"


class Looked(NamedTuple):
    """What all fits kept of the rows that are looked at, one split after the other.

    Attributes
    ----------
    numbers : list of int
        The splits, of full size, with such rows.
    starts : ndarray of shape (n_splits,)
        Where the rows of each begin.
    places, rows : ndarray of shape (n_rows,)
        The position of its split in `numbers`, and where it is in the data.
    seen : ndarray of shape (n_rows, n_estimators)
        The probabilities or errors, of 32 bits.
    """

    numbers: list
    starts: np.ndarray
    places: np.ndarray
    rows: np.ndarray
    seen: np.ndarray

    @classmethod
    def of(cls, fits):
        """Return what the fits of a Collector kept."""
        every = np.arange(len(fits.n_test))[fits.plan.design.full]
        numbers = [k for k in every if fits.near[k].any()]
        rows = [fits.plan.splits[k][1][fits.near[k]] for k in numbers]
        sizes = [*map(len, rows)]
        return cls(
            numbers,
            np.cumsum([0, *sizes[:-1]]),
            np.repeat(np.arange(len(numbers)), sizes),
            np.concatenate(rows),
            np.concatenate([fits.seen[k] for k in numbers]),
        )

    def losses_of(self, fits):
        """Return the losses of the rows by the first measure, nan if it has none."""
        if not fits.plan.has_examples(fits.plan.measures[0]):
            return np.nan
        starts = fits.ends - fits.sizes.sum(axis=1)
        rows = [starts[k] + np.flatnonzero(fits.near[k]) for k in self.numbers]
        return fits.values[np.concatenate(rows)]

    def any_in_split(self, mask):
        """Return, for each row, whether the mask holds anywhere in its split."""
        return np.logical_or.reduceat(mask, self.starts)[self.places]

    def largest(self, values):
        """Return the largest value of each split."""
        return np.maximum.reduceat(values, self.starts)

    def mean(self, values):
        """Return the mean value of each split."""
        ends = np.append(self.starts[1:], len(self.rows))
        size = (ends - self.starts).reshape(-1, *[1] * (np.ndim(values) - 1))
        return np.add.reduceat(values, self.starts) / size
