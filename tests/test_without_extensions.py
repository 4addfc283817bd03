"""The core passes its own tests where all extensions are taken away."""

import shutil
import subprocess
import sys

import pytest
from test_architecture import EXTENSIONS, OF_CORE, PACKAGE, TESTS, copy_without


@pytest.mark.slow
def test_the_core_passes_its_own_tests_without_extensions(tmp_path):
    env = copy_without(EXTENSIONS, tmp_path)
    shutil.copytree(
        TESTS, tmp_path / "tests", ignore=shutil.ignore_patterns("__pycache__")
    )
    for path in TESTS.parent.iterdir():
        if path.name not in ("tests", PACKAGE) and path.name[0] != ".":
            (tmp_path / path.name).symlink_to(path)
    files = [str(path.relative_to(TESTS.parent)) for path in OF_CORE]
    pytest_options = ["-q", "-p", "no:cacheprovider"]
    pytest_options += ["-m", "not full and not lint and not slow"]
    found = subprocess.run(
        [sys.executable, "-m", "pytest", *pytest_options, *files],
        env=env,
        cwd=tmp_path,
        capture_output=True,
        text=True,
        check=False,
    )
    assert found.returncode == 0, found.stdout[-4000:]
