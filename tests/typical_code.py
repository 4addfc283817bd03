"""Code as users write it: `mypy` must find these types, and no error."""

from typing import assert_type

import numpy as np
from sklearn.datasets import load_wine
from sklearn.linear_model import LogisticRegression
from sklearn.naive_bayes import GaussianNB

import sklearn_cvtest as cvtest
from sklearn_cvtest import BlockKFold, Comparison, KFoldTTest
from sklearn_cvtest.results import CrossValInterval, Gate, Plan, WinnerInterval


def typical_code() -> None:
    """Call what most users call."""
    X, y = load_wine(return_X_y=True)
    models = {"logistic": LogisticRegression(), "bayes": GaussianNB()}
    cv = BlockKFold(5, n_repeats=2, stratify=True, random_state=0)

    result = cvtest.compare_estimators(models, X, y, cv=cv, n_jobs=2, memory="folder")
    cvtest.assert_not_worse(result, "bayes", than="logistic", margin=0.01)
    print(result, result.best, result.losses.names, result.report())
    result.save("comparison.json")
    loaded = cvtest.load("comparison.json")
    assert_type(loaded, Comparison)
    assert_type(loaded.gate(0.01), Gate)
    assert_type(loaded.plan(0.01), Plan)
    assert_type(loaded.winner_interval(), WinnerInterval)
    assert_type(loaded.retest(KFoldTTest(alternative="less")), Comparison)
    loaded.plot()
    print(loaded.to_frame().head())

    several = cvtest.compare_estimators(models, X, y, scoring=["accuracy", "roc_auc"])
    print(several["accuracy"].pvalue_)
    assert_type(cvtest.cross_val_interval(GaussianNB(), X, y), CrossValInterval)
    assert_type(cvtest.interval_of_predictions(y, y), CrossValInterval)
    losses = cvtest.cross_val_losses(models, X, y, cv=5)
    print(losses.residuals("logistic", "bayes").block_means)
    scores = {name: np.arange(5) / 10 for name in models}
    cvtest.compare_predictions(y, {"a": y, "b": y}, splits=np.arange(178) % 5)
    cvtest.compare_scores(scores, score="accuracy", reference="bayes")
    cvtest.compare_cv_results(scores, cv=5, metric="accuracy")
    cvtest.compare_file("scores.csv", score="accuracy")
    search = cvtest.compare_candidates({"params": []}, cv=5)
    cvtest.assert_not_worse(search, "C=1", than="C=10", margin=0.01)
    cvtest.compare_over_datasets({"a": (X, y), "b": (X, y)}, models)
