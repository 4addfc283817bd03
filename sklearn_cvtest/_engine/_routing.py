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
        split = {} if groups is None else {"groups": groups}
        return _RoutedParams(
            split, [params] * len(estimators), [weights] * len(measures)
        )
    if groups is not None:
        raise ValueError(
            "`groups` must be passed as params={'groups': groups} when metadata "
            "routing is enabled; got it as a separate argument."
        )
    objects = {"splitter": cv}
    objects |= {f"estimator_{i}": e for i, e in enumerate(estimators.values())}
    objects |= {f"scorer_{i}": m.scorer for i, m in enumerate(measures) if m.is_score}
    callees = {"splitter": "split", "estimator": "fit", "scorer": "score"}
    router = routing.MetadataRouter(owner="cross_val_losses")
    for name, value in objects.items():
        callee = callees[name.partition("_")[0]]
        mapping = routing.MethodMapping().add(caller="fit", callee=callee)
        router.add(method_mapping=mapping, **{name: value})
    try:
        routed = routing.process_routing(router, "fit", **params)
    except (UnsetMetadataPassedError, TypeError) as error:
        error.args = (str(error).replace("cross_val_losses.fit", "cross_val_losses"),)
        raise error from None
    to_fit = [routed[f"estimator_{i}"]["fit"] for i in range(len(estimators))]
    to_score = [
        {**(routed[f"scorer_{i}"]["score"] if measure.is_score else {}), **weights}
        for i, measure in enumerate(measures)
    ]
    return _RoutedParams(routed["splitter"]["split"], to_fit, to_score)


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
    if not (np.isfinite(weight).all() and weight.min() >= 0 and weight.max() > 0):
        allowed = "finite, not negative, and not all zero"
        raise invalid(name, allowed, weight)
    return weight


def slice_params(params, indices, n_samples):
    """Take the rows of those parameters that have one value per example.

    The others are copied: a fit may write to them, which is not to reach the caller or
    the next fit.
    """
    return {
        name: own_rows(take_rows(value, indices))
        if _is_per_example(value, n_samples)
        else own(value)
        for name, value in params.items()
    }


def _is_per_example(value, n_samples):
    if isinstance(value, (str, bytes, dict)) or not (
        hasattr(value, "__len__") or hasattr(value, "shape")
    ):
        return False
    return getattr(value, "shape", None) != () and n_rows(value) == n_samples
