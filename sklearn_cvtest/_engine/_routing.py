"""Where groups, sample weights and other metadata go."""

from typing import NamedTuple

import numpy as np
from sklearn.exceptions import UnsetMetadataPassedError
from sklearn.utils import metadata_routing as routing

from .._compat import n_rows, own, own_rows, routing_enabled, take_rows
from .._validation import (
    as_data,
    check_real_array,
    invalid,
    invalid_words,
    warn,
)
from ..exceptions import ValidationLeakWarning
from ._fit_messages import same_validation_rows


class _RoutedParams(NamedTuple):
    split: dict
    fit: list
    score: list


def route(estimators, cv, measures, groups, params, score_params, n_samples):
    """Return the metadata for the splitter, each estimator and each measure."""
    params = _check_params("params", params, n_samples)
    _warn_of_validation_rows(params)
    weights = _check_score_params(score_params, measures, n_samples)
    if not routing_enabled():
        return _RoutedParams(
            split={} if groups is None else {"groups": groups},
            fit=[params] * len(estimators),
            score=[weights] * len(measures),
        )
    if groups is not None:
        raise ValueError(
            "`groups` must be passed as params={'groups': groups} when metadata "
            "routing is enabled; got it as a separate argument."
        )
    router = routing.MetadataRouter(owner="cross_val_losses")
    _add_callee(router, "splitter", cv, "split")
    for number, estimator in enumerate(estimators.values()):
        _add_callee(router, f"estimator_{number}", estimator, "fit")
    for number, measure in enumerate(measures):
        if measure.is_score:
            _add_callee(router, f"scorer_{number}", measure.scorer, "score")
    try:
        routed = routing.process_routing(router, "fit", **params)
    except (UnsetMetadataPassedError, TypeError) as error:
        text = str(error).replace("cross_val_losses.fit", "cross_val_losses")
        error.args = (text,)
        raise error from None
    fit_params = []
    for number in range(len(estimators)):
        fit_params.append(routed[f"estimator_{number}"]["fit"])
    params_of_measures = []
    for number, measure in enumerate(measures):
        scorer_params = {}
        if measure.is_score:
            scorer_params = routed[f"scorer_{number}"]["score"]
        params_of_measures.append({**scorer_params, **weights})
    return _RoutedParams(
        split=routed["splitter"]["split"], fit=fit_params, score=params_of_measures
    )


def _add_callee(router, name, called, method):
    """Let a router pass metadata on to a method of what is called."""
    mapping = routing.MethodMapping().add(caller="fit", callee=method)
    router.add(method_mapping=mapping, **{name: called})


# What `fit` of LightGBM, XGBoost, CatBoost, Keras and scikit-learn stops early by.
VALIDATION = {"eval_set", "eval_X", "X_val", "validation_data"}


def _warn_of_validation_rows(params):
    """Warn of rows that are the same in all fits, and choose the rounds of each."""
    names = [name for name in params if name.rpartition("__")[2] in VALIDATION]
    if names:
        warn(same_validation_rows(names[0]), ValidationLeakWarning)


def _check_params(parameter, params, n_samples):
    """Return a checked dict of what is passed on.

    Refused is what could be mistaken for something else than one value per example.
    """
    params = {} if params is None else params
    if not isinstance(params, dict):
        raise invalid(parameter, "a dict or None", params, TypeError)
    checked = {}
    for name, value in params.items():
        if not isinstance(name, str):
            raise invalid(parameter, "a dict with strings for keys", name, TypeError)
        where = f"{parameter}[{name!r}]"
        checked[name] = value = as_data(where, value)
        if np.ma.is_masked(value):
            raise invalid_words(where, "without masked values", "a masked array")
        if name.rpartition("__")[2] == "sample_weight" and hasattr(value, "__len__"):
            _check_length(where, value, n_samples)
    return checked


def _check_length(name, weight, n_samples):
    if len(weight) != n_samples:
        allowed = f"one weight for each of the {n_samples} examples"
        raise invalid_words(name, allowed, f"{len(weight)} weights")


def _check_score_params(score_params, measures, n_samples):
    """Return a checked copy of what is passed to scorers, or weighs losses."""
    params = _check_params("score_params", score_params, n_samples)
    others = sorted(set(params) - {"sample_weight"})
    if others and not all(measure.is_score for measure in measures):
        allowed = "a dict of `sample_weight` alone, which is all that a loss takes"
        raise invalid("score_params", allowed, others)
    weight = params.pop("sample_weight", None)
    if weight is not None:
        name = "score_params['sample_weight']"
        params["sample_weight"] = check_weights(name, weight, n_samples)
    return params


def check_weights(name, weight, n_samples):
    """Return checked weights of losses; errors call them `name`."""
    weight = check_real_array(name, weight, (1,))
    _check_length(name, weight, n_samples)
    is_finite = np.isfinite(weight).all()
    if not is_finite or weight.min() < 0 or weight.max() == 0:
        allowed = "finite, not negative, and not all zero"
        raise invalid(name, allowed, weight)
    return weight


def slice_params(params, indices, n_samples):
    """Take the rows of those parameters that have one value per example.

    The others are copied: a fit may write to them, which is not to reach the caller or
    the next fit.
    """
    sliced = {}
    for name, value in params.items():
        if _is_per_example(value, n_samples):
            sliced[name] = own_rows(take_rows(value, indices))
        else:
            sliced[name] = own(value)
    return sliced


def _is_per_example(value, n_samples):
    """Whether a parameter has a value for each example."""
    if isinstance(value, (str, bytes, dict)):
        return False
    if not hasattr(value, "__len__") and not hasattr(value, "shape"):
        return False
    is_scalar = getattr(value, "shape", None) == ()
    return not is_scalar and n_rows(value) == n_samples
