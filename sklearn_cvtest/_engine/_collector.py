"""Collects the results of single fits into CVLosses."""

from collections import Counter
from dataclasses import dataclass, field

import numpy as np
from sklearn.base import BaseEstimator, ClassifierMixin, RegressorMixin
from sklearn.exceptions import FitFailedWarning
from sklearn.utils.metaestimators import available_if

from .._compat import is_dummy, n_rows
from .._data._cvlosses import CVLosses
from .._losses._kept_values import kept_rows
from .._losses._measures import MultiMeasure
from .._losses._metric_names import loss_of_a_constant, name_of_measure
from .._splits._indices import split_digest, train_size
from .._validation import printable, warn
from ._fit_messages import failed_fits
from ._fitting import Fold, run_jobs
from ._installed_checks import installed_checks

MAX_REASONS = 5  # shown of the different ones for which fits failed


class Collector:
    """Puts results, in any order, into one CVLosses, or one of each measure."""

    def __init__(self, plan, return_estimator, *, is_fitted=True):
        self.plan = plan
        self.measures = plan.measures
        self.is_fitted = is_fitted  # or predictions are given, and X numbers rows
        self.is_constant = [is_dummy(job.estimator) for job in plan.jobs]
        self.split_hash = split_digest(plan.splits)
        self.n_train = np.array([train_size(split) for split in plan.splits])
        self.n_test = np.array([len(split[1]) for split in plan.splits])
        # of each split, one measure after the other
        self.sizes = np.array([plan.sizes(n_test) for n_test in self.n_test])
        self.ends = np.cumsum(self.sizes.sum(axis=1))
        n_splits = len(plan.splits)
        n_jobs = len(plan.jobs)
        shape = len(self.measures), n_splits, n_jobs
        # in the memory, the values of an estimator follow each other
        self.values = np.full((self.ends[-1], n_jobs), np.nan, order="F")
        self.times = np.full((2, n_splits, n_jobs), np.nan)
        self.received = np.zeros((n_splits, n_jobs), dtype=bool)
        self.failed = np.zeros(shape, dtype=bool)
        self.n_true_positives = np.full(shape, np.nan)
        self.is_kept = []  # which rows of each test set warnings look at
        self.kept_values = []
        for split in plan.splits:
            is_kept = kept_rows(split[1])
            shape_of_kept = np.count_nonzero(is_kept), n_jobs
            self.is_kept.append(is_kept)
            self.kept_values.append(np.full(shape_of_kept, np.nan, dtype=np.float32))
        self.errors = {}
        self.estimators = None
        if return_estimator:
            self.estimators = {job.name: [None] * n_splits for job in plan.jobs}

    def receive(self, split, column, result):
        end = self.ends[split]
        start = end - self.sizes[split].sum()
        self.values[start:end, column] = result.values
        self.times[:, split, column] = result.fit_time, result.score_time
        self.received[split, column] = True
        if len(result.n_true_positives) == len(self.measures):  # not of a failed fit
            self.n_true_positives[:, split, column] = result.n_true_positives
            self.kept_values[split][:, column] = result.kept_values
        if result.error is not None:
            self.errors[split, column] = result.error
            measures = slice(None) if result.failed is None else list(result.failed)
            self.failed[measures, split, column] = True
        if self.estimators is not None:
            name = self.plan.jobs[column].name
            self.estimators[name][split] = result.estimator

    def collect(self):
        """Return the losses; warn of failed fits, or raise if there are no others."""
        losses = self.losses_so_far()
        if self.errors:
            self._report_failures(losses)
        return losses

    def _report_failures(self, losses):
        """Warn of failed fits, or raise if too few estimators are left."""
        message = _failures(self.errors, len(self.n_test), self.plan.names)
        if self.failed.all() and self.received.all():
            raise ValueError(printable(f"All fits failed: {message}"))
        values = [self._values_of(number) for number in range(len(self.failed))]
        n_complete = max(np.sum(~np.isnan(measured).any(axis=0)) for measured in values)
        if n_complete < self.plan.min_complete:
            error = ValueError(printable(f"No pair is left to compare: {message}"))
            error.losses = losses
            raise error
        warn(message, FitFailedWarning)

    def losses_so_far(self):
        """Return the losses, nan where there are none; of several measures, a dict."""
        losses = [self._losses_of(number) for number in range(len(self.measures))]
        if not isinstance(self.plan.data.measure, MultiMeasure):
            return losses[0]
        names = [measure.name for measure in self.measures]
        return dict(zip(names, losses, strict=True))

    def _losses_of(self, number):
        """Return the losses by one measure."""
        plan = self.plan
        measure = self.measures[number]
        values = self._values_of(number)
        row_index = np.concatenate([split[1] for split in plan.splits])
        groups = None if plan.groups is None else plan.groups[row_index]
        n_tested_groups = None if groups is None else len(np.unique(groups))
        per_example = plan.has_examples(measure)
        metric_name = name_of_measure(measure)
        is_weighted = plan.is_weighted(number)
        of_constant = None
        if not is_weighted:
            of_constant = loss_of_a_constant(metric_name, plan.data.y, row_index)
        compared_by = None  # as its name says
        if not metric_name and not measure.is_score:
            compared_by = measure.loss.compared_by
        return CVLosses(
            estimator_names=plan.names,
            losses=values,
            row_split=np.repeat(np.arange(len(self.n_test)), self.sizes[:, number]),
            row_index=row_index if per_example else None,
            groups=groups if per_example else None,
            tested_groups=None if per_example else n_tested_groups,
            n_train=self.n_train,
            n_test=self.n_test,
            n_samples=n_rows(plan.data.X),
            design=plan.design,
            fit_time=self.times[0],
            score_time=self.times[1],
            fit_failed=self.failed[number] | ~self.received,
            split_hash=self.split_hash,
            loss_name=measure.name,
            metric_name=metric_name,
            compared_by=compared_by,
            rho=measure.rho,
            few_positives=plan.few_positives[number].total,
            per_example=per_example,
            is_score=measure.is_score,
            cv_description=plan.cv_description,
            estimators=self.estimators,
            value_range=measure.value_range,
            errors=self._first_errors(),
            is_weighted=is_weighted,
            rests_on=measure.n_rarest(plan.data.y, row_index, plan.groups),
            of_constant=of_constant,
            constant_models=tuple(np.flatnonzero(self.is_constant).tolist()),
            example_labels=plan.example_labels,
        )

    def _values_of(self, number):
        """Return the rows of one measure."""
        n_splits, n_measures = self.sizes.shape
        if n_measures == 1:
            return self.values
        measure_of_block = np.tile(np.arange(n_measures), n_splits)
        measure_of_row = np.repeat(measure_of_block, self.sizes.ravel())
        return self.values[measure_of_row == number]

    def _first_errors(self):
        """Return the first error of each estimator that has one, by name, or None."""
        errors = {}
        for split, column in sorted(self.errors, reverse=True):  # the first comes last
            errors[self.plan.names[column]] = self.errors[split, column]
        return errors or None


def _failures(errors, n_splits, names):
    """Return how many fits failed, of which estimators, and why."""
    n_fits = n_splits * len(names)
    counts = Counter()
    reasons = Counter()
    for split, column in sorted(errors):
        counts[names[column]] += 1
        reasons[errors[split, column]] += 1
    lines = []
    for reason, n_failed in reasons.most_common(MAX_REASONS):
        lines.append(f"{n_failed} of them: {reason}")
    if len(reasons) > MAX_REASONS:
        lines.append(f"and {len(reasons) - MAX_REASONS} other reasons")
    by_name = ", ".join(f"{name!r} {count}" for name, count in counts.items())
    return failed_fits(len(errors), n_fits, by_name, n_splits, "\n".join(lines))


# Existing predictions, in place of estimators that are fitted ----------------


@dataclass(eq=False, repr=False)
class _GivenPredictions(BaseEstimator):
    """Predicts for rows, given as X, what was predicted for them in one run.

    Parameters
    ----------
    values : ndarray of shape (n_runs, n_samples, ...)
        The predictions of each run.
    run : int, default=0
        Which run.
    """

    values: np.ndarray
    run: int = field(default=0, kw_only=True)

    def __sklearn_clone__(self):
        return self  # nothing is fitted

    def fit(self, X, y=None):
        """Do nothing."""
        return self

    def _rows(self, X):
        return self.values[self.run][X[:, 0]]


class GivenRegressor(RegressorMixin, _GivenPredictions):
    """Predicted numbers."""

    def predict(self, X):
        """Return the predictions for rows."""
        return self._rows(X)


@dataclass(eq=False, repr=False)
class GivenClassifier(ClassifierMixin, _GivenPredictions):
    """Predicted labels, probabilities (of each class) or decision values.

    Parameters
    ----------
    values : ndarray of shape (n_runs, n_samples, ...)
        The predictions of each run.
    kind : {"labels", "probabilities", "decisions"}
        What they are.
    classes_ : ndarray of shape (n_classes,)
        The classes, the order of probabilities.
    refusal : Exception, default=None
        Why the values, which may be decision values, can be no probabilities; raised
        where it matters which they are.
    run : int, default=0
        Which run.
    """

    kind: str
    classes_: np.ndarray
    refusal: Exception | None = None

    @property
    def rule(self):
        """As what a row counts that has no label but values, str."""
        classes = self.classes_.tolist()
        is_probability = self.kind == "probabilities"
        if len(classes) > 2 and is_probability:
            return "the class with the highest predicted probability"
        if len(classes) > 2:
            return "the class with the highest predicted decision value"
        if is_probability:
            return f"{classes[1]} where the predicted probability exceeds 0.5"
        return f"{classes[1]} where the predicted decision value exceeds 0"

    @available_if(
        lambda classifier: classifier.kind == "probabilities" or classifier.refusal
    )
    def predict_proba(self, X):
        """Return the probabilities of the classes."""
        if self.refusal is not None:
            raise self.refusal
        return self._rows(X)

    @available_if(lambda classifier: classifier.kind == "decisions")
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
            return self.classes_[(rows > 0).astype(int)]
        return self.classes_[np.argmax(rows, axis=1)]


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
    collector = Collector(plan, return_estimator=False, is_fitted=False)
    options = {"error_score": "raise", "return_estimator": False}
    is_constant = np.ones(len(plan.jobs), dtype=bool)
    for number, split in enumerate(plan.splits):
        test = split[1]
        without_training = test[:0], test
        n_uses = len(plan.jobs)
        fold = Fold(number, plan.data, without_training, n_uses, keep_slices=True)
        for column, job in enumerate(plan.jobs):
            job.estimator.run = runs[number]
            predicted = job.estimator.values[runs[number]][test]
            is_constant[column] &= np.all(predicted == predicted[0])
        results = run_jobs(fold, plan.jobs, where="the predictions of {!r}", **options)
        for column, result in enumerate(results):
            untimed = result._replace(fit_time=np.nan, score_time=np.nan)
            collector.receive(number, column, untimed)
    collector.is_constant = is_constant
    losses = collector.collect()
    checks = installed_checks()
    if checks is not None:
        checks.warnings_after(collector, losses)
    return losses
