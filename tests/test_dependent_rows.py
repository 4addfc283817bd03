"""Errors of neighbouring rows that are alike, though folds mix the rows."""

import warnings

import numpy as np
import pandas as pd
import polars as pl
import pytest
from scipy import sparse
from scipy.stats import rankdata
from sklearn.base import BaseEstimator, ClassifierMixin, clone
from sklearn.compose import ColumnTransformer
from sklearn.datasets import load_iris, load_wine
from sklearn.discriminant_analysis import LinearDiscriminantAnalysis
from sklearn.dummy import DummyRegressor
from sklearn.linear_model import LinearRegression, LogisticRegression
from sklearn.model_selection import KFold, ShuffleSplit, TimeSeriesSplit
from sklearn.pipeline import make_pipeline
from sklearn.tree import DecisionTreeClassifier, DecisionTreeRegressor

from sklearn_cvtest import (
    BlockKFold,
    compare_estimators,
    cross_val_interval,
    cross_val_losses,
)
from sklearn_cvtest.exceptions import DependentRowsWarning

MIXED = BlockKFold(5, n_repeats=2, random_state=0)
ONE_RUN = BlockKFold(5, random_state=0)
MODELS = {
    "line": LinearRegression(),
    "tree": DecisionTreeRegressor(max_depth=2, random_state=0),
}


def series(seed, n=200, memory=0.8):
    """Return X, and y with errors that remember the last ones."""
    rng = np.random.default_rng(seed)
    X, errors = rng.normal(size=(n, 2)), rng.normal(size=n)
    for t in range(1, n):
        errors[t] += memory * errors[t - 1]
    return X, X[:, 0] + errors


def told(run, *args, **options):
    """Return the messages on neighbouring rows."""
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        run(*args, **options)
    return [str(w.message) for w in caught if w.category is DependentRowsWarning]


def by_hand(model, X, y):
    """Return the correlation of errors of adjacent rows and its z, by loops."""
    errors, fold = np.zeros(len(y)), np.zeros(len(y))
    for number, (train, test) in enumerate(MIXED.split(X)):
        predicted = clone(model).fit(X[train], y[train]).predict(X[test])
        errors[test] += y[test] - predicted
        fold[test] = number
    ranks = rankdata(errors)
    ranks = (ranks - ranks.mean()) / ranks.std()
    products = [
        ranks[i] * ranks[i + 1] for i in range(len(y) - 1) if fold[i] != fold[i + 1]
    ]
    error = max(np.sqrt(np.sum(np.square(products))), np.sqrt(len(products)))
    return np.mean(products), np.sum(products) / error


@pytest.mark.parametrize(("memory", "is_told"), [(0.8, True), (0.0, False)])
def test_is_that_of_loops_over_rows(memory, is_told):
    X, y = series(1, memory=memory)
    correlation, z = by_hand(MODELS["line"], X, y)
    assert (z > 4) == is_told
    found = told(cross_val_interval, MODELS["line"], X, y, cv=MIXED)
    assert len(found) == is_told
    if is_told:
        shown = f"neighbouring rows correlate by {correlation:.2f} (ranks; z = {z:.1f})"
        assert shown in found[0]


def test_labels_that_are_wrong_in_runs_are_told_of():
    rng = np.random.default_rng(0)
    X = rng.normal(size=(400, 2))
    is_wrong = np.convolve(rng.normal(size=407), np.ones(8), "valid") > 2
    y = np.where((X[:, 0] > 0) != is_wrong, "yes", "no")
    for how in ({}, {"loss": "log_loss"}, {"scoring": "roc_auc"}):
        (message,) = told(cross_val_losses, LogisticRegression(), X, y, cv=MIXED, **how)
        assert "neighbouring rows" in message


def test_independent_rows_are_not_told_of_whatever_their_tails():
    for seed in range(40):
        rng = np.random.default_rng(seed)
        X, y = rng.normal(size=(60, 2)), rng.standard_cauchy(60)
        assert not told(cross_val_losses, LinearRegression(), X, y, cv=MIXED)


class Reads(ClassifierMixin, BaseEstimator):
    """Predicts what X says."""

    def fit(self, X, y):
        self.classes_ = np.unique(y)
        return self

    def predict(self, X):
        return X[:, 0]


def test_a_few_errors_that_are_all_alone_are_not_told_of():
    # all other ranks of their folds are a little lower, and so alike
    y = (np.arange(1000) >= 500) * 1
    X = y[:, np.newaxis].copy()
    X[[42, 404]] = 1
    assert not told(cross_val_losses, Reads(), X, y, cv=MIXED)


@pytest.mark.parametrize(
    "options",
    [
        {"cv": KFold(5, shuffle=True, random_state=0)},
        {"cv": ShuffleSplit(8, random_state=0)},
        {"cv": MIXED, "scoring": ["r2", "neg_mean_absolute_error"]},
        {"cv": MIXED, "loss": "absolute_error", "per_example": False},
    ],
)
def test_series_are_told_of_once(options):
    (message,) = told(compare_estimators, MODELS, *series(4), **options)
    assert message.startswith("'line' (and 1 more): errors of neighbouring rows")


@pytest.mark.parametrize(
    "options",
    [
        {"cv": BlockKFold(5, shuffle=False)},
        {"cv": TimeSeriesSplit(5)},
        {"cv": BlockKFold(5, random_state=0), "groups": np.arange(200) // 20},
        {"cv": MIXED, "diagnostics": False},
    ],
)
def test_nothing_is_said_of_blocks_of_rows_nor_groups(options):
    assert not told(compare_estimators, MODELS, *series(4), **options)


def test_a_series_is_told_of_whatever_counts_its_rows():
    X, y = series(4)
    time = np.arange(200.0) / 7
    for X_of_time in (
        np.column_stack([X, time]),
        pd.DataFrame(X, columns=["a", "b"]).assign(time=time),
    ):
        assert told(cross_val_losses, MODELS["line"], X_of_time, y, cv=MIXED)


def test_rows_in_another_order_are_not_told_of():
    X, y = series(4)
    order = np.random.default_rng(0).permutation(len(y))
    assert not told(compare_estimators, MODELS, X[order], y[order], cv=MIXED)


def test_rows_sorted_by_what_is_predicted_are_not_told_of():
    X, y = series(5, memory=0.0)
    for order in (np.argsort(y), np.argsort(-y)):
        assert not told(compare_estimators, MODELS, X[order], y[order], cv=MIXED)
    models = {"line": LinearDiscriminantAnalysis(), "k": DecisionTreeClassifier()}
    for load in (load_iris, load_wine):  # sorted by class
        X, y = load(return_X_y=True)
        assert not told(compare_estimators, models, X, y, cv=MIXED)


def test_rows_sorted_by_one_of_two_classes_are_not_told_of():
    models = {"line": LogisticRegression(), "k": DecisionTreeClassifier(max_depth=2)}
    rng = np.random.default_rng(0)
    y = np.arange(300) // 150
    X = rng.normal(size=(300, 3)) + y[:, np.newaxis]
    for blocks in (y, np.arange(300) // 60 % 2):  # of one source after the other
        order = np.argsort(blocks, kind="stable")
        X_sorted = np.empty_like(X)
        X_sorted[order] = X
        assert not told(compare_estimators, models, X_sorted, blocks, cv=MIXED)


def of_two_classes(rng, errors):
    """Return features and classes of 300 rows, with errors."""
    X = rng.normal(size=(300, 3))
    return X, (X[:, 0] + errors > 0).astype(int)


def test_independent_rows_sorted_by_a_feature_are_hardly_told_of():
    models = {"line": LogisticRegression(), "k": DecisionTreeClassifier(max_depth=3)}
    n_told = 0
    for seed in range(20):
        rng = np.random.default_rng(seed)
        X, y = of_two_classes(rng, rng.normal(size=300))
        X[:, 1] += y / 2
        order = np.argsort(X[:, seed % 2])
        n_told += len(told(compare_estimators, models, X[order], y[order], cv=MIXED))
    assert n_told <= 1


def test_stored_fits_tell_the_same(tmp_path):
    X, y = series(4)
    options = {"cv": MIXED, "memory": tmp_path}
    first = told(compare_estimators, MODELS, X, y, **options)
    assert len(first) == 1
    assert told(compare_estimators, MODELS, X, y, **options) == first


class NeverFits(LinearRegression):
    def fit(self, X, y):
        raise ValueError("never")


def test_a_model_that_fails_says_nothing_of_rows():
    models = {"bad": NeverFits(), **MODELS}
    (message,) = told(cross_val_losses, models, *series(4), cv=MIXED, error_score=9.0)
    assert message.startswith("'line' (and 1 more)")


def test_a_constant_is_not_told_of_whatever_the_models_beside_it():
    X, y = series(4)
    models = {"mean": DummyRegressor(), **MODELS}
    (message,) = told(cross_val_losses, models, X, y, cv=MIXED)
    assert message.startswith("'line' (and 1 more)")
    for shift in (0.0, 1e6):
        assert not told(cross_val_losses, DummyRegressor(), X, y + shift, cv=MIXED)


@pytest.mark.parametrize("shift", [0.0, 1e6])
def test_numbers_far_from_zero_are_told_of_like_others(shift):
    X, y = series(4)
    assert len(told(cross_val_losses, MODELS, X, y + shift, cv=MIXED)) == 1


TREE = DecisionTreeRegressor(max_depth=2, random_state=0)
BY_DOSE = make_pipeline(ColumnTransformer([("dose", "passthrough", [0])]), TREE)


# Whatever the container, and however values are coded ---------------------------------


def first_column(X):
    """Return the first column of any container, of shape (n_rows, 1)."""
    if sparse.issparse(X):
        return X.tocsr()[:, [0]].toarray()
    if isinstance(X, pd.DataFrame):
        return X.iloc[:, [0]].to_numpy()
    if isinstance(X, pl.DataFrame):
        return X[:, [0]].to_numpy()
    return np.array([[float(row[0])] for row in X])


class OfFirstColumn(LinearRegression):
    """Does not look at the other columns."""

    def fit(self, X, y):
        return super().fit(first_column(X), y)

    def predict(self, X):
        return super().predict(first_column(X))


def codings(dose, lot):
    """Return the same rows in other containers and codings."""
    n_lots = lot.max() + 1
    order = np.random.default_rng(0).permutation(n_lots)
    words = np.array([f"lot {number}" for number in order])[lot]
    hot = np.eye(n_lots)[lot]
    days = np.datetime64("2020-01-01") + lot.astype("timedelta64[D]")
    rows = [list(row) for row in zip(dose.tolist(), words.tolist(), strict=True)]
    forms = {
        "in order": np.column_stack([dose, lot]),
        "in any order": np.column_stack([dose, order[lot]]),
        "32 bits": np.column_stack([dose, order[lot]]).astype(np.float32),
        "list": np.column_stack([dose, lot]).tolist(),
        "list of words": rows,
        "objects": np.array(rows, dtype=object),
        "one-hot": np.column_stack([dose, hot]),
        "one-hot, first dropped": np.column_stack([dose, hot[:, 1:]]),
        "one-hot, scaled": np.column_stack([dose, (hot - hot.mean(0)) / hot.std(0)]),
        "csr": sparse.csr_matrix(np.column_stack([dose, lot])),
        "csc, one-hot": sparse.csc_array(np.column_stack([dose, hot])),
        "pandas, one-hot": pd.DataFrame(np.column_stack([dose, hot])),
        "pandas, nullable": pd.DataFrame({"dose": dose, "lot": pd.array(order[lot])}),
        "pandas, categories": pd.DataFrame(
            {"dose": dose, "lot": pd.Categorical(words)}
        ),
        "polars, categories": pl.DataFrame(
            {"dose": dose, "lot": pl.Series(words.tolist(), dtype=pl.Categorical)}
        ),
    }
    columns = {
        "in order": lot,
        "in any order": order[lot],
        "8 bits": lot.astype(np.int8),
        "floats": lot / 7,
        "words": words,
        "numbers as words": order[lot].astype(str),
        "dates": days,
    }
    for name, column in columns.items():
        forms[f"pandas, {name}"] = pd.DataFrame({"dose": dose, "lot": column})
        forms[f"polars, {name}"] = pl.DataFrame({"dose": dose, "lot": column})
    return forms


def rows_of_lots(seed, own, memory=0.0):
    """Return a dose, the lots of adjacent rows in order, and a target."""
    rng = np.random.default_rng(seed)
    lot = np.repeat(np.arange(20), 6)
    dose, noise = rng.normal(size=len(lot)), rng.normal(size=len(lot))
    for t in range(1, len(lot)):
        noise[t] += memory * noise[t - 1]
    return dose, lot, dose + noise + own * rng.normal(size=20)[lot]


@pytest.mark.parametrize(
    ("own", "memory", "words"),
    [
        (2.5, 0.0, "errors of neighbouring rows correlate"),
        (0.0, 0.9, "errors of neighbouring rows correlate"),
        (0.0, 0.0, None),
    ],
)
def test_the_container_and_the_coding_make_no_difference(own, memory, words):
    dose, lot, y = rows_of_lots(0, own, memory)
    answers = {}
    for name, X in codings(dose, lot).items():
        messages = told(cross_val_losses, OfFirstColumn(), X, y, cv=MIXED)
        answers[name] = [
            message.partition("correlate by")[2][:24] for message in messages
        ]
        assert len(messages) == (words is not None)
        assert all(words in message for message in messages)
    assert len({str(answer) for answer in answers.values()}) == 1
