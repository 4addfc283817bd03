"""Numbers that pass from one module to another, each against what it must be there.

A fault at one of these interfaces (the error at ρ = 0 for the whole one, a level that
is not divided, runs left out) changes results, and was seen by no other test.
"""

from dataclasses import replace
from types import SimpleNamespace

import numpy as np
import pytest
from numpy.testing import assert_allclose
from scipy import stats
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.datasets import make_classification, make_regression
from sklearn.dummy import DummyClassifier
from sklearn.linear_model import LogisticRegression, Ridge
from sklearn.model_selection import GroupKFold, PredefinedSplit, TimeSeriesSplit
from sklearn.neighbors import KNeighborsClassifier, KNeighborsRegressor
from sklearn.tree import DecisionTreeClassifier
from sklearn_cvtest._pairs._stability_monitor import are_stable
from sklearn_cvtest._search._race import Race

from sklearn_cvtest import (
    BlockKFold,
    Comparison,
    CorrectedResampledTTest,
    DieboldMarianoTest,
    KFoldZTest,
    RacingSearchCV,
    compare_estimators,
    compare_scores,
    cross_val_interval,
    cross_val_losses,
)
from sklearn_cvtest._best._best_set import Best
from sklearn_cvtest._best._winner import noise_rows
from sklearn_cvtest._inference._diebold_mariano import diebold_mariano
from sklearn_cvtest._inference._joint import Contrasts, repeat_rows
from sklearn_cvtest._inference._multiplicity import Law, single_step
from sklearn_cvtest._inference._split_stability import same_decision
from sklearn_cvtest._pairs._intervals import _examples_at

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


def test_the_winner_of_a_race_has_its_own_name():
    depths, cv = [1, 8, 2, 4], BlockKFold(10, random_state=0)
    tree = DecisionTreeClassifier(random_state=0)
    search = RacingSearchCV(tree, {"max_depth": depths}, cv=cv)
    search.fit(*make_classification(300, 8, n_informative=3, random_state=4))
    won = search.winner_interval_
    assert won.name == search.best_index_
    assert search.n_splits_run_[0] < 10  # one before it left
    assert won.shown_name == f"max_depth={depths[won.name]}"


# Another seed -----------------------------------------------------------------


def test_pairs_are_stable_at_the_level_that_the_adjustment_leaves_them(repeated):
    losses, test = repeated.losses, KFoldZTest(alpha=0.06)
    alone = KFoldZTest(alpha=0.02)
    pairs = np.array([[0, 1], [0, 2], [1, 2]])
    answers = []
    for needed in np.linspace(0.5, 0.999, 40):
        rule = {"stability": needed}
        found = are_stable(
            losses, test, pairs, 20, alpha=0.06, p_adjust="bonferroni", **rule
        )
        expected = are_stable(
            losses, alone, pairs, 20, alpha=0.02, p_adjust=None, **rule
        )
        assert found.tolist() == expected.tolist()
        answers.append(found.tolist())
    assert len(set(map(tuple, answers))) > 1


def test_stability_of_a_set_is_at_the_level_that_decides(repeated):
    losses, test = repeated.losses, KFoldZTest(alternative="greater")
    best = Best(KFoldZTest(), losses, 0.05)
    for place in (1, 2):
        residuals = losses.pair_residuals([best.nearest[place]])
        level = best.levels[place]
        assert level < 0.05
        now = test.evaluate(residuals)
        expected = same_decision(test, residuals, now, 1 - level, 2)
        assert_allclose(best.stability_of([place]), expected)


def test_p_values_of_a_race_count_its_looks():
    rng = np.random.default_rng(0)
    scores = rng.normal(size=(3, 10)) + np.array([[0.0], [0.5], [1.0]])
    sizes = np.tile([80, 20], (10, 1))
    race = Race(3, sizes, [5, 10], 0.05, None)
    for split in range(5):
        race.add(scores[race.left, split])
    losses = race._losses(np.arange(3), 5)
    best = Best(CorrectedResampledTTest(), losses, 0.025, keeps_one=True)
    expected = np.minimum(2 * best.pvalues, 1)
    assert_allclose(race.pvalues[best.order], expected)
    assert (expected < 1).any()


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
    # by their averages they would be one, and no p-value would be adjusted
    losses = alike()
    frame = Comparison(losses, reference="a", p_adjust="max-t").to_frame()
    assert (frame["pvalue_adjusted"] > 1.4 * frame["pvalue"]).all()
    one_sided = KFoldZTest(alternative="greater")
    alone = one_sided.fit(losses.residuals("a", "b")).pvalue_
    best = Comparison(losses).best_set()
    assert 1.4 * alone < best.pvalues["a"] < 0.5


def test_the_joint_law_has_the_correlation_of_single_runs():
    # averages are independent, runs are the same: where nearly all of the variance is
    # of runs, two equal statistics are one
    averages = np.array([[0.0, 0, 0], [1, 0, 0], [0, 1, 0]])
    runs = np.array([[0.0, 0], [1, 0], [1, 0]])
    contrasts = Contrasts(
        np.hstack([1e-5 * averages, runs]), np.array([[0, 1], [0, 2]])
    )
    pvalues = np.full(2, 2 * stats.norm.sf(2.2))
    adjusted, _ = single_step(pvalues, contrasts, Law(np.inf), "two-sided")
    assert_allclose(adjusted, pvalues, rtol=0.02)


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


@pytest.mark.parametrize(("estimate", "expected"), [(0.0, 3), (0.5, 7), (1.0, 11)])
def test_an_estimate_rests_on_other_examples_between_the_ends(estimate, expected):
    losses = SimpleNamespace(
        rests_on=(3, 7, 11), value_range=(0.0, 1.0), per_example=True
    )
    assert _examples_at(losses, estimate, np.full(4, estimate)) == expected


class Given(ClassifierMixin, BaseEstimator):
    """Predicts the column that it is given."""

    def fit(self, X, y):
        self.classes_ = np.array([0, 1])
        return self

    def predict(self, X):
        return X[:, 0]


@pytest.mark.filterwarnings("ignore::UserWarning")
def test_f1_between_its_ends_rests_on_half_of_the_positives():
    # five folds alike, in each a hit and a false alarm: F1 is 2/3 in all of them
    y, predicted = np.zeros(100, int), np.zeros(100, int)
    y[::20] = predicted[::20] = predicted[1::20] = 1
    cv = PredefinedSplit(np.arange(100) // 20)
    found = cross_val_interval(Given(), predicted[:, None], y, cv=cv, scoring="f1")
    row = found.to_frame().iloc[0]
    share = 1 - 0.025 ** (1 / 2.5)  # as Clopper and Pearson, of 2.5 examples
    assert_allclose(row["ci_low"], 2 / 3 * (1 - share))
    assert_allclose(row["ci_high"], 2 / 3 + share / 3)


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
    assert evaluation.state.variance_inflation > 1.02
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
