"""Each fitted estimator is predicted once, and stays as it is."""

import time
import typing
import warnings

import numpy as np
import pytest
from sklearn.base import BaseEstimator, ClassifierMixin, RegressorMixin
from sklearn.datasets import make_classification
from sklearn.linear_model import (
    LogisticRegression,
)

from sklearn_cvtest import (
    BlockKFold,
    cross_val_losses,
)
from sklearn_cvtest.exceptions import ThresholdWarning

CV = BlockKFold(3, random_state=0)
X, Y = make_classification(90, 4, random_state=0)
X = np.abs(X)

# Counted calls -------------------------------------------------------------------


class Calls:
    """Counts the calls of its methods; the same for all clones."""

    def __init__(self):
        self.n = {}

    def add(self, name):
        self.n[name] = self.n.get(name, 0) + 1

    def __deepcopy__(self, memo):
        return self

    def __sklearn_clone__(self):
        return self


class CountedClassifier(ClassifierMixin, BaseEstimator):
    def __init__(self, calls=None, seconds=0.0):
        self.calls = calls
        self.seconds = seconds

    def fit(self, X, y):
        self.model_ = LogisticRegression().fit(X, y)
        self.classes_ = self.model_.classes_
        return self

    def _ask(self, name, X):
        self.calls.add(name)
        time.sleep(self.seconds)
        return getattr(self.model_, name)(X)

    def predict(self, X):
        return self._ask("predict", X)

    def predict_proba(self, X):
        return self._ask("predict_proba", X)

    def decision_function(self, X):
        return self._ask("decision_function", X)


class CountedRegressor(RegressorMixin, BaseEstimator):
    def __init__(self, calls=None):
        self.calls = calls

    def fit(self, X, y):
        self.mean_ = np.mean(y)
        return self

    def predict(self, X):
        self.calls.add("predict")
        return np.full(len(X), self.mean_) + 0.01 * X[:, 0]


CLASSIFICATION = ("brier", "hinge", "log_loss", "zero_one")
REGRESSION = ("squared_error", "absolute_error", "pinball", "poisson_deviance")


@pytest.mark.parametrize("loss", ["auto", *CLASSIFICATION, *REGRESSION])
def test_each_fit_is_predicted_once(loss):
    calls = Calls()
    if loss == "auto" or loss in CLASSIFICATION:
        model, y = CountedClassifier(calls), Y
    else:
        model, y = CountedRegressor(calls), Y + 1.0 + X[:, 1]
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ThresholdWarning)
        cross_val_losses(model, X, y, cv=CV, loss=loss)
    assert list(calls.n.values()) == [3]


@pytest.mark.parametrize(
    ("scoring", "n_calls"),
    [
        ("accuracy", {"predict": 3}),
        ("roc_auc", {"decision_function": 3}),
        ("neg_log_loss", {"predict_proba": 3}),
        (["accuracy", "f1_macro"], {"predict": 3}),
        (["accuracy", "f1", "recall"], {"predict": 3, "predict_proba": 3}),
        (
            ["accuracy", "roc_auc", "matthews_corrcoef"],
            {"predict": 3, "decision_function": 3},
        ),
    ],
    ids=str,
)
@pytest.mark.filterwarnings("ignore::sklearn_cvtest.exceptions.ThresholdWarning")
def test_each_method_is_called_once_for_all_scorers(scoring, n_calls):
    calls = Calls()
    cross_val_losses(CountedClassifier(calls), X, Y, cv=CV, scoring=scoring)
    assert calls.n == n_calls


@pytest.mark.parametrize(("check", "n_asked"), [(False, 0), (True, 3)])
@pytest.mark.parametrize("scoring", ["f1", ["accuracy", "f1"]])
@pytest.mark.filterwarnings("ignore::sklearn_cvtest.exceptions.ThresholdWarning")
def test_probabilities_are_asked_for_once_by_metrics_of_one_class(
    check, n_asked, scoring
):
    calls = Calls()
    model = CountedClassifier(calls)
    cross_val_losses(model, X, Y, cv=CV, scoring=scoring, diagnostics=check)
    assert calls.n.get("predict_proba", 0) == n_asked
    assert calls.n["predict"] == 3


# The estimator stays as it is ----------------------------------------------------


class ReadOnly(ClassifierMixin, BaseEstimator):
    """Of slots; attributes can be set in `fit` only, and none hides a method."""

    __slots__ = ("classes_", "is_fitted_")

    def __setattr__(self, name, value):
        if name in ("predict", "predict_proba") or getattr(self, "is_fitted_", False):
            raise AttributeError(f"{name} is read-only")
        object.__setattr__(self, name, value)

    def fit(self, X, y):
        self.classes_ = np.unique(y)
        self.is_fitted_ = True
        return self

    def predict(self, X):
        return self.classes_[(X[:, 0] > 0.7) * 1]

    def predict_proba(self, X):
        second = 1 / (1 + np.exp(0.7 - X[:, 0]))
        return np.column_stack([1 - second, second])


@pytest.mark.parametrize("check", [True, False])
@pytest.mark.parametrize("scoring", ["accuracy", ["accuracy", "roc_auc"]])
@pytest.mark.filterwarnings("ignore::sklearn_cvtest.exceptions.ThresholdWarning")
def test_estimators_that_refuse_to_be_changed(check, scoring):
    options = {"cv": CV, "scoring": scoring, "error_score": "raise"}
    losses = cross_val_losses(ReadOnly(), X, Y, diagnostics=check, **options)
    plain = cross_val_losses(ReadOnly(), X, Y, diagnostics=False, **options)
    if isinstance(losses, dict):
        losses, plain = losses["roc_auc"], plain["roc_auc"]
    np.testing.assert_array_equal(losses.values, plain.values)


class Watched(LogisticRegression):
    """Keeps what its instance holds when it is asked."""

    held: typing.ClassVar = []

    def decision_function(self, X):
        Watched.held.append(dict(vars(self)))
        return super().decision_function(X)


@pytest.mark.parametrize("check", [True, False])
@pytest.mark.parametrize("scoring", ["accuracy", ["accuracy", "roc_auc"]])
@pytest.mark.filterwarnings("ignore::sklearn_cvtest.exceptions.ThresholdWarning")
def test_no_method_of_a_fitted_estimator_is_replaced(check, scoring):
    Watched.held.clear()
    options = {"cv": CV, "scoring": scoring, "diagnostics": check}
    models = {"a": Watched(), "b": LogisticRegression()}
    losses = cross_val_losses(models, X, Y, return_estimator=True, **options)
    assert Watched.held
    for held in Watched.held:
        assert not {"predict", "predict_proba", "decision_function"} & held.keys()
    fitted = losses["roc_auc"] if isinstance(losses, dict) else losses
    for model in fitted.estimators["b"]:
        assert model.predict.__func__ is LogisticRegression.predict
        assert "predict" not in vars(model)


def test_a_scorer_of_ones_own_gets_the_estimator_itself():
    seen = []

    def score(estimator, X, y):
        seen.append(type(estimator))
        assert estimator.predict.__self__ is estimator
        return estimator.score(X, y)

    scoring = {"own": score, "accuracy": "accuracy"}
    cross_val_losses(LogisticRegression(), X, Y, cv=CV, scoring=scoring)
    assert seen == [LogisticRegression] * 3
