"""Results of other tools give what fits here give."""

import numpy as np
import pytest
from numpy.testing import assert_allclose
from sklearn.datasets import load_breast_cancer
from sklearn.linear_model import RidgeClassifier
from sklearn.model_selection import StratifiedKFold
from sklearn.naive_bayes import GaussianNB
from sklearn.tree import DecisionTreeClassifier

from sklearn_cvtest import compare_estimators
from sklearn_cvtest.adapters import (
    compare_skore,
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
    assert_allclose(found.losses.values, result.losses.values)
    assert found.losses.split_hash == result.losses.split_hash
    assert_allclose(found.table.pvalue, result.table.pvalue)
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
    assert_allclose(found.losses.values, expected.losses.values, atol=1e-12)


@pytest.mark.filterwarnings("ignore")
def test_skore_reports_are_named_by_text():
    skore = pytest.importorskip("skore")
    report = skore.CrossValidationReport(GaussianNB(), X, Y, splitter=3)
    with pytest.raises(TypeError, match="named by strings"):
        compare_skore({1: report, "1": report})


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
    names = [f"{name}-1", "GaussianNB", f"{name}-2"]
    expected = compare_estimators(dict(zip(names, models, strict=True)), X, Y, cv=cv)
    assert found.losses.names == expected.losses.names
    assert_allclose(found.losses.values, expected.losses.values)
