"""Copies of training rows in test sets."""

import time
import warnings

import numpy as np
import pandas as pd
import polars as pl
import pytest
from sklearn.datasets import load_iris
from sklearn.dummy import DummyClassifier, DummyRegressor
from sklearn.feature_extraction.text import CountVectorizer
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import KFold
from sklearn.pipeline import make_pipeline
from sklearn.tree import DecisionTreeClassifier

from sklearn_cvtest import BlockKFold, compare_estimators, cross_val_losses
from sklearn_cvtest.exceptions import DependentRowsWarning

CV = BlockKFold(5, random_state=0)


def messages_of(run, *args, **options):
    """Return the messages on identical rows."""
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        run(*args, **options)
    messages = [str(w.message) for w in caught if w.category is DependentRowsWarning]
    return [message for message in messages if "identical row" in message]


def copied(seed=0, n=200, n_copies=60):
    """Return rows, and copies of some of them."""
    rng = np.random.default_rng(seed)
    X, y = rng.normal(size=(n, 4)), rng.integers(2, size=n)
    rows = np.concatenate([np.arange(n), rng.integers(n, size=n_copies)])
    return X[rows], y[rows]


def test_oversampling_before_the_split_brings_a_warning():
    rng = np.random.default_rng(0)
    X, y = rng.normal(size=(200, 5)), (rng.random(200) < 0.165) * 1
    rows = np.concatenate([np.arange(200), rng.choice(np.flatnonzero(y), 134)])
    models = {"lr": LogisticRegression(), "tree": DecisionTreeClassifier()}
    (message,) = messages_of(compare_estimators, models, X[rows], y[rows])
    share = float(message.partition("% of the test rows have an identical row")[0])
    assert 45 < share < 55


def test_the_share_is_that_of_loops_over_splits():
    X, y = copied()
    splits = list(KFold(5, shuffle=True, random_state=0).split(X))
    rows = np.column_stack([X, y]).tolist()
    copies = [
        rows[i] in [rows[j] for j in train] for train, test in splits for i in test
    ]
    (message,) = messages_of(cross_val_losses, DummyClassifier(), X, y, cv=splits)
    assert message.startswith(f"{np.mean(copies):.0%} of the test rows")


@pytest.mark.parametrize("is_copied", [True, False])
@pytest.mark.parametrize("n_words", [1, 3])
def test_the_container_makes_no_difference(is_copied, n_words):
    X, y = copied(n_copies=60 * is_copied)
    mixed = pd.DataFrame(X, columns=list("abcd"))
    for name in "abcd"[:n_words]:  # numbers that are written out
        mixed[name] = [f"{number:.17g} m" for number in mixed[name]]
    containers = [
        X,
        np.asfortranarray(X),
        X.astype(np.float32),
        X.astype(object),
        X.tolist(),
        X.reshape(len(X), 2, 2),
        pd.DataFrame(X),
        pd.DataFrame(X).astype({0: "category"}),
        pl.DataFrame(X),
        mixed,
        mixed.astype("category"),
        pl.DataFrame({name: mixed[name].tolist() for name in mixed}),
        mixed.to_numpy(),
        mixed.to_numpy().tolist(),
    ]
    for target in (y, y.astype(str), y.astype(bool), pd.Series(y), y.tolist()):
        for container in containers:
            messages = messages_of(
                cross_val_losses, DummyClassifier(), container, target, cv=CV
            )
            assert len(messages) == is_copied


def test_missing_values_are_equal():
    X, y = copied(n_copies=0)
    X[np.random.default_rng(1).random(X.shape) < 0.1] = np.nan
    X = np.concatenate([X, X[:40]])
    y = np.concatenate([y, y[:40]])
    assert messages_of(cross_val_losses, DummyClassifier(), X, y, cv=CV)


def test_documents_that_are_there_twice_are_told_of():
    rng = np.random.default_rng(0)
    words = np.array([f"word{k}" for k in range(50)])
    documents = [" ".join(rng.choice(words, 20)) for _ in range(150)]
    documents += documents[:50]
    y = np.arange(200) % 50 % 2
    model = make_pipeline(CountVectorizer(), DummyClassifier())
    for X in (documents, np.array(documents), pd.Series(documents)):
        assert len(messages_of(cross_val_losses, model, X, y, cv=CV)) == 1
        assert not messages_of(cross_val_losses, model, X[:150], y[:150], cv=CV)


def categories(rng, n, n_columns, levels):
    """Return categories that depend on latent classes, and classes that do."""
    shares = rng.dirichlet(np.full(levels, 0.5), size=(4, n_columns))
    latent = rng.integers(4, size=n)
    chance = rng.random((n, n_columns, 1))
    return np.sum(chance > shares.cumsum(axis=-1)[latent], axis=-1), latent % 2


def test_rows_that_are_identical_by_chance_are_not_told_of():
    rng = np.random.default_rng(0)
    X, y = load_iris(return_X_y=True)
    assert not messages_of(cross_val_losses, DummyClassifier(), X, y, cv=CV)
    n_identical = 0
    for _ in range(40):
        n_columns, levels = rng.integers(3, 12), rng.integers(2, 6)
        X, y = categories(rng, 200, n_columns, levels)
        n_identical += len(np.unique(np.column_stack([X, y]), axis=0)) < 190
        one_hot = np.hstack([x[:, np.newaxis] == np.unique(x) for x in X.T]) * 1.0
        for features in (X, one_hot, (one_hot - one_hot.mean(0)) / one_hot.std(0)):
            assert not messages_of(
                cross_val_losses, DummyClassifier(), features, y, cv=CV
            )
    assert n_identical >= 20


def test_a_target_that_discrete_features_determine_makes_no_copies():
    colour, size = np.arange(60) % 2, np.arange(60) % 5
    for X in (np.column_stack([colour, size]), size[:, np.newaxis]):
        y = 3.0 * X[:, 0] + X[:, -1]
        assert not messages_of(cross_val_losses, DummyRegressor(), X, y, cv=CV)


def test_the_target_is_compared_too():
    rng = np.random.default_rng(0)
    X = np.repeat(rng.normal(size=(150, 3)), 2, axis=0)  # a design with repeats
    y = rng.normal(size=300)
    assert not messages_of(cross_val_losses, DummyRegressor(), X, y, cv=CV)
    y = np.repeat(y[:150], 2)
    assert messages_of(cross_val_losses, DummyRegressor(), X, y, cv=CV)


@pytest.mark.parametrize("container", [np.asarray, pd.DataFrame, pl.DataFrame])
def test_the_advice_can_be_followed(container):
    X, y = copied()
    X = container(X)
    (message,) = messages_of(cross_val_losses, DummyClassifier(), X, y, cv=CV)
    code = message.partition("groups=")[2].partition(", drop the")[0]
    groups = eval(code, {"np": np, "X": X})
    options = {"cv": CV, "groups": groups}
    assert not messages_of(cross_val_losses, DummyClassifier(), X, y, **options)


def test_nothing_is_said_unless_it_is_asked_for():
    X, y = copied()
    options = {"cv": CV, "diagnostics": False}
    assert not messages_of(cross_val_losses, DummyClassifier(), X, y, **options)


def test_it_takes_little_time():
    rng = np.random.default_rng(0)
    X, y = rng.normal(size=(100_000, 30)), rng.normal(size=100_000)
    cv = KFold(2)

    def seconds(check):
        start = time.process_time()
        options = {"cv": cv, "loss": "absolute_error", "diagnostics": check}
        messages_of(cross_val_losses, DummyRegressor(), X, y, **options)
        return time.process_time() - start

    extra = min(seconds(True) for _ in range(3)) - min(seconds(False) for _ in range(3))
    assert extra < 0.5
