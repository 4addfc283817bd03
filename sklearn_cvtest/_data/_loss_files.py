"""Losses in files, and whether what is read from one fits together."""

from dataclasses import replace

import numpy as np

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
    if not isinstance(header["estimator_names"], list):
        raise ValueError("estimator_names not as saved")
    fields["estimator_names"] = tuple(header["estimator_names"])
    fields["rests_on"] = _rests_on(header)
    fields["of_constant"] = header.get("of_constant")
    losses = make(**fields | dict.fromkeys(_LOSS_ARRAYS) | arrays)
    _check_as_saved(losses)
    return replace(losses, value_range=ends_of_json(header["value_range"]))


def _rests_on(header):
    """Return what scores rest on; nothing where older files do not say it."""
    is_known = is_mean(str(header["loss_name"]), header["is_score"])
    rests_on = header.get("rests_on", None if is_known else NOTHING)
    return rests_on if rests_on is None else tuple(rests_on)


def _check_as_saved(losses):
    """Raise a ValueError unless the fields of a CVLosses are such as files hold."""
    checks = {**_labels_fit(losses), **_sizes_fit(losses), **_values_fit(losses)}
    wrong = [name for name, fits in checks.items() if not fits]
    if wrong:
        raise ValueError(f"{', '.join(wrong)} not as saved")


def _labels_fit(losses):
    names, split_hash = losses.estimator_names, losses.split_hash
    ends = losses.value_range
    return {
        "estimator_names": all(isinstance(name, str) for name in names)
        and 0 < len(names) == len(set(names)),
        "estimators": losses.estimators is None,
        "errors": losses.errors is None,
        "split_hash": isinstance(split_hash, str)
        or (_is_unsized(losses) and split_hash is None),
        "loss_name": isinstance(losses.loss_name, str),
        "per_example": isinstance(losses.per_example, bool),
        "is_score": isinstance(losses.is_score, bool),
        "is_weighted": isinstance(losses.is_weighted, bool),
        "tested_groups": losses.tested_groups is None
        or type(losses.tested_groups) is int,
        "value_range": isinstance(ends, (list, tuple))
        and len(ends) == 2
        and all(end is None or type(end) is float for end in ends),
        "cv_description": isinstance(losses.cv_description, str | None),
        "labels_from": isinstance(losses.labels_from, str | None),
        "of_constant": isinstance(losses.of_constant, float | None),
        "rests_on": losses.rests_on is None
        or (
            len(losses.rests_on) == 3
            and all(type(n) is float and 0 <= n < np.inf for n in losses.rests_on)
        ),
    }


def _is_unsized(losses):
    """Whether the splits may not be known: of splits, or of examples of a table."""
    return losses.per_example is not True or losses.split_hash is None


def _sizes_fit(losses):
    n_samples, design, unsized = losses.n_samples, losses.design, _is_unsized(losses)
    n_splits, n_estimators = len(losses.fit_time), len(losses.estimator_names)
    no_n_train = unsized or design.kind == "holdout"
    return {
        "n_samples": (unsized and n_samples is None)
        or (type(n_samples) is int and n_samples > 0),
        "n_train": _are_sizes(losses.n_train, n_splits, no_n_train),
        "n_test": _are_sizes(losses.n_test, n_splits, unsized),
        "design": design.n_total in (None, n_splits),
        "fit_time": _is_array(losses.fit_time, "f", (n_splits, n_estimators)),
        "score_time": _is_array(losses.score_time, "f", (n_splits, n_estimators)),
        "fit_failed": _is_array(losses.fit_failed, "b", (n_splits, n_estimators)),
    }


def _values_fit(losses):
    n_splits, index, groups = len(losses.fit_time), losses.row_index, losses.groups
    of_examples = losses.per_example is True
    sizes = losses.n_test if of_examples else np.ones(n_splits, dtype=int)
    n_rows = sizes.sum()
    shape = n_rows, len(losses.estimator_names)
    return {
        "losses": _is_array(losses.losses, "f", shape),
        # there are so many rows only if there is an array of them
        "row_split": _is_array(losses.row_split, "iu", (n_rows,))
        and np.array_equal(losses.row_split, np.repeat(np.arange(n_splits), sizes)),
        "row_index": index is None
        if not of_examples
        else _is_array(index, "iu", (n_rows,))
        and index.min() >= 0
        and index.max() < losses.n_samples,
        "groups": groups is None
        or (of_examples and _is_array(groups, "iu", (n_rows,)) and groups.min() >= 0),
    }


def _are_sizes(sizes, n_splits, may_be_none):
    if sizes is None:
        return may_be_none
    return _is_array(sizes, "iu", (n_splits,)) and sizes.min() > 0


def _is_array(value, kinds, shape):
    return (
        isinstance(value, np.ndarray)
        and value.dtype.kind in kinds
        and value.shape == shape
    )
