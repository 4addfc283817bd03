"""A model no better than a constant is remarked on wherever labels are known."""

import numpy as np
import pytest
from numpy.testing import assert_allclose
from sklearn.datasets import load_diabetes, make_classification
from sklearn.dummy import DummyClassifier, DummyRegressor
from sklearn.linear_model import LogisticRegression, Ridge
from sklearn.metrics import accuracy_score, mean_absolute_error, mean_squared_error

from sklearn_cvtest import Comparison, compare_estimators, compare_predictions

pytestmark = pytest.mark.filterwarnings("ignore::UserWarning")

X, Y = make_classification(500, 6, weights=[0.85], random_state=1)
LABELS = np.where(Y == 1, "churned", "stayed")
CLASSIFIERS = {"strong": LogisticRegression(C=1e-9), "lr": LogisticRegression()}
REGRESSORS = {"mean": DummyRegressor(), "ridge": Ridge(0.1)}


@pytest.mark.parametrize(
    ("options", "metric", "sign"),
    [({}, accuracy_score, -1), ({"scoring": "accuracy"}, accuracy_score, 1)],
)
def test_the_most_frequent_class(options, metric, sign):
    result = compare_estimators(CLASSIFIERS, X, LABELS, **options)
    share = metric(LABELS, np.full(len(Y), "stayed"))
    assert_allclose(result.losses.loss_of_constant, -share if sign > 0 else 1 - share)
    shown = f"{100 * (share if sign > 0 else 1 - share):.1f}%"
    for text in (str(result), result.report(), result._repr_html_()):
        assert shown in text


@pytest.mark.parametrize(
    ("scoring", "expected"),
    [
        ("neg_mean_squared_error", lambda y: mean_squared_error(y, 0 * y + y.mean())),
        (
            "neg_mean_absolute_error",
            lambda y: mean_absolute_error(y, 0 * y + np.median(y)),
        ),
        ("neg_root_mean_squared_error", np.var),
    ],
)
def test_the_mean_of_numbers(scoring, expected):
    data, y = load_diabetes(return_X_y=True)
    result = compare_estimators(REGRESSORS, data, y, scoring=scoring)
    assert_allclose(result.losses.loss_of_constant, expected(y))
    assert "Predicting the" not in str(result)


@pytest.mark.parametrize("source", [compare_estimators, compare_predictions])
def test_nothing_is_said_of_the_constant_prediction_itself(source, tmp_path):
    rng = np.random.default_rng(0)
    data, y = rng.normal(size=(200, 3)), rng.normal(size=200)
    models = {"mean": DummyRegressor(), "noise": Ridge(), "blurred": Ridge(2)}
    if source is compare_predictions:
        noise = rng.normal(size=200) / 10
        predictions = {"mean": np.full(200, 0.01), "noise": noise, "blurred": noise / 2}
        result = source(y, predictions)
    else:
        result = source(models, data, y)
    text = " ".join(str(result).split())
    assert "noise and blurred are not clearly better" in text
    result.save(tmp_path / "saved.npz")
    assert str(Comparison.load(tmp_path / "saved.npz")) == str(result)


@pytest.mark.parametrize("n_classes", [2, 3])
@pytest.mark.parametrize("loss", ["zero_one", "log_loss", "brier"])
def test_the_frequencies_of_classes(loss, n_classes):
    """No other constant has a smaller loss: that of a model fitted to all rows."""
    target = np.arange(300) % 7 % n_classes
    model = DummyClassifier(strategy="prior").fit(X[:300], target)
    predicted = model.predict_proba(X[:300])
    result = compare_predictions(target, {"a": predicted, "b": predicted}, loss=loss)
    assert_allclose(result.losses.loss_of_constant, result.losses.mean_losses[0])


def test_of_predictions_and_in_files(tmp_path):
    predictions = {"always": np.full(len(Y), "stayed"), "right": LABELS}
    result = compare_predictions(LABELS, predictions)
    assert "most frequent" not in str(result)
    result.save(tmp_path / "saved.json")
    again = Comparison.load(tmp_path / "saved.json").losses
    assert again.loss_of_constant == result.losses.loss_of_constant


def test_nothing_is_said_where_it_is_not_known():
    result = compare_estimators(CLASSIFIERS, X, Y, scoring="f1")
    assert result.losses.loss_of_constant is None
