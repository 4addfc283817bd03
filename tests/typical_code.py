"""Code as users write it: `mypy` must find these types, and no error."""

from typing import assert_type

import numpy as np
from sklearn.datasets import load_wine
from sklearn.linear_model import LogisticRegression
from sklearn.naive_bayes import GaussianNB

import sklearn_cvtest as cvtest
from sklearn_cvtest import BlockKFold, Comparison, CVLosses, KFoldTTest
from sklearn_cvtest.results import (
    CandidateComparison,
    ComparisonPlan,
    CrossValInterval,
    DatasetComparison,
    Gate,
    MultiMetricComparison,
    PairTable,
    WinnerInterval,
)


def typical_code() -> None:
    """Call what most users call."""
    X, y = load_wine(return_X_y=True)
    models = {"logistic": LogisticRegression(), "bayes": GaussianNB()}
    cv = BlockKFold(5, n_repeats=2, stratify=True, random_state=0)

    result = cvtest.compare_estimators(models, X, y, cv=cv, n_jobs=2, memory="folder")
    assert_type(result, Comparison)
    cvtest.assert_not_worse(result, "bayes", than="logistic", margin=0.01)
    assert_type(result.losses, CVLosses)
    assert_type(result.names, tuple[str, ...])
    assert_type(result.gate(0.01), Gate)
    assert_type(result.plan(0.01), ComparisonPlan)
    assert_type(result.retest(KFoldTTest(alternative="less")), Comparison)
    assert_type(result.report(), str)
    if result.pvalue_ < 0.05:
        print(result, result.best, result.to_frame().head())
    result.plot(alpha=0.1)
    result.save("comparison.npz")
    assert_type(Comparison.load("comparison.npz"), Comparison)

    several = cvtest.compare_estimators(models, X, y, scoring=["accuracy", "roc_auc"])
    assert_type(several, MultiMetricComparison)
    print(several["accuracy"].pvalue_)

    assert_type(cvtest.cross_val_interval(GaussianNB(), X, y), CrossValInterval)
    assert_type(cvtest.interval_of_predictions(y, y), CrossValInterval)
    losses = cvtest.cross_val_losses(models, X, y, cv=5)
    assert_type(losses, CVLosses)
    by_metric = cvtest.cross_val_losses(models, X, y, scoring={"auc": "roc_auc"})
    assert_type(by_metric, dict[str, CVLosses])
    scores = {name: np.arange(5) / 10 for name in models}
    for found in (
        cvtest.compare_predictions(y, {"a": y, "b": y}, splits=np.arange(178) % 5),
        cvtest.compare_scores(scores, score="accuracy", reference="bayes"),
        cvtest.compare_cv_results(scores, cv=5, metric="accuracy"),
    ):
        assert_type(found, Comparison | MultiMetricComparison)
    metrics = ["accuracy", "f1_macro"]
    for of_metrics in (
        cvtest.compare_predictions(y, {"a": y, "b": y}, scoring=metrics),
        cvtest.compare_cv_results(scores, cv=5, metric=metrics),
        cvtest.compare_candidates({"params": []}, cv=5, metric=metrics),
    ):
        assert isinstance(of_metrics, MultiMetricComparison)
        print(of_metrics["accuracy"])
    table = cvtest.compare_file("scores.csv", score="accuracy")
    assert_type(table, Comparison | dict[str, Comparison])
    search = cvtest.compare_candidates({"params": []}, cv=5)
    assert isinstance(search, CandidateComparison)
    assert_type(search.retest(alpha=0.1), CandidateComparison)
    assert_type(search.winner_interval(), WinnerInterval)
    assert_type(search.table, PairTable)
    cvtest.assert_not_worse(search, "C=1", than="C=10", margin=0.01)
    data = {"a": (X, y), "b": (X, y)}
    assert_type(cvtest.compare_over_datasets(data, models), DatasetComparison)
