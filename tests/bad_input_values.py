"""Values that no parameter of a kind can take."""

from typing import Any, NamedTuple

import numpy as np
from bad_input_calls import X, Y
from scipy import sparse
from sklearn.base import BaseEstimator
from sklearn.dummy import DummyClassifier
from sklearn.model_selection import GridSearchCV

from sklearn_cvtest import BlockKFold, KFoldTTest, McNemarTest


class Bad(NamedTuple):
    """A bad value, if it is not named or shown as it is."""

    value: Any
    shown: str | None = None  # in the message; None: the repr of the value
    named: str | None = None  # in the message; None: `parameter`
    others: Any = ()  # other arguments


class Unknown:
    """An object that is nothing in particular."""

    def __repr__(self):
        return "<Unknown>"


class NoFit(BaseEstimator):
    def predict(self, X):
        return X


class NotCloneable(DummyClassifier):
    def get_params(self, deep=True):
        return {"strategy": ["changes", "each", "time"].copy()}


class Splitter:
    """Yields what it is told, and counts as it likes."""

    def __init__(self, *splits, count=3):
        self.splits = splits
        self.count = count

    def __repr__(self):
        return "<Splitter>"

    def split(self, X, y=None, groups=None):
        yield from self.splits

    def get_n_splits(self, X=None, y=None, groups=None):
        return self.count


def raising(y_true, y_pred):
    raise RuntimeError("no loss today")


def scalar(y_true, y_pred):
    return np.mean(y_true != y_pred)


def column(y_true, y_pred):
    return np.zeros((len(y_true), 1))


def nothing(y_true, y_pred):
    return np.full(len(y_true), np.nan)


def words(y_true, y_pred):
    return np.full(len(y_true), "a")


NAN, INF = float("nan"), float("inf")
NO_NUMBER = [Unknown(), "0.5", None, True, 1j, [0.5], np.array([0.5]), {"a": 1}]
SHARE = [*NO_NUMBER, NAN, INF, 0, 1, -0.05, 1.5, 10**400]
LEVEL = [*SHARE, 5e-324]
LEVEL.append(Bad(np.float64(2.0), "got 2.0"))
REAL = [*NO_NUMBER, NAN, INF, -INF, 10**400, Bad(np.float32("nan"), "nan")]
FLAG = [Unknown(), None, 1, 0, "yes", np.array(True), NAN]
ARRAY = [
    Unknown(),
    "text",
    None,
    ["a", "b"],
    1j,
    [[1.0, 2.0], [3.0]],
    {"a": [1.0]},
    {1.0, 2.0},
    np.array([None, 1.0], dtype=object),
    np.array([10**400], dtype=object),
    np.array(["2020-01-01"], dtype="datetime64[D]"),
    sparse.eye(3, format="csr"),
    (part for part in [1.0]),
    np.ma.masked_array([1.0, 2.0], mask=[True, False]),
    Bad([], "shape (0,)"),
]
NONFINITE = [
    Bad(np.full((5, 6), value), f"{word} in splits 0, 1", "Residuals")
    for value, word in ((NAN, "nan"), (INF, "inf"))
]
RESIDUAL = [*ARRAY, *NONFINITE, Bad(np.zeros((2, 2, 2)), "shape (2, 2, 2)")]
RESIDUAL.append(Bad(np.array(1.5), "shape ()"))
ESTIMATOR = [None, Unknown(), "tree", 3, DummyClassifier, NoFit(), [], {}]
ESTIMATORS = [
    *ESTIMATOR,
    Bad([DummyClassifier, DummyClassifier], "Pass an instance."),
    Bad([("a", DummyClassifier()), ("a", DummyClassifier())], "['a']"),
    Bad({1: DummyClassifier()}, "1"),
    Bad({"": DummyClassifier()}, "''"),
    Bad({"a": NoFit(), "b": DummyClassifier()}, "NoFit()"),
    Bad({"a": NotCloneable()}, "'a' cannot be cloned"),
]
SEED = [-1, 2**32, "seed", 1.5, True, np.random.default_rng(0), Unknown()]
PATH = [None, 3, 1.5, [], Unknown(), True, {"a": 1}, "\ud800", "a\0b"]
AXES = [Unknown(), "axes", 1, [], True]
SIZES = [0, -1, 2.5, "many", True, [1, 2], [[1], [2, 3]], NAN, Unknown()]
TEST = [Unknown(), "KFoldTTest", KFoldTTest, 3, [], {}]
TEST.append(Bad([KFoldTTest(), None], "got None"))
TEST += [Bad({1: KFoldTTest()}, "1"), BlockKFold()]
ADJUSTMENT = ["sidak", 1, True, Unknown(), ["holm"]]
COLUMN = [*ARRAY[:8], Bad([1.0, 2.0], "2 rows")]
NAMES = [Unknown(), "text", None, 3, 1.5, (name for name in "a")]


def few(values):
    """A sample of many bad values, for the second and later tests of one kind."""
    return values[::6]


def count(least, *more):
    """Bad values of an integer that is at least `least`."""
    arrays = [3], np.array([3]), np.array([None, 1])
    return [least - 1, 2.5, "3", True, NAN, *arrays, None, *more]


def option(*more):
    return ["nonsense", 1, True, b"bytes", Unknown(), *more]


OVERLAP = [(np.arange(20), np.arange(10, 30))]
GIVEN_SPLITS = [
    Unknown(),
    "k-fold",
    1.5,
    NAN,
    1,
    -3,
    True,
    np.array(3.0),
    BlockKFold,
    {"train": [1]},
    Bad([], "none"),
    Bad(iter([]), "none"),
    Bad([(X, Y, Y)], "array"),
    Bad([1, 2], "1"),
    Bad([(np.arange(20), [])], "test set of split 0 is empty"),
    Bad([([], np.arange(20))], "training set of split 0 is empty"),
    Bad([(np.arange(20), [99])], "99"),
    Bad([(np.arange(20), [-1])], "-1"),
    Bad([([0.5, 1.5], [3])], "float64"),
    Bad([([[0, 1]], [3])], "(1, 2)"),
    Bad([([[0, 1], [2]], [3])], "object"),
    Bad([("ab", "cd")], "shape ()"),
    Bad(OVERLAP, "10 examples in both in split 0"),
    Bad([(np.zeros(7, bool), np.ones(7, bool))], "bool"),
    Bad(31, "31"),
]
SPLITTERS = [
    Bad(Splitter(), "none"),
    Bad(Splitter(1, 2, 3), "1"),
    Bad(Splitter(("a", "b")), "training set of split 0"),
    Bad(Splitter(*OVERLAP, count=10), "10 examples in both"),
    Bad(Splitter((None, None)), "training set of split 0"),
]
DATA = [None, Unknown(), 3, NAN, "text", b"bytes", {"a": [1]}, np.array(1.0)]
LABELS = [Unknown(), 3, "text", {"a": 1}, Bad(Y[:7], "7 rows"), Bad([], "0 rows")]
LOSS = [
    Unknown(),
    "nonsense",
    Bad("accuracy", "'accuracy'. Did you mean 'zero_one'?"),
    None,
    3,
    "pinball(x)",
    Bad(raising, "no loss today (estimator '", "estimator"),
    Bad(scalar, "shape ()", "estimator '"),
    Bad(column, "of float64 of shape", "estimator '"),
    Bad(words, "<U1", "estimator '"),
]
FIT_PARAMS = [Unknown(), "weights", 3, [("a", 1)], Bad({1: 2}, "1")]
N_JOBS = [0, 1.5, "two", True, [1], Unknown()]
MASKED = Bad(np.ma.array(Y, mask=Y == 0), "masked")
ERROR_SCORE = ["ignore", None, True, [0], 1j, Unknown()]
SCORING = ["nonsense", 3, Unknown()]
OF_DESIGN = [*TEST, Bad(McNemarTest(), "3-fold", "McNemarTest")]
UNFITTED = GridSearchCV(DummyClassifier(), {"strategy": ["prior"]})
MODULE = Bad(np, "<module 'numpy'")  # has `ndim` and `shape`, which are functions
RESULT_SPLITS = [Unknown(), "nonsense", 1, -3, True, 7, np.array(3.0), BlockKFold(3)]
RESULT_SPLITS += [MODULE]
RESULT_SPLITS += [Bad([], "none"), Bad(OVERLAP * 6, "in both"), Bad([1] * 6, "1")]
OF_SPLITS = {"cv": RESULT_SPLITS}
OF_SPLITS |= {
    name: [
        Bad(size, others=(("n_train", 20), ("n_test", 10), ("cv", "subsample")))
        for size in SIZES
    ]
    for name in ("n_train", "n_test")
}
COMPLEXITY = [None, 3, [], [1], "nonsense", Unknown(), ["C", 2], [("C", 0)]]
COMPLEXITY += [Bad(lambda one: 1j, "1j"), Bad(lambda one: NAN, "nan")]
