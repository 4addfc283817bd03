"""What is shown while fits run, and what an interruption leaves."""

import os
import signal
import subprocess
import sys
import textwrap
import time

import joblib
import pytest
from common import n_stored
from sklearn.datasets import load_iris
from sklearn.naive_bayes import GaussianNB
from sklearn.tree import DecisionTreeClassifier

from sklearn_cvtest import BlockKFold, compare_estimators, cross_val_losses

IRIS = load_iris(return_X_y=True)
FOLDS = BlockKFold(3, random_state=0)
MODELS = {"bayes": GaussianNB(), "tree": DecisionTreeClassifier(random_state=0)}


few_errors = pytest.mark.filterwarnings("ignore:KFoldZTest. of the residuals")


@few_errors
@pytest.mark.parametrize("run", [cross_val_losses, compare_estimators])
@pytest.mark.parametrize("n_jobs", [1, 2])
def test_progress_counts_splits(run, n_jobs, capfd):
    with joblib.parallel_config(backend="threading"):
        run(MODELS, *IRIS, cv=FOLDS, progress=True, n_jobs=n_jobs)
    out, err = capfd.readouterr()
    assert out == ""
    assert "3/3" in err


@few_errors
@pytest.mark.parametrize("run", [cross_val_losses, compare_estimators])
@pytest.mark.parametrize("n_jobs", [1, 2])
def test_nothing_is_shown_unasked(run, n_jobs, capfd):
    with joblib.parallel_config(backend="threading"):
        run(MODELS, *IRIS, cv=FOLDS, n_jobs=n_jobs)
    assert capfd.readouterr() == ("", "")


def test_progress_counts_what_is_stored_at_once(tmp_path, capfd):
    options = {"cv": FOLDS, "memory": tmp_path}
    cross_val_losses({"bayes": MODELS["bayes"]}, *IRIS, **options)
    cross_val_losses(MODELS, *IRIS, progress=True, **options)
    assert "3/3" in capfd.readouterr().err


def test_progress_bar_is_closed_by_an_error(capfd):
    bad = GaussianNB(priors=[2.0])
    with pytest.raises(ValueError, match="priors"):
        cross_val_losses(bad, *IRIS, cv=FOLDS, progress=True, error_score="raise")
    assert capfd.readouterr().err.endswith("\n")


def test_progress_without_tqdm_is_a_warning_that_says_how_to_get_it(monkeypatch):
    monkeypatch.setitem(sys.modules, "tqdm.auto", None)
    match = r"shows nothing: tqdm is needed: pip install .sklearn_cvtest\[progress\]"
    with pytest.warns(UserWarning, match=match) as warned:
        losses = cross_val_losses(MODELS["bayes"], *IRIS, cv=FOLDS, progress=True)
    assert len(warned) == 1
    assert not losses.errors


# Ctrl-C -----------------------------------------------------------------------

SLOW = '''
import os, sys, time
import numpy as np
from sklearn.base import BaseEstimator, RegressorMixin
from sklearn_cvtest import BlockKFold, cross_val_losses


class Slow(RegressorMixin, BaseEstimator):
    """Fits the first split at once, and others for ten minutes."""

    def __init__(self, folder):
        self.folder = folder

    def fit(self, X, y):
        open(os.path.join(self.folder, f"{os.getpid()}"), "a").close()
        time.sleep(600 if 0 in X[:, 0] else 0)
        return self

    def predict(self, X):
        return np.zeros(len(X))


if __name__ == "__main__":
    X, folder, n_jobs = np.arange(30.0)[:, None], sys.argv[1], int(sys.argv[2])
    memory = os.path.join(folder, "memory")
    try:
        cross_val_losses(
            Slow(folder), X, X[:, 0], cv=BlockKFold(3, shuffle=False),
            n_jobs=n_jobs, memory=memory,
        )
    except KeyboardInterrupt:
        print("interrupted", flush=True)
'''


def is_alive(pid):
    """Whether a process runs (and is not just waiting for its parent to notice)."""
    try:
        with open(f"/proc/{pid}/stat", encoding="utf-8") as file:
            return file.read().rpartition(")")[2].split()[0] != "Z"
    except OSError:
        return False


def wait_for(condition):
    deadline = time.monotonic() + 300
    while not condition():
        assert time.monotonic() < deadline
        time.sleep(0.02)


@pytest.mark.full
@pytest.mark.skipif(not os.path.exists("/proc/self/stat"), reason="needs /proc")
@pytest.mark.parametrize("n_jobs", [1, 2])
def test_ctrl_c_stops_leaves_no_process_and_keeps_what_is_stored(n_jobs, tmp_path):
    script = tmp_path / "slow.py"
    script.write_text(textwrap.dedent(SLOW), encoding="utf-8")
    fits = tmp_path / "fits"
    fits.mkdir()
    process = subprocess.Popen(
        [sys.executable, script, fits, str(n_jobs)],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        start_new_session=True,
    )

    def stored():
        return n_stored(fits / "memory")

    wait_for(lambda: stored() == 1)
    process.send_signal(signal.SIGINT)
    out, _ = process.communicate(timeout=300)  # a fit takes twice as long
    assert out == b"interrupted\n"
    workers = [int(path.name) for path in fits.iterdir() if path.name.isdigit()]
    assert workers
    wait_for(lambda: not any(map(is_alive, workers)))
    assert stored() == 1
