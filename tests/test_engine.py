"""cross_val_losses: what is fitted, on what, and what is kept."""

from pathlib import Path

import joblib
import numpy as np
import pandas as pd
import polars as pl
import pytest
import sklearn
from common import ALL_SPLITTERS
from numpy.testing import assert_allclose, assert_array_equal
from scipy import sparse
from sklearn.base import BaseEstimator, ClassifierMixin, RegressorMixin, clone
from sklearn.cluster import KMeans
from sklearn.compose import make_column_transformer
from sklearn.datasets import load_diabetes, load_digits, load_iris
from sklearn.dummy import DummyClassifier
from sklearn.ensemble import (
    RandomForestClassifier,
    StackingClassifier,
    VotingClassifier,
)
from sklearn.exceptions import FitFailedWarning, UnsetMetadataPassedError
from sklearn.feature_extraction.text import TfidfVectorizer
from sklearn.linear_model import LinearRegression, Ridge, SGDClassifier
from sklearn.metrics import accuracy_score, make_scorer
from sklearn.model_selection import (
    GridSearchCV,
    GroupKFold,
    KFold,
    LeaveOneOut,
    PredefinedSplit,
    StratifiedKFold,
    cross_val_predict,
    cross_val_score,
)
from sklearn.naive_bayes import GaussianNB, MultinomialNB
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import OneHotEncoder, StandardScaler
from sklearn.svm import SVC
from sklearn.tree import DecisionTreeClassifier, DecisionTreeRegressor

from sklearn_cvtest import (
    BlockKFold,
    FiveByTwo,
    PairedHalves,
    RepeatedSubsample,
    cross_val_losses,
)

IRIS = load_iris(return_X_y=True)
DIABETES = tuple(part[:120] for part in load_diabetes(return_X_y=True))
DIGITS = tuple(part[:200] for part in load_digits(return_X_y=True))
NUMBERED = np.arange(30.0)[:, np.newaxis], np.sin(np.arange(30.0))
FOLDS = BlockKFold(3, random_state=0)
TREE = DecisionTreeClassifier(max_depth=2, random_state=0)
WEIGHTS = np.random.default_rng(0).integers(1, 9, 150).astype(float)
ROUTING = pytest.fixture(
    lambda: sklearn.config_context(enable_metadata_routing=True), name="routing"
)


class Fragile(RegressorMixin, BaseEstimator):
    """Breaks where example 0 of NUMBERED is not in the training or in the test set."""

    def __init__(self, where="nowhere"):
        self.where = where

    def fit(self, X, y):
        if self.where == "always" or (self.where == "fit" and 0 not in X[:, 0]):
            raise RuntimeError("broken on purpose")
        self.mean_ = np.mean(y)
        return self

    def predict(self, X):
        if self.where == "predict" and 0 in X[:, 0]:
            raise RuntimeError("broken on purpose")
        y_pred = np.full(len(X), self.mean_)
        if self.where == "nan":
            y_pred[X[:, 0] == 0] = np.nan
        return y_pred


class Counted(ClassifierMixin, BaseEstimator):
    """Writes a line to a file at every fit."""

    def __init__(self, path, answer=0):
        self.path = path
        self.answer = answer

    def fit(self, X, y, sample_weight=None, note=None):
        with open(self.path, "a", encoding="utf-8") as file:
            file.write("fit\n")
        self.sample_weight_ = sample_weight
        self.note_ = note
        self.classes_ = np.unique(y)
        return self

    def predict(self, X):
        return np.full(len(X), self.answer)


class Scribbler(ClassifierMixin, BaseEstimator):
    """Overwrites what it is given."""

    def fit(self, X, y):
        self.classes_ = np.unique(y)
        scribble(X)
        scribble(y)
        return self

    def predict(self, X):
        scribble(X)
        return np.full(X.shape[0] if hasattr(X, "shape") else len(X), self.classes_[0])


class Plain(BaseEstimator):
    """Neither a classifier nor a regressor."""

    def __init__(self, shift=0.0):
        self.shift = shift

    def fit(self, X, y):
        self.mean_ = np.mean(y)
        return self

    def predict(self, X):
        return np.full(len(X), self.mean_ + self.shift)


class Bare:
    """Cannot be cloned."""

    def fit(self, X, y):
        return self

    def predict(self, X):
        return np.zeros(len(X))


def scribble(data):
    if sparse.issparse(data):
        data.data[:] = 0
    elif isinstance(data, pd.DataFrame):
        data.iloc[:, :] = 0.0
    elif isinstance(data, pd.Series):
        data.iloc[:] = 0
    elif isinstance(data, pl.DataFrame):
        for row in range(len(data)):
            data[row, 0] = 0.0
    else:
        data[:] = [data[0]] * len(data)


def n_fits(path):
    return len(path.read_text(encoding="utf-8").splitlines()) if path.exists() else 0


def bare_loop(estimator, X, y, cv, loss):
    """Return losses and the row and split of each, by the obvious loop."""
    values, rows, numbers = [], [], []
    for number, (train, test) in enumerate(cv.split(X, y)):
        model = clone(estimator).fit(X[train], y[train])
        values.append(loss(y[test], model.predict(X[test])))
        rows.append(test)
        numbers.append(np.full(len(test), number))
    return tuple(map(np.concatenate, (values, rows, numbers)))


def zero_one(y_true, y_pred):
    return (y_true != y_pred).astype(float)


def squared(y_true, y_pred):
    return (y_true - y_pred) ** 2


# Values -----------------------------------------------------------------------

DESIGNS = [
    BlockKFold(4, random_state=1),
    RepeatedSubsample(3, random_state=1),
    FiveByTwo(random_state=1),
    PairedHalves(BlockKFold(2, random_state=1), 2, random_state=1),
    KFold(3),
    PredefinedSplit(np.repeat([0, -1], 75)),
]


def test_designs_hold_every_splitter():
    assert set(ALL_SPLITTERS) <= {type(cv) for cv in DESIGNS}


@pytest.mark.filterwarnings("ignore:Loss .zero_one. is 1 for all examples")
@pytest.mark.parametrize("cv", DESIGNS, ids=lambda cv: type(cv).__name__)
@pytest.mark.parametrize(
    ("estimators", "data", "loss"),
    [
        ({"tree": TREE, "bayes": GaussianNB()}, IRIS, zero_one),
        (
            {
                "ols": LinearRegression(),
                "stump": DecisionTreeRegressor(max_depth=1, random_state=0),
            },
            (DIABETES[0], DIABETES[1]),
            squared,
        ),
    ],
    ids=["classification", "regression"],
)
def test_cross_val_losses_equals_bare_loop(cv, estimators, data, loss):
    X, y = data
    if isinstance(cv, PredefinedSplit):
        cv = PredefinedSplit(np.repeat([0, -1], len(y) // 2))
    losses = cross_val_losses(estimators, X, y, cv=cv)
    assert losses.names == tuple(estimators)
    for column, estimator in enumerate(estimators.values()):
        values, rows, numbers = bare_loop(estimator, X, y, cv, loss)
        assert_array_equal(losses.values[:, column], values)
        assert_array_equal(losses.row_index, rows)
        assert_array_equal(losses.row_split, numbers)
    sizes = [(len(train), len(test)) for train, test in cv.split(X, y)]
    assert_array_equal(np.c_[losses.n_train, losses.n_test], sizes)


@pytest.mark.parametrize("data", [IRIS, DIGITS], ids=["iris", "digits"])
def test_cross_val_losses_equals_cross_val_predict(data):
    y_pred = cross_val_predict(TREE, *data, cv=FOLDS)
    losses = cross_val_losses(TREE, *data, cv=FOLDS)
    assert_array_equal(losses.values[:, 0], (y_pred != data[1])[losses.row_index])


def test_cross_val_losses_of_probabilities_equals_cross_val_predict():
    X, y = IRIS
    proba = cross_val_predict(GaussianNB(), X, y, cv=FOLDS, method="predict_proba")
    losses = cross_val_losses(GaussianNB(), X, y, cv=FOLDS, loss="log_loss")
    p_true = proba[np.arange(len(y)), y].clip(np.finfo(float).eps)
    assert_allclose(losses.values[:, 0], -np.log(p_true)[losses.row_index], atol=1e-15)


@pytest.mark.parametrize("cv", DESIGNS[:4], ids=lambda cv: type(cv).__name__)
def test_block_losses_equal_cross_val_score(cv):
    scores = cross_val_score(
        Ridge(), *DIABETES, cv=cv, scoring="neg_mean_squared_error"
    )
    losses = cross_val_losses(Ridge(), *DIABETES, cv=cv)
    assert_allclose(losses.block_losses[:, 0], -scores, rtol=1e-12)


def test_cross_val_losses_takes_a_callable_loss():
    losses = cross_val_losses(Ridge(), *DIABETES, cv=FOLDS, loss=squared)
    expected = cross_val_losses(Ridge(), *DIABETES, cv=FOLDS, loss="squared_error")
    assert_allclose(losses.values, expected.values, rtol=1e-12)
    assert losses.metric.name == "squared"


def test_cross_val_losses_measures_times_of_every_fit():
    losses = cross_val_losses([TREE, GaussianNB()], *IRIS, cv=FOLDS)
    assert losses.fit_time.shape == (3, 2)
    assert np.all((losses.fit_time > 0) & (losses.fit_time < 60))


@pytest.mark.parametrize("n_splits", [7, 30], ids=["uneven", "leave-one-out"])
def test_cross_val_losses_weighs_blocks_by_actual_sizes(n_splits):
    X, y = NUMBERED
    losses = cross_val_losses(Plain(), X, y, cv=n_splits, loss="squared_error")
    assert losses.n_test.sum() == len(y)
    assert_array_equal(losses.n_train + losses.n_test, 30)
    blocks = [
        losses.values[losses.row_split == k].mean(axis=0) for k in range(n_splits)
    ]
    assert_allclose(losses.block_losses, blocks, rtol=1e-12)


# Nothing given is changed -----------------------------------------------------


def test_cross_val_losses_leaves_estimators_untouched():
    estimators = {
        "forest": RandomForestClassifier(3, random_state=np.random.RandomState(0)),
        "fitted": clone(TREE).fit(*IRIS),
        "warm": RandomForestClassifier(2, warm_start=True, random_state=0).fit(*IRIS),
        "pipe": make_pipeline(StandardScaler(copy=False), SVC()),
        "search": GridSearchCV(DecisionTreeClassifier(), {"max_depth": [1, 2]}, cv=2),
    }
    before = {name: joblib.hash(estimator) for name, estimator in estimators.items()}
    objects = {name: id(estimator) for name, estimator in estimators.items()}
    cross_val_losses(estimators, *IRIS, cv=FOLDS, return_estimator=True)
    assert {name: joblib.hash(est) for name, est in estimators.items()} == before
    assert {name: id(estimator) for name, estimator in estimators.items()} == objects


@pytest.mark.parametrize(
    "container",
    [
        np.array,
        np.asfortranarray,
        pd.DataFrame,
        lambda X: pl.DataFrame(X, schema=[f"x{i}" for i in range(X.shape[1])]),
        sparse.csr_matrix,
        sparse.csc_array,
        np.ndarray.tolist,
    ],
    ids=["C", "F", "pandas", "polars", "csr", "csc", "list"],
)
@pytest.mark.parametrize("position", [0, 1, 2])
def test_estimators_do_not_see_what_others_write(container, position):
    X, y = container(IRIS[0]), IRIS[1].copy()
    before = joblib.hash((X, y))
    alone = cross_val_losses(TREE, X, y, cv=FOLDS)
    estimators = [("tree", TREE), ("again", clone(TREE))]
    estimators.insert(position, ("scribbler", Scribbler()))
    losses = cross_val_losses(estimators, X, y, cv=FOLDS)
    for name in ("tree", "again"):
        assert_array_equal(losses.residuals(name).values, alone.values[:, 0])
    assert joblib.hash((X, y)) == before


@pytest.mark.parametrize("target", [np.array, pd.Series, list])
def test_estimators_do_not_see_targets_others_write(target):
    y = target(IRIS[1])
    losses = cross_val_losses({"s": Scribbler(), "t": TREE}, IRIS[0], y, cv=FOLDS)
    alone = cross_val_losses(TREE, *IRIS, cv=FOLDS)
    assert_array_equal(losses.residuals("t").values, alone.values[:, 0])
    assert_array_equal(y, IRIS[1])


def test_in_place_scaler_in_a_pipeline_changes_nothing_for_others():
    X, y = IRIS[0].copy(), IRIS[1].copy()
    pipe = make_pipeline(StandardScaler(copy=False), GaussianNB())
    estimators = {"tree": TREE, "pipe": pipe, "again": TREE, "twice": clone(pipe)}
    losses = cross_val_losses(estimators, X, y, cv=FOLDS)
    for name, estimator in estimators.items():
        values, *_ = bare_loop(estimator, *IRIS, FOLDS, zero_one)
        assert_array_equal(losses.residuals(name).values, values)
    assert_array_equal(X, IRIS[0])


def test_warm_start_does_not_leak_between_splits():
    warm = RandomForestClassifier(3, warm_start=True, random_state=0)
    cold = RandomForestClassifier(3, random_state=0)
    losses = cross_val_losses({"warm": warm, "cold": cold}, *IRIS, cv=FOLDS)
    assert_array_equal(losses.values[:, 0], losses.values[:, 1])


def test_random_state_instances_give_the_same_again():
    def run():
        forest = RandomForestClassifier(3, random_state=np.random.RandomState(0))
        return [cross_val_losses(forest, *IRIS, cv=FOLDS).values for _ in range(2)]

    first, second = run()
    assert_array_equal(first, second)
    assert_array_equal(first, run()[0])


# Containers -------------------------------------------------------------------


@pytest.mark.parametrize(
    "container",
    [
        pd.DataFrame,
        lambda X: pd.DataFrame(X, index=np.arange(len(X))[::-1]),
        lambda X: pl.DataFrame(X, schema=[f"x{i}" for i in range(X.shape[1])]),
        np.ndarray.tolist,
        np.asfortranarray,
        sparse.csr_matrix,
        sparse.csc_matrix,
        sparse.coo_matrix,
        sparse.csr_array,
        sparse.csc_array,
    ],
)
def test_cross_val_losses_takes_any_container(container):
    losses = cross_val_losses(TREE, container(IRIS[0]), IRIS[1], cv=FOLDS)
    expected = cross_val_losses(TREE, *IRIS, cv=FOLDS)
    assert_array_equal(losses.values, expected.values)
    assert losses.n_samples == 150


NAMES = np.array(["setosa", "versicolor", "virginica"])[IRIS[1]]


@pytest.mark.parametrize(
    "y",
    [
        IRIS[1].tolist(),
        IRIS[1].astype(float),
        IRIS[1][:, np.newaxis].tolist(),
        pd.Series(IRIS[1], index=np.arange(150)[::-1]),
        pd.Series(IRIS[1], dtype="Int64"),
        pl.Series(IRIS[1]),
        NAMES,
        NAMES.tolist(),
        NAMES.astype(object),
        pd.Series(NAMES),
        pd.Series(NAMES, dtype="category"),
        pl.Series(NAMES),
    ],
    ids=lambda y: f"{type(y).__module__}.{type(y).__name__}",
)
@pytest.mark.filterwarnings("ignore:A column-vector y was passed")
def test_cross_val_losses_takes_any_target(y):
    losses = cross_val_losses(TREE, IRIS[0], y, cv=FOLDS)
    expected = cross_val_losses(TREE, *IRIS, cv=FOLDS)
    assert_array_equal(losses.values, expected.values)


TEXTS = [f"{word} number {i % 7}" for i, word in enumerate(["spam eggs", "ham"] * 20)]


@pytest.mark.parametrize("container", [list, np.array, pd.Series, pl.Series])
def test_cross_val_losses_takes_texts(container):
    y = np.arange(40) % 2
    y[::9] = 1
    model = make_pipeline(TfidfVectorizer(), MultinomialNB())
    X = TfidfVectorizer().fit_transform(TEXTS)
    assert sparse.issparse(X)
    losses = cross_val_losses(model, container(TEXTS), y, cv=FOLDS, loss="log_loss")
    values = [
        -np.log(
            clone(model)
            .fit(np.array(TEXTS)[train], y[train])
            .predict_proba(np.array(TEXTS)[test])[np.arange(len(test)), y[test]]
        )
        for train, test in FOLDS.split(y)
    ]
    assert_allclose(losses.values[:, 0], np.concatenate(values), rtol=1e-12)


ONE_HOT = make_column_transformer(
    (OneHotEncoder(), ["colour"]), remainder="passthrough"
)


@pytest.mark.parametrize(
    ("frame", "encoder"), [(pd.DataFrame, ONE_HOT), (pl.DataFrame, OneHotEncoder())]
)
def test_cross_val_losses_takes_frames_with_categories(frame, encoder):
    colour = np.array(["red", "green"])[np.arange(60) % 2]
    data = {"colour": colour, "size": np.arange(60.0) % 5}
    y = 3.0 * (colour == "red") + data["size"]
    model = make_pipeline(encoder, LinearRegression())
    losses = cross_val_losses(model, frame(data), y, cv=FOLDS)
    assert_allclose(losses.values, 0, atol=1e-20)


@pytest.mark.parametrize("container", [np.array, pd.DataFrame, sparse.csr_matrix])
def test_precomputed_kernels_are_sliced_in_both_directions(container):
    X, y = IRIS[0], IRIS[1]
    K = X @ X.T
    estimators = {"kernel": SVC(kernel="precomputed"), "rows": TREE}
    if container is sparse.csr_matrix:
        estimators["kernel"] = SVC(kernel="linear")
    losses = cross_val_losses(estimators, container(K), y, cv=FOLDS)
    rows, *_ = bare_loop(TREE, K, y, FOLDS, zero_one)
    assert_array_equal(losses.residuals("rows").values, rows)
    if container is not sparse.csr_matrix:
        values, *_ = bare_loop(SVC(kernel="linear"), X, y, FOLDS, zero_one)
        assert_array_equal(losses.residuals("kernel").values, values)


def test_precomputed_kernel_that_is_not_square_says_so():
    with pytest.raises(ValueError, match="`X` must be a square kernel"):
        cross_val_losses(SVC(kernel="precomputed"), *IRIS, cv=FOLDS)


def test_cross_val_losses_without_target():
    X = IRIS[0]
    model = KMeans(2, n_init=1, random_state=0)
    losses = cross_val_losses(model, X, cv=FOLDS, scoring=inertia)
    assert_allclose(
        losses.values[:, 0], -cross_val_score(model, X, cv=FOLDS, scoring=inertia)
    )


def inertia(estimator, X, y=None):
    return estimator.score(X)


# Groups, fit parameters, routing ----------------------------------------------

GROUPS = np.random.default_rng(1).integers(0, 12, 150)


@pytest.mark.parametrize("container", [np.array, list, pd.Series])
def test_groups_reach_the_splitter(container):
    losses = cross_val_losses(TREE, *IRIS, cv=GroupKFold(3), groups=container(GROUPS))
    y_pred = cross_val_predict(TREE, *IRIS, cv=GroupKFold(3), groups=GROUPS)
    assert_array_equal(losses.values[:, 0], (y_pred != IRIS[1])[losses.row_index])
    in_split = [set(GROUPS[losses.row_index[losses.row_split == k]]) for k in range(3)]
    assert sum(map(len, in_split)) == len(set(GROUPS))


def test_groups_beside_splits_already_made_change_nothing():
    splits = list(GroupKFold(3).split(*IRIS, GROUPS))
    losses = cross_val_losses(TREE, *IRIS, cv=splits, groups=GROUPS)
    expected = cross_val_losses(TREE, *IRIS, cv=GroupKFold(3), groups=GROUPS)
    assert_array_equal(losses.values, expected.values)


def weighted_losses(X, y):
    values = [
        zero_one(
            y[test],
            clone(TREE)
            .fit(X[train], y[train], sample_weight=WEIGHTS[train])
            .predict(X[test]),
        )
        for train, test in FOLDS.split(X)
    ]
    return np.concatenate(values)


NOISY = IRIS[0], np.where(np.arange(150) % 3, IRIS[1], (IRIS[1] + 1) % 3)


@pytest.mark.parametrize(
    "weights",
    [
        WEIGHTS,
        WEIGHTS.tolist(),
        pd.Series(WEIGHTS, index=np.arange(150)[::-1]),
        pl.Series(WEIGHTS),
    ],
    ids=lambda weights: type(weights).__module__,
)
def test_sample_weight_is_sliced_with_the_training_set(weights):
    params = {"sample_weight": weights}
    losses = cross_val_losses(TREE, *NOISY, cv=FOLDS, params=params)
    assert_array_equal(losses.values[:, 0], weighted_losses(*NOISY))
    unweighted = cross_val_losses(TREE, *NOISY, cv=FOLDS)
    assert not np.array_equal(losses.values, unweighted.values)


@pytest.mark.parametrize("note", ["x" * 150, {"a": 1}, [1, 2], None, np.float64(3)])
def test_params_without_one_value_per_example_pass_as_they_are(note, tmp_path):
    losses = cross_val_losses(
        {"a": Counted(tmp_path / "fits")},
        *IRIS,
        cv=FOLDS,
        params={"note": note},
        return_estimator=True,
    )
    assert all(fitted.note_ == note for fitted in losses.estimators["a"])


def test_routing_passes_what_is_requested(routing):
    with routing:
        asks = clone(TREE).set_fit_request(sample_weight=True)
        declines = clone(TREE).set_fit_request(sample_weight=False)
        losses = cross_val_losses(
            {"asks": asks, "declines": declines},
            *NOISY,
            cv=FOLDS,
            params={"sample_weight": WEIGHTS},
        )
    unweighted = cross_val_losses(TREE, *NOISY, cv=FOLDS)
    assert_array_equal(losses.values[:, 0], weighted_losses(*NOISY))
    assert_array_equal(losses.values[:, 1], unweighted.values[:, 0])


def test_routing_refuses_what_nobody_decided_on(routing):
    params = {"sample_weight": WEIGHTS}
    match = r"DecisionTreeClassifier\.fit.*within cross_val_losses"
    with routing, pytest.raises(UnsetMetadataPassedError, match=match):
        cross_val_losses(TREE, *IRIS, cv=FOLDS, params=params)


def test_routing_refuses_unknown_metadata(routing):
    with (
        routing,
        pytest.raises(TypeError, match=r"cross_val_losses.*nonsense"),
    ):
        cross_val_losses(TREE, *IRIS, cv=FOLDS, params={"nonsense": WEIGHTS})


def test_routing_takes_groups_in_params(routing):
    expected = cross_val_losses(TREE, *IRIS, cv=GroupKFold(3), groups=GROUPS)
    with routing:
        losses = cross_val_losses(
            TREE, *IRIS, cv=GroupKFold(3), params={"groups": GROUPS}
        )
    assert_array_equal(losses.values, expected.values)


def test_routing_refuses_groups_as_an_argument(routing):
    with routing, pytest.raises(ValueError, match=r"params=\{'groups': groups\}"):
        cross_val_losses(TREE, *IRIS, cv=GroupKFold(3), groups=GROUPS)


def test_routing_without_params_changes_nothing(routing):
    with routing:
        losses = cross_val_losses([TREE, Plain()], *IRIS, cv=FOLDS, loss="zero_one")
    expected = cross_val_losses(TREE, *IRIS, cv=FOLDS)
    assert_array_equal(losses.values[:, 0], expected.values[:, 0])


# Parallel ---------------------------------------------------------------------


@pytest.mark.parametrize("backend", ["loky", "threading"])
def test_cross_val_losses_does_not_depend_on_n_jobs(backend):
    estimators = [
        RandomForestClassifier(5, random_state=np.random.RandomState(3)),
        make_pipeline(StandardScaler(copy=False), SGDClassifier(random_state=0)),
    ]
    serial = cross_val_losses(estimators, *IRIS, cv=FOLDS, n_jobs=1)
    with joblib.parallel_config(backend=backend):
        parallel = cross_val_losses(estimators, *IRIS, cv=FOLDS, n_jobs=2)
    assert_array_equal(parallel.values, serial.values)
    assert_array_equal(parallel.row_index, serial.row_index)


def test_routing_reaches_other_processes(routing):
    with routing:
        model = make_pipeline(
            StandardScaler().set_fit_request(sample_weight=False),
            clone(TREE).set_fit_request(sample_weight=True),
        )
        params = {"sample_weight": WEIGHTS}
        losses = cross_val_losses(model, *NOISY, cv=FOLDS, params=params, n_jobs=2)
    assert_array_equal(losses.values[:, 0], weighted_losses(*NOISY))


@pytest.mark.parametrize("n_jobs", [1, 2])
def test_verbose_reports_progress(n_jobs, capfd):
    with joblib.parallel_config(backend="threading"):
        cross_val_losses(TREE, *IRIS, cv=FOLDS, verbose=10, n_jobs=n_jobs)
    assert f"[Parallel(n_jobs={n_jobs})]" in "".join(capfd.readouterr())


def test_cross_val_losses_prints_nothing_unasked(capfd):
    cross_val_losses([TREE, GaussianNB()], *IRIS, cv=FOLDS)
    assert capfd.readouterr() == ("", "")


# Failures ---------------------------------------------------------------------


def fragile(where, **options):
    estimators = {"good": Fragile(), "bad": Fragile(where)}
    return cross_val_losses(estimators, *NUMBERED, cv=FOLDS, **options)


def split_of_example_zero():
    return [0 in test for _, test in FOLDS.split(NUMBERED[0])].index(True)


@pytest.mark.parametrize("where", ["fit", "predict"])
@pytest.mark.parametrize("error_score", [np.nan, 7, 2.5])
def test_failed_fits_take_error_score(where, error_score):
    with pytest.warns(FitFailedWarning, match="broken on purpose") as record:
        losses = fragile(where, error_score=error_score)
    message = str(record[0].message)
    assert message.startswith("1 of 6 fits failed, by estimator: 'bad' 1 (of 3 splits)")
    assert "'good'" not in message
    assert "1 of them: RuntimeError: broken on purpose" in message
    failed = losses.row_split == split_of_example_zero()
    assert_array_equal(losses.values[failed, 1], error_score)
    assert np.all(np.isfinite(losses.values[~failed, 1]))
    assert_array_equal(losses.values[:, 0], fragile("nowhere").values[:, 0])


def test_failed_fits_warn_at_the_line_of_the_caller():
    with pytest.warns(FitFailedWarning) as record:
        fragile("fit")
    assert record[0].filename == __file__


@pytest.mark.parametrize("where", ["fit", "predict"])
@pytest.mark.parametrize("n_jobs", [1, 2])
def test_failed_fits_raise_on_request(where, n_jobs):
    with (
        joblib.parallel_config(backend="threading"),
        pytest.raises(RuntimeError, match="broken on purpose") as caught,
    ):
        fragile(where, error_score="raise", n_jobs=n_jobs)
    assert caught.value.__notes__ == ["raised by estimator 'bad'"]


def test_all_fits_failing_raises():
    with pytest.raises(
        ValueError, match="All fits failed: RuntimeError: broken on purpose"
    ):
        cross_val_losses({"bad": Fragile("always")}, *NUMBERED, cv=FOLDS)


def test_one_estimator_failing_everywhere_leaves_the_other():
    with pytest.warns(FitFailedWarning, match="'bad' 3"):
        losses = fragile("always")
    assert np.isnan(losses.values[:, 1]).all()
    assert list(losses.errors) == ["bad"]
    assert len(losses.errors["bad"]) == 3


def test_predictions_of_nan_are_named_by_residuals():
    with pytest.warns(FitFailedWarning, match="'bad' 1 (.|\n)*predict returned nan"):
        losses = fragile("nan")
    split = split_of_example_zero()
    match = f"must be finite; got nan in split {split} of 'good' and 'bad'"
    with pytest.raises(ValueError, match=match):
        losses.residuals("good", "bad")


@pytest.mark.parametrize("error_score", [np.nan, 0.5])
def test_failed_scores_take_error_score_negated(error_score):
    options = {"scoring": "neg_max_error", "error_score": error_score}
    with pytest.warns(FitFailedWarning):
        losses = fragile("fit", **options)
    assert_array_equal(losses.block_losses[split_of_example_zero(), 1], -error_score)


def test_failed_fits_keep_no_estimator():
    with pytest.warns(FitFailedWarning):
        kept = fragile("fit", return_estimator=True).estimators["bad"]
    assert [one is None for one in kept] == [
        k == split_of_example_zero() for k in range(3)
    ]


def broken_loss(y_true, y_pred):
    raise KeyError("no such thing")


@pytest.mark.parametrize(
    ("loss", "message"),
    [
        (broken_loss, "no such thing"),
        (lambda y_true, y_pred: 1.0, "loss must be one number per example"),
        (lambda y_true, y_pred: y_true[:-1], "loss must be one number per example"),
    ],
)
def test_broken_losses_are_said_to_be(loss, message):
    with pytest.raises(ValueError, match=message):
        cross_val_losses(Ridge(), *DIABETES, cv=FOLDS, loss=loss)


# Estimators of any kind -------------------------------------------------------


def test_estimator_without_base_class_needs_a_named_loss():
    with pytest.raises(ValueError, match="not all classifiers or all regressors"):
        cross_val_losses(Plain(), *NUMBERED, cv=FOLDS)


def test_estimator_that_cannot_be_cloned_is_refused():
    with pytest.raises(TypeError, match="`estimators` must be estimators"):
        cross_val_losses(Bare(), *NUMBERED, cv=FOLDS, loss="squared_error")


@pytest.mark.parametrize(
    ("model", "loss"),
    [
        (StackingClassifier([("a", TREE), ("b", GaussianNB())], cv=2), "auto"),
        (
            StackingClassifier([("a", TREE)], final_estimator=GaussianNB(), cv=2),
            "log_loss",
        ),
        (
            GridSearchCV(StackingClassifier([("a", TREE)], cv=2), {"cv": [2, 3]}, cv=2),
            "auto",
        ),
        (VotingClassifier([("a", TREE), ("b", GaussianNB())], voting="soft"), "brier"),
        (GridSearchCV(TREE, {"max_depth": [1, 2]}, cv=2), "log_loss"),
        (make_pipeline(StandardScaler(), GaussianNB()), "log_loss"),
    ],
    ids=[
        "stacking",
        "stacking-named",
        "stacking-search",
        "voting",
        "search",
        "pipeline",
    ],
)
@pytest.mark.filterwarnings("ignore:lbfgs failed to converge")
def test_meta_estimators_are_not_refused(model, loss):
    losses = cross_val_losses(model, *IRIS, cv=2, loss=loss)
    assert np.all(np.isfinite(losses.values))


def test_auto_loss_needs_estimators_of_one_kind():
    with pytest.raises(ValueError, match="all classifiers or all regressors"):
        cross_val_losses([TREE, Ridge()], *IRIS, cv=FOLDS)


def test_named_loss_mixes_classifiers_and_regressors():
    losses = cross_val_losses([TREE, Ridge()], *IRIS, cv=FOLDS, loss="squared_error")
    assert np.all(np.isfinite(losses.values))


@pytest.mark.parametrize(
    ("estimators", "names"),
    [
        (TREE, ("decisiontreeclassifier",)),
        ([TREE, GaussianNB()], ("decisiontreeclassifier", "gaussiannb")),
        ([TREE, TREE], ("decisiontreeclassifier-1", "decisiontreeclassifier-2")),
        ([("b", TREE), ("a", GaussianNB())], ("b", "a")),
        ((("b", TREE), ("a", GaussianNB())), ("b", "a")),
        ({"z": TREE, "ρ <b>": GaussianNB()}, ("z", "ρ <b>")),
    ],
)
def test_estimators_are_named_in_order(estimators, names):
    assert cross_val_losses(estimators, *IRIS, cv=FOLDS).names == names


# Scoring ----------------------------------------------------------------------


@pytest.mark.parametrize(
    ("model", "data", "scoring"),
    [
        (TREE, IRIS, "roc_auc_ovr"),
        (TREE, DIGITS, "f1_micro"),
        (Ridge(), DIABETES, "r2"),
        (Ridge(), DIABETES, "neg_mean_absolute_error"),
        (TREE, IRIS, make_scorer(accuracy_score)),
        (TREE, IRIS, lambda estimator, X, y: estimator.score(X, y)),
    ],
)
def test_scoring_keeps_minus_the_score_of_every_split(model, data, scoring):
    cv = RepeatedSubsample(4, test_size=0.3, random_state=0)
    losses = cross_val_losses(model, *data, cv=cv, scoring=scoring)
    scores = cross_val_score(model, *data, cv=cv, scoring=scoring)
    assert_allclose(losses.block_losses[:, 0], -scores, rtol=1e-12)
    assert losses.per_example == (losses.row_index is not None)
    assert len(losses.row_split) == len(losses.values)
    assert_array_equal(losses.n_test, [0.3 * len(data[0])] * 4)


@pytest.mark.parametrize(
    ("options", "error", "match"),
    [
        ({"scoring": "nonsense"}, ValueError, "'nonsense' is not a valid scoring"),
        ({"scoring": ["r2", 3]}, ValueError, "'scoring' .* Got 3"),
        ({"scoring": accuracy_score}, ValueError, r"make_scorer\(accuracy_score\)"),
        ({"scoring": lambda e, X, y: [1.0, 2.0]}, ValueError, "real number, not"),
        ({"scoring": "r2", "loss": "squared_error"}, ValueError, "`loss` must be left"),
        ({"loss": "nonsense"}, ValueError, "`loss` must be .*; got 'nonsense'"),
        ({"loss": 3}, ValueError, "`loss` must be"),
        ({"loss": "poisson_deviance"}, ValueError, "no target below"),
    ],
)
def test_bad_measures_are_refused(options, error, match):
    X, y = NUMBERED
    with pytest.raises(error, match=match):
        cross_val_losses(Ridge(), X, y, cv=FOLDS, **options)


# What is returned -------------------------------------------------------------


def test_return_estimator_keeps_the_fits_of_every_split():
    losses = cross_val_losses(
        {"tree": TREE, "bayes": GaussianNB()}, *IRIS, cv=FOLDS, return_estimator=True
    )
    assert list(losses.estimators) == ["tree", "bayes"]
    for name, fitted in losses.estimators.items():
        assert len(fitted) == 3
        for number, one in enumerate(fitted):
            rows = losses.row_split == number
            test = losses.row_index[rows]
            wrong = one.predict(IRIS[0][test]) != IRIS[1][test]
            assert_array_equal(losses.residuals(name).values[rows], wrong)


def test_estimators_are_not_kept_unasked():
    assert cross_val_losses(TREE, *IRIS, cv=FOLDS).estimators == {}


# Memory -----------------------------------------------------------------------


@pytest.mark.parametrize("kind", [str, Path])
def test_memory_spares_fits_of_a_second_call(kind, tmp_path):
    store, log = tmp_path / "store", tmp_path / "fits"
    memory = kind(store)
    estimators = {"a": Counted(log), "b": Counted(log, answer=1)}
    first = cross_val_losses(estimators, *IRIS, cv=FOLDS, memory=memory)
    assert n_fits(log) == 6
    second = cross_val_losses(estimators, *IRIS, cv=FOLDS, memory=memory)
    assert n_fits(log) == 6
    assert_array_equal(first.values, second.values)
    assert_array_equal(
        first.values, cross_val_losses(estimators, *IRIS, cv=FOLDS).values
    )


@pytest.mark.parametrize(
    ("change", "n_new"),
    [
        ({"X": IRIS[0] + 1}, 3),
        ({"y": IRIS[1] % 2}, 3),
        ({"params": {"sample_weight": WEIGHTS}}, 3),
        ({"params": {"note": "new"}}, 3),
        ({"loss": squared}, 3),
        ({"scoring": "accuracy"}, 3),
        ({"return_estimator": True}, 3),
        ({"cv": BlockKFold(3, random_state=1)}, 3),
        ({"cv": [*FOLDS.split(IRIS[0])][:2]}, 0),
        ({"error_score": "raise"}, 0),
        ({"n_jobs": 1, "verbose": 0}, 0),
    ],
    ids=lambda change: "-".join(change) if isinstance(change, dict) else None,
)
def test_memory_fits_again_what_changed(change, n_new, tmp_path):
    log = tmp_path / "fits"
    options = {"X": IRIS[0], "y": IRIS[1], "cv": FOLDS, "memory": tmp_path / "store"}
    cross_val_losses(Counted(log), **options)
    cross_val_losses(Counted(log), **options | change)
    assert n_fits(log) == 3 + n_new


def test_memory_keeps_unseeded_estimators_apart(tmp_path):
    dice = {name: DummyClassifier(strategy="uniform") for name in "ab"}
    losses = cross_val_losses(dice, *IRIS, cv=FOLDS, memory=tmp_path)
    assert not np.array_equal(losses.values[:, 0], losses.values[:, 1])


def test_memory_does_not_keep_failures(tmp_path):
    for _ in range(2):
        with pytest.warns(FitFailedWarning, match="1 of 6 fits failed"):
            fragile("fit", memory=tmp_path)


# Splits -----------------------------------------------------------------------


@pytest.mark.parametrize("n_splits", [3, np.int64(3)])
def test_cv_integer_is_a_seeded_block_k_fold(n_splits):
    losses = cross_val_losses(Ridge(), *DIABETES, cv=n_splits)
    expected = cross_val_losses(Ridge(), *DIABETES, cv=BlockKFold(3, random_state=0))
    assert_array_equal(losses.row_index, expected.row_index)
    assert str(losses.design) == "3-fold cross-validation"


def test_cv_none_is_two_seeded_five_folds():
    losses = cross_val_losses(Ridge(), *DIABETES)
    cv = BlockKFold(5, n_repeats=2, random_state=0)
    expected = cross_val_losses(Ridge(), *DIABETES, cv=cv)
    assert_array_equal(losses.row_index, expected.row_index)
    assert losses.design.kind == "repeated k-fold"


@pytest.mark.parametrize("form", [list, iter, lambda s: (pair for pair in s), tuple])
def test_cv_iterables_are_read_once_for_all_estimators(form):
    splits = list(FOLDS.split(IRIS[0]))
    losses = cross_val_losses([TREE, GaussianNB()], *IRIS, cv=form(splits))
    expected = cross_val_losses([TREE, GaussianNB()], *IRIS, cv=FOLDS)
    assert_array_equal(losses.values, expected.values)
    assert_array_equal(losses.row_index, expected.row_index)
    assert losses.design == expected.design


def test_cv_with_masks_equals_cv_with_indices():
    rows = np.arange(150)
    masks = [
        (np.isin(rows, train), np.isin(rows, test))
        for train, test in FOLDS.split(IRIS[0])
    ]
    losses = cross_val_losses(TREE, *IRIS, cv=masks)
    assert losses.design.kind == "k-fold"
    assert losses.values.mean() == cross_val_losses(TREE, *IRIS, cv=FOLDS).values.mean()


def test_unseeded_splitters_are_shared_by_all_estimators():
    cv = BlockKFold(5, random_state=None)
    losses = cross_val_losses([TREE, clone(TREE)], *IRIS, cv=cv)
    assert_array_equal(losses.values[:, 0], losses.values[:, 1])


TRAIN, TEST = np.arange(100), np.arange(100, 150)


@pytest.mark.parametrize(("cv", "n_each"), [(5, 10), (None, 10)])
def test_default_splits_are_stratified_for_classifiers(cv, n_each):
    losses = cross_val_losses(GaussianNB(), *IRIS, cv=cv)
    for number in range(len(losses.n_test)):
        labels = IRIS[1][losses.row_index[losses.row_split == number]]
        assert_array_equal(np.bincount(labels), n_each)


@pytest.mark.parametrize("cv", [5, None])
def test_default_splits_are_not_stratified_for_regressors(cv):
    losses = cross_val_losses(Ridge(), *IRIS, cv=cv)
    labels = IRIS[1][losses.row_index[losses.row_split == 0]]
    assert len(set(np.bincount(labels))) > 1


def test_cv_integer_stratifies_as_scikit_learn_does():
    losses = cross_val_losses(GaussianNB(), *IRIS, cv=4)
    cv = StratifiedKFold(4, shuffle=True, random_state=0)
    expected = cross_val_losses(GaussianNB(), *IRIS, cv=cv)
    assert_array_equal(losses.row_index, expected.row_index)


@pytest.mark.parametrize("cv", [5, None])
@pytest.mark.parametrize(
    "y",
    [
        np.arange(150) // 2,
        np.arange(150),
        np.r_[np.zeros(147, int), 1, 2, 3],
        np.r_[np.zeros(75, int), np.arange(75)],
    ],
    ids=["pairs", "all different", "three single", "half single"],
)
@pytest.mark.filterwarnings("ignore:The least populated class", "ignore:The number of")
@pytest.mark.filterwarnings("ignore:Loss .zero_one. is 1 for all examples")
@pytest.mark.filterwarnings("ignore:.*neighbouring rows")  # sorted by the true class
def test_default_splits_survive_rare_classes(y, cv):
    losses = cross_val_losses(DecisionTreeClassifier(), IRIS[0], y, cv=cv)
    assert np.all(np.isfinite(losses.values))


def test_leave_one_out_is_a_k_fold():
    losses = cross_val_losses(Ridge(), *NUMBERED, cv=LeaveOneOut())
    assert losses.design.kind == "k-fold"
    assert_array_equal(losses.n_test, np.ones(30))


# Other arguments --------------------------------------------------------------


@pytest.mark.parametrize("cv", [5, None])
def test_labels_that_cannot_be_sorted_are_refused(cv):
    y = np.array(["a", 1, None] * 50, dtype=object)
    with pytest.raises((TypeError, ValueError), match="`y` must be"):
        cross_val_losses(GaussianNB(), IRIS[0], y, cv=cv)


def test_fitted_estimators_do_not_miss_the_cache(tmp_path):
    model, path = DecisionTreeClassifier(random_state=0), tmp_path / "memory"
    first = cross_val_losses(model, *IRIS, cv=FOLDS, memory=path)
    times = first.fit_time
    again = cross_val_losses(model.fit(*IRIS), *IRIS, cv=FOLDS, memory=path)
    np.testing.assert_array_equal(again.fit_time, times)  # read, not measured anew
    other = cross_val_losses(
        DecisionTreeClassifier(random_state=1), *IRIS, cv=FOLDS, memory=path
    )
    assert not np.array_equal(other.fit_time, times)


# Input that scikit-learn or joblib would take for something else -------------------


@pytest.mark.parametrize("n_weights", [100, 149])
def test_weights_of_another_length_are_refused(n_weights):
    weights = np.ones(n_weights)  # 100: of a training set, to scikit-learn
    with pytest.raises(ValueError, match="`sample_weight` must be 150 weights"):
        cross_val_losses(TREE, *IRIS, cv=3, params={"sample_weight": weights})


@pytest.mark.parametrize("what", ["X", "y", "groups", "sample_weight"])
def test_masked_values_are_refused(what):
    masked = np.ma.masked_array(np.arange(150), mask=np.arange(150) == 3)
    data = {"X": IRIS[0], "y": IRIS[1], "groups": None, "params": None}
    if what == "sample_weight":
        data["params"] = {what: masked}
    else:
        data[what] = masked[:, np.newaxis] if what == "X" else masked
    with pytest.raises((TypeError, ValueError), match=f"{what}.*must be.*masked"):
        cross_val_losses(TREE, **data, cv=3)


# Dask, and who does what when --------------------------------------------------
