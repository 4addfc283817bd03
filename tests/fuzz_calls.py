"""Random calls of all that is public: a sane result, or an error that says why not.

Callables are found in `__all__`, their parameters by `inspect`. A call is one that
works, of bad_input_calls.py, with some arguments changed, or is made up; values come
from a pool of good and bad ones, by the name of the parameter or any. A call is known
by the seed and its number and can be made again.

Run: python tests/fuzz_calls.py [--calls 2000] [--seed SEED] [--only NUMBER]
"""

import argparse
import contextlib
import decimal
import fractions
import functools
import inspect
import multiprocessing
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
from bad_input_calls import CALLS, CURVES, FOREST, METRICS
from common import MADE_BY_THE_PACKAGE, PUBLIC
from scipy import sparse
from sklearn.datasets import load_iris
from sklearn.dummy import DummyClassifier, DummyRegressor
from sklearn.exceptions import NotFittedError
from sklearn.linear_model import LinearRegression, Ridge
from sklearn.model_selection import GridSearchCV, KFold, ShuffleSplit
from sklearn.naive_bayes import GaussianNB
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

import sklearn_cvtest
from sklearn_cvtest import results, simulation

SECONDS = 60  # a call that takes longer hangs
PROCESSES = 2
# Errors with which a call may end; others are mistakes of the package.
ALLOWED = (TypeError, ValueError, OSError, NotFittedError, ImportError, KeyError)
PARAMETER = re.compile(r"`[^`]+`")
# Sentences of errors about no one parameter, or of Python, NumPy and scikit-learn.
KNOWN = re.compile(
    r"All fits failed|missing \d+ required|unexpected keyword|positional argument"
    r"|fits? of every estimator failed|[Rr]esiduals|estimators? |design|not fitted"
    r"|raised by (estimator|data set|the predictions)"
    r"|^\w+Test needs .+; got "  # of a test that is not for such splits
)


def normal(*shape):
    return np.random.default_rng(0).normal(size=shape)


X, Y = (part[::5] for part in load_iris(return_X_y=True))
PAIR = {"nb": GaussianNB(), "dummy": DummyClassifier()}
LINES = {"line": LinearRegression(), "mean": DummyRegressor()}
FOLDS = sklearn_cvtest.BlockKFold(3, random_state=0)
HALVES = sklearn_cvtest.PairedHalves(FOLDS, 2, random_state=0)
LOSSES = sklearn_cvtest.cross_val_losses(PAIR | {"b": GaussianNB()}, X, Y, cv=FOLDS)
COMPARISON = sklearn_cvtest.Comparison(LOSSES)
RESULTS = {name: {"test_score": normal(6) + (name == "a")} for name in "ab"}
SEARCHED = {f"split{j}_test_score": normal(4) * (j + 1) for j in range(6)}
SEARCHED["params"] = [{"C": c} for c in range(4)]
SEARCH = GridSearchCV(Ridge(), {"alpha": [1, 2]}, cv=FOLDS).fit(X, Y)
POPULATION = simulation.GaussianLinearPopulation(2)
REPLICATIONS = simulation.replicate_losses(
    LINES, POPULATION, n_samples=12, cv=FOLDS, n_replications=3, random_state=0
)
RESIDUALS = [
    sklearn_cvtest.CVResiduals.from_array(normal(5, 6)),
    sklearn_cvtest.CVResiduals.from_array(normal(5, 6), design="subsample", n_train=24),
    sklearn_cvtest.CVResiduals.from_array(normal(10, 6), design="5x2"),
    sklearn_cvtest.CVResiduals.from_array(normal(1, 6), design="holdout"),
    sklearn_cvtest.CVResiduals.from_array([[1, 0, -1, 1]], design="holdout"),
    LOSSES.residuals(0, 1),
]
STRUCTURE = sklearn_cvtest.simulation.CovarianceStructure(1.0, 0.1, 0.05, 12, 3)
TESTS = [
    sklearn_cvtest.KFoldTTest(),
    sklearn_cvtest.KFoldTTest(rho=0.3, alternative="less"),
    sklearn_cvtest.KFoldZTest(),
    sklearn_cvtest.CorrectedResampledTTest(),
    sklearn_cvtest.FiveByTwoFTest(),
    sklearn_cvtest.HoldoutTTest(),
]
SPLITTERS = [3, 5, None, FOLDS, HALVES, KFold(3), ShuffleSplit(4, random_state=0)]
SPLITTERS += [sklearn_cvtest.FiveByTwo(random_state=0), list(FOLDS.split(X))]


def shaped(estimators):
    """Return the same in the forms in which estimators are given."""
    return [estimators, list(estimators.values()), list(estimators.items())]


def own_loss(y_true, y_pred):
    return np.abs(np.asarray(y_true) - np.asarray(y_pred)) ** 0.5


# Values that a parameter of that name may well have.
GOOD = {
    "C": [X],
    "X": [X, X.tolist(), pd.DataFrame(X), sparse.csr_matrix(X)],
    "y": [Y, Y.tolist(), X[:, 0], pd.Series(Y), Y.astype(str)],
    "alpha": [0.05, 0.01, 0.5, fractions.Fraction(1, 20), np.float32(0.1)],
    "alternative": ["two-sided", "less", "greater"],
    "comparison": [COMPARISON],
    "complexity": ["C", "alpha", lambda params: 1.0],
    "confidence_level": [0.95, 0.5],
    "cv": SPLITTERS,
    "design": ["k-fold", "subsample", "holdout", "5x2", LOSSES.design],
    "e": [normal(5, 6), normal(10, 6), normal(1, 9)],
    "error_score": ["raise", np.nan, 0.0, 1],
    "estimators": [*shaped(PAIR), *shaped(LINES), GaussianNB(), Ridge()],
    "estimator": [Ridge(), GaussianNB()],
    "first": ["nb", 0, "a"],
    "second": ["dummy", 1, "b"],
    "function": [own_loss, np.abs],
    "groups": [None, np.arange(len(Y)) // 3],
    "gamma": [0.0, 0.01],
    "kind": ["k-fold", "holdout", "paired halves"],
    "loss": ["auto", "zero_one", "squared_error", "log_loss", "huber(2)", own_loss],
    "losses": [LOSSES],
    "margin": [0.1, 1.0],
    "memory": [None],
    "method": ["holm", "bonferroni", "hochberg", "fdr_bh", "exact", "mid-p", "chi2"],
    "n_halvings": [1, 2, 5],
    "n_jobs": [None, 1],
    "n_repeats": [1, 2, 3],
    "n_replications": [1, 2, 30],
    "n_samples": [12, 20, [10, 20]],
    "n_splits": [2, 3, 5],
    "n_test": [None, 5, 10],
    "n_train": [None, 20, 25, 45],
    "name": ["zero_one", "pinball", "huber", "tweedie_deviance"],
    "omega": [0.0, 0.1],
    "p_adjust": ["holm", None, "max-t", "fdr_bh"],
    "params": [None, {}, {"sample_weight": np.ones(len(Y))}],
    "path": ["file", "folder/file", "saved"],
    "popmean": [0.0, 0.1, [0.0, 0.1]],
    "popmeans": [[0.0, 0.1], [0.0, 1.0]],
    "population": [POPULATION, simulation.ArrayPopulation(X, X[:, 0])],
    "pvalues": [[0.1, 0.2, 0.5], np.array([0.01])],
    "random_state": [0, None, 3],
    "rates": [[[0.1, 0.2]]],
    "reference": [None, "nb", "line", "best"],
    "replications": [REPLICATIONS, REPLICATIONS.residuals()],
    "residuals": [*RESIDUALS, normal(5, 6), REPLICATIONS.residuals()],
    "results": [RESULTS, SEARCHED],
    "rho": [0.7, 0.0, "nadeau-bengio"],
    "rope": [0.0, 0.1],
    "scoring": [None, "accuracy", "r2"],
    "search": [SEARCH, SEARCHED],
    "sigma2": [1.0],
    "structure": [STRUCTURE],
    "test": [None, *TESTS],
    "tests": [TESTS[0], TESTS[:2], dict(zip("ab", TESTS, strict=False))],
    "test_size": [0.2, 3, None],
}


class Odd:
    """Nothing in particular, and unhelpful."""

    def __len__(self):
        raise RuntimeError("no length")

    def __eq__(self, other):
        raise RuntimeError("not to be compared")

    __hash__ = object.__hash__

    def __bool__(self):
        raise RuntimeError("neither true nor false")


def anything():
    """Return values of all kinds."""
    return [
        None, True, False, 0, 1, -1, 2, 7, 10**12, 10**400, 0.5, -0.5, 1.0, 1e-300,
        1e300, float("nan"), float("inf"), 1j, "", "a", "auto", "\x1b[2J\u202e", b"a",
        "\ud800", bytearray(b"ab"), fractions.Fraction(1, 3), decimal.Decimal("0.1"),
        np.int64(3), np.float32(0.25), np.bool_(True), np.datetime64("2020-01-01"),
        np.array(3), (), [], {}, set(), [1], [0.1, 0.2], ["a", "b"], {"a": 1},
        {"a": [1.0, 2.0]}, range(3), (number for number in [1, 2]), np.zeros(0),
        np.zeros((0, 3)), np.arange(5), X, Y, normal(3), normal(3, 4),
        np.full(4, np.nan), np.ma.array([1, 2], mask=[0, 1]),
        np.array([None, 1], dtype=object), np.array(["a", "b"]), sparse.eye(3).tocsr(),
        pd.Series([1.0, 2.0]), pd.DataFrame({"a": [1.0]}), pd.NA, int, len, Odd(), np,
        lambda *args, **kwargs: 1.0, GaussianNB(), GaussianNB, Ridge(), KFold(2), FOLDS,
        make_pipeline(StandardScaler(), GaussianNB()), LOSSES, COMPARISON, RESIDUALS[0],
        SEARCH, STRUCTURE, POPULATION, "k-fold", "holm", "raise", ..., NotImplemented,
    ]  # fmt: skip


# Methods of scikit-learn, and such as the package alone calls.
NOT_CALLED = {"get_metadata_routing", "set_params"}
NOT_CALLED |= {"check_target", "constant", "evaluate", "function", "pair_residuals"}
NOT_CALLED |= {"count_different"}
NOT_CALLED |= {"found_with", "from_values"}
NOT_CALLED |= {"of_comparison", "row", "rows"}
# Those of a test that are no hooks, which get the package's own values.
OF_TESTS = {"fit", "confidence_interval"}
DATASETS = sklearn_cvtest.compare_over_datasets({"a": COMPARISON, "b": LOSSES})
with warnings.catch_warnings():
    warnings.simplefilter("ignore")  # of few examples
    BY_LABEL = COMPARISON.by(Y)
INSTANCES = [
    DATASETS, DATASETS.ranks(), BY_LABEL, *COMPARISON.tables.values(),
    sklearn_cvtest.cross_val_interval(PAIR, X, Y, cv=3),
    METRICS,
    sklearn_cvtest.corrected_ttest([1, 2, 4], [1, 3, 3], 20, 10),
    sklearn_cvtest.ComparisonDisplay(**FOREST),
    sklearn_cvtest.RhoSensitivityDisplay(**CURVES),
    LOSSES, COMPARISON, RESIDUALS[0], STRUCTURE, REPLICATIONS, REPLICATIONS.residuals(),
    sklearn_cvtest.compare_candidates(SEARCHED, cv=6), POPULATION, *TESTS[:2],
    TESTS[0].__class__().fit(RESIDUALS[0]), FOLDS, HALVES,
    sklearn_cvtest.losses.get_loss("zero_one"),
    COMPARISON.best_set(), COMPARISON.winner_interval(),
]  # fmt: skip


@functools.cache
def public():
    """Return all public callables by name, in a fixed order."""
    found = {}
    for name, item in PUBLIC.items():
        is_made = name in MADE_BY_THE_PACKAGE
        is_left_out = is_made or _is_warning(item) or inspect.isabstract(item)
        if callable(item) and not is_left_out:
            found[name] = item
            if isinstance(item, type):
                found |= _methods(item, name, classmethod)
    for instance in INSTANCES:
        found |= _methods(instance, type(instance).__name__)
    return dict(sorted(found.items()))


def _is_warning(item):
    return isinstance(item, type) and issubclass(item, BaseException)


def _methods(owner, name, kind=None):
    return {
        f"{name}.{key}": getattr(owner, key)
        for key in dir(owner)
        if key[0] != "_"
        and key not in NOT_CALLED | set(dir(Mapping))
        and not key.endswith("_request")
        and (kind is None or isinstance(inspect.getattr_static(owner, key), kind))
        and callable(getattr(owner, key, None))
        and (key in OF_TESTS or not isinstance(owner, results.BaseCVTest))
    }


def parameters(function):
    try:
        found = inspect.signature(function).parameters.values()
    except (TypeError, ValueError):
        return []
    return [p for p in found if p.kind not in (p.VAR_POSITIONAL, p.VAR_KEYWORD)]


def pick(values, rng):
    """Return one of several values."""
    return values[int(rng.integers(len(values)))]


# Parameters with a default that takes long.
ALWAYS = {"n_replications"}


def arguments(function, working, rng):
    """Draw arguments: mostly good ones, some of any kind.

    They change those of a call that works, or are all there is.
    """
    keeps = rng.random() < 0.7
    drawn = dict(working) if keeps else {}
    badness = rng.choice([0.0, 0.1, 0.5], p=[0.3, 0.5, 0.2])
    for parameter in parameters(function):
        is_needed = parameter.default is parameter.empty
        is_left = not is_needed and parameter.name not in ALWAYS
        if (is_left or parameter.name in drawn) and rng.random() < 0.7:
            continue
        good = [*GOOD.get(parameter.name, []), *_of_other_calls(parameter.name)]
        if not is_needed and parameter.name not in ALWAYS:
            good.append(parameter.default)
        if not good or rng.random() < badness:
            good = anything()
        drawn[parameter.name] = pick(good, rng)
    return drawn


@functools.cache
def _of_other_calls(name):
    """Return what a parameter is in all calls that work."""
    return [good[name] for _, good in CALLS.values() if name in good]


def call(number, seed, folder):
    """Make a call; return its name, its arguments, and what is wrong or None."""
    rng = np.random.default_rng([seed, number])
    name = pick(list(public()), rng)
    function = public()[name]
    # a class alone checks nothing: its tests are fitted, its displays drawn
    make, working = CALLS.get(name, (function, {}))
    options = arguments(function, working, rng)
    return name, options, outcome(make, options, folder)


def outcome(function, options, folder):
    """Return what is wrong with what a call does, or None."""
    with (
        contextlib.chdir(folder),
        warnings.catch_warnings(),
        open(os.devnull, "w") as quiet,
        contextlib.redirect_stdout(quiet),
    ):
        warnings.simplefilter("ignore")
        try:
            with alarm(SECONDS):
                result = function(**options)
                if inspect.isgenerator(result):
                    result = list(result)
                problem = strangeness(result)
        except ALLOWED as error:
            return unhelpfulness(error, options)
        except AssertionError as error:
            if function.__name__.startswith("assert_"):  # what it is for
                return None
            return "".join(traceback.format_exception(error))
        except RuntimeError as error:  # of an Odd, or a call that hangs
            if "no length" in str(error) or "not to be" in str(error):
                return None
            if "neither true" in str(error):
                return None
            return "".join(traceback.format_exception(error))
        except Exception as error:
            return "".join(traceback.format_exception(error))
        finally:
            mpl.pyplot.close("all")
    return problem


@contextlib.contextmanager
def alarm(seconds):
    def stop(*args):
        raise RuntimeError(f"still running after {seconds} s")

    if not hasattr(signal, "SIGALRM"):
        yield
        return
    before = signal.signal(signal.SIGALRM, stop)
    signal.alarm(seconds)
    try:
        yield
    finally:
        signal.alarm(0)
        signal.signal(signal.SIGALRM, before)


def unhelpfulness(error, options):
    """Return the traceback of an error that does not say what is wrong, or None."""
    message = "\n".join([str(error), *getattr(error, "__notes__", ())])
    is_helpful = (
        isinstance(error, (OSError, ImportError, NotFittedError))
        or PARAMETER.search(message)
        or KNOWN.search(message)
        or any(re.search(rf"\b{re.escape(name)}\b", message) for name in options)
    )
    hidden = set(message) & set("\x1b\0\u202e\ud800")
    if is_helpful and not hidden:
        return None
    return "".join(traceback.format_exception(error))


def strangeness(result):
    """Return what is odd about a result, or None."""
    if result is NotImplemented:
        return "NotImplemented"
    repr(result), str(result)
    values = _values_of(result)
    for name, bounds in BOUNDS.items():
        value = np.asarray(values.get(name, np.nan), dtype=np.float64)
        if not np.all(np.isnan(value) | (bounds[0] <= value) & (value <= bounds[1])):
            return f"{name} is {value}"
    for low, high in INTERVALS:
        ends = [np.asarray(values.get(end, np.nan), float) for end in (low, high)]
        if np.any(ends[0] > ends[1]):
            return f"{low} and {high} are {ends}"
    return None


# What values must be, by name of an attribute or of a column of a frame.
BOUNDS = dict.fromkeys(("pvalue", "pvalue_", "pvalues", "pvalue_adjusted"), (0, 1))
BOUNDS |= dict.fromkeys(("prob_less", "prob_rope", "prob_greater"), (0, 1))
BOUNDS |= dict.fromkeys(("standard_error", "standard_error_", "tau2"), (0, np.inf))
INTERVALS = [("ci_low", "ci_high"), ("pi_low", "pi_high")]
INTERVALS += [("ci_low_simultaneous", "ci_high_simultaneous"), ("low", "high")]


def _values_of(result):
    """Return what a result says in numbers, by name."""
    if type(result).__name__.endswith("Display"):  # shows the numbers it is given
        return {}
    if callable(getattr(result, "to_frame", None)) and not isinstance(
        result, pd.Series
    ):
        result = result.to_frame()
    if isinstance(result, pd.DataFrame):
        return {name: result[name] for name in result.columns if is_known(name)}
    values = {name: getattr(result, name) for name in BOUNDS if has(result, name)}
    if callable(getattr(result, "confidence_interval", None)):
        result = result.confidence_interval()
    if type(result).__name__ == "ConfidenceInterval":
        values |= result._asdict()
    return values


def is_known(name):
    """Whether there are bounds for values of a name."""
    return name in BOUNDS or any(name in interval for interval in INTERVALS)


def has(result, name):
    """Whether a result has numbers of a name."""
    try:
        return np.asarray(getattr(result, name, None)).dtype.kind in "fiub"
    except ALLOWED:  # a p-value of several pairs, or a test that is not fitted
        return False


def run(numbers, seed):
    """Make the calls of some numbers; return a list of what is wrong."""
    mpl.use("Agg")
    import matplotlib.pyplot  # noqa: F401

    wrong = []
    with tempfile.TemporaryDirectory() as folder:
        LOSSES.save(os.path.join(folder, "saved"))
        for number in numbers:
            name, options, problem = call(number, seed, folder)
            if problem is not None:
                shown = {key: _shown(value) for key, value in options.items()}
                wrong.append(f"call {number}, {name}(**{shown}):\n{problem}")
                print(wrong[-1], flush=True)
    return wrong


def run_in_processes(n_calls, seed):
    """Return what is wrong with calls that are made at the same time."""
    if not hasattr(os, "fork"):
        return run(range(n_calls), seed)
    parts = [(range(first, n_calls, PROCESSES), seed) for first in range(PROCESSES)]
    with multiprocessing.get_context("fork").Pool(PROCESSES) as pool:
        return [problem for part in pool.starmap(run, parts) for problem in part]


def _shown(value):
    try:
        return ascii(value)[:80]
    except Exception:
        return f"<{type(value).__name__}>"


def main():
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--calls", type=int, default=2000)
    parser.add_argument("--seed", type=int, default=None)
    parser.add_argument("--only", type=int, default=None, help="number of a call")
    chosen = parser.parse_args()
    seed = secrets.randbits(32) if chosen.seed is None else chosen.seed
    print(f"seed {seed}", flush=True)
    if chosen.only is None:
        n_calls, wrong = chosen.calls, run_in_processes(chosen.calls, seed)
    else:
        n_calls, wrong = 1, run([chosen.only], seed)
    print(f"seed {seed}: {n_calls} calls of {len(public())}, {len(wrong)} wrong")
    sys.exit(bool(wrong))


if __name__ == "__main__":
    main()
