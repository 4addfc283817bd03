"""seed_stability_: how probable the same decision is with other splits."""

import zlib

import numpy as np
import pytest
from numpy.testing import assert_allclose
from scipy import stats
from sklearn.base import BaseEstimator, RegressorMixin

from sklearn_cvtest import (
    BlockKFold,
    CorrectedRepeatedKFoldTTest,
    CorrectedResampledTTest,
    CVResiduals,
    FiveByTwoTTest,
    KFoldTTest,
    KFoldZTest,
    compare_estimators,
)
from sklearn_cvtest.results import Design

RNG = np.random.default_rng(0)
X = RNG.normal(size=(60, 1))
Y = X[:, 0] + RNG.normal(size=60)


class Shifted(RegressorMixin, BaseEstimator):
    """Predicts x plus a shift and noise that depends on its training set."""

    def __init__(self, shift=0.0, noise=0.0):
        self.shift = shift
        self.noise = noise

    def fit(self, X, y):
        seed = zlib.crc32(X.tobytes() + str(self.shift).encode())
        self.rng_ = np.random.default_rng(seed)
        return self

    def predict(self, X):
        noise = self.noise * self.rng_.normal(size=len(X))
        return X[:, 0] + self.shift + noise


def test_stability_of_scores_by_hand():
    # means of three runs of two folds: 1, 3, 2; the variance of their mean is 1/3
    folds = [0.0, 2.0, 2.0, 4.0, 3.0, 1.0]
    residuals = CVResiduals.from_array(
        folds, design=Design("repeated k-fold", 2, 3), n_train=10, n_test=10
    )
    test = CorrectedRepeatedKFoldTTest().fit(residuals)
    low, high = test.confidence_interval()
    assert low < 0 < high  # and neither end crosses 0
    crosses = stats.norm.sf(np.array([-low, high]) / np.sqrt(2 / 3))
    assert_allclose(test.seed_stability_, 1 - crosses.sum())


def test_stability_of_subsamples_is_that_of_their_means():
    values = [0.1, 0.3, 0.2, 0.6]
    residuals = CVResiduals.from_array(
        values, design="subsample", n_train=90, n_test=10
    )
    test = CorrectedResampledTTest(alternative="greater").fit(residuals)
    low, _ = test.confidence_interval()
    spread = np.sqrt(2 * np.var(values, ddof=1) / 4)
    assert_allclose(test.seed_stability_, stats.norm.cdf(abs(low) / spread))


def runs_as_residuals(e, groups=None):
    """Runs (..., runs, examples) of five folds."""
    n_runs, n = e.shape[-2:]
    split = np.arange(n_runs)[:, np.newaxis] * 5 + np.arange(n) * 5 // n
    return CVResiduals(
        values=e.reshape(*e.shape[:-2], -1),
        row_split=split.ravel(),
        row_index=np.tile(np.arange(n), n_runs),
        n_train=np.full(5 * n_runs, n - n // 5),
        n_test=np.full(5 * n_runs, n // 5),
        design=Design("repeated k-fold", 5, n_runs),
        groups=None if groups is None else np.tile(groups, n_runs),
        names=("a", "b") if e.ndim == 2 else [("a", "b")] * len(e),
    )


@pytest.mark.parametrize("options", [{}, {"alternative": "greater"}])
def test_stability_of_examples_by_hand(options):
    # examples vary between runs independently: the variance of the mean of three
    e = RNG.normal(0.2, size=60) + RNG.normal(size=(3, 60))
    test = KFoldZTest(**options).fit(runs_as_residuals(e))
    noise = np.sum(np.var(e, axis=0, ddof=1)) / 60**2 / 3
    inside = np.array(test.confidence_interval()) * [-1, 1]
    crosses = stats.norm.sf(inside / np.sqrt(2 * noise)).sum()
    is_found = test.pvalue_ <= 0.05
    assert_allclose(test.seed_stability_, crosses if is_found else 1 - crosses)


def test_runs_that_agree_in_all_are_stable():
    e = np.tile(np.arange(60) % 12 < 5, (2, 1)).astype(float)
    assert KFoldZTest().fit(runs_as_residuals(e)).seed_stability_ == 1
    equal = KFoldZTest().fit(runs_as_residuals(np.zeros_like(e)))
    assert equal.seed_stability_ == 1


def test_one_k_fold_says_nothing_of_other_seeds():
    assert np.isnan(KFoldTTest().fit([0.1, 0.2, 0.4]).seed_stability_)
    halves = CVResiduals.from_array(np.arange(10.0) % 3, design="5x2")
    assert np.isnan(FiveByTwoTTest().fit(halves).seed_stability_)
    result = compare_estimators(
        {"a": Shifted(), "b": Shifted(1.0)}, X, Y, cv=5, loss="squared_error"
    )
    assert result.to_frame()["seed_stability"].isna().all()


def test_report_and_frame_say_how_stable_a_verdict_is():
    result = compare_estimators({"a": Shifted(), "b": Shifted(1.0)}, X, Y)
    (test,) = result.tests.values()
    assert result.to_frame()["seed_stability"].item() == test.seed_stability_


def test_stability_is_the_share_of_seeds_that_agree():
    # told for each of many seeds, against how many pairs of seeds do agree
    models = {"a": Shifted(0.0, 0.5), "b": Shifted(0.55, 0.5)}
    tests = []
    for seed in range(40):
        cv = BlockKFold(5, n_repeats=2, random_state=seed)
        result = compare_estimators(models, X, Y, cv=cv, loss="absolute_error")
        tests += result.tests.values()
    rejects = np.array([test.pvalue_ <= 0.05 for test in tests])
    agree = rejects.mean() ** 2 + (1 - rejects.mean()) ** 2
    told = np.mean([test.seed_stability_ for test in tests])
    assert abs(told - agree) < 0.15


@pytest.mark.filterwarnings("ignore::UserWarning")  # of skewness
@pytest.mark.parametrize(("apart", "is_told"), [(0.75, True), (5.0, False)])
def test_sentences_say_how_stable_a_decision_is_where_it_is_not(apart, is_told):
    models = {"a": Shifted(0.0, 0.5), "b": Shifted(apart, 0.5)}
    cv = BlockKFold(5, n_repeats=2, random_state=0)
    result = compare_estimators(models, X, Y, cv=cv, loss="absolute_error")
    (test,) = result.tests.values()
    assert (test.seed_stability_ < 0.9) == is_told
    for text in (str(result), result.report()):
        said = "another random split would give the same decision in about"
        assert (said in " ".join(text.split())) == is_told


@pytest.mark.filterwarnings("ignore::UserWarning")  # of skewness
@pytest.mark.parametrize(
    ("second", "sentence"),
    [
        (5.0, "Another split might decide otherwise for b (about"),
        (0.75, "Another split might decide otherwise for b and c (about"),
    ],
)
def test_prints_name_the_models_on_which_the_decision_is_not_stable(second, sentence):
    models = {
        "a": Shifted(0.0, 0.5),
        "b": Shifted(0.75, 0.5),
        "c": Shifted(second, 0.5),
    }
    cv = BlockKFold(5, n_repeats=2, random_state=0)
    result = compare_estimators(models, X, Y, cv=cv, loss="absolute_error")
    assert sentence in " ".join(str(result).split())
