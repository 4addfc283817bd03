"""Losses are those of scikit-learn: no sign, warning or report can change one."""

import warnings

import numpy as np
import pytest
from sklearn.base import BaseEstimator, ClassifierMixin, clone
from sklearn.datasets import load_breast_cancer, make_classification, make_regression
from sklearn.linear_model import LogisticRegression
from sklearn.manifold import Isomap
from sklearn.naive_bayes import GaussianNB
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import MinMaxScaler, StandardScaler
from sklearn.utils.discovery import all_estimators

from sklearn_cvtest import BlockKFold, cross_val_losses

MOST_CASES = 6  # that the suite runs of a test, see conftest.py
FOLDS = BlockKFold(3, random_state=0)


def fewer_rounds(estimator):
    """Return an estimator that is quick and draws the same each time."""
    known = estimator.get_params(deep=False)
    quick = {
        "random_state": 0,
        "n_estimators": 5,
        "max_iter": 20,
        "n_jobs": None,
        "cv": 2,
    }
    return estimator.set_params(**{k: v for k, v in quick.items() if k in known})


def of_kind(kind):
    """Return the estimators of a kind that need nothing but X and y."""
    made = []
    for _, cls in all_estimators(type_filter=kind):
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", FutureWarning)
            try:
                made.append(fewer_rounds(cls()))
            except TypeError:  # needs another estimator
                continue
    return made


def data_of(kind):
    if kind == "regressor":
        X, y = make_regression(60, 4, noise=5.0, random_state=0)
        return np.abs(X), np.abs(y) + 1
    X, y = make_classification(90, 4, random_state=0)
    return np.abs(X), y


def pipelines(estimator):
    """Return it alone, and behind steps that work in place or keep what they saw."""
    return [
        estimator,
        make_pipeline(MinMaxScaler(copy=False), clone(estimator)),
        make_pipeline(
            StandardScaler(copy=False), Isomap(n_components=2), clone(estimator)
        ),
    ]


def by_hand(estimator, X, y, is_label):
    """Return the losses of a bare loop, by row of the losses; None if a fit fails."""
    found = []
    for train, test in FOLDS.split(X, y):
        model = clone(estimator)
        model.fit(X[train].copy(), y[train].copy())
        predicted = model.predict(X[test].copy())
        found.append(
            y[test] != predicted if is_label else np.square(y[test] - predicted)
        )
    return np.concatenate(found).astype(float)


def same_as_by_hand(estimator, X, y, is_label):
    """Compare the losses with those of a bare loop; return whether there are any."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            expected = by_hand(estimator, X, y, is_label)
        except Exception:  # not for these data
            return False
        if not np.isfinite(expected).all():
            return False
        for diagnostics in (True, False):
            found = cross_val_losses(estimator, X, y, cv=FOLDS, diagnostics=diagnostics)
            np.testing.assert_array_equal(found.values[:, 0], expected)
    return True


@pytest.mark.full
@pytest.mark.filterwarnings("ignore::FutureWarning")  # of deprecated estimators
@pytest.mark.parametrize("kind", ["classifier", "regressor"])
def test_losses_of_all_estimators_are_those_of_a_bare_loop(kind):
    X, y = data_of(kind)
    n_compared = sum(
        same_as_by_hand(whole, X, y, kind == "classifier")
        for estimator in of_kind(kind)
        for whole in pipelines(estimator)
    )
    assert n_compared > 75


@pytest.mark.parametrize("whole", pipelines(GaussianNB()))
def test_losses_are_those_of_a_bare_loop(whole):
    assert same_as_by_hand(whole, *data_of("classifier"), True)


@pytest.mark.parametrize(
    "estimator",
    [each for each in of_kind("classifier") if hasattr(each, "predict_proba")],
    ids=lambda each: type(each).__name__,
)
@pytest.mark.parametrize("decimals", [None, 0])
@pytest.mark.parametrize("metric", ["accuracy", "f1"])
def test_labels_by_probabilities_are_those_of_predict(estimator, decimals, metric):
    rng = np.random.default_rng(0)
    for labels in ([0, 1], ["no", "yes"]):
        X = np.abs(rng.standard_normal((90, 3)))
        X = X if decimals is None else np.round(X, decimals)  # and ties
        code = (X[:, 0] + rng.standard_normal(90) > 0.8).astype(int)
        y = np.array(labels)[code] if metric == "accuracy" else code
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            found = [
                cross_val_losses(
                    estimator, X, y, cv=FOLDS, scoring=metric, diagnostics=checked
                ).values
                for checked in (False, True)
            ]
        for others in found[1:]:
            np.testing.assert_array_equal(found[0], others)


class Nasty(ClassifierMixin, BaseEstimator):
    """Its probabilities are not what anybody asked for."""

    def __init__(self, what="raise"):
        self.what = what

    def fit(self, X, y):
        self.classes_ = np.unique(y)
        self.threshold_ = np.median(X[:, 0])
        return self

    def predict(self, X):
        return self.classes_[(X[:, 0] > self.threshold_) * 1]

    def predict_proba(self, X):
        if self.what == "raise":
            raise RuntimeError("no")
        if self.what == "write":
            X[:] = 0
        return np.full((len(X), 2), 0.5)


class WithProperty(Nasty):
    @property
    def predict_proba(self):
        raise RuntimeError("not now")


@pytest.mark.parametrize("what", ["raise", "write"])
@pytest.mark.parametrize("scoring", ["f1", ["accuracy", "f1"]])
@pytest.mark.filterwarnings("ignore::sklearn_cvtest.exceptions.ThresholdWarning")
def test_what_is_asked_for_a_warning_has_no_effect(what, scoring):
    X, y = data_of("classifier")
    kept = X.copy()
    options = {"cv": FOLDS, "scoring": scoring}
    found = cross_val_losses(Nasty(what), X, y, **options)
    plain = cross_val_losses(
        Nasty(what), X, y, cv=FOLDS, scoring=scoring, diagnostics=False
    )
    for one, other in zip(
        found.values() if isinstance(found, dict) else [found],
        plain.values() if isinstance(plain, dict) else [plain],
        strict=True,
    ):
        np.testing.assert_array_equal(one.values, other.values)
        assert not one.errors
    np.testing.assert_array_equal(X, kept)


def test_a_property_that_raises_fails_no_fit():
    found = cross_val_losses(
        WithProperty(), *data_of("classifier"), cv=FOLDS, scoring="f1"
    )
    assert not found.errors


def test_no_probabilities_are_asked_for_where_no_warning_reads_them(monkeypatch):
    calls = []
    monkeypatch.setattr(
        LogisticRegression, "predict_proba", lambda self, X: calls.append(len(X))
    )
    X, y = data_of("classifier")
    three = np.arange(len(y)) % 3
    cross_val_losses(LogisticRegression(), X, three, cv=FOLDS)
    cross_val_losses(LogisticRegression(), X, y, cv=FOLDS, loss="hinge")
    cross_val_losses(LogisticRegression(), X, y, cv=FOLDS, scoring="accuracy")
    options = {"cv": FOLDS, "scoring": "f1", "diagnostics": False}
    cross_val_losses(LogisticRegression(), X, y, **options)
    assert not calls


def test_steps_that_keep_what_they_were_fitted_to():
    X, y = load_breast_cancer(return_X_y=True)
    steps = StandardScaler(copy=False), Isomap(n_components=2), GaussianNB()
    models = {"p": make_pipeline(*steps), "q": GaussianNB()}
    cv = BlockKFold(5, random_state=0)
    found = cross_val_losses(models, X, y, cv=cv).mean_losses[0]
    assert found == pytest.approx(0.065, abs=0.001)
