"""compare_candidates: every candidate of a search against the best, one, or all."""

import pickle

import numpy as np
import pandas as pd
import pytest
from common import intervals_of
from numpy.testing import assert_allclose, assert_array_equal
from scipy import stats
from searches import (
    CLEAR,
    IRIS,
    SCORES,
    TREE,
    compare,
    fitted_search,
    results_of,
)
from sklearn import datasets
from sklearn.exceptions import NotFittedError
from sklearn.linear_model import (
    LogisticRegression,
    RidgeCV,
)
from sklearn.model_selection import (
    GridSearchCV,
    HalvingGridSearchCV,
    KFold,
    RandomizedSearchCV,
)
from sklearn.naive_bayes import GaussianNB
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.tree import DecisionTreeClassifier, DecisionTreeRegressor

from sklearn_cvtest import (
    BlockKFold,
    FiveByTwo,
    HoldoutTTest,
    KFoldTTest,
    McNemarTest,
    PairedHalves,
    adjust_pvalues,
    assert_not_worse,
    compare_candidates,
)
from sklearn_cvtest.results import CandidateComparison

RNG = np.random.default_rng(0)


# References and pairs ---------------------------------------------------------


def test_best_is_the_first_of_every_pair():
    result = compare(SCORES)
    best = SCORES.mean(axis=1).argmax()
    assert result.reference == best == result.best
    assert_array_equal(np.array(list(result.tests))[:, 0], best)
    assert_array_equal(
        np.array(list(result.tests))[:, 1], np.delete(np.arange(6), best)
    )
    assert (result.table.estimate < 0).all()


def test_all_pairs_are_in_the_order_of_rows():
    result = compare(SCORES, reference=None)
    assert result.reference is None
    expected = [(a, b) for a in range(6) for b in range(a + 1, 6)]
    assert list(map(tuple, np.array(list(result.tests)))) == expected


def test_a_reference_can_be_a_name_as_printed():
    row = compare(SCORES, reference=3)
    name = row.names[3]
    named = compare(SCORES, reference=name)
    assert named.reference == 3
    assert named.to_frame().equals(row.to_frame())
    assert compare(SCORES).retest(reference=name).reference == 3


def test_gates_and_plans_name_the_candidates():
    result = compare(SCORES)
    names = result.names
    best = names[result.reference]
    gate, plan = result.gate(0.02), result.plan(0.02)
    assert gate.reference == best
    assert f"Not worse than {best} by" in str(gate)
    assert set(gate.to_frame()["reference"]) == {best}
    others = [name for name in names if name != best]
    assert list(plan.by_pair) == [(best, other) for other in others]
    assert plan.to_frame()["second"].tolist() == others


def test_gates_of_candidates_take_percentages_of_rmse():
    rng = np.random.default_rng(0)
    X, y = rng.normal(size=(80, 3)), rng.normal(size=80)
    grid = {"max_depth": [1, 2, 3]}
    search = GridSearchCV(
        DecisionTreeRegressor(random_state=0),
        grid,
        scoring="neg_mean_squared_error",
        cv=5,
    ).fit(X, y)
    result = compare_candidates(search)
    gate = result.gate("20%", reference=2)
    assert gate.reference == result.names[2]
    assert "by more than 20%" in str(gate)
    with pytest.raises(ValueError, match="`reference` must be one of 0, 1, 2"):
        result.gate("20%", reference=7)


def test_one_candidate_can_be_asserted_not_to_be_worse_than_another():
    result = compare(SCORES)
    first, second = result.names[1:3]
    assert_not_worse(result, first, than=second, margin=0.9)
    with pytest.raises(AssertionError, match=f"{first} .* {second}"):
        assert_not_worse(result, first, than=second, margin=0.0)
    with pytest.raises(ValueError, match="`than` must be one of "):
        assert_not_worse(result, first, than="nobody", margin=0.9)


# Tests ------------------------------------------------------------------------


@pytest.mark.parametrize("test", [HoldoutTTest(), McNemarTest()])
def test_tests_not_valid_for_the_design_are_refused(test):
    with pytest.raises(ValueError, match="needs one train-test split"):
        compare(SCORES, test=test)


def test_the_test_given_is_not_fitted():
    test = KFoldTTest()
    compare(SCORES, test=test)
    assert not hasattr(test, "pvalue_")


# Many comparisons -------------------------------------------------------------


@pytest.mark.parametrize("method", ["holm", "bonferroni", "hochberg", "fdr_bh"])
@pytest.mark.parametrize("reference", ["best", None])
def test_adjusted_pvalues(method, reference):
    result = compare(SCORES, p_adjust=method, reference=reference)
    pairs = compare(SCORES, p_adjust=method, reference=None)
    expected = adjust_pvalues(pairs.table.pvalue, method)
    if reference == "best":  # chosen by the same scores: as good as all others
        pvalues = pairs.best_set().pvalues
        expected = [pvalues[row] for row in np.array(list(result.tests))[:, 1]]
    assert_allclose(result.table.pvalue_adjusted, expected)


def test_pvalues_are_not_adjusted_for_one_pair_or_on_demand():
    two = compare(SCORES[:2])
    assert_array_equal(two.table.pvalue, two.table.pvalue_adjusted)
    assert_array_equal(
        *[getattr(compare(SCORES, p_adjust=None).table, a) for a in P_NAMES]
    )


P_NAMES = ("pvalue", "pvalue_adjusted")


def equally_good(rng, n_candidates, n_folds=10):
    """Draw scores with the correlation of folds that the corrected t test assumes."""
    shared = rng.normal(size=(n_candidates, 1))
    noise = rng.normal(size=(n_candidates, n_folds))
    return np.sqrt(1 / n_folds) * shared + np.sqrt(1 - 1 / n_folds) * noise


def rejected(n_samples=1000, n_candidates=10, **options):
    """Return which pairs of equal candidates are told apart, (n_samples, n_pairs)."""
    rng = np.random.default_rng(0)
    test = KFoldTTest("nadeau-bengio")
    return np.array(
        [
            compare(
                equally_good(rng, n_candidates), test=test, **options
            ).table.significant
            for _ in range(n_samples)
        ]
    )


@pytest.mark.full
@pytest.mark.parametrize("reference", [0, None])
def test_no_difference_is_rarely_found_without_a_choice(reference):
    rate = rejected(reference=reference).any(axis=1).mean()
    assert rate <= stats.binom.ppf(0.9995, 1000, 0.05) / 1000


# The best of the scores is compared with the rest, as `best_set` does: each of equal
# ones is left out no more often than the level says; that some of many are is likely.
@pytest.mark.full
def test_each_of_equal_candidates_is_rarely_worse_than_the_chosen():
    left_out = rejected().sum(axis=1) / 10
    error = left_out.std() / np.sqrt(1000)
    assert left_out.mean() <= 0.05 + 3.3 * error


# Searches ---------------------------------------------------------------------


def test_mean_scores_are_those_of_the_search():
    search = fitted_search(5)
    result = compare_candidates(search)
    assert_array_equal(result.mean_scores, search.cv_results_["mean_test_score"])
    assert result.reference == search.best_index_


def test_randomised_search():
    grid = {"max_depth": [1, 2, 3, 4, 5]}
    search = RandomizedSearchCV(TREE, grid, n_iter=4, random_state=0).fit(*IRIS)
    assert len(np.array(list(compare_candidates(search).tests))) == 3


@pytest.fixture(scope="module")
def halving():
    grid = {"max_depth": [1, 2, 3, 4, 5, 6], "min_samples_leaf": [1, 5]}
    search = HalvingGridSearchCV(TREE, grid, cv=5, random_state=0, min_resources=30)
    return search.fit(*IRIS)


def test_last_iteration_of_a_halving_search(halving):
    result = compare_candidates(halving)
    last = np.flatnonzero(halving.cv_results_["iter"] == halving.n_iterations_ - 1)
    assert_array_equal(result.candidates, last)
    assert 2 <= len(last) < len(halving.cv_results_["params"])
    assert np.isnan(np.delete(result.mean_scores, last)).all()
    with pytest.raises(ValueError, match="in the last iteration"):
        compare_candidates(halving, reference=0)


def test_data_frame_of_results():
    frame = pd.DataFrame(fitted_search(5).cv_results_)
    expected = compare_candidates(fitted_search(5)).table.pvalue
    assert_allclose(compare_candidates(frame, cv=5).table.pvalue, expected)


def test_splits_are_in_the_order_of_their_numbers():
    results = dict(sorted(results_of(RNG.normal(size=(2, 12))).items()))
    assert list(results)[2] == "split10_test_score"
    cv = list(KFold(12).split(*IRIS))
    found = compare_candidates(results, cv=cv, reference=0)
    columns = [results[f"split{j}_test_score"] for j in range(12)]
    assert_allclose(found.mean_scores, np.mean(columns, axis=0))
    scores = RNG.normal(size=(2, 27))
    results = dict(sorted(results_of(scores).items()))
    halves = compare_candidates(results, cv=PairedHalves(BlockKFold(3), 4))
    assert_allclose(halves.mean_scores, scores[:, :3].mean(axis=1))


@pytest.fixture(scope="module")
def multimetric():
    return fitted_search(4, scoring=["accuracy", "neg_log_loss"], refit="accuracy")


def test_metric_is_that_of_refit_or_named(multimetric):
    assert compare_candidates(multimetric).metric == "accuracy"
    for name in ("neg_log_loss", "test_neg_log_loss", "mean_test_neg_log_loss"):
        result = compare_candidates(multimetric, metric=name)
        expected = multimetric.cv_results_["mean_test_neg_log_loss"]
        assert_array_equal(result.mean_scores, expected)
        assert result.reference == expected.argmax()


@pytest.mark.parametrize("refit", [False, lambda results: 0])
def test_several_metrics_without_a_name_in_refit(refit):
    search = fitted_search(3, scoring=["accuracy", "neg_log_loss"], refit=refit)
    message = "`metric` must be one of 'accuracy', 'neg_log_loss'; got None"
    with pytest.raises(ValueError, match=message):
        compare_candidates(search)


@pytest.mark.parametrize(("metric", "error"), [("auc", ValueError), (3, TypeError)])
def test_metrics_that_are_not_there(multimetric, metric, error):
    with pytest.raises(error, match="`metric` must be one of 'accuracy', 'neg_log_los"):
        compare_candidates(multimetric, metric=metric)


def test_search_that_is_not_fitted():
    with pytest.raises(NotFittedError, match="`search` must be fitted"):
        compare_candidates(GridSearchCV(TREE, {"max_depth": [1, 2]}))


@pytest.mark.parametrize(
    "search",
    [
        None,
        3,
        [1, 2],
        RidgeCV(store_cv_results=True).fit(*IRIS),
    ],
)
def test_what_is_no_search(search):
    with pytest.raises(TypeError, match="`search` must be a fitted search"):
        compare_candidates(search)


@pytest.mark.parametrize(
    "results", [{}, {"params": []}, {"split0_test_score": [1.0, 2.0]}]
)
def test_results_without_split_scores(results):
    with pytest.raises(ValueError, match="`search` must be a search that keeps"):
        compare_candidates(results, cv=3)


def test_one_candidate_is_too_few():
    with pytest.raises(ValueError, match="at least two candidates; got 1 to compare"):
        compare(SCORES[:1])


class FailsDeep(DecisionTreeClassifier):
    def fit(self, X, y, sample_weight=None, check_input=True):
        if self.max_depth == 2:
            raise RuntimeError("broken on purpose")
        return super().fit(X, y, sample_weight, check_input)


def test_candidates_with_failed_fits_are_left_out():
    search = GridSearchCV(FailsDeep(), {"max_depth": [1, 2, 3]}, cv=3)
    with pytest.warns(Warning, match=r"fits failed|non-finite"):
        search.fit(*IRIS)
    with pytest.warns(UserWarning, match=r"for candidates 1 \(1 of 3\). They are left"):
        result = compare_candidates(search)
    assert_array_equal(result.candidates, [0, 2])
    assert_array_equal(result.failed, [1])
    assert np.isnan(result.mean_scores[1])
    assert "Left out: 1 candidate with scores that are not finite." in (
        " ".join(str(result).split())
    )
    with (
        pytest.warns(UserWarning, match="left out"),
        pytest.raises(ValueError, match="without failed fits; got 1"),
    ):
        compare_candidates(search, reference=1)


def test_all_failed():
    scores = np.full((20, 5), np.nan)
    scores[0] = 1
    with pytest.raises(ValueError, match=r"1, 2, .*, \.\.\. \(19 of 20\). Fewer than"):
        compare(scores)


# The result -------------------------------------------------------------------


def test_those_that_may_be_the_best_are_sorted_by_mean_score():
    top = np.array([0, 1, 4])
    expected = top[np.argsort(-CLEAR[top].mean(axis=1))].tolist()
    for reference in ("best", None):
        assert list(compare(CLEAR, reference=reference).best_set().names) == expected


def test_better_than_the_reference_is_said():
    result = compare(CLEAR, reference=3)
    assert result.to_dict()["better"] == ["C=0", "C=4", "C=1"]


def test_frame_against_a_reference():
    result = compare(SCORES, reference=1)
    frame = result.to_frame()
    assert_array_equal(frame["second"], np.array(list(result.tests))[:, 1])
    assert_array_equal(frame["param_C"], [0, 2, 3, 4, 5])
    assert_array_equal(frame["pvalue_adjusted"], result.table.pvalue_adjusted)
    difference = frame["mean_second"] - frame["mean_first"]
    assert_allclose(difference, frame["estimate"])


def test_frame_of_all_pairs():
    frame = compare(SCORES, cv=FiveByTwo(), reference=None).to_frame()
    assert len(frame) == 15
    assert "param_C" not in frame
    assert frame["df"][0] == (10, 5)


def test_arrays_cannot_be_written_to():
    result = compare(SCORES)
    with pytest.raises(ValueError, match="read-only"):
        result.table.pvalue[0] = 0


def test_pickle():
    result = compare(SCORES)
    again = pickle.loads(pickle.dumps(result))
    assert isinstance(again, CandidateComparison)
    assert str(again) == str(result)


def test_one_sided_interval_and_naive_bayes_search():
    search = GridSearchCV(GaussianNB(), {"var_smoothing": [1e-9, 1e-2, 1]}, cv=5)
    test = KFoldTTest(alternative="less")
    result = compare_candidates(search.fit(*IRIS), test=test)
    assert (intervals_of(result)[:, 0] == -np.inf).all()


def test_interval_of_an_accuracy_of_a_search_without_scoring_ends_at_one():
    X, y = datasets.load_wine(return_X_y=True)
    model = make_pipeline(StandardScaler(), LogisticRegression())
    grid = {"logisticregression__C": [0.1, 1.0, 10.0]}
    search = GridSearchCV(model, grid, cv=5).fit(X, y)
    interval = compare_candidates(search).winner_interval()
    assert interval.ci_high < 1
    assert interval.mean_high < 1
