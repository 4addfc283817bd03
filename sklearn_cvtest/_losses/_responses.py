"""The responses of a fitted estimator, each asked for once."""

import functools

from sklearn.pipeline import Pipeline

from .._compat import copy_rows, own
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

    Attributes
    ----------
    is_read_only : bool
        Whether the measure that asks is known not to write to what is returned; if it
        is not, it gets a copy. True at first.
    """

    def __init__(self, estimator, X, *, several=False):
        self._estimator = estimator
        self._X = X
        self._several = several
        self._returned = {}
        self.is_read_only = True

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
        response = self._ask(name)
        return response if self.is_read_only else own(response)

    def _ask(self, name):
        """Return what a method returns for the test set; call it once."""
        if name not in self._returned:
            X = copy_rows(self._X) if self._several else self._X
            self._returned[name] = _call(self._estimator, name, X)
        return self._returned[name]


def _call(estimator, name, X):
    """Return what a method returns, also one that a Pipeline does not hand on."""
    while not hasattr(estimator, name) and isinstance(estimator, Pipeline):
        for _, step in estimator.steps[:-1]:
            if step is not None and step != "passthrough":
                X = step.transform(X)
        estimator = estimator.steps[-1][1]
    return getattr(estimator, name)(X)
