"""Scorers with a value for each example, and what a metric says of itself."""

import math
import pickle

import numpy as np
import pytest
from sklearn import datasets, metrics
from sklearn.linear_model import (
    LinearRegression,
    LogisticRegression,
    Ridge,
    RidgeClassifier,
)
from sklearn.metrics import get_scorer, make_scorer
from sklearn.model_selection import KFold, cross_val_score
from sklearn.neighbors import KNeighborsClassifier

from sklearn_cvtest import (
    KFoldZTest,
    compare_predictions,
    cross_val_interval,
    cross_val_losses,
    interval_of_predictions,
)
from sklearn_cvtest.exceptions import FewExamplesWarning
from sklearn_cvtest.losses import concordance_index

MOST_CASES = 1000  # that the suite runs of a test, see conftest.py
BINARY = datasets.make_classification(150, n_informative=3, flip_y=0.2, random_state=0)
TERNARY = datasets.make_classification(
    150, n_informative=4, n_classes=3, flip_y=0.2, random_state=0
)
REGRESSION = datasets.make_regression(150, noise=50, random_state=0)
COUNTS = REGRESSION[0], np.exp(REGRESSION[1] / np.std(REGRESSION[1]))
DATA = {
    "binary": BINARY,
    "ternary": TERNARY,
    "regression": REGRESSION,
    "counts": COUNTS,
}
CV = KFold(3, shuffle=True, random_state=1)


class Positive(LinearRegression):
    """A regressor whose predictions are above -1/2, and mostly far from it."""

    def predict(self, X):
        return np.exp(np.clip(super().predict(X), -2, 2))


LINEAR, POSITIVE = LinearRegression(), Positive()
LOGISTIC, KNN = LogisticRegression(), KNeighborsClassifier(7)  # of tied scores
LABELS = ("accuracy", "f1", "jaccard", "recall")
OF_CLASSES = (
    "accuracy",
    "balanced_accuracy",
    "f1_macro",
    "f1_micro",
    "f1_weighted",
    "precision_macro",
    "recall_weighted",
    "jaccard_macro",
    "matthews_corrcoef",
    "neg_log_loss",
    "roc_auc_ovr",
    "roc_auc_ovo",
)
CASES = [
    *(("binary", LOGISTIC, name) for name in LABELS),
    *(("binary", RidgeClassifier(), name) for name in ("roc_auc", "matthews_corrcoef")),
    *(("binary", KNN, name) for name in ("roc_auc", "average_precision", "precision")),
    *(("binary", LOGISTIC, name) for name in ("neg_log_loss", "neg_brier_score")),
    *(("ternary", LOGISTIC, name) for name in OF_CLASSES),
    *(
        ("regression", LINEAR, f"neg_mean_{name}_error")
        for name in ("squared", "absolute", "absolute_percentage")
    ),
    ("regression", LINEAR, "r2"),
    ("regression", LINEAR, make_scorer(concordance_index)),
    ("counts", POSITIVE, "neg_mean_squared_log_error"),
    ("counts", POSITIVE, "neg_mean_poisson_deviance"),
    ("counts", POSITIVE, "neg_mean_gamma_deviance"),
    ("ternary", LOGISTIC, make_scorer(metrics.f1_score, average="macro")),
    ("binary", LOGISTIC, make_scorer(metrics.fbeta_score, beta=2, pos_label=0)),
    ("binary", LOGISTIC, make_scorer(metrics.zero_one_loss, greater_is_better=False)),
]


def case_id(value):
    return value if isinstance(value, str) else ""


@pytest.mark.parametrize(("data", "model", "scoring"), CASES, ids=case_id)
def test_mean_of_a_split_is_minus_the_score(data, model, scoring):
    X, y = DATA[data]
    losses = cross_val_losses(model, X, y, cv=CV, scoring=scoring)
    assert losses.per_example
    expected = cross_val_score(model, X, y, cv=CV, scoring=scoring)
    block_losses = losses.block_losses[:, 0]
    np.testing.assert_allclose(block_losses, -expected, rtol=1e-12, atol=1e-12)
    assert np.ptp(losses.values) > 0
    assert pickle.loads(pickle.dumps(losses.metric)).name == losses.metric.name


@pytest.mark.parametrize(
    "scoring", ["neg_root_mean_squared_error", "neg_root_mean_squared_log_error"]
)
def test_roots_are_those_of_the_mean_squares(scoring):
    X, y = COUNTS
    losses = cross_val_losses(POSITIVE, X, y, cv=CV, scoring=scoring)
    expected = cross_val_score(POSITIVE, X, y, cv=CV, scoring=scoring)
    np.testing.assert_allclose(np.sqrt(losses.block_losses[:, 0]), -expected)
    assert losses.metric.root_word in ("RMSE", "RMSLE")


def test_labels_may_be_words():
    X, y = BINARY
    words = np.array(["bad", "good"], dtype=object)[y]
    good = make_scorer(metrics.f1_score, pos_label="good")
    for scoring in (good, "roc_auc", "neg_log_loss", "matthews_corrcoef"):
        losses = cross_val_losses(LOGISTIC, X, words, cv=CV, scoring=scoring)
        expected = cross_val_score(LOGISTIC, X, words, cv=CV, scoring=scoring)
        np.testing.assert_allclose(losses.block_losses[:, 0], -expected)


@pytest.mark.parametrize("scoring", ["roc_auc", "f1", "neg_log_loss", "accuracy"])
def test_weights_go_into_score_and_influence(scoring):
    X, y = BINARY
    weight = np.random.default_rng(0).random(len(y))
    params = {"sample_weight": weight}
    losses = cross_val_losses(
        LOGISTIC, X, y, cv=CV, scoring=scoring, score_params=params
    )
    for number, (train, test) in enumerate(CV.split(X)):
        model = LogisticRegression().fit(X[train], y[train])
        score = get_scorer(scoring)(model, X[test], y[test], sample_weight=weight[test])
        assert losses.block_losses[number, 0] == pytest.approx(-score, rel=1e-12)


def own(y_true, y_pred):
    return np.mean(y_true == y_pred) ** 2


def own_scorer(estimator, X, y):
    return estimator.score(X, y) ** 2


@pytest.mark.parametrize(
    "scoring",
    [
        own_scorer,
        make_scorer(own),
        "adjusted_rand_score",
        make_scorer(
            metrics.roc_auc_score, response_method="predict_proba", max_fpr=0.2
        ),
        make_scorer(metrics.accuracy_score, normalize=False),
        make_scorer(metrics.cohen_kappa_score, weights="linear"),
        make_scorer(metrics.f1_score, average="macro", labels=[1]),
        make_scorer(metrics.precision_score, zero_division=1),
    ],
)
def test_what_has_no_values_of_examples_has_one_a_split(scoring):
    X, y = BINARY
    losses = cross_val_losses(LOGISTIC, X, y, cv=CV, scoring=scoring)
    assert not losses.per_example
    expected = cross_val_score(LOGISTIC, X, y, cv=CV, scoring=scoring)
    np.testing.assert_allclose(losses.values[:, 0], -expected, rtol=1e-12)


@pytest.mark.parametrize(
    ("scoring", "low", "high"),
    [
        ("roc_auc", 0, 1),
        ("f1", 0, 1),
        ("matthews_corrcoef", -1, 1),
        ("neg_log_loss", 0, math.inf),
        ("neg_brier_score", 0, 1),
        (make_scorer(own), -math.inf, math.inf),
        (own_scorer, -math.inf, math.inf),
    ],
)
def test_range_of_a_metric_is_declared(scoring, low, high):
    metric = cross_val_losses(LOGISTIC, *BINARY, cv=CV, scoring=scoring).metric
    low_loss, high_loss = (-high, -low) if metric.is_score else (low, high)
    assert metric.loss_range == (low_loss, high_loss)
    # whatever the values are
    hits = cross_val_losses(LOGISTIC, *BINARY, cv=CV, loss=lambda y, p: 1.0 * (y != p))
    assert hits.metric.loss_range == (-math.inf, math.inf)


def test_range_of_brier_knows_the_number_of_classes():
    for (X, y), high in ((BINARY, 1), (TERNARY, 2)):
        losses = cross_val_losses(LOGISTIC, X, y, cv=CV, loss="brier")
        assert losses.metric.loss_range == (0, high)


@pytest.mark.parametrize(
    ("scoring", "highest"), [("top_k_accuracy", 1), ("neg_max_error", 0)]
)
def test_intervals_of_single_values_stay_within_the_range(scoring, highest):
    # the interval of the first, 0.965, ended at 1.025
    rng = np.random.default_rng(0)
    X = rng.normal(size=(200, 3))
    y = np.exp(X[:, 0] + 0.3 * rng.normal(size=200))
    model, target = Ridge(), y
    if scoring == "top_k_accuracy":
        model, target = LogisticRegression(), np.digitize(y, [0.8, 1.2])
    found = cross_val_interval(model, X, target, scoring=scoring, cv=5)
    low, high = sorted(np.multiply(found.interval_, 1 if highest else -1))
    estimate = found.estimate_ if highest else -found.estimate_
    assert low < estimate < high < highest


# Few examples -------------------------------------------------------------------


@pytest.mark.filterwarnings("ignore::sklearn_cvtest.exceptions.ThresholdWarning")
@pytest.mark.filterwarnings("ignore:Use a measure of the scores")
@pytest.mark.parametrize(
    ("scoring", "n_rare", "is_few"),
    [
        ("roc_auc", 9, True),
        ("roc_auc", 10, False),
        ("f1_macro", 9, True),
        ("balanced_accuracy", 9, True),
        ("average_precision", 14, True),
        ("average_precision", 15, False),
        ("f1", 4, False),
        ("accuracy", 4, False),
        ("f1_micro", 4, False),
    ],
)
def test_few_examples_of_a_class_leave_one_value_a_split(scoring, n_rare, is_few):
    """In each test set, and of the rarer class; what counts labels needs one hit."""
    n = 100
    y = np.tile(np.arange(n) < n_rare, 2).astype(int)
    folds = np.repeat([0, 1], n)
    rng = np.random.default_rng(0)
    a, b = 0.5 * y + 0.5 * rng.random((2, 2 * n))
    options = {"splits": folds, "scoring": scoring}
    if is_few:
        with pytest.warns(FewExamplesWarning, match="a value per example"):
            result = compare_predictions(y, {"a": a, "b": b}, **options)
    else:
        result = compare_predictions(y, {"a": a, "b": b}, **options)
    assert result.losses.per_example != is_few


def test_variance_of_the_target_needs_more_examples():
    y = np.random.default_rng(0).normal(size=58)
    given = {"a": y + 0.1, "b": y[::-1]}
    with pytest.warns(FewExamplesWarning):
        found = compare_predictions(
            y, given, splits=np.arange(58) % 2, scoring="r2"
        ).losses
    assert not found.per_example
    found = compare_predictions(y, given, splits=np.arange(58) % 2)
    assert found.losses.per_example


def test_few_events_are_few_examples():
    y = np.zeros(30, dtype=[("seen", bool), ("time", float)])
    y["time"] = np.arange(30) + 1.0
    y["seen"][:9] = True
    options = {"scoring": make_scorer(concordance_index)}
    with pytest.warns(FewExamplesWarning):
        losses = interval_of_predictions(
            np.tile(y, 2), -np.tile(y["time"], 2), splits=np.arange(60) // 30, **options
        ).losses
    assert not losses.per_example
    np.testing.assert_allclose(losses.values[:, 0], -1)


def test_spread_of_values_is_the_standard_error_on_new_samples():
    X, y = datasets.make_classification(4200, n_informative=3, random_state=2)
    model = LogisticRegression().fit(X[:200], y[:200])
    scores = model.decision_function(X[200:])
    options = {"scoring": "roc_auc", "response": "decision_function"}
    values, errors = [], []
    for part in np.split(np.arange(4000), 20):  # samples of 200
        found = interval_of_predictions(y[200:][part], scores[part], **options)
        values.append(found.estimate_)
        errors.append(np.std(found.losses.values, ddof=1) / np.sqrt(200))
    assert np.mean(errors) == pytest.approx(np.std(values, ddof=1), rel=0.35)


# The ρ of a metric ----------------------------------------------------------------


def target_of(share, n=200):
    """Return a target of two classes, and two predictions of it."""
    rng = np.random.default_rng(0)
    y = (np.arange(n) < share * n).astype(int)[rng.permutation(n)]
    good, bad = (np.where(rng.random(n) < p, 1 - y, y) for p in (0.1, 0.3))
    return y, {"good": good, "bad": bad}


F2 = make_scorer(metrics.fbeta_score, beta=2)


@pytest.mark.parametrize(
    ("scoring", "share", "rho"),
    [
        *((name, 0.5, 0.6) for name in ("f1", "recall", "precision", "jaccard", F2)),
        *((name, 0.5, 1 / 3) for name in ("f1_macro", "balanced_accuracy")),
        *((name, 0.3, 0.5) for name in ("f1_macro", "balanced_accuracy")),
        ("matthews_corrcoef", 0.5, 1 / 3),
        ("matthews_corrcoef", 0.3, 0.5),
        ("recall_weighted", 0.3, 1 / 3),
        *((name, 0.3, 1 / 3) for name in ("accuracy", "f1_micro", "f1_weighted")),
    ],
)
def test_one_rho_of_a_metric_in_tests_and_intervals(scoring, share, rho):
    y, predictions = target_of(share)
    folds = np.arange(200) % 5
    options = {"splits": folds, "scoring": scoring}
    result = compare_predictions(y, predictions, **options)
    (test,) = result.tests.values()
    assert test.rho_ == pytest.approx(rho)
    found = interval_of_predictions(y, predictions["good"], **options)
    named = interval_of_predictions(
        y, predictions["good"], test=KFoldZTest(rho=rho), **options
    )
    assert found.interval_ == pytest.approx(named.interval_)
    (named,) = result.retest(KFoldZTest(rho=0.1)).tests.values()
    assert named.rho_ == 0.1
