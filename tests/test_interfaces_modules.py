"""Numbers that pass from one module to another, each against what it must be there.

A fault at one of these interfaces (the error at ρ = 0 for the whole one, a level that
is not divided, runs left out) changes results, and was seen by no other test.
"""

from dataclasses import replace

import numpy as np
import pytest
from numpy.testing import assert_allclose
from scipy import stats
from sklearn.datasets import make_classification, make_regression
from sklearn.dummy import DummyClassifier
from sklearn.linear_model import LogisticRegression, Ridge
from sklearn.model_selection import GroupKFold, TimeSeriesSplit
from sklearn.neighbors import KNeighborsClassifier, KNeighborsRegressor
from sklearn.tree import DecisionTreeClassifier

from sklearn_cvtest import (
    BlockKFold,
    Comparison,
    DieboldMarianoTest,
    KFoldZTest,
    compare_estimators,
    compare_scores,
    cross_val_losses,
)
from sklearn_cvtest._best._winner import noise_rows
from sklearn_cvtest._inference._diebold_mariano import diebold_mariano
from sklearn_cvtest._inference._joint import repeat_rows

X, Y = make_classification(200, 6, flip_y=0.2, random_state=0)
MODELS = {
    "logreg": LogisticRegression(),
    "knn": KNeighborsClassifier(1),
    "tree": DecisionTreeClassifier(max_depth=4, random_state=0),
}
REPEATS = BlockKFold(5, n_repeats=4, random_state=0)


@pytest.fixture(scope="module")
def repeated():
    return compare_estimators(MODELS, X, Y, cv=REPEATS)


def equal_scores(k=6, n=1000, seed=0):
    """Return scores (k, n) whose means are all 0, and their standard deviations 1."""
    values = np.random.default_rng(seed).normal(size=(k, n))
    values -= values.mean(axis=1, keepdims=True)
    return values / values.std(axis=1, ddof=1, keepdims=True)


# The best of many -------------------------------------------------------------


def test_noise_of_a_winner_is_the_total_error_of_its_test(repeated):
    losses, test = repeated.losses, KFoldZTest()
    rows, error, df = noise_rows(test, losses, np.arange(3))
    fitted = [KFoldZTest().fit(losses.losses_of(i)) for i in range(3)]
    assert_allclose(error, [one.total_error_ for one in fitted])
    assert_allclose(np.linalg.norm(rows, axis=1), error)
    assert_allclose(df, min(one.total_df_ for one in fitted))


@pytest.mark.parametrize("alpha", [0.05, 0.2])
def test_a_winner_of_equals_has_the_interval_of_the_largest_of_k(alpha):
    values = equal_scores()
    result = compare_scores({f"m{i}": row for i, row in enumerate(values)})
    found = result.winner_interval(alpha)
    reach = stats.norm.ppf((1 - alpha / 2) ** (1 / len(values))) / np.sqrt(1000)
    assert_allclose(found.mean - found.ci_low, reach, rtol=0.04)


# Runs of a cross-validation -----------------------------------------------------


def alike():
    """Return losses of three, by runs, whose two last have the same averages."""
    rng = np.random.default_rng(0)
    common, runs = rng.normal(size=(200, 1)), 3 * rng.normal(size=(2, 200, 4))
    values = np.zeros((200, 4, 3))
    for k, part in enumerate(runs - runs.mean(axis=2, keepdims=True)):
        values[:, :, k + 1] = common + part - common.mean() - 0.35
    models = dict.fromkeys("abc", DummyClassifier())
    found = cross_val_losses(models, X, Y, cv=REPEATS)
    return replace(found, losses=values[found.row_index, found.row_split // 5])


@pytest.mark.filterwarnings("ignore::UserWarning")
def test_models_that_differ_in_runs_alone_are_two():
    # by their averages they would be one, and p would not be of the larger of two
    losses = alike()
    one_sided = KFoldZTest(alternative="greater")
    alone = one_sided.fit(losses.residuals("a", "b")).pvalue_
    best = Comparison(losses).best_set()
    assert 1.4 * alone < best.pvalues["a"] < 0.5


def test_rows_of_runs_have_the_variance_of_one_run(repeated):
    residuals = repeated.losses.pair_residuals([[0, 1]])
    moments = residuals.example_moments
    n, odds = len(X), 0.3
    unit = moments.scale**2 * n * (n - 1)
    rows = repeat_rows(residuals, odds)
    variance = moments.theta + odds * moments.run_theta
    assert_allclose(np.sum(rows[0] ** 2), unit * variance)
    assert_allclose(np.sum(rows[0, :n] ** 2), unit * moments.theta)


def test_a_plan_shares_the_variance_as_the_test_does(repeated):
    pair = repeated.retest(KFoldZTest())
    plans = pair.plan(0.05).by_pair
    (table,) = pair.tables.values()
    for row, plan in enumerate(plans.values()):
        ends = [[table.first[row], table.second[row]]]
        moments = repeated.losses.pair_residuals(ends).example_moments
        odds = table.rho[row] / (1 - table.rho[row])
        noise = np.minimum(moments.split_noise / 4, 0.75 * moments.theta)
        share = noise / (moments.theta + odds * moments.run_theta)
        floor = plan.detectable_difference * np.sqrt(1 - share)
        assert_allclose(plan.floor, floor.item())


# What a number rests on ---------------------------------------------------------


def test_rho_alpha_of_unequal_groups_is_where_the_test_rejects():
    groups = np.repeat(np.arange(24), np.r_[np.full(12, 3), np.full(12, 13)])
    features, y = make_classification(len(groups), 6, flip_y=0.1, random_state=1)
    losses = cross_val_losses(
        {"logreg": LogisticRegression(), "mean": DummyClassifier()},
        features,
        y,
        groups=groups,
        cv=GroupKFold(6),
    )
    test = KFoldZTest()
    evaluation = test.evaluate(losses.residuals(0, 1))
    at_end = test.pvalues_at(evaluation, np.array([float(evaluation.rho_alpha)]))
    assert 0 < evaluation.rho_alpha < 1
    assert_allclose(at_end, 0.05, rtol=1e-6)


def test_labels_of_a_series_have_the_df_of_their_own_times():
    features, target = make_regression(400, 3, noise=30, random_state=0)
    models = {"ridge": Ridge(), "knn": KNeighborsRegressor(3)}
    result = compare_estimators(
        models,
        features,
        target,
        cv=TimeSeriesSplit(5),
        loss="absolute_error",
        test=DieboldMarianoTest(horizon=1),
    )
    labels = np.where(np.arange(400) % 30 == 0, "few", "other")
    found = result.by(labels)
    residuals = result.losses.residuals(0, 1)
    for row, label in enumerate(found.labels):
        values = residuals.values[labels[residuals.row_index] == label]
        assert found.df[row, 0] == len(values) - 1
        assert_allclose(found.estimate[row, 0], values.mean())


def test_few_times_limit_the_df_of_a_long_series():
    series = np.random.default_rng(0).normal(size=1000)
    inside = np.arange(1000) % 90 == 0
    assert diebold_mariano(series)[1] > 30
    assert diebold_mariano(series, inside=inside)[1] == inside.sum() - 1 == 11
