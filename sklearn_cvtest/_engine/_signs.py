"""What warnings look at beyond losses: a float32 for each test row, kept by each fit.

It is the probability of the second of two classes, or y minus the predicted number; nan
where neither is known. All else is computed from it once, after all fits. Nothing here
can change a loss: `predict_proba` answers in place of `predict` where both are known to
agree, and is asked for otherwise only after the loss is known, on a copy of the rows.
"""

from typing import NamedTuple

import numpy as np
from scipy.special import expit
from sklearn.pipeline import Pipeline

from .._compat import copy_rows, estimator_kind
from .._losses._formulas import as_target_array

MOST_ROWS = 20_000  # of the data, the first: enough to tell, and little to keep
TIE = 1e-9  # probabilities that differ by less are left to `predict`
# Classes of scikit-learn whose `predict` is the more probable of two classes.
EXACT = {"AdaBoostClassifier", "BaggingClassifier", "BernoulliNB", "GaussianNB"}
EXACT |= {"CalibratedClassifierCV", "DecisionTreeClassifier", "ExtraTreeClassifier"}
EXACT |= {"ExtraTreesClassifier", "GradientBoostingClassifier", "MultinomialNB"}
EXACT |= {"HistGradientBoostingClassifier", "KNeighborsClassifier", "MLPClassifier"}
EXACT |= {"LinearDiscriminantAnalysis", "QuadraticDiscriminantAnalysis"}
EXACT |= {"LogisticRegression", "LogisticRegressionCV", "RandomForestClassifier"}


def last_step(estimator):
    """Return the last step of a pipeline, or the estimator that is none."""
    while isinstance(estimator, Pipeline):
        estimator = estimator.steps[-1][1]
    return estimator


def near(rows):
    """Return which rows of a test set are looked at, a mask."""
    return rows < MOST_ROWS


class Seen:
    """What is seen of one fitted estimator on one test set.

    A context in which the estimator may be asked for labels: some answer them by their
    probabilities, which are kept.

    Parameters
    ----------
    estimator : estimator
        Fitted.
    X : array-like
        The rows of the test set, copied in the context if they may be predicted again.
    is_asked : bool
        Whether labels of two classes are measured, and probabilities looked at.
    """

    def __init__(self, estimator, X, is_asked):
        self.estimator, self.X, self.is_asked = estimator, X, is_asked
        self.proba, self._last = None, last_step(estimator)
        kind = type(self._last)
        self.answers = (
            is_asked
            and kind.__name__ in EXACT
            and kind.__module__.startswith("sklearn.")
            and np.shape(getattr(self._last, "classes_", ())) == (2,)
            and isinstance(self._last.classes_, np.ndarray)
            and "predict" not in vars(self._last)
        )
        has_proba = is_asked and hasattr(kind, "predict_proba")
        self.asks_later = has_proba and not self.answers

    def __enter__(self):
        if self.answers:
            self._predict, self._last.predict = self._last.predict, self.predict
        elif self.asks_later:  # `predict` may write to X
            self.X = copy_rows(self.X)
        return self

    def __exit__(self, *error):
        if self.answers:
            vars(self._last).pop("predict", None)

    def predict(self, X, *args, **params):
        """Return labels by probabilities; by `predict` itself where these are near."""
        if args or params:
            return self._predict(X, *args, **params)
        try:
            second = self._second(X)
            is_clear = np.abs(second - 0.5).min(initial=1) >= TIE  # not of nan
        except Exception:
            return self._predict(X)
        classes = self._last.classes_
        labels = classes.take(second > 0.5) if is_clear else self._predict(X)
        if is_clear or follows(classes, second, labels):
            self.proba = second
        return labels

    def _second(self, X):
        """Return the probabilities of the second class."""
        if not hasattr(self._last, "predict_joint_log_proba"):
            return self._last.predict_proba(X)[:, 1]
        joint = self._last.predict_joint_log_proba(X)  # takes half the time
        return expit(joint[:, 1] - joint[:, 0])

    def probabilities(self, labels):
        """Return probabilities of the second class, None unless labels follow them.

        An estimator that did not answer by them is asked here, when its labels are
        known: what it writes to, raises or draws is without effect.
        """
        if not self.asks_later:
            return self.proba
        state = np.random.get_state(legacy=False)
        try:
            classes = np.asarray(self.estimator.classes_)
            asked = self.estimator.predict_proba(self.X)
            proba = np.asarray(asked, dtype=np.float64)[:, 1]
            return proba if follows(classes, proba, labels) else None
        except KeyboardInterrupt:
            raise
        except BaseException:  # the labels are all that was asked for
            return None
        finally:
            np.random.set_state(state)


def follows(classes, proba, labels):
    """Whether labels are the second class where its probability is above one half."""
    return np.array_equal(classes[(proba > 0.5) * 1], labels)


def seen_of(measure, response, y_test, seen, rows):
    """Return what is kept of a test set: numpy.float32 of shape (n_near,), or nan.

    Parameters
    ----------
    measure, response : object
        What was measured, of which response.
    y_test : ndarray or None
        The target.
    seen : Seen
        Of the estimator.
    rows : ndarray of shape (n_test,)
        Where examples are in the data.
    """
    try:
        found = seen.proba
        if found is None:
            found = _asked(measure, response, y_test, seen)
        if np.shape(found) != rows.shape:
            return np.nan
        with np.errstate(over="ignore"):
            return np.asarray(found, dtype=np.float32)[near(rows)]
    except Exception:
        return np.nan


def _asked(measure, response, y_test, seen):
    """Return the probabilities, or y minus the predictions; None if there are none."""
    y_true, predicted = measure.truth_and_predicted(response, y_test)
    if y_true is None or predicted is None or np.ndim(y_true) != 1:
        return None
    if seen.is_asked and measure.takes_labels:
        return seen.probabilities(predicted)
    if is_of_classes(seen.estimator, y_true):
        return None
    return y_true - as_target_array(predicted)


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
