"""Which tests of which pairs: chosen by the user or by the design, saved by name."""

from itertools import combinations

from sklearn.base import BaseEstimator

from .. import _inference
from .._inference import (
    BaseCVTest,
    ConservativeZTest,
    CorrectedRepeatedKFoldTTest,
    CorrectedResampledTTest,
    FiveByTwoFTest,
    HoldoutTTest,
    IntegratedRhoTest,
    KFoldTTest,
)
from .._validation import invalid

__all__ = ["choose_pairs", "choose_tests", "decode_test", "encode_test"]


def choose_tests(test, design, per_example, alpha, *, parameter="test"):
    """Return a dict of unfitted tests by name, each checked against the design."""
    if test is None:
        test = _default_test(design, per_example, alpha)
    if isinstance(test, dict):
        named = dict(test)
    elif isinstance(test, (list, tuple)):
        named = _name_tests(test)
    else:
        named = _name_tests([test])
    if not named:
        raise invalid(parameter, "at least one test", test)
    for name, one in named.items():
        if not isinstance(one, BaseCVTest):
            hint = "Pass an instance." if isinstance(one, type) else ""
            raise invalid(
                parameter,
                "a test such as KFoldTTest(), a list or a dict of them, or None",
                one,
                TypeError,
                hint,
            )
        if not isinstance(name, str):
            raise invalid(parameter, "named by strings", name, TypeError)
        one._check_params()
        one.check_design(design, per_example)
    return named


def _default_test(design, per_example, alpha):
    """Return the test for a design, as listed in `compare_estimators`."""
    tests = {
        "k-fold": KFoldTTest,
        "repeated k-fold": CorrectedRepeatedKFoldTTest,
        "subsample": CorrectedResampledTTest,
        "5x2": FiveByTwoFTest,
        "holdout": HoldoutTTest,
        "paired halves": IntegratedRhoTest,
    }
    kind = design.kind
    if kind not in tests:
        raise ValueError(
            f"No test is valid for {design}: training sets always come before their "
            "test sets (a time series), differ in size by more than half, or hold an "
            "example twice. Use splits that are (repeated) K-folds or subsamples."
        )
    if kind == "paired halves" and (design.base != "k-fold" or not per_example):
        return ConservativeZTest(alpha=alpha)
    return tests[kind](alpha=alpha)


def _name_tests(tests):
    """Name tests by their repr, numbered where that is not enough."""
    names = [
        " ".join(repr(test).split()) if isinstance(test, BaseCVTest) else str(number)
        for number, test in enumerate(tests)
    ]
    named = {}
    for name, test in zip(names, tests, strict=True):
        number = 2
        unique = name
        while unique in named:
            unique = f"{name} ({number})"
            number += 1
        named[unique] = test
    return named


def choose_pairs(names, reference):
    """Return all pairs of names in order, or those of the reference with the rest."""
    if reference is None:
        return list(combinations(names, 2))
    if not isinstance(reference, str):
        raise invalid("reference", "the name of an estimator", reference, TypeError)
    if reference not in names:
        allowed = "one of " + ", ".join(map(repr, names))
        raise invalid("reference", allowed, reference)
    return [(reference, name) for name in names if name != reference]


def encode_test(test):
    """Return a test of this package as JSON types."""
    name = type(test).__name__
    if getattr(_inference, name, None) is not type(test):
        raise TypeError(
            f"Only tests of sklearn_cvtest can be saved; got {name}. Save the losses "
            "with `losses.save` instead."
        )
    params = {
        key: encode_test(value) if isinstance(value, BaseEstimator) else value
        for key, value in test.get_params(deep=False).items()
    }
    return {"class": name, "params": params}


def decode_test(encoded):
    name, params = encoded["class"], encoded["params"]
    if name not in _inference.__all__ or not isinstance(params, dict):
        raise ValueError(f"no test is called {name!r}")
    params = {
        key: decode_test(value) if isinstance(value, dict) else value
        for key, value in params.items()
    }
    return getattr(_inference, name)(**params)
