"""What a new user meets first: advice, names, orders, numbers that can be."""

import json
import re

import numpy as np
import pandas as pd
import pytest
from common import main
from sklearn.datasets import load_diabetes, make_classification
from sklearn.linear_model import LogisticRegression, Ridge
from sklearn.model_selection import GridSearchCV
from sklearn.naive_bayes import GaussianNB
from sklearn.neighbors import KNeighborsClassifier
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

from sklearn_cvtest import (
    assert_not_worse,
    compare_candidates,
    compare_estimators,
    compare_over_datasets,
    compare_predictions,
    compare_scores,
    cross_val_interval,
)

X, Y = make_classification(400, 6, weights=[0.8], random_state=0)
MODELS = {"lr": LogisticRegression(), "nb": GaussianNB()}
pytestmark = pytest.mark.filterwarnings("ignore::UserWarning")


@pytest.mark.parametrize("names", [("a rare", "common"), ("rare", "common")])
def test_the_positive_class_that_is_advised_is_the_rarer(names):
    rare, common = names
    y = np.where(Y == 1, rare, common)
    with pytest.raises(ValueError, match=f"pos_label='{rare}'"):
        compare_estimators(MODELS, X, y, scoring="f1")


@pytest.mark.parametrize(
    ("model", "scoring", "name"),
    [
        (LogisticRegression(), None, "accuracy"),
        (KNeighborsClassifier(), None, "accuracy"),
        (make_pipeline(StandardScaler(), LogisticRegression()), None, "accuracy"),
        (LogisticRegression(), "roc_auc", "roc_auc"),
        (Ridge(), None, "r2"),
        (Ridge(), lambda model, X, y: -1.0 * np.var(y), "<lambda>"),
    ],
)
def test_candidates_are_compared_by_the_metric_of_the_search(model, scoring, name):
    data, y = load_diabetes(return_X_y=True) if isinstance(model, Ridge) else (X, Y)
    parameter = "alpha" if isinstance(model, Ridge) else "C"
    if hasattr(model, "steps"):
        parameter = "logisticregression__C"
    values = [0.1, 1, 10]
    if isinstance(model, KNeighborsClassifier):
        parameter, values = "n_neighbors", [1, 3, 9]
    search = GridSearchCV(model, {parameter: values}, scoring=scoring, cv=5)
    assert compare_candidates(search.fit(data, y)).losses.metric.name == name


def test_rows_in_another_order_are_told():
    frame, target = pd.DataFrame(X), pd.Series(Y)
    with pytest.raises(ValueError, match="in the same order; got another order"):
        compare_estimators(MODELS, frame, target.sample(frac=1, random_state=0))


def test_no_difference_is_promised_that_there_cannot_be():
    predictions = {"a": np.array([0, 1, 0, 0, 1]), "b": np.array([1, 1, 1, 0, 0])}
    result = compare_predictions(np.array([0, 1, 1, 0, 1]), predictions)
    assert result.detectable_difference() > 1
    assert "power" not in str(result)


def test_no_accuracy_is_negative():
    result = compare_estimators(MODELS, X, Y, scoring="accuracy")
    search = GridSearchCV(LogisticRegression(), {"C": [0.1, 1, 10]}, cv=5).fit(X, Y)
    candidates = compare_candidates(search)
    over = compare_over_datasets(
        {"one": (X[200:], Y[200:]), "two": (X[:200], Y[:200])},
        MODELS,
        scoring="accuracy",
    )
    results = [
        *(result, result.best_set(), result.winner_interval(), result.gate(0.1, "lr")),
        *(candidates, candidates.winner_interval(), over),
        cross_val_interval(MODELS, X, Y, scoring="accuracy"),
    ]
    for found in results:
        texts = [str(found), found._repr_html_()]
        texts += [found.to_markdown()] if hasattr(found, "to_markdown") else []
        texts += [found.to_latex()] if hasattr(found, "to_latex") else []
        for text in texts:
            # a mean of an accuracy is in the seventies to nineties
            assert not re.search(r"[-−](?:0?\.[6-9]\d|[6-9]\d\.\d)", text), text


HOSTILE = "a\x1b[31m\u202ereversed\u2028third"


def test_no_name_reaches_a_screen_as_it_is(tmp_path, capsys):
    models = {HOSTILE: GaussianNB(), "b": LogisticRegression()}
    result = compare_estimators(models, X, Y)
    with pytest.raises(AssertionError) as caught:
        assert_not_worse(result, HOSTILE, than="b", margin=0.0)
    table = tmp_path / "scores.csv"
    rows = [(HOSTILE.replace("\u2028", ""), m, f) for m in "ab" for f in range(4)]
    lines = [f"{d},{m},{f},{0.8 + 0.01 * f * (m == 'a')}" for d, m, f in rows]
    table.write_text("\n".join(["dataset,model,fold,acc", *lines]), encoding="utf-8")
    main(["compare", str(table), "--dataset", "dataset"])
    said = capsys.readouterr()
    texts = [str(result), repr(result.intervals), str(caught.value)]
    texts += [result.report(), result.to_json(), result._repr_html_(), said.out]
    texts += [result.to_latex(), str(result.pairs()), str(result.gate(0.1, "b"))]
    for text in [*texts, said.err]:
        assert not re.search("[\x1b\u202e\u2028]", text)
    assert json.loads(result.to_json())["means"].keys() == {HOSTILE, "b"}


def test_one_class_has_no_auc():
    scores = {"a": np.linspace(0, 1, 50), "b": np.linspace(1, 0, 50)}
    with pytest.raises(ValueError, match="of two classes or more"):
        compare_scores(scores, y_true=np.ones(50), scoring="roc_auc")


def test_too_few_rows_for_the_default_cv_are_said_to_be():
    with pytest.raises(ValueError, match="`n_splits` must be at most 4; got 5"):
        compare_estimators(MODELS, X[:4], Y[:4])


@pytest.mark.parametrize("scoring", ["roc_auc", "neg_log_loss", "neg_brier_score"])
def test_a_metric_of_scores_needs_two_classes(scoring):
    match = "`y` must be of two classes or more for .*; got"
    y = np.zeros(400, dtype=int)
    predictions = {"a": np.full(400, 0.2), "b": np.full(400, 0.3)}
    with pytest.raises(ValueError, match=match):
        compare_estimators(MODELS, X, y, scoring=scoring)
    with pytest.raises(ValueError, match=match):
        compare_predictions(y, predictions, scoring=scoring)


def test_a_score_that_is_nan_names_split_class_and_cure():
    y = np.repeat([0, 1], [300, 100])
    given = {"a": np.linspace(0, 1, 400), "b": np.linspace(1, 0, 400)}
    match = "got none of class 1 in the test set of split 0. Pass stratified splits"
    with pytest.raises(ValueError, match=match):
        compare_predictions(y, given, scoring="roc_auc", splits=np.arange(400) // 100)
