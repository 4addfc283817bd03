"""Every example runs as it stands, without a warning."""

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

pytestmark = pytest.mark.lint

ROOT = Path(__file__).parent.parent / "examples"
EXAMPLES = sorted(ROOT.glob("[1-5]*/*.py"))
IGNORED = "ignore:FigureCanvasAgg is non-interactive"  # of plt.show()


def test_there_are_examples():
    assert EXAMPLES


@pytest.mark.parametrize("path", EXAMPLES, ids=lambda path: path.stem)
def test_example_runs(path, tmp_path):
    done = subprocess.run(
        [sys.executable, "-W", "error", "-W", IGNORED, str(path)],
        cwd=tmp_path,
        env={**os.environ, "MPLBACKEND": "Agg"},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    assert done.stdout
    assert not list(tmp_path.iterdir())  # an example leaves no files


@pytest.mark.parametrize("path", EXAMPLES, ids=lambda path: path.stem)
def test_example_begins_with_a_question(path):
    title, underline = path.read_text(encoding="utf-8").splitlines()[1:3]
    assert title.endswith("?")
    assert underline == "=" * len(title)


@pytest.mark.parametrize("path", EXAMPLES, ids=lambda path: path.stem)
def test_example_begins_with_a_call_to_copy(path):
    after_title = path.read_text(encoding="utf-8").split("\n", 4)[4]
    assert re.match(r"(``|::\n\n    ).+\(.+\)\S*\n\n", after_title)
