"""How good the best of many is: `winner_interval` of comparisons and of candidates."""

import numpy as np
import pytest
from numpy.testing import assert_allclose
from searches import compare, results_of
from sklearn.dummy import DummyRegressor
from sklearn.linear_model import LinearRegression, Ridge
from sklearn.model_selection import (
    GroupKFold,
    LeaveOneGroupOut,
    ShuffleSplit,
    TimeSeriesSplit,
)

from sklearn_cvtest import (
    BlockKFold,
    PairedHalves,
    RepeatedSubsample,
    compare_candidates,
    compare_estimators,
    compare_predictions,
)

RHO = 10 / 19  # of 10 folds, that the interval of one mean assumes


def scores(k=20, seed=0, correlation=0.0, n_splits=10):
    """Return scores (k, n_splits) of equal candidates whose means have variance 1."""
    rng = np.random.default_rng(seed)

    def noise(size):
        common, own = rng.normal(size=size), rng.normal(size=(k, size))
        return np.sqrt(correlation) * common + np.sqrt(1 - correlation) * own

    return np.sqrt(RHO) * noise(1) + np.sqrt((1 - RHO) * n_splits) * noise(n_splits)


def coupled(values, n_draws=4000):
    """The corrected score of the best, a draw at a time."""
    n_splits = values.shape[1]
    rng, means = np.random.default_rng(1), values.mean(axis=1)
    deviations = (values - means[:, None]) / np.sqrt(n_splits * (n_splits - 1))
    deviations /= np.sqrt(1 - RHO)
    found = []
    for _ in range(n_draws):
        noise = deviations @ rng.normal(size=n_splits)
        chosen = np.argmax(means + np.sqrt(0.4) * noise)
        found.append(means[chosen] - noise[chosen] / np.sqrt(0.4))
    return np.mean(found), np.std(found) / np.sqrt(n_draws)


def test_correction_is_that_of_the_loop():
    values = scores(seed=3) + np.linspace(0, 3, 20)[:, None]
    found = compare(values).winner_interval()
    expected, error = coupled(values)
    assert_allclose(found.estimate, expected, atol=5 * error)


@pytest.mark.parametrize("seed", range(5))
def test_units_do_not_matter(seed):
    # signs of singular vectors were decided by rounding, and with them the draws
    values = scores(k=5, n_splits=40, seed=seed)
    found, scaled = (compare(part).winner_interval() for part in (values, 7 * values))
    of_scaled = scaled.estimate, scaled.ci_low, scaled.ci_high
    expected = 7 * np.array([found.estimate, found.ci_low, found.ci_high])
    assert_allclose(of_scaled, expected, rtol=1e-10)


def test_a_clear_winner_needs_no_correction():
    values = scores()
    values[7] += 30
    result = compare(values)
    found, alone = result.winner_interval(), result.intervals
    assert found.name == "C=7"
    ends = -alone.mean[7], -alone.high[7], -alone.low[7]
    assert_allclose((found.estimate, found.ci_low, found.ci_high), ends, rtol=2e-3)
    assert (found.mean, found.mean_low, found.mean_high) == pytest.approx(ends)


def test_a_precise_winner_of_noisy_others_has_an_interval():
    noise = np.random.default_rng(0).normal(size=(2, 10))
    found = compare([[0], [-2]] + [[1e-4], [8]] * noise).winner_interval()
    assert found.name == "C=0"
    assert found.ci_low < found.estimate <= found.mean < found.ci_high


@pytest.mark.parametrize("correlation", [0.0, 0.9])
def test_the_best_of_equal_candidates_is_worth_as_much_as_all(correlation):
    found = []
    for seed in range(80):
        values = scores(50, seed, correlation)
        best = compare(values, reference=0).winner_interval()
        # less the error that all have in common, which choosing does not change
        found.append([best.estimate, best.mean] - values.mean())
    estimate, mean = np.mean(found, axis=0)
    assert abs(estimate) < 0.2
    assert mean > 1.8 * np.sqrt(1 - correlation)


def test_interval_reaches_further_on_the_side_of_disappointment():
    found = compare(scores()).winner_interval()
    assert found.ci_low < found.mean_low < found.estimate < found.mean
    assert found.ci_high == found.mean_high


def test_fewer_differences_than_noise_would_make_are_corrected_less():
    values = scores(200)
    means = values.mean(axis=1, keepdims=True)
    nearer = values - means + 0.2 * means  # as if ρ were smaller than is assumed
    found = compare(nearer, reference=0).winner_interval()
    assert nearer.mean() - 0.3 < found.estimate < found.mean


def test_order_of_candidates_does_not_matter():
    values = scores(seed=2)
    one, other = (compare(v).winner_interval() for v in (values, values[::-1]))
    assert int(other.name[2:]) == 19 - int(one.name[2:])
    assert_allclose(one.estimate, other.estimate)
    assert_allclose(one.ci_low, other.ci_low)


def test_losses_and_scores_are_mirrored():
    rng = np.random.default_rng(0)
    y = rng.integers(0, 2, 300)
    guesses = {f"m{k}": np.where(rng.random(300) < 0.3, 1 - y, y) for k in range(6)}
    options = {"splits": np.arange(300) % 5}
    loss = compare_predictions(y, guesses, **options).winner_interval()
    score = compare_predictions(y, guesses, scoring="accuracy", **options)
    score = score.winner_interval()
    assert_allclose(score.mean, 1 - loss.mean)
    assert_allclose([score.ci_low, score.ci_high], [1 - loss.ci_high, 1 - loss.ci_low])
    assert loss.mean < loss.estimate < loss.ci_high


def test_equal_candidates_and_failed_ones():
    values = np.tile(scores(1), (5, 1))
    found = compare(values).winner_interval()
    assert found.estimate == pytest.approx(found.mean)
    values = scores(6)
    values[0, 3] = np.nan
    with pytest.warns(UserWarning, match="left out"):
        found = compare(values).winner_interval()
    assert found.n_compared == 5
    assert np.isfinite([found.ci_low, found.estimate, found.ci_high]).all()


def test_what_is_said_is_what_was_found():
    found = compare(scores()).winner_interval()
    text = str(found)
    assert f"{found.estimate:.1f}".replace("-", "−") in text
    frame = found.to_frame()
    assert frame.estimate[0] == found.estimate
    assert frame.candidate[0] == found.name


@pytest.mark.full
def test_intervals_cover_the_truth_of_the_chosen():
    covered = []
    for seed in range(300):
        found = compare(scores(30, seed), reference=0).winner_interval()
        covered.append(found.ci_low <= 0 <= found.ci_high)
    assert np.mean(covered) > 0.94


def test_the_noise_of_the_choice_is_a_shift_also_where_scores_have_a_range():
    values = 0.92 + 0.01 * scores(50, seed=2)
    results = results_of(values, "accuracy")
    free = compare(values).winner_interval()
    within = compare_candidates(results, cv=10).winner_interval()
    assert within.estimate == pytest.approx(free.estimate)
    assert within.ci_high < free.ci_high < 1
    # the whole reach on the scale of the range would be much farther
    assert free.mean - within.ci_low < 1.5 * (free.mean - free.ci_low)


@pytest.mark.filterwarnings("ignore::UserWarning")
@pytest.mark.parametrize("loss", ["squared_error", "absolute_error"])
@pytest.mark.parametrize(
    "cv",
    [
        None,
        5,
        BlockKFold(10, random_state=0),
        BlockKFold(5, n_repeats=3, random_state=0),
        RepeatedSubsample(10, random_state=0),
        PairedHalves(BlockKFold(5, random_state=0), 3, random_state=0),
        ShuffleSplit(1, test_size=0.3, random_state=0),
        TimeSeriesSplit(4),
        GroupKFold(10),
        LeaveOneGroupOut(),
    ],
    ids=str,
)
def test_numbers_with_heavy_tails(cv, loss):
    rng = np.random.default_rng(0)
    X = rng.standard_normal((120, 5))
    y = X[:, 0] + rng.standard_t(3, 120)
    groups = np.arange(120) // 6 if "Group" in str(cv) else None
    models = {"lin": LinearRegression(), "ridge": Ridge(9.0), "mean": DummyRegressor()}
    result = compare_estimators(models, X, y, cv=cv, loss=loss, groups=groups)
    found = result.winner_interval()
    assert found.ci_low <= found.estimate <= found.ci_high
    assert np.isfinite([found.ci_low, found.ci_high]).all()
