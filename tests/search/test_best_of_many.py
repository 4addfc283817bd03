"""Which of many may be the best: `best_set` of comparisons and of candidates."""

import numpy as np
import pytest
from numpy.testing import assert_allclose
from scipy import stats
from sklearn.datasets import load_breast_cancer
from sklearn.naive_bayes import GaussianNB
from sklearn.tree import DecisionTreeClassifier

from sklearn_cvtest import (
    CorrectedResampledTTest,
    EquivalenceTest,
    FiveByTwo,
    KFoldTTest,
    compare_candidates,
    compare_estimators,
    compare_predictions,
)
from sklearn_cvtest.exceptions import DegenerateResidualsWarning

# Some pairs of scores differ by a constant.
DEGENERATE = pytest.mark.filterwarnings(
    "ignore::sklearn_cvtest.exceptions.DegenerateResidualsWarning"
)


def candidates(scores, **options):
    """Return the comparison of candidates with these scores, (k, J)."""
    results = {"params": [{"C": number} for number in range(len(scores))]}
    results |= {f"split{j}_test_score": column for j, column in enumerate(scores.T)}
    options = {"reference": None, "p_adjust": None, "test": KFoldTTest(0.5)} | options
    return compare_candidates(results, cv=scores.shape[1], **options)


def noise(k=6, n_splits=10, spread=1.0, seed=0):
    rng = np.random.default_rng(seed)
    common = rng.normal(size=n_splits)
    return common + rng.normal(size=(k, n_splits)) - spread * np.arange(k)[:, None]


def predictions(k=4, n=200, seed=0, worse_by=0.05):
    rng = np.random.default_rng(seed)
    y = rng.normal(size=n)
    guesses = {
        "abcdefgh"[i]: y + (1 + worse_by * i) * rng.normal(size=n) for i in range(k)
    }
    return y, guesses


def step_down(observed, largest):
    """Westfall and Young's p-values: each among all that are less clearly worse."""
    pvalues, smallest = np.empty(len(observed)), 0.0
    left = list(np.argsort(observed)[::-1])
    while left:
        share = np.mean(largest[:, left].max(axis=1) >= observed[left[0]])
        smallest = max(smallest, share)
        pvalues[left.pop(0)] = smallest
    return pvalues


def rotated(scores, rho, n_draws=20000):
    """The law of the largest cosine, a rival and a draw at a time."""
    k, n_splits = scores.shape
    rng, observed = np.random.default_rng(1), np.full(k, -1.0)
    draws = rng.normal(size=(n_draws, n_splits))
    draws /= np.linalg.norm(draws, axis=1, keepdims=True)
    ones, largest = np.ones(n_splits) / np.sqrt(n_splits), np.full((n_draws, k), -1.0)
    for r in range(k):
        for s in set(range(k)) - {r}:
            loss = scores[s] - scores[r]
            row = loss - loss.mean() + np.sqrt(1 - rho) * loss.mean()
            row = row / np.linalg.norm(row)
            observed[r] = max(observed[r], row @ ones)
            largest[:, r] = np.maximum(largest[:, r], draws @ row)
    return step_down(observed, largest)


# 0.012 is 3 standard errors of the difference of two such shares.
def test_pvalues_by_splits_are_those_of_the_loop():
    scores = noise(spread=0.4)
    best = candidates(scores).best_set()
    expected = rotated(scores, 0.5)
    for name, pvalue in best.pvalues.items():
        if name in best.at_most:
            assert expected[name] < pvalue + 0.006
        else:
            assert_allclose(pvalue, expected[name], atol=0.014)


def normal_law(losses, n_draws=20000):
    """The law of the largest t statistic of one test set, a rival at a time."""
    n, k = losses.shape
    rng, observed = np.random.default_rng(1), np.full(k, -np.inf)
    largest = np.full((n_draws, k), -np.inf)
    deviations = losses - losses.mean(axis=0)
    drawn = rng.normal(size=(n_draws, n)) @ deviations
    scale = np.sqrt(rng.chisquare(n - 1, n_draws) / (n - 1))
    for r in range(k):
        for s in set(range(k)) - {r}:
            difference = losses[:, r] - losses[:, s]
            statistic = stats.ttest_1samp(difference, 0).statistic
            observed[r] = max(observed[r], statistic)
            t = (drawn[:, r] - drawn[:, s]) / (difference.std() * np.sqrt(n)) / scale
            largest[:, r] = np.maximum(largest[:, r], t)
    return step_down(observed, largest)


def test_pvalues_of_examples_are_those_of_the_loop():
    result = compare_predictions(*predictions())
    expected = normal_law(result.losses.values)
    best = result.best_set()
    for name, pvalue in zip(result.names, expected, strict=True):
        if name == best.names[0]:
            assert best.pvalues[name] >= pvalue
        elif name in best.at_most:
            assert pvalue < best.pvalues[name] + 0.006
        else:
            assert_allclose(best.pvalues[name], pvalue, atol=0.014)


@pytest.mark.parametrize("cv", [5, FiveByTwo(random_state=0)])
def test_of_two_pvalue_and_interval_are_those_of_the_pair(cv):
    X, y = load_breast_cancer(return_X_y=True)
    models = [GaussianNB(), DecisionTreeClassifier(max_depth=2)]
    result = compare_estimators(models, X, y, cv=cv)
    best, table = result.best_set(), result.table
    assert_allclose(min(best.pvalues.values()), result.pvalue_, rtol=1e-9)
    ends = [table.ci_low[0], table.ci_high[0]]
    if table.estimate[0] < 0:
        ends = [-ends[1], -ends[0]]
    assert_allclose(next(iter(best.differences.values()))[1:], ends, rtol=1e-6)


def test_pvalues_are_between_that_of_the_largest_and_bonferronis():
    result = candidates(noise(), test=CorrectedResampledTTest(alternative="greater"))
    best = result.best_set()
    for name, pvalue in best.pvalues.items():
        alone = [
            test.pvalue_ if pair[0] == name else 1 - test.pvalue_
            for pair, test in result.tests.items()
            if name in pair
        ]
        assert min(alone) * (1 - 1e-9) <= pvalue <= 30 * min(alone) * (1 + 1e-9)


def test_order_of_models_changes_nothing():
    y, guesses = predictions()
    best = compare_predictions(y, guesses).best_set()
    turned = compare_predictions(y, dict(reversed(guesses.items()))).best_set()
    assert turned.names == best.names
    assert_allclose(list(turned.pvalues.values()), list(best.pvalues.values()))
    assert turned.pvalues.keys() == best.pvalues.keys()


def test_best_is_kept_and_a_clearly_worse_one_is_not():
    best = candidates(noise(spread=5)).best_set()
    assert best.names == (0,)
    assert 0 not in best.differences


def test_equal_models_are_all_kept():
    best = candidates(np.tile(noise()[:1], (4, 1))).best_set()
    assert best.names == (0, 1, 2, 3)
    assert set(best.pvalues.values()) == {1.0}


@pytest.mark.parametrize("alpha", [0.05, 0.2, 0.4])
@pytest.mark.parametrize(
    "test", [KFoldTTest(0.5), KFoldTTest(0.0), CorrectedResampledTTest()]
)
def test_intervals_are_above_zero_exactly_for_those_that_are_worse(test, alpha):
    best = candidates(noise(spread=0.6), test=test).best_set(alpha)
    for name, (estimate, low, high) in best.differences.items():
        assert (low > 0) == (name not in best.names)
        assert low <= estimate <= high


def test_of_many_candidates_fewer_draws_decide_as_all():
    scores = noise(60, 10, spread=0.05)
    best = candidates(scores).best_set()
    expected = rotated(scores, 0.5, 4000)
    for name, pvalue in best.pvalues.items():
        if abs(expected[name] - 0.05) > 0.01:
            assert (pvalue > 0.05) == (expected[name] > 0.05)


def test_tests_without_a_direction_are_refused():
    result = candidates(noise()).retest(EquivalenceTest(KFoldTTest(), margin=1))
    with pytest.raises(ValueError, match="best_set"):
        result.best_set()


# 99.9% bounds of 300 draws at 0.95; of six that are equally good none leaves.
@pytest.mark.full
@pytest.mark.parametrize("k", [2, 6])
def test_all_that_are_the_best_are_kept_at_the_confidence_level(k):
    kept = sum(
        len(
            candidates(noise(k, spread=0, seed=seed), test=KFoldTTest(0.0))
            .best_set()
            .names
        )
        == k
        for seed in range(300)
    )
    low, high = stats.binom.ppf([0.0005, 0.9995], 300, 0.95)
    assert low <= kept <= high


def test_picture_shows_the_numbers():
    best = candidates(noise(spread=0.6)).best_set()
    ax = best.plot()
    lines, points = ax.collections
    rows = np.array(list(best.differences.values()))
    assert_allclose(np.abs(points.get_offsets()[1:, 0]), np.abs(rows[:, 0]))
    drawn = [segment[:, 0] for segment in lines.get_segments() if len(segment)]
    wanted = np.sort(np.abs(rows[:, 1:]), axis=1)
    assert_allclose(np.sort(np.abs(drawn), axis=1), wanted)
    assert len(ax.texts) == 7


def test_intervals_of_some_are_those_of_all():
    best = candidates(noise(30, spread=0.3)).best_set().found
    places = np.array([0, 3, 12, 29])
    some = best.differences_of(places)
    assert_allclose(some, np.array(best.differences)[:, places], rtol=1e-12)


def grouped_scores(k=300, n_splits=10):
    """Scores of which some are equal, and some differ by a constant or hardly vary."""
    rng = np.random.default_rng(3)
    own = 0.02 * rng.normal(size=(k, n_splits))
    own[20:40] = own[20]
    own[40:60] = own[40] + 1e-9 * rng.normal(size=(20, n_splits))
    scores = 0.8 + 0.03 * rng.normal(size=n_splits) + own
    scores[60:] -= 0.0005 * np.arange(k - 60)[:, None]
    scores[20:30] -= 0.001 * np.arange(10)[:, None]
    return scores


def looped_bounds(losses, best, bounds_of):
    """The largest bounds over rivals, a row at a time, by place in the order."""
    losses = losses[best.order]
    k, n_splits = losses.shape
    low, high = np.full(k, np.nan), np.full(k, np.nan)
    for place in range(1, k):
        is_rival = np.arange(k) != place
        critical = stats.t.ppf(1 - best.levels[place], n_splits - 1)
        lows, highs = bounds_of(losses[place], losses, critical)
        differences = losses[place] - losses
        is_flat = np.ptp(differences, axis=1) < 1e-14
        is_same = is_flat & (np.abs(differences.mean(axis=1)) < 1e-14)
        highs[is_flat] = np.inf
        highs[is_same] = 0.0
        if np.any(is_rival & ~is_flat):
            low[place] = lows[is_rival & ~is_flat].max()
        if best.kept[place]:
            low[place] = min(low[place], 0.0)
        high[place] = highs[is_rival & best.kept].max()
    return low, high


def difference_bounds(losses, others, critical, rho=0.5):
    """The one-sided bounds of Student's t."""
    differences = losses - others
    means = differences.mean(axis=1)
    errors = differences.std(axis=1, ddof=1) / np.sqrt(losses.size * (1 - rho))
    return means - critical * errors, means + critical * errors


def log_ratio_bounds(losses, others, critical, rho=0.5):
    """Fieller's one-sided bounds of the logarithm of the ratio of mean losses."""
    factor = critical**2 / (losses.size * (1 - rho))
    deviations = losses - losses.mean()
    other_deviations = others - others.mean(axis=1, keepdims=True)
    n_free = losses.size - 1
    means = others.mean(axis=1)
    a = means**2 - factor * np.sum(other_deviations**2, axis=1) / n_free
    b = losses.mean() * means - factor * (other_deviations @ deviations) / n_free
    c = losses.mean() ** 2 - factor * np.sum(deviations**2) / n_free
    root = np.sqrt(np.maximum(b**2 - a * c, 0))
    return np.log((b - root) / a), np.log((b + root) / a)


@DEGENERATE
def test_intervals_are_those_of_a_loop_over_pairs():
    scores = grouped_scores()
    best = candidates(scores).best_set().found
    low, high = looped_bounds(-scores, best, difference_bounds)
    assert_allclose(best.differences.low, low, rtol=1e-9, atol=1e-12)
    assert_allclose(best.differences.high, high, rtol=1e-9, atol=1e-12)


@DEGENERATE
def test_intervals_of_ratios_are_those_of_a_loop_over_pairs():
    scores = -grouped_scores()[::-1]
    results = {"params": [{"C": number} for number in range(len(scores))]}
    for split, column in enumerate(scores.T):
        results[f"split{split}_test_neg_mean_squared_error"] = column
    result = compare_candidates(results, cv=10, test=KFoldTTest(0.5), reference=None)
    best = result.best_set().found
    assert best.ratios is not None
    low, high = looped_bounds(-scores, best, log_ratio_bounds)
    assert_allclose(best.differences.low, low, rtol=1e-9, atol=1e-12)
    assert_allclose(best.differences.high, high, rtol=1e-9, atol=1e-12)


def test_constant_differences_of_many_candidates_show_nothing():
    rng = np.random.default_rng(0)
    scores = 0.9 - np.arange(3000)[:, None] / 30000 + 0.02 * rng.normal(size=10)
    with pytest.warns(DegenerateResidualsWarning):
        result = candidates(scores, reference="best")
    best = result.best_set()
    assert len(best.names) == 3000
    assert best.to_frame().pvalue.min() == 1


def test_of_very_many_only_those_shown_are_compared():
    best = candidates(noise(2001, spread=0.0), reference="best").best_set()
    assert str(best).count(" to ") >= 59  # intervals of those shown
    assert "differences" not in vars(best.found)  # of four million pairs
