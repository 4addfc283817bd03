"""A difference is significant exactly where 0 is outside the interval that is shown.

At every entry point, on data of which nothing or little varies: constant differences of
two to eight values, few positives, several models, groups and weights.
"""

from dataclasses import replace

import numpy as np
import pandas as pd
import pytest
from common import made
from sklearn.base import BaseEstimator, ClassifierMixin, clone
from sklearn.model_selection import PredefinedSplit
from test_every_test import ALL_TESTS, alternatives_of, residuals_for

from sklearn_cvtest import (
    BayesianCorrelatedTTest,
    CrossedTest,
    EquivalenceTest,
    HoldoutTTest,
    KFoldTTest,
    assert_not_worse,
    compare_candidates,
    compare_cv_results,
    compare_estimators,
    compare_over_datasets,
    compare_predictions,
    compare_scores,
    compare_table,
    corrected_ttest,
)

pytestmark = pytest.mark.filterwarnings("ignore::UserWarning")

NUMBERS = range(2, 9)
every_number = pytest.mark.parametrize("n", NUMBERS)


def is_outside(value, low, high):
    return value < low or value > high


def one_line(result):
    return " ".join(str(result).split())


def check_table(table):
    """Check each pair of a table by the interval that is shown beside its p-value."""
    for number in range(len(table)):
        low, high = table.low[number], table.high[number]
        assert bool(table.significant[number]) == is_outside(0.0, low, high)
        p, rho_alpha = table.pvalue[number], table.rho_alpha[number]
        if table.total_error[number] == 0 and not np.isnan(rho_alpha):
            assert (rho_alpha > 0) == (p <= table.test.alpha)


def check_gate(result, margin, reference):
    """Check each decision of a gate by the bounds that it shows."""
    frame = result.gate(margin, reference=reference).to_frame()
    if "ratio" in frame:  # without a margin
        frame["low"], frame["high"] = 1 - frame.ratio_high, 1 - frame.ratio_low
    for row in frame.itertuples():
        shown = {
            "shown": row.low > -margin,
            "refuted": row.high < -margin,
            "inconclusive": row.low <= -margin <= row.high,
        }
        if row.low == row.high == -margin:  # of identical models, without a margin
            shown["inconclusive"] = True
        assert shown[row.decision]


def check_equivalence(result, margin):
    test = EquivalenceTest(clone(result.test), margin=margin)
    retested = result.retest(test)
    table = retested.table
    decisions = retested.test.decide(table)
    for low, high, decision in zip(table.low, table.high, decisions, strict=True):
        assert (decision == "equivalent") == (-margin < low and high < margin)
        is_beyond = low >= margin or high <= -margin
        assert (decision == "not equivalent") == is_beyond
    assert "inf" not in str(retested)


def check_everything(result, margins=(0.0, 0.01, 0.3, 0.7)):
    """Check tables, gates and equivalence, and that no text has an infinite bound."""
    check_table(result.table)
    for text in (str(result), result.report(), result._repr_html_()):
        assert "inf " not in text
        assert "inf)" not in text
    reference = result.losses.names[0]
    against = result.retest(reference=reference)
    for margin in margins:
        check_gate(against, margin, reference)
        assert "inf" not in str(against.gate(margin, reference=reference))
        if margin:
            check_equivalence(against, margin)


def folds(n, difference, metric="accuracy", n_models=2):
    scores = np.linspace(0.6, 0.9, n)
    results = {
        f"model {number}": {f"test_{metric}": scores - number * difference}
        for number in range(n_models)
    }
    sizes = {"n_train": 100 * (n - 1), "n_test": 100, "cv": n}
    return compare_cv_results(
        results, metric=f"test_{metric}", reference="model 0", **sizes
    )


@every_number
@pytest.mark.parametrize("difference", [0.0, 0.01, 0.2])
@pytest.mark.parametrize("metric", ["accuracy", "r2"])
def test_scores_of_folds(n, difference, metric):
    result = folds(n, difference, metric)
    check_everything(result)
    if metric == "r2":  # of no range
        assert result.table.pvalue[0] == 1
    if difference == 0.01:
        assert not result.table.significant[0]


@pytest.mark.parametrize("n", [2, 5, 8])
@pytest.mark.parametrize("n_models", [3, 5, 8])
@pytest.mark.parametrize("p_adjust", ["bonferroni", None])
def test_several_models_against_one(n, n_models, p_adjust):
    result = folds(n, 0.02, n_models=n_models)
    check_everything(result.retest(reference="model 0", p_adjust=p_adjust))


@pytest.mark.parametrize("n_models", [3, 5, 8])
def test_several_models_behind_the_best(n_models):
    rng = np.random.default_rng(0)
    noise = rng.normal(0, 0.01, (n_models, 10))
    scores = 0.9 - 0.1 * np.arange(n_models)[:, np.newaxis] + noise
    result = compare_cv_results(
        {f"model {k}": {"test_accuracy": row} for k, row in enumerate(scores)},
        metric="test_accuracy", n_train=900, n_test=100, cv=10,
    )  # fmt: skip
    best = result.best_set()
    for row in best.to_frame()[1:].itertuples():
        assert row.may_be_best != is_outside(0.0, row.ci_low, row.ci_high)


@every_number
def test_all_wrong_against_all_right(n):
    y = np.zeros(n, dtype=int)
    result = compare_predictions(y, {"right": y, "wrong": 1 - y})
    check_everything(result)
    assert result.table.pvalue[0] == pytest.approx(min(2 * 0.5**n, 1))


@every_number
@pytest.mark.parametrize("shape", ["examples", "runs"])
@pytest.mark.parametrize("pair", [(1.0, 0.0), (0.7, 0.7), (0.9, 0.8), (12.5, 3.0)])
def test_scores_of_examples(n, shape, pair):
    shape = (n,) if shape == "examples" else (3, n)
    first, second = (np.full(shape, value) for value in pair)
    result = compare_scores({"a": first, "b": second})
    check_everything(result)
    # as unequal ones that differ as much
    level = np.broadcast_to(np.linspace(0.1, 0.2, n), shape)
    check_everything(compare_scores({"a": first + level, "b": second + level}))


@every_number
@pytest.mark.parametrize("name", ["accuracy", "distance"])
def test_tables_of_folds(n, name):
    table = pd.DataFrame(
        {"model": ["a"] * n + ["b"] * n, "fold": [*range(n)] * 2}
        | {name: [*np.linspace(0.5, 0.8, n), *(np.linspace(0.5, 0.8, n) - 0.1)]}
    )
    measured = {"loss" if name == "distance" else "score": name}
    options = {"n_train": 100 * (n - 1), "n_test": 100}
    result = compare_table(table, model="model", fold="fold", **measured, **options)
    check_everything(result)
    assert not result.table.significant[0]


@pytest.mark.parametrize("n", [3, 5, 8])
@pytest.mark.parametrize("difference", [0.0, 0.05])
@pytest.mark.parametrize("reference", [None, 0])
def test_candidates(n, difference, reference):
    scores = np.linspace(0.5, 0.7, n) + difference * np.arange(4)[:, np.newaxis]
    found = {f"split{k}_test_score": scores[:, k] for k in range(n)}
    found |= {"params": [{"k": k} for k in range(4)]}
    found |= {"mean_test_score": scores.mean(axis=1)}
    result = compare_candidates(
        found, cv=n, reference=reference, p_adjust="bonferroni", n_train=90, n_test=10
    )
    check_table(result.table)
    assert not result.table.significant.any()
    assert "inf" not in str(result)


def test_a_constant_rival_does_not_hide_one_that_varies():
    rng = np.random.default_rng(0)
    best, bad = rng.uniform(0.7, 0.9, 10), rng.uniform(0.1, 0.2, 10)
    scores = {"best": best, "like best": best - 1e-3, "bad": bad, "worst": bad - 1e-3}
    results = {name: {"test_r2": values} for name, values in scores.items()}
    found = compare_cv_results(
        results, metric="test_r2", n_train=90, n_test=10, cv=10
    ).best_set()
    assert set(found.names) == {"best", "like best"}


@every_number
@pytest.mark.parametrize("name", ["accuracy", "distance"])
@pytest.mark.parametrize("difference", [0.0, 0.01, 0.5])
@pytest.mark.parametrize("n_models", [2, 3, 8])
def test_data_sets(n, name, difference, n_models):
    level = np.linspace(0.5, 1.0, n)
    columns = {f"m{k}": level - difference * k / n_models for k in range(n_models)}
    measured = {"loss" if name == "distance" else "score": name}
    result = compare_over_datasets(
        pd.DataFrame(columns, index=[f"d{k}" for k in range(n)]),
        p_adjust=None,
        **measured,
    )
    frame = result.to_frame()
    for row in frame.itertuples():
        is_found = row.pvalue <= result.alpha
        if not np.isnan(row.ci_low):  # of ranks, whose differences do not vary
            assert is_found == is_outside(0.0, row.ci_low, row.ci_high)
    assert "inf" not in str(result)


@every_number
@pytest.mark.parametrize("difference", [0.0, 0.1])
@pytest.mark.parametrize("alternative", ["two-sided", "less", "greater"])
def test_corrected_ttest(n, difference, alternative):
    a = np.linspace(0.5, 0.8, n)
    result = corrected_ttest(a, a - difference, 90, 10, alternative=alternative)
    assert result.pvalue_ == 1
    assert not is_outside(0.0, *result.confidence_interval())
    assert "inf" not in str(result)


@pytest.mark.parametrize(
    ("Test", "side"), [(T, side) for T in ALL_TESTS for side in alternatives_of(T)]
)
@pytest.mark.parametrize("constant", [-1.0, 0.0, 1.0])
@pytest.mark.parametrize("bound", [1.0, np.inf])
@pytest.mark.parametrize("n_counted", [3, 5, 6, 8, None])
def test_every_test(Test, side, constant, bound, n_counted):
    residuals = residuals_for(Test, np.full(30, constant))
    known = {"value_range": (-bound, bound), "n_counted": n_counted}
    if residuals.row_index is None:
        n_examples = 3 if Test is CrossedTest else 30  # of each run
        known["row_index"] = np.tile(np.arange(n_examples), 30 // n_examples)
    test = made(Test, alternative=side).fit(replace(residuals, **known))
    if Test is EquivalenceTest:
        margin = test.margin
        level = 1 - test.alpha * (2 if side == "two-sided" else 1)
        low, high = test.confidence_interval(level)
        is_inside = {
            "two-sided": -margin < low and high < margin,
            "greater": -margin < low,
            "less": high < margin,
        }[side]
        assert (test.pvalue_ <= test.alpha) == is_inside
        return
    interval = test.confidence_interval(1 - test.alpha)
    assert (test.pvalue_ <= test.alpha) == is_outside(0.0, *interval)
    if bound == np.inf:
        assert test.pvalue_ == 1


class Wrong(ClassifierMixin, BaseEstimator):
    """A classifier that is wrong on a share of rows, the first ones of a column."""

    def __init__(self, column=0):
        self.column = column

    def fit(self, X, y):
        self.classes_ = np.array([0, 1])
        return self

    def predict(self, X):
        return X[:, self.column].astype(int)


@pytest.mark.parametrize("n_positive", [1, 3, 6])
@pytest.mark.parametrize("scoring", [None, "f1", "recall", "balanced_accuracy"])
@pytest.mark.parametrize("with_groups", [False, True])
def test_few_positives(n_positive, scoring, with_groups):
    n = 60
    y = np.zeros(n, dtype=int)
    y[:: n // n_positive][:n_positive] = 1
    hits, misses = y.copy(), np.zeros(n, dtype=int)
    X = np.column_stack([hits, misses])
    groups = np.arange(n) // 4 if with_groups else None
    models = {"hits": Wrong(0), "misses": Wrong(1)}
    cv = PredefinedSplit(np.arange(n) // 4 % 3)
    options = {"scoring": scoring, "groups": groups, "cv": cv}
    result = compare_estimators(models, X, y, **options)
    check_everything(result)
    check_everything(compare_estimators(dict(a=Wrong(0), b=Wrong(0)), X, y, **options))


@pytest.mark.parametrize("p_adjust", [None, "bonferroni"])
@pytest.mark.parametrize("with_groups", [False, True])
def test_labels(p_adjust, with_groups):
    n = 60
    y = np.zeros(n, dtype=int)
    labels = np.arange(n) % 3
    # for each label: the same, all wrong, some wrong
    wrong = np.select([labels == 0, labels == 1], [0, 1], np.arange(n) % 2)
    groups = np.arange(n) // 3 if with_groups else None
    models = {"right": y, "wrong": wrong}
    result = compare_predictions(y, models, groups=groups)
    found = result.by(labels, p_adjust=p_adjust)
    for row in found.to_frame().itertuples():
        ends = row.ci_low, row.ci_high
        if p_adjust:
            ends = row.ci_low_simultaneous, row.ci_high_simultaneous
        assert (row.pvalue_adjusted <= 0.05) == is_outside(0.0, *ends)


@pytest.mark.parametrize("n", [2, 5, 60])
@pytest.mark.parametrize("weighted", [False, True])
def test_the_same_predictions_pass_every_gate(n, weighted):
    rng = np.random.default_rng(0)
    y, predicted = rng.normal(size=(2, n))
    options = {"loss": "absolute_error"}
    if weighted:
        options["sample_weight"] = rng.uniform(1, 2, n)
    result = compare_predictions(y, {"a": predicted, "b": predicted}, **options)
    assert result.table.pvalue[0] == 1
    assert f"on all {n} examples" in one_line(result)
    for margin in (1e-9, 0.1, 1e9):
        assert_not_worse(result, "b", than="a", margin=margin)
        test = EquivalenceTest(HoldoutTTest(), margin=margin)
        assert f"on all {n} examples" in one_line(result.retest(test))
    check_everything(result)


def test_the_same_scores_of_splits_are_not_the_same_predictions():
    result = folds(5, 0.0, "r2")
    assert "in every split" in str(result)
    assert result.gate(10.0, reference="model 0").passed is False
    posterior = result.retest(BayesianCorrelatedTTest(rope=0.1)).to_frame()
    assert posterior["prob_rope"][0] == 0
    assert result.retest(KFoldTTest()).table.ci_low[0] == -np.inf
