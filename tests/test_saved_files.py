"""Files of losses and comparisons: whole, without code, or refused."""

import io
import json
import os
import pickle
import socket
import zipfile

import numpy as np
import pytest
from common import digest_of
from numpy.testing import assert_array_equal
from sklearn.datasets import load_iris
from sklearn.dummy import DummyClassifier
from sklearn.naive_bayes import GaussianNB

from sklearn_cvtest import (
    BlockKFold,
    Comparison,
    CVLosses,
    compare_estimators,
    cross_val_losses,
)

X, Y = (part[::5] for part in load_iris(return_X_y=True))
MOST_CASES = 1000  # that the suite runs of a test, see conftest.py
COMPARISON = compare_estimators(
    {"bayes": GaussianNB(), "dummy": DummyClassifier()},
    X,
    Y,
    cv=BlockKFold(3, random_state=0),
)
SCORES = cross_val_losses(
    GaussianNB(), X, Y, cv=BlockKFold(3, random_state=0), scoring="accuracy"
)
KINDS = {"CVLosses": COMPARISON.losses, "Comparison": COMPARISON}
ARRAYS = ("losses", "row_split", "row_index", "n_train", "n_test")
ARRAYS += ("fit_time", "score_time", "fit_failed")
every_kind = pytest.mark.parametrize("saved", KINDS.values(), ids=KINDS)


def read(path):
    with np.load(path, allow_pickle=False) as archive:
        arrays = {name: archive[name] for name in archive.files}
    return json.loads(str(arrays.pop("header"))), arrays


def write(path, header, arrays):
    header = header | {"digest": digest_of(header, arrays)}
    with open(path, "wb") as file:
        np.savez(file, header=np.array(json.dumps(header)), **arrays)


def contents(saved):
    losses = getattr(saved, "losses", None)
    losses = saved if isinstance(losses, np.ndarray) else losses
    values = {name: getattr(losses, name) for name in ARRAYS}
    arrays = {
        name: value
        if value is None
        else (value.dtype.str, value.shape, value.tobytes())
        for name, value in values.items()
    }
    rest = (losses.names, losses.n_samples, losses.design, losses.split_hash)
    return arrays, rest, losses.loss_name, losses.per_example, str(saved)


@pytest.mark.parametrize(
    "losses", [COMPARISON.losses, SCORES], ids=["examples", "scores"]
)
def test_load_gives_equal_arrays_and_dtypes(losses, tmp_path):
    losses.save(tmp_path / "losses")
    assert contents(CVLosses.load(tmp_path / "losses")) == contents(losses)


def test_load_gives_nan_and_inf_back(tmp_path):
    COMPARISON.losses.save(tmp_path / "losses")
    header, arrays = read(tmp_path / "losses")
    arrays["losses"][0] = np.nan, np.inf
    write(tmp_path / "losses", header, arrays)
    assert_array_equal(CVLosses.load(tmp_path / "losses").losses, arrays["losses"])


@every_kind
def test_files_hold_arrays_and_json_only(saved, tmp_path):
    saved.save(tmp_path / "file")
    with zipfile.ZipFile(tmp_path / "file") as archive:
        assert all(name.endswith(".npy") for name in archive.namelist())
        assert archive.testzip() is None
    header, arrays = read(tmp_path / "file")
    assert header["format"] == f"sklearn_cvtest {type(saved).__name__}"
    assert set(arrays) == set(ARRAYS)
    assert all(array.dtype.kind in "bif" for array in arrays.values())


def test_fitted_estimators_are_not_saved(tmp_path):
    options = {"cv": BlockKFold(3, random_state=0), "return_estimator": True}
    losses = cross_val_losses(GaussianNB(), X, Y, **options)
    losses.save(tmp_path / "losses")
    assert CVLosses.load(tmp_path / "losses").estimators is None


@every_kind
@pytest.mark.parametrize("name", ["file", "file.npz", "日本 ρ.x", ".hidden"])
def test_save_writes_the_path_given(saved, name, tmp_path):
    saved.save(str(tmp_path / name))
    assert os.listdir(tmp_path) == [name]
    assert contents(type(saved).load(tmp_path / name)) == contents(saved)


@every_kind
def test_save_replaces_a_file(saved, tmp_path):
    path = tmp_path / "file"
    path.write_bytes(b"PK" + 30000 * b"x")
    saved.save(path)
    assert contents(type(saved).load(path)) == contents(saved)


@every_kind
@pytest.mark.parametrize("error", [KeyboardInterrupt, OSError("disk full")])
@pytest.mark.parametrize("step", ["np.savez_compressed", "os.replace"])
def test_interrupted_save_leaves_the_old_file(
    saved, error, step, tmp_path, monkeypatch
):
    path = tmp_path / "file"
    saved.save(path)
    before = path.read_bytes()

    def stop(file, *args, **kwargs):
        if hasattr(file, "write"):
            file.write(b"half of it")
        raise error

    target = {"np": np, "os": os}[step.split(".")[0]]
    monkeypatch.setattr(target, step.split(".")[1], stop)
    with pytest.raises((KeyboardInterrupt, OSError)):
        saved.save(path)
    assert os.listdir(tmp_path) == ["file"]
    assert path.read_bytes() == before


@every_kind
def test_save_into_a_directory_leaves_nothing_behind(saved, tmp_path):
    (tmp_path / "folder").mkdir()
    with pytest.raises(OSError, match="folder"):
        saved.save(tmp_path / "folder")
    with pytest.raises(FileNotFoundError, match="nowhere"):
        saved.save(tmp_path / "nowhere" / "file")
    assert os.listdir(tmp_path) == ["folder"]
    assert not os.listdir(tmp_path / "folder")


@every_kind
@pytest.mark.parametrize(
    ("path", "error"),
    [
        ("folder", IsADirectoryError),
        ("", FileNotFoundError),
        ("nowhere/file", FileNotFoundError),
        ("file/file", NotADirectoryError),
        ("a" * 250, OSError),  # too long with what a part has besides
    ],
)
def test_errors_of_save_name_the_path_given(saved, path, error, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "folder").mkdir()
    (tmp_path / "file").touch()
    with pytest.raises(error) as raised:
        saved.save(path)
    assert raised.value.filename == path
    assert str(raised.value).endswith(f": {path!r}")
    assert sorted(os.listdir(tmp_path)) == ["file", "folder"]


@every_kind
def test_save_names_a_path_that_cannot_be(saved):
    message = r"`path` must be the path of a file; got 'a\\x00'"
    with pytest.raises(ValueError, match=message):
        saved.save("a\0")


@every_kind
def test_load_of_a_missing_file(saved, tmp_path):
    with pytest.raises(FileNotFoundError, match="nowhere"):
        type(saved).load(tmp_path / "nowhere")


@every_kind
def test_load_of_a_directory(saved, tmp_path):
    with pytest.raises(IsADirectoryError):
        type(saved).load(tmp_path)


def npz(**arrays):
    file = io.BytesIO()
    np.savez(file, **arrays)
    return file.getvalue()


def npy(array):
    file = io.BytesIO()
    np.save(file, array, allow_pickle=True)
    return file.getvalue()


def zipped(name, data):
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w") as archive:
        archive.writestr(name, data)
    return file.getvalue()


@every_kind
@pytest.mark.parametrize(
    "data",
    [
        pytest.param(b"", id="empty"),
        pytest.param(b"hello\n", id="text"),
        pytest.param(b'{"format": "sklearn_cvtest CVLosses", "version": 1}', id="json"),
        pytest.param(pickle.dumps([1, 2]), id="pickle"),
        pytest.param(npy(np.zeros(3)), id="npy"),
        pytest.param(npy(np.array([{}, []], dtype=object)), id="npy of objects"),
        pytest.param(npz(a=np.zeros(3)), id="npz"),
        pytest.param(npz(header=np.array([{}], dtype=object)), id="npz of objects"),
        pytest.param(
            npz(header=np.frombuffer(b"abc", np.uint8)), id="npz with a header of bytes"
        ),
        pytest.param(npz(header=np.array("abc")), id="npz with a header of text"),
        pytest.param(npz(header=np.array("3")), id="npz with a header of numbers"),
        pytest.param(npz(header=np.array("[1, 2]")), id="npz with a header of lists"),
        pytest.param(npz(header=np.array("{}")), id="npz with an empty header"),
        pytest.param(
            npz(header=np.array("[" * 9999 + "]" * 9999)), id="npz with a deep header"
        ),
        pytest.param(zipped("header", b"abc"), id="zip"),
        pytest.param(zipped("header.npy", b"abc"), id="zip of a bad array"),
        pytest.param(zipped("header.npy", b"abc")[:-9], id="truncated zip"),
    ],
)
def test_load_refuses_foreign_files(saved, data, tmp_path):
    (tmp_path / "file").write_bytes(data)
    kind = type(saved).__name__
    with pytest.raises(ValueError, match=f"`path` must be an intact {kind} file; got"):
        type(saved).load(tmp_path / "file")


def test_load_refuses_the_other_kind(tmp_path):
    for wrong, saved in ((Comparison, COMPARISON.losses), (CVLosses, COMPARISON)):
        saved.save(tmp_path / "file")
        with pytest.raises(ValueError, match=f"must be an intact {wrong.__name__}"):
            wrong.load(tmp_path / "file")


@every_kind
def test_load_refuses_other_versions(saved, tmp_path):
    saved.save(tmp_path / "file")
    header, arrays = read(tmp_path / "file")
    write(tmp_path / "file", header | {"version": 2}, arrays)
    with pytest.raises(ValueError, match="version 2"):
        type(saved).load(tmp_path / "file")


@every_kind
@pytest.mark.parametrize(
    "flag", [0x1, 0x40, 0x20], ids=["encrypted", "strong", "patch"]
)
def test_load_refuses_zip_flags_it_cannot_read(saved, flag, tmp_path):
    path = tmp_path / "file"
    saved.save(path)
    data = bytearray(path.read_bytes())
    data[data.find(b"PK\x01\x02") + 8] |= flag
    path.write_bytes(data)
    with pytest.raises(ValueError, match="`path` must be an intact"):
        type(saved).load(path)


@every_kind
@pytest.mark.parametrize("name", ["header", *ARRAYS])
def test_load_refuses_files_without_an_array(saved, name, tmp_path):
    saved.save(tmp_path / "file")
    header, arrays = read(tmp_path / "file")
    arrays = {"header": np.array(json.dumps(header))} | arrays
    del arrays[name]
    (tmp_path / "file").write_bytes(npz(**arrays))
    with pytest.raises(ValueError, match="`path` must be an intact"):
        type(saved).load(tmp_path / "file")


N = len(Y)


@pytest.mark.parametrize(
    "change",
    [
        pytest.param({"estimator_names": None}, id="names missing"),
        pytest.param({"design": {"kind": "nonsense"}}, id="design unknown"),
        pytest.param({"design": None}, id="design missing"),
        pytest.param(
            {"design": {"kind": "k-fold", "n_splits": 3, "more": 1}},
            id="design with more",
        ),
        pytest.param({"more": 1}, id="something more"),
    ],
)
def test_load_refuses_headers_that_do_not_fit(change, tmp_path):
    COMPARISON.losses.save(tmp_path / "file")
    header, arrays = read(tmp_path / "file")
    write(tmp_path / "file", header | change, arrays)
    with pytest.raises(ValueError, match="`path` must be an intact"):
        CVLosses.load(tmp_path / "file")


@pytest.mark.parametrize(
    "change",
    [
        pytest.param({"tests": {}}, id="no tests"),
        pytest.param({"tests": []}, id="tests in a list"),
        pytest.param(
            {"tests": {"a": {"class": "os.system", "params": {}}}}, id="unknown test"
        ),
        pytest.param(
            {"tests": {"a": {"class": "BaseCVTest", "params": {}}}}, id="base of tests"
        ),
        pytest.param(
            {"tests": {"a": {"class": "ConfidenceInterval", "params": {}}}},
            id="no test",
        ),
        pytest.param(
            {"tests": {"a": {"class": ["KFoldTTest"], "params": {}}}},
            id="class of a list",
        ),
        pytest.param(
            {"tests": {"a": {"class": "ResampledTTest", "params": {}}}},
            id="test for another design",
        ),
        pytest.param(
            {"tests": {"a": {"class": "KFoldTTest", "params": {"x": 1}}}},
            id="unknown parameter",
        ),
        pytest.param(
            {"tests": {"a": {"class": "KFoldTTest", "params": {"rho": 2}}}},
            id="bad parameter",
        ),
        pytest.param(
            {"tests": {"a": {"class": "KFoldTTest", "params": []}}},
            id="parameters in a list",
        ),
        pytest.param({"reference": "nobody"}, id="unknown reference"),
        pytest.param({"p_adjust": "nonsense"}, id="unknown adjustment"),
        pytest.param({"alpha": "x"}, id="alpha of text"),
        pytest.param({"more": 1}, id="something more"),
        pytest.param({"losses": 1}, id="losses"),
    ],
)
def test_load_refuses_comparisons_that_do_not_fit(change, tmp_path):
    COMPARISON.save(tmp_path / "file")
    header, arrays = read(tmp_path / "file")
    header["comparison"] |= change
    write(tmp_path / "file", header, arrays)
    with pytest.raises(
        ValueError, match="`path` must be an intact Comparison file; got"
    ):
        Comparison.load(tmp_path / "file")


# Files that would hurt to read or to write -----------------------------------


def form(text):
    """Return a member of an archive with that for its header."""
    text = text.ljust(118) + "\n"
    return b"\x93NUMPY\x01\x00" + len(text).to_bytes(2, "little") + text.encode()


def archive(members, method=zipfile.ZIP_DEFLATED):
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w", method) as opened:
        for name, data in members.items():
            opened.writestr(f"{name}.npy", data)
    return file.getvalue()


def bomb(declared, n_bytes):
    """Return an archive of losses that are zeros, and a header that says what it is."""
    sizes = {"losses": ["<f8", declared]}
    header = {"format": "sklearn_cvtest CVLosses", "version": 1, "arrays": sizes}
    shape = ", ".join(map(str, declared))
    described = f"{{'descr': '<f8', 'fortran_order': False, 'shape': ({shape}), }}"
    zeros = form(described) + bytes(n_bytes)
    return archive({"header": npy(np.array(json.dumps(header))), "losses": zeros})


def prefixed_with_nothing(data):
    return bytes(10**6) + data


INTACT = npz(header=np.array("{}"))


@pytest.mark.parametrize(
    "data",
    [
        pytest.param(
            archive({"header": form("{'descr': ('<f8', 'shape': (2,")}),
            id="unclosed bracket",
        ),
        pytest.param(
            archive({"header": npy(np.zeros(99))}, zipfile.ZIP_LZMA).replace(
                b"\x00" * 5, b"\xff" * 5, 1
            ),
            id="damaged lzma",
        ),
        pytest.param(
            archive({"header": npy(np.array("{}"))}, zipfile.ZIP_BZIP2), id="bzip2"
        ),
        pytest.param(bomb([10**9, 10**9], 80), id="huge shape"),
        pytest.param(
            archive({"header": form("{'descr': '<U1', 'shape': (((")}),
            id="shape without an end",
        ),
        pytest.param(prefixed_with_nothing(INTACT), id="zeros before it"),
        pytest.param(INTACT + bytes(10**6), id="zeros after it"),
        pytest.param(bomb([10**8], 0), id="an array of 10^8 zeros"),
    ],
)
def test_load_refuses_hostile_files(data, tmp_path):
    (tmp_path / "file").write_bytes(data)
    with pytest.raises(ValueError, match="`path` must be an intact CVLosses file"):
        CVLosses.load(tmp_path / "file")


def make_fifo(path):
    os.mkfifo(path)


def make_socket(path):
    with socket.socket(socket.AF_UNIX) as bound:
        bound.bind(str(path))


needs_unix = pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="needs FIFOs")


@needs_unix
@pytest.mark.parametrize("make", [make_fifo, make_socket])
def test_what_is_no_regular_file_is_neither_read_nor_replaced(
    make, tmp_path, monkeypatch
):
    monkeypatch.chdir(tmp_path)  # names of sockets are short
    make("odd")
    kind = os.lstat("odd").st_mode
    with pytest.raises(ValueError, match="`path` must be an intact CVLosses file"):
        CVLosses.load("odd")
    for write in (COMPARISON.losses.save, COMPARISON.save, COMPARISON.to_html):
        with pytest.raises(ValueError, match="`path` must be the path of a regular"):
            write("odd")
    assert os.lstat("odd").st_mode == kind


@needs_unix
def test_devices_are_not_replaced():
    with pytest.raises(ValueError, match="`path` must be the path of a regular"):
        SCORES.save(os.devnull)
    with pytest.raises(ValueError, match="`path` must be an intact CVLosses file"):
        CVLosses.load("/dev/zero")


@needs_unix
@pytest.mark.parametrize("target", ["there", "not yet"])
def test_save_writes_through_links(target, tmp_path):
    (tmp_path / "folder").mkdir()
    goal, link = tmp_path / "folder" / "goal", tmp_path / "link"
    if target == "there":
        goal.write_text("PK")
    link.symlink_to(os.path.join("folder", "goal"))
    SCORES.save(link)
    assert link.is_symlink()
    assert contents(CVLosses.load(goal)) == contents(SCORES)
    assert sorted(os.listdir(tmp_path / "folder")) == ["goal"]


@needs_unix
def test_save_into_a_circle_of_links_is_refused(tmp_path):
    (tmp_path / "a").symlink_to("b")
    (tmp_path / "b").symlink_to("a")
    with pytest.raises((OSError, ValueError)):
        SCORES.save(tmp_path / "a")
    assert sorted(os.listdir(tmp_path)) == ["a", "b"]


@needs_unix
@pytest.mark.parametrize("mode", [0o600, 0o640, 0o666])
def test_save_keeps_the_permissions_of_a_file(mode, tmp_path):
    path = tmp_path / "file"
    path.touch()
    path.chmod(mode)
    SCORES.save(path)
    assert path.stat().st_mode & 0o777 == mode
    path.write_text("")
    COMPARISON.to_html(path)
    assert path.stat().st_mode & 0o777 == mode
