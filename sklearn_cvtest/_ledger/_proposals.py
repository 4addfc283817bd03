"""A proposal that is being tried, and what the file says of it."""

import base64
import os
import tempfile
import uuid
from dataclasses import dataclass
from typing import Any

from sklearn.base import clone

from .._results._cross_val_interval import CrossValInterval
from .._store._fingerprint import UnknownContentError, fingerprint
from .._validation import invalid, one_line

LONGEST = 120  # characters of the value of a parameter


@dataclass
class Trial:
    """A proposal that is being tried."""

    name: str
    estimator: Any
    key: str
    seconds: float = 0.0
    failure: str | None = None
    measure: list | None = None

    @classmethod
    def of(cls, name, estimator):
        """Return a proposal from a name and an estimator, checked."""
        if not hasattr(estimator, "fit") or isinstance(estimator, type):
            raise invalid("estimator", "a scikit-learn estimator", estimator, TypeError)
        try:
            estimator = clone(estimator)
        except (TypeError, RuntimeError) as error:
            allowed, hint = "an estimator that can be cloned", str(error)
            raise invalid("estimator", allowed, estimator, TypeError, hint) from None
        try:
            key = fingerprint(estimator)
        except UnknownContentError:  # then it is like no other
            key = uuid.uuid4().hex
        return cls(name, estimator, key)


def known_content(name, value):
    """Return the fingerprint of an argument."""
    try:
        return fingerprint(value)
    except UnknownContentError as error:
        allowed = "something whose content can be known"
        raise invalid(name, allowed, value, hint=f"({error})") from None


def params_of(estimator):
    """Return the parameters of an estimator as texts; of parts, what they are."""
    params = estimator.get_params(deep=True) if hasattr(estimator, "get_params") else {}
    parts = [name for name, value in params.items() if hasattr(value, "get_params")]
    holds_parts = {
        name
        for name, value in params.items()
        if isinstance(value, list | tuple) and any(p in repr(value) for p in parts)
    }
    shown = {
        name: type(value).__name__ if name in parts else one_line(repr(value))[:LONGEST]
        for name, value in sorted(params.items())
        if name not in holds_parts
    }
    return {"": type(estimator).__name__} | shown


def changes(old, new):
    """Return which parameters differ, as texts; the class alone if it does."""
    if not old or old[""] != new[""]:
        return (f"{old['']} → {new['']}",) if old else ()
    same = {name for name in old if old[name] == new.get(name)}
    found = []
    for name in sorted((old.keys() | new.keys()) - same):
        owner = name.rpartition("__")[0]
        if not owner or owner in same:  # otherwise all that it has is new
            found.append(f"{name}: {old.get(name, '–')} → {new.get(name, '–')}")
    return tuple(found)


def as_text(result):
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "look.npz")
        result.save(path)
        with open(path, "rb") as file:
            return base64.b64encode(file.read()).decode()


def from_text(text):
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "look.npz")
        with open(path, "wb") as file:
            file.write(base64.b64decode(text))
        return CrossValInterval.load(path)
