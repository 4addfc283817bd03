"""What is proposed, and in what it differs from something else."""

import hashlib
import uuid

from sklearn.base import clone

from .._store._fingerprint import UnknownContentError, fingerprint
from .._validation import invalid, one_line

LONGEST = 120  # characters of the value of a parameter


def cloned(estimator):
    """Return a clone of an estimator and its fingerprint."""
    allowed = "a scikit-learn estimator that can be cloned"
    if not hasattr(estimator, "fit") or isinstance(estimator, type):
        raise invalid("estimator", allowed, estimator, TypeError)
    try:
        estimator = clone(estimator)
    except (TypeError, RuntimeError) as error:
        raise invalid("estimator", allowed, estimator, TypeError, str(error)) from None
    try:
        return estimator, fingerprint(estimator)
    except UnknownContentError:  # then it is like no other
        return estimator, uuid.uuid4().hex


def known_content(name, value):
    """Return the fingerprint of an argument."""
    try:
        return fingerprint(value)
    except UnknownContentError as error:
        allowed = "something whose content can be known"
        raise invalid(name, allowed, value, hint=f"({error})") from None


def params_of(estimator, with_values):
    """Return {name: value as text, or its hash}; of parts, what they are."""
    shown = {"": type(estimator).__name__}
    for name, value in sorted(getattr(estimator, "get_params", dict)().items()):
        text = one_line(repr(value))[:LONGEST]
        if hasattr(value, "get_params"):
            text = type(value).__name__
        elif not with_values:
            text = "#" + hashlib.blake2b(text.encode(), digest_size=8).hexdigest()
        if not isinstance(value, list):  # of parts, which are there by their names
            shown[name] = text
    return shown


def changes(old, new):
    """Return which parameters differ, as texts; the class alone if it does."""
    if not old or old[""] != new[""]:
        return (f"{old['']} → {new['']}",) if old else ()
    names = sorted(n for n in old.keys() | new.keys() if old.get(n) != new.get(n))
    found = []
    for name in names:
        text = f"{name}: {old.get(name, '–')} → {new.get(name, '–')}"
        if name.rpartition("__")[0] not in names:  # else the part as a whole is new
            found.append(name if " #" in text else text)
    return tuple(found)
