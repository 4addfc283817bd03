"""Each fitted estimator is predicted once, and stays as it is."""

import functools
import time
import typing
import warnings

import numpy as np
import pytest
from sklearn.base import BaseEstimator, ClassifierMixin, RegressorMixin, clone
from sklearn.calibration import CalibratedClassifierCV
from sklearn.datasets import make_classification
from sklearn.discriminant_analysis import (
    LinearDiscriminantAnalysis,
    QuadraticDiscriminantAnalysis,
)
from sklearn.dummy import DummyClassifier
from sklearn.ensemble import (
    AdaBoostClassifier,
    BaggingClassifier,
    ExtraTreesClassifier,
    GradientBoostingClassifier,
    HistGradientBoostingClassifier,
    RandomForestClassifier,
)
from sklearn.linear_model import (
    LogisticRegression,
    LogisticRegressionCV,
    SGDClassifier,
)
from sklearn.model_selection import (
    FixedThresholdClassifier,
    GridSearchCV,
    TunedThresholdClassifierCV,
)
from sklearn.naive_bayes import (
    BernoulliNB,
    CategoricalNB,
    ComplementNB,
    GaussianNB,
    MultinomialNB,
)
from sklearn.neighbors import KNeighborsClassifier
from sklearn.neural_network import MLPClassifier
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import MinMaxScaler
from sklearn.svm import SVC, LinearSVC
from sklearn.tree import DecisionTreeClassifier, ExtraTreeClassifier

from sklearn_cvtest import (
    BlockKFold,
    compare_estimators,
    cross_val_interval,
    cross_val_losses,
)
from sklearn_cvtest.exceptions import ThresholdWarning
from sklearn_cvtest.losses import get_loss, get_loss_names

CV = BlockKFold(3, random_state=0)
X, Y = make_classification(90, 4, random_state=0)
X = np.abs(X)

# How labels follow from another response ---------------------------------------

WITH_RULE = [
    AdaBoostClassifier(n_estimators=3, random_state=0),
    BaggingClassifier(n_estimators=4, random_state=0),
    BernoulliNB(binarize=1.0),
    CategoricalNB(min_categories=9),
    ComplementNB(),
    DecisionTreeClassifier(min_samples_leaf=6, random_state=0),
    DummyClassifier(),
    DummyClassifier(strategy="most_frequent"),
    ExtraTreeClassifier(min_samples_leaf=6, random_state=0),
    ExtraTreesClassifier(n_estimators=4, random_state=0),
    GaussianNB(),
    GradientBoostingClassifier(n_estimators=3, random_state=0),
    HistGradientBoostingClassifier(max_iter=3, min_samples_leaf=5),
    KNeighborsClassifier(4),
    LinearDiscriminantAnalysis(),
    LogisticRegression(),
    LogisticRegression(C=1e-12, fit_intercept=False),  # decisions near 0
    LogisticRegressionCV(cv=2, Cs=2),
    MLPClassifier(solver="lbfgs", max_iter=20, random_state=0),
    MultinomialNB(),
    QuadraticDiscriminantAnalysis(),
    RandomForestClassifier(n_estimators=4, random_state=0),
]
WITHOUT_RULE = [
    CalibratedClassifierCV(GaussianNB(), cv=2),
    DummyClassifier(strategy="stratified"),
    FixedThresholdClassifier(LogisticRegression(), threshold=0.3),
    GradientBoostingClassifier(loss="exponential", random_state=0),
    GridSearchCV(LogisticRegression(), {"C": [1]}, cv=2),
    KNeighborsClassifier(4, algorithm="brute"),
    KNeighborsClassifier(4, weights="distance"),
    LinearSVC(),
    SGDClassifier(loss="log_loss", random_state=0),
    SVC(),
    TunedThresholdClassifierCV(LogisticRegression(), cv=2, random_state=0),
    type("Subclass", (LogisticRegression,), {})(),
]


def named(estimators):
    return {
        "argvalues": estimators,
        "ids": [f"{type(each).__name__}{k}" for k, each in enumerate(estimators)],
    }


def ties():
    """Return features of few values, and a target; many probabilities are equal."""
    rng = np.random.default_rng(0)
    rows = rng.integers(0, 3, size=(120, 3)).astype(float)
    code = (rows[:, 0] + rng.normal(size=120) > 1).astype(int)
    return rows, code


def bare_loop(model, rows, y):
    """Return the losses of the rows, in the order of the test sets."""
    losses = []
    for train, test in CV.split(rows, y):
        fitted = clone(model).fit(rows[train], y[train])
        losses.append(fitted.predict(rows[test]) != y[test])
    return np.concatenate(losses).astype(float)


def count_predict(monkeypatch, estimator):
    """Return a list that grows by each call of the `predict` of a class."""
    calls, predict = [], type(estimator).predict

    @functools.wraps(predict)
    def counted(self, X):
        calls.append(len(X))
        return predict(self, X)

    monkeypatch.setattr(type(estimator), "predict", counted)
    return calls


@pytest.mark.filterwarnings("ignore::sklearn.exceptions.ConvergenceWarning")
@pytest.mark.filterwarnings("ignore::FutureWarning")  # of scikit-learn's defaults
@pytest.mark.filterwarnings("ignore::sklearn_cvtest.exceptions.ThresholdWarning")
@pytest.mark.filterwarnings("ignore::sklearn_cvtest.exceptions.DependentRowsWarning")
@pytest.mark.parametrize("estimator", **named(WITH_RULE))
@pytest.mark.parametrize("labels", [[0, 1], [-1.0, 2.0], ["no", "yes"]])
@pytest.mark.parametrize("in_pipeline", [False, True])
def test_labels_by_rule_are_those_of_predict(
    estimator, labels, in_pipeline, monkeypatch
):
    rows, code = ties()
    y = np.array(labels)[code]
    model = make_pipeline(MinMaxScaler(), estimator) if in_pipeline else estimator
    expected = bare_loop(model, rows, y)
    calls = count_predict(monkeypatch, estimator)
    losses = cross_val_losses(model, rows, y, cv=CV, error_score="raise")
    np.testing.assert_array_equal(losses.losses[:, 0], expected)
    assert not calls


@pytest.mark.parametrize("estimator", **named(WITHOUT_RULE))
@pytest.mark.filterwarnings("ignore::sklearn_cvtest.exceptions.ThresholdWarning")
def test_others_are_asked_for_labels_alone(estimator, monkeypatch):
    expected = None
    if getattr(estimator, "strategy", None) != "stratified":  # it draws its labels
        expected = bare_loop(estimator, X, Y)
    calls = count_predict(monkeypatch, estimator)
    losses = cross_val_losses(estimator, X, Y, cv=CV, error_score="raise")
    assert len(calls) == 3
    if expected is not None:
        np.testing.assert_array_equal(losses.losses[:, 0], expected)


@pytest.mark.parametrize("n_classes", [1, 3])
def test_no_rule_for_other_numbers_of_classes(n_classes, monkeypatch):
    calls = count_predict(monkeypatch, DecisionTreeClassifier())
    y = np.arange(90) % n_classes
    cross_val_losses(DecisionTreeClassifier(), X, y, cv=CV)
    assert len(calls) == 3


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


CLASSIFICATION = {"brier", "hamming", "hinge", "log_loss", "zero_one"}


@pytest.mark.parametrize("loss", ["auto", *get_loss_names()])
def test_each_fit_is_predicted_once(loss):
    calls = Calls()
    if loss == "auto" or loss in CLASSIFICATION:
        model, y = CountedClassifier(calls), Y
    else:
        model, y = CountedRegressor(calls), Y + 1.0 + X[:, 1]
    if loss == "clipped_squared_error":
        loss = get_loss(loss, limit=2.0)
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
        (["accuracy", "f1", "recall"], {"predict": 3}),
        (
            ["accuracy", "roc_auc", "f1"],
            {"predict": 3, "decision_function": 3},
        ),
    ],
    ids=str,
)
@pytest.mark.parametrize("run", [cross_val_losses, cross_val_interval])
@pytest.mark.filterwarnings("ignore::sklearn_cvtest.exceptions.ThresholdWarning")
def test_each_method_is_called_once_for_all_scorers(run, scoring, n_calls):
    calls = Calls()
    run(CountedClassifier(calls), X, Y, cv=CV, scoring=scoring)
    assert calls.n == n_calls


@pytest.mark.filterwarnings("ignore::sklearn_cvtest.exceptions.ThresholdWarning")
def test_several_scorers_share_what_labels_are_made_of(monkeypatch):
    calls = Calls()
    decide = LogisticRegression.decision_function

    @functools.wraps(decide)
    def counted(self, X):
        calls.add("decision_function")
        return decide(self, X)

    monkeypatch.setattr(LogisticRegression, "decision_function", counted)
    scoring = ["accuracy", "roc_auc", "f1"]
    cross_val_losses(LogisticRegression(), X, Y, cv=CV, scoring=scoring)
    assert calls.n == {"decision_function": 3}


# Slow predictors -----------------------------------------------------------------


@pytest.mark.parametrize("check", [True, "ask"])
@pytest.mark.filterwarnings("ignore::sklearn_cvtest.exceptions.ThresholdWarning")
def test_a_slow_predictor_is_asked_for_nothing_more(check):
    calls = Calls()
    models = {"slow": CountedClassifier(calls, seconds=0.51)}
    start = time.perf_counter()
    cross_val_losses(models, X, Y, cv=2, diagnostics=check)
    assert calls.n == {"predict": 2}
    assert time.perf_counter() - start < 1.5  # a bare loop takes 1.02


@pytest.mark.parametrize(("check", "n_asked"), [(False, 0), (True, 0), ("ask", 3)])
@pytest.mark.parametrize("scoring", ["f1", ["f1", "accuracy"]])
@pytest.mark.filterwarnings("ignore::sklearn_cvtest.exceptions.ThresholdWarning")
def test_probabilities_are_asked_for_on_request_only(check, n_asked, scoring):
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


@pytest.mark.parametrize("check", [True, "ask"])
@pytest.mark.parametrize("scoring", ["accuracy", ["accuracy", "roc_auc"]])
@pytest.mark.filterwarnings("ignore::sklearn_cvtest.exceptions.ThresholdWarning")
def test_estimators_that_refuse_to_be_changed(check, scoring):
    options = {"cv": CV, "scoring": scoring, "error_score": "raise"}
    losses = cross_val_losses(ReadOnly(), X, Y, diagnostics=check, **options)
    plain = cross_val_losses(ReadOnly(), X, Y, diagnostics=False, **options)
    if isinstance(losses, dict):
        losses, plain = losses["roc_auc"], plain["roc_auc"]
    np.testing.assert_array_equal(losses.losses, plain.losses)


class Watched(LogisticRegression):
    """Keeps what its instance holds when it is asked."""

    held: typing.ClassVar = []

    def decision_function(self, X):
        Watched.held.append(dict(vars(self)))
        return super().decision_function(X)


@pytest.mark.parametrize("check", [True, "ask"])
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


# What warnings look at -------------------------------------------------------------


def warned(model, **options):
    rng = np.random.default_rng(1)
    y = rng.integers(2, size=300)
    features = rng.normal(size=(300, 4)) + 0.15 * y[:, np.newaxis]
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        compare_estimators(
            {"a": model, "b": DummyClassifier()},
            features,
            y,
            scoring="recall",
            **options,
        )
    return any(
        w.category is ThresholdWarning and str(w.message).startswith("'a'")
        for w in caught
    )
