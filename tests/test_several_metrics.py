"""Scores with values per example, several of one fit, and weights of examples."""

import joblib
import numpy as np
import pandas as pd
import pytest
from common import n_stored
from numpy.testing import assert_allclose, assert_array_equal
from scipy import sparse
from sklearn.datasets import load_breast_cancer, load_diabetes
from sklearn.exceptions import FitFailedWarning
from sklearn.linear_model import Ridge
from sklearn.metrics import (
    make_scorer,
    median_absolute_error,
)
from sklearn.model_selection import cross_validate
from sklearn.naive_bayes import GaussianNB
from sklearn.neighbors import KNeighborsClassifier
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.tree import DecisionTreeClassifier

from sklearn_cvtest import (
    BayesianCorrelatedTTest,
    BlockKFold,
    KFoldTTest,
    KFoldZTest,
    compare_cv_results,
    compare_estimators,
    compare_predictions,
    cross_val_losses,
)
from sklearn_cvtest.exceptions import (
    FewExamplesWarning,
)

CANCER = load_breast_cancer(return_X_y=True)
DIABETES = load_diabetes(return_X_y=True)
FOLDS = BlockKFold(5, stratify=True, random_state=0)
THREE = BlockKFold(3, random_state=0)
TWO = {"bayes": GaussianNB(), "stump": DecisionTreeClassifier(max_depth=1)}
SCORERS = ["roc_auc", "f1", "neg_log_loss"]


@pytest.fixture(scope="module")
def several():
    return cross_val_losses(TWO, *CANCER, cv=FOLDS, scoring=SCORERS)


@pytest.mark.parametrize("metric", SCORERS)
def test_several_metrics_are_those_of_cross_validate(metric, several):
    for column, model in enumerate(TWO.values()):
        scores = cross_validate(model, *CANCER, cv=FOLDS, scoring=SCORERS)
        blocks = several[metric].block_losses[:, column]
        assert_allclose(blocks, -scores[f"test_{metric}"], rtol=1e-6)  # 1 - p there


def test_one_of_several_metrics_is_that_metric_alone(several):
    alone = cross_val_losses(TWO, *CANCER, cv=FOLDS, scoring="roc_auc")
    assert_array_equal(several["roc_auc"].values, alone.values)
    assert several["roc_auc"].metric.loss_range == (-1, 0)


def test_one_fit_serves_all_metrics(several, tmp_path):
    options = {"cv": FOLDS, "scoring": {"a": "f1", "b": "roc_auc"}, "memory": tmp_path}
    first = cross_val_losses(TWO, *CANCER, **options)
    with joblib.parallel_config("threading"):
        again = cross_val_losses(TWO, *CANCER, **options, n_jobs=2)
    assert n_stored(tmp_path) == 10
    assert_array_equal(again["b"].values, first["b"].values)
    assert_array_equal(again["b"].values, several["roc_auc"].values)


@pytest.mark.parametrize("test", [KFoldZTest()])
def test_tests_of_examples_take_metrics(test):
    result = compare_estimators(TWO, *CANCER, cv=FOLDS, scoring="roc_auc", test=test)
    assert 0 < result.pvalue_ < 0.05
    assert result.best == "bayes"
    assert result.best_set().names == ("bayes",)


def test_comparisons_by_metric_are_those_of_each(tmp_path):
    scoring = {"auc": "roc_auc", "median": _accuracy_of_model}
    results = compare_estimators(TWO, *CANCER, cv=FOLDS, scoring=scoring)
    assert list(results) == ["auc", "median"]
    alone = compare_estimators(TWO, *CANCER, cv=FOLDS, scoring="roc_auc")
    assert results["auc"].pvalue_ == alone.pvalue_
    assert not results["median"].losses.per_example
    assert results.to_frame().iloc[:, 0].tolist() == ["auc", "median"]
    assert results.to_frame().columns[:2].tolist() == ["metric", "first"]
    assert "median" in str(results)
    assert "AUC" in results._repr_html_()
    again = results.retest(KFoldTTest(0.5))["auc"]
    assert again.pvalue_ == alone.retest(KFoldTTest(0.5)).pvalue_
    with pytest.raises(ValueError, match="one of 'auc', 'median'; got 'f1'"):
        results["f1"]


def _accuracy_of_model(estimator, X, y):
    return estimator.score(X, y)


@pytest.mark.parametrize("scoring", [[], {}, ["f1", "f1"]])
def test_bad_lists_of_scorers_are_refused(scoring):
    with pytest.raises(ValueError, match="`scoring` must be"):
        cross_val_losses(TWO, *CANCER, cv=FOLDS, scoring=scoring)


def test_few_examples_of_a_class_are_warned_of_where_it_matters():
    X, y = CANCER[0], np.arange(569) % 25 == 0
    options = {"cv": FOLDS, "scoring": "roc_auc"}
    with pytest.warns(FewExamplesWarning, match="too small for ROC AUC"):
        losses = cross_val_losses(TWO, X, y, **options)
    assert not losses.per_example
    assert losses.metric.loss_range == (-1, 0)
    with pytest.warns(FewExamplesWarning, match="too small for ROC AUC"):
        compare_estimators(TWO, X, y, **options, test=KFoldTTest())


# A callable that returns a dict ------------------------------------------------


def test_a_callable_that_returns_a_dict_is_refused():
    def both(estimator, X, y):
        return {"left": 0.5, "right": 0.7}

    match = "real number, not 'dict'"
    with pytest.raises(ValueError, match=match):
        cross_val_losses(TWO, *CANCER, cv=FOLDS, scoring=both)


# Weights ----------------------------------------------------------------------


@pytest.mark.parametrize("options", [{}, {"scoring": "f1"}])
def test_weights_of_one_change_nothing(options):
    plain = cross_val_losses(TWO, *CANCER, cv=FOLDS, **options)
    weights = {"sample_weight": np.ones(len(CANCER[1]))}
    ones = cross_val_losses(TWO, *CANCER, cv=FOLDS, score_params=weights, **options)
    assert_array_equal(ones.values, plain.values)


@pytest.mark.parametrize("per_example", [True, False])
def test_weighted_block_means_are_those_of_repeated_rows(per_example):
    weights = np.random.default_rng(0).integers(1, 4, len(DIABETES[1]))
    losses = cross_val_losses(
        Ridge(),
        *DIABETES,
        cv=FOLDS_OF_RIDGE,
        score_params={"sample_weight": weights},
        per_example=per_example,
    )
    plain = cross_val_losses(Ridge(), *DIABETES, cv=FOLDS_OF_RIDGE)
    times = weights[plain.row_index]
    repeated = np.repeat(plain.values[:, 0], times)
    splits = np.repeat(plain.row_split, times)
    means = np.bincount(splits, repeated) / np.bincount(splits)
    assert_allclose(losses.block_losses[:, 0], means, rtol=1e-12)


FOLDS_OF_RIDGE = BlockKFold(4, random_state=0)


def test_weights_reach_a_scorer_without_values_per_example():
    weights = np.random.default_rng(0).uniform(1, 2, len(DIABETES[1]))
    losses = cross_val_losses(
        Ridge(),
        *DIABETES,
        cv=[(np.arange(300), np.arange(300, 442))],
        scoring=make_scorer(median_absolute_error, greater_is_better=False),
        score_params={"sample_weight": weights},
    )
    predicted = (
        Ridge().fit(DIABETES[0][:300], DIABETES[1][:300]).predict(DIABETES[0][300:])
    )
    expected = median_absolute_error(
        DIABETES[1][300:], predicted, sample_weight=weights[300:]
    )
    assert_allclose(losses.values[0, 0], expected, rtol=1e-12)


@pytest.mark.parametrize(
    ("score_params", "match"),
    [
        ({"sample_weight": np.ones(3)}, "must be 569 weights"),
        ({"sample_weight": -np.ones(569)}, "not negative"),
        ({"sample_weight": np.zeros(569)}, "not all 0"),
        ({"other": 1}, "`sample_weight` alone"),
    ],
)
def test_bad_score_params_are_refused(score_params, match):
    with pytest.raises(ValueError, match=match):
        cross_val_losses(TWO, *CANCER, cv=FOLDS, score_params=score_params)


# Results of others ------------------------------------------------------------


def test_cv_results_of_several_metrics_are_compared_by_each():
    results = {
        name: cross_validate(
            model, *CANCER, cv=FOLDS, scoring=SCORERS, return_indices=True
        )
        for name, model in TWO.items()
    }
    compared = compare_cv_results(results, metric=["test_roc_auc", "f1"])
    assert list(compared) == ["roc_auc", "f1"]
    alone = compare_cv_results(results, metric="f1")
    assert compared["f1"].pvalue_ == alone.pvalue_


# What is easily got wrong -----------------------------------------------------


def test_why_one_of_two_failed_is_in_the_error():
    models = {"good": Ridge(), "bad": Ridge(alpha=-1)}
    with (
        pytest.warns(FitFailedWarning, match="'bad' 4"),
        pytest.raises(ValueError, match=r"at least two to compare.*'bad'.*'alpha'"),
    ):
        compare_estimators(models, *DIABETES, cv=FOLDS_OF_RIDGE)


# Scorers that write to what they are given ------------------------------------


def clipped(estimator, X, y):
    predicted = estimator.predict(X)
    predicted[predicted < 150] = 0
    return -np.mean((y - predicted) ** 2)


def with_noise(estimator, X, y):
    before = estimator.predict(X)
    X[:] = X[::-1]
    y[:] = 0
    return -np.mean((before - estimator.predict(X)) ** 2)


def shifted(y_true, y_pred):
    y_true += 1
    y_pred *= 2
    return np.mean(np.abs(y_true - y_pred))


WRITERS = {
    "clipped": clipped,
    "noise": with_noise,
    "shifted": make_scorer(shifted),
    "mse": "neg_mean_squared_error",
    "median": "neg_median_absolute_error",
    "plain": make_scorer(lambda y_true, y_pred: np.mean(y_true - y_pred)),
}


@pytest.mark.parametrize("names", [list(WRITERS), list(WRITERS)[::-1]])
def test_a_scorer_that_writes_changes_no_other(names):
    options = {"cv": THREE}
    scoring = {name: WRITERS[name] for name in names}
    found = cross_val_losses(Ridge(), *DIABETES, scoring=scoring, **options)
    for name in names:
        alone = cross_validate(Ridge(), *DIABETES, scoring=WRITERS[name], **options)
        assert_allclose(found[name].block_losses[:, 0], -alone["test_score"])


def zeroed(estimator, X, y):
    """Write to all that is given and predicted, whatever holds it."""
    predicted = [estimator.predict(X), estimator.predict_proba(X)]
    for values in (*predicted, X, y):
        for part in values if isinstance(values, list) else [values]:
            if sparse.issparse(part):
                part.data[:] = 0
            elif isinstance(part, pd.DataFrame):
                part.iloc[:, :] = 0
            else:
                part[:] = 0
    return 0.0


def right(estimator, X, y):
    probabilities = estimator.predict_proba(X)
    if not isinstance(probabilities, list):
        probabilities = [probabilities]
    likely = np.mean([part[:, 0].mean() for part in probabilities])
    return likely + np.mean(np.asarray(estimator.predict(X)) == np.asarray(y))


@pytest.mark.parametrize("kind", ["array", "sparse", "frame", "outputs", "frame out"])
def test_scorers_share_no_memory_in_any_container(kind):
    class InFrame(KNeighborsClassifier):
        def predict(self, X):
            return pd.DataFrame({"label": super().predict(X)})["label"]

    X, y = CANCER[0][::5], CANCER[1][::5]
    X = {"sparse": sparse.csr_matrix, "frame": pd.DataFrame}.get(kind, np.asarray)(X)
    y = np.column_stack([y, 1 - y]) if kind == "outputs" else y
    model = InFrame() if kind == "frame out" else KNeighborsClassifier()
    scoring = {"a": zeroed, "b": right, "c": make_scorer(emptied), "d": right}
    cv = BlockKFold(2, random_state=0)
    found = cross_val_losses(model, X, y, scoring=scoring, cv=cv)
    alone = cross_validate(model, X, y, scoring=right, cv=cv)["test_score"]
    for name in "bd":
        assert_allclose(found[name].block_losses[:, 0], -alone)


def emptied(y_true, y_pred):
    y_true[:] = 0
    y_pred[:] = 0
    return 0.0


def test_scorers_of_an_estimator_that_overwrites_its_data_get_what_each_gets_alone():
    model = make_pipeline(StandardScaler(copy=False), GaussianNB())
    X, y = CANCER
    found = cross_val_losses(model, X, y, cv=FOLDS, scoring=["accuracy", "roc_auc"])
    for name, losses in found.items():
        alone = cross_val_losses(model, X, y, cv=FOLDS, scoring=name)
        assert_array_equal(losses.values, alone.values)


def test_given_predictions_are_scored_on_data_of_their_own():
    def score(estimator, X, y):
        value = -np.mean((y - estimator.predict(X)) ** 2)
        X[:], y[:] = 0, 0
        return value

    y = DIABETES[1]
    given = {"a": y + 1, "b": y + np.arange(len(y)) / 100}
    splits = list(BlockKFold(5, random_state=0).split(y))
    found = compare_predictions(y, given, splits=splits, scoring=score)
    expected = [np.mean((np.arange(len(y)) / 100)[test] ** 2) for _, test in splits]
    assert_allclose(found.losses.block_losses.T, [np.ones(5), expected])


def test_each_metric_has_its_test_in_print():
    """Metrics with and without values per example have different tests."""
    scoring = {
        "a": "accuracy",
        "b": make_scorer(median_absolute_error, greater_is_better=False),
    }
    result = compare_estimators(TWO, *CANCER, scoring=scoring)
    names = {type(part.table.test).__name__ for part in result.values()}
    assert len(names) == 2
    assert all(name in str(result) for name in names)


def test_a_posterior_has_no_p_to_print():
    rng = np.random.default_rng(0)
    scores = {
        name: {f"test_{metric}": rng.normal(0.8, 0.05, 10) for metric in ("r2", "auc")}
        for name in "ab"
    }
    options = {"cv": 10, "metric": ["r2", "auc"]}
    test = BayesianCorrelatedTTest(0.01)
    text = " ".join(str(compare_cv_results(scores, test=test, **options)).split())
    assert "smallest p" not in text
    assert "p-values" not in text
    assert "Probabilities are not adjusted for the 2 metrics" in text
    assert "smallest p" in str(compare_cv_results(scores, **options))
