"""Losses in files, and whether what is read from one fits together."""

from dataclasses import replace

from .._losses._bounds import NOTHING, is_mean
from .._splits._design import Design
from .._store._files import ends_of_json, ends_to_json

_LOSS_ARRAYS = (
    "losses",
    "row_split",
    "row_index",
    "n_train",
    "n_test",
    "fit_time",
    "score_time",
    "fit_failed",
    "groups",
)


def losses_to_parts(losses):
    """Return the header and the arrays that files hold of CVLosses."""
    header = {
        "estimator_names": list(losses.estimator_names),
        "n_samples": losses.n_samples,
        "design": losses.design.to_dict(),
        "split_hash": losses.split_hash,
        "loss_name": losses.loss_name,
        "per_example": losses.per_example,
        "is_score": losses.is_score,
        "is_weighted": losses.is_weighted,
        "tested_groups": losses.tested_groups,
        "value_range": ends_to_json(losses.value_range),
        "cv_description": losses.cv_description,
        "labels_from": losses.labels_from,
        "rests_on": None if losses.rests_on is None else list(losses.rests_on),
        "of_constant": losses.of_constant,
    }
    arrays = {name: getattr(losses, name) for name in _LOSS_ARRAYS}
    return header, {name: array for name, array in arrays.items() if array is not None}


def losses_of_parts(make, header, arrays):
    """Return losses, made of what files hold; an error if that does not fit."""
    fields = dict(header, design=Design(**header["design"]))
    fields["estimator_names"] = tuple(header["estimator_names"])
    fields["rests_on"] = _rests_on(header)
    fields["of_constant"] = header.get("of_constant")
    losses = make(**fields | dict.fromkeys(_LOSS_ARRAYS) | arrays)
    return replace(losses, value_range=ends_of_json(header["value_range"]))


def _rests_on(header):
    """Return what scores rest on; nothing where older files do not say it."""
    is_known = is_mean(str(header["loss_name"]), header["is_score"])
    rests_on = header.get("rests_on", None if is_known else NOTHING)
    return rests_on if rests_on is None else tuple(rests_on)
