"""Intervals that stay among the values a metric can have."""

import math

import numpy as np
import pytest
from common import intervals_of
from scipy import stats
from sklearn.base import clone
from sklearn.dummy import DummyClassifier
from sklearn.tree import DecisionTreeClassifier

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
RNG = np.random.default_rng(0)
N = 60
LABELS = np.arange(N) % 2
HITS = np.where(np.arange(N) < 5, 1 - LABELS, LABELS)
NUMBERS = RNG.normal(size=N)
NEAR = NUMBERS + 0.3 * RNG.normal(size=N)


def own(y_true, y_pred):
    return 1.0 * (y_true != y_pred)


@pytest.mark.parametrize(
    ("options", "y", "prediction", "to_line", "from_line"),
    [
        ({"scoring": "accuracy"}, LABELS, HITS, (0, 1), "logit"),
        ({"scoring": "matthews_corrcoef"}, LABELS, HITS, (-1, 1), "logit"),
        ({"scoring": "r2"}, NUMBERS, NEAR, (-INF, 1), "log"),
        ({"loss": "absolute_error"}, NUMBERS, NEAR, (0, INF), "log"),
        ({"loss": own}, LABELS, HITS, (-INF, INF), "none"),
    ],
)
def test_the_interval_is_symmetric_on_the_scale(
    options, y, prediction, to_line, from_line
):
    found = interval_of_predictions(y, prediction, **options)
    mean, error = found.estimate_, found.standard_error_
    half = stats.t.ppf(0.975, N - 1) * error
    low, high = to_line
    if from_line == "logit":
        scale = 1 / (mean - low) + 1 / (high - mean)
        odds = np.log((mean - low) / (high - mean)) + np.array([-half, half]) * scale
        expected = low + (high - low) / (1 + np.exp(-odds))
    elif from_line == "none":
        expected = mean - half, mean + half
    elif high == 1:
        expected = 1 - (1 - mean) * np.exp([half / (1 - mean), -half / (1 - mean)])
    else:
        expected = mean * np.exp([-half / mean, half / mean])
    assert tuple(found.interval_) == pytest.approx(tuple(expected))


def test_mirrored_scores_have_mirrored_intervals():
    low, high = interval_of_predictions(LABELS, HITS, scoring="accuracy").interval_
    error = interval_of_predictions(LABELS, HITS, loss="zero_one").interval_
    assert (1 - high, 1 - low) == pytest.approx(tuple(error))


def test_the_interval_of_rates_covers_where_the_plain_one_does_not():
    # 200 examples of an error rate of 3%: all counts, with their probabilities.
    counts = np.arange(1, 25)
    chance = stats.binom.pmf(counts, 200, 0.03)
    covered = {"zero_one": 0.0, own: 0.0}
    for count, weight in zip(counts, chance, strict=True):
        wrong = (np.arange(200) * 89 % 200 < count).astype(int)  # in any order
        for loss in covered:
            found = interval_of_predictions(np.zeros(200, int), wrong, loss=loss)
            low, high = found.interval_
            covered[loss] += weight * (low <= 0.03 <= high)
    assert covered[own] < 0.94 < covered["zero_one"] < 0.98


# Values that are all equal ---------------------------------------------------------


def reach_of(n):
    """Return the share of others that n equal values do not rule out."""
    return stats.binomtest(0, n).proportion_ci(0.95, method="exact").high


@pytest.mark.parametrize("n", [4, 20, 1000])
def test_no_error_at_all_has_the_interval_of_clopper_and_pearson(n):
    y = np.arange(n) % 2
    found = interval_of_predictions(y, y).interval_
    assert tuple(found) == pytest.approx((0, reach_of(n)))


def test_equal_values_at_no_bound_may_differ_to_both_sides():
    result = interval_of_predictions(np.arange(10) % 2, np.full(10, 0.5), loss="brier")
    low, high = 0.25 * (1 - reach_of(10)), 0.25 + 0.75 * reach_of(10)
    assert tuple(result.interval_) == pytest.approx((low, high))


def test_equal_values_say_nothing_of_others_without_a_bound():
    y = np.arange(40.0)
    found = interval_of_predictions(y, y, loss="squared_error").interval_
    assert tuple(found) == (0, INF)
    found = interval_of_predictions(y, y, scoring="r2").interval_
    assert tuple(found) == (-INF, 1)


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
    assert tuple(found) == pytest.approx((1 - (1 - lowest) * reach_of(n), 1))
    twice = np.repeat(y, 2)  # in groups of two, of which there are as many
    groups = np.repeat(np.arange(60), 2)
    found = interval_of_predictions(
        twice, twice, scoring=scoring, groups=groups
    ).interval_
    assert tuple(found) == pytest.approx((1 - (1 - lowest) * reach_of(n), 1))


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
    level = 0.9 if isinstance(test, EquivalenceTest) else 0.95
    plain = []
    for number, (pair, fitted) in enumerate(result.tests.items()):
        values = result.losses.residuals(*pair).values.reshape(4, 4)
        other = clone(test).fit(CVResiduals.from_array(values))  # of no range
        plain.append(other.confidence_interval(level))
        expected = tuple(np.clip(plain[-1], -1, 1))
        assert tuple(fitted.confidence_interval(level)) == pytest.approx(expected)
        assert tuple(intervals_of(result)[number]) == pytest.approx(expected)
    assert np.abs(plain).max() > 1.01
    if result.table.simultaneous is not None:
        low, high = result.table.simultaneous
        assert low.min() >= -1
        assert high.max() <= 1


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


def test_a_users_loss_has_no_range_whatever_its_values_are():
    result = compare_estimators(MODELS, X, Y, cv=CV, loss=lambda y, p: 1.0 * (y != p))
    assert result.gate(1.5, reference="tree").decisions.keys() == {"guess", "same"}
    assert result.losses.metric.loss_range == (-INF, INF)
