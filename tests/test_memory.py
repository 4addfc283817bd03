"""memory=: what is stored survives anything; what is damaged is fitted again."""

import io
import os
import re
import subprocess
import sys
import time
import warnings
from pathlib import Path

import joblib
import numpy as np
import pytest
from common import stored_files
from numpy.testing import assert_array_equal
from sklearn.base import BaseEstimator, RegressorMixin

from sklearn_cvtest import BlockKFold, compare_estimators, cross_val_losses

FOLDS = BlockKFold(5, random_state=0)
X = np.random.default_rng(0).normal(size=(50, 2))
Y = X[:, 0] + np.sin(np.arange(50.0))
N_FITS = 10  # of two estimators
SCRIPT = """
import sys
sys.path.insert(0, {tests!r})
import numpy as np, test_memory
print("ready", flush=True)
np.save({folder!r} + "/losses.npy", test_memory.run({folder!r}, {pause!r}).values)
"""


class Logging(RegressorMixin, BaseEstimator):
    """Appends a line to a file when a fit ends, which takes a while."""

    def __init__(self, log, pause=0.0, shift=0.0):
        self.log = log
        self.pause = pause
        self.shift = shift

    def fit(self, X, y, weight=None):
        time.sleep(self.pause)
        self.mean_ = y.mean() + self.shift
        with open(self.log, "a", encoding="utf-8") as file:
            file.write(f"{self.shift:g} {len(y)} {y.sum()!r}\n")
        return self

    def predict(self, X):
        return np.full(len(X), self.mean_)


def run(folder, pause=0.0, X=X, y=Y, shifts=(0.0, 1.0), model=Logging, **options):
    models = {
        f"m{n}": model(os.path.join(folder, "log"), pause, shift)
        for n, shift in enumerate(shifts)
    }
    memory = os.path.join(folder, "memory")
    return cross_val_losses(models, X, y, **{"cv": FOLDS, "memory": memory} | options)


def logged(folder):
    """Return the lines of the log, one for each fit that ended."""
    path = Path(folder) / "log"
    return path.read_text(encoding="utf-8").splitlines() if path.exists() else []


class Stopping(Logging):
    """Raises an error in the fit after three that ended."""

    error = RuntimeError

    def fit(self, X, y):
        if len(logged(os.path.dirname(self.log))) == 3:
            raise self.error("enough")
        return super().fit(X, y)


class Interrupted(Stopping):
    """Is interrupted in the fit after three that ended."""

    error = KeyboardInterrupt


class Nested(Logging):
    """Makes the same run while its first fit goes on."""

    def fit(self, X, y):
        super().fit(X, y)
        if len(logged(os.path.dirname(self.log))) == 1:
            run(os.path.dirname(self.log), model=Nested)
        return self


@pytest.fixture(name="expected", scope="module")
def expected_losses(tmp_path_factory):
    return run(tmp_path_factory.mktemp("alone"), memory=None).values


def start(folder, pause):
    """Start the same run in a process of its own; return it when it has begun."""
    code = SCRIPT.format(
        tests=os.path.dirname(__file__), folder=str(folder), pause=pause
    )
    process = subprocess.Popen([sys.executable, "-c", code], stdout=subprocess.PIPE)
    assert process.stdout.readline() == b"ready\n"
    return process


def fork(folder, pause):
    """Start the same run in a forked child: importing all anew takes too long."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DeprecationWarning)  # threads are idle here
        child = os.fork()
    if not child:
        try:
            run(folder, pause)
        finally:
            os._exit(0)
    return child


needs_fork = pytest.mark.skipif(not hasattr(os, "fork"), reason="needs fork")


# Interruptions ----------------------------------------------------------------


@pytest.mark.full
@needs_fork
def test_kill_at_any_moment_loses_at_most_the_fit_in_flight(tmp_path, expected):
    rng = np.random.default_rng(3)
    pause, n_kills = 0.02, 20
    for _ in range(n_kills):
        before, n_stored = len(logged(tmp_path)), len(stored_files(tmp_path))
        child = fork(tmp_path, pause)
        time.sleep(rng.uniform(0, 6 * pause))
        os.kill(child, 9)
        os.waitpid(child, 0)
        n_lost = (
            len(logged(tmp_path)) - before - (len(stored_files(tmp_path)) - n_stored)
        )
        assert 0 <= n_lost <= 1
    again = run(tmp_path, pause)
    assert_array_equal(again.values, expected)
    lines = logged(tmp_path)
    assert len(set(lines)) == N_FITS == len(stored_files(tmp_path))
    # refitted is only what was fitted but not yet stored: at most one for each kill
    assert len(lines) <= N_FITS + n_kills
    run(tmp_path, pause)
    assert logged(tmp_path) == lines


@pytest.mark.full
def test_killed_process_goes_on_where_it_was(tmp_path, expected):
    process = start(tmp_path, 0.3)
    while len(stored_files(tmp_path)) < 3:
        assert process.poll() is None
        time.sleep(0.01)
    process.kill()
    process.wait()
    process.stdout.close()
    n_stored, n_logged = len(stored_files(tmp_path)), len(logged(tmp_path))
    assert 3 <= n_stored <= n_logged <= n_stored + 1 < N_FITS
    again = start(tmp_path, 0.3)  # a process that has loaded the same modules
    assert again.wait() == 0
    again.stdout.close()
    assert_array_equal(np.load(tmp_path / "losses.npy"), expected)
    assert len(logged(tmp_path)) == n_logged + N_FITS - n_stored


@needs_fork
def test_processes_at_the_same_time_write_one_store(tmp_path, expected):
    for child in [fork(tmp_path, 0.05) for _ in range(4)]:
        os.waitpid(child, 0)
    assert len(stored_files(tmp_path)) == N_FITS
    n_logged = len(logged(tmp_path))
    assert N_FITS <= n_logged <= 4 * N_FITS  # who begins together fits the same
    assert_array_equal(run(tmp_path, 0.05).values, expected)
    assert len(logged(tmp_path)) == n_logged
    assert not list(tmp_path.rglob("*.part"))


def test_another_run_on_the_same_folder_meanwhile_changes_nothing(tmp_path):
    losses = run(tmp_path, model=Nested)
    n_fits = len(logged(tmp_path))
    assert len(stored_files(tmp_path)) == N_FITS
    assert not list(tmp_path.rglob("*.part"))
    assert_array_equal(losses.values, run(tmp_path, model=Nested).values)
    assert len(logged(tmp_path)) == n_fits


@pytest.mark.full
def test_many_estimators_are_read_in_little_time(tmp_path):
    shifts = np.arange(2000.0)
    options = {"cv": [(np.arange(40), np.arange(40, 50))], "memory": tmp_path}
    models = {
        f"m{n}": Logging(os.devnull, shift=shift) for n, shift in enumerate(shifts)
    }
    first = cross_val_losses(models, X, Y, **options)
    start = time.process_time()
    again = cross_val_losses(models, X, Y, **options)
    assert time.process_time() - start < 6
    assert_array_equal(again.values, first.values)


def test_threads_can_use_one_store(tmp_path, expected):
    with joblib.parallel_config(backend="threading"):
        losses = run(tmp_path, 0.01, n_jobs=4)
    assert_array_equal(losses.values, expected)
    assert len(stored_files(tmp_path)) == len(logged(tmp_path)) == N_FITS


def test_results_are_stored_as_soon_as_they_are_there(tmp_path):
    with pytest.raises(RuntimeError, match="enough"):
        run(tmp_path, model=Stopping, error_score="raise")
    assert len(stored_files(tmp_path)) == 3


# Only what changed ------------------------------------------------------------


@pytest.mark.parametrize(
    ("change", "n_new"),
    [
        ({}, 0),
        ({"X": X + 1}, 10),
        ({"y": Y + 1}, 10),
        ({"shifts": (0.0, 2.0)}, 5),
        ({"shifts": (0.0, 1.0, 2.0)}, 5),
        ({"loss": "absolute_error"}, 10),
        ({"per_example": False}, 10),
        ({"params": {"weight": np.ones(50)}}, 10),
        ({"diagnostics": False}, 0),
        ({"cv": [*FOLDS.split(X)][::-1]}, 0),
        ({"cv": [*[*FOLDS.split(X)][:4], (np.arange(9), np.arange(9, 20))]}, 2),
    ],
    ids=lambda change: "-".join(change) if isinstance(change, dict) else None,
)
def test_only_what_changed_is_fitted(change, n_new, tmp_path):
    run(tmp_path)
    stored = run(tmp_path, **change)
    assert len(logged(tmp_path)) == N_FITS + n_new
    assert_array_equal(stored.values, run(tmp_path, **change, memory=None).values)


def test_stored_times_and_fields_are_those_of_the_run(tmp_path):
    first, second = run(tmp_path, 0.001), run(tmp_path, 0.001)
    assert_array_equal(first.fit_time, second.fit_time)
    assert_array_equal(first.row_index, second.row_index)


def test_fitted_estimators_are_fitted_again_but_stored_for_others(tmp_path):
    losses = run(tmp_path, return_estimator=True)
    assert len(stored_files(tmp_path)) == len(logged(tmp_path)) == N_FITS
    assert [len(one) for one in losses.estimators.values()] == [5, 5]
    run(tmp_path)
    assert len(logged(tmp_path)) == N_FITS
    again = run(tmp_path, return_estimator=True)
    assert len(logged(tmp_path)) == 2 * N_FITS
    assert all(model.mean_ for one in again.estimators.values() for model in one)


def test_an_interruption_keeps_the_fits_that_are_done(tmp_path):
    model = Interrupted(str(tmp_path / "log"))
    with pytest.raises(KeyboardInterrupt):
        cross_val_losses(model, X, Y, cv=FOLDS, memory=tmp_path)
    assert len(stored_files(tmp_path)) == 3


def test_relative_memory_is_that_of_the_call(tmp_path, monkeypatch, expected):
    monkeypatch.chdir(tmp_path)
    run(tmp_path, memory="memory")
    assert len(stored_files(tmp_path)) == N_FITS


@pytest.mark.parametrize(
    ("memory", "why"),
    [
        ("file", r"\[Errno"),
        ("file/folder", r"\[Errno"),
        ("occupied", r"\[Errno"),
        pytest.param(
            "/proc/x",
            r"\[Errno",
            marks=pytest.mark.skipif(not os.path.isdir("/proc"), reason="no /proc"),
        ),
    ],
    ids=repr,
)
def test_memory_that_is_no_folder_is_refused_before_any_fit(
    memory, why, tmp_path, monkeypatch
):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "file").write_text("a file", encoding="utf-8")
    (tmp_path / "occupied").mkdir()
    (tmp_path / "occupied" / "sklearn_cvtest").write_text("a file", encoding="utf-8")
    shown = re.escape(repr(memory))
    message = f"`memory` must be a folder that can be written to; got {shown}. .*{why}"
    with pytest.raises(ValueError, match=message):
        run(tmp_path, memory=memory)
    assert not logged(tmp_path)


@pytest.mark.parametrize("memory", ["", b"", "\0", 3], ids=repr)
def test_memory_that_is_no_path_is_refused(memory, tmp_path):
    with pytest.raises((TypeError, ValueError), match=r"`memory` must be .*; got"):
        run(tmp_path, memory=memory)
    assert not logged(tmp_path)


def test_comparison_goes_through_the_store(tmp_path):
    models = {"a": Logging(tmp_path / "log"), "b": Logging(tmp_path / "log", shift=1.0)}
    first, second = (
        compare_estimators(models, X, Y, cv=FOLDS, memory=tmp_path) for _ in range(2)
    )
    assert len(logged(tmp_path)) == N_FITS
    assert first.pvalue_ == second.pvalue_


# Files that are not what they should be ---------------------------------------


def cut_in_half(content):
    return content[: len(content) // 2]


def cut_off(content):
    return content[:-20]


def change_a_byte(content):
    middle = len(content) // 2
    return content[:middle] + bytes([content[middle] ^ 1]) + content[middle + 1 :]


def emptied(content):
    return b""


def replaced_by_text(content):
    return b"PK no archive"


def replaced_by_other_arrays(content):
    file = io.BytesIO()
    np.savez(file, values=np.zeros(10))
    return file.getvalue()


def replaced_by_a_pickle(content):
    file = io.BytesIO()
    names = "values", "numbers", "kept_values"
    np.savez(file, **dict.fromkeys(names, np.array([{}], dtype=object)))
    return file.getvalue()


@pytest.mark.parametrize(
    "damage",
    [
        cut_in_half,
        cut_off,
        change_a_byte,
        emptied,
        replaced_by_text,
        replaced_by_other_arrays,
        replaced_by_a_pickle,
    ],
)
def test_damaged_files_are_fitted_again_with_a_word(damage, tmp_path, expected):
    run(tmp_path)
    path = stored_files(tmp_path)[3]
    path.write_bytes(damage(path.read_bytes()))
    message = re.escape(repr(str(path))) + " is damaged, and is computed again"
    with pytest.warns(UserWarning, match=message):
        again = run(tmp_path)
    assert_array_equal(again.values, expected)
    assert len(logged(tmp_path)) == N_FITS + 1
    assert_array_equal(run(tmp_path).values, expected)
    assert len(logged(tmp_path)) == N_FITS + 1


@pytest.mark.full
@pytest.mark.filterwarnings("ignore:.* is damaged:UserWarning")
def test_no_changed_byte_changes_a_loss(tmp_path):
    """Every fifth byte of a file changed in turn, and every fifth length cut off."""
    options = {"shifts": (0.0,), "cv": [(np.arange(40), np.arange(40, 50))]}
    losses = run(tmp_path, **options).values
    (path,) = stored_files(tmp_path)
    content = path.read_bytes()
    rng = np.random.default_rng(0)
    for position in range(0, len(content), 5):
        changed = bytearray(content)
        changed[position] ^= int(rng.integers(1, 256))
        for variant in (changed, content[:position]):
            path.write_bytes(variant)
            assert_array_equal(run(tmp_path, **options).values, losses)


@pytest.mark.skipif(os.name == "nt", reason="no permissions of a group")
def test_others_may_read_what_is_stored_where_the_umask_lets_them(tmp_path):
    umask = os.umask(0o022)
    try:
        run(tmp_path)
    finally:
        os.umask(umask)
    assert {path.stat().st_mode & 0o777 for path in stored_files(tmp_path)} == {0o644}


@needs_fork
def test_a_writer_that_is_killed_stops_no_others(tmp_path, expected, monkeypatch):
    with monkeypatch.context() as patch:
        patch.setattr(os, "replace", lambda *paths: os.kill(os.getpid(), 9))
        os.waitpid(fork(tmp_path, 0.0), 0)
    assert not stored_files(tmp_path)
    assert_array_equal(run(tmp_path).values, expected)
    assert len(stored_files(tmp_path)) == N_FITS


@pytest.mark.full
def test_many_small_fits_are_read_in_little_time(tmp_path):
    rng = np.random.default_rng(0)
    orders = [rng.permutation(50) for _ in range(1000)]
    cv = [(order[5:], order[:5]) for order in orders]
    models = {f"m{n}": Logging(os.devnull, shift=n) for n in range(10)}
    options = {"cv": cv, "memory": tmp_path}
    first = cross_val_losses(models, X, Y, **options)
    start = time.process_time()
    again = cross_val_losses(models, X, Y, **options)
    assert time.process_time() - start < 10
    assert_array_equal(again.values, first.values)
