"""Losses: each against scikit-learn's metric of the same name."""

import decimal
import inspect
import itertools
import pickle

import numpy as np
import pandas as pd
import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.testing import assert_array_equal
from scipy import sparse, special
from sklearn import metrics
from sklearn.base import clone
from sklearn.cluster import KMeans
from sklearn.dummy import DummyClassifier, DummyRegressor
from sklearn.ensemble import RandomForestClassifier
from sklearn.exceptions import FitFailedWarning
from sklearn.linear_model import LinearRegression, RidgeClassifier
from sklearn.metrics import (
    explained_variance_score,
    make_scorer,
    mean_squared_error,
    r2_score,
)
from sklearn.model_selection import KFold, cross_val_score
from sklearn.multiclass import OneVsRestClassifier
from sklearn.multioutput import ClassifierChain, MultiOutputClassifier
from sklearn.naive_bayes import GaussianNB
from sklearn.neighbors import KNeighborsClassifier
from sklearn.svm import SVC, LinearSVC
from sklearn.tree import DecisionTreeClassifier, DecisionTreeRegressor

from sklearn_cvtest import BlockKFold, PairedHalves, RepeatedSubsample, cross_val_losses
from sklearn_cvtest.losses import Loss, get_loss, get_loss_names, make_loss

MOST_CASES = 8  # that the suite runs of a test, see conftest.py

RNG = np.random.RandomState(0)
N = 60
X = RNG.normal(size=(N, 3))
BINARY = (X[:, 0] + RNG.normal(size=N) > 0).astype(int)
MULTI = np.digitize(X[:, 0] + RNG.normal(size=N), [-0.7, 0.7])
MULTILABEL = (X + RNG.normal(size=(N, 3)) > 0.3).astype(int)
MULTIOUTPUT = np.column_stack([MULTI, BINARY])
REAL = X @ [1.0, -2.0, 0.5] + RNG.normal(size=N)
POSITIVE = np.exp(REAL / 2)
COUNTS = RNG.poisson(POSITIVE)
TWO_REAL = np.column_stack([REAL, 10 * X[:, 1]])
CV = BlockKFold(3, stratify=True, random_state=0)
PLAIN_CV = BlockKFold(3, random_state=0)
EPS = np.finfo(np.float64).eps

LABELS = {
    "int": [0, 1, 2],
    "gaps": [-7, 3, 40],
    "str": ["no", "yes", "zebra"],
    "reversed": ["z", "y", "a"],
    "float": [0.0, 1.0, 5.0],
    "object": np.array(["no", "yes", "zebra"], dtype=object),
}
BINARY_TARGETS = {
    **{kind: np.asarray(labels)[BINARY] for kind, labels in LABELS.items()},
    "bool": BINARY.astype(bool),
    "signs": 2 * BINARY - 1,
}
MULTI_TARGETS = {kind: np.asarray(labels)[MULTI] for kind, labels in LABELS.items()}


def losses_of(model, y, loss="auto", X=X, cv=PLAIN_CV):
    return cross_val_losses({"model": model}, X, y, cv=cv, loss=loss)


def metric_of_blocks(model, y, method, metric, cv=PLAIN_CV):
    """What scikit-learn says of each split: metric(y_true, response)."""
    values = []
    for train, test in cv.split(X, y):
        fitted = clone(model).fit(X[train], y[train])
        values.append(metric(y[test], getattr(fitted, method)(X[test])))
    return values


def brier_of_classes(y_true, proba, labels):
    return np.mean(np.sum((proba - (y_true[:, None] == labels)) ** 2, axis=1))


def mean_over_labels(metric):
    def mean(y_true, response):
        if isinstance(response, list):
            response = np.column_stack([proba[:, 1] for proba in response])
        return np.mean(
            [metric(y, r) for y, r in zip(y_true.T, response.T, strict=True)]
        )

    return mean


# Against the metric -----------------------------------------------------------

LIMIT = {"clipped_squared_error": "(2.0)"}  # without a default


def named(name):
    """Return the loss of a name, with the parameter that it needs."""
    return get_loss(name + LIMIT.get(name, ""))


def mean_huber(y, p):
    return np.mean(special.huber(1.0, y - p))


REGRESSION_METRICS = {
    "huber": mean_huber,
    "log_cosh": lambda y, p: np.mean(np.log(np.cosh(y - p))),
    "clipped_squared_error": lambda y, p: np.mean(np.clip(y - p, -2, 2) ** 2),
    "squared_error": metrics.mean_squared_error,
    "absolute_error": metrics.mean_absolute_error,
    "squared_log_error": metrics.mean_squared_log_error,
    "absolute_percentage_error": metrics.mean_absolute_percentage_error,
    "poisson_deviance": metrics.mean_poisson_deviance,
    "gamma_deviance": metrics.mean_gamma_deviance,
    "pinball": lambda y, p: metrics.mean_pinball_loss(y, p, alpha=0.5),
    "tweedie_deviance": lambda y, p: metrics.mean_tweedie_deviance(y, p, power=1.5),
}
CLASSIFICATION_LOSSES = ["zero_one", "hamming", "log_loss", "brier", "hinge"]


def test_get_loss_names_are_sorted_and_all_tested_here():
    names = get_loss_names()
    assert names == sorted(names)
    assert set(names) == {*REGRESSION_METRICS, *CLASSIFICATION_LOSSES}


@pytest.mark.parametrize("name", get_loss_names())
def test_get_loss_gives_a_loss_of_a_known_task(name):
    loss = named(name)
    assert isinstance(loss, Loss)
    assert loss.name.startswith(name)
    regression = name in REGRESSION_METRICS
    assert loss.task == ("regression" if regression else "classification")


@pytest.mark.parametrize("name", REGRESSION_METRICS)
@pytest.mark.parametrize("y", [POSITIVE, POSITIVE.astype(np.float32), COUNTS + 1])
def test_regression_loss_mean_is_the_metric(name, y):
    model = DecisionTreeRegressor(max_depth=3, random_state=0)
    expected = metric_of_blocks(model, y, "predict", REGRESSION_METRICS[name])
    got = losses_of(model, y, named(name)).block_losses[:, 0]
    np.testing.assert_allclose(got, expected, rtol=1e-5)


@pytest.mark.parametrize(
    "name",
    [
        "squared_error",
        "absolute_error",
        "pinball",
        "absolute_percentage_error",
        "huber",
        "log_cosh",
        "clipped_squared_error",
    ],
)
@pytest.mark.parametrize("y", [REAL, TWO_REAL])
def test_regression_loss_of_any_real_target_is_the_metric(name, y):
    expected = metric_of_blocks(
        LinearRegression(), y, "predict", REGRESSION_METRICS[name]
    )
    got = losses_of(LinearRegression(), y, named(name)).block_losses[:, 0]
    np.testing.assert_allclose(got, expected)


@pytest.mark.parametrize("alpha", [0, 0.1, 0.5, 0.9, 1])
def test_pinball_mean_is_the_metric(alpha):
    loss = get_loss("pinball", alpha=alpha)
    predicted = REAL[::-1]
    expected = metrics.mean_pinball_loss(REAL, predicted, alpha=alpha)
    assert loss.evaluate(REAL, predicted).mean() == pytest.approx(expected)


@pytest.mark.parametrize("power", [-1, 0, 1, 1.2, 1.5, 2, 2.5, 3])
def test_tweedie_mean_is_the_metric(power):
    y = REAL if power <= 0 else COUNTS.astype(float) if power < 2 else POSITIVE
    predicted = REAL[::-1] if power == 0 else POSITIVE[::-1]
    loss = get_loss("tweedie_deviance", power=power)
    loss.check_target(y)
    expected = metrics.mean_tweedie_deviance(y, predicted, power=power)
    assert loss.evaluate(y, predicted).mean() == pytest.approx(expected)


@pytest.mark.parametrize(
    ("name", "power"),
    [("squared_error", 0), ("poisson_deviance", 1), ("gamma_deviance", 2)],
)
def test_tweedie_reduces_to_the_named_losses(name, power):
    y, predicted = POSITIVE, POSITIVE[::-1]
    np.testing.assert_array_equal(
        get_loss("tweedie_deviance", power=power).evaluate(y, predicted),
        get_loss(name).evaluate(y, predicted),
    )


@pytest.mark.parametrize("name", ["zero_one", "hamming"])
@pytest.mark.parametrize(
    "y",
    [*BINARY_TARGETS.values(), *MULTI_TARGETS.values()],
    ids=[*BINARY_TARGETS, *(f"multi-{kind}" for kind in MULTI_TARGETS)],
)
def test_zero_one_mean_is_the_error_rate(name, y):
    model = DecisionTreeClassifier(max_depth=2, random_state=0)
    expected = metric_of_blocks(model, y, "predict", metrics.zero_one_loss)
    np.testing.assert_allclose(losses_of(model, y, name).block_losses[:, 0], expected)


@pytest.mark.parametrize("kind", BINARY_TARGETS)
def test_log_loss_mean_is_the_metric_binary(kind):
    y = BINARY_TARGETS[kind]
    expected = metric_of_blocks(
        GaussianNB(),
        y,
        "predict_proba",
        lambda y_true, p: metrics.log_loss(y_true, p, labels=np.unique(y)),
    )
    got = losses_of(GaussianNB(), y, "log_loss").block_losses[:, 0]
    np.testing.assert_allclose(got, expected)


@pytest.mark.parametrize("kind", MULTI_TARGETS)
def test_log_loss_mean_is_the_metric_multiclass(kind):
    y = MULTI_TARGETS[kind]
    expected = metric_of_blocks(
        GaussianNB(),
        y,
        "predict_proba",
        lambda y_true, p: metrics.log_loss(y_true, p, labels=np.unique(y)),
    )
    got = losses_of(GaussianNB(), y, "log_loss").block_losses[:, 0]
    np.testing.assert_allclose(got, expected)


@pytest.mark.parametrize("dtype", [np.float64, np.float32])
def test_log_loss_clips_certain_mistakes_as_the_metric_does(dtype):
    proba = np.array([[1, 0], [0, 1], [0, 1], [0.5, 0.5]], dtype=dtype)
    y = np.array([0, 1, 0, 1])
    got = get_loss("log_loss").evaluate(y, proba, [0, 1], 2)
    assert np.all(np.isfinite(got))
    assert got.mean() == pytest.approx(metrics.log_loss(y, proba), rel=1e-6)


@pytest.mark.parametrize("kind", BINARY_TARGETS)
def test_brier_mean_is_the_metric_binary(kind):
    y = BINARY_TARGETS[kind]
    positive = np.unique(y)[1]
    expected = metric_of_blocks(
        GaussianNB(),
        y,
        "predict_proba",
        lambda y_true, p: metrics.brier_score_loss(y_true, p[:, 1], pos_label=positive),
    )
    got = losses_of(GaussianNB(), y, "brier").block_losses[:, 0]
    np.testing.assert_allclose(got, expected)


@pytest.mark.parametrize("kind", MULTI_TARGETS)
def test_brier_mean_is_the_squared_distance_multiclass(kind):
    y = MULTI_TARGETS[kind]
    expected = metric_of_blocks(
        GaussianNB(),
        y,
        "predict_proba",
        lambda y_true, p: brier_of_classes(y_true, p, np.unique(y)),
    )
    got = losses_of(GaussianNB(), y, "brier").block_losses[:, 0]
    np.testing.assert_allclose(got, expected)


@pytest.mark.skipif(
    "labels" not in inspect.signature(metrics.brier_score_loss).parameters,
    reason="brier_score_loss takes several classes from scikit-learn 1.7 on",
)
def test_brier_mean_is_the_metric_multiclass():
    expected = metric_of_blocks(
        GaussianNB(), MULTI, "predict_proba", metrics.brier_score_loss
    )
    got = losses_of(GaussianNB(), MULTI, "brier").block_losses[:, 0]
    np.testing.assert_allclose(got, expected)


@pytest.mark.parametrize("kind", BINARY_TARGETS)
@pytest.mark.parametrize("model", [LinearSVC(), SVC(), RidgeClassifier()])
def test_hinge_mean_is_the_metric_binary(kind, model):
    y = BINARY_TARGETS[kind]
    expected = metric_of_blocks(model, y, "decision_function", metrics.hinge_loss)
    got = losses_of(model, y, "hinge").block_losses[:, 0]
    np.testing.assert_allclose(got, expected)


@pytest.mark.parametrize("kind", MULTI_TARGETS)
@pytest.mark.parametrize("model", [LinearSVC(), SVC(), RidgeClassifier()])
def test_hinge_mean_is_the_metric_multiclass(kind, model):
    y = MULTI_TARGETS[kind]
    expected = metric_of_blocks(
        model,
        y,
        "decision_function",
        lambda y_true, d: metrics.hinge_loss(y_true, d, labels=np.unique(y)),
        CV,
    )
    got = losses_of(model, y, "hinge", cv=CV).block_losses[:, 0]
    np.testing.assert_allclose(got, expected)


# Several labels or outputs ----------------------------------------------------

MULTILABEL_MODELS = [
    RandomForestClassifier(5, random_state=0),  # a list of arrays
    OneVsRestClassifier(GaussianNB()),  # one array
    ClassifierChain(GaussianNB()),
    MultiOutputClassifier(GaussianNB()),
    KNeighborsClassifier(),
    DummyClassifier(strategy="prior"),
]


@pytest.mark.parametrize("model", MULTILABEL_MODELS)
@pytest.mark.parametrize(
    ("name", "metric"),
    [("zero_one", metrics.zero_one_loss), ("hamming", metrics.hamming_loss)],
)
def test_multilabel_prediction_loss_is_the_metric(model, name, metric):
    expected = metric_of_blocks(model, MULTILABEL, "predict", metric)
    got = losses_of(model, MULTILABEL, name).block_losses[:, 0]
    np.testing.assert_allclose(got, expected)


@pytest.mark.parametrize("model", MULTILABEL_MODELS)
@pytest.mark.parametrize(
    ("name", "metric"),
    [
        ("log_loss", lambda y, p: metrics.log_loss(y, p, labels=[0, 1])),
        ("brier", metrics.brier_score_loss),
    ],
)
def test_multilabel_probability_loss_is_the_mean_of_the_metric(model, name, metric):
    expected = metric_of_blocks(
        model, MULTILABEL, "predict_proba", mean_over_labels(metric)
    )
    got = losses_of(model, MULTILABEL, name).block_losses[:, 0]
    np.testing.assert_allclose(got, expected)


@pytest.mark.parametrize(
    "model",
    [
        OneVsRestClassifier(RidgeClassifier()),
        RidgeClassifier(),
        ClassifierChain(LinearSVC()),
    ],
)
def test_multilabel_hinge_is_the_mean_of_the_metric(model):
    expected = metric_of_blocks(
        model, MULTILABEL, "decision_function", mean_over_labels(metrics.hinge_loss)
    )
    got = losses_of(model, MULTILABEL, "hinge").block_losses[:, 0]
    np.testing.assert_allclose(got, expected)


@pytest.mark.parametrize("convert", [sparse.csr_matrix, sparse.csr_array, np.bool_])
@pytest.mark.parametrize("name", ["zero_one", "log_loss", "hinge"])
def test_multilabel_target_container_does_not_matter(convert, name):
    model = RidgeClassifier() if name == "hinge" else GaussianNB()
    model = OneVsRestClassifier(model)
    got = losses_of(model, convert(MULTILABEL), name)
    expected = losses_of(model, MULTILABEL, name)
    np.testing.assert_allclose(got.losses, expected.losses)


@pytest.mark.parametrize("labels", [[0, 1, 2], ["a", "b", "c"]])
@pytest.mark.parametrize(
    "model",
    [RandomForestClassifier(5, random_state=0), MultiOutputClassifier(GaussianNB())],
)
def test_multioutput_log_loss_is_the_mean_of_the_metric(model, labels):
    y = np.array(labels)[MULTIOUTPUT]

    def mean(y_true, response):
        return np.mean(
            [
                metrics.log_loss(column, p, labels=np.unique(whole))
                for column, p, whole in zip(y_true.T, response, y.T, strict=True)
            ]
        )

    expected = metric_of_blocks(model, y, "predict_proba", mean)
    got = losses_of(model, y, "log_loss").block_losses[:, 0]
    np.testing.assert_allclose(got, expected)


def test_multioutput_zero_one_is_one_if_any_output_is_wrong():
    y = np.array([["a", "x"], ["a", "y"], ["b", "x"]])
    predicted = np.array([["a", "x"], ["b", "y"], ["a", "y"]])
    assert get_loss("zero_one").evaluate(y, predicted).tolist() == [0, 1, 1]
    assert get_loss("hamming").evaluate(y, predicted).tolist() == [0, 0.5, 1]


@pytest.mark.parametrize("name", ["squared_error", "absolute_error", "pinball(0.2)"])
def test_multioutput_regression_loss_is_the_mean_over_outputs(name):
    predicted = TWO_REAL[::-1]
    loss = get_loss(name)
    each = [loss.evaluate(TWO_REAL[:, k], predicted[:, k]) for k in (0, 1)]
    np.testing.assert_allclose(
        loss.evaluate(TWO_REAL, predicted), np.mean(each, axis=0)
    )


# A class missing from a training set ------------------------------------------


def losses_of_split(y_train, y_test, loss, model=None):
    """Losses of a model (default: always the class shares) fitted on y_train."""
    y = np.concatenate([y_train, y_test])
    split = (np.arange(len(y_train)), np.arange(len(y_train), len(y)))
    model = DummyClassifier(strategy="prior") if model is None else model
    return losses_of(model, y, loss, np.arange(float(len(y)))[:, None], [split]).losses[
        :, 0
    ]


@pytest.mark.parametrize("labels", [[0, 1, 2], [2, 0, 1], ["b", "c", "a"], [5, -1, 2]])
def test_missing_class_has_probability_zero(labels):
    # shares 3/4 and 1/4 of two classes; brier: 1/16 + 1/16, 9/16 + 9/16 and
    # 9/16 + 1/16 + 1 for the class never seen
    labels = np.array(labels)
    y_train, y_test = labels[[0, 0, 0, 1]], labels[[0, 1, 2]]
    np.testing.assert_allclose(
        losses_of_split(y_train, y_test, "log_loss"),
        [-np.log(0.75), -np.log(0.25), -np.log(EPS)],
    )
    np.testing.assert_allclose(
        losses_of_split(y_train, y_test, "brier"), [0.125, 1.125, 1.625]
    )


@pytest.mark.parametrize("labels", [[0, 1], [1, 0], ["b", "a"], [False, True]])
def test_missing_class_of_a_binary_target(labels):
    # Certain of the one class seen: (1 - 1)^2 = 0, or (0 - 1)^2 = 1.
    labels = np.array(labels)
    y_train, y_test = labels[[0, 0]], labels[[0, 1]]
    np.testing.assert_allclose(losses_of_split(y_train, y_test, "brier"), [0, 1])
    np.testing.assert_allclose(
        losses_of_split(y_train, y_test, "log_loss"), [0, -np.log(EPS)], atol=1e-12
    )


def test_missing_class_of_one_output_does_not_change_the_scale_of_brier():
    # The outputs of the two tests above: 3 classes, of which 2 were seen, and 2, of
    # which 1 was. A target of two classes has half the squared distance.
    y_train = np.array([[0, 0], [0, 0], [0, 0], [1, 0]])
    y_test = np.array([[0, 0], [1, 1], [2, 1]])
    np.testing.assert_allclose(
        losses_of_split(y_train, y_test, "brier"),
        [0.125 / 2, (1.125 + 1) / 2, (1.625 + 1) / 2],
    )


def test_missing_label_of_a_multilabel_target_keeps_the_scale_of_brier():
    model = RandomForestClassifier(2, random_state=0)
    y_train, y_test = np.array([[0, 0]] * 3), np.array([[0, 0], [0, 1], [1, 1]])
    np.testing.assert_allclose(
        losses_of_split(y_train, y_test, "brier", model), [0, 0.5, 1]
    )


def test_hinge_of_a_missing_class_raises_saying_where_and_what_to_do():
    y_train, y_test = np.array([0, 1, 0, 1]), np.array([0, 1, 2])
    with pytest.raises(ValueError, match=r"(?s)'model' 1.*stratified"):
        losses_of_split(y_train, y_test, "hinge", RidgeClassifier())


# Naive twins ------------------------------------------------------------------


@st.composite
def probabilities(draw):
    """y_true, proba, classes of the fit, classes of the sample."""
    n_classes = draw(st.integers(2, 5))
    sample = draw(st.permutations(["a", "b", "c", "d", "e"]))[:n_classes]
    classes = sample[: draw(st.integers(1, n_classes))]
    n_samples = draw(st.integers(1, 8))
    y_true = draw(
        st.lists(st.sampled_from(sample), min_size=n_samples, max_size=n_samples)
    )
    weights = draw(
        st.lists(
            st.lists(st.integers(0, 5), min_size=len(classes), max_size=len(classes)),
            min_size=n_samples,
            max_size=n_samples,
        )
    )
    weights = np.array(weights, dtype=float)
    weights[:, 0] += 1e-3
    return y_true, weights / weights.sum(axis=1, keepdims=True), classes, sample


@given(probabilities())
@settings(max_examples=80, deadline=None)
def test_log_loss_agrees_with_a_naive_loop(case):
    y_true, proba, classes, sample = case
    expected = []
    for label, p in zip(y_true, proba, strict=True):
        p_true = p[classes.index(label)] if label in classes else 0
        expected.append(-np.log(min(max(p_true, EPS), 1 - EPS)))
    got = get_loss("log_loss").evaluate(np.array(y_true), proba, classes, len(sample))
    np.testing.assert_allclose(got, expected, atol=1e-12)


@given(probabilities())
@settings(max_examples=80, deadline=None)
def test_brier_agrees_with_a_naive_loop(case):
    y_true, proba, classes, sample = case
    expected = []
    for label, p in zip(y_true, proba, strict=True):
        share = dict(zip(classes, p, strict=True))
        total = sum((share.get(one, 0) - (one == label)) ** 2 for one in sample)
        expected.append(total / 2 if len(sample) == 2 else total)
    got = get_loss("brier").evaluate(np.array(y_true), proba, classes, len(sample))
    np.testing.assert_allclose(got, expected, atol=1e-12)


@given(st.integers(3, 5), st.integers(1, 8), st.randoms(use_true_random=False))
@settings(max_examples=40, deadline=None)
def test_hinge_agrees_with_a_naive_loop(n_classes, n_samples, random):
    classes = sorted(random.sample(range(-20, 20), n_classes))
    y_true = [random.choice(classes) for _ in range(n_samples)]
    decision = [[random.uniform(-3, 3) for _ in classes] for _ in range(n_samples)]
    expected = []
    for label, row in zip(y_true, decision, strict=True):
        scores = dict(zip(classes, row, strict=True))
        own = scores.pop(label)
        expected.append(max(0, 1 - (own - max(scores.values()))))
    got = get_loss("hinge").evaluate(np.array(y_true), decision, classes, n_classes)
    np.testing.assert_allclose(got, expected)


# Loss.evaluate by itself ------------------------------------------------------


@pytest.mark.parametrize(
    ("name", "response"),
    [
        ("zero_one", [0, 0]),
        ("squared_error", [0.0, 0.5]),
        ("log_loss", [[0.5, 0.5], [0.2, 0.8]]),
        ("hinge", [0.5, 2.0]),
    ],
)
def test_evaluate_accepts_lists(name, response):
    loss = get_loss(name)
    np.testing.assert_array_equal(
        loss.evaluate([0, 1], response, [0, 1], 2),
        loss.evaluate(np.array([0, 1]), np.array(response), np.array([0, 1]), 2),
    )


@pytest.mark.parametrize(
    ("name", "response"),
    [
        ("log_loss", [[0.5, 0.5], [0.2, 0.8]]),
        ("brier", [[0.5, 0.5], [0.2, 0.8]]),
        ("hinge", [0.5, 2.0]),
    ],
)
def test_evaluate_takes_the_classes_of_the_fit_for_those_of_the_sample(name, response):
    loss, y = get_loss(name), np.array([0, 1])
    np.testing.assert_array_equal(
        loss.evaluate(y, response, [0, 1]), loss.evaluate(y, response, [0, 1], 2)
    )


@pytest.mark.parametrize("name", ["log_loss", "brier", "hinge"])
def test_evaluate_without_classes_raises_naming_them(name):
    response = [0.5, 0.5] if name == "hinge" else [[0.5, 0.5], [0.5, 0.5]]
    with pytest.raises((TypeError, ValueError), match=r"^`classes` must be"):
        get_loss(name).evaluate(np.array([0, 1]), response)


@pytest.mark.parametrize(
    ("y_true", "y_pred", "expected"),
    [
        (np.array(["a", "b"]), np.array(["a", "longer"]), [0, 1]),
        (np.array(["a", "b"]), np.array(["a", "a"], dtype=object), [0, 1]),
        (np.array([True, False]), np.array([1, 1]), [0, 1]),
        (np.array([1, 2]), np.array([1.0, 2.5]), [0, 1]),
    ],
)
def test_zero_one_compares_labels_of_different_types(y_true, y_pred, expected):
    assert get_loss("zero_one").evaluate(y_true, y_pred).tolist() == expected


@pytest.mark.parametrize("name", ["zero_one", "hamming"])
@pytest.mark.parametrize(
    ("y_true", "y_pred"),
    [
        (np.array(["a", "b"]), np.array([1, 1])),
        (np.array([1, 2]), np.array(["1", "2"])),
        (np.array([1, 2]), np.array(["1", "2"], dtype=object)),
        (np.array(["a", "b"], dtype=object), np.array([1, 1])),
    ],
)
def test_labels_of_another_kind_are_no_predictions(name, y_true, y_pred):
    with pytest.raises(
        ValueError, match="Predicted labels must be of the same kind as the target's"
    ):
        get_loss(name).evaluate(y_true, y_pred)


class TextBayes(GaussianNB):
    def predict(self, X):
        return super().predict(X).astype(str)


def test_labels_of_another_kind_are_a_failed_fit():
    with pytest.raises(ValueError, match=r"(?s)by estimator: 'model' 3.*Predicted"):
        losses_of(TextBayes(), BINARY, "zero_one")


@pytest.mark.parametrize(
    "y",
    [
        POSITIVE.astype(str),
        POSITIVE.astype(str).astype(object),
        np.arange(len(POSITIVE)).astype("M8[D]"),
        np.arange(len(POSITIVE)).astype("m8[D]"),
        [10**400] * len(POSITIVE),
        POSITIVE + 1j,
        POSITIVE.reshape(-1, 1, 1),
        [[1.0], [1.0, 2.0]] * (len(POSITIVE) // 2),
    ],
    ids=["text", "objects", "dates", "times", "huge", "complex", "3d", "ragged"],
)
def test_target_that_is_not_real_is_refused(y):
    with pytest.raises(ValueError, match=r"`y` must be (numeric|labels or real)"):
        losses_of(LinearRegression(), y, "squared_error")


def test_evaluate_aligns_columns_with_unsorted_classes():
    proba = np.array([[0.9, 0.1], [0.3, 0.7]])
    got = get_loss("log_loss").evaluate(np.array(["a", "b"]), proba, ["b", "a"], 2)
    np.testing.assert_allclose(got, [-np.log(0.1), -np.log(0.3)])


@pytest.mark.parametrize("name", ["zero_one", "squared_error", "hamming"])
@pytest.mark.parametrize("shape", [(3,), (2, 2), ()])
def test_evaluate_prediction_of_the_wrong_shape_raises(name, shape):
    with pytest.raises(ValueError, match=r"shape of the target, \(2,\)"):
        get_loss(name).evaluate(np.array([0, 1]), np.ones(shape))


@pytest.mark.parametrize("shape", [(2, 3), (2, 1), (1, 2), (3, 2)])
@pytest.mark.parametrize("name", ["log_loss", "brier"])
def test_evaluate_probabilities_of_the_wrong_shape_raise(name, shape):
    proba = np.full(shape, 1 / shape[1])
    with pytest.raises(ValueError, match=r"shape \(2, 2\)"):
        get_loss(name).evaluate(np.array([0, 1]), proba, [0, 1], 2)


def test_evaluate_integers_do_not_overflow():
    y = np.array([0, 255], dtype=np.uint8)
    got = get_loss("squared_error").evaluate(y, y[::-1])
    np.testing.assert_array_equal(got, [255.0**2, 255.0**2])


@pytest.mark.parametrize("name", get_loss_names())
def test_evaluate_leaves_its_arguments_unchanged(name):
    y = np.array([1, 2, 1]) if name in CLASSIFICATION_LOSSES else POSITIVE[:3].copy()
    response = {
        "log_loss": np.array([[0.5, 0.5], [0.1, 0.9], [1.0, 0.0]]),
        "brier": np.array([[0.5, 0.5], [0.1, 0.9], [1.0, 0.0]]),
        "hinge": np.array([0.5, -1.0, 2.0]),
    }.get(name, y[::-1].copy())
    before = y.copy(), response.copy()
    named(name).evaluate(y, response, np.array([1, 2]), 2)
    np.testing.assert_array_equal(y, before[0])
    np.testing.assert_array_equal(response, before[1])


# Names and parameters ---------------------------------------------------------


@pytest.mark.parametrize(
    "name",
    ["pinball(0.9)", "pinball(alpha=0.9)", " pinball( alpha = .9 ) ", "pinball(9e-1)"],
)
def test_get_loss_reads_the_parameter_in_brackets(name):
    loss = get_loss(name)
    assert loss.name == "pinball(alpha=0.9)"
    np.testing.assert_array_equal(
        loss.evaluate(REAL, REAL[::-1]),
        get_loss("pinball", alpha=0.9).evaluate(REAL, REAL[::-1]),
    )


@pytest.mark.parametrize("name", ["tweedie_deviance(3)", "tweedie_deviance(power=-1)"])
def test_get_loss_reads_the_power_of_tweedie(name):
    power = float(name.rstrip(")").split("(")[1].removeprefix("power="))
    expected = metrics.mean_tweedie_deviance(POSITIVE, POSITIVE[::-1], power=power)
    got = get_loss(name).evaluate(POSITIVE, POSITIVE[::-1])
    assert got.mean() == pytest.approx(expected)


@pytest.mark.parametrize("name", get_loss_names())
def test_get_loss_of_its_own_name_is_the_same_loss(name):
    assert get_loss(named(name).name).name == named(name).name


@given(st.floats(0, 1))
@settings(max_examples=40, deadline=None)
def test_get_loss_name_tells_parameters_apart(alpha):
    # The name is what residuals are matched by.
    loss = get_loss("pinball", alpha=alpha)
    got = get_loss(loss.name).evaluate(np.array([2.0, 0.0]), [1.0, 1.0])
    np.testing.assert_array_equal(got, loss.evaluate(np.array([2.0, 0.0]), [1.0, 1.0]))


@pytest.mark.parametrize(
    ("name", "params", "parameter", "error"),
    [
        ("nope", {}, "name", ValueError),
        ("Zero_One", {}, "name", ValueError),
        ("", {}, "name", ValueError),
        ("pinball()", {}, "name", ValueError),
        ("pinball(nan)", {}, "name", ValueError),
        ("pinball(high)", {}, "name", ValueError),
        ("pinball(1.2.3)", {}, "name", ValueError),
        ("pinball(beta=0.5)", {}, "name", ValueError),
        ("pinball(0.1, 0.2)", {}, "name", ValueError),
        ("pinball(0.9)", {"alpha": 0.1}, "name", ValueError),
        ("zero_one(1)", {}, "name", ValueError),
        ("pinball(2)", {}, "alpha", ValueError),
        ("pinball(-0.1)", {}, "alpha", ValueError),
        ("tweedie_deviance(0.5)", {}, "power", ValueError),
        ("pinball", {"alpha": 1.1}, "alpha", ValueError),
        ("pinball", {"alpha": np.nan}, "alpha", ValueError),
        ("huber(0)", {}, "delta", ValueError),
        ("huber", {"delta": "1"}, "delta", TypeError),
        ("log_cosh(1)", {}, "name", ValueError),
        ("clipped_squared_error", {}, "limit", ValueError),
        ("clipped_squared_error(-1)", {}, "limit", ValueError),
        ("pinball", {"alpha": "0.5"}, "alpha", TypeError),
        ("pinball", {"alpha": None}, "alpha", TypeError),
        ("pinball", {"beta": 0.5}, "name", ValueError),
        ("tweedie_deviance", {"power": 0.99}, "power", ValueError),
        ("tweedie_deviance", {"power": np.inf}, "power", ValueError),
        ("tweedie_deviance", {"power": True}, "power", TypeError),
        (None, {}, "name", TypeError),
        (5, {}, "name", TypeError),
        (b"zero_one", {}, "name", TypeError),
    ],
)
def test_get_loss_rejects_what_it_does_not_know(name, params, parameter, error):
    with pytest.raises(error, match=rf"^`{parameter}` must be .+; got .+\."):
        get_loss(name, **params)


def test_get_loss_error_of_a_parameter_too_many_shows_the_parameter():
    with pytest.raises(ValueError, match="alpha"):
        get_loss("zero_one", alpha=0.5)


@pytest.mark.parametrize("name", get_loss_names())
def test_get_loss_pickles(name):
    loss = pickle.loads(pickle.dumps(named(name)))
    assert loss.name == named(name).name
    assert loss.response_method == named(name).response_method


def test_get_loss_names_cannot_be_changed_by_the_caller():
    get_loss_names().clear()
    assert "zero_one" in get_loss_names()


# Domains ----------------------------------------------------------------------


@pytest.mark.parametrize(
    ("name", "bad"),
    [
        ("poisson_deviance", -1),
        ("gamma_deviance", 0),
        ("gamma_deviance", -1),
        ("squared_log_error", -1),
        ("squared_log_error", -2),
        ("tweedie_deviance(1.5)", -1),
        ("tweedie_deviance(2)", 0),
        ("tweedie_deviance(3)", 0),
        ("squared_error", np.nan),
        ("squared_error", np.inf),
        ("absolute_error", -np.inf),
        ("pinball", np.nan),
    ],
)
def test_cross_val_losses_target_outside_the_domain_raises(name, bad):
    y = np.where(np.arange(N) == 7, bad, POSITIVE)
    with pytest.raises(ValueError, match=r"^`y` must be .+; got .+\.$"):
        losses_of(DummyRegressor(), y, name)


@pytest.mark.parametrize(
    ("name", "edge"),
    [
        ("poisson_deviance", 0),
        ("tweedie_deviance(1.5)", 0),
        ("tweedie_deviance(-1)", -3),
        ("tweedie_deviance(0)", -3),
        ("squared_log_error", -0.5),
    ],
)
def test_cross_val_losses_target_at_the_edge_of_the_domain_is_accepted(name, edge):
    y = np.where(np.arange(N) == 7, edge, POSITIVE)
    assert np.all(np.isfinite(losses_of(DummyRegressor(), y, name).losses))


@pytest.mark.parametrize(
    ("name", "bad"),
    [
        ("poisson_deviance", 0.0),
        ("poisson_deviance", -1.0),
        ("gamma_deviance", 0.0),
        ("squared_log_error", -1.0),
        ("tweedie_deviance(1.5)", 0.0),
        ("tweedie_deviance(3)", 0.0),
        ("tweedie_deviance(-1)", 0.0),
    ],
)
def test_cross_val_losses_prediction_outside_the_domain_says_where(name, bad):
    model = DummyRegressor(strategy="constant", constant=bad)
    where = r"(?s)'model' 3 .*`y_pred` must be .+; got .+"
    with pytest.raises(ValueError, match=where):
        losses_of(model, POSITIVE, name)


@pytest.mark.parametrize("name", CLASSIFICATION_LOSSES)
def test_cross_val_losses_of_a_continuous_target_are_no_classification(name):
    model = RidgeClassifier() if name == "hinge" else GaussianNB()
    with pytest.raises(ValueError, match=r"^`y` must be class labels"):
        losses_of(model, REAL, name)


@pytest.mark.parametrize("name", ["squared_error", "pinball", "poisson_deviance"])
def test_cross_val_losses_of_string_labels_are_no_regression(name):
    with pytest.raises(ValueError, match=r"^`y` must be numeric"):
        losses_of(DummyClassifier(), BINARY_TARGETS["str"], name)


class OutsideProba(DummyClassifier):
    """Not probabilities: 1.5 and -0.5."""

    def predict_proba(self, X):
        return np.tile([1.5, -0.5], (len(X), 1))


@pytest.mark.parametrize("name", ["log_loss", "brier"])
def test_cross_val_losses_of_what_is_no_probability_says_where(name):
    # As in scikit-learn: metrics.log_loss and brier_score_loss raise.
    with pytest.raises(ValueError, match=r"(?s)'model' 3 .*in \[0, 1\]; got 1.5"):
        losses_of(OutsideProba(), BINARY, name)


class StringRegressor(DummyRegressor):
    def predict(self, X):
        return np.full(len(X), "many")


def test_cross_val_losses_error_of_a_prediction_that_is_no_number_blames_it():
    with pytest.raises(ValueError, match=r"'model' 3 (.|\n)*`y_pred` must be"):
        losses_of(StringRegressor(), REAL, "squared_error")


# Predictions of nan -----------------------------------------------------------


class NanModel(DummyClassifier):
    """Predicts nan in the split whose test set has row 0."""

    def _broken(self, X, response):
        response = np.array(response, dtype=float)
        response[np.asarray(X)[:, 0] == X0] = np.nan
        return response

    def predict(self, X):
        return self._broken(X, super().predict(X))

    def predict_proba(self, X):
        return self._broken(X, super().predict_proba(X))

    def decision_function(self, X):
        return self._broken(X, super().predict_proba(X)[:, 1])


X0 = X[0, 0]


@pytest.mark.parametrize(
    "name", ["zero_one", "hamming", "log_loss", "brier", "hinge", "squared_error"]
)
def test_cross_val_losses_prediction_of_nan_is_a_failed_fit(name):
    with pytest.warns(FitFailedWarning, match="(?s)'model' 1 .* returned nan"):
        losses = losses_of(NanModel(), BINARY, name)
    split = losses.row_split[losses.row_index == 0][0]
    failed = np.isnan(losses.values[:, 0])
    np.testing.assert_array_equal(failed, losses.row_split == split)
    assert losses.fit_failed[:, 0].nonzero()[0].tolist() == [split]
    with pytest.raises(ValueError, match=rf"'model'.*nan in split {split}"):
        losses.residuals("model")


class NanRegressor(DummyRegressor):
    def predict(self, X):
        return np.full(len(X), np.nan)


@pytest.mark.parametrize("name", REGRESSION_METRICS)
def test_cross_val_losses_regression_of_nan_is_a_failed_fit(name):
    with pytest.raises(
        ValueError, match=r"(?s)All fits failed.*'model'.predict returned nan"
    ):
        losses_of(NanRegressor(), POSITIVE, named(name))


# Callables --------------------------------------------------------------------


def cost(y_true, y_pred):
    return np.where(y_true > y_pred, 5.0, y_true != y_pred)


def test_callable_loss_is_called_with_target_and_prediction():
    model = GaussianNB()
    got = losses_of(model, BINARY, cost)
    expected = metric_of_blocks(
        model, BINARY, "predict", lambda y, p: cost(y, p).mean()
    )
    np.testing.assert_allclose(got.block_losses[:, 0], expected)
    assert got.loss_name == "cost"
    assert got.per_example


@pytest.mark.parametrize(
    "function",
    [
        lambda y, p: (y != p).tolist(),
        lambda y, p: pd.Series(y != p, index=np.arange(len(y))[::-1]),
        lambda y, p: (y != p).astype(np.int8),
        lambda y, p: (y != p).astype(np.float32),
    ],
)
def test_callable_loss_may_return_any_array_like_of_numbers(function):
    got = losses_of(GaussianNB(), BINARY, function).losses
    assert got.dtype == np.float64
    np.testing.assert_array_equal(got, losses_of(GaussianNB(), BINARY).losses)


@pytest.mark.parametrize(
    "function",
    [
        lambda y, p: 0.5,
        lambda y, p: np.mean(y != p),
        lambda y, p: np.zeros(len(y) + 1),
        lambda y, p: (y != p)[:, None],
        lambda y, p: np.zeros((len(y), 2)),
        lambda y, p: None,
        lambda y, p: ["wrong"] * len(y),
        lambda y, p: np.ones(len(y), dtype=complex),
        lambda y, p: [[1], [1, 2]] * len(y),
    ],
)
def test_callable_loss_of_the_wrong_shape_says_where(function):
    where = r"^`loss` must return one number per example.*'model', split 0"
    with pytest.raises(ValueError, match=where):
        losses_of(GaussianNB(), BINARY, function)


def test_callable_loss_of_one_number_points_to_scoring():
    with pytest.raises(ValueError, match="`scoring`"):
        losses_of(GaussianNB(), BINARY, metrics.accuracy_score)


def broken(y_true, y_pred):
    raise KeyError("threshold")


def test_callable_loss_that_fails_says_where_and_keeps_the_cause():
    with pytest.raises(ValueError, match=r"threshold.*'model', split 0") as info:
        losses_of(GaussianNB(), BINARY, broken)
    assert isinstance(info.value.__cause__, KeyError)


def nothing(y_true, y_pred):
    return np.full(len(y_true), np.nan)


def test_callable_loss_of_nan_is_a_failed_fit():
    with pytest.raises(ValueError, match=r"(?s)'model' 3.*The loss 'nothing' is nan"):
        losses_of(GaussianNB(), BINARY, nothing)


def test_score_of_nan_is_a_failed_fit():
    with pytest.raises(ValueError, match=r"(?s)'model' 3.*The score '.*' is nan"):
        cross_val_losses(
            {"model": GaussianNB()}, X, BINARY, cv=3, scoring=lambda e, X, y: np.nan
        )


def test_callable_loss_cannot_change_the_target():
    y = BINARY.copy()

    def greedy(y_true, y_pred):
        wrong = (y_true != y_pred).astype(float)
        y_true[:] = -1
        return wrong

    losses = losses_of(GaussianNB(), y, greedy, cv=RepeatedSubsample(4, random_state=0))
    np.testing.assert_array_equal(y, BINARY)
    expected = losses_of(GaussianNB(), y, cv=RepeatedSubsample(4, random_state=0))
    np.testing.assert_array_equal(losses.values, expected.losses)


class Reused:
    """A loss that writes to one buffer at every call."""

    def __init__(self):
        self.buffer = np.empty(N)

    def __call__(self, y_true, y_pred):
        out = self.buffer[: len(y_true)]
        np.not_equal(y_true, y_pred, out=out)
        return out


def test_callable_loss_may_reuse_its_buffer():
    got = losses_of(GaussianNB(), BINARY, Reused())
    np.testing.assert_array_equal(got.losses, losses_of(GaussianNB(), BINARY).losses)


def test_callable_loss_of_a_numeric_target_needs_no_known_task():
    got = losses_of(DummyRegressor(), REAL, lambda y, p: (y - p) ** 2)
    np.testing.assert_allclose(got.losses, losses_of(DummyRegressor(), REAL).losses)


def one_minus_p(y_true, proba):
    return 1 - proba[np.arange(len(y_true)), y_true]


def test_make_loss_of_probabilities():
    loss = make_loss(one_minus_p, response_method="predict_proba", name="1-p")
    got = losses_of(GaussianNB(), MULTI, loss)
    expected = metric_of_blocks(
        GaussianNB(), MULTI, "predict_proba", lambda y, p: one_minus_p(y, p).mean()
    )
    np.testing.assert_allclose(got.block_losses[:, 0], expected)
    assert got.loss_name == "1-p"


def test_make_loss_of_decision_values():
    loss = make_loss(
        lambda y, d: np.maximum(0, 1 - (2 * y - 1) * d),
        response_method="decision_function",
    )
    got = losses_of(LinearSVC(), BINARY, loss).losses
    np.testing.assert_allclose(got, losses_of(LinearSVC(), BINARY, "hinge").losses)


def first_output(y_true, response):
    return 1 - response[0][np.arange(len(y_true)), y_true[:, 0]]


def test_make_loss_gets_the_list_of_a_multioutput_response():
    # Outputs of 3 and 2 classes: no rectangular array.
    loss = make_loss(first_output, response_method="predict_proba")
    model = RandomForestClassifier(5, random_state=0)
    expected = metric_of_blocks(
        model, MULTIOUTPUT, "predict_proba", lambda y, p: first_output(y, p).mean()
    )
    got = losses_of(model, MULTIOUTPUT, loss).block_losses[:, 0]
    np.testing.assert_allclose(got, expected)


# Which loss, for which estimator ----------------------------------------------


@pytest.mark.parametrize(
    ("model", "y", "name"),
    [
        (DummyClassifier(), BINARY, "zero_one"),
        (DummyClassifier(), MULTILABEL, "zero_one"),
        (DummyRegressor(), REAL, "squared_error"),
        (DummyRegressor(), TWO_REAL, "squared_error"),
    ],
)
def test_auto_loss_by_kind_of_estimator(model, y, name):
    got = losses_of(model, y)
    assert got.loss_name == name
    np.testing.assert_array_equal(got.losses, losses_of(model, y, name).losses)


@pytest.mark.parametrize(
    "models", [[DummyClassifier(), DummyRegressor()], [KMeans()], [DummyRegressor, 5]]
)
def test_auto_loss_of_no_one_kind_raises(models):
    with pytest.raises((TypeError, ValueError), match=r"^`(loss|estimators)`"):
        cross_val_losses(models, X, BINARY)


@pytest.mark.parametrize(
    ("model", "name", "method"),
    [
        (LinearSVC(), "log_loss", "predict_proba"),
        (SVC(), "brier", "predict_proba"),
        (DecisionTreeClassifier(), "hinge", "decision_function"),
        (LinearRegression(), "log_loss", "predict_proba"),
    ],
)
def test_loss_the_estimator_has_no_method_for_raises(model, name, method):
    with pytest.raises(ValueError, match=rf"{name}.*{method}.*'model'"):
        losses_of(model, BINARY, name)


# Containers of the target -----------------------------------------------------

NAMES = np.array(["no", "yes"])[BINARY]
LABEL_CONTAINERS = {
    "list": NAMES.tolist(),
    "tuple": tuple(NAMES.tolist()),
    "object": NAMES.astype(object),
    "Series": pd.Series(NAMES),
    "Series of objects": pd.Series(NAMES, dtype=object),
    "Series of strings": pd.Series(NAMES, dtype="string"),
    "Series with its own index": pd.Series(NAMES, index=np.arange(N)[::-1] + 100),
    "categorical": pd.Series(pd.Categorical(NAMES)),
    "categorical reversed": pd.Series(pd.Categorical(NAMES, ["yes", "no"])),
    "categorical with an empty category": pd.Series(
        pd.Categorical(NAMES, ["maybe", "no", "yes"])
    ),
    "Int64": pd.Series(BINARY, dtype="Int64"),
    "boolean": pd.Series(BINARY.astype(bool), dtype="boolean"),
    "polars": pl.Series(NAMES),
    "polars integers": pl.Series(BINARY),
    "polars booleans": pl.Series(BINARY.astype(bool)),
    "polars categorical": pl.Series(NAMES, dtype=pl.Categorical),
}


@pytest.mark.parametrize("kind", LABEL_CONTAINERS)
@pytest.mark.parametrize("name", ["zero_one", "log_loss", "hinge"])
def test_cross_val_losses_label_container_does_not_matter(kind, name):
    cv = PairedHalves(
        BlockKFold(2, stratify=True, random_state=0), 1, stratify=True, random_state=0
    )
    model = RidgeClassifier() if name == "hinge" else GaussianNB()
    got = losses_of(model, LABEL_CONTAINERS[kind], name, cv=cv)
    expected = losses_of(model, BINARY, name, cv=cv)
    np.testing.assert_allclose(got.losses, expected.losses)


@pytest.mark.parametrize(
    "y",
    [
        NAMES[:, None],
        pd.DataFrame({"y": NAMES}),
        pl.DataFrame({"y": NAMES}),
        NAMES[:, None].tolist(),
    ],
)
@pytest.mark.parametrize("name", ["zero_one", "hamming", "log_loss", "brier"])
def test_cross_val_losses_one_column_of_labels_is_a_label(y, name):
    # A tree in place of DummyClassifier: no DataConversionWarning.
    model = DecisionTreeClassifier(max_depth=2, random_state=0)
    got = losses_of(model, y, name)
    np.testing.assert_allclose(got.losses, losses_of(model, NAMES, name).losses)


REAL_CONTAINERS = {
    "list": POSITIVE.tolist(),
    "object": POSITIVE.astype(object),
    "Series": pd.Series(POSITIVE, index=np.arange(N)[::-1] + 100),
    "Float64": pd.Series(POSITIVE, dtype="Float64"),
    "polars": pl.Series(POSITIVE),
    "column": POSITIVE[:, None],
    "DataFrame": pd.DataFrame({"y": POSITIVE}),
    "polars DataFrame": pl.DataFrame({"y": POSITIVE}),
}


@pytest.mark.parametrize("kind", REAL_CONTAINERS)
@pytest.mark.parametrize("name", REGRESSION_METRICS)
def test_cross_val_losses_real_container_does_not_matter(kind, name):
    got = losses_of(DummyRegressor(), REAL_CONTAINERS[kind], named(name))
    expected = losses_of(DummyRegressor(), POSITIVE, named(name))
    np.testing.assert_allclose(got.losses, expected.losses)


@pytest.mark.parametrize("convert", [pd.DataFrame, pl.DataFrame, np.ndarray.tolist])
def test_cross_val_losses_container_of_two_outputs_does_not_matter(convert):
    y = convert(TWO_REAL) if convert is not pl.DataFrame else pl.from_numpy(TWO_REAL)
    got = losses_of(LinearRegression(), y).losses
    np.testing.assert_allclose(got, losses_of(LinearRegression(), TWO_REAL).losses)


@pytest.mark.parametrize(
    "y",
    [
        pd.Series(POSITIVE, dtype="Float64").mask(BINARY == 1),
        pd.Series(POSITIVE).mask(BINARY == 1),
        pl.Series([None, *POSITIVE[1:]]),
        [None, *POSITIVE[1:]],
    ],
)
def test_cross_val_losses_missing_real_target_raises(y):
    with pytest.raises(ValueError, match=r"^`y` must be .+; got .+\.$"):
        losses_of(DummyRegressor(), y)


@pytest.mark.parametrize(
    "y",
    [
        pd.Series(NAMES, dtype=object).mask(np.arange(N) == 3),
        pd.Series(NAMES, dtype=object).where(np.arange(N) != 3, None),
        pd.Series(NAMES, dtype="string").mask(np.arange(N) == 3),
        pd.Series(pd.Categorical(NAMES)).mask(np.arange(N) == 3),
        pd.Series(BINARY, dtype="Int64").mask(np.arange(N) == 3),
        [None, *NAMES[1:].tolist()],
        pl.Series([None, *NAMES[1:].tolist()]),
        np.where(np.arange(N) == 3, np.nan, BINARY),
    ],
)
@pytest.mark.parametrize("name", ["zero_one", "log_loss"])
@pytest.mark.parametrize("cv", [PLAIN_CV, 3])
def test_cross_val_losses_missing_label_raises_naming_y(y, name, cv):
    with pytest.raises((TypeError, ValueError), match=r"^`y` must be"):
        losses_of(DummyClassifier(), y, name, cv=cv)


# Another training set may give predictions the loss is defined for: as a failed fit.
def test_prediction_outside_the_domain_in_one_split_is_a_failed_fit():
    X, y = np.arange(12.0)[:, None], np.arange(12.0) ** 2
    cv = [(np.arange(4, 12), np.arange(4)), (np.arange(8), np.arange(8, 12))]
    options = {"loss": "poisson_deviance", "cv": cv}
    with pytest.warns(FitFailedWarning, match=r"`y_pred` must be >0 for loss"):
        losses = cross_val_losses(LinearRegression(), X, y, **options)
    assert losses.fit_failed[:, 0].tolist() == [True, False]
    assert np.isnan(losses.block_losses[0, 0])
    assert losses.block_losses[1, 0] > 0
    with pytest.raises(ValueError, match=r"^`y_pred` must be >0") as info:
        cross_val_losses(LinearRegression(), X, y, error_score="raise", **options)
    assert info.value.__notes__ == ["raised by estimator 'linearregression', split 0"]


# Predictions that are not comparable with the target --------------------------


def objects(*values):
    array = np.empty(len(values), dtype=object)
    array[:] = values
    return array


NUMBERS = np.array([0, 1])
TEXT = np.array(["a", "b"])


@pytest.mark.parametrize("loss", ["zero_one", "hamming"])
@pytest.mark.parametrize(
    "pair",
    [
        pytest.param((TEXT, np.array([b"a", b"b"])), id="bytes for text"),
        pytest.param((np.array([b"a", b"b"]), TEXT), id="text for bytes"),
        pytest.param((TEXT, objects("a", b"b")), id="bytes among text"),
        pytest.param((NUMBERS, np.array(["0", "1"])), id="text for numbers"),
        pytest.param((NUMBERS, NUMBERS.astype("M8[s]")), id="dates for numbers"),
        pytest.param((NUMBERS, NUMBERS.astype("m8[s]")), id="durations for numbers"),
        pytest.param((NUMBERS, NUMBERS + 0j), id="complex for numbers"),
        pytest.param((NUMBERS, objects(0, 1j)), id="complex objects"),
        pytest.param((NUMBERS, np.ma.array([0, 1], mask=[0, 1])), id="masked"),
        pytest.param((NUMBERS, objects([0], [1])), id="lists"),
    ],
)
def test_labels_of_another_kind_are_no_errors_of_prediction(pair, loss):
    y_true, y_pred = pair
    with pytest.raises(ValueError, match=r"must be of the same kind|not be masked"):
        get_loss(loss).evaluate(y_true, y_pred)


@pytest.mark.parametrize("missing", [None, np.nan, pd.NA, pd.NaT, np.datetime64("NaT")])
def test_missing_labels_have_no_loss(missing):
    found = get_loss("zero_one").evaluate(NUMBERS, objects(0, missing))
    assert_array_equal(found, [0, np.nan])


@pytest.mark.parametrize(
    ("y_true", "y_pred"),
    [
        (NUMBERS, np.array([False, False])),
        (NUMBERS, objects(0, decimal.Decimal(0))),
        (NUMBERS.astype("M8[s]"), objects(*[pd.Timestamp(0)] * 2)),
        (TEXT, objects("a", "c")),
        (objects("a", 1), objects("a", 2)),
    ],
    ids=["truth", "decimal", "dates", "text", "mixed"],
)
def test_labels_of_one_kind_may_be_of_other_types(y_true, y_pred):
    assert_array_equal(get_loss("zero_one").evaluate(y_true, y_pred), [0, 1])


@pytest.mark.parametrize("name", ["log_loss", "brier"])
def test_classes_of_another_kind_are_refused(name):
    proba = np.array([[0.9, 0.1], [0.2, 0.8]])
    with pytest.raises(ValueError, match="`classes_`"):
        get_loss(name).evaluate(TEXT, proba, classes=[b"a", b"b"])


@pytest.mark.parametrize(
    "value", ["1", b"1", 1j, np.datetime64(1, "s"), np.timedelta64(1, "s"), pd.NA]
)
def test_objects_that_are_no_numbers_have_no_real_loss(value):
    with pytest.raises(ValueError, match="`y_pred` must be numeric"):
        get_loss("squared_error").evaluate(np.array([0.0, 1.0]), objects(value, 1))


def test_masked_losses_and_scores_are_refused():
    loss = make_loss(lambda y_true, y_pred: np.ma.array(y_true, mask=y_true == 0))
    with pytest.raises(ValueError, match="must not be masked"):
        loss.evaluate(NUMBERS, NUMBERS)
    X = np.zeros((10, 1))
    with pytest.raises(ValueError, match="must not be masked"):
        cross_val_losses(
            DummyRegressor(),
            X,
            X[:, 0],
            cv=2,
            scoring=lambda estimator, X, y: np.ma.masked,
        )


def test_formulas_by_hand():
    """At values where a changed sign, constant or comparison shows."""
    y, p = np.array([1.0, 2.0, 4.0]), np.array([3.0, 2.0, 1.0])
    cases = {
        get_loss("squared_error"): [4, 0, 9],
        get_loss("absolute_error"): [2, 0, 3],
        get_loss("zero_one"): [1, 0, 1],
        get_loss("squared_log_error"): np.log([2, 1, 2.5]) ** 2,
        # 2 (y log(y/p) - y + p)
        get_loss("poisson_deviance"): [4 - np.log(9), 0, 8 * np.log(4) - 6],
        # 2 (y/p - 1 - log(y/p))
        get_loss("gamma_deviance"): [2 * np.log(3) - 4 / 3, 0, 6 - 2 * np.log(4)],
        get_loss("absolute_percentage_error"): [2, 0, 0.75],
        # alpha (y - p) where y > p, else (1 - alpha) (p - y)
        get_loss("pinball", alpha=0.9): [0.2, 0, 2.7],
        # (y - p)²/2 up to 1.5, beyond 1.5 (|y - p| - 0.75)
        get_loss("huber", delta=1.5): [1.875, 0, 3.375],
        get_loss("log_cosh"): np.log(np.cosh([2, 0, 3])),
        get_loss("clipped_squared_error", limit=2.5): [4, 0, 6.25],
        # 2 (y^(2-q)/((1-q)(2-q)) - y p^(1-q)/(1-q) + p^(2-q)/(2-q)) with q = 3
        get_loss("tweedie_deviance", power=3): [4 / 9, 0, 9 / 4],
    }
    for loss, expected in cases.items():
        for shape in (3, (3, 1)):
            found = loss.evaluate(y.reshape(shape), p.reshape(shape))
            np.testing.assert_allclose(found, expected, err_msg=loss.name)


def test_formulas_of_classes_by_hand():
    y, classes = np.array(["no", "yes", "yes"]), ["no", "yes"]
    proba = np.array([[0.6, 0.4], [0.9, 0.1], [0.0, 1.0]])
    brier = get_loss("brier").evaluate(y, proba, classes)
    np.testing.assert_allclose(brier, [0.16, 0.81, 0])
    log = get_loss("log_loss").evaluate(y[:2], proba[:2], classes)
    np.testing.assert_allclose(log, -np.log([0.6, 0.1]))
    hinge = get_loss("hinge").evaluate(y, np.array([-0.5, -2.0, 3.0]), classes)
    np.testing.assert_allclose(hinge, [0.5, 3, 0])
    three = np.array([[0.5, 0.3, 0.2], [0.1, 0.2, 0.7]])
    brier = get_loss("brier").evaluate(np.array([1, 3]), three, [1, 2, 3])
    np.testing.assert_allclose(brier, [0.25 + 0.09 + 0.04, 0.01 + 0.04 + 0.09])
    # the decision of the class less the largest of the others: 1 - (0.5 - 0.3), ...
    margins = np.array([[0.5, 0.3, -2.0], [0.1, 2.0, 0.7]])
    hinge = get_loss("hinge").evaluate(np.array([1, 3]), margins, [1, 2, 3])
    np.testing.assert_allclose(hinge, [0.8, 2.3])
    labels = np.array([[1, 0, 1], [0, 0, 1]])
    hamming = get_loss("hamming").evaluate(labels, np.array([[1, 1, 0], [0, 0, 1]]))
    np.testing.assert_allclose(hamming, [2 / 3, 0])


# Scorers that are not what they seem --------------------------------------------------


@pytest.mark.parametrize(
    ("labels", "advice"),
    [(["no", "yes"], "pos_label='yes'"), (["a", "b", "c"], "average='macro'")],
)
@pytest.mark.parametrize("scoring", ["f1", ["accuracy", "f1"]])
def test_a_positive_class_that_the_target_lacks_is_named(labels, advice, scoring):
    """Before the first fit, and not as "All fits failed"."""
    y = np.resize(labels, 60)
    message = rf"`y` must be of two classes, one of them 1, .*'f1'; .*{advice}"
    with pytest.raises(ValueError, match=message):
        cross_val_losses(DummyClassifier(), np.ones((60, 1)), y, scoring=scoring, cv=3)


def test_an_error_that_counts_as_a_score_is_warned_of():
    y = np.arange(12.0)
    options = {"cv": 3, "scoring": make_scorer(mean_squared_error)}
    with pytest.warns(UserWarning, match="greater_is_better=False"):
        cross_val_losses(DummyRegressor(), y[:, np.newaxis], y, **options)
    options["scoring"] = make_scorer(mean_squared_error, greater_is_better=False)
    cross_val_losses(DummyRegressor(), y[:, np.newaxis], y, **options)


def test_a_share_is_not_in_percent():
    def accuracy(estimator, X, y):
        return 100 * estimator.score(X, y)

    y = np.arange(12) % 2
    options = {"cv": 3, "scoring": accuracy}
    with pytest.raises(ValueError, match="at most 1 where it is called 'accuracy'"):
        cross_val_losses(DummyClassifier(), np.ones((12, 1)), y, **options)


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
@pytest.mark.parametrize("metric", [r2_score, explained_variance_score])
@pytest.mark.parametrize("multioutput", ["uniform_average", "variance_weighted"])
def test_explained_shares_where_a_fold_does_not_vary(metric, multioutput, dtype):
    """0 or 1 by convention there: rounding decides, in the precision of the data."""
    rng = np.random.default_rng(0)
    X = rng.normal(size=(120, 2)).astype(dtype)
    y = X @ np.array([[1, 0.5], [0.3, 2]], dtype=dtype)
    y[:40, 0] = 1 / 3
    scorer = make_scorer(metric, multioutput=multioutput)
    for model, target in itertools.product(
        (DummyRegressor(), LinearRegression()), (y, y[:, 0])
    ):
        expected = cross_val_score(model, X, target, cv=KFold(3), scoring=scorer)
        losses = cross_val_losses(model, X, target, cv=KFold(3), scoring=scorer)
        assert losses.per_example
        np.testing.assert_allclose(-losses.block_losses[:, 0], expected, 1e-5, 1e-9)


@pytest.mark.parametrize("name", ["huber(2.0)", "log_cosh"])
def test_robust_losses_are_linear_in_large_errors(name):
    loss = get_loss(name)
    near, far = loss.evaluate(np.zeros(2), np.array([1e-4, 1e200]))
    assert near == pytest.approx(0.5e-8, rel=1e-6)
    assert far == pytest.approx({"log_cosh": 1e200}.get(name, 2e200))


def test_clipped_error_is_bounded_as_its_intervals_are():
    losses = losses_of(LinearRegression(), REAL, "clipped_squared_error(1.5)")
    assert losses.value_range == (0, 2.25)
    assert losses.values.max() <= 2.25


@pytest.mark.parametrize(
    "name", ["quantile", "Quantile Loss", "mean_pinball_loss", "neg_mean_pinball_loss"]
)
def test_quantile_loss_is_found_by_that_name(name):
    with pytest.raises(ValueError, match="Did you mean 'pinball'"):
        get_loss(name)
