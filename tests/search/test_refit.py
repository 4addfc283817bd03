"""Refit callables: the simplest candidate that is good enough."""

import pickle
from fractions import Fraction

import numpy as np
import pytest
from numpy.testing import assert_allclose
from scipy import stats
from searches import IRIS, TREE, results_of
from sklearn.base import clone
from sklearn.model_selection import (
    GridSearchCV,
    HalvingGridSearchCV,
    KFold,
    RandomizedSearchCV,
    RepeatedKFold,
    ShuffleSplit,
)

from sklearn_cvtest import (
    BlockKFold,
    ConservativeZTest,
    CorrectedRepeatedKFoldTTest,
    CorrectedResampledTTest,
    EquivalenceTest,
    FiveByTwo,
    FiveByTwoFTest,
    FiveByTwoTTest,
    KFoldTTest,
    NotSignificantlyWorse,
    PairedHalves,
    RepeatedSubsample,
    compare_candidates,
    one_standard_error,
)

RNG = np.random.default_rng(0)
# Scores of candidates C = 0 ... 5: the fourth is best, one and two are close
MEANS = np.array([0.5, 0.87, 0.885, 0.9, 0.88, 0.6])
SCORES = MEANS[:, np.newaxis] + RNG.normal(size=(6, 10)) / 40
SCORES += MEANS[:, np.newaxis] - SCORES.mean(axis=1, keepdims=True)
RULES = [NotSignificantlyWorse, one_standard_error]
every_rule = pytest.mark.parametrize("Rule", RULES, ids=lambda Rule: Rule.__name__)


def count_leaves(params):
    """Return a complexity that no name gives."""
    return (params["max_depth"] or 99, -params["min_samples_leaf"])


def larger(params):
    return -params["C"]


def test_not_significantly_worse_by_hand():
    # score(candidate) - score(best) = -0.1, -0.1, -0.4: t = -0.2/√(S²/3) at ρ = 0,
    # S² = 0.03, is -2, its two-sided p with 2 degrees of freedom 0.184
    best = [0.9, 0.8, 1.0]
    results = results_of([[0.8, 0.7, 0.6], best])
    for alpha, expected in ((0.18, 0), (0.185, 1)):
        rule = NotSignificantlyWorse("C", test=KFoldTTest(0), alpha=alpha)
        assert rule(results) == expected


def test_a_level_may_be_any_real_number():
    rule = NotSignificantlyWorse("C", cv=10)
    at_level = NotSignificantlyWorse("C", cv=10, alpha=Fraction(1, 20))
    assert at_level(results_of(SCORES)) == rule(results_of(SCORES))


def test_margin_by_hand():
    # with a margin of 0.6, t = (-0.2 + 0.6)/0.1 = 4, one-sided p 0.0286
    results = results_of([[0.8, 0.7, 0.6], [0.9, 0.8, 1.0]])
    for alpha, expected in ((0.028, 1), (0.029, 0)):
        rule = NotSignificantlyWorse("C", test=KFoldTTest(0), alpha=alpha, margin=0.6)
        assert rule(results) == expected


def test_one_standard_error_by_hand():
    # scores 0.9, 0.8, 1.0: S² = 0.01, n2/n1 = 1/2, so that the standard error is
    # √((1/3 + 1/2) 0.01) = 0.0913; without the correction it would be 0.0577
    best = [0.9, 0.8, 1.0]
    for mean, expected in ((0.81, 0), (0.808, 1)):
        scores = [[mean - 0.1, mean, mean + 0.1], best]
        assert one_standard_error("C")(results_of(scores)) == expected


def test_within_one_standard_error_what_is_shown_to_be_worse_is_not_taken():
    wave = 0.05 * np.cos(np.arange(10))  # of all: the standard error is 0.018
    small = 0.001 * np.sin(np.arange(10))
    scores = np.array([0.89 + small, 0.8995 - small, 0.9 + 0 * small]) + wave
    assert one_standard_error("C")(results_of(scores)) == 1
    assert one_standard_error("C")(results_of(scores[[0, 2]])) == 1


def test_rule_takes_the_simplest_that_may_be_the_best():
    result = compare_candidates(results_of(SCORES), cv=10, test=KFoldTTest(0.3))
    for alpha in (0.001, 0.05, 0.2, 0.4):
        rule = NotSignificantlyWorse("C", test=KFoldTTest(0.3), alpha=alpha)
        best_set = result.retest(alpha=alpha).best_set()
        assert f"C={rule(results_of(SCORES))}" == min(best_set.names)


def test_margin_agrees_with_equivalence_test():
    test = EquivalenceTest(KFoldTTest(0.3), 0.05, alternative="greater")
    result = compare_candidates(results_of(SCORES[:4]), cv=10, test=test)
    shown = result.table.second[result.table.pvalue_adjusted <= 0.05]
    rule = NotSignificantlyWorse("C", test=KFoldTTest(0.3), margin=0.05)
    assert rule(results_of(SCORES)) == shown.min() > 0


def test_settings_of_the_test_that_the_rule_makes_do_not_matter():
    given = KFoldTTest(0.3, alpha=0.5, alternative="greater", popmean=9)
    rules = [NotSignificantlyWorse("C", test=t) for t in (given, KFoldTTest(0.3))]
    assert rules[0](results_of(SCORES)) == rules[1](results_of(SCORES))
    assert given.popmean == 9


def test_with_margin_pvalues_are_adjusted_for_simpler_candidates():
    # one candidate passes at p = 0.0286; of two as simple the smaller p counts twice
    best = [0.9, 0.8, 1.0]
    bad = [0.2, 0.2, 0.2]
    rule = NotSignificantlyWorse("C", test=KFoldTTest(0), margin=0.6)
    near = [0.8, 0.7, 0.6]
    assert rule(results_of([near, best])) == 0
    assert rule(results_of([bad, near, best])) == 2
    assert rule(results_of([near, best, bad])) == 0  # not simpler than the best


@pytest.mark.full
def test_margin_is_rarely_exceeded_by_the_choice():
    # candidates that are worse by the margin: taking any is an error
    rng = np.random.default_rng(0)
    rule = NotSignificantlyWorse("C", test=KFoldTTest("nadeau-bengio"), margin=2)
    wrong = 0
    for _ in range(400):
        shared = np.sqrt(0.1) * rng.normal(size=(5, 1))
        scores = shared + np.sqrt(0.9) * rng.normal(size=(5, 10))
        scores[-1] += 2
        wrong += rule(results_of(scores)) != 4
    assert wrong <= stats.binom.ppf(0.9995, 400, 0.05)


@pytest.mark.full
def test_an_equally_good_candidate_is_rarely_passed_over():
    rng = np.random.default_rng(0)
    rule = NotSignificantlyWorse("C", test=KFoldTTest("nadeau-bengio"))
    passed_over = 0
    for _ in range(400):
        shared = np.sqrt(0.1) * rng.normal(size=(2, 1))
        passed_over += rule(
            results_of(shared + np.sqrt(0.9) * rng.normal(size=(2, 10)))
        )
    # the one that came out worse is tested at 5%: it is the simpler in half the samples
    assert passed_over <= stats.binom.ppf(0.9995, 400, 0.05)


def test_candidates_with_equal_scores():
    results = results_of([SCORES[3], SCORES[3], SCORES[0]])
    for rule in (NotSignificantlyWorse(larger), one_standard_error(larger)):
        assert rule(results) == 1
    # ten equal scores do not show that the next are within the margin
    assert NotSignificantlyWorse(larger, margin=0.01)(results) == 0


# Standard error -------------------------------------------------------------------


@pytest.mark.parametrize(
    ("cv", "variance"),
    [
        (None, 1 / 10 + 1 / 9),
        (10, 1 / 10 + 1 / 9),
        (RepeatedKFold(n_splits=5, n_repeats=2), 1 / 10 + 1 / 4),
        (ShuffleSplit(10, test_size=0.2), 1 / 10 + 1 / 4),
        (FiveByTwo(), 1 / 10 + 1),
    ],
    ids=repr,
)
def test_standard_error_is_corrected(cv, variance):
    best, noise = RNG.normal(size=(2, 10))
    noise = 3 * (noise - noise.mean())  # so that no difference is significant
    error = np.sqrt(variance * best.var(ddof=1))
    for factor, expected in ((0.999, 0), (1.001, 1)):
        results = results_of([best + noise - factor * error, best])
        assert one_standard_error("C", cv=cv)(results) == expected


def test_numbers_of_the_notes():
    error = np.sqrt(1 / 10 + 1 / 9)
    text = " ".join(one_standard_error.__doc__.split())
    assert f"with 10 folds, S is {1 / error:.1f} times this standard error" in text
    assert (
        f"without the correction, S/√J, is {np.sqrt(0.1) / error:.2f} times this one"
        in text
    )


def test_standard_error_of_halves_is_refused():
    rule = one_standard_error("C", cv=PairedHalves(RepeatedSubsample(2), 2))
    with pytest.raises(ValueError, match="`test` must be"):
        rule(results_of(SCORES))


# Complexity -----------------------------------------------------------------------


PARAMS = [
    {"depth": 3, "leaf": 10, "kind": "a"},
    {"depth": 3, "leaf": 20, "kind": "b"},
    {"depth": 2, "leaf": 10, "kind": "c"},
    {"depth": 2, "leaf": 20, "kind": "d"},
    {"depth": 4, "leaf": 1.5, "kind": "e"},
]
NAMED = results_of(np.full((5, 10), 0.5) + np.eye(5, 10) / 100, params=PARAMS)


@pytest.mark.parametrize(
    ("complexity", "expected"),
    [
        ("leaf", 4),
        (lambda params: -params["leaf"], 1),
        (lambda params: -params["depth"], 4),
        (lambda params: (params["depth"], -params["leaf"]), 3),
        (lambda params: -ord(params["kind"]), 4),
        (lambda params: (params["leaf"], params["kind"]), 4),
        (lambda params: np.float64(params["depth"] == 4), 0),
    ],
)
@every_rule
def test_complexity(Rule, complexity, expected):
    assert Rule(complexity)(NAMED) == expected


@every_rule
def test_of_equally_simple_candidates_the_better_is_taken(Rule):
    scores = SCORES[[1, 2, 3]]
    assert Rule(lambda params: 0)(results_of(scores)) == 2
    depths = [{"C": 1}, {"C": 1}, {"C": 2}]
    close = SCORES[1:4] - SCORES[1:4].mean(axis=1, keepdims=True)
    close += [[0.5], [0.501], [0.502]]
    assert Rule("C")(results_of(close, params=depths)) == 1


@pytest.mark.parametrize(
    ("complexity", "error", "message"),
    [
        ("C", ValueError, "one of 'depth', 'leaf', 'kind'"),
        ("kind", TypeError, "an array of real numbers"),
        (3, ValueError, "one of 'depth', 'leaf', 'kind'"),
        (["leaf"], ValueError, "one of 'depth', 'leaf', 'kind'"),
        ("-leaf", ValueError, "one of 'depth', 'leaf', 'kind'"),
        (lambda params: np.nan, ValueError, "can be sorted"),
        (lambda params: params, ValueError, "can be sorted"),
    ],
)
@every_rule
def test_wrong_complexity(Rule, complexity, error, message):
    with pytest.raises(error, match=f"`complexity` must be .*{message}"):
        Rule(complexity)(NAMED)


# Splits ---------------------------------------------------------------------------


@every_rule
def test_many_splits_are_not_taken_for_one_k_fold(Rule):
    results = results_of(RNG.normal(size=(3, 100)))
    message = "`cv` must be what made the 100 splits; got None"
    with pytest.raises(ValueError, match=message):
        Rule("C")(results)
    Rule("C", cv=RepeatedKFold(n_splits=10, n_repeats=10))(results)
    Rule("C", cv=100)(results)


@every_rule
def test_other_splits_are_refused(Rule):
    with pytest.raises(ValueError, match="`cv` must be what made the 10 splits; got 5"):
        Rule("C", cv=5)(results_of(SCORES))


@every_rule
def test_sizes_of_random_splits(Rule):
    cv = ShuffleSplit(10, test_size=50)
    with pytest.raises(ValueError, match="Pass `n_train` and `n_test`"):
        Rule("C", cv=cv)(results_of(SCORES))
    sized = Rule("C", cv=cv, n_train=100, n_test=50)(results_of(SCORES))
    assert sized == Rule("C", n_train=100, n_test=50)(results_of(SCORES))


@pytest.mark.parametrize(
    ("cv", "test"),
    [
        (KFold(10), None),
        (FiveByTwo(), None),
        (FiveByTwo(), FiveByTwoTTest()),
        (FiveByTwo(), CorrectedRepeatedKFoldTTest()),
        (PairedHalves(RepeatedSubsample(2), 2), None),
        (PairedHalves(BlockKFold(2), 2), ConservativeZTest()),
        (ShuffleSplit(10), CorrectedResampledTTest()),
    ],
    ids=lambda value: type(value).__name__,
)
def test_tests_and_designs(cv, test):
    scores = np.array([[-9.0], [0.0], [0.1]]) + RNG.normal(size=(3, 10)) / 10
    assert NotSignificantlyWorse("C", cv=cv, test=test)(results_of(scores)) != 0


@pytest.mark.parametrize(
    ("test", "error", "message"),
    [
        (FiveByTwoFTest(), ValueError, "`test` must be one with a direction"),
        (EquivalenceTest(FiveByTwoTTest(), 1), ValueError, "one with a direction"),
        (KFoldTTest(), ValueError, "5x2"),
        ([FiveByTwoTTest()], TypeError, "."),
    ],
)
def test_wrong_tests(test, error, message):
    rule = NotSignificantlyWorse("C", test=test, cv=FiveByTwo())
    with pytest.raises(error, match=message):
        rule(results_of(SCORES))


# In a search ----------------------------------------------------------------------


GRID = {"max_depth": [1, 2, 3, 4], "min_samples_leaf": [1, 10]}


@every_rule
@pytest.mark.parametrize("n_jobs", [None, pytest.param(2, marks=pytest.mark.full)])
def test_refits_in_a_search(Rule, n_jobs):
    cv = KFold(5, shuffle=True, random_state=0)
    rule = Rule(count_leaves, cv=cv)
    search = GridSearchCV(TREE, GRID, cv=cv, refit=rule, n_jobs=n_jobs)
    search = clone(search).fit(*IRIS)
    assert search.best_index_ == rule(search.cv_results_)
    assert search.best_params_ == {"max_depth": 2, "min_samples_leaf": 10}
    assert search.best_estimator_.get_depth() == 2


@every_rule
def test_rule_can_be_pickled_cloned_and_printed(Rule):
    rule = Rule("max_depth", cv=KFold(4))
    for other in (pickle.loads(pickle.dumps(rule)), clone(rule)):
        assert repr(other) == repr(rule)
    assert "complexity='max_depth'" in repr(rule)


@every_rule
def test_several_metrics(Rule):
    scoring = ["accuracy", "neg_log_loss"]
    grid = {"max_depth": [1, 2, 3, 4]}
    rule = Rule("max_depth", metric="accuracy")
    search = GridSearchCV(TREE, grid, scoring=scoring, refit=rule).fit(*IRIS)
    alone = GridSearchCV(TREE, grid, refit=clone(rule).set_params(metric=None))
    assert search.best_index_ == alone.fit(*IRIS).best_index_
    with pytest.raises(ValueError, match="`metric` must be one of 'accuracy', 'neg_lo"):
        Rule("max_depth")(search.cv_results_)


@every_rule
def test_randomised_search(Rule):
    search = RandomizedSearchCV(
        TREE, GRID, n_iter=5, random_state=0, refit=Rule("max_depth")
    )
    assert 0 <= search.fit(*IRIS).best_index_ < 5


@every_rule
def test_last_iteration_of_a_halving_search(Rule):
    search = HalvingGridSearchCV(TREE, GRID, random_state=0, min_resources=30)
    results = search.fit(*IRIS).cv_results_
    chosen = Rule(count_leaves, cv=5)(results)
    assert results["iter"][chosen] == search.n_iterations_ - 1


def test_halving_searches_do_not_ask_the_rule():
    rule = one_standard_error(count_leaves, cv=5)
    search = HalvingGridSearchCV(
        TREE, GRID, random_state=0, min_resources=30, refit=rule
    )
    results = search.fit(*IRIS).cv_results_
    last = results["iter"] == search.n_iterations_ - 1
    best = np.where(last, results["mean_test_score"], -np.inf).argmax()
    assert search.best_index_ == best


@every_rule
def test_failed_candidates_are_ignored(Rule):
    scores = SCORES.copy()
    scores[[0, 2], 3] = np.nan
    scores[0] += 9
    assert Rule("C")(results_of(scores)) in (1, 3)
    with pytest.raises(ValueError, match="a candidate without failed fits"):
        Rule("C")(results_of(scores * np.nan))


@every_rule
def test_one_candidate(Rule):
    assert Rule("C")(results_of(SCORES[:1])) == 0


def test_standard_deviation_admits_more():
    def within_one_deviation(results):
        scores = np.array([results[f"split{j}_test_score"] for j in range(10)]).T
        means = scores.mean(axis=1)
        return np.flatnonzero(means >= means.max() - scores[means.argmax()].std())[0]

    rng = np.random.default_rng(1)
    means = np.array([0.87, 0.89, 0.9])[:, np.newaxis]
    noise = rng.normal(size=(3, 10))
    noise -= noise.mean(axis=1, keepdims=True)
    results = results_of(means + noise / noise.std(axis=1, keepdims=True) / 30)
    assert within_one_deviation(results) == 0
    assert one_standard_error("C")(results) == 1
    assert_allclose(np.sqrt(1 / 10 + 1 / 9), 0.459, atol=1e-3)


@pytest.mark.parametrize("cv_results", [3, None, [1.0]])
def test_what_is_no_result_of_a_search_is_refused(cv_results):
    with pytest.raises(TypeError, match="`search` must be a fitted search, or its"):
        NotSignificantlyWorse("C")(cv_results)
