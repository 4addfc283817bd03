"""replicate_losses: what is stored, read again, and survives interruptions."""

import os
import re
import signal
import subprocess
import sys
import time
from pathlib import Path

import joblib
import numpy as np
import pytest
from simulation_doubles import CountingPopulation, count_samples
from sklearn.linear_model import LinearRegression, Ridge

from sklearn_cvtest import BlockKFold
from sklearn_cvtest.simulation import (
    GaussianLinearPopulation,
    replicate_losses,
)

N_TASKS = 8  # of 25 samples each, in 200: of a long run
SCRIPT = """
import sys
sys.path.insert(0, {tests!r})
from simulation_doubles import count_samples

try:
    count_samples({folder!r}, {memory!r}, n_jobs={n_jobs})
except KeyboardInterrupt:
    print("interrupted", flush=True)
    sys.stdin.read()
"""


class Folders:
    """Where a simulation stores its tasks, and where its samples are counted."""

    def __init__(self, path, n_replications=200):
        self.memory, self.counted = path / "memory", path / "counted"
        self.n_replications = n_replications
        self.counted.mkdir()

    def run(self, memory=True, **options):
        """Return the result and the number of samples drawn for it."""
        before = self.n_drawn
        memory = self.memory if memory else None
        options = {"n_replications": self.n_replications} | options
        result = count_samples(str(self.counted), memory, **options)
        return result, self.n_drawn - before

    @property
    def n_drawn(self):
        return CountingPopulation(self.counted).n_drawn

    @property
    def stored(self):
        return sorted(self.memory.glob("*.npz"))

    def start(self, n_jobs=1):
        """Start the same simulation in a session of its own."""
        code = SCRIPT.format(
            tests=str(Path(__file__).parent),
            folder=str(self.counted),
            memory=str(self.memory),
            n_jobs=n_jobs,
        )
        pipe = subprocess.PIPE
        return subprocess.Popen(
            [sys.executable, "-c", code],
            stdin=pipe,
            stdout=pipe,
            start_new_session=True,
        )

    def wait_until_stored(self, process, n_tasks):
        while len(self.stored) < n_tasks and process.poll() is None:
            time.sleep(0.01)


class SlowStart(GaussianLinearPopulation):
    """Draws the first sample again only once three tasks are stored."""

    def __init__(self, folder):
        super().__init__(2)
        self.folder = folder

    def sample(self, n_samples, rng):
        X, y = super().sample(n_samples, rng)
        path = Path(self.folder)
        drawn = path / str(y[0])
        if not drawn.exists():
            drawn.touch()
            return X, y
        deadline = time.monotonic() + 60
        while len(list(path.glob("memory/*.npz"))) < 3:
            assert time.monotonic() < deadline
            time.sleep(0.01)
        return X, y


@pytest.fixture
def folders(tmp_path, monkeypatch):
    monkeypatch.setattr(CountingPopulation, "seconds", 0)
    return Folders(tmp_path, 75)


@pytest.fixture(scope="module")
def whole(tmp_path_factory):
    """Return the result of a long run that nothing interrupted."""
    return Folders(tmp_path_factory.mktemp("whole")).run(memory=False)[0]


@pytest.fixture(scope="module")
def expected(tmp_path_factory):
    """Return the result of a short run that nothing interrupted."""
    return Folders(tmp_path_factory.mktemp("short"), 75).run(memory=False)[0]


def assert_equal(first, second):
    np.testing.assert_array_equal(first.block_sums, second.block_sums)
    np.testing.assert_array_equal(first.block_products, second.block_products)


def is_running(process):
    try:
        os.kill(process, 0)
    except ProcessLookupError:
        return False
    return True


# Reading again ----------------------------------------------------------------


def test_stored_samples_are_not_drawn_again(folders, expected):
    first, n_first = folders.run()
    second, n_second = folders.run()
    assert (n_first, n_second) == (76, 1)  # 1 to check the arguments
    assert len(folders.stored) == 3
    assert_equal(first, expected)
    assert_equal(second, expected)


def test_more_replications_reuse_what_is_stored(folders, expected):
    fewer, _ = folders.run(n_replications=35)
    np.testing.assert_array_equal(fewer.block_sums, expected.block_sums[:35])
    more, n_drawn = folders.run()
    assert n_drawn == 1 + 50  # the task of 10 samples was too short
    assert_equal(more, expected)
    _, n_drawn = folders.run(n_replications=35)
    assert n_drawn == 1


def test_missing_tasks_are_the_only_ones_run_again(folders, expected):
    folders.run()
    for path in folders.stored[:2]:
        path.unlink()
    again, n_drawn = folders.run()
    assert n_drawn == 1 + 2 * 25
    assert_equal(again, expected)


@pytest.mark.full
def test_number_of_jobs_does_not_matter_to_what_is_stored(folders, expected):
    _, n_drawn = folders.run(n_jobs=2)
    assert n_drawn == 76
    one, n_drawn = folders.run(n_jobs=1)
    assert n_drawn == 1
    assert_equal(one, expected)


OPTIONS = {
    "estimators": LinearRegression(),
    "n_features": 2,
    "n_samples": 12,
    "cv": BlockKFold(3),
    "loss": "squared_error",
    "n_replications": 5,
    "random_state": 0,
}


def run_options(folders, **change):
    """Return how many samples are drawn with the options, some of them changed."""
    before, options = folders.n_drawn, {**OPTIONS, **change}
    population = CountingPopulation(folders.counted, options.pop("n_features"))
    estimators = options.pop("estimators")
    replicate_losses(estimators, population, memory=folders.memory, **options)
    return folders.n_drawn - before


@pytest.mark.parametrize(
    "change",
    [
        {"estimators": LinearRegression(fit_intercept=False)},
        {"estimators": Ridge()},
        {"estimators": {"another name": LinearRegression()}},
        {"estimators": [LinearRegression(), Ridge()]},
        {"n_features": 3},
        {"n_samples": 15},
        {"cv": BlockKFold(4)},
        {"cv": BlockKFold(3, shuffle=False)},
        {"loss": "absolute_error"},
        {"random_state": 1},
        {"error_score": 0.0},
    ],
    ids=repr,
)
def test_another_simulation_is_not_taken_for_this(folders, change):
    assert run_options(folders) == 6
    assert run_options(folders, **change) == 6
    assert run_options(folders) == 1
    assert run_options(folders, **change) == 1


@pytest.mark.parametrize(
    "change",
    [
        {"estimators": LinearRegression()},
        {"cv": BlockKFold(3)},
        {"cv": BlockKFold(3, random_state=None)},
        {"n_samples": np.int64(12)},
        {"random_state": np.int64(0)},
        {"n_jobs": 1},
        {"progress": False},
    ],
    ids=repr,
)
def test_the_same_simulation_is_recognised(folders, change):
    run_options(folders)
    assert run_options(folders, **change) == 1


def test_memory_makes_folders_and_takes_strings(folders, expected):
    folders.memory = folders.memory / "a" / "b"
    folders.run()
    found = count_samples(str(folders.counted), str(folders.memory), 75)
    assert_equal(found, expected)


def test_other_versions_of_numpy_are_kept_apart(folders, monkeypatch):
    assert run_options(folders) == 6
    with monkeypatch.context() as patch:
        patch.setattr(np, "__version__", "99.9")
        assert run_options(folders) == 6
    assert run_options(folders) == 1


@pytest.mark.parametrize("memory", ["file", "file/folder"])
def test_memory_that_is_no_folder_is_refused(folders, memory, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "file").write_text("a file")
    message = "`memory` must be a folder that can be written to; got "
    with pytest.raises(ValueError, match=message + re.escape(repr(memory))):
        count_samples(str(folders.counted), memory)
    assert folders.n_drawn == 1


# Files that are not what they should be ---------------------------------------


def shortened(share):
    def damage(path):
        content = path.read_bytes()
        path.write_bytes(content[: int(share * len(content))])

    return damage


def flip_bits(path):
    content = bytearray(path.read_bytes())
    middle = len(content) // 2
    content[middle : middle + 8] = bytes(255 - x for x in content[middle : middle + 8])
    path.write_bytes(content)


def replaced_by_text(path):
    path.write_text("PK\x03\x04 no archive")


def replaced_by_array(path):
    with path.open("wb") as file:
        np.savez(file, sums=np.zeros((25, 3, 1)), products=np.zeros((25, 3, 1)))


def replaced_by_pickle(path):
    with path.open("wb") as file:
        np.savez(file, header=np.array({}), sums=np.array([{}], dtype=object))


@pytest.mark.parametrize(
    "damage",
    [
        shortened(0),
        pytest.param(shortened(0.5), marks=pytest.mark.full),
        shortened(0.99),
        flip_bits,
        replaced_by_text,
        pytest.param(replaced_by_array, marks=pytest.mark.full),
        replaced_by_pickle,
    ],
)
def test_damaged_files_are_made_again(folders, expected, damage):
    folders.run()
    damage(folders.stored[0])
    with pytest.warns(UserWarning, match="is damaged"):
        again, n_drawn = folders.run()
    assert n_drawn == 1 + 25
    assert_equal(again, expected)
    _, n_drawn = folders.run()
    assert n_drawn == 1


def test_results_that_cannot_be_stored_are_not_lost(folders, expected):
    folders.run()
    path = folders.stored[0]
    path.unlink()
    path.mkdir()
    with (
        pytest.warns(UserWarning, match="could not be stored in `memory`, .*memory'"),
        pytest.warns(UserWarning, match="is damaged"),
    ):
        again, n_drawn = folders.run()
    assert n_drawn == 1 + 25
    assert_equal(again, expected)


# Interruptions ----------------------------------------------------------------


@pytest.mark.full
@pytest.mark.parametrize(("n_jobs", "moments"), [(1, (1, 4)), (2, (2,))])
def test_killed_runs_go_on_where_they_were(tmp_path, whole, n_jobs, moments):
    folders, rng = Folders(tmp_path), np.random.default_rng(n_jobs)
    for n_stored in moments:
        process = folders.start(n_jobs)
        with process:
            folders.wait_until_stored(process, n_stored)
            time.sleep(rng.uniform(0, 0.2))
            os.killpg(process.pid, signal.SIGKILL)  # it and its workers
        assert process.returncode == -signal.SIGKILL
    n_missing = N_TASKS - len(folders.stored)
    assert n_missing > 0
    resumed, n_drawn = folders.run()
    assert n_drawn == 1 + 25 * n_missing
    assert_equal(resumed, whole)


@pytest.mark.full
def test_interrupted_runs_leave_no_workers_behind(tmp_path, whole):
    folders = Folders(tmp_path)
    with folders.start(n_jobs=2) as process:
        folders.wait_until_stored(process, 2)
        os.kill(process.pid, signal.SIGINT)
        assert process.stdout.readline() == b"interrupted\n"
        workers = CountingPopulation(folders.counted).processes - {process.pid}
        deadline = time.monotonic() + 30
        while any(map(is_running, workers)) and time.monotonic() < deadline:
            time.sleep(0.05)
        assert process.poll() is None  # so that it is not its end that ended them
        assert workers
        assert not any(map(is_running, workers))
        process.stdin.close()
    n_missing = N_TASKS - len(folders.stored)
    assert 0 < n_missing < N_TASKS
    assert not list(folders.memory.rglob("*.part"))
    resumed, n_drawn = folders.run()
    assert n_drawn == 1 + 25 * n_missing
    assert_equal(resumed, whole)


def test_interrupted_runs_keep_what_was_done(folders, expected, monkeypatch):
    def interrupted(_):
        if folders.n_drawn == 1 + 60:
            raise KeyboardInterrupt

    with monkeypatch.context() as patch:
        patch.setattr(time, "sleep", interrupted)  # which drawing a sample calls
        with pytest.raises(KeyboardInterrupt):
            folders.run()
    assert len(folders.stored) == 2
    resumed, n_drawn = folders.run()
    assert n_drawn == 1 + 25
    assert_equal(resumed, expected)


@pytest.mark.full
@pytest.mark.parametrize("backend", ["loky", "threading"])
def test_a_slow_task_does_not_keep_others_from_being_stored(backend, tmp_path):
    (tmp_path / "memory").mkdir()
    population = SlowStart(str(tmp_path))
    with joblib.parallel_config(backend=backend):
        found = replicate_losses(
            LinearRegression(),
            population,
            n_samples=12,
            cv=BlockKFold(3),
            n_replications=200,
            random_state=0,
            n_jobs=2,
            memory=tmp_path / "memory",
        )
    (tmp_path / "fresh").mkdir()
    assert_equal(found, count_samples(str(tmp_path / "fresh"), None))


@pytest.mark.full
def test_two_runs_can_share_a_folder(tmp_path, whole):
    folders = Folders(tmp_path)
    with folders.start() as process:
        folders.wait_until_stored(process, 1)
        result, _ = folders.run()
        process.stdin.close()
    assert process.returncode == 0
    assert_equal(result, whole)
    assert len(folders.stored) == N_TASKS
    assert not list(folders.memory.rglob("*.part"))
    again, n_drawn = folders.run()
    assert n_drawn == 1
    assert_equal(again, whole)
