"""Parameters of tests: what checks each stands in the metadata of its field."""

import numbers
from dataclasses import fields
from functools import partial

from sklearn.base import BaseEstimator, clone

from .._validation import check_option

NUMBERS = (float, numbers.Integral)  # with which NumPy computes


def checked_by(check, **limits):
    """Return the metadata of a field of which `check(name, value, **limits)` is true.

    Parameters
    ----------
    check : callable
        Raises a TypeError or ValueError if a value is not allowed.
    **limits : dict
        What else it takes, such as `above=0`.
    """
    return {"check": partial(check, **limits)}


def one_of(*options):
    """Return the metadata of a field that is one of these strings."""
    return checked_by(check_option, options=options)


def check_parameters(test):
    """Check the parameters of a test by the metadata of its fields."""
    for parameter in fields(test):
        check = parameter.metadata.get("check")
        if check is not None:
            check(parameter.name, getattr(test, parameter.name))


def with_floats(test):
    """Return a test whose numbers are floats, itself if they are.

    A Fraction is a real number, too, which NumPy cannot compute with.
    """
    changed = {}
    for name, value in vars(test).items():
        if name[0] == "_" or name[-1] == "_":  # no parameter
            continue
        if isinstance(value, BaseEstimator):  # the test that a test is made of
            inner = with_floats(value)
            if inner is not value:
                changed[name] = inner
        elif isinstance(value, numbers.Real) and not isinstance(value, NUMBERS):
            changed[name] = float(value)
    if not changed:
        return test
    return clone(test).set_params(**changed)
