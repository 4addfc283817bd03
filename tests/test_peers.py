"""Agreement with other packages, where theirs is the right value."""

import warnings

import numpy as np
import pytest
from numpy.testing import assert_allclose
from scipy import stats
from sklearn.base import clone
from sklearn.datasets import load_breast_cancer, load_diabetes
from sklearn.linear_model import Ridge
from sklearn.model_selection import KFold, RepeatedKFold, train_test_split
from sklearn.naive_bayes import GaussianNB
from sklearn.tree import DecisionTreeClassifier, DecisionTreeRegressor

from sklearn_cvtest import (
    BayesianCorrelatedTTest,
    BlockKFold,
    CorrectedRepeatedKFoldTTest,
    CorrectedResampledTTest,
    CVResiduals,
    FiveByTwoFTest,
    FiveByTwoTTest,
    HoldoutTTest,
    KFoldTTest,
    McNemarTest,
    RepeatedSubsample,
    ResampledTTest,
    cross_val_losses,
)

MOST_CASES = 5  # that the suite runs of a test, see conftest.py
CANCER = load_breast_cancer(return_X_y=True)
CLASSIFIERS = [GaussianNB(), DecisionTreeClassifier(max_depth=2, random_state=0)]
DIABETES = load_diabetes(return_X_y=True)
REGRESSORS = [Ridge(), DecisionTreeRegressor(max_depth=3, random_state=0)]
PROBLEMS = {
    "accuracy": (CLASSIFIERS, CANCER, {"loss": "zero_one"}),
    "roc_auc": (CLASSIFIERS, CANCER, {"scoring": "roc_auc"}),
    "neg_mean_squared_error": (REGRESSORS, DIABETES, {"loss": "squared_error"}),
    "r2": (REGRESSORS, DIABETES, {"scoring": "r2"}),
}
every_problem = pytest.mark.parametrize("scoring", PROBLEMS)
GOLDEN = np.array([0.010, -0.005, 0.020, 0.015, 0, 0.010, 0.025, -0.010, 0.005, 0.020])


@pytest.fixture(scope="module")
def mlxtend():
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # of its own imports
        return pytest.importorskip("mlxtend.evaluate")


@pytest.fixture(scope="module")
def baycomp():
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return pytest.importorskip("baycomp")


def run(scoring, cv):
    models, data, how = PROBLEMS[scoring]
    models = list(map(clone, models))  # peers fit them in place
    return cross_val_losses(models, *data, cv=cv, **how).residuals(0, 1)


def mlxtend_splits(n_samples, seed, n_rounds, test_size):
    """Return the splits mlxtend draws: a seed for each train_test_split."""
    rng = np.random.RandomState(seed)
    for _ in range(n_rounds):
        draw = rng.randint(low=0, high=32767)
        yield train_test_split(
            np.arange(n_samples), test_size=test_size, random_state=draw
        )


def assert_mirrors(test, peer):
    """Compare with a peer whose differences are scores, ours losses."""
    statistic, pvalue = peer
    sign = 1 if isinstance(test, FiveByTwoFTest) else -1
    assert_allclose(sign * test.statistic_, statistic, rtol=1e-10)
    assert_allclose(test.pvalue_, pvalue, rtol=1e-10)


@every_problem
@pytest.mark.parametrize("n_folds", [3, 10])
def test_naive_k_fold_t_equals_mlxtend(mlxtend, scoring, n_folds):
    models, data, _ = PROBLEMS[scoring]
    peer = mlxtend.paired_ttest_kfold_cv(
        *models, *data, cv=n_folds, scoring=scoring, shuffle=True, random_seed=1
    )
    for cv in (
        BlockKFold(n_folds, random_state=1),
        KFold(n_folds, shuffle=True, random_state=1),
    ):
        assert_mirrors(KFoldTTest(rho=0).fit(run(scoring, cv)), peer)


@every_problem
@pytest.mark.parametrize("test_size", [0.1, 0.3])
def test_resampled_t_equals_mlxtend(mlxtend, scoring, test_size):
    models, data, _ = PROBLEMS[scoring]
    peer = mlxtend.paired_ttest_resampled(
        *models, *data, num_rounds=8, test_size=test_size, scoring=scoring,
        random_seed=2,
    )  # fmt: skip
    cv = list(mlxtend_splits(len(data[0]), 2, 8, test_size))
    assert_mirrors(ResampledTTest().fit(run(scoring, cv)), peer)


@every_problem
@pytest.mark.parametrize("Test", [FiveByTwoTTest, FiveByTwoFTest])
def test_5x2_equals_mlxtend(mlxtend, scoring, Test):
    models, data, _ = PROBLEMS[scoring]
    names = {
        FiveByTwoTTest: "paired_ttest_5x2cv",
        FiveByTwoFTest: "combined_ftest_5x2cv",
    }
    peer = getattr(mlxtend, names[Test])(*models, *data, scoring=scoring, random_seed=3)
    halves = mlxtend_splits(len(data[0]), 3, 5, 0.5)
    cv = [split for a, b in halves for split in ((a, b), (b, a))]
    assert_mirrors(Test().fit(run(scoring, cv)), peer)


def mcnemar_methods():
    return [("chi2", True), ("chi2", False), ("exact", True)]


@pytest.mark.parametrize(("method", "correction"), mcnemar_methods())
@pytest.mark.parametrize(("b", "c"), [(11, 1), (1, 11), (25, 12), (0, 4), (9, 0)])
def test_mcnemar_equals_mlxtend_and_statsmodels(mlxtend, b, c, method, correction):
    tables = pytest.importorskip("statsmodels.stats.contingency_tables")
    table = np.array([[50, b], [c, 20]])
    test = McNemarTest(method, correction)
    test.fit([1.0] * b + [-1.0] * c + [0.0] * 70)
    exact = method == "exact"
    chi2, pvalue = mlxtend.mcnemar(table, corrected=correction, exact=exact)
    assert_allclose(test.pvalue_, pvalue, rtol=1e-10)
    peer = tables.mcnemar(table, exact=exact, correction=correction)
    assert_allclose(test.pvalue_, peer.pvalue, rtol=1e-10)
    assert_allclose(test.statistic_, peer.statistic, rtol=1e-12)
    if not exact:
        assert_allclose(test.statistic_, chi2, rtol=1e-12)


def test_mcnemar_of_an_engine_run_equals_mlxtend(mlxtend):
    X, y = CANCER
    cv = RepeatedSubsample(1, test_size=0.4, random_state=0)
    models = list(map(clone, CLASSIFIERS))
    residuals = cross_val_losses(models, X, y, cv=cv).residuals(0, 1)
    train, test = next(cv.split(X))
    predictions = [m.fit(X[train], y[train]).predict(X[test]) for m in CLASSIFIERS]
    table = mlxtend.mcnemar_table(y[test], *predictions)
    for method, correction in mcnemar_methods():
        exact = method == "exact"
        _, pvalue = mlxtend.mcnemar(table, corrected=correction, exact=exact)
        ours = McNemarTest(method, correction).fit(residuals)
        assert_allclose(ours.pvalue_, pvalue, rtol=1e-10)


def test_mcnemar_statistic_of_statsmodels_is_the_smaller_count():
    tables = pytest.importorskip("statsmodels.stats.contingency_tables")
    peer = tables.mcnemar([[9, 3], [7, 9]])
    assert McNemarTest().fit([1.0] * 3 + [-1.0] * 7).statistic_ == peer.statistic


def test_bayesian_test_golden_of_baycomp(baycomp):
    # peers.md, section 3; baycomp's difference is y - x
    residuals = CVResiduals.from_array(GOLDEN)
    for rope, expected in (
        (0.01, (0.0028912, 0.5700702, 0.4270387)),
        (0.0, (0.0613400, 0.0, 0.9386600)),
    ):
        test = BayesianCorrelatedTTest(rope).fit(residuals)
        probabilities = (test.prob_less_, test.prob_rope_, test.prob_greater_)
        assert_allclose(probabilities, expected, atol=1e-7)
        peer = baycomp.two_on_single(np.zeros(10), GOLDEN, rope=rope)
        ours = probabilities if rope else (test.prob_less_, test.prob_greater_)
        assert_allclose(ours, peer, rtol=1e-12)


@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize("n_folds", [5, 10])
def test_one_k_fold_p_is_twice_the_smaller_probability_of_baycomp(
    baycomp, n_folds, seed
):
    e = np.random.default_rng(seed).normal(0.3, size=n_folds)
    expected = 2 * min(baycomp.two_on_single(np.zeros(n_folds), e))
    residuals = CVResiduals.from_array(e)
    for test in (KFoldTTest("nadeau-bengio"), CorrectedResampledTTest()):
        assert_allclose(test.fit(residuals).pvalue_, expected, rtol=1e-12)


@pytest.mark.parametrize(("n_folds", "n_repeats"), [(5, 4), (10, 10), (2, 5)])
def test_repeated_k_fold_p_is_twice_the_smaller_probability_of_baycomp(
    baycomp, n_folds, n_repeats
):
    e = np.random.default_rng(0).normal(0.2, size=n_folds * n_repeats)
    peer = baycomp.two_on_single(np.zeros(len(e)), e, runs=n_repeats)
    residuals = CVResiduals.from_array(
        e, design="repeated k-fold", n_train=n_folds - 1, n_test=1
    )
    test = CorrectedRepeatedKFoldTTest().fit(residuals)
    assert_allclose(test.pvalue_, 2 * min(peer), rtol=1e-12)
    bayes = BayesianCorrelatedTTest().fit(residuals)
    assert_allclose((bayes.prob_less_, bayes.prob_greater_), peer, rtol=1e-12)


@pytest.mark.parametrize("rope", [0.01, 0.02])
def test_bayesian_test_of_an_engine_run_equals_baycomp(baycomp, rope):
    residuals = run("accuracy", RepeatedKFold(n_splits=5, n_repeats=3, random_state=0))
    means = residuals.block_means  # 114 and 113 of 569: the sizes hardly differ
    test = BayesianCorrelatedTTest(rope).fit(residuals)
    peer = baycomp.two_on_single(np.zeros(15), means, rope=rope, runs=3)
    ours = (test.prob_less_, test.prob_rope_, test.prob_greater_)
    assert_allclose(ours, peer, rtol=1e-12)


def weka_pvalue(differences, test_train_ratio):
    """Return WEKA's differencesProbability.

    weka/experiment/PairedStatsCorrected.java, calculateDerived(): an F(1, J - 1)
    upper tail of the squared corrected t. WEKA sums the sizes over all splits for
    the ratio; without variance its p is 1 if all differences are 0, else 0.
    """
    count = len(differences)
    mean, deviation = np.mean(differences), np.std(differences, ddof=1)
    if deviation == 0:
        return 1.0 if np.sum(np.square(differences)) == 0 else 0.0
    t = mean / np.sqrt((1 / count + test_train_ratio) * deviation * deviation)
    return stats.f.sf(t * t, 1, count - 1)


@pytest.mark.parametrize("J", [2, 10, 30])
@pytest.mark.parametrize(("n_train", "n_test"), [(90, 10), (66, 34), (50, 50)])
def test_corrected_resampled_t_equals_weka(J, n_train, n_test):
    e = np.random.default_rng(J).normal(0.3, size=J)
    residuals = CVResiduals.from_array(
        e, design="subsample", n_train=n_train, n_test=n_test
    )
    test = CorrectedResampledTTest().fit(residuals)
    assert_allclose(test.pvalue_, weka_pvalue(e, n_test / n_train), rtol=1e-10)


def test_corrected_repeated_k_fold_t_of_unequal_folds_equals_weka():
    residuals = run("accuracy", RepeatedKFold(n_splits=10, n_repeats=2, random_state=0))
    assert set(residuals.n_test) == {56, 57}
    ratio = residuals.n_test.sum() / residuals.n_train.sum()
    expected = weka_pvalue(residuals.block_means, ratio)
    test = CorrectedRepeatedKFoldTTest().fit(residuals)
    assert_allclose(test.pvalue_, expected, rtol=1e-10)


@pytest.mark.filterwarnings(
    "ignore::sklearn_cvtest.exceptions.DegenerateResidualsWarning"
)
@pytest.mark.parametrize("value", [0.0, 0.25])
def test_residuals_without_variance_follow_weka(value):
    e = np.full(4, value)
    residuals = CVResiduals.from_array(e, design="subsample", n_train=9, n_test=1)
    test = CorrectedResampledTTest().fit(residuals)
    assert test.pvalue_ == weka_pvalue(e, 1 / 9)


@pytest.mark.parametrize("alternative", ["two-sided", "less", "greater"])
def test_holdout_t_equals_scipy(alternative):
    cv = RepeatedSubsample(1, test_size=0.4, random_state=0)
    models = list(map(clone, REGRESSORS))
    losses = cross_val_losses(models, *DIABETES, cv=cv)
    test = HoldoutTTest(alternative=alternative).fit(losses.residuals(0, 1))
    expected = stats.ttest_rel(*losses.values.T, alternative=alternative)
    assert_allclose(
        (test.statistic_, test.pvalue_),
        (expected.statistic, expected.pvalue),
        rtol=1e-11,
    )
