"""Existing predictions, in place of estimators that are fitted."""

import numpy as np
from sklearn.base import BaseEstimator, ClassifierMixin, RegressorMixin
from sklearn.utils.metaestimators import available_if

from .._losses._formulas import LossError
from ._collector import Collector
from ._fitting import Fold, Result, measure_fit


class _GivenPredictions(BaseEstimator):
    """Predicts for rows, given as X, what was predicted for them in one run.

    Parameters
    ----------
    values : ndarray of shape (n_runs, n_samples, ...)
        The predictions of each run.
    run : int, default=0
        Which run.
    """

    def __init__(self, values, run=0):
        self.values = values
        self.run = run

    def __sklearn_clone__(self):
        return self  # nothing is fitted

    def fit(self, X, y=None):
        """Do nothing."""
        return self

    def in_run(self, run):
        """Return the same in a run."""
        return type(self)(**self.get_params(deep=False) | {"run": run})

    def _rows(self, X):
        return self.values[self.run][X[:, 0]]


class GivenRegressor(RegressorMixin, _GivenPredictions):
    """Predicted numbers."""

    def predict(self, X):
        """Return the predictions for rows."""
        return self._rows(X)


class GivenClassifier(ClassifierMixin, _GivenPredictions):
    """Predicted labels, probabilities (of each class) or decision values.

    Parameters
    ----------
    values : ndarray of shape (n_runs, n_samples, ...)
        The predictions of each run.
    kind : {"labels", "probabilities", "decisions"}
        What they are.
    classes : ndarray of shape (n_classes,)
        The classes, the order of probabilities.
    refusal : Exception, default=None
        Why the values, which may be decision values, can be no probabilities; raised
        where it matters which they are.
    run : int, default=0
        Which run.
    """

    def __init__(self, values, kind, classes, refusal=None, run=0):
        self.values = values
        self.kind = kind
        self.classes = classes
        self.refusal = refusal
        self.run = run

    @property
    def rule(self):
        """As what a row counts that has no label but values, str."""
        is_share = self.kind == "probabilities"
        if len(self.classes) > 2:
            of = "probability" if is_share else "decision value"
            return f"the class with the highest predicted {of}"
        of = "probability exceeds 0.5" if is_share else "decision value exceeds 0"
        return f"{self.classes.tolist()[1]} where the predicted {of}"

    @property
    def classes_(self):
        """The classes."""
        return self.classes

    @available_if(lambda given: given.kind == "probabilities" or given.refusal)
    def predict_proba(self, X):
        """Return the probabilities of the classes."""
        if self.refusal is not None:
            raise self.refusal
        return self._rows(X)

    @available_if(lambda given: given.kind == "decisions")
    def decision_function(self, X):
        """Return the decision values."""
        return self._rows(X)

    def predict(self, X):
        """Return labels, the most probable ones where there are probabilities."""
        if self.refusal is not None:
            raise self.refusal
        rows = self._rows(X)
        if self.kind == "labels":
            return rows
        if rows.ndim == 1:
            return self.classes[(rows > 0).astype(int)]
        return self.classes[np.argmax(rows, axis=1)]


def measure_predictions(plan, runs):
    """Return the losses of given predictions, by a plan that fits nothing.

    Parameters
    ----------
    plan : Plan
        A plan of `GivenClassifier` or `GivenRegressor`; X holds the number of each row.
    runs : list of int
        The run that each split belongs to.

    Returns
    -------
    losses : CVLosses or dict of str to CVLosses
        As :func:`run_plan` returns them.
    """
    collector = Collector(plan, return_estimator=False)
    for number, split in enumerate(plan.splits):
        fold = Fold(number, plan.data, split, len(plan.jobs), keep_slices=True)
        slices = fold.take(pairwise=False)
        for column, job in enumerate(plan.jobs):
            try:
                estimator = job.estimator.in_run(runs[number])
                values, _, *shown = measure_fit(fold, estimator, slices)
            except LossError as error:
                where = f"the predictions of {job.name!r}"
                raise ValueError(f"{error} ({where})") from error.__cause__
            except Exception as error:
                error.add_note(f"raised by the predictions of {job.name!r}")
                raise
            result = Result(values, np.nan, np.nan, None, None, None, *shown)
            collector.receive(number, column, result)
    return collector.collect()
