"""The responses of a fitted estimator, and several measures of the same ones."""

import contextlib
import functools
from dataclasses import dataclass, replace

import numpy as np

__all__ = [
    "RESPONSE_METHODS",
    "MeasuresOfOneCall",
    "SeveralMeasures",
    "parts_of",
    "remember_responses",
]

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

    def of_one_fit(self):
        """Return the parts, as they are asked of one fitted estimator."""
        return self.parts


@dataclass(frozen=True)
class MeasuresOfOneCall(SeveralMeasures):
    """The scores that one callable returns together; it is called once for each fit."""

    def of_one_fit(self):
        scorer = _called_once(self.parts[0].scorer)
        return tuple(replace(part, scorer=scorer) for part in self.parts)


def _called_once(function):
    results = []

    @functools.wraps(function)
    def called(*args, **params):
        if not results:
            results.append(function(*args, **params))
        return results[0]

    return called


def parts_of(measure):
    """Return the single measures of one or of several, a tuple."""
    return measure.parts if isinstance(measure, SeveralMeasures) else (measure,)


@contextlib.contextmanager
def remember_responses(estimator):
    """Context in which a fitted estimator predicts the same data once.

    For several scorers of one fit: each asks for its own response.
    """
    wrapped = []
    for method in RESPONSE_METHODS:
        respond = getattr(estimator, method, None)
        if callable(respond):
            # an attribute of the instance hides the method, while it is there
            with contextlib.suppress(AttributeError):  # of slots, say
                setattr(estimator, method, _remembering(respond))
                wrapped.append(method)
    try:
        yield estimator
    finally:
        for method in wrapped:
            delattr(estimator, method)


def _remembering(respond):
    last = []

    @functools.wraps(respond)
    def remembered(X, *args, **params):
        if args or params:
            return respond(X, *args, **params)
        if not (last and last[0] is X):
            last[:] = X, respond(X)
        return last[1]

    return remembered
