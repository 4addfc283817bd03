"""How good each model is by itself: its mean loss or score with an interval."""

import math
from dataclasses import replace
from typing import NamedTuple

import numpy as np

from ._compat import n_rows
from ._engine import cross_val_losses
from ._inference import (
    CorrectedResampledTTest,
    KFoldZTest,
    checked_test,
    default_test,
)
from ._inference.base import ConfidenceInterval
from ._inference.zero_variance import limited_interval
from ._metrics import find_metric
from ._report.forest import ForestRows
from ._report.numbers import NOTHING, counted, join_names, percent, significant_digits
from ._report.result import Content, Result, Table
from ._report.sentences import design_and_sample
from ._report.units import Unit
from ._splits import count_groups, encode_groups
from ._validation import check_real

MAX_STRETCH = (math.exp(2) - 1) / 2  # of a half-width; beyond, an end would be endless


class ModelIntervals(NamedTuple):
    """Means of models with intervals, in units of the loss.

    Attributes
    ----------
    mean, error : ndarray of shape (n_models,)
        Mean loss, and its standard error.
    low, high : ndarray of shape (n_models,)
        Ends of the interval of each.
    test : test
        The test whose intervals they are.
    """

    mean: np.ndarray
    error: np.ndarray
    low: np.ndarray
    high: np.ndarray
    test: object


def model_intervals(losses, alpha=0.05, test=None):
    """Return the ModelIntervals of losses, nan of models with failed fits."""
    test = checked_test(test or test_of_intervals(losses), losses, alpha)
    numbers = np.full((4, len(losses.names)), np.nan)
    usable = np.flatnonzero(np.isfinite(losses.values).all(axis=0))
    if len(usable):
        numbers[:, usable] = intervals_of_models(losses, usable, test, 1 - alpha)
    return ModelIntervals(*numbers, test)


def test_of_intervals(losses):
    """Return the test whose interval of a single model covers best."""
    design = losses.design
    has_few_groups = losses.n_groups is not None and losses.n_groups < 10
    if design.kind == "k-fold" and (not losses.per_example or has_few_groups):
        return CorrectedResampledTTest()
    if design.is_k_fold and losses.per_example and not has_few_groups:
        return KFoldZTest(losses.metric.rho)
    return default_test(losses)


def intervals_of_models(losses, positions, test, level):
    """Return mean losses, standard errors, and both ends, (4, n_positions)."""
    test.check_params()
    test.check_design(losses.design, losses.per_example, losses.n_groups)
    residuals = losses.single(positions)
    evaluation = test.evaluate(residuals)
    ends = np.transpose(test.interval(evaluation, level))
    limits = np.transpose(limited_interval(test, evaluation, residuals, level))
    bounds = losses.metric.loss_range
    columns = []
    numbers = evaluation.estimate, evaluation.standard_error, ends, limits
    for mean, error, interval, limit in zip(*numbers, strict=True):
        if error > 0:
            limit = interval_in_range(mean, interval, bounds)
        columns.append((mean, error, *limit))
    return np.transpose(columns)


def interval_in_range(mean, interval, bounds):
    """Carry an interval over to the scale on which a metric has no bounds."""
    low, high = bounds
    if not low < mean < high:
        return tuple(np.clip(interval, low, high))
    return tuple(_carry(mean, end - mean, low, high) for end in interval)


def _carry(mean, step, low, high):
    """Return where a step from the mean ends, made on the unbounded scale."""
    below = mean - low
    above = high - mean
    if math.isinf(below) and math.isinf(above):
        return mean + step
    if math.isinf(below):
        end = high - above * math.exp(min(-step / above, 700))
    elif math.isinf(above):
        end = low + below * math.exp(min(step / below, 700))
    else:
        odds = math.exp(min(-step / below - step / above, 700)) * above / below
        end = low + (high - low) / (1 + odds)
    furthest = mean + MAX_STRETCH * step
    end = min(end, furthest) if step > 0 else max(end, furthest)
    return min(max(end, low), high)


class CrossValInterval(Result):
    """How good each model is, made by :func:`cross_val_interval`.

    Attributes
    ----------
    losses : CVLosses
        The losses.
    alpha : float
        One minus the level of the intervals.
    intervals : ModelIntervals
        Means and intervals, in units of the loss.
    estimate_, standard_error_ : float or ndarray of shape (n_models,)
        Mean loss, or score, and its standard error.
    interval_ : ConfidenceInterval or ndarray of shape (n_models, 2)
        Its interval, within the range of the metric.
    """

    def __init__(self, losses, alpha, test=None):
        self.losses = losses
        self.alpha = alpha
        self.intervals = model_intervals(losses, alpha, test)

    @property
    def _n_train(self):
        """The mean size of training sets, nan if it is not known."""
        sizes = self.losses.n_train
        return np.nan if sizes is None else round(sizes.mean())

    def _trained_on(self):
        """Return the sizes of training sets as text; folds differ by one."""
        sizes = self.losses.n_train
        if sizes is None:
            return NOTHING
        if np.ptp(sizes) > 1:
            return f"{sizes.min()} to {sizes.max()}"
        return str(self._n_train)

    @property
    def estimate_(self):
        """Mean loss or score of the only model, float, or of each, ndarray."""
        sign = self.losses.metric.sign
        return _alone(sign * self.intervals.mean)

    @property
    def standard_error_(self):
        """Its standard error, with all that the test assumes."""
        return _alone(self.intervals.error)

    @property
    def interval_(self):
        """(low, high) of the only model, or ndarray of shape (n_models, 2)."""
        ends = self.losses.metric.sign * np.column_stack(_ends(self.intervals)[1:])
        ends = np.sort(ends, axis=1)
        return ConfidenceInterval(*ends[0].tolist()) if len(ends) == 1 else ends

    def _columns(self):
        mean, error, low, high, _ = self.intervals
        if self.losses.metric.is_score:
            mean, low, high = -mean, -high, -low
        n_models = len(self.losses.names)
        return {
            "model": list(self.losses.names),
            "metric": [self.losses.metric.name] * n_models,
            "estimate": mean,
            "standard_error": error,
            "ci_low": low,
            "ci_high": high,
            "n_train": [self._n_train] * n_models,
        }

    def _content(self):
        losses = self.losses
        unit = Unit(losses.metric)
        means, cells = unit.means(*_ends(self.intervals))
        trained_on = self._trained_on()
        level = f"{100 * (1 - self.alpha):g}%"
        rows = []
        errors = _errors_as_read(self.intervals, unit)
        for row in zip(losses.names, means, cells, errors, strict=True):
            name, mean, cell, error = row
            error_text = significant_digits(error, 3)
            rows.append([name, unit.header, mean, cell, error_text, trained_on])
        headers = ["model", "metric", "mean", f"{level} CI", "standard error"]
        headers.append("trained on")
        if trained_on == NOTHING:
            headers, rows = headers[:-1], [row[:-1] for row in rows]
        table = Table(headers, rows, n_left=2)
        models = "a model" if len(rows) == 1 else "models"
        about = (
            f"The intervals refer to {models} trained on {trained_on} examples from "
            "the same population."
        )
        if self.intervals.test.concerns != "algorithms":
            models = "this fitted model" if len(rows) == 1 else "these fitted models"
            if trained_on != NOTHING:
                models += f" (trained on {trained_on} examples)"
            about = f"The intervals refer to {models}, not to other fits."
        test = self.intervals.test
        title = test.title.removeprefix("paired ")
        source = f"They come from {type(test).__name__}: {title}."
        design, sample = design_and_sample(losses)
        if sample and losses.n_groups:
            sample += f" in {counted(losses.n_groups, 'group')}"
        lead = f"{counted(len(rows), 'model')}"
        lead += f" on {sample}, {design}" if sample else f", {design}"
        sentences = []
        for name, mean, cell in zip(losses.names, means, cells, strict=True):
            sign = "%" if losses.metric.is_share else ""
            sentences.append(f"{name}: {unit.word} {mean}{sign} ({level} CI {cell}).")
        estimated = ", ".join(filter(None, [f"Estimated by {design}", losses.cv_words]))
        design = f"{estimated}, of {sample}." if sample else f"{estimated}."
        return Content(
            lead=lead,
            verdict=lead,
            table=table,
            method=f"{about} {source}",
            paragraph=[*sentences, design, about, source],
        )

    def _forest(self):
        unit = Unit(self.losses.metric)
        xlabel = f"{unit.header}, {percent(1 - self.alpha)} CI"
        labels = list(self.losses.names)
        return forest_of_means(unit, labels, _ends(self.intervals), xlabel)


def forest_of_means(unit, labels, sides, xlabel):
    """Return the rows of a picture of mean losses with their ends."""
    means, lows, highs = (unit.scale * unit.as_read(values) for values in sides)
    return ForestRows(
        labels=labels,
        estimates=means,
        lows=np.minimum(lows, highs),
        highs=np.maximum(lows, highs),
        filled=np.ones(len(means), dtype=bool),
        xlabel=xlabel,
        key=(),
        has_zero=False,
    )


class IntervalsByMetric(Result, dict):
    """Intervals by several metrics of the same fits, {metric: CrossValInterval}."""

    def _columns(self):
        frames = []
        for name, result in self.items():
            n_models = len(result.losses.names)
            frames.append(result._columns() | {"metric": [name] * n_models})
        return {key: np.concatenate([f[key] for f in frames]) for key in frames[0]}

    def _content(self):
        contents = [result._content() for result in self.values()]
        rows, sources = [], {}
        for (name, result), content in zip(self.items(), contents, strict=True):
            own_name = f"{name} (%)" if result.losses.metric.is_share else name
            for model, word, *cells in content.table.rows:
                is_standard = find_metric(name) is not None
                rows.append([model, word if is_standard else own_name, *cells])
            sources.setdefault(content.paragraph[-1], []).append(name)
        method = [contents[0].paragraph[-2]]
        for source, names in sources.items():
            whose = f"Those of {join_names(names)}" if len(sources) > 1 else "They"
            method.append(source.replace("They", whose, 1))
        sentences = [text for content in contents for text in content.paragraph]
        return replace(
            contents[0],
            table=replace(contents[0].table, rows=rows),
            method=" ".join(method),
            paragraph=list(dict.fromkeys(sentences)),
        )


def intervals_of_losses(losses, confidence_level, test):
    """Return the CrossValInterval of losses, or by each of several metrics."""
    alpha = 1 - confidence_level
    if not isinstance(losses, dict):
        return CrossValInterval(losses, alpha, test)
    by_metric = {n: CrossValInterval(part, alpha, test) for n, part in losses.items()}
    return IntervalsByMetric(by_metric)


def _alone(values):
    return float(values[0]) if len(values) == 1 else values


def _ends(intervals):
    return intervals.mean, intervals.low, intervals.high


def _errors_as_read(intervals, unit):
    """Return standard errors in the unit that people read."""
    if not unit.metric.root_word:
        return intervals.error * unit.scale
    return intervals.error / (2 * np.sqrt(intervals.mean))


def cross_val_interval(
    estimators,
    X,
    y=None,
    *,
    confidence_level=0.95,
    test=None,
    groups=None,
    cv=None,
    loss="auto",
    scoring=None,
    params=None,
    score_params=None,
    n_jobs=None,
    verbose=0,
    pre_dispatch="2*n_jobs",
    error_score=np.nan,
    memory=None,
    diagnostics=True,
    progress=False,
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
    confidence_level : float, default=0.95
        Level of the intervals, in (0, 1).
    test : test, default=None
        The test whose interval is reported. None uses, for a K-fold with per-example
        values, :class:`KFoldZTest`, for other K-folds
        :class:`CorrectedResampledTTest`, and for other designs their default test.
    groups : array-like of shape (n_samples,), default=None
        Label of the group of each example, as in :func:`cross_val_losses`.
    cv : int, splitter, iterable of (train, test), or None, default=None
        None means 10-fold, stratified for classifiers if that is possible, or as many
        folds as there are groups.
    loss : str, Metric or callable, default="auto"
        As in :func:`cross_val_losses`: smaller is better.
    scoring : str, callable, list or dict, default=None
        One or several scikit-learn scorers in place of `loss`, such as "roc_auc", as
        in :func:`cross_val_losses`. Estimates of scores are scores, where greater is
        better; of "neg_brier_score" and the like they are the error, above 0.
    params, score_params : dict, default=None
        As in :func:`cross_val_losses`.
    n_jobs, verbose, pre_dispatch, error_score, memory, diagnostics, progress : object
        As in :func:`cross_val_losses`.

    Returns
    -------
    interval : CrossValInterval, or IntervalsByMetric of several scorers
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
    as does any metric that is the same in all test sets: of the examples that it rests
    on, as the positives for recall, or the whole range where these are not known.
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
    confidence_level = check_real("confidence_level", confidence_level, 0, 1)
    if cv is None:
        codes = encode_groups(groups, n_rows(X))
        cv = min(10, count_groups(codes) or 10)
    losses = cross_val_losses(
        estimators,
        X,
        y,
        groups=groups,
        cv=cv,
        loss=loss,
        scoring=scoring,
        params=params,
        score_params=score_params,
        n_jobs=n_jobs,
        verbose=verbose,
        pre_dispatch=pre_dispatch,
        error_score=error_score,
        memory=memory,
        diagnostics=diagnostics,
        progress=progress,
    )
    return intervals_of_losses(losses, confidence_level, test)
