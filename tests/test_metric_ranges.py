"""Intervals that stay among the values a metric can have."""

import math
from dataclasses import replace

import numpy as np
import pytest
from common import intervals_of
from scipy import stats
from sklearn.base import clone
from sklearn.dummy import DummyClassifier
from sklearn.tree import DecisionTreeClassifier
from sklearn_cvtest._pairs._intervals import MAX_STRETCH, interval_in_range

from sklearn_cvtest import (
    BayesianCorrelatedTTest,
    BlockKFold,
    CVResiduals,
    EquivalenceTest,
    KFoldTTest,
    compare_estimators,
    interval_of_predictions,
)

INF = math.inf
UNIT, BELOW_ONE, POSITIVE, NONE = (0, 1), (-INF, 1), (0, INF), (-INF, INF)


@pytest.mark.parametrize(
    ("bounds", "expected"),
    [
        # logit .9 = 2.197225, its derivative 1/(.9 .1): 2.197225 ± .555556
        (UNIT, (0.8377619, 0.9400702)),
        # of .95 in a range of 2: 2.944439 ± .025/.0475
        ((-1, 1), (0.8363978, 0.9396882)),
        # 1 - .1 e^(±.5)
        (BELOW_ONE, (0.8351279, 0.9393469)),
        # .9 e^(±.0555556)
        (POSITIVE, (0.8513635, 0.9514150)),
        (NONE, (0.85, 0.95)),
    ],
)
def test_interval_by_hand(bounds, expected):
    assert interval_in_range(0.9, (0.85, 0.95), bounds) == pytest.approx(expected)


@pytest.mark.parametrize("bounds", [UNIT, BELOW_ONE, POSITIVE, (-1, 1)])
@pytest.mark.parametrize("half", [0.001, 0.3, 1e5])
def test_interval_is_in_the_range_around_the_estimate(half, bounds):
    for estimate in (1e-4, 0.5, 0.98):
        plain = estimate - half, estimate + half
        low, high = interval_in_range(estimate, plain, bounds)
        assert bounds[0] <= low < estimate < high <= bounds[1]
        assert low >= estimate - MAX_STRETCH * half * (1 + 1e-12)
        assert high <= estimate + MAX_STRETCH * half * (1 + 1e-12)


def test_mirrored_scores_have_mirrored_intervals():
    low, high = interval_in_range(0.9, (0.8, 0.95), UNIT)
    error = interval_in_range(0.1, (0.05, 0.2), UNIT)
    assert (1 - high, 1 - low) == pytest.approx(error)
    loss = interval_in_range(2.0, (1.0, 4.0), POSITIVE)
    score = interval_in_range(-2.0, (-4.0, -1.0), (-INF, 0))
    assert (-loss[1], -loss[0]) == pytest.approx(score)


@pytest.mark.parametrize("bounds", [UNIT, BELOW_ONE])
def test_estimate_at_or_beyond_a_bound_is_cut_off(bounds):
    assert interval_in_range(1, (0.9, 1.1), bounds) == (0.9, 1)
    assert interval_in_range(1.01, (0.9, 1.12), bounds) == (0.9, 1)


def test_one_sided_interval_ends_at_the_bound():
    low, high = interval_in_range(0.9, (0.85, INF), UNIT)
    assert (low, high) == (pytest.approx(0.8377619), 1)
    assert interval_in_range(0.9, (-INF, INF), BELOW_ONE) == (-INF, 1)


def test_the_interval_is_symmetric_on_the_scale():
    low, high = interval_in_range(0.9, (0.86, 0.94), UNIT)
    half = 0.04 / 0.09
    expected = 1 / (1 + np.exp(-(np.log(9) + np.array([-half, half]))))
    assert (low, high) == pytest.approx(tuple(expected))


def test_the_interval_of_rates_covers_where_the_plain_one_does_not():
    # 200 examples of an error rate of 3%: all counts, with their probabilities.
    counts = np.arange(1, 40)
    chance = stats.binom.pmf(counts, 200, 0.03)
    covered = {bounds: 0.0 for bounds in (UNIT, NONE)}
    for count, weight in zip(counts, chance, strict=True):
        rate = count / 200
        error = np.sqrt(rate * (1 - rate) / 200)
        for bounds in covered:
            ends = stats.norm.interval(0.95, rate, error)
            low, high = interval_in_range(rate, ends, bounds)
            covered[bounds] += weight * (low <= 0.03 <= high)
    assert covered[NONE] < 0.94 < covered[UNIT] < 0.98


# Values that are all equal ---------------------------------------------------------


def reach_of(n):
    """Return the share of others that n equal values do not rule out."""
    return stats.binomtest(0, n).proportion_ci(0.95, method="exact").high


@pytest.mark.parametrize("n", [4, 20, 1000])
def test_no_error_at_all_has_the_interval_of_clopper_and_pearson(n):
    y = np.arange(n) % 2
    found = interval_of_predictions(y, y).interval_
    assert found == pytest.approx((0, reach_of(n)))


def test_equal_values_at_no_bound_may_differ_to_both_sides():
    result = interval_of_predictions(np.arange(10) % 2, np.full(10, 0.5), loss="brier")
    low, high = 0.25 * (1 - reach_of(10)), 0.25 + 0.75 * reach_of(10)
    assert result.interval_ == pytest.approx((low, high))


def test_equal_values_say_nothing_of_others_without_a_bound():
    y = np.arange(40.0)
    assert interval_of_predictions(y, y, loss="squared_error").interval_ == (0, INF)
    assert interval_of_predictions(y, y, scoring="r2").interval_ == (-INF, 1)


@pytest.mark.parametrize(
    ("scoring", "n", "lowest"),
    [
        ("accuracy", 60, 0),
        ("f1_micro", 60, 0),
        ("f1", 20, 0),
        ("recall", 20, 0),
        ("f1_macro", 20, 0),
        ("balanced_accuracy", 20, 0),
        ("matthews_corrcoef", 20, -1),
    ],
)
def test_equal_values_are_as_many_as_the_rarest_class_has(scoring, n, lowest):
    y = np.repeat([1, 0], [20, 40])
    found = interval_of_predictions(y, y, scoring=scoring).interval_
    assert found == pytest.approx((1 - (1 - lowest) * reach_of(n), 1))
    twice = np.repeat(y, 2)  # in groups of two, of which there are as many
    groups = np.repeat(np.arange(60), 2)
    found = interval_of_predictions(
        twice, twice, scoring=scoring, groups=groups
    ).interval_
    assert found == pytest.approx((1 - (1 - lowest) * reach_of(n), 1))


# Intervals of differences --------------------------------------------------------

X = np.arange(16.0)[:, np.newaxis]
Y = np.arange(16) // 8
MODELS = {
    "tree": DecisionTreeClassifier(random_state=0),
    "guess": DummyClassifier(strategy="uniform", random_state=0),
    "same": DummyClassifier(strategy="constant", constant=0),
}
CV = BlockKFold(4, random_state=0)


@pytest.mark.parametrize("measure", [{"loss": "brier"}, {"scoring": "accuracy"}, {}])
@pytest.mark.parametrize(
    "test",
    [KFoldTTest(0.9), EquivalenceTest(KFoldTTest(0.9), 0.1), BayesianCorrelatedTTest()],
)
def test_interval_of_a_difference_stays_within_that_of_two_values(test, measure):
    result = compare_estimators(MODELS, X, Y, cv=CV, test=test, **measure)
    (table,) = result.tables.values()
    unbounded = replace(result.losses, value_range=NONE)
    level, plain = test.interval_level(0.05), {}
    for number, (pair, fitted) in enumerate(result.tests.items()):
        other = clone(test).fit(unbounded.residuals(*pair))
        plain[pair] = other.confidence_interval(level)
        expected = np.clip(plain[pair], -1, 1)
        assert fitted.confidence_interval(level) == pytest.approx(expected)
        assert intervals_of(result)[number] == pytest.approx(expected)
        assert table.pvalue[number] == other.pvalue_
    assert np.abs(list(plain.values())).max() > 1.01
    if table.ci_low_simultaneous is not None:
        assert table.ci_low_simultaneous.min() >= -1
        assert table.ci_high_simultaneous.max() <= 1
    if not isinstance(test, BayesianCorrelatedTTest):  # which has no p-values
        found = result.by(np.zeros(16))
        assert np.array_equal(found.ci_low[0], intervals_of(result)[:, 0])


def test_one_sided_intervals_stay_open():
    test = KFoldTTest(0.9, alternative="greater")
    result = compare_estimators(MODELS, X, Y, cv=CV, test=test)
    assert intervals_of(result).tolist() == [[-1, INF]] * 3


def test_losses_without_an_upper_bound_have_no_bounds_of_differences():
    result = compare_estimators(
        MODELS, X, Y, cv=CV, test=KFoldTTest(0.9), loss=lambda y, p: 2.0 * (y != p)
    )
    assert intervals_of(result).min() < -2
    e = CVResiduals.from_array([0.0, 1.0, 1.0])
    assert KFoldTTest().fit(e).confidence_interval().high > 1


def test_one_sided_tests_of_equivalence_end_where_the_same_tests_do():
    wrong = np.array([[1.0, 0, 1], [1, 1, 0], [1, 0, 0], [0, 1, 1]])
    residuals = CVResiduals.from_array(wrong, design="k-fold")
    residuals = replace(residuals, value_range=(-1.0, 1.0))
    test = EquivalenceTest(KFoldTTest(rho=0.9), margin=0.5).fit(residuals)
    for side in (test.lower_test_, test.upper_test_):
        alone = clone(side).fit(residuals)
        assert side.confidence_interval(0.99) == alone.confidence_interval(0.99)
        assert max(abs(end) for end in alone.confidence_interval(0.99)) >= 1


def test_a_users_loss_has_no_range_whatever_its_values_are():
    result = compare_estimators(MODELS, X, Y, cv=CV, loss=lambda y, p: 1.0 * (y != p))
    assert result.gate(1.5, reference="tree").decisions.keys() == {"guess", "same"}
    assert result.losses.value_range == NONE
