"""compare_predictions: models whose predictions exist already."""

from dataclasses import replace
from typing import NamedTuple

import numpy as np
from sklearn.base import BaseEstimator, ClassifierMixin, RegressorMixin
from sklearn.utils.multiclass import type_of_target

from ._by_metric import compare_losses
from ._design import HOLDOUT, Design, check_splits, design_of_folds, recognise_design
from ._engine import (
    as_target,
    check_weights,
    collect,
    look_at_all,
    metric_of_splits,
)
from ._fitting import Data, FitResult, measure
from ._inference.diebold_mariano import DieboldMarianoTest
from ._interval import CrossValInterval, intervals_of_losses
from ._metrics import (
    Metric,
    MetricGroup,
    choose_metrics,
    find_metric,
    is_several,
    keep_for_diagnostics,
)
from ._splits import encode_groups
from ._validation import (
    as_numpy,
    check_integer,
    check_option,
    check_real,
    check_row_order,
    invalid,
    refuse_missing,
)

RESPONSES = ("auto", "predict", "predict_proba", "decision_function")


def compare_predictions(
    y_true,
    predictions,
    *,
    loss="auto",
    scoring=None,
    response="auto",
    splits=None,
    groups=None,
    sample_weight=None,
    n_train=None,
    test=None,
    reference=None,
    p_adjust="holm",
    alpha=0.05,
):
    """Compare models by existing predictions.

    Parameters
    ----------
    y_true : array-like of shape (n_samples,)
        The target. Where it, `predictions`, `splits`, `groups` or `sample_weight` have
        an index of pandas, the labels of all of them must be the same in the same
        order; what has none, or the default one of a new frame, goes by position.
    predictions : dict or data frame
        Name of each model, at least two, and its predictions of all rows: labels,
        numbers, probabilities of shape (n_samples, n_classes) in the order of the
        sorted classes, or, of two classes, the probabilities or decision values of the
        second, of shape (n_samples,). With R repeats, of shape (n_samples, R) or
        (n_samples, R, n_classes). For several runs of a model on one test set, use
        :func:`compare_scores`.
    loss : str, Loss or callable, default="auto"
        As in :func:`compare_estimators`; "auto" is zero_one where the target and the
        predictions are classes, else squared_error.
    scoring : str, callable, list or dict, default=None
        One or several scorers in place of `loss`, such as "roc_auc"; as in
        :func:`cross_val_losses`.
    response : {"auto", "predict", "predict_proba", "decision_function"}, \
            default="auto"
        What the predictions of all models are, by the method of an estimator that
        returns such: labels or numbers, probabilities, or decision values, of which
        those above 0 are for the second class. "auto" takes real numbers in [0, 1] for
        the probabilities of the second of two classes; no others are decision values
        unless this says so.
    splits : array-like of shape (n_samples,) or (n_samples, R), or list, default=None
        Where predictions are out of fold: the fold in which each row was tested, by a
        model of all other rows; -1 if in none. A column for each repeat of the
        cross-validation. Or the list of (train, test), for predictions of one run. None
        is a test set that no model was trained on.
    groups : array-like of shape (n_samples,), default=None
        Label of the group of each row: variances are those between groups.
    sample_weight : array-like of shape (n_samples,), default=None
        Weights of the rows.
    n_train : int, default=None
        Number of examples the models were trained on, for a test set; only for reports.
    test, reference, p_adjust, alpha : object
        As in :func:`compare_estimators`. For a test set, the default is
        :class:`HoldoutTTest`, which is about these models; see :class:`McNemarTest`,
        too.

    Returns
    -------
    comparison : Comparison or ComparisonsByMetric
        As from :func:`compare_estimators` with these splits.

    Raises
    ------
    TypeError, ValueError
        If an argument is not as described; missing predictions are named, and the first
        row of probabilities that leave [0, 1] or do not sum to one.

    See Also
    --------
    compare_estimators : Fits the estimators, too.
    compare_cv_results : From scores of folds.

    Notes
    -----
    The function cannot check how predictions were made: the score of a model is
    optimistic on rows that it was trained or selected on. Tests of a test set take its
    rows for independent. Forecasts in the order of time are not: a
    :class:`~sklearn_cvtest.exceptions.DependentRowsWarning` is raised where the loss
    differences of adjacent rows are correlated. Pass ``test=DieboldMarianoTest()``
    for forecasts.

    Examples
    --------
    >>> from sklearn_cvtest import McNemarTest, compare_predictions
    >>> y = [0, 0, 0, 1, 1, 1, 1, 0, 1, 0]
    >>> predictions = {
    ...     "a": [0, 0, 1, 1, 1, 1, 0, 0, 1, 0],
    ...     "b": [0, 1, 1, 0, 1, 0, 0, 1, 1, 0],
    ... }
    >>> compare_predictions(y, predictions, test=McNemarTest()).pvalue_
    0.125
    """
    losses = losses_of_predictions(
        y_true,
        _by_name(predictions, 2),
        loss=loss,
        scoring=scoring,
        response=response,
        splits=splits,
        groups=groups,
        sample_weight=sample_weight,
        n_train=n_train,
        in_order=isinstance(test, DieboldMarianoTest),
    )
    return compare_losses(
        losses, test=test, reference=reference, p_adjust=p_adjust, alpha=alpha
    )


def interval_of_predictions(
    y_true,
    predictions,
    *,
    confidence_level=0.95,
    test=None,
    loss="auto",
    scoring=None,
    response="auto",
    splits=None,
    groups=None,
    sample_weight=None,
    n_train=None,
) -> CrossValInterval:
    """Estimate how good a model is, with an interval, from its predictions.

    Parameters
    ----------
    y_true : array-like of shape (n_samples,)
        The target, as in :func:`compare_predictions`.
    predictions : array-like, dict or data frame
        The predictions of one model, or a dict or data frame of the predictions of one
        or several models by name; each as in :func:`compare_predictions`.
    confidence_level : float, default=0.95
        Level of the intervals, in (0, 1).
    test : test, default=None
        The test whose interval is reported, as in :func:`cross_val_interval`; of a test
        set, :class:`HoldoutTTest`.
    loss : str, Metric or callable, default="auto"
        As in :func:`compare_predictions`: smaller is better.
    scoring : str, callable, list or dict, default=None
        One or several scorers in place of `loss`, such as "roc_auc".
    response : {"auto", "predict", "predict_proba", "decision_function"}, \
            default="auto"
        What the predictions are, as in :func:`compare_predictions`.
    splits : array-like of shape (n_samples,) or (n_samples, R), or list, default=None
        The folds of out-of-fold predictions, as in :func:`compare_predictions`.
    groups : array-like of shape (n_samples,), default=None
        Label of the group of each row: variances are those between groups.
    sample_weight : array-like of shape (n_samples,), default=None
        Weights of the rows.
    n_train : int, default=None
        Number of examples the model was trained on, for a test set; only for reports.

    Returns
    -------
    interval : CrossValInterval
        Estimates, standard errors and intervals.

    Raises
    ------
    TypeError, ValueError
        If an argument is not as described.

    See Also
    --------
    cross_val_interval : Fits the model, too.
    compare_predictions : Whether one model is better than another.

    Notes
    -----
    Of a test set, the interval is about this fitted model on new examples, which are
    taken for independent (or, with `groups`, their groups). It is made as in
    :func:`cross_val_interval`, and is the interval that :func:`compare_predictions`
    shows beside the mean of the model.

    Examples
    --------
    >>> from sklearn_cvtest import interval_of_predictions
    >>> y = [0] * 12 + [1] * 12
    >>> probabilities = [0.1, 0.2, 0.6, 0.3] * 3 + [0.4, 0.7, 0.8, 0.9] * 3
    >>> result = interval_of_predictions(y, probabilities, scoring="roc_auc")
    >>> result.estimate_
    0.9375

    From counts, such as 87 right answers of 100, the right answer being 1:

    >>> answers = [1] * 87 + [0] * 13
    >>> result = interval_of_predictions([1] * 100, answers, scoring="accuracy")
    >>> [round(end, 3) for end in result.interval_]
    [0.787, 0.924]
    """
    confidence_level = check_real("confidence_level", confidence_level, 0, 1)
    if not isinstance(predictions, dict) and not hasattr(predictions, "columns"):
        predictions = {"model": predictions}
    losses = losses_of_predictions(
        y_true,
        _by_name(predictions, 1),
        loss=loss,
        scoring=scoring,
        response=response,
        splits=splits,
        groups=groups,
        sample_weight=sample_weight,
        n_train=n_train,
    )
    return intervals_of_losses(losses, confidence_level, test)


def losses_of_predictions(
    y_true,
    predictions,
    *,
    loss="auto",
    scoring=None,
    response="auto",
    splits=None,
    groups=None,
    sample_weight=None,
    n_train=None,
    in_order=False,
):
    """Return the CVLosses of {name: predictions}, of several metrics a dict of them."""
    check_option("response", response, RESPONSES)
    tables = {f"predictions[{name!r}]": table for name, table in predictions.items()}
    tables |= {"splits": splits, "groups": groups, "sample_weight": sample_weight}
    check_row_order(must_match=True, y_true=y_true, **tables)
    target = check_target(y_true)
    n_samples = len(target)
    test_sets = _test_sets(splits, n_samples)
    models = given_models(predictions, target, test_sets, response, loss)
    codes = encode_groups(groups, n_samples)
    weight = sample_weight
    if weight is not None:
        weight = check_weights({"sample_weight": weight}, n_samples)
    if splits is not None and n_train is not None:
        raise invalid("n_train", "None with `splits`, which say it", n_train)
    if n_train is not None:
        n_train = np.array([check_integer("n_train", n_train, 1)])
    metrics = choose_metrics(models.values(), target, loss, scoring)
    by_metric = measure_models(
        models, target, metrics, test_sets, codes, weight, in_order
    )
    for name, losses in by_metric.items():
        if splits is None:
            by_metric[name] = replace(losses, n_train=n_train, noun="model")
    return by_metric if is_several(scoring) else by_metric[name]


def check_target(y_true):
    """Return the target as an array (n_samples,) without missing values."""
    target = as_target(y_true, 0, "y_true")
    if target.ndim != 1 or not len(target):
        raise invalid("y_true", "one label or number for each row", y_true)
    return target


def _by_name(predictions, n_least):
    """Return predictions as a dict."""
    if hasattr(predictions, "columns"):
        names = list(predictions.columns)
        if len(set(names)) < len(names):
            raise invalid("predictions", "columns with different names", names)
        predictions = {name: predictions[name] for name in names}
    if not isinstance(predictions, dict) or len(predictions) < n_least:
        allowed = f"a dict or data frame of at least {n_least} models"
        hint = "For one model, use interval_of_predictions."
        raise invalid("predictions", allowed, predictions, hint=hint)
    return {str(name): array for name, array in predictions.items()}


# Test sets --------------------------------------------------------------------------


class HeldOut(NamedTuple):
    """The (train, test) of each split, the run of each, and their design."""

    splits: list
    runs: list
    design: Design


def _test_sets(splits, n_samples):
    """Return the HeldOut of `splits`."""
    if splits is None:
        rows = np.arange(n_samples)
        return HeldOut([(rows[:0], rows)], [0], Design(HOLDOUT, 1))
    is_list = isinstance(splits, (list, tuple))
    if is_list and all(isinstance(s, (list, tuple)) and len(s) == 2 for s in splits):
        pairs = check_splits(splits, n_samples, "splits")
        counts = np.bincount(np.concatenate([test for _, test in pairs]))
        if counts.max() > 1:
            value = f"row {counts.argmax()} in {counts.max()} test sets"
            hint = "Pass an array of shape (n, R) for R repeats."
            raise invalid("splits", "of test sets without overlap", value, hint=hint)
        return HeldOut(pairs, [0] * len(pairs), recognise_design(pairs, n_samples))
    try:
        folds = np.asarray(as_numpy("splits", splits))
    except ValueError:  # ragged
        folds = np.empty(0)
    return _test_sets_of_folds(folds, n_samples)


def _test_sets_of_folds(folds, n_samples):
    """Return the HeldOut of an array of folds, (n_samples,) or (n_samples, R)."""
    if folds.ndim not in (1, 2) or len(folds) != n_samples:
        allowed = f"a fold for each of the {n_samples} rows, or (n, R) for R repeats"
        raise invalid("splits", allowed, folds)
    refuse_missing("splits", folds, True)
    folds = folds.reshape(n_samples, -1)
    pairs = []
    runs = []
    for run, column in enumerate(folds.T):
        labels = [
            label for label in np.unique(column).tolist() if label not in (-1, "-1")
        ]
        if len(labels) < 2:
            hint = "Leave out `splits` for one test set."
            raise invalid("splits", "of at least two folds", labels, hint=hint)
        for label in labels:
            in_test = column == label
            pairs.append((np.flatnonzero(~in_test), np.flatnonzero(in_test)))
            runs.append(run)
    n_folds = np.bincount(runs)
    design = design_of_folds(int(n_folds[0]), len(n_folds))
    if n_folds.min() < n_folds.max():
        design = Design("other", len(pairs))
    return HeldOut(pairs, runs, design)


# Models -----------------------------------------------------------------------------


class _Given(BaseEstimator):
    """Predictions of shape (n_runs, n_samples, ...); X is (run, row) of each."""

    def __init__(self, values):
        self.values = values

    def fit(self, X, y=None):
        """Do nothing."""
        return self

    def predict(self, X):
        """Return the predictions of rows."""
        return self.values[X[:, 0], X[:, 1]]


class GivenRegressor(RegressorMixin, _Given):
    """Predictions that are numbers."""


class GivenLabels(ClassifierMixin, _Given):
    """Predictions that are labels."""

    def __init__(self, values, classes):
        super().__init__(values)
        self.classes_ = classes


class GivenProbabilities(GivenLabels):
    """Predictions that are probabilities, of shape (n_runs, n_samples, n_classes)."""

    def predict_proba(self, X):
        """Return the probabilities of rows."""
        return super().predict(X)

    def predict(self, X):
        """Return the most probable label."""
        return self.classes_[self.predict_proba(X).argmax(axis=1)]


class GivenDecisions(GivenLabels):
    """Predictions that are decision values, above 0 for the second of two classes."""

    def decision_function(self, X):
        """Return the decision values of rows."""
        return super().predict(X)

    def predict(self, X):
        """Return the second class where the value is above 0."""
        return self.classes_[(self.decision_function(X) > 0).astype(int)]


def given_models(predictions, target, test_sets, response, loss="auto"):
    """Return {name: estimator} of {name: predictions}."""
    n_runs = max(test_sets.runs) + 1
    is_tested = np.zeros(len(target), dtype=bool)
    is_tested[np.concatenate([test for _, test in test_sets.splits])] = True
    values = {}
    for name, array in predictions.items():
        values[name] = _check_predictions(name, array, n_runs, is_tested)
    has_classes = type_of_target(target) in ("binary", "multiclass")
    classes = np.unique(target) if has_classes else None
    if response == "auto" and _takes_numbers(loss):
        response = "predict"
    makers = {}
    for name, array in values.items():
        makers[name] = _maker(array, classes, response)
    if GivenProbabilities in makers.values() and classes.tolist() == [0, 1]:
        for name, array in values.items():
            if makers[name] is GivenLabels and array.dtype.kind == "f":
                makers[name] = GivenProbabilities  # that are all 0 or 1
    if GivenRegressor in makers.values():
        return {name: GivenRegressor(array) for name, array in values.items()}
    models = {}
    for name, array in values.items():
        if makers[name] is GivenProbabilities:
            array = _check_probabilities(name, array, classes, is_tested)
        models[name] = makers[name](array, classes)
    return models


def _takes_numbers(loss):
    """Whether a loss is of numbers, or of predictions as they are."""
    if isinstance(loss, str):
        loss = find_metric(loss)
    if isinstance(loss, Metric):
        return loss.target == "numbers"
    return callable(loss)


def _check_predictions(name, array, n_runs, is_tested):
    """Return predictions of one model as an array (n_runs, n_samples, ...)."""
    where = f"predictions[{name!r}]"
    array = np.asarray(as_numpy(where, array))
    n_samples = len(is_tested)
    is_long = array.ndim >= 1 and len(array) == n_samples
    if is_long and n_runs == 1 and array.ndim <= 2:
        array = array[np.newaxis]
    elif is_long and array.ndim in (2, 3) and array.shape[1] == n_runs:
        array = np.moveaxis(array, 1, 0)
    else:
        shape = (
            f"({n_samples}, ...)" if n_runs == 1 else f"({n_samples}, {n_runs}, ...)"
        )
        hint = ""
        if array.ndim == 2 and array.shape[1] == n_samples:
            hint = "Pass its transpose; for runs on one test set use compare_scores."
        raise invalid(where, f"of shape {shape}", array, hint=hint)
    refuse_missing(where, np.swapaxes(array, 0, 1), is_tested)
    return array


def _maker(array, classes, response):
    """Return the class of an estimator that predicts an array."""
    if classes is None:
        return GivenRegressor
    if response == "predict_proba":
        return GivenProbabilities
    if response == "decision_function":
        return GivenDecisions
    if array.ndim == 3:
        return GivenProbabilities
    is_number = array.dtype.kind in "fiub"
    has_numbers = classes.dtype.kind in "fiub"
    if not is_number or (not has_numbers and len(classes) != 2):
        return GivenLabels
    if has_numbers and (array.dtype.kind in "iub" or np.isin(array, classes).all()):
        return GivenLabels
    if len(classes) != 2 or response == "predict":
        return GivenRegressor
    return GivenProbabilities


def _check_probabilities(name, array, classes, is_tested):
    """Return probabilities of all classes, those of the second of two completed."""
    where = f"predictions[{name!r}]"
    several = (
        "If columns are repeats, pass `splits` with a column for each; if they are "
        "runs on one test set, use compare_scores."
    )
    if array.dtype.kind not in "fiub":
        shape = f"an array of shape {array.shape[1:]}"
        raise invalid(where, "one label for each row", shape, hint=several)
    if array.ndim == 2:
        array = np.stack([1 - array, array], axis=-1)
    if array.shape[-1] != len(classes):
        allowed = f"of {len(classes)} columns, one for each class"
        raise invalid(where, allowed, f"shape {array.shape[1:]}", hint=several)
    for run in array:
        outside = ((run < 0) | (run > 1)).any(axis=1) & is_tested
        if outside.any():
            row = int(outside.argmax())
            hint = (
                "If the predictions of all models are decision values, pass "
                "response='decision_function'; if they are numbers, a loss of numbers."
            )
            value = f"{run[row].max():g} in row {row}"
            raise invalid(where, "probabilities in [0, 1]", value, hint=hint)
        total = run.sum(axis=1)
        is_off = (np.abs(total - 1) > 1e-6) & is_tested  # more than rounding in files
        if is_off.any():
            row = int(is_off.argmax())
            allowed = "probabilities that sum to one in every row"
            value = f"a sum of {total[row]:g} in row {row}"
            raise invalid(where, allowed, value, hint=several)
    return array


# Losses -----------------------------------------------------------------------------


def measure_models(
    models, target, metrics, test_sets, codes=None, weight=None, in_order=False
):
    """Return {metric: CVLosses} of models that predict (run, row)."""
    splits, runs, design = test_sets
    for name, metric in metrics.items():
        metrics[name] = metric_of_splits(metric, target, splits, True, weight)
        _refuse_labels(metric, models)
    kept = keep_for_diagnostics(metrics, target)
    data = Data(None, target, target, MetricGroup(metrics, kept), weight)
    results = []
    for run, (train, test) in zip(runs, splits, strict=True):
        rows = np.column_stack([np.full_like(test, run), test])
        fits = []
        for model in models.values():
            fits.append(FitResult(measure(model, rows, data, train, test)))
        results.append(fits)
    constant = tuple(n for n, model in models.items() if _is_constant(model.values))
    by_metric = collect(models, results, data, splits, design, codes, constant)
    return look_at_all(by_metric, results, data, splits, codes, not in_order)


def _is_constant(values):
    """Whether the same label or number is predicted of all rows."""
    return values.ndim == 2 and bool(np.all(values == values[0, 0]))


def _refuse_labels(metric, models):
    """Raise for labels where a metric needs probabilities."""
    for name, model in models.items():
        if metric.response != "predict" and not (
            hasattr(model, "predict_proba") or hasattr(model, "decision_function")
        ):
            hint = "Where these are probabilities, pass response='predict_proba'."
            allowed = f"probabilities or decision values for {metric.word}"
            raise invalid(f"predictions[{name!r}]", allowed, "labels", hint=hint)
