"""Bad inputs of the public API: what must be refused, per callable and parameter."""

import numpy as np
from bad_input_calls import LOSSES, RESIDUALS, VALID_FOR, X
from bad_input_values import (
    ADJUSTMENT,
    ARRAY,
    AXES,
    COLUMN,
    COMPARING,
    COMPLEXITY,
    DATA,
    ENGINE,
    ERROR_SCORE,
    ESTIMATORS,
    FITTING,
    FLAG,
    INF,
    KEYWORDS,
    LABELS,
    LEVEL,
    LOSS,
    N_JOBS,
    NAMES,
    NAN,
    NO_NUMBER,
    NONFINITE,
    OF_SPLITS,
    PATH,
    REAL,
    RESIDUAL,
    SEED,
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
from sklearn.dummy import DummyClassifier
from sklearn.linear_model import LinearRegression
from sklearn.model_selection import KFold

from sklearn_cvtest import BlockKFold, KFoldTTest

COMMON = {"alpha": LEVEL, "alternative": option("two_sided"), "popmean": REAL}
FEW = {name: few(values) for name, values in COMMON.items()}
OWN = {
    "BayesianCorrelatedTTest": {"rope": [*REAL, -1]},
    "DieboldMarianoTest": {"horizon": count(1), "kernel": option("parzen")},
    "EquivalenceTest": {
        "test": [None, Unknown(), "KFoldTTest", KFoldTTest, BlockKFold()],
        "margin": [*REAL, 0, -1],
    },
    "HalfSampleTTest": {"rho_max": [*REAL, 1, 1.5, -0.1]},
    "HoldoutTTest": {"weights": option("rows")},
    "IntegratedRhoTest": {
        "rho_max": [*REAL, 1, 1.5, -0.1],
        "variance": option("theta1"),
        "correct_skewness": FLAG,
        "extrapolate": FLAG,
    },
    "KFoldTTest": {"rho": [*REAL, 1, 1.5, "nadeau"]},
    "KFoldZTest": {"variance": option("theta1"), "weights": option("rows")},
    "McNemarTest": {"method": option("midp"), "correction": FLAG},
}


def not_finite(name):
    """Residuals of the right design, but with nan or inf in a split."""
    right = RESIDUALS[VALID_FOR[name]]
    cases = few(ARRAY)
    for value in (NAN, INF):
        values = np.where(right.row_split == 0, value, right.values)
        shown = f"got {value} in split 0"
        cases.append(Bad(right.with_values(values), shown, "Residuals"))
    return cases


SPLIT = {
    "X": [*DATA, Bad(X[:9], "30 rows", "`y`")],
    "y": [*LABELS, Bad(None, "given if stratify=True")],
    "groups": [*LABELS, Bad(np.array([NAN] * 30), "30 missing")],
}
CURVE = {
    "loss": LOSS,
    "n_jobs": N_JOBS,
    "memory": [3, 1.5, Unknown()],
    "progress": FLAG,
}
SEEDED = [-1, "seed", 1.5, True, Unknown(), np.random.default_rng(0)]
POPULATION = [None, Unknown(), 3, "letters", BlockKFold()]
DRAWN = {"ax": AXES}
REFIT = {"complexity": COMPLEXITY, "metric": [3, True, "nonsense", Unknown()]}
REFIT |= OF_SPLITS

ONE_VALUED = {"FiveByTwoFTest": "alternative", "McNemarTest": "popmean"}


def of_test(name):
    """Bad parameters of a test, of those that it has."""
    cases = FEW | OWN.get(name, {})
    return {key: cases[key] for key in cases if key != ONE_VALUED.get(name)}


CASES = {
    **{name: of_test(name) for name in VALID_FOR},
    "KFoldTTest": COMMON | OWN["KFoldTTest"],
    **{f"{name}.fit": {"residuals": not_finite(name)} for name in VALID_FOR},
    "KFoldTTest.fit": {"residuals": RESIDUAL},
    **{
        f"{name}.confidence_interval": {"confidence_level": few(LEVEL)}
        for name in VALID_FOR
    },
    **{
        f"{name}.check_design": {
            "design": [None, Unknown(), "k-fold", 5, RESIDUALS["k-fold"]],
            "per_example": FLAG,
        }
        for name in VALID_FOR
    },
    "BlockKFold": {
        "n_splits": [*count(2), Bad(31, "31")],
        "n_repeats": [*count(1), "many", Bad(2, others={"shuffle": False})],
        "max_repeats": count(2),
        "stability": few([*LEVEL, 0.5]),
        "shuffle": FLAG,
        "stratify": FLAG,
        "random_state": [*SEED, Bad(0, others={"shuffle": False})],
    },
    "FiveByTwo": {"stratify": FLAG, "random_state": SEED},
    "PairedHalves": {
        "cv": [None, 5, "k-fold", KFold(), BlockKFold, Unknown()],
        "n_halvings": count(1),
        "stratify": FLAG,
        "random_state": SEED,
    },
    "RepeatedSubsample": {
        "n_repeats": count(1),
        "test_size": [*NO_NUMBER, NAN, INF, 0, 0.0, 1.0, -3, 1.5, 30, 10**400, 0.99],
        "train_size": [
            *(size for size in NO_NUMBER if size is not None),
            *(NAN, INF, 0, 0.0, 1.0, -3, 1.5, 29, 30, 10**400, 0.95, 0.001),
        ],
        "stratify": FLAG,
        "random_state": SEED,
    },
    "IndependentHoldouts": {"n_splits": [*count(1), Bad(5, "12", "`X`")]},
    "IndependentHoldouts.split": {"X": [None, Unknown(), 3, NAN, Bad(X[:10], "10")]},
    **{f"{name}.split": SPLIT for name in ("BlockKFold", "FiveByTwo", "PairedHalves")},
    "BlockKFold.split_repeat": SPLIT | {"repeat": count(0)},
    "RepeatedSubsample.split": {
        "X": SPLIT["X"],
        "groups": SPLIT["groups"],
        "y": [*SPLIT["y"], np.arange(30) == 3, np.array([NAN] * 30), np.arange(30)],
    },
    **{
        f"{name}.{method}": {"path": PATH}
        for name in ("CVLosses", "Comparison", "Replications")
        for method in ("load", "save")
    },
    "Comparison.to_html": {"path": PATH},
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
    },
    "CandidateComparison.retest": {"test": COMPARING["test"][:6]},
    "CandidateComparison.to_html": {"path": PATH},
    "CandidateComparison.not_worse": {"than": [9, -1, 1.5, "best", True, Unknown()]},
    "Comparison": {
        "losses": [None, Unknown(), LOSSES.losses, RESIDUALS["k-fold"]],
        **COMPARING,
    },
    "Comparison.retest": {"test": COMPARING["test"]},
    "ComparisonDisplay": {
        "first": [*NAMES, Bad([], "1 rows", "`second`")],
        "second": [*NAMES, Bad(["b", "c"], "2 rows")],
        "estimate": COLUMN,
        "ci_low": COLUMN,
        "ci_high": COLUMN,
        "pvalue": COLUMN,
        "pvalue_adjusted": [case for case in COLUMN if case is not None],
        "ci_low_simultaneous": [
            case
            if isinstance(case, Bad)
            else Bad(case, others={"ci_high_simultaneous": [1.0]})
            for case in COLUMN[:8]
            if case is not None
        ],
        "ci_high_simultaneous": [
            Bad(case, others={"ci_low_simultaneous": [0.0]})
            for case in ("text", ["a"], 1j, None, Unknown())
        ],
        "test": [Unknown(), "text", 3, 1.5, Bad(["t", "u"], "2 rows")],
        "alpha": LEVEL,
        "null_values": [
            Unknown(),
            "text",
            None,
            3,
            Bad(["a"], "'a'"),
            Bad([NAN], "nan"),
        ],
    },
    "ComparisonDisplay.from_comparison": {
        "comparison": [None, Unknown(), LOSSES, "comparison"],
        **DRAWN,
    },
    "ComparisonDisplay.from_cv_results": {"results": [None, Unknown(), []], **DRAWN},
    "ComparisonDisplay.from_estimators": {
        "estimators": [None, Unknown(), {}],
        "X": DATA,
        "y": LABELS,
        **DRAWN,
    },
    "ComparisonDisplay.plot": {
        **DRAWN,
        "point_kwargs": KEYWORDS,
        "interval_kwargs": KEYWORDS,
        "line_kwargs": KEYWORDS,
        "text_kwargs": KEYWORDS,
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
    "Design": {
        "kind": option("K-fold", None),
        "n_splits": [-1, 2.5, "3", True, NAN, None, 0],
        "n_repeats": [-1, 2.5, "3", True, NAN, None],
        "base": option("5x2", None),
        "n_halvings": [-1, 2.5, "3", True, NAN, None, 0],
    },
    "LossCovarianceDisplay": {"structure": [None, Unknown(), np.eye(3)]},
    "LossCovarianceDisplay.from_structure": {
        "structure": [None, Unknown(), np.eye(3)],
        **DRAWN,
    },
    "LossCovarianceDisplay.plot": {
        **DRAWN,
        "im_kwargs": KEYWORDS,
        "legend_kwargs": KEYWORDS,
    },
    "NotSignificantlyWorse": REFIT
    | {
        "test": [Unknown(), "KFoldTTest", KFoldTTest, 3, BlockKFold()],
        "alpha": LEVEL,
        "margin": [case for case in [*REAL, 0, -1] if case is not None],
    },
    "one_standard_error": REFIT,
    "RejectionRateDisplay": {
        "rates": [*ARRAY[:6], Bad([[1.5, 0.0]], "1.5"), Bad([[NAN, 0.1]], "nan")],
        "alpha": LEVEL,
        "standard_errors": [Unknown(), "text", ["a"], 1j, Bad([[0.1]], "shape (1, 1)")],
        "test_names": [*NAMES, Bad(["t", "u"], "2")],
        "popmeans": [Unknown(), "text", 3, Bad([0.0], "1"), Bad([0, NAN], "nan")],
        "true_mean": [case for case in REAL if case is not None],
        "row_values": [Bad(case, others={"popmeans": None}) for case in NAMES],
        "column_values": [
            Bad(case, others={"popmeans": None, "row_values": [1]}) for case in NAMES
        ],
    },
    "RejectionRateDisplay.from_grid": {
        "rates": [*ARRAY[:6], Bad([[1.5, 0.0]], "1.5")],
        "row_values": [*NAMES, Bad([1, 2], "2")],
        "column_values": [*NAMES, Bad([1], "1")],
        "alpha": LEVEL,
        **DRAWN,
    },
    "RejectionRateDisplay.from_rates": {
        "rates": [None, Unknown(), "rates", [[0.1]]],
        "alpha": [0.2, "0.05", NAN, True, Bad([0.05, 0.1], "[0.05, 0.1]"), Unknown()],
        **DRAWN,
    },
    "RejectionRateDisplay.plot": {
        **DRAWN,
        "line_kwargs": KEYWORDS,
        "band_kwargs": KEYWORDS,
        "im_kwargs": [Bad(case, others={"grid": True}) for case in KEYWORDS],
        "text_kwargs": [Bad(case, others={"grid": True}) for case in KEYWORDS],
    },
    "RhoSensitivityDisplay": {
        "rho": [*ARRAY[:8], Bad([0.1], "shape (1, 2)", "`pvalues`")],
        "pvalues": [*ARRAY[:6], Bad([[0.1]], "shape (1, 1)")],
        "rho_alpha": [*ARRAY[:6], Bad([0.1, 0.2], "shape (2,)")],
        "labels": [*NAMES, Bad(["a", "b"], "shape (1, 2)", "`pvalues`")],
        "alpha": LEVEL,
        "marks": [Bad({"a": "b"}, "'b'"), Bad({"a": NAN}, "nan"), 3, "text", [1, 2]],
    },
    "RhoSensitivityDisplay.from_comparison": {
        "comparison": [None, Unknown(), LOSSES],
        "pairs": [Unknown(), 3, "c0", [], Bad(["c0"], "'c0'"), Bad([(0, 1, 2)], "2)")],
        **DRAWN,
    },
    "RhoSensitivityDisplay.from_residuals": {
        "residuals": [*ARRAY, *NONFINITE],
        "alpha": LEVEL,
        "alternative": option("two_sided"),
        "popmean": REAL,
        **DRAWN,
    },
    "RhoSensitivityDisplay.plot": {
        **DRAWN,
        "yscale": option("symlog"),
        "line_kwargs": KEYWORDS,
        "mark_kwargs": KEYWORDS,
    },
    "adjust_pvalues": {
        "p": [
            *ARRAY,
            Bad([0.1, 1.5], "1.5"),
            Bad([-0.1], "-0.1"),
            Bad([NAN, 0.1], "nan"),
        ],
        "method": option("sidak", None),
        "correlation": [
            Bad(value, shown, others={"method": "max-t", "df": 3})
            for value, shown in (
                (None, "None"),
                ("text", "'text'"),
                (np.eye(3), "shape (3, 3)"),
                ([[1, 2], [2, 1]], "eigenvalue"),
                ([[1, 0.5], [0.1, 1]], "0.1"),
                ([[2, 0], [0, 2]], "2.0"),
                ([[1, NAN], [NAN, 1]], "nan"),
            )
        ]
        + [Bad(np.eye(2), "array")],
        "df": [
            3,
            *(
                Bad(case, others={"method": "max-t"})
                for case in (None, 0, -1, NAN, "3", True, [3], Unknown())
            ),
        ],
        "alternative": option("two_sided", None),
    },
    "best_estimator_set": {
        "losses": [None, Unknown(), LOSSES.losses],
        "alpha": [*LEVEL, 0.5, 0.7],
        "n_boot": count(100),
        "random_state": SEED,
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
        "metric": [3, True, "nonsense", Unknown()],
        "test": COMPARING["test"][:6],
        "p_adjust": ADJUSTMENT,
        "alpha": LEVEL,
        **OF_SPLITS,
    },
    "compare_cv_results": {
        "results": [None, Unknown(), [], Bad({}, "[]"), Bad({"a": {}}, "a"), "text"],
        "metric": [None, 3, "nonsense", Unknown()],
        "test": COMPARING["test"][:6],
        "reference": COMPARING["reference"],
        "p_adjust": ADJUSTMENT,
        "alpha": LEVEL,
        **OF_SPLITS,
    },
    "compare_estimators": {
        "estimators": [*ESTIMATORS, Bad({"a": DummyClassifier()}, "['a']")],
        **ENGINE,
        **COMPARING,
        "loss": [*LOSS, Bad(nothing, "nan", "'frequent' 3")],
    },
    "cross_val_losses": {"estimators": ESTIMATORS, **ENGINE},
    "loss_jackknife_residuals": {
        "estimators": ESTIMATORS,
        **FITTING,
        "loss": LOSS[:6],
        "cv": [*FITTING["cv"][:20], *SPLITTERS],
    },
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
    },
    "replicability": {
        "pvalues": [
            *ARRAY,
            Bad([0.1], "0.1"),
            Bad([0.1, 1.5], "1.5"),
            Bad([0.1, NAN], "nan"),
        ],
        "alpha": LEVEL,
    },
    "variance_estimates": {"residuals": [*ARRAY, *NONFINITE, Bad([1.0, 2.0], "(2,)")]},
    "ArrayPopulation": {"X": DATA, "y": LABELS, "replace": FLAG},
    **{
        f"{name}.sample": {
            "n_samples": count(1),
            "rng": [None, 0, "seed", Unknown(), np.random.RandomState(0)],
        }
        for name in ("ArrayPopulation", "GaussianLinearPopulation")
    },
    "GaussianLinearPopulation": {
        "n_features": count(1),
        "r2": LEVEL,
        "outliers": FLAG,
    },
    "covariance_curve": {
        "estimators": [
            *ESTIMATORS,
            Bad([LinearRegression()] * 3, "linearregression-3"),
        ],
        "population": POPULATION,
        "n_samples": [*count(2)[:5], None, [], [[1, 2], [3]], [[12]], 13],
        "n_splits": [*count(2)[:5], None, [], [[1, 2], [3]], [[3]], "text"],
        "n_replications": count(2),
        "random_state": SEEDED,
        **CURVE,
    },
    "replicate_losses": {
        "estimators": ESTIMATORS,
        "population": POPULATION,
        "n_samples": count(2),
        "cv": [Unknown(), "k-fold", 1.5, 1, True, BlockKFold, *SPLITTERS[:3]],
        "n_replications": count(1),
        "random_state": [*SEEDED, Bad(None, others={"memory": "folder"})],
        "error_score": ERROR_SCORE,
        **CURVE,
    },
    "load_forest": {"folder": [case for case in PATH if case is not None]},
    "load_letter": {
        "folder": [case for case in PATH if case is not None],
        "binary": FLAG,
    },
    "rejection_rates": {
        "residuals": [None, Unknown(), np.zeros((3, 4)), RESIDUALS["k-fold"]],
        "tests": [None, *TEST],
        "alphas": [*ARRAY[:4], 0, 1, 1.5, NAN, Bad([0.05, NAN], "nan")],
        "popmeans": [*(case for case in ARRAY[:6] if case is not None), NAN, INF],
    },
}

# Given no bad value yet, by name, so that a new parameter still needs its cases.
WITHOUT_CASES_YET = {
    "CVLosses.alone": ["column"],
    "CVResiduals.count_different": ["where"],
    "CVResiduals.from_array": ["groups"],
    "CandidateComparison.detectable_difference": ["power"],
    "CandidateComparison.to_latex": ["caption", "label"],
    "Comparison.by": ["labels", "p_adjust"],
    "Comparison.detectable_difference": ["power"],
    "Comparison.to_latex": ["caption", "label"],
    "CorrectedTTestResult.confidence_interval": ["confidence_level"],
    "CrossValInterval.plot": ["ax", "metric"],
    "DatasetComparison.baseline_position": ["baseline"],
    "DatasetComparison.load": ["path"],
    "DatasetComparison.marks_against": ["position"],
    "DatasetComparison.plot": ["first", "second"],
    "DatasetComparison.posterior": ["first", "random_state", "rope", "second"],
    "DatasetComparison.save": ["path"],
    "DatasetComparison.to_html": ["path"],
    "DatasetComparison.to_latex": ["baseline"],
    "DatasetComparison.wins_table": ["baseline"],
    "DatasetDisplay": [
        "ci_high",
        "ci_low",
        "estimates",
        "labels",
        "pvalue",
        "significant",
    ],
    "DatasetDisplay.from_comparison": ["ax", "comparison", "first", "second"],
    "DatasetDisplay.plot": ["ax"],
    "IntegratedRhoTest": ["weights"],
    "MultiMetricComparison.retest": ["test"],
    "NestedKFold": ["n_repeats", "n_splits", "random_state", "stratify"],
    "NestedKFold.split": ["X", "groups", "y"],
    "PairTable.detectable_difference": ["power"],
    "PosteriorDisplay": ["first", "probabilities", "second"],
    "PosteriorDisplay.from_comparison": ["ax", "comparison"],
    "PosteriorDisplay.plot": ["ax"],
    "SharpTest": ["method"],
    "compare_estimators": ["score_params"],
    "compare_mlr3": ["loss", "n_folds", "n_test", "n_train", "score", "table"],
    "compare_optuna": ["cv", "metric", "study"],
    "compare_over_datasets": [
        "alpha",
        "estimators",
        "interval",
        "p_adjust",
        "reference",
        "results",
        "scale",
        "tau2",
        "test",
        "weights",
    ],
    "compare_predictions": [
        "alpha",
        "groups",
        "loss",
        "n_train",
        "p_adjust",
        "predictions",
        "reference",
        "sample_weight",
        "scoring",
        "splits",
        "test",
        "y_true",
    ],
    "compare_skore": ["alpha", "loss", "p_adjust", "reference", "reports", "test"],
    "compare_tabarena": ["n_folds", "table"],
    "compare_table": [
        "alpha",
        "cv",
        "dataset",
        "example",
        "fold",
        "group",
        "loss",
        "model",
        "n_test",
        "n_train",
        "p_adjust",
        "reference",
        "repeat",
        "score",
        "table",
        "test",
    ],
    "corrected_ttest": ["a", "alternative", "b", "n_test", "n_train"],
    "cross_val_interval": [
        "X",
        "confidence_level",
        "cv",
        "error_score",
        "estimators",
        "groups",
        "loss",
        "memory",
        "n_jobs",
        "params",
        "pre_dispatch",
        "progress",
        "score_params",
        "scoring",
        "test",
        "verbose",
        "y",
    ],
    "cross_val_losses": ["score_params"],
    "plan_comparison": ["difference", "power", "result"],
    "recommend": [
        "budget",
        "groups",
        "metric",
        "n_samples",
        "purpose",
        "seconds_per_fit",
    ],
    "GroupedPopulation": ["group_size", "icc", "n_features", "r2"],
    "GroupedPopulation.get_groups": ["n_samples"],
    "GroupedPopulation.sample": ["n_samples", "rng"],
    "ReplicatedResiduals.count_different": ["where"],
    "replicate_losses": ["groups"],
}
