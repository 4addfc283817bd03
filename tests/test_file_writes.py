"""Files are written whole or not at all: beside the old one, then renamed."""

import os
from pathlib import Path

import pytest

from sklearn_cvtest import compare_cv_results

RESULT = compare_cv_results({"a": [1.0, 2, 3, 5], "b": [2.0, 2, 4, 4]}, cv=4)
every_writer = pytest.mark.parametrize("method", ["save", "to_html", "to_json"])


@every_writer
@pytest.mark.parametrize("error", [KeyboardInterrupt, OSError("disk full")])
def test_an_interrupted_write_leaves_the_old_file(method, error, tmp_path, monkeypatch):
    path = tmp_path / "file"
    write = getattr(RESULT, method)
    write(path)
    before = path.read_bytes()

    def stop(*args, **options):
        raise error

    monkeypatch.setattr(os, "replace", stop)
    path.write_bytes(before + b"old")
    with pytest.raises((KeyboardInterrupt, OSError)):
        write(path)
    assert path.read_bytes() == before + b"old"
    assert os.listdir(tmp_path) == ["file"]


@every_writer
@pytest.mark.parametrize("kind", [str, os.fsencode, Path])
def test_any_kind_of_path_is_replaced_by_the_same_bytes(method, kind, tmp_path):
    path = tmp_path / "page é.x"
    written = set()
    for _ in range(2):
        getattr(RESULT, method)(kind(str(path)))
        written.add(path.read_bytes())
    assert len(written) == 1
    assert os.listdir(tmp_path) == [path.name]


@every_writer
def test_what_cannot_be_written_leaves_nothing_behind(method, tmp_path):
    write = getattr(RESULT, method)
    (tmp_path / "folder").mkdir()
    with pytest.raises(OSError, match="folder"):
        write(tmp_path / "folder")
    with pytest.raises(FileNotFoundError, match="nowhere"):
        write(tmp_path / "nowhere" / "file")
    with pytest.raises(TypeError):
        write(3)
    with pytest.raises(ValueError, match="null"):
        write("a\0")
    assert os.listdir(tmp_path) == ["folder"]
    assert not os.listdir(tmp_path / "folder")


@every_writer
@pytest.mark.skipif(os.name != "posix", reason="needs links and devices")
def test_links_and_permissions_are_kept_and_devices_refused(method, tmp_path):
    write = getattr(RESULT, method)
    goal, link = tmp_path / "goal", tmp_path / "link"
    link.symlink_to("goal")
    write(link)
    assert link.is_symlink()
    assert goal.stat().st_size > 20
    goal.chmod(0o640)
    write(link)
    assert goal.stat().st_mode & 0o777 == 0o640
    with pytest.raises(ValueError, match="`path` must be of a regular file"):
        write(os.devnull)
    os.mkfifo(tmp_path / "fifo")
    with pytest.raises(ValueError, match="`path` must be of a regular file"):
        write(tmp_path / "fifo")
    assert sorted(os.listdir(tmp_path)) == ["fifo", "goal", "link"]
