"""Saving and loading comparisons as JSON, which can hold no code."""

import json
from dataclasses import astuple, fields, replace
from pathlib import Path

import numpy as np

from ._data import CVLosses
from ._design import Design
from ._inference import ALL_TESTS
from ._metrics import BY_NAME, Metric

FORMAT = "sklearn_cvtest 1"
FACTS = ["word", "low", "high", "is_score", "is_share", "by_ratio", "root_word", "rho"]


class Saved:
    """A comparison that can be saved."""

    def save(self, path):
        """Write a file, whole or not at all."""
        test = self._asked_test
        if test is not None and type(test).__name__ not in ALL_TESTS:
            raise TypeError(f"Only tests of sklearn_cvtest can be saved; got {test!r}.")
        content = {
            "format": FORMAT,
            "losses": _encode_losses(self.losses),
            "test": None if test is None else _encode_test(test),
            "options": {
                "reference": self.reference,
                "p_adjust": self.p_adjust,
                "alpha": self.alpha,
            },
        }
        Path(path).write_text(json.dumps(content), encoding="utf-8")

    @classmethod
    def load(cls, path):
        """Return the header and the arrays of a file, both empty if it is not intact.

        `expected` are dtype and shape of each array, by name.
        """
        try:
            content = json.loads(Path(path).read_text(encoding="utf-8"))
            is_right = content["format"] == FORMAT
        except (ValueError, KeyError, TypeError):
            is_right = False
        if not is_right:
            raise ValueError(f"{path} holds no comparison of sklearn_cvtest.")
        test = content["test"]
        if test is not None:
            test = _decode_test(test)
        losses = _decode_losses(content["losses"])
        return cls(losses, test=test, **content["options"])


def _encode_test(test):
    params = test.get_params(deep=False)
    if "test" in params:  # of an equivalence test
        params["test"] = _encode_test(params["test"])
    return {"class": type(test).__name__, "params": params}


def _decode_test(encoded):
    params = dict(encoded["params"])
    if "test" in params:
        params["test"] = _decode_test(params["test"])
    return ALL_TESTS[encoded["class"]](**params)


def _encode_losses(losses):
    encoded = {}
    losses = replace(losses, estimators={})  # fitted models are not written
    for field in fields(CVLosses):
        value = getattr(losses, field.name)
        if isinstance(value, np.ndarray):
            value = {"array": value.tolist(), "dtype": value.dtype.str}
        encoded[field.name] = value
    encoded["design"] = astuple(losses.design)
    metric = {name: getattr(losses.metric, name) for name in FACTS}
    encoded["metric"] = metric | {"name": losses.metric.name}
    return encoded


def _decode_losses(encoded):
    values = {}
    for name, value in encoded.items():
        if isinstance(value, dict) and "array" in value:
            value = np.array(value["array"], dtype=value["dtype"])
        values[name] = value
    metric = values["metric"]
    row = BY_NAME.get(metric["name"], Metric(function=None, **metric))
    values["metric"] = replace(row, **metric)
    values["design"] = Design(*values["design"])
    values["names"] = tuple(values["names"])
    return CVLosses(**values)
