"""Large data: what is held, what per_example=False keeps, and threads."""

import tracemalloc

import joblib
import numpy as np
import pytest
from common import ALL_TESTS
from joblib.externals.loky import get_reusable_executor
from numpy.testing import assert_allclose, assert_array_equal
from sklearn.base import BaseEstimator, RegressorMixin
from sklearn.datasets import load_iris
from sklearn.dummy import DummyClassifier
from sklearn.exceptions import FitFailedWarning
from sklearn.linear_model import LinearRegression, LogisticRegression, Ridge
from sklearn.model_selection import TimeSeriesSplit
from sklearn.naive_bayes import GaussianNB
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.tree import DecisionTreeClassifier
from threadpoolctl import threadpool_info

from sklearn_cvtest import (
    BlockKFold,
    CrossedTest,
    EquivalenceTest,
    FiveByTwo,
    KFoldTTest,
    PairedHalves,
    RepeatedSubsample,
    compare_estimators,
    cross_val_losses,
)

IRIS = load_iris(return_X_y=True)
BINARY = IRIS[0][50:], (IRIS[1][50:] == 1).astype(int)
FOLDS = BlockKFold(4, random_state=0)
CLASSIFIERS = {
    "bayes": GaussianNB(),
    "tree": DecisionTreeClassifier(max_depth=2, random_state=0),
}
REGRESSORS = {"ols": LinearRegression(), "ridge": Ridge(10.0)}


class Mean(RegressorMixin, BaseEstimator):
    """Costs as little as an estimator can."""

    def __init__(self, shift=0.0):
        self.shift = shift

    def fit(self, X, y):
        self.mean_ = y.mean() + self.shift
        return self

    def predict(self, X):
        return np.full(len(X), self.mean_)


class Threads(Mean):
    """Predicts how many threads BLAS and OpenMP may use where it is fitted."""

    def fit(self, X, y):
        self.mean_ = float(max(pool["num_threads"] for pool in threadpool_info()))
        return self


# Memory -----------------------------------------------------------------------


def peak_growth(n, n_estimators, n_splits, **options):
    """Return the peak of what Python and numpy allocate in a call, in bytes."""
    X, y = np.arange(4.0 * n).reshape(n, 4), np.ones(n)
    models = {f"m{number}": Mean(number) for number in range(n_estimators)}
    cv = BlockKFold(n_splits, random_state=0)
    tracemalloc.start()
    try:
        cross_val_losses(models, X, y, cv=cv, **options)
        return tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()


@pytest.mark.parametrize("n_estimators", [5, 20])
def test_peak_is_the_result_and_a_training_slice(n_estimators):
    n = 300_000
    growth = peak_growth(n, n_estimators, 10) - 5 * 8 * n * 9 // 10
    # losses and errors of fits, and of all; and what diagnostics look at
    assert growth <= 8 * (5 * n_estimators + 25) * n


@pytest.mark.full
def test_memory_is_linear_in_examples():
    small, large = (peak_growth(n, 5, 10) for n in (30_000, 300_000))
    assert large <= 11 * small


@pytest.mark.full
def test_memory_grows_with_folds_by_their_indices_alone():
    few, many = (peak_growth(100_000, 2, n_splits) for n_splits in (3, 30))
    assert many <= 1.6 * few + 27 * 8 * 100_000  # training sets grow by a half


def test_result_without_examples_does_not_grow_with_data():
    sizes = []
    for n in (100, 10_000):
        losses = cross_val_losses(
            REGRESSORS, np.ones((n, 1)), np.arange(n) % 7, cv=FOLDS, per_example=False
        )
        arrays = vars(losses).values()
        sizes.append(sum(a.nbytes for a in arrays if isinstance(a, np.ndarray)))
    assert sizes[0] == sizes[1] < 1000


# Only means -------------------------------------------------------------------


LOSSES = ("zero_one", "log_loss", "brier", "hinge", "squared_error", "absolute_error")
LOSSES += ("squared_log_error", "pinball", "poisson_deviance", "gamma_deviance")


@pytest.mark.parametrize("loss", LOSSES)
def test_means_are_the_block_means_of_every_loss(loss):
    y, models = BINARY[1], CLASSIFIERS
    if loss not in ("brier", "hinge", "log_loss", "zero_one"):
        y, models = 1.0 + IRIS[0][50:, 3], REGRESSORS
    elif loss == "hinge":
        models = {"logistic": LogisticRegression(), "other": LogisticRegression(C=0.1)}
    options = {"cv": FOLDS, "loss": loss}
    full = cross_val_losses(models, BINARY[0], y, **options)
    means = cross_val_losses(models, BINARY[0], y, **options, per_example=False)
    assert_allclose(means.values, full.block_losses, rtol=1e-13)
    assert means.values.shape == (4, 2)
    assert not means.per_example
    assert not means.metric.is_score
    assert means.row_index is None
    assert_array_equal(means.row_split, range(4))
    for name in ("n_train", "n_test"):
        assert_array_equal(getattr(means, name), getattr(full, name))
    assert means.design == full.design


CVS = {
    "k-fold": BlockKFold(5, random_state=0),
    "subsample": RepeatedSubsample(6, random_state=0),
    "5x2": FiveByTwo(random_state=0),
    "halves of folds": PairedHalves(BlockKFold(4, random_state=0), 3, random_state=0),
    "halves of subsamples": PairedHalves(
        RepeatedSubsample(4, random_state=0), 3, random_state=0
    ),
    "holdout": [(np.arange(0, 150, 2), np.arange(1, 150, 2))],
    "time series": TimeSeriesSplit(4),
}
NEED_EXAMPLES = {"HoldoutTTest", "KFoldZTest", "McNemarTest", "DieboldMarianoTest"}


@pytest.fixture(name="runs", scope="module")
def all_runs():
    return {
        kind: [
            cross_val_losses(CLASSIFIERS, *IRIS, cv=cv, per_example=per_example)
            for per_example in (True, False)
        ]
        for kind, cv in CVS.items()
    }


OF_SPLITS = [Test for Test in ALL_TESTS if Test is not CrossedTest]


def make(Test):
    if Test is EquivalenceTest:
        return EquivalenceTest(KFoldTTest(), margin=0.1)
    return Test()


@pytest.mark.parametrize("Test", OF_SPLITS, ids=lambda Test: Test.__name__)
def test_tests_of_means_agree_or_refuse_by_name(Test, runs):
    n_accepted = 0
    for full, means in runs.values():
        try:
            expected = make(Test).fit(full.residuals("bayes", "tree"))
        except ValueError:
            continue  # not a design for it
        n_accepted += 1
        residuals = means.residuals("bayes", "tree")
        if Test.__name__ in NEED_EXAMPLES:
            match = f"one value a split; {Test.__name__} is not"
            with pytest.raises(ValueError, match=match):
                make(Test).fit(residuals)
        else:
            assert_allclose(make(Test).fit(residuals).pvalue_, expected.pvalue_)
    assert n_accepted


def test_tests_that_need_examples_are_refused_before_any_fit(tmp_path):
    log = tmp_path / "log"

    class Noting(DummyClassifier):
        def fit(self, X, y):
            log.write_text("fitted", encoding="utf-8")
            return super().fit(X, y)

    models = {"a": Noting(), "b": Noting()}
    with pytest.raises(ValueError, match="Use a per-example loss"):
        compare_estimators(models, *IRIS, cv=CVS["holdout"], per_example=False)
    assert not log.exists()


def test_failed_fits_leave_one_value_a_split():
    models = {"good": Ridge(), "bad": Ridge(solver="nonsense")}
    with pytest.warns(FitFailedWarning, match="4 of 8 fits failed"):
        losses = cross_val_losses(
            models, *IRIS, cv=FOLDS, per_example=False, error_score=9.0
        )
    assert_array_equal(losses.values[:, 1], [9.0] * 4)
    assert len(losses.errors["bad"]) == 4


def test_scores_are_scores_whatever_is_kept():
    for per_example in (True, False):
        losses = cross_val_losses(
            CLASSIFIERS, *IRIS, cv=FOLDS, scoring="accuracy", per_example=per_example
        )
        assert losses.metric.is_score
        assert losses.per_example == per_example


# Parallel ---------------------------------------------------------------------


@pytest.mark.parametrize("backend", ["loky", "threading", "multiprocessing"])
@pytest.mark.parametrize("per_example", [True, False])
def test_losses_do_not_depend_on_backend_or_order(backend, per_example):
    models = {
        name: make_pipeline(StandardScaler(), model)
        for name, model in CLASSIFIERS.items()
    }
    models["alone"] = models["tree"][-1]
    options = {"cv": FOLDS, "per_example": per_example}
    serial = cross_val_losses(models, *IRIS, **options)
    reverse = dict(reversed(models.items()))
    with joblib.parallel_config(backend=backend):
        parallel = cross_val_losses(reverse, *IRIS, **options, n_jobs=2)
    assert_array_equal(parallel.values[:, ::-1], serial.values)
    assert_array_equal(parallel.row_split, serial.row_split)


@pytest.mark.full
def test_estimators_in_workers_use_their_share_of_threads(monkeypatch):
    y = np.zeros(150)
    share = max(1, joblib.cpu_count() // 2)
    monkeypatch.delenv("OMP_NUM_THREADS", raising=False)
    get_reusable_executor().shutdown()  # workers of before have one
    losses = cross_val_losses(
        Threads(), IRIS[0], y, cv=FOLDS, loss="absolute_error", n_jobs=2
    )
    assert (losses.values >= 1).all()
    assert (losses.values <= share).all()
