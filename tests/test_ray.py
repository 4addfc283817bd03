"""Ray: workers of its own give what this process gives."""

import joblib
import numpy as np
import pytest
from numpy.testing import assert_array_equal
from sklearn.linear_model import Ridge

from sklearn_cvtest import BlockKFold, cross_val_losses

ray = pytest.importorskip("ray", reason="needs the extra ray")
# its processes warn of sockets and settings of their own
pytestmark = [pytest.mark.full, pytest.mark.filterwarnings("default")]


@pytest.fixture(name="backend", scope="module")
def two_workers():
    from ray.util.joblib import register_ray

    ray.init(num_cpus=2, include_dashboard=False, log_to_driver=False)
    register_ray()
    yield "ray"
    ray.shutdown()


def test_losses_of_tiny_fits_are_those_of_a_local_run(backend):
    rng = np.random.default_rng(0)
    X = rng.normal(size=(100, 5))
    y = X[:, 0] + rng.normal(size=100)
    models = {f"ridge {i}": Ridge(i + 1.0) for i in range(5)}
    options = {"cv": BlockKFold(10, n_repeats=4, random_state=0)}
    groups = np.arange(100) // 2
    local = cross_val_losses(models, X, y, groups=groups, **options)
    with joblib.parallel_config(backend):
        remote = cross_val_losses(models, X, y, groups=groups, n_jobs=2, **options)
    assert_array_equal(remote.values, local.values)
    assert_array_equal(remote.groups, local.groups)
