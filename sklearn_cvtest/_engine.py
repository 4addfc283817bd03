"""Losses of test rows over shared splits: checks first, then fits (`_fitting`)."""

import numbers
from collections import Counter
from dataclasses import replace
from typing import NamedTuple

import numpy as np
from sklearn import get_config
from sklearn.base import is_classifier
from sklearn.dummy import DummyClassifier, DummyRegressor
from sklearn.utils import indexable
from sklearn.utils.metadata_routing import (
    MetadataRouter,
    MethodMapping,
    process_routing,
)
from sklearn.utils.multiclass import type_of_target

from . import _diagnostics as diagnostics_
from ._compat import n_rows
from ._data import CVLosses
from ._design import check_splits, recognise_design
from ._fitting import Data, Fitter, fit_all
from ._memory import open_store
from ._metrics import (
    MetricGroup,
    check_classes_of_splits,
    choose_metrics,
    count_rarest,
    enough_examples,
    is_several,
    keep_for_diagnostics,
)
from ._splits import (
    BlockKFold,
    _Splitter,
    count_groups,
    describe_splitter,
    encode_groups,
)
from ._validation import (
    as_numpy,
    check_array,
    check_integer,
    check_row_order,
    invalid,
)


def cross_val_losses(
    estimators,
    X,
    y=None,
    *,
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
    return_estimator=False,
    per_example=True,
    diagnostics=True,
    progress=False,
):
    """Fit estimators over shared splits and keep the loss of every test example.

    The splits are drawn once and used by all estimators; each (split, estimator) is
    fitted once, on a clone. Unlike :func:`~sklearn.model_selection.cross_val_predict`
    it accepts designs that are not partitions, and unlike
    :func:`~sklearn.model_selection.cross_validate` it keeps what the tests of this
    package need.

    Parameters
    ----------
    estimators : estimator, list or dict
        One estimator, a list of estimators, a list of (name, estimator), or a
        dict of them. They are cloned, never changed.
    X : array-like, sparse matrix or dataframe of shape (n_samples, n_features)
        The data; n_samples x n_samples for estimators on precomputed kernels.
    y : array-like of shape (n_samples,) or (n_samples, n_outputs), default=None
        The target; None only with a scorer that needs none.
    groups : array-like of shape (n_samples,), default=None
        Label of the group (patient, site, ...) of each example, kept with the losses.
        Passed to the splitter, which keeps groups whole if it is the default or one of
        this package. With metadata routing on, pass it in `params`.
    cv : int, splitter, iterable of (train, test), or None, default=None
        None means `BlockKFold(5, n_repeats=2, random_state=0)` and an int K
        `BlockKFold(K, random_state=0)`, stratified for classifiers if that is possible.
    loss : str, Metric or callable, default="auto"
        "auto" is zero_one for classifiers and squared_error for regressors; a name
        such as "absolute_error" or "log_loss", a :func:`.make_loss`, or a callable
        `(y_true, y_pred) -> (n_samples,)` of smaller-is-better losses.
    scoring : str, callable, list or dict, default=None
        A scikit-learn scorer in place of `loss`. The losses are minus its score: where
        it is a function of sums, as AUC, F1 and R² are, one for each example, whose
        mean over a split is minus the score; otherwise one for each split, which tests
        that need values of examples do not accept. A list of names, or a dict of name:
        scorer, measures several on each fit.
    params : dict, default=None
        Passed to `fit`, sliced where they have one value per example (such as
        `sample_weight`), otherwise copied for each fit. With metadata routing on,
        routed to estimators and splitter.
    score_params : dict, default=None
        Passed to the scorer, sliced likewise. `sample_weight` also weighs losses: the
        mean over a test set is the weighted mean.
    n_jobs : int, default=None
        Number of (split, estimator) pairs fitted at a time, as in joblib.
    verbose : int, default=0
        Verbosity of joblib.
    pre_dispatch : int or str, default="2*n_jobs"
        Number of tasks dispatched beforehand, as in joblib.
    error_score : "raise" or float, default=nan
        What to do if fitting or predicting fails, or a prediction is not finite: raise,
        or warn and use this value for the losses of the split (with `scoring`, for its
        score).
    memory : str or os.PathLike, default=None
        A folder in which the result of each (split, estimator) is stored as soon as it
        is known, in files that cannot contain executable code. A later call with the
        same name, estimator, data, split, parameters, loss and scikit-learn options
        reads it, unless fitted estimators are requested. Code of installed packages is
        identified by their version, modules of one's own by their text and the code
        that is loaded, with all modules of one's own that they use. Values that code
        changes in another module while it runs are not seen. Several runs can use one
        folder at the same time. Workers must reach the folder.
    return_estimator : bool, default=False
        Whether to keep the fitted estimators.
    per_example : bool, default=True
        Whether to keep the loss of every test example; otherwise only its mean over
        each test set, which is all that most tests need. Those that need more refuse
        the result: KFoldZTest, HoldoutTTest, McNemarTest and DieboldMarianoTest.
    diagnostics : bool, default=True
        Whether rows and losses are looked at, after the fits, for what makes tests too
        optimistic. False looks at nothing.
    progress : bool, default=False
        Whether to show a progress bar of fits, with tqdm; a warning if it is missing.

    Returns
    -------
    losses : CVLosses or dict of str to CVLosses
        The losses, with what is known about the splits; with several scorers, by name.

    Raises
    ------
    TypeError, ValueError
        If an argument is not as described, or the splits are not pairs of
        disjoint index arrays. If all fits fail, the error holds the reasons.

    Warns
    -----
    FitFailedWarning
        If some fits fail and `error_score` is a number.
    FewExamplesWarning
        If a test set has too few examples of a class for values per example of a
        scorer.
    ThresholdWarning
        If a metric of the labels of one class is sensitive to the threshold.
    DependentRowsWarning, GroupLeakWarning
        If rows that belong together are in training and test sets.
    UserWarning
        If a result cannot be stored in `memory`.

    See Also
    --------
    compare_estimators : Also tests the differences.

    Notes
    -----
    The result does not depend on `n_jobs` for estimators with a fixed
    `random_state`. A `sample_weight` in `params` weighs the training examples, one in
    `score_params` the tested ones. For losses x with weights w and the weighted mean m
    over a test set, the values kept are m + (w/w̄)(x - m), whose plain mean is m and
    whose plain variance, over n, is the variance of m: what follows needs no weights.
    Test sets weigh equally, or by their number of examples.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from sklearn.dummy import DummyClassifier
    >>> from sklearn.tree import DecisionTreeClassifier
    >>> from sklearn_cvtest import BlockKFold, cross_val_losses
    >>> X, y = load_iris(return_X_y=True)
    >>> tree = DecisionTreeClassifier(random_state=0)
    >>> losses = cross_val_losses(
    ...     {"tree": tree, "dummy": DummyClassifier()},
    ...     X, y, cv=BlockKFold(5, random_state=0),
    ... )
    >>> losses.values.shape
    (150, 2)
    >>> losses.residuals("tree", "dummy").block_means.round(2)
    array([-0.8 , -0.73, -0.67, -0.7 , -0.63])
    """
    return fit_losses(
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
        return_estimator=return_estimator,
        per_example=per_example,
        diagnostics=diagnostics,
        progress=progress,
    )


def fit_losses(
    estimators,
    X,
    y,
    check=None,
    *,
    groups,
    cv,
    loss,
    scoring,
    params,
    score_params,
    n_jobs,
    verbose,
    pre_dispatch,
    error_score,
    memory,
    return_estimator,
    per_example,
    diagnostics,
    progress,
):
    """Fit as cross_val_losses; check(CVLosses without values) is called before fits."""
    models = name_estimators(estimators)
    is_raise = isinstance(error_score, str) and error_score == "raise"
    if not is_raise and not isinstance(error_score, numbers.Real):
        raise invalid("error_score", "'raise' or a number", error_score)
    for name, value in {"params": params, "score_params": score_params}.items():
        if value is not None and not isinstance(value, dict):
            raise invalid(name, "a dict", value, TypeError)
    params = params or {}
    tables = {f"params[{name!r}]": table for name, table in params.items()}
    weights = (score_params or {}).get("sample_weight")
    check_row_order(X=X, y=y, groups=groups, sample_weight=weights, **tables)
    X, y = as_numpy("X", X), as_numpy("y", y)
    X, y, groups = indexable(X, y, as_numpy("groups", groups))
    n_samples = n_rows(X)
    params = check_params(params, n_samples)
    target = as_target(y, n_samples)
    metrics = choose_metrics(models.values(), target, loss, scoring)
    cv = resolve_cv(cv, models.values(), target, groups)
    for metric in metrics.values():
        if y is None and metric.scorer is None:
            raise invalid("y", f"given for {metric.word}", y)
    routed = route(models, cv, groups, params)
    splits = check_splits(_draw(cv, X, target, routed.split), n_samples)
    design = _design_of(cv, splits, n_samples)
    codes = encode_groups(routed.split.get("groups"), n_samples)
    weight = check_weights(score_params, n_samples)
    for name, metric in metrics.items():
        metric = metric_of_splits(metric, target, splits, per_example, weight)
        metrics[name] = metric
        if check is not None:
            check(_without_values(models, design, metric, codes))
    kept = keep_for_diagnostics(metrics, target)
    if kept == "probabilities" and not diagnostics:
        kept = ""
    data = Data(X, y, target, MetricGroup(metrics, kept), weight)
    loss_of_failure = error_score
    if error_score != "raise":
        sign = 1 if scoring is None else -1
        loss_of_failure = sign * float(error_score)
    fitter = Fitter(
        models,
        routed.fit,
        data,
        loss_of_failure,
        return_estimator,
        open_store(memory, models, routed.fit, data),
    )
    results = fit_all(
        fitter,
        splits,
        n_jobs=n_jobs,
        verbose=verbose,
        pre_dispatch=pre_dispatch,
        progress=progress,
    )
    constant_names = tuple(name for name in models if is_dummy(models[name]))
    by_metric = collect(models, results, data, splits, design, codes, constant_names)
    diagnostics_.warn_of_failures(next(iter(by_metric.values())), len(splits))
    if diagnostics:
        by_metric = look_at_all(by_metric, results, data, splits, codes)
    for name, losses in by_metric.items():
        has_groups = codes is not None and losses.has_whole_groups
        cv_words = describe_splitter(cv, has_groups)
        by_metric[name] = replace(losses, cv_words=cv_words)
    return by_metric if is_several(scoring) else by_metric[name]


def _without_values(models, design, metric, codes):
    """Return CVLosses of no rows."""
    no_rows = np.zeros(0, dtype=int)
    return CVLosses(
        names=tuple(models),
        values=np.zeros((0, len(models))),
        row_split=no_rows,
        design=design,
        metric=metric,
        row_index=no_rows if metric.per_example else None,
        n_groups=count_groups(codes),
    )


def values_of_fits(results, group, splits, number):
    """Return the losses by one of the metrics, or what is kept (-1), of all fits."""
    rows = []
    for fits, (_, test) in zip(results, splits, strict=True):
        columns = [group.split(fit.values, len(test))[number] for fit in fits]
        rows.append(np.column_stack(columns))
    return np.concatenate(rows)


def as_target(y, n_samples, name="y"):
    """Return y as an array, of a single column one-dimensional; zeros without y."""
    if y is None:
        return np.zeros(n_samples)
    try:
        target = np.asarray(y)
        is_missing = np.any(target != target)
    except (TypeError, ValueError):  # pandas.NA has no truth value; ragged lists
        raise invalid(name, "an array without missing values", y) from None
    if is_missing or (target.dtype == object and np.any(np.equal(target, None))):
        raise invalid(name, "given for all rows", y)
    if target.ndim == 2 and target.shape[1] == 1:
        target = target[:, 0]
    if target.dtype == object:
        inferred = np.array(target.tolist())
        target = inferred if inferred.dtype.kind in "biuf" else target
    if target.ndim > 2 or target.dtype.kind in "cMm":
        raise invalid(name, "labels or real numbers", y)
    if target.dtype.kind == "f" and not np.isfinite(target).all():
        raise invalid(name, "finite", target)
    return target


def check_params(params, n_samples):
    """Return parameters, arrays as those of numpy."""
    checked = {}
    for name, value in params.items():
        checked[name] = as_numpy(f"params[{name!r}]", value)
        if name == "sample_weight" and value is not None:
            check_weights({name: checked[name]}, n_samples)
    return checked


def check_weights(score_params, n_samples):
    """Return the weights of examples, None without them."""
    if score_params is None:
        return None
    if set(score_params) != {"sample_weight"}:
        allowed = "None or a dict of `sample_weight` alone"
        raise invalid("score_params", allowed, score_params)
    weight = as_numpy("sample_weight", score_params["sample_weight"])
    weight = check_array("sample_weight", weight, (1,))
    is_usable = np.isfinite(weight).all() and weight.min() >= 0 < weight.max()
    if len(weight) != n_samples or not is_usable:
        allowed = f"{n_samples} weights that are not negative, and not all 0"
        raise invalid("sample_weight", allowed, weight)
    return weight


def metric_of_splits(metric, target, splits, per_example, weight):
    """Return the Metric for these test sets: of few examples, one value a split."""
    check_classes_of_splits(metric, target, splits)
    if per_example and not enough_examples(metric, target, splits):
        diagnostics_.warn_of_small_test_sets(metric)
        per_example = False
    if not per_example and metric.per_example:
        metric = replace(metric, by_split=True)
    if weight is not None:
        word = f"weighted {metric.word}"
        root_word = metric.root_word and f"weighted {metric.root_word}"
        metric = replace(metric, word=word, root_word=root_word, constant=None)
        metric = replace(metric, is_weighted=True)
    return metric


def look_at_all(by_metric, results, data, splits, codes, with_rows=True):
    """Warn of what losses by each metric show, and rows once; return the losses."""
    kept = None
    if data.metrics.kept:
        kept = values_of_fits(results, data.metrics, splits, -1)
    looked_at = {}
    for name, losses in by_metric.items():
        looked_at[name] = look_at(losses, data, codes, splits, kept, with_rows)
        with_rows = False
    return looked_at


def look_at(losses, data, codes, splits, kept, with_rows):
    """Warn of what the losses show; return them with the number of few positives."""
    target, metric = data.target, losses.metric
    losses = replace(
        losses,
        few_positives=diagnostics_.count_few_positives(metric, target, splits),
        loss_of_constant=_loss_of_constant(metric, target),
    )
    if kept is not None and metric.of_one_class and metric.per_example:
        diagnostics_.warn_of_threshold(losses, kept, target)
    if with_rows:
        errors = losses.values if kept is None or metric.of_one_class else kept
        diagnostics_.warn_of_rows(losses, errors, data.X, target, codes, splits)
    return losses


def name_estimators(estimators):
    """Return a dict of name: estimator."""
    if isinstance(estimators, dict):
        models = dict(estimators)
    else:
        if not isinstance(estimators, (list, tuple)):
            estimators = [estimators]
        pairs = estimators
        if not all(isinstance(pair, tuple) for pair in estimators):
            names = [type(estimator).__name__.lower() for estimator in estimators]
            pairs = zip(_numbered(names), estimators, strict=True)
        models = dict(pairs)
        if len(models) < len(estimators):
            raise invalid("estimators", "of different names", list(models))
    for name, estimator in models.items():
        if not isinstance(name, str):
            raise invalid("estimators", "named by strings", name, TypeError)
        is_one = hasattr(estimator, "fit") and hasattr(estimator, "get_params")
        if isinstance(estimator, type) or not is_one:
            raise invalid("estimators", "estimators", estimator, TypeError)
    if not models:
        raise invalid("estimators", "at least one", estimators)
    return models


def _numbered(names):
    """Return names, of which those that are there twice are numbered."""
    counts = Counter(names)
    numbered = []
    for position, name in enumerate(names):
        number = 1 + names[:position].count(name)
        numbered.append(f"{name}-{number}" if counts[name] > 1 else name)
    return numbered


def resolve_cv(cv, estimators, y, groups):
    """Return a splitter, or a list of splits."""
    if cv is not None and not isinstance(cv, (int, np.integer)):
        is_splitter = hasattr(cv, "split") and not isinstance(cv, (str, type))
        if not is_splitter and not hasattr(cv, "__iter__"):
            allowed = "an int, a splitter or an iterable of (train, test)"
            raise invalid("cv", allowed, cv, TypeError)
        return cv if is_splitter else list(cv)
    codes = encode_groups(groups, len(y))
    most = count_groups(codes) or len(y)
    n_repeats = 1
    if cv is None and codes is not None and most <= 5:
        cv = most
    elif cv is None:
        cv, n_repeats = 5, 2
    check_integer("cv", cv, 2)
    if codes is not None and cv > most:
        raise invalid("cv", f"at most the number of groups, {most}", cv)
    stratify = all(map(is_classifier, estimators)) and _fills_folds(y, cv, codes)
    return BlockKFold(cv, n_repeats=n_repeats, stratify=stratify, random_state=0)


def _fills_folds(y, n_splits, codes):
    """Whether there are enough rows, or groups, of classes to stratify."""
    if type_of_target(y) not in ("binary", "multiclass"):
        return False
    classes, counts = np.unique(y, return_counts=True)
    if codes is None:
        return counts.max() >= n_splits
    fewest = min(len(np.unique(codes[y == label])) for label in classes)
    return fewest >= n_splits


class Routed(NamedTuple):
    """What the splitter gets, and what each `fit` gets."""

    split: dict
    fit: list


def route(models, cv, groups, params):
    """Return the metadata for the splitter and each model."""
    if not get_config().get("enable_metadata_routing"):
        split_params = {} if groups is None else {"groups": groups}
        return Routed(split_params, [params] * len(models))
    if groups is not None:
        hint = "Pass params={'groups': groups} when metadata routing is on."
        raise invalid("groups", "None", groups, hint=hint)
    router = MetadataRouter(owner="cross_val_losses")
    if hasattr(cv, "split"):
        mapping = MethodMapping().add(caller="fit", callee="split")
        router.add(splitter=cv, method_mapping=mapping)
    mapping = MethodMapping().add(caller="fit", callee="fit")
    names = [f"estimator_{number}" for number in range(len(models))]
    router.add(**dict(zip(names, models.values(), strict=True)), method_mapping=mapping)
    routed = process_routing(router, "fit", **params)
    split_params = routed["splitter"]["split"] if hasattr(cv, "split") else {}
    return Routed(split_params, [routed[name]["fit"] for name in names])


def _draw(cv, X, y, split_params):
    if not hasattr(cv, "split"):
        return cv
    # Those of scikit-learn that ignore groups would warn; a group on both sides we do.
    if type(cv).__module__.startswith("sklearn."):
        requests = cv.get_metadata_routing().split.requests
        split_params = split_params if requests.get("groups") else {}
    return list(cv.split(X, y, **split_params))


def _design_of(cv, splits, n_samples):
    if isinstance(cv, _Splitter):
        return cv.get_design()
    return recognise_design(splits, n_samples)


def collect(models, results, data, splits, design, codes, constant_names):
    """Return {metric: CVLosses} of all fits."""
    errors = {}
    estimators = {}
    for name, fits in zip(models, zip(*results, strict=True), strict=True):
        reasons = [fit.error for fit in fits if fit.error]
        if reasons:
            errors[name] = reasons
        if fits[0].estimator is not None:
            estimators[name] = [fit.estimator for fit in fits]
    n_test = np.array([len(test) for _, test in splits])
    rows = np.concatenate([test for _, test in splits])
    by_metric = {}
    for number, (name, metric) in enumerate(data.metrics.metrics.items()):
        per_example = metric.per_example
        n_values = n_test if per_example else np.ones_like(n_test)
        by_metric[name] = CVLosses(
            names=tuple(models),
            values=values_of_fits(results, data.metrics, splits, number),
            row_split=np.repeat(np.arange(len(splits)), n_values),
            design=design,
            metric=metric,
            row_index=rows if per_example else None,
            groups=codes[rows] if per_example and codes is not None else None,
            n_train=np.array([len(train) for train, _ in splits]),
            n_test=n_test,
            n_samples=len(data.target),
            n_counted=count_rarest(metric, data.target, rows, codes),
            n_groups=count_groups(codes),
            fit_time=np.array([[fit.fit_time for fit in fits] for fits in results]),
            errors=errors,
            estimators=estimators,
            constant_names=constant_names,
        )
    return by_metric


def is_dummy(model):
    """Whether a model predicts a constant."""
    return isinstance(model, (DummyClassifier, DummyRegressor))


def _loss_of_constant(metric, y):
    if metric.constant is None or np.ndim(y) > 1:
        return None
    return float(metric.constant(y))
