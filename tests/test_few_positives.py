"""Few examples of a class: what is warned of, and what is then not claimed."""

import warnings

import numpy as np
import pytest
from sklearn.datasets import make_classification
from sklearn.linear_model import LogisticRegression
from sklearn.naive_bayes import GaussianNB
from sklearn.tree import DecisionTreeClassifier

from sklearn_cvtest import Comparison, compare_estimators
from sklearn_cvtest.exceptions import FewExamplesWarning

MODELS = {
    "logistic": LogisticRegression(),
    "bayes": GaussianNB(),
    "tree": DecisionTreeClassifier(random_state=0),
}


def sample(n_positives, n=200, seed=0):
    """Return examples of two classes, so many of the second."""
    rng = np.random.default_rng(seed)
    y = np.zeros(n, dtype=int)
    y[:n_positives] = 1
    X = rng.normal(size=(n, 4)) + y[:, np.newaxis]
    return X, y


def warnings_of(call, *args, **options):
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        result = call(*args, **options)
    return result, [w for w in caught if w.category is FewExamplesWarning]


@pytest.mark.parametrize("options", [{}, {"scoring": "accuracy"}])
@pytest.mark.parametrize(
    ("n_positives", "n", "is_warned"),
    [(19, 200, True), (30, 200, True), (31, 300, False), (20, 60, False)],
)
def test_error_rate_and_accuracy_of_a_rare_class_warn(
    options, n_positives, n, is_warned
):
    X, y = sample(n_positives, n)
    models = {name: MODELS[name] for name in ("logistic", "bayes")}
    result, found = warnings_of(compare_estimators, models, X, y, **options)
    rests = [w for w in found if f"rests on {n_positives} positives" in str(w.message)]
    assert bool(rests) == is_warned
    assert result.losses.few_positives == (n_positives if is_warned else 0)
    for warning in rests:
        assert str(warning.message).startswith(
            "Use a measure of the scores, such as 'roc_auc'."
        )
        assert "log_loss" not in str(warning.message)


@pytest.mark.parametrize("options", [{"scoring": "roc_auc"}, {"loss": "log_loss"}])
def test_measures_of_scores_do_not_warn(options):
    X, y = sample(25, 250)
    models = {name: MODELS[name] for name in ("logistic", "bayes")}
    _, found = warnings_of(compare_estimators, models, X, y, cv=2, **options)
    assert not found


def test_three_classes_do_not_warn():
    X, y = make_classification(
        200, 6, n_informative=4, n_classes=3, weights=[0.9, 0.05], random_state=0
    )
    models = {name: MODELS[name] for name in ("logistic", "bayes")}
    result, _ = warnings_of(compare_estimators, models, X, y)
    assert result.losses.few_positives == 0


@pytest.fixture(scope="module")
def significant():
    """A comparison in which few positives show that one is better."""
    X, y = sample(19, 400)
    y_noise = np.random.default_rng(1).normal(size=(400, 1))
    X = np.hstack([X, y_noise])
    models = {"logistic": LogisticRegression(), "tree": DecisionTreeClassifier()}
    models["tree"].set_params(random_state=0)
    return warnings_of(compare_estimators, models, X, y)[0]


def test_better_but_by_how_much_cannot_be_said(significant, tmp_path):
    assert significant.pvalue_ < 0.05
    text = " ".join(str(significant).split())
    assert "logistic is better than tree (p" in text
    assert "By how much cannot be said from 19 positives." in text
    (row,) = [line for line in str(significant).splitlines() if "tree  " in line]
    assert " – " in row
    frame = significant.to_frame().iloc[0]
    assert np.isfinite([frame.ci_low, frame.ci_high]).all()  # for who asks
    significant.save(tmp_path / "result.npz")
    assert str(Comparison.load(tmp_path / "result.npz")) == str(significant)


def test_power_is_not_claimed_from_few_positives():
    X, y = sample(19, 400)
    models = {"one": LogisticRegression(), "other": LogisticRegression(C=0.5)}
    for options in ({}, {"scoring": "f1", "cv": 2}, {"scoring": "balanced_accuracy"}):
        result, _ = warnings_of(compare_estimators, models, X, y, **options)
        assert "80% power" not in str(result)


def test_several_models_have_no_intervals_of_differences():
    X, y = sample(19, 400)
    result, _ = warnings_of(compare_estimators, MODELS, X, y)
    text = " ".join(str(result).split())
    assert "By how much models differ cannot be said from 19 positives" in text
