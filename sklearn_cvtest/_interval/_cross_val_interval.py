"""cross_val_interval: how good a model is, and how sure that is."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from .._data._cvlosses import CVLosses
from .._engine._arguments import at_most_groups, name_estimators
from .._engine._plan import plan_fits
from .._engine._running import run_plan
from .._inference._base_test import BaseCVTest
from .._inference._choose_tests import choose_tests, decode_test, encode_test
from .._losses._named_losses import Loss
from .._pairs._intervals import (
    estimator_intervals,
    interval_test,
    warn_of_skewed_target,
)
from .._report._result import Result
from .._store._array_files import Saved, by_number, of_parts, taken_apart
from .._typing import Any, ArrayLike, Axes, Function, Sequence
from .._validation import check_level, check_option, invalid, refuse_splitter_options
from ._interval_document import intervals_document
from ._interval_forest import draw_intervals

FOUND = "estimate", "standard_error", "ci_low", "ci_high"


@dataclass(frozen=True, repr=False)
class CrossValInterval(Saved, Result):
    """How good each of some models is, and how sure that is.

    Made by :func:`cross_val_interval` and :func:`interval_of_predictions`. Its `str` is
    a table and what it is about; `to_frame` has one row per metric and model, with the
    columns model, metric, estimate (loss or score, with the sign of the metric),
    standard_error, ci_low, ci_high and n_train, the mean number of examples trained on,
    nan if that is not known.

    Attributes
    ----------
    losses : dict of str to CVLosses
        The losses, or minus scores, by metric.
    intervals : dict of str to EstimatorIntervals
        Columns of estimates, standard errors and interval ends, by metric.
    confidence_level : float
        The level of the intervals.
    """

    losses: dict
    intervals: dict
    confidence_level: float

    @property
    def estimate_(self) -> Any:
        """The mean loss or score: a float of one model and metric, else a dict.

        By model; of several metrics, by (metric, model).
        """
        return self._of_rows("estimate")

    @property
    def standard_error_(self) -> Any:
        """Its standard error, as `estimate_`."""
        return self._of_rows("standard_error")

    @property
    def interval_(self) -> Any:
        """Its interval, a tuple of two floats, as `estimate_`."""
        return self._of_rows("ci_low", "ci_high")

    def _of_rows(self, *columns):
        keys = ("metric", "model")
        is_one = len(self.losses) == 1
        values = {}
        for row in self.rows():
            key = row["model"] if is_one else tuple(row[name] for name in keys)
            cells = tuple(row[name] for name in columns)
            values[key] = cells if len(columns) > 1 else cells[0]
        return next(iter(values.values())) if len(values) == 1 else values

    def rows(self) -> list[dict[str, Any]]:
        """Return a dict for each metric and model.

        Returns
        -------
        rows : list of dict
            The rows of :meth:`to_frame`.
        """
        rows = []
        for metric, intervals in self.intervals.items():
            for position, model in enumerate(intervals.names):
                row = {"model": model, "metric": metric}
                for column in FOUND:
                    row[column] = float(getattr(intervals, column)[position])
                row["n_train"] = self.n_train[metric]
                rows.append(row)
        return rows

    @property
    def n_train(self) -> dict[str, int]:
        """Numbers of examples that what is estimated is trained on, {metric: int}.

        nan where they are not known.
        """
        return {metric: _n_train(losses) for metric, losses in self.losses.items()}

    def _columns(self):
        rows = self.rows()
        return {name: [row[name] for row in rows] for name in rows[0]}

    def _document(self):
        return intervals_document(self)

    def _to_parts(self):
        headers, arrays = taken_apart(self.losses.values())
        metrics = []
        for name, header in zip(self.losses, headers, strict=True):
            test = encode_test(self.intervals[name].test)
            metrics.append({"name": name, "test": test, "losses": header})
        return {"level": self.confidence_level, "metrics": metrics}, arrays

    @classmethod
    def _of_parts(cls, path, header, arrays):
        level = header["level"]
        losses = {}
        intervals = {}
        metrics = header["metrics"]
        for saved, arrays_of_metric in zip(metrics, by_number(arrays), strict=True):
            name = str(saved["name"])
            losses[name] = of_parts(CVLosses, path, saved["losses"], arrays_of_metric)
            test = decode_test(saved["test"])
            intervals[name] = estimator_intervals(losses[name], 1 - level, test)
        return cls(losses, intervals, level)

    def plot(self, *, ax: Axes | None = None, metric: str | None = None) -> Axes:
        """Plot the estimates with their intervals.

        Parameters
        ----------
        ax : matplotlib Axes, default=None
            Where to draw; None makes a new figure.
        metric : str, default=None
            Which metric; None: the first.

        Returns
        -------
        ax : matplotlib Axes
            The picture.

        Raises
        ------
        ImportError
            If matplotlib is not installed.
        """
        metric = next(iter(self.intervals)) if metric is None else metric
        check_option("metric", metric, list(self.intervals))
        return draw_intervals(self.intervals[metric], self.losses[metric], ax)


def _n_train(losses):
    if losses.n_train is None:
        return np.nan
    return int(np.round(losses.n_train[losses.design.full].mean()))


@refuse_splitter_options
def cross_val_interval(
    estimators: Any,
    X: Any,
    y: ArrayLike | None = None,
    *,
    scoring: str | Function | Sequence[Any] | dict[str, Any] | None = None,
    loss: str | Loss | Function = "auto",
    cv: Any = None,
    confidence_level: float = 0.95,
    test: BaseCVTest | None = None,
    groups: ArrayLike | None = None,
    params: dict[str, Any] | None = None,
    score_params: dict[str, Any] | None = None,
    n_jobs: Any = None,
    verbose: Any = 0,
    pre_dispatch: Any = "2*n_jobs",
    error_score: Any = np.nan,
    memory: Any = None,
    progress: Any = False,
    diagnostics: bool = True,
) -> CrossValInterval:
    """Estimate how good a model is, with an interval, by cross-validation.

    Parameters
    ----------
    estimators : estimator, list or dict
        One estimator or several, as in :func:`cross_val_losses`.
    X : array-like, sparse matrix or dataframe of shape (n_samples, n_features)
        The data.
    y : array-like of shape (n_samples,) or (n_samples, n_outputs), default=None
        The target.
    scoring : str, callable, list or dict, default=None
        One or several scikit-learn scorers in place of `loss`, such as "roc_auc", as
        in :func:`cross_val_losses`. Estimates have their sign, where greater is better.
    loss : str, Loss or callable, default="auto"
        As in :func:`cross_val_losses`: smaller is better.
    cv : int, splitter, iterable of (train, test), or None, default=None
        None means 10-fold, stratified for classifiers if that is possible, or as many
        folds as there are groups.
    confidence_level : float, default=0.95
        Level of the intervals, in (0, 1).
    test : test, default=None
        The test whose interval is reported. None uses, for a K-fold with per-example
        values, :class:`KFoldZTest`, for other K-folds
        :class:`CorrectedResampledTTest`, and for other designs their default test.
    groups : array-like of shape (n_samples,), default=None
        Label of the group of each example, as in :func:`cross_val_losses`.
    params, score_params : dict, default=None
        As in :func:`cross_val_losses`.
    n_jobs, verbose, pre_dispatch, error_score, memory, progress : object
        As in :func:`cross_val_losses`.

    diagnostics : bool, default=True
        Whether anything is looked at for warnings; see :func:`cross_val_losses`.

    Returns
    -------
    interval : CrossValInterval
        Estimates, standard errors and intervals.

    Raises
    ------
    TypeError, ValueError
        If an argument is not as described, or no test has an interval for the design.

    Warns
    -----
    FewExamplesWarning
        If a test set has too few examples of a class for values per example.
    FitFailedWarning
        If some fits fail and `error_score` is a number.
    ThresholdWarning
        If a metric of predicted classes is sensitive to the threshold.

    See Also
    --------
    compare_estimators : Whether one is better than another.

    Notes
    -----
    The interval of the test is carried over to the scale on which the metric has no
    bounds (logit or logarithm, by the delta method), so that it stays within the range
    of the metric. A model without any error gets Clopper and Pearson's interval [1]_,
    as does any metric that is the same in all test sets: of so many examples as the
    rarest class has that it needs, for recall the positives.
    They are too long if ρ is near 0, that is, if another training set hardly matters,
    and too short if it is well above the assumed one. Intervals of two models may
    overlap although one is significantly better: compare them by
    :func:`compare_estimators`.

    References
    ----------
    .. [1] C. J. Clopper and E. S. Pearson, "The use of confidence or fiducial limits
       illustrated in the case of the binomial", Biometrika 26, 404-413, 1934.
       :doi:`10.1093/biomet/26.4.404`

    Examples
    --------
    >>> from sklearn.datasets import load_breast_cancer
    >>> from sklearn.naive_bayes import GaussianNB
    >>> from sklearn_cvtest import cross_val_interval
    >>> X, y = load_breast_cancer(return_X_y=True)
    >>> result = cross_val_interval(GaussianNB(), X, y, scoring="roc_auc")
    >>> print([round(end, 3) for end in result.interval_])
    [0.976, 0.994]
    """
    level = check_level("confidence_level", confidence_level)
    cv = at_most_groups(10, groups) if cv is None else cv
    data = {"groups": groups, "params": params, "score_params": score_params}
    measure_options = {
        "loss": loss,
        "scoring": scoring,
        "diagnostics": diagnostics,
    }
    plan = plan_fits(
        name_estimators(estimators), X, y, cv=cv, **data, **measure_options
    )
    tests = choose_interval_tests(test, plan, 1 - level)
    jobs = {"n_jobs": n_jobs, "verbose": verbose, "pre_dispatch": pre_dispatch}
    fits = {"error_score": error_score, "memory": memory, "progress": progress}
    losses = run_plan(plan, **jobs, **fits)
    return intervals_of_losses(losses, tests, plan.data.y, level)


def choose_interval_tests(test, plan, alpha):
    """Return the checked test of each measure of a plan."""
    if isinstance(test, (list, tuple, dict)):
        raise invalid("test", "one test or None", test, TypeError)
    return [_choose(test, plan, measure, alpha) for measure in plan.measures]


def _choose(test, plan, measure, alpha):
    """Return the checked test of one measure."""
    per_example = plan.has_examples(measure)
    if test is None:
        test = interval_test(plan.design, per_example, plan.n_groups, measure.rho)
    (test,) = choose_tests(
        test, plan.design, per_example, alpha, n_groups=plan.n_groups
    ).values()
    return test


def intervals_of_losses(losses, tests, y, level):
    """Return the intervals of models by their losses, with warnings.

    Parameters
    ----------
    losses : CVLosses or dict of str to CVLosses
        The losses; of several metrics, by metric.
    tests : list of test
        The checked test of each metric.
    y : array-like of shape (n_samples,) or None
        The target.
    level : float
        The level of the intervals.
    """
    if not isinstance(losses, dict):
        losses = {losses.loss_name: losses}
    if len(tests) == 1:  # of a callable that returned several scores
        tests = tests * len(losses)
    intervals = {
        metric: estimator_intervals(of_metric, 1 - level, its_test)
        for (metric, of_metric), its_test in zip(losses.items(), tests, strict=True)
    }
    for metric in losses:
        warn_of_skewed_target(losses[metric], y)
    return CrossValInterval(losses, intervals, level)
