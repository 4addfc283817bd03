"""The responses of a fitted estimator, and several measures of the same ones."""

import contextlib
import functools
from dataclasses import dataclass

import numpy as np

from .._compat import copy_rows, own
from .._validation import as_numpy, is_foreign

RESPONSE_METHODS = ("predict", "predict_proba", "decision_function")


@dataclass(frozen=True)
class SeveralMeasures:
    """Several scorers of one fit; their values follow each other."""

    parts: tuple

    is_score = True

    @property
    def per_example(self):
        """Whether any of them has a value for each example."""
        return any(part.per_example for part in self.parts)

    @property
    def name(self):
        return ", ".join(part.name for part in self.parts)

    def failed(self, n_test, error_score):
        return np.concatenate([part.failed(n_test, error_score) for part in self.parts])


def parts_of(measure):
    """Return the single measures of one or of several, a tuple."""
    return measure.parts if isinstance(measure, SeveralMeasures) else (measure,)


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
        found = getattr(self._estimator, name)
        if name not in (*RESPONSE_METHODS, "predict_log_proba"):
            return as_numpy(name, found)

        @functools.wraps(found)
        def respond(X):
            return as_numpy(name, found(X))

        return respond


class SharedResponses(contextlib.ExitStack):
    """Context in which each method of a fitted estimator answers for a test set once.

    Scorers that only read the response (while `shared`) get it as it is, others a copy.
    Methods get a copy of the test set, which some overwrite. Another array, such as a
    scorer's own copy of the test set, is predicted each time.
    """

    def __init__(self, estimator, X):
        super().__init__()
        self.X = X
        self.shared = True
        for method in RESPONSE_METHODS:
            try:
                respond = getattr(estimator, method, None)
            except Exception:  # of a property: for the scorers that ask for it
                continue
            if callable(respond):
                # an attribute of the instance hides the method, while it is there
                before = getattr(estimator, "__dict__", {}).get(method)
                with contextlib.suppress(AttributeError):  # of slots, say
                    setattr(estimator, method, self._remembering(respond))
                    if before is None:
                        self.callback(delattr, estimator, method)
                    else:
                        self.callback(setattr, estimator, method, before)

    def _remembering(self, respond):
        last = []

        @functools.wraps(respond)
        def remembered(X, *args, **params):
            if X is not self.X or args or params:
                return respond(X, *args, **params)
            if not last:
                last.append(respond(copy_rows(X)))
            return last[0] if self.shared else own(last[0])

        return remembered
