"""Pairs of candidates by each kind of test, against the test fitted alone."""

import numpy as np
import pytest
from common import intervals_of
from numpy.testing import assert_allclose, assert_array_equal
from scipy import stats
from searches import CLEAR, RESULTS, SCORES, compare, results_of
from sklearn.datasets import make_moons
from sklearn.model_selection import (
    GridSearchCV,
    KFold,
    RepeatedKFold,
    RepeatedStratifiedKFold,
    ShuffleSplit,
)
from sklearn.svm import SVC

from sklearn_cvtest import (
    BayesianCorrelatedTTest,
    CorrectedResampledTTest,
    CVResiduals,
    EquivalenceTest,
    FiveByTwo,
    FiveByTwoFTest,
    FiveByTwoTTest,
    KFoldTTest,
    compare_candidates,
)

RNG = np.random.default_rng(0)
FOLDS = KFold(10)


def residuals_of(first, second, design, **sizes):
    values = SCORES[second] - SCORES[first]
    return CVResiduals.from_array(values, design=design, **sizes)


@pytest.mark.parametrize(
    ("test", "cv", "design", "sizes"),
    [
        (KFoldTTest(), FOLDS, "k-fold", {}),
        (KFoldTTest(0.2, alternative="less"), FOLDS, "k-fold", {}),
        (KFoldTTest(popmean=0.05, alternative="greater"), FOLDS, "k-fold", {}),
        (
            CorrectedResampledTTest(),
            ShuffleSplit(10, test_size=0.2),
            "subsample",
            {"n_train": 80, "n_test": 20},
        ),
        (
            BayesianCorrelatedTTest(0.01),
            RepeatedKFold(n_splits=5, n_repeats=2),
            "repeated k-fold",
            {"n_train": 80, "n_test": 20},
        ),
        (FiveByTwoFTest(), FiveByTwo(), "5x2", {}),
        (FiveByTwoTTest(), FiveByTwo(), "5x2", {}),
        (EquivalenceTest(KFoldTTest(), 0.1), FOLDS, "k-fold", {}),
    ],
    ids=lambda value: type(value).__name__,
)
@pytest.mark.parametrize("reference", [2, None])
def test_results_are_those_of_one_test_per_pair(test, cv, design, sizes, reference):
    result = compare_candidates(RESULTS, cv=cv, test=test, reference=reference)
    table = result.table
    for pair, (first, second) in enumerate(zip(table.first, table.second, strict=True)):
        one = test.fit(residuals_of(first, second, design, **sizes))
        columns = ("estimate", "statistic", "pvalue", "rho", "rho_alpha")
        found = [getattr(table, name)[pair] for name in columns]
        expected = [getattr(one, f"{name}_") for name in columns]
        assert_allclose(found, expected, rtol=1e-12)
        level = 0.9 if isinstance(test, EquivalenceTest) else 0.95
        assert_allclose(intervals_of(result)[pair], one.confidence_interval(level))


def test_many_candidates_are_each_alone():
    scores = RNG.normal(size=(90, 300))
    table = compare(scores, reference=None, test=KFoldTTest(0.3)).table
    first, second = table.first[-1], table.second[-1]
    one = KFoldTTest(0.3).fit(scores[second] - scores[first])
    assert_allclose(table.statistic[-1], one.statistic_)
    assert_array_equal(np.isnan(table.pvalue), False)


def corrected_std(differences, n_train, n_test):
    """As in scikit-learn's example plot_grid_search_stats."""
    kr = len(differences)
    corrected_var = np.var(differences, ddof=1) * (1 / kr + n_test / n_train)
    return np.sqrt(corrected_var)


@pytest.mark.full
def test_statistic_is_that_of_the_scikit_learn_example():
    X, y = make_moons(noise=0.352, random_state=1, n_samples=100)
    grid = [{"kernel": ["linear"]}, {"kernel": ["poly"], "degree": [2, 3]}]
    grid += [{"kernel": ["rbf"]}]
    cv = RepeatedStratifiedKFold(n_splits=10, n_repeats=10, random_state=0)
    search = GridSearchCV(SVC(random_state=0), grid, scoring="roc_auc", cv=cv)
    search.fit(X, y)
    table = compare_candidates(search).table
    n_train, n_test = map(len, next(iter(cv.split(X, y))))
    keys = [f"split{j}_test_score" for j in range(100)]
    scores = np.array([search.cv_results_[key] for key in keys]).T
    for pair, (best, other) in enumerate(zip(table.first, table.second, strict=True)):
        differences = scores[best] - scores[other]
        t = np.mean(differences) / corrected_std(differences, n_train, n_test)
        assert_allclose(-table.statistic[pair], t, rtol=0, atol=1e-10)
        one_tail = stats.t.sf(np.abs(t), 99)  # what the example calls the p-value
        assert_allclose(table.pvalue[pair], 2 * one_tail, rtol=1e-10)


def test_constant_differences_of_no_known_range_show_nothing():
    scores = np.array([SCORES[0] * 0 + level for level in (0.5, 0.75, 1.0)])
    result = compare_candidates(results_of(scores), cv=10, reference=None)
    assert_array_equal(result.table.pvalue, 1)
    assert "nan" not in str(result)
    assert "inf" not in str(result)


def test_posterior_probabilities_decide():
    result = compare(CLEAR, test=BayesianCorrelatedTTest(0.01))
    frame = result.to_frame()
    assert (frame["prob_less"] >= 0.95).any()
    best = {first for first, _ in result.tests}
    assert best == {result.best}
