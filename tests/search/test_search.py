"""compare_candidates: every candidate of a search against the best, one, or all."""

import pickle
import time

import numpy as np
import pandas as pd
import pytest
from common import intervals_of
from numpy.testing import assert_allclose, assert_array_equal
from scipy import stats
from searches import (
    CLEAR,
    IRIS,
    RESULTS,
    SCORES,
    TREE,
    compare,
    fitted_search,
    results_of,
)
from sklearn import datasets
from sklearn.exceptions import NotFittedError
from sklearn.linear_model import LogisticRegression, RidgeCV
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
    compare_cv_results,
    load,
)

RNG = np.random.default_rng(0)
NAMES = tuple(f"C={row}" for row in range(6))


# References and pairs ---------------------------------------------------------


def test_best_is_the_first_of_every_pair():
    result = compare(SCORES)
    best = NAMES[SCORES.mean(axis=1).argmax()]
    assert result.best == best
    assert {first for first, _ in result.tests} == {best}
    assert {second for _, second in result.tests} == set(NAMES) - {best}
    assert (result.table.estimate < 0).all()


def test_all_pairs_are_there():
    result = compare(SCORES, reference=None)
    assert len(result.tests) == 15
    assert set(map(frozenset, result.tests)) == {
        frozenset((a, b)) for a in NAMES for b in NAMES if a != b
    }


def test_a_reference_is_a_row_or_a_name_as_printed():
    row = compare(SCORES, reference=3)
    named = compare(SCORES, reference="C=3")
    assert named.to_frame().equals(row.to_frame())
    assert compare(SCORES).retest(reference="C=3").to_frame().equals(row.to_frame())
    with pytest.raises(ValueError, match="`reference` must be one of 'C=0'"):
        compare(SCORES, reference="C=9")
    with pytest.raises(ValueError, match="`reference` must be a candidate"):
        compare(SCORES, reference=9)


def test_two_candidates_are_a_comparison_of_two():
    result = compare(SCORES[:2], reference=0)
    expected = compare_cv_results({"C=0": SCORES[0], "C=1": SCORES[1]}, cv=10)
    assert result.pvalue_ == expected.pvalue_
    assert_array_equal(intervals_of(result), intervals_of(expected))


def test_gates_name_the_candidates():
    result = compare(SCORES)
    gate = result.gate(0.02, reference=result.best)
    assert gate.reference == result.best
    assert f"Not worse than {result.best} by" in str(gate)
    first, second = NAMES[1:3]
    assert_not_worse(result, first, than=second, margin=0.9)
    with pytest.raises(AssertionError, match=f"{first}.*{second}"):
        assert_not_worse(result, first, than=second, margin=0.0)


def test_gates_of_candidates_take_percentages_of_rmse():
    rng = np.random.default_rng(0)
    X, y = rng.normal(size=(80, 3)), rng.normal(size=80)
    search = GridSearchCV(
        DecisionTreeRegressor(random_state=0),
        {"max_depth": [1, 2, 3]},
        scoring="neg_mean_squared_error",
        cv=5,
    ).fit(X, y)
    gate = compare_candidates(search).gate("20%", reference="max_depth=3")
    assert "by more than 20%" in str(gate)


@pytest.mark.parametrize("test", [HoldoutTTest(), McNemarTest()])
def test_tests_not_valid_for_the_design_are_refused(test):
    with pytest.raises(ValueError, match="`test` must be"):
        compare(SCORES, test=test)


# Many comparisons -------------------------------------------------------------


@pytest.mark.parametrize("method", ["holm", "bonferroni", "hochberg", "fdr_bh"])
def test_adjusted_pvalues_of_pairs_and_of_the_best(method):
    result = compare(SCORES, p_adjust=method, reference=None)
    expected = adjust_pvalues(result.table.pvalue, method)
    assert_allclose(result.table.pvalue_adjusted, expected)
    best = compare(SCORES, p_adjust=method)
    expected = compare(SCORES).table.pvalue_adjusted  # of the set, whatever is asked
    assert_allclose(best.table.pvalue_adjusted, expected)


def test_pvalues_are_not_adjusted_for_one_pair_or_on_demand():
    for result in (compare(SCORES[:2]), compare(SCORES, p_adjust=None)):
        assert_array_equal(result.table.pvalue, result.table.pvalue_adjusted)


def equally_good(rng, n_candidates, n_folds=10):
    """Draw scores with the correlation of folds that the corrected t test assumes."""
    shared = rng.normal(size=(n_candidates, 1))
    noise = rng.normal(size=(n_candidates, n_folds))
    return np.sqrt(1 / n_folds) * shared + np.sqrt(1 - 1 / n_folds) * noise


def rejected(n_samples=1000, n_candidates=10, **options):
    """Return which pairs of equal candidates are told apart, (n_samples, n_pairs)."""
    rng = np.random.default_rng(0)
    test = KFoldTTest("nadeau-bengio")
    found = []
    for _ in range(n_samples):
        result = compare(equally_good(rng, n_candidates), test=test, **options)
        found.append(result.table.significant)
    return np.array(found)


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


def test_pairs_with_the_best_have_p_and_intervals_of_the_set():
    result = compare(SCORES, test=KFoldTTest(0.5))
    table = result.table
    low, high = table.simultaneous
    is_outside = (low > 0) | (high < 0)
    assert_array_equal(is_outside, table.pvalue_adjusted <= 0.05)
    worse = {NAMES[row] for row in table.second[table.significant]}
    assert worse == set(NAMES) - set(result.best_set().names)


@pytest.mark.full
@pytest.mark.parametrize("m", [3, 30])
def test_intervals_around_the_best_of_equal_candidates_hold_each(m):
    rng, n_samples = np.random.default_rng(m), 400
    covered = []
    for _ in range(n_samples):
        shared = rng.normal(size=(m, 1)) / 3  # correlation of folds that NB assumes
        result = compare(shared + rng.normal(size=(m, 10)))
        low, high = result.table.simultaneous
        covered.append(np.mean((low <= 0) & (high >= 0)))
    error = np.std(covered) / np.sqrt(n_samples)
    assert np.mean(covered) >= 0.95 - 3.3 * error


def test_ten_thousand_candidates_take_three_seconds():
    scores = 0.8 + RNG.normal(size=(10_000, 10)) / 50
    start = time.process_time()
    result = compare(scores)
    text = str(result)
    assert time.process_time() - start < 3 * 3  # on a busy machine
    assert len(text.splitlines()) < 45


# Searches ---------------------------------------------------------------------


def test_mean_scores_are_those_of_the_search():
    search = fitted_search(5)
    losses = compare_candidates(search).losses
    assert_allclose(-losses.mean_losses, search.cv_results_["mean_test_score"])
    assert losses.ranking[0] == search.best_index_


def test_randomised_search():
    grid = {"max_depth": [1, 2, 3, 4, 5]}
    search = RandomizedSearchCV(TREE, grid, n_iter=4, random_state=0).fit(*IRIS)
    assert len(compare_candidates(search).tests) == 3


def test_last_iteration_of_a_halving_search():
    grid = {"max_depth": [1, 2, 3, 4, 5, 6], "min_samples_leaf": [1, 5]}
    search = HalvingGridSearchCV(TREE, grid, cv=5, random_state=0, min_resources=30)
    results = search.fit(*IRIS).cv_results_
    last = np.flatnonzero(results["iter"] == search.n_iterations_ - 1)
    losses = compare_candidates(search).losses
    assert 2 <= len(last) < len(results["params"])
    assert_allclose(-losses.mean_losses, results["mean_test_score"][last])
    with pytest.raises(ValueError, match="`reference` must be a candidate"):
        compare_candidates(search, reference=0)


def test_data_frame_of_results():
    frame = pd.DataFrame(fitted_search(5).cv_results_)
    expected = compare_candidates(fitted_search(5)).table.pvalue
    assert_allclose(compare_candidates(frame, cv=5).table.pvalue, expected)


def test_splits_are_in_the_order_of_their_numbers():
    results = dict(sorted(results_of(RNG.normal(size=(2, 12))).items()))
    assert list(results)[2] == "split10_test_score"
    cv = list(KFold(12).split(*IRIS))
    found = compare_candidates(results, cv=cv, reference=0).losses
    columns = [results[f"split{j}_test_score"] for j in range(12)]
    assert_allclose(-found.values, columns)
    scores = RNG.normal(size=(2, 27))
    results = dict(sorted(results_of(scores).items()))
    halves = compare_candidates(results, cv=PairedHalves(BlockKFold(3), 4)).losses
    assert_allclose(-halves.mean_losses, scores[:, :3].mean(axis=1))


@pytest.fixture(scope="module")
def multimetric():
    return fitted_search(4, scoring=["accuracy", "neg_log_loss"], refit="accuracy")


def test_metric_is_that_of_refit_or_named(multimetric):
    assert compare_candidates(multimetric).losses.metric.name == "accuracy"
    for name in ("neg_log_loss", "test_neg_log_loss", "mean_test_neg_log_loss"):
        losses = compare_candidates(multimetric, metric=name).losses
        expected = multimetric.cv_results_["mean_test_neg_log_loss"]
        assert_allclose(-losses.mean_losses, expected)
        assert losses.metric.name == "log_loss"


@pytest.mark.parametrize("metric", [None, "auc", 3])
def test_metrics_that_are_not_there(metric):
    scoring = ["accuracy", "neg_log_loss"]
    search = fitted_search(3, scoring=scoring, refit=False)
    match = f"`metric` must be one of 'accuracy', 'neg_log_loss'; got {metric!r}"
    with pytest.raises(ValueError, match=match):
        compare_candidates(search, metric=metric)


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
        {},
        {"params": []},
        {"split0_test_score": [1.0, 2.0]},
    ],
)
def test_what_is_no_search(search):
    with pytest.raises(TypeError, match="`search` must be a fitted search"):
        compare_candidates(search, cv=3)


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
    assert set(result.tests) in (
        {("max_depth=3", "max_depth=1")},
        {("max_depth=1", "max_depth=3")},
    )
    assert "max_depth=2" in " ".join(str(result).split())
    with (
        pytest.warns(UserWarning, match="left out"),
        pytest.raises(ValueError, match="without failed fits; got 1"),
    ):
        compare_candidates(search, reference=1)


def test_too_few_candidates():
    with pytest.raises(ValueError, match="at least two candidates; got '1 to compare'"):
        compare(SCORES[:1])
    scores = np.full((20, 5), np.nan)
    scores[0] = 1
    with (
        pytest.warns(UserWarning, match=r"1, 2, .*\(19 of 20\)"),
        pytest.raises(ValueError, match="at least two candidates"),
    ):
        compare(scores)


# Values -----------------------------------------------------------------------


def test_by_hand():
    # differences 0.1, 0.1, 0.4: mean 0.2, S² = 0.03, n2/n1 = 1/2, so that
    # t = 0.2/√((1/3 + 1/2) 0.03) = 0.2/√0.025
    scores = [[0.5, 0.6, 0.7], [0.6, 0.7, 1.1]]
    result = compare(scores, reference=0, test=KFoldTTest("nadeau-bengio"))
    assert_allclose(result.table.estimate, [0.2])
    assert_allclose(result.table.statistic, [0.2 / np.sqrt(0.025)])
    assert_allclose(result.table.pvalue, 2 * stats.t.sf(0.2 / np.sqrt(0.025), 2))
    assert_allclose(result.table.rho, [3 / 5])


def test_without_correction_it_is_the_paired_t_test():
    result = compare(SCORES, reference=None, test=KFoldTTest(0))
    table = result.table
    for pair, (first, second) in enumerate(zip(table.first, table.second, strict=True)):
        expected = stats.ttest_rel(SCORES[second], SCORES[first])
        assert_allclose(table.statistic[pair], expected.statistic)
        assert_allclose(table.pvalue[pair], expected.pvalue)
        interval = expected.confidence_interval(0.95)
        assert_allclose(intervals_of(result)[pair], interval)


def test_adding_to_and_scaling_scores():
    plain = compare(SCORES)
    shifted = compare(SCORES + 100)
    scaled = compare(SCORES * 1e-100)
    assert_allclose(shifted.table.pvalue, plain.table.pvalue, rtol=1e-8)
    assert_allclose(scaled.table.pvalue, plain.table.pvalue)
    assert_allclose(scaled.table.estimate, 1e-100 * plain.table.estimate)


def test_order_of_candidates_and_splits_does_not_matter():
    order, splits = [3, 5, 0, 2, 1, 4], RNG.permutation(10)
    plain = compare(SCORES, reference=4)
    other = compare(SCORES[order][:, splits], reference=5)
    expected = {plain.losses.names[s]: p for s, p in by_second(plain)}
    found = {f"C={order[s]}": p for s, p in by_second(other)}
    assert found == pytest.approx(expected)


def by_second(result):
    return zip(result.table.second, result.table.pvalue, strict=True)


def test_swapping_reference_mirrors():
    one = compare(SCORES[:2], reference=0, test=KFoldTTest(alternative="less"))
    other = compare(SCORES[:2], reference=1, test=KFoldTTest(alternative="greater"))
    assert_allclose(one.table.estimate, -other.table.estimate)
    assert_allclose(one.table.pvalue, other.table.pvalue)


def test_input_is_not_touched():
    results = {k: np.copy(v) if k != "params" else v for k, v in RESULTS.items()}
    for column in results.values():
        if isinstance(column, np.ndarray):
            column.flags.writeable = False
    compare_candidates(results, cv=10, reference=None)


def test_equal_candidates_have_p_one():
    rounded = np.nextafter(SCORES[0], 2)
    for other in (SCORES[0], rounded):
        result = compare([SCORES[0], other, SCORES[1]], reference=0)
        assert result.table.pvalue[result.table.second == 1] == 1


def test_means_that_differ_by_rounding_errors_are_the_same():
    scores = np.array([[0.7, 0.8, 0.9, 0.6], [0.8, 0.7, 0.6, 0.9]])
    result = compare(scores, reference=0)
    assert result.table.estimate[0] == result.table.statistic[0] == 0
    assert result.table.rho_alpha[0] == -np.inf


def test_scores_in_percent_are_refused_unless_that_is_said():
    shares = {f"split{k}_test_accuracy": np.array([0.9, 0.8 + k / 100]) for k in (0, 1)}
    shares["params"] = [{"C": 1}, {"C": 2}]
    percent = shares | {key: 100 * shares[key] for key in list(shares)[:2]}
    with pytest.raises(ValueError, match=r"between 0 and 1; got '80 to 90'.*percent=T"):
        compare_candidates(percent, cv=2)
    found = compare_candidates(percent, cv=2, percent=True)
    assert str(found) == str(compare_candidates(shares, cv=2))


def test_text_is_no_score():
    scores = {"split0_test_score": [0.9, 0.8], "split1_test_score": ["0_9", "0.7"]}
    results = scores | {"params": [{"C": 1}, {"C": 2}]}
    with pytest.raises(TypeError, match="`split1_test_score` must be an array of real"):
        compare_candidates(results, cv=2)


# Words and files --------------------------------------------------------------


def named(params):
    return compare_candidates(results_of(SCORES, params=params), cv=10).losses.names


def test_names_are_made_of_the_parameters_that_differ():
    assert named([{"a": 1, "b": row} for row in range(6)]) == tuple(
        f"b={row}" for row in range(6)
    )
    pipeline = named([{"svc__C": row, "pca__n": row % 3} for row in range(6)])
    assert pipeline[4] == "C=4, n=1"
    equal = named([{"a": row % 3} for row in range(6)])
    assert equal[1] == "a=1 (#1)"
    assert len(set(equal)) == 6
    values = [1 / 3, np.float64(2e7 / 3), 1234567, 10, True, "rbf"]
    shown = ("0.3333", "6.667e+06", "1234567", "10", "True", "'rbf'")
    found = named([{"a": value} for value in values])
    assert found == tuple(f"a={text}" for text in shown)


def test_names_are_in_all_that_is_shown_and_escaped():
    params = [{"a": f"<{row}>"} for row in range(6)]
    result = compare_candidates(results_of(SCORES, params=params), cv=10)
    html = result._repr_html_()
    assert "&lt;3&gt;" in html
    assert "<3>" not in html
    assert result.best in " ".join(result.report().split())
    text = compare(SCORES)
    assert "trained on" not in str(text) + text.report()


def test_those_that_may_be_the_best_are_sorted_by_mean_score():
    top = np.array([0, 1, 4])
    expected = [f"C={row}" for row in top[np.argsort(-CLEAR[top].mean(axis=1))]]
    for reference in ("best", None):
        assert list(compare(CLEAR, reference=reference).best_set().names) == expected


@pytest.mark.parametrize("options", [{}, {"reference": None}, {"reference": 2}])
def test_files_and_pickles_hold_the_comparison(tmp_path, options):
    params = [{"a": row, "b": KFoldTTest()} for row in range(6)]
    result = compare_candidates(
        results_of(SCORES, params=params), cv=10, test=KFoldTTest(0), **options
    )
    result.save(tmp_path / "c")
    for again in (load(tmp_path / "c"), pickle.loads(pickle.dumps(result))):
        assert str(again) == str(result)
        assert str(again.retest(alpha=0.2)) == str(result.retest(alpha=0.2))


def test_frame_of_all_pairs():
    frame = compare(SCORES, cv=FiveByTwo(), reference=None).to_frame()
    assert len(frame) == 15
    assert set(frame["first"]) | set(frame["second"]) == set(NAMES)


def test_one_sided_interval_and_naive_bayes_search():
    search = GridSearchCV(GaussianNB(), {"var_smoothing": [1e-9, 1e-2, 1]}, cv=5)
    test = KFoldTTest(alternative="less")
    result = compare_candidates(search.fit(*IRIS), test=test)
    assert (intervals_of(result)[:, 0] <= -1).all()


def test_interval_of_an_accuracy_of_a_search_without_scoring_ends_at_one():
    X, y = datasets.load_wine(return_X_y=True)
    model = make_pipeline(StandardScaler(), LogisticRegression())
    grid = {"logisticregression__C": [0.1, 1.0, 10.0]}
    search = GridSearchCV(model, grid, cv=5).fit(X, y)
    result = compare_candidates(search)
    assert (result.intervals.low > -1).all()
