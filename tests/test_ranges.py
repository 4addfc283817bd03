"""Intervals that stay among the values a metric can have."""

import math

import numpy as np
import pytest
from scipy import stats

from sklearn_cvtest._inference._ranges import (
    MAX_STRETCH,
    interval_in_range,
    student_interval_in_range,
    zero_variance_interval,
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


def test_student_interval_is_that_of_the_scale():
    low, high = student_interval_in_range(0.9, 0.02, 9, 0.9, UNIT)
    half = stats.t.ppf(0.95, 9) * 0.02 / 0.09
    expected = 1 / (1 + np.exp(-(np.log(9) + np.array([-half, half]))))
    assert (low, high) == pytest.approx(tuple(expected))


def test_student_interval_of_rates_covers_where_the_plain_one_does_not():
    # 200 examples of an error rate of 3%: all counts, with their probabilities.
    counts = np.arange(1, 40)
    chance = stats.binom.pmf(counts, 200, 0.03)
    covered = {bounds: 0.0 for bounds in (UNIT, NONE)}
    for count, weight in zip(counts, chance, strict=True):
        rate = count / 200
        error = np.sqrt(rate * (1 - rate) / 200)
        for bounds in covered:
            low, high = student_interval_in_range(rate, error, INF, 0.95, bounds)
            covered[bounds] += weight * (low <= 0.03 <= high)
    assert covered[NONE] < 0.94 < covered[UNIT] < 0.98


@pytest.mark.parametrize("n_examples", [1, 20, 10**6])
def test_no_error_at_all_has_the_interval_of_clopper_and_pearson(n_examples):
    expected = stats.binomtest(0, n_examples).proportion_ci(0.95, method="exact")
    assert zero_variance_interval(0, n_examples, 0.95, UNIT) == pytest.approx(expected)
    low, high = zero_variance_interval(1, n_examples, 0.95, (-1, 1))
    assert (low, high) == (pytest.approx(1 - 2 * expected.high), 1)


@pytest.mark.parametrize(("estimate", "bounds"), [(0.5, UNIT), (1, BELOW_ONE)])
def test_equal_values_at_no_bound_say_nothing_else(estimate, bounds):
    found = zero_variance_interval(estimate, 10, 0.95, bounds)
    assert found == (estimate, estimate)
