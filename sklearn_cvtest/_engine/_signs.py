"""What warnings look at beyond losses: a float32 for each test row, kept by each fit.

It is the probability of the second of two classes, or y minus the predicted number; nan
where neither is known. All else is computed from it once, after all fits. Nothing here
can change a loss: `predict_proba` answers in place of `predict` where both are known to
agree, and is asked for otherwise only after the loss is known, on a copy of the rows.
"""

import contextlib
import functools

import numpy as np
from sklearn.pipeline import Pipeline

from .._compat import copy_rows, estimator_kind
from .._losses._formulas import as_target_array

MOST_ROWS = 20_000  # of the data, the first: enough to tell, and little to keep
TIE = 1e-9  # probabilities that differ by less are left to `predict`
# Classes of scikit-learn whose `predict` is the more probable of two classes.
PREDICT_THE_MORE_PROBABLE = {
    "BernoulliNB",
    "DecisionTreeClassifier",
    "ExtraTreeClassifier",
    "ExtraTreesClassifier",
    "GaussianNB",
    "GradientBoostingClassifier",
    "HistGradientBoostingClassifier",
    "KNeighborsClassifier",
    "LinearDiscriminantAnalysis",
    "LogisticRegression",
    "LogisticRegressionCV",
    "MLPClassifier",
    "MultinomialNB",
    "QuadraticDiscriminantAnalysis",
    "RandomForestClassifier",
}


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
        self.proba = None
        self._last = None

    def __enter__(self):
        last = self.estimator
        while isinstance(last, Pipeline):
            last = last.steps[-1][1]
        kind = type(last)
        is_known = kind.__name__ in PREDICT_THE_MORE_PROBABLE
        is_known = is_known and kind.__module__.startswith("sklearn.")
        shape = getattr(getattr(last, "classes_", None), "shape", None)
        is_known = is_known and shape == (2,)
        if self.is_asked and is_known and "predict" not in vars(last):
            self._last, self._predict = last, last.predict

            @functools.wraps(last.predict)
            def predict(X, *args, **params):
                return self._labels(X, *args, **params)

            last.predict = predict
        elif self.is_asked:  # it may be asked again, and `predict` may write to X
            self.X = copy_rows(self.X)
        return self

    def __exit__(self, *error):
        if self._last is not None:
            with contextlib.suppress(AttributeError):
                del self._last.predict

    def _labels(self, X, *args, **params):
        """Return labels by probabilities; by `predict` itself where these are near."""
        if args or params:
            return self._predict(X, *args, **params)
        try:
            proba = self._last.predict_proba(X)
            labels = self._last.classes_.take(np.argmax(proba, axis=1), axis=0)
            gap = np.min(np.abs(proba[:, 1] - proba[:, 0]), initial=1)
            is_tied = not gap >= TIE  # or nan
        except Exception:
            return self._predict(X)
        labels = self._predict(X) if is_tied else labels
        if not is_tied or follows(self._last.classes_, proba[:, 1], labels):
            self.proba = proba[:, 1]
        return labels

    def of_labels(self, labels):
        """Return the probabilities of the second class, None unless labels follow them.

        An estimator that was not seen is asked for them here, when its labels are
        known: what it writes to, raises or draws is without effect.
        """
        if self.proba is not None:
            return self.proba if len(self.proba) == len(labels) else None
        state = np.random.get_state(legacy=False)
        try:
            classes = np.asarray(self.estimator.classes_)
            if self._last is not None or classes.shape != (2,):
                return None
            asked = self.estimator.predict_proba(self.X)
            proba = np.asarray(asked, dtype=np.float64)[:, 1]
            is_known = follows(classes, proba, labels)
        except KeyboardInterrupt:
            raise
        except BaseException:  # the labels are all that was asked for
            return None
        finally:
            np.random.set_state(state)
        return proba if is_known else None


def follows(classes, proba, labels):
    """Whether labels are the second class where its probability is above one half."""
    return np.array_equal(classes[(proba > 0.5) * 1], labels)


def seen_of(measure, response, values, y_test, seen, rows):
    """Return what is kept of a test set: numpy.float32 of shape (n_near,).

    Parameters
    ----------
    measure, response, values : object, object and ndarray
        What was measured, of which response, and its values.
    y_test : ndarray or None
        The target.
    seen : Seen
        Of the estimator.
    rows : ndarray of shape (n_test,)
        Where examples are in the data.
    """
    kept = near(rows)
    if seen.proba is not None and len(seen.proba) == len(rows):
        return seen.proba[kept].astype(np.float32)
    nothing = np.full(np.count_nonzero(kept), np.nan, dtype=np.float32)
    try:
        y_true, predicted = measure.truth_and_predicted(response, y_test)
        if y_true is None or np.ndim(y_true) != 1:
            return nothing
        _, labels = measure.truth_and_labels(response, y_test)
        if labels is not None and seen.is_asked:
            found = seen.of_labels(labels)
        elif is_of_classes(seen.estimator, y_true):
            found = None
        else:
            found = None if predicted is None else y_true - as_target_array(predicted)
        if found is None or np.shape(found) != y_true.shape:
            return nothing
        with np.errstate(over="ignore"):
            return np.asarray(found[kept], dtype=np.float32)
    except Exception:
        return nothing


def is_of_classes(estimator, y_true):
    """Whether a target is of classes, not of numbers."""
    return estimator_kind(estimator) == "classifier" or y_true.dtype.kind not in "iuf"
