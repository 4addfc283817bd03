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
    return replace(found, values=values[found.row_index, found.row_split // 5])


@pytest.mark.filterwarnings("ignore::UserWarning")
def test_models_that_differ_in_runs_alone_are_two():
    # by their averages they would be one, and p would not be of the larger of two
    losses = alike()
    one_sided = KFoldZTest(alternative="greater")
    alone = one_sided.fit(losses.residuals("a", "b")).pvalue_
    best = Comparison(losses).best_set()
    assert 1.4 * alone < best.pvalues["a"] < 0.5


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
    residuals = losses.residuals(0, 1)
    rho_alpha = KFoldZTest().fit(residuals).rho_alpha_
    assert 0 < rho_alpha < 1
    assert_allclose(KFoldZTest(rho_alpha).fit(residuals).pvalue_, 0.05, rtol=1e-6)


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
    for row in found.to_frame().itertuples():
        label = row.label
        values = residuals.values[labels[residuals.row_index] == label]
        assert row.df == len(values) - 1
        assert_allclose(row.estimate, values.mean())
