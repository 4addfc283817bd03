"""Random calls of all that is public: a sane result, or an error that says why not.

Callables are found in `__all__`, their parameters by `inspect`. A call is one that
works, of bad_input_calls.py, with some arguments changed, or is made up; values come
from a pool of good and bad ones, by the name of the parameter or any. A call is known
by the seed and its number and can be made again.

Run: python tests/test_fuzz_calls.py [--calls 2000] [--seed SEED] [--only NUMBER]
"""

import argparse
import contextlib
import decimal
import fractions
import functools
import inspect
import os
import re
import secrets
import signal
import sys
import tempfile
import traceback
import warnings
from collections.abc import Mapping

import matplotlib as mpl
import numpy as np
import pandas as pd
from bad_input_calls import (
    CALLS,
    COMPARISON,
    LOSSES,
    REPLICATIONS,
    RESIDUALS,
    SPLITS,
    STRUCTURE,
    X,
    Y,
    normal,
)
from bad_input_table import FLAGS
from common import MADE_BY_THE_PACKAGE, PACKAGE, PUBLIC
from scipy import sparse
from sklearn.exceptions import NotFittedError
from sklearn.linear_model import Ridge
from sklearn.model_selection import KFold, ShuffleSplit
from sklearn.model_selection._search import BaseSearchCV
from sklearn.naive_bayes import GaussianNB
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

import sklearn_cvtest
from sklearn_cvtest.results import BaseCVTest

SECONDS = 60  # a call that takes longer hangs
# Errors with which a call may end; others are mistakes of the package.
ALLOWED = (TypeError, ValueError, OSError, NotFittedError, ImportError, KeyError)
# Sentences of errors about no one parameter, or of Python, NumPy and scikit-learn.
KNOWN = re.compile(
    r"`[^`]+`"  # a parameter
    r"|All fits failed|missing \d+ required|unexpected keyword|positional argument"
    r"|fits? of every estimator failed|[Rr]esiduals|estimators? |design|not fitted"
    r"|raised by (estimator|data set|the predictions)"
    r"|has no picture|has several columns|cannot be read|\(pass \w+="
    r"|truth value of an array|unhashable type"
)
# Values that a parameter of that name may well have, beside those of CALLS.
GOOD = {
    "alternative": ["two-sided", "less", "greater"],
    "cv": [5, KFold(3), ShuffleSplit(4, random_state=0), sklearn_cvtest.FiveByTwo()],
    "design": ["k-fold", "subsample", "holdout", "5x2"],
    "error_score": ["raise", np.nan, 0.0],
    "groups": [np.arange(len(Y)) // 3],
    "loss": ["auto", "zero_one", "squared_error", "log_loss", np.subtract],
    "method": ["holm", "hochberg", "fdr_bh", "exact", "mid-p", "chi2"],
    "n_repeats": [1, 2, 3],
    "n_replications": [1, 2, 30],
    "n_splits": [2, 3, 5],
    "n_test": [5, 10],
    "n_train": [20, 45],
    "p_adjust": ["holm", None, "fdr_bh"],
    "path": ["file", "folder/file", "saved"],
    "popmean": [0.1, [0.0, 0.1]],
    "reference": ["c0", "a", "best"],
    "residuals": list(RESIDUALS.values()),
    "scoring": ["accuracy", "r2"],
    "test": [sklearn_cvtest.KFoldTTest(rho=0.3), sklearn_cvtest.KFoldZTest()],
}


class OddError(Exception):
    """What an object that is odd does."""


class Odd:
    """Nothing in particular, and unhelpful."""

    def __len__(self):
        raise OddError

    def __eq__(self, other):
        raise OddError

    __hash__ = object.__hash__
    __bool__ = __len__


def anything():
    """Return values of all kinds."""
    return [
        None, True, False, 0, 1, -1, 2, 7, 10**12, 0.5, -0.5, 1.0, 1e-300,
        1e300, float("nan"), float("inf"), 1j, "", "a", "auto", "\x1b[2J\u202e", b"a",
        "\ud800", bytearray(b"ab"), fractions.Fraction(1, 3), decimal.Decimal("0.1"),
        np.int64(3), np.float32(0.25), np.bool_(True), np.datetime64("2020-01-01"),
        np.array(3), (), [], {}, set(), [1], [0.1, 0.2], ["a", "b"], {"a": 1},
        {"a": [1.0, 2.0]}, range(3), (number for number in [1, 2]), np.zeros(0),
        np.zeros((0, 3)), np.arange(5), X, Y, normal(3), normal(3, 4),
        np.full(4, np.nan), np.ma.array([1, 2], mask=[0, 1]),
        np.array([None, 1], dtype=object), np.array(["a", "b"]), sparse.eye(3).tocsr(),
        pd.Series([1.0, 2.0]), pd.DataFrame({"a": [1.0]}), pd.NA, int, len, Odd(), np,
        lambda *args, **kwargs: 1.0, GaussianNB(), GaussianNB, Ridge(), KFold(2),
        make_pipeline(StandardScaler(), GaussianNB()), LOSSES, COMPARISON,
        RESIDUALS["k-fold"], "k-fold", "holm", "raise", ..., NotImplemented,
    ]  # fmt: skip


# Methods of scikit-learn, and such as the package alone calls.
NOT_CALLED = {"get_metadata_routing", "set_params", "evaluate", *dir(Mapping)}
# Those of a test that are no hooks, which get the package's own values.
OF_TESTS = {"fit", "confidence_interval"}


@functools.cache
def public():
    """Return all public callables by name, in a fixed order."""
    found = {}
    for name, item in PUBLIC.items():
        is_class = isinstance(item, type)
        is_warning = is_class and issubclass(item, BaseException)
        is_left_out = name in MADE_BY_THE_PACKAGE or inspect.isabstract(item)
        if callable(item) and not is_left_out and not is_warning:
            found[name] = item
            if is_class:
                found |= methods_of(item, name, classmethod)
    owners = [getattr(call, "__self__", None) for call, _ in CALLS.values()]
    owners += [RESIDUALS["k-fold"], *REPLICATIONS[:1], STRUCTURE, SPLITS]
    for owner in [*owners, COMPARISON.winner_interval()]:
        if not isinstance(owner, (type, type(None), BaseSearchCV)):
            found |= methods_of(owner, type(owner).__name__)
    return dict(sorted(found.items()))


def methods_of(owner, name, kind=None):
    return {
        f"{name}.{key}": getattr(owner, key)
        for key in set(dir(owner)) - NOT_CALLED
        if not (key.startswith("_") or key.endswith("_request"))
        and (kind is None or isinstance(inspect.getattr_static(owner, key), kind))
        and callable(getattr(owner, key, None))
        and "\n    ---" in (getattr(owner, key).__doc__ or "")  # for users
        and (key in OF_TESTS or not isinstance(owner, BaseCVTest))
    }


def arguments(function, working, rng):
    """Draw arguments: mostly good ones, some of any kind.

    They change those of a call that works, or are all there is.
    """
    drawn = dict(working) if rng.random() < 0.7 else {}
    badness = rng.choice([0.0, 0.1, 0.5], p=[0.3, 0.5, 0.2])
    try:
        parameters = inspect.signature(function).parameters.values()
    except (TypeError, ValueError):
        return drawn
    for parameter in parameters:
        if parameter.kind in (parameter.VAR_POSITIONAL, parameter.VAR_KEYWORD):
            continue
        name = parameter.name
        # without a default, or with one that takes long
        is_needed = parameter.default is parameter.empty or name == "n_replications"
        if (not is_needed or name in drawn) and rng.random() < 0.7:
            continue
        values = [working[name] for _, working in CALLS.values() if name in working]
        values += GOOD.get(name, [])
        if not is_needed:
            values.append(parameter.default)
        if not values or rng.random() < badness:
            values = [True, False] if name in FLAGS else anything()
        drawn[name] = values[rng.integers(len(values))]
    return drawn


def call(number, seed):
    """Make a call; return its name, its arguments, and what is wrong or None."""
    rng = np.random.default_rng([seed, number])
    names = list(public())
    name = names[rng.integers(len(names))]
    # a class alone checks nothing: its tests are fitted, its displays drawn
    function, working = CALLS.get(name, (public()[name], {}))
    options = arguments(public()[name], working, rng)
    return name, options, outcome(function, options)


def outcome(function, options):
    """Return what is wrong with what a call does, or None."""
    try:
        with limited():
            result = function(**options)
            if inspect.isgenerator(result):
                result = list(result)
            return strangeness(result)
    except OddError:
        return None
    except ALLOWED as error:
        message = "\n".join([str(error), *getattr(error, "__notes__", ())])
        last = traceback.extract_tb(error.__traceback__)[-1].filename
        is_helpful = (
            isinstance(error, (OSError, ImportError, NotFittedError))
            or str(PACKAGE) not in last  # of scikit-learn, joblib, numpy, the system
            or KNOWN.search(message)
            or any(re.search(rf"\b{re.escape(name)}\b", message) for name in options)
        )
        is_ours = str(PACKAGE) in last
        if is_helpful and not (is_ours and set(message) & set("\x1b\0\u202e\ud800")):
            return None
        return "".join(traceback.format_exception(error))
    except Exception as error:
        if (
            isinstance(error, AssertionError)
            and function.__name__ == "assert_not_worse"
        ):
            return None  # what it is for
        return "".join(traceback.format_exception(error))
    finally:
        mpl.pyplot.close("all")


@contextlib.contextmanager
def limited():
    """Stop a call that hangs, where the system has alarms."""

    def stop(*args):
        raise RuntimeError(f"still running after {SECONDS} s")

    if not hasattr(signal, "SIGALRM"):
        yield
        return
    before = signal.signal(signal.SIGALRM, stop)
    signal.alarm(SECONDS)
    try:
        yield
    finally:
        signal.alarm(0)
        signal.signal(signal.SIGALRM, before)


# What values must be, by name of an attribute or of a column of a frame.
BOUNDS = dict.fromkeys(("pvalue", "pvalue_", "pvalues", "pvalue_adjusted"), (0, 1))
BOUNDS |= dict.fromkeys(("prob_less", "prob_rope", "prob_greater"), (0, 1))
BOUNDS |= dict.fromkeys(("standard_error", "standard_error_"), (0, np.inf))
INTERVALS = [("ci_low", "ci_high"), ("pi_low", "pi_high")]
INTERVALS += [("ci_low_simultaneous", "ci_high_simultaneous"), ("low", "high")]


def strangeness(result):
    """Return what is odd about a result, or None."""
    if result is NotImplemented:
        return "NotImplemented"
    repr(result), str(result)
    values = numbers_of(result)
    for name, (low, high) in BOUNDS.items():
        value = values.get(name, np.nan)
        if not np.all(np.isnan(value) | (low <= value) & (value <= high)):
            return f"{name} is {value}"
    for low, high in INTERVALS:
        if np.any(values.get(low, np.nan) > values.get(high, np.nan)):
            return f"{low} is above {high}"
    return None


def numbers_of(result):
    """Return what a result says in numbers, by name."""
    if type(result).__name__.endswith("Display"):  # shows the numbers it is given
        return {}
    if hasattr(result, "to_frame") and not isinstance(result, pd.Series):
        result = result.to_frame()
    values = {}
    for name in [*BOUNDS, *(end for interval in INTERVALS for end in interval)]:
        # a p-value of several pairs, or a test that is not fitted
        with contextlib.suppress(*ALLOWED):
            value = np.asarray(getattr(result, name, None))
            if value.dtype.kind in "fiub":
                values[name] = value.astype(float)
    if callable(getattr(result, "confidence_interval", None)):
        low, high = result.confidence_interval()
        values |= {"low": np.asarray(low), "high": np.asarray(high)}
    return values


def run(numbers, seed):
    """Make the calls of some numbers; return a list of what is wrong."""
    mpl.use("Agg")
    import matplotlib.pyplot  # noqa: F401

    wrong = []
    with (
        tempfile.TemporaryDirectory() as folder,
        contextlib.chdir(folder),
        warnings.catch_warnings(),
        open(os.devnull, "w", encoding="utf-8") as nowhere,
    ):
        warnings.simplefilter("ignore")
        COMPARISON.save("saved")
        for number in numbers:
            with contextlib.redirect_stdout(nowhere):
                name, options, problem = call(number, seed)
            if problem is not None:
                values = {key: ascii(value)[:80] for key, value in options.items()}
                wrong.append(f"call {number}, {name}(**{values}):\n{problem}")
    return wrong


def test_random_calls_give_sane_results_or_say_what_is_wrong():
    wrong = run(range(60), seed=0)
    assert not wrong, "\n\n".join(wrong)


def test_functions_and_their_parameters_are_found():
    functions = {name for name in sklearn_cvtest.__all__ if name[0].islower()}
    assert functions <= public().keys()


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--calls", type=int, default=2000)
    parser.add_argument("--seed", type=int, default=secrets.randbits(32))
    parser.add_argument("--only", type=int, help="number of a call")
    chosen = parser.parse_args()
    numbers = range(chosen.calls) if chosen.only is None else [chosen.only]
    wrong = run(numbers, chosen.seed)
    print(*wrong, sep="\n\n")
    print(f"seed {chosen.seed}: {len(numbers)} calls, {len(wrong)} wrong")
    sys.exit(bool(wrong))
