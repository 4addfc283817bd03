"""Arrays of other libraries: numpy's numbers, and scikit-learn's dispatch."""

import os
import subprocess
import sys
from functools import partial
from pathlib import Path

import numpy as np
import pytest
import sklearn
from joblib.externals.loky import get_reusable_executor
from numpy.testing import assert_array_equal
from sklearn.base import BaseEstimator, RegressorMixin
from sklearn.discriminant_analysis import LinearDiscriminantAnalysis
from sklearn.dummy import DummyRegressor
from sklearn.exceptions import FitFailedWarning
from sklearn.linear_model import Ridge
from sklearn.model_selection import StratifiedKFold
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import MinMaxScaler
from sklearn.tree import DecisionTreeRegressor
from sklearn_cvtest.losses import concordance_index, get_loss, get_loss_names

import sklearn_cvtest as cvt

strict = pytest.importorskip("array_api_strict", reason="needs array-api-strict")
MOST_CASES = 60
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


def on_other_device(values):
    return strict.asarray(values, device=strict.Device("device1"))


class Unmoved:
    """An array, of a namespace, that no other library can read."""

    dtype, device, shape, ndim = np.dtype(np.float64), "npu:0", (N,), 1

    def __array_namespace__(self):
        return strict

    def __array__(self, *args, **options):
        raise RuntimeError("Move it first.")


LIBRARIES = {
    "strict": strict.asarray,
    "device": on_other_device,
}


@pytest.fixture(params=LIBRARIES)
def to(request):
    """Make an array one of another library."""
    if request.param == "device" and np.lib.NumpyVersion(np.__version__) < "2.1.0":
        pytest.skip("numpy 2.1 is the first to ask for a copy on its own device")
    return LIBRARIES[request.param]


def losses_of(to):
    found = []
    for name in get_loss_names():
        options = {"clipped_squared_error": {"limit": 1}}.get(name, {})
        loss = get_loss(name, **options)
        positive = loss.domain is not None or "deviance" in name
        y, pred = (NUMBERS**2 + 1, X[:, 0] ** 2 + 1) if positive else (NUMBERS, X[:, 0])
        if loss.task == "classification":
            y, pred = LABELS, LABELS[::-1].copy()
        if loss.response_method != "predict":
            pred = PROBA if loss.response_method == "predict_proba" else X[:, 0]
            found.append(loss.evaluate(to(y), to(pred), to(np.array([0, 1]))))
        else:
            found.append(loss.evaluate(to(y), to(pred)))
        loss.check_target(to(y))
    return np.array(found)


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
    "losses": losses_of,
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
        ).pvalue
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
def test_arrays_give_the_numbers_of_numpy(to, call):
    assert_array_equal(CALLS[call](to), CALLS[call](np.asarray))


# What cannot be -----------------------------------------------------------------


UNREADABLE = {
    "e": lambda array: cvt.CVResiduals.from_array(array),
    "residuals": lambda array: cvt.KFoldZTest().fit(array),
    "y_true": lambda array: cvt.compare_predictions(
        array, {"a": X[:, 0], "b": X[:, 1]}
    ),
    "predictions['b']": lambda array: cvt.compare_predictions(
        NUMBERS, {"a": X[:, 0], "b": array}
    ),
    "splits": lambda array: predicted(np.asarray, splits=array),
    "groups": lambda array: compared(np.asarray, groups=array),
    "scores['a']": lambda array: cvt.compare_scores({"a": array, "b": NUMBERS}),
    "X": lambda array: cvt.compare_estimators(RIDGES, array, NUMBERS),
    "y": lambda array: cvt.compare_estimators(RIDGES, X, array),
    "params['sample_weight']": lambda array: compared(
        np.asarray, params={"sample_weight": array}
    ),
}


@pytest.mark.parametrize("name", UNREADABLE)
def test_unreadable_array_is_refused_by_the_name_of_the_parameter(name):
    with pytest.raises(TypeError) as caught:
        UNREADABLE[name](Unmoved())
    assert str(caught.value) == (
        f"`{name}` must be an array that numpy can read; got an array of "
        f"{__name__.partition('.')[0]} (float64 on npu:0)."
    )


def test_stored_fits_are_refused_for_an_estimator_with_an_unreadable_array(tmp_path):
    estimators = [
        DummyRegressor(constant=1, strategy="constant"),
        Ridge(alpha=Unmoved()),
    ]
    with pytest.raises(ValueError, match=r"`memory` must be None .*npu:0"):
        cvt.cross_val_losses(estimators, X, NUMBERS, memory=tmp_path)


# Under scikit-learn's dispatch --------------------------------------------------


@pytest.fixture
def _dispatch(monkeypatch):
    monkeypatch.setenv("SCIPY_ARRAY_API", "1")
    try:
        context = sklearn.config_context(array_api_dispatch=True)
        context.__enter__()
    except (ImportError, RuntimeError) as error:
        pytest.skip(f"no dispatch: {error}")
    yield
    context.__exit__(None, None, None)


class OfNamespace(RegressorMixin, BaseEstimator):
    """Predicts the mean, and takes no other arrays than those of a library."""

    def fit(self, X, y, sample_weight=None):
        for part in (X, y) if sample_weight is None else (X, y, sample_weight):
            if not type(part).__module__.startswith("array_api_strict"):
                raise TypeError(f"This is of {type(part)}.")
        self.mean_ = strict.mean(y)
        return self

    def predict(self, X):
        return 0 * X[:, 0] + self.mean_


@pytest.mark.usefixtures("_dispatch")
def test_dispatch_hands_arrays_on_as_they_are():
    losses = cvt.cross_val_losses(
        OfNamespace(),
        strict.asarray(X),
        strict.asarray(NUMBERS),
        cv=FOLDS,
        params={"sample_weight": strict.asarray(WEIGHT)},
        error_score="raise",
    )
    expected = cvt.cross_val_losses(DummyRegressor(), X, NUMBERS, cv=FOLDS)
    np.testing.assert_allclose(losses.values, expected.values, rtol=1e-12)


def pipelines():
    return {
        "weak": make_pipeline(MinMaxScaler(), Ridge(0.1, solver="svd")),
        "strong": make_pipeline(MinMaxScaler(), Ridge(10.0, solver="svd")),
    }


CLASSIFIERS = [
    LinearDiscriminantAnalysis(),
    LinearDiscriminantAnalysis(priors=[0.2, 0.8]),
]
DISPATCHED = {
    "regression": lambda to, **o: cvt.compare_estimators(
        pipelines(), to(X), to(NUMBERS), cv=FOLDS, **o
    ),
    "scorers": lambda to, **o: cvt.compare_estimators(
        pipelines(),
        to(X),
        to(NUMBERS),
        cv=FOLDS,
        scoring=["r2", "neg_median_absolute_error"],
        **o,
    )["r2"],
    "log_loss": lambda to, **o: cvt.compare_estimators(
        CLASSIFIERS, to(X), to(LABELS), cv=FOLDS, loss="log_loss", **o
    ),
    "f1": lambda to, **o: cvt.compare_estimators(
        CLASSIFIERS, to(X), to(LABELS), cv=StratifiedKFold(5), scoring="f1", **o
    ),
    "roc_auc": lambda to, **o: cvt.compare_estimators(
        CLASSIFIERS, to(X), to(LABELS), cv=StratifiedKFold(5), scoring="roc_auc", **o
    ),
    "groups": lambda to, **o: cvt.compare_estimators(
        pipelines(), to(X), to(NUMBERS), cv=FOLDS, groups=to(PAIRS), **o
    ),
}


@pytest.mark.usefixtures("_dispatch")
@pytest.mark.parametrize("call", DISPATCHED)
def test_estimators_compare_under_dispatch_as_on_numpy(call):
    found = DISPATCHED[call](strict.asarray, error_score="raise")
    with sklearn.config_context(array_api_dispatch=False):
        expected = DISPATCHED[call](np.asarray)
    np.testing.assert_allclose(found.losses.values, expected.losses.values, atol=1e-9)
    assert found.pvalue_ == pytest.approx(expected.pvalue_, rel=1e-6)


@pytest.mark.usefixtures("_dispatch")
def test_intervals_under_dispatch():
    native = strict.asarray
    interval = cvt.cross_val_interval(CLASSIFIERS[0], native(X), native(LABELS), cv=5)
    with sklearn.config_context(array_api_dispatch=False):
        assert str(interval) == str(
            cvt.cross_val_interval(CLASSIFIERS[0], X, LABELS, cv=5)
        )


@pytest.mark.usefixtures("_dispatch")
def test_stored_fits_under_dispatch(tmp_path):
    call = partial(DISPATCHED["regression"], strict.asarray, error_score="raise")
    first, again = call(memory=tmp_path).values, call(memory=tmp_path).values
    assert_array_equal(again.values, first.values)
    assert_array_equal(again.fit_time, first.fit_time)  # as nothing was fitted


@pytest.mark.full
@pytest.mark.usefixtures("_dispatch")
def test_workers_dispatch_too():
    call = partial(DISPATCHED["regression"], strict.asarray, error_score="raise")
    # of one thread, and so to the last digit but one
    expected = call().losses.values
    get_reusable_executor().shutdown()  # workers of before know no SCIPY_ARRAY_API
    np.testing.assert_allclose(call(n_jobs=2).losses.values, expected, rtol=1e-9)


@pytest.mark.usefixtures("_dispatch")
def test_estimator_that_takes_numpy_alone_is_told_apart():
    estimators = {"tree": DecisionTreeRegressor(), "lines": Ridge(solver="svd")}
    call = partial(cvt.cross_val_losses, estimators, strict.asarray(X))
    with pytest.warns(FitFailedWarning, match="'tree' 5 ") as caught:
        losses = call(strict.asarray(NUMBERS), cv=FOLDS)
    assert "`X` is an array of array_api_strict" in str(caught[0].message)
    assert losses.fit_failed.all(axis=0).tolist() == [True, False]
    with pytest.raises(Exception, match=r".") as raised:
        call(strict.asarray(NUMBERS), cv=FOLDS, error_score="raise")
    assert "array_api_dispatch is on" in " ".join(raised.value.__notes__)


@pytest.mark.full
def test_all_of_this_with_scipy_s_support_from_the_start():
    """SciPy reads the variable when it is imported, so that this is another process."""
    if "SCIPY_ARRAY_API" in os.environ:
        pytest.skip("this is that process")
    command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", __file__]
    environment = os.environ | {"SCIPY_ARRAY_API": "1"}
    root = Path(cvt.__file__).parent.parent
    done = subprocess.run(
        command, env=environment, cwd=root, capture_output=True, text=True
    )
    assert done.returncode == 0, done.stdout
