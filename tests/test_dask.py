"""Dask: a cluster of processes gives what this process gives, and survives losses."""

import contextlib
import os
import sys
import time

import joblib
import numpy as np
import pandas as pd
import pytest
from numpy.testing import assert_array_equal
from sklearn import config_context
from sklearn.base import BaseEstimator, RegressorMixin
from sklearn.exceptions import FitFailedWarning
from sklearn.feature_extraction.text import TfidfVectorizer
from sklearn.linear_model import Ridge
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

from sklearn_cvtest import BlockKFold, cross_val_losses

distributed = pytest.importorskip("distributed", reason="needs the extra dask")
# a cluster that stops warns of sockets and loops of its own
pytestmark = [pytest.mark.full, pytest.mark.filterwarnings("default")]

RNG = np.random.default_rng(0)
X = RNG.normal(size=(400, 5))
Y = X[:, 0] + RNG.normal(size=400)
FOLDS = BlockKFold(5, random_state=0)


class Ending(RegressorMixin, BaseEstimator):
    """Ends the process it is first fitted in, where there is no such file yet."""

    def __init__(self, path):
        self.path = path

    def fit(self, X, y):
        self.mean_ = y.mean()
        with contextlib.suppress(FileExistsError), open(self.path, "x"):
            os._exit(1)
        return self

    def predict(self, X):
        return np.full(len(X), self.mean_)


@pytest.fixture(name="client", scope="module")
def cluster_of_two():
    with (
        distributed.LocalCluster(
            n_workers=2,
            threads_per_worker=1,
            dashboard_address=None,
            silence_logs=50,
        ) as cluster,
        distributed.Client(cluster) as client,
    ):
        client.wait_for_workers(2)
        client.register_plugin(_Paths(os.path.dirname(__file__)))
        yield client


class _Paths(distributed.WorkerPlugin):
    """Lets workers, also those started later, import this module."""

    def __init__(self, path):
        self.path = path

    def setup(self, worker):
        sys.path.insert(0, self.path)


class Deadly(RegressorMixin, BaseEstimator):
    """Ends every process but the caller's that fits it without a certain row."""

    def __init__(self, caller, row):
        self.caller = caller
        self.row = row

    def fit(self, X, y):
        if self.row not in X[:, 0]:
            if os.getpid() == self.caller:
                raise RuntimeError("fitted in the process of the caller")
            os._exit(1)
        self.mean_ = y.mean()
        return self

    def predict(self, X):
        return np.full(len(X), self.mean_)


class Where(RegressorMixin, BaseEstimator):
    """Predicts the number of the process it was fitted in."""

    def fit(self, X, y):
        self.pid_ = os.getpid()
        return self

    def predict(self, X):
        return np.full(len(X), float(self.pid_))


class SeesFrames(RegressorMixin, BaseEstimator):
    """Fails unless it gets a data frame."""

    def fit(self, X, y):
        self.columns_ = X.columns
        return self

    def predict(self, X):
        return np.zeros(len(X[self.columns_]))


def models():
    return {
        "ridge": make_pipeline(StandardScaler(), Ridge()),
        "strong": make_pipeline(StandardScaler(), Ridge(100.0)),
        "plain": Ridge(1.0),
    }


@pytest.mark.parametrize("container", [np.asarray, pd.DataFrame, np.ndarray.tolist])
def test_losses_are_those_of_a_local_run(client, container):
    data = container(X), Y
    local = cross_val_losses(models(), *data, cv=FOLDS)
    with joblib.parallel_config(backend="dask"):
        remote = cross_val_losses(models(), *data, cv=FOLDS)
    assert_array_equal(remote.losses, local.losses)
    assert remote.split_hash == local.split_hash


def test_workers_of_a_cluster_are_configured_as_here(client):
    model = make_pipeline(StandardScaler(), SeesFrames())
    with (
        joblib.parallel_config(backend="dask"),
        config_context(transform_output="pandas"),
    ):
        losses = cross_val_losses(model, X, Y, cv=FOLDS, error_score="raise")
    assert losses.losses[:, 0] == pytest.approx(Y[losses.row_index] ** 2)


@pytest.mark.parametrize("kind", ["array", "texts"])
def test_data_are_sent_once(client, kind, monkeypatch):
    data, vectoriser = X, StandardScaler()
    if kind == "texts":
        data = [f"a{number % 7} b{number % 5} c" for number in range(400)]
        vectoriser = TfidfVectorizer()
    sent = []
    scatter = type(client).scatter

    def watched(self, value, **options):
        sent.append(type(value).__mro__)
        return scatter(self, value, **options)

    monkeypatch.setattr(type(client), "scatter", watched)
    models = {
        f"m{number}": make_pipeline(vectoriser, Ridge(1.0 + number))
        for number in range(3)
    }
    with joblib.parallel_config(backend="dask"):
        cross_val_losses(models, data, Y, cv=FOLDS, share_steps=False)
    # X, and y, which is the target, too: once for 15 tasks
    assert len(sent) == 2
    assert all(list in mro or np.ndarray in mro for mro in sent)


def test_a_worker_that_dies_is_survived(client, tmp_path):
    model = {"ending": Ending(str(tmp_path / "ended")), "ridge": Ridge()}
    with joblib.parallel_config(backend="dask"):
        remote = cross_val_losses(model, X, Y, cv=FOLDS)
    assert (tmp_path / "ended").exists()
    local = cross_val_losses(model, X, Y, cv=FOLDS)
    assert_array_equal(remote.losses, local.losses)


def test_results_are_stored_by_workers(client, tmp_path):
    options = {"cv": FOLDS, "memory": tmp_path}
    with joblib.parallel_config(backend="dask"):
        remote = cross_val_losses(models(), X, Y, **options)
    assert len(list(tmp_path.glob("**/*.npz"))) == 15
    assert_array_equal(
        cross_val_losses(models(), X, Y, **options).losses, remote.losses
    )


def test_errors_of_workers_reach_the_caller(client):
    with (
        joblib.parallel_config(backend="dask"),
        pytest.raises(ValueError, match="solver"),
    ):
        cross_val_losses(Ridge(solver="nonsense"), X, Y, cv=FOLDS, error_score="raise")


def test_a_fit_that_ends_every_worker_is_a_failed_fit(client):
    test = next(iter(FOLDS.split(X)))[1]
    deadly = {"deadly": Deadly(os.getpid(), X[test[0], 0]), "ridge": Ridge()}
    with joblib.parallel_config(backend="dask"):
        with pytest.warns(FitFailedWarning, match="'deadly' on split 0") as told:
            remote = cross_val_losses(deadly, X, Y, cv=FOLDS)
        assert "in the process of the caller" not in str(told[0].message)
    assert remote.fit_failed.sum() == remote.fit_failed[0, 0] == 1
    expected = cross_val_losses(Ridge(), X, Y, cv=FOLDS)
    assert_array_equal(remote.losses[:, 1:], expected.losses)


class Poisoned(Deadly):
    """Ends every process but the caller's that fits it on any training set."""

    def fit(self, X, y):
        return super().fit(X[:0], y)


def test_ten_fits_that_end_their_workers_are_ten_failed_fits():
    models = {"poison": Poisoned(os.getpid(), 0)}
    models |= {f"r{number}": Ridge(1.0 + number) for number in range(4)}
    cv = BlockKFold(10, random_state=0)
    start = time.monotonic()
    with (
        distributed.LocalCluster(
            n_workers=2,
            threads_per_worker=1,
            dashboard_address=None,
            silence_logs=50,
        ) as cluster,
        distributed.Client(cluster) as client,
        joblib.parallel_config(backend="dask"),
    ):
        client.register_plugin(_Paths(os.path.dirname(__file__)))
        with pytest.warns(FitFailedWarning, match="10 of 50 fits failed.*'poison' 10 "):
            remote = cross_val_losses(models, X, Y, cv=cv)
    assert time.monotonic() - start < 300  # most of it goes into starting processes
    assert remote.fit_failed.sum(axis=0).tolist() == [10, 0, 0, 0, 0]
    local = cross_val_losses(dict(list(models.items())[1:]), X, Y, cv=cv)
    assert_array_equal(remote.losses[:, 1:], local.losses)


def test_one_thread_of_a_cluster_is_not_this_process():
    with (
        distributed.LocalCluster(
            n_workers=1, threads_per_worker=1, dashboard_address=None, silence_logs=50
        ) as cluster,
        distributed.Client(cluster) as alone,
        joblib.parallel_config(backend="dask"),
    ):
        alone.register_plugin(_Paths(os.path.dirname(__file__)))
        pids = cross_val_losses(
            Where(), X, Y, cv=FOLDS, loss=lambda y_true, y_pred: y_pred
        )
    assert os.getpid() not in pids.losses


def test_a_closed_client_is_named():
    with distributed.LocalCluster(1, processes=False, dashboard_address=None) as local:
        client = distributed.Client(local)
        with joblib.parallel_config("dask", client=client):
            client.close()
            with pytest.raises(ValueError, match=r"dask client .* must be open; "):
                cross_val_losses(Ridge(), X, Y, cv=FOLDS)
