"""Candidates by the range of a score, and by several metrics."""

import numpy as np
import pytest
from common import intervals_of
from numpy.testing import assert_array_equal
from sklearn.datasets import load_breast_cancer
from sklearn.metrics import accuracy_score, make_scorer
from sklearn.model_selection import GridSearchCV
from sklearn.tree import DecisionTreeClassifier

from sklearn_cvtest import (
    BlockKFold,
    KFoldTTest,
    compare_candidates,
)

X = np.arange(16.0)[:, np.newaxis]


Y = np.arange(16) // 8


CV = BlockKFold(4, random_state=0)


def own_score(estimator, X, y):
    return estimator.score(X, y)


@pytest.mark.parametrize(
    "scoring", ["accuracy", make_scorer(accuracy_score), None, own_score]
)
def test_differences_of_candidates_stay_in_the_range_of_the_scorer(scoring):
    grid = {"criterion": ["gini"], "max_features": [1], "min_samples_split": [2, 40]}
    search = GridSearchCV(DecisionTreeClassifier(), grid, cv=CV, scoring=scoring)
    result = compare_candidates(search.fit(X, Y), test=KFoldTTest(0.9))
    is_known = scoring is not own_score
    assert (np.abs(intervals_of(result)).max() <= 1) == is_known


CANCER = load_breast_cancer(return_X_y=True)


FOLDS = BlockKFold(5, stratify=True, random_state=0)


def test_candidates_are_compared_by_several_metrics():
    search = GridSearchCV(
        DecisionTreeClassifier(random_state=0),
        {"max_depth": [1, 2, 3]},
        scoring=["f1", "accuracy"],
        refit="f1",
        cv=FOLDS,
    ).fit(*CANCER)
    compared = compare_candidates(search, metric=["f1", "accuracy"])
    alone = compare_candidates(search, metric="accuracy")
    assert_array_equal(compared["accuracy"].table.pvalue, alone.table.pvalue)
    assert len(compared.to_frame()) == 4
