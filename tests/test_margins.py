"""A margin is read in one place: a percentage by ratio, else a number."""

import numpy as np
import pandas as pd
import pytest
from common import main
from sklearn.datasets import load_breast_cancer, load_diabetes
from sklearn.linear_model import Lasso, LogisticRegression, Ridge
from sklearn.tree import DecisionTreeClassifier

from sklearn_cvtest import (
    EquivalenceTest,
    KFoldZTest,
    assert_not_worse,
    compare_estimators,
)

X, Y = load_diabetes(return_X_y=True)
REGRESSORS = {"old": Ridge(0.1), "new": Lasso(0.01)}
BY_RATIO = {
    "squared error": {"loss": "squared_error"},
    "RMSE": {"scoring": "neg_root_mean_squared_error"},
    "MAE": {"loss": "absolute_error"},
}


@pytest.fixture(scope="module")
def results():
    classes = load_breast_cancer(return_X_y=True)
    models = {"old": LogisticRegression(C=0.01, solver="liblinear")}
    models["new"] = DecisionTreeClassifier(random_state=0)
    by_metric = {"error rate": compare_estimators(models, *classes, cv=5)}
    for name, options in BY_RATIO.items():
        by_metric[name] = compare_estimators(REGRESSORS, X, Y, cv=5, **options)
    return by_metric


def equivalence(result, margin):
    test = EquivalenceTest(KFoldZTest(), margin=margin)
    if not result.losses.per_example:
        test = EquivalenceTest(result.table.test, margin=margin)
    return str(result.retest(test))


PLACES = {
    "gate": lambda result, margin: str(result.gate(margin, "old")),
    "assert_not_worse": lambda result, margin: assert_not_worse(
        result, "new", than="old", margin=margin
    ),
    "EquivalenceTest": equivalence,
    "plan": lambda result, margin: str(result.plan(margin)),
}


@pytest.mark.parametrize("metric", ["squared error", "RMSE", "MAE", "error rate"])
@pytest.mark.parametrize("place", PLACES)
def test_percentage_or_number(results, metric, place):
    ask = PLACES[place]
    result = results[metric]
    number = 0.2 if metric == "error rate" else 30.0
    if metric == "error rate":
        with pytest.raises(ValueError, match=r"=0\.01: one percentage point"):
            ask(result, "50%")
        ask(result, number)
        return
    ask(result, "50%")
    if metric == "MAE":
        ask(result, number)
        return
    with pytest.raises(ValueError, match="Write '5%'"):
        ask(result, number)


@pytest.mark.parametrize("metric", ["squared error", "RMSE", "MAE"])
def test_a_percentage_of_equivalence_is_a_gate_in_both_directions(results, metric):
    result = results[metric]
    pvalues = []
    for reference in ("old", "new"):
        pvalues.append(result.gate("5%", reference).to_frame().pvalue_not_worse[0])
    test = EquivalenceTest(result.table.test, margin="5%")
    retested = result.retest(test)
    assert retested.pvalue_ == pytest.approx(max(pvalues))
    assert retested.tests["old", "new"].pvalue_ == pytest.approx(max(pvalues))
    word = "MAE" if metric == "MAE" else "RMSE"
    assert "within 5% in" in " ".join(str(retested).split())
    assert word == "MAE" or word in str(retested)


def test_a_number_is_in_the_unit_of_the_loss(results):
    result = results["MAE"]
    low = result.to_frame().ci_low[0]
    margin = result.gate(1.0, "old").to_frame()
    assert margin.low[0] > low  # one-sided
    assert "by more than 1 in absolute error" in str(result.gate(1.0, "old"))


@pytest.mark.parametrize("margin", ["five %", "-1%", "", "5"])
@pytest.mark.parametrize("place", PLACES)
def test_texts_that_are_no_percentage_are_refused(results, place, margin):
    with pytest.raises(ValueError, match="percentage such as '5%'"):
        PLACES[place](results["MAE"], margin)


@pytest.mark.parametrize("percent", ["5%", "0.5 %"])
def test_the_same_models_pass_any_percentage(percent):
    models = {"old": Ridge(), "new": Ridge()}
    result = compare_estimators(models, X, Y, cv=5)
    gate = result.gate(percent, "old")
    assert gate.passed
    assert "have the same RMSE on all 442 examples" in " ".join(str(gate).split())
    assert result.retest(EquivalenceTest(KFoldZTest(), margin=percent)).pvalue_ == 0


def predictions_file(path, regression):
    rng = np.random.default_rng(0)
    if regression:
        frame = pd.DataFrame({"y": rng.normal(size=200)})
        for name in ("old", "new"):
            frame[name] = frame["y"] + 0.1 * rng.normal(size=200)
    else:
        frame = pd.DataFrame({"y": rng.permutation(np.arange(200) % 2)})
        for name in ("old", "new"):
            is_wrong = rng.random(200) < 0.1
            frame[name] = np.where(is_wrong, 1 - frame["y"], frame["y"])
    frame.to_csv(path, index=False)
    return str(path)


@pytest.mark.parametrize(
    ("regression", "margin", "status", "text"),
    [
        (True, "50%", 0, "by more than 50%: new's RMSE is"),
        (True, "0.1", 2, "must be a percentage of the RMSE; got 0.1. Write '5%'"),
        (True, "five", 2, "must be a number, or a percentage such as '5%'"),
        (False, "0.2", 0, "by more than 20 points of error"),
        (False, "5%", 2, "Write --margin 0.01: one percentage point"),
        (False, "2", 2, "must be a share; got 2.0. 0.02 is two points"),
    ],
)
def test_margin_of_the_command(tmp_path, capsys, regression, margin, status, text):
    path = predictions_file(tmp_path / "predictions.csv", regression)
    call = ["compare", path, "--y-true", "y", "--reference", "old", "--margin", margin]
    try:
        found = main(call)
    except SystemExit as stop:
        found = stop.code
    printed = "".join(capsys.readouterr())
    assert found == status
    assert text in " ".join(printed.split())
