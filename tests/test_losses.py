"""Losses: each against scikit-learn's metric of the same name."""

import pickle

import numpy as np
import pandas as pd
import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn import metrics
from sklearn.base import clone
from sklearn.cluster import KMeans
from sklearn.dummy import DummyClassifier, DummyRegressor
from sklearn.exceptions import FitFailedWarning
from sklearn.linear_model import LinearRegression, RidgeClassifier
from sklearn.multioutput import MultiOutputClassifier
from sklearn.naive_bayes import GaussianNB
from sklearn.svm import SVC, LinearSVC
from sklearn.tree import DecisionTreeClassifier, DecisionTreeRegressor

from sklearn_cvtest import (
    BlockKFold,
    KFoldTTest,
    PairedHalves,
    RepeatedSubsample,
    compare_estimators,
    cross_val_losses,
)
from sklearn_cvtest.losses import make_loss

MOST_CASES = 8  # that the suite runs of a test, see conftest.py

RNG = np.random.RandomState(0)
N = 60
X = RNG.normal(size=(N, 3))
BINARY = (X[:, 0] + RNG.normal(size=N) > 0).astype(int)
MULTI = np.digitize(X[:, 0] + RNG.normal(size=N), [-0.7, 0.7])
MULTILABEL = (X + RNG.normal(size=(N, 3)) > 0.3).astype(int)
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
TARGETS = {**BINARY_TARGETS, **{f"multi-{k}": y for k, y in MULTI_TARGETS.items()}}
every_target = pytest.mark.parametrize("y", TARGETS.values(), ids=TARGETS)


def losses_of(model, y, loss="auto", X=X, cv=PLAIN_CV):
    return cross_val_losses({"model": model}, X, y, cv=cv, loss=loss)


def metric_named(name, y=POSITIVE):
    """Return the metric that a name stands for, for a target."""
    Dummy = DummyRegressor if y.dtype == float else DummyClassifier
    X = np.zeros((len(y), 1))
    if name == "hinge":
        Dummy = RidgeClassifier
    return cross_val_losses(Dummy(), X, y, cv=2, loss=name).metric


def metric_of_blocks(model, y, method, metric, cv=PLAIN_CV):
    """What scikit-learn says of each split: metric(y_true, response)."""
    values = []
    for train, test in cv.split(X, y):
        fitted = clone(model).fit(X[train], y[train])
        values.append(metric(y[test], getattr(fitted, method)(X[test])))
    return values


# Against the metric -----------------------------------------------------------

REGRESSION_METRICS = {
    "squared_error": metrics.mean_squared_error,
    "absolute_error": metrics.mean_absolute_error,
    "squared_log_error": metrics.mean_squared_log_error,
    "absolute_percentage_error": metrics.mean_absolute_percentage_error,
    "poisson_deviance": metrics.mean_poisson_deviance,
    "gamma_deviance": metrics.mean_gamma_deviance,
    "pinball": lambda y, p: metrics.mean_pinball_loss(y, p, alpha=0.5),
    "pinball(0.9)": lambda y, p: metrics.mean_pinball_loss(y, p, alpha=0.9),
}
CLASSIFICATION_LOSSES = ["zero_one", "log_loss", "brier", "hinge"]


@pytest.mark.parametrize("name", REGRESSION_METRICS)
@pytest.mark.parametrize("y", [POSITIVE, POSITIVE.astype(np.float32), COUNTS + 1])
def test_regression_loss_mean_is_the_metric(name, y):
    model = DecisionTreeRegressor(max_depth=3, random_state=0)
    expected = metric_of_blocks(model, y, "predict", REGRESSION_METRICS[name])
    np.testing.assert_allclose(
        losses_of(model, y, name).block_losses[:, 0], expected, rtol=1e-5
    )


@pytest.mark.parametrize("name", ["squared_error", "absolute_error", "pinball(0.2)"])
@pytest.mark.parametrize("y", [REAL, TWO_REAL])
def test_regression_loss_of_any_real_target_is_the_metric(name, y):
    metric = REGRESSION_METRICS.get(
        name, lambda y, p: metrics.mean_pinball_loss(y, p, alpha=0.2)
    )
    expected = metric_of_blocks(LinearRegression(), y, "predict", metric)
    got = losses_of(LinearRegression(), y, name).block_losses[:, 0]
    np.testing.assert_allclose(got, expected)


@every_target
def test_zero_one_mean_is_the_error_rate(y):
    model = DecisionTreeClassifier(max_depth=2, random_state=0)
    expected = metric_of_blocks(model, y, "predict", metrics.zero_one_loss)
    got = losses_of(model, y, "zero_one").block_losses[:, 0]
    np.testing.assert_allclose(got, expected)


@every_target
def test_log_loss_mean_is_the_metric(y):
    def log_loss(y_true, proba):
        return metrics.log_loss(y_true, proba, labels=np.unique(y))

    expected = metric_of_blocks(GaussianNB(), y, "predict_proba", log_loss)
    got = losses_of(GaussianNB(), y, "log_loss").block_losses[:, 0]
    np.testing.assert_allclose(got, expected)


@every_target
def test_brier_mean_is_the_squared_distance_of_two_classes_half(y):
    labels = np.unique(y)

    def brier(y_true, proba):
        total = np.sum((proba - (y_true[:, None] == labels)) ** 2, axis=1)
        return np.mean(total) / (2 if len(labels) == 2 else 1)

    expected = metric_of_blocks(GaussianNB(), y, "predict_proba", brier)
    got = losses_of(GaussianNB(), y, "brier").block_losses[:, 0]
    np.testing.assert_allclose(got, expected)


@every_target
@pytest.mark.parametrize("model", [LinearSVC(), SVC(), RidgeClassifier()])
def test_hinge_mean_is_the_metric(y, model):
    labels = np.unique(y)

    def hinge(y_true, decision):
        return metrics.hinge_loss(y_true, decision, labels=labels)

    expected = metric_of_blocks(model, y, "decision_function", hinge, CV)
    got = losses_of(model, y, "hinge", cv=CV).block_losses[:, 0]
    np.testing.assert_allclose(got, expected)


def test_zero_one_of_several_outputs_is_one_if_any_is_wrong():
    model = MultiOutputClassifier(GaussianNB())
    expected = metric_of_blocks(model, MULTILABEL, "predict", metrics.zero_one_loss)
    got = losses_of(model, MULTILABEL).block_losses[:, 0]
    np.testing.assert_allclose(got, expected)


def test_scores_of_several_outputs_have_one_value_a_split():
    model = MultiOutputClassifier(GaussianNB())

    def micro(y, predicted):
        return metrics.f1_score(y, predicted, average="micro")

    expected = metric_of_blocks(model, MULTILABEL, "predict", micro)
    options = {"scoring": "f1_micro", "cv": PLAIN_CV}
    losses = cross_val_losses(model, X, MULTILABEL, **options)
    assert not losses.per_example
    np.testing.assert_allclose(-losses.values[:, 0], expected)
    with pytest.raises(ValueError, match="`y` must be of one column for log loss"):
        losses_of(model, MULTILABEL, "log_loss")


# By hand ----------------------------------------------------------------------


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("squared_error", [4, 0, 9]),
        ("absolute_error", [2, 0, 3]),
        ("squared_log_error", np.log([2, 1, 2.5]) ** 2),
        # 2 (y log(y/p) - y + p)
        ("poisson_deviance", [4 - np.log(9), 0, 8 * np.log(4) - 6]),
        # 2 (y/p - 1 - log(y/p))
        ("gamma_deviance", [2 * np.log(3) - 4 / 3, 0, 6 - 2 * np.log(4)]),
        ("absolute_percentage_error", [2, 0, 0.75]),
        # alpha (y - p) where y > p, else (1 - alpha) (p - y)
        ("pinball(0.9)", [0.2, 0, 2.7]),
    ],
)
def test_formulas_by_hand(name, expected):
    y, p = np.array([1.0, 2.0, 4.0]), np.array([3.0, 2.0, 1.0])
    np.testing.assert_allclose(metric_named(name).values(y, p, None), expected)


def test_formulas_of_classes_by_hand():
    def values(name, y, response, classes):
        target = np.resize(classes, 20)
        metric = metric_named(name, target)
        return metric.values(np.array(y), np.array(response), np.array(classes))

    two, three = ["no", "yes"], [1, 2, 3]
    proba = [[0.6, 0.4], [0.9, 0.1], [0.0, 1.0]]
    brier = values("brier", ["no", "yes", "yes"], proba, two)
    np.testing.assert_allclose(brier, [0.16, 0.81, 0])
    log = values("log_loss", ["no", "yes"], proba[:2], two)
    np.testing.assert_allclose(log, -np.log([0.6, 0.1]))
    turned = metric_named("log_loss", np.resize(two, 20))  # columns of other classes
    log = turned.values(np.array(["no"]), np.array([[0.9, 0.1]]), np.array(two[::-1]))
    np.testing.assert_allclose(log, -np.log([0.1]))
    hinge = values("hinge", ["no", "yes", "yes"], [-0.5, -2.0, 3.0], two)
    np.testing.assert_allclose(hinge, [0.5, 3, 0])
    brier = values("brier", [1, 3], [[0.5, 0.3, 0.2], [0.1, 0.2, 0.7]], three)
    np.testing.assert_allclose(brier, [0.25 + 0.09 + 0.04, 0.01 + 0.04 + 0.09])
    # the decision of the class less the largest of the others: 1 - (0.5 - 0.3), ...
    hinge = values("hinge", [1, 3], [[0.5, 0.3, -2.0], [0.1, 2.0, 0.7]], three)
    np.testing.assert_allclose(hinge, [0.8, 2.3])


@pytest.mark.parametrize("dtype", [np.float64, np.float32])
def test_log_loss_clips_certain_mistakes_as_the_metric_does(dtype):
    proba = np.array([[1, 0], [0, 1], [0, 1], [0.5, 0.5]], dtype=dtype)
    y = np.array([0, 1, 0, 1])
    got = metric_named("log_loss", y).values(y, proba, np.array([0, 1]))
    assert got.mean() == pytest.approx(metrics.log_loss(y, proba), rel=1e-6)


@given(st.integers(3, 5), st.integers(1, 8), st.randoms(use_true_random=False))
@settings(max_examples=40, deadline=None)
def test_losses_of_classes_agree_with_naive_loops(n_classes, n_samples, random):
    classes = sorted(random.sample(range(-20, 20), n_classes))
    y = [random.choice(classes) for _ in range(n_samples)]
    decision = [[random.uniform(-3, 3) for _ in classes] for _ in range(n_samples)]
    proba = np.exp(decision) / np.exp(decision).sum(axis=1, keepdims=True)
    hinge, brier, log = [], [], []
    for label, row, shares in zip(y, decision, proba, strict=True):
        scores = dict(zip(classes, row, strict=True))
        own = scores.pop(label)
        hinge.append(max(0, 1 - (own - max(scores.values()))))
        pairs = list(zip(classes, shares, strict=True))
        brier.append(sum((share - (one == label)) ** 2 for one, share in pairs))
        log.append(-np.log(dict(pairs)[label]))
    target, classes = np.resize(classes, 30), np.array(classes)
    expected = {"hinge": (decision, hinge), "brier": (proba, brier)}
    expected["log_loss"] = proba, log
    for name, (response, values) in expected.items():
        found = metric_named(name, target).values(
            np.array(y), np.array(response), classes
        )
        np.testing.assert_allclose(found, values, atol=1e-12)


# A class missing from a training set ------------------------------------------


def losses_of_split(y_train, y_test, loss, model=None):
    """Losses of a model (default: always the class shares) fitted on y_train."""
    y = np.concatenate([y_train, y_test])
    split = (np.arange(len(y_train)), np.arange(len(y_train), len(y)))
    model = DummyClassifier(strategy="prior") if model is None else model
    X = np.arange(float(len(y)))[:, None]
    return losses_of(model, y, loss, X, [split]).values[:, 0]


@pytest.mark.parametrize("labels", [[0, 1, 2], [2, 0, 1], ["b", "c", "a"], [5, -1, 2]])
def test_missing_class_has_probability_zero(labels):
    # shares 3/4 and 1/4 of two classes; brier: 1/16 + 1/16, 9/16 + 9/16 and
    # 9/16 + 1/16 + 1 for the class never seen
    labels = np.array(labels)
    y_train, y_test = labels[[0, 0, 0, 1]], labels[[0, 1, 2]]
    found = losses_of_split(y_train, y_test, "log_loss")
    np.testing.assert_allclose(found, [-np.log(0.75), -np.log(0.25), -np.log(EPS)])
    found = losses_of_split(y_train, y_test, "brier")
    np.testing.assert_allclose(found, [0.125, 1.125, 1.625])


@pytest.mark.parametrize("labels", [[0, 1], [1, 0], ["b", "a"], [False, True]])
def test_missing_class_of_a_binary_target(labels):
    # Certain of the one class seen: (1 - 1)^2 = 0, or (0 - 1)^2 = 1.
    labels = np.array(labels)
    y_train, y_test = labels[[0, 0]], labels[[0, 1]]
    found = losses_of_split(y_train, y_test, "brier")
    np.testing.assert_allclose(found, [0, 1])
    found = losses_of_split(y_train, y_test, "log_loss")
    np.testing.assert_allclose(found, [0, -np.log(EPS)], atol=1e-12)


def test_hinge_of_a_missing_class_raises_saying_what_to_do():
    y_train, y_test = np.array([0, 1, 0, 1]), np.array([0, 1, 2])
    with pytest.raises(ValueError, match="not in the training set: pass stratified"):
        losses_of_split(y_train, y_test, "hinge", RidgeClassifier())


# Names and parameters ---------------------------------------------------------


@pytest.mark.parametrize(
    "name",
    ["pinball(0.9)", "pinball(alpha=0.9)", " pinball( alpha = .9 ) ", "pinball(9e-1)"],
)
def test_a_parameter_stands_in_brackets(name):
    found = losses_of(DummyRegressor(), REAL, name)
    assert found.metric.name == "pinball(alpha=0.9)"
    loss = make_loss(lambda y, p: np.where(y > p, 0.9 * (y - p), 0.1 * (p - y)))
    expected = losses_of(DummyRegressor(), REAL, loss)
    np.testing.assert_allclose(found.values, expected.values)


@pytest.mark.parametrize(
    ("name", "parameter", "error"),
    [
        ("nope", "loss", ValueError),
        ("", "loss", ValueError),
        ("pinball(high)", "loss", ValueError),
        ("pinball(0.1, 0.2)", "loss", ValueError),
        ("squared_error(1)", "loss", ValueError),
        ("pinball(2)", "alpha", ValueError),
        ("pinball(-0.1)", "alpha", ValueError),
        ("pinball(nan)", "alpha", ValueError),
        (None, "loss", ValueError),
        (5, "loss", ValueError),
        (b"zero_one", "loss", ValueError),
    ],
)
def test_names_that_are_not_known_are_refused(name, parameter, error):
    with pytest.raises(error, match=rf"^`{parameter}` must be .+; got .+\."):
        losses_of(DummyRegressor(), REAL, name)


@pytest.mark.parametrize("name", [*REGRESSION_METRICS, *CLASSIFICATION_LOSSES])
def test_metrics_can_be_pickled(name):
    metric = metric_named(name, POSITIVE if name in REGRESSION_METRICS else BINARY)
    again = pickle.loads(pickle.dumps(metric))
    assert (again.name, again.low, again.high) == (metric.name, metric.low, metric.high)


# Targets and predictions --------------------------------------------------------


@pytest.mark.parametrize("bad", [np.nan, np.inf, -np.inf])
@pytest.mark.parametrize("name", ["squared_error", "pinball", "poisson_deviance"])
def test_targets_that_are_not_finite_are_refused(name, bad):
    y = np.where(np.arange(N) == 7, bad, POSITIVE)
    with pytest.raises(ValueError, match=r"^`y` must be .+; got .+\.$"):
        losses_of(DummyRegressor(), y, name)


@pytest.mark.parametrize(
    ("name", "bad"),
    [
        ("poisson_deviance", -1),
        ("gamma_deviance", 0),
        ("squared_log_error", -1),
        ("squared_log_error", -2),
    ],
)
def test_values_outside_the_domain_are_failed_fits(name, bad):
    y = np.where(np.arange(N) == 7, bad, POSITIVE)
    with pytest.warns(FitFailedWarning, match="'model' 1 "):
        losses_of(DummyRegressor(), y, name)
    model = DummyRegressor(strategy="constant", constant=float(bad))
    with pytest.raises(ValueError, match="All fits failed"):
        losses_of(model, POSITIVE, name)


@pytest.mark.parametrize(
    ("name", "edge"), [("poisson_deviance", 0), ("squared_log_error", -0.5)]
)
def test_target_at_the_edge_of_the_domain_is_accepted(name, edge):
    y = np.where(np.arange(N) == 7, edge, POSITIVE)
    assert np.all(np.isfinite(losses_of(DummyRegressor(), y, name).values))


@pytest.mark.parametrize("name", CLASSIFICATION_LOSSES)
def test_a_continuous_target_is_no_classification(name):
    model = RidgeClassifier() if name == "hinge" else GaussianNB()
    with pytest.raises(ValueError, match=r"^`y` must be class labels"):
        losses_of(model, REAL, name)


@pytest.mark.parametrize("name", ["squared_error", "pinball", "poisson_deviance"])
def test_string_labels_are_no_regression(name):
    with pytest.raises(ValueError, match=r"^`y` must be numeric"):
        losses_of(DummyClassifier(), BINARY_TARGETS["str"], name)


@pytest.mark.parametrize(
    "y",
    [
        POSITIVE.astype(str),
        POSITIVE.astype(str).astype(object),
        np.arange(N).astype("M8[D]"),
        np.arange(N).astype("m8[D]"),
        [10**400] * N,
        POSITIVE + 1j,
        POSITIVE.reshape(-1, 1, 1),
        [[1.0], [1.0, 2.0]] * (N // 2),
        pd.Series(POSITIVE, dtype="Float64").mask(BINARY == 1),
        pl.Series([None, *POSITIVE[1:]]),
        [None, *POSITIVE[1:]],
    ],
)
def test_target_that_is_not_real_is_refused(y):
    with pytest.raises(ValueError, match=r"`y` must be"):
        losses_of(LinearRegression(), y, "squared_error")


class TextBayes(GaussianNB):
    def predict(self, X):
        return super().predict(X).astype(str)


class FlatBayes(GaussianNB):
    def predict(self, X):
        return super().predict(X)[:1]


class OutsideProba(DummyClassifier):
    """Not probabilities: 1.5 and -0.5."""

    def predict_proba(self, X):
        return np.tile([1.5, -0.5], (len(X), 1))


class TextRegressor(DummyRegressor):
    def predict(self, X):
        return np.full(len(X), "many")


class NanRegressor(DummyRegressor):
    def predict(self, X):
        return np.full(len(X), np.nan)


@pytest.mark.parametrize(
    ("model", "y", "name", "message"),
    [
        (TextBayes(), BINARY, "zero_one", "Predicted labels must be as those"),
        (FlatBayes(), BINARY, "zero_one", "Predicted labels must be as those"),
        (OutsideProba(), BINARY, "log_loss", "predict_proba returned -0.5 to 1.5"),
        (OutsideProba(), BINARY, "brier", "predict_proba returned -0.5 to 1.5"),
        (TextRegressor(), REAL, "squared_error", "All fits failed"),
        (NanRegressor(), REAL, "squared_error", "predict returned nan"),
        (NanRegressor(), POSITIVE, "poisson_deviance", "predict returned nan"),
        (LinearSVC(), BINARY, "log_loss", "no attribute 'predict_proba'"),
        (DecisionTreeClassifier(), BINARY, "hinge", "'decision_function'"),
    ],
)
def test_predictions_without_a_loss_are_failed_fits(model, y, name, message):
    with pytest.raises(ValueError, match=message):
        losses_of(model, y, name)


class NanModel(DummyClassifier):
    """Predicts nan in the split whose test set has row 0."""

    def predict_proba(self, X):
        proba = super().predict_proba(X)
        proba[np.asarray(X)[:, 0] == X0] = np.nan
        return proba


X0 = X[0, 0]


@pytest.mark.parametrize("name", ["log_loss", "brier"])
def test_prediction_of_nan_is_a_failed_fit(name):
    with pytest.warns(FitFailedWarning, match="(?s)'model' 1 .* returned nan"):
        losses = losses_of(NanModel(), BINARY, name)
    split = losses.row_split[losses.row_index == 0][0]
    failed = np.isnan(losses.values[:, 0])
    np.testing.assert_array_equal(failed, losses.row_split == split)
    with pytest.raises(ValueError, match="nan"):
        KFoldTTest().fit(losses.residuals("model"))


def test_one_class_is_named_before_the_first_fit():
    """Areas need both classes in y and in each test set."""
    for y, scoring in [(np.zeros(N, int), "roc_auc"), (np.zeros(N, int), "f1")]:
        with pytest.raises(ValueError, match=r"`y` must be of two classes"):
            cross_val_losses(GaussianNB(), X, y, cv=3, scoring=scoring)
    y = np.sort(BINARY)
    halves = [(np.arange(30, 60), np.arange(30)), (np.arange(30), np.arange(30, 60))]
    y[:29], y[29] = 0, 1
    halves[0] = np.r_[29:60], np.arange(29)
    cure = r"none of class 1 in the test set of split 0. Pass stratified splits"
    for scoring in ("roc_auc", "average_precision", ["accuracy", "roc_auc"]):
        with pytest.raises(ValueError, match=cure):
            cross_val_losses(DummyClassifier(), X, y, cv=halves, scoring=scoring)


@pytest.mark.parametrize("labels", [["no", "yes"], ["a", "b", "c"]])
@pytest.mark.parametrize("scoring", ["f1", ["accuracy", "f1"]])
def test_a_positive_class_that_the_target_lacks_is_named(labels, scoring):
    y = np.resize(labels, N)
    message = r"`y` must be of two classes, one of them 1; .*(f1_macro|pos_label=)"
    with pytest.raises(ValueError, match=message):
        cross_val_losses(DummyClassifier(), X, y, scoring=scoring, cv=3)


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
    assert got.metric.name == "cost"
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
    got = losses_of(GaussianNB(), BINARY, function).values
    assert got.dtype == np.float64
    np.testing.assert_array_equal(got, losses_of(GaussianNB(), BINARY).values)


@pytest.mark.parametrize(
    "function",
    [
        lambda y, p: np.mean(y != p),
        lambda y, p: np.zeros(len(y) + 1),
        lambda y, p: None,
    ],
)
def test_callable_loss_of_the_wrong_shape_points_to_scoring(function):
    message = r"(?s)loss must be one number per example.* `scoring`"
    with pytest.raises(ValueError, match=message):
        losses_of(GaussianNB(), BINARY, function)


def broken(y_true, y_pred):
    raise KeyError("threshold")


def test_losses_and_scores_that_fail_or_are_nan_are_failed_fits():
    with pytest.raises(ValueError, match=r"All fits failed.*threshold"):
        losses_of(GaussianNB(), BINARY, broken)
    with pytest.raises(ValueError, match="is nan or inf"):
        losses_of(GaussianNB(), BINARY, lambda y, p: np.full(len(y), np.nan))
    with pytest.raises(ValueError, match="is nan or inf"):
        cross_val_losses(GaussianNB(), X, BINARY, cv=3, scoring=lambda e, X, y: np.nan)


def test_callable_loss_cannot_change_the_target():
    y = BINARY.copy()

    def greedy(y_true, y_pred):
        wrong = (y_true != y_pred).astype(float)
        y_true[:] = -1
        return wrong

    cv = RepeatedSubsample(4, random_state=0)
    losses = losses_of(GaussianNB(), y, greedy, cv=cv)
    np.testing.assert_array_equal(y, BINARY)
    expected = losses_of(GaussianNB(), y, cv=cv)
    np.testing.assert_array_equal(losses.values, expected.values)


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
    np.testing.assert_array_equal(got.values, losses_of(GaussianNB(), BINARY).values)


def one_minus_p(y_true, proba):
    return 1 - proba[np.arange(len(y_true)), y_true]


def test_make_loss_of_probabilities_and_decision_values():
    loss = make_loss(one_minus_p, response_method="predict_proba", name="1-p")
    got = losses_of(GaussianNB(), MULTI, loss)
    expected = metric_of_blocks(
        GaussianNB(), MULTI, "predict_proba", lambda y, p: one_minus_p(y, p).mean()
    )
    np.testing.assert_allclose(got.block_losses[:, 0], expected)
    assert got.metric.name == "1-p"
    loss = make_loss(
        lambda y, d: np.maximum(0, 1 - (2 * y - 1) * d),
        response_method="decision_function",
    )
    got = losses_of(LinearSVC(), BINARY, loss).values
    np.testing.assert_allclose(got, losses_of(LinearSVC(), BINARY, "hinge").values)


def test_a_loss_of_your_own_may_be_compared_by_ratio():
    models = {"mean": DummyRegressor(), "linear": LinearRegression()}
    own = make_loss(lambda y, p: np.abs(y - p), compared_by="ratio", name="distance")
    found = compare_estimators(models, X, REAL, cv=CV_10, loss=own)
    expected = compare_estimators(models, X, REAL, cv=CV_10, loss="absolute_error")
    columns = ["ratio", "ratio_low", "ratio_high"]
    pd.testing.assert_frame_equal(
        found.to_frame()[columns], expected.to_frame()[columns]
    )
    plain = compare_estimators(models, X, REAL, cv=CV_10, loss=lambda y, p: abs(y - p))
    assert "ratio" not in plain.to_frame()


CV_10 = BlockKFold(10, random_state=0)


@pytest.mark.parametrize(
    ("options", "error", "parameter"),
    [
        ({"function": 3}, TypeError, "function"),
        ({"response_method": "transform"}, ValueError, "response_method"),
        ({"compared_by": "odds"}, ValueError, "compared_by"),
        ({"name": ""}, TypeError, "name"),
    ],
)
def test_make_loss_refuses_what_it_does_not_know(options, error, parameter):
    with pytest.raises(error, match=rf"^`{parameter}` must be .+; got .+\."):
        make_loss(**({"function": cost} | options))


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
    assert got.metric.name == name
    np.testing.assert_array_equal(got.values, losses_of(model, y, name).values)


@pytest.mark.parametrize(
    "models", [[DummyClassifier(), DummyRegressor()], [KMeans()], [DummyRegressor, 5]]
)
def test_auto_loss_of_no_one_kind_raises(models):
    with pytest.raises((TypeError, ValueError), match=r"^`(loss|estimators)`"):
        cross_val_losses(models, X, BINARY)


# Containers of the target -----------------------------------------------------

NAMES = np.array(["no", "yes"])[BINARY]
LABEL_CONTAINERS = {
    "list": NAMES.tolist(),
    "tuple": tuple(NAMES.tolist()),
    "object": NAMES.astype(object),
    "Series": pd.Series(NAMES),
    "Series of strings": pd.Series(NAMES, dtype="string"),
    "Series with its own index": pd.Series(NAMES, index=np.arange(N)[::-1] + 100),
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
def test_label_container_does_not_matter(kind, name):
    cv = PairedHalves(
        BlockKFold(2, stratify=True, random_state=0), 1, stratify=True, random_state=0
    )
    model = RidgeClassifier() if name == "hinge" else GaussianNB()
    got = losses_of(model, LABEL_CONTAINERS[kind], name, cv=cv)
    expected = losses_of(model, BINARY, name, cv=cv)
    np.testing.assert_allclose(got.values, expected.values)


@pytest.mark.parametrize(
    "y", [NAMES[:, None], pd.DataFrame({"y": NAMES}), pl.DataFrame({"y": NAMES})]
)
@pytest.mark.parametrize("name", ["zero_one", "log_loss"])
def test_one_column_of_labels_is_a_label(y, name):
    # A tree in place of DummyClassifier: no DataConversionWarning.
    model = DecisionTreeClassifier(max_depth=2, random_state=0)
    got = losses_of(model, y, name)
    np.testing.assert_allclose(got.values, losses_of(model, NAMES, name).values)


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
def test_real_container_does_not_matter(kind):
    got = losses_of(DummyRegressor(), REAL_CONTAINERS[kind])
    expected = losses_of(DummyRegressor(), POSITIVE)
    np.testing.assert_allclose(got.values, expected.values)


@pytest.mark.parametrize("convert", [pd.DataFrame, pl.from_numpy, np.ndarray.tolist])
def test_container_of_two_outputs_does_not_matter(convert):
    got = losses_of(LinearRegression(), convert(TWO_REAL)).values
    np.testing.assert_allclose(got, losses_of(LinearRegression(), TWO_REAL).values)


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
@pytest.mark.parametrize("cv", [PLAIN_CV, 3])
def test_missing_labels_are_refused(y, cv):
    with pytest.raises((TypeError, ValueError), match=r"^`y` must be"):
        losses_of(DummyClassifier(), y, "zero_one", cv=cv)


def test_an_error_that_counts_as_a_score_is_warned_of():
    y = np.arange(12.0)
    options = {"cv": 3, "scoring": metrics.make_scorer(metrics.mean_squared_error)}
    with pytest.warns(UserWarning, match="greater_is_better=False"):
        cross_val_losses(DummyRegressor(), y[:, np.newaxis], y, **options)
