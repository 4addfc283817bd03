"""Tests of many pairs of candidates at once, degenerate scores, words and files."""

import numpy as np
import pytest
from common import intervals_of
from matplotlib.text import Text
from numpy.testing import assert_allclose, assert_array_equal
from scipy import stats
from searches import CLEAR, RESULTS, SCORES, compare, results_of
from sklearn.datasets import make_classification, make_moons
from sklearn.model_selection import (
    GridSearchCV,
    KFold,
    RepeatedKFold,
    RepeatedStratifiedKFold,
    ShuffleSplit,
)
from sklearn.svm import SVC
from sklearn.tree import DecisionTreeClassifier

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
from sklearn_cvtest.exceptions import DegenerateResidualsWarning
from sklearn_cvtest.results import CandidateComparison, MultiMetricComparison

RNG = np.random.default_rng(0)
FOLDS = KFold(10)


# Levels -----------------------------------------------------------------------


# The best was chosen by the same scores: intervals count all pairs, p-values others.
def test_pairs_with_the_best_have_p_and_intervals_of_the_set():
    result = compare(SCORES, test=KFoldTTest(0.5), p_adjust="bonferroni")
    n_candidates = len(SCORES)
    n_pairs = n_candidates * (n_candidates - 1) // 2
    assert result.table.n_comparisons == n_pairs > len(np.array(list(result.tests)))
    frame = result.to_frame()
    best = result.best_set()
    for row in frame.itertuples():
        _, low, high = best.differences[row.second]  # of loss(second) - loss(first)
        assert (row.ci_low_simultaneous, row.ci_high_simultaneous) == (-high, -low)
        assert row.pvalue_adjusted == best.pvalues[row.second]
    worse = set(result.candidates) - set(best.names)
    assert set(frame.second[result.table.significant]) == worse


# At 08a062c they held together in 93.5, 88.2 and 74.3% of samples for m = 3, 10, 30.
@pytest.mark.full
@pytest.mark.parametrize("m", [3, 30])
def test_intervals_around_the_best_of_equal_candidates_hold_together(m):
    rng, n_samples = np.random.default_rng(m), 400
    covered = 0
    for _ in range(n_samples):
        shared = rng.normal(size=(m, 1)) / 3  # correlation of folds that NB assumes
        result = compare(shared + rng.normal(size=(m, 10)))
        low, high = result.table.shown_intervals
        covered += bool(np.all((low <= 0) & (high >= 0)))
    assert covered >= stats.binom.ppf(0.0005, n_samples, 0.95)


def test_halving_says_how_many_were_compared_and_why():
    results = RESULTS | {"iter": np.arange(len(SCORES)) // (len(SCORES) - 2)}
    text = " ".join(str(compare_candidates(results, cv=FOLDS)).split())
    n_first = len(SCORES) - 2
    assert f"2 of {n_first} candidates" in text
    report = compare_candidates(results, cv=FOLDS).report()
    assert f"2 of {n_first} candidates" in " ".join(report.split())
    assert "halving" not in str(compare(SCORES))


# Values -----------------------------------------------------------------------


def test_by_hand():
    # differences 0.1, 0.1, 0.4: mean 0.2, S² = 0.03, n2/n1 = 1/2, so that
    # t = 0.2/√((1/3 + 1/2) 0.03) = 0.2/√0.025
    scores = [[0.5, 0.6, 0.7], [0.6, 0.7, 1.1]]
    result = compare(scores, reference=0, test=KFoldTTest("nadeau-bengio"))
    assert_allclose(result.table.estimate, [0.2])
    assert_allclose(result.table.standard_error, [np.sqrt(0.025)])
    assert_allclose(result.table.statistic, [0.2 / np.sqrt(0.025)])
    assert_allclose(result.table.pvalue, 2 * stats.t.sf(0.2 / np.sqrt(0.025), 2))
    assert_allclose(result.table.rho, [3 / 5])


def test_without_correction_it_is_the_paired_t_test():
    result = compare(SCORES, reference=None, test=KFoldTTest(0))
    for pair, (first, second) in enumerate(np.array(list(result.tests))):
        expected = stats.ttest_rel(SCORES[second], SCORES[first])
        assert_allclose(result.table.statistic[pair], expected.statistic)
        assert_allclose(result.table.pvalue[pair], expected.pvalue)
        interval = expected.confidence_interval(0.95)
        assert_allclose(intervals_of(result)[pair], interval)


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
    for pair, (first, second) in enumerate(np.array(list(result.tests))):
        one = test.fit(residuals_of(first, second, design, **sizes))
        shown = (
            result.table.estimate[pair],
            result.table.standard_error[pair],
            result.table.statistic[pair],
            result.table.pvalue[pair],
            result.table.rho[pair],
            result.table.rho_alpha[pair],
        )
        expected = (
            one.estimate_,
            one.standard_error_,
            one.statistic_,
            one.pvalue_,
            one.rho_,
            one.rho_alpha_,
        )
        assert_allclose(shown, expected, rtol=1e-12)
        level = 0.9 if isinstance(test, EquivalenceTest) else 0.95
        assert_allclose(intervals_of(result)[pair], one.confidence_interval(level))
        assert_allclose(result.table.df[pair], one.df_)


def test_chunks_do_not_show():
    scores = RNG.normal(size=(90, 300))  # more residuals than are held at once
    result = compare(scores, reference=None, test=KFoldTTest(0.3))
    assert len(np.array(list(result.tests))) * 300 > 2**20
    first, second = np.array(list(result.tests))[-1]
    one = KFoldTTest(0.3).fit(scores[second] - scores[first])
    assert_allclose(result.table.statistic[-1], one.statistic_)
    assert_array_equal(np.isnan(result.table.pvalue), False)


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
    result = compare_candidates(search)
    n_train, n_test = map(len, next(iter(cv.split(X, y))))
    keys = [f"split{j}_test_score" for j in range(100)]
    scores = np.array([search.cv_results_[key] for key in keys]).T
    for pair, (best, other) in enumerate(np.array(list(result.tests))):
        differences = scores[best] - scores[other]
        t = np.mean(differences) / corrected_std(differences, n_train, n_test)
        assert_allclose(-result.table.statistic[pair], t, rtol=0, atol=1e-10)
        one_tail = stats.t.sf(np.abs(t), 99)  # what the example calls the p-value
        assert_allclose(result.table.pvalue[pair], 2 * one_tail, rtol=1e-10)


def test_adding_to_and_scaling_scores():
    plain = compare(SCORES)
    shifted = compare(SCORES + 100)
    scaled = compare(SCORES * 1e-200)
    assert_allclose(shifted.table.pvalue, plain.table.pvalue, rtol=1e-8)
    assert_allclose(scaled.table.pvalue, plain.table.pvalue)
    assert_allclose(scaled.table.estimate, 1e-200 * plain.table.estimate)


def test_order_of_candidates_and_splits_does_not_matter():
    order, splits = [3, 5, 0, 2, 1, 4], RNG.permutation(10)
    plain = compare(SCORES, reference=4)
    other = compare(SCORES[order][:, splits], reference=5)
    found = {
        order[row]: p
        for row, p in zip(
            np.array(list(other.tests))[:, 1], other.table.pvalue, strict=True
        )
    }
    assert_allclose(
        [found[row] for row in np.array(list(plain.tests))[:, 1]], plain.table.pvalue
    )


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


# Degenerate scores ------------------------------------------------------------


def test_equal_candidates_have_p_one():
    result = compare([SCORES[0], SCORES[0], SCORES[1]], reference=0)
    assert result.table.pvalue[0] == 1
    assert result.table.statistic[0] == 0


def test_constant_difference_warns_once():
    scores = np.array([SCORES[0] * 0 + level for level in (0.5, 0.75, 1.0)])
    with pytest.warns(DegenerateResidualsWarning, match="for 2 other pairs") as caught:
        result = compare_candidates(results_of(scores), cv=10, reference=None)
    assert len(caught) == 1
    assert caught[0].filename == __file__
    assert_array_equal(result.table.pvalue, 1)  # of no known range


def test_tests_made_one_by_one_warn_once():
    levels = np.array([[0.5], [0.75], [1.0]]) * np.ones((3, 10))
    results, test = results_of(levels), EquivalenceTest(KFoldTTest(), 0.1)
    with pytest.warns(DegenerateResidualsWarning, match="holds for 2 other") as caught:
        compare_candidates(results, cv=10, reference=None, test=test)
    assert len(caught) == 1
    assert caught[0].filename == __file__


def test_rounding_errors_of_scores_are_no_difference():
    rounded = np.nextafter(SCORES[0], 2)
    result = compare([SCORES[0], rounded], reference=0)
    assert result.table.pvalue[0] == 1


def test_means_that_differ_by_rounding_errors_are_the_same():
    scores = np.array([[0.7, 0.8, 0.9, 0.6], [0.8, 0.7, 0.6, 0.9]])
    result = compare(scores, reference=0)
    assert result.table.estimate[0] == result.table.statistic[0] == 0
    assert result.table.rho_alpha[0] == -np.inf


@pytest.mark.parametrize(("n_failed", "dots"), [(10, ""), (11, ", ...")])
def test_warning_names_ten_failed_candidates(n_failed, dots):
    scores = np.vstack([np.full((n_failed, 10), np.nan), SCORES])
    listed = ", ".join(map(str, range(10)))
    said = rf"for candidates {listed}{dots} \({n_failed} of {n_failed + 6}\)\. They"
    with pytest.warns(UserWarning, match=said):
        result = compare(scores)
    assert result.failed.tolist() == list(range(n_failed))
    two, one = SCORES[:2] / [[1], [np.nan]], "Fewer than two are left to compare"
    with pytest.raises(ValueError, match=one):
        compare(two)


def test_scores_in_percent_are_refused_unless_that_is_said():
    shares = {f"split{k}_test_accuracy": np.array([0.9, 0.8 + k / 100]) for k in (0, 1)}
    shares["params"] = [{"C": 1}, {"C": 2}]
    percent = shares | {key: 100 * shares[key] for key in list(shares)[:2]}
    with pytest.raises(ValueError, match=r"at most 1 .* got 90 in row 0.*percent=True"):
        compare_candidates(percent, cv=2)
    found = compare_candidates(percent, cv=2, percent=True)
    assert str(found) == str(compare_candidates(shares, cv=2))


def test_text_is_no_score():
    scores = {"split0_test_score": [0.9, 0.8], "split1_test_score": ["0_9", "0.7"]}
    results = scores | {"params": [{"C": 1}, {"C": 2}]}
    with pytest.raises(ValueError, match="numbers; got text in 'split1_test_score'"):
        compare_candidates(results, cv=2)


def test_plans_of_candidates_are_printed():
    X, y = make_classification(120, 4, flip_y=0.3, random_state=0)
    grid = {"max_depth": [1, 2, 3, 4]}
    search = GridSearchCV(DecisionTreeClassifier(random_state=0), grid, cv=5).fit(X, y)
    plan = compare_candidates(search).plan(0.1)
    assert len(plan.by_pair) == 3  # with the best
    assert "examples" in str(plan)


def test_shares_of_training_sets_are_no_numbers_of_examples():
    scores = np.random.default_rng(0).normal(0.8, 0.05, size=(10, 3))
    results = {f"split{j}_test_score": row for j, row in enumerate(scores)}
    results["params"] = [{"C": c} for c in range(3)]
    comparison = compare_candidates(results, cv=10)
    for text in (comparison, comparison.winner_interval(), comparison.report()):
        assert "trained on" not in str(text)


# Words and files --------------------------------------------------------------


def test_text_of_two_thousand_candidates_is_short():
    result = compare(RNG.normal(size=(2000, 10)), reference=7)
    text = str(result)
    assert len(text.splitlines()) < 45
    lines = text.split("\n")
    ruled = next(n for n, line in enumerate(lines) if line.startswith("---"))
    assert lines[ruled + 1].split()[0] == f"C={result.best}"


def test_text_of_posterior_probabilities_decides_by_them():
    result = compare(CLEAR, test=BayesianCorrelatedTTest(0.01))
    assert (result.table.winner == result.table.first).any()
    frame, said = result.to_frame(), result.to_dict()
    worse = frame["second"][frame["prob_less"] >= 0.95]
    assert set(said["worse"]) == {result.names[row] for row in worse}
    assert said["worse"]
    assert not said["better"]


def named(params):
    return compare_candidates(results_of(SCORES, params=params), cv=10)


def test_names_are_made_of_the_parameters_that_differ():
    result = named([{"a": 1, "b": row} for row in range(6)])
    assert result.names == tuple(f"b={row}" for row in range(6))
    assert result.best in range(6)  # rows of `cv_results_`, as `best_index_`
    pipeline = named([{"svc__C": row, "pca__n": row % 3} for row in range(6)])
    assert pipeline.names[4] == "C=4, n=1"


def test_names_of_equal_parameters_differ():
    result = named([{"a": row % 3} for row in range(6)])
    assert result.names[1] == "a=1 (#1)"
    assert len(set(result.names)) == 6


def test_names_show_parameters_briefly():
    values = [1 / 3, np.float64(2e7 / 3), np.int64(1234567), 10, True, "rbf"]
    result = named([{"a": value} for value in values])
    shown = ("0.3333", "6.667e+06", "1234567", "10", "True", "'rbf'")
    assert result.names == tuple(f"a={text}" for text in shown)


def test_names_are_in_all_that_is_shown():
    result = named([{"max_depth": depth} for depth in range(1, 7)])
    best = f"max_depth={result.best + 1}"
    assert str(result).startswith(best)
    assert best in result.report()
    assert best.replace("_", r"\_") in result.to_latex()
    texts = result.plot().ax_.findobj(Text)
    assert any(best in text.get_text() for text in texts)


def test_html_escapes_parameters():
    html = named([{"a": f"<{row}>"} for row in range(6)])._repr_html_()
    assert "&lt;3&gt;" in html
    assert "<3>" not in html


@pytest.mark.parametrize("options", [{}, {"reference": None}, {"reference": 2}])
def test_files_hold_the_comparison(tmp_path, options):
    params = [{"a": row, "b": KFoldTTest()} for row in range(6)]
    result = compare_candidates(
        results_of(SCORES, params=params), cv=10, test=KFoldTTest(0), **options
    )
    result.save(tmp_path / "c")
    loaded = CandidateComparison.load(tmp_path / "c")
    assert str(loaded) == str(result)
    assert loaded.params[3] == {"a": 3, "b": "KFoldTTest()"}
    assert str(loaded.retest(alpha=0.2)) == str(result.retest(alpha=0.2))
    several = MultiMetricComparison({"one": result, "other": compare(CLEAR)})
    several.save(tmp_path / "m")
    assert str(MultiMetricComparison.load(tmp_path / "m")) == str(several)
