"""Bad inputs of the public API: what must be refused, per callable and parameter.

Callables are found in `__all__`, parameters in their signatures. What a parameter must
refuse says its name, in `BY_NAME`, unless `SPECIAL` says otherwise for a callable.
"""

import inspect
from dataclasses import replace
from typing import Any, NamedTuple

import numpy as np
from bad_input_calls import (
    CALLS,
    COMPARISON,
    ITEMS,
    LOSSES,
    PREDICTIONS,
    RESIDUALS,
    SCORES,
    TESTS,
    X,
    Y,
    residuals_for,
)
from common import MADE_BY_THE_PACKAGE, PUBLIC
from scipy import sparse
from sklearn.base import BaseEstimator
from sklearn.dummy import DummyClassifier
from sklearn.linear_model import LinearRegression
from sklearn.model_selection import GridSearchCV, KFold

from sklearn_cvtest import BlockKFold, EquivalenceTest, KFoldTTest, McNemarTest


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


class Splitter:
    """Yields what it is told."""

    def __init__(self, *splits):
        self.splits = splits

    def split(self, X, y=None, groups=None):
        yield from self.splits

    def get_n_splits(self, X=None, y=None, groups=None):
        return len(self.splits)


def raising(y_true, y_pred):
    raise RuntimeError("no loss today")


def scalar(y_true, y_pred):
    return np.mean(y_true != y_pred)


def nothing(y_true, y_pred):
    return np.full(len(y_true), np.nan)


NAN, INF = float("nan"), float("inf")
NO_NUMBER = [Unknown(), "0.5", None, True, 1j, [0.5], {"a": 1}]
REAL = [*NO_NUMBER, NAN, INF]
LEVEL = [*REAL, 0, 1, -0.05, 1.5]
WORDS = [Unknown(), 3, True]
NAMED = [*WORDS, "nonsense"]
ARRAY = [
    *(Unknown(), "text", ["a", "b"], 1j, [[1.0, 2.0], [3.0]], {"a": [1.0]}),
    Bad(None, "", "`"),
    Bad(np.array([None, 1.0], dtype=object), "", "`"),
    np.array(["2020-01-01"], dtype="datetime64[D]"),
    sparse.eye(3, format="csr"),
    np.ma.masked_array([1.0, 2.0], mask=[True, False]),
    [],
]
NONFINITE = [
    Bad(np.full((5, 6), NAN), "nan", "`"),
    Bad(np.full((5, 6), INF), "inf", "`"),
]
ESTIMATOR = [None, Unknown(), "tree", 3, DummyClassifier, NoFit(), [], {}]
ESTIMATORS = [
    *ESTIMATOR,
    Bad([DummyClassifier, DummyClassifier], "<class"),
    Bad([("a", DummyClassifier()), ("a", DummyClassifier())], "'a'"),
    Bad({1: DummyClassifier(), 2: DummyClassifier()}, "1"),
    Bad({"a": NoFit(), "b": DummyClassifier()}, "NoFit()"),
]
SEED = [-1, "seed", 1.5, Unknown()]
PATH = [None, [], Unknown()]
SIZES = [0, -1, 2.5, "many", [1, 2], NAN, Unknown()]
TEST = [Unknown(), "KFoldTTest", KFoldTTest, 3, BlockKFold()]
OF_DESIGN = [*TEST, McNemarTest()]
DATA = [Unknown(), 3, NAN, "text", {"a": [1]}, np.array(1.0)]
LABELS = [Unknown(), 3, "text", {"a": 1}, Y[:7], []]

MISSING = Bad([NAN] * 30, "30 missing")
MASKED = Bad(np.ma.array(Y, mask=Y == 0), "masked")
LOSS = [
    *(Unknown(), "nonsense", None, 3),
    Bad(raising, "no loss today", "All fits failed"),
    Bad(scalar, "got ()", "one number per example"),
]
OVERLAP = [(np.arange(20), np.arange(10, 30))]
SPLITS = [
    *(Unknown(), 1.5, NAN, 1, -3, True, BlockKFold, []),
    Bad("k-fold", "'k'"),
    Bad(31, "31", "`n_splits`"),
    Bad([1, 2], "1"),
    *(
        Bad([split], repr(split)[:9])
        for split in (
            (np.arange(20), []),
            ([], np.arange(20)),
            (np.arange(20), [99]),
            (np.arange(20), [-1]),
            ([0.5, 1.5], [3]),
            ("ab", "cd"),
            (np.zeros(7, bool), np.ones(7, bool)),
        )
    ),
    Bad(OVERLAP, "split 0"),
    Bad(Splitter(), "[]"),
    Bad(Splitter(*OVERLAP), "split 0"),
]
RESULT_SPLITS = [
    Unknown(),
    "nonsense",
    1,
    -3,
    True,
    7,
    BlockKFold(3),
    Bad(OVERLAP * 6, "split 0"),
]
OF_SPLITS = {"cv": RESULT_SPLITS}
for size in ("n_train", "n_test"):
    OF_SPLITS[size] = [Bad(bad, others={"n_train": 20, "n_test": 9}) for bad in SIZES]


def count(least, *more):
    """Bad values of an integer that is at least `least`."""
    return [least - 1, 2.5, "3", True, NAN, [3], np.array([3]), None, *more]


def option(*more):
    return ["nonsense", 1, True, b"bytes", Unknown(), *more]


def nonfinite_of(name):
    """Residuals of the right design, but with nan or inf in a split."""
    right = residuals_for(name)
    cases = [Unknown(), "text", [[1.0, 2.0], [3.0]]]
    for value in (NAN, INF):
        values = np.where(right.row_split == 0, value, right.values)
        cases.append(Bad(replace(right, values=values), str(value), "must be finite"))
    return cases


BY_NAME = {
    "X": [*DATA, X[:9]],
    "alpha": LEVEL,
    "alternative": option("two_sided"),
    "ax": [Unknown(), "axes", 1, []],
    "comparison": [None, Unknown(), LOSSES, "comparison"],
    "complexity": [None, 3, [], [1], "nonsense", Unknown(), ["C", 2]],
    "confidence_level": LEVEL,
    "cv": SPLITS,
    "dataset": [*NAMED, "column"],
    "difference": [*(case for case in REAL if case is not None), 0, -0.1],
    "error_score": ["ignore", None, [0], Unknown()],
    "estimators": ESTIMATORS,
    "example": NAMED,
    "fold": [*NAMED, "column"],
    "group": NAMED,
    "groups": LABELS,
    "loss": [bad for bad in LOSS if not isinstance(bad, Bad)],
    "margin": [*REAL, -1],
    "memory": [3, [], Unknown()],
    "metric": [3, True, "nonsense", Unknown()],
    "missing": option("best", None),
    "model": NAMED,
    "n_halvings": count(1),
    "n_models": [value for value in count(1) if value is not None],
    "n_repeats": count(1),
    "n_samples": count(1),
    "n_test": SIZES,
    "n_train": SIZES,
    "p_adjust": ["sidak", 1, True, Unknown(), ["holm"]],
    "pairs": [Unknown(), 3, "c0", [], ["c0"], [("c0", "no")]],
    "params": [Unknown(), "weights", 3, [("a", 1)]],
    "path": PATH,
    "popmean": REAL,
    "population": [None, Unknown(), 3, "letters", BlockKFold()],
    "random_state": SEED,
    "reference": ["nobody", 7, Unknown(), ["c0"]],
    "repeat": [*NAMED, "column"],
    "residuals": [*ARRAY, *NONFINITE],
    "rng": ["seed", Unknown()],
    "rope": [*REAL, -1],
    "run": NAMED,
    "score": [*NAMED, "column"],
    "score_params": [Unknown(), "weights", 3, [("a", 1)]],
    "scale": option("ratio"),
    "scoring": ["nonsense", 3, Unknown()],
    "test": TEST,
    "y": [*LABELS, None],
}
SPLIT = {"X": [None, Unknown(), 3], "y": [*LABELS, None], "groups": [*LABELS, MISSING]}
TABLES = [
    None,
    Unknown(),
    3,
    [[1, 2]],
    "scores.xls",
    Bad({}, ""),
    Bad({"model": []}, "0"),
]


EXAMPLES = {"model": ["a"] * 12 + ["b"] * 12, "example": [*range(12)] * 2}
EXAMPLES |= {"fold": [0, 1, 2] * 8, "loss": np.arange(24.0)}
OF_EXAMPLES = {"table": EXAMPLES, "example": "example"}


def cell(table, column, value):
    """Return a table with a value in the first row of a column."""
    return table | {column: [value, *table[column][1:]]}


SPECIAL = {
    "DieboldMarianoTest": {
        "horizon": [value for value in count(1) if value is not None]
    },
    "Design": {"kind": option(None)},
    "EquivalenceTest": {
        "test": [*TEST, EquivalenceTest(KFoldTTest(), 0.1)],
        "margin": [*REAL, 0, -1],
    },
    "HalfSampleTTest": {"rho_max": [*REAL, 1, 1.5, -0.1]},
    "KFoldZTest": {"rho": [*REAL, 1, 1.5, -0.1]},
    "KFoldTTest": {"rho": [*REAL, 1, 1.5, "nadeau"]},
    "McNemarTest": {"method": option("midp")},
    **{f"{name}.fit": {"residuals": nonfinite_of(name)} for name in TESTS},
    "KFoldTTest.fit": {"residuals": [*ARRAY, *NONFINITE, np.zeros((2, 2, 2))]},
    "BlockKFold": {
        "n_splits": [*count(2), 31],
        "n_repeats": [*count(1), "auto", Bad(2, others={"shuffle": False})],
    },
    "PairedHalves": {"cv": [None, 5, "k-fold", KFold(), BlockKFold, Unknown()]},
    "RepeatedSubsample": {
        "test_size": [*(NO_NUMBER[:2]), 1j, NAN, INF, 0, 0.0, 1.0, -3, 1.5, 30],
        "train_size": [*(NO_NUMBER[:2]), 1j, NAN, INF, 0, 0.0, 1.0, -3, 1.5, 30],
    },
    **{
        f"{name}.split": SPLIT
        for name in ("BlockKFold", "FiveByTwo", "PairedHalves", "RepeatedSubsample")
    },
    "Comparison.to_json": {"path": PATH[1:]},
    "CVLosses.residuals": {
        "first": ["nobody", 3, -1, 1.0, None, Unknown(), ["c0"]],
        "second": ["nobody", 3, -1, 1.0, Unknown(), ["c0"]],
    },
    "CVResiduals.from_array": {
        "e": [*ARRAY, np.zeros((2, 2, 2))],
        "design": [Unknown(), 3, "nonsense", Bad("5x2", "5")],
        "n_test": [*SIZES, 7],
        "groups": [Bad(Unknown(), "Unkno"), 3, np.arange(7), MISSING],
    },
    "Comparison": {"losses": [None, Unknown(), RESIDUALS["k-fold"]], "test": OF_DESIGN},
    "Comparison.retest": {"test": OF_DESIGN},
    "Comparison.winner_interval": {"alpha": [bad for bad in LEVEL if bad is not None]},
    "assert_not_worse": {
        "result": [None, Unknown(), LOSSES, "result"],
        "model": ["nobody", 7, None, Unknown(), ["c0"]],
        "than": ["nobody", 7, True, Unknown()],
    },
    "Comparison.by": {"labels": [None, *LABELS[:4], Y[:7], MISSING, MASKED]},
    "CovarianceStructure": {
        **{"sigma2": [*REAL, -1.0], "omega": REAL, "gamma": REAL},
        **{"n_samples": [*count(2), 13], "n_splits": count(2)},
    },
    "CovarianceStructure.from_replications": {
        "residuals": [
            *ARRAY,
            np.zeros((3, 4)),
            *(Bad(np.zeros(shape), str(shape)) for shape in ((1, 3, 4), (3, 1, 4))),
            *(np.full((3, 3, 4), NAN), np.full((3, 3, 4), INF)),
        ]
    },
    "NotSignificantlyWorse": OF_SPLITS
    | {"margin": [case for case in [*REAL, 0, -1] if case is not None]},
    "one_standard_error": OF_SPLITS,
    "adjust_pvalues": {
        "p": [*ARRAY, [0.1, 1.5], [-0.1], Bad([NAN, 0.1], "nan")],
        "method": option("sidak", None),
    },
    "compare_candidates": {
        "search": [
            *(None, Unknown(), 3, [], {}, Bad({"params": []}, "params")),
            GridSearchCV(DummyClassifier(), {"strategy": ["prior"]}),
        ],
        "reference": ["worst", 9, -1, 1.5, Unknown(), {"C": 99}, [1]],
        **OF_SPLITS,
    },
    "compare_cv_results": {
        "results": [None, Unknown(), [], Bad({}, "[]"), Bad({"a": {}}, "a"), "text"],
        "metric": [None, 3, "nonsense", Unknown()],
        "loss": [3, ["rmse"], "nonsense", Unknown()],
        **OF_SPLITS,
    },
    "compare_estimators": {
        "estimators": [*ESTIMATORS, Bad({"a": DummyClassifier()}, "'a'")],
        "loss": [*LOSS, Bad(nothing, "nothing is nan or inf", "All fits failed")],
        "test": OF_DESIGN,
    },
    "compare_over_datasets": {
        "results": [
            *(None, Unknown(), 3, [], {}, {"a": COMPARISON}, {"a": LOSSES}),
            Bad({"a": COMPARISON, "b": X}, "["),
        ],
        "estimators": [
            Bad(case, others={"results": {"iris": (X, Y), "again": (X, Y)}})
            for case in ESTIMATOR
        ],
    },
    "compare_predictions": {
        "y_true": [*LABELS[:4], None, [], [1, NAN]],
        "predictions": [
            *(None, Unknown(), 3, "a", {}),
            *(
                Bad(PREDICTIONS["predictions"] | {"b": case}, shown, "predictions")
                for case, shown in (
                    *(
                        (None, ""),
                        (3, ""),
                        (Y[:7], "0, 0, 0"),
                        (MASKED.value, "masked"),
                    ),
                    *(([NAN] * 30, "30 missing"), ([0.5, None] * 15, "15 missing")),
                    *((np.zeros((30, 3)), "shape (30, 3)"), (np.zeros((30, 2)), "0")),
                    ([0.5, 1.5] * 15, "1.5"),
                )
            ),
        ],
        "response": [Unknown(), None, 1, "auc", ["predict"]],
        "splits": [
            *(Unknown(), "text", 3, {"a": 1}, Y[:7], MISSING),
            Bad([0] * 30, "[0]"),
            Bad([(np.arange(20), [99]), (np.arange(20), [20])], "99"),
            Bad([(np.arange(9), [9]), (np.arange(9), [9])], "9"),
        ],
        "sample_weight": [
            *(Unknown(), "text", {"a": 1}, 3),
            *(Bad([1.0] * 7, "[1."), Bad([-1] * 30, "[-1."), Bad([NAN] * 30, "nan")),
        ],
    },
    "compare_scores": {
        "loss": [Bad(case, others={"score": None}) for case in NAMED],
        "scores": [
            *TABLES,
            Bad(ITEMS | {"model": ["a"] * 12}, "'a'", ""),
            Bad(ITEMS | {"example": [0] * 12}, "several of 'a' for example 0", ""),
            Bad(ITEMS | {"example": range(12)}, "none of 'a' for example 6", ""),
            Bad(cell(ITEMS, "score", NAN), "nan in row 0", ""),
        ],
        "y_true": [Bad(name, others={"scoring": "f1"}) for name in NAMED],
        "scoring": [
            Bad(case, others={"y_true": "example"}) for case in ["nonsense", 3]
        ],
    },
    "compare_table": {
        "loss": NAMED,
        "group": [Bad(case, others=OF_EXAMPLES) for case in NAMED],
        "table": [
            *TABLES,
            Bad({"model": ["a"], "fold": [0]}, "'model', 'fold'", "`score`"),
            Bad(SCORES | {"fold": [1]}, "'fold': 1"),
            Bad(SCORES | {"model": ["a"] * 12}, "'a'", ""),
            Bad(SCORES | {"fold": [0] * 12}, "several of 'a' for fold 0"),
            Bad(SCORES | {"fold": range(12)}, "none of 'a' for fold 6"),
            Bad(cell(SCORES, "score", NAN), "nan", ""),
            Bad(cell(SCORES, "score", "a"), "'a'", ""),
        ],
        "example": [*NAMED, "column"],
        "n_train": [Bad(case, others={"n_test": 5}) for case in SIZES],
        "n_test": [Bad(case, others={"n_train": 25}) for case in SIZES],
        "cv": RESULT_SPLITS,
    },
    "corrected_ttest": {
        **{
            name: [*ARRAY, Bad([NAN, 1.0, 2.0, 3.0, INF], "nan"), Bad([1.0, 2.0], "[")]
            for name in "ab"
        },
        "n_train": [None, *SIZES],
        "n_test": [None, *SIZES],
        "cv": [
            Bad(case, others={"n_train": None, "n_test": None})
            for case in [Unknown(), "nonsense", 1, 7, np.array(3.0), BlockKFold(3)]
        ],
        "alternative": option("two_sided", None),
    },
    "cross_val_losses": {
        "loss": LOSS,
        "score_params": [
            *(Unknown(), "weights", 3),
            Bad({"sample_weight": np.ones(7)}, "[1.", "`sample_weight`"),
            Bad({"sample_weight": np.full(30, NAN)}, "nan", "`sample_weight`"),
        ],
    },
    "concordance_index": {
        "y_true": [
            Bad([1.0, 1.0, 1.0], "[1."),
            Bad([1.0, NAN, 2.0], "nan"),
            ["a", "b"],
        ],
        "y_pred": [[0.1, 0.2], Bad([0.1, INF, 0.2], "inf"), "abc"],
        "sample_weight": [[1.0, 1.0], Bad([1.0, NAN, 1.0], "nan")],
    },
    "make_loss": {
        "function": [None, 3, "squared_error", Unknown()],
        "response_method": option("transform", None),
        "name": [3, True, Unknown(), b"bytes"],
        "compared_by": option("percent", None),
    },
    "compare_file": {"path": [*PATH, []]},
    "variance_estimates": {
        "residuals": [*ARRAY, *NONFINITE, Bad([1.0, 2.0], "2-fold")]
    },
    "ArrayPopulation": {"X": [*DATA, X[:9]]},
    "GaussianLinearPopulation": {
        **{"n_features": count(1)},
        "r2": LEVEL,
    },
    "covariance_curve": {
        "estimators": [
            *ESTIMATORS,
            Bad([LinearRegression()] * 3, "linearregression-3"),
        ],
        "n_samples": [*count(2)[:5], None, [], [[1, 2], [3]], [[12]], 13],
        "n_splits": [*count(2)[:5], None, [], [[1, 2], [3]], [[3]], "text"],
        "n_replications": count(2),
        "loss": LOSS[:4],
    },
    "replicate_losses": {
        "n_samples": count(2),
        "cv": [Unknown(), 1.5, 1, True, BlockKFold],
        "n_replications": count(1),
    },
    "rejection_rates": {
        "residuals": [None, Unknown(), np.zeros((3, 4))],
        "tests": [None, *TEST],
        "alphas": [*ARRAY[:4], 0, 1, 1.5, NAN],
        "popmeans": [*(case for case in ARRAY[:6] if case is not None), NAN, INF],
    },
}
SPECIAL["interval_of_predictions"] = SPECIAL["compare_predictions"] | {
    "predictions": [{}, None, Y[:7], Bad([0.5, 1.5] * 15, "1.5")]
}
SPECIAL["loss_jackknife_residuals"] = {"cv": SPLITS}
SPECIAL["cross_val_interval"] = {"test": OF_DESIGN, "loss": LOSS}

# What goes to scikit-learn, numpy or the system, whose errors are as good.
DELEGATED = {
    *("X", "y", "groups", "scoring", "memory"),
    *("random_state", "rng", "path", "test_size", "train_size"),
}
# What the package calls with what it has checked, and what refuses nothing.
FLAGS = {
    *("correction", "diagnostics", "outliers", "per_example", "percent", "progress"),
    *("replace", "return_estimator", "shuffle", "stratify"),
    *("n_jobs", "verbose", "pre_dispatch"),  # as joblib takes them
}
NOT_REFUSED = FLAGS | {
    *("check_design", "check_metric", "interval", "total_error"),  # of a test
    *("options", "caption", "label"),  # names that go on, and any text
    *("Design.n_splits", "Design.n_repeats", "Design.base", "Design.n_halvings"),
    # columns of a table, which are looked for
    *(f"compare_over_datasets.{name}" for name in ("model", "dataset", "score")),
    "compare_over_datasets.loss",
}


def public(name):
    """Return what a dotted name of the public API stands for."""
    first, _, method = name.partition(".")
    return getattr(PUBLIC[first], method) if method else PUBLIC[first]


def public_callables():
    """Yield the name of each public function, class and documented method, once."""
    seen = set()
    for name, item in PUBLIC.items():
        is_class = inspect.isclass(item)
        if name not in MADE_BY_THE_PACKAGE and not inspect.isabstract(item):
            yield name
        for method in dir(item) if is_class and not inspect.isabstract(item) else ():
            function = inspect.getattr_static(item, method)
            function = getattr(function, "__func__", function)
            if method.startswith("_") or not inspect.isfunction(function):
                continue
            is_ours = function.__module__.startswith("sklearn_cvtest")
            is_documented = is_ours and "Parameters\n" in (function.__doc__ or "")
            if is_documented and function not in seen:
                seen.add(function)
                yield f"{name}.{method}"


def refusing(name):
    """Return the parameters of a callable that must refuse something."""
    method = name.rpartition(".")[2]
    return [
        parameter
        for parameter in inspect.signature(public(name)).parameters
        if parameter not in ("self", "cls")
        and not {name, method, parameter, f"{name}.{parameter}"} & NOT_REFUSED
    ]


CASES = {
    name: {
        parameter: SPECIAL.get(name, {}).get(parameter) or BY_NAME[parameter]
        for parameter in refusing(name)
    }
    for name in CALLS
}
