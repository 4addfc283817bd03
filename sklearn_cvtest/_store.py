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
FACTS = [
    "word",
    "low",
    "high",
    "is_score",
    "is_share",
    "by_ratio",
    "is_weighted",
    "root_word",
    "rho",
]


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
        write_content(path, type(self).__name__, self.to_content())

    def to_content(self):
        """Return all that makes the comparison, as JSON types."""
        test = self._asked_test
        if test is not None and type(test).__name__ not in ALL_TESTS:
            raise TypeError(f"Only tests of sklearn_cvtest can be saved; got {test!r}.")
        return {
            "losses": _encode_losses(self.losses),
            "test": None if test is None else _encode_test(test),
            "options": {
                "reference": self.reference,
                "p_adjust": self.p_adjust,
                "alpha": self.alpha,
            },
        }

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
        return read_content(path, cls.__name__, cls.of_content)

    @classmethod
    def of_content(cls, content):
        """Return the comparison of what :meth:`to_content` returns."""
        test = content["test"]
        if test is not None:
            test = _decode_test(test)
        losses = _decode_losses(content["losses"])
        return cls(losses, test=test, **content["options"])


def write_content(path, noun, content):
    """Write what makes a result."""
    content = {"format": FORMAT, "kind": noun} | content
    content["sha256"] = _digest(content)
    write_file(path, json.dumps(content, default=np.generic.item))


def read_content(path, noun, make):
    """Return the result that is made of the content of a file."""
    if not stat.S_ISREG(os.stat(Path(path)).st_mode):
        raise invalid("path", f"the file of a {noun}", path)
    try:
        content = json.loads(Path(path).read_text(encoding="utf-8"))
        digest = content.pop("sha256")
        is_intact = content["format"] == FORMAT and digest == _digest(content)
        if not is_intact or content["kind"] != noun:
            raise ValueError
        return make(content)
    except (
        ValueError,
        LookupError,
        TypeError,
        AttributeError,
        RecursionError,
        OverflowError,
    ):
        raise invalid("path", f"the intact file of a {noun}", path) from None


def _digest(content):
    return hashlib.sha256(
        json.dumps(content, default=np.generic.item).encode()
    ).hexdigest()


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
    encoded["metric"] = facts_of(losses.metric)
    return encoded


def facts_of(metric):
    """Return what a metric is, as JSON types."""
    return {name: getattr(metric, name) for name in ("name", *FACTS)}


def metric_of(facts):
    """Return the Metric of its facts."""
    row = BY_NAME.get(facts["name"], Metric(function=None, **facts))
    return replace(row, **facts)


def _decode_losses(encoded):
    values = {}
    for name, value in encoded.items():
        if isinstance(value, dict) and "array" in value:
            value = np.array(value["array"], dtype=value["dtype"])
        values[name] = value
    values["metric"] = metric_of(values["metric"])
    values["design"] = Design(*values["design"])
    values["names"] = tuple(values["names"])
    return CVLosses(**values)
