"""Arrays of other libraries: numpy's numbers, and scikit-learn's dispatch."""

import re

import numpy as np
import pytest
import sklearn
from numpy.testing import assert_array_equal
from sklearn.linear_model import Ridge

import sklearn_cvtest as cvt
from sklearn_cvtest.losses import concordance_index

strict = pytest.importorskip("array_api_strict", reason="needs array-api-strict")
MOST_CASES = 30
# of scikit-learn and array-api-strict, of what they do to each other
pytestmark = [
    pytest.mark.filterwarnings("ignore:You are comparing a array_api_strict dtype"),
    pytest.mark.filterwarnings("ignore:invalid value encountered:RuntimeWarning"),
]

RNG = np.random.default_rng(0)
N = 200
X = RNG.normal(size=(N, 4))
NUMBERS = X[:, 0] + RNG.normal(size=N)
LABELS = (NUMBERS > 0).astype(np.int64)
PAIRS = np.arange(N) // 2
WEIGHT = RNG.uniform(0.5, 2, N)
PROBA = RNG.dirichlet([1, 1], N)
RESIDUALS = RNG.normal(0.1, size=(10, 20))
FOLDS = cvt.BlockKFold(5, random_state=0)
RIDGES = {"weak": Ridge(solver="svd"), "strong": Ridge(50.0, solver="svd")}


# Any library --------------------------------------------------------------------


class Unmoved:
    """An array, of a namespace, that no other library can read."""

    dtype, device, shape, ndim = np.dtype(np.float64), "npu:0", (N,), 1

    def __array_namespace__(self):
        return strict

    def __array__(self, *args, **options):
        raise RuntimeError("Move it first.")


def splits_of(splitter, to):
    parts = [
        np.concatenate(s) for s in splitter.split(to(X), to(LABELS), groups=to(PAIRS))
    ]
    return np.concatenate(parts)


def compared(to, *args, **options):
    given = {"cv": FOLDS} | options
    return cvt.compare_estimators(RIDGES, to(X), to(NUMBERS), *args, **given).pvalue_


def predicted(to, **options):
    flipped = np.where(RNG_ROWS, 1 - LABELS, LABELS)
    named = {"a": to(LABELS), "b": to(flipped)}
    return cvt.compare_predictions(to(LABELS), named, **options).pvalue_


RNG_ROWS = RNG.uniform(size=N) < 0.1


def scores_of(to, scoring, **options):
    """Return the p-value of runs of probabilities by a scorer."""
    runs = {"a": PROBA[:, 1], "b": PROBA[::-1, 1].copy()}
    runs = {name: to(np.stack([p, np.roll(p, 1)])) for name, p in runs.items()}
    options = {"y_true": to(LABELS), "group": to(PAIRS)} | options
    return cvt.compare_scores(runs, scoring=scoring, **options).pvalue_


def table_of(to):
    return {
        "model": ["a"] * 10 + ["b"] * 10,
        "fold": to(np.tile(np.arange(10), 2)),
        "score": to(RESIDUALS[:, :2].ravel("F").copy()),
    }


def results_of(to):
    return {
        name: {"test_score": to(scores), "fit_time": to(WEIGHT[:5])}
        for name, scores in (("a", WEIGHT[:5]), ("b", WEIGHT[5:10]))
    }


CALLS = {
    "concordance": lambda to: concordance_index(
        to(NUMBERS), to(X[:, 0].copy()), sample_weight=to(WEIGHT)
    ),
    "residuals": lambda to: cvt.KFoldZTest().fit(to(RESIDUALS)).pvalue_,
    "series": lambda to: cvt.DieboldMarianoTest().fit(to(RESIDUALS.ravel())).pvalue_,
    "sizes": lambda to: (
        cvt.CorrectedResampledTTest()
        .fit(
            cvt.CVResiduals.from_array(
                to(RESIDUALS),
                design="subsample",
                n_train=to(np.full(10, 90)),
                groups=to(np.arange(N).reshape(10, 20) // 4),
            )
        )
        .pvalue_
    ),
    "adjusted": lambda to: cvt.adjust_pvalues(to(np.array([0.01, 0.2]))),
    "corrected_ttest": lambda to: (
        cvt.corrected_ttest(
            to(RESIDUALS[0]), to(RESIDUALS[1]), n_train=90, n_test=10
        ).pvalue_
    ),
    "folds": lambda to: splits_of(cvt.BlockKFold(4, stratify=True, random_state=0), to),
    "subsamples": lambda to: splits_of(
        cvt.RepeatedSubsample(3, stratify=True, random_state=0), to
    ),
    "labels": lambda to: predicted(to, test=cvt.McNemarTest()),
    "folds of rows": lambda to: predicted(
        to, splits=to(np.arange(N) % 5), groups=to(np.arange(N) % 40)
    ),
    "given splits": lambda to: predicted(
        to, splits=[(to(train), to(test)) for train, test in FOLDS.split(X)]
    ),
    "weights of rows": lambda to: predicted(to, sample_weight=to(WEIGHT)),
    "rows in lists": lambda to: (
        cvt.compare_predictions(
            list(map(to, NUMBERS)),
            {"a": list(map(to, X[:, 0])), "b": list(map(to, X[:, 1]))},
        ).pvalue_
    ),
    "probabilities": lambda to: (
        cvt.compare_predictions(
            to(LABELS), {"a": to(PROBA), "b": to(PROBA[::-1].copy())}, scoring="roc_auc"
        ).pvalue_
    ),
    "scores": lambda to: (
        cvt.compare_scores({"a": to(RESIDUALS), "b": to(RESIDUALS * 2)}).pvalue_
    ),
    "scores in lists": lambda to: (
        cvt.compare_scores(
            {
                name: [to(row) for row in RESIDUALS * k]
                for name, k in (("a", 1), ("b", 2))
            }
        ).pvalue_
    ),
    "AUC of runs": lambda to: scores_of(to, "roc_auc"),
    "F1 of runs": lambda to: scores_of(to, "f1"),
    "results": lambda to: cvt.compare_cv_results(results_of(to), cv=FOLDS).pvalue_,
    "table": lambda to: cvt.compare_table(table_of(to)).pvalue_,
    "estimators": compared,
    "weighted": lambda to: compared(
        to,
        params={"sample_weight": to(WEIGHT)},
        score_params={"sample_weight": to(WEIGHT)},
    ),
    "groups": lambda to: compared(to, groups=to(PAIRS)),
    "groups of scikit-learn": lambda to: compared(
        to, groups=to(PAIRS), cv=sklearn.model_selection.GroupKFold(5)
    ),
    "own splits": lambda to: compared(
        to, cv=[(to(train), to(test)) for train, test in FOLDS.split(X)]
    ),
    "own loss": lambda to: compared(to, loss=lambda y, pred: to((y - pred) ** 2)),
    "by label": lambda to: (
        cvt.compare_estimators(RIDGES, X, NUMBERS, cv=FOLDS)
        .by(to(np.arange(N) % 2))
        .to_frame()
        .loc[:, "pvalue"]
    ),
    "interval": lambda to: str(
        cvt.cross_val_interval(Ridge(), to(X), to(NUMBERS), cv=FOLDS)
    ),
}


@pytest.mark.parametrize("call", CALLS)
def test_arrays_give_the_numbers_of_numpy(call):
    assert_array_equal(CALLS[call](strict.asarray), CALLS[call](np.asarray))


# What cannot be -----------------------------------------------------------------


UNREADABLE = {
    "X": lambda array: cvt.compare_estimators(RIDGES, array, NUMBERS),
    "y": lambda array: cvt.compare_estimators(RIDGES, X, array),
    "groups": lambda array: compared(np.asarray, groups=array),
    "params['sample_weight']": lambda array: compared(
        np.asarray, params={"sample_weight": array}
    ),
}


@pytest.mark.parametrize("name", UNREADABLE)
def test_unreadable_array_is_refused_by_the_name_of_the_parameter(name):
    match = re.escape(f"`{name}` must be an array that numpy can read")
    with pytest.raises(TypeError, match=match):
        UNREADABLE[name](Unmoved())
