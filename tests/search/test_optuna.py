"""Studies of Optuna, and its search."""

import numpy as np
import pytest
from numpy.testing import assert_allclose
from sklearn.datasets import load_breast_cancer
from sklearn.linear_model import RidgeClassifier

from sklearn_cvtest import compare_candidates, compare_cv_results
from sklearn_cvtest.adapters import (
    compare_optuna,
)

X, Y = (part[:200] for part in load_breast_cancer(return_X_y=True))


SCORES = np.random.default_rng(0).normal(0.9, 0.02, (3, 6))


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
    assert_allclose(found.table.pvalue, result.table.pvalue)
    with pytest.raises(TypeError, match=r"use adapters\.compare_optuna\(study, cv="):
        compare_candidates(study, cv=6)


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
