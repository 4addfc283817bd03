"""Dask: a cluster of processes gives what this process gives."""

import os
import sys

import joblib
import numpy as np
import pandas as pd
import pytest
from common import n_stored
from numpy.testing import assert_array_equal
from sklearn import config_context
from sklearn.base import BaseEstimator, RegressorMixin
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
    assert_array_equal(remote.values, local.values)
    assert_array_equal(remote.row_index, local.row_index)


def test_workers_of_a_cluster_are_configured_as_here(client):
    model = make_pipeline(StandardScaler(), SeesFrames())
    with (
        joblib.parallel_config(backend="dask"),
        config_context(transform_output="pandas"),
    ):
        losses = cross_val_losses(model, X, Y, cv=FOLDS, error_score="raise")
    assert losses.values[:, 0] == pytest.approx(Y[losses.row_index] ** 2)


def test_results_are_stored_by_workers(client, tmp_path):
    options = {"cv": FOLDS, "memory": tmp_path}
    with joblib.parallel_config(backend="dask"):
        remote = cross_val_losses(models(), X, Y, **options)
    assert n_stored(tmp_path) == 15
    assert_array_equal(
        cross_val_losses(models(), X, Y, **options).values, remote.values
    )


def test_errors_of_workers_reach_the_caller(client):
    with (
        joblib.parallel_config(backend="dask"),
        pytest.raises(ValueError, match="solver"),
    ):
        cross_val_losses(Ridge(solver="nonsense"), X, Y, cv=FOLDS, error_score="raise")


class Deadly(RegressorMixin, BaseEstimator):
    """Ends every process but the caller's in which it is fitted."""

    def __init__(self, caller):
        self.caller = caller

    def fit(self, X, y):
        if os.getpid() != self.caller:
            os._exit(1)
        self.mean_ = y.mean()
        return self

    def predict(self, X):
        return np.full(len(X), self.mean_)


def test_what_a_fit_that_ends_its_worker_leaves(client, tmp_path):
    options = {"cv": FOLDS, "memory": tmp_path}
    both = {"ridge": Ridge(), "deadly": Deadly(os.getpid())}
    with joblib.parallel_config(backend="dask"):
        first = cross_val_losses(Ridge(), X, Y, **options)
        with pytest.raises(Exception):  # noqa: B017, PT011  (dask's own, of any name)
            cross_val_losses(both, X, Y, **options)
    assert n_stored(tmp_path) == 5
    assert_array_equal(cross_val_losses(Ridge(), X, Y, **options).values, first.values)
