"""Results of other tools give what fits here give."""

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal
from sklearn.datasets import load_breast_cancer
from sklearn.linear_model import RidgeClassifier
from sklearn.model_selection import StratifiedKFold
from sklearn.naive_bayes import GaussianNB
from sklearn.tree import DecisionTreeClassifier

from sklearn_cvtest import compare_candidates, compare_cv_results, compare_estimators
from sklearn_cvtest.adapters import (
    compare_mlr3,
    compare_optuna,
    compare_skore,
    compare_tabarena,
)

X, Y = (part[:200] for part in load_breast_cancer(return_X_y=True))
MODELS = {"bayes": GaussianNB(), "stump": DecisionTreeClassifier(max_depth=1)}
SCORES = np.random.default_rng(0).normal(0.9, 0.02, (3, 6))


@pytest.mark.parametrize("loss", ["auto", "log_loss"])
@pytest.mark.filterwarnings("ignore")
def test_skore_reports(loss):
    skore = pytest.importorskip("skore")
    cv = StratifiedKFold(5, shuffle=True, random_state=0)
    reports = {
        name: skore.CrossValidationReport(model, X, Y, splitter=cv)
        for name, model in MODELS.items()
    }
    found = compare_skore(reports, loss=loss)
    result = compare_estimators(MODELS, X, Y, cv=cv, loss=loss)
    assert_allclose(found.losses.losses, result.losses.losses)
    assert found.losses.split_hash == result.losses.split_hash
    assert_allclose(found.pvalues, result.pvalues)
    assert found.losses.value_range == result.losses.value_range
    with pytest.raises(TypeError, match="CrossValidationReport"):
        compare_skore({"a": GaussianNB(), "b": GaussianNB()})


@pytest.mark.parametrize("label", [0, 1])
@pytest.mark.parametrize(
    ("models", "loss"),
    [
        (MODELS, "log_loss"),
        ({"a": RidgeClassifier(), "b": RidgeClassifier(alpha=100)}, "hinge"),
    ],
)
@pytest.mark.filterwarnings("ignore")
def test_skore_reports_of_a_label_that_is_positive(models, loss, label):
    """skore then gives the column of that label alone."""
    skore = pytest.importorskip("skore")
    cv = StratifiedKFold(3, shuffle=True, random_state=0)
    reports = {
        name: skore.CrossValidationReport(model, X, Y, splitter=cv, pos_label=label)
        for name, model in models.items()
    }
    found = compare_skore(reports, loss=loss)
    expected = compare_estimators(models, X, Y, cv=cv, loss=loss)
    assert_allclose(found.losses.losses, expected.losses.losses, atol=1e-12)


@pytest.mark.filterwarnings("ignore")
def test_skore_reports_of_names_that_are_the_same_text():
    skore = pytest.importorskip("skore")
    report = skore.CrossValidationReport(GaussianNB(), X, Y, splitter=3)
    with pytest.raises(ValueError, match="by texts that differ; got 1 and '1'"):
        compare_skore({1: report, "1": report})


@pytest.mark.filterwarnings("ignore")
def test_optuna_study():
    optuna = pytest.importorskip("optuna")
    optuna.logging.set_verbosity(optuna.logging.ERROR)

    def objective(trial):
        number = trial.suggest_categorical("model", [0, 1, 2])
        for fold, score in enumerate(SCORES[number]):
            trial.report(score, step=fold)
        return SCORES[number].mean()

    study = optuna.create_study(
        direction="maximize",
        sampler=optuna.samplers.GridSampler({"model": [0, 1, 2]}, seed=0),
    )
    study.optimize(objective, n_trials=3)
    found = compare_optuna(study, cv=6, reference=None)
    numbers = [trial.params["model"] for trial in study.trials]
    result = compare_cv_results({str(n): SCORES[n] for n in numbers}, cv=6)
    assert_allclose(found.pvalues, result.pvalues)


@pytest.mark.filterwarnings("ignore")
def test_optuna_search():
    optuna = pytest.importorskip("optuna")
    integration = pytest.importorskip("optuna_integration")
    optuna.logging.set_verbosity(optuna.logging.ERROR)
    alphas = optuna.distributions.FloatDistribution(0.1, 10, log=True)
    search = integration.OptunaSearchCV(
        RidgeClassifier(), {"alpha": alphas}, n_trials=3, cv=5, random_state=0
    ).fit(X, Y)
    found = compare_candidates(search)
    means = [trial.value for trial in search.trials_]
    assert_allclose(found.mean_scores, means)
    assert "alpha=" in str(found)


def mlr3(kind, n_repeats=1):
    n = 6 * n_repeats
    return {
        "task_id": ["sonar"] * 2 * n,
        "learner_id": ["classif.rpart"] * n + ["classif.ranger"] * n,
        "resampling_id": [kind] * 2 * n,
        "iteration": [*range(1, n + 1)] * 2,
        "classif.acc": np.ravel([np.tile(SCORES[k], n_repeats) for k in (0, 1)]),
    }


def test_mlr3_tables():
    expected = compare_cv_results({"a": SCORES[0], "b": SCORES[1]}, cv=6)
    found = compare_mlr3(mlr3("cv"), score="classif.acc")
    assert_array_equal(found.pvalues, expected.pvalues)
    repeated = compare_mlr3(mlr3("repeated_cv", 2), score="classif.acc", n_folds=6)
    assert (repeated.losses.design.n_splits, repeated.losses.design.n_repeats) == (6, 2)
    sizes = {"n_train": 90, "n_test": 10}
    found = compare_mlr3(mlr3("subsampling"), score="classif.acc", **sizes)
    assert found.losses.design.kind == "subsample"
    with pytest.raises(ValueError, match="resampling_id; got \\['bootstrap'\\]"):
        compare_mlr3(mlr3("bootstrap"), score="classif.acc")


def test_tabarena_tables():
    table = {
        "dataset": ["a"] * 12 + ["b"] * 12,
        "fold": [*range(6)] * 4,
        "method": (["GBM"] * 6 + ["RF"] * 6) * 2,
        "metric_error": 1 - np.ravel([SCORES[0], SCORES[1], SCORES[1], SCORES[2]]),
    }
    found = compare_tabarena(table)
    assert list(found) == ["a", "b"]
    design = found["a"].losses.design
    assert (design.n_splits, design.n_repeats) == (3, 2)


@pytest.mark.filterwarnings("ignore")
def test_skore_reports_of_one_name_are_numbered():
    skore = pytest.importorskip("skore")
    cv = StratifiedKFold(3, shuffle=True, random_state=0)
    stumps = [
        DecisionTreeClassifier(max_depth=depth, random_state=0) for depth in (1, 4)
    ]
    models = [stumps[0], GaussianNB(), stumps[1]]
    reports = [
        skore.CrossValidationReport(model, X, Y, splitter=cv) for model in models
    ]
    found = compare_skore(reports)
    name = "DecisionTreeClassifier"
    names = [f"{name} (1)", "GaussianNB", f"{name} (2)"]
    expected = compare_estimators(dict(zip(names, models, strict=True)), X, Y, cv=cv)
    assert found.losses.estimator_names == expected.losses.estimator_names
    assert_allclose(found.losses.losses, expected.losses.losses)
