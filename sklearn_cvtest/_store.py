"""Saving and loading comparisons as JSON, which can hold no code."""

import hashlib
import json
import os
import stat
from dataclasses import astuple, fields, replace
from pathlib import Path

import numpy as np

from ._compat import write_file
from ._data import CVLosses
from ._design import Design
from ._inference import ALL_TESTS
from ._metrics import BY_NAME, Metric
from ._validation import invalid

FORMAT = "sklearn_cvtest 1"
FACTS = ["word", "low", "high", "is_score", "is_share", "by_ratio", "root_word", "rho"]


class Saved:
    """A comparison that can be saved."""

    def save(self, path):
        """Write a file that :func:`load` reads, without executable code.

        Parameters
        ----------
        path : str or os.PathLike
            The file, replaced if it exists.

        Raises
        ------
        TypeError
            If the test is not one of this package.
        """
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
        content["sha256"] = _digest(content)
        write_file(path, json.dumps(content))

    @classmethod
    def load(cls, path):
        """Read a comparison that :meth:`save` has written.

        Parameters
        ----------
        path : str or os.PathLike
            The file.

        Returns
        -------
        comparison : Comparison
            The comparison, with the same numbers.

        Raises
        ------
        ValueError
            If the file holds no comparison, or is damaged.
        """
        if not stat.S_ISREG(os.stat(path).st_mode):
            raise invalid("path", "the file of a comparison", path)
        try:
            content = json.loads(Path(path).read_text(encoding="utf-8"))
            digest = content.pop("sha256")
            is_intact = content["format"] == FORMAT and digest == _digest(content)
            if not is_intact:
                raise ValueError
            test = content["test"]
            if test is not None:
                test = _decode_test(test)
            losses = _decode_losses(content["losses"])
            return cls(losses, test=test, **content["options"])
        except (ValueError, LookupError, TypeError, AttributeError, RecursionError):
            allowed = f"the intact file of a comparison ({FORMAT})"
            raise invalid("path", allowed, path) from None


def _digest(content):
    return hashlib.sha256(json.dumps(content).encode()).hexdigest()


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
