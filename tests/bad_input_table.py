"""Bad inputs of the public API: what must be refused, per callable and parameter."""

import inspect
from dataclasses import replace
from types import SimpleNamespace

import numpy as np
from bad_input_calls import (
    CALLS,
    COMPARISON,
    EXAMPLES,
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
from bad_input_values import (
    ADJUSTMENT,
    ARRAY,
    AXES,
    COMPLEXITY,
    DATA,
    ERROR_SCORE,
    ESTIMATOR,
    ESTIMATORS,
    FIT_PARAMS,
    FLAG,
    GIVEN_SPLITS,
    INF,
    LABELS,
    LEVEL,
    LOSS,
    MASKED,
    N_JOBS,
    NAMES,
    NAN,
    NO_NUMBER,
    NONFINITE,
    OF_DESIGN,
    OF_SPLITS,
    PATH,
    REAL,
    RESIDUAL,
    RESULT_SPLITS,
    SCORING,
    SEED,
    SHARE,
    SIZES,
    SPLITTERS,
    TEST,
    UNFITTED,
    Bad,
    Unknown,
    count,
    few,
    nothing,
    option,
)
from common import PUBLIC
from sklearn.dummy import DummyClassifier
from sklearn.linear_model import LinearRegression
from sklearn.model_selection import KFold

from sklearn_cvtest import BlockKFold, KFoldTTest, McNemarTest


def not_finite(name):
    """Residuals of the right design, but with nan or inf in a split."""
    right = residuals_for(name)
    cases = few(ARRAY)
    for value in (NAN, INF):
        values = np.where(right.row_split == 0, value, right.values)
        shown = f"got {value} in split 0"
        cases.append(Bad(replace(right, values=values), shown, "Residuals"))
    return cases


SPLIT = {
    "y": [*LABELS, Bad(None, "given if stratify=True")],
    "groups": [*LABELS, Bad(np.array([NAN] * 30), "30 missing")],
}
SEEDED = [-1, "seed", 1.5, True, Unknown(), np.random.default_rng(0)]
DISTRIBUTIONS = {"param_grid": None}
DISTRIBUTIONS |= {"param_distributions": {"strategy": ["prior", "uniform"]}}

WORDS = [Unknown(), 3, True, b"bytes", ["a"]]
NAMED = [*WORDS, "nonsense"]
OF_PAIR = ["nobody", 3, True, Unknown(), ["c0"], np.zeros(3)]

OF_DATA = {"results": {"iris": (X, Y), "again": (X, Y)}}
OF_EXAMPLES = {"table": EXAMPLES, "n_train": 8, "n_test": 4, "example": "example"}
WIDE = ["forest", 3, {}, Unknown()]
TABLES = [None, Unknown(), 3, [[1, 2]], "scores.xls", Bad({}, "an empty table")]
TABLES += [Bad({"model": []}, "an empty table")]
TABLES += [Bad({"a": 3}, "3", "`table['a']`"), Bad({"a": "bc"}, "'bc'", "`table['a']`")]


def changed(what, **fields):
    """Return a copy with other fields."""
    return SimpleNamespace(**(vars(what) | fields))


TITLES = [None, 3, True, b"bytes", "", ["a"], Unknown()]
FOLDS = [Unknown(), "k-fold", 1.5, NAN, 1, -3, True, BlockKFold, {"train": [1]}, 31]

# What a parameter of a name must refuse, where SPECIAL says nothing else.
BY_NAME = {
    "X": [*DATA, Bad(X[:9], "30 rows", "`y`")],
    "alpha": LEVEL,
    "alternative": option("two_sided"),
    "ax": AXES,
    "diagnostics": FLAG,
    "comparison": [None, Unknown(), LOSSES, "comparison"],
    "complexity": COMPLEXITY,
    "confidence_level": LEVEL,
    "cv": [*GIVEN_SPLITS, *SPLITTERS],
    "dataset": [*NAMED, "column"],
    "design": [None, Unknown(), "k-fold", 5, RESIDUALS["k-fold"]],
    "difference": [*REAL, 0, -0.1, 1e-160, 1e160],
    "error_score": ERROR_SCORE,
    "estimator": ESTIMATOR,
    "estimators": ESTIMATORS,
    "example": NAMED,
    "fold": [*NAMED, "column"],
    "groups": LABELS,
    "loss": LOSS[:6],
    "margin": [*REAL, -1],
    "memory": [3, 1.5, [], Unknown()],
    "metric": [3, True, "nonsense", Unknown()],
    "model": NAMED,
    "n_halvings": count(1),
    "n_jobs": N_JOBS,
    "n_repeats": count(1),
    "n_samples": count(1),
    "p_adjust": ADJUSTMENT,
    "pairs": [
        *(Unknown(), 3, "c0", []),
        *(Bad(["c0"], "'c0'"), Bad([(0, 1, 2)], "2)"), Bad([("c0", "no")], "'no'")),
    ],
    "params": FIT_PARAMS,
    "path": PATH,
    "per_example": FLAG,
    "percent": FLAG,
    "popmean": REAL,
    "population": [None, Unknown(), 3, "letters", BlockKFold()],
    "power": SHARE,
    "pre_dispatch": [0, -1, 1.5, True, "exit()", "2*jobs", "", [1]],
    "progress": FLAG,
    "random_state": SEED,
    "reference": ["nobody", 7, True, Unknown(), ["c0"]],
    "repeat": [*NAMED, "column"],
    "residuals": [*ARRAY, *NONFINITE],
    "return_estimator": FLAG,
    "rng": [None, 0, "seed", Unknown(), np.random.RandomState(0)],
    "rope": [*REAL, -1],
    "run": NAMED,
    "score": [*NAMED, "column"],
    "score_params": FIT_PARAMS,
    "scoring": SCORING,
    "shuffle": FLAG,
    "stratify": FLAG,
    "structure": [None, Unknown(), np.eye(3)],
    "test": TEST[:6],
    "verbose": [-1, 1.5, "loud", None, [1], NAN],
    "weights": option("rows"),
    "y": [*LABELS, None],
}

ROLES_OF_FILES = "model", "fold", "repeat", "example", "run", "group"
ROLES_OF_FILES += "dataset", "y_true"
SPECIAL = {
    "DieboldMarianoTest": {
        "horizon": [value for value in count(1) if value is not None],
        "kernel": option("parzen"),
    },
    "EquivalenceTest": {
        "test": [None, Unknown(), "KFoldTTest", KFoldTTest, BlockKFold()],
        "margin": [*REAL, 0, -1],
    },
    "HalfSampleTTest": {"rho_max": [*REAL, 1, 1.5, -0.1]},
    "HoldoutTTest": {"method": option("z")},
    "KFoldZTest": {"rho": [*REAL, 1, 1.5, -0.1], "variance": option("theta1")},
    "KFoldTTest": {"rho": [*REAL, 1, 1.5, "nadeau"]},
    "McNemarTest": {"method": option("midp"), "correction": FLAG},
    **{f"{name}.fit": {"residuals": not_finite(name)} for name in TESTS},
    "KFoldTTest.fit": {"residuals": RESIDUAL},
    "BlockKFold": {
        "n_splits": [*count(2), Bad(31, "31")],
        "n_repeats": [*count(1), "many", Bad(2, others={"shuffle": False})],
        "random_state": [*SEED, Bad(0, others={"shuffle": False})],
    },
    "PairedHalves": {"cv": [None, 5, "k-fold", KFold(), BlockKFold, Unknown()]},
    "RepeatedSubsample": {
        "test_size": [*NO_NUMBER, NAN, INF, 0, 0.0, 1.0, -3, 1.5, 30, 10**400, 0.99],
        "train_size": [
            *(size for size in NO_NUMBER if size is not None),
            *(NAN, INF, 0, 0.0, 1.0, -3, 1.5, 29, 30, 10**400, 0.95, 0.001),
        ],
    },
    **{f"{name}.split": SPLIT for name in ("BlockKFold", "FiveByTwo", "PairedHalves")},
    "RepeatedSubsample.split": {
        "groups": SPLIT["groups"],
        "y": [*SPLIT["y"], np.arange(30) == 3, np.array([NAN] * 30), np.arange(30)],
    },
    "Comparison.to_json": {"path": PATH[1:]},
    "Comparison.to_latex": {
        "caption": WORDS,
        "label": WORDS,
        "width": option("Page"),
    },
    "CVLosses.residuals": {
        "first": ["nobody", 3, -1, 1.0, True, None, Unknown(), ["c0"], NAN],
        "second": ["nobody", 3, -1, 1.0, True, Unknown(), ["c0"], NAN],
    },
    "Replications.residuals": {
        "first": ["nobody", 3, -1, 1.0, True, None, Unknown()],
        "second": ["nobody", 3, -1, 1.0, True, Unknown()],
    },
    "CVResiduals.from_array": {
        "e": [*RESIDUAL, Bad([[1.0, 2.0]], "one block")],
        "design": [Unknown(), 3, "nonsense", "paired halves", Bad("5x2", "of 10"), []],
        "n_train": SIZES,
        "n_test": [*SIZES, 7],
        "groups": [
            *LABELS[:4],
            Bad(np.arange(7), "(7,)"),
            Bad(np.full((5, 6), NAN), "30 missing"),
            Bad(np.ma.array(np.eye(5, 6), mask=np.eye(5, 6)), "masked"),
        ],
    },
    "Comparison": {
        "losses": [None, Unknown(), LOSSES.losses, RESIDUALS["k-fold"]],
        "test": OF_DESIGN,
    },
    "Comparison.retest": {"test": OF_DESIGN},
    "Comparison.gate": {"margin": [*REAL, -1, Bad(1.0, "1.0")]},
    "assert_not_worse": {
        "result": [None, Unknown(), LOSSES, "result"],
        "model": ["nobody", 7, None, Unknown(), ["c0"], "c1"],
        "than": ["nobody", 7, True, Unknown()],
    },
    "Comparison.best_set": {
        "alpha": [case for case in LEVEL if case is not None],
        "about": option("fits", 3),
    },
    "Comparison.winner_interval": {
        "alpha": [case for case in LEVEL if case is not None],
    },
    "Comparison.by": {
        "labels": [
            *(None, *LABELS[:4]),
            Bad(Y[:7], "7 labels"),
            Bad([NAN] * 30, "30 missing"),
            MASKED,
        ],
        "p_adjust": ADJUSTMENT,
    },
    "CovarianceStructure": {
        "sigma2": [*REAL, -1.0],
        "omega": REAL,
        "gamma": REAL,
        "n_samples": [*count(2), 13],
        "n_splits": [*count(2), Bad(5, "12", "`n_samples`")],
    },
    "CovarianceStructure.from_replications": {
        "residuals": [
            *ARRAY,
            Bad(np.zeros((3, 4)), "shape (3, 4)"),
            Bad(np.zeros((1, 3, 4)), "shape (1, 3, 4)"),
            Bad(np.zeros((3, 1, 4)), "shape (3, 1, 4)"),
            Bad(np.full((3, 3, 4), NAN), "nan"),
            Bad(np.full((3, 3, 4), INF), "inf"),
        ]
    },
    "RankComparison.plot": {"test": option("tukey", None)},
    "CrossValInterval.plot": {"metric": NAMED},
    "DatasetComparison.plot": {"first": OF_PAIR, "second": OF_PAIR},
    "Design": {
        "kind": option("K-fold", None),
        "n_splits": [-1, 2.5, "3", True, NAN, None, 0],
        "n_repeats": [-1, 2.5, "3", True, NAN, None],
        "base": option("5x2", None),
        "n_halvings": [-1, 2.5, "3", True, NAN, None, 0],
    },
    "MultiMetricComparison.plot": {"metric": NAMED},
    "NotSignificantlyWorse": OF_SPLITS
    | {
        "test": [Unknown(), "KFoldTTest", KFoldTTest, 3, BlockKFold()],
        "margin": [case for case in [*REAL, 0, -1] if case is not None],
    },
    "one_standard_error": OF_SPLITS,
    "RejectionRateDisplay": {
        "rates": [*ARRAY[:6], Bad([[1.5, 0.0]], "1.5"), Bad([[NAN, 0.1]], "nan")],
        "standard_errors": [Unknown(), "text", ["a"], 1j, Bad([[0.1]], "shape (1, 1)")],
        "test_names": [*NAMES, Bad(["t", "u"], "2")],
        "popmeans": [Unknown(), "text", 3, Bad([0.0], "1"), Bad([0, NAN], "nan")],
        "true_mean": [case for case in REAL if case is not None],
        "row_values": [Bad(case, others={"popmeans": None}) for case in NAMES],
        "column_values": [
            Bad(case, others={"popmeans": None, "row_values": [1]}) for case in NAMES
        ],
    },
    "RejectionRateDisplay.from_rates": {
        "rates": [None, Unknown(), "rates", [[0.1]]],
        "alpha": [0.2, "0.05", NAN, True, Bad([0.05, 0.1], "[0.05, 0.1]"), Unknown()],
    },
    "RhoSensitivityDisplay": {
        "rho": [*ARRAY[:8], Bad([0.1], "shape (1, 2)", "`pvalues`")],
        "pvalues": [*ARRAY[:6], Bad([[0.1]], "shape (1, 1)")],
        "rho_alpha": [*ARRAY[:6], Bad([0.1, 0.2], "shape (2,)")],
        "labels": [*NAMES, Bad(["a", "b"], "shape (1, 2)", "`pvalues`")],
        "marks": [Bad({"a": "b"}, "'b'"), Bad({"a": NAN}, "nan"), 3, "text", [1, 2]],
        "test": [Unknown(), 3],
    },
    "adjust_pvalues": {
        "p": [
            *ARRAY,
            Bad([0.1, 1.5], "1.5"),
            Bad([-0.1], "-0.1"),
            Bad([NAN, 0.1], "nan"),
        ],
        "method": option("sidak", None),
    },
    "compare_candidates": {
        "search": [
            None,
            Unknown(),
            3,
            [],
            UNFITTED,
            Bad({}, "[]"),
            Bad({"params": []}, "['params']"),
        ],
        "reference": ["worst", 9, -1, 1.5, True, Unknown(), {"C": 99}, [1]],
        **OF_SPLITS,
    },
    "compare_cv_results": {
        "results": [None, Unknown(), [], Bad({}, "[]"), Bad({"a": {}}, "a"), "text"],
        "metric": [None, 3, "nonsense", Unknown()],
        "loss": [3, True, "", ["rmse"], "nonsense", Unknown()],
        **OF_SPLITS,
    },
    "compare_estimators": {
        "estimators": [*ESTIMATORS, Bad({"a": DummyClassifier()}, "['a']")],
        "loss": [*LOSS, Bad(nothing, "nan", "'frequent' 3")],
        "test": OF_DESIGN,
    },
    "compare_over_datasets": {
        "results": [
            *(None, Unknown(), 3, []),
            Bad({}, "[]"),
            Bad({"a": COMPARISON}, "['a']"),
            Bad({1: COMPARISON, 2: COMPARISON}, "[1, 2]"),
            Bad({"a": COMPARISON, "b": X}, "[", "results['b']"),
            Bad({"a": COMPARISON, "b": (X,)}, "(", "results['b']"),
        ],
        "estimators": [
            Bad(case.value, case.shown, others=OF_DATA)
            if isinstance(case, Bad)
            else Bad(case, others=OF_DATA)
            for case in ESTIMATORS
        ],
        "test": [
            *TEST[:5],
            Bad(KFoldTTest(alternative="less"), "alternative='less'"),
            Bad(KFoldTTest(popmean=1.0), "popmean=1.0"),
        ],
        "p_adjust": ADJUSTMENT,
        "scale": option("ratio"),
        "missing": option("best", None),
    },
    "compare_predictions": {
        "y_true": [
            *LABELS[:4],
            None,
            Bad([], "[]"),
            Bad([1, NAN], "the first in row 1"),
        ],
        "predictions": [
            *(None, Unknown(), 3, "a", [[1, 2]]),
            Bad({}, "[]"),
            Bad({"a": Y}, "['a']"),
            Bad({1: Y, 2: Y}, "1"),
            *(
                Bad(PREDICTIONS["predictions"] | {"b": case}, shown, "predictions['b']")
                for case, shown in (
                    (None, "shape ()"),
                    (3, "shape ()"),
                    (Y[:7], "shape (7,)"),
                    ([[1, 2], [3]], "[[1, 2], [3]]"),
                    (MASKED.value, "masked"),
                    ([NAN] * 30, "30 missing, the first in row 0"),
                    ([0.5, None] * 15, "15 missing, the first in row 1"),
                    (np.zeros((30, 3)), "shape (30, 3)"),
                    (np.zeros((30, 2)), "0 in row 0"),
                    ([0.5, 1.5] * 15, "1.5 in row 1"),
                )
            ),
        ],
        "response": [Unknown(), None, 1, "auc", ["predict"]],
        "splits": [
            *(Unknown(), "text", 3, {"a": 1}),
            Bad(Y[:7], "shape (7,)"),
            MASKED,
            Bad([0] * 30, "[0]"),
            Bad([NAN, *range(29)], "nan"),
            Bad([(np.arange(20), [99]), (np.arange(20), [20])], "99"),
            Bad([(np.arange(9), [9]), (np.arange(9), [9])], "row 9 in 2 test sets"),
        ],
        "sample_weight": [
            *(Unknown(), "text", {"a": 1}),
            Bad(3, "shape ()"),
            Bad([1.0] * 7, "7"),
            Bad([-1] * 30, "[-1., -1.,"),
            Bad([NAN] * 30, "nan"),
        ],
        "n_train": [0, -1, 2.5, "many", True, [1], NAN, Unknown()],
    },
    "compare_scores": {
        "scores": [
            *TABLES[:5],
            Bad({"model": [], "example": []}, "an empty table"),
            Bad(ITEMS | {"model": ["a"] * 12}, "1: 'a'", "`model`"),
            Bad(ITEMS | {"example": [0] * 12}, "several of 'a' for example 0"),
            Bad(ITEMS | {"example": range(12)}, "none of 'a' for example 6"),
            Bad(ITEMS | {"score": [NAN] * 12}, "nan in row 0", "`scores['score']`"),
            Bad({"a": [1, 2], "b": ["x", "y"]}, "['x', 'y']", "`scores['b']`"),
            Bad({"a": [1, 2], "b": [1, NAN]}, "nan in run 0", "`scores['b']`"),
        ],
        "score": [*NAMED[:4], *NAMED[5:], Bad([]), Bad(["score", "score"])],
        "y_true": [Bad(name, others={"scoring": "f1"}) for name in NAMED],
        "scoring": [Bad(bad, others={"y_true": "example"}) for bad in SCORING],
        "group": [*NAMED, Bad("score", "several of example 0", "`scores`")],
        "loss": [Bad("score", others={"score": "score"}), *NAMED[:4], *NAMED[5:]],
    },
    "compare_table": {
        "table": [
            *TABLES,
            Bad({"model": ["a"], "fold": [0]}, "'model', 'fold'", "`score`"),
            Bad(SCORES | {"fold": [1]}, "'fold': 1"),
            Bad(SCORES | {"model": ["a"] * 12}, "1: 'a'", "`model`"),
            Bad(SCORES | {"fold": [0] * 12}, "several of 'a' for fold 0"),
            Bad(SCORES | {"fold": range(12)}, "none of 'a' for fold 6"),
            Bad(SCORES | {"fold": [None] * 12}, "one in row 0", "`table['fold']`"),
            Bad(SCORES | {"score": [NAN] * 12}, "nan or inf for 'a'", "Losses"),
            Bad(SCORES | {"score": ["a"] * 12}, "'a' in row 0", "`table['score']`"),
            Bad(SCORES | {"score": [1j] * 12}, "1j in row 0", "`table['score']`"),
            Bad(SCORES | {"model": X[:12]}, "shape (12, 4)", "`table['model']`"),
        ],
        "loss": [Bad("score", others={"score": "score"}), *NAMED],
        "example": [*NAMED, "column"],
        "group": [
            *NAMED,
            Bad("where", "'where'"),
            Bad("loss", "'loss'", others=OF_EXAMPLES),
        ],
        "n_train": [Bad(case, others={"n_test": 5}) for case in SIZES],
        "n_test": [
            *(Bad(case, others={"n_train": 25}) for case in SIZES),
            Bad("sizes", "several sizes in a split", others=OF_EXAMPLES),
            Bad(7, others=OF_EXAMPLES),
        ],
        "cv": RESULT_SPLITS,
    },
    "corrected_ttest": {
        name: [
            *ARRAY,
            Bad([NAN, 1.0, 2.0, 3.0, INF], "nan or inf in splits [0, 4]"),
            Bad([1.0, 2.0], "and", "`a` and `b`"),
        ]
        for name in "ab"
    }
    | {
        "n_train": [None, *SIZES],
        "n_test": [None, *SIZES],
        "cv": [
            Bad(case, others={"n_train": None, "n_test": None})
            for case in [Unknown(), "nonsense", 1, 7, np.array(3.0), BlockKFold(3)]
        ],
        "alternative": option("two_sided", None),
    },
    "cross_val_interval": {
        "loss": LOSS,
        "test": [*TEST[:6], Bad(McNemarTest(), "3-fold", "McNemarTest")],
    },
    "cross_val_losses": {
        "loss": LOSS,
        "score_params": [
            *FIT_PARAMS,
            Bad({"sample_weight": np.ones(7)}, "7", "`score_params['"),
            Bad({"sample_weight": np.full(30, NAN)}, "nan", "`score_params['"),
        ],
    },
    "loss_jackknife_residuals": {"cv": [*GIVEN_SPLITS[:20], *SPLITTERS]},
    "get_loss": {
        "name": [None, 3, "nonsense", Unknown(), "pinball(x)", ["pinball"], ""],
        "params": [
            Bad({"alpha": 2}, "2", "`name`"),
            Bad({"beta": 1}, "beta", "`name`"),
        ],
    },
    "concordance_index": {
        "y_true": [[1.0, 1.0, 1.0], Bad([1.0, NAN, 2.0], "nan"), Bad(["a", "b"], "a")],
        "y_pred": [Bad([0.1, 0.2], "2 values"), Bad([0.1, INF, 0.2], "inf"), "abc"],
        "sample_weight": [Bad([1.0, 1.0], "2 values"), Bad([1.0, NAN, 1.0], "nan")],
    },
    "make_loss": {
        "function": [None, 3, "squared_error", Unknown()],
        "response_method": option("transform", None),
        "name": [3, True, Unknown(), b"bytes"],
        "compared_by": option("percent", None),
    },
    "compare_file": {
        "path": [*PATH, [], Bad("a.csv.xls", "'a.csv.xls'")],
        "separator": option("::"),
        "decimal": option(";"),
        "ignore": ["model", 3, Unknown()],
        "missing": [Bad("best", "data sets"), Bad("drop", "data sets")],
        **{name: FLAG for name in ("wide", "each_dataset", "percent")},
        **{name: [3, True, Unknown()] for name in ("score", "loss")},
        **{name: [3, "nowhere", True, Unknown()] for name in ROLES_OF_FILES},
        "n_train": [0, -1, 2.5, "many"],
        "n_test": [0, -1, 2.5, "many"],
        "cv": RESULT_SPLITS,
    },
    "variance_estimates": {"residuals": [*ARRAY, *NONFINITE, Bad([1.0, 2.0], "(2,)")]},
    "ArrayPopulation": {
        "X": [*DATA, Bad(X[:0], "no", others={"y": Y[:0]})],
        "replace": FLAG,
    },
    "GaussianLinearPopulation": {
        "n_features": count(1),
        "r2": SHARE,
        "outliers": FLAG,
    },
    "covariance_curve": {
        "estimators": [
            *ESTIMATORS,
            Bad([LinearRegression()] * 3, "linearregression-3"),
        ],
        "n_samples": [*count(2)[:5], None, [], [[1, 2], [3]], [[12]], 13],
        "n_splits": [*count(2)[:5], None, [], [[1, 2], [3]], [[3]], "text"],
        "n_replications": count(2),
        "random_state": SEEDED,
        "loss": LOSS,
    },
    "replicate_losses": {
        "n_samples": count(2),
        "cv": [Unknown(), "k-fold", 1.5, 1, True, BlockKFold, *SPLITTERS[:3]],
        "n_replications": count(1, 10**400),
        "random_state": [*SEEDED, Bad(None, others={"memory": "folder"})],
        "loss": LOSS,
    },
    "rejection_rates": {
        "residuals": [None, Unknown(), np.zeros((3, 4)), RESIDUALS["k-fold"]],
        "tests": [None, *TEST],
        "alphas": [*ARRAY[:4], 0, 1, 1.5, NAN, Bad([0.05, NAN], "nan")],
        "popmeans": [*(case for case in ARRAY[:6] if case is not None), NAN, INF],
    },
}

SPECIAL["interval_of_predictions"] = SPECIAL["compare_predictions"] | {
    "predictions": [
        Bad({}, "[]"),
        Bad({1: Y}, "1"),
        Bad(None, "shape ()", "predictions['model']"),
        Bad(Y[:7], "shape (7,)", "predictions['model']"),
        Bad([0.5, 1.5] * 15, "1.5 in row 1", "predictions['model']"),
    ]
}
# What refuses nothing, by the name of a parameter, a callable, or both.
NOT_REFUSED = {
    "xlabel": "any text",
    "row_label": "any text",
    "column_label": "any text",
    "options": "names that go on to a callable of the table",
    "plot_options": "names that go on to a callable of the table",
    "CVLosses.losses_of": "called by the package with a position that it knows",
    "CVLosses.from_values": "called by the package with scores that it has checked",
    "CVResiduals.scaled": "called by the package with models that it knows",
    "DatasetComparison.within": "called by the package",
    "count_different": "called by tests with a mask of their own",
    "Loss.check_target.y": "called by the engine; see test_losses.py",
    "Loss.evaluate": "called by the engine; see test_losses.py",
    "get_n_splits": "ignores all its arguments, as scikit-learn's",
}


def public(name):
    """Return what a dotted name of the public API stands for."""
    first, *rest = name.split(".")
    item = PUBLIC[first]
    for part in rest:
        item = getattr(item, part)
    return item


def refusing(name, signature):
    """Yield the parameters of a callable that must refuse something."""
    for parameter in signature.parameters:
        names = {name, name.rpartition(".")[2], parameter, f"{name}.{parameter}"}
        if parameter not in ("self", "cls") and not names & NOT_REFUSED.keys():
            yield parameter


CASES = {
    name: {
        parameter: SPECIAL.get(name, {}).get(parameter) or BY_NAME[parameter]
        for parameter in refusing(name, inspect.signature(public(name)))
    }
    for name in CALLS
}
