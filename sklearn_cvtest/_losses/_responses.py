"""The responses of a fitted estimator, each asked for once, and labels by a rule."""

import functools
import time
from collections.abc import Callable
from typing import NamedTuple

import numpy as np
from scipy.special import expit
from sklearn.pipeline import Pipeline

from .._compat import copy_rows, own, searches_neighbors_in_tree
from .._validation import as_numpy, is_foreign

RESPONSE_METHODS = ("predict", "predict_proba", "decision_function")


def in_numpy(estimator, X, y):
    """Return a fitted estimator that answers in numpy, and y likewise.

    For metrics of scikit-learn, of which few take arrays of other libraries: where X or
    y are such. Otherwise, both are returned as they are.
    """
    if not (is_foreign(X) or is_foreign(y)):
        return estimator, y
    return _InNumpy(estimator), as_numpy("y", y)


class _InNumpy:
    """A fitted estimator whose responses and classes are arrays of numpy."""

    def __init__(self, estimator):
        self._estimator = estimator

    def __getattr__(self, name):
        attribute = getattr(self._estimator, name)
        if name not in (*RESPONSE_METHODS, "predict_log_proba"):
            return as_numpy(name, attribute)

        @functools.wraps(attribute)
        def respond(X):
            return as_numpy(name, attribute(X))

        return respond


class Responses:
    """A fitted estimator that is asked about one test set, each method of it once.

    Losses, and scorers that make_scorer made, are called with it in place of the
    estimator, of which it has all attributes. The estimator itself stays as it is.

    Parameters
    ----------
    estimator : estimator
        A fitted one.
    X : array-like
        The test set.
    several : bool, default=False
        Whether several measures ask. Methods are then called with copies of the test
        set, which some overwrite.
    rule : LabelRule, default=None
        How labels follow from another response, which is then asked for in place of
        `predict`; None if `predict` is called.

    Attributes
    ----------
    is_read_only : bool
        Whether the measure that asks is known not to write to what is returned; if it
        is not, it gets a copy. True at first.
    probability : ndarray of shape (n_test,) or None
        The probabilities of the second class, once labels were made by the rule.
    seconds : float
        The time that was spent in methods of the estimator.
    """

    def __init__(self, estimator, X, *, several=False, rule=None):
        self._estimator = estimator
        self._X = X
        self._several = several
        self._returned = {}
        self._rule = rule
        self.is_read_only = True
        self.probability = None
        self.seconds = 0.0

    @property  # type: ignore[misc]
    def __class__(self):
        """The class of the estimator, which scikit-learn names in errors."""
        return type(self._estimator)

    def __getattr__(self, name):
        attribute = getattr(self._estimator, name)
        if name not in RESPONSE_METHODS or not callable(attribute):
            return attribute

        @functools.wraps(attribute)  # with its name, which scorers look at
        def respond(X, *args, **params):
            if X is not self._X or args or params:  # not the test set as it is
                return attribute(X, *args, **params)
            return self._response(name)

        return respond

    def _response(self, name):
        """Return what a method returns for the test set, or a copy of it."""
        if name == "predict" and self._rule is not None:
            response = self._labels_by_rule()
        else:
            response = self._ask(name)
        return response if self.is_read_only else own(response)

    def _ask(self, name):
        """Return what a method returns for the test set; call it once."""
        if name not in self._returned:
            X = copy_rows(self._X) if self._several else self._X
            start = time.perf_counter()
            self._returned[name] = _call(self._estimator, name, X)
            self.seconds += time.perf_counter() - start
        return self._returned[name]

    def _labels_by_rule(self):
        """Return the labels as `predict` would, and keep the probability."""
        rule = self._rule
        response = self._ask(rule.response_method)
        if self.probability is None:
            self.probability = rule.probability(response)
        return self._estimator.classes_.take(rule.class_index(response))


def _call(estimator, name, X):
    """Return what a method returns, also one that a Pipeline does not hand on."""
    while not hasattr(estimator, name) and isinstance(estimator, Pipeline):
        for _, step in estimator.steps[:-1]:
            if step is not None and step != "passthrough":
                X = step.transform(X)
        estimator = estimator.steps[-1][1]
    return getattr(estimator, name)(X)


# How labels of two classes follow from another response ---------------------------
#
# For these classes of scikit-learn, `predict` returns exactly what a rule makes of the
# response, ties included, and the response also tells the probability of the second
# class. So one call gives labels and probabilities. All other classes are asked for
# labels alone: SVC and TunedThresholdClassifierCV, for example, do not predict the more
# probable class, and GridSearchCV hands on what another estimator predicts.


class LabelRule(NamedTuple):
    """How labels of two classes follow from one response.

    Attributes
    ----------
    response_method : str
        The method that is called in place of `predict`.
    class_index : callable
        Makes the index of the predicted class, 0 or 1, of the response.
    probability : callable
        Makes the probability of the second class of the response.
    """

    response_method: str
    class_index: Callable
    probability: Callable


def _larger_column(response):
    return np.argmax(response, axis=1)


def _second_column(response):
    return response[:, 1]


def _is_positive(decision):
    return (decision > 0).astype(np.intp)


def _is_not_negative(decision):
    return (decision >= 0).astype(np.intp)


def _share_of_second_column(log_joint):
    return expit(log_joint[:, 1] - log_joint[:, 0])


MOST_PROBABLE = LabelRule("predict_proba", _larger_column, _second_column)
POSITIVE_DECISION = LabelRule("decision_function", _is_positive, expit)
NONNEGATIVE_DECISION = LabelRule("decision_function", _is_not_negative, expit)
LARGER_JOINT = LabelRule(
    "predict_joint_log_proba", _larger_column, _share_of_second_column
)

RULES = {
    "AdaBoostClassifier": POSITIVE_DECISION,
    "BaggingClassifier": MOST_PROBABLE,
    "BernoulliNB": LARGER_JOINT,
    "CategoricalNB": LARGER_JOINT,
    "ComplementNB": LARGER_JOINT,
    "DecisionTreeClassifier": MOST_PROBABLE,
    "DummyClassifier": MOST_PROBABLE,
    "ExtraTreeClassifier": MOST_PROBABLE,
    "ExtraTreesClassifier": MOST_PROBABLE,
    "GaussianNB": LARGER_JOINT,
    "GradientBoostingClassifier": NONNEGATIVE_DECISION,
    "HistGradientBoostingClassifier": POSITIVE_DECISION,
    "KNeighborsClassifier": MOST_PROBABLE,
    "LinearDiscriminantAnalysis": POSITIVE_DECISION,
    "LogisticRegression": POSITIVE_DECISION,
    "LogisticRegressionCV": POSITIVE_DECISION,
    "MLPClassifier": MOST_PROBABLE,
    "MultinomialNB": LARGER_JOINT,
    "QuadraticDiscriminantAnalysis": POSITIVE_DECISION,
    "RandomForestClassifier": MOST_PROBABLE,
}


def _holds_with_options(estimator):
    """Return whether the rule of its class holds for the options of an estimator."""
    name = type(estimator).__name__
    if name == "DummyClassifier":
        return estimator.strategy in ("prior", "most_frequent")
    if name == "GradientBoostingClassifier":
        return estimator.loss == "log_loss"
    if name == "KNeighborsClassifier":
        # weights are summed in another order, and brute force may break ties of
        # distances in another way for probabilities than for labels
        return estimator.weights == "uniform" and searches_neighbors_in_tree(estimator)
    return True


class EstimatorWithLabelRule:
    """An estimator of this package that has a rule of its own, or None."""

    label_rule = None


def label_rule(estimator, X):
    """Return the LabelRule of a fitted estimator for rows, None if there is none.

    A Pipeline has the rule of its last step. For arrays of other libraries than numpy
    there is none.
    """
    if is_foreign(X):
        return None
    while type(estimator) is Pipeline:
        estimator = estimator.steps[-1][1]
    if isinstance(estimator, EstimatorWithLabelRule):
        return estimator.label_rule
    if not type(estimator).__module__.startswith("sklearn."):
        return None
    rule = RULES.get(type(estimator).__name__)
    if rule is None or not _holds_with_options(estimator):
        return None
    return rule if _has_two_classes(estimator) else None


def _has_two_classes(estimator):
    """Return whether an estimator was fitted to one target of two classes."""
    classes = getattr(estimator, "classes_", None)
    return isinstance(classes, np.ndarray) and classes.shape == (2,)
